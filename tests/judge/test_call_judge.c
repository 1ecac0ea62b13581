/*
 * test_call_judge.c: the paths a command names, as the engine gets them: where each lies, and which of
 * them are no files at all.
 */
#include <stdlib.h>
#include <string.h>

#include "session/session.h"
#include "support/judge_case.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tree.h"

static int setup(void **state)
{
    struct judge_case *f = judge_case_new();

    tree_puts(f->home, "notes", "");
    tree_puts(f->home, ".ssh/id_rsa", "");
    tree_puts(f->workspace.root, "src/a", "");
    judge_case_link(f, "link", "../home/notes");
    judge_case_link(f, "key", "../home/.ssh/id_rsa");
    judge_case_link(f, "src/out", "../../home/notes");
    judge_case_begin(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    judge_case_free(*state);
    return 0;
}

static const struct {
    const char *name, *command;
    int inside, outside; /* paths of each kind, written or read */
} rows[] = {
    { "a file of the workspace", "echo x > out", 1, 0 },
    { "nothing is no file", "echo x > /dev/null", 0, 0 },
    { "nor is the terminal", "echo x > /dev/tty", 0, 0 },
    { "a file in shared memory", "echo x > /dev/shm/out", 0, 1 },
    { "shared memory itself", "cp src/a /dev/shm", 1, 1 },
    { "a file by way of the devices", "echo x > /dev/../etc/out", 0, 1 },
    { "a file elsewhere", "echo x > /opt/out", 0, 1 },
    { "what is given to a command is no file", "cat /dev/stdin", 0, 0 },
    { "nor is where copies vanish", "cp src/a /dev/null", 1, 0 },
    { "nor is no name", "cat ''", 0, 0 },
    { "a pattern in the workspace", "cat src/a*", 0, 0 },
    { "a pattern that a link below answers", "cat src/o*", 0, 1 },
    { "all of a directory with such a link", "cat src/*", 0, 1 },
    { "a pattern at the top of all", "cat /*", 0, 1 },
    { "a pattern elsewhere", "cat /opt/x*", 0, 1 },
    { "a pattern beside the workspace", "cat ../h*", 0, 1 },
    { "a pattern that a link answers", "cat l*", 0, 1 },
    { "names alone of what a link answers", "ls -d k*", 0, 1 },
};

static void test_paths(void **state)
{
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_judged judged;
        int inside = 0, outside = 0;

        judge_case_command(f, rows[i].command, &judged);
        for (size_t k = 0; k < judged.action.path_count; k++) {
            const struct sf_action_path *p = &judged.action.paths[k];

            if (p->outside || p->zone == SF_PATH_OUTSIDE)
                outside++;
            else
                inside++;
        }
        if (inside != rows[i].inside || outside != rows[i].outside)
            fail_msg("%s: %d inside, %d outside", rows[i].name, inside, outside);
        sf_judged_release(&judged);
    }
}

/* What a question underlines: the path that decided or, where none did, what made the class. */
static void test_deciding_part(void **state)
{
    static const struct {
        const char *command, *part;
    } texts[] = {
        { "ls; cat /etc/passwd | wc", "/etc/passwd" },
        { "ls; cat .env | wc", ".env" },
        { "cat ~/notes; ls src", "~/notes" },
        { "make test; ls", "make test" },
        { "make test; cat /etc/passwd", "make test" },
        { "mkdir x; cat /etc/passwd", "/etc/passwd" },
        { "rm -rf src; cat .env", ".env" },
        { "ls; rm -rf src; ls", "rm -rf src" },
        { "ls; echo x > /opt/out", "/opt/out" },
        { "ls src", "" },
    };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_judged judged;
        char part[64];

        judge_case_command(f, texts[i].command, &judged);
        snprintf(part, sizeof(part), "%.*s", (int)judged.verdict.len,
                 texts[i].command + judged.verdict.at);
        if (strcmp(part, texts[i].part) != 0)
            fail_msg("%s: '%s' by %s", texts[i].command, part, judged.verdict.rule);
        sf_judged_release(&judged);
    }
}

/* As a shell reads it: only ~ alone and ~/ are this user's home. */
static void test_spelled(void **state)
{
    static const struct {
        const char *path, *cwd;
        bool home;
        const char *want; /* below the home where `home` says so */
    } texts[] = {
        { "~", NULL, true, NULL },
        { "~/x", NULL, true, "x" },
        { "~/x", "src", true, "x" },
        { "~other/x", NULL, false, "~other/x" },
        { "~other", "src", false, "src/~other" },
        { "a", NULL, false, "a" },
        { "a", "src", false, "src/a" },
        { "a/", "src", false, "src/a" },
        { "/a", "src", false, "/a" },
        { "/a//", "src", false, "/a" },
        { "/", "src", false, "/" },
        { "//", NULL, false, "/" },
        { "a", "", false, "a" },
    };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        char *got = sf_policy_context_spelled(&f->policy, texts[i].path, texts[i].cwd), *want;

        if (!texts[i].home)
            want = sf_strdup(texts[i].want);
        else
            want = texts[i].want ? test_path(f->home, texts[i].want) : sf_strdup(f->home);
        if (strcmp(got, want) != 0)
            fail_msg("%s in %s: %s, not %s", texts[i].path,
                     texts[i].cwd ? texts[i].cwd : "the root", got, want);
        free(got);
        free(want);
    }
}

/* In a workspace that is the home directory, what starts with the user is protected as elsewhere. */
static void test_workspace_is_home(void **state)
{
    static const struct {
        const char *command;
        enum sf_path_zone zone;
    } texts[] = {
        { "echo x > out", SF_PATH_INSIDE },
        { "echo x > .local/bin/ls", SF_PATH_PROTECTED },
        { "echo x > ~/.vim/plugin/a.vim", SF_PATH_PROTECTED },
        { "cat .ssh/id_rsa", SF_PATH_CREDENTIAL },
    };
    static const char *const spellings[] = { "", "/" };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(spellings) * SF_COUNT(texts); i++) {
        const char *command = texts[i % SF_COUNT(texts)].command;
        struct sf_judged judged;
        char *home = test_path(f->workspace.root, spellings[i / SF_COUNT(texts)]);

        setenv("HOME", *spellings[i / SF_COUNT(texts)] ? home : f->workspace.root, 1);
        free(home);
        judge_case_begin(f);
        assert_string_equal(f->policy.home, f->workspace.root);
        judge_case_command(f, command, &judged);
        if (judged.action.path_count != 1 ||
            judged.action.paths[0].zone != texts[i % SF_COUNT(texts)].zone)
            fail_msg("%s: %zu paths", command, judged.action.path_count);
        sf_judged_release(&judged);
    }
}

/* What a pattern may stand for, as the engine is told. */
static void test_zones(void **state)
{
    static const struct {
        const char *command;
        enum sf_path_zone zone;
    } texts[] = {
        { "cat l*", SF_PATH_OUTSIDE },
        { "cat k*", SF_PATH_CREDENTIAL },
        { "ls -d k*", SF_PATH_OUTSIDE }, /* the name of a key is no secret */
        { "cat ~/.ssh/id_rsa", SF_PATH_CREDENTIAL },
        { "cat ~/notes", SF_PATH_OUTSIDE },
        { "cat $x/a", SF_PATH_OUTSIDE },
        { "cat $x/.env", SF_PATH_CREDENTIAL },
    };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_judged judged;

        judge_case_command(f, texts[i].command, &judged);
        if (judged.action.path_count != 1 || judged.action.paths[0].zone != texts[i].zone)
            fail_msg("%s: %zu paths, the first in zone %d", texts[i].command,
                     judged.action.path_count,
                     judged.action.path_count ? (int)judged.action.paths[0].zone : -1);
        sf_judged_release(&judged);
    }
}

/* Whether the tool that reads may read what a command names, without a question. */
static void test_may_read(void **state)
{
    static const struct {
        const char *command;
        bool may;
    } texts[] = {
        { "cat src/a", true },
        { "cat src/a ~/.ssh/id_rsa", false },
        { "cat ~/.ssh/id_rsa", false },
        { "sed -i s/a/b/ src/a", true }, /* reading is all that is asked about */
    };
    const struct sf_strlist none = SF_STRLIST_INIT;
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        struct sf_judged judged;

        judge_case_command(f, texts[i].command, &judged);
        if (sf_judged_may_read(&judged, &f->policy, &f->state, &none) != texts[i].may)
            fail_msg("%s", texts[i].command);
        sf_judged_release(&judged);
    }
}

/* The row of a verdict names what it was about. */
static void test_record(void **state)
{
    static const char text[] = "curl -o out https://a.org; scp a b.org:; cat src/a";
    static const char url[] = "https://c.org/x";
    static const struct {
        struct sf_call_asked asked;
        const char *want;
    } rows_of[] = {
        { { .tool = "Bash", .act = SF_ACT_SHELL, .command = text, .command_len = sizeof(text) - 1 },
          "[\"a.org\",\"b.org\"] [\"curl\",\"scp\",\"cat\"] [\"out\",\"a\",\"src/a\"]" },
        { { .tool = "Fetch", .act = SF_ACT_FETCH, .url = url }, "[\"c.org\"] [] []" },
    };
    struct judge_case *f = *state;
    char *home = test_path(f->dir, "store");
    struct sf_store *store = test_store_open(home, SF_STORE_WRITE);
    char session[SF_ID_LEN + 1];

    test_store_session(store, session);
    for (size_t i = 0; i < SF_COUNT(rows_of); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;

        assert_true(sf_judge_call(&f->policy, &rows_of[i].asked, &f->state, &judged, &err));
        assert_true(sf_judged_record(store, session, &rows_of[i].asked, &f->state, &judged, &err));
        sf_judged_release(&judged);
    }
    sf_store_close(store);
    for (size_t i = 0; i < SF_COUNT(rows_of); i++) {
        char sql[128], *got;

        snprintf(sql, sizeof(sql),
                 "SELECT hosts || ' ' || programs || ' ' || paths FROM decisions WHERE id = %zu",
                 i + 1);
        got = test_sql_text(home, sql);
        if (strcmp(got, rows_of[i].want) != 0)
            fail_msg("%s: %s, not %s", rows_of[i].asked.tool, got, rows_of[i].want);
        free(got);
    }
    free(home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_paths, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deciding_part, setup, teardown),
        cmocka_unit_test_setup_teardown(test_spelled, setup, teardown),
        cmocka_unit_test_setup_teardown(test_workspace_is_home, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zones, setup, teardown),
        cmocka_unit_test_setup_teardown(test_may_read, setup, teardown),
        cmocka_unit_test_setup_teardown(test_record, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
