/*
 * test_write_record.c: a record has what a command writes, by whatever call and name, and nothing of
 * what it reads or of what others write meanwhile.
 */
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"
#include "support/child.h"
#include "support/test.h"

/* In the scratch directory: `root` is recorded, `out` is not; both hold a file, root/d a directory. */
static const char arrange[] =
    "rm -rf root out; mkdir -p root/d out; echo 1 >root/old; echo 1 >root/d/f; echo 1 >out/f;"
    "echo 1 >root/twin; ln root/twin root/d/twin; ln -s ../out root/away; ln -s root alias; ln -s new root/dangling; ln -s d/f root/link";

static const struct {
    const char *name, *script;
    const char *command[4]; /* paths that are the command's */
    const char *others[4];  /* paths that are not */
} cases[] = {
    { "a new file", "echo 2 >root/new", { "new" }, { "old", "d", "d/f" } },
    { "an appended file", "echo 2 >>root/old", { "old" }, { "d/f" } },
    { "reading", "cat root/old root/d/f; ls -R root", { NULL }, { "old", "d", "d/f" } },
    { "writing elsewhere", "echo 2 >out/f; echo 2 >root/away/new", { NULL }, { "old", "away" } },
    { "by a relative name", "cd root/d && echo 2 >./../d/.././old", { "old" }, { "d/f" } },
    { "by an absolute name", "echo 2 >\"$PWD/root/d/f\"", { "d/f" }, { "old" } },
    { "through a linked directory", "echo 2 >alias/d/f", { "d/f" }, { "old" } },
    { "through a link to a file", "echo 2 >root/link", { "d/f" }, { "link", "old" } },
    { "through a link to nothing", "echo 2 >root/dangling", { "new" }, { "dangling", "old" } },
    { "removing", "rm root/old", { "old" }, { "d/f" } },
    { "removing a tree", "rm -r root/d", { "d", "d/f" }, { "old" } },
    { "renaming over", "echo 2 >root/t && mv root/t root/old", { "t", "old" }, { "d/f" } },
    { "renaming a directory", "mv root/d root/e", { "d", "d/f", "e", "e/f" }, { "old" } },
    { "making a directory", "mkdir -p root/x/y", { "x", "x/y" }, { "old" } },
    { "links", "ln root/old root/hard; ln -s old root/soft", { "hard", "soft", "old" }, { "d/f" } },
    { "by another name", "ln root/old out/h; echo 2 >out/h", { "old" }, { "d/f" } },
    { "by a name that was there", "echo 2 >root/twin", { "twin", "d/twin" }, { "old", "d/f" } },
    { "after its time was set", "touch -c root/old; echo 2 >root/old", { "old" }, { "d/f" } },
    { "a time", "touch -c -d 2001-01-01 root/old", { "old" }, { "d/f" } },
    { "a time by a descriptor",
      "python3 -c 'import os; os.utime(os.open(\"root/old\", os.O_RDONLY))'",
      { "old" },
      { "d/f" } },
    { "after its owner was set",
      "chown $(id -u) root/old; echo 2 >root/old",
      { "old" },
      { "d/f" } },
    { "an owner through a link", "chown $(id -u) root/link", { "d/f" }, { "link" } },
    { "a mode", "chmod 700 root/old", { "old" }, { "d/f" } },
    { "a mode through a link", "chmod 700 root/link", { "d/f" }, { "link" } },
    { "cutting short", "truncate -s 0 root/old", { "old" }, { "d/f" } },
    { "a descriptor's own name", "exec 3<root/old; echo 2 >/proc/self/fd/3", { "old" }, { "d/f" } },
    { "the same by /dev", "exec 3<>root/old; echo 2 >/dev/fd/3", { "old" }, { "d/f" } },
    { "output to a pipe", "echo 2 | tee /dev/stderr >/dev/stdout", { NULL }, { "old" } },
    { "a grandchild", "(sh -c 'echo 2 >root/old')", { "old" }, { "d/f" } },
    { "one left behind",
      "(sh -c 'echo 2 >root/old; echo x >root/done' &) ; "
      "until [ -e root/done ]; do :; done",
      { "old", "done" },
      { "d/f" } },
    { "a name with odd bytes",
      "echo 2 >\"root/$(printf 'a\\nb\\303\\244')\"",
      { "a\nbä" },
      { "old" } },
    { "a temporary file without a name",
      "python3 -c 'import os; d=os.open(\"root\", os.O_TMPFILE|os.O_RDWR); "
      "os.link(f\"/proc/self/fd/{d}\", \"root/named\", src_dir_fd=d, follow_symlinks=True)'",
      { "named" },
      { "old" } },
    { "a directory by its descriptor",
      "python3 -c 'import os; d=os.open(\"root/d\", os.O_RDONLY); os.unlink(\"f\", dir_fd=d); "
      "os.mkdir(\"g\", dir_fd=d); os.rename(\"g\", \"h\", src_dir_fd=d, dst_dir_fd=d)'",
      { "d/f", "d/g", "d/h" },
      { "old" } },
};

static char *root_of(const struct child_fixture *f)
{
    struct sf_error err = SF_ERROR_INIT;
    char *path = test_path(f->dir, "root"), *real = sf_path_real(path, &err);

    assert_non_null(real);
    free(path);
    return real;
}

static struct sf_write_record *new_record(const struct child_fixture *f)
{
    struct sf_error err = SF_ERROR_INIT;
    char *root = root_of(f);
    struct sf_write_record *record = sf_write_record_new(root, f->dir, &err);

    assert_non_null(record);
    free(root);
    return record;
}

/* Times of files are as coarse as the kernel's clock: this waits until it has gone on. */
static void pass_a_tick(void)
{
    struct timespec from, now;

    clock_gettime(CLOCK_REALTIME_COARSE, &from);
    do
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
    while (now.tv_sec == from.tv_sec && now.tv_nsec == from.tv_nsec);
}

static void check(const char *name, const struct sf_write_set *set, const char *const paths[4],
                  enum sf_writer want)
{
    for (size_t i = 0; i < 4 && paths[i]; i++) {
        enum sf_writer writer = sf_write_set_writer(set, paths[i]);

        if (writer != want)
            fail_msg("%s: %s has writer %d, not %d", name, paths[i], writer, want);
    }
}

static void test_cases(void **state)
{
    struct child_fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_write_set set = SF_WRITE_SET_INIT;
        struct sf_write_record *record;

        assert_int_equal(child_run_script(f, (struct sf_child_spec){ 0 }, arrange)->code, 0);
        pass_a_tick();
        record = new_record(f);
        if (child_run_script(f, (struct sf_child_spec){ .record = record }, cases[i].script)->code)
            fail_msg("%s: the script failed: %s", cases[i].name, f->result.output[1].buf);
        sf_write_set_read(&set, record);
        if (set.unsure)
            fail_msg("%s: the record is not sure", cases[i].name);
        check(cases[i].name, &set, cases[i].command, SF_WRITER_COMMAND);
        check(cases[i].name, &set, cases[i].others, SF_WRITER_OTHERS);
        sf_write_set_release(&set);
        sf_write_record_drop(record);
    }
}

/* An editor saves a file while a command runs; then the command writes it, too. */
static void test_others(void **state)
{
    struct child_fixture *f = *state;
    struct sf_write_set set = SF_WRITE_SET_INIT;
    struct sf_write_record *record;
    char *old = test_path(f->dir, "root/old"), *fresh = test_path(f->dir, "root/fresh");

    child_run_script(f, (struct sf_child_spec){ 0 }, arrange);
    record = new_record(f);
    pass_a_tick();
    test_write(old, "edited\n", 7);
    test_write(fresh, "edited\n", 7);
    child_run_script(f, (struct sf_child_spec){ .record = record },
                     "echo 2 >>root/old; echo 2 >root/new; echo 3 >>root/new");
    sf_write_set_read(&set, record);
    assert_false(set.unsure);
    assert_int_equal(sf_write_set_writer(&set, "old"), SF_WRITER_BOTH);
    assert_int_equal(sf_write_set_writer(&set, "fresh"), SF_WRITER_OTHERS);
    assert_int_equal(sf_write_set_writer(&set, "new"), SF_WRITER_COMMAND);
    sf_write_set_add(&set, "old"); /* the others were a tool of the same turn */
    assert_int_equal(sf_write_set_writer(&set, "old"), SF_WRITER_COMMAND);
    sf_write_set_release(&set);
    sf_write_record_drop(record);
    free(old);
    free(fresh);
}

/* ---- what was there ---- */

static void write_first(void *ctx, const struct sf_write_first *first)
{
    struct sf_strbuf *out = ((void **)ctx)[0];
    const struct sf_write_record *record = ((void **)ctx)[1];
    struct sf_strbuf copy = SF_STRBUF_INIT;

    sf_strbuf_addf(out, "%s ", first->path);
    if (!first->image.mode)
        sf_strbuf_adds(out, "absent\n");
    else if (sf_write_record_copy(record, &first->image, &copy))
        sf_strbuf_addf(out, "%o %s\n", first->image.mode, copy.buf);
    else
        sf_strbuf_addf(out, "%o, %" PRIu64 " bytes\n", first->image.mode, first->image.size);
    sf_strbuf_release(&copy);
}

static const struct {
    const char *name, *script, *want;
} firsts[] = {
    { "a changed file", "echo 2 >root/old", "old 100644 1\n\n" },
    { "changed twice", "echo 2 >root/old; rm root/old; echo 3 >root/old", "old 100644 1\n\n" },
    { "made, then changed", "echo 2 >root/new; echo 3 >root/new", "new absent\n" },
    { "a link", "rm root/link", "link 120000 d/f\n" },
    { "through a link", "echo 2 >root/link", "d/f 100644 1\n\n" },
    { "renamed", "mv root/old root/new", "old 100644 1\n\nnew absent\n" },
    { "renamed over", "mv root/old root/d/f", "old 100644 1\n\nd/f 100644 1\n\n" },
    { "a mode", "chmod 700 root/old", "old 100644 1\n\n" },
    { "a mode by a descriptor",
      "python3 -c 'import os; os.fchmod(os.open(\"root/old\", os.O_RDONLY), 0o600)'",
      "old 100644 1\n\n" },
    { "a renamed directory", "mv root/d root/e", "d 40000, 4096 bytes\n" },
    { "a large file", "truncate -s 11M out/f; mv out/f root/big; echo 2 >root/big",
      "big absent\n" },
    { "nothing", "cat root/old", "" },
};

static void test_firsts(void **state)
{
    struct child_fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(firsts); i++) {
        struct sf_strbuf is = SF_STRBUF_INIT;
        struct sf_write_record *record;

        child_run_script(f, (struct sf_child_spec){ 0 }, arrange);
        record = new_record(f);
        child_run_script(f, (struct sf_child_spec){ .record = record }, firsts[i].script);
        assert_int_equal(sf_write_record_has_more(record), *firsts[i].want != '\0');
        sf_write_record_visit(record, write_first, (void *[]){ &is, record });
        if (strcmp(is.buf, firsts[i].want) != 0)
            fail_msg("%s: is \"%s\", want \"%s\"", firsts[i].name, is.buf, firsts[i].want);
        sf_strbuf_reset(&is);
        sf_write_record_visit(record, write_first, (void *[]){ &is, record });
        assert_int_equal(is.len, 0);
        assert_false(sf_write_record_has_more(record));
        sf_strbuf_release(&is);
        sf_write_record_drop(record);
    }
}

/* Files that are too large, or too many, have no copy; where they cannot be kept, none has. */
static void test_limits(void **state)
{
    struct child_fixture *f = *state;
    struct sf_strbuf is = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_write_record *record;
    char *root;

    child_run_script(f, (struct sf_child_spec){ 0 }, arrange);
    child_run_script(f, (struct sf_child_spec){ 0 },
                     "truncate -s 10485761 root/big; for i in 1 2 3 4 5 6 7; do "
                     "truncate -s 10M root/t$i; done");
    record = new_record(f);
    child_run_script(f, (struct sf_child_spec){ .record = record },
                     "cd root; echo 2 >big; for i in 1 2 3 4 5 6 7; do echo 2 >t$i; done; "
                     "echo 2 >old");
    sf_write_record_visit(record, write_first, (void *[]){ &is, record });
    assert_non_null(strstr(is.buf, "big 100644, 10485761 bytes\n"));
    assert_non_null(strstr(is.buf, "t6 100644 "));
    assert_non_null(strstr(is.buf, "t7 100644, 10485760 bytes\n"));
    assert_non_null(strstr(is.buf, "old 100644 1\n"));
    sf_write_record_drop(record);
    sf_strbuf_reset(&is);

    root = root_of(f);
    record = sf_write_record_new(root, NULL, &err);
    child_run_script(f, (struct sf_child_spec){ .record = record }, "echo 2 >root/d/f");
    sf_write_record_visit(record, write_first, (void *[]){ &is, record });
    assert_string_equal(is.buf, "d/f 100644, 2 bytes\n");
    sf_write_record_drop(record);
    sf_strbuf_release(&is);
    free(root);
}

/* More notes than are kept: what is missing is said. */
static void test_too_many(void **state)
{
    struct child_fixture *f = *state;
    struct sf_write_set set = SF_WRITE_SET_INIT;
    struct sf_write_record *record;

    child_run_script(f, (struct sf_child_spec){ 0 }, arrange);
    record = new_record(f);
    child_run_script(f, (struct sf_child_spec){ .record = record },
                     "cd root && python3 -c 'import os\n"
                     "for i in range(25000):\n"
                     "    p = str(i) + \"x\" * 200\n"
                     "    os.mkdir(p); os.rmdir(p)\n'");
    sf_write_set_read(&set, record);
    assert_true(set.unsure);
    assert_int_equal(sf_write_set_writer(&set, "old"), SF_WRITER_OTHERS);
    sf_write_set_release(&set);
    sf_write_record_drop(record);
}

/* A record may be read before anything was noted, and is held by everybody who reads it. */
static void test_life(void **state)
{
    struct child_fixture *f = *state;
    struct sf_write_set set = SF_WRITE_SET_INIT;
    struct sf_write_record *record;

    child_run_script(f, (struct sf_child_spec){ 0 }, arrange);
    record = new_record(f);
    sf_write_set_read(&set, record);
    assert_false(set.unsure);
    assert_int_equal(set.paths.count, 0);
    assert_false(sf_write_record_has_ended(sf_write_record_hold(record)));
    sf_write_record_end(record);
    sf_write_record_drop(record);
    assert_true(sf_write_record_has_ended(record));
    sf_write_set_add(&set, "by a tool");
    assert_int_equal(sf_write_set_writer(&set, "by a tool"), SF_WRITER_COMMAND);
    sf_write_set_release(&set);
    sf_write_record_drop(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, child_setup, child_teardown),
        cmocka_unit_test_setup_teardown(test_others, child_setup, child_teardown),
        cmocka_unit_test_setup_teardown(test_firsts, child_setup, child_teardown),
        cmocka_unit_test_setup_teardown(test_limits, child_setup, child_teardown),
        cmocka_unit_test_setup_teardown(test_too_many, child_setup, child_teardown),
        cmocka_unit_test_setup_teardown(test_life, child_setup, child_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
