/*
 * shell: what a command text would do, from the text alone: no file, no clock, no environment, no
 * process. A strict reader makes commands and words of it, a classifier with tables of facts about
 * programs makes one of five classes, and little readers look into sed, awk and inline code.
 *
 *     syntax        reading command text: lex, parse, word, expand, compound
 *     classify      what the whole text does; classifier.h has the parts it is made of
 *     path_rules    names that are protected or may hold secrets
 *     git_settings  which settings of git run programs
 *     corpus        commands one a line, for tests and `sf guard classify`
 *
 * The other rooms include this header alone.
 */
#ifndef SF_SHELL_SHELL_H
#define SF_SHELL_SHELL_H

#include "shell/class.h"
#include "shell/classify.h"
#include "shell/corpus.h"
#include "shell/git_settings.h"
#include "shell/path_rules.h"
#include "shell/syntax.h"

#endif
