/*
 * swapper: another process's hands. A thread that exchanges two names again and again, as fast as
 * it can, while a test uses them.
 */
#ifndef SF_TESTS_SUPPORT_SWAPPER_H
#define SF_TESTS_SUPPORT_SWAPPER_H

struct swapper;

/* Both names must be there; the texts are copied. */
struct swapper *swapper_start(const char *one, const char *other);

/* Ends the thread, with the names as they were; returns how many exchanges there were. */
unsigned long swapper_stop(struct swapper *swapper);

#endif
