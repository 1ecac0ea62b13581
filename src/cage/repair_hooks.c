/*
 * repair_hooks.c: what git runs by itself. A hook that was there is as it was, one that is new can
 * no longer be run. Git alone may change those of the work tree, as it checks them out: they are
 * not written anew then, and cannot be run before somebody has looked.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/repair.h"
#include "io/io.h"

enum { HOOKS_MAX = 1024 };

static bool is_sample(const char *name)
{
    size_t n = strlen(name);

    return n > 7 && !strcmp(name + n - 7, ".sample");
}

static bool can_run(int dir, const char *name)
{
    struct stat st;

    return !is_sample(name) && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           (S_ISLNK(st.st_mode) || (S_ISREG(st.st_mode) && (st.st_mode & 0111)));
}

void sf_repair_add_hooks(struct sf_repair_parts *parts, const char *path)
{
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *stream = dir >= 0 ? fdopendir(dir) : NULL;
    const struct dirent *entry;
    size_t count = 0;

    while (stream && (entry = readdir(stream)) && count < HOOKS_MAX)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            can_run(dir, entry->d_name)) {
            const struct sf_repair_part hook = { .kind = SF_MEND_HOOK,
                                                 .path = sf_path_join(path, entry->d_name) };

            sf_repair_add(parts, &hook);
            count++;
        }
    if (stream)
        closedir(stream);
    else if (dir >= 0)
        close(dir);
}

/* A file stays and can no longer be run; a link to one goes. */
static bool disarm(const char *path)
{
    const char *name;
    struct stat st;
    int dir = sf_repair_open_parent(path, &name);
    bool ok;

    if (dir < 0)
        return false;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        ok = errno == ENOENT;
    else
        ok = (S_ISREG(st.st_mode) &&
              fchmodat(dir, name, st.st_mode & 07777 & ~0111U, AT_SYMLINK_NOFOLLOW) == 0) ||
             unlinkat(dir, name, 0) == 0;
    close(dir);
    return ok;
}

/* What lies in the directory is looked at by itself. */
void sf_repair_mend_hooks(struct sf_repair *m, const struct sf_repair_part *now,
                          const struct sf_repair_part *before)
{
    sf_repair_mend_link(m, now, before);
}

void sf_repair_mend_hook(struct sf_repair *m, const struct sf_repair_part *now,
                         const struct sf_repair_part *before)
{
    if (before &&
        (before->link ? now->link && !strcmp(before->link, now->link)
                      : before->regular && now->regular && sf_repair_same_text(now, before)))
        return;
    if (before && before->regular && !m->care->how.git_alone)
        sf_repair_tell(m, sf_repair_restore(before), now->path, "as before again");
    else
        sf_repair_tell(m, disarm(now->path), now->path, "no longer executable");
}
