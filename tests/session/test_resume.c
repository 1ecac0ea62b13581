/*
 * Random sessions, ended at a random moment and resumed. Ended between two turns, everything that
 * follows is, byte for byte, what a session that was never ended sends, and the axes, what waits,
 * the model and the costs are the same. Ended in the middle of a turn, all that came before it is
 * the same, the axes are those in which the turn would have left them, and the service takes what
 * is sent next. Resuming twice changes nothing more. Instructions and notes change meanwhile, and
 * files go back; a request says so in the same bytes, and the system prompt stays what it was.
 *
 * SF_ROUNDS is the number of rounds, SF_SEED where they begin.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "support/model_client.h"
#include "support/session_case.h"
#include "support/test.h"

enum { ROUNDS = 8, SEED = 7000, STEPS = 9, ASKS = 32 };

enum step {
    SAY,
    WRITE,
    READ_TWO,
    BASH,
    REMEMBER,
    SHELL,
    AXIS,
    FOR_NEXT,
    MODEL,
    NOTE,
    RULES,
    UNDO,
    STEP_KINDS,
};

static const char *const step_names[] = { "say",      "write", "read two", "bash",
                                          "remember", "shell", "axis",     "for next",
                                          "model",    "note",  "rules",    "undo" };

struct script {
    uint64_t seed;
    enum step steps[STEPS];
    unsigned lots[STEPS]; /* what each does in detail */
    unsigned asks[ASKS];  /* how each question is answered */
};

/* One session on its way through a script. */
struct run {
    struct session_case *c;
    const struct script *script;
    size_t asked;   /* questions so far */
    size_t heard;   /* things told so far */
    size_t stop_at; /* of them; 0: never */
    bool stopped;   /* there, in the middle of a turn */
    char **bodies;  /* of the requests */
    size_t body_count;
    size_t sent_by[STEPS], asked_by[STEPS]; /* requests before the step, questions after it */
};

static unsigned draw(uint64_t *lot)
{
    *lot = *lot * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*lot >> 33);
}

static void make_script(struct script *s, uint64_t seed)
{
    /* commands take a process each, and their time */
    static const enum step often[] = { SAY,      SAY,      WRITE,    WRITE, WRITE, READ_TWO,
                                       READ_TWO, BASH,     SHELL,    AXIS,  AXIS,  FOR_NEXT,
                                       FOR_NEXT, REMEMBER, REMEMBER, MODEL, NOTE,  NOTE,
                                       RULES,    RULES,    UNDO,     UNDO };
    uint64_t lot = seed * 2654435761u + 1;

    s->seed = seed;
    for (size_t i = 0; i < STEPS; i++) {
        s->steps[i] = often[draw(&lot) % SF_COUNT(often)];
        s->lots[i] = draw(&lot);
    }
    for (size_t i = 0; i < ASKS; i++)
        s->asks[i] = draw(&lot);
}

static bool is_turn(enum step step)
{
    return step <= REMEMBER;
}

static void write_scenario(const struct script *s, struct sf_strbuf *out)
{
    for (size_t i = 0; i < STEPS; i++) {
        unsigned lot = s->lots[i];

        if (!is_turn(s->steps[i]))
            continue;
        sf_strbuf_addf(out,
                       "reply\n    usage input=%u output=%u\n    text delta=4 \"step %zu ü\"\n",
                       100 + lot % 900, 1 + lot % 90, i);
        if (s->steps[i] == SAY)
            continue;
        if (s->steps[i] == WRITE)
            sf_strbuf_addf(out, "    call Write {\"file_path\":\"f%u.txt\",\"content\":\"%u\"}\n",
                           lot % 3, lot);
        if (s->steps[i] == READ_TWO)
            sf_strbuf_adds(out, "    call Read {\"file_path\":\"one.txt\"}\n"
                                "    call Read {\"file_path\":\"sub/two.txt\"}\n");
        if (s->steps[i] == BASH)
            sf_strbuf_addf(out, "    call Bash {\"command\":\"%s\"}\n",
                           lot % 2 ? "(cd sub)" : "touch made");
        if (s->steps[i] == REMEMBER)
            sf_strbuf_addf(out, "    call Remember {\"note\":\"the model's %zu\"}\n", i);
        sf_strbuf_addf(out, "reply\n    usage input=50 output=5\n    text \"done %zu\"\n", i);
    }
    for (int i = 0; i < 3; i++)
        sf_strbuf_adds(out, "reply\n    text \"fine\"\n");
}

/* ---- running it ---- */

static void must(bool ok, const struct sf_error *err)
{
    if (!ok)
        fail_msg("%s", err->msg);
}

static void clean_workspace(struct session_case *c)
{
    static const char *const made[] = { "f0.txt",         "f1.txt",
                                        "f2.txt",         "made",
                                        "sub/made",       "AGENTS.md",
                                        "CLAUDE.md",      "../state/memory.md",
                                        "../sf/memory.md" };
    static const char *const there[] = { "one.txt", "sub/two.txt" };
    struct sf_error err = SF_ERROR_INIT;
    char *sub = test_path(c->workspace.root, "sub");

    must(sf_dir_make(sub, 0755, &err), &err);
    free(sub);
    for (size_t i = 0; i < SF_COUNT(made); i++) {
        char *path = test_path(c->workspace.root, made[i]);

        unlink(path);
        free(path);
    }
    for (size_t i = 0; i < SF_COUNT(there); i++) {
        char *path = test_path(c->workspace.root, there[i]);

        test_write(path, "text\n", 5);
        free(path);
    }
}

static void hear(void *ctx, const struct sf_event *event)
{
    struct run *r = ctx;

    (void)event;
    if (++r->heard == r->stop_at)
        r->stopped = true;
}

static void change_axis(struct run *r, unsigned lot, enum sf_when when)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_confirm confirm = { .given = true };
    struct sf_error err = SF_ERROR_INIT;

    switch (lot % 4) {
    case 0:
        sf_change_axis(&change, SF_AXIS_MODEL, (int)(lot / 4 % 3));
        break;
    case 1:
        sf_change_axis(&change, SF_AXIS_CONTROL, (int)(lot / 4 % 2));
        break;
    case 2:
        sf_change_axis(&change, SF_AXIS_PROFILE,
                       lot / 4 % 2 ? SF_PROFILE_NORMAL : SF_PROFILE_TRUSTED);
        break;
    default:
        sf_change_axis(&change, SF_AXIS_WORK, lot / 4 % 2 ? SF_WORK_BUILD : SF_WORK_REPAIR);
        break;
    }
    must(sf_session_change(r->c->session, &change, when, "test", &confirm, &err), &err);
}

/* While a question waits, nothing else moves: the one moment in a turn that can be met twice. */
static void answer(struct run *r)
{
    static const enum sf_reply replies[] = { SF_REPLY_ONCE, SF_REPLY_SESSION, SF_REPLY_DENY };
    unsigned lot = r->script->asks[r->asked++ % ASKS];
    struct sf_error err = SF_ERROR_INIT;
    char *id = r->c->asked;

    r->c->asked = NULL;
    if (lot % 3 == 0)
        must(sf_session_send(r->c->session, "and mind the gap", 16, &err), &err);
    if (lot / 3 % 3 == 0)
        change_axis(r, lot / 9, SF_WHEN_AFTER_UNIT);
    sf_session_answer(r->c->session, id, replies[lot / 9 % SF_COUNT(replies)], NULL, "test");
    free(id);
}

static void wait_for(struct run *r, const int *done)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!*done && !r->stopped) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("seed %" PRIu64 " hangs", r->script->seed);
        sf_loop_turn(r->c->loop, 1000);
        if (r->c->asked && !r->stopped)
            answer(r);
    }
}

/* ---- what changes beside the conversation ---- */

/* The project's rules: written, written anew, in another file, gone. */
static void change_rules(struct run *r, unsigned lot)
{
    char *path = test_path(r->c->workspace.root, lot % 5 ? "AGENTS.md" : "CLAUDE.md");
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "Rule %u: mind the gap.\n", lot / 10 % 3);
    if (lot % 2)
        sf_strbuf_addf(&text, "Rule %u too.\n", lot / 30);
    if (lot / 5 % 4)
        test_write(path, text.buf, text.len);
    else
        unlink(path);
    sf_strbuf_release(&text);
    free(path);
}

/* As /undo and `sf restore` write it down: in the session, or outside of any. */
static void put_back(struct run *r, size_t step, unsigned lot)
{
    const struct sf_undo_place place = { .store = r->c->store,
                                         .worktree = lot % 5 ? r->c->workspace.root : "/elsewhere",
                                         .session = lot % 2 ? sf_session_id(r->c->session) : NULL };
    struct sf_snap_restored done = SF_SNAP_RESTORED_INIT;
    struct sf_undo undo = SF_UNDO_INIT;
    struct sf_error err = SF_ERROR_INIT;

    snprintf(done.before, sizeof(done.before), "%016" PRIx64 "%02zux", r->script->seed, step);
    snprintf(done.after, sizeof(done.after), "%016" PRIx64 "%02zuy", r->script->seed, step);
    done.tally.removed = 1 + lot % 2;
    sf_strlist_addf(&done.moved, "removed f%u.txt", lot % 3);
    must(sf_undo_record(&place, &undo, "undoing the last turn", "headless", &done, &err), &err);
    sf_snap_restored_release(&done);
}

static void do_turn(struct run *r, const char *words)
{
    struct sf_error err = SF_ERROR_INIT;

    memset(r->c->event, 0, sizeof(r->c->event));
    must(sf_session_send(r->c->session, words, strlen(words), &err), &err);
    wait_for(r, &r->c->event[SF_EVENT_DONE]);
}

static void do_step(struct run *r, size_t i)
{
    static const char *const models[] = { "auto", "another-model", "" };
    unsigned lot = r->script->lots[i];
    struct sf_error err = SF_ERROR_INIT;
    char words[64];

    switch (r->script->steps[i]) {
    case SAY:
    case WRITE:
    case READ_TWO:
    case BASH:
    case REMEMBER:
        snprintf(words, sizeof(words), "please do step %zu", i);
        do_turn(r, words);
        break;
    case SHELL:
        memset(r->c->event, 0, sizeof(r->c->event));
        must(sf_session_shell(r->c->session, lot % 2 ? "(cd sub; echo two)" : "echo one", &err),
             &err);
        wait_for(r, &r->c->event[SF_EVENT_RESULT]);
        break;
    case AXIS:
        change_axis(r, lot, SF_WHEN_DEFAULT);
        break;
    case FOR_NEXT:
        change_axis(r, lot, SF_WHEN_FOR_NEXT_UNIT);
        break;
    case MODEL:
        sf_session_set_model(r->c->session, models[lot % SF_COUNT(models)]);
        break;
    case NOTE:
        snprintf(words, sizeof(words), "note %zu", i);
        must(sf_session_remember(r->c->session, lot % 2 ? SF_MEMORY_PROJECT : SF_MEMORY_USER, words,
                                 &err),
             &err);
        break;
    case RULES:
        change_rules(r, lot);
        break;
    case UNDO:
        put_back(r, i, lot);
        break;
    case STEP_KINDS:
        break;
    }
}

/* ---- what there is to compare ---- */

static bool add_cost(const struct sf_query_row *row, void *ctx)
{
    sf_strbuf_addf(ctx, "spent %" PRId64 " %" PRId64 " %" PRId64 "\n", row->values[0].integer,
                   row->values[1].integer, row->values[2].integer);
    return true;
}

static bool add_approval(void *ctx, const struct sf_approval_row *row)
{
    sf_strbuf_addf(ctx, "approved %s %s\n", row->session ? "here" : "for all", row->pattern);
    return true;
}

static void add_state(struct sf_strbuf *out, const char *name, const struct sf_mode_state *state)
{
    struct sf_mode_state copy = *state;
    struct sf_json_writer w;

    copy.version = 0;
    sf_strbuf_addf(out, "%s ", name);
    sf_jw_init(&w, out);
    sf_mode_state_json(&copy, &w);
    sf_strbuf_addch(out, '\n');
}

static void describe(struct run *r, bool spent, struct sf_strbuf *out)
{
    struct sf_mode_state pending = sf_session_preview(r->c->session);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf sql = SF_STRBUF_INIT;
    struct sf_query query = { .row = add_cost, .ctx = out };

    add_state(out, "state", sf_session_state(r->c->session));
    add_state(out, "pending", &pending);
    sf_strbuf_addf(out, "model %s\n", sf_session_model(r->c->session));
    must(sf_store_each_approval(r->c->store, sf_session_id(r->c->session), add_approval, out, &err),
         &err);
    if (spent) {
        sf_strbuf_addf(&sql,
                       "select coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0),"
                       " count(*) from usage where session_id = '%s'",
                       sf_session_id(r->c->session));
        query.sql = sql.buf;
        must(sf_store_query(r->c->state_dir, &query, &err), &err);
    }
    sf_strbuf_release(&sql);
}

static void keep_bodies(struct run *r)
{
    r->body_count = model_server_count(r->c->server);
    r->bodies = sf_alloc_array(r->body_count + 1, sizeof(*r->bodies));
    for (size_t i = 0; i < r->body_count; i++)
        r->bodies[i] = session_case_body(r->c, i);
}

static void release(struct run *r)
{
    for (size_t i = 0; i < r->body_count; i++)
        free(r->bodies[i]);
    free(r->bodies);
    *r = (struct run){ .c = r->c, .script = r->script };
}

static size_t differ_at(const char *a, const char *b)
{
    size_t at = 0;

    while (a[at] && a[at] == b[at])
        at++;
    return at;
}

static void expect_same(const struct run *r, const char *what, const char *is, const char *wanted)
{
    size_t at = differ_at(is, wanted), from = at > 200 ? at - 200 : 0;

    if (strcmp(is, wanted) == 0)
        return;
    print_message("seed %" PRIu64 ":", r->script->seed);
    for (size_t i = 0; i < STEPS; i++)
        print_message(" %s/%u", step_names[r->script->steps[i]], r->script->lots[i] % 12);
    print_message("\n");
    fail_msg("%s differs at byte %zu:\nis     …%.400s\nwanted …%.400s", what, at, is + from,
             wanted + from);
}

/* ---- the two ways through a script ---- */

static void begin(struct run *r, struct session_case *c, const struct script *s)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;

    *r = (struct run){ .c = c, .script = s };
    clean_workspace(c);
    write_scenario(s, &scenario);
    session_case_serve(c, SF_WIRE_CHAT, scenario.buf);
    session_case_open(c, NULL);
    c->watch = hear;
    c->watch_ctx = r;
    sf_strbuf_release(&scenario);
}

static void resume(struct run *r)
{
    char id[SF_ID_LEN + 1];

    snprintf(id, sizeof(id), "%s", sf_session_id(r->c->session));
    free(r->c->asked);
    r->c->asked = NULL;
    sf_session_close(r->c->session);
    r->c->session = NULL;
    session_case_open(r->c, id);
}

/* One prompt for the whole session: the first message of each request. */
static void expect_one_prompt(const struct run *r)
{
    static const char first[] = "{\"role\":\"system\"", next[] = "},{\"role\":\"user\"";

    for (size_t i = 0; i < r->body_count; i++) {
        const char *a = strstr(r->bodies[0], first), *b = strstr(r->bodies[i], first);
        char *wanted = a ? sf_strndup(a, (size_t)(strstr(a, next) - a)) : sf_strdup("");
        char *is = b ? sf_strndup(b, (size_t)(strstr(b, next) - b)) : sf_strdup("?");

        expect_same(r, "the system prompt", is, wanted);
        free(wanted);
        free(is);
    }
}

/* Never ended; `states` is what there was after each step. */
static void run_whole(struct run *r, struct session_case *c, const struct script *s,
                      struct sf_strbuf states[STEPS])
{
    begin(r, c, s);
    for (size_t i = 0; i < STEPS; i++) {
        r->sent_by[i] = model_server_count(c->server);
        do_step(r, i);
        r->asked_by[i] = r->asked;
        describe(r, true, &states[i]);
    }
    do_turn(r, "the last words");
    keep_bodies(r);
    expect_one_prompt(r);
    session_case_check_server(c, "never ended");
}

static void end_between(struct session_case *c, const struct run *whole, size_t at,
                        const struct sf_strbuf states[STEPS])
{
    struct run r;

    begin(&r, c, whole->script);
    for (size_t i = 0; i < STEPS; i++) {
        struct sf_strbuf state = SF_STRBUF_INIT;

        do_step(&r, i);
        if (i == at)
            resume(&r);
        describe(&r, true, &state);
        expect_same(&r, i == at ? "what was resumed" : "the state", state.buf, states[i].buf);
        sf_strbuf_release(&state);
    }
    do_turn(&r, "the last words");
    keep_bodies(&r);
    assert_int_equal(r.body_count, whole->body_count);
    for (size_t i = 0; i < r.body_count; i++)
        expect_same(&r, "a request", r.bodies[i], whole->bodies[i]);
    session_case_check_server(c, "ended between turns");
    release(&r);
}

/* Where in a request the messages begin, and where the last one of the user does. */
static const char *messages_of(const char *body)
{
    const char *at = strstr(body, "\"messages\":[");

    if (!at)
        fail_msg("no messages in %.300s", body);
    return at;
}

static size_t before_last(const char *messages)
{
    static const char user[] = "{\"role\":\"user\"";
    const char *last = messages;

    for (const char *at = messages; (at = strstr(at, user)); at++)
        last = at;
    return (size_t)(last - messages);
}

/*
 * All but the last message of the first request are those with which the second begins, the system
 * prompt among them.
 */
static void expect_prefix(const struct run *r, const char *shorter, const char *longer)
{
    const char *a = messages_of(shorter), *b = messages_of(longer);
    char *wanted = sf_strndup(a, before_last(a)), *is;

    is = sf_strndup(b, strnlen(b, strlen(wanted)));
    expect_same(r, "what was said before the end", is, wanted);
    free(is);
    free(wanted);
}

/* Ends while something is told; what follows is about the step in which that was. */
static void end_within(struct session_case *c, const struct run *whole, size_t stop_at,
                       const struct sf_strbuf states[STEPS])
{
    struct sf_strbuf state = SF_STRBUF_INIT, again = SF_STRBUF_INIT;
    char id[SF_ID_LEN + 1];
    size_t at = 0, axes;
    struct run r;

    begin(&r, c, whole->script);
    r.stop_at = stop_at;
    while (at < STEPS && !r.stopped)
        do_step(&r, at++);
    if (!r.stopped)
        goto out;
    r.stopped = false;
    r.stop_at = 0;
    resume(&r);
    if (sf_session_history(c->session)->count)
        session_case_check_history(c, "after the end");
    describe(&r, true, &state);
    resume(&r);
    describe(&r, true, &again);
    expect_same(&r, "what was resumed twice", again.buf, state.buf);
    axes = (size_t)(strstr(state.buf, "model ") - state.buf);
    if (r.asked == whole->asked_by[at - 1]) /* all was asked of the axes that would be */
        if (strncmp(state.buf, states[at - 1].buf, axes) != 0)
            expect_same(&r, "the axes", state.buf, states[at - 1].buf);
    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"fine\"\n");
    session_case_open(c, id);
    do_turn(&r, "go on");
    keep_bodies(&r);
    session_case_check_server(c, "ended in mid-turn");
    /* before the first words the prompt is not made yet, and notes go into it */
    if (whole->sent_by[at - 1] || is_turn(whole->script->steps[at - 1]))
        expect_prefix(&r, whole->bodies[whole->sent_by[at - 1]], r.bodies[0]);
out:
    release(&r);
    sf_strbuf_release(&again);
    sf_strbuf_release(&state);
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void test_random_sessions(void **state)
{
    uint64_t rounds = number_of("SF_ROUNDS", ROUNDS), seed = number_of("SF_SEED", SEED);
    struct session_case *c = *state;
    int64_t began = sf_clock_monotonic_ms();

    sf_strlist_add(&c->tools, "Bash");
    sf_strlist_add(&c->tools, "Remember");
    c->attended = true;
    for (uint64_t i = 0; i < rounds; i++) {
        struct sf_strbuf states[STEPS];
        struct script script;
        struct run whole;
        uint64_t lot = seed + i;

        for (size_t k = 0; k < STEPS; k++)
            sf_strbuf_init(&states[k]);
        make_script(&script, seed + i);
        run_whole(&whole, c, &script, states);
        end_between(c, &whole, draw(&lot) % STEPS, states);
        end_within(c, &whole, 1 + draw(&lot) % whole.heard, states);
        release(&whole);
        for (size_t k = 0; k < STEPS; k++)
            sf_strbuf_release(&states[k]);
    }
    print_message("%" PRIu64 " sessions from seed %" PRIu64 ", %.1f s\n", rounds, seed,
                  (double)(sf_clock_monotonic_ms() - began) / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_sessions, session_case_setup,
                                        session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
