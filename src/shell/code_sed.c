/*
 * code_sed.c: reads a sed script far enough to see which commands it holds. sed can write files
 * (w) and run programs (e); the rest only prints. What is not understood counts as code.
 */
#include <string.h>

#include "shell/classifier.h"

struct sed {
    struct sf_classifier *j;
    const struct sf_word *w;
    const char *p;
    bool brackets; /* they hide the delimiter; seds disagree, so both readings are judged */
    bool lost;
};

/* Behind a bracket expression; a ] that stands first in it does not close it. */
static const char *skip_bracket(const char *p)
{
    p += 1 + (p[1] == '^');
    p += *p == ']';
    while (*p && *p != ']' && *p != '\n') {
        if (*p == '[' && p[1] && strchr(":.=", p[1])) {
            char sign = p[1];

            for (p += 2; *p && !(*p == sign && p[1] == ']'); p++)
                ;
            p += *p != '\0';
        }
        p += *p != '\0';
    }
    return p;
}

/* Behind the delimiter that ends a part of s, y or an address. */
static void skip_part(struct sed *s, char delimiter)
{
    for (; *s->p && *s->p != '\n'; s->p++) {
        if (*s->p == '\\' && s->p[1]) {
            s->p++;
        } else if (*s->p == delimiter) {
            s->p++;
            return;
        } else if (*s->p == '[' && s->brackets) {
            s->p = skip_bracket(s->p);
            if (!*s->p)
                break;
        }
    }
    s->lost = true;
}

static void skip_replacement(struct sed *s, char delimiter)
{
    for (; *s->p; s->p++) {
        if (*s->p == '\\' && s->p[1]) {
            s->p++;
        } else if (*s->p == delimiter) {
            s->p++;
            return;
        }
    }
    s->lost = true;
}

static void skip_address(struct sed *s)
{
    static const char plain[] = "0123456789$,+~! \tIM";

    for (;;) {
        if (*s->p == '/') {
            s->p++;
            skip_part(s, '/');
        } else if (*s->p == '\\' && s->p[1]) {
            s->p += 2;
            skip_part(s, s->p[-1]);
        } else if (*s->p && strchr(plain, *s->p)) {
            s->p++;
        } else {
            return;
        }
        if (s->lost)
            return;
    }
}

/* The rest of the line is a file name. */
static void take_file(struct sed *s, bool writes)
{
    const char *name = s->p + strspn(s->p, " \t");
    size_t len = strcspn(name, "\n");
    struct sf_word word = *s->w;

    word.text = sf_arena_strndup(s->j->arena, name, len);
    word.len = word.head = word.tail = (uint32_t)len;
    word.flags = 0;
    if (writes)
        sf_classify_write(s->j, &word, word.text);
    else
        sf_classify_reads(s->j, &word, word.text);
    s->p = name + len;
}

static void runs(struct sed *s)
{
    sf_classify_raise(s->j, SF_CLASS_DESTRUCTIVE, "script-exec", s->w);
}

static void substitute(struct sed *s)
{
    char delimiter = *s->p;

    if (!delimiter || delimiter == '\n' || delimiter == '\\') {
        s->lost = true;
        return;
    }
    s->p++;
    skip_part(s, delimiter);
    if (!s->lost)
        skip_replacement(s, delimiter);
    for (; !s->lost && *s->p && !strchr("; \t\n}", *s->p); s->p++) {
        if (*s->p == 'e') {
            runs(s);
        } else if (*s->p == 'w') {
            s->p++;
            take_file(s, true);
            return;
        } else if (!strchr("gpiImM0123456789", *s->p)) {
            s->lost = true;
        }
    }
}

static void transliterate(struct sed *s)
{
    char delimiter = *s->p;

    if (!delimiter) {
        s->lost = true;
        return;
    }
    s->p++;
    skip_replacement(s, delimiter);
    if (!s->lost)
        skip_replacement(s, delimiter);
}

/* a, i and c take text up to a line that does not end in a backslash. */
static void skip_text(struct sed *s)
{
    for (; *s->p && *s->p != '\n'; s->p++)
        if (*s->p == '\\' && s->p[1])
            s->p++;
}

static void command(struct sed *s, char c)
{
    if (c == 's')
        substitute(s);
    else if (c == 'y')
        transliterate(s);
    else if (c == 'w' || c == 'W')
        take_file(s, true);
    else if (c == 'r' || c == 'R')
        take_file(s, false);
    else if (c == 'e')
        runs(s);
    else if (strchr("aic", c))
        skip_text(s);
    else if (strchr(":btTv", c))
        s->p += strcspn(s->p, ";\n}");
    else if (c == '#')
        s->p += strcspn(s->p, "\n");
    else if (strchr("qQlL", c))
        s->p += strspn(s->p, " 0123456789");
    else if (!strchr("=dDgGhHnNpPxzF{}", c))
        s->lost = true;
}

/* False: it got lost. */
static bool read_script(struct sed *s)
{
    while (!s->lost) {
        s->p += strspn(s->p, " \t\n;");
        if (!*s->p)
            break;
        skip_address(s);
        if (s->lost || !*s->p)
            break;
        command(s, *s->p++);
    }
    return !s->lost;
}

void sf_classify_sed_script(struct sf_classifier *j, const struct sf_word *w, const char *script)
{
    struct sed s = { .j = j, .w = w, .p = script, .brackets = true };
    struct sed plain = { .j = j, .w = w, .p = script };
    bool read = read_script(&s);

    read_script(&plain);
    if (!read || w->flags & SF_WORD_EXPANDS)
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-script", w);
}
