/*
 * matrix.c: the profile table. A row never becomes stricter from left to right; a test holds
 * every row to that.
 */
#include "guard/matrix.h"

#include "base/base.h"

#define A SF_ALLOW
#define Q SF_ASK
#define D SF_DENY

/* clang-format off */
const struct sf_matrix_row sf_matrix[SF_ROW_COUNT] = {
    /*                                                restricted normal trusted unrestricted */
    [SF_ROW_READ_INSIDE]   = { SF_ROW_READ_INSIDE,   "read-inside",
        "read inside the workspace",                                  { A, A, A, A }, { A, A, A, A } },
    [SF_ROW_READ_OUTSIDE]  = { SF_ROW_READ_OUTSIDE,  "read-outside",
        "read outside the workspace",                                 { D, Q, Q, A }, { D, Q, Q, A } },
    [SF_ROW_EDIT]          = { SF_ROW_EDIT,          "edit",
        "edit inside the scope",                                      { D, A, A, A }, { D, A, A, A } },
    [SF_ROW_COMMAND_READ]  = { SF_ROW_COMMAND_READ,  "command-read",
        "command that only reads (ls, rg, git status …)",             { A, A, A, A }, { A, A, A, A } },
    [SF_ROW_COMMAND_LOCAL] = { SF_ROW_COMMAND_LOCAL, "command-local",
        "command local and non-destructive (mkdir, touch, formatter …)",
                                                                      { D, A, A, A }, { D, A, A, A } },
    [SF_ROW_COMMAND_BUILD] = { SF_ROW_COMMAND_BUILD, "command-build",
        "build, test, install from a lock file, local commit",        { D, Q, A, A }, { D, Q, A, A } },
    [SF_ROW_UNKNOWN_CAGED] = { SF_ROW_UNKNOWN_CAGED, "unknown-caged",
        "unknown program, caged",                                     { D, Q, A, A }, { D, Q, A, A } },
    [SF_ROW_UNKNOWN_BARE]  = { SF_ROW_UNKNOWN_BARE,  "unknown-uncaged",
        "unknown program, not caged",                                 { D, Q, Q, A }, { D, Q, Q, A } },
    [SF_ROW_NETWORK_READ]  = { SF_ROW_NETWORK_READ,  "network-read",
        "network read (fetch, clone, package download)",              { D, Q, Q, A }, { D, Q, Q, A } },
    [SF_ROW_NETWORK_WRITE] = { SF_ROW_NETWORK_WRITE, "network-write",
        "network write (push, publish, post)",                        { D, Q, Q, Q }, { D, Q, Q, Q } },
    [SF_ROW_EXTERNAL]      = { SF_ROW_EXTERNAL,      "external",
        "paid or external service, MCP tool with side effects",       { D, Q, Q, A }, { D, Q, Q, A } },
    [SF_ROW_NOTE]          = { SF_ROW_NOTE,          "note",
        "note for later sessions",                                    { D, A, A, A }, { D, A, A, A } },
    [SF_ROW_DESTRUCTIVE]   = { SF_ROW_DESTRUCTIVE,   "destructive",
        "destructive",                                                { D, Q, Q, Q }, { D, Q, Q, Q } },
    [SF_ROW_WRITE_OUTSIDE] = { SF_ROW_WRITE_OUTSIDE, "write-outside",
        "write outside the workspace",                                { D, D, D, Q }, { D, Q, Q, A } },
    [SF_ROW_PLAN_SUBMIT]   = { SF_ROW_PLAN_SUBMIT,   "plan-submit",
        "submit a plan in work mode plan",                            { A, A, A, A }, { A, A, A, A } },
    [SF_ROW_PLAN_ELSEWHERE] = { SF_ROW_PLAN_ELSEWHERE, "plan-elsewhere",
        "submit a plan in another work mode, or as a sub-agent",      { D, D, D, D }, { D, D, D, D } },
    [SF_ROW_PLAN_ACCEPT]   = { SF_ROW_PLAN_ACCEPT,   "plan-accept",
        "accept a plan and build it",                                 { Q, Q, Q, Q }, { Q, Q, Q, Q } },
    [SF_ROW_PLAN_AUTONOMOUS] = { SF_ROW_PLAN_AUTONOMOUS, "plan-autonomous",
        "accept a plan in an autonomous run without a screen",         { A, A, A, A }, { A, A, A, A } },
};
/* clang-format on */

const char *const sf_answer_names[] = { "allow", "ask", "deny" };

enum sf_answer sf_matrix_answer(enum sf_row kind, enum sf_profile profile, bool trust)
{
    return trust ? sf_matrix[kind].trusted[profile] : sf_matrix[kind].answers[profile];
}
