/*
 * model_responder: from a request to all that will go out for it. The responder knows the key, the
 * script and the services; it does not know sockets.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_RESPONDER_H
#define SF_TESTS_SUPPORT_MODEL_RESPONDER_H

#include "support/model_script.h"

struct model_responder {
    struct model_scenario *scenario; /* owned */
    struct model_script script;
    struct sf_strlist reasoned; /* ids given to calls that follow reasoning */
};

/* What goes out. Life: zeroed, model_responder_answer, model_outgoing_release. */
struct model_outgoing {
    int status;
    struct sf_strbuf head;
    struct model_plan body;
    bool chunked;
    bool close; /* the connection, after all is sent */
    int64_t cut_at, stall_at;
    bool cut_resets;
    size_t write_size;
    int64_t pace_ms, header_delay_ms;
    struct model_bill bill; /* the last that reaches the client; zeros: none does */
    char *complaint;        /* NULL: the request was fine and expected */
};

void model_responder_init(struct model_responder *responder, struct model_scenario *scenario);
void model_responder_release(struct model_responder *responder);

void model_responder_answer(struct model_responder *responder, const struct model_http *http,
                            struct model_outgoing *out);

/* A plain answer outside of any service, for what is no proper request. */
void model_responder_plain(struct model_outgoing *out, int status, const char *text);

void model_outgoing_release(struct model_outgoing *out);

#endif
