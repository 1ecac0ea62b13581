/*
 * event_tour.c: a table of turns, each with the model's part and what the user does meanwhile.
 */
#include "support/event_tour.h"

#include <string.h>

#include "run/run.h"
#include "support/plan_case.h"
#include "support/test.h"
#include "workspace/workspace.h"

/* What the user does once the turn has come to that kind of event. */
enum deed { NOTHING, APPROVE, REFUSE, AMEND, TELL, STEER, STEER_AND_STOP };

static const struct turn {
    const char *words;
    enum sf_event_kind at;
    enum deed deed;
    const char *replies;
} turns[] = {
    { "look around", SF_EVENT_DONE, NOTHING,
      "reply\n    reasoning \"I look first.\"\n    text \"Looking.\"\n"
      "    call LS {\"path\":\".\"}\n    call Glob {\"pattern\":\"*\"}\n"
      "    call Plan {\"items\":[{\"content\":\"look\",\"status\":\"completed\"},"
      "{\"content\":\"write\",\"status\":\"in_progress\"}]}\n"
      "    call Write {\"file_path\":\"a.txt\",\"content\":\"one\\n\"}\n"
      "    call Write {\"file_path\":\"b.txt\",\"content\":\"two\\n\"}\n"
      "    call Findings {\"findings\":[{\"file\":\"a.txt\",\"line\":1,\"severity\":\"minor\","
      "\"title\":\"odd\",\"explanation\":\"so\",\"suggestion\":\"not so\"}]}\n"
      "    call Nonsense {\"a\":1}\n"
      "reply\n    text \"I looked, and wrote.\"\n" },
    { "run something", SF_EVENT_DONE, NOTHING,
      "reply\n    call Bash {\"command\":\"echo out; false\"}\nreply\n    text \"It ran.\"\n" },
    { "delete one", SF_EVENT_ASK, APPROVE,
      "reply\n    call Bash {\"command\":\"rm a.txt\"}\nreply\n    text \"Deleted.\"\n" },
    { "delete the other", SF_EVENT_ASK, REFUSE,
      "reply\n    call Bash {\"command\":\"rm b.txt\"}\nreply\n    text \"Kept.\"\n" },
    { "delete it now", SF_EVENT_ASK, AMEND,
      "reply\n    call Bash {\"command\":\"rm b.txt\"}\nreply\n    text \"As you like.\"\n" },
    { "leave the fence", SF_EVENT_DONE, NOTHING,
      "reply\n    call Write {\"file_path\":\"/etc/sf-test\",\"content\":\"x\"}\n"
      "reply\n    text \"That is refused.\"\n" },
    { "ask me", SF_EVENT_QUESTION, TELL,
      "reply\n    call AskUser {\"question\":\"Which **one**?\"}\nreply\n    text \"That one.\"\n" },
    { "change the scope", SF_EVENT_DONE, NOTHING,
      "reply\n    call ChangeToolMode {\"mode\":\"docs\",\"reason\":\"words\"}\n"
      "    call Write {\"file_path\":\"README.md\",\"content\":\"three\\n\"}\n"
      "reply\n    text \"Words only.\"\n" },
    { "work in the background", SF_EVENT_DONE, NOTHING,
      "reply\n    call Bash {\"command\":\"sh leave.sh\",\"run_in_background\":true}\n"
      "reply\n    call Write {\"file_path\":\"docs/go\",\"content\":\"go\\n\"}\n"
      "reply\n    call BashOutput {\"id\":1,\"wait_ms\":240000}\n"
      "reply\n    text \"It left the scope.\"\n" },
    { "wait for me", SF_EVENT_VERDICT, STEER,
      "reply\n    text \"I wait.\"\n    call Bash {\"command\":\"true\"}\n"
      "reply\n    text \"Both.\"\n" },
    { "never mind", SF_EVENT_OUTPUT, STEER_AND_STOP,
      "reply\n    call Bash {\"command\":\"echo begun; sleep 600\"}\n" },
    { "send another", SF_EVENT_DONE, NOTHING,
      "reply\n    call Agent {\"prompt\":\"count\",\"description\":\"count\"}\n"
      "reply\n    call LS {\"path\":\".\"}\nreply\n    text \"one file\"\nreply\n    text \"One.\"\n" },
    { "try again", SF_EVENT_DONE, NOTHING,
      "reply\n    text \"half of\"\n    error overloaded_error \"busy\"\n"
      "reply\n    text \"The whole.\"\n" },
    { "too much", SF_EVENT_DONE, NOTHING,
      "reply\n    status 400 code=context_length_exceeded \"prompt is too long: 9 > 8\"\n"
      "reply\n    text \"In short.\"\n" },
    { "fail", SF_EVENT_DONE, NOTHING, "reply\n    status 401 \"no such key\"\n" },
};

static const struct turn planning[] = {
    { "plan it", SF_EVENT_SUBMITTED, REFUSE,
      "reply\n    call Plan {\"submit\":\"# The plan\\n\\n1. Do it.\\n\"}\n"
      "reply\n    text \"Then not.\"\n" },
    { "plan it again", SF_EVENT_SUBMITTED, APPROVE,
      "reply\n    call Plan {\"submit\":\"# The plan\\n\\n1. Do it well.\\n\"}\n"
      "reply\n    text \"Built.\"\n" },
};

struct tour {
    struct session_case *c;
    sf_session_event_fn *heard;
    void *ctx;
    const struct turn *turn;
    char *call; /* that the deed is about; NULL: not yet */
    bool due, done;
    int restored;
    struct sf_run *run; /* that hears the events too; or NULL */
};

static void hear(void *ctx, const struct sf_event *event)
{
    struct tour *t = ctx;

    t->heard(t->ctx, event);
    if (t->run)
        sf_run_event(t->run, event);
    if (event->depth || event->kind != t->turn->at || t->due || t->turn->deed == NOTHING)
        return;
    t->due = true;
    t->call = event->call ? sf_strdup(event->call->id) : NULL;
}

static void steer(struct tour *t)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_send(t->c->session, "and this", 8, &err))
        fail_msg("%s", err.msg);
}

static void amend(struct tour *t)
{
    const struct sf_amendment amendment = {
        .text = "echo other", .len = 10, .run = true, .who = "test"
    };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_amend(t->c->session, t->call, &amendment, &err))
        fail_msg("%s", err.msg);
}

/* Not from within the event: whoever is told must not say anything. */
static void act(struct tour *t)
{
    t->done = true;
    switch (t->turn->deed) {
    case NOTHING:
        break;
    case APPROVE:
        assert_true(sf_session_answer(t->c->session, t->call, SF_REPLY_ONCE, NULL, "test"));
        break;
    case REFUSE:
        assert_true(sf_session_answer(t->c->session, t->call, SF_REPLY_DENY, "not now", "test"));
        break;
    case AMEND:
        amend(t);
        break;
    case TELL:
        assert_true(sf_session_answer(t->c->session, t->call, SF_REPLY_ONCE, "the other", "test"));
        break;
    case STEER_AND_STOP:
        steer(t);
        sf_session_cancel(t->c->session);
        break;
    case STEER:
        steer(t);
        break;
    }
}

static void wait_for(struct tour *t, const int *count)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!*count) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("%s: it hangs", t->turn->words);
        sf_loop_turn(t->c->loop, 1000);
        if (t->due && !t->done)
            act(t);
    }
}

static void play(struct tour *t, const struct turn *turn)
{
    struct sf_error err = SF_ERROR_INIT;

    memset(t->c->event, 0, sizeof(t->c->event));
    t->turn = turn;
    t->due = t->done = false;
    if (!sf_session_send(t->c->session, turn->words, strlen(turn->words), &err))
        fail_msg("%s", err.msg);
    wait_for(t, &t->c->event[SF_EVENT_DONE]);
    if (turn->deed != NOTHING && !t->done)
        fail_msg("%s: nothing came of it", turn->words);
    free(t->call);
    t->call = NULL;
}

static void set_goal(struct session_case *c, const char *line)
{
    struct sf_goal_command command;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_goal_command_parse(line, strlen(line), &command, &err) ||
        !sf_session_goal_do(c->session, &command, &err))
        fail_msg("%s", err.msg);
}

static void set_mode(struct session_case *c, int work)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_confirm confirm = { .given = true };
    struct sf_error err = SF_ERROR_INIT;

    sf_change_axis(&change, SF_AXIS_WORK, work);
    if (!sf_session_change(c->session, &change, SF_WHEN_DEFAULT, "test", &confirm, &err))
        fail_msg("%s", err.msg);
}

static void run_shell(struct tour *t)
{
    struct sf_error err = SF_ERROR_INIT;

    memset(t->c->event, 0, sizeof(t->c->event));
    if (!sf_session_shell(t->c->session, "echo mine", &err))
        fail_msg("%s", err.msg);
    wait_for(t, &t->c->event[SF_EVENT_RESULT]);
}

static void confirm(void *ctx, const struct sf_restore_job *job)
{
    struct tour *t = ctx;

    t->restored += job->state == SF_RESTORE_STATE_RECORDED;
    if (job->state == SF_RESTORE_STATE_ENDED)
        fail_msg("nothing was put back: %s", job->err.msg);
    if (job->state == SF_RESTORE_STATE_PLANNED)
        sf_session_restore_answer(t->c->session, true);
}

/* All files as they were before the session. */
static void restore(struct tour *t)
{
    const struct sf_restore_what what = { .goal = SF_RESTORE_TO_START };
    const struct sf_restore_how how = { .reason = "test", .overwrite = true };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_restore(t->c->session, &what, &how, confirm, t, &err))
        fail_msg("%s", err.msg);
    wait_for(t, &t->restored);
}

/* A job that writes outside the scope, and leaves settings behind that git would run. */
static void write_job(struct session_case *c)
{
    static const char script[] = "until test -e docs/go; do sleep 0.05; done\necho out > left.txt\n"
                                 "git init -q made\ngit -C made config core.fsmonitor /bin/true\n";
    char *path = test_path(c->workspace.root, "leave.sh");

    test_write(path, script, sizeof(script) - 1);
    free(path);
}

/* The model is told with the next words, and so is everybody else. */
static void change_instructions(struct session_case *c)
{
    char *path = test_path(c->workspace.root, "AGENTS.md");
    struct sf_instructions held = SF_INSTRUCTIONS_INIT;
    struct sf_error err = SF_ERROR_INIT;

    test_write(path, "Be brief.\n", 10);
    free(path);
    sf_session_instructions_held(c->session, &held);
    if (!sf_instructions_accept(c->state_dir, &held, &err))
        fail_msg("%s", err.msg);
    sf_instructions_release(&held);
}

static void prepare(struct session_case *c)
{
    static const char *const names[] = {
        "LS",   "Glob",       "Plan",    "Findings",       "Write",
        "Bash", "BashOutput", "AskUser", "ChangeToolMode", "Agent"
    };
    struct sf_strbuf script = SF_STRBUF_INIT;

    c->attended = true;
    sf_strlist_release(&c->tools);
    for (size_t i = 0; i < SF_COUNT(names); i++)
        sf_strlist_add(&c->tools, names[i]);
    session_case_settings(c, "[network]\nretries = 1\nretry_wait = 0.001\n"
                             "[snapshots]\nenabled = true\n");
    for (size_t i = 0; i < SF_COUNT(turns); i++)
        sf_strbuf_adds(&script, turns[i].replies);
    for (size_t i = 0; i < SF_COUNT(planning); i++)
        sf_strbuf_adds(&script, planning[i].replies);
    sf_strbuf_adds(&script, "reply\n    text \"The unit is done.\"\n");
    session_case_serve(c, SF_WIRE_ANTHROPIC, script.buf);
    sf_strbuf_release(&script);
}

/* A plan of one task that nothing verifies, so that control comes back. */
static void carry_out(struct tour *t)
{
    struct session_case *c = t->c;
    const struct sf_run_setup setup = { .loop = c->loop,
                                        .workers = c->workers,
                                        .store = c->store,
                                        .config = c->config,
                                        .workspace = &c->workspace,
                                        .state_dir = c->state_dir,
                                        .session = c->session,
                                        .surface = "headless" };
    char *plan = test_plan_text(1, "Do it");
    struct sf_error err = SF_ERROR_INIT;
    int64_t carried;

    if (!test_plan_accept(c->store, "tour", plan, &carried, &err) ||
        !(t->run = sf_run_open(&setup, "tour", &err)))
        fail_msg("%s", err.msg);
    sf_run_go(t->run);
    while (sf_run_works(t->run))
        sf_loop_turn(c->loop, 1000);
    sf_run_close(t->run);
    t->run = NULL;
    free(plan);
}

void event_tour_run(struct session_case *c, sf_session_event_fn *heard, void *ctx)
{
    struct tour t = { .c = c, .heard = heard, .ctx = ctx, .turn = &turns[0] };

    prepare(c);
    write_job(c);
    c->watch = hear;
    c->watch_ctx = &t; /* cppcheck-suppress autoVariables */
    session_case_open(c, NULL);
    set_goal(c, "see it all --budget 900k");
    for (size_t i = 0; i < SF_COUNT(turns); i++)
        play(&t, &turns[i]);
    run_shell(&t);
    restore(&t);
    set_goal(c, "pause");
    set_mode(c, SF_WORK_PLAN);
    change_instructions(c);
    for (size_t i = 0; i < SF_COUNT(planning); i++)
        play(&t, &planning[i]);
    carry_out(&t);
    set_goal(c, "clear");
    session_case_check_server(c, "the tour");
    c->watch = NULL;
    c->watch_ctx = NULL;
}
