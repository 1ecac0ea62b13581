/*
 * kind.c: magic numbers, sizes as text, image dimensions, and base64.
 */
#include "tools/kind.h"

#include <inttypes.h>

#include "base/base.h"

/* clang-format off */
static const struct {
    size_t at;
    const char *magic;
    size_t len;
    const char *name;
} kinds[] = {
    { 0, "\x89PNG\r\n\x1a\n", 8,    "a PNG image" },
    { 0, "\xff\xd8\xff", 3,         "a JPEG image" },
    { 0, "GIF8", 4,                 "a GIF image" },
    { 8, "WEBP", 4,                 "a WebP image" },
    { 0, "BM", 2,                   "a BMP image" },
    { 0, "II*\0", 4,                "a TIFF image" },
    { 0, "MM\0*", 4,                "a TIFF image" },
    { 0, "\0\0\1\0", 4,             "an icon" },
    { 0, "%PDF-", 5,                "a PDF document" },
    { 0, "PK\3\4", 4,               "a ZIP archive (or a document made of one)" },
    { 0, "\x1f\x8b", 2,             "gzip data" },
    { 0, "BZh", 3,                  "bzip2 data" },
    { 0, "\xfd" "7zXZ\0", 6,        "xz data" },
    { 0, "\x28\xb5\x2f\xfd", 4,     "zstd data" },
    { 0, "7z\xbc\xaf\x27\x1c", 6,   "a 7z archive" },
    { 257, "ustar", 5,              "a tar archive" },
    { 0, "!<arch>\n", 8,            "a library or package archive" },
    { 0, "\x7f" "ELF", 4,           "a program or library (ELF)" },
    { 0, "MZ", 2,                   "a Windows program" },
    { 0, "\xcf\xfa\xed\xfe", 4,     "a program (Mach-O)" },
    { 0, "\xca\xfe\xba\xbe", 4,     "a Java class or program (Mach-O)" },
    { 0, "\0asm", 4,                "a WebAssembly module" },
    { 0, "SQLite format 3", 16,     "an SQLite database" },
    { 0, "OggS", 4,                 "Ogg sound or video" },
    { 0, "fLaC", 4,                 "FLAC sound" },
    { 0, "ID3", 3,                  "MP3 sound" },
    { 8, "WAVE", 4,                 "WAV sound" },
    { 4, "ftyp", 4,                 "video (MP4 or the like)" },
    { 0, "\x1a\x45\xdf\xa3", 4,     "video (Matroska or WebM)" },
    { 0, "wOFF", 4,                 "a font" },
    { 0, "wOF2", 4,                 "a font" },
    { 0, "OTTO", 4,                 "a font" },
    { 0, "\0\1\0\0", 4,             "a font" },
};
/* clang-format on */

const char *sf_kind_name(const char *bytes, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (len >= kinds[i].at + kinds[i].len &&
            !memcmp(bytes + kinds[i].at, kinds[i].magic, kinds[i].len))
            return kinds[i].name;
    return "binary data";
}

void sf_kind_size(struct sf_strbuf *out, uint64_t bytes)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    double size = (double)bytes / 1024;
    size_t unit = 0;

    if (bytes < 10000) {
        sf_strbuf_addf(out, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
        return;
    }
    for (; size >= 1024 && unit + 1 < SF_COUNT(units); unit++)
        size /= 1024;
    sf_strbuf_addf(out, "%.1f %s", size, units[unit]);
}

/* ---- image dimensions ---- */

static uint32_t big(const unsigned char *at, size_t bytes)
{
    uint32_t n = 0;

    for (size_t i = 0; i < bytes; i++)
        n = n << 8 | at[i];
    return n;
}

static uint32_t little(const unsigned char *at, size_t bytes)
{
    uint32_t n = 0;

    while (bytes-- > 0)
        n = n << 8 | at[bytes];
    return n;
}

static bool extent_png(const unsigned char *b, size_t len, uint32_t *across, uint32_t *down)
{
    if (len < 24)
        return false;
    *across = big(b + 16, 4);
    *down = big(b + 20, 4);
    return true;
}

static bool extent_gif(const unsigned char *b, size_t len, uint32_t *across, uint32_t *down)
{
    if (len < 10)
        return false;
    *across = little(b + 6, 2);
    *down = little(b + 8, 2);
    return true;
}

/* Skips segments up to the start of a frame; 0xc4, 0xc8 and 0xcc in that range are no frames. */
static bool extent_jpeg(const unsigned char *b, size_t len, uint32_t *across, uint32_t *down)
{
    for (size_t at = 2; at + 9 < len && b[at] == 0xff;) {
        unsigned char kind = b[at + 1];

        if (kind >= 0xc0 && kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc) {
            *down = big(b + at + 5, 2);
            *across = big(b + at + 7, 2);
            return true;
        }
        at += kind == 0xff ? 1 : 2 + (size_t)big(b + at + 2, 2);
    }
    return false;
}

/* There are three formats: lossy, lossless, and extended. */
static bool extent_webp(const unsigned char *b, size_t len, uint32_t *across, uint32_t *down)
{
    if (len < 30)
        return false;
    if (!memcmp(b + 12, "VP8 ", 4)) {
        *across = little(b + 26, 2) & 0x3fff;
        *down = little(b + 28, 2) & 0x3fff;
    } else if (!memcmp(b + 12, "VP8L", 4)) {
        uint32_t bits = little(b + 21, 4);

        *across = (bits & 0x3fff) + 1;
        *down = (bits >> 14 & 0x3fff) + 1;
    } else if (!memcmp(b + 12, "VP8X", 4)) {
        *across = little(b + 24, 3) + 1;
        *down = little(b + 27, 3) + 1;
    } else {
        return false;
    }
    return true;
}

static const struct {
    const char *name;
    bool (*extent)(const unsigned char *b, size_t len, uint32_t *across, uint32_t *down);
} extents[] = {
    { "a PNG image", extent_png },
    { "a GIF image", extent_gif },
    { "a JPEG image", extent_jpeg },
    { "a WebP image", extent_webp },
};

bool sf_kind_extent(const char *bytes, size_t len, uint32_t *across, uint32_t *down)
{
    const char *name = sf_kind_name(bytes, len);

    for (size_t i = 0; i < SF_COUNT(extents); i++)
        if (!strcmp(extents[i].name, name))
            return extents[i].extent((const unsigned char *)bytes, len, across, down);
    return false;
}

void sf_kind_base64(struct sf_strbuf *out, const char *bytes, size_t len)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    enum { PAD = 64 };

    for (size_t i = 0; i < len; i += 3) {
        size_t n = len - i < 3 ? len - i : 3;
        unsigned bits = 0;
        char *to = sf_strbuf_room(out, 4);

        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < n ? (unsigned char)bytes[i + k] : 0u);
        to[0] = digits[bits >> 18];
        to[1] = digits[bits >> 12 & 63];
        to[2] = digits[n > 1 ? bits >> 6 & 63 : PAD];
        to[3] = digits[n > 2 ? bits & 63 : PAD];
        sf_strbuf_grew(out, 4);
    }
}
