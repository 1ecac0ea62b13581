/*
 * What a command leaves behind for git: ordinary work stays without a word, what would run a
 * program at the user's next command is put back and told. Commands run free here, as they do
 * where no mount can hold what is not there yet; afterwards the user comes with git.
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
    char *dir, *root, *home, *git;
    const char *git_dirs[2];
    struct sf_strbuf words;
};

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
    sf_strbuf_init(&f->words);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    test_dir_free(f->dir);
    free(f->root);
    free(f->home);
    free(f->git);
    sf_strbuf_release(&f->words);
    free(f);
    return 0;
}

enum { NO_GIT = 1, ALONE = 2, ANY = 4 };

#define HOOK "printf '#!/bin/sh\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit"
#define EVIL "printf '[core]\\n\\tfsmonitor = %s\\n' $EVIL"

static const struct row {
    const char *name, *before, *command;
    const char *want; /* in what is told; NULL: nothing is */
    int flags;
} rows[] = {
    /* ordinary work */
    { "a new repository", "", "git init -q", NULL, NO_GIT },
    { "with settings", "", "git init -q; git config user.name b; git remote add o ../x", NULL,
      NO_GIT },
    { "with a commit", "", "git init -q; touch a; git add a; git commit -qm x", NULL, NO_GIT },
    { "a branch with its upstream", "", "git branch b; git branch -q -u main b", NULL, 0 },
    { "a clone inside", "", "git clone -q . made", NULL, 0 },
    { "a bare one", "", "git clone -q --bare . made", NULL, 0 },
    { "a submodule", "", "git -c protocol.file.allow=always submodule --quiet add ../other m", NULL,
      0 },
    { "a submodule's update",
      "git -c protocol.file.allow=always submodule --quiet add ../other m; git commit -qm m; "
      "git submodule --quiet deinit -f m; rm -rf .git/modules/m",
      "git -c protocol.file.allow=always submodule --quiet update --init", NULL, 0 },
    { "a worktree", "", "git worktree add -q tree", NULL, 0 },
    { "a worktree gone", "git worktree add -q tree", "git worktree remove tree", NULL, 0 },
    { "a worktree moved by git alone", "git worktree add -q tree", "git worktree move tree tree2",
      NULL, ALONE },
    { "a sparse checkout", "", "git sparse-checkout set src", NULL, 0 },
    { "a repository removed", "git init -q made", "rm -rf made", NULL, 0 },
    { "settings that were there", "git config core.pager $EVIL", "git config user.name c", NULL,
      ALONE },
    { "hooks that were there", "cp $EVIL .git/hooks/pre-push", "git commit -q --allow-empty -m y",
      NULL, 0 },
    { "settings somebody allowed", "", "git config core.editor vi", NULL, ALONE | ANY },
    { "sf's own notes", "", "mkdir -p .sf/plans; touch .sf/plans/x", NULL, 0 },

    { "what a shell obeys, by git alone", "", "echo x > .envrc", NULL, ALONE },

    /* what others obey, where no mount holds it */
    { "what a shell obeys, changed", "echo a > .envrc", "echo b >> .envrc",
      ".envrc (as before again)", 0 },
    { "the same, a link", "echo a > .envrc", "ln -sf /etc/passwd .envrc",
      ".envrc (as before again)", 0 },
    { "the same, removed", "echo a > .envrc", "rm .envrc", ".envrc (there again)", 0 },
    { "the same, new", "", "mkdir src; echo b > src/.envrc", "src/.envrc (new, moved aside)", 0 },
    { "what an editor obeys, new", "", "mkdir .vscode; echo x > .vscode/tasks.json",
      ".vscode (new, moved aside)", 0 },
    { "the same, changed", "mkdir .vscode; echo a > .vscode/tasks.json",
      "echo b > .vscode/tasks.json", ".vscode/tasks.json (as before again)", 0 },
    { "the same, removed with its directory", "mkdir -p .husky/_; echo a > .husky/_/h",
      "rm -rf .husky", ".husky/_/h (there again)", 0 },
    { "the same, and a link in its place", "mkdir .vscode; echo a > .vscode/tasks.json",
      "mv .vscode x; ln -s x .vscode", ".vscode/tasks.json (there again)", 0 },
    { "the same, more of it", "mkdir .vscode; echo a > .vscode/tasks.json",
      "echo b > .vscode/launch.json", ".vscode/launch.json (new, moved aside)", 0 },

    /* settings */
    { "a new repository with a monitor", "", "git init -q; git config core.fsmonitor $EVIL",
      ".git/config (core.fsmonitor taken out)", NO_GIT },
    { "a repository inside", "", "git init -q made; git -C made config core.fsmonitor $EVIL",
      "made/.git/config (core.fsmonitor taken out)", 0 },
    { "a hook of git's that writes settings", "", "git config core.hooksPath .evil",
      ".git/config (core.hookspath taken out)", ALONE },
    { "settings of one worktree", "git config extensions.worktreeConfig true",
      EVIL " > .git/config.worktree", ".git/config.worktree (core.fsmonitor taken out)", 0 },
    { "settings that go on in the next line", "",
      "printf '[core]\\n\\tfsmonitor = \\\\\\n%s\\n' $EVIL >> .git/config",
      ".git/config (as before again)", 0 },
    { "the same in a new one", "",
      "git init -q made; printf '[core]\\n\\tfsmonitor = \\\\\\n%s\\n' $EVIL >> made/.git/config",
      "made/.git/config (what is not plain taken out)", 0 },
    { "included by the settings, and new", "git config include.path ../team", EVIL " > team",
      "team (core.fsmonitor taken out)", 0 },
    { "settings as a link", "git init -q made",
      "cp made/.git/config e; " EVIL " >> e; ln -sf $PWD/e made/.git/config",
      "made/.git/config (a link, removed)", 0 },
    { "without a work tree", "",
      "git init -q --bare made; cd made; git config core.fsmonitor $EVIL; "
      "git config core.worktree $PWD; git config core.bare false",
      "made/config (core.fsmonitor, core.worktree taken out)", 0 },
    { "a work tree elsewhere", "", "git init -q made; git -C made config core.worktree $HOME",
      "core.worktree taken out", 0 },
    { "known by the index alone", "",
      "git init -q node_modules/made; git -C node_modules/made commit -q --allow-empty -m x; "
      "git add -f node_modules/made 2>/dev/null; "
      "git -C node_modules/made config core.fsmonitor $EVIL",
      "node_modules/made/.git/config (core.fsmonitor taken out)", 0 },
    { "the same, in the index's fourth version", "git update-index --index-version 4",
      "git init -q node_modules/made; git -C node_modules/made commit -q --allow-empty -m x; "
      "git add -f node_modules/made 2>/dev/null; "
      "git -C node_modules/made config core.fsmonitor $EVIL",
      "node_modules/made/.git/config (core.fsmonitor taken out)", 0 },
    { "a module made new", "",
      "mkdir .git/modules; git init -q --separate-git-dir=.git/modules/m made; " EVIL
      " >> .git/modules/m/config",
      ".git/modules/m/config (core.fsmonitor taken out)", 0 },

    /* hooks */
    { "a hook", "", "cp $EVIL .git/hooks/pre-commit",
      ".git/hooks/pre-commit (no longer executable)", 0 },
    { "a hook changed",
      "printf '#!/bin/sh\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
      "cat $EVIL > .git/hooks/pre-commit", ".git/hooks/pre-commit (as before again)", 0 },
    { "a hook removed", HOOK, "rm .git/hooks/pre-commit", ".git/hooks/pre-commit (there again)",
      0 },
    { "a hook switched off", HOOK, "chmod -x .git/hooks/pre-commit",
      ".git/hooks/pre-commit (there again)", 0 },
    { "all hooks removed", HOOK, "rm -rf .git/hooks", ".git/hooks/pre-commit (there again)", 0 },
    { "hooks removed, and a link", HOOK, "rm -rf .git/hooks; ln -s /nowhere .git/hooks",
      ".git/hooks/pre-commit (there again)", 0 },

    /* what git goes by */
    { "attributes", "", "echo '* filter=x' > .git/info/attributes",
      ".git/info/attributes (removed)", 0 },
    { "attributes changed", "mkdir -p .git/info; echo a > .git/info/attributes",
      "echo '* filter=x' > .git/info/attributes", ".git/info/attributes (as before again)", 0 },
    { "attributes removed", "mkdir -p .git/info; echo a > .git/info/attributes", "rm -r .git/info",
      ".git/info/attributes (there again)", 0 },
    { "objects of others", "", "echo $HOME/../other/.git/objects > .git/objects/info/alternates",
      ".git/objects/info/alternates (removed)", 0 },
    { "a clone that shares objects", "", "git clone -q --shared . made", NULL, 0 },

    /* what programs obey or believe */
    { "an .env", "", "echo A=b > .env", ".env (new, moved aside)", 0 },
    { "an .env changed", "echo A=a > .env", "echo A=b > .env", ".env (as before again)", 0 },
    { "one that git has", "echo A=a > .env; git add -f .env; git commit -qm env", "rm .env",
      ".env (there again)", 0 },
    { "one further down", "", "mkdir -p a/b; echo A=b > a/b/.env.local",
      "a/b/.env.local (new, moved aside)", 0 },
    { "an example", "", "echo A=b > .env.example; echo k > test.key", NULL, 0 },
    { "settings of a package manager", "", "echo x > .npmrc", ".npmrc (new, moved aside)", 0 },
    { "settings of git's user", "", "echo x > .gitconfig", ".gitconfig (new, moved aside)", 0 },
    { "another key", "mkdir .ssh; echo k > .ssh/authorized_keys",
      "echo k > .ssh/rc; echo e >> .ssh/authorized_keys", ".ssh/rc (new, moved aside)", 0 },
    { "a key allowed in", "mkdir .ssh; echo k > .ssh/authorized_keys",
      "echo e >> .ssh/authorized_keys", ".ssh/authorized_keys (as before again)", 0 },
    { "a hook as a link", "", "ln -s $EVIL .git/hooks/pre-commit", ".git/hooks/pre-commit", 0 },
    { "hooks as a link", "",
      "mkdir evil; cp $EVIL evil/pre-commit; rm -rf .git/hooks; ln -s ../evil .git/hooks",
      ".git/hooks (a link, removed)", 0 },
    { "what a link of hooks leads to", "mkdir hooks; rm -rf .git/hooks; ln -s ../hooks .git/hooks",
      "cp $EVIL hooks/pre-commit", "hooks/pre-commit (no longer executable)", 0 },
    { "a directory that settings name, and new", "git config core.hooksPath .husky",
      "mkdir .husky; cp $EVIL .husky/pre-commit", ".husky/pre-commit (no longer executable)", 0 },

    /* pointers */
    { "a common directory", "", "cp -r .git e; " EVIL " >> e/config; echo ../e > .git/commondir",
      ".git/commondir (removed)", 0 },
    { "of a linked worktree", "git worktree add -q tree",
      "cp -r .git e; " EVIL " >> e/config; echo $PWD/e > .git/worktrees/tree/commondir",
      ".git/worktrees/tree/commondir (as before again)", 0 },
    { "of a new one", "",
      "git worktree add -q tree; cp -r .git e; " EVIL
      " >> e/config; echo $PWD/e > .git/worktrees/tree/commondir",
      ".git/worktrees/tree/commondir (as git writes it)", 0 },
    { "whose worktree it is", "git worktree add -q tree",
      "echo $HOME/.git > .git/worktrees/tree/gitdir",
      ".git/worktrees/tree/gitdir (as before again)", 0 },
    { "a .git that leads to evil", "git worktree add -q tree",
      "cp -r .git e; " EVIL " >> e/config; echo gitdir: $PWD/e > tree/.git",
      "e/config (core.fsmonitor taken out)", 0 },
    { "a .git that is a link", "",
      "git init -q --separate-git-dir=$PWD/e made; " EVIL " >> e/config; ln -sf ../e made/.git",
      "e/config (core.fsmonitor taken out)", 0 },
    { "a .git that leads outside", "", "mkdir made; echo gitdir: $HOME/../other/.git > made/.git",
      "made/.git (removed: it leads outside)", 0 },
    { "a link that leads outside", "", "mkdir made; ln -s $HOME/../other/.git made/.git",
      "made/.git (removed: it leads outside)", 0 },

    /* sf */
    { "settings of sf", "", "mkdir .sf; echo > .sf/config.toml", ".sf/config.toml", 0 },
};

/* With what runs a program when git is led to it: it leaves a file. */
static void make_sandbox(const struct fixture *f, bool has_git)
{
    struct sf_strbuf script = SF_STRBUF_INIT;
    char *said;

    sf_strbuf_addf(
        &script,
        "rm -rf ws home other ran && mkdir ws home && "
        "printf '[user]\\n\\tname = a\\n\\temail = a@b\\n[init]\\n\\tdefaultBranch = main\\n' "
        "> home/.gitconfig && printf '#!/bin/sh\\ntouch %s/ran\\n' > home/evil.sh && "
        "chmod +x home/evil.sh && export GIT_CONFIG_GLOBAL=%s/.gitconfig && "
        "git init -q other && git -C other commit -q --allow-empty -m x && ",
        f->dir, f->home);
    if (has_git)
        sf_strbuf_adds(&script, "git init -q ws && git -C ws commit -q --allow-empty -m x && ");
    sf_strbuf_adds(&script, "echo made");
    said = tree_run(f->dir, script.buf, NULL);
    assert_string_equal(said, "made\n");
    free(said);
    sf_strbuf_release(&script);
}

static void run(const struct fixture *f, const char *what)
{
    struct sf_strbuf script = SF_STRBUF_INIT;

    sf_strbuf_addf(&script,
                   "export HOME=%s GIT_CONFIG_GLOBAL=%s/.gitconfig EVIL=%s/evil.sh; { %s\n}",
                   f->home, f->home, f->home, what);
    free(tree_run(f->root, script.buf, NULL));
    sf_strbuf_release(&script);
}

static void use_git(const struct fixture *f)
{
    run(f,
        "for d in . made tree m node_modules/made; do [ -d $d ] && ( cd $d; git status; "
        "git --paginate log -1; git commit --allow-empty -m x ); done </dev/null >/dev/null 2>&1");
}

static bool ran(const struct fixture *f)
{
    char *path = test_path(f->dir, "ran");
    bool yes = access(path, F_OK) == 0;

    free(path);
    return yes;
}

/* One line about the row, or NULL. */
static const char *try(struct fixture *f, const struct row *row)
{
    const struct sf_git_repair_how how = { .git_alone = row->flags & ALONE,
                                           .any = row->flags & ANY };
    struct sf_repositories *all;
    struct sf_git_repair *care;
    const char *wrong = NULL;

    make_sandbox(f, !(row->flags & NO_GIT));
    f->git_dirs[0] = row->flags & NO_GIT ? NULL : f->git;
    if (*row->before)
        run(f, row->before);
    all = sf_repositories_new(f->root, f->home, f->git_dirs);
    care = sf_git_repair_new(all, &how);
    run(f, row->command);
    sf_strbuf_reset(&f->words);
    sf_git_repair_settle(care, &f->words);
    if (sf_repositories_is_cut(all))
        wrong = "the search was cut";
    sf_git_repair_free(care);
    sf_repositories_free(all);
    if (!row->want && f->words.len)
        wrong = "spoke of ordinary work";
    else if (row->want && !strstr(f->words.buf, row->want))
        wrong = "did not say so";
    else if (row->want && strstr(f->words.buf, "Could not be put back"))
        wrong = "did not put it back";
    if (row->want) {
        use_git(f);
        wrong = ran(f) ? "git ran it" : wrong;
    }
    return wrong;
}

static void test_rows(void **state)
{
    struct fixture *f = *state;
    unsigned bad = 0;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const char *wrong = try(f, &rows[i]);

        if (!wrong)
            continue;
        print_error("%s: %s\n%s\n", rows[i].name, wrong, f->words.buf);
        bad++;
    }
    assert_int_equal(bad, 0);
}

/* Without anybody to put it back, each of them runs, or it would show nothing. */
static void test_rows_are_real(void **state)
{
    struct fixture *f = *state;
    unsigned bad = 0;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        if (!rows[i].want || !strstr(rows[i].command, "EVIL"))
            continue;
        make_sandbox(f, !(rows[i].flags & NO_GIT));
        run(f, *rows[i].before ? rows[i].before : "true");
        run(f, rows[i].command);
        use_git(f);
        if (!ran(f)) {
            print_error("%s: nothing ran\n", rows[i].name);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

/* A tame setting in the file that was sifted is still there, and git still works with it. */
static void test_the_rest_stays(void **state)
{
    struct fixture *f = *state;
    const struct row row = { "", "",
                             "git init -q; git config user.name 'A \"B\" # c'; "
                             "git config remote.o/p.url x; git config core.fsmonitor $EVIL",
                             "core.fsmonitor", NO_GIT };
    char *said;

    assert_null(try(f, &row));
    said = tree_run(f->root, "git config user.name; git config remote.o/p.url", NULL);
    assert_string_equal(said, "A \"B\" # c\nx\n");
    free(said);
}

/* What a mount held was changed by somebody else. */
static void test_held_is_not_the_commands(void **state)
{
    const struct sf_git_repair_how how = { .held = true };
    struct fixture *f = *state;
    struct sf_repositories *all;
    struct sf_git_repair *care;

    make_sandbox(f, true);
    f->git_dirs[0] = f->git;
    run(f, "git worktree add -q tree");
    all = sf_repositories_new(f->root, f->home, f->git_dirs);
    care = sf_git_repair_new(all, &how);
    run(f, "git config core.pager less; cp $EVIL .git/hooks/pre-push");
    sf_git_repair_settle(care, &f->words);
    assert_int_equal(f->words.len, 0);
    run(f, "git init -q made; git -C made config core.pager less");
    sf_git_repair_settle(care, &f->words);
    assert_non_null(strstr(f->words.buf, "made/.git/config"));
    sf_git_repair_free(care);
    sf_repositories_free(all);
}

/* A link that appears where something is put back is not written through. */
static void test_nothing_is_written_through_links(void **state)
{
    struct fixture *f = *state;
    const struct row row = { "", "git init -q made",
                             "cp made/.git/config $HOME/mine; " EVIL
                             " >> $HOME/mine; mv made/.git evil; ln -s $HOME made/.git; "
                             "mv $HOME/mine $HOME/config",
                             "removed: it leads outside", 0 };
    char *said;

    assert_null(try(f, &row));
    said = tree_run(f->home, "grep -c fsmonitor config", NULL);
    assert_string_equal(said, "1\n");
    free(said);
}

static void test_a_large_workspace_is_said(void **state)
{
    struct fixture *f = *state;
    struct sf_repositories *all;

    make_sandbox(f, true);
    f->git_dirs[0] = f->git;
    run(f,
        "i=0; while [ $i -lt 50 ]; do mkdir -p d/$i; ( cd d/$i; mkdir $(seq 1 45) ); i=$((i+1)); done");
    all = sf_repositories_new(f->root, f->home, f->git_dirs);
    assert_true(sf_repositories_is_cut(all));
    sf_repositories_free(all);
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_rows),
        CASE(test_rows_are_real),
        CASE(test_the_rest_stays),
        CASE(test_held_is_not_the_commands),
        CASE(test_nothing_is_written_through_links),
        CASE(test_a_large_workspace_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
