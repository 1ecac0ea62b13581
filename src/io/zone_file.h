/*
 * zone_file: where the system keeps time zones. Files are read whole, with a ceiling; base/zone.h
 * makes sense of them.
 */
#ifndef SF_IO_ZONE_FILE_H
#define SF_IO_ZONE_FILE_H

#include "base/base.h"

/*
 * Loads the zone from $TZDIR, when that is an absolute path, or /usr/share/zoneinfo. "UTC" is
 * always there. NULL with `err` filled on failure; SF_E_NOENT when there is no such zone.
 */
struct sf_zone *sf_zone_load(const char *name, struct sf_error *err);

/*
 * The name of the local zone, owned by the caller: $TZ, else /etc/timezone, else where
 * /etc/localtime points, else "UTC". A source that holds something else than a name (TZ may hold
 * a rule) is passed over; whether the zone exists is for sf_zone_load to say.
 */
char *sf_zone_local_name(void);

/* The same with the value of TZ (or NULL) and another directory for /etc. */
char *sf_zone_local_name_from(const char *tz, const char *etc);

#endif
