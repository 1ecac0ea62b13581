/*
 * grep.c: searching a tree of fifty thousand files, beside ripgrep.
 * usage: bench_grep make DIR               makes the tree
 *        bench_grep compare DIR SCRATCH    both programs, in turns; the same answers, the times
 *        bench_grep run DIR QUERY          one query by this program's own means
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "find/find.h"
#include "io/io.h"

extern char **environ;

enum { FILES = 50000, DIRS = 2500, ROUNDS_MAX = 101 };

struct query {
    const char *label;
    const char *pattern; /* NULL: names of files */
    const char *glob;
    bool ignore_case, fixed, word, multiline;
    enum sf_search_mode mode;
    size_t context;
    const char *rg[4]; /* what ripgrep is told besides */
};

#define CONTENT SF_SEARCH_CONTENT
static const struct query queries[] = {
    { "literal, rare", "needle_in_haystack", .mode = CONTENT },
    { "literal, in every file", "return", .mode = CONTENT },
    { "literal, nowhere", "this is not there", .mode = CONTENT },
    { "fixed text", "value[3](x)", .fixed = true, .mode = CONTENT, .rg = { "-F" } },
    { "word", "needle", .word = true, .mode = CONTENT, .rg = { "-w" } },
    { "ignoring case", "NEEDLE_in", .ignore_case = true, .mode = CONTENT, .rg = { "-i" } },
    { "regex with a literal", "error\\(\\w+, \"cannot \\w+", .mode = CONTENT },
    { "regex without", "[A-Z]{5,}_[0-9]{2}", .mode = CONTENT },
    { "regex with white space", "^\\s*if\\s*\\(needle", .mode = CONTENT },
    { "alternatives", "alpha_one|beta_two|gamma_three", .mode = CONTENT },
    { "one side of it open", "\\w+_haystack", .mode = CONTENT },
    { "with context", "needle_in_haystack", .mode = CONTENT, .context = 2, .rg = { "-C2" } },
    { "files that match", "return", .mode = SF_SEARCH_FILES, .rg = { "-l" } },
    { "count", "return", .mode = SF_SEARCH_COUNT, .rg = { "-c" } },
    { "in some files", "return", "*.py", .mode = CONTENT, .rg = { "-g", "*.py" } },
    { "in one directory", "return", "d1?/**/*.c", .mode = CONTENT, .rg = { "-g", "d1?/**/*.c" } },
    { "multiline", "needle_in_haystack.{1,80}return", .multiline = true, .mode = CONTENT,
      .rg = { "-U", "--multiline-dotall" } },
    { "names of files", NULL, "*.py", .rg = { "--files", "-g", "*.py" } },
};

static uint64_t random_state = 1;

static unsigned pick(unsigned below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % below;
}

static const char *const words[] = {
    "return",  "int",     "value",  "static",   "struct", "const",  "char",   "size",   "if",
    "for",     "while",   "buffer", "length",   "result", "state",  "count",  "index",  "name",
    "path",    "request", "answer", "callback", "config", "table",  "entry",  "error",  "handle",
    "context", "option",  "parser", "token",    "stream", "reader", "writer", "needle", "line",
};

static void add_line(struct sf_strbuf *text, bool unicode)
{
    for (unsigned n = pick(4); n; n--)
        sf_strbuf_adds(text, "    ");
    for (unsigned n = 2 + pick(8); n; n--)
        sf_strbuf_addf(text, "%s%s", words[pick(SF_COUNT(words))], n > 1 ? " " : ";");
    if (unicode && pick(4) == 0)
        sf_strbuf_adds(text, " // größer → ok");
    if (pick(50) == 0)
        sf_strbuf_addf(text, " error(%s, \"cannot %s\")", words[pick(36)], words[pick(36)]);
    if (pick(20000) == 0)
        sf_strbuf_adds(text, " needle_in_haystack");
    if (pick(9000) == 0)
        sf_strbuf_adds(text, " LIMIT_42 alpha_one");
    if (pick(9000) == 0)
        sf_strbuf_adds(text, " value[3](x)\nif (needle");
    sf_strbuf_addch(text, '\n');
}

static bool write_file(const char *path, const struct sf_strbuf *text)
{
    FILE *fp = fopen(path, "we");

    return fp && fwrite(text->buf, 1, text->len, fp) == text->len && fclose(fp) == 0;
}

static void file_path(struct sf_strbuf *path, const char *dir, unsigned i)
{
    static const char *const ends[] = { "c", "h", "py", "js", "md", "json", "rs", "txt" };
    unsigned d = pick(DIRS);

    sf_strbuf_reset(path);
    sf_strbuf_addf(path, "%s/d%u/e%u/f%u/file_%u.%s", dir, d % 20, d / 20 % 10, d / 200, i,
                   ends[pick(SF_COUNT(ends))]);
}

static bool make(const char *dir)
{
    static const char rules[] = "*.o\n*.a\n*.so\n*.pyc\n__pycache__/\nnode_modules/\n/build/\n"
                                "/target/\n.cache/\n*.log\n*.tmp\n*~\n.DS_Store\n*.swp\ndist/\n"
                                "/out/**/gen\n!keep.log\n*.min.js\ncoverage/\n.env\n";
    struct sf_strbuf path = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok = true;

    for (unsigned d = 0; d < DIRS && ok; d++) {
        sf_strbuf_reset(&path);
        sf_strbuf_addf(&path, "%s/d%u/e%u/f%u/node_modules", dir, d % 20, d / 20 % 10, d / 200);
        ok = sf_dir_make(path.buf, 0700, &err);
    }
    for (unsigned i = 0; i < FILES && ok; i++) {
        bool unicode = pick(8) == 0;

        sf_strbuf_reset(&text);
        for (unsigned n = 10 + pick(i % 500 == 0 ? 8000 : 200); n; n--)
            add_line(&text, unicode);
        if (pick(100) == 0)
            sf_strbuf_add(&text, "\0binary", 7);
        file_path(&path, dir, i);
        ok = write_file(path.buf, &text);
    }
    sf_strbuf_reset(&path);
    sf_strbuf_addf(&path, "%s/.gitignore", dir);
    sf_strbuf_reset(&text);
    sf_strbuf_adds(&text, rules);
    ok = ok && write_file(path.buf, &text);
    sf_strbuf_release(&path);
    sf_strbuf_release(&text);
    return ok;
}

static bool run_files(const struct sf_walk_request *walk, struct sf_error *err)
{
    const struct sf_files_request request = { .walk = *walk };
    struct sf_files_result result;

    if (!sf_files_find(&request, &result, err))
        return false;
    for (size_t i = 0; i < result.count; i++)
        puts(result.hits.items[result.first + i].path);
    sf_files_release(&result);
    return true;
}

static bool run_search(const struct query *q, const struct sf_walk_request *walk,
                       struct sf_error *err)
{
    const struct sf_search_request request = {
        .walk = *walk,
        .pattern = q->pattern,
        .options = { .ignore_case = q->ignore_case,
                     .fixed = q->fixed,
                     .word = q->word,
                     .multiline = q->multiline },
        .mode = q->mode,
        .before = q->context,
        .after = q->context,
        .columns_max = SIZE_MAX / 4,
        .bytes_max = SIZE_MAX / 4,
    };
    struct sf_search_result result;

    if (!sf_search(&request, &result, err))
        return false;
    fwrite(result.text.buf, 1, result.text.len, stdout);
    sf_search_release(&result);
    return true;
}

static int run(const char *dir, size_t number)
{
    const struct query *q = &queries[number < SF_COUNT(queries) ? number : 0];
    struct sf_error err = SF_ERROR_INIT;
    const char *const globs[] = { q->glob, NULL };
    struct sf_filter *filter = sf_filter_new(globs, NULL, &err);
    struct sf_walk_request walk = { .root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                    .filter = filter };
    bool ok = filter && (q->pattern ? run_search(q, &walk, &err) : run_files(&walk, &err));

    if (!ok)
        fprintf(stderr, "bench_grep: %s\n", err.msg);
    sf_filter_free(filter);
    close(walk.root);
    return !ok;
}

static double spawn(char *const *argv, const char *dir, const char *out)
{
    posix_spawn_file_actions_t actions;
    struct timespec a, b;
    int status = -1;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, dir);
    posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    clock_gettime(CLOCK_MONOTONIC, &a);
    if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0)
        waitpid(pid, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &b);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 1))
        fprintf(stderr, "bench_grep: %s failed\n", argv[0]);
    return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Groups of lines have no order of their own in ripgrep's answer. */
static bool same_lines(const char *one, const char *other)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    bool same;

    sf_strbuf_addf(&command,
                   "export LC_ALL=C; sort '%s' >'%s.sorted'; sort '%s' | cmp -s - '%s.sorted'", one,
                   one, other, one);
    same = system(command.buf) == 0; // NOLINT(cert-env33-c,bugprone-command-processor)
    sf_strbuf_release(&command);
    return same;
}

static void rg_arguments(const struct query *q, struct sf_strlist *argv)
{
    static const char *const common[] = {
        "rg",           "--no-config", "-n",   "--hidden",          "--no-require-git",
        "--no-heading", "--sort",      "none", "--no-ignore-global"
    };
    const struct sf_walk_request walk = { 0 };

    for (size_t i = 0; i < SF_COUNT(common); i++)
        sf_strlist_add(argv, common[i]);
    sf_strlist_addf(argv, "-j%u", sf_walk_workers(&walk));
    for (size_t i = 0; i < SF_COUNT(q->rg) && q->rg[i]; i++)
        sf_strlist_add(argv, q->rg[i]);
    if (q->pattern) {
        sf_strlist_add(argv, "-e");
        sf_strlist_add(argv, q->pattern);
    }
}

static bool compare_one(const char *self, const char *dir, const char *scratch, size_t number,
                        size_t rounds)
{
    struct sf_strlist rg = SF_STRLIST_INIT, own = SF_STRLIST_INIT;
    char *out[] = { sf_path_join(scratch, "own"), sf_path_join(scratch, "rg") };
    double times[2][ROUNDS_MAX];
    bool same;

    sf_strlist_add(&own, self);
    sf_strlist_add(&own, "run");
    sf_strlist_add(&own, dir);
    sf_strlist_addf(&own, "%zu", number);
    rg_arguments(&queries[number], &rg);
    for (size_t i = 0; i < rounds; i++) {
        times[0][i] = spawn(own.items, dir, out[0]);
        times[1][i] = spawn(rg.items, dir, out[1]);
    }
    same = same_lines(out[0], out[1]);
    qsort(times[0], rounds, sizeof(double), by_value);
    qsort(times[1], rounds, sizeof(double), by_value);
    printf("%-26s %9.1f %9.1f %8.2f  %s\n", queries[number].label, times[0][rounds / 2] * 1e3,
           times[1][rounds / 2] * 1e3, times[0][rounds / 2] / times[1][rounds / 2],
           same ? "same" : "DIFFERENT ANSWERS");
    fflush(stdout);
    sf_strlist_release(&rg);
    sf_strlist_release(&own);
    free(out[0]);
    free(out[1]);
    return same;
}

static int compare(const char *self, const char *dir, const char *scratch)
{
    const char *wanted = getenv("ROUNDS");
    size_t rounds = wanted ? strtoul(wanted, NULL, 10) : 11;
    bool same = true;

    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    printf("%-26s %9s %9s %8s\n", "query", "own ms", "rg ms", "own/rg");
    for (size_t i = 0; i < SF_COUNT(queries); i++)
        same = compare_one(self, dir, scratch, i, rounds) && same;
    return !same;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "make"))
        return !make(argv[2]);
    if (argc == 4 && !strcmp(argv[1], "compare"))
        return compare(argv[0], argv[2], argv[3]);
    if (argc == 4 && !strcmp(argv[1], "run"))
        return run(argv[2], strtoul(argv[3], NULL, 10));
    fprintf(stderr, "usage: bench_grep make DIR | compare DIR SCRATCH | run DIR QUERY\n");
    return 2;
}
