/*
 * proof: what a finished check proves. There are three verdicts: passed, failed, not verified. A
 * check that did not run, or found no test to run, has verified nothing. One that failed for any
 * other reason has failed, whatever its words are.
 */
#ifndef SF_AGENT_PROOF_H
#define SF_AGENT_PROOF_H

#include <stddef.h>

enum sf_proof { SF_PROOF_NONE, SF_PROOF_PASSED, SF_PROOF_FAILED };

extern const char *const sf_proof_names[]; /* "not verified", "passed", "failed", NULL */

/*
 * Reads the exit code of a check (-1: it did not come to an end) and its output, in which the words
 * of common test runners are known. `why` gets what speaks against it, or "".
 */
enum sf_proof sf_proof_of(int exit_code, const char *output, size_t len, const char **why);

#endif
