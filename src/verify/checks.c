/*
 * checks.c: the table of checks, in order of preference. A row holds if one of its files is there and
 * its condition is met; "%s" in a command is what the condition found.
 */
#include "verify/checks.h"

#include <string.h>

struct look {
    const struct sf_checks_project *project;
    const char *file;      /* the file of the row that is there */
    struct sf_strbuf text; /* of that file, where the condition reads it */
    char found[64];        /* for "%s" */
};

struct row {
    const char *files;                                       /* "*.x": any that fits */
    bool (*holds)(struct look *look, const struct row *row); /* NULL: the file is enough */
    const char *word;                                        /* for the condition */
    const char *command, *why;                               /* "%s" is the file in `why` */
};

static bool has(const struct look *look, const char *name)
{
    return sf_strlist_has(look->project->names, name);
}

static bool read_file(const struct look *look, const char *path, struct sf_strbuf *out)
{
    return look->project->read && look->project->read(look->project->ctx, path, out) &&
           out->len <= SF_CHECKS_FILE;
}

static bool load(struct look *look)
{
    sf_strbuf_reset(&look->text);
    return read_file(look, look->file, &look->text);
}

static void find(struct look *look, const char *text)
{
    snprintf(look->found, sizeof(look->found), "%s", text);
}

bool sf_checks_has_target(const char *makefile, const char *target)
{
    const size_t n = strlen(target);

    for (const char *at = makefile; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!strncmp(at, target, n) && at[n + strspn(at + n, " ")] == ':' &&
            at[n + strspn(at + n, " ") + 1] != '=')
            return true;
    }
    return false;
}

const char *sf_checks_node_runner(const struct sf_strlist *names)
{
    static const char *const locks[][2] = { { "pnpm-lock.yaml", "pnpm" },
                                            { "yarn.lock", "yarn" },
                                            { "bun.lockb", "bun" },
                                            { "bun.lock", "bun" } };

    for (size_t i = 0; i < SF_COUNT(locks); i++)
        if (sf_strlist_has(names, locks[i][0]))
            return locks[i][1];
    return "npm";
}

/* ---- conditions ---- */

/* The file holds one of the words, which "|" separates. */
static bool says(struct look *look, const struct row *row)
{
    bool found = false;

    if (!load(look))
        return false;
    for (const char *word = row->word; !found && *word; word += *word == '|') {
        const size_t n = strcspn(word, "|");

        found = memmem(look->text.buf, look->text.len, word, n) != NULL;
        word += n;
    }
    return found;
}

static bool has_target(struct look *look, const struct row *row)
{
    return load(look) && sf_checks_has_target(look->text.buf, row->word);
}

/* A name beside the file, such as that of a directory with tests; "|" separates several. */
static bool stands_beside(struct look *look, const struct row *row)
{
    bool found = false;

    for (const char *word = row->word; !found && *word; word += *word == '|') {
        const size_t n = strcspn(word, "|");
        char *name = sf_strndup(word, n);

        found = has(look, name);
        free(name);
        word += n;
    }
    return found;
}

/* npm writes a script that only fails into every new package.json. */
static bool is_placeholder(const char *script)
{
    return !script[strspn(script, " \t")] || strstr(script, "Error: no test specified");
}

bool sf_checks_has_script(const struct sf_strbuf *text, const char *key, const char *name)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text->buf, text->len, NULL, &ignored);
    const struct sf_json *all = json ? sf_json_get(json, key) : NULL;
    const struct sf_json *one = all ? sf_json_get(all, name) : NULL;
    const char *script = NULL;
    bool ok = one != NULL;

    if (one && sf_json_as_str(one, name, &script, &ignored))
        ok = !is_placeholder(script);
    sf_json_free(json);
    return ok;
}

static bool has_node_script(struct look *look, const struct row *row)
{
    find(look, sf_checks_node_runner(look->project->names));
    return load(look) && sf_checks_has_script(&look->text, "scripts", row->word);
}

/* A runner that the package depends on, where no script starts it. */
static bool depends_on(struct look *look, const struct row *row)
{
    return says(look, row) && !sf_checks_has_script(&look->text, "scripts", "test");
}

static bool has_composer_script(struct look *look, const struct row *row)
{
    return load(look) && sf_checks_has_script(&look->text, "scripts", row->word);
}

static bool has_deno_task(struct look *look, const struct row *row)
{
    return load(look) && sf_checks_has_script(&look->text, "tasks", row->word);
}

/* A directory that was configured before, with the file of the row's word in it. */
static bool is_configured(struct look *look, const struct row *row)
{
    static const char *const places[] = { "build", "out", "cmake-build-debug", "builddir",
                                          "_build" };
    struct sf_strbuf path = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    bool found = false;

    for (size_t i = 0; !found && i < SF_COUNT(places); i++) {
        sf_strbuf_reset(&path);
        sf_strbuf_addf(&path, "%s/%s", places[i], row->word);
        found = has(look, places[i]) && read_file(look, path.buf, &text);
        if (found)
            find(look, places[i]);
    }
    sf_strbuf_release(&path);
    sf_strbuf_release(&text);
    return found;
}

static bool is_not_configured(struct look *look, const struct row *row)
{
    const bool meson = !strcmp(look->file, "meson.build");
    const struct row configured = { .word = meson ? "meson-info/intro-tests.json"
                                                  : "CTestTestfile.cmake" };

    return says(look, row) && !is_configured(look, &configured);
}

/* The wrapper that comes with the project, or the program of the machine. */
static bool wraps(struct look *look, const struct row *row)
{
    const size_t n = strcspn(row->word, "|");
    char *wrapper = sf_strndup(row->word, n);
    const bool own = has(look, wrapper);

    find(look, own ? "./" : "");
    snprintf(look->found + strlen(look->found), sizeof(look->found) - strlen(look->found), "%s",
             own ? wrapper : row->word + n + 1);
    free(wrapper);
    return true;
}

/* Programs of a Gemfile or of Composer are those that it names. */
static bool bundles(struct look *look, const struct row *row)
{
    find(look, has(look, "Gemfile") ? "bundle exec " : "");
    return !*row->word || stands_beside(look, row);
}

static bool has_rake_test(struct look *look, const struct row *row)
{
    find(look, has(look, "Gemfile") ? "bundle exec " : "");
    return says(look, row);
}

static bool has_vendor(struct look *look, const struct row *row)
{
    (void)row;
    find(look, has(look, "composer.json") ? "vendor/bin/" : "");
    return true;
}

#define MAKEFILES "GNUmakefile makefile Makefile"
#define PYTHON    "pyproject.toml setup.py setup.cfg requirements.txt"
#define CTEST     "ctest --test-dir %s --output-on-failure"

/* clang-format off */
static const struct row rows[] = {
    { "CMakeLists.txt", is_configured, "CTestTestfile.cmake", "cmake --build %s && " CTEST,
      "%s has a configured build with tests" },
    { "CMakeLists.txt", is_not_configured, "enable_testing|CTest|add_test",
      "cmake -B build && cmake --build build && ctest --test-dir build --output-on-failure",
      "%s has tests" },
    { MAKEFILES, has_target, "check", "make check", "%s has a target check" },
    { MAKEFILES, has_target, "test", "make test", "%s has a target test" },
    { "meson.build", is_configured, "meson-info/intro-tests.json", "meson test -C %s",
      "%s has a configured build with tests" },
    { "meson.build", is_not_configured, "test(|subdir(", "meson setup build && meson test -C build",
      "%s has tests" },
    { "justfile Justfile .justfile", has_target, "test", "just test", "%s has a recipe test" },
    { "package.json", has_node_script, "test", "%s run test", "%s has a script test" },
    { "package.json", depends_on, "\"vitest\"", "npx vitest run", "%s names vitest" },
    { "package.json", depends_on, "\"jest\"", "npx jest", "%s names jest" },
    { "package.json", depends_on, "\"mocha\"", "npx mocha", "%s names mocha" },
    { "package.json", depends_on, "\"ava\"", "npx ava", "%s names ava" },
    { "deno.json deno.jsonc", has_deno_task, "test", "deno task test", "%s has a task test" },
    { "deno.json deno.jsonc", NULL, NULL, "deno test", "there is %s" },
    { "manage.py", says, "django", "python3 manage.py test", "%s is Django's" },
    { "pytest.ini .pytest.ini conftest.py", NULL, NULL, "pytest", "there is %s" },
    { "pyproject.toml", says, "[tool.pytest", "pytest", "%s has settings of pytest" },
    { "setup.cfg", says, "[tool:pytest]", "pytest", "%s has settings of pytest" },
    { "tox.ini", says, "[pytest]", "pytest", "%s has settings of pytest" },
    { "tox.ini", NULL, NULL, "tox", "there is %s" },
    { "pyproject.toml", says, "[tool.tox", "tox", "%s has settings of tox" },
    { "noxfile.py", NULL, NULL, "nox", "there is %s" },
    { PYTHON, stands_beside, "tests|test", "pytest", "tests stand beside %s" },
    { "test_*.py *_test.py", NULL, NULL, "pytest", "there is %s" },
    { "Cargo.toml", NULL, NULL, "cargo test", "there is %s" },
    { "go.mod go.work", NULL, NULL, "go test ./...", "there is %s" },
    { "pom.xml", wraps, "mvnw|mvn", "%s -B test", "there is %s" },
    { "build.gradle build.gradle.kts settings.gradle settings.gradle.kts", wraps, "gradlew|gradle",
      "%s test", "there is %s" },
    { "composer.json", has_composer_script, "test", "composer test", "%s has a script test" },
    { "phpunit.xml phpunit.xml.dist", has_vendor, NULL, "%sphpunit", "there is %s" },
    { ".rspec", bundles, "", "%srspec", "there is %s" },
    { "Gemfile", bundles, "spec", "%srspec", "specs stand beside %s" },
    { "Rakefile rakefile Rakefile.rb", has_rake_test, "TestTask|task :test|task test|:test =>",
      "%srake test", "%s has a task test" },
    { "mix.exs", NULL, NULL, "mix test", "there is %s" },
    { "*.sln *.slnx *.csproj *.fsproj", NULL, NULL, "dotnet test", "there is %s" },
    { "Package.swift", NULL, NULL, "swift test", "there is %s" },
    { "build.sbt", NULL, NULL, "sbt test", "there is %s" },
    { "project.clj", NULL, NULL, "lein test", "there is %s" },
    { "build.zig", says, "\"test\"", "zig build test", "%s has a step test" },
    { "stack.yaml", NULL, NULL, "stack test", "there is %s" },
    { "*.cabal cabal.project", NULL, NULL, "cabal test", "there is %s" },
    { "dune-project", NULL, NULL, "dune test", "there is %s" },
    { "pubspec.yaml", says, "sdk: flutter", "flutter test", "%s is Flutter's" },
    { "pubspec.yaml", stands_beside, "test", "dart test", "tests stand beside %s" },
    { "Makefile.PL Build.PL cpanfile dist.ini", stands_beside, "t", "prove -lr t",
      "t/ stands beside %s" },
    { "*.bats", NULL, NULL, "bats .", "there is %s" },
};
/* clang-format on */

/* ---- the table ---- */

static bool fits_name(const char *spec, size_t len, const char *name)
{
    const char *star = memchr(spec, '*', len);
    const size_t n = strlen(name), head = star ? (size_t)(star - spec) : len;
    const size_t tail = star ? len - head - 1 : 0;

    if (!star)
        return n == len && !strncmp(name, spec, len);
    return n > head + tail && !strncmp(name, spec, head) &&
           !strncmp(name + n - tail, star + 1, tail);
}

static const char *find_file(const struct look *look, const char *spec, size_t len)
{
    const struct sf_strlist *names = look->project->names;

    for (size_t i = 0; i < names->count; i++)
        if (fits_name(spec, len, names->items[i]))
            return names->items[i];
    return NULL;
}

/* Every "%s" stands for the same. */
static void fill(struct sf_strbuf *out, const char *format, const char *value)
{
    for (const char *at; (at = strstr(format, "%s")); format = at + 2) {
        sf_strbuf_add(out, format, (size_t)(at - format));
        sf_strbuf_adds(out, value);
    }
    sf_strbuf_adds(out, format);
}

static void add(const struct look *look, const struct row *row, struct sf_checks *out)
{
    struct sf_strbuf command = SF_STRBUF_INIT, why = SF_STRBUF_INIT;

    fill(&command, row->command, look->found);
    fill(&why, row->why, look->file);
    if (out->commands.count < SF_CHECKS_MAX && !sf_strlist_has(&out->commands, command.buf)) {
        sf_strlist_add(&out->commands, command.buf);
        sf_strlist_add(&out->reasons, why.buf);
    }
    sf_strbuf_release(&command);
    sf_strbuf_release(&why);
}

static void try_row(struct look *look, const struct row *row, struct sf_checks *out)
{
    for (const char *spec = row->files; *spec; spec += strspn(spec, " ")) {
        const size_t n = strcspn(spec, " ");

        look->found[0] = '\0';
        look->file = find_file(look, spec, n);
        spec += n;
        if (!look->file || (row->holds && !row->holds(look, row)))
            continue;
        add(look, row, out);
        return;
    }
}

void sf_checks_detect(const struct sf_checks_project *project, struct sf_checks *out)
{
    struct look look = { .project = project, .text = SF_STRBUF_INIT };

    for (size_t i = 0; i < SF_COUNT(rows); i++)
        try_row(&look, &rows[i], out);
    sf_strbuf_release(&look.text);
}

void sf_checks_release(struct sf_checks *checks)
{
    sf_strlist_release(&checks->commands);
    sf_strlist_release(&checks->reasons);
}
