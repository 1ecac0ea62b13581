/*
 * keymap.c: the bindings in force: for each action the chords that lead to it. No chord is there
 * twice, and none begins another, so a key has one meaning at a time; sf_keymap_bind holds that
 * up, for the defaults too.
 */
#include "term/keymap.h"

#include <assert.h>

#include "modes/modes.h"
#include "term/key.h"

enum { CHORDS_MAX = 8, CHORD_BYTES = 128 };

struct chords {
    struct sf_chord items[CHORDS_MAX];
    size_t count;
};

struct sf_keymap {
    struct chords actions[SF_ACTION_COUNT];
    struct sf_key leader;
    bool waits;
};

/* ---- comparing ---- */

static bool same_key(const struct sf_key *a, const struct sf_key *b)
{
    return a->code == b->code && a->mods == b->mods;
}

static bool same_chord(const struct sf_chord *a, const struct sf_chord *b)
{
    return same_key(&a->keys[0], &b->keys[0]) && same_key(&a->keys[1], &b->keys[1]);
}

/* They are the same, or one would have to wait for the other. */
static bool collide(const struct sf_chord *a, const struct sf_chord *b)
{
    return same_key(&a->keys[0], &b->keys[0]) &&
           (!a->keys[1].code || !b->keys[1].code || same_key(&a->keys[1], &b->keys[1]));
}

static enum sf_action_id find_chord(const struct sf_keymap *map, const struct sf_chord *chord)
{
    for (int a = SF_ACTION_NONE + 1; a < SF_ACTION_COUNT; a++)
        for (size_t i = 0; i < map->actions[a].count; i++)
            if (same_chord(&map->actions[a].items[i], chord))
                return (enum sf_action_id)a;
    return SF_ACTION_NONE;
}

static const struct sf_action_row *row_of(enum sf_action_id action)
{
    for (size_t i = 0; i < sf_action_row_count; i++)
        if (sf_action_rows[i].action == action)
            return &sf_action_rows[i];
    return NULL;
}

/* ---- binding ---- */

static bool fail_action(const char *name, struct sf_error *err)
{
    char quote[SF_QUOTE_MAX];
    struct sf_suggest s;

    sf_suggest_start(&s, name);
    for (size_t i = 0; i < sf_action_row_count; i++)
        sf_suggest_offer(&s, sf_action_rows[i].name);
    sf_fail(err, SF_E_NOENT, "no key does \"%s\": there is no such action",
            sf_quote(quote, name, strlen(name)));
    return sf_suggest_hint(&s, "docs/KEYS.md lists the actions", err);
}

static const struct sf_action_row *find_action(const char *name)
{
    for (size_t i = 0; i < sf_action_row_count; i++)
        if (!strcmp(sf_action_rows[i].name, name))
            return &sf_action_rows[i];
    return NULL;
}

static bool is_text(const struct sf_key *key)
{
    return key->code < SF_KEY_BASE && !(key->mods & ~(unsigned)SF_MOD_SHIFT);
}

static bool fail_taken(const struct sf_chord *chord, const char *one, const char *other,
                       struct sf_error *err)
{
    char text[SF_CHORD_TEXT];

    sf_chord_text(chord, text);
    sf_fail(err, SF_E_EXIST, "%s is taken twice: by %s and by %s", text, one, other);
    return sf_hint(err, "give %s another key in [keys], or none: %s = \"\"", other, other);
}

static const char *name_of(int action)
{
    const struct sf_action_row *row = row_of((enum sf_action_id)action);

    return row ? row->name : "";
}

/* Adds a chord to the list of `row`, unless it is taken. */
static bool claim(const struct sf_keymap *map, const struct sf_action_row *row, struct chords *list,
                  const struct sf_chord *chord, struct sf_error *err)
{
    char text[SF_CHORD_TEXT];

    sf_chord_text(chord, text);
    if (is_text(&chord->keys[0])) {
        sf_fail(err, SF_E_ARG, "%s alone is text and cannot be bound to %s", text, row->name);
        return sf_hint(err, "use it with ctrl or alt, or behind a leader: ctrl+x %s", text);
    }
    for (int a = SF_ACTION_NONE + 1; a < SF_ACTION_COUNT; a++)
        for (size_t i = 0; a != (int)row->action && i < map->actions[a].count; i++)
            if (collide(&map->actions[a].items[i], chord))
                return fail_taken(chord, row->name, name_of(a), err);
    for (size_t i = 0; i < list->count; i++) {
        if (same_chord(&list->items[i], chord))
            return true;
        if (collide(&list->items[i], chord)) {
            sf_fail(err, SF_E_ARG, "%s of %s begins another of its keys", text, row->name);
            return sf_hint(err, "a key that leads to others does nothing by itself");
        }
    }
    if (list->count == CHORDS_MAX) {
        sf_fail(err, SF_E_LIMIT, "%s has more than %d keys", row->name, CHORDS_MAX);
        return sf_hint(err, "leave some out");
    }
    list->items[list->count++] = *chord;
    return true;
}

/* One of the chords between commas. */
static bool claim_text(const struct sf_keymap *map, const struct sf_action_row *row,
                       struct chords *list, const char *text, size_t len, struct sf_error *err)
{
    char one[CHORD_BYTES], quote[SF_QUOTE_MAX];
    struct sf_chord chord;

    if (len >= sizeof(one)) {
        sf_fail(err, SF_E_SYNTAX, "\"%s\" is not a key", sf_quote(quote, text, len));
        return sf_hint(err, "keys look like ctrl+x m, alt+enter, f1");
    }
    snprintf(one, sizeof(one), "%.*s", (int)len, text);
    if (!sf_chord_parse(&chord, one, err)) {
        sf_error_prefix(err, "%s: ", row->name);
        return false;
    }
    return claim(map, row, list, &chord, err);
}

bool sf_keymap_bind(struct sf_keymap *map, const char *action, const char *chords,
                    struct sf_error *err)
{
    const struct sf_action_row *row = find_action(action);
    struct chords list = { .count = 0 };

    if (!row)
        return fail_action(action, err);
    if (!chords)
        chords = row->chords;
    while (chords[strspn(chords, " ")]) {
        size_t n = strcspn(chords, ",");

        if (!claim_text(map, row, &list, chords, n, err))
            return false;
        chords += n + (chords[n] == ',');
    }
    map->actions[row->action] = list;
    sf_keymap_forget(map);
    return true;
}

struct sf_keymap *sf_keymap_new(void)
{
    struct sf_keymap *map = sf_alloc(sizeof(*map));
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < sf_action_row_count; i++) {
        bool bound = sf_keymap_bind(map, sf_action_rows[i].name, NULL, &err);

        assert(bound);
        (void)bound;
    }
    return map;
}

void sf_keymap_free(struct sf_keymap *map)
{
    free(map);
}

/* ---- keys that come ---- */

static enum sf_action_id find_keys(const struct sf_keymap *map, struct sf_key first,
                                   struct sf_key second)
{
    return find_chord(map, &(struct sf_chord){ { first, second } });
}

static bool is_leader(const struct sf_keymap *map, const struct sf_key *key)
{
    for (int a = SF_ACTION_NONE + 1; a < SF_ACTION_COUNT; a++)
        for (size_t i = 0; i < map->actions[a].count; i++) {
            const struct sf_chord *c = &map->actions[a].items[i];

            if (c->keys[1].code && same_key(&c->keys[0], key))
                return true;
        }
    return false;
}

static enum sf_action_id find_single(const struct sf_keymap *map, struct sf_key key)
{
    static const struct sf_key none = { 0, 0 };
    enum sf_action_id action = find_keys(map, key, none);

    /* caps lock makes Alt+Shift+M of Alt+M; Ctrl+Shift is a chord of its own */
    if (!action && (key.mods & SF_MOD_SHIFT) &&
        (key.code >= SF_KEY_BASE || !(key.mods & SF_MOD_CTRL))) {
        key.mods &= ~(unsigned)SF_MOD_SHIFT;
        action = find_keys(map, key, none);
    }
    return action;
}

/* The key behind a leader, also with Ctrl or Shift still held. */
static enum sf_action_id find_second(const struct sf_keymap *map, struct sf_key key)
{
    static const unsigned held[] = { 0, SF_MOD_SHIFT, SF_MOD_CTRL, SF_MOD_SHIFT | SF_MOD_CTRL };

    for (size_t i = 0; i < SF_COUNT(held); i++) {
        const struct sf_key tried = { key.code, key.mods & ~held[i] };
        enum sf_action_id action = find_keys(map, map->leader, tried);

        if (action)
            return action;
        if (!i && find_single(map, key) == SF_ACTION_INTERRUPT)
            return SF_ACTION_INTERRUPT;
    }
    if (key.code == SF_KEY_ENTER && !key.mods)
        return find_keys(map, map->leader, (struct sf_key){ 'm', 0 });
    if (key.code == SF_KEY_TAB && !key.mods)
        return find_keys(map, map->leader, (struct sf_key){ 'i', 0 });
    return SF_ACTION_NONE;
}

enum sf_action_id sf_keymap_feed(struct sf_keymap *map, const struct sf_key *key, bool *waits)
{
    enum sf_action_id action;

    if (map->waits) {
        action = find_second(map, *key);
        *waits = map->waits = !action && same_key(key, &map->leader);
        return action;
    }
    *waits = map->waits = is_leader(map, key);
    if (map->waits) {
        map->leader = *key;
        return SF_ACTION_NONE;
    }
    return find_single(map, *key);
}

void sf_keymap_forget(struct sf_keymap *map)
{
    map->waits = false;
}

const struct sf_key *sf_keymap_leader(const struct sf_keymap *map)
{
    return map->waits ? &map->leader : NULL;
}

size_t sf_key_of_text(struct sf_key *key, const char *text, size_t len)
{
    uint32_t cp;
    size_t n = sf_utf8_decode(text, len, &cp);

    if (!n || !sf_key_is_printable(cp))
        return 0;
    *key = sf_key_normal(cp, sf_key_lower(cp) != cp ? SF_MOD_SHIFT : 0);
    return n;
}

/* ---- showing ---- */

bool sf_keymap_chord(const struct sf_keymap *map, enum sf_action_id action, size_t index,
                     struct sf_chord *out)
{
    const struct chords *list = &map->actions[action];

    if (index >= list->count)
        return false;
    *out = list->items[index];
    return true;
}

const char *sf_keymap_shown(const struct sf_keymap *map, enum sf_action_id action, bool extended,
                            char out[SF_CHORD_TEXT])
{
    struct sf_chord chord;

    out[0] = '\0';
    for (size_t i = 0; !*out && sf_keymap_chord(map, action, i, &chord); i++)
        if (extended || sf_chord_is_plain(&chord))
            sf_chord_text(&chord, out);
    return out;
}
