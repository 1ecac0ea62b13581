/*
 * overlay_edit.c: the line below a list in which a value is written. The list stays as it is; an
 * error in the value is shown below the line, which stays open until the value is right or the user
 * leaves it.
 */
#include <string.h>

#include "tui/internal.h"

void sf_overlay_edit(struct sf_overlay_line *line, const char *label, const char *value,
                     const char *text, const char *const *values)
{
    sf_overlay_edit_close(line);
    line->text = sf_composer_new();
    sf_composer_set(line->text, text, strlen(text));
    line->label = sf_strdup(label);
    line->value = sf_strdup(value);
    line->values = values;
}

void sf_overlay_edit_secret(struct sf_overlay_line *line, const char *label, const char *value)
{
    sf_overlay_edit_close(line);
    line->secret = sf_secret_new();
    line->label = sf_strdup(label);
    line->value = sf_strdup(value);
}

bool sf_overlay_line_is_open(const struct sf_overlay_line *line)
{
    return line->text || line->secret;
}

bool sf_overlay_is_secret(const struct sf_overlay *o)
{
    return o && o->line.secret;
}

void sf_overlay_edit_note(struct sf_overlay_line *line, bool bad, const char *format, ...)
{
    va_list args;

    sf_strbuf_reset(&line->note);
    va_start(args, format);
    sf_strbuf_vaddf(&line->note, format, args);
    va_end(args);
    line->bad = bad;
}

void sf_overlay_edit_close(struct sf_overlay_line *line)
{
    sf_composer_free(line->text);
    sf_secret_free(line->secret);
    free(line->label);
    free(line->value);
    sf_strbuf_release(&line->note);
    *line = (struct sf_overlay_line){ .note = SF_STRBUF_INIT };
}

/* ---- drawing ---- */

enum { LINE_ROWS = 3 };

void sf_overlay_edit_draw(const struct sf_overlay_line *line, struct sf_area *area)
{
    struct sf_strbuf prompt = SF_STRBUF_INIT;
    struct sf_area part;

    if (!sf_overlay_line_is_open(line))
        return;
    part = sf_area_take_bottom(area, LINE_ROWS < area->rows ? LINE_ROWS : area->rows);
    if (part.rows >= LINE_ROWS)
        sf_area_rule(sf_area_take_top(&part, 1), 0, sf_look(SF_LOOK_RULE));
    sf_strbuf_addf(&prompt, " %s = ", line->label);
    if (line->secret)
        sf_secret_draw(line->secret, sf_area_take_top(&part, 1), prompt.buf);
    else
        sf_composer_draw(line->text, sf_area_take_top(&part, 1), prompt.buf,
                         sf_look(SF_LOOK_ACCENT), "");
    sf_area_put_marked(part, 0, 1, part.cols - 2, line->note.buf,
                       sf_look(line->bad ? SF_LOOK_ERROR : SF_LOOK_DIM));
    sf_strbuf_release(&prompt);
}

/* ---- keys ---- */

/* Steps from the written value to the next or previous one; from another text to the first. */
static void step(struct sf_overlay_line *line, int by)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t count = 0, at, next;

    while (line->values[count])
        count++;
    if (!count)
        return;
    sf_composer_text(line->text, &text);
    for (at = 0; at < count && strcmp(line->values[at], text.buf) != 0;)
        at++;
    next = at == count ? 0 : (at + (by < 0 ? count - 1 : 1)) % count;
    sf_composer_set(line->text, line->values[next], strlen(line->values[next]));
    sf_strbuf_release(&text);
}

static void write_down(struct sf_tui *ui)
{
    struct sf_overlay *o = ui->overlay;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *value = sf_strdup(o->line.value);

    if (o->line.secret) {
        o->kind->edited(ui, value, sf_secret_text(o->line.secret));
    } else {
        sf_composer_text(o->line.text, &text);
        o->kind->edited(ui, value, text.buf);
    }
    free(value);
    sf_strbuf_release(&text);
}

void sf_overlay_edit_event(struct sf_tui *ui, const struct sf_term_event *event,
                           enum sf_action_id action)
{
    struct sf_overlay_line *line = &ui->overlay->line;
    bool back = action == SF_ACTION_UP || action == SF_ACTION_LINE_UP;
    bool on = action == SF_ACTION_DOWN || action == SF_ACTION_LINE_DOWN || action == SF_ACTION_TAB;

    if (line->secret && (event->kind == SF_TERM_TEXT || event->kind == SF_TERM_PASTE)) {
        if (!sf_secret_type(line->secret, event->text, event->len) || event->cut)
            sf_overlay_edit_note(&ui->overlay->line, true, "that is too long for a key");
    } else if (event->kind == SF_TERM_TEXT)
        sf_composer_type(line->text, event->text, event->len);
    else if (event->kind == SF_TERM_PASTE)
        sf_composer_paste(line->text, event->text, event->len);
    else if (action == SF_ACTION_SEND)
        write_down(ui);
    else if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT)
        sf_overlay_edit_close(&ui->overlay->line);
    else if (line->values && (back || on))
        step(line, back ? -1 : 1);
    else if (line->secret)
        sf_secret_act(line->secret, action);
    else if (action != SF_ACTION_NEWLINE)
        sf_field_act(line->text, action);
}
