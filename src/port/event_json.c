/*
 * event_json.c: writes an event as its row of the table says, member by member.
 */
#include "port/event_json.h"

#include <assert.h>

#include "port/event_table.h"

static const struct sf_event_type *find_type(enum sf_event_kind kind, int depth)
{
    const struct sf_event_type *own = NULL;

    for (size_t i = 0; i < sf_event_type_count; i++) {
        const struct sf_event_type *t = &sf_event_types[i];

        if (t->kind == kind && t->of_agents && depth > 0)
            return t;
        if (t->kind == kind && !t->of_agents)
            own = t;
    }
    return own;
}

static void write_members(struct sf_json_writer *w, const struct sf_member *members, size_t count,
                          const struct sf_event *event);

static void write_object(struct sf_json_writer *w, const struct sf_member *m,
                         const struct sf_event *event)
{
    if (m->object) {
        m->object(event, w);
        return;
    }
    sf_jw_object_begin(w);
    write_members(w, m->shape->members, m->shape->count, event);
    sf_jw_object_end(w);
}

static void write_time(struct sf_json_writer *w, int64_t ms)
{
    char time[SF_TIME_MAX];

    sf_time_format_utc(time, ms);
    sf_jw_str(w, time);
}

static void write_value(struct sf_json_writer *w, const struct sf_member *m,
                        const struct sf_event *event)
{
    struct sf_event_words words;

    switch (m->type) {
    case SF_MEMBER_TEXT:
        words = m->text(event);
        sf_jw_strn(w, words.text, words.len);
        break;
    case SF_MEMBER_INTEGER:
        sf_jw_int(w, m->integer(event));
        break;
    case SF_MEMBER_NUMBER:
        sf_jw_double(w, m->number(event));
        break;
    case SF_MEMBER_BOOLEAN:
        sf_jw_bool(w, m->boolean(event));
        break;
    case SF_MEMBER_TIME:
        write_time(w, m->integer(event));
        break;
    case SF_MEMBER_OBJECT:
    case SF_MEMBER_OBJECTS:
    case SF_MEMBER_INTEGERS:
    case SF_MEMBER_TEXTS:
    case SF_MEMBER_ANY:
    case SF_MEMBER_OPEN:
        write_object(w, m, event);
        break;
    }
}

static bool has_value(const struct sf_member *m, const struct sf_event *event)
{
    if (m->has)
        return m->has(event);
    return m->type != SF_MEMBER_TEXT || m->text(event).text;
}

static void write_members(struct sf_json_writer *w, const struct sf_member *members, size_t count,
                          const struct sf_event *event)
{
    for (size_t i = 0; i < count; i++) {
        const struct sf_member *m = &members[i];
        bool has = has_value(m, event);

        if (!has && m->need == SF_NEED_SOME)
            continue;
        sf_jw_key(w, m->name);
        if (has)
            write_value(w, m, event);
        else
            sf_jw_null(w);
    }
}

void sf_event_json_add(const struct sf_event *event, struct sf_strbuf *out)
{
    const struct sf_event_type *type = find_type(event->kind, event->depth);
    struct sf_json_writer w;

    assert(type);
    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "v", SF_EVENT_JSON_VERSION);
    sf_jw_key_str(&w, "type", type->name);
    write_members(&w, sf_event_common, sf_event_common_count, event);
    write_members(&w, type->members, type->count, event);
    sf_jw_object_end(&w);
}
