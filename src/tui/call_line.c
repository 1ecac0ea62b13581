/*
 * call_line.c: the line of a call: what the call does, to what, and, once it is over, what came of
 * it.
 */
#include <string.h>

#include "tui/internal.h"

#define IN "  in " /* Stands between what is searched for and where. */

enum {
    PLAIN_COLS = 10000, /* A line this wide is not broken; the screen cuts it. */
    ANSWER_COLS = 30,   /* The most columns of an answer beside its question. */
};

static void about_findings(const struct sf_json *args, struct sf_strbuf *out)
{
    const struct sf_json *list = sf_json_get(args, "findings");
    size_t count = list ? sf_json_count(list) : 0;

    sf_strbuf_addf(out, "%zu finding%s", count, count == 1 ? "" : "s");
}

/* "3 steps, 1 done", or the first line of a plan that is submitted. */
static void about_plan(const struct sf_json *args, struct sf_strbuf *out)
{
    const struct sf_json *items = sf_json_get(args, "items");
    struct sf_error ignored = SF_ERROR_INIT;
    size_t count = 0, done = 0;
    const char *plan;

    if (sf_json_get_str(args, "submit", &plan, &ignored)) {
        const char *title = !strncmp(plan, "---\n", 4) ? strstr(plan, "\ntitle:") : NULL;

        plan = title ? title + strlen("\ntitle:") : plan;
        plan += strspn(plan, "# \n");
        sf_strbuf_add(out, plan, strcspn(plan, "\n"));
        return;
    }

    for (const struct sf_json *it = items ? sf_json_first(items) : NULL; it;
         it = sf_json_next(it)) {
        const char *status;

        count++;
        done += sf_json_get_str(it, "status", &status, &ignored) && !strcmp(status, "completed");
    }
    if (count)
        sf_strbuf_addf(out, "%zu step%s", count, count == 1 ? "" : "s");
    if (done)
        sf_strbuf_addf(out, ", %zu done", done);
}

/* The verbs of each tool, and the argument that says what a call is about. NULL: the path. */
static const struct verb {
    const char *tool, *running, *done, *arg;
    bool marked; /* The argument is Markdown. */
    void (*about)(const struct sf_json *args, struct sf_strbuf *out); /* Instead of `arg`. */
} verbs[] = {
    { "Read", "Reading", "Read", NULL, false, NULL },
    { "Write", "Writing", "Wrote", NULL, false, NULL },
    { "Edit", "Editing", "Edited", NULL, false, NULL },
    { "MultiEdit", "Editing", "Edited", NULL, false, NULL },
    { "ApplyPatch", "Patching", "Patched", NULL, false, NULL },
    { "LS", "Listing", "Listed", NULL, false, NULL },
    { "Glob", "Looking", "Looked", "pattern", false, NULL },
    { "Grep", "Searching", "Searched", "pattern", false, NULL },
    { "Bash", "Running", "Ran", NULL, false, NULL },
    { "BashOutput", "Watching", "Watched", "id", false, NULL },
    { "BashKill", "Stopping", "Stopped", "id", false, NULL },
    { "Fetch", "Fetching", "Fetched", NULL, false, NULL },
    { "Plan", "Planning", "Planned", NULL, false, about_plan },
    { "Findings", "Reporting", "Reported", NULL, false, about_findings },
    { "AskUser", "Asking", "Asked", "question", true, NULL },
    { "ChangeToolMode", "Switching", "Scope", "mode", false, NULL },
    { "Agent", "Sending", "Agent", "description", false, NULL },
    { "Remember", "Noting", "Noted", "note", false, NULL },
    { "RevertTurn", "Reverting", "Reverted", NULL, false, NULL },
};

static const struct verb *find_verb(const char *tool)
{
    for (size_t i = 0; i < SF_COUNT(verbs); i++)
        if (!strcmp(verbs[i].tool, tool))
            return &verbs[i];
    return NULL;
}

const char *sf_call_line_verb(const char *tool, bool done)
{
    const struct verb *v = find_verb(tool);

    return !v ? tool : done ? v->done : v->running;
}

/* Markdown as one line of plain text, without the marks. */
static void add_unmarked(struct sf_strbuf *out, const char *text)
{
    struct sf_page page = SF_PAGE_INIT;

    sf_page_reset(&page, PLAIN_COLS);
    sf_markdown_lay(&page, text, strlen(text), "", NULL, sf_look(SF_LOOK_TEXT));
    for (size_t i = 0; i < page.count; i++) {
        const struct sf_page_line *line = &page.lines[i];

        if (line->len > line->lead)
            sf_strbuf_addf(out, "%s%.*s", out->len ? " " : "", (int)(line->len - line->lead),
                           page.text.buf + line->at + line->lead);
    }
    sf_page_release(&page);
}

void sf_call_line_what(const struct sf_event_call *call, struct sf_strbuf *out)
{
    const struct verb *v = find_verb(call->name);
    struct sf_error ignored = SF_ERROR_INIT;
    bool reads = v && (v->arg || v->about);
    struct sf_json *json = reads ? sf_json_parse(call->args, call->len, NULL, &ignored) : NULL;
    const char *text = NULL;

    if (json && v->arg && sf_json_get_str(json, v->arg, &text, &ignored) && text) {
        (v->marked ? add_unmarked : sf_strbuf_adds)(out, text);
        if (*call->what && strcmp(call->what, ".") != 0)
            sf_strbuf_addf(out, IN "%s", call->what);
    } else if (json && v->about) {
        v->about(json, out);
    } else {
        sf_strbuf_adds(out, call->what);
    }
    sf_json_free(json);
}

/* A summary is a sentence: the part behind the name of the thing is the note. */
static const char *note_of(const char *summary, const char *what, char *out, size_t size)
{
    const char *in = what ? strstr(what, IN) : NULL;
    size_t len = in ? (size_t)(in - what) : what ? strlen(what) : 0;
    const char *at = len ? memmem(summary, strlen(summary), what, len) : NULL;

    at = at ? at + len : summary;
    while (*at == ' ' || *at == '(' || *at == ',' || *at == ':')
        at++;
    len = strlen(at);
    if (len && at[len - 1] == ')' && !memchr(at, '(', len))
        len--;
    snprintf(out, size, "%.*s", (int)len, at);
    return out;
}

/* The note of a command leaves out the time, which stands beside it, and exit code 0. */
static const char *command_note(const char *summary, char *out, size_t size)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (const char *at = summary; *at;) {
        size_t n = strcspn(at, ",");
        bool took = strchr("0123456789", at[0]) && at[n - 1] == 's' && !memchr(at, ' ', n);

        if (!took && strncmp(at, "exit code 0", 11) != 0)
            sf_strbuf_addf(&text, "%s%.*s", text.len ? ", " : "", (int)n, at);
        at += n;
        at += strspn(at, ", ");
    }
    snprintf(out, size, "%s", text.buf);
    sf_strbuf_release(&text);
    return out;
}

/* The answer stands beside its question. */
static const char *answer_note(const struct sf_strbuf *answer, char *out, size_t size)
{
    size_t len = strcspn(answer->buf, "\n"), used;
    size_t fits = sf_text_fit(answer->buf, len, ANSWER_COLS, &used);

    snprintf(out, size, "%.*s%s", (int)fits, answer->buf, fits < answer->len ? "…" : "");
    return out;
}

const char *sf_call_line_note(const struct sf_event *event, const char *what, char *out,
                              size_t size)
{
    const struct sf_tool_result *r = event->result.tool;
    const char *tool = event->call->name;

    if (r->summary && !strcmp(tool, "Bash"))
        return command_note(r->summary, out, size);
    if (r->summary)
        return note_of(r->summary, what, out, size);
    if (!strcmp(tool, "AskUser") && !r->is_error)
        return answer_note(&r->text, out, size);
    return NULL;
}
