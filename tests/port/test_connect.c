/*
 * Connecting a model at the port: what there is, a key that is tried before it is kept, models that
 * are looked over, and nothing written before the last step.
 */
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

#include "io/io.h"
#include "support/model_server.h"
#include "support/port_case.h"
#include "support/test.h"

#define KEY "sk-test-5ecret"

static const char keyed[] = "key " KEY "\nreply repeat=20\n    text \"Hello to you.\"\n";
static const char open_to_all[] = "key -\nmodel tiny:7b\n"
                                  "reply repeat=20\n    text \"Hello to you.\"\n";

/* Groq and Ollama are where the server is; nobody else is on this machine. */
static void begin(struct port_case *c, const char *scenario)
{
    const struct model_server_options options = { .scenario = scenario };
    struct sf_strbuf toml = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    unsetenv("GROQ_API_KEY");
    c->parts->server = model_server_start(&options, &err);
    if (!c->parts->server)
        fail_msg("%s", err.msg);
    sf_strbuf_addf(&toml,
                   "[models.groq]\nbase_url = \"%s/v1\"\n[models.ollama]\nbase_url = \"%s/v1\"\n"
                   "[models.llamacpp]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                   "[models.lmstudio]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                   "[models.vllm]\nbase_url = \"http://127.0.0.1:1/v1\"\n",
                   model_server_url(c->parts->server), model_server_url(c->parts->server));
    session_case_settings(c->parts, toml.buf);
    sf_strbuf_release(&toml);
    port_case_open(c, NULL);
}

static void choose(struct port_case *c, const char *value)
{
    sf_port_connect_choose(c->port, value);
    port_case_wait(c);
}

static void fill(struct port_case *c, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_port_fill(c->port, text, &err))
        fail_msg("%s", err.msg);
    port_case_wait(c);
}

/* The last of the tables that belong to this step. */
static const struct sf_response *step(struct port_case *c, const char *part)
{
    for (size_t i = c->count; i-- > 0;)
        if (c->said[i].kind == SF_RESPONSE_CHOICE && !strcmp(c->said[i].part, part))
            return &c->said[i];
    fail_msg("there was no step %s", part);
    return NULL;
}

static size_t holders; /* files that have the key in them */

static int look_into(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)ftw;
    if (kind == FTW_F && S_ISREG(st->st_mode) && sf_file_read(path, 64 << 20, &text, &err) &&
        memmem(text.buf, text.len, KEY, strlen(KEY))) {
        assert_non_null(strstr(path, "/sf/keys/groq"));
        assert_int_equal(st->st_mode & 0777, 0600);
        holders++;
    }
    sf_strbuf_release(&text);
    return 0;
}

static void expect_holders(struct port_case *c, size_t count)
{
    holders = 0;
    assert_int_equal(nftw(c->parts->dir, look_into, 16, FTW_PHYS), 0);
    assert_int_equal(holders, count);
}

static bool has_settings(struct port_case *c, const char *words)
{
    char *path = test_path(c->parts->dir, "sf/config.toml");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool found = sf_file_read(path, 65536, &text, &err) && strstr(text.buf, words);

    sf_strbuf_release(&text);
    free(path);
    return found;
}

/* The table is given at once, and comes again with what servers of this machine say. */
static void test_list(void **state)
{
    struct port_case *c = *state;

    c->stays = true;
    begin(c, open_to_all);
    port_case_line(c, "/connect");
    assert_true(c->said[0].partial);
    assert_string_equal(port_case_row(&c->said[0], "ollama")->cells.items[1], "looking …");
    assert_false(step(c, "")->partial);
    assert_true(step(c, "")->renews);
    assert_string_equal(port_case_row(step(c, ""), "ollama")->cells.items[1], "answers, 1 model");
    assert_string_equal(port_case_row(step(c, ""), "vllm")->cells.items[1],
                        "no answer at http://127.0.0.1:1/v1");
    assert_string_equal(port_case_row(step(c, ""), "groq")->cells.items[1], "no key yet");
    port_case_line(c, "/connect groq");
    port_case_expect(c, SF_RESPONSE_ERROR, "no terminal to type a key on");
}

static void test_typed_key(void **state)
{
    struct port_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    begin(c, keyed);
    port_case_line(c, "/connect groq");
    assert_non_null(port_case_row(step(c, "key"), "type"));
    assert_null(port_case_row(step(c, "key"), "use"));
    choose(c, "type");
    assert_true(port_case_said(c, SF_RESPONSE_FIELD)->secret);
    assert_false(sf_port_fill(c->port, " \n", &err));
    fill(c, "sk-wrong-one");
    assert_string_equal(port_case_said(c, SF_RESPONSE_ERROR)->title, "Groq is not connected");
    choose(c, "type");
    fill(c, KEY);
    assert_non_null(port_case_row(step(c, "models"), "keep"));
    expect_holders(c, 0); /* it was only tried */
    assert_false(has_settings(c, "groq"));
    choose(c, "keep");
    expect_holders(c, 1);
    assert_true(has_settings(c, "provider = \"groq\""));
    choose(c, "keep");
    port_case_expect(c, SF_RESPONSE_NOTE, "/connect begins anew");
}

/* The key is in the environment, where it stays; a model is exchanged for another of the catalog. */
static void test_models(void **state)
{
    struct port_case *c = *state;
    struct sf_strbuf line = SF_STRBUF_INIT;
    char *before, *other = NULL;

    begin(c, keyed);
    setenv("GROQ_API_KEY", KEY, 1);
    port_case_line(c, "/connect groq");
    choose(c, "use");
    unsetenv("GROQ_API_KEY");
    before = sf_strdup(port_case_row(step(c, "models"), "smart")->cells.items[1]);
    choose(c, "smart");
    assert_string_equal(step(c, "model")->title, "Groq for smart");
    for (size_t i = 0; i < step(c, "model")->count; i++)
        if (!other && strcmp(step(c, "model")->rows[i].value, before) != 0)
            other = sf_strdup(step(c, "model")->rows[i].value);
    assert_non_null(other);
    sf_port_connect_back(c->port);
    assert_string_equal(port_case_row(step(c, "models"), "smart")->cells.items[1], before);
    choose(c, "smart");
    choose(c, other);
    assert_string_equal(port_case_row(step(c, "models"), "smart")->cells.items[1], other);
    choose(c, "keep");
    sf_strbuf_addf(&line, "smart = \"%s\"", other);
    assert_true(has_settings(c, line.buf));
    expect_holders(c, 0);
    sf_strbuf_release(&line);
    free(before);
    free(other);
}

/* Whatever is given up leaves nothing behind. */
static void test_back(void **state)
{
    struct port_case *c = *state;

    begin(c, open_to_all);
    port_case_line(c, "/connect ollama");
    step(c, "models");
    sf_port_connect_back(c->port);
    port_case_expect(c, SF_RESPONSE_NOTE, "nothing was changed");
    assert_false(has_settings(c, "ollama"));
    port_case_line(c, "/connect no-such");
    assert_string_equal(port_case_said(c, SF_RESPONSE_ERROR)->title, "no-such is not connected");
}

/* A command that prints the key is not waited for; while it runs nothing else is chosen. */
static void test_stopped(void **state)
{
    struct port_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;

    begin(c, keyed);
    port_case_line(c, "/connect groq");
    choose(c, "cmd");
    assert_true(sf_port_fill(c->port, "sleep 600", &err));
    assert_true(port_case_said(c, SF_RESPONSE_NOTE)->since_ms > 0);
    sf_port_connect_choose(c->port, "type");
    port_case_expect(c, SF_RESPONSE_NOTE, "Groq is being asked; Esc stops that");
    sf_port_connect_back(c->port);
    port_case_expect(c, SF_RESPONSE_NOTE, "nothing was changed");
    port_case_wait(c);
    port_case_line(c, "/connect groq");
    choose(c, "cmd");
    assert_true(sf_port_fill(c->port, "sleep 600", &err));
    /* and the port is closed in the midst of it */
}

/* ---- another server ---- */

static void expect_refused(struct port_case *c, const char *row, const char *text, const char *why)
{
    struct sf_error err = SF_ERROR_INIT;

    choose(c, row);
    if (sf_port_fill(c->port, text, &err) || !strstr(err.msg, why))
        fail_msg("%s: %s", text, err.msg);
}

static const struct {
    const char *row, *text, *why;
} refused[] = {
    { "name", "", "letters, digits" },
    { "name", "my server", "letters, digits" },
    { "name", "../../x", "letters, digits" },
    { "name", "groq", "already" },
    { "name", "fast", "means something else" },
    { "name", "offline", "means something else" },
    { "address", "ftp://host/v1", "the address" },
    { "address", "file:///etc/passwd", "the address" },
    { "address", "host:80", "the address" },
};

static void test_another_server(void **state)
{
    struct port_case *c = *state;
    struct sf_strbuf url = SF_STRBUF_INIT;

    begin(c, open_to_all);
    port_case_line(c, "/connect");
    assert_string_equal(port_case_row(step(c, ""), "+")->cells.items[0], "other server");
    choose(c, "+");
    for (size_t i = 0; i < SF_COUNT(refused); i++)
        expect_refused(c, refused[i].row, refused[i].text, refused[i].why);
    choose(c, "try"); /* which asks for what is missing first */
    fill(c, " work ");
    choose(c, "try");
    sf_strbuf_addf(&url, "%s/v1", model_server_url(c->parts->server));
    fill(c, url.buf);
    assert_string_equal(port_case_row(step(c, "server"), "address")->cells.items[1], url.buf);
    assert_non_null(strstr(port_case_row(step(c, "server"), "format")->cells.items[1], "chat:"));
    for (int i = 0; i < 3; i++) /* through all formats and back */
        choose(c, "format");
    choose(c, "try");
    assert_string_equal(port_case_row(step(c, "key"), "use")->cells.items[0], "none");
    assert_false(has_settings(c, "work"));
    choose(c, "use");
    assert_string_equal(port_case_row(step(c, "models"), "smart")->cells.items[1], "tiny:7b");
    choose(c, "keep");
    assert_true(has_settings(c, url.buf));
    assert_true(has_settings(c, "format = \"chat\""));
    assert_true(has_settings(c, "provider = \"work\""));
    sf_strbuf_release(&url);
}

/* What does not answer is not written; going back leads to what was typed. */
static void test_another_server_is_silent(void **state)
{
    struct port_case *c = *state;

    begin(c, open_to_all);
    port_case_line(c, "/connect");
    choose(c, "+");
    choose(c, "name");
    fill(c, "dead");
    choose(c, "address");
    fill(c, "http://127.0.0.1:1/v1");
    choose(c, "try");
    choose(c, "use");
    assert_string_equal(port_case_said(c, SF_RESPONSE_ERROR)->title, "dead is not connected");
    sf_port_connect_back(c->port);
    assert_string_equal(port_case_row(step(c, "server"), "name")->cells.items[1], "dead");
    assert_false(has_settings(c, "dead"));
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)
    const struct CMUnitTest tests[] = { CASE(test_list),
                                        CASE(test_typed_key),
                                        CASE(test_models),
                                        CASE(test_back),
                                        CASE(test_stopped),
                                        CASE(test_another_server),
                                        CASE(test_another_server_is_silent) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
