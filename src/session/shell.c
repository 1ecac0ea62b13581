/*
 * shell.c: commands the user typed ("!make"). They go the way every call goes, but belong to no
 * answer of the model: what came of one is an event of its own, and the model reads it with the
 * user's next words.
 */
#include <inttypes.h>

#include "base/base.h"
#include "session/internal.h"

#define KIND "shell"
#define OPEN "<user_shell>"

enum {
    COMMAND_MAX = 2 * 1024, /* bytes of one command the model reads, … */
    TOLD_MAX = 8 * 1024,    /* … of its output */
    NOTES_MAX = 32 * 1024,  /* of all of them */
};

static void note(struct sf_talk *t, const char *command, int64_t code, const char *text, size_t len)
{
    size_t from = len > TOLD_MAX ? len - TOLD_MAX : 0;
    size_t most = strnlen(command, COMMAND_MAX + 1);
    bool cut = most > COMMAND_MAX;

    most = cut ? sf_utf8_cut(command, COMMAND_MAX) : most;
    while (from < len && ((unsigned char)text[from] & 0xc0) == 0x80)
        from++;
    if (t->shown.len > NOTES_MAX)
        sf_strbuf_reset(&t->shown);
    sf_strbuf_addf(&t->shown, OPEN "\nThe user ran this command (exit %" PRId64 "):\n$ %.*s%s\n%s",
                   code, (int)most, command, cut ? "…" : "",
                   from ? "[the beginning is left out]\n" : "");
    sf_strbuf_add(&t->shown, text + from, len - from);
    sf_strbuf_adds(&t->shown, "\n</user_shell>\n");
}

void sf_shell_recall(struct sf_talk *t, const char *kind, const char *json, size_t len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *command, *text;
    struct sf_json *event;
    int64_t code;

    if (!strcmp(kind, SF_LOG_USER))
        sf_strbuf_reset(&t->shown);
    if (strcmp(kind, KIND) != 0)
        return;
    event = sf_json_parse(json, len, NULL, &ignored);
    if (event && sf_json_get_str(event, "command", &command, &ignored) &&
        sf_json_get_str(event, "text", &text, &ignored) &&
        sf_json_opt_int(event, "exit", -1, &code, &ignored))
        note(t, command, code, text, strlen(text));
    sf_json_free(event);
}

static bool save(struct sf_talk *t, const struct sf_work *w, const struct sf_tool_result *result,
                 struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;
    bool ok;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "id", w->id);
    sf_jw_key_str(&jw, "command", w->call ? sf_call_what(w->call) : "");
    sf_jw_key_int(&jw, "exit", result->exit_code);
    sf_jw_key_bool(&jw, "error", result->is_error);
    if (result->summary)
        sf_jw_key_str(&jw, "summary", result->summary);
    if (w->took_ms >= 0)
        sf_jw_key_int(&jw, "took_ms", w->took_ms);
    sf_jw_key(&jw, "text");
    sf_jw_strn(&jw, result->text.buf, result->text.len);
    sf_keepsake_write(t, &jw);
    sf_jw_object_end(&jw);
    ok = sf_talk_append(t, KIND, &json, err);
    sf_strbuf_release(&json);
    return ok;
}

/* Written down first, then told, like everything. */
void sf_shell_ended(struct sf_work *w, const struct sf_tool_result *result)
{
    struct sf_talk *t = w->talk;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_told_call call = { .id = w->id,
                                 .name = w->name,
                                 .args = w->args,
                                 .len = w->len,
                                 .what = w->call ? sf_call_what(w->call) : "" };
    struct sf_told told = { .kind = SF_TOLD_RESULT,
                            .call = &call,
                            .result = result,
                            .took_ms = w->took_ms,
                            .judged = w->has_judged ? &w->judged : NULL };

    if (w->counted)
        sf_talk_notify(t, SF_EVENT_TOOL_ENDED);
    if (!t->dead && !strcmp(w->name, "Bash") && !save(t, w, result, &err))
        sf_talk_die(t, &err);
    if (t->custom)
        sf_custom_ended(t, w, result);
    else
        note(t, call.what, result->exit_code, result->text.buf, result->text.len);
    sf_talk_tell(t, &told);
    sf_work_release(w);
    if (!sf_talk_busy(t))
        sf_keep_end(t->keep);
}

bool sf_talk_shell_runs(const struct sf_talk *t)
{
    return t->custom || t->works[SF_WORK_USER].state != SF_WORK_FREE;
}

void sf_shell_begin(struct sf_talk *t, const char *tool, const char *arg, const char *value)
{
    struct sf_strbuf args = SF_STRBUF_INIT;
    struct sf_json_writer jw;
    char id[48];
    struct sf_block block = { .kind = SF_BLOCK_CALL, .id = id, .name = sf_strdup(tool) };

    sf_jw_init(&jw, &args);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, arg, value);
    sf_jw_object_end(&jw);
    snprintf(id, sizeof(id), SF_USER_CALL "%" PRId64, ++t->shell_count);
    block.text = args.buf;
    block.len = args.len;
    if (!sf_talk_busy(t))
        sf_keep_turn(t->keep, value);
    sf_work_begin(t, SF_WORK_USER, &block);
    free(block.name);
    sf_strbuf_release(&args);
}

bool sf_talk_shell(struct sf_talk *t, const char *command, struct sf_error *err)
{
    if (!sf_talk_can(t, err))
        return false;
    if (sf_talk_shell_runs(t)) {
        sf_fail(err, SF_E_BUSY, "a command of yours is running already");
        return sf_hint(err, "Esc stops it");
    }
    if (!sf_load_all(t, err))
        return false;
    sf_shell_begin(t, "Bash", "command", command);
    return true;
}
