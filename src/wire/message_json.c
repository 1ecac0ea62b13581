/*
 * message_json.c: the stored form of a message. Each kind of block has one row that names its
 * members in their order; writing and reading both follow the row, so they cannot drift apart.
 * What reads has exactly those members in that order, or it is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "wire/message.h"

enum { MEMBERS_MAX = 6 };

enum need {
    MUST,   /* there, perhaps empty */
    FILLED, /* there and not empty */
    MAY,    /* left out when NULL */
};

enum member { NO_MEMBER, TEXT, ID, NAME, MEDIA, DATA, RAW, FORMAT, FAILED };

struct member_row {
    enum member member;
    const char *key;
    enum need need;
};

static const struct kind_row {
    const char *name;
    enum sf_role role; /* who says it; text is everybody's */
    struct member_row members[MEMBERS_MAX + 1];
} kinds[] = {
    [SF_BLOCK_TEXT] = { "text", SF_ROLE_USER, { { TEXT, "text", MUST } } },
    [SF_BLOCK_REASONING] = { "reasoning",
                             SF_ROLE_ASSISTANT,
                             { { FORMAT, "format", MUST },
                               { TEXT, "text", MUST },
                               { RAW, "raw", MAY } } },
    [SF_BLOCK_CALL] = { "call",
                        SF_ROLE_ASSISTANT,
                        { { ID, "id", FILLED },
                          { NAME, "name", FILLED },
                          { TEXT, "arguments", MUST } } },
    [SF_BLOCK_RESULT] = { "result",
                          SF_ROLE_USER,
                          { { ID, "id", FILLED },
                            { NAME, "name", FILLED },
                            { FAILED, "error", MUST },
                            { TEXT, "text", MUST },
                            { MEDIA, "media", MAY },
                            { DATA, "data", MAY } } },
    [SF_BLOCK_IMAGE] = { "image",
                         SF_ROLE_USER,
                         { { MEDIA, "media", FILLED }, { DATA, "data", FILLED } } },
};

static const char *const roles[] = { "user", "assistant", NULL }; /* by enum sf_role */

static char **string_of(struct sf_block *block, enum member member)
{
    switch (member) {
    case TEXT:
        return &block->text;
    case ID:
        return &block->id;
    case NAME:
        return &block->name;
    case MEDIA:
        return &block->media;
    case DATA:
        return &block->data;
    case RAW:
        return &block->raw;
    case NO_MEMBER:
    case FORMAT:
    case FAILED:
        break;
    }
    return NULL;
}

static void write_member(const struct sf_block *block, const struct member_row *row,
                         struct sf_json_writer *w)
{
    struct sf_block view = *block;
    char **text = string_of(&view, row->member);

    if (text && !*text && row->need == MAY)
        return;
    sf_jw_key(w, row->key);
    if (row->member == FAILED)
        sf_jw_bool(w, block->is_error);
    else if (row->member == FORMAT)
        sf_jw_str(w, sf_wire_format_names[block->format]);
    else
        sf_jw_str(w, *text ? *text : "");
}

static void write_block(const struct sf_block *block, struct sf_json_writer *w)
{
    const struct kind_row *kind = &kinds[block->kind];

    sf_jw_object_begin(w);
    sf_jw_key_str(w, "kind", kind->name);
    for (const struct member_row *row = kind->members; row->member; row++)
        write_member(block, row, w);
    sf_jw_object_end(w);
}

void sf_message_json(const struct sf_message *message, struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "role", roles[message->role]);
    sf_jw_key(w, "blocks");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < message->count; i++)
        write_block(&message->blocks[i], w);
    sf_jw_array_end(w);
    sf_jw_object_end(w);
}

/* The member at `*it` when it has that name, and a step on; else NULL. */
static const struct sf_json *take(const struct sf_json **it, const char *key)
{
    const struct sf_json *found = *it;

    if (!found || strcmp(sf_json_key(found), key) != 0)
        return NULL;
    *it = sf_json_next(found);
    return found;
}

static bool missing(const char *key, struct sf_error *err)
{
    return sf_fail(err, SF_E_ARG, "\"%s\" is missing or not in its place", key);
}

static bool take_str(const struct sf_json **it, const char *key, const char **out,
                     struct sf_error *err)
{
    const struct sf_json *found = take(it, key);

    return found ? sf_json_as_str(found, key, out, err) : missing(key, err);
}

static bool take_name(const struct sf_json **it, const char *key, const char *const *names,
                      size_t *out, struct sf_error *err)
{
    const char *text = "";

    if (!take_str(it, key, &text, err))
        return false;
    for (size_t i = 0; names[i]; i++) {
        if (!strcmp(names[i], text)) {
            *out = i;
            return true;
        }
    }
    return sf_fail(err, SF_E_ARG, "\"%s\" has an unknown value", key);
}

static bool read_string(char **slot, const struct member_row *row, const struct sf_json **it,
                        struct sf_error *err)
{
    const struct sf_json *found = take(it, row->key);
    const char *text = NULL;

    if (!found)
        return row->need == MAY || missing(row->key, err);
    if (!sf_json_as_str(found, row->key, &text, err))
        return false;
    if (row->need != MUST && !*text)
        return sf_fail(err, SF_E_ARG, "\"%s\" is empty", row->key);
    *slot = sf_strdup(text);
    return true;
}

static bool read_member(struct sf_block *block, const struct member_row *row,
                        const struct sf_json **it, struct sf_error *err)
{
    size_t format = 0;
    const struct sf_json *found;

    if (row->member == FAILED) {
        found = take(it, row->key);
        return found ? sf_json_as_bool(found, row->key, &block->is_error, err)
                     : missing(row->key, err);
    }
    if (row->member != FORMAT)
        return read_string(string_of(block, row->member), row, it, err);
    if (!take_name(it, row->key, sf_wire_format_names, &format, err))
        return false;
    block->format = (enum sf_wire_format)format;
    return true;
}

static bool is_base64(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = strspn(text, digits), pad = strspn(text + n, "=");

    return !text[n + pad] && pad <= 2 && (n + pad) % 4 == 0;
}

static bool is_media(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789.+-";

    return !strncmp(text, "image/", 6) && text[6] && !text[6 + strspn(text + 6, letters)];
}

/* What is sent back unread must at least be JSON, or it would spoil every later request. */
static bool is_json(const char *text)
{
    struct sf_error unused;
    struct sf_json *json = sf_json_parse(text, strlen(text), NULL, &unused);
    bool object = json && sf_json_type(json) == SF_JSON_OBJECT;

    sf_json_free(json);
    return object;
}

static bool check_block(const struct sf_block *block, struct sf_error *err)
{
    if (!block->media != !block->data)
        return sf_fail(err, SF_E_ARG, "an image needs both \"media\" and \"data\"");
    if (block->media && !is_media(block->media))
        return sf_fail(err, SF_E_ARG, "\"media\" is not a type of image");
    if (block->data && !is_base64(block->data))
        return sf_fail(err, SF_E_ARG, "\"data\" is not base64");
    if (block->raw && !is_json(block->raw))
        return sf_fail(err, SF_E_ARG, "\"raw\" is no JSON object");
    return true;
}

static const struct kind_row *find_kind(const char *name, size_t *kind)
{
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        if (!strcmp(kinds[i].name, name)) {
            *kind = i;
            return &kinds[i];
        }
    }
    return NULL;
}

static bool read_block(struct sf_message *message, const struct sf_json *json, struct sf_error *err)
{
    const struct sf_json *it = sf_json_first(json);
    const struct kind_row *row;
    struct sf_block *block;
    const char *name = "";
    size_t kind = 0;

    if (sf_json_type(json) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_ARG, "a block must be an object");
    if (!take_str(&it, "kind", &name, err))
        return false;
    row = find_kind(name, &kind);
    if (!row)
        return sf_fail(err, SF_E_ARG, "there is no such kind of block");
    if (kind != SF_BLOCK_TEXT && row->role != message->role)
        return sf_fail(err, SF_E_ARG, "the %s has no block of kind %s", roles[message->role],
                       row->name);
    block = sf_message_add(message, (enum sf_block_kind)kind);
    for (const struct member_row *member = row->members; member->member; member++)
        if (!read_member(block, member, &it, err))
            return false;
    if (it)
        return sf_fail(err, SF_E_ARG, "a block has an unknown member");
    block->len = block->text ? strlen(block->text) : 0;
    return check_block(block, err);
}

static bool read_message(struct sf_message *message, const struct sf_json *json,
                         struct sf_error *err)
{
    const struct sf_json *it, *blocks;
    size_t role = 0;

    if (sf_json_type(json) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_ARG, "a message must be an object");
    it = sf_json_first(json);
    if (!take_name(&it, "role", roles, &role, err))
        return false;
    message->role = (enum sf_role)role;
    blocks = take(&it, "blocks");
    if (!blocks || sf_json_type(blocks) != SF_JSON_ARRAY)
        return missing("blocks", err);
    if (it)
        return sf_fail(err, SF_E_ARG, "a message has an unknown member");
    for (it = sf_json_first(blocks); it; it = sf_json_next(it))
        if (!read_block(message, it, err))
            return false;
    return true;
}

bool sf_message_from_json(struct sf_message *message, const struct sf_json *json,
                          struct sf_error *err)
{
    *message = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_USER);
    if (read_message(message, json, err))
        return true;
    sf_error_prefix(err, "reading a message: ");
    sf_message_release(message);
    return false;
}
