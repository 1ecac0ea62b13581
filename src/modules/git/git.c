/*
 * git.c: the module around libgit2.
 */
#include <git2.h>

#include "base/base.h"
#include "modules/modules.h"

extern const struct sf_git_api sf_git_module;

static void describe(struct sf_strbuf *out)
{
    int major, minor, revision;

    git_libgit2_version(&major, &minor, &revision);
    sf_strbuf_addf(out, "libgit2/%d.%d.%d", major, minor, revision);
}

const struct sf_git_api sf_git_module = {
    .abi = SF_MODULE_ABI,
    .describe = describe,
};
