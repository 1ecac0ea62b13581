/*
 * test_objects.c: the objects of a snapshot, as plain git sees them and as a stranger could have made
 * them: a tree that no sf writes is not restored, and nothing of it lands anywhere.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

/* A snapshot like the last one, but with a tree of the entries that the shell prints. */
static char *forge(struct snap_case *c, const char *entries)
{
    struct sf_strbuf script = SF_STRBUF_INIT;
    char *id;

    sf_strbuf_addf(
        &script,
        "cd snapshots.git && export GIT_DIR=. && "
        "blob=$(echo evil | git hash-object -w --stdin) && "
        "raw() { for b in $(echo $blob | sed 's/../0x& /g'); do "
        "printf \"\\\\$(printf %%03o $b)\"; done; } && "
        "tree=$({ %s; } | git hash-object -w -t tree --literally --stdin) && "
        "top=$(git ls-tree %s^{tree} | sed \"s/[0-9a-f]\\{40\\}\\tfiles/$tree\\tfiles/\" | "
        "git mktree --missing) && "
        "id=$(git cat-file commit %s | sed \"1s/.*/tree $top/\" | "
        "git hash-object -w -t commit --literally --stdin) && "
        "echo $id >refs/sf/$id && printf %%s $id",
        entries, c->result.id, c->result.id);
    id = tree_run(c->state, script.buf, NULL);
    sf_strbuf_release(&script);
    if (strlen(id) != SF_SNAP_ID)
        fail_msg("no snapshot was forged: %s", id);
    return id;
}

#define ENTRY(mode, name) "printf '" mode " " name "\\0'; raw"

static const struct {
    const char *name, *entries;
    bool restored;
} forged[] = {
    { "an ordinary file", ENTRY("100644", "fine"), true },
    { "the directory above", ENTRY("100644", ".."), false },
    { "the directory itself", ENTRY("100644", "."), false },
    { "a path in place of a name", ENTRY("100644", "../evil"), false },
    { "a path further down", ENTRY("100644", "a/evil"), false },
    { "no name", ENTRY("100644", ""), false },
    { "no mode that there is", ENTRY("7777777", "fine"), false },
    { "behind one that is fine", ENTRY("100644", "fine") "; " ENTRY("100644", ".."), false },
    { "cut off in the id", "printf '100644 fine\\0abc'", false },
    { "cut off in the name", "printf '100644 fi'", false },
    { "no tree at all", "printf 'this is no tree'", false },
};

static void test_forged(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(forged); i++) {
        struct sf_snap_restored out = SF_SNAP_RESTORED_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct snap_case *c;
        void *made = NULL;
        char *id, *found;
        bool ok;

        assert_int_equal(snap_setup(&made), 0);
        c = made;
        tree_puts(c->work, "kept", "kept");
        free(tree_run(c->work, "chmod 644 kept", NULL)); /* or its mode would be written down */
        snap_take(c);
        id = forge(c, forged[i].entries);
        ok = sf_snap_restore(c->snap, &(struct sf_snap_goal){ .id = id }, &out, &err);
        if (ok != forged[i].restored)
            fail_msg("%s: %s", forged[i].name, ok ? "it is restored" : err.msg);
        found = tree_run(c->top, "grep -rlx evil . --exclude-dir=state | tr '\\n' ' '", NULL);
        if (strcmp(found, forged[i].restored ? "./work/fine " : "") != 0)
            fail_msg("%s: written to %s", forged[i].name, found);
        if (!ok && access(c->work, F_OK) != 0)
            fail_msg("%s: the workspace is gone", forged[i].name);
        sf_snap_restored_release(&out);
        free(found);
        free(id);
        snap_teardown(&made);
    }
}

/* The commit says when and what for, as git reads it. */
static void test_commit(void **state)
{
    struct snap_case *c = *state;
    struct sf_strbuf line = SF_STRBUF_INIT;
    long long begin = (long long)time(NULL), author, committer;
    char *said, *rest;

    tree_puts(c->work, "f", "f");
    snap_take(c);
    sf_strbuf_addf(&line, "git --git-dir=snapshots.git log -1 --format='%%at %%ct %%s' %s",
                   c->result.id);
    said = tree_run(c->state, line.buf, NULL);
    author = strtoll(said, &rest, 10);
    committer = strtoll(rest, &rest, 10);
    assert_true(author >= begin && author <= (long long)time(NULL));
    assert_int_equal(author, committer);
    assert_string_equal(rest, " before\n");
    free(said);
    sf_strbuf_release(&line);
}

/* A label is as long as it may be, and no longer. */
static void test_label(void **state)
{
    static const struct {
        size_t len, kept;
    } labels[] = { { 199, 199 }, { 200, 200 }, { 201, 200 }, { 5000, 200 } };
    struct snap_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(labels); i++) {
        struct sf_strbuf label = SF_STRBUF_INIT, line = SF_STRBUF_INIT;
        struct sf_snap_result result = SF_SNAP_RESULT_INIT;
        struct sf_error err = SF_ERROR_INIT;
        char *said;

        sf_strbuf_fill(&label, 'x', labels[i].len);
        if (!sf_snap_take(c->snap, &(struct sf_snap_request){ .label = label.buf }, &result, &err))
            fail_msg("%s", err.msg);
        sf_strbuf_addf(&line, "git --git-dir=snapshots.git log -1 --format=%%s %s", result.id);
        said = tree_run(c->state, line.buf, NULL);
        assert_int_equal(strcspn(said, "\n"), labels[i].kept);
        free(said);
        sf_snap_result_release(&result);
        sf_strbuf_release(&label);
        sf_strbuf_release(&line);
    }
}

/* Whether a snapshot knows a path: rules for directories hide no file of that name. */
static void test_lacks(void **state)
{
    static const struct {
        const char *path;
        bool lacks;
    } paths[] = { { "build/x", true },
                  { "build", false },
                  { "new", false },
                  { "f", false },
                  { "a.secret", true } };
    struct snap_case *c = *state;
    struct sf_strlist list = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    size_t tops[SF_COUNT(paths)];

    tree_puts(c->work, ".gitignore", "build/\n*.secret\n");
    tree_puts(c->work, "f", "f");
    snap_take(c);
    for (size_t i = 0; i < SF_COUNT(paths); i++)
        sf_strlist_add(&list, paths[i].path);
    assert_true(sf_snap_lacks(c->snap, c->result.id, &list, tops, &err));
    for (size_t i = 0; i < SF_COUNT(paths); i++)
        if ((tops[i] != 0) != paths[i].lacks)
            fail_msg("%s: %zu", paths[i].path, tops[i]);
    sf_strlist_release(&list);
}

/* What stands behind a name that is gone, or new, is still known and not read again. */
static void test_read_once(void **state)
{
    struct snap_case *c = *state;

    tree_puts(c->work, "a", "1");
    tree_puts(c->work, "c", "2");
    tree_puts(c->work, "d/x", "3");
    free(tree_run(c->work, "find . -exec touch -h -d '2020-01-01 00:00:00.5' {} +; sleep 0.2",
                  NULL));
    snap_take(c);
    assert_int_equal(c->result.read, 3);
    free(tree_run(c->work, "rm a", NULL));
    snap_take(c);
    assert_int_equal(c->result.read, 0);
    assert_int_equal(c->result.files, 2);
    tree_puts(c->work, "b", "new");
    snap_take(c);
    assert_int_equal(c->result.read, 1);
    assert_int_equal(c->result.files, 3);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, snap_setup, snap_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forged), CASE(test_commit), CASE(test_label), CASE(test_lacks),
        CASE(test_read_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
