/*
 * loop.c: poll(2) around a table of watches. A callback may remove any watch, so the dispatcher
 * looks each one up by id before use: an id is a serial number with the index in the table in its
 * low bits, so a stale id finds an empty slot or a newer serial number.
 *
 * Timers are in a binary heap. Signals and posts share one eventfd that wakes the poll; a mutex
 * protects the posts.
 */
#include "io/loop.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/base.h"
#include "io/clock.h"

#define PLACE_BITS 24
#define PLACE_MASK ((UINT64_C(1) << PLACE_BITS) - 1)
#define SIGNALS    64

enum kind { WATCH_FD, WATCH_TIMER, WATCH_SIGNAL };

struct watch {
    uint64_t id;
    enum kind kind;
    int fd; /* or the signal's number */
    unsigned events;
    int64_t due, every;
    size_t heap_at;
    union {
        sf_loop_fn *timer;
        sf_loop_fd_fn *fd;
        sf_loop_signal_fn *signal;
    } fn;
    void *ctx;
};

struct watch_list {
    struct watch **items;
    size_t count, cap;
};

struct post {
    sf_loop_fn *fn;
    void *ctx;
};

struct post_list {
    struct post *items;
    size_t count, cap;
};

struct sf_loop {
    struct watch **places; /* by the low bits of the id; NULL is free */
    size_t nplaces, places_cap;
    uint32_t *free_places;
    size_t nfree, free_cap;
    uint64_t serial; /* of the newest watch */

    struct watch_list fds, signals; /* in the order they were added */
    struct watch_list heap;         /* timers; heap.items[0] is due first */

    struct pollfd *polled; /* of this turn; [0] is the wake descriptor */
    uint64_t *polled_ids;
    size_t polled_cap, polled_ids_cap;

    pthread_mutex_t posts_lock;
    struct post_list posts;
    int wake;

    sf_loop_fn *hook;
    void *hook_ctx;
    bool in_turn, stopping;
};

/* What the signal handler touches; signals belong to the process, hence to one loop. */
static struct sf_loop *signal_loop;
static atomic_int signal_wake = -1;
static atomic_ullong signal_pending; /* bit N-1: signal N arrived */
static struct sigaction signal_before[SIGNALS + 1];

static void wake_up(int fd)
{
    static const uint64_t one = 1;
    ssize_t n;

    /* EAGAIN means the counter is full: the loop is about to wake up anyway. */
    do
        n = write(fd, &one, sizeof(one));
    while (n < 0 && errno == EINTR);
}

static struct watch *find(const struct sf_loop *loop, uint64_t id)
{
    size_t place = id & PLACE_MASK;
    struct watch *w = place < loop->nplaces ? loop->places[place] : NULL;

    return w && w->id == id ? w : NULL;
}

static uint32_t take_place(struct sf_loop *loop)
{
    if (loop->nfree)
        return loop->free_places[--loop->nfree];
    assert(loop->nplaces < PLACE_MASK);
    loop->places =
        sf_grow(loop->places, &loop->places_cap, loop->nplaces + 1, sizeof(struct watch *));
    loop->places[loop->nplaces] = NULL;
    return (uint32_t)loop->nplaces++;
}

static struct watch *add_watch(struct sf_loop *loop, enum kind kind, void *ctx)
{
    struct watch *w = sf_alloc(sizeof(*w));
    uint32_t place = take_place(loop);

    w->id = ++loop->serial << PLACE_BITS | place;
    w->kind = kind;
    w->ctx = ctx;
    loop->places[place] = w;
    return w;
}

static void free_watch(struct sf_loop *loop, struct watch *w)
{
    size_t place = w->id & PLACE_MASK;

    loop->places[place] = NULL;
    loop->free_places =
        sf_grow(loop->free_places, &loop->free_cap, loop->nfree + 1, sizeof(*loop->free_places));
    loop->free_places[loop->nfree++] = (uint32_t)place;
    free(w);
}

static void list_add(struct watch_list *list, struct watch *w)
{
    list->items = sf_grow(list->items, &list->cap, list->count + 1, sizeof(struct watch *));
    list->items[list->count++] = w;
}

static void list_remove(struct watch_list *list, const struct watch *w)
{
    size_t at = 0;

    while (list->items[at] != w)
        at++;
    list->count--;
    memmove(list->items + at, list->items + at + 1, (list->count - at) * sizeof(struct watch *));
}

/* Ids grow, so ties are broken in the order of adding. */
static bool before(const struct watch *a, const struct watch *b)
{
    return a->due != b->due ? a->due < b->due : a->id < b->id;
}

static void heap_put(struct watch_list *heap, size_t at, struct watch *w)
{
    heap->items[at] = w;
    w->heap_at = at;
}

static void heap_rise(struct watch_list *heap, struct watch *w)
{
    size_t at = w->heap_at;

    for (; at > 0 && before(w, heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap_put(heap, at, heap->items[(at - 1) / 2]);
    heap_put(heap, at, w);
}

static void heap_sink(struct watch_list *heap, struct watch *w)
{
    size_t at = w->heap_at;

    for (;;) {
        size_t child = at * 2 + 1;

        if (child + 1 < heap->count && before(heap->items[child + 1], heap->items[child]))
            child++;
        if (child >= heap->count || !before(heap->items[child], w))
            break;
        heap_put(heap, at, heap->items[child]);
        at = child;
    }
    heap_put(heap, at, w);
}

static void heap_add(struct watch_list *heap, struct watch *w)
{
    list_add(heap, w);
    w->heap_at = heap->count - 1;
    heap_rise(heap, w);
}

static void heap_remove(struct watch_list *heap, struct watch *w)
{
    struct watch *last = heap->items[--heap->count];

    if (last == w)
        return;
    heap_put(heap, w->heap_at, last);
    heap_rise(heap, last);
    heap_sink(heap, last);
}

static void on_signal(int signo)
{
    int saved = errno;

    atomic_fetch_or(&signal_pending, 1ULL << (signo - 1));
    wake_up(atomic_load(&signal_wake));
    errno = saved;
}

static bool is_signal_watched(const struct sf_loop *loop, int signo)
{
    for (size_t i = 0; i < loop->signals.count; i++)
        if (loop->signals.items[i]->fd == signo)
            return true;
    return false;
}

static void take_signal(struct sf_loop *loop, int signo)
{
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    int rc;

    assert(!signal_loop || signal_loop == loop);
    signal_loop = loop;
    atomic_store(&signal_wake, loop->wake);
    sigfillset(&action.sa_mask);
    rc = sigaction(signo, &action, &signal_before[signo]);
    assert(rc == 0);
    (void)rc;
}

static void give_signal_back(struct sf_loop *loop, int signo)
{
    if (is_signal_watched(loop, signo))
        return;
    sigaction(signo, &signal_before[signo], NULL);
    atomic_fetch_and(&signal_pending, ~(1ULL << (signo - 1)));
    if (!loop->signals.count) {
        signal_loop = NULL;
        atomic_store(&signal_wake, -1);
    }
}

struct sf_loop *sf_loop_new(struct sf_error *err)
{
    int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct sf_loop *loop;

    if (wake < 0) {
        sf_fail_errno(err, "cannot start an event loop");
        return NULL;
    }
    loop = sf_alloc(sizeof(*loop));
    loop->wake = wake;
    pthread_mutex_init(&loop->posts_lock, NULL);
    return loop;
}

void sf_loop_free(struct sf_loop *loop)
{
    if (!loop)
        return;
    assert(!loop->in_turn);
    for (size_t i = 0; i < loop->nplaces; i++)
        if (loop->places[i])
            sf_loop_remove(loop, loop->places[i]->id);
    close(loop->wake);
    pthread_mutex_destroy(&loop->posts_lock);
    free(loop->posts.items);
    free(loop->polled);
    free(loop->polled_ids);
    free(loop->fds.items);
    free(loop->signals.items);
    free(loop->heap.items);
    free(loop->free_places);
    free(loop->places);
    free(loop);
}

uint64_t sf_loop_watch_fd(struct sf_loop *loop, int fd, unsigned events, sf_loop_fd_fn *fn,
                          void *ctx)
{
    struct watch *w = add_watch(loop, WATCH_FD, ctx);

    assert(fd >= 0);
    w->fd = fd;
    w->events = events;
    w->fn.fd = fn;
    list_add(&loop->fds, w);
    return w->id;
}

void sf_loop_change_fd(struct sf_loop *loop, uint64_t id, unsigned events)
{
    struct watch *w = find(loop, id);

    if (w && w->kind == WATCH_FD)
        w->events = events;
}

uint64_t sf_loop_add_timer(struct sf_loop *loop, int64_t after_ms, int64_t every_ms, sf_loop_fn *fn,
                           void *ctx)
{
    int64_t now = sf_clock_monotonic_ms();
    struct watch *w = add_watch(loop, WATCH_TIMER, ctx);

    if (after_ms < 0)
        after_ms = 0;
    w->due = after_ms < INT64_MAX - now ? now + after_ms : INT64_MAX;
    w->every = every_ms;
    w->fn.timer = fn;
    heap_add(&loop->heap, w);
    return w->id;
}

uint64_t sf_loop_watch_signal(struct sf_loop *loop, int signo, sf_loop_signal_fn *fn, void *ctx)
{
    struct watch *w = add_watch(loop, WATCH_SIGNAL, ctx);

    assert(signo > 0 && signo <= SIGNALS);
    if (!is_signal_watched(loop, signo))
        take_signal(loop, signo);
    w->fd = signo;
    w->fn.signal = fn;
    list_add(&loop->signals, w);
    return w->id;
}

void sf_loop_remove(struct sf_loop *loop, uint64_t id)
{
    struct watch *w = find(loop, id);

    if (!w)
        return;
    switch (w->kind) {
    case WATCH_FD:
        list_remove(&loop->fds, w);
        break;
    case WATCH_TIMER:
        heap_remove(&loop->heap, w);
        break;
    case WATCH_SIGNAL:
        list_remove(&loop->signals, w);
        give_signal_back(loop, w->fd);
        break;
    }
    free_watch(loop, w);
}

void sf_loop_post(struct sf_loop *loop, sf_loop_fn *fn, void *ctx)
{
    struct post_list *posts = &loop->posts;

    pthread_mutex_lock(&loop->posts_lock);
    posts->items = sf_grow(posts->items, &posts->cap, posts->count + 1, sizeof(*posts->items));
    posts->items[posts->count++] = (struct post){ fn, ctx };
    /* Under the lock: after unlocking, the post may run and free the loop. */
    wake_up(loop->wake);
    pthread_mutex_unlock(&loop->posts_lock);
}

void sf_loop_before_wait(struct sf_loop *loop, sf_loop_fn *fn, void *ctx)
{
    loop->hook = fn;
    loop->hook_ctx = ctx;
}

/*
 * The turn's clock is read once and timers younger than the turn wait for the next one, so
 * timers that keep adding timers cannot starve the descriptors.
 */
static void run_timers(struct sf_loop *loop)
{
    int64_t now = sf_clock_monotonic_ms();
    uint64_t newest = loop->serial;

    while (loop->heap.count && loop->heap.items[0]->due <= now) {
        struct watch *w = loop->heap.items[0];
        sf_loop_fn *fn = w->fn.timer;
        void *ctx = w->ctx;

        if (w->id >> PLACE_BITS > newest)
            break;
        if (w->every > 0) {
            int64_t next = w->due + w->every;

            w->due = next > now ? next : now + w->every;
            heap_sink(&loop->heap, w);
        } else {
            heap_remove(&loop->heap, w);
            free_watch(loop, w);
        }
        fn(ctx);
    }
}

static void run_signals(struct sf_loop *loop)
{
    unsigned long long pending;
    uint64_t *ids;
    size_t count = 0;

    if (signal_loop != loop)
        return;
    if (!atomic_load(&signal_pending))
        return;
    pending = atomic_exchange(&signal_pending, 0);
    /* A callback may remove watches, so the ones to call are noted first. */
    ids = sf_alloc_array(loop->signals.count, sizeof(*ids));
    for (size_t i = 0; i < loop->signals.count; i++)
        if (pending >> (loop->signals.items[i]->fd - 1) & 1)
            ids[count++] = loop->signals.items[i]->id;
    for (size_t i = 0; i < count; i++) {
        struct watch *w = find(loop, ids[i]);

        if (w)
            w->fn.signal(w->ctx, w->fd);
    }
    free(ids);
}

static void run_posts(struct sf_loop *loop)
{
    struct post_list posts;

    pthread_mutex_lock(&loop->posts_lock);
    posts = loop->posts;
    loop->posts = (struct post_list){ 0 };
    pthread_mutex_unlock(&loop->posts_lock);
    for (size_t i = 0; i < posts.count; i++)
        posts.items[i].fn(posts.items[i].ctx);
    free(posts.items);
}

static bool has_posts(struct sf_loop *loop)
{
    bool has;

    pthread_mutex_lock(&loop->posts_lock);
    has = loop->posts.count > 0;
    pthread_mutex_unlock(&loop->posts_lock);
    return has;
}

static bool has_work(struct sf_loop *loop)
{
    return loop->fds.count || loop->heap.count || loop->signals.count || has_posts(loop);
}

/*
 * Paused watches are left out: poll reports hang-ups even when no events were requested, and the
 * loop would spin.
 */
static size_t fill_polled(struct sf_loop *loop)
{
    size_t n = 0;

    loop->polled =
        sf_grow(loop->polled, &loop->polled_cap, loop->fds.count + 1, sizeof(*loop->polled));
    loop->polled_ids = sf_grow(loop->polled_ids, &loop->polled_ids_cap, loop->fds.count + 1,
                               sizeof(*loop->polled_ids));
    loop->polled[n] = (struct pollfd){ .fd = loop->wake, .events = POLLIN };
    loop->polled_ids[n++] = 0;
    for (size_t i = 0; i < loop->fds.count; i++) {
        const struct watch *w = loop->fds.items[i];
        int events =
            (w->events & SF_FD_READ ? POLLIN : 0) | (w->events & SF_FD_WRITE ? POLLOUT : 0);

        if (!events)
            continue;
        loop->polled[n] = (struct pollfd){ .fd = w->fd, .events = (short)events };
        loop->polled_ids[n++] = w->id;
    }
    return n;
}

/* When a wait that begins now must be over; INT64_MAX is never. */
static int64_t wait_end(const struct sf_loop *loop, int64_t max_wait_ms)
{
    int64_t now = sf_clock_monotonic_ms();
    int64_t end = INT64_MAX;

    if (loop->stopping)
        return now;
    if (max_wait_ms >= 0 && max_wait_ms < INT64_MAX - now)
        end = now + max_wait_ms;
    if (loop->heap.count && loop->heap.items[0]->due < end)
        end = loop->heap.items[0]->due;
    return end;
}

/* A signal that is ours makes the wake descriptor readable; any other must not end the wait. */
static int wait_for_events(struct sf_loop *loop, size_t polled, int64_t end)
{
    int n;

    do {
        int64_t left = end == INT64_MAX ? -1 : end - sf_clock_monotonic_ms();

        if (left < 0 && end != INT64_MAX)
            left = 0;
        n = poll(loop->polled, polled, left < INT_MAX ? (int)left : INT_MAX);
    } while (n < 0 && errno == EINTR);
    return n;
}

static void dispatch_fd(struct sf_loop *loop, uint64_t id, int revents)
{
    struct watch *w = find(loop, id);
    unsigned events = 0;

    if (!w)
        return;
    if (revents & POLLIN)
        events |= SF_FD_READ;
    if (revents & POLLOUT)
        events |= SF_FD_WRITE;
    if (revents & (POLLERR | POLLHUP | POLLNVAL))
        events |= SF_FD_READ | SF_FD_WRITE;
    /* The interest may have changed since the poll. */
    events &= w->events;
    if (events)
        w->fn.fd(w->ctx, w->fd, events);
}

static void dispatch(struct sf_loop *loop, size_t polled)
{
    if (loop->polled[0].revents) {
        uint64_t count;

        while (read(loop->wake, &count, sizeof(count)) < 0 && errno == EINTR)
            ;
        run_signals(loop);
        run_posts(loop);
    }
    for (size_t i = 1; i < polled; i++) {
        if (!loop->polled[i].revents)
            continue;
        /* A signal that arrived after the poll still comes before the events of descriptors. */
        run_signals(loop);
        dispatch_fd(loop, loop->polled_ids[i], loop->polled[i].revents);
    }
}

bool sf_loop_turn(struct sf_loop *loop, int64_t max_wait_ms)
{
    size_t polled;

    assert(!loop->in_turn);
    loop->in_turn = true;
    run_timers(loop);
    if (loop->hook)
        loop->hook(loop->hook_ctx);
    /* The timers may have ended the last watch: then there is nothing to wait for. */
    if (has_work(loop)) {
        polled = fill_polled(loop);
        if (wait_for_events(loop, polled, wait_end(loop, max_wait_ms)) > 0)
            dispatch(loop, polled);
    }
    loop->in_turn = false;
    return has_work(loop);
}

void sf_loop_run(struct sf_loop *loop)
{
    while (!loop->stopping && has_work(loop))
        sf_loop_turn(loop, -1);
    loop->stopping = false;
}

void sf_loop_stop(struct sf_loop *loop)
{
    loop->stopping = true;
}
