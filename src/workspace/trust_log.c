/*
 * trust_log.c: keeps the list of trusted workspaces and the log consistent.
 */
#include "workspace/trust_log.h"

#include "config/config.h"
#include "io/io.h"

static bool record(struct sf_store *store, enum sf_surface surface, const char *action,
                   const char *root, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = SF_SESSION_PROJECT,
                                  .surface = sf_surface_names[surface],
                                  .kind = SF_LOG_TRUST };
    struct sf_event_ref ref;
    struct sf_json_writer w;
    bool ok;

    if (!store)
        return sf_fail(err, SF_E_IO, "it cannot be opened");
    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "action", action);
    sf_jw_key_str(&w, "workspace", root);
    sf_jw_object_end(&w);
    event.json = json.buf;
    event.len = json.len;
    ok = sf_store_append(store, &event, &ref, err);
    sf_strbuf_release(&json);
    return ok;
}

bool sf_trust_log_give(struct sf_store *store, enum sf_surface surface, const char *root,
                       const char *digest, struct sf_error *err)
{
    struct sf_error undo = SF_ERROR_INIT;
    bool found;

    if (!sf_trust_add_seen(root, digest, sf_clock_wall_ms(), err))
        return false;
    if (record(store, surface, "add", root, err))
        return true;
    if (!sf_trust_remove(root, &found, &undo))
        sf_hint(err, "and the list of trusted workspaces keeps it: %.80s", undo.msg);
    return false;
}

bool sf_trust_log_take(struct sf_store *store, enum sf_surface surface, const char *root,
                       struct sf_error *err)
{
    bool found;

    if (!sf_trust_remove(root, &found, err))
        return false;
    if (!found)
        return sf_fail(err, SF_E_NOENT, "%s was not trusted", root);
    if (record(store, surface, "remove", root, err))
        return true;
    sf_error_prefix(err, "no longer trusted, but not recorded in the log: ");
    return false;
}
