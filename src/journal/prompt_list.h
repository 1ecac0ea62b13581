/*
 * prompt_list: the prompts of a session, each with the point where a fork would leave it out and
 * what its turn changed in the files. Made from the log and the snapshots. Results of tools, notes
 * that sf adds to messages, text that joined a running turn, and summaries are not prompts.
 */
#ifndef SF_JOURNAL_PROMPT_LIST_H
#define SF_JOURNAL_PROMPT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "store/store.h"

struct sf_prompt_entry {
    char session[SF_ID_LEN + 1]; /* owner of the event: this session or one it was forked from */
    int64_t seq;                 /* number of the event */
    int64_t at;                  /* the event before it: a fork there leaves the turn out */
    char *time, *text;
    size_t len;
    char until[SF_TIME_MAX];    /* time of the last event before the next prompt */
    int64_t before;             /* the newest snapshot older than the turn's changes; 0: none */
    int64_t files, plus, minus; /* what changed until the next prompt */
};

/* Oldest first. Life: SF_PROMPT_LIST_INIT, sf_prompt_list_read, sf_prompt_list_release. */
struct sf_prompt_list {
    struct sf_prompt_entry *items;
    size_t count, cap;
    size_t dropped; /* number of older prompts that are not in the list */
    int64_t last;   /* the newest event; 0: none */
    bool open;      /* the last turn is not over */
};

/* clang-format off */
#define SF_PROMPT_LIST_INIT { 0 }
/* clang-format on */

/* `worktree` selects the snapshots; NULL: snapshots are not read. */
bool sf_prompt_list_read(struct sf_prompt_list *list, struct sf_store *store, const char *session,
                         const char *worktree, struct sf_error *err) SF_MUST_CHECK;
void sf_prompt_list_release(struct sf_prompt_list *list);

#endif
