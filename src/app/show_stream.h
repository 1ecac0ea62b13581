/*
 * show_stream: the lines of stream-json and json. What they hold stands in the table of
 * src/port/event_table.c; here a run adds its own beginning and end.
 */
#ifndef SF_APP_SHOW_STREAM_H
#define SF_APP_SHOW_STREAM_H

#include "app/show.h"

void sf_stream_begin(const struct sf_show *show, bool resumed);
void sf_stream_response(const struct sf_show *show, const struct sf_response *response);
void sf_stream_command_done(const struct sf_show *show, enum sf_exit code);
void sf_stream_told(const struct sf_event *event);
void sf_stream_failure(const struct sf_show *show, const struct sf_error *err, enum sf_exit code);
void sf_stream_done(const struct sf_show *show, const struct sf_event_done *done,
                    enum sf_exit code);

#endif
