/*
 * toml_edit: changes one key of a TOML text and leaves every other byte where it was:
 * comments, order, blank lines, line endings. An edit is made, read back and compared with
 * what was meant; when anything else would change, the text stays as it was and the edit fails.
 */
#ifndef SF_BASE_TOML_EDIT_H
#define SF_BASE_TOML_EDIT_H

#include "base/error.h"
#include "base/strbuf.h"

/* Sets the key at `path` to `literal`, a value as TOML writes it. */
bool sf_toml_edit_set(struct sf_strbuf *text, const char *const *path, size_t depth,
                      const char *literal, struct sf_error *err) SF_MUST_CHECK;

/* Takes the key's line out; SF_E_NOENT when there is no such key. */
bool sf_toml_edit_unset(struct sf_strbuf *text, const char *const *path, size_t depth,
                        struct sf_error *err) SF_MUST_CHECK;

#endif
