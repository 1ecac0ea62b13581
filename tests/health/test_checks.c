/*
 * Every check has a fault that is planted here and found, and is silent in a sound tree. What needs
 * the program itself, its terminal or a service is planted in app/doctor, which `elsewhere` names.
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

/* A process number that no process has: the kernel's limit is lower. */
#define NOBODY "2147483647"

#define GIT    "cd work && git init -q . && git config user.email a@b.c && git config user.name a && "
#define COMMIT GIT "echo 1 >a && git add a && git commit -qm one && git branch -M trunk && "

#define WORKER                                                                     \
    "INSERT INTO workers (id, host, pid, sf_version, status, project, started_at," \
    " last_heartbeat_at) VALUES ('w', 'HOST', " NOBODY ", '1', 'idle', '/',"       \
    " '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z');"

#define TASK(status)                                                                         \
    "INSERT INTO tasks (id, work_mode, run_control, permission_profile, model_mode, status)" \
    " VALUES ('t', 'build', 'manual', 'normal', 'smart', '" status "');"

static void plant_settings(struct health_case *w)
{
    sf_config_add_file(w->at.config, SF_LAYER_USER, "config.toml", "x = [\n", 6, true);
}

static void plant_unknown(struct health_case *w)
{
    static const char text[] = "[guard]\ncaeg = \"off\"\n";

    sf_config_add_file(w->at.config, SF_LAYER_USER, "config.toml", text, strlen(text), true);
}

static void plant_key_file(struct health_case *w)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = test_path(w->dir, "key");

    test_write(path, "made-up\n", 8);
    assert_int_equal(chmod(path, 0644), 0);
    sf_strbuf_addf(&text, "[models.anthropic]\napi_key_file = \"%s\"\n", path);
    sf_config_add_file(w->at.config, SF_LAYER_USER, "config.toml", text.buf, text.len, true);
    sf_strbuf_release(&text);
    free(path);
}

static void plant_term(struct health_case *w)
{
    (void)w;
    assert_int_equal(setenv("TERM", "no-such-terminal", 1), 0);
}

static void plant_no_room(struct health_case *w)
{
    (void)w;
    assert_int_equal(setenv("TMPDIR", "/proc", 1), 0); /* there is never any room */
}

static void plant_no_disk(struct health_case *w)
{
    char *path = test_path(w->dir, "state/below");

    assert_int_equal(setenv("TMPDIR", path, 1), 0);
    free(path);
}

static void plant_plan_event(struct health_case *w, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = test_store_open(w->at.state_dir, SF_STORE_WRITE);
    static const char *const kinds[] = { "plan_submitted", "plan_accepted" };
    char digest[SF_SHA256_HEX + 1];

    sf_sha256_hex(text, strlen(text), digest);
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        struct sf_strbuf json = SF_STRBUF_INIT;
        struct sf_json_writer jw;
        struct sf_event_ref ref;
        struct sf_event_new event = { .session = SF_SESSION_PROJECT,
                                      .surface = "headless",
                                      .kind = kinds[i] };

        sf_jw_init(&jw, &json);
        sf_jw_object_begin(&jw);
        sf_jw_key_str(&jw, "digest", digest);
        sf_jw_key_str(&jw, "text", text);
        sf_jw_object_end(&jw);
        event.json = json.buf;
        event.len = json.len;
        assert_true(sf_store_append(store, &event, &ref, &err));
        sf_strbuf_release(&json);
    }
    sf_store_close(store);
}

#define PLAN "---\nname: one\n---\n# The plan\n"

static void plant_changed_plan(struct health_case *w)
{
    plant_plan_event(w, PLAN);
    tree_puts(w->workspace.root, ".sf/plans/one.md", PLAN "and more\n");
}

static void plant_gone_plan(struct health_case *w)
{
    plant_plan_event(w, PLAN);
}

static void plant_snapshot(struct health_case *w)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = test_store_open(w->at.state_dir, SF_STORE_WRITE);
    const struct sf_snapshot_new row = { .session = SF_SESSION_PROJECT,
                                         .kind = "before",
                                         .worktree = w->workspace.root,
                                         .commit = "0123456789012345678901234567890123456789" };
    int64_t id;

    health_case_snap(w);
    assert_true(sf_store_snapshot_add(store, &row, &id, &err));
    sf_store_close(store);
}

static void plant_two_projects(struct health_case *w)
{
    struct sf_strbuf sql = SF_STRBUF_INIT;

    health_case_sh(w, "mkdir other");
    test_store_fill(w->at.state_dir, 1, (char[SF_ID_LEN + 1]){ 0 });
    sf_strbuf_addf(&sql, "UPDATE sessions SET project = '%s/other' WHERE id <> 'project'", w->dir);
    test_sql_exec(w->at.state_dir, sql.buf);
    sf_strbuf_release(&sql);
}

static void plant_halves_of_snapshots(struct health_case *w)
{
    health_case_snap(w);
    health_case_sh(w, "rm state/snapshots.git/HEAD");
}

static void plant_cut_restore(struct health_case *w)
{
    health_case_snap(w);
    health_case_sh(w, "cd state/snapshots.git/sf && i=$(ls | grep ^index-) && id=$(ls ../refs/sf |"
                      " head -n 1) && printf 'sf restore 1\\n%s\\n%s\\n-\\n0\\n"
                      ".sf-tmp-0123456789abcdef\\n' $id $id >restore-${i#index-}");
}

/* Each is planted in a sandbox of its own: by a function, by SQL, by a shell in its directory. */
static const struct {
    const char *check, *name;
    enum sf_health_state state;
    const char *text;
    const char *shell, *sql;
    void (*plant)(struct health_case *w);
} faults[] = {
    { "unmerged", "a conflict", SF_HEALTH_PROBLEM, "1 path with conflicts: a",
      COMMIT "git switch -qc x && echo 2 >a && git commit -qam x && git switch -q trunk && "
             "echo 3 >a && git commit -qam y && ! git merge x",
      NULL, NULL },
    { "unmerged", "an index of junk", SF_HEALTH_PROBLEM, "index",
      COMMIT "echo junk that is long enough to be looked at >.git/index", NULL, NULL },
    { "operation", "a merge", SF_HEALTH_WARNING, "a merge is under way",
      COMMIT "touch .git/MERGE_HEAD", NULL, NULL },
    { "operation", "a rebase", SF_HEALTH_WARNING, "a rebase is under way",
      COMMIT "mkdir .git/rebase-merge", NULL, NULL },
    { "operation", "an older rebase", SF_HEALTH_WARNING, "a rebase is under way",
      COMMIT "mkdir .git/rebase-apply", NULL, NULL },
    { "operation", "a cherry-pick", SF_HEALTH_WARNING, "a cherry-pick is under way",
      COMMIT "touch .git/CHERRY_PICK_HEAD", NULL, NULL },
    { "operation", "a revert", SF_HEALTH_WARNING, "a revert is under way",
      COMMIT "touch .git/REVERT_HEAD", NULL, NULL },
    { "operation", "a bisection", SF_HEALTH_WARNING, "a bisection is under way",
      COMMIT "touch .git/BISECT_LOG", NULL, NULL },
    { "git-locks", "of the index", SF_HEALTH_WARNING, "a lock of git stayed",
      COMMIT "touch -d '1 hour ago' .git/index.lock", NULL, NULL },
    { "git-locks", "of a branch", SF_HEALTH_WARNING, "refs/heads/trunk.lock",
      COMMIT "touch -d '1 hour ago' .git/refs/heads/trunk.lock", NULL, NULL },
    { "head", "detached", SF_HEALTH_WARNING, "HEAD is detached", COMMIT "git checkout -q --detach",
      NULL, NULL },
    { "branch", "deleted", SF_HEALTH_WARNING, "refs/heads/gone",
      COMMIT "echo 'ref: refs/heads/gone' >.git/HEAD", NULL, NULL },
    { "refs", "an empty one", SF_HEALTH_PROBLEM, "refs/heads/trunk is broken",
      COMMIT ": >.git/refs/heads/trunk", NULL, NULL },
    { "refs", "a HEAD of junk", SF_HEALTH_PROBLEM, "HEAD is broken", COMMIT "echo junk >.git/HEAD",
      NULL, NULL },
    { "refs", "no HEAD", SF_HEALTH_PROBLEM, "HEAD is broken", COMMIT "rm .git/HEAD", NULL, NULL },
    { "refs", "a lost object", SF_HEALTH_PROBLEM, "refs/heads/trunk is broken",
      COMMIT "rm -rf .git/objects/??", NULL, NULL },
    { "worktrees", "one that was removed", SF_HEALTH_WARNING, "a worktree is listed, but gone",
      COMMIT "git worktree add -q ../tree && rm -rf ../tree", NULL, NULL },
    { "untracked", "a cache nobody ignores", SF_HEALTH_WARNING, "neither tracked nor ignored",
      COMMIT "mkdir c && cd c && seq 1 20500 | xargs touch", NULL, NULL },
    { "git", "an external diff", SF_HEALTH_WARNING, "makes git run a program",
      COMMIT "git config diff.external ./evil", NULL, NULL },
    { "git", "a repository that is elsewhere", SF_HEALTH_OK, "a linked worktree",
      "echo 'gitdir: /nowhere' >work/.git", NULL, NULL },
    { "refs", "a repository that is gone", SF_HEALTH_PROBLEM, "is not there",
      "echo 'gitdir: /nowhere' >work/.git", NULL, NULL },
    { "writable", "gone", SF_HEALTH_PROBLEM, "cannot be written", "rmdir work", NULL, NULL },
    { "definitions", "broken frontmatter", SF_HEALTH_PROBLEM, ".sf/agents/a.md",
      "mkdir -p work/.sf/agents && printf -- '---\\na: [\\n---\\n' >work/.sf/agents/a.md", NULL,
      NULL },
    { "definitions", "broken TOML", SF_HEALTH_PROBLEM, ".sf/modes/m.toml",
      "mkdir -p work/.sf/modes && echo 'a = [' >work/.sf/modes/m.toml", NULL, NULL },
    { "instructions", "too long", SF_HEALTH_WARNING, "AGENTS.md has 40000 bytes",
      "head -c 40000 /dev/zero | tr '\\0' x >work/AGENTS.md", NULL, NULL },
    { "names", "two of one name", SF_HEALTH_WARNING, "Makefile and makefile",
      "cd work && touch makefile Makefile", NULL, NULL },
    { "state", "below a file", SF_HEALTH_PROBLEM, "cannot be written", "touch state", NULL, NULL },
    { "store-opens", "junk", SF_HEALTH_PROBLEM, "", "mkdir state && echo junk >state/sf.db", NULL,
      NULL },
    { "store", "a row that points nowhere", SF_HEALTH_PROBLEM, "", NULL,
      "PRAGMA foreign_keys = OFF; INSERT INTO task_runtime (task_id) VALUES ('gone');", NULL },
    { "orphans", "moves of no task", SF_HEALTH_WARNING, "moves of the task gone", NULL,
      "INSERT INTO task_transitions (task_id, from_status, to_status, timestamp)"
      " VALUES ('gone', 'todo', 'running', '');",
      NULL },
    { "orphans", "a dependency on no task", SF_HEALTH_WARNING, "the task t waits for gone", NULL,
      TASK("todo") "UPDATE tasks SET dependency_blockers = '[\"gone\"]'", NULL },
    { "leases", "one that ran out", SF_HEALTH_WARNING, "the lease on run ran out", NULL,
      WORKER "INSERT INTO leases (resource, worker_id, fencing_token, acquired_at, expires_at)"
             " VALUES ('run', 'w', 1, '2024-01-01T00:00:00.000Z', '2024-01-01T00:01:00.000Z')",
      NULL },
    { "workers", "one that was killed", SF_HEALTH_WARNING, "the worker w is registered", NULL,
      WORKER, NULL },
    { "session-locks", "of no session", SF_HEALTH_WARNING, "a lock file is left", NULL, "SELECT 1",
      NULL },
    { "store-log", "one of 65 MiB", SF_HEALTH_WARNING, "has grown to", NULL, "SELECT 1", NULL },
    { "private", "a store for all", SF_HEALTH_WARNING, "others can read", NULL, "SELECT 1", NULL },
    { "shared", "by two projects", SF_HEALTH_WARNING, "another project uses this state", NULL, NULL,
      plant_two_projects },
    { "tasks", "running, with nobody", SF_HEALTH_WARNING, "the task t is running", NULL,
      TASK("running"), NULL },
    { "tasks", "verified by a dead process", SF_HEALTH_WARNING, "the task t is verifying", NULL,
      TASK("verifying") "INSERT INTO task_runtime (task_id, process_pid) VALUES ('t', " NOBODY ")",
      NULL },
    { "plan-files", "one byte more", SF_HEALTH_WARNING, "one.md changed since", NULL, NULL,
      plant_changed_plan },
    { "plan-rows", "no file", SF_HEALTH_WARNING, "is gone: The plan", NULL, NULL, plant_gone_plan },
    { "snapshots", "without their rows", SF_HEALTH_WARNING, "store", "mkdir -p state/snapshots.git",
      NULL, NULL },
    { "side-repository", "half of it", SF_HEALTH_PROBLEM, "parts of the snapshots are missing",
      NULL, NULL, plant_halves_of_snapshots },
    { "budget", "3 GiB", SF_HEALTH_WARNING, "snapshots take",
      "mkdir -p state/snapshots.git/objects && truncate -s 3G state/snapshots.git/objects/x", NULL,
      NULL },
    { "lost-snapshots", "a row without content", SF_HEALTH_WARNING, "is gone: 0123456789", NULL,
      NULL, plant_snapshot },
    { "restore", "cut short", SF_HEALTH_PROBLEM, "was cut short", NULL, NULL, plant_cut_restore },
    { "settings", "a broken file", SF_HEALTH_PROBLEM, "config.toml:1", NULL, NULL, plant_settings },
    { "unknown-settings", "a typo", SF_HEALTH_WARNING, "caeg", NULL, NULL, plant_unknown },
    { "key-files", "for all to read", SF_HEALTH_WARNING, "others can read the key", NULL, NULL,
      plant_key_file },
    { "key-text", "in the project's settings", SF_HEALTH_WARNING, "config.toml:2 holds",
      "mkdir -p work/.sf && printf '[models]\\nfast = \"sk-aaaaaaaaaaaaaaaaaaaaaaaa\"\\n' "
      ">work/.sf/config.toml",
      NULL, NULL },
    { "terminfo", "an unknown terminal", SF_HEALTH_WARNING, "no-such-terminal", NULL, NULL,
      plant_term },
    { "disk", "full", SF_HEALTH_PROBLEM, "only 0", NULL, NULL, plant_no_room },
    { "inodes", "a disk that cannot be asked", SF_HEALTH_PROBLEM, "cannot be looked at",
      "touch state", NULL, plant_no_disk },
    { "clock", "back by a century", SF_HEALTH_WARNING, "behind the newest event", NULL,
      "INSERT INTO events (session_id, seq, time, surface, kind, data) VALUES ('project', 100,"
      " '2199-01-01T00:00:00.000Z', 'headless', 'x', '{}')",
      NULL },
    { "unfinished-files", "of a killed process", SF_HEALTH_WARNING, ".sf-tmp-0123456789abcdef",
      "touch -d '1 hour ago' work/.sf-tmp-0123456789abcdef", NULL, NULL },
    { "temp-directories", "of a dead session", SF_HEALTH_WARNING, "sf-0123456789abcdef",
      "mkdir tmp/sf-0123456789abcdef && touch -d '1 hour ago' tmp/sf-0123456789abcdef", NULL,
      NULL },
};

/* What goes with a row of `faults` and needs more than one of its fields. */
static const struct {
    const char *check, *shell;
} more[] = {
    { "session-locks", "mkdir state/locks && touch state/locks/01ARZ3NDEKTSV4RRFFQ69G5FAV" },
    { "store-log", "truncate -s 65M state/sf.db-wal" },
    { "private", "chmod 644 state/sf.db" },
};

/* Checks of the program, its terminal and services, whose faults app/doctor plants. */
static const char *const elsewhere[] = { "version",  "modules",   "manual", "path", "locale",
                                         "terminal", "trust",     "model",  "key",  "service",
                                         "cage",     "cage-gaps", "owner",  NULL };

static void plant(struct health_case *w, size_t i)
{
    char session[SF_ID_LEN + 1], host[256] = "";

    if (faults[i].sql) {
        struct sf_strbuf sql = SF_STRBUF_INIT;
        char *at;

        test_store_fill(w->at.state_dir, 1, session);
        sf_strbuf_adds(&sql, faults[i].sql);
        assert_int_equal(gethostname(host, sizeof(host) - 1), 0);
        at = strstr(sql.buf, "HOST");
        if (at)
            sf_strbuf_splice(&sql, (size_t)(at - sql.buf), 4, host, strlen(host));
        test_sql_exec(w->at.state_dir, sql.buf);
        sf_strbuf_release(&sql);
    }
    if (faults[i].shell)
        health_case_sh(w, faults[i].shell);
    if (faults[i].plant)
        faults[i].plant(w);
    for (size_t j = 0; j < SF_COUNT(more); j++)
        if (!strcmp(more[j].check, faults[i].check))
            health_case_sh(w, more[j].shell);
}

static bool finds(const struct sf_health_report *r, const char *check, enum sf_health_state state,
                  const char *text)
{
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->items[i].name, check) && r->items[i].state == state &&
            strstr(r->items[i].text, text))
            return true;
    return false;
}

static void look(struct health_case *w, const char *check, struct sf_health_report *out)
{
    struct sf_strlist names = SF_STRLIST_INIT;

    sf_strlist_add(&names, check);
    sf_health_look_at(&w->at, &names, out);
    sf_strlist_release(&names);
}

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(faults); i++) {
        struct sf_health_report report = { 0 };
        void *fixture = NULL;
        struct health_case *w;

        health_case_setup(&fixture);
        w = fixture;
        look(w, faults[i].check, &report);
        if (sf_health_worst(&report) != SF_HEALTH_OK)
            fail_msg("%s: not silent in a sound tree: %s", faults[i].check, report.items[0].text);
        sf_health_release(&report);
        plant(w, i);
        look(w, faults[i].check, &report);
        if (!finds(&report, faults[i].check, faults[i].state, faults[i].text))
            fail_msg("%s, %s: not found; instead: %s", faults[i].check, faults[i].name,
                     report.count ? report.items[0].text : "nothing");
        sf_health_release(&report);
        health_case_teardown(&fixture);
    }
}

static void test_every_check_has_a_fault(void **state)
{
    (void)state;
    assert_true(sf_health_check_count >= 30);
    for (size_t i = 0; i < sf_health_check_count; i++) {
        bool known = false;

        for (size_t j = 0; elsewhere[j]; j++)
            known = known || !strcmp(elsewhere[j], sf_health_checks[i].name);
        for (size_t j = 0; j < SF_COUNT(faults); j++)
            known = known || !strcmp(faults[j].check, sf_health_checks[i].name);
        if (!known)
            fail_msg("%s has no planted fault", sf_health_checks[i].name);
    }
}

/* Names are what users type: each stands for one row, and a group for rows in a row. */
static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sf_health_check_count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct sf_health_check *a = &sf_health_checks[j], *b = &sf_health_checks[i];

            assert_string_not_equal(a->name, b->name);
            if (!strcmp(a->group, b->group))
                assert_string_equal(a->group, sf_health_checks[i - 1].group);
        }
    assert_non_null(sf_health_check_find("git-locks"));
    assert_non_null(sf_health_check_find("leftovers"));
    assert_null(sf_health_check_find("everything"));
}

/* A sound repository with commits, branches, tags and packs has nothing to be said about. */
static void test_sound_repository(void **state)
{
    struct health_case *w = *state;
    struct sf_health_report report = { 0 };

    health_case_sh(w, COMMIT "git tag v1 && git branch other && git gc -q && git worktree add -q "
                             "../tree && touch .git/index.lock");
    look(w, "git", &report);
    for (size_t i = 0; i < report.count; i++)
        if (report.items[i].state != SF_HEALTH_OK)
            fail_msg("%s: %s", report.items[i].name, report.items[i].text);
    sf_health_release(&report);
}

static void test_owner(void **state)
{
    struct health_case *w = *state;
    struct sf_health_report report = { 0 };

    if (geteuid() != 0)
        test_not_run("only root can give a repository to somebody else");
    health_case_sh(w, COMMIT "chown 12345 .git");
    look(w, "owner", &report);
    assert_true(finds(&report, "owner", SF_HEALTH_WARNING, "belongs to user 12345"));
    sf_health_release(&report);
}

/* A worker of another machine, and one that lives, hold what they hold. */
static void test_living_holders(void **state)
{
    struct health_case *w = *state;
    struct sf_health_report report = { 0 };
    struct sf_strbuf sql = SF_STRBUF_INIT;
    char session[SF_ID_LEN + 1];

    test_store_fill(w->at.state_dir, 1, session);
    sf_strbuf_addf(&sql,
                   TASK("running") "INSERT INTO task_runtime (task_id, process_pid)"
                                   " VALUES ('t', %d);" WORKER
                                   "UPDATE workers SET host = 'elsewhere.example'",
                   (int)getpid());
    test_sql_exec(w->at.state_dir, sql.buf);
    look(w, "tasks", &report);
    look(w, "workers", &report);
    assert_int_equal(sf_health_worst(&report), SF_HEALTH_OK);
    sf_health_release(&report);
    sf_strbuf_release(&sql);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, health_case_setup, health_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_faults),
                                        cmocka_unit_test(test_every_check_has_a_fault),
                                        cmocka_unit_test(test_names),
                                        CASE(test_sound_repository),
                                        CASE(test_owner),
                                        CASE(test_living_holders) };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
