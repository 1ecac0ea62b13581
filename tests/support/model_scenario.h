/*
 * model_scenario: what the model will say, read from plain text. One script serves all three
 * services: a list of replies, each with what the request must look like, the steps of the
 * answer, and what goes wrong on the way. The format is told in tests/scenarios/README.md.
 *
 * Life: model_scenario_parse, use, model_scenario_free. All text inside belongs to the scenario.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_SCENARIO_H
#define SF_TESTS_SUPPORT_MODEL_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    MODEL_SCENARIO_BYTES = 16 * 1024 * 1024,
    MODEL_REPLIES_MAX = 10000,
    MODEL_STEPS_MAX = 20000, /* of one reply, calls with times= counted once */
    MODEL_TIMES_MAX = 10 * 1000 * 1000,
};

enum model_step_kind {
    MODEL_STEP_TEXT,
    MODEL_STEP_REASONING,
    MODEL_STEP_REDACTED, /* reasoning the reader may only hand back */
    MODEL_STEP_CALL,
    MODEL_STEP_DELAY,
    MODEL_STEP_UNTIL,
    MODEL_STEP_ERROR,
    MODEL_STEP_PING,
    MODEL_STEP_COMMENT,
    MODEL_STEP_UNKNOWN,
    MODEL_STEP_MALFORMED,
    MODEL_STEP_BYTES,
    MODEL_STEP_NOISE,
};

struct model_step {
    enum model_step_kind kind;
    const char *name; /* the tool's, or the error's type */
    const char *id;   /* of a call; NULL: made up */
    const char *text; /* arguments of a call, as they go over the wire */
    size_t len;
    size_t delta;  /* bytes of one piece; 0: all at once */
    size_t number; /* milliseconds of a delay, bytes of noise */
    size_t times;
    uint64_t seed;
};

enum model_expect_kind {
    MODEL_EXPECT_CONTAINS,
    MODEL_EXPECT_LACKS,
    MODEL_EXPECT_TOOLS,
    MODEL_EXPECT_NO_TOOL,
    MODEL_EXPECT_RESULT,
    MODEL_EXPECT_RESULT_LACKS,
    MODEL_EXPECT_HEADER,
    MODEL_EXPECT_FIELD,
};

struct model_expect {
    enum model_expect_kind kind;
    unsigned line;
    const char *name; /* of a tool, a header, a field; or the list of tools */
    const char *text;
};

enum model_stop {
    MODEL_STOP_AUTO, /* tool use when there are calls, else the end */
    MODEL_STOP_END,
    MODEL_STOP_MAX_TOKENS,
    MODEL_STOP_REFUSAL,
    MODEL_STOP_CONTEXT,
};

enum model_reply_kind {
    MODEL_REPLY_STEPS,
    MODEL_REPLY_STATUS,
    MODEL_REPLY_HTML,
    MODEL_REPLY_REDIRECT,
    MODEL_REPLY_GARBAGE,
};

enum model_framing { MODEL_FRAMING_CHUNKED, MODEL_FRAMING_LENGTH, MODEL_FRAMING_CLOSE };
enum model_gzip { MODEL_GZIP_NONE, MODEL_GZIP_DECLARED, MODEL_GZIP_HIDDEN };

enum {
    MODEL_NEVER = -1,
    MODEL_AT_HEADERS = -2, /* before the first byte of the headers */
};

struct model_reply {
    unsigned line;
    size_t repeat;
    enum model_reply_kind kind;
    int status;
    const char *text;        /* the message of a status, the target of a redirect */
    const char *code;        /* of a status, in the words of the service; NULL: by number */
    int64_t retry_after;     /* seconds; MODEL_NEVER: the header is absent */
    bool retry_date;         /* say it as a date */
    struct sf_strlist lines; /* further header lines */
    struct model_step *steps;
    size_t step_count, step_cap;
    struct model_expect *expects;
    size_t expect_count, expect_cap;
    int64_t input, output, cache_read, cache_write; /* tokens; MODEL_NEVER: made up */
    enum model_stop stop;
    uint64_t seed; /* of garbage */

    int64_t cut_at, stall_at; /* bytes of the body, MODEL_NEVER or MODEL_AT_HEADERS */
    bool cut_resets;
    const char *newline;
    size_t write_size; /* bytes of one write; 0: as much as fits */
    int64_t pace_ms;   /* between writes */
    int64_t header_delay_ms;
    bool pings, comments; /* between all events */
    bool no_end;          /* the last event is missing */
    bool same_ids;
    const char *content_type; /* NULL: the right one */
    enum model_gzip gzip;
    enum model_framing framing;
    int64_t length; /* Content-Length to claim; MODEL_NEVER: the true one */
};

struct model_scenario {
    struct sf_arena arena;
    const char *key;   /* NULL: any key that is not empty; "-": none */
    const char *model; /* NULL: any */
    size_t window;     /* tokens a request may have; 0: any number */
    bool loop;
    struct model_reply *replies;
    size_t count, cap;
};

/* `vars` holds NAME=VALUE for ${NAME}. On failure `err->line` says where. */
struct model_scenario *model_scenario_parse(const char *text, size_t len,
                                            const struct sf_strlist *vars, struct sf_error *err);
void model_scenario_free(struct model_scenario *scenario); /* NULL is welcome */

#endif
