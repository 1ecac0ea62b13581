/*
 * replay.c: from lines to events. A row for each kind of line; what a row's reader refuses ends
 * the answer with an error that names the line.
 */
#include "model/replay.h"

#include "base/base.h"

struct sf_replay {
    char *file;
    struct sf_strbuf text;
    bool loaded;
    size_t at; /* where the next line begins */
    unsigned line;
    size_t answers; /* given so far */
};

/* One answer while it is read. */
struct reader {
    struct sf_replay *replay;
    struct sf_tape *tape;
    struct sf_strbuf open; /* text of the block that still grows */
    enum sf_block_kind kind;
    bool has_open, over;
};

struct sf_replay *sf_replay_new(const char *file)
{
    struct sf_replay *replay = sf_alloc(sizeof(*replay));

    replay->file = sf_strdup(file);
    sf_strbuf_init(&replay->text);
    return replay;
}

void sf_replay_free(struct sf_replay *replay)
{
    if (!replay)
        return;
    free(replay->file);
    sf_strbuf_release(&replay->text);
    free(replay);
}

static void record_block(struct reader *r, struct sf_block *block)
{
    sf_tape_record(
        r->tape, &(struct sf_stream_event){ .kind = SF_STREAM_BLOCK, .text = "", .block = block });
}

static void close_block(struct reader *r)
{
    struct sf_block block = { .kind = r->kind, .text = r->open.buf, .len = r->open.len };

    if (r->has_open)
        record_block(r, &block);
    sf_strbuf_reset(&r->open);
    r->has_open = false;
}

static bool read_piece(struct reader *r, const struct sf_json *value, enum sf_block_kind kind,
                       struct sf_error *err)
{
    bool reasoning = kind == SF_BLOCK_REASONING;
    struct sf_stream_event event = { .kind = reasoning ? SF_STREAM_REASONING : SF_STREAM_TEXT };

    if (!sf_json_as_str(value, reasoning ? "reasoning" : "text", &event.text, err))
        return false;
    if (r->has_open && r->kind != kind)
        close_block(r);
    r->kind = kind;
    r->has_open = true;
    event.len = strlen(event.text);
    sf_strbuf_add(&r->open, event.text, event.len);
    sf_tape_record(r->tape, &event);
    return true;
}

static bool read_text(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    return read_piece(r, value, SF_BLOCK_TEXT, err);
}

static bool read_reasoning(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    return read_piece(r, value, SF_BLOCK_REASONING, err);
}

static bool read_call(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    struct sf_message message = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);
    struct sf_strbuf arguments = SF_STRBUF_INIT;
    const struct sf_json *given;
    struct sf_json_writer w;
    const char *name, *id;
    char made[32];

    if (sf_json_type(value) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_SYNTAX, "\"call\" must be an object");
    snprintf(made, sizeof(made), "replay-%u", r->replay->line);
    if (!sf_json_get_str(value, "name", &name, err) ||
        !sf_json_opt_str(value, "id", made, &id, err) ||
        !sf_json_get_object(value, "arguments", &given, err))
        return false;
    close_block(r);
    sf_jw_init(&w, &arguments);
    sf_jw_json(&w, given);
    sf_tape_record(r->tape, &(struct sf_stream_event){
                                .kind = SF_STREAM_CALL, .text = name, .len = strlen(name) });
    record_block(r, sf_message_add_call(&message, id, name, arguments.buf, arguments.len));
    sf_message_release(&message);
    sf_strbuf_release(&arguments);
    return true;
}

static bool read_usage(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    struct sf_stream_event event = { .kind = SF_STREAM_USAGE, .text = "" };
    struct sf_usage *usage = &event.usage;

    if (sf_json_type(value) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_SYNTAX, "\"usage\" must be an object");
    if (!sf_json_opt_int(value, "input", 0, &usage->input, err) ||
        !sf_json_opt_int(value, "output", 0, &usage->output, err) ||
        !sf_json_opt_int(value, "cache_read", 0, &usage->cache_read, err) ||
        !sf_json_opt_int(value, "cache_write", 0, &usage->cache_write, err) ||
        !sf_json_opt_int(value, "reasoning", 0, &usage->reasoning, err))
        return false;
    if (usage->input < 0 || usage->output < 0 || usage->cache_read < 0 || usage->cache_write < 0 ||
        usage->reasoning < 0)
        return sf_fail(err, SF_E_SYNTAX, "numbers of tokens must not be negative");
    sf_tape_record(r->tape, &event);
    return true;
}

static bool read_wait(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    int64_t ms;

    if (!sf_json_as_int(value, "wait_ms", &ms, err))
        return false;
    if (ms < 0 || ms > SF_REPLAY_WAIT_MAX)
        return sf_fail(err, SF_E_SYNTAX, "\"wait_ms\" must be from 0 to %d", SF_REPLAY_WAIT_MAX);
    sf_tape_record_wait(r->tape, ms);
    return true;
}

static bool read_end(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    const char *name;
    size_t stop = 0;

    if (!sf_json_as_str(value, "end", &name, err))
        return false;
    while (sf_stop_names[stop] && strcmp(sf_stop_names[stop], name) != 0)
        stop++;
    if (!sf_stop_names[stop])
        return sf_fail(err, SF_E_SYNTAX,
                       "\"end\" must be end, calls, length, context, refusal or pause");
    close_block(r);
    sf_tape_record(r->tape, &(struct sf_stream_event){
                                .kind = SF_STREAM_END, .text = "", .stop = (enum sf_stop)stop });
    r->over = true;
    return true;
}

static bool find_fault(const char *name, enum sf_fault *fault)
{
    for (int i = SF_FAULT_AUTH; i < SF_FAULT_CANCELLED; i++)
        if (!strcmp(sf_faults[i].name, name)) {
            *fault = (enum sf_fault)i;
            return true;
        }
    return false;
}

static bool read_error(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    struct sf_wire_error error;
    const char *fault, *message;
    int64_t status;

    memset(&error, 0, sizeof(error));
    if (sf_json_type(value) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_SYNTAX, "\"error\" must be an object");
    if (!sf_json_get_str(value, "fault", &fault, err) ||
        !sf_json_get_str(value, "message", &message, err) ||
        !sf_json_opt_int(value, "retry_after_ms", -1, &error.retry_after_ms, err) ||
        !sf_json_opt_int(value, "status", 0, &status, err))
        return false;
    if (!find_fault(fault, &error.fault))
        return sf_fail(err, SF_E_SYNTAX, "there is no fault called %s", fault);
    if (status < 0 || status > 999)
        return sf_fail(err, SF_E_SYNTAX, "\"status\" must be from 0 to 999");
    error.status = (int)status;
    snprintf(error.message, sizeof(error.message), "%s", message);
    sf_tape_record(
        r->tape, &(struct sf_stream_event){ .kind = SF_STREAM_ERROR, .text = "", .error = &error });
    r->over = true;
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct reader *r, const struct sf_json *value, struct sf_error *err);
} kinds[] = {
    { "text", read_text },   { "reasoning", read_reasoning }, { "call", read_call },
    { "usage", read_usage }, { "wait_ms", read_wait },        { "end", read_end },
    { "error", read_error },
};

static bool read_line(struct reader *r, const char *line, size_t len, struct sf_error *err)
{
    struct sf_json *json = sf_json_parse(line, len, NULL, err);
    const struct sf_json *member = json ? sf_json_first(json) : NULL;
    bool ok = false, known = false;

    if (!json)
        return false;
    if (sf_json_type(json) != SF_JSON_OBJECT || sf_json_count(json) != 1) {
        sf_fail(err, SF_E_SYNTAX, "a line must be an object with one member");
        goto out;
    }
    for (size_t i = 0; i < SF_COUNT(kinds) && !known; i++)
        if (!strcmp(kinds[i].name, sf_json_key(member))) {
            known = true;
            ok = kinds[i].read(r, member, err);
        }
    if (!known)
        sf_fail(err, SF_E_SYNTAX, "there is no line of the kind \"%s\"", sf_json_key(member));
out:
    sf_json_free(json);
    return ok;
}

/* The next line that says something; false at the end of the file. */
static bool next_line(struct sf_replay *replay, const char **line, size_t *len)
{
    while (replay->at < replay->text.len) {
        const char *start = replay->text.buf + replay->at;
        const char *end = memchr(start, '\n', replay->text.len - replay->at);

        *line = start;
        *len = end ? (size_t)(end - start) : replay->text.len - replay->at;
        replay->at += *len + (end != NULL);
        replay->line++;
        if (*len && *start != '#' && strspn(start, " \t\r") < *len)
            return true;
    }
    return false;
}

static bool load(struct sf_replay *replay, struct sf_tape *tape)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!replay->loaded && !sf_file_read(replay->file, SF_REPLAY_MAX, &replay->text, &err)) {
        sf_tape_record_error(tape, SF_FAULT_REQUEST, "%s", err.msg);
        return false;
    }
    replay->loaded = true;
    return true;
}

static void read_answer(struct reader *r)
{
    struct sf_replay *replay = r->replay;
    struct sf_error err = SF_ERROR_INIT;
    const char *line;
    size_t len;
    bool any = false;

    while (!r->over && next_line(replay, &line, &len)) {
        any = true;
        if (!read_line(r, line, len, &err)) {
            sf_tape_record_error(r->tape, SF_FAULT_REQUEST, "%s:%u: %s", replay->file, replay->line,
                                 err.msg);
            return;
        }
    }
    if (!r->over && any)
        sf_tape_record_error(r->tape, SF_FAULT_REQUEST, "%s:%u: the last answer has no end",
                             replay->file, replay->line);
    else if (!r->over)
        sf_tape_record_error(r->tape, SF_FAULT_REQUEST, "%s holds %zu answers, and no further one",
                             replay->file, replay->answers);
    else
        replay->answers++;
}

void sf_replay_next(struct sf_replay *replay, struct sf_tape *tape)
{
    struct reader r = { .replay = replay, .tape = tape, .open = SF_STRBUF_INIT };

    sf_tape_record(
        tape, &(struct sf_stream_event){ .kind = SF_STREAM_BEGIN, .text = "replay", .len = 6 });
    if (load(replay, tape))
        read_answer(&r);
    sf_strbuf_release(&r.open);
}
