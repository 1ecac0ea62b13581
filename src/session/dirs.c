/*
 * dirs.c: directories that the user added to the session. They are events, so a resumed session and
 * a fork have them; an imported log brings none, since another user chose them. Each is checked
 * again when it is restored. The model cannot add one: there is no tool for it.
 */
#include "base/base.h"
#include "session/internal.h"

void sf_dirs_apply(struct sf_session *s)
{
    if (!s->depth && !s->watch)
        sf_added_dirs_set(s->setup.policy, &s->dirs);
}

static bool save(struct sf_session *s, const char *dir, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "dir", dir);
    sf_jw_object_end(&w);
    ok = sf_session_append(s, SF_LOG_ADD_DIR, &json, err);
    sf_strbuf_release(&json);
    return ok;
}

bool sf_session_add_dir(struct sf_session *s, const char *path, struct sf_error *err)
{
    const struct sf_policy_context *policy = s->setup.policy;
    char *at, *real;
    bool ok = false;

    if (!*path)
        return sf_fail(err, SF_E_ARG, "which directory?");
    if (!sf_session_can(s, err) || !sf_load_all(s, err))
        return false;
    at = sf_stand_resolve(policy->root.path, s->setup.below, path);
    real = sf_added_dirs_check(policy, at, err);
    if (real && sf_strlist_has(&s->dirs, real))
        ok = true;
    else if (real && s->dirs.count >= SF_ADDED_DIRS_MAX)
        sf_fail(err, SF_E_LIMIT, "at most %d directories can be added", SF_ADDED_DIRS_MAX);
    else if (real && save(s, real, err)) {
        sf_strlist_add(&s->dirs, real);
        sf_dirs_apply(s);
        ok = true;
    }
    free(real);
    free(at);
    return ok;
}

const struct sf_strlist *sf_session_dirs(struct sf_session *s, struct sf_error *err)
{
    return sf_load_all(s, err) ? &s->dirs : NULL;
}

void sf_dirs_recall(struct sf_session *s, const struct sf_event_row *event)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json;
    const char *dir;
    char *real = NULL;

    if (strcmp(event->kind, SF_LOG_ADD_DIR) != 0)
        return;
    json = sf_json_parse(event->json, event->len, NULL, &err);
    if (json && sf_json_get_str(json, "dir", &dir, &err) && *dir == '/')
        real = sf_added_dirs_check(s->setup.policy, dir, &err);
    if (real && s->dirs.count < SF_ADDED_DIRS_MAX && !sf_strlist_has(&s->dirs, real))
        sf_strlist_add(&s->dirs, real);
    else if (!real)
        sf_log(SF_LOG_WARN, "a directory is not added again: %s", err.msg);
    sf_dirs_apply(s);
    free(real);
    sf_json_free(json);
}
