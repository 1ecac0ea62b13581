/*
 * diff_paint.c: a line of a diff with the colours of its language. The lexer gives pieces, the
 * comparison gives spans that changed; where both overlap the span's look wins.
 */
#include <string.h>

#include "view/diff_parts.h"

void sf_diff_painter_begin(struct sf_diff_painter *painter, const struct sf_language *language)
{
    sf_lexer_init(&painter->lexer, language);
    painter->states[0] = painter->states[1] = painter->lexer.state;
}

void sf_diff_painter_release(struct sf_diff_painter *painter)
{
    free(painter->pieces);
}

static void take_piece(void *ctx, const char *text, size_t len, struct sf_look look)
{
    struct sf_diff_painter *p = ctx;
    size_t start = p->count ? p->pieces[p->count - 1].end : 0;

    (void)text;
    p->pieces = sf_grow(p->pieces, &p->cap, p->count + 1, sizeof(*p->pieces));
    p->pieces[p->count++] = (struct sf_diff_piece){ start + len, look };
}

static void drop_piece(void *ctx, const char *text, size_t len, struct sf_look look)
{
    (void)ctx, (void)text, (void)len, (void)look;
}

static void lex(struct sf_diff_painter *p, const char *text, size_t len, bool now)
{
    p->count = 0;
    p->lexer.state = p->states[now];
    sf_lexer_line(&p->lexer, text, len, take_piece, p);
    p->states[now] = p->lexer.state;
}

static bool same_state(const struct sf_lex_state *a, const struct sf_lex_state *b)
{
    return a->quote == b->quote && a->depth == b->depth && a->in_tag == b->in_tag;
}

void sf_diff_painter_pass(struct sf_diff_painter *painter, const char *text, size_t len,
                          const struct sf_lex_state *before)
{
    if (same_state(&painter->states[0], before)) {
        painter->states[0] = painter->states[1];
        return;
    }
    painter->lexer.state = painter->states[0];
    sf_lexer_line(&painter->lexer, text, len, drop_piece, NULL);
    painter->states[0] = painter->lexer.state;
}

static void add_part(struct sf_page *page, const struct sf_diff_row *row, size_t from, size_t to,
                     struct sf_look look, bool exact)
{
    const struct sf_exact part = { .text = row->text, .len = row->len, .at = from, .end = to };

    if (exact)
        sf_page_add_exact(page, part, look);
    else
        sf_page_add(page, row->text + from, to - from, look);
}

static struct sf_look word_of(const struct sf_diff_row *row)
{
    return sf_look(row->kind == SF_DIFF_ADDED ? SF_LOOK_ADDED_WORD : SF_LOOK_REMOVED_WORD);
}

void sf_diff_paint(struct sf_diff_painter *painter, struct sf_page *page,
                   const struct sf_diff_row *row, size_t len, struct sf_diff_marks marks,
                   bool exact, bool now)
{
    size_t at = 0, piece = 0, span = 0;

    exact = exact && row->kind != SF_DIFF_CONTEXT;
    lex(painter, row->text, len - (len && row->text[len - 1] == '\r'), now);
    while (at < len) {
        bool plain = piece >= painter->count;
        struct sf_look look = plain ? sf_look(SF_LOOK_CODE) : painter->pieces[piece].look;
        size_t end = plain ? len : painter->pieces[piece].end;

        while (span < marks.count && marks.spans[span].at + marks.spans[span].len <= at)
            span++;
        if (span < marks.count && marks.spans[span].at <= at) {
            end = marks.spans[span].at + marks.spans[span].len;
            look = word_of(row);
        } else if (span < marks.count && marks.spans[span].at < end) {
            end = marks.spans[span].at;
        }
        end = end < len ? end : len;
        add_part(page, row, at, end, look, exact);
        at = end;
        while (piece < painter->count && painter->pieces[piece].end <= at)
            piece++;
    }
}
