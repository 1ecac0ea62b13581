/*
 * map: from byte strings to pointers, in the order of insertion. Lookups are hashed with a
 * secret of the process, so hostile keys cannot make them slow. Keys are borrowed: they must
 * outlive the map (an arena is the usual owner). Values are never looked into.
 * Life: SF_MAP_INIT, use, sf_map_release.
 */
#ifndef SF_BASE_MAP_H
#define SF_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sf_map_entry {
    const char *key;
    size_t len;
    void *value;
    uint64_t hash;
};

struct sf_map {
    struct sf_map_entry *entries; /* in order; entries[0 … count-1] */
    size_t count, cap;
    uint32_t *slots; /* index + 1 into entries, 0 is empty */
    size_t nslots;
};

#define SF_MAP_INIT         \
    {                       \
        NULL, 0, 0, NULL, 0 \
    }

void *sf_map_get(const struct sf_map *map, const char *key, size_t len); /* NULL: not there */
void *sf_map_gets(const struct sf_map *map, const char *key);

/* True when the key was new; otherwise nothing changes. */
bool sf_map_add(struct sf_map *map, const char *key, size_t len, void *value);

void sf_map_release(struct sf_map *map);

#endif
