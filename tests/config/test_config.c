/*
 * test_config.c: layers, what a project may say, what a wrong value becomes, keys as people type them.
 */
#include "base/base.h"
#include "config/config.h"
#include "support/test.h"

static const struct {
    const char *name;
    const char *user, *project; /* texts of the two files, or NULL */
    bool trusted;
    const char *key, *want; /* the value in force, as TOML */
    enum sf_layer layer;    /* where it must come from */
    const char *note;       /* a part of the first note, or NULL: there is none */
    unsigned line, column;  /* where that note points */
} cases[] = {
    { "built in", NULL, NULL, false, "defaults.work_mode", "\"chat\"", SF_LAYER_BUILTIN, NULL, 0,
      0 },
    { "the user's file wins over built in", "[defaults]\nwork_mode = \"plan\"", NULL, false,
      "defaults.work_mode", "\"plan\"", SF_LAYER_USER, NULL, 0, 0 },
    { "a trusted project wins over the user", "defaults.work_mode = \"plan\"",
      "defaults.work_mode = \"build\"", true, "defaults.work_mode", "\"build\"", SF_LAYER_PROJECT,
      NULL, 0, 0 },
    { "an untrusted project cannot choose the mode", "defaults.work_mode = \"plan\"",
      "\ndefaults.work_mode = \"build\"", false, "defaults.work_mode", "\"plan\"", SF_LAYER_USER,
      "not trusted (see `sf trust`)", 2, 1 },
    { "an untrusted project cannot raise the profile", NULL,
      "[defaults]\npermission_profile = \"trusted\"", false, "defaults.permission_profile",
      "\"normal\"", SF_LAYER_BUILTIN, "only make it stricter (see `sf trust`)", 2, 1 },
    { "nor above what the user set", "defaults.permission_profile = \"restricted\"",
      "defaults.permission_profile = \"normal\"", false, "defaults.permission_profile",
      "\"restricted\"", SF_LAYER_USER, "stricter", 1, 1 },
    { "it may lower it", NULL, "defaults.permission_profile = \"restricted\"", false,
      "defaults.permission_profile", "\"restricted\"", SF_LAYER_PROJECT, NULL, 0, 0 },
    { "a trusted one may raise it", NULL, "defaults.permission_profile = \"trusted\"", true,
      "defaults.permission_profile", "\"trusted\"", SF_LAYER_PROJECT, NULL, 0, 0 },
    { "allow rules need trust", NULL, "guard.allow = [\"curl\"]", false, "guard.allow", "[]",
      SF_LAYER_BUILTIN, "not trusted", 1, 1 },
    { "deny rules do not", NULL, "guard.deny = [\"curl\"]", false, "guard.deny", "[\"curl\"]",
      SF_LAYER_PROJECT, NULL, 0, 0 },
    { "rules add up, nobody takes one away", "guard.deny = [\"rm\"]", "guard.deny = [\"curl\"]",
      false, "guard.deny", "[\"rm\", \"curl\"]", SF_LAYER_PROJECT, NULL, 0, 0 },
    { "a project never says where a key is sent", NULL,
      "[models.openai]\nbase_url = \"http://evil.example\"", true, "models.openai.base_url", NULL,
      SF_LAYER_BUILTIN, "a project cannot set it", 2, 1 },
    { "hooks need trust", NULL, "[[hooks.PreToolUse]]\ncommand = \"evil\"", false,
      "hooks.PreToolUse", NULL, SF_LAYER_BUILTIN, "not trusted", 1, 9 },
    { "a key command is never the project's", NULL, "models.x.api_key_cmd = \"evil\"", true,
      "models.x.api_key_cmd", NULL, SF_LAYER_BUILTIN, "a project cannot set it", 1, 1 },
    { "a scope may shrink", NULL, "modes.implement.writable = [\"src/core/\"]", false,
      "modes.implement.writable", "[\"src/core/\"]", SF_LAYER_PROJECT, NULL, 0, 0 },
    { "a scope may not grow", NULL, "modes.implement.writable = [\"src/\", \".github/\"]", false,
      "modes.implement.writable", "[\"src/\", \"lib/\"]", SF_LAYER_BUILTIN, "stricter", 1, 1 },
    { "a new scope is the project's own", NULL, "modes.infra.writable = [\"infra/\"]", false,
      "modes.infra.writable", "[\"infra/\"]", SF_LAYER_PROJECT, NULL, 0, 0 },
    { "an unknown key outside its table is named with the right one",
      "permision_profile = \"normal\"", NULL, false, "defaults.permission_profile", "\"normal\"",
      SF_LAYER_BUILTIN, "unknown key 'permision_profile'", 1, 1 },
    { "a wrong type of a safety setting counts as the strictest",
      "[defaults]\npermission_profile = 3", NULL, false, "defaults.permission_profile",
      "\"restricted\"", SF_LAYER_USER, "expected one of", 2, 1 },
    { "so does a word that is none", "guard.approval_mode = \"nevr\"", NULL, false,
      "guard.approval_mode", "\"never\"", SF_LAYER_USER, "did you mean 'never'", 1, 1 },
    { "a wrong type elsewhere is ignored", "coach.frequency = \"often\"", NULL, false,
      "coach.frequency", "5", SF_LAYER_BUILTIN, "expected an integer, not a string", 1, 1 },
    { "a number out of range", "coach.frequency = 0", NULL, false, "coach.frequency", "5",
      SF_LAYER_BUILTIN, "from 1 to 1000", 1, 1 },
    { "a limit out of range is the strictest one", "limits.max_turns = 0", NULL, false,
      "limits.max_turns", "1", SF_LAYER_USER, "from 1 to", 1, 1 },
    { "a project may lower what commands use", NULL, "guard.max_memory = 10", false,
      "guard.max_memory", "10", SF_LAYER_PROJECT, NULL, 0, 0 },
    { "but not raise it", "guard.max_memory = 20", "guard.max_memory = 30", false,
      "guard.max_memory", "20", SF_LAYER_USER, "stricter", 1, 1 },
    { "nor above what is built in", NULL, "guard.max_processes = 100000", false,
      "guard.max_processes", "8192", SF_LAYER_BUILTIN, "stricter", 1, 1 },
    { "nor the size of files", NULL, "guard.max_file_size = 100000", false, "guard.max_file_size",
      "16384", SF_LAYER_BUILTIN, "stricter", 1, 1 },
    { "a broken user file tightens the policy", "[defaults]\nwork_mode = build\n", NULL, false,
      "defaults.permission_profile", "\"restricted\"", SF_LAYER_USER, "strings need quotes", 2,
      13 },
    { "a broken project file does too", "defaults.permission_profile = \"trusted\"", "x = [", false,
      "defaults.permission_profile", "\"restricted\"", SF_LAYER_PROJECT, "not closed", 1, 5 },
    { "a table where a value belongs", "[defaults.work_mode]\nx = 1", NULL, false,
      "defaults.work_mode", "\"chat\"", SF_LAYER_BUILTIN, "expected one of", 1, 11 },
    { "a value where a table belongs", "defaults = 1", NULL, false, "defaults.work_mode",
      "\"chat\"", SF_LAYER_BUILTIN, "expected a table", 1, 1 },
    { "a NUL in a string is refused", "ui.theme = \"da\\u0000rk\"", NULL, false, "ui.theme",
      "\"dark\"", SF_LAYER_BUILTIN, "expected a string", 1, 1 },
    { "profiles are the user's", NULL, "[profiles.x]\nui.theme = \"a\"", true, "ui.theme",
      "\"dark\"", SF_LAYER_BUILTIN, "'profiles' is ignored", 1, 2 },
};

static void check_value(size_t i, struct sf_config *config)
{
    const struct sf_config_value *v = sf_config_find(config, cases[i].key);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!v != !cases[i].want)
        fail_msg("%s: it is %s", cases[i].name, v ? "set" : "not set");
    if (!v || !cases[i].want)
        return;
    sf_config_add_literal(&text, v);
    if (strcmp(text.buf, cases[i].want) != 0 || v->origin.layer != cases[i].layer)
        fail_msg("%s: got %s from %s", cases[i].name, text.buf, sf_layer_name(v->origin.layer));
    sf_strbuf_release(&text);
}

static void check_note(size_t i, const struct sf_config *config)
{
    size_t count;
    const struct sf_config_note *notes = sf_config_notes(config, &count);

    if (!cases[i].note) {
        if (count)
            fail_msg("%s: unexpected note: %s", cases[i].name, notes[0].text);
        return;
    }
    if (!count || !strstr(notes[0].text, cases[i].note))
        fail_msg("%s: note is '%s'", cases[i].name, count ? notes[0].text : "missing");
    if (notes[0].origin.line != cases[i].line || notes[0].origin.column != cases[i].column)
        fail_msg("%s: note points to %u:%u", cases[i].name, notes[0].origin.line,
                 notes[0].origin.column);
}

static void test_layers(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_config *config = sf_config_new();

        if (cases[i].user)
            sf_config_add_file(config, SF_LAYER_USER, "user.toml", cases[i].user,
                               strlen(cases[i].user), true);
        if (cases[i].project)
            sf_config_add_file(config, SF_LAYER_PROJECT, "project.toml", cases[i].project,
                               strlen(cases[i].project), cases[i].trusted);
        check_value(i, config);
        check_note(i, config);
        sf_config_free(config);
    }
}

/* The policy as numbers: a wider one has a larger number somewhere. */
static const char *const policy_keys[] = { "defaults.permission_profile", "defaults.run_control",
                                           "guard.approval_mode", "guard.cage",
                                           "guard.shell_scope" };

/* A settings file cut at any byte never gives a wider policy than the whole one. */
static void test_truncation_never_widens(void **state)
{
    static const char text[] = "# mine\n[defaults]\npermission_profile = \"restricted\"\n"
                               "run_control = \"manual\"\n[guard]\napproval_mode = \"never\"\n"
                               "cage = \"require\"\ndeny = [\"rm\", \"curl\"]\n";

    (void)state;
    for (size_t n = 0; n < sizeof(text) - 1; n++) {
        struct sf_config *config = sf_config_new();
        size_t count;

        sf_config_add_file(config, SF_LAYER_USER, "user.toml", text, n, true);
        sf_config_notes(config, &count);
        for (size_t k = 0; count && k < SF_COUNT(policy_keys); k++)
            if (sf_config_find(config, policy_keys[k])->integer != 0)
                fail_msg("cut at %zu, %s is %s", n, policy_keys[k],
                         sf_config_text(config, policy_keys[k]));
        sf_config_free(config);
    }
}

static void test_profiles(void **state)
{
    static const char text[] = "ui.theme = \"light\"\n[profiles.work]\nui.theme = \"mono\"\n";
    struct sf_config *config = sf_config_new();
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    sf_config_add_file(config, SF_LAYER_USER, "user.toml", text, strlen(text), true);
    assert_string_equal(sf_config_text(config, "ui.theme"), "light");
    assert_true(sf_config_add_profile(config, "work", &err));
    assert_string_equal(sf_config_text(config, "ui.theme"), "mono");
    assert_int_equal(sf_config_find(config, "ui.theme")->origin.layer, SF_LAYER_PROFILE);
    assert_int_equal(sf_config_find(config, "ui.theme")->origin.line, 3);
    assert_false(sf_config_add_profile(config, "wrok", &err));
    assert_non_null(strstr(err.hint, "'work'"));
    sf_config_free(config);
}

static void test_environment(void **state)
{
    static const char *const environment[] = {
        "PATH=/bin",
        "SF_HOME=/somewhere",
        "SF_DEFAULTS_WORK_MODE=review",
        "SF_MODELS_OPENAI_BASE_URL=http://127.0.0.1:1/v1",
        "SF_GUARD_DENY=rm -rf,curl",
        "SF_GUARD_APPROVAL_MODE=sometimes",
        "SF_DEFAULTS_WORKMODE=plan",
        "SF_ORG_METADATA=not ours",
        "SF_UI_THEME=",
        NULL,
    };
    struct sf_config *config = sf_config_new();
    size_t count;
    const struct sf_config_note *notes;

    (void)state;
    sf_config_add_environment(config, environment);
    assert_string_equal(sf_config_text(config, "defaults.work_mode"), "review");
    assert_string_equal(sf_config_text(config, "models.openai.base_url"), "http://127.0.0.1:1/v1");
    assert_int_equal(sf_config_find(config, "guard.deny")->count, 2);
    assert_string_equal(sf_config_text(config, "guard.approval_mode"), "never");
    assert_string_equal(sf_config_text(config, "ui.theme"), "dark");
    notes = sf_config_notes(config, &count);
    assert_int_equal(count, 2);
    assert_true(notes[0].error);
    assert_string_equal(notes[0].origin.name, "SF_GUARD_APPROVAL_MODE");
    assert_non_null(strstr(notes[1].hint, "SF_DEFAULTS_WORK_MODE"));
    sf_config_free(config);
}

static void test_options_win(void **state)
{
    static const char *const environment[] = { "SF_DEFAULTS_WORK_MODE=review", NULL };
    struct sf_config *config = sf_config_new();
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    sf_config_add_environment(config, environment);
    assert_true(sf_config_add_option(config, "--mode", "defaults.work_mode", "repair", &err));
    assert_string_equal(sf_config_text(config, "defaults.work_mode"), "repair");
    assert_false(sf_config_add_option(config, "--mode", "defaults.work_mode", "biuld", &err));
    assert_non_null(strstr(err.msg, "--mode: "));
    assert_non_null(strstr(err.msg, "'build'"));
    sf_config_free(config);
}

/* A hostile file of unknown keys costs a bounded number of words. */
static void test_notes_are_bounded(void **state)
{
    struct sf_config *config = sf_config_new();
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t count;

    (void)state;
    for (int i = 0; i < 5000; i++)
        sf_strbuf_addf(&text, "unknown%d = 1\n", i);
    sf_config_add_file(config, SF_LAYER_PROJECT, "p.toml", text.buf, text.len, false);
    sf_config_notes(config, &count);
    assert_true(count > 0 && count <= 50);
    sf_strbuf_release(&text);
    sf_config_free(config);
}

static const struct {
    const char *key;
    size_t parts;
    const char *last;
} keys[] = {
    { "a", 1, "a" },
    { "defaults.work_mode", 2, "work_mode" },
    { "models.\"a.b\".base_url", 3, "base_url" },
    { "models . x . y", 3, "y" },
    { "", 0, NULL },
    { "a.", 0, NULL },
    { "a = 1\nb", 0, NULL },
    { "a # b", 0, NULL },
    { "[a]", 0, NULL },
};

static void test_split_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(keys); i++) {
        struct sf_strlist path = SF_STRLIST_INIT;
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_config_split_key(keys[i].key, &path, &err);

        if (ok != (keys[i].last != NULL) ||
            (ok && (path.count != keys[i].parts ||
                    strcmp(path.items[path.count - 1], keys[i].last) != 0)))
            fail_msg("'%s' is split into %zu", keys[i].key, path.count);
        sf_strlist_release(&path);
    }
}

/* Each row of the schema makes sense by itself. */
static void test_schema_rows(void **state)
{
    struct sf_config *config = sf_config_new();

    (void)state;
    for (size_t i = 0; i < sf_setting_count; i++) {
        const struct sf_setting *s = &sf_settings[i];

        if (!s->help || strchr(s->help, '\n') ||
            (s->type == SF_SETTING_ENUM) != (s->values != NULL))
            fail_msg("%s: the row is not complete", s->key);
        if (s->trust == SF_SETTING_TRUST_NARROW && s->strict == SF_STRICT_NONE)
            fail_msg("%s: stricter in which direction?", s->key);
        if (s->fallback && !sf_config_find(config, s->key))
            fail_msg("%s: the built-in value does not read", s->key);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(sf_settings[j].key, s->key))
                fail_msg("%s stands twice", s->key);
    }
    sf_config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers),      cmocka_unit_test(test_truncation_never_widens),
        cmocka_unit_test(test_profiles),    cmocka_unit_test(test_environment),
        cmocka_unit_test(test_options_win), cmocka_unit_test(test_notes_are_bounded),
        cmocka_unit_test(test_split_key),   cmocka_unit_test(test_schema_rows),
    };

    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
