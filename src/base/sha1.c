/*
 * sha1.c: the SHA-1 of FIPS 180-4.
 */
#include "base/sha1.h"

#include <string.h>

static uint32_t rotate(uint32_t word, int bits)
{
    return (word << bits) | (word >> (32 - bits));
}

static void spread(uint32_t w[80], const unsigned char *block)
{
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
}

static void compress(uint32_t state[5], const unsigned char *block)
{
    static const uint32_t k[4] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

    spread(w, block);
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? (b & c) | (~b & d)
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        uint32_t next = rotate(a, 5) + f + e + k[i / 20] + w[i];

        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void sf_sha1_init(struct sf_sha1 *hash)
{
    *hash =
        (struct sf_sha1){ .state = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 } };
}

void sf_sha1_update(struct sf_sha1 *hash, const void *data, size_t len)
{
    const unsigned char *at = data;
    size_t filled = hash->bytes % 64;

    hash->bytes += len;
    while (len) {
        size_t n = 64 - filled < len ? 64 - filled : len;

        if (n == 64) {
            compress(hash->state, at);
        } else {
            memcpy(hash->block + filled, at, n);
            if (filled + n == 64)
                compress(hash->state, hash->block);
        }
        filled = (filled + n) % 64;
        at += n;
        len -= n;
    }
}

void sf_sha1_final(struct sf_sha1 *hash, unsigned char digest[SF_SHA1_SIZE])
{
    static const unsigned char pad[64] = { 0x80 };
    uint64_t bits = hash->bytes * 8;
    unsigned char length[8];

    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sf_sha1_update(hash, pad, 1 + (119 - hash->bytes % 64) % 64);
    sf_sha1_update(hash, length, 8);
    for (int i = 0; i < SF_SHA1_SIZE; i++)
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}
