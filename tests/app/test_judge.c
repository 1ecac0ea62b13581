/*
 * What a verdict rests on: the scopes and places collected from settings and file system, seen
 * through the real program.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store.h"
#include "support/program.h"
#include "support/test.h"

#define EDIT(path) "guard explain --scope free --tool Edit --path " path

static void settings(const struct sandbox *w, const char *text)
{
    test_write(w->config, text, strlen(text));
}

static const struct {
    const char *name, *writable;
    const char *err; /* NULL: the scope loads and covers src/a.c */
} scopes[] = {
    { "a directory", "src/", NULL },
    { "a doubled slash is noise", "src//", NULL },
    { "a dot is noise", "./src/", NULL },
    { "absolute", "/src/", "cannot hold \"/src/\": it is absolute" },
    { "upwards", "src/../src/", "it leads upwards" },
    { "a bell", "src/\\u0007", "it holds a control character" },
    { "an escape", "\\u001b[2J", "it holds a control character" },
    { "a pattern", "src/*", "only alone" },
    { "nothing", "", "it is empty" },
};

static void test_one_rule_for_entries(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(scopes); i++) {
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, "[modes.mine]\nwritable = [\"%s\"]\n", scopes[i].writable);
        settings(w, text.buf);
        sandbox_expect(w, "guard explain --scope mine --tool Edit --path src/a.c",
                       scopes[i].err ? 2 : 0, scopes[i].err ? "" : "ask  Edit src/a.c",
                       scopes[i].err);
    }
    sf_strbuf_release(&text);
}

/* What a command writes into a hard link is written under its other name as well. */
static void test_second_name_asks(void **state)
{
    struct sandbox *w = *state;
    char *outside = test_path(w->dir, "outside"), *inside = test_path(w->workspace, "linked");
    static const char shell[] =
        "guard explain --axes 'repair|autonomous|trusted|smart' -- 'echo x > linked'";

    test_write(outside, "precious", 8);
    assert_int_equal(link(outside, inside), 0);
    sandbox_expect(w, shell, 0, "second-name", NULL);
    assert_int_equal(unlink(outside), 0);
    sandbox_expect(w, shell, 0, "allow  Bash", NULL);
    free(outside);
    free(inside);
}

/* A C string would end there: "src/\0" must not become src/. */
static void test_zero_byte_covers_nothing(void **state)
{
    struct sandbox *w = *state;

    settings(w, "[modes.mine]\nwritable = [\"src/\\u0000\"]\n");
    sandbox_expect(w, "guard explain --scope mine --tool Edit --path src/a.c", 0,
                   "deny  Edit src/a.c", "modes.mine.writable");
}

/* The target of a linked .sf holds the policy, whatever it is called. */
static void test_linked_settings_are_protected(void **state)
{
    struct sandbox *w = *state;
    char *sf = test_path(w->workspace, ".sf"), *inner = test_path(w->workspace, "policy");
    char *outer = test_path(w->dir, "elsewhere");

    assert_int_equal(rmdir(sf), 0);
    assert_int_equal(mkdir(inner, 0700), 0);
    assert_int_equal(mkdir(outer, 0700), 0);
    sandbox_expect(w, EDIT("policy/config.toml"), 0, "ask  Edit policy/config.toml", NULL);
    assert_int_equal(symlink("policy", sf), 0);
    sandbox_expect(w, EDIT("policy/config.toml"), 0, "rule     own-state", NULL);
    sandbox_expect(w, EDIT("policy/new/config.toml"), 0, "rule     own-state", NULL);
    sandbox_expect(w, EDIT(".sf/config.toml"), 0, "deny  Edit .sf/config.toml", NULL);
    sandbox_expect(w, EDIT("policy-not/config.toml"), 0, "ask  Edit", NULL);
    assert_int_equal(unlink(sf), 0);
    assert_int_equal(symlink("../elsewhere", sf), 0);
    sandbox_expect(w, EDIT("../elsewhere/config.toml"), 0, "rule     own-state", NULL);
    assert_int_equal(unlink(sf), 0);
    assert_int_equal(symlink(".", sf), 0); /* does not lock the user out of the whole workspace */
    sandbox_expect(w, EDIT("src/a.c"), 0, "ask  Edit src/a.c", NULL);
    free(sf);
    free(inner);
    free(outer);
}

/* Own directories are compared by where they really lie. */
static void test_own_directories_behind_links(void **state)
{
    struct sandbox *w = *state;
    char *real = test_path(w->dir, "real-state");

    rmdir(w->state);
    assert_int_equal(mkdir(real, 0700), 0);
    assert_int_equal(symlink(real, w->state), 0);
    sandbox_expect(w, EDIT("../real-state/sf.db"), 0, "rule     own-state", NULL);
    free(real);
}

static const struct {
    const char *name, *command;
    const char *out;
} commands[] = {
    { "a plain read", "cat src/a.c", "allow  Bash" },
    { "a secret by name", "cat .env", "rule     env-file" },
    { "by a pattern", "cat .e*", "rule     secret-pattern" },
    { "by a bracket", "head .en[v]", "rule     secret-pattern" },
    { "by an ending", "cat *.pem", "rule     private-key" },
    { "through a variable", "f=.env; cat $f", "rule     env-file" },
    { "by a filter", "jq . .npmrc", "rule     password-file" },
    { "by a comparison", "git diff --no-index /dev/null .env", "rule     env-file" },
    { "out of a commit", "git show HEAD:.env", "rule     env-file" },
    { "in a directory of it", "git show HEAD~3:config/.env", "rule     env-file" },
    { "out of the index", "git show :.env", "rule     env-file" },
    { "out of a stage of it", "git show :0:.env", "rule     env-file" },
    { "from where one stands", "git show main:./.env", "rule     env-file" },
    { "out of a stash", "git show stash@{0}:.env", "rule     env-file" },
    { "a key out of a commit", "git show HEAD:id_rsa", "rule     private-key" },
    { "as an object", "git cat-file -p HEAD:.env", "rule     env-file" },
    { "as an object of a kind", "git cat-file blob HEAD:.env", "rule     env-file" },
    { "its changes", "git log -p -- .env", "rule     env-file" },
    { "its changes, without dashes", "git log -p .env", "rule     env-file" },
    { "those of some lines", "git log -L1,9:.env", "rule     env-file" },
    { "those since", "git diff HEAD~1 -- .env", "rule     env-file" },
    { "from the top", "git diff HEAD~1 -- \":(top).env\"", "rule     env-file" },
    { "between two", "git diff HEAD:.env HEAD~1:.env", "rule     env-file" },
    { "in one commit", "git show HEAD -- .env", "rule     env-file" },
    { "by a pattern of git", "git log -p -- \"*.pem\"", "may hold secrets" },
    { "line by line", "git blame .env", "rule     env-file" },
    { "what matches in it", "git grep PASSWORD -- .env", "rule     env-file" },
    { "packed", "git archive HEAD .env", "rule     env-file" },
    { "another file of the history", "git show HEAD:src/main.c", "allow  Bash" },
    { "an example", "git show HEAD:.env.example", "allow  Bash" },
    { "that it changed", "git log --stat -- .env", "allow  Bash" },
    { "how much", "git diff --stat -- .env", "allow  Bash" },
    { "whether it is there", "git cat-file -e HEAD:.env", "allow  Bash" },
    { "whether git knows it", "git ls-files .env", "allow  Bash" },
    { "all but it", "git log -p -- . :!.env", "allow  Bash" },
    { "a key of the filter is no file", "jq .env package.json", "allow  Bash" },
    { "behind cd", "cd /srv/other && touch x", "rule     write-outside" },
    { "a repository elsewhere", "git -C /srv/other add x", "rule     write-outside" },
};

static void test_what_commands_name(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf words = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(commands); i++) {
        sf_strbuf_reset(&words);
        sf_strbuf_addf(&words,
                       "guard explain --axes build|autonomous|trusted|smart --scope free -- '%s'",
                       commands[i].command);
        sandbox_expect(w, words.buf, 0, commands[i].out, NULL);
    }
    sf_strbuf_release(&words);
}

/* What does not fit into the report is not waved through. */
static void test_more_names_than_are_looked_at(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_strbuf_adds(&words, "guard explain --axes build|autonomous|trusted|smart -- 'cat");
    for (int i = 0; i < 80; i++)
        sf_strbuf_addf(&words, " f%d", i);
    sf_strbuf_adds(&words, " .env'");
    sandbox_expect(w, words.buf, 0, "rule     too-many-names", NULL);
    sf_strbuf_release(&words);
}

/* The store of the sandbox's workspace, once the program has made it. */
static struct sf_store *open_store(const struct sandbox *w)
{
    struct sf_error err = SF_ERROR_INIT;
    char *pattern = test_path(w->state, "projects/*");
    struct sf_store *store;
    glob_t found;

    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    store = sf_store_open(found.gl_pathv[0], SF_STORE_WRITE, &err);
    assert_non_null(store);
    globfree(&found);
    free(pattern);
    return store;
}

/* The answer is the engine's: what was approved for the workspace is allowed, and named. */
static void test_approvals_count(void **state)
{
    static const char make[] = "guard explain --axes build|assisted|normal|smart -- 'make test'";
    static const struct sf_approval_new approval = { .pattern = "command-build:make test" };
    struct sandbox *w = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store;

    sandbox_expect(w, make, 0, "ask  Bash make test", NULL); /* without a store, too */
    sandbox_expect(w, "permissions", 0, "No rules and no approvals.", NULL);
    sandbox_expect(w, make, 0, "ask  Bash make test", NULL);
    store = open_store(w);
    assert_true(sf_store_approval_add(store, &approval, &err));
    sf_store_close(store);
    sandbox_expect(w, make, 0, "allow  Bash make test", NULL);
    sandbox_expect(w, make, 0, "you allowed it for the workspace: every `make test`", NULL);
    sandbox_expect(w, "guard explain -- 'make test install'", 0, "ask  Bash", NULL);
    sandbox_expect(w, "guard explain --no-approvals -- 'make test'", 0, "ask  Bash", NULL);
    sandbox_expect(w, "guard explain --session nobody -- 'make test'", 2, "", "nobody");
    sandbox_expect(w, "permissions revoke 1", 0, "taken back", NULL);
    sandbox_expect(w, make, 0, "ask  Bash make test", NULL);
}

#define IN_SANDBOX(test) cmocka_unit_test_setup_teardown(test, sandbox_setup, sandbox_teardown)

/* A pattern is judged by the place it looks in, and by the links it matches there. */
static const struct {
    const char *command, *want;
} patterns[] = {
    { "cat ../*", "rule     read-outside" },        { "cat /etc/pass*", "rule     read-outside" },
    { "cat out/n*", "rule     read-outside" },      { "cat src/*.c", "rule     command-read" },
    { "cat nowhere/*.c", "rule     command-read" }, { "cat *", "rule     read-outside" },
    { "cat s*", "rule     command-read" },          { "touch .git/h*/x", "rule     git-internals" },
    { "cat $d/*.c", "reads    …/*.c (outside" },
};

static void test_patterns_in_commands(void **state)
{
    struct sandbox *w = *state;
    char *out = test_path(w->workspace, "out"), *git = test_path(w->workspace, ".git");

    assert_int_equal(symlink("..", out), 0);
    assert_int_equal(mkdir(git, 0700), 0);
    for (size_t i = 0; i < SF_COUNT(patterns); i++) {
        struct sf_strbuf words = SF_STRBUF_INIT;

        sf_strbuf_addf(&words, "guard explain --axes 'build|assisted|normal|smart' -- '%s'",
                       patterns[i].command);
        sandbox_expect(w, words.buf, 0, patterns[i].want, NULL);
        sf_strbuf_release(&words);
    }
    free(out);
    free(git);
}

/* Every tool of the table can be asked about, by the profile it is offered from. */
static void test_tools(void **state)
{
    struct sandbox *w = *state;

    sandbox_expect(w, "guard explain --axes 'build|assisted|normal|smart' --tool Remember -- words",
                   0, "ask  Remember words", NULL);
    sandbox_expect(w, "guard explain --axes 'build|assisted|normal|smart' --tool Remember", 0,
                   "rule     untrusted-note", NULL);
    sandbox_expect(w, "guard explain --axes 'build|assisted|restricted|smart' --tool Remember", 0,
                   "rule     profile-too-low", NULL);
    sandbox_expect(w, "guard explain --tool Agent", 0, "allow  Agent", NULL);
    sandbox_expect(w, "guard explain --tool Rember", 2, "", "did you mean Remember?");
    sandbox_expect(w, "trust add", 0, NULL, NULL);
    sandbox_expect(w, "guard explain --axes 'build|assisted|normal|smart' --tool Remember", 0,
                   "allow  Remember", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SANDBOX(test_one_rule_for_entries),
        IN_SANDBOX(test_zero_byte_covers_nothing),
        IN_SANDBOX(test_second_name_asks),
        IN_SANDBOX(test_linked_settings_are_protected),
        IN_SANDBOX(test_own_directories_behind_links),
        IN_SANDBOX(test_what_commands_name),
        IN_SANDBOX(test_approvals_count),
        IN_SANDBOX(test_more_names_than_are_looked_at),
        IN_SANDBOX(test_patterns_in_commands),
        IN_SANDBOX(test_tools),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
