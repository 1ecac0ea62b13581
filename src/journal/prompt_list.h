/*
 * prompt_list: what the user said in a session, prompt by prompt, with where a fork would leave each out
 * and what its turn did to the files. Made from the log alone: results of tools, notes that sf
 * puts into messages, words that joined a running turn and summaries are no prompts.
 */
#ifndef SF_JOURNAL_PROMPT_LIST_H
#define SF_JOURNAL_PROMPT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "store/store.h"

struct sf_prompt_entry {
    char session[SF_ID_LEN + 1]; /* whose event it is: this one's, or one it was forked from */
    int64_t seq;                 /* of the event */
    int64_t at;                  /* the event before it: a fork there leaves the turn out */
    char *time, *text;
    size_t len;
    char until[SF_TIME_MAX];    /* of the last event before the next prompt */
    int64_t before;             /* the newest snapshot older than the turn's changes; 0: none */
    int64_t files, plus, minus; /* what changed until the next prompt */
};

/* Oldest first. Life: SF_PROMPT_LIST_INIT, sf_prompt_list_read, sf_prompt_list_release. */
struct sf_prompt_list {
    struct sf_prompt_entry *items;
    size_t count, cap;
    size_t dropped; /* prompts that came before the first of these */
    int64_t last;   /* the newest event; 0: there is none */
    bool open;      /* the last turn is not over */
};

/* clang-format off */
#define SF_PROMPT_LIST_INIT { 0 }
/* clang-format on */

/* `worktree` is whose snapshots count; NULL: none are looked for. */
bool sf_prompt_list_read(struct sf_prompt_list *list, struct sf_store *store, const char *session,
                         const char *worktree, struct sf_error *err) SF_MUST_CHECK;
void sf_prompt_list_release(struct sf_prompt_list *list);

#endif
