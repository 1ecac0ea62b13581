/*
 * classifier.c: one command. Finds the fact that fits, raises the class by it, by the options and by
 * what its judge sees in the operands. The one idea: nothing here lowers the class, so every
 * doubt may be answered by judging both readings.
 */
#include "shell/classifier.h"

#include <string.h>

/* The end of the last word of the command, if it is this one that names the program. */
static size_t command_end(const struct sf_text_place *p, const struct sf_word *word)
{
    size_t end = word->at + word->span;

    for (size_t i = 0; p->argv && p->argv[0].at == word->at && i < p->argc; i++)
        if (p->argv[i].at + p->argv[i].span > end)
            end = p->argv[i].at + p->argv[i].span;
    return end;
}

/* Bytes of a word; of one in backticks, whose place nobody kept, those of all they hold. */
static size_t word_span(const struct sf_text_place *p, const struct sf_word *word)
{
    size_t at = word->at, end = at + 1;

    if (word->span)
        return command_end(p, word) - at;
    if (at >= p->text_len || p->text[at] != '`')
        return 0;
    while (end < p->text_len && p->text[end] != '`')
        end += p->text[end] == '\\' ? 2 : 1;
    return (end < p->text_len ? end + 1 : p->text_len) - at;
}

void sf_classify_place(const struct sf_classifier *j, const struct sf_word *word, size_t *at,
                       size_t *len)
{
    const struct sf_text_place *p = &j->place;
    size_t span = word && p->known ? word_span(p, word) : 0;

    *at = span ? p->origin + word->at : p->at;
    *len = span ? span : p->len;
}

void sf_classify_raise(struct sf_classifier *j, enum sf_class class, const char *rule,
                       const struct sf_word *at)
{
    struct sf_shell_report *report = j->report;

    j->worst = class > j->worst ? class : j->worst;
    if (class <= report->class)
        return;
    report->class = class;
    report->rule = rule;
    sf_classify_place(j, at, &report->at, &report->len);
}

void sf_classify_secret(struct sf_classifier *j, const struct sf_word *at)
{
    j->reads_secret = true;
    sf_classify_place(j, at, &j->secret_at, &j->secret_len);
}

/* From the command that feeds it to the end of the one that runs what comes. */
void sf_classify_raise_piped(struct sf_classifier *j, const struct sf_shell_command *cmd,
                             const struct sf_word *at)
{
    const struct sf_shell_command *from = cmd->from ? cmd->from : cmd;
    const struct sf_word pipe = { .text = "",
                                  .at = from->at,
                                  .span = cmd->at + cmd->span - from->at };

    sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "pipe-to-shell",
                      cmd->span && from->at <= cmd->at ? &pipe : at);
}

void sf_classify_rename(struct sf_classifier *j, enum sf_class class, const char *rule,
                        const struct sf_word *at)
{
    if (class == j->report->class)
        j->report->class = SF_CLASS_READONLY;
    sf_classify_raise(j, class, rule, at);
}

/* The rows of one program, in the order of the tables; `globals` is the one with the verb "". */
struct program {
    const struct sf_fact *globals;
    size_t count;
    const struct sf_fact *rows[];
};

/* Looked up once for each name of a text; `name` lives as long as the arena. */
static const struct program *facts_of(struct sf_classifier *j, const char *name)
{
    struct program *p = sf_map_gets(&j->rows, name);
    const struct sf_fact *found[SF_FACTS_OF_ONE];
    size_t n;

    if (p)
        return p;
    n = sf_facts_find(name, found);
    p = sf_arena_alloc(j->arena, sizeof(*p) + n * sizeof(void *));
    p->count = n;
    for (size_t i = 0; i < n; i++) {
        p->rows[i] = found[i];
        if (!p->globals && found[i]->verb && !*found[i]->verb)
            p->globals = found[i];
    }
    sf_map_add(&j->rows, name, strlen(name), p);
    return p;
}

bool sf_classify_knows(struct sf_classifier *j, const char *program)
{
    return facts_of(j, program)->count > 0;
}

/* The name behind the last slash. Foreign: named by a path that is not a system directory. */
const char *sf_program_name(const struct sf_word *w, bool *foreign)
{
    static const char *const homes[] = { "/bin/",      "/usr/bin/",         "/usr/local/bin/",
                                         "/sbin/",     "/usr/sbin/",        "/usr/local/sbin/",
                                         "/snap/bin/", "/opt/homebrew/bin/" };
    const char *slash = strrchr(w->text, '/');

    *foreign = slash != NULL;
    for (size_t i = 0; slash && i < SF_COUNT(homes); i++) {
        size_t n = strlen(homes[i]);

        if (!strncmp(w->text, homes[i], n) && slash == w->text + n - 1)
            *foreign = false;
    }
    return slash ? slash + 1 : w->text;
}

/* What is being looked up, and the program's own options in front of its verb. */
struct lookup {
    const char *name;
    const struct program *program;
    const struct sf_fact *globals; /* NULL: the program has no verbs */
    struct sf_options before;      /* up to the verb */
    const struct sf_word **verbs;  /* the operands, as far as the globals tell */
    size_t nverbs;
    size_t start; /* of the verb in the words */
    const struct sf_shell_call *call;
};

/* One part of a verb; its alternatives stand between commas. `maybe`: a word nobody knows fits. */
static bool part_fits(const char *part, size_t len, const struct sf_word *w, bool maybe)
{
    if (w->flags & SF_WORD_EXPANDS)
        return maybe && w->flags & SF_WORD_ANY;
    while (len) {
        const char *comma = memchr(part, ',', len);
        size_t n = comma ? (size_t)(comma - part) : len;

        if (sf_pattern_fits(part, n, w->text))
            return true;
        part += n + (comma != NULL);
        len -= n + (comma != NULL);
    }
    return false;
}

/* How many operands this sub-command takes up, or -1. */
static int path_fits(const char *path, size_t len, const struct sf_word **operands, size_t count,
                     bool maybe)
{
    const char *end = path + len;
    int n = 0;

    while (path < end) {
        const char *blank = memchr(path, ' ', (size_t)(end - path));
        size_t part = blank ? (size_t)(blank - path) : (size_t)(end - path);

        if ((size_t)n >= count || !part_fits(path, part, operands[n], maybe))
            return -1;
        n++;
        path += part + (blank != NULL);
    }
    return n;
}

static int verb_fits(const char *verb, const struct sf_word **operands, size_t count, bool maybe)
{
    for (;;) {
        size_t len = strcspn(verb, "|");
        int n = path_fits(verb, len, operands, count, maybe);

        if (n >= 0 || !verb[len])
            return n;
        verb += len + 1;
    }
}

/* Adds to a list of the report; what does not fit is remembered as missing, not forgotten. */
static void note(struct sf_classifier *j, struct sf_strlist *list, const char *text)
{
    if (sf_strlist_has(list, text))
        return;
    if (list->count >= SF_REPORT_ITEMS || strlen(text) > SF_REPORT_BYTES)
        j->report->more = true;
    else
        sf_strlist_add(list, text);
}

/* Programs whose operands are names of further programs: an approval must not cover them all. */
static bool names_scripts(const char *family)
{
    static const char runners[] =
        "npm run|npm run-script|npm exec|pnpm run|pnpm exec|pnpm|yarn|yarn run|yarn exec|bun|bun run|"
        "deno task|deno run|make|gmake|just|task|rake|invoke|nox|tox|gradle|gradlew|mvn|ninja|bazel run|"
        "bazel test|bazel build|cargo run|go run|composer run|composer run-script|poetry run|uv run|"
        "pdm run|hatch run|pipenv run|bundle exec|mix|lein|sbt|ant|meson|cmake|npx|bunx|pnpx|uvx|"
        "python|python2|python3|node|ruby|perl|php|lua|bash|sh|zsh|dash|ksh|fish|tsx|ts-node|docker run|"
        "docker exec|podman run|podman exec|docker compose run|kubectl exec";

    return sf_pattern_fits(runners, sizeof(runners) - 1, family);
}

/* `git push --help`: words of a program that has verbs, none of which starts another program. */
static bool only_verbs(struct sf_classifier *j, const char *name, const struct sf_word *words,
                       size_t n)
{
    static const char starting[] = "run|exec|x|dlx|shell|ssh|attach|watch|eval|script|task|tool|"
                                   "foreach|start|test|create|init|rsh|debug|develop";
    const struct program *p = facts_of(j, name);
    const struct sf_word *verbs[2];
    bool known = false;

    for (size_t i = 0; i < n; i++) {
        verbs[i] = &words[i];
        if (words[i].flags & ~(unsigned)SF_WORD_QUOTED || words[i].text[0] == '-' ||
            strspn(words[i].text, "abcdefghijklmnopqrstuvwxyz-") != words[i].len ||
            (n > 1 && sf_pattern_fits(starting, sizeof(starting) - 1, words[i].text)))
            return false;
    }
    for (size_t i = 0; p->globals && i < p->count && !known; i++)
        known = p->rows[i]->verb && *p->rows[i]->verb &&
                verb_fits(p->rows[i]->verb, verbs, n, false) > 0;
    return known && !names_scripts(name);
}

/* `rm --help`, `git push --help`, `cargo --version`: nothing but plain words and that. */
static bool only_asks(struct sf_classifier *j, const char *name, const struct sf_word *words,
                      size_t count)
{
    const char *last = words[count - 1].text;

    if (count < 2 || count > 4 || (strcmp(last, "--help") != 0 && strcmp(last, "--version") != 0) ||
        words[count - 1].flags & SF_WORD_EXPANDS)
        return false;
    return count == 2 || only_verbs(j, name, words + 1, count - 2);
}

/* Programs each of whose operands is a target: `make test install` is two families. */
static bool takes_targets(const char *family)
{
    static const char programs[] = "make|gmake|ninja|rake|gradle|gradlew|mvn|ant";

    return sf_pattern_fits(programs, sizeof(programs) - 1, family);
}

/* False: it names none, and the program alone is the family. */
static bool note_targets(struct sf_classifier *j, const struct lookup *l)
{
    bool found = false;

    for (size_t i = l->start; takes_targets(l->name) && i < l->call->count; i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;

        if (l->call->words[i].text[0] != '-') {
            sf_strbuf_addf(&sb, "%s %s", l->name, l->call->words[i].text);
            note(j, &j->report->families, sb.buf);
            found = true;
        }
        sf_strbuf_release(&sb);
    }
    return found;
}

static void note_family(struct sf_classifier *j, const struct lookup *l, int verbs, bool talks)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    if (!talks && note_targets(j, l))
        return;

    sf_strbuf_adds(&sb, l->name);
    for (int i = 0; i < verbs; i++)
        sf_strbuf_addf(&sb, " %s", l->verbs[i]->text);
    if (names_scripts(sb.buf))
        for (size_t i = l->start + (size_t)verbs; i < l->call->count; i++)
            if (l->call->words[i].text[0] != '-')
                sf_strbuf_addf(&sb, " %s", l->call->words[i].text);
    note(j, &j->report->families, sb.buf);
    if (talks)
        note(j, &j->talkers, sb.buf);
    sf_strbuf_release(&sb);
}

/* Options whose value is a key to use, not a file to send. */
static bool names_identity(const struct sf_word *before)
{
    static const char names[] = "-i|-E|--key|--cert|--cacert|--kubeconfig|--netrc-file|--identity*|"
                                "--tlscert|--tlskey|--tlscacert|--ca-file|--cert-file|--key-file";

    return sf_pattern_fits(names, sizeof(names) - 1, before->text);
}

static bool is_secret_variable(const char *name)
{
    static const char names[] =
        "*_KEY|*_TOKEN|*_SECRET|*_PASSWORD|*PASSWD|*_CREDENTIALS|*_ACCESS_KEY*|*SECRET*|TOKEN|"
        "PASSWORD|*_PAT|*_APIKEY|API_KEY|*token|*password|*passwd|*secret*|*api_key|*apikey|"
        "*credentials";

    return sf_pattern_fits(names, sizeof(names) - 1, name);
}

/* A variable whose name says so is in it, or in the value of one that is; `deep` ends circles. */
static bool holds_secret(const struct sf_classifier *j, const struct sf_word *w, unsigned deep)
{
    for (uint32_t i = 0; i < w->npieces; i++) {
        const char *name = w->pieces[i].name;

        if (!name)
            continue;
        if (is_secret_variable(name))
            return true;
        for (size_t k = 0; deep && k < j->nvalues; k++)
            if (j->values[k].word && !strcmp(j->values[k].name, name) &&
                holds_secret(j, j->values[k].word, deep - 1))
                return true;
    }
    return false;
}

static void note_secrets(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 1; i < call->argc; i++)
        if ((sf_is_secret(call->argv[i].text) && !names_identity(&call->argv[i - 1])) ||
            holds_secret(j, &call->argv[i], 3))
            sf_classify_secret(j, &call->argv[i]);
}

/* `--dry-run=false`, `--dry-run false` and a later `--no-dry-run` take the condition back. */
static bool taken_back(const struct sf_options *options, const char *when)
{
    static const char no[] = "false|no|off|0|none|never";
    const struct sf_word_option *o = sf_options_find(options, when);

    if (o && o->dashes && o->value && sf_pattern_fits(no, sizeof(no) - 1, o->value))
        return true;
    for (size_t i = 0; o && i < options->noperands; i++)
        if (options->operands[i] == o->word + 1 && o->dashes &&
            sf_pattern_fits(no, sizeof(no) - 1, options->operands[i]->text))
            return true;
    return options->unknown && !strncmp(options->unknown->text, "--no-", 5);
}

static bool condition_holds(const struct sf_fact *row, const struct sf_options *options,
                            size_t count)
{
    const char *when = row->when;

    if (!when)
        return true;
    if (*when == '=')
        return count == 2 && sf_options_has(options, when + 1);
    return sf_options_has(options, when) &&
           (row->class == SF_CLASS_DESTRUCTIVE || !taken_back(options, when));
}

/* A local edit is one only where the workspace is. */
static void judge_elsewhere(struct sf_classifier *j, const struct lookup *l)
{
    for (size_t i = 0; l->globals && i < l->before.count; i++) {
        const struct sf_word_option *o = &l->before.items[i];

        if (o->effect != '^' || !o->value)
            continue;
        if (sf_leads_away(o->value_in, o->value))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "write-outside", o->value_in);
        sf_note_path(j, o->value_in, o->value, true);
    }
}

static bool follows(const struct sf_options *o)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->items[i].effect == ':')
            return true;
    return false;
}

/* What is no path among the operands names nothing that is there. */
static void follow_operands(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool names =
        call->fact->judge == sf_classify_operands_listed || call->fact->judge == sf_classify_fd;

    for (size_t i = 0; i < call->noperands; i++)
        sf_classify_follows(j, call->operands[i], names);
    if (call->noperands < 2)
        sf_classify_follows(j, NULL, names);
}

/* `timeout $t make`: what falls apart in front of the command may hold another one. */
static void judge_front(struct sf_classifier *j, const struct sf_shell_call *call, size_t from,
                        size_t to)
{
    for (size_t i = from; i < to && i < call->count; i++)
        if (call->words[i].flags & SF_WORD_ANY && call->words[i].flags & SF_WORD_SPLITS)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "any-option", &call->words[i]);
}

/* `sort -o f /dev/null`: what it copies to the file of an option is nothing. */
static void judge_nothing_written(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_options *o = call->options;
    bool nothing = call->noperands
                       ? call->noperands == 1 && !strcmp(call->operands[0]->text, "/dev/null")
                       : sf_starves(call->cmd);

    for (size_t i = 0; nothing && call->fact->class == SF_CLASS_READONLY && i < o->count; i++)
        if (o->items[i].effect == '>')
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", o->items[i].word);
}

/* True when the row fits; its class, its options and its judge have then been applied. */
static bool try_row(struct sf_classifier *j, const struct lookup *l, const struct sf_fact *row,
                    const struct sf_shell_call *base)
{
    const char *const lists[2] = { row->options ? row->options : row->when,
                                   l->globals && row != l->globals ? l->globals->options : NULL };
    int verbs = row->verb && l->globals ? verb_fits(row->verb, l->verbs, l->nverbs, false) : 0;
    size_t start = row->verb ? l->start : 1;
    struct sf_options options;
    struct sf_shell_call call = *base;

    if (verbs < 0)
        return false;
    sf_options_read(&options, lists, base->words + start, base->count - start, row->skip > 0,
                    j->arena);
    if (!condition_holds(row, &options, base->count))
        return false;
    call.fact = row;
    call.options = &options;
    call.operands =
        options.operands + ((size_t)verbs < options.noperands ? (size_t)verbs : options.noperands);
    call.noperands = options.noperands - (size_t)(call.operands - options.operands);
    if (row->skip > 0) {
        call.words = base->words + start + options.end;
        call.count = base->count - start - options.end;
        judge_front(j, base, start, start + options.end + (size_t)row->skip - 1);
    }
    sf_classify_raise(j, row->class, row->rule ? row->rule : "", &base->words[0]);
    j->talks = j->talks || row->class == SF_CLASS_NETWORK;
    sf_effects_apply(j, row, &options);
    judge_nothing_written(j, &call);
    note_family(j, l, verbs, row->class == SF_CLASS_NETWORK);
    note_secrets(j, base);
    if (row->class == SF_CLASS_LOCAL_EDIT)
        judge_elsewhere(j, l);
    if (row->judge)
        row->judge(j, &call);
    if (follows(&options))
        follow_operands(j, &call);
    return true;
}

/* The row would decide, were the words that nobody knows what it waits for. */
static const struct sf_word *may_wait_for(struct sf_classifier *j, const struct lookup *l,
                                          const struct sf_fact *row,
                                          const struct sf_shell_call *call)
{
    const char *const lists[2] = { row->options ? row->options : row->when, NULL };
    size_t start = row->verb ? l->start : 1;
    struct sf_options options;

    if (row->verb && l->globals) {
        if (verb_fits(row->verb, l->verbs, l->nverbs, true) < 0)
            return NULL;
        if (verb_fits(row->verb, l->verbs, l->nverbs, false) < 0)
            return l->verbs[0];
    }
    if (!row->when || *row->when == '=')
        return NULL;
    sf_options_read(&options, lists, call->words + start, call->count - start, row->skip > 0,
                    j->arena);
    return options.any;
}

/* A word that may be any option may be the one that another row of the verb waits for. */
static void try_conditions(struct sf_classifier *j, const struct lookup *l,
                           const struct sf_shell_call *call)
{
    bool open = false;

    for (size_t i = 1; i < call->count; i++)
        open = open || call->words[i].flags & SF_WORD_ANY;
    for (size_t i = 0; open && i < l->program->count; i++) {
        const struct sf_fact *row = l->program->rows[i];
        const struct sf_word *at = row->rule ? may_wait_for(j, l, row, call) : NULL;

        if (at)
            sf_classify_raise(j, row->class, row->rule, at);
    }
}

/* The first row that fits decides. */
static bool try_rows(struct sf_classifier *j, const struct lookup *l,
                     const struct sf_shell_call *call)
{
    for (size_t i = 0; i < l->program->count; i++) {
        const struct sf_fact *row = l->program->rows[i];

        if (row != l->globals && (row->verb || row->when || !l->globals) &&
            try_row(j, l, row, call)) {
            try_conditions(j, l, call);
            return true;
        }
    }
    return l->globals && try_row(j, l, l->globals, call);
}

/* A program with verbs: an option nobody listed may or may not take the next word as its value. */
static bool judge_verbs(struct sf_classifier *j, struct lookup *l, const struct sf_shell_call *call)
{
    struct sf_options after;
    size_t shifts;
    bool found = false;

    sf_options_read(&l->before, (const char *const[2]){ l->globals->options, NULL },
                    call->words + 1, call->count - 1, true, j->arena);
    sf_effects_apply(j, l->globals, &l->before);
    shifts = l->before.unknown ? 2 : 1;
    l->start = 1 + l->before.end;
    for (; shifts && l->start <= call->count; shifts--, l->start++) {
        sf_options_read(&after, (const char *const[2]){ NULL, l->globals->options },
                        call->words + l->start, call->count - l->start, false, j->arena);
        l->verbs = after.operands;
        l->nverbs = after.noperands;
        if (l->nverbs && l->verbs[0]->flags & (SF_WORD_EXPANDS | SF_WORD_GLOB))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", l->verbs[0]);
        found = try_rows(j, l, call) || found;
    }
    return found;
}

static bool judge_known(struct sf_classifier *j, const char *name, const struct sf_shell_call *call)
{
    struct lookup l = { .name = name, .start = 1, .program = facts_of(j, name), .call = call };

    l.globals = l.program->globals;
    return l.globals ? judge_verbs(j, &l, call) : try_rows(j, &l, call);
}

static void judge_unknown(struct sf_classifier *j, const struct sf_shell_call *call)
{
    struct sf_shell_call plain = *call;
    struct sf_options options;

    sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-program", &call->words[0]);
    note(j, &j->report->families, call->words[0].text);
    note_secrets(j, call);
    sf_options_read(&options, (const char *const[2]){ NULL, NULL }, call->words + 1,
                    call->count - 1, false, j->arena);
    plain.options = &options;
    plain.operands = options.operands;
    plain.noperands = options.noperands;
    sf_classify_verbs(j, &plain);
    sf_classify_anywhere(j, &plain);
}

static char *lower_case(struct sf_classifier *j, const char *name)
{
    char *copy = sf_arena_strndup(j->arena, name, strlen(name));
    size_t len = strlen(copy);

    for (char *p = copy; *p; p++)
        *p = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
    if (len > 4 && !strcmp(copy + len - 4, ".exe"))
        copy[len - 4] = '\0';
    return copy;
}

static bool is_plain_name(const struct sf_word *w)
{
    if (w->flags & (SF_WORD_EXPANDS | SF_WORD_GLOB | SF_WORD_ODD) || !w->len || *w->text == '=')
        return false; /* zsh finds the program behind = by itself */
    for (const char *p = w->text; *p; p++)
        if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f)
            return false;
    return true;
}

/*
 * A function, unless it is only defined later on; wrappers do not find functions. Whoever names
 * one like a program may have defined it in a subshell or not at all, so that is judged as well.
 */
static bool calls_function(const struct sf_classifier *j, const struct sf_shell_command *cmd,
                           const struct sf_word *words, unsigned wrapped)
{
    return !wrapped && (sf_strlist_has(&j->defined, words[0].text) ||
                        (cmd->at < j->body_end && sf_strlist_has(&j->functions, words[0].text)));
}

/*
 * `"$t"` of a loop over `build/test_*`: which program that is only the tree knows, but it is one of
 * the project, by a path that stays inside.
 */
static bool names_own_program(struct sf_classifier *j, const struct sf_word *w)
{
    struct sf_word_values r;

    if (w->flags & (SF_WORD_ODD | SF_WORD_TILDE) || j->nmade)
        return false; /* what the text itself wrote could be among them */
    sf_word_values_of(j, w, w->text, &r);
    for (size_t i = 0; i < r.count; i++)
        if (!strchr(r.texts[i], '/') || !r.texts[i][0] || strchr("/~$-*?[", r.texts[i][0]) ||
            strstr(r.texts[i], "..") || strpbrk(r.texts[i], " \t\n"))
            return false;
    return r.count && !r.anywhere && !(r.names && w->flags & SF_WORD_SPLITS);
}

/* One way the words of a command can come out. */
static void judge_words(struct sf_classifier *j, const struct sf_shell_command *cmd,
                        const struct sf_word *words, size_t count, unsigned wrapped)
{
    struct sf_shell_call call = {
        .cmd = cmd, .words = words, .count = count, .argv = words, .argc = count, .wrapped = wrapped
    };
    const char *name, *lower;
    bool foreign, asks;

    if (!count)
        return;
    j->report->steps += count < 64 ? count : 64;
    if (wrapped > SF_CLASSIFY_WRAPPERS || ++j->calls > SF_CLASSIFY_CALLS) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "nested-too-deeply", &words[0]);
        return;
    }
    if (!is_plain_name(&words[0])) {
        if (names_own_program(j, &words[0]))
            sf_classify_raise(j, SF_CLASS_BUILD_TEST, "local-program", &words[0]);
        else
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", &words[0]);
        return;
    }
    for (size_t i = 1; i < count; i++)
        if (words[i].flags & SF_WORD_ODD && strchr(words[i].text, '\r'))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", &words[i]);
    name = sf_program_name(&words[0], &foreign);
    note(j, &j->report->programs, name);
    j->starts = j->starts || foreign || sf_heeds_variables(name);
    for (size_t i = 1; i < count; i++)
        if (words[i].text[0] == '-' && words[i].text[1])
            note(j, &j->report->options, words[i].text);
    if (!foreign && calls_function(j, cmd, words, wrapped) && !sf_classify_knows(j, name))
        return; /* its body is judged where it stands */
    if (foreign) {
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "local-program", &words[0]);
        note(j, &j->report->families, words[0].text);
        sf_classify_run_file(j, &words[0], words[0].text, true);
    }
    lower = sf_classify_knows(j, name) ? name : lower_case(j, name);
    if (lower != name && sf_classify_knows(j, lower))
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-program", &words[0]);
    if (sf_facts_reads_project(lower))
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "reads-project", &words[0]);
    asks = !foreign && lower == name && only_asks(j, name, words, count);
    if (!asks && !judge_known(j, lower, &call))
        judge_unknown(j, &call);
    if (!strcmp(lower, "git"))
        sf_classify_git_place(j, words, count, asks);
}

/* Whether the command builds or runs something, judged by itself; git's files are git's to change. */
static bool is_build(const struct sf_classifier *j, const struct sf_word_choice *choice)
{
    return choice->count && j->worst == SF_CLASS_BUILD_TEST &&
           strcmp(choice->words[0].text, "git") != 0;
}

static void judge_choice(struct sf_classifier *j, const struct sf_shell_command *cmd,
                         const struct sf_word_choice *choice, unsigned wrapped)
{
    const enum sf_class before = j->worst;
    const size_t calls = j->calls;

    j->place.argv = choice->count ? choice->words : NULL;
    j->place.argc = choice->count;
    j->worst = SF_CLASS_READONLY;
    judge_words(j, cmd, choice->words, choice->count, wrapped);
    if (j->calls == calls + 1 && is_build(j, choice)) /* no wrapper: whose words are the other's */
        sf_classify_named(j, choice->words, choice->count);
    j->worst = before > j->worst ? before : j->worst;
}

/* All the ways the words can come out, each from where the command stands. */
static void judge_choices(struct sf_classifier *j, const struct sf_shell_command *cmd,
                          const struct sf_word_choice *choices, size_t count, unsigned wrapped)
{
    const struct sf_stand now = j->where.now;

    for (size_t i = 0; i < count; i++) {
        const struct sf_stand done = j->where.done, failed = j->where.failed;

        j->where.now = now;
        judge_choice(j, cmd, &choices[i], wrapped);
        if (i)
            sf_cwd_also(&j->where, &done, &failed);
    }
}

void sf_classify_words(struct sf_classifier *j, const struct sf_shell_command *cmd,
                       const struct sf_word *words, size_t count, unsigned wrapped)
{
    struct sf_word_choice choices[SF_WORD_VALUES_MAX];
    size_t n = sf_substitute(j, words, count, choices);
    const struct sf_text_place outer = j->place;

    if (n > 1)
        judge_choices(j, cmd, choices, n, wrapped);
    else if (n)
        judge_choice(j, cmd, &choices[0], wrapped);
    j->place = outer;
}

void sf_classify_word_text(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    if (w->flags & SF_WORD_EXPANDS) {
        /* The unknown part could be anything, the known part is still read for the rule. */
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", w);
        return;
    }
    sf_classify_text(j, text, strlen(text), w);
}
