/*
 * trial: a service tried out before it is used. Fetches the key, asks one small question and says
 * whether it was answered; a service on this machine is asked for its models instead, since an
 * answer would make it load one. Nothing is written down, whatever comes of it.
 *
 * Life: sf_trial_start; its `fn` is called exactly once, from the loop, also after sf_trial_cancel;
 * the trial is gone when that returns.
 */
#ifndef SF_MODEL_TRIAL_H
#define SF_MODEL_TRIAL_H

#include <stdbool.h>

#include "base/base.h"
#include "io/io.h"
#include "model/provider.h"

/* Borrowed for the start, but for the sources. Of key, cmd, file and env one is set, or none. */
struct sf_trial_wish {
    struct sf_loop *loop;
    const char *name;
    const struct sf_provider_sources *sources;
    const char *key; /* as somebody typed it */
    const char *cmd, *file, *env;
    const char *model;           /* to ask; NULL: the quickest that is known */
    const char *proxy, *ca_file; /* or NULL, see client.h */
};

/* Borrowed for the call. */
struct sf_trial_result {
    bool ok;
    struct sf_error error;            /* when it is not */
    const struct sf_provider *opened; /* with its key; NULL: it did not come so far */
    const struct sf_strlist *models;  /* the service's own list; empty: it was not asked for */
};

struct sf_trial;

typedef void sf_trial_fn(void *ctx, const struct sf_trial_result *result);

struct sf_trial *sf_trial_start(const struct sf_trial_wish *wish, sf_trial_fn *fn, void *ctx);
void sf_trial_cancel(struct sf_trial *trial);

#endif
