/*
 * recording.c: the file of a recording. It is only ever appended to, and nothing is written after a
 * write that failed, so what is there can be played.
 */
#include "model/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/wire.h"

struct sf_recording {
    int fd;
    char *path;
    bool begun; /* the first line is written; a file without one is not left behind */
    struct sf_error err;
};

struct sf_recording *sf_recording_open(const char *path, struct sf_error *err)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
    int fd = open(path, flags, 0600);
    struct sf_recording *recording;

    if (fd < 0 && errno == EEXIST) {
        sf_fail(err, SF_E_ARG, "%s is there already", path);
        sf_hint(err, "give another name for the recording");
    } else if (fd < 0) {
        sf_fail_errno(err, "cannot write %s", path);
    }
    if (fd < 0)
        return NULL;
    recording = sf_alloc(sizeof(*recording));
    recording->fd = fd;
    recording->path = sf_strdup(path);
    return recording;
}

/* The path may have become that of another file meanwhile. */
static void remove_empty(const struct sf_recording *recording)
{
    struct stat ours, there;

    if (fstat(recording->fd, &ours) == 0 && lstat(recording->path, &there) == 0 &&
        ours.st_dev == there.st_dev && ours.st_ino == there.st_ino)
        unlink(recording->path);
}

bool sf_recording_close(struct sf_recording *recording, struct sf_error *err)
{
    bool ok = recording->err.code == SF_E_NONE;

    if (!recording->begun)
        remove_empty(recording);
    if (!ok)
        *err = recording->err;
    if (close(recording->fd) != 0 && ok)
        ok = sf_fail_errno(err, "cannot write %s", recording->path);
    free(recording->path);
    free(recording);
    return ok;
}

static void write_all(struct sf_recording *recording, const struct sf_strbuf *text)
{
    size_t done = 0;

    while (done < text->len) {
        ssize_t n = write(recording->fd, text->buf + done, text->len - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            sf_fail_errno(&recording->err, "cannot write %s", recording->path);
            return;
        }
        done += (size_t)n;
    }
}

void sf_recording_add(struct sf_recording *recording, const struct sf_provider *provider,
                      const char *model, const struct sf_strbuf *lines)
{
    const struct sf_replay_head head = { provider->name, model, provider->local };
    struct sf_strbuf all = SF_STRBUF_INIT;

    if (recording->err.code != SF_E_NONE)
        return;
    if (!recording->begun)
        sf_replay_line_head(&all, &head);
    recording->begun = true;
    sf_strbuf_add(&all, lines->buf, lines->len);
    write_all(recording, &all);
    sf_strbuf_release(&all);
}
