/*
 * The catalog: what comes with sf, what a user lays over it, what is made of unknown models, and
 * what tokens cost.
 */
#include <stdlib.h>

#include "base/base.h"
#include "model/model.h"
#include "support/test.h"

static int setup(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    *state = sf_catalog_new(NULL, 0, &err);
    if (!*state)
        print_error("models.toml:%u:%u: %s\n", err.line, err.column, err.msg);
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    sf_catalog_free(*state);
    return 0;
}

static void test_all_providers_are_there(void **state)
{
    static const char *const names[] = { "anthropic", "openai",   "deepseek", "openrouter",
                                         "groq",      "mistral",  "xai",      "gemini",
                                         "ollama",    "llamacpp", "lmstudio", "vllm" };

    assert_int_equal(sf_catalog_provider_count(*state), SF_COUNT(names));
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        const struct sf_provider_row *row = sf_catalog_provider_at(*state, i);
        bool local = i >= 8;

        assert_string_equal(row->name, names[i]);
        assert_ptr_equal(sf_catalog_provider(*state, names[i]), row);
        assert_true(*row->title && row->window >= row->max_output);
        assert_int_equal(strncmp(row->base_url, local ? "http://127.0.0.1:" : "https://", 8), 0);
        assert_int_equal(*row->key_env == '\0', local);
        assert_true(row->base_url[strlen(row->base_url) - 1] != '/');
        for (size_t tier = 0; tier < 3; tier++)
            assert_int_equal(*row->tiers[tier] == '\0', local);
    }
    assert_null(sf_catalog_provider(*state, "nobody"));
}

/* Every model a provider names for a mode has a row of its own. */
static void test_models_of_tiers_are_described(void **state)
{
    for (size_t i = 0; i < sf_catalog_provider_count(*state); i++) {
        const struct sf_provider_row *row = sf_catalog_provider_at(*state, i);

        for (size_t tier = 0; tier < 3; tier++) {
            const struct sf_model_row *model =
                sf_catalog_model(*state, row->name, row->tiers[tier]);
            const struct sf_model_row *unknown = sf_catalog_model(*state, row->name, "unknown-x");

            if (*row->tiers[tier] && model->window == unknown->window &&
                model->max_output == unknown->max_output && !model->images &&
                model->price_input < 0 && !model->reasoning_back)
                fail_msg("%s of %s has no row", row->tiers[tier], row->name);
        }
    }
}

static void test_some_figures(void **state)
{
    const struct sf_model_row *sonnet = sf_catalog_model(*state, "anthropic", "claude-sonnet-4-5");
    const struct sf_model_row *gpt = sf_catalog_model(*state, "openai", "gpt-5");

    assert_int_equal(sonnet->window, 200000);
    assert_int_equal(sonnet->price_input, 3000000);
    assert_int_equal(sonnet->price_cache_write, 3750000);
    assert_string_equal(sonnet->tier, "smart");
    assert_int_equal(sonnet->thinking_budgets[2], 24576);
    assert_false(sonnet->patches);
    assert_true(gpt->patches && gpt->images);
    assert_string_equal(gpt->efforts[0], "low");
    assert_int_equal(gpt->price_cache_read, 125000);
    assert_int_equal(gpt->price_cache_write, -1);
}

static const struct {
    const char *provider, *name;
    bool known; /* has the price of the model it is a version of */
} versions[] = {
    { "anthropic", "claude-sonnet-4-5-20250929", true },
    { "anthropic", "claude-sonnet-4-5-latest", true },
    { "openai", "gpt-5-2025-08-07", true },
    { "openai", "gpt-5-mini-2025-08-07", true },
    { "openai", "gpt-5-next", false },
    { "openai", "gpt-5-1234", false },
    { "openai", "gpt-5-2025-08-07x", false },
    { "openai", "gpt", false },
    { "openai", "-20250807", false },
    { "groq", "gpt-5", false },
    { "nobody", "gpt-5", false },
};

static void test_versions_of_models(void **state)
{
    for (size_t i = 0; i < SF_COUNT(versions); i++) {
        const struct sf_model_row *row =
            sf_catalog_model(*state, versions[i].provider, versions[i].name);

        if ((row->price_input >= 0) != versions[i].known)
            fail_msg("%s: price %lld", versions[i].name, (long long)row->price_input);
        assert_string_equal(row->name, versions[i].name);
        assert_string_equal(row->provider, versions[i].provider);
        assert_true(row->window > 0 && row->max_output > 0 && row->max_output <= row->window);
        assert_non_null(row->efforts[2]);
        assert_ptr_equal(sf_catalog_model(*state, versions[i].provider, versions[i].name), row);
    }
    assert_int_equal(sf_catalog_model(*state, "openai", "gpt-5-mini-2025-08-07")->price_input,
                     250000);
}

static struct sf_catalog *overlay(const char *text, struct sf_error *err)
{
    *err = (struct sf_error)SF_ERROR_INIT;
    return sf_catalog_new(text, strlen(text), err);
}

static void test_overlay(void **state)
{
    static const char text[] =
        "[models.house.big]\nprice_output = 0.0375\ntier = \"deep\"\n"
        "[providers.house]\nbase_url = \"https://h.example.com\"\nwindow = 50_000\n"
        "[providers.anthropic]\nsmart = \"mine\"\n"
        "[models.openai.\"gpt-5\"]\nprice_input = 2\n";
    struct sf_error err;
    struct sf_catalog *catalog = overlay(text, &err);
    const struct sf_provider_row *anthropic, *house;
    const struct sf_model_row *big;

    (void)state;
    assert_non_null(catalog);
    anthropic = sf_catalog_provider(catalog, "anthropic");
    assert_string_equal(anthropic->tiers[1], "mine");
    assert_string_equal(anthropic->tiers[0], "claude-haiku-4-5");
    assert_string_equal(anthropic->key_env, "ANTHROPIC_API_KEY");
    assert_int_equal(sf_catalog_model(catalog, "openai", "gpt-5")->price_input, 2000000);
    assert_int_equal(sf_catalog_model(catalog, "openai", "gpt-5")->price_output, 10000000);
    house = sf_catalog_provider(catalog, "house");
    assert_int_equal(house->format, SF_WIRE_CHAT);
    assert_string_equal(house->title, "house");
    assert_string_equal(house->key_env, "");
    assert_ptr_equal(sf_catalog_provider_at(catalog, sf_catalog_provider_count(catalog) - 1),
                     house);
    big = sf_catalog_model(catalog, "house", "big");
    assert_int_equal(big->price_output, 37500);
    assert_int_equal(big->window, 50000);
    assert_string_equal(big->tier, "deep");
    sf_catalog_free(catalog);
}

static const struct {
    const char *name, *text, *message;
    unsigned line;
} mistakes[] = {
    { "no TOML", "[providers", "", 1 },
    { "an unknown section", "[provider.x]\n", "provider is neither", 1 },
    { "a section that is no table", "models = 3\n", "neither", 1 },
    { "an unknown key", "[models.a.b]\nprice_inptu = 1\n", "price_inptu", 2 },
    { "a provider without an address", "[providers.x]\ntitle = \"X\"\n", "base_url", 1 },
    { "a format nobody speaks", "[providers.openai]\nformat = \"soap\"\n", "format must be", 2 },
    { "a negative price", "[models.a.b]\nprice_input = -1\n", "US dollars", 2 },
    { "a price beyond reason", "[models.a.b]\nprice_input = 1e300\n", "US dollars", 2 },
    { "a price that is no number", "[models.a.b]\nprice_input = nan\n", "US dollars", 2 },
    { "a price in words", "[models.a.b]\nprice_input = \"1\"\n", "US dollars", 2 },
    { "no window", "[models.a.b]\nwindow = 0\n", "number of tokens", 2 },
    { "a window beyond reason", "[models.a.b]\nwindow = 9_000_000_000\n", "number of tokens", 2 },
    { "more output than window", "[models.a.b]\nwindow = 10\nmax_output = 11\n", "no larger", 1 },
    { "a tier nobody knows", "[models.a.b]\ntier = \"slow\"\n", "fast", 2 },
    { "two efforts", "[models.a.b]\nefforts = [\"a\", \"b\"]\n", "three texts", 2 },
    { "efforts of numbers", "[models.a.b]\nefforts = [1, 2, 3]\n", "three texts", 2 },
    { "negative thinking", "[models.a.b]\nthinking = [0, -1, 2]\n", "three numbers", 2 },
    { "a flag in words", "[models.a.b]\nimages = \"yes\"\n", "true or false", 2 },
    { "an escape in a title", "[providers.openai]\ntitle = \"a\\u001b[31m\"\n", "control", 2 },
    { "a blank in a name", "[models.a.\"b c\"]\n", "no blanks", 1 },
    { "an empty name", "[models.a.\"\"]\n", "name has 1", 1 },
    { "a model that is no table", "[models.a]\nb = 1\n", "tables", 2 },
};

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(mistakes); i++) {
        struct sf_error err;
        struct sf_catalog *catalog = overlay(mistakes[i].text, &err);

        if (catalog || !strstr(err.msg, mistakes[i].message) || err.line != mistakes[i].line)
            fail_msg("%s: line %u: %s", mistakes[i].name, err.line, catalog ? "taken" : err.msg);
        sf_catalog_free(catalog);
    }
}

static void test_nearest_key(void **state)
{
    struct sf_error err;

    (void)state;
    assert_null(overlay("[models.a.b]\nprice_inptu = 1\n", &err));
    assert_string_equal(err.hint, "did you mean price_input?");
}

static void test_too_many(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err;

    (void)state;
    for (int i = 0; i < 5000; i++)
        sf_strbuf_addf(&text, "[models.a.m%d]\n", i);
    assert_null(overlay(text.buf, &err));
    assert_non_null(strstr(err.msg, "too many"));
    sf_strbuf_release(&text);
}

static const struct {
    const char *name;
    struct sf_usage usage;
    int64_t want;
} costs[] = {
    { "nothing", { 0 }, 0 },
    { "one token is rounded up", { .input = 1 }, 1 },
    { "a million in", { .input = 1000000 }, 1000000 },
    { "everything", { 1000000, 1000000, 1000000, 0, 500000 }, 1000000 + 2000000 + 100000 },
    { "a cache without a price costs what input does", { .cache_write = 1000000 }, 1000000 },
    { "less than nothing counts as nothing", { .input = -5, .output = -5 }, 0 },
    { "too much to count", { .input = INT64_MAX }, INT64_MAX / 1000000 + 1 },
};

static void test_costs(void **state)
{
    const struct sf_model_row model = { .price_input = 1000000,
                                        .price_output = 2000000,
                                        .price_cache_read = 100000,
                                        .price_cache_write = -1 };
    const struct sf_model_row unpriced = {
        .price_input = -1, .price_output = -1, .price_cache_read = -1, .price_cache_write = -1
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(costs); i++) {
        int64_t got = sf_model_cost(&model, &costs[i].usage);

        if (got != costs[i].want)
            fail_msg("%s: %lld", costs[i].name, (long long)got);
    }
    assert_int_equal(sf_model_cost(&unpriced, &(struct sf_usage){ .cache_read = 1 }), -1);
    assert_int_equal(sf_model_cost(&unpriced, &(struct sf_usage){ .output = 1 }), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_providers_are_there, setup, teardown),
        cmocka_unit_test_setup_teardown(test_models_of_tiers_are_described, setup, teardown),
        cmocka_unit_test_setup_teardown(test_some_figures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_versions_of_models, setup, teardown),
        cmocka_unit_test(test_overlay),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_nearest_key),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_costs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
