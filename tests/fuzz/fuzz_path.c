/*
 * Any path over a small real tree full of links. What is said to be inside must be beneath the
 * root in the kernel's own words; noise in the spelling must not change the answer; the guard
 * must never allow what is outside. Nothing is written.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "guard/guard.h"
#include "io/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char top[] = "/tmp/sf-fuzz-path-XXXXXX";
static struct sf_place_root root;

static void must(bool ok)
{
    if (!ok)
        abort();
}

/* "d NAME", "f NAME" or "l NAME TARGET", from the top; "@" in a target is the top. */
static const char *const tree[] = {
    "d ws",         "d ws/a",          "d ws/a/b",         "d ws/.git",
    "d ws/.sf",     "d out",           "d out/a",          "d ws-evil",
    "f ws/x",       "f ws/a/x",        "f out/x",          "f out/a/x",
    "f ws/HEAD",    "l ws/up ..",      "l ws/l a/b",       "l ws/a/r ../..",
    "l ws/o @/out", "l ws/abs @/ws/a", "l ws/n @/out/new", "l ws/m new/y",
    "l ws/i i",     "l ws/j k",        "l ws/k j/x",       "l ws/p /proc/self/root",
    "l ws/t /",     "l ws/s a/b/",     "l out/w @/ws",     "l out/g ../ws/.git",
    "l ws/h .git",  "l ws/dot .",
};

static void build_one(const char *item)
{
    char name[256], target[256];
    const char *space = strchr(item + 2, ' ');
    int n = space ? (int)(space - item - 2) : (int)strlen(item + 2);

    snprintf(name, sizeof(name), "%s/%.*s", top, n, item + 2);
    snprintf(target, sizeof(target), "%s%s", space && space[1] == '@' ? top : "",
             space ? space + 1 + (space[1] == '@') : "");
    if (item[0] == 'd')
        must(mkdir(name, 0700) == 0);
    else if (item[0] == 'l')
        must(symlink(target, name) == 0);
    else
        must(fclose(fopen(name, "we")) == 0);
}

static void clean(void)
{
    char name[256];

    for (size_t i = SF_COUNT(tree); i > 0; i--) {
        const char *from = tree[i - 1] + 2;

        snprintf(name, sizeof(name), "%s/%.*s", top, (int)strcspn(from, " "), from);
        remove(name);
    }
    rmdir(top);
    sf_place_root_close(&root);
}

static void build(void)
{
    struct sf_error err = SF_ERROR_INIT;
    char ws[64];

    must(mkdtemp(top) != NULL);
    for (size_t i = 0; i < SF_COUNT(tree); i++)
        build_one(tree[i]);
    snprintf(ws, sizeof(ws), "%s/ws", top);
    must(sf_place_root_open(&root, ws, &err));
    atexit(clean);
}

/* Mostly words that mean something here; bytes as they are when the input begins with '='. */
static void compose(struct sf_strbuf *out, const uint8_t *data, size_t size)
{
    static const char *const words[] = {
        "a",   "b",  "x",    "up",  "l", "r", "o", "abs",  "n",     "m",       "i",     "j",
        "k",   "p",  "t",    "s",   "w", "g", "h", "dot",  "new",   ".git",    ".GIT.", ".sf",
        "out", "ws", "HEAD", "..a", ".", "~", " ", "refs", "plans", "objects", ".env",  "git~1",
    };

    if (size && data[0] == '=') {
        sf_strbuf_add(out, data + 1, size - 1);
        return;
    }
    for (size_t i = 0; i < size && out->len < 600; i++) {
        unsigned what = data[i] % 64;

        if (what < SF_COUNT(words))
            sf_strbuf_adds(out, words[what]);
        else if (what < 52)
            sf_strbuf_adds(out, "..");
        else if (what == 52 && !out->len)
            sf_strbuf_adds(out, top);
        if (what < 62)
            sf_strbuf_addch(out, '/');
    }
    if (out->len > 1 && size % 4)
        sf_strbuf_truncate(out, out->len - 1);
}

static bool beneath(const char *path)
{
    size_t n = strlen(root.path);

    return !strncmp(path, root.path, n) && (!path[n] || path[n] == '/');
}

/* The held directory, as realpath() and as the kernel name it. */
static void check_real(const struct sf_place *place)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    char link[64], text[4096];
    char *real;
    ssize_t n;

    if (place->inside)
        sf_strbuf_addf(&sb, "%s/", root.path);
    sf_strbuf_add(&sb, place->real, place->dir_len);
    real = realpath(sb.buf, NULL);
    snprintf(link, sizeof(link), "/proc/self/fd/%d", place->dir);
    n = readlink(link, text, sizeof(text) - 1);
    must(real && n > 0);
    text[n] = '\0';
    must(!strcmp(real, text) && beneath(real) == place->inside);
    must(!place->inside || !place->real[0] || sf_scope_path_ok(place->real, strlen(place->real)));
    free(real);
    sf_strbuf_release(&sb);
}

static void check_guard(const struct sf_place *place)
{
    static const char *const everything[] = { "*", NULL };
    const struct sf_scope scope = { "free", everything, "" };
    const struct sf_path_places places = { .root = root.path, .home = top };
    const struct sf_path_found found = {
        .real = place->real,
        .inside = place->inside,
        .via = (const char *const *)place->via.items,
        .via_count = place->via.count,
        .git_dir = place->git_dir,
        .links = place->st.st_nlink,
    };
    struct sf_path_facts facts = sf_path_classify(&found, &places);
    const struct sf_action_path path = { .path = place->real,
                                         .zone = facts.zone,
                                         .writes = true,
                                         .rule = facts.rule ? facts.rule->name : "",
                                         .reason = facts.rule ? facts.rule->what : "" };
    const struct sf_action action = {
        .tool = "Write", .act = SF_ACT_WRITE, .paths = &path, .path_count = 1
    };
    const struct sf_policy policy = { .approval = SF_APPROVAL_SUGGEST, .scope = &scope };
    struct sf_mode_state state;
    struct sf_verdict verdict;

    sf_mode_state_init(&state, SF_SURFACE_TUI);
    state.work = SF_WORK_REPAIR;
    state.control = SF_RUN_AUTONOMOUS;
    state.profile = SF_PROFILE_TRUSTED;
    sf_guard_verdict(&action, &state, &policy, &verdict);
    must(verdict.answer != SF_ALLOW || place->inside);
    must(verdict.answer != SF_ALLOW ||
         (strncmp(place->real, ".git/", 5) != 0 && !strstr(place->real, "/.git/")));
    must(verdict.answer == SF_ALLOW || verdict.reason[0]);
}

/* "a/b" as "./a//b" or, behind the root's name, absolute. */
static void check_noise(const struct sf_place *place, const struct sf_strbuf *path)
{
    struct sf_place again = SF_PLACE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf noisy = SF_STRBUF_INIT;

    sf_strbuf_adds(&noisy, path->buf[0] == '/' ? "/./" : "./a/../");
    for (size_t i = 0; i < path->len; i++)
        sf_strbuf_adds(&noisy, path->buf[i] == '/' ? "/./" : (char[2]){ path->buf[i], '\0' });
    if (path->buf[path->len - 1] != '/' && noisy.len <= SF_PLACE_PATH_MAX) {
        must(sf_place_resolve(&root, noisy.buf, noisy.len, SF_WANT_ANY, &again, &err));
        must(again.inside == place->inside && !strcmp(again.real, place->real));
        sf_place_release(&again);
    }
    sf_strbuf_release(&noisy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf path = SF_STRBUF_INIT;

    if (!root.path)
        build();
    compose(&path, data, size);
    if (sf_place_resolve(&root, path.buf, path.len, SF_WANT_ANY, &place, &err)) {
        check_real(&place);
        check_guard(&place);
        check_noise(&place, &path);
    } else {
        must(err.code != SF_E_NONE && err.msg[0] && place.dir == -1);
    }
    sf_place_release(&place);
    sf_strbuf_release(&path);
    return 0;
}
