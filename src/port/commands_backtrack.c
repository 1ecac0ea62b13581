/*
 * commands_backtrack.c: going back to an earlier prompt, and forks. Going back makes a fork before
 * the prompt and continues there; the original session stays as it is, and no log is ever cut.
 * Prompts are identified by the numbers that the lists show, which never change.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "port/internal.h"

/* ---- prompts ---- */

static bool read_list(struct sf_port *p, struct sf_prompt_list *list)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_prompt_list_read(list, p->setup.session.store, sf_session_id(p->session),
                            sf_port_workspace(p), &err))
        return true;
    sf_port_fail(p, &err);
    return false;
}

/* NULL: no such prompt, or it is too old to be in the list. */
static const struct sf_prompt_entry *find(const struct sf_prompt_list *list, size_t number)
{
    return number > list->dropped && number - list->dropped <= list->count
               ? &list->items[number - list->dropped - 1]
               : NULL;
}

static void add_change(struct sf_response *r, const struct sf_prompt_entry *said)
{
    if (!said->files) {
        sf_response_cell(r, "%s", "");
        return;
    }
    sf_response_cell(r, "%" PRId64 " %s", said->files, said->files == 1 ? "file" : "files");
    sf_response_cell(r, "+%" PRId64, said->plus);
    sf_response_cell(r, "−%" PRId64, said->minus);
}

static void add_prompt(struct sf_response *r, const struct sf_prompt_entry *said, size_t number)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    char value[24];

    snprintf(value, sizeof(value), "%zu", number);
    sf_text_sanitize(&words, said->text, strcspn(said->text, "\n"), SF_TEXT_ONE_LINE);
    sf_response_row(r, value);
    sf_response_cell(r, "%s", value);
    sf_response_cell(r, "%.*s", (int)sf_text_fit(words.buf, words.len, 60, NULL), words.buf);
    sf_response_age(r, said->time);
    add_change(r, said);
    sf_strbuf_release(&words);
}

/* Lists the prompts, newest first. */
static void list_prompts(struct sf_port *p, const char *title)
{
    static const char *const columns[] = { "number", "words", "time", "files", "+", "−", NULL };
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    struct sf_response r;

    if (read_list(p, &list)) {
        sf_response_init(&r, SF_RESPONSE_CHOICE, title);
        r.columns = columns;
        for (size_t i = list.count; i-- > 0;)
            add_prompt(&r, &list.items[i], list.dropped + i + 1);
        snprintf(r.hint, sizeof(r.hint), "/%s NUMBER goes back to before that one", p->command);
        sf_port_respond(p, &r);
    }
    sf_prompt_list_release(&list);
}

/* ---- the conversation ---- */

/* Queued prompts belong to the original session; they stay there, and a note says so. */
static void note_queued(struct sf_port *p, size_t count, const char *session)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    r.lasts = true;
    sf_strbuf_addf(&r.text, "%zu queued stayed behind: /sessions %s goes back to them", count,
                   session);
    sf_port_respond(p, &r);
}

static bool enter_fork(struct sf_port *p, const char *id, const char *from, struct sf_error *err)
{
    const size_t waiting = p->queue.count;

    if (!sf_port_enter(p, id, err))
        return false;
    if (waiting)
        note_queued(p, waiting, from);
    sf_port_note(p, false, "a fork; how it went on before stays in /sessions as %.10s", from);
    return true;
}

/* Continues in a fork, or names the fork if the surface cannot switch sessions. */
static bool go_on_in_fork(struct sf_port *p, int64_t at)
{
    char from[SF_ID_LEN + 1], id[SF_ID_LEN + 1];
    const struct sf_fork fork = { .store = p->setup.session.store,
                                  .session = from,
                                  .at = at,
                                  .surface = sf_axis_name(SF_AXIS_SURFACE,
                                                          (int)sf_port_state(p)->surface) };
    struct sf_error err = SF_ERROR_INIT;

    snprintf(from, sizeof(from), "%s", sf_session_id(p->session));
    if (!sf_fork_make(&fork, id, NULL, &err) ||
        (sf_port_moves(p) && !enter_fork(p, id, from, &err))) {
        sf_port_fail(p, &err);
        return false;
    }
    if (!sf_port_moves(p))
        sf_port_note(p, false, "forked as %s; sf -r %.10s goes on there", id, id);
    return true;
}

/* Forks before the prompt and puts its text into the composer. */
static bool take_back(struct sf_port *p, const struct sf_prompt_entry *said)
{
    struct sf_response r;

    if (!go_on_in_fork(p, said->at))
        return false;
    if (!sf_port_moves(p))
        return true; /* such a surface has no composer */
    sf_response_init(&r, SF_RESPONSE_DRAFT, "");
    sf_strbuf_add(&r.text, said->text, said->len);
    sf_port_respond(p, &r);
    return true;
}

/* ---- what goes back ---- */

static void conversation(struct sf_port *p, const struct sf_prompt_entry *said, int64_t number)
{
    (void)number;
    take_back(p, said);
}

/* Whether files changed is known by snapshots only, and those may be off. */
#define NO_SNAPSHOT "no snapshot of the files since then"

static void files(struct sf_port *p, const struct sf_prompt_entry *said, int64_t number)
{
    (void)number;
    if (said->before)
        sf_port_restore_then(p, said->before, NULL, NULL);
    else
        sf_port_note(p, true, NO_SNAPSHOT);
}

/* The files are restored; the same command now takes back the conversation. */
static void files_are_back(struct sf_port *p, void *ctx, bool yes)
{
    char *line = ctx, before[SF_ID_LEN + 1];
    bool moved;

    if (yes) {
        snprintf(before, sizeof(before), "%s", sf_port_session(p));
        sf_port_command(p, line);
        moved = strcmp(before, sf_port_session(p)) != 0;
        sf_port_note(p, !moved, "%s",
                     moved ? "files and conversation are as they were before it"
                           : "the files went back, the conversation did not");
    }
    free(line);
}

static void both(struct sf_port *p, const struct sf_prompt_entry *said, int64_t number)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    if (said->before) {
        sf_strbuf_addf(&line, "/backtrack %" PRId64 " conversation", number);
        sf_port_restore_then(p, said->before, files_are_back, sf_strbuf_detach(&line));
    } else if (take_back(p, said)) {
        sf_port_note(p, false, NO_SNAPSHOT ": the conversation alone went back");
    } else {
        sf_port_note(p, true, NO_SNAPSHOT ", and the conversation did not go back");
    }
}

static const struct {
    const char *name, *help;
    void (*go)(struct sf_port *p, const struct sf_prompt_entry *said, int64_t number);
} ways[] = {
    { "conversation", "go on before the prompt, in a fork; files stay", conversation },
    { "files", "files as they were before the turn; the conversation stays", files },
    { "both", "files, then the conversation", both },
};

static void list_ways(struct sf_port *p, int64_t number)
{
    static const char *const columns[] = { "way", "what goes back", NULL };
    struct sf_response r;
    char value[64];

    sf_response_init(&r, SF_RESPONSE_CHOICE, "What goes back?");
    r.part = "ways";
    r.columns = columns;
    for (size_t i = 0; i < SF_COUNT(ways); i++) {
        snprintf(value, sizeof(value), "%" PRId64 " %s", number, ways[i].name);
        sf_response_row(&r, value);
        sf_response_cell(&r, "%s", ways[i].name);
        sf_response_cell(&r, "%s", ways[i].help);
    }
    snprintf(r.hint, sizeof(r.hint), "/backtrack %" PRId64 " WAY does it", number);
    sf_port_respond(p, &r);
}

static void no_prompt(struct sf_port *p, const char *number, const char *lists)
{
    sf_port_usage(p, "there is no prompt %.20s; %s lists them", number, lists);
}

static void go_back(struct sf_port *p, const struct sf_prompt_entry *said, int64_t number,
                    const char *way)
{
    for (size_t i = 0; i < SF_COUNT(ways); i++)
        if (!strcmp(way, ways[i].name)) {
            ways[i].go(p, said, number);
            return;
        }
    if (*way)
        sf_port_usage(p, "/backtrack N, and then conversation, files or both");
    else
        list_ways(p, number);
}

/* "[N [conversation|files|both]]" */
void sf_command_backtrack(struct sf_port *p, const char *args)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    const struct sf_prompt_entry *said;
    const char *way = args;
    int64_t number;

    if (!*args) {
        list_prompts(p, "What you said");
        return;
    }
    if (read_list(p, &list)) {
        said = sf_args_take_number(&way, &number) ? find(&list, (size_t)number) : NULL;
        if (said)
            go_back(p, said, number, way);
        else
            no_prompt(p, args, "/backtrack");
    }
    sf_prompt_list_release(&list);
}

/* ---- forks ---- */

static void fork_before(struct sf_port *p, const char *number)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    const struct sf_prompt_entry *said;
    int64_t at;

    if (read_list(p, &list)) {
        said = sf_args_number(number, &at) ? find(&list, (size_t)at) : NULL;
        if (said)
            take_back(p, said);
        else
            no_prompt(p, number, "/fork at");
    }
    sf_prompt_list_release(&list);
}

/* "[at|N]"; "at N" works too. */
void sf_command_fork(struct sf_port *p, const char *args)
{
    bool at = sf_args_take(&args, "at");

    if (*args)
        fork_before(p, args);
    else if (at)
        list_prompts(p, "Fork before which prompt?");
    else
        go_on_in_fork(p, SF_FORK_LAST);
}
