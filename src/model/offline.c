/*
 * offline.c: does what a request says, clause by clause. Each clause is a small script over a
 * tape: asking for a tool gives its result when the conversation holds it already, and otherwise
 * becomes the call of this answer. Playing the script from the start each time makes it a pure
 * function of the conversation.
 */
#include "model/offline.h"

#include "base/base.h"
#include "model/offline_operator.h"
#include "model/offline_words.h"

static bool is_verb(const char *word)
{
    return sf_offline_script(word) != NULL;
}

/* A plan's steps are requests themselves: it takes all the words there are. */
static bool is_no_verb(const char *word)
{
    (void)word;
    return false;
}

/* What was typed, or what it means where that was a slash command. */
static const char *meant(const struct sf_message *m)
{
    const size_t n = strlen(SF_SLASH_OPEN);
    bool slash = m->count > 1 && m->blocks[1].kind == SF_BLOCK_TEXT &&
                 !strncmp(m->blocks[1].text, SF_SLASH_OPEN, n);

    return slash ? m->blocks[1].text + n : m->blocks[0].text;
}

/* The words of the message that began this turn, and where it stands. */
static const char *request_words(const struct sf_history *h, size_t *message)
{
    for (size_t i = h->count; i-- > 0;) {
        const struct sf_message *m = &h->messages[i];

        if (m->role == SF_ROLE_USER && m->count && m->blocks[0].kind == SF_BLOCK_TEXT) {
            *message = i;
            return meant(m);
        }
    }
    *message = 0;
    return "";
}

static size_t count_calls(const struct sf_history *h)
{
    size_t count = 0;

    for (size_t i = 0; i < h->count; i++)
        count += sf_message_calls(&h->messages[i]);
    return count;
}

static void perform(struct sf_operator *t, const char *words)
{
    struct sf_clauses clauses = { 0 };
    const char *end = strstr(words, "\n\n"); /* what follows was piped in: material */
    char *first = sf_strndup(words, end ? (size_t)(end - words) : strlen(words));

    sf_clauses_read(&clauses, first, strncasecmp(first, "plan ", 5) ? is_verb : is_no_verb);
    free(first);
    if (clauses.more)
        sf_operator_refuse(t, "I do at most %d steps at once. Ask for fewer, then for the rest.",
                           SF_CLAUSES_MAX);
    for (size_t i = 0; i < clauses.count && !t->waiting && !t->failed; i++) {
        const struct sf_clause *c = &clauses.items[i];
        sf_script_fn *run = c->words[0].quoted ? NULL : sf_offline_script(c->words[0].text);

        if (t->text.len)
            sf_strbuf_addch(&t->text, '\n');
        if (run)
            run(t, c);
        else
            sf_operator_refuse(t, "I do not understand \"%s\".\n\n%s", c->text, sf_offline_help);
    }
    if (!clauses.count)
        sf_operator_say(t, "%s", sf_offline_help);
    sf_clauses_release(&clauses);
}

static void emit(const struct sf_operator *t, sf_stream_fn *fn, void *ctx)
{
    struct sf_stream_event e = { .kind = SF_STREAM_BEGIN, .text = "offline", .len = 7 };
    struct sf_message *m = t->answer;
    bool calls = sf_message_calls(m) > 0;

    fn(ctx, &e);
    if (!calls && t->text.len) {
        e = (struct sf_stream_event){ .kind = SF_STREAM_TEXT,
                                      .text = t->text.buf,
                                      .len = t->text.len };
        fn(ctx, &e);
        sf_message_add_text(m, t->text.buf, t->text.len);
    }
    for (size_t i = 0; i < m->count; i++) {
        e = (struct sf_stream_event){ .kind = SF_STREAM_BLOCK, .block = &m->blocks[i] };
        fn(ctx, &e);
    }
    e = (struct sf_stream_event){ .kind = SF_STREAM_END,
                                  .stop = calls       ? SF_STOP_CALLS
                                          : t->failed ? SF_STOP_UNABLE
                                                      : SF_STOP_END };
    fn(ctx, &e);
}

void sf_offline_answer(const struct sf_wire_request *request, sf_stream_fn *fn, void *ctx)
{
    struct sf_message answer = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);
    struct sf_operator t = { .request = request, .history = request->history, .answer = &answer };
    const char *words = request_words(request->history, &t.message);

    sf_strbuf_init(&t.text);
    t.calls = count_calls(request->history);
    perform(&t, words);
    emit(&t, fn, ctx);
    sf_strbuf_release(&t.text);
    sf_message_release(&answer);
}
