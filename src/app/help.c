/*
 * help.c: the text of --help, made from the rows. Options that every command accepts are explained
 * in one place, `sf help options`; the page of a command has its own, and of the others those that
 * matter most there.
 */
#include "app/cli.h"
#include "base/base.h"

enum { HELP_COLUMN = 30, WIDTH = 80 };

/* Breaks lines at blanks; every line but the first is indented. */
static void add_wrapped(struct sf_strbuf *out, const char *text, size_t indent, size_t column)
{
    while (*text) {
        size_t n = strcspn(text, " \n");

        if (column + n > WIDTH && column > indent) {
            sf_strbuf_truncate(out, out->len - 1); /* Drops the blank before the word. */
            sf_strbuf_addch(out, '\n');
            sf_strbuf_fill(out, ' ', indent);
            column = indent;
        }
        sf_strbuf_add(out, text, n);
        column += n;
        text += n;
        if (*text == '\n') {
            sf_strbuf_addch(out, '\n');
            sf_strbuf_fill(out, ' ', indent);
            column = indent;
            text++;
        } else if (*text == ' ') {
            sf_strbuf_addch(out, ' ');
            column++;
            text++;
        }
    }
    sf_strbuf_addch(out, '\n');
}

static void add_row(struct sf_strbuf *out, const char *left, const char *help)
{
    size_t width = sf_text_width(left, strlen(left));

    sf_strbuf_addf(out, "  %s", left);
    if (width + 4 > HELP_COLUMN) {
        sf_strbuf_addch(out, '\n');
        sf_strbuf_fill(out, ' ', HELP_COLUMN);
    } else {
        sf_strbuf_fill(out, ' ', HELP_COLUMN - 2 - width);
    }
    add_wrapped(out, help, HELP_COLUMN, HELP_COLUMN);
}

static void add_option(struct sf_strbuf *out, const struct sf_option *o)
{
    struct sf_strbuf left = SF_STRBUF_INIT;

    if (o->letter)
        sf_strbuf_addf(&left, "-%c, ", o->letter);
    else
        sf_strbuf_adds(&left, "    ");
    sf_strbuf_addf(&left, "--%s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
    add_row(out, left.buf, o->help);
    sf_strbuf_release(&left);
}

static void add_options(struct sf_strbuf *out, const char *title, const struct sf_command *command)
{
    bool first = true;

    for (size_t i = 0; i < command->option_count; i++) {
        if (!command->options[i].help)
            continue;
        if (first)
            sf_strbuf_addf(out, "\n%s\n", title);
        first = false;
        add_option(out, &command->options[i]);
    }
}

static bool is_among(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (!strcmp(*names, name))
            return true;
    return false;
}

/* Some of the common options, in the order of their table, and where the others are. */
static void add_common(struct sf_strbuf *out, const struct sf_command *command)
{
    const struct sf_command *root = &sf_root_command;

    if (command->common)
        sf_strbuf_adds(out, "\ncommon options that matter here\n");
    for (size_t i = 0; i < root->option_count; i++)
        if (is_among(command->common, root->options[i].name))
            add_option(out, &root->options[i]);
    sf_strbuf_addf(out, "\n%s `sf help options`.\n",
                   command->common ? "All common options:"
                                   : "Common options, such as -C DIR and --config FILE:");
}

void sf_help_options_add(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "Every command of sf accepts these options, before or behind its name.\n");
    add_options(out, "common options", &sf_root_command);
}

static void add_usage(struct sf_strbuf *out, const struct sf_invocation *inv)
{
    const struct sf_command *command = sf_cli_command(inv);
    struct sf_strbuf name = SF_STRBUF_INIT;

    sf_cli_add_name(&name, inv);
    if (command->run)
        sf_strbuf_addf(out, "usage: %s [OPTION…]%s%s\n", name.buf, command->args ? " " : "",
                       command->args ? command->args : "");
    if (command->sub_count)
        sf_strbuf_addf(out, "%s %s COMMAND [OPTION…]\n",
                       command->run ? "      " : "usage:", name.buf);
    sf_strbuf_release(&name);
}

void sf_help_add(struct sf_strbuf *out, const struct sf_invocation *inv)
{
    const struct sf_command *command = sf_cli_command(inv);

    sf_strbuf_addf(out, "%s: ", command->name);
    add_wrapped(out, command->help, 0, strlen(command->name) + 2);
    sf_strbuf_addch(out, '\n');
    add_usage(out, inv);
    if (command->more) {
        sf_strbuf_addch(out, '\n');
        add_wrapped(out, command->more, 0, 0);
    }
    if (command->sub_count)
        sf_strbuf_adds(out, "\ncommands\n");
    for (size_t i = 0; i < command->sub_count; i++) {
        const struct sf_command *sub = &command->subs[i];
        struct sf_strbuf left = SF_STRBUF_INIT;

        sf_strbuf_addf(&left, "%s %s", sub->name, sub->args ? sub->args : "");
        add_row(out, left.buf, sub->help);
        sf_strbuf_release(&left);
    }
    add_options(out, "options", command);
    if (inv->depth > 1) {
        add_common(out, command);
        return;
    }
    sf_strbuf_adds(out, "\nexit codes\n");
    for (size_t i = 0; i < sf_exit_count; i++)
        sf_strbuf_addf(out, "  %-4d%s\n", sf_exits[i].code, sf_exits[i].meaning);
    sf_strbuf_adds(out, "\n`sf COMMAND --help` explains a command. The manual page is sf(1).\n");
}
