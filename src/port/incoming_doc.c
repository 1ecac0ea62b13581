/*
 * incoming_doc.c: the table of lines that a program may send, as a part of docs/EVENTS.md and as the
 * JSON Schema docs/input.schema.json.
 */
#include "port/dialogue.h"
#include "port/incoming.h"
#include "port/member_doc.h"

static void add_intro(struct sf_strbuf *out)
{
    sf_strbuf_addf(
        out,
        "## Lines of input\n\n"
        "`sf exec --input-format stream-json` (and `sf -p`) reads lines from standard input and "
        "prints the objects above: a\nprogram holds a conversation over one process. Each line is "
        "a JSON object of at most %d MiB with a `type`;\n`docs/input.schema.json` describes them. "
        "Whatever becomes of a line is told by an `input` object, and a line that\ncannot be used "
        "is `refused` there with its number; the run goes on. Empty lines are passed over.\n\n"
        "    {\"type\":\"prompt\",\"text\":\"run the tests\"}\n"
        "    {\"type\":\"answer\",\"call\":\"toolu_1\",\"reply\":\"once\"}\n"
        "    {\"type\":\"steer\",\"text\":\"only those of src/base\"}\n"
        "    {\"type\":\"cancel\"}\n\n"
        "- A prompt or a command waits until nothing runs; answers, `steer` and `cancel` act at "
        "once. While %d lines wait\n  a further one is `refused`; those that act at once are taken all the same.\n"
        "- Questions wait for the program, until `--timeout`. With `--on-ask` a policy answers "
        "them instead.\n"
        "- At the end of the input what runs and what waits is finished. Questions are refused "
        "then, since nobody is there.\n"
        "- The last object is `done`, and the exit code is that of the last turn; without one, "
        "that of the commands, or 2\n  where lines were refused.\n"
        "- A prompt on the command line comes before the first line. Of a program that sends the "
        "form of Claude Code, the\n  lines of the type `user` are taken; the objects that come "
        "back are those above.\n\n",
        SF_INCOMING_MAX >> 20, SF_DIALOGUE_QUEUE_MAX);
}

void sf_dialogue_doc_add(struct sf_strbuf *out)
{
    add_intro(out);
    sf_strbuf_adds(out, "Every line may have:\n\n");
    sf_members_doc_add(out, sf_incoming_common, sf_incoming_common_count);
    for (size_t i = 0; i < sf_incoming_type_count; i++) {
        const struct sf_incoming_type *t = &sf_incoming_types[i];

        sf_strbuf_addf(out, "### Line `%s`\n\n%s\n\n", t->name, t->help);
        sf_members_doc_add(out, t->members, t->count);
    }
    sf_strbuf_splice(out, out->len - 1, 1, "", 0); /* removes the last empty line */
}

static void add_type(struct sf_json_writer *w, const struct sf_incoming_type *t)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "description", t->help);
    sf_jw_key_str(w, "type", "object");
    sf_jw_key(w, "properties");
    sf_jw_object_begin(w);
    sf_jw_key(w, "type");
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "const", t->name);
    sf_jw_object_end(w);
    for (size_t i = 0; i < sf_incoming_common_count; i++)
        sf_member_schema_add(w, &sf_incoming_common[i]);
    for (size_t i = 0; i < t->count; i++)
        sf_member_schema_add(w, &t->members[i]);
    sf_jw_object_end(w);
    sf_jw_key(w, "required");
    sf_jw_array_begin(w);
    sf_jw_str(w, "type");
    sf_members_required_add(w, t->members, t->count);
    sf_jw_array_end(w);
    if (!t->open)
        sf_jw_key_bool(w, "additionalProperties", false);
    sf_jw_object_end(w);
}

void sf_input_schema_add(struct sf_strbuf *out)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    sf_jw_key_str(&w, "title", "A line that sf reads with --input-format stream-json");
    sf_jw_key(&w, "oneOf");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < sf_incoming_type_count; i++)
        add_type(&w, &sf_incoming_types[i]);
    sf_jw_array_end(&w);
    sf_jw_object_end(&w);
    sf_schema_indent(out, &json);
    sf_strbuf_release(&json);
}
