/*
 * model_desk: from a request to all that will go out for it. The desk knows the key, the script and
 * the services; it does not know sockets.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_DESK_H
#define SF_TESTS_SUPPORT_MODEL_DESK_H

#include "support/model_script.h"

struct model_desk {
    struct model_scenario *scenario; /* owned */
    struct model_script script;
    struct sf_strlist reasoned; /* ids given to calls that follow reasoning */
};

/* What goes out. Life: zeroed, model_desk_answer, model_outgoing_release. */
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

void model_desk_init(struct model_desk *desk, struct model_scenario *scenario);
void model_desk_release(struct model_desk *desk);

void model_desk_answer(struct model_desk *desk, const struct model_http *http,
                       struct model_outgoing *out);

/* A plain answer outside of any service, for what is no proper request. */
void model_desk_plain(struct model_outgoing *out, int status, const char *text);

void model_outgoing_release(struct model_outgoing *out);

#endif
