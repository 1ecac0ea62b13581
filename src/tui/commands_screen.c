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
