/*
 * log: a file of lines for debugging; never the terminal.
 *
 *     2026-11-16T05:09:53.123Z 1234 info text
 *
 * Many processes may share the file: every line is one appending write. Control characters and
 * broken UTF-8 are escaped, so a line is one line and safe to display; long ones are cut. At
 * 4 MiB the file is renamed to NAME.1 and a new one begins. Logging fails silently: it must never
 * be the reason that work stops. Callers must keep secrets out.
 *
 * One log per process, used from the loop's thread. errno survives a call.
 */
#ifndef SF_IO_LOG_H
#define SF_IO_LOG_H

#include <stdbool.h>

#include "base/base.h"

enum sf_log_level { SF_LOG_ERROR, SF_LOG_WARN, SF_LOG_INFO, SF_LOG_DEBUG };

/*
 * Remembers the path; the file (0600) and its directories (0700) are made with the first line.
 * Before this call, and after sf_log_close, nothing is logged.
 */
void sf_log_open(const char *path, enum sf_log_level level);
void sf_log_close(void);

/* "error", "warn", "info", "debug"; false for anything else. */
bool sf_log_level_parse(const char *text, enum sf_log_level *level);
const char *sf_log_level_name(enum sf_log_level level);

bool sf_log_wants(enum sf_log_level level);
void sf_log_write(enum sf_log_level level, const char *format, ...) SF_PRINTF(2, 3);

/* The arguments are evaluated only when the level is wanted. */
#define sf_log(level, ...)                      \
    do {                                        \
        if (sf_log_wants(level))                \
            sf_log_write((level), __VA_ARGS__); \
    } while (0)

#endif
