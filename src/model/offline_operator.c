/*
 * offline_operator.c: results are taken in the order they stand in the conversation, which is the
 * order the script asked for them.
 */
#include "model/offline_operator.h"

#include "base/base.h"

void sf_operator_say(struct sf_operator *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&t->text, format, args);
    va_end(args);
}

void sf_operator_refuse(struct sf_operator *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&t->text, format, args);
    va_end(args);
    t->failed = true;
}

static const struct sf_block *next_result(struct sf_operator *t)
{
    for (; t->message < t->history->count; t->message++, t->block = 0) {
        const struct sf_message *m = &t->history->messages[t->message];

        for (; t->block < m->count; t->block++)
            if (m->blocks[t->block].kind == SF_BLOCK_RESULT)
                return &m->blocks[t->block++];
    }
    return NULL;
}

static bool offered(const struct sf_operator *t, const char *name)
{
    for (size_t i = 0; i < t->request->tool_count; i++)
        if (!strcmp(t->request->tools[i].name, name))
            return true;
    return false;
}

/*
 * Refused for the scope a build begins with: the request names the file, so the scope is changed. One
 * that the user chose stays.
 */
static bool wants_scope(const struct sf_operator *t, const struct sf_block *result)
{
    return result && result->is_error && offered(t, "ChangeToolMode") &&
           strstr(result->text, "is not writable in scope implement ") &&
           strstr(result->text, "Call ChangeToolMode");
}

static bool widen_scope(struct sf_operator *t)
{
    static const char *const free_scope[] = { "mode", "free", "reason",
                                              "the request names the file", NULL };

    return sf_operator_call(t, "ChangeToolMode", free_scope) != NULL;
}

const struct sf_block *sf_operator_use(struct sf_operator *t, const char *name,
                                       const struct sf_strbuf *args)
{
    const struct sf_block *result;
    char id[32];

    if (t->waiting || t->failed)
        return NULL;
    result = next_result(t);
    if (wants_scope(t, result)) {
        if (!widen_scope(t))
            return NULL;
        result = next_result(t);
    }
    if (result && result->is_error) {
        sf_operator_refuse(t, "That did not work: %s\n", result->text);
        return NULL;
    }
    if (result)
        return result;
    if (!offered(t, name)) {
        sf_operator_refuse(t, "This needs the tool %s, which is not offered here.\n", name);
        return NULL;
    }
    t->waiting = true;
    snprintf(id, sizeof(id), "op_%zu", t->calls + 1);
    sf_message_add_call(t->answer, id, name, args->buf, args->len);
    return NULL;
}

const struct sf_block *sf_operator_call(struct sf_operator *t, const char *tool,
                                        const char *const *pairs)
{
    struct sf_strbuf args = SF_STRBUF_INIT;
    const struct sf_block *result;
    struct sf_json_writer w;

    sf_jw_init(&w, &args);
    sf_jw_object_begin(&w);
    for (; *pairs; pairs += 2) {
        if (!strcmp(pairs[0], "replace_all"))
            sf_jw_key_bool(&w, pairs[0], true);
        else
            sf_jw_key_str(&w, pairs[0], pairs[1]);
    }
    sf_jw_object_end(&w);
    result = sf_operator_use(t, tool, &args);
    sf_strbuf_release(&args);
    return result;
}

void sf_operator_say_result(struct sf_operator *t, const struct sf_block *r)
{
    if (!r)
        return;
    sf_strbuf_add(&t->text, r->text, r->len);
    if (r->len && r->text[r->len - 1] != '\n')
        sf_strbuf_addch(&t->text, '\n');
}
