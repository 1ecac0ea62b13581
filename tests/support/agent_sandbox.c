/*
 * agent_sandbox.c: the settings name a provider `scripted`, so that nothing of the built-in
 * catalog is in the way.
 */
#include "support/agent_sandbox.h"

#include "base/base.h"
#include "io/io.h"
#include "support/peer.h"
#include "support/test.h"

static struct sf_strbuf more = SF_STRBUF_INIT;

void agent_sandbox_settings(struct sandbox *w, const char *toml)
{
    (void)w;
    sf_strbuf_reset(&more);
    if (toml)
        sf_strbuf_adds(&more, toml);
}

static void write_settings(struct sandbox *w, enum sf_wire_format format, const char *url)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *slash = strrchr(w->config, '/'),
         *dir = sf_strndup(w->config, (size_t)(slash - w->config));

    assert_true(sf_dir_make(dir, 0700, &err));
    sf_strbuf_addf(&text,
                   "[models]\nprovider = \"scripted\"\n[models.scripted]\nbase_url = \"%s%s\"\n"
                   "format = \"%s\"\nsmart = \"test-model\"\napi_key_env = \"SCRIPTED_KEY\"\n%s",
                   url, format == SF_WIRE_ANTHROPIC ? "" : "/v1", sf_wire_format_names[format],
                   more.buf);
    test_write(w->config, text.buf, text.len);
    sf_strbuf_release(&text);
    free(dir);
}

struct model_server *agent_sandbox_serve(struct sandbox *w, enum sf_wire_format format,
                                         const char *scenario, const char *file)
{
    char *path = file ? test_path(SF_SOURCE "/tests/scenarios", file) : NULL;
    struct sf_strbuf var = SF_STRBUF_INIT;
    const char *vars[2] = { NULL, NULL };
    struct model_server_options options = { .scenario = scenario,
                                            .scenario_file = path,
                                            .vars = vars };
    struct sf_error err = SF_ERROR_INIT;
    struct model_server *server;

    sf_strbuf_addf(&var, "workspace=%s", w->workspace);
    vars[0] = var.buf;
    server = model_server_start(&options, &err);
    if (!server)
        fail_msg("the server does not start: %s", err.msg);
    write_settings(w, format, model_server_url(server));
    sandbox_setenv(w, "SCRIPTED_KEY", "test-key");
    sf_strbuf_release(&var);
    free(path);
    return server;
}

void agent_sandbox_nobody(struct sandbox *w, enum sf_wire_format format)
{
    char url[64];

    snprintf(url, sizeof(url), "http://127.0.0.1:%d", peer_dead_port());
    write_settings(w, format, url);
    sandbox_setenv(w, "SCRIPTED_KEY", "test-key");
}

void agent_sandbox_file(struct sandbox *w, const char *name, const char *text)
{
    char *path = test_path(w->workspace, name);
    struct sf_error err = SF_ERROR_INIT;
    char *slash = strrchr(path, '/');

    *slash = '\0';
    assert_true(sf_dir_make(path, 0755, &err));
    *slash = '/';
    test_write(path, text, strlen(text));
    free(path);
}

char *agent_sandbox_text(struct sandbox *w, const char *name)
{
    char *path = test_path(w->workspace, name), *text = test_read(path, NULL);

    free(path);
    return text;
}

struct sf_json *agent_sandbox_object(const char *out, const char *type)
{
    struct sf_json *found = NULL;

    while (*out) {
        size_t n = strcspn(out, "\n");
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json *json = sf_json_parse(out, n, NULL, &err);
        const char *is = "";

        if (!json)
            fail_msg("no JSON: %s in %.*s", err.msg, (int)n, out);
        assert_true(sf_json_get_str(json, "type", &is, &err));
        if (!strcmp(is, type)) {
            sf_json_free(found);
            found = json;
        } else {
            sf_json_free(json);
        }
        out += n + (out[n] == '\n');
    }
    return found;
}

void agent_sandbox_check(struct model_server *server, const char *name)
{
    const char *complaint = model_server_complaint(server, 0);

    if (complaint)
        fail_msg("%s: the server says: %s", name, complaint);
}
