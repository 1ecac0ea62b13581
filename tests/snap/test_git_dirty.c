/*
 * test_git_dirty.c: whether tracked files differ from the last commit, in real repositories made by
 * git. Nothing the repository configures may run, and what is not understood stays unknown.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "snap/git_dirty.h"
#include "snap/snap.h"
#include "support/test.h"
#include "support/tree.h"

/* Times in the past, so that git's notes about the files settle whether they changed. */
#define MADE                                                                                       \
    "git init -q -b main . && git config user.email a@b && git config user.name a && mkdir -p d/e" \
    " && echo one >a && echo two >d/b && echo three >d/e/c && ln -s a link && echo run >x"         \
    " && chmod +x x && touch -h -d '2020-01-01' a d/b d/e/c link x && git add -A"                  \
    " && git commit -q -m first && git status >.git/out"

static const struct {
    const char *name, *layout;
    enum sf_dirty want;
} rows[] = {
    { "no repository", "echo one >a", SF_DIRTY_UNKNOWN },
    { "no index yet", "git init -q .", SF_DIRTY_UNKNOWN },
    { "as committed", MADE, SF_DIRTY_NO },
    { "a changed file", MADE " && echo more >>d/b", SF_DIRTY_YES },
    { "a change of the same size", MADE " && echo owt >d/b", SF_DIRTY_YES },
    { "a change of the same size and time", MADE " && echo owt >d/b && touch -d '2020-01-01' d/b",
      SF_DIRTY_YES },
    { "a file that was only touched", MADE " && touch a d/e/c", SF_DIRTY_NO },
    { "a file that is gone", MADE " && rm d/e/c", SF_DIRTY_YES },
    { "a directory in place of a file", MADE " && rm a && mkdir a", SF_DIRTY_YES },
    { "a link to somewhere else", MADE " && ln -sf d link", SF_DIRTY_YES },
    { "a link in place of a directory", MADE " && mv d d2 && ln -s d2 d", SF_DIRTY_YES },
    { "another permission", MADE " && chmod +x a", SF_DIRTY_YES },
    { "permissions that git does not look at",
      MADE " && git config core.fileMode false && chmod +x a", SF_DIRTY_NO },
    { "a file that git does not track", MADE " && echo new >new", SF_DIRTY_NO },
    { "a staged change", MADE " && echo more >>a && git add a", SF_DIRTY_YES },
    { "a staged new file", MADE " && echo new >new && git add new", SF_DIRTY_YES },
    { "a staged new file in a directory", MADE " && echo n >d/e/z && git add d", SF_DIRTY_YES },
    { "a staged removal", MADE " && git rm -q --cached d/e/c", SF_DIRTY_YES },
    { "staged and taken back", MADE " && echo m >>a && git add a && git reset -q --hard",
      SF_DIRTY_NO },
    { "staged, and the content staged back",
      MADE " && echo m >>a && git add a && echo one >a && git add a", SF_DIRTY_NO },
    { "an intended file", MADE " && echo new >new && git add -N new", SF_DIRTY_YES },
    { "nothing committed yet", "git init -q . && echo one >a && git add a", SF_DIRTY_YES },
    { "committed again", MADE " && echo m >>a && git commit -qam second", SF_DIRTY_NO },
    { "packed references and objects", MADE " && git gc -q && git pack-refs --all", SF_DIRTY_NO },
    { "a detached head", MADE " && git checkout -q --detach", SF_DIRTY_NO },
    { "the fourth format", MADE " && git update-index --index-version 4", SF_DIRTY_NO },
    { "the fourth format, changed", MADE " && git update-index --index-version 4 && echo m >>d/e/c",
      SF_DIRTY_YES },
    { "a file git is told not to look at",
      MADE " && git update-index --assume-unchanged a && echo m >>a", SF_DIRTY_NO },
    { "a conflict",
      MADE " && git checkout -q -b other && echo x >a && git commit -qam x && git checkout -q main"
           " && echo y >a && git commit -qam y && ! git merge -q other",
      SF_DIRTY_YES },
    { "a linked worktree",
      "mkdir m && cd m && " MADE " && git worktree add -q ../w && cd .. && mv w/.git w/a w/d"
      " w/link w/x . && rmdir w && sed -i 's,^gitdir: .*,gitdir: m/.git/worktrees/w,' .git",
      SF_DIRTY_NO },
    { "ends of lines that git converts",
      MADE " && git config core.autocrlf true && printf 'one\\r\\n' >a", SF_DIRTY_NO },
    { "a filter, which does not run",
      MADE " && echo '* filter=bad' >.git/info/attributes && git config filter.bad.clean"
           " 'touch ran; cat' && echo m >>a",
      SF_DIRTY_YES },
    { "a monitor, which does not run",
      MADE " && git config core.fsmonitor 'touch ran; true' && echo m >>a", SF_DIRTY_YES },
    { "an index cut short", MADE " && truncate -s 100 .git/index", SF_DIRTY_UNKNOWN },
    { "an index with another byte",
      MADE " && printf 'X' | dd of=.git/index bs=1 seek=80 conv=notrunc status=none",
      SF_DIRTY_UNKNOWN },
    { "a commit that is missing", MADE " && rm -rf .git/objects/??", SF_DIRTY_UNKNOWN },
    { "a reference that leaves the repository",
      MADE " && echo 'ref: refs/../../../etc/passwd' >.git/HEAD", SF_DIRTY_UNKNOWN },
};

static void test_states(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        char *root = test_dir_new(), *ran = test_path(root, "ran");
        atomic_bool cancel = false;
        enum sf_dirty got;

        free(tree_run(root, rows[i].layout, NULL));
        got = sf_git_dirty(root, &cancel);
        if (got != rows[i].want)
            fail_msg("%s: %d, not %d", rows[i].name, (int)got, (int)rows[i].want);
        if (access(ran, F_OK) == 0)
            fail_msg("%s: something ran", rows[i].name);
        free(ran);
        test_dir_free(root);
    }
}

/* An empty index beside trees that git would refuse to make: each holds the next one. */
#define NESTED                                                         \
    MADE " && t=$(git rev-parse HEAD:) && for i in $(seq %d); do"      \
         " t=$(printf '040000 tree %%s\\ta\\n' $t | git mktree); done" \
         " && git update-ref HEAD $(git commit-tree -m deep $t) && git read-tree --empty"

/* The deepest tree that is walked, and the first that is not. */
static void test_depth(void **state)
{
    static const struct {
        int levels;
        enum sf_dirty want;
    } depths[] = { { SF_SNAP_DEPTH_MAX, SF_DIRTY_YES },
                   { SF_SNAP_DEPTH_MAX + 1, SF_DIRTY_UNKNOWN } };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(depths); i++) {
        struct sf_strbuf layout = SF_STRBUF_INIT;
        char *root = test_dir_new();
        atomic_bool cancel = false;

        sf_strbuf_addf(&layout, NESTED, depths[i].levels);
        free(tree_run(root, layout.buf, NULL));
        assert_int_equal(sf_git_dirty(root, &cancel), depths[i].want);
        sf_strbuf_release(&layout);
        test_dir_free(root);
    }
}

/* Who cancels gets no guess. */
static void test_cancelled(void **state)
{
    struct sf_strbuf layout = SF_STRBUF_INIT;
    char *root = test_dir_new();
    atomic_bool cancel = true;

    (void)state;
    sf_strbuf_adds(&layout, MADE " && mkdir many && cd many && seq 600 | xargs touch && git add .");
    free(tree_run(root, layout.buf, NULL));
    assert_int_equal(sf_git_dirty(root, &cancel), SF_DIRTY_UNKNOWN);
    cancel = false;
    assert_int_equal(sf_git_dirty(root, &cancel), SF_DIRTY_YES);
    sf_strbuf_release(&layout);
    test_dir_free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
