/*
 * tui: the terminal surface: what a person sits at. Joins a session, the pages and panes of view
 * and the terminal: keys become words, answers, commands and changes of the axes; what the session
 * tells becomes the transcript, cards and the badge.
 *
 * The other rooms include this header alone.
 */
#ifndef SF_TUI_TUI_H
#define SF_TUI_TUI_H

#include <stdbool.h>

#include "base/base.h"
#include "session/session.h"

/* All borrowed for the call. */
struct sf_tui_setup {
    struct sf_session_setup
        session;       /* what every session here is opened with; told and ctx are ours */
    const char *first; /* said at once, or NULL */
    bool mouse;
    bool inline_mode;          /* the conversation stays in the terminal's own scrollback */
    size_t *tour;              /* the step of the tour it goes on with and has come to; or NULL */
    const char *settings_file; /* where changes are written; NULL: the usual place */
    /* All settings as they are now, the callee's; after one was written. */
    struct sf_config *(*reload)(void *ctx, struct sf_error *err);
    /*
     * What sessions are opened with from now on; the ones that run keep theirs. The key is that of
     * the provider `name`, fetched just now; NULL: no other than before.
     */
    bool (*renew)(void *ctx, const char *name, const char *key, struct sf_session_setup *session,
                  struct sf_error *err);
    /* Before a session is opened, new (NULL) or again: who answers in it. */
    bool (*provide)(void *ctx, const char *resume, struct sf_session_setup *session,
                    struct sf_error *err);
    /* After a session was opened: what the command line asked of it. */
    bool (*opened)(void *ctx, struct sf_session *session, struct sf_error *err);
    void *ctx;
};

/*
 * Until the user quits. False with `err` when it could not begin; else the signal that ended it, or
 * 0, and in `id` the session to go on with, or "" when nothing was said.
 */
bool sf_tui_run(const struct sf_tui_setup *setup, int *signo, char id[SF_ID_LEN + 1],
                struct sf_error *err) SF_MUST_CHECK;

/* ---- the tour: see tour.c ---- */

#define SF_TOUR_NOTE "src/notes.txt" /* what it makes and takes back */

size_t sf_tour_steps(void);
bool sf_tour_leaves(size_t step); /* the step is to leave, and to come back */

/* The table of slash commands as Markdown, for the docs. */
void sf_tui_commands_doc_add(struct sf_strbuf *out);

/* Whether a slash command of sf's own has this name, without the slash. */
bool sf_tui_command_is_own(const char *name);

#endif
