/*
 * sha256: the SHA-256 of FIPS 180-4, whole or in pieces. For naming and comparing content;
 * nothing here is meant to keep a secret.
 * Life: sf_sha256_init, any number of updates, one final; then init again.
 */
#ifndef SF_BASE_SHA256_H
#define SF_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SF_SHA256_SIZE = 32, SF_SHA256_HEX = 64 };

struct sf_sha256 {
    uint32_t state[8];
    uint64_t bytes; /* fed so far */
    unsigned char block[64];
};

void sf_sha256_init(struct sf_sha256 *hash);
void sf_sha256_update(struct sf_sha256 *hash, const void *data, size_t len);
void sf_sha256_final(struct sf_sha256 *hash, unsigned char digest[SF_SHA256_SIZE]);

/* All at once, as lower-case hexadecimal text with its NUL. */
void sf_sha256_hex(const void *data, size_t len, char hex[SF_SHA256_HEX + 1]);

#endif
