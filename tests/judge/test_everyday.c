/*
 * A day's work in C, Rust, Go, Node and Python (corpus/shell/everyday.tsv: answer and command)
 * through the real engine: under the profile trusted hardly anything asks, nothing is refused,
 * whatever settings git has in the repository.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/judge_case.h"
#include "support/test.h"
#include "support/tree.h"

struct fixture {
    struct judge_case *c;
    char *rows;
};

static int setup(void **state)
{
    static const char *const files[] = {
        "src/main.c", "src/util.c", "src/parser.c", "a.txt",     "a.json",     "package.json",
        "Cargo.toml", "Makefile",   "notes.md",     "README.md", "tests/x.py", "docs/a.md"
    };
    struct fixture *f = sf_alloc(sizeof(*f));
    size_t len;

    f->c = judge_case_new();
    tree_puts(f->c->workspace.root, ".git/config", "");
    for (size_t i = 0; i < SF_COUNT(files); i++)
        tree_puts(f->c->workspace.root, files[i], "");
    judge_case_begin(f->c);
    f->c->policy.caged = true; /* on a machine without a cage an unknown program asks */
    f->c->state.profile = SF_PROFILE_TRUSTED;
    f->c->state.control = SF_RUN_ASSISTED;
    f->c->state.work = SF_WORK_BUILD;
    f->rows = test_read("corpus/shell/everyday.tsv", &len);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    judge_case_free(f->c);
    free(f->rows);
    free(f);
    return 0;
}

static enum sf_answer answer_to(const struct fixture *f, const char *line)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_call_asked asked = { .tool = "Bash", .act = SF_ACT_SHELL };
    struct sf_judged judged;
    enum sf_answer answer;

    assert_true(sf_corpus_decode(line, strlen(line), &text, &err));
    asked.command = text.buf;
    asked.command_len = text.len;
    assert_true(sf_judge_call(&f->c->policy, &asked, &f->c->state, &judged, &err));
    answer = judged.verdict.answer;
    if (answer != SF_ALLOW)
        print_message("%s: %s by %s, %s\n", line, sf_answer_names[answer], judged.verdict.rule,
                      judged.report.rule);
    sf_judged_release(&judged);
    sf_strbuf_release(&text);
    return answer;
}

static void test_a_day_of_work(void **state)
{
    const struct fixture *f = *state;
    size_t rows = 0, asked = 0, refused = 0, wrong = 0;
    char *save = NULL;

    for (char *line = strtok_r(f->rows, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *tab = strchr(line, '\t');
        enum sf_answer answer;

        if (!tab)
            continue; /* a heading */
        *tab = '\0';
        answer = answer_to(f, tab + 1);
        rows++;
        asked += answer == SF_ASK;
        refused += answer == SF_DENY;
        wrong += strcmp(sf_answer_names[answer], line) != 0;
    }
    print_message("%zu commands, %zu ask, %zu are refused\n", rows, asked, refused);
    assert_true(rows >= 150);
    assert_true(asked <= 2);
    assert_int_equal(refused, 0);
    assert_int_equal(wrong, 0);
}

#define HOOKS   "[core]\n\thooksPath = .husky/_\n"
#define MONITOR "[core]\n\tfsmonitor = .git/watch\n"
#define ALIAS   "[alias]\n\tst = !make status\n\tlg = log --graph\n"
#define FILTER  "[filter \"lfs\"]\n\tprocess = git-lfs filter-process\n\trequired = true\n"

/* Local settings of repositories as people have them. */
static const struct {
    const char *name, *config;
    const char *key; /* named by the reason where a command asks for it; NULL: nothing asks */
    bool reads;      /* some reads run it too, as no option switches it off */
} settings[] = {
    { "hooks elsewhere", HOOKS, "core.hooksPath", false },
    { "a monitor", MONITOR, NULL, false },
    { "aliases", ALIAS, NULL, false },
    { "large files", FILTER, "filter.lfs.process", false },
    { "another filter", "[filter \"x\"]\n\tclean = y\n", "filter.x.clean", true },
    { "all but large files", HOOKS MONITOR ALIAS, "core.hooksPath", false },
    { "all of them", HOOKS MONITOR ALIAS FILTER, "", false },
};

static void judge_beside(struct fixture *f, size_t i, const char *line)
{
    const char *key = settings[i].key;
    struct sf_shell_report alone;
    struct sf_judged judged;
    bool right;

    sf_shell_classify(line, strlen(line), &alone);
    judge_case_command(f->c, line, &judged);
    right = judged.verdict.answer == SF_ALLOW;
    if (f->c->state.profile != SF_PROFILE_TRUSTED && key && judged.verdict.answer == SF_ASK)
        right = !strncasecmp(judged.report.reason, key, strlen(key)) &&
                (alone.class != SF_CLASS_READONLY || settings[i].reads);
    if (!right)
        fail_msg("%s, profile %s: %s: %s, %s", settings[i].name,
                 sf_axis_name(SF_AXIS_PROFILE, (int)f->c->state.profile), line,
                 sf_answer_names[judged.verdict.answer], judged.report.reason);
    sf_judged_release(&judged);
    sf_shell_report_release(&alone);
}

/* The git commands of the day once more, where git has such settings; with a cage and without. */
static void test_git_settings(void **state)
{
    static const int profiles[] = { SF_PROFILE_NORMAL, SF_PROFILE_TRUSTED };
    struct fixture *f = *state;
    const struct sf_mode_state session = f->c->state;
    size_t rows = 0;

    for (size_t i = 0; i < SF_COUNT(settings) * 4; i++) {
        char *text = sf_strdup(f->rows), *save = NULL;

        tree_puts(f->c->workspace.root, ".git/config", settings[i / 4].config);
        judge_case_begin(f->c);
        f->c->policy.caged = i & 1;
        f->c->state = session;
        f->c->state.profile = profiles[i / 2 & 1];
        for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
            if (!strncmp(line, "allow\t", 6) && strstr(line, "git ")) {
                judge_beside(f, i / 4, line + 6);
                rows++;
            }
        free(text);
    }
    assert_true(rows >= 15 * SF_COUNT(settings) * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_day_of_work, setup, teardown),
        cmocka_unit_test_setup_teardown(test_git_settings, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
