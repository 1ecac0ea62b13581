/*
 * classify_code.c: programs handed to interpreters: as an option, as a file, or through the input.
 * Code that comes out of a pipe or a download is not in the text and asks in every profile.
 */
#include <string.h>

#include "shell/classifier.h"

/* Nothing in it is expanded, and no backslash goes: those in front of one, or of a line's end. */
static bool known_body(const struct sf_redirect *r)
{
    static const char *const changing[] = { "$", "`", "\\\\", "\\\n" };

    for (size_t i = 0; r->expands && i < SF_COUNT(changing); i++)
        if (memmem(r->body, r->body_len, changing[i], strlen(changing[i])))
            return false;
    return true;
}

/* The words of echo, as it would print them; false when that is not sure. */
static bool echoed(struct sf_classifier *j, const struct sf_shell_command *from, const char **text,
                   size_t *len)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    bool printf_like = !strcmp(from->words[0].text, "printf");
    size_t i = 1;
    bool sure = true;

    if (i < from->count && (!strcmp(from->words[i].text, printf_like ? "%s\\n" : "-n") ||
                            (printf_like && !strcmp(from->words[i].text, "%s"))))
        i++;
    else if (printf_like && from->count != 2)
        sure = false;
    for (; i < from->count && sure; i++) {
        const struct sf_word *w = &from->words[i];

        if (w->flags & (SF_WORD_EXPANDS | SF_WORD_GLOB) || strchr(w->text, '\\') ||
            (printf_like && strchr(w->text, '%')))
            sure = false;
        sf_strbuf_addf(&sb, "%s%s", sb.len ? (printf_like ? "\n" : " ") : "", w->text);
    }
    sure = sure && j->arena->used + sb.len < SF_SHELL_MEMORY;
    if (sure) {
        *text = sf_arena_strndup(j->arena, sb.buf, sb.len);
        *len = sb.len;
    }
    sf_strbuf_release(&sb);
    return sure;
}

static bool own_input(struct sf_classifier *j, const struct sf_shell_command *cmd,
                      const char **text, size_t *len, bool *some)
{
    bool known = false;

    (void)j;
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next) {
        if (r->fd > 0)
            continue;
        if (r->op == SF_REDIRECT_TEXT) {
            *some = true;
            known = r->body && known_body(r);
            *text = r->body;
            *len = r->body_len;
        } else if (r->op == SF_REDIRECT_STRING) {
            *some = true;
            known = !(r->target.flags & SF_WORD_EXPANDS);
            *text = r->target.text;
            *len = r->target.len;
        } else if (r->op == SF_REDIRECT_READ || r->op == SF_REDIRECT_READWRITE ||
                   (r->op == SF_REDIRECT_DUP && r->fd == 0)) {
            *some = true;
            known = false;
        }
    }
    return known;
}

bool sf_classify_input(struct sf_classifier *j, const struct sf_shell_command *cmd,
                       const char **text, size_t *len, bool *some)
{
    const struct sf_shell_command *from = cmd->from;

    *some = false;
    if (own_input(j, cmd, text, len, some))
        return true;
    if (*some)
        return false;
    *some = cmd->piped;
    if (!from || !from->count || from->words[0].flags & SF_WORD_EXPANDS)
        return false;
    if (!strcmp(from->words[0].text, "echo") || !strcmp(from->words[0].text, "printf"))
        return echoed(j, from, text, len);
    if (!strcmp(from->words[0].text, "cat") && from->count == 1) {
        bool fed;

        return own_input(j, from, text, len, &fed);
    }
    return false;
}

void sf_classify_run_code(struct sf_classifier *j, const struct sf_fact *fact,
                          const struct sf_word *w, const char *code)
{
    const char *rule = "inline-code";
    enum sf_class class = sf_code_inline(code, &rule);
    bool templates = fact && strstr(fact->program, "node") != NULL;

    if (w && w->flags & SF_WORD_EXPANDS && (!w->head || w->flags & SF_WORD_SUBST)) {
        class = SF_CLASS_DESTRUCTIVE;
        rule = "unreadable";
    } else if (*code == '!' || (!templates && strchr(code, '`'))) {
        class = SF_CLASS_DESTRUCTIVE;
        rule = "code-runs";
    }
    if (class == SF_CLASS_NETWORK &&
        (strstr(code, ".env") || strstr(code, "environ") || strstr(code, ".ssh") ||
         strstr(code, ".aws") || strstr(code, "id_rsa"))) {
        class = SF_CLASS_DESTRUCTIVE;
        rule = "secret-leaves";
    }
    sf_classify_raise(j, class, rule, w);
    j->talks = j->talks || class == SF_CLASS_NETWORK;
}

static void run_made(struct sf_classifier *j, const struct sf_made *made, const struct sf_word *w,
                     bool shell)
{
    if (made->fetched || !made->text) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE,
                          made->fetched ? "fetched-code" : "generated-code", w);
        return;
    }
    if (made->len > 2 && !strncmp(made->text, "#!", 2))
        shell = memmem(made->text, strcspn(made->text, "\n"), "sh", 2) != NULL;
    if (shell)
        sf_classify_text(j, made->text, made->len, w);
    else
        sf_classify_run_code(j, NULL, w, sf_arena_strndup(j->arena, made->text, made->len));
}

static const char *without_dot(const char *name)
{
    return strncmp(name, "./", 2) == 0 ? name + 2 : name;
}

void sf_classify_run_file(struct sf_classifier *j, const struct sf_word *w, const char *name,
                          bool shell)
{
    bool bound = w->lead && sf_strlist_has(&j->safe_names, w->lead) &&
                 !sf_strlist_has(&j->open_names, w->lead);

    sf_classify_raise(j, SF_CLASS_BUILD_TEST, "runs-script", w);
    if (w->flags & SF_WORD_PROCESS)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "pipe-to-shell", w);
    else if (strstr(name, "://") || !strncmp(name, "/dev/tcp", 8))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "fetched-code", w);
    else if (w->flags & SF_WORD_EXPANDS && !bound && !w->head)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", w);
    for (size_t i = 0; i < j->nmade; i++)
        if (!strcmp(without_dot(j->made[i].name), without_dot(name)))
            run_made(j, &j->made[i], w, shell);
}

/* The interpreter reads its program from the input. */
static void code_input(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const char *text;
    size_t len;
    bool some;

    if (sf_classify_input(j, call->cmd, &text, &len, &some))
        sf_classify_run_code(j, call->fact, NULL, sf_arena_strndup(j->arena, text, len));
    else if (some || j->group_input)
        sf_classify_raise_piped(j, call->cmd, NULL);
}

static bool has_code(const struct sf_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        if (options->items[i].effect == '%')
            return true;
    return false;
}

/* python -m NAME runs a module, many of which are programs of their own. */
static void run_module(struct sf_classifier *j, const struct sf_shell_call *call,
                       const struct sf_word_option *o)
{
    const struct sf_word *end = call->words + call->count;
    struct sf_word *copy = NULL;

    if (!o->value || end <= o->value_in)
        return;
    if (o->value_in == o->word) { /* -mpip: the name is the rest of the option */
        copy = sf_arena_alloc(j->arena, (size_t)(end - o->word) * sizeof(*copy));
        memcpy(copy, o->word, (size_t)(end - o->word) * sizeof(*copy));
        copy[0].text = o->value;
        copy[0].len = (uint32_t)strlen(o->value);
    }
    sf_classify_words(j, call->cmd, copy ? copy : o->value_in, (size_t)(end - o->value_in),
                      call->wrapped + 1);
}

/* Consoles of frameworks take verbs like any tool. */
static void run_script(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char consoles[] =
        "manage.py|artisan|ace|console|rails|spark|bin/console|bin/rails|*/manage.py|"
        "*/console|*/rails|setup.py|wp-cli.phar|yii|craft|think|cake";
    static const char emptying[] =
        "migrate:fresh|migrate:refresh|db:wipe|flush|sqlflush|reset_db|clear_*";
    const struct sf_word *script = &call->words[0];

    if (!strncmp(script->text, "/dev/stdin", 10) || !strncmp(script->text, "/dev/fd/", 8)) {
        code_input(j, call);
        return;
    }
    sf_classify_reads(j, script, script->text);
    sf_classify_run_file(j, script, script->text, false);
    if (!sf_pattern_fits(consoles, sizeof(consoles) - 1, script->text))
        return;
    sf_classify_verbs(j, call);
    for (size_t i = 1; i < call->count; i++)
        if (sf_pattern_fits(emptying, sizeof(emptying) - 1, call->words[i].text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "database-removal", &call->words[i]);
}

/* perl -n -i -e '…' without a word that prints: every file it is given ends up empty. */
static bool empties(const struct sf_options *options)
{
    static const char *const printing[] = { "print", "say", "puts", "write", "p ", "$<" };

    if (!sf_options_has(options, "-n") || sf_options_has(options, "-p"))
        return false;
    for (size_t i = 0; i < options->count; i++)
        for (size_t k = 0; options->items[i].effect == '%' && k < SF_COUNT(printing); k++)
            if (options->items[i].value && strstr(options->items[i].value, printing[k]))
                return false;
    return true;
}

void sf_classify_code(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *module = sf_options_find(call->options, "-m");

    if (sf_options_has(call->options, "-i") && has_code(call->options) && empties(call->options))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", &call->argv[0]);
    if (sf_options_has(call->options, "-i") && has_code(call->options))
        for (size_t i = 0; i < call->count; i++) /* perl and ruby edit these in place */
            sf_classify_write(j, &call->words[i], call->words[i].text);
    if (has_code(call->options))
        return;
    if (module && module->value && strstr(call->fact->program, "python"))
        run_module(j, call, module);
    else if (call->count && strcmp(call->words[0].text, "-") != 0)
        run_script(j, call);
    else
        code_input(j, call);
}

void sf_classify_source(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const char *text;
    size_t len;
    bool some;

    if (!call->noperands)
        return;
    sf_classify_reads(j, call->operands[0], call->operands[0]->text);
    sf_classify_run_file(j, call->operands[0], call->operands[0]->text, true);
    if (strncmp(call->operands[0]->text, "/dev/", 5) != 0)
        return;
    if (sf_classify_input(j, call->cmd, &text, &len, &some))
        sf_classify_text(j, text, len, call->operands[0]);
    else
        sf_classify_raise_piped(j, call->cmd, call->operands[0]);
}

static void judge_sql_text(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    const char *rule = "sql";

    sf_classify_raise(j, sf_code_sql(text, &rule), rule, w);
    if (strstr(text, "db.") || strstr(text, "rs.")) {
        enum sf_class class = sf_code_inline(text, &rule);

        if (class == SF_CLASS_DESTRUCTIVE)
            sf_classify_raise(j, class, rule, w);
    }
    if (w && w->flags & SF_WORD_EXPANDS && !w->head)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", w);
}

/* The name of a script says nothing about what is in it. */
static void judge_sql_operand(struct sf_classifier *j, const struct sf_word *w)
{
    static const char scripts[] = "*.sql|*.js|*.cql|*.cypher";

    if (sf_pattern_fits(scripts, sizeof(scripts) - 1, w->text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "opaque-script", w);
    judge_sql_text(j, w, w->text);
}

/* psql, mysql, sqlite3, mongosh: SQL in options, operands and the input. */
void sf_classify_sql(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const char *text;
    size_t len;
    bool some;

    for (size_t i = 0; i < call->options->count; i++)
        if (call->options->items[i].value)
            judge_sql_text(j, call->options->items[i].value_in, call->options->items[i].value);
    if (call->noperands)
        sf_classify_reads(j, call->operands[0], call->operands[0]->text);
    for (size_t i = 0; i < call->noperands; i++)
        judge_sql_operand(j, call->operands[i]);
    if (sf_classify_input(j, call->cmd, &text, &len, &some))
        judge_sql_text(j, NULL, sf_arena_strndup(j->arena, text, len));
    else if (some)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "opaque-script", NULL);
}

/* redis-cli VERB …, in any case. */
void sf_classify_redis(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char bad[] =
        "flushall|flushdb|del|unlink|shutdown|config|eval|evalsha|script|"
        "debug|module|slaveof|replicaof|rename|migrate|restore|acl|cluster|"
        "hdel|srem|zrem|ltrim|xtrim|xdel|getdel|expire|function|spop|lpop|rpop";
    const char *text;
    size_t len;
    bool some;

    for (size_t i = 0; i < call->noperands && i < 2; i++) {
        char lower[32];
        const char *t = call->operands[i]->text;
        size_t n = strlen(t);

        if (n >= sizeof(lower))
            continue;
        for (size_t k = 0; k <= n; k++)
            lower[k] = (char)(t[k] >= 'A' && t[k] <= 'Z' ? t[k] - 'A' + 'a' : t[k]);
        lower[strcspn(lower, " ")] = '\0';
        if (sf_pattern_fits(bad, sizeof(bad) - 1, lower))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "database-removal", call->operands[i]);
    }
    sf_classify_input(j, call->cmd, &text, &len, &some);
    if (some)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "opaque-script", NULL);
}

/* `npm run deploy`: the name of a script or target is all there is to go by. */
void sf_classify_script_name(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char words[] =
        "publish|deploy|release|destroy|wipe|nuke|uninstall|drop|purge|unpublish|undeploy|upload|"
        "teardown|promote";

    for (size_t i = 0; i < call->noperands; i++) {
        const char *t = call->operands[i]->text;

        if (strchr(t, '.') || strchr(t, '=') || strchr(t, ' '))
            continue;
        while (*t) {
            char piece[32];
            size_t n = strcspn(t, ":-_/");

            if (n < sizeof(piece)) {
                memcpy(piece, t, n);
                piece[n] = '\0';
                if (sf_pattern_fits(words, sizeof(words) - 1, piece) ||
                    (n > 7 && !strncmp(piece, "publish", 7)) ||
                    (n > 6 && !strncmp(piece, "deploy", 6)))
                    sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "publish", call->operands[i]);
            }
            t += n + (t[n] != '\0');
        }
    }
}

/* make: rules may come from an option or from the input. */
void sf_classify_make(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *file = sf_options_find(call->options, "-f --file --makefile");

    if (file && file->value && (!strcmp(file->value, "-") || !strncmp(file->value, "/dev/", 5)))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "pipe-to-shell", file->word);
    else if (file && file->value)
        sf_classify_run_file(j, file->value_in, file->value, true);
    for (size_t i = 0; i < call->noperands; i++) {
        const char *t = call->operands[i]->text;

        if (!strncmp(t, "SHELL=", 6) || !strncmp(t, ".SHELLFLAGS=", 12) ||
            (strchr(t, '=') && strpbrk(t, "$`;|&")))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", call->operands[i]);
    }
    sf_classify_script_name(j, call);
}

/* vi, emacs and the like: commands given on the command line can do anything. */
void sf_classify_editor(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const char *text;
    size_t len;
    bool some;

    for (size_t i = 1; i < call->count; i++)
        if (call->words[i].text[0] == '+' && call->words[i].len > 1 &&
            strspn(call->words[i].text + 1, "0123456789") != call->words[i].len - 1)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", &call->words[i]);
    if (sf_classify_input(j, call->cmd, &text, &len, &some) || some)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "opaque-script", NULL);
}
