/*
 * screen_case.c: the sandbox of the golden screens and the steps through it.
 */
#include "support/screen_case.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/tree.h"
#include "support/vt.h"

enum { ROWS = 24, COLS = 80, ARGS_MAX = 16 };

struct screen_fixture {
    struct sandbox *sandbox;
    struct model_server *server;
    struct vt *vt;
};

static const struct {
    unsigned bit;
    int rows, cols;
} sizes[] = {
    { AT_19, 5, 19 },    { AT_20, 6, 20 },    { AT_40, 12, 40 },   { AT_79, 24, 79 },
    { AT_80, 24, 80 },   { AT_120, 40, 120 }, { AT_200, 50, 200 }, { AT_10, 10, 40 },
    { AT_129, 40, 129 }, { AT_130, 40, 130 }, { AT_160, 45, 160 },
};

static const struct vt_mask masks[] = {
    { "127\\.0\\.0\\.1:[0-9]{5}", "127.0.0.1:#####" },
    { "[0-9]{4}-[0-9]{2}-[0-9]{2}", "####-##-##" },
    { "[0-9]{2}:[0-9]{2}(:[0-9]{2})?", "##:##:##" },
    { "in [0-9]+\\.[0-9] s", "in #.# s" },
    { " +[0-9]+ ms$", "# ms" }, /* how long a call took, or takes */
    { " +[0-9]+\\.[0-9] s$", "# ms" },
    { "  +[0-9]+:[0-9][0-9]$", "# ms" },
    { " +[0-9]+ ms +│", "# ms │" }, /* likewise, beside the sidebar */
    { " +[0-9]+\\.[0-9] s +│", "# ms │" },
    { "  +[0-9]+:[0-9][0-9] +│", "# ms │" },
    { "about \\+", "+" }, /* files are compared meanwhile */
    { "[0-9]+ s of ", "# s of " },
    { "[0-9] of this session", "# of this session" }, /* the last snapshot is taken meanwhile */
    { "[0-9]:[0-9][0-9]", "#:##" },
    { "/tmp/sf\\.[a-z0-9]", "/tmp/sf.#" },
    { "demo-[0-9a-f]{4,16}", "demo-################" },
    { "01[0-9a-hj-km-np-tv-z]{6,24}", "##########################" },
    { NULL, NULL },
};

/* A run's own lines begin in [ui]. */
static const char calm[] =
    "[guard]\ncage = \"off\"\ndeny = [\"git push\"]\n[ui]\nlow_motion = true\n";

static const char prices[] = "[models.scripted.\"test-model\"]\nwindow = 100_000\n"
                             "price_input = 2.0\nprice_output = 10.0\nprice_cache_read = 1.0\n"
                             "price_cache_write = 1.0\n";

/* ---- the sandbox ---- */

static void write_files(struct sandbox *w)
{
    agent_sandbox_file(w, ".git/HEAD", "ref: refs/heads/main\n");
    agent_sandbox_file(w, "README.md", "# demo\n\nA small library of ranges.\n");
    agent_sandbox_file(
        w, "src/range.c",
        "#include \"range.h\"\n\nint range_sum(int lo, int hi)\n{\n    int sum = 0;\n\n"
        "    for (int i = lo; i < hi; i++)\n        sum += i;\n    return sum;\n}\n");
    agent_sandbox_file(w, "src/range.h", "int range_sum(int lo, int hi);\n");
    agent_sandbox_file(w, "tests/test_range.c", "#include \"range.h\"\n\n/* TODO: cover it */\n");
}

int screen_setup(void **state)
{
    struct screen_fixture *f = sf_alloc(sizeof(*f));
    void *sandbox = NULL;

    sandbox_setup_demo(&sandbox);
    f->sandbox = sandbox;
    write_files(f->sandbox);
    sandbox_setenv(f->sandbox, "TERM", "xterm-256color");
    sandbox_setenv(f->sandbox, "COLORTERM", "truecolor");
    sandbox_setenv(f->sandbox, "LANG", "C.UTF-8");
    sandbox_setenv(f->sandbox, "TZ", "UTC");
    *state = f;
    return 0;
}

int screen_teardown(void **state)
{
    struct screen_fixture *f = *state;
    void *sandbox = f->sandbox;

    vt_close(f->vt);
    model_server_stop(f->server);
    agent_sandbox_settings(f->sandbox, NULL);
    sandbox_teardown(&sandbox);
    free(f);
    return 0;
}

static void never_ask(struct screen_fixture *f)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = test_path(f->sandbox->state, "trust.toml");
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_dir_make(f->sandbox->state, 0700, &err));
    sf_strbuf_addf(&text, "[[never]]\npath = \"%s\"\n", f->sandbox->workspace);
    test_write(path, text.buf, text.len);
    free(path);
    sf_strbuf_release(&text);
}

static void write_settings(struct screen_fixture *f, const struct screen_run *run)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s%s", calm, run->settings ? run->settings : "");
    agent_sandbox_settings(f->sandbox, text.buf);
    if (run->scenario)
        f->server = agent_sandbox_serve(f->sandbox, SF_WIRE_ANTHROPIC, run->scenario, NULL);
    else
        test_write(f->sandbox->config, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void write_config(struct sandbox *w, const char *name, const char *text)
{
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_strbuf_addf(&path, "../config/sf/%s", name);
    agent_sandbox_file(w, path.buf, text);
    sf_strbuf_release(&path);
}

/* In place of the variable that was there, as the first of two would win. */
static void set_variable(struct sandbox *w, const char *text)
{
    size_t name = strcspn(text, "=") + 1;

    for (size_t i = w->env.count; i-- > 0;)
        if (!strncmp(w->env.items[i], text, name))
            sf_strlist_remove(&w->env, i);
    sf_strlist_add(&w->env, text);
}

static void start(struct screen_fixture *f, const struct screen_run *run)
{
    char *args = sf_strdup(run->args ? run->args : ""), *save = NULL;
    const char *argv[ARGS_MAX] = { SF_PROGRAM };
    size_t count = 1;

    for (char *word = strtok_r(args, " ", &save); word && count < ARGS_MAX - 1;
         word = strtok_r(NULL, " ", &save))
        argv[count++] = word;
    f->vt = vt_open(argv, (const char *const *)f->sandbox->env.items, f->sandbox->workspace, ROWS,
                    COLS);
    vt_set_talents(f->vt,
                   (struct vt_talents){ .kitty = true, .sync = true, .version = "golden 1" });
    free(args);
}

/* ---- the steps ---- */

static void shoot(struct vt *vt, const struct screen_step *step)
{
    for (size_t i = 0; i < SF_COUNT(sizes); i++)
        if (step->sizes & sizes[i].bit) {
            vt_resize(vt, sizes[i].rows, sizes[i].cols);
            vt_wait_golden(vt, step->text, masks);
        }
    vt_resize(vt, ROWS, COLS);
    if (step->sizes & AT_80) /* and all is as it was */
        vt_wait_golden(vt, step->text, masks);
}

static void paste(struct vt *vt, const char *text)
{
    vt_type(vt, "\033[200~");
    vt_type(vt, text);
    vt_type(vt, "\033[201~");
}

static void take_step(struct vt *vt, const struct screen_step *step)
{
    switch (step->what) {
    case TYPE:
        vt_type(vt, step->text);
        break;
    case PASTE:
        paste(vt, step->text);
        break;
    case AWAIT:
        vt_wait_text(vt, step->text);
        break;
    case GONE:
        vt_wait_no_text(vt, step->text);
        break;
    case SHOOT:
        shoot(vt, step);
        break;
    case SCREEN_END:
        break;
    }
}

void screen_play(void **state, const struct screen_run *run)
{
    struct screen_fixture *f = *state;

    write_config(f->sandbox, "models.toml", prices);
    if (run->project && !run->asks)
        never_ask(f);
    if (run->project)
        agent_sandbox_file(f->sandbox, ".sf/config.toml", run->project);
    if (run->theme)
        write_config(f->sandbox, "themes/own.toml", run->theme);
    for (size_t i = 0; i < SF_COUNT(run->env) && run->env[i]; i++)
        set_variable(f->sandbox, run->env[i]);
    write_settings(f, run);
    if (run->prepare)
        free(tree_run(f->sandbox->workspace, run->prepare, NULL));
    start(f, run);
    for (const struct screen_step *step = run->steps; step->what != SCREEN_END; step++) {
        take_step(f->vt, step);
        if (step == run->steps) /* the first frame is there, and the terminal's answers too */
            vt_wait_quiet(f->vt);
    }
}
