/*
 * shellcase.c: plays the session's part for calls of the Bash tools.
 */
#include "support/shellcase.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

static void open_box(struct shellcase *c, const char *const *env)
{
    static const struct sf_path_places places;

    c->box = sf_toolbox_new(&(struct sf_toolbox_setup){
        .loop = c->loop,
        .workers = c->workers,
        .root = &c->root,
        .places = &places,
        .spill_dir = c->spill,
        .child_env = env,
    });
}

int shellcase_setup(void **state)
{
    static int round;
    struct shellcase *c = sf_alloc(sizeof(*c));
    struct sf_error err = SF_ERROR_INIT;

    *state = c;
    c->top = test_dir_new();
    c->dir = test_path(c->top, "work");
    c->spill = test_path(c->top, "spill");
    snprintf(c->marker, sizeof(c->marker), "8%d%03d", (int)getpid(), round++);
    c->root = (struct sf_place_root)SF_PLACE_ROOT_INIT;
    if (mkdir(c->dir, 0755) < 0 || !sf_place_root_open(&c->root, c->dir, &err))
        return -1;
    c->loop = sf_loop_new(&err);
    c->workers = sf_workers_new(c->loop, 1);
    open_box(c, NULL);
    return chdir(c->dir);
}

void shell_reopen(struct shellcase *c, const char *const *env)
{
    sf_toolbox_free(c->box);
    open_box(c, env);
}

int shellcase_teardown(void **state)
{
    struct shellcase *c = *state;

    sf_toolbox_free(c->box);
    while (c->calls) {
        struct shell_call *call = c->calls;

        c->calls = call->next;
        sf_tool_call_free(call->call);
        sf_strbuf_release(&call->live);
        free(call->refusal);
        free(call);
    }
    sf_workers_free(c->workers);
    sf_loop_free(c->loop);
    sf_place_root_close(&c->root);
    if (chdir("/") < 0)
        return -1;
    free(c->spill);
    free(c->dir);
    test_dir_free(c->top);
    free(c);
    return 0;
}

static bool resolve(const struct shellcase *c, struct sf_tool_call *call, struct sf_error *err)
{
    for (size_t i = 0; i < call->target_count; i++) {
        struct sf_tool_call_target *t = &call->targets[i];

        if (!sf_place_resolve(&c->root, t->path, strlen(t->path), t->want, &t->place, err))
            return false;
    }
    return true;
}

static void on_done(void *ctx, struct sf_tool_call *call)
{
    struct shell_call *sc = ctx;

    (void)call;
    sc->done++;
}

static void on_output(void *ctx, struct sf_tool_call *call, const char *text, size_t len)
{
    struct shell_call *sc = ctx;

    (void)call;
    assert_false(sc->done);
    if (sc->live.len < 1 << 20)
        sf_strbuf_add(&sc->live, text, len);
}

struct shell_call *shell_start(struct shellcase *c, const char *tool, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;
    struct shell_call *sc = sf_alloc(sizeof(*sc));

    sf_strbuf_init(&sc->live);
    sc->next = c->calls;
    c->calls = sc;
    sc->call = sf_tool_call_new(sf_tool_find(tool), "call", args, strlen(args), &err);
    if (sc->call && !resolve(c, sc->call, &err)) {
        sf_tool_call_free(sc->call);
        sc->call = NULL;
    }
    if (sc->call)
        sc->call->endless = c->endless;
    if (sc->call)
        sf_toolbox_start(c->box, sc->call, on_done, on_output, sc);
    else
        sc->refusal = sf_strdup(err.msg);
    return sc;
}

struct shell_call *shell_begin(struct shellcase *c, const char *command, const char *more)
{
    struct sf_strbuf args = SF_STRBUF_INIT;
    struct sf_json_writer w;
    struct shell_call *sc;

    sf_strbuf_adds(&args, "{\"command\": ");
    sf_jw_init(&w, &args);
    sf_jw_str(&w, command);
    sf_strbuf_addf(&args, "%s}", more);
    sc = shell_start(c, "Bash", args.buf);
    sf_strbuf_release(&args);
    return sc;
}

const char *shell_wait(struct shellcase *c, struct shell_call *sc)
{
    if (!sc->call)
        return sc->refusal;
    while (!sc->done)
        sf_loop_turn(c->loop, -1);
    assert_int_equal(sc->done, 1);
    return sc->call->result.text.buf;
}

void shell_until(struct shellcase *c, struct shell_call *sc, const char *text)
{
    assert_non_null(sc->call);
    while (!strstr(sc->live.buf, text)) {
        if (sc->done)
            fail_msg("it ended without %s: %s", text, sc->call->result.text.buf);
        sf_loop_turn(c->loop, -1);
    }
}

const char *shell_run(struct shellcase *c, const char *command)
{
    return shell_wait(c, shell_begin(c, command, ""));
}

int shell_code(const struct shellcase *c)
{
    return c->calls->call->result.exit_code;
}

const char *shell_job(struct shellcase *c, const char *tool, int id, int wait_ms)
{
    char args[80];

    if (wait_ms)
        snprintf(args, sizeof(args), "{\"id\": %d, \"wait_ms\": %d}", id, wait_ms);
    else
        snprintf(args, sizeof(args), "{\"id\": %d}", id);
    return shell_wait(c, shell_start(c, tool, args));
}

void shell_fifo(struct shellcase *c, const char *name)
{
    char *path = test_path(c->dir, name);

    assert_int_equal(mkfifo(path, 0600), 0);
    free(path);
}

/* Opening fails until there is a reader, which is the point; two minutes are for what hangs. */
void shell_release(struct shellcase *c, const char *name)
{
    const struct timespec span = { .tv_nsec = 2000000 };
    char *path = test_path(c->dir, name);
    int fd = -1;

    for (int i = 0; i < 60000 && fd < 0; i++) {
        fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0)
            nanosleep(&span, NULL);
    }
    if (fd < 0)
        fail_msg("nobody reads %s", name);
    assert_true(sf_fd_write_all(fd, "go\n", 3));
    close(fd);
    free(path);
}
