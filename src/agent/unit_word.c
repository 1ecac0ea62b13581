/*
 * unit_word.c: what a person decides about a task. Each word has a row for each state in which it
 * means something. A word about the task for which the run was halted also lets the run go on; one
 * that is said when no run is there begins a run of that unit alone.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

static const struct row {
    enum sf_units_word word;
    enum sf_task_state from, to;
} rows[] = {
    { SF_UNITS_WORD_ACCEPT, SF_TASK_REVIEWING,
      SF_TASK_REVIEWING }, /* done is reached in judged() */
    { SF_UNITS_WORD_REDO, SF_TASK_REVIEWING, SF_TASK_RETRYING },
    { SF_UNITS_WORD_REDO, SF_TASK_BLOCKED, SF_TASK_RETRYING },
    { SF_UNITS_WORD_REDO, SF_TASK_FAILED, SF_TASK_RETRYING },
    { SF_UNITS_WORD_REDO, SF_TASK_CANCELLED, SF_TASK_RETRYING },
    { SF_UNITS_WORD_REDO, SF_TASK_PAUSED, SF_TASK_TODO },
    { SF_UNITS_WORD_REDO, SF_TASK_TODO, SF_TASK_TODO },
    { SF_UNITS_WORD_REDO, SF_TASK_RETRYING, SF_TASK_RETRYING },
    { SF_UNITS_WORD_REVERT, SF_TASK_REVIEWING,
      SF_TASK_REVIEWING }, /* todo when the files are back */
    { SF_UNITS_WORD_SKIP, SF_TASK_TODO, SF_TASK_CANCELLED },
    { SF_UNITS_WORD_SKIP, SF_TASK_REVIEWING, SF_TASK_CANCELLED },
    { SF_UNITS_WORD_SKIP, SF_TASK_RETRYING, SF_TASK_CANCELLED },
    { SF_UNITS_WORD_SKIP, SF_TASK_PAUSED, SF_TASK_CANCELLED },
    { SF_UNITS_WORD_SKIP, SF_TASK_BLOCKED, SF_TASK_CANCELLED },
    { SF_UNITS_WORD_SKIP, SF_TASK_FAILED, SF_TASK_CANCELLED },
    { SF_UNITS_WORD_APPROVE, SF_TASK_TODO, SF_TASK_TODO },
    { SF_UNITS_WORD_APPROVE, SF_TASK_RETRYING, SF_TASK_RETRYING },
    { SF_UNITS_WORD_APPROVE, SF_TASK_PAUSED, SF_TASK_PAUSED },
};

static const struct row *row_of(enum sf_units_word word, const struct sf_unit *t)
{
    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (rows[i].word == word && rows[i].from == t->state)
            return &rows[i];
    return NULL;
}

void sf_unit_forget_word(struct sf_units *u)
{
    free(u->word.task);
    free(u->word.text);
    u->word.task = u->word.text = NULL;
    u->word.set = false;
}

/*
 * Lets the run go on if the word is what it was halted for. Without a run, a unit that is accepted
 * or done again is a run of its own.
 */
static void lead_on(struct sf_units *u, const struct sf_unit *t, struct sf_units_effects *fx)
{
    struct sf_unit_event e = { .word = { [SF_UNIT_F_WHO] = u->actor } };
    bool off = u->log.state == SF_UNITS_STATE_OFF;
    bool begins = u->word.word == SF_UNITS_WORD_ACCEPT || u->word.word == SF_UNITS_WORD_REDO;
    bool died = u->log.state != SF_UNITS_STATE_OFF && u->log.state != SF_UNITS_STATE_PAUSED;
    bool asked = died || (u->log.halted && !strcmp(u->log.halt.task, t->id));

    if (u->engaged || u->word.word == SF_UNITS_WORD_REVERT || (off ? !begins : !asked))
        return;
    e.number[SF_UNIT_N_FLAG] = off || u->log.single;
    sf_unit_save(u, off ? SF_UNITS_LOG_BEGIN : SF_UNITS_LOG_GO, &e, fx);
    u->engaged = true;
    sf_unit_iterate(u);
    if (u->log.single && u->word.word == SF_UNITS_WORD_REDO)
        u->only = t->place;
}

static void say(struct sf_units *u, const struct sf_unit *t, struct sf_units_effects *fx)
{
    struct sf_unit_event e = { .word = { [SF_UNIT_F_TASK] = t->id,
                                         [SF_UNIT_F_TEXT] = u->word.text,
                                         [SF_UNIT_F_WHO] = u->actor },
                               .number = { [SF_UNIT_N_WORD] = (int)u->word.word } };

    sf_unit_save(u, SF_UNITS_LOG_WORD, &e, fx);
}

static void act(struct sf_units *u, const struct sf_unit *t, const struct row *row,
                struct sf_units_effects *fx)
{
    lead_on(u, t, fx);
    say(u, t, fx);
    if (row->from != row->to)
        sf_unit_move(u, t->place, row->to, SF_TASK_BY_PERSON, sf_units_words[row->word], fx);
    if (row->word != SF_UNITS_WORD_REVERT)
        return;
    sf_unit_effect_of(u, fx, SF_UNITS_DO_REVERT, t->place);
    u->phase = SF_UNITS_PHASE_REVERTING;
    u->reverting = t->place;
}

/*
 * A word about the unit that is held has it cancelled first. What is done to files waits until
 * nothing else is done, only one unit can be closed out at a time, and while files are put back
 * every word waits, since it could let the run go on over them.
 */
static bool must_wait(struct sf_units *u, const struct sf_unit *t, struct sf_units_effects *fx)
{
    bool files = u->word.word == SF_UNITS_WORD_ACCEPT || u->word.word == SF_UNITS_WORD_REVERT;

    if (u->phase == SF_UNITS_PHASE_REVERTING)
        return true;
    if (t->place == u->log.current && (u->live || u->phase != SF_UNITS_PHASE_REST)) {
        if (u->held)
            sf_unit_cancel(u, SF_UNITS_END_ABORTED, fx);
        return true;
    }
    return files && (u->phase != SF_UNITS_PHASE_REST ||
                     (u->log.current != SF_UNIT_NONE && u->log.current != t->place));
}

/* Nobody works on the task any more, and the person does not want it to go on from there. */
static void give_up(struct sf_units *u, const struct sf_unit *t, struct sf_units_effects *fx)
{
    static const struct sf_units_input died = { .kind = SF_UNITS_IN_ENDED };

    if (t->place == u->log.current && u->log.stage == SF_UNIT_STAGE_RUNNING)
        sf_unit_ended(u, SF_UNITS_END_INTERRUPTED, &died, fx);
    sf_unit_move(u, t->place, SF_TASK_RETRYING, SF_TASK_BY_MACHINE, "it was running with nobody",
                 fx);
}

void sf_unit_word(struct sf_units *u, struct sf_units_effects *fx)
{
    int at = sf_unit_find(u, u->word.task);
    const struct sf_unit *t = at >= 0 ? u->tasks[at] : NULL;
    const struct row *row;

    if (!t || t->gone) {
        sf_unit_forget_word(u);
        return;
    }
    if (must_wait(u, t, fx))
        return;
    if (u->word.word != SF_UNITS_WORD_ACCEPT && !t->held && sf_task_state_is_held(t->state))
        give_up(u, t, fx);
    row = row_of(u->word.word, t);
    if (row)
        act(u, t, row, fx);
    sf_unit_forget_word(u);
}
