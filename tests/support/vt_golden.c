/*
 * vt_golden.c: a screen as text that people can review: the picture first, then, row by row, the
 * runs of cells that are more than plain text.
 */
#include <errno.h>
#include <sys/stat.h>

#include "io/io.h"
#include "support/test.h"
#include "support/vt.h"

enum { GOLDEN_MAX = 4 * 1024 * 1024 };

static bool same_look(const struct vt_cell *a, const struct vt_cell *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs;
}

static void add_colour(struct sf_strbuf *out, const char *name, int32_t colour)
{
    if (colour == VT_DEFAULT)
        return;
    if (colour > 0xffffff)
        sf_strbuf_addf(out, " %s=%d", name, (int)(colour - VT_INDEX(0)));
    else
        sf_strbuf_addf(out, " %s=#%06x", name, (unsigned)colour);
}

static void add_run(struct sf_strbuf *out, int first, int last, const struct vt_cell *cell)
{
    static const char *const names[] = { "bold", "italic", "underline", "reverse" };

    sf_strbuf_addf(out, "  %d-%d", first, last);
    add_colour(out, "fg", cell->fg);
    add_colour(out, "bg", cell->bg);
    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (cell->attrs & 1u << i)
            sf_strbuf_addf(out, " %s", names[i]);
}

static void add_row_looks(struct vt *vt, int row, int cols, struct sf_strbuf *out)
{
    static const struct vt_cell plain = { .fg = VT_DEFAULT, .bg = VT_DEFAULT };

    for (int first = 0, last; first < cols; first = last + 1) {
        struct vt_cell cell = vt_cell(vt, row, first), next;

        for (last = first; last + 1 < cols; last++) {
            next = vt_cell(vt, row, last + 1);
            if (!same_look(&cell, &next))
                break;
        }
        if (same_look(&cell, &plain))
            continue;
        add_run(out, first, last, &cell);
    }
}

/* "6-49:  0-199 fg=#4a4f63": rows that look the same stand together. */
static void add_looks(struct vt *vt, int rows, int cols, struct sf_strbuf *out)
{
    struct sf_strbuf line = SF_STRBUF_INIT, next = SF_STRBUF_INIT;

    for (int first = 0, last; first < rows; first = last + 1) {
        sf_strbuf_reset(&line);
        add_row_looks(vt, first, cols, &line);
        for (last = first; last + 1 < rows; last++) {
            sf_strbuf_reset(&next);
            add_row_looks(vt, last + 1, cols, &next);
            if (strcmp(line.buf, next.buf) != 0)
                break;
        }
        if (line.len && last > first)
            sf_strbuf_addf(out, "%d-%d:%s\n", first, last, line.buf);
        else if (line.len)
            sf_strbuf_addf(out, "%d:%s\n", first, line.buf);
    }
    sf_strbuf_release(&line);
    sf_strbuf_release(&next);
}

void vt_dump(struct vt *vt, struct sf_strbuf *out)
{
    char *text = vt_text(vt);
    int rows, cols, row, col;

    vt_size(vt, &rows, &cols);
    sf_strbuf_adds(out, text);
    free(text);
    sf_strbuf_adds(out, "~~~\n");
    add_looks(vt, rows, cols, out);
    vt_cursor(vt, &row, &col);
    if (vt_modes(vt)->cursor)
        sf_strbuf_addf(out, "cursor %d,%d\n", row, col);
    if (*vt_modes(vt)->title)
        sf_strbuf_addf(out, "title %s\n", vt_modes(vt)->title);
}

static void write_golden(const char *path, const struct sf_strbuf *got)
{
    if (mkdir(SF_SOURCE "/tests/golden", 0755) < 0 && errno != EEXIST)
        fail_msg("cannot make tests/golden");
    test_write(path, got->buf, got->len);
}

/* The rows that differ, both of them; all of it would hide the place. */
static void show_difference(const char *want, const char *got)
{
    for (int line = 1; *want || *got; line++) {
        size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");

        if (w != g || memcmp(want, got, w) != 0)
            fprintf(stderr, "%4d - %.*s\n%4d + %.*s\n", line, (int)w, want, line, (int)g, got);
        want += w + (want[w] == '\n');
        got += g + (got[g] == '\n');
    }
}

void vt_golden(struct vt *vt, const char *name)
{
    struct sf_strbuf got = SF_STRBUF_INIT, want = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char path[512];
    int rows, cols;
    bool same;

    vt_size(vt, &rows, &cols);
    snprintf(path, sizeof(path), "%s/tests/golden/%s.%dx%d.txt", SF_SOURCE, name, cols, rows);
    vt_dump(vt, &got);
    if (sf_env_get("SF_GOLDEN_UPDATE"))
        write_golden(path, &got);
    if (!sf_file_read(path, GOLDEN_MAX, &want, &err))
        fprintf(stderr, "%s; SF_GOLDEN_UPDATE=1 writes it\n", err.msg);
    same = want.len == got.len && !memcmp(want.buf, got.buf, got.len);
    if (!same)
        show_difference(want.buf, got.buf);
    sf_strbuf_release(&want);
    sf_strbuf_release(&got);
    if (!same)
        fail_msg("the screen is not %s", path);
}
