/*
 * review: reports of reviews, for surfaces. The report comes as an event, live or from the log;
 * these functions say what it means and put it into words.
 */
#ifndef SF_PORT_REVIEW_H
#define SF_PORT_REVIEW_H

#include "base/base.h"
#include "session/session.h"

/* What a run that is to find faults has come to. */
enum sf_reviewed {
    SF_REVIEWED_NOT_YET, /* it runs */
    SF_REVIEWED_PASSED,  /* no finding is as severe as the one that fails a run */
    SF_REVIEWED_FAILED,  /* some are */
    SF_REVIEWED_PART,    /* no such finding, but the reviewer did not see all of the change */
    SF_REVIEWED_NOTHING, /* nobody has judged the change */
};

enum sf_reviewed sf_event_reviewed(const struct sf_event *event);

/* "src/a.c:12: major: title", each with its explanation; nothing while the review runs. */
void sf_event_review_text(const struct sf_event *event, struct sf_strbuf *out);

/* The same in short, as Markdown for a conversation. */
void sf_event_review_page(const struct sf_event *event, struct sf_strbuf *out);

#endif
