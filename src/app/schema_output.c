/*
 * schema_output.c: reading the schema, telling it, and holding answers against it. Models like to
 * put JSON into a fenced block; the block alone counts then.
 */
#include "app/schema_output.h"

#include "io/io.h"

enum { SCHEMA_MAX = 256 * 1024 };

static bool parse(struct sf_schema_output *s, const char *file, const struct sf_strbuf *text,
                  struct sf_error *err)
{
    struct sf_json_writer w;

    s->schema = sf_json_parse(text->buf, text->len, NULL, err);
    if (!s->schema || !sf_json_schema_check(s->schema, err)) {
        sf_error_prefix(err, "--output-schema: %s: ", file);
        err->code = SF_E_ARG;
        return *err->hint ? false
                          : sf_hint(err, "README, \"In scripts\", says which keywords are checked");
    }
    s->closed = sf_json_schema_is_closed(s->schema);
    sf_jw_init(&w, &s->text);
    sf_jw_json(&w, s->schema);
    return true;
}

bool sf_schema_output_read(struct sf_schema_output *s, const struct sf_invocation *inv,
                           struct sf_error *err)
{
    const char *file = sf_cli_get(inv, "output-schema");
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok;

    if (!file)
        return true;
    ok = sf_file_read(file, SCHEMA_MAX, &text, err);
    if (ok) {
        ok = parse(s, file, &text, err);
    } else {
        sf_error_prefix(err, "--output-schema: ");
        err->code = SF_E_ARG;
    }
    sf_strbuf_release(&text);
    return ok;
}

void sf_schema_output_release(struct sf_schema_output *s)
{
    sf_json_free(s->schema);
    sf_strbuf_release(&s->text);
    sf_strbuf_release(&s->value);
    sf_strbuf_release(&s->why);
}

void sf_schema_output_tell(const struct sf_schema_output *s, struct sf_strbuf *prompt)
{
    if (s->schema)
        sf_strbuf_addf(prompt,
                       "\n\n<output_schema>\nWhen the work is done, your last message must be one "
                       "JSON value and nothing else, which fits this JSON Schema:\n%s\n"
                       "</output_schema>",
                       s->text.buf);
}

static bool is_blank(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!strchr(" \t\r\n", text[i]))
            return false;
    return true;
}

/* The inside of a fenced block that is all of the text; else the text. */
static struct sf_strbuf unfenced(const struct sf_strbuf *answer)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    const char *begin = answer->buf, *end = answer->buf + answer->len, *line;

    while (begin < end && strchr(" \t\r\n", *begin))
        begin++;
    while (end > begin && strchr(" \t\r\n", end[-1]))
        end--;
    line = memchr(begin, '\n', (size_t)(end - begin));
    if (line && end - begin > 6 && !strncmp(begin, "```", 3) && !strncmp(end - 3, "```", 3) &&
        line < end - 3) {
        begin = line + 1;
        end -= 3;
    }
    sf_strbuf_add(&out, begin, (size_t)(end - begin));
    return out;
}

bool sf_schema_output_check(struct sf_schema_output *s, const struct sf_strbuf *answer)
{
    struct sf_strbuf text = unfenced(answer);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *value = NULL;
    struct sf_json_writer w;

    s->fits = !s->schema;
    if (s->schema && is_blank(text.buf, text.len))
        sf_fail(&err, SF_E_ARG, "there is no answer");
    else if (s->schema)
        value = sf_json_parse(text.buf, text.len, NULL, &err);
    s->fits = s->fits || (value && sf_json_schema_fits(s->schema, value, &err));
    s->unknown = value && !s->fits && err.code == SF_E_LIMIT;
    sf_strbuf_reset(&s->value);
    sf_strbuf_reset(&s->why);
    if (value && s->fits) {
        sf_jw_init(&w, &s->value);
        sf_jw_json(&w, value);
    } else if (!s->fits) {
        sf_strbuf_adds(&s->why, err.msg);
    }
    sf_json_free(value);
    sf_strbuf_release(&text);
    return s->fits;
}

bool sf_schema_output_again(struct sf_schema_output *s, struct sf_strbuf *out)
{
    if (s->tries >= SF_SCHEMA_TRIES || s->unknown)
        return false;
    s->tries++;
    sf_strbuf_addf(out, "Your last message does not fit the JSON Schema: %s", s->why.buf);
    sf_schema_output_tell(s, out);
    return true;
}
