/*
 * title.c: makes a title of any text.
 */
#include "journal/title.h"

#include <string.h>

enum { LOOKED_AT = 64 * SF_TITLE_COLUMNS }; /* bytes; no title needs more input than this */

void sf_title_make(struct sf_strbuf *out, const char *text, size_t len)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    const char *from;

    sf_text_sanitize(&line, text, len > LOOKED_AT ? sf_utf8_cut(text, LOOKED_AT) : len,
                     SF_TEXT_ONE_LINE);
    from = line.buf + strspn(line.buf, " ");
    sf_strbuf_add(out, from, sf_text_fit(from, strlen(from), SF_TITLE_COLUMNS, NULL));
    while (out->len && out->buf[out->len - 1] == ' ')
        sf_strbuf_truncate(out, out->len - 1);
    sf_strbuf_release(&line);
}

bool sf_title_set(struct sf_store *store, const char *session, const char *text,
                  struct sf_error *err)
{
    struct sf_strbuf title = SF_STRBUF_INIT;
    bool ok;

    sf_title_make(&title, text, strlen(text));
    ok = title.len ? sf_store_session_update(store, session, title.buf, NULL, NULL, err)
                   : sf_fail(err, SF_E_ARG, "a title needs words");
    sf_strbuf_release(&title);
    return ok;
}
