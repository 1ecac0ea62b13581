/*
 * id.c: ULID text, and nothing that knows what time it is.
 */
#include <string.h>

#include "base/base.h"

enum { TIME_CHARS = 10 };

static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz"; /* without i, l, o, u */

/* Five bytes are eight characters, the highest bits first. */
static void put_group(char *out, const unsigned char *bytes)
{
    uint64_t group = 0;

    for (int i = 0; i < 5; i++)
        group = group << 8 | bytes[i];
    for (int i = 0; i < 8; i++)
        out[i] = alphabet[group >> (35 - 5 * i) & 0x1f];
}

void sf_id_make(char out[SF_ID_LEN + 1], int64_t wall_ms, const unsigned char random[SF_ID_RANDOM])
{
    const int64_t last = ((int64_t)1 << 48) - 1;
    uint64_t time = (uint64_t)(wall_ms < 0 ? 0 : wall_ms > last ? last : wall_ms);

    for (int i = TIME_CHARS - 1; i >= 0; i--, time >>= 5)
        out[i] = alphabet[time & 0x1f];
    put_group(out + TIME_CHARS, random);
    put_group(out + TIME_CHARS + 8, random + 5);
    out[SF_ID_LEN] = '\0';
}
