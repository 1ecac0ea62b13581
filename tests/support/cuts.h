/*
 * cuts: three answers with text and calls, and where they are cut. The pure machine is cut at all
 * of these places (agent/cuts). Behind a network and a store, where a cut costs a hundred times as
 * much, it is cut where the decoder can tell two cuts apart, at the first and the last byte between
 * two things it has told, and at each tenth of the others (session/cuts); with SF_LONG at all.
 */
#ifndef SF_TESTS_SUPPORT_CUTS_H
#define SF_TESTS_SUPPORT_CUTS_H

#include "base/base.h"
#include "wire/wire.h"

enum { CUT_ANSWERS = 3, CUT_FORMATS = 3 };

struct cut_answer {
    const char *name, *steps;
    size_t every; /* bytes from one cut to the next */
};

extern const struct cut_answer cut_answers[CUT_ANSWERS];
extern const enum sf_wire_format cut_formats[CUT_FORMATS];

struct cut {
    size_t at;
    bool followed; /* by a reply that is whole */
};

struct cut_list {
    const struct cut_answer *answer;
    enum sf_wire_format format;
    struct cut *cuts;
    size_t count, cap;
    size_t total, complete; /* bytes of the answer; and until it has said that it is complete */
};

/* All places of the answer, whose bytes are given. */
void cut_list_all(struct cut_list *list, const char *bytes, size_t len);

/* Those of them which the decoder tells apart, and each tenth of the others. */
void cut_list_some(struct cut_list *list, const char *bytes, size_t len);

/* The script: each cut, and the whole replies behind those that have one. */
void cut_list_scenario(const struct cut_list *list, struct sf_strbuf *out);

/* For messages. */
void cut_list_name(const struct cut_list *list, size_t cut, struct sf_strbuf *out);

void cut_list_release(struct cut_list *list);

#endif
