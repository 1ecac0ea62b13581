/*
 * Drafts and the list of files at the port: what is being written is found by who resumes, and the
 * names for completion come from a worker.
 */
#include <string.h>

#include "io/io.h"
#include "support/port_case.h"
#include "support/test.h"

enum { MAX = 4096 };

static void keep(struct port_case *c, const char *text)
{
    sf_port_draft_keep(c->port, text, strlen(text));
}

static void expect_draft(struct port_case *c, const char *text)
{
    char id[SF_ID_LEN + 1];

    sf_port_draft_settle(c->port);
    snprintf(id, sizeof(id), "%s", sf_port_session(c->port));
    port_case_open(c, id);
    assert_string_equal(sf_port_draft_load(c->port, MAX)->buf, text);
}

/* Of several that come one after the other the last one stays. */
static void test_kept(void **state)
{
    struct port_case *c = *state;

    port_case_open(c, NULL);
    keep(c, "one");
    keep(c, "one two");
    keep(c, "one two three");
    expect_draft(c, "one two three");
    sf_port_draft_drop(c->port);
    expect_draft(c, "");
}

/* Who closes the port at once loses nothing. */
static void test_closed_at_once(void **state)
{
    struct port_case *c = *state;
    char id[SF_ID_LEN + 1];

    port_case_open(c, NULL);
    snprintf(id, sizeof(id), "%s", sf_port_session(c->port));
    keep(c, "in a hurry");
    port_case_open(c, id);
    assert_string_equal(sf_port_draft_load(c->port, MAX)->buf, "in a hurry");
}

/* A session in which nothing was said leaves its draft to the next new one. */
static void test_claimed(void **state)
{
    struct port_case *c = *state;

    port_case_open(c, NULL);
    keep(c, "to be continued");
    port_case_open(c, NULL);
    assert_int_equal(sf_port_draft_load(c->port, MAX)->len, 0);
    assert_true(sf_port_draft_claim(c->port));
    assert_string_equal(sf_port_draft_load(c->port, MAX)->buf, "to be continued");
    assert_false(sf_port_draft_claim(c->port));
}

/* Words of the queue leave it once they are kept as a draft. */
static void test_from_queue(void **state)
{
    struct port_case *c = *state;
    const struct sf_response *draft;

    port_case_open(c, NULL);
    assert_true(sf_port_queue_add(c->port, "from the queue"));
    port_case_line(c, "/queue edit 1");
    draft = port_case_said(c, SF_RESPONSE_DRAFT);
    sf_port_draft_keep_queued(c->port, draft->text.buf, draft->text.len, draft->queued);
    expect_draft(c, "from the queue");
    assert_int_equal(sf_port_queue(c->port)->count, 0);
}

/* ---- files ---- */

struct names {
    struct sf_strlist list;
    bool done;
};

static void add_name(void *ctx, const char *path, size_t len)
{
    struct names *names = ctx;

    sf_strlist_addf(&names->list, "%.*s", (int)len, path);
}

static void names_done(void *ctx)
{
    ((struct names *)ctx)->done = true;
}

static void test_files(void **state)
{
    struct port_case *c = *state;
    struct names names = { .list = SF_STRLIST_INIT };
    const struct sf_file_list_wish wish = { add_name, names_done, &names };
    char *path = test_path(c->parts->workspace.root, "hello.c");

    test_write(path, "", 0);
    free(path);
    port_case_open(c, NULL);
    sf_port_list_files(c->port, &wish);
    while (!names.done)
        sf_loop_turn(c->parts->loop, 1000);
    assert_int_equal(names.list.count, 1);
    assert_string_equal(names.list.items[0], "hello.c");
    names.done = false;
    sf_file_list_cancel(sf_port_list_files(c->port, &wish));
    while (!names.done) /* also one that was stopped ends once */
        sf_loop_turn(c->parts->loop, 1000);
    sf_strlist_release(&names.list);
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_kept),       CASE(test_closed_at_once), CASE(test_claimed),
        CASE(test_from_queue), CASE(test_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
