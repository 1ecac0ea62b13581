/*
 * queue.c: words for the turns that follow. They are rows of the store from the moment they are
 * queued, so whoever resumes the session finds them; what is on the screen is a copy of those rows.
 * A row is taken before its words are said; where the program ends in between, it waits again.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

enum { QUEUE_ROWS = 3 };

/* ---- the list ---- */

static bool add_item(void *ctx, int64_t id, const char *text)
{
    struct sf_queue *q = ctx;

    q->items = sf_grow(q->items, &q->cap, q->count + 1, sizeof(*q->items));
    q->items[q->count++] = (struct sf_queued_prompt){ .id = id, .text = sf_strdup(text) };
    return q->count < SF_TUI_QUEUE;
}

void sf_queue_release(struct sf_queue *q)
{
    for (size_t i = 0; i < q->count; i++)
        free(q->items[i].text);
    free(q->items);
    *q = (struct sf_queue){ 0 };
}

void sf_queue_load(struct sf_tui *ui)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_queue_release(&ui->queue);
    if (sf_tui_watches(ui))
        return;
    if (!sf_store_each_queued(ui->setup.session.store, sf_session_id(ui->session), add_item,
                              &ui->queue, &err))
        sf_tui_fail(ui, &err);
    else if (ui->queue.count)
        sf_tui_say(ui, false, "%zu queued from before; Enter on an empty line sends the first",
                   ui->queue.count);
}

bool sf_queue_add(struct sf_tui *ui, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t id;

    if (ui->queue.count >= SF_TUI_QUEUE) {
        sf_tui_say(ui, true, "%d drafts wait already", SF_TUI_QUEUE);
        return false;
    }
    if (!sf_store_queue_add(ui->setup.session.store, sf_session_id(ui->session), text, &id, &err)) {
        sf_tui_fail(ui, &err);
        return false;
    }
    add_item(&ui->queue, id, text);
    return true;
}

bool sf_queue_hold(struct sf_tui *ui, const char *text)
{
    if (!sf_session_restoring(ui->session) || !sf_queue_add(ui, text))
        return false;
    ui->queue.held = true;
    return true;
}

/* The item leaves the list; its text is the caller's. */
static struct sf_queued_prompt remove_item(struct sf_tui *ui, size_t index)
{
    struct sf_queue *q = &ui->queue;
    struct sf_queued_prompt item = q->items[index];

    memmove(q->items + index, q->items + index + 1, (--q->count - index) * sizeof(*q->items));
    sf_tui_dirty(ui);
    return item;
}

static void end_item(struct sf_tui *ui, const struct sf_queued_prompt *item, enum sf_queue_end how)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_queue_end(ui->setup.session.store, item->id, how, &err))
        sf_tui_fail(ui, &err);
}

void sf_queue_drop(struct sf_tui *ui, size_t index)
{
    struct sf_queued_prompt item = remove_item(ui, index);

    end_item(ui, &item, SF_QUEUE_DROPPED);
    free(item.text);
}

/* Its row goes when the draft's file holds the words, and not before. */
void sf_queue_edit(struct sf_tui *ui, size_t index)
{
    struct sf_queued_prompt item = remove_item(ui, index);

    sf_draft_replace(ui, item.text, strlen(item.text));
    sf_draft_save_queued(ui, item.id);
    free(item.text);
}

static void swap(struct sf_tui *ui, size_t a, size_t b)
{
    struct sf_queued_prompt *items = ui->queue.items, kept = items[a];
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_queue_swap(ui->setup.session.store, items[a].id, items[b].id, &err)) {
        sf_tui_fail(ui, &err);
        return;
    }
    items[a] = items[b];
    items[b] = kept;
}

/* Step by step, so that every moment of it is an order. */
static void move_item(struct sf_tui *ui, size_t from, size_t to)
{
    for (; from < to; from++)
        swap(ui, from, from + 1);
    for (; from > to; from--)
        swap(ui, from, from - 1);
    sf_tui_dirty(ui);
}

/* ---- sending ---- */

/* What begins no turn is followed at once, unless it led elsewhere. */
static void go_on(struct sf_tui *ui, const char *session)
{
    if (!ui->quitting && !ui->overlay && !strcmp(session, sf_session_id(ui->session)))
        sf_queue_send_soon(ui);
}

void sf_queue_send(struct sf_tui *ui)
{
    char session[SF_ID_LEN + 1];
    struct sf_queued_prompt item;
    bool said;

    if (!ui->queue.count || sf_session_busy(ui->session))
        return;
    if (sf_session_restoring(ui->session)) {
        ui->queue.held = true;
        return;
    }
    snprintf(session, sizeof(session), "%s", sf_session_id(ui->session));
    item = remove_item(ui, 0);
    said = sf_tui_is_said(ui, item.text);
    end_item(ui, &item, said ? SF_QUEUE_TAKEN : SF_QUEUE_DROPPED);
    sf_tui_enter(ui, item.text);
    if (!said)
        go_on(ui, session);
    free(item.text);
}

static void queue_due(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->queue_timer = 0;
    ui->queue.held = sf_tui_works(ui);
    if (!ui->queue.held)
        sf_queue_send(ui);
}

void sf_queue_send_soon(struct sf_tui *ui)
{
    if (ui->queue.count && !ui->queue_timer)
        ui->queue_timer = sf_loop_add_timer(ui->loop, 0, 0, queue_due, ui);
}

void sf_queue_after_shell(struct sf_tui *ui, bool ok)
{
    if (ui->queue.held && !sf_session_busy(ui->session))
        sf_queue_after(ui, ok);
}

void sf_queue_after(struct sf_tui *ui, bool ok)
{
    ui->queue.held = false;
    if (ok)
        sf_queue_send_soon(ui);
    else if (ui->queue.count)
        sf_tui_say(ui, false, "%zu queued: kept; Enter on an empty line sends the first",
                   ui->queue.count);
}

/* ---- above the composer ---- */

int sf_queue_rows(const struct sf_tui *ui)
{
    return ui->queue.count < QUEUE_ROWS ? (int)ui->queue.count : QUEUE_ROWS;
}

void sf_queue_draw(const struct sf_tui *ui, struct sf_area area)
{
    const struct sf_look dim = sf_look(SF_LOOK_DIM);
    char number[32];

    for (int row = 0; row < area.rows; row++) {
        size_t left = ui->queue.count - (size_t)row;
        bool rest = row == area.rows - 1 && left > 1;

        snprintf(number, sizeof(number), rest ? "%zu more" : "%zu", rest ? left : (size_t)row + 1);
        sf_area_puts(area, row, 1, rest ? "…" : "⋮", dim);
        sf_area_puts(area, row, 3, number, dim);
        if (!rest)
            sf_area_put_cut(area, row, 6, area.cols - 7, ui->queue.items[row].text, dim);
    }
}

/* ---- the overlay and the command ---- */

static size_t index_of(const struct sf_tui *ui, const char *value)
{
    int64_t id = strtoll(value, NULL, 10);
    size_t i = 0;

    while (i < ui->queue.count && ui->queue.items[i].id != id)
        i++;
    return i;
}

static void fill(struct sf_tui *ui)
{
    char value[32];

    for (size_t i = 0; i < ui->queue.count; i++) {
        const char *text = ui->queue.items[i].text;

        snprintf(value, sizeof(value), "%lld", (long long)ui->queue.items[i].id);
        sf_overlay_row(ui, value, "%zu\t%.*s", i + 1, (int)strcspn(text, "\n\t"), text);
    }
}

static void chosen(struct sf_tui *ui, const char *value)
{
    size_t index = index_of(ui, value);

    if (index < ui->queue.count)
        sf_queue_edit(ui, index);
}

static bool key(struct sf_tui *ui, uint32_t code, const char *value)
{
    size_t index = index_of(ui, value);

    if (index == ui->queue.count || (code != 'd' && code != 'k' && code != 'j'))
        return false;
    if (code == 'd')
        sf_queue_drop(ui, index);
    else if (code == 'k' ? index > 0 : index + 1 < ui->queue.count)
        move_item(ui, index, code == 'k' ? index - 1 : index + 1);
    sf_overlay_renew(ui);
    return true;
}

static void show(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = {
        .title = "Queue",
        .keys = "Enter edit   d drop   k up   j down",
        .align = "rl",
        .chosen = chosen,
        .key = key,
        .renew = fill,
    };
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (ui->queue.count) {
        sf_overlay_list(ui, &kind);
        fill(ui);
    } else {
        sf_strbuf_adds(&text, "Nothing waits. While a turn runs, Tab queues what is written.");
        sf_overlay_page(ui, "Queue", &text);
    }
    sf_strbuf_release(&text);
}

/* "[list|clear|edit N|drop N|move N M]" */
void sf_do_queue(struct sf_tui *ui, const char *args)
{
    char verb[8] = "";
    unsigned n = 0, to = 0;
    int given = sscanf(args, "%7s %u %u", verb, &n, &to);

    if (given < 1 || !strcmp(verb, "list")) {
        show(ui);
    } else if (!strcmp(verb, "clear")) {
        while (ui->queue.count)
            sf_queue_drop(ui, ui->queue.count - 1);
        sf_tui_say(ui, false, "the queue is empty");
    } else if (given >= 2 && (n < 1 || n > ui->queue.count)) {
        sf_tui_say(ui, true, "there is no queued draft %u", n);
    } else if (given == 2 && !strcmp(verb, "edit")) {
        sf_queue_edit(ui, n - 1);
    } else if (given == 2 && !strcmp(verb, "drop")) {
        sf_queue_drop(ui, n - 1);
        sf_tui_say(ui, false, "dropped; %zu left", ui->queue.count);
    } else if (given == 3 && !strcmp(verb, "move") && to >= 1) {
        to = to > ui->queue.count ? (unsigned)ui->queue.count : to;
        move_item(ui, n - 1, to - 1);
        sf_tui_say(ui, false, "moved to place %u", to);
    } else {
        sf_tui_say(ui, true, "/queue, /queue edit N, drop N, move N M, clear");
    }
}
