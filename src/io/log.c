/*
 * log.c: one line, one write. The file is opened with the first line, so a run without log lines
 * leaves no file behind. Rotation is a rename under the file's own flock; a process that still has
 * the old file open notices it by the size, which stays above the limit.
 */
#include "io/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/clock.h"
#include "io/file.h"

#define LINE_MAX_BYTES 4096
#define ROTATE_BYTES   (4 << 20)

static const char *const level_names[] = {
    [SF_LOG_ERROR] = "error",
    [SF_LOG_WARN] = "warn",
    [SF_LOG_INFO] = "info",
    [SF_LOG_DEBUG] = "debug",
};

static struct {
    char *path; /* NULL: closed */
    enum sf_log_level level;
    int fd;
} state = { .fd = -1 };

void sf_log_open(const char *path, enum sf_log_level level)
{
    sf_log_close();
    state.path = sf_strdup(path);
    state.level = level;
}

static void close_file(void)
{
    if (state.fd >= 0)
        close(state.fd);
    state.fd = -1;
}

void sf_log_close(void)
{
    close_file();
    free(state.path);
    state.path = NULL;
}

bool sf_log_level_parse(const char *text, enum sf_log_level *level)
{
    for (size_t i = 0; i < SF_COUNT(level_names); i++) {
        if (!strcmp(level_names[i], text)) {
            *level = (enum sf_log_level)i;
            return true;
        }
    }
    return false;
}

const char *sf_log_level_name(enum sf_log_level level)
{
    return level_names[level];
}

bool sf_log_wants(enum sf_log_level level)
{
    return state.path && level <= state.level;
}

static int open_file(void)
{
    int fd =
        open(state.path,
             O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
    struct stat st;

    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
        return fd;
    close(fd);
    return -1;
}

static void make_parent(void)
{
    const char *slash = strrchr(state.path, '/');
    struct sf_error err;
    char *dir;

    if (!slash || slash == state.path)
        return;
    dir = sf_strndup(state.path, (size_t)(slash - state.path));
    if (!sf_dir_make(dir, 0700, &err))
        errno = ENOENT;
    free(dir);
}

static bool has_file(void)
{
    if (state.fd < 0)
        state.fd = open_file();
    if (state.fd < 0 && errno == ENOENT) {
        make_parent();
        state.fd = open_file();
    }
    return state.fd >= 0;
}

static bool is_current(void)
{
    struct stat ours, there;

    return fstat(state.fd, &ours) == 0 && lstat(state.path, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/*
 * The process that gets the lock renames the file, unless that was done already; the others open
 * the new one. If the lock is taken, another process is rotating just now, and the line may as well
 * go into the old file.
 */
static void rotate_when_full(void)
{
    struct stat st;

    if (fstat(state.fd, &st) < 0 || st.st_nlink == 0) {
        close_file(); /* the file was removed: begin a new one */
        return;
    }
    if (st.st_size < ROTATE_BYTES)
        return;
    if (flock(state.fd, LOCK_EX | LOCK_NB) < 0)
        return;
    if (is_current()) {
        struct sf_strbuf old = SF_STRBUF_INIT;

        sf_strbuf_addf(&old, "%s.1", state.path);
        rename(state.path, old.buf);
        sf_strbuf_release(&old);
    }
    flock(state.fd, LOCK_UN);
    close_file();
}

/* One character of `s` as it goes into the line; returns how many bytes of `s` it took. */
static size_t escape_one(const unsigned char *s, char out[8], size_t *out_len)
{
    static const char plain[] = "\n\t\r\\";
    static const char letters[] = "ntr\\";
    const char *special = strchr(plain, *s);
    uint32_t cp;
    size_t len = sf_utf8_decode((const char *)s, strnlen((const char *)s, 4), &cp);

    if (special) {
        *out_len = (size_t)snprintf(out, 8, "\\%c", letters[special - plain]);
        return 1;
    }
    if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == SF_UTF8_INVALID) {
        *out_len = (size_t)snprintf(out, 8, "\\x%02x", *s);
        return 1;
    }
    *out_len = len;
    memcpy(out, s, len);
    return len;
}

/* Appends the escaped text to the `used` bytes of `line`, leaving room for the newline. */
static size_t escape(char line[LINE_MAX_BYTES], size_t used, const char *text)
{
    static const char cut[] = "\xe2\x80\xa6";
    const unsigned char *s = (const unsigned char *)text;
    const size_t end = LINE_MAX_BYTES - sizeof(cut);

    while (*s) {
        char piece[8];
        size_t len;
        size_t took = escape_one(s, piece, &len);

        if (used + len > end) {
            memcpy(line + used, cut, sizeof(cut) - 1);
            return used + sizeof(cut) - 1;
        }
        memcpy(line + used, piece, len);
        used += len;
        s += took;
    }
    return used;
}

static void append(const char *line, size_t len)
{
    while (len > 0) {
        ssize_t n = write(state.fd, line, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        line += n;
        len -= (size_t)n;
    }
}

void sf_log_write(enum sf_log_level level, const char *format, ...)
{
    char text[LINE_MAX_BYTES + 1], line[LINE_MAX_BYTES], when[SF_TIME_MAX];
    int saved = errno;
    va_list args;
    size_t len;

    if (!sf_log_wants(level))
        return;
    va_start(args, format);
    if (vsnprintf(text, sizeof(text), format, args) < 0)
        text[0] = '\0';
    va_end(args);
    sf_time_format_utc(when, sf_clock_wall_ms());
    len =
        (size_t)snprintf(line, sizeof(line), "%s %d %s ", when, (int)getpid(), level_names[level]);
    len = escape(line, len, text);
    line[len++] = '\n';
    if (has_file())
        rotate_when_full();
    if (has_file())
        append(line, len);
    errno = saved;
}
