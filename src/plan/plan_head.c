/*
 * plan_head.c: the frontmatter of a plan. Its reader knows no places of values, so that the line of
 * a key is looked up where one is wrong.
 */
#include "modes/modes.h"
#include "plan/plan_read.h"

static const struct head_field {
    const char *name;
    size_t offset; /* of its member in struct sf_plan */
    size_t most;
} head_fields[] = {
    { "title", offsetof(struct sf_plan, title), SF_PLAN_TITLE },
    { "goal", offsetof(struct sf_plan, goal), 2048 },
};

/* Where the key begins: at the start of a line. The text itself if it is written in an odd way. */
static const char *place_of(const struct sf_plan_reader *r, const char *key, size_t body_at)
{
    size_t len = strlen(key);

    for (const char *p = r->text; p && p < r->text + body_at;) {
        size_t left = (size_t)(r->text + body_at - p);

        if (left > len && !memcmp(p, key, len) && strchr(": \t", p[len]))
            return p;
        p = memchr(p, '\n', left);
        p = p ? p + 1 : NULL;
    }
    return r->text;
}

static void unknown(struct sf_plan_reader *r, const char *key, size_t body_at)
{
    char quote[SF_QUOTE_MAX];
    struct sf_suggest s;
    struct sf_error hint = SF_ERROR_INIT;

    sf_suggest_start(&s, key);
    for (size_t i = 0; i < SF_COUNT(head_fields); i++)
        sf_suggest_offer(&s, head_fields[i].name);
    sf_suggest_hint(&s, "the frontmatter has title and goal", &hint);
    sf_plan_fault(r, place_of(r, key, body_at), hint.hint,
                  "there is no field called \"%s\" in the frontmatter",
                  sf_quote(quote, key, strlen(key)));
}

/* Escapes of YAML can make any character. */
static bool is_seen(const char *text, size_t len)
{
    uint32_t cp;

    for (size_t i = 0; i < len;) {
        i += sf_utf8_decode(text + i, len - i, &cp);
        if (cp == SF_UTF8_INVALID || !sf_plan_is_seen(cp))
            return false;
    }
    return true;
}

static void take(struct sf_plan_reader *r, const struct head_field *f, const struct sf_json *value,
                 size_t body_at)
{
    const char *at = place_of(r, f->name, body_at), *text;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;

    if (!sf_json_as_str(value, f->name, &text, &err)) {
        sf_plan_fault(r, at, "quotes make it text", "%s", err.msg);
        return;
    }
    sf_plan_dedent(text, strlen(text), &line);
    if (line.len > f->most || strpbrk(line.buf, "\r\n") || !is_seen(line.buf, line.len))
        sf_plan_fault(r, at, NULL, "%s: it is one line of at most %zu bytes that can be seen",
                      f->name, f->most);
    else
        *(const char **)(void *)((char *)r->plan + f->offset) =
            sf_arena_strndup(&r->plan->arena, line.buf, line.len);
    sf_strbuf_release(&line);
}

static void take_all(struct sf_plan_reader *r, const struct sf_json *head, size_t body_at)
{
    for (const struct sf_json *it = sf_json_first(head); it; it = sf_json_next(it)) {
        const char *key = sf_json_key(it);
        size_t i = 0;

        while (i < SF_COUNT(head_fields) && strcmp(head_fields[i].name, key) != 0)
            i++;
        if (i < SF_COUNT(head_fields))
            take(r, &head_fields[i], it, body_at);
        else
            unknown(r, key, body_at);
    }
}

void sf_plan_read_head(struct sf_plan_reader *r, size_t *body_at)
{
    struct sf_json *head = NULL;
    struct sf_error err = SF_ERROR_INIT;
    size_t before = r->faults->count;

    *body_at = 0;
    if (!sf_frontmatter_parse(r->text, r->len, &head, body_at, &err)) {
        err.line = err.line ? err.line : 1;
        err.column = err.column ? err.column : 1;
        sf_plan_faults_add(r->faults, &err);
        *body_at = r->len; /* where the body begins is not known */
        return;
    }
    take_all(r, head, *body_at);
    if (!*r->plan->title && r->faults->count == before)
        sf_plan_fault(r, r->text, "begin the file with\n---\ntitle: …\n---",
                      "the plan has no title");
    sf_json_free(head);
}
