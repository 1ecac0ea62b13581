/*
 * asks.c: that somebody is being asked, and no longer is, in the log of the session the user talks
 * to. Nothing follows from it for the conversation: it is for who watches from another terminal,
 * and cannot answer there.
 */
#include "base/base.h"
#include "session/internal.h"
#include "session/logged.h"

enum { WHAT_MAX = 400 }; /* bytes of what is asked: a line */

static void append(struct sf_work *w, const char *kind, const struct sf_strbuf *json)
{
    const struct sf_talk *root = sf_keep_talk(w->talk->keep);
    const struct sf_event_new event = { .session = root->id,
                                        .surface = sf_axis_name(SF_AXIS_SURFACE,
                                                                (int)root->setup.state.surface),
                                        .kind = kind,
                                        .json = json->buf,
                                        .len = json->len };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    if (!w->talk->dead && !sf_store_append(w->talk->setup.store, &event, &ref, &err))
        sf_talk_die(w->talk, &err);
}

void sf_asks_open(struct sf_work *w, const char *what)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", w->id);
    sf_jw_key_str(&jw, "tool", w->name);
    sf_jw_key(&jw, "what");
    sf_jw_strn(&jw, what, strlen(what) > WHAT_MAX ? sf_utf8_cut(what, WHAT_MAX) : strlen(what));
    sf_jw_object_end(&jw);
    append(w, SF_EVENT_ASKS, &json);
    w->asks = true;
    sf_strbuf_release(&json);
}

void sf_asks_close(struct sf_work *w)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;

    if (!w->asks)
        return;
    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", w->id);
    sf_jw_object_end(&jw);
    append(w, SF_EVENT_ANSWERED, &json);
    w->asks = false;
    sf_strbuf_release(&json);
}
