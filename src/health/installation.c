/*
 * installation.c: whether program, modules, man page and terminal description are of one piece, and
 * whether the program that PATH finds is the one that runs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"
#include "modules/modules.h"

enum { MANUAL_BYTES = 4096, PATH_DIRS = 200 };

void sf_health_look_modules(struct sf_health *h)
{
    struct sf_error http = SF_ERROR_INIT, git = SF_ERROR_INIT;
    bool has_http = sf_module_http(&http) != NULL, has_git = sf_module_git(&git) != NULL;

    if (!has_http)
        sf_health_error(h, SF_HEALTH_PROBLEM, &http);
    if (!has_git)
        sf_health_error(h, SF_HEALTH_PROBLEM, &git);
    if (has_http && has_git)
        sf_health_say(h, SF_HEALTH_OK, "", "sf-http and sf-git are of this version");
}

/* ---- the man page ---- */

/* "sf 1.2 (0123)" says 1.2 on its man page. */
static bool names_version(const char *text, const char *version)
{
    size_t len = strcspn(version, "(");
    const char *title = strstr(text, ".TH ");
    char *found, *wanted;
    bool same;

    if (!title)
        return false;
    while (len && version[len - 1] == ' ')
        len--;
    found = sf_strndup(title, strcspn(title, "\n"));
    wanted = sf_alloc(len + 3);
    snprintf(wanted, len + 3, "\"%.*s\"", (int)len, version);
    same = strstr(found, wanted) != NULL;
    free(found);
    free(wanted);
    return same;
}

void sf_health_look_manual(struct sf_health *h)
{
    static const char *const places[] = { "../share/man/man1/sf.1", "../../docs/sf.1" };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char dir[4096];
    bool found = false;

    for (size_t i = 0; sf_program_dir(dir, sizeof(dir)) && !found && i < SF_COUNT(places); i++) {
        char *path = sf_path_join(dir, places[i]);

        found = sf_file_read_head(path, MANUAL_BYTES, &text, &ignored);
        if (found && !names_version(text.buf, h->at->version))
            sf_health_say(h, SF_HEALTH_WARNING, "install sf again: `./dev install`",
                          "the man page %s is of another version", path);
        else if (found)
            sf_health_say(h, SF_HEALTH_OK, "", "of this version");
        free(path);
    }
    if (!found)
        sf_health_say(h, SF_HEALTH_OK, "", "no man page lies beside the program: sf help");
    sf_strbuf_release(&text);
}

/* ---- PATH ---- */

static bool is_same(const char *a, const struct stat *b)
{
    struct stat st;

    return stat(a, &st) == 0 && st.st_dev == b->st_dev && st.st_ino == b->st_ino;
}

/* The first `sf` in a directory of PATH; owned, NULL: none. */
static char *find_first(void)
{
    const char *at = sf_env_get("PATH");
    char *found = NULL;

    for (size_t i = 0; at && *at && !found && i < PATH_DIRS; i++) {
        size_t len = strcspn(at, ":");
        char *dir = sf_strndup(at, len), *path = sf_path_join(dir, "sf");

        if (*dir == '/' && access(path, X_OK) == 0)
            found = sf_strdup(path);
        free(dir);
        free(path);
        at += len + (at[len] == ':');
    }
    return found;
}

void sf_health_look_shadow(struct sf_health *h)
{
    char *first = find_first();
    struct stat self;

    if (!first)
        sf_health_say(h, SF_HEALTH_OK, "", "no sf is on PATH");
    else if (stat("/proc/self/exe", &self) < 0 || is_same(first, &self))
        sf_health_say(h, SF_HEALTH_OK, "", "%s is this program", first);
    else
        sf_health_say(h, SF_HEALTH_WARNING, "put this one first, or remove the other",
                      "a shell finds another sf first: %s", first);
    free(first);
}

/* ---- terminfo ---- */

static bool has_entry(const char *dir, const char *term)
{
    struct sf_strbuf name = SF_STRBUF_INIT;
    bool has;

    sf_strbuf_addf(&name, "%c/%s", *term, term);
    has = sf_health_exists(dir, name.buf);
    sf_strbuf_truncate(&name, 0);
    sf_strbuf_addf(&name, "%02x/%s", (unsigned)(unsigned char)*term, term);
    has = has || sf_health_exists(dir, name.buf);
    sf_strbuf_release(&name);
    return has;
}

/* Where ncurses looks, and where sf keeps a few descriptions of its own. */
static bool is_described(const char *term)
{
    static const char *const dirs[] = { "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo",
                                        "/usr/lib/terminfo", "/usr/local/share/terminfo" };
    struct sf_error ignored = SF_ERROR_INIT;
    const char *own = sf_env_get("TERMINFO");
    char *home = sf_env_home(&ignored), *below = home ? sf_path_join(home, ".terminfo") : NULL;
    char program[4096], *beside = NULL, *built = NULL;
    bool found = (own && has_entry(own, term)) || (below && has_entry(below, term));

    if (sf_program_dir(program, sizeof(program))) {
        beside = sf_path_join(program, "../share/sf/terminfo");
        built = sf_path_join(program, "share/terminfo");
    }
    found = found || (beside && has_entry(beside, term)) || (built && has_entry(built, term));
    for (size_t i = 0; !found && i < SF_COUNT(dirs); i++)
        found = has_entry(dirs[i], term);
    free(home);
    free(below);
    free(beside);
    free(built);
    return found;
}

void sf_health_look_terminfo(struct sf_health *h)
{
    const char *term = sf_env_get("TERM");

    if (!term)
        sf_health_say(h, SF_HEALTH_OK, "", "TERM is not set: not looked at");
    else if (strchr(term, '/') || !is_described(term))
        sf_health_say(h, SF_HEALTH_WARNING, "install ncurses-term, or export TERM=xterm-256color",
                      "this system does not describe the terminal %s", term);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "%s is described", term);
}
