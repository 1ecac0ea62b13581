/*
 * ruling.c: layers 2 and 3 speak of paths, and so does the row about reading outside.
 */
#include "support/ruling.h"

enum sf_answer path_ruling(const struct sf_path_facts *facts, enum path_deed deed,
                           const struct sf_scope *scope, struct sf_verdict *out)
{
    static const enum sf_act acts[] = { [PATH_READS] = SF_ACT_READ,
                                        [PATH_WRITES] = SF_ACT_WRITE,
                                        [PATH_CREATES] = SF_ACT_WRITE,
                                        [PATH_DELETES] = SF_ACT_DELETE };
    const struct sf_action_path path = { .path = facts->real,
                                         .zone = facts->zone,
                                         .outside = !facts->inside,
                                         .writes = deed != PATH_READS,
                                         .shared = facts->shared && deed == PATH_WRITES,
                                         .rule = facts->rule ? facts->rule->name : "",
                                         .reason = facts->rule ? facts->rule->what : "" };
    const struct sf_action action = {
        .tool = "Edit", .act = acts[deed], .paths = &path, .path_count = 1
    };
    const struct sf_policy policy = { .approval = SF_APPROVAL_SUGGEST,
                                      .registry.allow_shell = true,
                                      .scope = scope };
    struct sf_mode_state state;
    struct sf_verdict verdict;

    sf_mode_state_init(&state, SF_SURFACE_TUI);
    state.work = SF_WORK_REPAIR;
    state.control = SF_RUN_AUTONOMOUS;
    state.trust = true;
    sf_guard_verdict(&action, &state, &policy, &verdict);
    if (out)
        *out = verdict;
    if (verdict.layer == SF_GUARD_PROTECTED || verdict.layer == SF_GUARD_PATH ||
        verdict.kind == SF_ROW_READ_OUTSIDE || !facts->inside)
        return verdict.answer;
    return SF_ALLOW;
}
