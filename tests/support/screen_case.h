/*
 * screen_case: situations of the terminal as golden screens. A run starts the real sf on a pty in
 * a sandbox of its own, with a scripted model or none, and goes through steps: type, wait, take a
 * picture at several sizes. Between pictures the terminal is 80x24 again.
 *
 * Nothing on them depends on the day, the machine or the clock: motion is off, the cage is off,
 * times, ids and directories are masked.
 */
#ifndef SF_TESTS_SUPPORT_SCREEN_CASE_H
#define SF_TESTS_SUPPORT_SCREEN_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/test.h"

enum screen_size {
    AT_19 = 1, /* too small: 19x5 */
    AT_20 = 2, /* 20x6 */
    AT_40 = 4, /* 40x12 */
    AT_79 = 8, /* 79x24 */
    AT_80 = 16,
    AT_120 = 32,   /* 120x40 */
    AT_200 = 64,   /* 200x50 */
    AT_10 = 128,   /* 40x10 */
    AT_129 = 256,  /* 129x40: the widest without a sidebar */
    AT_130 = 512,  /* 130x40 */
    AT_160 = 1024, /* 160x45 */
    AT_SMALL = AT_20 | AT_40,
    AT_SOME = AT_SMALL | AT_80,
    AT_ALL = AT_SMALL | AT_79 | AT_80 | AT_120 | AT_200,
};

enum screen_do {
    SCREEN_END,
    TYPE,  /* keys */
    PASTE, /* in brackets */
    AWAIT, /* until the text is there */
    GONE,  /* until it is not */
    SHOOT, /* `text` is the golden's name */
};

/* Keys that need no care about what follows them. */
#define ESC     "\033[27u"
#define F1      "\033[11~"
#define PGUP    "\033[5~"
#define PGDN    "\033[6~"
#define DOWN    "\033[B"
#define HOME    "\033[H"
#define END_KEY "\033[F"
#define LEADER  "\030"

struct screen_step {
    enum screen_do what;
    const char *text;
    unsigned sizes; /* of SHOOT */
};

#define KEYS(keys)    \
    {                 \
        TYPE, keys, 0 \
    }
#define SEE(words)      \
    {                   \
        AWAIT, words, 0 \
    }
#define UNSEE(words)   \
    {                  \
        GONE, words, 0 \
    }
#define SHOT(name, at)  \
    {                   \
        SHOOT, name, at \
    }
#define END                 \
    {                       \
        SCREEN_END, NULL, 0 \
    }

struct screen_run {
    const char *name;
    const char *scenario; /* what the model says; NULL: nobody is connected */
    const char *settings; /* more lines of TOML, beginning in [ui]; or NULL */
    const char *project;  /* text of .sf/config.toml, or NULL */
    bool asks;            /* and whether that is trusted: else it was said not to ask */
    const char *args;     /* of the command line, split at blanks; or NULL */
    const char *env[2];   /* variables, or NULL */
    const char *prepare;  /* a shell command in the workspace, before sf starts; or NULL */
    const char *theme;    /* text of themes/own.toml, or NULL */
    const struct screen_step *steps;
};

int screen_setup(void **state); /* cmocka fixtures around screen_play */
int screen_teardown(void **state);
void screen_play(void **state, const struct screen_run *run);

#endif
