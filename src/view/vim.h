/*
 * vim: the state of vim's keys in the composer, and what the files that read them share. A command
 * is a count, an operator, a count and a motion; keys are collected until one is whole.
 */
#ifndef SF_VIEW_VIM_H
#define SF_VIEW_VIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_composer;

enum { SF_VIM_COUNT = 1000, SF_VIM_KEYS = 16 };

enum sf_vim_mode { SF_VIM_OFF, SF_VIM_INSERT, SF_VIM_NORMAL, SF_VIM_VISUAL };

struct sf_vim {
    enum sf_vim_mode mode;
    size_t anchor; /* where the visual selection began */

    int count, op_count; /* 0: none was given */
    uint32_t op;         /* d, c or y that waits for its motion */
    uint32_t wait;       /* f t F T r g i a: waits for one more key */

    uint32_t find, find_char; /* the last f t F T */
    int goal;                 /* column of j and k; -1: none */

    uint32_t keys[SF_VIM_KEYS]; /* of the command so far, without the count in front */
    size_t key_count;
    uint32_t dot[SF_VIM_KEYS]; /* of the last change */
    size_t dot_count;
    int dot_times;
    bool replaying;

    struct sf_strbuf typed, dot_typed; /* while inserting */
    bool typed_whole;                  /* nothing but typing happened */
    int repeat;                        /* what is typed, so many times */
};

/* What a motion or a text object covers, and how. */
struct sf_vim_range {
    size_t from, to;
    bool lines;
    size_t cursor; /* where a motion alone leads */
};

/* False: there is no such thing here, and the command has no effect. */
bool sf_vim_motion(struct sf_composer *c, uint32_t key, uint32_t with, int count,
                   struct sf_vim_range *out);
bool sf_vim_object(struct sf_composer *c, bool around, uint32_t key, struct sf_vim_range *out);
bool sf_vim_is_motion(uint32_t key);

/* ---- vim.c ---- */

/* What is typed from here on belongs to the change that led here, also for undo. */
void sf_vim_start_insert(struct sf_composer *c, int repeat);
void sf_vim_keep_dot(struct sf_vim *v); /* the command is the change to be done again */
bool sf_vim_repeat(struct sf_composer *c, int count);

/* ---- vim_command.c: false where it has no effect ---- */

void sf_vim_wait(struct sf_vim *v, uint32_t op);
bool sf_vim_go(struct sf_composer *c, uint32_t key, uint32_t with); /* or operate on the way */
bool sf_vim_operate_lines(struct sf_composer *c);                   /* dd, cc, yy */
bool sf_vim_take_object(struct sf_composer *c, bool around, uint32_t key);
bool sf_vim_replace(struct sf_composer *c, uint32_t with);
bool sf_vim_redo(struct sf_composer *c);
bool sf_vim_run(struct sf_composer *c, uint32_t key);
bool sf_vim_run_visual(struct sf_composer *c, uint32_t key);

#endif
