/*
 * grant.c: from what people write in brackets to rules. Whatever has no equal among rules is
 * refused when it is read, and covers nothing where it was not: a star in the middle, several
 * commands, a rule's own prefix.
 */
#include "guard/grant.h"

#include "base/base.h"
#include "guard/rule.h"
#include "modes/modes.h"

size_t sf_grant_name(const char *grant)
{
    return strcspn(grant, "(");
}

/* The limit of a grant as a text of its own; NULL: it has none. */
static char *limit_of(const char *grant)
{
    size_t n = sf_grant_name(grant), len = strlen(grant);

    return grant[n] && len > n + 2 ? sf_strndup(grant + n + 1, len - n - 2) : NULL;
}

/* ---- reading ---- */

/* How long the grant is that begins here; 0: its brackets do not close. */
static size_t grant_length(const char *text)
{
    size_t n = strcspn(text, ", \t\n("), depth = 0;

    if (text[n] != '(')
        return n;
    for (; text[n]; n++) {
        depth += text[n] == '(';
        depth -= text[n] == ')';
        if (!depth)
            return n + 1;
    }
    return 0;
}

bool sf_grants_read(struct sf_strlist *grants, const char *text, struct sf_error *err)
{
    for (text += strspn(text, ", \t\n"); *text; text += strspn(text, ", \t\n")) {
        size_t n = grant_length(text);

        if (!n || !sf_grant_name(text))
            return sf_fail(err, SF_E_ARG, "'%.60s' is not a tool with its limit in brackets", text);
        if (text[n] && !strchr(", \t\n", text[n]))
            return sf_fail(err, SF_E_ARG, "a comma is missing behind '%.*s'",
                           (int)(n < 60 ? n : 60), text);
        if (grants->count == SF_GRANTS_MAX)
            return sf_fail(err, SF_E_LIMIT, "more than %d tools are named", SF_GRANTS_MAX);
        sf_strlist_adopt(grants, sf_strndup(text, n));
        text += n;
    }
    return true;
}

/* ---- limits as rules ---- */

static bool ends_in(const char *text, size_t len, const char *end)
{
    size_t n = strlen(end);

    return len >= n && !memcmp(text + len - n, end, n);
}

/* `git add:*` and `git add *` are the family `git add`; `*` is every one. */
static bool command_rule(const char *limit, struct sf_strbuf *out)
{
    static const char *const others[] = { "path:", "host:", "tool:" };
    size_t len = strlen(limit);

    if (ends_in(limit, len, ":*") || ends_in(limit, len, " *"))
        len -= 2;
    else if (!strcmp(limit, "*"))
        len = 0;
    sf_strbuf_add(out, limit, len);
    for (size_t i = 0; i < SF_COUNT(others); i++)
        if (!strncmp(out->buf, others[i], strlen(others[i])))
            return false;
    if (strpbrk(out->buf, "*?[;|&<>$`\n"))
        return false;
    if (!out->len)
        sf_strbuf_adds(out, "*");
    return true;
}

/* With two stars: the directory itself is meant too, to be listed and searched. */
static bool path_rule(const char *limit, struct sf_strbuf *out, struct sf_strbuf *also)
{
    const char *entry = !strncmp(limit, "./", 2) ? limit + 2 : limit;
    size_t len = strlen(entry);
    bool all = !strcmp(entry, "**") || !strcmp(entry, "*");

    if (ends_in(entry, len, "/**"))
        len -= 2;
    sf_strbuf_addf(out, "path:%.*s", all ? 1 : (int)len, entry);
    if (all)
        return true;
    if (strpbrk(out->buf, "*?["))
        return false;
    if (len > 1 && entry[len - 1] == '/')
        sf_strbuf_addf(also, "path:%.*s", (int)len - 1, entry);
    return *entry == '/' ? entry[len - 1] != '/'
                         : sf_scope_entry_covers("*", out->buf + strlen("path:"));
}

static bool host_rule(const char *limit, struct sf_strbuf *out)
{
    const char *host = !strncmp(limit, "domain:", 7) ? limit + 7 : limit;
    const char *plain = !strncmp(host, "*.", 2) ? host + 2 : host;

    sf_strbuf_addf(out, "host:%s", host);
    return *plain && !strpbrk(plain, "*?[/: \t");
}

/* The rules a limit stands for; false: for none. */
static bool rules_of(const char *limit, enum sf_act act, struct sf_strbuf *rule,
                     struct sf_strbuf *also)
{
    struct sf_error ignored = SF_ERROR_INIT;
    bool ok = false;

    switch (act) {
    case SF_ACT_SHELL:
        ok = command_rule(limit, rule);
        break;
    case SF_ACT_READ:
    case SF_ACT_WRITE:
    case SF_ACT_DELETE:
        ok = path_rule(limit, rule, also);
        break;
    case SF_ACT_FETCH:
        ok = host_rule(limit, rule);
        break;
    case SF_ACT_OWN:
    case SF_ACT_EXTERNAL:
    case SF_ACT_REVERT:
    case SF_ACT_NOTE:
    case SF_ACT_SUBMIT:
    case SF_ACT_ACCEPT:
        break;
    }
    return ok && sf_rule_check(rule->buf, &ignored);
}

static const char *const examples[] = {
    [SF_ACT_OWN] = "name it without a limit",
    [SF_ACT_READ] = "src/** is a directory with all below, src/a.c a file",
    [SF_ACT_WRITE] = "src/** is a directory with all below, src/a.c a file",
    [SF_ACT_DELETE] = "src/** is a directory with all below, src/a.c a file",
    [SF_ACT_SHELL] = "the first words of one command, as in Bash(git add:*)",
    [SF_ACT_FETCH] = "a host, as in example.org or *.example.org",
    [SF_ACT_EXTERNAL] = "name it without a limit",
    [SF_ACT_REVERT] = "name it without a limit",
    [SF_ACT_NOTE] = "name it without a limit",
    [SF_ACT_SUBMIT] = "name it without a limit",
    [SF_ACT_ACCEPT] = "name it without a limit",
};

bool sf_grant_check(const char *grant, enum sf_act act, struct sf_error *err)
{
    struct sf_strbuf rule = SF_STRBUF_INIT, also = SF_STRBUF_INIT;
    char *limit = limit_of(grant);
    bool ok = !grant[sf_grant_name(grant)] || (limit && rules_of(limit, act, &rule, &also));

    if (!ok) {
        sf_fail(err, SF_E_ARG, "'%.80s' can never cover a call", grant);
        sf_hint(err, "%s", examples[act]);
    }
    free(limit);
    sf_strbuf_release(&rule);
    sf_strbuf_release(&also);
    return ok;
}

/* ---- holding actions against them ---- */

static bool names(const char *grant, const char *tool)
{
    size_t n = strlen(tool);

    return sf_grant_name(grant) == n && !strncmp(grant, tool, n);
}

bool sf_grants_name(const struct sf_strlist *grants, const char *tool)
{
    for (size_t i = 0; i < grants->count; i++)
        if (names(grants->items[i], tool))
            return true;
    return false;
}

bool sf_grants_whole(const struct sf_strlist *grants, const char *tool)
{
    return sf_strlist_has(grants, tool);
}

/* The rules of all limits of a tool, with one answer. Borrow from `texts`. */
static size_t collect(const struct sf_strlist *grants, const char *tool, enum sf_act act,
                      enum sf_answer answer, struct sf_strlist *texts, struct sf_rule *rules)
{
    for (size_t i = 0; i < grants->count; i++) {
        struct sf_strbuf rule = SF_STRBUF_INIT, also = SF_STRBUF_INIT;
        char *limit = names(grants->items[i], tool) ? limit_of(grants->items[i]) : NULL;

        if (limit && rules_of(limit, act, &rule, &also)) {
            sf_strlist_add(texts, rule.buf);
            if (also.len)
                sf_strlist_add(texts, also.buf);
        }
        free(limit);
        sf_strbuf_release(&rule);
        sf_strbuf_release(&also);
    }
    for (size_t i = 0; i < texts->count; i++)
        rules[i] = (struct sf_rule){ texts->items[i], answer, SF_RULE_SETTINGS, NULL };
    return texts->count;
}

static bool is_hit(const struct sf_strlist *grants, enum sf_answer answer,
                   const struct sf_action *action)
{
    struct sf_strlist texts = SF_STRLIST_INIT;
    struct sf_rule *rules = sf_alloc_array(2 * grants->count + 1, sizeof(*rules));
    size_t count = collect(grants, action->tool, action->act, answer, &texts, rules);
    bool hit = sf_rule_hit(rules, count, answer, action) != NULL;

    free(rules);
    sf_strlist_release(&texts);
    return hit;
}

/* What output goes into must be writable by a grant of its own. */
static bool may_redirect(const struct sf_strlist *grants, const struct sf_action *action)
{
    struct sf_strlist texts = SF_STRLIST_INIT;
    struct sf_rule *rules = sf_alloc_array(2 * grants->count + 1, sizeof(*rules));
    size_t count = collect(grants, "Write", SF_ACT_WRITE, SF_ALLOW, &texts, rules);
    bool may = sf_grants_whole(grants, "Write") || sf_rule_redirects(rules, count, action);

    free(rules);
    sf_strlist_release(&texts);
    return may;
}

bool sf_grants_exceeded(const struct sf_strlist *grants, const struct sf_action *action)
{
    if (!sf_grants_name(grants, action->tool) || sf_grants_whole(grants, action->tool))
        return false;
    return !is_hit(grants, SF_ALLOW, action) || !may_redirect(grants, action);
}

bool sf_grants_touch(const struct sf_strlist *grants, const struct sf_action *action)
{
    return is_hit(grants, SF_DENY, action);
}

void sf_grants_limits(const struct sf_strlist *grants, const char *tool, struct sf_strbuf *out)
{
    for (size_t i = 0; i < grants->count; i++) {
        char *limit = names(grants->items[i], tool) ? limit_of(grants->items[i]) : NULL;

        if (limit)
            sf_strbuf_addf(out, "%s%s", out->len ? ", " : "", limit);
        free(limit);
    }
}
