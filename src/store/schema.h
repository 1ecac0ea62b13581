/*
 * schema: the tables of sf.db as numbered, one-way migrations. A released migration is never
 * edited: a change is a new row at the end. Internal to the store.
 */
#ifndef SF_STORE_SCHEMA_H
#define SF_STORE_SCHEMA_H

#include <stddef.h>

/* "sf.1" in the header of every store, so that another database is never taken for one. */
#define SF_STORE_APPLICATION_ID 0x73662e31

#define SF_STORE_PAGE_SIZE 4096

struct sf_store_migration {
    int version; /* the schema number after it ran, counted from 1 */
    const char *name;
    const char *const *statements; /* ends with NULL */
};

extern const struct sf_store_migration sf_store_migrations[];
extern const size_t sf_store_migration_count;

int sf_store_schema_version(void); /* the newest number */

/* Every table, ordered so that the tables it refers to come first. */
struct sf_store_table {
    const char *name;
    int since; /* the migration that makes it */
};

extern const struct sf_store_table sf_store_tables[];
extern const size_t sf_store_table_count;

#endif
