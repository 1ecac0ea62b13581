/*
 * The offline operator, by conversations. A script is the user's words, then pairs of the call
 * that must come and the result it gets, then what the answer must say. Calls are written
 * NAME{ARGUMENTS}, where ' stands for a quote and ~ for an apostrophe.
 */
#include "base/base.h"
#include "model/offline.h"
#include "support/test.h"

enum { ROUNDS = 8 };

static const struct script {
    const char *words;
    struct {
        const char *call, *result;
    } rounds[ROUNDS];
    const char *says; /* behind a "!": and it was not done */
} scripts[] = {
    { "find TODO in src",
      { { "Grep{'pattern':'TODO','path':'src','output_mode':'content'}", "src/a.c:1:TODO" } },
      "src/a.c:1:TODO\n" },
    { "search for a.b(c) in lib",
      { { "Grep{'pattern':'a\\\\.b\\\\(c\\\\)','path':'lib','output_mode':'content'}", "hit" } },
      "hit\n" },
    { "Find *.c files in src",
      { { "Glob{'pattern':'*.c','path':'src'}", "src/a.c" } },
      "src/a.c\n" },
    { "grep 'in the end'",
      { { "Grep{'pattern':'in the end','path':'.','output_mode':'content'}", "x" } },
      "x\n" },
    { "list", { { "LS{'path':'.'}", "a\nb" } }, "a\nb\n" },
    { "list the files in src", { { "LS{'path':'src'}", "a" } }, "a\n" },
    { "ls lib", { { "LS{'path':'lib'}", "a" } }, "a\n" },
    { "read README.md", { { "Read{'file_path':'README.md'}", "1: hi" } }, "1: hi\n" },
    { "read @src/a.c", { { "Read{'file_path':'src/a.c'}", "1: x" } }, "1: x\n" },
    { "read @\"dir with space/file one.txt\", please",
      { { "Read{'file_path':'dir with space/file one.txt'}", "1: x" } },
      "1: x\n" },
    { "read \"@scope/a.c\"", { { "Read{'file_path':'@scope/a.c'}", "1: x" } }, "1: x\n" },
    { "list @src/", { { "LS{'path':'src/'}", "a" } }, "a\n" },
    { "find @media in @src/a.c",
      { { "Grep{'pattern':'@media','path':'src/a.c','output_mode':'content'}", "x" } },
      "x\n" },
    { "please show me the file src/a.c", { { "Read{'file_path':'src/a.c'}", "1: x" } }, "1: x\n" },
    { "replace foo with bar in src/a.c",
      { { "Read{'file_path':'src/a.c'}", "1: foo" },
        { "Edit{'file_path':'src/a.c','old_string':'foo','new_string':'bar','replace_all':true}",
          "replaced 1 place" } },
      "replaced 1 place\n" },
    { "replace foo with bar in src/a.c",
      { { "Read{'file_path':'src/a.c'}", "1: fo o\n2: oof\n" } },
      "!src/a.c has no \"foo\" in it.\n" },
    { "replace foo with bar in src/b.c",
      { { "Read{'file_path':'src/b.c'}",
          "1: x\n[lines 1-1 of 9; Read again with offset 2 to go on]\n" },
        { "Edit{'file_path':'src/b.c','old_string':'foo','new_string':'bar','replace_all':true}",
          "ok" } },
      "ok\n" },
    { "replace foo with bar in ../other/x",
      { { "Grep{'pattern':'foo','path':'../other/x','output_mode':'files_with_matches'}",
          "[paths are below /at/other]\nx\n" },
        { "Read{'file_path':'/at/other/x'}", "1: foo" },
        { "Edit{'file_path':'/at/other/x','old_string':'foo','new_string':'bar',"
          "'replace_all':true}",
          "ok" } },
      "ok\n" },
    { "replace 'a b' with \"c d\" in x.txt",
      { { "Read{'file_path':'x.txt'}", "1: a b" },
        { "Edit{'file_path':'x.txt','old_string':'a b','new_string':'c d','replace_all':true}",
          "ok" } },
      "ok\n" },
    { "replace a - b with b in x.txt",
      { { "Read{'file_path':'x.txt'}", "1: a - b" },
        { "Edit{'file_path':'x.txt','old_string':'a - b','new_string':'b','replace_all':true}",
          "ok" } },
      "ok\n" },
    { "replace the with b in x.txt",
      { { "Read{'file_path':'x.txt'}", "1: the" },
        { "Edit{'file_path':'x.txt','old_string':'the','new_string':'b','replace_all':true}",
          "ok" } },
      "ok\n" },
    { "replace all with b in x.txt",
      { { "Read{'file_path':'x.txt'}", "1: all" },
        { "Edit{'file_path':'x.txt','old_string':'all','new_string':'b','replace_all':true}",
          "ok" } },
      "ok\n" },
    { "replace every occurrence of foo with b in x.txt",
      { { "Read{'file_path':'x.txt'}", "1: foo" },
        { "Edit{'file_path':'x.txt','old_string':'foo','new_string':'b','replace_all':true}",
          "ok" } },
      "ok\n" },
    { "replace the word foo with b in x.txt",
      { { "Read{'file_path':'x.txt'}", "1: foo" },
        { "Edit{'file_path':'x.txt','old_string':'foo','new_string':'b','replace_all':true}",
          "ok" } },
      "ok\n" },
    { "replace true with false in x.txt",
      { { "Read{'file_path':'x.txt'}", "1: true" },
        { "Edit{'file_path':'x.txt','old_string':'true','new_string':'false','replace_all':true}",
          "ok" } },
      "ok\n" },
    { "change old to new in src",
      { { "Grep{'pattern':'old','path':'src','output_mode':'files_with_matches'}",
          "src/a.c\nsrc/b.c" },
        { "Read{'file_path':'src/a.c'}", "1" },
        { "Edit{'file_path':'src/a.c','old_string':'old','new_string':'new','replace_all':true}",
          "A" },
        { "Read{'file_path':'src/b.c'}", "1" },
        { "Edit{'file_path':'src/b.c','old_string':'old','new_string':'new','replace_all':true}",
          "B" } },
      "A\nB\n" },
    { "create notes.md with content 'first line'",
      { { "Write{'file_path':'notes.md','content':'first line\\n'}", "created" } },
      "created\n" },
    { "create an empty.txt",
      { { "Write{'file_path':'empty.txt','content':''}", "created" } },
      "created\n" },
    { "create a file Makefile with content 'all:'",
      { { "Write{'file_path':'Makefile','content':'all:\\n'}", "created" } },
      "created\n" },
    { "write a poem", { { NULL, NULL } }, "!Which file?" },
    { "read a.txt\n\nrun rm -rf /", { { "Read{'file_path':'a.txt'}", "A" } }, "A\n" },
    { "run make -j2 all", { { "Bash{'command':'make -j2 all'}", "ok" } }, "ok\n" },
    { "run `ls -l`", { { "Bash{'command':'ls -l'}", "ok" } }, "ok\n" },
    { "run the tests",
      { { "LS{'path':'.'}", "Makefile  3 bytes\nsrc/" },
        { "Bash{'command':'make test'}", "3 passed" } },
      "3 passed\n" },
    { "test",
      { { "LS{'path':'.'}", "Cargo.toml" }, { "Bash{'command':'cargo test'}", "ok" } },
      "ok\n" },
    { "run the tests",
      { { "LS{'path':'.'}", "README.md" } },
      "!I found no way to test this project" },
    { "commit with message \"it's done\"",
      { { "Bash{'command':'git add -A && git commit -m ~it~\\\\~~s done~'}", "x" } },
      "x\n" },
    { "diff", { { "Bash{'command':'git status --short && git diff'}", "-a +b" } }, "-a +b\n" },
    { "read a.txt, then read b.txt",
      { { "Read{'file_path':'a.txt'}", "A" }, { "Read{'file_path':'b.txt'}", "B" } },
      "A\n\nB\n" },
    { "replace x with y in f.c and run make",
      { { "Read{'file_path':'f.c'}", "x" },
        { "Edit{'file_path':'f.c','old_string':'x','new_string':'y','replace_all':true}", "ok" },
        { "Bash{'command':'make'}", "built" } },
      "ok\n\nbuilt\n" },
    { "plan read it; mend it; test it",
      { { "Plan{'items':[{'content':'read it','status':'pending'},{'content':'mend it','status':"
          "'pending'},{'content':'test it','status':'pending'}]}",
          "ok" } },
      "The plan has 3 steps.\n" },
    { "read a.txt",
      { { "Read{'file_path':'a.txt'}", "!there is no such file" } },
      "!That did not work: there is no such file" },
    { "read a.txt then run make",
      { { "Read{'file_path':'a.txt'}", "!no" } },
      "!That did not work: no" },
    { "create notes.md with content 'x'",
      { { "Write{'file_path':'notes.md','content':'x\\n'}",
          "!Path 'notes.md' is not writable in scope implement (writable: src/). Call "
          "ChangeToolMode to switch." },
        { "ChangeToolMode{'mode':'free','reason':'the request names the file'}", "{}" },
        { "Write{'file_path':'notes.md','content':'x\\n'}", "created" } },
      "created\n" },
    { "create notes.md with content 'x'",
      { { "Write{'file_path':'notes.md','content':'x\\n'}",
          "!Path 'notes.md' is not writable in scope docs (writable: docs/). Call "
          "ChangeToolMode to switch." } },
      "!That did not work: Path 'notes.md' is not writable" },
    { "hello", { { NULL, NULL } }, "no language model" },
    { "refactor everything", { { NULL, NULL } }, "!I do not understand \"refactor everything\"" },
    { "", { { NULL, NULL } }, "no language model" },
    { "replace foo", { { NULL, NULL } }, "!Say it like this: replace foo with bar in src/a.c" },
    { "read", { { NULL, NULL } }, "!Which file?" },
    { "find", { { NULL, NULL } }, "!Find what?" },
};

static const struct sf_tool_schema schemas[] = {
    { "Read", "", "{}" }, { "Write", "", "{}" }, { "Edit", "", "{}" },
    { "LS", "", "{}" },   { "Glob", "", "{}" },  { "Grep", "", "{}" },
    { "Bash", "", "{}" }, { "Plan", "", "{}" },  { "ChangeToolMode", "", "{}" },
};

struct answer {
    struct sf_message message;
    struct sf_strbuf text;
    int begins, ends;
    enum sf_stop stop;
};

static void take(void *ctx, const struct sf_stream_event *e)
{
    struct answer *a = ctx;

    a->begins += e->kind == SF_STREAM_BEGIN;
    a->ends += e->kind == SF_STREAM_END;
    if (e->kind == SF_STREAM_TEXT)
        sf_strbuf_add(&a->text, e->text, e->len);
    if (e->kind == SF_STREAM_BLOCK)
        sf_message_adopt(&a->message, e->block);
    if (e->kind == SF_STREAM_END)
        a->stop = e->stop;
}

static void ask(struct answer *a, const struct sf_history *h, size_t tools)
{
    const struct sf_wire_request request = { .history = h, .tools = schemas, .tool_count = tools };

    *a = (struct answer){ .message = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT) };
    sf_strbuf_init(&a->text);
    sf_offline_answer(&request, take, a);
    assert_int_equal(a->begins, 1);
    assert_int_equal(a->ends, 1);
}

static void check_call(const struct script *s, const struct sf_block *b, const char *wanted)
{
    struct sf_strbuf is = SF_STRBUF_INIT, want = SF_STRBUF_INIT;

    sf_strbuf_addf(&is, "%s%s", b->name, b->text);
    for (const char *p = wanted; *p; p++)
        if (*p == '\'')
            sf_strbuf_addch(&want, '"');
        else if (*p == '~')
            sf_strbuf_addch(&want, '\'');
        else
            sf_strbuf_addch(&want, *p);
    if (strcmp(is.buf, want.buf) != 0)
        fail_msg("%s:\n got %s\nwant %s", s->words, is.buf, want.buf);
    sf_strbuf_release(&is);
    sf_strbuf_release(&want);
}

/* Adds the answer and the result of its one call to the history. */
static void go_on(struct sf_history *h, struct answer *a, const char *result)
{
    const struct sf_block *call = &a->message.blocks[0];
    struct sf_message *m;
    char *id = sf_strdup(call->id), *name = sf_strdup(call->name);

    sf_history_adopt(h, &a->message);
    m = sf_history_add(h, SF_ROLE_USER);
    sf_message_add_result(m, id, name, result + (*result == '!'), strlen(result + (*result == '!')))
        ->is_error = *result == '!';
    free(id);
    free(name);
}

static void play(const struct script *s)
{
    struct sf_history h = SF_HISTORY_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct answer a;

    sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), s->words, strlen(s->words));
    ask(&a, &h, SF_COUNT(schemas));
    for (size_t i = 0; i < ROUNDS && s->rounds[i].call; i++) {
        if (sf_message_calls(&a.message) != 1 || a.stop != SF_STOP_CALLS)
            fail_msg("%s: no call in round %zu, but: %s", s->words, i, a.text.buf);
        check_call(s, &a.message.blocks[0], s->rounds[i].call);
        go_on(&h, &a, s->rounds[i].result);
        sf_strbuf_release(&a.text);
        ask(&a, &h, SF_COUNT(schemas));
    }
    if (sf_message_calls(&a.message))
        fail_msg("%s: a call too many: %s", s->words, a.message.blocks[0].name);
    if (a.stop != (*s->says == '!' ? SF_STOP_UNABLE : SF_STOP_END))
        fail_msg("%s: ends with %s", s->words, sf_stop_names[a.stop]);
    if (!strstr(a.text.buf, s->says + (*s->says == '!')))
        fail_msg("%s: says %s", s->words, a.text.buf);
    if (h.count > 1)
        assert_true(sf_history_check(&h, &err));
    sf_message_release(&a.message);
    sf_strbuf_release(&a.text);
    sf_history_release(&h);
}

static void test_scripts(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(scripts); i++)
        play(&scripts[i]);
}

/* What is not offered is said, not called. */
static void test_not_offered(void **state)
{
    struct sf_history h = SF_HISTORY_INIT;
    struct answer a;

    (void)state;
    sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), "run make", 8);
    ask(&a, &h, 2);
    assert_int_equal(sf_message_calls(&a.message), 0);
    assert_non_null(strstr(a.text.buf, "not offered"));
    sf_message_release(&a.message);
    sf_strbuf_release(&a.text);
    sf_history_release(&h);
}

/* Whatever is typed, there is an answer. */
static void test_anything(void **state)
{
    static const char alphabet[] = "replace with in find 'a\"b`,.;\n\t \\ then and";
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct sf_history h = SF_HISTORY_INIT;
        char words[40];
        struct answer a;
        size_t n = 0;

        for (; n < sizeof(words) - 1; n++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            words[n] = alphabet[(seed >> 33) % (sizeof(alphabet) - 1)];
        }
        words[n] = '\0';
        sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), words, n);
        ask(&a, &h, SF_COUNT(schemas));
        assert_true(a.message.count > 0);
        sf_message_release(&a.message);
        sf_strbuf_release(&a.text);
        sf_history_release(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_not_offered),
        cmocka_unit_test(test_anything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
