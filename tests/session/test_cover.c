/*
 * test_cover.c: files that snapshots leave out, changed by commands: ignored ones, and those of other
 * repositories. Going back over the turn brings back what was there; what cannot be brought back is
 * named in the row of the call and in the preview.
 */
#include "journal/journal.h"
#include "session/session.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"
#include "support/undo_case.h"

static const char arrange[] =
    "git init -q && printf 'build/\\n*.local\\n*.db\\nlink\\n' >.gitignore && mkdir -p src build/o && "
    "echo one >src/a.txt && echo key >my.local && chmod 600 my.local && echo old >build/o/a.o && "
    "echo old >build/prog && ln -s my.local link && touch -d 2001-01-01 build/prog build/o/a.o && "
    "git init -q sub && echo theirs >sub/f.txt && echo more >sub/g.txt && mkdir sub/d && "
    "git add .gitignore src && git -c user.name=t -c user.email=t@t commit -qm first";

static void serve(struct session_case *c, const char *scenario)
{
    static const char *const tools[] = { "Bash", "BashOutput" };

    free(tree_run(c->workspace.root, arrange, NULL));
    for (size_t i = 0; i < SF_COUNT(tools); i++)
        sf_strlist_add(&c->tools, tools[i]);
    c->attended = true;
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario);
}

/* The end of the session waits for what it still has to keep. */
static void turn(struct session_case *c, const char *words)
{
    session_case_open(c, NULL);
    session_case_turn(c, words);
    sf_session_close(c->session);
    c->session = NULL;
}

static void expect_in(const char *what, const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("%s has no \"%s\":\n%s", what, words, text);
}

/* The workspace with contents, permissions and times, without machinery. */
static char *look(struct session_case *c)
{
    return tree_run(c->workspace.root,
                    "find . -name .git -prune -o \\( -type f -o -type l \\) -print | sort | "
                    "while read -r f; do stat -c '%A %n' \"$f\"; "
                    "case $f in ./build/*) stat -c %y \"$f\";; esac; cat \"$f\" 2>&1; done",
                    NULL);
}

/* Commands after which the tree is as it was once the turn is undone. */
static const struct {
    const char *name, *command;
} restored[] = {
    { "changed", "echo new >my.local" },
    { "appended to", "echo new >>my.local" },
    { "changed in its permissions", "chmod 644 my.local" },
    { "removed", "rm -f my.local" },
    { "renamed", "mv my.local other.local" },
    { "replaced by a rename", "echo x >src/t; mv src/t my.local" },
    { "made", "echo new >new.local" },
    { "made in a new directory", "mkdir -p x/y; echo new >x/y/new.local" },
    { "a link", "rm link; ln -s src link" },
    { "a link that becomes a file", "rm link; echo text >link" },
    { "written through a link", "echo new >link" },
    { "a build", "echo new >build/o/a.o; echo new >build/prog; echo new >build/o/b.o" },
    { "a build that removes", "rm -r build" },
    { "twice in a turn", "echo new >my.local; rm my.local; echo newer >my.local" },
    { "in another repository", "echo new >sub/f.txt; rm sub/g.txt; echo made >sub/d/made" },
    { "with tracked files", "echo two >src/a.txt; echo new >my.local" },
    { "by a program of its own", "python3 -c 'open(\"my.local\", \"r+\").write(\"x\")'" },
};

static void add_call(struct sf_strbuf *script, const char *command)
{
    struct sf_json_writer w;

    sf_strbuf_adds(script, "reply\n    call Bash ");
    sf_jw_init(&w, script);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "command", command);
    sf_jw_object_end(&w);
    sf_strbuf_adds(script, "\nreply\n    text \"done\"\n");
}

static void check_restored(struct session_case *c, const char *name)
{
    char *before = look(c), *changed, *after;

    turn(c, name);
    changed = look(c);
    undo_case_undo(c, NULL);
    after = look(c);
    if (!strcmp(before, changed))
        fail_msg("%s: the command changed nothing:\n%s", name, c->heard.buf);
    if (strcmp(before, after) != 0)
        fail_msg("%s: was\n%s\nis\n%s\nheard\n%s", name, before, after, c->heard.buf);
    if (strstr(c->heard.buf, "not covered"))
        fail_msg("%s: %s", name, c->heard.buf);
    undo_case_redo(c);
    free(after);
    after = look(c);
    if (strcmp(after, changed) != 0)
        fail_msg("%s: done again, it is\n%s\nnot\n%s", name, after, changed);
    undo_case_undo(c, NULL);
    free(before);
    free(changed);
    free(after);
}

static void test_restored(void **state)
{
    struct session_case *c = *state;
    struct sf_strbuf script = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(restored); i++)
        add_call(&script, restored[i].command);
    serve(c, script.buf);
    for (size_t i = 0; i < SF_COUNT(restored); i++)
        check_restored(c, restored[i].name);
    sf_strbuf_release(&script);
}

/* Commands that change what nobody keeps; `prepare` is done before the turn. */
static const struct {
    const char *name, *prepare, *command, *told;
    const char *file, *left; /* a file that stays as the command left it */
} uncovered[] = {
    { "a large file", "head -c 11000000 /dev/zero >big.db", "echo new >big.db",
      "not covered: big.db", "big.db", "new\n" },
    { "a large build", "for i in $(seq 201); do echo old >build/o/$i; done",
      "for i in $(seq 201); do echo new >build/o/$i; done", "not covered: build/ (201 files)",
      "build/o/7", "new\n" },
    { "a build with a large product", "head -c 5000000 /dev/zero >build/lib",
      "echo new >build/lib; echo new >build/prog", "not covered: build/ (2 files)", "build/prog",
      "new\n" },
    { "a renamed directory", "mkdir -p build2/o", "mv build/o build/p",
      "not covered: build/ (1 file)", "build/p/a.o", "old\n" },
};

static void test_uncovered(void **state)
{
    struct session_case *c = *state;
    struct sf_strbuf script = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(uncovered); i++)
        add_call(&script, uncovered[i].command);
    serve(c, script.buf);
    for (size_t i = 0; i < SF_COUNT(uncovered); i++) {
        char *preview;

        free(tree_run(c->workspace.root, uncovered[i].prepare, NULL));
        turn(c, uncovered[i].name);
        expect_in(uncovered[i].name, c->heard.buf, uncovered[i].told);
        /* a turn that changed nothing else is none to go back over */
        preview = undo_case_number_preview(c);
        expect_in(uncovered[i].name, preview, uncovered[i].told + strlen("not covered: "));
        expect_in(uncovered[i].name, preview, "not covered by snapshots");
        undo_case_expect(c, uncovered[i].file, uncovered[i].left);
        free(preview);
    }
    sf_strbuf_release(&script);
}

/* Much that is only made is no loss, and no word is lost about it; nor is what was only opened. */
static void test_nothing_to_say(void **state)
{
    struct session_case *c = *state;
    struct sf_strbuf script = SF_STRBUF_INIT;

    add_call(&script, "for i in $(seq 300); do echo new >build/o/n$i; done");
    add_call(&script,
             "python3 -c 'open(\"my.local\", \"r+\").close()'; echo x >build/t; rm build/t");
    serve(c, script.buf);
    for (int i = 0; i < 2; i++) {
        turn(c, "build");
        if (strstr(c->heard.buf, "covered"))
            fail_msg("%s", c->heard.buf);
    }
    sf_strbuf_release(&script);
}

/* What a job in the background touches after its call is covered at the end of the turn. */
static void test_job(void **state)
{
    struct session_case *c = *state;
    char *preview;

    serve(
        c,
        "reply\n    call Bash {\"command\":\"until [ -e src/go ]; do :; done; echo new >my.local; "
        "touch src/gone\",\"run_in_background\":true}\n"
        "reply\n    call Bash {\"command\":\"touch src/go; until [ -e src/gone ]; do :; "
        "done\"}\n"
        "reply\n    text \"done\"\n");
    turn(c, "job");
    undo_case_expect(c, "my.local", "new\n");
    preview = undo_case_preview(c);
    expect_in("the preview", preview, "~ my.local");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "my.local", "key\n");
    free(preview);
}

/* An ignored file that snapshots have is still in nobody's scope. */
static void test_scope(void **state)
{
    struct session_case *c = *state;

    c->scope = "implement";
    serve(c, "reply\n    call Bash {\"command\":\"sh src/w.sh 1\"}\n"
             "reply\n    call Bash {\"command\":\"sh src/w.sh 2\"}\n"
             "reply\n    text \"done\"\n"
             "reply\n    call Bash {\"command\":\"sh src/w.sh 3\"}\n"
             "reply\n    text \"done\"\n");
    tree_puts(c->workspace.root, "src/w.sh", "echo $1 >my.local; echo $1 >sub/f.txt\n");
    session_case_open(c, NULL);
    for (int i = 0; i < 2; i++) {
        session_case_turn(c, "write");
        if (strstr(c->heard.buf, "scope"))
            fail_msg("%s", c->heard.buf);
    }
    sf_session_close(c->session);
    c->session = NULL;
    undo_case_expect(c, "my.local", "3\n");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "my.local", "2\n");
    undo_case_expect(c, "sub/f.txt", "2\n");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "my.local", "key\n");
    undo_case_expect(c, "sub/f.txt", "theirs\n");
}

/* What people change in such a file after the turn is theirs. */
static void test_people(void **state)
{
    struct session_case *c = *state;

    serve(c, "reply\n    call Bash {\"command\":\"echo new >my.local; echo new >sub/f.txt; "
             "echo new >build/prog\"}\n"
             "reply\n    text \"done\"\n");
    turn(c, "write");
    tree_puts(c->workspace.root, "my.local", "mine\n");
    tree_puts(c->workspace.root, "sub/f.txt", "mine\n");
    undo_case_undo(c, NULL);
    undo_case_expect(c, "my.local", "mine\n");
    undo_case_expect(c, "sub/f.txt", "mine\n");
    undo_case_expect(c, "build/prog", "old\n");
}

static int setup(void **state)
{
    if (session_case_setup(state) != 0)
        return -1;
    session_case_settings(*state, "[snapshots]\nenabled = true\n");
    return 0;
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, session_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_restored), CASE(test_uncovered), CASE(test_nothing_to_say),
        CASE(test_job),      CASE(test_scope),     CASE(test_people),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
