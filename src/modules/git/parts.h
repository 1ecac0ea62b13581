/*
 * parts.h: what the files of the git module share. A pack is written to a temporary file, object
 * by object; its length is known only at the end, when header, checksum and index are made.
 */
#ifndef SF_MODULES_GIT_PARTS_H
#define SF_MODULES_GIT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "modules/modules.h"

struct sf_pack;

/* In DIR, which is objects/pack. */
struct sf_pack *sf_pack_new(const char *dir, struct sf_error *err);
bool sf_pack_add(struct sf_pack *pack, enum sf_object_kind kind, const struct sf_oid *oid,
                 const void *data, size_t len, struct sf_error *err) SF_MUST_CHECK;
uint64_t sf_pack_bytes(const struct sf_pack *pack);

/* Finishes and places it; the pack is freed either way. */
bool sf_pack_finish(struct sf_pack *pack, struct sf_error *err) SF_MUST_CHECK;
void sf_pack_free(struct sf_pack *pack); /* without a trace; NULL is welcome */

/* odb.c */
struct sf_odb *sf_odb_open(const char *objects, struct sf_error *err);
void sf_odb_close(struct sf_odb *odb);
bool sf_odb_has(struct sf_odb *odb, const struct sf_oid *oid);
bool sf_odb_read(struct sf_odb *odb, const struct sf_oid *oid, enum sf_object_kind kind,
                 struct sf_strbuf *out, struct sf_error *err);
bool sf_odb_each_packed(const char *idx, sf_oid_fn *fn, void *ctx, struct sf_error *err);

bool sf_odb_write(struct sf_odb *odb, enum sf_object_kind kind, const struct sf_strbuf *data,
                  struct sf_oid *out, struct sf_error *err);
bool sf_odb_copy(struct sf_odb *odb, const struct sf_oid *oid, struct sf_error *err);
uint64_t sf_odb_batched(const struct sf_odb *odb);
bool sf_odb_flush(struct sf_odb *odb, struct sf_error *err);
void sf_odb_drop(struct sf_odb *odb);

#endif
