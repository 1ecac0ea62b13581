/*
 * Places: where paths lead in a tree full of links, what is refused and in which words, and that
 * deeds through the handle touch what was looked at or nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/snapshot.h"
#include "support/swapper.h"
#include "support/test.h"

/* The tree of most tests: TOP/ws is the workspace, TOP/out lies beside it. */
struct fixture {
    char *top, *ws;
    struct sf_place_root root;
    struct sf_place place, other;
    struct sf_strlist before, after;
};

static void put(const struct fixture *f, const char *name, const char *text)
{
    char *path = test_path(f->top, name);

    test_write(path, text, strlen(text));
    free(path);
}

static void make(const struct fixture *f, const char *name, mode_t mode)
{
    char *path = test_path(f->top, name);

    assert_int_equal(mkdir(path, mode), 0);
    free(path);
}

static void tie(const struct fixture *f, const char *name, const char *target)
{
    char *path = test_path(f->top, name);

    assert_int_equal(symlink(target, path), 0);
    free(path);
}

static void tie_to(const struct fixture *f, const char *name, const char *target)
{
    char *path = test_path(f->top, target);

    tie(f, name, path);
    free(path);
}

static void carry(const struct fixture *f, const char *from, const char *to)
{
    char *a = test_path(f->top, from), *b = test_path(f->top, to);

    assert_int_equal(rename(a, b), 0);
    free(a);
    free(b);
}

static void expect(const struct fixture *f, const char *name, const char *want)
{
    char *path = test_path(f->top, name), *text = test_read(path, NULL);
    bool same = !strcmp(text, want);

    free(text);
    free(path);
    if (!same)
        fail_msg("%s does not hold \"%s\"", name, want);
}

static bool there(const struct fixture *f, const char *name)
{
    char *path = test_path(f->top, name);
    struct stat st;
    bool found = lstat(path, &st) == 0;

    free(path);
    return found;
}

static void make_special(const struct fixture *f)
{
    char *fifo = test_path(f->top, "ws/fifo"), *sock = test_path(f->top, "ws/sock");
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_true(fd >= 0 && strlen(sock) < sizeof(addr.sun_path));
    memcpy(addr.sun_path, sock, strlen(sock) + 1);
    assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
    close(fd);
    free(fifo);
    free(sock);
}

/* tmpfs where there is one: the races below write ten thousand times, each with its syncs. */
static char *fast_dir(void)
{
    char *dir = sf_strdup("/dev/shm/sf-test-XXXXXX");

    if (mkdtemp(dir))
        return dir;
    free(dir);
    return test_dir_new();
}

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    f->place = f->other = (struct sf_place)SF_PLACE_INIT;
    f->top = fast_dir();
    f->ws = test_path(f->top, "ws");
    make(f, "ws", 0755);
    make(f, "out", 0755);
    make(f, "ws/src", 0755);
    make(f, "ws/src/sub", 0755);
    put(f, "ws/src/a.c", "old");
    put(f, "out/a.c", "theirs");
    tie(f, "ws/src/cur", "sub");
    tie(f, "ws/src/up", "..");
    tie(f, "ws/link", "src/a.c");
    tie_to(f, "ws/out", "out");
    tie_to(f, "ws/dangling", "out/new");
    tie_to(f, "alias", "ws");
    tie_to(f, "ws/home", "ws");
    tie(f, "ws/loop", "pool");
    tie(f, "ws/pool", "loop");
    tie(f, "ws/magic", "/proc/self/cwd");
    make_special(f);
    if (!sf_place_root_open(&f->root, f->ws, &err))
        fail_msg("%s", err.msg);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_place_release(&f->place);
    sf_place_release(&f->other);
    sf_place_root_close(&f->root);
    sf_strlist_release(&f->before);
    sf_strlist_release(&f->after);
    free(f->ws);
    test_dir_free(f->top);
    free(f);
    return 0;
}

static bool find(struct fixture *f, const char *path, enum sf_place_want want, struct sf_error *err)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    bool ok;

    /* "@" is the directory above the workspace. */
    if (*path == '@')
        sf_strbuf_adds(&sb, f->top);
    sf_strbuf_adds(&sb, path + (*path == '@'));
    sf_place_release(&f->place);
    ok = sf_place_resolve(&f->root, sb.buf, sb.len, want, &f->place, err);
    sf_strbuf_release(&sb);
    return ok;
}

static void found(struct fixture *f, const char *path, enum sf_place_want want)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!find(f, path, want, &err))
        fail_msg("%s: %s", path, err.msg);
}

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
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(leads); i++) {
        const char *real;

        found(f, leads[i].path, leads[i].want);
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
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct sf_error err = SF_ERROR_INIT;
        bool ok = find(f, refused[i].path, refused[i].want, &err);

        if (ok || err.code != refused[i].code || !strstr(err.msg, refused[i].words))
            fail_msg("%s: ok %d, code %d, %s", refused[i].name, ok, (int)err.code, err.msg);
        assert_int_equal(f->place.dir, -1);
    }
}

static void test_nul_and_lengths(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;
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

static void test_remembers_the_names_on_the_way(void **state)
{
    struct fixture *f = *state;

    tie(f, "ws/.sf", "src/cur");
    found(f, ".sf/config.toml", SF_WANT_FILE);
    assert_string_equal(f->place.real, "src/sub/config.toml");
    assert_int_equal(f->place.via.count, 2);
    assert_string_equal(f->place.via.items[0], ".sf/config.toml");
    assert_string_equal(f->place.via.items[1], "src/cur/config.toml");
}

static void test_sees_a_git_directory_by_its_shape(void **state)
{
    struct fixture *f = *state;

    make(f, "ws/src/objects", 0755);
    found(f, "src/config", SF_WANT_FILE);
    assert_false(f->place.git_dir);
    put(f, "ws/src/HEAD", "ref: refs/heads/main\n");
    found(f, "src/config", SF_WANT_FILE);
    assert_false(f->place.git_dir);
    found(f, "src/refs/heads/main", SF_WANT_FILE);
    assert_true(f->place.git_dir);
    make(f, "ws/src/refs", 0755);
    found(f, "src/config", SF_WANT_FILE);
    assert_true(f->place.git_dir);
    found(f, "src/hooks/pre-commit", SF_WANT_FILE);
    assert_true(f->place.git_dir);
    found(f, "src/a.c", SF_WANT_FILE);
    assert_false(f->place.git_dir);
}

static bool replace(struct fixture *f, const char *text, struct sf_error *err)
{
    return sf_place_replace(&f->place, text, strlen(text), err);
}

static void test_replaces_through_the_handle(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;
    char *path = test_path(f->top, "ws/src/a.c"), *second = test_path(f->top, "out/hard");
    struct stat st;

    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(link(path, second), 0);
    found(f, "link", SF_WANT_FILE);
    assert_int_equal(f->place.st.st_nlink, 2);
    assert_true(replace(f, "new", &err));
    assert_true(replace(f, "newer", &err)); /* the place stands for the new file now */
    assert_int_equal(stat(path, &st), 0);
    free(path);
    free(second);
    assert_int_equal(st.st_mode & 07777, 0640);
    expect(f, "ws/src/a.c", "newer");
    expect(f, "out/hard", "old"); /* the other name keeps the old bytes */
    snapshot_take(f->top, &f->after);
    for (size_t i = 0; i < f->after.count; i++)
        assert_null(strstr(f->after.items[i], ".sf-tmp"));
}

static void swap_for_link(const struct fixture *f)
{
    carry(f, "ws/src", "ws/s2");
    tie_to(f, "ws/src", "out");
}

static void move_out(const struct fixture *f)
{
    carry(f, "ws/src", "out/src");
}

static void move_inside(const struct fixture *f)
{
    carry(f, "ws/src", "ws/elsewhere");
}

static void other_directory(const struct fixture *f)
{
    carry(f, "ws/src", "ws/s2");
    make(f, "ws/src", 0755);
    put(f, "ws/src/a.c", "old");
}

static void file_to_link(const struct fixture *f)
{
    carry(f, "ws/src/a.c", "ws/src/b.c");
    tie_to(f, "ws/src/a.c", "out/a.c");
}

static void edit(const struct fixture *f)
{
    put(f, "ws/src/a.c", "the user's");
}

static void other_file(const struct fixture *f)
{
    put(f, "ws/src/b.c", "old");
    carry(f, "ws/src/b.c", "ws/src/a.c");
}

static void gone(const struct fixture *f)
{
    carry(f, "ws/src/a.c", "ws/src/b.c");
}

static const struct {
    const char *name;
    void (*happen)(const struct fixture *f);
} changes[] = {
    { "the directory became a link out", swap_for_link },
    { "the directory went out", move_out },
    { "the directory went elsewhere inside", move_inside },
    { "another directory has its name", other_directory },
    { "the file became a link out", file_to_link },
    { "the user edited it", edit },
    { "another file has its name", other_file },
    { "the file is gone", gone },
};

/* Every deed on an existing file, against every change since it was looked at. */
static void refuse_all(struct fixture *f, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    bool replaced = replace(f, "new", &err), busy = err.code == SF_E_BUSY;
    bool removed = sf_place_remove(&f->place, &err), moved;

    moved = sf_place_move(&f->place, &f->other, &err);
    if (replaced || removed || moved || !busy || err.code != SF_E_BUSY)
        fail_msg("%s: %d %d %d, %s", name, replaced, removed, moved, err.msg);
}

static void test_refuses_what_changed(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < SF_COUNT(changes); i++) {
        struct fixture *f;

        teardown(state);
        setup(state);
        f = *state;
        found(f, "src/a.c", SF_WANT_FILE);
        assert_true(sf_place_resolve(&f->root, "moved.c", 7, SF_WANT_FILE, &f->other, &err));
        changes[i].happen(f);
        snapshot_take(f->top, &f->before);
        refuse_all(f, changes[i].name);
        snapshot_take(f->top, &f->after);
        if (snapshot_lost(&f->before, &f->after) || f->before.count != f->after.count)
            fail_msg("%s: something changed", changes[i].name);
    }
}

static void test_creates_with_directories(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;

    found(f, "src/x/y/z.c", SF_WANT_FILE);
    assert_true(sf_place_create(&f->place, "text", 4, 0600, &err));
    expect(f, "ws/src/x/y/z.c", "text");
    assert_true(replace(f, "more", &err));
    expect(f, "ws/src/x/y/z.c", "more");
    found(f, "src/x/y/z.c", SF_WANT_FILE);
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_int_equal(err.code, SF_E_EXIST);
}

static void test_create_leaves_nothing_half_done(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;

    /* Somebody makes a link where a directory was to be made. */
    found(f, "src/x/y/z.c", SF_WANT_FILE);
    tie_to(f, "ws/src/x", "out");
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_false(there(f, "out/y"));

    /* Somebody makes the directories, and the file. */
    found(f, "src/p/q.c", SF_WANT_FILE);
    make(f, "ws/src/p", 0755);
    put(f, "ws/src/p/q.c", "faster");
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_int_equal(err.code, SF_E_EXIST);
    expect(f, "ws/src/p/q.c", "faster");

    /* The directory moves away: what was made goes again. */
    found(f, "src/sub/m/n/o.c", SF_WANT_FILE);
    carry(f, "ws/src/sub", "out/sub");
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_false(there(f, "out/sub/m"));
}

static void test_failed_create_takes_its_directories_back(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool ok;

    /* A name that cannot be: the kernel refuses it after the directories are there. */
    sf_strbuf_adds(&path, "src/d/e/");
    sf_strbuf_fill(&path, 'n', NAME_MAX);
    found(f, path.buf, SF_WANT_FILE);
    free(f->place.name);
    sf_strbuf_addch(&path, 'n');
    f->place.name = sf_strdup(path.buf + strlen("src/d/e/"));
    sf_strbuf_release(&path);
    ok = sf_place_create(&f->place, "text", 4, 0600, &err);
    assert_false(ok);
    assert_false(there(f, "ws/src/d"));
}

static void test_heeds_missing_write_bits(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;
    char *path = test_path(f->top, "ws/src/a.c"), *dir = test_path(f->top, "ws/ro");

    assert_int_equal(chmod(path, 0444), 0);
    make(f, "ws/ro", 0555);
    found(f, "src/a.c", SF_WANT_FILE);
    assert_false(replace(f, "new", &err));
    assert_int_equal(err.code, SF_E_READONLY);
    found(f, "ro/x", SF_WANT_FILE);
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_int_equal(err.code, SF_E_READONLY);
    assert_non_null(strstr(err.msg, "permission denied"));
    free(path);
    free(dir);
}

static void test_removes_names_only(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;

    found(f, "link", SF_WANT_NAME);
    assert_true(sf_place_remove(&f->place, &err));
    assert_false(there(f, "ws/link"));
    expect(f, "ws/src/a.c", "old");
    assert_false(sf_place_remove(&f->place, &err));
    assert_int_equal(err.code, SF_E_NOENT);
}

static void test_moves_files(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;

    found(f, "src/a.c", SF_WANT_NAME);
    assert_true(sf_place_resolve(&f->root, "docs/new/a.c", 12, SF_WANT_FILE, &f->other, &err));
    assert_true(sf_place_move(&f->place, &f->other, &err));
    expect(f, "ws/docs/new/a.c", "old");
    assert_false(there(f, "ws/src/a.c"));
    put(f, "ws/src/b.c", "b");
    found(f, "src/b.c", SF_WANT_NAME);
    assert_false(sf_place_move(&f->place, &f->other, &err));
    assert_int_equal(err.code, SF_E_EXIST);
}

static void test_reads_what_was_seen(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct fixture *f = *state;
    bool ok;

    found(f, "link", SF_WANT_FILE);
    ok = sf_place_read(&f->place, 100, &text, &err) && !strcmp(text.buf, "old");
    file_to_link(f);
    ok = ok && !sf_place_read(&f->place, 100, &text, &err) && !strcmp(text.buf, "old");
    sf_strbuf_release(&text);
    assert_true(ok);
    assert_int_equal(err.code, SF_E_BUSY);
    found(f, "src/nothing", SF_WANT_FILE);
    assert_int_equal(sf_place_open_read(&f->place, &err), -1);
    assert_int_equal(err.code, SF_E_NOENT);
}

enum { ATTEMPTS = 10000 };

/*
 * Ten thousand writes while names change hands: each lands in the directory that was judged, or
 * is refused. `path` is asked for each time; the file outside must stay as it is throughout.
 */
static void storm(struct fixture *f, const char *what, const char *path, const char *one,
                  const char *other)
{
    char *a = test_path(f->top, one), *b = test_path(f->top, other);
    struct swapper *swapper = swapper_start(a, b);
    unsigned i, landed = 0, refusals = 0, outside = 0;
    unsigned long swaps;

    /* On a busy machine the swapper may sleep for long: go on until both sides were met. */
    for (i = 0; i < ATTEMPTS || !landed || !refusals; i++) {
        struct sf_error err = SF_ERROR_INIT;
        char text[16];

        snprintf(text, sizeof(text), "%u", i);
        if (find(f, path, SF_WANT_FILE, &err) && f->place.inside && replace(f, text, &err))
            landed++;
        else
            refusals++;
        if (i % 64 == 0) {
            char *file = test_path(f->top, "out/a.c"), *now = test_read(file, NULL);

            outside += strcmp(now, "theirs") != 0;
            free(now);
            free(file);
        }
    }
    swaps = swapper_stop(swapper);
    free(a);
    free(b);
    printf("%s: %u attempts, %lu swaps, %u landed inside, %u refused, %u outside\n", what, i, swaps,
           landed, refusals, outside);
    expect(f, "out/a.c", "theirs");
    assert_int_equal(outside, 0);
}

static void test_link_flips(void **state)
{
    struct fixture *f = *state;

    make(f, "ws/good", 0755);
    put(f, "ws/good/a.c", "old");
    tie(f, "ws/flip", "good");
    tie_to(f, "ws/flop", "out");
    snapshot_take(f->top, &f->before);
    storm(f, "a link that flips", "flip/a.c", "ws/flip", "ws/flop");
    expect(f, "ws/src/a.c", "old");
}

static void test_directory_swapped_for_link(void **state)
{
    struct fixture *f = *state;

    tie_to(f, "ws/evil", "out");
    storm(f, "a directory swapped for a link", "src/a.c", "ws/src", "ws/evil");
}

static void test_file_swapped_for_link(void **state)
{
    struct fixture *f = *state;

    tie_to(f, "ws/evil.c", "out/a.c");
    storm(f, "a file swapped for a link", "src/a.c", "ws/src/a.c", "ws/evil.c");
}

static void test_roots(void **state)
{
    struct sf_place_root root = SF_PLACE_ROOT_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct fixture *f = *state;
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
    struct fixture *f = *state;
    bool ok = sf_place_root_open(&root, "/", &err) &&
              sf_place_resolve(&root, "../../etc/passwd", 16, SF_WANT_FILE, &f->other, &err) &&
              f->other.inside && !strcmp(f->other.real, "etc/passwd");

    sf_place_release(&f->other);
    sf_place_root_close(&root);
    assert_true(ok);
}

#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TREE(test_leads),
        WITH_TREE(test_refused),
        WITH_TREE(test_nul_and_lengths),
        WITH_TREE(test_remembers_the_names_on_the_way),
        WITH_TREE(test_sees_a_git_directory_by_its_shape),
        WITH_TREE(test_replaces_through_the_handle),
        WITH_TREE(test_refuses_what_changed),
        WITH_TREE(test_creates_with_directories),
        WITH_TREE(test_create_leaves_nothing_half_done),
        WITH_TREE(test_failed_create_takes_its_directories_back),
        WITH_TREE(test_heeds_missing_write_bits),
        WITH_TREE(test_removes_names_only),
        WITH_TREE(test_moves_files),
        WITH_TREE(test_reads_what_was_seen),
        WITH_TREE(test_link_flips),
        WITH_TREE(test_directory_swapped_for_link),
        WITH_TREE(test_file_swapped_for_link),
        WITH_TREE(test_roots),
        WITH_TREE(test_whole_system_as_workspace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
