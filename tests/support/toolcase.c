/*
 * toolcase.c: plays the session's part for one call at a time.
 */
#include "support/toolcase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

static void make_box(struct toolcase *t)
{
    char *spill = test_path(t->top, "spill");

    t->box = sf_toolbox_new(&(struct sf_toolbox_setup){ .loop = t->loop,
                                                        .workers = t->workers,
                                                        .root = &t->root,
                                                        .places = &t->places,
                                                        .stand = t->stand,
                                                        .spill_dir = spill });
    free(spill);
}

int toolcase_setup(void **state)
{
    struct toolcase *t = sf_alloc(sizeof(*t));
    struct sf_error err = SF_ERROR_INIT;

    *state = t;
    t->top = test_dir_new();
    t->dir = test_path(t->top, "work");
    t->root = (struct sf_place_root)SF_PLACE_ROOT_INIT;
    if (mkdir(t->dir, 0755) < 0 || !sf_place_root_open(&t->root, t->dir, &err))
        return -1;
    t->places = (struct sf_path_places){ .root = t->root.path };
    t->loop = sf_loop_new(&err);
    t->workers = sf_workers_new(t->loop, 2);
    t->stand = "";
    make_box(t);
    return 0;
}

static void forget_call(struct toolcase *t)
{
    sf_tool_call_free(t->call);
    free(t->refused);
    t->call = NULL;
    t->refused = NULL;
    t->done = 0;
}

void tool_stand(struct toolcase *t, const char *dir)
{
    forget_call(t);
    sf_toolbox_free(t->box);
    t->stand = dir;
    make_box(t);
}

int toolcase_teardown(void **state)
{
    struct toolcase *t = *state;

    forget_call(t);
    sf_toolbox_free(t->box);
    sf_workers_free(t->workers);
    sf_loop_free(t->loop);
    sf_place_root_close(&t->root);
    free(t->dir);
    test_dir_free(t->top);
    free(t);
    return 0;
}

void tool_put(struct toolcase *t, const char *name, const void *data, size_t len)
{
    char *path = test_path(t->dir, name), *slash = strrchr(path, '/');
    struct sf_error err = SF_ERROR_INIT;

    *slash = '\0';
    if (!sf_dir_make(path, 0755, &err))
        fail_msg("%s", err.msg);
    *slash = '/';
    test_write(path, data, len);
    free(path);
}

void tool_puts(struct toolcase *t, const char *name, const char *text)
{
    tool_put(t, name, text, strlen(text));
}

char *tool_get(struct toolcase *t, const char *name, size_t *len)
{
    char *path = test_path(t->dir, name), *text = NULL;
    struct stat st;

    *len = 0;
    if (lstat(path, &st) == 0)
        text = test_read(path, len);
    free(path);
    return text;
}

void tool_expect_file(struct toolcase *t, const char *name, const char *want, size_t len)
{
    size_t got_len;
    char *got = tool_get(t, name, &got_len);
    bool same = want ? got && got_len == len && !memcmp(got, want, len) : !got;

    if (!same)
        print_error("%s holds \"%s\" (%zu), not \"%s\" (%zu)\n", name, got ? got : "(nothing)",
                    got_len, want ? want : "(nothing)", len);
    free(got);
    if (!same)
        fail_msg("%s is not as wanted", name);
}

static bool resolve(struct toolcase *t, struct sf_error *err)
{
    for (size_t i = 0; i < t->call->target_count; i++) {
        struct sf_tool_call_target *target = &t->call->targets[i];

        if (!sf_place_resolve(&t->root, target->at, strlen(target->at), target->want,
                              &target->place, err))
            return false;
        sf_place_show_as(&target->place, target->path);
    }
    return true;
}

struct sf_tool_call *tool_prepare(struct toolcase *t, const char *tool, const char *args,
                                  size_t len)
{
    struct sf_error err = SF_ERROR_INIT;

    forget_call(t);
    t->call = sf_tool_call_new(sf_tool_find(tool), "call", args, len, &err);
    if (t->call)
        sf_tool_call_stand(t->call, t->root.path, t->stand);
    if (t->call && !resolve(t, &err)) {
        sf_tool_call_free(t->call);
        t->call = NULL;
    }
    if (!t->call) {
        struct sf_strbuf sb = SF_STRBUF_INIT;

        sf_strbuf_addf(&sb, "%s\n%s", err.msg, err.hint);
        t->refused = sf_strbuf_detach(&sb);
    }
    return t->call;
}

static void on_done(void *ctx, struct sf_tool_call *call)
{
    struct toolcase *t = ctx;

    if (call == t->call)
        t->done++;
}

void tool_finish(struct toolcase *t)
{
    sf_toolbox_start(t->box, t->call, on_done, NULL, t);
    if (t->done)
        fail_msg("done came from inside the start");
    sf_loop_run(t->loop);
    if (t->done != 1)
        fail_msg("done came %d times", t->done);
    if (!sf_utf8_valid(t->call->result.text.buf, t->call->result.text.len, NULL) ||
        memchr(t->call->result.text.buf, '\x1b', t->call->result.text.len) ||
        t->call->result.text.len > SF_TOOL_CALL_TEXT_MAX)
        fail_msg("the result of %s is not safe", t->call->tool->name);
}

const char *tool_run_json(struct toolcase *t, const char *tool, const char *args, size_t len)
{
    if (!tool_prepare(t, tool, args, len))
        return t->refused;
    tool_finish(t);
    return t->call->result.text.buf;
}

const char *tool_run(struct toolcase *t, const char *tool, const char *args)
{
    char *json = sf_strdup(args);
    const char *text;

    for (char *p = json; *p; p++)
        if (*p == '\'')
            *p = '"';
    text = tool_run_json(t, tool, json, strlen(json));
    free(json);
    return text;
}

bool tool_failed(const struct toolcase *t)
{
    return !t->call || t->call->result.is_error;
}

static void check(struct toolcase *t, const char *text, bool failed, const char *has)
{
    if (tool_failed(t) != failed || !strstr(text, has))
        fail_msg("wanted %s with \"%s\", got %s: %s", failed ? "an error" : "success", has,
                 tool_failed(t) ? "an error" : "success", text);
}

void tool_ok(struct toolcase *t, const char *tool, const char *args, const char *has)
{
    check(t, tool_run(t, tool, args), false, has);
}

void tool_fails(struct toolcase *t, const char *tool, const char *args, const char *has)
{
    check(t, tool_run(t, tool, args), true, has);
}
