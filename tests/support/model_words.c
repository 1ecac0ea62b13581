/*
 * model_words.c: the lexer of scenarios. Every failure names its line; a value that is JSON is
 * parsed here, so that a slip in a script is found before any server runs.
 */
#include "support/model_words.h"

static bool fail_at(struct sf_error *err, unsigned line, const char *what)
{
    sf_fail(err, SF_E_SYNTAX, "%s", what);
    err->line = line;
    return false;
}

bool model_words_number(const char *text, size_t max, size_t *out, struct sf_error *err)
{
    static const char units[] = "kMG";
    const char *p = text, *unit;
    size_t n = 0;

    for (; *p >= '0' && *p <= '9' && n < SIZE_MAX / 100; p++)
        n = n * 10 + (size_t)(*p - '0');
    unit = *p ? strchr(units, *p) : NULL;
    if (p == text || (*p && (!unit || p[1])))
        return sf_fail(err, SF_E_SYNTAX, "\"%s\" is no number", text);
    for (; unit && unit >= units && n <= max; unit--)
        n *= 1024;
    if (n > max)
        return sf_fail(err, SF_E_LIMIT, "%s is more than %zu", text, max);
    *out = n;
    return true;
}

size_t model_fill_token(const char *at, size_t len, size_t *fill)
{
    static const char head[] = "${fill:";
    struct sf_error ignored = SF_ERROR_INIT;
    const char *close;
    char number[16] = "";
    size_t digits;

    if (len <= sizeof(head) || memcmp(at, head, sizeof(head) - 1) != 0)
        return 0;
    close = memchr(at, '}', len);
    if (!close)
        return 0;
    digits = (size_t)(close - at) - (sizeof(head) - 1);
    if (digits >= sizeof(number))
        return 0;
    memcpy(number, at + sizeof(head) - 1, digits);
    if (!model_words_number(number, (size_t)1 << 30, fill, &ignored))
        return 0;
    return (size_t)(close - at) + 1;
}

const char *model_words_option(const struct model_words *words, const char *name)
{
    for (size_t i = 0; i < words->option_count; i++)
        if (!strcmp(words->options[i].name, name))
            return words->options[i].value;
    return NULL;
}

static const char *find_var(const struct model_source *source, const char *name, size_t len)
{
    for (size_t i = 0; source->vars && i < source->vars->count; i++) {
        const char *var = source->vars->items[i];

        if (!strncmp(var, name, len) && var[len] == '=')
            return var + len + 1;
    }
    return NULL;
}

static void add_escaped(struct sf_strbuf *out, const char *text)
{
    struct sf_strbuf quoted = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &quoted);
    sf_jw_str(&w, text);
    sf_strbuf_add(out, quoted.buf + 1, quoted.len - 2);
    sf_strbuf_release(&quoted);
}

/* `escape`: the text is JSON, and variables stand inside its strings. */
static bool replace_vars(struct model_source *source, struct sf_strbuf *text, bool escape,
                         struct sf_error *err)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool ok = true;

    for (size_t i = 0; ok && i < text->len;) {
        const char *at = text->buf + i, *close, *value;
        size_t fill, token = model_fill_token(at, text->len - i, &fill);

        if (token || at[0] != '$' || at[1] != '{') {
            token = token ? token : 1;
            sf_strbuf_add(&out, at, token);
            i += token;
            continue;
        }
        close = strchr(at, '}');
        value = close ? find_var(source, at + 2, (size_t)(close - at) - 2) : NULL;
        if (!value || out.len + strlen(value) > SF_JSON_BYTES) {
            ok = sf_fail(err, SF_E_SYNTAX, "there is no variable %.*s",
                         (int)(close ? close - at + 1 : 2), at);
            err->line = source->line;
        } else if (escape) {
            add_escaped(&out, value);
        } else {
            sf_strbuf_adds(&out, value);
        }
        i = close ? (size_t)(close - text->buf) + 1 : text->len;
    }
    sf_strbuf_release(text);
    *text = out;
    return ok;
}

static bool keep_value(struct model_source *source, struct model_words *words,
                       struct sf_strbuf *text, bool json, struct sf_error *err)
{
    if (words->value) {
        sf_strbuf_release(text);
        return fail_at(err, words->line, "one value is enough");
    }
    if (!replace_vars(source, text, json, err)) {
        sf_strbuf_release(text);
        return false;
    }
    words->value = sf_arena_strndup(source->arena, text->buf, text->len);
    words->value_len = text->len;
    words->value_is_json = json;
    sf_strbuf_release(text);
    return true;
}

static bool read_string(struct model_source *source, struct model_words *words, const char **at,
                        const char *end, struct sf_error *err)
{
    const char *p = *at + 1, *decoded;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_json *json;

    while (p < end && *p != '"')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    if (p >= end)
        return fail_at(err, words->line, "the quoted text has no end");
    json = sf_json_parse(*at, (size_t)(p - *at) + 1, NULL, err);
    *at = p + 1;
    if (!json || !sf_json_as_str(json, "the value", &decoded, err)) {
        sf_json_free(json);
        err->line = words->line;
        return false;
    }
    sf_strbuf_adds(&text, decoded);
    sf_json_free(json);
    return keep_value(source, words, &text, false, err);
}

static bool check_object(struct model_words *words, struct sf_error *err)
{
    struct sf_json *json = sf_json_parse(words->value, words->value_len, NULL, err);
    bool ok = json && sf_json_type(json) == SF_JSON_OBJECT;

    if (json && !ok)
        sf_fail(err, SF_E_SYNTAX, "the value must be a JSON object");
    err->line = words->line;
    sf_json_free(json);
    return ok;
}

static bool read_object(struct model_source *source, struct model_words *words, const char *at,
                        const char *end, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_add(&text, at, (size_t)(end - at));
    return keep_value(source, words, &text, true, err) && check_object(words, err);
}

static const char *end_of_line(const struct model_source *source)
{
    const char *eol = memchr(source->at, '\n', (size_t)(source->end - source->at));

    return eol ? eol : source->end;
}

static void step_over(struct model_source *source, const char *eol)
{
    source->at = eol < source->end ? eol + 1 : eol;
    source->line++;
}

/* Takes as many blanks from the front of each line as stand before the closing word. */
static void outdent(struct sf_strbuf *text, size_t indent)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t at = 0, end; at < text->len; at = end) {
        const char *eol = memchr(text->buf + at, '\n', text->len - at);
        size_t n = 0;

        end = eol ? (size_t)(eol - text->buf) + 1 : text->len;
        while (n < indent && (text->buf[at + n] == ' ' || text->buf[at + n] == '\t'))
            n++;
        sf_strbuf_add(&out, text->buf + at + n, end - at - n);
    }
    sf_strbuf_release(text);
    *text = out;
}

/* Lines up to one that holds the word alone. `<<{WORD` means that they are a JSON object. */
static bool read_lines(struct model_source *source, struct model_words *words, const char *word,
                       struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool json = *word == '{';
    size_t len;

    word += json;
    len = strlen(word);
    while (len && source->at < source->end) {
        const char *line = source->at, *eol = end_of_line(source);

        while (line < eol && (*line == ' ' || *line == '\t'))
            line++;
        if ((size_t)(eol - line) == len && !memcmp(line, word, len)) {
            outdent(&text, (size_t)(line - source->at));
            step_over(source, eol);
            if (text.len)
                sf_strbuf_truncate(&text, text.len - 1);
            return keep_value(source, words, &text, json, err) &&
                   (!json || check_object(words, err));
        }
        sf_strbuf_add(&text, source->at, (size_t)(eol - source->at));
        sf_strbuf_addch(&text, '\n');
        step_over(source, eol);
    }
    sf_strbuf_release(&text);
    return fail_at(err, words->line, "the lines behind << have no end");
}

static bool read_word(struct model_source *source, struct model_words *words, const char **at,
                      const char *end, struct sf_error *err)
{
    const char *start = *at;
    char *word, *equals;

    while (*at < end && **at != ' ' && **at != '\t')
        (*at)++;
    word = sf_arena_strndup(source->arena, start, (size_t)(*at - start));
    equals = strchr(word, '=');
    if (!words->directive) {
        words->directive = word;
    } else if (equals && words->option_count < MODEL_WORDS_MAX) {
        *equals = 0;
        words->options[words->option_count].name = word;
        words->options[words->option_count++].value = equals + 1;
    } else if (!equals && words->count < MODEL_WORDS_MAX) {
        words->words[words->count++] = word;
    } else {
        return fail_at(err, words->line, "there are too many words");
    }
    return true;
}

static bool read_line(struct model_source *source, struct model_words *words, const char *at,
                      const char *end, struct sf_error *err)
{
    bool ok = true;

    while (ok && at < end) {
        if (*at == ' ' || *at == '\t') {
            at++;
        } else if (*at == '"') {
            ok = read_string(source, words, &at, end, err);
        } else if (*at == '{') {
            return read_object(source, words, at, end, err);
        } else if (end - at > 2 && at[0] == '<' && at[1] == '<') {
            return read_lines(source, words,
                              sf_arena_strndup(source->arena, at + 2, (size_t)(end - at) - 2), err);
        } else {
            ok = read_word(source, words, &at, end, err);
        }
    }
    return ok;
}

bool model_words_next(struct model_source *source, struct model_words *words, bool *more,
                      struct sf_error *err)
{
    *more = false;
    while (source->at < source->end) {
        const char *line = source->at, *eol = end_of_line(source);

        step_over(source, eol);
        while (line < eol && (*line == ' ' || *line == '\t'))
            line++;
        while (eol > line && (eol[-1] == ' ' || eol[-1] == '\r' || eol[-1] == '\t'))
            eol--;
        if (line == eol || *line == '#')
            continue;
        *words = (struct model_words){ .line = source->line };
        *more = true;
        return read_line(source, words, line, eol, err);
    }
    return false;
}
