/*
 * json.c: trees, on top of cJSON, which no other file sees. A `struct sf_json` is a cJSON node
 * under another name. The library forgives bad text and rounds numbers, so json_scan.c reads
 * first; the numbers it noted keep their source text in the node's otherwise unused
 * `valuestring`, which cJSON_Delete frees with the rest.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/base.h"
#include "base/json_build.h"
#include "base/json_scan.h"

/* From here on a double may stand for several integers. */
#define INTEGERS_END 9007199254740992.0

/* A place in a tree; going on visits the nodes in the order of the document. */
struct walk {
    const cJSON *root;
    cJSON *path[SF_JSON_DEPTH_MAX]; /* below the root, down to the present node */
    size_t depth;
};

static const char *const type_names[] = {
    [SF_JSON_NULL] = "null",       [SF_JSON_BOOL] = "a boolean", [SF_JSON_NUMBER] = "a number",
    [SF_JSON_STRING] = "a string", [SF_JSON_ARRAY] = "an array", [SF_JSON_OBJECT] = "an object",
};

static void set_hooks(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){ .malloc_fn = sf_alloc, .free_fn = free });
}

/* Lets the library allocate like everybody else, so that it never runs out in silence. */
static void prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, set_hooks);
}

static const cJSON *node_of(const struct sf_json *json)
{
    return (const cJSON *)(const void *)json;
}

static const struct sf_json *json_of(const cJSON *node)
{
    return (const struct sf_json *)(const void *)node;
}

static struct sf_json *own(cJSON *node)
{
    return (struct sf_json *)(void *)node;
}

static cJSON *walk_next(struct walk *w)
{
    const cJSON *node = w->depth ? w->path[w->depth - 1] : w->root;
    cJSON *next = node->child;

    if (next) {
        assert(w->depth < SF_JSON_DEPTH_MAX);
        w->path[w->depth++] = next;
        return next;
    }
    while (w->depth) {
        next = w->path[w->depth - 1]->next;
        w->path[w->depth - 1] = next;
        if (next)
            return next;
        w->depth--;
    }
    return NULL;
}

/* Refuses noted numbers that became infinite; those that may have lost digits get their text. */
static bool settle_numbers(cJSON *root, const char *text, const struct sf_json_notes *notes,
                           struct sf_error *err)
{
    struct walk w = { .root = root };
    size_t ordinal = 0, done = 0;

    for (cJSON *node = root; node && done < notes->count; node = walk_next(&w)) {
        const struct sf_json_note *note = &notes->items[done];

        if (!cJSON_IsNumber(node) || ordinal++ != note->ordinal)
            continue;
        if (!isfinite(node->valuedouble))
            return sf_json_fail_at(text, note->at, "the number is too large", err);
        if (note->len > SF_JSON_DIGITS_SAFE || node->valuedouble == 0)
            node->valuestring = sf_strndup(text + note->at, note->len);
        done++;
    }
    return true;
}

static struct sf_json_limits limits_or_default(const struct sf_json_limits *limits)
{
    struct sf_json_limits l = limits ? *limits : (struct sf_json_limits){ 0 };

    l.bytes = l.bytes ? l.bytes : SF_JSON_BYTES;
    l.depth = l.depth ? l.depth : SF_JSON_DEPTH;
    l.nodes = l.nodes ? l.nodes : SF_JSON_NODES;
    return l;
}

struct sf_json *sf_json_parse(const char *text, size_t len, const struct sf_json_limits *limits,
                              struct sf_error *err)
{
    const struct sf_json_limits l = limits_or_default(limits);
    struct sf_json_notes notes = SF_JSON_NOTES_INIT;
    const char *end = NULL;
    cJSON *root = NULL;

    prepare();
    if (!sf_json_scan(text, len, &l, &notes, err))
        goto out;
    root = cJSON_ParseWithLengthOpts(text, len, &end, false);
    if (!root) {
        sf_json_fail_at(text, end ? (size_t)(end - text) : 0, "the two readers disagree", err);
        goto out;
    }
    if (!settle_numbers(root, text, &notes, err)) {
        cJSON_Delete(root);
        root = NULL;
    }
out:
    free(notes.items);
    return own(root);
}

void sf_json_free(struct sf_json *json)
{
    cJSON_Delete((cJSON *)(void *)json);
}

enum sf_json_type sf_json_type(const struct sf_json *json)
{
    static const struct {
        int bit;
        enum sf_json_type type;
    } types[] = {
        { cJSON_String, SF_JSON_STRING }, { cJSON_Number, SF_JSON_NUMBER },
        { cJSON_Object, SF_JSON_OBJECT }, { cJSON_Array, SF_JSON_ARRAY },
        { cJSON_True, SF_JSON_BOOL },     { cJSON_False, SF_JSON_BOOL },
    };

    for (size_t i = 0; i < SF_COUNT(types); i++)
        if ((node_of(json)->type & 0xff) == types[i].bit)
            return types[i].type;
    return SF_JSON_NULL;
}

const char *sf_json_type_name(enum sf_json_type type)
{
    return type_names[type];
}

const struct sf_json *sf_json_first(const struct sf_json *json)
{
    return json_of(node_of(json)->child);
}

const struct sf_json *sf_json_next(const struct sf_json *json)
{
    return json_of(node_of(json)->next);
}

size_t sf_json_count(const struct sf_json *json)
{
    size_t n = 0;

    for (const struct sf_json *it = sf_json_first(json); it; it = sf_json_next(it))
        n++;
    return n;
}

const char *sf_json_key(const struct sf_json *json)
{
    return node_of(json)->string;
}

const struct sf_json *sf_json_get(const struct sf_json *json, const char *key)
{
    const struct sf_json *it = sf_json_type(json) == SF_JSON_OBJECT ? sf_json_first(json) : NULL;

    while (it && strcmp(sf_json_key(it), key) != 0)
        it = sf_json_next(it);
    return it;
}

static bool want(const struct sf_json *json, enum sf_json_type type, const char *name,
                 struct sf_error *err)
{
    enum sf_json_type is = sf_json_type(json);

    if (is == type)
        return true;
    return sf_fail(err, SF_E_ARG, "\"%s\" must be %s, not %s", name, type_names[type],
                   type_names[is]);
}

bool sf_json_as_str(const struct sf_json *json, const char *name, const char **out,
                    struct sf_error *err)
{
    if (!want(json, SF_JSON_STRING, name, err))
        return false;
    *out = node_of(json)->valuestring;
    return true;
}

bool sf_json_as_bool(const struct sf_json *json, const char *name, bool *out, struct sf_error *err)
{
    if (!want(json, SF_JSON_BOOL, name, err))
        return false;
    *out = cJSON_IsTrue(node_of(json));
    return true;
}

bool sf_json_as_double(const struct sf_json *json, const char *name, double *out,
                       struct sf_error *err)
{
    if (!want(json, SF_JSON_NUMBER, name, err))
        return false;
    *out = node_of(json)->valuedouble;
    return true;
}

/* Reads the digits themselves; a fraction of zeros is forgiven as in 3.0. */
static bool int_of_text(const char *text, const char *name, int64_t *out, struct sf_error *err)
{
    char *end;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (*end == '.')
        end += 1 + strspn(end + 1, "0");
    if (*end)
        return sf_fail(err, SF_E_ARG, "\"%s\" must be a whole number", name);
    if (errno == ERANGE)
        return sf_fail(err, SF_E_ARG, "\"%s\" is too large", name);
    *out = value;
    return true;
}

bool sf_json_as_int(const struct sf_json *json, const char *name, int64_t *out,
                    struct sf_error *err)
{
    const cJSON *node = node_of(json);

    if (!want(json, SF_JSON_NUMBER, name, err))
        return false;
    if (node->valuestring)
        return int_of_text(node->valuestring, name, out, err);
    if (node->valuedouble != trunc(node->valuedouble))
        return sf_fail(err, SF_E_ARG, "\"%s\" must be a whole number", name);
    if (fabs(node->valuedouble) >= INTEGERS_END)
        return sf_fail(err, SF_E_ARG, "\"%s\" is too large", name);
    *out = (int64_t)node->valuedouble;
    return true;
}

const char *sf_json_number_text(const struct sf_json *json)
{
    return cJSON_IsNumber(node_of(json)) ? node_of(json)->valuestring : NULL;
}

/* The member, or NULL when it is absent; false when there is nothing to look in. */
static bool find(const struct sf_json *json, const char *key, const struct sf_json **out,
                 struct sf_error *err)
{
    enum sf_json_type type = sf_json_type(json);

    *out = NULL;
    if (type != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_ARG, "\"%s\" must stand in an object, not in %s", key,
                       type_names[type]);
    *out = sf_json_get(json, key);
    return true;
}

static const struct sf_json *require(const struct sf_json *json, const char *key,
                                     struct sf_error *err)
{
    const struct sf_json *item;

    if (find(json, key, &item, err) && !item)
        sf_fail(err, SF_E_ARG, "\"%s\" is missing", key);
    return item;
}

bool sf_json_get_str(const struct sf_json *json, const char *key, const char **out,
                     struct sf_error *err)
{
    const struct sf_json *item = require(json, key, err);

    return item && sf_json_as_str(item, key, out, err);
}

bool sf_json_get_int(const struct sf_json *json, const char *key, int64_t *out,
                     struct sf_error *err)
{
    const struct sf_json *item = require(json, key, err);

    return item && sf_json_as_int(item, key, out, err);
}

bool sf_json_get_bool(const struct sf_json *json, const char *key, bool *out, struct sf_error *err)
{
    const struct sf_json *item = require(json, key, err);

    return item && sf_json_as_bool(item, key, out, err);
}

static bool get_container(const struct sf_json *json, const char *key, enum sf_json_type type,
                          const struct sf_json **out, struct sf_error *err)
{
    const struct sf_json *item = require(json, key, err);

    if (!item || !want(item, type, key, err))
        return false;
    *out = item;
    return true;
}

bool sf_json_get_array(const struct sf_json *json, const char *key, const struct sf_json **out,
                       struct sf_error *err)
{
    return get_container(json, key, SF_JSON_ARRAY, out, err);
}

bool sf_json_get_object(const struct sf_json *json, const char *key, const struct sf_json **out,
                        struct sf_error *err)
{
    return get_container(json, key, SF_JSON_OBJECT, out, err);
}

/* As find(), and a null is as good as nothing. */
static bool find_set(const struct sf_json *json, const char *key, const struct sf_json **out,
                     struct sf_error *err)
{
    if (!find(json, key, out, err))
        return false;
    if (*out && sf_json_type(*out) == SF_JSON_NULL)
        *out = NULL;
    return true;
}

bool sf_json_opt_str(const struct sf_json *json, const char *key, const char *fallback,
                     const char **out, struct sf_error *err)
{
    const struct sf_json *item;

    *out = fallback;
    return find_set(json, key, &item, err) && (!item || sf_json_as_str(item, key, out, err));
}

bool sf_json_opt_int(const struct sf_json *json, const char *key, int64_t fallback, int64_t *out,
                     struct sf_error *err)
{
    const struct sf_json *item;

    *out = fallback;
    return find_set(json, key, &item, err) && (!item || sf_json_as_int(item, key, out, err));
}

bool sf_json_opt_bool(const struct sf_json *json, const char *key, bool fallback, bool *out,
                      struct sf_error *err)
{
    const struct sf_json *item;

    *out = fallback;
    return find_set(json, key, &item, err) && (!item || sf_json_as_bool(item, key, out, err));
}

struct sf_json *sf_json_new_null(void)
{
    prepare();
    return own(cJSON_CreateNull());
}

struct sf_json *sf_json_new_bool(bool value)
{
    prepare();
    return own(cJSON_CreateBool(value));
}

struct sf_json *sf_json_new_str(const char *text, size_t len)
{
    cJSON *node;

    prepare();
    node = cJSON_CreateNull();
    node->type = cJSON_String;
    node->valuestring = sf_strndup(text, len);
    return own(node);
}

struct sf_json *sf_json_new_array(void)
{
    prepare();
    return own(cJSON_CreateArray());
}

struct sf_json *sf_json_new_object(void)
{
    prepare();
    return own(cJSON_CreateObject());
}

void sf_json_append(struct sf_json *array, struct sf_json *item)
{
    cJSON_AddItemToArray((cJSON *)(void *)array, (cJSON *)(void *)item);
}

void sf_json_put(struct sf_json *object, const char *key, struct sf_json *item)
{
    cJSON_AddItemToObject((cJSON *)(void *)object, key, (cJSON *)(void *)item);
}
