/*
 * connect_steps: a model being connected, shared by the two files that do it.
 */
#ifndef SF_PORT_CONNECT_STEPS_H
#define SF_PORT_CONNECT_STEPS_H

#include "port/internal.h"

/* A server on this machine that is asked whether it is there. */
struct sf_connect_probe {
    struct sf_port *port;
    size_t row; /* in the list of providers */
    struct sf_provider_facts facts;
    struct sf_model_list *listing;
};

enum sf_connect_step {
    SF_CONNECT_PROVIDERS,
    SF_CONNECT_KEY,
    SF_CONNECT_MODELS, /* all three */
    SF_CONNECT_MODEL,  /* one of them */
};

struct sf_connect {
    struct sf_port *port;
    enum sf_connect_step step;
    struct sf_strlist names, states; /* of all services, in the same order */
    const char *ready;               /* the first that has a key; NULL: none */
    struct sf_connect_probe *probes;
    size_t probe_count, probes_open; /* those that have not answered */

    char *name;      /* the one that was chosen; NULL: none yet */
    char *cmd, *env; /* where its key is to be; NULL: as it is set up */
    bool typed;      /* or it was typed */
    char *key;       /* as it was typed, or as a command printed it; wiped */
    struct sf_trial *trial;
    bool left; /* the port has let go of it: it is freed when the trial has ended */

    struct sf_strlist models; /* the service's own list; empty: the catalog's */
    char *tiers[3];
    int tier; /* being chosen */
};

const char *sf_connect_name(const struct sf_port *p); /* its title */
void sf_connect_free(struct sf_port *p);

/* A table of a step, which is a part of the answers to /connect. */
void sf_connect_init(struct sf_response *r, const char *part, const char *title);

void sf_connect_show_models(struct sf_port *p, bool late);
void sf_connect_choose_row(struct sf_port *p, const char *value);   /* of SF_CONNECT_MODELS */
void sf_connect_choose_model(struct sf_port *p, const char *value); /* of SF_CONNECT_MODEL */

#endif
