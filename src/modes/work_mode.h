/*
 * work_mode: what each work mode means for writing: its default scope, the scopes the model may
 * choose, what it may write besides, and whether a write asks. One row for each.
 *
 * The extra entry (.sf/plans/ for plan, .sf/research/ for research) belongs to the work mode and
 * holds in each of its scopes. A work mode that writes nothing does so whatever its scope says.
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
    const char *scope;         /* the default */
    const char *sources;       /* the default where there are sources, or NULL: the same */
    const char *const *scopes; /* those the model may switch to; NULL: any */
    const char *extra;         /* one more writable entry, or NULL */
    enum sf_work_writes writes;
    int reach;                 /* how far unasked writes go; only people may move to a wider one */
    enum sf_model_mode effort; /* the least a model that is chosen automatically brings */
};

extern const struct sf_work_info sf_work_modes[]; /* by enum sf_work_mode */

/*
 * The scope a work mode begins with. Build has implement where there are sources or the settings
 * configure that scope, else free.
 */
const char *sf_work_default_scope(const struct sf_scope_set *set, enum sf_work_mode work);

/* The model mode of a turn whose model is chosen automatically; `words` is what its words need. */
enum sf_model_mode sf_work_model(enum sf_work_mode work, enum sf_model_mode words);

/* Whether the model may switch to the scope in this work mode. The scope need not exist. */
bool sf_work_model_may(enum sf_work_mode work, const char *scope);

/* Whether the work mode can hold the scope at all, whoever asks: only review is choosy. */
bool sf_work_holds(enum sf_work_mode work, const char *scope);

/* "explore, docs" or "any". Owned by the caller. */
char *sf_work_scopes_text(enum sf_work_mode work);

/* What can be written under a work mode and a scope. Borrowed from the scope. */
struct sf_writable {
    const char *const *entries; /* NULL-terminated */
    const char *extra;          /* one more, or NULL */
};

struct sf_writable sf_writable_of(enum sf_work_mode work, const struct sf_scope *scope);
bool sf_writable_is_all(const struct sf_writable *writable);
bool sf_writable_allows(const struct sf_writable *writable, const char *path, size_t len);
void sf_writable_text(const struct sf_writable *writable, struct sf_strbuf *out); /* "src/, lib/" */

/*
 * What ChangeToolMode answers: {"previous_mode","new_mode","writable","strategy"}. Appends to
 * `out`; an unknown scope is an error and appends nothing.
 */
bool sf_work_switch_answer(const struct sf_scope_set *set, enum sf_work_mode work,
                           const char *previous, const char *next, struct sf_strbuf *out,
                           struct sf_error *err) SF_MUST_CHECK;

#endif
