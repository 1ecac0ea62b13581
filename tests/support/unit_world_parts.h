/*
 * unit_world_parts: what the files of the world of units share.
 */
#ifndef SF_TESTS_SUPPORT_UNIT_WORLD_PARTS_H
#define SF_TESTS_SUPPORT_UNIT_WORLD_PARTS_H

#include "base/base.h"
#include "support/unit_world.h"

/* ---- unit_world.c ---- */

bool world_chance(struct world *w, int percent);
void world_note(struct world *w, const char *format, ...) SF_PRINTF(2, 3);

/* Fails the test with the last things that happened. */
void world_wrong(struct world *w, const char *what) SF_NORETURN;
struct world_task *world_add_row(struct world *w, const char *id, const char *kind);
void world_feed_rows(struct world *w, struct sf_units *units);
void world_spawn(struct world *w, struct world_proc *p);
void world_load(struct world *w, struct sf_units *units, size_t *from);
void world_kill(struct world *w, struct world_proc *p);
bool world_has_lease(const struct world *w, const struct world_proc *p);

/* Feeds the input and performs the effects; the process may be dead afterwards. */
void world_send(struct world *w, struct world_proc *p, struct sf_units_input *in);

/* ---- unit_world_run.c ---- */

/* What the machine awaits comes about. */
void world_outcome(struct world *w, struct world_proc *p);

/* ---- unit_world_person.c ---- */

void world_person(struct world *w, struct world_proc *p);
void world_leave(struct world *w, struct world_proc *p); /* does what the halt says leads on */
void world_control(struct world *w, struct world_proc *p, enum sf_units_input_kind kind);

/* Another process has gone on meanwhile: what is shown is read again. */
bool world_is_stale(struct world *w, struct world_proc *p);

#endif
