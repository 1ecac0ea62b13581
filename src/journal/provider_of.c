/*
 * provider_of.c: a provider that the user chose by name is in the log; else the session's row says
 * which one answered.
 */
#include "journal/provider_of.h"

#include <string.h>

#include "journal/log_event.h"

static bool read_choice(const struct sf_event_row *event, void *ctx)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(event->json, event->len, NULL, &ignored);
    const char *provider;

    if (json && sf_json_opt_str(json, "provider", "", &provider, &ignored))
        sf_strbuf_adds(ctx, provider);
    sf_json_free(json);
    return true;
}

static bool find_choice(struct sf_store *store, const char *session, struct sf_strbuf *out,
                        struct sf_error *err)
{
    struct sf_event_range newest = { .session = session };
    struct sf_event_count chosen;

    if (!sf_store_event_count(store, session, SF_LOG_MODEL, INT64_MAX, &chosen, err))
        return false;
    newest.first = newest.last = chosen.last;
    return !chosen.last || sf_store_each_in_range(store, &newest, read_choice, out, err);
}

static bool stands_in(const char *provider)
{
    return !strcmp(provider, "offline") || !strcmp(provider, "replay");
}

bool sf_provider_of(struct sf_store *store, const char *session, struct sf_strbuf *out,
                    struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    size_t before = out->len;
    bool ok = sf_store_session_get(store, session, &arena, &row, err) &&
              find_choice(store, row.id, out, err);

    if (ok && out->len == before && (!row.blank || *row.parent_id) && !stands_in(row.provider))
        sf_strbuf_adds(out, row.provider);
    sf_arena_release(&arena);
    return ok;
}
