/*
 * store_case.c: raw SQLite on purpose: what the store wrote is judged by something else.
 */
#include "support/store_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/base.h"
#include "store/schema.h"
#include "support/test.h"

void test_use_memory(void)
{
    if (!getenv("TMPDIR") && access("/dev/shm", W_OK | X_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 1);
}

struct sf_store *test_store_open(const char *dir, enum sf_store_mode mode)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(dir, mode, &err);

    if (!store)
        fail_msg("cannot open the store: %s (%s)", err.msg, err.hint);
    return store;
}

void test_store_session(struct sf_store *store, char id[SF_ID_LEN + 1])
{
    const struct sf_session_new from = { .project = "/p", .surface = "tui", .title = "a title" };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_session_create(store, &from, id, &err))
        fail_msg("cannot make a session: %s", err.msg);
}

struct sf_event_ref test_store_append(struct sf_store *store, const char *session, int number)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;
    char json[64];
    struct sf_event_new event = {
        .session = session, .surface = "tui", .kind = "test", .json = json
    };

    event.len = (size_t)snprintf(json, sizeof(json), "{\"n\":%d}", number);
    if (!sf_store_append(store, &event, &ref, &err))
        fail_msg("cannot append event %d: %s", number, err.msg);
    return ref;
}

void test_store_fill(const char *dir, int events, char session[SF_ID_LEN + 1])
{
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);

    test_store_session(store, session);
    for (int i = 1; i <= events; i++)
        test_store_append(store, session, i);
    sf_store_close(store);
}

static bool count_one(const struct sf_event_row *event, void *ctx)
{
    if (strcmp(event->session, SF_SESSION_PROJECT) != 0)
        ++*(int64_t *)ctx;
    return true;
}

int64_t test_store_count(const char *dir)
{
    struct sf_store *store = test_store_open(dir, SF_STORE_READ);
    const struct sf_event_filter all = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    int64_t count = 0;

    if (!sf_store_each_event(store, &all, count_one, &count, &err))
        fail_msg("cannot read events: %s", err.msg);
    sf_store_close(store);
    return count;
}

static sqlite3 *raw_open(const char *dir)
{
    char *path = test_path(dir, "sf.db");
    sqlite3 *db = NULL;

    if (sqlite3_open(path, &db) != SQLITE_OK)
        fail_msg("cannot open %s", path);
    sqlite3_busy_timeout(db, 10000);
    free(path);
    return db;
}

void test_sql_exec(const char *dir, const char *sql)
{
    sqlite3 *db = raw_open(dir);
    char *message = NULL;

    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    sqlite3_close(db);
}

char *test_sql_text(const char *dir, const char *sql)
{
    sqlite3 *db = raw_open(dir);
    sqlite3_stmt *stmt = NULL;
    char *text;

    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    text = sf_strdup((const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return text;
}

int64_t test_sql_int(const char *dir, const char *sql)
{
    char *text = test_sql_text(dir, sql);
    int64_t value = strtoll(text, NULL, 10);

    free(text);
    return value;
}

#define T    "'2026-05-08T10:00:00.000Z'"
#define AXES "'build', 'assisted', 'normal', 'smart', 'tui'"

/* One row for each table, by the migration that makes it. */
static const struct {
    int since;
    const char *sql;
} rows[] = {
    { 1, "INSERT INTO tasks (id, work_mode, run_control, permission_profile, model_mode, status,"
         " cost_budget) VALUES ('t1', 'build', 'manual', 'normal', 'smart', 'todo', 1.5)" },
    { 1, "INSERT INTO task_scheduler (task_id, status) VALUES ('t1', 'queued')" },
    { 1, "INSERT INTO task_runtime (task_id, process_pid) VALUES ('t1', 42)" },
    { 1, "INSERT INTO task_transitions (task_id, from_status, to_status, timestamp)"
         " VALUES ('t1', 'todo', 'running', " T ")" },
    { 2, "INSERT INTO sessions (id, project, surface, created_at, updated_at)"
         " VALUES ('s1', '/p', 'tui', " T ", " T ")" },
    { 2, "INSERT INTO events (session_id, seq, time, surface, kind, data)"
         " VALUES ('s1', 1, " T ", 'tui', 'user', '{\"text\":\"hello\"}')" },
    { 3, "INSERT INTO mode_state (session_id, version, work_mode, run_control, permission_profile,"
         " model_mode, surface, scope, updated_at) VALUES ('s1', 1, " AXES ", 'free', " T ")" },
    { 3, "INSERT INTO mode_transitions (session_id, number, from_state, to_state, data, reason,"
         " scope, actor, outcome, requested_at) VALUES ('s1', 1, '{}', '{}', '{}', 'why', 'now',"
         " 'user', 'pending', '2026-05-08T10:00:00.000Z')" },
    { 3,
      "INSERT INTO decisions (session_id, event_id, tool, action, class, verdict, layer, rule,"
      " reason, work_mode, run_control, permission_profile, model_mode, surface, scope,"
      " decided_at) VALUES ('s1', 1, 'Bash', 'ls', 'readonly', 'allow', 'matrix', 'r', 'why', " AXES
      ", 'free', " T ")" },
    { 4, "INSERT INTO usage (session_id, event_id, task_id, provider, model, input_tokens,"
         " cost_micro_usd, time) VALUES ('s1', 1, 't1', 'p', 'm', 10, 1500, " T ")" },
    { 4, "INSERT INTO snapshots (session_id, kind, worktree, commit_id, created_at)"
         " VALUES ('s1', 'before', '/p', 'abc', " T ")" },
    { 4, "INSERT INTO goals (session_id, objective, status, created_at, updated_at)"
         " VALUES ('s1', 'finish', 'active', " T ", " T ")" },
    { 4, "INSERT INTO queue (session_id, kind, position, data, created_at)"
         " VALUES ('s1', 'draft', 1, '{}', " T ")" },
    { 4, "INSERT INTO coach_state (session_id, version, updated_at) VALUES ('s1', 1, " T ")" },
    { 4,
      "INSERT INTO workers (id, host, pid, sf_version, status, session_id, task_id, project,"
      " started_at, last_heartbeat_at) VALUES ('w1', 'h', 7, '0.1', 'running', 's1', 't1', '/p', " T
      ", " T ")" },
    { 4, "INSERT INTO leases (resource, worker_id, fencing_token, acquired_at, expires_at)"
         " VALUES ('m1', 'w1', 1, " T ", " T ")" },
    { 5, "INSERT INTO approvals (session_id, pattern, decision_id, created_at)"
         " VALUES ('s1', 'Bash(ls)', 1, " T ")" },
    { 5, "INSERT INTO partials (session_id, text) VALUES ('s1', 'half')" },
    { 8, "INSERT INTO plans (id, session_id, name, digest, text, accepted_by, accepted_at)"
         " VALUES ('p1', 's1', 'first', printf('%064d', 0), '', 'user', " T ")" },
};

void test_store_make_old(const char *dir, int version)
{
    char number[128];

    mkdir(dir, 0700);
    test_sql_exec(dir, "PRAGMA page_size=4096; PRAGMA journal_mode=WAL");
    for (size_t i = 0; i < sf_store_migration_count; i++) {
        const struct sf_store_migration *m = &sf_store_migrations[i];

        for (const char *const *s = m->statements; m->version <= version && *s; s++)
            test_sql_exec(dir, *s);
    }
    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (rows[i].since <= version)
            test_sql_exec(dir, rows[i].sql);
    snprintf(number, sizeof(number), "PRAGMA user_version=%d; PRAGMA application_id=%d", version,
             SF_STORE_APPLICATION_ID);
    test_sql_exec(dir, number);
}

pid_t test_fork(test_child_fn *fn, void *ctx)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid < 0)
        fail_msg("cannot fork");
    if (pid == 0)
        _exit(fn(ctx));
    return pid;
}

int test_wait(pid_t pid)
{
    int status = 0;

    if (waitpid(pid, &status, 0) != pid)
        fail_msg("lost process %d", (int)pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void test_child_check(bool ok, const char *text, const char *file, int line)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    _exit(1);
}

void test_child_check_error(bool ok, const struct sf_error *err, const char *file, int line)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: error %d: %s (%s)\n", file, line, err->code, err->msg, err->hint);
    _exit(1);
}

void test_store_digest(const char *dir, const char *name, char hex[SF_SHA256_HEX + 1])
{
    char *path = test_path(dir, name);
    size_t len;
    char *bytes = test_read(path, &len);

    sf_sha256_hex(bytes, len, hex);
    free(bytes);
    free(path);
}

int store_pair_setup(void **state)
{
    struct store_pair *p = sf_alloc(sizeof(*p));

    p->dir = test_dir_new();
    p->store = test_store_open(p->dir, SF_STORE_WRITE);
    test_store_session(p->store, p->session);
    test_store_session(p->store, p->other);
    *state = p;
    return 0;
}

int store_pair_teardown(void **state)
{
    struct store_pair *p = *state;

    sf_store_close(p->store);
    test_dir_free(p->dir);
    free(p);
    return 0;
}
