/*
 * The command line, end to end: the real program in a sandbox.
 */
#include <sys/stat.h>

#include "app/cli.h"
#include "io/io.h"
#include "support/program.h"
#include "support/test.h"
#include "support/tree.h"

static const struct {
    const char *words;
    int code;
    const char *out, *err; /* parts that must be there; "" means nothing at all */
} cases[] = {
    { "--version", 0, "sf 0.1.0 (", "" },
    { "--version", 0, "SQLite 3.", "" },
    { "-v --version", 0, "loaded: libgit2/", "" },
    { "--help", 0, "usage: sf [OPTION", "" },
    { "--help", 0, "\n  124 out of time\n", "" },
    { "config --help", 0, "--origin", "" },
    { "help options", 0, "\n  -C, --workspace DIR", "" },
    { "exec --help", 0, "\n      --verify COMMAND", "" },
    { "exec --help", 0, "All common options: `sf help options`.\n", "" },
    { "config --help", 0, "such as -C DIR and --config FILE: `sf help options`.\n", "" },
    { "help config set", 0, "sf config set [OPTION…] KEY VALUE", "" },
    { "help confg", 2, "", "did you mean 'config'?" },
    { "", 0, "SF chat | manual | normal | smart", "" },
    { "--mode repair --permission-profile trusted", 0, "SF repair | manual | trusted | smart", "" },
    { "--mode agent", 0, "SF build | assisted | normal | smart", "" },
    { "--mode normal", 0, "SF build | assisted | normal | smart", "" },
    { "--control manual --mode agent", 0, "SF build | manual | normal | smart", "" },
    { "--mode=biuld", 2, "",
      "--mode: defaults.work_mode: 'biuld' is unknown; did you mean 'build'?" },
    { "confgi", 2, "", "did you mean 'config'?" },
    { "confgi get ui.mouse", 2, "", "did you mean 'config'?" },
    { "sesions list", 2, "", "A prompt that begins so stands behind --" },
    { "-- confgi get ui.mouse", 2, "", "there is no terminal here" },
    { "wait", 2, "", "there is no terminal here" }, /* a prompt, no slip for init */
    { "'fix the config'", 2, "", "sf -p 'PROMPT' answers on standard output" },
    { "fix the bug", 2, "", "there is no terminal here" },
    { "completely-different", 2, "", "there is no terminal here" },
    { "-- confgi", 2, "", "there is no terminal here" },
    { "-c", 2, "", "there is no terminal here" },
    { "-r latest", 2, "", "there is no terminal here" },
    { "-r", 2, "", "`sf sessions` lists sessions" },
    { "-p hello -r", 2, "", "-r needs the id of a session here" },
    { "exec hello -r", 2, "", "-r needs the id of a session here" },
    { "-r '' -p hello", 2, "", "its id is missing" },
    { "taks", 2, "", "did you mean 'tasks'?" },
    { "tasks", 0, "# Tasks", "" },
    { "tasks --json", 0, "\"type\":\"response\"", "" },
    { "tasks now", 2, "", "too many arguments" },
    { "help completely-different", 2, "", "see `sf --help`" },
    { "help config nosuch", 2, "", "'nosuch' is no command of config" },
    { "--no-mouse-capture config get ui.mouse", 0, "true\n", "" },
    { "--orgin", 2, "", "unknown option --orgin" },
    { "config --orgin", 2, "", "did you mean --origin?" },
    { "-x", 2, "", "unknown option -x" },
    { "config get", 2, "", "sf config get needs KEY" },
    { "config get a b", 2, "", "too many arguments, beginning with 'b'" },
    { "config --origin=yes", 2, "", "--origin takes no value" },
    { "-C", 2, "", "--workspace needs DIR" },
    { "-C /no/such/place config", 2, "", "/no/such/place" },
    { "store", 2, "", "sf store needs one of its commands" },
    { "completion tcsh", 2, "", "there is no completion for 'tcsh'" },
    { "--config /no/such.toml config", 2, "", "there is no settings file /no/such.toml" },
    { "--profile nosuch config", 2, "", "there is no profile called 'nosuch'" },
    { "config get defaults.work_mode", 0, "chat\n", "" },
    { "config get guard.deny", 0, "[]\n", "" },
    { "config get models.model", 1, "", "'models.model' is not set" },
    { "config get defaults.wrk_mode", 2, "", "did you mean 'defaults.work_mode'?" },
    { "config get ..", 2, "", "'..' is not a key" },
    { "config --json", 0, "{\"key\":\"defaults.work_mode\",\"value\":\"chat\",", "" },
    { "--mode plan config get --origin defaults.work_mode", 0, "# command line --mode\n", "" },
    { "config set guard.allow 'git push origin'", 2, "",
      "'git push' would match, whatever stands behind it" },
    { "config set guard.deny 'cargo publish,Bash(rm:*)'", 2, "", "can never match" },
    { "config set guard.allow 'git push,make test'", 0, "", "" },
    { "permissions", 0, "approval mode: suggest\nNo rules and no approvals.\n", "" },
    { "permissions list --json", 0, "", "" },
    { "permissions revoke", 2, "", "sf permissions revoke needs N" },
    { "permissions revoke 1", 2, "", "no approval in force has the number 1" },
    { "permissions revoke x", 2, "", "is not the number of an approval" },
    { "config set permision_profile normal", 2, "", "did you mean 'defaults.permission_profile'?" },
    { "config set defaults.work_mode biuld", 2, "", "did you mean 'build'?" },
    { "config set coach.frequency 0", 2, "", "from 1 to 1000" },
    { "config set coach.frequency 1\n", 2, "", "expected an integer" },
    { "config unset ui.theme", 1, "", "'theme' is not set there" },
    { "log", 0, "", "" },
    { "log --limit x", 2, "", "no number of events" },
    { "log --since yesterday", 2, "", "neither a duration nor a time" },
    { "log --sql 'select 1 as one'", 0, "one\n1\n", "" },
    { "log --json --sql 'select 1 as one, null as n'", 0, "{\"one\":1,\"n\":null}\n", "" },
    { "log --sql 'drop table events'", 2, "", "sf: " },
    { "log --session zz", 2, "", "there is no session zz" },
    { "log --timeout 1 --sql 'with recursive n(i) as (select 1 union all select i + 1 from n) "
      "select count(*) from n'",
      124, "", "sf: " },
    { "config set models.x.base_url file:///etc/passwd", 2, "", "begins with https:// or http://" },
    { "config set models.x.base_url http://localhost:1", 0, "", "" },
    { "--model '' -p x", 2, "", "--model needs MODEL" },
    { "exec --provider= x", 2, "", "--provider needs PROVIDER" },
    { "log --sql 'selec 1'", 2, "", "syntax" },
    { "guard explain -- 'git push --force'", 0, "rule     git-force-push", "" },
    { "guard explain -- 'ls -l'", 0, "allow  Bash ls -l", "" },
    { "guard explain --json -- 'rm -rf x'", 0, "\"layer\":\"safety-harness\"", "" },
    { "guard explain --tool Edit --path .git/config", 0, "deny  Edit .git/config", "" },
    { "guard explain --tool Edit --path ../../x", 0, "lies outside the workspace", "" },
    { "guard explain --tool Edti --path x", 2, "", "did you mean Edit?" },
    { "guard explain --tool Fetch -- https://Example.org:8080/a", 0, "hosts    example.org", "" },
    { "guard explain --tool Fetch -- http://2130706433/", 2, "", "no host that can be read" },
    { "guard explain --tool Fetch", 2, "", "which address?" },
    { "guard explain", 2, "", "which command?" },
    { "guard explain --axes 'build|asisted|normal|smart' -- ls", 2, "", "did you mean assisted" },
    { "guard explain --scope nowhere -- ls", 2, "", "nowhere" },
    { "guard matrix", 0, "network write (push, publish, post)", "" },
    { "mode", 0, "SF chat | manual | normal | smart", "" },
    { "mode build", 0, "SF build | manual | normal | smart", "" },
    { "mode '/permission-profile restricted'", 0, "SF chat | manual | restricted | smart", "" },
    { "mode yolo", 2, "", "not trusted" },
    { "mode /sf", 2, "", "there is no command /sf" },
    { "mode biuld", 2, "", "did you mean build" },
    { "mode --session nosuch", 2, "", "nosuch" },
    { "trust", 0, "not trusted", "" },
    { "trust list", 0, "No workspace is trusted.", "" },
    { "trust remove", 1, "", "was not trusted" },
    { "store path", 0, "/sf.db\n", "" },
    { "store check", 0, "The store is sound.", "" },
    { "store recover", 1, "", "sf: " },
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        void *fresh;
        struct outcome o;

        sandbox_setup(&fresh);
        if (!strncmp(cases[i].words, "store", 5))
            sandbox_expect(fresh, "log", 0, NULL, NULL);
        o = sandbox_run(fresh, cases[i].words);
        if (o.code != cases[i].code || !strstr(o.out, cases[i].out) ||
            !strstr(o.err, cases[i].err) || (!*cases[i].err && *o.err) ||
            (!*cases[i].out && *o.out))
            fail_msg("sf %s: exit %d\nstdout: %s\nstderr: %s", cases[i].words, o.code, o.out,
                     o.err);
        outcome_release(&o);
        sandbox_teardown(&fresh);
    }
}

/* Each is reported with file, line, column and origin, and the right value stays in force. */
static void test_config_problems(void **state)
{
    static const struct {
        const char *name, *user, *project;
        int code;
        const char *says[3];
    } problems[] = {
        { "a broken user file",
          "[defaults]\nwork_mode = \"plan\n",
          NULL,
          1,
          { "config.toml:2:18: ", "(user settings)", "fix the file" } },
        { "a broken project file",
          NULL,
          "a = = 1",
          1,
          { "work/.sf/config.toml:1:5: ", "(project settings)", NULL } },
        { "an unknown key",
          "permision_profile = \"trusted\"",
          NULL,
          0,
          { "config.toml:1:1: unknown key 'permision_profile'",
            "did you mean 'defaults.permission_profile'?", "(user settings)" } },
        { "a wrong type",
          "\n[guard]\nallow_shell = \"no\"",
          NULL,
          1,
          { "config.toml:3:1: 'guard.allow_shell': expected true or false, not a string",
            "the strictest value is used", NULL } },
        { "an untrusted project raising the profile",
          NULL,
          "defaults.permission_profile = \"unrestricted\"",
          0,
          { "work/.sf/config.toml:1:1: 'defaults.permission_profile' is ignored", "`sf trust`",
            "(project settings)" } },
        { "allowing commands",
          NULL,
          "[guard]\nallow = [\"curl\"]",
          0,
          { "work/.sf/config.toml:2:1: 'guard.allow' is ignored", "`sf trust`", NULL } },
        { "moving the API",
          NULL,
          "[models.anthropic]\nbase_url = \"http://evil.example\"",
          0,
          { "work/.sf/config.toml:2:1: 'models.anthropic.base_url' is ignored",
            "a project cannot set it", NULL } },
        { "an address that is none",
          "models.x.base_url = \"javascript:1\"",
          NULL,
          1,
          { "config.toml:1:1: 'models.x.base_url': expected an address that begins with https://",
            NULL, NULL } },
        { "adding hooks",
          NULL,
          "[[hooks.Stop]]\ncommand = \"x\"",
          0,
          { "work/.sf/config.toml:1:9: 'hooks.Stop' is ignored", "`sf trust`", NULL } },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(problems); i++) {
        void *fresh;
        struct sandbox *w;
        struct outcome o;

        sandbox_setup(&fresh);
        w = fresh;
        if (problems[i].user)
            test_write(w->config, problems[i].user, strlen(problems[i].user));
        if (problems[i].project)
            test_write(w->project, problems[i].project, strlen(problems[i].project));
        o = sandbox_run(w, "config");
        for (size_t k = 0; k < SF_COUNT(problems[i].says) && problems[i].says[k]; k++)
            if (o.code != problems[i].code || !strstr(o.err, problems[i].says[k]))
                fail_msg("%s: exit %d, '%s' is not in:\n%s", problems[i].name, o.code,
                         problems[i].says[k], o.err);
        outcome_release(&o);
        sandbox_teardown(&fresh);
    }
}

static void test_set_keeps_the_file(void **state)
{
    static const char before[] =
        "# my settings\n\n[defaults] # axes\n  work_mode = \"chat\" # mode\n"
        "# end\n";
    static const char after[] =
        "# my settings\n\n[defaults] # axes\n  work_mode = \"plan\" # mode\n"
        "# end\n";
    struct sandbox *w = *state;
    char *text;

    test_write(w->config, before, strlen(before));
    sandbox_expect(w, "config set defaults.work_mode plan", 0, "", "");
    text = test_read(w->config, NULL);
    assert_string_equal(text, after);
    free(text);
    sandbox_expect(w, "config get defaults.work_mode", 0, "plan\n", NULL);
    sandbox_expect(w, "config set guard.deny 'rm -rf,git push --force'", 0, NULL, NULL);
    sandbox_expect(w, "config get guard.deny", 0, "[\"rm -rf\", \"git push --force\"]\n", NULL);
    sandbox_expect(w, "config unset guard.deny", 0, NULL, NULL);
    sandbox_expect(w, "config get guard.deny", 0, "[]\n", NULL);
    sandbox_expect(w, "log --kind config", 0, "set defaults.work_mode = plan in ", NULL);
}

static void test_key_commands_stay_out_of_the_log(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;

    sandbox_expect(w, "config set models.x.api_key_cmd 'echo sk-hush'", 0, NULL, NULL);
    o = sandbox_run(w, "log");
    assert_non_null(strstr(o.out, "models.x.api_key_cmd"));
    assert_null(strstr(o.out, "sk-hush"));
    outcome_release(&o);
}

static void test_set_refuses_a_broken_file(void **state)
{
    struct sandbox *w = *state;
    char *text;

    test_write(w->config, "x = \n", 5);
    sandbox_expect(w, "config set ui.theme light", 1, NULL, "config.toml:1:5: expected a value");
    text = test_read(w->config, NULL);
    assert_string_equal(text, "x = \n");
    free(text);
}

/* From untrusted to trusted to changed and back, as a user would see it. */
static void test_trust_journey(void **state)
{
    struct sandbox *w = *state;

    sandbox_expect(w, "config set --project defaults.permission_profile trusted", 0, NULL,
                   "only make it stricter");
    sandbox_expect(w, "config get defaults.permission_profile", 0, "normal\n", "sf trust");
    sandbox_expect(w, "trust add", 0, ": trusted", NULL);
    sandbox_expect(w, "config get defaults.permission_profile", 0, "trusted\n", "");
    sandbox_expect(w, "config set --project ui.theme x", 0, NULL, "a project cannot set it");
    sandbox_expect(w, "config set --project coach.frequency 7", 0, NULL, NULL);
    sandbox_expect(w, "trust status --json", 0, "\"trusted\":true", NULL);
    test_write(w->project, "defaults.permission_profile = \"unrestricted\"\n", 45);
    sandbox_expect(w, "trust status", 0, "changed", NULL);
    sandbox_expect(w, "config get defaults.permission_profile", 0, "normal\n",
                   "policy files changed");
    sandbox_expect(w, "trust remove", 0, "not trusted", NULL);
    sandbox_expect(w, "log --kind trust --json", 0, "\"action\":\"add\"", NULL);
}

/* The axes stay, and every change has its row. */
static void test_mode_is_durable(void **state)
{
    struct sandbox *w = *state;

    sandbox_expect(w, "mode 'build --assisted --permission-profile trusted'", 0,
                   "SF build | assisted | trusted | smart", "");
    sandbox_expect(w, "mode '/model-mode deep'", 0, "SF build | assisted | trusted | deep", "");
    sandbox_expect(w, "mode --json", 0, "\"version\":3", "");
    sandbox_expect(w, "log --sql 'select outcome, count(*) as n from mode_transitions group by 1'",
                   0, "applied\t2\n", NULL);
}

/* A script of calls under changing axes: every verdict is a row, with all five axes. */
static void test_verdicts_are_recorded(void **state)
{
    static const char *const axes[] = { "chat|manual|normal|smart", "build|assisted|trusted|deep",
                                        "review|autonomous|restricted|fast" };
    static const char *const calls[] = { "-- ls", "-- 'make test'", "-- 'rm -rf build'",
                                         "-- 'curl https://example.org'",
                                         "--tool Edit --path src/a.c" };
    struct sandbox *w = *state;
    struct outcome o;

    for (size_t a = 0; a < SF_COUNT(axes); a++)
        for (size_t c = 0; c < SF_COUNT(calls); c++) {
            struct sf_strbuf words = SF_STRBUF_INIT;

            sf_strbuf_addf(&words, "guard explain --record --axes '%s' %s", axes[a], calls[c]);
            sandbox_expect(w, words.buf, 0, NULL, "");
            sf_strbuf_release(&words);
        }
    o = sandbox_run(w, "log --sql 'select work_mode, run_control, permission_profile, model_mode, "
                       "surface, count(*), count(rule), count(layer) from decisions group by 1 "
                       "order by 1'");
    assert_non_null(strstr(o.out, "build\tassisted\ttrusted\tdeep\theadless\t5\t5\t5\n"));
    assert_non_null(strstr(o.out, "chat\tmanual\tnormal\tsmart\theadless\t5\t5\t5\n"));
    assert_non_null(strstr(o.out, "review\tautonomous\trestricted\tfast\theadless\t5\t5\t5\n"));
    outcome_release(&o);
}

/* Verdicts under broken settings are the strictest, and the reason is said. */
static void test_verdict_names_broken_settings(void **state)
{
    struct sandbox *w = *state;

    test_write(w->config, "x = \n", 5);
    sandbox_expect(w, "guard explain -- 'make test'", 0, "deny  Bash make test",
                   "config.toml:1:5: expected a value");
}

static void test_hostile_text_is_harmless(void **state)
{
    struct sandbox *w = *state;
    static const char text[] = "\"\\u001b]0;owned\\u0007\" = 1\nui.theme = \"a\\u001b[2Jb\"\n";
    struct outcome o;

    test_write(w->config, text, strlen(text));
    o = sandbox_run(w, "config");
    assert_null(strchr(o.out, '\x1b'));
    assert_null(strchr(o.err, '\x1b'));
    assert_non_null(strstr(o.err, "unknown key"));
    outcome_release(&o);
}

static void test_output_that_cannot_be_written(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;

    o = sandbox_run_program(w, "/bin/sh", "-c '" SF_PROGRAM " --help > /dev/full'");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "cannot write the output: no space left"));
    outcome_release(&o);
    o = sandbox_run_program(w, "/bin/sh", "-c '" SF_PROGRAM " -p status > /dev/full'");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "cannot write the output: no space left"));
    outcome_release(&o);
}

static void test_classify_names_the_line(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;

    tree_puts(w->workspace, "lines", "ls\na\\q\n");
    o = sandbox_run_program(w, "/bin/sh", "-c '" SF_PROGRAM " guard classify <lines'");
    if (o.code != 2 || !strstr(o.out, "allow") || !strstr(o.err, "sf: line 2: "))
        fail_msg("exit %d\nstdout: %s\nstderr: %s", o.code, o.out, o.err);
    outcome_release(&o);
}

/* With descriptors closed, nothing of sf's output lands in a file it opened. */
static void test_closed_descriptors(void **state)
{
    struct sandbox *w = *state;

    for (int mask = 0; mask < 8; mask++) {
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct outcome o;

        sf_strbuf_addf(&words, "-c '" SF_PROGRAM " config set ui.theme dark%s%s%s'",
                       mask & 1 ? " <&-" : "", mask & 2 ? " >&-" : "", mask & 4 ? " 2>&-" : "");
        o = sandbox_run_program(w, "/bin/sh", words.buf);
        if (o.code != 0)
            fail_msg("mask %d: exit %d: %s", mask, o.code, o.err);
        outcome_release(&o);
        sf_strbuf_release(&words);
    }
    sandbox_expect(w, "config get ui.theme", 0, "dark\n", "");
}

static const char *const lost[] = { "-p \"list src\"", "config get ui.theme", "--version",
                                    "-p /status", "exec --output-format json \"list src\"" };

/* Output that nobody can get is lost, and that is no success. */
static void test_closed_output(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(lost); i++) {
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct outcome o;

        sf_strbuf_addf(&words, "-c 'mkdir -p src; " SF_PROGRAM " %s >&-'", lost[i]);
        o = sandbox_run_program(w, "/bin/sh", words.buf);
        if (o.code != 1 || !strstr(o.err, "cannot write the output"))
            fail_msg("%s: exit %d: %s", lost[i], o.code, o.err);
        outcome_release(&o);
        sf_strbuf_release(&words);
    }
}

/* What was complained about stands in the log file too, one line each. */
static void test_log_file(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;
    char *slash, *path, *text;

    test_write(w->config, "unknwon = 1\n", 12);
    sandbox_expect(w, "config", 0, NULL, "unknown key");
    o = sandbox_run(w, "store path");
    slash = strrchr(o.out, '/');
    *slash = '\0';
    path = test_path(o.out, "logs/sf.log");
    text = test_read(path, NULL);
    assert_non_null(strstr(text, " warn "));
    assert_non_null(strstr(text, "config.toml:1:1: unknown key 'unknwon'"));
    free(text);
    free(path);
    outcome_release(&o);
}

static void test_files_are_private(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;
    struct stat st;

    o = sandbox_run_program(w, "/bin/sh", "-c 'umask 000; " SF_PROGRAM " trust add'");
    assert_int_equal(o.code, 0);
    outcome_release(&o);
    o = sandbox_run(w, "store path");
    o.out[strcspn(o.out, "\n")] = '\0';
    assert_int_equal(stat(o.out, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    outcome_release(&o);
    assert_int_equal(stat(w->state, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
}

/* Every option of every command that takes a value takes the next word, whatever it looks like. */
static size_t check_values(const struct sf_command *path[], size_t depth)
{
    static const char *const words[] = {
        "--config=evil.toml", "--yolo", "-C", "--", "-", "--help"
    };
    const struct sf_command *command = path[depth - 1];
    size_t checked = 0;

    for (size_t i = 0; i < command->option_count; i++)
        for (size_t k = 0; command->options[i].arg && k < SF_COUNT(words); k++) {
            const struct sf_option *o = &command->options[i];
            struct sf_invocation inv = { 0 };
            struct sf_error err = SF_ERROR_INIT;
            char name[80], *argv[12] = { (char[]){ "sf" } };
            int argc = 1;

            if (!o->setting && o->complete == SF_COMPLETE_CHOICE)
                continue; /* none of the words is among its choices */
            for (size_t d = 1; d < depth; d++)
                argv[argc++] = sf_strdup(path[d]->name);
            snprintf(name, sizeof(name), "--%s", o->name);
            argv[argc++] = name;
            argv[argc++] = sf_strdup(words[k]);
            if (!sf_cli_parse(&inv, argc, argv, &err))
                fail_msg("--%s %s: %s", o->name, words[k], err.msg);
            assert_int_equal(inv.given_count, 1);
            assert_ptr_equal(inv.given[0].option, o);
            assert_string_equal(inv.given[0].value, words[k]);
            sf_cli_release(&inv);
            for (int d = 1; d < argc; d++)
                if (argv[d] != name)
                    free(argv[d]);
            checked++;
        }
    for (size_t i = 0; i < command->sub_count; i++) {
        path[depth] = &command->subs[i];
        checked += check_values(path, depth + 1);
    }
    return checked;
}

static void test_values(void **state)
{
    const struct sf_command *path[8] = { &sf_root_command };
    size_t checked = check_values(path, 1);

    (void)state;
    print_message("%zu looked at\n", checked);
    assert_true(checked > 200);
}

/* ---- words that are nearly a command ---- */

/* Whether the words, split at blanks, are refused as a typo of a command. */
static bool is_refused(const char *words, const char *before)
{
    char *copy = sf_strdup(words), *argv[12] = { (char[]){ "sf" } };
    struct sf_invocation inv = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    int argc = 1;
    bool ok;

    if (before)
        argv[argc++] = sf_strdup(before);
    for (char *at = copy; *at && argc < 12;) {
        size_t n = strcspn(at, " ");

        argv[argc++] = sf_strndup(at, n);
        at += n + (at[n] == ' ');
    }
    ok = sf_cli_parse(&inv, argc, argv, &err);
    if (!ok && !strstr(err.hint, "did you mean"))
        fail_msg("%s: %s; %s", words, err.msg, err.hint);
    sf_cli_release(&inv);
    while (argc > 1)
        free(argv[--argc]);
    free(copy);
    return !ok;
}

/* How many rows of a help page explain the option. */
static size_t count_rows(const char *page, const struct sf_option *o)
{
    char name[80];
    size_t times = 0;

    snprintf(name, sizeof(name), "--%s%s", o->name, o->arg ? " " : "\n");
    for (const char *at = page; (at = strstr(at, "\n  ")); at++) {
        const char *row = at + 3 + (at[3] == '-' && at[4] != '-' ? 4 : strspn(at + 3, " "));
        char start[80];

        snprintf(start, sizeof(start), "%.*s%s", (int)strcspn(row, " \n"), row,
                 o->arg ? " " : "\n");
        times += !strcmp(start, name);
    }
    return times;
}

/* The page of a command names each option once, and common ones only where they matter. */
static void check_page(const struct sf_invocation *inv)
{
    const struct sf_command *command = inv->chain[inv->depth - 1];
    struct sf_strbuf page = SF_STRBUF_INIT;

    sf_help_add(&page, inv);
    for (size_t i = 0; i < sf_root_command.option_count; i++) {
        size_t times = count_rows(page.buf, &sf_root_command.options[i]);

        if (times > 1)
            fail_msg("%s names --%s %zu times", command->name, sf_root_command.options[i].name,
                     times);
    }
    if (inv->depth == 1)
        assert_int_equal(count_rows(page.buf, &sf_root_command.options[0]), 1);
    else
        assert_null(strstr(page.buf, "--max-tool-calls"));
    sf_strbuf_release(&page);
    for (size_t i = 0; i < command->sub_count && inv->depth < SF_COUNT(inv->chain); i++) {
        struct sf_invocation deeper = *inv;

        deeper.chain[deeper.depth++] = &command->subs[i];
        check_page(&deeper);
    }
}

static void test_pages(void **state)
{
    const struct sf_invocation root = { .chain = { &sf_root_command }, .depth = 1 };

    (void)state;
    check_page(&root);
}

static const char *const typos[] = {
    "taks",
    "tsaks",
    "task",
    "sesions",
    "sessoins list",
    "confg",
    "confg set a b",
    "conifg get ui.theme",
    "exce",
    "exce fix the bug",
    "docter",
    "doctr",
    "dcotor",
    "hlep",
    "halp",
    "resum",
    "resum 01abc",
    "lgo",
    "logs",
    "trsut",
    "trust-",
    "restor",
    "restore-",
    "restroe 3",
    "frok",
    "forc",
    "permision",
    "permissons list",
    "permisions revoke 3",
    "inti",
    "tuor",
    "gurad explain ls",
    "cgae ls",
    "goale",
    "gaol set ship it",
    "diif",
    "completion-",
    "stroe check",
    "modes",
    "model",
    "conect",
    "conncet ollama",
    "Help",
};
static const char *const prompts[] = {
    "hello",
    "fix",
    "fix the bug",
    "run the tests",
    "why does it crash",
    "what is this",
    "explain src/a.c",
    "explain",
    "continue",
    "yes",
    "no",
    "go on",
    "wait",
    "tests are failing",
    "goals are unclear, rewrite them",
    "case insensitive search",
    "page numbers are wrong",
    "sort the imports",
    "work on the parser",
    "logs are too long, shorten them",
    "models should be listed by name",
    "more tests please",
    "help?",
    "modes?",
    "tasks?",
    "logs/",
    "init.c",
    "./config",
    "src/",
    "README.md",
    "config.toml is broken",
    "~/notes",
    "@src/a.c",
    "#12",
    "/status",
    "!ls",
    "'fix it'",
    "task: write a parser",
    "doctors are listed twice",
    "forks of this repository",
    "trusts nobody",
    "add a store",
    "refactor",
    "commit",
    "summarise",
    "übersetze das",
    "修正して",
    "delete-everything",
    "",
    "2+2",
};

static void test_typos(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(typos); i++) {
        if (!is_refused(typos[i], NULL))
            fail_msg("sf %s would be paid for", typos[i]);
        if (is_refused(typos[i], "--"))
            fail_msg("sf -- %s is a prompt", typos[i]);
    }
    for (size_t i = 0; i < SF_COUNT(prompts); i++)
        if (is_refused(prompts[i], NULL))
            fail_msg("sf %s is a prompt", prompts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_typos),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_config_problems),
        cmocka_unit_test_setup_teardown(test_set_keeps_the_file, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_key_commands_stay_out_of_the_log, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_set_refuses_a_broken_file, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_trust_journey, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_mode_is_durable, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_verdicts_are_recorded, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_verdict_names_broken_settings, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_hostile_text_is_harmless, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_output_that_cannot_be_written, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_classify_names_the_line, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_closed_descriptors, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_closed_output, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_log_file, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_files_are_private, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
