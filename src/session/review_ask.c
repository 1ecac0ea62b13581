/*
 * review_ask.c: one question to git, in a cage, with a deadline, and with everything switched off
 * by which a repository makes git run programs. Its filters have names of their own, so the
 * settings are asked for them first. Paths are passed literally.
 */
#include "session/review_ask.h"

#include <sys/stat.h>

#include "io/io.h"

enum {
    ANSWER_MS = 30000,
    LOOK_MS = 50,             /* how often a cancel is looked for while git works */
    ARGS_MAX = 1200,          /* arguments of one command */
    ARGS_BYTES = 96 * 1024,   /* and their length */
    FILTERS_MAX = 64,         /* filters that can be switched off */
    SETTINGS_BYTES = 1 << 20, /* of the names of all settings */
    MEMORY_BYTES = 1 << 30,   /* that git may take up */
};

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
    bool ok, whole, late, large;
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
    if (q->child) {
        sf_loop_add_timer(q->loop, LOOK_MS, LOOK_MS, look_for_cancel, q);
        sf_loop_run(q->loop);
    }
    sf_loop_free(q->loop);
}

/* ---- arguments ---- */

void sf_review_args_add(struct sf_review_args *a, const char *text)
{
    sf_strlist_add(&a->list, text);
    a->bytes += strlen(text) + 1;
}

void sf_review_args_begin(const struct sf_review_look *l, struct sf_review_args *a,
                          const char *const *words)
{
    struct sf_strbuf dir = SF_STRBUF_INIT;

    *a = (struct sf_review_args){ .list = SF_STRLIST_INIT };
    sf_review_args_add(a, "git");
    sf_review_args_add(a, "--no-pager");
    sf_strbuf_addf(&dir, "--git-dir=%s/.git", l->root->path);
    sf_review_args_add(a, dir.buf);
    sf_strbuf_reset(&dir);
    sf_strbuf_addf(&dir, "--work-tree=%s", l->root->path);
    sf_review_args_add(a, dir.buf);
    sf_strbuf_release(&dir);
    for (; *words; words++)
        sf_review_args_add(a, *words);
}

void sf_review_args_spec(struct sf_review_args *a, const char *magic, const char *path)
{
    struct sf_strbuf spec = SF_STRBUF_INIT;

    sf_strbuf_addf(&spec, ":(top,%s)%s", magic, path);
    sf_review_args_add(a, spec.buf);
    sf_strbuf_release(&spec);
}

bool sf_review_args_fit(const struct sf_review_args *a, const char *path)
{
    return a->list.count < ARGS_MAX && a->bytes + strlen(path) + 64 < ARGS_BYTES;
}

static void begin_compare(const struct sf_review_look *l, struct sf_review_args *a,
                          const char *const *words)
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
}

void sf_review_args_diff(const struct sf_review_look *l, struct sf_review_args *a,
                         const char *const *words, const struct sf_review_span *span)
{
    begin_compare(l, a, words);
    if (l->what.of == SF_REVIEW_OF_STAGED)
        sf_review_args_add(a, "--cached");
    sf_review_args_add(a, span->from.buf);
    if (span->to.len)
        sf_review_args_add(a, span->to.buf);
}

void sf_review_args_whole(const struct sf_review_look *l, struct sf_review_args *a,
                          const char *const *words, const char *empty, const char *tree)
{
    begin_compare(l, a, words);
    if (!tree)
        sf_review_args_add(a, "--cached");
    sf_review_args_add(a, empty);
    if (tree)
        sf_review_args_add(a, tree);
    sf_review_args_add(a, "--");
}

/* ---- answers ---- */

enum sf_review_answer sf_review_ask(struct sf_review_look *l, struct sf_review_args *a, size_t cap,
                                    struct sf_strbuf *out, struct sf_error *err)
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
        return SF_REVIEW_ANSWER_NO;
    return q.whole ? SF_REVIEW_ANSWER_YES : SF_REVIEW_ANSWER_CUT;
}

bool sf_review_ask_line(struct sf_review_look *l, const char *const *words, struct sf_strbuf *out,
                        struct sf_error *err)
{
    struct sf_review_args a;

    sf_review_args_begin(l, &a, words);
    if (sf_review_ask(l, &a, SF_REVIEW_NAME_BYTES, out, err) != SF_REVIEW_ANSWER_YES)
        sf_strbuf_reset(out);
    sf_strbuf_truncate(out, strcspn(out->buf, "\n"));
    return err->code == SF_E_NONE;
}

bool sf_review_cannot(const struct sf_review_look *l, struct sf_error *err,
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
    bool ok = sf_review_ask_line(l, words, &path, err);

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

        ok = sf_review_ask_line(l, words, &path, err);
        full = *path.buf == '/' ? sf_strdup(path.buf) : sf_path_join(l->root->path, path.buf);
        if (ok && path.len && stat(full, &st) == 0 && !is_plain(full))
            ok = sf_fail(err, SF_E_ARG, ".git/%s is no file that git can read", lists[i]);
        free(full);
    }
    sf_strbuf_release(&path);
    return ok;
}

bool sf_review_switch_off(struct sf_review_look *l, struct sf_error *err)
{
    static const char *const words[] = {
        "config", "--list", "--includes", "--name-only", "-z", NULL
    };
    struct sf_strlist filters = SF_STRLIST_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_review_args a;
    bool ok;

    make_env(l, &filters);
    sf_review_args_begin(l, &a, words);
    ok = sf_review_ask(l, &a, SETTINGS_BYTES, &out, err) == SF_REVIEW_ANSWER_YES;
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
