/*
 * project_scan: a first look at a repository: its name, languages, commands, layout. Made from file
 * names and from a few files of known format; nothing is run, links are not followed, and files
 * that are too large, too many or oddly named are skipped. Every text in a scan is plain: letters,
 * digits and a little punctuation, safe in Markdown, TOML and terminals.
 *
 * Life: SF_PROJECT_SCAN_INIT, sf_project_scan_look, use, sf_project_scan_release.
 */
#ifndef SF_WORKSPACE_PROJECT_SCAN_H
#define SF_WORKSPACE_PROJECT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "verify/verify.h"

struct sf_project_scan {
    char *name;
    char *about;                            /* one line of the project's own, or NULL */
    struct sf_strlist languages;            /* "Rust" */
    struct sf_strlist commands;             /* "test\tcargo test" */
    struct sf_strlist layout;               /* "src/\tsources", or "x/\t" */
    struct sf_strlist style;                /* ".editorconfig" */
    struct sf_strlist sources, tests, docs; /* entries of scopes: "src/", "go.mod" */
};

/* clang-format off */
#define SF_PROJECT_SCAN_INIT { NULL, NULL, SF_STRLIST_INIT, SF_STRLIST_INIT, SF_STRLIST_INIT, \
                         SF_STRLIST_INIT, SF_STRLIST_INIT, SF_STRLIST_INIT, SF_STRLIST_INIT }
/* clang-format on */

bool sf_project_scan_look(struct sf_project_scan *sketch, const char *root,
                          struct sf_error *err) SF_MUST_CHECK;
void sf_project_scan_release(struct sf_project_scan *sketch);

/* The commands that would verify the project in `root`, the one to run first. */
bool sf_project_scan_checks(const char *root, struct sf_checks *out,
                            struct sf_error *err) SF_MUST_CHECK;

/* ---- project_scan_text.c: the scan as files ---- */

/* Appends the text of AGENTS.md. */
void sf_project_scan_agents(const struct sf_project_scan *sketch, struct sf_strbuf *out);

/* Appends the text of .sf/config.toml with the scopes that were found; nothing if none were. */
void sf_project_scan_config(const struct sf_project_scan *sketch, struct sf_strbuf *out);

/* ---- project_scan_manifest.c: files of known format ---- */

/* Reads the manifests among `names`, which are the entries of the directory `dir`. */
void sf_project_scan_manifests(struct sf_project_scan *sketch, int dir,
                               const struct sf_strlist *names);

/* The same of an open directory with these entries. */
void sf_project_scan_checks_in(int dir, const struct sf_strlist *names, struct sf_checks *out);

bool sf_project_scan_is_plain(const char *name); /* safe in a path and in text */
void sf_project_scan_add(struct sf_strlist *list, const char *text); /* no duplicates, limited */

#endif
