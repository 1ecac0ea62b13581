/*
 * review_ask: what the files share that collect the changes of a review; internal to the room.
 * review_ask.c asks git one question, the others ask about one noun each, and review_git.c knows
 * their order.
 */
#ifndef SF_SESSION_REVIEW_ASK_H
#define SF_SESSION_REVIEW_ASK_H

#include "session/review_git.h"

/* From where to where: two objects; `to` "": the workspace, or the index of staged changes. */
struct sf_review_span {
    struct sf_strbuf from, to;
};

/* ---- review_ask.c ---- */

/* The most bytes of an answer. */
enum {
    SF_REVIEW_NAME_BYTES = 4 * 1024, /* that is one name */
    SF_REVIEW_LIST_BYTES = 4 << 20,  /* that is a list of files */
    SF_REVIEW_PATCH_BYTES = 4 << 20, /* that is hunks */
};

/* The arguments of one command, built up. */
struct sf_review_args {
    struct sf_strlist list;
    size_t bytes;
};

void sf_review_args_begin(const struct sf_review_look *look, struct sf_review_args *args,
                          const char *const *words);
/* Begins to compare both ends of a span. */
void sf_review_args_diff(const struct sf_review_look *look, struct sf_review_args *args,
                         const char *const *words, const struct sf_review_span *span);
/* Everything in a tree, or in the index, compared with nothing. */
void sf_review_args_whole(const struct sf_review_look *look, struct sf_review_args *args,
                          const char *const *words, const char *empty, const char *tree);
void sf_review_args_add(struct sf_review_args *args, const char *text);
void sf_review_args_spec(struct sf_review_args *args, const char *magic, const char *path);
/* Whether there is room for one path more. */
bool sf_review_args_fit(const struct sf_review_args *args, const char *path);

enum sf_review_answer { SF_REVIEW_ANSWER_NO, SF_REVIEW_ANSWER_YES, SF_REVIEW_ANSWER_CUT };

/* Asks and forgets the arguments. With NO, `err` says why, where it was not git's own no. */
enum sf_review_answer sf_review_ask(struct sf_review_look *look, struct sf_review_args *args,
                                    size_t cap, struct sf_strbuf *out, struct sf_error *err);
/* The answer in one line, without its break; "": git said no. False: git could not be asked. */
bool sf_review_ask_line(struct sf_review_look *look, const char *const *words,
                        struct sf_strbuf *out, struct sf_error *err) SF_MUST_CHECK;
/* Fails for an answer that is not YES, with git's own words where `err` has none. */
bool sf_review_cannot(const struct sf_review_look *look, struct sf_error *err,
                      enum sf_review_answer answer);
/* Comes first: what git would run because a repository's settings say so is off from here on. */
bool sf_review_switch_off(struct sf_review_look *look, struct sf_error *err) SF_MUST_CHECK;

/* ---- review_span.c ---- */

/* The commit that is meant; "": there is none. */
bool sf_review_commit(struct sf_review_look *look, const char *name, struct sf_strbuf *out,
                      struct sf_error *err) SF_MUST_CHECK;
/* The tree without files. */
bool sf_review_empty(struct sf_review_look *look, struct sf_strbuf *out,
                     struct sf_error *err) SF_MUST_CHECK;
bool sf_review_span_find(struct sf_review_look *look, struct sf_review_span *span,
                         struct sf_error *err) SF_MUST_CHECK;

/* ---- review_paths.c ---- */

bool sf_review_path_is_there(const struct sf_review_look *look, const char *name);
/* The user's paths; without any, everything. */
void sf_review_paths_add(const struct sf_review_look *look, struct sf_review_args *args);
/* A mistyped path has no changes, which must not pass for a change without faults. */
bool sf_review_paths_check(struct sf_review_look *look, const struct sf_review_span *span,
                           struct sf_error *err) SF_MUST_CHECK;

/* ---- review_withheld.c ---- */

/* Whether the file is left out. */
bool sf_review_withhold(struct sf_review_look *look, const char *path);
/* With so many the list may be incomplete, and what it lacks would be shown. */
bool sf_review_withheld_fit(const struct sf_review_look *look, struct sf_error *err) SF_MUST_CHECK;
/* Learns what stood in secrets, and finds which changed files are left out. */
bool sf_review_withheld_find(struct sf_review_look *look, const struct sf_review_span *span,
                             struct sf_error *err) SF_MUST_CHECK;

/* ---- review_binary.c ---- */

/* What is text is shown as such, whatever an attribute calls it. */
bool sf_review_binary_read(struct sf_review_look *look, const struct sf_review_span *span,
                           struct sf_error *err) SF_MUST_CHECK;

#endif
