/*
 * pattern.c: reads one line by one pattern. Only the last "*" or "!" is tried at further places, so
 * that no line takes longer than its length squared; every other part takes as much as it can.
 */
#include "verify/pattern.h"

#include <string.h>

#define SPECIAL "_ *!#@+"

enum { NUMBER_MAX = 1000 * 1000 };

struct at {
    const char *text, *end, *words;
    struct sf_numbers numbers;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

enum sf_tally_field sf_tally_field_of(char letter)
{
    const char *at = letter ? strchr(SF_TALLY_LETTERS, letter) : NULL;

    return at ? (enum sf_tally_field)(at - SF_TALLY_LETTERS) : SF_TALLY_OTHER;
}

void sf_numbers_add(struct sf_numbers *numbers, enum sf_tally_field field, int64_t n)
{
    numbers->n[field] = sf_numbers_get(numbers, field) + n;
}

int64_t sf_numbers_get(const struct sf_numbers *numbers, enum sf_tally_field field)
{
    return numbers->n[field] > 0 ? numbers->n[field] : 0;
}

static bool skip_blanks(struct at *a)
{
    const char *from = a->text;

    while (a->text < a->end && is_blank(*a->text))
        a->text++;
    return a->text > from;
}

static bool take_number(struct at *a, int64_t *n)
{
    const char *from = a->text;

    for (*n = 0; a->text < a->end && is_digit(*a->text); a->text++)
        *n = *n < NUMBER_MAX ? *n * 10 + (*a->text - '0') : *n;
    return a->text > from;
}

/* The length of the word of `spec` that the text begins with; 0: it begins with another. */
static size_t fit_word(const struct at *a, const char *spec, size_t len)
{
    const char *text = a->text;

    for (size_t i = 0; i < len; i++) {
        if (spec[i] == '+') {
            text += text < a->end && *text == 's';
            continue;
        }
        if (text >= a->end || *text != spec[i])
            return 0;
        text++;
    }
    return text < a->end && is_letter(*text) ? 0 : (size_t)(text - a->text);
}

/* The longest word of the runner's lists that stands here. */
static bool take_word(struct at *a, enum sf_tally_field *field)
{
    size_t longest = 0;

    for (const char *spec = a->words; *spec; spec += *spec == '|') {
        size_t n = strcspn(spec, "="), len = fit_word(a, spec, n);

        if (len > longest) {
            longest = len;
            *field = sf_tally_field_of(spec[n + 1]);
        }
        spec += n + strcspn(spec + n, "|");
    }
    a->text += longest;
    return longest > 0;
}

/* "2 passed", "Failures: 1", "failures=1" or "Failed 1". */
static bool take_item(struct at *a)
{
    const struct at before = *a;
    enum sf_tally_field field;
    int64_t n;
    bool ok;

    if (take_number(a, &n)) {
        skip_blanks(a);
        ok = take_word(a, &field);
    } else {
        ok = take_word(a, &field);
        a->text += ok && a->text < a->end && (*a->text == ':' || *a->text == '=');
        skip_blanks(a);
        ok = ok && take_number(a, &n);
    }
    if (ok)
        sf_numbers_add(&a->numbers, field, n);
    else
        *a = before;
    return ok;
}

/* What may stand between two items: "(1 step)", a punctuation mark, "and". */
static bool take_gap(struct at *a)
{
    const char *from;

    skip_blanks(a);
    if (a->text < a->end && *a->text == '(') {
        while (a->text < a->end && *a->text != ')')
            a->text++;
        a->text += a->text < a->end;
    }
    from = a->text;
    skip_blanks(a);
    a->text += a->text < a->end && strchr(",;|/", *a->text);
    skip_blanks(a);
    if (a->end - a->text > 4 && !strncmp(a->text, "and ", 4))
        a->text += 4;
    return a->text > from || is_blank(from[-1]);
}

static bool take_list(struct at *a)
{
    struct at behind;

    if (!take_item(a))
        return false;
    do {
        behind = *a;
    } while (take_gap(a) && take_item(a));
    *a = behind;
    return true;
}

static bool take_field(struct at *a, char letter)
{
    int64_t n;

    if (!take_number(a, &n))
        return false;
    sf_numbers_add(&a->numbers, sf_tally_field_of(letter), n);
    return true;
}

static bool take_letter(struct at *a, char c)
{
    if (a->text >= a->end || *a->text != c)
        return false;
    a->text++;
    return true;
}

/* Takes one part of the pattern; false where the text has another. */
static bool take_part(struct at *a, const char **pattern)
{
    const char c = *(*pattern)++;

    switch (c) {
    case '_':
        skip_blanks(a);
        return true;
    case ' ':
        return skip_blanks(a);
    case '+':
        a->text += a->text < a->end && *a->text == 's';
        return true;
    case '#':
        return take_field(a, *(*pattern)++);
    case '@':
        return take_list(a);
    case '\\':
        return take_letter(a, *(*pattern)++);
    default:
        return take_letter(a, c);
    }
}

static bool is_star(char c)
{
    return c == '*' || c == '!';
}

/* Moves to the next place where the part behind the star can begin, from this one on. */
static bool seek(struct at *a, const char *star)
{
    const char first = star[star[1] == '\\' ? 2 : 1];
    const char *to = a->end;

    if (star[1] && strchr(SPECIAL, star[1]))
        return true;
    if (star[1])
        to = memchr(a->text, first, (size_t)(a->end - a->text));
    if (!to)
        return false;
    for (; *star == '!' && a->text < to; a->text++)
        if (is_blank(*a->text))
            return false;
    a->text = to;
    return true;
}

static bool step(struct at *a, const char *star)
{
    if (a->text >= a->end || (*star == '!' && is_blank(*a->text)))
        return false;
    a->text++;
    return seek(a, star);
}

static bool fits(const char *pattern, struct at *a)
{
    const char *star = NULL;
    struct at from = *a;

    for (;;) {
        if (is_star(*pattern)) {
            star = pattern++;
            if (!*pattern && *star == '*')
                return true;
            if (!seek(a, star))
                return false;
            from = *a;
        } else if (!*pattern && a->text == a->end) {
            return true;
        } else if (!*pattern || !take_part(a, &pattern)) {
            if (!star || !step(&from, star))
                return false;
            *a = from;
            pattern = star + 1;
        }
    }
}

static void add_byte(uint64_t set[4], char c)
{
    set[(unsigned char)c / 64] |= (uint64_t)1 << ((unsigned char)c % 64);
}

void sf_pattern_first(const char *pattern, uint64_t set[4])
{
    switch (*pattern) {
    case '_':
        add_byte(set, ' ');
        add_byte(set, '\t');
        sf_pattern_first(pattern + 1, set);
        break;
    case ' ':
        add_byte(set, ' ');
        add_byte(set, '\t');
        break;
    case '#':
        for (const char *digit = "0123456789"; *digit; digit++)
            add_byte(set, *digit);
        break;
    case '*':
    case '!':
    case '@':
    case '+':
    case '\0':
        memset(set, 0xff, 4 * sizeof(*set));
        break;
    default:
        add_byte(set, pattern[*pattern == '\\' ? 1 : 0]);
        break;
    }
}

bool sf_pattern_read(const char *pattern, const char *words, const char *line, size_t len,
                     struct sf_numbers *out)
{
    struct at a = { .text = line, .words = words, .numbers = SF_NUMBERS_INIT };

    while (len && is_blank(line[len - 1]))
        len--;
    a.end = line + (len < SF_LINE_MAX ? len : SF_LINE_MAX);
    if (!fits(pattern, &a))
        return false;
    *out = a.numbers;
    return true;
}
