/*
 * connect.c: lists services and writes settings. The file of the key is written first, and restored
 * if the settings cannot be written, so that they never name a file that does not exist.
 */
#include "workspace/connect.h"

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"

enum { EDITS = 10, NAME_MAX_LEN = 40, KEY_FILE_MAX = 64 * 1024, SETTING_MAX = 128 };

/* ---- services ---- */

struct names {
    const struct sf_catalog *catalog;
    struct sf_strlist *out;
};

static bool add_own(void *ctx, const struct sf_config_value *value)
{
    static const char end[] = ".base_url", begin[] = "models.";
    struct names *n = ctx;
    size_t len = strlen(value->key), around = sizeof(begin) + sizeof(end) - 2;
    char *name;

    if (len <= around || strncmp(value->key, begin, sizeof(begin) - 1) != 0 ||
        strcmp(value->key + len - (sizeof(end) - 1), end) != 0)
        return true;
    name = sf_strndup(value->key + sizeof(begin) - 1, len - around);
    if (!strchr(name, '"') && !sf_catalog_provider(n->catalog, name))
        sf_strlist_add(n->out, name);
    free(name);
    return true;
}

void sf_connect_names(struct sf_config *config, const struct sf_catalog *catalog,
                      struct sf_strlist *out)
{
    struct names names = { catalog, out };

    for (size_t i = 0; i < sf_catalog_provider_count(catalog); i++)
        sf_strlist_add(out, sf_catalog_provider_at(catalog, i)->name);
    sf_config_each(config, add_own, &names);
}

const char *sf_connect_title(const struct sf_catalog *catalog, const char *name)
{
    const struct sf_provider_row *row = sf_catalog_provider(catalog, name);

    return row ? row->title : name;
}

void sf_connect_state_add(const struct sf_provider_facts *facts, struct sf_strbuf *out)
{
    switch (facts->place) {
    case SF_KEY_PLACE_UNNEEDED:
        sf_strbuf_adds(out, facts->local ? "on this machine" : "no key is known of");
        break;
    case SF_KEY_PLACE_MISSING:
        sf_strbuf_adds(out, "no key yet");
        break;
    case SF_KEY_PLACE_ENV:
    case SF_KEY_PLACE_FILE:
        sf_strbuf_addf(out, "key in %s", facts->source);
        break;
    case SF_KEY_PLACE_CMD:
        sf_strbuf_adds(out, "key by a command");
        break;
    }
}

void sf_connect_silence_add(const struct sf_provider_facts *facts, const struct sf_error *why,
                            struct sf_strbuf *out)
{
    if (why->code == SF_E_SYNTAX || why->code == SF_E_ARG)
        sf_strbuf_addf(out, "%s: %s", facts->base_url, why->msg);
    else
        sf_strbuf_addf(out, "no answer at %s", facts->base_url);
}

static bool has(const struct sf_strlist *models, const char *name)
{
    for (size_t i = 0; i < models->count; i++)
        if (!strcmp(models->items[i], name))
            return true;
    return false;
}

void sf_connect_tiers(const struct sf_provider *provider, const struct sf_strlist *models,
                      char *tiers[3])
{
    for (size_t i = 0; i < 3; i++) {
        const char *set = provider->tiers[i];

        if (models->count && (!set || !has(models, set)))
            set = models->items[0];
        tiers[i] = set ? sf_strdup(set) : NULL;
    }
}

/* ---- a server that is not known yet ---- */

const char *sf_connect_setting(struct sf_config *config, const struct sf_connect_server *server,
                               const char *key)
{
    const struct sf_config_value *v;
    char full[SETTING_MAX];

    if (server->name && server->base_url) {
        snprintf(full, sizeof(full), "models.%s.base_url", server->name);
        if (!strcmp(full, key))
            return server->base_url;
        snprintf(full, sizeof(full), "models.%s.format", server->name);
        if (!strcmp(full, key) && server->format)
            return server->format;
    }
    v = sf_config_find(config, key);
    return v ? v->text : NULL;
}

/* Words that mean something else where the name of a provider is written. */
static bool is_reserved(const char *name)
{
    static const char *const words[] = { "auto",  "offline", "replay", "provider",
                                         "model", "fast",    "smart",  "deep" };

    for (size_t i = 0; i < SF_COUNT(words); i++)
        if (!strcmp(words[i], name))
            return true;
    return false;
}

bool sf_connect_check_name(struct sf_config *config, const struct sf_catalog *catalog,
                           const char *name, struct sf_error *err)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    size_t len = strlen(name);
    bool plain = len > 0 && len <= NAME_MAX_LEN, taken;

    for (size_t i = 0; i < len; i++)
        plain = plain && (isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '_');
    if (!plain)
        return sf_fail(err, SF_E_ARG, "a name has letters, digits, - and _, at most %d",
                       NAME_MAX_LEN);
    if (is_reserved(name))
        return sf_fail(err, SF_E_ARG, "%s means something else in the settings", name);
    sf_connect_names(config, catalog, &names);
    taken = has(&names, name);
    sf_strlist_release(&names);
    if (!taken)
        return true;
    sf_fail(err, SF_E_EXIST, "there is a provider called %s already", name);
    return sf_hint(err, "choose another name, or change models.%s.base_url", name);
}

bool sf_connect_check_address(const char *url, struct sf_error *err)
{
    const char *wrong = sf_address_objection(url);

    return !wrong || sf_fail(err, SF_E_ARG, "the address %s", wrong);
}

/* ---- writing ---- */

char *sf_connect_key_path(const char *name, struct sf_error *err)
{
    char *dir = sf_env_config_dir(err), *keys = dir ? sf_path_join(dir, "keys") : NULL;
    char *path = keys ? sf_path_join(keys, name) : NULL;

    free(dir);
    free(keys);
    return path;
}

/* The key that was in the file before, to be restored on failure; wiped before it is freed. */
struct former {
    bool there;
    struct sf_strbuf text;
};

static void wipe(struct sf_strbuf *text)
{
    explicit_bzero(text->buf, text->cap);
    sf_strbuf_release(text);
}

/* The file gets mode 0600 even if it exists already. */
static bool write_key(const char *path, const void *text, size_t len, struct sf_error *err)
{
    char *dir = sf_strndup(path, (size_t)(strrchr(path, '/') - path));
    bool ok = sf_dir_make(dir, 0700, err);

    if (ok && chmod(path, 0600) < 0 && errno != ENOENT)
        ok = sf_fail_errno(err, "cannot keep %s to yourself", path);
    ok = ok && sf_file_write_atomic(path, text, len, 0600, err);
    free(dir);
    return ok;
}

static bool keep_key(const char *path, const char *key, struct former *former, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error none = SF_ERROR_INIT;
    bool ok;

    sf_strbuf_room(&former->text, KEY_FILE_MAX); /* growing the buffer would leave copies behind */
    former->there = sf_file_read(path, KEY_FILE_MAX - 1, &former->text, &none);
    sf_strbuf_room(&text, strlen(key) + 2);
    sf_strbuf_addf(&text, "%s\n", key);
    ok = write_key(path, text.buf, text.len, err);
    wipe(&text);
    return ok;
}

static void take_back(const char *path, const struct former *former)
{
    struct sf_error ignored = SF_ERROR_INIT;

    if (!former->there)
        unlink(path);
    else if (!write_key(path, former->text.buf, former->text.len, &ignored))
        sf_log(SF_LOG_WARN, "the former key cannot be put back: %s", ignored.msg);
}

struct edits {
    struct sf_config_edit items[EDITS];
    char keys[EDITS][SETTING_MAX];
    size_t count;
};

static void add_edit(struct edits *e, const char *name, const char *what, const char *value)
{
    snprintf(e->keys[e->count], SETTING_MAX, "models.%s.%s", name, what);
    e->items[e->count] = (struct sf_config_edit){ e->keys[e->count], value };
    e->count++;
}

/* Sets one source of the key and removes the others, since a command would win over a file. */
static void add_key_edits(struct edits *e, const struct sf_connect_choice *c, const char *file)
{
    const struct sf_provider_row *row = sf_catalog_provider(c->catalog, c->name);
    bool usual = c->env && row && !strcmp(row->key_env, c->env);

    if (!c->cmd && !file && !c->env)
        return;
    add_edit(e, c->name, "api_key_cmd", c->cmd);
    add_edit(e, c->name, "api_key_file", file);
    add_edit(e, c->name, "api_key_env", usual ? NULL : c->env);
}

/* Values equal to the catalog's are not written, so that a newer catalog can change them. */
static void add_tier_edits(struct edits *e, const struct sf_connect_choice *c)
{
    const struct sf_provider_row *row = sf_catalog_provider(c->catalog, c->name);

    for (size_t i = 0; i < SF_COUNT(c->tiers); i++) {
        bool same = c->tiers[i] && row && !strcmp(row->tiers[i], c->tiers[i]);

        if (c->tiers[i])
            add_edit(e, c->name, sf_tier_names[i], same ? NULL : c->tiers[i]);
    }
}

static bool write_settings(const struct sf_connect_choice *c, const char *file,
                           struct sf_error *err)
{
    char *path = c->settings_file ? sf_strdup(c->settings_file) : sf_config_user_path(err);
    struct edits e = { .count = 0 };
    bool ok = path != NULL;

    e.items[e.count++] = (struct sf_config_edit){ "models.provider", c->name };
    if (c->base_url)
        add_edit(&e, c->name, "base_url", c->base_url);
    if (c->base_url && c->format)
        add_edit(&e, c->name, "format", c->format);
    add_key_edits(&e, c, file);
    add_tier_edits(&e, c);
    ok = ok && sf_config_write_all(path, e.items, e.count, err);
    free(path);
    return ok;
}

bool sf_connect_keep(const struct sf_connect_choice *c, struct sf_error *err)
{
    struct former former = { false, SF_STRBUF_INIT };
    char *path = c->key ? sf_connect_key_path(c->name, err) : NULL;
    bool ok = !c->key || (path && keep_key(path, c->key, &former, err));

    if (ok && !write_settings(c, path ? path : c->file, err)) {
        if (path)
            take_back(path, &former);
        ok = false;
    }
    wipe(&former.text);
    free(path);
    return ok;
}
