/*
 * verify-read EXIT-CODE: the output of a test run on stdin; its verdict and the numbers of tests that
 * passed, failed and were skipped on stdout, separated by tabs, with - for what is not told.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "verify/verify.h"

enum { MAX_BYTES = 256 * 1024 * 1024 };

static void put_count(int64_t n)
{
    if (n < 0)
        fputs("\t-", stdout);
    else
        printf("\t%lld", (long long)n);
}

int main(int argc, char **argv)
{
    struct sf_strbuf in = SF_STRBUF_INIT;
    struct sf_reading reading;
    char *end = NULL;
    long code = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    size_t n;

    if (argc != 2 || end == argv[1] || *end || code < -1 || code > 255) {
        fputs("usage: verify-read EXIT-CODE < OUTPUT\n", stderr);
        return 2;
    }
    while (in.len < MAX_BYTES && (n = fread(sf_strbuf_room(&in, 65536), 1, 65536, stdin)) > 0)
        sf_strbuf_grew(&in, n);
    reading = sf_reading_of((int)code, in.buf, in.len);
    fputs(sf_tests_verdicts[reading.verdict], stdout);
    put_count(reading.passed);
    put_count(reading.failed);
    put_count(reading.skipped);
    putchar('\n');
    sf_strbuf_release(&in);
    return 0;
}
