/*
 * unit_event.c: the events of a run as JSON and back. One table says which fields an event has, and
 * one for each sort of field how it is written. What the running machine saves it reads back before
 * it acts on it, so a machine that is loaded later cannot have understood anything else.
 */
#include <assert.h>
#include <stdlib.h>

#include "agent/unit_parts.h"
#include "base/base.h"

#define W(field) (1U << SF_UNIT_F_##field)
#define N(field) (1U << SF_UNIT_N_##field)

static const char *const movers[] = { "machine", "verdict", "person", NULL };

static const char *const word_keys[SF_UNIT_F_WORDS] = {
    [SF_UNIT_F_TASK] = "task", [SF_UNIT_F_TEXT] = "text", [SF_UNIT_F_DIGEST] = "digest",
    [SF_UNIT_F_PATH] = "path", [SF_UNIT_F_WHO] = "who",   [SF_UNIT_F_KIND] = "kind",
    [SF_UNIT_F_DAY] = "day",
};

/* Names of guards and exits are in tables of rows, so they are looked up by a function. */
static const struct {
    const char *key;
    const char *const *names; /* NULL: a number */
} number_keys[SF_UNIT_N_NUMBERS] = {
    [SF_UNIT_N_FROM] = { "from", sf_task_states },
    [SF_UNIT_N_TO] = { "to", sf_task_states },
    [SF_UNIT_N_BY] = { "by", movers },
    [SF_UNIT_N_WORD] = { "word", sf_units_words },
    [SF_UNIT_N_END] = { "end", sf_units_ends },
    [SF_UNIT_N_VERDICT] = { "verdict", sf_proof_names },
    [SF_UNIT_N_CLOSE] = { "close", sf_units_closes },
    [SF_UNIT_N_GUARD] = { "guard", sf_units_guard_names },
    [SF_UNIT_N_EXIT] = { "exit", sf_units_exits },
    [SF_UNIT_N_ATTEMPT] = { "attempt", NULL },
    [SF_UNIT_N_FLAG] = { "flag", NULL },
};

static const struct shape {
    const char *kind;
    unsigned words, numbers;
    bool used;
} shapes[] = {
    { SF_UNITS_LOG_BEGIN, W(WHO), N(FLAG), false },
    { SF_UNITS_LOG_GO, W(WHO), N(FLAG), false },
    { SF_UNITS_LOG_PAUSING, W(WHO), N(FLAG), false },
    { SF_UNITS_LOG_HALT, W(WHO) | W(TASK) | W(TEXT) | W(DIGEST), N(GUARD) | N(EXIT) | N(FLAG),
      false },
    { SF_UNITS_LOG_REPAIR, W(TEXT), N(FLAG), false },
    { SF_UNITS_LOG_END, W(TEXT), N(FLAG), false },
    { SF_UNITS_LOG_ADDED, W(TASK) | W(KIND) | W(TEXT), 0, false },
    { SF_UNITS_LOG_MOVE, W(TASK) | W(TEXT) | W(KIND), N(FROM) | N(TO) | N(BY), false },
    { SF_UNITS_LOG_START, W(TASK) | W(KIND) | W(DIGEST), N(ATTEMPT), false },
    { SF_UNITS_LOG_USED, W(TASK) | W(DAY), 0, true },
    { SF_UNITS_LOG_ENDED, W(TASK) | W(TEXT) | W(DIGEST) | W(PATH), N(END), false },
    { SF_UNITS_LOG_VERDICT, W(TASK) | W(TEXT) | W(DIGEST), N(VERDICT) | N(FLAG), false },
    { SF_UNITS_LOG_WORD, W(TASK) | W(TEXT) | W(WHO), N(WORD), false },
    { SF_UNITS_LOG_CLOSED, W(TASK) | W(TEXT), N(CLOSE), false },
    { SF_UNITS_LOG_DROPPED, W(TASK), 0, false },
};

static const struct shape *shape_of(const char *kind)
{
    for (size_t i = 0; i < SF_COUNT(shapes); i++)
        if (!strcmp(shapes[i].kind, kind))
            return &shapes[i];
    return NULL;
}

/* ---- written ---- */

static void write_word(struct sf_json_writer *w, const char *key, const char *text)
{
    size_t len = text ? strlen(text) : 0;

    if (!len)
        return;
    if (len > SF_UNITS_TEXT_MAX)
        len = sf_utf8_cut(text, SF_UNITS_TEXT_MAX);
    sf_jw_key(w, key);
    sf_jw_strn(w, text, len);
}

static void write_used(struct sf_json_writer *w, const int64_t *used)
{
    for (int i = 0; i < SF_BUDGET_COUNT; i++)
        if (used[i])
            sf_jw_key_int(w, sf_budgets[i].name, used[i]);
}

static void write_event(struct sf_strbuf *out, const struct shape *s, const struct sf_unit_event *e)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    for (int i = 0; i < SF_UNIT_F_WORDS; i++)
        if (s->words & 1U << i)
            write_word(&w, word_keys[i], e->word[i]);
    for (int i = 0; i < SF_UNIT_N_NUMBERS; i++) {
        if (!(s->numbers & 1U << i))
            continue;
        if (number_keys[i].names)
            sf_jw_key_str(&w, number_keys[i].key, number_keys[i].names[e->number[i]]);
        else
            sf_jw_key_int(&w, number_keys[i].key, e->number[i]);
    }
    if (s->used)
        write_used(&w, e->used);
    sf_jw_object_end(&w);
}

/* ---- read ---- */

static bool read_name(const struct sf_json *json, int field, int *out, struct sf_error *err)
{
    const char *const *names = number_keys[field].names;
    const char *name;

    if (!sf_json_get_str(json, number_keys[field].key, &name, err))
        return false;
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name)) {
            *out = i;
            return true;
        }
    return sf_fail(err, SF_E_DAMAGED, "its %s is not known", number_keys[field].key);
}

static bool read_number(const struct sf_json *json, int field, int *out, struct sf_error *err)
{
    int64_t n;

    if (number_keys[field].names)
        return read_name(json, field, out, err);
    if (!sf_json_opt_int(json, number_keys[field].key, 0, &n, err))
        return false;
    if (n < 0 || n > INT32_MAX)
        return sf_fail(err, SF_E_DAMAGED, "its %s is out of range", number_keys[field].key);
    *out = (int)n;
    return true;
}

static bool read_used(const struct sf_json *json, int64_t *used, struct sf_error *err)
{
    for (int i = 0; i < SF_BUDGET_COUNT; i++)
        if (!sf_json_opt_int(json, sf_budgets[i].name, 0, &used[i], err))
            return false;
    return true;
}

static bool read_event(const struct sf_json *json, const struct shape *s, struct sf_unit_event *e,
                       struct sf_error *err)
{
    for (int i = 0; i < SF_UNIT_F_WORDS; i++)
        if (s->words & 1U << i && !sf_json_opt_str(json, word_keys[i], "", &e->word[i], err))
            return false;
    for (int i = 0; i < SF_UNIT_N_NUMBERS; i++)
        if (s->numbers & 1U << i && !read_number(json, i, &e->number[i], err))
            return false;
    if (s->words & W(TASK) && strlen(e->word[SF_UNIT_F_TASK]) > SF_UNITS_ID_MAX)
        return sf_fail(err, SF_E_DAMAGED, "its task has too long an id");
    return !s->used || read_used(json, e->used, err);
}

bool sf_units_load(struct sf_units *u, const char *kind, const char *json, size_t len,
                   struct sf_error *err)
{
    const struct shape *s = shape_of(kind);
    struct sf_unit_event e = { .word = { NULL } };
    struct sf_json *tree;
    bool ok;

    if (!s)
        return true;
    tree = sf_json_parse(json, len, NULL, err);
    ok = tree && read_event(tree, s, &e, err) && sf_unit_apply(u, kind, &e, err);
    sf_json_free(tree);
    if (!ok)
        sf_error_prefix(err, "the event %s cannot be read: ", kind);
    return ok;
}

void sf_unit_save(struct sf_units *u, const char *kind, const struct sf_unit_event *event,
                  struct sf_units_effects *fx)
{
    const struct shape *s = shape_of(kind);
    struct sf_units_effect *save;
    struct sf_error err = SF_ERROR_INIT;
    bool ok;

    if (!s)
        abort(); /* every caller names a kind of the table */
    save = sf_unit_effect(fx, SF_UNITS_DO_SAVE);
    save->event = s->kind;
    write_event(&save->json, s, event);
    ok = sf_units_load(u, s->kind, save->json.buf, save->json.len, &err);
    assert(ok);
    (void)ok;
}
