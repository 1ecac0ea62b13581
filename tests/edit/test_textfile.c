/*
 * What bytes are: encodings, endings, images and binaries, and the way back to the same bytes.
 */
#include "edit/edit.h"
#include "support/test.h"

struct bytes {
    const char *data;
    size_t len;
};

#define B(s)             \
    {                    \
        s, sizeof(s) - 1 \
    }

static const struct {
    const char *name;
    struct bytes bytes;
    enum sf_encoding encoding;
    enum sf_endings endings;
    bool final_newline, editable;
    const char *media;
    struct bytes text;
} cases[] = {
    { "nothing", B(""), SF_ENCODING_UTF8, SF_ENDINGS_NONE, false, true, NULL, B("") },
    { "plain lines", B("a\nb\n"), SF_ENCODING_UTF8, SF_ENDINGS_LF, true, true, NULL, B("a\nb\n") },
    { "no final newline", B("a\nb"), SF_ENCODING_UTF8, SF_ENDINGS_LF, false, true, NULL,
      B("a\nb") },
    { "one line", B("a"), SF_ENCODING_UTF8, SF_ENDINGS_NONE, false, true, NULL, B("a") },
    { "CRLF", B("a\r\nb\r\n"), SF_ENCODING_UTF8, SF_ENDINGS_CRLF, true, true, NULL,
      B("a\r\nb\r\n") },
    { "CR", B("a\rb\r"), SF_ENCODING_UTF8, SF_ENDINGS_CR, true, true, NULL, B("a\rb\r") },
    { "LF and CRLF", B("a\nb\r\n"), SF_ENCODING_UTF8, SF_ENDINGS_MIXED, true, true, NULL,
      B("a\nb\r\n") },
    { "CR and LF the wrong way round", B("a\n\rb"), SF_ENCODING_UTF8, SF_ENDINGS_MIXED, false, true,
      NULL, B("a\n\rb") },
    { "UTF-8", B("h\xc3\xa9\n"), SF_ENCODING_UTF8, SF_ENDINGS_LF, true, true, NULL,
      B("h\xc3\xa9\n") },
    { "UTF-8 with a mark",
      B("\xef\xbb\xbf"
        "a\r\n"),
      SF_ENCODING_UTF8_BOM, SF_ENDINGS_CRLF, true, true, NULL, B("a\r\n") },
    { "a mark and nothing else", B("\xef\xbb\xbf"), SF_ENCODING_UTF8_BOM, SF_ENDINGS_NONE, false,
      true, NULL, B("") },
    { "UTF-16LE",
      B("\xff\xfe"
        "a\0\n\0\x3d\xd8\x00\xde"),
      SF_ENCODING_UTF16LE, SF_ENDINGS_LF, false, true, NULL, B("a\n\xf0\x9f\x98\x80") },
    { "UTF-16BE", B("\xfe\xff\0a\0\r\0\n"), SF_ENCODING_UTF16BE, SF_ENDINGS_CRLF, true, true, NULL,
      B("a\r\n") },
    { "UTF-16 with a lone surrogate",
      B("\xff\xfe\x3d\xd8"
        "a\0"),
      SF_ENCODING_UTF16LE, SF_ENDINGS_NONE, false, false, NULL, B("") },
    { "UTF-16 with the second half first", B("\xfe\xff\xde\x00\xd8\x3d"), SF_ENCODING_UTF16BE,
      SF_ENDINGS_NONE, false, false, NULL, B("") },
    { "UTF-16 with a surrogate at the end", B("\xff\xfe\x3d\xd8"), SF_ENCODING_UTF16LE,
      SF_ENDINGS_NONE, false, false, NULL, B("") },
    { "UTF-16 of an odd length",
      B("\xff\xfe"
        "a"),
      SF_ENCODING_UTF16LE, SF_ENDINGS_NONE, false, false, NULL, B("") },
    { "UTF-16 without a mark", B("a\0b\0"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false, false, NULL,
      B("") },
    { "UTF-32", B("\xff\xfe\0\0a\0\0\0"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false, false, NULL,
      B("") },
    { "Latin-1", B("caf\xe9\n"), SF_ENCODING_BYTES, SF_ENDINGS_LF, true, true, NULL,
      B("caf\xe9\n") },
    { "a mark before what is not UTF-8", B("\xef\xbb\xbf\xe9\n"), SF_ENCODING_BYTES, SF_ENDINGS_LF,
      true, true, NULL, B("\xef\xbb\xbf\xe9\n") },
    { "a NUL", B("a\0b"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false, false, NULL, B("") },
    { "a NUL at the very end", B("text\n\0"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false, false,
      NULL, B("") },
    { "control characters", B("\x01\x02\x03\x04"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false,
      false, NULL, B("") },
    { "colours are text", B("\x1b[31mred\x1b[0m\n"), SF_ENCODING_UTF8, SF_ENDINGS_LF, true, true,
      NULL, B("\x1b[31mred\x1b[0m\n") },
    { "one odd byte in a sentence", B("a sentence with a bell\x07\n"), SF_ENCODING_UTF8,
      SF_ENDINGS_LF, true, true, NULL, B("a sentence with a bell\x07\n") },
    { "PNG", B("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false, false,
      "image/png", B("") },
    { "the head of a PNG", B("\x89PNG\r\n\x1a\n"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false,
      false, "image/png", B("") },
    { "JPEG", B("\xff\xd8\xff\xe0\0\x10JFIF\0"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false, false,
      "image/jpeg", B("") },
    { "GIF", B("GIF89a\x01\0\x01\0"), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false, false,
      "image/gif", B("") },
    { "a note about GIF", B("GIF89a is a format\n"), SF_ENCODING_UTF8, SF_ENDINGS_LF, true, true,
      NULL, B("GIF89a is a format\n") },
    { "WebP", B("RIFF\x10\0\0\0WEBPVP8 "), SF_ENCODING_BINARY, SF_ENDINGS_NONE, false, false,
      "image/webp", B("") },
    { "RIFF of another kind", B("RIFF\x10\0\0\0WAVEfmt "), SF_ENCODING_BINARY, SF_ENDINGS_NONE,
      false, false, NULL, B("") },
    { "the same with another chunk first", B("xIFF\x10\0\0\0WEBPVP8 "), SF_ENCODING_BINARY,
      SF_ENDINGS_NONE, false, false, NULL, B("") },
};

/* What can be edited is written back byte for byte; what cannot says why. */
static void check_way_back(const char *name, const struct sf_textfile *file, struct bytes bytes,
                           bool editable)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_textfile_check(file, &err) != editable)
        fail_msg("%s: editable or not? %s", name, err.msg);
    if (editable) {
        if (!sf_textfile_write(file, file->text, file->len, &out, &err))
            fail_msg("%s: %s", name, err.msg);
        if (out.len != bytes.len || memcmp(out.buf, bytes.data, out.len) != 0)
            fail_msg("%s: other bytes came back", name);
    } else if (!strstr(err.msg, "cannot be edited: ") || !err.hint[0]) {
        fail_msg("%s: %s", name, err.msg);
    }
    sf_strbuf_release(&out);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_textfile file;

        sf_textfile_read(&file, cases[i].bytes.data, cases[i].bytes.len);
        if (file.encoding != cases[i].encoding || file.endings != cases[i].endings ||
            file.final_newline != cases[i].final_newline)
            fail_msg("%s: %s, %s, closed %d", cases[i].name, sf_encoding_name(file.encoding),
                     sf_endings_name(file.endings), file.final_newline);
        if (strcmp(file.media ? file.media : "", cases[i].media ? cases[i].media : "") != 0)
            fail_msg("%s: %s", cases[i].name, file.media ? file.media : "no image");
        if (file.len != cases[i].text.len || memcmp(file.text, cases[i].text.data, file.len) != 0)
            fail_msg("%s: the text is another one", cases[i].name);
        check_way_back(cases[i].name, &file, cases[i].bytes, cases[i].editable);
        sf_textfile_release(&file);
    }
}

static void test_endings_are_counted(void **state)
{
    struct sf_textfile file;

    (void)state;
    sf_textfile_read(&file, "a\nb\r\nc\rd\r\r\n", 11);
    assert_int_equal(file.lf, 1);
    assert_int_equal(file.crlf, 2);
    assert_int_equal(file.cr, 2);
    sf_textfile_release(&file);
}

static void test_ceiling(void **state)
{
    size_t len = SF_TEXTFILE_MAX;
    char *text = sf_alloc(len + 1);
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_textfile file;

    (void)state;
    memset(text, 'x', len + 1);
    sf_textfile_read(&file, text, len);
    assert_true(sf_textfile_check(&file, &err));
    assert_false(sf_textfile_write(&file, text, len + 1, &out, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_int_equal(out.len, 0);
    sf_textfile_release(&file);

    sf_textfile_read(&file, text, len + 1);
    assert_false(sf_textfile_check(&file, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_non_null(strstr(err.msg, "16 MiB"));
    sf_textfile_release(&file);
    sf_strbuf_release(&out);
    free(text);
}

static void test_what_a_file_accepts(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_textfile utf8, latin;

    (void)state;
    sf_textfile_read(&utf8, "a", 1);
    sf_textfile_read(&latin, "\xe9", 1);
    assert_true(sf_textfile_accepts(&utf8, "\xc3\xa9", 2, &err));
    assert_false(sf_textfile_accepts(&utf8, "a\xe9", 2, &err));
    assert_non_null(strstr(err.msg, "byte 1"));
    assert_true(sf_textfile_accepts(&latin, "\xe9", 1, &err));
    assert_false(sf_textfile_accepts(&latin, "a\0b", 3, &err));
    sf_textfile_release(&utf8);
    sf_textfile_release(&latin);
}

/* Every code point goes to UTF-16 and back. */
static void test_all_of_unicode(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT, bytes = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_textfile file, again;

    (void)state;
    for (uint32_t cp = 0x20; cp <= SF_UTF8_LAST; cp++)
        if (cp < 0xd800 || cp > 0xdfff)
            sf_utf8_add(&text, cp);
    sf_textfile_read(&file, "\xfe\xff", 2);
    assert_true(sf_textfile_write(&file, text.buf, text.len, &bytes, &err));
    sf_textfile_read(&again, bytes.buf, bytes.len);
    assert_int_equal(again.encoding, SF_ENCODING_UTF16BE);
    assert_int_equal(again.len, text.len);
    assert_memory_equal(again.text, text.buf, text.len);
    sf_textfile_release(&again);
    sf_textfile_release(&file);
    sf_strbuf_release(&bytes);
    sf_strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),          cmocka_unit_test(test_endings_are_counted),
        cmocka_unit_test(test_ceiling),        cmocka_unit_test(test_what_a_file_accepts),
        cmocka_unit_test(test_all_of_unicode),
    };

    return cmocka_run_group_tests_name("textfile", tests, NULL, NULL);
}
