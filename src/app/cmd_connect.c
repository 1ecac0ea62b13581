/*
 * cmd_connect.c: sf connect: lists the services and connects one. The key comes from a terminal
 * that does not show it, from standard input, or from a source that an option names; it is never an
 * argument, which every user of the machine could read.
 */
#include <errno.h>
#include <termios.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"

enum { LOOK_MS = 1500, KEY_MAX = 16 * 1024 };

/* ---- the list ---- */

struct survey;

/* A service and, where it runs on this machine, what it says about itself. */
struct surveyed {
    struct survey *survey;
    const char *name;
    struct sf_provider_facts facts;
    struct sf_model_list *listing;
    bool bad, answers;
    size_t models;
    struct sf_error error;
};

struct survey {
    struct sf_connect_server server; /* That the command line describes. */
    struct sf_config *config;
    struct sf_catalog *catalog;
    struct sf_loop *loop;
    struct sf_strlist names;
    struct surveyed *rows;
    size_t waiting;
};

static const char *setting(void *survey, const char *key)
{
    const struct survey *s = survey;

    return sf_connect_setting(s->config, &s->server, key);
}

static struct sf_provider_sources sources_of(const struct survey *s)
{
    return (struct sf_provider_sources){ s->catalog, setting, (void *)(uintptr_t)s };
}

static void on_listing(void *ctx, const struct sf_strlist *models, const struct sf_error *err)
{
    struct surveyed *row = ctx;

    row->answers = models != NULL;
    row->models = models ? models->count : 0;
    row->error = *err;
    if (--row->survey->waiting == 0)
        sf_loop_stop(row->survey->loop);
}

static void look_at(struct survey *s, struct surveyed *row)
{
    const struct sf_provider_sources sources = sources_of(s);
    struct sf_provider bare = { .kind = SF_PROVIDER_HTTP, .format = SF_WIRE_CHAT };
    const struct sf_model_list_wish wish = { .loop = s->loop,
                                             .provider = &bare,
                                             .timeout_ms = LOOK_MS };

    row->bad = !sf_provider_look(&row->facts, row->name, &sources, &row->error);
    if (row->bad || !row->facts.local || row->facts.place != SF_KEY_PLACE_UNNEEDED)
        return;
    bare.base_url = row->facts.base_url;
    row->listing = sf_model_list_start(&wish, on_listing, row, &row->error);
    s->waiting += row->listing != NULL;
}

static bool is_used(const struct survey *s, const struct surveyed *row)
{
    const struct sf_provider_sources sources = sources_of(s);
    const char *name = sf_config_text(s->config, "models.provider");

    return !strcmp(sf_provider_meant(name, &sources), row->name);
}

static void add_row_text(const struct survey *s, const struct surveyed *row, struct sf_strbuf *out)
{
    struct sf_strbuf state = SF_STRBUF_INIT;

    if (row->bad)
        sf_strbuf_adds(&state, row->error.msg);
    else if (row->answers)
        sf_strbuf_addf(&state, "answers, %zu model%s", row->models, row->models == 1 ? "" : "s");
    else if (row->listing)
        sf_connect_silence_add(&row->facts, &row->error, &state);
    else
        sf_connect_state_add(&row->facts, &state);
    sf_strbuf_addf(out, "%c %-12s %-16s %s\n", is_used(s, row) ? '*' : ' ', row->name,
                   sf_connect_title(s->catalog, row->name), state.buf);
    sf_strbuf_release(&state);
}

static void add_row_json(const struct survey *s, const struct surveyed *row, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "provider", row->name);
    sf_jw_key_str(&w, "title", sf_connect_title(s->catalog, row->name));
    sf_jw_key_str(&w, "base_url", row->bad ? "" : row->facts.base_url);
    sf_jw_key_bool(&w, "local", row->facts.local);
    sf_jw_key_str(&w, "key", row->bad ? "unknown" : sf_key_places[row->facts.place]);
    sf_jw_key_str(&w, "source",
                  row->facts.source && row->facts.place != SF_KEY_PLACE_CMD ? row->facts.source
                                                                            : "");
    if (row->listing) {
        sf_jw_key_bool(&w, "answers", row->answers);
        sf_jw_key_int(&w, "models", (int64_t)row->models);
    }
    sf_jw_key_bool(&w, "used", is_used(s, row));
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static void survey_all(struct survey *s, bool json)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    sf_connect_names(s->config, s->catalog, &s->names);
    s->rows = sf_alloc_array(s->names.count, sizeof(*s->rows));
    for (size_t i = 0; i < s->names.count; i++) {
        s->rows[i] = (struct surveyed){ .survey = s, .name = s->names.items[i] };
        look_at(s, &s->rows[i]);
    }
    if (s->waiting)
        sf_loop_run(s->loop);
    for (size_t i = 0; i < s->names.count; i++)
        (json ? add_row_json : add_row_text)(s, &s->rows[i], &out);
    if (!json)
        sf_strbuf_adds(&out, "\nsf connect PROVIDER connects one; * is the one in use.\n");
    sf_print(&out);
    sf_strbuf_release(&out);
}

static void survey_release(struct survey *s)
{
    for (size_t i = 0; s->rows && i < s->names.count; i++) {
        sf_model_list_free(s->rows[i].listing);
        sf_provider_facts_release(&s->rows[i].facts);
    }
    free(s->rows);
    sf_strlist_release(&s->names);
}

/* ---- the key ---- */

static void wipe(struct sf_strbuf *text)
{
    explicit_bzero(text->buf, text->cap);
    sf_strbuf_release(text);
}

/*
 * Reads standard input to its end. The buffer is allocated once, since growing it would leave
 * copies of the key behind.
 */
static bool read_piped(struct sf_strbuf *key, struct sf_error *err)
{
    ssize_t n = 1;

    sf_strbuf_room(key, KEY_MAX + 1);
    while (n > 0 && key->len < KEY_MAX) {
        n = read(STDIN_FILENO, sf_strbuf_room(key, KEY_MAX - key->len), KEY_MAX - key->len);
        if (n < 0 && errno == EINTR)
            n = 1;
        else if (n > 0)
            sf_strbuf_grew(key, (size_t)n);
    }
    if (n < 0)
        return sf_fail_errno(err, "cannot read the key from standard input");
    return true;
}

/*
 * Reads one line without showing it. Ctrl+C is a character meanwhile: a signal would end sf and
 * leave a terminal that shows nothing.
 */
static bool read_typed(const char *title, bool may, struct sf_strbuf *key, struct sf_error *err)
{
    struct termios before, quiet;
    char c = '\0';
    ssize_t n = 0;

    if (tcgetattr(STDIN_FILENO, &before) < 0)
        return sf_fail_errno(err, "cannot read the key from this terminal");
    quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ISIG);
    if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) < 0)
        return sf_fail_errno(err, "cannot keep this terminal from showing the key");
    fprintf(stderr, "Key for %s, not shown%s: ", title, may ? "; Enter alone for none" : "");
    fflush(stderr);
    sf_strbuf_room(key, KEY_MAX + 1);
    while (key->len < KEY_MAX && (n = read(STDIN_FILENO, &c, 1)) == 1 && c != '\n' && c != '\003')
        sf_strbuf_addch(key, c);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    fprintf(stderr, "\n");
    if (c == '\003')
        return sf_fail(err, SF_E_CANCELLED, "stopped; nothing was changed");
    return n >= 0 || sf_fail_errno(err, "cannot read the key from this terminal");
}

struct asked {
    struct sf_strbuf typed;
    const char *file, *cmd, *env;
    char *full; /* The absolute path of the file. */
    bool may;   /* Nobody knows whether a key is needed: an empty line is none. */
};

static bool one_option(const struct asked *a, struct sf_error *err)
{
    return (a->file != NULL) + (a->cmd != NULL) + (a->env != NULL) <= 1 ||
           sf_fail(err, SF_E_ARG, "--key-file, --key-cmd and --key-env exclude each other");
}

static bool ask_for_key(const char *title, const struct sf_provider_facts *facts, struct asked *a,
                        struct sf_error *err)
{
    bool needed = facts->place == SF_KEY_PLACE_MISSING && !facts->local;

    if (a->file || a->cmd || a->env || (facts->local && facts->place == SF_KEY_PLACE_UNNEEDED))
        return true;
    if (!isatty(STDIN_FILENO))
        return read_piped(&a->typed, err) &&
               (a->typed.len || !needed ||
                sf_fail(err, SF_E_ARG, "no key was piped in, and %s is not set", facts->source));
    if (facts->place != SF_KEY_PLACE_MISSING && !a->may)
        return true;
    return read_typed(title, a->may, &a->typed, err) &&
           (a->typed.len || !needed ||
            sf_fail(err, SF_E_ARG, "no key was typed; nothing was changed"));
}

/* ---- connecting ---- */

struct attempt {
    struct sf_loop *loop;
    bool ok;
    struct sf_error error;
    char *tiers[3];
};

static void on_result(void *ctx, const struct sf_trial_result *result)
{
    struct attempt *a = ctx;

    a->ok = result->ok;
    a->error = result->error;
    if (result->ok)
        sf_connect_tiers(result->opened, result->models, a->tiers);
    sf_loop_stop(a->loop);
}

static bool try_out(const struct survey *s, const char *name, const struct asked *asked,
                    struct attempt *attempt)
{
    const struct sf_provider_sources sources = sources_of(s);
    const struct sf_trial_wish wish = { .loop = s->loop,
                                        .name = name,
                                        .sources = &sources,
                                        .key = asked->typed.len ? asked->typed.buf : NULL,
                                        .cmd = asked->cmd,
                                        .file = asked->full,
                                        .env = asked->env,
                                        .proxy = sf_app_setting(s->config, "network.proxy"),
                                        .ca_file = sf_app_setting(s->config, "network.ca_file") };

    attempt->loop = s->loop;
    sf_trial_start(&wish, on_result, attempt);
    sf_loop_run(s->loop);
    return attempt->ok;
}

static void say_connected(const struct survey *s, const char *name, const struct attempt *a,
                          const char *const tiers[3])
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    sf_strbuf_addf(&out, "%s is connected.\n", sf_connect_title(s->catalog, name));
    for (size_t i = 0; i < 3; i++)
        if (tiers[i] || a->tiers[i])
            sf_strbuf_addf(&out, "  %-6s %s\n", sf_tier_names[i],
                           tiers[i] ? tiers[i] : a->tiers[i]);
    sf_print(&out);
    sf_strbuf_release(&out);
}

/* Returns the key as it was tried: without the blanks around it. */
static char *trimmed(struct sf_strbuf *typed)
{
    char *text = typed->buf, *end = typed->buf + typed->len;

    while (end > text && strchr(" \t\r\n", end[-1]))
        *--end = '\0';
    return text + strspn(text, " \t\r\n");
}

static bool keep(struct sf_invocation *inv, const struct survey *s, const char *name,
                 struct asked *asked, struct attempt *attempt, struct sf_error *err)
{
    struct sf_connect_choice choice = { .settings_file = sf_cli_get(inv, "config"),
                                        .catalog = s->catalog,
                                        .name = name,
                                        .base_url = s->server.base_url,
                                        .format = s->server.format,
                                        .key = asked->typed.len ? trimmed(&asked->typed) : NULL,
                                        .cmd = asked->cmd,
                                        .file = asked->full,
                                        .env = asked->env };

    for (size_t i = 0; i < SF_COUNT(choice.tiers); i++) {
        choice.tiers[i] = sf_cli_get(inv, sf_tier_names[i]);
        if (!choice.tiers[i])
            choice.tiers[i] = attempt->tiers[i];
    }
    if (!sf_connect_keep(&choice, err))
        return false;
    say_connected(s, name, attempt, choice.tiers);
    return true;
}

/* --base-url describes a server that the settings do not have. */
static bool read_server(struct sf_invocation *inv, struct survey *s, const char *name,
                        struct sf_error *err)
{
    const char *url = sf_cli_get(inv, "base-url"), *format = sf_cli_get(inv, "format");

    if (!url)
        return !format || sf_fail(err, SF_E_ARG, "--format belongs to --base-url");
    for (size_t i = 0; format; i++) {
        if (!sf_wire_format_names[i])
            return sf_fail(err, SF_E_ARG, "--format is chat, responses or anthropic");
        if (!strcmp(sf_wire_format_names[i], format))
            break;
    }
    s->server = (struct sf_connect_server){ name, url, format ? format : "chat" };
    return sf_connect_check_name(s->config, s->catalog, name, err) &&
           sf_connect_check_address(url, err);
}

static bool connect_one(struct sf_invocation *inv, struct survey *s, const char *name,
                        struct sf_error *err)
{
    const struct sf_provider_sources sources = sources_of(s);
    struct asked asked = { SF_STRBUF_INIT,
                           sf_cli_get(inv, "key-file"),
                           sf_cli_get(inv, "key-cmd"),
                           sf_cli_get(inv, "key-env"),
                           NULL,
                           sf_cli_get(inv, "base-url") != NULL };
    struct attempt attempt = { .ok = false };
    struct sf_provider_facts facts = { .base_url = NULL };
    bool ok = one_option(&asked, err) && read_server(inv, s, name, err) &&
              sf_provider_look(&facts, name, &sources, err);

    if (ok && asked.file)
        asked.full = sf_path_real(asked.file, err);
    ok = ok && (!asked.file || asked.full) &&
         ask_for_key(sf_connect_title(s->catalog, name), &facts, &asked, err);
    if (ok && !try_out(s, name, &asked, &attempt)) {
        *err = attempt.error;
        ok = false;
    }
    ok = ok && keep(inv, s, name, &asked, &attempt, err);
    for (size_t i = 0; i < SF_COUNT(attempt.tiers); i++)
        free(attempt.tiers[i]);
    sf_provider_facts_release(&facts);
    free(asked.full);
    wipe(&asked.typed);
    return ok;
}

int sf_cmd_connect(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct survey s = { .names = SF_STRLIST_INIT };
    bool lists = sf_cli_get(inv, "list") || !inv->arg_count, ok = false;

    s.config = sf_app_config(inv->app, &err);
    s.catalog = s.config ? sf_app_catalog(&err) : NULL;
    s.loop = s.catalog ? sf_loop_new(&err) : NULL;
    if (s.loop && lists) {
        survey_all(&s, sf_cli_get(inv, "json"));
        ok = true;
    } else if (s.loop) {
        ok = connect_one(inv, &s, inv->args[0], &err);
    }
    survey_release(&s);
    sf_loop_free(s.loop);
    sf_catalog_free(s.catalog);
    if (ok)
        return SF_EXIT_DONE;
    return sf_print_error(&err, err.code == SF_E_CANCELLED ? SF_EXIT_INTERRUPT : SF_EXIT_FAILED);
}
