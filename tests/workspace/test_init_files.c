/*
 * What `sf init` finds and writes: five layouts, an empty directory and a hostile one; what is
 * there stays.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "session/session.h"
#include "support/test.h"
#include "support/tree.h"

struct fixture {
    char *dir, *work;
    struct sf_init_files charter;
    struct sf_strbuf text;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;
    char *top = test_dir_new();

    f->dir = sf_path_real(top, &err);
    f->work = test_path(f->dir, "work");
    f->charter = (struct sf_init_files)SF_INIT_FILES_INIT;
    sf_strbuf_init(&f->text);
    assert_true(sf_dir_make(f->work, 0755, &err));
    free(top);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_init_files_release(&f->charter);
    sf_strbuf_release(&f->text);
    free(f->work);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

static void plan(struct fixture *f)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_init_files_release(&f->charter);
    if (!sf_init_files_plan(&f->charter, f->work, &err))
        fail_msg("%s", err.msg);
}

static void make(struct fixture *f, const char *script)
{
    sf_strbuf_reset(&f->text);
    sf_strbuf_addf(&f->text, "rm -rf work; mkdir work; cd work\n%s", script);
    free(tree_run(f->dir, f->text.buf, NULL));
}

#define AGENTS   (f->charter.files[0])
#define SETTINGS (f->charter.files[1])

static void test_layouts(void **state)
{
    static const struct {
        const char *name, *make, *agents, *settings;
    } cases[] = {
        { "Rust",
          "mkdir -p src tests target; touch src/main.rs tests/a.rs rustfmt.toml README.md\n"
          "printf '[package]\\nname = \"frob\"\\ndescription = \"Frobs `things`.\"\\n' > Cargo.toml",
          "# frob\n\nFrobs  things .\n\nWritten in Rust.\n\n## Commands\n\n"
          "- build: `cargo build`\n- lint: `cargo clippy --all-targets`\n- format: `cargo fmt`\n"
          "- test: `cargo test`\n\n## Layout\n\n- `src/`: sources\n- `tests/`: tests\n\n"
          "## Style\n\nThe code follows `rustfmt.toml`.\n",
          "\n[modes.implement]\nwritable = [\"src/\", \"Cargo.toml\", \"Cargo.lock\"]\n\n[modes.test]\n"
          "writable = [\"tests/\"]\n\n[modes.docs]\nwritable = [\"README.md\"]\n" },
        { "Go",
          "mkdir -p cmd/x internal/y vendor; touch main.go main_test.go cmd/x/main.go "
          "internal/y/y.go internal/y/y_test.go\n"
          "printf '// x\\nmodule example.org/frob\\n\\ngo 1.22\\n' > go.mod",
          "# example.org/frob\n\nWritten in Go.\n\n## Commands\n\n- build: `go build ./...`\n"
          "- lint: `go vet ./...`\n- test: `go test ./...`\n\n## Layout\n\n- `cmd/`: programs\n"
          "- `internal/`: packages of its own\n",
          "\n[modes.implement]\nwritable = [\"cmd/\", \"internal/\", \"main.go\", \"go.mod\", \"go.sum\"]\n\n"
          "[modes.test]\nwritable = [\"internal/\", \"main_test.go\"]\n" },
        { "C",
          "mkdir -p src/core include test doc; touch src/core/a.c include/a.h test/t.c "
          ".clang-format\n"
          "printf 'project(x C)\\nenable_testing()\\n' > CMakeLists.txt\n"
          "printf 'CC := cc\\nall: x\\ncheck : all\\nlint:=no\\n' > Makefile",
          "# work\n\nWritten in C.\n\n## Commands\n\n"
          "- build: `cmake -B build && cmake --build build`\n- build: `make all`\n"
          "- test: `cmake -B build && cmake --build build && ctest --test-dir build "
          "--output-on-failure`\n- test: `make check`\n\n## Layout\n\n- `doc/`: documentation\n"
          "- `include/`: public headers\n- `src/`: sources\n- `test/`: tests\n\n## Style\n\n"
          "The code follows `.clang-format`.\n",
          "\n[modes.implement]\nwritable = [\"include/\", \"src/\", \"CMakeLists.txt\", "
          "\"Makefile\"]\n\n[modes.test]\nwritable = [\"test/\"]\n\n[modes.docs]\nwritable = "
          "[\"doc/\"]\n" },
        { "Python",
          "mkdir -p frob tests docs; touch frob/__init__.py tests/test_a.py\n"
          "printf '[project]\\nname = \"frob\"\\n[build-system]\\n[tool.ruff]\\n' > pyproject.toml",
          "# frob\n\nWritten in Python.\n\n## Commands\n\n- build: `python -m build`\n"
          "- lint: `ruff check`\n- test: `pytest`\n\n## Layout\n\n- `docs/`: documentation\n"
          "- `frob/`: sources\n- `tests/`: tests\n",
          "\n[modes.implement]\nwritable = [\"frob/\", \"pyproject.toml\", \"poetry.lock\", \"uv.lock\"]\n\n[modes.test]\n"
          "writable = [\"tests/\"]\n\n[modes.docs]\nwritable = [\"docs/\"]\n" },
        { "Node",
          "mkdir -p src __tests__ node_modules/x; touch src/a.ts __tests__/a.test.ts yarn.lock "
          ".prettierrc\n"
          "printf '{\"name\":\"@me/frob\",\"scripts\":{\"test\":\"x\",\"build\":\"y\",\"evil;\":"
          "\"z\"}}' > package.json",
          "# @me/frob\n\nWritten in TypeScript.\n\n## Commands\n\n- build: `yarn run build`\n"
          "- test: `yarn run test`\n\n## Layout\n\n- `__tests__/`: tests\n- `src/`: sources\n\n"
          "## Style\n\nThe code follows `.prettierrc`.\n",
          "\n[modes.implement]\nwritable = [\"src/\", \"package.json\", \"yarn.lock\"]\n\n[modes.test]\n"
          "writable = [\"__tests__/\"]\n" },
        { "nothing", "true", "# work\n", "" },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const char *settings;

        make(f, cases[i].make);
        plan(f);
        settings = SETTINGS.text.len ? strstr(SETTINGS.text.buf, "\n\n") + 1 : "";
        if (strcmp(AGENTS.text.buf, cases[i].agents) != 0 ||
            strcmp(settings, cases[i].settings) != 0)
            fail_msg("%s:\n%s\n%s", cases[i].name, AGENTS.text.buf, settings);
        assert_int_equal(AGENTS.state, SF_INIT_FILE_NEW);
        assert_int_equal(SETTINGS.state,
                         *cases[i].settings ? SF_INIT_FILE_NEW : SF_INIT_FILE_NOTHING);
    }
}

/* What was found is what sf itself reads. */
static void test_settings_are_settings(void **state)
{
    struct fixture *f = *state;
    struct sf_config *config = sf_config_new();
    const struct sf_config_value *v;

    make(f, "mkdir src; touch src/a.c README.md");
    plan(f);
    sf_config_add_file(config, SF_LAYER_PROJECT, "test", SETTINGS.text.buf, SETTINGS.text.len,
                       true);
    v = sf_config_find(config, "modes.implement.writable");
    if (!v || v->count != 1 || strcmp(v->items[0].text, "src/") != 0)
        print_error("%s\n", SETTINGS.text.buf);
    assert_true(v && v->count == 1);
    sf_config_free(config);
}

/* Names and texts of a stranger's: none of them says more than a word. */
static void test_hostile(void **state)
{
    static const char *const nowhere[] = { "owned", "touch", "evil", "secret", "\n- x" };
    struct fixture *f = *state;

    tree_puts(f->dir, "outside/secret.c", "x");
    make(
        f,
        "mkdir -p -- src 'evil`touch owned`' \"$(printf 'evil\\033[31m')\" '-evil' 'evil\n- x' "
        "\"$(printf 'evil\\377')\"\n"
        "ln -s ../outside linked; ln -s / root; ln -s . loop; mkfifo Makefile\n"
        "ln -s ../outside/secret.c secret.c; ln -s /dev/zero go.mod\n"
        "printf '{\"name\":\"evil`touch owned`\",\"description\":\"a\\\\u001b[31m`b`\\\\n## owned\","
        "\"scripts\":{\"test; touch owned\":\"x\"}}' > package.json\n"
        "head -c 3000000 /dev/zero > Cargo.toml; head -c 9000 /dev/urandom > pyproject.toml\n"
        "printf '[project]\\nname = \"\\0\"' > CMakeLists.txt\n"
        "for i in $(seq 300); do mkdir d$i; done; touch $(seq -f 'src/f%g.c' 3000)");
    plan(f);
    for (size_t i = 0; i < SF_COUNT(nowhere); i++)
        if ((strstr(AGENTS.text.buf, nowhere[i]) && i) || strstr(SETTINGS.text.buf, nowhere[i]))
            fail_msg("%s is in it:\n%s%s", nowhere[i], AGENTS.text.buf, SETTINGS.text.buf);
    sf_strbuf_reset(&f->text);
    sf_text_sanitize(&f->text, AGENTS.text.buf, AGENTS.text.len, SF_TEXT_NEWLINES);
    assert_string_equal(f->text.buf, AGENTS.text.buf);
    assert_non_null(strstr(AGENTS.text.buf, "# work\n"));
    assert_null(strstr(AGENTS.text.buf, "\n## owned"));
    assert_true(AGENTS.text.len < 16384 && SETTINGS.text.len < 16384);
}

static void test_writes_and_leaves_alone(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *path = test_path(f->work, "AGENTS.md"), *text;

    make(f, "mkdir src; touch src/a.c");
    plan(f);
    assert_true(sf_init_files_write(&f->charter, false, &err));
    assert_int_equal(AGENTS.state, SF_INIT_FILE_WRITTEN);
    assert_int_equal(SETTINGS.state, SF_INIT_FILE_WRITTEN);
    plan(f);
    assert_int_equal(AGENTS.state, SF_INIT_FILE_SAME);
    assert_int_equal(SETTINGS.state, SF_INIT_FILE_SAME);
    tree_puts(f->work, "AGENTS.md", "mine\n");
    plan(f);
    assert_int_equal(AGENTS.state, SF_INIT_FILE_DIFFERS);
    assert_non_null(strstr(AGENTS.diff.buf, "-mine\n"));
    assert_true(sf_init_files_write(&f->charter, false, &err));
    text = test_read(path, NULL);
    assert_string_equal(text, "mine\n");
    free(text);
    for (int i = 1; i <= 2; i++) { /* and each copy has a name of its own */
        tree_puts(f->work, "AGENTS.md", "mine\n");
        plan(f);
        assert_true(sf_init_files_write(&f->charter, true, &err));
        assert_int_equal(AGENTS.state, SF_INIT_FILE_REPLACED);
        assert_string_equal(AGENTS.backup, i == 1 ? "AGENTS.md.1.bak" : "AGENTS.md.2.bak");
        text = tree_run(f->work, i == 1 ? "cat AGENTS.md.1.bak" : "cat AGENTS.md.2.bak", NULL);
        assert_string_equal(text, "mine\n");
        free(text);
    }
    free(path);
}

static void test_links_stay(void **state)
{
    static const struct {
        const char *name, *make, *target;
    } cases[] = {
        { "a link out", "ln -s ../outside.md AGENTS.md", "outside.md" },
        { "a link to nowhere", "ln -s ../not-there.md AGENTS.md", "not-there.md" },
        { "a pipe", "mkfifo AGENTS.md", "outside.md" },
        { "a directory", "mkdir AGENTS.md", "outside.md" },
    };
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        char *target = test_path(f->dir, cases[i].target), *text;

        tree_puts(f->dir, "outside.md", "theirs\n");
        make(f, cases[i].make);
        plan(f);
        if (AGENTS.state != SF_INIT_FILE_ODD)
            fail_msg("%s: %s", cases[i].name, sf_init_file_states[AGENTS.state]);
        assert_true(sf_init_files_write(&f->charter, true, &err));
        if (!strcmp(cases[i].target, "outside.md")) {
            text = test_read(target, NULL);
            assert_string_equal(text, "theirs\n");
            free(text);
        } else {
            assert_int_not_equal(access(target, F_OK), 0);
        }
        free(target);
    }
    make(f, "mkdir src ../elsewhere; touch src/a.c; ln -s ../elsewhere .sf");
    plan(f);
    assert_int_equal(SETTINGS.state, SF_INIT_FILE_ODD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_layouts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_settings_are_settings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hostile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_writes_and_leaves_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_links_stay, setup, teardown),
    };

    return cmocka_run_group_tests_name("session/charter", tests, NULL, NULL);
}
