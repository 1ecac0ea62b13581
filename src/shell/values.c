/*
 * values.c: which paths a word may stand for. Variables that the text itself sets are replaced
 * by every value it gives them, braces by every word they make. What is then still unknown could
 * lead anywhere, wherever in the word it stands: `src/$x` is `src/../../y` when x says so. Only
 * what surely neither begins with a slash nor climbs is a name (SF_ANY_NAME): numbers, dates,
 * what programs that look for files print.
 */
#include <string.h>

#include "shell/classifier.h"

enum { READING_DEPTH = 4, READING_BYTES = 4096 };

static const char a_number[] = "0"; /* stands for digits, of which there is at least one */

/* Begins what stands for the directory a command is in; it becomes "." at the very end. */
static const char own_dir[] = "$PWD";

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

/* ".." takes a name away again only when it is surely one. */
bool sf_name_climbs(const char *text)
{
    bool seen = false;

    if (text[strspn(text, SF_ANY_NAME)] == '/' && *text == *SF_ANY_NAME)
        return true; /* nothing, and a slash behind it */
    while (*text) {
        size_t len = strcspn(text, "/"), dots = strspn(text, "." SF_ANY_NAME);
        bool named = memchr(text, *SF_ANY_NAME, len) != NULL;

        if (dots >= len && len > 1 && (named || (seen && len == 2)))
            return true;
        seen = seen || named;
        text += len + (text[len] == '/');
    }
    return false;
}

void sf_value_note(struct sf_classifier *j, const struct sf_value *value)
{
    for (size_t i = 0; i < j->nvalues; i++) {
        const struct sf_value *v = &j->values[i];

        if (!strcmp(v->name, value->name) && v->word == value->word && v->text == value->text &&
            v->listed == value->listed && v->below == value->below && v->number == value->number &&
            v->appended == value->appended)
            return;
    }
    if (j->nvalues < SF_NAMES_MAX)
        j->values[j->nvalues++] = *value;
}

static void add_text(struct sf_classifier *j, struct sf_word_values *out, const char *text,
                     size_t len)
{
    if (out->count >= SF_WORD_VALUES_MAX || len > READING_BYTES ||
        j->arena->used + len > SF_SHELL_MEMORY)
        out->anywhere = true;
    else
        out->texts[out->count++] = sf_arena_strndup(j->arena, text, len);
}

static void begin_empty(struct sf_word_values *made)
{
    memset(made, 0, offsetof(struct sf_word_values, texts));
}

/* Nothing yet, but made like those. */
static void begin_like(struct sf_word_values *made, const struct sf_word_values *r)
{
    memcpy(made, r, offsetof(struct sf_word_values, texts));
    made->count = 0;
}

static void copy_values(struct sf_word_values *to, const struct sf_word_values *from)
{
    memcpy(to, from, offsetof(struct sf_word_values, texts) + from->count * sizeof(*from->texts));
}

static void inherit(struct sf_word_values *out, const struct sf_word_values *from)
{
    out->anywhere = out->anywhere || from->anywhere;
    out->glob = out->glob || from->glob;
    out->stands = out->stands || from->stands;
    out->digits = out->digits || from->digits;
    out->listing = out->listing || from->listing;
    out->names = out->names || from->names;
}

/* Behind other text, what stands for an absolute path is a slash and names. */
static void add_joined(struct sf_classifier *j, struct sf_word_values *out, const char *head,
                       const char *part)
{
    static const char *const absolute[] = { own_dir, SF_OWN_TEMP, "~" };
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_adds(&sb, head);
    for (size_t i = 0; *head && i < SF_COUNT(absolute); i++)
        if (!strncmp(part, absolute[i], strlen(absolute[i]))) {
            sf_strbuf_adds(&sb, "/" SF_ANY_NAME);
            part += strlen(absolute[i]);
        }
    sf_strbuf_adds(&sb, part);
    add_text(j, out, sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

/* Each text of `out` with what is known behind it. */
static void append(struct sf_classifier *j, struct sf_word_values *out, const char *text,
                   size_t len)
{
    struct sf_word_values made;

    begin_like(&made, out);
    for (size_t i = 0; len && i < out->count; i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;

        sf_strbuf_addf(&sb, "%s%.*s", out->texts[i], (int)len, text);
        add_text(j, &made, sb.buf, sb.len);
        sf_strbuf_release(&sb);
    }
    if (len)
        copy_values(out, &made);
}

/* Each text of `out` with each of `parts` behind it. */
static void multiply(struct sf_classifier *j, struct sf_word_values *out,
                     const struct sf_word_values *parts)
{
    struct sf_word_values made;

    begin_like(&made, out);
    inherit(&made, parts);
    for (size_t i = 0; i < out->count; i++)
        for (size_t k = 0; k < parts->count; k++)
            add_joined(j, &made, out->texts[i], parts->texts[k]);
    copy_values(out, &made);
}

static void read_word(struct sf_classifier *j, const struct sf_word *w, const char *text,
                      unsigned depth, struct sf_word_values *out);

/* What variables hold that the shell or sf itself sets. */
static bool known_from_outside(const char *name, struct sf_word_values *out)
{
    static const char plain[] = "RANDOM|SECONDS|LINENO|EPOCHSECONDS|EPOCHREALTIME|UID|EUID|PPID|"
                                "BASHPID|SHLVL|USER|LOGNAME|HOSTNAME|HOSTTYPE|OSTYPE|MACHTYPE";
    static const struct {
        const char *name, *value;
    } known[] = {
        { "PWD", own_dir },
        { "HOME", "~" },
        { "TMPDIR", SF_OWN_TEMP },
    };

    for (size_t i = 0; i < SF_COUNT(known); i++)
        if (!strcmp(name, known[i].name)) {
            out->stands = true;
            out->texts[out->count++] = known[i].value;
            return true;
        }
    if (!sf_pattern_fits(plain, sizeof(plain) - 1, name))
        return false;
    out->stands = true;
    out->texts[out->count++] = SF_ANY_NAME;
    return true;
}

/* What one assignment gives the variable. */
static void read_value(struct sf_classifier *j, const struct sf_value *v, unsigned depth,
                       struct sf_word_values *out)
{
    const struct sf_shell *shell = j->shell;
    struct sf_word_values read;

    begin_empty(&read);
    if (v->number) {
        add_text(j, &read, a_number, 1);
        read.digits = true;
    } else if (v->listed) {
        sf_outputs_add(j, v->listed, &read);
    } else if (!v->word) {
        read.anywhere = true;
    } else {
        j->shell = v->shell;
        read_word(j, v->word, v->text, depth + 1, &read);
        j->shell = shell;
    }
    for (size_t i = 0; i < read.count; i++) {
        if (v->below)
            add_joined(j, out, read.texts[i], "/" SF_ANY_NAME);
        else if (*read.texts[i] || !v->each)
            add_text(j, out, read.texts[i], strlen(read.texts[i]));
    }
    read.stands = read.stands || v->below;
    read.listing = read.listing && !v->each && !v->listed;
    inherit(out, &read);
}

/* Everything the text gives the variable; nothing, when it may be used before that. */
static void read_variable(struct sf_classifier *j, const char *name, unsigned depth,
                          struct sf_word_values *out)
{
    bool given = false;

    for (size_t i = 0; i < j->nvalues && depth < READING_DEPTH; i++) {
        if (j->values[i].element || strcmp(j->values[i].name, name) != 0)
            continue;
        given = true;
        read_value(j, &j->values[i], depth, out);
    }
    if (depth >= READING_DEPTH || j->nvalues >= SF_NAMES_MAX)
        out->anywhere = true;
    else if (!given)
        out->anywhere = !known_from_outside(name, out);
    else if (!sf_cwd_is_set(j, name) && strcmp(name, SF_FOUND) != 0)
        add_text(j, out, "", 0);
}

/* ${x%…}, ${x##…}: of names that never climb, the beginning and the end are names as well. */
static void cut_texts(struct sf_word_values *r, enum sf_piece_kind kind)
{
    for (size_t i = 0; i < r->count; i++) {
        if (strstr(r->texts[i], "..") || strstr(r->texts[i], "/.") || sf_name_climbs(r->texts[i]) ||
            (*r->texts[i] && strchr("/~$", *r->texts[i])) ||
            (*r->texts[i] == '.' && r->texts[i][1] != '/'))
            r->anywhere = true;
        r->texts[i] =
            kind == SF_PIECE_STEM && (*r->texts[i] == '.' || sf_is_word_byte(*r->texts[i]))
                ? "./" SF_ANY_NAME /* something is left of it */
                : SF_ANY_NAME;
    }
    r->glob = false;
    r->stands = true;
}

static bool inside_span(const struct sf_shell_command *cmd, const struct sf_word *w)
{
    return cmd->kind == SF_SHELL_SIMPLE && cmd->count && cmd->at >= w->at &&
           cmd->at < w->at + w->span;
}

/* $(echo …): what it prints is in the text. */
static bool read_echo(struct sf_classifier *j, const struct sf_shell_command *cmd,
                      struct sf_word_values *out)
{
    const struct sf_shell_command reader = { .from = cmd, .piped = true };
    const char *text;
    size_t len;
    bool some;

    if (cmd->redirects || cmd->from || sf_strlist_has(&j->functions, cmd->words[0].text) ||
        !sf_pattern_fits("echo|printf", 11, cmd->words[0].text) ||
        !sf_classify_input(j, &reader, &text, &len, &some))
        return false;
    add_text(j, out, text, len);
    return true;
}

/* $(…): names, when each command in it only prints such; or nothing, should they fail. */
static void read_output(struct sf_classifier *j, const struct sf_word *w,
                        struct sf_word_values *out)
{
    bool any = false, is_pwd = true;
    const struct sf_shell_command *only = NULL;
    size_t commands = 0;

    for (const struct sf_shell_command *c = j->shell->first; c; c = c->next)
        if (inside_span(c, w)) {
            only = c;
            commands++;
        }
    if (commands == 1 && w->npieces == 1 && read_echo(j, only, out))
        return;
    for (const struct sf_shell_command *c = j->shell->first; c; c = c->next) {
        if (!inside_span(c, w))
            continue;
        any = true;
        is_pwd = is_pwd && c->count == 1 && !strcmp(c->words[0].text, "pwd") && !c->redirects &&
                 !sf_strlist_has(&j->functions, "pwd");
        if (!c->next || c->next->from != c)
            sf_outputs_add(j, c, out);
    }
    out->anywhere = out->anywhere || !any;
    if (any && is_pwd) {
        out->count = 0;
        out->stands = true;
        add_text(j, out, own_dir, strlen(own_dir));
    } else {
        add_text(j, out, "", 0);
    }
}

static void read_piece(struct sf_classifier *j, const struct sf_word *w,
                       const struct sf_piece *piece, unsigned depth, struct sf_word_values *out)
{
    switch (piece->kind) {
    case SF_PIECE_VALUE:
        read_variable(j, piece->name, depth, out);
        break;
    case SF_PIECE_SHRUNK:
    case SF_PIECE_STEM:
    case SF_PIECE_LAST:
        read_variable(j, piece->name, depth, out);
        cut_texts(out, piece->kind);
        break;
    case SF_PIECE_INDEX:
        out->anywhere = sf_strlist_has(&j->maps, piece->name);
        out->digits = true;
        add_text(j, out, a_number, 1);
        add_text(j, out, "", 0);
        break;
    case SF_PIECE_NUMBER:
        out->digits = true;
        add_text(j, out, a_number, 1);
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

/* One end of {1..9} or {a..z}; other characters would have dots and slashes between them. */
static bool counts(const char *from, const char *end)
{
    if (from < end && *from == '-')
        from++;
    if (end - from == 1)
        return sf_is_word_byte(*from);
    return from < end && strspn(from, "0123456789.") >= (size_t)(end - from); /* {1..9..2} */
}

/* {a,b} of one text, the first of it; the results are read once more. False: there is none. */
static bool add_alternatives(struct sf_classifier *j, const char *text, struct sf_word_values *out)
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
        if (dots && counts(from, dots) && counts(dots + 2, end)) {
            sf_strbuf_adds(&sb, a_number); /* {1..9} */
            out->digits = true;
        } else
            sf_strbuf_add(&sb, from, (size_t)(end - from));
        sf_strbuf_adds(&sb, behind + 1);
        add_text(j, out, sb.buf, sb.len);
        sf_strbuf_release(&sb);
    }
    return true;
}

static void expand_braces(struct sf_classifier *j, struct sf_word_values *out)
{
    for (int round = 0; round < READING_DEPTH; round++) {
        struct sf_word_values made;
        bool more = false;

        begin_like(&made, out);
        for (size_t i = 0; i < out->count; i++) {
            if (add_alternatives(j, out->texts[i], &made))
                more = true;
            else
                add_text(j, &made, out->texts[i], strlen(out->texts[i]));
        }
        copy_values(out, &made);
        if (!more)
            return;
    }
    out->anywhere = true;
}

/* An unquoted value falls apart at its blanks. */
static void split_blanks(struct sf_classifier *j, struct sf_word_values *out)
{
    struct sf_word_values made;

    begin_like(&made, out);
    for (size_t i = 0; i < out->count; i++) {
        const char *p = out->texts[i];

        while (*(p += strspn(p, " \t\n"))) {
            size_t n = strcspn(p, " \t\n");

            add_text(j, &made, p, n);
            p += n;
        }
    }
    copy_values(out, &made);
}

static void read_word(struct sf_classifier *j, const struct sf_word *w, const char *text,
                      unsigned depth, struct sf_word_values *out)
{
    size_t at = (size_t)(text - w->text);
    struct sf_word_values made;

    begin_empty(&made);
    made.texts[made.count++] = "";
    made.glob = w->flags & SF_WORD_GLOB;
    for (uint32_t i = 0; i < w->npieces; i++) {
        const struct sf_piece *piece = &w->pieces[i];
        struct sf_word_values parts;

        if (piece->at < (size_t)(text - w->text))
            continue;
        begin_empty(&parts);
        append(j, &made, w->text + at, piece->at - at);
        at = piece->at;
        read_piece(j, w, piece, depth, &parts);
        multiply(j, &made, &parts);
    }
    append(j, &made, w->text + at, strlen(w->text + at));
    if (w->flags & SF_WORD_BRACE)
        expand_braces(j, &made);
    if (w->flags & SF_WORD_SPLITS && w->npieces && !depth)
        split_blanks(j, &made);
    for (size_t i = 0; i < made.count; i++)
        add_text(j, out, made.texts[i], strlen(made.texts[i]));
    inherit(out, &made);
}

/* What stands for the directory the command is in becomes its name; the rest must not climb. */
static void settle(struct sf_classifier *j, struct sf_word_values *out)
{
    for (size_t i = 0; i < out->count; i++) {
        const char *text = out->texts[i];
        size_t n = strlen(own_dir);

        if (!strncmp(text, own_dir, n)) {
            struct sf_strbuf sb = SF_STRBUF_INIT;

            sf_strbuf_addf(&sb, ".%s", text + n);
            out->texts[i] = sf_arena_strndup(j->arena, sb.buf, sb.len);
            sf_strbuf_release(&sb);
        }
        out->anywhere = out->anywhere || sf_name_climbs(out->texts[i]);
    }
}

void sf_word_values_of(struct sf_classifier *j, const struct sf_word *w, const char *text,
                       struct sf_word_values *out)
{
    begin_empty(out);
    if (!w->npieces && !(w->flags & (SF_WORD_EXPANDS | SF_WORD_BRACE))) {
        out->texts[out->count++] = text; /* nearly all words */
        out->glob = w->flags & SF_WORD_GLOB;
    } else if (!w->npieces && !(w->flags & SF_WORD_BRACE)) {
        out->anywhere = true;
    } else {
        read_word(j, w, text, 0, out);
        settle(j, out);
    }
    if (w->flags & SF_WORD_TILDE && text == w->text && text[1] && text[1] != '/')
        out->anywhere = true; /* ~user, ~+ */
}

void sf_word_texts_of(struct sf_classifier *j, const struct sf_word *w, struct sf_word_values *out)
{
    struct sf_word whole = *w;

    begin_empty(out);
    whole.flags &= ~(unsigned)SF_WORD_SPLITS;
    if (!w->npieces && !(w->flags & SF_WORD_BRACE))
        out->anywhere = true;
    else
        read_word(j, &whole, whole.text, 0, out);
}

bool sf_word_stays(struct sf_classifier *j, const struct sf_word *w)
{
    struct sf_word_values r;

    sf_word_values_of(j, w, w->text, &r);
    for (size_t i = 0; i < r.count; i++)
        if (sf_text_leaves(r.texts[i]))
            return false;
    return !r.anywhere;
}
