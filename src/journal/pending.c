/*
 * pending.c: copies pending changes from the store into the machine and back.
 */
#include "journal/pending.h"

#include <string.h>

struct rows {
    struct sf_transition items[SF_MACHINE_QUEUE];
    size_t count;
};

static void take_row(void *ctx, const struct sf_transition *transition)
{
    struct rows *r = ctx;

    if (r->count < SF_COUNT(r->items))
        r->items[r->count++] = *transition;
}

bool sf_pending_read(struct sf_store *store, const char *session, struct sf_mode_machine *machine,
                     bool *changed, struct sf_error *err)
{
    struct rows *rows = sf_alloc(sizeof(*rows));
    bool ok = sf_store_each_pending(store, session, take_row, rows, err), other = false;

    if (ok)
        other = sf_mode_machine_sync(machine, rows->items, rows->count);
    if (changed)
        *changed = other;
    free(rows);
    return ok;
}

bool sf_pending_save(struct sf_store *store, struct sf_mode_machine *machine, struct sf_error *err)
{
    for (size_t i = 0; i < sf_mode_machine_waiting(machine); i++) {
        const struct sf_transition *waits = sf_mode_machine_item(machine, i);

        if (!sf_mode_machine_unwritten(waits))
            continue;
        if (!sf_store_transition_save(store, waits, err))
            return false;
        sf_mode_machine_written(machine, waits->id);
    }
    return true;
}

static void add_change(struct sf_strbuf *out, const char *noun, const char *from, const char *to)
{
    if (strcmp(from, to) != 0)
        sf_strbuf_addf(out, "%s%s %s → %s", out->len ? ", " : "", noun, from, to);
}

void sf_pending_add(const struct sf_mode_machine *machine, struct sf_strbuf *out)
{
    const struct sf_mode_state *from = sf_mode_machine_state(machine);
    const struct sf_mode_state to = sf_mode_machine_preview(machine);
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
        add_change(&text, sf_axes[axis].noun,
                   sf_axis_name((enum sf_axis)axis, sf_mode_state_get(from, (enum sf_axis)axis)),
                   sf_axis_name((enum sf_axis)axis, sf_mode_state_get(&to, (enum sf_axis)axis)));
    add_change(&text, "scope", from->scope, to.scope);
    add_change(&text, "trust", from->trust ? "on" : "off", to.trust ? "on" : "off");
    add_change(&text, "pause", from->paused ? "on" : "off", to.paused ? "on" : "off");
    sf_strbuf_add(out, text.buf, text.len);
    sf_strbuf_release(&text);
}
