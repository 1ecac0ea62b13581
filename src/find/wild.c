/*
 * wild.c: from pattern to program. Everything a pattern may hold becomes a few steps in a row;
 * only braces need jumps. Afterwards the row is looked at for a shape that can be matched by
 * comparing bytes, which is the case for nearly every line of a real ignore file.
 */
#include "find/wild.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "find/wild_build.h"

#define NO_JUMP UINT16_MAX

struct brace {
    uint16_t split; /* of the alternative being read */
    uint16_t jumps; /* chain of the jumps to the end, through their arg */
};

struct builder {
    const char *text;
    size_t len, at;
    enum sf_wild_dialect dialect;
    bool plain; /* nothing but literal bytes so far */
    struct sf_wild_step steps[SF_WILD_STEPS_MAX];
    size_t count;
    size_t target; /* the last step that is jumped to: no literal tail reaches before it */
    unsigned char (*sets)[32];
    size_t set_count, set_cap;
    struct brace braces[SF_WILD_DEPTH_MAX];
    size_t depth;
    const char *problem;
};

static uint16_t emit(struct builder *b, enum sf_wild_op op, unsigned char byte, uint16_t arg)
{
    assert(b->count < SF_WILD_STEPS_MAX);
    b->steps[b->count] = (struct sf_wild_step){ (uint8_t)op, byte, arg };
    return (uint16_t)b->count++;
}

static bool complain(struct builder *b, const char *problem)
{
    b->problem = problem;
    return false;
}

static bool in_class(const char *name, size_t len, unsigned c, bool *known)
{
    static const struct {
        const char *name;
        const char *ranges; /* pairs of first and last */
    } classes[] = {
        { "alnum", "09AZaz" },     { "alpha", "AZaz" }, { "blank", "\t\t  " },
        { "cntrl", NULL },         { "digit", "09" },   { "graph", "!~" },
        { "lower", "az" },         { "print", " ~" },   { "punct", "!/:@[`{~" },
        { "space", "\t\n\r\r  " }, { "upper", "AZ" },   { "xdigit", "09AFaf" },
    };

    *known = false;
    for (size_t i = 0; i < SF_COUNT(classes) && !*known; i++) {
        const char *r = classes[i].ranges;

        if (strlen(classes[i].name) != len || memcmp(classes[i].name, name, len) != 0)
            continue;
        *known = true;
        if (!r)
            return c < ' ' || c == 127;
        for (; r[0]; r += 2)
            if (c >= (unsigned char)r[0] && c <= (unsigned char)r[1])
                return true;
    }
    return false;
}

static void set_add(unsigned char set[32], unsigned from, unsigned to)
{
    for (unsigned c = from; c <= to; c++)
        set[c / 8] |= (unsigned char)(1u << c % 8);
}

/*
 * "[:name:]" at `at`, which is behind the "[:". 1: taken, `*at` is on the last bracket; 0: it
 * only looked like a class; -1: no such class, or no end.
 */
static int add_class(const struct builder *b, size_t *at, unsigned char set[32])
{
    const char *name = b->text + *at;
    const char *end = memchr(name, ']', b->len - *at);
    bool known = false;
    size_t n;

    if (!end)
        return -1;
    n = (size_t)(end - name);
    if (!n || end[-1] != ':')
        return 0;
    for (unsigned c = 0; c < 128; c++)
        if (in_class(name, n - 1, c, &known))
            set_add(set, c, c);
    *at += n;
    return known ? 1 : -1;
}

/* The byte at `*at`, which may be escaped there; -1 at the end. */
static int set_byte(const struct builder *b, size_t *at)
{
    if (*at < b->len && b->text[*at] == '\\')
        (*at)++;
    return *at < b->len ? (unsigned char)b->text[*at] : -1;
}

/* The members up to the closing bracket; a bracket that comes first is a member. */
static bool read_set(struct builder *b, unsigned char set[32])
{
    size_t at = b->at;
    int before = 0; /* what a "-" would start from; 0: nothing */

    for (bool first = true; first || at >= b->len || b->text[at] != ']'; first = false, at++) {
        int c, kind = 0;

        if (at >= b->len)
            return complain(b, "a bracket is never closed");
        if (b->text[at] == '[' && at + 1 < b->len && b->text[at + 1] == ':') {
            size_t name = at + 2;

            kind = add_class(b, &name, set);
            if (kind < 0)
                return complain(b, "there is no such character class");
            at = kind ? name : at;
        }
        if (kind > 0) {
            before = 0;
            continue;
        }
        if (b->text[at] == '-' && before && at + 1 < b->len && b->text[at + 1] != ']') {
            at++;
            c = set_byte(b, &at);
            if (c >= before)
                set_add(set, (unsigned)before, (unsigned)c);
            before = 0;
        } else {
            c = set_byte(b, &at);
            if (c >= 0)
                set_add(set, (unsigned)c, (unsigned)c);
            before = c;
        }
        if (c < 0)
            return complain(b, "a bracket is never closed");
    }
    b->at = at + 1;
    return true;
}

static bool add_set(struct builder *b)
{
    unsigned char set[32] = { 0 };
    bool negated = ++b->at < b->len && (b->text[b->at] == '!' || b->text[b->at] == '^');

    b->at += negated;
    if (!read_set(b, set))
        return false;
    for (size_t i = 0; negated && i < sizeof(set); i++)
        set[i] = (unsigned char)~set[i];
    set['/' / 8] &= (unsigned char)~(1u << '/' % 8);
    b->sets = sf_grow(b->sets, &b->set_cap, b->set_count + 1, sizeof(*b->sets));
    memcpy(b->sets[b->set_count], set, sizeof(set));
    emit(b, SF_OP_SET, 0, (uint16_t)b->set_count++);
    return true;
}

static bool starts_component(const struct builder *b, size_t at)
{
    if (!at || b->text[at - 1] == '/')
        return true;
    /* git takes the literal bytes in front off before it looks at the stars */
    if (b->dialect == SF_WILD_GIT)
        return b->plain;
    return b->depth && (b->text[at - 1] == '{' || b->text[at - 1] == ',');
}

/* Two stars and a slash. Where the slash is escaped git wants at least one directory. */
static void add_dirs(struct builder *b)
{
    bool escaped = b->text[b->at] == '\\';

    if (!escaped)
        emit(b, SF_OP_SPLIT, 0, (uint16_t)(b->count + 2));
    emit(b, SF_OP_DIRS, 0, 0);
    b->target = b->count;
    b->at += escaped ? 2 : 1;
}

static void add_stars(struct builder *b)
{
    size_t from = b->at;
    bool whole, last, slash;

    while (b->at < b->len && b->text[b->at] == '*')
        b->at++;
    whole = b->at - from >= 2 && starts_component(b, from);
    last = b->at == b->len || (b->depth && strchr(",}", b->text[b->at]));
    slash = !last && (b->text[b->at] == '/' ||
                      (b->text[b->at] == '\\' && b->at + 1 < b->len && b->text[b->at + 1] == '/'));
    if (whole && slash)
        add_dirs(b);
    else
        emit(b, whole && last ? SF_OP_ALL : SF_OP_STAR, 0, 0);
}

static bool open_brace(struct builder *b)
{
    if (b->depth == SF_WILD_DEPTH_MAX)
        return complain(b, "the braces are nested too deeply");
    b->at++;
    b->braces[b->depth].split = emit(b, SF_OP_SPLIT, 0, 0);
    b->braces[b->depth].jumps = NO_JUMP;
    b->depth++;
    return true;
}

static void next_alternative(struct builder *b)
{
    struct brace *brace = &b->braces[b->depth - 1];

    b->at++;
    brace->jumps = emit(b, SF_OP_JUMP, 0, brace->jumps);
    b->steps[brace->split].arg = (uint16_t)b->count;
    brace->split = emit(b, SF_OP_SPLIT, 0, 0);
}

static void close_brace(struct builder *b)
{
    struct brace *brace = &b->braces[--b->depth];

    b->at++;
    b->steps[brace->split].arg = (uint16_t)(brace->split + 1); /* there is no further one */
    for (uint16_t at = brace->jumps; at != NO_JUMP;) {
        uint16_t next = b->steps[at].arg;

        b->steps[at].arg = (uint16_t)b->count;
        at = next;
    }
    b->target = b->count;
}

static bool add_escaped(struct builder *b)
{
    if (b->at + 1 >= b->len)
        return complain(b, "it ends in a backslash");
    emit(b, SF_OP_BYTE, (unsigned char)b->text[b->at + 1], 0);
    b->at += 2;
    return true;
}

static void add_any(struct builder *b)
{
    emit(b, SF_OP_ANY, 0, 0);
    if (b->dialect == SF_WILD_GLOB)
        emit(b, SF_OP_TAIL, 0, 0);
    b->at++;
}

static bool add_brace_part(struct builder *b, char c)
{
    if (c == '{')
        return open_brace(b);
    if (c == ',')
        next_alternative(b);
    else
        close_brace(b);
    return true;
}

static bool add_part(struct builder *b)
{
    char c = b->text[b->at];
    bool ok = true;

    if (c == '*')
        add_stars(b);
    else if (c == '?')
        add_any(b);
    else if (c == '[')
        ok = add_set(b);
    else if (c == '\\')
        ok = add_escaped(b);
    else if (b->dialect == SF_WILD_GLOB && (c == '{' || (b->depth && (c == ',' || c == '}'))))
        ok = add_brace_part(b, c);
    else {
        emit(b, SF_OP_BYTE, (unsigned char)c, 0);
        b->at++;
        return true;
    }
    b->plain = false;
    return ok;
}

/* Literal bytes from `from` up to `to`, as text. */
static char *bytes_of(const struct builder *b, size_t from, size_t to)
{
    char *text = sf_alloc(to - from + 1);

    for (size_t i = from; i < to; i++)
        text[i - from] = (char)b->steps[i].byte;
    return text;
}

static enum sf_wild_shape shape_of(const struct builder *b, size_t head, size_t tail)
{
    size_t end = b->count - 1;

    if (head == end)
        return SF_SHAPE_PLAIN;
    for (size_t i = tail; i < end; i++)
        if (b->steps[i].byte == '/')
            return SF_SHAPE_OTHER;
    if (tail == 1 && b->steps[0].op == SF_OP_STAR)
        return SF_SHAPE_NAME;
    if (tail == 3 && b->steps[0].op == SF_OP_SPLIT && b->steps[1].op == SF_OP_DIRS &&
        b->steps[2].op == SF_OP_STAR)
        return SF_SHAPE_ENDING;
    return SF_SHAPE_OTHER;
}

static struct sf_wild *finish(struct builder *b)
{
    struct sf_wild *wild = sf_alloc(sizeof(*wild));
    size_t head = 0, tail;

    emit(b, SF_OP_END, 0, 0);
    tail = b->count - 1;
    while (b->steps[head].op == SF_OP_BYTE)
        head++;
    while (tail > b->target && b->steps[tail - 1].op == SF_OP_BYTE)
        tail--;
    wild->shape = shape_of(b, head, tail);
    wild->head_len = head;
    wild->head = bytes_of(b, 0, head);
    wild->tail_len = b->count - 1 - tail;
    wild->tail = bytes_of(b, tail, b->count - 1);
    wild->sets = b->sets;
    b->sets = NULL;
    if (wild->shape == SF_SHAPE_OTHER) {
        wild->count = b->count;
        wild->steps = sf_alloc_array(b->count, sizeof(*b->steps));
        memcpy(wild->steps, b->steps, b->count * sizeof(*b->steps));
    }
    return wild;
}

struct sf_wild *sf_wild_new(const char *pattern, size_t len, enum sf_wild_dialect dialect,
                            struct sf_error *err)
{
    struct builder b;
    struct sf_wild *wild = NULL;

    if (len > SF_WILD_LEN_MAX) {
        sf_fail(err, SF_E_LIMIT, "the pattern is longer than %d bytes", SF_WILD_LEN_MAX);
        return NULL;
    }
    memset(&b, 0, offsetof(struct builder, steps));
    memset(&b.count, 0, sizeof(b) - offsetof(struct builder, count));
    b.text = pattern;
    b.len = len;
    b.dialect = dialect;
    b.plain = true;
    while (b.at < b.len && !b.problem)
        if (!add_part(&b))
            break;
    if (!b.problem && b.depth)
        b.problem = "a brace is never closed";
    if (!b.problem) {
        wild = finish(&b);
    } else {
        sf_fail(err, SF_E_SYNTAX, "%.*s is not a valid pattern: %s", (int)len, pattern, b.problem);
        sf_hint(err, "put a backslash before a character that stands for itself");
    }
    free(b.sets);
    return wild;
}

void sf_wild_free(struct sf_wild *wild)
{
    if (!wild)
        return;
    free(wild->head);
    free(wild->tail);
    free(wild->steps);
    free(wild->sets);
    free(wild);
}

const char *sf_wild_head(const struct sf_wild *wild, size_t *len)
{
    *len = wild->head_len;
    return wild->head;
}
