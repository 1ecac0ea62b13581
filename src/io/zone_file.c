/*
 * zone_file.c: reads TZif files and finds the name of the local zone. A name becomes a path only
 * after sf_zone_name_ok, so it cannot escape the directory.
 */
#include "io/zone_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ZONE_DIR "/usr/share/zoneinfo"

static const char *zone_dir(void)
{
    const char *dir = getenv("TZDIR");

    return dir && dir[0] == '/' ? dir : ZONE_DIR;
}

/* Reads to the end, at most `max` bytes; false with errno set. EFBIG: the file is longer. */
static bool read_up_to(int fd, size_t max, struct sf_strbuf *out)
{
    while (out->len <= max) {
        size_t room = max + 1 - out->len;
        ssize_t n = read(fd, sf_strbuf_room(out, room), room);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        sf_strbuf_grew(out, (size_t)n);
    }
    errno = EFBIG;
    return false;
}

/* A regular file only: opening a pipe or a device by accident must neither block nor act. */
static bool read_file(const char *path, size_t max, struct sf_strbuf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    bool ok = false;
    int saved;

    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
        ok = S_ISREG(st.st_mode) && read_up_to(fd, max, out);
    }
    saved = errno;
    close(fd);
    errno = saved;
    return ok;
}

static bool fail_load(struct sf_error *err, const char *name, const char *dir)
{
    int number = errno;
    bool missing = number == ENOENT || number == ENOTDIR || number == EISDIR;

    if (missing && access(dir, F_OK) != 0) {
        sf_fail(err, SF_E_NOENT, "cannot load the time zone %s: %s does not exist", name, dir);
        return sf_hint(err, "install the tzdata package, or use the time zone UTC");
    }
    if (missing) {
        sf_fail(err, SF_E_NOENT, "there is no time zone called %s", name);
        return sf_hint(err, "names look like Europe/Berlin; %s holds them all", dir);
    }
    if (number == EFBIG)
        return sf_fail(err, SF_E_LIMIT, "the time zone data of %s is larger than %d bytes", name,
                       SF_ZONE_MAX_BYTES);
    return sf_fail_errno(err, "cannot load the time zone %s from %s", name, dir);
}

struct sf_zone *sf_zone_load(const char *name, struct sf_error *err)
{
    struct sf_strbuf path = SF_STRBUF_INIT, data = SF_STRBUF_INIT;
    const char *dir = zone_dir();
    struct sf_zone *zone = NULL;

    if (!sf_zone_name_ok(name)) {
        sf_fail(err, SF_E_ARG, "that is not the name of a time zone");
        sf_hint(err, "names look like Europe/Berlin");
        return NULL;
    }
    if (!strcmp(name, "UTC"))
        return sf_zone_utc();
    sf_strbuf_addf(&path, "%s/%s", dir, name);
    if (read_file(path.buf, SF_ZONE_MAX_BYTES, &data))
        zone = sf_zone_parse(name, data.buf, data.len, err);
    else
        fail_load(err, name, dir);
    sf_strbuf_release(&data);
    sf_strbuf_release(&path);
    return zone;
}

/* A copy if it is a valid zone name, else NULL. */
static char *name_or_null(const char *name)
{
    return sf_zone_name_ok(name) ? sf_strdup(name) : NULL;
}

/* The part after the last "/zoneinfo/" in the target of /etc/localtime or in a path in TZ. */
static char *name_in_path(const char *path)
{
    static const char mark[] = "/zoneinfo/";
    const char *name = NULL;

    for (const char *p = strstr(path, mark); p; p = strstr(p + 1, mark))
        name = p + strlen(mark);
    return name ? name_or_null(name) : NULL;
}

static char *name_in_variable(const char *tz)
{
    if (!tz)
        return NULL;
    if (!*tz)
        return sf_strdup("UTC"); /* as libc understands it */
    if (*tz == ':')
        tz++;
    return *tz == '/' ? name_in_path(tz) : name_or_null(tz);
}

static char *name_in_file(const char *path)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *name = NULL;

    if (read_file(path, 4096, &text)) {
        text.buf[strcspn(text.buf, " \t\r\n")] = '\0';
        name = name_or_null(text.buf);
    }
    sf_strbuf_release(&text);
    return name;
}

static char *name_in_link(const char *path)
{
    char target[4096];
    ssize_t n = readlink(path, target, sizeof(target) - 1);

    if (n < 0)
        return NULL;
    target[n] = '\0';
    return name_in_path(target);
}

char *sf_zone_local_name_from(const char *tz, const char *etc)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    char *name = name_in_variable(tz);

    if (!name) {
        sf_strbuf_addf(&path, "%s/timezone", etc);
        name = name_in_file(path.buf);
    }
    if (!name) {
        sf_strbuf_reset(&path);
        sf_strbuf_addf(&path, "%s/localtime", etc);
        name = name_in_link(path.buf);
    }
    sf_strbuf_release(&path);
    return name ? name : sf_strdup("UTC");
}

char *sf_zone_local_name(void)
{
    return sf_zone_local_name_from(getenv("TZ"), "/etc");
}
