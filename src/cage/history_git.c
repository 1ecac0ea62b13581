/*
 * history_git.c: two questions to git. Both look at many objects in a large repository, so they are
 * asked only when something is gone, and not waited for long.
 */
#include "cage/history_git.h"

#include "base/base.h"
#include "io/io.h"

enum { ANSWER_MS = 3000, ANSWER_BYTES = 4096 };

/* Whether git succeeded; `said`: and whether it printed anything. */
static bool ask(const char *const *argv, bool *said)
{
    const char *const envp[] = { "PATH=/usr/local/bin:/usr/bin:/bin",
                                 "GIT_CONFIG_NOSYSTEM=1",
                                 "GIT_CONFIG_GLOBAL=/dev/null",
                                 "GIT_ALLOW_PROTOCOL=none",
                                 "GIT_NO_LAZY_FETCH=1",
                                 "GIT_OPTIONAL_LOCKS=0",
                                 NULL };
    const struct sf_child_spec spec = {
        .argv = argv, .envp = envp, .output_cap = ANSWER_BYTES, .deadline_ms = ANSWER_MS
    };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_child_result result;
    bool ok;

    *said = false;
    if (!sf_child_run(&spec, &result, &ignored))
        return false;
    ok = result.how == SF_CHILD_EXITED && result.code == 0;
    *said = result.output[0].len > 0;
    sf_child_result_release(&result);
    return ok;
}

bool sf_git_history_is_whole(const char *git_dir)
{
    const char *const argv[] = {
        "git",   "--git-dir", git_dir,   "--no-replace-objects",       "rev-list", "--objects",
        "--all", "--reflog",  "--quiet", "--exclude-promisor-objects", NULL,
    };
    bool said;

    return ask(argv, &said);
}

bool sf_git_history_is_reached(const char *git_dir, const char *commit)
{
    const char *const argv[] = { "git",       "--git-dir",  git_dir, "for-each-ref",
                                 "--count=1", "--contains", commit,  NULL };
    bool said;

    return ask(argv, &said) && said;
}
