/*
 * page.c: the bytes decide whether a page is text; the type only tells which media need not be
 * read, and what is HTML.
 */
#include "tools/page.h"

#include <strings.h>

#include "edit/edit.h"
#include "tools/charset.h"
#include "tools/html.h"
#include "tools/kind.h"

static const char *const media[] = { "image/",
                                     "audio/",
                                     "video/",
                                     "font/",
                                     "application/pdf",
                                     "application/zip",
                                     "application/gzip",
                                     "application/x-gzip",
                                     "application/x-tar",
                                     "application/wasm" };

static size_t type_len(const char *type)
{
    return strcspn(type, "; \t");
}

bool sf_page_is_media(const char *type)
{
    size_t len = type_len(type);

    if (len > 4 && !strncasecmp(type + len - 4, "+xml", 4))
        return false; /* image/svg+xml and the like are text */
    for (size_t i = 0; i < SF_COUNT(media); i++)
        if (!strncasecmp(type, media[i], strlen(media[i])))
            return true;
    return false;
}

/* By the type or, without a type, by the first tag. */
static bool is_html(const char *type, const char *text, size_t len)
{
    static const char *const types[] = { "text/html", "application/xhtml+xml" };
    static const char *const starts[] = { "<!doctype html", "<html" };
    size_t at = 0;

    for (size_t i = 0; i < SF_COUNT(types); i++)
        if (type_len(type) == strlen(types[i]) && !strncasecmp(type, types[i], strlen(types[i])))
            return true;
    while (at < len && strchr(" \t\r\n", text[at]))
        at++;
    for (size_t i = 0; !*type && i < SF_COUNT(starts); i++)
        if (len - at >= strlen(starts[i]) && !strncasecmp(text + at, starts[i], strlen(starts[i])))
            return true;
    return false;
}

static void add_text(const struct sf_web_page *page, const char *text, size_t len,
                     struct sf_strbuf *out, struct sf_strbuf *note)
{
    if (!is_html(page->type, text, len))
        sf_strbuf_add(out, text, len);
    else if (!sf_html_text(text, len, page->url, out))
        sf_strbuf_addf(note, "[cut: the page makes more than %d MiB of text]\n",
                       SF_HTML_TEXT_MAX / (1024 * 1024));
}

static bool refuse(const struct sf_web_page *page, struct sf_error *err)
{
    struct sf_strbuf size = SF_STRBUF_INIT;

    sf_kind_size(&size, page->len);
    sf_fail(err, SF_E_ARG, "this is not text: %s, %s%s%.80s", sf_kind_name(page->body, page->len),
            size.buf, *page->type ? ", " : "", page->type);
    sf_strbuf_release(&size);
    return sf_hint(err, "use a command to download it");
}

bool sf_page_text(const struct sf_web_page *page, struct sf_strbuf *out, struct sf_strbuf *note,
                  struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char charset[SF_CHARSET_NAME];
    struct sf_textfile file;

    sf_textfile_read(&file, page->body, page->len);
    if (file.trouble) {
        sf_textfile_release(&file);
        return refuse(page, err);
    }
    if (file.encoding == SF_ENCODING_BYTES) {
        bool html = is_html(page->type, file.text, file.len);

        sf_charset_find(page->type, file.text, html ? file.len : 0, charset);
        if (!sf_charset_decode(charset, file.text, file.len, &text))
            sf_strbuf_addf(note, "[the charset %s is not known: what is not ASCII is replaced]\n",
                           charset);
        add_text(page, text.buf, text.len, out, note);
    } else {
        add_text(page, file.text, file.len, out, note);
    }
    sf_textfile_release(&file);
    sf_strbuf_release(&text);
    return true;
}
