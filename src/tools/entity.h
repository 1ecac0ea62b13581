/*
 * entity: what HTML writes as &name; or &#number;.
 */
#ifndef SF_TOOLS_ENTITY_H
#define SF_TOOLS_ENTITY_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads at an ampersand: the code point it stands for, and how many bytes were read. 0 when it
 * is just an ampersand: unknown names and those without a semicolon stay as they are. What is
 * no character, and every control, is U+FFFD.
 */
size_t sf_entity_read(const char *text, size_t len, uint32_t *cp);

#endif
