/*
 * seen.c: a map protected by a mutex. The keys belong to their entries; a dropped entry stays in
 * the map, marked, since entries cannot be removed from a map.
 */
#include "tools/seen.h"

#include <pthread.h>

#include "base/base.h"

struct entry {
    struct sf_file_seen seen;
    bool known;   /* false: dropped */
    int64_t upto; /* lines shown from the first one on without a gap */
    bool has_request;
    struct sf_seen_request request;
};

struct sf_seen_files {
    pthread_mutex_t lock;
    struct sf_map map; /* path to struct entry */
};

struct sf_seen_files *sf_seen_new(void)
{
    struct sf_seen_files *files = sf_alloc(sizeof(*files));

    pthread_mutex_init(&files->lock, NULL);
    files->map = (struct sf_map)SF_MAP_INIT;
    return files;
}

static void forget_all(struct sf_seen_files *files)
{
    for (size_t i = 0; i < files->map.count; i++) {
        struct entry *e = files->map.entries[i].value;

        free(e->seen.path);
        free(e);
    }
    sf_map_release(&files->map);
    files->map = (struct sf_map)SF_MAP_INIT;
}

void sf_seen_free(struct sf_seen_files *files)
{
    if (!files)
        return;
    forget_all(files);
    pthread_mutex_destroy(&files->lock);
    free(files);
}

static struct entry *find(struct sf_seen_files *files, const char *path)
{
    struct entry *e = sf_map_gets(&files->map, path);

    return e && e->known ? e : NULL;
}

static struct entry *find_or_add(struct sf_seen_files *files, const char *path)
{
    struct entry *e = sf_map_gets(&files->map, path);

    if (e)
        return e;
    if (files->map.count >= SF_SEEN_MAX)
        forget_all(files);
    e = sf_alloc(sizeof(*e));
    e->seen.path = sf_strdup(path);
    sf_map_add(&files->map, e->seen.path, strlen(e->seen.path), e);
    return e;
}

/* Copies the entry, with path NULL; false: never seen. */
static bool get(struct sf_seen_files *files, const char *path, struct sf_file_seen *out)
{
    const struct entry *e;

    pthread_mutex_lock(&files->lock);
    e = find(files, path);
    if (e) {
        *out = e->seen;
        out->path = NULL;
    }
    pthread_mutex_unlock(&files->lock);
    return e != NULL;
}

void sf_seen_put(struct sf_seen_files *files, const struct sf_file_seen *seen)
{
    struct entry *e;
    bool same;

    pthread_mutex_lock(&files->lock);
    e = find_or_add(files, seen->path);
    same = e->known && !memcmp(e->seen.digest, seen->digest, sizeof(seen->digest));
    if (!same) {
        e->upto = 0;
        e->has_request = false;
        e->seen.whole = false;
    }
    e->known = true;
    e->seen.size = seen->size;
    e->seen.mtime_ns = seen->mtime_ns;
    memcpy(e->seen.digest, seen->digest, sizeof(seen->digest));
    e->seen.whole |= seen->whole;
    pthread_mutex_unlock(&files->lock);
}

enum sf_seen_state sf_seen_state(struct sf_seen_files *files, const char *path,
                                 const unsigned char *digest)
{
    struct sf_file_seen seen;

    if (!get(files, path, &seen))
        return SF_SEEN_NEVER;
    if (memcmp(seen.digest, digest, sizeof(seen.digest)) != 0)
        return SF_SEEN_STALE;
    return seen.whole ? SF_SEEN_WHOLE : SF_SEEN_PART;
}

struct sf_file_seen *sf_seen_note(struct sf_seen_files *files, struct sf_tool_call *call,
                                  const struct sf_place *place, const unsigned char *digest,
                                  bool whole)
{
    struct sf_file_seen *seen = sf_tool_call_add_seen(call, place->real);

    seen->size = place->st.st_size;
    seen->mtime_ns = (int64_t)place->st.st_mtim.tv_sec * 1000000000 + place->st.st_mtim.tv_nsec;
    memcpy(seen->digest, digest, sizeof(seen->digest));
    seen->whole = whole;
    sf_seen_put(files, seen);
    return seen;
}

void sf_seen_drop(struct sf_seen_files *files, const char *path)
{
    struct entry *e;

    pthread_mutex_lock(&files->lock);
    e = find(files, path);
    if (e)
        e->known = false;
    pthread_mutex_unlock(&files->lock);
}

bool sf_seen_shown(struct sf_seen_files *files, const char *path, struct sf_seen_lines lines)
{
    struct entry *e;
    bool whole = false;

    pthread_mutex_lock(&files->lock);
    e = find(files, path);
    if (e) {
        if (lines.first <= e->upto + 1 && lines.last > e->upto)
            e->upto = lines.last;
        e->seen.whole |= e->upto >= lines.total;
        whole = e->seen.whole;
    }
    pthread_mutex_unlock(&files->lock);
    return whole;
}

bool sf_seen_repeated(struct sf_seen_files *files, const char *path, const unsigned char *digest,
                      struct sf_seen_request request)
{
    struct entry *e;
    bool repeated;

    pthread_mutex_lock(&files->lock);
    e = find(files, path);
    repeated = e && e->has_request && e->request.offset == request.offset &&
               e->request.limit == request.limit &&
               !memcmp(e->seen.digest, digest, sizeof(e->seen.digest));
    if (repeated)
        e->has_request = false;
    pthread_mutex_unlock(&files->lock);
    return repeated;
}

void sf_seen_requested(struct sf_seen_files *files, const char *path,
                       struct sf_seen_request request)
{
    struct entry *e;

    pthread_mutex_lock(&files->lock);
    e = find(files, path);
    if (e) {
        e->has_request = true;
        e->request = request;
    }
    pthread_mutex_unlock(&files->lock);
}

void sf_seen_restore(struct sf_seen_files *files, const struct sf_file_seen *seen)
{
    const struct sf_seen_lines lines = { seen->first, seen->last, INT64_MAX };
    const struct sf_seen_request request = { seen->first, seen->limit };

    sf_seen_put(files, seen);
    if (seen->first > 0) {
        sf_seen_shown(files, seen->path, lines);
        if (seen->limit >= 0)
            sf_seen_requested(files, seen->path, request);
    }
    if (seen->again) {
        struct entry *e;

        pthread_mutex_lock(&files->lock);
        e = find(files, seen->path);
        if (e)
            e->has_request = false;
        pthread_mutex_unlock(&files->lock);
    }
}

void sf_seen_forget_requests(struct sf_seen_files *files)
{
    pthread_mutex_lock(&files->lock);
    for (size_t i = 0; i < files->map.count; i++)
        ((struct entry *)files->map.entries[i].value)->has_request = false;
    pthread_mutex_unlock(&files->lock);
}
