/*
 * test_confirm.c: what `--confirm delete[:PATHS]` covers, and what it does not: a table of what is
 * confirmed, what a call would delete, and what is known about it. Whatever is not known is refused.
 */
#include "base/base.h"
#include "guard/guard.h"
#include "modes/modes.h"
#include "support/test.h"

/* ---- reading ---- */

static const struct {
    const char *name, *text;
    const char *paths; /* NULL: refused */
} words[] = {
    { "everything", "delete", "" },
    { "a directory", "delete:build", "build" },
    { "a directory with a slash", "delete:build/", "build" },
    { "a file by a dot", "delete:./old/a.c", "old/a.c" },
    { "two paths", "delete:build,old/a.c", "build old/a.c" },
    { "nothing", "", NULL },
    { "another act", "push", NULL },
    { "a longer word", "deletes", NULL },
    { "no path behind the colon", "delete:", NULL },
    { "an empty path", "delete:a,,b", NULL },
    { "an absolute path", "delete:/etc", NULL },
    { "a path upwards", "delete:../x", NULL },
    { "a path upwards in between", "delete:a/../../x", NULL },
    { "the workspace as a path", "delete:.", NULL },
    { "a pattern", "delete:*", NULL },
    { "a pattern below a directory", "delete:old,src/?.c", NULL },
    { "a name with brackets", "delete:app/[id]", "app/[id]" },
};

static void test_reading(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(words); i++) {
        struct sf_confirmation c = SF_CONFIRMATION_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct sf_strbuf got = SF_STRBUF_INIT;
        bool ok = sf_confirmation_read(&c, words[i].text, &err);

        for (size_t k = 0; k < c.paths.count; k++)
            sf_strbuf_addf(&got, "%s%s", k ? " " : "", c.paths.items[k]);
        if (ok != (words[i].paths != NULL) || (ok && strcmp(got.buf, words[i].paths) != 0))
            fail_msg("%s: %s", words[i].name, ok ? got.buf : err.msg);
        if (!ok && !*err.hint)
            fail_msg("%s: no hint", words[i].name);
        sf_strbuf_release(&got);
        sf_confirmation_release(&c);
    }
}

/* ---- deciding ---- */

enum { KNOWN = 1, WHOLE = 2, UNLOOKED = 4, OUTSIDE = 8, SHARED = 16, PROTECTED = 32 };

static const struct {
    const char *name, *confirmed, *command; /* NULL: a file tool deletes the paths */
    const char *deletes;                    /* one path each word */
    int facts;
    const char *why; /* in the hint; NULL: allowed */
} cases[] = {
    { "a tree that a snapshot holds", "delete", "rm -rf old", "old", KNOWN | WHOLE, NULL },
    { "a file by a tool", "delete", NULL, "src/a.c", KNOWN | WHOLE, NULL },
    { "rmdir", "delete", "rmdir old", "old", KNOWN | WHOLE, NULL },
    { "rmdir with parents", "delete", "rmdir -p old/x", "old/x", KNOWN | WHOLE, "more than" },
    { "with a change of directory", "delete", "cd src && rm a.c", "src/a.c", KNOWN | WHOLE, NULL },
    { "with words behind it", "delete", "rm a.c && echo gone", "a.c", KNOWN | WHOLE, NULL },
    { "a path that was named", "delete:old", "rm -rf old", "old", KNOWN | WHOLE, NULL },
    { "a path below it", "delete:old", "rm old/x/a.c", "old/x/a.c", KNOWN | WHOLE, NULL },
    { "one of two paths", "delete:a,old", "rm -rf old", "old", KNOWN | WHOLE, NULL },

    { "a path above it", "delete:old/x", "rm -rf old", "old", KNOWN | WHOLE, "not confirmed" },
    { "a name that begins alike", "delete:old", "rm -rf older", "older", KNOWN | WHOLE,
      "not confirmed" },
    { "one path more", "delete:old", "rm -rf old src", "old src", KNOWN | WHOLE, "not confirmed" },
    { "the workspace", "delete", "rm -rf .", "", KNOWN | WHOLE, "not known" },
    { "what nobody looked at", "delete", "rm -rf old", "old", UNLOOKED, "not known" },
    { "what was not all seen", "delete", "rm -rf old", "old", WHOLE, "not known" },
    { "what no snapshot holds", "delete", "rm -rf old", "old", KNOWN, "3 ignored files" },
    { "outside", "delete", NULL, "/tmp/x", KNOWN | WHOLE | OUTSIDE, "" },
    { "a second name", "delete", NULL, "src/a.c", KNOWN | WHOLE | SHARED, "more than delete" },
    { "what is protected", "delete", NULL, ".git/config", KNOWN | WHOLE | PROTECTED, "" },

    { "a truncation beside it", "delete", "rm a.c; > b.c", "a.c", KNOWN | WHOLE, "more than" },
    { "a truncation", "delete", "truncate -s 0 a.c", "a.c", KNOWN | WHOLE, "more than" },
    { "a variable", "delete", "rm -rf $X", "old", KNOWN | WHOLE, "more than" },
    { "names from a pipe", "delete", "ls | xargs rm", "old", KNOWN | WHOLE, "more than" },
    { "a push beside it", "delete", "rm a.c && git push --force", "a.c", KNOWN | WHOLE,
      "more than" },
    { "another program beside it", "delete", "rm a.c && make", "a.c", KNOWN | WHOLE, "more than" },
    { "a branch", "delete", "git branch -D x", "x", KNOWN | WHOLE, "more than" },
    { "git clean", "delete", "git clean -fdx", "x", KNOWN | WHOLE, "more than" },
    { "find -delete", "delete", "find old -delete", "old", KNOWN | WHOLE, "more than" },
    { "code that deletes", "delete", "python3 -c 'import os; os.remove(\"a\")'", "a", KNOWN | WHOLE,
      "more than" },
    { "a database", "delete", "dropdb x", "x", KNOWN | WHOLE, "more than" },
    { "a force push", "delete", "git push --force", "x", KNOWN | WHOLE, "more than" },
};

struct deletion_case {
    struct sf_confirmation confirmation;
    struct sf_deletion deletion;
    struct sf_shell_report report;
    struct sf_action_path paths[8];
    struct sf_action action;
};

static void add_paths(struct deletion_case *d, size_t i)
{
    int facts = cases[i].facts;

    for (const char *p = cases[i].deletes; *p;) {
        size_t n = strcspn(p, " ");
        char *path = sf_strndup(p, n);

        sf_strlist_adopt(&d->deletion.paths, path);
        d->paths[d->action.path_count++] =
            (struct sf_action_path){ .path = d->deletion.paths.items[d->deletion.paths.count - 1],
                                     .zone = facts & OUTSIDE     ? SF_PATH_OUTSIDE
                                             : facts & PROTECTED ? SF_PATH_PROTECTED
                                                                 : SF_PATH_INSIDE,
                                     .outside = facts & OUTSIDE,
                                     .shared = facts & SHARED,
                                     .writes = true,
                                     .rule = "rule",
                                     .reason = "because" };
        p += n + (p[n] == ' ');
    }
}

static void make(struct deletion_case *d, size_t i)
{
    struct sf_error err = SF_ERROR_INIT;

    *d = (struct deletion_case){ .confirmation = SF_CONFIRMATION_INIT };
    if (!sf_confirmation_read(&d->confirmation, cases[i].confirmed, &err))
        fail_msg("%s: %s", cases[i].name, err.msg);
    d->deletion =
        (struct sf_deletion){ .known = cases[i].facts & KNOWN,
                              .whole = cases[i].facts & WHOLE,
                              .lacks =
                                  cases[i].facts & WHOLE ? NULL : sf_strdup("3 ignored files") };
    d->action = (struct sf_action){ .tool = "Tool",
                                    .act = cases[i].command ? SF_ACT_SHELL : SF_ACT_DELETE,
                                    .terms.least = SF_PROFILE_RESTRICTED,
                                    .paths = d->paths,
                                    .caged = true,
                                    .deletion = cases[i].facts & UNLOOKED ? NULL : &d->deletion };
    add_paths(d, i);
    if (!cases[i].command)
        return;
    sf_shell_classify(cases[i].command, strlen(cases[i].command), &d->report);
    d->action.shell = &d->report;
    d->action.command = cases[i].command;
    d->action.command_len = strlen(cases[i].command);
}

static void drop(struct deletion_case *d)
{
    if (d->action.shell)
        sf_shell_report_release(&d->report);
    sf_strlist_release(&d->deletion.paths);
    free(d->deletion.lacks);
    sf_confirmation_release(&d->confirmation);
}

static void judge(struct deletion_case *d, enum sf_profile profile, enum sf_approval_mode approval,
                  const struct sf_rule *rules, struct sf_verdict *out)
{
    const struct sf_scope_set set = { NULL, 0, false };
    struct sf_mode_state state;
    struct sf_policy policy = { .approval = approval,
                                .registry.allow_shell = true,
                                .rules = rules,
                                .rule_count = rules != NULL,
                                .scope = sf_scope_find(&set, "free"),
                                .scopes = &set,
                                .confirmation = &d->confirmation };

    sf_mode_state_init(&state, SF_SURFACE_HEADLESS);
    state.work = SF_WORK_BUILD;
    state.profile = profile;
    sf_guard_verdict(&d->action, &state, &policy, out);
}

static void test_deciding(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct deletion_case d;
        struct sf_verdict v;
        bool ok;

        make(&d, i);
        judge(&d, SF_PROFILE_NORMAL, SF_APPROVAL_SUGGEST, NULL, &v);
        ok = !cases[i].why ? v.answer == SF_ALLOW && v.confirmed && !strcmp(v.rule, "confirmed")
                           : v.answer != SF_ALLOW && !v.confirmed && strstr(v.hint, cases[i].why);
        if (!ok)
            fail_msg("%s: %s by %s: %s; %s", cases[i].name, sf_answer_names[v.answer], v.rule,
                     v.reason, v.hint);
        drop(&d);
    }
}

/* A confirmation answers one question; what refuses or asks for another reason stays. */
static void test_other_layers(void **state)
{
    static const struct sf_rule ask = { "rm", SF_ASK, SF_RULE_SETTINGS, NULL };
    static const struct sf_rule deny = { "rm", SF_DENY, SF_RULE_SETTINGS, NULL };
    static const struct {
        const char *name;
        enum sf_profile profile;
        enum sf_approval_mode approval;
        const struct sf_rule *rule;
        enum sf_answer answer;
    } rows[] = {
        { "unrestricted", SF_PROFILE_UNRESTRICTED, SF_APPROVAL_SUGGEST, NULL, SF_ALLOW },
        { "restricted", SF_PROFILE_RESTRICTED, SF_APPROVAL_SUGGEST, NULL, SF_DENY },
        { "approval mode never", SF_PROFILE_NORMAL, SF_APPROVAL_NEVER, NULL, SF_DENY },
        { "an ask rule", SF_PROFILE_NORMAL, SF_APPROVAL_SUGGEST, &ask, SF_ASK },
        { "a deny rule", SF_PROFILE_NORMAL, SF_APPROVAL_SUGGEST, &deny, SF_DENY },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct deletion_case d;
        struct sf_verdict v;

        make(&d, 0);
        judge(&d, rows[i].profile, rows[i].approval, rows[i].rule, &v);
        if (v.answer != rows[i].answer)
            fail_msg("%s: %s: %s", rows[i].name, sf_answer_names[v.answer], v.reason);
        drop(&d);
    }
}

/* Without a confirmation the hint names the option, where it would be of use. */
static void test_hint(void **state)
{
    static const struct {
        size_t at;
        bool names;
    } rows[] = { { 0, true }, { SF_COUNT(cases) - 1, false } };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct deletion_case d;
        struct sf_verdict v;

        make(&d, rows[i].at);
        sf_confirmation_release(&d.confirmation);
        judge(&d, SF_PROFILE_NORMAL, SF_APPROVAL_SUGGEST, NULL, &v);
        v.uncovered = false;
        sf_verdict_unattended(&v);
        assert_int_equal(strstr(v.hint, "--confirm delete") != NULL, rows[i].names);
        drop(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_deciding),
        cmocka_unit_test(test_other_layers),
        cmocka_unit_test(test_hint),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
