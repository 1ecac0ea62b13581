/*
 * call.c: the life of a call, and functions that fill its result. All text for the model passes
 * through sf_tool_call_add_text, which removes escapes.
 */
#include "tools/call.h"

#include <stdarg.h>

#include "base/base.h"
#include "tools/safe.h"

enum { SUMMARY_COLUMNS = 160 };

static const char cut_note[] = "\n[cut here: a result holds no more]\n";

static struct sf_tool_call *new_call(const char *id, const struct sf_tool *tool)
{
    struct sf_tool_call *call = sf_alloc(sizeof(*call));

    call->tool = tool;
    call->act = tool->act;
    call->id = sf_strdup(id ? id : "");
    call->result.exit_code = -1;
    sf_strbuf_init(&call->result.text);
    sf_strbuf_init(&call->result.diff);
    atomic_init(&call->cancelled, false);
    return call;
}

const char *sf_tool_call_target_shown(const struct sf_tool_call_target *target)
{
    return target->shown ? target->shown : target->at ? target->at : target->path;
}

const char *sf_tool_call_shown(const struct sf_tool_call *call, const struct sf_place *place)
{
    for (size_t i = 0; i < call->target_count; i++)
        if (&call->targets[i].place == place)
            return sf_tool_call_target_shown(&call->targets[i]);
    return place->shown;
}

static void name_what(struct sf_tool_call *call)
{
    call->what = call->command        ? call->command
                 : call->url          ? call->url
                 : call->note         ? call->note
                 : call->target_count ? sf_tool_call_target_shown(&call->targets[0])
                                      : "";
}

struct sf_tool_call *sf_tool_call_new(const struct sf_tool *tool, const char *id, const char *args,
                                      size_t len, struct sf_error *err)
{
    struct sf_tool_call *call;

    if (!tool) {
        sf_fail(err, SF_E_NOENT, "there is no such tool");
        return NULL;
    }
    call = new_call(id, tool);
    call->args = sf_args_read(tool->args, tool->arg_count, args, len, err);
    if (!call->args || (tool->describe && !tool->describe(call, err))) {
        sf_error_prefix(err, "%s: ", tool->name);
        sf_tool_call_free(call);
        return NULL;
    }
    name_what(call);
    return call;
}

void sf_tool_call_stand(struct sf_tool_call *call, const char *root, const char *stand)
{
    for (size_t i = 0; i < call->target_count; i++) {
        struct sf_tool_call_target *t = &call->targets[i];

        free(t->at);
        t->at = sf_stand_resolve(root, stand, t->path);
    }
    name_what(call);
}

void sf_tool_call_show_target(struct sf_tool_call *call, size_t target, const char *path)
{
    free(call->targets[target].shown);
    call->targets[target].shown = sf_strdup(path);
    name_what(call);
}

static void release_result(struct sf_tool_result *result)
{
    sf_strbuf_release(&result->text);
    sf_strbuf_release(&result->diff);
    free(result->summary);
    free(result->media);
    free(result->data);
    for (size_t i = 0; i < result->seen_count; i++)
        free(result->seen[i].path);
    free(result->seen);
}

void sf_tool_call_free(struct sf_tool_call *call)
{
    if (!call)
        return;
    for (size_t i = 0; i < call->target_count; i++) {
        free(call->targets[i].path);
        free(call->targets[i].at);
        free(call->targets[i].shown);
        sf_place_release(&call->targets[i].place);
    }
    free(call->targets);
    release_result(&call->result);
    sf_json_free(call->args);
    free(call->id);
    free(call);
}

bool sf_tool_call_add_target(struct sf_tool_call *call, const char *path, enum sf_place_want want,
                             enum sf_act act, struct sf_error *err)
{
    if (!*path)
        return sf_fail(err, SF_E_ARG, "the path is empty");
    if (call->target_count == SF_TOOL_CALL_TARGETS_MAX) {
        sf_fail(err, SF_E_LIMIT, "more than %d files in one call", SF_TOOL_CALL_TARGETS_MAX);
        return sf_hint(err, "do it in several calls");
    }
    call->targets =
        sf_grow(call->targets, &call->target_cap, call->target_count + 1, sizeof(*call->targets));
    call->targets[call->target_count++] = (struct sf_tool_call_target){
        .path = sf_strdup(path), .want = want, .act = act, .place = SF_PLACE_INIT
    };
    return true;
}

static void begin_failure(struct sf_tool_call *call)
{
    call->result.is_error = true;
    sf_strbuf_reset(&call->result.text);
}

void sf_tool_call_fail(struct sf_tool_call *call, const struct sf_error *err)
{
    begin_failure(call);
    sf_tool_call_add_text(call, err->msg, strlen(err->msg));
    if (*err->hint) {
        sf_tool_call_add_text(call, "\n", 1);
        sf_tool_call_add_text(call, err->hint, strlen(err->hint));
    }
}

static void add_formatted(struct sf_tool_call *call, const char *format, va_list args)
    SF_PRINTF(2, 0);

static void add_formatted(struct sf_tool_call *call, const char *format, va_list args)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_vaddf(&sb, format, args);
    sf_tool_call_add_text(call, sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

void sf_tool_call_failf(struct sf_tool_call *call, const char *format, ...)
{
    va_list args;

    begin_failure(call);
    va_start(args, format);
    add_formatted(call, format, args);
    va_end(args);
}

void sf_tool_call_addf(struct sf_tool_call *call, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_formatted(call, format, args);
    va_end(args);
}

static bool is_cut(const struct sf_strbuf *out)
{
    size_t n = sizeof(cut_note) - 1;

    return out->len >= n && !memcmp(out->buf + out->len - n, cut_note, n);
}

void sf_tool_call_add_text(struct sf_tool_call *call, const char *text, size_t len)
{
    const size_t most = SF_TOOL_CALL_TEXT_MAX - sizeof(cut_note);
    struct sf_strbuf *out = &call->result.text;

    if (!len || is_cut(out))
        return;
    sf_safe_add(out, text, len < SF_TOOL_CALL_TEXT_MAX ? len : SF_TOOL_CALL_TEXT_MAX);
    if (out->len > most) {
        sf_strbuf_truncate(out, sf_utf8_cut(out->buf, most));
        sf_strbuf_adds(out, cut_note);
    }
}

void sf_tool_call_add_output(struct sf_tool_call *call, const struct sf_strbuf *text,
                             const char *if_none)
{
    if (!text->len)
        sf_tool_call_addf(call, "%s\n", if_none);
    sf_tool_call_add_text(call, text->buf, text->len);
    if (text->len && text->buf[text->len - 1] != '\n')
        sf_tool_call_add_text(call, "\n", 1);
}

void sf_tool_call_summary(struct sf_tool_call *call, const char *format, ...)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&sb, format, args);
    va_end(args);
    free(call->result.summary);
    call->result.summary = sf_safe_line(sb.buf, SUMMARY_COLUMNS);
    sf_strbuf_release(&sb);
}

struct sf_file_seen *sf_tool_call_add_seen(struct sf_tool_call *call, const char *path)
{
    struct sf_tool_result *r = &call->result;
    struct sf_file_seen *seen;

    r->seen = sf_grow(r->seen, &r->seen_cap, r->seen_count + 1, sizeof(*r->seen));
    seen = &r->seen[r->seen_count++];
    *seen = (struct sf_file_seen){ .path = sf_strdup(path) };
    return seen;
}
