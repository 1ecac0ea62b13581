/*
 * confirm.c: what a confirmation given beforehand covers. It speaks of plain deletions alone: a
 * file tool that deletes, or a command in which nothing but rm and the like destroys. Whatever is
 * not known to be covered is not.
 */
#include "guard/confirm.h"

static const char word[] = "delete";

/* ---- reading ---- */

static bool refuse_path(struct sf_error *err, const char *path, const char *why)
{
    sf_fail(err, SF_E_ARG, "cannot confirm '%s': %s", path, why);
    return sf_hint(err, "name files and directories below the workspace: delete:build,old/a.c");
}

static bool has_dots(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (!strncmp(p, "..", 2) && (!p[2] || p[2] == '/'))
            return true;
    }
    return false;
}

/* Paths are kept without dots and slashes at their ends, as resolved paths have them. */
static bool add_path(struct sf_confirmation *c, const char *text, size_t len, struct sf_error *err)
{
    char *path = sf_strndup(text, len), *start = path;
    size_t n;
    bool ok;

    while (!strncmp(start, "./", 2))
        start += 2;
    for (n = strlen(start); n > 1 && start[n - 1] == '/'; n--)
        start[n - 1] = '\0';
    ok = *start == '/'          ? refuse_path(err, path, "it is absolute")
         : has_dots(start)      ? refuse_path(err, path, "it leads upwards")
         : !*start              ? refuse_path(err, path, "it is empty")
         : strpbrk(start, "*?") ? refuse_path(err, path, "patterns are not taken")
         : !strcmp(start, ".")  ? refuse_path(err, path, "it is the whole workspace; leave it out")
                                : true;
    if (ok)
        sf_strlist_add(&c->paths, start);
    free(path);
    return ok;
}

bool sf_confirmation_read(struct sf_confirmation *c, const char *text, struct sf_error *err)
{
    size_t n = strlen(word);

    if (strncmp(text, word, n) != 0 || (text[n] && text[n] != ':')) {
        sf_fail(err, SF_E_ARG, "cannot confirm '%s' beforehand", text);
        return sf_hint(err, "only deletions can be: delete, or delete:PATH,PATH");
    }
    c->deletes = true;
    if (!text[n])
        return true;
    for (const char *p = text + n + 1;; p++) {
        size_t len = strcspn(p, ",");

        if (!add_path(c, p, len, err))
            return false;
        p += len;
        if (!*p)
            return true;
    }
}

void sf_confirmation_release(struct sf_confirmation *c)
{
    sf_strlist_release(&c->paths);
    free(c->who);
    *c = (struct sf_confirmation)SF_CONFIRMATION_INIT;
}

/* ---- deciding ---- */

/* Programs that delete what they name, and some beside which nothing else is destroyed. */
static bool is_plain(const char *program)
{
    static const char *const names[] = { "rm",   "rmdir", "unlink", "cd", "echo", "printf",
                                         "true", ":",     "test",   "[",  "ls",   "pwd" };

    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!strcmp(names[i], program))
            return true;
    return false;
}

static bool is_plain_command(const struct sf_shell_report *r)
{
    bool plain = !strcmp(r->rule, word) && (r->removes.count || r->removes_like.count) &&
                 !r->removes_more && !r->more && !r->redirects && !r->steered && !r->talks;

    for (size_t i = 0; i < r->programs.count; i++)
        plain = plain && is_plain(r->programs.items[i]);
    /* `rmdir -p a/b` also deletes a */
    return plain && !(sf_strlist_has(&r->programs, "rmdir") && r->options.count);
}

bool sf_confirmation_speaks(const struct sf_action *a)
{
    return a->act == SF_ACT_DELETE || (a->act == SF_ACT_SHELL && is_plain_command(a->shell));
}

/* Whether `path` is `top` or lies below it. */
static bool is_below(const char *path, const char *top)
{
    size_t n = strlen(top);

    return !strncmp(path, top, n) && (!path[n] || path[n] == '/');
}

static bool is_named(const struct sf_confirmation *c, const char *path)
{
    bool named = !c->paths.count;

    for (size_t i = 0; i < c->paths.count && !named; i++)
        named = is_below(path, c->paths.items[i]);
    return named;
}

static bool is_deleted(const struct sf_deletion *d, const char *path)
{
    for (size_t i = 0; i < d->paths.count; i++)
        if (is_below(path, d->paths.items[i]))
            return true;
    return false;
}

/* Nothing is written but what is deleted, and all of it lies where it seems to. */
static bool only_deletes(const struct sf_action *a)
{
    for (size_t i = 0; i < a->path_count; i++) {
        const struct sf_action_path *p = &a->paths[i];

        if (p->refused || p->shared || p->outside ||
            (p->writes && (p->zone != SF_PATH_INSIDE || !is_deleted(a->deletion, p->path))))
            return false;
    }
    return true;
}

bool sf_confirmation_covers(const struct sf_confirmation *c, const struct sf_action *a,
                            const char **why)
{
    const struct sf_deletion *d = a->deletion;

    *why = "it does more than delete files that it names";
    if (!c->deletes || !sf_confirmation_speaks(a))
        return false;
    *why = "what it would delete is not known";
    if (!d || !d->known || !d->paths.count)
        return false;
    for (size_t i = 0; i < d->paths.count; i++) {
        *why = "it would delete the workspace itself";
        if (!*d->paths.items[i])
            return false;
        *why = "it would delete what was not confirmed";
        if (!is_named(c, d->paths.items[i]))
            return false;
    }
    *why = "it does more than delete files of the workspace";
    if (!only_deletes(a))
        return false;
    *why = d->lacks ? d->lacks : "no snapshot would hold all of it";
    return d->whole;
}
