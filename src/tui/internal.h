/*
 * internal: the terminal surface and its parts. Each part is a struct of its own, owned by the file
 * that its section names; a function takes the part it works on, and `struct sf_tui` only where it
 * joins several.
 *
 *     tui.c          life: opening, signals, sessions that come and go, closing
 *     paint.c        when a frame is painted, and what moves by itself
 *     draw.c         where everything stands on the screen
 *     header.c       the badge, and details beside it
 *     progress.c     what the running turn is doing
 *     sidebar.c      what is true now, beside the conversation on wide screens
 *     status.c       the line that tells the user something for a while
 *     input.c        keys, mouse, pastes: who gets them
 *     keys.c         what each action does
 *     draft.c        the composer and the draft in it, kept a moment after each change
 *     menu.c         completion above the composer
 *     prompts.c      prompts that were sent before, brought back
 *     queue.c        words that wait for the next turns
 *     steer.c        words that wait to join the running turn
 *     editor.c       the user's editor and the tour, which have the terminal for a while
 *     respond.c      how the answers of commands look
 *     commands_*     commands about the screen and about sessions
 *     settings.c     settings of the terminal, in force at once
 *     look.c         themes, built in or read from files
 *     palette.c, help.c, tasks.c, logs.c, doctor.c, lists.c, backtrack.c    single lists and pages
 *     tour.c         the guided first session
 *
 *     conversation.h   the transcript and what fills it
 *     card.h           questions that wait for an answer
 *     overlay.h        lists and pages over the conversation
 */
#ifndef SF_TUI_INTERNAL_H
#define SF_TUI_INTERNAL_H

#include <signal.h>

#include "io/io.h"
#include "term/term.h"
#include "tui/card.h"
#include "tui/conversation.h"
#include "tui/overlay.h"
#include "tui/tui.h"
#include "view/view.h"

/* ---- paint.c ---- */

/* The frame, and when it is painted next. */
enum { SF_PULSE_MS = 500 }; /* Half of a pulse of the badge. */

struct sf_painter {
    struct sf_frame frame;
    bool dirty;      /* Something changed since the last frame. */
    bool low_motion; /* Nothing spins or pulses. */
    int ticks;       /* Pictures of what moves by itself. */
    int64_t painted_ms, renewed_ms;
    int64_t settles_ms; /* No frame is painted before this time: the window is being resized. */
    uint64_t paint_timer, tick_timer;
};

void sf_paint_soon(struct sf_painter *painter); /* Marks that something changed. */
void sf_paint_now(struct sf_tui *ui);
struct sf_badge_facts sf_paint_badge(const struct sf_tui *ui, const struct sf_mode_state *pending);
void sf_paint_before_wait(void *ui);   /* The loop's hook: paints when a frame is due. */
void sf_paint_resized(void *ui);       /* The terminal has another size. */
void sf_paint_stop(struct sf_tui *ui); /* Removes the timers. */

/* ---- status.c ---- */

enum { SF_STATUS_TEXT = 240 };

typedef bool sf_status_holds_fn(const struct sf_tui *ui);

/* A sentence to the user, shown for a few seconds, or until it is not true any more. */
struct sf_status {
    struct sf_loop *loop;       /* Borrowed. */
    struct sf_painter *painter; /* Borrowed. */
    char text[SF_STATUS_TEXT];  /* "": there is none. */
    bool bad;
    sf_status_holds_fn *holds; /* Whether the sentence is still true; NULL: it stays true. */
    uint64_t timer;
    struct {
        char what[SF_STATUS_TEXT - 40];
        int64_t since_ms;
        uint64_t timer; /* 0: nothing is awaited. */
    } awaited;          /* Work that takes its time, said again each second with a clock. */
};

void sf_status_say(struct sf_status *status, bool bad, const char *format, ...) SF_PRINTF(3, 4);
/* The sentence said last is about what is, not about what was done: it goes when that is over. */
void sf_status_while(struct sf_status *status, sf_status_holds_fn *holds);
void sf_status_for(struct sf_status *status, int64_t ms); /* It goes after this time. */
void sf_status_look(struct sf_tui *ui); /* Removes a sentence that is not true any more. */
void sf_status_await(struct sf_status *status, const char *what, int64_t since_ms);
void sf_status_await_end(struct sf_status *status);
void sf_status_stop(struct sf_status *status); /* Removes the timers. */

/* ---- draw.c ---- */

void sf_tui_draw(struct sf_tui *ui);
bool sf_tui_is_small(const struct sf_tui *ui);    /* The terminal is too small for anything. */
bool sf_tui_card_covers(const struct sf_tui *ui); /* A card is drawn instead of an open overlay. */

/* Draws the block below a printed conversation, and returns its first row in the frame. */
int sf_tui_draw_block(struct sf_tui *ui);

/* ---- header.c ---- */

void sf_header_draw(const struct sf_tui *ui, struct sf_area area); /* One row. */
/* "$1.84 of $5.00"; without `limit`, "$1.84". */
void sf_header_add_cost(const struct sf_tui *ui, bool limit, struct sf_strbuf *out);

/* ---- sidebar.c ---- */

/* As the setting ui.sidebar names them: shown when there is something to show, always, never. */
enum sf_sidebar { SF_SIDEBAR_AUTO, SF_SIDEBAR_ON, SF_SIDEBAR_OFF };
extern const char *const sf_sidebar_names[];

void sf_sidebar_want(const struct sf_tui *ui); /* Tells the port whether it may be shown. */
int sf_sidebar_cols(const struct sf_tui *ui, int rows, int cols); /* 0: it is not there. */
void sf_sidebar_draw(const struct sf_tui *ui, struct sf_area area);

/* ---- input.c, keys.c ---- */

/* The keymap, and when which keys were pressed. */
struct sf_keyboard {
    struct sf_keymap *map;
    int64_t last_key_ms, escape_ms, interrupt_ms;
    int64_t through_ms; /* When text was last typed past a guarded card, into the composer. */
    bool unfocused;     /* The terminal's window does not have the focus. */
    bool pressed;       /* A key is being handled: what appears now was asked for. */
};

void sf_tui_event(void *ctx, const struct sf_term_event *event);
void sf_tui_act(struct sf_tui *ui, enum sf_action_id action);

/* Edits a one-line or multi-line field; false: the action is not about editing. */
bool sf_field_act(struct sf_composer *c, enum sf_action_id action);

/* ---- draft.c ---- */

/* The composer, its place on the screen, and the timer that keeps its text. */
struct sf_draft {
    struct sf_composer *composer;
    struct sf_area area;
    uint64_t timer;
};

void sf_draft_load(struct sf_tui *ui);    /* Fills an empty composer with the session's draft. */
void sf_draft_changed(struct sf_tui *ui); /* Has the draft kept in a moment. */
void sf_draft_save(struct sf_tui *ui);    /* Has the draft kept at once, by the worker. */
void sf_draft_save_queued(struct sf_tui *ui, int64_t row); /* Likewise; then the queue drops it. */

/* Replaces the text of the composer; what was written can be brought back, and a note says how. */
void sf_draft_replace(struct sf_tui *ui, const char *text, size_t len);

/* ---- menu.c ---- */

struct sf_menu;
struct sf_menu *sf_menu_new(void);
void sf_menu_free(struct sf_menu *menu);
void sf_menu_refresh(struct sf_tui *ui); /* After each change of the composer. */
bool sf_menu_is_open(const struct sf_menu *menu);
void sf_menu_dismiss(struct sf_menu *menu,
                     const struct sf_composer *c); /* Until the word changes. */
bool sf_menu_act(struct sf_tui *ui,
                 enum sf_action_id action); /* False: not an action of the menu. */
int sf_menu_rows(const struct sf_menu *menu, int max);
void sf_menu_draw(const struct sf_menu *menu, struct sf_area area);

/* ---- prompts.c ---- */

bool sf_prompts_step(struct sf_tui *ui, int direction); /* Into the composer; false: no more. */
void sf_prompts_search(struct sf_tui *ui);              /* The list of Ctrl+R. */

/* ---- queue.c ---- */

int sf_queue_rows(const struct sf_queue *queue);
void sf_queue_draw(const struct sf_queue *queue, struct sf_area area);

/* ---- steer.c ---- */

int sf_steers_rows(const struct sf_strlist *words, int most);
void sf_steers_draw(const struct sf_strlist *words, struct sf_area area);

/* ---- editor.c ---- */

typedef void sf_editor_fn(struct sf_tui *ui, const char *text, size_t len);

/* A program while it has the terminal: the user's editor, or sf again, for the tour. */
struct sf_lent_program {
    pid_t pid; /* 0: no program runs. */
    uint64_t watch;
    void (*ended)(struct sf_tui *ui, int status);
    char *path; /* The file that was given to the editor. */
    sf_editor_fn *done;
    struct sigaction quit_before; /* How SIGQUIT was handled before the editor began. */
};

/*
 * Gives the text to the user's editor. `done` gets the edited text, or NULL where there is no
 * editor; the status line says so by then.
 */
void sf_editor_open(struct sf_tui *ui, const char *file, const char *text, size_t len,
                    sf_editor_fn *done);

/* ---- respond.c, palette.c, help.c, lists.c ---- */

/* What the answers of commands need to remember. */
struct sf_responses {
    char chose[32]; /* The command whose row was chosen last. */
    bool refills;   /* The answer of a command renews the list that is open. */
    struct {
        char title[160];
        struct sf_strbuf text;
    } given; /* The page that the editor has. */
};

void sf_tui_response(void *ctx, const struct sf_response *response);
void sf_tui_again(struct sf_tui *ui, const char *line); /* Runs a command for the open list. */
void sf_list_add(struct sf_tui *ui, const struct sf_response_row *row);
void sf_list_choose(struct sf_tui *ui, const char *value);  /* As the command's argument. */
void sf_list_explain(struct sf_tui *ui, const char *value); /* In the preview. */
void sf_list_field(struct sf_tui *ui, const struct sf_response *field); /* Opens the line. */
void sf_tui_palette(struct sf_tui *ui);
bool sf_help_keys_add(void *ui, const char *words, struct sf_strbuf *out); /* For the port. */

/* ---- look.c ---- */

/* Finds a theme by its name: the user's file of that name, else a built-in theme. */
bool sf_tui_theme(const char *name, struct sf_theme *theme, struct sf_error *err) SF_MUST_CHECK;

/* ---- settings.c ---- */

void sf_settings_keys(struct sf_tui *ui); /* Binds what [keys] says. */
void sf_settings_sidebar(struct sf_tui *ui);
extern const struct sf_surface_settings sf_tui_settings;

/* ---- tour.c: without a tour these do nothing ---- */

struct sf_tour {
    size_t *kept; /* The caller's, who keeps the step that is reached; NULL: there is no tour. */
    size_t step;
    int results, edits, refusals; /* Since the step began. */
    bool resumed;
};

void sf_tour_begin(struct sf_tui *ui);
void sf_tour_take(struct sf_tour *tour, const struct sf_event *event);
void sf_tour_look(struct sf_tui *ui); /* Goes on to the next step when this one is done. */
int sf_tour_rows(const struct sf_tour *tour, int cols);
void sf_tour_draw(const struct sf_tour *tour, struct sf_area area);

/* ---- tui.c ---- */

enum { SF_TUI_SIGNALS = 3 };

struct sf_tui {
    struct sf_tui_setup setup;
    struct sf_loop *loop;
    struct sf_port *port;
    struct sf_terminal *terminal;
    struct sf_theme theme;

    struct sf_painter painter;
    struct sf_status status;
    struct sf_keyboard keyboard;
    struct sf_pane pane;
    struct sf_find_bar find_bar;
    struct sf_recalled earlier;
    struct sf_asked_list asked;
    struct sf_progress progress;
    struct sf_mode_walk walk;
    struct sf_draft draft;
    struct sf_menu *menu;
    struct sf_cards cards;
    struct sf_overlay *overlay; /* NULL: none is open. */
    struct sf_responses responses;
    struct sf_restore_list restore_list;
    struct sf_lent_program lent;
    enum sf_sidebar sidebar;
    struct sf_tour tour;

    const char *first; /* Words of the command line that wait for an answer; or NULL. */
    int signo;         /* The signal that ended sf; 0: none. */
    uint64_t signals[SF_TUI_SIGNALS]; /* Watches. */
    bool closed;                      /* The screen is gone. */
    bool quitting;
};

void sf_tui_fail(struct sf_tui *ui, const struct sf_error *err);
void sf_tui_quit(struct sf_tui *ui);
void sf_tui_begin(struct sf_tui *ui); /* Sends the words of the command line, once. */

#endif
