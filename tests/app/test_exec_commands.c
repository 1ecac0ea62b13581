/*
 * Slash commands and commands of the user's own in sf -p and sf exec: where they come from, what they
 * print, how they end. The offline operator stands in for a model.
 */
#include <string.h>
#include <unistd.h>

#include "support/agent_sandbox.h"
#include "support/test.h"
#include "support/tree.h"

/* In a shell, for pipes; $SF is the program. */
static void expect_shell(struct sandbox *w, const char *script, int code, const char *out,
                         const char *err)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addf(&words, "-c 'SF=" SF_PROGRAM "; %s'", script);
    o = sandbox_run_program(w, "/bin/sh", words.buf);
    if (o.code != code || (out && !strstr(o.out, out)) || (err && !strstr(o.err, err)))
        fail_msg("%s: exit code %d\n%s\n%s", script, o.code, o.out, o.err);
    outcome_release(&o);
    sf_strbuf_release(&words);
}

/* ---- where they come from ---- */

static const struct {
    const char *name, *script;
    int code;
    const char *out, *err;
} pipes[] = {
    { "a command as the piped prompt", "echo /cost | $SF -p -", 0, "Cost", NULL },
    { "the same of exec", "echo /cost | $SF exec", 0, "Cost", NULL },
    { "lines that end as on other systems", "printf \"/cost\\r\\n\" | $SF exec", 0, "Cost", NULL },
    { "several lines are words", "printf \"/cost\\nand more\\n\" | $SF -p -", 1,
      "I do not understand \"/cost", NULL },
    { "what is appended stays words", "echo /cost | $SF -p xyzzy", 1, "I do not understand \"xyzzy",
      NULL },
    { "a pipe runs no command of the user's", "echo \"!echo hi\" | $SF -p -", 1,
      "I do not understand \"!echo hi", NULL },
};

static void test_pipes(void **state)
{
    agent_sandbox_file(*state, "src/a.c", "x\n");
    for (size_t i = 0; i < SF_COUNT(pipes); i++)
        expect_shell(*state, pipes[i].script, pipes[i].code, pipes[i].out, pipes[i].err);
}

/* ---- commands of the user's own ---- */

static const struct {
    const char *name, *words;
    int code;
    const char *out, *err;
} shells[] = {
    { "its output", "-p '!echo hi'", 0, "hi\n", NULL },
    { "its exit code", "-p '!echo hi; exit 7'", 7, "hi\n", NULL },
    { "as one object", "-p '!echo hi; exit 7' --output-format json", 7, "\"exit_code\":7", NULL },
    { "the object has the output", "-p '!echo hi' --output-format json", 0, "\"result\":\"hi",
      NULL },
    { "what a model would have to ask for", "-p '!./build.sh'", 0, "built\n", NULL },
    { "what destroys needs a person", "-p '!rm -rf src' --on-ask allow", 3, NULL, "rm -rf src" },
    { "Markdown is words", "-p '![image](x)'", 1, "I do not understand", NULL },
    { "a heading is words", "-p '# Title'", 1, "I do not understand \"# Title", NULL },
};

static void test_shell(void **state)
{
    struct outcome o;

    agent_sandbox_file(*state, "src/a.c", "x\n");
    agent_sandbox_file(*state, "build.sh", "#!/bin/sh\necho built\n");
    o = sandbox_run_program(*state, "/bin/chmod", "+x build.sh");
    outcome_release(&o);
    sandbox_expect(*state, "-p '!echo hi'", 2, NULL, "sf trust add");
    sandbox_expect(*state, "trust add", 0, NULL, NULL);
    for (size_t i = 0; i < SF_COUNT(shells); i++)
        sandbox_expect(*state, shells[i].words, shells[i].code, shells[i].out, shells[i].err);
    o = sandbox_run(*state, "-p '!echo hi'");
    assert_string_equal(o.out, "hi\n");
    outcome_release(&o);
    free(agent_sandbox_text(*state, "src/a.c"));
}

/* ---- one object ---- */

static const struct {
    const char *line;
    int code;
    const char *result, *reason;
} objects[] = {
    { "/status", 0, "| workspace |", NULL },
    { "/mode", 0, "* build", NULL },
    { "/mode plan", 0, "plan | assisted", NULL },
    { "/goal ship it", 0, "ship it", NULL },
    { "/copy", 2, "about the screen", "start sf in a terminal" },
    { "/no-such-thing", 2, "there is no command", "lists all" },
    { "/mode yolo", 3, "is not a workspace you trust", "no terminal to ask on" },
};

/* The only line of standard output, the caller's. */
static struct sf_json *only_object(const struct outcome *o)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(o->out, o->out_len, NULL, &err);

    if (!json || strchr(o->out, '\n') != o->out + o->out_len - 1)
        fail_msg("not one object: %s", o->out);
    return json;
}

static void test_objects(void **state)
{
    for (size_t i = 0; i < SF_COUNT(objects); i++) {
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        const char *type, *result, *reason;
        struct sf_json *json;
        struct outcome o;
        int64_t code;

        sf_strbuf_addf(&words, "-p '%s' --output-format json", objects[i].line);
        o = sandbox_run(*state, words.buf);
        json = only_object(&o);
        assert_true(sf_json_get_str(json, "type", &type, &err));
        assert_true(sf_json_get_str(json, "result", &result, &err));
        assert_true(sf_json_opt_str(json, "reason", "", &reason, &err));
        assert_true(sf_json_get_int(json, "exit_code", &code, &err));
        assert_string_equal(type, "done");
        if (o.code != objects[i].code || code != o.code || !strstr(result, objects[i].result) ||
            (objects[i].reason ? !strstr(reason, objects[i].reason) : *reason != '\0'))
            fail_msg("%s: exit code %d\n%s\n%s", objects[i].line, o.code, o.out, o.err);
        sf_json_free(json);
        outcome_release(&o);
        sf_strbuf_release(&words);
    }
}

/* With stream-json the responses come before it, and say whether something was not done. */
static void test_stream(void **state)
{
    sandbox_expect(*state, "-p /copy --output-format stream-json", 2,
                   "\"kind\":\"screen\",\"bad\":true", NULL);
    sandbox_expect(*state, "-p /sessions --output-format stream-json", 0, "\"kind\":\"choice\"",
                   NULL);
}

/* ---- files that go back ---- */

/* A turn changed src/a.c from old to new; what each command answers, and what the file is then. */
static const struct {
    const char *name, *words;
    int code;
    const char *out, *err, *file;
} restores[] = {
    { "nobody can answer, and what was asked is printed", "-c -p /undo", 3, NULL,
      "Put files back as they were before", "new\n" },
    { "with the files", "-c -p /undo", 3, NULL, "src/a.c", "new\n" },
    { "and the way to answer it", "-c -p /undo", 3, NULL, "--on-ask allow", "new\n" },
    { "allowed beforehand", "-c -p /undo --on-ask allow", 0, "0 added, 1 changed, 0 removed", NULL,
      "old\n" },
    { "back again", "-c -p /redo --on-ask allow", 0, "1 changed", NULL, "new\n" },
    { "by number, as one object", "-c -p '/restore 1' --on-ask allow --output-format json", 0,
      "\"result\":\"Put files back", NULL, "old\n" },
    { "the object says what came of it",
      "-c -p '/restore undo' --on-ask allow --output-format json", 0, "1 changed, 0 removed", NULL,
      "new\n" },
    { "trust is never allowed by a policy", "-c -p /trust --on-ask allow", 3, NULL,
      "with a terminal as standard input", "new\n" },
    { "nor is yolo", "-c -p '/mode yolo' --on-ask allow", 3, NULL,
      "with a terminal as standard input", "new\n" },
};

static void test_restores(void **state)
{
    struct sandbox *w = *state;

    agent_sandbox_file(w, "src/a.c", "old\n");
    sandbox_expect(w, "-p 'replace old with new in src/a.c' --permission-profile trusted", 0, NULL,
                   NULL);
    for (size_t i = 0; i < SF_COUNT(restores); i++) {
        char *text;

        sandbox_expect(w, restores[i].words, restores[i].code, restores[i].out, restores[i].err);
        text = agent_sandbox_text(w, "src/a.c");
        if (strcmp(text, restores[i].file) != 0)
            fail_msg("%s: the file is %s", restores[i].name, text);
        free(text);
    }
}

/* ---- sessions ---- */

static void test_stays(void **state)
{
    sandbox_expect(*state, "-p /new", 2, NULL, "a run without a screen stays in its session");
    sandbox_expect(*state, "-p /clear", 2, NULL, "begins a new one");
}

/* ---- words of commands ---- */

static const struct {
    const char *name, *words;
    int code;
    const char *out, *err;
} arguments[] = {
    { "a slash alone lists the commands", "-p /", 0, "/restore", NULL },
    { "an unknown one names the list", "-p /nosuchthing", 2, NULL, "/help lists all" },
    { "a near name", "-p /stauts", 2, NULL, "did you mean /status? /help lists all" },
    { "no name that is far", "-p /view", 2, NULL, "\n    /help lists all" },
    { "a name that is begun", "-p /edit", 2, NULL, "/editor opens your editor" },
    { "the help of one", "-p '/help undo'", 0, "/undo [overwrite]", NULL },
    { "as a table whose cells end where they should", "-p '/help restore'", 0,
      "/restore [N [overwrite]\\|undo] | files", NULL },
    { "with its slash, by its alias", "-p '/help /resume'", 0, "/sessions [ID]", NULL },
    { "help about words", "-p '/help snapshot'", 0, "/diff", NULL },
    { "help about nothing", "-p '/help xyzzy'", 2, NULL, "no matches for xyzzy" },
    { "a number and letters", "-p '/restore 12x'", 2, NULL, "/restore N [overwrite]" },
    { "a number of too many digits", "-p '/restore 99999999999999999999'", 2, NULL, "/restore N" },
    { "more after the number", "-p '/restore 1 overwrit'", 2, NULL, "overwrit is not overwrite" },
    { "a word that is half there", "-p '/undo overwrit'", 2, NULL, "overwrit is not overwrite" },
    { "a word where none may be", "-p '/redo 1'", 2, NULL, "/redo takes nothing" },
    { "no number", "-p '/diff abc'", 2, NULL, "/diff N of a snapshot" },
    { "no prompt", "-p '/backtrack 1x'", 2, NULL, "there is no prompt 1x" },
    { "no fork", "-p '/fork 1x'", 2, NULL, "there is no prompt 1x" },
    { "no event", "-p '/logs event 1x'", 2, NULL, "no event 1x" },
    { "no level", "-p '/logs loud'", 2, NULL, "levels are" },
    { "no title", "-p /rename", 2, NULL, "/rename TITLE" },
    { "no format", "-p '/export pdf'", 2, NULL, "there is no format pdf" },
    { "no option", "-p '/session-report -x'", 2, NULL, "/session-report [--json]" },
    { "no such word", "-p '/queue jump'", 2, NULL, "/queue edit N" },
    { "no such memory", "-p '/memory mine'", 2, NULL, "/memory project" },
};

/* A file that a command of sf's writes is no way around the rules about paths. */
static const struct {
    const char *file, *why; /* NULL: it is written */
} exports[] = {
    { "out.md", NULL },
    { "docs.html", NULL },
    { ".git/hooks/post-checkout.md", "is protected" },
    { ".git/config.md", "is protected" },
    { ".envrc", "is protected" },
    { ".sf/config.toml", "is protected" },
    { ".vscode/tasks.json", "is protected" },
    { ".env", "is protected" },
    { "link/x.md", "is protected" },
    { "../out.md", "is outside the workspace" },
    { "/tmp/sf-export-test.md", "is outside the workspace" },
};

static void test_exports(void **state)
{
    struct sandbox *w = *state;
    char *link = test_path(w->workspace, "link");

    tree_puts(w->workspace, ".git/hooks/x.sample", "");
    tree_puts(w->workspace, ".vscode/settings.json", "");
    assert_int_equal(symlink(".git/hooks", link), 0);
    for (size_t i = 0; i < SF_COUNT(exports); i++) {
        char *path = *exports[i].file == '/' ? sf_strdup(exports[i].file)
                                             : test_path(w->workspace, exports[i].file);
        struct sf_strbuf words = SF_STRBUF_INIT;

        sf_strbuf_addf(&words, "-p '/export md %s'", exports[i].file);
        sandbox_expect(w, words.buf, exports[i].why ? 2 : 0, exports[i].why ? NULL : "written to",
                       exports[i].why);
        assert_int_equal(access(path, F_OK), exports[i].why ? -1 : 0);
        sf_strbuf_release(&words);
        free(path);
    }
    free(link);
}

static void test_arguments(void **state)
{
    for (size_t i = 0; i < SF_COUNT(arguments); i++)
        sandbox_expect(*state, arguments[i].words, arguments[i].code, arguments[i].out,
                       arguments[i].err);
}

/* The help of one command is not that of all: those that speak of it follow. */
static void test_help_of_one(void **state)
{
    struct outcome o;

    agent_sandbox_file(*state, ".sf/commands/todo.md", "find TODO in $1");
    o = sandbox_run(*state, "-p '/help undo'");
    assert_non_null(strstr(o.out, "/undo"));
    assert_true(strstr(o.out, "/undo") < strstr(o.out, "/redo"));
    assert_null(strstr(o.out, "/todo"));
    assert_null(strstr(o.out, "/cost"));
    outcome_release(&o);
    sandbox_expect(*state, "-p '/help todo'", 0, "/todo", NULL);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, sandbox_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_pipes),     CASE(test_shell),    CASE(test_objects),
        CASE(test_stream),    CASE(test_restores), CASE(test_stays),
        CASE(test_arguments), CASE(test_exports),  CASE(test_help_of_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
