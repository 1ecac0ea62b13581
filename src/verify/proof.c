/*
 * proof.c: what a check proves, by its text, its exit code and what its output says of tests. A check
 * that fails has failed, whatever else it says. One that ends well proves something only if it really
 * ran: a runner that finds no test ends well as a rule.
 */
#include "verify/proof.h"

#include <string.h>

#include "base/base.h"
#include "shell/shell.h"
#include "verify/reading.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, PIPE_CLOSED = 141 };

const char *const sf_proof_names[] = { "not verified", "passed", "failed", NULL };

/*
 * Options that keep a program from running what it would test. Letters may stand together, up to one
 * that takes the rest as its value; words are separated by blanks. "*" is any program.
 */
static const struct {
    const char *programs, *letters, *valued, *words;
} dry_runs[] = {
    { "*", "", "", "--dry-run --collect-only --list-tests --listTests --gtest_list_tests" },
    { "make gmake", "nqt", "CEIWflojO", "--just-print --recon --question --touch" },
    { "ninja", "n", "Cfjkldtw", "" },
    { "ctest", "N", "", "--show-only" },
    { "pytest py.test", "", "", "--co --fixtures --markers --setup-plan --version --help" },
    { "cargo", "", "", "--no-run --list" },
    { "go", "", "", "-list" },
    { "gradle gradlew", "m", "", "" },
    { "mvn mvnw", "", "", "-DskipTests -DskipTests=true -Dmaven.test.skip=true" },
    { "dotnet", "t", "", "" },
    { "bats", "c", "", "--count" },
    { "phpunit", "", "", "--list-suites --list-groups --version" },
};

/* Commands that verify nothing, behind one that was left in the background. */
static const char idle[] = "wait sleep echo printf true : disown jobs";

/* Programs that run tests and count them: with one of these words, or with any. */
static const struct {
    const char *programs, *words;
} testers[] = {
    { "ctest pytest py.test tox nox jest vitest mocha ava jasmine karma phpunit pest rspec bats "
      "prove busted gotestsum nosetests nose2 behave cucumber trial",
      "" },
    { "cargo", "test t nextest" },
    { "go dotnet swift mix deno flutter dart zig lein sbt meson bazel stack cabal", "test" },
    { "mvn mvnw", "test verify package install integration-test" },
    { "gradle gradlew", "test check build" },
    { "python python3", "unittest pytest" },
    { "node", "--test" },
    { "playwright", "test" },
    { "cypress", "run" },
};

static bool is_one_of(const char *list, const char *word, size_t len)
{
    for (; *list; list += strspn(list, " ")) {
        size_t n = strcspn(list, " ");

        if (n == len && !strncmp(list, word, n))
            return true;
        list += n;
    }
    return false;
}

/* -kn of make is -k and -n; -fn is a file called n. */
static bool has_letter(const char *word, const char *letters, const char *valued)
{
    if (word[0] != '-' || word[1] == '-' || !*letters)
        return false;
    for (word++; *word && !strchr(valued, *word); word++)
        if (strchr(letters, *word))
            return true;
    return false;
}

static bool is_program(const char *programs, const char *word)
{
    const char *slash = strrchr(word, '/');

    word = slash ? slash + 1 : word;
    return is_one_of(programs, word, strlen(word));
}

/* The program may stand behind env, timeout or npx; its words may stand anywhere behind it. */
static bool runs_tests_by(const struct sf_shell_command *c, size_t row)
{
    bool found = false;

    for (size_t i = 0; i < c->count; i++) {
        const char *word = c->words[i].text;

        if (found && is_one_of(testers[row].words, word, strlen(word)))
            return true;
        found = found || is_program(testers[row].programs, word);
        if (found && !*testers[row].words)
            return true;
    }
    return false;
}

/* What stands before the program may start it: env, timeout, python3 -m. */
static bool is_dry_by(const struct sf_shell_command *c, size_t row)
{
    bool found = !strcmp(dry_runs[row].programs, "*");

    for (size_t i = 0; i < c->count; i++) {
        const char *word = c->words[i].text;

        if (found && (is_one_of(dry_runs[row].words, word, strcspn(word, "=")) ||
                      is_one_of(dry_runs[row].words, word, strlen(word)) ||
                      has_letter(word, dry_runs[row].letters, dry_runs[row].valued)))
            return true;
        found = found || is_program(dry_runs[row].programs, word);
    }
    return false;
}

static bool is_idle(const struct sf_shell_command *c)
{
    const char *name = c->count ? c->words[0].text : "";

    if (!strcmp(name, "wait"))
        return c->count == 1; /* With a number it ends as that process did. */
    return is_one_of(idle, name, strlen(name));
}

static bool is_dry(const struct sf_shell_command *c)
{
    for (size_t i = 0; i < SF_COUNT(dry_runs) && !is_idle(c); i++)
        if (is_dry_by(c, i))
            return true;
    return false;
}

static bool runs_tests(const struct sf_shell_command *c)
{
    for (size_t i = 0; i < SF_COUNT(testers) && !is_idle(c); i++)
        if (runs_tests_by(c, i))
            return true;
    return false;
}

/* "a &", and "( a ) &" as well. */
static bool is_in_background(const struct sf_shell_command *c, const char *text)
{
    text += c->at + c->span;
    text += strspn(text, " \t)}");
    return text[0] == '&' && text[1] != '&' && text[1] != '>';
}

/* One that runs behind what was left in the background may verify it: a server and its client. */
static const char *objection(const char *text, const struct sf_shell *shell)
{
    bool left = false;

    for (const struct sf_shell_command *c = shell->first; c; c = c->next) {
        if (c->kind != SF_SHELL_SIMPLE)
            continue;
        if (is_dry(c))
            return "it is a dry run";
        if (is_in_background(c, text))
            left = true;
        else if (!is_idle(c))
            left = false;
    }
    return left ? "it was left to run in the background" : "";
}

/* What the text of a check tells. */
struct text {
    const char *objection; /* "": none */
    bool piped, tests;     /* It has a pipeline; it runs tests, as far as is known. */
};

/* A text that cannot be read has nothing that speaks against it. */
static struct text read_command(const char *command)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_shell shell;
    struct text text = { .objection = "" };

    if (sf_shell_read(&shell, command, strlen(command), &arena)) {
        text.objection = objection(command, &shell);
        for (const struct sf_shell_command *c = shell.first; c; c = c->next) {
            text.piped = text.piped || c->join == SF_JOIN_PIPE;
            text.tests = text.tests || (c->kind == SF_SHELL_SIMPLE && runs_tests(c));
        }
    }
    sf_arena_release(&arena);
    return text;
}

bool sf_proof_is_piped(const char *command)
{
    return read_command(command).piped;
}

static const char *unfinished(int exit_code)
{
    if (exit_code < 0)
        return "it did not come to an end";
    if (exit_code == NOT_FOUND)
        return "there is no such command";
    if (exit_code == NOT_EXECUTABLE)
        return "the command cannot be executed";
    if (exit_code == PIPE_CLOSED)
        return "a part of it was cut off, because nothing read its output to the end";
    return "";
}

/* What speaks against a check that ended with 0 and tells of no failure. */
static const char *unproved(const struct sf_reading *reading, bool tests)
{
    if (reading->missing)
        return "a command in it was not found or could not be started";
    switch (reading->verdict) {
    case SF_TESTS_PASS:
        return "";
    case SF_TESTS_NONE:
        return reading->skipped > 0 ? "it skipped every test" : "it ran no test";
    case SF_TESTS_FAIL:
    case SF_TESTS_BROKEN:
        return "it did not run to its end";
    case SF_TESTS_UNKNOWN:
        break;
    }
    return tests || reading->untold ? "it does not tell how many tests it ran" : "";
}

static enum sf_proof prove_success(const char *command, const struct sf_reading *reading,
                                   const char **why)
{
    struct text text = read_command(command);

    *why = text.objection;
    if (!**why && reading->fails && !reading->missing) {
        *why = "its output tells of failures, although it ended with exit code 0";
        return SF_PROOF_FAILED;
    }
    if (!**why)
        *why = unproved(reading, text.tests);
    return **why ? SF_PROOF_NONE : SF_PROOF_PASSED;
}

enum sf_proof sf_proof_of(const char *command, int exit_code, const char *output, size_t len,
                          const char **why)
{
    const struct sf_reading reading = sf_reading_of(exit_code, output, len);

    *why = unfinished(exit_code);
    if (**why)
        return SF_PROOF_NONE;
    if (!exit_code)
        return prove_success(command, &reading, why);
    if (reading.verdict != SF_TESTS_NONE)
        return SF_PROOF_FAILED;
    *why = "it ran no test";
    return SF_PROOF_NONE;
}
