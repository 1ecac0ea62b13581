/*
 * effects.c: what the options of a command mean, by the signs of its fact: each raises the class,
 * names a file or holds a text that is read in turn. An option nobody knows, and a word that may be
 * any of them, count as the worst of the list.
 */
#include <string.h>

#include "shell/classifier.h"

/* The command works there; where else it would have worked still counts. */
static void work_there(struct sf_classifier *j, const struct sf_word_option *o)
{
    const struct sf_dirs here = j->where.now.here;
    struct sf_dirs *now = &j->where.now.here;
    struct sf_word_values to;

    sf_classify_reads(j, o->value_in, o->value);
    sf_word_values_of(j, o->value_in, o->value, &to);
    for (size_t i = 0; i < to.count; i++)
        for (unsigned k = 0; k < here.count; k++)
            sf_dirs_add(now, sf_dir_join(j, here.at[k], to.texts[i]));
    now->unknown = now->unknown || to.anywhere;
}

/* `git log --output=f`: a file is written that the command alone would not. */
static void note_writing(struct sf_classifier *j, const struct sf_fact *fact,
                         const struct sf_word_option *o)
{
    struct sf_strlist *list = &j->report->writing;

    if ((fact->class != SF_CLASS_READONLY && fact->class != SF_CLASS_NETWORK) ||
        (o->value && sf_reach_of(j, o->value_in, o->value) == SF_REACH_SINK))
        return;
    if (list->count < SF_REPORT_ITEMS)
        sf_strlist_addf(list, "%s%.*s", o->dashes ? "--" : "-", (int)o->name_len, o->name);
}

static void apply_option(struct sf_classifier *j, const struct sf_fact *fact,
                         const struct sf_word_option *o)
{
    switch (o->effect) {
    case '>':
        note_writing(j, fact, o);
        if (o->value)
            sf_classify_write(j, o->value_in, o->value);
        else
            sf_classify_raise(j, SF_CLASS_LOCAL_EDIT, "option-writes", o->word);
        break;
    case '<':
        if (o->value)
            sf_classify_reads(j, o->value_in, o->value);
        break;
    case ';':
        if (o->value)
            sf_classify_reads(j, o->value_in, o->value);
        sf_classify_reads_list(j, o->value ? o->value : "");
        break;
    case '!':
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", o->word);
        break;
    case '$':
        if (o->value)
            sf_classify_word_text(j, o->value_in, o->value);
        break;
    case '"':
        if (o->value)
            sf_classify_expanded(j, o->value_in, o->value);
        break;
    case '%':
        if (o->value)
            sf_classify_run_code(j, fact, o->value_in, o->value);
        break;
    case '&':
        if (o->value)
            sf_classify_git_key(j, o);
        break;
    case '~':
        sf_classify_raise(j, SF_CLASS_LOCAL_EDIT, "option-writes", o->word);
        break;
    case '+':
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "option-runs", o->word);
        break;
    case '@':
        sf_classify_raise(j, SF_CLASS_NETWORK, "option-network", o->word);
        break;
    case '#':
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-destructive", o->word);
        break;
    case '^':
        if (o->value)
            work_there(j, o);
        if (o->value && fact->skip && sf_leads_away(o->value_in, o->value))
            j->away = true; /* what a wrapper starts there */
        break;
    default:
        break;
    }
}

/* `{--hard,}` and the like hide an option from every reader of words. */
static bool hides_option(const struct sf_word *w)
{
    return w->flags & SF_WORD_BRACE && (strstr(w->text, "{-") || strstr(w->text, ",-"));
}

/* What it makes of a command that one of its words may be any option of the list. */
static void judge_any(struct sf_classifier *j, const char *list, const struct sf_word *any)
{
    static const struct {
        const char *effects;
        enum sf_class class;
    } kinds[] = {
        { "!#$%&\">", SF_CLASS_DESTRUCTIVE },
        { "@", SF_CLASS_NETWORK },
        { "+", SF_CLASS_BUILD_TEST },
        { "~", SF_CLASS_LOCAL_EDIT },
    };

    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (sf_options_list_has(list, kinds[i].effects))
            sf_classify_raise(j, kinds[i].class, "any-option", any);
}

void sf_effects_apply(struct sf_classifier *j, const struct sf_fact *fact,
                      const struct sf_options *o)
{
    for (size_t i = 0; i < o->count; i++)
        apply_option(j, fact, &o->items[i]);
    if (o->cut)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", o->items[0].word);
    for (size_t i = 0; i < o->noperands; i++)
        if (hides_option(o->operands[i]))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-option", o->operands[i]);
    if (o->any)
        judge_any(j, fact->options, o->any);
    if (fact->options && *fact->options != '*' && fact->class < SF_CLASS_BUILD_TEST) {
        if (o->unknown)
            sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-option", o->unknown);
        if (o->fuzzy && o->harmful)
            sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-option", NULL);
    }
}
