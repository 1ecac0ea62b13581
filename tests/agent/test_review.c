/* Reports of reviews, read from what a model or a log says, and as pages. */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

/* ---- pages ---- */

static const struct {
    const char *name, *context, *fence;
} contexts[] = {
    { "plain lines", "1   x", "```" },
    { "a fence", "1   ```", "````" },
    { "ten backticks", "1   ``````````", "```````````" },
    { "many", "1   ````````````````````", "`````````````````````" },
};

/* What a file has cannot end the block that it is shown in. */
static void test_fences(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(contexts); i++) {
        struct sf_finding f = { .file = sf_strdup("a.c"),
                                .title = sf_strdup("t"),
                                .explanation = sf_strdup("e"),
                                .context = sf_strdup(contexts[i].context) };
        struct sf_strbuf page = SF_STRBUF_INIT, want = SF_STRBUF_INIT;

        sf_finding_page_add(&f, &page);
        sf_strbuf_addf(&want, "\n%s\n%s\n%s\n", contexts[i].fence, contexts[i].context,
                       contexts[i].fence);
        if (!strstr(page.buf, want.buf))
            fail_msg("%s: %s", contexts[i].name, page.buf);
        sf_strbuf_release(&want);
        sf_strbuf_release(&page);
        free(f.file);
        free(f.title);
        free(f.explanation);
        free(f.context);
    }
}

/* ---- reading ---- */

#define ONE(members) "{\"findings\":[{\"file\":\"a.c\",\"title\":\"t\"," members "}]}"

static const struct {
    const char *name, *json;
    bool ok;
} reports[] = {
    { "a finding", ONE("\"severity\":\"minor\""), true },
    { "a place that was not checked", ONE("\"severity\":\"minor\",\"place\":\"not checked\""),
      true },
    { "no severity", ONE("\"severity\":\"awful\""), false },
    { "no place of a finding", ONE("\"severity\":\"minor\",\"place\":\"moon\""), false },
    { "a verdict", "{\"verdict\":\"clean\",\"findings\":[]}", true },
    { "no verdict", "{\"verdict\":\"fine\",\"findings\":[]}", false },
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(reports); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json *json = sf_json_parse(reports[i].json, strlen(reports[i].json), NULL, &err);
        struct sf_review_report report;
        bool ok = sf_review_report_read(&report, json, &err);

        if (ok != reports[i].ok)
            fail_msg("%s: %s", reports[i].name, ok ? "read" : err.msg);
        if (ok)
            sf_review_report_release(&report);
        sf_json_free(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
