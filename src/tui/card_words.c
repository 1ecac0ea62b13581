/*
 * card_words.c: the field of a card: the answer to a question, the word that confirms, a reason, or
 * another command. A step back keeps the text for the next time; only Ctrl+C and the answer itself
 * take it away.
 */
#include <string.h>

#include "tui/internal.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

bool sf_card_takes_words(const struct sf_cards *cards)
{
    const struct sf_card *c = sf_card_first(cards);

    return cards->writing || c->kind == SF_CARD_QUESTION || c->kind == SF_CARD_CONFIRM;
}

static void keep(struct sf_cards *cards)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_composer_text(cards->words, &text);
    free(cards->left[cards->writing]);
    cards->left[cards->writing] = sf_strbuf_detach(&text);
}

void sf_card_write(struct sf_cards *cards, enum sf_card_words which, const char *text)
{
    keep(cards);
    cards->writing = which;
    if (cards->left[which] && *cards->left[which])
        text = cards->left[which];
    sf_composer_set(cards->words, text, strlen(text));
}

bool sf_card_unwrite(struct sf_cards *cards, bool wipe)
{
    bool empty = sf_composer_is_empty(cards->words);

    if (!sf_card_takes_words(cards))
        return false;
    if (!empty && (wipe || !cards->writing))
        sf_composer_clear(cards->words);
    else if (cards->writing && !wipe)
        sf_card_write(cards, SF_WORDS_OWN, "");
    else
        return false;
    return true;
}

void sf_card_forget(struct sf_cards *cards)
{
    for (size_t i = 0; i < SF_COUNT(cards->left); i++) {
        free(cards->left[i]);
        cards->left[i] = NULL;
    }
    cards->writing = SF_WORDS_OWN;
    cards->scroll = 0;
    cards->moved = false;
    cards->text.of = NULL;
    if (cards->words)
        sf_composer_clear(cards->words);
}

/* ---- changing the call ---- */

/* Editors add a newline to the last line, whether the draft had one or not. */
static size_t without_end(const char *draft, const char *text, size_t len)
{
    size_t n = strlen(draft);
    bool ended = n && draft[n - 1] == '\n';

    return !ended && len && text[len - 1] == '\n' ? len - 1 : len;
}

/* A changed call comes back as a new card, which shows the change before the call runs. */
static void edited(struct sf_tui *ui, const char *text, size_t len)
{
    char *id = ui->cards.in_editor;
    const struct sf_card *c = sf_card_find(&ui->cards, id);
    struct sf_amendment amendment = { .text = text, .who = "user" };
    struct sf_error err = SF_ERROR_INIT;

    ui->cards.in_editor = NULL;
    if (!c || !c->draft) {
        sf_status_say(&ui->status, true, "the call does not wait any more");
    } else if (text) {
        amendment.len = without_end(c->draft, text, len);
        if ((strlen(c->draft) != amendment.len || memcmp(c->draft, text, amendment.len) != 0) &&
            !sf_port_amend(ui->port, id, &amendment, &err))
            sf_tui_fail(ui, &err);
    }
    free(id);
}

/* The name of the file ends like the original, so that the editor knows the kind of text. */
static void open_editor(struct sf_tui *ui, const struct sf_card *c, bool command)
{
    const char *slash = strrchr(c->what, '/');
    struct sf_strbuf name = SF_STRBUF_INIT;

    if (ui->lent.pid)
        return;
    sf_strbuf_addf(&name, "change-%.100s", command ? "command.sh" : slash ? slash + 1 : c->what);
    for (char *p = name.buf; *p; p++) /* The model chose the name, and editors print it. */
        if (!strchr(PLAIN, *p))
            *p = '_';
    free(ui->cards.in_editor);
    ui->cards.in_editor = sf_strdup(c->id);
    sf_editor_open(ui, name.buf, c->draft, strlen(c->draft), edited);
    sf_strbuf_release(&name);
}

/* A short command is edited on the card; the field would fold a long one into a placeholder. */
static bool fits(const char *text)
{
    size_t lines = 1, len = strlen(text);

    for (const char *p = text; (p = strchr(p, '\n')); p++)
        lines++;
    return lines <= SF_PASTE_LINES && len <= SF_PASTE_BYTES;
}

void sf_card_amend(struct sf_tui *ui)
{
    const struct sf_card *c = sf_card_first(&ui->cards);
    bool command = !strcmp(c->draft, c->what);

    if (command && fits(c->draft))
        sf_card_write(&ui->cards, SF_WORDS_INSTEAD, c->draft);
    else
        open_editor(ui, c, command);
}

/* ---- sending ---- */

static void send_own(struct sf_tui *ui, const char *words)
{
    const struct sf_card *c = sf_card_first(&ui->cards);

    if (c->kind == SF_CARD_QUESTION) {
        sf_card_answer(ui, SF_REPLY_ONCE, words);
    } else if (c->kind == SF_CARD_CONFIRM) {
        if (!strcasecmp(words, "yes"))
            sf_card_answer(ui, SF_REPLY_ONCE, NULL);
        else
            sf_status_say(&ui->status, true, "only the whole word yes runs it; Esc clears this");
    }
}

static void send_why(struct sf_tui *ui, const char *words)
{
    if (sf_card_first(&ui->cards)->kind == SF_CARD_PLAN)
        sf_plan_reject(ui, words);
    else
        sf_card_answer(ui, SF_REPLY_DENY, words);
}

/* The user has read the command they wrote, so it runs; a refused one stays in the field. */
static void send_instead(struct sf_tui *ui, const char *words)
{
    const struct sf_card *c = sf_card_first(&ui->cards);
    const struct sf_amendment amendment = {
        .text = words, .len = strlen(words), .run = true, .who = "user"
    };
    struct sf_error err = SF_ERROR_INIT;
    char *id;

    if (!strcmp(words, c->draft)) {
        sf_card_answer(ui, SF_REPLY_ONCE, NULL);
        return;
    }
    id = sf_strdup(c->id);
    if (!sf_port_amend(ui->port, id, &amendment, &err))
        sf_tui_fail(ui, &err);
    free(id);
}

void sf_card_send(struct sf_tui *ui)
{
    static void (*const sends[])(struct sf_tui * ui, const char *words) = {
        [SF_WORDS_OWN] = send_own,
        [SF_WORDS_WHY] = send_why,
        [SF_WORDS_INSTEAD] = send_instead,
    };
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_composer_text(ui->cards.words, &words);
    if (words.len && strspn(words.buf, " \t\n") < words.len)
        sends[ui->cards.writing](ui, words.buf);
    sf_strbuf_release(&words);
}
