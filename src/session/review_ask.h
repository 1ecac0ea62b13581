/*
 * review_ask: what the files about the changes of a review share; internal to the room.
 * review_ask.c asks git one question, review_span.c which revisions are meant, and review_git.c
 * which files changed between them.
 */
#ifndef SF_SESSION_REVIEW_ASK_H
#define SF_SESSION_REVIEW_ASK_H

#include "session/review_git.h"

/* ---- review_ask.c ---- */

/* The arguments of one command, built up. */
struct sf_review_args {
    struct sf_strlist list;
    size_t bytes;
};

void sf_review_args_begin(const struct sf_review_look *look, struct sf_review_args *args,
                          const char *const *words);
void sf_review_args_add(struct sf_review_args *args, const char *text);

enum sf_review_answer { SF_REVIEW_ANSWER_NO, SF_REVIEW_ANSWER_YES, SF_REVIEW_ANSWER_CUT };

/* Asks and forgets the arguments. With NO, `err` says why, where it was not git's own no. */
enum sf_review_answer sf_review_ask(struct sf_review_look *look, struct sf_review_args *args,
                                    size_t cap, struct sf_strbuf *out, struct sf_error *err);

/* The answer in one line, without its line break; "": git said no. False: git could not be asked. */
bool sf_review_ask_line(struct sf_review_look *look, const char *const *words,
                        struct sf_strbuf *out, struct sf_error *err) SF_MUST_CHECK;

/* Comes first: what git would run because a repository's settings say so is off from here on. */
bool sf_review_switch_off(struct sf_review_look *look, struct sf_error *err) SF_MUST_CHECK;

/* ---- review_span.c ---- */

/* From where to where: two objects; `to` "": the workspace, or the index of staged changes. */
struct sf_review_span {
    struct sf_strbuf from, to;
};

/* The commit that is meant; "": there is none. */
bool sf_review_commit(struct sf_review_look *look, const char *name, struct sf_strbuf *out,
                      struct sf_error *err) SF_MUST_CHECK;
bool sf_review_span_find(struct sf_review_look *look, struct sf_review_span *span,
                         struct sf_error *err) SF_MUST_CHECK;

#endif
