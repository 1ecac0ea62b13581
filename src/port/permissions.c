/*
 * permissions.c: the list of rules and approvals, and taking an approval back.
 */
#include "port/permissions.h"

#include <errno.h>
#include <stdlib.h>

static struct sf_permission *add(struct sf_permissions *list)
{
    list->items = sf_grow(list->items, &list->cap, list->count + 1, sizeof(*list->items));
    return &list->items[list->count++];
}

static void add_rules(struct sf_permissions *out, struct sf_config *config, const char *key,
                      const char *answer)
{
    const struct sf_config_value *v = sf_config_find(config, key);

    for (size_t i = 0; v && i < v->count; i++) {
        struct sf_strbuf origin = SF_STRBUF_INIT;

        sf_origin_add(&origin, &v->items[i].origin);
        *add(out) = (struct sf_permission){ .answer = answer,
                                            .what = sf_strdup(v->items[i].text),
                                            .scope = "settings",
                                            .origin = sf_strbuf_detach(&origin),
                                            .when = sf_strdup("") };
    }
}

static bool add_approval(void *ctx, const struct sf_approval_row *row)
{
    struct sf_strbuf what = SF_STRBUF_INIT;

    sf_approval_words(row->pattern, &what);
    *add(ctx) = (struct sf_permission){ .number = row->id,
                                        .answer = "allow",
                                        .what = sf_strbuf_detach(&what),
                                        .scope = row->session ? "session" : "workspace",
                                        .origin = sf_strdup(row->session ? row->session : ""),
                                        .when = sf_strdup(row->created_at) };
    return true;
}

bool sf_permissions_read(struct sf_permissions *out, struct sf_config *config,
                         struct sf_store *store, const char *session, struct sf_error *err)
{
    *out = SF_PERMISSIONS_INIT;
    add_rules(out, config, "guard.deny", "deny");
    add_rules(out, config, "guard.ask", "ask");
    add_rules(out, config, "guard.allow", "allow");
    return sf_store_each_approval(store, session, add_approval, out, err);
}

void sf_permissions_release(struct sf_permissions *permissions)
{
    for (size_t i = 0; i < permissions->count; i++) {
        free(permissions->items[i].what);
        free(permissions->items[i].origin);
        free(permissions->items[i].when);
    }
    free(permissions->items);
    *permissions = SF_PERMISSIONS_INIT;
}

/* ---- taking back ---- */

struct wanted {
    int64_t number;
    struct sf_strbuf *what;
};

static bool find(void *ctx, const struct sf_approval_row *row)
{
    struct wanted *w = ctx;

    if (row->id == w->number)
        sf_approval_words(row->pattern, w->what);
    return row->id != w->number;
}

bool sf_permissions_revoke(struct sf_store *store, const char *number, struct sf_strbuf *what,
                           struct sf_error *err)
{
    struct wanted w = { .what = what };
    char *end;

    errno = 0;
    w.number = strtoll(number, &end, 10);
    if (errno || end == number || *end || w.number <= 0) {
        sf_fail(err, SF_E_ARG, "'%.40s' is not the number of an approval", number);
        return sf_hint(err, "the list has the numbers; rules are taken out of the settings");
    }
    return sf_store_each_approval(store, NULL, find, &w, err) &&
           sf_store_approval_revoke(store, w.number, err);
}

/* ---- writing rules ---- */

static bool check_all(const struct sf_toml_value *list, struct sf_error *err)
{
    for (size_t i = 0; list && list->type == SF_TOML_ARRAY && i < list->as.array.count; i++) {
        const struct sf_toml_value *it = list->as.array.items[i];

        if (it->type == SF_TOML_STRING && !sf_rule_check(it->as.str.text, err))
            return false;
    }
    return true;
}

bool sf_permissions_check(const char *key, const char *typed, struct sf_error *err)
{
    struct sf_strlist path = SF_STRLIST_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT; /* whoever writes the value refuses it by itself */
    const struct sf_setting *setting = sf_config_lookup(key, &path, &ignored);
    struct sf_toml *doc = NULL;
    bool ok = true;

    sf_strbuf_adds(&text, "rules = ");
    if (typed && setting && setting->type == SF_SETTING_RULES && !strncmp(key, "guard.", 6) &&
        sf_config_literal(setting, typed, &text, &ignored))
        doc = sf_toml_parse(text.buf, text.len, text.len + 1, &ignored);
    if (doc)
        ok = check_all(sf_toml_get(sf_toml_root(doc), "rules"), err);
    sf_toml_free(doc);
    sf_strlist_release(&path);
    sf_strbuf_release(&text);
    return ok;
}
