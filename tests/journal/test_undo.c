/*
 * test_undo.c: which changes since a snapshot are of others, by the rows of turns that ran one after
 * the other or at once; why there may be no turn to undo; and what a list of them has.
 */
#include "journal/undo.h"
#include "support/store_case.h"
#include "support/test.h"

static const char root[] = "/workspace";

struct row {
    const char *session, *kind, *details;
};

/* Turns of the sessions a and b; `want` has for each state since the first its files of others. */
static const struct {
    const char *name;
    struct row rows[5];
    const char *want;
} cases[] = {
    { "one turn",
      { { "a", "before", "{}" }, { "a", "after", "{\"before\":1,\"others\":[\"mine\"]}" } },
      "sf: mine\n" },
    { "two turns, one after the other",
      { { "a", "before", "{}" },
        { "a", "after", "{\"before\":1,\"others\":[\"mine\"]}" },
        { "b", "before", "{}" },
        { "b", "after", "{\"before\":3,\"others\":[\"later\"]}" } },
      "sf: mine\nothers:\nsf: later\n" },
    { "two turns at once",
      { { "a", "before", "{}" },
        { "b", "before", "{}" },
        { "a", "after", "{\"before\":1,\"others\":[\"by b\",\"mine\"]}" },
        { "b", "after", "{\"before\":2,\"others\":[\"by a\",\"mine\"]}" } },
      "sf:\nsf: mine\nsf: mine\n" },
    { "more of others than a row lists",
      { { "a", "before", "{}" }, { "a", "after", "{\"before\":1,\"mixed\":1}" } },
      "others:\n" },
    { "a turn that was cut off, and got its end after one of another session",
      { { "a", "before", "{}" },
        { "b", "before", "{}" },
        { "b", "after", "{\"before\":2,\"others\":[\"mine\"]}" },
        { "a", "after", "{\"before\":1,\"cut\":1,\"mine\":[\"by a\"]}" } },
      "others: by a\nsf: mine\nothers: by a\n" },
    { "a turn without an end", { { "a", "before", "{}" }, { "b", "before", "{}" } }, "others:\n" },
};

static char sessions[2][SF_ID_LEN + 1];

static void add_rows(struct sf_store *store, const struct row *rows, size_t max)
{
    struct sf_error err = SF_ERROR_INIT;

    test_store_session(store, sessions[0]);
    test_store_session(store, sessions[1]);
    for (size_t i = 0; i < max && rows[i].kind; i++) {
        char commit[SF_SNAP_ID + 1];
        const struct sf_snapshot_new row = { .session = sessions[rows[i].session[0] - 'a'],
                                             .kind = rows[i].kind,
                                             .worktree = root,
                                             .commit = commit,
                                             .label = "",
                                             .details = rows[i].details };
        int64_t id;

        snprintf(commit, sizeof(commit), "%040zu", i);
        if (!sf_store_snapshot_add(store, &row, &id, &err))
            fail_msg("%s", err.msg);
        assert_int_equal(id, i + 1);
    }
}

static void write_lineage(const struct sf_undo *undo, struct sf_strbuf *out)
{
    for (size_t i = 0; i < undo->lineage.count; i++) {
        const struct sf_snap_stop *stop = &undo->lineage.items[i];

        sf_strbuf_adds(out, stop->ours ? "sf:" : "others:");
        for (size_t k = 0; k < stop->except.count; k++)
            sf_strbuf_addf(out, " %s", stop->except.items[k]);
        sf_strbuf_addch(out, '\n');
    }
}

static void test_lineage(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        char *dir = test_dir_new();
        struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
        const struct sf_undo_place place = { .store = store, .worktree = root };
        struct sf_undo undo = SF_UNDO_INIT;
        struct sf_strbuf is = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;

        add_rows(store, cases[i].rows, SF_COUNT(cases[i].rows));
        if (!sf_undo_number(&place, 1, &undo, &err))
            fail_msg("%s: %s", cases[i].name, err.msg);
        write_lineage(&undo, &is);
        if (strcmp(is.buf, cases[i].want) != 0)
            fail_msg("%s: is\n%swant\n%s", cases[i].name, is.buf, cases[i].want);
        sf_undo_release(&undo);
        sf_strbuf_release(&is);
        sf_store_close(store);
        test_dir_free(dir);
    }
}

/* The turn of a session that ended within that of another is still there to be undone. */
static void test_own_turn(void **state)
{
    static const struct row rows[] = { { "a", "before", "{}" },
                                       { "b", "before", "{}" },
                                       { "b", "after", "{\"before\":2,\"files\":1}" },
                                       { "a", "after", "{\"before\":1,\"files\":1}" } };
    char *dir = test_dir_new();
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    const struct sf_undo_place place = { .store = store, .worktree = root, .session = sessions[1] };
    struct sf_undo undo = SF_UNDO_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    add_rows(store, rows, SF_COUNT(rows));
    if (!sf_undo_turns(&place, 1, &undo, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(undo.number, 2);
    sf_undo_release(&undo);
    sf_store_close(store);
    test_dir_free(dir);
}

/* What is said where no turn can be undone; the last case is about the snapshots themselves. */
static const struct {
    const char *name;
    struct row rows[4];
    bool are_pruned;
    const char *want;
} lacks[] = {
    { "no turns", { { 0 } }, false, "there is no snapshot of this session from before a turn" },
    { "turns that changed nothing",
      { { "a", "before", "{}" }, { "a", "after", "{\"before\":1,\"files\":0}" } },
      false,
      "there is no snapshot of this session from before a turn" },
    { "a turn of another session",
      { { "b", "before", "{}" }, { "b", "after", "{\"before\":1,\"files\":1}" } },
      false,
      "there is no snapshot of this session from before a turn" },
    { "taken back already",
      { { "a", "before", "{}" },
        { "a", "after", "{\"before\":1,\"files\":1}" },
        { "a", "restore", "{\"goal\":1}" },
        { "a", "after", "{}" } },
      false,
      "the turns of this session that changed files are taken back already" },
    { "nothing to take back, and then a restore",
      { { "a", "before", "{}" },
        { "a", "after", "{\"before\":1}" },
        { "a", "restore", "{\"goal\":1}" },
        { "a", "after", "{}" } },
      false,
      "there is no snapshot of this session from before a turn" },
    { "changes that no snapshot has",
      { { "a", "before", "{}" },
        { "a", "after", "{\"before\":1,\"uncovered\":[\"build/ (300 files)\",\"x\"]}" } },
      false,
      "no copy of what the last turn of this session changed: build/ (300 files) and more" },
    { "snapshots that are gone",
      { { "a", "before", "{}" }, { "a", "after", "{\"before\":1,\"files\":1}" } },
      true,
      "the snapshots of this session went with the others of their age" },
};

static void prune(struct sf_store *store)
{
    struct sf_error err = SF_ERROR_INIT;
    char commit[SF_SNAP_ID + 1];

    for (int i = 0; i < 2; i++) {
        snprintf(commit, sizeof(commit), "%040d", i);
        if (!sf_store_snapshot_pruned(store, commit, &err))
            fail_msg("%s", err.msg);
    }
}

static void test_lack(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(lacks); i++) {
        char *dir = test_dir_new();
        struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
        const struct sf_undo_place place = { .store = store,
                                             .worktree = root,
                                             .session = sessions[0] };
        struct sf_undo undo = SF_UNDO_INIT;
        struct sf_error err = SF_ERROR_INIT;

        add_rows(store, lacks[i].rows, SF_COUNT(lacks[i].rows));
        if (lacks[i].are_pruned)
            prune(store);
        if (sf_undo_turns(&place, 1, &undo, &err))
            fail_msg("%s: there is one", lacks[i].name);
        if (!strstr(err.msg, lacks[i].want))
            fail_msg("%s: is\n%s\nwant\n%s", lacks[i].name, err.msg, lacks[i].want);
        sf_undo_release(&undo);
        sf_store_close(store);
        test_dir_free(dir);
    }
}

/* What each list has of a turn in which sf put files back, and of one of another session. */
static const struct row listed[] = { { "a", "before", "{}" },
                                     { "a", "edit", "{}" },
                                     { "b", "before", "{}" },
                                     { "a", "edit", "{}" },
                                     { "b", "edit", "{}" },
                                     { "a", "after", "{\"before\":1}" },
                                     { "b", "after", "{\"before\":3}" },
                                     { "a", "restore", "{}" } };

static bool write_entry(void *ctx, const struct sf_undo_entry *entry)
{
    if (entry->is_state)
        sf_strbuf_addf(ctx, "%lld %s %s%zu\n", (long long)entry->row->id, entry->row->kind,
                       entry->turn ? "ended " : "", entry->saved);
    return true;
}

static void test_list(void **state)
{
    const struct sf_snapshot_filter filter = { .worktree = root };
    char *dir = test_dir_new();
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    struct sf_strbuf is = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    add_rows(store, listed, SF_COUNT(listed));
    if (!sf_undo_each(store, &filter, write_entry, &is, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(is.buf, "8 restore 0\n3 before ended 1\n1 before ended 2\n");
    sf_strbuf_release(&is);
    sf_store_close(store);
    test_dir_free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lineage),
                                        cmocka_unit_test(test_own_turn),
                                        cmocka_unit_test(test_lack), cmocka_unit_test(test_list) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
