/*
 * Fuzzes the composer: bytes are what a hand does, with and without vim's keys, drawn at any size.
 * Whatever is done, the text is valid and holds no control but newlines and tabs, the cursor is in
 * it and on screen, undoing everything and doing it again leads to the same text, and a name found
 * in a list by the text is one that matches.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/compose.h"
#include "view/view.h"

#define HOLDS(promise)                                                    \
    do {                                                                  \
        if (!(promise)) {                                                 \
            fprintf(stderr, "line %d: broken: %s\n", __LINE__, #promise); \
            abort();                                                      \
        }                                                                 \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const struct sf_composer *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_composer_text(c, &text);
    for (size_t at = 0; at < text.len;) {
        uint32_t cp;

        at += sf_utf8_decode(text.buf + at, text.len - at, &cp);
        HOLDS(cp != SF_UTF8_INVALID);
        HOLDS(cp == '\n' || cp == '\t' || (cp >= 0x20 && cp != 0x7f && (cp < 0x80 || cp > 0x9f)));
    }
    HOLDS(compose_cursor(c) <= text.len);
    HOLDS(sf_composer_is_empty(c) == !text.len);
    sf_strbuf_release(&text);
}

static void draw(struct sf_composer *c, int rows, int cols)
{
    struct sf_frame frame = SF_FRAME_INIT;

    sf_frame_resize(&frame, rows, cols);
    sf_composer_draw(c, sf_frame_area(&frame), "> ", sf_look(SF_LOOK_TEXT), "empty");
    HOLDS(frame.cursor == (rows > 0 && cols > 0));
    sf_frame_release(&frame);
}

/* Pastes of `times` copies: the larger ones become chips. */
static void paste(struct sf_composer *c, const char *text, size_t len, int times)
{
    struct sf_strbuf all = SF_STRBUF_INIT;

    for (int i = 0; i < times; i++) {
        sf_strbuf_add(&all, text, len);
        sf_strbuf_addch(&all, '\n');
    }
    sf_composer_paste(c, all.buf, all.len);
    sf_strbuf_release(&all);
}

static void do_other(struct sf_composer *c, unsigned op, const char *text, size_t len)
{
    int row = len ? text[0] % 12 : 3, col = len > 1 ? text[1] : 40;
    char word[8] = "@";

    switch (op) {
    case 0:
        paste(c, text, len, 12);
        break;
    case 1:
        paste(c, text, len, 1);
        break;
    case 2:
        sf_composer_set(c, text, len);
        break;
    case 3:
        sf_composer_clear(c);
        break;
    case 4:
        sf_composer_unfold(c);
        break;
    case 5:
        sf_composer_click(c, row, col);
        break;
    case 6:
        draw(c, row < 0 ? 0 : row, col < 0 ? 0 : col);
        break;
    case 7:
        sf_composer_set_vim(c, len & 1);
        break;
    case 8:
        sf_composer_vim_escape(c);
        break;
    case 9:
        memcpy(word + 1, text, len < 6 ? len : 6);
        sf_composer_complete(c, '@', word);
        break;
    default:
        sf_composer_vim_key(c, len ? (unsigned char)text[0] : 0x110000, 0);
        break;
    }
}

/* A byte says what is done; some of what follows may be the text it is done with. */
static void act(struct sf_composer *c, const uint8_t *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        unsigned op = data[at++];
        size_t len = (size_t)(op / 64) * 3;

        len = len < size - at ? len : size - at;
        if (op % 64 < SF_COMPOSE_ACTIONS)
            sf_composer_do(c, (enum sf_compose)(op % 64));
        else if (op % 64 < 48)
            sf_composer_type(c, (const char *)data + at, len);
        else
            do_other(c, op % 64 - 48, (const char *)data + at, len);
        at += len;
        check_text(c);
    }
}

static char *text_of(const struct sf_composer *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_composer_text(c, &text);
    return sf_strbuf_detach(&text);
}

static void check_undo(struct sf_composer *c)
{
    char *before, *after;

    while (sf_composer_do(c, SF_COMPOSE_REDO))
        continue;
    before = text_of(c);
    while (sf_composer_do(c, SF_COMPOSE_UNDO))
        check_text(c);
    while (sf_composer_do(c, SF_COMPOSE_REDO))
        continue;
    after = text_of(c);
    HOLDS(!strcmp(before, after));
    free(before);
    free(after);
}

static void fuzz_names(const char *s, size_t len)
{
    size_t half = len / 3;
    uint32_t spots[SF_FUZZY_QUERY];
    size_t count = sf_fuzzy_spots(s, half, s + half, len - half, spots);
    int score;

    HOLDS(!count || sf_fuzzy_score(s, half, s + half, len - half, &score));
    for (size_t i = 0; i < count; i++) {
        HOLDS(spots[i] < len - half);
        HOLDS(!i || spots[i] > spots[i - 1]);
        HOLDS(memchr(s, s[half + spots[i]], half) || memchr(s, s[half + spots[i]] | 0x20, half));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_composer *c;

    if (size > 4096)
        return 0;
    c = sf_composer_new();
    act(c, data, size);
    draw(c, 5, 20);
    check_undo(c);
    sf_composer_free(c);
    fuzz_names((const char *)data, size);
    return 0;
}
