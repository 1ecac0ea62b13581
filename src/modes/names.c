/*
 * names.c: looks up words, and makes helpful errors for unknown ones.
 */
#include "modes/names.h"

#include <string.h>

enum {
    QUOTE_BYTES = 60, /* at most three bytes each once they are safe to show */
    QUOTE_COLUMNS = 40,
};

const char *sf_quote(char out[SF_QUOTE_MAX], const char *text, size_t len)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t head = len < QUOTE_BYTES ? len : QUOTE_BYTES;
    size_t fits = sf_text_fit(text, head, QUOTE_COLUMNS, NULL);

    sf_text_sanitize(&sb, text, fits, 0);
    if (fits < len)
        sf_strbuf_adds(&sb, "\xe2\x80\xa6");
    snprintf(out, SF_QUOTE_MAX, "%s", sb.buf);
    sf_strbuf_release(&sb);
    return out;
}

int sf_names_find(const char *const *names, const char *word)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], word))
            return i;
    return -1;
}

static bool hint_list(const char *const *names, struct sf_error *err)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    for (size_t i = 0; names[i]; i++)
        sf_strbuf_addf(&sb, "%s%s", i ? ", " : "", names[i]);
    sf_hint(err, "one of %s", sb.buf);
    sf_strbuf_release(&sb);
    return false;
}

bool sf_names_parse(const char *const *names, const char *what, const char *word, int *out,
                    struct sf_error *err)
{
    int found = sf_names_find(names, word);
    char quote[SF_QUOTE_MAX];
    struct sf_suggest s;

    if (found >= 0) {
        *out = found;
        return true;
    }
    sf_fail(err, SF_E_ARG, "there is no %s called \"%s\"", what,
            sf_quote(quote, word, strlen(word)));
    sf_suggest_start(&s, word);
    for (size_t i = 0; names[i]; i++)
        sf_suggest_offer(&s, names[i]);
    return s.best ? sf_hint(err, "did you mean %s?", s.best) : hint_list(names, err);
}
