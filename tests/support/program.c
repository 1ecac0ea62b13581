/*
 * program.c: the sandbox around the real program.
 */
#include "support/program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"
#include "support/decision_check.h"
#include "support/schema.h"
#include "support/test.h"

enum { OUTPUT_CAP = 16 * 1024 * 1024, DEADLINE_MS = 240000 };

static char *make_dir(const char *dir, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    char *path = test_path(dir, name);

    if (!sf_dir_make(path, 0755, &err))
        fail_msg("%s", err.msg);
    return path;
}

static struct sandbox *make_sandbox(char *dir, const char *project)
{
    struct sandbox *w = sf_alloc(sizeof(*w));
    struct sf_strbuf sf = SF_STRBUF_INIT;

    w->dir = dir;
    free(make_dir(w->dir, "config/sf"));
    w->config = test_path(w->dir, "config/sf/config.toml");
    w->workspace = test_path(w->dir, project);
    sf_strbuf_addf(&sf, "%s/.sf", project);
    free(make_dir(w->dir, sf.buf));
    sf_strbuf_adds(&sf, "/config.toml");
    w->project = test_path(w->dir, sf.buf);
    w->state = test_path(w->dir, "state");
    sf_strlist_add(&w->env, "PATH=/usr/bin:/bin");
    sandbox_setenv(w, "HOME", w->dir);
    sandbox_setenv(w, "SF_HOME", w->state);
    sf_strlist_addf(&w->env, "XDG_CONFIG_HOME=%s/config", w->dir);
    sf_strbuf_release(&sf);
    return w;
}

int sandbox_setup(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_dir_new();

    *state = make_sandbox(sf_path_real(dir, &err), "work");
    free(dir);
    return 0;
}

int sandbox_setup_demo(void **state)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char dir[] = "/tmp/sf.X";

    for (const char *at = letters; *at; at++) {
        dir[sizeof(dir) - 2] = *at;
        if (mkdir(dir, 0700) == 0) {
            *state = make_sandbox(sf_strdup(dir), "demo");
            return 0;
        }
    }
    fail_msg("all of /tmp/sf.? are taken: remove what killed tests left behind");
    return -1;
}

int sandbox_teardown(void **state)
{
    struct sandbox *w = *state;

    decision_check_or_fail(w->state);
    test_dir_free(w->dir);
    free(w->config);
    free(w->workspace);
    free(w->project);
    free(w->state);
    sf_strlist_release(&w->env);
    free(w);
    return 0;
}

void sandbox_setenv(struct sandbox *w, const char *name, const char *value)
{
    sf_strlist_addf(&w->env, "%s=%s", name, value);
}

/* Splits at blanks; a word that starts with ' goes to the next one. */
static void split(struct sf_strlist *argv, const char *words)
{
    while (*words) {
        bool quoted = *words == '\'';
        size_t n = strcspn(words + quoted, quoted ? "'" : " ");

        if (n || quoted)
            sf_strlist_adopt(argv, sf_strndup(words + quoted, n));
        words += quoted + n + (quoted && words[1 + n] == '\'');
        words += *words == ' ';
    }
}

struct outcome sandbox_run_program(struct sandbox *w, const char *program, const char *words)
{
    struct sf_strlist argv = SF_STRLIST_INIT;
    struct sf_child_result result;
    struct sf_error err = SF_ERROR_INIT;
    struct outcome o = { .code = -1 };
    struct sf_child_spec spec = { .envp = (const char *const *)w->env.items,
                                  .cwd = w->workspace,
                                  .output_cap = OUTPUT_CAP,
                                  .deadline_ms = DEADLINE_MS };

    sf_strlist_add(&argv, program);
    split(&argv, words);
    spec.argv = (const char *const *)argv.items;
    if (!sf_child_run(&spec, &result, &err))
        fail_msg("%s", err.msg);
    o.code = result.how == SF_CHILD_EXITED ? result.code : -1;
    o.max_rss_kib = result.max_rss_kib;
    o.out_len = result.output[SF_CHILD_STREAM_OUT].len;
    o.err_len = result.output[SF_CHILD_STREAM_ERR].len;
    o.out =
        sf_strndup(result.output[SF_CHILD_STREAM_OUT].buf, result.output[SF_CHILD_STREAM_OUT].len);
    o.err =
        sf_strndup(result.output[SF_CHILD_STREAM_ERR].buf, result.output[SF_CHILD_STREAM_ERR].len);
    sf_child_result_release(&result);
    sf_strlist_release(&argv);
    if (strstr(words, "--output-format stream-json") || strstr(words, "--output-format json"))
        schema_check_stream(o.out, o.out_len, words);
    return o;
}

struct outcome sandbox_run(struct sandbox *w, const char *words)
{
    return sandbox_run_program(w, SF_PROGRAM, words);
}

void outcome_release(struct outcome *o)
{
    free(o->out);
    free(o->err);
}

void sandbox_expect(struct sandbox *w, const char *words, int code, const char *out_has,
                    const char *err_has)
{
    struct outcome o = sandbox_run(w, words);

    if (o.code != code || (out_has && !strstr(o.out, out_has)) ||
        (err_has && !strstr(o.err, err_has)))
        fail_msg("sf %s: exit %d, want %d with '%s' and '%s'\nstdout: %s\nstderr: %s", words,
                 o.code, code, out_has ? out_has : "", err_has ? err_has : "", o.out, o.err);
    outcome_release(&o);
}

pid_t sandbox_start(struct sandbox *w, const char *program, const char *const *words)
{
    enum { WORDS = 16 };
    char *argv[WORDS + 2] = { (char *)(uintptr_t)program };
    pid_t pid;

    for (size_t i = 0; i < WORDS && words[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)words[i];
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);

        if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
            chdir(w->workspace) != 0)
            _exit(126);
        execve(program, argv, w->env.items);
        _exit(127);
    }
    return pid;
}
