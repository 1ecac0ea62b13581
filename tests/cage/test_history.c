/*
 * What git has recorded outlives a command: ordinary work of git stays as git left it, without a
 * word; what a command tears out comes back, and is told. Commands run free here, as they do where
 * no mount holds anything.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/cage.h"
#include "io/io.h"
#include "support/test.h"
#include "support/tree.h"

struct fixture {
    char *dir, *root, *git, *kept, *home;
    const char *git_dirs[2];
    struct sf_repositories *all;
    struct sf_git_history *history;
    struct sf_strbuf words;
};

static char *run(const struct fixture *f, const char *what)
{
    struct sf_strbuf script = SF_STRBUF_INIT;
    char *said;

    sf_strbuf_addf(&script, "export HOME=%s GIT_CONFIG_GLOBAL=%s/.gitconfig; { %s\n} 2>&1", f->home,
                   f->home, what);
    said = tree_run(f->root, script.buf, NULL);
    sf_strbuf_release(&script);
    return said;
}

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_dir_new();

    f->dir = sf_path_real(dir, &err);
    free(dir);
    f->root = test_path(f->dir, "ws");
    f->home = test_path(f->dir, "home");
    f->git = test_path(f->root, ".git");
    f->kept = test_path(f->dir, "kept");
    f->git_dirs[0] = f->git;
    sf_strbuf_init(&f->words);
    *state = f;
    return 0;
}

static void forget(struct fixture *f)
{
    sf_git_history_free(f->history);
    sf_repositories_free(f->all);
    f->history = NULL;
    f->all = NULL;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    forget(f);
    test_dir_free(f->dir);
    free(f->root);
    free(f->git);
    free(f->kept);
    free(f->home);
    sf_strbuf_release(&f->words);
    free(f);
    return 0;
}

/* Two branches beside the main one, one of them merged; a pack, loose objects, a stash, a remote. */
static void make_sandbox(struct fixture *f)
{
    char *said;

    forget(f);
    said = tree_run(
        f->dir,
        "rm -rf ws home kept far && mkdir ws home && printf '[user]\\n\\tname = a\\n\\temail = a@b\\n"
        "[init]\\n\\tdefaultBranch = main\\n[protocol \"file\"]\\n\\tallow = always\\n"
        "[gc]\\n\\tauto = 0\\n' > home/.gitconfig && export GIT_CONFIG_GLOBAL=$PWD/home/.gitconfig "
        "&& git init -q far && git -C far commit -q --allow-empty -m far && git -C far branch old && "
        "git clone -q far ws && cd ws && git -C ../far branch -q -D old && echo 1 > a && "
        "git add a && git commit -qm one && git branch merged && git repack -adq && git switch -q -c "
        "apart && echo 2 > a && git commit -qam two && git switch -q main && echo 3 > b && git add b "
        "&& git commit -qm three && echo 4 > b && git stash -q && git worktree add -q -b tree tree && "
        "echo made",
        NULL);
    assert_string_equal(said, "made\n");
    free(said);
    f->all = sf_repositories_new(f->root, f->home, f->git_dirs);
    f->history = sf_git_history_new(f->git, f->kept);
}

static char *listing(const struct fixture *f)
{
    return run(f, "find .git -type f -printf '%P %s %m\\n' | sort; cat .git/HEAD .git/packed-refs; "
                  "git for-each-ref; git reflog --all");
}

enum { ALONE = 1 };

/* As git with reftable has them; what is in them does not matter here. */
#define TABLES                                                                      \
    "mkdir .git/reftable; cd .git/reftable; echo aa > 1-a.ref; echo bb > 2-b.ref; " \
    "printf '1-a.ref\\n2-b.ref\\n' > tables.list"

#define TWICE "git commit -q --amend -m other; git commit -q --amend -m third"

#define MANY                                                                                \
    "mkdir many; cd many; seq 3000 | split -l 1 -a 4 - f; cd ..; git add many; git commit " \
    "-qm many"

static const struct row {
    const char *name, *before, *command;
    const char *want; /* in what is told; NULL: nothing is */
    int flags;
} ordinary[] = {
    { "nothing", "", "true", NULL, 0 },
    { "a commit", "", "echo 5 > c; git add c; git commit -qm five", NULL, 0 },
    { "an amended one", "", "git commit -q --amend -m other", NULL, 0 },
    { "a rebase", "", "git rebase -q merged apart; git switch -q main", NULL, 0 },
    { "a merge", "", "git merge -q -m m apart", NULL, 0 },
    { "a branch that is merged, deleted", "", "git branch -q -d merged",
      "1 reference is gone: refs/heads/merged. ", 0 },
    { "a branch, renamed", "", "git branch -m apart other", "gone: refs/heads/apart. ", 0 },
    { "a branch, deleted by git alone", "", "git branch -q -D apart", "gone: refs/heads/apart. ",
      ALONE },
    { "a tag, deleted", "git tag t", "git tag -d t", "gone: refs/tags/t. ", 0 },
    { "packed references", "", "git pack-refs --all", NULL, 0 },
    { "a packed branch, deleted", "git pack-refs --all", "git branch -q -d merged",
      "1 reference is gone: refs/heads/merged. ", 0 },
    { "a fetch that prunes", "", "git fetch -q --prune", "gone: refs/remotes/origin/old. ", 0 },
    { "a stash, dropped", "", "git stash drop -q", "gone: refs/stash. ", ALONE },
    { "one of two, dropped", "echo 6 > b; git stash -q", "git stash drop -q",
      "1 log's entries are gone. ", 0 },
    { "a hard reset", "", "git reset -q --hard HEAD^", NULL, 0 },
    { "logs that expire", "", "git reflog expire --expire=now --all", "logs' entries are gone. ",
      0 },
    { "gathering", "", "git gc -q", NULL, 0 },
    { "gathering, and nothing is left over", TWICE,
      "git reflog expire --expire=now --expire-unreachable=now --all; git gc -q --prune=now",
      "logs' entries and ", 0 },
    { "the same by git alone", TWICE,
      "git reflog expire --expire=now --expire-unreachable=now --all; git gc -q --prune=now",
      "logs' entries and ", ALONE },
    { "packing anew", "", "git repack -adq", NULL, 0 },
    { "packing anew with what is loose", "", "git repack -Adq; git prune-packed", NULL, 0 },
    { "objects that nothing needs, pruned",
      "git hash-object -w --stdin < a > /dev/null; "
      "echo x | git hash-object -w --stdin > /dev/null",
      "git prune --expire=now", "1 object or pack is gone. ", 0 },
    { "a worktree", "", "git worktree add -q -b other other", NULL, 0 },
    { "a worktree removed", "", "git worktree remove --force tree", NULL, 0 },
    { "one of two worktrees, the names of one length, removed", "git worktree add -q -b fern fern",
      "git worktree remove --force fern", NULL, 0 },
    { "a worktree removed by hand and pruned", "", "rm -rf tree; git worktree prune", NULL, 0 },
    { "a submodule", "", "git submodule --quiet add ../far sub && git commit -qm sub", NULL, 0 },
    { "a submodule, deinitialised", "git submodule --quiet add ../far sub; git commit -qm sub",
      "git submodule --quiet deinit -f sub; git rm -q sub; git commit -qm gone", NULL, 0 },
    { "tables of references, gathered", TABLES,
      "cd .git/reftable; echo aabb > 3-c.ref; echo 3-c.ref > n; mv n tables.list; rm 1-a.ref 2-b.ref",
      NULL, 0 },
    { "another table of references", TABLES,
      "cd .git/reftable; echo cc > 3-c.ref; (cat tables.list; echo 3-c.ref) > n; mv n tables.list",
      NULL, 0 },
    { "a bisection", "", "git bisect start -q HEAD HEAD^; git bisect reset -q", NULL, 0 },
};

static const struct row torn[] = {
    { "the repository", "", "rm -rf .git", "Put back", 0 },
    { "the repository, moved", "", "mv .git elsewhere", "Put back", 0 },
    { "the repository, and another", "", "rm -rf .git; git init -q", "Put back", 0 },
    { "all objects", "", "rm -rf .git/objects", "objects or packs", 0 },
    { "all objects by git and others", "", "git status; rm -rf .git/objects", "objects or packs",
      0 },
    { "one object", "", "rm -f $(find .git/objects/?? -type f | head -1)", "1 object or pack", 0 },
    { "one object, emptied", "",
      "f=$(find .git/objects/?? -type f | tail -1); chmod u+w $f; : > $f", "1 object or pack", 0 },
    { "one object, overwritten", "",
      "f=$(find .git/objects/?? -type f | tail -1); cp -p $f t; chmod u+w $f; "
      "printf xx | dd of=$f bs=1 seek=4 conv=notrunc; touch -r t $f; rm t",
      "1 object or pack", 0 },
    { "one object, overwritten by another name", "",
      "ln $(find .git/objects/?? -type f | tail -1) t; chmod u+w t; "
      "printf xx | dd of=t bs=1 seek=4 conv=notrunc; rm t",
      "1 object or pack", 0 },
    { "a pack, overwritten", "",
      "f=$(ls .git/objects/pack/*.pack); cp -p $f t; chmod u+w $f; "
      "printf xx | dd of=$f bs=1 seek=20 conv=notrunc; touch -r t $f; rm t",
      "1 object or pack", 0 },
    { "more objects than are copied at once", MANY, "rm -rf .git/objects/??", "objects or packs",
      0 },
    { "a pack", "", "rm -f .git/objects/pack/*", "objects or packs", 0 },
    { "a pack that is kept by a word of one byte",
      "for p in .git/objects/pack/*.pack; do echo > ${p%.pack}.keep; done",
      "rm -f .git/objects/pack/*", "3 objects or packs", 0 },
    { "a pack, while another is made", "",
      "cp -r .git g; rm -f .git/objects/pack/*; git --git-dir=g repack -q; "
      "cp g/objects/pack/* .git/objects/pack/; rm -f $(ls -t .git/objects/pack/* | tail -3); rm -rf g",
      "Put back", 0 },
    { "references", "", "rm -rf .git/refs", "Put back", 0 },
    { "packed references", "git pack-refs --all", "rm .git/packed-refs", ".git/packed-refs", 0 },
    { "packed references, emptied", "git pack-refs --all", ": > .git/packed-refs",
      ".git/packed-refs", 0 },
    { "many packed references, emptied",
      "h=$(git rev-parse HEAD); i=0; { echo '# pack-refs with: peeled fully-peeled sorted '; "
      "while [ $i -lt 20000 ]; do printf '%s refs/tags/t%05d\\n' $h $i; i=$((i+1)); done; } "
      "> .git/packed-refs",
      ": > .git/packed-refs",
      "Put back, since the command had removed or emptied it and git's "
      "history needs it: .git/packed-refs.",
      0 },
    { "a long log, emptied",
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do cat .git/logs/HEAD .git/logs/HEAD > l; "
      "mv l .git/logs/HEAD; done",
      ": > .git/logs/HEAD", ".git/logs/HEAD", 0 },
    { "a branch", "", "rm .git/refs/heads/apart", ".git/refs/heads/apart", 0 },
    { "a branch, emptied", "", ": > .git/refs/heads/apart", ".git/refs/heads/apart", 0 },
    { "logs", "", "rm -rf .git/logs", ".git/logs/HEAD", 0 },
    { "a log, emptied", "", ": > .git/logs/refs/heads/apart", ".git/logs/refs/heads/apart", 0 },
    { "the stash", "", "rm .git/refs/stash", ".git/refs/stash", 0 },
    { "a table of references", TABLES, "rm -f .git/reftable/1-a.ref", ".git/reftable/1-a.ref", 0 },
    { "a table of references, emptied", TABLES, ": > .git/reftable/2-b.ref",
      ".git/reftable/2-b.ref", 0 },
    { "the list of tables", TABLES, "rm .git/reftable/tables.list", ".git/reftable/tables.list",
      0 },
    { "the list of tables, emptied", TABLES, ": > .git/reftable/tables.list",
      ".git/reftable/tables.list", 0 },
    { "all tables of references", TABLES, "rm -rf .git/reftable", ".git/reftable/", 0 },
    { "HEAD", "", "rm .git/HEAD", ".git/HEAD", 0 },
    { "the index", "", "rm .git/index", ".git/index", 0 },
    { "a worktree's data", "", "rm -rf .git/worktrees/tree", ".git/worktrees/tree/HEAD", 0 },
    { "a submodule's data", "git submodule --quiet add ../far sub; git commit -qm sub",
      "rm -rf .git/modules", ".git/modules/sub/HEAD", 0 },
};

static void settle(struct fixture *f, struct sf_git_repair *care)
{
    sf_git_repair_settle(care, &f->words);
    sf_git_repair_settle_history(care, &f->words);
}

static void command(struct fixture *f, const struct row *row, char **left)
{
    const struct sf_git_repair_how how = { .git_alone = row->flags & ALONE, .history = f->history };
    struct sf_git_repair *care;

    if (*row->before)
        free(run(f, row->before));
    care = sf_git_repair_new(f->all, &how);
    sf_git_repair_keep(care);
    free(run(f, row->command));
    *left = listing(f);
    sf_strbuf_reset(&f->words);
    settle(f, care);
    sf_git_repair_free(care);
}

static bool is_told(const struct fixture *f, const char *want)
{
    if (!want || !f->words.len)
        return !want && !f->words.len;
    return strstr(f->words.buf, want) && !strstr(f->words.buf, "Put back") &&
           !strstr(f->words.buf, "could not");
}

/* Whatever git removes stays removed; that it is gone is told. */
static void test_ordinary_work(void **state)
{
    struct fixture *f = *state;
    unsigned bad = 0;

    for (size_t i = 0; i < SF_COUNT(ordinary); i++) {
        char *left, *after;

        make_sandbox(f);
        command(f, &ordinary[i], &left);
        after = listing(f);
        if (!is_told(f, ordinary[i].want) || strcmp(left, after) != 0) {
            print_error("%s: mended\n%s%s---\n%s\n", ordinary[i].name,
                        f->words.len ? f->words.buf : "", left, after);
            bad++;
        }
        free(left);
        free(after);
    }
    assert_int_equal(bad, 0);
}

/* What git tells afterwards is what it told before. */
static char *told(const struct fixture *f)
{
    return run(f,
               "git symbolic-ref HEAD; git for-each-ref; git reflog; git reflog --all; git fsck "
               "--no-dangling; git status --short -uno; git -C tree log --oneline; git stash list");
}

static void test_torn_out(void **state)
{
    struct fixture *f = *state;
    unsigned bad = 0;

    for (size_t i = 0; i < SF_COUNT(torn); i++) {
        const struct row row = { torn[i].name, "", torn[i].command, torn[i].want, 0 };
        char *before, *after, *left;

        make_sandbox(f);
        free(run(f, *torn[i].before ? torn[i].before : "true"));
        before = told(f);
        command(f, &row, &left);
        after = told(f);
        if (!f->words.len || !strstr(f->words.buf, row.want) || strcmp(before, after) != 0) {
            print_error("%s\n%s\n%s---\n%s\n", row.name, f->words.len ? f->words.buf : "", before,
                        after);
            bad++;
        }
        free(before);
        free(after);
        free(left);
    }
    assert_int_equal(bad, 0);
}

static const struct row gone[] = {
    { "a branch", "", "git branch -q -D apart", "1 reference is gone: refs/heads/apart. ", 0 },
    { "entries of logs, and objects", TWICE,
      "git reflog expire --expire=now --all; git gc -q --prune=now",
      "logs' entries and 1 object or pack are gone. ", 0 },
    { "a tag", "git tag t1 apart", "git tag -d t1", "1 reference is gone: refs/tags/t1. ", 0 },
    { "a reference", "", "git update-ref -d refs/heads/apart",
      "1 reference is gone: refs/heads/apart. ", 0 },
    { "all branches but one, by a script", "git pack-refs --all",
      "git for-each-ref --format='delete %(refname)' refs/heads/apart refs/heads/merged | "
      "git update-ref --stdin",
      "2 references are gone: ", 0 },
    { "a line of the packed references",
      "git tag t1 apart; git tag -a -m t t2; git pack-refs --all", "sed -i /t1/d .git/packed-refs",
      "1 reference is gone: refs/tags/t1. ", 0 },
    { "one of two stashes", "echo 6 > b; git stash -q", "git stash drop -q",
      "1 log's entries are gone. ", 0 },
};

/* What comes after the words in the line that tells of it, run by the user. */
static void bring_back(const struct fixture *f, const char *words)
{
    const char *begin = strchr(words, '`'), *end = begin ? strchr(begin + 1, '`') : NULL;
    char *command = end ? sf_strndup(begin + 1, (size_t)(end - begin - 1)) : sf_strdup("false");

    free(run(f, command));
    free(command);
}

/* What git removed is told, outlives the next command, and comes back by the command that is named. */
static void test_gone_comes_back(void **state)
{
    const struct row idle = { "", "", "true", "", 0 };
    struct fixture *f = *state;
    unsigned bad = 0;

    for (size_t i = 0; i < SF_COUNT(gone); i++) {
        const struct row row = { "", "", gone[i].command, "", 0 };
        char *before, *after, *left, *words;

        make_sandbox(f);
        free(run(f, *gone[i].before ? gone[i].before : "true"));
        before = told(f);
        command(f, &row, &left);
        free(left);
        words = sf_strdup(f->words.len ? f->words.buf : "");
        command(f, &idle, &left);
        bring_back(f, words);
        after = told(f);
        if (!strstr(words, gone[i].want) || strcmp(before, after) != 0) {
            print_error("%s\n%s\n", gone[i].name, words);
            print_error("%s---\n", before);
            print_error("%s\n", after);
            bad++;
        }
        free(before);
        free(after);
        free(left);
        free(words);
    }
    assert_int_equal(bad, 0);
}

/* What somebody allowed by its name is done. */
static void test_named(void **state)
{
    struct fixture *f = *state;
    const char *const named[] = { f->git, NULL };
    const struct sf_git_repair_how how = { .history = f->history, .may_change = named };
    struct sf_git_repair_how now = how;
    struct sf_git_repair *care;

    make_sandbox(f);
    now.history = f->history;
    care = sf_git_repair_new(f->all, &now);
    sf_git_repair_keep(care);
    free(run(f, "rm -rf .git"));
    settle(f, care);
    sf_git_repair_free(care);
    assert_int_equal(f->words.len, 0);
    assert_int_equal(access(f->git, F_OK), -1);
}

/* A second command begins while the first one tears: that is not what there was. */
static void test_two_at_once(void **state)
{
    struct fixture *f = *state;
    struct sf_git_repair_how how = { .held = false };
    struct sf_git_repair *first, *second;
    char *before, *after;

    make_sandbox(f);
    how.history = f->history;
    before = told(f);
    first = sf_git_repair_new(f->all, &how);
    sf_git_repair_keep(first);
    free(run(f, "rm -rf .git/objects .git/refs"));
    second = sf_git_repair_new(f->all, &how);
    sf_git_repair_keep(second);
    after = told(f);
    assert_string_equal(after, before);
    settle(f, second);
    settle(f, first);
    assert_non_null(strstr(f->words.buf, "Put back"));
    sf_git_repair_free(first);
    sf_git_repair_free(second);
    free(before);
    free(after);
}

/* What people take away between two commands is theirs to take. */
static void test_between_commands(void **state)
{
    const struct row idle = { "", "", "true", "", 0 };
    struct fixture *f = *state;

    make_sandbox(f);
    for (int i = 0; i < 3; i++) {
        char *left, *after;

        command(f, &idle, &left);
        after = listing(f);
        assert_string_equal(left, after);
        assert_int_equal(f->words.len, 0);
        free(left);
        free(after);
        free(run(f, i ? "rm .git/logs/refs/heads/merged" : "rm .git/refs/heads/apart"));
    }
}

/* What was kept in an earlier run of sf serves the next one; what people removed meanwhile is gone. */
static void test_between_runs(void **state)
{
    const struct row row = { "", "", "rm -rf .git/objects .git/refs/heads", "", 0 };
    struct fixture *f = *state;
    const struct row idle = { "", "", "true", "", 0 };
    char *left, *before, *after;

    make_sandbox(f);
    command(f, &idle, &left);
    free(left);
    free(run(f, "git branch -q -D apart"));
    sf_git_history_free(f->history);
    f->history = sf_git_history_new(f->git, f->kept);
    before = told(f);
    command(f, &row, &left);
    after = told(f);
    assert_string_equal(after, before);
    assert_null(strstr(after, "refs/heads/apart"));
    free(left);
    free(before);
    free(after);
}

/* A file that is too large for a copy is noted all the same: nobody says that it was put back. */
static void test_too_large_is_said(void **state)
{
    const struct row row = { "", "truncate -s 65M .git/index", ": > .git/index", "", 0 };
    struct fixture *f = *state;
    char *left;

    make_sandbox(f);
    command(f, &row, &left);
    assert_null(strstr(f->words.buf, "Put back"));
    assert_non_null(strstr(f->words.buf, "could not be put back: .git/index"));
    free(left);
}

/* Where no second name can be had not all is kept at once, and what is missing is told. */
static void test_another_file_system(void **state)
{
    const struct row row = { "", MANY, "rm -rf .git/objects/??", "", 0 };
    struct fixture *f = *state;
    char far[] = "/dev/shm/sf-test-XXXXXX", *left;
    struct stat here, there;

    make_sandbox(f);
    if (!mkdtemp(far) || stat(f->dir, &here) < 0 || stat(far, &there) < 0 ||
        here.st_dev == there.st_dev)
        test_not_run("no second file system");
    sf_git_history_free(f->history);
    f->history = sf_git_history_new(f->git, far);
    command(f, &row, &left);
    free(left);
    free(tree_run(far, "chmod -R u+w . ; rm -rf $PWD", NULL));
    assert_non_null(strstr(f->words.buf, "Git misses objects"));
    assert_non_null(strstr(f->words.buf, "objects or packs"));
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_ordinary_work), CASE(test_torn_out),          CASE(test_gone_comes_back),
        CASE(test_named),         CASE(test_two_at_once),       CASE(test_between_commands),
        CASE(test_between_runs),  CASE(test_too_large_is_said), CASE(test_another_file_system),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
