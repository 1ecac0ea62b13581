/*
 * checkout: looks on a worker whether tracked files differ from the last commit; see
 * snap/git_dirty.h for what that means and what it costs.
 */
#ifndef SF_SESSION_CHECKOUT_H
#define SF_SESSION_CHECKOUT_H

#include "io/io.h"
#include "snap/snap.h"

typedef void sf_checkout_fn(void *ctx, enum sf_dirty dirty);

struct sf_checkout_look;

/* `fn` is called on the loop, exactly once; afterwards the look is gone. */
struct sf_checkout_look *sf_checkout_look(struct sf_workers *workers, const char *root,
                                          sf_checkout_fn *fn, void *ctx);
void sf_checkout_cancel(struct sf_checkout_look *look); /* `fn` follows soon */

#endif
