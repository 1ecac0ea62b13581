/*
 * classify_tools.c: package tools, builds, clouds and clusters, where a verb somewhere among the
 * operands decides.
 */
#include <string.h>

#include "shell/classifier.h"

static bool first_is(const struct sf_shell_call *call, const char *patterns)
{
    return call->noperands && sf_pattern_fits(patterns, strlen(patterns), call->operands[0]->text);
}

static void from_operand(struct sf_classifier *j, const struct sf_shell_call *call, size_t i)
{
    const struct sf_word *end = call->argv + call->argc;

    if (i < call->noperands)
        sf_classify_words(j, call->cmd, call->operands[i], (size_t)(end - call->operands[i]),
                          call->wrapped + 1);
}

/* npx NAME ARGS: fetched code at least, and what NAME is known to do. */
void sf_classify_fetched_tool(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool foreign;

    if (call->noperands && sf_classify_knows(j, sf_program_name(call->operands[0], &foreign))) {
        from_operand(j, call, 0);
    } else {
        sf_classify_script_name(j, call);
        sf_classify_anywhere(j, call);
    }
}

/* uv tool run NAME */
void sf_classify_fetched_tool2(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->argc > 2 && !strcmp(call->argv[2].text, "run"))
        from_operand(j, call, 0);
}

/* poetry run CMD, bundle exec CMD */
void sf_classify_runner(struct sf_classifier *j, const struct sf_shell_call *call)
{
    from_operand(j, call, 0);
}

/* `yarn` alone installs; `yarn workspaces foreach exec CMD` runs a command. */
void sf_classify_npm_bare(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (!call->noperands && sf_pattern_fits("yarn|yarnpkg|berry|ni", 21, call->argv[0].text))
        sf_classify_raise(j, SF_CLASS_NETWORK, "network", &call->argv[0]);
    sf_classify_script_name(j, call);
    sf_classify_anywhere(j, call);
}

void sf_classify_npm_edit(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char keys[] =
        "script-shell*|shell*|editor*|git*|node-options*|userconfig*|prefix*|"
        "registry*|*_authToken*|ignore-scripts*|init-module*|viewer*|browser*";

    for (size_t i = 0; i < call->noperands; i++)
        if (sf_pattern_fits(keys, sizeof(keys) - 1, call->operands[i]->text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "write-protected", call->operands[i]);
    if (call->argc > 2 && sf_pattern_fits("config|c", 8, call->argv[1].text) &&
        sf_pattern_fits("set|delete|edit|fix", 19, call->argv[2].text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "write-outside", &call->argv[2]);
    if (call->argc > 1 && sf_pattern_fits("create|init|env|setup", 21, call->argv[1].text) &&
        call->noperands)
        sf_classify_raise(j, SF_CLASS_NETWORK, "fetched-tool", call->operands[0]);
}

/* go run of a module with a version fetches it */
void sf_classify_go_run(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++)
        if (strchr(call->operands[i]->text, '@'))
            sf_classify_raise(j, SF_CLASS_NETWORK, "fetched-tool", call->operands[i]);
}

void sf_classify_dotnet(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands)
        sf_classify_verbs(j, call);
}

/* Some of the listing verbs ask a server. */
void sf_classify_pkg_list(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char remote[] = "brew|snap|flatpak|dnf|yum|zypper|winget|choco|scoop|port|pkg";
    static const char asking[] = "search|info|outdated|find|remote-ls|show|desc|cat|why|repolist|"
                                 "provides|files|home";
    const struct sf_word *verb =
        call->operands > call->options->operands ? call->operands[-1] : NULL;

    if (verb && (!strcmp(verb->text, "changelog") ||
                 (sf_pattern_fits(remote, sizeof(remote) - 1, call->argv[0].text) &&
                  sf_pattern_fits(asking, sizeof(asking) - 1, verb->text))))
        sf_classify_raise(j, SF_CLASS_NETWORK, "network", verb);
}

/* Targets and goals: publishing ones by name; mvn and gradle spell some their own way. */
void sf_classify_build_verbs(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char goals[] =
        "uploadArchives|bintrayUpload|closeAndReleaseRepository|site-deploy|"
        "release:perform|release:prepare|deploy:*|publishTo*|publishAll*|"
        "jib|dockerPush|db:drop*|db:reset|db:purge|db:migrate:reset|db:rollback*|"
        "migrate:fresh|migrate:reset|migrate:rollback|db:wipe|db:seed:replant|db:schema:load|"
        "dropAll|flywayClean|flyway:clean|liquibase:dropAll|uninstall|expunge";

    for (size_t i = 0; i < call->noperands; i++)
        if (sf_pattern_fits(goals, sizeof(goals) - 1, call->operands[i]->text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "publish", call->operands[i]);
    sf_classify_script_name(j, call);
}

/* pre-commit install, husky add: from now on something runs at every commit */
void sf_classify_hooks(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (first_is(call, "install|uninstall|add|set|init|install-hooks|migrate-config|remove|delete"))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hooks", call->operands[0]);
}

/* rpm -qp URL, xmllint URL: a reader that fetches what it reads */
void sf_classify_may_fetch(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++) {
        if (!strstr(call->operands[i]->text, "://")) {
            sf_classify_reads(j, call->operands[i], call->operands[i]->text);
            continue;
        }
        sf_report_host(j, call->operands[i]->text);
        sf_classify_raise(j, SF_CLASS_NETWORK, "network", call->operands[i]);
        j->talks = true;
    }
}

/* cmake -E: a small tool box of its own */
void sf_classify_cmake_tool(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (first_is(call, "rm|remove|remove_directory"))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "delete", call->operands[0]);
    sf_classify_anywhere(j, call);
}

void sf_classify_deno(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (first_is(call, "install|cache|add|upgrade|publish|jupyter|serve|deploy|outdated|update"))
        sf_classify_raise(j, SF_CLASS_NETWORK, "network", call->operands[0]);
    if (first_is(call, "publish|deploy|uninstall|remove|clean"))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "publish", call->operands[0]);
    for (size_t i = 0; i < call->noperands; i++) {
        if (strstr(call->operands[i]->text, "://"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "fetched-code", call->operands[i]);
        if (i && first_is(call, "eval"))
            sf_classify_run_code(j, NULL, call->operands[i], call->operands[i]->text);
        if (i == 1 && first_is(call, "run"))
            sf_classify_run_file(j, call->operands[i], call->operands[i]->text, false);
    }
}

void sf_classify_redis_like(struct sf_classifier *j, const struct sf_shell_call *call)
{
    sf_classify_redis(j, call);
    sf_classify_verbs(j, call);
}

/* Migrations: forward is a build step against some database, backward loses data. */
void sf_classify_migration(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char always[] =
        "dropdb|dropuser|pg_restore|mysqladmin|mongorestore|pg_resetwal|pg_rewind|"
        "pg_dropcluster|pg_archivecleanup|pg_ctl|mysqlimport|mongoimport|pg_ctlcluster|"
        "mysql_install_db|mysql_secure_installation|vacuumdb|pt-*|gh-ost";
    static const char back[] =
        "down|downgrade|rollback|drop|reset|clean|wipe|undo|revert|*:undo*|*:drop*|"
        "*:reset|*:revert|*:rollback|drop-all|dropAll|*rollback*|redo|fresh|purge|repair|"
        "force|push|delete|destroy";
    bool foreign;
    const char *name = sf_program_name(&call->argv[0], &foreign);

    if (sf_pattern_fits(always, sizeof(always) - 1, name))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "database-removal", &call->argv[0]);
    for (size_t i = 0; i < call->noperands; i++)
        if (sf_pattern_fits(back, sizeof(back) - 1, call->operands[i]->text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "database-removal", call->operands[i]);
    for (size_t i = 1; i < call->argc; i++)
        if (sf_pattern_fits("--force|--force-reset|--accept-data-loss|--drop|--clean", 54,
                            call->argv[i].text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "database-removal", &call->argv[i]);
}

/* sftp, ftp: the input holds commands, some of which run here */
void sf_classify_transfer(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const char *text = "";
    size_t len;
    bool some;

    if (sf_classify_input(j, call->cmd, &text, &len, &some) || some)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "opaque-script", NULL);
    sf_classify_copy_hosts(j, call);
}

/* `--dry-run=none` is no dry run */
void sf_classify_dry_run(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *o = sf_options_find(call->options, "--dry-run");

    if (o && o->value && !sf_pattern_fits("client|server|true", 18, o->value))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "cluster-removal", o->word);
}

void sf_classify_kubectl_exec(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool dashes = false;

    for (size_t i = 1; i < call->argc; i++)
        dashes = dashes || !strcmp(call->argv[i].text, "--");
    if (dashes)
        sf_classify_behind_dashes(j, call);
    else
        from_operand(j, call, 1);
}

/* docker cp, save -o, export: what lands outside */
void sf_classify_container_files(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *o = sf_options_find(call->options, "-o --output");

    if (o && o->value && !strchr(o->value, '='))
        sf_classify_write(j, o->value_in, o->value);
    if (call->argc > 1 && !strcmp(call->argv[1].text, "cp") && call->noperands == 2 &&
        !strchr(call->operands[1]->text, ':'))
        sf_classify_write(j, call->operands[1], call->operands[1]->text);
}

/* Verbs that bring clouds and clusters down, besides those every tool shares. */
static bool tears_down(const char *verb)
{
    static const char verbs[] =
        "apply|up|destroy|deploy|down|rb|rm|mv|uninstall|rollback|taint|untaint|"
        "force-unlock|terminate-*|delete-*|remove-*|deregister-*|stop-*|reboot-*|disable-*|"
        "detach-*|"
        "revoke-*|reset-*|purge-*|cancel-*|modify-*|"
        "schedule-key-deletion|move|purge|delete|deletefile|cleanup|rmdir|rmdirs|dedupe|settier|"
        "backup-delete|cancel|stop|restart|reset|scale|sync-delete|patch|abort|promote|failover|"
        "delete_*|purge_*|forget_*|stop_app|reset|clear_*|set_permissions|change_password|add_user|"
        "decommission|removenode|assassinate|drain|leave|seal|revoke|unseal|step-down|migrate|"
        "format|"
        "unset|config:set|config:unset|pg:*reset*|*:destroy|*:delete|*:remove|"
        "publish|release|replace|halt|-rm|-rmr|-delete|-expunge|-put|-mv|"
        "bootstrap-delete|vacuum|zap|mirror|prune|clean";
    return sf_pattern_fits(verbs, sizeof(verbs) - 1, verb);
}

static bool only_looks(const char *verb)
{
    static const char verbs[] =
        "ls|list|list-*|describe|describe-*|get|get-*|show|show-*|status|info|version|help|plan|"
        "validate|"
        "fmt|output|preview|logs|log|search|history|diff|template|lint|graph|whoami|ps|top|view|"
        "tree|"
        "size|lsd|lsl|lsf|lsjson|cat|about|check|query|dump|head-*|lookup-*|describe_*|list_*|"
        "status_*|"
        "explain|inspect|stat|du|--list|--describe|list-*|wait|console|doctor|ping|who|overview|"
        "tail|"
        "providers|cluster-info|api-versions|current-context|facts|inventory|releases";
    return sf_pattern_fits(verbs, sizeof(verbs) - 1, verb);
}

/* ansible HOSTS -m MODULE -a 'ARGUMENTS' */
static void judge_ansible(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *o = sf_options_find(call->options, "-a");

    if (o && o->value && strstr(o->value, "state="))
        sf_classify_raise(j,
                          strstr(o->value, "absent") || strstr(o->value, "stopped")
                              ? SF_CLASS_DESTRUCTIVE
                              : SF_CLASS_NETWORK,
                          "cloud-removal", o->word);
    else if (o && o->value)
        sf_classify_word_text(j, o->value_in, o->value);
}

/* The first operand that is a verb of either kind decides; options that delete always count. */
void sf_classify_cloud(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char options[] =
        "--delete|-delete|--purge|-destroy|--destroy|--remove|--force-destroy|"
        "--delete-source|--alter|--reset-offsets|--execute|--prune|--wipe|--prod";
    bool looked = false, rehearsed = false;

    for (size_t i = 1; i < call->argc; i++)
        rehearsed = rehearsed ||
                    sf_pattern_fits(
                        "--dry-run|--dryrun|--check|--dry-run=client|--dry-run=server|--no-execute",
                        73, call->argv[i].text);
    for (size_t i = 0; i < call->noperands && i < 4 && !looked && !rehearsed; i++) {
        const char *t = call->operands[i]->text;

        if (only_looks(t))
            looked = true;
        else if (tears_down(t))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "cloud-removal", call->operands[i]);
    }
    for (size_t i = 1; i < call->argc && !looked && !rehearsed; i++)
        if (sf_pattern_fits(options, sizeof(options) - 1, call->argv[i].text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "cloud-removal", &call->argv[i]);
    if (!looked && !rehearsed)
        sf_classify_verbs(j, call);
    if (!strncmp(call->argv[0].text, "ansible", 7))
        judge_ansible(j, call);
}
