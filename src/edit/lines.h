/*
 * lines: where the lines of a text begin. "\n", "\r\n" and a lone "\r" each end a line, unless
 * the caller asks for one byte only; an ending belongs to the line it closes, so the lines put
 * together are the text. Life: sf_lines_init, use, sf_lines_release. The text is not kept.
 */
#ifndef SF_EDIT_LINES_H
#define SF_EDIT_LINES_H

#include <stddef.h>
#include <stdint.h>

enum sf_line_rule {
    SF_LINES_ANY, /* "\n", "\r\n", "\r" */
    SF_LINES_LF,  /* "\n" alone, as diff and grep count */
    SF_LINES_CR,  /* "\r" alone */
};

struct sf_lines {
    uint32_t *starts; /* count + 1 of them; the last one is the text's length */
    size_t count;
};

void sf_lines_init(struct sf_lines *lines, const char *text, size_t len, enum sf_line_rule rule);
void sf_lines_release(struct sf_lines *lines);

/* The line that holds the offset; the last line for the text's end, 0 when there is none. */
size_t sf_lines_at(const struct sf_lines *lines, size_t offset);

/* Bytes of the ending that closes the text: 0, 1 or 2. */
size_t sf_line_ending(const char *text, size_t len);

#endif
