/*
 * last_message.c: trying and writing the file of -o. The path is the user's own, so it may lie
 * anywhere; but what steers git, shells and sf itself is no place for the words of a model.
 */
#include "app/last_message.h"

#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"

/* The path from the root of the file system; the caller frees it. */
static char *absolute(const char *file)
{
    char *here, *path;

    if (*file == '/')
        return sf_strdup(file);
    here = getcwd(NULL, 0);
    path = sf_path_join(here ? here : ".", file);
    free(here);
    return path;
}

static bool is_free(const char *path, const struct sf_policy_context *policy, struct sf_error *err)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_path_facts facts;
    bool ok = sf_place_resolve(&policy->root, path, strlen(path), SF_WANT_ANY, &place, err);

    if (ok) {
        facts = sf_policy_context_path(policy, &place);
        if (facts.zone == SF_PATH_PROTECTED || facts.zone == SF_PATH_CREDENTIAL)
            ok = sf_fail(err, SF_E_ARG, "%s is protected: %s", path,
                         facts.rule ? facts.rule->what : "");
    }
    sf_place_release(&place);
    return ok;
}

static bool is_writable(const char *path, struct sf_error *err)
{
    const char *slash = strrchr(path, '/');
    char *dir = sf_strndup(path, slash == path ? 1 : (size_t)(slash - path));
    struct stat st;
    bool there = stat(path, &st) == 0, ok = true;

    if (there && !S_ISREG(st.st_mode))
        ok = sf_fail(err, SF_E_ARG, "%s is not a regular file", path);
    else if (access(dir, W_OK | X_OK) < 0 || (there && access(path, W_OK) < 0))
        ok = sf_fail_errno(err, "cannot write %s", path);
    free(dir);
    return ok;
}

bool sf_last_message_check(const char *file, const struct sf_policy_context *policy,
                           struct sf_error *err)
{
    char *path = absolute(file);
    bool ok = *file && is_free(path, policy, err) && is_writable(path, err);

    if (!*file)
        sf_fail(err, SF_E_ARG, "it names no file");
    if (!ok) {
        sf_error_prefix(err, "--output-last-message: ");
        err->code = SF_E_ARG;
    }
    free(path);
    return ok;
}

bool sf_last_message_write(const char *file, const struct sf_strbuf *answer, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok;

    sf_strbuf_add(&text, answer->buf, answer->len);
    if (text.len && text.buf[text.len - 1] != '\n')
        sf_strbuf_addch(&text, '\n');
    ok = sf_file_write_atomic(file, text.buf, text.len, 0666, err);
    if (!ok)
        sf_error_prefix(err, "--output-last-message: ");
    sf_strbuf_release(&text);
    return ok;
}
