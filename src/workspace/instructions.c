/*
 * instructions.c: finds and reads the files. In a directory with AGENTS.md, CLAUDE.md is not read.
 */
#include "workspace/instructions.h"

#include "base/base.h"
#include "io/io.h"
#include "workspace/memory.h"

static const char *const names[] = { "AGENTS.md", "CLAUDE.md" };

enum { READ_MAX = SF_INSTRUCTIONS_EACH + 1 }; /* the extra byte tells that the file is longer */

static void add_item(struct sf_instructions *to, const char *name, struct sf_strbuf *text,
                     bool memory)
{
    if (text->buf[text->len - 1] != '\n')
        sf_strbuf_addch(text, '\n');
    to->bytes += strlen(name) + text->len;
    to->items = sf_grow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
    to->items[to->count++] = (struct sf_instruction){ .name = sf_strdup(name),
                                                      .text = sf_strbuf_detach(text),
                                                      .memory = memory };
}

static void add_text(const char *name, const struct sf_strbuf *text, bool memory,
                     struct sf_instructions *out, struct sf_strlist *notes)
{
    size_t room = out->bytes < SF_INSTRUCTIONS_ALL ? SF_INSTRUCTIONS_ALL - out->bytes : 0;
    size_t most = room < SF_INSTRUCTIONS_EACH ? room : SF_INSTRUCTIONS_EACH;
    size_t n = text->len > most ? sf_utf8_cut(text->buf, most) : text->len;
    struct sf_strbuf safe = SF_STRBUF_INIT;

    if (n < text->len && n)
        sf_strlist_addf(notes, "%s is long: only its first %zu bytes are given to the model", name,
                        n);
    else if (n < text->len)
        sf_strlist_addf(notes, "%s is not given to the model: the others fill the room there is",
                        name);
    sf_text_sanitize(&safe, text->buf, n, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    if (safe.len)
        add_item(out, name, &safe, memory);
    sf_strbuf_release(&safe);
}

/* Why the file must not be read without asking, or NULL. */
static const char *objection(const struct sf_policy_context *g, const struct sf_place *place)
{
    if (!place->inside)
        return "it leads out of the workspace";
    if (sf_policy_context_path(g, place).zone == SF_PATH_CREDENTIAL)
        return "it may hold secrets";
    return NULL;
}

static void add_workspace(const char *path, const struct sf_strbuf *text,
                          struct sf_instructions *out, struct sf_strlist *notes)
{
    size_t count = out->count;

    add_text(path, text, false, out, notes);
    if (out->count > count)
        out->items[count].workspace = true;
}

/* True if the file exists, whether or not it was read. */
static bool add_inside(const struct sf_policy_context *g, const char *path,
                       struct sf_instructions *out, struct sf_strlist *notes)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool there = false;
    const char *why;

    if (!sf_place_resolve(&g->root, path, strlen(path), SF_WANT_FILE, &place, &err))
        goto out;
    there = place.kind == SF_PLACE_FILE;
    if (!there)
        goto out;
    why = objection(g, &place);
    if (why)
        sf_strlist_addf(notes, "%s is not read: %s", path, why);
    else if (sf_place_read_head(&place, READ_MAX, &text, &err))
        add_workspace(path, &text, out, notes);
    else
        sf_strlist_addf(notes, "%s is not read: %s", path, err.msg);
out:
    sf_place_release(&place);
    sf_strbuf_release(&text);
    return there;
}

static void add_directory(const struct sf_policy_context *g, const char *dir, size_t len,
                          struct sf_instructions *out, struct sf_strlist *notes)
{
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        struct sf_strbuf path = SF_STRBUF_INIT;
        bool found;

        sf_strbuf_addf(&path, "%.*s%s%s", (int)len, dir, len ? "/" : "", names[i]);
        found = add_inside(g, path.buf, out, notes);
        sf_strbuf_release(&path);
        if (found)
            return;
    }
}

static void add_own(const char *path, const char *name, struct sf_instructions *out,
                    struct sf_strlist *notes)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_file_read_head(path, READ_MAX, &text, &err))
        add_text(name, &text, false, out, notes);
    else if (err.code != SF_E_NOENT)
        sf_strlist_addf(notes, "%s is not read: %s", name, err.msg);
    sf_strbuf_release(&text);
}

static void add_memory(enum sf_memory which, const struct sf_instructions_request *r,
                       struct sf_instructions *out, struct sf_strlist *notes)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_memory_path(which, r->state_dir, r->user_dir);

    if (path && sf_memory_read_head(path, READ_MAX, &text, &err))
        add_text(sf_memories[which].title, &text, true, out, notes);
    else if (path && err.code != SF_E_NOENT)
        sf_strlist_addf(notes, "the memory of %s is not read: %s", sf_memories[which].whose,
                        err.msg);
    sf_strbuf_release(&text);
    free(path);
}

void sf_instructions_read(const struct sf_instructions_request *r, struct sf_instructions *out,
                          struct sf_strlist *notes)
{
    const char *slash = r->below;

    if (r->user_dir) {
        char *path = sf_path_join(r->user_dir, names[0]);

        add_own(path, "AGENTS.md (yours)", out, notes);
        free(path);
    }
    for (int i = SF_MEMORY_COUNT; i-- > 0;)
        add_memory((enum sf_memory)i, r, out, notes);
    add_directory(r->policy, "", 0, out, notes);
    while (*slash) {
        slash += strcspn(slash, "/");
        add_directory(r->policy, r->below, (size_t)(slash - r->below), out, notes);
        slash += *slash == '/';
    }
}

void sf_instructions_release(struct sf_instructions *instructions)
{
    for (size_t i = 0; i < instructions->count; i++) {
        free(instructions->items[i].name);
        free(instructions->items[i].text);
    }
    free(instructions->items);
    *instructions = (struct sf_instructions)SF_INSTRUCTIONS_INIT;
}

void sf_instructions_add(const struct sf_instructions *instructions, struct sf_strbuf *out)
{
    for (size_t i = 0; i < instructions->count; i++)
        sf_strbuf_addf(out, "\n## %s\n%s", instructions->items[i].name,
                       instructions->items[i].text);
}
