/*
 * mem.c: allocation that cannot fail in the caller's sight. The one idea: a program that
 * cannot get a few kilobytes cannot keep its promises either, so it stops at once and says so.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"

static sf_oom_fn *oom_hook;

void sf_set_oom_hook(sf_oom_fn *hook)
{
    oom_hook = hook;
}

SF_NORETURN static void out_of_memory(void)
{
    static const char msg[] = "sf: out of memory\n";
    sf_oom_fn *hook = oom_hook;

    oom_hook = NULL;
    if (hook)
        hook();
    if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
        abort();
    abort();
}

static size_t product(size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        out_of_memory();
    return bytes ? bytes : 1;
}

void *sf_alloc_array(size_t count, size_t size)
{
    void *p = calloc(1, product(count, size));

    if (!p)
        out_of_memory();
    return p;
}

void *sf_alloc(size_t size)
{
    return sf_alloc_array(1, size);
}

void *sf_pages_new(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        out_of_memory();
    return p;
}

void sf_pages_free(void *memory, size_t size)
{
    munmap(memory, size);
}

void *sf_realloc_array(void *items, size_t count, size_t size)
{
    void *p = realloc(items, product(count, size));

    if (!p)
        out_of_memory();
    return p;
}

char *sf_strndup(const char *text, size_t len)
{
    char *copy;

    if (len == SIZE_MAX)
        out_of_memory();
    copy = sf_alloc(len + 1);
    if (len)
        memcpy(copy, text, len);
    return copy;
}

char *sf_strdup(const char *text)
{
    return sf_strndup(text, strlen(text));
}

void *sf_grow(void *items, size_t *cap, size_t need, size_t size)
{
    size_t want = *cap < 8 ? 8 : *cap;

    if (need <= *cap)
        return items;
    while (want < need) {
        if (want > SIZE_MAX / 2)
            out_of_memory();
        want *= 2;
    }
    items = sf_realloc_array(items, want, size);
    *cap = want;
    return items;
}
