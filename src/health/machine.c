/*
 * machine.c: checks of the machine: the version of sf, the locale, the terminal, the disk, the
 * clock.
 */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"
#include "store/store.h"
#include "tools/tools.h"

enum { SMALL_COLUMNS = 60, SMALL_ROWS = 15, ESCAPE_MS = 100, ASK_MS = 2000 };
enum { FREE_MIB = 512, LEAST_MIB = 64, LEAST_FILES = 1000, SKEW_MS = 60000 };

#define EPOCH_MS INT64_C(1704067200000) /* 2024: no store is older */

void sf_health_look_version(struct sf_health *h)
{
    sf_health_say(h, SF_HEALTH_OK, "", "%s", h->at->version);
}

/* ---- language ---- */

static const char *locale_named(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (sf_env_get(names[i]))
            return sf_env_get(names[i]);
    return NULL;
}

void sf_health_look_locale(struct sf_health *h)
{
    static const char how[] = "export LANG=C.UTF-8, or a locale of `locale -a` that ends in utf8";
    const char *name = locale_named();
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);

    if (!locale)
        sf_health_say(h, SF_HEALTH_WARNING, how, "the locale %s is not installed", name);
    else if (strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") != 0)
        sf_health_say(h, SF_HEALTH_WARNING, how, "the locale %s does not use UTF-8",
                      name ? name : "C (no LANG is set)");
    else
        sf_health_say(h, SF_HEALTH_OK, "", "%s", name);
    if (locale)
        freelocale(locale);
}

/* ---- terminal ---- */

static const char *colours(const char *term)
{
    const char *more = sf_env_get("COLORTERM");

    if (getenv("NO_COLOR"))
        return "no colours, as NO_COLOR says";
    if (more && (!strcmp(more, "truecolor") || !strcmp(more, "24bit")))
        return "16 million colours";
    return strstr(term, "256color") ? "256 colours" : "16 colours";
}

static void check_size(struct sf_health *h)
{
    int columns = h->at->terminal.columns, rows = h->at->terminal.rows;

    if (!columns || !rows)
        return;
    if (columns < SMALL_COLUMNS || rows < SMALL_ROWS)
        sf_health_say(h, SF_HEALTH_WARNING, "make the window larger",
                      "%d columns and %d rows are little room", columns, rows);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "%d columns, %d rows", columns, rows);
}

/* tmux waits for the rest of an escape sequence, which delays every Esc by its escape-time. */
static void check_tmux(struct sf_health *h, const char *term)
{
    static const char *const ask[] = { "tmux", "show-options", "-sv", "escape-time", NULL };
    char *text;

    if (!sf_env_get("TMUX"))
        return;
    if (strncmp(term, "tmux", 4) != 0 && strncmp(term, "screen", 6) != 0)
        sf_health_say(h, SF_HEALTH_WARNING,
                      "let tmux set it: set -g default-terminal tmux-256color",
                      "inside tmux TERM should be tmux-256color, not %s", term);
    text = sf_health_ask(ask, "TMUX");
    if (text && atoi(text) > ESCAPE_MS)
        sf_health_say(h, SF_HEALTH_WARNING, "in ~/.tmux.conf: set -sg escape-time 10",
                      "tmux holds the Esc key back for %s ms", text);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "inside tmux");
    free(text);
}

static void check_keys(struct sf_health *h)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (h->at->terminal.keys && h->at->terminal.keys(&text))
        sf_health_say(h, SF_HEALTH_OK, "", "%s", text.buf);
    sf_strbuf_release(&text);
}

void sf_health_look_terminal(struct sf_health *h)
{
    const char *term = sf_env_get("TERM");

    if (!h->at->terminal.there) {
        sf_health_say(h, SF_HEALTH_OK, "", "this output goes to no terminal: not looked at");
        return;
    }
    if (!term || !strcmp(term, "dumb")) {
        sf_health_say(h, SF_HEALTH_WARNING, "export TERM=xterm-256color, or what the terminal is",
                      "TERM is %s: nothing can be drawn", term ? "dumb" : "not set");
        return;
    }
    sf_health_say(h, SF_HEALTH_OK, "", "%s, %s", term, colours(term));
    check_size(h);
    check_tmux(h, term);
    check_keys(h);
}

/* ---- disk ---- */

/* Examines the path itself, or the nearest existing directory above it. */
static bool stat_room(const char *path, struct statvfs *room)
{
    char *at = sf_strdup(path);
    bool ok;

    while (!(ok = statvfs(at, room) == 0) && errno == ENOENT) {
        char *slash = strrchr(at, '/');

        if (!slash || slash == at)
            break;
        *slash = '\0';
    }
    free(at);
    return ok;
}

/* The file systems that sf writes to, each with what it is for; several may be the same. */
typedef void room_fn(struct sf_health *h, const char *what, const char *path,
                     const struct statvfs *room);

static void each_room(struct sf_health *h, room_fn *fn)
{
    const char *temp = sf_env_get("TMPDIR");
    const struct {
        const char *what, *path;
    } rooms[] = {
        { "the workspace", h->at->workspace ? h->at->workspace->root : NULL },
        { "sf's state", h->at->state_dir },
        { "temporary files", temp ? temp : "/tmp" },
    };
    struct statvfs room;

    for (size_t i = 0; i < SF_COUNT(rooms); i++)
        if (rooms[i].path && stat_room(rooms[i].path, &room))
            fn(h, rooms[i].what, rooms[i].path, &room);
        else if (rooms[i].path)
            sf_health_say(h, SF_HEALTH_PROBLEM, "look at what is mounted there",
                          "the disk of %s cannot be looked at: %s", rooms[i].path, strerror(errno));
}

static void check_space(struct sf_health *h, const char *what, const char *path,
                        const struct statvfs *room)
{
    uint64_t free_bytes = (uint64_t)room->f_bavail * room->f_frsize;
    struct sf_strbuf size = SF_STRBUF_INIT;

    sf_kind_size(&size, free_bytes);
    if (free_bytes >> 20 < FREE_MIB)
        sf_health_say(h, free_bytes >> 20 < LEAST_MIB ? SF_HEALTH_PROBLEM : SF_HEALTH_WARNING,
                      "make room: sf stops rather than lose what it writes",
                      "only %s are free for %s (%s)", size.buf, what, path);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "%s free for %s (%s)", size.buf, what, path);
    sf_strbuf_release(&size);
}

void sf_health_look_space(struct sf_health *h)
{
    each_room(h, check_space);
}

/* Some file systems have no fixed number of inodes, and report 0. */
static void check_inodes(struct sf_health *h, const char *what, const char *path,
                         const struct statvfs *room)
{
    if (room->f_files && room->f_favail < room->f_files / 100)
        sf_health_say(h, room->f_favail < LEAST_FILES ? SF_HEALTH_PROBLEM : SF_HEALTH_WARNING,
                      "remove small files there: caches, old builds",
                      "there is hardly room for new files for %s (%s)", what, path);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "there is room for new files for %s (%s)", what, path);
}

void sf_health_look_inodes(struct sf_health *h)
{
    each_room(h, check_inodes);
}

/* ---- clock ---- */

static bool take_newest(const struct sf_query_row *row, void *ctx)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_query_value *v = &row->values[0];

    if (v->type == SF_QUERY_TEXT && !sf_time_parse_rfc3339(v->bytes, v->len, ctx, &ignored))
        *(int64_t *)ctx = 0;
    return false;
}

/* Ids and the order of the log rest on a clock that does not go back far. */
static void check_clock(struct sf_health *h, int64_t newest)
{
    int64_t now = sf_clock_wall_ms();
    char span[SF_DURATION_MAX];

    if (now < EPOCH_MS) {
        sf_health_say(h, SF_HEALTH_PROBLEM, "set the clock: timedatectl set-ntp true",
                      "the clock is years behind");
    } else if (newest > now + SKEW_MS) {
        sf_duration_format(span, newest - now);
        sf_health_say(h, SF_HEALTH_WARNING, "set the clock: timedatectl set-ntp true",
                      "the clock is %s behind the newest event in the store", span);
    } else {
        sf_health_say(h, SF_HEALTH_OK, "", "ahead of everything in the store");
    }
}

void sf_health_look_clock(struct sf_health *h)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t newest = 0;
    const struct sf_query query = { .sql = "SELECT max(time) FROM events",
                                    .timeout_ms = ASK_MS,
                                    .row = take_newest,
                                    .ctx = &newest };

    if (h->at->state_dir && sf_health_exists(h->at->state_dir, "sf.db") &&
        !sf_store_query(h->at->state_dir, &query, &ignored))
        newest = 0; /* the checks of the store say why */
    check_clock(h, newest);
}
