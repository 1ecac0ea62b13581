/*
 * args.c: makes a schema from rows, and a tree that fits the rows from a model's text. One pass
 * over the parsed text writes a second, normalised text: arguments under their own names, numbers
 * and booleans as such, no nulls. Tools see only that second text, parsed, so no tool has to deal
 * with the variants that models send.
 */
#include "tools/args.h"

#include <errno.h>
#include <inttypes.h>

#include "base/base.h"
#include "tools/safe.h"

enum {
    DEPTH_MAX = 8, /* nesting of a model's arguments; rows need four */
    NODES_MAX = 100 * 1000,
    LIST_MAX = 1000,    /* items of a list if its row has no limit */
    SHOWN_COLUMNS = 40, /* columns of a name or value in an error */
    GROWTH = 6,         /* a control character, escaped, is six bytes */
};

/* clang-format off */
static const struct sf_json_limits as_sent = { SF_TOOL_ARGS_MAX, DEPTH_MAX, NODES_MAX };
static const struct sf_json_limits as_read = { GROWTH * SF_TOOL_ARGS_MAX + 65536, DEPTH_MAX, NODES_MAX };
/* clang-format on */

/* The rows of one object, and the prefix of its members in errors: "" or "edits[2].". */
struct rows {
    const struct sf_tool_arg *args;
    size_t count;
    char where[64];
};

static const char *type_word(enum sf_arg_type type)
{
    static const char *const words[] = {
        [SF_ARG_STRING] = "string", [SF_ARG_INT] = "integer",   [SF_ARG_BOOL] = "boolean",
        [SF_ARG_ENUM] = "string",   [SF_ARG_STRINGS] = "array", [SF_ARG_OBJECTS] = "array",
    };

    return words[type];
}

/* Limits are part of the help: servers of local models cannot handle more schema keywords. */
static void write_help(const struct sf_tool_arg *arg, struct sf_json_writer *w)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    bool is_list = arg->type == SF_ARG_STRINGS || arg->type == SF_ARG_OBJECTS;

    sf_strbuf_adds(&sb, arg->help ? arg->help : "");
    if (arg->max == INT64_MAX)
        sf_strbuf_addf(&sb, "%s(at least %" PRId64 ")", sb.len ? " " : "", arg->min);
    else if (arg->min || arg->max)
        sf_strbuf_addf(&sb, "%s(%" PRId64 " to %" PRId64 "%s)", sb.len ? " " : "", arg->min,
                       arg->max, is_list ? " items" : "");
    if (sb.len)
        sf_jw_key_str(w, "description", sb.buf);
    sf_strbuf_release(&sb);
}

static void write_choices(const struct sf_tool_arg *arg, struct sf_json_writer *w)
{
    sf_jw_key(w, "enum");
    sf_jw_array_begin(w);
    for (const char *const *c = arg->choices; *c; c++)
        sf_jw_str(w, *c);
    sf_jw_array_end(w);
}

static void write_arg(const struct sf_tool_arg *arg, struct sf_json_writer *w)
{
    sf_jw_key(w, arg->name);
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "type", type_word(arg->type));
    write_help(arg, w);
    if (arg->type == SF_ARG_ENUM)
        write_choices(arg, w);
    if (arg->type == SF_ARG_STRINGS) {
        sf_jw_key(w, "items");
        sf_jw_object_begin(w);
        sf_jw_key_str(w, "type", "string");
        sf_jw_object_end(w);
    }
    if (arg->type == SF_ARG_OBJECTS) {
        sf_jw_key(w, "items");
        sf_args_schema(arg->members, arg->member_count, w);
    }
    sf_jw_object_end(w);
}

void sf_args_schema(const struct sf_tool_arg *args, size_t count, struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "type", "object");
    sf_jw_key(w, "properties");
    sf_jw_object_begin(w);
    for (size_t i = 0; i < count; i++)
        write_arg(&args[i], w);
    sf_jw_object_end(w);
    sf_jw_key(w, "required");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < count; i++)
        if (args[i].required)
            sf_jw_str(w, args[i].name);
    sf_jw_array_end(w);
    sf_jw_key_bool(w, "additionalProperties", false);
    sf_jw_object_end(w);
}

static void hint_rows(const struct rows *rows, struct sf_error *err)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    for (size_t i = 0; i < rows->count; i++)
        sf_strbuf_addf(&sb, "%s%s%s", i ? ", " : "", rows->args[i].name,
                       rows->args[i].required ? " (required)" : "");
    if (rows->count)
        sf_hint(err, "%s: %s", *rows->where ? "its members are" : "the arguments are", sb.buf);
    else
        sf_hint(err, "this tool takes no arguments");
    sf_strbuf_release(&sb);
}

static const struct sf_tool_arg *find_row(const struct rows *rows, const char *key)
{
    for (size_t i = 0; i < rows->count; i++)
        if (!strcmp(rows->args[i].name, key) ||
            (rows->args[i].alias && !strcmp(rows->args[i].alias, key)))
            return &rows->args[i];
    return NULL;
}

static bool fail_unknown(const struct rows *rows, const char *key, struct sf_error *err)
{
    char *shown = sf_safe_line(key, SHOWN_COLUMNS);
    struct sf_suggest near;

    sf_suggest_start(&near, key);
    for (size_t i = 0; i < rows->count; i++)
        sf_suggest_offer(&near, rows->args[i].name);
    sf_fail(err, SF_E_ARG, "there is no argument %s%s%s%s%s", rows->where, shown,
            near.best ? "; did you mean " : "", near.best ? near.best : "", near.best ? "?" : "");
    hint_rows(rows, err);
    free(shown);
    return false;
}

static bool fail_type(const struct rows *rows, const struct sf_tool_arg *arg,
                      const struct sf_json *value, struct sf_error *err)
{
    static const char *const wanted[] = {
        [SF_ARG_STRING] = "a string",           [SF_ARG_INT] = "a whole number",
        [SF_ARG_BOOL] = "true or false",        [SF_ARG_ENUM] = "one of its words",
        [SF_ARG_STRINGS] = "a list of strings", [SF_ARG_OBJECTS] = "a list of objects",
    };

    return sf_fail(err, SF_E_ARG, "%s%s must be %s, not %s", rows->where, arg->name,
                   wanted[arg->type], sf_json_type_name(sf_json_type(value)));
}

static bool read_string(const struct rows *rows, const struct sf_tool_arg *arg,
                        const struct sf_json *value, struct sf_json_writer *w, struct sf_error *err)
{
    const char *text;
    struct sf_error ignored;

    if (!sf_json_as_str(value, arg->name, &text, &ignored))
        return fail_type(rows, arg, value, err);
    sf_jw_str(w, text);
    return true;
}

/* Parses a string that is a number as a whole; models send numbers that way. */
static bool int_of_string(const char *text, int64_t *out)
{
    char *end;

    if (!((*text >= '0' && *text <= '9') || (*text == '-' && text[1] >= '0' && text[1] <= '9')))
        return false;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return !errno && !*end;
}

static bool read_int(const struct rows *rows, const struct sf_tool_arg *arg,
                     const struct sf_json *value, struct sf_json_writer *w, struct sf_error *err)
{
    struct sf_error ignored;
    const char *text;
    int64_t n;

    if (sf_json_type(value) == SF_JSON_STRING) {
        if (!sf_json_as_str(value, arg->name, &text, &ignored) || !int_of_string(text, &n))
            return fail_type(rows, arg, value, err);
    } else if (!sf_json_as_int(value, arg->name, &n, &ignored)) {
        if (sf_json_type(value) != SF_JSON_NUMBER)
            return fail_type(rows, arg, value, err);
        return sf_fail(err, SF_E_ARG, "%s%s must be a whole number", rows->where, arg->name);
    }
    if (arg->max == INT64_MAX && n < arg->min)
        return sf_fail(err, SF_E_ARG, "%s%s must be at least %" PRId64 ", not %" PRId64,
                       rows->where, arg->name, arg->min, n);
    if ((arg->min || arg->max) && (n < arg->min || n > arg->max))
        return sf_fail(err, SF_E_ARG, "%s%s must be from %" PRId64 " to %" PRId64 ", not %" PRId64,
                       rows->where, arg->name, arg->min, arg->max, n);
    sf_jw_int(w, n);
    return true;
}

static bool read_bool(const struct rows *rows, const struct sf_tool_arg *arg,
                      const struct sf_json *value, struct sf_json_writer *w, struct sf_error *err)
{
    struct sf_error ignored;
    const char *text;
    bool b;

    if (sf_json_as_bool(value, arg->name, &b, &ignored)) {
        sf_jw_bool(w, b);
        return true;
    }
    if (!sf_json_as_str(value, arg->name, &text, &ignored) ||
        (strcmp(text, "true") != 0 && strcmp(text, "false") != 0))
        return fail_type(rows, arg, value, err);
    sf_jw_bool(w, *text == 't');
    return true;
}

static bool fail_choice(const struct rows *rows, const struct sf_tool_arg *arg, const char *text,
                        struct sf_error *err)
{
    char *shown = sf_safe_line(text, SHOWN_COLUMNS);
    struct sf_strbuf list = SF_STRBUF_INIT;

    for (const char *const *c = arg->choices; *c; c++)
        sf_strbuf_addf(&list, "%s%s", c == arg->choices ? "" : ", ", *c);
    sf_fail(err, SF_E_ARG, "%s%s cannot be \"%s\"", rows->where, arg->name, shown);
    sf_hint(err, "it is one of: %s", list.buf);
    free(shown);
    sf_strbuf_release(&list);
    return false;
}

static bool read_enum(const struct rows *rows, const struct sf_tool_arg *arg,
                      const struct sf_json *value, struct sf_json_writer *w, struct sf_error *err)
{
    struct sf_error ignored;
    const char *text;

    if (!sf_json_as_str(value, arg->name, &text, &ignored))
        return fail_type(rows, arg, value, err);
    for (const char *const *c = arg->choices; *c; c++)
        if (!strcmp(*c, text)) {
            sf_jw_str(w, text);
            return true;
        }
    return fail_choice(rows, arg, text, err);
}

static bool check_count(const struct rows *rows, const struct sf_tool_arg *arg,
                        const struct sf_json *value, struct sf_error *err)
{
    int64_t count = (int64_t)sf_json_count(value);
    int64_t most = arg->max ? arg->max : LIST_MAX;

    if (count >= arg->min && count <= most)
        return true;
    return sf_fail(err, SF_E_ARG,
                   "%s%s must have from %" PRId64 " to %" PRId64 " items, not %" PRId64,
                   rows->where, arg->name, arg->min, most, count);
}

static bool read_strings(const struct rows *rows, const struct sf_tool_arg *arg,
                         const struct sf_json *value, struct sf_json_writer *w,
                         struct sf_error *err)
{
    if (sf_json_type(value) != SF_JSON_ARRAY)
        return fail_type(rows, arg, value, err);
    if (!check_count(rows, arg, value, err))
        return false;
    sf_jw_array_begin(w);
    for (const struct sf_json *it = sf_json_first(value); it; it = sf_json_next(it))
        if (!read_string(rows, arg, it, w, err))
            return sf_fail(err, SF_E_ARG, "%s%s must be a list of strings; it holds %s",
                           rows->where, arg->name, sf_json_type_name(sf_json_type(it)));
    sf_jw_array_end(w);
    return true;
}

static bool read_object(const struct rows *rows, const struct sf_json *value,
                        struct sf_json_writer *w, struct sf_error *err);

/* Recursive; rows are nested only two deep. */
static bool read_objects(const struct rows *rows, const struct sf_tool_arg *arg,
                         const struct sf_json *value, struct sf_json_writer *w,
                         struct sf_error *err)
{
    struct rows inner = { arg->members, arg->member_count, "" };
    size_t i = 0;

    if (sf_json_type(value) != SF_JSON_ARRAY)
        return fail_type(rows, arg, value, err);
    if (!check_count(rows, arg, value, err))
        return false;
    sf_jw_array_begin(w);
    for (const struct sf_json *it = sf_json_first(value); it; it = sf_json_next(it)) {
        snprintf(inner.where, sizeof(inner.where), "%s[%zu].", arg->name, i++);
        if (sf_json_type(it) != SF_JSON_OBJECT)
            return sf_fail(err, SF_E_ARG, "%s%s must be a list of objects; it holds %s",
                           rows->where, arg->name, sf_json_type_name(sf_json_type(it)));
        if (!read_object(&inner, it, w, err))
            return false;
    }
    sf_jw_array_end(w);
    return true;
}

typedef bool read_fn(const struct rows *rows, const struct sf_tool_arg *arg,
                     const struct sf_json *value, struct sf_json_writer *w, struct sf_error *err);

static read_fn *const readers[] = {
    [SF_ARG_STRING] = read_string, [SF_ARG_INT] = read_int,         [SF_ARG_BOOL] = read_bool,
    [SF_ARG_ENUM] = read_enum,     [SF_ARG_STRINGS] = read_strings, [SF_ARG_OBJECTS] = read_objects,
};

/* Models send lists as JSON in a string; a string that is not JSON is taken as it is. */
static bool read_value(const struct rows *rows, const struct sf_tool_arg *arg,
                       const struct sf_json *value, struct sf_json_writer *w, struct sf_error *err)
{
    bool is_list = arg->type == SF_ARG_STRINGS || arg->type == SF_ARG_OBJECTS;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *inside = NULL;
    const char *text;
    bool ok;

    if (is_list && sf_json_as_str(value, arg->name, &text, &ignored))
        inside = sf_json_parse(text, strlen(text), &as_sent, &ignored);
    if (inside && sf_json_type(inside) == SF_JSON_ARRAY)
        value = inside;
    ok = readers[arg->type](rows, arg, value, w, err);
    sf_json_free(inside);
    return ok;
}

/* The value sent for a row, under its name or its alias; NULL: absent. */
static bool find_value(const struct rows *rows, const struct sf_tool_arg *arg,
                       const struct sf_json *object, const struct sf_json **out,
                       struct sf_error *err)
{
    const struct sf_json *a = sf_json_get(object, arg->name);
    const struct sf_json *b = arg->alias ? sf_json_get(object, arg->alias) : NULL;

    if (a && sf_json_type(a) == SF_JSON_NULL)
        a = NULL;
    if (b && sf_json_type(b) == SF_JSON_NULL)
        b = NULL;
    *out = a ? a : b;
    if (a && b)
        return sf_fail(err, SF_E_ARG, "%s%s and %s%s are the same argument; send one", rows->where,
                       arg->name, rows->where, arg->alias);
    return true;
}

static bool read_object(const struct rows *rows, const struct sf_json *object,
                        struct sf_json_writer *w, struct sf_error *err)
{
    for (const struct sf_json *it = sf_json_first(object); it; it = sf_json_next(it))
        if (!find_row(rows, sf_json_key(it)))
            return fail_unknown(rows, sf_json_key(it), err);
    sf_jw_object_begin(w);
    for (size_t i = 0; i < rows->count; i++) {
        const struct sf_tool_arg *arg = &rows->args[i];
        const struct sf_json *value;

        if (!find_value(rows, arg, object, &value, err))
            return false;
        if (!value && arg->required) {
            sf_fail(err, SF_E_ARG, "the argument %s%s is missing", rows->where, arg->name);
            hint_rows(rows, err);
            return false;
        }
        if (!value)
            continue;
        sf_jw_key(w, arg->name);
        if (!read_value(rows, arg, value, w, err))
            return false;
    }
    sf_jw_object_end(w);
    return true;
}

static bool is_blank(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!strchr(" \t\r\n", text[i]) || !text[i])
            return false;
    return true;
}

static struct sf_json *parse_sent(const char *text, size_t len, struct sf_error *err)
{
    struct sf_json *json;

    if (len <= SF_TOOL_ARGS_MAX && is_blank(text, len)) {
        text = "{}";
        len = 2;
    }
    json = sf_json_parse(text, len, &as_sent, err);
    if (!json) {
        sf_error_prefix(err, "the arguments cannot be read: ");
        if (!*err->hint)
            sf_hint(err, "send one JSON object");
        return NULL;
    }
    if (sf_json_type(json) == SF_JSON_OBJECT)
        return json;
    sf_fail(err, SF_E_ARG, "the arguments must be an object, not %s",
            sf_json_type_name(sf_json_type(json)));
    sf_json_free(json);
    return NULL;
}

struct sf_json *sf_args_read(const struct sf_tool_arg *args, size_t count, const char *text,
                             size_t len, struct sf_error *err)
{
    const struct rows rows = { args, count, "" };
    struct sf_json *sent = parse_sent(text, len, err), *read = NULL;
    struct sf_strbuf clean = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &clean);
    if (sent && read_object(&rows, sent, &w, err))
        read = sf_json_parse(clean.buf, clean.len, &as_read, err);
    sf_json_free(sent);
    sf_strbuf_release(&clean);
    return read;
}

const char *sf_arg_str(const struct sf_json *args, const char *name, const char *fallback)
{
    const struct sf_json *value = sf_json_get(args, name);
    struct sf_error ignored;
    const char *text;

    return value && sf_json_as_str(value, name, &text, &ignored) ? text : fallback;
}

int64_t sf_arg_int(const struct sf_json *args, const char *name, int64_t fallback)
{
    const struct sf_json *value = sf_json_get(args, name);
    struct sf_error ignored;
    int64_t n;

    return value && sf_json_as_int(value, name, &n, &ignored) ? n : fallback;
}

bool sf_arg_bool(const struct sf_json *args, const char *name, bool fallback)
{
    const struct sf_json *value = sf_json_get(args, name);
    struct sf_error ignored;
    bool b;

    return value && sf_json_as_bool(value, name, &b, &ignored) ? b : fallback;
}
