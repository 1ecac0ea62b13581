/*
 * instructions_seen.c: one JSON object in the project's state, a text under each name. A file that
 * cannot be read has seen nothing: everything is held back then.
 */
#include "workspace/instructions_seen.h"

#include "edit/edit.h"
#include "io/io.h"

enum { FILE_MAX = 1024 * 1024 };

static char *path_of(const char *state_dir)
{
    return sf_path_join(state_dir, "instructions.json");
}

static void add(struct sf_instructions *to, const char *name, const char *text)
{
    to->items = sf_grow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
    to->items[to->count++] = (struct sf_instruction){ .name = sf_strdup(name),
                                                      .text = sf_strdup(text),
                                                      .workspace = true };
}

static struct sf_instruction *find(const struct sf_instructions *in, const char *name)
{
    for (size_t i = 0; i < in->count; i++)
        if (!strcmp(in->items[i].name, name))
            return &in->items[i];
    return NULL;
}

/* False: nothing was ever seen here. */
static bool read_seen(const char *state_dir, struct sf_instructions *out)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = path_of(state_dir);
    bool there = sf_file_read(path, FILE_MAX, &text, &err) || err.code != SF_E_NOENT;
    struct sf_json *json = text.len ? sf_json_parse(text.buf, text.len, NULL, &err) : NULL;

    for (const struct sf_json *it = json ? sf_json_first(json) : NULL; it; it = sf_json_next(it)) {
        const char *value;

        if (sf_json_key(it) && sf_json_as_str(it, "text", &value, &err))
            add(out, sf_json_key(it), value);
    }
    sf_json_free(json);
    sf_strbuf_release(&text);
    free(path);
    return there;
}

static bool write_seen(const char *state_dir, const struct sf_instructions *seen,
                       struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_json_writer w;
    char *path = path_of(state_dir);
    bool ok;

    sf_jw_init(&w, &text);
    sf_jw_object_begin(&w);
    for (size_t i = 0; i < seen->count; i++)
        if (seen->items[i].workspace)
            sf_jw_key_str(&w, seen->items[i].name, seen->items[i].text);
    sf_jw_object_end(&w);
    sf_strbuf_addch(&text, '\n');
    ok = sf_file_write_atomic(path, text.buf, text.len, 0600, err);
    sf_strbuf_release(&text);
    free(path);
    return ok;
}

static void remove_item(struct sf_instructions *from, size_t index)
{
    free(from->items[index].name);
    free(from->items[index].text);
    memmove(&from->items[index], &from->items[index + 1],
            (from->count - index - 1) * sizeof(*from->items));
    from->count--;
}

static void begin(const char *state_dir, const struct sf_instructions *now,
                  struct sf_strlist *notes)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!write_seen(state_dir, now, &err))
        sf_strlist_addf(notes, "which instructions you saw cannot be kept: %s", err.msg);
}

void sf_instructions_hold(const char *state_dir, struct sf_instructions *now,
                          struct sf_instructions *held, struct sf_strlist *notes)
{
    struct sf_instructions seen = SF_INSTRUCTIONS_INIT;

    if (!read_seen(state_dir, &seen))
        begin(state_dir, now, notes);
    else
        for (size_t i = now->count; i-- > 0;) {
            struct sf_instruction *it = &now->items[i];
            const struct sf_instruction *old = find(&seen, it->name);

            if (!it->workspace || (old && !strcmp(old->text, it->text)))
                continue;
            add(held, it->name, it->text);
            sf_strlist_addf(notes, "%s %s: %s until you accept it with /instructions accept",
                            it->name,
                            old ? "changed since you saw it last" : "is new since you were here",
                            old ? "its old text is used" : "it is left out");
            if (old) {
                free(it->text);
                it->text = sf_strdup(old->text);
            } else {
                remove_item(now, i);
            }
        }
    sf_instructions_release(&seen);
}

void sf_instructions_diff(const char *state_dir, const struct sf_instructions *held,
                          struct sf_strbuf *out)
{
    struct sf_instructions seen = SF_INSTRUCTIONS_INIT;

    read_seen(state_dir, &seen);
    for (size_t i = 0; i < held->count; i++) {
        const struct sf_instruction *it = &held->items[i], *old = find(&seen, it->name);
        const char *before = old ? old->text : "";
        const struct sf_diff_style style = { .old_name = old ? it->name : "/dev/null",
                                             .new_name = it->name,
                                             .context = 3 };
        struct sf_diff diff;

        sf_diff_init(&diff, before, strlen(before), it->text, strlen(it->text));
        sf_diff_add(out, &diff, &style, NULL);
        sf_diff_release(&diff);
    }
    sf_instructions_release(&seen);
}

bool sf_instructions_accept(const char *state_dir, const struct sf_instructions *shown,
                            struct sf_error *err)
{
    struct sf_instructions seen = SF_INSTRUCTIONS_INIT;
    bool ok;

    read_seen(state_dir, &seen);
    for (size_t i = 0; i < shown->count; i++) {
        struct sf_instruction *old = find(&seen, shown->items[i].name);

        if (old) {
            free(old->text);
            old->text = sf_strdup(shown->items[i].text);
        } else {
            add(&seen, shown->items[i].name, shown->items[i].text);
        }
    }
    ok = write_seen(state_dir, &seen, err);
    sf_instructions_release(&seen);
    return ok;
}
