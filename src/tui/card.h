/*
 * card: questions that wait for an answer, shown one at a time in the order they came.
 *
 *     card.c        the queue of cards, and what keys and answers do
 *     card_words.c  the field of a card: an answer, a reason, another command
 *     card_lay.c    the text of a card, and what of it stays in sight when there is little room
 *     card_scroll.c how much of the text is in sight, and the keys that move it
 *     card_draw.c   the look of a card
 *     plan_card.c   plans that wait to be accepted
 *     trust_card.c  whether the user trusts the workspace
 */
#ifndef SF_TUI_CARD_H
#define SF_TUI_CARD_H

#include "term/term.h"
#include "tui/tui.h"
#include "view/view.h"

struct sf_tui;
struct sf_keyboard;

enum sf_card_kind {
    SF_CARD_APPROVE,  /* A call that may run: y s w e n d q. */
    SF_CARD_CONFIRM,  /* A call that destroys something: the user types a word. */
    SF_CARD_QUESTION, /* A question of the model's: words, or the number of a choice. */
    SF_CARD_YES_NO,   /* A question of sf's own: y n. */
    SF_CARD_PLAN,     /* A plan to be accepted: y a p e d n. */
    SF_CARD_TRUST,    /* Whether the workspace is trusted: y n x. */
};

enum {
    SF_CARD_CHOICES = 9,   /* Choices of a question: each has a digit. */
    SF_CARD_LEFT_ROWS = 3, /* Rows of what is asked about that stay in sight in any case. */
};

/*
 * Receives the answer to a question of sf's own. The function owns `ctx` from then on; a card that
 * goes away unanswered calls the function once, with a no.
 */
typedef void sf_card_fn(struct sf_tui *ui, void *ctx, bool yes);

/* One question. A card copies all that it shows, since an event is gone when the call returns. */
struct sf_card {
    enum sf_card_kind kind;
    char *id; /* The id of the call; NULL for questions of sf's own. */
    char *tool, *what, *args;
    struct sf_strbuf diff; /* The change that an edit would make; else empty. */
    size_t risk_at,
        risk_len; /* The part of `what` that decided the verdict; a length of 0: none. */
    char *reason, *rule, *hint, *classes, *likes;
    struct sf_mode_change advice; /* The change of mode after which a call like it runs unasked. */
    char *draft;                  /* The text of the call that the user may change; or NULL. */
    bool amended;                 /* The user changed the call. */
    const char *cage;         /* What the call's line says of the cage while it runs; or NULL. */
    struct sf_strlist losses; /* What a destructive call takes away: "lost\tsrc/". */
    struct sf_strlist names;  /* All of it by name, if the losses name some only. */
    struct sf_strlist facts;  /* "hosts\tany" */
    struct sf_strlist choices;
    sf_card_fn *answered; /* For SF_CARD_YES_NO and SF_CARD_TRUST. */
    void *ctx;
    bool remembers;    /* An answer with s or w is kept, for what `likes` says. */
    bool read_terms;   /* All lines of the terms have been on the screen. */
    bool partly;       /* The call is longer than what a card shows. */
    bool tight;        /* The screen has no room for the whole card. */
    bool offers_build; /* A write in work mode chat: b allows the call and switches to build. */
    char *digest;      /* The digest of a plan, whose text is `reason`. */
    enum sf_profile profile;    /* The profile that an accepted plan is built with. */
    enum sf_profile made_under; /* The profile the plan was made under. */
    bool opened;                /* The user asked for the card, so the keys are meant for it. */
    int64_t since_ms;           /* When the card came first in the queue. */
};

/*
 * The text of the first card, laid out. The first three can be scrolled as one; what is pinned
 * stays in sight below them. The call and the names may be long and are laid out once for a width.
 */
struct sf_card_text {
    struct sf_page call;   /* The call and the change it would make. */
    struct sf_page about;  /* Why it is asked about, and what there is to know. */
    struct sf_page names;  /* Everything it would delete, if that is much. */
    struct sf_page pinned; /* What of that stays in sight. */
    struct sf_card_terms {
        int at, lines; /* The first of them in `about`; how many, or 0: pinned or none. */
        int seen;      /* How many of them, from the first, have been on the screen. */
    } terms;           /* What s, w and b lead to beyond this one call. */
    const struct sf_card *of;
    int width; /* The card and the width that call and names were laid out for. */
};

/* What the user is writing on a card. */
enum sf_card_words {
    SF_WORDS_OWN,     /* The answer to a question, or the word that confirms. */
    SF_WORDS_WHY,     /* Why the call is refused. */
    SF_WORDS_INSTEAD, /* The command that should run instead. */
    SF_WORDS_KINDS,
};

/* The cards that wait; the first one is on the screen and has the keys. */
struct sf_cards {
    struct sf_card **items;
    size_t count, cap;
    struct sf_composer *words; /* The field of the first card. */
    enum sf_card_words writing;
    char *left[SF_WORDS_KINDS]; /* What the field held before the user stepped back; or NULL. */
    char *in_editor;            /* The call whose draft is open in the editor; or NULL. */
    struct sf_card_text text;
    int scroll;     /* Lines of the text above the screen. */
    bool moved;     /* The user scrolled; until then the part that decided is in sight. */
    bool unseen;    /* The screen is too small, so the first card has not been shown. */
    bool framed;    /* Set by sf_card_rows(): the card has a frame. */
    int field_rows; /* Set by sf_card_rows(): rows that the field may have. */
    int top;        /* Set by sf_card_draw(): the first row of the card on the screen. */
    int seen;       /* Set by sf_card_draw(): rows of the text that are on the screen. */
    int below;      /* Set by sf_card_draw(): lines of the text below the screen. */
};

/* ---- card.c ---- */

struct sf_card *sf_card_first(const struct sf_cards *cards); /* NULL: no card waits. */
struct sf_card *sf_card_find(const struct sf_cards *cards,
                             const char *id); /* NULL: no such card. */
struct sf_card *sf_card_new(struct sf_cards *cards,
                            enum sf_card_kind kind); /* Queued as the last. */
void sf_card_raise(struct sf_cards *cards);          /* Moves the last card to the front. */

/* Takes an event that asks, answers or ends a call. */
void sf_card_take(struct sf_tui *ui, const struct sf_event *event);
void sf_card_ask(struct sf_cards *cards, const char *markdown, sf_card_fn *answered, void *ctx);
void sf_card_key(struct sf_tui *ui, const struct sf_term_event *event, enum sf_action_id action);
void sf_card_answer(struct sf_tui *ui, enum sf_reply reply,
                    const char *words);               /* The first card. */
void sf_card_answer_own(struct sf_tui *ui, bool yes); /* The first card, a question of sf's own. */
void sf_cards_drop(struct sf_tui *ui);                /* Answers what waits with a no. */
void sf_cards_release(struct sf_cards *cards);

/*
 * True while a card that has just appeared ignores keys, which were meant for the composer. A card
 * that the user opened takes keys at once.
 */
bool sf_cards_are_guarded(const struct sf_cards *cards, const struct sf_keyboard *keyboard);

/* ---- card_words.c ---- */

bool sf_card_takes_words(const struct sf_cards *cards); /* The first card has a field. */
void sf_card_write(struct sf_cards *cards, enum sf_card_words which, const char *text);
bool sf_card_unwrite(struct sf_cards *cards, bool wipe); /* One step back; false: there is none. */
void sf_card_forget(struct sf_cards *cards);             /* Drops all that was written. */
void sf_card_amend(struct sf_tui *ui);                   /* Lets the user change the call. */
void sf_card_send(struct sf_tui *ui);                    /* Sends what the field holds. */

/* ---- card_lay.c ---- */

/* Lays out the text of the first card for so many columns and rows. */
void sf_card_lay(struct sf_tui *ui, int width, int rows);

/* Adds which keys, pressed on the card, make calls like this one run unasked. */
void sf_card_advice(const struct sf_tui *ui, const struct sf_card *c, struct sf_strbuf *out);

/* ---- card_scroll.c ---- */

int sf_card_height(const struct sf_card_text *text); /* Lines, scrolled and pinned. */

/* Draws as many lines as there are rows, from the line that the text is scrolled to. */
void sf_card_draw_text(struct sf_cards *cards, struct sf_area area);

/* Whether s and w are offered: an answer is kept, and what they keep has been on the screen. */
bool sf_card_keeps(const struct sf_card *c);

/* Says that the terms are out of sight, and which key shows them. */
void sf_card_say_unread(struct sf_tui *ui);

/* Says how much is out of sight and which keys show it, in so many columns if that is possible. */
void sf_card_out_of_sight(const struct sf_tui *ui, int cols, struct sf_strbuf *out);

/* True: the action moves the text of the first card, and did so. */
bool sf_card_scroll(struct sf_cards *cards, enum sf_action_id action);
bool sf_card_wheel(struct sf_cards *cards, const struct sf_mouse *mouse); /* The same. */

/* ---- card_draw.c ---- */

enum { SF_CARD_COLS = 30 }; /* Below so many columns a card has no frame and no label column. */

int sf_card_rows(struct sf_tui *ui, int cols, int max);
void sf_card_draw(struct sf_tui *ui, struct sf_area area);

/* ---- plan_card.c ---- */

void sf_plan_take(struct sf_tui *ui, const struct sf_event *event);
void sf_plan_lay(const struct sf_card *c, struct sf_card_text *text, int rows);
void sf_plan_key(struct sf_tui *ui, char key);
void sf_plan_reject(struct sf_tui *ui, const char *words);

/* ---- trust_card.c ---- */

void sf_trust_ask(struct sf_cards *cards, const struct sf_response *question, sf_card_fn *answered);
void sf_trust_lay(const struct sf_card *c, struct sf_page *page);
void sf_trust_key(struct sf_tui *ui, char key);

/* ---- preview.c ---- */

/* Adds the change that an edit would make as a unified diff; for other calls nothing. */
void sf_preview_diff(const struct sf_event *event, struct sf_strbuf *out);

#endif
