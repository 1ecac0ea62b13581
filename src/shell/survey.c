/*
 * survey.c: functions, variables and hidden values of a whole text, before any of it is judged:
 * what a command further down sets may be what one further up meets in its next round.
 */
#include <string.h>

#include "shell/classifier.h"

static bool holds_command(const char *text)
{
    return strstr(text, "$(") || strchr(text, '`');
}

/* `a[$(x)]`: a text that runs x wherever arithmetic evaluates it. */
static bool arms(const char *text, size_t len)
{
    bool inside = false;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '[' || text[i] == ']')
            inside = text[i] == '[';
        else if (inside &&
                 (text[i] == '`' || (text[i] == '$' && i + 1 < len && text[i + 1] == '(')))
            return true;
    }
    return false;
}

void sf_survey_add(struct sf_strlist *list, const char *name)
{
    if (list->count < SF_NAMES_MAX && strlen(name) < 128)
        sf_strlist_add(list, name);
}

/* One value by which the text tells what the variable holds; `more` has its flags. */
static void note_value(struct sf_classifier *j, const char *name, const struct sf_word *value,
                       struct sf_value more)
{
    bool inside = !(value->flags & SF_WORD_EXPANDS) && value->len && value->text[0] != '-' &&
                  sf_reach_of(j, value, value->text) == SF_REACH_INSIDE;

    if (holds_command(value->text))
        j->armed = true;
    if (sf_is_secret(value->text))
        sf_classify_reads(j, value, value->text); /* f=.env; cat $f */
    more.name = name;
    more.word = value;
    more.text = value->text;
    more.shell = j->shell;
    sf_value_note(j, &more);
    sf_survey_add(inside ? &j->safe_names : &j->open_names, name);
    if (j->open_names.count >= SF_NAMES_MAX)
        sf_strlist_release(&j->safe_names);
}

/* `find . | while read -r f`: a name found in the workspace, unless something else feeds it. */
static bool reads_names(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    return !strcmp(cmd->words[0].text, "read") && cmd->feed && !cmd->from && !cmd->redirects &&
           !j->group_input && sf_outputs_inside(j, cmd->feed);
}

/* The elements of an array; where `[subscript]=` stands in front, what is behind it. */
static void note_items(struct sf_classifier *j, const struct sf_assign *a)
{
    for (size_t i = 0; i < a->nitems; i++) {
        const struct sf_word *item = &a->items[i];
        const char *value = item->text[0] == '[' ? strstr(item->text, "]=") : NULL;

        sf_value_note(j, &(struct sf_value){ .name = a->name,
                                             .word = item,
                                             .text = value ? value + 2 : item->text,
                                             .shell = j->shell,
                                             .element = true });
    }
}

/* The words of a builtin that sets variables, without what stands in front of it. */
static const struct sf_word *builtin_words(const struct sf_shell_command *cmd, size_t *count)
{
    static const char fronts[] = "builtin|command|-p|--";
    size_t i = 0;

    while (i < cmd->count && sf_pattern_fits(fronts, sizeof(fronts) - 1, cmd->words[i].text))
        i++;
    *count = cmd->count - i;
    return cmd->words + i;
}

static bool is_declared_array(const struct sf_shell_command *cmd, const char *name)
{
    for (const struct sf_assign *a = cmd->declared; a; a = a->next)
        if (!strcmp(a->name, name))
            return true;
    return false;
}

/* What a builtin does to the values of one of the names behind it. */
static void note_new_value(struct sf_classifier *j, const struct sf_shell_command *cmd,
                           const struct sf_word *words, size_t i, const char *name)
{
    static const char declaring[] = "declare|typeset|local|export|readonly";
    static const char keeping[] = "export|readonly|printf|wait|let";
    const char *program = words[0].text, *equals = strchr(words[i].text, '=');
    bool declares = sf_pattern_fits(declaring, sizeof(declaring) - 1, program);

    if (declares && equals && !strchr(name, '['))
        sf_value_note(j, &(struct sf_value){ .name = name,
                                             .word = &words[i],
                                             .text = equals + 1,
                                             .shell = j->shell,
                                             .array = is_declared_array(cmd, name) });
    if (declares && equals && (words[i].text[strlen(name)] != '=' || strchr(name, '[')))
        sf_value_note(j, &(struct sf_value){ .name = name });
    else if (!declares && (!sf_pattern_fits(keeping, sizeof(keeping) - 1, program) || equals ||
                           (i > 1 && !strcmp(words[i - 1].text, "-v"))))
        sf_value_note(j, &(struct sf_value){ .name = name,
                                             .listed = reads_names(j, cmd) ? cmd->feed : NULL });
}

/* An attribute that declare and its kin give, wherever its letter stands among their options. */
static bool declares(const struct sf_word *words, size_t count, char attribute)
{
    static const char declaring[] = "declare|typeset|local|export|readonly";

    if (!sf_pattern_fits(declaring, sizeof(declaring) - 1, words[0].text))
        return false;
    for (size_t i = 1; i < count; i++)
        if (words[i].text[0] == '-' && strchr(words[i].text, attribute))
            return true;
    return false;
}

static void note_number(struct sf_classifier *j, const char *name)
{
    sf_value_note(j, &(struct sf_value){ .name = name, .number = true });
}

/* `printf -vx`, `read -rax`: the name is the rest of the option. */
static void note_attached(struct sf_classifier *j, const char *program, const char *option)
{
    static const struct {
        const char *program;
        char letter;
    } naming[] = { { "printf", 'v' }, { "wait", 'p' }, { "read", 'a' } };

    for (size_t i = 0; i < SF_COUNT(naming); i++) {
        const char *letter = strchr(option, naming[i].letter);

        if (!strcmp(program, naming[i].program) && letter && letter[1])
            sf_value_note(j, &(struct sf_value){ .name = letter + 1 });
    }
}

/* What they fill when they are given no name. */
static void note_silent_names(struct sf_classifier *j, const char *program)
{
    static const struct {
        const char *programs, *name;
    } silent[] = { { "read", "REPLY" },
                   { "mapfile|readarray", "MAPFILE" },
                   { "getopts", "OPTARG" } };

    for (size_t i = 0; i < SF_COUNT(silent); i++)
        if (sf_pattern_fits(silent[i].programs, strlen(silent[i].programs), program))
            sf_value_note(j, &(struct sf_value){ .name = silent[i].name });
}

/* declare -n r=x: r stands for x, and what r is given x gets. */
static void note_reference(struct sf_classifier *j, const char *text, const char *name)
{
    const char *equals = strchr(text, '=');

    sf_value_note(j, &(struct sf_value){ .name = name });
    if (equals)
        sf_value_note(j, &(struct sf_value){ .name = equals + 1 });
}

/* Builtins that set variables to what only the run will show. */
static void note_unknown_values(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    static const char setters[] =
        "read|mapfile|readarray|getopts|printf|declare|typeset|local|export|readonly|let|unset|"
        "wait";
    size_t count;
    const struct sf_word *words = builtin_words(cmd, &count);
    bool integers, refers, maps, arrays;

    if (!count || !sf_pattern_fits(setters, sizeof(setters) - 1, words[0].text))
        return;
    integers = declares(words, count, 'i');
    maps = declares(words, count, 'A');
    arrays = maps || declares(words, count, 'a');
    refers = declares(words, count, 'n') && strcmp(words[0].text, "export") != 0;
    note_silent_names(j, words[0].text);
    for (size_t i = 1; i < count; i++) {
        const char *text = words[i].text;
        char *name = sf_arena_strndup(j->arena, text, strcspn(text, "+=["));

        if (holds_command(text))
            j->armed = true;
        if (*text == '-') {
            note_attached(j, words[0].text, text);
            continue;
        }
        sf_survey_add(&j->open_names, name);
        j->odd_splits = j->odd_splits || !strcmp(name, "IFS");
        if (!strcmp(words[0].text, "unset"))
            sf_survey_add(&j->dropped, name);
        if (!strcmp(words[0].text, "let"))
            sf_arith_assigns(j, &words[i], text, words[i].len, note_number);
        else if (refers)
            note_reference(j, text, name);
        else
            note_new_value(j, cmd, words, i, name);
        if (integers)
            sf_survey_add(&j->integers, name);
        if (maps)
            sf_survey_add(&j->maps, name);
        if (arrays)
            sf_survey_add(&j->arrays, name);
    }
}

static const char *const positions[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9" };

static void lose_positions(struct sf_classifier *j, size_t from)
{
    for (size_t i = from; i < SF_COUNT(positions); i++)
        sf_value_note(j, &(struct sf_value){ .name = positions[i] });
}

/* `$n` of a loop over plain words is one word, quoted or not. */
static bool is_one_word(const struct sf_classifier *j, const struct sf_word *w)
{
    size_t given = 0;

    if (!(w->flags & (SF_WORD_SPLITS | SF_WORD_GLOB)))
        return true;
    if (j->odd_splits || w->npieces != 1 || w->len || w->pieces[0].kind != SF_PIECE_VALUE)
        return false;
    for (size_t i = 0; i < j->nvalues; i++) {
        const struct sf_value *v = &j->values[i];

        if (strcmp(v->name, w->pieces[0].name) != 0)
            continue;
        given++;
        if (!v->each || !v->word || v->word->flags & (SF_WORD_EXPANDS | SF_WORD_GLOB) ||
            strpbrk(v->word->text, " \t\n*?["))
            return false;
    }
    return given > 0;
}

/* What `$1` stands for: the words of every call of a function; set and shift move them. */
static void note_positions(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    const char *program = cmd->count ? cmd->words[0].text : "";

    if (!strcmp(program, "shift") || (!strcmp(program, "set") && cmd->count > 1))
        lose_positions(j, 0);
    if (!sf_strlist_has(&j->functions, program))
        return;
    for (size_t i = 1; i < cmd->count && i <= SF_COUNT(positions); i++) {
        if (!is_one_word(j, &cmd->words[i])) {
            lose_positions(j, i - 1); /* it may become several words, or none */
            return;
        }
        note_value(j, positions[i - 1], &cmd->words[i], (struct sf_value){ 0 });
    }
}

/* A function that calls itself never ends, or ends the machine. */
static void judge_recursion(struct sf_classifier *j, const struct sf_shell_command *function)
{
    for (const struct sf_shell_command *cmd = function->next; cmd; cmd = cmd->next)
        if (cmd->at < function->body_end && cmd->kind == SF_SHELL_SIMPLE && cmd->count &&
            !strcmp(cmd->words[0].text, function->words[0].text))
            sf_classify_rename(j, SF_CLASS_DESTRUCTIVE, "fork-bomb", &cmd->words[0]);
}

/* Words and inputs that arithmetic would run, should they ever get into it. */
static void survey_texts(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (size_t i = 0; i < cmd->count; i++)
        j->armed = j->armed || arms(cmd->words[i].text, cmd->words[i].len);
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next)
        j->armed = j->armed || arms(r->target.text, r->target.len) ||
                   (r->body && arms(r->body, r->body_len));
}

static void survey_group(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next)
        j->group_input = j->group_input || r->op == SF_REDIRECT_READ || r->op == SF_REDIRECT_TEXT ||
                         r->op == SF_REDIRECT_STRING;
}

/* `IFS=, read …` is for that command alone; any other value of IFS changes how words fall apart. */
static bool splits_oddly(const struct sf_shell_command *cmd, const struct sf_assign *a)
{
    static const char readers[] = "read|mapfile|readarray";

    return !strcmp(a->name, "IFS") &&
           !(cmd->count && sf_pattern_fits(readers, sizeof(readers) - 1, cmd->words[0].text));
}

static void survey_assigns(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (const struct sf_assign *a = cmd->assigns; a; a = a->next) {
        j->odd_splits = j->odd_splits || splits_oddly(cmd, a);
        note_value(j, a->name, &a->value,
                   (struct sf_value){ .array = a->nitems > 0, .joins = a->adds && !a->array });
        note_items(j, a);
        if (a->array)
            sf_survey_add(&j->arrays, a->name);
        if (a->adds)
            sf_value_note(j, &(struct sf_value){ .name = a->name, .appended = true });
    }
    for (const struct sf_assign *a = cmd->declared; a; a = a->next)
        note_items(j, a);
}

static void survey_loop(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (size_t i = 1; i < cmd->count; i++)
        note_value(j, cmd->words[0].text, &cmd->words[i], (struct sf_value){ .each = true });
    if (cmd->count == 1) {
        sf_survey_add(&j->open_names, cmd->words[0].text);
        sf_value_note(j, &(struct sf_value){ .name = cmd->words[0].text });
    }
    sf_value_note(j, &(struct sf_value){ .name = "REPLY" }); /* of select */
}

static void survey_functions(struct sf_classifier *j, const struct sf_shell *shell)
{
    for (const struct sf_shell_command *cmd = shell->first; cmd; cmd = cmd->next) {
        if (cmd->kind == SF_SHELL_GROUP)
            survey_group(j, cmd);
        if (cmd->kind != SF_SHELL_FUNCTION || !cmd->count)
            continue;
        sf_survey_add(&j->functions, cmd->words[0].text);
        if (j->functions.count < SF_NAMES_MAX)
            judge_recursion(j, cmd);
    }
}

void sf_survey(struct sf_classifier *j, const struct sf_shell *shell)
{
    size_t before;

    survey_functions(j, shell);
    if (j->depth)
        lose_positions(j, 0); /* a text inside another one has parameters of its own */
    before = j->nvalues;
    for (const struct sf_shell_command *cmd = shell->first; cmd; cmd = cmd->next) {
        survey_texts(j, cmd);
        survey_assigns(j, cmd);
        if (cmd->kind == SF_SHELL_ARITH)
            sf_arith_assigns(j, &cmd->words[0], cmd->words[0].text, cmd->words[0].len, note_number);
        if (cmd->kind == SF_SHELL_FOR && cmd->count)
            survey_loop(j, cmd);
        if (cmd->kind != SF_SHELL_SIMPLE)
            continue;
        note_unknown_values(j, cmd);
        j->moves = j->moves || sf_moves(cmd);
    }
    for (const struct sf_shell_command *cmd = shell->first; cmd; cmd = cmd->next)
        if (cmd->kind == SF_SHELL_SIMPLE)
            note_positions(j, cmd);
    j->late = j->late || (j->depth && j->nvalues > before);
}
