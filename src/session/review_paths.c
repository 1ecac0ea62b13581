/*
 * review_paths.c: the paths that the user named, from where the user stands. They are passed to git
 * below the root; one that is nowhere is refused, as it would look like a file without changes.
 */
#include "io/io.h"
#include "session/review_ask.h"

bool sf_review_path_is_there(const struct sf_review_look *l, const char *name)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    char *path = *l->below ? sf_path_join(l->below, name) : sf_strdup(name);
    bool there = sf_place_resolve(l->root, path, strlen(path), SF_WANT_ANY, &place, &ignored) &&
                 place.inside && place.kind != SF_PLACE_NOTHING;

    sf_place_release(&place);
    free(path);
    return there;
}

/* A path of the user's, from where the user stands; "." of the root is everything. */
static void add_path(const struct sf_review_look *l, struct sf_review_args *a, const char *path)
{
    const char *root = l->root->path;
    size_t len = strlen(root);
    char *own = NULL;

    if (!strncmp(path, root, len) && path[len] == '/')
        path += len + 1;
    else if (*l->below && *path != '/')
        path = own = sf_path_join(l->below, path);
    while (!strncmp(path, "./", 2))
        path += 2;
    sf_review_args_spec(a, strpbrk(path, "*?[") ? "glob" : "literal",
                        strcmp(path, ".") ? path : "");
    free(own);
}

void sf_review_paths_add(const struct sf_review_look *l, struct sf_review_args *a)
{
    sf_review_args_add(a, "--");
    for (size_t i = 0; i < l->what.paths.count; i++)
        add_path(l, a, l->what.paths.items[i]);
}

/* ---- paths that are nowhere ---- */

static bool has_match(struct sf_review_look *l, const char *empty, const char *tree,
                      const char *path, struct sf_error *err)
{
    static const char *const words[] = { "--name-only", "-z", "--no-renames", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool has;
    struct sf_review_args a;

    sf_review_args_whole(l, &a, words, empty, tree);
    add_path(l, &a, path);
    has = sf_review_ask(l, &a, SF_REVIEW_NAME_BYTES, &out, err) != SF_REVIEW_ANSWER_NO && out.len;
    sf_strbuf_release(&out);
    return has;
}

/* New files, which only the workspace has. */
static bool has_fresh(struct sf_review_look *l, const char *path, struct sf_error *err)
{
    static const char *const words[] = { "ls-files", "--others", "-z", "--", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool has;
    struct sf_review_args a;

    sf_review_args_begin(l, &a, words);
    add_path(l, &a, path);
    has = sf_review_ask(l, &a, SF_REVIEW_NAME_BYTES, &out, err) != SF_REVIEW_ANSWER_NO && out.len;
    sf_strbuf_release(&out);
    return has;
}

bool sf_review_paths_check(struct sf_review_look *l, const struct sf_review_span *span,
                           struct sf_error *err)
{
    struct sf_strbuf empty = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;
    bool ok = !l->what.paths.count || sf_review_empty(l, &empty, err);

    for (size_t i = 0; ok && i < l->what.paths.count; i++) {
        const char *path = l->what.paths.items[i];

        if (sf_review_path_is_there(l, path) ||
            has_match(l, empty.buf, span->from.buf, path, err) ||
            has_match(l, empty.buf, span->to.len ? span->to.buf : NULL, path, err) ||
            has_fresh(l, path, err))
            continue;
        ok = false;
        sf_text_sanitize(&safe, path, strnlen(path, 80), SF_TEXT_ONE_LINE);
        if (err->code == SF_E_NONE)
            sf_fail(err, SF_E_NOENT, "there is no file called %s in what is compared", safe.buf);
    }
    sf_strbuf_release(&empty);
    sf_strbuf_release(&safe);
    return ok;
}
