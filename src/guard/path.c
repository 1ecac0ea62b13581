/*
 * path.c: from what was found to what it means. The worst of everything counts: the real path,
 * every name that was passed on the way, and the shape of the directories around it.
 */
#include "guard/path.h"

#include <string.h>

static const struct sf_path_rule *shape_rule(void)
{
    for (size_t i = 0; i < sf_path_rule_count; i++)
        if (sf_path_rules[i].where == SF_WHERE_SHAPE)
            return &sf_path_rules[i];
    return NULL;
}

static enum sf_path_zone zone_of(const struct sf_path_rule *rule)
{
    return sf_path_rule_is_secret(rule) ? SF_PATH_CREDENTIAL : SF_PATH_PROTECTED;
}

static void worsen(struct sf_path_facts *facts, const struct sf_path_rule *rule)
{
    if (rule && zone_of(rule) > facts->zone) {
        facts->zone = zone_of(rule);
        facts->rule = rule;
    }
}

struct sf_path_facts sf_path_classify(const struct sf_path_found *found,
                                      const struct sf_path_places *places)
{
    struct sf_path_facts facts = {
        .zone = found->inside ? SF_PATH_INSIDE : SF_PATH_OUTSIDE,
        .inside = found->inside,
        .shared = found->links > 1,
        .real = found->real,
    };

    worsen(&facts, sf_path_rule_for(found->real, found->inside, places));
    for (size_t i = 0; i < found->via_count; i++)
        worsen(&facts, sf_path_rule_for(found->via[i], found->via[i][0] != '/', places));
    if (found->git_dir)
        worsen(&facts, shape_rule());
    return facts;
}

static void show(struct sf_strbuf *out, const char *real)
{
    size_t fit;

    sf_text_sanitize(out, *real ? real : ".", *real ? strlen(real) : 1, SF_TEXT_ONE_LINE);
    fit = sf_text_fit(out->buf, out->len, 120, NULL);
    if (fit < out->len) {
        sf_strbuf_truncate(out, fit);
        sf_strbuf_adds(out, "…");
    }
}

static void rule_out(struct sf_path_ruling *out, enum sf_path_verdict verdict, const char *rule,
                     const char *hint)
{
    out->verdict = verdict;
    out->rule = rule;
    snprintf(out->hint, sizeof(out->hint), "%s", hint);
}

static void judge_rule(const struct sf_path_facts *facts, enum sf_path_op op, const char *path,
                       struct sf_path_ruling *out)
{
    const struct sf_path_rule *rule = facts->rule;
    bool reads = op == SF_PATH_READ;

    rule_out(out, reads ? SF_PATH_ASK : SF_PATH_DENY, rule->name,
             reads ? "ask the user for the one value that is needed"
                   : "tell the user what to change there; they can do it themselves");
    snprintf(out->reason, sizeof(out->reason), "Path '%s' is protected: it is %s.", path,
             rule->what);
}

static void judge_outside(const char *path, struct sf_path_ruling *out)
{
    rule_out(out, SF_PATH_ASK, "outside-workspace",
             "work inside the workspace, or ask the user to /trust this session");
    snprintf(out->reason, sizeof(out->reason), "Path '%s' is outside the workspace.", path);
}

/* As much of the list as the reason holds. */
static void judge_scope(const struct sf_scope *scope, const char *path, struct sf_path_ruling *out)
{
    struct sf_strbuf list = SF_STRBUF_INIT, clean = SF_STRBUF_INIT;

    for (const char *const *it = scope->writable; *it && list.len < 160; it++)
        sf_strbuf_addf(&list, "%s%s", list.len ? ", " : "", *it);
    sf_text_sanitize(&clean, list.len ? list.buf : "nothing", list.len ? list.len : 7,
                     SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&clean, sf_text_fit(clean.buf, clean.len, 160, NULL));
    rule_out(out, SF_PATH_DENY, "outside-scope", "");
    snprintf(out->reason, sizeof(out->reason),
             "Path '%s' is not writable in scope %s (writable: %s). Call ChangeToolMode to switch.",
             path, scope->name, clean.buf);
    sf_strbuf_release(&list);
    sf_strbuf_release(&clean);
}

static void judge_shared(const char *path, struct sf_path_ruling *out)
{
    rule_out(out, SF_PATH_ASK, "hard-link", "");
    snprintf(out->reason, sizeof(out->reason),
             "Path '%s' has a second name elsewhere, which would keep the old content.", path);
}

void sf_path_judge(const struct sf_path_facts *facts, enum sf_path_op op,
                   const struct sf_scope *scope, struct sf_path_ruling *out)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool writes = op != SF_PATH_READ;

    *out = (struct sf_path_ruling){ .verdict = SF_PATH_ALLOW, .rule = "" };
    show(&path, facts->real);
    if (facts->rule && (writes || facts->zone == SF_PATH_CREDENTIAL))
        judge_rule(facts, op, path.buf, out);
    else if (!facts->inside)
        judge_outside(path.buf, out);
    else if (writes && !sf_scope_allows(scope, facts->real, strlen(facts->real)))
        judge_scope(scope, path.buf, out);
    else if (op == SF_PATH_WRITE && facts->shared)
        judge_shared(path.buf, out);
    sf_strbuf_release(&path);
}
