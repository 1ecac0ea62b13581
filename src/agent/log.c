/*
 * log.c: puts a conversation together, event by event. Steered words join the message that
 * carries results as soon as its last result is there, or become a message of their own behind
 * an answer that calls nothing; both follow from the order of events alone.
 */
#include "agent/log.h"

#include "base/base.h"

void sf_tale_release(struct sf_tale *tale)
{
    sf_history_release(&tale->history);
    sf_message_release(&tale->results);
    sf_strlist_release(&tale->steers);
    *tale = (struct sf_tale)SF_TALE_INIT;
}

static void add_steers(struct sf_tale *tale, struct sf_message *message)
{
    for (size_t i = 0; i < tale->steers.count; i++)
        sf_message_add_text(message, tale->steers.items[i], strlen(tale->steers.items[i]));
    sf_strlist_release(&tale->steers);
}

void sf_tale_user(struct sf_tale *tale, struct sf_message *message)
{
    tale->in_turn = true;
    sf_history_adopt(&tale->history, message);
}

/* One empty block for each call keeps the results in the order of the calls. */
void sf_tale_answer(struct sf_tale *tale, struct sf_message *message)
{
    size_t calls = sf_message_calls(message);

    sf_message_release(&tale->results);
    tale->results = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_USER);
    tale->open = calls;
    for (size_t i = 0; i < message->count; i++)
        if (message->blocks[i].kind == SF_BLOCK_CALL)
            sf_message_add(&tale->results, SF_BLOCK_TEXT)->id = sf_strdup(message->blocks[i].id);
    if (message->count)
        sf_history_adopt(&tale->history, message);
    else
        sf_message_release(message);
    if (!calls && tale->steers.count)
        add_steers(tale, sf_history_add(&tale->history, SF_ROLE_USER));
}

void sf_tale_steer(struct sf_tale *tale, const char *text, size_t len)
{
    sf_strlist_adopt(&tale->steers, sf_strndup(text, len));
}

bool sf_tale_result(struct sf_tale *tale, struct sf_block *result)
{
    for (size_t i = 0; i < tale->results.count; i++) {
        struct sf_block *b = &tale->results.blocks[i];

        if (b->kind != SF_BLOCK_TEXT || strcmp(b->id, result->id) != 0)
            continue;
        sf_block_release(b);
        *b = *result;
        *result = (struct sf_block){ 0 };
        if (--tale->open == 0) {
            add_steers(tale, &tale->results);
            sf_history_adopt(&tale->history, &tale->results);
            tale->results = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_USER);
        }
        return true;
    }
    return false;
}

void sf_tale_compact(struct sf_tale *tale, const char *summary, size_t len, size_t keep)
{
    struct sf_history fresh = SF_HISTORY_INIT;
    size_t from = keep < tale->history.count ? tale->history.count - keep : 0;

    sf_message_add_text(sf_history_add(&fresh, SF_ROLE_USER), summary, len);
    for (size_t i = from; i < tale->history.count; i++)
        sf_history_adopt(&fresh, &tale->history.messages[i]);
    sf_history_release(&tale->history);
    tale->history = fresh;
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

/* That something was there stays: the words around it speak of it. */
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

bool sf_tale_forget(struct sf_tale *tale, const char *what)
{
    struct sf_history *h = &tale->history;
    bool had = !tale->no_summaries;
    bool (*drop)(struct sf_message *) = strcmp(what, "images") ? drop_reasoning : drop_images;
    size_t kept = 0;
    bool any = false;

    if (!strcmp(what, "summaries")) {
        tale->no_summaries = true;
        return had;
    }
    for (size_t i = 0; i < h->count; i++) {
        any = drop(&h->messages[i]) || any;
        if (h->messages[i].count)
            h->messages[kept++] = h->messages[i];
        else
            sf_message_release(&h->messages[i]); /* it was nothing else */
    }
    h->count = kept;
    return any;
}

void sf_tale_end(struct sf_tale *tale)
{
    tale->in_turn = false;
    sf_strlist_release(&tale->steers);
}

const struct sf_block *sf_tale_unanswered(const struct sf_tale *tale, size_t index)
{
    const struct sf_history *h = &tale->history;
    const struct sf_message *answer = h->count ? &h->messages[h->count - 1] : NULL;
    size_t n = 0;

    if (!tale->open || !answer)
        return NULL;
    for (size_t i = 0; i < answer->count; i++) {
        if (answer->blocks[i].kind != SF_BLOCK_CALL)
            continue;
        if (n >= index && tale->results.blocks[n].kind == SF_BLOCK_TEXT)
            return &answer->blocks[i];
        n++;
    }
    return NULL;
}

static bool read_message(struct sf_message *message, const struct sf_json *json, enum sf_role role,
                         struct sf_error *err)
{
    const struct sf_json *inner = sf_json_get(json, "message");

    if (!inner || !sf_message_from_json(message, inner, err))
        return inner || sf_fail(err, SF_E_DAMAGED, "it has no message");
    if (message->role == role)
        return true;
    sf_message_release(message);
    return sf_fail(err, SF_E_DAMAGED, "its message has the wrong role");
}

static bool read_user(struct sf_tale *tale, const struct sf_json *json, struct sf_error *err)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);

    if (!read_message(&m, json, SF_ROLE_USER, err))
        return false;
    sf_tale_user(tale, &m);
    return true;
}

static bool read_answer(struct sf_tale *tale, const struct sf_json *json, struct sf_error *err)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);

    if (!read_message(&m, json, SF_ROLE_ASSISTANT, err))
        return false;
    sf_tale_answer(tale, &m);
    return true;
}

/* Stored as a message of one block, so that blocks have one written form. */
static bool read_result(struct sf_tale *tale, const struct sf_json *json, struct sf_error *err)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);
    bool ok = read_message(&m, json, SF_ROLE_USER, err);

    if (ok && (m.count != 1 || m.blocks[0].kind != SF_BLOCK_RESULT ||
               !sf_tale_result(tale, &m.blocks[0])))
        ok = sf_fail(err, SF_E_DAMAGED, "it answers no call");
    sf_message_release(&m);
    return ok;
}

static bool read_steer(struct sf_tale *tale, const struct sf_json *json, struct sf_error *err)
{
    const char *text;

    if (!sf_json_get_str(json, "text", &text, err))
        return false;
    sf_tale_steer(tale, text, strlen(text));
    return true;
}

static bool read_compaction(struct sf_tale *tale, const struct sf_json *json, struct sf_error *err)
{
    const char *summary;
    int64_t keep;

    if (!sf_json_get_str(json, "summary", &summary, err) ||
        !sf_json_get_int(json, "keep", &keep, err))
        return false;
    if (keep < 0 || (uint64_t)keep > tale->history.count)
        return sf_fail(err, SF_E_DAMAGED, "it keeps more messages than there are");
    sf_tale_compact(tale, summary, strlen(summary), (size_t)keep);
    return true;
}

static bool read_forget(struct sf_tale *tale, const struct sf_json *json, struct sf_error *err)
{
    const char *what;

    if (!sf_json_opt_str(json, "what", "reasoning", &what, err))
        return false;
    sf_tale_forget(tale, what);
    return true;
}

static bool read_end(struct sf_tale *tale, const struct sf_json *json, struct sf_error *err)
{
    (void)json;
    (void)err;
    sf_tale_end(tale);
    return true;
}

static const struct {
    const char *kind;
    bool (*read)(struct sf_tale *tale, const struct sf_json *json, struct sf_error *err);
} readers[] = {
    { SF_LOG_USER, read_user },     { SF_LOG_ASSISTANT, read_answer },
    { SF_LOG_RESULT, read_result }, { SF_LOG_STEER, read_steer },
    { SF_LOG_END, read_end },       { SF_LOG_COMPACTION, read_compaction },
    { SF_LOG_FORGET, read_forget }, { SF_LOG_REMARK, read_steer },
};

bool sf_tale_read(struct sf_tale *tale, const char *kind, const char *json, size_t len,
                  struct sf_error *err)
{
    struct sf_json *tree;
    bool ok;

    for (size_t i = 0; i < SF_COUNT(readers); i++) {
        if (strcmp(readers[i].kind, kind) != 0)
            continue;
        tree = sf_json_parse(json, len, NULL, err);
        ok = tree && readers[i].read(tale, tree, err);
        sf_json_free(tree);
        if (!ok)
            sf_error_prefix(err, "the event %s cannot be read: ", kind);
        return ok;
    }
    return true;
}
