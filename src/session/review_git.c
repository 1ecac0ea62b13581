/*
 * review_git.c: the questions to git, one after the other: which files changed, by how much, and how.
 * Paths are passed literally, lists are split at NUL, and what may hold secrets is found by its name
 * before any file is read.
 */
#include "session/review_git.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "guard/guard.h"
#include "io/io.h"
#include "judge/judge.h"
#include "session/review_ask.h"

enum {
    ARGS_MAX = 1200,         /* arguments of one command */
    ARGS_BYTES = 96 * 1024,  /* and their length */
    LIST_BYTES = 4 << 20,    /* of a list of files */
    PATCH_BYTES = 4 << 20,   /* of the hunks */
    WITHHELD_MAX = 300,      /* files that may hold secrets */
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
    sf_strlist_release(&l->env);
    sf_cage_free(l->cage);
    free(l->below);
    free(l->title);
    free(l->state);
    *l = (struct sf_review_look){ .cage = NULL };
}

/* ---- files ---- */

static bool may_be_secret(const struct sf_review_look *l, const char *path)
{
    const struct sf_path_found found = { .real = path, .inside = true, .links = 1 };

    return sf_path_classify(&found, l->places).zone == SF_PATH_CREDENTIAL;
}

static void withhold(struct sf_review_look *l, const char *path)
{
    if (l->withheld.count < WITHHELD_MAX && !sf_strlist_has(&l->withheld, path))
        sf_strlist_add(&l->withheld, path);
}

/* With so many the list may be incomplete, and what it lacks would be shown. */
static bool has_room(const struct sf_review_look *l, struct sf_error *err)
{
    return l->withheld.count < WITHHELD_MAX ||
           sf_fail(err, SF_E_LIMIT, "%d changed files or more may hold secrets", WITHHELD_MAX);
}

static void add_spec(struct sf_review_args *a, const char *magic, const char *path)
{
    struct sf_strbuf spec = SF_STRBUF_INIT;

    sf_strbuf_addf(&spec, ":(top,%s)%s", magic, path);
    sf_review_args_add(a, spec.buf);
    sf_strbuf_release(&spec);
}

/* The user's paths, from where the user stands; "." of the root is everything. */
static void add_paths(const struct sf_review_look *l, struct sf_review_args *a)
{
    sf_review_args_add(a, "--");
    for (size_t i = 0; i < l->what.paths.count; i++) {
        const char *path = l->what.paths.items[i], *root = l->root->path;
        size_t len = strlen(root);
        char *own = NULL;

        if (!strncmp(path, root, len) && path[len] == '/')
            path += len + 1;
        else if (*l->below && *path != '/')
            path = own = sf_path_join(l->below, path);
        while (!strncmp(path, "./", 2))
            path += 2;
        add_spec(a, strpbrk(path, "*?[") ? "glob" : "literal", strcmp(path, ".") ? path : "");
        free(own);
    }
}

static void add_span(struct sf_review_args *a, const struct sf_review_look *l,
                     const struct sf_review_span *span)
{
    if (l->what.of == SF_REVIEW_OF_STAGED)
        sf_review_args_add(a, "--cached");
    sf_review_args_add(a, span->from.buf);
    if (span->to.len)
        sf_review_args_add(a, span->to.buf);
}

static void begin_diff(const struct sf_review_look *l, struct sf_review_args *a,
                       const char *const *words, const struct sf_review_span *span)
{
    static const char *const usual[] = { "diff",
                                         "--no-color",
                                         "--no-ext-diff",
                                         "--no-textconv",
                                         "--no-relative",
                                         "--ignore-submodules=dirty",
                                         "--submodule=short",
                                         "--src-prefix=a/",
                                         "--dst-prefix=b/",
                                         NULL };

    sf_review_args_begin(l, a, usual);
    for (; *words; words++)
        sf_review_args_add(a, *words);
    add_span(a, l, span);
}

static bool cannot(const struct sf_review_look *l, struct sf_error *err,
                   enum sf_review_answer answer)
{
    if (err->code != SF_E_NONE)
        return false;
    if (answer == SF_REVIEW_ANSWER_CUT) {
        sf_fail(err, SF_E_LIMIT, "too many files have changed to review them at once");
        return sf_hint(err, "name some of them: /review -- PATH");
    }
    sf_fail(err, SF_E_IO, "git cannot compare these states%s%s", *l->said ? ": " : "", l->said);
    return sf_hint(err, "`git status` may say more");
}

/* Names first, which opens no file: those that may hold secrets are not even read. */
static bool find_withheld(struct sf_review_look *l, const struct sf_review_span *span,
                          struct sf_error *err)
{
    static const char *const words[] = { "--name-only", "-z", "--no-renames", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer;
    struct sf_review_args a;

    begin_diff(l, &a, words, span);
    add_paths(l, &a);
    answer = sf_review_ask(l, &a, LIST_BYTES, &out, err);
    for (size_t at = 0; answer == SF_REVIEW_ANSWER_YES && at < out.len;
         at += strlen(out.buf + at) + 1)
        if (may_be_secret(l, out.buf + at))
            withhold(l, out.buf + at);
    sf_strbuf_release(&out);
    return has_room(l, err) && (answer == SF_REVIEW_ANSWER_YES || cannot(l, err, answer));
}

/*
 * What was renamed to or from such a file has its content. The other one may lie where the user did
 * not ask, so all paths count; files of the workspace are not opened: the index is asked.
 */
static bool find_renamed(struct sf_review_look *l, const struct sf_review_span *span,
                         struct sf_error *err)
{
    const char *words[] = { "--name-status", "-z", "-M30%", "--diff-filter=R", NULL, NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer;
    struct sf_review_args a;

    if (!span->to.len && l->what.of != SF_REVIEW_OF_STAGED)
        words[4] = "--cached";
    begin_diff(l, &a, words, span);
    sf_review_args_add(&a, "--");
    answer = sf_review_ask(l, &a, LIST_BYTES, &out, err);
    for (size_t at = 0; answer == SF_REVIEW_ANSWER_YES && at < out.len;) {
        const char *from = out.buf + at + strlen(out.buf + at) + 1;
        const char *to = from < out.buf + out.len ? from + strlen(from) + 1 : from;

        if (to >= out.buf + out.len)
            break;
        if (may_be_secret(l, from) || may_be_secret(l, to)) {
            withhold(l, from);
            withhold(l, to);
        }
        at = (size_t)(to - out.buf) + strlen(to) + 1;
    }
    sf_strbuf_release(&out);
    return answer == SF_REVIEW_ANSWER_YES || cannot(l, err, answer);
}

static bool count_lines(struct sf_review_look *l, const struct sf_review_span *span,
                        struct sf_error *err)
{
    static const char *const words[] = { "--numstat", "-z", "-M", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer;
    struct sf_review_args a;
    bool ok;

    begin_diff(l, &a, words, span);
    add_paths(l, &a);
    for (size_t i = 0; i < l->withheld.count; i++)
        add_spec(&a, "exclude,literal", l->withheld.items[i]);
    answer = sf_review_ask(l, &a, LIST_BYTES, &out, err);
    ok = answer == SF_REVIEW_ANSWER_YES && sf_review_diff_stat(&l->diff, out.buf, out.len);
    sf_strbuf_release(&out);
    return ok || cannot(l, err, answer);
}

static bool fits(const struct sf_review_args *a, const struct sf_review_file *f)
{
    return a->list.count < ARGS_MAX && a->bytes + strlen(f->path) + 64 < ARGS_BYTES;
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

    begin_diff(l, &a, words, span);
    sf_review_args_add(&a, "--");
    for (size_t i = 0; i < l->diff.count && wanted < SHOWN_FILES && fits(&a, &l->diff.files[i]);
         i++) {
        const struct sf_review_file *f = &l->diff.files[i];

        if (f->added < 0 || f->added + f->removed == 0 || f->added + f->removed > SHOWN_LINES)
            continue;
        add_spec(&a, "literal", f->path);
        if (f->from)
            add_spec(&a, "literal", f->from);
        wanted++;
    }
    if (wanted)
        answer = sf_review_ask(l, &a, PATCH_BYTES, &out, err);
    else
        sf_strlist_release(&a.list);
    if (answer != SF_REVIEW_ANSWER_NO)
        sf_review_diff_patch(&l->diff, out.buf, out.len);
    sf_strbuf_release(&out);
    return answer != SF_REVIEW_ANSWER_NO || cannot(l, err, answer);
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
    add_paths(l, &a);
    answer = sf_review_ask(l, &a, LIST_BYTES, &out, err);
    for (size_t at = 0; answer == SF_REVIEW_ANSWER_YES && at < out.len;
         at += strlen(out.buf + at) + 1)
        if (may_be_secret(l, out.buf + at))
            withhold(l, out.buf + at);
        else
            read_fresh(l, out.buf + at, read++ < FRESH_MAX && !atomic_load(l->cancel));
    sf_strbuf_release(&out);
    return has_room(l, err) && (answer == SF_REVIEW_ANSWER_YES || cannot(l, err, answer));
}

/* ---- all of it ---- */

static void make_title(struct sf_review_look *l, const struct sf_review_span *span)
{
    const struct sf_review_what *w = &l->what;
    struct sf_strbuf t = SF_STRBUF_INIT;

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
    l->nothing = !l->diff.count && !l->withheld.count;
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

bool sf_review_look(struct sf_review_look *l, struct sf_error *err)
{
    struct sf_review_span span = { SF_STRBUF_INIT, SF_STRBUF_INIT };
    bool ok =
        is_repository(l, err) && sf_review_switch_off(l, err) &&
        sf_review_span_find(l, &span, err) && find_renamed(l, &span, err) &&
        find_withheld(l, &span, err) && count_lines(l, &span, err) && read_hunks(l, &span, err) &&
        (l->what.of != SF_REVIEW_OF_CHANGES || find_fresh(l, err)) && note_state(l, &span, err);

    if (ok)
        make_title(l, &span);
    sf_strbuf_release(&span.from);
    sf_strbuf_release(&span.to);
    return ok;
}
