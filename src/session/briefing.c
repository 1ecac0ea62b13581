/*
 * briefing.c: what the model is told of its place and of the wishes of project and user. The system
 * prompt is put together when the first words are said, written down, and stays the same to the
 * byte, however often the session is opened again. Instructions and notes that change after that,
 * and who is there to be asked, are told with the next words, from an event of their own: what was
 * sent is never rewritten, and whoever resumes says the same as whoever never stopped.
 */
#include <sys/utsname.h>
#include <unistd.h>

#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"
#include "workspace/workspace.h"

static const char presence[] = "Who is there", added[] = "Added by the user for this session";

/* A text of the prompt, as far as it takes to know it again. */
struct part {
    char *name;
    char sha256[SF_SHA256_HEX + 1];
    size_t len;
};

struct sf_briefing {
    bool kept; /* the prompt is in the log */
    struct part *parts;
    size_t count, cap;
    struct sf_instructions event; /* what is different by now; no text: it is gone */
    struct sf_strbuf news;        /* for the next words */
};

struct sf_briefing *sf_briefing_new(void)
{
    struct sf_briefing *b = sf_alloc(sizeof(*b));

    *b = (struct sf_briefing){ .event = SF_INSTRUCTIONS_INIT, .news = SF_STRBUF_INIT };
    return b;
}

static void forget_parts(struct sf_briefing *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->parts[i].name);
    b->count = 0;
}

void sf_briefing_free(struct sf_briefing *b)
{
    if (!b)
        return;
    forget_parts(b);
    free(b->parts);
    sf_instructions_release(&b->event);
    sf_strbuf_release(&b->news);
    free(b);
}

/* ---- what there is now ---- */

static void add(struct sf_instructions *to, const char *name, const char *text)
{
    to->items = sf_grow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
    to->items[to->count++] =
        (struct sf_instruction){ .name = sf_strdup(name), .text = text ? sf_strdup(text) : NULL };
}

/* What the user has not seen goes to `held`, and the old text stands in its place. */
static void read_seen(const struct sf_session *s, struct sf_instructions *out,
                      struct sf_instructions *held, struct sf_strlist *notes)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *user = sf_env_config_dir(&ignored);
    const struct sf_instructions_request request = { .policy = s->setup.policy,
                                                     .below = s->setup.below,
                                                     .user_dir = user,
                                                     .state_dir = s->setup.state_dir };

    sf_instructions_read(&request, out, notes);
    if (s->setup.state_dir)
        sf_instructions_hold(s->setup.state_dir, out, held, notes);
    free(user);
}

static void read_files(const struct sf_session *s, struct sf_instructions *out,
                       struct sf_strlist *notes)
{
    struct sf_instructions held = SF_INSTRUCTIONS_INIT;

    read_seen(s, out, &held, notes);
    sf_instructions_release(&held);
}

void sf_session_instructions_held(const struct sf_session *s, struct sf_instructions *held)
{
    struct sf_instructions now = SF_INSTRUCTIONS_INIT;
    struct sf_strlist notes = SF_STRLIST_INIT;

    read_seen(s, &now, held, &notes);
    sf_strlist_release(&notes);
    sf_instructions_release(&now);
}

/* Beside the files: what else may be different when the session is opened again. */
static void add_rest(const struct sf_session *s, struct sf_instructions *out)
{
    add(out, presence,
        s->setup.attended ? "Somebody is there, who can be asked and can approve.\n"
                          : "Nobody is there to be asked: what would need an approval is refused. "
                            "Decide, say what you assumed, and finish.\n");
    if (s->prompt.append && *s->prompt.append)
        add(out, added, s->prompt.append);
}

static void make_system(struct sf_session *s, const struct sf_instructions *files)
{
    struct sf_strbuf text = SF_STRBUF_INIT, instructions = SF_STRBUF_INIT,
                     platform = SF_STRBUF_INIT;
    char *git = sf_path_join(s->setup.workspace->root, ".git");
    struct sf_prompt_facts facts = { .workspace = s->setup.workspace->root,
                                     .git = access(git, F_OK) == 0,
                                     .headless = !s->setup.attended,
                                     .patches = s->tools.patches,
                                     .depth = s->depth,
                                     .append = s->prompt.append,
                                     .role = s->prompt.role };
    struct utsname uts;

    sf_instructions_add(files, &instructions);
    facts.instructions = instructions.buf;
    if (uname(&uts) == 0)
        sf_strbuf_addf(&platform, "%s %s", uts.sysname, uts.machine);
    facts.platform = platform.buf;
    sf_prompt_system(&facts, &text);
    free(s->prompt.system);
    s->prompt.system = sf_strbuf_detach(&text);
    s->prompt.weighed = 0;
    sf_turn_meta_note(s, files);
    sf_strbuf_release(&instructions);
    sf_strbuf_release(&platform);
    free(git);
}

/* With the list of tools, which is to be the same as well. */
static void set_patches(struct sf_session *s, bool patches)
{
    if (s->tools.patches != patches)
        s->link.schemas_profile = -1;
    s->tools.patches = patches;
}

void sf_briefing_make(struct sf_session *s)
{
    struct sf_instructions files = SF_INSTRUCTIONS_INIT;
    struct sf_strlist notes = SF_STRLIST_INIT;

    read_files(s, &files, &notes);
    if (!s->prompt.briefing->kept) {
        set_patches(s, s->link.row->patches);
        make_system(s, &files);
    }
    for (size_t i = 0; i < notes.count; i++)
        sf_session_note(s, notes.items[i]);
    sf_strlist_release(&notes);
    sf_instructions_release(&files);
}

/* ---- the prompt, written down ---- */

static void add_part(struct sf_briefing *b, const char *name, const char *sha256, size_t len)
{
    struct part *p;

    b->parts = sf_grow(b->parts, &b->cap, b->count + 1, sizeof(*b->parts));
    p = &b->parts[b->count++];
    *p = (struct part){ .name = sf_strdup(name), .len = len };
    snprintf(p->sha256, sizeof(p->sha256), "%s", sha256);
}

static void take_parts(struct sf_briefing *b, const struct sf_instructions *now)
{
    forget_parts(b);
    for (size_t i = 0; i < now->count; i++) {
        size_t len = strlen(now->items[i].text);
        char hex[SF_SHA256_HEX + 1];

        sf_sha256_hex(now->items[i].text, len, hex);
        add_part(b, now->items[i].name, hex, len);
    }
}

static bool save_system(struct sf_session *s, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "text", s->prompt.system);
    sf_jw_key_bool(&w, "patches", s->tools.patches);
    sf_jw_key_int(&w, "instruction_tokens", s->prompt.instruction_tokens);
    sf_jw_key_int(&w, "memory_tokens", s->prompt.memory_tokens);
    sf_jw_key(&w, "parts");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < s->prompt.briefing->count; i++) {
        const struct part *p = &s->prompt.briefing->parts[i];

        sf_jw_object_begin(&w);
        sf_jw_key_str(&w, "name", p->name);
        sf_jw_key_str(&w, "sha256", p->sha256);
        sf_jw_key_int(&w, "bytes", (int64_t)p->len);
        sf_jw_object_end(&w);
    }
    sf_jw_array_end(&w);
    sf_jw_object_end(&w);
    ok = sf_session_append(s, SF_LOG_SYSTEM, &json, err);
    sf_strbuf_release(&json);
    return ok;
}

static bool keep_system(struct sf_session *s, const struct sf_instructions *files,
                        struct sf_error *err)
{
    struct sf_instructions now = SF_INSTRUCTIONS_INIT;

    for (size_t i = 0; i < files->count; i++)
        add(&now, files->items[i].name, files->items[i].text);
    add_rest(s, &now);
    set_patches(s, s->link.row->patches);
    make_system(s, files);
    take_parts(s->prompt.briefing, &now);
    sf_instructions_release(&now);
    s->prompt.briefing->kept = save_system(s, err);
    return s->prompt.briefing->kept;
}

static bool recall_parts(struct sf_briefing *b, const struct sf_json *parts)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *name, *sha256;
    int64_t len;

    forget_parts(b);
    for (const struct sf_json *it = parts ? sf_json_first(parts) : NULL; it;
         it = sf_json_next(it)) {
        if (!sf_json_get_str(it, "name", &name, &ignored) ||
            !sf_json_get_str(it, "sha256", &sha256, &ignored) ||
            !sf_json_get_int(it, "bytes", &len, &ignored) || len < 0)
            return false;
        add_part(b, name, sha256, (size_t)len);
    }
    return true;
}

static void recall_system(struct sf_session *s, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text;
    bool patches;

    if (!sf_json_get_str(json, "text", &text, &ignored) ||
        !sf_json_get_bool(json, "patches", &patches, &ignored) ||
        !sf_json_get_int(json, "instruction_tokens", &s->prompt.instruction_tokens, &ignored) ||
        !sf_json_get_int(json, "memory_tokens", &s->prompt.memory_tokens, &ignored) ||
        !recall_parts(s->prompt.briefing, sf_json_get(json, "parts")))
        return; /* not as sf writes it: the prompt is made anew, and written down */
    free(s->prompt.system);
    s->prompt.system = sf_strdup(text);
    s->prompt.weighed = 0;
    set_patches(s, patches);
    sf_instructions_release(&s->prompt.briefing->event);
    sf_strbuf_reset(&s->prompt.briefing->news);
    s->prompt.briefing->kept = true;
    if (s->prompt.role && strncmp(text, s->prompt.role, strlen(s->prompt.role)) != 0)
        sf_session_note(s, "this session keeps the system prompt it began with: --system-prompt "
                           "is for new ones");
}

/* ---- what is different ---- */

static struct sf_instruction *find(const struct sf_instructions *in, const char *name)
{
    for (size_t i = 0; i < in->count; i++)
        if (!strcmp(in->items[i].name, name))
            return &in->items[i];
    return NULL;
}

static const struct part *find_part(const struct sf_briefing *b, const char *name)
{
    for (size_t i = 0; i < b->count; i++)
        if (!strcmp(b->parts[i].name, name))
            return &b->parts[i];
    return NULL;
}

static bool begins_with(const char *text, const struct part *p)
{
    char hex[SF_SHA256_HEX + 1];

    if (strlen(text) < p->len)
        return false;
    sf_sha256_hex(text, p->len, hex);
    return !strcmp(hex, p->sha256);
}

/* How many bytes of the text the model knows as the whole of it; -1: it knows none or another. */
static int64_t known_bytes(const struct sf_briefing *b, const char *name, const char *text)
{
    const struct sf_instruction *event = find(&b->event, name);
    const struct part *p = find_part(b, name);

    if (event)
        return event->text && !strncmp(text, event->text, strlen(event->text))
                   ? (int64_t)strlen(event->text)
                   : -1;
    return p && begins_with(text, p) ? (int64_t)p->len : -1;
}

static bool is_known(const struct sf_briefing *b, const char *name)
{
    const struct sf_instruction *event = find(&b->event, name);

    return event ? event->text != NULL : find_part(b, name) != NULL;
}

static void say_text(const struct sf_briefing *b, const struct sf_instruction *now,
                     struct sf_strbuf *out)
{
    int64_t known = known_bytes(b, now->name, now->text);

    sf_strbuf_addf(out, "## %s\n", now->name);
    if (known > 0)
        sf_strbuf_addf(out, "It goes on with:\n%s", now->text + known);
    else
        sf_strbuf_addf(out, "%s\n%s",
                       is_known(b, now->name) ? "It says now:" : "It is new:", now->text);
    if (out->buf[out->len - 1] != '\n')
        sf_strbuf_addch(out, '\n');
}

/* What the command line added once holds on, also where it is not given again. */
static void find_gone(const struct sf_briefing *b, const struct sf_instructions *now,
                      struct sf_instructions *out)
{
    for (size_t i = 0; i < b->count + b->event.count; i++) {
        const char *name = i < b->count ? b->parts[i].name : b->event.items[i - b->count].name;

        if (is_known(b, name) && !find(now, name) && !find(out, name) && strcmp(name, added) != 0)
            add(out, name, NULL);
    }
}

static void find_changed(const struct sf_briefing *b, const struct sf_instructions *now,
                         struct sf_instructions *out)
{
    for (size_t i = 0; i < now->count; i++) {
        const struct sf_instruction *it = &now->items[i];

        if (known_bytes(b, it->name, it->text) != (int64_t)strlen(it->text))
            add(out, it->name, it->text);
    }
    find_gone(b, now, out);
}

static void take_changes(struct sf_briefing *b, const struct sf_instructions *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        struct sf_instruction *event = find(&b->event, changes->items[i].name);
        const char *text = changes->items[i].text;

        if (event) {
            free(event->text);
            event->text = text ? sf_strdup(text) : NULL;
        } else {
            add(&b->event, changes->items[i].name, text);
        }
    }
}

static void say_changes(const struct sf_briefing *b, const struct sf_instructions *changes,
                        struct sf_strbuf *out)
{
    for (size_t i = 0; i < changes->count; i++) {
        if (changes->items[i].text)
            say_text(b, &changes->items[i], out);
        else
            sf_strbuf_addf(out, "## %s\nIt is gone: what it said does not hold any more.\n",
                           changes->items[i].name);
    }
}

static bool save_changes(struct sf_session *s, const struct sf_instructions *changes,
                         struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key(&w, "names");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < changes->count; i++)
        sf_jw_str(&w, changes->items[i].name);
    sf_jw_array_end(&w);
    sf_jw_key(&w, "texts"); /* of each; null: it is gone */
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < changes->count; i++) {
        if (changes->items[i].text)
            sf_jw_str(&w, changes->items[i].text);
        else
            sf_jw_null(&w);
    }
    sf_jw_array_end(&w);
    sf_jw_object_end(&w);
    ok = sf_session_append(s, SF_LOG_INSTRUCTIONS, &json, err);
    sf_strbuf_release(&json);
    return ok;
}

static void tell_changes(struct sf_session *s, const struct sf_instructions *changes,
                         const struct sf_strlist *notes)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < changes->count; i++)
        sf_strlist_add(&names, changes->items[i].name);
    sf_log_event_add_instructions(&names, &text);
    for (size_t i = 0; i <= notes->count; i++) {
        const char *line = i ? notes->items[i - 1] : text.buf;
        struct sf_event event = sf_event_of_notice(line, strlen(line));

        if (!s->depth)
            sf_session_tell(s, &event);
    }
    sf_strbuf_release(&text);
    sf_strlist_release(&names);
}

static bool keep_changes(struct sf_session *s, struct sf_instructions *now,
                         const struct sf_strlist *notes, struct sf_error *err)
{
    struct sf_instructions changes = SF_INSTRUCTIONS_INIT;
    struct sf_briefing *b = s->prompt.briefing;
    bool ok = true;

    add_rest(s, now);
    find_changed(b, now, &changes);
    if (changes.count && (ok = save_changes(s, &changes, err))) {
        say_changes(b, &changes, &b->news);
        take_changes(b, &changes);
        tell_changes(s, &changes, notes);
    }
    sf_instructions_release(&changes);
    return ok;
}

static void recall_changes(struct sf_session *session, const struct sf_json *json)
{
    struct sf_instructions changes = SF_INSTRUCTIONS_INIT;
    const struct sf_json *names = sf_json_get(json, "names"), *texts = sf_json_get(json, "texts");
    const struct sf_json *name = names ? sf_json_first(names) : NULL;
    const struct sf_json *text = texts ? sf_json_first(texts) : NULL;
    struct sf_error ignored = SF_ERROR_INIT;

    for (; name && text; name = sf_json_next(name), text = sf_json_next(text)) {
        const char *n, *s = NULL;

        if (sf_json_as_str(name, "names", &n, &ignored) &&
            (sf_json_type(text) == SF_JSON_NULL || sf_json_as_str(text, "texts", &s, &ignored)))
            add(&changes, n, s);
    }
    say_changes(session->prompt.briefing, &changes, &session->prompt.briefing->news);
    take_changes(session->prompt.briefing, &changes);
    sf_instructions_release(&changes);
}

/* ---- around a turn ---- */

/* The offline operator and recordings are sent nothing of it. */
bool sf_briefing_keep(struct sf_session *s, struct sf_error *err)
{
    struct sf_instructions now = SF_INSTRUCTIONS_INIT;
    struct sf_strlist notes = SF_STRLIST_INIT;
    bool ok;

    if (s->setup.provider->kind != SF_PROVIDER_HTTP)
        return true;
    read_files(s, &now, &notes);
    ok = s->prompt.briefing->kept ? keep_changes(s, &now, &notes, err) : keep_system(s, &now, err);
    sf_strlist_release(&notes);
    sf_instructions_release(&now);
    return ok;
}

void sf_briefing_add(struct sf_session *s, struct sf_message *message)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!s->prompt.briefing->news.len)
        return;
    sf_strbuf_addf(&text,
                   SF_BRIEFED_TAG "\nThis changed since you were told last, and replaces it.\n%s"
                                  "</instructions_changed>",
                   s->prompt.briefing->news.buf);
    sf_message_add_text(message, text.buf, text.len);
    sf_strbuf_reset(&s->prompt.briefing->news);
    sf_strbuf_release(&text);
}

/* A summary may have swallowed the messages that told it. */
void sf_briefing_standing(const struct sf_session *s, struct sf_strbuf *out)
{
    const struct sf_instructions *event = &s->prompt.briefing->event;

    if (!event->count)
        return;
    sf_strbuf_adds(out, "## Instructions that changed since the session began\n");
    for (size_t i = 0; i < event->count; i++)
        sf_strbuf_addf(out, "### %s\n%s\n", event->items[i].name,
                       event->items[i].text ? event->items[i].text : "(gone)");
}

static const struct {
    const char *kind;
    void (*recall)(struct sf_session *s, const struct sf_json *json);
} kinds[] = { { SF_LOG_SYSTEM, recall_system }, { SF_LOG_INSTRUCTIONS, recall_changes } };

void sf_briefing_recall(struct sf_session *s, const struct sf_event_row *event)
{
    struct sf_error ignored = SF_ERROR_INIT;

    if (!strcmp(event->kind, SF_LOG_USER)) /* it took the news along */
        sf_strbuf_reset(&s->prompt.briefing->news);
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        struct sf_json *json = strcmp(kinds[i].kind, event->kind) == 0
                                   ? sf_json_parse(event->json, event->len, NULL, &ignored)
                                   : NULL;

        if (json)
            kinds[i].recall(s, json);
        sf_json_free(json);
    }
}
