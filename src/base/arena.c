/*
 * arena.c: bump allocation in blocks. A request larger than a block gets one of its own, so
 * nothing is ever moved and pointers stay good until the release. Under AddressSanitizer whatever
 * was not asked for is forbidden, as it is on the heap, with a gap behind each piece.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "base/base.h"

/* Many arenas stay small, and every block is cleared: the first one is therefore a small one. */
enum { FIRST_SIZE = 4 * 1024 - 64, BLOCK_SIZE = 16 * 1024 - 64, ALIGN = _Alignof(max_align_t) };

#ifdef __SANITIZE_ADDRESS__
enum { GAP = ALIGN };

static void forbid(void *p, size_t size)
{
    __asan_poison_memory_region(p, size);
}

static void permit(void *p, size_t size)
{
    __asan_unpoison_memory_region(p, size);
}
#else
enum { GAP = 0 };

static void forbid(void *p, size_t size)
{
    (void)p;
    (void)size;
}

static void permit(void *p, size_t size)
{
    (void)p;
    (void)size;
}
#endif

struct sf_arena_block {
    struct sf_arena_block *next;
    size_t used, size;
    _Alignas(max_align_t) unsigned char data[];
};

static struct sf_arena_block *block_new(size_t size, bool mapped)
{
    struct sf_arena_block *block;
    size_t bytes;

    if (__builtin_add_overflow(size, sizeof(*block), &bytes))
        bytes = SIZE_MAX;
    block = mapped ? sf_pages_new(bytes) : sf_alloc(bytes);
    block->size = size;
    forbid(block->data, size);
    return block;
}

static void block_free(struct sf_arena_block *block, bool mapped)
{
    permit(block->data, block->size);
    if (mapped)
        sf_pages_free(block, sizeof(*block) + block->size);
    else
        free(block);
}

void *sf_arena_alloc(struct sf_arena *arena, size_t size)
{
    size_t most = SIZE_MAX - ALIGN - GAP;
    size_t step = size > most ? SIZE_MAX : (size + GAP + ALIGN - 1) / ALIGN * ALIGN;
    struct sf_arena_block *block = arena->blocks;
    void *p;

    if (!block || step > block->size - block->used) {
        size_t least = block || arena->mapped ? BLOCK_SIZE : FIRST_SIZE;

        block = block_new(step > least ? step : least, arena->mapped);
        block->next = arena->blocks;
        arena->blocks = block;
    }
    p = block->data + block->used;
    block->used += step;
    arena->used += step - GAP; /* the same in every build, since limits count it */
    permit(p, size);
    return p;
}

char *sf_arena_strndup(struct sf_arena *arena, const char *text, size_t len)
{
    char *copy = sf_arena_alloc(arena, len == SIZE_MAX ? len : len + 1);

    if (len)
        memcpy(copy, text, len);
    return copy;
}

void sf_arena_release(struct sf_arena *arena)
{
    while (arena->blocks) {
        struct sf_arena_block *next = arena->blocks->next;

        block_free(arena->blocks, arena->mapped);
        arena->blocks = next;
    }
    arena->used = 0;
}
