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

static bool holds_command(const char *text)
{
    return strstr(text, "$(") || strchr(text, '`');
}

/* read, printf -v, unset, let, test -v: a name with a subscript is evaluated. */
void sf_classify_subscripts(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char evaluating[] = "read|unset|let|mapfile|readarray|getopts|wait";
    static const char signs[] = "-v|-eq|-ne|-lt|-le|-gt|-ge";
    bool evaluates = sf_pattern_fits(evaluating, sizeof(evaluating) - 1, call->words[0].text);

    for (size_t i = 1; i < call->count; i++)
        evaluates = evaluates || sf_pattern_fits(signs, sizeof(signs) - 1, call->words[i].text);
    for (size_t i = 1; evaluates && i < call->count; i++)
        if (holds_command(call->words[i].text) && strchr(call->words[i].text, '['))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-command", &call->words[i]);
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
    sf_classify_assign(j, name, &value, true);
}

/* export, declare, local, readonly: assignments as operands. */
void sf_classify_declare(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool refers = strcmp(call->words[0].text, "export") != 0 && sf_options_has(call->options, "-n");

    for (size_t i = 1; i < call->count; i++) {
        const struct sf_word *w = &call->words[i];
        const char *equals = strchr(w->text, '=');
        size_t name = equals ? (size_t)(equals - w->text) : w->len;
        struct sf_word value = *w;

        if (w->text[0] == '-' || (!equals && !(w->flags & SF_WORD_EXPANDS)))
            continue;
        if (!equals || (w->flags & SF_WORD_EXPANDS &&
                        w->head <= name)) { /* which variable that is cannot be known */
            if (!sf_options_has(call->options, "-p -f -F"))
                sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "variable-exec", w);
            continue;
        }
        value.text = equals + 1;
        value.len = (uint32_t)strlen(value.text);
        name -= name && w->text[name - 1] == '+';
        sf_classify_assign(j, sf_arena_strndup(j->arena, w->text, name), &value, false);
        if (refers)
            judge_reference(j, w, value.text);
        if (memchr(w->text, '[', (size_t)(equals - w->text)) && holds_command(w->text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-command", w);
        if (sf_options_has(call->options, "-i") && holds_command(w->text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-command", w);
    }
}

/* `set` alone and `env` show every variable, secrets included. */
void sf_classify_set(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->count < 2 || !strcmp(call->words[0].text, "printenv"))
        j->secret = &call->words[0];
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
