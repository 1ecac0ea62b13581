/*
 * store_damage.c: judges recovered stores by plain SQLite and by reading them.
 */
#include "support/store_damage.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/store_case.h"
#include "support/test.h"

int damage_events = 200;
char *damage_sample;
size_t damage_sample_len;

static void append_sized(struct sf_store *store, const char *session, int number)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_new event = { .session = session, .surface = "tui", .kind = "test" };
    struct sf_event_ref ref;

    sf_strbuf_addf(&json, "{\"n\":%d,\"pad\":\"", number);
    sf_strbuf_fill(&json, 'p', number % 50 ? 40 : 6000);
    sf_strbuf_adds(&json, "\"}");
    event.json = json.buf;
    event.len = json.len;
    assert_true(sf_store_append(store, &event, &ref, &err));
    sf_strbuf_release(&json);
}

void damage_make_store(const char *dir)
{
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    char session[SF_ID_LEN + 1];

    test_store_session(store, session);
    for (int i = 1; i <= damage_events; i++)
        append_sized(store, session, i);
    sf_store_close(store);
}

int damage_sample_setup(void **state)
{
    char *dir = test_dir_new(), *db = test_path(dir, "sf.db");

    (void)state;
    damage_make_store(dir);
    damage_sample = test_read(db, &damage_sample_len);
    free(db);
    test_dir_free(dir);
    return 0;
}

int damage_sample_teardown(void **state)
{
    (void)state;
    free(damage_sample);
    damage_sample = NULL;
    return 0;
}

char *damage_sample_copy(void)
{
    char *bytes = sf_alloc(damage_sample_len);

    memcpy(bytes, damage_sample, damage_sample_len);
    return bytes;
}

void damage_put(const char *dir, const char *bytes, size_t len)
{
    char *db = test_path(dir, "sf.db");

    mkdir(dir, 0700);
    test_write(db, bytes, len);
    free(db);
}

static bool is_true(const struct sf_event_row *event)
{
    char want[32];
    size_t len = (size_t)snprintf(want, sizeof(want), "{\"n\":%lld", (long long)event->seq);

    return event->len > len && !strncmp(event->json, want, len) && strchr(",}", event->json[len]) &&
           event->len == strlen(event->json) && event->json[event->len - 1] == '}';
}

static bool note(const struct sf_event_row *event, void *ctx)
{
    struct damage_tally *tally = ctx;

    if (!strcmp(event->session, SF_SESSION_PROJECT))
        return true;
    tally->true_ones = tally->true_ones && event->seq > tally->last_seq && is_true(event);
    tally->last_seq = event->seq;
    tally->count++;
    return true;
}

bool damage_read_all(const char *dir, enum sf_store_mode mode, struct damage_tally *tally,
                     struct sf_error *err)
{
    const struct sf_event_filter all = { 0 };
    struct sf_store *store = sf_store_open(dir, mode, err);
    bool ok;

    *tally = (struct damage_tally){ .true_ones = true };
    if (!store)
        return false;
    ok = sf_store_each_event(store, &all, note, tally, err);
    sf_store_close(store);
    return ok;
}

char *damage_find_aside(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *entry;
    char *found = NULL;

    assert_non_null(d);
    while ((entry = readdir(d)))
        if (!strncmp(entry->d_name, "damaged-", 8)) {
            assert_null(found);
            found = test_path(dir, entry->d_name);
        }
    closedir(d);
    return found;
}

void damage_check_kept(const char *name, const char *dir, const char *bytes, size_t len)
{
    char *aside = damage_find_aside(dir), *db;
    char *kept;
    size_t kept_len;

    if (!aside)
        fail_msg("%s: nothing was set aside", name);
    db = test_path(aside, "sf.db");
    kept = test_read(db, &kept_len);
    if (kept_len != len || memcmp(kept, bytes, len) != 0)
        fail_msg("%s: the original changed", name);
    free(kept);
    free(db);
    free(aside);
}

int64_t damage_check_sound(const char *name, const char *dir)
{
    struct sf_error err = SF_ERROR_INIT;
    struct damage_tally tally;
    struct sf_store *store;
    char *verdict;

    if (!damage_read_all(dir, SF_STORE_READ, &tally, &err))
        fail_msg("%s: not readable afterwards: %s", name, err.msg);
    if (!tally.true_ones)
        fail_msg("%s: events that never were", name);
    store = test_store_open(dir, SF_STORE_WRITE);
    test_store_append(store, SF_SESSION_PROJECT, 1);
    sf_store_close(store);
    verdict = test_sql_text(dir, "PRAGMA integrity_check");
    if (strcmp(verdict, "ok") != 0)
        fail_msg("%s: not sound afterwards: %s", name, verdict);
    free(verdict);
    return tally.count;
}
