/*
 * commands_screen.c: commands about the screen itself: copying, finding, keys, the mouse.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

/* ---- copying, finding ---- */

void sf_do_copy(struct sf_tui *ui, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    while (!sf_transcript_answer(ui->pane.transcript, &text) && sf_recall_back(ui))
        ;
    if (!text.len)
        sf_status_say(&ui->status, true, "there is no answer to copy yet");
    else
        sf_tui_copy(ui, &text, "the last answer");
    sf_strbuf_release(&text);
}

void sf_do_find(struct sf_tui *ui, const char *args)
{
    sf_tui_act(ui, SF_ACTION_FIND);
    if (*args) {
        sf_composer_set(ui->find_bar.field, args, strlen(args));
        sf_find_bar_search(ui);
    }
}

/* ---- keys ---- */

/* Why it is not there although it is on; NULL: it is. */
static const char *no_sidebar(const struct sf_tui *ui)
{
    const struct sf_frame *frame = &ui->painter.frame;

    if (ui->setup.inline_mode)
        return "the sidebar needs the whole screen, without --inline";
    return sf_sidebar_cols(ui, frame->rows, frame->cols)
               ? NULL
               : "the sidebar is on, and shown from 130 columns on; /status has its lines";
}

/* Without words it is switched to what it is not: shown or hidden. */
void sf_do_sidebar(struct sf_tui *ui, const char *args)
{
    const struct sf_frame *frame = &ui->painter.frame;
    int to = sf_sidebar_cols(ui, frame->rows, frame->cols) ? SF_SIDEBAR_OFF : SF_SIDEBAR_ON;
    const char *no;

    for (int i = 0; *args && sf_sidebar_names[i]; i++)
        if (!strcmp(sf_sidebar_names[i], args)) {
            to = i;
            args = "";
        }
    if (*args) {
        sf_status_say(&ui->status, true, "/sidebar on, off or auto; alone it switches");
        return;
    }
    ui->sidebar = (enum sf_sidebar)to;
    sf_sidebar_want(ui);
    no = to == SF_SIDEBAR_ON ? no_sidebar(ui) : NULL;
    sf_status_say(&ui->status, no != NULL, "%s%s%s", no ? no : "sidebar ",
                  no ? "" : sf_sidebar_names[to],
                  no ? "" : " for now; /config ui.sidebar keeps it");
}

void sf_do_vim(struct sf_tui *ui, const char *args)
{
    bool on = !sf_composer_vim_mode(ui->draft.composer);

    (void)args;
    sf_composer_set_vim(ui->draft.composer, on);
    sf_status_say(&ui->status, false, "vim keys are %s", on ? "on" : "off");
}

void sf_do_mouse(struct sf_tui *ui, const char *args)
{
    (void)args;
    ui->setup.mouse = !ui->setup.mouse;
    sf_terminal_set_mouse(ui->terminal, ui->setup.mouse);
    sf_status_say(&ui->status, false,
                  ui->setup.mouse ? "the mouse is sf's" : "the mouse is the terminal's");
}
