/*
 * review_git.c: the questions to git, one after the other: which settings to switch off, which
 * revisions are meant, which files changed, by how much, and how. Lists are split at NUL.
 */
#include "session/review_git.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "io/io.h"
#include "judge/judge.h"
#include "session/review_ask.h"

enum {
    FRESH_MAX = 200,         /* new files that are read */
    FRESH_BYTES = 64 * 1024, /* of each of them */
    SHOWN_FILES = 300,       /* files whose hunks are asked for */
    SHOWN_LINES = 4000,      /* changed lines of one of them */
};

void sf_review_look_release(struct sf_review_look *l)
{
    sf_review_what_release(&l->what);
    sf_review_diff_release(&l->diff);
    sf_strlist_release(&l->withheld);
    sf_review_secrets_release(&l->secrets);
    sf_strlist_release(&l->env);
    sf_cage_free(l->cage);
    free(l->excludes);
    free(l->below);
    free(l->title);
    free(l->state);
    *l = (struct sf_review_look){ .cage = NULL };
}

/* ---- lines ---- */

static bool count_lines(struct sf_review_look *l, const struct sf_review_span *span,
                        struct sf_error *err)
{
    static const char *const words[] = { "--numstat", "-z", "-M", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer;
    struct sf_review_args a;
    bool ok;

    sf_review_args_diff(l, &a, words, span);
    sf_review_paths_add(l, &a);
    for (size_t i = 0; i < l->withheld.count; i++)
        sf_review_args_spec(&a, "exclude,literal", l->withheld.items[i]);
    answer = sf_review_ask(l, &a, SF_REVIEW_LIST_BYTES, &out, err);
    ok = answer == SF_REVIEW_ANSWER_YES && sf_review_diff_stat(&l->diff, out.buf, out.len);
    sf_strbuf_release(&out);
    return ok || sf_review_cannot(l, err, answer);
}

/* Asks for hunks of the files that are small enough to be shown, by their names alone. */
static bool read_hunks(struct sf_review_look *l, const struct sf_review_span *span,
                       struct sf_error *err)
{
    static const char *const words[] = { "--patch", "-M", "--unified=4", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer = SF_REVIEW_ANSWER_YES;
    size_t wanted = 0;
    struct sf_review_args a;

    sf_review_args_diff(l, &a, words, span);
    sf_review_args_add(&a, "--");
    for (size_t i = 0;
         i < l->diff.count && wanted < SHOWN_FILES && sf_review_args_fit(&a, l->diff.files[i].path);
         i++) {
        const struct sf_review_file *f = &l->diff.files[i];

        if (f->added < 0 || f->added + f->removed == 0 || f->added + f->removed > SHOWN_LINES)
            continue;
        sf_review_args_spec(&a, "literal", f->path);
        if (f->from)
            sf_review_args_spec(&a, "literal", f->from);
        wanted++;
    }
    if (wanted)
        answer = sf_review_ask(l, &a, SF_REVIEW_PATCH_BYTES, &out, err);
    else
        sf_strlist_release(&a.list);
    if (answer != SF_REVIEW_ANSWER_NO)
        sf_review_diff_patch(&l->diff, out.buf, out.len);
    sf_strbuf_release(&out);
    return answer != SF_REVIEW_ANSWER_NO || sf_review_cannot(l, err, answer);
}

/* ---- new files ---- */

static void read_fresh(struct sf_review_look *l, const char *path, bool wanted)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool there = wanted &&
                 sf_place_resolve(l->root, path, strlen(path), SF_WANT_FILE, &place, &ignored) &&
                 place.inside && place.kind == SF_PLACE_FILE && !place.via.count &&
                 sf_place_read_head(&place, FRESH_BYTES, &text, &ignored);

    sf_review_diff_fresh(&l->diff, path, there ? text.buf : NULL, text.len,
                         there && (size_t)place.st.st_size <= text.len);
    sf_place_release(&place);
    sf_strbuf_release(&text);
}

static bool find_fresh(struct sf_review_look *l, struct sf_error *err)
{
    static const char *const words[] = { "ls-files", "--others", "--exclude-standard", "-z", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    size_t read = 0;
    enum sf_review_answer answer;
    struct sf_review_args a;

    sf_review_args_begin(l, &a, words);
    sf_review_paths_add(l, &a);
    answer = sf_review_ask(l, &a, SF_REVIEW_LIST_BYTES, &out, err);
    for (size_t at = 0; answer == SF_REVIEW_ANSWER_YES && at < out.len;
         at += strlen(out.buf + at) + 1)
        if (!sf_review_withhold(l, out.buf + at))
            read_fresh(l, out.buf + at, read++ < FRESH_MAX && !atomic_load(l->cancel));
    sf_strbuf_release(&out);
    return sf_review_withheld_fit(l, err) &&
           (answer == SF_REVIEW_ANSWER_YES || sf_review_cannot(l, err, answer));
}

/* ---- all of it ---- */

static void make_title(struct sf_review_look *l, const struct sf_review_span *span)
{
    const struct sf_review_what *w = &l->what;
    struct sf_strbuf t = SF_STRBUF_INIT;

    l->nothing = !l->diff.count && !l->withheld.count;
    if (l->nothing && w->of != SF_REVIEW_OF_CHANGES && w->of != SF_REVIEW_OF_STAGED)
        sf_strbuf_adds(&t, "changes in ");
    if (w->of == SF_REVIEW_OF_CHANGES || w->of == SF_REVIEW_OF_STAGED)
        sf_strbuf_adds(&t, w->of == SF_REVIEW_OF_STAGED ? "staged changes" : "uncommitted changes");
    else if (w->of == SF_REVIEW_OF_PULL)
        sf_strbuf_addf(&t, "pull request %" PRId64, w->number);
    else if (w->of == SF_REVIEW_OF_NAME)
        sf_strbuf_addf(&t, "%s (%.10s..%.10s)", w->from, span->from.buf, span->to.buf);
    else
        sf_strbuf_addf(&t, "%s%s%s", w->from, w->of == SF_REVIEW_OF_FORK ? "..." : "..", w->to);
    for (size_t i = 0; i < w->paths.count && i < 3; i++)
        sf_strbuf_addf(&t, "%s%s", i ? ", " : " of ", w->paths.items[i]);
    sf_strbuf_adds(&t, w->paths.count > 3 ? " and others" : "");
    if (!l->nothing)
        sf_strbuf_addf(&t, ": %zu file%s, +%" PRId64 " -%" PRId64,
                       l->diff.count + l->diff.more + l->withheld.count,
                       l->diff.count + l->diff.more + l->withheld.count == 1 ? "" : "s",
                       l->diff.added, l->diff.removed);
    l->title = sf_strbuf_detach(&t);
}

static bool note_state(struct sf_review_look *l, const struct sf_review_span *span,
                       struct sf_error *err)
{
    struct sf_strbuf head = SF_STRBUF_INIT;
    bool ok = sf_review_commit(l, "HEAD", &head, err);

    l->here = !span->to.len || !strcmp(head.buf, span->to.buf);
    if (span->to.len)
        l->state = sf_strndup(span->to.buf, 12);
    sf_strbuf_release(&head);
    return ok;
}

/* What git would read there may be another repository's; forgets the path. */
static bool refuse_away(char *away, struct sf_error *err)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, away, strlen(away), SF_TEXT_ONE_LINE);
    sf_fail(err, SF_E_ARG,
            "this repository's data lies outside the workspace, in %s, which does not know of it",
            safe.buf);
    sf_strbuf_release(&safe);
    free(away);
    return sf_hint(err, "start sf in the repository that it belongs to, or `git worktree add` one");
}

static bool is_repository(const struct sf_review_look *l, struct sf_error *err)
{
    char *git = sf_path_join(l->root->path, ".git");
    size_t left = SF_GIT_HOME_ENTRIES;
    struct stat st;
    bool is = lstat(git, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode));
    char *away = is ? sf_git_home_away(l->root->path, git, &left) : NULL;

    free(git);
    if (is)
        return !away || refuse_away(away, err);
    sf_fail(err, SF_E_ARG, "this is no git repository, so there is nothing to compare with");
    return sf_hint(err, "/diff shows what changed in this session");
}

/* The first word was no name of anything; with nothing to be reviewed it may be a mistyped one. */
static bool check_guess(const struct sf_review_look *l, struct sf_error *err)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    if (!l->guessed || !l->nothing)
        return true;
    sf_text_sanitize(&safe, l->what.from, strnlen(l->what.from, 80), SF_TEXT_ONE_LINE);
    sf_fail(err, SF_E_NOENT,
            "nothing is uncommitted, and there is no branch, commit or file called %s", safe.buf);
    sf_strbuf_release(&safe);
    return sf_hint(err, "`git branch -a` lists branches");
}

bool sf_review_look(struct sf_review_look *l, struct sf_error *err)
{
    struct sf_review_span span = { SF_STRBUF_INIT, SF_STRBUF_INIT };
    bool ok = is_repository(l, err) && sf_review_switch_off(l, err) &&
              sf_review_span_find(l, &span, err) && sf_review_paths_check(l, &span, err) &&
              sf_review_withheld_find(l, &span, err) && count_lines(l, &span, err) &&
              read_hunks(l, &span, err) && sf_review_binary_read(l, &span, err) &&
              (l->what.of != SF_REVIEW_OF_CHANGES || find_fresh(l, err)) &&
              note_state(l, &span, err);

    if (ok)
        make_title(l, &span);
    ok = ok && check_guess(l, err);
    l->diff.secrets = NULL; /* The diff is taken; what it must not show stays here. */
    sf_strbuf_release(&span.from);
    sf_strbuf_release(&span.to);
    return ok;
}
