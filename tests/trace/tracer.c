/*
 * tracer.c: notes every function that is entered and left, in an instrumented build (see ./dev trace). The
 * notes stand in a file that all threads and children share, SF_TRACE; a reader can look at any time
 * how many there are. Nothing here is instrumented itself.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trace/notes.h"

extern const char __executable_start[];

static struct trace_notes *notes;

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

__attribute__((constructor)) static void open_notes(void)
{
    const char *path = getenv("SF_TRACE");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *map;

    if (fd < 0)
        return;
    map = mmap(NULL, sizeof(*notes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED)
        notes = map;
}

static void note(const void *function, uint64_t left)
{
    uint64_t at;

    if (!notes)
        return;
    at = atomic_fetch_add(&notes->count, 1);
    if (at < TRACE_NOTES_MAX)
        notes->notes[at] = (struct trace_note){
            .thread = (uint64_t)syscall(SYS_gettid),
            .function = (uint64_t)((const char *)function - __executable_start),
            .left = left,
        };
}

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    note(function, 0);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)caller;
    note(function, 1);
}
