/*
 * secret.c: a field for an API key. The field shows dots, has no history, no undo and no clipboard,
 * and its one buffer never grows, so that wiping it leaves no copy behind.
 */
#include <string.h>

#include "tui/internal.h"

enum { MAX = 8192, DOTS_MAX = 24 }; /* So few dots tell little about the length of a key. */

struct sf_secret {
    size_t len;
    char text[MAX + 1];
};

struct sf_secret *sf_secret_new(void)
{
    return sf_alloc(sizeof(struct sf_secret));
}

void sf_secret_free(struct sf_secret *s)
{
    if (s)
        explicit_bzero(s, sizeof(*s));
    free(s);
}

/* A zero byte would end the text early, and no key has one. */
bool sf_secret_type(struct sf_secret *s, const char *text, size_t len)
{
    if (len > MAX - s->len || memchr(text, '\0', len))
        return false;
    memcpy(s->text + s->len, text, len);
    s->len += len;
    return true;
}

void sf_secret_act(struct sf_secret *s, enum sf_action_id action)
{
    bool all = action == SF_ACTION_KILL_START || action == SF_ACTION_KILL_WORD ||
               action == SF_ACTION_KILL_WORD_BACK || action == SF_ACTION_KILL_LINE;
    size_t from = all ? 0 : s->len;

    if (action == SF_ACTION_BACKSPACE && s->len)
        for (from = s->len - 1; from && (s->text[from] & 0xc0) == 0x80;)
            from--;
    explicit_bzero(s->text + from, s->len - from);
    s->len = from;
}

const char *sf_secret_text(const struct sf_secret *s)
{
    return s->text;
}

void sf_secret_draw(const struct sf_secret *s, struct sf_area area, const char *prompt)
{
    int col = sf_area_puts(area, 0, 0, prompt, sf_look(SF_LOOK_ACCENT));
    size_t dots = s->len < DOTS_MAX ? s->len : DOTS_MAX;

    for (size_t i = 0; i < dots && col < area.cols - 1; i++)
        col += sf_area_puts(area, 0, col, "•", sf_look(SF_LOOK_TEXT));
    sf_area_cursor(area, 0, col);
}
