/*
 * syntax: how a plan looks, in words made from the schema: for models, in the description of the
 * tool that takes plans, and for people, as docs/PLANS.md.
 */
#ifndef SF_PLAN_SYNTAX_H
#define SF_PLAN_SYNTAX_H

#include "base/base.h"

extern const char sf_plan_example[]; /* a small plan without faults */

/* Appends what a model needs to write one. */
void sf_plan_syntax(struct sf_strbuf *out);

/* Appends docs/PLANS.md. */
void sf_plan_doc(struct sf_strbuf *out);

#endif
