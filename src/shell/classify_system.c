/*
 * classify_system.c: builtins that set variables or change directory, and programs that show the
 * system with one set of operands and change it with another.
 */
#include <string.h>

#include "shell/classifier.h"

/* date +FORMAT shows, date MMDDhhmm sets. */
void sf_classify_date(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands && !sf_options_has(call->options, "-j"); i++)
        if (call->operands[i]->text[0] != '+' &&
            !(call->operands[i]->flags & SF_WORD_EXPANDS && !call->operands[i]->head))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "system", call->operands[i]);
}

/* Signal 0 and the lists end nothing. */
void sf_classify_kill(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char harmless[] = "-0|-l|-L|--list|--table|-l*|--list=*";

    if (call->count < 2 || call->words[1].flags & SF_WORD_EXPANDS ||
        !sf_pattern_fits(harmless, sizeof(harmless) - 1, call->words[1].text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "kill", &call->words[0]);
}

/* `[ -v name ]`; the numeric signs of [ take numbers alone, but other shells evaluate there. */
static void judge_bracket(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char signs[] = "-eq|-ne|-lt|-le|-gt|-ge";

    for (size_t i = 1; i < call->count; i++) {
        const struct sf_word *w = &call->words[i];
        bool numeric = i + 1 < call->count && sf_pattern_fits(signs, sizeof(signs) - 1, w[1].text);

        if (!strcmp(w->text, "-v") && i + 1 < call->count)
            sf_arith_name(j, w + 1, w[1].text);
        else if ((numeric || (i > 1 && sf_pattern_fits(signs, sizeof(signs) - 1, w[-1].text))) &&
                 !(w->flags & SF_WORD_EXPANDS) && strchr(w->text, '['))
            sf_arith_judge(j, w, w->text, w->len);
    }
}

/* Names behind read, mapfile and their kin; options with one of the letters take the next word. */
static void judge_names(struct sf_classifier *j, const struct sf_shell_call *call,
                        const char *taking)
{
    for (size_t i = 1; i < call->count; i++) {
        const struct sf_word *w = &call->words[i];

        if (w->text[0] != '-')
            sf_arith_name(j, w, w->text);
        else if (w->len > 1 && strchr(taking, w->text[w->len - 1]))
            i++;
    }
}

/* A name behind unset; of one that nobody knows it may be any. */
static void judge_lost(struct sf_classifier *j, const struct sf_word *w)
{
    sf_classify_unassign(j, w->text, w);
    if (w->flags & (SF_WORD_EXPANDS | SF_WORD_BRACE | SF_WORD_GLOB))
        j->bare = true;
}

/* Builtins that are given names of variables; a subscript among those is evaluated. */
void sf_classify_subscripts(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const struct {
        const char *programs, *taking;
    } naming[] = { { "read", "pdnNtui" },
                   { "mapfile|readarray", "dnOsuCc" },
                   { "unset|getopts", "" } };
    const char *program = call->words[0].text;

    if (sf_pattern_fits("test|[", 6, program))
        judge_bracket(j, call);
    for (size_t i = 0; i < SF_COUNT(naming); i++)
        if (sf_pattern_fits(naming[i].programs, strlen(naming[i].programs), program))
            judge_names(j, call, naming[i].taking);
    for (size_t i = 1; i < call->count; i++) {
        const struct sf_word *w = &call->words[i];

        if (!strcmp(program, "unset"))
            judge_lost(j, w);
        if (!strcmp(program, "let"))
            sf_arith_judge(j, w, w->text, w->len);
        else if (i > 1 && ((!strcmp(w[-1].text, "-v") && !strcmp(program, "printf")) ||
                           (!strcmp(w[-1].text, "-p") && !strcmp(program, "wait"))))
            sf_arith_name(j, w, w->text);
    }
}

/* declare -n r=NAME: whatever r gets, NAME gets, and what NAME says is evaluated. */
static void judge_reference(struct sf_classifier *j, const struct sf_word *w, const char *name)
{
    struct sf_word value = { .text = "", .flags = SF_WORD_EXPANDS, .at = w->at, .span = w->span };
    size_t n = 0;

    while (sf_is_word_byte(name[n]))
        n++;
    if (w->flags & SF_WORD_EXPANDS || name[n])
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-expansion", w);
    sf_classify_assign(j, name, &value, SF_ASSIGN_SHELL);
}

/* -A of declare: subscripts are text from here on. */
static void note_map(struct sf_classifier *j, const struct sf_shell_call *call, const char *name)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    if (!sf_options_has(call->options, "-A") || call->cmd->loose)
        return;
    sf_strbuf_addf(&sb, "%s%.*s", SF_MAP, (int)strcspn(name, "=["), name);
    sf_cwd_set(j, sf_arena_strndup(j->arena, sb.buf, sb.len));
    sf_strbuf_release(&sb);
}

/* export, and -x of the others: programs see the variable from here on. */
static bool passes_on(const struct sf_shell_call *call)
{
    return strcmp(call->words[0].text, "export") != 0 ? sf_options_has(call->options, "-x")
                                                      : !sf_options_has(call->options, "-n");
}

/* `declare -a 'a=($(x))'`: in quotes or out of a variable, what looks like elements is read again. */
static void judge_elements(struct sf_classifier *j, const struct sf_shell_call *call,
                           const struct sf_word *w, const char *value)
{
    bool array =
        sf_options_has(call->options, "-a -A") ||
        sf_strlist_has(&j->arrays, sf_arena_strndup(j->arena, w->text, strcspn(w->text, "+=[")));

    if (w->npieces == 1 && w->pieces == &sf_piece_unknown)
        return; /* elements that were read as such */
    if (*value == '(' && w->head > (size_t)(value - w->text))
        sf_classify_expanded(j, w, value);
    else if (array && w->flags & SF_WORD_EXPANDS && w->head <= (size_t)(value - w->text))
        sf_arith_unknown(j, w);
}

/* One NAME=value behind declare and its kin. */
static void judge_declared(struct sf_classifier *j, const struct sf_shell_call *call,
                           const struct sf_word *w, const char *equals)
{
    size_t name = (size_t)(equals - w->text);
    struct sf_word value = *w;
    char *plain;

    value.text = equals + 1;
    value.len = (uint32_t)strlen(value.text);
    name -= name && w->text[name - 1] == '+';
    plain = sf_arena_strndup(j->arena, w->text, name);
    judge_elements(j, call, w, value.text);
    sf_classify_assign(j, plain, &value, passes_on(call) ? SF_ASSIGN_PASSED : SF_ASSIGN_SHELL);
    if (memchr(w->text, '[', name))
        sf_arith_judge(j, w, w->text + strcspn(w->text, "[") + 1, name - strcspn(w->text, "[") - 1);
    else if (!call->cmd->loose && !call->wrapped && name == (size_t)(equals - w->text))
        sf_cwd_set_behind(j, plain, call->cmd);
    if ((sf_options_has(call->options, "-i") || sf_arith_evaluates(j, plain)) &&
        !(w->npieces == 1 && w->pieces == &sf_piece_unknown))
        sf_arith_judge(j, w, equals + 1, value.len);
}

/* export, declare, local, readonly: assignments as operands. */
void sf_classify_declare(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool refers = strcmp(call->words[0].text, "export") != 0 && sf_options_has(call->options, "-n");

    for (size_t i = 1; i < call->count; i++) {
        const struct sf_word *w = &call->words[i];
        const char *equals = strchr(w->text, '=');

        if (w->text[0] == '-')
            continue;
        note_map(j, call, w->text);
        if (sf_options_has(call->options, "-i"))
            sf_survey_add(&j->integers,
                          sf_arena_strndup(j->arena, w->text, strcspn(w->text, "+=[")));
        if (refers && !equals)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-expansion", w);
        if (!equals && !(w->flags & SF_WORD_EXPANDS)) {
            if (passes_on(call))
                sf_classify_pass(j, w->text, w);
            else
                sf_classify_unassign(j, w->text, w);
            continue;
        }
        if (!equals ||
            (w->flags & SF_WORD_EXPANDS &&
             w->head <= (size_t)(equals - w->text))) { /* which variable that is cannot be known */
            if (!sf_options_has(call->options, "-p -f -F"))
                sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "variable-exec", w);
            continue;
        }
        judge_declared(j, call, w, equals);
        if (refers)
            judge_reference(j, w, equals + 1);
    }
}

/* -a passes on whatever is set from there on, -k each word of a command that looks like it. */
static bool passes_all(const struct sf_shell_call *call)
{
    for (size_t i = 1; i < call->count; i++) {
        const char *t = call->words[i].text;

        if (!strcmp(t, "--"))
            return false;
        if (sf_pattern_fits("allexport|keyword", 17, t) || (t[0] == '-' && strpbrk(t, "ak")))
            return true;
    }
    return false;
}

/* `set` alone and `env` show every variable, secrets included. */
void sf_classify_set(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (!strcmp(call->words[0].text, "set") && passes_all(call))
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "variable-steers", &call->words[0]);
    if (call->count < 2 || !strcmp(call->words[0].text, "printenv"))
        sf_classify_secret(j, &call->words[0]);
}

/* ip OBJECT [show …]: everything but looking changes the network. */
void sf_classify_ip(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char looking[] = "show|list|ls|lst|sh|get|help|identify|pids|dev|link|label";

    if (call->noperands && !sf_pattern_fits(looking, sizeof(looking) - 1, call->operands[0]->text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "network-setup", call->operands[0]);
}

/* With an interface alone they show it. */
void sf_classify_ifconfig(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands > 1)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "network-setup", call->operands[1]);
}

/* mount alone lists; with operands it mounts. */
void sf_classify_mount(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands || call->options->unknown)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "disk", &call->argv[0]);
}

/* A listing option beside one nobody listed is no listing. */
void sf_classify_looks_only(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->options->unknown || call->noperands > 1)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "disk", &call->argv[0]);
}

/* systemctl and its kin without a verb show the state. */
void sf_classify_service(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "service", call->operands[0]);
}

/* cd - and popd: back to where the text itself came from, or to an unknown place. */
static bool goes_back(struct sf_classifier *j, const char *program, const struct sf_word *w,
                      bool surely)
{
    if (!strcmp(program, "popd") || (!strcmp(program, "pushd") && (!w || *w->text == '+'))) {
        sf_cwd_pop(j);
        return true;
    }
    return w && !strcmp(w->text, "-") && sf_cwd_return(j, surely);
}

static bool is_valued(const struct sf_classifier *j, const char *name)
{
    for (size_t i = 0; i < j->nvalues; i++)
        if (!strcmp(j->values[i].name, name))
            return true;
    return false;
}

/*
 * Relative names mean something else behind `cd /etc`. Whoever goes to a directory looks at it:
 * what follows need not name it again.
 */
void sf_classify_cd(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const struct sf_word home = { .text = "~", .len = 1, .head = 1, .tail = 1 };
    const char *program = call->words[0].text;
    const struct sf_word *w = call->noperands ? call->operands[0] : NULL;
    bool surely = !call->wrapped && !call->cmd->loose;
    struct sf_word_values to = { .anywhere = true };

    if (strcmp(program, "popd") != 0 &&
        (!w || (sf_leads_away(w, w->text) &&
                (is_valued(j, "CDPATH") || !sf_stays_inside(j, w, w->text)))))
        j->away = true;
    if (goes_back(j, program, w, surely))
        return;
    w = w ? w : &home;
    if (strcmp(w->text, "-") != 0 && !is_valued(j, "CDPATH")) {
        sf_word_values_of(j, w, w->text, &to);
        sf_classify_reads(j, w, w->text);
    } else {
        sf_classify_reads(j, &(struct sf_word){ .text = "", .flags = SF_WORD_EXPANDS }, "");
    }
    sf_cwd_go(j, &to, surely, !strcmp(program, "pushd"));
}

/* hostname NAME sets it */
void sf_classify_hostname(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "system", call->operands[0]);
}

/* sysctl name=value sets */
void sf_classify_sysctl(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++)
        if (strchr(call->operands[i]->text, '='))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "system", call->operands[i]);
}
