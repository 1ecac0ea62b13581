/*
 * event_text.c: the table that turns kinds of events into sentences. In a pattern, {x} is the
 * member x of the event, {#x} the number of its elements, and a part in [ ] is left out when a
 * member in it is missing or empty. Messages of the conversation have functions instead.
 */
#include "journal/event_text.h"

#include <string.h>

#include "agent/agent.h"
#include "journal/log_event.h"

/* ---- values ---- */

static bool add_value(struct sf_strbuf *out, const struct sf_json *value)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json_writer w;
    size_t before = out->len;
    const char *text;

    if (!value || sf_json_type(value) == SF_JSON_NULL)
        return false;
    if (sf_json_type(value) == SF_JSON_STRING) {
        if (sf_json_as_str(value, "text", &text, &ignored))
            sf_strbuf_adds(out, text);
    } else if (sf_json_type(value) == SF_JSON_ARRAY) {
        for (const struct sf_json *it = sf_json_first(value); it; it = sf_json_next(it)) {
            if (out->len > before)
                sf_strbuf_adds(out, ", ");
            add_value(out, it);
        }
    } else {
        sf_jw_init(&w, out);
        sf_jw_json(&w, value);
    }
    return out->len > before;
}

/* ---- messages ---- */

/* The first string argument names the subject of a call: the command, the path, the pattern. */
static void add_call(struct sf_strbuf *out, const struct sf_block *call)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *args = sf_json_parse(call->text, call->len, NULL, &ignored);
    const char *text = "";

    for (const struct sf_json *it = args ? sf_json_first(args) : NULL; it && !*text;
         it = sf_json_next(it))
        if (sf_json_type(it) != SF_JSON_STRING || !sf_json_as_str(it, "", &text, &ignored))
            text = "";
    sf_strbuf_addf(out, "%s%s%s", call->name, *text ? " " : "", text);
    sf_json_free(args);
}

static void say_user(struct sf_strbuf *out, const struct sf_log_event *l)
{
    const struct sf_block *words = sf_log_event_words(&l->message);

    if (words)
        sf_strbuf_addf(out, "you: %.*s", (int)words->len, words->text);
}

static void say_answer(struct sf_strbuf *out, const struct sf_log_event *l)
{
    const struct sf_block *words = sf_log_event_words(&l->message);
    bool calls = false;

    if (words)
        sf_strbuf_addf(out, "sf: %.*s", (int)words->len, words->text);
    for (size_t i = 0; i < l->message.count; i++) {
        if (l->message.blocks[i].kind != SF_BLOCK_CALL)
            continue;
        sf_strbuf_adds(out, calls ? "; " : words ? "; calls " : "sf calls ");
        add_call(out, &l->message.blocks[i]);
        calls = true;
    }
}

static void say_result(struct sf_strbuf *out, const struct sf_log_event *l)
{
    const struct sf_block *b = l->message.count ? &l->message.blocks[0] : NULL;
    const struct sf_json *detail = sf_json_get(l->json, "detail");
    struct sf_error ignored = SF_ERROR_INIT;
    const char *summary = "";

    if (!b)
        return;
    if (!detail || !sf_json_opt_str(detail, "summary", "", &summary, &ignored))
        summary = "";
    sf_strbuf_addf(out, "%s%s: ", b->name ? b->name : "a call", b->is_error ? " failed" : "");
    if (*summary)
        sf_strbuf_adds(out, summary);
    else
        sf_strbuf_add(out, b->text, b->len);
}

static void say_goal(struct sf_strbuf *out, const struct sf_log_event *l)
{
    const struct sf_json *goal = sf_json_get(l->json, "goal");
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text, *status;

    if (goal && sf_json_opt_str(goal, "text", "", &text, &ignored) &&
        sf_json_opt_str(goal, "status", "", &status, &ignored))
        sf_strbuf_addf(out, "the goal is %s: %s", status, text);
}

/* Names only what differs: "work build, profile trusted". */
static void add_moved(struct sf_strbuf *out, const struct sf_json *from, const struct sf_json *to)
{
    size_t before = out->len;

    for (const struct sf_json *it = to ? sf_json_first(to) : NULL; it; it = sf_json_next(it)) {
        const struct sf_json *was = from ? sf_json_get(from, sf_json_key(it)) : NULL;
        struct sf_strbuf old = SF_STRBUF_INIT, new = SF_STRBUF_INIT;

        add_value(&new, it);
        add_value(&old, was);
        if (!was || strcmp(old.buf, new.buf) != 0)
            sf_strbuf_addf(out, "%s%s %s", out->len > before ? ", " : "", sf_json_key(it), new.buf);
        sf_strbuf_release(&old);
        sf_strbuf_release(&new);
    }
    if (out->len == before)
        sf_strbuf_adds(out, "nothing");
}

static void say_transition(struct sf_strbuf *out, const struct sf_log_event *l)
{
    const struct sf_json *to = sf_json_get(l->json, "to");
    struct sf_error ignored = SF_ERROR_INIT;
    const char *actor, *outcome, *reason, *note;

    if (!to || !sf_json_opt_str(l->json, "actor", "", &actor, &ignored) ||
        !sf_json_opt_str(l->json, "outcome", "", &outcome, &ignored) ||
        !sf_json_opt_str(l->json, "reason", "", &reason, &ignored) ||
        !sf_json_opt_str(l->json, "note", "", &note, &ignored))
        return;
    sf_strbuf_addf(out, "%s changes the mode, %s: ", actor, outcome);
    add_moved(out, sf_json_get(l->json, "from"), to);
    sf_strbuf_addf(out, "%s%s%s%s", *reason ? "; " : "", reason, *note ? "; " : "", note);
}

/* ---- the table ---- */

static const struct row {
    const char *kind, *pattern;
    void (*say)(struct sf_strbuf *out, const struct sf_log_event *logged);
} rows[] = {
    { SF_LOG_USER, NULL, say_user },
    { SF_LOG_ASSISTANT, NULL, say_answer },
    { SF_LOG_RESULT, NULL, say_result },
    { SF_LOG_STEER, "you, meanwhile: {text}", NULL },
    { SF_LOG_REMARK, "sf to the model: {text}", NULL },
    { SF_LOG_COMPACTION, "the history became a summary, made by {by}: {summary}", NULL },
    { SF_LOG_FORGET, "no longer handed back: the {what} so far", NULL },
    { SF_LOG_END, "the turn is over: {status}[, limit {limit}][: {message}]", NULL },
    { SF_DECISION_EVENT,
      "{verdict} {tool}[ {action}], rule {rule}: {reason}[; {answered_by} said {answer}]", NULL },
    { SF_LOG_GOAL, NULL, say_goal },
    { SF_LOG_TYPED, "you typed {text}", NULL },
    { SF_LOG_SHELL, "you ran {command}[: exit {exit}]", NULL },
    { SF_LOG_ASKED, "asked you: {tool} {what}", NULL },
    { SF_LOG_ANSWERED, "you answered", NULL },
    { SF_LOG_PLAN, "noted a plan of {#items} steps", NULL },
    { SF_LOG_REVIEW, "review of {what}: {verdict}", NULL },
    { SF_LOG_PLAN_SUBMITTED, "{who} submitted a plan: {text}", NULL },
    { SF_LOG_PLAN_ACCEPTED, "{who} accepted the plan, with profile {profile}", NULL },
    { SF_LOG_PLAN_REJECTED, "{who} rejected the plan[: {words}]", NULL },
    { SF_LOG_INSTRUCTIONS, "the model is told what changed: {names}", NULL },
    { SF_LOG_FALLBACK, "{from} was not available: {to} went on with the turn", NULL },
    { SF_LOG_APPROVAL_MODE, "approval mode: {from} → {to}", NULL },
    { SF_LOG_PIN, "pinned: {text}", NULL },
    { SF_LOG_ADD_DIR, "directory added: {dir}", NULL },
    { SF_LOG_UNPIN, "no longer pinned: {text}", NULL },
    { SF_TRANSITION_EVENT, NULL, say_transition },
    { SF_LOG_JOBS, "commands in the background: {#jobs}", NULL },
    { SF_LOG_SYSTEM, "the system prompt was written down", NULL },
    { SF_LOG_MODEL, "a model was chosen[: {asked}][, provider {provider}]", NULL },
    { SF_LOG_RESTORE, "{what}: {added} added, {changed} changed, {removed} removed, {kept} kept",
      NULL },
    { SF_LOG_SCOPE_AUDIT, "outside scope {scope}, {what}: {paths}[; {error}]", NULL },
    { SF_LOG_CAGE_AFTERMATH, "after a command: {text}", NULL },
    { SF_LOG_CONFIG, "{action} {key}[ = {value}] in {file}", NULL },
    { SF_LOG_TRUST, "trust {action} {workspace}", NULL },
    { SF_LOG_USAGE_TOTALS, "added up what {requests} requests cost", NULL },
    { SF_LOG_SESSION_DELETED, "session {session} was deleted", NULL },
    { SF_LOG_SESSION_IMPORTED, "session {session} was imported", NULL },
    { SF_LOG_REPAIRED, "repair {number}, {check}: {text}", NULL },
    { SF_LOG_REPAIR_UNDONE, "repair {number} was undone, {check}: {text}", NULL },
    { SF_UNITS_LOG_BEGIN, "a run of the plan begins[, by {who}]", NULL },
    { SF_UNITS_LOG_GO, "the run goes on[, by {who}]", NULL },
    { SF_UNITS_LOG_PAUSING, "the run is to pause[, by {who}]", NULL },
    { SF_UNITS_LOG_HALT, "the run halts, {guard}[, at {task}][: {text}]", NULL },
    { SF_UNITS_LOG_REPAIR, "the health gate[: {text}]", NULL },
    { SF_UNITS_LOG_END, "the run is over[: {text}]", NULL },
    { SF_UNITS_LOG_ADDED, "unit {task} was added[: {text}]", NULL },
    { SF_UNITS_LOG_MOVE, "{task}: {from} → {to}, by {by}[: {text}]", NULL },
    { SF_UNITS_LOG_START, "unit {task} begins, attempt {attempt}", NULL },
    { SF_UNITS_LOG_USED, "unit[ {task}] used something of its budget", NULL },
    { SF_UNITS_LOG_ENDED, "unit {task} ended: {end}[: {text}]", NULL },
    { SF_UNITS_LOG_VERDICT, "unit {task}: {verdict}[: {text}]", NULL },
    { SF_UNITS_LOG_WORD, "{task}: {word}[, by {who}][: {text}]", NULL },
    { SF_UNITS_LOG_CLOSED, "unit {task} was closed: {close}[: {text}]", NULL },
    { SF_UNITS_LOG_DROPPED, "unit {task} was dropped", NULL },
};

static const struct row *find(const char *kind)
{
    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (!strcmp(rows[i].kind, kind))
            return &rows[i];
    return NULL;
}

/* ---- patterns ---- */

/* Expands the member whose name follows an opening brace; returns what follows the closing one. */
static const char *add_member(struct sf_strbuf *out, const char *name, const struct sf_json *json,
                              bool *there)
{
    size_t len = strcspn(name, "}");
    bool counts = *name == '#';
    char *key = sf_strndup(name + counts, len - counts);
    const struct sf_json *value = sf_json_get(json, key);

    if (counts && value)
        sf_strbuf_addf(out, "%zu", sf_json_count(value));
    else if (!add_value(out, value))
        *there = false;
    free(key);
    return name + len + 1;
}

static void add_pattern(struct sf_strbuf *out, const char *pattern, const struct sf_json *json)
{
    size_t group = 0;
    bool there = true;

    while (*pattern) {
        if (*pattern == '{') {
            pattern = add_member(out, pattern + 1, json, &there);
            continue;
        }
        if (*pattern == '[') {
            group = out->len;
            there = true;
        } else if (*pattern == ']') {
            if (!there)
                sf_strbuf_truncate(out, group);
        } else {
            sf_strbuf_add(out, pattern, 1);
        }
        pattern++;
    }
}

/* Appends one line of at most SF_EVENT_TEXT_COLUMNS, sanitised. */
static void add_cut(struct sf_strbuf *out, const struct sf_strbuf *text)
{
    enum { SOURCE = 4 * SF_EVENT_TEXT_COLUMNS };
    size_t len = text->len < SOURCE ? text->len : sf_utf8_cut(text->buf, SOURCE), fits;
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text->buf, len, SF_TEXT_ONE_LINE);
    fits = sf_text_fit(safe.buf, safe.len, SF_EVENT_TEXT_COLUMNS, NULL);
    sf_strbuf_add(out, safe.buf, fits);
    if (fits < safe.len || len < text->len)
        sf_strbuf_adds(out, "…");
    sf_strbuf_release(&safe);
}

void sf_event_text_add(struct sf_strbuf *out, const char *kind, const char *json, size_t len)
{
    const struct sf_event_row event = { .kind = kind, .json = json, .len = len };
    const struct row *row = find(kind);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_log_event logged;

    sf_log_event_read(&logged, &event);
    if (row && row->say && logged.json)
        row->say(&text, &logged);
    else if (row && row->pattern && logged.json)
        add_pattern(&text, row->pattern, logged.json);
    if (!text.len)
        sf_strbuf_add(&text, json, len);
    add_cut(out, &text);
    sf_log_event_release(&logged);
    sf_strbuf_release(&text);
}

/* ---- the whole data ---- */

/* Recursive; the parser limits the depth. */
static void add_tree(struct sf_strbuf *out, const struct sf_json *json, int depth)
{
    enum sf_json_type type = sf_json_type(json);
    bool object = type == SF_JSON_OBJECT;
    const struct sf_json *it = sf_json_first(json);
    struct sf_json_writer w;

    if (!it || (!object && type != SF_JSON_ARRAY)) {
        sf_jw_init(&w, out);
        sf_jw_json(&w, json);
        return;
    }
    sf_strbuf_adds(out, object ? "{\n" : "[\n");
    for (; it; it = sf_json_next(it)) {
        sf_strbuf_addf(out, "%*s", 2 * depth + 2, "");
        if (object) {
            sf_jw_init(&w, out);
            sf_jw_str(&w, sf_json_key(it));
            sf_strbuf_adds(out, ": ");
        }
        add_tree(out, it, depth + 1);
        sf_strbuf_adds(out, sf_json_next(it) ? ",\n" : "\n");
    }
    sf_strbuf_addf(out, "%*s%s", 2 * depth, "", object ? "}" : "]");
}

void sf_event_text_data(struct sf_strbuf *out, const char *json, size_t len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *tree = sf_json_parse(json, len, NULL, &ignored);

    if (tree)
        add_tree(out, tree, 0);
    else
        sf_strbuf_add(out, json, len);
    sf_json_free(tree);
}
