/*
 * incoming.c: reads a line of a program as the table says, and says what was expected where it does
 * not fit. A member that the table does not know is refused: a misspelt one would be passed over.
 */
#include "port/incoming.h"

static const struct sf_incoming_type *find_type(const char *name)
{
    for (size_t i = 0; i < sf_incoming_type_count; i++)
        if (!strcmp(sf_incoming_types[i].name, name))
            return &sf_incoming_types[i];
    return NULL;
}

static const struct sf_member *find_member(const struct sf_member *rows, size_t count,
                                           const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

static bool refuse_type(const char *name, struct sf_error *err)
{
    struct sf_suggest near;
    char quote[SF_QUOTE_MAX];

    sf_suggest_start(&near, name);
    for (size_t i = 0; i < sf_incoming_type_count; i++)
        sf_suggest_offer(&near, sf_incoming_types[i].name);
    sf_fail(err, SF_E_ARG, "there is no type %s of lines", sf_quote(quote, name, strlen(name)));
    return sf_suggest_hint(
        &near, "the types are prompt, steer, answer, confirm, cancel, command, end and user", err);
}

static bool refuse_member(const struct sf_incoming_type *t, const char *name, struct sf_error *err)
{
    struct sf_suggest near;
    char quote[SF_QUOTE_MAX];

    sf_suggest_start(&near, name);
    for (size_t i = 0; i < sf_incoming_common_count; i++)
        sf_suggest_offer(&near, sf_incoming_common[i].name);
    for (size_t i = 0; i < t->count; i++)
        sf_suggest_offer(&near, t->members[i].name);
    sf_fail(err, SF_E_ARG, "a line of the type %s has no member %s", t->name,
            sf_quote(quote, name, strlen(name)));
    return sf_suggest_hint(&near, "docs/EVENTS.md lists its members", err);
}

static bool is_offered(const struct sf_member *m, const char *value, struct sf_error *err)
{
    struct sf_strbuf all = SF_STRBUF_INIT;
    const char *choice;
    bool found = false;

    for (size_t i = 0; (choice = m->choice(i)); i++) {
        found = found || !strcmp(choice, value);
        sf_strbuf_addf(&all, "%s%s", i ? ", " : "", choice);
    }
    if (!found)
        sf_fail(err, SF_E_ARG, "\"%s\" must be one of %s", m->name, all.buf);
    sf_strbuf_release(&all);
    return found;
}

static bool check_value(const struct sf_member *m, const struct sf_json *value,
                        struct sf_error *err)
{
    const char *text;
    bool flag;

    if (m->type == SF_MEMBER_BOOLEAN)
        return sf_json_as_bool(value, m->name, &flag, err);
    if (m->type == SF_MEMBER_TEXT)
        return sf_json_as_str(value, m->name, &text, err) &&
               (!m->choice || is_offered(m, text, err));
    return sf_json_type(value) == SF_JSON_OBJECT ||
           sf_fail(err, SF_E_ARG, "\"%s\" must be an object", m->name);
}

static bool check_given(const struct sf_incoming *in, struct sf_error *err)
{
    const struct sf_incoming_type *t = in->type;

    for (const struct sf_json *it = sf_json_first(in->json); it; it = sf_json_next(it)) {
        const char *name = sf_json_key(it);
        const struct sf_member *m = find_member(t->members, t->count, name);

        if (!strcmp(name, "type"))
            continue;
        if (!m)
            m = find_member(sf_incoming_common, sf_incoming_common_count, name);
        if (!m && !t->open)
            return refuse_member(t, name, err);
        if (m && !(sf_json_type(it) == SF_JSON_NULL && m->need == SF_NEED_SOME) &&
            !check_value(m, it, err))
            return false;
    }
    return true;
}

static bool check_missing(const struct sf_incoming *in, struct sf_error *err)
{
    const struct sf_incoming_type *t = in->type;

    for (size_t i = 0; i < t->count; i++)
        if (t->members[i].need == SF_NEED_ALWAYS && !sf_json_get(in->json, t->members[i].name))
            return sf_fail(err, SF_E_ARG, "a line of the type %s needs \"%s\"", t->name,
                           t->members[i].name);
    return true;
}

bool sf_incoming_read(struct sf_incoming *in, const char *line, size_t len, struct sf_error *err)
{
    static const struct sf_json_limits limits = { .bytes = SF_INCOMING_MAX, .depth = 16 };
    const char *type;

    *in = (struct sf_incoming){ .json = sf_json_parse(line, len, &limits, err) };
    if (!in->json)
        return sf_hint(err, "a line is a JSON object: {\"type\":\"prompt\",\"text\":\"…\"}");
    if (sf_json_type(in->json) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_ARG, "a line must be an object, not %s",
                       sf_json_type_name(sf_json_type(in->json)));
    if (!sf_json_get_str(in->json, "type", &type, err))
        return false;
    in->type = find_type(type);
    if (!in->type)
        return refuse_type(type, err);
    return check_given(in, err) && check_missing(in, err);
}

void sf_incoming_release(struct sf_incoming *in)
{
    sf_json_free(in->json);
    *in = (struct sf_incoming){ .json = NULL };
}

const char *sf_incoming_text(const struct sf_incoming *in, const char *member)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *value = in->json ? sf_json_get(in->json, member) : NULL;
    const char *text = NULL;

    return value && sf_json_as_str(value, member, &text, &ignored) ? text : NULL;
}

bool sf_incoming_flag(const struct sf_incoming *in, const char *member)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *value = in->json ? sf_json_get(in->json, member) : NULL;
    bool flag = false;

    return value && sf_json_as_bool(value, member, &flag, &ignored) && flag;
}

/* ---- the words of a prompt ---- */

/* One object of a list: {"type":"text","text":"…"}. */
static bool add_block(const struct sf_json *block, struct sf_strbuf *out, struct sf_error *err)
{
    const char *type, *text;

    if (!sf_json_get_str(block, "type", &type, err))
        return false;
    if (strcmp(type, "text") != 0)
        return sf_fail(err, SF_E_ARG, "\"content\" may hold objects of the type text alone") ||
               sf_hint(err, "name files and pictures by their path, and the model reads them");
    if (!sf_json_get_str(block, "text", &text, err))
        return false;
    sf_strbuf_addf(out, "%s%s", out->len ? "\n\n" : "", text);
    return true;
}

static bool add_content(const struct sf_json *message, struct sf_strbuf *out, struct sf_error *err)
{
    const struct sf_json *content = sf_json_get(message, "content");
    const char *role, *text;

    if (!sf_json_opt_str(message, "role", "user", &role, err))
        return false;
    if (strcmp(role, "user") != 0)
        return sf_fail(err, SF_E_ARG, "the role of a message must be user");
    if (!content)
        return sf_fail(err, SF_E_ARG, "\"message\" needs \"content\"");
    if (sf_json_type(content) != SF_JSON_ARRAY) {
        if (!sf_json_as_str(content, "content", &text, err))
            return false;
        sf_strbuf_adds(out, text);
        return true;
    }
    for (const struct sf_json *it = sf_json_first(content); it; it = sf_json_next(it))
        if (!add_block(it, out, err))
            return false;
    return true;
}

bool sf_incoming_words(const struct sf_incoming *in, struct sf_strbuf *out, struct sf_error *err)
{
    if (in->type->kind != SF_INCOMING_USER)
        sf_strbuf_adds(out, sf_incoming_text(in, "text"));
    else if (!add_content(sf_json_get(in->json, "message"), out, err))
        return false;
    return out->buf[strspn(out->buf, " \t\r\n")] != '\0' ||
           sf_fail(err, SF_E_ARG, "there are no words in it");
}
