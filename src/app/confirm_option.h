/*
 * confirm_option: reads what the user confirmed beforehand, from the command line or from their own
 * settings, for runs where nobody can answer.
 */
#ifndef SF_APP_CONFIRM_OPTION_H
#define SF_APP_CONFIRM_OPTION_H

#include "config/config.h"
#include "guard/guard.h"

/* Nothing was confirmed: `out` stays as it is. The caller releases it. */
bool sf_confirm_option_read(struct sf_confirmation *out, struct sf_config *config,
                            struct sf_error *err) SF_MUST_CHECK;

#endif
