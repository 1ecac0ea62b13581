/*
 * carve.c: recovers events when the pages that lead to them are destroyed. Every page of the file
 * is read as if it were a leaf of a table; a record that has the columns of an event and passes
 * the constraints of the table counts as one. The layout is SQLite's file format, sections 1.5
 * (pages) and 2.1 (records).
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "store/internal.h"
#include "store/schema.h"

enum {
    PAGE = SF_STORE_PAGE_SIZE,
    LEAF = 0x0d,
    LEAF_HEADER = 8,
    FILE_HEADER = 100, /* before the first page's own header */
    LOG_HEADER = 32,
    FRAME_HEADER = 24,
    COLUMNS = 7, /* id, session_id, seq, time, surface, kind, data */
    PAYLOAD_MAX = (int)SF_EVENT_BYTES_MAX + PAGE,
};

struct carver {
    struct sf_sql *to;
    sqlite3_stmt *write;
    int fd;                   /* the database, for overflow pages */
    struct sf_strbuf payload; /* of the current row */
    int64_t saved;
};

struct span {
    const unsigned char *at, *end;
};

static bool read_at(int fd, unsigned char *buf, size_t len, int64_t offset)
{
    ssize_t n = pread(fd, buf, len, (off_t)offset);

    return n == (ssize_t)len;
}

static unsigned get2(const unsigned char *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static int64_t get4(const unsigned char *p)
{
    return (int64_t)get2(p) << 16 | get2(p + 2);
}

/* Seven bits per byte, most significant first; the ninth byte has eight. */
static bool take_varint(struct span *s, int64_t *out)
{
    uint64_t value = 0;

    for (int i = 0; i < 9 && s->at < s->end; i++) {
        unsigned char byte = *s->at++;

        value = i == 8 ? value << 8 | byte : value << 7 | (byte & 0x7f);
        if (i == 8 || !(byte & 0x80)) {
            *out = (int64_t)value;
            return true;
        }
    }
    return false;
}

/* How many bytes of a payload stay on the leaf itself. */
static size_t local_size(size_t total)
{
    const size_t most = PAGE - 35, least = (PAGE - 12) * 32 / 255 - 23;
    size_t size = total;

    if (total > most) {
        size = least + (total - least) % (PAGE - 4);
        if (size > most)
            size = least;
    }
    return size;
}

/* Follows the chain of pages a long row continues on. */
static bool add_overflow(struct carver *c, int64_t page, size_t missing)
{
    unsigned char buf[PAGE];

    while (missing > 0) {
        size_t part = missing < PAGE - 4 ? missing : PAGE - 4;

        if (page < 2 || !read_at(c->fd, buf, PAGE, (page - 1) * PAGE))
            return false;
        sf_strbuf_add(&c->payload, buf + 4, part);
        missing -= part;
        page = get4(buf);
    }
    return true;
}

static bool is_text(int64_t type)
{
    return type >= 13 && type % 2;
}

static bool is_integer(int64_t type)
{
    return (type >= 1 && type <= 6) || type == 8 || type == 9;
}

/* The size of a value of that type in bytes; for blobs and texts the type encodes the size. */
static int64_t width_of(int64_t type)
{
    static const int widths[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0 };

    return type < 12 ? widths[type] : (type - 12) / 2;
}

/*
 * The types at the head of a record must be those of an event and add up to its size. The id is
 * stored as NULL, since it is the rowid. Columns may have been added after ours.
 */
static bool is_event(const struct sf_strbuf *payload, int64_t total)
{
    const unsigned char *start = (const unsigned char *)payload->buf;
    struct span head = { start, start + payload->len };
    int64_t size, type;

    if (!take_varint(&head, &size) || size < COLUMNS + 1 || size > (int64_t)payload->len)
        return false;
    head.end = start + size;
    for (int column = 1; head.at < head.end; column++) {
        if (!take_varint(&head, &type) || type < 0 || type > 2 * (int64_t)PAYLOAD_MAX)
            return false;
        if ((column == 1 && type != 0) || (column == 3 && !is_integer(type)) ||
            (column <= COLUMNS && column != 1 && column != 3 && !is_text(type)))
            return false;
        size += width_of(type);
    }
    return size == total;
}

static bool load_payload(struct carver *c, struct span cell, int64_t *rowid)
{
    int64_t total;
    size_t local;

    sf_strbuf_reset(&c->payload);
    if (!take_varint(&cell, &total) || !take_varint(&cell, rowid) || total < COLUMNS + 1 ||
        total > PAYLOAD_MAX || *rowid < 1)
        return false;
    local = local_size((size_t)total);
    if (local > (size_t)(cell.end - cell.at))
        return false;
    sf_strbuf_add(&c->payload, cell.at, local);
    if (!is_event(&c->payload, total))
        return false;
    if (local == (size_t)total)
        return true;
    return cell.end - cell.at >= (ptrdiff_t)local + 4 &&
           add_overflow(c, get4(cell.at + local), (size_t)total - local);
}

static int64_t get_integer(const unsigned char *p, int64_t type)
{
    uint64_t value = width_of(type) && p[0] & 0x80 ? UINT64_MAX : 0;

    for (int64_t i = 0; i < width_of(type); i++)
        value = value << 8 | p[i];
    return type == 9 ? 1 : (int64_t)value;
}

/* The payload is that of an event: its types and sizes have been checked. */
static void bind_record(struct carver *c, int64_t rowid)
{
    const unsigned char *start = (const unsigned char *)c->payload.buf, *at;
    struct span head = { start, start + c->payload.len };
    int64_t size = 0, type = 0;

    take_varint(&head, &size);
    take_varint(&head, &type);
    at = start + size;
    sqlite3_bind_int64(c->write, 1, rowid);
    for (int column = 2; column <= COLUMNS && take_varint(&head, &type); column++) {
        if (is_integer(type))
            sqlite3_bind_int64(c->write, column, get_integer(at, type));
        else if (memchr(at, 0, (size_t)width_of(type)))
            sqlite3_bind_null(c->write, column); /* zeroed on disk; the table refuses it */
        else
            sqlite3_bind_text64(c->write, column, (const char *)at, (sqlite3_uint64)width_of(type),
                                SQLITE_STATIC, SQLITE_UTF8);
        at += width_of(type);
    }
}

static bool carve_cell(struct carver *c, struct span cell, struct sf_error *err)
{
    int64_t rowid;
    int rc;

    if (!load_payload(c, cell, &rowid))
        return true;
    bind_record(c, rowid);
    rc = sqlite3_step(c->write);
    sqlite3_reset(c->write);
    if (rc == SQLITE_DONE)
        c->saved += sqlite3_changes(c->to->db);
    return rc == SQLITE_DONE || (rc & 0xff) == SQLITE_CONSTRAINT || sf_sql_fail(c->to, rc, err);
}

static bool carve_page(struct carver *c, const unsigned char *page, size_t header,
                       struct sf_error *err)
{
    size_t count = get2(page + header + 3);
    const unsigned char *pointers = page + header + LEAF_HEADER;

    if (page[header] != LEAF || count > (PAGE - header - LEAF_HEADER) / 2)
        return true;
    for (size_t i = 0; i < count; i++) {
        size_t at = get2(pointers + 2 * i);

        if (at >= header + LEAF_HEADER && at < PAGE &&
            !carve_cell(c, (struct span){ page + at, page + PAGE }, err))
            return false;
    }
    return true;
}

/* A database consists of pages from its start; a log has a header before each page. */
static bool carve_file(struct carver *c, int fd, bool is_log, struct sf_error *err)
{
    int64_t offset = is_log ? LOG_HEADER + FRAME_HEADER : 0;
    unsigned char page[PAGE];
    bool ok = true;

    while (ok && read_at(fd, page, PAGE, offset)) {
        ok = carve_page(c, page, offset == 0 ? FILE_HEADER : 0, err);
        offset += is_log ? FRAME_HEADER + PAGE : PAGE;
    }
    return ok;
}

bool sf_store_carve_events(struct sf_sql *to, const char *path, int64_t *saved,
                           struct sf_error *err)
{
    struct carver c = { .to = to, .fd = -1, .payload = SF_STRBUF_INIT };
    struct sf_strbuf log = SF_STRBUF_INIT;
    int log_fd = -1;
    bool ok = false;

    sf_strbuf_addf(&log, "%s-wal", path);
    c.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    log_fd = open(log.buf, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    c.write = sf_sql_prepare(to,
                             "INSERT OR IGNORE INTO events"
                             " (id, session_id, seq, time, surface, kind, data)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                             err);
    ok = c.write && (c.fd < 0 || carve_file(&c, c.fd, false, err)) &&
         (log_fd < 0 || carve_file(&c, log_fd, true, err));
    *saved += c.saved;
    sqlite3_finalize(c.write);
    sf_strbuf_release(&c.payload);
    sf_strbuf_release(&log);
    if (log_fd >= 0)
        close(log_fd);
    if (c.fd >= 0)
        close(c.fd);
    return ok;
}
