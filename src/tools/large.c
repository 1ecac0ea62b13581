/*
 * large.c: one pass over the file, in chunks. A line is assembled from chunks up to the length that
 * will be shown; the rest of a long line is only counted.
 */
#include "tools/large.h"

#include <errno.h>
#include <unistd.h>

#include "base/base.h"

enum {
    PIECE = 256 * 1024,
    KEPT = 4 * SF_NUMBERED_CHARS + 4, /* bytes of a line: enough for the characters shown */
};

struct pass {
    struct sf_large *large;
    struct sf_numbered *out;
    int64_t number; /* of the current line */
    size_t kept, full;
    char last; /* byte before the current one, to see "\r\n" across pieces */
    char line[KEPT];
};

static bool wanted(const struct pass *p)
{
    return !p->large->cut && p->number >= p->large->offset &&
           p->number - p->large->offset < p->large->limit;
}

static bool past_range(const struct pass *p)
{
    return p->large->cut ||
           (p->number >= p->large->offset && p->number - p->large->offset >= p->large->limit);
}

static void keep(struct pass *p, const char *data, size_t len)
{
    size_t room = KEPT - p->kept, n = len < room ? len : room;

    if (len)
        p->last = data[len - 1];
    p->full += len;
    if (!wanted(p))
        return;
    memcpy(p->line + p->kept, data, n);
    p->kept += n;
}

static void end_line(struct pass *p)
{
    if (wanted(p)) {
        bool cr = p->full && p->last == '\r';

        if (cr && p->kept == p->full)
            p->kept--;
        p->large->cut = !sf_numbered_add(p->out, p->number, p->line, p->kept, p->full - cr);
    }
    p->number++;
    p->kept = p->full = 0;
    p->last = '\0';
}

static void feed(struct pass *p, const char *data, size_t len)
{
    const char *newline;

    while (len && (newline = memchr(data, '\n', len))) {
        size_t n = (size_t)(newline - data);

        keep(p, data, n);
        end_line(p);
        data += n + 1;
        len -= n + 1;
    }
    keep(p, data, len);
}

static ssize_t read_piece(int fd, char *piece)
{
    ssize_t n;

    do
        n = read(fd, piece, PIECE);
    while (n < 0 && errno == EINTR);
    return n;
}

static bool go_through(struct pass *p, int fd, const char *shown, const atomic_bool *cancelled,
                       struct sf_error *err)
{
    struct sf_large *large = p->large;
    struct sf_sha256 hash;
    char *piece = sf_alloc(PIECE);
    ssize_t n = 0;
    bool stopped = false;

    sf_sha256_init(&hash);
    while (!stopped && !atomic_load(cancelled) && (n = read_piece(fd, piece)) > 0) {
        sf_sha256_update(&hash, piece, (size_t)n);
        large->bytes += (uint64_t)n;
        feed(p, piece, (size_t)n);
        stopped = large->bytes > (uint64_t)SF_LARGE_DIGEST && past_range(p);
    }
    free(piece);
    if (atomic_load(cancelled))
        return sf_fail(err, SF_E_CANCELLED, "cancelled while reading %s", shown);
    if (n < 0)
        return sf_fail_errno(err, "cannot read %s", shown);
    large->complete = !stopped && large->bytes <= (uint64_t)SF_LARGE_DIGEST;
    if (!stopped && p->full)
        end_line(p);
    large->total = stopped ? -1 : p->number - 1;
    if (large->complete)
        sf_sha256_final(&hash, large->digest);
    return true;
}

bool sf_large_read(struct sf_large *large, int fd, const char *shown, struct sf_numbered *out,
                   const atomic_bool *cancelled, struct sf_error *err)
{
    struct pass *p = sf_alloc(sizeof(*p));
    bool ok;

    p->large = large;
    p->out = out;
    p->number = 1;
    ok = go_through(p, fd, shown, cancelled, err);
    free(p);
    return ok;
}
