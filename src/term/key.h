/*
 * key: one form for each key. Encodings differ in what they tell of Shift and Ctrl; the decoder
 * and the names of keys go through the same rules here, so that a chord that was written down
 * equals the one that is pressed. Inside tui only.
 */
#ifndef SF_TERM_KEY_H
#define SF_TERM_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/decoder.h"

/* Letters of the scripts with two cases that keyboards have: Latin, Greek, Cyrillic. */
uint32_t sf_key_lower(uint32_t code);
uint32_t sf_key_upper(uint32_t code);
bool sf_key_is_letter(uint32_t code);

bool sf_key_is_printable(uint32_t code); /* a character, and no control */

/*
 * The one form of a chord: letters small, Ctrl+[ as Esc, Ctrl+@ as Ctrl+Space, no Shift beside a
 * symbol that is made with it on most keyboards.
 */
struct sf_key sf_key_normal(uint32_t code, unsigned mods);

/* What a legacy control byte (below 0x20, or 0x7f) stands for. */
struct sf_key sf_key_of_control(unsigned char byte);

/* Names of keys; of several for one the first is shown. F1 to F24 have no rows. */
struct sf_key_name {
    const char *name;
    uint32_t code;
};

extern const struct sf_key_name sf_key_names[];
extern const size_t sf_key_name_count;

#endif
