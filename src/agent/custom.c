/*
 * custom.c: parses the frontmatter of a custom command. The whole file is sanitised before it is
 * parsed, so that no later code has to do it.
 */
#include "agent/custom.h"

#include "guard/guard.h"

#define BOM  "\xef\xbb\xbf"
#define HINT "argument-hint:"

void sf_custom_release(struct sf_custom *c)
{
    free(c->description);
    free(c->hint);
    free(c->model);
    sf_strlist_release(&c->tools);
    free(c->body);
    *c = (struct sf_custom)SF_CUSTOM_INIT;
}

/* One line, cut to fit into lists. */
static char *line_of(const char *text, size_t len)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_text_sanitize(&line, text, len, SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&line, sf_text_fit(line.buf, line.len, SF_CUSTOM_COLUMNS, NULL));
    while (line.len && line.buf[line.len - 1] == ' ')
        sf_strbuf_truncate(&line, line.len - 1);
    return sf_strbuf_detach(&line);
}

/* ---- frontmatter ---- */

static void add_line(struct sf_strbuf *out, const char *line, size_t len)
{
    const char *value = line + strlen(HINT), *end = line + len;

    if (len < strlen(HINT) || strncmp(line, HINT, strlen(HINT)) != 0 ||
        value[strspn(value, " ")] != '[') {
        sf_strbuf_add(out, line, len);
        return;
    }
    sf_strbuf_adds(out, HINT " '");
    for (value += strspn(value, " "); value < end; value++)
        sf_strbuf_addf(out, "%s%c", *value == '\'' ? "'" : "", *value);
    sf_strbuf_addch(out, '\'');
}

/*
 * People write `argument-hint: [file] [words]`, which looks like a list and is invalid YAML. Such a
 * value is quoted; line numbers do not change.
 */
static void quote_hint(const char *text, struct sf_strbuf *out)
{
    bool head = !strncmp(text, "---\n", 4);

    for (size_t number = 0; head && *text; number++) {
        size_t len = strcspn(text, "\n");

        head = !number || len != 3 || strncmp(text, "---", 3) != 0;
        add_line(out, text, len);
        text += len;
        if (*text) {
            sf_strbuf_addch(out, '\n');
            text++;
        }
    }
    sf_strbuf_adds(out, text);
}

static bool read_line(const struct sf_json *head, const char *key, char **out, struct sf_error *err)
{
    const char *text;

    if (!sf_json_opt_str(head, key, NULL, &text, err))
        return false;
    if (text)
        *out = line_of(text, strlen(text));
    return true;
}

static bool add_tools(struct sf_custom *c, const char *text, struct sf_error *err)
{
    if (sf_grants_read(&c->tools, text, err))
        return true;
    sf_error_prefix(err, "allowed-tools: ");
    return false;
}

static bool read_tools(struct sf_custom *c, const struct sf_json *head, struct sf_error *err)
{
    const struct sf_json *tools = sf_json_get(head, "allowed-tools"), *it;
    const char *text;

    if (!tools || sf_json_type(tools) == SF_JSON_NULL)
        return true;
    c->narrows = true;
    if (sf_json_type(tools) != SF_JSON_ARRAY)
        return sf_json_as_str(tools, "allowed-tools", &text, err) && add_tools(c, text, err);
    for (it = sf_json_first(tools); it; it = sf_json_next(it))
        if (!sf_json_as_str(it, "allowed-tools", &text, err) || !add_tools(c, text, err))
            return false;
    return true;
}

/* The first line of the text serves as the description if there is none. */
static char *first_line(const char *body)
{
    body += strspn(body, "#* \t\n");
    return line_of(body, strcspn(body, "\n"));
}

static bool read_head(struct sf_custom *c, const char *text, struct sf_error *err)
{
    struct sf_json *head = NULL;
    size_t body_at;
    bool ok = sf_frontmatter_parse(text, strlen(text), &head, &body_at, err) &&
              read_line(head, "description", &c->description, err) &&
              read_line(head, "argument-hint", &c->hint, err) &&
              read_line(head, "model", &c->model, err) && read_tools(c, head, err);

    sf_json_free(head);
    if (!ok)
        return false;
    c->body = sf_strdup(text + body_at);
    if (!c->description)
        c->description = first_line(c->body);
    if (!c->hint)
        c->hint = sf_strdup("");
    if (c->model && (!*c->model || !strcmp(c->model, "inherit"))) {
        free(c->model);
        c->model = NULL;
    }
    return c->body[strspn(c->body, " \t\n")] || sf_fail(err, SF_E_ARG, "it says nothing");
}

bool sf_custom_read(struct sf_custom *c, const char *text, size_t len, struct sf_error *err)
{
    const size_t mark = len >= strlen(BOM) && !memcmp(text, BOM, strlen(BOM)) ? strlen(BOM) : 0;
    struct sf_strbuf safe = SF_STRBUF_INIT, quoted = SF_STRBUF_INIT;
    bool ok;

    *c = (struct sf_custom)SF_CUSTOM_INIT;
    if (len > SF_CUSTOM_FILE)
        return sf_fail(err, SF_E_LIMIT, "it is larger than %d KiB", SF_CUSTOM_FILE / 1024);
    sf_text_sanitize(&safe, text + mark, len - mark, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    quote_hint(safe.buf, &quoted);
    ok = read_head(c, quoted.buf, err);
    if (!ok)
        sf_custom_release(c);
    sf_strbuf_release(&safe);
    sf_strbuf_release(&quoted);
    return ok;
}
