/*
 * commands_desk.c: commands about the desk itself: model, colours, settings, the editor, copying.
 */
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "desk/commands.h"
#include "desk/internal.h"

/* ---- axes, one at a time ---- */

/* The values of these lists say which field they are of: "0:build". */
static void field_chosen(struct sf_desk *d, const char *value)
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
        sf_desk_fail(d, &err);
        return;
    }
    sf_desk_change(d, &change, SF_WHEN_DEFAULT, "picker");
}

static void add_scopes(struct sf_desk *d)
{
    const struct sf_scope_set *scopes = &d->setup.talk.ground->scopes;
    char value[SF_SCOPE_NAME_MAX + 16];
    const struct sf_scope *scope;
    size_t cursor = 0;

    while ((scope = sf_scope_next(scopes, &cursor))) {
        struct sf_strbuf where = SF_STRBUF_INIT;

        for (size_t i = 0; scope->writable[i]; i++)
            sf_strbuf_addf(&where, "%s%s", i ? " " : "", scope->writable[i]);
        snprintf(value, sizeof(value), "%d:%s", SF_FIELD_SCOPE, scope->name);
        sf_overlay_row(d, value, "%s\t%s\t%s", scope->name, where.len ? where.buf : "nothing",
                       scope->strategy);
        sf_strbuf_release(&where);
    }
}

void sf_desk_pick_field(struct sf_desk *d, enum sf_field field)
{
    static const struct sf_overlay_kind kind = {
        .title = "Choose", .keys = "Enter choose", .filter = true, .chosen = field_chosen
    };
    struct sf_mode_state now = sf_talk_preview(d->talk);
    char value[SF_SCOPE_NAME_MAX + 16];

    if (field == SF_FIELD_SCOPE) {
        sf_overlay_list(d, &kind);
        add_scopes(d);
        snprintf(value, sizeof(value), "%d:%s", SF_FIELD_SCOPE, now.scope);
        sf_overlay_choose(d, value);
    } else if ((int)field < SF_AXIS_SETTABLE) {
        const struct sf_axis_info *axis = &sf_axes[field];

        sf_overlay_list(d, &kind);
        for (int i = 0; i < axis->count; i++) {
            snprintf(value, sizeof(value), "%d:%s", (int)field, axis->names[i]);
            sf_overlay_row(d, value, "%s", axis->names[i]);
        }
        snprintf(value, sizeof(value), "%d:%s", (int)field,
                 axis->names[sf_mode_state_get(&now, (enum sf_axis)field)]);
        sf_overlay_choose(d, value);
    } else {
        sf_do_status(d, "");
    }
}

/* ---- model ---- */

static void model_chosen(struct sf_desk *d, const char *value)
{
    sf_talk_set_model(d->talk, value);
    sf_desk_say(d, false, *value ? "%s answers from the next turn on" : "each mode has its model",
                value);
}

void sf_do_model(struct sf_desk *d, const char *args)
{
    static const struct sf_overlay_kind kind = {
        .title = "Model", .keys = "Enter choose", .filter = true, .chosen = model_chosen
    };
    const struct sf_provider *p = d->setup.talk.provider;

    if (*args) {
        model_chosen(d, args);
        return;
    }
    sf_overlay_list(d, &kind);
    sf_overlay_row(d, "", "by mode\tfast, smart and deep have a model each");
    sf_overlay_row(d, "auto", "auto\trouted by what is asked, and said so");
    for (int i = 0; i < 3; i++)
        if (p->tiers[i])
            sf_overlay_row(d, p->tiers[i], "%s\t%s of %s", p->tiers[i], sf_tier_names[i], p->name);
    sf_overlay_choose(d, sf_talk_model(d->talk));
}

/* ---- copying, finding ---- */

void sf_do_copy(struct sf_desk *d, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    if (!sf_transcript_answer(d->transcript, &text))
        sf_desk_say(d, true, "there is no answer to copy yet");
    else if (sf_terminal_copy(d->terminal, text.buf, text.len) == SF_COPIED_NOT)
        sf_desk_say(d, true, "the answer is too long to copy through the terminal");
    else
        sf_desk_say(d, false, "the last answer went to the clipboard");
    sf_strbuf_release(&text);
}

void sf_do_find(struct sf_desk *d, const char *args)
{
    sf_desk_act(d, SF_ACTION_FIND);
    if (*args) {
        sf_composer_set(d->find, args, strlen(args));
        d->find_total = sf_transcript_find(d->transcript, args);
        d->found = sf_transcript_find_next(d->transcript, -1);
    }
}

/* ---- the editor ---- */

static char *editor_path(const struct sf_desk *d)
{
    return sf_path_join(d->setup.talk.state_dir, "draft.md");
}

static void editor_ended(void *ctx, int fd, unsigned events)
{
    struct sf_desk *d = ctx;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = editor_path(d);

    (void)events;
    sf_loop_remove(d->loop, d->editor_watch);
    d->editor_watch = 0;
    close(fd);
    waitpid(d->editor, NULL, WNOHANG);
    d->editor = 0;
    sf_terminal_take_back(d->terminal);
    if (sf_file_read(path, SF_COMPOSER_MAX, &text, &err)) {
        while (text.len && text.buf[text.len - 1] == '\n')
            sf_strbuf_truncate(&text, text.len - 1);
        sf_composer_set(d->composer, text.buf, text.len);
        unlink(path);
    } else {
        sf_desk_fail(d, &err);
    }
    sf_draft_changed(d);
    sf_desk_dirty(d);
    free(path);
    sf_strbuf_release(&text);
}

/* The loop goes on while the editor has the terminal: a running turn is not held up by it. */
static void run_editor(struct sf_desk *d, const char *editor, const char *path)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    int fd;

    /* the editor is the user's own choice and may come with options, as everywhere */
    sf_strbuf_addf(&command, "%s \"$1\"", editor);
    sf_terminal_lend(d->terminal);
    d->editor = fork();
    if (d->editor == 0) {
        execl("/bin/sh", "sh", "-c", command.buf, "sh", path, (char *)NULL);
        _exit(127);
    }
    fd = d->editor > 0 ? (int)syscall(SYS_pidfd_open, d->editor, 0) : -1;
    if (fd >= 0) {
        d->editor_watch = sf_loop_watch_fd(d->loop, fd, SF_FD_READ, editor_ended, d);
    } else {
        sf_terminal_take_back(d->terminal);
        sf_desk_say(d, true, "the editor cannot be started");
        d->editor = 0;
    }
    sf_strbuf_release(&command);
}

void sf_do_editor(struct sf_desk *d, const char *args)
{
    const char *editor = getenv("VISUAL");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = editor_path(d);

    (void)args;
    if (!editor || !*editor)
        editor = getenv("EDITOR");
    if (!editor || !*editor)
        editor = "vi";
    sf_composer_text(d->composer, &text);
    if (sf_file_write_atomic(path, text.buf, text.len, 0600, &err))
        run_editor(d, editor, path);
    else
        sf_desk_fail(d, &err);
    free(path);
    sf_strbuf_release(&text);
}

/* ---- settings ---- */

static void setting_chosen(struct sf_desk *d, const char *value)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    const struct sf_config_value *v = sf_config_find(d->setup.talk.config, value);

    sf_strbuf_addf(&line, "/config %s %s", value, v && v->text ? v->text : "");
    sf_composer_set(d->composer, line.buf, line.len);
    sf_strbuf_release(&line);
}

static void list_settings(struct sf_desk *d)
{
    static const struct sf_overlay_kind kind = {
        .title = "Settings", .keys = "Enter change", .filter = true, .chosen = setting_chosen
    };

    sf_overlay_list(d, &kind);
    for (size_t i = 0; i < sf_setting_count; i++) {
        const struct sf_setting *s = &sf_settings[i];
        const struct sf_config_value *v;

        if (strchr(s->key, '*'))
            continue;
        v = sf_config_find(d->setup.talk.config, s->key);
        sf_overlay_row(d, s->key, "%s\t%s\t%s", s->key, v && v->text ? v->text : "–", s->help);
    }
}

static bool write_setting(const char *key, const char *value, struct sf_error *err)
{
    char *dir = sf_env_config_dir(err), *path = dir ? sf_path_join(dir, "config.toml") : NULL;
    bool ok = path && sf_config_write(path, key, value, err);

    free(path);
    free(dir);
    return ok;
}

void sf_do_config(struct sf_desk *d, const char *args)
{
    size_t len = strcspn(args, " ");
    char *key = sf_strndup(args, len);
    const char *value = args + len + strspn(args + len, " ");
    struct sf_error err = SF_ERROR_INIT;

    if (!*key)
        list_settings(d);
    else if (!*value)
        setting_chosen(d, key);
    else if (write_setting(key, value, &err))
        sf_desk_say(d, false, "%s is written to your settings; it holds from the next start", key);
    else
        sf_desk_fail(d, &err);
    free(key);
}

/* ---- colours and keys ---- */

static void try_theme(struct sf_desk *d, const char *name)
{
    struct sf_theme theme = d->theme;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_desk_theme(name, &theme, &err))
        sf_terminal_set_theme(d->terminal, &theme);
    else
        sf_desk_fail(d, &err);
}

static void theme_chosen(struct sf_desk *d, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_desk_theme(name, &d->theme, &err)) {
        sf_desk_fail(d, &err);
        return;
    }
    sf_terminal_set_theme(d->terminal, &d->theme);
    sf_desk_say(d, false, "theme %s for now; /config ui.theme %s keeps it", name, name);
}

static void theme_left(struct sf_desk *d)
{
    sf_terminal_set_theme(d->terminal, &d->theme);
}

void sf_do_theme(struct sf_desk *d, const char *args)
{
    static const struct sf_overlay_kind kind = { .title = "Theme",
                                                 .keys = "Enter choose   ↑ ↓ try",
                                                 .chosen = theme_chosen,
                                                 .moved = try_theme,
                                                 .closed = theme_left };

    if (*args) {
        theme_chosen(d, args);
        return;
    }
    sf_overlay_list(d, &kind);
    for (size_t i = 0; sf_theme_names[i]; i++)
        sf_overlay_row(d, sf_theme_names[i], "%s", sf_theme_names[i]);
    sf_overlay_choose(d, d->theme.name);
}

void sf_do_vim(struct sf_desk *d, const char *args)
{
    bool on = !sf_composer_vim_mode(d->composer);

    (void)args;
    sf_composer_set_vim(d->composer, on);
    sf_desk_say(d, false, "vim keys are %s", on ? "on" : "off");
}

void sf_do_mouse(struct sf_desk *d, const char *args)
{
    (void)args;
    d->setup.mouse = !d->setup.mouse;
    sf_terminal_set_mouse(d->terminal, d->setup.mouse);
    sf_desk_say(d, false, d->setup.mouse ? "the mouse is sf's" : "the mouse is the terminal's");
}
