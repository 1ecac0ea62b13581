/*
 * backtrack.c: back to an earlier prompt. The conversation goes back by a fork before the prompt,
 * which is gone on with here; the session it was forked from stays as it is. Files go back by the
 * common undo, with a look and a question first. Nothing is ever taken out of a log.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

static bool read_list(struct sf_tui *ui, struct sf_prompt_list *list)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_prompt_list_read(list, sf_port_raw_setup(ui->port)->store, sf_port_session(ui->port),
                            sf_port_workspace(ui->port), &err))
        return true;
    sf_tui_fail(ui, &err);
    return false;
}

static bool is_free(struct sf_tui *ui)
{
    const char *running = sf_port_running(ui->port);

    if (running)
        sf_tui_say(ui, true, "%s is running: Esc cancels it", running);
    return !running;
}

static const struct sf_prompt_entry *find(const struct sf_prompt_list *list, int64_t seq)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].seq == seq)
            return &list->items[i];
    return NULL;
}

/* ---- the conversation ---- */

/* Queued words were meant for how it went on: they stay there, and are not forgotten silently. */
static void note_queued(struct sf_tui *ui, size_t count, const char *session)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%zu queued stayed behind: /sessions %s goes back to them", count,
                   session);
    sf_transcript_add(ui->transcript, SF_ITEM_NOTE, text.buf, text.len, sf_clock_wall_ms());
    sf_strbuf_release(&text);
}

/* Goes on in a fork; what was said before its point is on the screen again. */
static bool go_on_in_fork(struct sf_tui *ui, int64_t at)
{
    struct sf_fork fork = { .store = sf_port_raw_setup(ui->port)->store,
                            .at = at,
                            .surface = "tui" };
    struct sf_error err = SF_ERROR_INIT;
    char from[SF_ID_LEN + 1], id[SF_ID_LEN + 1];
    const size_t waiting = sf_port_queue(ui->port)->count;

    snprintf(from, sizeof(from), "%s", sf_port_session(ui->port));
    fork.session = from;
    if (!sf_fork_make(&fork, id, NULL, &err) || !sf_port_enter(ui->port, id, &err)) {
        sf_tui_fail(ui, &err);
        return false;
    }
    if (waiting)
        note_queued(ui, waiting, from);
    sf_transcript_bottom(ui->transcript);
    sf_tui_say(ui, false, "a fork; how it went on before stays in /sessions as %.10s", from);
    return true;
}

static bool take_back(struct sf_tui *ui, const struct sf_prompt_entry *said)
{
    bool ok = go_on_in_fork(ui, said->at);

    if (ok)
        sf_draft_replace(ui, said->text, said->len);
    return ok;
}

static void conversation(struct sf_tui *ui, const struct sf_prompt_entry *said)
{
    take_back(ui, said);
}

/* ---- files, and both ---- */

static void say_taken(struct sf_tui *ui, bool ok, const char *well, const char *badly)
{
    sf_tui_say(ui, !ok, "%s", ok ? well : badly);
}

static void files_are_back(struct sf_tui *ui, void *ctx, bool yes)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    const struct sf_prompt_entry *said;
    int64_t *seq = ctx;

    if (yes && read_list(ui, &list) && (said = find(&list, *seq)))
        say_taken(ui, take_back(ui, said), "files and conversation are as they were before it",
                  "the files went back, the conversation did not");
    sf_prompt_list_release(&list);
    free(seq);
}

static void both(struct sf_tui *ui, const struct sf_prompt_entry *said)
{
    int64_t *seq;

    if (!said->before) {
        say_taken(ui, take_back(ui, said),
                  "no turn since then changed files: the conversation alone went back",
                  "no turn since then changed files, and the conversation did not go back");
        return;
    }
    seq = sf_alloc(sizeof(*seq));
    *seq = said->seq;
    sf_tui_restore(ui, said->before, files_are_back, seq);
}

static void files(struct sf_tui *ui, const struct sf_prompt_entry *said)
{
    if (said->before)
        sf_tui_restore(ui, said->before, NULL, NULL);
    else
        sf_tui_say(ui, true, "no turn since then changed files");
}

/* ---- the lists ---- */

static const struct {
    const char *name, *help;
    void (*go)(struct sf_tui *ui, const struct sf_prompt_entry *said);
} ways[] = {
    { "conversation", "go on before the prompt, in a fork; files stay", conversation },
    { "files", "files as they were before the turn; the conversation stays", files },
    { "both", "files, then the conversation", both },
};

/* "SEQ WAY" */
static void way_chosen(struct sf_tui *ui, const char *value)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    const struct sf_prompt_entry *said;
    char *way;
    int64_t seq = strtoll(value, &way, 10);

    if (!is_free(ui) || !read_list(ui, &list))
        return;
    said = find(&list, seq);
    for (size_t i = 0; said && i < SF_COUNT(ways); i++)
        if (!strcmp(way, ways[i].name))
            ways[i].go(ui, said);
    sf_prompt_list_release(&list);
}

static void prompt_chosen(struct sf_tui *ui, const char *value)
{
    static const struct sf_overlay_kind kind = { .title = "What goes back?",
                                                 .keys = "Enter go back   ↑ ↓ choose",
                                                 .chosen = way_chosen };
    char row[64];

    sf_overlay_list(ui, &kind);
    for (size_t i = 0; i < SF_COUNT(ways); i++) {
        snprintf(row, sizeof(row), "%s%s", value, ways[i].name);
        sf_overlay_row(ui, row, "%s\t%s", ways[i].name, ways[i].help);
    }
}

static void fork_chosen(struct sf_tui *ui, const char *value)
{
    char row[64];

    snprintf(row, sizeof(row), "%sconversation", value);
    way_chosen(ui, row);
}

static void add_row(struct sf_tui *ui, const struct sf_prompt_entry *said, size_t number)
{
    struct sf_strbuf words = SF_STRBUF_INIT, change = SF_STRBUF_INIT;
    char value[24], when[SF_CLOCK_MAX];

    snprintf(value, sizeof(value), "%" PRId64, said->seq);
    sf_clock_local(when, said->time);
    sf_text_sanitize(&words, said->text, strcspn(said->text, "\n"), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&words, sf_text_fit(words.buf, words.len, 60, NULL));
    if (said->files)
        sf_strbuf_addf(&change, "%" PRId64 " %s\t+%" PRId64 "\t−%" PRId64, said->files,
                       said->files == 1 ? "file" : "files", said->plus, said->minus);
    sf_overlay_row(ui, value, "%zu\t%s\t%.16s\t%s", number, words.buf, when, change.buf);
    sf_strbuf_release(&change);
    sf_strbuf_release(&words);
}

static void show_prompts(struct sf_tui *ui, const struct sf_overlay_kind *kind)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;

    if (!is_free(ui) || !read_list(ui, &list)) {
        sf_prompt_list_release(&list);
        return;
    }
    sf_overlay_list(ui, kind);
    for (size_t i = list.count; i-- > 0;)
        add_row(ui, &list.items[i], list.dropped + i + 1);
    sf_prompt_list_release(&list);
}

void sf_do_backtrack(struct sf_tui *ui, const char *args)
{
    static const struct sf_overlay_kind kind = { .title = "What you said",
                                                 .keys = "Enter back to before it   ↑ ↓ choose",
                                                 .filter = true,
                                                 .chosen = prompt_chosen };

    (void)args;
    show_prompts(ui, &kind);
}

/* ---- forks ---- */

static void fork_before(struct sf_tui *ui, const char *number)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    unsigned long long n = strtoull(number, NULL, 10);

    if (!read_list(ui, &list))
        return;
    if (n > list.dropped && n - list.dropped <= list.count)
        conversation(ui, &list.items[n - list.dropped - 1]);
    else
        sf_tui_say(ui, true, "there is no prompt %.20s; /fork at lists them", number);
    sf_prompt_list_release(&list);
}

void sf_do_fork(struct sf_tui *ui, const char *args)
{
    static const struct sf_overlay_kind kind = { .title = "Fork before which prompt?",
                                                 .keys = "Enter fork   ↑ ↓ choose",
                                                 .filter = true,
                                                 .chosen = fork_chosen };
    const char *number = args;

    if (!strncmp(args, "at", 2) && (!args[2] || args[2] == ' '))
        number += 2 + strspn(args + 2, " ");
    if (!is_free(ui))
        return;
    if (!*args)
        go_on_in_fork(ui, SF_FORK_LAST);
    else if (!*number)
        show_prompts(ui, &kind);
    else
        fork_before(ui, number);
}
