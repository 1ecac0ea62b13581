/*
 * classify_net.c: programs that talk to other hosts, and the words by which tools nobody described
 * say that they remove or publish something.
 */
#include <string.h>

#include "shell/classifier.h"

/* Commands inside a word whose output may well be part of an address. */
static bool harmless_inside(const struct sf_classifier *j, const struct sf_word *w)
{
    static const char usual[] =
        "uname|arch|date|curl|wget|jq|git|dpkg|lsb_release|nproc|tr|cut|sed|awk|grep|head|tail|"
        "sort|"
        "basename|dirname|echo|printf|rustc|go|seq|python|python3|node|getconf";

    for (const struct sf_shell_command *c = j->shell->first; c; c = c->next)
        if (c->at >= w->at && c->at < w->at + w->span && c->kind == SF_SHELL_SIMPLE && c->count &&
            !sf_pattern_fits(usual, sizeof(usual) - 1, c->words[0].text))
            return false;
    return true;
}

/* Data of a command that leaves in a name or an address. */
static void carries_data(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 1; i < call->count; i++)
        if (call->words[i].flags & SF_WORD_SUBST && !harmless_inside(j, &call->words[i]))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "data-in-address", &call->words[i]);
}

static void note_hosts(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++)
        if (strchr(call->operands[i]->text, '.') || strstr(call->operands[i]->text, "://"))
            sf_report_host(j, call->operands[i]->text);
}

/* ping, dig, nslookup, whois: the question itself leaves the machine. */
void sf_classify_resolve(struct sf_classifier *j, const struct sf_shell_call *call)
{
    note_hosts(j, call);
    carries_data(j, call);
}

static void note_download(struct sf_classifier *j, const char *url)
{
    size_t len = strcspn(url, "?#");
    char *copy = sf_arena_strndup(j->arena, url, len);
    const char *slash = strrchr(copy, '/');

    if (slash && slash[1])
        sf_classify_made(j, slash + 1, NULL, 0, true);
}

static bool deletes(const char *method)
{
    static const char methods[] = "DELETE|delete|Delete|PURGE|purge";

    return sf_pattern_fits(methods, sizeof(methods) - 1, method);
}

static void judge_urls(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++) {
        const char *t = call->operands[i]->text;

        if (strstr(t, "_delete_by_query") || deletes(t))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "http-delete", call->operands[i]);
    }
}

void sf_classify_curl(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *method = sf_options_find(call->options, "-X --request");
    const struct sf_word_option *out = sf_options_find(call->options, "-o --output");
    bool named = sf_options_has(call->options, "-O --remote-name --remote-name-all");

    if (method && method->value && deletes(method->value))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "http-delete", method->word);
    if (out && out->value)
        sf_classify_made(j, out->value, NULL, 0, true);
    for (size_t i = 0; named && i < call->noperands; i++)
        note_download(j, call->operands[i]->text);
    judge_urls(j, call);
    note_hosts(j, call);
    carries_data(j, call);
}

void sf_classify_wget(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *out = sf_options_find(call->options, "-O --output-document");
    const struct sf_word_option *method = sf_options_find(call->options, "--method");

    if (method && method->value && deletes(method->value))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "http-delete", method->word);
    if (out && out->value)
        sf_classify_made(j, out->value, NULL, 0, true);
    for (size_t i = 0; !out && i < call->noperands; i++)
        note_download(j, call->operands[i]->text);
    note_hosts(j, call);
    carries_data(j, call);
}

static bool runs_locally(const char *setting)
{
    static const char *const names[] = { "proxycommand",      "localcommand", "permitlocalcommand",
                                         "knownhostscommand", "match",        "include",
                                         "proxyusefd" };

    setting += strspn(setting, " ");
    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!strncasecmp(setting, names[i], strlen(names[i])))
            return true;
    return false;
}

static void ssh_settings(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->options->count; i++) {
        const struct sf_word_option *o = &call->options->items[i];

        if (o->name_len == 1 && *o->name == 'o' && o->value &&
            (runs_locally(o->value) || (o->value_in->flags & SF_WORD_EXPANDS && !*o->value)))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", o->word);
    }
}

/* ssh HOST COMMAND…: the rest is read by a shell over there. */
void sf_classify_ssh(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool known = true;
    const char *text;
    size_t len;
    bool some;

    ssh_settings(j, call);
    if (call->count)
        sf_report_host(j, call->words[0].text);
    for (size_t i = 1; i < call->count; i++)
        known = known && !(call->words[i].flags & SF_WORD_EXPANDS);
    if (call->count > 1 && known) {
        struct sf_shell_call rest = *call;

        rest.words++;
        rest.count--;
        sf_classify_eval(j, &rest);
    } else if (call->count == 1 && sf_classify_input(j, call->cmd, &text, &len, &some)) {
        sf_classify_text(j, text, len, &call->words[0]);
    } else if (call->count > 1 && !call->words[1].head) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", &call->words[1]);
    }
}

/* scp, rsync: host:path is far, the rest is near; the last operand is written. */
void sf_classify_copy_hosts(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool far = false;

    ssh_settings(j, call);
    for (size_t i = 0; i < call->noperands; i++) {
        const char *t = call->operands[i]->text;
        const char *colon = strchr(t, ':');
        bool here = !colon || memchr(t, '/', (size_t)(colon - t));

        if (!here) {
            sf_report_host(j, t);
            far = true;
        } else if (i + 1 == call->noperands && i) {
            sf_classify_write(j, call->operands[i], t);
        } else {
            sf_classify_lands(j, call->operands[i]);
            sf_classify_reads(j, call->operands[i], t);
        }
    }
    if (far) {
        sf_classify_raise(j, SF_CLASS_NETWORK, "network", &call->words[0]);
        j->talks = true;
    }
}

void sf_classify_socket(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char running[] = "exec:*|EXEC:*|system:*|SYSTEM:*|Exec:*|shell:*|SHELL:*";

    for (size_t i = 0; i < call->noperands; i++)
        if (sf_pattern_fits(running, sizeof(running) - 1, call->operands[i]->text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", call->operands[i]);
    note_hosts(j, call);
    carries_data(j, call);
}

static bool reaches_host(const char *volume)
{
    static const char places[] = "/:*|/etc*|/root*|/home*|/usr*|/var*|/dev*|/boot*|/proc*|/sys*|~*|"
                                 "/lib*|/bin*|/sbin*|/opt*|/:/*";

    return sf_pattern_fits(places, sizeof(places) - 1, volume) || strstr(volume, "source=/,") ||
           strstr(volume, "src=/,") || strstr(volume, "docker.sock");
}

/* docker run: what of the host it may touch, and which command it starts. */
void sf_classify_container(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->options->count; i++) {
        const struct sf_word_option *o = &call->options->items[i];

        if (o->value &&
            ((o->name_len == 1 && *o->name == 'v') ||
             (o->name_len > 4 && (!strncmp(o->name, "volume", o->name_len) ||
                                  !strncmp(o->name, "mount", o->name_len)))) &&
            (reaches_host(o->value) || (o->value_in->lead && !strcmp(o->value_in->lead, "HOME"))))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "container-host", o->word);
        if (o->value && !strcmp(o->value, "host"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "container-host", o->word);
    }
    sf_classify_tail(j, call);
}

/* clang-format off */
static const char removing[] =
    "delete|del|destroy|drop|purge|remove|rm|uninstall|wipe|erase|flush|flushall|flushdb|truncate|"
    "prune|terminate|shutdown|reboot|poweroff|halt|kill|revoke|nuke|evict|deregister|teardown|"
    "undeploy|unlink|shred|discard|obliterate|rmi|rollback|reset|detach|disable|unpublish|cancel|"
    "abort|stop|restore|format|forget|unmount|wipefs|rb|destroyall|dropdb|clear|off|invalidate|"
    "unregister|zap|trash|empty|expunge|deactivate|factoryreset|fdisk";
static const char publishing[] =
    "publish|deploy|release|push|upload|promote|yank|deprecate|submit|distribute";
/* clang-format on */

static const char *verb_rule(const char *text)
{
    while (*text) {
        char piece[32];
        size_t n = strcspn(text, "-_:/");

        if (n < sizeof(piece)) {
            memcpy(piece, text, n);
            piece[n] = '\0';
            if (sf_pattern_fits(removing, sizeof(removing) - 1, piece))
                return "removal-verb";
            if (sf_pattern_fits(publishing, sizeof(publishing) - 1, piece))
                return "publish";
        }
        text += n + (text[n] != '\0');
    }
    return NULL;
}

/* `hex.publish`, `ecto.drop`: a dot also makes file names, so only the last part may tell. */
static const char *dotted_rule(const char *text)
{
    const char *dot = strrchr(text, '.');

    return verb_rule(dot ? dot + 1 : text);
}

static bool rehearses(const struct sf_shell_call *call)
{
    static const char dry[] = "--dry-run|--dryrun|--dry-run=client|--dry-run=server|--dry-run=true|"
                              "--what-if|--check|--noop|--simulate|-n";

    for (size_t i = 1; i < call->count; i++)
        if (sf_pattern_fits(dry, sizeof(dry) - 1, call->words[i].text))
            return true;
    return false;
}

/*
 * Tools with verbs that no row names: the first few operands and the long options are looked
 * through for words that remove or publish. File names are no verbs.
 */
void sf_classify_verbs(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t seen = 0;

    if (rehearses(call))
        return;
    for (size_t i = 1; i < call->count && seen < 4; i++) {
        const char *t = call->words[i].text;
        bool option = t[0] == '-' && t[1] == '-';
        const char *rule;

        if (strpbrk(t, " =\t\n") || (strchr(t, '/') && !option) || (*t == '-' && !option))
            continue;
        seen += !option;
        rule = dotted_rule(option ? t + 2 : t);
        if (rule && !(option && strncmp(t, "--no-", 5) == 0))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, rule, &call->words[i]);
    }
}
