/*
 * files.c: a walk into hits, one line each.
 */
#include "find/files.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/base.h"

struct finding {
    const struct sf_files_request *request;
    struct sf_hits *hits;
    atomic_uint_fast64_t total;
};

/* Nanoseconds; times beyond the range are cut to it. */
static int64_t time_of(const struct stat *st)
{
    int64_t ns;

    if (__builtin_mul_overflow((int64_t)st->st_mtim.tv_sec, INT64_C(1000000000), &ns) ||
        __builtin_add_overflow(ns, (int64_t)st->st_mtim.tv_nsec, &ns))
        return st->st_mtim.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

static bool collect(void *ctx, const struct sf_walk_entry *entry)
{
    struct finding *f = ctx;
    struct sf_hit hit = { .lines = 1 };
    struct stat st;

    if (f->request->order == SF_FILES_NEWEST) {
        if (fstatat(entry->dir, entry->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            return true; /* gone meanwhile */
        hit.rank = time_of(&st);
        hit.size = st.st_size;
    }
    atomic_fetch_add(&f->total, 1);
    if (sf_hits_wants(f->hits, hit.rank, entry->path)) {
        hit.path = sf_strndup(entry->path, entry->len);
        sf_hits_add(f->hits, hit);
    }
    return true;
}

bool sf_files_find(const struct sf_files_request *request, struct sf_files_result *result,
                   struct sf_error *err)
{
    size_t limit = request->limit && request->limit < SF_FILES_MAX ? request->limit : SF_FILES_MAX;
    size_t offset = request->offset < SF_FILES_MAX ? request->offset : SF_FILES_MAX;
    struct finding f = { .request = request, .hits = &result->hits };

    *result = (struct sf_files_result){ 0 };
    sf_hits_init(&result->hits, offset + limit, SIZE_MAX / 2);
    if (!sf_walk(&request->walk, collect, &f, &result->tally, err)) {
        sf_files_release(result);
        return false;
    }
    sf_hits_sort(&result->hits);
    result->total = atomic_load(&f.total);
    result->first = offset < result->hits.count ? offset : result->hits.count;
    result->count = result->hits.count - result->first;
    result->truncated = result->total > result->first + result->count;
    return true;
}

void sf_files_release(struct sf_files_result *result)
{
    struct sf_walk_tally tally = result->tally;

    sf_hits_release(&result->hits);
    *result = (struct sf_files_result){ .tally = tally };
}
