/*
 * state.c: checks of what the user and sf wrote: settings, keys, the store, snapshots. Checks
 * create nothing, in particular no store.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"
#include "model/model.h"
#include "snap/snap.h"
#include "store/store.h"
#include "tools/tools.h"

enum { CHECK_MAX = 64 * 1024 * 1024, DEPTH_MAX = 4 };

/* ---- settings ---- */

static void check_file(struct sf_health *h, const char *what, const char *path)
{
    if (path && access(path, F_OK) == 0)
        sf_health_say(h, SF_HEALTH_OK, "", "%s: %s", what, path);
}

static void check_trust(struct sf_health *h, const char *root)
{
    struct sf_error err = SF_ERROR_INIT;
    enum sf_trust_state state;

    if (!sf_trust_check(root, &state, &err))
        sf_health_error(h, SF_HEALTH_PROBLEM, &err);
    else if (state == SF_TRUST_CHANGED)
        sf_health_say(h, SF_HEALTH_WARNING, "look at them, then: sf trust add",
                      "the workspace was trusted, but its policy files have changed since");
    else
        sf_health_say(h, SF_HEALTH_OK, "", "the workspace is %s",
                      state == SF_TRUST_YES ? "trusted" : "not trusted");
}

static void add_notes(struct sf_health *h, const struct sf_config *config)
{
    size_t count;
    const struct sf_config_note *notes = sf_config_notes(config, &count);

    for (size_t i = 0; i < count; i++) {
        struct sf_strbuf where = SF_STRBUF_INIT;

        sf_origin_add(&where, &notes[i].origin);
        sf_health_say(h, notes[i].error ? SF_HEALTH_PROBLEM : SF_HEALTH_WARNING, notes[i].hint,
                      "%s: %s", where.buf, notes[i].text);
        sf_strbuf_release(&where);
    }
}

void sf_health_look_settings(struct sf_health *h)
{
    const struct sf_workspace *workspace = h->at->workspace;
    struct sf_error err = SF_ERROR_INIT;
    char *user, *project;

    if (!workspace || !h->at->config) {
        sf_health_error(h, SF_HEALTH_PROBLEM, workspace ? &h->at->no_config : &h->at->no_workspace);
        return;
    }
    user = sf_config_user_path(&err);
    project = sf_config_project_path(workspace);
    check_file(h, "your settings", user);
    check_file(h, "the project's settings", project);
    check_trust(h, workspace->root);
    add_notes(h, h->at->config);
    free(user);
    free(project);
}

/* ---- models ---- */

static bool is_key_command(void *ctx, const struct sf_config_value *value)
{
    size_t n = strlen(value->key), m = strlen(".api_key_cmd");

    if (n > m && !strcmp(value->key + n - m, ".api_key_cmd"))
        *(bool *)ctx = true;
    return true;
}

/* Lists the keys in the environment, by the names of their variables only. */
static void list_keys(struct sf_health *h, const struct sf_catalog *catalog)
{
    struct sf_strbuf names = SF_STRBUF_INIT;

    for (size_t i = 0; i < sf_catalog_provider_count(catalog); i++) {
        const struct sf_provider_row *row = sf_catalog_provider_at(catalog, i);

        if (*row->key_env && sf_env_get(row->key_env))
            sf_strbuf_addf(&names, "%s%s", names.len ? ", " : "", row->key_env);
    }
    if (names.len)
        sf_health_say(h, SF_HEALTH_OK, "", "keys in the environment: %s", names.buf);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "no key of a known service is in the environment");
    sf_strbuf_release(&names);
}

bool sf_health_key_commands(struct sf_config *config)
{
    bool commands = false;

    sf_config_each(config, is_key_command, &commands);
    return commands;
}

static void check_provider(struct sf_health *h)
{
    struct sf_config *config = h->at->config;
    const struct sf_provider_sources sources = { h->at->catalog, h->at->setting, config };
    const char *name = sf_config_text(config, "models.provider");
    struct sf_error err = SF_ERROR_INIT;
    struct sf_provider provider;

    if (sf_health_key_commands(config)) {
        sf_health_say(h, SF_HEALTH_OK, "", "provider %s; a key comes from a command, not run here",
                      name);
        return;
    }
    if (!sf_provider_open(&provider, name, &sources, &err)) {
        sf_health_error(h, SF_HEALTH_PROBLEM, &err);
        return;
    }
    if (provider.kind == SF_PROVIDER_OFFLINE)
        sf_health_say(h, SF_HEALTH_OK, "", "provider %s: the offline operator answers", name);
    else
        sf_health_say(h, SF_HEALTH_OK, "", "provider %s, %s", provider.name,
                      provider.key ? "with a key" : "without a key");
    sf_provider_release(&provider);
}

void sf_health_look_model(struct sf_health *h)
{
    const struct sf_health_context *at = h->at;

    if (!at->config || !at->catalog) {
        sf_health_error(h, SF_HEALTH_PROBLEM, at->config ? &at->no_catalog : &at->no_config);
        return;
    }
    list_keys(h, at->catalog);
    check_provider(h);
}

/* ---- store ---- */

/* The size of the files in a directory and a few levels below, in bytes. */
static uint64_t size_of(int parent, const char *name, unsigned depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    uint64_t size = 0;

    while (dir && (entry = readdir(dir))) {
        struct stat st;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        if (S_ISREG(st.st_mode))
            size += (uint64_t)st.st_size;
        else if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
            size += size_of(fd, entry->d_name, depth + 1);
    }
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return size;
}

/* Whether the directory, or the nearest existing one above it, is writable. */
static bool check_writable(struct sf_health *h, const char *dir)
{
    char *at = sf_strdup(dir);
    bool ok;

    while (!(ok = access(at, W_OK | X_OK) == 0) && errno == ENOENT && strrchr(at, '/') > at)
        *strrchr(at, '/') = '\0';
    if (!ok)
        sf_health_say(h, SF_HEALTH_PROBLEM, "make it writable, or set SF_HOME to a place that is",
                      "sf's state cannot be written in %s: %s", at, strerror(errno));
    free(at);
    return ok;
}

static void check_store(struct sf_health *h, const char *dir)
{
    struct sf_strbuf report = SF_STRBUF_INIT, size = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_path_join(dir, "sf.db");
    bool whole, ok = true;
    struct stat st;

    if (stat(path, &st) < 0) {
        sf_health_say(h, SF_HEALTH_OK, "", "there is none yet");
        goto out;
    }
    whole = st.st_size <= CHECK_MAX;
    if (whole) {
        ok = sf_store_check(dir, &report, &err);
    } else {
        struct sf_store *store = sf_store_open(dir, SF_STORE_READ, &err);

        ok = store != NULL;
        sf_store_close(store);
    }
    sf_kind_size(&size, (uint64_t)st.st_size);
    if (ok)
        sf_health_say(h, SF_HEALTH_OK, "", "%s, %s", size.buf,
                      whole ? "sound" : "opens; `sf store check` reads all of it");
    else
        sf_health_say(h, SF_HEALTH_PROBLEM, *err.hint ? err.hint : "sf store recover", "%s",
                      err.msg);
out:
    sf_strbuf_release(&report);
    sf_strbuf_release(&size);
    free(path);
}

void sf_health_look_store(struct sf_health *h)
{
    const char *dir = h->at->state_dir;

    if (!dir)
        sf_health_error(h, SF_HEALTH_PROBLEM, &h->at->no_state_dir);
    else if (check_writable(h, dir))
        check_store(h, dir);
}

/* ---- snapshots ---- */

static bool count_one(void *ctx, const struct sf_snapshot_row *row)
{
    (void)row;
    ++*(size_t *)ctx;
    return true;
}

static void count_snapshots(struct sf_health *h, const char *dir, const char *root)
{
    const struct sf_snapshot_filter filter = { .worktree = root };
    struct sf_strbuf size = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(dir, SF_STORE_READ, &err);
    char *path = sf_path_join(dir, "snapshots.git");
    size_t count = 0;

    if (!store || !sf_store_each_snapshot(store, &filter, count_one, &count, &err)) {
        sf_health_error(h, SF_HEALTH_WARNING, &err);
    } else {
        sf_kind_size(&size, size_of(AT_FDCWD, path, 0));
        sf_health_say(h, SF_HEALTH_OK, "", "%zu of this workspace; all of the project take %s",
                      count, size.buf);
    }
    sf_store_close(store);
    sf_strbuf_release(&size);
    free(path);
}

static void check_interrupted(struct sf_health *h, const char *dir, const char *root)
{
    char goal[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1];
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap *snap = sf_snap_open(dir, root, &err);

    if (!snap)
        sf_health_error(h, SF_HEALTH_WARNING, &err);
    else if (sf_snap_interrupted(snap, goal, before))
        sf_health_say(h, SF_HEALTH_PROBLEM,
                      "`sf restore resume` finishes it, with --back it is undone",
                      "a restore of this workspace was cut short");
    sf_snap_close(snap);
}

void sf_health_look_snapshots(struct sf_health *h)
{
    const struct sf_workspace *workspace = h->at->workspace;
    const char *dir = h->at->state_dir;
    char *path;

    if (!workspace || !dir) {
        sf_health_error(h, SF_HEALTH_PROBLEM,
                        workspace ? &h->at->no_state_dir : &h->at->no_workspace);
        return;
    }
    path = sf_path_join(dir, "snapshots.git");
    if (access(path, F_OK) < 0) {
        sf_health_say(h, SF_HEALTH_OK, "", "there are none yet");
    } else {
        count_snapshots(h, dir, workspace->root);
        check_interrupted(h, dir, workspace->root);
    }
    free(path);
}
