/*
 * request.c: picks the encoder, and keeps what one service said fit for another. Services have
 * alphabets for ids and names and refuse the whole conversation over one stray character, for
 * ever after; so misfits are replaced here, each by a name made from its place in the history.
 */
#include "wire/request.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "wire/request_build.h"

enum { NAME_LENGTH = 64 };

static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

static const struct dialect {
    const char *path;
    void (*write)(struct sf_request_writer *rw);
    size_t id_length;
    bool id_words; /* letters, digits, _ and - alone; others take what can be printed */
} dialects[] = {
    [SF_WIRE_ANTHROPIC] = { "/v1/messages", sf_request_anthropic, 64, true },
    [SF_WIRE_CHAT] = { "/chat/completions", sf_request_chat, 40, false },
    [SF_WIRE_RESPONSES] = { "/responses", sf_request_responses, 64, false },
};

const char sf_request_no_image[] = "[an image was here; this model takes none]";

const char *sf_wire_path(enum sf_wire_format format)
{
    return dialects[format].path;
}

void sf_wire_request_add(const struct sf_wire_request *request, struct sf_strbuf *out)
{
    struct sf_json_writer w;
    struct sf_request_writer rw = { .request = request, .w = &w };

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "model", request->model);
    dialects[request->format].write(&rw);
    sf_jw_object_end(&w);
    assert(sf_jw_done(&w));
    free(rw.ids);
    sf_map_release(&rw.seen);
    sf_arena_release(&rw.arena);
}

static bool is_printable(const char *text)
{
    while (*text > ' ' && *text < 0x7f)
        text++;
    return !*text;
}

static bool id_fits(const struct sf_request_writer *rw, const char *id)
{
    const struct dialect *dialect = &dialects[rw->request->format];

    return *id && strlen(id) <= dialect->id_length &&
           (dialect->id_words ? !id[strspn(id, word)] : is_printable(id));
}

static const char *make_id(struct sf_request_writer *rw, const char *id)
{
    struct sf_strbuf made = SF_STRBUF_INIT;
    bool fresh = id_fits(rw, id) && sf_map_add(&rw->seen, id, strlen(id), rw);

    for (size_t n = 0; !fresh; n++) {
        sf_strbuf_reset(&made);
        sf_strbuf_addf(&made, "sf_%zu", rw->calls);
        if (n)
            sf_strbuf_addf(&made, "_%zu", n);
        id = sf_arena_strndup(&rw->arena, made.buf, made.len);
        fresh = sf_map_add(&rw->seen, id, made.len, rw);
    }
    sf_strbuf_release(&made);
    return id;
}

void sf_request_heard(struct sf_request_writer *rw, const struct sf_message *message)
{
    size_t n = 0;

    rw->said = message;
    for (size_t i = 0; i < message->count; i++) {
        if (message->blocks[i].kind != SF_BLOCK_CALL)
            continue;
        rw->calls++;
        rw->ids = sf_grow(rw->ids, &rw->ids_cap, n + 1, sizeof(*rw->ids));
        rw->ids[n++] = make_id(rw, message->blocks[i].id);
    }
}

const char *sf_request_id(struct sf_request_writer *rw, const struct sf_block *block)
{
    size_t n = 0;

    for (size_t i = 0; rw->said && i < rw->said->count; i++) {
        const struct sf_block *call = &rw->said->blocks[i];

        if (call->kind != SF_BLOCK_CALL)
            continue;
        if (!strcmp(call->id, block->id))
            return rw->ids[n];
        n++;
    }
    return block->id;
}

const char *sf_request_name(struct sf_request_writer *rw, const char *name)
{
    size_t len = strlen(name);
    char *fit;

    if (len && len <= NAME_LENGTH && !name[strspn(name, word)])
        return name;
    if (!len)
        return "unknown";
    fit = sf_arena_strndup(&rw->arena, name, len < NAME_LENGTH ? len : NAME_LENGTH);
    for (char *c = fit; *c; c++)
        if (!strchr(word, *c))
            *c = '_';
    return fit;
}

const char *sf_request_arguments(const struct sf_block *block)
{
    struct sf_error unused;
    struct sf_json *json = sf_json_parse(block->text, block->len, NULL, &unused);
    bool object = json && sf_json_type(json) == SF_JSON_OBJECT;

    sf_json_free(json);
    return object ? block->text : "{}";
}

const char *sf_request_outcome(const struct sf_block *block)
{
    const char *text = block->text ? block->text : "";

    return block->is_error && sf_request_blank(text) ? "it failed without a message" : text;
}

bool sf_request_blank(const char *text)
{
    return !text[strspn(text, " \t\r\n\f\v")];
}

bool sf_request_keeps(const struct sf_request_writer *rw, const struct sf_message *message,
                      size_t at)
{
    const struct sf_block *block = &message->blocks[at];

    if (block->format != rw->request->format || !block->raw)
        return false;
    while (++at < message->count) {
        const struct sf_block *later = &message->blocks[at];

        if (later->kind == SF_BLOCK_CALL ||
            (later->kind == SF_BLOCK_TEXT && !sf_request_blank(later->text)))
            return true;
    }
    return false;
}

/* Schemas reach this only if the services' strict mode takes them: sf_json_schema_is_closed. */
void sf_request_schema(struct sf_request_writer *rw)
{
    sf_jw_key_str(rw->w, "name", "answer");
    sf_jw_key(rw->w, "schema");
    sf_jw_raw(rw->w, rw->request->schema, strlen(rw->request->schema));
    sf_jw_key_bool(rw->w, "strict", true);
}

void sf_request_image_url(struct sf_request_writer *rw, const char *key,
                          const struct sf_block *block)
{
    struct sf_strbuf url = SF_STRBUF_INIT;

    sf_strbuf_addf(&url, "data:%s;base64,", block->media);
    sf_strbuf_adds(&url, block->data);
    sf_jw_key_str(rw->w, key, url.buf);
    sf_strbuf_release(&url);
}
