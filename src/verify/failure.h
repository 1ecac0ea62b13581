/*
 * failure: what a failed check shows. Its digest names the failed tests and their messages without
 * what differs from run to run, so that the same failure is known again; its excerpt is the part of
 * the output that a model needs to see.
 *
 * Life: SF_FAILURE_INIT, sf_failure_read, use, sf_failure_release.
 */
#ifndef SF_VERIFY_FAILURE_H
#define SF_VERIFY_FAILURE_H

#include <stddef.h>

#include "base/base.h"

enum { SF_FAILURE_EXCERPT = 4 * 1024 }; /* bytes at most */

struct sf_failure {
    char digest[SF_SHA256_HEX + 1];
    struct sf_strbuf excerpt; /* plain text, whole lines */
};

#define SF_FAILURE_INIT           \
    {                             \
        .excerpt = SF_STRBUF_INIT \
    }

/*
 * Times, durations, addresses, temporary paths, process numbers and line numbers do not count, and
 * neither does the order of the failures. Where no line tells of one, the end of the output is taken.
 */
void sf_failure_read(struct sf_failure *failure, int exit_code, const char *output, size_t len);
void sf_failure_release(struct sf_failure *failure);

#endif
