/*
 * health_case.c: see health_case.h.
 */
#include "support/health_case.h"

#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "snap/snap.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/tree.h"

static const char *setting(void *config, const char *key)
{
    const struct sf_config_value *v = sf_config_find(config, key);

    return v ? v->text : NULL;
}

int health_case_setup(void **state)
{
    struct health_case *w = sf_alloc(sizeof(*w));
    struct sf_error err = SF_ERROR_INIT;
    char *top = test_dir_new(), *tmp, *home;

    w->dir = sf_path_real(top, &err);
    free(top);
    tmp = test_path(w->dir, "tmp");
    home = test_path(w->dir, "home");
    w->workspace.root = test_path(w->dir, "work");
    w->workspace.project = sf_strdup(w->workspace.root);
    assert_true(sf_dir_make(w->workspace.root, 0755, &err));
    assert_true(sf_dir_make(tmp, 0755, &err));
    assert_int_equal(setenv("XDG_CONFIG_HOME", w->dir, 1), 0);
    assert_int_equal(setenv("SF_HOME", w->dir, 1), 0);
    assert_int_equal(setenv("HOME", home, 1), 0);
    assert_int_equal(setenv("TMPDIR", tmp, 1), 0);
    assert_int_equal(setenv("TERM", "xterm-256color", 1), 0);
    unsetenv("TMUX");
    w->at = (struct sf_health_context){ .version = "sf 1 (2)",
                                        .workspace = &w->workspace,
                                        .config = sf_config_new(),
                                        .state_dir = test_path(w->dir, "state"),
                                        .catalog = sf_catalog_new(NULL, 0, &err),
                                        .setting = setting };
    assert_non_null(w->at.catalog);
    free(tmp);
    free(home);
    *state = w;
    return 0;
}

int health_case_teardown(void **state)
{
    struct health_case *w = *state;

    unsetenv("TMPDIR");
    sf_catalog_free(w->at.catalog);
    sf_config_free(w->at.config);
    free((char *)(uintptr_t)w->at.state_dir);
    sf_workspace_release(&w->workspace);
    test_dir_free(w->dir);
    free(w);
    return 0;
}

void health_case_sh(struct health_case *w, const char *command)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    char *out;

    sf_strbuf_addf(&line, "(%s) >/dev/null 2>&1; echo $?", command);
    out = tree_run(w->dir, line.buf, NULL);
    if (strcmp(out, "0\n") != 0)
        fail_msg("%s: %s", command, out);
    sf_strbuf_release(&line);
    free(out);
}

void health_case_snap(struct health_case *w)
{
    const struct sf_snap_request request = { .kind = SF_SNAP_BEFORE };
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap *snap;
    struct sf_store *store = test_store_open(w->at.state_dir, SF_STORE_WRITE);

    sf_store_close(store);
    tree_puts(w->workspace.root, "a", "one\n");
    snap = sf_snap_open(w->at.state_dir, w->workspace.root, &err);
    if (!snap || !sf_snap_take(snap, &request, &result, &err))
        fail_msg("%s", err.msg);
    sf_snap_result_release(&result);
    sf_snap_close(snap);
}
