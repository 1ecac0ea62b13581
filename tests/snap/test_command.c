/*
 * sf restore, as typed: list, show, dry runs, going, undoing, and what it says when it will not.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "snap/snap.h"
#include "store/store.h"
#include "support/program.h"
#include "support/test.h"
#include "support/tree.h"

/* Takes a snapshot of the sandbox's workspace and gives it a row, as a session would. */
static int64_t take(struct sandbox *w, const char *kind, const char *label)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_workspace workspace = { 0 };
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;
    const struct sf_snap_request request = { .label = label };
    struct sf_snapshot_new row = { .session = SF_SESSION_PROJECT, .kind = kind, .label = label };
    struct sf_store *store;
    struct sf_snap *snap;
    int64_t id = 0;
    char *dir;

    setenv("SF_HOME", w->state, 1);
    if (!sf_workspace_find(w->workspace, &workspace, &err))
        fail_msg("%s", err.msg);
    dir = sf_workspace_state_dir(&workspace, &err);
    snap = sf_snap_open(dir, workspace.root, &err);
    store = sf_store_open(dir, SF_STORE_WRITE, &err);
    if (!snap || !store || !sf_snap_take(snap, &request, &result, &err))
        fail_msg("%s", err.msg);
    row.worktree = workspace.root;
    row.commit = result.id;
    if (!sf_store_snapshot_add(store, &row, &id, &err))
        fail_msg("%s", err.msg);
    sf_store_close(store);
    sf_snap_close(snap);
    sf_snap_result_release(&result);
    sf_workspace_release(&workspace);
    free(dir);
    unsetenv("SF_HOME");
    return id;
}

static void expect_file(struct sandbox *w, const char *name, const char *want)
{
    char *path = test_path(w->workspace, name), *text;

    if (!want) {
        assert_int_equal(access(path, F_OK), -1);
    } else {
        text = test_read(path, NULL);
        assert_string_equal(text, want);
        free(text);
    }
    free(path);
}

static void test_journey(void **state)
{
    struct sandbox *w = *state;

    sandbox_expect(w, "restore", 0, "There are no snapshots", NULL);
    sandbox_expect(w, "restore 1 --yes", 2, NULL, "no such snapshot");
    sandbox_expect(w, "restore undo --yes", 1, NULL, "can be undone");
    tree_puts(w->workspace, "a", "one");
    assert_int_equal(take(w, "before", "first words"), 1);
    tree_puts(w->workspace, "a", "two");
    tree_puts(w->workspace, "made", "by the turn");
    take(w, "after", "first words");
    sandbox_expect(w, "restore list", 0, "first words", NULL);
    sandbox_expect(w, "restore list 1 --json", 0, "\"kind\":\"after\"", NULL);
    sandbox_expect(w, "restore show 1", 0, "1 changed, 1 removed", NULL);
    sandbox_expect(w, "restore 1 --dry-run", 0, "  - made", NULL);
    sandbox_expect(w, "restore 1", 3, "  ~ a", "no terminal to ask on");
    expect_file(w, "a", "two");
    sandbox_expect(w, "restore 1 --path a --yes", 0, "Done: 0 added, 1 changed", NULL);
    expect_file(w, "made", "by the turn");
    sandbox_expect(w, "restore 1 --yes", 0, "1 removed", NULL);
    expect_file(w, "made", NULL);
    sandbox_expect(w, "restore undo --yes", 0, "1 added", NULL);
    expect_file(w, "made", "by the turn");
    sandbox_expect(w, "restore undo --yes", 0, "1 removed", NULL);
    expect_file(w, "made", NULL);
    sandbox_expect(w, "log --kind restore", 0, "restore", NULL);
}

static void test_own_changes(void **state)
{
    struct sandbox *w = *state;

    tree_puts(w->workspace, "a", "one");
    take(w, "before", "");
    tree_puts(w->workspace, "a", "two");
    take(w, "after", "");
    tree_puts(w->workspace, "a", "mine");
    sandbox_expect(w, "restore 1 --yes", 1, "= a  (kept: changed since)",
                   "1 has changes that are not known to be sf's own");
    sandbox_expect(w, "restore 1 --yes", 1, NULL, "--overwrite puts that back too");
    sandbox_expect(
        w, "restore 1 --dry-run", 0,
        "1 of those kept has changes that are not known to be sf's own; --overwrite puts "
        "it back too.",
        NULL);
    sandbox_expect(w, "restore show 1", 0, "= a  (kept: changed since)", NULL);
    expect_file(w, "a", "mine");
    sandbox_expect(w, "restore 1 --yes --overwrite", 0, "1 changed", NULL);
    expect_file(w, "a", "one");
    sandbox_expect(w, "restore undo --yes", 0, "1 changed", NULL);
    expect_file(w, "a", "mine");
}

/* Before an old restore's journal there was one base; it is finished by the same rule. */
static void test_old_journal(void **state)
{
    struct sandbox *w = *state;

    tree_puts(w->workspace, "a", "one");
    tree_puts(w->workspace, "b", "one");
    take(w, "before", "");
    tree_puts(w->workspace, "a", "two");
    tree_puts(w->workspace, "b", "two");
    take(w, "after", "");
    tree_puts(w->workspace, "b", "mine");
    take(w, "restore", "");
    free(tree_run(w->state,
                  "cd projects/*/snapshots.git && set -- $(ls -tr refs/sf) && "
                  "index=$(ls sf | grep ^index-) && printf "
                  "'sf restore 1\\n%s\\n%s\\n%s\\n0\\n.sf-tmp-0123456789abcdef\\n' $1 $3 $2 "
                  ">sf/restore-${index#index-}",
                  NULL));
    sandbox_expect(w, "restore resume", 0, "1 changed, 0 removed, 1 kept", NULL);
    expect_file(w, "a", "one");
    expect_file(w, "b", "mine");
}

/* What people did between two turns, or after one that was cut short, is theirs. */
static void test_between_turns(void **state)
{
    struct sandbox *w = *state;

    tree_puts(w->workspace, "a", "one");
    tree_puts(w->workspace, "b", "one");
    take(w, "before", "");
    tree_puts(w->workspace, "a", "two");
    take(w, "after", "");
    tree_puts(w->workspace, "b", "mine");
    tree_puts(w->workspace, "new", "mine");
    take(w, "before", "");
    tree_puts(w->workspace, "a", "three");
    tree_puts(w->workspace, "made", "by the turn");
    take(w, "after", "");
    sandbox_expect(w, "restore 1 --yes", 0,
                   "  = b  (kept: changed since)\n  - made\n  = new  (kept", NULL);
    expect_file(w, "a", "one");
    expect_file(w, "b", "mine");
    expect_file(w, "new", "mine");
    expect_file(w, "made", NULL);
    sandbox_expect(w, "restore undo --yes", 0, "1 added, 1 changed", NULL);
    sandbox_expect(w, "restore 1 --yes --overwrite", 0, "0 added, 2 changed, 2 removed", NULL);
    expect_file(w, "new", NULL);
    sandbox_expect(w, "restore undo --yes", 0, "2 added, 2 changed", NULL);
    take(w, "before", "cut short");
    tree_puts(w->workspace, "a", "half");
    tree_puts(w->workspace, "own", "mine");
    sandbox_expect(w, "restore show 9", 0, "  = a  (kept: changed since)\n  = own  (kept", NULL);
    sandbox_expect(w, "restore 9 --yes", 1, NULL, "--overwrite puts that back too");
    expect_file(w, "own", "mine");
}

/* What is not kept is said wherever somebody looks. */
static void test_not_kept(void **state)
{
    struct sandbox *w = *state;

    free(tree_run(w->workspace, "echo one >a; truncate -s 11M big", NULL));
    sandbox_expect(w, "restore take", 0, "big: too large", NULL);
    free(tree_run(w->workspace, "echo two >a; rm big; truncate -s 12M big2", NULL));
    take(w, "after", "");
    sandbox_expect(w, "restore list", 0, "taken by hand  (1 left out)", NULL);
    sandbox_expect(w, "restore show 1", 0, "  ! big  (gone, no copy was kept: too large)", NULL);
    sandbox_expect(w, "restore show 1", 0, "  = big2  (kept: too large)", NULL);
    sandbox_expect(w, "diff 1", 0, "big: removed, no copy was kept: too large", NULL);
    sandbox_expect(w, "diff 1", 0, "1 file, +1 −1, and 2 that no snapshot has", NULL);
    sandbox_expect(w, "restore 1 --yes", 0, "1 kept as it is, 1 cannot be put back", NULL);
    sandbox_expect(w, "restore 1 --yes", 1, "  ! big", "1 kept, 1 without a copy");
}

/* As typed, from wherever one stands; and what is not there is said. */
static void test_paths(void **state)
{
    static const char *const same[] = { "src/a",         "./src//a", "src/../src/a",
                                        "gone/../src/a", "link/a",   "/src/a" };
    struct sandbox *w = *state;
    char *link = test_path(w->workspace, "link");

    tree_puts(w->workspace, "src/a", "one");
    tree_puts(w->workspace, "b", "one");
    assert_int_equal(symlink("src", link), 0);
    take(w, "before", "");
    for (size_t i = 0; i < SF_COUNT(same); i++) {
        const char *top = same[i][0] == '/' ? w->workspace : "";
        struct sf_strbuf words = SF_STRBUF_INIT;

        tree_puts(w->workspace, "src/a", "two");
        tree_puts(w->workspace, "b", "two");
        sf_strbuf_addf(&words, "restore 1 --yes --overwrite --path %s%s", top, same[i]);
        sandbox_expect(w, words.buf, 0, "Done: 0 added, 1 changed", NULL);
        expect_file(w, "src/a", "one");
        expect_file(w, "b", "two");
        sf_strbuf_release(&words);
    }
    sandbox_expect(w, "restore 1 --dry-run --path nope", 2, NULL, "neither the snapshot nor");
    sandbox_expect(w, "restore 1 --dry-run --path src/a --path nope", 2, NULL, "neither");
    sandbox_expect(w, "restore 1 --dry-run --path ../x", 2, NULL, "outside of the workspace");
    sandbox_expect(w, "restore 1 --dry-run --path /etc/passwd", 2, NULL,
                   "outside of the workspace");
    sandbox_expect(w, "restore 1 --dry-run --path=", 2, NULL, "the path is empty");
    sandbox_expect(w, "restore 1 --dry-run --path .", 0, "  = b  (kept: changed since)", NULL);
    sandbox_expect(w, "restore 1 --dry-run --overwrite --path .", 0, "  ~ b", NULL);
    free(link);
}

/* As if sf had been killed between the journal and the end of a restore. */
static void test_cut_short(void **state)
{
    struct sandbox *w = *state;

    tree_puts(w->workspace, "a", "one");
    sandbox_expect(w, "restore take", 0, "1 file kept, 0 left out", NULL);
    tree_puts(w->workspace, "a", "two");
    free(tree_run(w->state,
                  "cd projects/*/snapshots.git && id=$(ls refs/sf | head -n 1) && "
                  "index=$(ls sf | grep ^index-) && printf "
                  "'sf restore 1\\n%s\\n%s\\n-\\n0\\n.sf-tmp-0123456789abcdef\\n' $id $id "
                  ">sf/restore-${index#index-}",
                  NULL));
    sandbox_expect(w, "restore", 0, "taken by hand", "an earlier restore was interrupted");
    sandbox_expect(w, "restore 1 --dry-run --overwrite", 0, "  ~ a",
                   "`sf restore resume` finishes it");
    sandbox_expect(w, "restore 1 --yes", 1, "kept", "an earlier restore was interrupted");
    sandbox_expect(w, "restore 1 --yes --overwrite", 1, NULL, "an earlier restore was interrupted");
    expect_file(w, "a", "two");
}

static void test_errors(void **state)
{
    struct sandbox *w = *state;

    sandbox_expect(w, "restore x", 2, NULL, "is no number");
    sandbox_expect(w, "restore 0", 2, NULL, "is no number");
    sandbox_expect(w, "restore 1 2", 2, NULL, NULL);
    sandbox_expect(w, "restore show 1", 2, NULL, "no such snapshot");
    sandbox_expect(w, "restore list x", 2, NULL, "is no number");
    sandbox_expect(w, "diff 1", 2, NULL, "no such snapshot");
    sandbox_expect(w, "restore resume", 1, NULL, "no restore waits");
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, sandbox_setup, sandbox_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { CASE(test_journey),       CASE(test_own_changes),
                                        CASE(test_paths),         CASE(test_cut_short),
                                        CASE(test_errors),        CASE(test_old_journal),
                                        CASE(test_between_turns), CASE(test_not_kept) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
