/*
 * show: a session on standard output, for people and for programs. Text shows the answer and
 * keeps everything else on standard error; json prints one object at the end; stream-json prints
 * one object a line as things happen, each with its version and type.
 */
#ifndef SF_APP_SHOW_H
#define SF_APP_SHOW_H

#include "app/cli.h"
#include "port/port.h"

enum sf_show_format { SF_SHOW_TEXT, SF_SHOW_JSON, SF_SHOW_STREAM };

extern const char *const sf_show_formats[]; /* "text", "json", "stream-json", NULL */

struct sf_show {
    enum sf_show_format format;
    bool live;    /* standard output is a terminal: text is shown as it comes */
    bool verbose; /* calls and notices go to standard error */
    struct sf_port *port;
    char id[SF_ID_LEN + 1];  /* of the session, also when that is closed; "": there is none */
    struct sf_strbuf answer; /* of the last message of the session itself */
    bool command;            /* the run is one of sf's commands: what it comes to is the answer */
    bool fresh;              /* a new message has begun since */
    bool line_open;          /* the terminal's cursor is not at the start of a line */
    int64_t started_ms;
    int64_t tokens_in, tokens_out, cost;
    bool cost_known;
    int turns, calls, responses;
};

void sf_show_init(struct sf_show *show, enum sf_show_format format, bool verbose);
void sf_show_release(struct sf_show *show);

/* The session is open; `resumed` is what it says. */
void sf_show_begin(struct sf_show *show, struct sf_port *port, bool resumed);

void sf_show_told(struct sf_show *show, const struct sf_event *event);

/* What a command answered; and the end of a run that was no more than a command. */
void sf_show_response(struct sf_show *show, const struct sf_response *response);
void sf_show_command_end(struct sf_show *show, enum sf_exit code);

/* Why it ended, in words; nothing when it is simply done. */
void sf_show_reason(const struct sf_event_done *done, enum sf_exit code, struct sf_strbuf *out);

/* The end of the run: the answer, the last line or object. */
void sf_show_end(struct sf_show *show, const struct sf_event_done *done, enum sf_exit code);

/* It never came to a run: the last object says so, too. */
void sf_show_failure(struct sf_show *show, const struct sf_error *err, enum sf_exit code);

#endif
