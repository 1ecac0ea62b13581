/*
 * paint.c: a small program on the terminal: shows a frame, the facts and the last thing it was told,
 * and does by single keys what a test wants to see done. Arguments: "mouse", or a theme's name.
 */
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "term/terminal.h"
#include "view/theme.h"

static struct {
    struct sf_loop *loop;
    struct sf_terminal *terminal;
    struct sf_frame frame;
    char event[200], did[100];
    bool mouse, big;
} app;

/* ---- drawing ---- */

static void draw_roles(struct sf_area area, int row)
{
    static const enum sf_look_role roles[] = { SF_LOOK_ACCENT, SF_LOOK_ERROR, SF_LOOK_SELECTED,
                                               SF_LOOK_MATCH, SF_LOOK_DIM };
    int col = 0;

    for (size_t i = 0; i < SF_COUNT(roles); i++)
        col += 1 + sf_area_puts(area, row, col, sf_look_role_names[roles[i]], sf_look(roles[i]));
    sf_area_puts(area, row, col, "slanted",
                 sf_look_with(SF_LOOK_TEXT, SF_LOOK_ITALIC | SF_LOOK_UNDERLINE));
}

static void draw(void)
{
    const struct sf_terminal_facts *facts = sf_terminal_facts(app.terminal);
    struct sf_area area;
    char line[300];
    int rows, cols;

    sf_terminal_size(app.terminal, &rows, &cols);
    sf_frame_resize(&app.frame, rows, cols);
    area = sf_frame_area(&app.frame);
    snprintf(line, sizeof(line), "paint %dx%d colours %d", cols, rows, (int)facts->colours);
    sf_area_puts(area, 0, 0, line, sf_look(SF_LOOK_TEXT));
    draw_roles(area, 1);
    sf_area_puts(area, 2, 0, "漢字 e\xcc\x81 😀 \xf0\x9f\x87\xa9\xf0\x9f\x87\xaa | end",
                 sf_look(SF_LOOK_TEXT));
    snprintf(line, sizeof(line), "told: %s", app.event);
    sf_area_puts(area, 3, 0, line, sf_look(SF_LOOK_TEXT));
    snprintf(line, sizeof(line), "kitty %d sync %d other %d brackets %d name %s", facts->kitty,
             facts->sync, facts->other_keys, facts->brackets, facts->name);
    sf_area_puts(area, 4, 0, line, sf_look(SF_LOOK_TEXT));
    sf_area_puts(area, 5, 0, app.did, sf_look(SF_LOOK_TEXT));
    if (app.big)
        for (int row = 6; row < rows; row++)
            sf_area_rule(area, row, sf_look(SF_LOOK_RULE));
    sf_area_cursor(area, 3, 6);
}

static void paint(void *ctx)
{
    (void)ctx;
    draw();
    sf_terminal_paint(app.terminal, &app.frame);
}

/* ---- commands ---- */

static void did(const char *what)
{
    snprintf(app.did, sizeof(app.did), "did: %s", what);
}

static void quit(void)
{
    sf_loop_stop(app.loop);
}

static void suspend(void)
{
    sf_terminal_suspend(app.terminal);
    did("suspend");
}

static void lend(void)
{
    static char sh[] = "/bin/sh", c[] = "-c",
                script[] = "echo lent${TERMINFO+ badly}; read x; echo back $x";
    char *argv[] = { sh, c, script, NULL };
    pid_t pid;

    sf_terminal_lend(app.terminal);
    if (posix_spawn(&pid, sh, NULL, NULL, argv, environ) == 0)
        waitpid(pid, NULL, 0);
    sf_terminal_take_back(app.terminal);
    did("lend");
}

static void title(void)
{
    sf_terminal_title(app.terminal, "a \033]0;evil\a title");
}

static void copy_of(size_t len)
{
    static const char *const names[] = { "sent", "program", "not" };
    char *text = sf_alloc(len + 1);

    memset(text, 'x', len);
    did(names[sf_terminal_copy(app.terminal, text, len)]);
    free(text);
}

static void copy(void)
{
    copy_of(4);
}

static void copy_much(void)
{
    copy_of(1000000);
}

static void notify(void)
{
    sf_terminal_notify(app.terminal, "4;3;9 done\033\\");
}

static void mouse(void)
{
    app.mouse = !app.mouse;
    sf_terminal_set_mouse(app.terminal, app.mouse);
}

static void light(void)
{
    struct sf_theme theme;

    if (sf_theme_builtin(&theme, "light"))
        sf_terminal_set_theme(app.terminal, &theme);
}

static void repaint(void)
{
    sf_terminal_repaint(app.terminal);
}

static void nothing(void)
{
}

static void big(void)
{
    app.big = !app.big;
}

static void leave_early(void)
{
    exit(3);
}

static void eat_all(void)
{
    free(sf_alloc_array(SIZE_MAX, 2));
}

/* Until the stack is full: handlers need one of their own then. */
static int recurse(int depth)
{
    volatile char room[4096];

    room[0] = (char)depth;
    return depth < 0 ? room[0] : recurse(depth + 1) + room[0];
}

static void overflow(void)
{
    recurse(0);
}

static void overflow_in_thread(void *ctx)
{
    (void)ctx;
    overflow();
}

static void survived(void *ctx)
{
    (void)ctx;
}

/* Each thread needs such a stack. */
static void overflow_there(void)
{
    sf_workers_start(sf_workers_new(app.loop, 1), overflow_in_thread, survived, NULL);
}

static const struct {
    char key;
    void (*run)(void);
} commands[] = {
    { 'q', quit },           { 'z', suspend },   { 'l', lend },    { 't', title },
    { 'c', copy },           { 'C', copy_much }, { 'n', notify },  { 'm', mouse },
    { 'w', light },          { 'r', repaint },   { 'u', nothing }, { 'b', big },
    { 'x', leave_early },    { 'o', eat_all },   { 'a', abort },   { 's', overflow },
    { 't', overflow_there },
};

/* ---- what comes in ---- */

static void on_text(const struct sf_term_event *event)
{
    for (size_t i = 0; i < event->len; i++)
        for (size_t k = 0; k < SF_COUNT(commands); k++)
            if (commands[k].key == event->text[i])
                commands[k].run();
}

static void event(void *ctx, const struct sf_term_event *event)
{
    (void)ctx;
    switch (event->kind) {
    case SF_TERM_TEXT:
        on_text(event);
        break;
    case SF_TERM_KEY:
        snprintf(app.event, sizeof(app.event), "key %x mods %u", (unsigned)event->key.code,
                 event->key.mods);
        break;
    case SF_TERM_PASTE:
        snprintf(app.event, sizeof(app.event), "paste of %zu", event->len);
        break;
    case SF_TERM_MOUSE:
        snprintf(app.event, sizeof(app.event), "mouse %d at %d,%d", (int)event->mouse.kind,
                 event->mouse.row, event->mouse.col);
        break;
    case SF_TERM_FOCUS:
        snprintf(app.event, sizeof(app.event), "focus %d", event->on);
        break;
    case SF_TERM_REPLY:
        break;
    }
}

static void on_signal(void *ctx, int signo)
{
    (void)ctx;
    (void)signo;
    quit();
}

static void gone(void *ctx)
{
    (void)ctx;
    quit();
}

static void resized(void *ctx)
{
    (void)ctx; /* the next turn paints */
}

int main(int argc, char **argv)
{
    static const int ends[] = { SIGTERM, SIGHUP, SIGINT };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_theme theme;
    struct sf_terminal_setup setup = {
        .theme = &theme, .event = event, .resized = resized, .gone = gone
    };

    app.mouse = argc > 1 && !strcmp(argv[1], "mouse");
    if (!sf_theme_builtin(&theme, argc > 1 && !app.mouse ? argv[1] : "dark"))
        return 2;
    app.loop = sf_loop_new(&err);
    for (size_t i = 0; app.loop && i < SF_COUNT(ends); i++)
        sf_loop_watch_signal(app.loop, ends[i], on_signal, NULL);
    setup.loop = app.loop;
    setup.mouse = app.mouse;
    app.terminal = app.loop ? sf_terminal_open(&setup, &err) : NULL;
    if (!app.terminal) {
        fprintf(stderr, "paint: %s\n%s\n", err.msg, err.hint);
        sf_loop_free(app.loop);
        return 1;
    }
    sf_loop_before_wait(app.loop, paint, NULL);
    sf_loop_run(app.loop);
    sf_terminal_close(app.terminal);
    sf_frame_release(&app.frame);
    sf_loop_free(app.loop);
    puts("bye");
    return 0;
}
