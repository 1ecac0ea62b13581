/*
 * schema: what a task of a plan says, one row for each field. The reader, the writer, the JSON, the
 * document and the words that tell a model how a plan looks are all made from these rows.
 */
#ifndef SF_PLAN_SCHEMA_H
#define SF_PLAN_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

enum sf_risk { SF_RISK_LOW, SF_RISK_MEDIUM, SF_RISK_HIGH };

enum sf_mutation {
    SF_MUTATION_NONE,
    SF_MUTATION_DOCS,
    SF_MUTATION_CODE,
    SF_MUTATION_CONFIG,
    SF_MUTATION_DATA,
    SF_MUTATION_EXTERNAL,
};

enum sf_task_approval { SF_TASK_APPROVAL_NONE, SF_TASK_APPROVAL_ASK };

enum {
    SF_PLAN_BYTES = 4 * 1024 * 1024,
    SF_PLAN_TASKS = 10000,
    SF_PLAN_TITLE = 200,       /* bytes of a title */
    SF_PLAN_NOTES = 64 * 1024, /* bytes of the words below one heading */
    SF_PLAN_LIST = 200,        /* files of a task, and what it depends on */
    SF_PLAN_NUMBER = 99999,    /* the largest number of an id */
};

enum sf_plan_kind {
    SF_PLAN_KIND_TEXT,     /* any number of lines: const char * */
    SF_PLAN_KIND_LINE,     /* one line: const char * */
    SF_PLAN_KIND_FILES,    /* struct sf_plan_files */
    SF_PLAN_KIND_WORD,     /* one of `words`: int */
    SF_PLAN_KIND_REFS,     /* struct sf_plan_refs */
    SF_PLAN_KIND_MINUTES,  /* int, 0: not said */
    SF_PLAN_KIND_PRIORITY, /* int */
};

struct sf_plan_field {
    const char *name;
    enum sf_plan_kind kind;
    bool required;
    size_t offset;            /* of its member in struct sf_plan_task */
    size_t most;              /* bytes of a text, or the largest number */
    const char *const *words; /* NULL-terminated, by the value of the enum */
    int fallback;             /* of a word or a number that is not said */
    const char *form;         /* how a value looks */
    const char *help;
};

extern const struct sf_plan_field sf_plan_fields[]; /* ends with a row without a name */

/* The row of that name; NULL: none. */
const struct sf_plan_field *sf_plan_field_find(const char *name, size_t len);

#endif
