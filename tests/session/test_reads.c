/*
 * What commands read, against corpus/shell/reads.tsv: "inside" runs unasked, "outside" takes a
 * question however it is spelled, "clean" is inside where no link leads out and outside where one
 * does. The workspace is real: src/ sub/deep/ README.md list.txt, `out` a link to its parent,
 * `inlink` one to sub/deep, and tied/ with links to a file, to a directory and around a corner.
 * A second one has all of that but the links that lead out.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/session.h"
#include "support/test.h"
#include "support/tree.h"

enum label { INSIDE, OUTSIDE, CLEAN };

/* A workspace, and what verdicts about it rest on. */
struct place {
    struct sf_workspace workspace;
    struct sf_policy_context policy;
};

struct fixture {
    char *dir, *home, *rows;
    struct sf_config *config;
    struct place tied, clean;
};

static void link_to(const struct place *p, const char *name, const char *target)
{
    char *path = test_path(p->workspace.root, name);

    assert_int_equal(symlink(target, path), 0);
    free(path);
}

static void fill(struct fixture *f, struct place *p, const char *name)
{
    static const char *const files[] = { "src/a.c",    "src/b.c",   "sub/x",
                                         "sub/deep/y", "README.md", "list.txt",
                                         "sub/a.tar",  "sub/a.zip", "tied/z" };

    p->workspace.root = test_path(f->dir, name);
    p->workspace.project = sf_strdup(p->workspace.root);
    for (size_t i = 0; i < SF_COUNT(files); i++)
        tree_puts(p->workspace.root, files[i], "");
    link_to(p, "inlink", "sub/deep");
    link_to(p, "sub/lib", "/usr/lib");
}

static void open_ground(struct fixture *f, struct place *p)
{
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_policy_context_init(&p->policy, f->config, &p->workspace, &err));
}

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_dir_new();
    size_t len;

    f->dir = sf_path_real(dir, &err);
    free(dir);
    f->home = test_path(f->dir, "home");
    tree_puts(f->home, "notes", "");
    tree_puts(f->dir, "x", "precious");
    setenv("HOME", f->home, 1);
    fill(f, &f->tied, "work");
    fill(f, &f->clean, "clean");
    link_to(&f->tied, "out", "..");
    link_to(&f->tied, "tied/evil", "../../x");
    link_to(&f->tied, "tied/home", f->home);
    tree_puts(f->tied.workspace.root, "bent/y", "");
    link_to(&f->tied, "bent/round", "../tied");
    f->config = sf_config_new();
    open_ground(f, &f->tied);
    open_ground(f, &f->clean);
    f->rows = test_read("corpus/shell/reads.tsv", &len);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_policy_context_release(&f->tied.policy);
    sf_policy_context_release(&f->clean.policy);
    sf_config_free(f->config);
    sf_workspace_release(&f->tied.workspace);
    sf_workspace_release(&f->clean.workspace);
    test_dir_free(f->dir);
    free(f->home);
    free(f->rows);
    free(f);
    return 0;
}

static enum sf_answer judge(const struct place *p, enum sf_profile profile, const char *command,
                            const char *cwd)
{
    const struct sf_call_asked asked = { .tool = "Bash",
                                         .act = SF_ACT_SHELL,
                                         .command = command,
                                         .command_len = strlen(command),
                                         .cwd = cwd };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state state;
    struct sf_judged judged;
    enum sf_answer answer;

    sf_mode_state_init(&state, SF_SURFACE_HEADLESS);
    state.profile = profile;
    sf_mode_state_set_scope(&state, "free");
    assert_true(sf_judge_call(&p->policy, &asked, &state, &judged, &err));
    answer = judged.verdict.answer;
    sf_judged_release(&judged);
    return answer;
}

/* Calls `check` with each row; returns how many it found wrong. */
typedef bool row_fn(const struct place *p, bool inside, const char *command);

static bool check_row(const struct fixture *f, row_fn *check, enum label label, const char *command)
{
    return check(&f->tied, label == INSIDE, command) &&
           (label == OUTSIDE || check(&f->clean, true, command));
}

static size_t each_row(struct fixture *f, row_fn *check, size_t *rows)
{
    struct sf_error err = SF_ERROR_INIT;
    size_t wrong = 0;

    *rows = 0;
    for (char *line = f->rows, *end; *line; line = end + (*end == '\n')) {
        struct sf_strbuf command = SF_STRBUF_INIT;
        size_t label = strcspn(line, "\t\n");

        end = strchrnul(line, '\n');
        if (line[label] != '\t')
            continue;
        assert_true(
            sf_corpus_decode(line + label + 1, (size_t)(end - line) - label - 1, &command, &err));
        (*rows)++;
        if (!check_row(f, check,
                       *line == 'i'   ? INSIDE
                       : *line == 'o' ? OUTSIDE
                                      : CLEAN,
                       command.buf)) {
            print_message("  %.*s\n", (int)(end - line), line);
            wrong++;
        }
        sf_strbuf_release(&command);
    }
    return wrong;
}

static bool as_labelled(const struct place *p, bool inside, const char *command)
{
    if (inside)
        return judge(p, SF_PROFILE_RESTRICTED, command, NULL) == SF_ALLOW;
    return judge(p, SF_PROFILE_RESTRICTED, command, NULL) == SF_DENY &&
           judge(p, SF_PROFILE_NORMAL, command, NULL) != SF_ALLOW &&
           judge(p, SF_PROFILE_TRUSTED, command, NULL) != SF_ALLOW;
}

static void test_rows(void **state)
{
    size_t rows, wrong = each_row(*state, as_labelled, &rows);

    print_message("%zu rows, %zu wrong\n", rows, wrong);
    assert_true(rows >= 300);
    assert_int_equal(wrong, 0);
}

static bool around(const struct place *p, bool inside, const char *command, const char *before,
                   const char *behind)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool right;

    sf_strbuf_addf(&text, "%s%s%s", before, command, behind);
    right = (judge(p, SF_PROFILE_NORMAL, text.buf, NULL) == SF_ALLOW) == inside;
    if (!right)
        print_message("as %s…%s:", before, behind);
    sf_strbuf_release(&text);
    return right;
}

static bool changed(const struct place *p, bool inside, const char *command)
{
    static const char *const spellings[][2] = {
        { "cd . && { ", "\n}" },
        { "cd ./. && { ", "\n}" },
        { "cd sub && cd .. && { ", "\n}" },
        { "true; ", "" },
        { "( ", "\n)" },
        { "{ ", "\n}" },
        { "cd sub/deep && cd ../.. && { ", "\n}" },
        { "true | ( ", "\n)" },
    };

    if (strstr(command, "cd -") || strstr(command, "popd"))
        return true; /* what they go back to has changed */
    for (size_t i = 0; i < SF_COUNT(spellings); i++)
        if (!around(p, inside, command, spellings[i][0], spellings[i][1]))
            return false;
    return around(p, false, command, "cd .. && ", "") && around(p, false, command, "cd; ", "");
}

/* Going about inside changes nothing, going out is never made up for. */
static void test_other_spellings(void **state)
{
    size_t rows;

    assert_int_equal(each_row(*state, changed, &rows), 0);
}

/* A command starts where the call says, and `..` is meant from there. */
static void test_start_below_the_root(void **state)
{
    static const struct {
        const char *command;
        enum sf_answer want;
    } cases[] = {
        { "cat ../README.md", SF_ALLOW },
        { "cd .. && cat README.md", SF_ALLOW },
        { "cat ../../x", SF_ASK },
        { "cd .. && cat ../x", SF_ASK },
        { "cd ../.. && ls", SF_ASK },
        { "cd deep && cat ../../README.md", SF_ALLOW },
        { "cd deep && cat ../../../x", SF_ASK },
        { "x=..; cat $x/README.md", SF_ALLOW },
        { "x=../..; cat $x/x", SF_ASK },
        { "ls ..", SF_ALLOW },
    };

    const struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++)
        if (judge(&f->tied, SF_PROFILE_NORMAL, cases[i].command, "sub") != cases[i].want)
            fail_msg("%s", cases[i].command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_other_spellings),
        cmocka_unit_test(test_start_below_the_root),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
