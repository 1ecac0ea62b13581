/*
 * error.c: fills struct sf_error. Everything is bounded by the struct's arrays; text that does
 * not fit is cut at a character, never inside one, and marked.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* Marks a cut at the end of a full buffer, stepping back over a split UTF-8 sequence. */
static void mark_cut(char *buf, size_t size)
{
    static const char mark[] = "\xe2\x80\xa6";
    size_t at = size - sizeof(mark);

    while (at > 0 && ((unsigned char)buf[at] & 0xc0) == 0x80)
        at--;
    memcpy(buf + at, mark, sizeof(mark));
}

SF_PRINTF(3, 0)
static void fill(char *buf, size_t size, const char *format, va_list args)
{
    int n = vsnprintf(buf, size, format, args);

    if (n < 0)
        buf[0] = '\0';
    else if ((size_t)n >= size)
        mark_cut(buf, size);
}

static void begin(struct sf_error *err, enum sf_errc code)
{
    err->code = code;
    err->line = err->column = 0;
    err->hint[0] = '\0';
}

bool sf_fail(struct sf_error *err, enum sf_errc code, const char *format, ...)
{
    va_list args;

    begin(err, code);
    va_start(args, format);
    fill(err->msg, sizeof(err->msg), format, args);
    va_end(args);
    return false;
}

bool sf_hint(struct sf_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fill(err->hint, sizeof(err->hint), format, args);
    va_end(args);
    return false;
}

static enum sf_errc code_of(int number)
{
    static const struct {
        int number;
        enum sf_errc code;
    } codes[] = {
        { ENOENT, SF_E_NOENT },    { ENOTDIR, SF_E_NOENT },  { EEXIST, SF_E_EXIST },
        { ENOSPC, SF_E_FULL },     { EDQUOT, SF_E_FULL },    { EROFS, SF_E_READONLY },
        { EACCES, SF_E_READONLY }, { EPERM, SF_E_READONLY },
    };

    for (size_t i = 0; i < SF_COUNT(codes); i++)
        if (codes[i].number == number)
            return codes[i].code;
    return SF_E_IO;
}

bool sf_fail_errno(struct sf_error *err, const char *format, ...)
{
    int number = errno;
    char text[128];
    va_list args;
    size_t len;
    int n;

    begin(err, code_of(number));
    va_start(args, format);
    fill(err->msg, sizeof(err->msg), format, args);
    va_end(args);
    len = strlen(err->msg);
    n = snprintf(err->msg + len, sizeof(err->msg) - len, ": %s",
                 strerror_r(number, text, sizeof(text)));
    if (n >= 0 && (size_t)n >= sizeof(err->msg) - len)
        mark_cut(err->msg, sizeof(err->msg));
    for (char *p = err->msg + len; *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    return false;
}

void sf_error_prefix(struct sf_error *err, const char *format, ...)
{
    char old[sizeof(err->msg)];
    va_list args;
    size_t len;
    int n;

    memcpy(old, err->msg, sizeof(old));
    va_start(args, format);
    fill(err->msg, sizeof(err->msg), format, args);
    va_end(args);
    len = strlen(err->msg);
    n = snprintf(err->msg + len, sizeof(err->msg) - len, "%s", old);
    if (n >= 0 && (size_t)n >= sizeof(err->msg) - len)
        mark_cut(err->msg, sizeof(err->msg));
}
