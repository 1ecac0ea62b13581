/*
 * textfile.c: looks at bytes and says what they are. The order of the questions matters: a byte
 * order mark decides first, damage and control characters second, magic numbers only explain
 * what is no text anyway, so that a note beginning with "GIF89a" stays a note.
 */
#include "edit/textfile.h"

#include "base/base.h"

static const char utf8_mark[] = "\xef\xbb\xbf";

static const struct {
    const char *media;
    size_t at;
    const char *magic;
    size_t len;
} images[] = {
    { "image/png", 0, "\x89PNG\r\n\x1a\n", 8 },
    { "image/jpeg", 0, "\xff\xd8\xff", 3 },
    { "image/gif", 0, "GIF87a", 6 },
    { "image/gif", 0, "GIF89a", 6 },
    { "image/webp", 8, "WEBP", 4 },
};

static const char *const encoding_names[] = {
    [SF_ENCODING_UTF8] = "UTF-8",       [SF_ENCODING_UTF8_BOM] = "UTF-8 with BOM",
    [SF_ENCODING_UTF16LE] = "UTF-16LE", [SF_ENCODING_UTF16BE] = "UTF-16BE",
    [SF_ENCODING_BYTES] = "not UTF-8",  [SF_ENCODING_BINARY] = "binary",
};

static const char *const endings_names[] = {
    [SF_ENDINGS_NONE] = "none", [SF_ENDINGS_LF] = "LF",       [SF_ENDINGS_CRLF] = "CRLF",
    [SF_ENDINGS_CR] = "CR",     [SF_ENDINGS_MIXED] = "mixed",
};

const char *sf_encoding_name(enum sf_encoding encoding)
{
    return encoding_names[encoding];
}

const char *sf_endings_name(enum sf_endings endings)
{
    return endings_names[endings];
}

static bool starts_with(const char *bytes, size_t len, const char *magic, size_t magic_len)
{
    return len >= magic_len && !memcmp(bytes, magic, magic_len);
}

static const char *image_type(const char *bytes, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(images); i++) {
        if (images[i].at && !starts_with(bytes, len, "RIFF", 4))
            continue;
        if (len >= images[i].at &&
            starts_with(bytes + images[i].at, len - images[i].at, images[i].magic, images[i].len))
            return images[i].media;
    }
    return NULL;
}

/* A NUL, or more than one byte in ten a control character that no text uses. */
static bool looks_binary(const char *text, size_t len)
{
    size_t odd = 0;

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == 0)
            return true;
        odd += (c < 0x20 && !strchr("\t\n\r\f\v\b\x1b", c)) || c == 0x7f;
    }
    return odd > len / 10;
}

static unsigned unit_at(const char *bytes, size_t at, bool big)
{
    unsigned first = (unsigned char)bytes[at], second = (unsigned char)bytes[at + 1];

    return big ? first << 8 | second : second << 8 | first;
}

/* False when the units do not spell code points; then no exact way back exists. */
static bool decode_utf16(struct sf_strbuf *out, const char *bytes, size_t len, bool big)
{
    if (len % 2)
        return false;
    for (size_t at = 0; at < len; at += 2) {
        unsigned unit = unit_at(bytes, at, big), low;

        if (unit < 0xd800 || unit > 0xdfff) {
            sf_utf8_add(out, unit);
            continue;
        }
        at += 2;
        low = unit < 0xdc00 && at < len ? unit_at(bytes, at, big) : 0;
        if (low < 0xdc00 || low > 0xdfff)
            return false;
        sf_utf8_add(out, 0x10000u + ((unit - 0xd800u) << 10) + (low - 0xdc00u));
    }
    return true;
}

static void add_unit(struct sf_strbuf *out, unsigned unit, bool big)
{
    unsigned first = big ? unit >> 8 : unit & 0xff, second = big ? unit & 0xff : unit >> 8;

    sf_strbuf_addch(out, (char)first);
    sf_strbuf_addch(out, (char)second);
}

static void encode_utf16(struct sf_strbuf *out, const char *text, size_t len, bool big)
{
    add_unit(out, 0xfeff, big);
    for (size_t at = 0; at < len;) {
        uint32_t cp;

        at += sf_utf8_decode(text + at, len - at, &cp);
        if (cp >= 0x10000) {
            add_unit(out, 0xd800u + ((cp - 0x10000u) >> 10), big);
            cp = 0xdc00u + ((cp - 0x10000u) & 0x3ffu);
        }
        add_unit(out, cp, big);
    }
}

static void count_endings(struct sf_textfile *file)
{
    const char *text = file->text;
    unsigned kinds;

    for (size_t i = 0; i < file->len; i++) {
        if (text[i] == '\n')
            file->lf++;
        else if (text[i] == '\r' && i + 1 < file->len && text[i + 1] == '\n')
            file->crlf++, i++;
        else if (text[i] == '\r')
            file->cr++;
    }
    kinds = (file->lf > 0) + (file->crlf > 0) + (file->cr > 0);
    if (kinds > 1)
        file->endings = SF_ENDINGS_MIXED;
    else if (kinds == 1)
        file->endings = file->lf ? SF_ENDINGS_LF : file->crlf ? SF_ENDINGS_CRLF : SF_ENDINGS_CR;
    file->final_newline = file->len && (text[file->len - 1] == '\n' || text[file->len - 1] == '\r');
}

static void refuse(struct sf_textfile *file, enum sf_errc code, const char *trouble)
{
    file->code = code;
    file->trouble = trouble;
    file->text = "";
    file->len = 0;
}

static void refuse_binary(struct sf_textfile *file, const char *media)
{
    file->encoding = SF_ENCODING_BINARY;
    file->media = media;
    refuse(file, SF_E_SYNTAX, media ? "it is an image" : "it is binary");
}

/* Behind a UTF-16 mark. */
static void read_utf16(struct sf_textfile *file, bool big)
{
    file->encoding = big ? SF_ENCODING_UTF16BE : SF_ENCODING_UTF16LE;
    if (!decode_utf16(&file->decoded, file->text + 2, file->len - 2, big)) {
        refuse(file, SF_E_SYNTAX, "its UTF-16 is damaged and could not be written back as it is");
        return;
    }
    file->text = file->decoded.buf;
    file->len = file->decoded.len;
}

static void read_mark(struct sf_textfile *file)
{
    if (starts_with(file->text, file->len, "\xff\xfe", 2)) {
        read_utf16(file, false);
    } else if (starts_with(file->text, file->len, "\xfe\xff", 2)) {
        read_utf16(file, true);
    } else if (!sf_utf8_valid(file->text, file->len, NULL)) {
        file->encoding = SF_ENCODING_BYTES; /* a mark in front of it would be text as well */
    } else if (starts_with(file->text, file->len, utf8_mark, 3)) {
        file->encoding = SF_ENCODING_UTF8_BOM;
        file->text += 3;
        file->len -= 3;
    }
}

void sf_textfile_read(struct sf_textfile *file, const char *bytes, size_t len)
{
    const char *media = image_type(bytes, len);

    *file = (struct sf_textfile){ .text = len ? bytes : "", .len = len };
    sf_strbuf_init(&file->decoded);
    if (len > SF_TEXTFILE_MAX) {
        file->encoding = media ? SF_ENCODING_BINARY : SF_ENCODING_BYTES;
        file->media = media;
        refuse(file, SF_E_LIMIT, "it is larger than 16 MiB");
        return;
    }
    read_mark(file);
    if (file->trouble)
        return;
    if (looks_binary(file->text, file->len) || (media && file->encoding == SF_ENCODING_BYTES))
        refuse_binary(file, media);
    else
        count_endings(file);
}

void sf_textfile_release(struct sf_textfile *file)
{
    sf_strbuf_release(&file->decoded);
    file->text = "";
    file->len = 0;
}

bool sf_textfile_check(const struct sf_textfile *file, struct sf_error *err)
{
    if (!file->trouble)
        return true;
    sf_fail(err, file->code, "the file cannot be edited: %s", file->trouble);
    return sf_hint(err, "write the whole file, or use a program that knows its format");
}

bool sf_textfile_accepts(const struct sf_textfile *file, const char *text, size_t len,
                         struct sf_error *err)
{
    size_t bad_at;

    if (len && memchr(text, '\0', len))
        return sf_fail(err, SF_E_ARG, "the text holds a NUL byte; no text file has one");
    if (file->encoding == SF_ENCODING_BYTES || sf_utf8_valid(text, len, &bad_at))
        return true;
    return sf_fail(err, SF_E_ARG, "the text is not UTF-8 (byte %zu), but the file is %s", bad_at,
                   sf_encoding_name(file->encoding));
}

bool sf_textfile_write(const struct sf_textfile *file, const char *text, size_t len,
                       struct sf_strbuf *out, struct sf_error *err)
{
    size_t before = out->len;

    if (file->encoding == SF_ENCODING_UTF16LE || file->encoding == SF_ENCODING_UTF16BE) {
        if (!sf_textfile_accepts(file, text, len, err))
            return false;
        encode_utf16(out, text, len, file->encoding == SF_ENCODING_UTF16BE);
    } else {
        if (file->encoding == SF_ENCODING_UTF8_BOM)
            sf_strbuf_add(out, utf8_mark, 3);
        sf_strbuf_add(out, text, len);
    }
    if (out->len - before <= SF_TEXTFILE_MAX)
        return true;
    sf_strbuf_truncate(out, before);
    return sf_fail(err, SF_E_LIMIT, "the file would become larger than 16 MiB");
}
