/*
 * test_log_replay.c: whoever reads a session's log gets the events that were told when it was written:
 * the same kinds in the same order with the same contents. What stands in no log by its nature is
 * named in a table, with the reason.
 */
#include <inttypes.h>
#include <string.h>

#include "port/port.h"
#include "support/event_tour.h"
#include "support/test.h"

/* What is told live and not read again. Pieces of an answer are compared as the whole of it. */
static const struct {
    enum sf_event_kind kind;
    const char *why;
} of_the_moment[] = {
    { SF_EVENT_RESTART, "it is about pieces, and the log has answers" },
    { SF_EVENT_VERDICT, "verdicts are rows of the table decisions" },
    { SF_EVENT_AMENDED, "the result tells what was done instead" },
    { SF_EVENT_ASK, "the log says that somebody is asked, not with which card" },
    { SF_EVENT_QUESTION, "the same" },
    { SF_EVENT_OUTPUT, "the result has it" },
    { SF_EVENT_USAGE, "usage is rows of a table of its own" },
    { SF_EVENT_RETRY, "the request that came through is the one that counts" },
};

struct record {
    struct sf_strbuf lines;
    struct sf_strbuf text, reasoning; /* of the answer that comes in */
    bool seen[SF_EVENT_COUNT];
};

static bool is_of_the_moment(enum sf_event_kind kind)
{
    for (size_t i = 0; i < SF_COUNT(of_the_moment); i++)
        if (of_the_moment[i].kind == kind)
            return true;
    return false;
}

/* Notices that no row gives again; every other notice has to be in the log. */
static const struct {
    const char *start, *why;
} remarks[] = {
    { "the summary was made by rule", "the row of the summary says by whom" },
};

static bool is_remark(const struct sf_event *e)
{
    for (size_t i = 0; e->kind == SF_EVENT_NOTICE && i < SF_COUNT(remarks); i++)
        if (!strncmp(e->notice.text, remarks[i].start, strlen(remarks[i].start)))
            return true;
    return false;
}

/* The members that every surface shows, as JSON without the head. */
static void add_json(struct record *r, const struct sf_event *event)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event plain = *event;
    const char *at;

    plain.time_ms = 0; /* a row is written a moment before it is told */
    plain.message =
        event->kind == SF_EVENT_CALL || event->kind == SF_EVENT_RESULT ? plain.message : 0;
    sf_event_json_add(&plain, &json);
    at = strstr(json.buf, "\"type\"");
    if (event->kind == SF_EVENT_TRANSITION) /* rows have the change, not the whole record */
        sf_strbuf_truncate(&json, (size_t)(strstr(at, ",\"axes\"") - json.buf));
    sf_strbuf_adds(&r->lines, at);
    sf_strbuf_release(&json);
}

static void add_call(struct record *r, const struct sf_event_call *call)
{
    if (call)
        sf_strbuf_addf(&r->lines, " [%s: %s%s]", call->id, call->what,
                       call->amended ? ", amended" : "");
}

static void add_done(struct record *r, const struct sf_event_done *done)
{
    sf_strbuf_addf(&r->lines, "end %s %d %d %s", sf_turn_status_names[done->status], done->budget,
                   (int)done->error->fault,
                   done->error->fault != SF_FAULT_NONE ? done->error->message : "");
}

static void add_answer(struct record *r, const struct sf_event *event)
{
    sf_strbuf_addf(&r->lines, "message %" PRId64 ".%d reasoning <%s> text <%s>", event->turn,
                   event->message, r->reasoning.buf, r->text.buf);
    sf_strbuf_reset(&r->text);
    sf_strbuf_reset(&r->reasoning);
}

static void take_piece(struct record *r, const struct sf_event *event)
{
    struct sf_strbuf *to = event->kind == SF_EVENT_TEXT ? &r->text : &r->reasoning;

    if (event->kind == SF_EVENT_TEXT || event->kind == SF_EVENT_REASONING)
        sf_strbuf_add(to, event->words.text, event->words.len);
    if (event->kind == SF_EVENT_RESTART || event->kind == SF_EVENT_PROMPT) {
        sf_strbuf_reset(&r->text);
        sf_strbuf_reset(&r->reasoning);
    }
}

static void record(void *ctx, const struct sf_event *event)
{
    struct record *r = ctx;

    if (event->depth) /* a sub-agent's are in its own log */
        return;
    r->seen[event->kind] = true;
    take_piece(r, event);
    if (event->kind == SF_EVENT_TEXT || event->kind == SF_EVENT_REASONING ||
        is_of_the_moment(event->kind) || is_remark(event))
        return;
    if (event->kind == SF_EVENT_MESSAGE_END)
        add_answer(r, event);
    else if (event->kind == SF_EVENT_DONE)
        add_done(r, &event->done);
    else
        add_json(r, event);
    if (event->kind == SF_EVENT_CALL || event->kind == SF_EVENT_RESULT ||
        event->kind == SF_EVENT_ASKED)
        add_call(r, event->call);
    sf_strbuf_addch(&r->lines, '\n');
}

static void release(struct record *r)
{
    sf_strbuf_release(&r->lines);
    sf_strbuf_release(&r->text);
    sf_strbuf_release(&r->reasoning);
}

struct reading {
    struct sf_log_replay *replay;
    struct record *record;
};

static bool is_known(const char *kind)
{
    for (size_t i = 0; sf_log_kinds[i]; i++)
        if (!strcmp(sf_log_kinds[i], kind))
            return true;
    return false;
}

static bool read_row(const struct sf_event_row *row, void *ctx)
{
    struct reading *r = ctx;

    if (!is_known(row->kind))
        fail_msg("%s is not in the list of kinds", row->kind);
    sf_log_replay_row(r->replay, row, record, r->record);
    return true;
}

static void replay(struct session_case *c, struct record *out)
{
    const struct sf_event_filter all = { .session = sf_session_id(c->session) };
    struct reading r = { sf_log_replay_new(c->workspace.root), out };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_each_event(c->store, &all, read_row, &r, &err))
        fail_msg("%s", err.msg);
    sf_log_replay_end(r.replay, record, out);
    sf_log_replay_free(r.replay);
}

static void assert_same_lines(const char *live, const char *log)
{
    for (int n = 1; *live || *log; n++) {
        size_t a = strcspn(live, "\n"), b = strcspn(log, "\n");

        if (a != b || strncmp(live, log, a) != 0)
            fail_msg("event %d was told as\n%.*s\nand is read as\n%.*s", n, (int)a, live, (int)b,
                     log);
        live += a + (live[a] == '\n');
        log += b + (log[b] == '\n');
    }
}

static void test_same_as_live(void **state)
{
    struct record live = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT, { false } },
                  log = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT, { false } };

    event_tour_run(*state, record, &live);
    replay(*state, &log);
    assert_same_lines(live.lines.buf, log.lines.buf);
    for (int kind = 0; kind < SF_EVENT_OPENED; kind++)
        if (!log.seen[kind] && !is_of_the_moment((enum sf_event_kind)kind))
            fail_msg("the log gave no event of kind %d", kind);
    release(&live);
    release(&log);
}

/* Whatever the model sent, rows show paths from the workspace's root, live and later. */
static void test_paths_from_a_directory(void **state)
{
    struct session_case *c = *state;
    struct record live = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT, { false } },
                  log = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT, { false } };
    char *dir = test_path(c->workspace.root, "src/app"), *file = test_path(dir, "a.c");
    struct sf_strbuf script = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_dir_make(dir, 0755, &err));
    test_write(file, "x\n", 2);
    sf_strlist_add(&c->tools, "Read");
    sf_strlist_add(&c->tools, "Write");
    sf_strbuf_addf(&script,
                   "reply\n    call Read {\"file_path\":\"./a.c\"}\n"
                   "    call Read {\"file_path\":\"%s/src/app/a.c\"}\n"
                   "reply\n    call Write {\"file_path\":\"../lib/b.c\",\"content\":\"y\"}\n"
                   "reply\n    text \"done\"\n",
                   c->workspace.root);
    session_case_serve(c, SF_WIRE_CHAT, script.buf);
    c->below = "src/app";
    c->watch = record;
    c->watch_ctx = &live;
    session_case_open(c, NULL);
    session_case_turn(c, "go");
    replay(c, &log);
    assert_same_lines(live.lines.buf, log.lines.buf);
    assert_null(strstr(live.lines.buf, ": ./a.c]"));
    assert_null(strstr(live.lines.buf, "../lib/b.c]"));
    assert_non_null(strstr(live.lines.buf, ": src/app/a.c]"));
    assert_non_null(strstr(live.lines.buf, ": src/lib/b.c]"));
    assert_non_null(strstr(live.lines.buf, "created src/lib/b.c"));
    c->watch = NULL;
    sf_strbuf_release(&script);
    release(&live);
    release(&log);
    free(file);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_as_live, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_paths_from_a_directory, session_case_setup,
                                        session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
