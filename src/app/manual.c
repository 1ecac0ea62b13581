/*
 * manual.c: sf(1) and docs/CONFIG.md. The lists come from the rows; the prose is in this file.
 */
#include "app/cli.h"
#include "base/base.h"
#include "config/config.h"

/* Adds text for roff: backslashes and dashes are escaped, and no line starts like a request. */
static void add_roff(struct sf_strbuf *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        sf_strbuf_adds(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\')
            sf_strbuf_adds(out, "\\e");
        else if (*text == '-')
            sf_strbuf_adds(out, "\\-");
        else if (*text == '\n')
            sf_strbuf_adds(out, "\n.br\n");
        else
            sf_strbuf_addch(out, *text);
    }
}

static void add_item(struct sf_strbuf *out, const char *term, const char *text)
{
    sf_strbuf_adds(out, ".TP\n.B ");
    add_roff(out, term);
    sf_strbuf_addch(out, '\n');
    add_roff(out, text);
    sf_strbuf_addch(out, '\n');
}

static void add_options(struct sf_strbuf *out, const struct sf_command *command)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const struct sf_option *o = &command->options[i];
        struct sf_strbuf term = SF_STRBUF_INIT;

        if (!o->help)
            continue;
        if (o->letter)
            sf_strbuf_addf(&term, "-%c, ", o->letter);
        sf_strbuf_addf(&term, "--%s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
        add_item(out, term.buf, o->help);
        sf_strbuf_release(&term);
    }
}

static void add_command(struct sf_strbuf *out, const struct sf_command *command, const char *path)
{
    struct sf_strbuf name = SF_STRBUF_INIT;

    sf_strbuf_addf(&name, "%s %s", path, command->name);
    if (command->run || !command->sub_count) {
        sf_strbuf_adds(out, ".SS ");
        add_roff(out, name.buf);
        if (command->args) {
            sf_strbuf_addch(out, ' ');
            add_roff(out, command->args);
        }
        sf_strbuf_addch(out, '\n');
        add_roff(out, command->help);
        sf_strbuf_adds(out, ".\n");
        if (command->more) {
            add_roff(out, command->more);
            sf_strbuf_addch(out, '\n');
        }
        add_options(out, command);
    }
    for (size_t i = 0; i < command->sub_count; i++)
        add_command(out, &command->subs[i], name.buf);
    sf_strbuf_release(&name);
}

static void add_files(struct sf_strbuf *out)
{
    static const char *const files[][2] = {
        { "$XDG_CONFIG_HOME/sf/config.toml",
          "your settings; ~/.config when the variable is unset" },
        { ".sf/config.toml, .kibitzer/config.toml",
          "the project's settings, read with the reserve its trust deserves" },
        { "$SF_HOME/trust.toml", "the workspaces you trust" },
        { "$SF_HOME/projects/NAME-HASH/sf.db",
          "the project's store; backups lie in backups/, damaged files in damaged-TIME/" },
    };

    sf_strbuf_adds(out, ".SH FILES\n");
    for (size_t i = 0; i < SF_COUNT(files); i++)
        add_item(out, files[i][0], files[i][1]);
}

static void add_environment(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, ".SH ENVIRONMENT\n");
    add_item(out, "SF_HOME",
             "where state is kept; $XDG_STATE_HOME/sf or ~/.local/state/sf when unset");
    add_item(out, "SF_PROFILE", "profile of your settings to use");
    add_item(out, "SF_SECTION_KEY",
             "any setting: SF_DEFAULTS_WORK_MODE=build stands for defaults.work_mode");
    add_item(out, "NO_COLOR", "no colour, when set to anything");
}

void sf_manual_add(struct sf_strbuf *out)
{
    sf_strbuf_addf(out,
                   ".\\\" made by `./dev docs` from the tables in src/app\n"
                   ".TH SF 1 \"\" \"sf %s\" \"User Commands\"\n"
                   ".SH NAME\nsf \\- %s\n"
                   ".SH SYNOPSIS\n.B sf\n[\\fIOPTION\\fR...] [\\fIPROMPT\\fR...]\n.br\n"
                   ".B sf\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
                   ".SH DESCRIPTION\n",
                   SF_VERSION, sf_root_command.help);
    add_roff(out, "sf works in a workspace: the git work tree around the current directory, or "
                  "that directory itself. What it knows about a project lies outside of it, in "
                  "one SQLite file per project, where no command run in the workspace can reach "
                  "it.\n");
    sf_strbuf_adds(out, ".SH OPTIONS\nEvery command accepts these.\n");
    add_options(out, &sf_root_command);
    sf_strbuf_adds(out, ".SH COMMANDS\n");
    for (size_t i = 0; i < sf_root_command.sub_count; i++)
        add_command(out, &sf_root_command.subs[i], "sf");
    sf_strbuf_adds(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sf_exit_count; i++) {
        char code[16];

        snprintf(code, sizeof(code), "%d", sf_exits[i].code);
        add_item(out, code, sf_exits[i].meaning);
    }
    add_environment(out);
    add_files(out);
}

/* Adds a cell of a Markdown table, with pipes escaped, which would end it. */
static void add_cell(struct sf_strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            sf_strbuf_addch(out, '\\');
        sf_strbuf_addch(out, *text);
    }
}

static void add_type(struct sf_strbuf *out, const struct sf_setting *s)
{
    if (s->type == SF_SETTING_ENUM) {
        for (size_t i = 0; s->values[i]; i++)
            sf_strbuf_addf(out, "%s`%s`", i ? ", " : "", s->values[i]);
        return;
    }
    sf_strbuf_adds(out, sf_setting_type_name(s->type));
    if (s->min || s->max)
        sf_strbuf_addf(out, ", %lld to %lld", (long long)s->min, (long long)s->max);
}

static void add_setting_row(struct sf_strbuf *out, const struct sf_setting *s)
{
    sf_strbuf_addf(out, "| `%s` | ", s->key);
    add_type(out, s);
    if (s->fallback)
        sf_strbuf_addf(out, " | `%s` | ", s->fallback);
    else
        sf_strbuf_adds(out, " | – | ");
    sf_strbuf_addf(out, "%s | ", sf_setting_trust_name(s->trust));
    add_cell(out, s->help);
    sf_strbuf_adds(out, " |\n");
}

static const char config_intro[] =
    "# Settings\n\n"
    "<!-- made by `./dev docs` from src/config/schema.c; edit the table there -->\n\n"
    "Settings are TOML 1.0. Layers, later wins, each value keeps its origin (`sf config "
    "--origin`):\n\n"
    "1. built in\n"
    "2. your file, `$XDG_CONFIG_HOME/sf/config.toml` (`sf config path`)\n"
    "3. `[profiles.NAME]` of your file, chosen by `--profile`, `SF_PROFILE` or `profile`\n"
    "4. `.kibitzer/config.toml` of the workspace\n"
    "5. `.sf/config.toml` of the workspace\n"
    "6. variables: `SF_` and the key in capitals, `SF_DEFAULTS_WORK_MODE=build`\n"
    "7. options of the command line\n\n"
    "A workspace you have not trusted (`sf trust`) may only make settings stricter; what it may "
    "not set is ignored with a warning. Lists of rules (`guard.deny`, `guard.ask`, "
    "`guard.allow`) add up over the layers, so none can take another's rule away. Unknown keys "
    "are reported with the nearest known name. A file that cannot be read, or a safety setting "
    "with a value that makes no sense, counts as the strictest settings there are, and `sf "
    "config` exits with 1.\n\n"
    "    sf config                        all settings in force\n"
    "    sf config get defaults.work_mode\n"
    "    sf config set guard.deny 'rm -rf,git push --force'\n"
    "    sf config set --project modes.docs.writable docs/,README.md\n"
    "    sf config unset guard.deny\n\n";

void sf_settings_doc_add(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, config_intro);
    sf_strbuf_adds(out, "A `*` in a key stands for a name of your own.\n\n"
                        "| Key | Value | Built in | May be set by | Meaning |\n"
                        "|---|---|---|---|---|\n");
    for (size_t i = 0; i < sf_setting_count; i++)
        add_setting_row(out, &sf_settings[i]);
}
