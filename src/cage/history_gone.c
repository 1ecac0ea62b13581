/*
 * history_gone.c: directories of what is gone are named by the time, so their order is their age.
 */
#include "cage/history_gone.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/io.h"

enum {
    PLACES_MAX = 64,
    DAYS_MAX = 30,
    DEPTH_MAX = 24,
    TOLD_MAX = 8,
};

static const int64_t bytes_max = (int64_t)1 << 30, day_ms = (int64_t)24 * 60 * 60 * 1000;

static const char top[] = "gone";

void sf_history_gone_release(struct sf_history_gone *g)
{
    free(g->place);
    sf_strlist_release(&g->refs);
    *g = (struct sf_history_gone){ 0 };
}

/* ---- old ones ---- */

/* The bytes below a path; with `drop` everything is removed. */
static int64_t walk(int root, const char *path, bool drop, unsigned depth)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    int64_t bytes = 0;
    struct stat st;

    if (depth > DEPTH_MAX || fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    if (!S_ISDIR(st.st_mode)) {
        if (drop)
            unlinkat(root, path, 0);
        return st.st_size;
    }
    sf_keeper_list(root, path, &names);
    for (size_t i = 0; i < names.count; i++) {
        char *inside = sf_path_join(path, names.items[i]);

        bytes += walk(root, inside, drop, depth + 1);
        free(inside);
    }
    if (drop)
        unlinkat(root, path, AT_REMOVEDIR);
    sf_strlist_release(&names);
    return bytes;
}

/* The newest stay, as far as age, number and size permit. */
static void prune(int root)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    int64_t bytes = 0, oldest = sf_clock_wall_ms() - DAYS_MAX * day_ms;

    sf_keeper_list(root, top, &names);
    sf_strlist_sort(&names);
    for (size_t i = names.count; i-- > 0;) {
        char *path = sf_path_join(top, names.items[i]);

        bytes += walk(root, path, false, 0);
        if (names.count - i >= PLACES_MAX || bytes > bytes_max ||
            strtoll(names.items[i], NULL, 10) < oldest)
            walk(root, path, true, 0);
        free(path);
    }
    sf_strlist_release(&names);
}

/* ---- moving ---- */

/* The directories that a path lies in. */
static void make_parents(int root, const char *path)
{
    char *dir = sf_strdup(path);

    for (char *slash = dir; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdirat(root, dir, 0700);
        *slash = '/';
    }
    free(dir);
}

static char *place_for(struct sf_history_gone *g, const struct sf_keeper *k, const char *path)
{
    struct sf_strbuf name = SF_STRBUF_INIT;
    int64_t now = sf_clock_wall_ms();
    char *to;

    if (!g->place) {
        prune(k->store);
        mkdirat(k->store, top, 0700);
        do {
            sf_strbuf_reset(&name);
            sf_strbuf_addf(&name, "%s/%013" PRId64, top, now++);
        } while (mkdirat(k->store, name.buf, 0700) < 0 && errno == EEXIST);
        g->place = sf_strbuf_detach(&name);
    }
    to = sf_path_join(g->place, path);
    make_parents(k->store, to);
    return to;
}

void sf_history_gone_take(struct sf_history_gone *g, const struct sf_keeper *k, const char *path)
{
    char *to = place_for(g, k, path);

    if (renameat(k->store, path, k->store, to) < 0)
        g->unkept++;
    free(to);
}

bool sf_history_gone_write(struct sf_history_gone *g, const struct sf_keeper *k, const char *path,
                           const char *value)
{
    char *to = place_for(g, k, path);
    int fd = openat(k->store, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    bool new = fd >= 0 || errno != EEXIST;

    if (new && (fd < 0 || !sf_fd_write_all(fd, value, strlen(value))))
        g->unkept++;
    if (fd >= 0)
        close(fd);
    free(to);
    return new;
}

/* ---- words ---- */

static void add_quoted(struct sf_strbuf *out, const char *text)
{
    struct sf_strbuf quoted = SF_STRBUF_INIT;

    sf_strbuf_adds(&quoted, "'");
    for (; *text; text++)
        if (*text == '\'')
            sf_strbuf_adds(&quoted, "'\\''");
        else
            sf_strbuf_add(&quoted, text, 1);
    sf_strbuf_adds(&quoted, "'");
    sf_text_sanitize(out, quoted.buf, quoted.len, SF_TEXT_ONE_LINE);
    sf_strbuf_release(&quoted);
}

/* "2 references, 1 log and 3 objects" */
static size_t add_counts(const struct sf_history_gone *g, struct sf_strbuf *out)
{
    const struct {
        size_t count;
        const char *one, *many;
    } rows[] = { { g->refs.count, "reference", "references" },
                 { g->logs, "log", "logs" },
                 { g->shortened, "log's entries", "logs' entries" },
                 { g->objects, "object or pack", "objects or packs" } };
    size_t left = 0, all = 0;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        left += rows[i].count > 0;
        all += rows[i].count;
    }
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        if (!rows[i].count)
            continue;
        left--;
        sf_strbuf_addf(out, "%zu %s%s", rows[i].count,
                       rows[i].count == 1 ? rows[i].one : rows[i].many,
                       !left      ? ""
                       : left > 1 ? ", "
                                  : " and ");
    }
    return all;
}

/* What is there by now is left as it is, but for logs, which are there and lack entries. */
void sf_history_gone_tell(const struct sf_history_gone *g, const char *git_dir, const char *store,
                          struct sf_strbuf *out)
{
    struct sf_strbuf words = SF_STRBUF_INIT, from = SF_STRBUF_INIT;
    size_t all = add_counts(g, &words);

    if (all) {
        sf_strbuf_addf(out, "[sf] %s %s gone", words.buf, all == 1 && !g->shortened ? "is" : "are");
        for (size_t i = 0; i < g->refs.count && i < TOLD_MAX; i++) {
            sf_strbuf_adds(out, i ? ", " : ": ");
            sf_text_sanitize(out, g->refs.items[i], strlen(g->refs.items[i]), SF_TEXT_ONE_LINE);
        }
        if (g->refs.count > TOLD_MAX)
            sf_strbuf_addf(out, " and %zu more", g->refs.count - TOLD_MAX);
        sf_strbuf_addf(&from, "%s/%s/.", store, g->place);
        sf_strbuf_addf(out, ". sf keeps %s for %d days: `cp -a%s ",
                       g->unkept ? "only a part" : "what is gone", DAYS_MAX,
                       g->shortened ? "" : "n");
        add_quoted(out, from.buf);
        sf_strbuf_adds(out, " ");
        add_quoted(out, git_dir);
        sf_strbuf_adds(out, "` brings it back.\n");
    }
    sf_strbuf_release(&words);
    sf_strbuf_release(&from);
}
