/*
 * project_scan.c: reads the names in the root and in the directories below it. The purpose of a
 * directory follows from its name, or else from the files in it.
 */
#include "workspace/project_scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"

enum {
    NAMES = 2000, /* names read in one directory */
    DEPTH = 2,    /* nested directories */
    BELOW = 50,   /* directories read below one directory of the root */
    ITEMS = 40,   /* entries of each list */
    PLAIN_MAX = 64,
};

enum use { OTHER, SOURCES, TESTS, DOCS, MADE };

static const struct place {
    const char *name;
    enum use use;
    const char *what;
} places[] = {
    { "src", SOURCES, "sources" },
    { "lib", SOURCES, "sources" },
    { "include", SOURCES, "public headers" },
    { "app", SOURCES, "the application" },
    { "apps", SOURCES, "applications" },
    { "cmd", SOURCES, "programs" },
    { "bin", SOURCES, "programs" },
    { "internal", SOURCES, "packages of its own" },
    { "pkg", SOURCES, "packages for others" },
    { "crates", SOURCES, "crates" },
    { "packages", SOURCES, "packages" },
    { "components", SOURCES, "components" },
    { "pages", SOURCES, "pages" },
    { "server", SOURCES, "the server" },
    { "client", SOURCES, "the client" },
    { "tests", TESTS, "tests" },
    { "test", TESTS, "tests" },
    { "spec", TESTS, "tests" },
    { "__tests__", TESTS, "tests" },
    { "e2e", TESTS, "tests of the whole" },
    { "testdata", TESTS, "data of tests" },
    { "docs", DOCS, "documentation" },
    { "doc", DOCS, "documentation" },
    { "examples", OTHER, "examples" },
    { "benches", OTHER, "benchmarks" },
    { "scripts", OTHER, "scripts" },
    { "tools", OTHER, "tools" },
    { "build", MADE, "" },
    { "dist", MADE, "" },
    { "out", MADE, "" },
    { "target", MADE, "" },
    { "node_modules", MADE, "" },
    { "vendor", MADE, "" },
    { "third_party", MADE, "" },
    { "venv", MADE, "" },
    { "__pycache__", MADE, "" },
};

static const struct {
    const char *ending, *language;
} endings[] = {
    { ".rs", "Rust" },       { ".go", "Go" },          { ".c", "C" },
    { ".cc", "C++" },        { ".cpp", "C++" },        { ".py", "Python" },
    { ".js", "JavaScript" }, { ".mjs", "JavaScript" }, { ".jsx", "JavaScript" },
    { ".ts", "TypeScript" }, { ".tsx", "TypeScript" },
};

static const char *const styles[] = {
    ".editorconfig", ".clang-format",   ".clang-tidy",    "rustfmt.toml",     ".rustfmt.toml",
    "clippy.toml",   ".golangci.yml",   ".golangci.yaml", ".prettierrc",      ".prettierrc.json",
    ".eslintrc",     ".eslintrc.json",  ".eslintrc.js",   "eslint.config.js", "eslint.config.mjs",
    "biome.json",    "ruff.toml",       ".ruff.toml",     ".flake8",          ".pylintrc",
    "setup.cfg",     "CONTRIBUTING.md", "STYLE.md",
};

/* Not AGENTS.md: only the user should change the instructions for models. */
static const char *const documents[] = { "README.md", "CHANGELOG.md", "CONTRIBUTING.md" };

bool sf_project_scan_is_plain(const char *name)
{
    size_t len = strnlen(name, PLAIN_MAX + 1);

    if (!len || len > PLAIN_MAX || name[0] == '-')
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = name[i];

        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
            !strchr("._+-", c))
            return false;
    }
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

void sf_project_scan_add(struct sf_strlist *list, const char *text)
{
    if (list->count < ITEMS && !sf_strlist_has(list, text))
        sf_strlist_add(list, text);
}

/* ---- names ---- */

static void list_names(int dir, struct sf_strlist *out)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;

    for (size_t n = 0; stream && n < NAMES && (entry = readdir(stream)); n++)
        if (sf_project_scan_is_plain(entry->d_name))
            sf_strlist_add(out, entry->d_name);
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
    sf_strlist_sort(out);
}

static const char *language_of(const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < SF_COUNT(endings); i++) {
        size_t n = strlen(endings[i].ending);

        if (len > n && !strcmp(name + len - n, endings[i].ending))
            return endings[i].language;
    }
    return NULL;
}

/* Whether the name follows the conventions of languages for tests. */
static bool is_test(const char *name)
{
    return strstr(name, "_test.") || strstr(name, ".test.") || strstr(name, ".spec.") ||
           !strncmp(name, "test_", 5);
}

static const struct place *place_of(const char *name)
{
    for (size_t i = 0; i < SF_COUNT(places); i++)
        if (!strcmp(places[i].name, name))
            return &places[i];
    return NULL;
}

/* ---- directories ---- */

struct inside {
    struct sf_project_scan *sketch;
    const char *language; /* the first one found, or NULL */
    bool tests;           /* there are tests beside the sources */
    size_t left;          /* number of directories that may still be read */
};

static void look_inside(struct inside *in, int dir, int depth);

static void look_at(struct inside *in, int dir, const char *name, int depth)
{
    const char *language = language_of(name);
    int below = -1;

    if (language) {
        sf_project_scan_add(&in->sketch->languages, language);
        in->language = in->language ? in->language : language;
        in->tests = in->tests || is_test(name);
        return;
    }
    if (depth < DEPTH && in->left && name[0] != '.')
        below = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0)
        return;
    in->left--;
    look_inside(in, below, depth + 1);
    close(below);
}

static void look_inside(struct inside *in, int dir, int depth)
{
    struct sf_strlist names = SF_STRLIST_INIT;

    list_names(dir, &names);
    for (size_t i = 0; i < names.count; i++)
        look_at(in, dir, names.items[i], depth);
    sf_strlist_release(&names);
}

static void add_directory(struct sf_project_scan *s, int root, const char *name)
{
    const struct place *place = place_of(name);
    enum use use = place ? place->use : OTHER;
    struct sf_strbuf entry = SF_STRBUF_INIT, line = SF_STRBUF_INIT;
    struct inside in = { .sketch = s, .left = BELOW };
    int dir = -1;

    if (use != MADE)
        dir = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return;
    look_inside(&in, dir, 0);
    close(dir);
    if (!place && in.language)
        use = SOURCES;
    sf_strbuf_addf(&entry, "%s/", name);
    sf_strbuf_addf(&line, "%s/\t%s", name, place ? place->what : in.language ? "sources" : "");
    sf_project_scan_add(&s->layout, line.buf);
    if (use == SOURCES)
        sf_project_scan_add(&s->sources, entry.buf);
    if (use == TESTS || (use == SOURCES && in.tests))
        sf_project_scan_add(&s->tests, entry.buf);
    if (use == DOCS)
        sf_project_scan_add(&s->docs, entry.buf);
    sf_strbuf_release(&entry);
    sf_strbuf_release(&line);
}

static void add_file(struct sf_project_scan *s, const char *name)
{
    const char *language = language_of(name);

    if (language) {
        sf_project_scan_add(&s->languages, language);
        sf_project_scan_add(is_test(name) ? &s->tests : &s->sources, name);
    }
    for (size_t i = 0; i < SF_COUNT(styles); i++)
        if (!strcmp(styles[i], name))
            sf_project_scan_add(&s->style, name);
    for (size_t i = 0; i < SF_COUNT(documents); i++)
        if (!strcmp(documents[i], name))
            sf_project_scan_add(&s->docs, name);
}

/* Lists are limited, so directories with known names come first. */
static void add_names(struct sf_project_scan *s, int root, const struct sf_strlist *names,
                      bool known)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i];
        struct stat st;

        if ((place_of(name) != NULL) != known || fstatat(root, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && name[0] != '.')
            add_directory(s, root, name);
        else if (S_ISREG(st.st_mode))
            add_file(s, name);
    }
}

bool sf_project_scan_look(struct sf_project_scan *s, const char *root, struct sf_error *err)
{
    const char *slash = strrchr(root, '/'), *base = slash ? slash + 1 : root;
    struct sf_strlist names = SF_STRLIST_INIT;
    int dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (dir < 0)
        return sf_fail_errno(err, "cannot look at %s", root);
    list_names(dir, &names);
    add_names(s, dir, &names, true);
    add_names(s, dir, &names, false);
    sf_strlist_sort(&s->layout);
    sf_project_scan_manifests(s, dir, &names);
    if (!s->name)
        s->name = sf_strdup(sf_project_scan_is_plain(base) ? base : "This project");
    sf_strlist_release(&names);
    close(dir);
    return true;
}

bool sf_project_scan_checks(const char *root, struct sf_checks *out, struct sf_error *err)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    int dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (dir < 0)
        return sf_fail_errno(err, "cannot look at %s", root);
    list_names(dir, &names);
    sf_project_scan_checks_in(dir, &names, out);
    sf_strlist_release(&names);
    close(dir);
    return true;
}

void sf_project_scan_release(struct sf_project_scan *s)
{
    struct sf_strlist *const lists[] = { &s->languages, &s->commands, &s->layout, &s->style,
                                         &s->sources,   &s->tests,    &s->docs };

    for (size_t i = 0; i < SF_COUNT(lists); i++)
        sf_strlist_release(lists[i]);
    free(s->name);
    free(s->about);
    *s = (struct sf_project_scan)SF_PROJECT_SCAN_INIT;
}
