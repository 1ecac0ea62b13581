/* AGENTS.md and its like: the chain, the ceilings, and links that must not be followed. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "session/session.h"
#include "support/test.h"

struct fixture {
    char *dir, *root;
    struct sf_policy_context policy;
    struct sf_strbuf text;
    struct sf_strlist notes;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    f->dir = test_dir_new();
    f->root = test_path(f->dir, "work");
    mkdir(f->root, 0755);
    f->policy.root = (struct sf_place_root)SF_PLACE_ROOT_INIT;
    assert_true(sf_place_root_open(&f->policy.root, f->root, &err));
    f->policy.places.root = f->policy.root.path;
    sf_strbuf_init(&f->text);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_place_root_close(&f->policy.root);
    sf_strbuf_release(&f->text);
    sf_strlist_release(&f->notes);
    test_dir_free(f->dir);
    free(f->root);
    free(f);
    return 0;
}

static void put(struct fixture *f, const char *name, const char *text)
{
    char *path = test_path(f->dir, name);
    struct sf_error err = SF_ERROR_INIT;
    char *slash = strrchr(path, '/');

    *slash = '\0';
    assert_true(sf_dir_make(path, 0755, &err));
    *slash = '/';
    test_write(path, text, strlen(text));
    free(path);
}

static const char *read_all(struct fixture *f, const char *below)
{
    struct sf_instructions_request request = { .policy = &f->policy, .below = below };
    char *user = test_path(f->dir, "user"), *own = test_path(f->dir, "state");
    struct sf_instructions found = SF_INSTRUCTIONS_INIT;

    request.user_dir = user;
    request.state_dir = own;
    sf_instructions_read(&request, &found, &f->notes);
    sf_instructions_add(&found, &f->text);
    sf_instructions_release(&found);
    free(user);
    free(own);
    return f->text.buf;
}

static void test_nothing(void **state)
{
    assert_string_equal(read_all(*state, ""), "");
}

static void test_chain(void **state)
{
    struct fixture *f = *state;

    put(f, "user/AGENTS.md", "mine");
    put(f, "user/memory.md", "- for all");
    put(f, "state/memory.md", "- noted");
    put(f, "work/AGENTS.md", "root");
    put(f, "work/CLAUDE.md", "not read beside the other");
    put(f, "work/a/CLAUDE.md", "in a");
    put(f, "work/a/b/AGENTS.md", "in b\n");
    put(f, "work/c/AGENTS.md", "elsewhere");
    assert_string_equal(read_all(f, "a/b"),
                        "\n## AGENTS.md (yours)\nmine\n"
                        "\n## Memory of the user, for all projects\n- for all\n"
                        "\n## Memory of earlier sessions\n- noted\n"
                        "\n## AGENTS.md\nroot\n\n## a/CLAUDE.md\nin a\n\n## a/b/AGENTS.md\nin b\n");
    assert_int_equal(f->notes.count, 0);
}

/* A repository that links its instructions to a secret gets neither the secret nor silence. */
static void test_links(void **state)
{
    struct fixture *f = *state;
    char *link = test_path(f->dir, "work/AGENTS.md"),
         *other = test_path(f->dir, "work/x/AGENTS.md");

    put(f, "secret", "the key");
    put(f, "work/.env", "TOKEN=1");
    put(f, "work/x/y", "");
    assert_int_equal(symlink("../secret", link), 0);
    assert_int_equal(symlink("../.env", other), 0);
    assert_string_equal(read_all(f, "x"), "");
    assert_int_equal(f->notes.count, 2);
    assert_string_equal(f->notes.items[0], "AGENTS.md is not read: it leads out of the workspace");
    assert_string_equal(f->notes.items[1], "x/AGENTS.md is not read: it may hold secrets");
    free(link);
    link = test_path(f->dir, "state/memory.md");
    put(f, "state/x", "");
    assert_int_equal(symlink("../secret", link), 0);
    assert_string_equal(read_all(f, ""), "");
    assert_non_null(strstr(f->notes.items[2], "is a link, which is not followed"));
    free(link);
    free(other);
}

static void test_ceilings(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf big = SF_STRBUF_INIT;

    while (big.len < 60000)
        sf_strbuf_adds(&big, "ä");
    put(f, "work/AGENTS.md", big.buf);
    put(f, "work/a/AGENTS.md", "\033]0;evil\007 text");
    read_all(f, "a");
    assert_true(f->text.len < 40000);
    assert_int_equal(f->notes.count, 1);
    assert_null(strchr(f->text.buf, '\033'));
    assert_true(sf_utf8_valid(f->text.buf, f->text.len, NULL));
    sf_strbuf_release(&big);
}

/* However large a file is, its beginning is given, and that it is no more than that is said. */
static void test_large(void **state)
{
    static const size_t sizes[] = { SF_INSTRUCTIONS_EACH, SF_INSTRUCTIONS_EACH + 1, 60000, 180000,
                                    3000000 };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(sizes); i++) {
        char *text = sf_alloc(sizes[i] + 1);
        bool cut = sizes[i] > SF_INSTRUCTIONS_EACH;

        memset(text, 'x', sizes[i]);
        put(f, "work/AGENTS.md", text);
        put(f, "state/memory.md", text);
        sf_strbuf_reset(&f->text);
        sf_strlist_release(&f->notes);
        read_all(f, "");
        assert_int_equal(f->notes.count, cut ? 2 : 0);
        if (cut)
            assert_string_equal(f->notes.items[1],
                                "AGENTS.md is long: only its first 32768 bytes are given to the "
                                "model");
        assert_in_range(f->text.len, 2 * SF_INSTRUCTIONS_EACH, 2 * SF_INSTRUCTIONS_EACH + 100);
        free(text);
    }
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_nothing),  CASE(test_chain), CASE(test_links),
        CASE(test_ceilings), CASE(test_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
