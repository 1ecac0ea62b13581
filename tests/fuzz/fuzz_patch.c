/*
 * Any bytes as a patch and as the file it meets. Refusals say why and leave nothing; what is
 * applied removes and adds no more lines than the patch names; a plan touches only what it
 * reads.
 */
#include <stdint.h>
#include <stdio.h>

#include "edit/edit.h"

#define HOLDS(promise)                                                    \
    do {                                                                  \
        if (!(promise)) {                                                 \
            fprintf(stderr, "line %d: broken: %s\n", __LINE__, #promise); \
            abort();                                                      \
        }                                                                 \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct file {
    const char *bytes;
    size_t len;
};

static bool read_file(void *ctx, const char *path, struct sf_strbuf *bytes, bool *exists,
                      struct sf_error *err)
{
    const struct file *file = ctx;

    (void)err;
    HOLDS(path[0]);
    *exists = path[0] != 'n';
    if (*exists)
        sf_strbuf_add(bytes, file->bytes, file->len);
    return true;
}

static size_t count_lines(const struct sf_patch_op *op, char sign)
{
    size_t n = 0;

    for (size_t i = 0; i < op->count; i++)
        for (size_t k = 0; k < op->hunks[i].count; k++)
            n += op->hunks[i].lines[k].op == sign;
    return n;
}

/* One line more on either side: the last one may gain or lose its newline. */
static void check_change(const struct sf_patch_op *op, const struct file *file,
                         const struct sf_edit_result *r)
{
    struct sf_diff diff;

    sf_diff_init(&diff, file->bytes, file->len, r->bytes.buf, r->bytes.len);
    if (!diff.coarse && (!file->len || !memchr(file->bytes, '\r', file->len))) {
        HOLDS(diff.removed <= count_lines(op, '-') + 1);
        HOLDS(diff.added <= count_lines(op, '+') + 1);
    }
    sf_diff_release(&diff);
}

static void check_paths(const struct sf_patch_op *op)
{
    const char *target = op->move_to ? op->move_to : "none";

    HOLDS(op->path[0] && target[0]);
    for (const char *c = op->path; *c; c++)
        HOLDS((unsigned char)*c >= 0x20 && *c != 0x7f);
    for (const char *c = target; *c; c++)
        HOLDS((unsigned char)*c >= 0x20 && *c != 0x7f);
}

static void check_op(const struct sf_patch_op *op, const struct file *file)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit_result r;

    check_paths(op);
    sf_edit_result_init(&r);
    if (!sf_patch_apply(op, file->bytes, file->len, &r, &err)) {
        HOLDS(!r.bytes.len && err.code != SF_E_NONE);
        HOLDS(strlen(op->path) > 200 || strstr(err.msg, op->path));
        HOLDS(r.detail.len < 32768 && sf_utf8_valid(r.detail.buf, r.detail.len, NULL));
    } else if (op->kind == SF_PATCH_UPDATE) {
        HOLDS(r.count == op->count);
        check_change(op, file, &r);
    } else {
        HOLDS(op->kind == SF_PATCH_ADD || !r.bytes.len);
    }
    sf_edit_result_release(&r);
}

static void check_plan(const struct sf_patch *patch, struct file *file)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_patch_plan plan;
    bool ok = sf_patch_plan(&plan, patch, read_file, file, &err);

    HOLDS(ok ? plan.count == patch->count : !plan.count && err.msg[0]);
    for (size_t i = 0; i < plan.count; i++) {
        HOLDS(plan.steps[i].existed || !plan.steps[i].old_bytes.len);
        HOLDS(plan.steps[i].kind != SF_PATCH_DELETE || !plan.steps[i].new_bytes.len);
    }
    sf_patch_plan_release(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *s = (const char *)data + 1;
    struct sf_patch *patch;
    struct file file;
    size_t cut;

    if (!size)
        return 0;
    cut = (size - 1) * data[0] / 255;
    file = (struct file){ s + cut, size - 1 - cut };
    patch = sf_patch_parse(s, cut, &err);
    if (!patch) {
        HOLDS(err.code == SF_E_SYNTAX || err.code == SF_E_LIMIT);
        HOLDS(err.msg[0]);
        return 0;
    }
    HOLDS(patch->count > 0);
    for (size_t i = 0; i < patch->count; i++)
        check_op(&patch->ops[i], &file);
    check_plan(patch, &file);
    sf_patch_free(patch);
    return 0;
}
