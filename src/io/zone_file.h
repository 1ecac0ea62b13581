/*
 * zone_file: finds and reads the system's time zone files, with a size limit; base/zone.h parses
 * them.
 */
#ifndef SF_IO_ZONE_FILE_H
#define SF_IO_ZONE_FILE_H

#include "base/base.h"

/*
 * Loads the zone from $TZDIR, if that is an absolute path, or /usr/share/zoneinfo. "UTC" always
 * works. NULL with `err` filled on failure; SF_E_NOENT when there is no such zone.
 */
struct sf_zone *sf_zone_load(const char *name, struct sf_error *err);

/*
 * The name of the local zone, owned by the caller: $TZ, else /etc/timezone, else the target of
 * /etc/localtime, else "UTC". A source that is not a zone name (TZ may be a rule) is skipped; the
 * zone need not exist.
 */
char *sf_zone_local_name(void);

/* The same with the value of TZ (or NULL) and another directory for /etc. */
char *sf_zone_local_name_from(const char *tz, const char *etc);

#endif
