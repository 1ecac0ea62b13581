/*
 * loss_git.c: what git says of the files of the workspace, for commands of git that delete by
 * status rather than by name. Git has little time, as the user waits for the question.
 */
#include <string.h>

#include "base/base.h"
#include "session/snapshots.h"

enum {
    GIT_MS = 1500,
    GIT_BYTES = 1 << 20,
};

/* Each entry is "XY PATH" and a NUL; a second path follows for a renamed or copied file. */
static void read_status(const struct sf_strbuf *out, sf_loss_git_fn *fn, void *ctx)
{
    const char *end = out->buf + out->len;

    for (const char *p = out->buf; p < end && strlen(p) > 3; p += strlen(p) + 1) {
        fn(ctx, p, p + 3);
        if ((p[0] == 'R' || p[0] == 'C') && p + strlen(p) + 1 < end)
            p += strlen(p) + 1;
    }
}

bool sf_loss_git_status(const char *root, sf_loss_git_fn *fn, void *ctx)
{
    static const char *const argv[] = { "git",
                                        "--no-optional-locks",
                                        "-c",
                                        "core.fsmonitor=false",
                                        "status",
                                        "--porcelain=v1",
                                        "-z",
                                        "--untracked-files=all",
                                        "--ignored=matching",
                                        "--ignore-submodules=all",
                                        NULL };
    const struct sf_child_spec spec = {
        .argv = argv, .cwd = root, .output_cap = GIT_BYTES, .deadline_ms = GIT_MS
    };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_child_result result;
    bool ok;

    if (!sf_child_run(&spec, &result, &err))
        return false;
    ok = result.how == SF_CHILD_EXITED && result.code == 0 && result.total[0] <= GIT_BYTES;
    if (ok)
        read_status(&result.output[0], fn, ctx);
    sf_child_result_release(&result);
    return ok;
}
