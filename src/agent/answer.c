/*
 * answer.c: takes the blocks of an answer into the history: makes ids unique, limits the size of
 * arguments, drops empty texts; and removes blocks again that a service rejects.
 */
#include "agent/internal.h"
#include "base/base.h"

/* The size of the text in the log; escapes make it longer. */
static size_t stored_size(const char *text, size_t len)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    size_t size;

    if (!text)
        return 0;
    sf_jw_init(&w, &json);
    sf_jw_strn(&w, text, len);
    size = json.len;
    sf_strbuf_release(&json);
    return size;
}

static void set_text(struct sf_block *b, const char *text, size_t len)
{
    char *copy = sf_strndup(text, len);

    free(b->text);
    b->text = copy;
    b->len = len;
}

/*
 * The log accepts an answer as a whole or not at all, so an answer that is too large is reduced
 * here: calls lose their arguments and are refused, text is cut, reasoning is dropped. False: drop
 * the block.
 */
static bool fit_block(struct sf_agent *a, struct sf_block *b)
{
    size_t room = SF_AGENT_ANSWER_MAX - a->answer_size;
    size_t size = stored_size(b->text, b->len) + (b->raw ? stored_size(b->raw, strlen(b->raw)) : 0);

    if (b->kind == SF_BLOCK_CALL && (b->len > SF_AGENT_ARGS_MAX || size > room)) {
        set_text(b, SF_ARGS_TOO_LARGE, strlen(SF_ARGS_TOO_LARGE));
        size = b->len;
    } else if (b->kind == SF_BLOCK_TEXT && size > room) {
        set_text(b, b->text, sf_utf8_cut(b->text, room / 6)); /* an escape has at most six bytes */
        size = stored_size(b->text, b->len);
    } else if (size > room) {
        return false;
    }
    a->answer_size += size < room ? size : room;
    return b->kind != SF_BLOCK_TEXT || b->len;
}

static bool has_call(const struct sf_message *m, const char *id)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->blocks[i].kind == SF_BLOCK_CALL && !strcmp(m->blocks[i].id, id))
            return true;
    return false;
}

static bool is_used(const struct sf_agent *a, const char *id)
{
    for (size_t i = a->conversation.history.count; i-- > 0;)
        if (has_call(&a->conversation.history.messages[i], id))
            return true;
    return has_call(&a->answer, id);
}

/* Small servers number calls from 1 in each answer, but services require unique ids. */
static void make_unique(const struct sf_agent *a, struct sf_block *call)
{
    char *first = sf_strdup(call->id);

    for (unsigned n = 2; is_used(a, call->id); n++) {
        struct sf_strbuf id = SF_STRBUF_INIT;

        sf_strbuf_addf(&id, "%s_%u", first, n);
        free(call->id);
        call->id = sf_strbuf_detach(&id);
    }
    free(first);
}

void sf_answer_take(struct sf_agent *a, struct sf_block *block)
{
    if (!a->answer.count)
        a->answer_size = 0;
    if (!fit_block(a, block))
        return;
    if (block->kind == SF_BLOCK_CALL)
        make_unique(a, block);
    sf_message_adopt(&a->answer, block);
}

void sf_agent_count(struct sf_agent *a, int64_t tokens, size_t messages)
{
    a->counted = tokens;
    a->guessed = 0;
    a->guessed_messages = messages;
}

static bool forget(struct sf_agent *a, const char *what, const char *words, struct sf_effects *fx)
{
    struct sf_effect *save;

    if (!sf_conversation_forget(&a->conversation, what))
        return false;
    save = sf_effect_add(fx, SF_DO_SAVE);
    save->event = SF_LOG_FORGET;
    sf_strbuf_addf(&save->json, "{\"what\":\"%s\"}", what);
    sf_agent_count(a, 0, 0);
    sf_strbuf_addf(&sf_effect_add(fx, SF_DO_NOTICE)->text,
                   "the service rejects the request: asking again without %s", words);
    return true;
}

/*
 * Reasoning is sent back encrypted, images as they were read. If a service rejects one of them
 * (another account or model, a damaged file, too many pixels), it would reject every later request
 * of the session; without them the session continues. Not every account may get summaries of
 * reasoning.
 */
static const struct {
    const char *sign, *what, *words;
} burdens[] = {
    { "reasoning.summary", "summaries", "summaries of its reasoning" },
    { "reasoning summar", "summaries", "summaries of its reasoning" },
    { "image", "images", "the images so far" },
    { "", "reasoning", "the reasoning so far" },
    { "", "images", "the images so far" },
};

bool sf_answer_forget(struct sf_agent *a, const char *complaint, struct sf_effects *fx)
{
    for (size_t i = 0; i < SF_COUNT(burdens); i++)
        if (strcasestr(complaint, burdens[i].sign) &&
            forget(a, burdens[i].what, burdens[i].words, fx))
            return true;
    return false;
}
