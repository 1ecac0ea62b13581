/*
 * reading.c: which paths a word may stand for. Variables that the text itself sets are replaced
 * by every value it gives them, braces by every word they make. What is then still unknown
 * stands for a plain name inside a path, as it does in ordinary commands; at the beginning of a
 * path it could lead anywhere, and that is said.
 */
#include <string.h>

#include "guard/judge.h"

enum { READING_DEPTH = 4, READING_BYTES = 4096 };

static const char plain_name[] = "_"; /* stands for what is unknown and harmless */

bool sf_text_leaves(const char *text)
{
    int depth = 0;

    if (*text == '/' || *text == '~')
        return true;
    while (*text) {
        size_t len = strcspn(text, "/");

        if (len == 2 && !strncmp(text, "..", 2))
            depth--;
        else if (len && !(len == 1 && *text == '.'))
            depth++;
        if (depth < 0)
            return true;
        text += len + (text[len] == '/');
    }
    return false;
}

void sf_value_note(struct sf_judge *j, const char *name, const struct sf_word *word,
                   const char *text)
{
    if (j->nvalues < SF_NAMES_MAX)
        j->values[j->nvalues++] =
            (struct sf_value){ .name = name, .word = word, .text = text, .shell = j->shell };
}

void sf_value_note_unknown(struct sf_judge *j, const char *name, bool inside)
{
    if (j->nvalues < SF_NAMES_MAX)
        j->values[j->nvalues++] = (struct sf_value){ .name = name, .inside = inside };
}

static void add_text(struct sf_judge *j, struct sf_readings *out, const char *text, size_t len)
{
    if (out->count >= SF_READINGS_MAX || len > READING_BYTES ||
        j->arena->used + len > SF_SHELL_MEMORY)
        out->anywhere = true;
    else
        out->texts[out->count++] = sf_arena_strndup(j->arena, text, len);
}

/* Each text of `out` with each of `parts` behind it. */
static void multiply(struct sf_judge *j, struct sf_readings *out, const struct sf_readings *parts)
{
    struct sf_readings made = { .anywhere = out->anywhere, .glob = out->glob || parts->glob };
    struct sf_strbuf sb = SF_STRBUF_INIT;

    for (size_t i = 0; i < out->count; i++) {
        if (parts->anywhere && !*out->texts[i])
            made.anywhere = true;
        for (size_t k = 0; k < parts->count; k++) {
            sf_strbuf_reset(&sb);
            sf_strbuf_addf(&sb, "%s%s", out->texts[i], parts->texts[k]);
            add_text(j, &made, sb.buf, sb.len);
        }
        if (parts->anywhere && *out->texts[i]) {
            sf_strbuf_reset(&sb);
            sf_strbuf_addf(&sb, "%s%s", out->texts[i], plain_name);
            add_text(j, &made, sb.buf, sb.len);
        }
    }
    sf_strbuf_release(&sb);
    *out = made;
}

static void read_word(struct sf_judge *j, const struct sf_word *w, const char *text, unsigned depth,
                      struct sf_readings *out);

/* What variables hold that the shell or sf itself sets. */
static bool known_from_outside(const char *name, struct sf_readings *out)
{
    static const struct {
        const char *name, *value;
    } known[] = {
        { "PWD", "." },
        { "HOME", "~" },
        { "TMPDIR", SF_OWN_TEMP },
        { "RANDOM", plain_name },
        { "SECONDS", plain_name },
        { "LINENO", plain_name },
        { "EPOCHSECONDS", plain_name },
        { "{}", plain_name },
    };

    for (size_t i = 0; i < SF_COUNT(known); i++)
        if (!strcmp(name, known[i].name)) {
            out->texts[out->count++] = known[i].value;
            return true;
        }
    return false;
}

/* Everything the text gives the variable; nothing, when it may be used before that. */
static void read_variable(struct sf_judge *j, const char *name, unsigned depth,
                          struct sf_readings *out)
{
    const struct sf_shell *shell = j->shell;
    bool given = false;

    for (size_t i = 0; i < j->nvalues && depth < READING_DEPTH; i++) {
        const struct sf_value *v = &j->values[i];

        if (strcmp(v->name, name) != 0)
            continue;
        given = true;
        if (v->inside) {
            add_text(j, out, plain_name, 1);
        } else if (!v->word) {
            out->anywhere = true;
        } else {
            j->shell = v->shell;
            read_word(j, v->word, v->text, depth + 1, out);
            j->shell = shell;
        }
    }
    if (depth >= READING_DEPTH || j->nvalues >= SF_NAMES_MAX)
        out->anywhere = true;
    else if (!given)
        out->anywhere = !known_from_outside(name, out);
    else if (!sf_where_is_set(j, name))
        add_text(j, out, "", 0);
}

/* ${x%…}, ${x##…}: of names that never climb, the beginning and the end are names as well. */
static void cut_texts(struct sf_readings *r, enum sf_piece_kind kind)
{
    for (size_t i = 0; i < r->count; i++) {
        if (strstr(r->texts[i], "..") || (*r->texts[i] && strchr("/~.$", *r->texts[i])))
            r->anywhere = true;
        if (kind == SF_PIECE_LAST)
            r->texts[i] = plain_name;
    }
}

static bool inside_span(const struct sf_shell_command *cmd, const struct sf_word *w)
{
    return cmd->kind == SF_COMMAND_SIMPLE && cmd->count && cmd->at >= w->at &&
           cmd->at < w->at + w->span;
}

/* $(…): names, when each command in it only prints such. */
static void read_output(struct sf_judge *j, const struct sf_word *w, struct sf_readings *out)
{
    bool any = false, inside = true, is_pwd = true;

    for (const struct sf_shell_command *c = j->shell->first; c; c = c->next) {
        if (!inside_span(c, w))
            continue;
        any = true;
        is_pwd = is_pwd && c->count == 1 && !strcmp(c->words[0].text, "pwd");
        inside = inside && (sf_names_inside(j, c) || (c->next && c->next->from == c));
    }
    out->anywhere = !any || !inside;
    if (any && inside)
        add_text(j, out, is_pwd ? "." : plain_name, 1);
}

static void read_piece(struct sf_judge *j, const struct sf_word *w, const struct sf_piece *piece,
                       unsigned depth, struct sf_readings *out)
{
    switch (piece->kind) {
    case SF_PIECE_VALUE:
        read_variable(j, piece->name, depth, out);
        break;
    case SF_PIECE_SHRUNK:
    case SF_PIECE_LAST:
        read_variable(j, piece->name, depth, out);
        cut_texts(out, piece->kind);
        break;
    case SF_PIECE_NUMBER:
        add_text(j, out, plain_name, 1);
        break;
    case SF_PIECE_OUTPUT:
        read_output(j, w, out);
        break;
    case SF_PIECE_UNKNOWN:
        out->anywhere = true;
        break;
    }
}

/* The comma or the end that closes this alternative of a brace. */
static const char *alternative_end(const char *p)
{
    unsigned open = 0;

    for (; *p; p++) {
        if (*p == '{')
            open++;
        else if (!open && (*p == '}' || *p == ','))
            return p;
        else if (*p == '}')
            open--;
    }
    return NULL;
}

/* {a,b} of one text, the first of it; the results are read once more. False: there is none. */
static bool add_alternatives(struct sf_judge *j, const char *text, struct sf_readings *out)
{
    const char *brace = strchr(text, '{');
    const char *from = brace ? brace + 1 : NULL, *end = from, *behind;

    while (end && (end = alternative_end(end)) != NULL && *end == ',')
        end++;
    behind = end;
    if (!behind)
        return false;
    for (end = from; end <= behind; from = ++end) {
        struct sf_strbuf sb = SF_STRBUF_INIT;
        const char *dots;

        end = alternative_end(from);
        dots = memmem(from, (size_t)(end - from), "..", 2);
        sf_strbuf_add(&sb, text, (size_t)(brace - text));
        if (dots && dots > from && dots + 2 < end && !memchr(from, '/', (size_t)(end - from)))
            sf_strbuf_adds(&sb, plain_name); /* {1..9} */
        else
            sf_strbuf_add(&sb, from, (size_t)(end - from));
        sf_strbuf_adds(&sb, behind + 1);
        add_text(j, out, sb.buf, sb.len);
        sf_strbuf_release(&sb);
    }
    return true;
}

static void expand_braces(struct sf_judge *j, struct sf_readings *out)
{
    for (int round = 0; round < READING_DEPTH; round++) {
        struct sf_readings made = { .anywhere = out->anywhere, .glob = out->glob };
        bool more = false;

        for (size_t i = 0; i < out->count; i++) {
            if (add_alternatives(j, out->texts[i], &made))
                more = true;
            else
                add_text(j, &made, out->texts[i], strlen(out->texts[i]));
        }
        *out = made;
        if (!more)
            return;
    }
    out->anywhere = true;
}

/* An unquoted value falls apart at its blanks. */
static void split_blanks(struct sf_judge *j, struct sf_readings *out)
{
    struct sf_readings made = { .anywhere = out->anywhere, .glob = out->glob };

    for (size_t i = 0; i < out->count; i++) {
        const char *p = out->texts[i];

        while (*(p += strspn(p, " \t\n"))) {
            size_t n = strcspn(p, " \t\n");

            add_text(j, &made, p, n);
            p += n;
        }
    }
    *out = made;
}

static void read_word(struct sf_judge *j, const struct sf_word *w, const char *text, unsigned depth,
                      struct sf_readings *out)
{
    struct sf_readings made = { .texts = { "" }, .count = 1, .glob = w->flags & SF_WORD_GLOB };
    size_t at = (size_t)(text - w->text);

    for (uint32_t i = 0; i < w->npieces; i++) {
        const struct sf_piece *piece = &w->pieces[i];
        struct sf_readings known = { 0 }, parts = { 0 };

        if (piece->at < (size_t)(text - w->text))
            continue;
        add_text(j, &known, w->text + at, piece->at - at);
        at = piece->at;
        multiply(j, &made, &known);
        read_piece(j, w, piece, depth, &parts);
        multiply(j, &made, &parts);
    }
    {
        struct sf_readings rest = { 0 };

        add_text(j, &rest, w->text + at, strlen(w->text + at));
        multiply(j, &made, &rest);
    }
    if (w->flags & SF_WORD_BRACE)
        expand_braces(j, &made);
    if (w->flags & SF_WORD_SPLITS && w->npieces && !depth)
        split_blanks(j, &made);
    for (size_t i = 0; i < made.count; i++)
        add_text(j, out, made.texts[i], strlen(made.texts[i]));
    out->anywhere = out->anywhere || made.anywhere;
    out->glob = out->glob || made.glob;
}

void sf_readings_of(struct sf_judge *j, const struct sf_word *w, const char *text,
                    struct sf_readings *out)
{
    *out = (struct sf_readings){ 0 };
    if (!w->npieces && !(w->flags & (SF_WORD_EXPANDS | SF_WORD_BRACE))) {
        out->texts[out->count++] = text; /* nearly all words */
        out->glob = w->flags & SF_WORD_GLOB;
    } else if (!w->npieces && !(w->flags & SF_WORD_BRACE)) {
        out->anywhere = true;
    } else {
        read_word(j, w, text, 0, out);
    }
    if (w->flags & SF_WORD_TILDE && text == w->text && text[1] && text[1] != '/')
        out->anywhere = true; /* ~user, ~+ */
}

bool sf_word_stays(struct sf_judge *j, const struct sf_word *w)
{
    struct sf_readings r;

    sf_readings_of(j, w, w->text, &r);
    for (size_t i = 0; i < r.count; i++)
        if (sf_text_leaves(r.texts[i]))
            return false;
    return !r.anywhere;
}

static bool has_word(const struct sf_shell_command *cmd, const char *patterns)
{
    for (size_t i = 1; i < cmd->count; i++)
        if (sf_pattern_fits(patterns, strlen(patterns), cmd->words[i].text))
            return true;
    return false;
}

/* One of the letters stands among the short options. */
static bool has_letter(const struct sf_shell_command *cmd, const char *letters)
{
    for (size_t i = 1; i < cmd->count; i++)
        if (cmd->words[i].text[0] == '-' && cmd->words[i].text[1] != '-' &&
            strpbrk(cmd->words[i].text, letters))
            return true;
    return false;
}

/* Programs that print names of files; what they need for it, and what spoils it. */
static const struct {
    const char *programs, *verbs, *needs, *letters, *spoils;
} listing[] = {
    { "find|gfind|bfs", NULL, NULL, NULL, "-printf|-fprint*|-exec*|-ok*|-files0-from|-ls|-fls" },
    { "fd|fdfind", NULL, NULL, NULL,
      "-x*|-X*|-l|--exec*|--format*|--list-details|--base-directory*|--search-path*" },
    { "ls", NULL, NULL, NULL, "-*l*|-o|-g|--format*" },
    { "rg", NULL, "--files|--files-with*", "l", "-r*|--replace*" },
    { "grep|egrep|fgrep|ag|ack", NULL, "--files-with*", "lL", "--label*" },
    { "git", "ls-files", NULL, NULL, "--format*|--stage|-s" },
    { "git", "diff|show|log", "--name-only", "", "--format*|--pretty*|--line-prefix*|-p" },
    { "git", "grep", "--files-with*|--name-only", "l", NULL },
    { "basename|dirname|pwd|mktemp", NULL, NULL, NULL, NULL },
};

static bool has_what_it_needs(const struct sf_shell_command *cmd, size_t row)
{
    return !listing[row].letters || has_letter(cmd, listing[row].letters) ||
           (listing[row].needs && has_word(cmd, listing[row].needs));
}

static bool lists(struct sf_judge *j, const struct sf_shell_command *cmd)
{
    for (size_t i = 0; i < SF_COUNT(listing); i++) {
        const char *program = cmd->words[0].text;

        if (!sf_pattern_fits(listing[i].programs, strlen(listing[i].programs), program) ||
            (listing[i].verbs &&
             (cmd->count < 2 ||
              !sf_pattern_fits(listing[i].verbs, strlen(listing[i].verbs), cmd->words[1].text))) ||
            !has_what_it_needs(cmd, i) || (listing[i].spoils && has_word(cmd, listing[i].spoils)))
            continue;
        for (size_t k = 1; k < cmd->count; k++)
            if (cmd->words[k].text[0] != '-' && !sf_word_stays(j, &cmd->words[k]))
                return false;
        return true;
    }
    return false;
}

/* Programs that let through whole lines of what they are fed. */
static bool passes_lines(const struct sf_shell_command *cmd)
{
    static const char programs[] = "sort|uniq|head|tail|tac|shuf|grep|egrep|fgrep|cat";
    bool greps = strstr(cmd->words[0].text, "grep") != NULL;
    size_t operands = 0;

    if (!sf_pattern_fits(programs, sizeof(programs) - 1, cmd->words[0].text))
        return false;
    for (size_t i = 1; i < cmd->count; i++)
        operands += cmd->words[i].text[0] != '-' &&
                    strspn(cmd->words[i].text, "0123456789") != cmd->words[i].len;
    return operands <= greps && !has_letter(cmd, greps ? "oefz" : "o") &&
           !has_word(cmd, "--only-matching|--output*|--regexp*|--file*|--files0-from*");
}

bool sf_names_inside(struct sf_judge *j, const struct sf_shell_command *cmd)
{
    for (int i = 0; cmd && cmd->count && i < 8; i++) {
        if (cmd->redirects && cmd->redirects->op != SF_REDIRECT_WRITE)
            return false;
        if (!cmd->from || !passes_lines(cmd))
            return lists(j, cmd);
        cmd = cmd->from;
    }
    return false;
}
