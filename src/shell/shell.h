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
 * Decisions, each with the tests that hold it:
 *
 * - What is unknown in a path may be all of it.
 *   Problem: `src/$x` looks like a path inside the workspace, but the value can climb out again.
 *   Decision: A value counts as a plain name only where a table says that its source cannot print a
 *     slash or `..`. Names that are matched may be links, so a bounded walk asks the tree; a link
 *     that leads out, or a tree too large to tell, is a read outside.
 *   Cost: Some harmless commands are asked about.
 *   Enforced by: shell/classify, guard/path
 *
 * - What arithmetic evaluates is code.
 *   Problem: A name in an expression stands for its value, the value is an expression again, and a
 *     subscript in there runs what is written in it: `x=$(cat f); echo $((x))` runs what f says.
 *   Decision: The reader lists every expression. Each name in one must lead to numbers in every
 *     value the text gives it; else the command is build-test, and text that is code is destructive.
 *   Cost: Numbers that come from a program (`wc -l`, `date +%s`) are asked about under `normal`.
 *   Enforced by: shell/arith_run, shell/classify
 *
 * - A word may be an option until it is known not to be.
 *   Problem: `git reset $x` is harmless or not by what x holds, and so is `find . $(cat f)`.
 *   Decision: What the text tells is put in, and every way the words can come out is judged. A word
 *     of which nothing is known counts as the worst option the program has. Names that a pattern
 *     or a search finds are no options: the guard asks where a file with such a name is made.
 *   Cost: A word from elsewhere behind a program with dangerous options is asked about, unless it
 *     stands behind `--`, behind an option that takes it, or behind text of its own.
 *   Enforced by: shell/classify, judge/everyday
 *
 * - Knowledge about programs is data.
 *   Problem: Code that knows each program grows without order, and an omission widens what may run.
 *   Decision: A fact is a row of a table, and a row can only raise the class of a command. A
 *     program that no table knows is at least `build-test`.
 *   Cost: A program that is safe but unknown is asked about until it has its row.
 *   Enforced by: shell/corpus, shell/classify
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
