/*
 * review_places.c: whether the places are there that findings name. What was reviewed is at hand,
 * so places in it are found at once; files beside it are read on a worker, each once, whatever the
 * order of the findings. A place that nobody looked up is said to be that, never to be missing.
 */
#include <string.h>

#include "base/base.h"
#include "session/internal.h"

enum {
    FILES_READ = 16,          /* files in which places are looked up */
    FILE_BYTES = 1024 * 1024, /* of each of them */
};

/* The worker has the report to itself; root and places are made once, and it may read them. */
struct places_job {
    struct sf_snapshot_job job;
    const struct sf_place_root *root;
    const struct sf_path_places *places;
    struct sf_review_report report;
    sf_review_places_fn *fn;
};

/* ---- in what was reviewed ---- */

static void find_in_diff(const struct sf_session *s, struct sf_finding *f)
{
    struct sf_strbuf context = SF_STRBUF_INIT;
    const struct sf_review_file *file = NULL;

    while (!strncmp(f->file, "./", 2))
        memmove(f->file, f->file + 2, strlen(f->file + 2) + 1);
    if (s->review.has_diff)
        file = sf_review_diff_find(&s->review.diff, f->file);
    f->spot = file && (!f->line || sf_review_file_has(file, f->line, f->end_line))
                  ? SF_SPOT_DIFF
                  : SF_SPOT_UNCHECKED;
    if (f->spot == SF_SPOT_DIFF && f->line)
        sf_review_diff_context(&s->review.diff, file, f->line, &context);
    free(f->context);
    f->context = context.len ? sf_strbuf_detach(&context) : NULL;
    sf_strbuf_release(&context);
}

/* ---- in files ---- */

static bool may_show(const struct places_job *j, const struct sf_place *place)
{
    const struct sf_path_found found = { .real = place->real,
                                         .inside = place->inside,
                                         .via = (const char *const *)place->via.items,
                                         .via_count = place->via.count,
                                         .git_dir = place->git_dir,
                                         .links = place->st.st_nlink };

    return sf_path_classify(&found, j->places).zone == SF_PATH_INSIDE;
}

/* Whether there is such a file of the workspace, and its text. */
static enum sf_finding_spot read_file(const struct places_job *j, const char *path,
                                      struct sf_strbuf *text)
{
    enum sf_finding_spot spot = SF_SPOT_NONE;
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (sf_place_resolve(j->root, path, strlen(path), SF_WANT_FILE, &place, &ignored) &&
        place.inside && place.kind == SF_PLACE_FILE)
        spot = may_show(j, &place) && sf_place_read(&place, FILE_BYTES, text, &ignored)
                   ? SF_SPOT_FILE
                   : SF_SPOT_UNCHECKED;
    sf_place_release(&place);
    return spot;
}

static int64_t lines_of(const struct sf_strbuf *text)
{
    int64_t lines = text->len && text->buf[text->len - 1] != '\n';

    for (size_t i = 0; i < text->len; i++)
        lines += text->buf[i] == '\n';
    return lines;
}

static void find_line(struct sf_finding *f, const struct sf_strbuf *text, int64_t lines)
{
    struct sf_strbuf context = SF_STRBUF_INIT;

    f->spot = f->end_line <= lines ? SF_SPOT_FILE : SF_SPOT_NONE;
    if (f->spot == SF_SPOT_FILE && f->line)
        sf_review_text_context(text->buf, text->len, f->line, &context);
    f->context = context.len ? sf_strbuf_detach(&context) : NULL;
    sf_strbuf_release(&context);
}

/* Reads the file that the finding names, for all findings that name it. */
static void look_into(struct places_job *j, size_t first)
{
    struct sf_finding *all = j->report.findings;
    struct sf_strbuf text = SF_STRBUF_INIT;
    enum sf_finding_spot spot = read_file(j, all[first].file, &text);
    int64_t lines = lines_of(&text);

    for (size_t i = j->report.count; i-- > first;) {
        if (all[i].spot != SF_SPOT_UNCHECKED || strcmp(all[i].file, all[first].file) != 0)
            continue;
        if (spot == SF_SPOT_FILE)
            find_line(&all[i], &text, lines);
        else
            all[i].spot = spot;
    }
    sf_strbuf_release(&text);
}

static void run_places(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct places_job *j = (struct places_job *)job;
    struct sf_strlist seen = SF_STRLIST_INIT;

    (void)snap;
    for (size_t i = 0; i < j->report.count && !atomic_load(&job->cancel); i++) {
        const struct sf_finding *f = &j->report.findings[i];

        if (f->spot != SF_SPOT_UNCHECKED || seen.count == FILES_READ ||
            sf_strlist_has(&seen, f->file))
            continue;
        sf_strlist_add(&seen, f->file);
        look_into(j, i);
    }
    sf_strlist_release(&seen);
    job->ok = true;
}

static void places_done(struct sf_snapshot_job *job)
{
    struct places_job *j = (struct places_job *)job;

    if (job->call && !job->call->session->dead)
        j->fn(job->call, &j->report);
    sf_review_report_release(&j->report);
    free(j);
}

/* ---- both ---- */

/* Files of the workspace say nothing about the state of another revision. */
static bool has_work(const struct sf_session *s, const struct sf_review_report *report)
{
    bool here = s->review.here || !s->review.has_diff;
    size_t unchecked = 0;

    for (size_t i = 0; i < report->count; i++)
        unchecked += report->findings[i].spot == SF_SPOT_UNCHECKED;
    return here && unchecked;
}

void sf_review_places(struct sf_call *c, struct sf_review_report *report, sf_review_places_fn *fn)
{
    const struct sf_session *s = c->session;
    struct places_job *j;

    for (size_t i = 0; i < report->count; i++)
        find_in_diff(s, &report->findings[i]);
    if (!has_work(s, report)) {
        fn(c, report);
        sf_review_report_release(report);
        return;
    }
    j = sf_alloc(sizeof(*j));
    *j = (struct places_job){ .root = &s->setup.policy->root,
                              .places = &s->setup.policy->places,
                              .report = *report,
                              .fn = fn };
    *report = (struct sf_review_report){ .count = 0 };
    j->job = (struct sf_snapshot_job){
        .run = run_places, .done = places_done, .call = c, .bare = true, .err = SF_ERROR_INIT
    };
    sf_snapshots_start(s->snapshots, &j->job);
}
