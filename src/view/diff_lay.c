#include "view/code.h"
void sf_diff_lay(struct sf_page *page, const char *diff, size_t len, const struct sf_diff_lay *how){(void)page;(void)diff;(void)len;(void)how;}
