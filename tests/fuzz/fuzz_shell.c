/*
 * Any bytes may come: nothing crashes, nothing hangs, the report is consistent, and neither a
 * chain in front nor parentheses around ever lower the class.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/guard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_report(const struct sf_shell_report *r, size_t size)
{
    require(r->class < SF_CLASS_COUNT);
    require(r->rule && r->reason);
    require((r->class == SF_CLASS_READONLY) == !*r->rule);
    require(r->at <= size && r->len <= size - r->at);
    require(r->npaths <= SF_REPORT_ITEMS && r->programs.count <= SF_REPORT_ITEMS);
    require(r->hosts.count <= SF_REPORT_ITEMS && r->families.count <= SF_REPORT_ITEMS);
    require(r->steps <= 4096 + 64 * size);
}

static enum sf_class class_of(const char *text, size_t size, bool *read)
{
    struct sf_shell_report report;
    enum sf_class class;

    sf_shell_classify(text, size, &report);
    check_report(&report, size);
    class = report.class;
    *read = strcmp(report.rule, "unreadable") != 0;
    sf_shell_report_release(&report);
    return class;
}

static enum sf_class class_inside(const char *before, const uint8_t *data, size_t size,
                                  const char *behind)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    enum sf_class class;
    bool read;

    sf_strbuf_adds(&text, before);
    sf_strbuf_add(&text, data, size);
    sf_strbuf_adds(&text, behind);
    class = class_of(text.buf, text.len, &read);
    sf_strbuf_release(&text);
    return class;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = sf_strndup((const char *)data, size);
    bool read;
    enum sf_class class = class_of(copy, size, &read);

    require(class_inside("true; ", data, size, "") >= class);
    if (read) /* parentheses may complete what was incomplete */
        require(class_inside("( ", data, size, " )") >= class);
    free(copy);
    return 0;
}
