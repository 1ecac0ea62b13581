/*
 * sf connect: what there is, and connecting one: the key is tried before anything is written, is
 * kept in one file that only its user can read, and is nowhere else; what fails changes nothing.
 */
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/agent_sandbox.h"
#include "support/test.h"

#define KEY "sk-test-5ecret"

static const char scenario[] = "key " KEY "\nreply repeat=9\n    text \"ok\"\n";

struct fixture {
    struct sandbox *sandbox;
    struct model_server *server;
    struct sf_strbuf settings;
    char *key_file;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    void *sandbox;

    sandbox_setup(&sandbox);
    *f = (struct fixture){ .sandbox = sandbox, .settings = SF_STRBUF_INIT };
    f->key_file = test_path(f->sandbox->dir, "config/sf/keys/groq");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    void *sandbox = f->sandbox;

    model_server_stop(f->server);
    agent_sandbox_settings(f->sandbox, NULL);
    sandbox_teardown(&sandbox);
    sf_strbuf_release(&f->settings);
    free(f->key_file);
    free(f);
    return 0;
}

/* Groq and Ollama are where the server is; everybody else on this machine is on a dead port. */
static void serve(struct fixture *f, const char *text)
{
    const struct model_server_options options = { .scenario = text };
    struct sf_error err = SF_ERROR_INIT;

    f->server = model_server_start(&options, &err);
    if (!f->server)
        fail_msg("%s", err.msg);
    sf_strbuf_reset(&f->settings);
    sf_strbuf_addf(&f->settings,
                   "[models.groq]\nbase_url = \"%s/v1\"\n[models.ollama]\nbase_url = \"%s/v1\"\n"
                   "[models.llamacpp]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                   "[models.lmstudio]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                   "[models.vllm]\nbase_url = \"http://127.0.0.1:1/v1\"\n",
                   model_server_url(f->server), model_server_url(f->server));
    test_write(f->sandbox->config, f->settings.buf, f->settings.len);
}

static void expect_settings_kept(const struct fixture *f, const char *name)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool same = sf_file_read(f->sandbox->config, 1 << 20, &text, &err) &&
                !strcmp(text.buf, f->settings.buf);

    sf_strbuf_release(&text);
    if (!same || access(f->key_file, F_OK) == 0)
        fail_msg("%s: something was written", name);
}

/* ---- where the key's text is ---- */

static const char *allowed; /* the one file that may hold it */
static size_t holders;

static int look_into(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)ftw;
    if (kind == FTW_F && S_ISREG(st->st_mode) && sf_file_read(path, 64 << 20, &text, &err) &&
        memmem(text.buf, text.len, KEY, strlen(KEY))) {
        holders++;
        if (!allowed || strcmp(path, allowed) != 0)
            print_message("the key is in %s\n", path);
        if (!allowed || strcmp(path, allowed) != 0 || (st->st_mode & 0777) != 0600)
            holders += 100;
    }
    sf_strbuf_release(&text);
    return 0;
}

static void expect_key_only_in(const struct fixture *f, const char *path)
{
    allowed = path;
    holders = 0;
    assert_int_equal(nftw(f->sandbox->dir, look_into, 16, FTW_PHYS), 0);
    assert_int_equal(holders, path ? 1 : 0);
}

static struct outcome pipe_key(struct fixture *f, const char *key, const char *words)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addf(&command, "-c 'umask 000; printf \"%s\" | " SF_PROGRAM " %s'", key, words);
    o = sandbox_run_program(f->sandbox, "/bin/sh", command.buf);
    sf_strbuf_release(&command);
    return o;
}

/* ---- cases ---- */

static void test_list(void **state)
{
    struct fixture *f = *state;

    serve(f, scenario);
    sandbox_setenv(f->sandbox, "MISTRAL_API_KEY", KEY);
    sandbox_expect(f->sandbox, "connect", 0, "mistral      Mistral          key in MISTRAL_API_KEY",
                   NULL);
    sandbox_expect(f->sandbox, "connect --list", 0, "lmstudio     LM Studio        no answer at",
                   NULL);
    sandbox_expect(f->sandbox, "connect --list", 0, "* mistral", NULL); /* whom auto stands for */
    sandbox_expect(f->sandbox, "connect --list --json", 0,
                   "\"provider\":\"mistral\",\"title\":\"Mistral\"", NULL);
    sandbox_expect(f->sandbox, "connect --list --json", 0,
                   "\"key\":\"environment\",\"source\":\"MISTRAL_API_KEY\"", NULL);
    expect_key_only_in(f, NULL);
}

static void test_local_server(void **state)
{
    struct fixture *f = *state;

    serve(f, "key -\nmodel tiny:7b\nreply repeat=9\n    text \"ok\"\n");
    sandbox_expect(f->sandbox, "connect --list", 0,
                   "ollama       Ollama           answers, 1 model", NULL);
    sandbox_expect(f->sandbox, "connect ollama", 0, "Ollama is connected.", "");
    sandbox_expect(f->sandbox, "config get models.provider", 0, "ollama\n", NULL);
    sandbox_expect(f->sandbox, "config get models.ollama.smart", 0, "tiny:7b\n", NULL);
    sandbox_expect(f->sandbox, "connect --list", 0, "* ollama", NULL);
    sandbox_expect(f->sandbox, "-p hello", 0, "ok", NULL);
}

static void test_typed_key_is_kept(void **state)
{
    struct fixture *f = *state;
    struct outcome o;

    serve(f, scenario);
    o = pipe_key(f, "  " KEY "\\n", "connect groq --smart test-model");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "Groq is connected."));
    assert_null(strstr(o.out, KEY));
    assert_null(strstr(o.err, KEY));
    outcome_release(&o);
    expect_key_only_in(f, f->key_file);
    sandbox_expect(f->sandbox, "config get models.provider", 0, "groq\n", NULL);
    sandbox_expect(f->sandbox, "config get models.groq.smart", 0, "test-model\n", NULL);
    sandbox_expect(f->sandbox, "-p hello", 0, "ok", NULL);
    expect_key_only_in(f, f->key_file);
}

static const struct {
    const char *name, *key, *words, *says;
} refusals[] = {
    { "a key the service refuses", "sk-wrong-123", "connect groq", "key" },
    { "a blank in it", "sk wrong", "connect groq", "more than a key" },
    { "two lines", "sk-one\\nsk-two", "connect groq", "more than a key" },
    { "a command that fails", "", "connect groq --key-cmd false", "ended with code 1" },
    { "a variable that is not set", "", "connect groq --key-env SF_NOT_SET", "SF_NOT_SET" },
    { "a file that is not there", "", "connect groq --key-file /nonexistent/key", "/nonexistent" },
    { "two sources", "", "connect groq --key-env A --key-cmd b", "exclude each other" },
    { "a server that is not there", "", "connect lmstudio", "cannot be reached" },
    { "a provider nobody knows", "", "connect grok", "did you mean groq" },
    { "no provider at all", "", "connect offline", "offline" },
};

static void test_refusals(void **state)
{
    struct fixture *f = *state;

    serve(f, scenario);
    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        struct outcome o = pipe_key(f, refusals[i].key, refusals[i].words);

        if (o.code != 1 || !strstr(o.err, refusals[i].says) || strstr(o.err, "sk-wrong-123"))
            fail_msg("%s: code %d, %s%s", refusals[i].name, o.code, o.out, o.err);
        outcome_release(&o);
        expect_settings_kept(f, refusals[i].name);
    }
}

/* Each way in turn: the one before is taken out, since two of them would not agree. */
static void test_other_places(void **state)
{
    struct fixture *f = *state;
    char *own = test_path(f->sandbox->dir, "my key");
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct outcome o;

    serve(f, scenario);
    sandbox_expect(f->sandbox, "connect groq --key-cmd 'echo " KEY "'", 0, "connected", NULL);
    sandbox_expect(f->sandbox, "config get models.groq.api_key_cmd", 0, "echo", NULL);
    sandbox_setenv(f->sandbox, "OTHER_KEY", KEY);
    sandbox_expect(f->sandbox, "connect groq --key-env OTHER_KEY", 0, "connected", NULL);
    sandbox_expect(f->sandbox, "config get models.groq.api_key_env", 0, "OTHER_KEY\n", NULL);
    sandbox_expect(f->sandbox, "config get models.groq.api_key_cmd", 1, "", "is not set");
    expect_key_only_in(f, NULL);
    test_write(own, KEY "\n", strlen(KEY) + 1);
    assert_int_equal(chmod(own, 0644), 0);
    sf_strbuf_addf(&words, "connect groq --key-file '%s'", own);
    sandbox_expect(f->sandbox, words.buf, 1, NULL, "can be read by others");
    assert_int_equal(chmod(own, 0600), 0);
    sandbox_expect(f->sandbox, words.buf, 0, "connected", NULL);
    expect_key_only_in(f, own);
    o = sandbox_run(f->sandbox, "config get models.groq.api_key_env");
    assert_null(strstr(o.out, "OTHER_KEY"));
    outcome_release(&o);
    sf_strbuf_release(&words);
    free(own);
}

/* Settings that cannot be written keep the key from being written too, and the old one stays. */
static void test_all_or_nothing(void **state)
{
    struct fixture *f = *state;
    char *lock = test_path(f->sandbox->state, "config.lock");
    struct sf_error err = SF_ERROR_INIT;
    struct outcome o;

    serve(f, scenario);
    assert_true(sf_dir_make(lock, 0700, &err));
    o = pipe_key(f, KEY, "connect groq");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "config.lock"));
    outcome_release(&o);
    expect_settings_kept(f, "no lock");
    expect_key_only_in(f, NULL);
    test_write(f->key_file, "sk-former\n", 10);
    assert_int_equal(chmod(f->key_file, 0600), 0);
    o = pipe_key(f, KEY, "connect groq");
    assert_int_equal(o.code, 1);
    outcome_release(&o);
    expect_key_only_in(f, NULL);
    o = sandbox_run_program(f->sandbox, "/bin/cat", f->key_file);
    assert_string_equal(o.out, "sk-former\n");
    outcome_release(&o);
    free(lock);
}

/* ---- another server ---- */

static const struct {
    const char *name, *words;
    int code;
    const char *err;
} described[] = {
    /* % is the address of the server */
    { "no name for it", "connect 'my server' --base-url %/v1", 1, "letters, digits" },
    { "somebody's name", "connect groq --base-url %/v1", 1, "already" },
    { "no address", "connect work --base-url ftp://x", 1, "the address" },
    { "no such format", "connect work --base-url %/v1 --format soap", 1, "--format is" },
    { "a format alone", "connect work --format chat", 1, "belongs to --base-url" },
    { "nobody is there", "connect work --base-url http://127.0.0.1:1/v1", 1, NULL },
};

static char *with_address(const struct fixture *f, const char *words)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (; *words; words++) {
        if (*words == '%')
            sf_strbuf_adds(&out, model_server_url(f->server));
        else
            sf_strbuf_addch(&out, *words);
    }
    return sf_strbuf_detach(&out);
}

static void test_another_server(void **state)
{
    struct fixture *f = *state;
    char *words;

    serve(f, "key -\nmodel tiny:7b\nreply repeat=9\n    text \"ok\"\n");
    for (size_t i = 0; i < SF_COUNT(described); i++) {
        words = with_address(f, described[i].words);
        sandbox_expect(f->sandbox, words, described[i].code, NULL, described[i].err);
        expect_settings_kept(f, described[i].name);
        free(words);
    }
    words = with_address(f, "connect work --base-url %/v1");
    sandbox_expect(f->sandbox, words, 0, "tiny:7b", NULL);
    free(words);
    sandbox_expect(f->sandbox, "config get models.work.format", 0, "chat", NULL);
    sandbox_expect(f->sandbox, "-p hello", 0, "ok", NULL);
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_list),           CASE(test_local_server), CASE(test_typed_key_is_kept),
        CASE(test_refusals),       CASE(test_other_places), CASE(test_all_or_nothing),
        CASE(test_another_server),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
