/*
 * git.c: the module around libgit2, as the table the program knows.
 */
#include <git2.h>

#include "base/base.h"
#include "modules/git/parts.h"

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
    .open = sf_odb_open,
    .close = sf_odb_close,
    .has = sf_odb_has,
    .read = sf_odb_read,
    .write = sf_odb_write,
    .copy = sf_odb_copy,
    .batched = sf_odb_batched,
    .flush = sf_odb_flush,
    .drop = sf_odb_drop,
    .each_packed = sf_odb_each_packed,
};
