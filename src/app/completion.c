/*
 * completion.c: scripts for bash, zsh and fish, made from the rows. Each script is a plain list of
 * words for each command; a script never calls sf, so it cannot be slow or fail.
 */
#include "app/cli.h"
#include "base/base.h"
#include "config/config.h"

/* One command with the words that lead to it: "config get", "" for the root. */
struct stop {
    const struct sf_command *command;
    const char *path;
};

typedef void stop_fn(struct sf_strbuf *out, const struct stop *stop);

static void each_command(struct sf_strbuf *out, const struct sf_command *command, const char *path,
                         stop_fn *fn)
{
    struct stop stop = { command, path };

    fn(out, &stop);
    for (size_t i = 0; i < command->sub_count; i++) {
        struct sf_strbuf sub = SF_STRBUF_INIT;

        sf_strbuf_addf(&sub, "%s%s%s", path, *path ? " " : "", command->subs[i].name);
        each_command(out, &command->subs[i], sub.buf, fn);
        sf_strbuf_release(&sub);
    }
}

static void add_settings(struct sf_strbuf *out)
{
    for (size_t i = 0; i < sf_setting_count; i++)
        if (!strchr(sf_settings[i].key, '*'))
            sf_strbuf_addf(out, " %s", sf_settings[i].key);
}

static void add_choices(struct sf_strbuf *out, enum sf_complete complete,
                        const char *const *choices)
{
    if (complete == SF_COMPLETE_SETTING)
        add_settings(out);
    for (size_t i = 0; complete == SF_COMPLETE_CHOICE && choices[i]; i++)
        sf_strbuf_addf(out, " %s", choices[i]);
}

static void add_option_words(struct sf_strbuf *out, const struct sf_command *command)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].help)
            sf_strbuf_addf(out, " --%s", command->options[i].name);
}

/* Adds all words that may follow a command, except the common options. */
static void add_words(struct sf_strbuf *out, const struct sf_command *command)
{
    for (size_t i = 0; i < command->sub_count; i++)
        sf_strbuf_addf(out, " %s", command->subs[i].name);
    add_choices(out, command->complete, command->choices);
    if (command != &sf_root_command)
        add_option_words(out, command);
}

static void bash_case(struct sf_strbuf *out, const struct stop *stop)
{
    sf_strbuf_addf(out, "    '%s') words='", stop->path);
    add_words(out, stop->command);
    sf_strbuf_adds(out, "' ;;\n");
}

/* Adds arms of a shell's case statement for options whose argument has completions of its own. */
static void add_option_cases(struct sf_strbuf *out, const char *file, const char *directory)
{
    for (size_t i = 0; i < sf_root_command.option_count; i++) {
        const struct sf_option *o = &sf_root_command.options[i];

        if (!o->help || !o->arg)
            continue;
        if (o->letter)
            sf_strbuf_addf(out, "    -%c|--%s) ", o->letter, o->name);
        else
            sf_strbuf_addf(out, "    --%s) ", o->name);
        if (o->complete == SF_COMPLETE_FILE)
            sf_strbuf_adds(out, file);
        else if (o->complete == SF_COMPLETE_DIRECTORY)
            sf_strbuf_adds(out, directory);
        sf_strbuf_adds(out, " words='");
        add_choices(out, o->complete, o->choices);
        sf_strbuf_adds(out, "'; options='' ;;\n");
    }
}

/* Adds the code that walks down the commands along the typed words; bash and zsh share it. */
static void add_descent(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "    case \"$at $word\" in\n");
    for (size_t i = 0; i < sf_root_command.sub_count; i++) {
        const struct sf_command *c = &sf_root_command.subs[i];

        sf_strbuf_addf(out, "    ' %s') at='%s' ;;\n", c->name, c->name);
        for (size_t j = 0; j < c->sub_count; j++)
            sf_strbuf_addf(out, "    '%s %s') at='%s %s' ;;\n", c->name, c->subs[j].name, c->name,
                           c->subs[j].name);
    }
    sf_strbuf_adds(out, "    esac\n");
}

static void add_bash(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "# bash completion of sf\n"
                        "_sf() {\n"
                        "  local at='' words='' options='' word\n"
                        "  local current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
                        "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n");
    add_descent(out);
    sf_strbuf_adds(out, "  done\n  options='");
    add_option_words(out, &sf_root_command);
    sf_strbuf_adds(out, "'\n  case \"$at\" in\n");
    each_command(out, &sf_root_command, "", bash_case);
    sf_strbuf_adds(out, "  esac\n  case \"${COMP_WORDS[COMP_CWORD-1]}\" in\n");
    add_option_cases(out, "compopt -o default;", "compopt -o dirnames;");
    sf_strbuf_adds(out, "  esac\n"
                        "  case \"$current\" in\n"
                        "    -*) words=\"$words $options\" ;;\n"
                        "  esac\n"
                        "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                        "}\n"
                        "complete -F _sf sf\n");
}

static void add_zsh(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "#compdef sf\n"
                        "_sf() {\n"
                        "  local at='' words_='' options='' word\n"
                        "  local current=\"${words[CURRENT]}\" before=\"${words[CURRENT-1]}\"\n"
                        "  for word in \"${(@)words[2,CURRENT-1]}\"; do\n");
    add_descent(out);
    sf_strbuf_adds(out, "  done\n  options='");
    add_option_words(out, &sf_root_command);
    sf_strbuf_adds(out, "'\n  local words=''\n  case \"$at\" in\n");
    each_command(out, &sf_root_command, "", bash_case);
    sf_strbuf_adds(out, "  esac\n  case \"$before\" in\n");
    add_option_cases(out, "_files;", "_files -/;");
    sf_strbuf_adds(out,
                   "  esac\n"
                   "  case \"$current\" in\n"
                   "    -*) words=\"$words $options\" ;;\n"
                   "  esac\n"
                   "  compadd -- ${=words}\n"
                   "}\n"
                   "if [ \"$funcstack[1]\" = _sf ]; then _sf \"$@\"; else compdef _sf sf; fi\n");
}

static void add_fish_option(struct sf_strbuf *out, const struct sf_option *o, const char *condition)
{
    if (!o->help)
        return;
    sf_strbuf_addf(out, "complete -c sf%s -l %s", condition, o->name);
    if (o->letter)
        sf_strbuf_addf(out, " -s %c", o->letter);
    if (o->arg)
        sf_strbuf_adds(out, " -r");
    if (o->complete == SF_COMPLETE_FILE || o->complete == SF_COMPLETE_DIRECTORY)
        sf_strbuf_adds(out, " -F");
    if (o->complete == SF_COMPLETE_CHOICE) {
        sf_strbuf_adds(out, " -a '");
        add_choices(out, o->complete, o->choices);
        sf_strbuf_addch(out, '\'');
    }
    sf_strbuf_addf(out, " -d \"%s\"\n", o->help);
}

static void fish_stop(struct sf_strbuf *out, const struct stop *stop)
{
    struct sf_strbuf condition = SF_STRBUF_INIT;
    const struct sf_command *c = stop->command;

    if (c != &sf_root_command)
        sf_strbuf_addf(&condition, " -n '__sf_at \"%s\"'", stop->path);
    for (size_t i = 0; i < c->option_count; i++)
        add_fish_option(out, &c->options[i], condition.buf);
    if (c == &sf_root_command)
        sf_strbuf_adds(&condition, " -n '__sf_at \"\"'");
    for (size_t i = 0; i < c->sub_count; i++)
        sf_strbuf_addf(out, "complete -c sf%s -a %s -d \"%s\"\n", condition.buf, c->subs[i].name,
                       c->subs[i].help);
    if (c->complete == SF_COMPLETE_SETTING || c->complete == SF_COMPLETE_CHOICE) {
        sf_strbuf_addf(out, "complete -c sf%s -a '", condition.buf);
        add_choices(out, c->complete, c->choices);
        sf_strbuf_adds(out, "'\n");
    }
    sf_strbuf_release(&condition);
}

static void fish_path(struct sf_strbuf *out, const struct stop *stop)
{
    const char *last = strrchr(stop->path, ' ');

    if (!*stop->path)
        return;
    if (last)
        sf_strbuf_addf(out, "      case '%s'\n        set at '%s'\n", stop->path, stop->path);
    else
        sf_strbuf_addf(out, "      case ' %s'\n        set at '%s'\n", stop->path, stop->path);
}

static void add_fish(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "# fish completion of sf\n"
                        "function __sf_at\n"
                        "  set -l at ''\n"
                        "  for word in (commandline -opc)[2..-1]\n"
                        "    switch \"$at $word\"\n");
    each_command(out, &sf_root_command, "", fish_path);
    sf_strbuf_adds(out, "    end\n  end\n  test \"$at\" = \"$argv[1]\"\nend\n"
                        "complete -c sf -f\n");
    each_command(out, &sf_root_command, "", fish_stop);
}

bool sf_completion_add(struct sf_strbuf *out, const char *shell)
{
    static const struct {
        const char *name;
        void (*add)(struct sf_strbuf *out);
    } makers[] = { { "bash", add_bash }, { "zsh", add_zsh }, { "fish", add_fish } };

    for (size_t i = 0; i < SF_COUNT(makers); i++)
        if (!strcmp(makers[i].name, shell)) {
            makers[i].add(out);
            return true;
        }
    return false;
}
