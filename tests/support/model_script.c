/*
 * model_script.c: the reply whose turn it is, and its expectations. Texts are looked for in the
 * strings of the request as they are after decoding, so a script need not know about escapes.
 */
#include "support/model_script.h"

const struct model_reply *model_script_peek(const struct model_script *script)
{
    return script->next < script->scenario->count ? &script->scenario->replies[script->next] : NULL;
}

void model_script_advance(struct model_script *script)
{
    const struct model_reply *reply = model_script_peek(script);

    script->number++;
    if (!reply || ++script->used < reply->repeat)
        return;
    script->used = 0;
    script->next++;
    if (script->next == script->scenario->count && script->scenario->loop)
        script->next = 0;
}

/* The tree is no deeper than its reader allowed. */
static bool tree_contains(const struct sf_json *json, const char *text)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *own = NULL;

    if (sf_json_as_str(json, "", &own, &ignored))
        return strstr(own, text) != NULL;
    for (const struct sf_json *it = model_first(json); it; it = sf_json_next(it))
        if (tree_contains(it, text))
            return true;
    return false;
}

static bool same_tools(const struct sf_strlist *offered, const char *list)
{
    size_t count = 0;
    bool ok = true;

    for (const char *at = list; ok && *at; count++) {
        size_t len = strcspn(at, ",");
        char *name = sf_strndup(at, len);

        ok = sf_strlist_has(offered, name);
        free(name);
        at += len + (at[len] == ',');
    }
    return ok && count == offered->count;
}

static bool result_contains(const struct model_request *request, const struct model_expect *e,
                            bool *found)
{
    bool contains = false;

    *found = false;
    for (size_t i = 0; i < request->result_count; i++) {
        if (strcmp(request->results[i].name, e->name) != 0)
            continue;
        *found = true;
        contains = contains || strstr(request->results[i].text, e->text);
    }
    return contains;
}

static bool field_is(const struct sf_json *body, const struct model_expect *e)
{
    const struct sf_json *field = sf_json_get(body, e->name);
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json_writer w;
    const char *text = NULL;
    bool same;

    if (!field || sf_json_as_str(field, "", &text, &ignored))
        return field && !strcmp(text, e->text);
    sf_jw_init(&w, &sb);
    sf_jw_json(&w, field);
    same = !strcmp(sb.buf, e->text);
    sf_strbuf_release(&sb);
    return same;
}

static bool holds(const struct model_expect *e, const struct model_request *request,
                  const struct model_http *http, struct sf_strbuf *why)
{
    const char *header = e->kind == MODEL_EXPECT_HEADER ? model_http_header(http, e->name) : NULL;
    bool found, contains;

    switch (e->kind) {
    case MODEL_EXPECT_CONTAINS:
        sf_strbuf_addf(why, "the request should contain \"%s\"", e->text);
        return tree_contains(request->body, e->text);
    case MODEL_EXPECT_LACKS:
        sf_strbuf_addf(why, "the request should not contain \"%s\"", e->text);
        return !tree_contains(request->body, e->text);
    case MODEL_EXPECT_TOOLS:
        sf_strbuf_addf(why, "the tools should be %s", e->name);
        return same_tools(&request->tools, e->name);
    case MODEL_EXPECT_NO_TOOL:
        sf_strbuf_addf(why, "there should be no tool %s", e->name);
        return !sf_strlist_has(&request->tools, e->name);
    case MODEL_EXPECT_RESULT:
    case MODEL_EXPECT_RESULT_LACKS:
        contains = result_contains(request, e, &found);
        sf_strbuf_addf(why, "the result of %s should %scontain \"%s\"%s", e->name,
                       e->kind == MODEL_EXPECT_RESULT ? "" : "not ", e->text,
                       found ? "" : ", but there is none");
        return found && contains == (e->kind == MODEL_EXPECT_RESULT);
    case MODEL_EXPECT_HEADER:
        sf_strbuf_addf(why, "the header %s should contain \"%s\"", e->name, e->text);
        return header && strstr(header, e->text);
    case MODEL_EXPECT_FIELD:
        sf_strbuf_addf(why, "the field %s should be %s", e->name, e->text);
        return field_is(request->body, e);
    }
    return false;
}

bool model_script_expects(const struct model_reply *reply, const struct model_request *request,
                          const struct model_http *http, struct sf_strbuf *why)
{
    for (size_t i = 0; i < reply->expect_count; i++) {
        sf_strbuf_reset(why);
        sf_strbuf_addf(why, "line %u: ", reply->expects[i].line);
        if (!holds(&reply->expects[i], request, http, why))
            return false;
    }
    return true;
}
