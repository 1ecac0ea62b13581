/*
 * The machine under random use: whatever is submitted, notified, drained late or withdrawn, in
 * whatever order, its promises hold. A failure names the seed; SF_TEST_SEED replays it.
 */
#include <inttypes.h>

#include "base/base.h"
#include "modes/modes.h"
#include "support/mode_state_equal.h"
#include "support/test.h"

enum { RUNS = 400, STEPS = 300, IDS = 2 * STEPS + 2 };

static const char *const infra[] = { "infra/", NULL };
static const struct sf_scope extra[] = { { "deploy", infra, "" } };
static const struct sf_scope_set scopes = { extra, 1, true };
static const char time_text[] = "2026-11-16T05:09:53.123Z";

static struct sandbox {
    struct sf_mode_machine *m;
    uint64_t seed, random;
    size_t tools, stubborn;
    int64_t submitted, rows;
    bool seen[IDS];                  /* rows by id */
    int64_t last[SF_FIELD_COUNT][2]; /* the last id applied to a field, by kind of actor */
    bool trusted;
} world;

#define REQUIRE(holds)                                            \
    do {                                                          \
        if (!(holds))                                             \
            fail_msg("seed %" PRIu64 ": %s", world.seed, #holds); \
    } while (0)

static unsigned pick(unsigned below)
{
    world.random = world.random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(world.random >> 33) % below;
}

static void random_change(struct sf_mode_change *change)
{
    static const char *const names[] = { "free",    "implement", "test",   "docs",
                                         "explore", "review",    "deploy", "nowhere" };

    *change = SF_MODE_CHANGE_INIT;
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        int value = (int)pick((unsigned)sf_axes[axis].count);

        if (pick(4))
            continue;
        if (pick(4))
            sf_change_axis(change, (enum sf_axis)axis, value);
        else if (pick(2))
            sf_change_axis_floor(change, (enum sf_axis)axis, value);
        else
            sf_change_axis_roof(change, (enum sf_axis)axis, value);
    }
    if (!pick(3))
        sf_change_scope(change, names[pick(SF_COUNT(names))]);
    if (!pick(9))
        sf_change_scope_default(change);
    if (!pick(8))
        sf_change_paused(change, pick(2));
    if (!pick(8))
        sf_change_trust(change, pick(2));
}

static void submit(void)
{
    struct sf_mode_request r = { .when = (enum sf_when)pick(SF_WHEN_DEFAULT + 1),
                                 .actor = (enum sf_actor)pick(SF_ACTOR_SCHEDULE + 1),
                                 .confirmed = !pick(3),
                                 .reason = "chance",
                                 .session = "s1",
                                 .time = time_text };
    struct sf_mode_state before = *sf_mode_machine_state(world.m);
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;
    bool taken;

    random_change(&r.change);
    taken = sf_mode_machine_submit(world.m, &r, &receipt, &err);
    world.submitted += taken;
    REQUIRE(taken == (receipt.id != 0));
    REQUIRE(taken || err.msg[0]);
    REQUIRE(!receipt.due || world.tools + world.stubborn == 0);
    REQUIRE(!receipt.abort || world.tools > 0);
    REQUIRE(!taken || !receipt.confirm);
    REQUIRE(mode_state_equal(&before, sf_mode_machine_state(world.m)));
}

static bool widens(const struct sf_transition *t)
{
    return t->to.profile > t->from.profile || t->to.control > t->from.control ||
           (t->from.paused && !t->to.paused && t->to.control == SF_RUN_AUTONOMOUS) ||
           sf_work_modes[t->to.work].reach > sf_work_modes[t->from.work].reach;
}

static void check_ceilings(const struct sf_transition *t)
{
    bool trusts = t->to.trust && !t->from.trust;
    bool raises = t->to.profile > t->from.profile;

    REQUIRE(!trusts || (t->actor == SF_ACTOR_USER && (t->confirmed || world.trusted)));
    if (t->actor == SF_ACTOR_REMOTE)
        REQUIRE(!raises || t->to.profile <= SF_PROFILE_TRUSTED);
    if (!sf_actor_is_person(t->actor))
        REQUIRE(!widens(t));
    if (t->actor == SF_ACTOR_MODEL) {
        REQUIRE(!(sf_change_between(&t->from, &t->to) & ~SF_FIELD_BIT(SF_FIELD_SCOPE)));
        REQUIRE(sf_work_model_may(t->to.work, t->to.scope) || !strcmp(t->to.scope, t->from.scope));
    }
}

static void check_order(const struct sf_transition *t)
{
    bool person = sf_actor_is_person(t->actor);

    for (int f = 0; f < SF_FIELD_COUNT; f++) {
        if (!(t->change.fields & SF_FIELD_BIT(f)))
            continue;
        REQUIRE(t->id > world.last[f][person]);
        world.last[f][person] = t->id;
    }
}

static void check_row(const struct sf_transition *t)
{
    REQUIRE(t->id > 0 && t->id < IDS && !world.seen[t->id]);
    world.seen[t->id] = true;
    world.rows++;
    world.submitted += t->reverts != 0; /* ways back come from the machine itself */
    REQUIRE(t->outcome != SF_OUTCOME_PENDING);
    REQUIRE(t->outcome != SF_OUTCOME_SUPERSEDED || t->superseded_by > t->id);
    REQUIRE(t->outcome != SF_OUTCOME_REFUSED || t->note[0]);
    if (t->outcome != SF_OUTCOME_APPLIED)
        return;
    REQUIRE(world.tools + world.stubborn == 0);
    REQUIRE(t->to.surface == t->from.surface);
    REQUIRE(!t->to.paused || t->to.control == SF_RUN_AUTONOMOUS);
    REQUIRE(sf_scope_find(&scopes, t->to.scope));
    REQUIRE(sf_work_holds(t->to.work, t->to.scope));
    check_order(t);
    if (!t->reverts)
        check_ceilings(t);
}

static void drain(unsigned at_most)
{
    const struct sf_transition *t;
    struct sf_error err = SF_ERROR_INIT;

    while (at_most-- > 0 && (t = sf_mode_machine_due(world.m, time_text))) {
        const struct sf_transition row = *t;
        int64_t version = sf_mode_machine_state(world.m)->version;

        check_row(&row);
        REQUIRE(mode_state_equal(&row.from, sf_mode_machine_state(world.m)));
        REQUIRE(sf_mode_machine_apply(world.m, row.id, &err));
        REQUIRE(sf_mode_machine_state(world.m)->version ==
                version + (row.outcome == SF_OUTCOME_APPLIED));
        REQUIRE(mode_state_equal(row.outcome == SF_OUTCOME_APPLIED ? &row.to : &row.from,
                                 sf_mode_machine_state(world.m)));
    }
}

static void notify(enum sf_machine_event event)
{
    if (event == SF_MACHINE_TOOL_STARTED)
        world.tools++;
    if (event == SF_MACHINE_STUBBORN_TOOL_STARTED)
        world.stubborn++;
    if (event == SF_MACHINE_TOOL_ENDED && world.tools)
        world.tools--;
    if (event == SF_MACHINE_STUBBORN_TOOL_ENDED && world.stubborn)
        world.stubborn--;
    sf_mode_machine_notify(world.m, event);
}

static void finish(void)
{
    while (world.tools)
        notify(SF_MACHINE_TOOL_ENDED);
    while (world.stubborn)
        notify(SF_MACHINE_STUBBORN_TOOL_ENDED);
    notify(SF_MACHINE_UNIT_ENDED);
    notify(SF_MACHINE_MILESTONE_ENDED);
    drain(UINT32_MAX);
    notify(SF_MACHINE_UNIT_STARTED); /* what waits for the next unit has it, and goes back */
    drain(UINT32_MAX);
    notify(SF_MACHINE_UNIT_ENDED);
    drain(UINT32_MAX);
    REQUIRE(sf_mode_machine_waiting(world.m) == 0);
    REQUIRE(world.rows == world.submitted); /* each came out exactly once */
}

static void one_run(uint64_t seed)
{
    struct sf_machine_setup setup = { .scopes = &scopes };

    world = (struct sandbox){ .seed = seed, .random = seed, .m = world.m };
    world.trusted = setup.workspace_trusted = pick(2);
    sf_mode_state_init(&setup.state, (enum sf_surface)pick(4));
    sf_mode_machine_free(world.m);
    world.m = sf_mode_machine_new(&setup);
    for (int i = 0; i < STEPS; i++) {
        if (pick(5) < 2)
            submit();
        else if (pick(20))
            notify((enum sf_machine_event)pick(SF_MACHINE_MILESTONE_ENDED + 1));
        else
            drain(1);
        REQUIRE(sf_mode_machine_waiting(world.m) <= SF_MACHINE_QUEUE);
        if (pick(3))
            drain(UINT32_MAX);
    }
    finish();
}

static void test_promises_hold(void **state)
{
    const char *replay = getenv("SF_TEST_SEED");

    (void)state;
    if (replay)
        one_run(strtoull(replay, NULL, 10));
    else
        for (uint64_t seed = 1; seed <= RUNS; seed++)
            one_run(seed);
}

static int teardown(void **state)
{
    (void)state;
    sf_mode_machine_free(world.m);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_teardown(test_promises_hold, teardown) };

    return cmocka_run_group_tests_name("machine_random", tests, NULL, NULL);
}
