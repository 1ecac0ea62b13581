/*
 * internal: a running session's fields, shared by the files of this room that make it up.
 *
 *     talk.c     opening, resuming, closing, what surfaces call
 *     perform.c  the agent's effects, one after the other
 *     work.c     calls on their way: judged, asked about, running, answered
 *     own.c      the tools that are the session's own
 *     line.c     the model: which one, what is sent, what comes back
 */
#ifndef SF_SESSION_INTERNAL_H
#define SF_SESSION_INTERNAL_H

#include "session/confine.h"
#include "session/judge.h"
#include "session/talk.h"

/* One call of the running answer. */
struct sf_work {
    struct sf_talk *talk;
    size_t index;
    char *id, *name, *args; /* as the model sent them */
    size_t len;
    struct sf_call *call;
    struct sf_judged judged;
    bool has_judged;
    enum { SF_WORK_FREE, SF_WORK_JUDGED, SF_WORK_ASKED, SF_WORK_QUESTION, SF_WORK_RUNNING } state;
    bool counted;          /* the axes' machine knows that it runs */
    struct sf_talk *child; /* the sub-agent that does it */
};

/* A call that is over, until its result is written down and may be told. */
struct sf_finished {
    struct sf_work work;
    struct sf_tool_result *result; /* of the call, or `own` */
    struct sf_tool_result own;
};

/* An input that came while effects were being performed. */
struct sf_queued {
    enum sf_input_kind kind;
    size_t call;
    struct sf_block result;
    char *detail;
};

struct sf_talk {
    struct sf_talk_setup setup;
    char *model_asked, *append;
    char id[SF_ID_LEN + 1];
    struct sf_lock lock;
    int depth;
    char *parent_call;
    bool titled;

    struct sf_agent *agent;
    struct sf_mode_machine *machine;
    struct sf_confine *confine;
    struct sf_tool_cage cage;
    struct sf_toolbox *box;
    struct sf_client *client;

    char *system;
    char *model; /* the concrete one */
    const struct sf_model_row *row;
    enum sf_model_mode mode; /* of this turn */
    bool routed, patches;
    struct sf_arena faces_arena;
    struct sf_tool_face *faces;
    size_t face_count;
    int faces_profile; /* they were made for; -1: not yet */

    struct sf_work works[SF_AGENT_CALLS_MAX];
    struct sf_finished *finished[SF_AGENT_CALLS_MAX];
    struct sf_queued *queue;
    size_t queue_count, queue_cap;
    bool performing;

    struct sf_strbuf fresh; /* text that came and was not told yet */
    uint64_t flush_timer, time_timer, close_timer;
    bool dead;               /* the log cannot be written: nothing goes on */
    bool denied;             /* something was refused for want of an answer */
    struct sf_talk *closing; /* a sub-agent that ended and is to be closed from the loop */
};

/* ---- talk.c ---- */

struct sf_talk *sf_talk_open_child(struct sf_work *work, const struct sf_talk_setup *setup,
                                   struct sf_error *err);
void sf_talk_tell(struct sf_talk *t, struct sf_told *told); /* fills in whose it is */

/* ---- perform.c ---- */

void sf_talk_feed(struct sf_talk *t, struct sf_input *input);
void sf_talk_perform(struct sf_talk *t, struct sf_effects *effects);
void sf_talk_die(struct sf_talk *t, const struct sf_error *err);
void sf_talk_flush(struct sf_talk *t);
bool sf_talk_settle(struct sf_talk *t, struct sf_error *err); /* transitions that are due */
void sf_talk_notify(struct sf_talk *t, enum sf_machine_event event);

/* ---- work.c ---- */

void sf_work_begin(struct sf_talk *t, size_t index, const struct sf_block *block);
void sf_work_run(struct sf_work *w);
void sf_work_stop(struct sf_work *w);
void sf_work_saved(struct sf_talk *t, const struct sf_effect *e); /* its result is */
void sf_work_drop(struct sf_talk *t);                             /* all of them */
void sf_work_answerf(struct sf_work *w, bool is_error, const char *format, ...) SF_PRINTF(3, 4);
void sf_work_release(struct sf_work *w);
void sf_work_cage(struct sf_talk *t); /* fills in how the toolbox confines commands */

/* ---- own.c ---- */

void sf_own_run(struct sf_work *w);
void sf_own_child_told(void *ctx, const struct sf_told *told);

/* ---- line.c ---- */

void sf_line_choose(struct sf_talk *t, const char *words);    /* the model of this turn */
void sf_line_request(struct sf_talk *t, const char *summary); /* NULL: an ordinary one */

#endif
