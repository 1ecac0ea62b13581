/*
 * work_mode: what each work mode means for writing: its default scope, the scopes the model may
 * choose, what else it may write, and whether a write asks. One row for each mode.
 *
 * The extra entry (.sf/plans/ for plan, .sf/research/ for research) belongs to the work mode and
 * applies in each of its scopes. A work mode that writes nothing does so whatever its scope says.
 */
#ifndef SF_MODES_WORK_MODE_H
#define SF_MODES_WORK_MODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "modes/axes.h"
#include "modes/scope.h"

enum sf_work_writes {
    SF_WRITES_NONE,
    SF_WRITES_ASK,   /* every write asks */
    SF_WRITES_SCOPE, /* what the scope covers */
};

struct sf_work_info {
    const char *scope;         /* the default scope */
    const char *sources;       /* the default scope if there are sources; NULL: the same */
    const char *const *scopes; /* the scopes that the model may switch to; NULL: any */
    const char *extra;         /* another writable entry, or NULL */
    enum sf_work_writes writes;
    int reach;                 /* rank of what it writes unasked; only people may raise it */
    enum sf_model_mode effort; /* the lowest model mode for automatic choice */
};

extern const struct sf_work_info sf_work_modes[]; /* by enum sf_work_mode */

/*
 * The scope with which a work mode begins. Build begins with implement if there are sources or the
 * settings configure that scope, else with free.
 */
const char *sf_work_default_scope(const struct sf_scope_set *set, enum sf_work_mode work);

/* The model mode of a turn with automatic choice; `words` is what the prompt needs. */
enum sf_model_mode sf_work_model(enum sf_work_mode work, enum sf_model_mode words);

/* Whether the model may switch to the scope in this work mode. The scope need not exist. */
bool sf_work_model_may(enum sf_work_mode work, const char *scope);

/* Whether the work mode allows the scope for any actor: only review has restrictions. */
bool sf_work_holds(enum sf_work_mode work, const char *scope);

/* Whether nothing at all is written in this work mode, by commands either. */
bool sf_work_only_reads(enum sf_work_mode work);

/* The scopes as text: "explore, docs" or "any". Owned by the caller. */
char *sf_work_scopes_text(enum sf_work_mode work);

/* What may be written in a work mode with a scope. Borrows from the scope. */
struct sf_writable {
    const char *const *entries; /* NULL-terminated */
    const char *extra;          /* another entry, or NULL */
};

struct sf_writable sf_writable_of(enum sf_work_mode work, const struct sf_scope *scope);
bool sf_writable_is_all(const struct sf_writable *writable);
bool sf_writable_allows(const struct sf_writable *writable, const char *path, size_t len);
void sf_writable_text(const struct sf_writable *writable, struct sf_strbuf *out); /* "src/, lib/" */

/*
 * Appends the result of ChangeToolMode: {"previous_mode","new_mode","writable","strategy"}. An
 * unknown scope is an error and appends nothing.
 */
bool sf_work_switch_answer(const struct sf_scope_set *set, enum sf_work_mode work,
                           const char *previous, const char *next, struct sf_strbuf *out,
                           struct sf_error *err) SF_MUST_CHECK;

#endif
