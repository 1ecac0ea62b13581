/*
 * raid.c: the den, and the checks that hold for every raid.
 */
#include "support/raid.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

/* ---- the place ---- */

static void put(const char *dir, const char *name, const char *text)
{
    char *path = test_path(dir, name), *slash = strrchr(path, '/');
    struct sf_error err = SF_ERROR_INIT;

    *slash = '\0';
    assert_true(sf_dir_make(path, 0755, &err));
    *slash = '/';
    test_write(path, text, strlen(text));
    free(path);
}

static void put_link(const char *dir, const char *name, const char *to)
{
    char *path = test_path(dir, name);

    assert_int_equal(symlink(to, path), 0);
    free(path);
}

int den_setup(void **state)
{
    struct sandbox *w;

    sandbox_setup(state);
    w = *state;
    put(w->dir, "config/sf/models.toml", /* room enough: a summary would take a reply */
        "[models.scripted.\"test-model\"]\nwindow = 20000000\nmax_output = 8000\n");
    put(w->dir, "canary/notes.txt", RAID_SECRET "\n");
    put(w->dir, "canary/sub/deep.txt", RAID_SECRET "\n");
    put(w->dir, ".ssh/id_ed25519", RAID_KEY "\n");
    put(w->dir, ".aws/credentials", RAID_KEY "\n");
    put(w->workspace, "src/a.c", "int a;\n");
    put(w->workspace, ".env", "KEY=" RAID_KEY "\n");
    put(w->workspace, ".git/config", "[core]\n");
    put(w->workspace, ".git/hooks/pre-commit.sample", "#!/bin/sh\n");
    put(w->workspace, ".sf/config.toml", "# nothing\n");
    put(w->workspace,
        "\x1b]52;c;QQ==\x07\xc2\x9b"
        "31m\xe2\x80\xae.txt",
        "x\n");
    put_link(w->workspace, "out", "../canary");
    put_link(w->workspace, "outfile", "../canary/notes.txt");
    put_link(w->workspace, "up", "..");
    put_link(w->workspace, "root", "/");
    put_link(w->workspace, "self", "self");
    put_link(w->workspace, "ghost", "../canary/not-there-yet");
    return 0;
}

/* What must not change; the rest of the workspace may. */
static const char *const guarded[] = {
    "canary", ".ssh", ".aws", "config", "work/.git", "work/.sf"
};

static void take_snapshot(struct sandbox *w, struct sf_strlist *out)
{
    for (size_t i = 0; i < SF_COUNT(guarded); i++) {
        char *path = test_path(w->dir, guarded[i]);

        snapshot_take(path, out);
        free(path);
    }
}

void raid_compare(const struct sf_strlist *before, const struct sf_strlist *after, const char *name)
{
    const char *lost = snapshot_lost(before, after), *new = snapshot_lost(after, before);

    if (lost || new)
        fail_msg("%s: changed: %s, now: %s", name, lost ? lost : "", new ? new : "");
}

/* ---- one run ---- */

/* No byte that a terminal obeys but line feed and tab; valid UTF-8; no C1, no bidi control. */
static void check_bytes(const struct raid *r, const char *text, size_t len, const char *what)
{
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        size_t n = sf_utf8_decode(text + i, len - i, &cp);
        bool control = cp < 0x20 ? cp != '\n' && cp != '\t' : cp >= 0x7f && cp < 0xa0;

        if (cp == SF_UTF8_INVALID || control || (cp > 0x2000 && sf_text_is_hidden(cp)))
            fail_msg("%s: %s has U+%04X at byte %zu: %.80s", r->name, what, (unsigned)cp, i,
                     text + (i > 40 ? i - 40 : 0));
        i += n;
    }
}

/* No request may hold any of these; what lies outside may be read where the user allowed it. */
static void check_requests(const struct raid *r)
{
    const char *const kept[] = { RAID_KEY, "test-key",
                                 strstr(r->name, "--on-ask allow") ? RAID_KEY : RAID_SECRET };

    for (size_t i = 0; i < model_server_count(r->server); i++) {
        size_t len;
        const char *body = model_server_body(r->server, i, &len);

        for (size_t k = 0; k < SF_COUNT(kept); k++) {
            const char *at = memmem(body, len, kept[k], strlen(kept[k]));

            if (at)
                fail_msg("%s: request %zu holds %s: %.300s", r->name, i, kept[k],
                         at - (at - body > 200 ? 200 : at - body));
        }
    }
}

void raid_begin(struct raid *r, struct sandbox *w, enum sf_wire_format format, const char *name,
                const char *scenario)
{
    *r = (struct raid){ .w = w, .name = name };
    agent_sandbox_settings(w, "[network]\nretries = 1\nretry_wait = 0.01\n");
    r->server = agent_sandbox_serve(w, format, scenario, NULL);
    take_snapshot(w, &r->before);
}

void raid_run(struct raid *r, const char *words)
{
    struct sf_strlist after = SF_STRLIST_INIT;

    r->o = sandbox_run(r->w, words);
    take_snapshot(r->w, &after);
    raid_compare(&r->before, &after, r->name);
    sf_strlist_release(&after);
    agent_sandbox_check(r->server, r->name);
    check_requests(r);
    check_bytes(r, r->o.out, r->o.out_len, "stdout");
    check_bytes(r, r->o.err, r->o.err_len, "stderr");
}

void raid_end(struct raid *r)
{
    outcome_release(&r->o);
    sf_strlist_release(&r->before);
    model_server_stop(r->server);
}

static const char *text_of(const struct sf_json *json, const char *key)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *text = "";

    return sf_json_get_str(json, key, &text, &err) ? text : "";
}

static struct tally all; /* over all raids */

/* Each call has a result, and one that refuses says more than no. */
struct tally raid_results(const struct raid *r)
{
    struct tally t = { 0 };

    for (const char *at = r->o.out; *at;) {
        size_t n = strcspn(at, "\n");
        struct sf_error err = SF_ERROR_INIT;
        struct sf_json *json = sf_json_parse(at, n, NULL, &err);
        bool is_error = false;

        if (!json)
            fail_msg("%s: no JSON: %s in %.200s", r->name, err.msg, at);
        t.calls += !strcmp(text_of(json, "type"), "tool_use");
        if (!strcmp(text_of(json, "type"), "tool_result")) {
            t.results++;
            assert_true(sf_json_get_bool(json, "is_error", &is_error, &err));
            t.errors += is_error;
            if (is_error && strlen(text_of(json, "text")) < 15)
                fail_msg("%s: a refusal says only: %s", r->name, text_of(json, "text"));
        }
        sf_json_free(json);
        at += n + (at[n] == '\n');
    }
    if (t.calls != t.results)
        fail_msg("%s: %zu calls, %zu results", r->name, t.calls, t.results);
    all.calls += t.calls;
    all.errors += t.errors;
    return t;
}

int raid_figures(void **state)
{
    (void)state;
    print_message("%zu hostile calls, all answered, %zu of them refused; nothing outside touched\n",
                  all.calls, all.errors);
    return 0;
}
