/*
 * scope_products.c: what a build or a test leaves behind. A new file that git does not know is a
 * product, not a trespass, unless it is text in a place that another scope is for: then somebody
 * wrote it. Products stay, and each is named once in a session, with the line that hides it.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "session/internal.h"

enum { SAMPLE = 8192, LISTED = 5 };

const char sf_scope_product[] = "a product of the command";

void sf_scope_places(const struct sf_scope_set *scopes, const char *own, struct sf_strlist *out)
{
    const struct sf_scope *scope;
    size_t cursor = 0;

    while ((scope = sf_scope_next(scopes, &cursor)))
        for (const char *const *e = scope->writable; *e; e++)
            if (strcmp(scope->name, own) != 0 && strcmp(*e, "*") != 0)
                sf_strlist_add(out, *e);
}

static bool is_in_place(const struct sf_strlist *places, const char *path)
{
    for (size_t i = 0; i < places->count; i++)
        if (sf_scope_entry_allows(places->items[i], path, strlen(path)))
            return true;
    return false;
}

/* What cannot be read counts as text, so that it is put back rather than left. */
static bool is_text(const char *root, const char *path)
{
    char *full = sf_path_join(root, path), sample[SAMPLE];
    int fd = open(full, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, sample, sizeof(sample)) : -1;

    if (fd >= 0)
        close(fd);
    free(full);
    return n < 0 || !memchr(sample, '\0', (size_t)n);
}

bool sf_scope_is_product(const struct sf_strlist *places, const char *root,
                         const struct sf_snap_change *change)
{
    if (!change->from_mode || change->to_mode)
        return false;
    if (!is_in_place(places, change->path))
        return true;
    return S_ISREG(change->from_mode) && !is_text(root, change->path);
}

/* Characters that mean something in an ignore file are made harmless. */
static void add_rule(struct sf_strbuf *out, const char *path)
{
    sf_strbuf_addch(out, '/');
    for (; *path; path++) {
        if (strchr("\\*?[ ", *path))
            sf_strbuf_addch(out, '\\');
        sf_strbuf_addch(out, *path);
    }
}

static void add_list(struct sf_strbuf *out, const struct sf_strlist *paths, bool rules)
{
    for (size_t i = 0; i < paths->count && i < LISTED; i++) {
        struct sf_strbuf one = SF_STRBUF_INIT;

        if (rules)
            add_rule(&one, paths->items[i]);
        else
            sf_strbuf_adds(&one, paths->items[i]);
        sf_strbuf_adds(out, i ? ", " : "");
        sf_safe_add(out, one.buf, one.len);
        sf_strbuf_release(&one);
    }
    if (paths->count > LISTED)
        sf_strbuf_addf(out, " and %zu more", paths->count - LISTED);
}

void sf_scope_products_tell(struct sf_strlist *named, const struct sf_strlist *found,
                            struct sf_strbuf *out)
{
    struct sf_strlist fresh = SF_STRLIST_INIT;

    for (size_t i = 0; i < found->count; i++)
        if (!sf_strlist_has(named, found->items[i])) {
            sf_strlist_add(named, found->items[i]);
            sf_strlist_add(&fresh, found->items[i]);
        }
    if (fresh.count) {
        sf_strbuf_addf(out, "[sf] The command left %s that git does not ignore: ",
                       fresh.count == 1 ? "a new file" : "new files");
        add_list(out, &fresh, false);
        sf_strbuf_addf(out, ". %s. In .gitignore, this would hide %s: ",
                       fresh.count == 1 ? "It stays" : "They stay",
                       fresh.count == 1 ? "it" : "them");
        add_list(out, &fresh, true);
        sf_strbuf_addch(out, '\n');
    }
    sf_strlist_release(&fresh);
}
