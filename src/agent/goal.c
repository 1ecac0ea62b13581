/*
 * goal.c: the table of moves, parsing of commands, and texts about goals. Every change of a goal by
 * command goes through sf_goal_apply.
 */
#include "agent/goal.h"

#include <inttypes.h>

#include "modes/modes.h"

const char *const sf_goal_status_names[] = {
    "active", "paused", "blocked", "usage_limited", "budget_limited", "complete", NULL
};

/* clang-format off */
static const bool moves[SF_GOAL_STATUS_COUNT][SF_GOAL_STATUS_COUNT] = {
    /* to                        active paused blocked usage  budget complete */
    [SF_GOAL_ACTIVE]         = { false, true,  true,   true,  true,  true  },
    [SF_GOAL_PAUSED]         = { true,  false, true,   false, false, true  },
    [SF_GOAL_BLOCKED]        = { true,  true,  false,  false, false, true  },
    [SF_GOAL_USAGE_LIMITED]  = { true,  true,  true,   false, false, true  },
    [SF_GOAL_BUDGET_LIMITED] = { true,  true,  true,   false, false, true  },
    [SF_GOAL_COMPLETE]       = { false, false, false,  false, false, false },
};
/* clang-format on */

/* Whether `to` may follow `from`; staying the same is not a move. */
static bool may(enum sf_goal_status from, enum sf_goal_status to)
{
    return moves[from][to];
}

bool sf_goal_status_parse(const char *name, enum sf_goal_status *out)
{
    for (int i = 0; i < SF_GOAL_STATUS_COUNT; i++)
        if (!strcmp(sf_goal_status_names[i], name)) {
            *out = (enum sf_goal_status)i;
            return true;
        }
    return false;
}

/* ---- numbers ---- */

static bool is_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && !strncmp(text, word, len);
}

static int64_t unit_of(char letter)
{
    static const struct {
        const char *letters;
        int64_t unit;
    } units[] = { { "kK", 1000 }, { "mM", 1000000 }, { "gG", 1000000000 } };

    for (size_t i = 0; i < SF_COUNT(units); i++)
        if (strchr(units[i].letters, letter))
            return units[i].unit;
    return 0;
}

/* Parses a decimal number as thousandths, so that 1.5M is exact. */
static bool read_thousandths(const char *text, size_t len, int64_t *out)
{
    int decimals = -1;
    int64_t n = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '.' && decimals < 0 && i > 0) {
            decimals = 0;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || decimals == 3 || n > SF_GOAL_BUDGET_MAX * 1000)
            return false;
        n = n * 10 + (text[i] - '0');
        decimals += decimals >= 0;
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 3; i++)
        n = n > SF_GOAL_BUDGET_MAX * 1000 ? n : n * 10;
    *out = n;
    return len > 0 && decimals != 0;
}

bool sf_goal_budget_parse(const char *text, size_t len, int64_t *out, struct sf_error *err)
{
    int64_t unit = len ? unit_of(text[len - 1]) : 0, n = 0;
    char quote[SF_QUOTE_MAX];

    if (is_word(text, len, "none") || is_word(text, len, "0")) {
        *out = 0;
        return true;
    }
    if (!read_thousandths(text, len - (unit ? 1 : 0), &n) ||
        __builtin_mul_overflow(n, unit ? unit : 1, &n) || n % 1000 != 0 || n < 1000) {
        sf_fail(err, SF_E_ARG, "%s is not a number of tokens", sf_quote(quote, text, len));
        return sf_hint(err, "write 20000, 50k or 1.5M; none takes the budget away");
    }
    if (n / 1000 > SF_GOAL_BUDGET_MAX)
        return sf_fail(err, SF_E_LIMIT, "a budget holds at most %" PRId64 " tokens",
                       SF_GOAL_BUDGET_MAX);
    *out = n / 1000;
    return true;
}

/* ---- commands ---- */

static const struct {
    const char *name;
    enum sf_goal_verb verb;
    enum sf_goal_status to;
    bool words; /* takes a text */
} verbs[] = {
    { "set", SF_GOAL_VERB_SET, SF_GOAL_ACTIVE, true },
    { "pause", SF_GOAL_VERB_MOVE, SF_GOAL_PAUSED, false },
    { "resume", SF_GOAL_VERB_MOVE, SF_GOAL_ACTIVE, false },
    { "complete", SF_GOAL_VERB_MOVE, SF_GOAL_COMPLETE, false },
    { "blocked", SF_GOAL_VERB_MOVE, SF_GOAL_BLOCKED, true },
    { "clear", SF_GOAL_VERB_CLEAR, SF_GOAL_ACTIVE, false },
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void trim(struct sf_goal_command *c)
{
    while (c->len && is_blank(c->text[0])) {
        c->text++;
        c->len--;
    }
    while (c->len && is_blank(c->text[c->len - 1]))
        c->len--;
}

static size_t word_length(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && !is_blank(text[n]))
        n++;
    return n;
}

static size_t last_word(const char *text, size_t len)
{
    size_t at = len;

    while (at > 0 && !is_blank(text[at - 1]))
        at--;
    return at;
}

/* Takes the option at the front: "--budget 50k TEXT". */
static bool take_front(struct sf_goal_command *c, struct sf_error *err)
{
    size_t option = word_length(c->text, c->len), value;

    if (c->budget >= 0 || !is_word(c->text, option, "--budget"))
        return true;
    c->text += option;
    c->len -= option;
    trim(c);
    value = word_length(c->text, c->len);
    if (!sf_goal_budget_parse(c->text, value, &c->budget, err))
        return false;
    c->text += value;
    c->len -= value;
    trim(c);
    return true;
}

/* Takes the option at the end: "TEXT --budget 50k". Elsewhere it is part of the text. */
static bool take_end(struct sf_goal_command *c, struct sf_error *err)
{
    size_t value = last_word(c->text, c->len), end = value, option;

    while (end > 0 && is_blank(c->text[end - 1]))
        end--;
    if (is_word(c->text + value, c->len - value, "--budget"))
        return sf_goal_budget_parse("", 0, &c->budget, err);
    option = last_word(c->text, end);
    if (!is_word(c->text + option, end - option, "--budget"))
        return true;
    if (!sf_goal_budget_parse(c->text + value, c->len - value, &c->budget, err))
        return false;
    c->len = option;
    trim(c);
    return true;
}

bool sf_goal_command_parse(const char *line, size_t len, struct sf_goal_command *out,
                           struct sf_error *err)
{
    struct sf_goal_command c = { .verb = SF_GOAL_VERB_SET, .text = line, .len = len, .budget = -1 };
    size_t word;

    trim(&c);
    if (!take_end(&c, err) || !take_front(&c, err))
        return false;
    word = word_length(c.text, c.len);
    if (!c.len)
        c.verb = c.budget >= 0 ? SF_GOAL_VERB_BUDGET : SF_GOAL_VERB_SHOW;
    for (size_t i = 0; i < SF_COUNT(verbs) && c.len; i++) {
        if (!is_word(c.text, word, verbs[i].name) || (word < c.len && !verbs[i].words))
            continue;
        c.verb = verbs[i].verb;
        c.to = verbs[i].to;
        c.text += word;
        c.len -= word;
        trim(&c);
        break;
    }
    *out = c;
    return true;
}

/* ---- what commands do ---- */

/* One line without control characters; false: longer than `max` bytes. */
static bool take_text(char *to, size_t max, const char *text, size_t len)
{
    struct sf_strbuf clean = SF_STRBUF_INIT;
    bool fits;

    sf_text_sanitize(&clean, text, len, SF_TEXT_ONE_LINE);
    fits = clean.len <= max;
    if (fits)
        memcpy(to, clean.buf, clean.len + 1);
    sf_strbuf_release(&clean);
    return fits;
}

static bool begin(struct sf_goal *g, const struct sf_goal_command *c, struct sf_error *err)
{
    struct sf_goal fresh = { .set = true, .budget = c->budget > 0 ? c->budget : 0 };

    if (!c->len) {
        sf_fail(err, SF_E_ARG, "a goal needs words");
        return sf_hint(err, "/goal TEXT [--budget 50k]");
    }
    if (!take_text(fresh.text, SF_GOAL_TEXT_MAX, c->text, c->len))
        return sf_fail(err, SF_E_LIMIT, "a goal has at most %d bytes: say it shorter",
                       SF_GOAL_TEXT_MAX);
    *g = fresh;
    return true;
}

static bool is_used_up(const struct sf_goal *g)
{
    return g->budget > 0 && g->tokens >= g->budget;
}

static bool move(struct sf_goal *g, const struct sf_goal_command *c, struct sf_error *err)
{
    struct sf_goal moved = *g;

    if (g->status == c->to && c->budget < 0 && !c->len)
        return sf_fail(err, SF_E_ARG, "the goal is %s already", sf_goal_status_names[c->to]);
    if (g->status != c->to && !may(g->status, c->to)) {
        sf_fail(err, SF_E_ARG, "a goal that is %s cannot become %s",
                sf_goal_status_names[g->status], sf_goal_status_names[c->to]);
        return sf_hint(err, "set a new one: /goal TEXT");
    }
    if (c->budget >= 0)
        moved.budget = c->budget;
    if (c->to == SF_GOAL_ACTIVE && is_used_up(&moved)) {
        sf_fail(err, SF_E_ARG, "the goal's budget is used up");
        return sf_hint(err, "give it more: /goal resume --budget TOKENS");
    }
    if (!take_text(moved.why, SF_GOAL_WHY_MAX, c->text, c->len))
        return sf_fail(err, SF_E_LIMIT, "the reason has at most %d bytes", SF_GOAL_WHY_MAX);
    moved.status = c->to;
    *g = moved;
    return true;
}

/* More budget reactivates a goal that had used it up; less can limit an active one. */
static void set_budget(struct sf_goal *g, int64_t budget)
{
    g->budget = budget;
    if (g->status == SF_GOAL_BUDGET_LIMITED && !is_used_up(g))
        g->status = SF_GOAL_ACTIVE;
    else if (g->status == SF_GOAL_ACTIVE && is_used_up(g))
        g->status = SF_GOAL_BUDGET_LIMITED;
}

bool sf_goal_apply(struct sf_goal *g, const struct sf_goal_command *c, struct sf_error *err)
{
    if (c->verb == SF_GOAL_VERB_SET)
        return begin(g, c, err);
    if (!g->set && c->verb != SF_GOAL_VERB_SHOW) {
        sf_fail(err, SF_E_ARG, "there is no goal");
        return sf_hint(err, "set one: /goal TEXT");
    }
    if (c->verb == SF_GOAL_VERB_MOVE)
        return move(g, c, err);
    if (c->verb == SF_GOAL_VERB_BUDGET)
        set_budget(g, c->budget);
    else if (c->verb == SF_GOAL_VERB_CLEAR)
        *g = (struct sf_goal){ .set = false };
    return true;
}

bool sf_goal_counts(const struct sf_goal *g)
{
    return g->set && g->status != SF_GOAL_PAUSED && g->status != SF_GOAL_COMPLETE;
}

/* ---- as it is told ---- */

void sf_goal_used(const struct sf_goal *g, struct sf_strbuf *out)
{
    sf_tokens_add(out, g->tokens);
    if (g->budget) {
        sf_strbuf_adds(out, " of ");
        sf_tokens_add(out, g->budget);
    }
    sf_strbuf_adds(out, " tokens");
}

void sf_goal_meta(const struct sf_goal *g, struct sf_strbuf *out)
{
    if (!sf_goal_counts(g))
        return;
    sf_strbuf_addf(out, "%s (%s", g->text, sf_goal_status_names[g->status]);
    if (g->status == SF_GOAL_BLOCKED && g->why[0])
        sf_strbuf_addf(out, ": %s", g->why);
    sf_strbuf_adds(out, "; ");
    sf_goal_used(g, out);
    sf_strbuf_adds(out, " used");
    if (g->status == SF_GOAL_BUDGET_LIMITED)
        sf_strbuf_adds(out, ": its budget is used up, so bring what is in hand to an end and say "
                            "what is left");
    sf_strbuf_addch(out, ')');
}

void sf_goal_line(const struct sf_goal *g, struct sf_strbuf *out)
{
    int64_t s = g->time_ms / 1000;

    if (!g->set) {
        sf_strbuf_adds(out, "there is no goal");
        return;
    }
    sf_strbuf_addf(out, "%s: %s (", sf_goal_status_names[g->status], g->text);
    if (g->why[0])
        sf_strbuf_addf(out, "%s; ", g->why);
    sf_goal_used(g, out);
    sf_strbuf_addf(out, ", %" PRId64 ":%02d)", s / 60, (int)(s % 60));
}

void sf_goal_json(const struct sf_goal *g, struct sf_json_writer *w)
{
    if (!g->set) {
        sf_jw_null(w);
        return;
    }
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "text", g->text);
    sf_jw_key_str(w, "status", sf_goal_status_names[g->status]);
    sf_jw_key_str(w, "why", g->why[0] ? g->why : NULL);
    sf_jw_key(w, "budget");
    if (g->budget)
        sf_jw_int(w, g->budget);
    else
        sf_jw_null(w);
    sf_jw_key_int(w, "tokens_used", g->tokens);
    sf_jw_key_int(w, "time_used_ms", g->time_ms);
    sf_jw_object_end(w);
}
