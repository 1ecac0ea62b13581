/*
 * call_record.c: the end of a call. The result is logged together with its details, and only then
 * sent to the surface; until then the call keeps its slot.
 */
#include "base/base.h"
#include "session/internal.h"

void sf_call_release(struct sf_call *c)
{
    struct sf_session *s = c->session;

    if (c->has_judged)
        sf_judged_release(&c->judged);
    sf_tool_call_free(c->tool_call);
    if (c->job)
        sf_snapshots_leave(c);
    if (c->audit)
        sf_scope_audit_free(c->audit);
    sf_call_leave_care(c);
    sf_write_record_drop(c->record);
    if (c->restore)
        sf_restore_job_free(c->restore);
    sf_losses_release(&c->card.losses);
    sf_strlist_release(&c->card.deletion.paths);
    free(c->card.deletion.lacks);
    if (c->answered) {
        sf_strbuf_release(&c->own.text);
        sf_strbuf_release(&c->own.diff);
    }
    free(c->card.about);
    free(c->card.preview);
    free(c->card.planned);
    free(c->amended);
    free(c->plan.text);
    free(c->id);
    free(c->name);
    free(c->args);
    *c = (struct sf_call){ .session = s };
}

bool sf_call_is_refused(const struct sf_call *c, const struct sf_tool_result *result)
{
    return result->is_error && c->has_judged && c->judged.verdict.answer == SF_DENY;
}

/* The answer of sf itself, or the result of the tool. */
static struct sf_tool_result *result_of(struct sf_call *c)
{
    return c->answered ? &c->own : &c->tool_call->result;
}

/* ---- beside the result ---- */

static void write_seen(struct sf_json_writer *w, const struct sf_file_seen *seen)
{
    char hex[2 * sizeof(seen->digest) + 1];

    for (size_t i = 0; i < sizeof(seen->digest); i++)
        snprintf(hex + 2 * i, 3, "%02x", seen->digest[i]);
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "path", seen->path);
    sf_jw_key_int(w, "size", seen->size);
    sf_jw_key_int(w, "mtime_ns", seen->mtime_ns);
    sf_jw_key_str(w, "sha256", hex);
    sf_jw_key_bool(w, "whole", seen->whole);
    if (seen->first > 0) {
        sf_jw_key_int(w, "first", seen->first);
        sf_jw_key_int(w, "last", seen->last);
        sf_jw_key_int(w, "limit", seen->limit);
    }
    if (seen->again)
        sf_jw_key_bool(w, "again", true);
    if (seen->wrote) /* by this the end of a turn that was cut off is found */
        sf_jw_key_bool(w, "wrote", true);
    sf_jw_object_end(w);
}

/* The details beside the result in the log: for people and for resuming, not for the model. */
static void write_detail(const struct sf_call *call, const struct sf_tool_result *r,
                         struct sf_strbuf *out)
{
    enum { DIFF_MAX = 64 * 1024 };
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    if (call->judged.decision)
        sf_jw_key_int(&w, "decision", call->judged.decision);
    if (r->summary)
        sf_jw_key_str(&w, "summary", r->summary);
    if (call->amended)
        sf_jw_key_str(&w, "amended", call->what);
    if (sf_call_is_refused(call, r))
        sf_jw_key_bool(&w, "refused", true);
    if (r->exit_code >= 0)
        sf_jw_key_int(&w, "exit", r->exit_code);
    if (call->took_ms >= 0)
        sf_jw_key_int(&w, "took_ms", call->took_ms);
    if (r->diff.len) {
        sf_jw_key(&w, "diff");
        sf_jw_strn(&w, r->diff.buf, r->diff.len < DIFF_MAX ? r->diff.len : DIFF_MAX);
    }
    if (r->seen_count) {
        sf_jw_key(&w, "seen");
        sf_jw_array_begin(&w);
        for (size_t i = 0; i < r->seen_count; i++)
            write_seen(&w, &r->seen[i]);
        sf_jw_array_end(&w);
    }
    sf_side_state_write(call->session, &w);
    sf_jw_object_end(&w);
}

/* ---- recording ---- */

static void fill_block(struct sf_block *block, const struct sf_tool_result *r)
{
    *block = (struct sf_block){ .kind = SF_BLOCK_RESULT,
                                .text = sf_strndup(r->text.buf, r->text.len),
                                .len = r->text.len,
                                .is_error = r->is_error };
    if (r->media && r->data) {
        block->media = sf_strdup(r->media);
        block->data = sf_strdup(r->data);
    }
}

/* The agent has the result saved first; then sf_call_saved sends it to the surface. */
static void answer_model(struct sf_call *c)
{
    struct sf_session *s = c->session;
    struct sf_tool_result *result = result_of(c);
    struct sf_strbuf detail = SF_STRBUF_INIT;
    struct sf_block block;
    struct sf_input in = { .kind = SF_IN_RESULT, .call = c->index, .result = &block };

    if (s->refusal.stands)
        sf_refusal_outdo(c, result);
    if (c->amended && !c->answered)
        sf_amend_note(c, result);
    if (s->review.has_diff)
        sf_review_saw(c, result);
    fill_block(&block, result);
    write_detail(c, result, &detail);
    in.detail = detail.buf;
    if (c->counted)
        sf_session_count_tool(s, SF_MACHINE_TOOL_ENDED);
    sf_session_feed(s, &in);
    sf_block_release(&block);
    sf_strbuf_release(&detail);
}

void sf_call_record(struct sf_call *c)
{
    c->took_ms = c->started_ms ? sf_clock_monotonic_ms() - c->started_ms : -1;
    c->state = SF_CALL_OVER;
    if (c->index == SF_CALL_USER)
        sf_shell_ended(c, result_of(c));
    else
        answer_model(c);
}

/* ---- sending ---- */

/* The agent answered the call itself, without starting it; a result needs its call all the same. */
static void tell_unseen(struct sf_session *s, const struct sf_effect *e)
{
    struct sf_tool_result plain = { .is_error = e->is_error, .text = e->text, .exit_code = -1 };
    struct sf_event_call call = { .id = e->block->id,
                                  .name = e->block->name,
                                  .args = e->block->text,
                                  .len = e->block->len,
                                  .what = "" };
    struct sf_event event = { .kind = SF_EVENT_CALL, .call = &call };

    sf_strbuf_init(&plain.diff);
    sf_session_tell(s, &event);
    event = (struct sf_event){ .kind = SF_EVENT_RESULT,
                               .call = &call,
                               .result = { .tool = &plain, .took_ms = -1 } };
    sf_session_tell(s, &event);
}

void sf_call_saved(struct sf_session *s, const struct sf_effect *e)
{
    struct sf_call *c = e->call < SF_CALL_USER ? &s->calls[e->call] : NULL;
    struct sf_event event = { .kind = SF_EVENT_RESULT };
    struct sf_event_call call;

    if (!c || c->state != SF_CALL_OVER || strcmp(c->id, e->block->id) != 0) {
        tell_unseen(s, e);
        return;
    }
    call = sf_call_event(c);
    event.call = &call;
    event.result = (struct sf_event_result){ .tool = result_of(c),
                                             .refused = sf_call_is_refused(c, result_of(c)),
                                             .took_ms = c->took_ms };
    sf_session_tell(s, &event);
    sf_call_release(c);
}

void sf_call_drop(struct sf_session *s)
{
    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        sf_call_release(&s->calls[i]);
}
