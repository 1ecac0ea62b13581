/*
 * promise: what a change of the state would unlock, in words for the question about it. The engine
 * itself is asked about one action of each row, before and after, so the words cannot say more than
 * it does.
 */
#ifndef SF_GUARD_PROMISE_H
#define SF_GUARD_PROMISE_H

#include "guard/verdict.h"

struct sf_promise {
    const struct sf_mode_state *from, *to;
    enum sf_approval_mode approval;
    bool allow_shell, caged, workspace_trusted;
};

/* Appends Markdown: what would run unasked, what would be asked about, what stays as it is. */
void sf_promise_add(const struct sf_promise *promise, struct sf_strbuf *out);

#endif
