/*
 * model_wire: what the three services have in common: a request as the script sees it, and a
 * refusal as the service would word it. Each service brings one row (model_service): a check as
 * strict as the real one, and the writers of its answers.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_WIRE_H
#define SF_TESTS_SUPPORT_MODEL_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "support/model_plan.h"
#include "support/model_scenario.h"

enum { MODEL_SIGNATURE = 40 }; /* bytes of a signature with its NUL */

/* The text, answered by a tool; borrowed from the request's arena. */
struct model_result {
    const char *name, *text;
};

struct model_request {
    const struct model_service *service;
    struct sf_arena arena;
    struct sf_json *body;
    size_t body_len;
    const char *model;
    bool stream;
    bool wants_usage;          /* chat: stream_options.include_usage */
    bool wants_encrypted;      /* Responses: include reasoning.encrypted_content */
    bool thinks;               /* Messages: thinking is on */
    struct sf_strlist tools;   /* offered, in order */
    struct sf_strlist calls;   /* ids of all calls in the conversation */
    struct sf_strlist names;   /* the tool of each of these calls */
    struct sf_strlist pending; /* ids that wait for their result */
    struct model_result *results;
    size_t result_count, result_cap;   /* of the last round of calls */
    const struct sf_strlist *reasoned; /* ids the server gave to calls that follow reasoning */
};

/* How a service says no. Texts are in its own words. */
struct model_refusal {
    int status;
    const char *type;
    const char *code; /* NULL: none */
    char param[160];
    char msg[700];
};

/* What an answer says it cost, once the client has so many bytes of it. */
struct model_bill {
    uint64_t at;
    int64_t input, output, cache_read, cache_write;
};

enum { MODEL_BILLS = 4 };

/* One answer while it is written. */
struct model_answer {
    const struct model_request *request;
    const struct model_reply *reply;
    struct model_plan *plan;
    struct sf_strlist *reasoned; /* receives ids, see model_request */
    size_t number;               /* of the reply, for ids */
    size_t ids;                  /* made so far */
    size_t events;               /* written so far */
    int64_t input, output;       /* tokens */
    struct model_bill bills[MODEL_BILLS];
    size_t bill_count;
    bool billing; /* the last one stands in the event being written */
    bool ended;   /* an error cut the stream short */
};

struct model_service {
    const char *name, *path;
    const char *ping; /* what it sends to keep a connection alive */
    bool (*check)(struct model_request *request, struct model_refusal *no);
    void (*refuse)(const struct model_refusal *no, struct sf_strbuf *out);
    void (*stream)(struct model_answer *answer);
    void (*whole)(struct model_answer *answer, struct sf_strbuf *out); /* stream: false */
};

extern const struct model_service model_messages, model_chat, model_responses;

void model_request_release(struct model_request *request);

/* All refuse with 400 and return false. */
bool model_refuse(struct model_refusal *no, const char *param, const char *format, ...)
    SF_PRINTF(3, 4);
bool model_refuse_code(struct model_refusal *no, const char *code, const char *param,
                       const char *format, ...) SF_PRINTF(4, 5);

/* What a field may hold. */
enum {
    MODEL_NULL = 1 << SF_JSON_NULL,
    MODEL_BOOL = 1 << SF_JSON_BOOL,
    MODEL_NUMBER = 1 << SF_JSON_NUMBER,
    MODEL_STRING = 1 << SF_JSON_STRING,
    MODEL_ARRAY = 1 << SF_JSON_ARRAY,
    MODEL_OBJECT = 1 << SF_JSON_OBJECT,
    MODEL_INTEGER = 1 << 8,
    MODEL_MUST = 1 << 9, /* be there */
};

struct model_field {
    const char *name; /* NULL ends the table */
    unsigned types;
};

/* Words for the three things that can be wrong with a field; each takes its path. */
struct model_field_words {
    const char *unknown_code, *missing_code, *type_code;
    void (*unknown)(struct sf_strbuf *out, const char *path);
    void (*missing)(struct sf_strbuf *out, const char *path);
    void (*type)(struct sf_strbuf *out, const char *path, unsigned want, enum sf_json_type got);
};

/* Refuses fields that are unknown, missing or of another type. `path` stands before names. */
bool model_check_fields(const struct sf_json *object, const char *path,
                        const struct model_field *fields, const struct model_field_words *words,
                        struct model_refusal *no);

extern const struct model_field_words model_openai_words;
void model_openai_refuse(const struct model_refusal *no, struct sf_strbuf *out);

/* As in base, but what is not there is welcome. */
const struct sf_json *model_first(const struct sf_json *json);
const char *model_get_text(const struct sf_json *object, const char *key); /* "": none */

bool model_tool_name_ok(const char *name); /* ^[a-zA-Z0-9_-]{1,64}$ */
bool model_schema_is_object(const struct sf_json *schema);

/* The tool's name, schema and strict: true as OpenAI wants them; adds the name to the request. */
bool model_openai_check_tool(struct model_request *request, const struct sf_json *tool,
                             const char *path, struct model_refusal *no);

/* Remembers a call, or the answer to one; the answer takes it from the pending ones. */
bool model_add_call(struct model_request *request, const char *id, const char *name);
bool model_add_result(struct model_request *request, const char *id, const struct sf_json *content);

/* Text that shows later that it came from here: hexadecimal, of the text and its use. */
void model_sign(char out[MODEL_SIGNATURE], const char *use, const char *text, size_t len);

/* Names for things: PREFIX, reply and count; all the same when the script says so. */
char *model_make_id(struct model_answer *answer, const char *prefix);
char *model_call_id(struct model_answer *answer, const struct model_step *step, const char *prefix);

bool model_has_calls(const struct model_reply *reply);

/* The length of the next piece of a step's text, at a border of characters and fill tokens. */
size_t model_next_piece(const struct model_step *step, size_t from);

/* What is being written says so many tokens of output, and the rest as the script has it. */
void model_bill(struct model_answer *answer, int64_t output);
void model_bill_as_input(struct model_answer *answer); /* writing to the cache is not told apart */

/*
 * Events of a stream. `event` may be NULL (chat has none). The steps that are the same for all
 * services (delays, comments, bytes) are done by model_common_step, which says whether it did.
 */
void model_event(struct model_answer *answer, const char *event, const char *json, size_t len);
bool model_common_step(struct model_answer *answer, const struct model_step *step);

uint64_t model_random(uint64_t *state); /* the same numbers for the same start */

#endif
