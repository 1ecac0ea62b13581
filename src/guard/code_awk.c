/*
 * code_awk.c: reads an awk program as tokens, to see whether it starts programs, writes files or
 * opens sockets. `$3 > 100` compares, `print > "f"` writes: the difference is the statement.
 */
#include <string.h>

#include "guard/judge.h"

struct awk {
    struct sf_judge *j;
    const struct sf_word *w;
    const char *p;
    bool value;      /* the last token ends a value, so that / divides */
    bool prints;     /* inside a print statement … */
    unsigned parens; /* … and that deep in parentheses */
};

static void raise_to(struct awk *a, enum sf_class class, const char *rule)
{
    sf_judge_raise(a->j, class, rule, a->w);
}

static void skip_string(struct awk *a, char end)
{
    const char *from = ++a->p;

    for (; *a->p && *a->p != end; a->p++)
        if (*a->p == '\\' && a->p[1])
            a->p++;
    if (end == '"' && (size_t)(a->p - from) > 6 && !strncmp(from, "/inet", 5))
        raise_to(a, SF_CLASS_NETWORK, "shell-socket");
    if (!*a->p)
        raise_to(a, SF_CLASS_BUILD_TEST, "unknown-script");
    else
        a->p++;
    a->value = true;
}

/* Behind > in a print statement: only a string says which file. */
static void written(struct awk *a)
{
    const char *name = a->p + strspn(a->p, "> \t");
    struct sf_word word = *a->w;
    size_t len;

    if (*name != '"') {
        raise_to(a, SF_CLASS_DESTRUCTIVE, "write-unknown");
        return;
    }
    len = strcspn(++name, "\"");
    word.text = sf_arena_strndup(a->j->arena, name, len);
    word.len = word.head = word.tail = (uint32_t)len;
    word.flags = 0;
    sf_judge_write(a->j, &word, word.text);
}

static void read_name(struct awk *a)
{
    size_t len = 0;

    while (sf_is_word_byte(a->p[len]))
        len++;
    a->value = true;
    if ((len == 5 && !strncmp(a->p, "print", 5)) || (len == 6 && !strncmp(a->p, "printf", 6))) {
        a->prints = true;
        a->parens = 0;
        a->value = false;
    } else if (len == 6 && !strncmp(a->p, "system", 6)) {
        raise_to(a, SF_CLASS_DESTRUCTIVE, "script-exec");
    } else if ((len == 6 && !strncmp(a->p, "return", 6)) || (len == 2 && !strncmp(a->p, "in", 2))) {
        a->value = false;
    }
    a->p += len;
}

static void read_sign(struct awk *a)
{
    char c = *a->p;

    if (c == '|' && a->p[1] == '|')
        a->p++;
    else if (c == '|' || c == '@')
        raise_to(a, SF_CLASS_DESTRUCTIVE, "script-exec");
    else if (c == '>' && a->prints && !a->parens)
        written(a);
    if (strchr(";\n{}", c))
        a->prints = false;
    a->parens += c == '(';
    a->parens -= c == ')' && a->parens;
    a->value = c == ')' || c == ']' || c == '$';
    a->p++;
}

void sf_judge_awk_script(struct sf_judge *j, const struct sf_word *w, const char *script)
{
    struct awk a = { .j = j, .w = w, .p = script };

    if (w->flags & SF_WORD_EXPANDS)
        sf_judge_raise(j, SF_CLASS_BUILD_TEST, "unknown-script", w);
    while (*a.p) {
        if (*a.p == '"')
            skip_string(&a, '"');
        else if (*a.p == '/' && !a.value)
            skip_string(&a, '/');
        else if (*a.p == '#')
            a.p += strcspn(a.p, "\n");
        else if (*a.p == ' ' || *a.p == '\t' || *a.p == '\r')
            a.p++;
        else if (sf_is_word_byte(*a.p))
            read_name(&a);
        else
            read_sign(&a);
    }
}
