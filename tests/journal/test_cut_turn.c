/*
 * test_cut_turn.c: which files are those of a turn that was cut off, by the results in the log and
 * what the files are now; and which turns are looked at at all.
 */
#include "journal/cut_turn.h"
#include "support/snapcase.h"
#include "support/store_case.h"
#include "support/test.h"

enum session { TURN, AGENT, FOREIGN, SESSIONS };

/* Each file is written by a call of the session, and is `now` when the turn is looked at. */
static const struct {
    const char *name, *path, *wrote, *now;
    enum session session;
    bool reads;
    bool is_mine;
} files[] = {
    { "as a tool left it", "a", "one\n", "one\n", TURN, false, true },
    { "changed since", "b", "one\n", "two\n", TURN, false, false },
    { "gone since", "c", "one\n", NULL, TURN, false, false },
    { "written by a sub-agent", "d", "one\n", "one\n", AGENT, false, true },
    { "written by another session", "e", "one\n", "one\n", FOREIGN, false, false },
    { "only read", "f", "one\n", "one\n", TURN, true, false },
    { "written by nobody who says so", "g", NULL, "one\n", TURN, false, false },
    { "written twice, first", "h", "one\n", "one\n", TURN, false, false },
    { "written twice, then", "h", "two\n", "one\n", TURN, false, false },
    { "made executable since", "run", "two\n", "two\n", TURN, false, false },
    { "ignored by git", "x.log", "one\n", "one\n", TURN, false, true },
};

struct turn {
    char *dir;
    struct sf_store *store;
    struct sf_undo_place place;
    char sessions[SESSIONS][SF_ID_LEN + 1];
};

static void add_session(struct turn *t, enum session which)
{
    const struct sf_session_new agent = {
        .project = "/p", .surface = "tui", .parent_id = t->sessions[TURN], .agent = true
    };
    struct sf_error err = SF_ERROR_INIT;

    if (which != AGENT)
        test_store_session(t->store, t->sessions[which]);
    else if (!sf_store_session_create(t->store, &agent, t->sessions[which], &err))
        fail_msg("%s", err.msg);
}

static void add_row(struct turn *t, const char *kind, const char *commit, const char *details)
{
    const struct sf_snapshot_new row = { .session = t->sessions[TURN],
                                         .kind = kind,
                                         .worktree = t->place.worktree,
                                         .commit = commit,
                                         .label = "a turn",
                                         .details = details };
    struct sf_error err = SF_ERROR_INIT;
    int64_t id;

    if (!sf_store_snapshot_add(t->store, &row, &id, &err))
        fail_msg("%s", err.msg);
}

static void add_result(struct turn *t, size_t i)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = t->sessions[files[i].session],
                                  .surface = "tui",
                                  .kind = "result" };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;
    char sha256[SF_SHA256_HEX + 1];

    sf_sha256_hex(files[i].wrote, strlen(files[i].wrote), sha256);
    sf_strbuf_addf(&json, "{\"detail\":{\"seen\":[{\"path\":\"%s\",\"sha256\":\"%s\"%s}]}}",
                   files[i].path, sha256, files[i].reads ? "" : ",\"wrote\":true");
    event.json = json.buf;
    event.len = json.len;
    if (!sf_store_append(t->store, &event, &ref, &err))
        fail_msg("%s", err.msg);
    sf_strbuf_release(&json);
}

static void begin(struct turn *t, struct snap_case *c)
{
    *t = (struct turn){ .dir = test_dir_new() };
    t->store = test_store_open(t->dir, SF_STORE_WRITE);
    t->place = (struct sf_undo_place){ .store = t->store, .worktree = c->work };
    for (int i = 0; i < SESSIONS; i++)
        add_session(t, (enum session)i);
    tree_puts(c->work, ".gitignore", "*.log\n");
    tree_puts(c->work, "run", "one\n");
    add_row(t, "before", snap_take(c), "{}");
    free(tree_run(c->work, "chmod +x run", NULL));
    for (size_t i = 0; i < SF_COUNT(files); i++) {
        if (files[i].wrote)
            add_result(t, i);
        if (files[i].now)
            tree_puts(c->work, files[i].path, files[i].now);
    }
}

static void end(struct turn *t)
{
    sf_store_close(t->store);
    test_dir_free(t->dir);
}

static void find(struct sf_cut_turn *cut, struct turn *t, const struct sf_strlist *live)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_cut_turn_find(cut, &t->place, live, &err))
        fail_msg("%s", err.msg);
}

static void expect_mine(const struct sf_cut_turn *cut)
{
    size_t count = 0;

    for (size_t i = 0; i < SF_COUNT(files); i++) {
        count += files[i].is_mine;
        if (sf_strlist_has(&cut->mine, files[i].path) != files[i].is_mine)
            fail_msg("%s: %s the turn's", files[i].name, files[i].is_mine ? "not" : "is");
    }
    assert_int_equal(cut->mine.count, count);
    assert_int_equal(cut->stat.files, count);
}

static void test_files(void **state)
{
    struct sf_cut_turn cut = SF_CUT_TURN_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct turn t;

    begin(&t, *state);
    find(&cut, &t, NULL);
    assert_int_equal(cut.row, 1);
    if (!sf_cut_turn_look(&cut, ((struct snap_case *)*state)->snap, &err))
        fail_msg("%s", err.msg);
    expect_mine(&cut);
    if (!sf_cut_turn_record(&cut, &t.place, &err))
        fail_msg("%s", err.msg);
    sf_cut_turn_release(&cut);
    find(&cut, &t, NULL);
    assert_int_equal(cut.row, 0); /* it has its end now */
    end(&t);
}

/* As if sf had been killed between the journal and the end of a restore. */
static void interrupt(const struct snap_case *c)
{
    free(tree_run(c->state,
                  "cd snapshots.git && id=$(ls refs/sf | head -n 1) && "
                  "index=$(ls sf | grep ^index-) && printf "
                  "'sf restore 1\\n%s\\n%s\\n-\\n0\\n.sf-tmp-0123456789abcdef\\n' $id $id "
                  ">sf/restore-${index#index-}",
                  NULL));
}

/* What a restore that was cut off left lying there is nobody's. */
static void test_between_states(void **state)
{
    struct snap_case *c = *state;
    struct sf_cut_turn cut = SF_CUT_TURN_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct turn t;

    begin(&t, c);
    find(&cut, &t, NULL);
    interrupt(c);
    if (!sf_cut_turn_look(&cut, c->snap, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(cut.mine.count, 0);
    assert_int_equal(cut.stat.files, 0);
    sf_cut_turn_release(&cut);
    end(&t);
}

/* A turn that runs is not looked at, nor is one from before a restore. */
static void test_left_alone(void **state)
{
    struct sf_cut_turn cut = SF_CUT_TURN_INIT;
    struct sf_strlist live = SF_STRLIST_INIT;
    struct turn t;

    begin(&t, *state);
    sf_strlist_add(&live, t.sessions[TURN]);
    find(&cut, &t, &live);
    assert_int_equal(cut.row, 0);
    t.place.session = t.sessions[FOREIGN];
    find(&cut, &t, NULL);
    assert_int_equal(cut.row, 0);
    t.place.session = t.sessions[TURN];
    add_row(&t, "restore", "0000000000000000000000000000000000000001", "{\"goal\":1}");
    find(&cut, &t, NULL);
    assert_int_equal(cut.row, 0);
    sf_strlist_release(&live);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, snap_setup, snap_teardown),
        cmocka_unit_test_setup_teardown(test_between_states, snap_setup, snap_teardown),
        cmocka_unit_test_setup_teardown(test_left_alone, snap_setup, snap_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
