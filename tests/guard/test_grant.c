/*
 * Lists of tools with limits: what they are read as, which limits mean nothing, and what lies within
 * them. A list only takes away.
 */
#include "base/base.h"
#include "guard/guard.h"
#include "support/test.h"

static void test_reading(void **state)
{
    static const struct {
        const char *text, *want; /* NULL: refused */
    } rows[] = {
        { "", "" },
        { " , ,", "" },
        { "Read,Grep", "Read|Grep|" },
        { "Read Grep", "Read|Grep|" },
        { "Bash(git add:*), Read", "Bash(git add:*)|Read|" },
        { "Bash(a, b)", "Bash(a, b)|" },
        { "Bash(a (b) c),Read", "Bash(a (b) c)|Read|" },
        { "Bash()", "Bash()|" },
        { "Bash(git add:*", NULL },
        { "Bash((a)", NULL },
        { "(a)", NULL },
        { "Bash(a)Read", NULL },
        { "Bash(a))", NULL },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_strlist grants = SF_STRLIST_INIT;
        struct sf_strbuf got = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_grants_read(&grants, rows[i].text, &err);

        for (size_t k = 0; k < grants.count; k++)
            sf_strbuf_addf(&got, "%s|", grants.items[k]);
        if (ok != (rows[i].want != NULL) || (ok && strcmp(got.buf, rows[i].want) != 0))
            fail_msg("'%s' is read as '%s'", rows[i].text, ok ? got.buf : err.msg);
        sf_strbuf_release(&got);
        sf_strlist_release(&grants);
    }
}

static void test_too_many(void **state)
{
    struct sf_strlist grants = SF_STRLIST_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    for (int i = 0; i <= SF_GRANTS_MAX; i++)
        sf_strbuf_adds(&text, "Read,");
    assert_false(sf_grants_read(&grants, text.buf, &err));
    assert_int_equal(grants.count, SF_GRANTS_MAX);
    sf_strbuf_release(&text);
    sf_strlist_release(&grants);
}

static const struct {
    const char *grant;
    enum sf_act act;
    bool good;
} checks[] = {
    { "Bash", SF_ACT_SHELL, true },
    { "Bash(git status:*)", SF_ACT_SHELL, true },
    { "Bash(git *)", SF_ACT_SHELL, true },
    { "Bash(*)", SF_ACT_SHELL, true },
    { "Bash(:*)", SF_ACT_SHELL, true },
    { "Bash(git push --force)", SF_ACT_SHELL, true },
    { "Bash()", SF_ACT_SHELL, false },
    { "Bash( )", SF_ACT_SHELL, false },
    { "Bash(git*)", SF_ACT_SHELL, false },
    { "Bash(* install)", SF_ACT_SHELL, false },
    { "Bash(ls && rm:*)", SF_ACT_SHELL, false },
    { "Bash(tool:Bash)", SF_ACT_SHELL, false },
    { "Bash(path:src/)", SF_ACT_SHELL, false },
    { "Bash(-c)", SF_ACT_SHELL, false },
    { "Bash(ls\x1b)", SF_ACT_SHELL, false },
    { "Read(src/**)", SF_ACT_READ, true },
    { "Read(./src/a.c)", SF_ACT_READ, true },
    { "Read(**)", SF_ACT_READ, true },
    { "Read(/etc/hosts)", SF_ACT_READ, true },
    { "Read(/)", SF_ACT_READ, false },
    { "Read(/etc/**)", SF_ACT_READ, false },
    { "Read(src/*)", SF_ACT_READ, false },
    { "Read(../**)", SF_ACT_READ, false },
    { "Read(src/../..)", SF_ACT_READ, false },
    { "Fetch(example.org)", SF_ACT_FETCH, true },
    { "Fetch(domain:*.example.org)", SF_ACT_FETCH, true },
    { "Fetch(*)", SF_ACT_FETCH, false },
    { "Fetch(https://example.org)", SF_ACT_FETCH, false },
    { "AskUser(x)", SF_ACT_OWN, false },
};

static void test_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(checks); i++) {
        struct sf_error err = SF_ERROR_INIT;

        if (sf_grant_check(checks[i].grant, checks[i].act, &err) != checks[i].good)
            fail_msg("%s: %s", checks[i].grant, checks[i].good ? err.msg : "taken");
    }
}

static bool exceeds_command(const struct sf_strlist *grants, const char *command)
{
    static const struct sf_action_path out = {
        .path = "out/x", .zone = SF_PATH_INSIDE, .writes = true, .rule = "", .reason = ""
    };
    struct sf_shell_report report;
    struct sf_action action = {
        .tool = "Bash", .act = SF_ACT_SHELL, .shell = &report, .paths = &out
    };
    bool exceeded;

    sf_shell_classify(command, strlen(command), &report);
    action.path_count = report.redirects;
    exceeded = sf_grants_exceeded(grants, &action);
    sf_shell_report_release(&report);
    return exceeded;
}

static void test_commands(void **state)
{
    static const struct {
        const char *grants, *command;
        bool within;
    } rows[] = {
        { "Read", "anything at all", true }, /* the list does not speak of it */
        { "Bash, Bash(git:*)", "rm -rf x", true },
        { "Bash(git status:*)", "git status -s", true },
        { "Bash(git status:*)", "git push", false },
        { "Bash(git status:*), Bash(git diff:*)", "git status && git diff", true },
        { "Bash(git *)", "git push", true },
        { "Bash(git *)", "gitx push", false },
        { "Bash(git *)", "./git push", false },
        { "Bash(git *)", "git status; rm x", false },
        { "Bash(git *)", "git status\nrm x", false },
        { "Bash(git *)", "git status & rm x", false },
        { "Bash(git *)", "git status | sh", false },
        { "Bash(git *)", "git log $(rm x)", false },
        { "Bash(git *)", "git log `rm x`", false },
        { "Bash(git *)", "sh -c 'git log'", false },
        { "Bash(git *)", "x=git; $x log", false },
        { "Bash(git *)", "", false },
        { "Bash(*)", "make && ls", true },
        { "Bash(git log:*)", "git log > out/x", false },
        { "Bash(git log:*), Write", "git log > out/x", true },
        { "Bash(git log:*), Write(out/**)", "git log > out/x", true },
        { "Bash(git log:*), Write(src/**)", "git log > out/x", false },
        { "Bash(git log:*), Write(a/**), Write(b/**), Write(c/**), Write(d/**), Write(out/**)",
          "git log > out/x", true },
        { "Bash(git log:*)", "git log > /dev/null", true },
        { "Bash(tool:Bash)", "ls", false }, /* was not checked: it covers nothing */
        { "Bash(git*)", "git log", false },
        { "Bash()", "ls", false },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_strlist grants = SF_STRLIST_INIT;
        struct sf_error err = SF_ERROR_INIT;

        assert_true(sf_grants_read(&grants, rows[i].grants, &err));
        if (exceeds_command(&grants, rows[i].command) == rows[i].within)
            fail_msg("%s: %s", rows[i].grants, rows[i].command);
        sf_strlist_release(&grants);
    }
}

static void test_paths(void **state)
{
    static const struct {
        const char *grant, *path;
        bool within;
    } rows[] = {
        { "Read(src/**)", "src/a.c", true },
        { "Read(src/**)", "src/deep/a.c", true },
        { "Read(src/**)", "src", true },
        { "Read(src/**)", "src-evil/a.c", false },
        { "Read(src/**)", "", false },
        { "Read(src/**)", "/src/a.c", false },
        { "Read(src)", "src/a.c", false },
        { "Read(**)", "a", true },
        { "Read(**)", "", true },
        { "Read(**)", "/etc/passwd", false },
        { "Read(/etc/hosts)", "/etc/hosts", true },
        { "Read(/etc/hosts)", "/etc/hosts2", false },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const struct sf_action_path path = { .path = rows[i].path, .rule = "", .reason = "" };
        const struct sf_action action = {
            .tool = "Read", .act = SF_ACT_READ, .paths = &path, .path_count = 1
        };
        struct sf_strlist grants = SF_STRLIST_INIT;

        sf_strlist_add(&grants, rows[i].grant);
        if (sf_grants_exceeded(&grants, &action) == rows[i].within)
            fail_msg("%s: '%s'", rows[i].grant, rows[i].path);
        sf_strlist_release(&grants);
    }
}

/* Withheld is what any part of the action touches. */
static void test_withheld(void **state)
{
    static const struct {
        const char *grant, *command;
        bool touched;
    } rows[] = {
        { "Bash(git push:*)", "git push --force", true },
        { "Bash(git push:*)", "make && git -C x push", true },
        { "Bash(git push:*)", "git pull", false },
        { "Read(src/**)", "git push", false },
        { "Bash", "git push", false }, /* such a tool is not offered to begin with */
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_shell_report report;
        const struct sf_action action = { .tool = "Bash", .act = SF_ACT_SHELL, .shell = &report };
        struct sf_strlist grants = SF_STRLIST_INIT;

        sf_strlist_add(&grants, rows[i].grant);
        sf_shell_classify(rows[i].command, strlen(rows[i].command), &report);
        if (sf_grants_touch(&grants, &action) != rows[i].touched)
            fail_msg("%s: %s", rows[i].grant, rows[i].command);
        sf_shell_report_release(&report);
        sf_strlist_release(&grants);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading), cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_check),   cmocka_unit_test(test_commands),
        cmocka_unit_test(test_paths),   cmocka_unit_test(test_withheld),
    };

    return cmocka_run_group_tests_name("grant", tests, NULL, NULL);
}
