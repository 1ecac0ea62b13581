/*
 * Repairs: each is written down, done, and taken back to the byte; none leads a task towards done;
 * a holder that may be alive is left alone; what stands in the way of an undo stays as it is.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/health_case.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tree.h"

#define NOBODY "2147483647"
#define STATES "todo running verifying reviewing done blocked paused failed cancelled retrying"

/* Names, types, permissions and contents of everything but what the doctor itself wrote. */
static char *picture(struct health_case *w)
{
    return tree_run(
        w->dir,
        "find . -path ./state/doctor -prune -o ! -name 'sf.db*' ! -name store.lock "
        "-printf '%p %y %m %l\\n' | sort; find . -path ./state/doctor -prune -o -type f "
        "! -name 'sf.db*' -print0 | sort -z | xargs -0 -r sha256sum",
        NULL);
}

/* Every row that a repair may change. */
static char *rows(struct health_case *w)
{
    char *path = test_path(w->at.state_dir, "sf.db"), *text;

    text = access(path, F_OK) == 0
               ? test_sql_text(w->at.state_dir,
                               "SELECT (SELECT json_group_array(json_array(id, status, retry_count,"
                               " started_at, completed_at)) FROM tasks)"
                               " || (SELECT json_group_array(json_array(resource, released_at,"
                               " expires_at)) FROM leases)"
                               " || (SELECT json_group_array(json_array(id, ended_at, status))"
                               " FROM workers)")
               : sf_strdup("");
    free(path);
    return text;
}

static void look(struct health_case *w, const char *check, struct sf_health_report *out)
{
    struct sf_strlist names = SF_STRLIST_INIT;

    sf_strlist_add(&names, check);
    sf_health_look_at(&w->at, &names, out);
    sf_strlist_release(&names);
}

/* Performs what the check offers; returns how many repairs that was. */
static size_t fix(struct health_case *w, const char *check)
{
    struct sf_health_report report = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    size_t count = 0;
    int64_t number;

    look(w, check, &report);
    for (size_t i = 0; i < report.count; i++)
        if (report.items[i].act_count) {
            if (!sf_health_mend(&w->at, &report.items[i], &number, &err))
                fail_msg("%s: %s", check, err.msg);
            count++;
        }
    sf_health_release(&report);
    return count;
}

static void undo(struct health_case *w, int64_t number)
{
    struct sf_health_record record = { 0 };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_health_undo(w->at.state_dir, number, &record, &err))
        fail_msg("undo: %s", err.msg);
    assert_int_equal(record.state, SF_MENDED_UNDONE);
    sf_health_record_release(&record);
}

static bool is_well(struct health_case *w, const char *check)
{
    struct sf_health_report report = { 0 };
    bool well;

    look(w, check, &report);
    well = sf_health_worst(&report) == SF_HEALTH_OK;
    sf_health_release(&report);
    return well;
}

#define GIT                                                                                 \
    "cd work && git init -q . && git config user.email a@b.c && git config user.name a && " \
    "echo 1 >a && git add a && git commit -qm one && "

static const struct {
    const char *check, *shell, *sql;
} worlds[] = {
    { "git-locks",
      GIT "echo pid >.git/index.lock && chmod 640 .git/index.lock && "
          "touch -d '1 hour ago' .git/index.lock",
      NULL },
    { "worktrees", GIT "git worktree add -q ../tree && rm -rf ../tree", NULL },
    { "unfinished-files",
      "mkdir work/d && echo half >work/d/.sf-tmp-0123456789abcdef && "
      "touch -d '1 hour ago' work/d/.sf-tmp-0123456789abcdef",
      NULL },
    { "temp-directories",
      "mkdir -p tmp/sf-0123456789abcdef/in && echo x >tmp/sf-0123456789abcdef/in/y"
      " && touch -d '1 hour ago' tmp/sf-0123456789abcdef",
      NULL },
    { "session-locks", "mkdir -p state/locks && echo 1 >state/locks/01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "SELECT 1" },
    { "private", "chmod 755 state && mkdir -p state/locks && chmod 711 state/locks", "SELECT 1" },
    { "workers", NULL, "SELECT 1" },
    { "leases", NULL,
      "INSERT INTO leases (resource, worker_id, fencing_token, acquired_at, expires_at)"
      " VALUES ('a/b', 'w', 1, '2024-01-01T00:00:00.000Z', '2024-01-01T00:01:00.000Z')" },
    { "tasks", NULL,
      "INSERT INTO task_transitions (task_id, from_status, to_status, timestamp)"
      " VALUES ('t', 'todo', 'verifying', '2024-01-01T00:00:00.000Z');"
      "UPDATE tasks SET status = 'verifying'" },
};

static void plant(struct health_case *w, size_t i)
{
    static const char base[] =
        "INSERT INTO workers (id, host, pid, sf_version, status, project, started_at,"
        " last_heartbeat_at) VALUES ('w', '%s', " NOBODY ", '1', 'idle', '/',"
        " '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z');"
        "INSERT INTO tasks (id, work_mode, run_control, permission_profile, model_mode, status)"
        " VALUES ('t', 'build', 'manual', 'normal', 'smart', 'todo');";
    char session[SF_ID_LEN + 1], host[256] = "", sql[1024];

    health_case_sh(w, "mkdir -p -m 700 state"); /* which a repair makes otherwise */
    if (worlds[i].sql) {
        test_store_fill(w->at.state_dir, 1, session);
        assert_int_equal(gethostname(host, sizeof(host) - 1), 0);
        assert_true(snprintf(sql, sizeof(sql), base, host) < (int)sizeof(sql));
        test_sql_exec(w->at.state_dir, sql);
        test_sql_exec(w->at.state_dir, worlds[i].sql);
    }
    if (worlds[i].shell)
        health_case_sh(w, worlds[i].shell);
}

static void test_there_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(worlds); i++) {
        char *tree, *table, *tree_after, *table_after;
        void *fixture = NULL;
        struct health_case *w;
        size_t count;

        health_case_setup(&fixture);
        w = fixture;
        plant(w, i);
        assert_false(is_well(w, worlds[i].check));
        tree = picture(w);
        table = rows(w);
        count = fix(w, worlds[i].check);
        if (!count || !is_well(w, worlds[i].check))
            fail_msg("%s: %zu repairs, and not well", worlds[i].check, count);
        while (count--)
            undo(w, 0);
        tree_after = picture(w);
        table_after = rows(w);
        if (strcmp(tree, tree_after) != 0 || strcmp(table, table_after) != 0)
            fail_msg("%s: before:\n%s%s\nafter:\n%s%s", worlds[i].check, tree, table, tree_after,
                     table_after);
        assert_false(is_well(w, worlds[i].check));
        free(tree);
        free(table);
        free(tree_after);
        free(table_after);
        health_case_teardown(&fixture);
    }
}

/* Whatever state a task is in, all repairs together only let it be tried again, and back. */
static void test_no_repair_leads_towards_done(void **state)
{
    struct sf_strbuf word = SF_STRBUF_INIT;

    (void)state;
    for (const char *at = STATES; *at; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");
        char session[SF_ID_LEN + 1], sql[512], *now;
        void *fixture = NULL;
        struct health_case *w;
        bool loose;

        sf_strbuf_truncate(&word, 0);
        sf_strbuf_add(&word, at, len);
        loose = !strcmp(word.buf, "running") || !strcmp(word.buf, "verifying");
        at += len;
        health_case_setup(&fixture);
        w = fixture;
        test_store_fill(w->at.state_dir, 1, session);
        snprintf(sql, sizeof(sql),
                 "INSERT INTO tasks (id, work_mode, run_control, permission_profile, model_mode,"
                 " status) VALUES ('t', 'build', 'manual', 'normal', 'smart', '%s')",
                 word.buf);
        test_sql_exec(w->at.state_dir, sql);
        for (size_t i = 0; i < sf_health_check_count; i++)
            fix(w, sf_health_checks[i].name);
        now = test_sql_text(w->at.state_dir, "SELECT status FROM tasks");
        assert_string_equal(now, loose ? "retrying" : word.buf);
        free(now);
        assert_int_equal(test_sql_int(w->at.state_dir, "SELECT count(*) FROM task_transitions"),
                         loose);
        for (size_t i = 0; i < loose; i++)
            undo(w, 0);
        now = test_sql_text(w->at.state_dir, "SELECT status FROM tasks");
        assert_string_equal(now, word.buf);
        free(now);
        health_case_teardown(&fixture);
    }
    sf_strbuf_release(&word);
}

/* A lock that is young, or that a process has open, is somebody's. */
static void test_locks_of_the_living(void **state)
{
    struct health_case *w = *state;
    char *path;
    FILE *held;

    health_case_sh(w, GIT "touch .git/index.lock");
    assert_int_equal(fix(w, "git-locks"), 0);
    health_case_sh(w, "touch -d '1 hour ago' work/.git/index.lock");
    path = test_path(w->workspace.root, ".git/index.lock");
    held = fopen(path, "re");
    assert_non_null(held);
    assert_int_equal(fix(w, "git-locks"), 0);
    fclose(held);
    assert_int_equal(fix(w, "git-locks"), 1);
    assert_int_equal(access(path, F_OK), -1);
    free(path);
}

/* What is new where the old one was is never overwritten, and the undo can be had later. */
static void test_undo_overwrites_nothing(void **state)
{
    struct health_case *w = *state;
    struct sf_health_record record = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    char *text, *path = test_path(w->workspace.root, ".sf-tmp-0123456789abcdef");

    health_case_sh(w, "echo old >work/.sf-tmp-0123456789abcdef && "
                      "touch -d '1 hour ago' work/.sf-tmp-0123456789abcdef");
    assert_int_equal(fix(w, "unfinished-files"), 1);
    test_write(path, "new\n", 4);
    assert_false(sf_health_undo(w->at.state_dir, 0, &record, &err));
    sf_health_record_release(&record);
    assert_non_null(strstr(err.msg, "is there already"));
    text = test_read(path, NULL);
    assert_string_equal(text, "new\n");
    free(text);
    assert_int_equal(unlink(path), 0);
    undo(w, 1);
    text = test_read(path, NULL);
    assert_string_equal(text, "old\n");
    free(text);
    free(path);
}

/* A row that changed since is left as it is. */
static void test_undo_of_a_changed_row(void **state)
{
    struct health_case *w = *state;
    struct sf_health_record record = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    char *now;

    plant(w, SF_COUNT(worlds) - 1);
    assert_int_equal(fix(w, "tasks"), 1);
    test_sql_exec(w->at.state_dir,
                  "INSERT INTO task_transitions (task_id, from_status, to_status, timestamp)"
                  " SELECT id, status, 'done', '2024-01-01T00:00:00.000Z' FROM tasks;"
                  "UPDATE tasks SET status = 'done'");
    assert_false(sf_health_undo(w->at.state_dir, 0, &record, &err));
    sf_health_record_release(&record);
    assert_int_equal(err.code, SF_E_BUSY);
    now = test_sql_text(w->at.state_dir, "SELECT status FROM tasks");
    assert_string_equal(now, "done");
    free(now);
}

/* The record is durable before the act, so a repair that was cut off in between can be undone. */
static void test_cut_off(void **state)
{
    static const char begun[] =
        "{\"number\":1,\"time_ms\":1,\"state\":\"begun\",\"check\":\"unfinished-files\",\"text\":\"\","
        "\"acts\":[{\"act\":\"move\",\"subject\":\"%s/work/a\",\"was\":null,\"now\":null},"
        "{\"act\":\"move\",\"subject\":\"%s/work/b\",\"was\":null,\"now\":null}]}";
    struct health_case *w = *state;
    struct sf_strbuf json = SF_STRBUF_INIT;
    char *record = test_path(w->dir, "state/doctor/1/record.json"), *text;
    char *a = test_path(w->workspace.root, "a");

    health_case_sh(w, "mkdir -p state/doctor/1 && echo a >state/doctor/1/0 && echo b >work/b");
    sf_strbuf_addf(&json, begun, w->dir, w->dir);
    test_write(record, json.buf, json.len);
    undo(w, 0);
    text = test_read(a, NULL);
    assert_string_equal(text, "a\n");
    free(text);
    free(a);
    free(record);
    sf_strbuf_release(&json);
}

static void test_records(void **state)
{
    struct health_case *w = *state;
    struct sf_health_record record = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    char *path = test_path(w->dir, "state/doctor/1/record.json");
    struct stat st;

    assert_false(sf_health_undo(w->at.state_dir, 0, &record, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    plant(w, SF_COUNT(worlds) - 1);
    assert_int_equal(fix(w, "tasks"), 1);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    undo(w, 1);
    assert_false(sf_health_undo(w->at.state_dir, 1, &record, &err));
    assert_non_null(strstr(err.msg, "is undone already"));
    sf_health_record_release(&record);
    assert_int_equal(test_sql_int(w->at.state_dir, "SELECT count(*) FROM events WHERE kind IN "
                                                   "('doctor.repaired', 'doctor.undone')"),
                     2);
    free(path);
}

/* Rows are the same before and after; only the file of the log is empty. */
static void test_store_log(void **state)
{
    struct health_case *w = *state;
    char session[SF_ID_LEN + 1], *path = test_path(w->at.state_dir, "sf.db-wal");
    int64_t before;
    struct stat st;

    test_store_fill(w->at.state_dir, 5, session);
    before = test_store_count(w->at.state_dir);
    health_case_sh(w, "truncate -s 65M state/sf.db-wal");
    assert_false(is_well(w, "store-log"));
    assert_int_equal(fix(w, "store-log"), 1);
    assert_true(stat(path, &st) < 0 || st.st_size < 1048576);
    assert_int_equal(test_store_count(w->at.state_dir), before);
    undo(w, 0);
    assert_int_equal(test_store_count(w->at.state_dir), before);
    free(path);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, health_case_setup, health_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_there_and_back),
                                        cmocka_unit_test(test_no_repair_leads_towards_done),
                                        CASE(test_locks_of_the_living),
                                        CASE(test_undo_overwrites_nothing),
                                        CASE(test_undo_of_a_changed_row),
                                        CASE(test_cut_off),
                                        CASE(test_records),
                                        CASE(test_store_log) };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
