/*
 * Eight processes on one project at once, each in its own session, while others change the axes of
 * those sessions and rename them: nothing is lost, nothing is numbered twice, and nobody hears of
 * a lock.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tui_case.h"

enum { PARALLEL = 8, PLACES = 64, WORDS = 8 };

struct one {
    pid_t pid;
    char *err, *out; /* files */
    char words[160];
};

struct parallel {
    struct sandbox *sandbox;
    struct one all[PLACES];
    size_t count;
    char ids[PARALLEL][SF_ID_LEN + 1];
};

static int setup(void **state)
{
    struct parallel *c = sf_alloc(sizeof(*c));
    void *sandbox;

    sandbox_setup(&sandbox);
    c->sandbox = sandbox;
    agent_sandbox_settings(c->sandbox, "[snapshots]\nenabled = false\n");
    agent_sandbox_file(c->sandbox, "a.txt", "a\n");
    *state = c;
    return 0;
}

static void forget(struct parallel *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->all[i].err);
        free(c->all[i].out);
    }
    c->count = 0;
}

static int teardown(void **state)
{
    struct parallel *c = *state;
    void *sandbox = c->sandbox;

    forget(c);
    sandbox_teardown(&sandbox);
    free(c);
    return 0;
}

/* ---- processes ---- */

static char *file_of(struct parallel *c, const char *name)
{
    char text[64];

    snprintf(text, sizeof(text), "%s.%zu", name, c->count);
    return test_path(c->sandbox->dir, text);
}

static void exec_one(const struct parallel *c, struct one *one, char **argv)
{
    int null = open("/dev/null", O_RDONLY);
    int out = open(one->out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int err = open(one->err, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ||
        chdir(c->sandbox->workspace) != 0)
        _exit(126);
    execve(SF_PROGRAM, argv, c->sandbox->env.items);
    _exit(127);
}

/* The words are split at blanks. */
static void start(struct parallel *c, const char *words)
{
    struct one *one = &c->all[c->count];
    char *argv[WORDS + 2] = { one->words }, *rest = NULL, copy[sizeof(one->words)];
    size_t n = 1;

    assert_true(c->count < PLACES);
    *one = (struct one){ .err = file_of(c, "err"), .out = file_of(c, "out") };
    snprintf(one->words, sizeof(one->words), "sf %s", words);
    snprintf(copy, sizeof(copy), "%s", words);
    for (char *at = strtok_r(copy, " ", &rest); at && n <= WORDS; at = strtok_r(NULL, " ", &rest))
        argv[n++] = at;
    one->pid = fork();
    assert_true(one->pid >= 0);
    if (one->pid == 0)
        exec_one(c, one, argv);
    c->count++;
}

static void wait_all(struct parallel *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct one *one = &c->all[i];
        char *err;
        int status;

        assert_int_equal(waitpid(one->pid, &status, 0), one->pid);
        err = test_read(one->err, NULL);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || strstr(err, "locked"))
            fail_msg("%s: status %d: %s", one->words, status, err);
        free(err);
    }
    forget(c);
}

/* ---- what is in the store ---- */

/* Fails the test unless the answer is that; columns are split by tabs. */
static void expect_sql(struct parallel *c, const char *name, const char *sql, const char *wanted)
{
    struct tui_case at = { .sandbox = c->sandbox };
    char *is = tui_case_sql(&at, sql);

    is[strcspn(is, "\n")] = '\0';
    if (strcmp(is, wanted) != 0)
        fail_msg("%s: %s, not %s", name, is, wanted);
    free(is);
}

static void learn_ids(struct parallel *c)
{
    struct tui_case at = { .sandbox = c->sandbox };
    char *rows = tui_case_sql(&at, "select id from sessions where id != 'project'"), *rest = NULL;
    size_t n = 0;

    for (const char *id = strtok_r(rows, "\n", &rest); id; id = strtok_r(NULL, "\n", &rest))
        if (n++ < PARALLEL)
            snprintf(c->ids[n - 1], sizeof(c->ids[0]), "%s", id);
    free(rows);
    assert_int_equal(n, PARALLEL);
}

static void test_parallel(void **state)
{
    static const char *const modes[] = { "review", "build",  "repair",   "plan",
                                         "chat",   "review", "research", "build" };
    struct parallel *c = *state;
    char words[160];

    for (int i = 0; i < PARALLEL; i++)
        start(c, "exec list");
    wait_all(c);
    learn_ids(c);
    for (int i = 0; i < PARALLEL; i++) {
        snprintf(words, sizeof(words), "exec --resume %s list", c->ids[i]);
        start(c, words);
        snprintf(words, sizeof(words), "mode --session %s %s", c->ids[0], modes[i]);
        start(c, words);
        snprintf(words, sizeof(words), "mode --session %s %s", c->ids[i], modes[PARALLEL - 1 - i]);
        start(c, words);
        snprintf(words, sizeof(words), "sessions rename %s crowd-%d", c->ids[i], i);
        start(c, words);
    }
    wait_all(c);
    expect_sql(c, "events are numbered without gaps",
               "select count(*) from (select session_id from events group by session_id"
               " having count(*) != max(seq) or min(seq) != 1)",
               "0");
    expect_sql(c, "both turns of all are there and ended",
               "select count(*), min(n), max(n) from (select count(*) as n from events where"
               " kind = 'end' group by session_id)",
               "8\t2\t2");
    expect_sql(c, "and each of them has its question and its answers",
               "select count(*) from (select session_id, sum(kind = 'user') as u,"
               " sum(kind = 'assistant') as a, sum(kind = 'result') as r from events"
               " group by session_id having u > 0) where u != 2 or a != 4 or r != 2",
               "0");
    expect_sql(c, "each applied transition has its version",
               "select count(*) from mode_state as m where version != 1 + (select count(*) from"
               " mode_transitions as t where t.session_id = m.session_id and"
               " t.outcome = 'applied')",
               "0");
    expect_sql(c, "transitions are numbered without gaps",
               "select count(*) from (select session_id from mode_transitions group by session_id"
               " having count(*) != max(number))",
               "0");
    expect_sql(c, "none was lost", "select count(*) from mode_transitions where reason = 'sf mode'",
               "16");
    expect_sql(c, "all have their names",
               "select count(*) from sessions where title like 'crowd-_'", "8");
    sandbox_expect(c->sandbox, "store check", 0, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_parallel, setup, teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
