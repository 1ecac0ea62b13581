/*
 * proof: what a finished check proves. There are three verdicts: passed, failed, not verified. A
 * check that did not run, was a dry run, was left in the background or found no test to run has
 * verified nothing. One that failed for any other reason has failed, whatever its words are, and so
 * has one that counts failures, whatever its exit code is.
 */
#ifndef SF_VERIFY_PROOF_H
#define SF_VERIFY_PROOF_H

#include <stdbool.h>
#include <stddef.h>

enum sf_proof { SF_PROOF_NONE, SF_PROOF_PASSED, SF_PROOF_FAILED };

extern const char *const sf_proof_names[]; /* "not verified", "passed", "failed", NULL */

/*
 * Reads the text of a check, its exit code (-1: it did not come to an end) and its output, in which
 * the words of common test runners are known. `why` gets what speaks against it; it is "" where it
 * passed, and where nothing but the exit code does.
 */
enum sf_proof sf_proof_of(const char *command, int exit_code, const char *output, size_t len,
                          const char **why);

/* Whether the check has a pipeline: its exit code is then to be that of the first part that fails. */
bool sf_proof_is_piped(const char *command);

#endif
