/*
 * editor.c: the user's editor, which has the terminal for a while. The text goes into a file of the
 * state directory; what the editor leaves there is read back when it ends.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/commands.h"
#include "tui/internal.h"

enum { SHELL_FOUND_NOTHING = 127 }; /* The exit code of a shell that does not find the program. */

static void report_no_editor(struct sf_tui *ui)
{
    sf_status_say(&ui->status, true, "there is no editor: set EDITOR to the one you use");
    unlink(ui->editor.path);
    ui->editor.done(ui, NULL, 0);
}

static void editor_ended(void *ctx, int fd, unsigned events)
{
    struct sf_tui *ui = ctx;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int status = 0;

    (void)events;
    sf_loop_remove(ui->loop, ui->editor.watch);
    ui->editor.watch = 0;
    close(fd);
    waitpid(ui->editor.pid, &status, WNOHANG);
    ui->editor.pid = 0;
    sigaction(SIGQUIT, &ui->editor.quit_before, NULL);
    sf_terminal_take_back(ui->terminal);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SHELL_FOUND_NOTHING) {
        report_no_editor(ui);
    } else if (sf_file_read(ui->editor.path, SF_COMPOSER_MAX, &text, &err)) {
        while (text.len && text.buf[text.len - 1] == '\n')
            sf_strbuf_truncate(&text, text.len - 1);
        ui->editor.done(ui, text.buf, text.len);
        unlink(ui->editor.path);
    } else {
        sf_tui_fail(ui, &err);
    }
    sf_paint_soon(&ui->painter);
    sf_strbuf_release(&text);
}

/* The loop goes on while the editor has the terminal, so that a running turn is not held up. */
static void run_editor(struct sf_tui *ui, const char *editor, const char *path)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    const char *given = getenv("PATH");
    char *programs = sf_env_path(given ? given : "", NULL);
    int fd;

    /*
     * VISUAL and EDITOR may have options, which the shell splits off. The editor is no program of
     * the workspace: it runs outside of any cage.
     */
    sf_strbuf_addf(&command, "${2:+export PATH=\"$2\"}; %s \"$1\"", editor);
    sf_terminal_lend(ui->terminal);
    sigaction(SIGQUIT, &ignore,
              &ui->editor.quit_before); /* Ctrl+\ is for the editor, like Ctrl+C. */
    ui->editor.pid = fork();
    if (ui->editor.pid == 0) {
        sigaction(SIGQUIT, &ui->editor.quit_before, NULL);
        execl("/bin/sh", "sh", "-c", command.buf, "sh", path, programs, (char *)NULL);
        _exit(SHELL_FOUND_NOTHING);
    }
    fd = ui->editor.pid > 0 ? (int)syscall(SYS_pidfd_open, ui->editor.pid, 0) : -1;
    if (fd >= 0) {
        ui->editor.watch = sf_loop_watch_fd(ui->loop, fd, SF_FD_READ, editor_ended, ui);
    } else {
        sigaction(SIGQUIT, &ui->editor.quit_before, NULL);
        sf_terminal_take_back(ui->terminal);
        sf_status_say(&ui->status, true, "the editor cannot be started");
        ui->editor.pid = 0;
    }
    sf_strbuf_release(&command);
    free(programs);
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

void sf_editor_open(struct sf_tui *ui, const char *file, const char *text, size_t len,
                    sf_editor_fn *done)
{
    struct sf_error err = SF_ERROR_INIT;

    if (ui->editor.pid)
        return;
    free(ui->editor.path);
    ui->editor.path = sf_path_join(sf_port_state_dir(ui->port), file);
    ui->editor.done = done;
    if (sf_file_write_atomic(ui->editor.path, text, len, 0600, &err))
        run_editor(ui, editor_name(), ui->editor.path);
    else
        sf_tui_fail(ui, &err);
}

static void draft_edited(struct sf_tui *ui, const char *text, size_t len)
{
    if (!text)
        return;
    sf_composer_set(ui->draft.composer, text, len);
    sf_draft_changed(ui);
}

void sf_do_editor(struct sf_tui *ui, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_composer_text(ui->draft.composer, &text);
    sf_editor_open(ui, "draft.md", text.buf, text.len, draft_edited);
    sf_strbuf_release(&text);
}
