/*
 * pack_names.c: the index of a pack, version 2: a table of 256 counts, then the sorted names. Numbers
 * in there are compared with the size of the file before they are believed.
 */
#include "cage/pack_names.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "cage/keeper.h"

enum { INDEX_MAX = 1 << 28, NAMES_AT = 8 + 4 * 256 };

void sf_pack_names_read(struct sf_pack_names *n, int root, const char *path)
{
    static const unsigned char magic[8] = { 0xff, 't', 'O', 'c', 0, 0, 0, 2 };
    size_t len = strlen(path);
    uint32_t count = 0;

    *n = (struct sf_pack_names){ .text = SF_STRBUF_INIT };
    n->width = len > 45 && path[len - 45] == '-' ? 20 : 32; /* by the name of the pack */
    if (!sf_keeper_read(root, path, INDEX_MAX, &n->text) || n->text.len < NAMES_AT ||
        memcmp(n->text.buf, magic, sizeof(magic)) != 0)
        return;
    memcpy(&count, n->text.buf + NAMES_AT - 4, 4);
    count = be32toh(count);
    if ((n->text.len - NAMES_AT) / n->width >= count)
        n->count = count;
    n->list = (const unsigned char *)n->text.buf + NAMES_AT;
}

bool sf_pack_names_have(const struct sf_pack_names *n, const unsigned char *name)
{
    size_t low = 0, high = n->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = memcmp(n->list + middle * n->width, name, n->width);

        if (!order)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
