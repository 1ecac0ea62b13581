/*
 * bash.c: the Bash tool. It starts a job and waits until the job ends or its time is up; then the
 * job gets a number and continues in the background, where job_tools.c finds it.
 *
 * The working directory persists from one command to the next. The directory that a command reports
 * at its end is not trusted: it is used only if it is a real directory of the workspace.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/box.h"
#include "tools/safe.h"
#include "tools/script.h"
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
    bool follow; /* the session's directory follows that of the command */
    bool late;   /* ended at its deadline, because there was no room for another job */
    struct sf_strbuf note;
};

/* ---- the working directory ---- */

/* True if the path is a directory and no part of it is a link. */
static bool is_dir(const char *path)
{
    struct sf_error err = SF_ERROR_INIT;
    char *real = sf_path_real(path, &err);
    struct stat st;
    bool ok = real && !strcmp(real, path) && !stat(path, &st) && S_ISDIR(st.st_mode);

    free(real);
    return ok;
}

/* The session's directory as an absolute path; if it is gone, the workspace's root. */
static char *session_dir(struct run *run)
{
    struct sf_toolbox *box = run->box;
    char *path;

    if (!*box->cwd)
        return sf_strdup(box->root->path);
    path = sf_path_join(box->root->path, box->cwd);
    if (is_dir(path))
        return path;
    free(path);
    sf_strbuf_addf(&run->note, "[the directory %s is gone: started in the workspace's root]\n",
                   box->cwd);
    sf_toolbox_set_cwd(box, "");
    return sf_strdup(box->root->path);
}

/* The absolute directory in which this command starts; NULL with `err` if it cannot be used. */
static char *start_dir(struct run *run, struct sf_error *err)
{
    const struct sf_tool_call *call = run->call;
    const struct sf_place *place;
    char *path;

    if (!call->target_count)
        return session_dir(run);
    place = &call->targets[0].place;
    path = sf_place_path(place);
    if (is_dir(path))
        return path;
    sf_fail(err, SF_E_NOENT, "%s is no longer a directory", place->shown);
    free(path);
    return NULL;
}

/* The part of the path below the root; NULL: outside. */
static const char *below(const char *root, const char *path)
{
    size_t n = strlen(root);

    if (!strcmp(root, "/"))
        return path + 1;
    if (strncmp(path, root, n) != 0 || (path[n] && path[n] != '/'))
        return NULL;
    return path + n + (path[n] == '/');
}

/* Sets the session's directory to the one the command reported, or adds a note why not. */
static void follow(struct run *run)
{
    struct sf_toolbox *box = run->box;
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const char *dir;

    if (!sf_file_read(run->job->scratch, PATH_MAX, &path, &err) || !path.len ||
        path.buf[path.len - 1] != '\n')
        goto out;
    sf_strbuf_truncate(&path, path.len - 1);
    if (strlen(path.buf) != path.len || !is_dir(path.buf))
        goto out;
    dir = below(box->root->path, path.buf);
    if (dir && strcmp(dir, box->cwd) != 0)
        sf_toolbox_set_cwd(box, dir);
    else if (!dir)
        sf_strbuf_addf(&run->note,
                       "[%s is outside the workspace: the next command starts in %s again]\n",
                       path.buf, *box->cwd ? box->cwd : "the workspace's root");
out:
    sf_strbuf_release(&path);
}

/* ---- ends ---- */

/* Sets the line for people and the exit code. */
static void summarize(struct run *run, const char *status, uint64_t lines)
{
    const struct sf_job *job = run->job;
    char took[SF_DURATION_MAX];

    sf_duration_format(took, job->duration_ms);
    sf_tool_call_summary(run->call, "%s, %s, %llu line%s", status, took, (unsigned long long)lines,
                         lines == 1 ? "" : "s");
    run->call->result.exit_code = job->exit_code;
    run->call->result.is_error = job->how != SF_CHILD_EXITED || job->code != 0;
}

static const char *const limit_settings[] = {
    [SF_LIMIT_NONE] = "nothing",
    [SF_LIMIT_MEMORY] = "guard.max_memory",
    [SF_LIMIT_PROCESSES] = "guard.max_processes",
    [SF_LIMIT_UNSEEN] = "the watch over guard.max_memory and guard.max_processes",
};

/* Says how the command ended, unless it simply succeeded. */
static void add_ending(const struct run *run, const char *status, struct sf_strbuf *out)
{
    const struct sf_job *job = run->job;

    if (run->late)
        sf_strbuf_addf(out, "[timed out and ended, as %d jobs run in the background already]\n",
                       SF_JOBS_MAX);
    else if (job->how == SF_CHILD_CANCELLED)
        sf_strbuf_adds(out, "[cancelled: ended with all it had started]\n");
    else if (job->how == SF_CHILD_LIMIT)
        sf_strbuf_addf(out, "[%s by %s of the settings]\n", status, limit_settings[job->limit]);
    else if (job->how != SF_CHILD_EXITED || job->code != 0)
        sf_strbuf_addf(out, "[%s]\n", status);
    if (job->left_count)
        sf_job_add_left(job, out);
}

static void add_explanation(const struct run *run, const struct sf_strbuf *output,
                            struct sf_strbuf *out)
{
    const struct sf_tool_cage *cage = run->box->cage;

    if (cage && cage->explain && run->job->how == SF_CHILD_EXITED)
        cage->explain(cage->ctx, run->call, run->job->code != 0, output, out);
}

static void finish(struct run *run)
{
    struct sf_toolbox *box = run->box;
    struct sf_tool_call *call = run->call;

    sf_strbuf_release(&run->note);
    free(run);
    call->work = NULL;
    sf_toolbox_finish(box, call);
}

static void on_end(void *ctx)
{
    struct run *run = ctx;
    struct sf_job *job = run->job;
    struct sf_strbuf text = SF_STRBUF_INIT, status = SF_STRBUF_INIT, rest = SF_STRBUF_INIT;
    uint64_t lines = sf_output_lines(job->output);

    sf_output_text(job->output, &text);
    sf_job_status(job, &status);
    add_ending(run, status.buf, &rest);
    add_explanation(run, &text, &rest);
    sf_strbuf_add(&rest, job->aftermath.buf, job->aftermath.len);
    if (run->follow)
        follow(run);
    sf_strbuf_add(&rest, run->note.buf, run->note.len);
    summarize(run, status.buf, lines);
    sf_tool_call_add_output(run->call, &text, "(no output)");
    if (rest.len)
        sf_tool_call_add_text(run->call, rest.buf, rest.len);
    sf_job_free(job);
    finish(run);
    sf_strbuf_release(&rest);
    sf_strbuf_release(&status);
    sf_strbuf_release(&text);
}

static void on_output(void *ctx, const char *data, size_t len)
{
    struct run *run = ctx;

    sf_toolbox_output(run->box, run->call, data, len);
}

/* From now on the job is one of the list, where its title tells what it is. */
static void number_job(struct run *run)
{
    const struct sf_tool_call *call = run->call;
    const char *title = sf_arg_str(call->args, "description", call->command);

    run->job->title = sf_safe_line(title, TITLE_COLUMNS);
    sf_job_number(run->job);
}

/* Ends the call; the job, which has a number, continues. */
static void let_go(struct run *run)
{
    sf_tool_call_summary(run->call, "goes on as job %lld", (long long)run->job->id);
    run->call->result.job = run->job->id;
    sf_tool_call_add_text(run->call, run->note.buf, run->note.len);
    finish(run);
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
    number_job(run);
    sf_output_news(job->output, &text); /* all output so far, which counts as reported now */
    sf_tool_call_add_output(run->call, &text, "(no output so far)");
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

/* The file to which the command reports its last directory; without it, `cd` does not persist. */
static char *make_report(struct run *run)
{
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_jobs_scratch(run->box->jobs, &err);

    if (!path)
        sf_strbuf_addf(&run->note, "[cd does not last: %s]\n", err.msg);
    return path;
}

/* Starts the child confined; if the cage cannot be made, the child is not started. */
static struct sf_job *start_confined(struct run *run, struct sf_child_spec *spec,
                                     struct sf_error *err)
{
    static const struct sf_job_events events = { on_output, on_deadline, on_end };
    const struct sf_tool_cage *cage = run->box->cage;
    char *report = run->follow ? make_report(run) : NULL;
    const char *argv[SF_SCRIPT_ARGS];
    void *held = NULL;
    struct sf_job *job;

    run->follow = report != NULL;
    sf_script_argv(argv, run->box->shell, run->call->command, report);
    spec->argv = argv;
    if (cage) {
        held = cage->open(cage->ctx, run->call, report, spec, err);
        if (!held) {
            if (report)
                unlink(report);
            free(report);
            spec->argv = NULL;
            return NULL;
        }
    }
    job = sf_job_start(run->box->jobs, spec, report, &events, run, err);
    spec->argv = NULL;
    if (cage)
        cage->close(cage->ctx, held);
    if (cage && job)
        job->last = (struct sf_job_last){ cage, held };
    else if (cage)
        cage->drop(cage->ctx, held);
    return job;
}

static struct sf_job *start_job(struct run *run, int64_t deadline_ms, struct sf_error *err)
{
    char *dir = start_dir(run, err);
    const struct sf_strlist *env =
        run->call->only_reads ? &run->box->reading_env : &run->box->child_env;
    struct sf_child_spec spec = {
        .envp = (const char *const *)env->items,
        .cwd = dir,
        .merge_stderr = true,
        .deadline_ms = deadline_ms,
    };
    struct sf_job *job;

    if (!dir)
        return NULL;
    job = start_confined(run, &spec, err);
    free(dir);
    return job;
}

static void start_in_background(struct run *run)
{
    number_job(run);
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

    *run = (struct run){ .box = box, .call = call, .follow = !background && !call->target_count };
    sf_strbuf_init(&run->note);
    if (!background || sf_jobs_room(box->jobs, &err))
        run->job = start_job(run, background || call->endless ? 0 : timeout, &err);
    if (!run->job) {
        sf_tool_call_fail(call, &err);
        finish(run);
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
      .help = "directory for this command alone, from the working directory",
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
