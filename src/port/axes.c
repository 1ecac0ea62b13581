/*
 * axes.c: commands that show or change the axes. A change that needs a confirmation becomes a
 * question; a choice is a list that says what each row would change.
 */
#include <string.h>

#include "port/internal.h"

/* ---- changing ---- */

struct asked_change {
    struct sf_mode_change change;
    enum sf_when when;
    char *reason;
};

static struct sf_mode_state target_of(const struct sf_port *p, const struct sf_mode_change *change)
{
    const struct sf_mode_state from = sf_session_preview(p->session);

    return sf_change_target(change, &from, sf_port_scopes(p));
}

bool sf_port_was_declined(const struct sf_port *p, const struct sf_mode_change *change)
{
    const struct sf_mode_state to = target_of(p, change);

    return p->has_declined && !sf_change_between(&to, &p->declined);
}

static void change_answered(struct sf_port *p, void *ctx, bool yes)
{
    struct asked_change *asked = ctx;
    struct sf_confirm confirm = { .given = true };
    struct sf_error err = SF_ERROR_INIT;

    if (!yes)
        p->declined = target_of(p, &asked->change);
    p->has_declined = !yes;
    if (yes &&
        !sf_session_change(p->session, &asked->change, asked->when, asked->reason, &confirm, &err))
        sf_port_fail(p, &err);
    free(asked->reason);
    free(asked);
}

/* Names the state that the change leads to, and what that unlocks. */
static void add_promise(struct sf_port *p, const struct sf_mode_change *change,
                        struct sf_strbuf *out)
{
    const struct sf_session_setup *setup = &p->setup.session;
    const struct sf_mode_state from = sf_session_preview(p->session);
    const struct sf_mode_state to = target_of(p, change);
    const struct sf_promise promise = { .from = &from,
                                        .to = &to,
                                        .approval = sf_session_approval_mode(p->session),
                                        .allow_shell = setup->policy->allow_shell,
                                        .caged = setup->policy->caged,
                                        .workspace_trusted = setup->workspace_trusted };

    sf_strbuf_adds(out, "**");
    sf_mode_state_words(&to, out);
    sf_strbuf_addf(out, "**, scope %s, for this session.", to.scope);
    sf_promise_add(&promise, out);
}

static void ask_change(struct sf_port *p, const struct sf_mode_change *change, enum sf_when when,
                       const char *reason)
{
    const char *root = sf_port_workspace(p), *slash = strrchr(root, '/');
    struct asked_change *asked;
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (sf_port_asks(p, change_answered))
        return; /* the same question waits already */
    asked = sf_alloc(sizeof(*asked));
    *asked = (struct asked_change){ *change, when, sf_strdup(reason) };
    sf_strbuf_addf(&text, "**%s** is not a workspace you trust. Going on leads to ",
                   slash && slash[1] ? slash + 1 : root);
    add_promise(p, change, &text);
    sf_port_ask(p, text.buf, change_answered, asked);
    sf_strbuf_release(&text);
}

void sf_port_change(struct sf_port *p, const struct sf_mode_change *change, enum sf_when when,
                    const char *reason)
{
    struct sf_confirm confirm = { .given = false };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state after;

    if (sf_session_change(p->session, change, when, reason, &confirm, &err)) {
        p->has_declined = false;
        if (change->fields & SF_FIELD_BIT(SF_FIELD_PAUSED) && change->want.paused)
            sf_port_run_pause(p);
        after = sf_session_preview(p->session);
        if (sf_change_between(&after, sf_session_state(p->session)))
            sf_port_note_while(p, SF_HOLDS_PENDING, "in force when the running step ends");
    } else if (confirm.needed) {
        ask_change(p, change, when, reason);
    } else {
        sf_port_fail(p, &err);
    }
    sf_port_changed(p);
}

/* ---- choosing ---- */

/* Says whether a choice is in force already, would be refused or asked about; "": none of these. */
static const char *note_choice(const struct sf_port *p, const struct sf_mode_change *change,
                               struct sf_error *err)
{
    const struct sf_scope_set *scopes = sf_port_scopes(p);
    const struct sf_mode_state from = sf_session_preview(p->session);
    const struct sf_mode_state to = sf_change_target(change, &from, scopes);
    struct sf_authority who = { .actor = SF_ACTOR_USER,
                                .confirmed = true,
                                .workspace_trusted = p->setup.session.workspace_trusted };
    struct sf_error ignored = SF_ERROR_INIT;

    if (!(sf_change_between(&from, &to) & change->fields))
        return sf_change_between(&from, sf_session_state(p->session)) & change->fields ? "soon"
                                                                                       : "now";
    if (!sf_authority_check(&who, change, &from, &to, scopes, err))
        return "refused";
    who.confirmed = false;
    return sf_authority_check(&who, change, &from, &to, scopes, &ignored) ? "" : "asks";
}

static void add_choice(struct sf_port *p, struct sf_response *r, const char *name,
                       const struct sf_mode_change *change, const char *about)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *note = note_choice(p, change, &err);

    sf_response_row(r, name)->current = !strcmp(note, "now") || !strcmp(note, "soon");
    sf_response_cell(r, "%s", name);
    sf_response_cell(r, "%s", note);
    sf_response_cell(r, "%s", *err.msg ? err.msg : about);
}

static void add_writable(const struct sf_scope *scope, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, scope->writable[0] ? "" : "nothing");
    for (size_t i = 0; scope->writable[i]; i++)
        sf_strbuf_addf(out, "%s%s", i ? " " : "",
                       strcmp(scope->writable[i], "*") != 0 ? scope->writable[i] : "everything");
}

static void add_scopes(struct sf_port *p, struct sf_response *r)
{
    const struct sf_scope *scope;
    size_t cursor = 0;

    while ((scope = sf_scope_next(sf_port_scopes(p), &cursor))) {
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;
        struct sf_strbuf about = SF_STRBUF_INIT;

        add_writable(scope, &about);
        sf_change_scope(&change, scope->name);
        add_choice(p, r, scope->name, &change, about.buf);
        sf_strbuf_release(&about);
    }
}

static void add_values(struct sf_port *p, enum sf_axis axis, struct sf_response *r)
{
    for (int i = 0; i < sf_axes[axis].count; i++) {
        struct sf_mode_change change = SF_MODE_CHANGE_INIT;

        sf_change_axis(&change, axis, i);
        add_choice(p, r, sf_axes[axis].names[i], &change, sf_axes[axis].helps[i]);
    }
}

static void show_field(struct sf_port *p, enum sf_field field)
{
    struct sf_response r;

    if (field != SF_FIELD_SCOPE && (int)field >= SF_AXIS_SETTABLE) {
        sf_command_status(p, "");
        return;
    }
    sf_response_init(&r, SF_RESPONSE_CHOICE, "Scope: what may be written?");
    if (field == SF_FIELD_SCOPE) {
        add_scopes(p, &r);
    } else {
        const struct sf_axis_info *axis = &sf_axes[field];

        snprintf(r.title, sizeof(r.title), "%c%s: %c%s", axis->noun[0] - 'a' + 'A', axis->noun + 1,
                 axis->question[0] - 'A' + 'a', axis->question + 1);
        add_values(p, (enum sf_axis)field, &r);
    }
    sf_port_respond(p, &r);
}

/* ---- what a choice means ---- */

/* What a profile answers to each kind of action, from the matrix. */
static void add_answers(const struct sf_port *p, enum sf_profile profile, struct sf_strbuf *out)
{
    static const char *const verbs[] = { "lets pass", "asks before", "refuses" };
    bool trust = sf_session_preview(p->session).trust;

    for (int answer = SF_ALLOW; answer <= SF_DENY; answer++) {
        bool some = false;

        for (int row = 0; row < SF_ROW_ANY_PROFILE; row++) {
            const char *label = sf_matrix[row].label;

            if ((int)sf_matrix_answer((enum sf_row)row, profile, trust) != answer)
                continue;
            if (!some)
                sf_strbuf_addf(out, "\n\n**%s** ", verbs[answer]);
            sf_strbuf_addf(out, "%s%.*s", some ? " · " : "", (int)strcspn(label, "("), label);
            while (out->buf[out->len - 1] == ' ')
                sf_strbuf_truncate(out, out->len - 1);
            some = true;
        }
    }
}

static void add_work(const struct sf_port *p, enum sf_work_mode work, struct sf_strbuf *out)
{
    static const char *const writes[] = { "writes nothing", "asks before every write",
                                          "writes what its scope covers" };
    const struct sf_work_info *info = &sf_work_modes[work];

    sf_strbuf_addf(out, "\n\n%s; its scope is %s", writes[info->writes],
                   sf_work_default_scope(sf_port_scopes(p), work));
    if (info->extra)
        sf_strbuf_addf(out, ", and %s besides", info->extra);
}

void sf_port_explain_field(struct sf_port *p, enum sf_field field, const char *value,
                           struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_scope *scope;
    int number = 0;

    if (field == SF_FIELD_SCOPE) {
        scope = sf_scope_find(sf_port_scopes(p), value);
        if (!scope)
            return;
        sf_strbuf_addf(out, "**%s** lets sf write ", value);
        add_writable(scope, out);
        sf_strbuf_addf(out, "\n\n%s", scope->strategy);
    } else if ((int)field < SF_AXIS_SETTABLE &&
               sf_axis_parse((enum sf_axis)field, value, &number, &ignored)) {
        sf_strbuf_addf(out, "**%s** %s", value, sf_axes[field].helps[number]);
        if (field == SF_FIELD_WORK)
            add_work(p, (enum sf_work_mode)number, out);
        else if (field == SF_FIELD_PROFILE)
            add_answers(p, (enum sf_profile)number, out);
    }
}

/* ---- commands ---- */

/* The badge does not show this axis, so an unchanged value needs a note. */
static bool fence_stands_so(const struct sf_port *p, const struct sf_mode_change *change)
{
    return change->fields == SF_FIELD_BIT(SF_FIELD_TRUST) &&
           sf_session_preview(p->session).trust == change->want.trust;
}

/* What the command says to the run of a plan, once the axes are what it wants. */
static void drive(struct sf_port *p, const struct sf_mode_command *c)
{
    const struct sf_mode_state now = sf_session_preview(p->session);

    if (c->kind == SF_COMMAND_START && sf_mode_state_drives(&now))
        sf_port_run_begin(p, false);
    else if (c->kind == SF_COMMAND_NEXT && !c->words && sf_mode_state_steps(&now))
        sf_port_run_begin(p, true);
    else if (c->kind == SF_COMMAND_STOP)
        sf_port_run_stop(p);
}

void sf_port_mode_command(struct sf_port *p, const struct sf_mode_command *c, const char *line)
{
    switch (c->kind) {
    case SF_COMMAND_SHOW:
        if (c->field == SF_FIELD_TRUST)
            sf_command_trust(p, c->words);
        else
            show_field(p, c->field);
        break;
    case SF_COMMAND_WORDS:
        sf_port_send(p, c->words, c->words_len);
        break;
    case SF_COMMAND_CHANGE:
    case SF_COMMAND_START:
    case SF_COMMAND_NEXT:
    case SF_COMMAND_PAUSE:
    case SF_COMMAND_STOP:
        if (c->rewritten && c->preset)
            sf_port_note(p, false, "that is called %s now", c->preset->name);
        if (fence_stands_so(p, &c->change))
            sf_port_note(p, false, "%s",
                         c->change.want.trust
                             ? "the fence is lifted already; /trust off puts it back"
                             : "the fence around the workspace stands");
        else if (c->words)
            sf_port_run_word(p, c->words, c->words_len);
        else
            sf_port_change(p, &c->change, c->when, line);
        drive(p, c);
        break;
    }
}
