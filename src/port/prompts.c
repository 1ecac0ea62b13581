/*
 * prompts.c: lines that were sent before. Most of them are in the logs of the project's sessions
 * anyway: prompts, text sent during a turn, and shell commands. Other lines, commands of sf and
 * notes, are logged as events of the project.
 */
#include <string.h>

#include "port/internal.h"

enum {
    PROMPTS_MAX = 300,
    SHELL_MAX = 60, /* fewer, because these events include the output */
};

/* ---- from the log ---- */

struct lines {
    struct {
        int64_t id;
        char *text;
    } * items;
    size_t count, cap;
};

static char *said(const struct sf_log_event *l)
{
    const struct sf_block *b = l->has_message ? sf_log_event_words(&l->message) : NULL;

    return b ? sf_strndup(b->text, b->len) : NULL;
}

static char *member(const struct sf_log_event *l, const char *name, const char *sigil)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    const char *value;

    if (!l->json || !sf_json_get_str(l->json, name, &value, &ignored))
        return NULL;
    sf_strbuf_addf(&text, "%s%s", sigil, value);
    return sf_strbuf_detach(&text);
}

static char *typed(const struct sf_log_event *l)
{
    return member(l, "text", "");
}

static char *ran(const struct sf_log_event *l)
{
    return member(l, "command", "!");
}

static const struct {
    const char *kind;
    char *(*read)(const struct sf_log_event *l); /* returns the line, or NULL */
    size_t limit;
} kinds[] = {
    { SF_LOG_USER, said, PROMPTS_MAX },
    { SF_LOG_STEER, typed, PROMPTS_MAX },
    { SF_LOG_SHELL, ran, SHELL_MAX },
    { SF_LOG_TYPED, typed, PROMPTS_MAX },
};

static bool add_line(const struct sf_event_row *event, void *ctx)
{
    struct lines *lines = ctx;
    struct sf_log_event logged;

    sf_log_event_read(&logged, event);
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        char *text = strcmp(event->kind, kinds[i].kind) != 0 ? NULL : kinds[i].read(&logged);

        if (!text)
            continue;
        lines->items = sf_grow(lines->items, &lines->cap, lines->count + 1, sizeof(*lines->items));
        lines->items[lines->count].id = event->id;
        lines->items[lines->count++].text = text;
    }
    sf_log_event_release(&logged);
    return true;
}

static int by_id(const void *a, const void *b)
{
    const int64_t *x = a, *y = b; /* the id is the first member of an item */

    return *x < *y ? -1 : *x > *y;
}

void sf_port_prompts_load(struct sf_port *p)
{
    struct sf_error err = SF_ERROR_INIT;
    struct lines lines = { NULL, 0, 0 };
    bool ok = true;

    for (size_t i = 0; ok && i < SF_COUNT(kinds); i++) {
        const struct sf_event_filter filter = { .kind = kinds[i].kind, .limit = kinds[i].limit };

        ok = sf_store_each_event(p->setup.session.store, &filter, add_line, &lines, &err);
    }
    if (!ok)
        sf_port_fail(p, &err);
    if (lines.count)
        qsort(lines.items, lines.count, sizeof(*lines.items), by_id);
    for (size_t i = 0; i < lines.count; i++) {
        sf_prompt_history_add(p->history, lines.items[i].text, strlen(lines.items[i].text));
        free(lines.items[i].text);
    }
    free(lines.items);
}

/* ---- adding ---- */

static bool keep(struct sf_port *p, const char *text, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = SF_SESSION_PROJECT,
                                  .surface =
                                      sf_axis_name(SF_AXIS_SURFACE, (int)sf_port_state(p)->surface),
                                  .kind = SF_LOG_TYPED };
    struct sf_event_ref ref;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "text", text);
    sf_jw_object_end(&w);
    event.json = json.buf;
    event.len = json.len;
    ok = sf_store_append(p->setup.session.store, &event, &ref, err);
    sf_strbuf_release(&json);
    return ok;
}

void sf_port_prompts_add(struct sf_port *p, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_prompt_history_add(p->history, text, strlen(text)) && (*text == '/' || *text == '#') &&
        !keep(p, text, &err))
        sf_port_fail(p, &err);
}

struct sf_prompt_history *sf_port_prompts(const struct sf_port *p)
{
    return p->history;
}
