/*
 * arena: memory that dies together. Whatever belongs to one document or one turn is taken
 * from its arena and never freed one by one. Life: SF_ARENA_INIT, use, sf_arena_release.
 */
#ifndef SF_BASE_ARENA_H
#define SF_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct sf_arena_block;

struct sf_arena {
    struct sf_arena_block *blocks; /* newest first */
    size_t used;                   /* bytes handed out, for ceilings */
    bool mapped;                   /* blocks come from the kernel, not from the heap */
};

#define SF_ARENA_INIT  \
    {                  \
        NULL, 0, false \
    }

/* For what a forked process reads, which has no copy of the heap (io/child.h). */
#define SF_ARENA_MAPPED_INIT \
    {                        \
        NULL, 0, true        \
    }

void *sf_arena_alloc(struct sf_arena *arena, size_t size); /* zeroed, aligned for any type */
char *sf_arena_strndup(struct sf_arena *arena, const char *text, size_t len);
void sf_arena_release(struct sf_arena *arena);

#endif
