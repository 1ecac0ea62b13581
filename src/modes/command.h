/*
 * command: the slash commands that change modes, from text to a request. The table is the one
 * list of them: help, completion and the parser read its rows. Commands stand at the root; "/sf"
 * is none and never will be.
 *
 *     /mode build --autonomous --permission-profile trusted --model-mode deep
 *     /steer mode review after-current-unit
 *     /steer have a look at the parser first
 *
 * Words are separated by any white space and need no quotes; an option takes its value as the
 * next word or after "=". Reading takes time in proportion to the text, which ends at
 * SF_COMMAND_TEXT bytes.
 */
#ifndef SF_MODES_COMMAND_H
#define SF_MODES_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "modes/change.h"
#include "modes/preset.h"
#include "modes/scope.h"
#include "modes/transition.h"

enum { SF_COMMAND_TEXT = 64 * 1024 };

enum sf_command_kind {
    SF_COMMAND_SHOW,   /* show or pick the value of `field` */
    SF_COMMAND_CHANGE, /* submit the change */
    SF_COMMAND_START,  /* submit it and let the units run */
    SF_COMMAND_NEXT,   /* submit it and run one unit */
    SF_COMMAND_PAUSE,  /* submit it; what runs is kept */
    SF_COMMAND_STOP,   /* submit it and forget what ran */
    SF_COMMAND_WORDS,  /* say `words` to the running agent */
};

struct sf_mode_command {
    enum sf_command_kind kind;
    enum sf_field field;            /* of SHOW: what to show */
    struct sf_mode_change change;   /* empty for SHOW and WORDS */
    enum sf_when when;              /* SF_WHEN_DEFAULT where none was named */
    const struct sf_preset *preset; /* the one that was named, or NULL */
    bool rewritten;                 /* by an old name; say the new one */
    const char *words; /* of WORDS, borrowed from the text: trimmed, otherwise as is; of SHOW: what
                          about the field, as "/trust add" says it, constant; or NULL */
    size_t words_len;
};

struct sf_command_words; /* the arguments; private to command.c */

struct sf_mode_command_row {
    const char *name; /* without the slash */
    const char *args; /* as help shows them, or "" */
    const char *help;
    bool (*read)(struct sf_command_words *words, struct sf_mode_command *out, struct sf_error *err);
    enum sf_field field; /* what the command is about */
};

extern const struct sf_mode_command_row sf_mode_commands[];
extern const size_t sf_mode_command_count;

/* By its name without the slash; NULL: it is none of these. */
const struct sf_mode_command_row *sf_mode_command_find(const char *name);

/*
 * `text` begins with the slash. An unknown command is SF_E_NOENT (another table may know it);
 * all else that is wrong is SF_E_ARG or SF_E_LIMIT. Scopes must be among those in force. What is
 * read is not yet allowed: that is for the machine to say.
 */
bool sf_mode_command_parse(const char *text, size_t len, const struct sf_scope_set *scopes,
                           struct sf_mode_command *out, struct sf_error *err) SF_MUST_CHECK;

#endif
