/*
 * log.c: builds a conversation, event by event. Steers join the message with the results as soon as
 * it has its last result, or become a message of their own after an answer without calls; both
 * follow from the order of events alone.
 */
#include "agent/log.h"

#include "base/base.h"

void sf_conversation_release(struct sf_conversation *conversation)
{
    sf_history_release(&conversation->history);
    sf_message_release(&conversation->results);
    sf_strlist_release(&conversation->steers);
    *conversation = (struct sf_conversation)SF_CONVERSATION_INIT;
}

static void add_steers(struct sf_conversation *conversation, struct sf_message *message)
{
    for (size_t i = 0; i < conversation->steers.count; i++)
        sf_message_add_text(message, conversation->steers.items[i],
                            strlen(conversation->steers.items[i]));
    sf_strlist_release(&conversation->steers);
}

void sf_conversation_user(struct sf_conversation *conversation, struct sf_message *message)
{
    conversation->in_turn = true;
    sf_history_adopt(&conversation->history, message);
}

/* One empty block for each call keeps the results in the order of the calls. */
void sf_conversation_answer(struct sf_conversation *conversation, struct sf_message *message)
{
    size_t calls = sf_message_calls(message);

    sf_message_release(&conversation->results);
    conversation->results = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_USER);
    conversation->open = calls;
    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].kind == SF_BLOCK_CALL)
            sf_message_add(&conversation->results, SF_BLOCK_TEXT)->id =
                sf_strdup(message->blocks[i].id);
    if (message->count)
        sf_history_adopt(&conversation->history, message);
    else
        sf_message_release(message);
    if (!calls && conversation->steers.count)
        add_steers(conversation, sf_history_add(&conversation->history, SF_ROLE_USER));
}

void sf_conversation_steer(struct sf_conversation *conversation, const char *text, size_t len)
{
    sf_strlist_adopt(&conversation->steers, sf_strndup(text, len));
}

bool sf_conversation_result(struct sf_conversation *conversation, struct sf_block *result)
{
    for (size_t i = 0; i < conversation->results.count; i++) {
        struct sf_block *b = &conversation->results.blocks[i];

        if (b->kind != SF_BLOCK_TEXT || strcmp(b->id, result->id) != 0)
            continue;
        sf_block_release(b);
        *b = *result;
        *result = (struct sf_block){ 0 };
        if (--conversation->open == 0) {
            add_steers(conversation, &conversation->results);
            sf_history_adopt(&conversation->history, &conversation->results);
            conversation->results = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_USER);
        }
        return true;
    }
    return false;
}

void sf_conversation_compact(struct sf_conversation *conversation, const char *summary, size_t len,
                             size_t keep)
{
    struct sf_history fresh = SF_HISTORY_INIT;
    size_t from = keep < conversation->history.count ? conversation->history.count - keep : 0;

    sf_message_add_text(sf_history_add(&fresh, SF_ROLE_USER), summary, len);
    for (size_t i = from; i < conversation->history.count; i++)
        sf_history_adopt(&fresh, &conversation->history.messages[i]);
    sf_history_release(&conversation->history);
    conversation->history = fresh;
}

static bool drop_reasoning(struct sf_message *m)
{
    size_t kept = 0, count = m->count;

    for (size_t i = 0; i < count; i++) {
        if (m->blocks[i].kind == SF_BLOCK_REASONING)
            sf_block_release(&m->blocks[i]);
        else
            m->blocks[kept++] = m->blocks[i];
    }
    m->count = kept;
    return kept < count;
}

/* Leaves a note in place of each image, since the text around it may refer to it. */
static bool drop_images(struct sf_message *m)
{
    static const char note[] = "[sf] There was an image here, which the service did not take.";
    bool any = false;

    for (size_t i = 0; i < m->count; i++) {
        struct sf_block *b = &m->blocks[i];
        struct sf_strbuf text = SF_STRBUF_INIT;

        if (!b->data)
            continue;
        any = true;
        sf_strbuf_add(&text, b->text ? b->text : "", b->text ? b->len : 0);
        sf_strbuf_addf(&text, "%s%s", text.len ? "\n" : "", note);
        free(b->text);
        free(b->data);
        free(b->media);
        b->data = b->media = NULL;
        b->len = text.len;
        b->text = sf_strbuf_detach(&text);
        if (b->kind == SF_BLOCK_IMAGE)
            b->kind = SF_BLOCK_TEXT;
    }
    return any;
}

bool sf_conversation_forget(struct sf_conversation *conversation, const char *what)
{
    struct sf_history *h = &conversation->history;
    bool had = !conversation->no_summaries;
    bool (*drop)(struct sf_message *) = strcmp(what, "images") ? drop_reasoning : drop_images;
    size_t kept = 0;
    bool any = false;

    if (!strcmp(what, "summaries")) {
        conversation->no_summaries = true;
        return had;
    }
    for (size_t i = 0; i < h->count; i++) {
        any = drop(&h->messages[i]) || any;
        if (h->messages[i].count)
            h->messages[kept++] = h->messages[i];
        else
            sf_message_release(&h->messages[i]); /* the message had nothing else */
    }
    h->count = kept;
    return any;
}

void sf_conversation_end(struct sf_conversation *conversation)
{
    conversation->in_turn = false;
    sf_strlist_release(&conversation->steers);
}

const struct sf_block *sf_conversation_unanswered(const struct sf_conversation *conversation,
                                                  size_t index)
{
    const struct sf_history *h = &conversation->history;
    const struct sf_message *answer = h->count ? &h->messages[h->count - 1] : NULL;
    size_t n = 0;

    if (!conversation->open || !answer)
        return NULL;
    for (size_t i = 0; i < answer->count; i++) {
        if (answer->blocks[i].kind != SF_BLOCK_CALL)
            continue;
        if (n >= index && conversation->results.blocks[n].kind == SF_BLOCK_TEXT)
            return &answer->blocks[i];
        n++;
    }
    return NULL;
}

static bool read_message(struct sf_message *message, const struct sf_json *json, enum sf_role role,
                         struct sf_error *err)
{
    const struct sf_json *inner = sf_json_get(json, "message");

    if (!inner)
        return sf_fail(err, SF_E_DAMAGED, "it has no message");
    if (!sf_message_from_json(message, inner, err))
        return false;
    if (message->role == role)
        return true;
    sf_message_release(message);
    return sf_fail(err, SF_E_DAMAGED, "its message has the wrong role");
}

static bool read_user(struct sf_conversation *conversation, const struct sf_json *json,
                      struct sf_error *err)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);

    if (!read_message(&m, json, SF_ROLE_USER, err))
        return false;
    sf_conversation_user(conversation, &m);
    return true;
}

static bool read_answer(struct sf_conversation *conversation, const struct sf_json *json,
                        struct sf_error *err)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);

    if (!read_message(&m, json, SF_ROLE_ASSISTANT, err))
        return false;
    sf_conversation_answer(conversation, &m);
    return true;
}

/* A result is stored as a message of one block, so that blocks have one stored form. */
static bool read_result(struct sf_conversation *conversation, const struct sf_json *json,
                        struct sf_error *err)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);
    bool ok = read_message(&m, json, SF_ROLE_USER, err);

    if (ok && (m.count != 1 || m.blocks[0].kind != SF_BLOCK_RESULT ||
               !sf_conversation_result(conversation, &m.blocks[0])))
        ok = sf_fail(err, SF_E_DAMAGED, "it answers no call");
    sf_message_release(&m);
    return ok;
}

static bool read_steer(struct sf_conversation *conversation, const struct sf_json *json,
                       struct sf_error *err)
{
    const char *text;

    if (!sf_json_get_str(json, "text", &text, err))
        return false;
    sf_conversation_steer(conversation, text, strlen(text));
    return true;
}

static bool read_compaction(struct sf_conversation *conversation, const struct sf_json *json,
                            struct sf_error *err)
{
    const char *summary;
    int64_t keep;

    if (!sf_json_get_str(json, "summary", &summary, err) ||
        !sf_json_get_int(json, "keep", &keep, err))
        return false;
    if (keep < 0 || (uint64_t)keep > conversation->history.count)
        return sf_fail(err, SF_E_DAMAGED, "it keeps more messages than there are");
    sf_conversation_compact(conversation, summary, strlen(summary), (size_t)keep);
    return true;
}

static bool read_forget(struct sf_conversation *conversation, const struct sf_json *json,
                        struct sf_error *err)
{
    const char *what;

    if (!sf_json_opt_str(json, "what", "reasoning", &what, err))
        return false;
    sf_conversation_forget(conversation, what);
    return true;
}

static bool read_end(struct sf_conversation *conversation, const struct sf_json *json,
                     struct sf_error *err)
{
    (void)json;
    (void)err;
    sf_conversation_end(conversation);
    return true;
}

static const struct {
    const char *kind;
    bool (*read)(struct sf_conversation *conversation, const struct sf_json *json,
                 struct sf_error *err);
} readers[] = {
    { SF_LOG_USER, read_user },     { SF_LOG_ASSISTANT, read_answer },
    { SF_LOG_RESULT, read_result }, { SF_LOG_STEER, read_steer },
    { SF_LOG_END, read_end },       { SF_LOG_COMPACTION, read_compaction },
    { SF_LOG_FORGET, read_forget }, { SF_LOG_REMARK, read_steer },
};

bool sf_conversation_read(struct sf_conversation *conversation, const char *kind, const char *json,
                          size_t len, struct sf_error *err)
{
    struct sf_json *tree;
    bool ok;

    for (size_t i = 0; i < SF_COUNT(readers); i++) {
        if (strcmp(readers[i].kind, kind) != 0)
            continue;
        tree = sf_json_parse(json, len, NULL, err);
        ok = tree && readers[i].read(conversation, tree, err);
        sf_json_free(tree);
        if (!ok)
            sf_error_prefix(err, "the event %s cannot be read: ", kind);
        return ok;
    }
    return true;
}
