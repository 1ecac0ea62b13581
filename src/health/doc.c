/*
 * doc.c: the table of checks as a document, so that what is written about them is what they are.
 */
#include "health/internal.h"

static const char intro[] =
    "# The doctor\n\n"
    "Made by `./dev docs` from the table in `src/health/checks.c`.\n\n"
    "`sf doctor`, or `/doctor` in the terminal, looks at the installation, the project and what sf\n"
    "keeps about it, and changes nothing. A group in which all is well is one line; `--all` shows\n"
    "every check, `--json` all of it as data. The exit code is 1 when there is a warning or worse.\n\n"
    "    sf doctor fix [--dry-run] [CHECK…]   repair what can be repaired safely\n"
    "    sf doctor undo [NUMBER]              take the last repair back, or that one\n"
    "    sf doctor --gate                     whether work may be dispatched; 1: it may not\n\n"
    "A repair moves a file away, sets permissions, changes a cell of the store or empties the\n"
    "store's log; nothing is deleted. What was there before is written down first, in `doctor/` of\n"
    "the project's state directory, so every repair can be undone. A task with nobody there is to be\n"
    "tried again; no repair leads a task towards done. What only the user can decide, such as a\n"
    "merge, is named with the command that settles it, and left alone.\n\n"
    "Checks marked *gate* keep the autonomous loop from dispatching work. One that fails itself does\n"
    "so too.\n\n"
    "| Group | Check | Looks for | Gate |\n"
    "|---|---|---|---|\n";

void sf_health_doc(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, intro);
    for (size_t i = 0; i < sf_health_check_count; i++) {
        const struct sf_health_check *c = &sf_health_checks[i];

        sf_strbuf_addf(out, "| %s | `%s` | %s | %s |\n", c->group, c->name, c->about,
                       !c->blocks                       ? ""
                       : c->blocks == SF_HEALTH_WARNING ? "from a warning on"
                                                        : "a problem");
    }
}
