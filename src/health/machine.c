/*
 * machine.c: checks of the machine: the version of sf, the locale, the terminal, git, the disk.
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
#include "judge/judge.h"
#include "tools/tools.h"

enum { SMALL_COLUMNS = 60, SMALL_ROWS = 15, ESCAPE_MS = 100, FREE_MIB = 512 };

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

/* ---- git ---- */

/* Files that an unfinished operation leaves in a git directory. */
static const struct {
    const char *file;
    enum sf_health_state state;
    const char *text, *hint;
} traces[] = {
    { "index.lock", SF_HEALTH_WARNING, "git's index is locked",
      "if no git runs here, remove .git/index.lock" },
    { "MERGE_HEAD", SF_HEALTH_OK, "a merge is under way", "" },
    { "rebase-merge", SF_HEALTH_OK, "a rebase is under way", "" },
    { "rebase-apply", SF_HEALTH_OK, "a rebase is under way", "" },
    { "CHERRY_PICK_HEAD", SF_HEALTH_OK, "a cherry-pick is under way", "" },
    { "REVERT_HEAD", SF_HEALTH_OK, "a revert is under way", "" },
    { "BISECT_LOG", SF_HEALTH_OK, "a bisection is under way", "" },
};

static void check_repository(struct sf_health *h, const struct sf_workspace *workspace)
{
    char *git = sf_path_join(workspace->root, ".git");
    struct sf_git_helpers helpers = { 0 };
    struct sf_git_reach *reach;
    struct stat st;

    if (lstat(git, &st) < 0) {
        sf_health_say(h, SF_HEALTH_OK, "", "the workspace is no repository");
        free(git);
        return;
    }
    sf_health_say(h, SF_HEALTH_OK, "", "%s",
                  S_ISDIR(st.st_mode) ? "the workspace is a repository"
                                      : "the workspace is a linked worktree");
    for (size_t i = 0; i < SF_COUNT(traces); i++) {
        char *path = sf_path_join(git, traces[i].file);

        if (access(path, F_OK) == 0)
            sf_health_say(h, traces[i].state, traces[i].hint, "%s", traces[i].text);
        free(path);
    }
    reach = sf_git_reach_new(workspace->root, NULL);
    sf_git_reach_from(reach, workspace->root, &helpers);
    sf_git_reach_free(reach);
    if (sf_git_helpers_key(&helpers, NULL))
        sf_health_say(h, SF_HEALTH_WARNING,
                      "look at .git/config; sf asks before the git commands it is about",
                      "%s of this repository makes git run a program",
                      sf_git_helpers_key(&helpers, NULL));
    free(git);
}

void sf_health_look_git(struct sf_health *h)
{
    static const char *const ask[] = { "git", "--version", NULL };
    char *version = sf_health_ask(ask, NULL);

    if (version)
        sf_health_say(h, SF_HEALTH_OK, "", "%s", version);
    else
        sf_health_say(h, SF_HEALTH_WARNING, "install git: agents use it, and people to undo them",
                      "git is not there, or does not run");
    if (h->at->workspace)
        check_repository(h, h->at->workspace);
    free(version);
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

static void check_room(struct sf_health *h, const char *what, const char *path)
{
    struct sf_strbuf size = SF_STRBUF_INIT;
    struct statvfs room;
    uint64_t free_bytes;

    if (!stat_room(path, &room))
        return;
    free_bytes = (uint64_t)room.f_bavail * room.f_frsize;
    sf_kind_size(&size, free_bytes);
    if (free_bytes >> 20 < FREE_MIB)
        sf_health_say(h, SF_HEALTH_WARNING, "make room: sf stops rather than lose what it writes",
                      "only %s are free for %s (%s)", size.buf, what, path);
    else if (room.f_files && room.f_favail < room.f_files / 100)
        sf_health_say(h, SF_HEALTH_WARNING, "remove small files there",
                      "there is hardly room for new files for %s (%s)", what, path);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "%s free for %s (%s)", size.buf, what, path);
    sf_strbuf_release(&size);
}

void sf_health_look_disk(struct sf_health *h)
{
    const char *temp = sf_env_get("TMPDIR");

    if (h->at->workspace)
        check_room(h, "the workspace", h->at->workspace->root);
    if (h->at->state_dir)
        check_room(h, "sf's state", h->at->state_dir);
    check_room(h, "temporary files", temp ? temp : "/tmp");
}
