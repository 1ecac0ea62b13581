/*
 * Every repository that a command comes to counts, and none that it does not: real repositories,
 * commands as the engine judges them, and git itself, which shows that the others do run programs.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/judge_case.h"
#include "support/test.h"

static time_t later_s; /* how much later it is for sf than for the files */

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    int status;

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    status = real(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += later_s;
    return status;
}

/* Each repository but `clean` has a setting that runs a program, for some verbs. */
static const char layout[] =
    "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b\n"
    "make() { git init -q $1; (cd $1; echo a >a; git add a; git commit -qm x); }\n"
    "make .; mkdir src empty; make clean; make filtered; make hooked; make driven; make manual\n"
    "make bare; make lazy; make aliased; make signed; make far; make parent; make tarred\n"
    "git -C filtered config filter.x.clean y\n"
    "printf '#!/bin/sh\\n' >hooked/.git/hooks/pre-commit; chmod 755 hooked/.git/hooks/pre-commit\n"
    "make husky; git -C husky config core.hooksPath .husky/_\n"
    "make watched; git -C watched config core.hooksPath h; mkdir watched/h\n"
    "cp hooked/.git/hooks/pre-commit watched/h/post-index-change\n"
    "git -C driven config merge.x.driver y\n"
    "git -C manual config man.viewer y\n"
    "git -C lazy config remote.o.promisor true\n"
    "git -C aliased config alias.praise '!y'\n"
    "git -C far config core.worktree ../filtered\n"
    "git -C signed config gpg.program y\n"
    "git -C tarred config tar.x.command y\n"
    "git init -q --bare vault; git -C vault config diff.x.textconv y\n"
    "make two; printf '[user][diff]external=y\\n' >two/.git/config\n"
    "make mark; printf '\\357\\273\\277[diff]\\nexternal=y\\n' >mark/.git/config\n"
    "git -C filtered worktree add -q ../linked\n"
    "git -C hooked worktree add -q ../hooklinked\n"
    "make near; git -C near config core.worktree ..\n"
    "make here; git -C here config core.worktree $PWD/here\n"
    "make nameless; printf '[core]\\nworktree\\n' >>nameless/.git/config\n"
    "make unhooked; printf '[core]\\nhooksPath\\n' >>unhooked/.git/config\n"
    "make absent; git -C absent config core.hooksPath $PWD/watched/h\n"
    "mkdir fake; echo x >fake/HEAD; printf '[diff]\\nexternal=y\\n' >fake/config\n"
    "git -C parent -c protocol.file.allow=always submodule --quiet add ../filtered below\n"
    "git -C parent commit -qm x; git -C parent/below config filter.x.clean y\n";

static int setup(void **state)
{
    struct judge_case *f = judge_case_new();

    judge_case_run(f->workspace.root, layout);
    judge_case_begin(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    judge_case_free(*state);
    return 0;
}

static enum sf_class class_of(struct judge_case *f, const char *command, const char *cwd)
{
    struct sf_call_asked asked = { .tool = "Bash",
                                   .act = SF_ACT_SHELL,
                                   .command = command,
                                   .command_len = strlen(command),
                                   .cwd = cwd };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_judged judged;
    enum sf_class class;

    assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
    class = judged.report.class;
    sf_judged_release(&judged);
    return class;
}

#define READS SF_CLASS_READONLY
#define EDITS SF_CLASS_LOCAL_EDIT
#define RUNS  SF_CLASS_BUILD_TEST

static const struct {
    const char *command, *cwd;
    enum sf_class class;
} cases[] = {
    { "git diff", NULL, READS },
    { "git status", "src", READS },
    { "cd src && git status", NULL, READS },
    { "cd clean && git diff", NULL, READS },
    { "git -C clean status", NULL, READS },
    { "cd nowhere && git diff", NULL, READS },
    { "git rev-parse --git-dir", NULL, READS },

    { "git status", "filtered", RUNS },
    { "git status", "filtered/.git", RUNS },
    { "cd filtered && git diff", NULL, RUNS },
    { "cd filtered && git log -1", NULL, READS },
    { "git -C filtered diff", NULL, RUNS },
    { "git -C ./clean/../filtered diff", NULL, RUNS },
    { "git --git-dir=filtered/.git diff", NULL, RUNS },
    { "git --git-dir filtered/.git --work-tree clean status", NULL, RUNS },
    { "git --work-tree=filtered status", NULL, RUNS },
    { "env -C filtered git status", NULL, RUNS },
    { "(cd filtered; git status)", NULL, RUNS },
    { "pushd filtered; git status", NULL, RUNS },
    { "cd filtered; cd -; git diff", NULL, RUNS },
    { "cd clean && git diff; cd ../filtered && git status", NULL, RUNS },
    { "cd f* && git status", NULL, RUNS },
    { "for d in */; do git -C \"$d\" status; done", NULL, RUNS },
    { "for d in filtered clean; do (cd $d && git status); done", NULL, RUNS },
    { "for d in src clean; do (cd $d && git status); done", NULL, READS },
    { "find . -name .git -execdir git status \\;", NULL, RUNS },
    { "sh -c 'cd filtered && git diff'", NULL, RUNS },
    { "f() { git diff; }; cd filtered; f", NULL, RUNS },
    { "x=filtered; git -C $x status", NULL, RUNS },
    { "x=clean; git -C $x status", NULL, READS },
    { "ls | xargs -I{} git -C {} status", NULL, RUNS },

    /* linked worktrees, submodules, and the tree of another */
    { "cd linked && git diff", NULL, RUNS },
    { "cd parent && git status", NULL, RUNS },
    { "git -C parent/below diff", NULL, RUNS },
    { "git -C parent log -1", NULL, READS },
    { "git -C far status", NULL, RUNS },
    { "git -C near status", NULL, READS },
    { "git -C here status", NULL, READS },
    { "git -C nameless status", NULL, RUNS },
    { "git --git-dir=linked/.git diff", NULL, RUNS },
    { "git -C filtered/.git/worktrees/linked status", NULL, RUNS },
    { "git -C hooklinked status", NULL, READS },
    { "git -C hooklinked commit -m x", NULL, RUNS },
    { "git -C fake diff", NULL, READS }, /* which is no repository */

    /* one that the command itself brings */
    { "cp -r filtered new && cd new && git diff", NULL, RUNS },
    { "cp -r filtered/. empty/ && cd empty && git diff", NULL, RUNS },
    { "tar xf a.tar && cd new && git status", NULL, RUNS },
    { "mkdir new && cp -r filtered/. new && cd new && git diff", NULL, RUNS },
    { "sed -i s/a/b/ a && git diff", NULL, EDITS },
    { "sed -i s/a/b/ src/b && cd src && git diff", NULL, EDITS },

    /* other settings */
    { "git -C hooked status", NULL, READS },
    { "git -C hooked commit -m x", NULL, RUNS },
    { "git -C clean commit -m x", NULL, EDITS },
    { "git -C husky status", NULL, READS },
    { "git -C husky branch", NULL, READS },
    { "git -C husky commit -m x", NULL, RUNS },
    { "git -C watched describe --always --dirty", NULL, RUNS },
    { "git -C absent describe --always --dirty", NULL, RUNS },
    { "git -C unhooked status", NULL, RUNS }, /* git would not start, but who knows */
    { "git -C driven merge x", NULL, RUNS },
    { "git -C driven merge-tree a b", NULL, RUNS },
    { "git -C driven status", NULL, READS },
    { "cd manual && git help log", NULL, RUNS },
    { "cd manual && git log --help", NULL, RUNS },
    { "git help log", NULL, READS },
    { "git -C lazy log", NULL, RUNS },
    { "git -C aliased praise a", NULL, RUNS },
    { "git -C aliased blame a", NULL, READS },
    { "git -C signed archive HEAD", NULL, RUNS },
    { "git -C signed log -1", NULL, READS },
    { "git -C tarred archive --format=x HEAD", NULL, RUNS },
    { "git show", "vault", RUNS },
    { "git -C vault show", NULL, RUNS },
    { "git -C vault/refs show", NULL, RUNS },

    /* files that git reads otherwise than they look */
    { "git -C two diff", NULL, RUNS },
    { "git -C mark diff", NULL, RUNS },
};

static void test_commands(void **state)
{
    struct judge_case *f = *state;
    size_t wrong = 0;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        enum sf_class got = class_of(f, cases[i].command, cases[i].cwd);

        if (got == cases[i].class)
            continue;
        print_message("%s: %s, wanted %s\n", cases[i].command, sf_class_name(got),
                      sf_class_name(cases[i].class));
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* What is said of it, and that it is said only where git is what raised the class. */
static void test_reasons(void **state)
{
    static const struct {
        const char *command, *rule, *words;
    } texts[] = {
        { "git -C filtered diff", "git-settings-run",
          "filter.x.clean in the repository's own git settings runs a program" },
        { "git -C far status", "git-settings-run",
          "core.worktree in the repository's own git settings may make git run a program" },
        { "cp -r filtered new && cd new && git diff", "git-settings-run",
          "a repository that the command itself may bring may make git run a program" },
        { "cd filtered && git diff && make", NULL, NULL },
        { "cd filtered && git diff && curl https://a.org", NULL, NULL },
    };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_judged judged;
        bool right;

        judge_case_command(f, texts[i].command, &judged);
        right = !strcmp(judged.report.rule, "git-settings-run") == (texts[i].rule != NULL) &&
                (texts[i].words ? !strcmp(judged.report.reason, texts[i].words)
                                : !strstr(judged.report.reason, "git run"));
        if (!right)
            fail_msg("%s: %s, %s", texts[i].command, judged.report.rule, judged.report.reason);
        sf_judged_release(&judged);
    }
}

/* A directory by its whole path, and more programs than the reader keeps. */
static void test_spelled_out(void **state)
{
    static const char *const names[] = { "filtered", "clean" };
    struct judge_case *f = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(names); i++) {
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "git -C %s/%s diff", f->workspace.root, names[i]);
        assert_int_equal(class_of(f, text.buf, "src"), i ? READS : RUNS);
    }
    for (int more = 0; more < 2; more++) {
        sf_strbuf_reset(&text);
        for (int i = 0; more && i <= SF_REPORT_ITEMS; i++)
            sf_strbuf_addf(&text, "echo > a%d; ", i);
        sf_strbuf_adds(&text, "git log -1; mkdir x");
        assert_int_equal(class_of(f, text.buf, "clean"), more ? RUNS : EDITS);
    }
    sf_strbuf_release(&text);
}

/* Repositories of the workspace, and one that is not; the workspace may be one of its worktrees. */
static const char homes[] =
    "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b\n"
    "make() { git init -q $1; (cd $1; echo a >a; git add a; git commit -qm x); }\n"
    "make private; make super; P=$PWD/private\n"
    "git -C super -c protocol.file.allow=always submodule --quiet add $P sub\n"
    "git -C private worktree add -q $PWD/work/tree\n"
    "cd work; make own; git -C own worktree add -q ../beside\n"
    "git -C own -c protocol.file.allow=always submodule --quiet add $PWD/own below\n"
    "git clone -q --shared own kin; git init -q --separate-git-dir=$PWD/store apart\n"
    "mkdir file link dir; echo \"gitdir: $P/.git\" >file/.git; ln -s $P/.git link/.git\n"
    "echo 'gitdir: ../../private/.git' >dir/.git\n"
    "mkdir stolen; cp tree/.git stolen/.git\n" /* a worktree's, but not this one's */
    "mkdir taken; echo \"gitdir: $P/../super/.git/modules/sub\" >taken/.git\n"
    "make common; echo $P/.git >common/.git/commondir\n"
    "mkdir -p forged/x/worktrees/y forged/w; cp own/.git/HEAD forged/x/worktrees/y\n"
    "echo $P/.git >forged/x/worktrees/y/commondir; echo $PWD/forged/w/.git"
    " >forged/x/worktrees/y/gitdir; echo \"gitdir: $PWD/forged/x/worktrees/y\" >forged/w/.git\n"
    "make borrows; echo $P/.git/objects >borrows/.git/objects/info/alternates\n"
    "make quoted; echo \"\\\"$P/.git/objects\\\"\" >quoted/.git/objects/info/alternates\n"
    "git clone -q --shared borrows twice\n"
    "make linked; rm -r linked/.git/objects; ln -s $P/.git/objects linked/.git/objects\n"
    "make packs; rmdir packs/.git/objects/pack; ln -s $P/.git/objects/pack packs/.git/objects\n"
    "make refs; rm -r refs/.git/refs; ln -s $P/.git/refs refs/.git/refs\n"
    "make hooks; rm -r hooks/.git/hooks; ln -s $P/.git/hooks hooks/.git/hooks\n"
    "make parent; git -C parent update-index --add --cacheinfo 160000,$(git -C $P rev-parse HEAD),m\n"
    "mkdir parent/m; cp file/.git parent/m/.git\n";

static const struct {
    const char *command;
    bool asks;
} reads[] = {
    { "git -C own log -p", false },
    { "git -C beside show HEAD:a", false },
    { "git -C own/below log -p", false },
    { "git -C kin log -p", false },
    { "git -C apart log -p", false },
    { "git -C tree log -p", false },
    { "git -C hooks log -p", false },
    { "git -C file show HEAD:a", true },
    { "cd file && git show HEAD:a", true },
    { "git --git-dir=file/.git show HEAD:a", true },
    { "git -C link log -p", true },
    { "git -C dir log -p", true },
    { "git -C stolen log -p", true },
    { "git -C taken log -p", true },
    { "git -C common log -p", true },
    { "git -C forged/w log -p", true },
    { "git -C borrows log -p", true },
    { "git -C quoted log -p", true },
    { "git -C twice log -p", true },
    { "git -C linked log -p", true },
    { "git -C packs log -p", true },
    { "git -C refs log -p", true },
    { "git -C parent diff --submodule=diff", true },
    { "cd own && make && cd ../file && git show HEAD:a", true },
    { "for d in *; do git -C $d log -p; done", true },
};

/* Whose data lies elsewhere is read elsewhere, and asks as that does. */
static void test_homes(void **state)
{
    struct judge_case *f = judge_case_new();
    size_t wrong = 0;

    (void)state;
    judge_case_run(f->dir, homes);
    judge_case_begin(f);
    for (size_t i = 0; i < SF_COUNT(reads); i++) {
        bool outside = false, asks;
        struct sf_judged judged;

        judge_case_command(f, reads[i].command, &judged);
        for (size_t k = 0; k < judged.action.path_count; k++)
            outside = outside || !strcmp(judged.action.paths[k].rule, "git-data-outside");
        asks = judged.verdict.answer != SF_ALLOW;
        if (outside != reads[i].asks || asks != reads[i].asks) {
            print_message("%s: outside %d, answer %d, %s\n", reads[i].command, outside,
                          (int)judged.verdict.answer, judged.verdict.reason);
            wrong++;
        }
        sf_judged_release(&judged);
    }
    assert_int_equal(wrong, 0);
    judge_case_free(f);
}

/* The workspace itself as a linked worktree and as a submodule. */
static void test_home_of_workspace(void **state)
{
    static const struct {
        const char *root;
        bool away;
    } roots[] = { { "work/tree", false },
                  { "super/sub", false },
                  { "super", false },
                  { "work/file", true },
                  { "work/stolen", true } };
    struct judge_case *f = judge_case_new();

    (void)state;
    judge_case_run(f->dir, homes);
    for (size_t i = 0; i < SF_COUNT(roots); i++) {
        char *root = test_path(f->dir, roots[i].root), *dot = test_path(root, ".git");
        size_t left = SF_GIT_HOME_ENTRIES;
        char *away = sf_git_home_away(root, dot, &left);

        if ((away != NULL) != roots[i].away)
            fail_msg("%s: %s", roots[i].root, away ? away : "at home");
        free(away);
        free(dot);
        free(root);
    }
    judge_case_free(f);
}

static const struct {
    const char *name, *command;
    size_t left;
    bool away;
} sizes[] = {
    { "a small one", "true", SF_GIT_HOME_ENTRIES, false },
    { "a small one, after many others", "true", 5, true },
    { "files that fill a directory", "seq 20100 | sed s,^,big/.git/objects/pack/, | xargs touch",
      SF_GIT_HOME_ENTRIES, true },
};

/* The look is made while the user waits: what takes long to read is not read to its end. */
static void test_home_is_bounded(void **state)
{
    struct judge_case *f = judge_case_new();

    (void)state;
    judge_case_run(f->dir, "git init -q big");
    for (size_t i = 0; i < SF_COUNT(sizes); i++) {
        char *root = test_path(f->dir, "big"), *dot = test_path(root, ".git"), *away;
        size_t left = sizes[i].left;

        judge_case_run(f->dir, sizes[i].command);
        away = sf_git_home_away(root, dot, &left);
        if ((away != NULL) != sizes[i].away || left >= sizes[i].left)
            fail_msg("%s: %s, %zu left", sizes[i].name, away ? away : "at home", left);
        free(away);
        free(dot);
        free(root);
    }
    judge_case_free(f);
}

/* A repository that came, or changed, since the session began. */
static void test_later(void **state)
{
    struct judge_case *f = *state;

    assert_int_equal(class_of(f, "cd later && git diff", NULL), READS);
    assert_int_equal(class_of(f, "for d in l*; do git -C \"$d\" diff; done", NULL), RUNS);
    judge_case_run(f->workspace.root, "git init -q later; git -C later config diff.external y");
    assert_int_equal(class_of(f, "cd later && git diff", NULL), RUNS);
    assert_int_equal(class_of(f, "git diff", NULL), READS);
    judge_case_run(f->workspace.root, "git config diff.external y");
    assert_int_equal(class_of(f, "git diff", NULL), RUNS);
    judge_case_run(f->workspace.root, "git config --unset diff.external");
}

/* Where no repository has such settings a command may go where it likes, but not out of sight. */
static void test_anywhere(void **state)
{
    static const char command[] = "for d in */; do git -C \"$d\" status; done";
    struct judge_case *f = *state;
    char *root = test_path(f->dir, "tidy");
    struct sf_git_reach *reach;

    for (int packages = 0; packages < 2; packages++) {
        struct sf_git_helpers helpers = { 0 };

        judge_case_run(f->dir, packages ? "mkdir tidy/node_modules"
                                        : "mkdir tidy; git init -q tidy/a; git init -q tidy/b/c");
        reach = sf_git_reach_new(root, NULL);
        sf_git_reach_all(reach, &helpers);
        assert_int_equal(sf_git_helpers_key(&helpers, "status") != NULL, packages);
        sf_git_reach_free(reach);
    }
    assert_int_equal(class_of(f, command, NULL), RUNS);
    free(root);
}

/* Each repository of the workspace counts when a command may come to any: the last one too. */
static void test_every_one(void **state)
{
    static const struct {
        const char *script, *key;
    } steps[] = {
        { "mkdir many; for i in a b c; do git init -q many/$i; done", NULL },
        { "git -C many/c config filter.x.clean y", "filter.x.clean" },
        { "git -C many/c config --unset filter.x.clean", NULL },
        { "git init -q --bare many/store; git -C many/store config filter.x.smudge y",
          "filter.x.smudge" },
        { "rm -rf many/store; for i in d e f; do git init -q --separate-git-dir=$PWD/apart-$i many/$i; "
          "done",
          NULL },
        { "git -C many/d config filter.x.process y", "filter.x.process" },
        { "git -C many/d config --unset filter.x.process", NULL },
        { "git -C many/e config filter.x.process y", "filter.x.process" },
        { "git -C many/e config --unset filter.x.process", NULL },
        { "git -C many/f config filter.x.process y", "filter.x.process" },
    };
    struct judge_case *f = *state;
    char *root = test_path(f->dir, "many");

    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        struct sf_git_helpers helpers = { 0 };
        struct sf_git_reach *reach;
        const char *key;

        judge_case_run(f->dir, steps[i].script);
        reach = sf_git_reach_new(root, NULL);
        sf_git_reach_all(reach, &helpers);
        key = sf_git_helpers_key(&helpers, "status");
        if (steps[i].key ? !key || strcmp(key, steps[i].key) != 0 : key != NULL)
            fail_msg("%s: %s", steps[i].script, key ? key : "nothing");
        sf_git_reach_free(reach);
    }
    free(root);
}

/* A workspace in a larger repository: that one counts as well. */
static void test_above(void **state)
{
    struct judge_case *f = *state;
    char *root = test_path(f->dir, "large/part");

    for (int filtered = 0; filtered < 2; filtered++) {
        struct sf_git_helpers helpers = { 0 };
        struct sf_git_reach *reach;

        judge_case_run(f->dir, filtered ? "git -C large config filter.x.clean y"
                                        : "git init -q large; mkdir large/part");
        reach = sf_git_reach_new(root, NULL);
        sf_git_reach_all(reach, &helpers);
        assert_int_equal(sf_git_helpers_key(&helpers, "status") != NULL, filtered);
        sf_git_reach_free(reach);
    }
    free(root);
}

/* How many repositories one has entries for, and how large a file of settings may be. */
static void test_how_many(void **state)
{
    static const struct {
        const char *script;
        bool doubt;
    } steps[] = {
        { "git init -q wide; cd wide; echo a >a; git add a; git -c user.name=a -c user.email=a@b "
          "commit -qm x; id=$(git rev-parse HEAD); for i in $(seq 127); do mkdir -p r$i/.git; "
          "echo \"160000 $id 0\tr$i\"; done | git update-index --index-info",
          false },
        { "cd wide; mkdir -p more/.git; git update-index --add --cacheinfo "
          "160000,$(git rev-parse HEAD),more",
          true },
        { "cd wide; git update-index --force-remove more; cd .git; n=$(wc -c <config); "
          "head -c $((1048576 - n)) /dev/zero | tr '\\0' '\\n' >>config",
          false },
        { "echo >>wide/.git/config", true },
    };
    struct judge_case *f = *state;
    char *root = test_path(f->dir, "wide");

    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        struct sf_git_helpers helpers = { 0 };
        struct sf_git_reach *reach;

        judge_case_run(f->dir, steps[i].script);
        reach = sf_git_reach_new(root, NULL);
        assert_true(sf_git_reach_from(reach, root, &helpers));
        if ((helpers.doubt != NULL) != steps[i].doubt)
            fail_msg("step %zu: %s", i, helpers.doubt ? helpers.doubt : "no doubt");
        sf_git_reach_free(reach);
    }
    free(root);
}

/* An index that has not changed for long is read once, and again as soon as it changes. */
static void test_index_changes(void **state)
{
    static const struct {
        const char *script, *key, *doubt;
    } steps[] = {
        { "git init -q old; git init -q old/sub; git -C old/sub -c user.name=a -c user.email=a@b "
          "commit -q --allow-empty -m x; git -C old/sub config filter.x.clean y; echo a >old/a; "
          "git -C old add a",
          NULL, NULL },
        { "git -C old add sub 2>/dev/null", "filter.x.clean", NULL },
        { "true", "filter.x.clean", NULL },
        { "git -C old update-index --force-remove sub", NULL, NULL },
        { "git -C old add sub 2>/dev/null; cp old/.git/index keep; git -C old update-index --force-remove sub",
          NULL, NULL },
        { "cat keep >old/.git/index", "filter.x.clean", NULL },
        { "echo x >old/.git/index", NULL, "an index of git's that sf cannot read" },
        { "true", NULL, "an index of git's that sf cannot read" },
        { "rm old/.git/index", NULL, NULL },
    };
    struct judge_case *f = *state;
    char *root = test_path(f->dir, "old");
    struct sf_git_reach *reach = NULL;

    later_s = 3600;
    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        struct sf_git_helpers helpers = { 0 };
        const char *key;

        judge_case_run(f->dir, steps[i].script);
        reach = reach ? reach : sf_git_reach_new(root, NULL);
        assert_true(sf_git_reach_from(reach, root, &helpers));
        key = sf_git_helpers_key(&helpers, "status");
        if (steps[i].doubt ? !helpers.doubt || strcmp(helpers.doubt, steps[i].doubt) != 0
                           : (key != NULL) != (steps[i].key != NULL))
            fail_msg("%s: %s", steps[i].script, key ? key : "nothing");
    }
    later_s = 0;
    sf_git_reach_free(reach);
    free(root);
}

/* git drops the lines behind the name, however many; what sf does not read is a doubt. */
static void test_long_pointer(void **state)
{
    static const struct {
        int len;
        bool doubt;
    } texts[] = { { 6, false }, { 8192, false }, { 8193, true }, { 100000, true } };
    struct judge_case *f = *state;
    char *root = test_path(f->dir, "shared-tree");
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = test_path(f->dir, "shared/.git/worktrees/shared-tree/commondir");

    judge_case_run(
        f->dir, "git init -q shared && cd shared && git -c user.name=a -c user.email=a@b commit -q"
                " --allow-empty -m x && git worktree add -q ../shared-tree");
    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_git_helpers helpers = { 0 };
        struct sf_git_reach *reach = sf_git_reach_new(root, NULL);

        sf_strbuf_reset(&text);
        sf_strbuf_adds(&text, "../..");
        sf_strbuf_fill(&text, '\n', (size_t)texts[i].len - text.len);
        test_write(path, text.buf, text.len);
        judge_case_run(root, "git rev-parse HEAD");
        assert_true(sf_git_reach_from(reach, root, &helpers));
        if ((helpers.doubt != NULL) != texts[i].doubt)
            fail_msg("%d bytes: %s", texts[i].len, helpers.doubt ? helpers.doubt : "no doubt");
        sf_git_reach_free(reach);
    }
    sf_strbuf_release(&text);
    free(path);
    free(root);
}

/* A worktree may name the shared directory by its whole path; what leads to nothing has none. */
static void test_common_elsewhere(void **state)
{
    static const struct {
        const char *script;
        bool runs;
    } steps[] = {
        { "git init -q shared2 && cd shared2 && git -c user.name=a -c user.email=a@b commit -q "
          "--allow-empty -m x && git worktree add -q ../tree2 && git config diff.external y",
          true },
        { "echo $PWD/shared2/.git >shared2/.git/worktrees/tree2/commondir", true },
        { "git init -q shared3; echo $PWD/shared3/.git >shared2/.git/worktrees/tree2/commondir",
          false },
    };
    struct judge_case *f = *state;
    char *root = test_path(f->dir, "tree2");

    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        struct sf_git_helpers helpers = { 0 };
        struct sf_git_reach *reach;

        judge_case_run(f->dir, steps[i].script);
        reach = sf_git_reach_new(root, NULL);
        assert_true(sf_git_reach_from(reach, root, &helpers));
        if ((sf_git_helpers_key(&helpers, "diff") != NULL) != steps[i].runs)
            fail_msg("%s", steps[i].script);
        sf_git_reach_free(reach);
    }
    free(root);
}

static void test_nowhere(void **state)
{
    struct judge_case *f = *state;
    char *path = test_path(f->dir, "no/such/place");
    struct sf_git_helpers helpers = { 0 };
    struct sf_git_reach *reach = sf_git_reach_new(f->workspace.root, NULL);

    assert_false(sf_git_reach_from(reach, path, &helpers));
    assert_true(sf_git_reach_from(reach, f->workspace.root, &helpers));
    sf_git_reach_free(reach);
    free(path);
}

/* How many repositories inside each other are entered, and that one more is a doubt. */
static void test_depth(void **state)
{
    static const char nest[] =
        "git init -q nest; cd nest; for i in 2 3 4 5 6 7 8; do git init -q n;"
        " git -C n -c user.name=a -c user.email=a@b commit -q --allow-empty -m x;"
        " git add n 2>/dev/null; cd n; done";
    static const char more[] =
        "cd nest/n/n/n/n/n/n/n; git init -q n;"
        " git -C n -c user.name=a -c user.email=a@b commit -q --allow-empty -m x;"
        " git add n 2>/dev/null";
    struct judge_case *f = *state;
    char *root = test_path(f->dir, "nest");

    for (int deeper = 0; deeper < 2; deeper++) {
        struct sf_git_helpers helpers = { 0 };
        struct sf_git_reach *reach;

        judge_case_run(f->dir, deeper ? more : nest);
        reach = sf_git_reach_new(root, NULL);
        assert_true(sf_git_reach_from(reach, root, &helpers));
        assert_int_equal(helpers.doubt != NULL, deeper);
        sf_git_reach_free(reach);
    }
    free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_later),
        cmocka_unit_test(test_anywhere),
        cmocka_unit_test(test_every_one),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_nowhere),
        cmocka_unit_test(test_long_pointer),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_spelled_out),
        cmocka_unit_test(test_above),
        cmocka_unit_test(test_how_many),
        cmocka_unit_test(test_index_changes),
        cmocka_unit_test(test_common_elsewhere),
        cmocka_unit_test(test_homes),
        cmocka_unit_test(test_home_of_workspace),
        cmocka_unit_test(test_home_is_bounded),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
