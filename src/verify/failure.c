/*
 * failure.c: finds the lines that tell of a failure, by a table of how they look. The digest is that
 * of these lines, made equal and sorted; the excerpt has them with the lines around them, and where
 * that is too much its head and its tail.
 */
#include "verify/failure.h"

#include <string.h>

#include "verify/pattern.h"

enum {
    BEFORE = 2, /* lines of the excerpt around each that tells of a failure */
    BEHIND = 12,
    MARKS = 400, /* lines that tell of a failure, at most */
    TAIL = 40,   /* lines where none does */
};

/* Patterns of pattern.h. */
static const char *const failures[] = {
    "FAIL: *",
    "FAILED *",
    "_FAIL *",
    "FAIL\\!_:_*",
    "ERROR: *",
    "ERROR *",
    "_--- FAIL: *",
    "FAIL\t*",
    "not ok *",
    "[ FAILED ] *",
    "[ ERROR ] *",
    "[ LINE ] *",
    "E *",
    "_✖ *",
    "_✗ *",
    "_✘ *",
    "_× *",
    "_✕ *",
    "_● *",
    "test * ... FAILED",
    "thread '*panicked*",
    "_panicked at *",
    "*\\*\\*\\*Failed*",
    "*\\*\\*\\*Timeout*",
    "*\\*\\*\\*Exception*",
    "*\\*\\*\\*Not Run *",
    " #x) *",
    "*: FAILED:*",
    "! > * FAILED",
    "*<<< FAILURE\\!*",
    "*<<< ERROR\\!*",
    "panic: *",
    "_*Error: *",
    "_*Exception: *",
    "*: error: *",
    "*: fatal error: *",
    "error: *",
    "error[*]: *",
    "*ssertion * failed*",
    "assertion failed*",
    "_Expected: *",
    "_Received: *",
    "_expected: *",
    "_got: *",
    "_left: *",
    "_right: *",
    "*make*: \\*\\*\\* *",
    "*: undefined reference to *",
    "_Failure/Error: *",
    "*DID NOT MATCH*",
    "*/#x * FAIL *",
    "*/#x * TIMEOUT *",
    "*(Wstat: * Failed: *",
    "_Failed test*",
    "*Segmentation fault*",
    "*AddressSanitizer: *",
    "*runtime error: *",
    "{*\"Action\":\"fail\"*\"Test\":*",
};

/* Words of which the digest keeps only the kind: what stands for a place or a time. */
static const char *const places[] = { "/tmp/", "/var/tmp/", "/var/folders/", "/dev/shm/", "0x" };

struct lines {
    const char **at; /* the beginnings; one more than there are lines */
    size_t count, cap;
};

/* ---- lines ---- */

static void split(const struct sf_strbuf *text, struct lines *out)
{
    const char *at = text->buf, *end = text->buf + text->len;

    out->at = sf_grow(out->at, &out->cap, 1, sizeof(*out->at));
    out->at[0] = at;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));

        at = newline ? newline + 1 : end;
        out->at = sf_grow(out->at, &out->cap, out->count + 2, sizeof(*out->at));
        out->at[++out->count] = at;
    }
}

static size_t length(const struct lines *lines, size_t i)
{
    const size_t n = (size_t)(lines->at[i + 1] - lines->at[i]);

    return n && lines->at[i][n - 1] == '\n' ? n - 1 : n;
}

static bool tells_failure(const char *line, size_t len)
{
    struct sf_numbers ignored = SF_NUMBERS_INIT;

    for (size_t i = 0; i < SF_COUNT(failures); i++)
        if (sf_pattern_read(failures[i], "", line, len, &ignored))
            return true;
    return false;
}

/* ---- making equal ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool begins(const char *text, size_t len, const char *word)
{
    const size_t n = strlen(word);

    return len >= n && !memcmp(text, word, n);
}

/* A unit of time right behind a number, or a blank behind it. */
static size_t unit_of(const char *text, size_t len)
{
    static const char *const units[] = { "ms",  "us",      "ns",     "µs", "s",   "secs",
                                         "sec", "seconds", "second", "m",  "min", "h" };
    const size_t blank = len && *text == ' ';
    size_t longest = 0;

    for (size_t i = 0; i < SF_COUNT(units); i++) {
        const size_t n = strlen(units[i]);

        if (begins(text + blank, len - blank, units[i]) &&
            (len == blank + n || !is_word(text[blank + n])) && n + blank > longest)
            longest = n + blank;
    }
    return longest;
}

/* The digits, dots and colons of one number, time or date: "12", "0.01", "10:15:00.2", "2026-11-18". */
static size_t number_of(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && (is_digit(text[n]) ||
                       (strchr(".:-T,", text[n]) && n + 1 < len && is_digit(text[n + 1]))))
        n++;
    return n;
}

/* Whether the number is one that differs from run to run, by what stands around it. */
static bool is_fleeting(const char *text, size_t from, size_t n, size_t len)
{
    static const char *const before[] = { "pid ",  "pid=",     "pid: ",  "PID ",  "port ",
                                          "seed ", "seed: ",   "seed=",  "line ", "==",
                                          "(",     "process ", "thread " };
    const char *end = text + from + n;
    unsigned colons = 0;

    for (size_t i = from; i < from + n; i++)
        colons += text[i] == ':';
    if (colons >= 1 || (n >= 10 && memchr(text + from, '-', n)) || unit_of(end, len - from - n))
        return true;
    if (from && text[from - 1] == ':') /* a line, and perhaps a column, of a file */
        return true;
    for (size_t i = 0; i < SF_COUNT(before); i++) {
        const size_t b = strlen(before[i]);

        if (from < b || memcmp(text + from - b, before[i], b) != 0)
            continue;
        if (strcmp(before[i], "(") != 0 || (end < text + len && *end == ')'))
            return true;
    }
    return false;
}

/* The length of a place or an address at this point; 0: there is none. */
static size_t place_of(const char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; !n && i < SF_COUNT(places); i++)
        if (begins(text, len, places[i]))
            n = strlen(places[i]);
    if (!n)
        return 0;
    while (n < len && !strchr(" \t'\"`,;:)]>", text[n]))
        n++;
    return n;
}

static void make_equal(const char *text, size_t len, struct sf_strbuf *out)
{
    for (size_t i = 0; i < len;) {
        const bool starts = !i || !is_word(text[i - 1]);
        size_t n = starts ? place_of(text + i, len - i) : 0;

        if (n) {
            sf_strbuf_addch(out, '@');
        } else if (starts && is_digit(text[i]) && (n = number_of(text + i, len - i)) &&
                   is_fleeting(text, i, n, len)) {
            n += unit_of(text + i + n, len - i - n);
            sf_strbuf_addch(out, '#');
        } else {
            n = n ? n : 1;
            sf_strbuf_add(out, text + i, n);
        }
        i += n;
    }
}

/* The rows of dots between a name and its result depend on the length of other names. */
static void add_equal(const char *line, size_t len, struct sf_strlist *out)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    while (len && (*line == ' ' || *line == '\t')) {
        line++;
        len--;
    }
    make_equal(line, len < SF_LINE_MAX ? len : SF_LINE_MAX, &text);
    if (text.len && !sf_strlist_has(out, text.buf))
        sf_strlist_add(out, text.buf);
    sf_strbuf_release(&text);
}

/* ---- the two results ---- */

static void digest(struct sf_strlist *equal, int exit_code, char out[SF_SHA256_HEX + 1])
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strlist_sort(equal);
    sf_strbuf_addf(&text, "%d\n", exit_code);
    for (size_t i = 0; i < equal->count; i++)
        sf_strbuf_addf(&text, "%s\n", equal->items[i]);
    sf_sha256_hex(text.buf, text.len, out);
    sf_strbuf_release(&text);
}

/* Whole lines only: the first ones up to half of the room, and the last ones for the rest. */
static void cut(const struct sf_strbuf *text, struct sf_strbuf *out)
{
    static const char gap[] = "[…]\n";
    const size_t half = (SF_FAILURE_EXCERPT - sizeof(gap)) / 2;
    size_t head = half, tail = text->len - half;

    if (text->len <= SF_FAILURE_EXCERPT) {
        sf_strbuf_add(out, text->buf, text->len);
        return;
    }
    while (head && text->buf[head - 1] != '\n')
        head--;
    while (tail < text->len && text->buf[tail - 1] != '\n')
        tail++;
    sf_strbuf_add(out, text->buf, head);
    sf_strbuf_adds(out, gap);
    sf_strbuf_add(out, text->buf + tail, text->len - tail);
}

static void add_excerpt(const struct lines *lines, const bool *near, struct sf_strbuf *out)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool open = true;

    for (size_t i = 0; i < lines->count; i++) {
        if (near[i])
            sf_strbuf_addf(&text, "%.*s\n",
                           (int)(length(lines, i) < SF_LINE_MAX ? length(lines, i) : SF_LINE_MAX),
                           lines->at[i]);
        else if (open && text.len)
            sf_strbuf_adds(&text, "[…]\n");
        open = near[i];
    }
    cut(&text, out);
    sf_strbuf_release(&text);
}

static void mark(bool *near, size_t count, size_t at)
{
    for (size_t i = at > BEFORE ? at - BEFORE : 0; i < count && i <= at + BEHIND; i++)
        near[i] = true;
}

/* Without a line that tells of a failure, the end of the output stands for it. */
static void mark_end(const struct lines *lines, bool *near, struct sf_strlist *equal)
{
    for (size_t i = lines->count > TAIL ? lines->count - TAIL : 0; i < lines->count; i++) {
        near[i] = true;
        add_equal(lines->at[i], length(lines, i), equal);
    }
}

void sf_failure_read(struct sf_failure *failure, int exit_code, const char *output, size_t len)
{
    struct sf_plain plain = SF_PLAIN_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_strlist equal = SF_STRLIST_INIT;
    struct lines lines = { .count = 0 };
    size_t marks = 0;
    bool *near;

    sf_plain_add(&plain, output, len, &text);
    sf_plain_end(&plain, &text);
    split(&text, &lines);
    near = sf_alloc_array(lines.count + 1, sizeof(*near));
    for (size_t i = 0; i < lines.count && marks < MARKS; i++)
        if (tells_failure(lines.at[i], length(&lines, i))) {
            mark(near, lines.count, i);
            add_equal(lines.at[i], length(&lines, i), &equal);
            marks++;
        }
    if (!marks)
        mark_end(&lines, near, &equal);
    digest(&equal, exit_code, failure->digest);
    sf_strbuf_reset(&failure->excerpt);
    add_excerpt(&lines, near, &failure->excerpt);
    free(near);
    free(lines.at);
    sf_strlist_release(&equal);
    sf_strbuf_release(&text);
    sf_plain_release(&plain);
}

void sf_failure_release(struct sf_failure *failure)
{
    sf_strbuf_release(&failure->excerpt);
}
