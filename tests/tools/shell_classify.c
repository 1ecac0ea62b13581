/*
 * shell-classify: reads commands in the encoding of the corpus, one a line, and prints class and
 * rule of each. A line that cannot be decoded ends it with an error, so that no answer shifts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "guard/guard.h"

static bool classify_line(const char *line, size_t len)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_shell_report report;
    bool ok = sf_corpus_decode(line, len, &text, &err);

    if (ok) {
        sf_shell_classify(text.buf, text.len, &report);
        printf("%s\t%s\n", sf_class_name(report.class), report.rule);
        sf_shell_report_release(&report);
    } else {
        fprintf(stderr, "shell-classify: %s\n", err.msg);
    }
    sf_strbuf_release(&text);
    return ok;
}

int main(void)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    bool ok = true;

    while (ok && (len = getline(&line, &cap, stdin)) > 0) {
        if (line[len - 1] == '\n')
            len--;
        ok = classify_line(line, (size_t)len);
    }
    free(line);
    return ok ? 0 : 1;
}
