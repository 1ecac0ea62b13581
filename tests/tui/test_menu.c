/*
 * The menu of commands at a terminal: what Enter takes from it. A beginning that fits several
 * commands runs none of them, whichever they are.
 */
#include <string.h>

#include "port/port.h"
#include "support/pty_case.h"
#include "support/test.h"

#define UP   "\033[A"
#define DOWN "\033[B"

static const char several[] = "several begin so";

static bool begins(const char *name, const char *word)
{
    return !strncmp(name, word, strlen(word));
}

static size_t count_row(const struct sf_port_command *c, const char *word, bool *exact)
{
    size_t count = begins(c->name, word);
    bool named = count > 0;

    *exact = *exact || !strcmp(c->name, word);
    for (const char *const *a = c->aliases; a && *a; a++) {
        count += begins(*a, word) && !named;
        *exact = *exact || !strcmp(*a, word);
    }
    return count;
}

/*
 * How many rows the menu has for the word; `exact`: it is a name itself. An alias has a row only
 * where the name of its command begins otherwise.
 */
static size_t count_begun(const char *word, bool *exact)
{
    size_t count = 0;

    *exact = false;
    for (size_t i = 0; i < sf_port_command_count; i++)
        count += count_row(&sf_port_commands[i], word, exact);
    for (size_t i = 0; i < sf_mode_command_count; i++) {
        count += begins(sf_mode_commands[i].name, word);
        *exact = *exact || !strcmp(sf_mode_commands[i].name, word);
    }
    return count;
}

static void add_once(struct sf_strlist *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], word))
            return;
    sf_strlist_add(list, word);
}

static void add_beginnings(struct sf_strlist *out, const char *name)
{
    char word[64];
    bool exact;

    for (size_t n = 1; name[n]; n++) {
        snprintf(word, sizeof(word), "%.*s", (int)n, name);
        if (count_begun(word, &exact) > 1 && !exact)
            add_once(out, word);
    }
}

/* All beginnings, of all commands, that fit several and are none. */
static void add_ambiguous(struct sf_strlist *out)
{
    for (size_t i = 0; i < sf_port_command_count; i++) {
        add_beginnings(out, sf_port_commands[i].name);
        for (const char *const *a = sf_port_commands[i].aliases; a && *a; a++)
            add_beginnings(out, *a);
    }
    for (size_t i = 0; i < sf_mode_command_count; i++)
        add_beginnings(out, sf_mode_commands[i].name);
}

static void test_several_run_nothing(void **state)
{
    struct pty_case *s = *state;
    struct sf_strlist words = SF_STRLIST_INIT;
    char keys[80], line[80];

    add_ambiguous(&words);
    assert_true(words.count > 30);
    pty_case_begin(s, NULL);
    for (size_t i = 0; i < words.count; i++) {
        snprintf(keys, sizeof(keys), "/%s", words.items[i]);
        snprintf(line, sizeof(line), "› /%s", words.items[i]);
        pty_case_type(s, keys, line);
        pty_case_type(s, "\r", several);
        if (!pty_case_sees(s, line))
            fail_msg("%s did not stay", keys);
        vt_type(s->vt, "\003"); /* Ctrl+C clears the line. */
        vt_wait_no_text(s->vt, several);
        vt_wait_no_text(s->vt, line);
    }
    pty_case_lacks(s, "there is no command");
    sf_strlist_release(&words);
}

/* What each line and its keys lead to. */
static void test_enter(void **state)
{
    static const struct {
        const char *name, *keys, *then;
    } cases[] = {
        { "a command that is written out", "/status\r", "Limits of this run" },
        { "the only one that begins so", "/cos\r", "Cost of this session" },
        { "chosen with the arrow keys", "/st" DOWN "\r", "Limits of this run" },
        { "chosen from below", "/st" UP UP UP UP "\r", "Limits of this run" },
        { "completed, then sent", "/st\t\r", "Limits of this run" },
        { "an alias", "/usage\r", "Cost of this session" },
        { "the beginning of an alias", "/usa\r", "Cost of this session" },
        { "the cursor in the middle of the name", "/status\033[D\033[D\r", "Limits of this run" },
    };
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        pty_case_type(s, cases[i].keys, cases[i].then);
        vt_type(s->vt, "\033[27u");
        vt_wait_no_text(s->vt, cases[i].then);
    }
}

/* A command that needs an argument is completed; letters spread over a name are no beginning. */
static void test_not_sent(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "/rena\r", "› /rename");
    pty_case_type(s, "x", "› /rename x");
    pty_case_lacks(s, "there is no command");
    vt_type(s->vt, "\003");
    vt_wait_no_text(s->vt, "› /rename");
    pty_case_type(s, "/sf\r", "there is no command /sf");
    vt_wait_text(s->vt, "/mode, /control, /steer");
}

/* A path behind a command is no command. */
static void test_arguments(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "/export md /st", "› /export md /st");
    pty_case_lacks(s, "session, model, axes");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, pty_case_setup, pty_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_several_run_nothing),
        CASE(test_enter),
        CASE(test_not_sent),
        CASE(test_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
