/*
 * Time zone files: the system's own, all of them, and a directory of bad ones; and where the
 * name of the local zone comes from.
 */
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"
#include "support/tzif.h"

#define ZONE_DIR "/usr/share/zoneinfo/"

static int env_teardown(void **state)
{
    unsetenv("TZDIR");
    unsetenv("TZ");
    return test_dir_teardown(state);
}

static size_t loaded;
static char wrong[256];

static bool starts_with_tzif(const char *path)
{
    char magic[4] = { 0 };
    FILE *fp = fopen(path, "rbe");
    size_t n = fp ? fread(magic, 1, sizeof(magic), fp) : 0;

    if (fp)
        fclose(fp);
    return n == sizeof(magic) && !memcmp(magic, "TZif", 4);
}

static int try_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    const char *name = path + strlen(ZONE_DIR);
    bool leaps = !strncmp(name, "right/", 6); /* where Debian keeps zones with leap seconds */
    struct sf_error err = SF_ERROR_INIT;
    struct sf_zone *zone;

    (void)st;
    (void)ftw;
    if (type != FTW_F || !starts_with_tzif(path))
        return 0;
    zone = sf_zone_load(name, &err);
    loaded += zone != NULL;
    if (leaps ? !strstr(err.msg, "leap seconds") : !zone)
        snprintf(wrong, sizeof(wrong), "%.100s: %.100s", name, err.msg);
    sf_zone_free(zone);
    return 0;
}

static void test_every_zone_of_the_system(void **state)
{
    (void)state;
    if (access(ZONE_DIR, R_OK) != 0)
        fail_msg("%s cannot be read: is tzdata installed?", ZONE_DIR);
    assert_int_equal(nftw(ZONE_DIR, try_file, 16, 0), 0);
    if (wrong[0])
        fail_msg("%s", wrong);
    if (loaded < 300)
        fail_msg("only %zu zones", loaded);
}

static void write_zone(const char *dir, const char *name, const char *rule)
{
    struct test_tzif file = test_tzif_good;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    char *path = test_path(dir, name);

    file.time_count = 0;
    file.footer = rule;
    test_tzif_build(&sb, &file);
    test_write(path, sb.buf, sb.len);
    free(path);
    sf_strbuf_release(&sb);
}

static void test_reads_from_tzdir(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_zone *zone;
    const char *abbrev;
    int offset;

    write_zone(*state, "Mars", "MTC-5");
    setenv("TZDIR", *state, 1);
    zone = sf_zone_load("Mars", &err);
    assert_non_null(zone);
    sf_zone_at(zone, 0, &offset, NULL, &abbrev);
    assert_int_equal(offset, 18000);
    assert_string_equal(abbrev, "MTC");
    assert_string_equal(sf_zone_name(zone), "Mars");
    sf_zone_free(zone);
}

static void test_a_relative_tzdir_is_ignored(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_zone *zone;

    (void)state;
    setenv("TZDIR", ".", 1);
    zone = sf_zone_load("Europe/Berlin", &err);
    assert_non_null(zone);
    sf_zone_free(zone);
}

static void refuse(const char *name, enum sf_errc code, const char *says)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_zone *zone = sf_zone_load(name, &err);

    if (zone) {
        sf_zone_free(zone);
        fail_msg("%s: accepted", name);
    }
    if (err.code != code || (!strstr(err.msg, says) && !strstr(err.hint, says)))
        fail_msg("%s: code %d: %s (%s)", name, (int)err.code, err.msg, err.hint);
}

static void test_refuses(void **state)
{
    char *large = calloc(1, SF_ZONE_MAX_BYTES + 1);
    char *path = test_path(*state, "Large");

    test_write(path, large, SF_ZONE_MAX_BYTES + 1);
    free(path);
    free(large);
    path = test_path(*state, "Empty");
    test_write(path, "", 0);
    free(path);
    path = test_path(*state, "Folder");
    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
    path = test_path(*state, "Pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    free(path);
    path = test_path(*state, "Loop");
    assert_int_equal(symlink("Loop", path), 0);
    free(path);
    write_zone(*state, "Bad", "nonsense");
    setenv("TZDIR", *state, 1);

    refuse("Large", SF_E_LIMIT, "larger than");
    refuse("Empty", SF_E_DAMAGED, "TZif");
    refuse("Folder", SF_E_NOENT, "no time zone called Folder");
    refuse("Pipe", SF_E_IO, "Pipe"); /* and without waiting for a writer */
    refuse("Loop", SF_E_IO, "Loop");
    refuse("Bad", SF_E_DAMAGED, "rule");
    refuse("Bad/Berlin", SF_E_NOENT, "no time zone called Bad/Berlin");
    refuse("Europe/Berlin", SF_E_NOENT, "Europe/Berlin;");
    refuse("../Bad", SF_E_ARG, "name");
    refuse("/etc/localtime", SF_E_ARG, "name");
    refuse("", SF_E_ARG, "name");
}

static void test_a_system_without_tzdata(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char *gone = test_path(*state, "gone");

    setenv("TZDIR", gone, 1);
    free(gone);
    refuse("Europe/Berlin", SF_E_NOENT, "install the tzdata package");
    assert_ptr_equal(sf_zone_load("UTC", &err), sf_zone_utc());
}

static const struct {
    const char *name;
    const char *tz, *file, *link; /* NULL: there is none */
    const char *want;
} locals[] = {
    { "nothing at all", NULL, NULL, NULL, "UTC" },
    { "TZ first", "Asia/Tokyo", "Europe/Berlin\n", "/usr/share/zoneinfo/UTC", "Asia/Tokyo" },
    { "TZ with a colon", ":Asia/Tokyo", NULL, NULL, "Asia/Tokyo" },
    { "TZ as a path", "/usr/share/zoneinfo/Asia/Tokyo", NULL, NULL, "Asia/Tokyo" },
    { "TZ as a path with a colon", ":/usr/share/zoneinfo/Asia/Tokyo", NULL, NULL, "Asia/Tokyo" },
    { "an empty TZ is UTC", "", "Europe/Berlin\n", NULL, "UTC" },
    { "TZ with a rule", "<+03>-3", "Europe/Berlin\n", NULL, "Europe/Berlin" },
    { "TZ that climbs", "../../etc/passwd", "Europe/Berlin\n", NULL, "Europe/Berlin" },
    { "TZ as a path that climbs", "/usr/share/zoneinfo/../x", NULL, NULL, "UTC" },
    { "TZ as a path elsewhere", "/etc/localtime", "Europe/Berlin\n", NULL, "Europe/Berlin" },
    { "the file", NULL, "Europe/Berlin\n", "/usr/share/zoneinfo/UTC", "Europe/Berlin" },
    { "the file without a line break", NULL, "Europe/Berlin", NULL, "Europe/Berlin" },
    { "the file with more lines", NULL, "Europe/Berlin\nAsia/Tokyo\n", NULL, "Europe/Berlin" },
    { "an empty file", NULL, "", "/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo" },
    { "nonsense in the file", NULL, "\x1b[31m", "/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo" },
    { "the link", NULL, NULL, "/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo" },
    { "a relative link", NULL, NULL, "../usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo" },
    { "the last of two such folders", NULL, NULL, "/zoneinfo/x/zoneinfo/Asia/Tokyo", "Asia/Tokyo" },
    { "a link elsewhere", NULL, NULL, "/srv/clock", "UTC" },
    { "a link to the folder itself", NULL, NULL, "/usr/share/zoneinfo/", "UTC" },
};

static void lay_out(const char *dir, const char *text, const char *target)
{
    char *file = test_path(dir, "timezone"), *link = test_path(dir, "localtime");

    unlink(file);
    unlink(link);
    if (text)
        test_write(file, text, strlen(text));
    if (target)
        assert_int_equal(symlink(target, link), 0);
    free(link);
    free(file);
}

static void test_local_names(void **state)
{
    for (size_t i = 0; i < SF_COUNT(locals); i++) {
        char *got;
        char copy[64];

        lay_out(*state, locals[i].file, locals[i].link);
        got = sf_zone_local_name_from(locals[i].tz, *state);
        snprintf(copy, sizeof(copy), "%s", got);
        free(got);
        if (strcmp(copy, locals[i].want) != 0)
            fail_msg("%s: %s", locals[i].name, copy);
    }
}

static void test_an_endless_timezone_file(void **state)
{
    char *text = malloc(10001), *got;
    bool is_utc;

    memset(text, 'a', 10000);
    text[10000] = '\0';
    lay_out(*state, text, NULL);
    free(text);
    got = sf_zone_local_name_from(NULL, *state);
    is_utc = !strcmp(got, "UTC");
    free(got);
    assert_true(is_utc);
}

static void test_the_local_name_of_this_system(void **state)
{
    char *name;
    bool ok;

    (void)state;
    unsetenv("TZ");
    name = sf_zone_local_name();
    ok = sf_zone_name_ok(name);
    free(name);
    assert_true(ok);
    setenv("TZ", "Asia/Tokyo", 1);
    name = sf_zone_local_name();
    ok = !strcmp(name, "Asia/Tokyo");
    free(name);
    assert_true(ok);
}

#define WITH_DIR(test) cmocka_unit_test_setup_teardown(test, test_dir_setup, env_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_zone_of_the_system),
        WITH_DIR(test_reads_from_tzdir),
        WITH_DIR(test_a_relative_tzdir_is_ignored),
        WITH_DIR(test_refuses),
        WITH_DIR(test_a_system_without_tzdata),
        WITH_DIR(test_local_names),
        WITH_DIR(test_an_endless_timezone_file),
        WITH_DIR(test_the_local_name_of_this_system),
    };

    return cmocka_run_group_tests_name("zone_file", tests, NULL, NULL);
}
