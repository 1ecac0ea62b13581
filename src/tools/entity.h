/*
 * entity: what HTML writes as &name; or &#number;.
 */
#ifndef SF_TOOLS_ENTITY_H
#define SF_TOOLS_ENTITY_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads an entity at an ampersand: sets its code point and returns the number of bytes. 0 if it is
 * only an ampersand: unknown names and names without a semicolon stay as they are. Invalid
 * characters and controls become U+FFFD.
 */
size_t sf_entity_read(const char *text, size_t len, uint32_t *cp);

#endif
