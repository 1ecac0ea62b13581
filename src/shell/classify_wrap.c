/*
 * classify_wrap.c: programs that run other programs. Each judge finds where the inner command
 * begins and hands it on; what it runs by a shell is read as shell text.
 */
#include <string.h>

#include "shell/classifier.h"

/* The inner command begins behind the wrapper's own operands. */
void sf_classify_wrapped(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t skip = (size_t)(call->fact->skip - 1);

    if (call->count > skip)
        sf_classify_words(j, call->cmd, call->words + skip, call->count - skip, call->wrapped + 1);
}

/* Any word that names a program may be where one is started. */
static void from_each_program(struct sf_classifier *j, const struct sf_shell_call *call, size_t end)
{
    bool searching = j->searching;

    if (searching)
        return;
    j->searching = true;
    for (size_t i = 1; i < end && i + 1 < call->argc && i < 12; i++) {
        const struct sf_word *w = &call->argv[i];
        size_t left = call->argc - i;
        bool foreign;

        if (!(w->flags & (SF_WORD_EXPANDS | SF_WORD_GLOB)) && w->text[0] != '-' &&
            sf_classify_knows(j, sf_program_name(w, &foreign)))
            sf_classify_words(j, call->cmd, w, left < 32 ? left : 32, call->wrapped + 1);
    }
    j->searching = searching;
}

void sf_classify_anywhere(struct sf_classifier *j, const struct sf_shell_call *call)
{
    from_each_program(j, call, call->argc);
}

/*
 * As sf_classify_wrapped, for rows that stand for many programs: their options differ, so a word
 * that was taken for a value may be the command after all, and is judged as one too.
 */
void sf_classify_run(struct sf_classifier *j, const struct sf_shell_call *call)
{
    from_each_program(j, call, call->argc - call->count + (size_t)(call->fact->skip - 1));
    sf_classify_wrapped(j, call);
}

/* A command of gdb that looks, stops or goes on: no call, no shell, no arguments for the program. */
static bool only_debugs(const char *command)
{
    static const char words[] =
        "run|r|start|continue|c|next|n|step|s|finish|until|up|down|backtrace|bt|where|frame|f|info|i|"
        "print|p|list|l|break|b|tbreak|delete|thread|x|disassemble|quit|q|x/*|display|watch";
    size_t n = strcspn(command, " ");
    char word[24];

    if (n >= sizeof(word) || strspn(command, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_ ./:,*$+-") != strlen(command))
        return false;
    memcpy(word, command, n);
    word[n] = '\0';
    return sf_pattern_fits(words, sizeof(words) - 1, word) &&
           !(command[n] && sf_pattern_fits("run|r|start", 11, word));
}

void sf_classify_debugger(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->options->count; i++) {
        const struct sf_word_option *o = &call->options->items[i];

        if (o->value &&
            ((o->name_len == 2 && !strncmp(o->name, "ex", 2)) ||
             (o->name_len == 12 && !strncmp(o->name, "eval-command", 12))) &&
            (o->value_in->flags & SF_WORD_EXPANDS || !only_debugs(o->value)))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", o->word);
    }
    if (call->cmd->piped || call->cmd->redirects)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "opaque-script", NULL);
    sf_classify_anywhere(j, call);
}

/* tmux send-keys 'text', new-session 'text', kill-server; ls only looks */
void sf_classify_terminal(struct sf_classifier *j, const struct sf_shell_call *call)
{
    sf_classify_verbs(j, call);
    for (size_t i = 0; i < call->noperands; i++)
        if (strchr(call->operands[i]->text, ' ') || call->operands[i]->flags & SF_WORD_EXPANDS)
            sf_classify_word_text(j, call->operands[i], call->operands[i]->text);
    sf_classify_anywhere(j, call);
}

/* nix, mise, nvm …: they fetch tools, and start them */
void sf_classify_env_manager(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char fetching[] =
        "install|run|shell|develop|build|add|update|upgrade|use|download|"
        "i|channel|profile|create|sync|lock|search|global";

    for (size_t i = 0; i < call->noperands && i < 2; i++)
        if (sf_pattern_fits(fetching, sizeof(fetching) - 1, call->operands[i]->text))
            sf_classify_raise(j, SF_CLASS_NETWORK, "network", call->operands[i]);
    sf_classify_verbs(j, call);
    sf_classify_anywhere(j, call);
}

/* env -i, env -u NAME: what the command behind it does without. */
static void judge_unset(struct sf_classifier *j, const struct sf_options *options)
{
    for (size_t i = 0; i < options->count; i++) {
        const struct sf_word_option *o = &options->items[i];
        bool unset = o->dashes ? o->name_len == 5 && !strncmp(o->name, "unset", 5)
                               : o->name_len == 1 && *o->name == 'u';

        if (unset && o->value)
            sf_classify_unassign(j, o->value, o->value_in);
        if (unset && o->value && o->value_in->flags & SF_WORD_EXPANDS)
            j->bare = true;
    }
    if (sf_options_has(options, "-i --ignore-environment"))
        j->bare = true;
}

/* NAME=value in front of the command, as env and sudo take it. */
void sf_classify_env(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t i = (size_t)(call->fact->skip - 1);

    judge_unset(j, call->options);

    for (; i < call->count; i++) {
        const struct sf_word *w = &call->words[i];
        const char *equals = strchr(w->text, '=');

        if (!equals || (size_t)(equals - w->text) >= w->head)
            break;
        {
            struct sf_word value = *w;
            char *name = sf_arena_strndup(j->arena, w->text, (size_t)(equals - w->text));

            value.text = equals + 1;
            value.len = (uint32_t)strlen(value.text);
            sf_classify_assign(j, name, &value, SF_ASSIGN_COMMAND);
            sf_value_note(j, &(struct sf_value){ .name = name }); /* for a text behind it */
        }
    }
    if (i < call->count)
        sf_classify_words(j, call->cmd, call->words + i, call->count - i, call->wrapped + 1);
    else
        sf_classify_secret(j, &call->argv[0]); /* it shows every variable */
}

/* exec -c: without any variable. */
void sf_classify_exec(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (sf_options_has(call->options, "-c"))
        j->bare = true;
    sf_classify_wrapped(j, call);
}

/* `command -v` and `-V` only look names up. */
void sf_classify_command(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (!sf_options_has(call->options, "-v -V"))
        sf_classify_wrapped(j, call);
}

/* What a shell reads as its program when it has neither -c nor a script. */
static void shell_input(struct sf_classifier *j, const struct sf_shell_call *call,
                        const struct sf_word *at)
{
    const char *text;
    size_t len;
    bool some;

    if (sf_classify_input(j, call->cmd, &text, &len, &some)) {
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "shell-text", at);
        sf_classify_text(j, text, len, at);
    } else if (some || j->group_input) {
        const struct sf_redirect *r = call->cmd->redirects;

        if (r && r->op == SF_REDIRECT_READ && !call->cmd->piped && !j->group_input &&
            !(r->target.flags & SF_WORD_EXPANDS))
            sf_classify_run_file(j, &r->target, r->target.text, true);
        else
            sf_classify_raise_piped(j, call->cmd, at);
    } else {
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "shell-without-script", at);
    }
}

/* Without a command these start a shell, which reads its input. */
void sf_classify_run_or_shell(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->count)
        sf_classify_run(j, call);
    else if (!sf_options_has(call->options, "--show --list"))
        shell_input(j, call, &call->argv[0]);
}

/* script FILE [COMMAND…]; a shell of its own unless it is given something to run. */
void sf_classify_script(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->count)
        sf_classify_write(j, &call->words[0], call->words[0].text);
    if (!sf_options_has(call->options, "-c --command"))
        shell_input(j, call, &call->argv[0]);
    sf_classify_anywhere(j, call);
}

/* flock FILE COMMAND…, flock FILE -c TEXT; a file that is not there is made, a number is a descriptor */
void sf_classify_flock(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word *w = call->words;

    if (call->count && (w->flags & SF_WORD_EXPANDS || w->text[strspn(w->text, "0123456789")]))
        sf_classify_write(j, w, w->text);
    if (call->count > 2 && sf_pattern_fits("-c|--command", 12, w[1].text))
        sf_classify_word_text(j, &w[2], w[2].text);
    else
        sf_classify_run(j, call);
}

/* bash +e -c TEXT: what begins with a plus is an option too, and others may follow it. */
static void without_plus(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t skip = 1 + (strpbrk(call->words[0].text, "oO") != NULL);
    size_t left = call->count > skip ? call->count - skip : 0;
    struct sf_word *copy = sf_arena_alloc(j->arena, (left + 1) * sizeof(*copy));

    copy[0] = call->argv[0];
    if (left)
        memcpy(copy + 1, call->words + skip, left * sizeof(*copy));
    if (sf_options_has(call->options, "-c") && left)
        sf_classify_word_text(j, &copy[1], copy[1].text);
    sf_classify_words(j, call->cmd, copy, left + 1, call->wrapped + 1);
}

/* sh, bash and their kin. Options end at the first operand. */
void sf_classify_shell(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word *first = call->count ? &call->words[0] : NULL;
    const struct sf_word *at = first ? first : NULL;
    const struct sf_cwd where = j->where;

    if (first && first->text[0] == '+')
        without_plus(j, call);
    else if (sf_options_has(call->options, "-c")) {
        if (!first)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", NULL);
        else
            sf_classify_word_text(j, first, first->text);
    } else if (sf_options_has(call->options, "-s") || !first || !strcmp(first->text, "-") ||
               !strncmp(first->text, "/dev/", 5)) {
        shell_input(j, call, at);
    } else if (!sf_options_has(call->options, "-n")) {
        sf_classify_reads(j, first, first->text);
        sf_classify_run_file(j, first, first->text, true);
    }
    j->where = where; /* wherever it went, it went alone */
}

/* Shells of another language: what they are given is read as if it were of this one. */
void sf_classify_other_shell(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (!sf_options_has(call->options, "-c -C -e --command --commands --init-command --execute"))
        sf_classify_shell(j, call);
}

static void joined_text(struct sf_classifier *j, const struct sf_shell_call *call, size_t from)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    bool unknown = false;

    for (size_t i = from; i < call->count; i++) {
        sf_strbuf_addf(&sb, "%s%s", sb.len ? " " : "", call->words[i].text);
        unknown = unknown || call->words[i].flags & SF_WORD_EXPANDS;
    }
    if (unknown)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", &call->words[from]);
    if (sb.len && j->arena->used + sb.len < SF_SHELL_MEMORY)
        sf_classify_text(j, sf_arena_strndup(j->arena, sb.buf, sb.len), sb.len, &call->words[from]);
    else if (sb.len)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", &call->words[from]);
    sf_strbuf_release(&sb);
}

/* eval, watch, ssh: the words are joined and read again. */
void sf_classify_joined(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t skip = (size_t)(call->fact->skip - 1);

    if (call->count > skip)
        joined_text(j, call, skip);
}

void sf_classify_eval(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->count)
        joined_text(j, call, 0);
}

/* hyperfine, concurrently: each operand is a shell text of its own. */
void sf_classify_each(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++)
        sf_classify_word_text(j, call->operands[i], call->operands[i]->text);
}

/* trap 'text' SIGNAL; without text, or with -, it only resets. */
void sf_classify_trap(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands > 1 && strcmp(call->operands[0]->text, "-") != 0)
        sf_classify_word_text(j, call->operands[0], call->operands[0]->text);
}

void sf_classify_alias(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++) {
        const char *equals = strchr(call->operands[i]->text, '=');

        if (equals)
            sf_classify_word_text(j, call->operands[i], equals + 1);
        else if (call->operands[i]->flags & SF_WORD_EXPANDS)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", call->operands[i]);
    }
}

/* busybox rm, coreutils --coreutils-prog=rm */
void sf_classify_applet(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *o =
        sf_options_find(call->options, "--coreutils-prog --coreutils-prog-shebang");

    if (o && o->value) {
        struct sf_word *copy = sf_arena_alloc(j->arena, (call->count + 1) * sizeof(*copy));

        copy[0] = *o->word;
        copy[0].text = o->value;
        copy[0].flags &= ~(unsigned)SF_WORD_GLOB;
        memcpy(copy + 1, call->words, call->count * sizeof(*copy));
        sf_classify_words(j, call->cmd, copy, call->count + 1, call->wrapped + 1);
    } else if (call->count) {
        sf_classify_words(j, call->cmd, call->words, call->count, call->wrapped + 1);
    }
}

/* `docker exec web CMD`, `npm exec -- CMD`: the command is among the operands. */
void sf_classify_tail(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t left;

    if (call->noperands < 2)
        return;
    left = (size_t)(call->words + call->count - call->operands[1]);
    sf_classify_words(j, call->cmd, call->operands[1], left, call->wrapped + 1);
}

/* Everything behind -- is a command. */
void sf_classify_behind_dashes(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 1; i + 1 < call->count; i++) {
        if (!strcmp(call->words[i].text, "--")) {
            sf_classify_words(j, call->cmd, call->words + i + 1, call->count - i - 1,
                              call->wrapped + 1);
            return;
        }
    }
}
