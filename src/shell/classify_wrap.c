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
            sf_classify_assign(j, name, &value, true);
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

/* flock FILE COMMAND…, flock FILE -c TEXT */
void sf_classify_flock(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word *w = call->words;

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

/* Stands for a name that some other command found inside the workspace. */
static const char found_inside[] = SF_FOUND;

static const struct sf_piece *found_piece(struct sf_classifier *j, bool inside, uint32_t at)
{
    struct sf_piece *piece = sf_arena_alloc(j->arena, sizeof(*piece));

    *piece = (struct sf_piece){ .name = found_inside, .at = at };
    piece->kind = inside ? SF_PIECE_VALUE : SF_PIECE_UNKNOWN;
    return piece;
}

/* What is put in the place of the unknown word. */
struct found {
    const char *lead; /* found_inside when it can only be a name, else NULL */
    bool inside;      /* and one below the workspace */
};

/*
 * The command of xargs or find gets unknown words, behind its own or in place of `mark`.
 */
static void with_unknown_word(struct sf_classifier *j, const struct sf_shell_call *call,
                              const struct sf_word *words, size_t count, const char *mark,
                              struct found found)
{
    const char *lead = found.lead;
    struct sf_word *copy;

    if (count > SF_SHELL_WORDS || j->arena->used > SF_SHELL_MEMORY) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", words);
        return;
    }
    copy = sf_arena_alloc(j->arena, (count + 1) * sizeof(*copy));
    memcpy(copy, words, count * sizeof(*copy));
    for (size_t i = 0; i < count; i++) {
        const char *place = mark && *mark ? strstr(copy[i].text, mark) : NULL;

        if (!place)
            continue;
        copy[i].flags |= SF_WORD_EXPANDS;
        copy[i].head = (uint32_t)(place - copy[i].text);
        copy[i].tail = (uint32_t)strlen(place + strlen(mark));
        copy[i].lead = copy[i].head ? NULL : lead;
        copy[i].pieces = found_piece(j, found.inside, copy[i].head);
        copy[i].npieces = 1;
        if (!copy[i].head && !lead)
            copy[i].flags |= SF_WORD_SPLITS; /* it could be an option */
    }
    copy[count] = (struct sf_word){ .text = "",
                                    .lead = lead,
                                    .pieces = found_piece(j, found.inside, 0),
                                    .npieces = 1,
                                    .flags = SF_WORD_EXPANDS | (lead ? 0 : SF_WORD_SPLITS),
                                    .at = words[0].at,
                                    .span = words[0].span };
    if (lead && !sf_strlist_has(&j->safe_names, lead))
        sf_strlist_add(&j->safe_names, lead);
    sf_classify_words(j, call->cmd, copy, count + (mark == NULL), call->wrapped + 1);
}

/* What looks at files prints no options: `grep -rl x src | xargs …`. */
static const char *fed_inside(struct sf_classifier *j, const struct sf_shell_command *from)
{
    static const char searching[] = "grep|egrep|rg|git|ls|find|fd|ag|ack";

    if (!from || !from->count ||
        !sf_pattern_fits(searching, sizeof(searching) - 1, from->words[0].text))
        return NULL;
    for (size_t i = 1; i < from->count; i++)
        if (from->words[i].text[0] != '-' && !sf_word_stays(j, &from->words[i]))
            return NULL;
    return found_inside;
}

/* Of find: the first place it begins at, and the word behind the last. */
static size_t first_start(const struct sf_shell_call *call, size_t *end)
{
    static const char first[] = "-H|-L|-P|-O*|-E|-X|-s|-x|-f";
    size_t i = 1;

    while (i < call->count && sf_pattern_fits(first, sizeof(first) - 1, call->words[i].text))
        i++;
    *end = i;
    while (*end < call->count &&
           !(call->words[*end].len && strchr("-(!", call->words[*end].text[0])))
        ++*end;
    return i;
}

/* What is found lies below this; NULL: below where the command stands. */
static void note_found_below(struct sf_classifier *j, const struct sf_word *w)
{
    static const struct sf_word here = { .text = ".", .len = 1, .head = 1, .tail = 1 };

    w = w ? w : &here;
    sf_value_note(
        j,
        &(struct sf_value){
            .name = found_inside, .word = w, .text = w->text, .shell = j->shell, .below = true });
}

/* The places a find begins at. */
static const char *starts_inside(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t end, first = first_start(call, &end);

    for (size_t i = first; i < end; i++) {
        if (!sf_word_stays(j, &call->words[i]))
            return NULL;
        note_found_below(j, &call->words[i]);
    }
    if (first == end)
        note_found_below(j, NULL);
    return found_inside;
}

/* `echo . -delete | xargs find`: the words are in the text after all. */
static bool with_known_words(struct sf_classifier *j, const struct sf_shell_call *call)
{
    struct sf_word *copy;
    const char *text;
    size_t len, n = call->count;
    bool some;

    if (!sf_classify_input(j, call->cmd, &text, &len, &some) || memchr(text, '"', len) ||
        memchr(text, '\'', len) || call->count > SF_SHELL_WORDS ||
        j->arena->used + len * sizeof(*copy) > SF_SHELL_MEMORY)
        return false;
    copy = sf_arena_alloc(j->arena, (n + len / 2 + 1) * sizeof(*copy));
    memcpy(copy, call->words, n * sizeof(*copy));
    for (size_t at = 0; at < len; at++) {
        size_t from = at;

        while (at < len && !strchr(" \t\n", text[at]))
            at++;
        if (at == from)
            continue;
        copy[n] = call->words[0];
        copy[n].text = sf_arena_strndup(j->arena, text + from, at - from);
        copy[n].len = copy[n].head = copy[n].tail = (uint32_t)(at - from);
        copy[n++].flags = 0;
    }
    sf_classify_words(j, call->cmd, copy, n, call->wrapped + 1);
    return true;
}

/* What feeds xargs, unless it reads a file instead. */
static const struct sf_shell_command *feed_of(const struct sf_shell_call *call)
{
    for (const struct sf_redirect *r = call->cmd->redirects; r; r = r->next)
        if (r->op != SF_REDIRECT_WRITE && r->op != SF_REDIRECT_APPEND && r->op != SF_REDIRECT_DUP)
            return NULL;
    return sf_options_has(call->options, "-a --arg-file") ? NULL : call->cmd->from;
}

void sf_classify_xargs(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *o = sf_options_find(call->options, "-I -i --replace -J");
    const char *mark = !o ? NULL : o->value && *o->value ? o->value : "{}";

    const struct sf_shell_command *from = feed_of(call);
    bool inside = from && sf_outputs_inside(j, from);

    if (inside)
        sf_value_note(j, &(struct sf_value){ .name = found_inside, .listed = from });
    if (call->count && (mark || !with_known_words(j, call)))
        with_unknown_word(j, call, call->words, call->count, mark,
                          (struct found){ fed_inside(j, from), inside });
}

/* parallel CMD … ::: values, or each line of its input as a command. */
void sf_classify_parallel(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t n = 0;

    while (n < call->count && strncmp(call->words[n].text, ":::", 3) != 0)
        n++;
    if (!n) {
        for (size_t i = 1; i < call->count; i++)
            sf_classify_word_text(j, &call->words[i], call->words[i].text);
        if (!call->count)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "pipe-to-shell", NULL);
        return;
    }
    if (n == 1 && strpbrk(call->words[0].text, " ;|&"))
        sf_classify_word_text(j, &call->words[0], call->words[0].text);
    else
        with_unknown_word(j, call, call->words, n, strstr(call->words[0].text, "{}") ? "{}" : NULL,
                          (struct found){ 0 });
}

/* One action of find: where its command ends. */
static size_t exec_length(const struct sf_shell_call *call, size_t from)
{
    size_t n = from;

    while (
        n < call->count && strcmp(call->words[n].text, ";") != 0 &&
        !(n > from && !strcmp(call->words[n].text, "+") && !strcmp(call->words[n - 1].text, "{}")))
        n++;
    return n - from;
}

static void find_action(struct sf_classifier *j, const struct sf_shell_call *call, size_t i)
{
    static const char plain[] =
        "-name|-iname|-path|-ipath|-wholename|-iwholename|-regex|-iregex|-type|-xtype|-size|-mtime|"
        "-atime|-ctime|-mmin|-amin|-cmin|-newer*|-anewer|-cnewer|-perm|-user|-group|-uid|-gid|"
        "-links|"
        "-inum|-samefile|-empty|-readable|-writable|-executable|-nouser|-nogroup|-maxdepth|"
        "-mindepth|"
        "-depth|-d|-mount|-xdev|-follow|-daystart|-noleaf|-regextype|-prune|-print|-print0|"
        "-printf|-ls|"
        "-quit|-not|-and|-or|-a|-o|-true|-false|-fstype|-lname|-ilname|-used|-warn|-nowarn|-L|-H|"
        "-P|"
        "-O*|-D|-E|-X|-s|-x|-f|-context|-files0-from|-ignore_readdir_race|--|-help|--help|-version|"
        "--version";
    const struct sf_word *w = &call->words[i];
    const char *t = w->text;

    if (!strcmp(t, "-exec") || !strcmp(t, "-execdir") || !strcmp(t, "-ok") ||
        !strcmp(t, "-okdir")) {
        size_t n = exec_length(call, i + 1);

        const char *lead = starts_inside(j, call);
        bool unknown = j->where.now.here.unknown;

        j->where.now.here.unknown =
            unknown || strstr(t, "dir") != NULL; /* each where it is found */
        if (n)
            with_unknown_word(j, call, call->words + i + 1, n, "{}",
                              (struct found){ lead, lead != NULL });
        else
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", w);
        j->where.now.here.unknown = unknown;
    } else if (!strcmp(t, "-delete") || !strcmp(t, "-rm")) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "delete", w);
    } else if (!strncmp(t, "-fprint", 7) || !strcmp(t, "-fls")) {
        if (i + 1 < call->count)
            sf_classify_write(j, &call->words[i + 1], call->words[i + 1].text);
    } else if (*t == '-' && !sf_pattern_fits(plain, sizeof(plain) - 1, t)) {
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-option", w);
    } else if (w->flags & SF_WORD_SPLITS && !w->head) {
        sf_classify_raise(j, w->flags & SF_WORD_BRACE ? SF_CLASS_DESTRUCTIVE : SF_CLASS_BUILD_TEST,
                          "unknown-option", w);
    }
    if (w->flags & SF_WORD_ANY)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "any-option", w);
}

/* Predicates that take the next word, which may look like anything. */
static bool takes_value(const char *t)
{
    static const char with_value[] =
        "-name|-iname|-path|-ipath|-wholename|-iwholename|-regex|-iregex|-newer*|-lname|-ilname|"
        "-printf|-samefile|-user|-group|-size|-perm|-mtime|-ctime|-atime|-mmin|-amin|-cmin|-type";

    return sf_pattern_fits(with_value, sizeof(with_value) - 1, t);
}

/* What stands before the first test or action; without any, where it stands. */
static void list_starts(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t end, first = first_start(call, &end);
    bool follows = false;

    for (size_t i = 1; i < call->count; i++) {
        follows = follows || !strcmp(call->words[i].text, "-L") ||
                  !strcmp(call->words[i].text, "-follow");
        if (!strcmp(call->words[i].text, "-files0-from"))
            sf_classify_reads_list(j, call->words[i].text);
    }
    for (size_t i = first; i < end; i++) {
        sf_classify_lists(j, &call->words[i], call->words[i].text);
        if (follows)
            sf_classify_follows(j, &call->words[i], true);
    }
    if (follows && first == end)
        sf_classify_follows(j, NULL, true);
}

void sf_classify_find(struct sf_classifier *j, const struct sf_shell_call *call)
{
    list_starts(j, call);
    for (size_t i = 1; i < call->count; i++) {
        const char *t = call->words[i].text;

        find_action(j, call, i);
        if (!strcmp(t, "-exec") || !strcmp(t, "-execdir"))
            i += exec_length(call, i + 1);
        else if (takes_value(t) && ++i < call->count && call->words[i].flags & SF_WORD_ANY &&
                 call->words[i].flags & SF_WORD_SPLITS)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "any-option", &call->words[i]);
    }
}

/* How a word of fd starts a command: not at all, with the next word, or with its own rest. */
enum exec { NO_EXEC, EXEC_NEXT, EXEC_ATTACHED };

static enum exec fd_exec(const char *t)
{
    if (!strncmp(t, "--exe", 5))
        return strchr(t, '=') ? EXEC_ATTACHED : EXEC_NEXT;
    if (t[0] != '-' || t[1] == '-')
        return NO_EXEC;
    for (t++; *t && !strchr("eEtSdjco", *t); t++) /* those take the rest as their value */
        if (*t == 'x' || *t == 'X')
            return t[1] ? EXEC_ATTACHED : EXEC_NEXT;
    return NO_EXEC;
}

/* Every place it looks in, behind the pattern. */
static bool fd_stays(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 1; i < call->noperands; i++)
        if (!sf_word_stays(j, call->operands[i]))
            return false;
    return !sf_options_has(call->options, "--search-path --base-directory");
}

/* Where nothing stands for the name, it comes last. */
static const char *fd_mark(const struct sf_shell_call *call, size_t from)
{
    for (size_t i = from; i < call->count; i++)
        if (strstr(call->words[i].text, "{}"))
            return "{}";
    return NULL;
}

/* fd -x and -X: everything behind is the command. */
void sf_classify_fd(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool stays = fd_stays(j, call);

    for (size_t i = 1; i < call->noperands; i++) /* the first is what is looked for */
        sf_classify_lists(j, call->operands[i], call->operands[i]->text);
    for (size_t i = 1; i < call->count; i++) {
        enum exec how = fd_exec(call->words[i].text);

        if (how == NO_EXEC)
            continue;
        if (stays)
            note_found_below(j, NULL);
        if (how == EXEC_NEXT && i + 1 < call->count)
            with_unknown_word(j, call, call->words + i + 1, call->count - i - 1,
                              fd_mark(call, i + 1),
                              (struct found){ stays ? found_inside : NULL, stays });
        else
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", &call->words[i]);
        return;
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
