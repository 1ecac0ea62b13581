/*
 * model_record: what a server was asked and what became of it. Written by the thread that serves,
 * read by the one that tests; a record and its bytes stay until the book is freed.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_RECORD_H
#define SF_TESTS_SUPPORT_MODEL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/model_http.h"
#include "support/model_wire.h"

enum {
    MODEL_RECORDS_MAX = 100 * 1000,
    MODEL_RECORD_BYTES = 512 * 1024 * 1024, /* of all bodies; later ones are not kept */
};

/* Microseconds of the monotonic clock; 0: it has not happened. */
struct model_times {
    int64_t first_byte; /* of the request, received */
    int64_t received;   /* its last byte */
    int64_t sent;       /* the last byte of the reply, handed to the kernel */
    int64_t gone;       /* the client left before that */
};

struct model_book; /* fields live in model_record.c */

/* `dir` (or NULL): DIR/request-N.json, DIR/request-N.headers and DIR/times.tsv are written. */
struct model_book *model_book_new(const char *dir);
void model_book_free(struct model_book *book);

int64_t model_now_us(void);

/* For the server: takes the body out of the request, which it gives a number. */
size_t model_book_add(struct model_book *book, struct model_http *http, size_t connection,
                      const struct model_times *times);
void model_book_answered(struct model_book *book, size_t number, int status, size_t replies);
void model_book_bill(struct model_book *book, size_t number, const struct model_bill *bill);
/* At that moment the last byte went, or the client was seen to have left. */
void model_book_done(struct model_book *book, size_t number, bool gone, int64_t when);
void model_book_complain(struct model_book *book, size_t number, const char *text);

/* For the test; numbers count from 0. */
size_t model_book_count(struct model_book *book);
const char *model_book_body(struct model_book *book, size_t number, size_t *len);
const char *model_book_path(struct model_book *book, size_t number);
const char *model_book_header(struct model_book *book, size_t number, const char *name);
size_t model_book_connection(struct model_book *book, size_t number);
int model_book_status(struct model_book *book, size_t number);
struct model_times model_book_times(struct model_book *book, size_t number);
size_t model_book_replies(struct model_book *book);
struct model_bill model_book_billed(struct model_book *book, size_t number);
const char *model_book_complaint(struct model_book *book, size_t i); /* NULL: no such one */

/* Waits until so many requests came, or were answered to the end or left; false: in vain. */
bool model_book_wait(struct model_book *book, size_t count, int timeout_ms);
bool model_book_wait_done(struct model_book *book, size_t count, int timeout_ms);

#endif
