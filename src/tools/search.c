/*
 * search.c: makes the handle and path for a walk from the place of a call.
 */
#include "tools/search.h"

#include "base/base.h"
#include "tools/nearby.h"

bool sf_search_describe(struct sf_tool_call *call, struct sf_error *err)
{
    return sf_tool_call_add_target(call, sf_arg_str(call->args, "path", "."), SF_WANT_ANY,
                                   SF_ACT_READ, err);
}

bool sf_search_ground(struct sf_search_ground *policy, struct sf_toolbox *box,
                      struct sf_tool_call *call)
{
    const struct sf_place *place = &call->targets[0].place;
    struct sf_error err = SF_ERROR_INIT;

    *policy = (struct sf_search_ground){ .places = box->places,
                                         .place = place,
                                         .within_ms = box->search_ms,
                                         .by_name = box->by_name,
                                         .clock_ms = box->clock_ms };
    if (place->kind == SF_PLACE_NOTHING) {
        sf_nearby_fail(place, box->stand, &err);
        sf_tool_call_fail(call, &err);
        return false;
    }
    if (place->inside) {
        policy->root = place->root->fd;
        policy->start = place->real;
        policy->stand = box->stand;
    } else {
        policy->root = place->dir;
        policy->start = place->kind == SF_PLACE_DIR ? "" : place->name;
        policy->stand = "";
    }
    return true;
}

const char *sf_search_pattern(const struct sf_search_ground *policy, const char *pattern)
{
    const struct sf_place *place = policy->place;
    struct sf_strbuf base = SF_STRBUF_INIT;

    if (!pattern || *pattern != '/')
        return pattern;
    if (place->inside)
        sf_strbuf_addf(&base, "%s%s", place->root->path, *place->real ? "/" : "");
    sf_strbuf_adds(&base, place->real);
    if (!strncmp(pattern, base.buf, base.len) && pattern[base.len] == '/')
        pattern += base.len; /* keeps the slash, so that the rest does not match at any depth */
    sf_strbuf_release(&base);
    return pattern;
}

void sf_search_add_rooted(const char *pattern, struct sf_tool_call *call)
{
    if (pattern && *pattern == '/')
        sf_tool_call_addf(call,
                          "[patterns are compared with paths below the place searched; to look "
                          "elsewhere, name the directory as path]\n");
}

/* Appends the absolute path of an entry below a held directory outside the workspace. */
static void add_outside(struct sf_strbuf *out, const struct sf_place *place, const char *path)
{
    sf_strbuf_add(out, place->real, place->dir_len);
    if (!out->len || out->buf[out->len - 1] != '/')
        sf_strbuf_addch(out, '/');
    sf_strbuf_adds(out, path);
}

bool sf_search_veto(void *ctx, const char *path, bool dir)
{
    const struct sf_search_ground *policy = ctx;
    const struct sf_place *place = policy->place;
    struct sf_strbuf absolute = SF_STRBUF_INIT;
    struct sf_path_found found = { .real = path, .inside = place->inside, .links = 1 };
    bool secret;

    (void)dir;
    if (!strcmp(path, policy->start))
        return false;
    if (!place->inside) {
        add_outside(&absolute, place, path);
        found.real = absolute.buf;
    }
    secret = sf_path_classify(&found, policy->places).zone == SF_PATH_CREDENTIAL;
    sf_strbuf_release(&absolute);
    return secret;
}

void sf_search_add_late(const struct sf_search_ground *policy, const struct sf_walk_tally *tally,
                        struct sf_tool_call *call)
{
    if (tally->late)
        sf_tool_call_addf(
            call, "[sf] stopped after %.0f s, not all was looked at; name a smaller directory\n",
            (double)policy->within_ms / 1000);
}

void sf_search_add_base(const struct sf_search_ground *policy, struct sf_tool_call *call)
{
    const struct sf_place *place = policy->place;

    if (!place->inside)
        sf_tool_call_addf(call, "[paths are below %.*s]\n", (int)place->dir_len, place->real);
}
