/*
 * shell.c: commands the user typed ("!make"). They pass all stages of a call, but belong to no
 * answer of the model: the result is an event of its own, which the model reads with the user's
 * next prompt.
 */
#include <inttypes.h>

#include "base/base.h"
#include "session/internal.h"

#define OPEN "<user_shell>"

enum {
    COMMAND_MAX = 2 * 1024, /* bytes of one command that the model reads */
    TOLD_MAX = 8 * 1024,    /* bytes of its output */
    NOTES_MAX = 32 * 1024,  /* bytes of all such notes */
};

static void note(struct sf_session *s, const char *command, int64_t code, const char *text,
                 size_t len)
{
    size_t from = len > TOLD_MAX ? len - TOLD_MAX : 0;
    size_t most = strnlen(command, COMMAND_MAX + 1);
    bool cut = most > COMMAND_MAX;

    most = cut ? sf_utf8_cut(command, COMMAND_MAX) : most;
    while (from < len && ((unsigned char)text[from] & 0xc0) == 0x80)
        from++;
    if (s->typed.shown.len > NOTES_MAX)
        sf_strbuf_reset(&s->typed.shown);
    sf_strbuf_addf(&s->typed.shown,
                   OPEN "\nThe user ran this command (exit %" PRId64 "):\n$ %.*s%s\n%s", code,
                   (int)most, command, cut ? "…" : "", from ? "[the beginning is left out]\n" : "");
    sf_strbuf_add(&s->typed.shown, text + from, len - from);
    sf_strbuf_adds(&s->typed.shown, "\n</user_shell>\n");
}

void sf_shell_recall(struct sf_session *s, const char *kind, const char *json, size_t len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *command, *text;
    struct sf_json *event;
    bool check;
    int64_t code;

    if (!strcmp(kind, SF_LOG_USER))
        sf_strbuf_reset(&s->typed.shown);
    if (strcmp(kind, SF_LOG_SHELL) != 0)
        return;
    event = sf_json_parse(json, len, NULL, &ignored);
    if (event && sf_json_get_str(event, "command", &command, &ignored) &&
        sf_json_get_str(event, "text", &text, &ignored) &&
        sf_json_opt_bool(event, "check", false, &check, &ignored) && !check &&
        sf_json_opt_int(event, "exit", -1, &code, &ignored))
        note(s, command, code, text, strlen(text));
    sf_json_free(event);
}

static bool save(struct sf_session *s, const struct sf_call *c, const struct sf_tool_result *result,
                 struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;
    bool ok;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "id", c->id);
    if (s->unit.check)
        sf_jw_key_bool(&jw, "check", true);
    if (c->judged.decision)
        sf_jw_key_int(&jw, "decision", c->judged.decision);
    sf_jw_key_str(&jw, "command", c->what ? c->what : "");
    sf_jw_key_int(&jw, "exit", result->exit_code);
    sf_jw_key_bool(&jw, "error", result->is_error);
    if (result->summary)
        sf_jw_key_str(&jw, "summary", result->summary);
    if (c->took_ms >= 0)
        sf_jw_key_int(&jw, "took_ms", c->took_ms);
    sf_jw_key(&jw, "text");
    sf_jw_strn(&jw, result->text.buf, result->text.len);
    sf_side_state_write(s, &jw);
    sf_jw_object_end(&jw);
    ok = sf_session_append(s, SF_LOG_SHELL, &json, err);
    sf_strbuf_release(&json);
    return ok;
}

/* The result is logged before the surface gets it. */
void sf_shell_ended(struct sf_call *c, const struct sf_tool_result *result)
{
    struct sf_session *s = c->session;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_call call = sf_call_event(c);
    struct sf_event event = { .kind = SF_EVENT_RESULT,
                              .call = &call,
                              .result = { .tool = result,
                                          .refused = sf_call_is_refused(c, result),
                                          .took_ms = c->took_ms } };
    struct sf_check_outcome outcome = { .exit_code = result->exit_code,
                                        .refused = event.result.refused };
    struct sf_strbuf text = SF_STRBUF_INIT; /* outlives the call */

    if (c->counted)
        sf_session_count_tool(s, SF_MACHINE_TOOL_ENDED);
    if (s->unit.check)
        sf_strbuf_add(&text, result->text.buf, result->text.len);
    if (!s->dead && !strcmp(c->name, "Bash") && !save(s, c, result, &err))
        sf_session_die(s, &err);
    if (s->custom)
        sf_custom_ended(s, c, result);
    else if (!s->unit.check)
        note(s, call.what, result->exit_code, result->text.buf, result->text.len);
    sf_session_tell(s, &event);
    sf_call_release(c);
    if (!sf_session_busy(s))
        sf_snapshots_end(s->snapshots);
    outcome.text = text.buf;
    outcome.len = text.len;
    if (s->unit.check)
        sf_unit_checked(s, &outcome);
    sf_strbuf_release(&text);
}

bool sf_session_shell_runs(const struct sf_session *s)
{
    return s->custom || sf_review_collects(s) || s->calls[SF_CALL_USER].state != SF_CALL_FREE;
}

void sf_shell_begin(struct sf_session *s, const char *tool, const char *arg, const char *value)
{
    struct sf_strbuf args = SF_STRBUF_INIT;
    struct sf_json_writer jw;
    char id[48];
    struct sf_block block = { .kind = SF_BLOCK_CALL, .id = id, .name = sf_strdup(tool) };

    sf_jw_init(&jw, &args);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, arg, value);
    sf_jw_object_end(&jw);
    snprintf(id, sizeof(id), "%s%" PRId64, s->unit.check ? SF_CHECK_CALL : SF_USER_CALL,
             ++s->typed.count);
    block.text = args.buf;
    block.len = args.len;
    if (!sf_session_busy(s))
        sf_snapshots_turn(s->snapshots, value);
    sf_call_begin(s, SF_CALL_USER, &block);
    free(block.name);
    sf_strbuf_release(&args);
}

bool sf_session_shell(struct sf_session *s, const char *command, struct sf_error *err)
{
    if (!sf_session_can(s, err))
        return false;
    if (sf_session_shell_runs(s)) {
        sf_fail(err, SF_E_BUSY, "a command of yours is running already");
        return sf_hint(err, "Esc stops it");
    }
    if (s->restore)
        return sf_restore_hold_shell(s, command, err);
    if (!sf_load_all(s, err))
        return false;
    sf_shell_begin(s, "Bash", "command", command);
    return true;
}
