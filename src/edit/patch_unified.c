/*
 * patch_unified.c: reads unified diffs, git's and others'. Models miscount lines, so the numbers
 * of a hunk's header do not say where it ends; what its lines look like does, and the numbers
 * only settle what could be either: a removed "-- x" looks like the header "--- x".
 */
#include "edit/patch_parse.h"

/* What the lines above the hunks say about one file. */
struct head {
    struct sf_patch_text old_name, new_name; /* of "---" and "+++" */
    struct sf_patch_text git_name;           /* of "diff --git", when both are the same */
    struct sf_patch_text from, to;           /* of a rename */
    bool git, created, deleted;
    bool begun; /* its operation is there */
    bool any;   /* some line was about a file */
};

static bool is_null(struct sf_patch_text name)
{
    return name.len == 9 && !memcmp(name.s, "/dev/null", 9);
}

static struct sf_patch_text drop(struct sf_patch_text t, size_t n)
{
    return (struct sf_patch_text){ t.s + n, t.len - n };
}

static int octal(const char *s)
{
    int n = 0;

    for (int i = 0; i < 3; i++) {
        if (s[i] < '0' || s[i] > '7')
            return -1;
        n = n * 8 + (s[i] - '0');
    }
    return n;
}

/* A name in quotes as git writes it; the text is at its opening quote. */
static struct sf_patch_text unquote(struct sf_patch_reader *r, struct sf_patch_text t)
{
    static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
    char *out = sf_arena_alloc(&r->patch->arena, t.len + 1);
    size_t len = 0;

    for (size_t i = 1; i < t.len && t.s[i] != '"'; i++) {
        const char *known;
        int code = -1;

        if (t.s[i] != '\\' || i + 1 >= t.len) {
            out[len++] = t.s[i];
            continue;
        }
        known = memchr(from, t.s[i + 1], sizeof(from) - 1);
        if (!known && i + 3 < t.len)
            code = octal(t.s + i + 1);
        out[len++] = (char)(known ? to[known - from] : code >= 0 ? code : '\\');
        i += known ? 1 : code >= 0 ? 3 : 0;
    }
    return (struct sf_patch_text){ out, len };
}

/* The name behind "--- ": quoted, or up to a tab with a date behind it. */
static struct sf_patch_text read_name(struct sf_patch_reader *r, struct sf_patch_text t)
{
    const char *tab = t.len ? memchr(t.s, '\t', t.len) : NULL;

    if (t.len && t.s[0] == '"')
        return unquote(r, t);
    if (tab)
        t.len = (size_t)(tab - t.s);
    while (t.len && (t.s[t.len - 1] == ' ' || t.s[t.len - 1] == '\r'))
        t.len--;
    return t;
}

/* "a/x b/x": the name, when the two halves agree. */
static struct sf_patch_text read_git_name(struct sf_patch_reader *r, struct sf_patch_text t)
{
    size_t half = t.len / 2;

    if (t.len && t.s[0] == '"') {
        t = unquote(r, t);
        return t.len > 2 ? drop(t, 2) : t;
    }
    if (t.len >= 5 && t.len % 2 && t.s[half] == ' ' && !memcmp(t.s, "a/", 2) &&
        !memcmp(t.s + half + 1, "b/", 2) && !memcmp(t.s + 2, t.s + half + 3, half - 2))
        return (struct sf_patch_text){ t.s + 2, half - 2 };
    return (struct sf_patch_text){ "", 0 };
}

/* git's prefixes go when both names have them. */
static void strip_prefixes(struct head *h)
{
    bool olds = sf_patch_starts(h->old_name, "a/"), news = sf_patch_starts(h->new_name, "b/");

    if (olds && (news || is_null(h->new_name)))
        h->old_name = drop(h->old_name, 2);
    if (news && (olds || is_null(h->old_name)))
        h->new_name = drop(h->new_name, 2);
}

static bool set_move(struct sf_patch_reader *r, const struct head *h)
{
    if (!h->to.len)
        return true;
    if (!sf_patch_check_path(r, h->to))
        return false;
    sf_patch_last_op(r)->move_to = sf_arena_strndup(&r->patch->arena, h->to.s, h->to.len);
    return true;
}

/* The operation the head describes; called at its first hunk or at its end. */
static bool begin_op(struct sf_patch_reader *r, struct head *h)
{
    enum sf_patch_kind kind = SF_PATCH_UPDATE;
    struct sf_patch_text path;

    h->begun = true;
    strip_prefixes(h);
    if (h->created || is_null(h->old_name))
        kind = SF_PATCH_ADD;
    else if (h->deleted || is_null(h->new_name))
        kind = SF_PATCH_DELETE;
    path = kind == SF_PATCH_DELETE ? h->old_name : h->new_name;
    if (kind == SF_PATCH_UPDATE && h->from.len)
        path = h->from;
    if (!path.len || is_null(path))
        path = h->git_name;
    return sf_patch_begin_op(r, kind, path) && set_move(r, h);
}

static bool finish_head(struct sf_patch_reader *r, struct head *h)
{
    bool ok = true;

    if (h->any && !h->begun) {
        if (h->old_name.len && !h->created && !h->deleted)
            ok = sf_patch_fail(r, "the file named before this line has no hunk");
        else if (!h->created && !h->deleted && !h->to.len)
            ok = sf_patch_fail(r, "only the mode of a file would change; that is not supported");
        else
            ok = begin_op(r, h);
    }
    *h = (struct head){ .old_name = { "", 0 } };
    return ok;
}

static bool read_git(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    if (!finish_head(r, h))
        return false;
    h->git_name = read_git_name(r, rest);
    h->git = h->any = true;
    return true;
}

static bool read_old(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    if ((h->begun || h->old_name.len) && !finish_head(r, h))
        return false;
    h->old_name = read_name(r, rest);
    h->any = true;
    return true;
}

static bool read_new(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    h->new_name = read_name(r, rest);
    return true;
}

static bool read_created(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    (void)r;
    (void)rest;
    h->created = true;
    return true;
}

static bool read_deleted(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    (void)r;
    (void)rest;
    h->deleted = true;
    return true;
}

static bool read_from(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    h->from = read_name(r, rest);
    return true;
}

static bool read_to(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    h->to = read_name(r, rest);
    return true;
}

static bool refuse(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    (void)h;
    (void)rest;
    return sf_patch_fail(r, "binary changes and copies are not supported");
}

static bool pass(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest)
{
    (void)r;
    (void)h;
    (void)rest;
    return true;
}

static const struct {
    const char *prefix;
    bool (*read)(struct sf_patch_reader *r, struct head *h, struct sf_patch_text rest);
} headers[] = {
    { "diff --git ", read_git },
    { "--- ", read_old },
    { "+++ ", read_new },
    { "new file mode", read_created },
    { "deleted file mode", read_deleted },
    { "rename from ", read_from },
    { "rename to ", read_to },
    { "copy from ", refuse },
    { "copy to ", refuse },
    { "Binary files ", refuse },
    { "GIT binary patch", refuse },
    { "index ", pass },
    { "old mode ", pass },
    { "new mode ", pass },
    { "similarity index ", pass },
    { "dissimilarity index ", pass },
};

/* Whether the names of the next file begin here, rather than two lines of the hunk. */
static bool names_follow(const struct sf_patch_reader *r, const size_t left[2])
{
    struct sf_patch_reader ahead = *r;
    struct sf_patch_text line;

    if (!sf_patch_peek(&ahead, &line) || !sf_patch_starts(line, "--- "))
        return false;
    sf_patch_skip(&ahead);
    if (!sf_patch_peek(&ahead, &line) || !sf_patch_starts(line, "+++ "))
        return false;
    if (!left[0] && !left[1])
        return true;
    sf_patch_skip(&ahead);
    return !(left[0] == 1 && left[1] == 1) && sf_patch_peek(&ahead, &line) &&
           sf_patch_starts(line, "@@ -");
}

/* One line of the hunk; false: the hunk ends before it. */
static bool read_body_line(struct sf_patch_reader *r, struct sf_patch_text line, size_t left[2])
{
    char op = '\0';
    bool counted = !left[0] && !left[1];

    if (line.len)
        op = line.s[0];
    if (op == '\\') {
        sf_patch_note_open(r);
        return true;
    }
    if (!op || (line.len == 1 && op == '\r')) {
        sf_patch_add_line(r, counted ? 0 : ' ', drop(line, line.len));
    } else if (op == ' ' || op == '+' || op == '-') {
        if (names_follow(r, left) || (counted && line.len == 3 && !memcmp(line.s, "-- ", 3)))
            return false;
        sf_patch_add_line(r, op, drop(line, 1));
    } else {
        return false;
    }
    left[0] -= op != '+' && left[0];
    left[1] -= op != '-' && left[1];
    return true;
}

static bool read_hunk(struct sf_patch_reader *r, struct head *h, struct sf_patch_text line)
{
    size_t left[2];

    if (!h->any)
        return sf_patch_fail(r, "a hunk before any file was named");
    if ((!h->begun && !begin_op(r, h)) || !sf_patch_begin_hunk(r))
        return false;
    sf_patch_read_header(r, line, left);
    sf_patch_skip(r);
    while (sf_patch_peek(r, &line) && read_body_line(r, line, left))
        sf_patch_skip(r);
    if (!sf_patch_last_hunk(r)->count || r->patch->lines[r->line_count - 1].op == '@')
        return sf_patch_fail(r, "the hunk before this line is empty");
    return true;
}

/* Anything that is no header: prose above the first file and below the last one. */
static bool read_header(struct sf_patch_reader *r, struct head *h, struct sf_patch_text line,
                        bool *known)
{
    *known = true;
    for (size_t i = 0; i < SF_COUNT(headers); i++)
        if (sf_patch_starts(line, headers[i].prefix))
            return headers[i].read(r, h, drop(line, strlen(headers[i].prefix)));
    *known = false;
    return true;
}

static bool is_tail(struct sf_patch_text line)
{
    return sf_patch_starts(line, "-- ") || sf_patch_starts(line, "```");
}

bool sf_patch_parse_unified(struct sf_patch_reader *r)
{
    struct head h = { .old_name = { "", 0 } };
    struct sf_patch_text line;
    bool known, seen = false;

    while (sf_patch_peek(r, &line)) {
        if (sf_patch_starts(line, "@@")) {
            if (!read_hunk(r, &h, line))
                return false;
            continue;
        }
        if (seen && is_tail(line))
            break;
        if (!read_header(r, &h, line, &known))
            return false;
        seen = seen || known;
        if (h.begun && !known && !sf_patch_is_blank(line) && !sf_patch_starts(line, "Index: ") &&
            !sf_patch_starts(line, "==="))
            return sf_patch_fail(r, "a line of a hunk must begin with ' ', '+', '-' or '\\'");
        sf_patch_skip(r);
    }
    r->line = seen ? r->line : 1;
    if (!seen)
        return sf_patch_fail(r, "neither '*** Begin Patch' nor a unified diff");
    return finish_head(r, &h);
}
