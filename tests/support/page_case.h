/*
 * page_case: pages as text, to compare with what a test expects, and what holds for every page.
 */
#ifndef SF_TESTS_SUPPORT_PAGE_CASE_H
#define SF_TESTS_SUPPORT_PAGE_CASE_H

#include <stddef.h>

#include "view/view.h"

/* The lines without trailing spaces, each with a newline; owned by the caller. */
char *page_case_text(const struct sf_page *page);

/* As page_case_text, with "<role>" or "<role,attrs>" in front of each run that changes the look;
 * attrs are letters of "biurf". Leads are left out. Owned by the caller. */
char *page_case_looks(const struct sf_page *page);

/* All that copying the whole page gives; owned by the caller. */
char *page_case_copy(const struct sf_page *page);

/* Fails the test unless runs cover lines, no line is too wide and nothing in it is a control. */
void page_case_check(const struct sf_page *page, const char *name);

/* Fails the test with both texts unless they are the same; frees `got`. */
void page_case_same(const char *name, char *got, const char *want);

#endif
