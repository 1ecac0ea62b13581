/*
 * Death and failure at every step. This program has its own write(), fsync(), rename() and so
 * on, which SQLite and the store use because they are linked into it. A scenario runs once to
 * count the calls that change anything; then once for each call, in a child that is killed right
 * before it, killed half way through it, or sees it fail. Killed after a call is killed before
 * the next one, so that is covered too. What was acknowledged must be there afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/internal.h"
#include "support/store_case.h"
#include "support/store_damage.h"
#include "support/test.h"

enum fault { NONE, KILL, TEAR, NO_SPACE, IO_ERROR };

/* Shared with the child, so that it survives the child. */
static struct notes {
    long calls;        /* write-class calls made so far */
    long writes;       /* how many of them could be torn */
    long acknowledged; /* events the store said it has */
    enum sf_errc code; /* of the failure the child saw */
} * notes;

static enum fault fault;
static long target;
static bool armed;

static void die(void)
{
    kill(getpid(), SIGKILL);
}

/* True when the call at hand is to fail. */
static bool strikes(void)
{
    long call;

    if (!armed)
        return false;
    call = ++notes->calls;
    if (fault == NO_SPACE && call >= target) {
        errno = ENOSPC; /* and it stays full */
        return true;
    }
    if (fault == KILL && call == target)
        die();
    errno = EIO;
    return fault == IO_ERROR && call == target;
}

/* True when half of the write at hand is to be the last thing done; counted by themselves. */
static bool tears(void)
{
    return armed && ++notes->writes == target && fault == TEAR;
}

ssize_t write(int fd, const void *buf, size_t len)
{
    if (fd > 2 && strikes())
        return -1;
    if (fd > 2 && tears()) {
        syscall(SYS_write, fd, buf, len / 2);
        die();
    }
    return syscall(SYS_write, fd, buf, len);
}

ssize_t pwrite64(int fd, const void *buf, size_t len, off64_t at)
{
    if (strikes())
        return -1;
    if (tears()) {
        syscall(SYS_pwrite64, fd, buf, len / 2, at);
        die();
    }
    return syscall(SYS_pwrite64, fd, buf, len, at);
}

/* The rest has nothing to tear. */
#define INTERPOSE(name, params, ...)                       \
    int name params                                        \
    {                                                      \
        return strikes() ? -1 : (int)syscall(__VA_ARGS__); \
    }

INTERPOSE(fsync, (int fd), SYS_fsync, fd)
INTERPOSE(fdatasync, (int fd), SYS_fdatasync, fd)
INTERPOSE(ftruncate64, (int fd, off64_t len), SYS_ftruncate, fd, len)
INTERPOSE(unlink, (const char *path), SYS_unlink, path)
INTERPOSE(link, (const char *from, const char *to), SYS_link, from, to)
INTERPOSE(mkdir, (const char *path, mode_t mode), SYS_mkdir, path, mode)
INTERPOSE(renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
          SYS_renameat2, a, from, b, to, flags)

/* A scenario acts on a directory that `prepare` made, and is judged by `verify`. */
struct scenario {
    const char *name;
    void (*prepare)(const char *dir);
    bool (*act)(const char *dir, struct sf_error *err);
    void (*verify)(const char *what, const char *dir);
};

static const char *scenario_dir;

static int act_child(void *ctx)
{
    const struct scenario *s = ctx;
    struct sf_error err = SF_ERROR_INIT;
    bool ok;

    armed = true;
    ok = s->act(scenario_dir, &err);
    armed = false;
    notes->code = ok ? SF_E_NONE : err.code;
    if (!ok && !err.msg[0])
        return 3;
    return ok ? 0 : 2;
}

/* Who is to die runs in a child; who is to see a failure runs here, where leaks are seen too. */
static int run(const struct scenario *s, const char *dir, enum fault kind, long at)
{
    void *ctx = (void *)(uintptr_t)s;

    fault = kind;
    target = at;
    scenario_dir = dir;
    *notes = (struct notes){ 0 };
    return kind == KILL || kind == TEAR ? test_wait(test_fork(act_child, ctx)) : act_child(ctx);
}

/* A page that is written with what it held already is left out, so counts differ by a few. */
static bool is_beyond(enum fault kind)
{
    return (kind == TEAR ? notes->writes : notes->calls) < target;
}

/* A failure that is reported must be the one that was made. */
static void judge(const char *what, enum fault kind, int status)
{
    bool fits = status == 0;

    if (kind == KILL || kind == TEAR)
        fits = status == 128 + SIGKILL || (status == 0 && is_beyond(kind));
    else if (status == 2)
        fits = notes->code == (kind == NO_SPACE ? SF_E_FULL : SF_E_IO) ||
               (kind == IO_ERROR && notes->code == SF_E_DAMAGED);
    if (!fits)
        fail_msg("%s: ended with %d, error code %d", what, status, notes->code);
}

static const char *const fault_names[] = { "none", "killed", "torn", "no space", "I/O error" };

static void try_once(const struct scenario *s, const char *base, enum fault kind, long at)
{
    char *dir = test_path(base, "x");
    char what[96];

    snprintf(what, sizeof(what), "%s, %s at call %ld", s->name, fault_names[kind], at);
    s->prepare(dir);
    judge(what, kind, run(s, dir, kind, at));
    s->verify(what, dir);
    test_dir_free(dir);
}

/* Each call is seen to fail in one of the two ways, in turn; at leisure in both. */
static long fail_at(const struct scenario *s, const char *base, long at)
{
    bool both = getenv("SF_LONG");

    if (both || at % 2)
        try_once(s, base, NO_SPACE, at);
    if (both || at % 2 == 0)
        try_once(s, base, IO_ERROR, at);
    return both ? 2 : 1;
}

/* Torn writes differ little from each other, so every third one is enough. */
static void try_every_call(const struct scenario *s, const char *base)
{
    char *dir = test_path(base, "dry");
    long calls, writes, runs = 0;

    s->prepare(dir);
    assert_int_equal(run(s, dir, NONE, 0), 0);
    calls = notes->calls;
    writes = notes->writes;
    s->verify("without a fault", dir);
    free(dir);
    for (long at = 1; at <= calls; at++) {
        try_once(s, base, KILL, at);
        runs += 1 + fail_at(s, base, at);
    }
    for (long at = 1; at <= writes; at += 3, runs++)
        try_once(s, base, TEAR, at);
    print_message("%s: %ld calls that change something, %ld runs\n", s->name, calls, runs);
}

/* Opens the store as the next start of sf would; "ok", then what the query says. Owned. */
static char *examine(const char *what, const char *dir, const char *query)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(dir, SF_STORE_WRITE, &err);
    struct sf_strbuf sql = SF_STRBUF_INIT;
    sqlite3_stmt *stmt;
    char *text;

    if (!store)
        fail_msg("%s: %s", what, err.msg);
    test_store_append(store, SF_SESSION_PROJECT, 1);
    sf_strbuf_addf(&sql, "SELECT (SELECT integrity_check FROM pragma_integrity_check) || ' ' || %s",
                   query);
    stmt = sf_sql_prepare(&store->sql, sql.buf, &err);
    if (!stmt || sqlite3_step(stmt) != SQLITE_ROW)
        fail_msg("%s: %s", what, err.msg);
    text = sf_strdup(sf_sql_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sf_strbuf_release(&sql);
    sf_store_close(store);
    return text;
}

/* Scenario: a new store and 20 events in it. */
static void prepare_nothing(const char *dir)
{
    mkdir(dir, 0700);
}

static bool create_and_append(const char *dir, struct sf_error *err)
{
    struct sf_store *store = sf_store_open(dir, SF_STORE_WRITE, err);
    bool ok = store != NULL;

    for (int n = 1; n <= 20 && ok; n++) {
        const struct sf_event_new event = { .session = SF_SESSION_PROJECT,
                                            .surface = "tui",
                                            .kind = "k",
                                            .json = "{\"a\":\"bc\"}",
                                            .len = 10 };
        struct sf_event_ref ref;

        ok = sf_store_append(store, &event, &ref, err);
        if (ok)
            notes->acknowledged = ref.seq;
    }
    sf_store_close(store);
    return ok;
}

static void verify_appended(const char *what, const char *dir)
{
    long acknowledged = notes->acknowledged, there = -1;
    char *text = examine(what, dir, "(SELECT count(*) - 1 FROM events)");

    /* One more may be there: stored, but the caller died before it was told. */
    if (strncmp(text, "ok ", 3) != 0 || (there = strtol(text + 3, NULL, 10)) < acknowledged ||
        there > acknowledged + 1)
        fail_msg("%s: %ld acknowledged, %s there", what, acknowledged, text);
    free(text);
}

/* Scenario: a store of schema 2 is upgraded. */
static char *old_bytes;
static size_t old_len;

static void prepare_old(const char *dir)
{
    if (!old_bytes) {
        char *made = test_dir_new(), *db = test_path(made, "sf.db");

        test_store_make_old(made, 2);
        old_bytes = test_read(db, &old_len);
        free(db);
        test_dir_free(made);
    }
    damage_put(dir, old_bytes, old_len);
}

static bool upgrade(const char *dir, struct sf_error *err)
{
    struct sf_store *store = sf_store_open(dir, SF_STORE_WRITE, err);

    sf_store_close(store);
    return store != NULL;
}

static void verify_upgraded(const char *what, const char *dir)
{
    char *text = examine(what, dir,
                         "(SELECT user_version FROM pragma_user_version) || ' ' ||"
                         " (SELECT count(*) - 1 FROM events) || ' ' ||"
                         " (SELECT count(*) FROM tasks)");

    if (strcmp(text, "ok 8 1 1") != 0)
        fail_msg("%s: %s", what, text);
    free(text);
}

/* Scenario: a store without its first page is recovered. */
static void prepare_damaged(const char *dir)
{
    char *bytes = damage_sample_copy();

    memset(bytes, 0, 4096);
    damage_put(dir, bytes, damage_sample_len);
    free(bytes);
}

static bool recover(const char *dir, struct sf_error *err)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    bool ok = sf_store_recover(dir, &report, err);

    sf_strbuf_release(&report);
    return ok;
}

static void verify_recovered(const char *what, const char *dir)
{
    struct sf_error err = SF_ERROR_INIT;
    char *bytes = damage_sample_copy();

    memset(bytes, 0, 4096);
    if (!recover(dir, &err) && err.code != SF_E_ARG)
        fail_msg("%s: %s", what, err.msg);
    if (damage_check_sound(what, dir) != damage_events)
        fail_msg("%s: events were lost", what);
    damage_check_kept(what, dir, bytes, damage_sample_len);
    free(bytes);
}

static void test_create_and_append(void **state)
{
    static const struct scenario s = { "create and append", prepare_nothing, create_and_append,
                                       verify_appended };

    try_every_call(&s, *state);
}

static void test_upgrade(void **state)
{
    static const struct scenario s = { "upgrade", prepare_old, upgrade, verify_upgraded };

    try_every_call(&s, *state);
    free(old_bytes);
    old_bytes = NULL;
}

static void test_recover(void **state)
{
    static const struct scenario s = { "recover", prepare_damaged, recover, verify_recovered };

    try_every_call(&s, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_create_and_append, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_upgrade, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_recover, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    damage_events = 20;
    notes = mmap(NULL, sizeof(*notes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (notes == MAP_FAILED)
        return 1;
    return cmocka_run_group_tests_name("fault", tests, damage_sample_setup, damage_sample_teardown);
}
