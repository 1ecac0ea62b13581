/*
 * replay.c: from lines to events. A row for each kind of line; what a row's reader refuses ends
 * the answer with an error that names the line.
 */
#include "model/replay.h"

#include <stdarg.h>

#include "base/base.h"
#include "wire/wire.h"

struct sf_replay {
    char *file;
    struct sf_strbuf text;
    bool loaded;
    size_t at; /* where the next line begins */
    unsigned line;
    size_t answers;  /* given so far */
    char wrong[512]; /* why no further answer is given; "": nothing was wrong so far */
};

/* One answer while it is read. */
struct reader {
    struct sf_replay *replay;
    struct sf_tape *tape;
    const char *request;   /* the line about the request to be answered, or NULL */
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

/* Arguments as they are written into the block: an object, or a text that is none. */
static bool read_arguments(const struct sf_json *call, struct sf_strbuf *out, struct sf_error *err)
{
    const struct sf_json *given;
    struct sf_json_writer w;
    const char *text;

    if (sf_json_get(call, "arguments_text")) {
        if (!sf_json_get_str(call, "arguments_text", &text, err))
            return false;
        sf_strbuf_adds(out, text);
        return true;
    }
    if (!sf_json_get_object(call, "arguments", &given, err))
        return false;
    sf_jw_init(&w, out);
    sf_jw_json(&w, given);
    return true;
}

static bool read_call(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    struct sf_message message = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);
    struct sf_strbuf arguments = SF_STRBUF_INIT;
    const char *name, *id;
    char made[32];

    if (sf_json_type(value) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_SYNTAX, "\"call\" must be an object");
    snprintf(made, sizeof(made), "replay-%u", r->replay->line);
    if (!sf_json_get_str(value, "name", &name, err) ||
        !sf_json_opt_str(value, "id", made, &id, err) || !read_arguments(value, &arguments, err)) {
        sf_strbuf_release(&arguments);
        return false;
    }
    close_block(r);
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

/* ---- the recording itself ---- */

static bool read_head(const struct sf_json *value, struct sf_replay_head *head,
                      struct sf_error *err)
{
    int64_t version;

    if (sf_json_type(value) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_SYNTAX, "\"replay\" must be an object");
    if (!sf_json_get_int(value, "version", &version, err) ||
        !sf_json_opt_str(value, "provider", NULL, &head->provider, err) ||
        !sf_json_opt_str(value, "model", NULL, &head->model, err) ||
        !sf_json_opt_bool(value, "local", true, &head->local, err))
        return false;
    return version == SF_REPLAY_VERSION ||
           sf_fail(err, SF_E_SYNTAX, "the recording has version %lld, and sf plays version %d",
                   (long long)version, SF_REPLAY_VERSION);
}

static bool check_head(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    struct sf_replay_head head = { NULL, NULL, true };

    (void)r;
    return read_head(value, &head, err);
}

static bool depart(const struct reader *r, struct sf_error *err, const char *what)
{
    return sf_fail(err, SF_E_ARG, "the replay departs from the recording at step %zu: %s",
                   r->replay->answers + 1, what);
}

static const char *text_of(const struct sf_json *json, const char *key)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text = "";

    return json && sf_json_get(json, key) && sf_json_get_str(json, key, &text, &ignored) ? text
                                                                                         : "";
}

static bool compare_results(const struct reader *r, const struct sf_json *was,
                            const struct sf_json *is, struct sf_error *err)
{
    const struct sf_json *a = was ? sf_json_first(was) : NULL, *b = is ? sf_json_first(is) : NULL;
    char what[224];

    for (; a || b; a = sf_json_next(a), b = sf_json_next(b)) {
        if (!a || !b || strcmp(text_of(a, "call"), text_of(b, "call")) != 0) {
            snprintf(what, sizeof(what), "%.160s was not called", text_of(a ? a : b, "call"));
            return depart(r, err, a ? what : "more was called than is recorded");
        }
        if (strcmp(text_of(a, "sha256"), text_of(b, "sha256")) != 0) {
            snprintf(what, sizeof(what), "%.160s gave another result", text_of(a, "call"));
            return depart(r, err, what);
        }
    }
    return true;
}

/* A steer that came late or never changes what the model would have said. */
static bool compare_steers(const struct reader *r, const struct sf_json *was,
                           const struct sf_json *is, struct sf_error *err)
{
    const struct sf_json *a = was ? sf_json_first(was) : NULL, *b = is ? sf_json_first(is) : NULL;
    struct sf_error ignored = SF_ERROR_INIT;
    char what[224];

    for (; a || b; a = sf_json_next(a), b = sf_json_next(b)) {
        const char *said = "", *says = "";

        if ((a && !sf_json_as_str(a, "steers", &said, &ignored)) ||
            (b && !sf_json_as_str(b, "steers", &says, &ignored)) || !a || !b ||
            strcmp(said, says) != 0) {
            snprintf(what, sizeof(what), "here the user steered: %.120s", said);
            return depart(r, err, a ? what : "here the user did not steer");
        }
    }
    return true;
}

static bool compare(const struct reader *r, const struct sf_json *was, const struct sf_json *is,
                    struct sf_error *err)
{
    if (!sf_json_get(was, "prompt") != !sf_json_get(is, "prompt"))
        return depart(r, err,
                      sf_json_get(was, "prompt") ? "here the user said something"
                                                 : "here results of calls were sent");
    if (strcmp(text_of(was, "prompt"), text_of(is, "prompt")) != 0)
        return depart(r, err, "the prompt is another one");
    return compare_results(r, sf_json_get(was, "results"), sf_json_get(is, "results"), err) &&
           compare_steers(r, sf_json_get(was, "steers"), sf_json_get(is, "steers"), err);
}

/* What sf sends now is held against what it had sent. */
static bool read_request(struct reader *r, const struct sf_json *value, struct sf_error *err)
{
    struct sf_json *now;
    bool ok;

    if (sf_json_type(value) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_SYNTAX, "\"request\" must be an object");
    if (!r->request)
        return true;
    now = sf_json_parse(r->request, strlen(r->request), NULL, err);
    ok = now && compare(r, value, sf_json_get(now, "request"), err);
    sf_json_free(now);
    return ok;
}

static const struct {
    const char *name;
    bool (*read)(struct reader *r, const struct sf_json *value, struct sf_error *err);
} kinds[] = {
    { "text", read_text },   { "reasoning", read_reasoning }, { "call", read_call },
    { "usage", read_usage }, { "wait_ms", read_wait },        { "end", read_end },
    { "error", read_error }, { "replay", check_head },        { "request", read_request },
};

static bool read_line(struct reader *r, const char *line, size_t len, struct sf_error *err)
{
    struct sf_json *json = sf_json_parse(line, len, NULL, err);
    const struct sf_json *member = json ? sf_json_first(json) : NULL;
    bool ok = false, known = false;

    if (!json && line + len == r->replay->text.buf + r->replay->text.len)
        return sf_fail(err, SF_E_SYNTAX, "the recording is cut in the middle of this line");
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

static bool load(struct sf_replay *replay, struct sf_error *err)
{
    replay->loaded =
        replay->loaded || sf_file_read(replay->file, SF_REPLAY_MAX, &replay->text, err);
    return replay->loaded;
}

/* Once an answer did not fit, none that follows does: the same is said again. */
static void SF_PRINTF(2, 3) fail(struct sf_replay *replay, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(replay->wrong, sizeof(replay->wrong), format, args);
    va_end(args);
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
            fail(replay, "%s:%u: %s", replay->file, replay->line, err.msg);
            return;
        }
    }
    if (!r->over && any)
        fail(replay, "%s:%u: the recording is cut: the last answer has no end", replay->file,
             replay->line);
    else if (!r->over)
        fail(replay, "%s holds %zu answers, and no further one", replay->file, replay->answers);
    else
        replay->answers++;
}

void sf_replay_next(struct sf_replay *replay, const char *request, struct sf_tape *tape)
{
    struct reader r = {
        .replay = replay, .tape = tape, .request = request, .open = SF_STRBUF_INIT
    };
    struct sf_error err = SF_ERROR_INIT;

    sf_tape_record(
        tape, &(struct sf_stream_event){ .kind = SF_STREAM_BEGIN, .text = "replay", .len = 6 });
    if (!load(replay, &err))
        fail(replay, "%s", err.msg);
    else if (!*replay->wrong)
        read_answer(&r);
    if (*replay->wrong)
        sf_tape_record_error(tape, SF_FAULT_REPLAY, "%s", replay->wrong);
    sf_strbuf_release(&r.open);
}

static void fill_in(struct sf_provider *provider, const struct sf_replay_head *head)
{
    provider->local = head->local;
    provider->plays = head->provider ? sf_strdup(head->provider) : NULL;
    for (size_t i = 0; head->model && i < SF_COUNT(provider->tiers); i++)
        provider->tiers[i] = sf_strdup(head->model);
}

static bool is_known(const struct sf_json *line)
{
    const struct sf_json *member = sf_json_type(line) == SF_JSON_OBJECT && sf_json_count(line) == 1
                                       ? sf_json_first(line)
                                       : NULL;
    bool known = false;

    for (size_t i = 0; i < SF_COUNT(kinds) && member && !known; i++)
        known = !strcmp(kinds[i].name, sf_json_key(member));
    return known;
}

/* The first line tells a recording from any other file. */
static bool look_at(const struct sf_replay *replay, const struct sf_json *line,
                    struct sf_provider *provider, struct sf_error *err)
{
    struct sf_replay_head head = { NULL, NULL, true };
    const struct sf_json *about;

    if (!line || !is_known(line)) {
        sf_fail(err, SF_E_ARG, "%s is no recording", replay->file);
        return sf_hint(err, "`--record FILE` makes one, `sf sessions export --format replay` too");
    }
    about = sf_json_get(line, "replay");
    if (about && !read_head(about, &head, err)) {
        sf_error_prefix(err, "%s:%u: ", replay->file, replay->line);
        return false;
    }
    if (about)
        fill_in(provider, &head);
    return true;
}

bool sf_replay_look(struct sf_replay *replay, struct sf_provider *provider, struct sf_error *err)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = NULL;
    const char *line;
    size_t len;
    bool ok = load(replay, err);

    if (ok && next_line(replay, &line, &len))
        json = sf_json_parse(line, len, NULL, &ignored);
    ok = ok && look_at(replay, json, provider, err);
    if (!ok)
        err->code = SF_E_ARG; /* a file that cannot be played is a mistake of who named it */
    replay->at = 0;
    replay->line = 0;
    sf_json_free(json);
    return ok;
}
