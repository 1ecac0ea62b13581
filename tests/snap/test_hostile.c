/*
 * Hostile repositories: whatever their settings, names and links say, no code of theirs runs,
 * nothing outside the workspace is touched, and nothing hangs.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

/* Each makes a workspace in the current directory; ../ran must not come to be. */
static const struct {
    const char *name, *make, *change;
} cases[] = {
    { "filters, monitors and hooks of the repository",
      "git init -q . && E='touch ../ran; cat' && git config filter.evil.clean \"$E\" && "
      "git config filter.evil.smudge \"$E\" && git config filter.evil.required true && "
      "git config core.fsmonitor 'touch ../ran' && git config diff.external 'touch ../ran' && "
      "git config core.attributesFile ../attributes && git config core.hooksPath hooks && "
      "git config include.path ../evil && echo '* filter=evil text eol=crlf' >.gitattributes && "
      "mkdir hooks && for h in post-checkout pre-commit post-index-change reference-transaction "
      "post-commit; do printf '#!/bin/sh\\ntouch ../ran\\n' >hooks/$h; chmod +x hooks/$h; "
      "cp hooks/$h .git/hooks/; done; printf 'a\\r\\nb\\n' >text",
      "printf 'b\\na\\r\\n' >text; rm .gitattributes; echo x >new" },
    { "alternates and a broken repository",
      "git init -q . && mkdir -p .git/objects/info && echo /dev/zero >.git/objects/info/alternates "
      "&& echo garbage >.git/HEAD && echo garbage >.git/index && echo '[core' >.git/config && "
      "echo a >a",
      "echo b >a" },
    { "a .git file that points elsewhere",
      "mkdir ../else && git init -q --bare ../else && echo 'gitdir: ../else' >.git && echo a >a",
      "echo b >a; echo c >c" },
    { "a .git that is a link", "ln -s / .git; echo a >a", "echo b >a" },
    { "a FIFO in place of an ignore file", "mkfifo .gitignore .ignore; echo a >a", "echo b >a" },
    { "an ignore file without end", "ln -s /dev/zero .gitignore; echo a >a", "echo b >a" },
    { "names that look like git's own",
      "mkdir .GIT git~1 .Git && echo a >.GIT/config && echo b >git~1/x && echo c >.gitmodules && "
      "ln -s .git/config .gitattributes",
      "rm -r .GIT; echo d >git~1/x; rm .gitattributes" },
    { "names that only differ in case", "echo a >Case; echo b >case; mkdir Dir dir; echo c >dir/c",
      "rm Case; echo d >CASE; rm -r dir" },
    { "names of all kinds",
      "touch -- -rf '*' '\n' ' ' \"$(printf '\\377\\376')\" \"$(printf '\\033[31m')\" '~' '$HOME' "
      "\"$(printf 'x%.0s' $(seq 255))\"",
      "rm -- '*'; echo x >-rf; mv '\n' moved" },
    { "links that lead out",
      "mkdir d && echo a >d/f && mkdir ../out && echo out >../out/f && ln -s ../out way",
      "rm -r d; ln -s ../out d; rm way; mkdir way; echo in >way/f" },
    { "directories very deep in each other",
      "mkdir -p \"$(printf 'd/%.0s' $(seq 150))\" && echo a >a", "echo b >a; rm -r d" },
    { "many links in a circle", "ln -s b a; ln -s a b; ln -s . self", "rm a; echo x >a" },
};

static void check_case(struct snap_case *c, const char *name, const char *make, const char *change)
{
    struct sf_strlist before = SF_STRLIST_INIT, after = SF_STRLIST_INIT;
    char *ran = test_path(c->top, "ran"), *out = test_path(c->top, "out");

    free(tree_run(c->work, make, NULL));
    snap_listing(out, NULL, &before);
    snap_listing(c->work, NULL, &c->a);
    unlink(ran);
    snap_take(c);
    if (access(ran, F_OK) == 0)
        fail_msg("%s: code of the repository ran", name);
    free(tree_run(c->work, change, NULL));
    unlink(ran);
    snap_restore_id(c, c->result.id);
    if (access(ran, F_OK) == 0)
        fail_msg("%s: code of the repository ran", name);
    snap_listing(c->work, NULL, &c->b);
    snap_same(name, &c->b, &c->a);
    snap_listing(out, NULL, &after);
    snap_same(name, &after, &before);
    sf_strlist_release(&before);
    sf_strlist_release(&after);
    free(ran);
    free(out);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        void *made;

        if (snap_setup(&made) < 0)
            fail_msg("%s: cannot begin", cases[i].name);
        check_case(made, cases[i].name, cases[i].make, cases[i].change);
        snap_teardown(&made);
    }
}

/* Deeper than any path can be spelled: left out and told. */
static void test_too_deep(void **state)
{
    struct snap_case *c = *state;

    free(tree_run(c->work,
                  "for i in $(seq 6); do mkdir -p \"$(printf 'dir/%.0s' $(seq 50))\" && "
                  "cd \"$(printf 'dir/%.0s' $(seq 50))\"; done; echo a >a",
                  NULL));
    snap_take(c);
    assert_int_equal(c->result.skipped, 1);
    snap_listing(c->work, NULL, &c->a);
    tree_puts(c->work, "new", "new");
    snap_restore_id(c, c->result.id);
    snap_listing(c->work, NULL, &c->b);
    snap_same("very deep", &c->b, &c->a);
}

/* Damage to sf's own files costs time or is told; it is never believed. */
static void test_damage(void **state)
{
    static const char *const damage[] = {
        "for f in sf/index-*; do : >$f; done",
        "for f in sf/index-*; do head -c 100 $f >x; cat x >$f; done",
        "for f in sf/index-*; do printf zzzz | dd of=$f bs=1 seek=70 conv=notrunc status=none; done",
        "for f in sf/index-*; do ln -sf /dev/zero $f; done",
        "n=$(ls sf/index-* | sed 's/index/restore/'); echo garbage >$n",
        "touch objects/pack/tmp_-1.pack objects/pack/pack-0.pack refs/sf/junk",
    };
    struct snap_case *c = *state;
    char id[SF_SNAP_ID + 1];

    for (size_t i = 0; i < SF_COUNT(damage); i++) {
        struct sf_strbuf command = SF_STRBUF_INIT;

        tree_puts(c->work, "f", damage[i]);
        snap_listing(c->work, NULL, &c->a);
        memcpy(id, snap_take(c), sizeof(id));
        sf_strbuf_addf(&command, "cd snapshots.git && %s", damage[i]);
        free(tree_run(c->state, command.buf, NULL));
        tree_puts(c->work, "f", "changed");
        tree_puts(c->work, "g", "new");
        snap_take(c);
        snap_restore_id(c, id);
        snap_listing(c->work, NULL, &c->b);
        snap_same(damage[i], &c->b, &c->a);
        sf_strbuf_release(&command);
    }
}

/* An object that is gone: an error, and the workspace stays as it was or can be taken back. */
static void test_lost_object(void **state)
{
    struct snap_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap_goal goal = { 0 };
    char id[SF_SNAP_ID + 1];

    tree_puts(c->work, "f", "a text that is lost");
    memcpy(id, snap_take(c), sizeof(id));
    goal.id = id;
    tree_puts(c->work, "f", "another one");
    snap_take(c);
    snap_listing(c->work, NULL, &c->a);
    free(tree_run(c->state,
                  "cd snapshots.git && h=$(printf 'a text that is lost' | git hash-object --stdin) "
                  "&& rm -f objects/$(echo $h | cut -c1-2)/$(echo $h | cut -c3-)",
                  NULL));
    assert_false(sf_snap_restore(c->snap, &goal, &c->restored, &err));
    assert_int_equal(err.code, SF_E_DAMAGED);
    err = (struct sf_error)SF_ERROR_INIT;
    if (!sf_snap_resume(c->snap, true, &c->restored, &err))
        fail_msg("back: %s", err.msg);
    snap_listing(c->work, NULL, &c->b);
    snap_same("taken back", &c->b, &c->a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test_setup_teardown(test_too_deep, snap_setup, snap_teardown),
        cmocka_unit_test_setup_teardown(test_damage, snap_setup, snap_teardown),
        cmocka_unit_test_setup_teardown(test_lost_object, snap_setup, snap_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
