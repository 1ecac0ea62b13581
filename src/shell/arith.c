/*
 * arith.c: expressions that bash evaluates. A name in one stands for its value, the value is an
 * expression again, and a subscript in that runs what is written in it: `x='a[$(cmd)]'` is code
 * wherever arithmetic meets x. So every name must lead to plain numbers, in every value the text
 * gives it; what the text does not tell may be code, and what it tells to be code is read as such.
 */
#include <string.h>

#include "shell/classifier.h"

enum { VALUES_DEEP = 8 };

/* The names that led here, so that `i=$i` ends. */
struct walk {
    const struct sf_word *at; /* what is named as the reason */
    const char *names[VALUES_DEEP];
    unsigned depth;
};

/* Variables the shell itself fills with numbers. */
static bool is_counter(const char *name)
{
    static const char names[] = "RANDOM|SRANDOM|SECONDS|LINENO|EPOCHSECONDS|EPOCHREALTIME|UID|EUID|"
                                "PPID|BASHPID|SHLVL|OPTIND|HISTCMD|BASH_SUBSHELL|PIPESTATUS|"
                                "BASH_LINENO";

    return sf_pattern_fits(names, sizeof(names) - 1, name);
}

bool sf_arith_evaluates(const struct sf_classifier *j, const char *name)
{
    static const char names[] = "RANDOM|SRANDOM|HISTCMD|OPTIND";

    return sf_strlist_has(&j->integers, name) || sf_pattern_fits(names, sizeof(names) - 1, name);
}

static void judge_open(struct sf_classifier *j, const struct walk *k)
{
    if (j->armed)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-command", k->at);
    else
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "arithmetic-value", k->at);
}

void sf_classify_expanded(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    if (w->flags & SF_WORD_EXPANDS || j->arena->used + strlen(text) > SF_SHELL_MEMORY) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", w);
        return;
    }
    sf_strbuf_addf(&sb, ": \"%s\"", text);
    sf_classify_text(j, sf_arena_strndup(j->arena, sb.buf, sb.len), sb.len, w);
    sf_strbuf_release(&sb);
}

static void judge_name(struct sf_classifier *j, const struct walk *k, const char *name,
                       bool digits_only);

/* `seq 1 9`: numbers, when it is told nothing but numbers. */
static bool counts_up(const struct sf_shell_command *c)
{
    if (strcmp(c->words[0].text, "seq") != 0 || c->assigns || c->redirects)
        return false;
    for (size_t i = 1; i < c->count; i++)
        for (uint32_t p = 0; p < c->words[i].npieces; p++)
            if (c->words[i].pieces[p].kind != SF_PIECE_NUMBER)
                return false;
    for (size_t i = 1; i < c->count; i++)
        if (strspn(c->words[i].text, "0123456789-") != c->words[i].len)
            return false;
    return true;
}

static bool prints_numbers(const struct sf_classifier *j, const struct sf_word *w)
{
    size_t commands = 0;

    for (const struct sf_shell_command *c = j->shell->first; c; c = c->next) {
        if (c->kind != SF_SHELL_SIMPLE || c->at < w->at || c->at >= w->at + w->span)
            continue;
        if (!c->count || !counts_up(c) || sf_strlist_has(&j->functions, c->words[0].text))
            return false;
        commands++;
    }
    return commands > 0;
}

static void judge_piece(struct sf_classifier *j, const struct walk *k, const struct sf_word *w,
                        const struct sf_piece *piece, bool digits_only)
{
    switch (piece->kind) {
    case SF_PIECE_VALUE:
        judge_name(j, k, piece->name, digits_only);
        break;
    case SF_PIECE_SHRUNK:
    case SF_PIECE_STEM:
    case SF_PIECE_LAST:
        judge_name(j, k, piece->name, true);
        break;
    case SF_PIECE_INDEX:
        if (sf_strlist_has(&j->maps, piece->name))
            judge_open(j, k);
        break;
    case SF_PIECE_NUMBER:
        break;
    case SF_PIECE_OUTPUT:
        if (!prints_numbers(j, w))
            judge_open(j, k);
        break;
    case SF_PIECE_UNKNOWN:
        judge_open(j, k);
        break;
    }
}

/* An expansion that stands right beside the name makes it another name. */
static bool touches(const struct sf_word *w, size_t from, size_t to)
{
    for (uint32_t i = 0; i < w->npieces; i++)
        if (w->pieces[i].at >= from && w->pieces[i].at <= to)
            return true;
    return false;
}

/* `x = …`, which does not look at what x was; `==` compares. */
static bool is_assigned(const char *behind, const char *end)
{
    while (behind < end && *behind == ' ')
        behind++;
    return behind < end && *behind == '=' && !(behind + 1 < end && behind[1] == '=');
}

static size_t name_length(const char *p, const char *end)
{
    size_t n = 0;

    while (p + n < end && sf_is_word_byte(p[n]))
        n++;
    return n;
}

static size_t number_length(const char *p, const char *end)
{
    size_t n = 0;

    while (p + n < end && (sf_is_word_byte(p[n]) || p[n] == '#' || p[n] == '@'))
        n++;
    return n;
}

static void judge_names(struct sf_classifier *j, const struct walk *k, const struct sf_word *w,
                        const char *text, const char *end, bool digits_only)
{
    for (const char *p = text; p < end;) {
        size_t n = 1;

        if (*p >= '0' && *p <= '9') {
            n = number_length(p, end);
        } else if (sf_is_word_byte(*p)) {
            size_t from = (size_t)(p - w->text);
            const char *name;

            n = name_length(p, end);
            name = sf_arena_strndup(j->arena, p, n);
            /* Whatever is done to it here: PATH in an expression is there to be changed. */
            sf_classify_assign(j, name, k->at, false);
            if (digits_only || touches(w, from, from + n))
                judge_open(j, k);
            else if (!is_assigned(p + n, end))
                judge_name(j, k, name, false);
        }
        p += n;
    }
}

/* An expression: `len` bytes of the word's text from `text` on, with the expansions in there. */
static void judge_expression(struct sf_classifier *j, const struct walk *k, const struct sf_word *w,
                             const char *text, size_t len, bool digits_only)
{
    size_t from = (size_t)(text - w->text);

    if (strcspn(text, "$`\\'\"") < len) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-command", k->at);
        sf_classify_expanded(j, w, sf_arena_strndup(j->arena, text, len));
        return;
    }
    judge_names(j, k, w, text, text + len, digits_only);
    for (uint32_t i = 0; i < w->npieces; i++)
        if (w->pieces[i].at >= from && w->pieces[i].at <= from + len)
            judge_piece(j, k, w, &w->pieces[i], digits_only);
    if (w->flags & SF_WORD_EXPANDS && !w->npieces && !(w->flags & SF_WORD_BRACE))
        judge_open(j, k);
}

static void judge_value(struct sf_classifier *j, const struct walk *k, const struct sf_value *v,
                        bool digits_only)
{
    const struct sf_shell *shell = j->shell;

    if (v->number || v->array || v->appended)
        return;
    if (!v->word || v->word->flags & SF_WORD_GLOB) { /* names of files, for one */
        judge_open(j, k);
        return;
    }
    j->shell = v->shell;
    judge_expression(j, k, v->word, v->text, strlen(v->text), digits_only || v->joins);
    j->shell = shell;
}

/* Everything a name may stand for; what the text does not set comes from outside. */
static void judge_name(struct sf_classifier *j, const struct walk *k, const char *name,
                       bool digits_only)
{
    struct walk inner = *k;
    bool given = false, positional = *name >= '0' && *name <= '9';
    size_t n = j->nvalues;

    for (unsigned i = 0; i < k->depth; i++)
        if (!strcmp(k->names[i], name))
            return;
    if (k->depth >= VALUES_DEEP || n >= SF_NAMES_MAX) {
        judge_open(j, k);
        return;
    }
    inner.names[inner.depth++] = name;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(j->values[i].name, name) != 0)
            continue;
        given = true;
        judge_value(j, &inner, &j->values[i], digits_only);
    }
    /* what a call hands over was looked up where the call stands */
    positional = positional || (k->depth && *k->names[k->depth - 1] <= '9');
    if (given ? !positional && !sf_cwd_is_set(j, name) : !is_counter(name))
        judge_open(j, k);
}

/* One behind the other: what `i = 0; i < 9; i++` begins with sets what the rest looks at. */
void sf_arith_judge(struct sf_classifier *j, const struct sf_word *w, const char *text, size_t len)
{
    const struct walk k = { .at = w };
    const char *end = text + len;

    if (strcspn(text, "$`\\'\"") < len) {
        judge_expression(j, &k, w, text, len, false); /* it is read as a whole */
        return;
    }
    do {
        size_t n = strcspn(text, ";,");

        n = n < (size_t)(end - text) ? n : (size_t)(end - text);
        judge_expression(j, &k, w, text, n, false);
        sf_arith_assigns(j, w, text, n, sf_cwd_set);
        text += n + (text + n < end);
    } while (text < end);
}

void sf_arith_name(struct sf_classifier *j, const struct sf_word *w, const char *name)
{
    const char *bracket = strchr(name, '[');
    const struct walk k = { .at = w };

    if (bracket)
        judge_expression(j, &k, w, bracket + 1, strlen(bracket + 1), false);
    else if (w->flags & SF_WORD_EXPANDS)
        judge_open(j, &k);
}

void sf_arith_unknown(struct sf_classifier *j, const struct sf_word *at)
{
    const struct walk k = { .at = at };

    judge_open(j, &k);
}

void sf_arith_assigns(struct sf_classifier *j, const struct sf_word *w, const char *text,
                      size_t len, sf_arith_name_fn *fn)
{
    const char *end = text + len;

    for (const char *p = text; p < end;) {
        size_t n = *p >= '0' && *p <= '9' ? number_length(p, end)
                   : sf_is_word_byte(*p)  ? name_length(p, end)
                                          : 1;
        size_t from = (size_t)(p - w->text);

        if (sf_is_word_byte(*p) && !(*p >= '0' && *p <= '9') && is_assigned(p + n, end) &&
            !touches(w, from, from + n))
            fn(j, sf_arena_strndup(j->arena, p, n));
        p += n;
    }
}
