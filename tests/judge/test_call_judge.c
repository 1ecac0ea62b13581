/*
 * test_call_judge.c: the paths a command names, as the engine gets them: where each lies, and which of
 * them are no files at all.
 */
#include <stdlib.h>
#include <string.h>

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
    { "names alone of the system", "ls /usr/bin", 0, 0 },
    { "names alone of the home", "ls ~", 0, 1 },
    { "names alone in the workspace", "ls src", 1, 0 },
    { "names alone by a pattern of the system's", "ls /usr/b*", 0, 0 },
    { "names alone by a pattern at home", "ls ~/n*", 0, 2 },
    { "a pattern that goes up again", "cat s*/../src/a", 0, 1 },
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

/* What leads in a circle cannot be resolved; named by the call that refuses it, else it is outside. */
static void test_refused(void **state)
{
    static const struct {
        const char *command;
        size_t refused, outside;
    } texts[] = {
        { "cat self", 1, 0 },  { "cat self/a", 1, 0 },    { "cat self/*", 1, 0 },
        { "ls self/a", 1, 0 }, { "ls self/*", 1, 0 },     { "cat sel*", 0, 1 },
        { "cat src/a", 0, 0 }, { "echo x > self", 1, 0 }, { "cat self/.env", 1, 0 },
    };
    struct judge_case *f = *state;

    judge_case_link(f, "self", "self");
    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        size_t refused = 0, outside = 0;
        struct sf_judged judged;

        judge_case_command(f, texts[i].command, &judged);
        for (size_t k = 0; k < judged.action.path_count; k++) {
            const struct sf_action_path *p = &judged.action.paths[k];

            refused += p->refused && !strcmp(p->rule, SF_RULE_NO_PATH) && *p->reason;
            outside += !p->refused && p->zone == SF_PATH_OUTSIDE;
        }
        if (refused != texts[i].refused || outside != texts[i].outside ||
            (refused && judged.verdict.answer != SF_DENY))
            fail_msg("%s: %zu refused, %zu outside, %s", texts[i].command, refused, outside,
                     sf_answer_names[judged.verdict.answer]);
        sf_judged_release(&judged);
    }
}

/* Spilled output is read like a file of the workspace, and nothing beside it. */
static void test_spill(void **state)
{
    static const struct {
        const char *command; /* "@" stands for the test's directory */
        size_t count;
        enum sf_path_zone zone;
    } texts[] = {
        { "cat @/spill/1", 1, SF_PATH_INSIDE },   { "cat @/spill/.env", 1, SF_PATH_INSIDE },
        { "cat @/spill/a/*", 0, SF_PATH_INSIDE }, { "cat @/spill/*", 1, SF_PATH_OUTSIDE },
        { "cat @/spill", 1, SF_PATH_OUTSIDE },    { "cat @/spilled", 1, SF_PATH_OUTSIDE },
        { "cat @/spi", 1, SF_PATH_OUTSIDE },      { "echo x > @/spill/1", 1, SF_PATH_OUTSIDE },
    };
    struct judge_case *f = *state;

    for (int with = 1; with >= 0; with--)
        for (size_t i = 0; i < SF_COUNT(texts); i++) {
            const char *at = strchr(texts[i].command, '@');
            struct sf_strbuf command = SF_STRBUF_INIT;
            struct sf_judged judged;
            char *dir = test_path(f->dir, "spill");
            bool right;

            sf_strbuf_addf(&command, "%.*s%s%s", (int)(at - texts[i].command), texts[i].command,
                           f->dir, at + 1);
            judge_case_begin(f);
            if (with) {
                sf_policy_context_set_spill(&f->policy, f->dir); /* the last one counts */
                sf_policy_context_set_spill(&f->policy, dir);
            }
            judge_case_command(f, command.buf, &judged);
            right = with ? judged.action.path_count == texts[i].count &&
                               (!texts[i].count || judged.action.paths[0].zone == texts[i].zone)
                         : judged.action.paths[0].zone != SF_PATH_INSIDE;
            if (right && with && texts[i].zone == SF_PATH_INSIDE)
                right = !texts[i].count || !*judged.action.paths[0].rule;
            if (!right)
                fail_msg("%s: %zu paths, the first in zone %d, spill %d", command.buf,
                         judged.action.path_count,
                         judged.action.path_count ? (int)judged.action.paths[0].zone : -1, with);
            sf_judged_release(&judged);
            sf_strbuf_release(&command);
            free(dir);
        }
}

/* A pattern counts from where the command starts. */
static void test_directory(void **state)
{
    static const struct {
        const char *command, *cwd;
        size_t outside;
    } texts[] = {
        { "cat o*", "src", 1 },
        { "cat o*", NULL, 0 },
        { "cat l*", "src", 0 },
        { "cat ../l*", "src", 1 },
    };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        const struct sf_call_asked asked = { .tool = "Bash",
                                             .act = SF_ACT_SHELL,
                                             .command = texts[i].command,
                                             .command_len = strlen(texts[i].command),
                                             .cwd = texts[i].cwd };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        if (judged.action.path_count != texts[i].outside)
            fail_msg("%s in %s: %zu", texts[i].command, texts[i].cwd ? texts[i].cwd : "the root",
                     judged.action.path_count);
        sf_judged_release(&judged);
    }
}

/* The files of a tool that is no command, judged once and once more, however many. */
static void test_targets(void **state)
{
    enum { MANY = 4 * SF_REPORT_ITEMS };
    static char inside[] = "src/a", outside[] = "../home/notes";
    struct judge_case *f = *state;
    struct sf_tool_call_target *targets = sf_alloc_array(MANY, sizeof(*targets));
    const struct sf_call_asked asked = {
        .tool = "Edit", .act = SF_ACT_WRITE, .targets = targets, .target_count = MANY
    };

    for (size_t i = 0; i < MANY; i++)
        targets[i] = (struct sf_tool_call_target){ .path = i % 2 ? inside : outside,
                                                   .want = SF_WANT_ANY,
                                                   .act = i % 2 ? SF_ACT_READ : SF_ACT_WRITE,
                                                   .place = SF_PLACE_INIT };
    for (int round = 0; round < 2; round++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        assert_int_equal(judged.action.path_count, MANY);
        for (size_t i = 0; i < MANY; i++) {
            assert_int_equal(judged.action.paths[i].writes, i % 2 == 0);
            assert_int_equal(judged.action.paths[i].outside, i % 2 == 0);
            assert_int_equal(targets[i].place.inside, i % 2 == 1);
        }
        sf_judged_release(&judged);
    }
    for (size_t i = 0; i < MANY; i++)
        sf_place_release(&targets[i].place);
    free(targets);
}

/* As many patterns as are read, each of which has all that a pattern can have. */
static void test_many_patterns(void **state)
{
    struct judge_case *f = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_judged judged;

    judge_case_link(f, ".env.x", "../home/notes");
    sf_strbuf_adds(&text, "cat");
    for (int i = 0; i < SF_REPORT_ITEMS + 8; i++)
        sf_strbuf_addf(&text, " .env.[x%d]", i);
    judge_case_command(f, text.buf, &judged);
    assert_true(judged.action.path_count >= 2 * (size_t)SF_REPORT_ITEMS);
    for (size_t i = 0; i < judged.action.path_count; i++)
        assert_true(judged.action.paths[i].zone == SF_PATH_CREDENTIAL ||
                    judged.action.paths[i].zone == SF_PATH_OUTSIDE);
    sf_judged_release(&judged);
    sf_strbuf_release(&text);
}

/* What a tool is offered on, as the lists of the session say. */
static void test_withheld(void **state)
{
    struct judge_case *f = *state;
    struct sf_strlist withheld = SF_STRLIST_INIT;
    const struct sf_registry registry = { .withheld = &withheld };
    const struct sf_call_asked asked = { .tool = "Bash",
                                         .act = SF_ACT_SHELL,
                                         .registry = &registry,
                                         .command = "cat src/a",
                                         .command_len = 9 };

    for (int step = 0; step < 3; step++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;

        if (step)
            sf_strlist_add(&withheld, step == 1 ? "Read" : "Bash");
        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        assert_int_equal(judged.verdict.answer == SF_DENY, step == 2);
        assert_int_equal(sf_judged_may_read(&judged, &f->policy, &f->state, &withheld), step == 0);
        sf_judged_release(&judged);
    }
    sf_strlist_release(&withheld);
}

/* Commands that the settings do not allow at all. */
static void test_no_shell(void **state)
{
    static const char text[] = "[guard]\nallow_shell = false\n";
    struct judge_case *f = *state;
    struct sf_judged judged;

    sf_config_add_file(f->config, SF_LAYER_USER, "config.toml", text, strlen(text), true);
    judge_case_begin(f);
    judge_case_command(f, "ls", &judged);
    assert_int_equal(judged.verdict.answer, SF_DENY);
    sf_judged_release(&judged);
}

/* In a scope that does not exist nothing is judged, and nothing may be read. */
static void test_no_scope(void **state)
{
    static const struct sf_call_asked asked = {
        .tool = "Bash", .act = SF_ACT_SHELL, .command = "cat src/a", .command_len = 9
    };
    const struct sf_strlist none = SF_STRLIST_INIT;
    struct judge_case *f = *state;
    struct sf_mode_state lost = f->state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_judged judged;

    sf_mode_state_set_scope(&lost, "gone");
    assert_false(sf_judge_call(&f->policy, &asked, &lost, &judged, &err));
    assert_non_null(strstr(err.msg, "gone"));
    assert_false(judged.has_report);
    sf_judged_release(&judged);
    judge_case_command(f, "cat src/a", &judged);
    assert_false(sf_judged_may_read(&judged, &f->policy, &lost, &none));
    sf_judged_release(&judged);
}

/* What a call is about in one line, and the host of an address that is one. */
static void test_what(void **state)
{
    static char path[] = "src/a";
    static struct sf_tool_call_target target = { .path = path, .place = SF_PLACE_INIT };
    static const struct {
        struct sf_call_asked asked;
        const char *what;
    } calls[] = {
        { { .command = "ls", .url = "u", .targets = &target, .target_count = 1, .about = "b" },
          "ls" },
        { { .url = "u", .targets = &target, .target_count = 1, .about = "b" }, "u" },
        { { .targets = &target, .target_count = 1, .about = "b" }, "src/a" },
        { { .about = "b" }, "b" },
        { { .tool = "x" }, "" },
    };
    static const struct {
        const char *url, *host;
    } urls[] = { { "https://a.org/x", "a.org" }, { "no address", NULL } };
    struct judge_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(calls); i++)
        assert_string_equal(sf_call_asked_what(&calls[i].asked), calls[i].what);
    for (size_t i = 0; i < SF_COUNT(urls); i++) {
        const struct sf_call_asked asked = { .tool = "Fetch",
                                             .act = SF_ACT_FETCH,
                                             .url = urls[i].url };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_judged judged;

        assert_true(sf_judge_call(&f->policy, &asked, &f->state, &judged, &err));
        assert_string_equal(judged.action.url, urls[i].url);
        assert_int_equal(judged.action.hosts != NULL, urls[i].host != NULL);
        if (urls[i].host) {
            assert_string_equal(judged.action.hosts[0], urls[i].host);
            assert_null(judged.action.hosts[1]);
        }
        assert_false(judged.only_reads);
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
        { "cat .e*", SF_PATH_CREDENTIAL },
        { "ls ~/.ssh", SF_PATH_OUTSIDE },
        { "ls .env", SF_PATH_INSIDE },
        { "echo x > .sf/.env", SF_PATH_CREDENTIAL },
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

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_paths),
        CASE(test_refused),
        CASE(test_spill),
        CASE(test_directory),
        CASE(test_targets),
        CASE(test_many_patterns),
        CASE(test_withheld),
        CASE(test_no_shell),
        CASE(test_no_scope),
        CASE(test_what),
        CASE(test_deciding_part),
        CASE(test_spelled),
        CASE(test_workspace_is_home),
        CASE(test_zones),
        CASE(test_may_read),
        CASE(test_record),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
