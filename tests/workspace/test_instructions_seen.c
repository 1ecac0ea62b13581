/*
 * Which instructions were seen: what changed or is new is held back and the old text stands, until
 * what was shown is accepted.
 */
#include "base/base.h"
#include "support/test.h"
#include "workspace/workspace.h"

static void add(struct sf_instructions *to, const char *name, const char *text, bool workspace)
{
    to->items = sf_grow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
    to->items[to->count++] = (struct sf_instruction){ .name = sf_strdup(name),
                                                      .text = sf_strdup(text),
                                                      .workspace = workspace };
}

/* Reads `text` as AGENTS.md, beside a file of the user's own; says what is used and what is held. */
static void look(const char *dir, const char *text, const char *used, const char *held)
{
    struct sf_instructions now = SF_INSTRUCTIONS_INIT, back = SF_INSTRUCTIONS_INIT;
    struct sf_strlist notes = SF_STRLIST_INIT;

    add(&now, "AGENTS.md (yours)", text, false);
    if (text)
        add(&now, "AGENTS.md", text, true);
    sf_instructions_hold(dir, &now, &back, &notes);
    assert_string_equal(now.items[0].text, text); /* what is the user's is the user's */
    assert_int_equal(now.count, used ? 2 : 1);
    if (used)
        assert_string_equal(now.items[1].text, used);
    assert_int_equal(back.count, held != NULL);
    assert_int_equal(notes.count, held != NULL);
    if (held)
        assert_string_equal(back.items[0].text, held);
    sf_instructions_release(&now);
    sf_instructions_release(&back);
    sf_strlist_release(&notes);
}

static void accept(const char *dir, const char *name, const char *text)
{
    struct sf_instructions shown = SF_INSTRUCTIONS_INIT;
    struct sf_error err = SF_ERROR_INIT;

    add(&shown, name, text, true);
    if (!sf_instructions_accept(dir, &shown, &err))
        fail_msg("%s", err.msg);
    sf_instructions_release(&shown);
}

static void test_changed(void **state)
{
    const char *dir = *state;
    struct sf_instructions held = SF_INSTRUCTIONS_INIT;
    struct sf_strbuf diff = SF_STRBUF_INIT;

    look(dir, "one\n", "one\n", NULL); /* the first time here */
    look(dir, "one\n", "one\n", NULL);
    look(dir, "one\ntwo\n", "one\n", "one\ntwo\n");
    add(&held, "AGENTS.md", "one\ntwo\n", true);
    sf_instructions_diff(dir, &held, &diff);
    assert_non_null(strstr(diff.buf, "+two"));
    accept(dir, "AGENTS.md", "one\ntwo\n");
    look(dir, "one\ntwo\n", "one\ntwo\n", NULL);
    look(dir, "three\n", "one\ntwo\n", "three\n");
    accept(dir, "AGENTS.md", "four\n"); /* what was shown is not what is there by now */
    look(dir, "three\n", "four\n", "three\n");
    sf_instructions_release(&held);
    sf_strbuf_release(&diff);
}

static void test_new(void **state)
{
    const char *dir = *state;

    accept(dir, "sub/AGENTS.md", "x\n");
    look(dir, "one\n", NULL, "one\n");
}

/* A record that cannot be read has seen nothing. */
static void test_damaged(void **state)
{
    const char *dir = *state;
    char *path = test_path(dir, "instructions.json");

    look(dir, "one\n", "one\n", NULL);
    test_write(path, "{\"AGENTS", 8);
    look(dir, "one\n", NULL, "one\n");
    free(path);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, test_dir_setup, test_dir_teardown)
    const struct CMUnitTest tests[] = { CASE(test_changed), CASE(test_new), CASE(test_damaged) };

    return cmocka_run_group_tests_name("instructions_seen", tests, NULL, NULL);
}
