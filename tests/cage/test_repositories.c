/*
 * test_repositories.c: git directories that only the index knows are found, by the index as it is now,
 * and the hooks that settings name are found where husky and others put them.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cage/cage.h"
#include "cage/gitlinks.h"
#include "support/test.h"
#include "support/tree.h"

/* Seconds that the clock is ahead: what was changed just now was changed long ago. */
static long ahead;

/* Stands before the C library's. */
int clock_gettime(clockid_t id, struct timespec *out)
{
    long rc = syscall(SYS_clock_gettime, id, out);

    if (id == CLOCK_REALTIME)
        out->tv_sec += ahead;
    return (int)rc;
}

/* Files that each stream of a directory has before what is really there. */
static unsigned crowd;
static DIR *crowded; /* the stream that is read at present */

struct dirent *readdir(DIR *stream)
{
    static struct dirent file = { .d_type = DT_REG };
    static unsigned left;
    struct dirent *(*real)(DIR *) = NULL;

    if (crowded != stream)
        left = crowd;
    crowded = stream;
    if (left) {
        snprintf(file.d_name, sizeof(file.d_name), "file%u", left--);
        return &file;
    }
    *(void **)&real = dlsym(RTLD_NEXT, "readdir");
    return real(stream);
}

struct fixture {
    char *dir, *home, *git;
    const char *git_dirs[2];
    struct sf_repositories *all;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->dir = test_dir_new();
    free(tree_run(f->dir, "mkdir ws home && git init -q ws", NULL));
    f->home = test_path(f->dir, "home");
    f->git = test_path(f->dir, "ws/.git");
    f->git_dirs[0] = f->git;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_repositories_free(f->all);
    test_dir_free(f->dir);
    free(f->home);
    free(f->git);
    free(f);
    return 0;
}

static const struct sf_repositories_found *look(struct fixture *f, const char *root)
{
    crowded = NULL;
    if (!f->all)
        f->all = sf_repositories_new(root, f->home, f->git_dirs);
    return sf_repositories_look(f->all);
}

static bool has_dir(const struct sf_repositories_found *found, const char *tail)
{
    for (size_t i = 0; i < found->count; i++) {
        size_t len = strlen(found->dirs[i].path), n = strlen(tail);

        if (len >= n && !strcmp(found->dirs[i].path + len - n, tail))
            return true;
    }
    return false;
}

/* Packages are not walked, so what lies among them is found by the index alone. */
#define ADD(name)                                                                                     \
    "git init -q node_modules/" name " && git -C node_modules/" name                                  \
    " -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git add -f node_modules/" name \
    " 2>&1"

/* The list is that of the index as it is now, whether it was changed a moment ago or long before. */
static void test_index(void **state)
{
    struct fixture *f = *state;
    char *ws = test_path(f->dir, "ws");

    for (ahead = 0; ahead <= 100; ahead += 100) {
        const struct sf_repositories_found *found;

        free(tree_run(ws, "rm -rf node_modules .git/index", NULL));
        free(tree_run(ws, ADD("one"), NULL));
        found = look(f, ws);
        assert_true(has_dir(found, "/node_modules/one/.git"));
        assert_false(found->cut);
        free(tree_run(ws, ADD("two"), NULL));
        found = look(f, ws);
        assert_true(has_dir(found, "/node_modules/one/.git"));
        assert_true(has_dir(found, "/node_modules/two/.git"));
        free(tree_run(ws, "git update-index --force-remove node_modules/one", NULL));
        found = look(f, ws);
        assert_false(has_dir(found, "/node_modules/one/.git"));
        assert_true(has_dir(found, "/node_modules/two/.git"));
        found = look(f, ws);
        assert_true(has_dir(found, "/node_modules/two/.git"));
        assert_false(found->cut);
    }
    ahead = 0;
    free(ws);
}

/* An index that is not understood may name anything: the search says that it is not complete. */
static void test_unknown_index(void **state)
{
    struct fixture *f = *state;
    char *ws = test_path(f->dir, "ws");

    free(tree_run(ws, ADD("one"), NULL));
    assert_false(look(f, ws)->cut);
    free(tree_run(ws, "printf JUNK >.git/index", NULL));
    assert_true(look(f, ws)->cut);
    assert_true(sf_repositories_is_cut(f->all));
    free(tree_run(ws, "rm .git/index", NULL));
    assert_false(look(f, ws)->cut);
    free(ws);
}

/* What was not read to its end is read again, and the search is not complete before it was. */
static void test_a_large_directory(void **state)
{
    struct fixture *f = *state;
    char *ws = test_path(f->dir, "ws");

    free(tree_run(ws, "git init -q sub", NULL));
    ahead = 100;
    crowd = 300000;
    for (int i = 0; i < 3; i++) {
        assert_true(look(f, ws)->cut);
        assert_true(sf_repositories_is_cut(f->all));
    }
    crowd = 0;
    for (int i = 0; i < 3; i++) {
        const struct sf_repositories_found *found = look(f, ws);

        assert_false(found->cut);
        assert_true(has_dir(found, "/sub/.git"));
    }
    ahead = 0;
    free(ws);
}

static const struct {
    const char *name, *value;
    const char *want; /* below the workspace; NULL: it is none of ours */
} hooks[] = {
    { "a directory", "hooks", "hooks" },
    { "husky's, whose scripts run those beside it", ".husky/_", ".husky" },
    { "husky's in a part of the project", "web/.husky/_", "web/.husky" },
    { "a directory that only ends so", "a_", "a_" },
    { "the workspace itself does not become it", "_", "_" },
    { "not there yet", "later/hooks", "later/hooks" },
    { "outside", "/usr/share/hooks", NULL },
    { "upward", "../hooks", NULL },
    { "upward and back, not there", "later/../../x", NULL },
    { "the user's own", "~/hooks", NULL },
    { "nothing", "", NULL },
    { "the workspace", ".", NULL },
};

static void test_hooks(void **state)
{
    struct fixture *f = *state;
    char *ws = test_path(f->dir, "ws");

    free(tree_run(ws, "mkdir -p hooks .husky/_ web/.husky/_ a_ _ ../hooks", NULL));
    for (size_t i = 0; i < SF_COUNT(hooks); i++) {
        struct sf_strbuf line = SF_STRBUF_INIT;
        const struct sf_repositories_found *found;
        char *want = hooks[i].want ? test_path(ws, hooks[i].want) : NULL;

        sf_strbuf_addf(&line, "git config core.hooksPath '%s'", hooks[i].value);
        free(tree_run(ws, line.buf, NULL));
        found = look(f, ws);
        if (found->hooks.count != (want != NULL))
            fail_msg("%s: %zu directories", hooks[i].name, found->hooks.count);
        if (want && strcmp(found->hooks.items[0], want) != 0)
            fail_msg("%s: %s", hooks[i].name, found->hooks.items[0]);
        sf_strbuf_release(&line);
        free(want);
    }
    free(ws);
}

/* ---- the index itself ---- */

static bool read_index(const char *path, struct sf_strlist *out, size_t cut)
{
    size_t len;
    char *data = test_read(path, &len), *exact;
    bool ok;

    len = cut < len ? cut : len;
    exact = sf_alloc(len + !len); /* so that a byte beyond is seen */
    memcpy(exact, data, len);
    ok = sf_gitlinks_read((const unsigned char *)exact, len, out);
    free(exact);
    free(data);
    return ok;
}

static const struct {
    const char *name, *init, *update;
} formats[] = {
    { "version 2", "", "2" },
    { "version 3", "git add -N later;", "3" },
    { "version 4", "", "4" },
    { "long hashes", "SHA256", "2" },
};

static void test_formats(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(formats); i++) {
        bool sha256 = !strcmp(formats[i].init, "SHA256");
        char *dir = test_dir_new(), *path = test_path(dir, ".git/index");
        struct sf_strbuf script = SF_STRBUF_INIT;
        struct sf_strlist links = SF_STRLIST_INIT;
        size_t len;

        sf_strbuf_addf(&script,
                       "git init -q %s . && mkdir -p a/b/node_modules && "
                       "touch a/b/one a/b/other later z && git add a z && %s"
                       "git update-index --add --cacheinfo 160000,$(printf %%0%dd 1),a/b/sub && "
                       "git update-index --add --cacheinfo 160000,$(printf %%0%dd 1),a/b/sub2 && "
                       "git update-index --index-version %s",
                       sha256 ? "--object-format=sha256" : "", sha256 ? "" : formats[i].init,
                       sha256 ? 64 : 40, sha256 ? 64 : 40, formats[i].update);
        free(tree_run(dir, script.buf, NULL));
        if (!read_index(path, &links, SIZE_MAX))
            fail_msg("%s is not understood", formats[i].name);
        if (links.count != 2 || strcmp(links.items[0], "a/b/sub") != 0 ||
            strcmp(links.items[1], "a/b/sub2") != 0)
            fail_msg("%s: %zu links", formats[i].name, links.count);
        free(test_read(path, &len));
        for (size_t cut = 0; cut < len - (sha256 ? 32 : 20) - 8; cut++) {
            struct sf_strlist some = SF_STRLIST_INIT;

            if (read_index(path, &some, cut) && some.count != 2)
                fail_msg("%s, %zu of %zu bytes: half of it is believed", formats[i].name, cut, len);
            if (!some.count)
                sf_strlist_release(&some);
            sf_strlist_release(&some);
        }
        sf_strlist_release(&links);
        sf_strbuf_release(&script);
        free(path);
        test_dir_free(dir);
    }
}

/* Entries of a shared index stand in another file. */
static void test_shared(void **state)
{
    const char *dir = *state;
    char *path = test_path(dir, ".git/index");
    struct sf_strlist links = SF_STRLIST_INIT;

    free(tree_run(dir, "git init -q . && touch a && git add a && git update-index --split-index",
                  NULL));
    assert_false(read_index(path, &links, SIZE_MAX));
    assert_int_equal(links.count, 0);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_index, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unknown_index, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_large_directory, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hooks, setup, teardown),
        cmocka_unit_test(test_formats),
        cmocka_unit_test_setup_teardown(test_shared, test_dir_setup, test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
