/*
 * proof.c: what a check proves, by its text, its exit code and how many tests it says it ran. A check
 * that fails has failed, whatever else it says. One that ends well proves something only if it really
 * ran: a runner that finds no test ends well as a rule, so its words are read. make's own speak of
 * one target of perhaps many, and decide only where nothing else was printed.
 */
#include "agent/proof.h"

#include <string.h>
#include <strings.h>

#include "agent/tally.h"
#include "base/base.h"
#include "shell/shell.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, PIPE_CLOSED = 141 };

const char *const sf_proof_names[] = { "not verified", "passed", "failed", NULL };

/* A runner that found no test says so and fails for that reason alone. */
static const struct {
    int code;
    const char *words, *also;
} none_found[] = {
    { 5, "no tests ran", "" }, /* pytest, unittest */
    { 1, "no tests found, exiting with code 1", "" },
    { 1, "no test files found, exiting with code 1", "" },
    { 1, "must contain at least one test.", "tests:       0 total" }, /* Jest */
    { 1, "error: no test files found: ", "" },                        /* mocha */
    { 1, "\xe2\x9c\x98 no tests found in ", "" },                     /* ava */
};

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

/* A text that cannot be read has nothing that speaks against it. */
static const char *read_command(const char *command, bool *piped)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_shell shell;
    const char *why = "";

    *piped = false;
    if (sf_shell_read(&shell, command, strlen(command), &arena)) {
        why = objection(command, &shell);
        for (const struct sf_shell_command *c = shell.first; c; c = c->next)
            *piped = *piped || c->join == SF_JOIN_PIPE;
    }
    sf_arena_release(&arena);
    return why;
}

bool sf_proof_is_piped(const char *command)
{
    bool piped;

    read_command(command, &piped);
    return piped;
}

static bool contains(const char *text, size_t len, const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; i + n <= len; i++)
        if (!strncasecmp(text + i, word, n))
            return true;
    return false;
}

static bool found_none(int exit_code, const char *output, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(none_found); i++)
        if (exit_code == none_found[i].code && contains(output, len, none_found[i].words) &&
            contains(output, len, none_found[i].also))
            return true;
    return false;
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

/* What speaks against a check that ended with 0 and counts no failure. */
static const char *unproved(const struct sf_tally *t)
{
    if (t->missing)
        return "a command in it was not found or could not be started";
    if (sf_tally_ran(t) > 0)
        return "";
    if (t->counted && t->skipped)
        return "it skipped every test";
    return t->counted || t->nothing || (t->idle && !t->said) ? "it ran no test" : "";
}

static enum sf_proof prove_success(const char *command, const struct sf_tally *t, const char **why)
{
    bool piped;

    *why = read_command(command, &piped);
    if (!**why && t->failed) {
        *why = "its output tells of failures, although it ended with exit code 0";
        return SF_PROOF_FAILED;
    }
    if (!**why)
        *why = unproved(t);
    return **why ? SF_PROOF_NONE : SF_PROOF_PASSED;
}

enum sf_proof sf_proof_of(const char *command, int exit_code, const char *output, size_t len,
                          const char **why)
{
    const struct sf_tally t = sf_tally_read(output, len);

    *why = unfinished(exit_code);
    if (**why)
        return SF_PROOF_NONE;
    if (!exit_code)
        return prove_success(command, &t, why);
    if (sf_tally_ran(&t) > 0 || !found_none(exit_code, output, len))
        return SF_PROOF_FAILED;
    *why = "it ran no test";
    return SF_PROOF_NONE;
}
