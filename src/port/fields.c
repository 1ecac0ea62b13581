/*
 * fields.c: values that a command asks for, and texts it gave out for editing. At most one of each
 * waits: a new one replaces the one before.
 */
#include <string.h>

#include "port/internal.h"

void sf_fields_drop(struct sf_port *p)
{
    free(p->field.value);
    free(p->edit.before);
    p->field = (struct sf_asked_value){ 0 };
    p->edit = (struct sf_text_edit){ 0 };
}

/* ---- a value ---- */

void sf_port_ask_field(struct sf_port *p, struct sf_response *field, sf_value_fn *filled,
                       const char *value)
{
    free(p->field.value);
    p->field = (struct sf_asked_value){ filled, sf_strdup(value), p->command };
    sf_port_respond(p, field);
}

/* A refused value can be given again; an accepted one may lead to another question. */
bool sf_port_fill(struct sf_port *p, const char *text, struct sf_error *err)
{
    const char *before = p->command;
    struct sf_asked_value field = p->field;
    bool ok;

    if (!field.filled)
        return sf_fail(err, SF_E_ARG, "no value is asked for any more");
    p->field = (struct sf_asked_value){ 0 };
    p->command = field.command;
    ok = field.filled(p, field.value, text, err);
    p->command = before;
    if (!ok && !p->field.filled)
        p->field = field;
    else
        free(field.value);
    sf_port_changed(p);
    return ok;
}

/* ---- a text ---- */

void sf_port_give_text(struct sf_port *p, struct sf_response *page, sf_text_edit_fn *edited,
                       int which)
{
    free(p->edit.before);
    p->edit = (struct sf_text_edit){ edited, which, p->command,
                                     sf_strndup(page->text.buf, page->text.len) };
    page->editable = true;
    sf_port_respond(p, page);
}

bool sf_port_edited(struct sf_port *p, const char *text, size_t len)
{
    const char *before = p->command;
    bool ok = false;

    p->command = p->edit.edited ? p->edit.command : before;
    if (p->edit.edited)
        ok = p->edit.edited(p, &p->edit, text, len);
    else
        sf_port_note(p, true, "there is no text that this one could replace");
    p->command = before;
    sf_port_changed(p);
    return ok;
}
