/*
 * Whatever is typed after a slash: a command asks only for values that exist, an error says why
 * without repeating an escape, and the machine that takes the request keeps its promises. Other
 * bytes of the input drive the machine, so that requests meet in its queue.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"
#include "modes/modes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const infra[] = { "infra/", NULL };
static const struct sf_scope extra[] = { { "deploy", infra, "" } };
static const struct sf_scope_set scopes = { extra, 1, true };
static const char time_text[] = "2026-11-16T05:09:53.123Z";

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_error(const struct sf_error *err)
{
    require(err->code != SF_E_NONE && err->msg[0]);
    require(sf_utf8_valid(err->msg, strlen(err->msg), NULL));
    for (const char *p = err->msg; *p; p++)
        require((unsigned char)*p >= ' ' && *p != 0x7f);
    for (const char *p = err->hint; *p; p++)
        require((unsigned char)*p >= ' ' && *p != 0x7f);
}

static void check_command(const struct sf_mode_command *c, const char *text, size_t len)
{
    require(!(c->change.fields & ~(unsigned)SF_FIELDS_ALL));
    require((c->kind == SF_COMMAND_SHOW || c->kind == SF_COMMAND_WORDS) == !c->change.fields);
    for (int a = 0; a < SF_AXIS_SETTABLE; a++)
        require(sf_axis_has((enum sf_axis)a, sf_mode_state_get(&c->change.want, (enum sf_axis)a)));
    if ((c->change.fields & SF_FIELD_BIT(SF_FIELD_SCOPE)) && !c->change.default_scope)
        require(sf_scope_find(&scopes, c->change.want.scope));
    require(c->when <= SF_WHEN_DEFAULT);
    if (c->kind == SF_COMMAND_WORDS)
        require(c->words_len > 0 && c->words >= text && c->words + c->words_len <= text + len);
}

static void check_badge(const struct sf_mode_machine *m, size_t columns)
{
    struct sf_mode_state pending = sf_mode_machine_preview(m);
    const struct sf_badge_facts facts = { .state = sf_mode_machine_state(m),
                                          .pending = &pending,
                                          .scopes = &scopes };
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_badge badge;

    sf_badge_fit(&badge, &facts, columns);
    sf_badge_text(&badge, &sb);
    require(sb.len > 0 && badge.width == sf_text_width(sb.buf, sb.len));
    sf_strbuf_release(&sb);
}

static void write_row(const struct sf_transition *t)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer w;
    struct sf_json *json;

    sf_jw_init(&w, &sb);
    sf_transition_json(t, &w);
    json = sf_json_parse(sb.buf, sb.len, NULL, &err);
    require(json && sf_jw_done(&w));
    sf_json_free(json);
    sf_strbuf_release(&sb);
}

static void drain(struct sf_mode_machine *m)
{
    const struct sf_transition *t;
    struct sf_error err = SF_ERROR_INIT;

    while ((t = sf_mode_machine_due(m, time_text))) {
        int64_t version = sf_mode_machine_state(m)->version;
        bool applied = t->outcome == SF_OUTCOME_APPLIED;

        write_row(t);
        require(sf_mode_machine_apply(m, t->id, &err));
        require(sf_mode_machine_state(m)->version == version + applied);
    }
}

static void submit(struct sf_mode_machine *m, const struct sf_mode_command *c, unsigned actor,
                   const char *text)
{
    const struct sf_mode_request r = { .change = c->change,
                                       .when = c->when,
                                       .actor = (enum sf_actor)(actor % 5),
                                       .confirmed = actor & 64,
                                       .reason = text,
                                       .session = "s1",
                                       .time = time_text };
    struct sf_machine_receipt receipt;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_mode_machine_submit(m, &r, &receipt, &err))
        check_error(&err);
}

/* One line: a byte for the machine, a byte for the actor, then the command. */
static void one_line(struct sf_mode_machine *m, const char *line, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_command c;
    char *text;

    if (len < 2)
        return;
    sf_mode_machine_notify(m, (enum sf_machine_event)((unsigned char)line[0] % 10));
    if (line[0] & 16)
        drain(m);
    text = sf_strndup(line + 2, len - 2);
    if (!sf_mode_command_parse(text, len - 2, &scopes, &c, &err)) {
        check_error(&err);
    } else {
        check_command(&c, text, len - 2);
        if (c.change.fields)
            submit(m, &c, (unsigned char)line[1], text);
    }
    check_badge(m, (unsigned char)line[1]);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_machine_setup setup = { .scopes = &scopes };
    const char *text = (const char *)data, *end = text + size;
    struct sf_mode_machine *m;

    sf_mode_state_init(&setup.state, SF_SURFACE_TUI);
    m = sf_mode_machine_new(&setup);
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t len = stop ? (size_t)(stop - text) : (size_t)(end - text);

        one_line(m, text, len);
        text += len + 1;
    }
    drain(m);
    sf_mode_machine_free(m);
    return 0;
}
