/*
 * conversation: the transcript on the screen, and what fills it.
 *
 *     pane.c             where the transcript stands, the mouse in it, drawing it
 *     find_bar.c         the field that searches in the transcript
 *     feed.c             live events: cards, the clock of the turn, words on their way
 *     transcript_feed.c  events, live or read from the log, as items of the transcript
 *     call_line.c        the line of a call
 *     recall.c           which piece of the log is in the transcript, and when more is read
 *     watch.c            a session that another process owns
 *     welcome.c          the text of an empty conversation
 *     inline.c           the conversation printed into the terminal's own scrollback
 */
#ifndef SF_TUI_CONVERSATION_H
#define SF_TUI_CONVERSATION_H

#include "term/term.h"
#include "tui/tui.h"
#include "view/view.h"

struct sf_tui;
struct sf_painter;

/* ---- pane.c ---- */

/* The transcript and its place on the screen. */
struct sf_pane {
    struct sf_transcript *transcript;
    struct sf_area area;
    size_t printed; /* Items that are in the terminal's scrollback already; see inline.c. */
    bool times;     /* Items show when they were said. */
    bool dragging;  /* The mouse is selecting text. */
    bool welcoming; /* Nothing has been said in this session yet. */
};

/* Adds a note at the end, and shows it. */
/* Copies the text and says how far it got: a terminal does not tell whether it took it. */
void sf_tui_copy(struct sf_tui *ui, const struct sf_strbuf *text, const char *what);
void sf_pane_note(struct sf_pane *pane, const char *text, size_t len);
void sf_pane_mouse(struct sf_tui *ui, const struct sf_mouse *mouse);
void sf_pane_draw(struct sf_tui *ui, struct sf_area area);

/* Draws the items that are not printed yet: their end, if they are longer than the area. */
void sf_pane_draw_open(const struct sf_pane *pane, const struct sf_painter *painter,
                       struct sf_area *area);
struct sf_transcript_now sf_pane_now(const struct sf_pane *pane, int spin); /* -1: nothing spins. */

/* ---- find_bar.c ---- */

/* The search in the transcript: matches are counted from the oldest, 1 to `total`. */
struct sf_find_bar {
    struct sf_composer *field;
    bool open;
    size_t at, total;
};

void sf_find_bar_open(struct sf_find_bar *bar);
void sf_find_bar_search(struct sf_tui *ui); /* Searches for what the field holds. */
void sf_find_bar_event(struct sf_tui *ui, const struct sf_term_event *event,
                       enum sf_action_id action);

/* Counts matches in older items that were put before the others. */
void sf_find_bar_add(struct sf_find_bar *bar, struct sf_transcript *transcript, size_t matches);
void sf_find_bar_draw(const struct sf_find_bar *bar, struct sf_area area);

/* ---- feed.c ---- */

/* How far the work of the session has come, as far as the screen tells it. */
struct sf_progress {
    int64_t turn_ms;    /* When the turn began; 0: none runs. */
    int64_t shell_ms;   /* When the user's command began; 0: none runs, or it is being stopped. */
    char phase[48];     /* What the turn is doing: "thinking", "running Bash"; or "". */
    int calls;          /* Calls that have no result yet. */
    int64_t tokens;     /* Of the answers of the turn so far. */
    char waiting[160];  /* What the turn waits for when it is not the model or a tool; or "". */
    const char *unsaid; /* Words handed to the session that no event has shown yet; or NULL. */
    size_t unsaid_len;
    bool echoed; /* The words of the turn that is to begin stand in the transcript already. */
};

/* progress.c: pieces of answers and calls of the user's own turn; those of sub-agents are in a call. */
void sf_progress_begin(struct sf_progress *progress); /* A turn begins now. */
void sf_progress_take(struct sf_progress *progress, const struct sf_event *event);
void sf_progress_add(const struct sf_progress *progress, struct sf_strbuf *out);

void sf_tui_take(void *ctx, const struct sf_event *event);
void sf_tui_sent(void *ctx, const struct sf_sent *sent);

/* ---- transcript_feed.c ---- */

enum sf_feed_moment {
    SF_FEED_LIVE,    /* The event happens here. */
    SF_FEED_WATCHED, /* The event happens in another process. */
    SF_FEED_PAST,    /* The event is over: a call without a result never got one. */
};

/* Changes of the modes by the user with nothing in between: one note tells them all. */
struct sf_mode_walk {
    const struct sf_transcript *to; /* NULL: there was none yet. */
    size_t count;                   /* Items behind the last change. */
    struct sf_mode_state from;
    char note[240]; /* What was told of it; "": nothing, as it led back. */
};

struct sf_transcript_feed {
    struct sf_transcript *to;
    struct sf_mode_walk *walk;
    const char *workspace;
    size_t printed; /* Items that cannot be taken back. */
    enum sf_feed_moment moment;
    bool plain; /* Answers are no Markdown. */
};

struct sf_transcript_feed sf_tui_feed(struct sf_tui *ui, struct sf_transcript *to,
                                      enum sf_feed_moment moment);
void sf_feed_event(const struct sf_transcript_feed *feed, const struct sf_event *event);

/* Returns what a call's line says of the cage while a command runs; NULL: nothing. */
const char *sf_feed_cage(const struct sf_judged *judged);

/* ---- call_line.c ---- */

/* The line of a call: the verb, present or past, and what the call is about. */
const char *sf_call_line_verb(const char *tool, bool done);
void sf_call_line_what(const struct sf_event_call *call, struct sf_strbuf *out);

/* Returns what came of a call; `what` is on the line already. NULL: there is nothing to say. */
const char *sf_call_line_note(const struct sf_event *result, const char *what, char *out,
                              size_t size);

/* ---- recall.c ---- */

/* Which events of the session's log are in the transcript. */
struct sf_recalled {
    int64_t first;               /* Number of the oldest event that is there; 0 or 1: all are. */
    int64_t last;                /* Number of the newest event when the session was opened. */
    char session[SF_ID_LEN + 1]; /* The session that the oldest event belongs to. */
    bool all;                    /* All earlier events are being read. */
    bool to_top;                 /* The user went to the top and waits for the beginning. */
    uint64_t timer;
    struct sf_log_replay *replay; /* Of a session that is watched; or NULL. */
    int64_t last_event;           /* Id of the newest event that is there. */
};

bool sf_recall_begin(struct sf_tui *ui, struct sf_error *err) SF_MUST_CHECK; /* Reads the end. */
bool sf_recall_back(struct sf_tui *ui); /* Reads a page more; false: there is none. */
void sf_recall_fill(struct sf_tui *ui, struct sf_area area); /* Reads as much as the area holds. */
void sf_recall_above(struct sf_tui *ui);            /* Reads ahead before the view moves up. */
void sf_recall_all(struct sf_tui *ui, bool to_top); /* Reads the rest, on the loop. */
void sf_recall_drop(struct sf_tui *ui);
void sf_recall_event(struct sf_tui *ui, const struct sf_event_row *event); /* Unless it is there. */
void sf_recall_taken(struct sf_tui *ui); /* The process that was watched writes no more events. */

/* ---- watch.c ---- */

/* A call about which another process asks its user. */
struct sf_asked {
    char *call, *what;
};

struct sf_asked_list {
    struct sf_asked *items;
    size_t count, cap;
    bool turn; /* A turn of the other process runs. */
};

void sf_tui_seen(void *ctx, const struct sf_watch_event *seen);
bool sf_tui_watches(const struct sf_tui *ui); /* Another process owns the session. */
/* A turn of a run that goes on by itself: Esc pauses the run before it cancels the turn. */
bool sf_tui_escape_pauses(const struct sf_tui *ui);
void sf_watch_line(const struct sf_port *port, struct sf_strbuf *out); /* Says who owns it. */
void sf_watch_status(const struct sf_tui *ui, struct sf_strbuf *out);  /* Or what it asks. */
void sf_watch_begin(struct sf_tui *ui); /* Adds a note where another process owns the session. */

/* Notes which questions wait in the other process; they can be answered only there. */
void sf_watch_take(struct sf_asked_list *asked, const struct sf_event *event);
void sf_watch_forget(struct sf_asked_list *asked);

/* ---- welcome.c ---- */

void sf_welcome_begin(struct sf_tui *ui);
void sf_welcome_draw(struct sf_tui *ui, struct sf_area *area); /* Takes the rows it needs. */

/* ---- inline.c ---- */

bool sf_tui_prints(const struct sf_tui *ui); /* Nothing on the screen needs the whole of it. */
void sf_tui_print(struct sf_tui *ui);
void sf_tui_print_rest(struct sf_tui *ui); /* Prints all items, finished or not. */

#endif
