/*
 * Images of the command line: the model gets them with the first prompt, in every wire format, and
 * again when the session is resumed; what is no image, too large or not for this model is said
 * before anything is sent.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/program.h"
#include "support/test.h"

#define SAY "reply\n    text \"a dot\"\n"

static const char png[] =
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\6\0\0\0\x1f\x15\xc4\x89";

static void write_bytes(struct sandbox *w, const char *name, const char *bytes, size_t len)
{
    char *path = test_path(w->workspace, name);
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_file_write_atomic(path, bytes, len, 0644, &err))
        fail_msg("%s", err.msg);
    free(path);
}

static void fill(struct sandbox *w)
{
    size_t large = (size_t)4 * 1024 * 1024;
    char *bytes = sf_alloc(large);

    memcpy(bytes, png, sizeof(png) - 1);
    write_bytes(w, "p.png", png, sizeof(png) - 1);
    write_bytes(w, "large.png", bytes, large);
    write_bytes(w, "words.png", "just words\n", 11);
    free(bytes);
}

static const struct {
    const char *name, *words;
    int code;
    const char *err;
} errors[] = {
    { "no such file", "exec -i none.png go", 2, "none.png" },
    { "no image", "exec -i words.png go", 2, "words.png is no image" },
    { "too large", "exec -i large.png go", 2, "4.0 MiB" },
    { "the limit is named", "exec -i large.png go", 2, "up to 3.75 MiB" },
    { "a file that cannot be read", "exec -i . go", 2, "" },
    { "a model that cannot see", "exec -i p.png go", 2, "takes no images" },
};

static void test_errors(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, SAY, NULL);

    fill(w);
    for (size_t i = 0; i < SF_COUNT(errors); i++) {
        struct outcome o = sandbox_run(w, errors[i].words);

        if (o.code != errors[i].code || !strstr(o.err, errors[i].err))
            fail_msg("%s: exit code %d: %s", errors[i].name, o.code, o.err);
        outcome_release(&o);
    }
    assert_int_equal(model_server_count(server), 0);
    model_server_stop(server);
}

/* The catalog of the user says that the model can see. */
static void let_see(struct sandbox *w)
{
    static const char text[] =
        "[models.scripted.\"test-model\"]\nwindow = 100000\nmax_output = 8000\n"
        "images = true\n";
    char *dir = sf_strndup(w->config, (size_t)(strrchr(w->config, '/') - w->config));
    char *path = test_path(dir, "models.toml");
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_dir_make(dir, 0755, &err) ||
        !sf_file_write_atomic(path, text, strlen(text), 0644, &err))
        fail_msg("%s", err.msg);
    free(path);
    free(dir);
}

/* A resumed session sends the same bytes, though the file is gone. */
static void test_sent(void **state)
{
    struct sandbox *w = *state;

    fill(w);
    let_see(w);
    for (int format = 0; format < 3; format++) {
        struct model_server *server =
            agent_sandbox_serve(w, (enum sf_wire_format)format, SAY SAY, NULL);
        struct outcome o;

        fill(w);
        sandbox_expect(w, "exec -i p.png -i p.png 'what is it?'", 0, "a dot", NULL);
        o = sandbox_run(w, "sessions export latest");
        if (!strstr(o.out, "image/png") || strstr(o.out, "iVBORw0KGgo"))
            fail_msg("%s%s", o.out, o.err);
        outcome_release(&o);
        sandbox_expect(w, "exec --continue 'and now?'", 0, "a dot", NULL);
        assert_int_equal(model_server_count(server), 2);
        for (size_t i = 0; i < 2; i++) {
            size_t len;
            const char *body = model_server_body(server, i, &len), *first, *second;

            first = strstr(body, "iVBORw0KGgo");
            second = first ? strstr(first + 1, "iVBORw0KGgo") : NULL;
            if (!second || strstr(second + 1, "iVBORw0KGgo"))
                fail_msg("%s: %s", sf_wire_format_names[format], body);
        }
        agent_sandbox_check(server, "images");
        model_server_stop(server);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sent, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_errors, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
