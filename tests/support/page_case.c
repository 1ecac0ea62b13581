#include "support/page_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"

static void end_line(struct sf_strbuf *out)
{
    while (out->len && out->buf[out->len - 1] == ' ')
        sf_strbuf_truncate(out, out->len - 1);
    sf_strbuf_addch(out, '\n');
}

char *page_case_text(const struct sf_page *page)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t i = 0; i < page->count; i++) {
        sf_strbuf_add(&out, page->text.buf + page->lines[i].at, page->lines[i].len);
        end_line(&out);
    }
    return sf_strbuf_detach(&out);
}

static void add_look(struct sf_strbuf *out, struct sf_look look)
{
    static const char letters[] = "biurf";
    static const char *const grounds[] = { "", "", "@added",
                                           "@removed" }; /* panels: line->ground */

    sf_strbuf_addf(out, "<%s%s", sf_look_role_names[look.role], grounds[look.ground]);
    for (size_t i = 0; i < strlen(letters); i++)
        if (look.attrs & 1u << i)
            sf_strbuf_addf(out, ",%c", letters[i]);
    sf_strbuf_addch(out, '>');
}

char *page_case_looks(const struct sf_page *page)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t i = 0; i < page->count; i++) {
        const struct sf_page_line *line = &page->lines[i];
        size_t at = line->at;
        struct sf_look before = { .role = UINT8_MAX };

        for (size_t run = line->run; run < line->run + line->runs; at += page->runs[run++].len) {
            struct sf_look look = page->runs[run].look;

            if (at < line->at + line->lead)
                continue;
            if (look.role != before.role || look.attrs != before.attrs)
                add_look(&out, look);
            before = look;
            sf_strbuf_add(&out, page->text.buf + at, page->runs[run].len);
        }
        end_line(&out);
    }
    return sf_strbuf_detach(&out);
}

char *page_case_copy(const struct sf_page *page)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    if (page->count)
        sf_page_copy(page, 0, 0, page->count - 1, page->width * 2, &out);
    return sf_strbuf_detach(&out);
}

void page_case_check(const struct sf_page *page, const char *name)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct sf_page_line *line = &page->lines[i];
        const char *text = page->text.buf + line->at;
        size_t sum = 0, width = sf_text_width(text, line->len);

        for (size_t run = line->run; run < line->run + line->runs; run++)
            sum += page->runs[run].len;
        if (sum != line->len || line->lead > line->len)
            fail_msg("%s: the runs of line %zu do not cover it", name, i);
        if (page->width >= 4 && width > (size_t)page->width)
            fail_msg("%s: line %zu has %zu columns of %d", name, i, width, page->width);
        for (size_t k = 0; k < line->len; k++)
            if ((unsigned char)text[k] < ' ' || text[k] == 0x7f)
                fail_msg("%s: line %zu has a control character", name, i);
        if (!sf_utf8_valid(text, line->len, NULL))
            fail_msg("%s: line %zu is no UTF-8", name, i);
    }
}

void page_case_same(const char *name, char *got, const char *want)
{
    char message[8192];
    bool same = !strcmp(got, want);

    snprintf(message, sizeof(message), "%s: got\n%s\nwant\n%s", name, got, want);
    free(got);
    if (!same)
        fail_msg("%s", message);
}
