/*
 * Any bytes as Markdown, code, a diff and plain text, at any width: no line is wider than the page,
 * runs cover their line, nothing in it commands a terminal; a text laid out in the parts it splits
 * into looks as laid out whole; code and plain text lose no visible character. The first byte is
 * the width, the second chooses what the rest is.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "view/code_lex.h"
#include "view/view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NARROWEST = 4 };

static const char *const languages[] = { "c",    "rust", "python", "js",   "json", "sh",
                                         "toml", "yaml", "html",   "sql",  "lua",  "haskell",
                                         "diff", "make", "css",    "plain" };

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void check_page(const struct sf_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct sf_page_line *line = &page->lines[i];
        const char *text = page->text.buf + line->at;
        size_t sum = 0;

        for (size_t run = line->run; run < line->run + line->runs; run++)
            sum += page->runs[run].len;
        must(sum == line->len && line->lead <= line->len);
        must(sf_utf8_valid(text, line->len, NULL));
        for (size_t k = 0; k < line->len; k++)
            must((unsigned char)text[k] >= ' ' && text[k] != 0x7f);
        must(page->width < NARROWEST || sf_text_width(text, line->len) <= (size_t)page->width);
    }
}

static void check_same(const struct sf_page *a, const struct sf_page *b)
{
    size_t count = a->count;

    while (count && !a->lines[count - 1].len)
        count--;
    must(b->count >= count);
    for (size_t i = count; i < b->count; i++)
        must(!b->lines[i].len);
    for (size_t i = 0; i < count; i++) {
        const struct sf_page_line *x = &a->lines[i], *y = &b->lines[i];

        must(x->len == y->len && x->runs == y->runs && x->soft == y->soft &&
             !memcmp(a->text.buf + x->at, b->text.buf + y->at, x->len));
    }
}

static void lay_markdown(struct sf_page *page, int width, const char *text, size_t len)
{
    struct sf_page parts = SF_PAGE_INIT;
    size_t at = sf_markdown_split(text, len, SIZE_MAX);

    sf_markdown_lay(page, text, len, "sf  ", "    ", sf_look(SF_LOOK_AGENT));
    must(at <= len);
    sf_page_reset(&parts, width);
    sf_markdown_lay(&parts, text, at, "sf  ", "    ", sf_look(SF_LOOK_AGENT));
    if (parts.count) {
        sf_page_blank(&parts);
        sf_markdown_lay(&parts, text + at, len - at, "    ", "    ", sf_look(SF_LOOK_AGENT));
        check_same(page, &parts);
    }
    sf_page_release(&parts);
}

/* All that is visible is there, in order; of plain ASCII, where nothing composes or is dropped. */
static void check_kept(const struct sf_page *page, const char *text, size_t len)
{
    struct sf_strbuf copy = SF_STRBUF_INIT;
    size_t at = 0;

    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] >= 0x80)
            return;
    if (page->count)
        sf_page_copy(page, 0, 0, page->count - 1, page->width * 2, &copy);
    for (size_t i = 0; i < len; i++) {
        if (!isgraph((unsigned char)text[i]))
            continue;
        while (at < copy.len && !isgraph((unsigned char)copy.buf[at]))
            at++;
        must(at < copy.len && copy.buf[at] == text[i]);
        at++;
    }
    sf_strbuf_release(&copy);
}

static void lay_plain(struct sf_page *page, const char *text, size_t len, bool keep)
{
    sf_page_begin(page, "> ", NULL, sf_look(SF_LOOK_DIM), keep);
    sf_page_add(page, text, len / 2, sf_look(SF_LOOK_TEXT));
    sf_page_add(page, text + len / 2, len - len / 2, sf_look(SF_LOOK_CODE));
    sf_page_end(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_diff_lay how = { .lead = "  ", .headers = true };
    const struct sf_code_lead lead = { .lead = "  " };
    struct sf_page page = SF_PAGE_INIT;
    const char *text = (const char *)data + 2, *name;
    int width;

    if (size < 2)
        return 0;
    width = data[0] % 128 + 1;
    size -= 2;
    sf_page_reset(&page, width);
    switch (data[1] % 8) {
    case 0:
        name = languages[data[1] / 8 % SF_COUNT(languages)];
        sf_code_lay(&page, text, size, sf_language_named(name, strlen(name)), &lead);
        check_kept(&page, text, size);
        break;
    case 1:
        how.max_lines = data[1] / 8;
        sf_diff_lay(&page, text, size, &how);
        break;
    case 2:
        lay_plain(&page, text, size, data[1] & 8);
        check_kept(&page, text, size);
        break;
    default:
        lay_markdown(&page, width, text, size);
        break;
    }
    check_page(&page);
    sf_page_release(&page);
    return 0;
}
