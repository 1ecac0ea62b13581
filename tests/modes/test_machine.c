/*
 * The machine, by scripts. A step is one of
 *     tool+ tool- stubborn+ stubborn- turn+ turn- unit+ unit- milestone+ milestone-
 *     ACTOR FIELD=VALUE[,FIELD=VALUE…] [WHEN] [confirmed]     submitted, must be taken
 *     refuse …, confirm …, abort …        the same: refused, wants a confirmation, aborts the tool
 *     = build:test|assisted|normal|smart  the state now
 *     > …                                 the state once everything has happened
 *     rows 3a 2s1                         what came out since the last `rows`: id, outcome, and
 *                                         who superseded it or whom it reverts
 * Everything due is applied after each step.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/mode_state_equal.h"
#include "support/test.h"

static const struct sf_scope_set scopes = { NULL, 0, true };
static const char time_text[] = "2026-11-16T05:09:53.123Z";

enum { STEPS = 16 };

static const struct script {
    const char *name, *start, *steps[STEPS];
} scripts[] = {
    { "idle: at once",
      "build|manual|normal|smart",
      { "user mode=plan", "= plan:docs|manual|normal|smart", "rows 1a" } },
    { "several fields at once",
      "build|manual|normal|smart",
      { "user mode=repair,control=autonomous,profile=restricted,model=deep",
        "= repair:free|autonomous|restricted|deep", "rows 1a" } },
    { "a tool runs: after it, by default",
      "build|manual|normal|smart",
      { "turn+", "tool+", "user model=deep", "= build|manual|normal|smart",
        "> build|manual|normal|deep", "rows", "tool-", "= build|manual|normal|deep", "rows 1a" } },
    { "a turn without a tool: at once",
      "build|manual|normal|smart",
      { "turn+", "user model=deep", "= build|manual|normal|deep" } },
    { "now aborts what can be aborted",
      "build|manual|normal|smart",
      { "tool+", "abort user profile=restricted now", "= build|manual|normal|smart", "tool-",
        "= build|manual|restricted|smart" } },
    { "now waits for what cannot",
      "build|manual|normal|smart",
      { "stubborn+", "user profile=restricted now", "= build|manual|normal|smart", "stubborn-",
        "= build|manual|restricted|smart" } },
    { "side by side: the last one counts",
      "build|manual|normal|smart",
      { "tool+", "stubborn+", "abort user profile=restricted now", "tool-",
        "= build|manual|normal|smart", "stubborn-", "= build|manual|restricted|smart" } },
    { "after the unit",
      "build|assisted|normal|smart",
      { "unit+", "user mode=review after-current-unit", "tool+", "tool-",
        "= build|assisted|normal|smart", "unit-", "= review:review|assisted|normal|smart" } },
    { "no unit to wait for",
      "build|assisted|normal|smart",
      { "user mode=review after-current-unit", "= review:review|assisted|normal|smart" } },
    { "the unit ended while a tool ran on",
      "build|assisted|normal|smart",
      { "unit+", "tool+", "user model=fast after-current-unit", "unit-",
        "= build|assisted|normal|smart", "tool-", "= build|assisted|normal|fast" } },
    { "after the milestone",
      "build|assisted|normal|smart",
      { "milestone+", "unit+", "user model=fast next-milestone", "unit-",
        "= build|assisted|normal|smart", "milestone-", "= build|assisted|normal|fast" } },
    { "an end without a start",
      "build|assisted|normal|smart",
      { "tool-", "unit-", "milestone-", "stubborn-", "user model=fast",
        "= build|assisted|normal|fast" } },
    { "a later one replaces an earlier one",
      "build|assisted|normal|smart",
      { "tool+", "user model=deep", "user model=fast", "rows 1s2", "> build|assisted|normal|fast",
        "tool-", "= build|assisted|normal|fast", "rows 2a" } },
    { "also one that waits for longer",
      "build|assisted|normal|smart",
      { "milestone+", "user model=deep next-milestone", "user model=fast", "rows 1s2 2a",
        "milestone-", "= build|assisted|normal|fast" } },
    { "only the fields in question",
      "build|assisted|normal|smart",
      { "unit+", "user model=deep,profile=restricted after-current-unit",
        "user model=fast after-current-unit", "rows", "unit-", "= build|assisted|restricted|fast",
        "rows 1a2 2a" } },
    { "different fields keep their order",
      "build|assisted|normal|smart",
      { "tool+", "user mode=plan", "user scope=explore", "user model=deep", "tool-",
        "= plan:explore|assisted|normal|deep", "rows 1a 2a 3a" } },
    { "a work mode replaces a waiting scope",
      "build:free|assisted|normal|smart",
      { "unit+", "user scope=test after-current-unit", "user mode=review", "rows 1s2 2a", "unit-",
        "= review:review|assisted|normal|smart" } },
    { "a scope for the mode that is to come",
      "review:review|assisted|normal|smart",
      { "tool+", "user mode=build", "user scope=docs", "tool-",
        "= build:docs|assisted|normal|smart" } },
    { "for one unit, then back",
      "build|assisted|normal|smart",
      { "user model=deep for-next-unit", "= build|assisted|normal|smart", "unit+",
        "= build|assisted|normal|deep", "> build|assisted|normal|smart", "rows 1a", "unit-",
        "= build|assisted|normal|smart", "rows 2a1", "unit+", "= build|assisted|normal|smart" } },
    { "not for the unit that runs",
      "build|assisted|normal|smart",
      { "unit+", "user model=deep for-next-unit", "unit-", "= build|assisted|normal|smart", "unit+",
        "= build|assisted|normal|deep", "unit-", "= build|assisted|normal|smart" } },
    { "a work mode for one unit brings its scope back",
      "chat:docs|assisted|normal|smart",
      { "user mode=plan for-next-unit", "unit+", "= plan:docs|assisted|normal|smart", "unit-",
        "= chat:docs|assisted|normal|smart" } },
    { "the way back is replaced",
      "build|assisted|normal|smart",
      { "user model=deep for-next-unit", "unit+", "rows 1a", "user model=fast", "rows 2s3 3a",
        "unit-", "= build|assisted|normal|fast" } },
    { "the model does not replace the way back",
      "build:free|assisted|normal|smart",
      { "user scope=test for-next-unit", "unit+", "= build:test|assisted|normal|smart",
        "model scope=docs", "= build:docs|assisted|normal|smart", "unit-",
        "= build:free|assisted|normal|smart" } },
    { "the way back does not raise what was lowered",
      "build|assisted|normal|smart",
      { "user profile=trusted for-next-unit", "unit+", "= build|assisted|trusted|smart",
        "controller profile=restricted", "= build|assisted|restricted|smart", "unit-",
        "= build|assisted|restricted|smart" } },
    { "the way back leaves the scope of another mode alone",
      "build:free|assisted|normal|smart",
      { "user scope=test for-next-unit", "unit+", "controller mode=review",
        "= review:review|assisted|normal|smart", "unit-",
        "= review:review|assisted|normal|smart" } },
    { "but restores what the user had",
      "build|assisted|trusted|smart",
      { "user profile=restricted for-next-unit", "unit+", "= build|assisted|restricted|smart",
        "unit-", "= build|assisted|trusted|smart" } },
    { "a unit that never drained",
      "build|assisted|normal|smart",
      { "tool+", "user model=deep for-next-unit", "unit+", "unit-", "tool-",
        "= build|assisted|normal|smart", "unit+", "= build|assisted|normal|deep" } },
    { "the way back from a pause is a pause",
      "build|paused|normal|smart",
      { "user control=manual for-next-unit", "unit+", "= build|manual|normal|smart", "unit-",
        "= build|paused|normal|smart" } },
    { "a pause is not for one unit",
      "build|autonomous|normal|smart",
      { "refuse user paused=1 for-next-unit" } },
    { "pause and resume",
      "build|autonomous|normal|smart",
      { "user paused=1", "= build|paused|normal|smart", "refuse controller paused=0",
        "user paused=0", "= build|autonomous|normal|smart" } },
    { "nothing to pause", "build|manual|normal|smart", { "refuse user paused=1" } },
    { "a pause that came too late",
      "build|autonomous|normal|smart",
      { "unit+", "user paused=1 after-current-unit", "user control=manual now", "rows 2a", "unit-",
        "= build|manual|normal|smart", "rows 1r" } },
    { "the model stays in its table",
      "plan:docs|assisted|normal|smart",
      { "model scope=explore", "refuse model scope=implement", "refuse model mode=build",
        "refuse model profile=trusted", "refuse model control=autonomous",
        "= plan:explore|assisted|normal|smart" } },
    { "the model's switch meets another mode",
      "build:free|assisted|normal|smart",
      { "unit+", "model scope=test after-current-unit", "user model=fast",
        "controller mode=plan now", "rows 2a 1s3 3a", "unit-",
        "= plan:docs|assisted|normal|fast" } },
    { "what remote may not, it may not later either",
      "build|assisted|unrestricted|smart",
      { "unit+", "remote profile=unrestricted after-current-unit", "controller profile=normal now",
        "= build|assisted|normal|smart", "rows 2a", "unit-", "= build|assisted|normal|smart",
        "rows 1r" } },
    { "remote steers",
      "build|manual|normal|smart",
      { "remote mode=repair,control=autonomous,profile=trusted,model=deep",
        "= repair:free|autonomous|trusted|deep", "refuse remote profile=unrestricted",
        "refuse remote trust=1 now confirmed" } },
    { "trust wants a confirmation",
      "build|manual|normal|smart",
      { "confirm user trust=1", "rows", "user trust=1 now confirmed", "rows 1a" } },
    { "no confirmation helps where the rest is wrong",
      "build|manual|normal|smart",
      { "refuse user trust=1,scope=nowhere" } },
    { "an unknown scope", "build|manual|normal|smart", { "refuse user scope=everything" } },
    { "the model takes nothing from the user",
      "build:free|assisted|normal|smart",
      { "unit+", "user scope=explore after-current-unit", "model scope=test",
        "= build:test|assisted|normal|smart", "rows 2a", "unit-",
        "= build:explore|assisted|normal|smart", "rows 1a" } },
    { "a person takes over from the controller",
      "build|autonomous|trusted|smart",
      { "unit+", "controller profile=normal after-current-unit", "remote profile=restricted",
        "rows 1s2 2a", "unit-", "= build|autonomous|restricted|smart" } },
    { "what is so already",
      "build|assisted|normal|smart",
      { "user model=smart for-next-unit", "unit+", "rows 1a", "unit-", "rows" } },
};

struct run {
    const struct script *script;
    struct sf_mode_machine *m;
    struct sf_strbuf rows;
};

static struct run run; /* in a fixture, so that a failing script leaks nothing */

static int setup(void **state)
{
    (void)state;
    run = (struct run){ .rows = SF_STRBUF_INIT };
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sf_mode_machine_free(run.m);
    sf_strbuf_release(&run.rows);
    return 0;
}

static void read_fields(char *text, struct sf_mode_change *change)
{
    static const char *const words[] = { "mode",  "control", "profile", "model",
                                         "scope", "paused",  "trust",   NULL };
    char *save = NULL;

    for (char *pair = strtok_r(text, ",", &save); pair; pair = strtok_r(NULL, ",", &save)) {
        char *value = strchr(pair, '=');
        struct sf_error err = SF_ERROR_INIT;
        int field, n = 0;

        assert_non_null(value);
        *value++ = '\0';
        field = sf_names_find(words, pair);
        assert_true(field >= 0);
        if (field < SF_AXIS_SETTABLE) {
            assert_true(sf_axis_parse((enum sf_axis)field, value, &n, &err));
            sf_change_axis(change, (enum sf_axis)field, n);
        } else if (field == SF_FIELD_SCOPE) {
            sf_change_scope(change, value);
        } else if (field == SF_FIELD_PAUSED) {
            sf_change_paused(change, *value == '1');
        } else {
            sf_change_trust(change, *value == '1');
        }
    }
}

static void submit(const char *step)
{
    char how[16], actor[16], fields[128], when[32] = "", confirmed[16] = "";
    struct sf_mode_request r = {
        .when = SF_WHEN_DEFAULT, .reason = "a script says so", .session = "s1", .time = time_text
    };
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;
    bool ok;

    if (sscanf(step, "%15s", how) != 1)
        fail_msg("%s", step);
    if (strcmp(how, "refuse") != 0 && strcmp(how, "confirm") != 0 && strcmp(how, "abort") != 0)
        how[0] = '\0';
    assert_true(
        sscanf(step + strlen(how), " %15s %127s %31s %15s", actor, fields, when, confirmed) >= 2);
    r.actor = (enum sf_actor)sf_names_find(sf_actor_names, actor);
    if (when[0])
        r.when = (enum sf_when)sf_names_find(sf_when_names, when);
    r.confirmed = confirmed[0];
    r.change = SF_MODE_CHANGE_INIT;
    read_fields(fields, &r.change);
    ok = sf_mode_machine_submit(run.m, &r, &receipt, &err);
    if (ok != (how[0] != 'r' && how[0] != 'c') || receipt.confirm != (how[0] == 'c') ||
        receipt.abort != (how[0] == 'a') || (receipt.id != 0) != ok)
        fail_msg("%s: %s: %s", run.script->name, step, err.msg);
}

static void drain(void)
{
    const struct sf_transition *t;
    struct sf_error err = SF_ERROR_INIT;

    while ((t = sf_mode_machine_due(run.m, time_text))) {
        int64_t version = sf_mode_machine_state(run.m)->version, id = t->id;
        bool applied = t->outcome == SF_OUTCOME_APPLIED;

        sf_strbuf_addf(&run.rows, "%s%d%c", run.rows.len ? " " : "", (int)t->id,
                       sf_outcome_names[t->outcome][0]);
        if (t->superseded_by || t->reverts)
            sf_strbuf_addf(&run.rows, "%d", (int)(t->reverts ? t->reverts : t->superseded_by));
        if (t->reverts && t->superseded_by)
            run.rows.buf[run.rows.len - 1] = (char)('0' + t->superseded_by);
        assert_int_equal(t->from.version, version);
        assert_true(sf_mode_machine_apply(run.m, id, &err));
        assert_int_equal(sf_mode_machine_state(run.m)->version, version + applied);
    }
}

static void expect(const char *step, const struct sf_mode_state *got)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state want = *got;

    if (!sf_mode_state_parse(&want, step + 2, &err))
        fail_msg("%s: %s", step, err.msg);
    if (!mode_state_equal(&want, got))
        fail_msg("%s: %s, but it is %s:%s %s%s %s %s", run.script->name, step,
                 sf_work_mode_names[got->work], got->scope, sf_run_control_names[got->control],
                 got->paused ? " paused" : "", sf_profile_names[got->profile],
                 sf_model_mode_names[got->model]);
}

static bool notify(const char *step)
{
    static const char *const events[] = { "turn+",      "turn-",      "tool+", "tool-",
                                          "stubborn+",  "stubborn-",  "unit+", "unit-",
                                          "milestone+", "milestone-", NULL };
    int event = sf_names_find(events, step);

    if (event >= 0)
        sf_mode_machine_notify(run.m, (enum sf_machine_event)event);
    return event >= 0;
}

static void take_step(const char *step)
{
    struct sf_mode_state preview = sf_mode_machine_preview(run.m);

    if (notify(step)) {
        drain();
    } else if (*step == '=') {
        expect(step, sf_mode_machine_state(run.m));
    } else if (*step == '>') {
        expect(step, &preview);
    } else if (!strncmp(step, "rows", 4)) {
        if (strcmp(run.rows.buf, step + 4 + (step[4] == ' ')) != 0)
            fail_msg("%s: want %s, got %s", run.script->name, step, run.rows.buf);
        sf_strbuf_reset(&run.rows);
    } else {
        submit(step);
        drain();
    }
}

static void begin(const char *spelling, bool trusted)
{
    struct sf_machine_setup machine = { .scopes = &scopes, .workspace_trusted = trusted };
    struct sf_error err = SF_ERROR_INIT;

    sf_mode_state_init(&machine.state, SF_SURFACE_TUI);
    if (!sf_mode_state_parse(&machine.state, spelling, &err))
        fail_msg("%s", err.msg);
    sf_mode_machine_free(run.m);
    run.m = sf_mode_machine_new(&machine);
    sf_strbuf_reset(&run.rows);
}

static void test_scripts(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(scripts); i++) {
        run.script = &scripts[i];
        begin(run.script->start, false);
        for (size_t s = 0; s < STEPS && run.script->steps[s]; s++)
            take_step(run.script->steps[s]);
    }
}

static const struct sf_mode_request plain = {
    .when = SF_WHEN_AFTER_UNIT, .reason = "r", .session = "s1", .time = "2026-11-16T05:09:53Z"
};

/* Two actors that do not replace each other, on every field, cannot fill it; plain waiting can. */
static void test_the_queue_is_bounded(void **state)
{
    struct sf_mode_request r = plain;
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    begin("build|assisted|normal|smart", false);
    sf_mode_machine_notify(run.m, SF_MACHINE_UNIT_STARTED);
    sf_change_axis(&r.change, SF_AXIS_MODEL, SF_MODEL_DEEP);
    for (int i = 0; i < SF_MACHINE_QUEUE; i++) /* superseded, but their rows were not taken */
        assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    assert_false(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_true(err.hint[0]);
    assert_int_equal(receipt.id, 0);
    assert_int_equal(sf_mode_machine_waiting(run.m), SF_MACHINE_QUEUE);
    drain();
    assert_int_equal(sf_mode_machine_waiting(run.m), 1);
    assert_int_equal(sf_mode_machine_item(run.m, 0)->id, SF_MACHINE_QUEUE);
    assert_null(sf_mode_machine_item(run.m, 1));
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
}

static void test_only_the_written_row_applies(void **state)
{
    struct sf_mode_request r = plain;
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    begin("build|assisted|normal|smart", false);
    sf_change_axis(&r.change, SF_AXIS_MODEL, SF_MODEL_DEEP);
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    assert_true(receipt.due);
    assert_false(sf_mode_machine_apply(run.m, receipt.id, &err)); /* never shown */
    assert_non_null(sf_mode_machine_due(run.m, time_text));
    assert_false(sf_mode_machine_apply(run.m, receipt.id + 1, &err));
    sf_mode_machine_notify(run.m, SF_MACHINE_TOOL_STARTED);
    assert_false(sf_mode_machine_apply(run.m, receipt.id, &err)); /* a tool runs now */
    assert_null(sf_mode_machine_due(run.m, time_text));
    assert_int_equal(sf_mode_machine_state(run.m)->version, 0);
    sf_mode_machine_notify(run.m, SF_MACHINE_TOOL_ENDED);
    assert_non_null(sf_mode_machine_due(run.m, time_text));
    assert_non_null(sf_mode_machine_due(run.m, time_text)); /* not written yet: offered again */
    assert_true(sf_mode_machine_apply(run.m, receipt.id, &err));
    assert_false(sf_mode_machine_apply(run.m, receipt.id, &err));
    assert_int_equal(sf_mode_machine_state(run.m)->version, 1);
}

static void test_another_process_was_faster(void **state)
{
    struct sf_mode_request r = plain;
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_transition *t;
    struct sf_mode_state theirs;

    (void)state;
    begin("build|assisted|normal|smart", false);
    sf_change_axis(&r.change, SF_AXIS_MODEL, SF_MODEL_DEEP);
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    assert_non_null(sf_mode_machine_due(run.m, time_text));
    theirs = *sf_mode_machine_state(run.m);
    theirs.profile = SF_PROFILE_RESTRICTED;
    theirs.version = 41;
    sf_mode_machine_resync(run.m, &theirs, 0);
    assert_false(sf_mode_machine_apply(run.m, receipt.id, &err));
    t = sf_mode_machine_due(run.m, time_text);
    assert_int_equal(t->from.version, 41);
    assert_int_equal(t->to.version, 42);
    assert_int_equal(t->to.profile, SF_PROFILE_RESTRICTED);
    assert_true(sf_mode_machine_apply(run.m, t->id, &err));
}

/* A row as the store would give it. */
static struct sf_transition row(int64_t id, enum sf_axis axis, int value, enum sf_when when)
{
    struct sf_transition t = { .id = id, .when = when, .written = true, .session = "s1" };

    t.change = SF_MODE_CHANGE_INIT;
    sf_change_axis(&t.change, axis, value);
    t.asked = t.change;
    return t;
}

/* Rows of another process wait here for what happens here; what it settled is gone. */
static void test_rows_from_elsewhere(void **state)
{
    struct sf_transition rows[2];

    (void)state;
    begin("build|assisted|normal|smart", false);
    take_step("unit+");
    rows[0] = row(1, SF_AXIS_MODEL, SF_MODEL_DEEP, SF_WHEN_AFTER_UNIT);
    rows[1] = row(2, SF_AXIS_WORK, SF_WORK_REVIEW, SF_WHEN_AFTER_UNIT);
    assert_true(sf_mode_machine_sync(run.m, rows, 2));
    assert_false(sf_mode_machine_sync(run.m, rows, 2)); /* they are there already */
    assert_int_equal(sf_mode_machine_waiting(run.m), 2);
    take_step("= build|assisted|normal|smart");
    take_step("> review:review|assisted|normal|deep");
    assert_true(sf_mode_machine_sync(run.m, rows + 1, 1)); /* somebody took 1 back */
    take_step("> review:review|assisted|normal|smart");
    take_step("unit-");
    take_step("= review:review|assisted|normal|smart");
    take_step("rows 2a");
    take_step("user model=fast");
    take_step("rows 3a"); /* the numbers of the rows are taken */
}

/* Who does not run the session cannot know when a unit of it ends. */
static void test_who_only_watches(void **state)
{
    struct sf_machine_setup setup = { .scopes = &scopes, .elsewhere = true };
    struct sf_mode_request r = plain;
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    sf_mode_state_init(&setup.state, SF_SURFACE_TUI);
    sf_mode_machine_free(run.m);
    run.m = sf_mode_machine_new(&setup);
    sf_change_axis(&r.change, SF_AXIS_MODEL, SF_MODEL_DEEP);
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    assert_false(receipt.due);
    assert_null(sf_mode_machine_due(run.m, time_text));
    assert_true(sf_mode_machine_unwritten(sf_mode_machine_item(run.m, 0)));
    sf_mode_machine_written(run.m, receipt.id);
    assert_false(sf_mode_machine_unwritten(sf_mode_machine_item(run.m, 0)));

    /* It takes half of what waits away: the row has to say so. */
    sf_change_axis(&r.change, SF_AXIS_PROFILE, SF_PROFILE_RESTRICTED);
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    sf_mode_machine_written(run.m, receipt.id);
    r.change = SF_MODE_CHANGE_INIT;
    r.when = SF_WHEN_NOW;
    sf_change_axis(&r.change, SF_AXIS_MODEL, SF_MODEL_FAST);
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    drain();
    assert_int_equal(sf_mode_machine_waiting(run.m), 1);
    assert_true(sf_mode_machine_unwritten(sf_mode_machine_item(run.m, 0)));
    assert_int_equal(sf_mode_machine_item(run.m, 0)->change.fields, SF_FIELD_BIT(SF_FIELD_PROFILE));

    sf_mode_machine_here(run.m);
    sf_mode_machine_written(run.m, 2);
    (void)sf_mode_machine_sync(run.m, &(struct sf_transition){ .id = 2, .change = r.change }, 1);
    assert_non_null(sf_mode_machine_due(run.m, time_text)); /* there is no unit to wait for */
}

static void test_bad_requests(void **state)
{
    char long_session[SF_TRANSITION_SESSION + 2];
    struct sf_mode_request good = plain, r;
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    begin("build|assisted|normal|smart", false);
    memset(long_session, 's', sizeof(long_session) - 1);
    long_session[sizeof(long_session) - 1] = '\0';
    assert_false(sf_mode_machine_submit(run.m, &good, &receipt, &err)); /* changes nothing */
    sf_change_axis(&good.change, SF_AXIS_MODEL, SF_MODEL_DEEP);
    r = good;
    r.session = "";
    assert_false(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    r.session = long_session;
    assert_false(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    r = good;
    r.time = "yesterday";
    assert_false(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    r.time = "2026-11-16T05:09:53.1234567890123456789012345678901234567890Z";
    assert_false(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    assert_int_equal(sf_mode_machine_waiting(run.m), 0);
    assert_true(sf_mode_machine_submit(run.m, &good, &receipt, &err));
    assert_int_equal(receipt.id, 1);
}

/* Reasons come from models too: no escape, no line break, no half character, no overflow. */
static void test_reasons_are_made_safe(void **state)
{
    struct sf_mode_request r = plain;
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_transition *t;
    char reason[2000];

    (void)state;
    begin("build|assisted|normal|smart", false);
    sf_change_scope(&r.change, "test");
    r.actor = SF_ACTOR_MODEL;
    for (size_t i = 0; i + 2 < sizeof(reason); i += 2)
        memcpy(reason + i, i % 3 ? "\xc3\xa4" : "\x1b\n", 2);
    reason[sizeof(reason) - 2] = reason[sizeof(reason) - 1] = '\0';
    r.reason = reason;
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    t = sf_mode_machine_due(run.m, time_text);
    assert_string_equal(t->session, "s1");
    assert_string_equal(t->time, time_text);
    assert_true(strlen(t->reason) > SF_TRANSITION_REASON - 4);
    assert_true(sf_utf8_valid(t->reason, strlen(t->reason), NULL));
    for (const char *p = t->reason; *p; p++)
        assert_true((unsigned char)*p >= ' ');
    drain();
    for (size_t i = 1; i + 2 < sizeof(reason); i += 2)
        memcpy(reason + i, "\xc3\xa4", 2);
    reason[0] = 'a'; /* the last character would end one byte behind the end */
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    t = sf_mode_machine_due(run.m, time_text);
    assert_int_equal(strlen(t->reason), SF_TRANSITION_REASON - 1);
    assert_true(sf_utf8_valid(t->reason, strlen(t->reason), NULL));
}

/* Every value of every axis, from every state: for one unit, and exactly back. */
static void for_one_unit(int axis, int value)
{
    struct sf_mode_state before = *sf_mode_machine_state(run.m);
    struct sf_mode_request r = plain;
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;

    r.when = SF_WHEN_FOR_NEXT_UNIT;
    r.confirmed = true;
    sf_change_axis(&r.change, (enum sf_axis)axis, value);
    assert_true(sf_mode_machine_submit(run.m, &r, &receipt, &err));
    assert_false(receipt.due);
    sf_mode_machine_notify(run.m, SF_MACHINE_UNIT_STARTED);
    drain();
    assert_int_equal(sf_mode_state_get(sf_mode_machine_state(run.m), (enum sf_axis)axis), value);
    sf_mode_machine_notify(run.m, SF_MACHINE_UNIT_ENDED);
    drain();
    assert_true(mode_state_equal(sf_mode_machine_state(run.m), &before));
    assert_int_equal(sf_mode_machine_waiting(run.m), 0);
}

static void test_for_one_unit_everywhere(void **state)
{
    struct sf_mode_state s;

    (void)state;
    begin("build|assisted|normal|smart", false);
    for (int n = 0; n < 6 * 3 * 4 * 3; n++)
        for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
            for (int v = 0; v < sf_axes[axis].count; v++) {
                sf_mode_state_init(&s, SF_SURFACE_TUI);
                s.work = (enum sf_work_mode)(n % 6);
                s.control = (enum sf_run_control)(n / 6 % 3);
                s.profile = (enum sf_profile)(n / 18 % 4);
                s.model = (enum sf_model_mode)(n / 72);
                s.paused = s.control == SF_RUN_AUTONOMOUS && n % 2;
                sf_mode_state_set_scope(&s, n % 5 ? "explore" : "free");
                sf_mode_machine_resync(run.m, &s, 0);
                sf_strbuf_reset(&run.rows);
                for_one_unit(axis, v);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_the_queue_is_bounded),
        cmocka_unit_test(test_only_the_written_row_applies),
        cmocka_unit_test(test_another_process_was_faster),
        cmocka_unit_test(test_rows_from_elsewhere),
        cmocka_unit_test(test_who_only_watches),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_reasons_are_made_safe),
        cmocka_unit_test(test_for_one_unit_everywhere),
    };

    return cmocka_run_group_tests_name("machine", tests, setup, teardown);
}
