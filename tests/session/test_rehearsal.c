/*
 * A change that cannot be made is the model's to mend: it hears of it at once, and nobody is asked.
 * What may not be read unasked is not looked into for that, and what was approved is planned again
 * from the files as they are by then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"

/* Every change is asked about; reading is free but for one directory. */
#define ASKING                                                                                 \
    "[guard]\nask = [\"tool:Edit\", \"tool:MultiEdit\", \"tool:Write\", \"tool:ApplyPatch\", " \
    "\"path:hidden/\"]\n"

#define EDIT(path, was, new) \
    "Edit {\"file_path\": \"" path "\", \"old_string\": \"" was "\", \"new_string\": \"" new "\"}"
#define MULTI(path, was, new)                                                          \
    "MultiEdit {\"file_path\": \"" path "\", \"edits\": [{\"old_string\": \"alpha\", " \
    "\"new_string\": \"delta\"}, {\"old_string\": \"" was "\", \"new_string\": \"" new "\"}]}"
#define PATCH(text) "ApplyPatch {\"patch\": \"*** Begin Patch\\n" text "\\n*** End Patch\\n\"}"

static const struct {
    const char *name, *call;
    int asks;
    const char *has; /* in what the model hears */
} cases[] = {
    { "an edit that fits is asked about", EDIT("list.txt", "alpha", "x"), 1, "user refused" },
    { "text that is not there", EDIT("list.txt", "absent", "x"), 0, "is not in the file" },
    { "text that is there twice", EDIT("list.txt", "beta", "x"), 0, "2 times" },
    { "a file nobody read", EDIT("unread.txt", "alpha", "x"), 0, "has not been read yet" },
    { "a file that is not there", EDIT("lost.txt", "alpha", "x"), 0, "lost.txt" },
    { "a new file", EDIT("fresh.txt", "", "x"), 1, "user refused" },
    { "the second of several edits", MULTI("list.txt", "absent", "x"), 0, "is not in the file" },
    { "several that fit", MULTI("list.txt", "delta", "x"), 1, "user refused" },
    { "overwriting what nobody read", "Write {\"file_path\": \"unread.txt\", \"content\": \"x\"}",
      0, "has not been read" },
    { "overwriting what was read", "Write {\"file_path\": \"list.txt\", \"content\": \"x\"}", 1,
      "user refused" },
    { "a patch that does not fit", PATCH("*** Update File: list.txt\\n@@\\n-absent\\n+x"), 0,
      "nothing was changed" },
    { "a patch that adds what is there", PATCH("*** Add File: list.txt\\n+x"), 0, "is there" },
    { "a patch that deletes what is not", PATCH("*** Delete File: lost.txt"), 0, "lost.txt" },
    { "a patch that fits", PATCH("*** Update File: list.txt\\n@@\\n-alpha\\n+x"), 1,
      "user refused" },
    { "a patch that deletes", PATCH("*** Delete File: unread.txt"), 1, "user refused" },
    { "what is not read unasked is not looked into", EDIT("hidden/key", "absent", "x"), 1,
      "user refused" },
    { "nor with other files", PATCH("*** Update File: hidden/key\\n@@\\n-absent\\n+x"), 1,
      "user refused" },
    { "nor through a link", EDIT("way", "absent", "x"), 1, "user refused" },
};

static void expect_list(struct session_case *c, const char *want)
{
    char *path = test_path(c->workspace.root, "list.txt"), *text;
    size_t len;

    text = test_read(path, &len);
    assert_string_equal(text, want);
    free(text);
    free(path);
}

static void use_patches(struct session_case *c, bool patches)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *toml = patches ? "[models.scripted.\"test-model\"]\npatches = true\n" : "";

    sf_catalog_free(c->catalog);
    c->catalog = sf_catalog_new(toml, strlen(toml), &err);
    assert_non_null(c->catalog);
}

static void fill(struct session_case *c)
{
    char *link = test_path(c->workspace.root, "way");

    tree_puts(c->workspace.root, "list.txt", "alpha\nbeta\nbeta\n");
    tree_puts(c->workspace.root, "unread.txt", "alpha\n");
    tree_puts(c->workspace.root, "hidden/key", "sesame\n");
    assert_true(symlink("hidden/key", link) == 0 || errno == EEXIST);
    free(link);
}

/* The model reads list.txt, then makes the call. */
static void begin(struct session_case *c, const char *call)
{
    static const char *const tools[] = { "Edit", "MultiEdit", "ApplyPatch" };
    struct sf_strbuf scenario = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(tools); i++)
        if (!sf_strlist_has(&c->tools, tools[i]))
            sf_strlist_add(&c->tools, tools[i]);
    fill(c);
    use_patches(c, !strncmp(call, "ApplyPatch", strlen("ApplyPatch")));
    sf_strbuf_addf(&scenario,
                   "reply\n    call Read {\"file_path\": \"list.txt\"}\n"
                   "reply\n    call %s\nreply\n    text \"well\"\n",
                   call);
    c->attended = true;
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario.buf);
    session_case_open(c, NULL);
    sf_strbuf_release(&scenario);
}

static void test_cases(void **state)
{
    struct session_case *c = *state;

    session_case_settings(c, ASKING);
    c->reply = SF_REPLY_DENY;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        begin(c, cases[i].call);
        session_case_turn(c, "go");
        if (c->event[SF_EVENT_ASK] != cases[i].asks || !strstr(c->heard.buf, cases[i].has))
            fail_msg("%s: asked %d times, heard\n%s", cases[i].name, c->event[SF_EVENT_ASK],
                     c->heard.buf);
        if (strstr(c->heard.buf, "sesame"))
            fail_msg("%s: the model heard what it may not read", cases[i].name);
        assert_int_equal(c->status, SF_TURN_DONE);
        session_case_check_server(c, cases[i].name);
    }
    expect_list(c, "alpha\nbeta\nbeta\n");
}

/* ---- while the question is open ---- */

struct shown {
    char *planned;
    size_t diff_len; /* of the result */
};

static void note_plan(void *ctx, const struct sf_event *event)
{
    struct shown *shown = ctx;

    if (event->kind == SF_EVENT_ASK && event->ask.planned.text)
        shown->planned = sf_strndup(event->ask.planned.text, event->ask.planned.len);
    if (event->kind == SF_EVENT_RESULT && strcmp(event->call->name, "Read") != 0)
        shown->diff_len = event->result.tool->diff.len;
}

/* Who is asked sees the file as it would be; of what was refused no change is told. */
static void test_plan_is_shown(void **state)
{
    struct session_case *c = *state;
    static const struct {
        const char *call, *shows; /* NULL: nothing, for the file may not be looked into */
    } rows[] = {
        { EDIT("list.txt", "alpha", "x"), "@@ -1,2 +1,2 @@\n-alpha\n+x\n beta\n" },
        { MULTI("list.txt", "delta", "x"), "@@ -1,2 +1,2 @@\n-alpha\n+x\n beta\n" },
        { "Write {\"file_path\": \"list.txt\", \"content\": \"x\"}", "-alpha\n-beta\n-beta\n+x" },
        { "Write {\"file_path\": \"new.txt\", \"content\": \"x\\n\"}", "--- /dev/null\n" },
        { PATCH("*** Update File: list.txt\\n@@\\n-alpha\\n+x"), "-alpha\n+x\n beta\n" },
        { PATCH("*** Delete File: unread.txt"), "+++ /dev/null\n@@ -1 +0,0 @@\n-alpha\n" },
        { "Write {\"file_path\": \"odd.txt\", \"content\": \"a\\r\\n\\u202eb\\u001b\\n\"}",
          "+a\r\n+\xe2\x80\xae"
          "b\x1b\n" }, /* byte for byte: the surface marks what would not be seen */
        { EDIT("hidden/key", "sesame", "x"), NULL },
    };

    session_case_settings(c, ASKING);
    c->reply = SF_REPLY_DENY;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct shown shown = { 0 };

        c->watch = note_plan;
        c->watch_ctx = &shown;
        begin(c, rows[i].call);
        session_case_turn(c, "go");
        if (!rows[i].shows != !shown.planned ||
            (rows[i].shows && !strstr(shown.planned, rows[i].shows)))
            fail_msg("%s:\n%s", rows[i].call, shown.planned);
        assert_int_equal(shown.diff_len, 0);
        free(shown.planned);
    }
}

static void change_when_asked(void *ctx, const struct sf_event *event)
{
    struct session_case *c = ctx;

    if (event->kind == SF_EVENT_ASK)
        tree_puts(c->workspace.root, "list.txt", "another's\n");
}

static void test_approved_is_planned_again(void **state)
{
    struct session_case *c = *state;
    static const char *const calls[] = {
        EDIT("list.txt", "alpha", "x"),
        "Write {\"file_path\": \"list.txt\", \"content\": \"x\"}",
        PATCH("*** Update File: list.txt\\n@@\\n-alpha\\n+x"),
    };

    session_case_settings(c, ASKING);
    c->reply = SF_REPLY_ONCE;
    c->watch = change_when_asked;
    c->watch_ctx = c;
    for (size_t i = 0; i < SF_COUNT(calls); i++) {
        begin(c, calls[i]);
        session_case_turn(c, "go");
        assert_int_equal(c->event[SF_EVENT_ASK], 1);
        expect_list(c, "another's\n");
    }
}

static void cancel_when_judged(void *ctx, const struct sf_event *event)
{
    struct session_case *c = ctx;

    if (event->kind == SF_EVENT_VERDICT && !strcmp(event->call->name, "Edit"))
        sf_session_cancel(c->session);
}

static void test_stopped_meanwhile(void **state)
{
    struct session_case *c = *state;

    session_case_settings(c, ASKING);
    c->watch = cancel_when_judged;
    c->watch_ctx = c;
    begin(c, EDIT("list.txt", "alpha", "x"));
    session_case_turn(c, "go");
    assert_int_equal(c->status, SF_TURN_CANCELLED);
    assert_int_equal(c->event[SF_EVENT_ASK], 0);
    assert_non_null(strstr(c->heard.buf, "the turn was stopped"));
    session_case_check_history(c, "stopped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_plan_is_shown, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_approved_is_planned_again, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_stopped_meanwhile, session_case_setup,
                                        session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
