/*
 * cmd_goal.c: sf goal, for people and other programs. The command reads and changes the goal in the
 * store, whether another process holds the session or not; a process that does sees the change.
 */
#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"

static void show(const struct sf_invocation *inv, const char *session, const struct sf_goal *goal)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_json_writer w;

    if (sf_cli_get(inv, "json")) {
        sf_jw_init(&w, &out);
        sf_jw_object_begin(&w);
        sf_jw_key_str(&w, "session", session);
        sf_jw_key(&w, "goal");
        sf_goal_json(goal, &w);
        sf_jw_object_end(&w);
    } else {
        sf_goal_line(goal, &out);
    }
    sf_strbuf_addch(&out, '\n');
    sf_print(&out);
    sf_strbuf_release(&out);
}

/* Finds the session: the one that is named, or the last conversation. */
static bool find_session(struct sf_invocation *inv, struct sf_store *store, char id[SF_ID_LEN + 1],
                         struct sf_error *err)
{
    const char *asked = sf_cli_get(inv, "session");
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    bool ok;

    if (!asked) {
        if (!sf_app_open_session(inv->app, id, err))
            return false;
        if (id[0])
            return true;
        sf_fail(err, SF_E_NOENT, "there is no session here yet");
        return sf_hint(err, "a goal belongs to one: begin it with `sf`");
    }
    ok = sf_store_session_get(store, asked, &arena, &row, err);
    if (ok && (row.agent || !strcmp(row.id, SF_SESSION_PROJECT)))
        ok = sf_fail(err, SF_E_ARG, "%s is not a conversation of yours", row.id);
    if (ok)
        snprintf(id, SF_ID_LEN + 1, "%s", row.id);
    sf_arena_release(&arena);
    return ok;
}

static bool run(struct sf_invocation *inv, struct sf_goal_command *command, struct sf_error *err)
{
    struct sf_store *store = sf_app_store(inv->app, err);
    struct sf_goal_place place = { .store = store, .surface = "headless" };
    const char *budget = sf_cli_get(inv, "budget");
    char session[SF_ID_LEN + 1];
    struct sf_goal goal;

    if (budget && !sf_goal_budget_parse(budget, strlen(budget), &command->budget, err))
        return false;
    if (!store || !find_session(inv, store, session, err))
        return false;
    place.session = session;
    if (!sf_goal_do(&place, command, &goal, err))
        return false;
    show(inv, session, &goal);
    return true;
}

static int answer(bool ok, const struct sf_error *err)
{
    bool usage = err->code == SF_E_ARG || err->code == SF_E_NOENT || err->code == SF_E_LIMIT;

    if (ok)
        return SF_EXIT_DONE;
    return sf_print_error(err, usage ? SF_EXIT_USAGE : SF_EXIT_FAILED);
}

/* Joins the arguments with blanks, like echo. */
static int with_words(struct sf_invocation *inv, enum sf_goal_verb verb, enum sf_goal_status to)
{
    struct sf_goal_command command = { .verb = verb, .to = to, .budget = -1 };
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok;

    for (int i = 0; i < (int)inv->arg_count; i++)
        sf_strbuf_addf(&words, "%s%s", i ? " " : "", inv->args[i]);
    command.text = words.buf;
    command.len = words.len;
    ok = run(inv, &command, &err);
    sf_strbuf_release(&words);
    return answer(ok, &err);
}

int sf_cmd_goal_get(struct sf_invocation *inv)
{
    return with_words(inv, SF_GOAL_VERB_SHOW, SF_GOAL_ACTIVE);
}

/* With a budget and no words, the current goal gets another budget. */
int sf_cmd_goal_set(struct sf_invocation *inv)
{
    bool alone = !inv->arg_count && sf_cli_get(inv, "budget");

    return with_words(inv, alone ? SF_GOAL_VERB_BUDGET : SF_GOAL_VERB_SET, SF_GOAL_ACTIVE);
}

int sf_cmd_goal_clear(struct sf_invocation *inv)
{
    return with_words(inv, SF_GOAL_VERB_CLEAR, SF_GOAL_ACTIVE);
}

int sf_cmd_goal_pause(struct sf_invocation *inv)
{
    return with_words(inv, SF_GOAL_VERB_MOVE, SF_GOAL_PAUSED);
}

int sf_cmd_goal_resume(struct sf_invocation *inv)
{
    return with_words(inv, SF_GOAL_VERB_MOVE, SF_GOAL_ACTIVE);
}

int sf_cmd_goal_complete(struct sf_invocation *inv)
{
    return with_words(inv, SF_GOAL_VERB_MOVE, SF_GOAL_COMPLETE);
}

int sf_cmd_goal_blocked(struct sf_invocation *inv)
{
    return with_words(inv, SF_GOAL_VERB_MOVE, SF_GOAL_BLOCKED);
}
