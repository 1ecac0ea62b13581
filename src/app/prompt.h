/*
 * prompt: what a run without a screen is asked: the arguments, and what is piped in behind them.
 */
#ifndef SF_APP_PROMPT_H
#define SF_APP_PROMPT_H

#include "app/cli.h"
#include "base/base.h"

struct sf_prompt {
    struct sf_strbuf text;
    bool piped;      /* Some of the text, or all of it, came through a pipe. */
    int64_t ends_ms; /* Waiting for a pipe ends at this time of the monotonic clock; 0: never. */
};

/*
 * Reads the prompt into `prompt->text`, which the caller has initialised and releases. `optional`:
 * without a prompt the session goes on where it was. The error SF_E_TIMEOUT says that `ends_ms`
 * came first.
 */
bool sf_prompt_read(struct sf_prompt *prompt, const struct sf_invocation *inv, bool optional,
                    struct sf_error *err) SF_MUST_CHECK;

/* Reads the arguments alone, where standard input has other use; there may be none. */
void sf_prompt_read_given(struct sf_prompt *prompt, const struct sf_invocation *inv);

#endif
