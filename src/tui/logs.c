/*
 * logs.c: what happened, newest first: the session's events and the lines of sf's own log file.
 * Each has a level; Tab shows more or less of them, letters narrow the list, Enter shows a row
 * whole. Nothing here is believed: lines of a file are cut and made safe as they are drawn.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

enum {
    EVENTS_MAX = 500,
    LINES_MAX = 500,
    FILE_MAX_BYTES = 8 * 1024 * 1024,
    DATA_MAX = 256 * 1024, /* bytes of an event that are shown whole */
    TEXT_MAX = 160,
};

static enum sf_log_level shown = SF_LOG_INFO;

struct entry {
    char *time, *what, *text; /* RFC 3339, UTC */
    int64_t event;            /* its number; 0: a line of the file */
    enum sf_log_level level;
};

struct entries {
    struct entry *items;
    size_t count, cap;
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

static bool read_events(struct sf_tui *ui, struct entries *all, struct sf_error *err)
{
    struct sf_event_range newest = { .session = sf_port_session(ui->port) };

    if (!sf_store_event_last(sf_port_raw_setup(ui->port)->store, newest.session, &newest.last, err))
        return false;
    newest.first = newest.last > EVENTS_MAX ? newest.last - EVENTS_MAX + 1 : 1;
    return sf_store_each_in_range(sf_port_raw_setup(ui->port)->store, &newest, add_event, all, err);
}

/* ---- the file ---- */

/* "TIME PID LEVEL TEXT"; what is not of that shape is no line of sf's. */
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

static void read_file(struct sf_tui *ui, struct entries *all)
{
    char *path = sf_path_join(sf_port_state_dir(ui->port), "logs/sf.log");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    size_t end, count = 0;

    if (sf_file_read(path, FILE_MAX_BYTES, &text, &ignored)) /* none yet: nothing was logged */
        for (end = text.len; end > 0 && count < LINES_MAX;) {
            const char *newline = memrchr(text.buf, '\n', end - 1);
            size_t start = newline ? (size_t)(newline - text.buf) + 1 : 0;
            size_t len = end - start - (text.buf[end - 1] == '\n');
            struct entry e;

            if (read_line(text.buf + start, len, &e)) {
                add_entry(all, e);
                count++;
            }
            end = start;
        }
    sf_strbuf_release(&text);
    free(path);
}

/* ---- the list ---- */

static int newest_first(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(y->time, x->time);

    return order ? order : (x->event < y->event) - (x->event > y->event);
}

static void add_row(struct sf_tui *ui, const struct entry *e)
{
    struct sf_strbuf text = SF_STRBUF_INIT, value = SF_STRBUF_INIT;
    char when[SF_CLOCK_MAX];

    sf_clock_local(when, e->time);
    sf_text_sanitize(&text, e->text, strlen(e->text) < TEXT_MAX ? strlen(e->text) : TEXT_MAX,
                     SF_TEXT_ONE_LINE);
    for (size_t i = 0; i < text.len; i++)
        if (text.buf[i] == '\t')
            text.buf[i] = ' ';
    sf_strbuf_addf(&value, "%lld %s  %s  %s\n\n%s", (long long)e->event, e->time,
                   sf_log_level_name(e->level), e->what, e->event ? "" : e->text);
    sf_overlay_row(ui, value.buf, "%.8s\t%s\t%s", *when ? when + strlen("2026-11-17 ") : e->time,
                   e->level == SF_LOG_INFO ? "" : sf_log_level_name(e->level), text.buf);
    sf_strbuf_release(&text);
    sf_strbuf_release(&value);
}

static bool add_data(const struct sf_event_row *event, void *ctx)
{
    size_t len = event->len < DATA_MAX ? event->len : sf_utf8_cut(event->json, DATA_MAX);

    sf_event_text_data(ctx, event->json, len);
    return true;
}

static void read_data(struct sf_tui *ui, int64_t event, struct sf_strbuf *out)
{
    const struct sf_event_range one = { sf_port_session(ui->port), event, event };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_each_in_range(sf_port_raw_setup(ui->port)->store, &one, add_data, out, &err))
        sf_tui_fail(ui, &err);
}

/* As code, so that nothing in it is taken for Markdown. */
static void whole(struct sf_tui *ui, const char *value)
{
    struct sf_strbuf text = SF_STRBUF_INIT, data = SF_STRBUF_INIT;
    int64_t event = strtoll(value, NULL, 10);
    const char *head = strchr(value, ' ') + 1, *end = strchr(head, '\n');

    if (event)
        read_data(ui, event, &data);
    else
        sf_strbuf_adds(&data, end + 2);
    sf_strbuf_addf(&text, "%.*s\n", (int)(end - head), head);
    for (const char *line = data.buf; line && *line;) {
        size_t len = strcspn(line, "\n");

        sf_strbuf_addf(&text, "\n    %.*s", (int)len, line);
        line += len + (line[len] == '\n');
    }
    sf_overlay_page(ui, "Log", &text);
    sf_strbuf_release(&text);
    sf_strbuf_release(&data);
}

static void open_list(struct sf_tui *ui);

static void next_level(struct sf_tui *ui)
{
    shown = shown == SF_LOG_DEBUG ? SF_LOG_ERROR : (enum sf_log_level)(shown + 1);
    open_list(ui);
}

static void open_list(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = {
        .title = "Log",
        .keys = "Enter whole   Tab level   `sf log` queries everything",
        .filter = true,
        .columns = "time\t\twhat",
        .chosen = whole,
        .tab = next_level,
    };
    struct entries all = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    char title[64];

    if (!read_events(ui, &all, &err))
        sf_tui_fail(ui, &err);
    read_file(ui, &all);
    if (all.count)
        qsort(all.items, all.count, sizeof(*all.items), newest_first);
    sf_overlay_list(ui, &kind);
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].level <= shown)
            add_row(ui, &all.items[i]);
    snprintf(title, sizeof(title), "Log, %s%s", sf_log_level_name(shown),
             shown == SF_LOG_ERROR ? "" : " and worse");
    sf_overlay_title(ui, title);
    release(&all);
}

void sf_do_logs(struct sf_tui *ui, const char *args)
{
    enum sf_log_level level;

    if (*args && !sf_log_level_parse(args, &level)) {
        sf_tui_say(ui, true, "levels are error, warn, info and debug");
        return;
    }
    if (*args)
        shown = level;
    open_list(ui);
}
