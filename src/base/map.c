/*
 * map.c: open addressing over a dense, ordered entry array. The hash is SipHash-1-3 keyed
 * with the random bytes each process is given at its start.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/base.h"

static uint64_t rotl(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotl(v[1], 13) ^ v[0];
    v[0] = rotl(v[0], 32);
    v[2] += v[3];
    v[3] = rotl(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotl(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotl(v[1], 17) ^ v[2];
    v[2] = rotl(v[2], 32);
}

/* The sixteen random bytes the kernel hands to every process: no call, no failure. */
static const uint64_t *secret(void)
{
    static uint64_t key[2];
    static bool ready;

    if (!ready) {
        memcpy(key, (const void *)getauxval(AT_RANDOM),
               sizeof(key)); // NOLINT(performance-no-int-to-ptr)
        ready = true;
    }
    return key;
}

static uint64_t hash_bytes(const char *data, size_t len)
{
    const uint64_t *key = secret();
    uint64_t v[4] = { key[0] ^ 0x736f6d6570736575U, key[1] ^ 0x646f72616e646f6dU,
                      key[0] ^ 0x6c7967656e657261U, key[1] ^ 0x7465646279746573U };
    uint64_t word = (uint64_t)len << 56;
    size_t whole = len - len % 8;

    for (size_t i = 0; i < whole; i += 8) {
        uint64_t m;

        memcpy(&m, data + i, sizeof(m));
        v[3] ^= m;
        sip_round(v);
        v[0] ^= m;
    }
    for (size_t i = whole; i < len; i++)
        word |= (uint64_t)(unsigned char)data[i] << 8 * (i % 8);
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* The slot that holds the key, or the empty one where it belongs. nslots is a power of two. */
static size_t find_slot(const struct sf_map *map, const char *key, size_t len, uint64_t hash)
{
    size_t at = hash & (map->nslots - 1);

    for (; map->slots[at]; at = (at + 1) & (map->nslots - 1)) {
        const struct sf_map_entry *e = &map->entries[map->slots[at] - 1];

        if (e->hash == hash && e->len == len && !memcmp(e->key, key, len))
            break;
    }
    return at;
}

static void rehash(struct sf_map *map)
{
    free(map->slots);
    map->nslots = map->nslots ? map->nslots * 2 : 8;
    map->slots = sf_alloc_array(map->nslots, sizeof(*map->slots));
    for (size_t i = 0; i < map->count; i++) {
        const struct sf_map_entry *e = &map->entries[i];

        map->slots[find_slot(map, e->key, e->len, e->hash)] = (uint32_t)(i + 1);
    }
}

void *sf_map_get(const struct sf_map *map, const char *key, size_t len)
{
    size_t at;

    if (!map->count)
        return NULL;
    at = find_slot(map, key, len, hash_bytes(key, len));
    return map->slots[at] ? map->entries[map->slots[at] - 1].value : NULL;
}

void *sf_map_gets(const struct sf_map *map, const char *key)
{
    return sf_map_get(map, key, strlen(key));
}

bool sf_map_add(struct sf_map *map, const char *key, size_t len, void *value)
{
    uint64_t hash = hash_bytes(key, len);
    size_t at;

    assert(value && map->count < UINT32_MAX);
    if (map->count * 4 >= map->nslots * 3)
        rehash(map);
    at = find_slot(map, key, len, hash);
    if (map->slots[at])
        return false;
    map->entries = sf_grow(map->entries, &map->cap, map->count + 1, sizeof(*map->entries));
    map->entries[map->count++] = (struct sf_map_entry){ key, len, value, hash };
    map->slots[at] = (uint32_t)map->count;
    return true;
}

void sf_map_release(struct sf_map *map)
{
    free(map->entries);
    free(map->slots);
    *map = (struct sf_map)SF_MAP_INIT;
}
