/*
 * Damaged stores. The input is either the bytes of an sf.db or, more fruitful, a list of changes
 * to a good one: three bytes of place, one of value. Opening, reading, asking and checking may
 * fail, but say why; a recovery that succeeds leaves a sound store.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EVENTS = 40, WHOLE = 1, RECOVER = 2, CUT = 4 };

static struct sf_strbuf good = SF_STRBUF_INIT;
static char base[64];

static void require(bool holds)
{
    if (!holds)
        abort();
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void clear(const char *dir)
{
    nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void clear_base(void)
{
    clear(base);
    sf_strbuf_release(&good);
}

/* A store with short events and a few that continue on further pages. */
static void fill(struct sf_store *store)
{
    struct sf_error err = SF_ERROR_INIT;

    for (int n = 1; n <= EVENTS; n++) {
        struct sf_strbuf json = SF_STRBUF_INIT;
        struct sf_event_new event = { .session = SF_SESSION_PROJECT,
                                      .surface = "tui",
                                      .kind = n % 2 ? "a" : "b" };
        struct sf_event_ref ref;

        sf_strbuf_addf(&json, "{\"n\":%d,\"pad\":\"", n);
        sf_strbuf_fill(&json, 'p', n % 16 ? 20 : 5000);
        sf_strbuf_adds(&json, "\"}");
        event.json = json.buf;
        event.len = json.len;
        require(sf_store_append(store, &event, &ref, &err));
        sf_strbuf_release(&json);
    }
}

static void make_good(void)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store;
    char *dir, *db;

    snprintf(base, sizeof(base), "%s/sf-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    require(mkdtemp(base) != NULL);
    dir = sf_path_join(base, "good");
    db = sf_path_join(dir, "sf.db");
    store = sf_store_open(dir, SF_STORE_WRITE, &err);
    require(store != NULL);
    fill(store);
    sf_store_close(store);
    require(sf_file_read(db, SIZE_MAX, &good, &err));
    free(db);
    free(dir);
    atexit(clear_base);
}

static void spoil(struct sf_strbuf *bytes, const uint8_t *data, size_t size, uint8_t how)
{
    if (how & WHOLE) {
        sf_strbuf_add(bytes, data, size);
        return;
    }
    sf_strbuf_add(bytes, good.buf, good.len);
    for (; size >= 4; data += 4, size -= 4) {
        size_t at = ((size_t)data[0] << 16 | (size_t)data[1] << 8 | data[2]) % good.len;

        bytes->buf[at] = (char)data[3];
    }
    if (how & CUT && size > 0)
        sf_strbuf_truncate(bytes, good.len / 256 * data[0]);
}

static void put(const char *dir, const struct sf_strbuf *bytes)
{
    char *db = sf_path_join(dir, "sf.db");
    int fd;

    require(mkdir(dir, 0700) == 0);
    fd = open(db, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    require(fd >= 0 && write(fd, bytes->buf, bytes->len) == (ssize_t)bytes->len);
    close(fd);
    free(db);
}

static bool see_event(const struct sf_event_row *event, void *ctx)
{
    (void)ctx;
    require(event->id > 0 && event->seq > 0 && event->kind[0] && event->session[0]);
    require(event->len == strlen(event->json));
    return true;
}

static bool see_row(const struct sf_query_row *row, void *ctx)
{
    volatile char *sink = ctx;

    for (size_t i = 0; i < row->count; i++)
        for (size_t k = 0; k < row->values[i].len; k++)
            *sink = (char)(*sink ^ row->values[i].bytes[k]);
    return true;
}

static void read_store(const char *dir, uint8_t how)
{
    static const char *const questions[] = {
        "SELECT * FROM events WHERE kind = 'a' AND time > '2020'",
        "SELECT json_extract(data, '$.n') FROM events",
        "SELECT * FROM sessions",
        "SELECT * FROM sqlite_schema",
    };
    const struct sf_event_filter some = { .kind = "b", .session = "pro", .limit = 7 }, all = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(dir, SF_STORE_READ, &err);
    char sink = 0;
    struct sf_query query = { .timeout_ms = 900, .row = see_row, .ctx = &sink };

    require(store || err.msg[0]);
    if (!store)
        return;
    require(sf_store_each_event(store, &all, see_event, NULL, &err) || err.msg[0]);
    require(sf_store_each_event(store, &some, see_event, NULL, &err) || err.msg[0]);
    sf_store_close(store);
    query.sql = questions[(how >> 4) % SF_COUNT(questions)];
    require(sf_store_query(dir, &query, &err) || err.msg[0]);
}

static void recover_store(const char *dir)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_store_recover(dir, &report, &err))
        require(sf_store_check(dir, &report, &err));
    else
        require(err.msg[0]);
    sf_strbuf_release(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    char *dir;

    if (size < 1)
        return 0;
    if (!good.len)
        make_good();
    dir = sf_path_join(base, "x");
    spoil(&bytes, data + 1, size - 1, data[0]);
    put(dir, &bytes);
    read_store(dir, data[0]);
    if (data[0] & RECOVER)
        recover_store(dir);
    clear(dir);
    free(dir);
    sf_strbuf_release(&bytes);
    return 0;
}
