/*
 * mem: memory that is always there. Running out of it ends the program through one hook, by
 * which the surface first puts the terminal back; callers therefore never test for NULL.
 * Sizes from outsiders need a ceiling before they come here. Products are overflow-checked.
 * All but mapped memory is released with free().
 */
#ifndef SF_BASE_MEM_H
#define SF_BASE_MEM_H

#include <stddef.h>

void *sf_alloc(size_t size); /* zeroed */
void *sf_alloc_array(size_t count, size_t size);
void *sf_realloc_array(void *items, size_t count, size_t size);
char *sf_strdup(const char *text);
char *sf_strndup(const char *text, size_t len);

/*
 * Makes room for `need` elements of `size` bytes, at least doubling `*cap` when it must grow.
 * Returns the array's new place: `list = sf_grow(list, &cap, count + 1, sizeof(*list))`.
 */
void *sf_grow(void *items, size_t *cap, size_t need, size_t size);

/* Whole pages beside the heap, zeroed; sf_pages_free gives them back, with the same size. */
void *sf_pages_new(size_t size);
void sf_pages_free(void *memory, size_t size);

/* Called once, just before the program aborts for lack of memory. NULL removes it. */
typedef void sf_oom_fn(void);
void sf_set_oom_hook(sf_oom_fn *hook);

#endif
