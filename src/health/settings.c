/*
 * settings.c: checks of what the user wrote: settings, trust, and keys that lie where they should
 * not. No key is ever part of a result.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"

enum { SETTINGS_BYTES = 1024 * 1024 };

static void check_file(struct sf_health *h, const char *what, const char *path)
{
    if (path && access(path, F_OK) == 0)
        sf_health_say(h, SF_HEALTH_OK, "", "%s: %s", what, path);
}

/* Adds the notes of one kind; returns how many there are. */
static size_t add_notes(struct sf_health *h, bool errors)
{
    size_t count, added = 0;
    const struct sf_config_note *notes = sf_config_notes(h->at->config, &count);

    for (size_t i = 0; i < count; i++) {
        struct sf_strbuf where = SF_STRBUF_INIT;

        if (notes[i].error != errors)
            continue;
        added++;
        sf_origin_add(&where, &notes[i].origin);
        sf_health_say(h, errors ? SF_HEALTH_PROBLEM : SF_HEALTH_WARNING, notes[i].hint, "%s: %s",
                      where.buf, notes[i].text);
        sf_strbuf_release(&where);
    }
    return added;
}

static bool has_config(struct sf_health *h)
{
    if (!h->at->config)
        sf_health_error(h, SF_HEALTH_PROBLEM, &h->at->no_config);
    return h->at->config != NULL;
}

void sf_health_look_settings(struct sf_health *h)
{
    struct sf_error err = SF_ERROR_INIT;
    char *user, *project;

    if (!sf_health_has_workspace(h) || !has_config(h))
        return;
    user = sf_config_user_path(&err);
    project = sf_config_project_path(h->at->workspace);
    check_file(h, "your settings", user);
    check_file(h, "the project's settings", project);
    if (!add_notes(h, true))
        sf_health_say(h, SF_HEALTH_OK, "", "all files can be read");
    free(user);
    free(project);
}

void sf_health_look_unknown(struct sf_health *h)
{
    if (has_config(h) && !add_notes(h, false))
        sf_health_say(h, SF_HEALTH_OK, "", "every key is known");
}

void sf_health_look_trust(struct sf_health *h)
{
    struct sf_error err = SF_ERROR_INIT;
    enum sf_trust_state state;

    if (!sf_health_has_workspace(h))
        return;
    if (!sf_trust_check(h->at->workspace->root, &state, &err))
        sf_health_error(h, SF_HEALTH_PROBLEM, &err);
    else if (state == SF_TRUST_CHANGED)
        sf_health_say(h, SF_HEALTH_WARNING, "look at them, then: sf trust add",
                      "the workspace was trusted, but its policy files have changed since");
    else
        sf_health_say(h, SF_HEALTH_OK, "", "the workspace is %s",
                      state == SF_TRUST_YES ? "trusted" : "not trusted");
}

/* ---- files with keys ---- */

static bool ends_in(const char *key, const char *end)
{
    size_t n = strlen(key), m = strlen(end);

    return n > m && !strcmp(key + n - m, end);
}

/* The setting as sf_provider_open takes it: absolute, or below the home directory. */
static char *key_path(const char *text)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *home, *path;

    if (strncmp(text, "~/", 2) != 0)
        return sf_strdup(text);
    home = sf_env_home(&ignored);
    path = home ? sf_path_join(home, text + 2) : sf_strdup(text);
    free(home);
    return path;
}

/* Whose bits others have are taken from the mode; the rest of it stays. */
void sf_health_offer_private(struct sf_health *h, const char *path, const struct stat *st)
{
    char was[8], now[8];

    snprintf(was, sizeof(was), "%04o", (unsigned)(st->st_mode & 07777));
    snprintf(now, sizeof(now), "%04o", (unsigned)(st->st_mode & 07700));
    sf_health_offer(h, SF_HEALTH_MODE, path, was, now);
}

struct key_files {
    struct sf_health *health;
    size_t open;
};

static bool look_key_file(void *ctx, const struct sf_config_value *value)
{
    struct key_files *k = ctx;
    struct stat st;
    char *path;

    if (!ends_in(value->key, ".api_key_file") || !value->text)
        return true;
    path = key_path(value->text);
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 077)) {
        k->open++;
        sf_health_say(k->health, SF_HEALTH_WARNING, "sf doctor fix key-files, or chmod 600",
                      "others can read the key in %s", path);
        if (st.st_uid == geteuid())
            sf_health_offer_private(k->health, path, &st);
    }
    free(path);
    return true;
}

void sf_health_look_key_files(struct sf_health *h)
{
    struct key_files k = { .health = h };

    if (!has_config(h))
        return;
    sf_config_each(h->at->config, look_key_file, &k);
    if (!k.open)
        sf_health_say(h, SF_HEALTH_OK, "", "no file with a key can be read by others");
}

/* ---- keys in settings ---- */

/* How keys of known services begin, and how many characters follow at least. */
static const struct {
    const char *start;
    size_t more;
} shapes[] = {
    { "sk-", 20 },  { "ghp_", 20 },  { "github_pat_", 20 }, { "gsk_", 20 }, { "AIza", 30 },
    { "xai-", 20 }, { "xoxb-", 20 }, { "AKIA", 16 },        { "hf_", 20 },  { "glpat-", 16 },
};

static bool is_key_char(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

/* The number of the first line that holds something like a key; 0: none. */
static size_t find_key(const char *text)
{
    size_t line = 1;

    for (const char *at = text; *at; at++) {
        line += *at == '\n';
        for (size_t i = 0; i < SF_COUNT(shapes); i++) {
            size_t n = strlen(shapes[i].start), more = 0;

            if ((at > text && is_key_char(at[-1])) || strncmp(at, shapes[i].start, n) != 0)
                continue;
            while (is_key_char(at[n + more]))
                more++;
            if (more >= shapes[i].more)
                return line;
        }
    }
    return 0;
}

static size_t look_for_keys(struct sf_health *h, const char *path)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t line = 0;

    if (path && sf_file_read(path, SETTINGS_BYTES, &text, &ignored) && text.len)
        line = find_key(text.buf);
    if (line)
        sf_health_say(h, SF_HEALTH_WARNING,
                      "put it in a file of its own (models.NAME.api_key_file), and renew it",
                      "%s:%zu holds what looks like a key", path, line);
    sf_strbuf_release(&text);
    return line;
}

void sf_health_look_key_text(struct sf_health *h)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *user = sf_config_user_path(&ignored), *project = NULL;
    size_t found = look_for_keys(h, user);

    if (h->at->workspace) {
        project = sf_config_project_path(h->at->workspace);
        found += look_for_keys(h, project);
    }
    if (!found)
        sf_health_say(h, SF_HEALTH_OK, "", "no settings file holds a key");
    free(user);
    free(project);
}
