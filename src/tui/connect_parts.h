/*
 * connect_parts: a model being connected, shared by the two files that do it.
 */
#ifndef SF_TUI_CONNECT_PARTS_H
#define SF_TUI_CONNECT_PARTS_H

#include "tui/internal.h"

/* A server on this machine that is asked whether it is there. */
struct sf_connect_probe {
    struct sf_tui *desk;
    const char *name;
    struct sf_provider_facts facts;
    struct sf_model_list *listing;
};

struct sf_connect {
    struct sf_tui *desk;
    struct sf_strlist names;
    const char *ready; /* the first that has a key; NULL: none */
    struct sf_connect_probe *probes;
    size_t probe_count;

    char *name;             /* the one that was chosen; NULL: none yet */
    char *cmd, *file, *env; /* where its key is to be; NULL: as it is set up */
    bool typed;             /* or it was typed … */
    char *key;              /* … and is this; also of a command; wiped */
    struct sf_trial *trial;
    int64_t since_ms;
    uint64_t clock;
    bool left; /* it is no more the desk's: it goes when the trial has ended */

    struct sf_strlist models; /* the service's own list; empty: the catalog's */
    char *tiers[3];
    int tier; /* being chosen */
};

const char *sf_connect_name(const struct sf_tui *ui); /* its title */
void sf_connect_free(struct sf_tui *ui);
void sf_connect_show_models(struct sf_tui *ui); /* the second half */

#endif
