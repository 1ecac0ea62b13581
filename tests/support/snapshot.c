/*
 * snapshot.c: a tree as text.
 */
#include "support/snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/test.h"

static void add_content(struct sf_strbuf *line, const char *path, mode_t mode)
{
    char link[4096];
    ssize_t n;

    if (S_ISREG(mode)) {
        size_t len;
        char *text = test_read(path, &len);

        sf_strbuf_add(line, text, len);
        free(text);
    } else if (S_ISLNK(mode) && (n = readlink(path, link, sizeof(link))) > 0) {
        sf_strbuf_add(line, link, (size_t)n);
    }
}

void snapshot_take(const char *dir, struct sf_strlist *out)
{
    DIR *d = opendir(dir);
    struct dirent *entry;

    while (d && (entry = readdir(d))) {
        struct sf_strbuf line = SF_STRBUF_INIT;
        struct stat st;
        char *path;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        path = test_path(dir, entry->d_name);
        if (lstat(path, &st) == 0) {
            sf_strbuf_addf(&line, "%s %o ", path, (unsigned)st.st_mode);
            add_content(&line, path, st.st_mode);
            if (S_ISDIR(st.st_mode))
                snapshot_take(path, out);
        }
        sf_strlist_adopt(out, sf_strbuf_detach(&line));
        free(path);
    }
    if (d)
        closedir(d);
}

const char *snapshot_lost(const struct sf_strlist *before, const struct sf_strlist *after)
{
    for (size_t i = 0; i < before->count; i++)
        if (!sf_strlist_has(after, before->items[i]))
            return before->items[i];
    return NULL;
}
