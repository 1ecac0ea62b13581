/*
 * write_image: copies of what a command is about to change, kept in a file without a name; internal
 * to the room. Runs in the supervisor, and like it neither allocates nor locks.
 */
#ifndef SF_IO_WRITE_IMAGE_H
#define SF_IO_WRITE_IMAGE_H

#include "io/write_place.h"
#include "io/write_record.h"

enum {
    SF_WRITE_IMAGE_MAX = 10 * 1024 * 1024,  /* larger files have no copy */
    SF_WRITE_IMAGES_MAX = 64 * 1024 * 1024, /* all copies of one command */
};

/* Copies what is at the place to the end of the file; -1: nothing is copied. */
void sf_write_image_take(int file, const struct sf_write_place *place, struct sf_write_image *out);

#endif
