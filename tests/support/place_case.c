/*
 * place_case.c: builds the tree and takes it down; small deeds on it.
 */
#include "support/place_case.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/test.h"

void place_put(const struct place_case *f, const char *name, const char *text)
{
    char *path = test_path(f->top, name);

    test_write(path, text, strlen(text));
    free(path);
}

void place_make(const struct place_case *f, const char *name, mode_t mode)
{
    char *path = test_path(f->top, name);

    assert_int_equal(mkdir(path, mode), 0);
    free(path);
}

void place_tie(const struct place_case *f, const char *name, const char *target)
{
    char *path = test_path(f->top, name);

    assert_int_equal(symlink(target, path), 0);
    free(path);
}

void place_tie_to(const struct place_case *f, const char *name, const char *target)
{
    char *path = test_path(f->top, target);

    place_tie(f, name, path);
    free(path);
}

void place_carry(const struct place_case *f, const char *from, const char *to)
{
    char *a = test_path(f->top, from), *b = test_path(f->top, to);

    assert_int_equal(rename(a, b), 0);
    free(a);
    free(b);
}

void place_expect(const struct place_case *f, const char *name, const char *want)
{
    char *path = test_path(f->top, name), *text = test_read(path, NULL);
    bool same = !strcmp(text, want);

    free(text);
    free(path);
    if (!same)
        fail_msg("%s does not hold \"%s\"", name, want);
}

bool place_there(const struct place_case *f, const char *name)
{
    char *path = test_path(f->top, name);
    struct stat st;
    bool found = lstat(path, &st) == 0;

    free(path);
    return found;
}

static void make_special(const struct place_case *f)
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

int place_setup(void **state)
{
    struct place_case *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    f->place = f->other = (struct sf_place)SF_PLACE_INIT;
    f->top = fast_dir();
    f->ws = test_path(f->top, "ws");
    place_make(f, "ws", 0755);
    place_make(f, "out", 0755);
    place_make(f, "ws/src", 0755);
    place_make(f, "ws/src/sub", 0755);
    place_put(f, "ws/src/a.c", "old");
    place_put(f, "out/a.c", "theirs");
    place_tie(f, "ws/src/cur", "sub");
    place_tie(f, "ws/src/up", "..");
    place_tie(f, "ws/link", "src/a.c");
    place_tie_to(f, "ws/out", "out");
    place_tie_to(f, "ws/dangling", "out/new");
    place_tie_to(f, "alias", "ws");
    place_tie_to(f, "ws/home", "ws");
    place_tie(f, "ws/loop", "pool");
    place_tie(f, "ws/pool", "loop");
    place_tie(f, "ws/magic", "/proc/self/cwd");
    make_special(f);
    if (!sf_place_root_open(&f->root, f->ws, &err))
        fail_msg("%s", err.msg);
    *state = f;
    return 0;
}

int place_teardown(void **state)
{
    struct place_case *f = *state;

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

bool place_find(struct place_case *f, const char *path, enum sf_place_want want,
                struct sf_error *err)
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

void place_found(struct place_case *f, const char *path, enum sf_place_want want)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!place_find(f, path, want, &err))
        fail_msg("%s: %s", path, err.msg);
}

bool place_replace(struct place_case *f, const char *text, struct sf_error *err)
{
    return sf_place_replace(&f->place, text, strlen(text), err);
}
