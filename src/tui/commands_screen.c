/*
 * commands_screen.c: commands about the desk itself: model, colours, settings, the editor, copying.
 */
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/commands.h"
#include "tui/internal.h"

/* ---- axes, one at a time ---- */

/* The values of these lists say which field they are of: "0:build". */
static void field_chosen(struct sf_tui *ui, const char *value)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int field = atoi(value), number;

    value = strchr(value, ':') + 1;
    if (field == SF_FIELD_SCOPE) {
        sf_change_scope(&change, value);
    } else if (sf_axis_parse((enum sf_axis)field, value, &number, &err)) {
        sf_change_axis(&change, (enum sf_axis)field, number);
    } else {
        sf_tui_fail(ui, &err);
        return;
    }
    sf_tui_change(ui, &change, SF_WHEN_DEFAULT, "picker");
}

/* What a profile answers to each kind of action, from the one table of them. */
static void add_answers(const struct sf_tui *ui, enum sf_profile profile, struct sf_strbuf *out)
{
    static const char *const verbs[] = { "lets pass", "asks before", "refuses" };
    bool trust = sf_session_preview(ui->session).trust;

    for (int answer = SF_ALLOW; answer <= SF_DENY; answer++) {
        bool some = false;

        for (int row = 0; row < SF_ROW_COUNT; row++) {
            const char *label = sf_matrix[row].label;

            if ((int)sf_matrix_answer((enum sf_row)row, profile, trust) != answer)
                continue;
            if (!some)
                sf_strbuf_addf(out, "\n\n**%s** ", verbs[answer]);
            sf_strbuf_addf(out, "%s%.*s", some ? " · " : "", (int)strcspn(label, "("), label);
            while (out->buf[out->len - 1] == ' ')
                sf_strbuf_truncate(out, out->len - 1);
            some = true;
        }
    }
}

static void add_work(const struct sf_tui *ui, enum sf_work_mode work, struct sf_strbuf *out)
{
    static const char *const writes[] = { "writes nothing", "asks before every write",
                                          "writes what its scope covers" };
    const struct sf_work_info *info = &sf_work_modes[work];

    sf_strbuf_addf(out, "\n\n%s; its scope is %s", writes[info->writes],
                   sf_work_default_scope(&ui->setup.session.policy->scopes, work));
    if (info->extra)
        sf_strbuf_addf(out, ", and %s besides", info->extra);
}

static void add_writable(const struct sf_scope *scope, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, scope->writable[0] ? "" : "nothing");
    for (size_t i = 0; scope->writable[i]; i++)
        sf_strbuf_addf(out, "%s%s", i ? " " : "",
                       strcmp(scope->writable[i], "*") != 0 ? scope->writable[i] : "everything");
}

/* Below the list: what there is no room for in a row. */
static void field_moved(struct sf_tui *ui, const char *value)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    int field = atoi(value), number = 0;

    value = strchr(value, ':') + 1;
    if (field == SF_FIELD_SCOPE) {
        const struct sf_scope *scope = sf_scope_find(&ui->setup.session.policy->scopes, value);

        sf_strbuf_addf(&text, "**%s** lets sf write ", value);
        add_writable(scope, &text);
        sf_strbuf_addf(&text, "\n\n%s", scope->strategy);
    } else if (sf_axis_parse((enum sf_axis)field, value, &number, &ignored)) {
        sf_strbuf_addf(&text, "**%s** %s", value, sf_axes[field].helps[number]);
    }
    if (field == SF_FIELD_WORK)
        add_work(ui, (enum sf_work_mode)number, &text);
    else if (field == SF_FIELD_PROFILE)
        add_answers(ui, (enum sf_profile)number, &text);
    sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_release(&text);
}

/* What a choice would come to: in force already, refused, asked about; "" is none of it. */
static const char *note_choice(const struct sf_tui *ui, const struct sf_mode_change *change,
                               struct sf_error *err)
{
    const struct sf_scope_set *scopes = &ui->setup.session.policy->scopes;
    const struct sf_mode_state from = sf_session_preview(ui->session);
    const struct sf_mode_state to = sf_change_target(change, &from, scopes);
    struct sf_authority who = { .actor = SF_ACTOR_USER,
                                .confirmed = true,
                                .workspace_trusted = ui->setup.session.workspace_trusted };
    struct sf_error ignored = SF_ERROR_INIT;

    if (!(sf_change_between(&from, &to) & change->fields))
        return sf_change_between(&from, sf_session_state(ui->session)) & change->fields ? "soon"
                                                                                        : "now";
    if (!sf_authority_check(&who, change, &from, &to, scopes, err))
        return "refused";
    who.confirmed = false;
    return sf_authority_check(&who, change, &from, &to, scopes, &ignored) ? "" : "asks";
}

static void add_choice(struct sf_tui *ui, enum sf_field field, const char *name,
                       const struct sf_mode_change *change, const char *about)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *note = note_choice(ui, change, &err);
    char value[SF_SCOPE_NAME_MAX + 16];

    snprintf(value, sizeof(value), "%d:%s", (int)field, name);
    sf_overlay_row(ui, value, "%s\t%s\t%s", name, note, *err.msg ? err.msg : about);
    if (!strcmp(note, "now") || !strcmp(note, "soon"))
        sf_overlay_choose(ui, value);
}

static void add_scopes(struct sf_tui *ui)
{
    const struct sf_scope_set *scopes = &ui->setup.session.policy->scopes;
    const struct sf_scope *scope;
    size_t cursor = 0;

    while ((scope = sf_scope_next(scopes, &cursor))) {
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;
        struct sf_strbuf about = SF_STRBUF_INIT;

        add_writable(scope, &about);
        sf_change_scope(&change, scope->name);
        add_choice(ui, SF_FIELD_SCOPE, scope->name, &change, about.buf);
        sf_strbuf_release(&about);
    }
}

static void add_values(struct sf_tui *ui, enum sf_axis axis)
{
    for (int i = 0; i < sf_axes[axis].count; i++) {
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;

        sf_change_axis(&change, axis, i);
        add_choice(ui, (enum sf_field)axis, sf_axes[axis].names[i], &change,
                   sf_axes[axis].helps[i]);
    }
}

void sf_tui_pick_field(struct sf_tui *ui, enum sf_field field)
{
    static const struct sf_overlay_kind kinds[] = {
        { .title = "Scope: what may be written?",
          .keys = "Enter choose",
          .filter = true,
          .chosen = field_chosen,
          .moved = field_moved },
        { .title = "Scope: what may be written?",
          .keys = "Enter choose: in force when the running step ends",
          .filter = true,
          .chosen = field_chosen,
          .moved = field_moved },
    };
    const struct sf_overlay_kind *kind = &kinds[sf_session_busy(ui->session)];
    char title[80];

    if (field == SF_FIELD_SCOPE) {
        sf_overlay_list(ui, kind);
        add_scopes(ui);
    } else if ((int)field < SF_AXIS_SETTABLE) {
        const struct sf_axis_info *axis = &sf_axes[field];

        snprintf(title, sizeof(title), "%c%s: %c%s", axis->noun[0] - 'a' + 'A', axis->noun + 1,
                 axis->question[0] - 'A' + 'a', axis->question + 1);
        sf_overlay_list(ui, kind);
        sf_overlay_title(ui, title);
        add_values(ui, (enum sf_axis)field);
    } else if (field == SF_FIELD_TRUST) {
        sf_trust_pick(ui);
    } else {
        sf_do_status(ui, "");
    }
}

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
    ui->editor_path = sf_path_join(ui->setup.session.state_dir, file);
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
