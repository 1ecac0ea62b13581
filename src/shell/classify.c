/*
 * classify.c: the whole text. Walks the flat list of commands the reader found, judges each one
 * with its redirections and assignments, and joins what only shows across commands: files
 * written and then run, secrets read and then sent.
 */
#include "shell/classify.h"

#include <string.h>

#include "shell/classifier.h"

void sf_report_host(struct sf_classifier *j, const char *text)
{
    const char *scheme = strstr(text, "://");
    const char *start = scheme ? scheme + 3 : text;
    const char *at = memchr(start, '@', strcspn(start, "/"));
    char host[256];
    size_t len;

    if (at)
        start = at + 1;
    len = strcspn(start, "/:?#");
    if (!len || len >= sizeof(host))
        return;
    memcpy(host, start, len);
    host[len] = '\0';
    if (j->report->hosts.count >= SF_REPORT_ITEMS)
        j->report->more = true;
    else if (!sf_strlist_has(&j->report->hosts, host))
        sf_strlist_add(&j->report->hosts, host);
}

void sf_classify_made(struct sf_classifier *j, const char *name, const char *text, size_t len,
                      bool fetched)
{
    if (j->nmade >= SF_MADE_MAX)
        return;
    j->made[j->nmade++] = (struct sf_made){ name, text, len, fetched };
}

static bool prints_nothing(const struct sf_shell_command *cmd);

bool sf_starves(const struct sf_shell_command *cmd)
{
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next)
        if (r->op == SF_REDIRECT_READ && !strcmp(r->target.text, "/dev/null"))
            return true;
    return cmd->from && prints_nothing(cmd->from);
}

/* `: > f`, `cat /dev/null > f`, `printf '' > f`, `exec 3> f`: the file is emptied. */
static bool prints_nothing(const struct sf_shell_command *cmd)
{
    const char *name = cmd->count ? cmd->words[0].text : ":";

    if (!strcmp(name, ":") || !strcmp(name, "true") || !strcmp(name, "false") ||
        (!strcmp(name, "exec") && cmd->count == 1))
        return true;
    if (!strcmp(name, "cat") || !strcmp(name, "tee"))
        return (cmd->count == 2 && !strcmp(cmd->words[1].text, "/dev/null")) || sf_starves(cmd);
    if (!strcmp(name, "echo") || !strcmp(name, "printf"))
        return (cmd->count == 2 && (!strcmp(cmd->words[1].text, "-n") || !cmd->words[1].len) &&
                !(cmd->words[1].flags & SF_WORD_EXPANDS)) ||
               (cmd->count == 3 && !strcmp(cmd->words[1].text, "-n") && !cmd->words[2].len &&
                !(cmd->words[2].flags & SF_WORD_EXPANDS));
    return false;
}

/* Where the compound command begins whose redirections these are. */
static const struct sf_shell_command *opening_of(const struct sf_shell *shell,
                                                 const struct sf_shell_command *group)
{
    const struct sf_shell_command *open[SF_SHELL_DEPTH], *last = NULL;
    unsigned depth = 0;

    for (const struct sf_shell_command *c = shell->first; c && c != group; c = c->next) {
        if (c->kind == SF_SHELL_OPEN && depth < SF_SHELL_DEPTH)
            open[depth++] = c;
        else if (c->kind == SF_SHELL_CLOSE && depth)
            last = open[--depth];
    }
    return last;
}

/* `{ :; } > f`: nothing in there prints anything. */
static bool is_silent(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    const struct sf_shell_command *c;
    size_t commands = 0;

    if (cmd->kind == SF_SHELL_SIMPLE)
        return prints_nothing(cmd);
    if (cmd->kind != SF_SHELL_GROUP)
        return false;
    for (c = opening_of(j->shell, cmd); c && c != cmd; c = c->next) {
        if (c->kind != SF_SHELL_SIMPLE)
            continue;
        commands++;
        if (!prints_nothing(c))
            return false;
    }
    return commands > 0;
}

static void judge_output(struct sf_classifier *j, const struct sf_shell_command *cmd,
                         const struct sf_redirect *r)
{
    const char *text = NULL;
    size_t len = 0;
    bool some;
    bool empties = r->op == SF_REDIRECT_WRITE || r->op == SF_REDIRECT_BOTH;

    if (r->target.flags & SF_WORD_PROCESS)
        return;
    sf_classify_write(j, &r->target, r->target.text);
    if (sf_reach_of(j, &r->target, r->target.text) == SF_REACH_SINK)
        return;
    j->report->redirects = true;
    if (empties && is_silent(j, cmd))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", &r->target);
    if (cmd->kind == SF_SHELL_SIMPLE && cmd->count && !strcmp(cmd->words[0].text, "cat") &&
        cmd->count == 1 && !sf_classify_input(j, cmd, &text, &len, &some))
        text = NULL;
    if (cmd->kind == SF_SHELL_SIMPLE && cmd->count && !text) {
        struct sf_shell_command reader = { .from = cmd, .piped = true };

        if (!sf_classify_input(j, &reader, &text, &len, &some))
            text = NULL;
    }
    sf_classify_made(j, r->target.text, text, len, j->talks);
}

static void assign_unknown(struct sf_classifier *j, const char *name, const struct sf_word *at);

static void judge_redirects(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next) {
        if (r->name)
            assign_unknown(j, r->name, &r->target);
        switch (r->op) {
        case SF_REDIRECT_READ:
            if (!(r->target.flags & SF_WORD_PROCESS))
                sf_classify_reads(j, &r->target, r->target.text);
            break;
        case SF_REDIRECT_WRITE:
        case SF_REDIRECT_APPEND:
        case SF_REDIRECT_BOTH:
        case SF_REDIRECT_READWRITE:
            judge_output(j, cmd, r);
            break;
        case SF_REDIRECT_DUP:
        case SF_REDIRECT_TEXT:
        case SF_REDIRECT_STRING:
            break;
        }
    }
}

/* [[ a -eq b ]] evaluates both, [[ -v name ]] the subscript of the name. */
static void judge_test(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    static const char numeric[] = "-eq|-ne|-lt|-le|-gt|-ge";

    for (size_t i = 0; i < cmd->count; i++) {
        const struct sf_word *w = cmd->words + i;

        if (sf_pattern_fits("-v|-R", 5, w->text) && i + 1 < cmd->count)
            sf_arith_name(j, w + 1, w[1].text);
        if (!sf_pattern_fits(numeric, sizeof(numeric) - 1, w->text) || !i || i + 1 >= cmd->count)
            continue;
        sf_arith_judge(j, w - 1, w[-1].text, w[-1].len);
        sf_arith_judge(j, w + 1, w[1].text, w[1].len);
    }
}

/* A variable gets a value only the run will show. */
static void assign_unknown(struct sf_classifier *j, const char *name, const struct sf_word *at)
{
    struct sf_word value = *at;

    value.text = "";
    value.len = value.head = value.tail = 0;
    value.flags |= SF_WORD_EXPANDS;
    sf_classify_assign(j, name, &value, SF_ASSIGN_SHELL);
}

/* A word in the place of a name: which variable it is must be known. */
static void judge_name(struct sf_classifier *j, const struct sf_word *w, const char *name)
{
    if (w->flags & SF_WORD_EXPANDS && w->head <= (size_t)(name - w->text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "variable-exec", w);
    else
        assign_unknown(j, name, w);
}

/* read [options] NAMES; options that end in one of these letters take the next word. */
static void judge_read_names(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    const char *taking = strcmp(cmd->words[0].text, "read") ? "dnOsuCc" : "pdnNtui";

    for (size_t i = 1; i < cmd->count; i++) {
        const struct sf_word *w = &cmd->words[i];

        if (w->text[0] != '-')
            judge_name(j, w, w->text);
        else if (w->len > 1 && strchr(taking, w->text[w->len - 1]))
            i++;
    }
}

/* Names behind read and mapfile, and behind the -v and -p of printf and wait. */
static void judge_setters(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    static const char readers[] = "read|mapfile|readarray|getopts";
    const char *program = cmd->count ? cmd->words[0].text : "";

    if (sf_pattern_fits(readers, sizeof(readers) - 1, program))
        judge_read_names(j, cmd);
    if (strcmp(program, "printf") != 0 && strcmp(program, "wait") != 0)
        return;
    for (size_t i = 1; i < cmd->count; i++) {
        const char *text = cmd->words[i].text;

        if (text[0] != '-' || (text[1] != 'v' && text[1] != 'p'))
            continue;
        if (text[2])
            judge_name(j, &cmd->words[i], text + 2);
        else if (i + 1 < cmd->count)
            judge_name(j, &cmd->words[i + 1], cmd->words[i + 1].text);
    }
}

static void judge_tricks(struct sf_classifier *j, const struct sf_shell *shell)
{
    static const struct {
        enum sf_class class;
        const char *rule;
    } tricks[SF_TRICK_COUNT] = {
        [SF_TRICK_PROMPT] = { SF_CLASS_DESTRUCTIVE, "hidden-expansion" },
        [SF_TRICK_INDIRECT] = { SF_CLASS_DESTRUCTIVE, "hidden-expansion" },
        [SF_TRICK_ASSIGN] = { SF_CLASS_BUILD_TEST, "assigning-expansion" },
        [SF_TRICK_ASSEMBLE] = { SF_CLASS_DESTRUCTIVE, "hidden-expansion" },
    };

    for (size_t i = 0; i < SF_TRICK_COUNT; i++) {
        struct sf_word at = { .text = "",
                              .at = (uint32_t)shell->trick_at[i],
                              .span = (uint32_t)shell->trick_len[i] };

        if (shell->tricks & 1u << i)
            sf_classify_raise(j, tricks[i].class, tricks[i].rule, &at);
    }
}

/* An assignment to a variable that evaluates what it is given. */
static void judge_integer(struct sf_classifier *j, const struct sf_assign *a)
{
    if (!sf_arith_evaluates(j, a->name))
        return;
    for (size_t i = 0; i < a->nitems; i++)
        sf_arith_judge(j, &a->items[i], a->items[i].text, a->items[i].len);
    if (!a->nitems)
        sf_arith_judge(j, &a->value, a->value.text, a->value.len);
}

static void judge_loop(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    assign_unknown(j, cmd->words[0].text, &cmd->words[0]);
    j->where.loop_name = cmd->words[0].text;
    for (size_t i = 1; i < cmd->count && sf_arith_evaluates(j, cmd->words[0].text); i++)
        sf_arith_judge(j, &cmd->words[i], cmd->words[i].text, cmd->words[i].len);
}

/* `m[$k]` of an associative array is text, as long as nothing unsets it. */
static bool is_map(struct sf_classifier *j, const char *array)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    bool is;

    sf_strbuf_addf(&sb, "%s%s", SF_MAP, array);
    is = sf_cwd_is_set(j, sb.buf) && !sf_strlist_has(&j->dropped, array);
    sf_strbuf_release(&sb);
    return is;
}

static void judge_assigns(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (const struct sf_assign *a = cmd->assigns; a; a = a->next) {
        sf_classify_assign(j, a->name, &a->value, cmd->count ? SF_ASSIGN_COMMAND : SF_ASSIGN_SHELL);
        judge_integer(j, a);
        if (!cmd->count && !cmd->loose && !a->adds)
            sf_cwd_set_behind(j, a->name, cmd);
    }
    for (const struct sf_assign *a = cmd->declared; a; a = a->next)
        judge_integer(j, a);
}

static void judge_command(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    sf_cwd_step(j, cmd);
    judge_assigns(j, cmd);
    switch (cmd->kind) {
    case SF_SHELL_SIMPLE:
        judge_setters(j, cmd);
        sf_classify_words(j, cmd, cmd->words, cmd->count, 0);
        break;
    case SF_SHELL_TEST:
        judge_test(j, cmd);
        break;
    case SF_SHELL_FOR:
        if (cmd->count)
            judge_loop(j, cmd);
        break;
    case SF_SHELL_FUNCTION:
        if (!cmd->count)
            break;
        sf_survey_add(&j->defined, cmd->words[0].text);
        j->body_end = cmd->body_end;
        break;
    case SF_SHELL_ARITH:
        if (!cmd->array || !is_map(j, cmd->array))
            sf_arith_judge(j, &cmd->words[0], cmd->words[0].text, cmd->words[0].len);
        break;
    case SF_SHELL_CASE:
    case SF_SHELL_GROUP:
    case SF_SHELL_OPEN:
    case SF_SHELL_TURN:
    case SF_SHELL_CLOSE:
        break;
    }
    judge_redirects(j, cmd);
}

/* Builtins that give a variable what only the run will show, when that variable evaluates it. */
static void judge_integers(struct sf_classifier *j)
{
    for (size_t i = 0; i < j->nvalues; i++) {
        const struct sf_value *v = &j->values[i];

        if (!v->word && !v->number && !v->appended && sf_arith_evaluates(j, v->name))
            sf_arith_unknown(j, NULL);
    }
}

static void judge_commands(struct sf_classifier *j, const struct sf_shell *shell)
{
    struct sf_cwd where;
    bool moves = false;

    j->body_end = 0;
    sf_cwd_begin(j, &where);
    for (const struct sf_shell_command *cmd = shell->first; cmd; cmd = cmd->next) {
        moves = moves || sf_moves(cmd);
        judge_command(j, cmd);
    }
    judge_integers(j);
    sf_cwd_end(j, &where, moves);
}

static void judge_shell(struct sf_classifier *j, const char *text, size_t len)
{
    const struct sf_shell *outer = j->shell;
    struct sf_shell *shell = sf_arena_alloc(j->arena, sizeof(*shell));
    uint32_t body_end = j->body_end;

    if (!sf_shell_read(shell, text, len, j->arena)) {
        struct sf_word at = { .text = "", .at = (uint32_t)shell->problem_at, .span = 1 };

        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", &at);
    }
    j->shell = shell;
    j->report->steps += shell->steps;
    sf_survey(j, shell);
    judge_tricks(j, shell);
    judge_commands(j, shell);
    if (!j->depth && j->late)
        judge_commands(j, shell); /* texts inside it set what commands before them use */
    j->body_end = body_end;
    j->shell = outer;
}

/*
 * A text inside the text is found again where it is borrowed from it, as here-documents are, or
 * where it stands in the word as it is written, as in single quotes.
 */
static const char *find_text(const struct sf_text_place *outer, const char *text, size_t len,
                             const struct sf_word *at)
{
    uintptr_t first = (uintptr_t)outer->text, here = (uintptr_t)text;

    if (here >= first && here - first <= outer->text_len && len <= outer->text_len - (here - first))
        return text;
    if (!len || !at || at->at > outer->text_len || at->span > outer->text_len - at->at)
        return NULL;
    return memmem(outer->text + at->at, at->span, text, len);
}

static void enter_text(struct sf_classifier *j, const char *text, size_t len,
                       const struct sf_word *at)
{
    const struct sf_text_place outer = j->place;
    const char *found = outer.known ? find_text(&outer, text, len, at) : NULL;
    struct sf_text_place *inner = &j->place;

    if (at)
        sf_classify_place(j, at, &inner->at, &inner->len);
    inner->text = text;
    inner->text_len = len;
    inner->argv = NULL;
    inner->known = found != NULL;
    inner->origin = found ? outer.origin + (size_t)(found - outer.text) : 0;
}

void sf_classify_text(struct sf_classifier *j, const char *text, size_t len,
                      const struct sf_word *at)
{
    const struct sf_text_place outer = j->place;
    const struct sf_shell *shell = j->shell;

    if (j->depth >= SF_CLASSIFY_DEPTH) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "nested-too-deeply", at);
        return;
    }
    enter_text(j, text, len, at);
    j->depth++;
    judge_shell(j, text, len);
    j->depth--;
    j->place = outer;
    j->shell = shell;
}

void sf_shell_classify(const char *text, size_t len, struct sf_shell_report *out)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_classifier j;

    memset(&j, 0, offsetof(struct sf_classifier, values)); /* for the sake of short texts */
    j.report = out;
    j.arena = &arena;
    j.place = (struct sf_text_place){ .text = text, .text_len = len, .known = true, .len = len };
    memset(out, 0, sizeof(*out));
    out->rule = "";
    judge_shell(&j, text, len);
    if (j.talks && j.reads_secret && out->class < SF_CLASS_DESTRUCTIVE) {
        sf_classify_raise(&j, SF_CLASS_DESTRUCTIVE, "secret-leaves", NULL);
        out->at = j.secret_at;
        out->len = j.secret_len;
    }
    if (j.passes && j.starts && out->class < SF_CLASS_BUILD_TEST) {
        sf_classify_raise(&j, SF_CLASS_BUILD_TEST, "variable-unknown", NULL);
        out->at = j.passed_at;
        out->len = j.passed_len;
    }
    if (out->at > len)
        out->at = len;
    if (out->len > len - out->at)
        out->len = len - out->at;
    out->reason = sf_rule_reason(out->rule);
    out->talks = j.talks || out->class == SF_CLASS_NETWORK || sf_network_is_meant(out->rule);
    out->sends = out->class == SF_CLASS_NETWORK && !sf_network_only_fetches(out, &j.talkers);
    sf_strlist_release(&j.talkers);
    sf_map_release(&j.rows);
    sf_strlist_release(&j.functions);
    sf_strlist_release(&j.defined);
    sf_strlist_release(&j.safe_names);
    sf_strlist_release(&j.open_names);
    sf_strlist_release(&j.integers);
    sf_strlist_release(&j.maps);
    sf_strlist_release(&j.arrays);
    sf_strlist_release(&j.dropped);
    sf_arena_release(&arena);
}

void sf_shell_report_release(struct sf_shell_report *report)
{
    sf_strlist_release(&report->programs);
    sf_strlist_release(&report->hosts);
    sf_strlist_release(&report->families);
    sf_strlist_release(&report->options);
    sf_strlist_release(&report->git_dirs);
    sf_strlist_release(&report->writing);
    sf_strlist_release(&report->removes);
    sf_strlist_release(&report->removes_like);
    for (size_t i = 0; i < report->npaths; i++)
        free(report->paths[i].text);
    report->npaths = 0;
}

void sf_shell_report_raise(struct sf_shell_report *report, enum sf_class class, const char *rule)
{
    if (report->class >= class)
        return;
    report->class = class;
    report->rule = rule;
    report->reason = sf_rule_reason(rule);
}
