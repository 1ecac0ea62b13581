/*
 * recording: what models answer in a session, written into a file that `replay:FILE` plays
 * (docs/REPLAY.md). An answer is written as a whole when it has ended, in one piece: a run that is
 * killed leaves a file of complete answers.
 *
 * Life: sf_recording_open, pass it to clients, sf_recording_close. All clients of a run may share it.
 */
#ifndef SF_MODEL_RECORDING_H
#define SF_MODEL_RECORDING_H

#include <stdbool.h>

#include "base/base.h"
#include "model/provider.h"

struct sf_recording;

/* Makes the file, which must not exist yet. NULL: it cannot be made. */
struct sf_recording *sf_recording_open(const char *path, struct sf_error *err);

/* Closes the file, and removes it where no model answered. False: something could not be written, and the file says less than happened. */
bool sf_recording_close(struct sf_recording *recording, struct sf_error *err) SF_MUST_CHECK;

/* Writes the lines of one answer; the first one follows a line about who answers. */
void sf_recording_add(struct sf_recording *recording, const struct sf_provider *provider,
                      const char *model, const struct sf_strbuf *lines);

#endif
