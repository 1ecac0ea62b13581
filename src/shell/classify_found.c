/*
 * classify_found.c: programs that run others with words they find, read or are given one by one:
 * xargs, parallel, find and fd. What those words are the text rarely tells; where it does not, they
 * may be any option and any operand.
 */
#include <stdlib.h>
#include <string.h>

#include "shell/classifier.h"

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

/* The word with what is found in the place of each mark; beside other expansions it is unknown. */
static void put_mark(struct sf_classifier *j, struct sf_word *w, const char *mark,
                     struct found found)
{
    const char *first = mark && *mark ? strstr(w->text, mark) : NULL, *last = first;
    uint32_t head, tail;
    bool alone;

    if (!first)
        return;
    for (const char *p = first; p; p = strstr(p + 1, mark))
        last = p;
    alone = first == last && !(w->flags & SF_WORD_EXPANDS);
    head = (uint32_t)(first - w->text);
    tail = (uint32_t)strlen(last + strlen(mark));
    w->head = alone || head < w->head ? head : w->head;
    w->tail = alone || tail < w->tail ? tail : w->tail;
    w->flags |= SF_WORD_EXPANDS;
    w->lead = w->head || !alone ? NULL : found.lead;
    w->pieces = found_piece(j, found.inside && alone, w->head);
    w->npieces = 1;
    if (!w->head && !w->lead)
        w->flags |= SF_WORD_SPLITS; /* it could be an option */
}

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
    for (size_t i = 0; i < count; i++)
        put_mark(j, &copy[i], mark, found);
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

/* Options of xargs that leave alone where its input falls into words and which go together. */
#define XARGS_PLAIN                                                                  \
    "-r -t -p -x -o -P --no-run-if-empty --verbose --interactive --exit --open-tty " \
    "--max-procs"
#define XARGS_COUNT "-n --max-args"

enum { XARGS_TEXT = 4096 }; /* longest input of which xargs surely makes one call */

/* How many words go with each call: 0, all of them; false: its options make that unsure. */
static bool words_per_call(const struct sf_options *options, size_t *each)
{
    *each = 0;
    if (options->unknown || options->any || options->fuzzy || options->cut)
        return false;
    for (size_t i = 0; i < options->count; i++) {
        const struct sf_word_option *o = &options->items[i];

        if (sf_option_is(o, XARGS_PLAIN))
            continue;
        if (!sf_option_is(o, XARGS_COUNT) || *each || !o->value ||
            o->value_in->flags & SF_WORD_EXPANDS || strlen(o->value) > 4 ||
            o->value[strspn(o->value, "0123456789")])
            return false;
        *each = strtoul(o->value, NULL, 10);
        if (!*each)
            return false;
    }
    return true;
}

/* Its words; false: xargs takes quotes and backslashes away, and some stop at a lone _. */
static bool split_input(struct sf_classifier *j, const struct sf_shell_call *call, const char *text,
                        size_t len, struct sf_strlist *out)
{
    if (len > XARGS_TEXT || memchr(text, '"', len) || memchr(text, '\'', len) ||
        memchr(text, '\\', len) || call->count > SF_SHELL_WORDS ||
        j->arena->used + (len + call->count) * sizeof(struct sf_word) > SF_SHELL_MEMORY)
        return false;
    for (size_t at = 0; at < len; at++) {
        size_t n = 0;

        while (at + n < len && !strchr(" \t\n", text[at + n]))
            n++;
        if (n == 1 && text[at] == '_')
            return false;
        if (n)
            sf_strlist_addf(out, "%.*s", (int)n, text + at);
        at += n;
    }
    return true;
}

/* One call of the command, with these words behind its own. */
static void with_words(struct sf_classifier *j, const struct sf_shell_call *call,
                       char *const *words, size_t count)
{
    struct sf_word *copy = sf_arena_alloc(j->arena, (call->count + count + 1) * sizeof(*copy));

    memcpy(copy, call->words, call->count * sizeof(*copy));
    for (size_t i = 0; i < count; i++) {
        struct sf_word *w = &copy[call->count + i];
        size_t len = strlen(words[i]);

        *w = (struct sf_word){ .text = sf_arena_strndup(j->arena, words[i], len),
                               .at = call->words[0].at,
                               .span = call->words[0].span };
        w->len = w->head = w->tail = (uint32_t)len;
    }
    sf_classify_words(j, call->cmd, copy, call->count + count, call->wrapped + 1);
}

/* `echo . -delete | xargs find`: the words are in the text after all. */
static bool with_known_words(struct sf_classifier *j, const struct sf_shell_call *call)
{
    struct sf_strlist words = SF_STRLIST_INIT;
    const char *text;
    size_t len, each;
    bool some, known = words_per_call(call->options, &each) &&
                       sf_classify_input(j, call->cmd, &text, &len, &some) &&
                       split_input(j, call, text, len, &words);

    if (known && (!each || !words.count))
        with_words(j, call, words.items, words.count);
    for (size_t i = 0; known && each && i < words.count; i += each)
        with_words(j, call, words.items + i, words.count - i < each ? words.count - i : each);
    sf_strlist_release(&words);
    return known;
}

/* What feeds xargs, unless it reads a file instead. */
static const struct sf_shell_command *feed_of(const struct sf_shell_call *call)
{
    for (const struct sf_redirect *r = call->cmd->redirects; r; r = r->next)
        if (r->op != SF_REDIRECT_WRITE && r->op != SF_REDIRECT_APPEND && r->op != SF_REDIRECT_DUP)
            return NULL;
    return sf_options_has(call->options, "-a --arg-file") ? NULL : call->cmd->from;
}

/* The name of a variable that xargs sets for its commands. */
static void judge_slot(struct sf_classifier *j, const struct sf_word_option *o)
{
    struct sf_word value = { .text = "", .flags = SF_WORD_EXPANDS };

    if (!o->value)
        return;
    value.at = o->value_in->at;
    value.span = o->value_in->span;
    if (o->value_in->flags & SF_WORD_EXPANDS)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "variable-exec", o->value_in);
    else
        sf_classify_assign(j, o->value, &value, SF_ASSIGN_PASSED);
}

/* What stands for the word in the command: of -I, -i and their kin, of which the last counts. */
static const char *mark_of(struct sf_classifier *j, const struct sf_options *options)
{
    const char *mark = NULL;

    for (size_t i = 0; i < options->count; i++) {
        const struct sf_word_option *o = &options->items[i];
        const char *own;

        if (!sf_option_is(o, "-I -i --replace -J"))
            continue;
        own = o->value && *o->value ? o->value : "{}";
        if ((o->value && o->value_in->flags & SF_WORD_EXPANDS) || (mark && strcmp(mark, own) != 0))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", o->word);
        mark = own;
    }
    return mark;
}

/* -d: what comes falls apart inside its lines, so that parts of names may be anything. */
static bool cuts_elsewhere(const struct sf_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        if (sf_option_is(&options->items[i], "-d --delimiter") &&
            (!options->items[i].value || strcmp(options->items[i].value, "\\n") != 0))
            return true;
    return false;
}

void sf_classify_xargs(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char appending[] = "-n --max-args -L --max-lines -l";
    const char *mark = mark_of(j, call->options);
    const struct sf_shell_command *from = feed_of(call);
    struct found found = { fed_inside(j, from), from && sf_outputs_inside(j, from) };

    if (cuts_elsewhere(call->options))
        found = (struct found){ NULL, false };
    for (size_t i = 0; i < call->options->count; i++)
        if (sf_option_is(&call->options->items[i], "--process-slot-var"))
            judge_slot(j, &call->options->items[i]);
    if (found.inside)
        sf_value_note(j, &(struct sf_value){ .name = found_inside, .listed = from });
    if (!call->count || (!mark && with_known_words(j, call)))
        return;
    with_unknown_word(j, call, call->words, call->count, mark, found);
    if (mark && sf_options_has(call->options, appending)) /* the later of both counts */
        with_unknown_word(j, call, call->words, call->count, NULL, found);
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
