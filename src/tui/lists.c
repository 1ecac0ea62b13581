/*
 * lists.c: lists of commands that have more than rows to choose: keys, a look, a line in
 * which a value is written.
 */
#include <string.h>

#include "tui/internal.h"

const struct sf_overlay_kind sf_model_overlay = {
    .title = "Model",
    .keys = "Enter choose   US dollars a million tokens",
    .filter = true,
    .heads = true,
    .marks = true,
    .chosen = sf_list_choose,
};

const struct sf_overlay_kind sf_memory_overlay = {
    .title = "Memory",
    .keys = "Enter edit   #NOTE adds to the project's   ##NOTE to yours",
    .chosen = sf_list_choose,
    .moved = sf_list_explain,
};

const struct sf_overlay_kind sf_trust_overlay = {
    .title = "Trust",
    .keys = "Enter choose",
    .chosen = sf_list_choose,
};

/* ---- permissions ---- */

/* Only approvals have numbers; a rule is changed where it is written. */
static void take_back(struct sf_tui *ui, const char *number)
{
    struct sf_strbuf args = SF_STRBUF_INIT;

    if (*number) {
        sf_strbuf_addf(&args, "revoke %s", number);
        sf_list_choose(ui, args.buf);
    } else {
        sf_status_say(&ui->status, true, "this is a rule of the settings: /config changes it");
    }
    sf_strbuf_release(&args);
}

const struct sf_overlay_kind sf_permissions_overlay = {
    .title = "Permissions",
    .keys = "Enter take an approval back   /config changes rules",
    .filter = true,
    .heads = true,
    .chosen = take_back,
};

/* ---- a value that is written below its list ---- */

void sf_list_field(struct sf_tui *ui, const struct sf_response *field)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    const char *more;

    if (!ui->overlay || strcmp(ui->overlay->command, field->command) != 0) {
        sf_strbuf_addf(&line, "/%s", field->command);
        sf_port_line(ui->port, line.buf);
        sf_strbuf_release(&line);
    }
    if (!ui->overlay)
        return;
    sf_overlay_choose(ui, field->title);
    if (field->secret)
        sf_overlay_edit_secret(&ui->overlay->line, field->title, field->title);
    else
        sf_overlay_edit(&ui->overlay->line, field->title, field->title, field->text.buf,
                        field->values);
    more = ui->overlay->kind->line;
    sf_overlay_edit_note(&ui->overlay->line, false, "%s%s%s", field->hint, more ? "; " : "",
                         more ? more : "");
}

/* The port takes the text; where it refuses, the line stays open and says why. */
static bool fill(struct sf_tui *ui, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_port_fill(ui->port, text, &err);

    if (!ok)
        sf_overlay_edit_note(&ui->overlay->line, true, "%s%s%s", err.msg, *err.hint ? "; " : "",
                             err.hint);
    else if (ui->overlay)
        sf_overlay_edit_close(&ui->overlay->line);
    return ok;
}

/* ---- settings ---- */

static void setting_written(struct sf_tui *ui, const char *key, const char *text)
{
    if (!fill(ui, text))
        return;
    sf_tui_again(ui, "/config");
    sf_list_explain(ui, key);
}

const struct sf_overlay_kind sf_config_overlay = {
    .title = "Settings",
    .keys = "Enter change   ↑ ↓ choose",
    .line = "an empty line takes it out of your settings",
    .second_cols = 28,
    .filter = true,
    .stays = true,
    .chosen = sf_list_choose,
    .moved = sf_list_explain,
    .edited = setting_written,
};

/* ---- connecting a model ---- */

static void choose_step(struct sf_tui *ui, const char *value)
{
    sf_port_connect_choose(ui->port, value);
}

static void choose_source(struct sf_tui *ui, const char *value)
{
    sf_overlay_preview(ui->overlay, "", 0); /* Clears the error of the last attempt. */
    sf_port_connect_choose(ui->port, value);
}

static void source_written(struct sf_tui *ui, const char *value, const char *text)
{
    (void)value;
    fill(ui, text); /* Closing the line wipes the secret. */
}

static void step_back(struct sf_tui *ui)
{
    sf_status_await_end(&ui->status);
    sf_port_connect_back(ui->port);
}

const struct sf_overlay_kind sf_connect_overlay = {
    .title = "Connect a model",
    .keys = "Enter choose",
    .filter = true,
    .marks = true,
    .stays = true,
    .chosen = choose_step,
    .closed = step_back,
};

const struct sf_overlay_kind sf_connect_key_overlay = {
    .title = "Key",
    .keys = "Enter choose",
    .stays = true,
    .chosen = choose_source,
    .edited = source_written,
    .closed = step_back,
};

const struct sf_overlay_kind sf_connect_server_overlay = {
    .title = "Another server",
    .keys = "Enter choose",
    .stays = true,
    .chosen = choose_source,
    .edited = source_written,
    .closed = step_back,
};

const struct sf_overlay_kind sf_connect_models_overlay = {
    .title = "Models",
    .keys = "Enter choose",
    .chosen = choose_step,
    .closed = step_back,
};

const struct sf_overlay_kind sf_connect_model_overlay = {
    .title = "Model",
    .keys = "Enter choose",
    .filter = true,
    .chosen = choose_step,
    .closed = step_back,
};
