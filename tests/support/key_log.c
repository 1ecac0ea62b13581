/*
 * key_log.c: "<Ctrl+X> text:abc paste:a\nb mouse:press0@3,4".
 */
#include "support/key_log.h"

static void add_key(struct sf_strbuf *out, struct sf_key key)
{
    char text[SF_CHORD_TEXT];

    sf_chord_text(&(struct sf_chord){ { key, { 0, 0 } } }, text);
    sf_strbuf_addf(out, "<%s>", text);
}

static void add_mouse(struct sf_strbuf *out, const struct sf_mouse *m)
{
    static const char *const kinds[] = { "press", "release", "drag", "wheel-up", "wheel-down" };

    sf_strbuf_addf(out, "mouse:%s%d", kinds[m->kind], m->button);
    if (m->mods)
        sf_strbuf_addf(out, "+%u", m->mods);
    sf_strbuf_addf(out, "@%d,%d", m->row, m->col);
}

static void add_reply(struct sf_strbuf *out, const struct sf_term_event *e)
{
    switch (e->reply) {
    case SF_TERM_REPLY_ATTRIBUTES:
        sf_strbuf_addf(out, "attributes:%d", e->value);
        break;
    case SF_TERM_REPLY_KITTY:
        sf_strbuf_addf(out, "kitty:%d", e->value);
        break;
    case SF_TERM_REPLY_VERSION:
        sf_strbuf_addf(out, "version:%.*s", (int)e->len, e->text);
        break;
    case SF_TERM_REPLY_MODE:
        sf_strbuf_addf(out, "mode:%d=%d", e->mode, e->value);
        break;
    case SF_TERM_REPLY_POSITION:
        sf_strbuf_addf(out, "position:%d,%d", e->row, e->col);
        break;
    case SF_TERM_REPLY_COLOUR:
        sf_strbuf_addf(out, "colour:%d=%06x", e->mode, (unsigned)e->value);
        break;
    }
}

void key_log_hear(void *log, const struct sf_term_event *event)
{
    struct key_log *l = log;
    bool typing = event->kind == SF_TERM_TEXT;

    l->events++;
    if (l->text.len && !(typing && l->typing))
        sf_strbuf_addch(&l->text, ' ');
    switch (event->kind) {
    case SF_TERM_KEY:
        add_key(&l->text, event->key);
        break;
    case SF_TERM_TEXT:
        sf_strbuf_adds(&l->text, l->typing ? "" : "text:");
        sf_strbuf_add(&l->text, event->text, event->len);
        break;
    case SF_TERM_PASTE:
        sf_strbuf_adds(&l->text, event->cut ? "cut:" : "paste:");
        sf_strbuf_add(&l->text, event->text, event->len);
        break;
    case SF_TERM_MOUSE:
        add_mouse(&l->text, &event->mouse);
        break;
    case SF_TERM_FOCUS:
        sf_strbuf_adds(&l->text, event->on ? "focus" : "blur");
        break;
    case SF_TERM_REPLY:
        add_reply(&l->text, event);
        break;
    }
    l->typing = typing;
}

void key_log_reset(struct key_log *log)
{
    sf_strbuf_reset(&log->text);
    log->typing = false;
    log->events = 0;
}
