/*
 * cmd_sessions.c: sf sessions: lists, searches, renames, archives, deletes, exports and imports the
 * conversations of this project. Nothing is deleted without a question.
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"

enum { SHORT_ID = 10, TITLE_COLUMNS = 44, HITS = 50 };

/* ---- rows ---- */

struct rows {
    struct sf_arena arena;
    struct sf_session_row *items;
    size_t count, cap;
    bool all, passed_over;
};

static bool keep_row(const struct sf_session_row *row, void *ctx)
{
    struct rows *r = ctx;
    struct sf_session_row *to;

    if (row->agent)
        return true;
    if ((*row->archived_at || row->blank) && !r->all) {
        r->passed_over = true;
        return true;
    }
    r->items = sf_grow(r->items, &r->cap, r->count + 1, sizeof(*r->items));
    to = &r->items[r->count++];
    *to = *row;
    to->id = sf_arena_strndup(&r->arena, row->id, strlen(row->id));
    to->title = sf_arena_strndup(&r->arena, row->title, strlen(row->title));
    to->model = sf_arena_strndup(&r->arena, row->model, strlen(row->model));
    to->provider = sf_arena_strndup(&r->arena, row->provider, strlen(row->provider));
    to->parent_id = sf_arena_strndup(&r->arena, row->parent_id, strlen(row->parent_id));
    to->created_at = sf_arena_strndup(&r->arena, row->created_at, strlen(row->created_at));
    to->updated_at = sf_arena_strndup(&r->arena, row->updated_at, strlen(row->updated_at));
    to->archived_at = sf_arena_strndup(&r->arena, row->archived_at, strlen(row->archived_at));
    return true;
}

static void write_row(struct sf_json_writer *w, const struct sf_session_row *row,
                      const struct sf_session_tally *tally)
{
    sf_jw_key_str(w, "id", row->id);
    sf_jw_key_str(w, "title", row->title);
    sf_jw_key_str(w, "provider", row->provider);
    sf_jw_key_str(w, "model", row->model);
    sf_jw_key_str(w, "created_at", row->created_at);
    sf_jw_key_str(w, "updated_at", row->updated_at);
    sf_jw_key_bool(w, "archived", *row->archived_at != '\0');
    if (*row->parent_id) {
        sf_jw_key_str(w, "parent", row->parent_id);
        sf_jw_key_int(w, "forked_at", row->forked_at_seq);
    }
    sf_jw_key_int(w, "turns", tally->turns);
    sf_jw_key_int(w, "forks", tally->forks);
    sf_jw_key_int(w, "tokens_in", tally->tokens_in);
    sf_jw_key_int(w, "tokens_out", tally->tokens_out);
    sf_jw_key_int(w, "cost_micro_usd", tally->cost_micro_usd);
    sf_jw_key_bool(w, "cost_known", tally->cost_known);
}

static void add_cost(struct sf_strbuf *out, const struct sf_session_tally *tally)
{
    sf_strbuf_addf(out, "$%.2f%s", (double)tally->cost_micro_usd / 1e6,
                   tally->cost_known ? "" : "?");
}

static void add_title(struct sf_strbuf *out, const char *title, size_t columns)
{
    struct sf_strbuf one = SF_STRBUF_INIT;
    size_t used;

    if (!*title)
        title = "(nothing said yet)";
    sf_text_sanitize(&one, title, strlen(title), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&one, sf_text_fit(one.buf, one.len, columns, &used));
    sf_strbuf_addf(out, "%s%*s", one.buf, (int)(columns - used), "");
    sf_strbuf_release(&one);
}

static void add_row(struct sf_strbuf *out, const struct sf_session_row *row,
                    const struct sf_session_tally *tally)
{
    char when[SF_CLOCK_MAX];

    sf_clock_local(when, row->updated_at);
    sf_strbuf_addf(out, "%-*.*s  %.16s  ", SHORT_ID, SHORT_ID, row->id, when);
    add_title(out, row->title, TITLE_COLUMNS);
    sf_strbuf_addf(out, "  %-16.16s  %3" PRId64 " %s  ", row->model, tally->turns,
                   tally->turns == 1 ? "turn " : "turns");
    add_cost(out, tally);
    if (*row->parent_id)
        sf_strbuf_addf(out, "  fork of %.*s", SHORT_ID, row->parent_id);
    if (*row->archived_at)
        sf_strbuf_adds(out, "  archived");
    sf_strbuf_addch(out, '\n');
}

static void add_either(struct sf_strbuf *out, const struct sf_session_row *row,
                       const struct sf_session_tally *tally, bool json)
{
    struct sf_json_writer w;

    if (!json) {
        add_row(out, row, tally);
        return;
    }
    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    write_row(&w, row, tally);
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

int sf_cmd_sessions_list(struct sf_invocation *inv)
{
    struct rows rows = { .arena = SF_ARENA_INIT, .all = sf_cli_get(inv, "all") != NULL };
    bool json = sf_cli_get(inv, "json") != NULL;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_app_store(inv->app, &err);
    bool ok = store && sf_store_each_session(store, keep_row, &rows, &err);

    for (size_t i = 0; ok && i < rows.count; i++) {
        struct sf_session_tally tally;

        ok = sf_store_session_tally(store, rows.items[i].id, &tally, &err);
        if (ok)
            add_either(&out, &rows.items[i], &tally, json);
    }
    if (ok && !rows.count && !json)
        sf_strbuf_adds(&out, rows.passed_over
                                 ? "There are no sessions of this project but archived or "
                                   "empty ones: --all lists them.\n"
                                 : "There are no sessions of this project yet.\n");
    if (ok)
        sf_print(&out);
    sf_strbuf_release(&out);
    sf_arena_release(&rows.arena);
    free(rows.items);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

/* ---- one of them ---- */

struct one {
    struct sf_store *store;
    struct sf_arena arena;
    struct sf_session_row row;
};

static bool open_one(struct one *one, struct sf_invocation *inv, struct sf_error *err)
{
    const char *named = inv->arg_count ? inv->args[0] : "latest";
    char id[SF_ID_LEN + 1];

    one->arena = (struct sf_arena)SF_ARENA_INIT;
    one->store = sf_app_store(inv->app, err);
    return one->store && sf_app_find_session(one->store, named, id, err) &&
           sf_store_session_get(one->store, id, &one->arena, &one->row, err);
}

static void write_said(struct sf_json_writer *w, const struct sf_prompt_list *list)
{
    sf_jw_key(w, "prompts");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < list->count; i++) {
        const struct sf_prompt_entry *said = &list->items[i];

        sf_jw_object_begin(w);
        sf_jw_key_int(w, "number", (int64_t)(list->dropped + i + 1));
        sf_jw_key_int(w, "seq", said->seq);
        sf_jw_key_str(w, "time", said->time);
        sf_jw_key_str(w, "text", said->text);
        sf_jw_key_int(w, "files", said->files);
        sf_jw_key_int(w, "plus", said->plus);
        sf_jw_key_int(w, "minus", said->minus);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

static void add_said(struct sf_strbuf *out, const struct sf_prompt_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct sf_prompt_entry *said = &list->items[i];
        char when[SF_CLOCK_MAX];

        sf_clock_local(when, said->time);
        sf_strbuf_addf(out, "%5zu  %.16s  ", list->dropped + i + 1, when);
        add_title(out, said->text, TITLE_COLUMNS);
        if (said->files)
            sf_strbuf_addf(out, "  %" PRId64 " %s +%" PRId64 " −%" PRId64, said->files,
                           said->files == 1 ? "file" : "files", said->plus, said->minus);
        sf_strbuf_addch(out, '\n');
    }
}

int sf_cmd_sessions_show(struct sf_invocation *inv)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct sf_session_tally tally;
    struct sf_json_writer w;
    struct one one;
    bool ok = open_one(&one, inv, &err) && workspace &&
              sf_store_session_tally(one.store, one.row.id, &tally, &err) &&
              sf_prompt_list_read(&list, one.store, one.row.id, workspace->root, &err);

    if (ok && sf_cli_get(inv, "json")) {
        sf_jw_init(&w, &out);
        sf_jw_object_begin(&w);
        write_row(&w, &one.row, &tally);
        write_said(&w, &list);
        sf_jw_object_end(&w);
        sf_strbuf_addch(&out, '\n');
    } else if (ok) {
        sf_strbuf_addf(&out, "%s\n", one.row.id);
        add_row(&out, &one.row, &tally);
        add_said(&out, &list);
    }
    if (ok)
        sf_print(&out);
    sf_strbuf_release(&out);
    sf_prompt_list_release(&list);
    sf_arena_release(&one.arena);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

int sf_cmd_sessions_rename(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct one one;
    bool ok = open_one(&one, inv, &err) && sf_title_set(one.store, one.row.id, inv->args[1], &err);

    sf_arena_release(&one.arena);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

int sf_cmd_sessions_archive(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct one one;
    bool ok = open_one(&one, inv, &err) &&
              sf_store_session_archive(one.store, one.row.id, !sf_cli_get(inv, "undo"), &err);

    sf_arena_release(&one.arena);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

/* ---- deleting ---- */

static bool confirm(const struct one *one, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char line[16] = "";

    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        sf_fail(err, SF_E_DENIED, "there is no terminal to ask on");
        return sf_hint(err, "add --yes to delete session %s for good", one->row.id);
    }
    add_title(&text, one->row.title, TITLE_COLUMNS);
    fprintf(stderr, "Delete %s %s for good? [y/N] ", one->row.id, text.buf);
    sf_strbuf_release(&text);
    if (fgets(line, sizeof(line), stdin) && (line[0] == 'y' || line[0] == 'Y'))
        return true;
    return sf_fail(err, SF_E_CANCELLED, "nothing was deleted");
}

static bool record(struct sf_invocation *inv, const char *kind, const char *id,
                   struct sf_error *err)
{
    const struct sf_record_text texts[] = { { "session", id }, { NULL, NULL } };

    return sf_app_record(inv->app, kind, texts, err);
}

int sf_cmd_sessions_delete(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *dir = sf_app_state_dir(inv->app, &err);
    struct one one;
    bool ok = open_one(&one, inv, &err) && dir && (sf_cli_get(inv, "yes") || confirm(&one, &err)) &&
              sf_discard_session(one.store, dir, one.row.id, &err) &&
              record(inv, SF_LOG_SESSION_DELETED, one.row.id, &err);

    sf_arena_release(&one.arena);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

/* ---- in numbers ---- */

int sf_cmd_sessions_report(struct sf_invocation *inv)
{
    const char *path = sf_cli_get(inv, "save");
    struct sf_session_report report = { .id = NULL };
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const char *dir = sf_app_state_dir(inv->app, &err);
    struct one one;
    bool ok = open_one(&one, inv, &err) && dir &&
              sf_report_read(&report, one.store, dir, one.row.id, &err);

    if (ok) {
        (sf_cli_get(inv, "json") ? sf_report_json : sf_report_markdown)(&report, &out);
        ok = !path || sf_export_text(path, &out, &err);
    }
    if (ok && !path)
        sf_print(&out);
    sf_report_release(&report);
    sf_strbuf_release(&out);
    sf_arena_release(&one.arena);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

/* ---- search ---- */

struct hits {
    struct sf_strbuf out;
    bool json;
};

static bool add_hit(const struct sf_search_hit *hit, void *ctx)
{
    struct hits *h = ctx;
    struct sf_json_writer w;

    if (h->json) {
        sf_jw_init(&w, &h->out);
        sf_jw_object_begin(&w);
        sf_jw_key_str(&w, "session", hit->session);
        sf_jw_key_str(&w, "title", hit->title);
        sf_jw_key_str(&w, "time", hit->time);
        sf_jw_key_str(&w, "kind", *hit->kind ? hit->kind : "title");
        sf_jw_key_int(&w, "seq", hit->seq);
        sf_jw_key_str(&w, "text", hit->text);
        sf_jw_object_end(&w);
    } else {
        char when[SF_CLOCK_MAX];

        sf_clock_local(when, hit->time);
        sf_strbuf_addf(&h->out, "%.*s  %.16s  %-9s  ", SHORT_ID, hit->session, when,
                       *hit->kind ? hit->kind : "title");
        sf_text_sanitize(&h->out, hit->text, strlen(hit->text), SF_TEXT_ONE_LINE);
    }
    sf_strbuf_addch(&h->out, '\n');
    return true;
}

int sf_cmd_sessions_search(struct sf_invocation *inv)
{
    struct hits h = { .out = SF_STRBUF_INIT, .json = sf_cli_get(inv, "json") != NULL };
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_app_store(inv->app, &err);
    bool ok;

    for (size_t i = 0; i < inv->arg_count; i++)
        sf_strbuf_addf(&words, "%s%s", i ? " " : "", inv->args[i]);
    ok = store && sf_store_search(store, words.buf, HITS, add_hit, &h, &err);
    if (ok)
        sf_print(&h.out);
    sf_strbuf_release(&words);
    ok = ok && (h.out.len || h.json || sf_fail(&err, SF_E_IO, "no matches"));
    sf_strbuf_release(&h.out);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

/* ---- elsewhere and back ---- */

static bool to_stdout(void *ctx, const char *text, size_t len, struct sf_error *err)
{
    (void)ctx;
    return fwrite(text, 1, len, stdout) == len || sf_fail_errno(err, "cannot write it");
}

int sf_cmd_sessions_export(struct sf_invocation *inv)
{
    const char *format = sf_cli_get(inv, "format"), *path = sf_cli_get(inv, "output");
    struct sf_error err = SF_ERROR_INIT;
    struct sf_export how = { .sink = to_stdout };
    struct one one;
    bool ok = open_one(&one, inv, &err);

    if (!format)
        format = sf_cli_get(inv, "json") ? "json" : path ? sf_export_format_of(path) : NULL;
    how.format = format ? format : sf_export_names[0];
    how.store = one.store;
    how.session = ok ? one.row.id : "";
    ok = ok && (path ? sf_export_file(&how, path, &err) : sf_export_run(&how, &err));
    sf_arena_release(&one.arena);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

int sf_cmd_sessions_import(struct sf_invocation *inv)
{
    struct sf_strbuf text = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct sf_store *store = workspace ? sf_app_store(inv->app, &err) : NULL;
    struct sf_import how = { .store = store, .surface = "headless" };
    char id[SF_ID_LEN + 1];
    size_t passed_over = 0;
    bool ok = store && sf_file_read(inv->args[0], SF_IMPORT_BYTES_MAX, &text, &err);

    if (ok) {
        how.project = workspace->project;
        how.text = text.buf;
        how.len = text.len;
        ok = sf_import_run(&how, id, &passed_over, &err);
        if (!ok)
            sf_error_prefix(&err, "%s: ", inv->args[0]);
    }
    ok = ok && record(inv, SF_LOG_SESSION_IMPORTED, id, &err);
    if (ok) {
        sf_strbuf_addf(&out, "%s\n", id);
        sf_print(&out);
    }
    sf_strbuf_release(&out);
    sf_strbuf_release(&text);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}
