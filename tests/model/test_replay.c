/*
 * Replay files: every kind of line, blocks made of pieces, and what is said about mistakes.
 */
#include <stdlib.h>

#include "base/base.h"
#include "io/io.h"
#include "model/replay.h"
#include "support/test.h"

struct fixture {
    char *dir, *path;
    struct sf_loop *loop;
    struct sf_replay *replay;
    struct sf_strbuf trace; /* one word for each event */
    int ends;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    *state = f;
    f->dir = test_dir_new();
    f->path = test_path(f->dir, "answers.jsonl");
    f->loop = sf_loop_new(&err);
    sf_strbuf_init(&f->trace);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_replay_free(f->replay);
    sf_loop_free(f->loop);
    sf_strbuf_release(&f->trace);
    free(f->path);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

static void trace_block(struct sf_strbuf *out, const struct sf_block *block)
{
    switch (block->kind) {
    case SF_BLOCK_TEXT:
        sf_strbuf_addf(out, "[%s]", block->text);
        break;
    case SF_BLOCK_REASONING:
        sf_strbuf_addf(out, "[thinks %s]", block->text);
        break;
    case SF_BLOCK_CALL:
        sf_strbuf_addf(out, "[%s %s %s]", block->id, block->name, block->text);
        break;
    case SF_BLOCK_RESULT:
    case SF_BLOCK_IMAGE:
        sf_strbuf_adds(out, "[?]");
        break;
    }
}

static void on_event(void *ctx, const struct sf_stream_event *event)
{
    struct fixture *f = ctx;
    struct sf_strbuf *out = &f->trace;

    switch (event->kind) {
    case SF_STREAM_BEGIN:
        sf_strbuf_adds(out, "begin ");
        break;
    case SF_STREAM_TEXT:
        sf_strbuf_addf(out, "text:%.*s ", (int)event->len, event->text);
        break;
    case SF_STREAM_REASONING:
        sf_strbuf_addf(out, "reasoning:%.*s ", (int)event->len, event->text);
        break;
    case SF_STREAM_CALL:
        sf_strbuf_addf(out, "call:%s ", event->text);
        break;
    case SF_STREAM_BLOCK:
        trace_block(out, event->block);
        sf_strbuf_addch(out, ' ');
        break;
    case SF_STREAM_USAGE:
        sf_strbuf_addf(out, "usage:%d/%d/%d ", (int)event->usage.input, (int)event->usage.output,
                       (int)event->usage.cache_read);
        break;
    case SF_STREAM_END:
        sf_strbuf_addf(out, "end:%s", sf_stop_names[event->stop]);
        f->ends++;
        break;
    case SF_STREAM_ERROR:
        sf_strbuf_addf(out, "error:%s:%s", sf_faults[event->error->fault].name,
                       event->error->message);
        f->ends++;
        break;
    }
}

/* Plays the next answer to its end. */
static const char *play(struct fixture *f)
{
    struct sf_tape *tape = sf_tape_new(f->loop, on_event, f);

    sf_strbuf_reset(&f->trace);
    f->ends = 0;
    sf_replay_next(f->replay, NULL, tape);
    sf_tape_play(tape);
    assert_int_equal(f->trace.len, 0);
    while (!f->ends)
        sf_loop_turn(f->loop, -1);
    for (int i = 0; i < 3; i++)
        sf_loop_turn(f->loop, 0);
    sf_tape_free(tape);
    assert_int_equal(f->ends, 1);
    return f->trace.buf;
}

static void load(struct fixture *f, const char *text)
{
    sf_replay_free(f->replay);
    test_write(f->path, text, strlen(text));
    f->replay = sf_replay_new(f->path);
}

static const struct {
    const char *name, *text, *trace;
} answers[] = {
    { "text in pieces", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"end\":\"end\"}\n",
      "begin text:a text:b [ab] end:end" },
    { "no line end at the end", "{\"text\":\"a\"}\n{\"end\":\"length\"}",
      "begin text:a [a] end:length" },
    { "carriage returns, blank lines and remarks",
      "\r\n# x\r\n{\"text\":\"a\"}\r\n\n{\"end\":\"end\"}\r\n", "begin text:a [a] end:end" },
    { "reasoning, text, a call, text",
      "{\"reasoning\":\"h\"}\n{\"reasoning\":\"m\"}\n{\"text\":\"a\"}\n"
      "{\"call\":{\"name\":\"LS\",\"arguments\":{\"path\":\".\"},\"id\":\"x\"}}\n{\"text\":\"b\"}\n"
      "{\"end\":\"calls\"}\n",
      "begin reasoning:h reasoning:m [thinks hm] text:a [a] call:LS [x LS {\"path\":\".\"}] text:b [b] "
      "end:calls" },
    { "a call without an id is named by its line",
      "\n{\"call\":{\"name\":\"LS\",\"arguments\":{}}}\n{\"end\":\"calls\"}\n",
      "begin call:LS [replay-2 LS {}] end:calls" },
    { "usage", "{\"usage\":{\"input\":3,\"cache_read\":9}}\n{\"end\":\"end\"}\n",
      "begin usage:3/0/9 end:end" },
    { "a wait", "{\"wait_ms\":1}\n{\"text\":\"a\"}\n{\"wait_ms\":0}\n{\"end\":\"refusal\"}\n",
      "begin text:a [a] end:refusal" },
    { "an error", "{\"text\":\"a\"}\n{\"error\":{\"fault\":\"overload\",\"message\":\"busy\"}}\n",
      "begin text:a error:overload:busy" },
};

static void test_answers(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(answers); i++) {
        const char *got;

        load(f, answers[i].text);
        got = play(f);
        if (strcmp(got, answers[i].trace) != 0)
            fail_msg("%s: %s", answers[i].name, got);
    }
}

static const struct {
    const char *name, *text;
    unsigned line; /* 0: the message names none */
    const char *message;
} mistakes[] = {
    { "no JSON", "{\"text\":\"a\"}\n\nhello\n", 3, "" },
    { "no object", "[1]\n", 1, "one member" },
    { "two members", "{\"text\":\"a\",\"end\":\"end\"}\n", 1, "one member" },
    { "an unknown kind", "{\"txt\":\"a\"}\n", 1, "\"txt\"" },
    { "text that is a number", "{\"text\":1}\n", 1, "text" },
    { "a call that is text", "{\"call\":\"LS\"}\n", 1, "object" },
    { "a call without a name", "{\"call\":{\"arguments\":{}}}\n", 1, "name" },
    { "a call with a list", "{\"call\":{\"name\":\"LS\",\"arguments\":[]}}\n", 1, "arguments" },
    { "usage below nothing", "{\"usage\":{\"input\":-1}}\n", 1, "negative" },
    { "a wait without end", "{\"wait_ms\":99999999}\n", 1, "wait_ms" },
    { "an end nobody knows", "{\"end\":\"stop\"}\n", 1, "must be end" },
    { "a fault nobody knows", "{\"error\":{\"fault\":\"x\",\"message\":\"m\"}}\n", 1, "called x" },
    { "no end", "{\"text\":\"a\"}\n", 1, "has no end" },
    { "nothing", "# nothing\n", 0, "holds 0 answers" },
};

static void test_mistakes(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(mistakes); i++) {
        char place[64] = "";
        const char *got;

        load(f, mistakes[i].text);
        got = play(f);
        if (mistakes[i].line)
            snprintf(place, sizeof(place), "answers.jsonl:%u: ", mistakes[i].line);
        if (!strstr(got, "error:replay:") || !strstr(got, place) ||
            !strstr(got, mistakes[i].message))
            fail_msg("%s: %s", mistakes[i].name, got);
    }
}

static void test_one_after_the_other(void **state)
{
    struct fixture *f = *state;

    load(f, "{\"text\":\"a\"}\n{\"end\":\"end\"}\n{\"text\":\"b\"}\n{\"end\":\"end\"}\n");
    assert_string_equal(play(f), "begin text:a [a] end:end");
    assert_string_equal(play(f), "begin text:b [b] end:end");
    assert_non_null(strstr(play(f), "holds 2 answers"));
    assert_non_null(strstr(play(f), "holds 2 answers"));
}

static void test_many_events(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (int i = 0; i < 1000; i++)
        sf_strbuf_adds(&text, "{\"text\":\"x\"}\n");
    sf_strbuf_adds(&text, "{\"end\":\"end\"}\n");
    load(f, text.buf);
    sf_strbuf_release(&text);
    assert_int_equal(strlen(play(f)), strlen("begin ") + 7000 + 1003 + strlen("end:end"));
}

static void test_no_file(void **state)
{
    struct fixture *f = *state;

    f->replay = sf_replay_new(f->path);
    assert_non_null(strstr(play(f), "error:replay:cannot open"));
    load(f, "{\"end\":\"end\"}\n");
    assert_string_equal(play(f), "begin end:end");
    sf_replay_free(f->replay);
    f->replay = sf_replay_new(f->dir);
    assert_non_null(strstr(play(f), "error:replay:"));
}

/* What was recorded without an end still has one. */
static void test_tape_without_end(void **state)
{
    struct fixture *f = *state;
    struct sf_tape *tape = sf_tape_new(f->loop, on_event, f);

    sf_tape_record(tape,
                   &(struct sf_stream_event){ .kind = SF_STREAM_TEXT, .text = "a", .len = 1 });
    sf_tape_play(tape);
    while (!f->ends)
        sf_loop_turn(f->loop, -1);
    sf_tape_free(tape);
    assert_string_equal(f->trace.buf, "text:a error:malformed:the answer has no end");
}

#define WITH_FILE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(test_answers),     WITH_FILE(test_mistakes), WITH_FILE(test_one_after_the_other),
        WITH_FILE(test_many_events), WITH_FILE(test_no_file),  WITH_FILE(test_tape_without_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
