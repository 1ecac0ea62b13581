/*
 * cmd_cage.c: sf cage: runs a command confined like those of the agent, to try out what works in
 * the cage.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"
#include "tools/tools.h"

struct run {
    struct sf_loop *loop;
    struct sf_child *child;
    struct sf_error error;
    struct sf_strbuf left; /* A sentence about processes that could not be ended; or empty. */
    int code;              /* Exit code; -1: the command did not run. */
    int signo;             /* The signal that asked sf to stop; or 0. */
};

static void on_signal(void *ctx, int signo)
{
    struct run *run = ctx;

    run->signo = signo;
    if (run->child)
        sf_child_cancel(run->child);
}

static void on_output(void *ctx, enum sf_child_stream stream, const char *data, size_t len)
{
    (void)ctx;
    if (!sf_fd_write_all(stream == SF_CHILD_STREAM_OUT ? STDOUT_FILENO : STDERR_FILENO, data, len))
        return; /* Nobody reads the output; the command goes on. */
}

static void on_exit_of_child(void *ctx, const struct sf_child_result *result)
{
    struct run *run = ctx;

    run->error = result->error;
    sf_child_say_left(&run->left, result->left, result->left_count);
    run->code = result->how == SF_CHILD_FAILED      ? -1
                : result->how == SF_CHILD_LIMIT     ? SF_EXIT_LIMIT
                : result->how == SF_CHILD_SIGNALLED ? 128 + result->signo
                                                    : result->code;
    run->child = NULL;
    sf_loop_stop(run->loop);
}

static void watch_signals(struct run *run)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

    for (size_t i = 0; i < SF_COUNT(signals); i++)
        sf_loop_watch_signal(run->loop, signals[i], on_signal, run);
}

/* What is run, and where. */
struct job {
    const char *const *argv;
    const char *cwd; /* NULL: here */
};

/*
 * Whatever can only be read, and pipes. A terminal would let the command type for its user, and a
 * socket or a file open for writing leads out of the cage.
 */
static bool passes_input(void)
{
    struct stat st;
    int flags = fcntl(STDIN_FILENO, F_GETFL);

    if (flags < 0 || fstat(STDIN_FILENO, &st) != 0)
        return false;
    if (S_ISFIFO(st.st_mode))
        return true;
    if (S_ISREG(st.st_mode) && (flags & O_ACCMODE) == O_RDONLY)
        return true;
    if (S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode))
        sf_print_warning("the command does not get this standard input, which can be written to",
                         "give it a pipe: … | sf cage -- COMMAND");
    return false;
}

static int run_caged(const struct job *job, const struct sf_strlist *env,
                     const struct sf_confine *confine, struct sf_cage *cage, struct sf_error *err)
{
    static const struct sf_child_events events = { .on_output = on_output,
                                                   .on_exit = on_exit_of_child };
    struct run run = {
        .loop = sf_loop_new(err), .error = SF_ERROR_INIT, .left = SF_STRBUF_INIT, .code = -1
    };
    struct sf_child_spec spec = { .argv = job->argv,
                                  .envp = (const char *const *)env->items,
                                  .cwd = job->cwd,
                                  .pass_input = passes_input(),
                                  .setup = sf_cage_enter,
                                  .setup_ctx = cage,
                                  .watch = sf_confine_watch(confine) };

    if (run.loop)
        run.child = sf_child_start(run.loop, &spec, &events, &run, err);
    if (run.child) {
        watch_signals(&run);
        sf_loop_run(run.loop);
        *err = run.error;
    }
    if (run.left.len)
        fprintf(stderr, "sf: %s\n", run.left.buf);
    sf_strbuf_release(&run.left);
    sf_loop_free(run.loop);
    return run.signo ? 128 + run.signo : run.code;
}

static void settle(struct sf_git_repair *care)
{
    struct sf_strbuf words = SF_STRBUF_INIT;

    if (care) {
        sf_git_repair_settle(care, &words);
        sf_git_repair_settle_history(care, &words);
    }
    if (words.len && !sf_fd_write_all(STDERR_FILENO, words.buf, words.len))
        sf_log(SF_LOG_WARN, "%s", words.buf);
    sf_git_repair_free(care);
    sf_strbuf_release(&words);
}

static void explain_path(const struct sf_strlist *unsearched, struct sf_strbuf *out)
{
    for (size_t i = 0; i < unsearched->count; i++) {
        const char *dir = *unsearched->items[i] ? unsearched->items[i] : "an empty name";

        sf_strbuf_adds(out, "unused    ");
        sf_text_sanitize(out, dir, strlen(dir), SF_TEXT_ONE_LINE);
        sf_strbuf_adds(out, " (of PATH: relative, or in the workspace)\n");
    }
}

static void explain(const struct sf_confine *confine, const struct sf_confine_call *call)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_cage_coverage coverage;
    struct sf_cage_plan plan;

    sf_confine_plan(confine, call, &plan);
    coverage = sf_cage_coverage(sf_kernel(), &plan);
    sf_cage_plan_explain(&plan, &out);
    explain_path(sf_confine_unsearched(confine), &out);
    sf_cage_coverage_explain(&out, &coverage);
    sf_print(&out);
    sf_cage_plan_release(&plan);
    sf_strbuf_release(&out);
}

static int run_and_settle(struct sf_invocation *inv, struct sf_confine *confine,
                          const struct sf_confine_call *call, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_cage *cage = sf_confine_cage(confine, call, &err);
    struct sf_strlist env = SF_STRLIST_INIT;
    const char *script[SF_SCRIPT_ARGS];
    struct job job = { .argv = inv->args, .cwd = sf_cli_get(inv, "workspace") };
    struct sf_git_repair *care;
    char *shell;
    int code;

    if (!cage) /* What cannot be confined is refused; a disk that cannot be written is no refusal. */
        return sf_print_error(&err, err.code == SF_E_ARG ? SF_EXIT_DENIED : SF_EXIT_FAILED);
    sf_script_env(sf_confine_env(confine), call->judged && call->judged->only_reads, &env);
    shell = sf_script_shell(&env);
    if (text) {
        sf_script_argv(script, shell, text, NULL);
        job.argv = script;
    }
    care = sf_confine_care(confine, call);
    if (care)
        sf_git_repair_keep(care);
    code = run_caged(&job, &env, confine, cage, &err);
    sf_cage_free(cage);
    settle(care);
    sf_strlist_release(&env);
    free(shell);
    if (err.code)
        sf_print_error(&err, SF_EXIT_FAILED);
    return code >= 0 ? code : SF_EXIT_FAILED;
}

static int confined(struct sf_invocation *inv, struct sf_confine *confine,
                    const struct sf_confine_call *call, const char *text)
{
    if (!sf_cli_get(inv, "explain"))
        return run_and_settle(inv, confine, call, text);
    explain(confine, call);
    return SF_EXIT_DONE;
}

/* One word is a text of the shell; of several each stays one. */
static void join_words(const char *const *words, struct sf_strbuf *out)
{
    for (const char *const *word = words; *word; word++) {
        if (word == words && !word[1]) {
            sf_strbuf_adds(out, *word);
            return;
        }
        sf_strbuf_adds(out, word == words ? "'" : " '");
        for (const char *at = *word; *at; at++) {
            if (*at == '\'')
                sf_strbuf_adds(out, "'\\''");
            else
                sf_strbuf_addch(out, *at);
        }
        sf_strbuf_addch(out, '\'');
    }
}

/* As the agent would run it at the terminal; what it would ask about is what somebody wants here. */
static int judged(struct sf_invocation *inv, const struct sf_policy_context *policy,
                  struct sf_confine *confine)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_call_asked asked = { .tool = "Bash", .act = SF_ACT_SHELL };
    struct sf_confine_call call = { 0 };
    struct sf_mode_state state;
    struct sf_judged j;
    int code;

    join_words(inv->args, &text);
    asked.command = text.len ? text.buf : "";
    asked.command_len = text.len;
    if (!sf_policy_context_state(policy, sf_app_config(inv->app, &err), SF_SURFACE_TUI, &state,
                                 &err) ||
        !sf_judge_call(policy, &asked, &state, &j, &err)) {
        sf_strbuf_release(&text);
        return sf_print_error(&err, SF_EXIT_USAGE);
    }
    sf_confine_note(confine, &j, state.trust);
    call = (struct sf_confine_call){ .judged = &j, .trusted = state.trust };
    if (j.verdict.answer == SF_DENY) {
        sf_fail(&err, SF_E_ARG, "%s", j.verdict.reason);
        code = sf_print_error(&err, SF_EXIT_DENIED);
    } else {
        code = confined(inv, confine, &call, asked.command);
    }
    sf_judged_release(&j);
    sf_strbuf_release(&text);
    return code;
}

static int by_options(struct sf_invocation *inv, const struct sf_policy_context *policy,
                      struct sf_confine *confine)
{
    const struct sf_confine_call call = { .network = sf_cli_get(inv, "network") != NULL };

    return sf_cli_get(inv, "as-judged") ? judged(inv, policy, confine)
                                        : confined(inv, confine, &call, NULL);
}

int sf_cmd_cage(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_policy_context policy;
    struct sf_confine *confine;
    int code;

    if (!inv->arg_count && (!sf_cli_get(inv, "explain") || sf_cli_get(inv, "as-judged"))) {
        sf_fail(&err, SF_E_ARG, "which command? sf cage -- COMMAND");
        return sf_print_error(&err, SF_EXIT_USAGE);
    }
    if (!sf_app_policy(inv->app, &policy, &err))
        return sf_print_error(&err, SF_EXIT_USAGE);
    confine = sf_confine_new(&policy, sf_app_config(inv->app, &err),
                             sf_app_workspace(inv->app, &err), &err);
    code = confine ? by_options(inv, &policy, confine) : sf_print_error(&err, SF_EXIT_FAILED);
    sf_confine_free(confine);
    sf_policy_context_release(&policy);
    return code;
}
