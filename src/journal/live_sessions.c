/*
 * live_sessions.c: tries each lock. A lock that can be taken belongs to no process and is released
 * at once; a process that opens the session at that moment waits a little for it.
 */
#include "journal/live_sessions.h"

#include <dirent.h>

#include "base/base.h"
#include "io/io.h"

enum { LOCKS_MAX = 10000, DAY_MS = 24 * 3600 * 1000 };

struct sf_snap_budget sf_live_snap_budget(struct sf_config *config)
{
    return (struct sf_snap_budget){
        .bytes = (uint64_t)sf_config_int(config, "snapshots.max_size") << 20,
        .count = (size_t)sf_config_int(config, "snapshots.max_count"),
        .age_ms = sf_config_int(config, "snapshots.max_age") * DAY_MS,
    };
}

void sf_live_sessions(const char *state_dir, struct sf_strlist *out)
{
    char *dir = sf_path_join(state_dir, "locks");
    DIR *locks = opendir(dir);
    const struct dirent *entry;
    size_t seen = 0;

    while (locks && (entry = readdir(locks)) && seen++ < LOCKS_MAX) {
        char *path = sf_path_join(dir, entry->d_name);
        struct sf_lock lock = SF_LOCK_INIT;
        struct sf_error err = SF_ERROR_INIT;

        if (entry->d_name[0] != '.' && !sf_lock_take(path, 0, &lock, &err) && err.code == SF_E_BUSY)
            sf_strlist_add(out, entry->d_name);
        sf_lock_drop(&lock);
        free(path);
    }
    if (locks)
        closedir(locks);
    free(dir);
}
