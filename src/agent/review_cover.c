/*
 * review_cover.c: what a report covers. A change that nobody was shown is not clean, so a report names
 * the files of which its reviewer saw no line; and what was reported once is not taken back by a
 * later report, which can only say more.
 */
#include <stdlib.h>
#include <string.h>

#include "agent/review.h"

/* ---- what was seen ---- */

/* A file that was renamed, or whose mode changed, has no line to be seen. */
static bool has_lines(const struct sf_review_file *f)
{
    return f->added < 0 || f->added + f->removed > 0;
}

static void add_unseen(struct sf_review_report *r, const char *path)
{
    if (r->unseen.count < SF_UNSEEN_NAMES)
        sf_strlist_add(&r->unseen, path);
    r->unseen_count++;
}

static bool saw_something(const struct sf_review_diff *diff)
{
    bool any_lines = false;

    for (size_t i = 0; i < diff->count; i++) {
        if (diff->files[i].shown || diff->files[i].seen)
            return true;
        any_lines = any_lines || has_lines(&diff->files[i]);
    }
    return !any_lines && diff->count;
}

static void settle_verdict(struct sf_review_report *r, bool saw)
{
    free(r->reason);
    r->reason = NULL;
    r->verdict = r->unseen_count ? SF_REVIEW_PART : SF_REVIEW_CLEAN;
    if (r->count) {
        r->verdict = SF_REVIEW_FINDINGS;
    } else if (r->unseen_count && !saw) {
        r->verdict = SF_REVIEW_NOT_DONE;
        r->reason = sf_strdup("the model saw no line of the change");
    }
}

void sf_review_report_cover(struct sf_review_report *r, const struct sf_review_diff *diff,
                            const struct sf_strlist *withheld)
{
    sf_strlist_release(&r->unseen);
    r->unseen_count = diff->more;
    for (size_t i = 0; i < withheld->count; i++)
        add_unseen(r, withheld->items[i]);
    for (size_t i = 0; i < diff->count; i++)
        if (has_lines(&diff->files[i]) && !diff->files[i].shown && !diff->files[i].seen)
            add_unseen(r, diff->files[i].path);
    settle_verdict(r, saw_something(diff));
}

void sf_review_unseen_add(const struct sf_review_report *r, const char *before, const char *behind,
                          struct sf_strbuf *out)
{
    for (size_t i = 0; i < r->unseen.count; i++) {
        sf_strbuf_adds(out, before);
        sf_text_sanitize(out, r->unseen.items[i], strlen(r->unseen.items[i]), SF_TEXT_ONE_LINE);
        sf_strbuf_adds(out, behind);
    }
    if (r->unseen_count > r->unseen.count)
        sf_strbuf_addf(out, "%sand %zu more%s", before, r->unseen_count - r->unseen.count, behind);
}

/* ---- commands that show a file ---- */

/* Whether the name stands there as a word, or behind the colon of "REVISION:PATH". */
static bool names(const char *command, const char *path)
{
    size_t len = strlen(path);

    for (const char *at = command; len && (at = strstr(at, path)); at += len) {
        char before = '\0', behind = at[len];

        if (at > command)
            before = at[-1];
        if (before && strchr(" :'\"/", before) && (!behind || strchr(" '\"|;)", behind)) &&
            (before != '/' || (at - command > 1 && at[-2] == '.')))
            return true;
    }
    return false;
}

/* What goes into a file is not seen; only complaints may. */
static bool goes_elsewhere(const char *command)
{
    for (const char *at = command; (at = strchr(at, '>')); at++)
        if (at == command || at[-1] != '2')
            return true;
    return false;
}

bool sf_review_command_shows(const char *command, const char *path)
{
    static const char *const readers[] = { "git show ",   "git diff ", "git blame ", "git log -p ",
                                           "cat ",        "head ",     "tail ",      "nl ",
                                           "sed -n ",     "less ",     "xxd ",       "strings ",
                                           "hexdump -C ", NULL };

    command += strspn(command, " \t\n");
    for (size_t i = 0; readers[i]; i++)
        if (!strncmp(command, readers[i], strlen(readers[i])))
            return !goes_elsewhere(command) && names(command, path);
    return false;
}

/* ---- one report behind another ---- */

static bool same_place(const struct sf_finding *a, const struct sf_finding *b)
{
    return a->line == b->line && !strcmp(a->file, b->file);
}

/* The finding of the later report that says the same; NULL: none. */
static struct sf_finding *find_again(struct sf_review_report *r, const struct sf_finding *earlier,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(r->findings[i].title, earlier->title) || same_place(&r->findings[i], earlier))
            return &r->findings[i];
    return NULL;
}

void sf_review_report_join(struct sf_review_report *r, struct sf_review_report *earlier)
{
    size_t own = r->count;

    for (size_t i = 0; i < earlier->count; i++) {
        struct sf_finding *old = &earlier->findings[i], *again = find_again(r, old, own);

        if (again && old->severity < again->severity)
            again->severity = old->severity;
        if (again)
            continue;
        r->findings = sf_grow(r->findings, &r->cap, r->count + 1, sizeof(*r->findings));
        r->findings[r->count++] = *old;
        *old = (struct sf_finding){ .severity = SF_SEVERITY_NOTE };
    }
    sf_review_report_sort(r);
}
