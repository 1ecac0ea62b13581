/*
 * test.c: scratch directories and files for tests.
 */
#include "support/test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

char *test_dir_new(void)
{
    const char *tmp = getenv("TMPDIR");
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_addf(&sb, "%s/sf-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(sb.buf))
        abort();
    return sf_strbuf_detach(&sb);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void test_dir_free(char *dir)
{
    if (!dir)
        return;
    nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(dir);
}

int test_dir_setup(void **state)
{
    *state = test_dir_new();
    return 0;
}

int test_dir_teardown(void **state)
{
    test_dir_free(*state);
    return 0;
}

char *test_path(const char *dir, const char *name)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_addf(&sb, "%s/%s", dir, name);
    return sf_strbuf_detach(&sb);
}

void test_write(const char *path, const void *data, size_t len)
{
    FILE *fp = fopen(path, "wbe");

    if (!fp || fwrite(data, 1, len, fp) != len || fclose(fp))
        fail_msg("cannot write %s", path);
}

char *test_read(const char *path, size_t *len)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    FILE *fp = fopen(path, "rbe");
    size_t n = 1;

    if (!fp)
        fail_msg("cannot read %s", path);
    while (fp && n) {
        n = fread(sf_strbuf_room(&sb, 65536), 1, 65536, fp);
        sf_strbuf_grew(&sb, n);
    }
    if (fp)
        fclose(fp);
    if (len)
        *len = sb.len;
    return sf_strbuf_detach(&sb);
}
