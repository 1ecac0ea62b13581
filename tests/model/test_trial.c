/*
 * A service tried out: what its list of models says, a key that is right or wrong, a command that
 * prints it, an address nobody listens on; and a try that is stopped still ends exactly once.
 */
#include <stdlib.h>

#include "model/model.h"
#include "support/model_server.h"
#include "support/test.h"

#define KEY "sk-right"

struct fixture {
    struct sf_loop *loop;
    struct sf_catalog *catalog;
    struct model_server *server;
    char url[128];

    int event;
    bool ok;
    struct sf_error error;
    struct sf_strlist models;
    bool has_key;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    *f = (struct fixture){ .loop = sf_loop_new(&err), .models = SF_STRLIST_INIT };
    f->catalog = sf_catalog_new(NULL, 0, &err);
    snprintf(f->url, sizeof(f->url), "http://127.0.0.1:1/v1");
    *state = f;
    return f->loop && f->catalog ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    model_server_stop(f->server);
    sf_catalog_free(f->catalog);
    sf_loop_free(f->loop);
    sf_strlist_release(&f->models);
    free(f);
    return 0;
}

static void serve(struct fixture *f, const char *scenario)
{
    const struct model_server_options options = { .scenario = scenario };
    struct sf_error err = SF_ERROR_INIT;

    f->server = model_server_start(&options, &err);
    if (!f->server)
        fail_msg("%s", err.msg);
    snprintf(f->url, sizeof(f->url), "%s/v1", model_server_url(f->server));
}

static const char *setting(void *ctx, const char *key)
{
    const struct fixture *f = ctx;

    return strstr(key, ".base_url") ? f->url : NULL;
}

static void on_told(void *ctx, const struct sf_trial_result *result)
{
    struct fixture *f = ctx;

    f->event++;
    f->ok = result->ok;
    f->error = result->error;
    f->has_key = result->opened && result->opened->key;
    for (size_t i = 0; i < result->models->count; i++)
        sf_strlist_add(&f->models, result->models->items[i]);
    sf_loop_stop(f->loop);
}

static struct sf_trial *start(struct fixture *f, const char *name, const char *key, const char *cmd)
{
    const struct sf_provider_sources sources = { f->catalog, setting, f };
    const struct sf_trial_wish wish = {
        .loop = f->loop, .name = name, .sources = &sources, .key = key, .cmd = cmd
    };

    f->event = 0;
    f->error = (struct sf_error)SF_ERROR_INIT;
    return sf_trial_start(&wish, on_told, f);
}

static void finish(struct fixture *f)
{
    while (!f->event)
        sf_loop_run(f->loop);
    assert_int_equal(f->event, 1);
}

static const struct {
    const char *name, *key, *cmd;
    bool ok;
    const char *says;
} keys[] = {
    { "the right key", KEY, NULL, true, "" },
    { "with blanks around it", " \t" KEY "\r\n", NULL, true, "" },
    { "printed by a command", NULL, "echo " KEY, true, "" },
    { "another key", "sk-wrong", NULL, false, "Incorrect API key" },
    { "nothing at all", "", NULL, false, "holds no key" },
    { "two words", "sk right", NULL, false, "more than a key" },
    { "two lines", "sk\nright", NULL, false, "more than a key" },
    { "a command that fails", NULL, "exit 4", false, "ended with code 4" },
    { "a command that prints nothing", NULL, "true", false, "holds no key" },
};

static void test_keys(void **state)
{
    struct fixture *f = *state;

    serve(f, "key " KEY "\nreply repeat=9\n    text \"ok\"\n");
    for (size_t i = 0; i < SF_COUNT(keys); i++) {
        start(f, "groq", keys[i].key, keys[i].cmd);
        finish(f);
        if (f->ok != keys[i].ok || !strstr(f->error.msg, keys[i].says) ||
            strstr(f->error.msg, "sk-wrong") || (f->ok && !f->has_key))
            fail_msg("%s: %d, %s", keys[i].name, f->ok, f->error.msg);
    }
}

static void test_local_list(void **state)
{
    struct fixture *f = *state;

    serve(f, "key -\nmodel tiny:7b\nreply\n    text \"ok\"\n");
    start(f, "ollama", NULL, NULL);
    finish(f);
    assert_true(f->ok);
    assert_int_equal(f->models.count, 1);
    assert_string_equal(f->models.items[0], "tiny:7b");
    assert_int_equal(model_server_count(f->server), 1); /* nothing had to load a model */
    assert_string_equal(model_server_path(f->server, 0), "/v1/models");
}

static void test_nobody_there(void **state)
{
    struct fixture *f = *state;

    start(f, "ollama", NULL, NULL);
    finish(f);
    assert_false(f->ok);
    assert_non_null(strstr(f->error.msg, "cannot be reached"));
    start(f, "groq", KEY, NULL);
    finish(f);
    assert_false(f->ok);
    start(f, "nosuch", KEY, NULL);
    finish(f);
    assert_false(f->ok);
    start(f, "offline", NULL, NULL);
    finish(f);
    assert_false(f->ok);
}

/* At once, while a command runs, and while the service is asked. */
static void test_stopped(void **state)
{
    struct fixture *f = *state;
    struct sf_trial *trial;

    serve(f, "key " KEY "\nreply repeat=9\n    delay 60000\n    text \"ok\"\n");
    sf_trial_cancel(start(f, "groq", KEY, NULL));
    finish(f);
    assert_int_equal(f->error.code, SF_E_CANCELLED);
    trial = start(f, "groq", NULL, "sleep 600");
    sf_loop_turn(f->loop, 0); /* the command is started */
    sf_trial_cancel(trial);
    finish(f);
    assert_int_equal(f->error.code, SF_E_CANCELLED);
    trial = start(f, "groq", KEY, NULL);
    while (!f->event && !model_server_count(f->server))
        sf_loop_turn(f->loop, 10);
    assert_false(f->event);
    sf_trial_cancel(trial);
    finish(f);
    assert_int_equal(f->error.code, SF_E_CANCELLED);
}

static const struct {
    const char *name, *text;
    bool ok;
    size_t count;
} answers[] = {
    { "a list", "{\"data\":[{\"id\":\"a\"},{\"id\":\"b:7b\"}]}", true, 2 },
    { "an empty list", "{\"data\":[]}", true, 0 },
    { "names that are none",
      "{\"data\":[{\"id\":\"a b\"},{\"id\":\"\\u001b[2J\"},{\"id\":\"\"},7,{}]}", true, 0 },
    { "no list", "{\"data\":{}}", false, 0 },
    { "another page", "<html>It works!</html>", false, 0 },
    { "nothing", "", false, 0 },
};

static void test_lists(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(answers); i++) {
        struct sf_strlist models = SF_STRLIST_INIT;
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_model_list_read(answers[i].text, strlen(answers[i].text), &models, &err);
        size_t count = models.count;

        sf_strlist_release(&models);
        if (ok != answers[i].ok || count != answers[i].count)
            fail_msg("%s: %d, %zu models", answers[i].name, ok, count);
    }
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_keys),    CASE(test_local_list),        CASE(test_nobody_there),
        CASE(test_stopped), cmocka_unit_test(test_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
