/*
 * probe: what can be known of the terminal: from the environment at once, from its own answers
 * later. Nothing ever waits for an answer. Internal to the room.
 */
#ifndef SF_TERM_PROBE_H
#define SF_TERM_PROBE_H

#include "term/terminal.h"

/* Which sequences may be sent at all: some terminals print what they do not know. */
enum sf_proctree {
    SF_FAMILY_PLAIN, /* consoles and old terminals: nothing but what terminfo says */
    SF_FAMILY_XTERM,
    SF_FAMILY_MUX, /* tmux and screen */
};

struct sf_probe {
    const char *term; /* borrowed from the environment */
    enum sf_proctree family;
    bool no_colour, truecolour;
};

/* False, with words for the user, when TERM promises nothing a screen could be drawn with. */
bool sf_probe_environment(struct sf_probe *probe, struct sf_terminal_facts *facts,
                          struct sf_error *err) SF_MUST_CHECK;

/* The questions, of which the last is answered by every terminal; empty for plain ones. */
const char *sf_probe_questions(const struct sf_probe *probe);

/* An answer; true when it changed what is known. */
bool sf_probe_reply(struct sf_terminal_facts *facts, const struct sf_term_event *reply);

void sf_probe_key(struct sf_terminal_facts *facts, const struct sf_key *key); /* it arrived */

#endif
