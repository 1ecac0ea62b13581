/*
 * statusline.c: expands the user's status line, and /statusline. A part between two separators whose
 * placeholders are all empty is left out together with its separator. What is written is checked;
 * an unknown name in a file that was edited by hand is shown as it stands there.
 */
#include "port/statusline.h"

#include <string.h>

#include "port/internal.h"

enum {
    TEMPLATE_MAX = 400, /* bytes */
    VALUE_COLS = 100,   /* the most columns of one fact */
    LINE_COLS = 400,
};

static const char example[] = "{model} · {branch}{dirty} · {context} · {cost}";

/* ---- facts ---- */

static void add_model(struct sf_port *p, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, sf_port_is_offline(p) ? "offline" : sf_port_model(p));
}

static void add_provider(struct sf_port *p, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, sf_port_provider(p));
}

static void add_project(struct sf_port *p, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, sf_port_project(p));
}

static void add_cwd(struct sf_port *p, struct sf_strbuf *out)
{
    const char *below = p->setup.session.below;

    sf_strbuf_adds(out, sf_port_project(p));
    if (below && *below)
        sf_strbuf_addf(out, "/%s", below);
}

static void add_branch(struct sf_port *p, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, sf_port_branch(p));
}

static void add_dirty(struct sf_port *p, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, sf_port_is_dirty(p) ? "*" : "");
}

static void add_session(struct sf_port *p, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%.10s", sf_port_session(p));
}

static void add_context(struct sf_port *p, struct sf_strbuf *out)
{
    int64_t used, window;

    sf_port_context(p, &used, &window);
    sf_context_percent_add(out, used, window);
}

static void add_window(struct sf_port *p, struct sf_strbuf *out)
{
    int64_t used, window;

    sf_port_context(p, &used, &window);
    if (window > 0)
        sf_tokens_add(out, window);
}

static void add_tokens(struct sf_port *p, struct sf_strbuf *out)
{
    int64_t sum = p->totals.tokens_in + p->totals.tokens_out;

    if (sum)
        sf_tokens_add(out, sum);
}

static void add_cost(struct sf_port *p, struct sf_strbuf *out)
{
    if (!sf_port_is_offline(p) && p->totals.cost_known)
        sf_money_add(out, p->totals.cost);
}

static void add_limit(struct sf_port *p, struct sf_strbuf *out)
{
    if (sf_port_cost_limit(p) > 0)
        sf_limit_add(out, sf_port_cost_limit(p));
}

static void add_steps(struct sf_port *p, struct sf_strbuf *out)
{
    const struct sf_overview *o = sf_port_overview(p);

    if (o->todo_count)
        sf_strbuf_addf(out, "%zu of %zu", o->todos_done, o->todo_count);
}

static void add_changed(struct sf_port *p, struct sf_strbuf *out)
{
    sf_changed_add(out, sf_port_overview(p));
}

static void add_jobs(struct sf_port *p, struct sf_strbuf *out)
{
    size_t jobs = sf_port_overview(p)->jobs;

    if (jobs)
        sf_strbuf_addf(out, "%zu job%s", jobs, jobs == 1 ? "" : "s");
}

static const struct placeholder {
    const char *name, *help;
    void (*add)(struct sf_port *p, struct sf_strbuf *out);
} placeholders[] = {
    { "model", "the model that answers", add_model },
    { "provider", "the service it comes from", add_provider },
    { "project", "name of the workspace's directory", add_project },
    { "cwd", "where you stand, from the project on", add_cwd },
    { "branch", "the branch that is checked out, or the commit", add_branch },
    { "dirty", "* where tracked files differ from the last commit", add_dirty },
    { "session", "the beginning of the session's id", add_session },
    { "context", "how much of the model's window is filled", add_context },
    { "window", "tokens that the window holds", add_window },
    { "tokens", "tokens of this session, in and out", add_tokens },
    { "cost", "cost of this session, where it is known", add_cost },
    { "limit", "the most that a run may cost", add_limit },
    { "steps", "how many of the model's steps are done", add_steps },
    { "changed", "files changed since the session began", add_changed },
    { "jobs", "commands that run in the background", add_jobs },
};

static const struct placeholder *find(const char *name, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(placeholders); i++)
        if (strlen(placeholders[i].name) == len && !strncmp(placeholders[i].name, name, len))
            return &placeholders[i];
    return NULL;
}

/* The value of one placeholder as it may be shown. */
static void add_value(struct sf_port *p, const struct placeholder *of, struct sf_strbuf *out)
{
    struct sf_strbuf raw = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;

    of->add(p, &raw);
    sf_text_sanitize(&safe, raw.buf, raw.len, SF_TEXT_ONE_LINE);
    sf_strbuf_add(out, safe.buf, sf_text_fit(safe.buf, safe.len, VALUE_COLS, NULL));
    sf_strbuf_release(&raw);
    sf_strbuf_release(&safe);
}

/* ---- templates ---- */

enum piece_kind { PIECE_END, PIECE_TEXT, PIECE_NAME, PIECE_GAP, PIECE_OPEN };

struct piece {
    enum piece_kind kind;
    const char *text; /* of a name: without its braces */
    size_t len;
};

static size_t gap_at(const char *text)
{
    static const char *const gaps[] = { " · ", " | " };

    for (size_t i = 0; i < SF_COUNT(gaps); i++)
        if (!strncmp(text, gaps[i], strlen(gaps[i])))
            return strlen(gaps[i]);
    return 0;
}

static struct piece take_brace(const char **at)
{
    const char *text = *at;
    size_t len = strcspn(text, "}");

    if (text[0] == text[1] || text[0] == '}') {
        *at += text[0] == text[1] ? 2 : 1;
        return (struct piece){ PIECE_TEXT, text, 1 };
    }
    if (!text[len]) {
        *at += len;
        return (struct piece){ PIECE_OPEN, text, len };
    }
    *at += len + 1;
    return (struct piece){ PIECE_NAME, text + 1, len - 1 };
}

/* Cuts the next piece off the template: "{name}", a separator, or the text up to one. */
static struct piece take_piece(const char **at)
{
    const char *text = *at;
    size_t len = gap_at(text);

    if (!*text)
        return (struct piece){ PIECE_END, text, 0 };
    if (*text == '{' || *text == '}')
        return take_brace(at);
    if (len) {
        *at += len;
        return (struct piece){ PIECE_GAP, text, len };
    }
    while (text[len] && !strchr("{}", text[len]) && !gap_at(text + len))
        len++;
    *at += len;
    return (struct piece){ PIECE_TEXT, text, len };
}

/* The part between two separators, and whether any of its placeholders says something. */
struct part {
    struct sf_strbuf text;
    struct piece gap; /* in front of it */
    bool named, filled;
};

static void end_part(struct part *part, struct piece gap, struct sf_strbuf *out)
{
    if (part->text.len && (part->filled || !part->named)) {
        if (out->len)
            sf_strbuf_add(out, part->gap.text, part->gap.len);
        sf_strbuf_add(out, part->text.buf, part->text.len);
    }
    sf_strbuf_reset(&part->text);
    part->named = part->filled = false;
    part->gap = gap;
}

static void add_piece(struct sf_port *p, struct part *part, const struct piece *piece)
{
    const struct placeholder *of = piece->kind == PIECE_NAME ? find(piece->text, piece->len) : NULL;
    size_t before = part->text.len;

    if (of)
        add_value(p, of, &part->text);
    else if (piece->kind == PIECE_NAME)
        sf_strbuf_addf(&part->text, "{%.*s}", (int)piece->len, piece->text);
    else
        sf_strbuf_add(&part->text, piece->text, piece->len);
    part->named |= piece->kind == PIECE_NAME;
    part->filled |= piece->kind == PIECE_NAME && part->text.len > before;
}

static void expand(struct sf_port *p, const char *template, struct sf_strbuf *out)
{
    char *text = sf_strndup(template, strnlen(template, TEMPLATE_MAX));
    struct part part = { .text = SF_STRBUF_INIT };
    struct sf_strbuf line = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;
    const char *at = text;
    struct piece piece;

    do {
        piece = take_piece(&at);
        if (piece.kind == PIECE_END || piece.kind == PIECE_GAP)
            end_part(&part, piece, &line);
        else
            add_piece(p, &part, &piece);
    } while (piece.kind != PIECE_END);
    sf_text_sanitize(&safe, line.buf, line.len, SF_TEXT_ONE_LINE);
    sf_strbuf_add(out, safe.buf, sf_text_fit(safe.buf, safe.len, LINE_COLS, NULL));
    sf_strbuf_release(&part.text);
    sf_strbuf_release(&line);
    sf_strbuf_release(&safe);
    free(text);
}

static const char *template_of(const struct sf_port *p)
{
    const char *text = sf_port_setting(p, SF_STATUSLINE);

    return text ? text : "";
}

bool sf_port_has_statusline(const struct sf_port *p)
{
    return *template_of(p) != '\0';
}

bool sf_statusline_names(const struct sf_port *p, const char *name)
{
    const char *at = template_of(p);
    struct piece piece;

    if (!sf_port_moves(p)) /* A run without a screen shows no such line. */
        return false;
    do {
        piece = take_piece(&at);
        if (piece.kind == PIECE_NAME && piece.len == strlen(name) &&
            !strncmp(piece.text, name, piece.len))
            return true;
    } while (piece.kind != PIECE_END);
    return false;
}

void sf_port_statusline_add(struct sf_port *p, struct sf_strbuf *out)
{
    expand(p, template_of(p), out);
}

/* ---- checking ---- */

static bool refuse_name(const struct piece *piece, struct sf_error *err)
{
    char *name = sf_strndup(piece->text, piece->len), quote[SF_QUOTE_MAX];
    struct sf_suggest s;

    sf_fail(err, SF_E_ARG, "there is no placeholder {%s}", sf_quote(quote, name, piece->len));
    sf_suggest_start(&s, name);
    for (size_t i = 0; i < SF_COUNT(placeholders); i++)
        sf_suggest_offer(&s, placeholders[i].name);
    if (s.best)
        sf_hint(err, "did you mean {%s}? /statusline lists all", s.best);
    else
        sf_hint(err, "/statusline lists all; {{ stands for a brace");
    free(name);
    return false;
}

static bool check_text(const char *text, struct sf_error *err)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return sf_fail(err, SF_E_ARG, "a status line has no control characters");
    if (strlen(text) <= TEMPLATE_MAX)
        return true;
    return sf_fail(err, SF_E_ARG, "a status line has at most %d bytes, not %zu", TEMPLATE_MAX,
                   strlen(text));
}

bool sf_statusline_check(const char *key, const char *typed, struct sf_error *err)
{
    struct piece piece;

    if (strcmp(key, SF_STATUSLINE) != 0 || !typed)
        return true;
    if (!check_text(typed, err))
        return false;
    do {
        piece = take_piece(&typed);
        if (piece.kind == PIECE_OPEN) {
            sf_fail(err, SF_E_ARG, "a { of the status line is not closed");
            return sf_hint(err, "{{ stands for a brace");
        }
        if (piece.kind == PIECE_NAME && !find(piece.text, piece.len))
            return refuse_name(&piece, err);
    } while (piece.kind != PIECE_END);
    return true;
}

/* ---- /statusline ---- */

static void add_fenced(const char *heading, const char *text, struct sf_strbuf *out)
{
    struct sf_strbuf fenced = SF_STRBUF_INIT;

    sf_strbuf_adds(&fenced, text);
    sf_strbuf_addf(out, "%s\n\n", heading);
    sf_port_fenced_add(out, &fenced);
    sf_strbuf_addch(out, '\n');
    sf_strbuf_release(&fenced);
}

static void show(struct sf_port *p)
{
    struct sf_strbuf page = SF_STRBUF_INIT, now = SF_STRBUF_INIT;
    bool set = sf_port_has_statusline(p);

    sf_text_sanitize(&now, template_of(p), strlen(template_of(p)), SF_TEXT_ONE_LINE);
    add_fenced(set ? "The template:" : "There is no template. One could be:",
               set ? now.buf : example, &page);
    sf_strbuf_reset(&now);
    expand(p, set ? template_of(p) : example, &now);
    add_fenced(set ? "It shows now:" : "It would show now:", now.buf, &page);
    sf_strbuf_adds(&page,
                   "`/statusline TEMPLATE` sets and keeps it, `/statusline off` removes it.\n\n"
                   "| Placeholder | Now | What it is |\n|---|---|---|\n");
    for (size_t i = 0; i < SF_COUNT(placeholders); i++) {
        sf_strbuf_reset(&now);
        add_value(p, &placeholders[i], &now);
        sf_strbuf_addf(&page, "| {%s} | ", placeholders[i].name);
        sf_port_cell_add(&page, now.buf);
        sf_strbuf_addf(&page, " | %s |\n", placeholders[i].help);
    }
    sf_strbuf_adds(&page,
                   "\nA part between ` · ` or ` | ` whose placeholders are all empty is left "
                   "out. `{{` stands for a brace.\n");
    sf_port_page(p, "Status line", &page);
    sf_strbuf_release(&page);
    sf_strbuf_release(&now);
}

/* /statusline, /statusline off, /statusline TEMPLATE */
void sf_command_statusline(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*args) {
        show(p);
    } else if (!sf_port_moves(p)) { /* As for /config: the words of others change no settings. */
        sf_fail(&err, SF_E_ARG, "a run without a screen changes no settings");
        sf_hint(&err, "`sf config set " SF_STATUSLINE " …` does");
        sf_port_fail(p, &err);
    } else if (!sf_port_change_setting(p, SF_STATUSLINE, strcmp(args, "off") != 0 ? args : "",
                                       &err)) {
        sf_port_fail(p, &err);
    }
}
