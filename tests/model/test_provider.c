/*
 * From names, settings and variables to providers: who is stronger, what "auto" picks, what is
 * refused and how it is said.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "base/base.h"
#include "model/model.h"
#include "support/test.h"

struct pair {
    const char *name, *value;
};

/* Settings and variables of one case; NULL behind the last one. */
struct situation {
    struct pair settings[6], variables[4];
};

static const char *const cleared[] = { "ANTHROPIC_API_KEY",  "OPENAI_API_KEY", "DEEPSEEK_API_KEY",
                                       "OPENROUTER_API_KEY", "GROQ_API_KEY",   "MISTRAL_API_KEY",
                                       "XAI_API_KEY",        "GEMINI_API_KEY", "ANTHROPIC_BASE_URL",
                                       "OPENAI_BASE_URL",    "SF_TEST_KEY" };

static int setup(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    *state = sf_catalog_new(NULL, 0, &err);
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    for (size_t i = 0; i < SF_COUNT(cleared); i++)
        unsetenv(cleared[i]);
    sf_catalog_free(*state);
    return 0;
}

static const char *look_up(void *ctx, const char *key)
{
    const struct situation *s = ctx;

    for (size_t i = 0; i < SF_COUNT(s->settings) && s->settings[i].name; i++)
        if (!strcmp(s->settings[i].name, key))
            return s->settings[i].value;
    return NULL;
}

static bool open_in(struct sf_catalog *catalog, struct situation *s, const char *name,
                    struct sf_provider *provider, struct sf_error *err)
{
    const struct sf_provider_sources sources = { catalog, look_up, s };

    for (size_t i = 0; i < SF_COUNT(cleared); i++)
        unsetenv(cleared[i]);
    for (size_t i = 0; i < SF_COUNT(s->variables) && s->variables[i].name; i++)
        setenv(s->variables[i].name, s->variables[i].value, 1);
    *err = (struct sf_error)SF_ERROR_INIT;
    return sf_provider_open(provider, name, &sources, err);
}

/* clang-format off */
static struct {
    const char *what, *name;
    struct situation in;
    const char *opened, *url, *key; /* of the provider; NULL: has none */
    bool local;
} openings[] = {
    { "a key in the usual variable", "anthropic", { .variables = { { "ANTHROPIC_API_KEY", "k1" } } },
      "anthropic", "https://api.anthropic.com", "k1", false },
    { "another variable", "anthropic",
      { .settings = { { "models.anthropic.api_key_env", "SF_TEST_KEY" } },
        .variables = { { "ANTHROPIC_API_KEY", "k1" }, { "SF_TEST_KEY", "k2" } } },
      "anthropic", "https://api.anthropic.com", "k2", false },
    { "a command beats a variable", "openai",
      { .settings = { { "models.openai.api_key_cmd", "echo k3" } },
        .variables = { { "OPENAI_API_KEY", "k1" } } },
      "openai", "https://api.openai.com/v1", "k3", false },
    { "the address of a variable", "anthropic",
      { .variables = { { "ANTHROPIC_API_KEY", "k1" }, { "ANTHROPIC_BASE_URL", "https://p.example.com/x/" } } },
      "anthropic", "https://p.example.com/x", "k1", false },
    { "the address of the settings is stronger", "anthropic",
      { .settings = { { "models.anthropic.base_url", "https://s.example.com//" } },
        .variables = { { "ANTHROPIC_API_KEY", "k1" }, { "ANTHROPIC_BASE_URL", "https://p.example.com/" } } },
      "anthropic", "https://s.example.com", "k1", false },
    { "an empty setting is none", "anthropic",
      { .settings = { { "models.anthropic.base_url", "" } }, .variables = { { "ANTHROPIC_API_KEY", "k1" } } },
      "anthropic", "https://api.anthropic.com", "k1", false },
    { "a local server needs no key", "ollama", { .settings = { { NULL, NULL } } },
      "ollama", "http://127.0.0.1:11434/v1", NULL, true },
    { "a service through a local proxy needs none", "openai",
      { .settings = { { "models.openai.base_url", "http://localhost:9/v1" } } },
      "openai", "http://localhost:9/v1", NULL, true },
    { "and may have one", "openai",
      { .settings = { { "models.openai.base_url", "http://[::1]:9/v1" } },
        .variables = { { "OPENAI_API_KEY", "k1" } } },
      "openai", "http://[::1]:9/v1", "k1", true },
    { "one's own", "house", { .settings = { { "models.house.base_url", "https://h.example.com/v1" } } },
      "house", "https://h.example.com/v1", NULL, false },
    { "one's own in the open, without a key", "house",
      { .settings = { { "models.house.base_url", "http://192.0.2.1:8000/v1" } } },
      "house", "http://192.0.2.1:8000/v1", NULL, false },
    { "offline", "offline", { .variables = { { "OPENAI_API_KEY", "k1" } } }, "offline", NULL, NULL, true },
    { "auto, nothing there", "auto", { .settings = { { NULL, NULL } } }, "offline", NULL, NULL, true },
    { "auto, the first in order", "auto",
      { .variables = { { "GROQ_API_KEY", "k2" }, { "OPENAI_API_KEY", "k1" } } },
      "openai", "https://api.openai.com/v1", "k1", false },
    { "auto, whose model it is", "auto",
      { .settings = { { "models.model", "gpt-5-2030-01-01" } },
        .variables = { { "ANTHROPIC_API_KEY", "k2" }, { "OPENAI_API_KEY", "k1" } } },
      "openai", "https://api.openai.com/v1", "k1", false },
    { "auto, a model nobody knows", "auto",
      { .settings = { { "models.model", "house-model" } }, .variables = { { "GROQ_API_KEY", "k2" } } },
      "groq", "https://api.groq.com/openai/v1", "k2", false },
    { "auto, a model of every turn's own", "auto", { .settings = { { "models.model", "auto" } } },
      "offline", NULL, NULL, true },
    { "auto, a command", "auto",
      { .settings = { { "models.mistral.api_key_cmd", "echo k4" } } },
      "mistral", "https://api.mistral.ai/v1", "k4", false },
};

static struct {
    const char *what, *name;
    struct situation in;
    const char *message, *hint;
} refusals[] = {
    { "no key", "anthropic", { .settings = { { NULL, NULL } } },
      "no key for Anthropic: the variable ANTHROPIC_API_KEY", "set ANTHROPIC_API_KEY, or models.anthropic.api_key_file" },
    { "no key in the variable named", "openai",
      { .settings = { { "models.openai.api_key_env", "SF_TEST_KEY" } }, .variables = { { "OPENAI_API_KEY", "k" } } },
      "SF_TEST_KEY", "SF_TEST_KEY" },
    { "a command that fails", "openai",
      { .settings = { { "models.openai.api_key_cmd", "false" } }, .variables = { { "OPENAI_API_KEY", "k" } } },
      "code 1", "run it in a terminal" },
    { "a file that is not there", "openai", { .settings = { { "models.openai.api_key_file", "/no/such/key" } } },
      "/no/such/key", "" },
    { "a name mistyped", "antropic", { .settings = { { NULL, NULL } } },
      "no provider called antropic", "did you mean anthropic?" },
    { "a name like nothing", "zzzzzzzzzz", { .settings = { { NULL, NULL } } }, "zzzzzzzzzz", "base_url" },
    { "no name", "", { .settings = { { NULL, NULL } } }, "no provider called", "" },
    { "a name that cannot be one", "a.b", { .settings = { { "models.a.b.base_url", "https://x.example.com" } } },
      "no provider called a.b", "" },
    { "replay of nothing", "replay:", { .settings = { { NULL, NULL } } }, "needs a file", "replay:FILE" },
    { "replay without a colon", "replay", { .settings = { { NULL, NULL } } }, "no provider", "" },
    { "a key in the open", "openai",
      { .settings = { { "models.openai.base_url", "http://192.0.2.1/v1" } }, .variables = { { "OPENAI_API_KEY", "SECRETKEY" } } },
      "unencrypted to http://192.0.2.1/v1", "https://" },
    { "a key in an address", "openai",
      { .settings = { { "models.openai.base_url", "https://me:SECRETKEY@h.example.com/v1" } }, .variables = { { "OPENAI_API_KEY", "k" } } },
      "models.openai.base_url must not hold", "" },
    { "an address that is none", "openai",
      { .variables = { { "OPENAI_API_KEY", "k" }, { "OPENAI_BASE_URL", "api.openai.com" } } },
      "the variable OPENAI_BASE_URL must begin with", "" },
    { "a format nobody speaks", "openai",
      { .settings = { { "models.openai.format", "soap" } }, .variables = { { "OPENAI_API_KEY", "k" } } },
      "models.openai.format", "" },
    { "auto, a model without a key", "auto", { .settings = { { "models.model", "gpt-5" } } },
      "gpt-5 is a model of OpenAI, and there is no key", "sf connect openai, or set OPENAI_API_KEY" },
    { "auto, any model without a key", "auto", { .settings = { { "models.model", "house-model" } } },
      "no provider with a key to ask for house-model", "--provider" },
    { "auto does not hide what fails", "auto",
      { .settings = { { "models.openai.api_key_cmd", "exit 7" } }, .variables = { { "GROQ_API_KEY", "k" } } },
      "code 7", "" },
    { "a key that is none", "auto", { .variables = { { "OPENAI_API_KEY", "SECRETKEY SECRETKEY" } } },
      "the variable OPENAI_API_KEY holds more than a key", "" },
};
/* clang-format on */

static bool same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static void test_openings(void **state)
{
    for (size_t i = 0; i < SF_COUNT(openings); i++) {
        struct sf_provider p;
        struct sf_error err;

        if (!open_in(*state, &openings[i].in, openings[i].name, &p, &err))
            fail_msg("%s: %s", openings[i].what, err.msg);
        if (!same(p.name, openings[i].opened) || !same(p.base_url, openings[i].url) ||
            !same(p.key, openings[i].key) || p.local != openings[i].local)
            fail_msg("%s: %s at %s", openings[i].what, p.name, p.base_url ? p.base_url : "-");
        sf_provider_release(&p);
        assert_null(p.key);
    }
}

static void test_refusals(void **state)
{
    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        struct sf_provider p;
        struct sf_error err;

        if (open_in(*state, &refusals[i].in, refusals[i].name, &p, &err))
            fail_msg("%s: opened %s", refusals[i].what, p.name);
        if (!strstr(err.msg, refusals[i].message) || !strstr(err.hint, refusals[i].hint))
            fail_msg("%s: %s | %s", refusals[i].what, err.msg, err.hint);
        if (strstr(err.msg, "SECRETKEY") || strstr(err.hint, "SECRETKEY"))
            fail_msg("%s: the key is shown", refusals[i].what);
        assert_null(p.name);
        assert_null(p.key);
    }
}

static void test_replay(void **state)
{
    static const char text[] = "{\"text\":\"Hi\"}\n{\"end\":\"end\"}\n";
    struct situation none = { .settings = { { NULL, NULL } } };
    char *dir = test_dir_new(), *file = test_path(dir, "b:c.jsonl"), *name;
    struct sf_strbuf asked = SF_STRBUF_INIT;
    struct sf_provider p;
    struct sf_error err;

    sf_strbuf_addf(&asked, "replay:%s", file);
    name = sf_strbuf_detach(&asked);
    assert_false(open_in(*state, &none, name, &p, &err)); /* it is not there */
    assert_int_equal(err.code, SF_E_ARG);
    test_write(file, text, sizeof(text) - 1);
    assert_true(open_in(*state, &none, name, &p, &err));
    assert_int_equal(p.kind, SF_PROVIDER_REPLAY);
    assert_string_equal(p.name, "replay");
    assert_non_null(p.replay);
    assert_null(p.plays); /* nothing says who answered */
    sf_provider_release(&p);
    test_dir_free(dir);
    free(file);
    free(name);
}

static void test_tiers(void **state)
{
    struct situation in = { .settings = { { "models.openai.fast", "own-fast" },
                                          { "models.fast", "general-fast" },
                                          { "models.smart", "general-smart" },
                                          { "models.openai.format", "chat" } },
                            .variables = { { "OPENAI_API_KEY", "k" } } };
    struct sf_provider p;
    struct sf_error err;

    assert_true(open_in(*state, &in, "openai", &p, &err));
    assert_string_equal(p.tiers[0], "own-fast");
    assert_string_equal(p.tiers[1], "general-smart");
    assert_string_equal(p.tiers[2], "gpt-5.2");
    assert_int_equal(p.format, SF_WIRE_CHAT);
    sf_provider_release(&p);

    in.settings[1] = in.settings[0] = (struct pair){ "models.none", "x" };
    in.settings[2] = in.settings[0];
    assert_true(open_in(*state, &in, "ollama", &p, &err));
    assert_null(p.tiers[0]);
    sf_provider_release(&p);
}

static void test_key_file(void **state)
{
    char *dir = test_dir_new(), *path = test_path(dir, "key");
    struct situation in = { .settings = { { "models.openai.api_key_file", path } } };
    struct sf_provider p;
    struct sf_error err;

    test_write(path, "k5\n", 3);
    chmod(path, 0600);
    assert_true(open_in(*state, &in, "openai", &p, &err));
    assert_string_equal(p.key, "k5");
    sf_provider_release(&p);
    chmod(path, 0644);
    assert_false(open_in(*state, &in, "openai", &p, &err));
    assert_non_null(strstr(err.hint, "chmod 600 "));
    free(path);
    test_dir_free(dir);
}

#define WITH_CATALOG(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CATALOG(test_openings), WITH_CATALOG(test_refusals), WITH_CATALOG(test_replay),
        WITH_CATALOG(test_tiers),    WITH_CATALOG(test_key_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
