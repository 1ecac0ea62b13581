/*
 * schema.c: the fields of a task. A further field is a row here and a member of sf_plan_task.
 */
#include "plan/schema.h"

#include "plan/plan_file.h"

static const char *const risks[] = { "low", "medium", "high", NULL };
static const char *const mutations[] = {
    "none", "docs", "code", "config", "data", "external", NULL
};
static const char *const approvals[] = { "none", "ask", NULL };

#define AT(member) offsetof(struct sf_plan_task, member)

/* clang-format off */
const struct sf_plan_field sf_plan_fields[] = {
    { "what", SF_PLAN_KIND_TEXT, true, AT(what), 8192, NULL, 0, "words",
      "what is to be done, in a few sentences; whoever does it sees only this task and its files" },
    { "files", SF_PLAN_KIND_FILES, false, AT(files), 512, NULL, 0, "PATH, PATH:FROM-TO",
      "the files it means to touch, relative to the workspace, with lines where they are known" },
    { "verify", SF_PLAN_KIND_LINE, false, AT(verify), 1024, NULL, 0, "COMMAND",
      "the command that shows that it is done; without one the task is never verified by itself" },
    { "acceptance", SF_PLAN_KIND_TEXT, false, AT(acceptance), 8192, NULL, 0, "words",
      "what is true when it is done" },
    { "risk", SF_PLAN_KIND_WORD, false, AT(risk), 0, risks, SF_RISK_MEDIUM, "low|medium|high",
      "how much can go wrong" },
    { "mutation", SF_PLAN_KIND_WORD, false, AT(mutation), 0, mutations, SF_MUTATION_CODE,
      "none|docs|code|config|data|external",
      "the farthest thing it changes; external is whatever lies outside the workspace" },
    { "approval", SF_PLAN_KIND_WORD, false, AT(approval), 0, approvals, SF_TASK_APPROVAL_NONE,
      "none|ask", "ask: a person is asked before it begins" },
    { "depends_on", SF_PLAN_KIND_REFS, false, AT(depends), 0, NULL, 0, "T1, S1/T2, M1/S1/T3, S2, M1",
      "what must be done before: tasks of this slice, of this milestone, of any, or all of a slice "
      "or milestone" },
    { "estimate", SF_PLAN_KIND_MINUTES, false, AT(estimate), 100000, NULL, 0, "20m|2h|1h30m",
      "how long it takes" },
    { "priority", SF_PLAN_KIND_PRIORITY, false, AT(priority), 9, NULL, 5, "1 to 9",
      "of tasks that may begin, 1 begins first" },
    { NULL, SF_PLAN_KIND_TEXT, false, 0, 0, NULL, 0, NULL, NULL },
};
/* clang-format on */

const struct sf_plan_field *sf_plan_field_find(const char *name, size_t len)
{
    for (const struct sf_plan_field *f = sf_plan_fields; f->name; f++)
        if (strlen(f->name) == len && !memcmp(f->name, name, len))
            return f;
    return NULL;
}
