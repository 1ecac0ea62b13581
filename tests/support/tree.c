/*
 * tree.c: trees for tests of searching.
 */
#include "support/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/io.h"
#include "support/test.h"

void tree_put(const char *dir, const char *path, const void *data, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    char *full = test_path(dir, path);
    char *slash = strrchr(full, '/');

    *slash = '\0';
    if (!sf_dir_make(full, 0700, &err))
        fail_msg("%s", err.msg);
    *slash = '/';
    test_write(full, data, len);
    free(full);
}

void tree_puts(const char *dir, const char *path, const char *text)
{
    tree_put(dir, path, text, strlen(text));
}

int tree_open(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        fail_msg("cannot open %s", dir);
    return fd;
}

char *tree_run(const char *dir, const char *command, size_t *len)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t n = 1;
    FILE *fp;

    sf_strbuf_addf(&sb,
                   "cd '%s' && export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 "
                   "HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent LC_ALL=C.UTF-8 && %s",
                   dir, command);
    fp = popen(sb.buf, "r"); // NOLINT(cert-env33-c): the test's own command
    if (!fp)
        fail_msg("cannot run %s", command);
    sf_strbuf_reset(&sb);
    while (fp && n) {
        n = fread(sf_strbuf_room(&sb, 65536), 1, 65536, fp);
        sf_strbuf_grew(&sb, n);
    }
    if (fp)
        pclose(fp);
    if (len)
        *len = sb.len;
    return sf_strbuf_detach(&sb);
}

void tree_lines(const char *dir, const char *command, char end, struct sf_strlist *out)
{
    size_t len;
    char *text = tree_run(dir, command, &len);

    for (size_t at = 0; at < len;) {
        const char *stop = memchr(text + at, end, len - at);
        size_t n = stop ? (size_t)(stop - text) - at : len - at;

        sf_strlist_adopt(out, sf_strndup(text + at, n));
        at += n + 1;
    }
    free(text);
    sf_strlist_sort(out);
}

bool tree_has_rg(void)
{
    size_t len;

    free(tree_run("/", "rg --version 2>/dev/null", &len));
    return len > 0;
}

void tree_same(const char *name, const struct sf_strlist *got, const struct sf_strlist *want)
{
    size_t i = 0;

    while (i < got->count && i < want->count && !strcmp(got->items[i], want->items[i]))
        i++;
    if (i < got->count || i < want->count)
        fail_msg("%s: entry %zu is <%s>, want <%s> (%zu and %zu in all)", name, i,
                 i < got->count ? got->items[i] : "nothing",
                 i < want->count ? want->items[i] : "nothing", got->count, want->count);
}

unsigned tree_pick(struct tree_random *r, unsigned below)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return below ? (unsigned)(r->state >> 33) % below : 0;
}

void tree_words(struct tree_random *r, const char *const *words, unsigned count,
                struct sf_strbuf *out)
{
    unsigned n = 0;

    while (words[n])
        n++;
    for (unsigned i = 0; i < count; i++)
        sf_strbuf_adds(out, words[tree_pick(r, n)]);
}
