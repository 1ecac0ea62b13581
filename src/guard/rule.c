/*
 * rule.c: matching of rules. Command rules are held against the families the classifier found,
 * wrappers looked through, so `sudo git push` and `sh -c 'git push'` are pushes too.
 */
#include "guard/rule.h"

#include "base/base.h"

static const struct {
    const char *prefix;
    size_t len;
} prefixes[] = { { "path:", 5 }, { "host:", 5 }, { "tool:", 5 } };

enum subject { PATHS, HOSTS, TOOL, COMMAND };

static enum subject subject_of(const char *pattern, const char **rest)
{
    for (size_t i = 0; i < SF_COUNT(prefixes); i++)
        if (!strncmp(pattern, prefixes[i].prefix, prefixes[i].len)) {
            *rest = pattern + prefixes[i].len;
            return (enum subject)i;
        }
    *rest = pattern;
    return COMMAND;
}

const char *sf_rule_source_name(enum sf_rule_source source)
{
    static const char *const names[] = { "settings", "session", "workspace" };

    return names[source];
}

/* The next word of a blank-separated text; false at its end. */
static bool next_word(const char **text, const char **word, size_t *len)
{
    *text += strspn(*text, " \t");
    *word = *text;
    *len = strcspn(*text, " \t");
    *text += *len;
    return *len > 0;
}

/* Whether `option` of a rule is among the words: whole, or a letter of a short cluster. */
static bool has_option(const struct sf_strlist *words, const char *option, size_t len)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *w = words->items[i];

        if (!strncmp(w, option, len) && (w[len] == '\0' || w[len] == '='))
            return true;
        if (len >= 2 && option[1] != '-' && w[0] == '-' && w[1] != '-' && w[1]) {
            size_t found = 0;

            for (size_t k = 1; k < len; k++)
                found += strchr(w + 1, option[k]) != NULL;
            if (found == len - 1)
                return true;
        }
    }
    return false;
}

static bool names_word(const char *pattern, const char *word, size_t len)
{
    const char *at;
    size_t n;

    while (next_word(&pattern, &at, &n))
        if (n == len && !memcmp(at, word, n))
            return true;
    return false;
}

/* Options by which a command works on something else than where it stands. */
static const struct {
    const char *programs; /* the first word of a family; "*": any */
    const char *options;
} elsewhere[] = {
    { "*", "--manifest-path --target-dir --prefix --git-dir --work-tree --cwd" },
    { "git", "-C -c --exec-path --config-env" },
    { "make|gmake", "-C --directory -f --file --makefile -I --include-dir --eval" },
    { "cargo", "-C --config --artifact-dir --out-dir" },
    { "ninja", "-C -f" },
    { "go", "-C -exec -toolexec -modfile -overlay" },
    { "npm|pnpm|yarn|bun", "-C --dir --script-shell --userconfig --globalconfig" },
    { "mvn", "-f --file" },
    { "gradle|gradlew", "-p --project-dir -b --build-file -I --init-script" },
};

static bool is_of(const char *programs, const char *family)
{
    size_t n = strcspn(family, " ");

    for (const char *p = programs; *p; p += strcspn(p, "|"), p += *p == '|')
        if (*p == '*' || (strcspn(p, "|") == n && !memcmp(p, family, n)))
            return true;
    return false;
}

/* Whether the command has such an option and the rule does not name it. */
static bool points_elsewhere(const char *pattern, const char *family,
                             const struct sf_strlist *options)
{
    for (size_t i = 0; i < SF_COUNT(elsewhere); i++) {
        const char *list = elsewhere[i].options, *option;
        size_t len;

        while (is_of(elsewhere[i].programs, family) && next_word(&list, &option, &len))
            if (has_option(options, option, len) && !names_word(pattern, option, len))
                return true;
    }
    return false;
}

/* Words of the rule that are no options must be the first words of the family, in order. */
static bool fits_family(const char *pattern, const char *family, const struct sf_strlist *options)
{
    const char *word, *name;
    size_t len, n;

    while (next_word(&pattern, &word, &len)) {
        if (word[0] == '-') {
            if (!has_option(options, word, len))
                return false;
            continue;
        }
        if (len == 1 && word[0] == '*')
            continue;
        if (!next_word(&family, &name, &n) || n != len || memcmp(word, name, n) != 0)
            return false;
    }
    return true;
}

static bool fits_host(const char *pattern, const char *host)
{
    size_t p = strlen(pattern), h = strlen(host);

    if (!strncmp(pattern, "*.", 2))
        return h > p - 1 && !strcasecmp(host + h - (p - 1), pattern + 1);
    return p == h && !strcasecmp(pattern, host);
}

/* The parts of an action a rule of that subject speaks of. */
static size_t part_count(enum subject subject, const struct sf_action *action)
{
    size_t n = 0;

    switch (subject) {
    case COMMAND:
        return action->shell ? action->shell->families.count : 0;
    case PATHS:
        return action->path_count;
    case HOSTS:
        while (action->hosts && action->hosts[n])
            n++;
        return n;
    case TOOL:
        break;
    }
    return 1;
}

static bool fits_path(const char *entry, const char *path)
{
    if (!*path) /* the workspace itself */
        return !strcmp(entry, "*");
    return path[0] == '/' ? !strcmp(path, entry) : sf_scope_entry_allows(entry, path, strlen(path));
}

static bool part_fits(enum subject subject, const char *rest, const struct sf_action *action,
                      size_t i)
{
    switch (subject) {
    case COMMAND:
        return fits_family(rest, action->shell->families.items[i], &action->shell->options);
    case PATHS:
        return fits_path(rest, action->paths[i].path);
    case HOSTS:
        return fits_host(rest, action->hosts[i]);
    case TOOL:
        break;
    }
    return !strcmp(rest, action->tool);
}

/* What has to be covered for an action to be allowed: a command is more than its paths. */
static enum subject subject_to_cover(const struct sf_action *action)
{
    static const enum subject subjects[] = {
        [SF_ACT_OWN] = TOOL,      [SF_ACT_READ] = PATHS,    [SF_ACT_WRITE] = PATHS,
        [SF_ACT_DELETE] = PATHS,  [SF_ACT_SHELL] = COMMAND, [SF_ACT_FETCH] = HOSTS,
        [SF_ACT_EXTERNAL] = TOOL, [SF_ACT_REVERT] = TOOL,   [SF_ACT_NOTE] = TOOL,
        [SF_ACT_SUBMIT] = TOOL,   [SF_ACT_ACCEPT] = TOOL,
    };

    return subjects[action->act];
}

static const struct sf_rule *covering(const struct sf_rule *rules, size_t count,
                                      const struct sf_action *action, enum subject subject,
                                      size_t part)
{
    for (size_t i = 0; i < count; i++) {
        const char *rest;
        enum subject of = subject_of(rules[i].pattern, &rest);

        if (rules[i].answer != SF_ALLOW || rules[i].source != SF_RULE_SETTINGS)
            continue;
        if (of == subject && part_fits(subject, rest, action, part) &&
            (of != COMMAND ||
             !points_elsewhere(rest, action->shell->families.items[part], &action->shell->options)))
            return &rules[i];
        if (of == TOOL && subject != COMMAND && !strcmp(rest, action->tool))
            return &rules[i];
    }
    return NULL;
}

/* Each part must be covered, but not all by the same rule; the last part's is named. */
static const struct sf_rule *allowed_by(const struct sf_rule *rules, size_t count,
                                        const struct sf_action *action)
{
    enum subject subject = subject_to_cover(action);
    size_t parts = part_count(subject, action);
    const struct sf_rule *hit = NULL;

    if (action->shell && (action->shell->more || action->shell->steered))
        return NULL; /* no rule speaks of variables */
    for (size_t i = 0; i < parts; i++) {
        hit = covering(rules, count, action, subject, i);
        if (!hit)
            return NULL;
    }
    return hit;
}

static bool touches(const char *pattern, const struct sf_action *action)
{
    const char *rest;
    enum subject subject = subject_of(pattern, &rest);
    size_t parts = part_count(subject, action);

    for (size_t i = 0; i < parts; i++)
        if (part_fits(subject, rest, action, i))
            return true;
    return false;
}

const struct sf_rule *sf_rule_hit(const struct sf_rule *rules, size_t count, enum sf_answer answer,
                                  const struct sf_action *action)
{
    if (answer == SF_ALLOW)
        return allowed_by(rules, count, action);
    for (size_t i = 0; i < count; i++)
        if (rules[i].answer == answer && touches(rules[i].pattern, action))
            return &rules[i];
    return NULL;
}

/* An option that writes a file is part of a rule that names it, and of no other. */
static bool names_writing(const struct sf_rule *rules, size_t count, const char *option)
{
    for (size_t i = 0; i < count; i++) {
        const char *rest;

        if (rules[i].answer == SF_ALLOW && rules[i].source == SF_RULE_SETTINGS &&
            subject_of(rules[i].pattern, &rest) == COMMAND &&
            names_word(rest, option, strlen(option)))
            return true;
    }
    return false;
}

static bool writes_unnamed(const struct sf_rule *rules, size_t count,
                           const struct sf_shell_report *shell)
{
    for (size_t i = 0; i < shell->writing.count; i++)
        if (!names_writing(rules, count, shell->writing.items[i]))
            return true;
    return shell->redirects;
}

bool sf_rule_redirects(const struct sf_rule *rules, size_t count, const struct sf_action *action)
{
    size_t written = 0;

    if (!action->shell || !writes_unnamed(rules, count, action->shell))
        return true;
    for (size_t i = 0; i < action->path_count; i++) {
        const struct sf_action one = {
            .tool = "Write", .act = SF_ACT_WRITE, .paths = &action->paths[i], .path_count = 1
        };

        if (!action->paths[i].writes)
            continue;
        if (!allowed_by(rules, count, &one))
            return false;
        written++;
    }
    return written > 0;
}

/* ---- whether a rule can match ---- */

/* What would match instead; without the last words it is wider, and says so. */
static bool never(const char *pattern, const char *form, struct sf_error *err)
{
    sf_fail(err, SF_E_ARG, "the rule '%.80s' can never match", pattern);
    if (*form && !strncmp(pattern, form, strlen(form)) && pattern[strlen(form)] == ' ')
        return sf_hint(
            err, "a rule names no operands: '%.60s' would match, whatever stands behind it", form);
    return *form ? sf_hint(err, "write '%.100s'", form) : sf_hint(err, "see docs/MODES.md: rules");
}

/* The pattern as a command, with stars that are words of their own left out. */
static bool spell(const char *pattern, struct sf_strbuf *out)
{
    const char *word;
    size_t len;
    bool stars = false;

    while (next_word(&pattern, &word, &len)) {
        if (len == 1 && *word == '*')
            continue;
        for (size_t i = 0; i < len; i++)
            stars = stars || strchr("*?[", word[i]);
        if (!stars)
            sf_strbuf_addf(out, "%s%.*s", out->len ? " " : "", (int)len, word);
    }
    return !stars;
}

/* `Bash(git push:*)` is how lists of tools write it. */
static void unwrap(const char *pattern, struct sf_strbuf *out)
{
    const char *open = strchr(pattern, '('), *end = pattern + strlen(pattern);
    const char *from = open && end[-1] == ')' ? open + 1 : pattern;

    sf_strbuf_add(out, from, (size_t)(end - from) - (from != pattern));
    if (out->len > 2 && !strcmp(out->buf + out->len - 2, ":*"))
        sf_strbuf_truncate(out, out->len - 2);
}

/* A rule that does not cover its own words as a command covers no other. */
static bool check_command(const char *pattern, struct sf_error *err)
{
    struct sf_strbuf plain = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_shell_report report;
    bool stars, ok, fits = false, all = !strcmp(pattern, "*");

    unwrap(pattern, &plain);
    stars = !spell(plain.buf, &text);
    sf_shell_classify(text.buf, text.len, &report);
    for (size_t i = 0; i < report.families.count; i++)
        fits = fits || fits_family(pattern, report.families.items[i], &report.options);
    ok = all || (!stars && fits && !strcmp(plain.buf, pattern));
    if (!ok)
        never(pattern,
              stars || !report.families.count ? text.buf
                                              : report.families.items[report.families.count - 1],
              err);
    sf_shell_report_release(&report);
    sf_strbuf_release(&plain);
    sf_strbuf_release(&text);
    return ok;
}

static bool check_path(const char *pattern, const char *entry, struct sf_error *err)
{
    struct sf_strbuf form = SF_STRBUF_INIT;
    const char *plain = !strncmp(entry, "./", 2) ? entry + 2 : entry;
    size_t len = strlen(plain);
    bool ok;

    while (len > 1 && plain[len - 1] == '*')
        len--;
    if (*plain == '/')
        while (len > 1 && plain[len - 1] == '/')
            len--;
    sf_strbuf_addf(&form, "path:%.*s", (int)len, plain);
    ok = !strcmp(form.buf, pattern) && *plain != '~' &&
         (!strcmp(entry, "*") || !strpbrk(entry, "*?["));
    if (!ok)
        never(pattern, strpbrk(form.buf, "~*?[") ? "" : form.buf, err);
    sf_strbuf_release(&form);
    return ok;
}

static bool check_host(const char *pattern, const char *host, struct sf_error *err)
{
    const char *plain = strstr(host, "://") ? strstr(host, "://") + 3 : host;
    struct sf_strbuf form = SF_STRBUF_INIT;
    bool ok;

    sf_strbuf_addf(&form, "host:%.*s", (int)strcspn(plain, "/:?"), plain);
    ok = !strcmp(form.buf, pattern) && !strpbrk(strncmp(host, "*.", 2) ? host : host + 2, "*?[ ");
    if (!ok)
        never(pattern, strpbrk(form.buf + 7, "*?[ ") ? "" : form.buf, err);
    sf_strbuf_release(&form);
    return ok;
}

bool sf_rule_check(const char *pattern, struct sf_error *err)
{
    const char *rest, *word;
    size_t len;
    enum subject subject = subject_of(pattern, &rest);
    const char *whole = rest;

    if (!next_word(&rest, &word, &len))
        return sf_fail(err, SF_E_ARG, "the rule '%s' names nothing", pattern);
    if (subject == COMMAND && word[0] == '-')
        return sf_fail(err, SF_E_ARG, "the rule '%s' begins with an option", pattern);
    for (const char *p = pattern; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return sf_fail(err, SF_E_ARG, "the rule '%s' holds a control character", pattern);
    switch (subject) {
    case COMMAND:
        return check_command(whole, err);
    case PATHS:
        return check_path(pattern, whole, err);
    case HOSTS:
        return check_host(pattern, whole, err);
    case TOOL:
        break;
    }
    return true;
}
