/*
 * faults.c: collects faults up to a ceiling and prints them in the manner of compilers, which
 * editors and models know how to read.
 */
#include "plan/faults.h"

void sf_plan_faults_release(struct sf_plan_faults *faults)
{
    free(faults->items);
    *faults = (struct sf_plan_faults)SF_PLAN_FAULTS_INIT;
}

void sf_plan_faults_add(struct sf_plan_faults *faults, const struct sf_error *fault)
{
    if (faults->count == SF_PLAN_FAULTS_MAX) {
        faults->left_out++;
        return;
    }
    faults->items = sf_grow(faults->items, &faults->cap, faults->count + 1, sizeof(*faults->items));
    faults->items[faults->count++] = *fault;
}

static int by_place(const void *a, const void *b)
{
    const struct sf_error *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->column == y->column ? 0 : x->column < y->column ? -1 : 1;
}

void sf_plan_faults_sort(struct sf_plan_faults *faults)
{
    if (faults->count)
        qsort(faults->items, faults->count, sizeof(*faults->items), by_place);
}

void sf_plan_faults_text(const struct sf_plan_faults *faults, const char *name,
                         struct sf_strbuf *out)
{
    for (size_t i = 0; i < faults->count; i++) {
        const struct sf_error *f = &faults->items[i];

        sf_strbuf_addf(out, "%s:%u:%u: %s%s%s\n", name, f->line, f->column, f->msg,
                       f->hint[0] ? "; " : "", f->hint);
    }
    if (faults->left_out)
        sf_strbuf_addf(out, "%s: %zu more\n", name, faults->left_out);
}
