/*
 * test_scope_audit.c: whose a change is. While commands run, an editor and other sessions change
 * files as well: only what a command wrote is put back, and only what a turn wrote is undone with it.
 */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "journal/journal.h"
#include "session/session.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"
#include "support/undo_case.h"

enum { COMMANDS = 50, EDITOR_US = 10 * 1000 };

static void fill(struct session_case *c)
{
    static const char *const tools[] = { "Bash", "Write" };

    tree_puts(c->workspace.root, ".gitignore", "build/\n");
    tree_puts(c->workspace.root, "src/a.txt", "one\n");
    tree_puts(c->workspace.root, "tests/t.txt", "test\n");
    tree_puts(c->workspace.root, "tests/edited.txt", "0\n");
    tree_puts(c->workspace.root, "docs/page.md", "page\n");
    free(tree_run(c->workspace.root,
                  "git init -q && git add -A && git -c user.name=t -c user.email=t@t "
                  "commit -qm first",
                  NULL));
    for (size_t i = 0; i < SF_COUNT(tools) && !sf_strlist_has(&c->tools, tools[i]); i++)
        sf_strlist_add(&c->tools, tools[i]);
    c->attended = true;
}

static void run(struct session_case *c, const char *scenario, const char *words)
{
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
    session_case_open(c, NULL);
    session_case_turn(c, words);
    sf_session_close(c->session);
    c->session = NULL;
}

static size_t count_heard(const struct session_case *c, const char *words)
{
    size_t n = 0;

    for (const char *at = c->heard.buf; at && (at = strstr(at, words)); at += strlen(words))
        n++;
    return n;
}

/* ---- an editor at work ---- */

static volatile sig_atomic_t is_over;

static void end_edits(int number)
{
    (void)number;
    is_over = 1;
}

/* Saves by writing in place and by renaming, in turns, until it is told to stop. */
static SF_NORETURN void edit(const char *root, int ready)
{
    char *file = test_path(root, "tests/edited.txt"), *other = test_path(root, "docs/page.md"),
         *temp = test_path(root, "docs/page.md~");
    char text[32];

    signal(SIGTERM, end_edits);
    for (unsigned i = 1; !is_over; i++) {
        int n = snprintf(text, sizeof(text), "%u\n", i);

        test_write(file, text, (size_t)n);
        test_write(temp, text, (size_t)n);
        if (rename(temp, other) < 0)
            _exit(1);
        if (i == 1 && write(ready, "x", 1) != 1)
            _exit(1);
        usleep(EDITOR_US);
    }
    _exit(0);
}

static pid_t start_editor(const char *root)
{
    int ready[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    if (pid == 0)
        edit(root, ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static char *stop_editor(struct session_case *c, pid_t pid)
{
    char *path = test_path(c->workspace.root, "tests/edited.txt"), *text;
    int status;

    kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    text = test_read(path, NULL);
    free(path);
    return text;
}

static void test_an_editor_beside_commands(void **state)
{
    struct session_case *c = *state;
    struct sf_strbuf script = SF_STRBUF_INIT;
    char *last;
    pid_t editor;

    fill(c);
    tree_puts(c->workspace.root, "src/job.sh",
              "echo $1 >tests/t.txt; echo $1 >tests/new.txt; rm -f tests/gone; "
              "echo $1 >src/out.txt\n");
    c->scope = "implement";
    for (int i = 0; i < COMMANDS; i++)
        sf_strbuf_addf(&script, "reply\n    call Bash {\"command\":\"sh src/job.sh %d\"}\n", i);
    sf_strbuf_adds(&script, "reply\n    text \"done\"\n");
    editor = start_editor(c->workspace.root);
    run(c, script.buf, "build");
    last = stop_editor(c, editor);
    assert_int_equal(count_heard(c, "2 outside the scope put back"), COMMANDS);
    assert_int_equal(count_heard(c, "edited.txt"), 0);
    assert_int_equal(count_heard(c, "page.md"), 0);
    assert_true(strtoul(last, NULL, 10) > 1);
    undo_case_expect(c, "tests/t.txt", "test\n");
    undo_case_expect(c, "tests/new.txt", NULL);
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/out.txt", NULL);
    undo_case_expect(c, "tests/edited.txt", last);
    sf_strbuf_release(&script);
    free(last);
}

/* The user saves a file and makes another while a command of the turn waits for just that. */
/* Whatever a command does to look like others, or under whatever name it writes. */
static const struct {
    const char *name, *script;
} disguises[] = {
    { "a time that was set first", "touch -c tests/t.txt; echo evil >tests/t.txt" },
    { "an owner that was set first", "chown $(id -u) tests/t.txt; echo evil >tests/t.txt" },
    { "another name made in the scope", "ln tests/t.txt src/h; echo evil >src/h; rm src/h" },
    { "another name that was there", "echo evil >src/twin" },
};

static void test_disguises(void **state)
{
    struct session_case *c = *state;

    fill(c);
    c->scope = "implement";
    for (size_t i = 0; i < SF_COUNT(disguises); i++) {
        free(tree_run(c->workspace.root,
                      "rm -f src/twin; echo test >tests/t.txt; ln tests/t.txt src/twin", NULL));
        tree_puts(c->workspace.root, "src/job.sh", disguises[i].script);
        run(c,
            "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n"
            "reply\n    text \"done\"\n",
            "work");
        if (!count_heard(c, "1 outside the scope put back"))
            fail_msg("%s: %s", disguises[i].name, c->heard.buf);
        undo_case_expect(c, "tests/t.txt", "test\n");
    }
}

/* Others may change as much as a `git checkout` does; nothing of it is undone with the turn. */
static void test_many_of_others(void **state)
{
    static const struct {
        const char *many, *file, *want;
    } cases[] = {
        { "1100", "src/a.txt", "one\n" },
        { "10100", "src/a.txt", "two\n" }, /* too many to tell: then nothing is undone */
    };
    struct session_case *c = *state;

    fill(c);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf user = SF_STRBUF_INIT;
        int status;
        pid_t pid;

        tree_puts(c->workspace.root, "src/a.txt", "one\n");
        tree_puts(c->workspace.root, "src/wait.sh",
                  "echo x >src/ready; until [ -e src/go ]; do sleep 0.02; done; "
                  "echo two >src/a.txt; rm src/go src/ready\n");
        sf_strbuf_addf(&user,
                       "cd \"$0\" && until [ -e src/ready ]; do sleep 0.02; done; "
                       "mkdir -p docs/m; for i in $(seq %s); do echo mine%zu >docs/m/$i; done; "
                       "echo go >src/go",
                       cases[i].many, i);
        pid = fork();
        if (pid == 0)
            execl("/bin/sh", "sh", "-c", user.buf, c->workspace.root, NULL);
        run(c,
            "reply\n    call Bash {\"command\":\"sh src/wait.sh\"}\n"
            "reply\n    text \"done\"\n",
            "work");
        assert_int_equal(waitpid(pid, &status, 0), pid);
        undo_case_undo(c, NULL);
        undo_case_expect(c, "docs/m/1000", i ? "mine1\n" : "mine0\n");
        undo_case_expect(c, cases[i].file, cases[i].want);
        sf_strbuf_release(&user);
    }
}

static void test_a_turn_owns_what_it_wrote(void **state)
{
    struct session_case *c = *state;
    int status;
    pid_t user;

    fill(c);
    tree_puts(c->workspace.root, "src/wait.sh",
              "echo x >src/ready; until [ -e src/go ]; do sleep 0.02; done; echo two >src/a.txt\n");
    user = fork();
    if (user == 0)
        execl("/bin/sh", "sh", "-c",
              "cd \"$0\" && until [ -e src/ready ]; do sleep 0.02; done; echo mine >tests/t.txt; "
              "echo mine >src/mine.txt; echo go >src/go",
              c->workspace.root, NULL);
    run(c,
        "reply\n    call Bash {\"command\":\"sh src/wait.sh\"}\n"
        "reply\n    call Write {\"file_path\":\"src/tool.txt\",\"content\":\"tool\"}\n"
        "reply\n    text \"done\"\n",
        "work");
    assert_int_equal(waitpid(user, &status, 0), user);
    undo_case_undo(c, NULL);
    undo_case_expect(c, "src/a.txt", "one\n");
    undo_case_expect(c, "src/tool.txt", NULL);
    undo_case_expect(c, "src/ready", NULL);
    undo_case_expect(c, "tests/t.txt", "mine\n");
    undo_case_expect(c, "src/mine.txt", "mine\n");
}

/* One session's undo leaves what a later session did. */
static void test_two_sessions(void **state)
{
    struct session_case *c = *state;
    char first[SF_ID_LEN + 1];

    fill(c);
    session_case_serve(c, SF_WIRE_ANTHROPIC,
                       "reply\n    call Bash {\"command\":\"echo first >src/first.txt\"}\n"
                       "reply\n    text \"done\"\n"
                       "reply\n    call Bash {\"command\":\"echo second >src/second.txt\"}\n"
                       "reply\n    text \"done\"\n");
    session_case_open(c, NULL);
    session_case_turn(c, "one");
    snprintf(first, sizeof(first), "%s", sf_session_id(c->session));
    sf_session_close(c->session);
    c->session = NULL;
    session_case_open(c, NULL);
    session_case_turn(c, "two");
    sf_session_close(c->session);
    c->session = NULL;
    undo_case_undo(c, first);
    undo_case_expect(c, "src/first.txt", NULL);
    undo_case_expect(c, "src/second.txt", "second\n");
}

/* ---- products ---- */

static const struct {
    const char *name, *script;
    const char *stays, *goes; /* files, or NULL */
    const char *heard;        /* or NULL */
    const char *unheard;
} products[] = {
    { "a new binary beside the sources", "printf 'a\\000b' >a.out", "a.out", NULL,
      "a new file that git does not ignore: a.out. It stays. In .gitignore, this would hide it: "
      "/a.out",
      "outside the scope" },
    { "a new report that is text", "echo 1 >coverage.txt", "coverage.txt", NULL,
      "git does not ignore: coverage.txt", "outside the scope" },
    { "a binary among the tests", "printf 'a\\000b' >tests/t.bin", "tests/t.bin", NULL,
      "git does not ignore: tests/t.bin", "outside the scope" },
    { "text among the tests", "echo 1 >tests/made.c", NULL, "tests/made.c",
      "1 outside the scope put back", "git does not ignore" },
    { "a page among the documents", "echo 1 >docs/made.md", NULL, "docs/made.md",
      "1 outside the scope put back", "git does not ignore" },
    { "a file that is ignored", "mkdir -p build; echo 1 >build/x", "build/x", NULL, NULL,
      "git does not ignore" },
    { "a name with blanks", "printf 'a\\000b' >'my *.o'", "my *.o", NULL, "/my\\ \\*.o", NULL },
};

static void test_products(void **state)
{
    struct session_case *c = *state;

    fill(c);
    c->scope = "implement";
    for (size_t i = 0; i < SF_COUNT(products); i++) {
        tree_puts(c->workspace.root, "src/job.sh", products[i].script);
        run(c,
            "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n"
            "reply\n    text \"done\"\n",
            "build");
        if (products[i].heard && !count_heard(c, products[i].heard))
            fail_msg("%s: not heard in %s", products[i].name, c->heard.buf);
        if (products[i].unheard && count_heard(c, products[i].unheard))
            fail_msg("%s: heard in %s", products[i].name, c->heard.buf);
        if (products[i].goes)
            undo_case_expect(c, products[i].goes, NULL);
        if (products[i].stays) {
            char *path = test_path(c->workspace.root, products[i].stays);

            if (access(path, F_OK) < 0)
                fail_msg("%s: %s is gone", products[i].name, products[i].stays);
            free(path);
        }
    }
}

/* Told once, although each run leaves it. */
static void test_products_are_named_once(void **state)
{
    struct session_case *c = *state;

    fill(c);
    c->scope = "implement";
    tree_puts(c->workspace.root, "src/job.sh", "rm -f a.out; printf 'a\\000b' >a.out");
    run(c,
        "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n"
        "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n"
        "reply\n    text \"done\"\n",
        "build");
    assert_int_equal(count_heard(c, "git does not ignore"), 1);
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
        CASE(test_an_editor_beside_commands), CASE(test_disguises),    CASE(test_many_of_others),
        CASE(test_a_turn_owns_what_it_wrote), CASE(test_two_sessions), CASE(test_products),
        CASE(test_products_are_named_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
