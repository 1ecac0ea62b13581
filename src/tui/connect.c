/*
 * connect.c: connecting a model, first half: which service, where its key comes from, and whether
 * it answers. Each step is a list; asking the services goes on beside it, and nothing is written
 * before one has answered. A key that is typed is in a field that shows nothing, in the trial and
 * in the file it is kept in, and nowhere else.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/connect_parts.h"

enum { LOOK_MS = 1500, TICK_MS = 1000 };

static const char *setting(void *config, const char *key)
{
    const struct sf_config_value *v = sf_config_find(config, key);

    return v ? v->text : NULL;
}

static struct sf_provider_sources sources_of(const struct sf_tui *ui)
{
    return (struct sf_provider_sources){ sf_port_raw_setup(ui->port)->catalog, setting,
                                         sf_port_settings(ui->port) };
}

const char *sf_connect_name(const struct sf_tui *ui)
{
    return sf_connect_title(sf_port_raw_setup(ui->port)->catalog, ui->connect->name);
}

/* ---- the end ---- */

static void wipe(char *key)
{
    if (key)
        explicit_bzero(key, strlen(key));
    free(key);
}

static void forget_source(struct sf_connect *c)
{
    free(c->cmd);
    free(c->file);
    free(c->env);
    wipe(c->key);
    c->cmd = c->file = c->env = c->key = NULL;
    c->typed = false;
}

static void free_connect(struct sf_connect *c)
{
    sf_loop_remove(c->desk->loop, c->clock);
    for (size_t i = 0; i < c->probe_count; i++) {
        sf_model_list_free(c->probes[i].listing);
        sf_provider_facts_release(&c->probes[i].facts);
    }
    forget_source(c);
    for (size_t i = 0; i < SF_COUNT(c->tiers); i++)
        free(c->tiers[i]);
    sf_strlist_release(&c->models);
    sf_strlist_release(&c->names);
    free(c->probes);
    free(c->name);
    free(c);
}

void sf_connect_free(struct sf_tui *ui)
{
    struct sf_connect *c = ui->connect;

    ui->connect = NULL;
    if (c)
        free_connect(c);
}

static bool tries(const struct sf_tui *ui)
{
    return ui->connect && ui->connect->trial;
}

bool sf_connect_ends(const struct sf_tui *ui)
{
    return ui->left_connects > 0;
}

/* What is being tried ends by itself; nobody waits for it but the end of sf. */
void sf_connect_leave(struct sf_tui *ui)
{
    struct sf_connect *c = ui->connect;

    if (!tries(ui)) {
        sf_connect_free(ui);
        return;
    }
    c->left = true;
    ui->left_connects++;
    ui->connect = NULL;
    sf_loop_remove(ui->loop, c->clock);
    c->clock = 0;
    sf_trial_cancel(c->trial);
}

/* ---- whether it answers ---- */

static void show_error(struct sf_tui *ui, const struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "**%s is not connected:** %s\n\n%s%sNothing was written.",
                   sf_connect_name(ui), err->msg, err->hint, *err->hint ? "\n\n" : "");
    sf_overlay_preview(ui, text.buf, text.len);
    sf_tui_say(ui, true, "%s", err->msg);
    sf_strbuf_release(&text);
}

static void wake(void *ctx)
{
    (void)ctx;
}

static void on_tried(void *ctx, const struct sf_trial_result *result)
{
    struct sf_connect *c = ctx;
    struct sf_tui *ui = c->desk;

    c->trial = NULL;
    if (c->left) {
        ui->left_connects--;
        sf_loop_post(ui->loop, wake, ui); /* whoever waits for the end looks again */
        free_connect(c);
        return;
    }
    sf_loop_remove(ui->loop, c->clock);
    c->clock = 0;
    ui->status[0] = '\0';
    if (!ui->overlay) { /* nobody looks any more */
        sf_connect_free(ui);
    } else if (!result->ok) {
        forget_source(c);
        show_error(ui, &result->error);
    } else {
        if (result->opened->key)
            c->key = sf_strdup(result->opened->key);
        for (size_t i = 0; i < result->models->count; i++)
            sf_strlist_add(&c->models, result->models->items[i]);
        sf_connect_tiers(result->opened, result->models, c->tiers);
        sf_connect_show_models(ui);
    }
    sf_tui_dirty(ui);
}

static void say_waiting(void *ctx)
{
    struct sf_tui *ui = ctx;
    int64_t s = (sf_clock_monotonic_ms() - ui->connect->since_ms) / 1000;

    ui->connect->clock = sf_loop_add_timer(ui->loop, TICK_MS, 0, say_waiting, ui);
    sf_tui_say(ui, false, "asking %s %d:%02d   Esc stops", sf_connect_name(ui), (int)(s / 60),
               (int)(s % 60));
}

/* The text of a field is borrowed; the trial has a copy of its own. */
static void try_it(struct sf_tui *ui, const char *key)
{
    const struct sf_provider_sources sources = sources_of(ui);
    struct sf_connect *c = ui->connect;
    struct sf_config *config = sf_port_settings(ui->port);
    const struct sf_trial_wish wish = { .loop = ui->loop,
                                        .name = c->name,
                                        .sources = &sources,
                                        .key = key,
                                        .cmd = c->cmd,
                                        .file = c->file,
                                        .env = c->env,
                                        .proxy = setting(config, "network.proxy"),
                                        .ca_file = setting(config, "network.ca_file") };

    c->since_ms = sf_clock_monotonic_ms();
    c->trial = sf_trial_start(&wish, on_tried, c);
    say_waiting(ui);
}

/* ---- where the key comes from ---- */

static void say_busy(struct sf_tui *ui)
{
    sf_tui_say(ui, true, "%s is being asked; Esc stops that", sf_connect_name(ui));
}

static void source_edited(struct sf_tui *ui, const char *value, const char *text)
{
    struct sf_connect *c = ui->connect;

    if (!text[strspn(text, " \t\r\n")]) {
        sf_overlay_edit_note(ui, true, "nothing was written here; Esc leaves it");
        return;
    }
    forget_source(c);
    c->typed = !strcmp(value, "type");
    if (!strcmp(value, "cmd"))
        c->cmd = sf_strdup(text);
    if (!strcmp(value, "env"))
        c->env = sf_strdup(text);
    try_it(ui, c->typed ? text : NULL);
    sf_overlay_edit_close(ui); /* and with it what was typed is wiped */
}

static void source_chosen(struct sf_tui *ui, const char *value)
{
    static const char *const labels[][3] = {
        { "cmd", "command", "printed by it each time it is needed: a password manager, say" },
        { "env", "variable", "its name alone is kept; set it where sf is started" },
    };

    if (tries(ui)) {
        say_busy(ui);
        return;
    }
    sf_overlay_preview(ui, "", 0); /* what went wrong before */
    if (!strcmp(value, "use")) {
        forget_source(ui->connect);
        try_it(ui, NULL);
        return;
    }
    if (!strcmp(value, "type")) {
        sf_overlay_edit_secret(ui, "key", value);
        sf_overlay_edit_note(ui, false, "it is not shown; tried with one small request, then kept");
    }
    for (size_t i = 0; i < SF_COUNT(labels); i++)
        if (!strcmp(value, labels[i][0])) {
            sf_overlay_edit(ui, labels[i][1], value, "", NULL);
            sf_overlay_edit_note(ui, false, "%s", labels[i][2]);
        }
}

static void add_sources(struct sf_tui *ui, const struct sf_provider_facts *facts)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf state = SF_STRBUF_INIT;
    char *path = sf_connect_key_path(ui->connect->name, &ignored);

    sf_connect_state_add(facts, &state);
    if (facts->place != SF_KEY_PLACE_MISSING)
        sf_overlay_row(ui, "use", "as it is\t%s", state.buf);
    sf_overlay_row(ui, "type", "type or paste it\tkept in %s, for you alone",
                   path ? path : "a file of yours");
    sf_overlay_row(ui, "cmd", "by a command\tthat prints it");
    sf_overlay_row(ui, "env", "in a variable\tof the environment%s%s",
                   facts->place == SF_KEY_PLACE_MISSING ? ", such as " : "",
                   facts->place == SF_KEY_PLACE_MISSING ? facts->source : "");
    sf_strbuf_release(&state);
    free(path);
}

static void left(struct sf_tui *ui)
{
    sf_connect_leave(ui);
    sf_tui_say(ui, false, "nothing was changed");
}

static void show_sources(struct sf_tui *ui, const struct sf_provider_facts *facts)
{
    static const struct sf_overlay_kind kind = { .title = "",
                                                 .keys = "Enter choose",
                                                 .stays = true,
                                                 .chosen = source_chosen,
                                                 .edited = source_edited,
                                                 .closed = left };
    struct sf_strbuf title = SF_STRBUF_INIT;

    sf_strbuf_addf(&title, "The key of %s", sf_connect_name(ui));
    sf_overlay_list(ui, &kind);
    sf_overlay_title(ui, title.buf);
    add_sources(ui, facts);
    sf_strbuf_release(&title);
}

/* ---- which one ---- */

static void choose_provider(struct sf_tui *ui, const char *name)
{
    const struct sf_provider_sources sources = sources_of(ui);
    struct sf_provider_facts facts = { .base_url = NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_connect *c = ui->connect;

    if (tries(ui)) {
        say_busy(ui);
        return;
    }
    free(c->name);
    c->name = sf_strdup(name);
    if (!sf_provider_look(&facts, name, &sources, &err))
        show_error(ui, &err);
    else if (facts.local && facts.place == SF_KEY_PLACE_UNNEEDED)
        try_it(ui, NULL);
    else
        show_sources(ui, &facts);
    sf_provider_facts_release(&facts);
}

static const char *mark_of(const struct sf_tui *ui, const char *name)
{
    return !strcmp(sf_port_raw_setup(ui->port)->provider->name, name) ? "●" : " ";
}

static void on_listing(void *ctx, const struct sf_strlist *models, const struct sf_error *err)
{
    struct sf_connect_probe *p = ctx;
    struct sf_tui *ui = p->desk;
    struct sf_strbuf state = SF_STRBUF_INIT;

    if (models)
        sf_strbuf_addf(&state, "answers, %zu model%s", models->count,
                       models->count == 1 ? "" : "s");
    else
        sf_connect_silence_add(&p->facts, err, &state);
    if (ui->overlay && !ui->overlay->is_page)
        sf_overlay_retext(ui, p->name, "%s %s\t%s", mark_of(ui, p->name),
                          sf_connect_title(sf_port_raw_setup(ui->port)->catalog, p->name),
                          state.buf);
    sf_strbuf_release(&state);
    sf_tui_dirty(ui);
}

/* Whether it is there is asked beside the list; the row says so when it is known. */
static void probe(struct sf_tui *ui, const char *name, struct sf_provider_facts *facts)
{
    struct sf_connect_probe *p = &ui->connect->probes[ui->connect->probe_count++];
    struct sf_provider bare = { .kind = SF_PROVIDER_HTTP,
                                .base_url = facts->base_url,
                                .format = SF_WIRE_CHAT };
    const struct sf_model_list_wish wish = { .loop = ui->loop,
                                             .provider = &bare,
                                             .timeout_ms = LOOK_MS };
    struct sf_error ignored = SF_ERROR_INIT;

    *p = (struct sf_connect_probe){ .desk = ui, .name = name, .facts = *facts };
    *facts = (struct sf_provider_facts){ .base_url = NULL };
    p->listing = sf_model_list_start(&wish, on_listing, p, &ignored);
}

static void add_provider(struct sf_tui *ui, const char *name)
{
    const struct sf_provider_sources sources = sources_of(ui);
    struct sf_provider_facts facts = { .base_url = NULL };
    struct sf_strbuf state = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_provider_look(&facts, name, &sources, &err);
    bool asked = ok && facts.local && facts.place == SF_KEY_PLACE_UNNEEDED;

    if (!ok)
        sf_strbuf_adds(&state, err.msg);
    else if (asked)
        sf_strbuf_adds(&state, "looking …");
    else
        sf_connect_state_add(&facts, &state);
    sf_overlay_row(ui, name, "%s %s\t%s", mark_of(ui, name),
                   sf_connect_title(sf_port_raw_setup(ui->port)->catalog, name), state.buf);
    if (ok && !ui->connect->ready && facts.place > SF_KEY_PLACE_MISSING)
        ui->connect->ready = name;
    if (asked)
        probe(ui, name, &facts);
    sf_provider_facts_release(&facts);
    sf_strbuf_release(&state);
}

static void show_providers(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = { .title = "Connect a model",
                                                 .keys = "Enter choose",
                                                 .filter = true,
                                                 .stays = true,
                                                 .chosen = choose_provider,
                                                 .closed = left };
    struct sf_connect *c = ui->connect;

    sf_overlay_list(ui, &kind);
    for (size_t i = 0; i < c->names.count; i++)
        add_provider(ui, c->names.items[i]);
    if (c->ready)
        sf_overlay_choose(ui, c->ready);
    sf_overlay_choose(ui, sf_port_raw_setup(ui->port)->provider->name);
}

void sf_do_connect(struct sf_tui *ui, const char *args)
{
    struct sf_connect *c;

    if (sf_port_works(ui->port)) {
        sf_tui_say(ui, true, "%s is running; Esc cancels it, then /connect",
                   sf_port_running(ui->port));
        return;
    }
    sf_connect_leave(ui);
    c = sf_alloc(sizeof(*c));
    *c = (struct sf_connect){ .desk = ui, .names = SF_STRLIST_INIT, .models = SF_STRLIST_INIT };
    ui->connect = c;
    sf_connect_names(sf_port_settings(ui->port), sf_port_raw_setup(ui->port)->catalog, &c->names);
    c->probes = sf_alloc_array(c->names.count, sizeof(*c->probes));
    show_providers(ui);
    if (*args)
        choose_provider(ui, args);
}
