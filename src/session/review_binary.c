/*
 * review_binary.c: files that attributes call binary. The repository chooses its attributes, so a
 * change could hide behind one; such files are read as text, and shown if they are.
 */
#include "session/review_ask.h"

enum { TEXT_FILES = 64 }; /* files that git calls binary for their attributes */

/* Attributes say that it is; then git looks at no byte of it. */
static bool list_called_binary(struct sf_review_look *l, struct sf_strlist *names,
                               struct sf_error *err)
{
    static const char *const words[] = { "check-attr", "-z", "diff", "--", NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_review_answer answer = SF_REVIEW_ANSWER_NO;
    size_t wanted = 0;
    struct sf_review_args a;

    sf_review_args_begin(l, &a, words);
    for (size_t i = 0; i < l->diff.count && sf_review_args_fit(&a, l->diff.files[i].path); i++) {
        if (l->diff.files[i].added != -1)
            continue;
        sf_review_args_add(&a, l->diff.files[i].path);
        wanted++;
    }
    if (wanted)
        answer = sf_review_ask(l, &a, SF_REVIEW_LIST_BYTES, &out, err);
    else
        sf_strlist_release(&a.list);
    for (size_t at = 0; answer == SF_REVIEW_ANSWER_YES && at < out.len;) {
        const char *path = out.buf + at, *name = path + strlen(path) + 1;
        const char *value = name < out.buf + out.len ? name + strlen(name) + 1 : name;

        if (value >= out.buf + out.len)
            break;
        if (strcmp(value, "unspecified") != 0 && names->count < TEXT_FILES)
            sf_strlist_add(names, path);
        at = (size_t)(value - out.buf) + strlen(value) + 1;
    }
    sf_strbuf_release(&out);
    return err->code == SF_E_NONE;
}

bool sf_review_binary_read(struct sf_review_look *l, const struct sf_review_span *span,
                           struct sf_error *err)
{
    static const char *const words[] = { "--patch", "--text", "-M", "--unified=4", NULL };
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool ok = list_called_binary(l, &names, err);
    struct sf_review_args a;

    for (size_t i = 0; ok && i < names.count; i++) {
        const struct sf_review_file *f = sf_review_diff_find(&l->diff, names.items[i]);

        sf_review_args_diff(l, &a, words, span);
        sf_review_args_add(&a, "--");
        sf_review_args_spec(&a, "literal", names.items[i]);
        if (f && f->from)
            sf_review_args_spec(&a, "literal", f->from);
        if (sf_review_ask(l, &a, SF_REVIEW_PATCH_BYTES, &out, err) == SF_REVIEW_ANSWER_YES &&
            !memchr(out.buf, '\0', out.len))
            sf_review_diff_patch(&l->diff, out.buf, out.len);
        ok = err->code == SF_E_NONE;
    }
    sf_strlist_release(&names);
    sf_strbuf_release(&out);
    return ok;
}
