/*
 * editor.c: programs that have the terminal for a while: the user's editor, and the tour. The text
 * for the editor goes into a file of the state directory; what the editor leaves there is read back
 * when it ends. The loop goes on meanwhile, so that a running turn is not held up.
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
    unlink(ui->lent.path);
    ui->lent.done(ui, NULL, 0);
}

static void editor_ended(struct sf_tui *ui, int status)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (WIFEXITED(status) && WEXITSTATUS(status) == SHELL_FOUND_NOTHING) {
        report_no_editor(ui);
    } else if (sf_file_read(ui->lent.path, SF_COMPOSER_MAX, &text, &err)) {
        while (text.len && text.buf[text.len - 1] == '\n')
            sf_strbuf_truncate(&text, text.len - 1);
        ui->lent.done(ui, text.buf, text.len);
        unlink(ui->lent.path);
    } else {
        sf_tui_fail(ui, &err);
    }
    sf_strbuf_release(&text);
}

/* ---- any program ---- */

static void program_ended(void *ctx, int fd, unsigned events)
{
    struct sf_tui *ui = ctx;
    int status = 0;

    (void)events;
    sf_loop_remove(ui->loop, ui->lent.watch);
    ui->lent.watch = 0;
    close(fd);
    waitpid(ui->lent.pid, &status, WNOHANG);
    ui->lent.pid = 0;
    sigaction(SIGQUIT, &ui->lent.quit_before, NULL);
    sf_terminal_take_back(ui->terminal);
    ui->lent.ended(ui, status);
    sf_paint_soon(&ui->painter);
}

/* The program is none of the workspace: it runs outside of any cage. */
static void run_program(struct sf_tui *ui, char *const *argv, void (*ended)(struct sf_tui *, int))
{
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    int fd;

    ui->lent.ended = ended;
    sf_terminal_lend(ui->terminal);
    sigaction(SIGQUIT, &ignore,
              &ui->lent.quit_before); /* Ctrl+\ is for the program, like Ctrl+C. */
    ui->lent.pid = fork();
    if (ui->lent.pid == 0) {
        sigaction(SIGQUIT, &ui->lent.quit_before, NULL);
        execv(argv[0], argv);
        _exit(SHELL_FOUND_NOTHING);
    }
    fd = ui->lent.pid > 0 ? (int)syscall(SYS_pidfd_open, ui->lent.pid, 0) : -1;
    if (fd >= 0) {
        ui->lent.watch = sf_loop_watch_fd(ui->loop, fd, SF_FD_READ, program_ended, ui);
    } else {
        sigaction(SIGQUIT, &ui->lent.quit_before, NULL);
        sf_terminal_take_back(ui->terminal);
        sf_status_say(&ui->status, true, "the program cannot be started");
        ui->lent.pid = 0;
    }
}

/* ---- the editor ---- */

/* VISUAL and EDITOR may have options, which the shell splits off. */
static void run_editor(struct sf_tui *ui, const char *editor, char *path)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    const char *given = getenv("PATH");
    char *programs = sf_env_path(given ? given : "", NULL);
    char shell[] = "/bin/sh", name[] = "sh", option[] = "-c";

    sf_strbuf_addf(&command, "${2:+export PATH=\"$2\"}; %s \"$1\"", editor);
    run_program(ui, (char *[]){ shell, option, command.buf, name, path, programs, NULL },
                editor_ended);
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

    if (ui->lent.pid)
        return;
    free(ui->lent.path);
    ui->lent.path = sf_path_join(sf_port_state_dir(ui->port), file);
    ui->lent.done = done;
    if (sf_file_write_atomic(ui->lent.path, text, len, 0600, &err))
        run_editor(ui, editor_name(), ui->lent.path);
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

/* ---- the tour ---- */

static void tour_ended(struct sf_tui *ui, int status)
{
    bool well = WIFEXITED(status) && !WEXITSTATUS(status);

    sf_status_say(&ui->status, !well,
                  well ? "back from the tour; this session is as it was"
                       : "the tour ended early; `sf tour` in a shell begins it again");
}

/* The tour is the program again, in a directory of its own; this session waits behind it. */
void sf_do_tour(struct sf_tui *ui, const char *args)
{
    char program[] = "/proc/self/exe", name[] = "tour", option[] = "--config";
    const char *given = ui->setup.port.settings_file;
    char *file = given ? sf_strdup(given) : NULL;

    (void)args;
    if (ui->tour.kept)
        sf_status_say(&ui->status, false, "you are on the tour");
    else if (!ui->lent.pid)
        run_program(ui, (char *[]){ program, name, file ? option : NULL, file, NULL }, tour_ended);
    free(file);
}
