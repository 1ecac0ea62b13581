/*
 * show: a session on standard output, for people and for programs. The format text prints the
 * answer, and everything else on standard error; json prints one object at the end; stream-json
 * prints one object a line as events happen, each with its version and type.
 */
#ifndef SF_APP_SHOW_H
#define SF_APP_SHOW_H

#include "app/cli.h"
#include "app/ending.h"
#include "port/port.h"

enum sf_show_format { SF_SHOW_TEXT, SF_SHOW_JSON, SF_SHOW_STREAM };

extern const char
    *const sf_show_formats[]; /* Names of the formats: "text", "json", "stream-json", NULL. */

struct sf_show {
    enum sf_show_format format;
    bool live;    /* Standard output is a terminal, so text is shown as it comes. */
    bool verbose; /* Calls and notices go to standard error. */
    struct sf_port *port;
    char id[SF_ID_LEN + 1]; /* Id of the session, also after it was closed; "": there is none. */
    struct sf_strbuf
        answer;            /* The text of the last message; messages of sub-agents do not count. */
    bool command;          /* The run is a command, whose responses are the answer. */
    bool shell;            /* The run is a command of the user's own, whose output is the answer. */
    struct sf_strbuf told; /* What the command answered, as text. */
    struct sf_strbuf report; /* The report of a review, which is the answer; or empty. */
    struct sf_strbuf why;    /* Why the command failed; empty: it did not. */
    bool ephemeral;          /* Nothing of the session stays. */
    bool fresh;              /* A new message has begun since the answer. */
    bool line_open;          /* The cursor of the terminal is not at the start of a line. */
    int64_t started_ms;
    int64_t tokens_in, tokens_out, cost;
    bool cost_known;
    int turns, calls, responses;
};

void sf_show_init(struct sf_show *show, enum sf_show_format format, bool verbose);
void sf_show_release(struct sf_show *show);

/* Called once the session is open; `resumed`: it was there before. */
void sf_show_begin(struct sf_show *show, struct sf_port *port, bool resumed);

void sf_show_event(struct sf_show *show, const struct sf_event *event);

/* Takes the responses of a command, and the end of a run that was only a command. */
void sf_show_response(struct sf_show *show, const struct sf_response *response);
void sf_show_command_end(struct sf_show *show, enum sf_exit code);

/* Says what became of a line that a program sent; ends a conversation in which no turn ran. */
void sf_show_input(struct sf_show *show, const struct sf_event_input *input);
void sf_show_dialogue_end(struct sf_show *show, enum sf_exit code);

/* Says why a command was not carried out. */
void sf_show_refusal(struct sf_show *show, const char *text, const char *hint);

/* What the run came to: the report of a review, the last answer, or what a command answered. */
const struct sf_strbuf *sf_show_result(const struct sf_show *show);

/* Ends the run: prints the answer, the last line or object. */
void sf_show_end(struct sf_show *show, const struct sf_ending *ending, enum sf_exit code);

/* Ends a run that could not start; the last object says so, too. */
void sf_show_failure(struct sf_show *show, const struct sf_error *err, enum sf_exit code);

#endif
