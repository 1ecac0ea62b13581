/*
 * commands_screen.c: commands about the screen itself: copying, finding, the editor, colours, keys.
 */
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/commands.h"
#include "tui/internal.h"

/* ---- copying, finding ---- */

void sf_do_copy(struct sf_tui *ui, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    while (!sf_transcript_answer(ui->transcript, &text) && sf_recall_back(ui))
        ;
    if (!text.len)
        sf_tui_say(ui, true, "there is no answer to copy yet");
    else if (sf_terminal_copy(ui->terminal, text.buf, text.len) == SF_COPIED_NOT)
        sf_tui_say(ui, true, "the answer is too long to copy through the terminal");
    else
        sf_tui_say(ui, false, "the last answer went to the clipboard");
    sf_strbuf_release(&text);
}

void sf_do_find(struct sf_tui *ui, const char *args)
{
    sf_tui_act(ui, SF_ACTION_FIND);
    if (*args) {
        sf_composer_set(ui->find, args, strlen(args));
        sf_recall_all(ui, false);
        ui->find_total = sf_transcript_find(ui->transcript, args);
        ui->found = sf_transcript_find_next(ui->transcript, -1);
    }
}

/* ---- the editor ---- */

enum { SHELL_FOUND_NOTHING = 127 }; /* what a shell answers when the program is not there */

static struct sigaction quit_before;

static void report_no_editor(struct sf_tui *ui)
{
    sf_tui_say(ui, true, "there is no editor: set EDITOR to the one you use");
    unlink(ui->editor_path);
    ui->edited(ui, NULL, 0);
}

static void editor_ended(void *ctx, int fd, unsigned events)
{
    struct sf_tui *ui = ctx;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int status = 0;

    (void)events;
    sf_loop_remove(ui->loop, ui->editor_watch);
    ui->editor_watch = 0;
    close(fd);
    waitpid(ui->editor, &status, WNOHANG);
    ui->editor = 0;
    sigaction(SIGQUIT, &quit_before, NULL);
    sf_terminal_take_back(ui->terminal);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SHELL_FOUND_NOTHING) {
        report_no_editor(ui);
    } else if (sf_file_read(ui->editor_path, SF_COMPOSER_MAX, &text, &err)) {
        while (text.len && text.buf[text.len - 1] == '\n')
            sf_strbuf_truncate(&text, text.len - 1);
        ui->edited(ui, text.buf, text.len);
        unlink(ui->editor_path);
    } else {
        sf_tui_fail(ui, &err);
    }
    sf_tui_dirty(ui);
    sf_strbuf_release(&text);
}

/* The loop goes on while the editor has the terminal: a running turn is not held up by it. */
static void run_editor(struct sf_tui *ui, const char *editor, const char *path)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    int fd;

    /* the editor is the user's own choice and may come with options, as everywhere */
    sf_strbuf_addf(&command, "%s \"$1\"", editor);
    sf_terminal_lend(ui->terminal);
    sigaction(SIGQUIT, &ignore, &quit_before); /* Ctrl+\ there is the editor's, like Ctrl+C */
    ui->editor = fork();
    if (ui->editor == 0) {
        sigaction(SIGQUIT, &quit_before, NULL);
        execl("/bin/sh", "sh", "-c", command.buf, "sh", path, (char *)NULL);
        _exit(SHELL_FOUND_NOTHING);
    }
    fd = ui->editor > 0 ? (int)syscall(SYS_pidfd_open, ui->editor, 0) : -1;
    if (fd >= 0) {
        ui->editor_watch = sf_loop_watch_fd(ui->loop, fd, SF_FD_READ, editor_ended, ui);
    } else {
        sigaction(SIGQUIT, &quit_before, NULL);
        sf_terminal_take_back(ui->terminal);
        sf_tui_say(ui, true, "the editor cannot be started");
        ui->editor = 0;
    }
    sf_strbuf_release(&command);
}

static const char *editor_name(void)
{
    static const char *const variables[] = { "VISUAL", "EDITOR" };

    for (size_t i = 0; i < SF_COUNT(variables); i++) {
        const char *name = getenv(variables[i]);

        if (name && *name)
            return name;
    }
    return "vi";
}

void sf_tui_edit(struct sf_tui *ui, const char *file, const char *text, size_t len,
                 void (*done)(struct sf_tui *ui, const char *text, size_t len))
{
    struct sf_error err = SF_ERROR_INIT;

    if (ui->editor)
        return;
    free(ui->editor_path);
    ui->editor_path = sf_path_join(sf_port_state_dir(ui->port), file);
    ui->edited = done;
    if (sf_file_write_atomic(ui->editor_path, text, len, 0600, &err))
        run_editor(ui, editor_name(), ui->editor_path);
    else
        sf_tui_fail(ui, &err);
}

static void draft_edited(struct sf_tui *ui, const char *text, size_t len)
{
    if (!text)
        return;
    sf_composer_set(ui->composer, text, len);
    sf_draft_changed(ui);
}

void sf_do_editor(struct sf_tui *ui, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_composer_text(ui->composer, &text);
    sf_tui_edit(ui, "draft.md", text.buf, text.len, draft_edited);
    sf_strbuf_release(&text);
}

/* ---- colours and keys ---- */

static void try_theme(struct sf_tui *ui, const char *name)
{
    struct sf_theme theme = ui->theme;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_tui_theme(name, &theme, &err))
        sf_terminal_set_theme(ui->terminal, &theme);
    else
        sf_tui_fail(ui, &err);
}

static void theme_chosen(struct sf_tui *ui, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_tui_theme(name, &ui->theme, &err)) {
        sf_tui_fail(ui, &err);
        return;
    }
    sf_terminal_set_theme(ui->terminal, &ui->theme);
    sf_tui_say(ui, false, "theme %s for now; /config ui.theme %s keeps it", name, name);
}

static void theme_left(struct sf_tui *ui)
{
    sf_terminal_set_theme(ui->terminal, &ui->theme);
}

void sf_do_theme(struct sf_tui *ui, const char *args)
{
    static const struct sf_overlay_kind kind = { .title = "Theme",
                                                 .keys = "Enter choose   ↑ ↓ try",
                                                 .chosen = theme_chosen,
                                                 .moved = try_theme,
                                                 .closed = theme_left };

    if (*args) {
        theme_chosen(ui, args);
        return;
    }
    sf_overlay_list(ui, &kind);
    for (size_t i = 0; sf_theme_names[i]; i++)
        sf_overlay_row(ui, sf_theme_names[i], "%s", sf_theme_names[i]);
    sf_overlay_choose(ui, ui->theme.name);
}

void sf_do_vim(struct sf_tui *ui, const char *args)
{
    bool on = !sf_composer_vim_mode(ui->composer);

    (void)args;
    sf_composer_set_vim(ui->composer, on);
    sf_tui_say(ui, false, "vim keys are %s", on ? "on" : "off");
}

void sf_do_mouse(struct sf_tui *ui, const char *args)
{
    (void)args;
    ui->setup.mouse = !ui->setup.mouse;
    sf_terminal_set_mouse(ui->terminal, ui->setup.mouse);
    sf_tui_say(ui, false, ui->setup.mouse ? "the mouse is sf's" : "the mouse is the terminal's");
}
