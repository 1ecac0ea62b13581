/*
 * show_stream: the objects of stream-json and json. Fields are only ever added; a reader passes
 * over types and fields it does not know.
 */
#ifndef SF_APP_SHOW_STREAM_H
#define SF_APP_SHOW_STREAM_H

#include "app/show.h"

void sf_stream_begin(struct sf_show *show, const char *workspace, const char *provider,
                     bool resumed);
void sf_stream_told(struct sf_show *show, const struct sf_event *event);
void sf_stream_failure(struct sf_show *show, const struct sf_error *err, enum sf_exit code);
void sf_stream_done(struct sf_show *show, const struct sf_event_done *done, enum sf_exit code);

#endif
