/*
 * bash.c: the three tools around commands. Bash starts a job and stays with it until it ends or
 * its time is up, when the job gets a number and goes on alone. BashOutput and BashKill find it
 * by that number; both may wait for its end.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/box.h"
#include "tools/jobs.h"
#include "tools/safe.h"
#include "tools/script.h"
#include "tools/shell.h"
#include "tools/table_rows.h"

enum {
    TIMEOUT_MS = 120000,
    TIMEOUT_MAX_MS = 600000,
    TITLE_COLUMNS = 60,
};

/* A command in the foreground. */
struct run {
    struct sf_toolbox *box;
    struct sf_tool_call *call;
    struct sf_job *job;
    bool follow; /* its directory is the session's, before and after */
    bool late;   /* ended at its deadline, as there was no room for one more job */
    struct sf_strbuf note;
};

/* A call that waits for a numbered job. */
struct waiting {
    struct sf_toolbox *box;
    struct sf_tool_call *call;
    struct sf_job *job;
    struct sf_job_wait wait;
    uint64_t timer;
};

static void finish(struct sf_toolbox *box, struct sf_tool_call *call)
{
    call->work = NULL;
    sf_toolbox_finish(box, call);
}

static void add_text(struct sf_tool_call *call, const struct sf_strbuf *text)
{
    if (text->len)
        sf_tool_call_add_text(call, text->buf, text->len);
}

/* The output as it is, closed by a newline; "(no output)" or its like when there is none. */
static void add_output(struct sf_tool_call *call, const struct sf_strbuf *text, const char *if_none)
{
    if (!text->len)
        sf_tool_call_addf(call, "%s\n", if_none);
    add_text(call, text);
    if (text->len && text->buf[text->len - 1] != '\n')
        sf_tool_call_add_text(call, "\n", 1);
}

static void add_left(struct sf_tool_call *call, const struct sf_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_child_say_left(&text, job->left, job->left_count);
    if (text.len)
        sf_tool_call_addf(call, "[%s]\n", text.buf);
    sf_strbuf_release(&text);
}

static int code_of(const struct sf_job *job)
{
    return job->running ? -1 : job->how == SF_CHILD_SIGNALLED ? 128 + job->signo : job->code;
}

static void free_run(struct run *run)
{
    sf_strbuf_release(&run->note);
    free(run);
}

static void summarize(struct run *run)
{
    const struct sf_job *job = run->job;
    uint64_t lines = sf_output_lines(job->output);
    struct sf_strbuf status = SF_STRBUF_INIT;
    char took[SF_DURATION_MAX];

    sf_job_status(job, &status);
    sf_duration_format(took, job->duration_ms);
    sf_tool_call_summary(run->call, "%s, %s, %llu line%s", status.buf, took,
                         (unsigned long long)lines, lines == 1 ? "" : "s");
    sf_strbuf_release(&status);
}

static const char *const limit_settings[] = {
    [SF_LIMIT_NONE] = "nothing",
    [SF_LIMIT_MEMORY] = "guard.max_memory",
    [SF_LIMIT_PROCESSES] = "guard.max_processes",
    [SF_LIMIT_UNSEEN] = "the watch over guard.max_memory and guard.max_processes",
};

/* How it ended, for all ends that are not a plain success. */
static void add_ending(struct run *run)
{
    const struct sf_job *job = run->job;
    struct sf_strbuf status = SF_STRBUF_INIT;

    sf_job_status(job, &status);
    if (run->late)
        sf_tool_call_addf(run->call,
                          "[timed out and ended, as %d jobs run in the background already]\n",
                          SF_JOBS_MAX);
    else if (job->how == SF_CHILD_CANCELLED)
        sf_tool_call_addf(run->call, "[cancelled: ended with all it had started]\n");
    else if (job->how == SF_CHILD_LIMIT)
        sf_tool_call_addf(run->call, "[%s by %s of the settings]\n", status.buf,
                          limit_settings[job->limit]);
    else if (job->how != SF_CHILD_EXITED || job->code != 0)
        sf_tool_call_addf(run->call, "[%s]\n", status.buf);
    sf_strbuf_release(&status);
}

static void add_explanation(struct run *run, const struct sf_strbuf *output)
{
    const struct sf_tool_cage *cage = run->box->cage;
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!cage || !cage->explain || run->job->how != SF_CHILD_EXITED)
        return;
    cage->explain(cage->ctx, run->call, run->job->code != 0, output, &text);
    add_text(run->call, &text);
    sf_strbuf_release(&text);
}

static void on_end(void *ctx)
{
    struct run *run = ctx;
    struct sf_job *job = run->job;
    struct sf_tool_call *call = run->call;
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_output_text(job->output, &text);
    add_output(call, &text, "(no output)");
    add_ending(run);
    add_left(call, job);
    add_explanation(run, &text);
    add_text(call, &job->aftermath);
    if (run->follow)
        sf_shell_follow(run->box->shell, job->scratch, &run->note);
    add_text(call, &run->note);
    call->result.exit_code = code_of(job);
    call->result.is_error = job->how != SF_CHILD_EXITED || job->code != 0;
    summarize(run);
    finish(run->box, call);
    sf_job_free(job);
    free_run(run);
    sf_strbuf_release(&text);
}

static void on_output(void *ctx, const char *data, size_t len)
{
    struct run *run = ctx;

    sf_toolbox_output(run->box, run->call, data, len);
}

/* The call comes back now; the job, which has its number, goes on. */
static void let_go(struct run *run)
{
    sf_tool_call_summary(run->call, "goes on as job %lld", (long long)run->job->id);
    run->call->result.job = run->job->id;
    add_text(run->call, &run->note);
    finish(run->box, run->call);
    free_run(run);
}

static void on_deadline(void *ctx)
{
    struct run *run = ctx;
    struct sf_job *job = run->job;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_jobs_room(job->jobs, &err)) {
        run->late = true;
        sf_job_cancel(job);
        return;
    }
    sf_job_number(job);
    sf_output_news(job->output, &text); /* all of it is news, and told with that */
    add_output(run->call, &text, "(no output so far)");
    sf_tool_call_addf(
        run->call,
        "[still running: moved to the background as job %lld; BashOutput tells how it "
        "goes on, BashKill ends it]\n",
        (long long)job->id);
    sf_strbuf_release(&text);
    let_go(run);
}

static bool describe_bash(struct sf_tool_call *call, struct sf_error *err)
{
    const char *command = sf_arg_str(call->args, "command", "");
    const char *workdir = sf_arg_str(call->args, "workdir", "");

    if (!command[strspn(command, " \t\n")])
        return sf_fail(err, SF_E_ARG, "the command is empty");
    if (strlen(command) > SF_SCRIPT_MAX) {
        sf_fail(err, SF_E_LIMIT, "the command has more than %d bytes", SF_SCRIPT_MAX);
        return sf_hint(err, "write a script to a file and run that");
    }
    call->command = command;
    return !*workdir || sf_tool_call_add_target(call, workdir, SF_WANT_DIR, SF_ACT_READ, err);
}

/* Where it starts, absolute; NULL with `err` when that is no place to start in. */
static char *start_dir(struct run *run, struct sf_error *err)
{
    const struct sf_tool_call *call = run->call;
    const struct sf_place *place;
    char *path;

    if (!call->target_count)
        return sf_shell_enter(run->box->shell, &run->note);
    place = &call->targets[0].place;
    path = place->inside ? sf_path_join(run->box->root->path, place->real) : sf_strdup(place->real);
    if (place->inside && !*place->real) {
        free(path);
        path = sf_strdup(run->box->root->path);
    }
    if (sf_shell_is_dir(path))
        return path;
    sf_fail(err, SF_E_NOENT, "%s is no longer a directory", place->shown);
    free(path);
    return NULL;
}

/* The file the command tells its last directory in; without one it is simply not followed. */
static char *make_report(struct run *run)
{
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_jobs_scratch(sf_shell_jobs(run->box->shell), &err);

    if (!path)
        sf_strbuf_addf(&run->note, "[cd does not last: %s]\n", err.msg);
    return path;
}

/* What follows the command's end, also when it never began. */
static void settle_later(const struct sf_tool_cage *cage, void *held, struct sf_job *job)
{
    const struct sf_job_last last = { cage->ended, cage->ctx, held };
    struct sf_strbuf nobody = SF_STRBUF_INIT;

    if (job)
        sf_job_lastly(job, &last);
    else
        cage->ended(cage->ctx, held, &nobody);
    sf_strbuf_release(&nobody);
}

/* Starts the child confined; without a cage it cannot have, it is not started. */
static struct sf_job *start_confined(struct run *run, struct sf_child_spec *spec, char *report,
                                     struct sf_error *err)
{
    static const struct sf_job_events events = { on_output, on_deadline, on_end };
    const struct sf_tool_cage *cage = run->box->cage;
    struct sf_job *job;

    if (cage) {
        spec->setup = cage->setup;
        spec->watch = cage->watch;
        spec->setup_ctx = cage->open(cage->ctx, run->call, report, spec->cwd, err);
        if (!spec->setup_ctx) {
            if (report)
                unlink(report);
            free(report);
            return NULL;
        }
    }
    job = sf_job_start(sf_shell_jobs(run->box->shell), spec, report, &events, run, err);
    if (cage) {
        cage->close(cage->ctx, spec->setup_ctx);
        settle_later(cage, spec->setup_ctx, job);
    }
    return job;
}

static struct sf_job *start_job(struct run *run, int64_t deadline_ms, struct sf_error *err)
{
    const struct sf_shell_state *shell = run->box->shell;
    const struct sf_tool_call *call = run->call;
    const char *argv[SF_SCRIPT_ARGS];
    char *dir = start_dir(run, err), *report = NULL;
    struct sf_child_spec spec = {
        .argv = argv,
        .envp = sf_shell_env(shell),
        .cwd = dir,
        .merge_stderr = true,
        .deadline_ms = deadline_ms,
    };
    struct sf_job *job;

    if (!dir)
        return NULL;
    report = run->follow ? make_report(run) : NULL;
    run->follow = report != NULL;
    sf_script_argv(argv, sf_shell_program(shell), call->command, report);
    job = start_confined(run, &spec, report, err);
    if (job)
        job->title =
            sf_safe_line(sf_arg_str(call->args, "description", call->command), TITLE_COLUMNS);
    free(dir);
    return job;
}

static void start_in_background(struct run *run)
{
    sf_job_number(run->job);
    sf_tool_call_addf(
        run->call,
        "[started in the background as job %lld; BashOutput tells how it goes, BashKill "
        "ends it]\n",
        (long long)run->job->id);
    let_go(run);
}

static void start_bash(struct sf_toolbox *box, struct sf_tool_call *call)
{
    bool background = sf_arg_bool(call->args, "run_in_background", false);
    int64_t timeout = sf_arg_int(call->args, "timeout", TIMEOUT_MS);
    struct sf_error err = SF_ERROR_INIT;
    struct run *run = sf_alloc(sizeof(*run));

    run->box = box;
    run->call = call;
    run->follow = !background && !call->target_count;
    sf_strbuf_init(&run->note);
    if (!background || sf_jobs_room(sf_shell_jobs(box->shell), &err))
        run->job = start_job(run, background ? 0 : timeout, &err);
    if (!run->job) {
        sf_tool_call_fail(call, &err);
        finish(box, call);
        free_run(run);
        return;
    }
    call->work = run;
    if (background)
        start_in_background(run);
}

static void stop_bash(struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct run *run = call->work;

    (void)box;
    if (run)
        sf_job_cancel(run->job);
}

/* What the job has to tell since the last time, and how it is. */
static void tell(struct sf_tool_call *call, struct sf_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT, status = SF_STRBUF_INIT;

    sf_output_news(job->output, &text);
    add_output(call, &text, "(nothing new)");
    sf_job_status(job, &status);
    sf_tool_call_addf(call, "[job %lld, %s: %s]\n", (long long)job->id, job->title, status.buf);
    if (!job->running) {
        add_left(call, job);
        add_text(call, &job->aftermath);
        sf_strbuf_reset(&job->aftermath); /* told once */
    }
    call->result.exit_code = code_of(job);
    call->result.job = job->id;
    sf_tool_call_summary(call, "job %lld: %s", (long long)job->id, status.buf);
    sf_strbuf_release(&status);
    sf_strbuf_release(&text);
}

static void end_waiting(struct waiting *w)
{
    sf_job_unwait(w->job, &w->wait);
    sf_loop_remove(w->box->loop, w->timer);
    tell(w->call, w->job);
    finish(w->box, w->call);
    free(w);
}

static void on_waited(void *ctx)
{
    end_waiting(ctx);
}

/* `ms` 0: as long as it takes. */
static void wait_for(struct sf_toolbox *box, struct sf_tool_call *call, struct sf_job *job,
                     int64_t ms)
{
    struct waiting *w = sf_alloc(sizeof(*w));

    w->box = box;
    w->call = call;
    w->job = job;
    w->wait = (struct sf_job_wait){ .fn = on_waited, .ctx = w };
    sf_job_wait(job, &w->wait);
    if (ms > 0)
        w->timer = sf_loop_add_timer(box->loop, ms, 0, on_waited, w);
    call->work = w;
}

static struct sf_job *find_job(struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t id = sf_arg_int(call->args, "id", 0);
    struct sf_job *job = sf_jobs_find(sf_shell_jobs(box->shell), id, &err);

    if (!job) {
        sf_tool_call_fail(call, &err);
        finish(box, call);
    }
    return job;
}

static void start_output(struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct sf_job *job = find_job(box, call);
    int64_t wait_ms = sf_arg_int(call->args, "wait_ms", 0);

    if (!job)
        return;
    if (job->running && wait_ms > 0) {
        wait_for(box, call, job, wait_ms);
        return;
    }
    tell(call, job);
    finish(box, call);
}

static void start_kill(struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct sf_job *job = find_job(box, call);

    if (!job)
        return;
    if (job->running) {
        sf_job_cancel(job);
        wait_for(box, call, job, 0);
        return;
    }
    tell(call, job);
    sf_tool_call_addf(call, "[it had ended before]\n");
    finish(box, call);
}

/* The waiting ends; the job does not. */
static void stop_waiting(struct sf_toolbox *box, struct sf_tool_call *call)
{
    (void)box;
    if (call->work)
        end_waiting(call->work);
}

static const struct sf_tool_arg bash_args[] = {
    { .name = "command",
      .type = SF_ARG_STRING,
      .required = true,
      .help = "the command",
      .alias = "cmd" },
    { .name = "timeout",
      .type = SF_ARG_INT,
      .min = 1,
      .max = TIMEOUT_MAX_MS,
      .help = "milliseconds until it moves to the background; 120000 unless given",
      .alias = "timeout_ms" },
    { .name = "run_in_background",
      .type = SF_ARG_BOOL,
      .help = "come back at once; for servers and watchers" },
    { .name = "description", .type = SF_ARG_STRING, .help = "what it does, in a few words" },
    { .name = "workdir",
      .type = SF_ARG_STRING,
      .help = "directory for this command alone, from the workspace's root",
      .alias = "cwd" },
};

const struct sf_tool sf_tool_bash = {
    .name = "Bash",
    .help = "Runs a command in bash and returns its output, standard error included, and its "
            "exit code when that is not 0. The working directory lasts from one call to the "
            "next as long as it stays in the workspace; variables, exports and functions do not. "
            "There is no terminal and no standard input: use options instead of prompts, editors "
            "and pagers. What takes longer than the timeout goes on in the background, and its "
            "job number is returned for BashOutput and BashKill. Other processes a command "
            "leaves behind end with it; use run_in_background for servers. Long output is cut in "
            "the middle, and the whole is kept in a file. Prefer Read, Grep, Glob and Edit to "
            "cat, grep, find and sed.",
    .args = bash_args,
    .arg_count = SF_COUNT(bash_args),
    .act = SF_ACT_SHELL,
    .amends = "command",
    .least = SF_PROFILE_RESTRICTED,
    .needs_shell = true,
    .where = SF_TOOL_CHILD,
    .describe = describe_bash,
    .start = start_bash,
    .stop = stop_bash,
};

static const struct sf_tool_arg output_args[] = {
    { .name = "id", .type = SF_ARG_INT, .required = true, .help = "the job", .alias = "bash_id" },
    { .name = "wait_ms",
      .type = SF_ARG_INT,
      .max = TIMEOUT_MAX_MS,
      .help = "wait so long for it to end, if it runs; 0 unless given" },
};

const struct sf_tool sf_tool_bash_output = {
    .name = "BashOutput",
    .help = "Returns what a background job has written since the last time, and whether it runs "
            "or how it ended.",
    .args = output_args,
    .arg_count = SF_COUNT(output_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .needs_shell = true,
    .where = SF_TOOL_CHILD,
    .start = start_output,
    .stop = stop_waiting,
};

static const struct sf_tool_arg kill_args[] = {
    { .name = "id", .type = SF_ARG_INT, .required = true, .help = "the job", .alias = "shell_id" },
};

const struct sf_tool sf_tool_bash_kill = {
    .name = "BashKill",
    .help = "Ends a background job and everything it started, and returns its last output.",
    .args = kill_args,
    .arg_count = SF_COUNT(kill_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .needs_shell = true,
    .where = SF_TOOL_CHILD,
    .start = start_kill,
    .stop = stop_waiting,
};
