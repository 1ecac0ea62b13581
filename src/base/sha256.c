/*
 * sha256.c: FIPS 180-4, section 6.2, letter by letter; variable names are the standard's.
 * Words are read big-endian byte by byte, so the machine's own order does not matter.
 */
#include <string.h>

#include "base/base.h"

enum { BLOCK = 64, LENGTH_AT = 56 };

/* clang-format off */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
/* clang-format on */

static uint32_t rotr(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static void expand(uint32_t w[64], const unsigned char *block)
{
    for (int t = 0; t < 16; t++, block += 4)
        w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               block[3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;

        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

static void compress(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], v[8]; /* v is a … h of the standard */

    expand(w, block);
    memcpy(v, state, sizeof(v));
    for (int t = 0; t < 64; t++) {
        uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
        uint32_t ch = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + ch + K[t] + w[t];
        uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        uint32_t maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);

        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] += t1;
        v[0] = t1 + s0 + maj;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void sf_sha256_init(struct sf_sha256 *hash)
{
    *hash = (struct sf_sha256){
        .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                   0x1f83d9ab, 0x5be0cd19 },
    };
}

void sf_sha256_update(struct sf_sha256 *hash, const void *data, size_t len)
{
    const unsigned char *p = data;
    size_t held = hash->bytes % BLOCK;

    hash->bytes += len;
    if (held && len >= BLOCK - held) {
        memcpy(hash->block + held, p, BLOCK - held);
        compress(hash->state, hash->block);
        p += BLOCK - held;
        len -= BLOCK - held;
        held = 0;
    }
    for (; !held && len >= BLOCK; p += BLOCK, len -= BLOCK)
        compress(hash->state, p);
    if (len)
        memcpy(hash->block + held, p, len);
}

void sf_sha256_final(struct sf_sha256 *hash, unsigned char digest[SF_SHA256_SIZE])
{
    static const unsigned char padding[BLOCK] = { 0x80 };
    uint64_t bits = hash->bytes * 8;
    size_t held = hash->bytes % BLOCK;
    unsigned char length[8];

    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sf_sha256_update(hash, padding, (held < LENGTH_AT ? LENGTH_AT : LENGTH_AT + BLOCK) - held);
    sf_sha256_update(hash, length, sizeof(length));
    for (int i = 0; i < SF_SHA256_SIZE; i++)
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sf_sha256_hex(const void *data, size_t len, char hex[SF_SHA256_HEX + 1])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[SF_SHA256_SIZE];
    struct sf_sha256 hash;

    sf_sha256_init(&hash);
    sf_sha256_update(&hash, data, len);
    sf_sha256_final(&hash, digest);
    for (size_t i = 0; i < SF_SHA256_SIZE; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 0xf];
    }
    hex[SF_SHA256_HEX] = '\0';
}
