/* git's settings as text: what is read, what is tame, and what is not surely understood. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "guard/guard.h"
#include "support/test.h"

static void note(void *ctx, const struct sf_git_setting *s)
{
    sf_strbuf_addf(ctx, "%s|%s|%s|%s%s;", s->section, s->sub ? s->sub : "-", s->key,
                   s->value ? s->value : "-", sf_git_setting_is_tame(s) ? "" : " WILD");
}

static const struct {
    const char *name, *text;
    size_t len; /* 0: of the text */
    bool sure;
    const char *want;
} rows[] = {
    { "nothing", "", 0, true, "" },
    { "what git init writes", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n", 0, true,
      "core|-|repositoryformatversion|0;core|-|bare|false;" },
    { "a remote", "[remote \"a.b\"]\n\turl = x\n\tfetch = +a:b\n\tuploadpack = evil\n", 0, true,
      "remote|a.b|url|x;remote|a.b|fetch|+a:b;remote|a.b|uploadpack|evil WILD;" },
    { "a submodule", "[submodule \"s\"]\n\tactive = true\n\tupdate = !evil\n", 0, true,
      "submodule|s|active|true;submodule|s|update|!evil WILD;" },
    { "programs", "[core]\nfsmonitor=a\nhooksPath = b\nsshCommand = c\n", 0, true,
      "core|-|fsmonitor|a WILD;core|-|hookspath|b WILD;core|-|sshcommand|c WILD;" },
    { "more programs",
      "[filter \"x\"]\nclean=a\n[diff \"x\"]\ntextconv=b\n[alias]\nst=!c\n[include]\npath=d\n"
      "[credential]\nhelper=e\n[gpg]\nprogram=f\n[merge \"x\"]\ndriver=g\n[protocol]\nallow=h\n",
      0, true,
      "filter|x|clean|a WILD;diff|x|textconv|b WILD;alias|-|st|!c WILD;include|-|path|d WILD;"
      "credential|-|helper|e WILD;gpg|-|program|f WILD;merge|x|driver|g WILD;"
      "protocol|-|allow|h WILD;" },
    { "a name that plays another key", "[user.name \"x\"]\nname = y\n", 0, false, "" },
    { "and one in its quotes", "[filter \"color.ui\"]\nclean = y\n", 0, true,
      "filter|color.ui|clean|y WILD;" },
    { "on the section's line", "[core] pager = x # y\n", 0, true, "core|-|pager|x # y WILD;" },
    { "the old spelling", "[Diff.X]\ntextconv = y\n", 0, true, "diff|x|textconv|y WILD;" },
    { "quotes in a name", "[diff \"a\\\"]b\"] command = y\n", 0, true,
      "diff|a\\\"]b|command|y WILD;" },
    { "only a key", "[core]\n\tbare\n", 0, true, "core|-|bare|-;" },
    { "comments and ends of line", "# x\r\n[core]\r\n; y\r\n\tbare = no\r\n", 0, true,
      "core|-|bare|no;" },
    { "a value that goes on", "[user]\nname = a\\\n[core]\nfsmonitor = b\n", 0, false, "" },
    { "a section that never closes", "[core\nfsmonitor = b\n", 0, false, "" },
    { "a setting before any section", "bare = no\n", 0, false, "" },
    { "no name", "[core]\n= x\n", 0, false, "" },
    { "a byte of zero", "[core]\nbare = no\n\0", 18, false, "" },
    { "a byte order mark", "\xef\xbb\xbf[core]\nbare = no\n", 0, false, "" },
};

static void test_rows(void **state)
{
    struct sf_strbuf got = SF_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        size_t len = rows[i].len ? rows[i].len : strlen(rows[i].text);
        bool sure;

        sf_strbuf_reset(&got);
        sure = sf_git_settings_read(rows[i].text, len, note, &got);
        if (sure != rows[i].sure || strcmp(got.buf, rows[i].want) != 0)
            fail_msg("%s: %d\n%s\n%s", rows[i].name, sure, got.buf, rows[i].want);
    }
    sf_strbuf_release(&got);
}

static const struct {
    const char *value, *want;
} values[] = {
    { ".husky", ".husky" },     { ".husky # hooks", ".husky" },
    { "\"a b\"", "a b" },       { "\"a\" b", NULL },
    { "a\\tb", NULL },          { "", "" },
    { "\"never closed", NULL },
};

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(values); i++) {
        const struct sf_git_setting s = { "core", "hookspath", NULL, values[i].value };
        char *got = sf_git_setting_text(&s);

        if ((got == NULL) != (values[i].want == NULL) || (got && strcmp(got, values[i].want) != 0))
            fail_msg("%s: %s", values[i].value, got ? got : "nothing");
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
