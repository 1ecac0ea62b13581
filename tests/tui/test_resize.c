/*
 * A thousand sizes between 1x1 and 500x200, while text streams in and in every overlay: nothing
 * breaks, and what is on the screen in the end is what a fresh draw of it would be.
 */
#include <stdlib.h>

#include "support/pty_case.h"
#include "support/test.h"

enum { STREAM_TIMES = 300, OVERLAY_TIMES = 50, ROWS = 28, COLS = 90, WAIT_EVERY = 25 };

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

static uint32_t seed = 20240607;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(seed >> 8) * below) >> 24);
}

/* Mostly such as people have, and now and then the extremes. */
static void resize_any(struct vt *vt)
{
    static const struct {
        int rows, cols;
    } extremes[] = {
        { 1, 1 }, { 1, 500 }, { 200, 1 }, { 200, 500 }, { 6, 20 }, { 5, 20 }, { 2, 2 }
    };
    uint32_t pick = any(60);

    if (pick < SF_COUNT(extremes))
        vt_resize(vt, extremes[pick].rows, extremes[pick].cols);
    else
        vt_resize(vt, 1 + (int)any(pick % 4 ? 40 : 200), 1 + (int)any(pick % 4 ? 130 : 500));
}

static void resize_often(struct vt *vt, int times)
{
    for (int i = 0; i < times; i++) {
        resize_any(vt);
        if (i % WAIT_EVERY == 0)
            vt_wait_quiet(vt);
        else
            vt_pump(vt, 0);
    }
}

static bool wrote_clear(struct vt *vt, const void *ctx)
{
    const struct sf_strbuf *out = vt_take(vt);
    bool *seen = *(bool *const *)ctx;

    *seen = *seen || memmem(out->buf, out->len, "\033[2J", 4);
    return *seen;
}

static void expect_fresh(struct pty_case *s, const char *name)
{
    static const char scribble[] = "\033[H\033[31mscribbled over";
    struct vt *vt = s->vt;
    bool seen = false, *at = &seen;

    vt_resize(vt, ROWS, COLS);
    vt_wait_text(vt, "SF ");
    vt_wait_still(vt);
    sf_strbuf_reset(&s->screen);
    vt_dump(vt, &s->screen);
    print_message("  %s\n", name);
    vt_take(vt);
    vt_feed(vt, scribble, sizeof(scribble) - 1);
    vt_take(vt);
    vt_type(vt, "\f");
    vt_wait(vt, wrote_clear, &at, "a fresh draw");
    pty_case_wait_screen(s, &s->screen);
}

static void test_streaming(void **state)
{
    struct pty_case *s = *state;
    struct sf_strbuf script = SF_STRBUF_INIT;

    sf_strbuf_adds(&script, "reply\n reasoning delta=9 \"Let me think about tables.\"\n"
                            " write 96 pace=4\n text delta=11 <<END\n");
    for (int i = 0; i < 40; i++)
        sf_strbuf_addf(&script,
                       "    # Part %d\n\n    Some *text* with `code`, 漢字, e\xcc\x81 and 😀.\n\n"
                       "    | a | b |\n    |---|---|\n    | %d | a longer cell to be wrapped |\n\n"
                       "    ```c\n    int main(void) { return %d; }\n    ```\n\n",
                       i, i, i);
    sf_strbuf_adds(&script, "    that is all\n    END\n");
    pty_case_serve(s, script.buf);
    sf_strbuf_release(&script);
    pty_case_begin(s, NULL);
    pty_case_type(s, "tell me\r", "Part");
    resize_often(s->vt, STREAM_TIMES);
    vt_resize(s->vt, ROWS, COLS);
    vt_wait_text(s->vt, "that is all");
    vt_wait_no_text(s->vt, "Esc cancels");
    expect_fresh(s, "after streaming");
    vt_type(s->vt, "\033[5~\033[5~");
    resize_often(s->vt, OVERLAY_TIMES);
    expect_fresh(s, "scrolled up");
}

static const struct {
    const char *name, *keys;
} overlays[] = {
    { "help", "\033OP" },        { "palette", "\013" },         { "sent before", "\022" },
    { "backtrack", "\033\033" }, { "sessions", "/sessions\r" }, { "model", "/model\r" },
    { "theme", "/theme\r" },     { "settings", "/config\r" },   { "status", "/status\r" },
    { "cost", "/cost\r" },       { "logs", "/logs\r" },         { "tasks", "/tasks\r" },
    { "restore", "/restore\r" }, { "diff", "/diff\r" },         { "mode", "/mode\r" },
};

static void test_overlays(void **state)
{
    struct pty_case *s = *state;

    s->rows = ROWS;
    s->cols = COLS;
    pty_case_file(s, "src/a.c", "int a;\n");
    pty_case_serve(s, "reply\n call Read {\"file_path\": \"src/a.c\"}\n"
                      "reply\n call Edit {\"file_path\": \"src/a.c\", "
                      "\"old_string\": \"int a\", \"new_string\": \"long a\"}\n"
                      "reply\n text \"that is all\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "change it\r", "waiting for you");
    resize_often(s->vt, OVERLAY_TIMES);
    vt_resize(s->vt, ROWS, COLS);
    vt_wait_text(s->vt, "waiting for you");
    vt_wait_text(s->vt, "long a");
    pty_case_wait_card(s->vt, 1);
    pty_case_type(s, "y", "that is all");
    vt_wait_no_text(s->vt, "Esc cancels");
    for (size_t i = 0; i < SF_COUNT(overlays); i++) {
        vt_type(s->vt, overlays[i].keys);
        vt_wait_text(s->vt, "Esc close");
        resize_often(s->vt, OVERLAY_TIMES);
        expect_fresh(s, overlays[i].name);
        vt_type(s->vt, "\033");
        vt_wait_no_text(s->vt, "Esc close");
    }
    vt_type(s->vt, "a draft\nof two lines /");
    resize_often(s->vt, OVERLAY_TIMES);
    expect_fresh(s, "a draft");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_streaming),
        AT_TERMINAL(test_overlays),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
