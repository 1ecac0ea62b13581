/*
 * doctor_machine.c: checks of what sf runs on: itself, the language, the terminal, git, the disk.
 */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "app/doctor.h"
#include "commit.h"
#include "io/io.h"
#include "session/session.h"
#include "term/term.h"
#include "tools/tools.h"

enum { SMALL_COLUMNS = 60, SMALL_ROWS = 15, ESCAPE_MS = 100, FREE_MIB = 512 };

void sf_doctor_version(struct sf_doctor *d)
{
    sf_doctor_say(d, SF_HEALTH_OK, "", "sf %s (%s)", SF_VERSION, SF_COMMIT);
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

void sf_doctor_locale(struct sf_doctor *d)
{
    static const char how[] = "export LANG=C.UTF-8, or a locale of `locale -a` that ends in utf8";
    const char *name = locale_named();
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);

    if (!locale)
        sf_doctor_say(d, SF_HEALTH_WARNING, how, "the locale %s is not installed", name);
    else if (strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") != 0)
        sf_doctor_say(d, SF_HEALTH_WARNING, how, "the locale %s does not use UTF-8",
                      name ? name : "C (no LANG is set)");
    else
        sf_doctor_say(d, SF_HEALTH_OK, "", "%s", name);
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

static void check_size(struct sf_doctor *d)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col || !size.ws_row)
        return;
    if (size.ws_col < SMALL_COLUMNS || size.ws_row < SMALL_ROWS)
        sf_doctor_say(d, SF_HEALTH_WARNING, "make the window larger",
                      "%d columns and %d rows are little room", size.ws_col, size.ws_row);
    else
        sf_doctor_say(d, SF_HEALTH_OK, "", "%d columns, %d rows", size.ws_col, size.ws_row);
}

/* A tmux that waits for the rest of an escape sequence delays every Esc by that long. */
static void check_tmux(struct sf_doctor *d, const char *term)
{
    static const char *const ask[] = { "tmux", "show-options", "-sv", "escape-time", NULL };
    char *text;

    if (!sf_env_get("TMUX"))
        return;
    if (strncmp(term, "tmux", 4) != 0 && strncmp(term, "screen", 6) != 0)
        sf_doctor_say(d, SF_HEALTH_WARNING,
                      "let tmux set it: set -g default-terminal tmux-256color",
                      "inside tmux TERM should be tmux-256color, not %s", term);
    text = sf_doctor_ask(ask, "TMUX");
    if (text && atoi(text) > ESCAPE_MS)
        sf_doctor_say(d, SF_HEALTH_WARNING, "in ~/.tmux.conf: set -sg escape-time 10",
                      "tmux holds the Esc key back for %s ms", text);
    else
        sf_doctor_say(d, SF_HEALTH_OK, "", "inside tmux");
    free(text);
}

static void check_keys(struct sf_doctor *d)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_terminal_facts facts;

    if (sf_terminal_ask(&facts, &ignored)) {
        sf_terminal_keys(&facts, &text);
        sf_doctor_say(d, SF_HEALTH_OK, "", "%s", text.buf);
    }
    sf_strbuf_release(&text);
}

void sf_doctor_terminal(struct sf_doctor *d)
{
    const char *term = sf_env_get("TERM");

    if (!isatty(STDOUT_FILENO)) {
        sf_doctor_say(d, SF_HEALTH_OK, "", "this output goes to no terminal: not looked at");
        return;
    }
    if (!term || !strcmp(term, "dumb")) {
        sf_doctor_say(d, SF_HEALTH_WARNING, "export TERM=xterm-256color, or what the terminal is",
                      "TERM is %s: nothing can be drawn", term ? "dumb" : "not set");
        return;
    }
    sf_doctor_say(d, SF_HEALTH_OK, "", "%s, %s", term, colours(term));
    check_size(d);
    check_tmux(d, term);
    check_keys(d);
}

/* ---- git ---- */

/* Left in a git directory by what was not finished. */
static const struct {
    const char *file;
    enum sf_health health;
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

static void check_repository(struct sf_doctor *d, const struct sf_workspace *workspace)
{
    char *git = sf_path_join(workspace->root, ".git");
    struct stat st;

    if (lstat(git, &st) < 0) {
        sf_doctor_say(d, SF_HEALTH_OK, "", "the workspace is no repository");
        free(git);
        return;
    }
    sf_doctor_say(d, SF_HEALTH_OK, "", "%s",
                  S_ISDIR(st.st_mode) ? "the workspace is a repository"
                                      : "the workspace is a linked worktree");
    for (size_t i = 0; i < SF_COUNT(traces); i++) {
        char *path = sf_path_join(git, traces[i].file);

        if (access(path, F_OK) == 0)
            sf_doctor_say(d, traces[i].health, traces[i].hint, "%s", traces[i].text);
        free(path);
    }
    if (sf_gitconfig_repository_runs(workspace->root))
        sf_doctor_say(d, SF_HEALTH_WARNING, "look at .git/config; sf asks before git reads here",
                      "settings of this repository make git run programs");
    free(git);
}

void sf_doctor_git(struct sf_doctor *d)
{
    static const char *const ask[] = { "git", "--version", NULL };
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(d->app, &ignored);
    char *version = sf_doctor_ask(ask, NULL);

    if (version)
        sf_doctor_say(d, SF_HEALTH_OK, "", "%s", version);
    else
        sf_doctor_say(d, SF_HEALTH_WARNING, "install git: agents use it, and people to undo them",
                      "git is not there, or does not run");
    if (workspace)
        check_repository(d, workspace);
    free(version);
}

/* ---- disk ---- */

/* The path itself or the nearest directory above it that is there. */
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

static void check_room(struct sf_doctor *d, const char *what, const char *path)
{
    struct sf_strbuf size = SF_STRBUF_INIT;
    struct statvfs room;
    uint64_t free_bytes;

    if (!stat_room(path, &room))
        return;
    free_bytes = (uint64_t)room.f_bavail * room.f_frsize;
    sf_kind_size(&size, free_bytes);
    if (free_bytes >> 20 < FREE_MIB)
        sf_doctor_say(d, SF_HEALTH_WARNING, "make room: sf stops rather than lose what it writes",
                      "only %s are free for %s (%s)", size.buf, what, path);
    else if (room.f_files && room.f_favail < room.f_files / 100)
        sf_doctor_say(d, SF_HEALTH_WARNING, "remove small files there",
                      "there is hardly room for new files for %s (%s)", what, path);
    else
        sf_doctor_say(d, SF_HEALTH_OK, "", "%s free for %s (%s)", size.buf, what, path);
    sf_strbuf_release(&size);
}

void sf_doctor_disk(struct sf_doctor *d)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(d->app, &ignored);
    const char *state = sf_app_state_dir(d->app, &ignored), *temp = sf_env_get("TMPDIR");

    if (workspace)
        check_room(d, "the workspace", workspace->root);
    if (state)
        check_room(d, "sf's state", state);
    check_room(d, "temporary files", temp ? temp : "/tmp");
}
