/*
 * syntax.c: the example and the sentences around the rows of the schema.
 */
#include "plan/syntax.h"

#include "plan/schema.h"
#include "plan/task_state.h"

const char sf_plan_example[] =
    "---\n"
    "title: Search in the notes\n"
    "goal: Anybody finds a note by a word in it.\n"
    "---\n"
    "\n"
    "The index is a file beside the notes; nothing runs in the background.\n"
    "\n"
    "## M1 Find notes\n"
    "\n"
    "### S1 The index\n"
    "\n"
    "#### T1 Read the notes\n"
    "\n"
    "- what: Read every note below `notes/` into an index of its words.\n"
    "  A note that cannot be read is named and left out.\n"
    "- files: src/index.c, src/main.c:10-40\n"
    "- verify: make test\n"
    "- acceptance: `notes index` prints how many words it knows.\n"
    "- risk: low\n"
    "- estimate: 20m\n"
    "\n"
    "#### T2 Keep the index current\n"
    "\n"
    "- what: Read only the notes that changed since the index was written.\n"
    "- files: src/index.c\n"
    "- verify: make test\n"
    "- depends_on: T1\n"
    "- estimate: 1h\n"
    "\n"
    "### S2 The command\n"
    "\n"
    "#### T1 Print what was found\n"
    "\n"
    "- what: Add `notes find WORD`, which prints the names of the notes with that word.\n"
    "- files: src/main.c\n"
    "- verify: make test\n"
    "- depends_on: S1\n"
    "- estimate: 40m\n";

void sf_plan_syntax(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "A plan that can be carried out task by task is Markdown: frontmatter with "
                        "title (and goal), then milestones `## M1 Title`, in them slices "
                        "`### S1 Title`, in them tasks `#### T1 Title`, each with fields as "
                        "bullets `- field: value`. Further lines of a value are indented. Fields "
                        "of a task:\n");
    for (const struct sf_plan_field *f = sf_plan_fields; f->name; f++) {
        sf_strbuf_addf(out, "- %s: %s (%s", f->name, f->form, f->help);
        if (f->required)
            sf_strbuf_adds(out, "; required");
        else if (f->words)
            sf_strbuf_addf(out, "; %s if left out", f->words[f->fallback]);
        else if (f->fallback)
            sf_strbuf_addf(out, "; %d if left out", f->fallback);
        sf_strbuf_adds(out, ")\n");
    }
    sf_strbuf_addf(out,
                   "Each task is done by somebody who knows nothing but it and the plan. "
                   "Example:\n\n%s",
                   sf_plan_example);
}

static void add_cell(struct sf_strbuf *out, const char *text)
{
    for (; *text; text++)
        sf_strbuf_addf(out, "%s%c", *text == '|' ? "\\" : "", *text);
}

static void add_fields(struct sf_strbuf *out)
{
    sf_strbuf_adds(out,
                   "## Fields of a task\n\n| Field | Value | Left out | |\n|---|---|---|---|\n");
    for (const struct sf_plan_field *f = sf_plan_fields; f->name; f++) {
        sf_strbuf_addf(out, "| `%s` | `", f->name);
        add_cell(out, f->form);
        sf_strbuf_adds(out, "` | ");
        if (f->required)
            sf_strbuf_adds(out, "never");
        else if (f->words)
            sf_strbuf_addf(out, "`%s`", f->words[f->fallback]);
        else if (f->fallback)
            sf_strbuf_addf(out, "`%d`", f->fallback);
        sf_strbuf_adds(out, " | ");
        add_cell(out, f->help);
        sf_strbuf_adds(out, " |\n");
    }
}

static void add_movers(struct sf_strbuf *out, enum sf_task_state from, enum sf_task_state to)
{
    if (sf_task_move_may(from, to, SF_TASK_BY_MACHINE))
        sf_strbuf_adds(out, sf_task_move_may(from, to, SF_TASK_BY_PERSON) ? "either" : "run");
    else if (sf_task_move_may(from, to, SF_TASK_BY_VERDICT))
        sf_strbuf_adds(out, sf_task_move_may(from, to, SF_TASK_BY_PERSON) ? "verdict, person"
                                                                          : "verdict");
    else if (sf_task_move_is_legal(from, to))
        sf_strbuf_adds(out, "person");
}

static void add_moves(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "\n## States\n\n| From |");
    for (int to = 0; to < SF_TASK_STATES; to++)
        sf_strbuf_addf(out, " %s |", sf_task_states[to]);
    sf_strbuf_adds(out, "\n|---|");
    for (int to = 0; to < SF_TASK_STATES; to++)
        sf_strbuf_adds(out, "---|");
    for (int from = 0; from < SF_TASK_STATES; from++) {
        sf_strbuf_addf(out, "\n| `%s` |", sf_task_states[from]);
        for (int to = 0; to < SF_TASK_STATES; to++) {
            sf_strbuf_addch(out, ' ');
            add_movers(out, (enum sf_task_state)from, (enum sf_task_state)to);
            sf_strbuf_adds(out, " |");
        }
    }
    sf_strbuf_adds(out,
                   "\n\nA move that has no word in this table does not exist. *verdict* is the "
                   "run with a verification that passed,\n*run* the run without one, *either* "
                   "the run or a person. A task whose program died is put back to `retrying`\n"
                   "or `todo`, never forward.\n");
}

void sf_plan_doc(struct sf_strbuf *out)
{
    sf_strbuf_adds(
        out,
        "# Plans\n\nA plan is a Markdown file, `.sf/plans/NAME.md`: frontmatter with `title` and "
        "perhaps `goal`, then milestones\n(`## M1 Title`), in them slices (`### S1 Title`), in "
        "them tasks (`#### T1 Title`). The number of `#` goes with\nthe letter; numbers are yours "
        "and stand once. `sf plan check FILE` reads one, `sf plan import FILE` makes one\nfrom a "
        "checklist (`- [ ] item`).\n\n```markdown\n");
    sf_strbuf_adds(out, sf_plan_example);
    sf_strbuf_adds(out, "```\n\n");
    add_fields(out);
    sf_strbuf_adds(
        out,
        "\nA task consists of bullets `- field: value`. What is indented below a bullet belongs to "
        "its value; `files` and\n`depends_on` may also be given as one item a line. Other words "
        "below a heading are notes, and fenced code\nis never read as headings or "
        "fields. Whatever looks like a part of the plan and is none is an error with its\nplace: a "
        "field with a wrong name, a heading without an id, an id that stands twice, a dependency "
        "that does not\nexist or leads back to itself. Characters that nobody sees are refused.\n\n"
        "An accepted plan is bound to the SHA-256 of its bytes: one changed byte is another "
        "plan.\n");
    add_moves(out);
}
