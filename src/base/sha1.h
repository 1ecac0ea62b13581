/*
 * sha1: the SHA-1 of FIPS 180-4. For the names git gives to content and the checksums of its packs;
 * where somebody could gain from a collision, use sha256.
 */
#ifndef SF_BASE_SHA1_H
#define SF_BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

enum { SF_SHA1_SIZE = 20 };

struct sf_sha1 {
    uint32_t state[5];
    uint64_t bytes;
    unsigned char block[64];
};

void sf_sha1_init(struct sf_sha1 *hash);
void sf_sha1_update(struct sf_sha1 *hash, const void *data, size_t len);
void sf_sha1_final(struct sf_sha1 *hash, unsigned char digest[SF_SHA1_SIZE]);

#endif
