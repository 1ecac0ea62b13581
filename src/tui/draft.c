/*
 * draft.c: the text in the composer. The port keeps it a moment after each change, so that no end
 * of the program loses more than that moment; leaving waits until the last change is kept.
 */
#include <string.h>

#include "tui/internal.h"

enum { DRAFT_MS = 400 };

void sf_draft_save(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_loop_remove(ui->loop, ui->draft.timer);
    ui->draft.timer = 0;
    sf_composer_text(ui->draft.composer, &text);
    sf_port_draft_keep(ui->port, text.buf, text.len);
    sf_strbuf_release(&text);
}

void sf_draft_save_queued(struct sf_tui *ui, int64_t row)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_composer_text(ui->draft.composer, &text);
    sf_port_draft_keep_queued(ui->port, text.buf, text.len, row);
    sf_strbuf_release(&text);
}

void sf_draft_replace(struct sf_tui *ui, const char *text, size_t len)
{
    struct sf_strbuf before = SF_STRBUF_INIT;

    sf_composer_text(ui->draft.composer, &before);
    sf_composer_set(ui->draft.composer, text, len);
    sf_draft_changed(ui);
    if (before.buf[strspn(before.buf, " \n")]) {
        sf_port_prompts_add(ui->port, before.buf);
        sf_status_say(&ui->status, false,
                      "what you were writing waits: Ctrl+_ or ↑ brings it back");
    }
    sf_strbuf_release(&before);
}

void sf_draft_load(struct sf_tui *ui)
{
    const struct sf_strbuf *kept = sf_port_draft_load(ui->port, SF_COMPOSER_MAX);

    if (kept->len && sf_composer_is_empty(ui->draft.composer))
        sf_composer_set(ui->draft.composer, kept->buf, kept->len);
}

static void draft_due(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->draft.timer = 0;
    sf_draft_save(ui);
}

void sf_draft_changed(struct sf_tui *ui)
{
    if (!ui->draft.timer)
        ui->draft.timer = sf_loop_add_timer(ui->loop, DRAFT_MS, 0, draft_due, ui);
}
