/*
 * review_git.c: the questions to git, one after the other: which settings to switch off, which
 * revisions are meant, which files changed, by how much, and how. The names of revisions were
 * checked, paths are passed literally, and lists are split at NUL.
 */
#include "session/review_git.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "guard/guard.h"
#include "io/io.h"
#include "judge/judge.h"

enum {
    ANSWER_MS = 30000,
    LOOK_MS = 50,             /* how often a cancel is looked for while git works */
    ARGS_MAX = 1200,          /* arguments of one command */
    ARGS_BYTES = 96 * 1024,   /* and their length */
    FILTERS_MAX = 64,         /* filters that can be switched off */
    NAME_BYTES = 4 * 1024,    /* of an answer that is one name */
    SETTINGS_BYTES = 1 << 20, /* of the names of all settings */
    LIST_BYTES = 4 << 20,     /* of a list of files */
    PATCH_BYTES = 4 << 20,    /* of the hunks */
    WITHHELD_MAX = 300,       /* files that may hold secrets */
    FRESH_MAX = 200,          /* new files that are read */
    FRESH_BYTES = 64 * 1024,  /* of each of them */
    SHOWN_FILES = 300,        /* files whose hunks are asked for */
    SHOWN_LINES = 4000,       /* changed lines of one of them */
    MEMORY_BYTES = 1 << 30,   /* that git may take up */
    NAMES_BYTES = 64 << 20,   /* of a list of all files */
    SECRET_BYTES = 16 << 20,  /* of the content of files that may hold secrets */
    SECRET_FILES = 2000,      /* such files in the workspace that are read */
    SECRET_HEAD = 1 << 20,    /* of each of them */
    TEXT_FILES = 64,          /* files that git calls binary for their attributes */
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

/* ---- asking git ---- */

/* What no setting of a repository may change. */
static const char *const settings[][2] = {
    { "core.fsmonitor", "false" },        { "core.hooksPath", "/dev/null" },
    { "core.untrackedCache", "false" },   { "core.pager", "cat" },
    { "core.quotePath", "false" },        { "core.bigFileThreshold", "8m" },
    { "core.alternateRefsCommand", "" },  { "core.sshCommand", "false" },
    { "core.askPass", "false" },          { "diff.external", "" },
    { "diff.orderFile", "/dev/null" },    { "diff.autoRefreshIndex", "false" },
    { "diff.ignoreSubmodules", "dirty" }, { "diff.renameLimit", "400" },
    { "log.showSignature", "false" },     { "protocol.allow", "never" },
    { "submodule.recurse", "false" },     { "core.attributesFile", "/dev/null" },
};

static const char *const variables[] = {
    "GIT_OPTIONAL_LOCKS=0",     "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
    "GIT_TERMINAL_PROMPT=0",    "GIT_ATTR_NOSYSTEM=1", "GIT_CONFIG_NOSYSTEM=1",
    "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C.UTF-8",
};

static void set_key(struct sf_review_look *l, size_t *count, const char *key, const char *value)
{
    sf_strlist_addf(&l->env, "GIT_CONFIG_KEY_%zu=%s", *count, key);
    sf_strlist_addf(&l->env, "GIT_CONFIG_VALUE_%zu=%s", (*count)++, value);
}

/* The four settings by which a filter runs programs; a required one that is empty would fail. */
static void set_filter(struct sf_review_look *l, size_t *count, const char *name)
{
    static const char *const keys[][2] = {
        { "clean", "" }, { "smudge", "" }, { "process", "" }, { "required", "false" }
    };
    struct sf_strbuf key = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(keys); i++) {
        sf_strbuf_reset(&key);
        sf_strbuf_addf(&key, "filter.%s.%s", name, keys[i][0]);
        set_key(l, count, key.buf, keys[i][1]);
    }
    sf_strbuf_release(&key);
}

static void make_env(struct sf_review_look *l, const struct sf_strlist *filters)
{
    size_t count = 0;

    sf_strlist_release(&l->env);
    sf_env_safe(&l->env);
    for (size_t i = 0; i < SF_COUNT(variables); i++)
        sf_strlist_add(&l->env, variables[i]);
    for (size_t i = 0; i < SF_COUNT(settings); i++)
        set_key(l, &count, settings[i][0], settings[i][1]);
    set_key(l, &count, "core.excludesFile", l->excludes ? l->excludes : "/dev/null");
    for (size_t i = 0; i < filters->count; i++)
        set_filter(l, &count, filters->items[i]);
    sf_strlist_addf(&l->env, "GIT_CONFIG_COUNT=%zu", count);
}

struct question {
    struct sf_review_look *look;
    struct sf_child *child;
    struct sf_loop *loop;
    struct sf_strbuf *out;
    bool started, ok, whole, late, large;
    size_t cap;
};

/* The first line of what git complains about, safe to show. */
static void keep_complaint(struct sf_review_look *l, const struct sf_strbuf *text)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text->buf, strcspn(text->buf, "\n"), SF_TEXT_ONE_LINE);
    if (safe.len >= sizeof(l->said))
        sf_strbuf_truncate(&safe, sf_utf8_cut(safe.buf, sizeof(l->said) - 1));
    memcpy(l->said, safe.buf, safe.len + 1);
    sf_strbuf_release(&safe);
}

static void on_answer(void *ctx, const struct sf_child_result *r)
{
    struct question *q = ctx;

    q->child = NULL;
    q->ok = r->how == SF_CHILD_EXITED && r->code == 0;
    q->late = r->how == SF_CHILD_DEADLINE;
    q->large = r->how == SF_CHILD_LIMIT;
    keep_complaint(q->look, &r->output[SF_CHILD_STREAM_ERR]);
    q->whole = r->total[SF_CHILD_STREAM_OUT] == r->output[SF_CHILD_STREAM_OUT].len;
    sf_strbuf_add(q->out, r->output[SF_CHILD_STREAM_OUT].buf, r->output[SF_CHILD_STREAM_OUT].len);
    sf_loop_stop(q->loop);
}

static void look_for_cancel(void *ctx)
{
    struct question *q = ctx;

    if (q->child && atomic_load(q->look->cancel))
        sf_child_cancel(q->child);
}

static void run(struct question *q, const char *const *argv, struct sf_error *err)
{
    static const struct sf_child_events events = { .on_exit = on_answer };
    const struct sf_review_look *l = q->look;
    const struct sf_child_spec spec = { .argv = argv,
                                        .envp = (const char *const *)l->env.items,
                                        .cwd = l->root->path,
                                        .output_cap = q->cap,
                                        .deadline_ms = ANSWER_MS,
                                        .watch = { .memory = MEMORY_BYTES },
                                        .setup = l->cage ? sf_cage_enter : NULL,
                                        .setup_ctx = l->cage };

    q->loop = sf_loop_new(err);
    if (q->loop)
        q->child = sf_child_start(q->loop, &spec, &events, q, err);
    q->started = q->child != NULL;
    if (q->started) {
        sf_loop_add_timer(q->loop, LOOK_MS, LOOK_MS, look_for_cancel, q);
        sf_loop_run(q->loop);
    }
    sf_loop_free(q->loop);
}

/* The arguments of one command, built up. */
struct args {
    struct sf_strlist list;
    size_t bytes;
};

static void add_arg(struct args *a, const char *text)
{
    sf_strlist_add(&a->list, text);
    a->bytes += strlen(text) + 1;
}

static void begin_args(const struct sf_review_look *l, struct args *a, const char *const *words)
{
    struct sf_strbuf dir = SF_STRBUF_INIT;

    *a = (struct args){ .list = SF_STRLIST_INIT };
    add_arg(a, "git");
    add_arg(a, "--no-pager");
    sf_strbuf_addf(&dir, "--git-dir=%s/.git", l->root->path);
    add_arg(a, dir.buf);
    sf_strbuf_reset(&dir);
    sf_strbuf_addf(&dir, "--work-tree=%s", l->root->path);
    add_arg(a, dir.buf);
    sf_strbuf_release(&dir);
    for (; *words; words++)
        add_arg(a, *words);
}

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_CUT };

/* Asks and forgets the arguments. With ANSWER_NO `err` says why, where it was not git's own no. */
static enum answer ask(struct sf_review_look *l, struct args *a, size_t cap, struct sf_strbuf *out,
                       struct sf_error *err)
{
    struct question q = { .look = l, .out = out, .cap = cap };

    sf_strbuf_reset(out);
    if (!atomic_load(l->cancel))
        run(&q, (const char *const *)a->list.items, err);
    sf_strlist_release(&a->list);
    if (atomic_load(l->cancel))
        sf_fail(err, SF_E_CANCELLED, "the review was cancelled");
    else if (q.late)
        sf_fail(err, SF_E_TIMEOUT, "git did not answer within %d seconds", ANSWER_MS / 1000);
    else if (q.large)
        sf_fail(err, SF_E_LIMIT, "git took up more than %d MiB of memory", MEMORY_BYTES >> 20);
    if (err->code != SF_E_NONE || !q.ok)
        return ANSWER_NO;
    return q.whole ? ANSWER_YES : ANSWER_CUT;
}

/* The answer in one line, without its line break; "": git said no. False: git could not be asked. */
static bool ask_line(struct sf_review_look *l, const char *const *words, struct sf_strbuf *out,
                     struct sf_error *err)
{
    struct args a;

    begin_args(l, &a, words);
    if (ask(l, &a, NAME_BYTES, out, err) != ANSWER_YES)
        sf_strbuf_reset(out);
    sf_strbuf_truncate(out, strcspn(out->buf, "\n"));
    return err->code == SF_E_NONE;
}

/* ---- settings ---- */

/* "filter.NAME.key", where NAME may have dots too. */
static bool take_filter(struct sf_strlist *filters, const char *key, struct sf_error *err)
{
    const char *name = key + strlen("filter."), *dot = strrchr(key, '.');
    char *own;

    if (strncmp(key, "filter.", strlen("filter.")) != 0 || dot <= name)
        return true;
    own = sf_strndup(name, (size_t)(dot - name));
    if (!sf_strlist_has(filters, own))
        sf_strlist_add(filters, own);
    free(own);
    return filters->count <= FILTERS_MAX ||
           sf_fail(err, SF_E_LIMIT, "git's settings name more than %d filters", FILTERS_MAX);
}

static bool is_plain(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= SETTINGS_BYTES;
}

/*
 * What the user ignores everywhere stays ignored, but only as the user's own settings say it: the
 * repository's could name a device or a pipe. Where these say nothing, git has a default of its own.
 */
static bool find_excludes(struct sf_review_look *l, struct sf_error *err)
{
    static const char *const words[] = { "config", "--global",          "--includes", "--type=path",
                                         "--get",  "core.excludesFile", NULL };
    const char *home = getenv("HOME"), *config = getenv("XDG_CONFIG_HOME");
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool ok = ask_line(l, words, &path, err);

    if (!path.len && config && *config == '/')
        sf_strbuf_addf(&path, "%s/git/ignore", config);
    else if (!path.len && home && *home == '/')
        sf_strbuf_addf(&path, "%s/.config/git/ignore", home);
    free(l->excludes);
    l->excludes = sf_strdup(is_plain(path.buf) ? path.buf : "/dev/null");
    sf_strbuf_release(&path);
    return ok;
}

/* Git follows links in these two, and reads whatever it finds. */
static bool check_own_lists(struct sf_review_look *l, struct sf_error *err)
{
    static const char *const lists[] = { "info/attributes", "info/exclude" };
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct stat st;
    bool ok = true;

    for (size_t i = 0; ok && i < SF_COUNT(lists); i++) {
        const char *const words[] = { "rev-parse", "--git-path", lists[i], NULL };
        char *full;

        ok = ask_line(l, words, &path, err);
        full = *path.buf == '/' ? sf_strdup(path.buf) : sf_path_join(l->root->path, path.buf);
        if (ok && path.len && stat(full, &st) == 0 && !is_plain(full))
            ok = sf_fail(err, SF_E_ARG, ".git/%s is no file that git can read", lists[i]);
        free(full);
    }
    sf_strbuf_release(&path);
    return ok;
}

static bool switch_off(struct sf_review_look *l, struct sf_error *err)
{
    static const char *const words[] = {
        "config", "--list", "--includes", "--name-only", "-z", NULL
    };
    struct sf_strlist filters = SF_STRLIST_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct args a;
    bool ok;

    make_env(l, &filters);
    begin_args(l, &a, words);
    ok = ask(l, &a, SETTINGS_BYTES, &out, err) == ANSWER_YES;
    if (!ok && err->code == SF_E_NONE)
        sf_fail(err, SF_E_IO, "git's settings cannot be read; `git status` says more");
    for (size_t at = 0; ok && at < out.len; at += strlen(out.buf + at) + 1)
        ok = take_filter(&filters, out.buf + at, err);
    ok = ok && find_excludes(l, err);
    if (ok)
        make_env(l, &filters);
    sf_strbuf_release(&out);
    sf_strlist_release(&filters);
    return ok && check_own_lists(l, err);
}

/* ---- revisions ---- */

static bool is_object(const char *text)
{
    size_t len = strlen(text);

    return (len == 40 || len == 64) && strspn(text, "0123456789abcdef") == len;
}

/* The commit that is meant; "": there is none. */
static bool find_commit(struct sf_review_look *l, const char *name, struct sf_strbuf *out,
                        struct sf_error *err)
{
    struct sf_strbuf commit = SF_STRBUF_INIT;
    const char *words[] = { "rev-parse", "--verify", "--quiet", NULL, NULL };
    bool ok = true;

    sf_strbuf_reset(out);
    if (sf_review_is_revision(name)) {
        sf_strbuf_addf(&commit, "%s^{commit}", name);
        words[3] = commit.buf;
        ok = ask_line(l, words, out, err);
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
    bool ok = ask_line(l, words, &full, err);

    *branch = !strncmp(full.buf, "refs/", 5) && strcmp(name, "HEAD") != 0 && strcmp(name, "@") != 0;
    sf_strbuf_release(&full);
    return ok;
}

static bool find_empty(struct sf_review_look *l, struct sf_strbuf *out, struct sf_error *err)
{
    static const char *const words[] = { "hash-object", "-t", "tree", "--stdin", NULL };

    return ask_line(l, words, out, err);
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
    struct args a;

    begin_args(l, &a, words);
    ask(l, &a, SETTINGS_BYTES, &out, &ignored);
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

/* From where to where: two objects; `to` "": the workspace, or the index of staged changes. */
struct span {
    struct sf_strbuf from, to;
};

static bool need_commit(struct sf_review_look *l, const char *name, struct sf_strbuf *out,
                        struct sf_error *err)
{
    return find_commit(l, name, out, err) && (out->len || unknown(l, name, err));
}

/* Replaces span->from by the commit at which both went apart. */
static bool go_back_to_fork(struct sf_review_look *l, struct span *span, const char *name,
                            struct sf_error *err)
{
    char *from = sf_strbuf_detach(&span->from), *to = sf_strdup(span->to.buf);
    const char *const words[] = { "merge-base", from, to, NULL };
    bool ok = ask_line(l, words, &span->from, err);

    if (ok && !is_object(span->from.buf))
        ok = sf_fail(err, SF_E_ARG, "%s has no history in common with what is reviewed", name);
    free(from);
    free(to);
    return ok;
}

static bool span_of_changes(struct sf_review_look *l, struct span *span, struct sf_error *err)
{
    if (!find_commit(l, "HEAD", &span->from, err))
        return false;
    return span->from.len || find_empty(l, &span->from, err);
}

static bool span_of_branch(struct sf_review_look *l, struct span *span, const char *name,
                           struct sf_error *err)
{
    return need_commit(l, name, &span->from, err) && need_commit(l, "HEAD", &span->to, err) &&
           go_back_to_fork(l, span, name, err);
}

static bool span_of_commit(struct sf_review_look *l, struct span *span, const char *name,
                           struct sf_error *err)
{
    struct sf_strbuf parent = SF_STRBUF_INIT;
    bool ok;

    ok = need_commit(l, name, &span->to, err);
    sf_strbuf_addf(&parent, "%s^1", span->to.buf);
    ok = ok && find_commit(l, parent.buf, &span->from, err) &&
         (span->from.len || find_empty(l, &span->from, err));
    sf_strbuf_release(&parent);
    return ok;
}

/* Where forges and people keep the head of a pull request; nothing is fetched. */
static bool span_of_pull(struct sf_review_look *l, struct span *span, struct sf_error *err)
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
        if (!find_commit(l, name, &span->to, err))
            return false;
    }
    if (!span->to.len) {
        sf_fail(err, SF_E_NOENT, "pull request %" PRId64 " is not in this repository",
                l->what.number);
        return sf_hint(err, "git fetch origin pull/%" PRId64 "/head:refs/pull/%" PRId64 "/head",
                       l->what.number, l->what.number);
    }
    for (size_t i = 0; !span->from.len && i < SF_COUNT(bases); i++)
        if (!find_commit(l, bases[i], &span->from, err))
            return false;
    return go_back_to_fork(l, span, "the pull request", err);
}

/* ---- a name that may be anything ---- */

static bool is_file(const struct sf_review_look *l, const char *name)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    char *path = *l->below ? sf_path_join(l->below, name) : sf_strdup(name);
    bool there = sf_place_resolve(l->root, path, strlen(path), SF_WANT_ANY, &place, &ignored) &&
                 place.inside && place.kind != SF_PLACE_NOTHING;

    sf_place_release(&place);
    free(path);
    return there;
}

/* The words that follow nothing git knows are the focus, unless the first is alone. */
static void take_as_focus(struct sf_review_what *w)
{
    struct sf_strbuf focus = SF_STRBUF_INIT;

    sf_strbuf_addf(&focus, "%s %s", w->from, w->focus);
    free(w->focus);
    w->focus = sf_strbuf_detach(&focus);
    w->of = SF_REVIEW_OF_CHANGES;
}

static bool span_of_name(struct sf_review_look *l, struct span *span, struct sf_error *err)
{
    struct sf_review_what *w = &l->what;
    struct sf_error why = SF_ERROR_INIT;
    bool branch = false;

    if (!find_commit(l, w->from, &span->to, err))
        return false;
    if (span->to.len) {
        if (!is_branch(l, w->from, &branch, err))
            return false;
        sf_strbuf_reset(&span->to);
        return branch ? span_of_branch(l, span, w->from, err)
                      : span_of_commit(l, span, w->from, err);
    }
    if (is_file(l, w->from)) {
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

static bool find_span(struct sf_review_look *l, struct span *span, struct sf_error *err)
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

/* ---- files ---- */

static bool may_be_secret(const struct sf_review_look *l, const char *path)
{
    const struct sf_path_found found = { .real = path, .inside = true, .links = 1 };

    return sf_path_classify(&found, l->places).zone == SF_PATH_CREDENTIAL;
}

/* One of its other names may be that of a secret, within the workspace or outside of it. */
static bool has_names(const struct sf_review_look *l, const char *path)
{
    char *full = sf_path_join(l->root->path, path);
    struct stat st;
    bool has = lstat(full, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 1;

    free(full);
    return has;
}

static void add_withheld(struct sf_review_look *l, const char *path)
{
    if (l->withheld.count < WITHHELD_MAX && !sf_strlist_has(&l->withheld, path))
        sf_strlist_add(&l->withheld, path);
}

static bool withhold(struct sf_review_look *l, const char *path)
{
    if (!may_be_secret(l, path) && !has_names(l, path))
        return false;
    add_withheld(l, path);
    return true;
}

/* With so many the list may be incomplete, and what it lacks would be shown. */
static bool has_room(const struct sf_review_look *l, struct sf_error *err)
{
    return l->withheld.count < WITHHELD_MAX ||
           sf_fail(err, SF_E_LIMIT, "%d changed files or more may hold secrets", WITHHELD_MAX);
}

static void add_spec(struct args *a, const char *magic, const char *path)
{
    struct sf_strbuf spec = SF_STRBUF_INIT;

    sf_strbuf_addf(&spec, ":(top,%s)%s", magic, path);
    add_arg(a, spec.buf);
    sf_strbuf_release(&spec);
}

/* A path of the user's, from where the user stands; "." of the root is everything. */
static void add_path(const struct sf_review_look *l, struct args *a, const char *path)
{
    const char *root = l->root->path;
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

static void add_paths(const struct sf_review_look *l, struct args *a)
{
    add_arg(a, "--");
    for (size_t i = 0; i < l->what.paths.count; i++)
        add_path(l, a, l->what.paths.items[i]);
}

static void add_span(struct args *a, const struct sf_review_look *l, const struct span *span)
{
    if (l->what.of == SF_REVIEW_OF_STAGED)
        add_arg(a, "--cached");
    add_arg(a, span->from.buf);
    if (span->to.len)
        add_arg(a, span->to.buf);
}

static void begin_compare(const struct sf_review_look *l, struct args *a, const char *const *words)
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

    begin_args(l, a, usual);
    for (; *words; words++)
        add_arg(a, *words);
}

static void begin_diff(const struct sf_review_look *l, struct args *a, const char *const *words,
                       const struct span *span)
{
    begin_compare(l, a, words);
    add_span(a, l, span);
}

static bool cannot(const struct sf_review_look *l, struct sf_error *err, enum answer answer)
{
    if (err->code != SF_E_NONE)
        return false;
    if (answer == ANSWER_CUT) {
        sf_fail(err, SF_E_LIMIT, "too many files have changed to review them at once");
        return sf_hint(err, "name some of them: /review -- PATH");
    }
    sf_fail(err, SF_E_IO, "git cannot compare these states%s%s", *l->said ? ": " : "", l->said);
    return sf_hint(err, "`git status` may say more");
}

/* Names first, which opens no file: those that may hold secrets are not even read. */
static bool find_withheld(struct sf_review_look *l, const struct span *span, struct sf_error *err)
{
    static const char *const words[] = { "--name-only", "-z", "--no-renames", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum answer answer;
    struct args a;

    begin_diff(l, &a, words, span);
    add_paths(l, &a);
    answer = ask(l, &a, LIST_BYTES, &out, err);
    for (size_t at = 0; answer == ANSWER_YES && at < out.len; at += strlen(out.buf + at) + 1)
        withhold(l, out.buf + at);
    sf_strbuf_release(&out);
    return has_room(l, err) && (answer == ANSWER_YES || cannot(l, err, answer));
}

static void withhold_pair(struct sf_review_look *l, const char *from, const char *to)
{
    if (!may_be_secret(l, from) && !may_be_secret(l, to))
        return;
    add_withheld(l, from);
    add_withheld(l, to);
}

/*
 * What was renamed to or from such a file has its content. The other one may lie where the user did
 * not ask, so all paths count; files of the workspace are not opened: the index is asked.
 */
static bool find_renamed(struct sf_review_look *l, const struct span *span, struct sf_error *err)
{
    const char *words[] = { "--name-status", "-z", "-M30%", "--diff-filter=R", NULL, NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum answer answer;
    struct args a;

    if (!span->to.len && l->what.of != SF_REVIEW_OF_STAGED)
        words[4] = "--cached";
    begin_diff(l, &a, words, span);
    add_arg(&a, "--");
    answer = ask(l, &a, LIST_BYTES, &out, err);
    for (size_t at = 0; answer == ANSWER_YES && at < out.len;) {
        const char *from = out.buf + at + strlen(out.buf + at) + 1;
        const char *to = from < out.buf + out.len ? from + strlen(from) + 1 : from;

        if (to >= out.buf + out.len)
            break;
        withhold_pair(l, from, to);
        at = (size_t)(to - out.buf) + strlen(to) + 1;
    }
    sf_strbuf_release(&out);
    return answer == ANSWER_YES || cannot(l, err, answer);
}

/* ---- what stood in secrets ---- */

static bool fits(const struct args *a, const char *path)
{
    return a->list.count < ARGS_MAX && a->bytes + strlen(path) + 64 < ARGS_BYTES;
}

/* Everything in a tree, or in the index, compared with nothing. */
static void begin_whole(const struct sf_review_look *l, struct args *a, const char *const *words,
                        const char *empty, const char *tree)
{
    begin_compare(l, a, words);
    if (!tree)
        add_arg(a, "--cached");
    add_arg(a, empty);
    if (tree)
        add_arg(a, tree);
    add_arg(a, "--");
}

static bool list_secrets(struct sf_review_look *l, const char *const *words, const char *tree,
                         struct sf_strlist *names, struct sf_error *err)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum answer answer;
    struct args a;

    begin_args(l, &a, words);
    if (tree)
        add_arg(&a, tree);
    answer = ask(l, &a, NAMES_BYTES, &out, err);
    for (size_t at = 0; answer == ANSWER_YES && at < out.len; at += strlen(out.buf + at) + 1)
        if (may_be_secret(l, out.buf + at))
            sf_strlist_add(names, out.buf + at);
    sf_strbuf_release(&out);
    if (answer == ANSWER_CUT)
        return sf_fail(err, SF_E_LIMIT, "there are too many files to find those that hold secrets");
    return answer == ANSWER_YES || cannot(l, err, answer);
}

static bool learn_contents(struct sf_review_look *l, const struct sf_strlist *names,
                           const char *empty, const char *tree, struct sf_error *err)
{
    static const char *const words[] = { "--patch", "--text", "--no-renames", "--unified=0", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct args a;
    bool ok = true;

    for (size_t i = 0; ok && i < names->count;) {
        enum answer answer;

        begin_whole(l, &a, words, empty, tree);
        do
            add_spec(&a, "literal", names->items[i++]);
        while (i < names->count && fits(&a, names->items[i]));
        answer = ask(l, &a, SECRET_BYTES, &out, err);
        if (answer == ANSWER_CUT)
            ok = sf_fail(err, SF_E_LIMIT,
                         "the files that may hold secrets are too large to be kept "
                         "apart");
        else
            ok = answer == ANSWER_YES
                     ? sf_review_secrets_add(&l->secrets, out.buf, out.len, true, err)
                     : cannot(l, err, answer);
    }
    sf_strbuf_release(&out);
    return ok;
}

/* The files as they are in the workspace, of which git may know nothing. */
static bool learn_files(struct sf_review_look *l, const struct sf_strlist *names,
                        struct sf_error *err)
{
    bool ok = true;

    for (size_t i = 0; ok && i < names->count && i < SECRET_FILES; i++) {
        struct sf_place place = SF_PLACE_INIT;
        struct sf_error ignored = SF_ERROR_INIT;
        struct sf_strbuf text = SF_STRBUF_INIT;
        const char *path = names->items[i];

        if (sf_place_resolve(l->root, path, strlen(path), SF_WANT_FILE, &place, &ignored) &&
            place.kind == SF_PLACE_FILE && sf_place_read_head(&place, SECRET_HEAD, &text, &ignored))
            ok = sf_review_secrets_add(&l->secrets, text.buf, text.len, false, err);
        sf_place_release(&place);
        sf_strbuf_release(&text);
    }
    return ok;
}

static bool learn_state(struct sf_review_look *l, const char *empty, const char *tree,
                        struct sf_error *err)
{
    static const char *const in_tree[] = { "ls-tree", "-r", "-z", "--name-only", NULL };
    static const char *const in_index[] = { "ls-files", "-z", "--cached", NULL };
    struct sf_strlist names = SF_STRLIST_INIT;
    bool ok = list_secrets(l, tree ? in_tree : in_index, tree, &names, err) &&
              learn_contents(l, &names, empty, tree, err) && (tree || learn_files(l, &names, err));

    sf_strlist_release(&names);
    return ok;
}

/*
 * Git finds renames only among so many files, and by likeness; a copied line is one all the same. So
 * the lines of everything that may be a secret are learned: before, after, and in the workspace.
 */
static bool learn_secrets(struct sf_review_look *l, const struct span *span, struct sf_error *err)
{
    static const char *const others[] = { "ls-files", "-z", "--others", NULL };
    struct sf_strbuf empty = SF_STRBUF_INIT;
    struct sf_strlist names = SF_STRLIST_INIT;
    bool ok = find_empty(l, &empty, err) && learn_state(l, empty.buf, span->from.buf, err) &&
              (!span->to.len || learn_state(l, empty.buf, span->to.buf, err)) &&
              learn_state(l, empty.buf, NULL, err) && list_secrets(l, others, NULL, &names, err) &&
              learn_files(l, &names, err);

    sf_review_secrets_settle(&l->secrets);
    l->diff.secrets = &l->secrets;
    sf_strlist_release(&names);
    sf_strbuf_release(&empty);
    return ok;
}

/* ---- lines ---- */

static bool count_lines(struct sf_review_look *l, const struct span *span, struct sf_error *err)
{
    static const char *const words[] = { "--numstat", "-z", "-M", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum answer answer;
    struct args a;
    bool ok;

    begin_diff(l, &a, words, span);
    add_paths(l, &a);
    for (size_t i = 0; i < l->withheld.count; i++)
        add_spec(&a, "exclude,literal", l->withheld.items[i]);
    answer = ask(l, &a, LIST_BYTES, &out, err);
    ok = answer == ANSWER_YES && sf_review_diff_stat(&l->diff, out.buf, out.len);
    sf_strbuf_release(&out);
    return ok || cannot(l, err, answer);
}

/* Asks for hunks of the files that are small enough to be shown, by their names alone. */
static bool read_hunks(struct sf_review_look *l, const struct span *span, struct sf_error *err)
{
    static const char *const words[] = { "--patch", "-M", "--unified=4", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum answer answer = ANSWER_YES;
    size_t wanted = 0;
    struct args a;

    begin_diff(l, &a, words, span);
    add_arg(&a, "--");
    for (size_t i = 0; i < l->diff.count && wanted < SHOWN_FILES && fits(&a, l->diff.files[i].path);
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
        answer = ask(l, &a, PATCH_BYTES, &out, err);
    else
        sf_strlist_release(&a.list);
    if (answer != ANSWER_NO)
        sf_review_diff_patch(&l->diff, out.buf, out.len);
    sf_strbuf_release(&out);
    return answer != ANSWER_NO || cannot(l, err, answer);
}

/* ---- files that are called binary ---- */

/* Attributes say that it is; then git looks at no byte of it. */
static bool list_called_binary(struct sf_review_look *l, struct sf_strlist *names,
                               struct sf_error *err)
{
    static const char *const words[] = { "check-attr", "-z", "diff", "--", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum answer answer = ANSWER_NO;
    size_t wanted = 0;
    struct args a;

    begin_args(l, &a, words);
    for (size_t i = 0; i < l->diff.count && fits(&a, l->diff.files[i].path); i++) {
        if (l->diff.files[i].added != -1)
            continue;
        add_arg(&a, l->diff.files[i].path);
        wanted++;
    }
    if (wanted)
        answer = ask(l, &a, LIST_BYTES, &out, err);
    else
        sf_strlist_release(&a.list);
    for (size_t at = 0; answer == ANSWER_YES && at < out.len;) {
        const char *path = out.buf + at, *name = path + strlen(path) + 1;
        const char *value = name < out.buf + out.len ? name + strlen(name) + 1 : name;

        if (value >= out.buf + out.len)
            break;
        if (strcmp(value, "unspecified") != 0 && names->count < TEXT_FILES)
            sf_strlist_add(names, path);
        at = (size_t)(value - out.buf) + strlen(value) + 1;
    }
    sf_strbuf_release(&out);
    return err->code == SF_E_NONE;
}

/* What is text is shown as such, whatever an attribute calls it. */
static bool read_called_binary(struct sf_review_look *l, const struct span *span,
                               struct sf_error *err)
{
    static const char *const words[] = { "--patch", "--text", "-M", "--unified=4", NULL };
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool ok = list_called_binary(l, &names, err);
    struct args a;

    for (size_t i = 0; ok && i < names.count; i++) {
        const struct sf_review_file *f = sf_review_diff_find(&l->diff, names.items[i]);

        begin_diff(l, &a, words, span);
        add_arg(&a, "--");
        add_spec(&a, "literal", names.items[i]);
        if (f && f->from)
            add_spec(&a, "literal", f->from);
        if (ask(l, &a, PATCH_BYTES, &out, err) == ANSWER_YES && !memchr(out.buf, '\0', out.len))
            sf_review_diff_patch(&l->diff, out.buf, out.len);
        ok = err->code == SF_E_NONE;
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&out);
    return ok;
}

/* ---- paths that are nowhere ---- */

static bool has_match(struct sf_review_look *l, const char *empty, const char *tree,
                      const char *path, struct sf_error *err)
{
    static const char *const words[] = { "--name-only", "-z", "--no-renames", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool has;
    struct args a;

    begin_whole(l, &a, words, empty, tree);
    add_path(l, &a, path);
    has = ask(l, &a, NAME_BYTES, &out, err) != ANSWER_NO && out.len;
    sf_strbuf_release(&out);
    return has;
}

/* New files, which only the workspace has. */
static bool has_fresh(struct sf_review_look *l, const char *path, struct sf_error *err)
{
    static const char *const words[] = { "ls-files", "--others", "-z", "--", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool has;
    struct args a;

    begin_args(l, &a, words);
    add_path(l, &a, path);
    has = ask(l, &a, NAME_BYTES, &out, err) != ANSWER_NO && out.len;
    sf_strbuf_release(&out);
    return has;
}

/* A mistyped path has no changes, which must not pass for a change without faults. */
static bool check_paths(struct sf_review_look *l, const struct span *span, struct sf_error *err)
{
    struct sf_strbuf empty = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;
    bool ok = !l->what.paths.count || find_empty(l, &empty, err);

    for (size_t i = 0; ok && i < l->what.paths.count; i++) {
        const char *path = l->what.paths.items[i];

        if (is_file(l, path) || has_match(l, empty.buf, span->from.buf, path, err) ||
            has_match(l, empty.buf, span->to.len ? span->to.buf : NULL, path, err) ||
            has_fresh(l, path, err))
            continue;
        ok = false;
        sf_text_sanitize(&safe, path, strnlen(path, 80), SF_TEXT_ONE_LINE);
        if (err->code == SF_E_NONE)
            sf_fail(err, SF_E_NOENT, "there is no file called %s in what is compared", safe.buf);
    }
    sf_strbuf_release(&empty);
    sf_strbuf_release(&safe);
    return ok;
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
    enum answer answer;
    struct args a;

    begin_args(l, &a, words);
    add_paths(l, &a);
    answer = ask(l, &a, LIST_BYTES, &out, err);
    for (size_t at = 0; answer == ANSWER_YES && at < out.len; at += strlen(out.buf + at) + 1)
        if (!withhold(l, out.buf + at))
            read_fresh(l, out.buf + at, read++ < FRESH_MAX && !atomic_load(l->cancel));
    sf_strbuf_release(&out);
    return has_room(l, err) && (answer == ANSWER_YES || cannot(l, err, answer));
}

/* ---- all of it ---- */

static void make_title(struct sf_review_look *l, const struct span *span)
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

static bool note_state(struct sf_review_look *l, const struct span *span, struct sf_error *err)
{
    struct sf_strbuf head = SF_STRBUF_INIT;
    bool ok = find_commit(l, "HEAD", &head, err);

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
    struct span span = { SF_STRBUF_INIT, SF_STRBUF_INIT };
    bool ok =
        is_repository(l, err) && switch_off(l, err) && find_span(l, &span, err) &&
        check_paths(l, &span, err) && learn_secrets(l, &span, err) && find_renamed(l, &span, err) &&
        find_withheld(l, &span, err) && count_lines(l, &span, err) && read_hunks(l, &span, err) &&
        read_called_binary(l, &span, err) &&
        (l->what.of != SF_REVIEW_OF_CHANGES || find_fresh(l, err)) && note_state(l, &span, err);

    if (ok)
        make_title(l, &span);
    ok = ok && check_guess(l, err);
    l->diff.secrets = NULL; /* The diff is taken; what it must not show stays here. */
    sf_strbuf_release(&span.from);
    sf_strbuf_release(&span.to);
    return ok;
}
