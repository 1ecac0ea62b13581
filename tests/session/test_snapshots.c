/*
 * Turns and the files they change: a snapshot before the first change and one after the turn, none
 * for turns that only read; the scope of shell commands, looked at afterwards; the model's own way
 * back, and the undo and redo of surfaces.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"
#include "support/undo_case.h"

/* ---- the workspace and its rows ---- */

static void fill(struct session_case *c)
{
    tree_puts(c->workspace.root, ".gitignore", "build/\n*.secret\n");
    tree_puts(c->workspace.root, "src/a.txt", "one\n");
    tree_puts(c->workspace.root, "src/b.txt", "one\n");
    tree_puts(c->workspace.root, "tests/t.txt", "test\n");
    tree_puts(c->workspace.root, "build/out", "old\n");
    tree_puts(c->workspace.root, "my.secret", "mine\n");
    free(tree_run(c->workspace.root,
                  "git init -q && git add -A && git -c user.name=t -c user.email=t@t "
                  "commit -qm first",
                  NULL));
}

static void serve(struct session_case *c, const char *scenario)
{
    static const char *const tools[] = { "Bash",       "BashOutput", "Edit",
                                         "RevertTurn", "Agent",      "ChangeToolMode" };

    for (size_t i = 0; i < SF_COUNT(tools) && !sf_strlist_has(&c->tools, tools[i]); i++)
        sf_strlist_add(&c->tools, tools[i]);
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
}

/* The end of the session waits for what it still has to keep. */
static void hang_up(struct session_case *c)
{
    session_case_check_history(c, "at the end");
    session_case_check_server(c, "at the end");
    sf_session_close(c->session);
    c->session = NULL;
}

static bool add_kind(void *ctx, const struct sf_snapshot_row *row)
{
    struct sf_strbuf *out = ctx;

    sf_strbuf_addf(out, "%s(%s) ", row->kind, row->label);
    return true;
}

/* The kinds with their labels, newest first. */
static void expect_rows(struct session_case *c, const char *want)
{
    const struct sf_snapshot_filter filter = { .worktree = c->workspace.root };
    struct sf_strbuf is = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_each_snapshot(c->store, &filter, add_kind, &is, &err));
    if (strcmp(is.buf, want) != 0)
        fail_msg("rows are %s, want %s", is.buf, want);
    sf_strbuf_release(&is);
}

static void expect_heard(struct session_case *c, const char *words)
{
    if (!strstr(c->heard.buf, words))
        fail_msg("\"%s\" was not heard in\n%s", words, c->heard.buf);
}

static void expect_silence(struct session_case *c, const char *words)
{
    if (strstr(c->heard.buf, words))
        fail_msg("\"%s\" was heard in\n%s", words, c->heard.buf);
}

static bool find_event(const struct sf_event_row *event, void *ctx)
{
    struct sf_strbuf *out = ctx;

    sf_strbuf_add(out, event->json, event->len);
    return true;
}

static void expect_event(struct session_case *c, const char *kind, const char *words)
{
    const struct sf_event_filter filter = { .kind = kind };
    struct sf_strbuf all = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_store_each_event(c->store, &filter, find_event, &all, &err));
    if (!strstr(all.buf, words))
        fail_msg("no event %s has \"%s\": %s", kind, words, all.buf);
    sf_strbuf_release(&all);
}

/* ---- turns ---- */

static void test_one_before_one_after(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, "reply\n    call Read {\"file_path\":\"src/a.txt\"}\n"
             "reply\n    call Edit "
             "{\"file_path\":\"src/a.txt\",\"old_string\":\"one\",\"new_string\":\"two\"}\n"
             "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\\n\"}\n"
             "reply\n    call Bash {\"command\":\"mkdir src/d && rm src/b.txt\"}\n"
             "reply\n    text \"done\"\n");
    c->attended = true;
    session_case_open(c, NULL);
    session_case_turn(c, "change it\nand more");
    hang_up(c);
    expect_rows(c, "after(change it) before(change it) ");
    undo_case_expect(c, "src/a.txt", "two\n");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/a.txt", "one\n");
    undo_case_expect(c, "src/b.txt", "one\n");
    undo_case_expect(c, "src/c.txt", NULL);
    undo_case_expect(c, "src/d", NULL);
    undo_case_redo(c);
    undo_case_expect(c, "src/a.txt", "two\n");
    undo_case_expect(c, "src/b.txt", NULL);
    undo_case_expect(c, "src/c.txt", "new\n");
}

static void test_only_reads(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, "reply\n    call Read {\"file_path\":\"src/a.txt\"}\n    call Bash "
             "{\"command\":\"cat src/b.txt | wc -l\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "look");
    hang_up(c);
    expect_rows(c, "");
}

static void test_switched_off(void **state)
{
    struct session_case *c = *state;

    fill(c);
    session_case_settings(c, "[network]\nretries = 0\n[snapshots]\nenabled = false\n");
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "write");
    hang_up(c);
    expect_rows(c, "");
    undo_case_expect(c, "src/c.txt", "new");
}

/* Ignored files come along as soon as a tool touches them, made ones go again. */
static void test_ignored_files(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    call Read {\"file_path\":\"build/out\"}\n"
             "reply\n    call Write {\"file_path\":\"build/out\",\"content\":\"edited\\n\"}\n"
             "reply\n    call Write {\"file_path\":\"build/made\",\"content\":\"made\\n\"}\n"
             "reply\n    text \"done\"\n"
             "reply\n    call Bash {\"command\":\"echo more >> build/out\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "first");
    session_case_turn(c, "second");
    undo_case_expect(c, "build/out", "edited\nmore\n");
    hang_up(c);
    expect_rows(c, "after(second) before(second) after(first) before(first) ");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "build/out", "edited\n");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "build/out", "old\n");
    undo_case_expect(c, "build/made", NULL);
    undo_case_expect(c, "src/c.txt", NULL);
    undo_case_redo(c);
    undo_case_redo(c);
    undo_case_expect(c, "build/out", "edited\nmore\n");
    undo_case_expect(c, "build/made", "made\n");
}

/* A turn that might have changed files and did not is none to go back over. */
static void test_turn_without_changes_is_passed_over(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    text \"done\"\n"
             "reply\n    call Bash {\"command\":\"touch src/a.txt\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "first");
    session_case_turn(c, "second");
    hang_up(c);
    expect_rows(c, "after(second) before(second) after(first) before(first) ");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/c.txt", NULL);
    undo_case_redo(c);
    undo_case_expect(c, "src/c.txt", "new");
}

static void test_sub_agents(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, "reply\n    call Agent {\"prompt\":\"write it\",\"description\":\"write\"}\n"
             "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"child\"}\n"
             "reply\n    text \"written\"\n"
             "reply\n    call Write {\"file_path\":\"src/d.txt\",\"content\":\"parent\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "delegate");
    hang_up(c);
    expect_rows(c, "after(delegate) before(delegate) ");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/c.txt", NULL);
    undo_case_expect(c, "src/d.txt", NULL);
}

/* What people change between turns is theirs. */
static void test_own_changes(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "write");
    hang_up(c);
    tree_puts(c->workspace.root, "src/b.txt", "mine\n");
    tree_puts(c->workspace.root, "src/c.txt", "mine too\n");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/b.txt", "mine\n");
    undo_case_expect(c, "src/c.txt", "mine too\n");
}

static void test_home_is_refused(void **state)
{
    struct session_case *c = *state;

    fill(c);
    assert_int_equal(setenv("HOME", c->workspace.root, 1), 0);
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    call Write {\"file_path\":\"src/d.txt\",\"content\":\"new\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "write");
    assert_int_equal(c->event[SF_EVENT_NOTICE], 1);
    expect_heard(c, "it is your home directory");
    expect_heard(c, "cannot be put back");
    hang_up(c);
    expect_rows(c, "");
    undo_case_expect(c, "src/d.txt", "new");
}

/* The oldest go first; a session that somebody talks in keeps its own. */
static void test_budget(void **state)
{
    struct session_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_lock lock = SF_LOCK_INIT;
    char *locks = test_path(c->state_dir, "locks"), *path;

    fill(c);
    session_case_settings(c, "[network]\nretries = 0\n[snapshots]\nmax_count = 4\n");
    serve(c, "loop\nreply\n    call Bash {\"command\":\"echo x >> src/a.txt\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "one");
    path = test_path(locks, sf_session_id(c->session));
    hang_up(c);
    assert_true(sf_lock_take(path, 0, &lock, &err));
    session_case_open(c, NULL);
    session_case_turn(c, "two");
    hang_up(c);
    session_case_open(c, NULL);
    session_case_turn(c, "three");
    hang_up(c);
    expect_rows(c, "after(three) before(three) after(one) before(one) ");
    sf_lock_drop(&lock);
    session_case_open(c, NULL);
    session_case_turn(c, "four");
    hang_up(c);
    expect_rows(c, "after(four) before(four) after(three) before(three) ");
    free(path);
    free(locks);
}

/* ---- stopping ---- */

static void stop_at_call(void *ctx, const struct sf_event *t)
{
    struct session_case *c = ctx;

    if (t->kind == SF_EVENT_VERDICT)
        sf_session_cancel(c->session);
}

static void test_cancelled_while_keeping(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    call Write {\"file_path\":\"src/d.txt\",\"content\":\"new\"}\n"
             "reply\n    text \"done\"\n");
    c->watch = stop_at_call;
    c->watch_ctx = c;
    session_case_turn(c, "write");
    assert_int_equal(c->status, SF_TURN_CANCELLED);
    undo_case_expect(c, "src/c.txt", NULL);
    session_case_check_history(c, "cancelled");
    c->watch = NULL;
    session_case_turn(c, "go on");
    assert_int_equal(c->status, SF_TURN_DONE);
    hang_up(c);
    expect_rows(c, "after(go on) before(go on) ");
}

/* ---- the scope ---- */

static const char outside[] = "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n"
                              "reply\n    text \"done\"\n";

/* No reader of commands sees what a script does. */
static void put_script(struct session_case *c)
{
    fill(c);
    tree_puts(c->workspace.root, "src/job.sh",
              "echo x > tests/t.txt; echo x > tests/new; echo x > src/a.txt; echo x > build/out\n"
              "rm -f src/b.txt; chmod 755 .gitignore\n");
}

static void test_scope_put_back(void **state)
{
    struct session_case *c = *state;

    put_script(c);
    c->scope = "implement";
    c->attended = true;
    serve(c, outside);
    session_case_turn(c, "build");
    undo_case_expect(c, "tests/t.txt", "test\n");
    undo_case_expect(c, "tests/new", NULL);
    undo_case_expect(c, "src/a.txt", "x\n");
    undo_case_expect(c, "src/b.txt", NULL);
    undo_case_expect(c, "build/out", "x\n");
    expect_heard(c, "3 paths are not writable in scope implement (writable: src/, lib/) and were "
                    "put back");
    expect_heard(c, "  changed tests/t.txt\n");
    expect_heard(c, "  made tests/new\n");
    expect_heard(c, "  changed .gitignore\n");
    expect_heard(c, "3 outside the scope put back");
    hang_up(c);
    expect_rows(c,
                "after(build) edit(written outside scope implement: sh src/job.sh) before(build) ");
}

static const struct {
    const char *name, *settings, *scope, *heard, *test;
} lenient[] = {
    { "report", "[network]\nretries = 0\n[guard]\nshell_scope = \"report\"\n", "implement",
      "changed all the same", "x\n" },
    { "off", "[network]\nretries = 0\n[guard]\nshell_scope = \"off\"\n", "implement", NULL, "x\n" },
    { "free", "[network]\nretries = 0\n", "free", NULL, "x\n" },
};

static void test_scope_lenient(void **state)
{
    struct session_case *c = *state;

    put_script(c);
    c->attended = true;
    for (size_t i = 0; i < SF_COUNT(lenient); i++) {
        tree_puts(c->workspace.root, "tests/t.txt", "test\n");
        sf_session_close(c->session);
        c->session = NULL;
        sf_config_free(c->config);
        c->config = sf_config_new();
        session_case_settings(c, lenient[i].settings);
        c->scope = lenient[i].scope;
        serve(c, outside);
        session_case_turn(c, "build");
        undo_case_expect(c, "tests/t.txt", lenient[i].test);
        if (lenient[i].heard)
            expect_heard(c, lenient[i].heard);
        else
            expect_silence(c, "not writable");
        hang_up(c);
    }
}

/* Only this command's doings: what was changed since the turn's first snapshot stays. */
static void write_meanwhile(void *ctx, const struct sf_event *t)
{
    struct session_case *c = ctx;

    if (t->kind == SF_EVENT_RESULT && strstr(t->result.tool->text.buf, "first"))
        tree_puts(c->workspace.root, "tests/t.txt", "by the user\n");
}

static void test_scope_and_people(void **state)
{
    struct session_case *c = *state;

    put_script(c);
    c->scope = "implement";
    c->attended = true;
    c->watch = write_meanwhile;
    tree_puts(c->workspace.root, "src/first.sh", "echo first; echo y > src/a.txt\n");
    tree_puts(c->workspace.root, "src/second.sh", "echo y > tests/t.txt\n");
    c->watch_ctx = c;
    serve(c, "reply\n    call Bash {\"command\":\"sh src/first.sh\"}\n"
             "reply\n    call Bash {\"command\":\"sh src/second.sh\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "build");
    undo_case_expect(c, "tests/t.txt", "by the user\n");
    undo_case_expect(c, "src/a.txt", "y\n");
    expect_heard(c, "1 path is not writable in scope implement");
    hang_up(c);
}

static const char wait_script[] =
    "until test -e src/go; do sleep 0.05; done; echo y > tests/t.txt; echo y > tests/n.txt\n";

static void put_job(struct session_case *c)
{
    fill(c);
    tree_puts(c->workspace.root, "src/wait.sh", wait_script);
    c->scope = "implement";
    c->attended = true;
}

static void test_scope_in_background(void **state)
{
    struct session_case *c = *state;

    put_job(c);
    serve(c, "reply\n    call Bash {\"command\":\"sh src/wait.sh\",\"run_in_background\":true}\n"
             "reply\n    call Write {\"file_path\":\"src/go\",\"content\":\"go\"}\n"
             "reply\n    call BashOutput {\"id\":1,\"wait_ms\":240000}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "serve");
    expect_heard(c, "what the job writes elsewhere is found when it has ended");
    expect_heard(c, "[sf] Background job 1: 2 paths are not writable in scope implement");
    expect_heard(c, "and were put back as before the job:\n  made tests/n.txt\n  changed tests/t");
    expect_heard(c, "background job 1 changed 2 paths outside scope implement, 2 put back");
    undo_case_expect(c, "tests/t.txt", "test\n");
    undo_case_expect(c, "tests/n.txt", NULL);
    undo_case_expect(c, "src/go", "go");
    hang_up(c);
    expect_event(c, "scope_audit", "tests/n.txt");
}

/* Nobody asked for the job: what it wrote is found nevertheless. */
static void test_scope_of_a_job_nobody_asks_about(void **state)
{
    struct session_case *c = *state;

    put_job(c);
    tree_puts(c->workspace.root, "src/wait.sh",
              "until test -e src/go; do sleep 0.05; done; echo y > tests/t.txt; "
              "echo n > tests/n.txt; touch src/wrote\n");
    tree_puts(c->workspace.root, "src/until.sh", "until test -e src/wrote; do sleep 0.05; done\n");
    serve(c, "reply\n    call Bash {\"command\":\"sh src/wait.sh\",\"run_in_background\":true}\n"
             "reply\n    call Write {\"file_path\":\"src/go\",\"content\":\"go\"}\n"
             "reply\n    call Bash {\"command\":\"sh src/until.sh\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "serve");
    hang_up(c);
    expect_event(c, "scope_audit", "tests/t.txt");
    expect_event(c, "scope_audit", "tests/n.txt");
}

static bool was_said(struct session_case *c, const char *words)
{
    const struct sf_history *h = sf_session_history(c->session);

    for (size_t i = 0; i < h->count; i++)
        for (size_t k = 0; k < h->messages[i].count; k++)
            if (h->messages[i].blocks[k].text && strstr(h->messages[i].blocks[k].text, words))
                return true;
    return false;
}

/* After the turn others work here too: what they write is theirs, what the job writes its own. */
static void test_scope_of_a_job_that_outlives_its_turn(void **state)
{
    struct session_case *c = *state;
    static const char words[] = "2 paths are not writable in scope implement";

    put_job(c);
    serve(c, "reply\n    call Bash {\"command\":\"sh src/wait.sh\",\"run_in_background\":true}\n"
             "reply\n    text \"done\"\n"
             "reply\n    call BashOutput {\"id\":1,\"wait_ms\":240000}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "serve");
    expect_silence(c, "Background job");
    tree_puts(c->workspace.root, "tests/mine.txt", "mine\n");
    tree_puts(c->workspace.root, "src/go", "go\n");
    session_case_turn(c, "and now?");
    assert_true(was_said(c, words));
    expect_heard(c, "background job 1 changed 2 paths outside scope implement, 2 put back");
    undo_case_expect(c, "tests/t.txt", "test\n");
    undo_case_expect(c, "tests/n.txt", NULL);
    undo_case_expect(c, "tests/mine.txt", "mine\n");
    hang_up(c);
}

/* The session ends with the job: what it had written was found and told, by then at the latest. */
static void test_scope_of_a_job_at_the_end(void **state)
{
    struct session_case *c = *state;

    put_job(c);
    tree_puts(c->workspace.root, "src/wait.sh",
              "echo y > tests/t.txt; touch src/wrote; until test -e src/go; do sleep 0.05; done\n");
    tree_puts(c->workspace.root, "src/until.sh",
              "until test -e src/wrote; do sleep 0.05; done; echo x > src/x\n");
    serve(c, "reply\n    call Bash {\"command\":\"sh src/wait.sh\",\"run_in_background\":true}\n"
             "reply\n    call Bash {\"command\":\"sh src/until.sh\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "serve");
    hang_up(c);
    expect_event(c, "scope_audit", "tests/t.txt");
}

/* ---- what cannot be put back ---- */

static void test_scope_heading(void **state)
{
    struct session_case *c = *state;

    fill(c);
    tree_puts(c->workspace.root, "src/job.sh", "rm tests/big; echo x > tests/t.txt\n");
    tree_puts(c->workspace.root, "src/big.sh", "truncate -s 13M tests/big\n");
    free(tree_run(c->workspace.root, "truncate -s 11M tests/big", NULL));
    c->scope = "implement";
    c->attended = true;
    serve(c, "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n"
             "reply\n    call Bash {\"command\":\"sh src/big.sh\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "build");
    expect_heard(c, "; 1 was put back as before the command, 1 left:\n"
                    "  removed tests/big  (not put back: too large)\n  changed tests/t.txt\n");
    expect_heard(c, "2 outside the scope, 1 put back");
    expect_heard(c, "1 path is not writable in scope implement (writable: src/, lib/) and was "
                    "left as it is now:\n  made tests/big  (not put back: too");
    undo_case_expect(c, "tests/t.txt", "test\n");
    hang_up(c);
}

/* Rules that a turn writes hide nothing of what it did from its undo. */
static void test_hidden_by_the_turn(void **state)
{
    struct session_case *c = *state;

    fill(c);
    tree_puts(c->workspace.root, "src/job.sh",
              "echo 'src/evil*' >> .git/info/exclude; echo x > src/evil.txt; echo x > src/a.txt\n");
    c->attended = true;
    serve(c, outside);
    session_case_turn(c, "build");
    hang_up(c);
    undo_case_expect(c, "src/evil.txt", "x\n");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/evil.txt", NULL);
    undo_case_expect(c, "src/a.txt", "one\n");
    undo_case_redo(c);
    undo_case_expect(c, "src/evil.txt", "x\n");
}

/* Between turns people work too, and one that was cut short cannot say what was its own. */
static void test_own_changes_between_turns(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    text \"done\"\n"
             "reply\n    call Bash {\"command\":\"echo 2 > src/c.txt; echo 2 > src/d.txt\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "first");
    hang_up(c);
    tree_puts(c->workspace.root, "src/b.txt", "mine\n");
    tree_puts(c->workspace.root, "src/own.txt", "mine\n");
    session_case_open(c, NULL);
    session_case_turn(c, "second");
    hang_up(c);
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/c.txt", "new");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/c.txt", NULL);
    undo_case_expect(c, "src/d.txt", NULL);
    undo_case_expect(c, "src/b.txt", "mine\n");
    undo_case_expect(c, "src/own.txt", "mine\n");
}

static void test_scope_unchecked(void **state)
{
    struct session_case *c = *state;

    put_script(c);
    assert_int_equal(setenv("HOME", c->workspace.root, 1), 0);
    c->scope = "implement";
    c->attended = true;
    serve(c, outside);
    session_case_turn(c, "build");
    expect_heard(c, "was not checked: no snapshots of");
    hang_up(c);
}

/* ---- RevertTurn ---- */

static const char revert[] =
    "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
    "reply\n    text \"done\"\n"
    "reply\n    call RevertTurn {}\n"
    "reply\n    text \"done\"\n";

static void test_revert_allowed(void **state)
{
    struct session_case *c = *state;

    fill(c);
    c->attended = true;
    serve(c, revert);
    session_case_turn(c, "write");
    session_case_turn(c, "take it back");
    assert_int_equal(c->event[SF_EVENT_ASK], 1);
    expect_heard(c, "  - src/c.txt\n0 added, 0 changed, 1 removed\n");
    expect_heard(c, "Put back: 0 added, 0 changed, 1 removed");
    undo_case_expect(c, "src/c.txt", NULL);
    hang_up(c);
    expect_rows(c, "after(after going back to snapshot 1) restore(before going back to snapshot 1) "
                   "after(write) before(write) ");
    undo_case_redo(c);
    undo_case_expect(c, "src/c.txt", "new");
}

static void test_revert_denied(void **state)
{
    struct session_case *c = *state;

    fill(c);
    c->attended = true;
    c->reply = SF_REPLY_DENY;
    serve(c, revert);
    session_case_turn(c, "write");
    session_case_turn(c, "take it back");
    assert_int_equal(c->event[SF_EVENT_ASK], 1);
    expect_heard(c, "The user refused this call");
    undo_case_expect(c, "src/c.txt", "new");
    hang_up(c);
}

static void test_revert_unattended(void **state)
{
    struct session_case *c = *state;

    fill(c);
    serve(c, revert);
    session_case_turn(c, "write");
    session_case_turn(c, "take it back");
    assert_int_equal(c->event[SF_EVENT_ASK], 0);
    expect_heard(c, "Refused: needs a person, by rule revert");
    undo_case_expect(c, "src/c.txt", "new");
    hang_up(c);
}

static void test_revert_the_running_turn(void **state)
{
    struct session_case *c = *state;

    fill(c);
    c->attended = true;
    serve(c, "reply\n    call RevertTurn {}\n"
             "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    call RevertTurn {\"turns\":1}\n"
             "reply\n    call Write {\"file_path\":\"src/d.txt\",\"content\":\"new\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "try");
    expect_heard(c, "no snapshot of this session from before a turn");
    undo_case_expect(c, "src/c.txt", NULL);
    undo_case_expect(c, "src/d.txt", "new");
    hang_up(c);
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/d.txt", NULL);
}

/* What was taken back once is not there to be taken back again: the turn before it is. */
static void test_revert_twice(void **state)
{
    struct session_case *c = *state;

    fill(c);
    c->attended = true;
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"new\"}\n"
             "reply\n    text \"done\"\n"
             "reply\n    call Write {\"file_path\":\"src/d.txt\",\"content\":\"new\"}\n"
             "reply\n    call RevertTurn {\"turns\":1}\n"
             "reply\n    call RevertTurn {\"turns\":1}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "write");
    session_case_turn(c, "write more, and take all of it back");
    undo_case_expect(c, "src/d.txt", NULL);
    undo_case_expect(c, "src/c.txt", NULL);
    hang_up(c);
}

/* ---- diff ---- */

static void test_diff(void **state)
{
    struct session_case *c = *state;
    const struct sf_undo_place place = { .store = c->store, .worktree = c->workspace.root };
    struct sf_undo start = SF_UNDO_INIT;
    struct sf_undo_pair pair = { .max = 10000 };
    struct sf_undo_stat stat;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap *snap;

    fill(c);
    serve(c, "reply\n    call Write {\"file_path\":\"src/c.txt\",\"content\":\"1\\n2\\n\"}\n"
             "reply\n    text \"done\"\n"
             "reply\n    call Bash {\"command\":\"echo 3 >> src/c.txt\"}\n"
             "reply\n    text \"done\"\n");
    session_case_turn(c, "first");
    session_case_turn(c, "second");
    hang_up(c);
    assert_true(sf_undo_start(&place, &start, &err));
    assert_int_equal(start.number, 1);
    pair.from = start.id;
    snap = sf_snap_open(c->state_dir, c->workspace.root, &err);
    assert_true(sf_undo_diff(snap, &pair, &text, &stat, &err));
    assert_int_equal(stat.files, 1);
    assert_int_equal(stat.plus, 3);
    assert_int_equal(stat.minus, 0);
    assert_non_null(strstr(text.buf, "+++ b/src/c.txt"));
    assert_non_null(strstr(text.buf, "+3"));
    sf_snap_close(snap);
    sf_strbuf_release(&text);
    sf_undo_release(&start);
}

static int setup(void **state)
{
    if (session_case_setup(state) != 0)
        return -1;
    session_case_settings(*state, "[snapshots]\nenabled = true\n");
    return 0;
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, session_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_one_before_one_after),
        CASE(test_only_reads),
        CASE(test_switched_off),
        CASE(test_ignored_files),
        CASE(test_turn_without_changes_is_passed_over),
        CASE(test_sub_agents),
        CASE(test_own_changes),
        CASE(test_home_is_refused),
        CASE(test_budget),
        CASE(test_cancelled_while_keeping),
        CASE(test_scope_put_back),
        CASE(test_scope_lenient),
        CASE(test_scope_and_people),
        CASE(test_scope_in_background),
        CASE(test_scope_of_a_job_nobody_asks_about),
        CASE(test_scope_of_a_job_that_outlives_its_turn),
        CASE(test_scope_of_a_job_at_the_end),
        CASE(test_scope_heading),
        CASE(test_hidden_by_the_turn),
        CASE(test_own_changes_between_turns),
        CASE(test_scope_unchecked),
        CASE(test_revert_allowed),
        CASE(test_revert_denied),
        CASE(test_revert_unattended),
        CASE(test_revert_the_running_turn),
        CASE(test_revert_twice),
        CASE(test_diff),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
