/*
 * tui.c: full-screen programs in a terminal of 40 rows of 120, one beside the other. Each gets its
 * own pty; what it writes is read at once and only looked at for the mark that says it is ready.
 * Peers take turns within a round, so that a busy moment of the machine hits all of them.
 *
 * usage: bench_tui first ROUNDS PEER…   from exec to the last byte of the first screen
 *        bench_tui keys ROUNDS PEER…    from a key to the byte that shows it
 *        bench_tui pages ROUNDS PEER…   from the key for another page to its last byte
 *        bench_tui answers ROUNDS PEER… from its keys to the end of the text that follows them
 *        bench_tui run 1 PEER…          until it has ended: once ready, it is sent its keys
 *        bench_tui pieces COUNT         writes as many pieces of a text, one by one
 * PEER is: -- LABEL MARK KEYS COMMAND [ARGUMENT…]
 * One line for each: label, median and 99th percentile in µs, processor µs, bytes, kB resident.
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PEERS_MAX = 8,
    ROUNDS_MAX = 10000,
    QUIET_MS = 40,      /* without a byte: the screen is complete */
    PAGE_QUIET_MS = 12, /* the same after a key */
    READY_MS = 120000,  /* for the mark */
    GAP_MS = 25,        /* between two keys: a fast writer */
    PIECE = 6,          /* bytes, of a long text */
    TAIL = 256,         /* bytes kept to find marks that come in two parts */
};

#define THE_END "the-end" /* the last word of a long text */

struct peer {
    const char *label, *mark, *keys;
    char **argv;
    pid_t pid;
    int fd;
    char tail[TAIL + 65536];
    size_t tail_len;
    int64_t last_ns; /* when the last byte came */
    uint64_t bytes;
    int64_t times[ROUNDS_MAX], cpu[ROUNDS_MAX];
    uint64_t sizes[ROUNDS_MAX];
    size_t count;
    long rss;
};

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void die(const struct peer *peer, const char *what)
{
    fprintf(stderr, "bench_tui: %s %s\n", peer->label, what);
    exit(1);
}

/* ---- a peer's life ---- */

static void start(struct peer *peer)
{
    const struct winsize size = { .ws_row = 40, .ws_col = 120 };

    peer->tail_len = peer->bytes = 0;
    peer->pid = forkpty(&peer->fd, NULL, NULL, &size);
    if (peer->pid == 0) {
        execvp(peer->argv[0], peer->argv);
        _exit(127);
    }
    if (peer->pid < 0)
        die(peer, "does not start");
}

static void end(struct peer *peer)
{
    kill(peer->pid, SIGKILL);
    waitpid(peer->pid, NULL, 0);
    close(peer->fd);
}

/* Nanoseconds on a processor, of all its threads. */
static int64_t processor_ns(const struct peer *peer)
{
    char path[300];
    struct dirent *entry;
    int64_t sum = 0;
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)peer->pid);
    dir = opendir(path);
    while (dir && (entry = readdir(dir))) {
        long long ns = 0;
        FILE *fp;

        snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", (int)peer->pid, entry->d_name);
        fp = entry->d_name[0] == '.' ? NULL : fopen(path, "re");
        if (fp && fscanf(fp, "%lld", &ns) == 1) // NOLINT(cert-err34-c): the kernel's own number
            sum += ns;
        if (fp)
            fclose(fp);
    }
    if (dir)
        closedir(dir);
    return sum;
}

static long resident_kb(const struct peer *peer)
{
    char path[64], line[256];
    long kb = 0;
    FILE *fp;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)peer->pid);
    fp = fopen(path, "re");
    while (fp && fgets(line, sizeof(line), fp))
        if (!strncmp(line, "VmRSS:", 6))
            kb = strtol(line + 6, NULL, 10);
    if (fp)
        fclose(fp);
    return kb;
}

/* ---- what it writes ---- */

/* One read; false: it has ended, or nothing came in time. */
static bool take(struct peer *peer, int wait_ms)
{
    struct pollfd in = { .fd = peer->fd, .events = POLLIN };
    ssize_t n;

    if (peer->tail_len > TAIL) {
        memmove(peer->tail, peer->tail + peer->tail_len - TAIL, TAIL);
        peer->tail_len = TAIL;
    }
    if (poll(&in, 1, wait_ms) <= 0)
        return false;
    n = read(peer->fd, peer->tail + peer->tail_len, sizeof(peer->tail) - peer->tail_len);
    if (n <= 0)
        return false;
    peer->last_ns = now_ns();
    peer->tail_len += (size_t)n;
    peer->bytes += (uint64_t)n;
    return true;
}

static bool shows(const struct peer *peer, const char *mark)
{
    return memmem(peer->tail, peer->tail_len, mark, strlen(mark)) != NULL;
}

static void wait_for(struct peer *peer, const char *mark)
{
    while (!shows(peer, mark))
        if (!take(peer, READY_MS))
            die(peer, "has not shown what it should");
}

static void wait_quiet(struct peer *peer, int quiet_ms)
{
    while (take(peer, quiet_ms))
        ;
}

/* Piece by piece; what it answers meanwhile is taken, or both would wait for each other. */
static void type(struct peer *peer, const char *keys)
{
    size_t len = strlen(keys);

    while (len) {
        struct pollfd both = { .fd = peer->fd, .events = POLLIN | POLLOUT };
        size_t n = len < PIECE ? len : PIECE;

        if (poll(&both, 1, READY_MS) <= 0 || both.revents & POLLERR)
            die(peer, "takes no keys");
        if (both.revents & POLLIN && len > PIECE && !take(peer, 0))
            die(peer, "has ended");
        if (!(both.revents & POLLOUT))
            continue;
        if (write(peer->fd, keys, n) != (ssize_t)n)
            die(peer, "takes no keys");
        keys += n;
        len -= n;
    }
}

static void note(struct peer *peer, int64_t ns, int64_t cpu, uint64_t bytes)
{
    peer->times[peer->count] = ns;
    peer->cpu[peer->count] = cpu;
    peer->sizes[peer->count++] = bytes;
    peer->rss = resident_kb(peer);
}

/* ---- what is measured ---- */

static void measure_first(struct peer *peers, size_t count, size_t rounds)
{
    for (size_t i = 0; i < rounds * count; i++) {
        struct peer *peer = &peers[i % count];
        int64_t began = now_ns();

        start(peer);
        wait_for(peer, peer->mark);
        wait_quiet(peer, QUIET_MS);
        note(peer, peer->last_ns - began, processor_ns(peer), peer->bytes);
        end(peer);
    }
}

static void start_all(struct peer *peers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        start(&peers[i]);
        wait_for(&peers[i], peers[i].mark);
        wait_quiet(&peers[i], QUIET_MS);
    }
}

/* Letters that the rest of the screen's sequences do not end in: no false hit. */
static void measure_keys(struct peer *peers, size_t count, size_t rounds)
{
    static const char letters[] = "eopqvwxyz";
    const struct timespec gap = { .tv_nsec = GAP_MS * 1000000L };

    start_all(peers, count);
    for (size_t i = 0; i < rounds * count; i++) {
        struct peer *peer = &peers[i % count];
        const char letter[2] = { letters[i / count % (sizeof(letters) - 1)], '\0' };
        int64_t began, cpu = processor_ns(peer);
        uint64_t before = peer->bytes;

        peer->tail_len = 0;
        began = now_ns();
        type(peer, letter);
        wait_for(peer, letter);
        began = peer->last_ns - began;
        nanosleep(&gap, NULL);
        wait_quiet(peer, 0);
        note(peer, began, processor_ns(peer) - cpu, peer->bytes - before);
    }
}

static void measure_pages(struct peer *peers, size_t count, size_t rounds)
{
    start_all(peers, count);
    for (size_t i = 0; i < rounds * count; i++) {
        struct peer *peer = &peers[i % count];
        int64_t began = now_ns(), cpu = processor_ns(peer);
        uint64_t before = peer->bytes;

        type(peer, peer->keys);
        if (!take(peer, READY_MS))
            die(peer, "shows no other page");
        wait_quiet(peer, PAGE_QUIET_MS);
        note(peer, peer->last_ns - began, processor_ns(peer) - cpu, peer->bytes - before);
    }
}

/* A peer without keys begins by itself: its mark is the end of the text. */
static void measure_answers(struct peer *peers, size_t count, size_t rounds)
{
    for (size_t i = 0; i < rounds * count; i++) {
        struct peer *peer = &peers[i % count];
        int64_t began = now_ns(), cpu = 0;
        uint64_t before = 0;

        start(peer);
        wait_for(peer, peer->mark);
        if (*peer->keys) {
            wait_quiet(peer, QUIET_MS);
            cpu = processor_ns(peer);
            before = peer->bytes;
            peer->tail_len = 0;
            began = now_ns();
            type(peer, peer->keys);
            wait_for(peer, THE_END);
        }
        wait_quiet(peer, QUIET_MS);
        note(peer, peer->last_ns - began, processor_ns(peer) - cpu, peer->bytes - before);
        end(peer);
    }
}

static void run_to_end(struct peer *peers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct peer *peer = &peers[i];
        int64_t began = now_ns();

        start(peer);
        wait_for(peer, peer->mark);
        wait_quiet(peer, QUIET_MS);
        note(peer, peer->last_ns - began, processor_ns(peer), peer->bytes);
        type(peer, peer->keys);
        while (take(peer, READY_MS))
            ;
        waitpid(peer->pid, NULL, 0);
        close(peer->fd);
    }
}

static int write_pieces(size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (write(STDOUT_FILENO, "words ", 6) != 6)
            return 1;
    return write(STDOUT_FILENO, THE_END "\n", sizeof(THE_END)) != sizeof(THE_END);
}

/* ---- telling ---- */

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void report(struct peer *peer)
{
    size_t n = peer->count;

    qsort(peer->times, n, sizeof(*peer->times), by_value);
    qsort(peer->cpu, n, sizeof(*peer->cpu), by_value);
    qsort(peer->sizes, n, sizeof(*peer->sizes), by_value);
    printf("%s\t%lld\t%lld\t%lld\t%llu\t%ld\n", peer->label, (long long)peer->times[n / 2] / 1000,
           (long long)peer->times[n * 99 / 100] / 1000, (long long)peer->cpu[n / 2] / 1000,
           (unsigned long long)peer->sizes[n / 2], peer->rss);
}

static size_t read_peers(struct peer *peers, int argc, char **argv)
{
    size_t count = 0;

    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0)
            continue;
        if (i + 4 >= argc || count == PEERS_MAX)
            return 0;
        argv[i] = NULL; /* ends the command before it */
        peers[count++] = (struct peer){
            .label = argv[i + 1], .mark = argv[i + 2], .keys = argv[i + 3], .argv = &argv[i + 4]
        };
        i += 4;
    }
    return count;
}

int main(int argc, char **argv)
{
    static struct peer peers[PEERS_MAX];
    const char *what = argc > 2 ? argv[1] : "";
    size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 0, count;

    if (!strcmp(what, "pieces"))
        return write_pieces(rounds);
    count = read_peers(peers, argc, argv);
    if (!count || rounds < 1 || rounds > ROUNDS_MAX)
        return 2;
    if (!strcmp(what, "first"))
        measure_first(peers, count, rounds);
    else if (!strcmp(what, "keys"))
        measure_keys(peers, count, rounds);
    else if (!strcmp(what, "pages"))
        measure_pages(peers, count, rounds);
    else if (!strcmp(what, "answers"))
        measure_answers(peers, count, rounds);
    else
        run_to_end(peers, count);
    for (size_t i = 0; i < count; i++) {
        report(&peers[i]);
        if (!strcmp(what, "keys") || !strcmp(what, "pages"))
            end(&peers[i]);
    }
    return 0;
}
