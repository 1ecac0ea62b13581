/*
 * plan_read: what the files of the reader share: the text, the plan that is being made, and
 * references that wait until every heading is known. Internal to the room.
 */
#ifndef SF_PLAN_PLAN_READ_H
#define SF_PLAN_PLAN_READ_H

#include "plan/plan_file.h"

/* A piece of the text. */
struct sf_plan_slip {
    const char *at;
    size_t len;
};

/* A reference whose task was read. */
struct sf_plan_waiting {
    size_t task;
    struct sf_plan_slip word;
};

struct sf_plan_reader {
    const char *text;
    size_t len;
    struct sf_plan *plan;
    struct sf_plan_faults *faults;
    struct sf_map ids;               /* what each id names: struct sf_plan_ref */
    struct sf_plan_waiting *waiting; /* task by task */
    size_t waiting_count, waiting_cap;
};

/* Adds a fault at a place of the text; `hint` may be NULL. */
void sf_plan_fault(struct sf_plan_reader *r, const char *at, const char *hint, const char *format,
                   ...) SF_PRINTF(4, 5);

/* plan_head.c: the frontmatter; `*body_at` is where the rest begins. */
void sf_plan_read_head(struct sf_plan_reader *r, size_t *body_at);

/* plan_headings.c: opens a milestone, slice or task whose heading says `title`. */
void sf_plan_open(struct sf_plan_reader *r, enum sf_plan_level level, struct sf_plan_slip title,
                  unsigned line);
/* plan_headings.c: says that nothing stands below the heading. */
void sf_plan_empty_fault(struct sf_plan_reader *r, const struct sf_plan_heading *head);

/* plan_value.c: reads a value into its member of the last task. */
void sf_plan_read_value(struct sf_plan_reader *r, const struct sf_plan_field *field,
                        struct sf_plan_slip value);

/* plan_refs.c: resolves what waits, and refuses circles. */
void sf_plan_resolve(struct sf_plan_reader *r);

/* graph.c: a circle of dependencies as "M1/S1/T1 → M1/S1/T2 → M1/S1/T1", and the task that closes it. */
bool sf_plan_find_circle(const struct sf_plan *plan, struct sf_strbuf *path, size_t *task);

/* plan_text.c: without the indentation of the lines behind the first, and without blank ends. */
void sf_plan_dedent(const char *text, size_t len, struct sf_strbuf *out);

/* plan_text.c: whether people see the character: no control but line ends and tabs, nothing hidden. */
bool sf_plan_is_seen(uint32_t cp);

/* plan_text.c: without blanks at both ends. */
struct sf_plan_slip sf_plan_trim(struct sf_plan_slip s);

/* plan_text.c: what remains as a title when the marks that people put behind an id are gone. */
struct sf_plan_slip sf_plan_title(struct sf_plan_slip s);

/* plan_text.c: M12 with a letter of `letters`, behind which something else follows; 0: none. */
size_t sf_plan_id_read(const char *text, size_t len, char letter, int *number);

#endif
