/*
 * custom_run.c: turns a custom command into a prompt. Its parts are processed one after the other:
 * text is taken as it is; files and commands are calls of the user's own that pass every stage of a
 * call. A command that may not run ends the custom command, since the prompt would lack its output;
 * a file that may not be read is left out and named.
 */
#include "base/base.h"
#include "session/internal.h"
#include "workspace/workspace.h"

enum {
    OUTPUT_MAX = 16 * 1024, /* bytes of one command's output */
    FILE_MAX = 32 * 1024,   /* bytes of one file */
    ALL_MAX = 96 * 1024,    /* bytes of everything that is included */
};

struct sf_custom_run {
    char *line; /* as the user typed it */
    char *model;
    struct sf_strlist tools;
    bool narrows;
    struct sf_template template;
    size_t at;              /* index of the next part */
    struct sf_strbuf text;  /* the text of the prompt so far */
    struct sf_strbuf files; /* included files, which follow the text */
    size_t included;
    uint64_t timer;
    bool cancelled, refused;
};

void sf_custom_drop(struct sf_session *s)
{
    struct sf_custom_run *run = s->custom;

    if (!run)
        return;
    s->custom = NULL;
    sf_loop_remove(s->setup.loop, run->timer);
    sf_template_release(&run->template);
    sf_strlist_release(&run->tools);
    sf_strbuf_release(&run->text);
    sf_strbuf_release(&run->files);
    free(run->line);
    free(run->model);
    free(run);
}

static void notice(struct sf_session *s, const char *format, ...) SF_PRINTF(2, 3);

static void notice(struct sf_session *s, const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_event event;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    event = sf_event_of_notice(text.buf, text.len);
    sf_session_tell(s, &event);
    sf_strbuf_release(&text);
}

/* The prompt is not sent, but the surface waits for the end of a turn and gets it. */
static void end(struct sf_session *s, enum sf_turn_status status, const struct sf_error *err)
{
    struct sf_wire_error error = { .fault = SF_FAULT_NONE, .retry_after_ms = -1 };
    char *name = sf_strndup(s->custom->line, strcspn(s->custom->line, " \t\n"));
    struct sf_event event = { .kind = SF_EVENT_DONE,
                              .done = { .status = status,
                                        .budget = -1,
                                        .error = &error,
                                        .denied = s->custom->refused,
                                        .refusals = &s->refusal.texts,
                                        .command = s->custom->refused ? name : NULL } };

    if (err)
        snprintf(error.message, sizeof(error.message), "%s", err->msg);
    sf_custom_drop(s); /* first, so that the session is idle when the surface gets the event */
    if (!s->dead)
        sf_session_tell(s, &event);
    free(name);
}

/* ---- the turn ---- */

static bool knows(const struct sf_session *s, const char *model)
{
    const struct sf_provider *p = s->setup.provider;

    for (size_t i = 0; i < SF_COUNT(p->tiers); i++)
        if (p->tiers[i] && !strcmp(p->tiers[i], model))
            return true;
    for (size_t i = 0; i < sf_catalog_model_count(s->setup.catalog); i++) {
        const struct sf_model_row *row = sf_catalog_model_at(s->setup.catalog, i);

        if (!strcmp(row->provider, p->name) && !strcmp(row->name, model))
            return true;
    }
    return false;
}

static const char *model_of(struct sf_session *s)
{
    const char *model = s->custom->model;

    if (!model)
        return NULL;
    if (!knows(s, model)) {
        notice(s, "the command asks for the model %s, which %s does not have here: yours answers",
               model, s->setup.provider->name);
        return NULL;
    }
    notice(s, "the command asks for the model %s, for this turn", model);
    return model;
}

static void add_tools(const struct sf_custom_run *run, struct sf_strbuf *out)
{
    if (!run->narrows)
        return;
    sf_strbuf_adds(out, "\n\n[sf] Tools that can be called in this turn:");
    for (size_t i = 0; i < run->tools.count; i++)
        sf_strbuf_addf(out, "%s %s", i ? "," : "", run->tools.items[i]);
    sf_strbuf_adds(out, run->tools.count ? "." : " none.");
}

static void send(struct sf_session *s)
{
    struct sf_custom_run *run = s->custom;
    struct sf_strbuf more = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_wish wish = { .model = model_of(s), .tools = run->narrows ? &run->tools : NULL };
    bool ok;

    while (run->text.len && run->text.buf[run->text.len - 1] == '\n')
        sf_strbuf_truncate(&run->text, run->text.len - 1);
    sf_strbuf_adds(&more, SF_SLASH_OPEN "\n");
    sf_strbuf_add(&more, run->text.buf, run->text.len);
    sf_strbuf_add(&more, run->files.buf, run->files.len);
    add_tools(run, &more);
    sf_strbuf_adds(&more, "\n" SF_SLASH_CLOSE);
    wish.more = more.buf;
    wish.more_len = more.len;
    ok = sf_session_say(s, run->line, strlen(run->line), &wish, &err);
    sf_strbuf_release(&more);
    if (ok)
        sf_custom_drop(s);
    else
        end(s, SF_TURN_FAILED, &err);
}

/* ---- its parts ---- */

/* Adds the beginning of the text, as far as there is room. */
static void include(struct sf_custom_run *run, struct sf_strbuf *out, const char *text, size_t len,
                    size_t max)
{
    size_t room = ALL_MAX - run->included, n = len < max ? len : max;

    n = sf_utf8_cut(text, n < room ? n : room);
    sf_strbuf_add(out, text, n);
    run->included += n;
    if (n < len)
        sf_strbuf_addf(out, "\n[%zu more bytes are left out]", len - n);
}

static void take_output(struct sf_custom_run *run, const struct sf_tool_result *r)
{
    size_t len = r->text.len;

    while (len && r->text.buf[len - 1] == '\n')
        len--;
    include(run, &run->text, r->text.buf, len, OUTPUT_MAX);
}

static void take_file(struct sf_session *s, const char *path, const struct sf_tool_result *r)
{
    struct sf_custom_run *run = s->custom;

    if (r->is_error) {
        notice(s, "@%s is not included", path);
        sf_strbuf_addf(&run->files, "\n\n[@%s is not included]", path);
        return;
    }
    sf_strbuf_addf(&run->files, "\n\n<file path=\"%s\">\n", path);
    include(run, &run->files, r->text.buf, r->text.len, FILE_MAX);
    sf_strbuf_adds(&run->files, "\n</file>");
}

static void step(void *ctx);

void sf_custom_ended(struct sf_session *s, const struct sf_call *c,
                     const struct sf_tool_result *result)
{
    struct sf_custom_run *run = s->custom;
    const struct sf_template_part *part = &run->template.parts[run->at++];

    if (part->kind == SF_TEMPLATE_FILE)
        take_file(s, part->text, result);
    else if (c->counted)
        take_output(run, result);
    else
        run->refused = true;
    run->timer = sf_loop_add_timer(s->setup.loop, 0, 0, step, s);
}

/* `@param` in a text names no file: such a part stays plain text. */
static bool is_there(const struct sf_session *s, const char *path)
{
    const struct sf_place_root *root = &s->setup.policy->root;
    char *at = sf_stand_resolve(root->path, s->setup.below, path);
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    bool there = !sf_place_resolve(root, at, strlen(at), SF_WANT_ANY, &place, &ignored) ||
                 place.kind != SF_PLACE_NOTHING;

    sf_place_release(&place);
    free(at);
    return there;
}

/* True: the part is done. False: a call was begun, and its end continues with the next part. */
static bool take_part(struct sf_session *s, const struct sf_template_part *part)
{
    struct sf_custom_run *run = s->custom;

    if (part->kind == SF_TEMPLATE_COMMAND) {
        sf_shell_begin(s, "Bash", "command", part->text);
        return false;
    }
    sf_strbuf_addf(&run->text, "%s%s", part->kind == SF_TEMPLATE_FILE ? "@" : "", part->text);
    if (part->kind == SF_TEMPLATE_TEXT || !is_there(s, part->text))
        return true;
    sf_shell_begin(s, "Read", "file_path", part->text);
    return false;
}

static void step(void *ctx)
{
    struct sf_session *s = ctx;
    struct sf_custom_run *run = s->custom;

    run->timer = 0;
    if (s->dead) {
        sf_custom_drop(s);
        return;
    }
    if (run->cancelled) {
        end(s, SF_TURN_CANCELLED, NULL);
        return;
    }
    if (run->refused) {
        end(s, SF_TURN_DONE, NULL);
        return;
    }
    for (; run->at < run->template.count; run->at++)
        if (!take_part(s, &run->template.parts[run->at]))
            return;
    send(s);
}

void sf_custom_cancel(struct sf_session *s)
{
    if (s->custom)
        s->custom->cancelled = true;
}

/* ---- beginning ---- */

void sf_custom_resume(struct sf_session *s)
{
    s->custom->timer = sf_loop_add_timer(s->setup.loop, 0, 0, step, s);
}

static bool refuse(const struct sf_custom_file *file, struct sf_error *err)
{
    if (!file)
        return sf_fail(err, SF_E_NOENT, "there is no such command");
    if (file->problem)
        return sf_fail(err, SF_E_ARG, "/%s cannot be run: %s: %s", file->name, file->file,
                       file->problem);
    if (!file->needs_trust)
        return true;
    sf_fail(err, SF_E_ARG, "/%s is this workspace's (%s), which you do not trust as it is now",
            file->name, file->file);
    return sf_hint(err, "read what .sf and .claude hold, then: sf trust add");
}

static bool begin(struct sf_session *s, const struct sf_custom_file *file, const char *line,
                  struct sf_error *err)
{
    struct sf_custom_run *run = sf_alloc(sizeof(*run));
    struct sf_strbuf clean = SF_STRBUF_INIT;
    const char *args;

    sf_utf8_scrub(&clean, line, strlen(line));
    args = clean.buf + strcspn(clean.buf, " \t\n");
    args += strspn(args, " \t\n");
    if (!sf_template_fill(&run->template, file->custom.body, args, err)) {
        sf_error_prefix(err, "%s: ", file->file);
        sf_strbuf_release(&clean);
        free(run);
        return false;
    }
    run->line = sf_strbuf_detach(&clean);
    run->model = file->custom.model ? sf_strdup(file->custom.model) : NULL;
    run->narrows = file->custom.narrows;
    for (size_t i = 0; i < file->custom.tools.count; i++)
        sf_strlist_add(&run->tools, file->custom.tools.items[i]);
    sf_strbuf_init(&run->text);
    sf_strbuf_init(&run->files);
    s->custom = run;
    sf_refusal_forget(s);
    s->registry.turn = NULL; /* the limits of the previous turn are over */
    if (!s->restore)
        sf_custom_resume(s);
    return true;
}

bool sf_session_custom(struct sf_session *s, const char *line, sf_custom_taken_fn *taken,
                       struct sf_error *err)
{
    struct sf_custom_files files = SF_CUSTOM_FILES_INIT;
    const struct sf_custom_file *file;
    bool ok;

    sf_custom_files_read(&files, s->setup.workspace->root, taken);
    file = sf_custom_files_find(&files, line);
    ok = refuse(file, err) && sf_session_can(s, err);
    if (ok && (sf_session_busy(s) || sf_session_shell_runs(s) || sf_restore_has_waiting(s))) {
        sf_fail(err, SF_E_BUSY, "a command begins a turn of its own, and one is running");
        ok = sf_hint(err, "Tab queues it, Esc ends what runs");
    }
    ok = ok && sf_load_all(s, err) && begin(s, file, line, err);
    sf_custom_files_release(&files);
    return ok;
}
