/*
 * test_survey.c: what people are told of a path before a command takes it: how many files, and how
 * many of them a snapshot would not hold, and why.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "snap/snap.h"
#include "support/test.h"
#include "support/tree.h"

enum { LOOKS = 100 }; /* until one was not short of time, on a busy machine */

static const char layout[] =
    "git init -q . && mkdir -p src/deep build other/inside link.d && touch src/a src/b src/deep/c"
    " build/x build/y && printf 'build/\\n*.log\\n' >.gitignore && touch src/z.log"
    " && truncate -s 10485760 src/most && truncate -s 10485761 src/deep/large"
    " && git init -q other/inside && touch other/inside/f other/g"
    " && ln -s /etc/passwd link && ln -s nowhere x.log && mkfifo pipe"
    " && mkdir -p build/nested && git init -q build/nested && touch build/nested/n";

static const struct {
    const char *name, *path;
    struct sf_snap_survey want;
} rows[] = {
    { "a file", "src/a", { .files = 1, .is_there = true } },
    { "written in a roundabout way", "./src//a", { .files = 1, .is_there = true } },
    { "a file that is not there", "src/none", { .is_there = false } },
    { "below a file", "src/a/b", { .is_there = false } },
    { "an ignored file", "src/z.log", { .files = 1, .ignored = 1, .is_there = true } },
    { "a file in an ignored directory", "build/x", { .files = 1, .ignored = 1, .is_there = true } },
    { "the largest that is kept", "src/most", { .files = 1, .is_there = true } },
    { "one too large", "src/deep/large", { .files = 1, .large = 1, .is_there = true } },
    { "a directory",
      "src",
      { .files = 6, .ignored = 1, .large = 1, .is_dir = true, .is_there = true } },
    { "an ignored directory",
      "build",
      { .files = 2, .ignored = 2, .repositories = 1, .is_dir = true, .is_there = true } },
    { "a directory with another repository",
      "other",
      { .files = 1, .repositories = 1, .is_dir = true, .is_there = true } },
    { "another repository",
      "other/inside",
      { .repositories = 1, .is_dir = true, .is_there = true } },
    { "a file of another repository", "other/inside/f", { .repositories = 1, .is_there = true } },
    { "git's own directory", ".git", { .is_dir = true, .is_machinery = true, .is_there = true } },
    { "a file of git's own", ".git/HEAD", { .files = 1, .is_machinery = true, .is_there = true } },
    { "a link", "link", { .files = 1, .is_there = true } },
    { "an ignored link", "x.log", { .files = 1, .ignored = 1, .is_there = true } },
    { "a pipe", "pipe", { .files = 1, .is_there = true } },
};

static bool look(const char *root, const char *path, struct sf_snap_survey *out,
                 struct sf_error *err)
{
    bool ok = true;

    out->late = true;
    for (int i = 0; ok && out->late && i < LOOKS; i++)
        ok = sf_snap_look(root, path, NULL, out, err);
    return ok;
}

static void test_look(void **state)
{
    const char *root = *state;

    free(tree_run(root, layout, NULL));
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const struct sf_snap_survey *want = &rows[i].want;
        struct sf_snap_survey got;
        struct sf_error err = SF_ERROR_INIT;

        if (!look(root, rows[i].path, &got, &err))
            fail_msg("%s: %s", rows[i].name, err.msg);
        if (got.files != want->files || got.ignored != want->ignored || got.large != want->large ||
            got.repositories != want->repositories)
            fail_msg("%s: files %d, ignored %d, large %d, repositories %d", rows[i].name,
                     (int)got.files, (int)got.ignored, (int)got.large, (int)got.repositories);
        if (got.is_dir != want->is_dir || got.is_machinery != want->is_machinery ||
            got.is_there != want->is_there || got.late)
            fail_msg("%s: directory %d, machinery %d, there %d, late %d", rows[i].name, got.is_dir,
                     got.is_machinery, got.is_there, got.late);
    }
}

/* The whole of it is all of its parts. */
static void test_root(void **state)
{
    struct sf_snap_survey got;
    struct sf_error err = SF_ERROR_INIT;

    free(tree_run(*state, layout, NULL));
    assert_true(look(*state, ".", &got, &err));
    assert_true(got.is_there && got.is_dir && !got.is_machinery);
    assert_int_equal(got.repositories, 2);
    assert_int_equal(got.large, 1);
    assert_true(got.files >= 9 && got.ignored >= 3);
}

static void test_refused(void **state)
{
    struct sf_snap_survey got;
    struct sf_strlist found = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *none = test_path(*state, "none");

    assert_false(sf_snap_look(*state, "../up", NULL, &got, &err));
    assert_false(got.is_there);
    assert_false(sf_snap_look(none, "a", NULL, &got, &err));
    assert_non_null(strstr(err.msg, "cannot open"));
    assert_false(sf_snap_match(none, "a*", 9, &found, &err));
    assert_false(sf_snap_match(*state, "../*", 9, &found, &err));
    assert_int_equal(found.count, 0);
    free(none);
}

static const struct {
    const char *name, *pattern;
    size_t max;
    const char *want; /* sorted, with spaces between, or an error; NULL: any `max` of them */
} patterns[] = {
    { "all but the hidden ones", "d/*", 99, "d/a d/b d/c" },
    { "some", "d/[ab]", 99, "d/a d/b" },
    { "hidden ones when asked for", "d/.*", 99, "d/.h" },
    { "at the top", "o*", 99, "one other out" },
    { "by a roundabout way", "./d//a*", 99, "d/a" },
    { "none", "d/x*", 99, "" },
    { "a directory that is not there", "none/*", 99, "" },
    { "through a link that leads out", "out/*", 99, "cannot look into out/: Not a directory" },
    { "as many as asked for", "d/*", 2, NULL },
};

static void test_match(void **state)
{
    const char *root = *state;

    free(tree_run(root, "mkdir d && touch d/c d/a d/b d/.h one other && ln -s /etc out", NULL));
    for (size_t i = 0; i < SF_COUNT(patterns); i++) {
        struct sf_strlist found = SF_STRLIST_INIT;
        struct sf_strbuf got = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;

        if (!sf_snap_match(root, patterns[i].pattern, patterns[i].max, &found, &err))
            sf_strbuf_adds(&got, err.msg);
        for (size_t n = 0; n < found.count; n++)
            sf_strbuf_addf(&got, "%s%s", n ? " " : "", found.items[n]);
        if (patterns[i].want && strcmp(got.len ? got.buf : "", patterns[i].want) != 0)
            fail_msg("%s: '%s'", patterns[i].name, got.buf);
        if (!patterns[i].want && found.count != patterns[i].max)
            fail_msg("%s: %zu", patterns[i].name, found.count);
        sf_strlist_release(&found);
        sf_strbuf_release(&got);
    }
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, test_dir_setup, test_dir_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_look),
        CASE(test_root),
        CASE(test_refused),
        CASE(test_match),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
