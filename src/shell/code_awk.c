/*
 * code_awk.c: reads an awk program as tokens, to see whether it starts programs, writes files or
 * opens sockets. `$3 > 100` compares, `print > "f"` writes: the difference is the statement.
 * The one danger is to take code for a string or a pattern, so what a / means is decided as awk
 * decides it: behind a value it divides, elsewhere it begins a pattern.
 */
#include <string.h>

#include "shell/classifier.h"

enum { NESTED = 64 }; /* parentheses that are followed */

struct awk {
    struct sf_classifier *j;
    const struct sf_word *w;
    const char *p;
    bool brackets;      /* [/] does not end a pattern; awks disagree, both are judged */
    bool value;         /* the last token ends a value, so that / divides */
    bool condition;     /* the last token is if, while, for or switch */
    bool prints;        /* inside a print statement */
    unsigned parens;    /* parentheses open in that statement */
    bool heads[NESTED]; /* of each open parenthesis: it belongs to an if or a loop */
    unsigned open;
    bool fetches; /* the last token is getline, behind which a / can be either */
    bool lost;
};

static void raise_to(struct awk *a, enum sf_class class, const char *rule)
{
    sf_classify_raise(a->j, class, rule, a->w);
}

/* Behind a bracket in a pattern; a ] that stands first in it does not close it. */
static const char *skip_bracket(const char *p)
{
    p += 1 + (p[1] == '^');
    for (p += *p == ']'; *p && *p != ']' && *p != '\n'; p++)
        if (*p == '\\' && p[1])
            p++;
    return p;
}

static void skip_pattern(struct awk *a)
{
    for (a->p++; *a->p && *a->p != '/' && *a->p != '\n'; a->p++) {
        if (*a->p == '\\' && a->p[1])
            a->p++;
        else if (*a->p == '[' && a->brackets)
            a->p = skip_bracket(a->p);
        if (!*a->p)
            break;
    }
    a->lost = a->lost || *a->p != '/';
    a->p += *a->p == '/';
    a->value = true;
}

static void skip_string(struct awk *a)
{
    const char *from = ++a->p;

    for (; *a->p && *a->p != '"' && *a->p != '\n'; a->p++)
        if (*a->p == '\\' && a->p[1])
            a->p++;
    if ((size_t)(a->p - from) > 6 && !strncmp(from, "/inet", 5))
        raise_to(a, SF_CLASS_NETWORK, "shell-socket");
    a->lost = a->lost || *a->p != '"';
    a->p += *a->p == '"';
    a->value = true;
}

/* Behind > in a print statement: only one plain string says which file. */
static void written(struct awk *a)
{
    const char *name = a->p + strspn(a->p, "> \t");
    size_t len = *name == '"' ? strcspn(name + 1, "\"\\\n") : 0;
    const char *end = *name == '"' ? name + 1 + len : name;
    struct sf_word word = *a->w;

    if (*end != '"' || !strchr(";}\n)#", end[1 + strspn(end + 1, " \t")])) {
        raise_to(a, SF_CLASS_DESTRUCTIVE, "write-unknown");
        return;
    }
    word.text = sf_arena_strndup(a->j->arena, name + 1, len);
    word.len = word.head = word.tail = (uint32_t)len;
    word.flags = 0;
    sf_classify_write(a->j, &word, word.text);
}

static void read_name(struct awk *a)
{
    static const char heads[] = "if|while|for|switch";
    static const char openers[] = "print|printf|return|in|else|do|case|exit|delete|"
                                  "if|while|for|switch";
    char name[16] = "";
    size_t len = 0;

    while (sf_is_word_byte(a->p[len]) || a->p[len] == '.')
        len++;
    if (len < sizeof(name))
        memcpy(name, a->p, len);
    if (!strcmp(name, "system"))
        raise_to(a, SF_CLASS_DESTRUCTIVE, "script-exec");
    if (!strcmp(name, "print") || !strcmp(name, "printf")) {
        a->prints = true;
        a->parens = 0;
    }
    a->fetches = !strcmp(name, "getline");
    a->condition = sf_pattern_fits(heads, sizeof(heads) - 1, name);
    a->value = !sf_pattern_fits(openers, sizeof(openers) - 1, name);
    a->p += len;
}

/* Behind `if (…)` a statement begins, behind any other parenthesis a value has ended. */
static void read_paren(struct awk *a)
{
    if (*a->p == '(') {
        if (a->open < NESTED)
            a->heads[a->open] = a->condition;
        else
            raise_to(a, SF_CLASS_DESTRUCTIVE, "unreadable");
        a->open++;
        a->parens++;
        a->value = false;
    } else {
        a->open -= a->open > 0;
        a->parens -= a->parens > 0;
        a->value = a->open >= NESTED || !a->heads[a->open];
    }
    a->p++;
}

static void read_sign(struct awk *a)
{
    char c = *a->p;

    if ((c == '+' || c == '-') && a->p[1] == c) {
        a->p += 2; /* behind a value it stays one */
        return;
    }
    if (c == '|' && a->p[1] == '|')
        a->p++;
    else if (c == '|' || c == '@')
        raise_to(a, SF_CLASS_DESTRUCTIVE, "script-exec");
    else if (c == '>' && a->prints && !a->parens)
        written(a);
    if (strchr(";\n{}", c))
        a->prints = false;
    a->value = c == ']' || c == '$';
    a->p++;
}

static void read_token(struct awk *a)
{
    bool condition = a->condition, fetches = a->fetches;

    if (strchr(" \t\r", *a->p)) {
        a->p++;
        return;
    }
    if (*a->p == '\\' && (a->p[1] == '\n' || (a->p[1] == '\r' && a->p[2] == '\n'))) {
        a->p += 2;
        return;
    }
    if (*a->p == '/' && fetches)
        raise_to(a, SF_CLASS_DESTRUCTIVE, "unreadable");
    if (*a->p == '"')
        skip_string(a);
    else if (*a->p == '/' && !a->value)
        skip_pattern(a);
    else if (*a->p == '#')
        a->p += strcspn(a->p, "\n");
    else if (sf_is_word_byte(*a->p) || *a->p == '.')
        read_name(a);
    else if (*a->p == '(' || *a->p == ')')
        read_paren(a);
    else
        read_sign(a);
    if (condition)
        a->condition = false;
    if (fetches)
        a->fetches = false;
}

/* False: it got lost in a string or a pattern. */
static bool read_program(struct awk *a)
{
    while (*a->p)
        read_token(a);
    return !a->lost;
}

/* getline < "file": one string is that file, anything else may be any. */
static void read_lines_of(struct sf_classifier *j, const struct sf_word *w, const char *p)
{
    static const struct sf_word any = { .text = "", .flags = SF_WORD_EXPANDS };
    size_t len = *p == '"' ? strcspn(p + 1, "\\\"") : 0;
    struct sf_word file = { .at = w->at, .span = w->span };

    if (*p != '"' || p[1 + len] != '"' || !strchr(");}\n", p[2 + len])) {
        sf_classify_reads(j, &any, any.text);
        return;
    }
    file.text = sf_arena_strndup(j->arena, p + 1, len);
    file.len = file.head = file.tail = (uint32_t)len;
    sf_classify_reads(j, &file, file.text);
}

/* Files a script reads besides its operands. */
static void judge_inputs(struct sf_classifier *j, const struct sf_word *w, const char *script)
{
    static const struct sf_word any = { .text = "", .flags = SF_WORD_EXPANDS };

    if (strstr(script, "ARGV["))
        sf_classify_reads(j, &any, any.text);
    for (const char *p = script; (p = strstr(p, "getline")) != NULL;) {
        p += strlen("getline");
        p += strcspn(p, "<;})\n");
        if (*p == '<')
            read_lines_of(j, w, p + 1 + strspn(p + 1, " \t"));
    }
}

void sf_classify_awk_script(struct sf_classifier *j, const struct sf_word *w, const char *script)
{
    struct awk a = { .j = j, .w = w, .p = script, .brackets = true };
    struct awk plain = { .j = j, .w = w, .p = script };
    bool read = read_program(&a);

    read_program(&plain);
    if (!read || w->flags & SF_WORD_EXPANDS)
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-script", w);
    judge_inputs(j, w, script);
}
