/*
 * markdown_fence.c: blocks of code, taken apart. A line of code never changes once it has ended, and
 * what the lines behind it need to know of it is small: the fence, the language, and what is open
 * in that language. So a block of any length is laid out in parts, each of them once.
 */
#include <string.h>

#include "view/code_lex.h"
#include "view/markdown.h"
#include "view/markdown_parts.h"

enum { LABEL_MAX = 40 }; /* bytes of a language's name; longer ones are something else */

static bool is_one_of(const char *set, char c)
{
    return c && strchr(set, c);
}

const struct sf_language *sf_md_language(const char *info, size_t len, struct sf_strbuf *label)
{
    size_t at = 0, end;

    while (at < len && is_one_of(" \t{.", info[at]))
        at++;
    for (end = at; end < len && !is_one_of(" \t,:{}", info[end]);)
        end++;
    if (label)
        sf_strbuf_add(label, info + at, end - at < LABEL_MAX ? end - at : 0);
    return sf_language_named(info + at, end - at);
}

void sf_md_outdent(struct sf_strbuf *out, const char *code, size_t len, size_t indent)
{
    for (size_t at = 0; at < len;) {
        const char *line = code + at, *newline = memchr(line, '\n', len - at);
        size_t n = newline ? (size_t)(newline - line) + 1 : len - at, skip = 0;

        while (skip < indent && skip < n && line[skip] == ' ')
            skip++;
        sf_strbuf_add(out, line + skip, n - skip);
        at += n;
    }
}

static struct sf_md_fence fence_of(const struct sf_markdown_code *code)
{
    return (struct sf_md_fence){ .mark = code->mark, .marks = code->marks, .indent = code->indent };
}

/* Takes the text's first line, if a block begins with it; bytes of that line, or 0. */
static size_t enter(struct sf_markdown_code *code, const char *text, size_t len)
{
    const char *newline = len ? memchr(text, '\n', len) : NULL;
    struct sf_md_fence fence;

    if (!newline || !sf_md_fence(text, (size_t)(newline - text) + 1, &fence, true))
        return 0;
    *code =
        (struct sf_markdown_code){ .on = true,
                                   .mark = fence.mark,
                                   .marks = fence.marks,
                                   .indent = fence.indent,
                                   .language = sf_md_language(fence.info, fence.info_len, NULL) };
    return (size_t)(fence.code - text);
}

static void ignore_piece(void *ctx, const char *text, size_t len, struct sf_look look)
{
    (void)ctx, (void)text, (void)len, (void)look;
}

/* What is open behind these lines, each of which has its end. */
static void pass_lines(struct sf_markdown_code *code, const char *text, size_t len)
{
    struct sf_strbuf lines = SF_STRBUF_INIT;
    struct sf_lexer lexer;

    sf_lexer_init(&lexer, code->language);
    lexer.state = code->state;
    sf_md_outdent(&lines, text, len, code->indent);
    for (size_t at = 0; at < lines.len;) {
        const char *line = lines.buf + at, *newline = memchr(line, '\n', lines.len - at);
        size_t n = newline ? (size_t)(newline - line) : lines.len - at;

        at += n + 1;
        n -= n && line[n - 1] == '\r';
        if (n)
            sf_lexer_line(&lexer, line, n, ignore_piece, NULL);
    }
    code->state = lexer.state;
    sf_strbuf_release(&lines);
}

size_t sf_markdown_split_code(const char *text, size_t len, size_t enough,
                              struct sf_markdown_code *code)
{
    struct sf_markdown_code behind = *code;
    size_t body = behind.on ? 0 : enter(&behind, text, len), cut, end, next;
    struct sf_md_fence fence = fence_of(&behind);
    const char *newline;

    if (!behind.on)
        return 0;
    cut = body > enough ? body : enough; /* a first part without a line would show an empty one */
    newline = len > cut ? memchr(text + cut, '\n', len - cut) : NULL;
    cut = newline ? (size_t)(newline - text) + 1 : len;
    end = body + sf_md_fence_end(&fence, text + body, cut - body, true, &next);
    if (end < cut) { /* a whole block is none of our business */
        if (!code->on)
            return 0;
        code->on = false;
        return next;
    }
    if (!newline || cut == len)
        return 0;
    pass_lines(&behind, text + body, cut - body);
    *code = behind;
    return cut;
}

void sf_markdown_lay_code(struct sf_page *page, const char *text, size_t len,
                          const struct sf_markdown_code *code, const char *lead,
                          struct sf_look look)
{
    struct sf_md_fence fence = fence_of(code);
    struct sf_strbuf lines = SF_STRBUF_INIT, inner = SF_STRBUF_INIT;
    struct sf_code_lead how = { .look = look, .state = &code->state, .panel = true };
    size_t next;

    sf_strbuf_adds(&inner, lead);
    sf_strbuf_adds(&inner, SF_MD_CODE_LEAD);
    how.lead = inner.buf;
    sf_md_outdent(&lines, text, sf_md_fence_end(&fence, text, len, false, &next), code->indent);
    if (lines.len)
        sf_code_lay(page, lines.buf, lines.len, code->language, &how);
    sf_strbuf_release(&inner);
    sf_strbuf_release(&lines);
}
