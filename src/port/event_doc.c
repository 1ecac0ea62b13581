/*
 * event_doc.c: the table of events as a document for people and as a JSON Schema for programs.
 */
#include "port/dialogue.h"
#include "port/event_json.h"
#include "port/event_table.h"
#include "port/member_doc.h"

/* ---- for people ---- */

static const char *const type_names[] = {
    [SF_MEMBER_TEXT] = "string",   [SF_MEMBER_INTEGER] = "integer",
    [SF_MEMBER_NUMBER] = "number", [SF_MEMBER_BOOLEAN] = "boolean",
    [SF_MEMBER_TIME] = "string",   [SF_MEMBER_OBJECT] = "object",
    [SF_MEMBER_OBJECTS] = "list",  [SF_MEMBER_INTEGERS] = "list of integers",
    [SF_MEMBER_OPEN] = "object",   [SF_MEMBER_TEXTS] = "list of strings",
    [SF_MEMBER_ANY] = "any value",
};

static void add_type(struct sf_strbuf *out, const struct sf_member *m)
{
    static const char *const needs[] = {
        [SF_NEED_ALWAYS] = "", [SF_NEED_NULL] = " or null", [SF_NEED_SOME] = ", optional"
    };

    if (m->type == SF_MEMBER_OBJECT)
        sf_strbuf_addf(out, "[%s](#%s)", m->shape->name, m->shape->name);
    else if (m->type == SF_MEMBER_OBJECTS)
        sf_strbuf_addf(out, "list of [%s](#%s)", m->shape->name, m->shape->name);
    else
        sf_strbuf_adds(out, type_names[m->type]);
    sf_strbuf_adds(out, needs[m->need]);
}

static void add_help(struct sf_strbuf *out, const struct sf_member *m)
{
    const char *value;

    sf_strbuf_adds(out, m->help);
    for (size_t i = 0; m->choice && (value = m->choice(i)); i++)
        sf_strbuf_addf(out, "%s`%s`", i ? ", " : " One of ", value);
    if (m->choice)
        sf_strbuf_addch(out, '.');
}

void sf_members_doc_add(struct sf_strbuf *out, const struct sf_member *members, size_t count)
{
    if (!count) {
        sf_strbuf_adds(out, "No members of its own.\n\n");
        return;
    }
    sf_strbuf_adds(out, "| Member | Type | Stable | |\n|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        sf_strbuf_addf(out, "| `%s` | ", members[i].name);
        add_type(out, &members[i]);
        sf_strbuf_addf(out, " | %s | ", members[i].stable ? "yes" : "no");
        add_help(out, &members[i]);
        sf_strbuf_adds(out, " |\n");
    }
    sf_strbuf_addch(out, '\n');
}

static void add_intro(struct sf_strbuf *out)
{
    sf_strbuf_addf(
        out,
        "# Events\n\n"
        "`sf exec --output-format stream-json` (and `sf -p`) prints one JSON object a line while "
        "things happen;\n`--output-format json` prints the last one alone. This page and "
        "`docs/events.schema.json` (JSON Schema\n2020-12) are made from the table that the writer "
        "walks: `sf --dump-docs events` and `events-schema`.\n\n"
        "`v` is the version, now %d. Within a version, types and members are only ever added: a "
        "reader passes over\nwhat it does not know. A member that is not stable is for people, "
        "and its words may change.\n\n"
        "A turn begins with the user's words and ends with `turn_end`, or `agent_done` for a "
        "sub-agent. A message is\none answer of the model: pieces of `text` and `reasoning`, "
        "void with `restart`, complete with\n`message_end`; the calls it makes follow, and each "
        "`tool_use` gets exactly one `tool_result`. `session`,\n`turn_id` and `message_id` together "
        "name a message.\n\n",
        SF_EVENT_JSON_VERSION);
}

void sf_events_doc_add(struct sf_strbuf *out)
{
    add_intro(out);
    sf_strbuf_addf(out,
                   "## Every object\n\n| Member | Type | Stable | |\n|---|---|---|---|\n"
                   "| `v` | integer | yes | The version: %d. |\n"
                   "| `type` | string | yes | The type: one of the headings below. |\n",
                   SF_EVENT_JSON_VERSION);
    for (size_t i = 0; i < sf_event_common_count; i++) {
        sf_strbuf_addf(out, "| `%s` | ", sf_event_common[i].name);
        add_type(out, &sf_event_common[i]);
        sf_strbuf_addf(out, " | yes | %s |\n", sf_event_common[i].help);
    }
    sf_strbuf_adds(out, "\n## Types\n\n");
    for (size_t i = 0; i < sf_event_type_count; i++) {
        const struct sf_event_type *t = &sf_event_types[i];

        sf_strbuf_addf(out, "### `%s`\n\n%s\n\n", t->name, t->help);
        sf_members_doc_add(out, t->members, t->count);
    }
    sf_strbuf_adds(out, "## Objects inside of others\n\n");
    for (size_t i = 0; sf_event_shapes[i]; i++) {
        const struct sf_shape *s = sf_event_shapes[i];

        sf_strbuf_addf(out, "### %s\n\n%s\n\n", s->name, s->help);
        sf_members_doc_add(out, s->members, s->count);
    }
    sf_dialogue_doc_add(out);
}

/* ---- for programs ---- */

static void add_ref(struct sf_json_writer *w, const struct sf_shape *shape)
{
    struct sf_strbuf ref = SF_STRBUF_INIT;

    sf_strbuf_addf(&ref, "#/$defs/%s", shape->name);
    sf_jw_key_str(w, "$ref", ref.buf);
    sf_strbuf_release(&ref);
}

static void add_list(struct sf_json_writer *w, const struct sf_member *m)
{
    sf_jw_key_str(w, "type", "array");
    sf_jw_key(w, "items");
    sf_jw_object_begin(w);
    if (m->shape)
        add_ref(w, m->shape);
    else
        sf_jw_key_str(w, "type", m->type == SF_MEMBER_TEXTS ? "string" : "integer");
    sf_jw_object_end(w);
}

static void add_choices(struct sf_json_writer *w, const struct sf_member *m)
{
    const char *value;

    sf_jw_key(w, "enum");
    sf_jw_array_begin(w);
    for (size_t i = 0; (value = m->choice(i)); i++)
        sf_jw_str(w, value);
    if (m->need == SF_NEED_NULL)
        sf_jw_null(w);
    sf_jw_array_end(w);
}

static void add_plain(struct sf_json_writer *w, const struct sf_member *m)
{
    sf_jw_key(w, "type");
    if (m->need == SF_NEED_NULL) {
        sf_jw_array_begin(w);
        sf_jw_str(w, type_names[m->type]);
        sf_jw_str(w, "null");
        sf_jw_array_end(w);
    } else {
        sf_jw_str(w, type_names[m->type]);
    }
    if (m->choice)
        add_choices(w, m);
    if (m->type == SF_MEMBER_TIME)
        sf_jw_key_str(w, "format", "date-time");
}

/* The schema of an object or null. */
static void add_either(struct sf_json_writer *w, const struct sf_member *m)
{
    sf_jw_key(w, "anyOf");
    sf_jw_array_begin(w);
    sf_jw_object_begin(w);
    add_ref(w, m->shape);
    sf_jw_object_end(w);
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "type", "null");
    sf_jw_object_end(w);
    sf_jw_array_end(w);
}

void sf_member_schema_add(struct sf_json_writer *w, const struct sf_member *m)
{
    sf_jw_key(w, m->name);
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "description", m->help);
    if (m->type == SF_MEMBER_OBJECTS || m->type == SF_MEMBER_INTEGERS || m->type == SF_MEMBER_TEXTS)
        add_list(w, m);
    else if (m->type == SF_MEMBER_OBJECT && m->need == SF_NEED_NULL)
        add_either(w, m);
    else if (m->type == SF_MEMBER_OBJECT)
        add_ref(w, m->shape);
    else if (m->type != SF_MEMBER_ANY)
        add_plain(w, m);
    sf_jw_object_end(w);
}

void sf_members_required_add(struct sf_json_writer *w, const struct sf_member *members,
                             size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (members[i].need != SF_NEED_SOME)
            sf_jw_str(w, members[i].name);
}

static void add_shape(struct sf_json_writer *w, const struct sf_shape *s)
{
    sf_jw_key(w, s->name);
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "description", s->help);
    sf_jw_key_str(w, "type", "object");
    sf_jw_key(w, "properties");
    sf_jw_object_begin(w);
    for (size_t i = 0; i < s->count; i++)
        sf_member_schema_add(w, &s->members[i]);
    sf_jw_object_end(w);
    sf_jw_key(w, "required");
    sf_jw_array_begin(w);
    sf_members_required_add(w, s->members, s->count);
    sf_jw_array_end(w);
    sf_jw_key_bool(w, "additionalProperties", false);
    sf_jw_object_end(w);
}

static void add_fixed(struct sf_json_writer *w, const struct sf_event_type *t)
{
    sf_jw_key(w, "v");
    sf_jw_object_begin(w);
    sf_jw_key_int(w, "const", SF_EVENT_JSON_VERSION);
    sf_jw_object_end(w);
    sf_jw_key(w, "type");
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "const", t->name);
    sf_jw_object_end(w);
}

static void add_event(struct sf_json_writer *w, const struct sf_event_type *t)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "description", t->help);
    sf_jw_key_str(w, "type", "object");
    sf_jw_key(w, "properties");
    sf_jw_object_begin(w);
    add_fixed(w, t);
    for (size_t i = 0; i < sf_event_common_count; i++)
        sf_member_schema_add(w, &sf_event_common[i]);
    for (size_t i = 0; i < t->count; i++)
        sf_member_schema_add(w, &t->members[i]);
    sf_jw_object_end(w);
    sf_jw_key(w, "required");
    sf_jw_array_begin(w);
    sf_jw_str(w, "v");
    sf_jw_str(w, "type");
    sf_members_required_add(w, sf_event_common, sf_event_common_count);
    sf_members_required_add(w, t->members, t->count);
    sf_jw_array_end(w);
    sf_jw_key_bool(w, "additionalProperties", false);
    sf_jw_object_end(w);
}

void sf_schema_indent(struct sf_strbuf *out, const struct sf_strbuf *json)
{
    bool quoted = false, flat = false;
    int depth = 0;

    for (const char *p = json->buf; *p; p++) {
        bool opens = !quoted && (*p == '{' || *p == '['),
             closes = !quoted && (*p == '}' || *p == ']');

        if (*p == '"' && p[-1] != '\\')
            quoted = !quoted;
        depth -= closes && !flat;
        if (closes && !flat)
            sf_strbuf_addf(out, "\n%*s", 2 * depth, "");
        sf_strbuf_addch(out, *p);
        if (!quoted && (*p == ':' || (*p == ',' && flat)))
            sf_strbuf_addch(out, ' ');
        flat = opens ? *p == '[' && p[1] != '{' : flat && !closes;
        depth += opens && !flat;
        if (!flat && (opens || (!quoted && *p == ',')))
            sf_strbuf_addf(out, "\n%*s", 2 * depth, "");
    }
    sf_strbuf_addch(out, '\n');
}

void sf_events_schema_add(struct sf_strbuf *out)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    sf_jw_key_str(&w, "title", "A line of sf's stream-json");
    sf_jw_key(&w, "oneOf");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < sf_event_type_count; i++)
        add_event(&w, &sf_event_types[i]);
    sf_jw_array_end(&w);
    sf_jw_key(&w, "$defs");
    sf_jw_object_begin(&w);
    for (size_t i = 0; sf_event_shapes[i]; i++)
        add_shape(&w, sf_event_shapes[i]);
    sf_jw_object_end(&w);
    sf_jw_object_end(&w);
    sf_schema_indent(out, &json);
    sf_strbuf_release(&json);
}
