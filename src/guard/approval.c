/*
 * approval.c: from an action to the keys it is kept by. A command text is a list of pipelines, and
 * each has a key of its own, made from its words without those a table calls harmless. A text that
 * is anything else (loops, substitutions, variables, what changes the shell it runs in) is kept as
 * it stands, and so is one whose whole is worse than its parts.
 */
#include "guard/approval.h"

#include "base/base.h"
#include "guard/family.h"
#include "guard/layers.h"

enum { FAMILY = ':', EXACT = '=', THING = '@' }; /* the sign between row and text */

static void add_key(struct sf_strlist *keys, enum sf_row row, char sign, const char *text)
{
    struct sf_strbuf key = SF_STRBUF_INIT;

    sf_strbuf_addf(&key, "%s%c%s", sf_matrix[row].name, sign, text);
    if (!sf_strlist_has(keys, key.buf))
        sf_strlist_add(keys, key.buf);
    sf_strbuf_release(&key);
}

/* ---- commands ---- */

static void add_cd(struct sf_strbuf *out, const char *dir)
{
    const struct sf_word word = { .text = dir, .len = (uint32_t)strlen(dir) };

    sf_strbuf_adds(out, "cd ");
    sf_family_spell(&word, NULL, out);
    sf_strbuf_adds(out, " && ");
}

struct text {
    const struct sf_action *action;
    struct sf_shell shell;
    struct sf_strbuf from;   /* `cd sub && `: where its commands run; or "" */
    struct sf_strlist *keys; /* found so far */
    bool whole;              /* it must be kept as it stands */
    bool never;              /* it must not be kept at all */
    bool has_row;            /* some part is as much as the whole: in the row of the whole */
    enum sf_row row;
};

/* Whether commands behind it may run otherwise: elsewhere, with other variables, or as another. */
static bool changes_shell(const struct sf_shell_command *c)
{
    static const char *const names[] = {
        "cd",       "pushd",   "popd",    "chdir",     "export", "unset",    "set",      "shopt",
        "alias",    "unalias", "eval",    "exec",      "source", ".",        "trap",     "umask",
        "local",    "declare", "typeset", "readonly",  "let",    "builtin",  "enable",   "command",
        "read",     "mapfile", "hash",    "readarray", "ulimit", "getopts",  "coproc",   "bind",
        "complete", "setopt",  "emulate", "unsetopt",  "fc",     "zmodload", "autoload", "disable",
    };
    static const char *const setters[][2] = { { "printf", "-v" }, { "wait", "-p" } };
    const char *name = c->words[0].text;

    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!strcmp(names[i], name))
            return true;
    for (size_t i = 0; i < SF_COUNT(setters); i++)
        for (size_t k = 1; !strcmp(setters[i][0], name) && k < c->count; k++)
            if (!strncmp(c->words[k].text, setters[i][1], 2))
                return true;
    return false;
}

static bool is_simple(const struct sf_shell_command *c)
{
    return c->kind == SF_SHELL_SIMPLE && c->count && c->span && !changes_shell(c);
}

static bool is_start(const struct sf_shell_command *c)
{
    return c && c->next && c->kind == SF_SHELL_SIMPLE && c->count == 2 && !c->loose &&
           !c->assigns && !c->redirects && c->next->join == SF_JOIN_AND &&
           !strcmp(c->words[0].text, "cd") && !(c->words[1].flags & ~(unsigned)SF_WORD_QUOTED) &&
           strcmp(c->words[1].text, "-") != 0;
}

/*
 * `cd sub &&` in front of all others is where they run, as long as each of them waits for it: behind
 * `;`, `||` and `&` one runs where the text began if the directory is not there, or in any case.
 */
static const struct sf_shell_command *read_start(struct text *t)
{
    const struct sf_shell_command *c = t->shell.first, *rest;

    for (; is_start(c); c = c->next)
        add_cd(&t->from, c->words[1].text);
    rest = c && c != t->shell.first ? c->next : NULL;
    for (; rest; rest = rest->next)
        t->whole = t->whole || (rest->join != SF_JOIN_AND && rest->join != SF_JOIN_PIPE);
    return c;
}

/* What a piece of the text does by itself, where it would run. */
static void classify(const struct text *t, const struct sf_shell_command *first,
                     const struct sf_shell_command *last, struct sf_shell_report *out)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_add(&text, t->from.buf, t->from.len);
    sf_strbuf_add(&text, t->action->command + first->at, last->at + last->span - first->at);
    sf_shell_classify(text.buf, text.len, out);
    sf_strbuf_release(&text);
}

/* `| tail -5`: what shows less of what comes is no part of it. */
static bool only_shows(const struct text *t, const struct sf_shell_command *c)
{
    struct sf_shell_report report;
    bool shows;

    sf_shell_classify(t->action->command + c->at, c->span, &report);
    shows = report.class == SF_CLASS_READONLY && !report.npaths && !report.more && !c->assigns;
    sf_shell_report_release(&report);
    return shows;
}

static bool is_silence(const struct sf_redirect *r)
{
    return r->op == SF_REDIRECT_DUP ||
           (r->op != SF_REDIRECT_TEXT && r->op != SF_REDIRECT_STRING &&
            !(r->target.flags & ~(unsigned)SF_WORD_QUOTED) && !strcmp(r->target.text, "/dev/null"));
}

/* False: it brings its input along, and the text is kept as it stands. */
static bool add_redirects(const struct text *t, const struct sf_shell_command *c,
                          struct sf_strbuf *out)
{
    static const char *const signs[] = {
        [SF_REDIRECT_READ] = "<",  [SF_REDIRECT_WRITE] = ">",      [SF_REDIRECT_APPEND] = ">>",
        [SF_REDIRECT_BOTH] = "&>", [SF_REDIRECT_READWRITE] = "<>", [SF_REDIRECT_DUP] = "",
        [SF_REDIRECT_TEXT] = "<<", [SF_REDIRECT_STRING] = "<<<",
    };

    for (const struct sf_redirect *r = c->redirects; r; r = r->next) {
        if (is_silence(r))
            continue;
        if (r->op == SF_REDIRECT_TEXT || r->fd < -1)
            return false;
        sf_strbuf_addch(out, ' ');
        if (r->fd >= 0)
            sf_strbuf_addf(out, "%d", r->fd);
        sf_strbuf_addf(out, "%s ", signs[r->op]);
        sf_family_spell(&r->target, t->action->command, out);
    }
    return true;
}

static enum sf_keep add_command(struct text *t, const struct sf_shell_command *c,
                                struct sf_strbuf *out)
{
    enum sf_keep kind;

    for (const struct sf_assign *a = c->assigns; a; a = a->next) {
        sf_strbuf_addf(out, "%s%s=", a->name, a->adds ? "+" : "");
        sf_family_spell(&a->value, t->action->command, out);
        sf_strbuf_addch(out, ' ');
    }
    kind = sf_family_read(c->words, c->count, t->action->command, out);
    t->never = t->never || kind == SF_KEEP_NOTHING;
    t->whole = t->whole || !add_redirects(t, c, out);
    return kind;
}

/* git's remotes are settings: by another way than the table's nobody knows which it is. */
static bool goes_anywhere(const struct sf_shell_report *report, enum sf_keep kind)
{
    return report->talks && kind != SF_KEEP_FAMILY && sf_strlist_has(&report->programs, "git");
}

static const struct sf_shell_command *command_before(const struct sf_shell_command *c,
                                                     const struct sf_shell_command *next)
{
    while (c->next != next)
        c = c->next;
    return c;
}

static void add_pipeline(struct text *t, const struct sf_shell_command *first,
                         const struct sf_shell_command *last)
{
    const struct sf_shell_command *counts = last;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_shell_report report;
    enum sf_keep kind = SF_KEEP_FAMILY;
    enum sf_row row;

    classify(t, first, last, &report);
    row = sf_shell_row(&report, t->action->caged);
    t->has_row = t->has_row || row == t->row;
    while (counts != first && only_shows(t, counts))
        counts = command_before(first, counts);
    sf_strbuf_add(&text, t->from.buf, t->from.len);
    for (const struct sf_shell_command *c = first; c && row != SF_ROW_COMMAND_READ; c = c->next) {
        enum sf_keep one = add_command(t, c, &text);

        kind = one < kind ? one : kind;
        if (c == counts)
            break;
        sf_strbuf_adds(&text, " | ");
    }
    t->never = t->never || goes_anywhere(&report, kind);
    if (row != SF_ROW_COMMAND_READ)
        add_key(t->keys, row, kind == SF_KEEP_FAMILY ? FAMILY : EXACT, text.buf);
    sf_shell_report_release(&report);
    sf_strbuf_release(&text);
}

static void add_list(struct text *t)
{
    const struct sf_shell_command *first = read_start(t);

    for (const struct sf_shell_command *c = first; c; c = c->next)
        t->whole = t->whole || !is_simple(c);
    while (first && !t->whole && !t->never) {
        const struct sf_shell_command *last = first;

        while (last->next && last->next->join == SF_JOIN_PIPE)
            last = last->next;
        add_pipeline(t, first, last);
        first = last->next;
    }
    t->whole = t->whole || !t->has_row;
}

/* As it was written, with what of it lies outside. */
static void add_whole(struct text *t)
{
    const struct sf_action *a = t->action;
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool outside = false;

    if (a->cwd && *a->cwd)
        add_cd(&text, a->cwd);
    sf_strbuf_add(&text, a->command, a->command_len);
    while (text.len && strchr(" \t\n", text.buf[text.len - 1]))
        sf_strbuf_truncate(&text, text.len - 1);
    for (size_t i = 0; i < a->path_count; i++)
        if (a->paths[i].outside || a->paths[i].zone == SF_PATH_OUTSIDE) {
            sf_strbuf_addf(&text, "%s%s %s",
                           outside ? "," : " # outside:", a->paths[i].writes ? " writes" : "",
                           a->paths[i].path);
            outside = true;
        }
    t->never = t->never || goes_anywhere(a->shell, SF_KEEP_ALL);
    if (!t->never)
        add_key(t->keys, t->row, EXACT, text.buf);
    sf_strbuf_release(&text);
}

static bool leads_out(const struct sf_action *a)
{
    for (size_t i = 0; i < a->path_count; i++)
        if (a->paths[i].outside || a->paths[i].zone == SF_PATH_OUTSIDE)
            return true;
    return false;
}

static void add_command_keys(const struct sf_action *action, struct sf_strlist *keys)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_strlist found = SF_STRLIST_INIT;
    struct text t = { .action = action,
                      .from = SF_STRBUF_INIT,
                      .keys = &found,
                      .whole = leads_out(action),
                      .row = sf_action_row(action) };

    if (action->command_len > SF_APPROVAL_TEXT || action->shell->more ||
        action->shell->class == SF_CLASS_DESTRUCTIVE)
        return;
    if (action->cwd && *action->cwd)
        add_cd(&t.from, action->cwd);
    if (sf_shell_read(&t.shell, action->command, action->command_len, &arena)) {
        if (!t.whole)
            add_list(&t);
        if (t.whole) {
            sf_strlist_release(&found);
            add_whole(&t);
        }
    }
    for (size_t i = 0; !t.never && i < found.count; i++)
        sf_strlist_add(keys, found.items[i]);
    sf_strlist_release(&found);
    sf_strbuf_release(&t.from);
    sf_arena_release(&arena);
}

/* ---- the other actions ---- */

static void add_paths(const struct sf_action *action, struct sf_strlist *keys)
{
    for (size_t i = 0; i < action->path_count; i++) {
        const struct sf_action_path *p = &action->paths[i];
        struct sf_strbuf text = SF_STRBUF_INIT;

        sf_strbuf_addf(&text, "%s%s%s", p->writes ? "" : action->tool, p->writes ? "" : " ",
                       *p->path ? p->path : ".");
        add_key(keys, sf_action_row(action), THING, text.buf);
        sf_strbuf_release(&text);
    }
}

/* Scheme, host and port: another port is another server. */
static void add_site(const struct sf_action *action, struct sf_strlist *keys)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf site = SF_STRBUF_INIT;
    struct sf_url url;

    if (action->url && sf_url_read(&url, action->url, &ignored)) {
        url.path = "";
        url.path_len = 0;
        sf_url_write(&url, &site);
        if (site.buf[site.len - 1] == '/')
            sf_strbuf_truncate(&site, site.len - 1);
        add_key(keys, sf_action_row(action), THING, site.buf);
    }
    sf_strbuf_release(&site);
}

void sf_approval_keys(const struct sf_action *action, struct sf_strlist *keys)
{
    switch (action->act) {
    case SF_ACT_SHELL:
        if (action->command)
            add_command_keys(action, keys);
        break;
    case SF_ACT_READ:
    case SF_ACT_WRITE:
        add_paths(action, keys);
        break;
    case SF_ACT_FETCH:
        add_site(action, keys);
        break;
    case SF_ACT_EXTERNAL:
        add_key(keys, sf_action_row(action), THING, action->tool);
        break;
    case SF_ACT_NOTE: /* each is read before later sessions begin with it */
    case SF_ACT_OWN:
    case SF_ACT_DELETE:
    case SF_ACT_REVERT:
    case SF_ACT_SUBMIT:
    case SF_ACT_ACCEPT:
        break;
    }
}

/* ---- holding actions against them ---- */

static const struct sf_rule *find(const struct sf_rule *rules, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].source != SF_RULE_SETTINGS && rules[i].answer == SF_ALLOW &&
            !strcmp(rules[i].pattern, key))
            return &rules[i];
    return NULL;
}

static bool has_approvals(const struct sf_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].source != SF_RULE_SETTINGS)
            return true;
    return false;
}

const struct sf_rule *sf_approval_hit(const struct sf_rule *rules, size_t count,
                                      const struct sf_action *action)
{
    struct sf_strlist keys = SF_STRLIST_INIT;
    const struct sf_rule *hit = NULL;

    if (!has_approvals(rules, count))
        return NULL;
    sf_approval_keys(action, &keys);
    for (size_t i = 0; i < keys.count; i++) {
        hit = find(rules, count, keys.items[i]);
        if (!hit)
            break;
    }
    sf_strlist_release(&keys);
    return hit;
}

/* ---- words ---- */

static bool is_row(const char *key, size_t len, enum sf_row row)
{
    return strlen(sf_matrix[row].name) == len && !memcmp(key, sf_matrix[row].name, len);
}

bool sf_approval_holds(const char *key)
{
    size_t len = strcspn(key, ":=@");
    bool found = false;

    for (int row = 0; row < SF_ROW_COUNT; row++)
        found = found || is_row(key, len, (enum sf_row)row);
    return found && key[len];
}

/* `curl https://example.org` of the table: the site is what was approved. */
static bool add_reading(const char *text, struct sf_strbuf *out)
{
    const char *site = strstr(text, " http");

    if (strncmp(text, "curl ", 5) != 0 || !site)
        return false;
    sf_strbuf_addf(out, "reading from %s with `%.*s`", site + 1, (int)(site - text), text);
    return true;
}

void sf_approval_words(const char *key, struct sf_strbuf *out)
{
    size_t len = strcspn(key, ":=@");
    const char *text = key[len] ? key + len + 1 : key;

    if (!sf_approval_holds(key))
        sf_strbuf_addf(out, "`%s`, as an older version kept it: it covers nothing any more", key);
    else if (key[len] == EXACT)
        sf_strbuf_addf(out, "exactly `%s`", text);
    else if (key[len] == FAMILY && is_row(key, len, SF_ROW_NETWORK_READ) && add_reading(text, out))
        return;
    else if (key[len] == FAMILY)
        sf_strbuf_addf(out, "every `%s`", text);
    else if (is_row(key, len, SF_ROW_NETWORK_READ))
        sf_strbuf_addf(out, "reading from %s", text);
    else if (is_row(key, len, SF_ROW_EDIT) || is_row(key, len, SF_ROW_WRITE_OUTSIDE))
        sf_strbuf_addf(out, "changing %s", text);
    else if (is_row(key, len, SF_ROW_EXTERNAL))
        sf_strbuf_addf(out, "every call of %s", text);
    else
        sf_strbuf_addf(out, "%s", text);
}
