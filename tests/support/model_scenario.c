/*
 * model_scenario.c: from lines to replies. One table says of every directive how many words,
 * which options and what kind of value it takes; the functions only store what passed it.
 */
#include "support/model_scenario.h"

#include "support/model_words.h"

enum { PAUSE_MAX_MS = 60 * 1000 };

enum value { VALUE_NONE, VALUE_MAY, VALUE_TEXT, VALUE_ARGUMENTS };

struct parser {
    struct model_scenario *scenario;
    struct model_reply *reply; /* NULL: before the first one */
    struct model_words words;
};

struct directive {
    const char *name;
    bool inside; /* a reply, or before the first */
    size_t words_min, words_max;
    const char *options; /* names with a blank on both sides */
    enum value value;
    bool (*apply)(struct parser *p, const struct directive *d, struct sf_error *err);
    int detail; /* which of several similar things */
};

static bool option_number(const struct parser *p, const char *name, size_t max, size_t *out,
                          struct sf_error *err)
{
    const char *text = model_words_option(&p->words, name);

    return !text || model_words_number(text, max, out, err);
}

static bool set_key(struct parser *p, const struct directive *d, struct sf_error *err)
{
    (void)d;
    (void)err;
    p->scenario->key = p->words.words[0];
    return true;
}

static bool set_model(struct parser *p, const struct directive *d, struct sf_error *err)
{
    (void)d;
    (void)err;
    p->scenario->model = p->words.words[0];
    return true;
}

static bool set_window(struct parser *p, const struct directive *d, struct sf_error *err)
{
    (void)d;
    return model_words_number(p->words.words[0], SF_JSON_BYTES, &p->scenario->window, err);
}

static bool set_loop(struct parser *p, const struct directive *d, struct sf_error *err)
{
    (void)d;
    (void)err;
    p->scenario->loop = true;
    return true;
}

static bool garbage_seed(const char *word, uint64_t *seed, struct sf_error *err)
{
    size_t number = 0;

    if (strncmp(word, "garbage:", 8) != 0)
        return sf_fail(err, SF_E_SYNTAX, "a reply is no \"%s\"", word);
    if (!model_words_number(word + 8, SIZE_MAX / 2048, &number, err))
        return false;
    *seed = number;
    return true;
}

static bool begin_reply(struct parser *p, const struct directive *d, struct sf_error *err)
{
    struct model_scenario *s = p->scenario;
    struct model_reply *reply;

    (void)d;
    if (s->count == MODEL_REPLIES_MAX)
        return sf_fail(err, SF_E_LIMIT, "there are more than %d replies", MODEL_REPLIES_MAX);
    s->replies = sf_grow(s->replies, &s->cap, s->count + 1, sizeof(*s->replies));
    reply = p->reply = &s->replies[s->count++];
    *reply = (struct model_reply){
        .line = p->words.line,
        .repeat = 1,
        .retry_after = MODEL_NEVER,
        .input = MODEL_NEVER,
        .output = MODEL_NEVER,
        .cut_at = MODEL_NEVER,
        .stall_at = MODEL_NEVER,
        .newline = "\n",
        .length = MODEL_NEVER,
        .lines = SF_STRLIST_INIT,
    };
    if (p->words.count) {
        reply->kind = MODEL_REPLY_GARBAGE;
        if (!garbage_seed(p->words.words[0], &reply->seed, err))
            return false;
    }
    return option_number(p, "repeat", MODEL_TIMES_MAX, &reply->repeat, err);
}

static bool check_fill(const struct parser *p, struct sf_error *err)
{
    if (p->words.value && strstr(p->words.value, "${fill:"))
        return sf_fail(err, SF_E_SYNTAX, "${fill:N} cannot stand in what the server signs");
    return true;
}

static bool add_step(struct parser *p, const struct directive *d, struct sf_error *err)
{
    struct model_reply *r = p->reply;
    struct model_step step = {
        .kind = (enum model_step_kind)d->detail,
        .name = p->words.count ? p->words.words[0] : NULL,
        .id = model_words_option(&p->words, "id"),
        .text = p->words.value ? p->words.value : "",
        .len = p->words.value_len,
        .times = 1,
    };
    size_t seed = 0;

    if (r->step_count == MODEL_STEPS_MAX)
        return sf_fail(err, SF_E_LIMIT, "there are more than %d steps", MODEL_STEPS_MAX);
    if ((step.kind == MODEL_STEP_REASONING || step.kind == MODEL_STEP_REDACTED) &&
        !check_fill(p, err))
        return false;
    if (!option_number(p, "delta", SF_JSON_BYTES, &step.delta, err) ||
        !option_number(p, "times", MODEL_TIMES_MAX, &step.times, err) ||
        !option_number(p, "seed", SIZE_MAX / 2048, &seed, err))
        return false;
    step.seed = seed;
    if ((step.kind == MODEL_STEP_DELAY || step.kind == MODEL_STEP_NOISE) &&
        !model_words_number(step.name, SF_JSON_BYTES, &step.number, err))
        return false;
    r->steps = sf_grow(r->steps, &r->step_cap, r->step_count + 1, sizeof(*r->steps));
    r->steps[r->step_count++] = step;
    return true;
}

static bool add_huge(struct parser *p, const struct directive *d, struct sf_error *err)
{
    struct sf_strbuf token = SF_STRBUF_INIT;
    size_t number;

    if (!model_words_number(p->words.words[0], 1024, &number, err))
        return false;
    sf_strbuf_addf(&token, "${fill:%zuM}", number);
    p->words.value = sf_arena_strndup(&p->scenario->arena, token.buf, token.len);
    p->words.value_len = token.len;
    p->words.count = 0;
    sf_strbuf_release(&token);
    return add_step(p, d, err);
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;

    return at ? (int)(at - digits) : -1;
}

static bool add_bytes(struct parser *p, const struct directive *d, struct sf_error *err)
{
    const char *hex = model_words_option(&p->words, "hex");
    size_t len = hex ? strlen(hex) : 0;
    char *bytes;

    if (!hex == !p->words.value || len % 2)
        return sf_fail(err, SF_E_SYNTAX, "bytes are a value or hex= with two digits each");
    if (hex) {
        bytes = sf_arena_alloc(&p->scenario->arena, len / 2 + 1);
        for (size_t i = 0; i < len; i += 2) {
            int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);

            if (high < 0 || low < 0)
                return sf_fail(err, SF_E_SYNTAX, "hex= takes digits and a to f");
            bytes[i / 2] = (char)(high * 16 + low);
        }
        p->words.value = bytes;
        p->words.value_len = len / 2;
    }
    return add_step(p, d, err);
}

static bool add_expect(struct parser *p, const struct directive *d, struct sf_error *err)
{
    struct model_reply *r = p->reply;
    struct model_expect expect = {
        .kind = (enum model_expect_kind)d->detail,
        .line = p->words.line,
        .name = p->words.count ? p->words.words[0] : NULL,
        .text = p->words.value,
    };

    if (expect.kind == MODEL_EXPECT_RESULT && !strcmp(p->words.words[1], "lacks"))
        expect.kind = MODEL_EXPECT_RESULT_LACKS;
    else if (expect.kind == MODEL_EXPECT_FIELD)
        expect.text = p->words.words[1];
    else if (p->words.count > 1 && strcmp(p->words.words[1], "contains") != 0)
        return sf_fail(err, SF_E_SYNTAX, "%s takes \"contains\" or \"lacks\", not \"%s\"", d->name,
                       p->words.words[1]);
    r->expects = sf_grow(r->expects, &r->expect_cap, r->expect_count + 1, sizeof(*r->expects));
    r->expects[r->expect_count++] = expect;
    return true;
}

static bool set_usage(struct parser *p, const struct directive *d, struct sf_error *err)
{
    struct model_reply *r = p->reply;
    const struct {
        const char *name;
        int64_t *to;
    } figures[] = {
        { "input", &r->input },
        { "output", &r->output },
        { "cache-read", &r->cache_read },
        { "cache-write", &r->cache_write },
    };

    (void)d;
    for (size_t i = 0; i < SF_COUNT(figures); i++) {
        size_t number = 0;

        if (!model_words_option(&p->words, figures[i].name))
            continue;
        if (!option_number(p, figures[i].name, INT32_MAX, &number, err))
            return false;
        *figures[i].to = (int64_t)number;
    }
    return true;
}

/* The index of the word in a list that ends in NULL. */
static bool choose(const char *word, const char *const *names, int *out, struct sf_error *err)
{
    struct sf_strbuf list = SF_STRBUF_INIT;

    for (int i = 0; names[i]; i++) {
        if (!strcmp(names[i], word)) {
            *out = i;
            sf_strbuf_release(&list);
            return true;
        }
        sf_strbuf_addf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    sf_fail(err, SF_E_SYNTAX, "\"%s\" is none of %s", word, list.buf);
    sf_strbuf_release(&list);
    return false;
}

static bool set_stop(struct parser *p, const struct directive *d, struct sf_error *err)
{
    static const char *const names[] = { "auto", "end", "max_tokens", "refusal", "context", NULL };
    int n;

    (void)d;
    if (!choose(p->words.words[0], names, &n, err))
        return false;
    p->reply->stop = (enum model_stop)n;
    return true;
}

static bool set_status(struct parser *p, const struct directive *d, struct sf_error *err)
{
    struct model_reply *r = p->reply;
    size_t status = 307, after = 0;
    const char *date = model_words_option(&p->words, "retry-date");
    const char *given =
        p->words.count ? p->words.words[0] : model_words_option(&p->words, "status");

    if (given && !model_words_number(given, 599, &status, err))
        return false;
    if (status < 200)
        return sf_fail(err, SF_E_SYNTAX, "%zu is no status of a reply", status);
    if (!option_number(p, "retry-after", INT32_MAX, &after, err) ||
        !option_number(p, "retry-date", INT32_MAX, &after, err))
        return false;
    r->kind = (enum model_reply_kind)d->detail;
    r->status = (int)status;
    r->text = p->words.value;
    r->code = model_words_option(&p->words, "code");
    if (date || model_words_option(&p->words, "retry-after"))
        r->retry_after = (int64_t)after;
    r->retry_date = date != NULL;
    return true;
}

static bool add_header(struct parser *p, const struct directive *d, struct sf_error *err)
{
    (void)d;
    if (strpbrk(p->words.value, "\r\n"))
        return sf_fail(err, SF_E_SYNTAX, "a header is one line");
    sf_strlist_addf(&p->reply->lines, "%s: %s", p->words.words[0], p->words.value);
    return true;
}

/* Where in the body: a number of bytes, or "headers" for before everything. */
static bool read_place(const char *word, int64_t *out, struct sf_error *err)
{
    size_t number;

    if (!strcmp(word, "headers")) {
        *out = MODEL_AT_HEADERS;
        return true;
    }
    if (!model_words_number(word, (size_t)1 << 31, &number, err))
        return false;
    *out = (int64_t)number;
    return true;
}

static bool set_cut(struct parser *p, const struct directive *d, struct sf_error *err)
{
    static const char *const hows[] = { "close", "rst", NULL };
    const char *how = model_words_option(&p->words, "how");
    int n = 0;

    (void)d;
    if (how && !choose(how, hows, &n, err))
        return false;
    p->reply->cut_resets = n == 1;
    return read_place(p->words.words[0], &p->reply->cut_at, err);
}

static bool set_stall(struct parser *p, const struct directive *d, struct sf_error *err)
{
    (void)d;
    return read_place(p->words.words[0], &p->reply->stall_at, err);
}

static bool set_newline(struct parser *p, const struct directive *d, struct sf_error *err)
{
    static const char *const names[] = { "lf", "crlf", "cr", NULL };
    static const char *const ends[] = { "\n", "\r\n", "\r" };
    int n;

    (void)d;
    if (!choose(p->words.words[0], names, &n, err))
        return false;
    p->reply->newline = ends[n];
    return true;
}

static bool set_write(struct parser *p, const struct directive *d, struct sf_error *err)
{
    size_t pace = 0;

    (void)d;
    if (!model_words_number(p->words.words[0], SF_JSON_BYTES, &p->reply->write_size, err) ||
        !option_number(p, "pace", PAUSE_MAX_MS, &pace, err))
        return false;
    p->reply->pace_ms = (int64_t)pace;
    return true;
}

static bool set_header_delay(struct parser *p, const struct directive *d, struct sf_error *err)
{
    size_t ms;

    (void)d;
    if (!model_words_number(p->words.words[0], PAUSE_MAX_MS, &ms, err))
        return false;
    p->reply->header_delay_ms = (int64_t)ms;
    return true;
}

static bool set_flag(struct parser *p, const struct directive *d, struct sf_error *err)
{
    struct model_reply *r = p->reply;
    bool *const flags[] = { &r->pings, &r->comments, &r->no_end, &r->same_ids };

    (void)err;
    *flags[d->detail] = true;
    return true;
}

static bool set_content_type(struct parser *p, const struct directive *d, struct sf_error *err)
{
    (void)d;
    if (strpbrk(p->words.value, "\r\n"))
        return sf_fail(err, SF_E_SYNTAX, "a content type is one line");
    p->reply->content_type = p->words.value;
    return true;
}

static bool set_gzip(struct parser *p, const struct directive *d, struct sf_error *err)
{
    static const char *const names[] = { "none", "declared", "hidden", NULL };
    int n;

    (void)d;
    if (!choose(p->words.words[0], names, &n, err))
        return false;
    p->reply->gzip = (enum model_gzip)n;
    return true;
}

static bool set_framing(struct parser *p, const struct directive *d, struct sf_error *err)
{
    static const char *const names[] = { "chunked", "length", "close", NULL };
    int n;

    (void)d;
    if (!choose(p->words.words[0], names, &n, err))
        return false;
    p->reply->framing = (enum model_framing)n;
    return true;
}

static bool set_length(struct parser *p, const struct directive *d, struct sf_error *err)
{
    p->reply->framing = MODEL_FRAMING_LENGTH;
    (void)d;
    return read_place(p->words.words[0], &p->reply->length, err);
}

/* clang-format off */
static const struct directive directives[] = {
    { "key",             false, 1, 1, "", VALUE_NONE, set_key, 0 },
    { "model",           false, 1, 1, "", VALUE_NONE, set_model, 0 },
    { "window",          false, 1, 1, "", VALUE_NONE, set_window, 0 },
    { "loop",            false, 0, 0, "", VALUE_NONE, set_loop, 0 },
    { "reply",           false, 0, 1, " repeat ", VALUE_NONE, begin_reply, 0 },

    { "expect-contains", true, 0, 0, "", VALUE_TEXT, add_expect, MODEL_EXPECT_CONTAINS },
    { "expect-lacks",    true, 0, 0, "", VALUE_TEXT, add_expect, MODEL_EXPECT_LACKS },
    { "expect-tools",    true, 1, 1, "", VALUE_NONE, add_expect, MODEL_EXPECT_TOOLS },
    { "expect-no-tool",  true, 1, 1, "", VALUE_NONE, add_expect, MODEL_EXPECT_NO_TOOL },
    { "expect-tool-result", true, 2, 2, "", VALUE_TEXT, add_expect, MODEL_EXPECT_RESULT },
    { "expect-header",   true, 2, 2, "", VALUE_TEXT, add_expect, MODEL_EXPECT_HEADER },
    { "expect-field",    true, 2, 2, "", VALUE_NONE, add_expect, MODEL_EXPECT_FIELD },

    { "text",            true, 0, 0, " delta ", VALUE_TEXT, add_step, MODEL_STEP_TEXT },
    { "huge",            true, 1, 1, "", VALUE_NONE, add_huge, MODEL_STEP_TEXT },
    { "reasoning",       true, 0, 0, " delta ", VALUE_TEXT, add_step, MODEL_STEP_REASONING },
    { "redacted",        true, 0, 0, "", VALUE_TEXT, add_step, MODEL_STEP_REDACTED },
    { "call",            true, 1, 1, " id delta times ", VALUE_ARGUMENTS, add_step, MODEL_STEP_CALL },
    { "delay",           true, 1, 1, "", VALUE_NONE, add_step, MODEL_STEP_DELAY },
    { "until",           true, 0, 0, "", VALUE_TEXT, add_step, MODEL_STEP_UNTIL },
    { "error",           true, 1, 1, "", VALUE_MAY, add_step, MODEL_STEP_ERROR },
    { "ping",            true, 0, 0, " times ", VALUE_NONE, add_step, MODEL_STEP_PING },
    { "comment",         true, 0, 0, " times ", VALUE_MAY, add_step, MODEL_STEP_COMMENT },
    { "unknown-event",   true, 0, 0, " times ", VALUE_NONE, add_step, MODEL_STEP_UNKNOWN },
    { "malformed",       true, 0, 0, "", VALUE_NONE, add_step, MODEL_STEP_MALFORMED },
    { "bytes",           true, 0, 0, " hex times ", VALUE_MAY, add_bytes, MODEL_STEP_BYTES },
    { "noise",           true, 1, 1, " seed ", VALUE_NONE, add_step, MODEL_STEP_NOISE },

    { "usage",           true, 0, 0, " input output cache-read cache-write ", VALUE_NONE, set_usage, 0 },
    { "stop",            true, 1, 1, "", VALUE_NONE, set_stop, 0 },
    { "status",          true, 1, 1, " retry-after retry-date code ", VALUE_MAY, set_status, MODEL_REPLY_STATUS },
    { "html",            true, 1, 1, "", VALUE_NONE, set_status, MODEL_REPLY_HTML },
    { "redirect",        true, 0, 0, " status ", VALUE_TEXT, set_status, MODEL_REPLY_REDIRECT },
    { "header",          true, 1, 1, "", VALUE_TEXT, add_header, 0 },

    { "cut",             true, 1, 1, " how ", VALUE_NONE, set_cut, 0 },
    { "stall",           true, 1, 1, "", VALUE_NONE, set_stall, 0 },
    { "newline",         true, 1, 1, "", VALUE_NONE, set_newline, 0 },
    { "write",           true, 1, 1, " pace ", VALUE_NONE, set_write, 0 },
    { "headers-delay",   true, 1, 1, "", VALUE_NONE, set_header_delay, 0 },
    { "pings",           true, 0, 0, "", VALUE_NONE, set_flag, 0 },
    { "comments",        true, 0, 0, "", VALUE_NONE, set_flag, 1 },
    { "no-end",          true, 0, 0, "", VALUE_NONE, set_flag, 2 },
    { "same-ids",        true, 0, 0, "", VALUE_NONE, set_flag, 3 },
    { "content-type",    true, 0, 0, "", VALUE_TEXT, set_content_type, 0 },
    { "gzip",            true, 1, 1, "", VALUE_NONE, set_gzip, 0 },
    { "framing",         true, 1, 1, "", VALUE_NONE, set_framing, 0 },
    { "length",          true, 1, 1, "", VALUE_NONE, set_length, 0 },
};
/* clang-format on */

static bool check_options(const struct model_words *words, const struct directive *d,
                          struct sf_error *err)
{
    char padded[64];

    for (size_t i = 0; i < words->option_count; i++) {
        snprintf(padded, sizeof(padded), " %s ", words->options[i].name);
        if (!strstr(d->options, padded))
            return sf_fail(err, SF_E_SYNTAX, "%s has no option %s", d->name,
                           words->options[i].name);
    }
    return true;
}

static bool check_shape(const struct parser *p, const struct directive *d, struct sf_error *err)
{
    const struct model_words *w = &p->words;

    if (d->inside && !p->reply)
        return sf_fail(err, SF_E_SYNTAX, "%s belongs behind a reply line", d->name);
    if (!d->inside && p->reply && d->apply != begin_reply)
        return sf_fail(err, SF_E_SYNTAX, "%s belongs before the first reply", d->name);
    if (w->count < d->words_min || w->count > d->words_max)
        return sf_fail(err, SF_E_SYNTAX, "%s takes %zu words, not %zu", d->name, d->words_max,
                       w->count);
    if (w->value && d->value == VALUE_NONE)
        return sf_fail(err, SF_E_SYNTAX, "%s takes no value", d->name);
    if (!w->value && (d->value == VALUE_TEXT || d->value == VALUE_ARGUMENTS))
        return sf_fail(err, SF_E_SYNTAX, "%s needs a value in quotes", d->name);
    if (w->value_is_json && d->value != VALUE_ARGUMENTS)
        return sf_fail(err, SF_E_SYNTAX, "%s takes text in quotes, no object", d->name);
    return check_options(w, d, err);
}

static bool obey(struct parser *p, struct sf_error *err)
{
    for (size_t i = 0; p->words.directive && i < SF_COUNT(directives); i++) {
        const struct directive *d = &directives[i];

        if (!strcmp(d->name, p->words.directive))
            return check_shape(p, d, err) && d->apply(p, d, err);
    }
    return sf_fail(err, SF_E_SYNTAX, "there is no directive \"%s\"",
                   p->words.directive ? p->words.directive : "");
}

struct model_scenario *model_scenario_parse(const char *text, size_t len,
                                            const struct sf_strlist *vars, struct sf_error *err)
{
    struct parser p = { .scenario = sf_alloc(sizeof(*p.scenario)) };
    struct model_source source = {
        .at = text, .end = text + len, .vars = vars, .arena = &p.scenario->arena
    };
    bool more = true, ok = true;

    if (len > MODEL_SCENARIO_BYTES)
        ok = sf_fail(err, SF_E_LIMIT, "the scenario is too long");
    while (ok && more) {
        ok = model_words_next(&source, &p.words, &more, err);
        if (!more)
            ok = true;
        else if (ok && !obey(&p, err)) {
            ok = false;
            err->line = p.words.line;
        }
    }
    if (ok && !p.scenario->count)
        ok = sf_fail(err, SF_E_SYNTAX, "the scenario has no reply");
    if (ok)
        return p.scenario;
    model_scenario_free(p.scenario);
    return NULL;
}

void model_scenario_free(struct model_scenario *scenario)
{
    if (!scenario)
        return;
    for (size_t i = 0; i < scenario->count; i++) {
        free(scenario->replies[i].steps);
        free(scenario->replies[i].expects);
        sf_strlist_release(&scenario->replies[i].lines);
    }
    free(scenario->replies);
    sf_arena_release(&scenario->arena);
    free(scenario);
}
