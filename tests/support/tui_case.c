/*
 * tui_case.c: everything waits for something on the screen.
 */
#include "support/tui_case.h"

#include <sys/wait.h>

#include "store/store.h"
#include "support/test.h"

int tui_case_setup(void **state)
{
    struct tui_case *c = sf_alloc(sizeof(*c));
    void *sandbox;

    sandbox_setup(&sandbox);
    c->sandbox = sandbox;
    sandbox_setenv(c->sandbox, "TERM", "xterm-256color");
    sandbox_setenv(c->sandbox, "LANG", "C.UTF-8");
    *state = c;
    return 0;
}

int tui_case_teardown(void **state)
{
    struct tui_case *c = *state;
    void *sandbox = c->sandbox;

    vt_close(c->vt);
    model_server_stop(c->server);
    agent_sandbox_settings(c->sandbox, NULL);
    sandbox_teardown(&sandbox);
    free(c);
    return 0;
}

void tui_case_serve(struct tui_case *c, const char *scenario)
{
    c->server = agent_sandbox_serve(c->sandbox, SF_WIRE_ANTHROPIC, scenario, NULL);
}

/* As a shell would, but for quotes in the middle of a word. */
static void split(const char *words, struct sf_strlist *out)
{
    while (*words) {
        char end = *words == '\'' ? '\'' : ' ';
        size_t len;

        words += end == '\'';
        len = strcspn(words, end == '\'' ? "'" : " ");
        sf_strlist_addf(out, "%.*s", (int)len, words);
        words += len + (words[len] != '\0');
        words += strspn(words, " ");
    }
}

void tui_case_open(struct tui_case *c, const char *words, int rows, int cols)
{
    struct sf_strlist argv = SF_STRLIST_INIT;

    sf_strlist_add(&argv, SF_PROGRAM);
    split(words, &argv);
    vt_close(c->vt);
    c->vt = vt_open((const char *const *)argv.items, (const char *const *)c->sandbox->env.items,
                    c->sandbox->workspace, rows, cols);
    sf_strlist_release(&argv);
    vt_wait_text(c->vt, " SF ");
    vt_wait_quiet(c->vt);
}

void tui_case_say(struct tui_case *c, const char *line)
{
    vt_type(c->vt, line);
    vt_wait_quiet(c->vt);
    vt_type(c->vt, "\r");
    vt_wait_quiet(c->vt);
}

void tui_case_quit(struct tui_case *c)
{
    int status;

    tui_case_say(c, "/quit");
    status = vt_wait_exit(c->vt);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fail_msg("sf ended with status %d", status);
}

static bool add_row(const struct sf_query_row *row, void *ctx)
{
    struct sf_strbuf *out = ctx;

    for (size_t i = 0; i < row->count; i++) {
        const struct sf_query_value *v = &row->values[i];

        if (i)
            sf_strbuf_addch(out, '\t');
        if (v->type == SF_QUERY_INT)
            sf_strbuf_addf(out, "%lld", (long long)v->integer);
        else if (v->type == SF_QUERY_TEXT)
            sf_strbuf_add(out, v->bytes, v->len);
    }
    sf_strbuf_addch(out, '\n');
    return true;
}

char *tui_case_sql(struct tui_case *c, const char *sql)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    const struct sf_query query = { .sql = sql, .row = add_row, .ctx = &out };
    struct outcome o = sandbox_run(c->sandbox, "store path");
    struct sf_error err = SF_ERROR_INIT;
    char *slash = strrchr(o.out, '/');
    bool ok;

    if (slash)
        *slash = '\0'; /* the directory the store is in */
    ok = sf_store_query(o.out, &query, &err);
    outcome_release(&o);
    if (!ok)
        fail_msg("%s: %s", sql, err.msg);
    return sf_strbuf_detach(&out);
}
