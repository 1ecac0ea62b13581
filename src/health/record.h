/*
 * record: what is written down about repairs. Each is a directory of its own below the project's
 * state, doctor/NUMBER, with record.json and what was moved away. Internal to health.
 */
#ifndef SF_HEALTH_RECORD_H
#define SF_HEALTH_RECORD_H

#include "health/health.h"
#include "io/io.h"

/* One at a time repairs a project; other processes wait briefly. */
bool sf_health_record_lock(const char *state_dir, struct sf_lock *lock,
                           struct sf_error *err) SF_MUST_CHECK;

/* The directory of a repair; owned by the caller. */
char *sf_health_record_dir(const char *state_dir, int64_t number);

/* Numbers a new repair and makes its directory. */
bool sf_health_record_new(const char *state_dir, int64_t *number,
                          struct sf_error *err) SF_MUST_CHECK;

void sf_health_record_add(const struct sf_health_record *record, struct sf_strbuf *out); /* JSON */

/* Durable when it returns true. */
bool sf_health_record_write(const char *state_dir, const struct sf_health_record *record,
                            struct sf_error *err) SF_MUST_CHECK;
bool sf_health_record_read(const char *state_dir, int64_t number, struct sf_health_record *out,
                           struct sf_error *err) SF_MUST_CHECK;

/* The highest number so far; 0: none. */
int64_t sf_health_record_last(const char *state_dir);

#endif
