/*
 * connect_steps: the state while a model is being connected, shared by the files that do it.
 */
#ifndef SF_PORT_CONNECT_STEPS_H
#define SF_PORT_CONNECT_STEPS_H

#include "port/internal.h"

/* A query whether a server on this machine is running. */
struct sf_connect_probe {
    struct sf_port *port;
    size_t row; /* in the list of providers */
    struct sf_provider_facts facts;
    struct sf_model_list *listing;
};

enum sf_connect_step {
    SF_CONNECT_PROVIDERS,
    SF_CONNECT_SERVER, /* name, address and format of a server that is not in the list */
    SF_CONNECT_KEY,
    SF_CONNECT_MODELS, /* the models of all three modes */
    SF_CONNECT_MODEL,  /* the model of one mode */
};

/* A server that the user describes; connect_server.c. */
struct sf_connect_typed {
    bool open; /* it is the one being connected */
    char *name, *base_url;
    size_t format;
};

struct sf_connect {
    struct sf_port *port;
    enum sf_connect_step step;
    struct sf_strlist names, states; /* of all services, in the same order */
    const char *ready;               /* the first service that has a key; NULL: none */
    struct sf_connect_probe *probes;
    size_t probe_count, probes_open; /* all; those that have not answered yet */

    struct sf_connect_typed server;
    char *name;      /* the chosen service; NULL: none yet */
    char *cmd, *env; /* where its key comes from; NULL: as configured */
    bool typed;      /* the key was typed */
    char *key;       /* as typed, or as printed by a command; wiped after use */
    struct sf_trial *trial;
    bool left; /* the port has given it up: freed when the trial has ended */

    struct sf_strlist models; /* the service's own list; empty: the catalog's */
    char *tiers[3];
    int tier; /* index of the mode whose model is being chosen */
};

const char *sf_connect_name(const struct sf_port *p); /* title of the chosen service */
void sf_connect_free(struct sf_port *p);

/* Begins the table of a step, as a response of /connect. */
void sf_connect_init(struct sf_response *r, const char *part, const char *title);

/* The row of the list that stands for a server which is not in it. */
#define SF_CONNECT_ANOTHER "+"

void sf_connect_begin_server(struct sf_port *p);
void sf_connect_choose_server(struct sf_port *p, const char *value); /* step SF_CONNECT_SERVER */
void sf_connect_server_release(struct sf_connect *c);
const char *sf_connect_server_format(const struct sf_connect *c);

/* Goes on with the service of that name: its key, then the trial. */
void sf_connect_ask_key(struct sf_port *p, const char *name);

void sf_connect_show_models(struct sf_port *p, bool late);
void sf_connect_choose_row(struct sf_port *p, const char *value);   /* step SF_CONNECT_MODELS */
void sf_connect_choose_model(struct sf_port *p, const char *value); /* step SF_CONNECT_MODEL */

#endif
