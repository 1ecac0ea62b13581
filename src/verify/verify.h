/*
 * verify: what verifies a piece of work, and what a check has shown. It reads the output of test
 * runners, names the checks that a project has, and tells one failure from another. Pure: files come
 * from the caller, and nothing is run.
 *
 *     reading   exit code and output of a run: pass, fail, none, broken or unknown, with counts
 *     proof     three verdicts on a finished check: passed, failed, not verified
 *     checks    the checks of a project, by its files, and whether a given one is there
 *     failure   what failed, as a digest that ignores times and places, and the part that shows it
 *
 * Decisions, each with the tests that hold it:
 *
 * - An exit code of 0 is no proof, and one other than 0 is never outweighed.
 *   Problem: Nearly every runner ends with 0 where it ran nothing, and a test can print "99 passed".
 *   Decision: Exit code and counts are read together, by one table of runners. Within one run the
 *     last summary counts. What is cut off, died, or counts no test that passed is not green.
 *   Cost: A runner without a row is "unknown", and its check rests on the exit code alone.
 *   Enforced by: verify/corpus, verify/runners, verify/proof
 *
 * - A check that is no test run is proved by its exit code.
 *   Problem: A compiler or a linter counts no tests, and `mvn -q test` does not either.
 *   Decision: Where nothing is counted, a command that is known to run tests has verified nothing;
 *     any other has passed with 0.
 *   Cost: `make test` with a silent recipe passes.
 *   Enforced by: verify/proof
 *
 * - What is detected is what the project itself says.
 *   Problem: A guessed command that runs nothing, or old programs, looks like verification.
 *   Decision: A check has a file and a condition that make it true: a script, a target, a directory
 *     of tests. Where programs are built, the command builds them first.
 *   Cost: Some projects have no check until one is named.
 *   Enforced by: verify/checks
 */
#ifndef SF_VERIFY_VERIFY_H
#define SF_VERIFY_VERIFY_H

#include "verify/checks.h"
#include "verify/failure.h"
#include "verify/proof.h"
#include "verify/reading.h"

#endif
