/*
 * ask.c: questions of a one-shot run, one at a time in the order they came. An answer that is none
 * of the letters is a refusal with a reason, or the answer to a question of the model.
 */
#include "app/ask.h"

#include <termios.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"

const char *const sf_on_ask_names[] = { "deny", "ask", "allow", NULL };

void sf_ask_init(struct sf_ask *ask, struct sf_loop *loop, enum sf_on_ask how)
{
    *ask = (struct sf_ask){ .loop = loop, .how = how };
    sf_strbuf_init(&ask->line);
}

void sf_ask_release(struct sf_ask *ask)
{
    sf_loop_remove(ask->loop, ask->watch);
    sf_strbuf_release(&ask->line);
    sf_strlist_release(&ask->waiting);
    sf_strlist_release(&ask->cards);
    sf_strlist_release(&ask->kinds);
}

static void print_card(const struct sf_ask *ask)
{
    fputs(ask->cards.items[0], stderr);
    fflush(stderr);
}

static void take_line(void *ctx, int fd, unsigned events);

static void begin_next(struct sf_ask *ask)
{
    if (!ask->waiting.count) {
        sf_loop_remove(ask->loop, ask->watch);
        ask->watch = 0;
        return;
    }
    if (ask->shown)
        return;
    ask->shown = true;
    /* Text typed before the question is no answer to it. */
    tcflush(STDIN_FILENO, TCIFLUSH);
    sf_strbuf_reset(&ask->line);
    print_card(ask);
    if (!ask->watch)
        ask->watch = sf_loop_watch_fd(ask->loop, STDIN_FILENO, SF_FD_READ, take_line, ask);
}

static void forget(struct sf_ask *ask, size_t index)
{
    ask->shown = ask->shown && index > 0;
    sf_strlist_remove(&ask->waiting, index);
    sf_strlist_remove(&ask->cards, index);
    sf_strlist_remove(&ask->kinds, index);
}

static const struct {
    const char *word;
    enum sf_reply reply;
    bool confirms; /* The word also answers a question of the safety harness. */
} words[] = {
    { "y", SF_REPLY_ONCE, false },    { "yes", SF_REPLY_ONCE, true },
    { "s", SF_REPLY_SESSION, false }, { "w", SF_REPLY_WORKSPACE, false },
    { "n", SF_REPLY_DENY, true },     { "no", SF_REPLY_DENY, true },
    { "q", SF_REPLY_STOP, true },
};

static void answer(struct sf_ask *ask, const char *line)
{
    char *id = sf_strdup(ask->waiting.items[0]);
    bool confirm = !strcmp(ask->kinds.items[0], "confirm");
    bool question = !strcmp(ask->kinds.items[0], "question");
    bool own = !strcmp(ask->kinds.items[0], "own");
    enum sf_reply reply = SF_REPLY_DENY;
    const char *said = line;

    for (size_t i = 0; !question && i < SF_COUNT(words); i++) {
        if (strcasecmp(words[i].word, line) != 0 || (confirm && !words[i].confirms))
            continue;
        reply = words[i].reply;
        said = NULL;
    }
    if (!question && said &&
        !*said) { /* Enter alone decides nothing: the question is asked again. */
        print_card(ask);
        free(id);
        return;
    }
    if (own && said) { /* The answer is neither yes nor no. */
        print_card(ask);
        free(id);
        return;
    }
    forget(ask, 0);
    if (own)
        sf_port_reply(ask->port, reply == SF_REPLY_ONCE);
    else
        sf_port_answer(ask->port, id, reply, said, "user");
    free(id);
    begin_next(ask);
}

static void take_line(void *ctx, int fd, unsigned events)
{
    struct sf_ask *ask = ctx;
    char buf[4096];
    ssize_t n = read(fd, buf, sizeof(buf));
    char *end;

    (void)events;
    if (n <= 0) { /* The terminal is gone, so nobody will answer. */
        while (ask->waiting.count) {
            char *id = sf_strdup(ask->waiting.items[0]);

            bool own = !strcmp(ask->kinds.items[0], "own");

            forget(ask, 0);
            if (own)
                sf_port_reply(ask->port, false);
            else
                sf_port_answer(ask->port, id, SF_REPLY_ABSENT, NULL, "sf");
            free(id);
        }
        begin_next(ask);
        return;
    }
    sf_strbuf_add(&ask->line, buf, (size_t)n);
    while (ask->waiting.count && (end = memchr(ask->line.buf, '\n', ask->line.len))) {
        char *line = sf_strndup(ask->line.buf, (size_t)(end - ask->line.buf));

        sf_strbuf_splice(&ask->line, 0, (size_t)(end - ask->line.buf) + 1, "", 0);
        answer(ask, line);
        free(line);
    }
    if (ask->line.len > sizeof(buf))
        sf_strbuf_reset(&ask->line);
}

/* A line of its own for each line of the change, with marks for what would not be seen. */
static void add_planned(const struct sf_event_words *planned, struct sf_strbuf *out)
{
    const char *line = planned->text, *end = line ? line + planned->len : NULL;

    while (line < end) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((newline ? newline : end) - line);

        sf_strbuf_adds(out, "  ");
        sf_exact_add(out, line, n, true);
        sf_strbuf_addch(out, '\n');
        line += n + (newline != NULL);
    }
}

static void add_losses(const struct sf_losses *losses, struct sf_strbuf *out)
{
    for (int i = 0; losses && i < SF_LOSS_COUNT; i++)
        if (losses->text[i]) {
            sf_strbuf_addf(out, "  %s: ", sf_loss_labels[i]);
            sf_exact_add(out, losses->text[i], strlen(losses->text[i]), true);
            sf_strbuf_addch(out, '\n');
        }
    for (size_t i = 0; losses && i < losses->names.count; i++) {
        sf_strbuf_adds(out, i ? "    " : "  all lost:\n    ");
        sf_exact_add(out, losses->names.items[i], strlen(losses->names.items[i]), true);
        sf_strbuf_addch(out, '\n');
    }
}

/* The letters that answer, after what an answer with s or w would cover. */
static void add_answers(const struct sf_event_ask *ask, struct sf_strbuf *out)
{
    struct sf_strbuf kept = SF_STRBUF_INIT;

    if (ask->partly)
        sf_strbuf_adds(out, "  more than a question holds: not all of this call is shown\n");
    if (ask->judged->verdict.confirm) {
        sf_strbuf_adds(out, "  type yes to run it, n to refuse, q to stop, or words to say "
                            "why not\n> ");
    } else if (!sf_ask_keeps(ask, &kept)) {
        sf_strbuf_adds(out, "  [y] once  [n] no  [q] stop, or words to say why not\n> ");
    } else {
        sf_strbuf_adds(out, "  s and w allow ");
        sf_exact_add(out, kept.buf, kept.len, true);
        sf_strbuf_adds(out, "\n  [y] once  [s] for this session  [w] for this workspace  [n] no  "
                            "[q] stop, or words to say why not\n> ");
    }
    sf_strbuf_release(&kept);
}

/* All of the call is printed: a terminal can scroll back. */
static void write_card(const struct sf_event *event, struct sf_strbuf *out)
{
    const struct sf_event_ask *ask = &event->ask;
    size_t len = strlen(event->call->what);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (len > SF_ASK_TEXT_MAX)
        len = sf_utf8_cut(event->call->what, SF_ASK_TEXT_MAX);
    sf_strbuf_addf(&text, "\n? %s  ", event->call->name);
    sf_exact_add(&text, event->call->what, len, false);
    sf_strbuf_addf(&text, "\n  %s\n", ask->judged->verdict.reason);
    if (ask->judged->cage_brief)
        sf_strbuf_addf(&text, "  cage: %s\n", ask->judged->cage_brief);
    add_losses(ask->losses, &text);
    add_planned(&ask->planned, &text);
    if (ask->preview)
        sf_strbuf_adds(&text, ask->preview);
    add_answers(ask, &text);
    sf_text_sanitize(out, text.buf, text.len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    sf_strbuf_release(&text);
}

static void write_question(const struct sf_event *event, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "\n? ");
    sf_text_sanitize(out, event->words.text, event->words.len, SF_TEXT_NEWLINES);
    sf_strbuf_adds(out, "\n> ");
}

static void write_plan(const struct sf_ask *ask, const struct sf_event *event,
                       struct sf_strbuf *out)
{
    enum sf_profile profile = sf_handoff_profile(sf_port_state(ask->port)->profile);

    sf_strbuf_addf(out, "\n? accept this plan, and build it under the profile %s?\n\n",
                   sf_axis_name(SF_AXIS_PROFILE, (int)profile));
    sf_text_sanitize(out, event->submitted.text, event->submitted.len, SF_TEXT_NEWLINES);
    sf_strbuf_adds(out, "\n\n  [y] accept  [n] no  [q] stop, or words to say why not\n> ");
}

static void wait_for(struct sf_ask *ask, const struct sf_event *event)
{
    struct sf_strbuf card = SF_STRBUF_INIT;
    bool question = event->kind == SF_EVENT_QUESTION, plan = event->kind == SF_EVENT_SUBMITTED;

    if (question)
        write_question(event, &card);
    else if (plan)
        write_plan(ask, event, &card);
    else
        write_card(event, &card);
    sf_strlist_add(&ask->waiting, event->call->id);
    sf_strlist_adopt(&ask->cards, sf_strbuf_detach(&card));
    sf_strlist_add(&ask->kinds, question                                      ? "question"
                                : !plan && event->ask.judged->verdict.confirm ? "confirm"
                                                                              : "ask");
    if (ask->waiting.count == 1)
        begin_next(ask);
}

/*
 * The policy answers at once where the profile asks. Questions of the safety harness, and whether
 * credentials may be read, are never answered by a policy.
 */
static void answer_by_policy(struct sf_ask *ask, const struct sf_event *event)
{
    bool person = event->kind == SF_EVENT_QUESTION || event->kind == SF_EVENT_SUBMITTED ||
                  sf_verdict_needs_person(&event->ask.judged->verdict);

    sf_port_answer(ask->port, event->call->id, person ? SF_REPLY_ABSENT : SF_REPLY_ONCE, NULL,
                   "--on-ask");
}

void sf_ask_take(struct sf_ask *ask, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_ASK || event->kind == SF_EVENT_QUESTION ||
        event->kind == SF_EVENT_SUBMITTED) {
        if (ask->how == SF_ON_ASK_ALLOW)
            answer_by_policy(ask, event);
        else
            wait_for(ask, event);
    } else if (event->kind == SF_EVENT_RESULT) {
        for (size_t i = 0; i < ask->waiting.count; i++) {
            if (strcmp(ask->waiting.items[i], event->call->id) != 0)
                continue;
            forget(ask, i);
            begin_next(ask);
            return;
        }
    }
}

static void write_own(const char *markdown, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "\n? ");
    sf_text_sanitize(out, markdown, strlen(markdown), SF_TEXT_NEWLINES);
    sf_strbuf_addch(out, '\n');
}

void sf_ask_print(const char *markdown)
{
    struct sf_strbuf card = SF_STRBUF_INIT;

    write_own(markdown, &card);
    fputs(card.buf, stderr);
    sf_strbuf_release(&card);
}

void sf_ask_own(struct sf_ask *ask, const char *markdown)
{
    struct sf_strbuf card = SF_STRBUF_INIT;

    write_own(markdown, &card);
    sf_strbuf_adds(&card, "  [y] yes  [n] no\n> ");
    sf_strlist_add(&ask->waiting, "");
    sf_strlist_adopt(&ask->cards, sf_strbuf_detach(&card));
    sf_strlist_add(&ask->kinds, "own");
    if (ask->waiting.count == 1)
        begin_next(ask);
}
