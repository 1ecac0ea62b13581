/*
 * event_table: the types of objects that a program reads, and their members. Internal to this room:
 * others use port/event_json.h.
 */
#ifndef SF_PORT_EVENT_TABLE_H
#define SF_PORT_EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "session/session.h"

enum sf_member_type {
    SF_MEMBER_TEXT,
    SF_MEMBER_INTEGER,
    SF_MEMBER_NUMBER,
    SF_MEMBER_BOOLEAN,
    SF_MEMBER_TIME,     /* RFC 3339 in UTC */
    SF_MEMBER_OBJECT,   /* of `shape` */
    SF_MEMBER_OBJECTS,  /* a list of objects of `shape` */
    SF_MEMBER_INTEGERS, /* a list */
    SF_MEMBER_TEXTS,    /* a list */
    SF_MEMBER_ANY,      /* any value, by a schema of the user's */
    SF_MEMBER_OPEN,     /* an object whose members sf does not define */
};

enum sf_member_need {
    SF_NEED_ALWAYS,
    SF_NEED_NULL, /* always present, null if there is no value */
    SF_NEED_SOME, /* missing if there is no value */
};

/* How the value of a member is found in an event, by its type. */
typedef struct sf_event_words sf_event_text_fn(const struct sf_event *event); /* NULL: nothing. */
typedef int64_t sf_event_integer_fn(const struct sf_event *event);
typedef double sf_event_number_fn(const struct sf_event *event);
typedef bool sf_event_boolean_fn(const struct sf_event *event);
typedef void sf_event_object_fn(const struct sf_event *event, struct sf_json_writer *w);
typedef const char *sf_event_choice_fn(size_t index); /* NULL behind the last value. */

/*
 * One member. Its type selects the function of the union that gets the value. Members of a shape
 * have none if `object` of the member above them writes the whole object.
 */
struct sf_member {
    const char *name;
    enum sf_member_type type;
    enum sf_member_need need;
    bool stable; /* keeps its meaning within a version; otherwise the value is for people */
    const char *help;
    const struct sf_shape *shape; /* of an object, or of each in a list */
    sf_event_choice_fn *choice;   /* the only values of a text; or NULL */
    union {
        sf_event_text_fn *text;
        sf_event_integer_fn *integer;
        sf_event_number_fn *number;
        sf_event_boolean_fn *boolean;
        sf_event_object_fn *object;
    };
    sf_event_boolean_fn *has; /* NULL: there is always something to say */
};

/* A nested object. */
struct sf_shape {
    const char *name, *help;
    const struct sf_member *members;
    size_t count;
};

/* A type of object: a kind of event of the user's own session or of a sub-agent's. */
struct sf_event_type {
    const char *name, *help;
    enum sf_event_kind kind;
    bool of_agents; /* for sub-agents only; the user's own session has another type */
    const struct sf_member *members; /* besides the common members */
    size_t count;
};

extern const struct sf_member sf_event_common[]; /* the head of every object */
extern const size_t sf_event_common_count;
extern const struct sf_event_type sf_event_types[];
extern const size_t sf_event_type_count;
extern const struct sf_shape *const sf_event_shapes[]; /* ends with NULL */

#endif
