/*
 * image.c: the limits of pictures, and reading one.
 */
#include "tools/image.h"

#include <assert.h>
#include <inttypes.h>

#include "edit/edit.h"
#include "io/io.h"
#include "tools/kind.h"

enum {
    IMAGE_MAX = 15 * 1024 * 1024 / 4, /* 5 MiB in base64, which is what services count */
    IMAGE_SIDE = 8000,                /* pixels of the longer side */
};

static_assert(IMAGE_MAX * 4 == 15 * 1024 * 1024 && IMAGE_SIDE == 8000, "as the words below say");
const char sf_image_limits[] = "images up to 3.75 MiB and 8000 pixels a side can be shown";

bool sf_image_measure(const struct sf_strbuf *bytes, struct sf_strbuf *size)
{
    uint32_t across = 0, down = 0;

    sf_kind_size(size, bytes->len);
    if (sf_kind_extent(bytes->buf, bytes->len, &across, &down))
        sf_strbuf_addf(size, ", %" PRIu32 " by %" PRIu32 " pixels", across, down);
    return bytes->len <= IMAGE_MAX && across <= IMAGE_SIDE && down <= IMAGE_SIDE;
}

static bool encode(const char *file, const struct sf_strbuf *bytes, char **media, char **data,
                   struct sf_error *err)
{
    struct sf_strbuf size = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_textfile kind;
    bool ok;

    sf_textfile_read(&kind, bytes->buf, bytes->len);
    ok = kind.media != NULL;
    if (!ok) {
        sf_fail(err, SF_E_ARG, "%s is no image: it is %s", file,
                sf_kind_name(bytes->buf, bytes->len));
        sf_hint(err, "PNG, JPEG, GIF and WebP can be shown");
    } else if (!sf_image_measure(bytes, &size)) {
        ok = sf_fail(err, SF_E_LIMIT, "%s is too large: %s; %s", file, size.buf, sf_image_limits);
        sf_hint(err, "make a smaller copy");
    } else {
        sf_kind_base64(&text, bytes->buf, bytes->len);
        *media = sf_strdup(kind.media);
        *data = sf_strbuf_detach(&text);
    }
    sf_textfile_release(&kind);
    sf_strbuf_release(&size);
    return ok;
}

/* Up to four times the most is read, so that the message about a larger file can measure it. */
bool sf_image_read(const char *file, char **media, char **data, struct sf_error *err)
{
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    bool ok = sf_file_read(file, (size_t)4 * IMAGE_MAX, &bytes, err) &&
              encode(file, &bytes, media, data, err);

    sf_strbuf_release(&bytes);
    return ok;
}
