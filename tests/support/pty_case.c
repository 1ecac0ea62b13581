/*
 * pty_case.c: the sandbox, the model and the terminal, in the order somebody would meet them.
 */
#include "support/pty_case.h"

#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

enum { ROWS = 30, COLS = 100, REQUEST_MS = VT_PATIENCE_MS, WORDS = 16 };

int pty_case_setup(void **state)
{
    struct pty_case *s = sf_alloc(sizeof(*s));
    void *sandbox;

    *s = (struct pty_case){ .rows = ROWS, .cols = COLS, .screen = SF_STRBUF_INIT };
    sandbox_setup(&sandbox);
    s->sandbox = sandbox;
    agent_sandbox_settings(s->sandbox, NULL);
    sandbox_setenv(s->sandbox, "TERM", "xterm-256color");
    sandbox_setenv(s->sandbox, "LANG", "C.UTF-8");
    *state = s;
    return 0;
}

int pty_case_teardown(void **state)
{
    struct pty_case *s = *state;
    void *sandbox = s->sandbox;

    vt_close(s->vt);
    model_server_stop(s->server);
    sandbox_teardown(&sandbox);
    sf_strbuf_release(&s->screen);
    free(s);
    return 0;
}

void pty_case_serve(struct pty_case *s, const char *scenario)
{
    s->server = agent_sandbox_serve(s->sandbox, SF_WIRE_ANTHROPIC, scenario, NULL);
}

void pty_case_large_window(struct pty_case *s)
{
    static const char text[] =
        "[models.scripted.\"test-model\"]\nwindow = 20000000\nmax_output = 8000\n";
    char *path = test_path(s->sandbox->dir, "config/sf/models.toml");

    test_write(path, text, sizeof(text) - 1);
    free(path);
}

struct vt *pty_case_run(struct pty_case *s, const char *const *argv)
{
    vt_close(s->vt);
    s->vt = vt_open(argv, (const char *const *)s->sandbox->env.items, s->sandbox->workspace,
                    s->rows, s->cols);
    return s->vt;
}

struct vt *pty_case_begin(struct pty_case *s, const char *words)
{
    const char *argv[WORDS] = { SF_PROGRAM };
    char *copy = sf_strdup(words ? words : ""), *at = copy;

    for (size_t n = 1; n + 1 < WORDS && *at; n++) {
        argv[n] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    pty_case_run(s, argv);
    free(copy);
    vt_wait_text(s->vt, "SF ");
    vt_wait_quiet(s->vt);
    return s->vt;
}

int pty_case_leave(struct pty_case *s)
{
    vt_type(s->vt, "\003");
    vt_wait_quiet(s->vt);
    vt_type(s->vt, "\003\003");
    return vt_wait_exit(s->vt);
}

void pty_case_distrust(struct pty_case *s)
{
    vt_wait_text(s->vt, "Do you trust");
    vt_wait_text(s->vt, "waiting for you");
    vt_type(s->vt, "n");
    vt_wait_no_text(s->vt, "Do you trust");
}

void pty_case_type(struct pty_case *s, const char *keys, const char *then)
{
    vt_type(s->vt, keys);
    vt_wait_text(s->vt, then);
}

static bool waited(struct vt *vt, const void *ctx)
{
    static const char words[] = "waiting for you 0:";
    char *text = vt_text(vt);
    const char *clock = strstr(text, words);
    bool is = clock && strtol(clock + sizeof(words) - 1, NULL, 10) >= *(const int *)ctx;

    free(text);
    return is;
}

void pty_case_wait_card(struct vt *vt, int seconds)
{
    vt_wait(vt, waited, &seconds, "a card that takes keys");
}

bool pty_case_sees(struct pty_case *s, const char *text)
{
    char *screen = vt_text(s->vt);
    bool found = strstr(screen, text) != NULL;

    free(screen);
    return found;
}

void pty_case_lacks(struct pty_case *s, const char *text)
{
    vt_wait_still(s->vt);
    if (pty_case_sees(s, text))
        fail_msg("'%s' is on the screen", text);
}

static bool is_screen(struct vt *vt, const void *ctx)
{
    const struct sf_strbuf *want = ctx;
    struct sf_strbuf now = SF_STRBUF_INIT;
    bool same;

    vt_dump(vt, &now);
    same = !strcmp(now.buf, want->buf);
    sf_strbuf_release(&now);
    return same;
}

void pty_case_wait_screen(struct pty_case *s, const struct sf_strbuf *dump)
{
    vt_wait(s->vt, is_screen, dump, dump->buf);
}

const char *pty_case_request(struct pty_case *s, size_t i, size_t *len)
{
    if (!model_server_wait(s->server, i + 1, REQUEST_MS))
        fail_msg("request %zu never came", i);
    return model_server_body(s->server, i, len);
}

struct kept {
    const char *pattern, *words;
};

/* There may be several: each session has its own. */
static bool is_kept(struct vt *vt, const void *ctx)
{
    const struct kept *k = ctx;
    bool found = false;
    glob_t paths;

    (void)vt;
    if (glob(k->pattern, 0, NULL, &paths) != 0)
        return false;
    for (size_t i = 0; i < paths.gl_pathc && !found; i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;

        found = sf_file_read(paths.gl_pathv[i], 1 << 20, &text, &err) && strstr(text.buf, k->words);
        sf_strbuf_release(&text);
    }
    globfree(&paths);
    return found;
}

void pty_case_wait_draft(struct pty_case *s, const char *words)
{
    char *pattern = test_path(s->sandbox->state, "*/*/drafts/*");
    const struct kept kept = { pattern, words };

    vt_wait_until(s->vt, is_kept, &kept, "a draft that is kept");
    free(pattern);
}

void pty_case_file(struct pty_case *s, const char *name, const char *text)
{
    agent_sandbox_file(s->sandbox, name, text);
}

void pty_case_expect_restored(struct vt *vt, const char *name)
{
    const struct vt_modes *modes = vt_modes(vt);
    int rows, cols;

    vt_size(vt, &rows, &cols);
    if (!vt_is_cooked(vt) || modes->alternate || modes->paste || modes->focus || modes->sync ||
        modes->mouse || modes->mouse_sgr || modes->kitty || modes->other_keys || !modes->cursor ||
        (modes->bottom && modes->bottom != rows))
        fail_msg("%s: cooked %d, alternate %d, paste %d, focus %d, sync %d, mouse %d %d, kitty %d, "
                 "other keys %d, cursor %d, margin %d",
                 name, vt_is_cooked(vt), modes->alternate, modes->paste, modes->focus, modes->sync,
                 modes->mouse, modes->mouse_sgr, modes->kitty, modes->other_keys, modes->cursor,
                 modes->bottom);
}
