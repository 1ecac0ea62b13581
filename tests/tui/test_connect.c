/*
 * Connecting a model at the terminal: what there is, a key that nobody sees, a try, and the session
 * that goes on with it. The key's text is in one file and nowhere else: not on the screen, not in
 * what was written to the terminal, not in the store, the log or the history.
 */
#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

#define KEY  "sk-test-5ecret"
#define ESC  "\033[27u"
#define DOWN "\033[B"

static const char scenario[] = "key " KEY "\nreply repeat=20\n    text \"Hello to you.\"\n";
static const char local[] = "key -\nmodel tiny:7b\nreply repeat=20\n    text \"Hello to you.\"\n";

struct fixture {
    struct pty_case *s;
    struct model_server *server;
    struct sf_strbuf written; /* all that went to the terminal */
    char *key_file, *vault;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    void *pty_case;

    pty_case_setup(&pty_case);
    *f = (struct fixture){ .s = pty_case, .written = SF_STRBUF_INIT };
    f->key_file = test_path(f->s->sandbox->dir, "config/sf/keys/groq");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    void *pty_case = f->s;

    model_server_stop(f->server);
    pty_case_teardown(&pty_case);
    sf_strbuf_release(&f->written);
    free(f->key_file);
    free(f->vault);
    free(f);
    return 0;
}

/* Groq and Ollama are where the server is; nobody else is on this machine. */
static void begin(struct fixture *f, const char *text, const char *words)
{
    const struct model_server_options options = { .scenario = text };
    struct sf_strbuf toml = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    f->server = model_server_start(&options, &err);
    if (!f->server)
        fail_msg("%s", err.msg);
    sf_strbuf_addf(&toml,
                   "[models.groq]\nbase_url = \"%s/v1\"\n[models.ollama]\nbase_url = \"%s/v1\"\n"
                   "[models.llamacpp]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                   "[models.lmstudio]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                   "[models.vllm]\nbase_url = \"http://127.0.0.1:1/v1\"\n",
                   model_server_url(f->server), model_server_url(f->server));
    test_write(f->s->sandbox->config, toml.buf, toml.len);
    sf_strbuf_release(&toml);
    pty_case_begin(f->s, words);
}

/* ---- where the key's text is ---- */

static const char *allowed; /* the one file that may hold it */
static size_t holders;

static int look_into(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool mine = allowed && !strcmp(path, allowed) && (st->st_mode & 0777) == 0600;

    (void)ftw;
    if (kind == FTW_F && S_ISREG(st->st_mode) && sf_file_read(path, 64 << 20, &text, &err) &&
        memmem(text.buf, text.len, KEY, strlen(KEY))) {
        holders += mine ? 1 : 100;
        if (!mine)
            print_message("the key is in %s, mode %o\n", path, (unsigned)st->st_mode & 0777);
    }
    sf_strbuf_release(&text);
    return 0;
}

static void expect_key_only_in(struct fixture *f, const char *path)
{
    const struct sf_strbuf *more = vt_take(f->s->vt);

    sf_strbuf_add(&f->written, more->buf, more->len);
    if (memmem(f->written.buf, f->written.len, KEY, strlen(KEY)))
        fail_msg("the key was written to the terminal");
    allowed = path;
    holders = 0;
    assert_int_equal(nftw(f->s->sandbox->dir, look_into, 16, FTW_PHYS), 0);
    assert_int_equal(holders, path ? 1 : 0);
}

/* ---- cases ---- */

static void open_key_list(struct fixture *f)
{
    pty_case_type(f->s, "/connect groq\r", "The key of Groq");
    vt_wait_text(f->s->vt, "such as GROQ_API_KEY");
}

static void type_key(struct fixture *f, const char *key, const char *then)
{
    pty_case_type(f->s, "\r", "it is not shown");
    pty_case_type(f->s, key, "•••");
    pty_case_type(f->s, "\r", then);
}

/* Requests that are no mere look at who is there. */
static size_t questions(struct fixture *f)
{
    size_t count = 0;

    for (size_t i = 0; i < model_server_count(f->server); i++)
        count += !strstr(model_server_path(f->server, i), "/models");
    return count;
}

static void test_typed_key(void **state)
{
    struct fixture *f = *state;

    begin(f, scenario, NULL);
    vt_wait_text(f->s->vt, "No model is connected yet");
    open_key_list(f);
    type_key(f, "sk-wrong-one", "Groq is not connected");
    vt_wait_text(f->s->vt, "Nothing was written.");
    expect_key_only_in(f, NULL);
    type_key(f, KEY, "Models of Groq");
    expect_key_only_in(f, NULL); /* not yet: it was only tried */
    pty_case_type(f->s, "\r", "openai/gpt-oss-120b answers, from Groq");
    expect_key_only_in(f, f->key_file);
    pty_case_type(f->s, "say hello now\r", "Hello to you.");
    vt_wait_quiet(f->s->vt);
    expect_key_only_in(f, f->key_file);
    pty_case_leave(f->s);
    expect_key_only_in(f, f->key_file);
    sandbox_expect(f->s->sandbox, "config get models.provider", 0, "groq\n", NULL);
    sandbox_expect(f->s->sandbox, "-p hello", 0, "Hello to you.", NULL);
}

/* Pasted, with what pastes bring along; what is no key is refused and nothing is asked. */
static void test_pasted_keys(void **state)
{
    struct fixture *f = *state;

    begin(f, scenario, NULL);
    open_key_list(f);
    pty_case_type(f->s, "\r", "it is not shown");
    pty_case_type(f->s, "\r", "nothing was written here");
    pty_case_type(f->s, "\033[200~one two\033[201~", "•••••••");
    pty_case_type(f->s, "\r", "more than a key");
    pty_case_type(f->s, "\r", "it is not shown");
    pty_case_type(f->s, "\033[200~one\r\ntwo\033[201~", "•••");
    pty_case_type(f->s, "\r", "more than a key");
    assert_int_equal(questions(f), 0);
    pty_case_type(f->s, "\r", "it is not shown");
    vt_type(f->s->vt, "nonsense\025"); /* taken back */
    pty_case_type(f->s, "\033[200~ " KEY "\r\n\033[201~", "•••");
    pty_case_type(f->s, "\r", "Models of Groq");
    pty_case_type(f->s, ESC, "nothing was changed");
    expect_key_only_in(f, NULL);
    sandbox_expect(f->s->sandbox, "config get models.provider", 0, "auto\n", NULL);
}

static void test_local_server(void **state)
{
    struct fixture *f = *state;

    begin(f, local, NULL);
    pty_case_type(f->s, "/connect\r", "answers, 1 model");
    vt_wait_text(f->s->vt, "no answer at http://127.0.0.1:1/v1");
    pty_case_type(f->s, "ollama", "/ ollama");
    pty_case_type(f->s, "\r", "Models of Ollama");
    pty_case_type(f->s, DOWN DOWN "\r", "Ollama for smart");
    pty_case_type(f->s, "\r", "Models of Ollama");
    pty_case_type(f->s, "\r", "tiny:7b answers, from Ollama");
    pty_case_type(f->s, "say hello now\r", "Hello to you.");
}

/* A session in which something was said goes on as it is; the axes that were chosen stay chosen. */
static void test_later(void **state)
{
    struct fixture *f = *state;

    begin(f, local, NULL);
    pty_case_type(f->s, "list .\r", "list .");
    vt_wait_text(f->s->vt, "offline");
    vt_wait_no_text(f->s->vt, "Esc cancels");
    pty_case_type(f->s, "/connect ollama\r", "Models of Ollama");
    pty_case_type(f->s, "\r", "from the next session on");
    vt_wait_text(f->s->vt, "offline");
    pty_case_type(f->s, "/new\r", "tiny:7b answers, from Ollama");
    pty_case_type(f->s, "/mode build\r", "build | manual");
    pty_case_type(f->s, "/connect ollama\r", "Models of Ollama");
    pty_case_type(f->s, "\r", "Ollama is connected");
    vt_wait_text(f->s->vt, "build | manual");
}

/* A command is not waited for: Esc is heard meanwhile, and what it started is ended. */
static void test_command(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf line = SF_STRBUF_INIT;
    char *file = f->vault = test_path(f->s->sandbox->dir, "vault");

    test_write(file, KEY "\n", strlen(KEY) + 1);
    assert_int_equal(chmod(file, 0600), 0);
    begin(f, scenario, NULL);
    open_key_list(f);
    pty_case_type(f->s, DOWN "\r", "command =");
    pty_case_type(f->s, "sleep 600\r", "asking Groq");
    pty_case_type(f->s, ESC, "nothing was changed");
    open_key_list(f);
    pty_case_type(f->s, DOWN "\r", "command =");
    sf_strbuf_addf(&line, "cat %s\r", file);
    pty_case_type(f->s, line.buf, "Models of Groq");
    sf_strbuf_release(&line);
    pty_case_type(f->s, "\r", "answers, from Groq");
    pty_case_type(f->s, "say hello now\r", "Hello to you.");
    expect_key_only_in(f, file);
    sandbox_expect(f->s->sandbox, "config get models.groq.api_key_cmd", 0, "cat ", NULL);
}

/* Leaving sf while a command runs leaves nothing behind. */
static void test_quit_meanwhile(void **state)
{
    struct fixture *f = *state;
    int status;

    begin(f, scenario, NULL);
    open_key_list(f);
    pty_case_type(f->s, DOWN "\r", "command =");
    pty_case_type(f->s, "sleep 600\r", "asking Groq");
    vt_signal(f->s->vt, SIGTERM);
    status = vt_wait_exit(f->s->vt);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);
}

static void test_variable(void **state)
{
    struct fixture *f = *state;

    sandbox_setenv(f->s->sandbox, "MY_OWN_KEY", KEY);
    begin(f, scenario, NULL);
    open_key_list(f);
    pty_case_type(f->s, DOWN DOWN "\r", "variable =");
    pty_case_type(f->s, "NOT_SET\r", "the variable NOT_SET is not set");
    pty_case_type(f->s, "\r", "variable =");
    pty_case_type(f->s, "MY_OWN_KEY\r", "Models of Groq");
    pty_case_type(f->s, "\r", "answers, from Groq");
    expect_key_only_in(f, NULL);
    sandbox_expect(f->s->sandbox, "config get models.groq.api_key_env", 0, "MY_OWN_KEY\n", NULL);
}

/* sf connect at a terminal: what is typed does not appear, and the terminal shows typing again. */
static void test_command_line(void **state)
{
    static const char *const argv[] = { SF_PROGRAM, "connect", "groq", NULL };
    struct fixture *f = *state;
    int status;

    begin(f, scenario, NULL);
    pty_case_leave(f->s);
    expect_key_only_in(f, NULL);
    pty_case_run(f->s, argv);
    vt_wait_text(f->s->vt, "Key for Groq, not shown:");
    vt_type(f->s->vt, "\003\n");
    status = vt_wait_exit(f->s->vt);
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_true(vt_is_cooked(f->s->vt));
    pty_case_run(f->s, argv);
    vt_wait_text(f->s->vt, "Key for Groq, not shown:");
    vt_type(f->s->vt, KEY "\n");
    vt_wait_text(f->s->vt, "Groq is connected.");
    status = vt_wait_exit(f->s->vt);
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_true(vt_is_cooked(f->s->vt));
    expect_key_only_in(f, f->key_file);
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_typed_key), CASE(test_pasted_keys),  CASE(test_local_server),
        CASE(test_later),     CASE(test_command),      CASE(test_quit_meanwhile),
        CASE(test_variable),  CASE(test_command_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
