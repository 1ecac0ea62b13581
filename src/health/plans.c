/*
 * plans.c: checks of plans: what was accepted is bound to the digest of its text, so a file that
 * was accepted and changed since is another plan. A file and an acceptance belong together if the
 * first heading is the same.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "health/internal.h"
#include "io/io.h"
#include "journal/journal.h"
#include "store/store.h"

enum { FILE_BYTES = 1024 * 1024, FILES_MAX = 1000 };

struct plan {
    char *title;
    char digest[SF_SHA256_HEX + 1];
    bool written; /* it has the head of a plan file */
};

struct plans {
    struct plan *items;
    size_t count, cap;
};

/* The first heading of a Markdown text; NULL: it has none. Owned. */
static char *title_of(const char *text)
{
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (at[0] == '#' && at[1] == ' ')
            return sf_strndup(at + 2, strcspn(at + 2, "\r\n"));
    return NULL;
}

static void add_plan(struct plans *plans, const char *text, const char *digest)
{
    struct plan plan = { .title = title_of(text), .written = !strncmp(text, "---\n", 4) };

    if (!plan.title)
        return;
    snprintf(plan.digest, sizeof(plan.digest), "%s", digest);
    plans->items = sf_grow(plans->items, &plans->cap, plans->count + 1, sizeof(plan));
    plans->items[plans->count++] = plan;
}

static void release(struct plans *plans)
{
    for (size_t i = 0; i < plans->count; i++)
        free(plans->items[i].title);
    free(plans->items);
}

/* ---- from the log ---- */

struct log {
    struct sf_strlist accepted; /* digests */
    struct plans *out;
};

static bool take_event(const struct sf_event_row *row, void *ctx)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct log *log = ctx;
    struct sf_json *json = sf_json_parse(row->json, row->len, NULL, &ignored);
    const char *digest, *text;

    if (json && sf_json_get_str(json, "digest", &digest, &ignored)) {
        if (!strcmp(row->kind, SF_LOG_PLAN_ACCEPTED))
            sf_strlist_add(&log->accepted, digest);
        else if (sf_strlist_has(&log->accepted, digest) &&
                 sf_json_get_str(json, "text", &text, &ignored))
            add_plan(log->out, text, digest);
    }
    sf_json_free(json);
    return true;
}

static bool read_accepted(const char *dir, struct plans *out, struct sf_error *err)
{
    static const char *const kinds[] = { SF_LOG_PLAN_ACCEPTED, SF_LOG_PLAN_SUBMITTED };
    struct log log = { .accepted = SF_STRLIST_INIT, .out = out };
    struct sf_store *store = sf_store_open(dir, SF_STORE_READ, err);
    bool ok = store != NULL;

    for (size_t i = 0; ok && i < SF_COUNT(kinds); i++) {
        const struct sf_event_filter filter = { .kind = kinds[i], .limit = FILES_MAX };

        ok = sf_store_each_event(store, &filter, take_event, &log, err);
    }
    sf_store_close(store);
    sf_strlist_release(&log.accepted);
    return ok;
}

/* ---- from the workspace ---- */

struct files {
    struct plans plans;
    struct sf_strlist names;
};

static bool take_file(void *ctx, const char *path, const struct stat *st)
{
    struct files *f = ctx;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char digest[SF_SHA256_HEX + 1];
    size_t before = f->plans.count, len = strlen(path);

    if (S_ISREG(st->st_mode) && len > 3 && !strcmp(path + len - 3, ".md") &&
        sf_file_read(path, FILE_BYTES, &text, &ignored) && text.len) {
        sf_sha256_hex(text.buf, text.len, digest);
        add_plan(&f->plans, text.buf, digest);
        if (f->plans.count > before)
            sf_strlist_add(&f->names, strrchr(path, '/') + 1);
    }
    sf_strbuf_release(&text);
    return true;
}

/* ---- comparing ---- */

typedef void compare_fn(struct sf_health *h, const struct plans *accepted,
                        const struct files *files);

static void look_plans(struct sf_health *h, compare_fn *compare)
{
    struct files files = { .names = SF_STRLIST_INIT };
    struct sf_health_walk walk = { .fn = take_file, .ctx = &files, .left = FILES_MAX };
    struct plans accepted = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    char *dir;

    if (!sf_health_has_workspace(h) || !sf_health_has_state(h))
        return;
    if (!sf_health_exists(h->at->state_dir, "sf.db")) {
        sf_health_say(h, SF_HEALTH_OK, "", "no plan was accepted yet");
        return;
    }
    dir = sf_path_join(h->at->workspace->root, ".sf/plans");
    sf_health_walk(&walk, dir);
    if (read_accepted(h->at->state_dir, &accepted, &err))
        compare(h, &accepted, &files);
    else
        sf_health_error(h, SF_HEALTH_WARNING, &err);
    free(dir);
    release(&accepted);
    release(&files.plans);
    sf_strlist_release(&files.names);
}

/* Whether the plan of that title was accepted, and in these very bytes. */
static bool is_accepted(const struct plans *accepted, const struct plan *plan, bool *same)
{
    bool found = false;

    *same = false;
    for (size_t i = 0; i < accepted->count; i++)
        if (!strcmp(accepted->items[i].title, plan->title)) {
            found = true;
            *same = *same || !strcmp(accepted->items[i].digest, plan->digest);
        }
    return found;
}

static void compare_files(struct sf_health *h, const struct plans *accepted,
                          const struct files *files)
{
    size_t changed = 0;
    bool same;

    for (size_t i = 0; i < files->plans.count; i++)
        if (is_accepted(accepted, &files->plans.items[i], &same) && !same) {
            changed++;
            sf_health_say(h, SF_HEALTH_WARNING, "submit it again, or put it back: git checkout",
                          "the plan .sf/plans/%s changed since it was accepted",
                          files->names.items[i]);
        }
    if (!changed)
        sf_health_say(h, SF_HEALTH_OK, "", "no accepted plan changed");
}

void sf_health_look_plan_files(struct sf_health *h)
{
    look_plans(h, compare_files);
}

static bool has_title(const struct plans *plans, const char *title)
{
    for (size_t i = 0; i < plans->count; i++)
        if (!strcmp(plans->items[i].title, title))
            return true;
    return false;
}

static void compare_rows(struct sf_health *h, const struct plans *accepted,
                         const struct files *files)
{
    size_t gone = 0;

    for (size_t i = 0; i < accepted->count; i++)
        if (accepted->items[i].written && !has_title(&files->plans, accepted->items[i].title)) {
            gone++;
            sf_health_say(h, SF_HEALTH_WARNING, "put its file back into .sf/plans/",
                          "the file of an accepted plan is gone: %s", accepted->items[i].title);
        }
    if (!gone)
        sf_health_say(h, SF_HEALTH_OK, "", "every accepted plan has its file");
}

void sf_health_look_plan_rows(struct sf_health *h)
{
    look_plans(h, compare_rows);
}
