/*
 * state.c: what a surface may see of the session, and its answers to the session's questions. A
 * surface has no pointer to the session, so that it cannot bypass the port.
 */
#include "port/internal.h"

const char *sf_port_session(const struct sf_port *p)
{
    return sf_session_id(p->session);
}

const struct sf_mode_state *sf_port_state(const struct sf_port *p)
{
    return sf_session_state(p->session);
}

struct sf_mode_state sf_port_preview(const struct sf_port *p)
{
    return sf_session_preview(p->session);
}

const char *sf_port_approval(const struct sf_port *p)
{
    return sf_approval_mode_unusual(sf_session_approval_mode(p->session));
}

const char *sf_port_approval_mode(const struct sf_port *p)
{
    return sf_approval_mode_names[sf_session_approval_mode(p->session)];
}

const struct sf_scope_set *sf_port_scopes(const struct sf_port *p)
{
    return &p->setup.session.policy->scopes;
}

const char *sf_port_model(const struct sf_port *p)
{
    return p->session ? sf_session_model(p->session) : "";
}

const char *sf_port_provider(const struct sf_port *p)
{
    return p->setup.session.provider->name;
}

const char *sf_port_provider_title(const struct sf_port *p)
{
    const struct sf_provider_row *row =
        sf_catalog_provider(p->setup.session.catalog, sf_port_provider(p));

    return row ? row->title : sf_port_provider(p);
}

bool sf_port_is_offline(const struct sf_port *p)
{
    return p->setup.session.provider->kind == SF_PROVIDER_OFFLINE;
}

bool sf_port_is_trusted(const struct sf_port *p)
{
    return p->setup.session.workspace_trusted;
}

const char *sf_port_workspace(const struct sf_port *p)
{
    return p->setup.session.workspace->root;
}

const char *sf_port_state_dir(const struct sf_port *p)
{
    return p->setup.session.state_dir;
}

const struct sf_goal *sf_port_goal(const struct sf_port *p)
{
    return sf_session_goal(p->session);
}

const struct sf_lock_owner *sf_port_owner(const struct sf_port *p)
{
    return sf_session_holder(p->session);
}

void sf_port_context(const struct sf_port *p, int64_t *used, int64_t *window)
{
    sf_session_context(p->session, used, window);
}

bool sf_port_busy(const struct sf_port *p)
{
    return sf_session_busy(p->session);
}

static bool shell_runs(const struct sf_port *p)
{
    return sf_session_shell_runs(p->session);
}

const struct sf_restore_job *sf_port_restoring(const struct sf_port *p)
{
    return sf_session_restoring(p->session);
}

bool sf_port_is_looking(const struct sf_port *p)
{
    return p->restore.looking;
}

const char *sf_port_running(const struct sf_port *p)
{
    const struct sf_restore_job *restore = sf_port_restoring(p);

    if (sf_port_busy(p))
        return "a turn";
    if (shell_runs(p))
        return "a command of yours";
    if (sf_port_carries_out(p))
        return "a run";
    return restore && restore->state != SF_RESTORE_STATE_PLANNED ? "a restore" : NULL;
}

bool sf_port_works(const struct sf_port *p)
{
    return sf_port_running(p) != NULL;
}

static void note_job(void *ctx, const struct sf_job_view *job)
{
    bool *runs = ctx;

    *runs = *runs || job->running;
}

bool sf_port_runs(const struct sf_port *p)
{
    bool runs = sf_port_works(p);

    if (!runs)
        sf_session_each_job(p->session, note_job, &runs);
    return runs;
}

bool sf_port_is_blank(const struct sf_port *p)
{
    return sf_session_is_blank(p->session);
}

bool sf_port_is_idle(const struct sf_port *p)
{
    return !sf_port_works(p) && !p->owed && !p->questions.count && !p->queue.timer;
}

struct sf_config *sf_port_settings(const struct sf_port *p)
{
    return p->fresh ? p->fresh : p->has_next ? p->next.config : p->setup.session.config;
}

const char *sf_port_setting(const struct sf_port *p, const char *key)
{
    const struct sf_config_value *v = sf_config_find(sf_port_settings(p), key);

    return v ? v->text : NULL;
}

bool sf_port_setting_is_on(const struct sf_port *p, const char *key)
{
    return sf_config_bool(sf_port_settings(p), key);
}

bool sf_port_write_setting(struct sf_port *p, const char *key, const char *value,
                           struct sf_error *err)
{
    char *path =
        p->setup.settings_file ? sf_strdup(p->setup.settings_file) : sf_config_user_path(err);
    bool ok = path && sf_config_write(path, key, value, err);

    free(path);
    return ok;
}

bool sf_port_reload(struct sf_port *p, struct sf_error *err)
{
    struct sf_config *config;

    if (!p->setup.reload)
        return true;
    config = p->setup.reload(p->setup.ctx, err);
    if (!config)
        return false;
    sf_config_free(p->fresh);
    p->fresh = config;
    return true;
}

const struct sf_port_totals *sf_port_totals(const struct sf_port *p)
{
    return &p->totals;
}

int64_t sf_port_cost_limit(const struct sf_port *p)
{
    return sf_session_budget(p->session)->limit[SF_BUDGET_COST];
}

/* ---- answers ---- */

bool sf_port_answer(struct sf_port *p, const char *call, enum sf_reply reply, const char *words,
                    const char *who)
{
    return sf_session_answer(p->session, call, reply, words, who);
}

bool sf_port_amend(struct sf_port *p, const char *call, const struct sf_amendment *amendment,
                   struct sf_error *err)
{
    return sf_session_amend(p->session, call, amendment, err);
}

bool sf_port_answer_plan(struct sf_port *p, const char *call, const struct sf_plan_answer *answer,
                         struct sf_confirm *confirm, struct sf_error *err)
{
    return sf_session_answer_plan(p->session, call, answer, confirm, err);
}

bool sf_port_edit_plan(struct sf_port *p, const char *call, const char *text, size_t len,
                       struct sf_error *err)
{
    return sf_session_edit_plan(p->session, call, text, len, err);
}

void sf_port_prepare(struct sf_port *p)
{
    sf_session_prepare(p->session);
}

void sf_port_cancel(struct sf_port *p)
{
    sf_session_cancel(p->session);
}

/* ---- the store ---- */

bool sf_port_log_last(struct sf_port *p, int64_t *number, struct sf_error *err)
{
    return sf_store_event_last(p->setup.session.store, sf_session_id(p->session), number, err);
}

bool sf_port_each_logged(struct sf_port *p, int64_t first, int64_t last, sf_event_fn *fn, void *ctx,
                         struct sf_error *err)
{
    const struct sf_event_range range = { .session = sf_session_id(p->session),
                                          .first = first,
                                          .last = last };

    return sf_store_each_in_range(p->setup.session.store, &range, fn, ctx, err);
}
