/*
 * test_trust.c: given, bound to the policy files' bytes, taken away; many writers; a damaged list.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "config/config.h"
#include "io/io.h"
#include "support/store_case.h"
#include "support/test.h"

struct fixture {
    char *dir, *root, *list;
};

static int setup(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = sf_alloc(sizeof(*f));
    char *home;

    f->dir = test_dir_new();
    f->root = test_path(f->dir, "work");
    home = test_path(f->dir, "state");
    f->list = test_path(home, "trust.toml");
    setenv("SF_HOME", home, 1);
    free(home);
    *state = f;
    return sf_dir_make(f->root, 0755, &err) ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    test_dir_free(f->dir);
    free(f->root);
    free(f->list);
    free(f);
    unsetenv("SF_HOME");
    return 0;
}

static enum sf_trust_state check(const char *root)
{
    struct sf_error err = SF_ERROR_INIT;
    enum sf_trust_state state;

    if (!sf_trust_check(root, &state, &err))
        fail_msg("%s", err.msg);
    return state;
}

static void give(const char *root)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_trust_add(root, 1000, &err))
        fail_msg("%s", err.msg);
}

static void put(const struct fixture *f, const char *dir, const char *name, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    char *parent = test_path(f->root, dir), *path = test_path(parent, name);

    assert_true(sf_dir_make(parent, 0755, &err));
    test_write(path, text, strlen(text));
    free(parent);
    free(path);
}

static void test_life(void **state)
{
    const struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    bool found;

    assert_int_equal(check(f->root), SF_TRUST_NO);
    give(f->root);
    give(f->root);
    assert_int_equal(check(f->root), SF_TRUST_YES);
    assert_true(sf_trust_remove(f->root, &found, &err));
    assert_true(found);
    assert_int_equal(check(f->root), SF_TRUST_NO);
    assert_true(sf_trust_remove(f->root, &found, &err));
    assert_false(found);
}

/* A policy file that appears, changes by one byte, is renamed or goes: trust is asked again. */
static void test_bound_to_bytes(void **state)
{
    static const struct {
        const char *name, *dir, *file, *before, *after;
    } changes[] = {
        { "one byte of the settings", ".sf", "config.toml", "a = 1\n", "a = 2\n" },
        { "settings that were not there", ".sf", "config.toml", NULL, "" },
        { "a new mode", ".sf/modes", "x.md", NULL, "x" },
        { "a deep skill", ".agents/skills/s/scripts", "run", "a", "b" },
        { "kibitzer's settings", ".kibitzer", "config.toml", "", "x = 1" },
        { "server list", ".", ".mcp.json", "{}", "{ }" },
    };
    struct fixture *f;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(changes); i++) {
        void *fresh;

        setup(&fresh);
        f = fresh;
        if (changes[i].before)
            put(f, changes[i].dir, changes[i].file, changes[i].before);
        give(f->root);
        assert_int_equal(check(f->root), SF_TRUST_YES);
        put(f, changes[i].dir, changes[i].file, changes[i].after);
        if (check(f->root) != SF_TRUST_CHANGED)
            fail_msg("%s goes unnoticed", changes[i].name);
        put(f, "src", "ordinary.c", "int x;");
        give(f->root);
        put(f, "src", "ordinary.c", "int y;");
        assert_int_equal(check(f->root), SF_TRUST_YES);
        teardown(&fresh);
    }
}

/* What cannot be read trusts nobody, and is not overwritten. */
static void test_damaged_list(void **state)
{
    const struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    enum sf_trust_state is = SF_TRUST_YES;
    char *text;

    give(f->root);
    test_write(f->list, "[[workspace]\npath", 17);
    assert_false(sf_trust_check(f->root, &is, &err));
    assert_int_equal(is, SF_TRUST_NO);
    assert_int_equal(err.code, SF_E_DAMAGED);
    assert_non_null(strstr(err.msg, "trust.toml:1:"));
    assert_false(sf_trust_add(f->root, 0, &err));
    text = test_read(f->list, NULL);
    assert_string_equal(text, "[[workspace]\npath");
    free(text);
}

static void count_entry(void *ctx, const struct sf_trust_entry *entry)
{
    (void)entry;
    ++*(size_t *)ctx;
}

/* Ten processes at once: nobody's entry is lost. */
static void test_many_writers(void **state)
{
    const struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    enum { WRITERS = 10, EACH = 10 };
    size_t count = 0;

    for (int p = 0; p < WRITERS; p++) {
        pid_t pid = fork();

        assert_true(pid >= 0);
        if (pid)
            continue;
        for (int i = 0; i < EACH; i++) {
            char root[64];

            snprintf(root, sizeof(root), "/nowhere/%d/%d", p, i);
            if (!sf_trust_add(root, 0, &err))
                _exit(1);
        }
        _exit(0);
    }
    for (int p = 0; p < WRITERS; p++) {
        int status;

        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_true(sf_trust_each(count_entry, &count, &err));
    assert_int_equal(count, WRITERS * EACH);
    (void)f;
}

static void test_home_and_root_are_refused(void **state)
{
    const struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *home = getenv("HOME") ? sf_strdup(getenv("HOME")) : NULL;

    assert_false(sf_trust_add("/", 0, &err));
    setenv("HOME", f->root, 1);
    assert_false(sf_trust_add(f->root, 0, &err));
    assert_non_null(strstr(err.msg, "too wide"));
    if (home)
        setenv("HOME", home, 1);
    else
        unsetenv("HOME");
    free(home);
}

static void test_path_with_quotes(void **state)
{
    const struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *odd = test_path(f->dir, "a \"b\"\n\\[x]");

    assert_true(sf_dir_make(odd, 0755, &err));
    give(odd);
    assert_int_equal(check(odd), SF_TRUST_YES);
    assert_int_equal(check(f->root), SF_TRUST_NO);
    free(odd);
}

static void look(const struct fixture *f, struct sf_trust_view *view)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_trust_look(f->root, view, &err))
        fail_msg("%s", err.msg);
}

static bool has(const struct sf_strlist *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], text))
            return true;
    return false;
}

/* What there is to ask about, and afterwards which of it is not as it was. */
static void test_says_what_changed(void **state)
{
    const struct fixture *f = *state;
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    char *gone = test_path(f->root, ".mcp.json");

    look(f, &view);
    assert_int_equal(view.files.count, 0);
    put(f, ".sf", "config.toml", "a = 1\n");
    put(f, ".sf/hooks", "quote\" and\nline", "x");
    put(f, "", ".mcp.json", "{}");
    give(f->root);
    look(f, &view);
    assert_int_equal(view.state, SF_TRUST_YES);
    assert_int_equal(view.files.count, 3);
    assert_true(has(&view.files, ".sf/config.toml"));
    assert_int_equal(view.changes.count, 0);
    put(f, ".sf", "config.toml", "a = 2\n");
    put(f, ".sf/commands", "deploy.md", "x");
    assert_int_equal(unlink(gone), 0);
    look(f, &view);
    assert_int_equal(view.state, SF_TRUST_CHANGED);
    assert_int_equal(view.changes.count, 3);
    assert_true(has(&view.changes, "changed .sf/config.toml"));
    assert_true(has(&view.changes, "new .sf/commands/deploy.md"));
    assert_true(has(&view.changes, "gone .mcp.json"));
    sf_trust_view_release(&view);
    free(gone);
}

/* Names a list cannot hold are not listed, and change the digest all the same. */
static void test_nameless_file(void **state)
{
    const struct fixture *f = *state;
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;

    put(f, ".sf/hooks", "\xff\xfe", "x");
    give(f->root);
    look(f, &view);
    assert_int_equal(view.state, SF_TRUST_YES);
    assert_int_equal(view.files.count, 0);
    put(f, ".sf/hooks", "\xff\xfe", "y");
    look(f, &view);
    assert_int_equal(view.state, SF_TRUST_CHANGED);
    sf_trust_view_release(&view);
}

static void test_never(void **state)
{
    const struct fixture *f = *state;
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool found;

    give("/elsewhere");
    give(f->root);
    assert_true(sf_trust_never(f->root, &err));
    look(f, &view);
    assert_true(view.never);
    assert_int_equal(view.state, SF_TRUST_NO);
    assert_true(sf_trust_never("/third", &err));
    look(f, &view);
    assert_true(view.never); /* other answers keep this one */
    assert_int_equal(check("/elsewhere"), SF_TRUST_YES);
    give(f->root);
    look(f, &view);
    assert_false(view.never);
    assert_int_equal(view.state, SF_TRUST_YES);
    assert_true(sf_trust_never(f->root, &err) && sf_trust_remove(f->root, &found, &err));
    look(f, &view);
    assert_false(view.never);
    sf_trust_view_release(&view);
}

/* Trust is in what was seen: files that change under the question are not trusted by it. */
static void test_bound_to_what_was_seen(void **state)
{
    const struct fixture *f = *state;
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    struct sf_error err = SF_ERROR_INIT;

    put(f, ".sf", "config.toml", "a = 1\n");
    look(f, &view);
    put(f, ".sf", "config.toml", "a = 2\n");
    assert_false(sf_trust_add_seen(f->root, view.digest, 1000, &err));
    assert_non_null(strstr(err.msg, "changed while you were asked"));
    assert_int_equal(check(f->root), SF_TRUST_NO);
    look(f, &view);
    assert_true(sf_trust_add_seen(f->root, view.digest, 1000, &err));
    assert_int_equal(check(f->root), SF_TRUST_YES);
    sf_trust_view_release(&view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_life, setup, teardown),
        cmocka_unit_test(test_bound_to_bytes),
        cmocka_unit_test_setup_teardown(test_damaged_list, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_writers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_home_and_root_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_path_with_quotes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_says_what_changed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nameless_file, setup, teardown),
        cmocka_unit_test_setup_teardown(test_never, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bound_to_what_was_seen, setup, teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("trust", tests, NULL, NULL);
}
