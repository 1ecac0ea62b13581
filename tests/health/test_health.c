/*
 * The checks of health as data, in the test's own process: what is reported where a part cannot be
 * had, what the terminal's facts lead to, and that looking makes nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "health/health.h"
#include "io/io.h"
#include "support/test.h"

struct sandbox {
    char *dir;
    struct sf_workspace workspace;
    struct sf_health_context at;
    struct sf_health_report report;
};

static const char *setting(void *config, const char *key)
{
    const struct sf_config_value *v = sf_config_find(config, key);

    return v ? v->text : NULL;
}

static int setup(void **state)
{
    struct sandbox *w = sf_alloc(sizeof(*w));
    struct sf_error err = SF_ERROR_INIT;
    char *top = test_dir_new();

    w->dir = sf_path_real(top, &err);
    free(top);
    w->workspace.root = test_path(w->dir, "work");
    w->workspace.project = sf_strdup(w->workspace.root);
    assert_true(sf_dir_make(w->workspace.root, 0755, &err));
    assert_int_equal(setenv("XDG_CONFIG_HOME", w->dir, 1), 0);
    assert_int_equal(setenv("SF_HOME", w->dir, 1), 0);
    assert_int_equal(setenv("TERM", "xterm-256color", 1), 0);
    unsetenv("TMUX");
    w->at = (struct sf_health_context){ .version = "sf 1 (2)",
                                        .workspace = &w->workspace,
                                        .config = sf_config_new(),
                                        .state_dir = test_path(w->dir, "state"),
                                        .catalog = sf_catalog_new(NULL, 0, &err),
                                        .setting = setting };
    assert_non_null(w->at.catalog);
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct sandbox *w = *state;

    sf_health_release(&w->report);
    sf_catalog_free(w->at.catalog);
    sf_config_free(w->at.config);
    free((char *)(uintptr_t)w->at.state_dir);
    sf_workspace_release(&w->workspace);
    test_dir_free(w->dir);
    free(w);
    return 0;
}

static void look(struct sandbox *w, const struct sf_health_context *at)
{
    sf_health_release(&w->report);
    sf_health_look(at, &w->report);
}

/* The result of the check that has the text, or NULL. */
static const struct sf_health_result *find(const struct sandbox *w, const char *name,
                                           const char *text)
{
    for (size_t i = 0; i < w->report.count; i++)
        if (!strcmp(w->report.items[i].name, name) && strstr(w->report.items[i].text, text))
            return &w->report.items[i];
    return NULL;
}

static void expect(const struct sandbox *w, const char *name, enum sf_health_state state,
                   const char *text)
{
    const struct sf_health_result *r = find(w, name, text);

    if (!r || r->state != state)
        fail_msg("%s: no result %s with \"%s\"", name, sf_health_state_names[state], text);
}

static size_t count_of(const struct sandbox *w, const char *name)
{
    size_t count = 0;

    for (size_t i = 0; i < w->report.count; i++)
        count += !strcmp(w->report.items[i].name, name);
    return count;
}

static void test_sound(void **state)
{
    struct sandbox *w = *state;

    look(w, &w->at);
    expect(w, "version", SF_HEALTH_OK, "sf 1 (2)");
    expect(w, "trust", SF_HEALTH_OK, "the workspace is not trusted");
    expect(w, "store", SF_HEALTH_OK, "there is none yet");
    expect(w, "snapshots", SF_HEALTH_OK, "there are none yet");
    expect(w, "git", SF_HEALTH_OK, "the workspace is no repository");
    expect(w, "disk", SF_HEALTH_OK, w->at.state_dir);
    assert_int_equal(access(w->at.state_dir, F_OK), -1);
}

/* Results come in the order of the table, and those of a check together. */
static void test_order(void **state)
{
    struct sandbox *w = *state;
    size_t at = 0;

    look(w, &w->at);
    for (size_t i = 0; i < sf_health_check_count; i++) {
        assert_string_equal(w->report.items[at].name, sf_health_checks[i].name);
        at += count_of(w, sf_health_checks[i].name);
    }
    assert_int_equal(at, w->report.count);
}

static void test_missing_parts(void **state)
{
    struct sandbox *w = *state;
    struct sf_health_context none = { .version = "sf 1 (2)", .setting = setting };

    sf_fail(&none.no_workspace, SF_E_IO, "no workspace here");
    sf_fail(&none.no_config, SF_E_IO, "no settings here");
    sf_fail(&none.no_state_dir, SF_E_IO, "no state here");
    sf_hint(&none.no_state_dir, "make some");
    sf_fail(&none.no_catalog, SF_E_IO, "no catalog here");
    look(w, &none);
    expect(w, "settings", SF_HEALTH_PROBLEM, "no workspace here");
    expect(w, "model", SF_HEALTH_PROBLEM, "no settings here");
    expect(w, "store", SF_HEALTH_PROBLEM, "no state here");
    assert_string_equal(find(w, "store", "no state")->hint, "make some");
    expect(w, "snapshots", SF_HEALTH_PROBLEM, "no workspace here");
    expect(w, "cage", SF_HEALTH_PROBLEM, "no settings here");
    assert_int_equal(count_of(w, "service"), 0);
    assert_int_equal(sf_health_worst(&w->report), SF_HEALTH_PROBLEM);

    none.online = true;
    none.config = w->at.config;
    look(w, &none);
    expect(w, "model", SF_HEALTH_PROBLEM, "no catalog here");
    expect(w, "service", SF_HEALTH_PROBLEM, "no catalog here");
}

static size_t asked;

static bool keys(struct sf_strbuf *out)
{
    asked++;
    sf_strbuf_adds(out, "all keys there are");
    return true;
}

static const struct {
    const char *name, *term;
    struct sf_health_terminal terminal;
    enum sf_health_state state;
    const char *text;
    size_t asked;
} terminals[] = {
    { "none", "xterm", { .there = false, .keys = keys }, SF_HEALTH_OK, "goes to no terminal", 0 },
    { "dumb", "dumb", { .there = true, .keys = keys }, SF_HEALTH_WARNING, "TERM is dumb", 0 },
    { "nameless", "", { .there = true, .keys = keys }, SF_HEALTH_WARNING, "TERM is not set", 0 },
    { "small", "xterm", { true, 40, 10, keys }, SF_HEALTH_WARNING, "40 columns and 10 rows", 1 },
    { "ordinary", "xterm", { true, 80, 24, keys }, SF_HEALTH_OK, "80 columns, 24 rows", 1 },
    { "of unknown size", "xterm", { true, 0, 0, keys }, SF_HEALTH_OK, "all keys there are", 1 },
    { "that is not asked", "xterm", { true, 80, 24, NULL }, SF_HEALTH_OK, "xterm, ", 0 },
};

static void test_terminals(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(terminals); i++) {
        print_message("%s\n", terminals[i].name);
        assert_int_equal(setenv("TERM", terminals[i].term, 1), 0);
        asked = 0;
        w->at.terminal = terminals[i].terminal;
        look(w, &w->at);
        expect(w, "terminal", terminals[i].state, terminals[i].text);
        assert_int_equal(asked, terminals[i].asked);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { CASE(test_sound), CASE(test_order),
                                        CASE(test_missing_parts), CASE(test_terminals) };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
