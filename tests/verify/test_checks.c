/*
 * Which commands would verify a project, by its files, and whether a command that someone wrote down
 * is there. A project is a list of names and the texts of some of them.
 */
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "verify/verify.h"

enum { FILES = 6 };

struct file {
    const char *name, *text; /* text NULL: a directory, or of no interest */
};

#define SCRIPT(name, text) "{\"scripts\":{\"" name "\":\"" text "\"}}"

static const struct {
    const char *name;
    struct file files[FILES];
    const char *want; /* commands and reasons, a line each */
} projects[] = {
    { "nothing", { { "README.md", NULL } }, "" },
    { "npm",
      { { "package.json", SCRIPT("test", "jest") } },
      "npm run test: package.json has a script test\n" },
    { "pnpm",
      { { "package.json", SCRIPT("test", "x") }, { "pnpm-lock.yaml", NULL } },
      "pnpm run test: package.json has a script test\n" },
    { "yarn",
      { { "package.json", SCRIPT("test", "x") }, { "yarn.lock", NULL } },
      "yarn run test: package.json has a script test\n" },
    { "bun",
      { { "package.json", SCRIPT("test", "x") }, { "bun.lock", NULL } },
      "bun run test: package.json has a script test\n" },
    { "npm's placeholder",
      { { "package.json", SCRIPT("test", "echo \\\"Error: no test specified\\\" && exit 1") } },
      "" },
    { "an empty script", { { "package.json", SCRIPT("test", " ") } }, "" },
    { "a package without a script, and a runner",
      { { "package.json", "{\"devDependencies\":{\"vitest\":\"^1\"}}" } },
      "npx vitest run: package.json names vitest\n" },
    { "a package that cannot be read", { { "package.json", "{" } }, "" },
    { "make",
      { { "Makefile", "all: x\ntest: all\n\t./t\ncheck:\n\t./c\n" } },
      "make check: Makefile has a target check\nmake test: Makefile has a target test\n" },
    { "make without a target", { { "Makefile", "all:\n\tcc x.c\ntest := no\ntests:\n" } }, "" },
    { "CMake that is configured",
      { { "CMakeLists.txt", "enable_testing()\n" },
        { "build", NULL },
        { "build/CTestTestfile.cmake", "" } },
      "cmake --build build && ctest --test-dir build --output-on-failure: "
      "CMakeLists.txt has a configured build with tests\n" },
    { "CMake that is not",
      { { "CMakeLists.txt", "include(CTest)\n" } },
      "cmake -B build && cmake --build build && ctest --test-dir build --output-on-failure: "
      "CMakeLists.txt has tests\n" },
    { "CMake without tests", { { "CMakeLists.txt", "project(x)\n" } }, "" },
    { "meson",
      { { "meson.build", "test('a', exe)\n" } },
      "meson setup build && meson test -C build: meson.build has tests\n" },
    { "meson that is configured",
      { { "meson.build", "test('a', exe)\n" },
        { "builddir", NULL },
        { "builddir/meson-info/intro-tests.json", "[]" } },
      "meson test -C builddir: meson.build has a configured build with tests\n" },
    { "pytest by its settings",
      { { "pyproject.toml", "[tool.pytest.ini_options]\n" } },
      "pytest: pyproject.toml has settings of pytest\n" },
    { "pytest by its tests",
      { { "setup.py", "" }, { "tests", NULL } },
      "pytest: tests stand beside setup.py\n" },
    { "Python without tests", { { "pyproject.toml", "[project]\n" } }, "" },
    { "setup.cfg",
      { { "setup.cfg", "[tool:pytest]\n" } },
      "pytest: setup.cfg has settings of pytest\n" },
    { "a test beside the module", { { "test_a.py", "" } }, "pytest: there is test_a.py\n" },
    { "cargo", { { "Cargo.toml", "" } }, "cargo test: there is Cargo.toml\n" },
    { "go", { { "go.mod", "" } }, "go test ./...: there is go.mod\n" },
    { "maven", { { "pom.xml", "" } }, "mvn -B test: there is pom.xml\n" },
    { "maven with a wrapper",
      { { "pom.xml", "" }, { "mvnw", "" } },
      "./mvnw -B test: there is pom.xml\n" },
    { "gradle",
      { { "build.gradle.kts", "" }, { "gradlew", "" } },
      "./gradlew test: there is build.gradle.kts\n" },
    { "composer",
      { { "composer.json", SCRIPT("test", "phpunit") }, { "phpunit.xml.dist", "" } },
      "composer test: composer.json has a script test\n"
      "vendor/bin/phpunit: there is phpunit.xml.dist\n" },
    { "rspec",
      { { ".rspec", "" }, { "Gemfile", "" }, { "spec", NULL } },
      "bundle exec rspec: there is .rspec\n" },
    { "rake", { { "Rakefile", "Rake::TestTask.new\n" } }, "rake test: Rakefile has a task test\n" },
    { "mix", { { "mix.exs", "" } }, "mix test: there is mix.exs\n" },
    { "deno, a task",
      { { "deno.json", "{\"tasks\":{\"test\":\"deno test -A\"}}" } },
      "deno task test: deno.json has a task test\ndeno test: there is deno.json\n" },
    { "dotnet", { { "App.sln", "" } }, "dotnet test: there is App.sln\n" },
    { "bats", { { "all.bats", "" } }, "bats .: there is all.bats\n" },
    { "two languages",
      { { "Cargo.toml", "" }, { "Makefile", "test:\n\tcargo test\n" } },
      "make test: Makefile has a target test\ncargo test: there is Cargo.toml\n" },
};

static bool read_named(void *ctx, const char *path, struct sf_strbuf *out)
{
    const struct file *files = ctx;

    for (size_t i = 0; i < FILES && files[i].name; i++)
        if (!strcmp(files[i].name, path) && files[i].text) {
            sf_strbuf_adds(out, files[i].text);
            return true;
        }
    return false;
}

static bool has_program(void *ctx, const char *name)
{
    (void)ctx;
    return strstr(" make npm pytest cargo ", name) != NULL;
}

/* The names in the root are those without a slash. */
static void list_names(const struct file *files, struct sf_strlist *out)
{
    for (size_t i = 0; i < FILES && files[i].name; i++)
        if (!strchr(files[i].name, '/'))
            sf_strlist_add(out, files[i].name);
}

static void test_detect(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(projects); i++) {
        struct sf_strlist names = SF_STRLIST_INIT;
        struct sf_checks checks = SF_CHECKS_INIT;
        struct sf_strbuf got = SF_STRBUF_INIT;
        struct file files[FILES];
        const struct sf_checks_project project = { .names = &names,
                                                   .read = read_named,
                                                   .ctx = files };

        memcpy(files, projects[i].files, sizeof(files));
        list_names(files, &names);
        sf_checks_detect(&project, &checks);
        for (size_t k = 0; k < checks.commands.count; k++)
            sf_strbuf_addf(&got, "%s: %s\n", checks.commands.items[k], checks.reasons.items[k]);
        if (strcmp(got.buf, projects[i].want) != 0)
            fail_msg("%s: %s", projects[i].name, got.buf);
        sf_strbuf_release(&got);
        sf_checks_release(&checks);
        sf_strlist_release(&names);
    }
}

/* Every command that is detected is there, as far as its target or script tells. */
static void test_detected_is_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(projects); i++) {
        struct sf_strlist names = SF_STRLIST_INIT;
        struct sf_checks checks = SF_CHECKS_INIT;
        struct file files[FILES];
        const struct sf_checks_project project = { .names = &names,
                                                   .read = read_named,
                                                   .ctx = files };

        memcpy(files, projects[i].files, sizeof(files));
        list_names(files, &names);
        sf_checks_detect(&project, &checks);
        for (size_t k = 0; k < checks.commands.count; k++)
            if (strncmp(checks.commands.items[k], "vendor/", 7) != 0 &&
                sf_checks_find(&project, checks.commands.items[k]) == SF_CHECK_MISSING)
                fail_msg("%s: %s is missing", projects[i].name, checks.commands.items[k]);
        sf_checks_release(&checks);
        sf_strlist_release(&names);
    }
}

static const struct {
    const char *command;
    enum sf_check_presence want;
} commands[] = {
    { "make test", SF_CHECK_THERE },
    { "make -j4 test", SF_CHECK_THERE },
    { "make lint", SF_CHECK_MISSING },
    { "make -C sub lint", SF_CHECK_UNSURE },
    { "npm test", SF_CHECK_THERE },
    { "npm run lint", SF_CHECK_MISSING },
    { "npm ci", SF_CHECK_UNSURE },
    { "pytest -q", SF_CHECK_THERE },
    { "tox", SF_CHECK_MISSING },
    { "make test && tox", SF_CHECK_MISSING },
    { "make test && cargo test", SF_CHECK_THERE },
    { "./run.sh --all", SF_CHECK_THERE },
    { "./gone.sh", SF_CHECK_MISSING },
    { "sub/run.sh", SF_CHECK_UNSURE },
    { "/opt/check", SF_CHECK_UNSURE },
    { "cd sub && make lint", SF_CHECK_UNSURE },
    { "$TOOL test", SF_CHECK_UNSURE },
    { "test -f src/a.c", SF_CHECK_THERE },
    { "", SF_CHECK_UNSURE },
    { "if", SF_CHECK_UNSURE },
};

static void test_find(void **state)
{
    struct file files[FILES] = { { "Makefile", "test:\n\t./t\n" },
                                 { "package.json", SCRIPT("test", "jest") },
                                 { "run.sh", "" },
                                 { "sub", NULL } };
    struct sf_strlist names = SF_STRLIST_INIT;
    const struct sf_checks_project project = {
        .names = &names, .read = read_named, .has_program = has_program, .ctx = files
    };

    (void)state;
    list_names(files, &names);
    for (size_t i = 0; i < SF_COUNT(commands); i++) {
        enum sf_check_presence got = sf_checks_find(&project, commands[i].command);

        if (got != commands[i].want)
            fail_msg("%s: %d, not %d", commands[i].command, got, commands[i].want);
    }
    sf_strlist_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detect),
        cmocka_unit_test(test_detected_is_there),
        cmocka_unit_test(test_find),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
