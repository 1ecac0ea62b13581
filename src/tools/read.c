/*
 * read.c: the Read tool. A file that fits into memory is read whole and shown as what it is: text
 * in some encoding, an image, or neither. Larger files are scanned once (large.c). Each special
 * case has a message of its own: empty, past the end, binary, missing.
 */
#include <inttypes.h>
#include <unistd.h>

#include "base/base.h"
#include "edit/edit.h"
#include "tools/box.h"
#include "tools/image.h"
#include "tools/kind.h"
#include "tools/large.h"
#include "tools/nearby.h"
#include "tools/numbered.h"
#include "tools/seen.h"
#include "tools/table_rows.h"

enum {
    HELD_MAX = SF_TEXTFILE_MAX,
    PROBE = 64 * 1024, /* bytes of a large file that tell whether it is text */
};

/* One running call. */
struct reading {
    struct sf_toolbox *box;
    struct sf_tool_call *call;
    struct sf_place *place;
    struct sf_seen_request request;
    unsigned char digest[SF_SHA256_SIZE];
};

static bool describe_read(struct sf_tool_call *call, struct sf_error *err)
{
    return sf_tool_call_add_target(call, sf_arg_str(call->args, "file_path", ""), SF_WANT_ANY,
                                   SF_ACT_READ, err);
}

static const char *for_people(const struct reading *r)
{
    return sf_tool_call_shown(r->call, r->place);
}

static void fail_binary(struct reading *r, const char *bytes, size_t len, uint64_t size)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_kind_size(&sb, size);
    sf_tool_call_failf(
        r->call, "%s is %s, %s\nRead shows text and images; use a command that knows the format",
        r->place->shown, sf_kind_name(bytes, len), sb.buf);
    sf_strbuf_release(&sb);
}

static void show_image(struct reading *r, const char *media, const struct sf_strbuf *bytes)
{
    struct sf_strbuf data = SF_STRBUF_INIT, size = SF_STRBUF_INIT;

    if (!sf_image_measure(bytes, &size)) {
        sf_tool_call_failf(r->call, "%s is %s, %s; %s\nmake a smaller copy", r->place->shown,
                           sf_kind_name(bytes->buf, bytes->len), size.buf, sf_image_limits);
    } else {
        sf_kind_base64(&data, bytes->buf, bytes->len);
        r->call->result.media = sf_strdup(media);
        r->call->result.data = sf_strbuf_detach(&data);
        sf_tool_call_addf(r->call, "[%s: %s, %s]", r->place->shown, media, size.buf);
        sf_tool_call_summary(r->call, "read %s (%s)", for_people(r), media);
        sf_seen_note(r->box->seen, r->call, r->place, r->digest, true);
    }
    sf_strbuf_release(&size);
}

static void show_empty(struct reading *r)
{
    sf_seen_note(r->box->seen, r->call, r->place, r->digest, true);
    sf_tool_call_addf(r->call, "[%s is empty]", r->place->shown);
    sf_tool_call_summary(r->call, "read %s (empty)", for_people(r));
}

static void fail_past_end(struct reading *r, int64_t total)
{
    sf_tool_call_failf(r->call,
                       "offset %" PRId64 " is past the end: %s has %" PRId64 " line%s\n"
                       "use an offset from 1 to %" PRId64,
                       r->request.offset, r->place->shown, total, total == 1 ? "" : "s", total);
}

/* Adds the lines, followed by remarks in brackets. */
static void show_lines(struct reading *r, const struct sf_numbered *n, int64_t total)
{
    int64_t first = r->request.offset, last = first + n->count - 1;

    sf_tool_call_add_text(r->call, n->text.buf, n->text.len);
    if (total < 0)
        sf_tool_call_addf(r->call,
                          "[lines %" PRId64 "-%" PRId64
                          " of a very large file; Read again with offset %" PRId64 " to go on]\n",
                          first, last, last + 1);
    else if (last < total)
        sf_tool_call_addf(r->call,
                          "[lines %" PRId64 "-%" PRId64 " of %" PRId64
                          "; Read again with offset %" PRId64 " to go on]\n",
                          first, last, total, last + 1);
    else if (first > 1)
        sf_tool_call_addf(r->call, "[lines %" PRId64 "-%" PRId64 ", the end of the file]\n", first,
                          last);
    if (n->damaged)
        sf_tool_call_addf(r->call,
                          "[not UTF-8: damaged or foreign bytes are shown as \xef\xbf\xbd; "
                          "editing leaves the other bytes as they are]\n");
    sf_tool_call_summary(r->call, "read %s (%" PRId64 " line%s)", for_people(r), n->count,
                         n->count == 1 ? "" : "s");
}

static void note_lines(struct reading *r, const struct sf_numbered *n, int64_t total, bool cut)
{
    struct sf_file_seen *seen = sf_seen_note(r->box->seen, r->call, r->place, r->digest, false);

    seen->first = r->request.offset;
    seen->last = r->request.offset + n->count - 1;
    seen->limit = cut ? -1 : r->request.limit;
    seen->whole = sf_seen_shown(r->box->seen, r->place->real,
                                (struct sf_seen_lines){ seen->first, seen->last, total });
    if (!cut)
        sf_seen_requested(r->box->seen, r->place->real, r->request);
}

/* Whether the model's context has these lines already. */
static bool show_repeated(struct reading *r)
{
    if (!sf_seen_repeated(r->box->seen, r->place->real, r->digest, r->request))
        return false;
    sf_tool_call_addf(
        r->call,
        "[%s has not changed since these lines were read above; read once more to have "
        "them shown again]",
        r->place->shown);
    sf_tool_call_summary(r->call, "read %s (unchanged)", for_people(r));
    sf_seen_note(r->box->seen, r->call, r->place, r->digest, false)->again = true;
    return true;
}

/* The length without the ending: "\n", "\r\n", or "\r" in files where that ends lines. */
static size_t bare_len(const char *line, size_t len)
{
    return len - sf_line_ending(line, len);
}

static void show_text(struct reading *r, const struct sf_textfile *file)
{
    enum sf_line_rule rule = file->endings == SF_ENDINGS_CR ? SF_LINES_CR : SF_LINES_LF;
    struct sf_lines lines;
    struct sf_numbered n;
    int64_t total, at = r->request.offset - 1;
    bool cut = false;

    sf_lines_init(&lines, file->text, file->len, rule);
    sf_numbered_init(&n, SF_NUMBERED_BYTES);
    total = (int64_t)lines.count;
    for (; at < total && n.count < r->request.limit && !cut; at++) {
        const char *line = file->text + lines.starts[at];
        size_t len = bare_len(line, lines.starts[at + 1] - lines.starts[at]);

        cut = !sf_numbered_add(&n, at + 1, line, len, len);
    }
    if (!n.count) {
        fail_past_end(r, total);
    } else {
        show_lines(r, &n, total);
        if (file->encoding == SF_ENCODING_UTF16LE || file->encoding == SF_ENCODING_UTF16BE)
            sf_tool_call_addf(r->call, "[the file is %s; editing keeps that]\n",
                              sf_encoding_name(file->encoding));
        note_lines(r, &n, total, cut || n.folded > 0);
    }
    sf_numbered_release(&n);
    sf_lines_release(&lines);
}

static void show_held(struct reading *r, const struct sf_strbuf *bytes)
{
    struct sf_textfile file;
    struct sf_sha256 hash;

    sf_sha256_init(&hash);
    sf_sha256_update(&hash, bytes->buf, bytes->len);
    sf_sha256_final(&hash, r->digest);
    sf_textfile_read(&file, bytes->buf, bytes->len);
    if (file.media)
        show_image(r, file.media, bytes);
    else if (file.encoding == SF_ENCODING_BINARY)
        fail_binary(r, bytes->buf, bytes->len, bytes->len);
    else if (file.trouble)
        sf_tool_call_failf(r->call, "%s cannot be shown: %s", r->place->shown, file.trouble);
    else if (!file.len)
        show_empty(r);
    else if (!show_repeated(r))
        show_text(r, &file);
    sf_textfile_release(&file);
}

/* Whether the beginning of a large file is text that can be shown line by line. */
static bool looks_like_text(struct reading *r, int fd)
{
    char *probe = sf_alloc(PROBE);
    ssize_t n = pread(fd, probe, PROBE, 0);
    size_t len = n > 0 ? (size_t)n : 0;
    bool text = !memchr(probe, '\0', len) && strncmp(probe, "\xff\xfe", 2) != 0 &&
                strncmp(probe, "\xfe\xff", 2) != 0;

    if (!text)
        fail_binary(r, probe, len, (uint64_t)r->place->st.st_size);
    free(probe);
    return text;
}

static void show_large(struct reading *r)
{
    struct sf_large large = { .offset = r->request.offset, .limit = r->request.limit };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_numbered n;
    int fd = sf_place_open_read(r->place, &err);

    sf_numbered_init(&n, SF_NUMBERED_BYTES);
    if (fd < 0) {
        sf_tool_call_fail(r->call, &err);
    } else if (looks_like_text(r, fd)) {
        if (!sf_large_read(&large, fd, r->place->shown, &n, &r->call->cancelled, &err))
            sf_tool_call_fail(r->call, &err);
        else if (!n.count)
            fail_past_end(r, large.total);
        else
            show_lines(r, &n, large.total);
    }
    if (large.complete && n.count) {
        memcpy(r->digest, large.digest, sizeof(r->digest));
        note_lines(r, &n, large.total, true);
    }
    if (fd >= 0)
        close(fd);
    sf_numbered_release(&n);
}

static void show_file(struct reading *r)
{
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool large = r->place->st.st_size > HELD_MAX;

    if (!large && !sf_place_read(r->place, HELD_MAX, &bytes, &err)) {
        large = err.code == SF_E_LIMIT; /* the file grew meanwhile */
        if (!large)
            sf_tool_call_fail(r->call, &err);
    } else if (!large) {
        show_held(r, &bytes);
    }
    if (large)
        show_large(r);
    sf_strbuf_release(&bytes);
}

static void run_read(struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct reading r = { .box = box, .call = call, .place = &call->targets[0].place };
    struct sf_error err = SF_ERROR_INIT;

    r.request.offset = sf_arg_int(call->args, "offset", 1);
    if (r.request.offset < 1)
        r.request.offset = 1;
    r.request.limit = sf_arg_int(call->args, "limit", SF_NUMBERED_LINES);
    if (r.request.limit > SF_NUMBERED_LINES)
        r.request.limit = SF_NUMBERED_LINES;
    if (r.place->kind == SF_PLACE_NOTHING) {
        sf_nearby_fail(r.place, box->stand, &err);
        sf_tool_call_fail(call, &err);
    } else if (r.place->kind == SF_PLACE_DIR) {
        sf_tool_call_failf(call, "%s is a directory\nuse LS to see what is in it", r.place->shown);
    } else {
        show_file(&r);
    }
}

/* clang-format off */
static const struct sf_tool_arg read_args[] = {
    { .name = "file_path", .type = SF_ARG_STRING, .required = true, .alias = "path",
      .help = "Path of the file, absolute or from the working directory" },
    { .name = "offset", .type = SF_ARG_INT, .max = INT64_MAX,
      .help = "First line to show, counted from 1" },
    { .name = "limit", .type = SF_ARG_INT, .min = 1, .max = INT64_MAX,
      .help = "How many lines to show; 2000 when left out, and never more" },
};
/* clang-format on */

const struct sf_tool sf_tool_read = {
    .name = "Read",
    .help = "Show a file. Lines come as \"N: text\"; the number and what follows it up to the "
            "first blank are not part of the file. At most 2000 lines and 50 KiB at once: a note "
            "at the end names the offset to go on with. Images (PNG, JPEG, GIF, WebP) are shown "
            "as such. Read a file before you change it. For directories use LS.",
    .args = read_args,
    .arg_count = SF_COUNT(read_args),
    .act = SF_ACT_READ,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_WORKER,
    .parallel = true,
    .describe = describe_read,
    .run = run_read,
};
