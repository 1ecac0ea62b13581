/*
 * tour.c: a guided first session. Each row of a table is a step: what to do, and how sf sees that
 * it was done; a panel above the composer shows the current one. Nothing is staged: the keys,
 * cards, verdicts and snapshots are the real ones, and a step is over when its condition holds.
 */
#include <string.h>
#include <unistd.h>

#include "tui/internal.h"

enum { PANEL_MAX = 7 };

struct step {
    const char *title, *text;
    bool (*done)(const struct sf_tui *ui);
};

static bool has_file(const struct sf_tui *ui, const char *name)
{
    char *path = sf_path_join(sf_port_workspace(ui->port), name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static bool builds(const struct sf_tui *ui)
{
    return sf_port_state(ui->port)->work == SF_WORK_BUILD;
}

static bool plans(const struct sf_tui *ui)
{
    return sf_port_state(ui->port)->work == SF_WORK_PLAN;
}

static bool has_looked(const struct sf_tui *ui)
{
    return ui->tour.results > 0 && !sf_port_busy(ui->port);
}

static bool has_edited(const struct sf_tui *ui)
{
    return ui->tour.edits > 0 && !sf_port_busy(ui->port);
}

static bool was_refused(const struct sf_tui *ui)
{
    return ui->tour.refusals > 0 && !sf_port_busy(ui->port);
}

static bool has_noted(const struct sf_tui *ui)
{
    return builds(ui) && has_file(ui, SF_TOUR_NOTE) && !sf_port_busy(ui->port);
}

static bool is_undone(const struct sf_tui *ui)
{
    return !has_file(ui, SF_TOUR_NOTE) && !sf_port_works(ui->port); /* Ctrl+D waits for it, too. */
}

static bool has_come_back(const struct sf_tui *ui)
{
    return ui->tour.resumed;
}

static const struct step steps[] = {
    { "The badge",
      "The badge in the first line says how sf works: what for, who drives, what it may do, how "
      "strong a model. It is always there, and true. Press `Ctrl+X`, then `m`, until it begins "
      "with **build**.",
      builds },
    { "Ask",
      "No model is connected: the offline operator answers, a small program that understands "
      "plain requests. Reading needs no permission. Type `find TODO in src` and press Enter.",
      has_looked },
    { "An edit, approved",
      "Type `replace world with you in src/hello.c`. sf shows the change before it happens and "
      "waits: `y` allows it once, `n` does not.",
      has_edited },
    { "Another mode",
      "In some modes sf cannot write at all, whoever asks. Type `/mode plan`: in plan, files stay "
      "as they are.",
      plans },
    { "A refusal", "Type `create " SF_TOUR_NOTE " with remember the milk` and see what happens.",
      was_refused },
    { "Acting on it",
      "A refusal says which rule spoke and what would change it. Go back with `/mode build`, press "
      "`↑` until your request is there again, Enter, and allow it with `y`.",
      has_noted },
    { "The way back",
      "Every turn that changes files can be undone. Type `/undo`, look at what would change, and "
      "say `y`.",
      is_undone },
    { "Leave and come back",
      "Everything said and done is kept. Press `Ctrl+D` to leave; the tour then shows how to go "
      "on.",
      has_come_back },
    { "The end",
      "The session is as you left it. Three keys to keep: `F1` all keys, `/` all commands, `Tab` "
      "plan, agent, yolo. In your own project: `sf`. `/connect` there brings a model. `Ctrl+D` "
      "ends the tour.",
      NULL },
};

size_t sf_tour_steps(void)
{
    return SF_COUNT(steps);
}

bool sf_tour_leaves(size_t step)
{
    return steps[step].done == has_come_back;
}

void sf_tour_take(struct sf_tour *t, const struct sf_event *event)
{
    if (!t->kept)
        return;
    if (event->kind == SF_EVENT_VERDICT && event->verdict.judged->verdict.answer == SF_DENY)
        t->refusals++;
    if (event->kind == SF_EVENT_RESULT && !event->result.tool->is_error) {
        t->results++;
        t->edits += !strcmp(event->call->name, "Edit") || !strcmp(event->call->name, "MultiEdit");
    }
}

void sf_tour_look(struct sf_tui *ui)
{
    struct sf_tour *t = &ui->tour;

    if (!t->kept)
        return;
    while (steps[t->step].done && steps[t->step].done(ui)) {
        sf_status_say(&ui->status, false, "✓ %s", steps[t->step++].title);
        t->refusals = t->edits = t->results = 0;
    }
    *t->kept = t->step;
}

void sf_tour_begin(struct sf_tui *ui)
{
    if (!ui->tour.kept)
        return;
    ui->tour.step = *ui->tour.kept;
    ui->tour.resumed = ui->tour.step > 0;
    sf_tour_look(ui);
}

/* ---- the panel ---- */

static void lay(const struct sf_tour *tour, struct sf_page *page, int width)
{
    const struct step *step = &steps[tour->step];
    struct sf_strbuf title = SF_STRBUF_INIT;

    sf_page_reset(page, width);
    sf_strbuf_addf(&title, "Tour %zu of %zu  ", tour->step + 1, SF_COUNT(steps));
    sf_page_begin(page, title.buf, NULL, sf_look_with(SF_LOOK_ACCENT, SF_LOOK_BOLD), false);
    sf_page_adds(page, step->title, sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD));
    sf_page_end(page);
    sf_markdown_lay(page, step->text, strlen(step->text), "", NULL, sf_look(SF_LOOK_TEXT));
    sf_strbuf_release(&title);
}

int sf_tour_rows(const struct sf_tour *tour, int cols)
{
    struct sf_page page = SF_PAGE_INIT;
    int rows = 0;

    if (tour->kept) {
        lay(tour, &page, cols - 2);
        rows = page.count < PANEL_MAX ? (int)page.count : PANEL_MAX;
    }
    sf_page_release(&page);
    return rows;
}

void sf_tour_draw(const struct sf_tour *tour, struct sf_area area)
{
    struct sf_page page = SF_PAGE_INIT;

    if (area.rows > 0) {
        lay(tour, &page, area.cols - 2);
        for (int row = 0; row < area.rows && (size_t)row < page.count; row++)
            sf_page_draw(&page, (size_t)row, area, row, 1);
    }
    sf_page_release(&page);
}
