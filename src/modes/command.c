/*
 * command.c: a cursor over the words of a line, one parser for each form of command, and the table
 * of commands. Words are copied one at a time into a small buffer; a word that does not fit is cut
 * at a length that no known word has.
 */
#include "modes/command.h"

#include <string.h>

#include "modes/names.h"

enum { WORD_MAX = 64 }; /* longer than every name */

struct sf_command_words {
    const char *text, *end; /* the rest of the line */
    const struct sf_scope_set *scopes;
    const struct sf_mode_command_row *row;
    char word[WORD_MAX + 2]; /* the last one taken */
};

static bool white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_white(struct sf_command_words *w)
{
    while (w->text < w->end && white(*w->text))
        w->text++;
}

/* False: no word is left. */
static bool take(struct sf_command_words *w)
{
    size_t len = 0;

    skip_white(w);
    for (; w->text < w->end && !white(*w->text); w->text++)
        if (len < sizeof(w->word) - 1)
            w->word[len++] = *w->text;
    w->word[len] = '\0';
    return len > 0;
}

static bool usage(const struct sf_command_words *w, const char *what, struct sf_error *err)
{
    char quote[SF_QUOTE_MAX];

    sf_fail(err, SF_E_ARG, "/%s: %s%s%s%s", w->row->name, what, *w->word ? " \"" : "",
            *w->word ? sf_quote(quote, w->word, strlen(w->word)) : "", *w->word ? "\"" : "");
    return sf_hint(err, "/%s %s", w->row->name, w->row->args);
}

static bool no_more(struct sf_command_words *w, struct sf_error *err)
{
    return !take(w) || usage(w, "nothing was expected at", err);
}

static bool add_axis(struct sf_mode_command *out, enum sf_axis axis, const char *word,
                     struct sf_error *err)
{
    int value;

    if (!sf_axis_parse(axis, word, &value, err))
        return false;
    sf_change_axis(&out->change, axis, value);
    /* Asking for autonomous also resumes a paused run. */
    if (axis == SF_AXIS_CONTROL && value == SF_RUN_AUTONOMOUS)
        sf_change_paused(&out->change, false);
    return true;
}

static bool add_scope(const struct sf_command_words *w, struct sf_mode_command *out,
                      const char *word, struct sf_error *err)
{
    const struct sf_scope *scope = sf_scope_get(w->scopes, word, err);

    if (scope)
        sf_change_scope(&out->change, scope->name);
    return scope != NULL;
}

static bool no_mode(const char *word, struct sf_error *err)
{
    struct sf_strbuf list = SF_STRBUF_INIT;
    char quote[SF_QUOTE_MAX];
    struct sf_suggest s;

    sf_fail(err, SF_E_ARG, "there is no mode called \"%s\"", sf_quote(quote, word, strlen(word)));
    sf_suggest_start(&s, word);
    for (size_t i = 0; sf_work_mode_names[i]; i++) {
        sf_suggest_offer(&s, sf_work_mode_names[i]);
        sf_strbuf_addf(&list, "%s%s", i ? ", " : "one of ", sf_work_mode_names[i]);
    }
    for (size_t i = 0; i < SF_PRESET_COUNT; i++) {
        sf_suggest_offer(&s, sf_presets[i].name);
        sf_strbuf_addf(&list, ", %s (%s)", sf_presets[i].number, sf_presets[i].name);
    }
    sf_suggest_hint(&s, list.buf, err);
    sf_strbuf_release(&list);
    return false;
}

/* The work mode wins where a preset has the same name. */
static bool add_mode(struct sf_mode_command *out, const char *word, struct sf_error *err)
{
    if (sf_names_find(sf_work_mode_names, word) >= 0)
        return add_axis(out, SF_AXIS_WORK, word, err);
    out->preset = sf_preset_find(word, &out->rewritten);
    if (!out->preset)
        return no_mode(word, err);
    sf_preset_change(out->preset, &out->change);
    return true;
}

/* An axis or the scope. */
static bool add_field(const struct sf_command_words *w, struct sf_mode_command *out,
                      enum sf_field field, const char *word, struct sf_error *err)
{
    if (field == SF_FIELD_WORK)
        return add_mode(out, word, err);
    if (field == SF_FIELD_SCOPE)
        return add_scope(w, out, word, err);
    return add_axis(out, (enum sf_axis)field, word, err);
}

/* -1: the word names no field. */
static int field_by_word(const char *word)
{
    return !strcmp(word, "scope") ? (int)SF_FIELD_SCOPE : sf_axis_by_word(word);
}

static const struct option {
    const char *name;
    enum sf_field field;
    const char *value; /* NULL: the option takes one */
} options[] = {
    { "--manual", SF_FIELD_CONTROL, "manual" },
    { "--assisted", SF_FIELD_CONTROL, "assisted" },
    { "--autonomous", SF_FIELD_CONTROL, "autonomous" },
    { "--control", SF_FIELD_CONTROL, NULL },
    { "--permission-profile", SF_FIELD_PROFILE, NULL },
    { "--model-mode", SF_FIELD_MODEL, NULL },
    { "--scope", SF_FIELD_SCOPE, NULL },
};

static const struct option *find_option(const char *name, struct sf_error *err)
{
    struct sf_suggest s;
    char quote[SF_QUOTE_MAX];

    for (size_t i = 0; i < SF_COUNT(options); i++)
        if (!strcmp(options[i].name, name))
            return &options[i];
    sf_fail(err, SF_E_ARG, "/mode has no option \"%s\"", sf_quote(quote, name, strlen(name)));
    sf_suggest_start(&s, name);
    for (size_t i = 0; i < SF_COUNT(options); i++)
        sf_suggest_offer(&s, options[i].name);
    if (s.best)
        sf_hint(err, "did you mean %s?", s.best);
    else
        sf_hint(err, "/mode %s", sf_mode_command_find("mode")->args);
    return NULL;
}

/* Reads the option in w->word, and its value after "=" or from the next word. */
static bool read_option(struct sf_command_words *w, struct sf_mode_command *out, unsigned *given,
                        struct sf_error *err)
{
    char *value = strchr(w->word, '=');
    const struct option *option;

    if (value)
        *value++ = '\0';
    option = find_option(w->word, err);
    if (!option)
        return false;
    if (*given & SF_FIELD_BIT(option->field))
        return sf_fail(err, SF_E_ARG, "the %s is given twice", sf_field_nouns[option->field]);
    *given |= SF_FIELD_BIT(option->field);
    if (option->value && value)
        return sf_fail(err, SF_E_ARG, "%s takes no value", option->name);
    if (option->value)
        return add_field(w, out, option->field, option->value, err);
    if (value)
        return add_field(w, out, option->field, value, err);
    if (!take(w))
        return sf_fail(err, SF_E_ARG, "%s needs a value", option->name);
    return add_field(w, out, option->field, w->word, err);
}

/* Options override the mode, wherever they appear in the line. */
static bool read_mode(struct sf_command_words *w, struct sf_mode_command *out, struct sf_error *err)
{
    struct sf_mode_command on_top = { .change = SF_MODE_CHANGE_INIT };
    unsigned given = 0;
    bool named = false;

    while (take(w)) {
        if (!strncmp(w->word, "--", 2)) {
            if (!read_option(w, &on_top, &given, err))
                return false;
        } else if (named) {
            return usage(w, "one mode at a time, not also", err);
        } else if (!add_mode(out, w->word, err)) {
            return false;
        } else {
            named = true;
        }
    }
    if (!named && !given)
        return true;
    out->kind = SF_COMMAND_CHANGE;
    sf_change_put(&out->change, &on_top.change);
    return true;
}

static bool read_value(struct sf_command_words *w, struct sf_mode_command *out,
                       struct sf_error *err)
{
    if (!take(w))
        return true;
    out->kind = SF_COMMAND_CHANGE;
    return add_field(w, out, w->row->field, w->word, err) && no_more(w, err);
}

static bool read_autonomous(struct sf_command_words *w, struct sf_mode_command *out,
                            struct sf_error *err)
{
    out->kind = SF_COMMAND_START;
    return add_axis(out, SF_AXIS_CONTROL, "autonomous", err) && no_more(w, err);
}

/* The rest of the text without blanks around it; NULL: there is none. */
static void take_rest(struct sf_command_words *w, const char **text, size_t *len)
{
    const char *end = w->end;

    skip_white(w);
    while (end > w->text && white(end[-1]))
        end--;
    *text = end > w->text ? w->text : NULL;
    *len = *text ? (size_t)(end - w->text) : 0;
}

static bool read_next(struct sf_command_words *w, struct sf_mode_command *out, struct sf_error *err)
{
    out->kind = SF_COMMAND_NEXT;
    take_rest(w, &out->words, &out->words_len);
    return out->words || add_axis(out, SF_AXIS_CONTROL, "assisted", err);
}

static bool read_pause(struct sf_command_words *w, struct sf_mode_command *out,
                       struct sf_error *err)
{
    out->kind = SF_COMMAND_PAUSE;
    sf_change_paused(&out->change, true);
    return no_more(w, err);
}

static bool read_stop(struct sf_command_words *w, struct sf_mode_command *out, struct sf_error *err)
{
    out->kind = SF_COMMAND_STOP;
    return add_axis(out, SF_AXIS_CONTROL, "manual", err) && no_more(w, err);
}

/* "/trust" alone turns trust on; the machine asks for a confirmation or refuses. */
static bool read_trust(struct sf_command_words *w, struct sf_mode_command *out,
                       struct sf_error *err)
{
    enum { OFF, ON, LIST };
    static const char *const words[] = { "off", "on", "list", "add", "remove", "never", NULL };
    int word = ON;

    if (take(w) && !sf_names_parse(words, "switch", w->word, &word, err))
        return false;
    if (word >= LIST) { /* about the workspace's files, not about the axis */
        out->words = words[word];
        out->words_len = strlen(words[word]);
        return no_more(w, err);
    }
    out->kind = SF_COMMAND_CHANGE;
    sf_change_trust(&out->change, word == ON);
    return no_more(w, err);
}

static bool say(struct sf_command_words *w, struct sf_mode_command *out, struct sf_error *err)
{
    out->kind = SF_COMMAND_WORDS;
    take_rest(w, &out->words, &out->words_len);
    if (out->words)
        return true;
    w->word[0] = '\0';
    return usage(w, "there are no words to say", err);
}

/*
 * What follows "/steer mode" may be a sentence for the agent that happens to begin like a change:
 * if it has more than three words, or if neither the value nor the moment is known.
 */
static bool is_sentence(struct sf_command_words w, enum sf_field field)
{
    struct sf_mode_command ignored = { .kind = SF_COMMAND_CHANGE };
    struct sf_error err;
    bool known;

    if (!take(&w))
        return false;
    known = add_field(&w, &ignored, field, w.word, &err);
    if (!take(&w))
        return false;
    known = known || sf_names_find(sf_when_names, w.word) >= 0;
    return !known || take(&w);
}

static bool steer_field(struct sf_command_words *w, struct sf_mode_command *out,
                        enum sf_field field, struct sf_error *err)
{
    int when;

    out->kind = SF_COMMAND_CHANGE;
    if (!take(w))
        return usage(w, "the value is missing", err);
    if (!add_field(w, out, field, w->word, err))
        return false;
    if (!take(w))
        return true;
    if (!sf_names_parse(sf_when_names, "moment", w->word, &when, err))
        return false;
    out->when = (enum sf_when)when;
    return true;
}

/* After "--" everything is text for the agent. */
static bool read_steer(struct sf_command_words *w, struct sf_mode_command *out,
                       struct sf_error *err)
{
    const char *start = w->text;
    int field;

    take(w);
    if (!strcmp(w->word, "--"))
        return say(w, out, err);
    field = field_by_word(w->word);
    if (field >= 0 && !is_sentence(*w, (enum sf_field)field))
        return steer_field(w, out, (enum sf_field)field, err);
    w->text = start;
    return say(w, out, err);
}

const struct sf_mode_command_row sf_mode_commands[] = {
    { "mode",
      "[NAME] [--autonomous|--assisted|--manual|--control V] [--permission-profile P] "
      "[--model-mode M] [--scope S]",
      "show or change the work mode; NAME may be a preset (plan is 1, agent 2, yolo 3)", read_mode,
      SF_FIELD_WORK },
    { "control", "[manual|assisted|autonomous]", "show or change who drives", read_value,
      SF_FIELD_CONTROL },
    { "permission-profile", "[restricted|normal|trusted|unrestricted]",
      "show or change what may be done unasked", read_value, SF_FIELD_PROFILE },
    { "model-mode", "[fast|smart|deep]", "show or change how hard it thinks", read_value,
      SF_FIELD_MODEL },
    { "scope", "[NAME]", "show or change what may be written", read_value, SF_FIELD_SCOPE },
    { "autonomous", "", "let sf drive: carry out the accepted plan, or go on with it",
      read_autonomous, SF_FIELD_CONTROL },
    { "next", "[accept|redo|skip|approve ID [WORDS]]",
      "assisted: one unit of the plan, then you look; or decide about one", read_next,
      SF_FIELD_CONTROL },
    { "pause", "", "pause the run: what runs ends first; /autonomous goes on", read_pause,
      SF_FIELD_PAUSED },
    { "stop", "", "end the run, keep its work, and go back to manual", read_stop,
      SF_FIELD_CONTROL },
    { "steer", "mode|control|permission-profile|model-mode|scope VALUE [WHEN] | WORDS",
      "change a mode at a moment of your choice, or say something to the running agent", read_steer,
      SF_FIELD_WORK },
    { "trust", "[on|off|list]",
      "lift the fence around the workspace for this session; list: trust in its files", read_trust,
      SF_FIELD_TRUST },
};
const size_t sf_mode_command_count = SF_COUNT(sf_mode_commands);

const struct sf_mode_command_row *sf_mode_command_find(const char *name)
{
    for (size_t i = 0; i < sf_mode_command_count; i++)
        if (!strcmp(sf_mode_commands[i].name, name))
            return &sf_mode_commands[i];
    return NULL;
}

static bool unknown(const char *name, struct sf_error *err)
{
    struct sf_suggest s;
    char quote[SF_QUOTE_MAX];

    sf_fail(err, SF_E_NOENT, "there is no command /%s", sf_quote(quote, name, strlen(name)));
    if (!strcmp(name, "sf"))
        return sf_hint(err, "commands stand for themselves: /mode, /control, /steer");
    sf_suggest_start(&s, name);
    for (size_t i = 0; i < sf_mode_command_count; i++)
        sf_suggest_offer(&s, sf_mode_commands[i].name);
    return s.best ? sf_hint(err, "did you mean /%s?", s.best) : false;
}

bool sf_mode_command_parse(const char *text, size_t len, const struct sf_scope_set *scopes,
                           struct sf_mode_command *out, struct sf_error *err)
{
    struct sf_command_words w = { .text = text, .end = text + len, .scopes = scopes };

    *out = (struct sf_mode_command){ .kind = SF_COMMAND_SHOW, .when = SF_WHEN_DEFAULT };
    if (len > SF_COMMAND_TEXT)
        return sf_fail(err, SF_E_LIMIT, "a command has at most %d bytes", SF_COMMAND_TEXT);
    if (memchr(text, '\0', len))
        return sf_fail(err, SF_E_ARG, "a command cannot hold a NUL");
    if (!take(&w) || w.word[0] != '/')
        return sf_fail(err, SF_E_ARG, "a command begins with a slash");
    w.row = sf_mode_command_find(w.word + 1);
    if (!w.row)
        return unknown(w.word + 1, err);
    out->field = w.row->field;
    return w.row->read(&w, out, err);
}
