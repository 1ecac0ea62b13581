/*
 * dialogue.c: lines in, deeds out. A prompt or a command waits in the queue here until nothing
 * runs; answers, steering and cancelling act at once. Nothing is sent from within an event: the
 * caller lets the queue go on after each turn of the loop.
 */
#include "port/dialogue.h"

#include "port/incoming.h"
#include "port/internal.h"

const char *const sf_input_status_names[] = {
    [SF_INPUT_TAKEN] = "taken",
    [SF_INPUT_QUEUED] = "queued",
    [SF_INPUT_REFUSED] = "refused",
    [SF_INPUT_DROPPED] = "dropped",
    NULL,
};

/* A prompt or a command that waits. */
struct queued {
    int64_t line;
    char *id;         /* or NULL */
    const char *kind; /* the type of the line */
    bool command;
    struct sf_strbuf text;
};

/* A call that waits for an answer. */
struct waiting {
    char *call;
    bool is_ask;         /* otherwise a question of the model or a plan */
    bool is_question;    /* of the model */
    bool confirm, keeps; /* which replies an ask takes */
};

struct sf_dialogue {
    struct sf_dialogue_setup setup;
    struct sf_strbuf rest; /* the line that is not complete yet */
    bool skips;            /* the rest of a line that is too long */
    int64_t line;          /* lines so far */
    struct queued *queue;
    size_t count, cap;
    struct waiting *calls;
    size_t call_count, call_cap;
    bool ended, refused;
};

struct sf_dialogue *sf_dialogue_new(const struct sf_dialogue_setup *setup)
{
    struct sf_dialogue *d = sf_alloc(sizeof(*d));

    d->setup = *setup;
    sf_strbuf_init(&d->rest);
    return d;
}

static void release_queued(struct queued *q)
{
    free(q->id);
    sf_strbuf_release(&q->text);
}

void sf_dialogue_free(struct sf_dialogue *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->count; i++)
        release_queued(&d->queue[i]);
    for (size_t i = 0; i < d->call_count; i++)
        free(d->calls[i].call);
    free(d->queue);
    free(d->calls);
    sf_strbuf_release(&d->rest);
    free(d);
}

/* ---- what becomes of a line ---- */

static void tell(struct sf_dialogue *d, struct sf_event_input input)
{
    d->refused = d->refused || input.status == SF_INPUT_REFUSED;
    d->setup.input(d->setup.ctx, &input);
}

static void tell_read(struct sf_dialogue *d, const struct sf_incoming *in,
                      enum sf_input_status status)
{
    tell(d, (struct sf_event_input){ .line = d->line,
                                     .id = sf_incoming_text(in, "id"),
                                     .kind = in->type->name,
                                     .status = (int)status });
}

static void refuse(struct sf_dialogue *d, const struct sf_incoming *in, const struct sf_error *err)
{
    tell(d, (struct sf_event_input){ .line = d->line,
                                     .id = sf_incoming_text(in, "id"),
                                     .kind = in->type ? in->type->name : NULL,
                                     .status = SF_INPUT_REFUSED,
                                     .message = err->msg,
                                     .hint = *err->hint ? err->hint : NULL });
}

static void tell_queued(struct sf_dialogue *d, const struct queued *q, enum sf_input_status status)
{
    tell(d, (struct sf_event_input){
                .line = q->line, .id = q->id, .kind = q->kind, .status = (int)status });
}

/* ---- lines that wait ---- */

static void enqueue(struct sf_dialogue *d, struct queued *q)
{
    d->queue = sf_grow(d->queue, &d->cap, d->count + 1, sizeof(*d->queue));
    d->queue[d->count++] = *q;
}

/*
 * Decision: Reading never pauses: where as many lines wait as may, a further one is refused.
 *   Problem: What waits moves on only when the turn ends, and the answer or the cancelling that lets
 *   it end may be a line that is not read yet.
 *   Cost: A program that has more to say waits until one of its lines is taken.
 *   Enforced by: app/exec_dialogue.
 */
static bool has_room(const struct sf_dialogue *d, struct sf_error *err)
{
    if (d->count < SF_DIALOGUE_QUEUE_MAX)
        return true;
    sf_fail(err, SF_E_LIMIT, "%d lines wait already", SF_DIALOGUE_QUEUE_MAX);
    return sf_hint(err, "send it again when one of them is taken");
}

/* What can begin at once is not called queued. */
static void keep(struct sf_dialogue *d, struct queued *q)
{
    if (d->count || !sf_port_is_idle(d->setup.port))
        tell_queued(d, q, SF_INPUT_QUEUED);
    enqueue(d, q);
}

static void perform(struct sf_dialogue *d, const struct queued *q)
{
    tell_queued(d, q, SF_INPUT_TAKEN);
    if (q->command)
        sf_port_line(d->setup.port, q->text.buf);
    else
        sf_port_send(d->setup.port, q->text.buf, q->text.len);
}

void sf_dialogue_advance(struct sf_dialogue *d)
{
    while (d->count && sf_port_is_idle(d->setup.port)) {
        struct queued first = d->queue[0];

        memmove(d->queue, d->queue + 1, --d->count * sizeof(*d->queue));
        perform(d, &first);
        release_queued(&first);
    }
}

void sf_dialogue_begin(struct sf_dialogue *d, const char *text, size_t len)
{
    struct queued q = { .kind = "prompt", .text = SF_STRBUF_INIT };

    sf_strbuf_add(&q.text, text, len);
    keep(d, &q);
}

/* ---- calls that wait ---- */

static void forget_call(struct sf_dialogue *d, size_t index)
{
    free(d->calls[index].call);
    memmove(d->calls + index, d->calls + index + 1, (--d->call_count - index) * sizeof(*d->calls));
}

static struct waiting *find_call(struct sf_dialogue *d, const char *id)
{
    for (size_t i = 0; i < d->call_count; i++)
        if (!strcmp(d->calls[i].call, id))
            return &d->calls[i];
    return NULL;
}

static void note_call(struct sf_dialogue *d, const struct sf_event *event)
{
    bool is_ask = event->kind == SF_EVENT_ASK;
    struct sf_strbuf kept = SF_STRBUF_INIT;
    struct waiting *w = find_call(d, event->call->id);

    if (!w) {
        d->calls = sf_grow(d->calls, &d->call_cap, d->call_count + 1, sizeof(*d->calls));
        w = &d->calls[d->call_count++];
        *w = (struct waiting){ .call = sf_strdup(event->call->id) };
    }
    w->is_ask = is_ask;
    w->is_question = event->kind == SF_EVENT_QUESTION;
    w->confirm = is_ask && event->ask.judged->verdict.confirm;
    w->keeps = is_ask && sf_ask_keeps(&event->ask, &kept);
    sf_strbuf_release(&kept);
}

static void answer_absent(struct sf_dialogue *d)
{
    while (d->call_count) {
        char *call = sf_strdup(d->calls[0].call);

        forget_call(d, 0);
        sf_port_answer(d->setup.port, call, SF_REPLY_ABSENT, NULL, "sf");
        free(call);
    }
}

void sf_dialogue_event(struct sf_dialogue *d, const struct sf_event *event)
{
    struct waiting *w;

    if (!d->setup.answers)
        return;
    if (event->kind == SF_EVENT_ASK || event->kind == SF_EVENT_QUESTION ||
        event->kind == SF_EVENT_SUBMITTED) {
        note_call(d, event);
        if (d->ended)
            answer_absent(d);
    } else if (event->kind == SF_EVENT_ANSWERED || event->kind == SF_EVENT_RESULT) {
        w = find_call(d, event->call->id);
        if (w)
            forget_call(d, (size_t)(w - d->calls));
    }
}

void sf_dialogue_response(struct sf_dialogue *d, const struct sf_response *response)
{
    if (d->setup.answers && d->ended && response->kind == SF_RESPONSE_QUESTION)
        sf_port_reply(d->setup.port, false);
}

/* ---- doing what a line says ---- */

static bool take_prompt(struct sf_dialogue *d, const struct sf_incoming *in, struct sf_error *err)
{
    const char *id = sf_incoming_text(in, "id");
    struct queued q = { .line = d->line, .kind = in->type->name, .text = SF_STRBUF_INIT };

    if (!has_room(d, err) || !sf_incoming_words(in, &q.text, err)) {
        sf_strbuf_release(&q.text);
        return false;
    }
    q.id = id ? sf_strdup(id) : NULL;
    keep(d, &q);
    return true;
}

/* A turn can be steered; a summary, a restore and a command of the user's cannot. */
static bool can_steer(const struct sf_port *p)
{
    return sf_port_busy(p) && !sf_port_restoring(p) && !sf_session_sums_up(p->session);
}

static bool take_steer(struct sf_dialogue *d, const struct sf_incoming *in, struct sf_error *err)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    bool ok;

    if (!can_steer(d->setup.port))
        return take_prompt(d, in, err);
    ok = sf_incoming_words(in, &words, err);
    if (ok) {
        tell_read(d, in, SF_INPUT_TAKEN);
        sf_port_send(d->setup.port, words.buf, words.len);
    }
    sf_strbuf_release(&words);
    return ok;
}

static const enum sf_reply replies[] = {
    [SF_LINE_REPLY_ONCE] = SF_REPLY_ONCE,       [SF_LINE_REPLY_SURE] = SF_REPLY_ONCE,
    [SF_LINE_REPLY_SESSION] = SF_REPLY_SESSION, [SF_LINE_REPLY_WORKSPACE] = SF_REPLY_WORKSPACE,
    [SF_LINE_REPLY_DENY] = SF_REPLY_DENY,       [SF_LINE_REPLY_STOP] = SF_REPLY_STOP,
};

/* What needs a confirmation takes no answer that was meant for any call. */
static bool fits(const struct waiting *w, enum sf_line_reply reply, struct sf_error *err)
{
    bool lasts = reply == SF_LINE_REPLY_SESSION || reply == SF_LINE_REPLY_WORKSPACE;

    if (w->confirm && (reply == SF_LINE_REPLY_ONCE || lasts)) {
        sf_fail(err, SF_E_ARG, "this call needs to be confirmed");
        return sf_hint(err, "the replies are confirm, deny and stop");
    }
    if (!w->confirm && reply == SF_LINE_REPLY_SURE && w->is_ask) {
        sf_fail(err, SF_E_ARG, "this call needs no confirmation");
        return sf_hint(err, "the replies are once, deny and stop, and those of its `ask`");
    }
    if (lasts && !w->keeps) {
        sf_fail(err, SF_E_ARG, "this call is approved once, or not at all");
        return sf_hint(err, "the replies are once, deny and stop");
    }
    return true;
}

static bool read_reply(const struct waiting *w, const struct sf_incoming *in,
                       enum sf_line_reply *reply, struct sf_error *err)
{
    const char *word = sf_incoming_text(in, "reply"), *words = sf_incoming_text(in, "words");
    int i = 0;

    *reply = SF_LINE_REPLY_DENY;
    if (w->is_question)
        return words || sf_fail(err, SF_E_ARG, "the answer to a question is in \"words\"");
    if (!word)
        return sf_fail(err, SF_E_ARG, "a line of the type answer needs \"reply\"");
    while (strcmp(sf_line_replies[i], word) != 0)
        i++;
    *reply = (enum sf_line_reply)i;
    return fits(w, *reply, err);
}

static bool take_answer(struct sf_dialogue *d, const struct sf_incoming *in, struct sf_error *err)
{
    const char *call = sf_incoming_text(in, "call");
    const struct waiting *w = find_call(d, call);
    enum sf_line_reply reply;
    char quote[SF_QUOTE_MAX];

    if (!w) {
        sf_fail(err, SF_E_NOENT, "no call %s waits for an answer",
                sf_quote(quote, call, strlen(call)));
        return sf_hint(err, "`call` is the `id` of an ask, a question or a plan_submitted");
    }
    if (!read_reply(w, in, &reply, err))
        return false;
    tell_read(d, in, SF_INPUT_TAKEN);
    forget_call(d, (size_t)(w - d->calls));
    sf_port_answer(d->setup.port, call, replies[reply], sf_incoming_text(in, "words"), "program");
    return true;
}

static bool take_confirm(struct sf_dialogue *d, const struct sf_incoming *in, struct sf_error *err)
{
    if (!d->setup.port->questions.count)
        return sf_fail(err, SF_E_NOENT, "no question of sf's own waits for an answer");
    tell_read(d, in, SF_INPUT_TAKEN);
    sf_port_reply(d->setup.port, sf_incoming_flag(in, "yes"));
    return true;
}

static bool take_cancel(struct sf_dialogue *d, const struct sf_incoming *in, struct sf_error *err)
{
    if (!sf_port_works(d->setup.port))
        return sf_fail(err, SF_E_NOENT, "nothing runs that could be stopped");
    tell_read(d, in, SF_INPUT_TAKEN);
    sf_port_cancel(d->setup.port);
    return true;
}

static bool take_command(struct sf_dialogue *d, const struct sf_incoming *in, struct sf_error *err)
{
    const char *text = sf_incoming_text(in, "text"), *id = sf_incoming_text(in, "id");
    struct queued q = { .line = d->line, .kind = in->type->name, .command = true };

    if (!sf_port_is_command(d->setup.port, text))
        return sf_fail(err, SF_E_ARG, "a command begins with a slash and has one line");
    if (sf_incoming_flag(in, "now")) {
        tell_read(d, in, SF_INPUT_TAKEN);
        sf_port_line(d->setup.port, text);
        return true;
    }
    if (!has_room(d, err))
        return false;
    q.id = id ? sf_strdup(id) : NULL;
    sf_strbuf_init(&q.text);
    sf_strbuf_adds(&q.text, text);
    keep(d, &q);
    return true;
}

static bool take_end(struct sf_dialogue *d, const struct sf_incoming *in, struct sf_error *err)
{
    (void)err;
    tell_read(d, in, SF_INPUT_TAKEN);
    sf_dialogue_end(d);
    return true;
}

static bool (*const takes[SF_INCOMING_COUNT])(struct sf_dialogue *d, const struct sf_incoming *in,
                                              struct sf_error *err) = {
    [SF_INCOMING_PROMPT] = take_prompt, [SF_INCOMING_STEER] = take_steer,
    [SF_INCOMING_ANSWER] = take_answer, [SF_INCOMING_CONFIRM] = take_confirm,
    [SF_INCOMING_CANCEL] = take_cancel, [SF_INCOMING_COMMAND] = take_command,
    [SF_INCOMING_END] = take_end,       [SF_INCOMING_USER] = take_prompt,
};

/* ---- lines ---- */

static void take_line(struct sf_dialogue *d, const char *line, size_t len)
{
    struct sf_incoming in = { .json = NULL };
    struct sf_error err = SF_ERROR_INIT;

    if (!len || strspn(line, " \t\r") >= len) /* The byte behind a line is no blank. */
        return;
    if (!sf_incoming_read(&in, line, len, &err) || !takes[in.type->kind](d, &in, &err))
        refuse(d, &in, &err);
    sf_incoming_release(&in);
}

static void refuse_long(struct sf_dialogue *d)
{
    struct sf_incoming none = { .json = NULL };
    struct sf_error err = SF_ERROR_INIT;

    sf_fail(&err, SF_E_LIMIT, "the line has more than %d MiB", SF_INCOMING_MAX >> 20);
    sf_hint(&err, "put long text in a file, and name the file");
    refuse(d, &none, &err);
}

/*
 * A mark that some programs put in front of UTF-8 is no part of the first line. The line is detached
 * first: one that says that no other follows is not the rest of the input as well.
 */
static void end_line(struct sf_dialogue *d)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct sf_strbuf line = d->rest;
    bool too_long = d->skips;
    size_t skip = 0;

    sf_strbuf_init(&d->rest);
    d->skips = false;
    d->line++;
    if (d->line == 1 && !strncmp(line.buf, mark, strlen(mark)))
        skip = strlen(mark);
    if (too_long)
        refuse_long(d);
    else
        take_line(d, line.buf + skip, line.len - skip);
    sf_strbuf_release(&line);
    sf_dialogue_advance(d); /* A line finds done what the one before it began. */
}

static void add_piece(struct sf_dialogue *d, const char *bytes, size_t len)
{
    if (d->skips)
        return;
    d->skips = d->rest.len + len > SF_INCOMING_MAX;
    if (d->skips)
        sf_strbuf_release(&d->rest);
    else
        sf_strbuf_add(&d->rest, bytes, len);
}

void sf_dialogue_feed(struct sf_dialogue *d, const char *bytes, size_t len)
{
    while (len && !d->ended) {
        const char *newline = memchr(bytes, '\n', len);
        size_t n = newline ? (size_t)(newline - bytes) : len;

        add_piece(d, bytes, n);
        if (newline)
            end_line(d);
        n += newline != NULL;
        bytes += n;
        len -= n;
    }
}

/* Nobody is there any more to answer what waits. */
static void leave_questions(struct sf_dialogue *d)
{
    answer_absent(d);
    while (d->setup.answers && sf_port_reply(d->setup.port, false))
        ;
}

/* The last line may lack its newline; if it is cut in the middle, reading it says so. */
void sf_dialogue_end(struct sf_dialogue *d)
{
    if (d->ended)
        return;
    d->ended = true;
    if (d->rest.len || d->skips)
        end_line(d);
    leave_questions(d);
}

void sf_dialogue_stop(struct sf_dialogue *d)
{
    d->ended = true;
    for (size_t i = 0; i < d->count; i++) {
        tell_queued(d, &d->queue[i], SF_INPUT_DROPPED);
        release_queued(&d->queue[i]);
    }
    d->count = 0;
    leave_questions(d);
}

bool sf_dialogue_ended(const struct sf_dialogue *d)
{
    return d->ended;
}

bool sf_dialogue_is_over(const struct sf_dialogue *d)
{
    return d->ended && !d->count && sf_port_is_idle(d->setup.port);
}

bool sf_dialogue_refused(const struct sf_dialogue *d)
{
    return d->refused;
}
