/*
 * cmd_tour.c: sf tour. Makes a directory with a small program and runs the terminal surface there,
 * twice: the last lesson of the tour is to leave and to come back.
 */
#include <stdlib.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "tui/tui.h"

static const struct {
    const char *name, *text;
} files[] = {
    { "README.md", "# hello\n\nA small program to try sf on.\n" },
    { "src/hello.c", "#include <stdio.h>\n"
                     "\n"
                     "/* TODO: ask for a name */\n"
                     "int main(void)\n"
                     "{\n"
                     "    puts(\"hello, world\");\n"
                     "    return 0;\n"
                     "}\n" },
};

/* Programs of the project one stands in are a stranger's. */
static void distrust_here(void)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_workspace here = { 0 };

    if (sf_workspace_find(".", &here, &ignored)) {
        sf_env_distrust(here.root);
        sf_workspace_release(&here);
    }
}

/* Without git the directory is no repository; the tour does not need one. */
static void make_repository(const char *dir)
{
    const char *const argv[] = { "git", "init", "-q", "--template=", dir, NULL };
    const struct sf_child_spec spec = { .argv = argv };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_child_result result;

    if (sf_child_run(&spec, &result, &ignored))
        sf_child_result_release(&result);
}

static char *make_scratch(struct sf_error *err)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = sf_path_join(tmp && *tmp == '/' ? tmp : "/tmp", "sf-tour-XXXXXX");
    char *src = NULL;
    bool ok = mkdtemp(dir) != NULL || sf_fail_errno(err, "cannot make a directory for the tour");

    if (ok) {
        src = sf_path_join(dir, "src");
        ok = sf_dir_make(src, 0755, err);
    }
    for (size_t i = 0; ok && i < SF_COUNT(files); i++) {
        char *path = sf_path_join(dir, files[i].name);

        ok = sf_file_write_atomic(path, files[i].text, strlen(files[i].text), 0644, err);
        free(path);
    }
    free(src);
    if (ok) {
        make_repository(dir);
        return dir;
    }
    free(dir);
    return NULL;
}

static void say(const char *format, ...) SF_PRINTF(1, 2);

static void say(const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    sf_print(&text);
    sf_strbuf_release(&text);
}

/* Shows the command that resumes a session; Enter does the same. */
static bool wants_back(const char *dir)
{
    char line[64] = "";

    say("\nYou are out of sf. In a project, sf -c goes on with its last session:\n\n"
        "    cd %s && sf -c\n\n"
        "Enter does that now; q and Enter ends the tour. ",
        dir);
    fflush(stdout);
    return fgets(line, sizeof(line), stdin) && line[0] != 'q';
}

static bool walk(struct sf_invocation *inv, const char *dir, size_t *step, int *signo,
                 struct sf_error *err)
{
    char id[SF_ID_LEN + 1] = "";

    sf_cli_give(inv, "workspace", dir);
    sf_cli_give(inv, "provider", "offline");
    if (!sf_app_run_tui(inv, step, signo, id, err))
        return false;
    if (*signo || !sf_tour_leaves(*step) || !id[0] || !wants_back(dir))
        return true;
    sf_cli_give(inv, "resume", id);
    return sf_app_run_tui(inv, step, signo, id, err);
}

int sf_cmd_tour(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    size_t step = 0;
    int signo = 0;
    char *dir;
    bool ok;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        sf_fail(&err, SF_E_ARG, "the tour needs a terminal");
        return sf_print_error(&err, SF_EXIT_USAGE);
    }
    distrust_here();
    dir = make_scratch(&err);
    ok = dir && walk(inv, dir, &step, &signo, &err);
    if (ok && step + 1 == sf_tour_steps())
        say("\nThat was the tour. Go to a project of yours and type sf.\n");
    else if (ok)
        say("\nThe tour stopped at step %zu of %zu; sf tour begins it again.\n", step + 1,
            sf_tour_steps());
    if (dir)
        say("What you tried is in %s; remove it when you like.\n", dir);
    free(dir);
    if (!ok)
        return sf_print_error(&err, SF_EXIT_FAILED);
    return signo ? 128 + signo : SF_EXIT_DONE;
}
