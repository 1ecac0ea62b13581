/*
 * badge.c: writes four labels, long or short, with the separators of the form between them.
 */
#include "modes/badge.h"

#include <assert.h>
#include <string.h>

#include "modes/work_mode.h"

enum { PROJECT_BYTES = 16 * SF_BADGE_PROJECT }; /* bytes of a name that are read */

#define ARROW "\xe2\x86\x92"

static const struct frame {
    const char *logo, *open, *between, *close;
    bool letters;
} frames[] = {
    [SF_BADGE_FULL] = { "SF ", "", " | ", "", false },
    [SF_BADGE_LABELS] = { "", "", " | ", "", false },
    [SF_BADGE_TIGHT] = { "", "", "|", "", false },
    [SF_BADGE_COMPACT] = { "", "[", "][", "]", true },
    [SF_BADGE_TINY] = { "", "", " ", "", true },
};

/* Long enough for the longest label: "research:" and a scope's name. */
struct label {
    char text[SF_SCOPE_NAME_MAX + 16];
};

static bool critical(const struct sf_mode_state *state)
{
    return state->work == SF_WORK_REVIEW || state->work == SF_WORK_REPAIR;
}

static bool plain_scope(const struct sf_mode_state *state, const struct sf_scope_set *scopes)
{
    return !strcmp(state->scope, sf_work_default_scope(scopes, state->work));
}

/* The name of the value or its letter; review and repair, which must be noticed, keep the name. */
static struct label value_label(const struct sf_mode_state *state, enum sf_axis axis, bool letters)
{
    int value = sf_mode_state_get(state, axis);
    struct label label;

    if (letters && !(axis == SF_AXIS_WORK && critical(state)))
        snprintf(label.text, sizeof(label.text), "%c", sf_axis_letter(axis, value));
    else
        snprintf(label.text, sizeof(label.text), "%s", sf_axis_name(axis, value));
    return label;
}

/* How a label is written: by letters or names, with how much of the scope's name. */
struct writing {
    bool letters;
    int scope_max;
};

static struct label axis_label(const struct sf_badge_facts *facts,
                               const struct sf_mode_state *state, enum sf_axis axis,
                               struct writing writing)
{
    struct label label = value_label(state, axis, writing.letters);
    size_t len = strlen(label.text);

    if (axis == SF_AXIS_CONTROL && state->paused)
        snprintf(label.text, sizeof(label.text), "%s", facts->runs ? "pausing" : "paused");
    else if (axis == SF_AXIS_WORK && !plain_scope(state, facts->scopes))
        snprintf(label.text + len, sizeof(label.text) - len, ":%.*s", writing.scope_max,
                 state->scope);
    return label;
}

static struct sf_badge_segment *add(struct sf_badge *badge, const char *text, enum sf_style role,
                                    bool dim)
{
    struct sf_badge_segment *segment = &badge->segments[badge->count++];

    assert(badge->count <= SF_BADGE_SEGMENTS);
    *segment = (struct sf_badge_segment){ .role = role, .dim = dim };
    snprintf(segment->text, sizeof(segment->text), "%s", text);
    badge->width += strlen(text);
    return segment;
}

static void add_frame(struct sf_badge *badge, const char *text)
{
    if (*text)
        add(badge, text, SF_STYLE_DIM, true);
}

static void add_axis(struct sf_badge *badge, const struct sf_badge_facts *facts, enum sf_axis axis)
{
    const struct writing writing = { frames[badge->form].letters,
                                     badge->form == SF_BADGE_TINY ? 1 : SF_SCOPE_NAME_MAX };
    const struct sf_mode_state *state = facts->state;
    struct label now = axis_label(facts, state, axis, writing), next = now;
    enum sf_style role = sf_axis_role(axis, sf_mode_state_get(state, axis));
    struct sf_badge_segment *segment = add(badge, now.text, role, state->paused);

    segment->pulse = axis == SF_AXIS_CONTROL && facts->runs && sf_mode_state_drives(state);
    if (facts->pending)
        next = axis_label(facts, facts->pending, axis, writing);
    if (!strcmp(now.text, next.text))
        return;
    snprintf(segment->text, sizeof(segment->text), "%s" ARROW "%s", now.text, next.text);
    badge->width += 1 + strlen(next.text);
}

/* What answers in the user's place is a warning, whatever it answers. */
static void add_approval(struct sf_badge *badge, const char *approval)
{
    char text[SF_BADGE_TEXT];

    if (badge->form <= SF_BADGE_LABELS)
        snprintf(text, sizeof(text), " (approval: %.40s)", approval);
    else
        snprintf(text, sizeof(text), "(%.*s)", badge->form == SF_BADGE_TINY ? 1 : 40, approval);
    add(badge, text, SF_STYLE_WARNING, false);
}

void sf_badge_make(struct sf_badge *badge, const struct sf_badge_facts *facts,
                   enum sf_badge_form form)
{
    const struct frame *frame;

    frame = &frames[form];
    *badge = (struct sf_badge){ .form = form };
    if (*frame->logo)
        add(badge, frame->logo, SF_STYLE_ACCENT, facts->state->paused);
    add_frame(badge, frame->open);
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        if (axis > 0)
            add_frame(badge, frame->between);
        add_axis(badge, facts, (enum sf_axis)axis);
    }
    add_frame(badge, frame->close);
    if (facts->approval)
        add_approval(badge, facts->approval);
}

void sf_badge_fit(struct sf_badge *badge, const struct sf_badge_facts *facts, size_t columns)
{
    bool labelled = critical(facts->state);

    for (int form = SF_BADGE_FULL; form <= SF_BADGE_TINY; form++) {
        if (!labelled && form < SF_BADGE_COMPACT && columns < SF_BADGE_WIDE)
            continue;
        sf_badge_make(badge, facts, (enum sf_badge_form)form);
        if (badge->width <= columns)
            return;
    }
    sf_badge_make(badge, facts, SF_BADGE_COMPACT);
}

void sf_badge_text(const struct sf_badge *badge, struct sf_strbuf *out)
{
    for (size_t i = 0; i < badge->count; i++)
        sf_strbuf_adds(out, badge->segments[i].text);
}

static void add_project(const char *project, struct sf_strbuf *out)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    size_t fits;

    sf_text_sanitize(&safe, project, strnlen(project, PROJECT_BYTES), SF_TEXT_ONE_LINE);
    fits = sf_text_fit(safe.buf, safe.len, SF_BADGE_PROJECT, NULL);
    if (fits > 0) {
        sf_strbuf_addch(out, ' ');
        sf_strbuf_add(out, safe.buf, fits);
    }
    sf_strbuf_release(&safe);
}

void sf_badge_title(const struct sf_badge_facts *facts, const char *project, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "SF[");
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        const struct writing writing = { axis == SF_AXIS_CONTROL, SF_SCOPE_NAME_MAX };
        struct label label = axis_label(facts, facts->state, (enum sf_axis)axis, writing);

        sf_strbuf_addf(out, "%s%s", axis ? "|" : "", label.text);
    }
    sf_strbuf_addch(out, ']');
    if (facts->approval)
        sf_strbuf_addf(out, "(%.40s)", facts->approval);
    add_project(project, out);
}
