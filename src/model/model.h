/*
 * model: talking to model services. A client sends one request at a time and reports what comes
 * back as stream events on the loop; retries, waiting and deadlines are inside. The services are
 * providers: those of share/models.toml, those the settings name, and two that need no network,
 * `offline` and `replay:FILE`.
 *
 * Decisions, each with the tests that hold it:
 *
 * - A key has one way in.
 *   Problem: A key that passes through the composer, the log or the arguments of a process can be
 *     read there.
 *   Decision: It is typed into a field without history, tried, and written to one file with mode
 *     0600. Settings and key are written together after the service has answered, or not at all.
 *   Cost: Keys cannot be given as an argument.
 *   Enforced by: model/key, tui/connect, app/connect
 *
 * - A price that is missing is unknown, not zero.
 *   Problem: A budget in dollars would never end a session with a model whose price nobody knows.
 *   Decision: A missing price is a value of its own, and a budget in dollars can say that it cannot
 *     be kept.
 *   Cost: Totals can be "at least" a sum.
 *   Enforced by: model/catalog, agent/budget, journal/usage_totals
 *
 * - A try that failed is made again from the start.
 *   Problem: Services break off in the middle of an answer.
 *   Decision: The whole request is sent again, however much of the answer had come. No call of an
 *     answer runs before the answer is complete, so nothing happens twice.
 *   Cost: Tokens of the broken answer are paid for twice.
 *   Enforced by: model/attempt, model/retry
 */
#ifndef SF_MODEL_MODEL_H
#define SF_MODEL_MODEL_H

#include "model/address.h"
#include "model/catalog.h"
#include "model/client.h"
#include "model/model_list.h"
#include "model/provider.h"
#include "model/recording.h"
#include "model/trial.h"

#endif
