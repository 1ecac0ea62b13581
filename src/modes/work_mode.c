/*
 * work_mode.c: the table of work modes, and functions that look things up in it.
 */
#include "modes/work_mode.h"

#include <string.h>

#include "modes/names.h"

static const char *const nothing[] = { NULL };
static const char *const plan_scopes[] = { "explore", "docs", NULL };
static const char *const review_scopes[] = { "explore", "review", NULL };

/* clang-format off */
const struct sf_work_info sf_work_modes[] = {
    [SF_WORK_CHAT]     = { "free",    NULL,        NULL,          NULL,            SF_WRITES_ASK,
                           0, SF_MODEL_FAST },
    [SF_WORK_PLAN]     = { "docs",    NULL,        plan_scopes,   ".sf/plans/",    SF_WRITES_SCOPE,
                           1, SF_MODEL_DEEP },
    [SF_WORK_BUILD]    = { "free",    "implement", NULL,          NULL,            SF_WRITES_SCOPE,
                           2, SF_MODEL_SMART },
    [SF_WORK_REVIEW]   = { "review",  NULL,        review_scopes, NULL,            SF_WRITES_NONE,
                           0, SF_MODEL_SMART },
    [SF_WORK_REPAIR]   = { "free",    NULL,        NULL,          NULL,            SF_WRITES_SCOPE,
                           2, SF_MODEL_DEEP },
    [SF_WORK_RESEARCH] = { "explore", NULL,        plan_scopes,   ".sf/research/", SF_WRITES_SCOPE,
                           1, SF_MODEL_SMART },
};
/* clang-format on */

const char *sf_work_default_scope(const struct sf_scope_set *set, enum sf_work_mode work)
{
    const char *sources = sf_work_modes[work].sources;

    if (sources && (set->has_sources || sf_scope_configured(set, sources)))
        return sources;
    return sf_work_modes[work].scope;
}

enum sf_model_mode sf_work_model(enum sf_work_mode work, enum sf_model_mode words)
{
    return words > sf_work_modes[work].effort ? words : sf_work_modes[work].effort;
}

bool sf_work_model_may(enum sf_work_mode work, const char *scope)
{
    const char *const *scopes = sf_work_modes[work].scopes;

    return !scopes || sf_names_find(scopes, scope) >= 0;
}

bool sf_work_holds(enum sf_work_mode work, const char *scope)
{
    return sf_work_modes[work].writes != SF_WRITES_NONE || sf_work_model_may(work, scope);
}

bool sf_work_only_reads(enum sf_work_mode work)
{
    return sf_work_modes[work].writes == SF_WRITES_NONE;
}

char *sf_work_scopes_text(enum sf_work_mode work)
{
    const char *const *scopes = sf_work_modes[work].scopes;
    struct sf_strbuf sb = SF_STRBUF_INIT;

    if (!scopes)
        return sf_strdup("any");
    for (size_t i = 0; scopes[i]; i++)
        sf_strbuf_addf(&sb, "%s%s", i ? ", " : "", scopes[i]);
    return sf_strbuf_detach(&sb);
}

struct sf_writable sf_writable_of(enum sf_work_mode work, const struct sf_scope *scope)
{
    const struct sf_work_info *info = &sf_work_modes[work];

    if (info->writes == SF_WRITES_NONE)
        return (struct sf_writable){ nothing, NULL };
    if (sf_names_find(scope->writable, "*") >= 0)
        return (struct sf_writable){ scope->writable, NULL };
    return (struct sf_writable){ scope->writable, info->extra };
}

bool sf_writable_is_all(const struct sf_writable *writable)
{
    return sf_names_find(writable->entries, "*") >= 0;
}

bool sf_writable_allows(const struct sf_writable *writable, const char *path, size_t len)
{
    for (const char *const *it = writable->entries; *it; it++)
        if (sf_scope_entry_allows(*it, path, len))
            return true;
    return writable->extra && sf_scope_entry_allows(writable->extra, path, len);
}

void sf_writable_text(const struct sf_writable *writable, struct sf_strbuf *out)
{
    size_t before = out->len;

    for (const char *const *it = writable->entries; *it; it++)
        sf_strbuf_addf(out, "%s%s", out->len > before ? ", " : "", *it);
    if (writable->extra)
        sf_strbuf_addf(out, "%s%s", out->len > before ? ", " : "", writable->extra);
    if (out->len == before)
        sf_strbuf_adds(out, "nothing");
}

static void add_writable(const struct sf_writable *writable, struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    for (const char *const *it = writable->entries; *it; it++)
        sf_jw_str(w, *it);
    if (writable->extra)
        sf_jw_str(w, writable->extra);
    sf_jw_array_end(w);
}

bool sf_work_switch_answer(const struct sf_scope_set *set, enum sf_work_mode work,
                           const char *previous, const char *next, struct sf_strbuf *out,
                           struct sf_error *err)
{
    const struct sf_scope *scope = sf_scope_get(set, next, err);
    struct sf_writable writable;
    struct sf_json_writer w;

    if (!scope)
        return false;
    writable = sf_writable_of(work, scope);
    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "previous_mode", previous);
    sf_jw_key_str(&w, "new_mode", scope->name);
    sf_jw_key(&w, "writable");
    add_writable(&writable, &w);
    sf_jw_key_str(&w, "strategy", scope->strategy);
    sf_jw_object_end(&w);
    return true;
}
