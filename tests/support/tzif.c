/*
 * tzif.c: writes TZif as RFC 9636 describes it, without asking whether it makes sense.
 */
#include "support/tzif.h"

const struct test_tzif test_tzif_good = {
    .version = '2',
    .time_count = 2,
    .times = { 0, 1000000 },
    .begins = { 1, 0 },
    .type_count = 2,
    .types = { { 3600, 0, 0 }, { 7200, 1, 4 } },
    .chars = "AAA\0BBBB",
    .char_count = 9,
    .footer = "AAA-1BBBB,M3.5.0,M10.5.0/3",
};

static void add_number(struct sf_strbuf *sb, uint64_t value, int bytes)
{
    while (bytes--)
        sf_strbuf_addch(sb, (char)(value >> bytes * 8));
}

static void add_header(struct sf_strbuf *sb, int version, const size_t counts[6])
{
    sf_strbuf_adds(sb, "TZif");
    sf_strbuf_addch(sb, (char)version);
    sf_strbuf_fill(sb, '\0', 15);
    for (int i = 0; i < 6; i++)
        add_number(sb, counts[i], 4);
}

static void add_block(struct sf_strbuf *sb, const struct test_tzif *file, int time_bytes)
{
    const size_t counts[6] = {
        0, 0, file->leaps, file->time_count, file->type_count, file->char_count
    };

    add_header(sb, file->version, counts);
    for (size_t i = 0; i < file->time_count; i++)
        add_number(sb, (uint64_t)file->times[i], time_bytes);
    sf_strbuf_add(sb, file->begins, file->time_count);
    for (size_t i = 0; i < file->type_count; i++) {
        add_number(sb, (uint32_t)file->types[i].offset, 4);
        add_number(sb, file->types[i].dst, 1);
        add_number(sb, file->types[i].abbrev, 1);
    }
    sf_strbuf_add(sb, file->chars, file->char_count);
    sf_strbuf_fill(sb, '\0', file->leaps * (size_t)(time_bytes + 4));
}

void test_tzif_build(struct sf_strbuf *sb, const struct test_tzif *file)
{
    static const size_t nothing[6] = { 0 };

    if (!file->version) {
        add_block(sb, file, 4);
        return;
    }
    add_header(sb, file->version, nothing);
    add_block(sb, file, 8);
    if (file->footer)
        sf_strbuf_addf(sb, "\n%s\n", file->footer);
}

struct sf_zone *test_tzif_parse(const struct test_tzif *file, struct sf_error *err)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_zone *zone;

    test_tzif_build(&sb, file);
    zone = sf_zone_parse("Test/Zone", sb.buf, sb.len, err);
    sf_strbuf_release(&sb);
    return zone;
}
