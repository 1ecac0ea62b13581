/*
 * cli.c: reads argv against the rows. Options may stand before or behind the command; a command
 * accepts its own options and those of the commands above it. `--` ends options.
 */
#include "app/cli.h"

#include "base/base.h"

const struct sf_command *sf_cli_command(const struct sf_invocation *inv)
{
    return inv->chain[inv->depth - 1];
}

void sf_cli_add_name(struct sf_strbuf *out, const struct sf_invocation *inv)
{
    for (size_t i = 0; i < inv->depth; i++)
        sf_strbuf_addf(out, "%s%s", i ? " " : "", inv->chain[i]->name);
}

static bool hint_help(const struct sf_invocation *inv, struct sf_error *err)
{
    struct sf_strbuf name = SF_STRBUF_INIT;

    sf_cli_add_name(&name, inv);
    sf_hint(err, "see `%s --help`", name.buf);
    sf_strbuf_release(&name);
    return false;
}

/* Looks at the innermost command first, so that its option may have the name of a common one. */
static const struct sf_option *find_long(const struct sf_invocation *inv, const char *name,
                                         size_t len)
{
    for (size_t level = inv->depth; level-- > 0;)
        for (size_t i = 0; i < inv->chain[level]->option_count; i++) {
            const struct sf_option *o = &inv->chain[level]->options[i];

            if (strlen(o->name) == len && !memcmp(o->name, name, len))
                return o;
        }
    return NULL;
}

static bool fail_unknown(const struct sf_invocation *inv, const char *name, struct sf_error *err)
{
    struct sf_suggest s;

    sf_suggest_start(&s, name);
    for (size_t level = inv->depth; level-- > 0;)
        for (size_t i = 0; i < inv->chain[level]->option_count; i++)
            if (inv->chain[level]->options[i].help)
                sf_suggest_offer(&s, inv->chain[level]->options[i].name);
    sf_fail(err, SF_E_ARG, "unknown option --%s", name);
    return s.best ? sf_hint(err, "did you mean --%s?", s.best) : hint_help(inv, err);
}

static const struct sf_option *find_short(const struct sf_invocation *inv, char letter)
{
    for (size_t level = inv->depth; level-- > 0;)
        for (size_t i = 0; i < inv->chain[level]->option_count; i++)
            if (inv->chain[level]->options[i].letter == letter)
                return &inv->chain[level]->options[i];
    return NULL;
}

/* An option that stands for a setting is checked with the settings. */
static bool fits_choices(const struct sf_option *o, const char *value, struct sf_error *err)
{
    struct sf_suggest s;

    if (o->filled && !*value)
        return sf_fail(err, SF_E_ARG, "--%s needs %s, not an empty text", o->name, o->arg);
    if (o->setting || o->complete != SF_COMPLETE_CHOICE)
        return true;
    sf_suggest_start(&s, value);
    for (size_t i = 0; o->choices[i]; i++) {
        if (!strcmp(o->choices[i], value))
            return true;
        sf_suggest_offer(&s, o->choices[i]);
    }
    sf_fail(err, SF_E_ARG, "--%s cannot be '%s'", o->name, value);
    sf_hint(err, "did you mean '%s'?", s.best ? s.best : o->choices[0]);
    return false;
}

static void give(struct sf_invocation *inv, const struct sf_option *option, const char *value)
{
    inv->given = sf_grow(inv->given, &inv->given_cap, inv->given_count + 1, sizeof(*inv->given));
    inv->given[inv->given_count++] = (struct sf_given){ option, value };
}

struct cursor {
    int argc, at;
    char *const *argv;
};

/* The next word, whatever it looks like: a prompt that begins with dashes sets no option. */
static bool take_value(struct cursor *c, const struct sf_option *o, const char **value,
                       struct sf_error *err)
{
    const char *next = c->at < c->argc ? c->argv[c->at] : NULL;

    if (!next && o->lone) {
        *value = o->lone;
        return true;
    }
    if (!next)
        return sf_fail(err, SF_E_ARG, "--%s needs %s", o->name, o->arg);
    *value = c->argv[c->at++];
    return true;
}

/* Reads --name, --name=value or --name value; `word` begins behind the dashes. */
static bool read_long(struct sf_invocation *inv, struct cursor *c, const char *word,
                      struct sf_error *err)
{
    size_t len = strcspn(word, "=");
    struct sf_strbuf name = SF_STRBUF_INIT;
    const char *value = word[len] ? word + len + 1 : NULL;
    const struct sf_option *o = find_long(inv, word, len);
    bool ok = true;

    sf_strbuf_add(&name, word, len);
    if (!o) {
        ok = fail_unknown(inv, name.buf, err);
    } else if (value && !o->arg) {
        ok = sf_fail(err, SF_E_ARG, "--%s takes no value", o->name);
    } else if (!value && o->arg) {
        ok = take_value(c, o, &value, err);
    }
    ok = ok && (!value || fits_choices(o, value, err));
    if (ok)
        give(inv, o, value);
    sf_strbuf_release(&name);
    return ok;
}

/* Reads -v, -vx, -Cdir or -C dir; `word` begins behind the dash. */
static bool read_short(struct sf_invocation *inv, struct cursor *c, const char *word,
                       struct sf_error *err)
{
    for (; *word; word++) {
        const struct sf_option *o = find_short(inv, *word);
        const char *value = NULL;

        if (!o) {
            sf_fail(err, SF_E_ARG, "unknown option -%c", *word);
            return hint_help(inv, err);
        }
        if (o->arg && word[1])
            value = word + 1;
        else if (o->arg && !take_value(c, o, &value, err))
            return false;
        give(inv, o, value);
        if (o->arg)
            break;
    }
    return true;
}

static const struct sf_command *find_sub(const struct sf_command *command, const char *name)
{
    for (size_t i = 0; i < command->sub_count; i++)
        if (!strcmp(command->subs[i].name, name))
            return &command->subs[i];
    return NULL;
}

static struct sf_suggest nearest_sub(const struct sf_command *command, const char *word)
{
    struct sf_suggest s;

    sf_suggest_start(&s, word);
    for (size_t i = 0; i < command->sub_count; i++)
        sf_suggest_offer(&s, command->subs[i].name);
    return s;
}

bool sf_cli_unknown(const struct sf_invocation *inv, const char *word, struct sf_error *err)
{
    const struct sf_command *command = sf_cli_command(inv);
    const char *nearest = nearest_sub(command, word).best;

    sf_fail(err, SF_E_ARG, "'%s' is no command of %s", word, command->name);
    if (nearest)
        return sf_hint(err, "did you mean '%s'?", nearest);
    return hint_help(inv, err);
}

/* Reads a word that is no option: the next command of the chain, or an argument. */
static bool read_word(struct sf_invocation *inv, const char *word, struct sf_error *err)
{
    const struct sf_command *command = sf_cli_command(inv);
    const struct sf_command *sub = inv->arg_count ? NULL : find_sub(command, word);

    if (sub && inv->depth < SF_COUNT(inv->chain)) {
        inv->chain[inv->depth++] = sub;
        return true;
    }
    if (command->sub_count && !command->max_args)
        return sf_cli_unknown(inv, word, err);
    inv->args = sf_grow(inv->args, &inv->arg_cap, inv->arg_count + 2, sizeof(*inv->args));
    inv->args[inv->arg_count++] = word;
    inv->args[inv->arg_count] = NULL;
    return true;
}

/* Behind the name of the command the words make sense: a subcommand, or as many as it takes. */
static bool fits_words(const struct sf_command *command, const struct sf_invocation *inv)
{
    enum { FEW = 3 }; /* A command that takes more takes any words, and so does a prompt. */
    size_t words = inv->arg_count - 1;

    return !words || find_sub(command, inv->args[1]) ||
           (words <= command->max_args && command->max_args <= FEW);
}

/* Two letters that stand next to each other were typed in the wrong order. */
static bool is_swapped(const char *word, const char *name)
{
    size_t at = 0;

    while (word[at] && word[at] == name[at])
        at++;
    return word[at] && word[at + 1] && word[at] == name[at + 1] && word[at + 1] == name[at] &&
           !strcmp(word + at + 2, name + at + 2);
}

static bool is_plain_word(const char *word)
{
    for (; *word; word++)
        if (!(*word >= 'a' && *word <= 'z') && !(*word >= 'A' && *word <= 'Z') && *word != '-')
            return false;
    return true;
}

/*
 * Words behind the name of the program are a prompt. A first word that is nearly a command was
 * meant as one: nobody wants to pay a model for a typo. In a short word only one letter may be
 * wrong, so that "wait" is no typo of "init"; a question or a path is no typo, and where further
 * words do not fit the command, only swapped letters are one. Behind -- every word is a prompt.
 */
static bool is_slip(const struct sf_invocation *inv)
{
    const struct sf_command *command = sf_cli_command(inv);
    struct sf_suggest near;

    if (inv->depth != 1 || !inv->arg_count || sf_cli_get(inv, "print") ||
        !is_plain_word(inv->args[0]))
        return false;
    near = nearest_sub(command, inv->args[0]);
    if (!near.best || near.distance > (strlen(inv->args[0]) > 7 ? 2 : 1))
        return false;
    return fits_words(find_sub(command, near.best), inv) || is_swapped(inv->args[0], near.best);
}

static bool fail_slip(const struct sf_invocation *inv, struct sf_error *err)
{
    const char *nearest = nearest_sub(sf_cli_command(inv), inv->args[0]).best;

    sf_fail(err, SF_E_ARG, "'%s' is no command of sf", inv->args[0]);
    return sf_hint(err, "did you mean '%s'? A prompt that begins so stands behind --", nearest);
}

bool sf_cli_parse(struct sf_invocation *inv, int argc, char *const *argv, struct sf_error *err)
{
    struct cursor c = { .argc = argc, .at = 1, .argv = argv };
    bool options = true, ok = true;

    inv->chain[0] = &sf_root_command;
    inv->depth = 1;
    while (ok && c.at < argc) {
        const char *word = argv[c.at++];

        if (options && !strcmp(word, "--"))
            options = false;
        else if (options && !strncmp(word, "--", 2))
            ok = read_long(inv, &c, word + 2, err);
        else if (options && word[0] == '-' && word[1])
            ok = read_short(inv, &c, word + 1, err);
        else
            ok = read_word(inv, word, err);
    }
    if (ok && options && is_slip(inv))
        ok = fail_slip(inv, err);
    return ok;
}

void sf_cli_release(struct sf_invocation *inv)
{
    free(inv->given);
    free(inv->args);
}

const char *sf_cli_get(const struct sf_invocation *inv, const char *name)
{
    for (size_t i = inv->given_count; i-- > 0;)
        if (!strcmp(inv->given[i].option->name, name))
            return inv->given[i].value ? inv->given[i].value : "";
    return NULL;
}

void sf_cli_give(struct sf_invocation *inv, const char *name, const char *value)
{
    const struct sf_command *root = &sf_root_command;

    for (size_t i = 0; i < root->option_count; i++)
        if (!strcmp(root->options[i].name, name)) {
            inv->given =
                sf_grow(inv->given, &inv->given_cap, inv->given_count + 1, sizeof(*inv->given));
            inv->given[inv->given_count++] = (struct sf_given){ &root->options[i], value };
        }
}

void sf_cli_drop(struct sf_invocation *inv, const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < inv->given_count; i++)
        if (strcmp(inv->given[i].option->name, name) != 0)
            inv->given[kept++] = inv->given[i];
    inv->given_count = kept;
}

bool sf_cli_check_args(const struct sf_invocation *inv, struct sf_error *err)
{
    const struct sf_command *command = sf_cli_command(inv);
    struct sf_strbuf name = SF_STRBUF_INIT;
    bool ok = false;

    sf_cli_add_name(&name, inv);
    if (!command->run)
        sf_fail(err, SF_E_ARG, "%s needs one of its commands", name.buf);
    else if (inv->arg_count < command->min_args)
        sf_fail(err, SF_E_ARG, "%s needs %s", name.buf, command->args);
    else if (inv->arg_count > command->max_args)
        sf_fail(err, SF_E_ARG, "%s: too many arguments, beginning with '%s'", name.buf,
                inv->args[command->max_args]);
    else
        ok = true;
    if (!ok)
        hint_help(inv, err);
    sf_strbuf_release(&name);
    return ok;
}
