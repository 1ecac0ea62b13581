/*
 * trust_card.c: the card that asks whether the user trusts the workspace. Esc means not now; only
 * the key y gives trust.
 */
#include <string.h>

#include "tui/internal.h"

enum { NAMED = 12 }; /* How many files the card names. */

void sf_trust_ask(struct sf_cards *cards, const struct sf_response *r, sf_card_fn *answered)
{
    struct sf_card *c = sf_card_new(cards, SF_CARD_TRUST);

    c->answered = answered;
    c->reason = sf_strdup(r->text.buf);
    c->what = sf_strdup(r->hint);
    c->hint = sf_strdup("Esc: not now");
    for (size_t i = 0; i < r->count && i < NAMED; i++)
        sf_strlist_addf(&c->facts, "%s\t%s", i ? "" : "files", r->rows[i].cells.items[0]);
    if (r->count > NAMED)
        sf_strlist_addf(&c->facts, "\tand %zu more", r->count - NAMED);
}

void sf_trust_lay(const struct sf_card *c, struct sf_page *page)
{
    sf_page_begin(page, "", NULL, sf_look(SF_LOOK_TEXT), false);
    sf_page_adds(page, c->reason, sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD));
    sf_page_end(page);
    sf_page_blank(page);
    for (size_t i = 0; i < c->facts.count; i++) {
        const char *fact = c->facts.items[i], *tab = strchr(fact, '\t');
        char lead[16];

        snprintf(lead, sizeof(lead), "%-9.*s", (int)(tab - fact), fact);
        sf_page_begin(page, lead, NULL, sf_look(SF_LOOK_DIM), false);
        sf_page_adds(page, tab + 1, sf_look(SF_LOOK_CODE));
        sf_page_end(page);
    }
    sf_page_blank(page);
    sf_page_begin(page, "", NULL, sf_look(SF_LOOK_TEXT), false);
    sf_page_adds(page, c->what, sf_look(SF_LOOK_TEXT));
    sf_page_end(page);
    sf_page_blank(page);
}

/*
 * The key x is a no that is remembered. Words of the command line have waited for an answer and are
 * sent after any of the three.
 */
void sf_trust_key(struct sf_tui *ui, char key)
{
    if (!strchr("ynx", key))
        return;
    sf_card_answer_own(ui, key == 'y');
    if (key == 'x')
        sf_port_line(ui->port, "/trust never");
    sf_tui_begin(ui);
}
