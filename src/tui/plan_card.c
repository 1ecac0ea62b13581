/*
 * plan_card.c: a plan that waits to be accepted. The user accepts the text on the card: its digest
 * goes along with the answer, and an edited plan replaces the text on the card before it can be
 * accepted. The profile it will be built under is in sight however long the plan is.
 */
#include <string.h>

#include "tui/internal.h"

void sf_plan_take(struct sf_tui *ui, const struct sf_event *event)
{
    struct sf_card *c = sf_card_find(&ui->cards, event->call->id);

    if (!c) {
        c = sf_card_new(&ui->cards, SF_CARD_PLAN);
        c->id = sf_strdup(event->call->id);
        c->made_under = sf_port_state(ui->port)->profile;
        c->profile = sf_handoff_profile(c->made_under);
    }
    free(c->reason);
    free(c->digest);
    c->reason = sf_strndup(event->submitted.text, event->submitted.len);
    c->digest = sf_strdup(event->submitted.digest);
    ui->cards.moved = false;
    sf_paint_soon(&ui->painter);
}

/* "y then   build | assisted | normal | smart": the badge after the key. */
static void lay_after(struct sf_page *page, const char *key, enum sf_run_control control,
                      const struct sf_card *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "build | %s | %s | smart", sf_axis_name(SF_AXIS_CONTROL, (int)control),
                   sf_axis_name(SF_AXIS_PROFILE, (int)c->profile));
    sf_page_begin(page, key, NULL, sf_look(SF_LOOK_KEY), false);
    sf_page_adds(page, " then   ", sf_look(SF_LOOK_DIM));
    sf_page_adds(page, text.buf, sf_look(SF_LOOK_DIM));
    sf_page_end(page);
    sf_strbuf_release(&text);
}

/* Where the profile the plan was made under builds nothing, which one does is asked. */
static void lay_choice(struct sf_page *page, const struct sf_card *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text,
                   "which profile builds it? %s, or p for another; under %s nothing is built",
                   sf_axis_name(SF_AXIS_PROFILE, (int)c->profile),
                   sf_axis_name(SF_AXIS_PROFILE, (int)c->made_under));
    sf_page_begin(page, "p", NULL, sf_look(SF_LOOK_KEY), false);
    sf_page_adds(page, "        ", sf_look(SF_LOOK_DIM));
    sf_page_adds(page, text.buf, sf_look(SF_LOOK_TEXT));
    sf_page_end(page);
    sf_strbuf_release(&text);
}

/* Where there is little room the profile is named alone. */
static void lay_profile(struct sf_page *page, const struct sf_card *c)
{
    const char *lead = page->width < SF_CARD_COLS ? "under " : "profile  ";

    sf_page_begin(page, lead, NULL, sf_look(SF_LOOK_DIM), false);
    sf_page_adds(page, sf_axis_name(SF_AXIS_PROFILE, (int)c->profile), sf_look(SF_LOOK_TEXT));
    sf_page_end(page);
}

/* What follows an acceptance, from the form that says most to the one that needs least room. */
enum form { FORM_ALL, FORM_MODES, FORM_PROFILE };

static void lay_outcome(struct sf_page *page, const struct sf_card *c, enum form form)
{
    if (form == FORM_PROFILE) {
        lay_profile(page, c);
        return;
    }
    if (!c->tight)
        sf_page_line(page, "", 0, sf_look(SF_LOOK_TEXT));
    if (form == FORM_ALL && c->made_under != sf_handoff_profile(c->made_under))
        lay_choice(page, c);
    lay_after(page, "y", SF_RUN_ASSISTED, c);
    lay_after(page, "a", SF_RUN_AUTONOMOUS, c);
}

void sf_plan_lay(const struct sf_card *c, struct sf_card_text *text, int rows)
{
    int form = FORM_ALL;

    sf_markdown_lay(&text->about, c->reason, strlen(c->reason), "", NULL, sf_look(SF_LOOK_TEXT));
    do {
        sf_page_reset(&text->pinned, text->width);
        lay_outcome(&text->pinned, c, (enum form)form);
    } while (c->tight && (int)text->pinned.count + SF_CARD_LEFT_ROWS > rows &&
             ++form <= FORM_PROFILE);
}

/* ---- answering ---- */

struct asked_plan {
    char *id, *digest;
    enum sf_plan_reply reply;
    enum sf_profile profile;
};

static void free_asked(struct asked_plan *asked)
{
    free(asked->id);
    free(asked->digest);
    free(asked);
}

static bool tell_answer(struct sf_tui *ui, const struct asked_plan *asked, const char *words,
                        struct sf_confirm *confirm)
{
    const struct sf_plan_answer answer = { .reply = asked->reply,
                                           .digest = asked->digest,
                                           .profile = asked->profile,
                                           .words = words,
                                           .who = "user" };
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_port_answer_plan(ui->port, asked->id, &answer, confirm, &err);

    if (!ok && !confirm->needed)
        sf_tui_fail(ui, &err);
    return ok;
}

static void confirmed(struct sf_tui *ui, void *ctx, bool yes)
{
    struct sf_confirm confirm = { .given = true };

    if (yes)
        tell_answer(ui, ctx, NULL, &confirm);
    free_asked(ctx);
}

/* The card goes away with the call's result; an answer that is refused leaves it in place. */
static void answer(struct sf_tui *ui, enum sf_plan_reply reply, const char *words)
{
    const struct sf_card *c = sf_card_first(&ui->cards);
    struct asked_plan *asked = sf_alloc(sizeof(*asked));
    struct sf_confirm confirm = { .given = false };
    struct sf_strbuf text = SF_STRBUF_INIT;

    *asked = (struct asked_plan){ .id = sf_strdup(c->id),
                                  .digest = sf_strdup(c->digest),
                                  .reply = reply,
                                  .profile = c->profile };
    if (!tell_answer(ui, asked, words, &confirm) && confirm.needed) {
        sf_strbuf_addf(&text,
                       "Build this plan under the profile **%s**? **%s** is not a workspace "
                       "you trust.",
                       sf_axis_name(SF_AXIS_PROFILE, (int)asked->profile),
                       sf_port_project(ui->port));
        sf_card_ask(&ui->cards, text.buf, confirmed, asked);
        sf_card_raise(&ui->cards);
        asked = NULL;
    }
    if (asked)
        free_asked(asked);
    sf_strbuf_release(&text);
}

void sf_plan_reject(struct sf_tui *ui, const char *words)
{
    answer(ui, SF_PLAN_REJECT, words);
}

/* ---- editing ---- */

static void edited(struct sf_tui *ui, const char *text, size_t len)
{
    const struct sf_card *c = sf_card_first(&ui->cards);
    struct sf_error err = SF_ERROR_INIT;
    char *id;

    if (!c || c->kind != SF_CARD_PLAN) {
        sf_status_say(&ui->status, true, "the plan does not wait any more");
        return;
    }
    if (!text || (strlen(c->reason) == len && !memcmp(c->reason, text, len)))
        return;
    id = sf_strdup(c->id);
    if (!sf_port_edit_plan(ui->port, id, text, len, &err))
        sf_tui_fail(ui, &err);
    free(id);
}

void sf_plan_key(struct sf_tui *ui, char key)
{
    struct sf_card *c = sf_card_first(&ui->cards);

    switch (key) {
    case 'y':
        answer(ui, SF_PLAN_ACCEPT, NULL);
        break;
    case 'a':
        answer(ui, SF_PLAN_AUTONOMOUS, NULL);
        break;
    case 'n':
        answer(ui, SF_PLAN_REJECT, NULL);
        break;
    case 'd':
        sf_card_write(&ui->cards, SF_WORDS_WHY, "");
        break;
    case 'e':
        sf_editor_open(ui, "plan.md", c->reason, strlen(c->reason), edited);
        break;
    case 'p':
        c->profile = (enum sf_profile)sf_axis_next(SF_AXIS_PROFILE, (int)c->profile);
        break;
    default:
        break;
    }
}
