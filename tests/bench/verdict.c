/*
 * verdict.c: verdicts a second, from the command's text to the answer, with the row in SQLite and
 * without, beside the bare cost of one row. usage: bench_verdict DIR
 */
#include <stdio.h>
#include <time.h>

#include "base/base.h"
#include "guard/guard.h"
#include "store/store.h"

static const char *const commands[] = {
    "git status --short",
    "ls -la src",
    "rg -n 'TODO|FIXME' src tests",
    "cargo test --workspace -- --nocapture",
    "npm ci && npm run build",
    "git commit -m 'guard: ask before reading secrets'",
    "find . -name '*.c' -print0 | xargs -0 grep -l malloc | head -20",
    "for f in src/*.c; do wc -l \"$f\"; done > /dev/null",
};

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void judge(const char *command, struct sf_mode_state *state, struct sf_verdict *out)
{
    static const struct sf_scope_set set = { NULL, 0, true };
    struct sf_policy policy = { .approval = SF_APPROVAL_SUGGEST, .registry.allow_shell = true };
    struct sf_shell_report report;
    struct sf_action action = { .tool = "Bash", .act = SF_ACT_SHELL, .shell = &report };

    policy.scope = sf_scope_find(&set, "free");
    sf_shell_classify(command, strlen(command), &report);
    sf_guard_verdict(&action, state, &policy, out);
    sf_shell_report_release(&report);
}

static bool record(struct sf_store *store, const char *command, const struct sf_mode_state *state,
                   const struct sf_verdict *v)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_decision_new row = { .session = SF_SESSION_PROJECT,
                                   .state = state,
                                   .tool = "Bash",
                                   .action = command,
                                   .class = sf_matrix[v->kind].name,
                                   .verdict = sf_answer_names[v->answer],
                                   .layer = sf_guard_layers[v->layer].name,
                                   .rule = v->rule,
                                   .reason = v->reason,
                                   .hint = v->hint };
    int64_t id;

    return sf_store_decision_add(store, &row, &id, &err);
}

static void print_row(const char *label, double each, double limit)
{
    printf("%-34s %10.1f %14.0f %10.2f\n", label, each * 1e6, 1 / each, each / limit);
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 4000, ROWS = 4000 };
    const double limit = 20e-6;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = argc > 1 ? sf_store_open(argv[1], SF_STORE_WRITE, &err) : NULL;
    struct sf_mode_state state;
    struct sf_verdict v;
    double start;

    if (!store) {
        fprintf(stderr, "bench_verdict: %s\n", err.msg);
        return 1;
    }
    sf_mode_state_init(&state, SF_SURFACE_HEADLESS);
    printf("%-34s %10s %14s %10s\n", "command", "us each", "a second", "/ 20 us");
    for (size_t c = 0; c < SF_COUNT(commands); c++) {
        start = seconds();
        for (int i = 0; i < ROUNDS; i++)
            judge(commands[c], &state, &v);
        {
            char label[35];

            snprintf(label, sizeof(label), "%s", commands[c]);
            print_row(label, (seconds() - start) / ROUNDS, limit);
        }
    }
    start = seconds();
    for (int i = 0; i < ROWS; i++) {
        const char *command = commands[(size_t)i % SF_COUNT(commands)];

        judge(command, &state, &v);
        if (!record(store, command, &state, &v))
            return 1;
    }
    print_row("all of them, each with its row", (seconds() - start) / ROWS, limit);
    start = seconds();
    for (int i = 0; i < ROWS; i++)
        if (!record(store, "ls", &state, &v))
            return 1;
    print_row("a row alone", (seconds() - start) / ROWS, limit);
    sf_store_close(store);
    return 0;
}
