/*
 * walk.c: directories are jobs on one stack, taken by whichever thread is free. The newest job
 * goes first, so the stack stays about as deep as the tree and few ignore rules are held at once.
 * A directory with many files is cut into pieces that others can take. Jobs know paths, not
 * descriptors: each directory is opened anew beneath the root, and so descriptors stay few.
 */
#include "find/walk.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "find/beneath.h"
#include "find/entries.h"
#include "find/ignore.h"
#include "io/io.h"

enum { PIECE = 64, DEFAULT_THREADS = 4 };

/* A directory that is open and listed; shared by the jobs for pieces of it. */
struct listing {
    atomic_size_t refs;
    int fd;
    char *path;
    size_t len;
    struct sf_ignore *ignore;
    struct sf_entries entries;
};

struct job {
    struct job *next;
    struct listing *listing; /* a piece of this one; NULL: a directory to be listed */
    size_t from, to;
    struct sf_ignore *ignore; /* of the directory above */
    size_t len;
    char path[];
};

struct walk {
    const struct sf_walk_request *request;
    sf_walk_fn *fn;
    void *ctx;
    size_t below;
    atomic_bool stop, late;
    int64_t until; /* by the request's clock */
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct job *jobs;  /* under `lock`, as are the next two */
    unsigned busy;     /* threads that may still add jobs */
    unsigned sleepers; /* threads that wait for some */
};

struct worker {
    struct walk *walk;
    unsigned index;
    pthread_t thread;
    struct sf_strbuf path; /* of the entry at hand */
    struct sf_walk_tally tally;
};

static int64_t now(const struct sf_walk_request *request)
{
    return request->clock_ms ? request->clock_ms() : sf_clock_monotonic_ms();
}

static bool stopped(struct walk *w)
{
    const atomic_bool *cancel = w->request->cancel;

    if (w->request->within_ms && now(w->request) >= w->until) {
        atomic_store(&w->late, true);
        atomic_store(&w->stop, true);
    }
    return atomic_load_explicit(&w->stop, memory_order_relaxed) ||
           (cancel && atomic_load_explicit(cancel, memory_order_relaxed));
}

static void listing_unref(struct listing *l)
{
    if (!l || atomic_fetch_sub(&l->refs, 1) > 1)
        return;
    if (l->fd >= 0)
        close(l->fd);
    sf_ignore_unref(l->ignore);
    sf_entries_release(&l->entries);
    free(l->path);
    free(l);
}

static void job_free(struct job *job)
{
    listing_unref(job->listing);
    sf_ignore_unref(job->ignore);
    free(job);
}

static struct job *job_new(const char *path, size_t len, struct sf_ignore *ignore)
{
    struct job *job = sf_alloc(sizeof(*job) + len + 1);

    job->len = len;
    job->ignore = sf_ignore_ref(ignore);
    if (len)
        memcpy(job->path, path, len);
    return job;
}

/* Takes over a chain of jobs, from `first` to `last`. */
static void push(struct walk *w, struct job *first, struct job *last)
{
    if (!first)
        return;
    pthread_mutex_lock(&w->lock);
    last->next = w->jobs;
    w->jobs = first;
    if (w->sleepers)
        pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
}

/* NULL when there is nothing left to do and nobody could add anything. */
static struct job *take(struct walk *w)
{
    struct job *job;

    pthread_mutex_lock(&w->lock);
    w->busy--;
    while (!w->jobs && w->busy) {
        w->sleepers++;
        pthread_cond_wait(&w->work, &w->lock);
        w->sleepers--;
    }
    job = w->jobs;
    if (job) {
        w->jobs = job->next;
        w->busy++;
    } else {
        pthread_cond_broadcast(&w->work);
    }
    pthread_mutex_unlock(&w->lock);
    return job;
}

static bool vetoed(struct worker *me, const char *path, bool dir)
{
    const struct sf_walk_request *r = me->walk->request;

    if (!r->veto || !r->veto(r->veto_ctx, path, dir))
        return false;
    me->tally.vetoed++;
    return true;
}

/* Puts the entry's path together; false when nobody could open one that long. */
static bool set_path(struct worker *me, const struct listing *l, const char *name)
{
    sf_strbuf_truncate(&me->path, l->len ? l->len + 1 : 0);
    sf_strbuf_adds(&me->path, name);
    return me->path.len < PATH_MAX;
}

static void start_paths(struct worker *me, const struct listing *l)
{
    sf_strbuf_reset(&me->path);
    sf_strbuf_add(&me->path, l->path, l->len);
    if (l->len)
        sf_strbuf_addch(&me->path, '/');
}

static bool left_out(struct worker *me, const struct listing *l, bool dir)
{
    if (!sf_ignore_covers(l->ignore, me->path.buf, me->path.len, dir))
        return false;
    me->tally.ignored++;
    return true;
}

static void visit_file(struct worker *me, const struct listing *l, const char *name)
{
    struct walk *w = me->walk;
    const struct sf_walk_request *r = w->request;
    const struct sf_walk_entry entry = { .dir = l->fd,
                                         .name = name,
                                         .path = me->path.buf,
                                         .len = me->path.len,
                                         .below = w->below,
                                         .worker = me->index };

    if (!sf_filter_file(r->filter, entry.path + w->below, entry.len - w->below) ||
        left_out(me, l, false) || vetoed(me, entry.path, false))
        return;
    me->tally.files++;
    if (!w->fn(w->ctx, &entry))
        atomic_store(&w->stop, true);
}

static void visit_piece(struct worker *me, const struct listing *l, size_t from, size_t to)
{
    start_paths(me, l);
    for (size_t i = from; i < to && !stopped(me->walk); i++) {
        const char *name = sf_entries_name(&l->entries, i);

        if (l->entries.items[i].kind == SF_ENTRY_FILE && !sf_ignore_is_machinery(name) &&
            set_path(me, l, name))
            visit_file(me, l, name);
    }
}

static struct job *visit_dir(struct worker *me, const struct listing *l, const char *name)
{
    const struct walk *w = me->walk;

    if (!set_path(me, l, name)) {
        me->tally.unreadable++;
        return NULL;
    }
    if (!sf_filter_dir(w->request->filter, me->path.buf + w->below, me->path.len - w->below) ||
        left_out(me, l, true) || vetoed(me, me->path.buf, true))
        return NULL;
    return job_new(me->path.buf, me->path.len, l->ignore);
}

/* Jobs for the directories in the listing, in their order. */
static void push_dirs(struct worker *me, const struct listing *l)
{
    struct job *first = NULL, **end = &first, *last = NULL;

    start_paths(me, l);
    for (size_t i = 0; i < l->entries.count && !stopped(me->walk); i++) {
        const char *name = sf_entries_name(&l->entries, i);
        struct job *job = NULL;

        if (l->entries.items[i].kind == SF_ENTRY_DIR && !sf_ignore_is_machinery(name))
            job = visit_dir(me, l, name);
        if (!job)
            continue;
        *end = job;
        end = &job->next;
        last = job;
    }
    push(me->walk, first, last);
}

/* Jobs for all pieces of the listing but the first. */
static void push_pieces(struct worker *me, struct listing *l)
{
    struct job *first = NULL, *last = NULL;

    for (size_t from = PIECE; from < l->entries.count; from += PIECE) {
        struct job *job = job_new("", 0, NULL);
        size_t left = l->entries.count - from;

        atomic_fetch_add(&l->refs, 1);
        job->listing = l;
        job->from = from;
        job->to = from + (left < PIECE ? left : PIECE);
        job->next = first;
        first = job;
        last = last ? last : job;
    }
    push(me->walk, first, last);
}

/* Opens and lists a directory; NULL when that is not possible. */
static struct listing *list(struct worker *me, const char *path, size_t len,
                            struct sf_ignore *above)
{
    const struct sf_walk_request *r = me->walk->request;
    int fd = sf_beneath_open_dir(r->root, path);
    struct listing *l;

    if (fd < 0) {
        me->tally.unreadable++;
        return NULL;
    }
    l = sf_alloc(sizeof(*l));
    atomic_init(&l->refs, 1);
    l->fd = fd;
    l->path = sf_strndup(path, len);
    l->len = len;
    l->entries = (struct sf_entries)SF_ENTRIES_INIT;
    if (!sf_entries_read(&l->entries, fd) || l->entries.cut)
        me->tally.unreadable++;
    me->tally.dirs++;
    if (!r->all)
        l->ignore = sf_ignore_load(above, fd, len, &l->entries.seen);
    return l;
}

static void walk_dir(struct worker *me, const struct job *job)
{
    struct listing *l = list(me, job->path, job->len, job->ignore);

    if (!l)
        return;
    push_dirs(me, l);
    push_pieces(me, l);
    visit_piece(me, l, 0, l->entries.count < PIECE ? l->entries.count : PIECE);
    listing_unref(l);
}

static void *work(void *arg)
{
    struct worker *me = arg;
    struct job *job;

    while ((job = take(me->walk)) != NULL) {
        if (stopped(me->walk))
            ;
        else if (job->listing)
            visit_piece(me, job->listing, job->from, job->to);
        else
            walk_dir(me, job);
        job_free(job);
    }
    return NULL;
}

unsigned sf_walk_workers(const struct sf_walk_request *request)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned n = request->threads;

    if (!n)
        n = cores < 1 ? 1 : cores > DEFAULT_THREADS ? DEFAULT_THREADS : (unsigned)cores;
    return n > SF_WALK_THREADS_MAX ? SF_WALK_THREADS_MAX : n;
}

static void tally_add(struct sf_walk_tally *sum, const struct sf_walk_tally *t)
{
    sum->files += t->files;
    sum->dirs += t->dirs;
    sum->ignored += t->ignored;
    sum->vetoed += t->vetoed;
    sum->unreadable += t->unreadable;
}

/* The calling thread is worker 0. */
static void run(struct walk *w, struct sf_walk_tally *tally)
{
    struct worker workers[SF_WALK_THREADS_MAX] = { 0 };
    unsigned count = sf_walk_workers(w->request), started = 1;

    w->busy = count;
    for (unsigned i = 0; i < count; i++) {
        workers[i].walk = w;
        workers[i].index = i;
        sf_strbuf_init(&workers[i].path);
    }
    while (started < count && sf_thread_start(&workers[started].thread, work, &workers[started]))
        started++;
    pthread_mutex_lock(&w->lock);
    w->busy -= count - started;
    pthread_mutex_unlock(&w->lock);
    work(&workers[0]);
    for (unsigned i = 0; i < started; i++) {
        if (i)
            pthread_join(workers[i].thread, NULL);
        tally_add(tally, &workers[i].tally);
        sf_strbuf_release(&workers[i].path);
    }
}

static bool walk_tree(struct walk *w, const char *path, size_t len, struct sf_walk_tally *tally)
{
    const struct sf_walk_request *r = w->request;
    struct sf_ignore *above = r->all ? NULL : sf_ignore_load_above(r->root, path, r->user_ignore);

    w->below = len ? len + 1 : 0;
    w->jobs = job_new(path, len, above);
    sf_ignore_unref(above);
    run(w, tally);
    return true;
}

static bool walk_file(struct walk *w, int dir, const char *path, const char *name,
                      struct sf_walk_tally *tally)
{
    const struct sf_walk_entry entry = {
        .dir = dir, .name = name, .path = path, .len = strlen(path), .below = (size_t)(name - path)
    };

    tally->files = 1;
    if (!stopped(w))
        w->fn(w->ctx, &entry);
    return true;
}

static bool fail_kind(const char *path, mode_t mode, struct sf_error *err)
{
    return sf_fail(err, SF_E_ARG, "%s is %s", path,
                   S_ISLNK(mode) ? "a link" : "neither a file nor a directory");
}

/* Looks at the start without following it, then does what fits. */
static bool walk_from(struct walk *w, const char *path, size_t len, struct sf_walk_tally *tally,
                      struct sf_error *err)
{
    const struct sf_walk_request *r = w->request;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *parent = sf_strndup(path, slash ? (size_t)(slash - path) : 0);
    int dir = sf_beneath_open_dir(r->root, parent);
    struct stat st = { 0 };
    bool ok = false;

    if (dir < 0 || fstatat(dir, *name ? name : ".", &st, AT_SYMLINK_NOFOLLOW) < 0) {
        sf_fail_errno(err, "cannot search %s", *path ? path : "the directory");
    } else if (*path && r->veto && r->veto(r->veto_ctx, path, S_ISDIR(st.st_mode))) {
        tally->vetoed = 1;
        sf_fail(err, SF_E_ARG, "%s is protected and not searched", path);
    } else if (S_ISDIR(st.st_mode)) {
        ok = walk_tree(w, path, len, tally);
    } else if (S_ISREG(st.st_mode)) {
        ok = walk_file(w, dir, path, name, tally);
    } else {
        fail_kind(path, st.st_mode, err);
    }
    if (dir >= 0)
        close(dir);
    free(parent);
    return ok;
}

bool sf_walk(const struct sf_walk_request *request, sf_walk_fn *fn, void *ctx,
             struct sf_walk_tally *tally, struct sf_error *err)
{
    struct walk w = { .request = request, .fn = fn, .ctx = ctx };
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool ok;

    *tally = (struct sf_walk_tally){ 0 };
    if (request->within_ms)
        w.until = now(request) + request->within_ms;
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.work, NULL);
    ok = sf_beneath_normalize(request->start ? request->start : "", &path, err) &&
         walk_from(&w, path.buf, path.len, tally, err);
    tally->late = atomic_load(&w.late);
    if (ok && request->cancel && atomic_load(request->cancel))
        ok = sf_fail(err, SF_E_CANCELLED, "the search was cancelled");
    sf_strbuf_release(&path);
    pthread_cond_destroy(&w.work);
    pthread_mutex_destroy(&w.lock);
    return ok;
}
