/*
 * review_withheld.c: files that may hold secrets. Git is asked for names first, so that such a file
 * is left out before anything reads it; and what stood in one is learned, so that it is shown under
 * no other name.
 */
#include <sys/stat.h>

#include "guard/guard.h"
#include "io/io.h"
#include "judge/judge.h"
#include "session/review_ask.h"

enum {
    WITHHELD_MAX = 300,      /* files that may hold secrets */
    NAMES_BYTES = 64 << 20,  /* of a list of all files */
    SECRET_BYTES = 16 << 20, /* of the content of files that may hold secrets */
    SECRET_FILES = 2000,     /* such files in the workspace that are read */
    SECRET_HEAD = 1 << 20,   /* of each of them */
};

static bool may_be_secret(const struct sf_review_look *l, const char *path)
{
    const struct sf_path_found found = { .real = path, .inside = true, .links = 1 };

    return sf_path_classify(&found, l->places).zone == SF_PATH_CREDENTIAL;
}

/* One of its other names may be that of a secret, within the workspace or outside of it. */
static bool has_names(const struct sf_review_look *l, const char *path)
{
    char *full = sf_path_join(l->root->path, path);
    struct stat st;
    bool has = lstat(full, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 1;

    free(full);
    return has;
}

static void add_withheld(struct sf_review_look *l, const char *path)
{
    if (l->withheld.count < WITHHELD_MAX && !sf_strlist_has(&l->withheld, path))
        sf_strlist_add(&l->withheld, path);
}

bool sf_review_withhold(struct sf_review_look *l, const char *path)
{
    if (!may_be_secret(l, path) && !has_names(l, path))
        return false;
    add_withheld(l, path);
    return true;
}

bool sf_review_withheld_fit(const struct sf_review_look *l, struct sf_error *err)
{
    return l->withheld.count < WITHHELD_MAX ||
           sf_fail(err, SF_E_LIMIT, "%d changed files or more may hold secrets", WITHHELD_MAX);
}

/* Names first, which opens no file: those that may hold secrets are not even read. */
static bool find_withheld(struct sf_review_look *l, const struct sf_review_span *span,
                          struct sf_error *err)
{
    static const char *const words[] = { "--name-only", "-z", "--no-renames", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer;
    struct sf_review_args a;

    sf_review_args_diff(l, &a, words, span);
    sf_review_paths_add(l, &a);
    answer = sf_review_ask(l, &a, SF_REVIEW_LIST_BYTES, &out, err);
    for (size_t at = 0; answer == SF_REVIEW_ANSWER_YES && at < out.len;
         at += strlen(out.buf + at) + 1)
        sf_review_withhold(l, out.buf + at);
    sf_strbuf_release(&out);
    return sf_review_withheld_fit(l, err) &&
           (answer == SF_REVIEW_ANSWER_YES || sf_review_cannot(l, err, answer));
}

static void withhold_pair(struct sf_review_look *l, const char *from, const char *to)
{
    if (!may_be_secret(l, from) && !may_be_secret(l, to))
        return;
    add_withheld(l, from);
    add_withheld(l, to);
}

/*
 * What was renamed to or from such a file has its content. The other one may lie where the user did
 * not ask, so all paths count; files of the workspace are not opened: the index is asked.
 */
static bool find_renamed(struct sf_review_look *l, const struct sf_review_span *span,
                         struct sf_error *err)
{
    const char *words[] = { "--name-status", "-z", "-M30%", "--diff-filter=R", NULL, NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer;
    struct sf_review_args a;

    if (!span->to.len && l->what.of != SF_REVIEW_OF_STAGED)
        words[4] = "--cached";
    sf_review_args_diff(l, &a, words, span);
    sf_review_args_add(&a, "--");
    answer = sf_review_ask(l, &a, SF_REVIEW_LIST_BYTES, &out, err);
    for (size_t at = 0; answer == SF_REVIEW_ANSWER_YES && at < out.len;) {
        const char *from = out.buf + at + strlen(out.buf + at) + 1;
        const char *to = from < out.buf + out.len ? from + strlen(from) + 1 : from;

        if (to >= out.buf + out.len)
            break;
        withhold_pair(l, from, to);
        at = (size_t)(to - out.buf) + strlen(to) + 1;
    }
    sf_strbuf_release(&out);
    return answer == SF_REVIEW_ANSWER_YES || sf_review_cannot(l, err, answer);
}

/* ---- what stood in secrets ---- */

static bool list_secrets(struct sf_review_look *l, const char *const *words, const char *tree,
                         struct sf_strlist *names, struct sf_error *err)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer;
    struct sf_review_args a;

    sf_review_args_begin(l, &a, words);
    if (tree)
        sf_review_args_add(&a, tree);
    answer = sf_review_ask(l, &a, NAMES_BYTES, &out, err);
    for (size_t at = 0; answer == SF_REVIEW_ANSWER_YES && at < out.len;
         at += strlen(out.buf + at) + 1)
        if (may_be_secret(l, out.buf + at))
            sf_strlist_add(names, out.buf + at);
    sf_strbuf_release(&out);
    if (answer == SF_REVIEW_ANSWER_CUT)
        return sf_fail(err, SF_E_LIMIT, "there are too many files to find those that hold secrets");
    return answer == SF_REVIEW_ANSWER_YES || sf_review_cannot(l, err, answer);
}

static bool learn_contents(struct sf_review_look *l, const struct sf_strlist *names,
                           const char *empty, const char *tree, struct sf_error *err)
{
    static const char *const words[] = { "--patch", "--text", "--no-renames", "--unified=0", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_review_args a;
    bool ok = true;

    for (size_t i = 0; ok && i < names->count;) {
        enum sf_review_answer answer;

        sf_review_args_whole(l, &a, words, empty, tree);
        do
            sf_review_args_spec(&a, "literal", names->items[i++]);
        while (i < names->count && sf_review_args_fit(&a, names->items[i]));
        answer = sf_review_ask(l, &a, SECRET_BYTES, &out, err);
        if (answer == SF_REVIEW_ANSWER_CUT)
            ok = sf_fail(err, SF_E_LIMIT,
                         "the files that may hold secrets are too large to be kept apart");
        else
            ok = answer == SF_REVIEW_ANSWER_YES
                     ? sf_review_secrets_add(&l->secrets, out.buf, out.len, true, err)
                     : sf_review_cannot(l, err, answer);
    }
    sf_strbuf_release(&out);
    return ok;
}

/* The files as they are in the workspace, of which git may know nothing. */
static bool learn_files(struct sf_review_look *l, const struct sf_strlist *names,
                        struct sf_error *err)
{
    bool ok = true;

    for (size_t i = 0; ok && i < names->count && i < SECRET_FILES; i++) {
        struct sf_place place = SF_PLACE_INIT;
        struct sf_error ignored = SF_ERROR_INIT;
        struct sf_strbuf text = SF_STRBUF_INIT;
        const char *path = names->items[i];

        if (sf_place_resolve(l->root, path, strlen(path), SF_WANT_FILE, &place, &ignored) &&
            place.kind == SF_PLACE_FILE && sf_place_read_head(&place, SECRET_HEAD, &text, &ignored))
            ok = sf_review_secrets_add(&l->secrets, text.buf, text.len, false, err);
        sf_place_release(&place);
        sf_strbuf_release(&text);
    }
    return ok;
}

static bool learn_state(struct sf_review_look *l, const char *empty, const char *tree,
                        struct sf_error *err)
{
    static const char *const in_tree[] = { "ls-tree", "-r", "-z", "--name-only", NULL };
    static const char *const in_index[] = { "ls-files", "-z", "--cached", NULL };
    struct sf_strlist names = SF_STRLIST_INIT;
    bool ok = list_secrets(l, tree ? in_tree : in_index, tree, &names, err) &&
              learn_contents(l, &names, empty, tree, err) && (tree || learn_files(l, &names, err));

    sf_strlist_release(&names);
    return ok;
}

/*
 * Git finds renames only among so many files, and by likeness; a copied line is one all the same. So
 * the lines of everything that may be a secret are learned: before, after, and in the workspace.
 */
static bool learn_secrets(struct sf_review_look *l, const struct sf_review_span *span,
                          struct sf_error *err)
{
    static const char *const others[] = { "ls-files", "-z", "--others", NULL };
    struct sf_strbuf empty = SF_STRBUF_INIT;
    struct sf_strlist names = SF_STRLIST_INIT;
    bool ok = sf_review_empty(l, &empty, err) && learn_state(l, empty.buf, span->from.buf, err) &&
              (!span->to.len || learn_state(l, empty.buf, span->to.buf, err)) &&
              learn_state(l, empty.buf, NULL, err) && list_secrets(l, others, NULL, &names, err) &&
              learn_files(l, &names, err);

    sf_review_secrets_settle(&l->secrets);
    l->diff.secrets = &l->secrets;
    sf_strlist_release(&names);
    sf_strbuf_release(&empty);
    return ok;
}

bool sf_review_withheld_find(struct sf_review_look *l, const struct sf_review_span *span,
                             struct sf_error *err)
{
    return learn_secrets(l, span, err) && find_renamed(l, span, err) && find_withheld(l, span, err);
}
