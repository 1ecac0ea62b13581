/*
 * sf init on the command line: what it says and writes, and that it is the same the second time.
 */
#include <unistd.h>

#include "support/agent_sandbox.h"
#include "support/test.h"

static bool is_there(struct sandbox *w, const char *name)
{
    char *path = test_path(w->workspace, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static void test_init(void **state)
{
    struct sandbox *w = *state;
    char *text;

    agent_sandbox_file(w, "Cargo.toml", "[package]\nname = \"frob\"\n");
    agent_sandbox_file(w, "crates/x/lib.rs", "");
    sandbox_expect(w, "init --dry-run", 0, "- test: `cargo test`", NULL);
    sandbox_expect(w, "init --dry-run --json", 0, "\"state\":\"new\"", NULL);
    assert_false(is_there(w, "AGENTS.md") || is_there(w, ".sf/config.toml"));
    sandbox_expect(w, "init", 0, "AGENTS.md: written\n.sf/config.toml: written\n", NULL);
    sandbox_expect(w, "init", 0, "is there, as it would be written", NULL);
    agent_sandbox_file(w, "AGENTS.md", "mine\n");
    sandbox_expect(w, "init", 0, "is there and stays", NULL);
    sandbox_expect(w, "init --dry-run", 0, "-mine\n", NULL);
    sandbox_expect(w, "init --force --json", 0, "\"backup\":\"AGENTS.md.1.bak\"", NULL);
    text = agent_sandbox_text(w, "AGENTS.md.1.bak");
    assert_string_equal(text, "mine\n");
    free(text);
}

/* What was detected is what a scope may write, once the workspace is trusted. */
static void test_scopes_hold(void **state)
{
    struct sandbox *w = *state;

    agent_sandbox_file(w, "Cargo.toml", "[package]\nname = \"frob\"\n");
    agent_sandbox_file(w, "crates/x/lib.rs", "");
    sandbox_expect(w, "init", 0, "sf trust add", NULL);
    sandbox_expect(w, "trust add", 0, NULL, NULL);
    sandbox_expect(
        w,
        "guard explain --axes build|assisted|normal|smart --scope implement --tool Edit --path crates/x/lib.rs",
        0, "allow", NULL);
    sandbox_expect(
        w,
        "guard explain --axes build|assisted|normal|smart --scope implement --tool Edit --path README.md",
        0, "not writable in scope implement", NULL);
}

/* Builds write their lock file: it is in the scope of the manifest, there or not. */
static const struct {
    const char *manifest, *text, *beside;
    const char *in, *out; /* of the scope; NULL: nothing to look for */
} locks[] = {
    { "Cargo.toml", "[package]\nname = \"frob\"\n", NULL, "\"Cargo.lock\"", "go.sum" },
    { "go.mod", "module frob\n", NULL, "\"go.sum\"", "Cargo.lock" },
    { "package.json", "{}", NULL, "\"package-lock.json\", \"yarn.lock\", \"pnpm-lock.yaml\"",
      NULL },
    { "package.json", "{}", "pnpm-lock.yaml", "\"pnpm-lock.yaml\"", "yarn.lock" },
    { "pyproject.toml", "", NULL, "\"poetry.lock\", \"uv.lock\"", NULL },
    { "CMakeLists.txt", "", NULL, "\"CMakeLists.txt\"", ".lock" },
};

static void test_lock_files(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(locks); i++) {
        char *path = test_path(w->workspace, locks[i].manifest), *text;

        agent_sandbox_file(w, locks[i].manifest, locks[i].text);
        if (locks[i].beside)
            agent_sandbox_file(w, locks[i].beside, "");
        sandbox_expect(w, "init --force", 0, ".sf/config.toml", NULL);
        text = agent_sandbox_text(w, ".sf/config.toml");
        if (!strstr(text, locks[i].in) || (locks[i].out && strstr(text, locks[i].out)))
            fail_msg("%s: %s", locks[i].manifest, text);
        assert_int_equal(unlink(path), 0);
        free(path);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_init, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_scopes_hold, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_lock_files, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests_name("app/init", tests, NULL, NULL);
}
