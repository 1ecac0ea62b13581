/*
 * vt_golden.c: a screen as text that people can review: the picture first, then, row by row, the
 * runs of cells that are more than plain text.
 */
#include <errno.h>
#include <regex.h>
#include <sys/stat.h>

#include "io/io.h"
#include "support/test.h"
#include "support/vt.h"

enum { GOLDEN_MAX = 4 * 1024 * 1024, MASKS_MAX = 24 };

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

/* ---- what differs from run to run ---- */

static void mask_row(struct sf_strbuf *row, const regex_t *regex, const char *shown)
{
    size_t from = 0, len = strlen(shown);
    regmatch_t at;

    while (from < row->len && regexec(regex, row->buf + from, 1, &at, from ? REG_NOTBOL : 0) == 0 &&
           at.rm_eo > 0) {
        size_t start = from + (size_t)at.rm_so, width = (size_t)(at.rm_eo - at.rm_so);

        memset(row->buf + start, ' ', width);
        memcpy(row->buf + start + (width > len ? width - len : 0), shown,
               width < len ? width : len);
        from += (size_t)at.rm_eo;
    }
}

/* Only the picture: what follows the mark has no clocks in it. */
static void mask_dump(struct sf_strbuf *dump, const regex_t *regexes, const struct vt_mask *masks)
{
    struct sf_strbuf out = SF_STRBUF_INIT, row = SF_STRBUF_INIT;
    const char *at = dump->buf;

    while (*at && strncmp(at, "~~~\n", 4) != 0) {
        size_t n = strcspn(at, "\n");

        sf_strbuf_reset(&row);
        sf_strbuf_add(&row, at, n);
        for (size_t i = 0; masks && masks[i].pattern; i++)
            mask_row(&row, &regexes[i], masks[i].shown);
        sf_strbuf_addf(&out, "%s\n", row.buf);
        at += n + (at[n] == '\n');
    }
    sf_strbuf_adds(&out, at);
    sf_strbuf_release(&row);
    sf_strbuf_release(dump);
    *dump = out;
}

/* ---- holding against ---- */

static void golden_path(struct vt *vt, const char *name, char *path, size_t size)
{
    int rows, cols;

    vt_size(vt, &rows, &cols);
    snprintf(path, size, "%s/tests/golden/%s.%dx%d.txt", SF_SOURCE, name, cols, rows);
}

static void look_again(struct vt *vt, struct sf_strbuf *got, const regex_t *regexes,
                       const struct vt_mask *masks)
{
    while (vt_look(vt, 0))
        continue;
    sf_strbuf_reset(got);
    vt_dump(vt, got);
    mask_dump(got, regexes, masks);
}

/* True when the screen came to look like the file. */
static bool compare(struct vt *vt, const char *path, const regex_t *regexes,
                    const struct vt_mask *masks)
{
    struct sf_strbuf got = SF_STRBUF_INIT, want = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int64_t deadline = sf_clock_monotonic_ms() + (masks ? VT_PATIENCE_MS : 0);
    bool same;

    if (!sf_file_read(path, GOLDEN_MAX, &want, &err))
        fprintf(stderr, "%s; SF_GOLDEN_UPDATE=1 writes it\n", err.msg);
    for (;;) {
        look_again(vt, &got, regexes, masks);
        same = want.len == got.len && !memcmp(want.buf, got.buf, got.len);
        if (same || !want.len || sf_clock_monotonic_ms() >= deadline)
            break;
        vt_look(vt, (int)(deadline - sf_clock_monotonic_ms()));
    }
    if (!same)
        show_difference(want.buf, got.buf);
    sf_strbuf_release(&want);
    sf_strbuf_release(&got);
    return same;
}

static void update(struct vt *vt, const char *path, const regex_t *regexes,
                   const struct vt_mask *masks)
{
    struct sf_strbuf got = SF_STRBUF_INIT;

    if (masks)
        vt_wait_still(vt);
    look_again(vt, &got, regexes, masks);
    write_golden(path, &got);
    sf_strbuf_release(&got);
}

void vt_wait_golden(struct vt *vt, const char *name, const struct vt_mask *masks)
{
    regex_t regexes[MASKS_MAX];
    size_t count = 0;
    char path[512];
    bool same = true;

    for (; masks && masks[count].pattern; count++) {
        assert_true(count < MASKS_MAX);
        assert_int_equal(regcomp(&regexes[count], masks[count].pattern, REG_EXTENDED), 0);
    }
    golden_path(vt, name, path, sizeof(path));
    if (sf_env_get("SF_GOLDEN_UPDATE"))
        update(vt, path, regexes, masks);
    else
        same = compare(vt, path, regexes, masks);
    while (count--)
        regfree(&regexes[count]);
    if (!same)
        fail_msg("the screen is not %s", path);
}

void vt_golden(struct vt *vt, const char *name)
{
    vt_wait_golden(vt, name, NULL);
}
