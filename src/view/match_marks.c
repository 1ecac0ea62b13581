/*
 * match_marks.c: from offsets in a name to cells on the screen.
 */
#include "view/match_marks.h"

#include <string.h>

struct sf_match_mark sf_match_marks_find(const char *name, size_t len, const char *query,
                                         size_t query_len)
{
    struct sf_match_mark found = { .name = name };

    if (query_len)
        found.count = sf_fuzzy_spots(query, query_len, name, len, found.spots);
    return found;
}

/* What was made safe to show has other columns than its bytes say: it stays as it is. */
static bool is_as_drawn(const char *part, size_t len)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    bool same;

    sf_text_sanitize(&safe, part, len, SF_TEXT_ONE_LINE);
    same = safe.len == len && !memcmp(safe.buf, part, len);
    sf_strbuf_release(&safe);
    return same;
}

void sf_area_tint_matches(struct sf_area area, const struct sf_match_mark *found, const char *part,
                          size_t len, bool selected)
{
    struct sf_look look = selected
                              ? sf_look_with(SF_LOOK_SELECTED, SF_LOOK_BOLD | SF_LOOK_UNDERLINE)
                              : sf_look_with(SF_LOOK_ACCENT, SF_LOOK_BOLD);
    size_t from = (size_t)(part - found->name);
    int seen = area.cols - ((int)sf_text_width(part, len) > area.cols);

    if (!found->count || !is_as_drawn(part, len))
        return;
    for (size_t i = 0; i < found->count; i++) {
        size_t at = found->spots[i] - from, n;
        uint32_t cp;
        int before;

        if (found->spots[i] < from || at >= len || (part[at] & 0xc0) == 0x80)
            continue;
        n = sf_utf8_decode(part + at, len - at, &cp);
        before = (int)sf_text_width(part, at);
        if (before < seen)
            sf_area_tint(area, 0, before, (int)sf_text_width(part + at, n), look);
    }
}
