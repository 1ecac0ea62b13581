/*
 * sf doctor in worlds where something is broken: it is named, with what to do, and nothing is
 * changed by looking.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/test.h"
#include "support/tree.h"

static void bad_settings(struct sandbox *w)
{
    test_write(w->config, "x = [\n", 6);
}

static void odd_settings(struct sandbox *w)
{
    static const char text[] = "[guard]\ncaeg = \"off\"\n";

    test_write(w->config, text, strlen(text));
}

static void bad_project(struct sandbox *w)
{
    test_write(w->project, "x = [\n", 6);
}

static void locked_index(struct sandbox *w)
{
    free(tree_run(w->workspace, "git init -q . && touch -d '1 hour ago' .git/index.lock", NULL));
}

static void hostile_git(struct sandbox *w)
{
    free(tree_run(w->workspace, "git init -q . && git config diff.external ./evil", NULL));
}

static void no_directory(struct sandbox *w)
{
    rmdir(w->state);
    test_write(w->state, "", 0);
}

static void no_git(struct sandbox *w)
{
    for (size_t i = 0; i < w->env.count; i++)
        if (!strncmp(w->env.items[i], "PATH=", 5))
            w->env.items[i][5] = '\0';
}

static void other_sf(struct sandbox *w)
{
    struct sf_strbuf path = SF_STRBUF_INIT;

    free(tree_run(w->dir, "mkdir bin && printf '#!/bin/sh\\n' >bin/sf && chmod +x bin/sf", NULL));
    sf_strbuf_addf(&path, "PATH=%s/bin:/usr/bin:/bin", w->dir);
    for (size_t i = 0; i < w->env.count; i++)
        if (!strncmp(w->env.items[i], "PATH=", 5)) {
            free(w->env.items[i]);
            w->env.items[i] = sf_strbuf_detach(&path);
        }
    sf_strbuf_release(&path);
}

static void changed_policy(struct sandbox *w)
{
    test_write(w->project, "[guard]\n", 8);
    sandbox_expect(w, "trust add", 0, NULL, NULL);
    test_write(w->project, "[guard]\n\n", 9);
}

static void damaged_store(struct sandbox *w)
{
    struct outcome o = sandbox_run(w, "store path");
    char junk[8192];
    char *path = sf_strndup(o.out, strcspn(o.out, "\n"));

    outcome_release(&o);
    sandbox_expect(w, "restore take", 0, NULL, NULL);
    memset(junk, 'x', sizeof(junk));
    test_write(path, junk, sizeof(junk));
    free(path);
}

/* As if sf had been killed between the journal and the end of a restore. */
static void cut_restore(struct sandbox *w)
{
    sandbox_expect(w, "restore take", 0, NULL, NULL);
    free(tree_run(w->state,
                  "cd projects/*/snapshots.git && id=$(ls refs/sf | head -n 1) && "
                  "index=$(ls sf | grep ^index-) && printf "
                  "'sf restore 1\\n%s\\n%s\\n-\\n0\\n.sf-tmp-0123456789abcdef\\n' $id $id "
                  ">sf/restore-${index#index-}",
                  NULL));
}

static const struct {
    const char *name;
    const char *variable, *value;
    void (*prepare)(struct sandbox *w);
    const char *line, *text, *hint;
} worlds[] = {
    { "a locale that is not there", "LC_ALL", "xx_YY.UTF-8", NULL, "warning  locale",
      "xx_YY.UTF-8 is not installed", "export LANG=" },
    { "a locale without UTF-8", "LC_ALL", "C", NULL, "warning  locale", "does not use UTF-8",
      "export LANG=" },
    { "settings that cannot be read", NULL, NULL, bad_settings, "problem  settings",
      "config.toml:1:", "fix the file" },
    { "settings nobody knows", NULL, NULL, odd_settings, "warning  unknown-settings",
      "unknown key 'caeg'", "did you mean" },
    { "a project's settings", NULL, NULL, bad_project, "problem  settings", ".sf/config.toml",
      "fix the file" },
    { "a home that cannot be written", NULL, NULL, no_directory, "problem  state",
      "cannot be written", "SF_HOME" },
    { "a damaged store", NULL, NULL, damaged_store, "problem  store", "", "sf store recover" },
    { "a restore cut short", NULL, NULL, cut_restore, "problem  restore", "was cut short",
      "sf restore resume" },
    { "no cage", "SF_GUARD_CAGE", "off", NULL, "warning  cage", "guard.cage is off",
      "sf config unset guard.cage" },
    { "shown secrets", "SF_GUARD_HIDE_SECRETS", "false", NULL, "warning  cage-gaps",
      "open: secrets", "" },
    { "a provider nobody knows", "SF_MODELS_PROVIDER", "nobody", NULL, "problem  model", "nobody",
      "" },
    { "a lock that stayed", NULL, NULL, locked_index, "warning  git-locks", "a lock of git stayed",
      "index.lock" },
    { "a repository that runs programs", NULL, NULL, hostile_git, "warning  git",
      "makes git run a program", ".git/config" },
    { "another sf on PATH", NULL, NULL, other_sf, "warning  path", "another sf first",
      "put this one first" },
    { "policy files that changed", NULL, NULL, changed_policy, "warning  trust",
      "have changed since", "sf trust add" },
    { "a provider without a key", "SF_MODELS_PROVIDER", "anthropic", NULL, "warning  key",
      "there is no key for anthropic", "sf connect" },
    { "an unknown terminal", "TERM", "no-such-terminal", NULL, "warning  terminfo",
      "no-such-terminal", "xterm-256color" },
    { "no git", NULL, NULL, no_git, "warning  git", "git is not there", "install git" },
};

static void one_sandbox(size_t i)
{
    void *state = NULL;
    struct sandbox *w;
    struct outcome o;

    sandbox_setup(&state);
    w = state;
    if (worlds[i].variable)
        sandbox_setenv(w, worlds[i].variable, worlds[i].value);
    sandbox_setenv(w, "LC_ALL", "C.UTF-8"); /* the first of a name counts */
    if (worlds[i].prepare)
        worlds[i].prepare(w);
    o = sandbox_run(w, "doctor");
    if (o.code != 1 || !strstr(o.out, worlds[i].line) || !strstr(o.out, worlds[i].text) ||
        !strstr(o.out, worlds[i].hint))
        fail_msg("%s: exit code %d\n%s%s", worlds[i].name, o.code, o.out, o.err);
    outcome_release(&o);
    sandbox_teardown(&state);
}

static void test_broken_worlds(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(worlds); i++)
        one_sandbox(i);
}

/* Every check has its line, and only what is not in order makes the exit code. */
static void test_sound_sandbox(void **state)
{
    static const char *const checks[] = { "version", "locale",  "terminal",  "settings",
                                          "model",   "store",   "cage",      "git",
                                          "disk",    "service", "snapshots", NULL };
    struct sandbox *w = *state;
    char *after;
    struct outcome o;
    bool warns;

    sandbox_setenv(w, "LC_ALL", "C.UTF-8");
    o = sandbox_run(w, "doctor --all");
    after = tree_run(w->dir, "find .", NULL);
    warns = strstr(o.out, "warning ") || strstr(o.out, "problem ");
    assert_int_equal(o.code, warns ? 1 : 0);
    for (size_t i = 0; checks[i]; i++)
        if (!strstr(o.out, checks[i]))
            fail_msg("no line about %s\n%s", checks[i], o.out);
    assert_non_null(strstr(o.out, "provider offline needs no network"));
    assert_null(strstr(after, "sf.db"));
    assert_null(strstr(after, "snapshots"));
    outcome_release(&o);
    free(after);
}

static void test_keys_are_not_shown(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;

    sandbox_setenv(w, "ANTHROPIC_API_KEY", "k3y-that-stays-here");
    for (size_t i = 0; i < 2; i++) {
        o = sandbox_run(w, i ? "doctor --json" : "doctor --all");
        assert_non_null(strstr(o.out, "ANTHROPIC_API_KEY"));
        assert_non_null(strstr(o.out, "provider anthropic, with a key"));
        assert_null(strstr(o.out, "k3y"));
        assert_null(strstr(o.err, "k3y"));
        outcome_release(&o);
    }
}

static void test_json(void **state)
{
    struct sandbox *w = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct outcome o;
    struct sf_json *json;

    sandbox_setenv(w, "LC_ALL", "C");
    o = sandbox_run(w, "doctor --json");
    assert_int_equal(o.code, 1);
    json = sf_json_parse(o.out, o.out_len, NULL, &err);
    assert_non_null(json);
    assert_non_null(strstr(o.out, "{\"v\":1,\"health\":\"warning\",\"findings\":[{\"check\":"));
    sf_json_free(json);
    outcome_release(&o);
}

/* Loopback is no network: a server there is asked always. Of others it is said that they were not. */
static void test_unasked(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, "reply\n    text \"unused\"\n", NULL);
    struct outcome o = sandbox_run(w, "doctor --all");

    assert_non_null(strstr(o.out, "ok       service"));
    assert_non_null(strstr(o.out, "answers"));
    outcome_release(&o);
    model_server_stop(server);
    agent_sandbox_nobody(w, SF_WIRE_ANTHROPIC);
    o = sandbox_run(w, "doctor");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.out, "problem  service"));
    assert_non_null(strstr(o.out, "start the server there"));
    outcome_release(&o);
    sandbox_setenv(w, "ANTHROPIC_API_KEY", "made-up");
    o = sandbox_run(w, "doctor --all --provider anthropic");
    assert_non_null(strstr(o.out, "not looked at"));
    assert_non_null(strstr(o.out, "sf doctor --online"));
    outcome_release(&o);
}

static void test_online(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, "reply\n    text \"unused\"\n", NULL);
    struct outcome o = sandbox_run(w, "doctor --all --online");

    assert_non_null(strstr(o.out, "ok       service"));
    assert_non_null(strstr(o.out, "answers"));
    outcome_release(&o);
    model_server_stop(server);
    agent_sandbox_nobody(w, SF_WIRE_ANTHROPIC);
    o = sandbox_run(w, "doctor --online");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.out, "problem  service"));
    outcome_release(&o);
}

/* A group in which all is well is one line; what is not is there in full. */
static void test_calm(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;

    sandbox_setenv(w, "LC_ALL", "C");
    o = sandbox_run(w, "doctor");
    assert_non_null(strstr(o.out, "ok       store            10 checks\n"));
    assert_null(strstr(o.out, "there is none yet"));
    assert_non_null(strstr(o.out, "warning  locale "));
    assert_null(strstr(o.out, " terminal         "));
    outcome_release(&o);
}

static void test_fix_and_undo(void **state)
{
    struct sandbox *w = *state;
    char *lock = test_path(w->workspace, ".git/index.lock");

    locked_index(w);
    sandbox_expect(w, "doctor fix --dry-run git-locks", 0, "move away", NULL);
    assert_int_equal(access(lock, F_OK), 0);
    sandbox_expect(w, "doctor fix git-locks", 0, "repair 1: git-locks: a lock of git stayed", NULL);
    assert_int_equal(access(lock, F_OK), -1);
    sandbox_expect(w, "doctor fix git", 0, "nothing that sf can repair", NULL);
    sandbox_expect(w, "doctor undo", 0, "undid repair 1", NULL);
    assert_int_equal(access(lock, F_OK), 0);
    sandbox_expect(w, "doctor undo", 1, NULL, "there is no repair to undo");
    sandbox_expect(w, "doctor undo none", 2, NULL, "not the number of a repair");
    sandbox_expect(w, "doctor fix everything", 2, NULL, "there is no check called everything");
    free(lock);
}

static void test_gate(void **state)
{
    struct sandbox *w = *state;
    struct outcome o = sandbox_run(w, "doctor --gate");

    assert_int_equal(o.code, 0);
    assert_string_equal(o.out, "");
    outcome_release(&o);
    free(tree_run(w->workspace, "git init -q . && touch .git/MERGE_HEAD", NULL));
    sandbox_expect(w, "doctor --gate", 1, "git merge --abort", NULL);
    sandbox_expect(w, "doctor --gate --json", 1, "\"check\":\"operation\"", NULL);
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, sandbox_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_worlds),
        CASE(test_sound_sandbox),
        CASE(test_keys_are_not_shown),
        CASE(test_json),
        CASE(test_unasked),
        CASE(test_online),
        CASE(test_calm),
        CASE(test_fix_and_undo),
        CASE(test_gate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
