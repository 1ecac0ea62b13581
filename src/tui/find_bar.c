/*
 * find_bar.c: the field that searches in the transcript. Matches are marked while it is open; older
 * events are read from the log meanwhile, and their matches are added to the count.
 */
#include <string.h>

#include "tui/internal.h"

enum { BRIEF_COLS = 64 }; /* Below so many columns the note beside the field is numbers alone. */

void sf_find_bar_open(struct sf_find_bar *bar)
{
    bar->open = true;
    sf_composer_clear(bar->field);
    bar->at = bar->total = 0;
}

void sf_find_bar_search(struct sf_tui *ui)
{
    struct sf_find_bar *bar = &ui->find_bar;
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_composer_text(bar->field, &words);
    if (words.len)
        sf_recall_all(ui, false);
    bar->total = sf_transcript_find(ui->pane.transcript, words.buf);
    bar->at = bar->total ? sf_transcript_find_next(ui->pane.transcript, -1) : 0;
    sf_strbuf_release(&words);
}

void sf_find_bar_event(struct sf_tui *ui, const struct sf_term_event *event,
                       enum sf_action_id action)
{
    struct sf_find_bar *bar = &ui->find_bar;

    if (event->kind == SF_TERM_TEXT || event->kind == SF_TERM_PASTE) {
        sf_composer_type(bar->field, event->text, event->len);
        sf_find_bar_search(ui);
    } else if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT) {
        bar->open = false;
        sf_transcript_find(ui->pane.transcript, "");
    } else if (action == SF_ACTION_SEND || action == SF_ACTION_UP || action == SF_ACTION_FIND) {
        bar->at = sf_transcript_find_next(ui->pane.transcript, -1);
    } else if (action == SF_ACTION_DOWN) {
        bar->at = sf_transcript_find_next(ui->pane.transcript, 1);
    } else if (sf_field_act(bar->field, action)) {
        sf_find_bar_search(ui);
    }
}

void sf_find_bar_add(struct sf_find_bar *bar, struct sf_transcript *transcript, size_t matches)
{
    bool first = matches && !bar->total;

    bar->total += matches;
    if (bar->at)
        bar->at += matches;
    else if (first && bar->open)
        bar->at = sf_transcript_find_next(transcript, -1);
}

void sf_find_bar_draw(const struct sf_find_bar *bar, struct sf_area area)
{
    bool brief = area.cols < BRIEF_COLS;
    char note[64];

    if (bar->total)
        snprintf(note, sizeof(note),
                 brief ? "%zu/%zu" : "%zu of %zu  Enter older  ↓ newer  Esc ends", bar->at,
                 bar->total);
    else
        snprintf(note, sizeof(note), brief ? "none" : "nothing found  Esc ends");
    sf_composer_draw(
        bar->field,
        sf_area_part(area, 0, 0, 1, area.cols - 2 - (int)sf_text_width(note, strlen(note))),
        area.cols < BRIEF_COLS / 2 ? " / " : " find ", sf_look(SF_LOOK_ACCENT),
        "words in the conversation");
    sf_area_put_right(sf_area_part(area, 0, 0, 1, area.cols - 1), 0, note, sf_look(SF_LOOK_DIM));
}
