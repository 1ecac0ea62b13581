/*
 * options.c: reads the options of a command by the list of its fact, as getopt would: clusters,
 * attached values, `--name=value`, unambiguous abbreviations, `--`. What is not listed is
 * remembered as unknown, never guessed.
 */
#include <string.h>

#include "shell/classifier.h"

struct listed {
    const char *name;
    size_t len;
    bool dashes;
    char value; /* 0, '=' or '?' */
    char effect;
};

static const char effects[] = "><!$%&~+@#^:;\"";

/* Takes the next entry off the list; false at its end. */
static bool next_listed(const char **list, struct listed *out)
{
    const char *p = *list + strspn(*list, " /*.");
    size_t len = strcspn(p, " ");

    *list = p + len;
    *out = (struct listed){ .name = p, .len = len };
    if (!len)
        return false;
    if (out->len > 1 && strchr(effects, p[out->len - 1]))
        out->effect = p[--out->len];
    if (out->len > 2 && strchr("=?", p[out->len - 1]))
        out->value = p[--out->len];
    out->dashes = p[1] == '-';
    out->name += 1 + out->dashes;
    out->len -= 1 + out->dashes;
    return true;
}

static bool harms(char effect)
{
    return effect && !strchr("<^:;", effect);
}

/* How bad an effect is, for abbreviations that fit several options. */
static int weight(char effect)
{
    const char *order = "<^:;>~+@\"$%&!#";
    const char *found = effect ? strchr(order, effect) : NULL;

    return found ? (int)(found - order) + 1 : 0;
}

static bool find_long(const char *list, const char *name, size_t len, bool one_dash,
                      struct listed *out)
{
    struct listed item;
    bool found = false;

    while (next_listed(&list, &item)) {
        if ((!item.dashes && !one_dash) || len > item.len || memcmp(item.name, name, len) != 0)
            continue;
        if (len == item.len) {
            *out = item;
            return true;
        }
        if (!one_dash && len > 1 && (!found || weight(item.effect) > weight(out->effect))) {
            *out = item;
            found = true;
        }
    }
    return found;
}

/* An entry of its own tells more about a letter than a cluster of flags. */
static bool find_short(const char *list, char letter, struct listed *out)
{
    bool digit = letter >= '0' && letter <= '9', found = false;
    struct listed item;

    while (next_listed(&list, &item)) {
        if (item.dashes)
            continue;
        if (item.len == 1 && (item.name[0] == letter || (digit && item.name[0] == '0'))) {
            *out = item;
            return true;
        }
        if (!found && item.len > 1 && !item.value && !item.effect &&
            memchr(item.name, letter, item.len)) {
            *out = item;
            found = true;
        }
    }
    return found;
}

/* A single dash with a long name: -sdel, -TT. Listed with a value or an effect, else a cluster. */
static bool find_odd(const char *list, const char *name, struct listed *out)
{
    while (next_listed(&list, out))
        if (!out->dashes && out->len > 1 && (out->value || out->effect) &&
            strlen(name) == out->len && !memcmp(name, out->name, out->len))
            return true;
    return false;
}

struct reading {
    struct sf_options *out;
    const char *lists[2];
    const struct sf_word *words;
    size_t count, i;
    bool one_dash;
    bool twice; /* a word that was taken for a value is read once more, as an option */
};

static void note(struct reading *r, const struct listed *item, const char *value,
                 const struct sf_word *value_in)
{
    struct sf_options *out = r->out;

    if (out->count >= SF_OPTIONS_MAX) {
        out->cut = true;
        return;
    }
    out->items[out->count++] = (struct sf_word_option){
        .name = item->name,
        .name_len = item->len,
        .dashes = item->dashes,
        .effect = item->effect,
        .word = &r->words[r->i],
        .value = value,
        .value_in = value_in,
    };
}

static void read_long(struct reading *r, const char *name);
static void read_cluster(struct reading *r);

static void read_option(struct reading *r)
{
    const char *text = r->words[r->i].text;

    if (text[1] == '-' || r->one_dash)
        read_long(r, text + 1 + (text[1] == '-'));
    else
        read_cluster(r);
}

/* `man -l -P x`: a row stands for several programs, and what one takes as a value, another runs. */
static void read_value_as_option(struct reading *r)
{
    struct sf_options seen = { 0 };
    struct reading again = *r;

    again.out = &seen;
    again.twice = true;
    read_option(&again);
    for (size_t i = 0; i < seen.count; i++)
        if (harms(seen.items[i].effect) && r->out->count < SF_OPTIONS_MAX)
            r->out->items[r->out->count++] = seen.items[i];
}

/* A value in the next word; without one the option stands alone. */
static void note_next(struct reading *r, const struct listed *item)
{
    const struct sf_word *w = r->i + 1 < r->count ? &r->words[r->i + 1] : NULL;

    note(r, item, w ? w->text : NULL, w);
    if (!w)
        return;
    r->i++;
    if (w->flags & SF_WORD_ANY && w->flags & SF_WORD_SPLITS)
        r->out->any = w; /* a value, and what else it falls into */
    if (w->text[0] == '-' && w->text[1] && w->head && !r->twice)
        read_value_as_option(r);
}

static void unknown(struct reading *r)
{
    const struct sf_word *w = &r->words[r->i];

    if (!r->out->unknown)
        r->out->unknown = w;
    if (w->flags & SF_WORD_ANY)
        r->out->any = w;
}

/* -o/etc/x of programs whose long options have one dash. */
static bool read_attached(struct reading *r, const char *name)
{
    struct listed item;

    for (size_t i = 0; i < 2; i++)
        if (r->lists[i] && name[1] && find_short(r->lists[i], *name, &item) && item.len == 1 &&
            item.value == '=' && item.effect == '>') {
            note(r, &item, name + 1, &r->words[r->i]);
            return true;
        }
    return false;
}

static void read_long(struct reading *r, const char *name)
{
    const struct sf_word *w = &r->words[r->i];
    size_t len = strcspn(name, "=");
    struct listed item;
    bool found = false;

    if (w->flags & SF_WORD_EXPANDS && (size_t)(name - w->text) + len >= w->head &&
        !(name[len] == '=' && (size_t)(name - w->text) + len < w->head)) {
        unknown(r); /* the name itself is not known */
        return;
    }
    for (size_t i = 0; i < 2 && !found; i++)
        found = r->lists[i] && find_long(r->lists[i], name, len, r->one_dash, &item);
    if (!found && r->one_dash && read_attached(r, name))
        return;
    if (!found)
        unknown(r);
    else if (name[len] == '=')
        note(r, &item, name + len + 1, w);
    else if (item.value == '=')
        note_next(r, &item);
    else
        note(r, &item, NULL, NULL);
}

static bool read_odd(struct reading *r)
{
    struct listed item;

    for (size_t i = 0; i < 2; i++) {
        if (!r->lists[i] || !find_odd(r->lists[i], r->words[r->i].text + 1, &item))
            continue;
        if (item.value == '=')
            note_next(r, &item);
        else
            note(r, &item, NULL, NULL);
        return true;
    }
    return false;
}

static void read_cluster(struct reading *r)
{
    const struct sf_word *w = &r->words[r->i];

    if (read_odd(r))
        return;
    if (w->flags & SF_WORD_EXPANDS && w->head < 2)
        unknown(r);
    if (w->flags & SF_WORD_ANY && w->flags & SF_WORD_SPLITS)
        r->out->any = w;
    for (const char *p = w->text + 1; *p && !r->out->cut; p++) {
        struct listed item;
        bool found = false;

        for (size_t i = 0; i < 2 && !found; i++)
            found = r->lists[i] && find_short(r->lists[i], *p, &item);
        if (!found) {
            unknown(r);
        } else if (!item.value) {
            if (item.len > 1) { /* one of a cluster: name the letter alone */
                item.name = memchr(item.name, *p, item.len);
                item.len = 1;
            }
            note(r, &item, NULL, NULL);
        } else if (p[1] || w->flags & SF_WORD_EXPANDS || item.value == '?') {
            note(r, &item, p[1] || item.value != '?' ? p + 1 : NULL, w);
            return;
        } else {
            note_next(r, &item);
            return;
        }
    }
}

static void look_at_operand(struct reading *r, const struct sf_word *w, bool ended)
{
    if (w->flags & SF_WORD_SPLITS && !w->head)
        r->out->fuzzy = true;
    if (w->flags & SF_WORD_ANY && !ended)
        r->out->any = w;
}

static void add_operand(struct reading *r, const struct sf_word *w)
{
    r->out->operands[r->out->noperands++] = w;
}

static bool list_harms(const char *list)
{
    struct listed item;

    while (list && next_listed(&list, &item))
        if (harms(item.effect))
            return true;
    return false;
}

bool sf_options_list_has(const char *list, const char *effects_looked_for)
{
    struct listed item;

    while (list && next_listed(&list, &item))
        if (item.effect && strchr(effects_looked_for, item.effect))
            return true;
    return false;
}

void sf_options_read(struct sf_options *out, const char *const lists[2],
                     const struct sf_word *words, size_t count, bool stop, struct sf_arena *arena)
{
    struct reading r = {
        .out = out, .lists = { lists[0], lists[1] }, .words = words, .count = count
    };
    bool ended = false;

    memset(out, 0, sizeof(*out));
    out->operands = sf_arena_alloc(arena, (count + 1) * sizeof(const struct sf_word *));
    out->harmful = list_harms(lists[0]);
    r.one_dash = lists[0] && *lists[0] == '/';
    for (r.i = 0; r.i < count; r.i++) {
        const struct sf_word *w = &words[r.i];

        if (ended || w->text[0] != '-' || (!w->text[1] && w->head == w->len) || !w->head) {
            look_at_operand(&r, w, ended);
            ended = ended || (lists[0] && *lists[0] == '.');
            if (stop)
                break;
            add_operand(&r, w);
        } else if (!strcmp(w->text, "--") && w->head == w->len) {
            ended = true;
            if (stop) {
                r.i++;
                break;
            }
        } else {
            read_option(&r);
        }
    }
    out->end = r.i < count ? r.i : count;
}

static bool same_name(const struct sf_word_option *o, const char *name, size_t len)
{
    bool dashes = len > 1 && name[1] == '-';

    name += 1 + dashes;
    len -= 1 + (size_t)dashes;
    return o->name_len == len && !memcmp(o->name, name, len) && (o->dashes == dashes || len > 1);
}

bool sf_option_is(const struct sf_word_option *o, const char *names)
{
    while (*names) {
        size_t len = strcspn(names, " ");

        if (same_name(o, names, len))
            return true;
        names += len + (names[len] == ' ');
    }
    return false;
}

const struct sf_word_option *sf_options_find(const struct sf_options *o, const char *names)
{
    for (size_t i = 0; i < o->count; i++)
        if (sf_option_is(&o->items[i], names))
            return &o->items[i];
    return NULL;
}

bool sf_options_has(const struct sf_options *o, const char *names)
{
    return sf_options_find(o, names) != NULL;
}
