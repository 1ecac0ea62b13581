/*
 * command: the slash commands that change modes, parsed from text into a request. The table is the
 * only list of them: help, completion and the parser use its rows. Commands have no common prefix;
 * "/sf" is not a command and never will be.
 *
 *     /mode build --autonomous --permission-profile trusted --model-mode deep
 *     /steer mode review after-current-unit
 *     /steer have a look at the parser first
 *
 * Words are separated by whitespace and need no quotes; the value of an option is the next word or
 * follows "=". Parsing takes linear time, and the text is limited to SF_COMMAND_TEXT bytes.
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
    SF_COMMAND_START,  /* submit the change and let the units run */
    SF_COMMAND_NEXT,   /* submit the change and run one unit */
    SF_COMMAND_PAUSE,  /* submit the change; the run can be resumed */
    SF_COMMAND_STOP,   /* submit the change and forget the run */
    SF_COMMAND_WORDS,  /* send `words` to the running agent */
};

struct sf_mode_command {
    enum sf_command_kind kind;
    enum sf_field field;            /* for SHOW: the field to show */
    struct sf_mode_change change;   /* empty for SHOW and WORDS */
    enum sf_when when;              /* SF_WHEN_DEFAULT if none was named */
    const struct sf_preset *preset; /* the preset that was named, or NULL */
    bool rewritten;                 /* the preset was named by an old name */
    const char
        *words; /* for WORDS and NEXT: the trimmed text, borrowed; for SHOW: a static word such
                          as "add" in "/trust add"; or NULL */
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

/* Finds a row by its name without the slash; NULL: none. */
const struct sf_mode_command_row *sf_mode_command_find(const char *name);

/*
 * `text` begins with the slash. An unknown command is SF_E_NOENT (another table may have it); other
 * errors are SF_E_ARG or SF_E_LIMIT. Scopes must be among those in force. Whether the change is
 * allowed is decided by the machine.
 */
bool sf_mode_command_parse(const char *text, size_t len, const struct sf_scope_set *scopes,
                           struct sf_mode_command *out, struct sf_error *err) SF_MUST_CHECK;

#endif
