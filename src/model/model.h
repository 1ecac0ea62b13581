/*
 * model: talking to model services. A client sends one request at a time and reports what comes
 * back as stream events on the loop; retries, waiting and deadlines are inside. The services are
 * providers: those of share/models.toml, those the settings name, and two that need no network,
 * `offline` and `replay:FILE`.
 */
#ifndef SF_MODEL_MODEL_H
#define SF_MODEL_MODEL_H

#include "model/catalog.h"
#include "model/client.h"
#include "model/model_list.h"
#include "model/provider.h"
#include "model/trial.h"

#endif
