/*
 * show_stream: the lines of stream-json and json. Their fields are the table of
 * src/port/event_table.c; this file adds the beginning and end of a run.
 */
#ifndef SF_APP_SHOW_STREAM_H
#define SF_APP_SHOW_STREAM_H

#include "app/show.h"

void sf_stream_begin(const struct sf_show *show, bool resumed);
void sf_stream_response(const struct sf_show *show, const struct sf_response *response);
void sf_stream_input(const struct sf_show *show, const struct sf_event_input *input);
void sf_stream_command_done(const struct sf_show *show, enum sf_exit code);
void sf_stream_event(const struct sf_event *event);
void sf_stream_failure(const struct sf_show *show, const struct sf_error *err, enum sf_exit code);
void sf_stream_done(const struct sf_show *show, const struct sf_ending *ending, enum sf_exit code);

#endif
