/*
 * test_place.c: where paths lead in a tree full of links, what is refused and in which words, and
 * what can be a workspace.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/place_case.h"
#include "support/test.h"

static const struct {
    const char *name, *path;
    enum sf_place_want want;
    bool inside;
    const char *real; /* outside: below the directory above the workspace */
    enum sf_place_kind kind;
    const char *missing;
} leads[] = {
    { "a plain file", "src/a.c", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE, "" },
    { "noise", ".//src/.///./a.c", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE, "" },
    { "down and up", "src/sub/../a.c", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE, "" },
    { "out and in by name", "../ws/src/a.c", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE, "" },
    { "absolute", "@/ws/src/a.c", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE, "" },
    { "an alias of the workspace", "@/alias/src/a.c", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE,
      "" },
    { "a link to the workspace", "home/home/src/a.c", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE,
      "" },
    { "a link to a file", "link", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE, "" },
    { "a link as a name", "link", SF_WANT_NAME, true, "link", SF_PLACE_LINK, "" },
    { "a link out as a name", "dangling", SF_WANT_NAME, true, "dangling", SF_PLACE_LINK, "" },
    { "a link to a directory", "src/cur/x", SF_WANT_FILE, true, "src/sub/x", SF_PLACE_NOTHING, "" },
    { ".. behind a link is physical", "src/cur/../a.c", SF_WANT_FILE, true, "src/a.c",
      SF_PLACE_FILE, "" },
    { "a link upwards", "src/up/src/up/link", SF_WANT_FILE, true, "src/a.c", SF_PLACE_FILE, "" },
    { "missing directories", "src/x/y/z.c", SF_WANT_FILE, true, "src/x/y/z.c", SF_PLACE_NOTHING,
      "x/y" },
    { "noise in what is missing", "src/x/./y//z.c", SF_WANT_FILE, true, "src/x/y/z.c",
      SF_PLACE_NOTHING, "x/y" },
    { "the workspace", ".", SF_WANT_DIR, true, "", SF_PLACE_DIR, "" },
    { "the workspace from below", "src/..", SF_WANT_DIR, true, "", SF_PLACE_DIR, "" },
    { "a directory with a slash", "src/sub/", SF_WANT_DIR, true, "src/sub", SF_PLACE_DIR, "" },
    { "three dots are a name", "src/...", SF_WANT_FILE, true, "src/...", SF_PLACE_NOTHING, "" },
    { "a backslash is a name", "src\\..\\x", SF_WANT_FILE, true, "src\\..\\x", SF_PLACE_NOTHING,
      "" },
    { "above", "../x", SF_WANT_FILE, false, "/x", SF_PLACE_NOTHING, "" },
    { "above by a link", "out/a.c", SF_WANT_FILE, false, "/out/a.c", SF_PLACE_FILE, "" },
    { "above by .. behind a link", "out/../x", SF_WANT_FILE, false, "/x", SF_PLACE_NOTHING, "" },
    { "a link to nothing yet", "dangling", SF_WANT_FILE, false, "/out/new", SF_PLACE_NOTHING, "" },
    { "a sibling with a longer name", "@/ws-evil", SF_WANT_FILE, false, "/ws-evil",
      SF_PLACE_NOTHING, "" },
    { "missing directories outside", "out/d/e/x", SF_WANT_FILE, false, "/out/d/e/x",
      SF_PLACE_NOTHING, "d/e" },
};

static void test_leads(void **state)
{
    struct place_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(leads); i++) {
        const char *real;

        place_found(f, leads[i].path, leads[i].want);
        real = f->place.real;
        if (!f->place.inside)
            real += strncmp(real, f->top, strlen(f->top)) ? 0 : strlen(f->top);
        if (f->place.inside != leads[i].inside || strcmp(real, leads[i].real) != 0 ||
            f->place.kind != leads[i].kind || strcmp(f->place.missing, leads[i].missing) != 0)
            fail_msg("%s: inside %d, %s, kind %d, missing %s", leads[i].name, f->place.inside,
                     f->place.real, (int)f->place.kind, f->place.missing);
    }
}

static const struct {
    const char *name, *path;
    enum sf_place_want want;
    enum sf_errc code;
    const char *words;
} refused[] = {
    { "nothing", "", SF_WANT_FILE, SF_E_ARG, "empty" },
    { "a newline", "src/a\n.c", SF_WANT_FILE, SF_E_ARG, "control character" },
    { "an escape", "src/\033[2J", SF_WANT_FILE, SF_E_ARG, "control character" },
    { "a C1 control", "src/\xc2\x9b", SF_WANT_FILE, SF_E_ARG, "control character" },
    { "text from right to left", "src/\xe2\x80\xaeth.c", SF_WANT_FILE, SF_E_ARG,
      "control character" },
    { "a surrogate", "src/\xed\xa0\x80", SF_WANT_FILE, SF_E_ARG, "UTF-8" },
    { "a loop", "loop", SF_WANT_FILE, SF_E_ARG, "too many levels" },
    { "a loop on the way", "loop/x", SF_WANT_FILE, SF_E_ARG, "too many levels" },
    { "a slash behind a file", "src/a.c/", SF_WANT_FILE, SF_E_ARG, "not a directory" },
    { "a dot behind a file", "src/a.c/.", SF_WANT_FILE, SF_E_ARG, "not a directory" },
    { "below a file", "src/a.c/x", SF_WANT_FILE, SF_E_ARG, "not a directory" },
    { "up from a file", "src/a.c/../a.c", SF_WANT_FILE, SF_E_ARG, "not a directory" },
    { "a directory", "src", SF_WANT_FILE, SF_E_ARG, "a directory" },
    { "a directory that is missing", "src/new/", SF_WANT_FILE, SF_E_NOENT, "no directory" },
    { "the same by a dot", "src/new/.", SF_WANT_FILE, SF_E_NOENT, "no directory" },
    { "up from what is missing", "src/new/../a.c", SF_WANT_FILE, SF_E_NOENT, "go up" },
    { "a FIFO", "fifo", SF_WANT_FILE, SF_E_ARG, "a FIFO" },
    { "a socket", "sock", SF_WANT_ANY, SF_E_ARG, "a socket" },
    { "a device", "/dev/null", SF_WANT_FILE, SF_E_ARG, "a device" },
    { "a descriptor", "/dev/fd/1", SF_WANT_FILE, SF_E_ARG, "/proc" },
    { "the root of a process", "/proc/self/root/etc/passwd", SF_WANT_FILE, SF_E_ARG, "/proc" },
    { "the directory of a process", "/proc/1/cwd/x", SF_WANT_FILE, SF_E_ARG, "/proc" },
    { "the same by a link inside", "magic/src/a.c", SF_WANT_FILE, SF_E_ARG, "/proc" },
    { "a file as a directory", "src/a.c", SF_WANT_DIR, SF_E_ARG, "not a directory" },
    { "no directory to stand in", "nowhere", SF_WANT_DIR, SF_E_NOENT, "not there" },
    { "a directory to remove", "src", SF_WANT_NAME, SF_E_ARG, "a directory" },
};

static void test_refused(void **state)
{
    struct place_case *f = *state;

    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_error err = SF_ERROR_INIT;
        bool ok = place_find(f, refused[i].path, refused[i].want, &err);

        if (ok || err.code != refused[i].code || !strstr(err.msg, refused[i].words))
            fail_msg("%s: ok %d, code %d, %s", refused[i].name, ok, (int)err.code, err.msg);
        assert_int_equal(f->place.dir, -1);
    }
}

static void test_nul_and_lengths(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    bool nul, part, whole;

    nul = sf_place_resolve(&f->root, "src/a.c\0.txt", 12, SF_WANT_FILE, &f->place, &err);
    assert_non_null(strstr(err.msg, "NUL"));
    sf_strbuf_fill(&sb, 'a', NAME_MAX + 1);
    part = sf_place_resolve(&f->root, sb.buf, sb.len, SF_WANT_FILE, &f->place, &err);
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_reset(&sb);
    while (sb.len <= SF_PLACE_PATH_MAX)
        sf_strbuf_adds(&sb, "src/../");
    whole = sf_place_resolve(&f->root, sb.buf, sb.len, SF_WANT_DIR, &f->place, &err);
    sf_strbuf_release(&sb);
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_false(nul || part || whole);
}

static void test_roots(void **state)
{
    struct sf_place_root root = SF_PLACE_ROOT_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;
    char *file = test_path(f->top, "ws/src/a.c"), *alias = test_path(f->top, "alias");
    bool on_file = sf_place_root_open(&root, file, &err), by_alias;

    by_alias = sf_place_root_open(&root, alias, &err) && !strcmp(root.path, f->root.path);
    sf_place_root_close(&root);
    free(file);
    free(alias);
    assert_false(on_file);
    assert_true(by_alias);
    assert_false(sf_place_root_open(&root, "/nowhere/at/all", &err));
    assert_int_equal(err.code, SF_E_NOENT);
}

static void test_whole_system_as_workspace(void **state)
{
    struct sf_place_root root = SF_PLACE_ROOT_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;
    bool ok = sf_place_root_open(&root, "/", &err) &&
              sf_place_resolve(&root, "../../etc/passwd", 16, SF_WANT_FILE, &f->other, &err) &&
              f->other.inside && !strcmp(f->other.real, "etc/passwd");

    sf_place_release(&f->other);
    sf_place_root_close(&root);
    assert_true(ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TREE(test_leads),
        WITH_TREE(test_refused),
        WITH_TREE(test_nul_and_lengths),
        WITH_TREE(test_roots),
        WITH_TREE(test_whole_system_as_workspace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
