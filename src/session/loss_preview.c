/*
 * loss_preview.c: what a call would delete, and whether that can be restored. A worker looks it up
 * before the user is asked, so that the question names files and counts. The look is short: the
 * text says when it was incomplete, and promises a way back only for what a snapshot holds.
 *
 * Snapshots leave out ignored files and those of other repositories. Files that a tool names are
 * added to the snapshot before the tool runs; what a command touches is copied first, within limits
 * that are not known to be kept beforehand (cover.c).
 */
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "session/snapshots.h"

enum {
    SHOWN = 5,     /* names in the sentence; all of them are in the list */
    NAMES = 10000, /* names in the list, and names that one pattern is looked up for */
    LOOKS_MS = 1500,
};

enum loses {
    LOSES_UNKNOWN,
    LOSES_PATHS,
    LOSES_UNTRACKED, /* files that git does not track */
    LOSES_IGNORED,   /* untracked files, and those that git ignores */
    LOSES_CHANGES,   /* changes that are not committed */
};

static const struct {
    const char *rule;
    enum loses loses;
} rules[] = {
    { "git-clean", LOSES_UNTRACKED },
    { "git-reset-hard", LOSES_CHANGES },
    { "git-discard", LOSES_CHANGES },
};

struct look {
    struct sf_snapshot_job job;
    enum loses loses;
    enum sf_snapshot_cover cover;
    char *root;
    bool git_runs;
    bool more, unseen;             /* the list is incomplete; git could not be asked */
    bool missed;                   /* a path was not looked at */
    struct sf_strlist paths, like; /* paths and patterns below the root */
    struct sf_strlist outside;
    struct sf_losses losses;

    bool is_tool; /* the tool names each file, so each is added to the snapshot */
    bool copies;  /* a record of the command copies what snapshots leave out */

    struct sf_strbuf lost, lacks; /* what would be lost, and what of that no snapshot holds */
    struct sf_strbuf copied;      /* what of it is copied first, if it is few and small */
    size_t named, unnamed;        /* names in the list, and those for which there was no room */
    int64_t until_ms;             /* when looking ends */
    uint64_t ignored, large, unkept, repositories;
    bool machinery, some_kept, late;

    bool confirms; /* a confirmation given beforehand has to know */
    struct sf_deletion deletion;
    struct sf_loss_cover turn;
    bool by_link; /* a name leads through a link, or is one that is followed */
};

static void list_add(struct sf_strbuf *out, const char *text)
{
    sf_strbuf_addf(out, "%s%s", out->len ? ", " : "", text);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Names are kept as they are: the surface marks what would not be seen in them. */
static void name(struct look *l, const char *path, const char *note)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    if (l->named >= NAMES) {
        l->unnamed++;
        return;
    }
    sf_strbuf_adds(&line, path);
    if (*note)
        sf_strbuf_addf(&line, " (%s)", note);
    if (l->named++ < SHOWN)
        list_add(&l->lost, line.buf);
    sf_strlist_adopt(&l->losses.names, sf_strbuf_detach(&line));
}

/* ---- paths ---- */

static bool is_large(const struct look *l, const char *path)
{
    char *full = sf_path_join(l->root, path);
    struct stat st;
    bool is = lstat(full, &st) < 0 || st.st_size > SF_SNAP_FILE_MAX;

    free(full);
    return is;
}

/* A file that a tool names is kept though it is ignored or of another repository. */
static void weigh_named(struct look *l, const char *path)
{
    if (is_large(l, path))
        l->large++;
    else
        l->some_kept = true;
}

static void weigh(struct look *l, const char *path, const struct sf_snap_survey *s)
{
    if (l->is_tool && !s->is_dir && !s->is_machinery && (s->ignored || s->repositories)) {
        weigh_named(l, path);
        return;
    }
    l->machinery = l->machinery || s->is_machinery;
    l->repositories += s->repositories;
    l->ignored += s->ignored;
    l->large += s->large;
    l->unkept += s->unkept;
    l->some_kept = l->some_kept || (!s->is_machinery && s->files > s->ignored + s->large);
    l->late = l->late || s->late;
}

static void name_survey(struct look *l, const char *path, const struct sf_snap_survey *s)
{
    struct sf_strbuf shown = SF_STRBUF_INIT, note = SF_STRBUF_INIT;

    sf_strbuf_adds(&shown, *path ? path : ".");
    if (s->is_dir && shown.buf[shown.len - 1] != '/')
        sf_strbuf_adds(&shown, "/");
    if (!s->is_there)
        sf_strbuf_adds(&note, "not there");
    else if (s->is_machinery)
        sf_strbuf_adds(&note, "the repository's own records");
    else if (s->is_dir && !s->files && s->repositories)
        sf_strbuf_adds(&note, "a repository of its own");
    else if (s->is_dir)
        sf_strbuf_addf(&note, "%s%llu file%s", s->late ? "more than " : "",
                       (unsigned long long)s->files, plural(s->files));
    name(l, shown.buf, note.buf);
    sf_strbuf_release(&shown);
    sf_strbuf_release(&note);
}

static void leave_out(struct look *l, const char *path, const char *why)
{
    name(l, path, why);
    l->more = l->missed = true;
}

static void look_at(struct look *l, const char *path)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap_survey survey;

    if (sf_clock_monotonic_ms() < l->until_ms &&
        sf_snap_look(l->root, path, &l->job.cancel, &survey, &err)) {
        weigh(l, path, &survey);
        sf_strlist_add(&l->deletion.paths, path);
        if (l->loses == LOSES_CHANGES)
            name(l, path, "");
        else
            name_survey(l, path, &survey);
    } else {
        leave_out(l, path, "not looked at");
    }
}

static bool ends_with_slash(const char *text)
{
    size_t n = strlen(text);

    return n && text[n - 1] == '/';
}

static bool is_link(const struct look *l, const char *path)
{
    char *full = sf_path_join(l->root, path);
    struct stat st;
    bool is = lstat(full, &st) == 0 && S_ISLNK(st.st_mode);

    free(full);
    return is;
}

/* Patterns are looked up in the last part only, and sets of letters are the shell's to read. */
static void look_like(struct look *l, const char *text)
{
    bool follows = ends_with_slash(text);
    char *pattern = sf_strndup(text, strlen(text) - follows), *last = strrchr(pattern, '/');
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strlist found = SF_STRLIST_INIT;

    l->missed = l->missed || strchr(pattern, '[');
    if ((last && strcspn(pattern, "*?[") < (size_t)(last - pattern)) ||
        !sf_snap_match(l->root, pattern, NAMES, &found, &err))
        leave_out(l, text, "not looked at");
    else if (!found.count)
        name(l, text, "fits nothing");
    l->more = l->more || found.count >= NAMES;
    l->missed = l->missed || !found.count || found.count >= NAMES;
    for (size_t k = 0; k < found.count; k++)
        if (follows && is_link(l, found.items[k]))
            leave_out(l, found.items[k], "a link: what is in it goes");
        else
            look_at(l, found.items[k]);
    sf_strlist_release(&found);
    free(pattern);
}

static void look_at_all(struct look *l)
{
    for (size_t i = 0; i < l->paths.count; i++)
        look_at(l, l->paths.items[i]);
    for (size_t i = 0; i < l->like.count; i++)
        look_like(l, l->like.items[i]);
    for (size_t i = 0; i < l->outside.count; i++)
        name(l, l->outside.items[i], "outside the workspace");
    if (l->outside.count)
        list_add(&l->lacks, "what lies outside the workspace");
}

/* ---- git ---- */

static bool counts(const struct look *l, const char *status)
{
    bool untracked = !strncmp(status, "??", 2), ignored = !strncmp(status, "!!", 2);

    if (l->loses == LOSES_CHANGES)
        return !untracked && !ignored;
    return untracked || (ignored && l->loses == LOSES_IGNORED);
}

static void look_at_entry(void *ctx, const char *status, const char *path)
{
    struct look *l = ctx;

    if (counts(l, status))
        look_at(l, path);
}

/* Where settings of the repository could make git run programs (`git_runs`), git is not asked. */
static void look_at_git(struct look *l)
{
    l->unseen = l->git_runs || !sf_loss_git_status(l->root, look_at_entry, l);
}

/* ---- sentences ---- */

static const char *const what[] = {
    [LOSES_UNKNOWN] = "the text does not tell",
    [LOSES_PATHS] = "",
    [LOSES_UNTRACKED] = "files git does not track",
    [LOSES_IGNORED] = "files git does not track, ignored ones too",
    [LOSES_CHANGES] = "what is not committed",
};

SF_PRINTF(3, 4)
static void say(struct look *l, enum sf_loss_kind kind, const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    free(l->losses.text[kind]);
    l->losses.text[kind] = sf_strbuf_detach(&text);
}

void sf_losses_release(struct sf_losses *losses)
{
    for (int i = 0; i < SF_LOSS_COUNT; i++)
        free(losses->text[i]);
    sf_strlist_release(&losses->names);
    *losses = (struct sf_losses){ .names = SF_STRLIST_INIT };
}

static void say_lost(struct look *l)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    sf_strbuf_adds(&out, what[l->loses]);
    if (l->loses == LOSES_PATHS && l->more)
        sf_strbuf_adds(&out, "at least ");
    else if (l->loses > LOSES_PATHS)
        sf_strbuf_adds(&out, l->unseen  ? "; which ones was not looked up"
                             : l->named ? ", at most "
                                        : ": nothing now");
    sf_strbuf_add(&out, l->lost.buf, l->lost.len);
    if (l->named + l->unnamed > SHOWN)
        sf_strbuf_addf(&out, " and %zu more", l->named + l->unnamed - SHOWN);
    else
        sf_strlist_release(&l->losses.names);
    if (l->unnamed)
        sf_strlist_addf(&l->losses.names, "and %zu more, too many to name", l->unnamed);
    l->losses.text[SF_LOSS_LOST] = sf_strbuf_detach(&out);
}

static void add_counts(struct look *l)
{
    char text[64];

    if (l->ignored) {
        snprintf(text, sizeof(text), "%llu ignored file%s", (unsigned long long)l->ignored,
                 plural(l->ignored));
        list_add(l->copies ? &l->copied : &l->lacks, text);
    }
    if (l->large) {
        snprintf(text, sizeof(text), "%llu file%s over %d MiB", (unsigned long long)l->large,
                 plural(l->large), SF_SNAP_FILE_MAX >> 20);
        list_add(&l->lacks, text);
    }
    if (l->unkept) {
        snprintf(text, sizeof(text), "%llu that cannot be read", (unsigned long long)l->unkept);
        list_add(&l->lacks, text);
    }
    if (l->repositories)
        list_add(&l->lacks, "repositories of their own");
    if (l->machinery)
        list_add(&l->lacks, "the repository's own records");
    if (l->loses == LOSES_CHANGES)
        list_add(&l->lacks, "what is staged");
}

static void say_none(struct look *l, const char *why)
{
    say(l, SF_LOSS_SNAPSHOT, "none: %s", why);
    say(l, SF_LOSS_BACK, "no way: sf cannot put it back");
}

static const char copied_first[] = "copied first if few and small";

static void say_unsure(struct look *l, const char *when)
{
    if (l->copies)
        say(l, SF_LOSS_SNAPSHOT,
            "of the workspace's files, %s; ignored ones are %s, all outside of it is not kept",
            when, copied_first);
    else
        say(l, SF_LOSS_SNAPSHOT,
            "of the workspace's files, %s; ignored ones and all outside of it are not kept", when);
}

/* `none`: nothing of it is in the snapshot. */
static void say_sure(struct look *l, const char *when, bool none)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (none && l->lacks.len)
        sf_strbuf_addf(&text, "does not cover this: %s", l->lacks.buf);
    else if (l->lacks.len)
        sf_strbuf_addf(&text, "%s, but without %s", when, l->lacks.buf);
    else if (!l->copied.len)
        sf_strbuf_addf(&text, "covers all of it, %s", when);
    else if (!none)
        sf_strbuf_adds(&text, when);
    if (l->copied.len)
        sf_strbuf_addf(&text, "%s%s: %s", text.len ? "; " : "", l->copied.buf, copied_first);
    say(l, SF_LOSS_SNAPSHOT, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void say_covered(struct look *l)
{
    const char *when =
        l->cover == SF_COVER_HAS ? "taken before this turn's first change" : "taken before it runs";
    bool sure = l->loses != LOSES_UNKNOWN && !l->more && !l->unseen && !l->late;
    bool partly = !sure || l->lacks.len || l->copied.len;
    bool none = sure && (l->lacks.len || l->copied.len) && !l->some_kept && l->named;

    if (sure)
        say_sure(l, when, none);
    else
        say_unsure(l, when);
    if (none && !l->copied.len)
        say(l, SF_LOSS_BACK, "no way: sf cannot put it back");
    else
        say(l, SF_LOSS_BACK, "/undo takes the whole turn back%s",
            partly ? ", as far as the snapshot goes" : "");
}

/* ---- what was confirmed beforehand ---- */

SF_PRINTF(2, 3)
static void lacks(struct look *l, const char *format, ...)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&out, format, args);
    va_end(args);
    l->deletion.lacks = sf_strbuf_detach(&out);
}

/* What is not known to be in a snapshot as a whole is not covered. */
static void find_cover(struct look *l, struct sf_snap *snap)
{
    bool kept = l->cover == SF_COVER_HAS || l->cover == SF_COVER_WILL;

    l->deletion.known = l->loses == LOSES_PATHS && !l->missed && !l->late;
    if (!snap || !kept)
        lacks(l, "no snapshot is taken");
    else if (l->lacks.len || l->copied.len)
        lacks(l, "no snapshot is sure to hold %s", l->lacks.len ? l->lacks.buf : l->copied.buf);
    else if (!l->deletion.known)
        lacks(l, "what it would delete is not known");
    else if (l->by_link)
        lacks(l, "a name leads through a link");
    else if (sf_loss_cover_check(&l->turn, snap, l->root, &l->deletion.paths))
        l->deletion.whole = true;
    else
        lacks(l, "%s", l->turn.gap);
}

static void run_look(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct look *l = (struct look *)job;

    l->until_ms = sf_clock_monotonic_ms() + LOOKS_MS;
    if (l->loses == LOSES_PATHS)
        look_at_all(l);
    else if (l->loses != LOSES_UNKNOWN)
        look_at_git(l);
    say_lost(l);
    add_counts(l);
    if (l->cover == SF_COVER_OFF)
        say_none(l, "snapshots are switched off");
    else if (l->cover == SF_COVER_FAILED)
        say_none(l, "this turn's could not be taken");
    else if (!snap)
        say_none(l, job->err.msg);
    else
        say_covered(l);
    if (l->confirms)
        find_cover(l, snap);
}

/* The call, if it still waits, takes what was found. */
static void hand_over(struct look *l, struct sf_call *c)
{
    sf_losses_release(&c->card.losses);
    c->card.losses = l->losses;
    l->losses = (struct sf_losses){ .names = SF_STRLIST_INIT };
    if (!l->confirms)
        return;
    c->card.deletion = l->deletion;
    c->card.looked = true;
    l->deletion = (struct sf_deletion){ .paths = SF_STRLIST_INIT };
}

static void look_done(struct sf_snapshot_job *job)
{
    struct look *l = (struct look *)job;
    struct sf_call *c = job->call;

    if (c && !c->session->dead) {
        hand_over(l, c);
        sf_call_next(c);
    }
    free(l->root);
    sf_strlist_release(&l->paths);
    sf_strlist_release(&l->like);
    sf_strlist_release(&l->outside);
    sf_losses_release(&l->losses);
    sf_strbuf_release(&l->lost);
    sf_strbuf_release(&l->lacks);
    sf_strbuf_release(&l->copied);
    sf_strlist_release(&l->deletion.paths);
    free(l->deletion.lacks);
    sf_loss_cover_release(&l->turn);
    free(l);
}

/* ---- what to look at ---- */

/* Removing a link removes the link itself; with a slash behind its name, what it leads to. */
static bool find_place(const struct sf_policy_context *g, const char *path, bool follows,
                       struct sf_place *place)
{
    static const enum sf_place_want wants[] = { SF_WANT_NAME, SF_WANT_DIR, SF_WANT_ANY };
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = follows; i < SF_COUNT(wants); i++)
        if (sf_place_resolve(&g->root, path, strlen(path), wants[i], place, &err))
            return true;
    return false;
}

static void add_path(struct look *l, const struct sf_policy_context *g, const char *text,
                     const char *cwd)
{
    char *path = sf_policy_context_spelled(g, text, cwd);
    struct sf_place place = SF_PLACE_INIT;

    if (!find_place(g, path, ends_with_slash(text), &place))
        sf_strlist_add(&l->outside, path);
    else
        sf_strlist_add(place.inside ? &l->paths : &l->outside, place.real);
    l->by_link = l->by_link || place.via.count;
    sf_place_release(&place);
    free(path);
}

/* A slash at the end stays: it follows links. */
static void add_pattern(struct look *l, const struct sf_policy_context *g, const char *text,
                        const char *cwd)
{
    char *path = sf_policy_context_spelled(g, text, cwd);

    if (*path == '/' || strstr(path, ".."))
        sf_strlist_add(&l->outside, path);
    else
        sf_strlist_addf(&l->like, "%s%s", path, ends_with_slash(text) ? "/" : "");
    free(path);
}

static void add_report(struct look *l, const struct sf_call *c)
{
    const struct sf_shell_report *report = &c->judged.report;
    const struct sf_policy_context *g = c->session->setup.policy;
    const char *cwd = c->judged.action.cwd;

    for (size_t i = 0; i < SF_COUNT(rules); i++)
        if (!strcmp(report->rule, rules[i].rule))
            l->loses = rules[i].loses;
    for (size_t i = 0; l->loses == LOSES_UNTRACKED && i < report->options.count; i++)
        if (report->options.items[i][1] != '-' && strpbrk(report->options.items[i], "xX"))
            l->loses = LOSES_IGNORED;
    if (l->loses != LOSES_UNKNOWN || (!report->removes.count && !report->removes_like.count))
        return;
    l->loses = LOSES_PATHS;
    l->more = report->removes_more || report->programs.count > 1;
    for (size_t i = 0; i < report->removes.count; i++)
        add_path(l, g, report->removes.items[i], cwd);
    for (size_t i = 0; i < report->removes_like.count; i++)
        add_pattern(l, g, report->removes_like.items[i], cwd);
}

static void add_targets(struct look *l, const struct sf_call *c)
{
    for (size_t i = 0; i < c->tool_call->target_count; i++) {
        const struct sf_tool_call_target *t = &c->tool_call->targets[i];

        if (t->act != SF_ACT_DELETE || !t->place.real)
            continue;
        l->loses = LOSES_PATHS;
        sf_strlist_add(t->place.inside ? &l->paths : &l->outside, t->place.real);
    }
}

/* A snapshot that is being taken, or failed, is none. */
static void add_turn(struct look *l, struct sf_snapshots *k)
{
    l->confirms = true;
    if (k->before != SF_SNAPSHOT_TAKEN && k->before != SF_SNAPSHOT_NONE)
        l->cover = SF_COVER_FAILED;
    sf_loss_cover_init(&l->turn, k);
}

void sf_loss_preview_begin(struct sf_call *c)
{
    struct look *l = sf_alloc(sizeof(*l));
    const struct sf_session *s = c->session;
    const struct sf_confine_call command = { .judged = &c->judged, .trusted = c->axes.trust };
    struct sf_git_helpers helpers = { 0 };

    l->root = sf_strdup(s->setup.workspace->root);
    sf_git_reach_from(s->setup.policy->git, l->root, &helpers);
    l->git_runs = sf_git_helpers_key(&helpers, "status") != NULL;
    l->cover = sf_snapshot_cover(s->snapshots);
    l->losses = (struct sf_losses){ .names = SF_STRLIST_INIT };
    sf_strbuf_init(&l->lost);
    sf_strbuf_init(&l->lacks);
    sf_strbuf_init(&l->copied);
    l->deletion.paths = (struct sf_strlist)SF_STRLIST_INIT;
    l->turn = (struct sf_loss_cover)SF_LOSS_COVER_INIT;
    if (s->setup.policy->confirmation && !c->card.looked)
        add_turn(l, s->snapshots);
    l->is_tool = !c->judged.has_report;
    l->copies = !l->is_tool && sf_write_record_works() && sf_confine_records(s->confine, &command);
    if (l->is_tool)
        add_targets(l, c);
    else
        add_report(l, c);
    l->job =
        (struct sf_snapshot_job){ .run = run_look, .done = look_done, .call = c, .bare = true };
    sf_snapshots_start(s->snapshots, &l->job);
}
