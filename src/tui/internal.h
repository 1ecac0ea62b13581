/*
 * internal: the desk's fields and what its files offer each other.
 *
 *     desk.c      life, the loop, painting when something changed
 *     inline.c    the conversation printed, for the terminal's own scrollback
 *     draw.c      where everything stands on the screen
 *     welcome.c   what stands in an empty conversation
 *     feed.c      what the session tells: cards, the words that wait, the clock of the turn
 *     transcript_feed.c  events, told or read from the log, as items of the transcript
 *     call_line.c  what the line of a call says
 *     prompts.c   what was sent before
 *     recall.c    which piece of the log is in the transcript, and when more of it is read
 *     watch.c     a session that another process talks in
 *     input.c     keys, mouse, pastes: who gets them
 *     keys.c      what each action does
 *     command.c   slash commands: the table and how a line is read
 *     commands_*  what they do: about sessions, the desk, files, what the model has before it
 *     card.c      questions that wait for an answer
 *     card_words.c    what is written on them: why not, or what instead
 *     card_draw.c how they look
 *     card_lay.c  what they say, and what of it stays in sight when there is little room
 *     plan_card.c plans that wait to be accepted
 *     trust_card.c    whether the workspace is trusted
 *     overlay.c   what lies over the conversation: lists and pages
 *     overlay_draw.c  how they look
 *     overlay_edit.c  a line of an overlay in which a value is written
 *     tasks.c     the list of what runs and waits
 *     logs.c      the list of what happened
 *     doctor.c    what sf doctor finds
 *     secret.c    a field that shows nothing of what it holds
 *     lists.c     what the lists of some commands can do besides being read
 *     settings.c  settings that the terminal itself looks at
 *     backtrack.c earlier prompts, and going back to one
 *     queue.c     words for the turns that follow
 *     steer.c     words for the turn that runs, until they join it
 *     draft.c     what is being written, kept a moment later
 *     tour.c      the guided first session
 *     menu.c      completion above the composer
 */
#ifndef SF_TUI_INTERNAL_H
#define SF_TUI_INTERNAL_H

#include "io/io.h"
#include "term/term.h"
#include "tui/tui.h"
#include "view/view.h"

struct sf_tui;

/* ---- cards ---- */

enum sf_card_kind {
    SF_CARD_APPROVE,  /* a call that may run: y s w e n d q */
    SF_CARD_CONFIRM,  /* one that destroys: a word is typed */
    SF_CARD_QUESTION, /* the model's: words, or the number of a choice */
    SF_CARD_YES_NO,   /* sf's own: y n */
    SF_CARD_PLAN,     /* a plan to be accepted: y a p e d n */
    SF_CARD_TRUST,    /* in the workspace: y n x */
};

enum { SF_CARD_CHOICES = 9 }; /* of a question: a digit each */

/* The answer to sf's own question; `ctx` is the callee's now. Called once, also for "no answer". */
typedef void sf_card_fn(struct sf_tui *ui, void *ctx, bool yes);

struct sf_card {
    enum sf_card_kind kind;
    char *id; /* of the call */
    char *tool, *what, *args;
    struct sf_strbuf diff;    /* of an edit */
    size_t risk_at, risk_len; /* the part of `what` that decided; or nothing */
    char *reason, *rule, *hint, *classes, *likes;
    struct sf_mode_change advice; /* after which the next one like it is not asked about */
    char *draft;                  /* what of it the user may change; or NULL */
    bool amended;                 /* the user did */
    const char *cage;             /* what the call's line says of it while it runs; or NULL */
    struct sf_strlist losses;     /* "lost\tsrc/", of what destroys */
    struct sf_strlist facts;      /* "hosts\tany" */
    struct sf_strlist choices;    /* of a question */
    sf_card_fn *answered;         /* of SF_CARD_YES_NO and SF_CARD_TRUST */
    void *ctx;
    bool remembers;             /* s and w would be kept, for what `likes` says */
    bool tight;                 /* there is no room for all of it */
    bool offers_build;          /* a write in work mode chat: b allows it and switches */
    char *digest;               /* of a plan, whose text is the reason */
    enum sf_profile profile;    /* to build it with */
    enum sf_profile made_under; /* the profile the plan was made under */
    int64_t since_ms;
};

/* What is being written on a card. */
enum sf_card_words {
    SF_WORDS_OWN,     /* a question's answer, the word that confirms; on others nothing */
    SF_WORDS_WHY,     /* why not */
    SF_WORDS_INSTEAD, /* the command as it should be */
    SF_WORDS_KINDS,
};

struct sf_cards {
    struct sf_card **items;
    size_t count, cap;
    struct sf_composer *words; /* the answer being written … */
    enum sf_card_words writing;
    char *left[SF_WORDS_KINDS]; /* … and what was, for who comes back to it; or NULL */
    char *in_editor;            /* the call whose draft the editor has; or NULL */
    int scroll;
    bool whole;  /* what was folded is not */
    bool unseen; /* the first one is not on the screen, which is too small */
    bool framed; /* as it was measured last … */
    int field_rows;
    bool folded; /* … and drawn */
    int seen;    /* rows of what it says */
};

/* ---- overlays ---- */

struct sf_overlay;

/* A row of a list: cells are split at tabs. Borrowed texts are copied. */
struct sf_list_row {
    char *text;
    char *value; /* what it stands for */
    bool mute;   /* a heading: cannot be chosen */
};

struct sf_overlay_kind {
    const char *title;
    const char *keys; /* the line at the bottom: "Enter open   d delete" */
    bool filter;      /* letters narrow the list */
    void (*chosen)(struct sf_tui *ui, const char *value);
    void (*moved)(struct sf_tui *ui, const char *value);               /* or NULL */
    bool (*key)(struct sf_tui *ui, uint32_t code, const char *value);  /* other letters; or NULL */
    bool (*ctrl)(struct sf_tui *ui, uint32_t code, const char *value); /* Ctrl and one; or NULL */
    void (*closed)(struct sf_tui *ui);                                 /* by Esc; or NULL */
    void (*search)(struct sf_tui *ui, const char *words); /* adds rows for the filter; or NULL */
    /* The command's table as Markdown, for a page instead of a list; or NULL. */
    void (*page)(struct sf_tui *ui, const struct sf_response *table, struct sf_strbuf *out);
    /* What an empty cell of a command's table says; or NULL. */
    const char *(*cell)(struct sf_tui *ui, const struct sf_response_row *row, size_t column);
    const char *columns; /* names of the cells, split at tabs; or NULL */
    const char *align;   /* of each cell: l or r; NULL: all to the left */
    bool stays;          /* choosing does not close it */
    void (*edited)(struct sf_tui *ui, const char *value, const char *text); /* of its line */
    void (*renew)(struct sf_tui *ui); /* fills it again, each second; or NULL */
    void (*tab)(struct sf_tui *ui);   /* the Tab key; or NULL */
    bool marks;                       /* a dot before the row that is in force */
    int second_cols;                  /* columns the second cell may have; 0: all it needs */
    const char *line; /* said below its line, behind what the value can be; or NULL */
};

/* The line in which a value of a list is written. */
struct sf_overlay_line {
    struct sf_composer *text; /* NULL: there is none … */
    struct sf_secret *secret; /* … unless what is written is not to be seen */
    char *label, *value;
    const char *const *values; /* to step through, NULL-terminated; or NULL */
    struct sf_strbuf note;
    bool bad;
};

struct sf_overlay {
    const struct sf_overlay_kind *kind;
    char command[32]; /* whose table it shows; or "" */
    const char *part; /* which of its tables */
    char *title;
    struct sf_list_row *rows;
    size_t count, cap;
    struct sf_fuzzy_hit *shown; /* rows that pass the filter */
    size_t shown_count;
    size_t at, top; /* of the shown ones */
    size_t found;   /* rows at the end that a search added */
    struct sf_composer *filter;
    struct sf_overlay_line line;
    struct sf_strbuf text; /* of a page: Markdown */
    struct sf_page page, preview;
    struct sf_strbuf preview_text; /* Markdown … */
    struct sf_strbuf preview_diff; /* … and a diff behind it, or nothing */
    bool is_page, is_diff;
    int laid_width;
    size_t scroll;                  /* of the page, or of the preview … */
    size_t rows_seen, preview_seen; /* … and how much is seen of the list or page, and of it */
    struct sf_area list_area;       /* where its rows stand */
};

/* ---- what is asked in another process, where we watch ---- */

struct sf_asked {
    char *call, *what;
};

struct sf_asked_list {
    struct sf_asked *items;
    size_t count, cap;
};

/* ---- the tour ---- */

struct sf_tour {
    size_t step;
    int results, edits, refusals; /* since it began */
    bool resumed;
};

/* What of a session's log is in the conversation. */
struct sf_recalled {
    int64_t first, last; /* its oldest event, 0 or 1: all of them; the newest when it opened */
    char session[SF_ID_LEN + 1]; /* whose event the oldest is */
    bool all;                    /* the rest is being read */
    bool to_top;                 /* for somebody who went to the beginning */
    uint64_t timer;
};

/* ---- the desk ---- */

enum { SF_TUI_SIGNALS = 3, SF_TUI_QUEUE = 32, SF_TUI_STATUS = 240 };

struct sf_tui {
    struct sf_tui_setup setup;
    struct sf_loop *loop;
    struct sf_port *port;
    char resume[SF_ID_LEN + 1];
    struct sf_terminal *terminal;
    struct sf_theme theme;
    struct sf_keymap *keys;
    struct sf_frame frame;
    size_t printed; /* items of the conversation, where it is printed */
    struct sf_transcript *transcript;
    struct sf_recalled earlier;
    struct sf_area transcript_area, composer_area;
    struct sf_composer *composer;
    struct sf_cards cards;
    struct sf_overlay *overlay;
    struct sf_menu *menu;

    char *project, *branch;
    bool low_motion;

    const char *first; /* words of the command line that wait for an answer; or NULL */
    bool welcoming;    /* nothing has been said in this session yet */
    bool dirty;
    int64_t painted_ms, renewed_ms;
    int64_t settles_ms; /* nothing is painted before: the terminal is being resized */
    uint64_t paint_timer, tick_timer, status_timer, draft_timer;
    int ticks;

    char status[SF_TUI_STATUS]; /* a word to the user, for a while */
    bool status_bad;
    struct sf_tour tour;
    char chose[32];   /* the command whose row was chosen last */
    bool refills;     /* the answer of a command renews the list that lies open */
    int64_t turn_ms;  /* when the turn began; 0: none runs */
    int64_t shell_ms; /* when the user's command began; 0: none runs, or it is stopped */
    int64_t last_key_ms, escape_ms, interrupt_ms;
    int64_t through_ms; /* when something was last typed through a card, into the composer */
    int64_t last_event; /* of the log that is shown */
    struct sf_log_replay *replay; /* of the session that we watch; or NULL */
    struct sf_asked_list asked;   /* of whom talks there */
    const char *unsaid;           /* words on their way to the session; NULL: none */
    size_t unsaid_len;
    bool echoed;       /* the words of the turn that is to begin are on the screen */
    char waiting[160]; /* for what, when it is not the model or a tool */
    bool unfocused, times, dragging;
    bool finding; /* Ctrl+F: the field is in `find` */
    struct sf_composer *find;
    size_t found, find_total;
    int signo;
    uint64_t signals[SF_TUI_SIGNALS]; /* watches */
    bool closed;                      /* there is no screen any more */
    bool quitting;
    struct {
        char what[SF_TUI_STATUS - 40];
        int64_t since_ms;
        uint64_t timer; /* 0: it is over */
    } awaited;          /* something that takes its time, told with a clock */
    struct {
        char title[160];
        struct sf_strbuf text;
    } given; /* the page that the editor has */
    struct {
        int64_t row, chosen; /* of the list: where it stands, what waits for the preview */
    } restore;
    pid_t editor; /* has the terminal; 0: nobody */
    uint64_t editor_watch;
    char *editor_path;
    void (*edited)(struct sf_tui *ui, const char *text, size_t len);
};

/* ---- desk.c ---- */

void sf_tui_dirty(struct sf_tui *ui);
void sf_tui_say(struct sf_tui *ui, bool bad, const char *format, ...) SF_PRINTF(3, 4);
void sf_tui_fail(struct sf_tui *ui, const struct sf_error *err);
void sf_tui_quit(struct sf_tui *ui);

void sf_tui_begin(struct sf_tui *ui); /* says the words of the command line, once */

/* ---- prompts.c ---- */

bool sf_prompts_step(struct sf_tui *ui, int direction); /* into the composer; false: no more */
void sf_prompts_search(struct sf_tui *ui);              /* the overlay of Ctrl+R */

/* ---- draft.c ---- */

void sf_draft_load(struct sf_tui *ui);    /* the session's, into a composer that is empty */
void sf_draft_changed(struct sf_tui *ui); /* written down in a moment */
void sf_draft_save(struct sf_tui *ui);    /* at once, behind our back */
void sf_draft_save_queued(struct sf_tui *ui, int64_t row); /* at once; then the queue lets it go */

/* Into the composer; what was being written can be brought back, and the user is told how. */
void sf_draft_replace(struct sf_tui *ui, const char *text, size_t len);

/* ---- doctor.c ---- */

extern const struct sf_overlay_kind sf_doctor_overlay;

/* ---- queue.c ---- */

extern const struct sf_overlay_kind sf_queue_overlay;
int sf_queue_rows(const struct sf_tui *ui);
void sf_queue_draw(const struct sf_tui *ui, struct sf_area area);

/* ---- commands_session.c ---- */

extern const struct sf_overlay_kind sf_sessions_overlay;

/* ---- backtrack.c ---- */

extern const struct sf_overlay_kind sf_backtrack_overlay, sf_ways_overlay, sf_fork_overlay;

/* ---- tasks.c ---- */

extern const struct sf_overlay_kind sf_tasks_overlay;

/* ---- logs.c ---- */

extern const struct sf_overlay_kind sf_logs_overlay;

/* ---- steer.c ---- */

int sf_steers_rows(const struct sf_tui *ui, int most);
void sf_steers_draw(const struct sf_tui *ui, struct sf_area area);

/* ---- tour.c: all do nothing where there is no tour ---- */

void sf_tour_begin(struct sf_tui *ui);
void sf_tour_told(struct sf_tui *ui, const struct sf_event *event);
void sf_tour_look(struct sf_tui *ui); /* whether a step is over */
int sf_tour_rows(const struct sf_tui *ui, int cols);
void sf_tour_draw(const struct sf_tui *ui, struct sf_area area);

/* ---- look.c ---- */

/* A theme by its name: the user's file of that name, else a built-in one. */
bool sf_tui_theme(const char *name, struct sf_theme *theme, struct sf_error *err) SF_MUST_CHECK;
void sf_tui_branch(struct sf_tui *ui); /* reads the branch's name again */

/* ---- draw.c ---- */

void sf_tui_draw(struct sf_tui *ui);
bool sf_tui_is_small(const struct sf_tui *ui); /* too small a terminal for anything */

/* The block below a conversation that is printed: its first row in the frame. */
int sf_tui_draw_block(struct sf_tui *ui);

/* ---- welcome.c ---- */

void sf_welcome_begin(struct sf_tui *ui);
void sf_welcome_draw(struct sf_tui *ui, struct sf_area *area); /* takes what it needs */

/* ---- inline.c ---- */

bool sf_tui_prints(const struct sf_tui *ui); /* what is to be seen needs no screen of its own */
void sf_tui_print(struct sf_tui *ui);
void sf_tui_print_rest(struct sf_tui *ui); /* prints all there is, finished or not */

/* ---- feed.c ---- */

void sf_tui_told(void *ctx, const struct sf_event *event);
void sf_feed_unsaid(struct sf_tui *ui); /* the words being sent, if they were not told */

/* ---- transcript_feed.c ---- */

enum sf_feed_moment {
    SF_FEED_LIVE,    /* it happens here */
    SF_FEED_WATCHED, /* it happens in another process */
    SF_FEED_PAST,    /* it is over: what has no end came to none */
};

struct sf_transcript_feed {
    struct sf_transcript *to;
    enum sf_feed_moment moment;
    bool plain; /* answers are no Markdown */
};

struct sf_transcript_feed sf_tui_feed(const struct sf_tui *ui, struct sf_transcript *to,
                                      enum sf_feed_moment moment);
void sf_feed_event(const struct sf_transcript_feed *feed, const struct sf_event *event);

/* What it says of the cage while a command runs; NULL: nothing. */
const char *sf_feed_cage(const struct sf_judged *judged);

/* ---- call_line.c ---- */

/* What a call's line says: the verb, present or past, and about what. */
const char *sf_call_line_verb(const char *tool, bool done);
void sf_call_line_what(const struct sf_event_call *call, struct sf_strbuf *out);

/* What came of it, from its result; `what` is on the line already. NULL: nothing to be said. */
const char *sf_call_line_note(const struct sf_event *result, const char *what, char *out,
                              size_t size);

/* ---- recall.c ---- */

/* The end of the conversation, and what it cost. */
bool sf_tui_recall(struct sf_tui *ui, struct sf_error *err) SF_MUST_CHECK;
bool sf_recall_back(struct sf_tui *ui);                      /* a page more; false: there is none */
void sf_recall_fill(struct sf_tui *ui, struct sf_area area); /* as much as fits in there */
void sf_recall_above(struct sf_tui *ui);                     /* before the view is moved up */
void sf_recall_all(struct sf_tui *ui, bool to_top);          /* the rest, on the loop */
void sf_recall_drop(struct sf_tui *ui);
void sf_recall_event(struct sf_tui *ui, const struct sf_event_row *event); /* unless it is shown */
void sf_recall_taken(struct sf_tui *ui); /* whoever talked is gone: nothing follows from there */

/* ---- watch.c ---- */

void sf_tui_seen(void *ctx, const struct sf_watch_event *seen);
bool sf_tui_watches(const struct sf_tui *ui);
void sf_watch_line(const struct sf_tui *ui, struct sf_strbuf *out); /* who talks, where we watch */
void sf_watch_status(const struct sf_tui *ui, struct sf_strbuf *out); /* … or waits for whom */
void sf_watch_begin(struct sf_tui *ui); /* says so, where another process talks */

/* What is asked there, and that it was answered: shown here, and answered nowhere but there. */
void sf_watch_told(struct sf_tui *ui, const struct sf_event *event);
void sf_watch_forget(struct sf_tui *ui);

/* ---- input.c, keys.c ---- */

void sf_tui_event(void *ctx, const struct sf_term_event *event);
void sf_tui_act(struct sf_tui *ui, enum sf_action_id action);
bool sf_tui_is_guarded(const struct sf_tui *ui); /* a card has just appeared under the fingers */

/* Edits a one-line or multi-line field by action; false: it was no editing action. */
bool sf_field_act(struct sf_composer *c, enum sf_action_id action);

/* ---- respond.c, palette.c, help.c ---- */

void sf_tui_response(void *ctx, const struct sf_response *response);
void sf_tui_again(struct sf_tui *ui, const char *line); /* a command, for the list that lies open */
void sf_list_add(struct sf_tui *ui, const struct sf_response_row *row);
void sf_list_choose(struct sf_tui *ui, const char *value);  /* as the command's argument */
void sf_list_explain(struct sf_tui *ui, const char *value); /* in the preview */
void sf_tui_await_end(struct sf_tui *ui);                   /* what was told with a clock is over */
void sf_tui_palette(struct sf_tui *ui);
void sf_help_keys_add(struct sf_tui *ui, struct sf_strbuf *out);

/* ---- restore_list.c ---- */

extern const struct sf_overlay_kind sf_restore_overlay;

/* ---- card.c ---- */

void sf_card_told(struct sf_tui *ui, const struct sf_event *event); /* an ask, a question, an end */
void sf_card_ask(struct sf_tui *ui, const char *markdown, sf_card_fn *answered, void *ctx);
struct sf_card *sf_card_first(const struct sf_tui *ui); /* NULL: none waits */
void sf_card_key(struct sf_tui *ui, const struct sf_term_event *event, enum sf_action_id action);
void sf_cards_release(struct sf_tui *ui);
struct sf_card *sf_card_new(struct sf_tui *ui, enum sf_card_kind kind);
struct sf_card *sf_card_find(const struct sf_tui *ui, const char *id); /* NULL: none */
void sf_card_answer_own(struct sf_tui *ui, bool yes); /* the first, which is sf's own question */
void sf_card_raise(struct sf_tui *ui);                /* the last one before all others */
void sf_card_answer(struct sf_tui *ui, enum sf_reply reply, const char *words); /* the first */

/* ---- card_words.c ---- */

void sf_card_write(struct sf_tui *ui, enum sf_card_words which, const char *text); /* begins */
void sf_card_amend(struct sf_tui *ui);              /* what the card asks about is to be changed */
void sf_card_send(struct sf_tui *ui);               /* what was written */
bool sf_card_unwrite(struct sf_tui *ui, bool wipe); /* a step back; false: there is none */
void sf_card_forget(struct sf_tui *ui);             /* all that was written */
bool sf_card_takes_words(const struct sf_tui *ui, const struct sf_card *c); /* it has a field */

/* ---- card_lay.c ---- */

/*
 * What the card says, for so many rows: `page` is scrolled, `pinned` stays in sight below it. True:
 * some of it is folded.
 */
bool sf_card_lay(const struct sf_tui *ui, struct sf_page *page, struct sf_page *pinned, int width,
                 int rows);

/* How to be asked about the like no more, by keys that work on a card. */
void sf_card_advice(const struct sf_tui *ui, const struct sf_card *c, struct sf_strbuf *out);

/* ---- card_draw.c ---- */

enum { SF_CARD_COLS = 30 }; /* below, there is no room for a frame and labels */

void sf_card_draw(struct sf_tui *ui, struct sf_area area);
int sf_card_rows(struct sf_tui *ui, int cols, int max);

/* ---- plan_card.c ---- */

void sf_plan_told(struct sf_tui *ui, const struct sf_event *event);
void sf_plan_lay(const struct sf_card *c, struct sf_page *page);
void sf_plan_key(struct sf_tui *ui, char key);
void sf_plan_reject(struct sf_tui *ui, const char *words);

/* ---- trust_card.c ---- */

void sf_trust_ask(struct sf_tui *ui, const struct sf_response *question, sf_card_fn *answered);
void sf_trust_lay(const struct sf_card *c, struct sf_page *page);
void sf_trust_key(struct sf_tui *ui, char key);

/* ---- commands_desk.c ---- */

/*
 * Gives the text to the user's editor; `done` gets what became of it, or NULL where there is no
 * editor, which the user has been told by then.
 */
void sf_tui_edit(struct sf_tui *ui, const char *file, const char *text, size_t len,
                 void (*done)(struct sf_tui *ui, const char *text, size_t len));

/* What an edit would do, as a unified diff; of anything else nothing. */
void sf_preview_diff(const struct sf_event *event, struct sf_strbuf *out);

/* ---- overlay.c ---- */

void sf_overlay_list(struct sf_tui *ui, const struct sf_overlay_kind *kind);
void sf_overlay_row(struct sf_tui *ui, const char *value, const char *format, ...) SF_PRINTF(3, 4);
void sf_overlay_heading(struct sf_tui *ui, const char *text);
void sf_overlay_choose(struct sf_tui *ui, const char *value); /* the row the cursor starts on */
void sf_overlay_preview(struct sf_tui *ui, const char *text, size_t len);
void sf_overlay_page(struct sf_tui *ui, const char *title, const struct sf_strbuf *markdown);
void sf_overlay_diff(struct sf_tui *ui, const char *title, const struct sf_strbuf *diff);
void sf_overlay_close(struct sf_tui *ui);
void sf_overlay_title(struct sf_tui *ui, const char *title);
bool sf_overlay_moves(const struct sf_tui *ui); /* it wants to be renewed */
void sf_overlay_renew(struct sf_tui *ui);       /* if so; the cursor stays on its row */
void sf_overlay_event(struct sf_tui *ui, const struct sf_term_event *event,
                      enum sf_action_id action);

void sf_overlay_retext(struct sf_tui *ui, const char *value, const char *format, ...)
    SF_PRINTF(3, 4); /* of the row that stands for it */

/* ---- overlay_draw.c ---- */

void sf_overlay_draw(struct sf_tui *ui, struct sf_area area);

/* ---- overlay_edit.c ---- */

/* Opens the line for a row: `values` (or NULL) is what it can be; kept, so const for ever. */
void sf_overlay_edit(struct sf_tui *ui, const char *label, const char *value, const char *text,
                     const char *const *values);
void sf_overlay_edit_note(struct sf_tui *ui, bool bad, const char *format, ...) SF_PRINTF(3, 4);
void sf_overlay_edit_close(struct sf_tui *ui);
void sf_overlay_edit_draw(struct sf_tui *ui, struct sf_area *area); /* takes what it needs */
void sf_overlay_edit_event(struct sf_tui *ui, const struct sf_term_event *event,
                           enum sf_action_id action);
void sf_overlay_line_release(struct sf_overlay_line *line);

/* The same for what nobody should see; `edited` gets it, and must not keep it in the open. */
void sf_overlay_edit_secret(struct sf_tui *ui, const char *label, const char *value);
bool sf_overlay_is_secret(const struct sf_tui *ui); /* such a line is open */
bool sf_overlay_line_is_open(const struct sf_overlay_line *line);

/* ---- secret.c ---- */

/* What is typed without being seen: in one place in memory, which is wiped. */
struct sf_secret;
struct sf_secret *sf_secret_new(void);
void sf_secret_free(struct sf_secret *secret);                               /* NULL is welcome */
bool sf_secret_type(struct sf_secret *secret, const char *text, size_t len); /* false: too long */
void sf_secret_act(struct sf_secret *secret, enum sf_action_id action);
const char *sf_secret_text(const struct sf_secret *secret);
void sf_secret_draw(const struct sf_secret *secret, struct sf_area area, const char *prompt);

/* ---- lists.c ---- */

extern const struct sf_overlay_kind sf_connect_overlay, sf_connect_key_overlay,
    sf_connect_models_overlay, sf_connect_model_overlay;
extern const struct sf_overlay_kind sf_model_overlay, sf_config_overlay, sf_memory_overlay,
    sf_trust_overlay;
void sf_list_field(struct sf_tui *ui, const struct sf_response *field); /* opens its line */

/* ---- settings.c ---- */

void sf_settings_keys(struct sf_tui *ui); /* binds what [keys] says */
extern const struct sf_surface_settings sf_tui_settings;

/* ---- menu.c ---- */

struct sf_menu *sf_menu_new(void);
void sf_menu_free(struct sf_menu *menu);
void sf_menu_refresh(struct sf_tui *ui); /* after each change of the composer */
bool sf_menu_is_open(const struct sf_tui *ui);
void sf_menu_dismiss(struct sf_tui *ui);                       /* until what is written changes */
bool sf_menu_act(struct sf_tui *ui, enum sf_action_id action); /* false: not the menu's */
int sf_menu_rows(const struct sf_tui *ui, int max);
void sf_menu_draw(struct sf_tui *ui, struct sf_area area);

#endif
