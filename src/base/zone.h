/*
 * zone: time zones, read from TZif bytes (RFC 9636, versions 1 to 4) that somebody else fetched.
 * Transitions beyond the file's last one come from the rule in its footer, so the year 2100
 * works like this one. Bytes may be hostile: what does not fit the format is refused.
 *
 * A zone never changes once parsed, so threads may share it. Life: sf_zone_parse, sf_zone_free.
 */
#ifndef SF_BASE_ZONE_H
#define SF_BASE_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time.h"

enum {
    SF_ZONE_MAX_BYTES = 256 * 1024, /* of TZif; the largest real one has 4 KiB */
    SF_ZONE_NAME_MAX = 255,
};

struct sf_zone;

/* How a wall clock reading meets the instants of a zone. */
enum sf_wall {
    SF_WALL_UNIQUE,
    SF_WALL_GAP,     /* skipped: clocks went forward over it */
    SF_WALL_OVERLAP, /* happens twice: clocks went back over it */
};

/* NULL with `err` filled on failure. `name` must be sf_zone_name_ok and is copied. */
struct sf_zone *sf_zone_parse(const char *name, const void *tzif, size_t len, struct sf_error *err);
void sf_zone_free(struct sf_zone *zone); /* NULL and sf_zone_utc() are welcome */

struct sf_zone *sf_zone_utc(void); /* always there, never freed */

/* True when NAME is safe as a relative path: parts of [A-Za-z0-9_+-] between single slashes. */
bool sf_zone_name_ok(const char *name);
const char *sf_zone_name(const struct sf_zone *zone);

/* What holds at the instant. Each place may be NULL; `abbrev` is borrowed from the zone. */
void sf_zone_at(const struct sf_zone *zone, int64_t ms, int *offset_seconds, bool *is_dst,
                const char **abbrev);

/*
 * The instant at which clocks in the zone show `civil` (which must be sf_civil_ok). In an
 * overlap it is the earlier one; in a gap it is as far behind the gap's start as the reading
 * says, so that 02:30 in a gap from 02:00 to 03:00 is 03:30. Always fills `*ms`.
 */
enum sf_wall sf_zone_resolve(const struct sf_zone *zone, const struct sf_civil *civil, int64_t *ms);

#endif
