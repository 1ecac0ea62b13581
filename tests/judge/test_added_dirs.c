/*
 * test_added_dirs.c: directories that the user added to a session: which are refused, and the fence
 * around those that are not: links in them, "..", patterns, and what is protected everywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "support/judge_case.h"
#include "support/test.h"
#include "support/tree.h"

static int setup(void **state)
{
    struct judge_case *f = judge_case_new();

    tree_puts(f->home, ".ssh/id_rsa", "secret\n");
    tree_puts(f->home, "code/lib/a.c", "a\n");
    tree_puts(f->home, "code/lib/sub/b.c", "b\n");
    tree_puts(f->home, "code/lib/.env", "TOKEN=1\n");
    tree_puts(f->home, "code/lib/.git/config", "[core]\n");
    tree_puts(f->home, "code/lib-evil/x.c", "x\n");
    tree_puts(f->home, "code/other.c", "o\n");
    judge_case_run(f->home, "cd code/lib && ln -s ../other.c out && ln -s ../../.ssh keys && "
                            "ln -s sub inner && ln -s / top");
    tree_puts(f->workspace.root, "src/a", "");
    judge_case_link(f, "in", "../home/code/lib");
    judge_case_begin(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    judge_case_free(*state);
    return 0;
}

/* ~ is the home, @ the directory above it and the workspace. */
static char *spelled(const struct judge_case *f, const char *text)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (; *text; text++) {
        if (*text == '~')
            sf_strbuf_adds(&out, f->home);
        else if (*text == '@')
            sf_strbuf_adds(&out, f->dir);
        else
            sf_strbuf_addch(&out, *text);
    }
    return sf_strbuf_detach(&out);
}

static const struct {
    const char *path, *why; /* NULL: it may be added */
} checked[] = {
    { "~/code/lib", NULL },
    { "~/code", NULL },
    { "in", NULL },
    { "/", "no directory of a project" },
    { "/proc/self", "" },
    { "/sys", "no directory of a project" },
    { "/etc", "directory of the system" },
    { "/etc/ssl", "directory of the system" },
    { "/usr", "directory of the system" },
    { "/usr/bin", "directory of the system" },
    { "/usr/include", NULL },
    { "/var", "directory of the system" },
    { "/var/lib/dpkg", "directory of the system" },
    { "/home", "" },
    { "/root", "" },
    { "/boot", "" },
    { "~", "home directory" },
    { "@", "home directory" },
    { "~/.ssh", "protected" },
    { "~/code/lib/keys", "protected" },
    { "~/code/lib/.git", "protected" },
    { "~/code/lib/top", "no directory of a project" },
    { "src", "in the workspace" },
    { ".", "in the workspace" },
    { "~/code/lib/a.c", "" },
    { "~/nowhere", "" },
};

static void test_checks(void **state)
{
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(checked); i++) {
        struct sf_error err = SF_ERROR_INIT;
        char *path = spelled(f, checked[i].path), *real;

        real = sf_added_dirs_check(&f->policy, path, &err);
        if ((real == NULL) != (checked[i].why != NULL) ||
            (!real && !strstr(err.msg, checked[i].why)))
            fail_msg("%s: %s", checked[i].path, real ? real : err.msg);
        free(real);
        free(path);
    }
}

static void add(struct judge_case *f)
{
    struct sf_strlist dirs = SF_STRLIST_INIT;
    char *dir = spelled(f, "~/code/lib");

    sf_strlist_add(&dirs, dir);
    sf_added_dirs_set(&f->policy, &dirs);
    sf_strlist_release(&dirs);
    free(dir);
}

static void judge_file(struct judge_case *f, const char *tool, const char *path,
                       struct sf_judged *out)
{
    enum sf_act act = strcmp(tool, "Read") != 0 ? SF_ACT_WRITE : SF_ACT_READ;
    struct sf_tool_call_target target = {
        .path = spelled(f, path), .want = SF_WANT_ANY, .act = act, .place = SF_PLACE_INIT
    };
    const struct sf_call_asked asked = {
        .tool = tool, .act = act, .targets = &target, .target_count = 1
    };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_judge_call(&f->policy, &asked, &f->state, out, &err))
        fail_msg("%s", err.msg);
    sf_place_release(&target.place);
    free(target.path);
}

static const struct {
    const char *name, *tool, *path;
    enum sf_answer answer;
    const char *rule;
} files[] = {
    { "a file", "Read", "~/code/lib/a.c", SF_ALLOW, NULL },
    { "a file by a link of the workspace", "Read", "in/a.c", SF_ALLOW, NULL },
    { "a file behind a link that stays", "Read", "~/code/lib/inner/b.c", SF_ALLOW, NULL },
    { "down and up", "Read", "~/code/lib/sub/../a.c", SF_ALLOW, NULL },
    { "up and out", "Read", "~/code/lib/../other.c", SF_ASK, "read-outside" },
    { "a link that leads out", "Read", "~/code/lib/out", SF_ASK, "read-outside" },
    { "a link to the top of all", "Read", "~/code/lib/top/etc/hostname", SF_ASK, "read-outside" },
    { "a neighbour with a longer name", "Read", "~/code/lib-evil/x.c", SF_ASK, "read-outside" },
    { "a key behind a link", "Read", "~/code/lib/keys/id_rsa", SF_ASK, NULL },
    { "a file with secrets", "Read", "~/code/lib/.env", SF_ASK, NULL },
    { "writing asks", "Write", "~/code/lib/a.c", SF_ASK, "added-directory" },
    { "writing a new file asks", "Write", "~/code/lib/new/n.c", SF_ASK, "added-directory" },
    { "writing what is protected", "Write", "~/code/lib/.git/config", SF_DENY, NULL },
    { "writing a file with secrets", "Write", "~/code/lib/.env", SF_DENY, NULL },
    { "writing a start-up file of others", "Write", "~/code/lib/.envrc", SF_DENY, NULL },
    { "writing through a link that leads out", "Write", "~/code/lib/out", SF_DENY,
      "write-outside" },
    { "writing up and out", "Write", "~/code/lib/../other.c", SF_DENY, "write-outside" },
    { "writing a key behind a link", "Write", "~/code/lib/keys/id_rsa", SF_DENY, NULL },
};

static void test_files(void **state)
{
    struct judge_case *f = *state;

    f->state.work = SF_WORK_BUILD;
    f->state.control = SF_RUN_ASSISTED;
    sf_mode_state_set_scope(&f->state, "free");
    add(f);
    for (size_t i = 0; i < SF_COUNT(files); i++) {
        struct sf_judged judged;

        judge_file(f, files[i].tool, files[i].path, &judged);
        if (judged.verdict.answer != files[i].answer ||
            (files[i].rule && strcmp(judged.verdict.rule, files[i].rule) != 0))
            fail_msg("%s: %s by %s: %s", files[i].name, sf_answer_names[judged.verdict.answer],
                     judged.verdict.rule, judged.verdict.reason);
        sf_judged_release(&judged);
    }
}

/* Where nothing may be written, nothing is written there either; and unadded, all is as before. */
static void test_scope_and_profile(void **state)
{
    struct judge_case *f = *state;
    struct sf_judged judged;

    f->state.work = SF_WORK_BUILD;
    f->state.control = SF_RUN_ASSISTED;
    add(f);
    sf_mode_state_set_scope(&f->state, "docs");
    judge_file(f, "Write", "~/code/lib/a.c", &judged);
    assert_int_equal(judged.verdict.answer, SF_DENY);
    assert_string_equal(judged.verdict.rule, "scope");
    sf_judged_release(&judged);
    sf_mode_state_set_scope(&f->state, "free");
    f->state.profile = SF_PROFILE_RESTRICTED;
    judge_file(f, "Write", "~/code/lib/a.c", &judged);
    assert_int_equal(judged.verdict.answer, SF_DENY);
    sf_judged_release(&judged);
    judge_file(f, "Read", "~/code/lib/a.c", &judged);
    assert_int_equal(judged.verdict.answer, SF_ALLOW);
    sf_judged_release(&judged);
    f->state.profile = SF_PROFILE_NORMAL;
    sf_policy_context_forget(&f->policy);
    judge_file(f, "Read", "~/code/lib/a.c", &judged);
    assert_int_equal(judged.verdict.answer, SF_ASK);
    sf_judged_release(&judged);
    judge_file(f, "Write", "~/code/lib/a.c", &judged);
    assert_int_equal(judged.verdict.answer, SF_DENY);
    sf_judged_release(&judged);
}

static const struct {
    const char *name, *command;
    enum sf_answer answer;
} commands[] = {
    { "one file", "cat ~/code/lib/a.c", SF_ALLOW },
    { "names", "ls ~/code/lib", SF_ALLOW },
    { "a pattern, which a link may answer", "cat ~/code/lib/*", SF_ASK },
    { "all below, where links may be followed", "grep -R x ~/code/lib", SF_ASK },
    { "a link that leads out", "cat ~/code/lib/out", SF_ASK },
    { "up and out", "cat ~/code/lib/../other.c", SF_ASK },
    { "a file with secrets", "cat ~/code/lib/.env", SF_ASK },
    { "a copy out of it", "cp ~/code/lib/a.c src/b", SF_ALLOW },
    { "a copy into it", "cp src/a ~/code/lib/new", SF_ASK },
    { "output into it", "echo x > ~/code/lib/a.c", SF_ASK },
    { "output into git's own", "echo x > ~/code/lib/.git/config", SF_DENY },
    { "output beside it", "echo x > ~/code/other.c", SF_DENY },
    { "deleting in it", "rm -r ~/code/lib/sub", SF_ASK },
};

static void test_commands(void **state)
{
    struct judge_case *f = *state;

    f->state.work = SF_WORK_BUILD;
    f->state.control = SF_RUN_ASSISTED;
    sf_mode_state_set_scope(&f->state, "free");
    add(f);
    for (size_t i = 0; i < SF_COUNT(commands); i++) {
        char *command = spelled(f, commands[i].command);
        struct sf_judged judged;

        judge_case_command(f, command, &judged);
        if (judged.verdict.answer != commands[i].answer)
            fail_msg("%s: %s by %s: %s", commands[i].name, sf_answer_names[judged.verdict.answer],
                     judged.verdict.rule, judged.verdict.reason);
        sf_judged_release(&judged);
        free(command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_checks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scope_and_profile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_commands, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
