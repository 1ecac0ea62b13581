/*
 * offline_do.c: what the operator can do, one script a verb.
 */
#include "base/base.h"
#include "io/io.h"
#include "model/offline_operator.h"
#include "model/offline_words.h"

/* Names and texts of arguments, one after the other. */
#define PAIRS(...)        \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

/* A word that stands for a file; one that was mentioned with @ is meant without. */
static char *path_at(const struct sf_clause *c, size_t i)
{
    bool mention = i < c->count && !c->words[i].quoted && c->words[i].text[0] == '@';
    char *text = sf_words_text(c, i, i + 1), *path = sf_strdup(text + (mention && text[1]));

    free(text);
    return path;
}

/* The path named behind one of "in", "of", "from", or `otherwise`. */
static char *place_of(const struct sf_clause *c, const char *otherwise, size_t *at)
{
    static const char *const joints[] = { "in", "under", "inside", "of", "from", "below" };

    for (size_t k = 0; k < SF_COUNT(joints); k++) {
        size_t i = c->count;

        while (i-- > 1)
            if (sf_word_is(c, i, joints[k]) && i + 1 < c->count) {
                *at = i;
                i += 1 + (sf_word_is(c, i + 1, "the") && i + 2 < c->count);
                return path_at(c, i);
            }
    }
    *at = c->count;
    return sf_strdup(otherwise);
}

static bool is_noise(const struct sf_clause *c, size_t i)
{
    static const char *const noise[] = {
        "the",   "a",    "an",        "all",    "for", "me",          "file",      "files",
        "every", "text", "directory", "folder", "of",  "occurrences", "everything"
    };

    for (size_t k = 0; k < SF_COUNT(noise); k++)
        if (sf_word_is(c, i, noise[k]))
            return true;
    return false;
}

static size_t skip_noise(const struct sf_clause *c, size_t from, size_t to)
{
    while (from + 1 < to && is_noise(c, from))
        from++;
    return from;
}

static void do_list(struct sf_operator *t, const struct sf_clause *c)
{
    size_t at;
    char *path = place_of(c, "", &at);

    if (!*path && c->count > 1) {
        size_t i = skip_noise(c, 1, c->count);

        free(path);
        path = is_noise(c, i) ? sf_strdup(".") : path_at(c, i);
    }
    sf_operator_say_result(t, sf_operator_call(t, "LS", PAIRS("path", *path ? path : ".")));
    free(path);
}

static void do_read(struct sf_operator *t, const struct sf_clause *c)
{
    size_t i = skip_noise(c, 1, c->count);
    char *path = path_at(c, i);

    if (*path)
        sf_operator_say_result(t, sf_operator_call(t, "Read", PAIRS("file_path", path)));
    else
        sf_operator_refuse(t, "Which file? For example: read README.md\n");
    free(path);
}

static bool has_wildcard(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

/* Searches for the words as they are: what a pattern would read otherwise is escaped. */
static const struct sf_block *search(struct sf_operator *t, const char *what, const char *path,
                                     const char *mode)
{
    struct sf_strbuf pattern = SF_STRBUF_INIT;
    const struct sf_block *found;

    for (; *what; what++) {
        if (strchr("\\^$.|?*+()[]{}", *what))
            sf_strbuf_addch(&pattern, '\\');
        sf_strbuf_addch(&pattern, *what);
    }
    found = sf_operator_call(t, "Grep",
                             PAIRS("pattern", pattern.buf, "path", path, "output_mode", mode));
    sf_strbuf_release(&pattern);
    return found;
}

/* find: a pattern with wildcards means names of files, all else their text. */
static void do_find(struct sf_operator *t, const struct sf_clause *c)
{
    size_t at, from;
    char *path = place_of(c, ".", &at), *what;

    from = skip_noise(c, 1, at);
    while (at > from + 1 && is_noise(c, at - 1))
        at--;
    what = sf_words_text(c, from, at);
    if (!*what)
        sf_operator_refuse(t, "Find what? For example: find TODO in src\n");
    else if (has_wildcard(what) && !c->words[from].quoted)
        sf_operator_say_result(t,
                               sf_operator_call(t, "Glob", PAIRS("pattern", what, "path", path)));
    else
        sf_operator_say_result(t, search(t, what, path, "content"));
    free(what);
    free(path);
}

/* All of the file is there, from its first line on, and nothing is remarked about it. */
static bool is_whole(const char *text)
{
    const char *last = strrchr(text, '\n');

    while (last > text && !last[1]) /* the line that the last end of line ends */
        for (last--; last > text && *last != '\n'; last--)
            continue;
    return !strncmp(text, "1: ", 3) && !(last && last[1] == '[') && !strstr(text, "…");
}

/* Whether the longest of the words is nowhere: then no edit would find them, and none is asked. */
static bool lacks(const char *text, const char *words)
{
    const char *longest = words;
    size_t most = 0;
    char *word;
    bool found;

    for (size_t n; *words; words += n + strspn(words + n, " \t")) {
        n = strcspn(words, " \t");
        if (n > most) {
            longest = words;
            most = n;
        }
    }
    word = sf_strndup(longest, most);
    found = strstr(text, word) != NULL;
    free(word);
    return !found;
}

/* Reads first, since an edit wants to know what it edits. */
static void replace_in(struct sf_operator *t, const char *path, const char *old, const char *new)
{
    const struct sf_block *r = sf_operator_call(t, "Read", PAIRS("file_path", path));

    if (r && is_whole(r->text) && lacks(r->text, old)) {
        sf_operator_refuse(t, "%s has no \"%s\" in it.\n", path, old);
        return;
    }
    r = r ? sf_operator_call(t, "Edit",
                             PAIRS("file_path", path, "old_string", old, "new_string", new,
                                   "replace_all", "true"))
          : NULL;
    sf_operator_say_result(t, r);
}

/* The directory of "[paths are below DIR]" in front of a list; owned. NULL: there is no such line. */
static char *base_of(const char *list)
{
    static const char lead[] = "[paths are below ";
    size_t n = strcspn(list, "\n"), skip = strlen(lead);

    if (strncmp(list, lead, skip) != 0 || n <= skip + 1 || list[n - 1] != ']')
        return NULL;
    return sf_strndup(list + skip, n - skip - 1);
}

/* Every line of a list of files that names one. */
static void replace_in_files(struct sf_operator *t, const struct sf_block *found, const char *old,
                             const char *new)
{
    enum { FILES_MAX = 50 };
    const char *line = found->text;
    char *base = line ? base_of(line) : NULL;
    size_t count = 0;

    while (line && *line && count < FILES_MAX) {
        size_t n = strcspn(line, "\n");
        char *name = sf_strndup(line, n), *path = base ? sf_path_join(base, name) : sf_strdup(name);

        if (n && !strchr(name, ' ')) {
            replace_in(t, path, old, new);
            count++;
        }
        free(path);
        free(name);
        line += n + (line[n] == '\n');
    }
    free(base);
    if (!count)
        sf_operator_refuse(t, "Nothing to replace: %s\n", found->text);
}

static bool looks_like_directory(const char *path)
{
    size_t n = strlen(path);
    const char *base = strrchr(path, '/');

    return n == 0 || path[n - 1] == '/' || !strcmp(path, ".") ||
           !strchr(base ? base + 1 : path, '.');
}

/* The word that stands between the old text and the new. */
static size_t find_with(const struct sf_clause *c)
{
    static const char *const joints[] = { "with", "by", "to" };
    size_t at = c->count;

    for (size_t i = 0; i < SF_COUNT(joints) && at == c->count; i++)
        at = sf_word_find(c, 1, joints[i]);
    return at;
}

/* What is replaced is meant to the letter, articles too: only such phrases are no part of it. */
static size_t skip_lead(const struct sf_clause *c, size_t from, size_t to)
{
    static const char *const leads[][3] = {
        { "all", "occurrences", "of" },
        { "every", "occurrence", "of" },
        { "each", "occurrence", "of" },
        { "the", "text" },
        { "the", "word" },
        { "the", "words" },
        { "all" },
        { "every" },
        { "each" },
    };

    for (size_t k = 0; k < SF_COUNT(leads); k++) {
        size_t n = 0;

        while (n < SF_COUNT(leads[k]) && leads[k][n] && from + n + 1 < to &&
               sf_word_is(c, from + n, leads[k][n]))
            n++;
        if (n == SF_COUNT(leads[k]) || !leads[k][n])
            return from + n;
    }
    return from;
}

static void do_replace(struct sf_operator *t, const struct sf_clause *c)
{
    size_t with = find_with(c), at;
    char *path = place_of(c, "", &at);
    char *old = sf_words_text(c, skip_lead(c, 1, with), with);
    char *new = sf_words_text(c, with + 1, at);

    if (!*old || with >= c->count || at < with || !*path) {
        sf_operator_refuse(t, "Say it like this: replace foo with bar in src/a.c\n");
    } else if (looks_like_directory(path)) {
        const struct sf_block *found = search(t, old, path, "files_with_matches");

        if (found)
            replace_in_files(t, found, old, new);
    } else {
        replace_in(t, path, old, new);
    }
    free(path);
    free(old);
    free(new);
}

/* "create x", "write a poem": a word that could be anything is not made into a file. */
static bool names_file(const struct sf_clause *c, size_t i)
{
    return i < c->count &&
           (c->words[i].quoted || strpbrk(c->words[i].text, "./") || sf_word_is(c, i - 1, "file"));
}

static void do_create(struct sf_operator *t, const struct sf_clause *c)
{
    static const char *const joints[] = { "with", "containing", "saying", "that" };
    size_t i = skip_noise(c, 1, c->count), k = c->count;
    char *path, *content;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t n = 0; n < SF_COUNT(joints) && k == c->count; n++)
        k = sf_word_find(c, i + 1, joints[n]);
    while (k + 1 < c->count && (sf_word_is(c, k + 1, "content") || sf_word_is(c, k + 1, "text") ||
                                sf_word_is(c, k + 1, "the") || sf_word_is(c, k + 1, "says")))
        k++;
    path = path_at(c, i);
    content = sf_words_text(c, k + 1, c->count);
    sf_strbuf_adds(&text, content);
    if (text.len)
        sf_strbuf_addch(&text, '\n');
    if (names_file(c, i))
        sf_operator_say_result(
            t, sf_operator_call(t, "Write", PAIRS("file_path", path, "content", text.buf)));
    else
        sf_operator_refuse(t,
                           "Which file? For example: create notes.md with content 'first line'\n");
    free(path);
    free(content);
    sf_strbuf_release(&text);
}

static void run_command(struct sf_operator *t, const char *command)
{
    sf_operator_say_result(t, sf_operator_call(t, "Bash", PAIRS("command", command)));
}

/* How a project is tested, by the file that gives it away. */
static const struct {
    const char *file, *command;
} test_ways[] = {
    { "Makefile", "make test" },
    { "GNUmakefile", "make test" },
    { "CMakeLists.txt", "cmake -B build && cmake --build build && ctest --test-dir build "
                        "--output-on-failure" },
    { "package.json", "npm test" },
    { "Cargo.toml", "cargo test" },
    { "go.mod", "go test ./..." },
    { "pyproject.toml", "python3 -m pytest" },
    { "setup.py", "python3 -m pytest" },
    { "pytest.ini", "python3 -m pytest" },
    { "build.gradle", "gradle test" },
    { "pom.xml", "mvn test" },
    { "mix.exs", "mix test" },
    { "Gemfile", "bundle exec rake test" },
};

static bool lists(const char *listing, const char *name)
{
    size_t n = strlen(name);

    for (const char *p = strstr(listing, name); p; p = strstr(p + 1, name))
        if ((p == listing || strchr(" \n\t/", p[-1])) && (!p[n] || strchr(" \n\t", p[n])))
            return true;
    return false;
}

static void do_test(struct sf_operator *t, const struct sf_clause *c)
{
    const struct sf_block *r = sf_operator_call(t, "LS", PAIRS("path", "."));

    (void)c;
    if (!r)
        return;
    for (size_t i = 0; i < SF_COUNT(test_ways); i++) {
        if (lists(r->text, test_ways[i].file)) {
            run_command(t, test_ways[i].command);
            return;
        }
    }
    sf_operator_refuse(
        t, "I found no way to test this project: none of Makefile, CMakeLists.txt, package.json, "
           "Cargo.toml, go.mod, pyproject.toml is there. Say `run COMMAND` instead.\n");
}

static bool means_tests(const struct sf_clause *c)
{
    return c->count <= 4 && c->count > 1 &&
           (sf_word_is(c, c->count - 1, "tests") || sf_word_is(c, c->count - 1, "test") ||
            (c->count > 2 && sf_word_is(c, c->count - 1, "suite")));
}

static void do_run(struct sf_operator *t, const struct sf_clause *c)
{
    char *command = sf_words_text(c, 1, c->count);

    if (means_tests(c))
        do_test(t, c);
    else if (*command)
        run_command(t, command);
    else
        sf_operator_refuse(t, "Run what? For example: run make\n");
    free(command);
}

static void do_diff(struct sf_operator *t, const struct sf_clause *c)
{
    (void)c;
    run_command(t, "git status --short && git diff");
}

static void do_status(struct sf_operator *t, const struct sf_clause *c)
{
    (void)c;
    run_command(t, "git status --short --branch && git log --oneline -5");
}

static void add_shell_quoted(struct sf_strbuf *out, const char *text)
{
    sf_strbuf_addch(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            sf_strbuf_adds(out, "'\\''");
        else
            sf_strbuf_addch(out, *text);
    }
    sf_strbuf_addch(out, '\'');
}

static void do_commit(struct sf_operator *t, const struct sf_clause *c)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    size_t i = 1;
    char *message;

    while (i < c->count && !c->words[i].quoted &&
           (is_noise(c, i) || sf_word_is(c, i, "with") || sf_word_is(c, i, "message") ||
            sf_word_is(c, i, "changes") || sf_word_is(c, i, "as") || sf_word_is(c, i, "it")))
        i++;
    message = sf_words_text(c, i, c->count);
    if (*message) {
        sf_strbuf_adds(&command, "git add -A && git commit -m ");
        add_shell_quoted(&command, message);
        run_command(t, command.buf);
    } else {
        sf_operator_refuse(
            t, "With which message? For example: commit with message 'fix the parser'\n");
    }
    free(message);
    sf_strbuf_release(&command);
}

/* plan: one; two; three */
static void do_plan(struct sf_operator *t, const struct sf_clause *c)
{
    struct sf_strbuf args = SF_STRBUF_INIT;
    char *text = sf_words_text(c, 1, c->count);
    const struct sf_block *r;
    struct sf_json_writer w;
    size_t count = 0;

    sf_jw_init(&w, &args);
    sf_jw_object_begin(&w);
    sf_jw_key(&w, "items");
    sf_jw_array_begin(&w);
    for (char *p = text; *p && count < 50; count++) {
        size_t n = strcspn(p, ";\n"), from = strspn(p, " ");

        sf_jw_object_begin(&w);
        sf_jw_key(&w, "content");
        sf_jw_strn(&w, p + from, n > from ? n - from : 0);
        sf_jw_key_str(&w, "status", "pending");
        sf_jw_object_end(&w);
        p += n + (p[n] != '\0');
    }
    sf_jw_array_end(&w);
    sf_jw_object_end(&w);
    r = count ? sf_operator_use(t, "Plan", &args) : NULL;
    if (r)
        sf_operator_say(t, "The plan has %zu steps.\n", count);
    else if (!count)
        sf_operator_refuse(t,
                           "A plan of what? For example: plan read the parser; fix it; test it\n");
    free(text);
    sf_strbuf_release(&args);
}

static void do_undo(struct sf_operator *t, const struct sf_clause *c)
{
    struct sf_strbuf args = SF_STRBUF_INIT;

    (void)c;
    sf_strbuf_adds(&args, "{\"turns\":1}");
    sf_operator_say_result(t, sf_operator_use(t, "RevertTurn", &args));
    sf_strbuf_release(&args);
}

const char sf_offline_help[] =
    "I am sf's offline operator: no language model, no network, no key. I do plain requests "
    "through the same tools, permissions and log that a model would use:\n\n"
    "  list src                        create a.md with content 'hello'\n"
    "  read README.md                  replace foo with bar in src/a.c\n"
    "  find TODO in src                commit with message 'fix it'\n"
    "  find *.c in src                 plan read it; change it; test it\n"
    "  run make, run the tests         diff, status, undo\n\n"
    "Join them with `then`. For a language model: /connect, or sf connect in a shell; it finds keys in "
    "the environment and model servers on this machine. "
    "`sf config get models.provider` shows what is in use.\n";

static void do_help(struct sf_operator *t, const struct sf_clause *c)
{
    (void)c;
    sf_operator_say(t, "%s", sf_offline_help);
}

static const struct {
    const char *verb;
    sf_script_fn *run;
} verbs[] = {
    { "list", do_list },      { "ls", do_list },        { "read", do_read },
    { "show", do_read },      { "cat", do_read },       { "open", do_read },
    { "print", do_read },     { "find", do_find },      { "search", do_find },
    { "grep", do_find },      { "look", do_find },      { "replace", do_replace },
    { "change", do_replace }, { "rename", do_replace }, { "create", do_create },
    { "write", do_create },   { "make", do_create },    { "run", do_run },
    { "execute", do_run },    { "test", do_test },      { "tests", do_test },
    { "diff", do_diff },      { "status", do_status },  { "commit", do_commit },
    { "plan", do_plan },      { "undo", do_undo },      { "revert", do_undo },
    { "help", do_help },      { "hello", do_help },     { "hi", do_help },
};

sf_script_fn *sf_offline_script(const char *word)
{
    for (size_t i = 0; i < SF_COUNT(verbs); i++)
        if (!strcasecmp(verbs[i].verb, word))
            return verbs[i].run;
    return NULL;
}
