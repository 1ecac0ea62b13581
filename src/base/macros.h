/*
 * macros: the few words every file may use: array length and the attributes that let the
 * compiler check formats and unused results.
 */
#ifndef SF_BASE_MACROS_H
#define SF_BASE_MACROS_H

#define SF_COUNT(array)      (sizeof(array) / sizeof((array)[0]))
#define SF_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define SF_MUST_CHECK        __attribute__((warn_unused_result))
#define SF_NORETURN          __attribute__((noreturn))

#endif
