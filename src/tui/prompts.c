/*
 * prompts.c: prompts that were sent before, brought back into the composer by arrow keys or from a
 * list.
 */
#include <string.h>

#include "tui/internal.h"

bool sf_prompts_step(struct sf_tui *ui, int direction)
{
    struct sf_strbuf draft = SF_STRBUF_INIT;
    size_t len = 0;
    const char *text;

    sf_composer_text(ui->draft.composer, &draft);
    text = direction < 0
               ? sf_prompt_history_previous(sf_port_prompts(ui->port), draft.buf, draft.len, &len)
               : sf_prompt_history_next(sf_port_prompts(ui->port), &len);
    if (text) {
        sf_composer_set(ui->draft.composer, text, len);
        sf_menu_dismiss(ui->menu, ui->draft.composer);
    }
    sf_strbuf_release(&draft);
    return text != NULL;
}

static void prompt_chosen(struct sf_tui *ui, const char *value)
{
    size_t len;
    const char *text =
        sf_prompt_history_at(sf_port_prompts(ui->port), (size_t)strtoul(value, NULL, 10), &len);

    if (text) {
        sf_draft_replace(ui, text, len);
        sf_menu_dismiss(ui->menu, ui->draft.composer);
    }
}

/* A row holds all words of a prompt, since any of them may be searched for. */
static void add_row(struct sf_tui *ui, const char *value, const char *text)
{
    struct sf_strbuf row = SF_STRBUF_INIT;

    for (; *text; text++)
        if (*text == '\n')
            sf_strbuf_adds(&row, " ⏎ ");
        else
            sf_strbuf_add(&row, *text == '\t' ? " " : text, 1);
    sf_overlay_row(ui->overlay, value, "%s", row.buf);
    sf_strbuf_release(&row);
}

void sf_prompts_search(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = { .title = "Sent before",
                                                 .keys = "Enter takes it into the composer",
                                                 .filter = true,
                                                 .chosen = prompt_chosen };
    size_t len;

    sf_overlay_list(ui, &kind);
    for (size_t i = 0; i < sf_prompt_history_count(sf_port_prompts(ui->port)); i++) {
        const char *text = sf_prompt_history_at(sf_port_prompts(ui->port), i, &len);
        char value[24];

        snprintf(value, sizeof(value), "%zu", i);
        add_row(ui, value, text);
    }
}
