/*
 * command.c: a line that begins with a slash. Commands about the axes come from the common table
 * of modes; the others from the table here. Help, palette, completion and docs read both.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

const struct sf_tui_command sf_tui_commands[] = {
    { "help", "[WORDS]", "keys and commands", sf_do_help },
    { "status", "", "session, model, axes, limits, what is left of them", sf_do_status },
    { "cost", "", "tokens and money of this session, by model", sf_do_cost },
    { "session-report", "[--json] [--save]", "what came of this session, in numbers",
      sf_do_report },
    { "model", "[NAME|auto]", "which model answers", sf_do_model },
    { "connect", "[PROVIDER]", "connect a model: its key, a try, its models", sf_do_connect },
    { "new", "", "begin a new session; this one stays", sf_do_new },
    { "sessions", "[ID]", "list sessions and go on with one", sf_do_sessions },
    { "rename", "TITLE", "give this session a title", sf_do_rename },
    { "queue", "[list|edit N|drop N|move N M|clear]", "words that wait for the next turn",
      sf_do_queue },
    { "goal", "[TEXT] [--budget N]",
      "what this session is to reach; pause, resume, complete, blocked, clear", sf_do_goal },
    { "context", "", "what fills the model's window, part by part", sf_do_context },
    { "compact", "[FOCUS]", "sum the conversation up now", sf_do_compact },
    { "pin", "[TEXT|drop N]", "keep a fact before the model, over every summary", sf_do_pin },
    { "memory", "[project|user]", "notes for later sessions", sf_do_memory },
    { "backtrack", "", "back to an earlier prompt: conversation, files or both", sf_do_backtrack },
    { "fork", "[at|N]", "go on in a fork: from here, or before prompt N", sf_do_fork },
    { "export", "[md|json|html] [FILE]", "write this session to a file", sf_do_export },
    { "diff", "[N|turn]", "what changed since the session began, or since snapshot N", sf_do_diff },
    { "undo", "[overwrite]", "put the last turn's files back", sf_do_undo },
    { "redo", "", "take the last undo back", sf_do_redo },
    { "restore", "[N [overwrite]|undo]", "files as they were before a turn", sf_do_restore },
    { "tasks", "", "what runs and what waits", sf_do_tasks },
    { "copy", "", "copy the last answer", sf_do_copy },
    { "find", "[WORDS]", "search in the conversation", sf_do_find },
    { "editor", "", "write in $VISUAL or $EDITOR", sf_do_editor },
    { "config", "[KEY [VALUE]]", "settings: look them up, change one", sf_do_config },
    { "theme", "[NAME]", "colours", sf_do_theme },
    { "logs", "[LEVEL]", "what happened: the session's events and sf's own log", sf_do_logs },
    { "doctor", "[--online]", "whether everything sf needs is in order", sf_do_doctor },
    { "commands", "", "commands from files: yours and the project's", sf_do_commands },
    { "init", "", "write AGENTS.md and the project's scopes, after a look", sf_do_init },
    { "vim", "", "vim keys in the composer on or off", sf_do_vim },
    { "mouse", "", "mouse in sf, or left to the terminal", sf_do_mouse },
    { "quit", "", "leave; the session can be gone on with", sf_do_quit },
};

const size_t sf_tui_command_count = SF_COUNT(sf_tui_commands);

static const struct {
    const char *name, *means;
} aliases[] = { { "exit", "quit" },
                { "clear", "new" },
                { "resume", "sessions" },
                { "settings", "config" },
                { "history", "backtrack" } };

static const struct sf_tui_command *find(const char *name, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(aliases); i++)
        if (strlen(aliases[i].name) == len && !strncmp(aliases[i].name, name, len)) {
            name = aliases[i].means;
            len = strlen(name);
        }
    for (size_t i = 0; i < sf_tui_command_count; i++)
        if (strlen(sf_tui_commands[i].name) == len && !strncmp(sf_tui_commands[i].name, name, len))
            return &sf_tui_commands[i];
    return NULL;
}

bool sf_tui_command_is_own(const char *name)
{
    return find(name, strlen(name)) || sf_mode_command_find(name);
}

/* ---- axes ---- */

struct asked_change {
    struct sf_mode_change change;
    enum sf_when when;
    char *reason;
};

static void change_answered(struct sf_tui *ui, void *ctx, bool yes)
{
    struct asked_change *asked = ctx;
    struct sf_confirm confirm = { .given = true };
    struct sf_error err = SF_ERROR_INIT;

    if (yes &&
        !sf_session_change(ui->session, &asked->change, asked->when, asked->reason, &confirm, &err))
        sf_tui_fail(ui, &err);
    free(asked->reason);
    free(asked);
}

/* Of what needs a confirmation, there is the preset and the fence alone. */
static const char *unlocked_by(const struct sf_mode_change *change)
{
    if (change->fields == SF_FIELD_BIT(SF_FIELD_TRUST))
        return "writing outside the workspace, for this session: it is asked about instead of "
               "refused, and under unrestricted not even asked about";
    return sf_preset_find("yolo", NULL)->unlocks;
}

static void ask_change(struct sf_tui *ui, const struct sf_mode_change *change, enum sf_when when,
                       const char *reason)
{
    const struct sf_card *waits = sf_card_first(ui);
    struct asked_change *asked;
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (waits && waits->answered == change_answered)
        return; /* Tab was pressed again: one question is enough */
    asked = sf_alloc(sizeof(*asked));
    *asked = (struct asked_change){ *change, when, sf_strdup(reason) };
    sf_strbuf_addf(&text, "**%s** is not a workspace you trust. Going on unlocks: %s.", ui->project,
                   unlocked_by(change));
    sf_card_ask(ui, text.buf, change_answered, asked);
    sf_strbuf_release(&text);
}

void sf_tui_change(struct sf_tui *ui, const struct sf_mode_change *change, enum sf_when when,
                   const char *reason)
{
    struct sf_confirm confirm = { .given = false };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state after;

    if (sf_session_change(ui->session, change, when, reason, &confirm, &err)) {
        after = sf_session_preview(ui->session);
        if (sf_change_between(&after, sf_session_state(ui->session)))
            sf_tui_say(ui, false, "in force when the running step ends");
    } else if (confirm.needed) {
        ask_change(ui, change, when, reason);
    } else {
        sf_tui_fail(ui, &err);
    }
    sf_tui_dirty(ui);
}

/* The badge does not show the fence, so that nothing would be seen of it. */
static bool fence_stands_so(const struct sf_tui *ui, const struct sf_mode_change *change)
{
    return change->fields == SF_FIELD_BIT(SF_FIELD_TRUST) &&
           sf_session_preview(ui->session).trust == change->want.trust;
}

static void mode_command(struct sf_tui *ui, const struct sf_mode_command *c, const char *line)
{
    switch (c->kind) {
    case SF_COMMAND_SHOW:
        sf_tui_pick_field(ui, c->field);
        break;
    case SF_COMMAND_WORDS:
        sf_tui_send(ui, c->words, c->words_len);
        break;
    case SF_COMMAND_CHANGE:
    case SF_COMMAND_START:
    case SF_COMMAND_NEXT:
    case SF_COMMAND_PAUSE:
    case SF_COMMAND_STOP:
        if (c->rewritten && c->preset)
            sf_tui_say(ui, false, "that is called %s now", c->preset->name);
        if (fence_stands_so(ui, &c->change))
            sf_tui_say(ui, false, "%s",
                       c->change.want.trust ? "the fence is lifted already; /trust off puts it back"
                                            : "the fence around the workspace stands");
        else
            sf_tui_change(ui, &c->change, c->when, line);
        break;
    }
}

static void unknown(struct sf_tui *ui, const char *name, size_t len)
{
    struct sf_suggest suggest;
    struct sf_error err = SF_ERROR_INIT;
    char *word = sf_strndup(name, len), quote[SF_QUOTE_MAX];

    sf_suggest_start(&suggest, word);
    for (size_t i = 0; i < sf_tui_command_count; i++)
        sf_suggest_offer(&suggest, sf_tui_commands[i].name);
    for (size_t i = 0; i < sf_mode_command_count; i++)
        sf_suggest_offer(&suggest, sf_mode_commands[i].name);
    for (size_t i = 0; i < ui->customs.count; i++)
        if (!ui->customs.items[i].hidden)
            sf_suggest_offer(&suggest, ui->customs.items[i].name);
    sf_fail(&err, SF_E_ARG, "there is no command /%s", sf_quote(quote, word, len));
    if (suggest.best)
        sf_hint(&err, "did you mean /%s? / alone lists all", suggest.best);
    else
        sf_hint(&err, "/ alone lists all");
    sf_tui_fail(ui, &err);
    free(word);
}

void sf_tui_command(struct sf_tui *ui, const char *line)
{
    size_t len = strcspn(line + 1, " \t\n");
    const struct sf_tui_command *command = find(line + 1, len);
    const char *args = line + 1 + len;
    struct sf_mode_command mode;
    struct sf_error err = SF_ERROR_INIT;

    sf_tui_dirty(ui);
    if (command) {
        command->run(ui, args + strspn(args, " \t"));
        return;
    }
    if (sf_mode_command_parse(line, strlen(line), &ui->setup.session.policy->scopes, &mode, &err))
        mode_command(ui, &mode, line);
    else if (err.code != SF_E_NOENT)
        sf_tui_fail(ui, &err);
    else if (!sf_tui_custom(ui, line))
        unknown(ui, line + 1, len);
}

/* ---- docs ---- */

static void add_cell(struct sf_strbuf *out, const char *text)
{
    for (; *text; text++)
        sf_strbuf_addf(out, "%s%c", *text == '|' ? "\\" : "", *text);
}

void sf_tui_commands_doc_add(struct sf_strbuf *out)
{
    sf_strbuf_adds(
        out,
        "\n## Commands\n\nA line that begins with a slash; those about the axes are in "
        "[MODES.md](MODES.md). `!COMMAND` runs a command of yours through the same "
        "engine, `#NOTE` keeps a note about the project, `##NOTE` one for all projects, `@` names a file.\n\n"
        "| Command | What it does |\n|---|---|\n");
    for (size_t i = 0; i < sf_tui_command_count; i++) {
        sf_strbuf_addf(out, "| `/%s%s", sf_tui_commands[i].name,
                       *sf_tui_commands[i].args ? " " : "");
        add_cell(out, sf_tui_commands[i].args);
        sf_strbuf_addf(out, "` | %s |\n", sf_tui_commands[i].help);
    }
}

/* ---- the palette ---- */

static void palette_chosen(struct sf_tui *ui, const char *value)
{
    if (!strncmp(value, "key:", 4)) {
        sf_tui_act(ui, (enum sf_action_id)atoi(value + 4));
        return;
    }
    if (strchr(value, ' ')) { /* it wants more words */
        sf_draft_replace(ui, value, strcspn(value, " ") + 1);
        return;
    }
    sf_tui_command(ui, value);
}

void sf_tui_palette(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = { .title = "Commands",
                                                 .keys = "Enter run   ↑ ↓ choose",
                                                 .filter = true,
                                                 .chosen = palette_chosen };
    char value[SF_CUSTOM_DEPTH * (SF_CUSTOM_NAME + 1) + SF_CUSTOM_NAME + 3], chord[SF_CHORD_TEXT];

    sf_tui_customs_read(ui);
    sf_overlay_list(ui, &kind);
    for (size_t i = 0; i < sf_tui_command_count; i++) {
        const struct sf_tui_command *c = &sf_tui_commands[i];

        snprintf(value, sizeof(value), "/%s%s", c->name, *c->args && c->args[0] != '[' ? " " : "");
        sf_overlay_row(ui, value, "/%s %s\t%s", c->name, c->args, c->help);
    }
    for (size_t i = 0; i < sf_mode_command_count; i++) {
        const struct sf_mode_command_row *c = &sf_mode_commands[i];

        snprintf(value, sizeof(value), "/%s%s", c->name, *c->args && c->args[0] != '[' ? " " : "");
        sf_overlay_row(ui, value, "/%s %s\t%s", c->name, c->args, c->help);
    }
    for (size_t i = 0; i < ui->customs.count; i++) {
        const struct sf_custom_file *f = &ui->customs.items[i];
        const char *hint = f->custom.hint ? f->custom.hint : "";

        if (f->hidden)
            continue;
        snprintf(value, sizeof(value), "/%s%s", f->name, *hint && *hint != '[' ? " " : "");
        sf_overlay_row(ui, value, "/%s %s\t%s (%s)", f->name, hint, sf_custom_help(f), f->origin);
    }
    for (size_t i = 0; i < sf_action_row_count; i++) {
        const struct sf_action_row *row = &sf_action_rows[i];

        if (!strcmp(row->group, "Editing") || !strcmp(row->group, "Writing"))
            continue;
        snprintf(value, sizeof(value), "key:%d", (int)row->action);
        sf_overlay_row(ui, value, "%s\t%s", sf_keymap_shown(ui->keys, row->action, false, chord),
                       row->help);
    }
}
