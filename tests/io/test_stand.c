/*
 * test_stand.c: the same path seen from the root of the workspace and from where one stands.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

static const struct {
    const char *name, *stand, *path, *want;
} resolved[] = {
    { "at the root", "", "src/a.c", "src/a.c" },
    { "the root itself", "", ".", "." },
    { "plain", "src/app", "a.c", "src/app/a.c" },
    { "here", "src/app", ".", "src/app" },
    { "here, in detail", "src/app", "./././a.c", "src/app/a.c" },
    { "doubled slashes", "src/app", "x//y/./z", "src/app/x/y/z" },
    { "one up", "src/app", "..", "src" },
    { "beside", "src/app", "../lib/x.c", "src/lib/x.c" },
    { "up to the root", "src/app", "../..", "." },
    { "out of the root", "src/app", "../../../x", "../x" },
    { "far out", "src", "../../../x", "../../x" },
    { "out and back by name", "src", "../../ws/x", "../ws/x" },
    { "up, a dot, up", "src/app", ".././../x", "x" },
    { "a .. behind a name may leave a link", "src", "link/../x", "src/link/../x" },
    { "a .. behind a name behind a ..", "src/app", "../link/../x", "src/link/../x" },
    { "a slash at the end", "src", "dir/", "src/dir/" },
    { "a dot at the end", "src", "link/.", "src/link/." },
    { "up with a slash at the end", "src", "../", "." },
    { "absolute, inside", "src/app", "/ws/lib/x.c", "lib/x.c" },
    { "absolute, the root", "src/app", "/ws", "." },
    { "absolute, the root with a slash", "src/app", "/ws/", "." },
    { "absolute, with noise", "src/app", "/ws/./lib//x.c", "lib/x.c" },
    { "absolute, out by ..", "src/app", "/ws/../x", "../x" },
    { "absolute, outside", "src/app", "/etc/passwd", "/etc/passwd" },
    { "absolute, a sibling with a longer name", "src", "/ws-evil/x", "/ws-evil/x" },
    { "three dots are a name", "src", ".../x", "src/.../x" },
    { "a tilde is a name", "src", "~/x", "src/~/x" },
};

static void test_resolves(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(resolved); i++) {
        char *got = sf_stand_resolve("/ws", resolved[i].stand, resolved[i].path);

        if (strcmp(got, resolved[i].want) != 0)
            fail_msg("%s: %s from %s is %s, not %s", resolved[i].name, resolved[i].path,
                     resolved[i].stand, got, resolved[i].want);
        free(got);
    }
}

static void test_the_whole_system_is_a_root_too(void **state)
{
    char *got = sf_stand_resolve("/", "etc", "/usr/x");

    (void)state;
    assert_string_equal(got, "usr/x");
    free(got);
}

static const struct {
    const char *name, *stand, *path, *want;
} spelled[] = {
    { "at the root", "", "src/a.c", "src/a.c" },
    { "below", "src/app", "src/app/a.c", "a.c" },
    { "deep below", "src", "src/app/a.c", "app/a.c" },
    { "beside", "src/app", "src/lib/x.c", "../lib/x.c" },
    { "at the other end", "src/app", "README.md", "../../README.md" },
    { "a longer name", "src/app", "src/apple", "../apple" },
    { "a shorter name", "src/apple", "src/app", "../app" },
    { "itself", "src/app", "src/app", "." },
    { "above", "src/app", "src", ".." },
    { "the root", "src/app", "", "../.." },
    { "the root from the root", "", "", "." },
};

/* What is spelled resolves to where it came from. */
static void test_spells(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(spelled); i++) {
        struct sf_strbuf got = SF_STRBUF_INIT;
        char *back;

        sf_stand_spell(&got, spelled[i].stand, spelled[i].path);
        back = sf_stand_resolve("/ws", spelled[i].stand, got.buf);
        if (strcmp(got.buf, spelled[i].want) != 0 ||
            strcmp(back, *spelled[i].path ? spelled[i].path : ".") != 0)
            fail_msg("%s: %s, and back %s", spelled[i].name, got.buf, back);
        free(back);
        sf_strbuf_release(&got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resolves),
        cmocka_unit_test(test_the_whole_system_is_a_root_too),
        cmocka_unit_test(test_spells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
