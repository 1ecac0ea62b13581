/*
 * review_span.c: which revisions are meant by the user's words, as two objects. Names of revisions
 * were checked before git sees them; a word that git does not know may be a file, or begin the
 * focus.
 */
#include <inttypes.h>

#include "io/io.h"
#include "session/review_ask.h"

enum { NAMES_BYTES = 1 << 20 }; /* of the names of branches and tags */

/* ---- revisions ---- */

static bool is_object(const char *text)
{
    size_t len = strlen(text);

    return (len == 40 || len == 64) && strspn(text, "0123456789abcdef") == len;
}

bool sf_review_commit(struct sf_review_look *l, const char *name, struct sf_strbuf *out,
                      struct sf_error *err)
{
    struct sf_strbuf commit = SF_STRBUF_INIT;
    const char *words[] = { "rev-parse", "--verify", "--quiet", NULL, NULL };
    bool ok = true;

    sf_strbuf_reset(out);
    if (sf_review_is_revision(name)) {
        sf_strbuf_addf(&commit, "%s^{commit}", name);
        words[3] = commit.buf;
        ok = sf_review_ask_line(l, words, out, err);
    }
    if (!is_object(out->buf))
        sf_strbuf_reset(out);
    sf_strbuf_release(&commit);
    return ok;
}

/* Whether it is the name of a branch or a tag, rather than one commit. */
static bool is_branch(struct sf_review_look *l, const char *name, bool *branch,
                      struct sf_error *err)
{
    struct sf_strbuf full = SF_STRBUF_INIT;
    const char *const words[] = { "rev-parse", "--symbolic-full-name", "--verify", "--quiet", name,
                                  NULL };
    bool ok = sf_review_ask_line(l, words, &full, err);

    *branch = !strncmp(full.buf, "refs/", 5) && strcmp(name, "HEAD") != 0 && strcmp(name, "@") != 0;
    sf_strbuf_release(&full);
    return ok;
}

bool sf_review_empty(struct sf_review_look *l, struct sf_strbuf *out, struct sf_error *err)
{
    static const char *const words[] = { "hash-object", "-t", "tree", "--stdin", NULL };

    return sf_review_ask_line(l, words, out, err);
}

/* The nearest name of a branch or a tag, for a word that names none. */
static bool unknown(struct sf_review_look *l, const char *name, struct sf_error *err)
{
    static const char *const words[] = { "for-each-ref", "--format=%(refname:short)",
                                         "--count=2000", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_suggest suggest;
    struct sf_review_args a;

    sf_review_args_begin(l, &a, words);
    sf_review_ask(l, &a, NAMES_BYTES, &out, &ignored);
    for (const char *at = out.buf; *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n'))
        sf_strlist_adopt(&names, sf_strndup(at, strcspn(at, "\n")));
    sf_suggest_start(&suggest, name);
    for (size_t i = 0; i < names.count; i++)
        sf_suggest_offer(&suggest, names.items[i]);
    sf_text_sanitize(&safe, name, strnlen(name, 80), SF_TEXT_ONE_LINE);
    sf_fail(err, SF_E_NOENT, "there is no branch, commit or file called %s", safe.buf);
    sf_suggest_hint(&suggest, "`git branch -a` lists branches", err);
    sf_strlist_release(&names);
    sf_strbuf_release(&safe);
    sf_strbuf_release(&out);
    return false;
}

static bool need_commit(struct sf_review_look *l, const char *name, struct sf_strbuf *out,
                        struct sf_error *err)
{
    return sf_review_commit(l, name, out, err) && (out->len || unknown(l, name, err));
}

/* Replaces span->from by the commit at which both went apart. */
static bool go_back_to_fork(struct sf_review_look *l, struct sf_review_span *span, const char *name,
                            struct sf_error *err)
{
    char *from = sf_strbuf_detach(&span->from), *to = sf_strdup(span->to.buf);
    const char *const words[] = { "merge-base", from, to, NULL };
    bool ok = sf_review_ask_line(l, words, &span->from, err);

    if (ok && !is_object(span->from.buf))
        ok = sf_fail(err, SF_E_ARG, "%s has no history in common with what is reviewed", name);
    free(from);
    free(to);
    return ok;
}

static bool span_of_changes(struct sf_review_look *l, struct sf_review_span *span,
                            struct sf_error *err)
{
    if (!sf_review_commit(l, "HEAD", &span->from, err))
        return false;
    return span->from.len || sf_review_empty(l, &span->from, err);
}

static bool span_of_branch(struct sf_review_look *l, struct sf_review_span *span, const char *name,
                           struct sf_error *err)
{
    return need_commit(l, name, &span->from, err) && need_commit(l, "HEAD", &span->to, err) &&
           go_back_to_fork(l, span, name, err);
}

static bool span_of_commit(struct sf_review_look *l, struct sf_review_span *span, const char *name,
                           struct sf_error *err)
{
    struct sf_strbuf parent = SF_STRBUF_INIT;
    bool ok;

    ok = need_commit(l, name, &span->to, err);
    sf_strbuf_addf(&parent, "%s^1", span->to.buf);
    ok = ok && sf_review_commit(l, parent.buf, &span->from, err) &&
         (span->from.len || sf_review_empty(l, &span->from, err));
    sf_strbuf_release(&parent);
    return ok;
}

/* Where forges and people keep the head of a pull request; nothing is fetched. */
static bool span_of_pull(struct sf_review_look *l, struct sf_review_span *span,
                         struct sf_error *err)
{
    static const struct {
        const char *before, *behind;
    } heads[] = {
        { "refs/pull/", "/head" },
        { "refs/remotes/origin/pull/", "/head" },
        { "refs/remotes/origin/pr/", "" },
        { "refs/remotes/upstream/pr/", "" },
        { "refs/remotes/origin/merge-requests/", "" },
    };
    static const char *const bases[] = { "refs/remotes/origin/HEAD", "refs/heads/main",
                                         "refs/heads/master", "HEAD" };
    char name[96];

    for (size_t i = 0; !span->to.len && i < SF_COUNT(heads); i++) {
        snprintf(name, sizeof(name), "%s%" PRId64 "%s", heads[i].before, l->what.number,
                 heads[i].behind);
        if (!sf_review_commit(l, name, &span->to, err))
            return false;
    }
    if (!span->to.len) {
        sf_fail(err, SF_E_NOENT, "pull request %" PRId64 " is not in this repository",
                l->what.number);
        return sf_hint(err, "git fetch origin pull/%" PRId64 "/head:refs/pull/%" PRId64 "/head",
                       l->what.number, l->what.number);
    }
    for (size_t i = 0; !span->from.len && i < SF_COUNT(bases); i++)
        if (!sf_review_commit(l, bases[i], &span->from, err))
            return false;
    return go_back_to_fork(l, span, "the pull request", err);
}

/* ---- a name that may be anything ---- */

/* The words that follow nothing git knows are the focus, unless the first is alone. */
static void take_as_focus(struct sf_review_what *w)
{
    struct sf_strbuf focus = SF_STRBUF_INIT;

    sf_strbuf_addf(&focus, "%s %s", w->from, w->focus);
    free(w->focus);
    w->focus = sf_strbuf_detach(&focus);
    w->of = SF_REVIEW_OF_CHANGES;
}

static bool span_of_name(struct sf_review_look *l, struct sf_review_span *span,
                         struct sf_error *err)
{
    struct sf_review_what *w = &l->what;
    struct sf_error why = SF_ERROR_INIT;
    bool branch = false;

    if (!sf_review_commit(l, w->from, &span->to, err))
        return false;
    if (span->to.len) {
        if (!is_branch(l, w->from, &branch, err))
            return false;
        sf_strbuf_reset(&span->to);
        return branch ? span_of_branch(l, span, w->from, err)
                      : span_of_commit(l, span, w->from, err);
    }
    if (sf_review_path_is_there(l, w->from)) {
        sf_strlist_add(&w->paths, w->from);
        w->of = SF_REVIEW_OF_CHANGES;
        return span_of_changes(l, span, err);
    }
    unknown(l, w->from, &why);
    if (!w->focus || !sf_review_is_prose(w->from) ||
        !strncmp(why.hint, "did you mean", strlen("did you mean"))) {
        *err = why;
        return false;
    }
    take_as_focus(w);
    l->guessed = true;
    return span_of_changes(l, span, err);
}

bool sf_review_span_find(struct sf_review_look *l, struct sf_review_span *span,
                         struct sf_error *err)
{
    struct sf_review_what *w = &l->what;

    switch (w->of) {
    case SF_REVIEW_OF_CHANGES:
    case SF_REVIEW_OF_STAGED:
        return span_of_changes(l, span, err);
    case SF_REVIEW_OF_NAME:
        return span_of_name(l, span, err);
    case SF_REVIEW_OF_RANGE:
        return need_commit(l, w->from, &span->from, err) && need_commit(l, w->to, &span->to, err);
    case SF_REVIEW_OF_FORK:
        return need_commit(l, w->from, &span->from, err) && need_commit(l, w->to, &span->to, err) &&
               go_back_to_fork(l, span, w->from, err);
    case SF_REVIEW_OF_PULL:
        return span_of_pull(l, span, err);
    }
    return false;
}
