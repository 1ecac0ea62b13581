/*
 * long_session.c: events as a session writes them, one after the other; the first that fails is
 * told, and nothing more is written.
 */
#include "support/long_session.h"

#include <stdarg.h>
#include <string.h>

#include "journal/usage_totals.h"

enum { LINES = 40, FILES = 1000, KEPT = 6 };

struct writing {
    struct sf_store *store;
    char *session;
    size_t events, turns;
    int lines;
    struct sf_strbuf json;
    struct sf_error *err;
    bool ok;
};

static void append(struct writing *w, const char *kind)
{
    const struct sf_event_new event = { .session = w->session,
                                        .surface = "tui",
                                        .kind = kind,
                                        .json = w->json.buf,
                                        .len = w->json.len };
    struct sf_event_ref ref;

    w->ok = w->ok && sf_store_append(w->store, &event, &ref, w->err);
    w->events++;
    sf_strbuf_reset(&w->json);
}

SF_PRINTF(3, 4)
static void say(struct writing *w, const char *role, const char *format, ...)
{
    va_list args;

    sf_strbuf_addf(&w->json, "{\"message\":{\"role\":\"%s\",\"blocks\":[", role);
    va_start(args, format);
    sf_strbuf_vaddf(&w->json, format, args);
    va_end(args);
    sf_strbuf_adds(&w->json, "]}");
    if (!strcmp(role, "assistant")) /* as the service counted */
        sf_strbuf_adds(&w->json, ",\"detail\":{\"tokens\":4920}");
    sf_strbuf_addch(&w->json, '}');
    append(w, role); /* events are called like the roles */
}

static void result(struct writing *w, char call)
{
    size_t n = w->turns;

    sf_strbuf_addf(&w->json,
                   "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\",\"id\":"
                   "\"c%zu%c\",\"name\":\"Read\",\"error\":false,\"text\":\"",
                   n, call);
    for (int line = 1; line <= w->lines; line++)
        sf_strbuf_addf(&w->json, "%5d  int value_%zu_%d = %d;\\n", line, n, line, line);
    sf_strbuf_addf(
        &w->json,
        "\"}]},\"detail\":{\"planted\":true,\"summary\":\"src/file%zu.c (%d lines)\",\"seen\":[{"
        "\"path\":\"/w/src/file%zu.c\",\"size\":4096,\"mtime_ns\":1,"
        "\"sha256\":\"%064zu\",\"whole\":true}]}}",
        n % FILES, w->lines, n % FILES, n);
    append(w, "result");
}

static void usage(struct writing *w)
{
    const struct sf_usage_new row = { .session = w->session,
                                      .provider = "scripted",
                                      .model = "test-model",
                                      .input = 800,
                                      .output = 120,
                                      .cache_read = 4000,
                                      .cost_micro_usd = 1234 };

    w->ok = w->ok && sf_store_usage_add(w->store, &row, w->err);
}

#define CALL(letter)                                                                \
    "{\"kind\":\"call\",\"id\":\"c%zu" letter "\",\"name\":\"Read\",\"arguments\":" \
    "\"{\\\"file_path\\\":\\\"src/file%zu.c\\\"}\"}"

static void turn(struct writing *w)
{
    size_t n = ++w->turns, file = n % FILES;

    say(w, "user",
        "{\"kind\":\"text\",\"text\":\"prompt number %zu: look at part %zu of the parser\"}", n, n);
    say(w, "assistant", CALL("a") "," CALL("b"), n, file, n, file);
    usage(w);
    result(w, 'a');
    result(w, 'b');
    say(w, "assistant", CALL("c"), n, file);
    usage(w);
    result(w, 'c');
    say(w, "assistant",
        "{\"kind\":\"text\",\"text\":\"Part **%zu** of the parser is sound.\\n\\n"
        "- it reads `value_%zu`\\n- nothing else depends on it\\n\"}",
        n, n);
    usage(w);
    sf_strbuf_adds(&w->json, "{\"status\":\"done\"}");
    append(w, "end");
    w->ok = w->ok && sf_usage_totals_keep(w->store, w->session, "tui", w->err);
}

static void summary(struct writing *w)
{
    sf_strbuf_addf(&w->json, "{\"summary\":\"%zu turns about the parser\",\"keep\":%d}", w->turns,
                   KEPT);
    append(w, "compaction");
}

bool long_session_write(struct sf_store *store, const struct long_session *how,
                        char id_out[SF_ID_LEN + 1], struct sf_error *err)
{
    const struct sf_session_new row = { .project = how->project,
                                        .surface = "tui",
                                        .title = "a long one" };
    struct writing w = { .store = store,
                         .session = id_out,
                         .lines = how->lines ? how->lines : LINES,
                         .json = SF_STRBUF_INIT,
                         .err = err };

    if (!sf_store_hold(store, err))
        return false;
    w.ok = sf_store_session_create(store, &row, id_out, err);
    while (w.ok && w.events < how->events) {
        turn(&w);
        if (how->compact && w.turns % how->compact == 0)
            summary(&w);
    }
    sf_strbuf_release(&w.json);
    return sf_store_let_go(store, w.ok ? err : &(struct sf_error)SF_ERROR_INIT) && w.ok;
}
