/*
 * commands_logs.c: /logs lists the session's events and the lines of sf's log file, newest first,
 * from a given level on. The value of a row selects what /logs shows in full: "event 12", or
 * "line 4711", an offset in the file. The file is not trusted: its lines are cut and sanitised.
 */
#include <inttypes.h>
#include <string.h>

#include "port/internal.h"

enum {
    EVENTS_MAX = 500,
    LINES_MAX = 500,
    FILE_MAX_BYTES = 8 * 1024 * 1024,
    DATA_MAX = 256 * 1024, /* bytes of an event that are shown in full */
    TEXT_MAX = 160,
};

struct entry {
    char *time, *what, *text; /* the time is RFC 3339, UTC */
    int64_t event;            /* number of the event; 0: a line of the file */
    size_t offset;            /* offset of the line in the file */
    enum sf_log_level level;
};

struct entries {
    struct entry *items;
    size_t count, cap;
    bool cut; /* there are older ones */
};

static void add_entry(struct entries *all, struct entry e)
{
    all->items = sf_grow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
    all->items[all->count++] = e;
}

static void release(struct entries *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].time);
        free(all->items[i].what);
        free(all->items[i].text);
    }
    free(all->items);
}

/* ---- events ---- */

static enum sf_log_level level_of_turn(const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *status = "";

    if (!json || !sf_json_get_str(json, "status", &status, &ignored) ||
        !strcmp(status, sf_turn_status_names[SF_TURN_DONE]))
        return SF_LOG_INFO;
    return !strcmp(status, sf_turn_status_names[SF_TURN_FAILED]) ||
                   !strcmp(status, sf_turn_status_names[SF_TURN_BLOCKED])
               ? SF_LOG_ERROR
               : SF_LOG_WARN;
}

static enum sf_log_level level_of(const struct sf_event_row *event)
{
    enum sf_log_level level = SF_LOG_INFO;
    struct sf_log_event l;

    sf_log_event_read(&l, event);
    if (!strcmp(event->kind, SF_LOG_END))
        level = level_of_turn(l.json);
    else if (!strcmp(event->kind, SF_LOG_RESULT) && l.message.count && l.message.blocks[0].is_error)
        level = SF_LOG_WARN;
    sf_log_event_release(&l);
    return level;
}

static bool add_event(const struct sf_event_row *event, void *ctx)
{
    struct entry e = { .time = sf_strdup(event->time),
                       .what = sf_strdup(event->kind),
                       .event = event->seq,
                       .level = level_of(event) };
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_event_text_add(&text, event->kind, event->json, event->len);
    e.text = sf_strbuf_detach(&text);
    add_entry(ctx, e);
    return true;
}

static bool read_events(struct sf_port *p, struct entries *all, struct sf_error *err)
{
    struct sf_event_range newest = { .session = sf_session_id(p->session) };

    if (!sf_store_event_last(p->setup.session.store, newest.session, &newest.last, err))
        return false;
    newest.first = newest.last > EVENTS_MAX ? newest.last - EVENTS_MAX + 1 : 1;
    all->cut = newest.first > 1;
    return sf_store_each_in_range(p->setup.session.store, &newest, add_event, all, err);
}

/* ---- the file ---- */

/* Parses "TIME PID LEVEL TEXT"; false: not a line that sf wrote. */
static bool read_line(const char *line, size_t len, struct entry *out)
{
    const char *pid = memchr(line, ' ', len);
    const char *level = pid ? memchr(pid + 1, ' ', (size_t)(line + len - pid - 1)) : NULL;
    const char *text = level ? memchr(level + 1, ' ', (size_t)(line + len - level - 1)) : NULL;
    char name[16];
    int64_t ms;
    struct sf_error ignored = SF_ERROR_INIT;

    if (!text || (size_t)(text - level - 1) >= sizeof(name) ||
        !sf_time_parse_rfc3339(line, (size_t)(pid - line), &ms, &ignored))
        return false;
    snprintf(name, sizeof(name), "%.*s", (int)(text - level - 1), level + 1);
    if (!sf_log_level_parse(name, &out->level))
        return false;
    out->time = sf_strndup(line, (size_t)(pid - line));
    out->what = sf_strdup("sf");
    out->text = sf_strndup(text + 1, (size_t)(line + len - text - 1));
    out->event = 0;
    return true;
}

/* A missing file counts as empty: nothing was logged yet. */
static void read_text(const struct sf_port *p, struct sf_strbuf *out)
{
    char *path = sf_path_join(p->setup.session.state_dir, "logs/sf.log");
    struct sf_error ignored = SF_ERROR_INIT;

    if (!sf_file_read(path, FILE_MAX_BYTES, out, &ignored))
        sf_strbuf_reset(out);
    free(path);
}

static void read_file(const struct sf_port *p, struct entries *all)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t end, count = 0;

    read_text(p, &text);
    for (end = text.len; end > 0 && count < LINES_MAX;) {
        const char *newline = memrchr(text.buf, '\n', end - 1);
        size_t start = newline ? (size_t)(newline - text.buf) + 1 : 0;
        size_t len = end - start - (text.buf[end - 1] == '\n');
        struct entry e;

        if (read_line(text.buf + start, len, &e)) {
            e.offset = start;
            add_entry(all, e);
            count++;
        }
        end = start;
    }
    all->cut = all->cut || end > 0;
    sf_strbuf_release(&text);
}

/* ---- the list ---- */

static int newest_first(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(y->time, x->time);

    if (!order)
        order = (x->event < y->event) - (x->event > y->event);
    return order ? order : (x->offset < y->offset) - (x->offset > y->offset);
}

static void add_row(struct sf_response *r, const struct entry *e)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char value[48], when[SF_CLOCK_MAX];

    sf_clock_local(when, e->time);
    sf_text_sanitize(&text, e->text, strlen(e->text) < TEXT_MAX ? strlen(e->text) : TEXT_MAX,
                     SF_TEXT_ONE_LINE);
    if (e->event)
        snprintf(value, sizeof(value), "event %" PRId64, e->event);
    else
        snprintf(value, sizeof(value), "line %zu", e->offset);
    sf_response_row(r, value);
    sf_response_cell(r, "%.8s", *when ? when + strlen("2026-11-17 ") : e->time);
    sf_response_cell(r, "%s", e->level == SF_LOG_INFO ? "" : sf_log_level_name(e->level));
    sf_response_cell(r, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void list(struct sf_port *p)
{
    static const char *const columns[] = { "time", "", "what", NULL };
    struct entries all = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;

    if (!read_events(p, &all, &err))
        sf_port_fail(p, &err);
    read_file(p, &all);
    if (all.count)
        qsort(all.items, all.count, sizeof(*all.items), newest_first);
    sf_response_init(&r, SF_RESPONSE_TABLE, "");
    r.columns = columns;
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].level <= p->log_level)
            add_row(&r, &all.items[i]);
    snprintf(r.title, sizeof(r.title), "Log, %s%s%s", sf_log_level_name(p->log_level),
             p->log_level == SF_LOG_ERROR ? "" : " and worse",
             all.cut ? ", the newest of more" : "");
    sf_port_respond(p, &r);
    release(&all);
}

/* ---- one entry ---- */

struct log_head {
    const char *time, *what;
    enum sf_log_level level;
};

/* Shows the data as a code block, so that nothing in it is taken for Markdown. */
static void show(struct sf_port *p, const struct log_head *head, const char *data)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s  %s  %s\n", head->time, sf_log_level_name(head->level), head->what);
    for (const char *line = data; line && *line;) {
        size_t len = strcspn(line, "\n");

        sf_strbuf_addf(&text, "\n    %.*s", (int)len, line);
        line += len + (line[len] == '\n');
    }
    sf_port_page(p, "Log", &text);
}

struct search {
    struct sf_port *port;
    bool found;
};

static bool show_found(const struct sf_event_row *event, void *ctx)
{
    const struct log_head head = { event->time, event->kind, level_of(event) };
    struct search *search = ctx;
    struct sf_strbuf data = SF_STRBUF_INIT;

    search->found = true;
    sf_event_text_data(&data, event->json,
                       event->len < DATA_MAX ? event->len : sf_utf8_cut(event->json, DATA_MAX));
    show(search->port, &head, data.buf);
    sf_strbuf_release(&data);
    return true;
}

static void show_event(struct sf_port *p, const char *number)
{
    int64_t seq = 0;
    bool is_number = sf_args_number(number, &seq);
    const struct sf_event_range one = { sf_session_id(p->session), seq, seq };
    struct search search = { .port = p };
    struct sf_error err = SF_ERROR_INIT;

    if (is_number &&
        !sf_store_each_in_range(p->setup.session.store, &one, show_found, &search, &err))
        sf_port_fail(p, &err);
    else if (!search.found)
        sf_port_usage(p, "the session has no event %.20s", number);
}

/* The file may have been rotated since its lines were listed, so the offset is checked. */
static void show_line(struct sf_port *p, const char *offset)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t at = (size_t)strtoull(offset, NULL, 10);
    struct entries one = { 0 };
    struct entry e;

    read_text(p, &text);
    if (at < text.len && (!at || text.buf[at - 1] == '\n') &&
        read_line(text.buf + at, strcspn(text.buf + at, "\n"), &e)) {
        add_entry(&one, e);
        show(p, &(struct log_head){ e.time, e.what, e.level }, e.text);
    } else {
        sf_port_note(p, true, "the log has no such line any more");
    }
    release(&one);
    sf_strbuf_release(&text);
}

/* ---- the command ---- */

enum sf_log_level sf_port_log_level(const struct sf_port *p)
{
    return p->log_level;
}

/* "[LEVEL]", or the value of a row: "event N" or "line N". */
void sf_command_logs(struct sf_port *p, const char *args)
{
    enum sf_log_level level;

    if (sf_args_take(&args, "event")) {
        show_event(p, args);
    } else if (sf_args_take(&args, "line")) {
        show_line(p, args);
    } else if (*args && !sf_log_level_parse(args, &level)) {
        sf_port_usage(p, "levels are error, warn, info and debug");
    } else {
        p->log_level = *args ? level : p->log_level;
        list(p);
    }
}
