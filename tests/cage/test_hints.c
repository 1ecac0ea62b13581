/*
 * Which words of a failed command are explained, and that only what was closed is.
 */
#include <string.h>

#include "cage/cage.h"
#include "support/test.h"

static const struct {
    const char *name, *text, *want; /* in the hint; NULL: there is none */
} rows[] = {
    { "git's settings", "error: could not write config file .git/config: Device or resource busy",
      "run that git" },
    { "hooks that settings name", "sh: cannot create .husky/pre-commit: Read-only file system",
      ".husky is read-only" },
    { "a submodule's data", "rm: cannot remove '.git/modules/x/hooks': Device or resource busy",
      ".git/modules is read-only" },
    { "curl", "curl: (6) Could not resolve host: example.org", "The network was off" },
    { "npm", "npm ERR! code EAI_AGAIN\nnpm ERR! errno EAI_AGAIN", "The network was off" },
    { "pip", "NewConnectionError: Failed to establish a new connection: [Errno 101]",
      "The network was off" },
    { "a database on this machine", "could not connect to server: Connection refused\n  port 5432?",
      "localhost" },
    { "go", "dial tcp: lookup proxy.golang.org: no such host", "The network was off" },
    { "docker", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "docker's" },
    { "git over ssh", "git@host: Permission denied (publickey).", "SSH_AUTH_SOCK" },
    { "outside", "touch: cannot touch '/opt/x': Read-only file system", "guard.caches" },
    { "a secret", "cat: .env: Permission denied", ".env is hidden" },
    { "adding one", "error: a/b/x.pem: can only add regular files", "x.pem is hidden" },
    { "a program of the workspace, by bash", "bash: line 1: tool: command not found",
      "(/project/bin): what is there is called by its path" },
    { "a program of the workspace, by sh", "sh: 1: tool: not found", "not looked for" },
    { "another file", "cat: other: Permission denied", NULL },
    { "a secret that is only named", "no .env found, using defaults", NULL },
    { "an ordinary failure", "1 test failed: expected 3, got 4", NULL },
    { "nothing", "", NULL },
};

static void fill(struct sf_cage_closed *closed, bool all)
{
    *closed =
        (struct sf_cage_closed){ .network = all, .sockets = all, .writing = all, .settings = all };
    if (!all)
        return;
    closed->unsearched = "/project/bin";
    sf_strlist_add(&closed->kept, ".husky");
    sf_strlist_add(&closed->kept, ".git/modules");
    sf_strlist_add(&closed->hidden, "/work/.env");
    sf_strlist_add(&closed->hidden, "/work/a/b/x.pem");
}

static void drop(struct sf_cage_closed *closed)
{
    sf_strlist_release(&closed->hidden);
    sf_strlist_release(&closed->kept);
}

static void test_rows(void **state)
{
    struct sf_cage_closed closed;

    (void)state;
    for (size_t i = 0; i < 2 * SF_COUNT(rows); i++) {
        const char *text = rows[i / 2].text, *want = rows[i / 2].want;
        struct sf_strbuf out = SF_STRBUF_INIT;
        bool all = i % 2 == 0;

        fill(&closed, all);
        sf_cage_hint(&closed, text, strlen(text), &out);
        if (all && want ? !strstr(out.buf, want) || strncmp(out.buf, "[sf] ", 5) != 0 : out.len > 0)
            fail_msg("%s, %s: %s", rows[i / 2].name, all ? "closed" : "open", out.buf);
        sf_strbuf_release(&out);
        drop(&closed);
    }
}

/* Where the cage has no mounts of its own, what is outside is a permission that is denied. */
static const struct {
    const char *name, *text;
    bool want;
} refusals[] = {
    { "in /tmp", "touch: cannot touch '/tmp/x': Permission denied", true },
    { "by node", "Error: EACCES: permission denied, open '/dev/shm/x'", true },
    { "a semaphore of python's",
      "  sl = self._semlock = _multiprocessing.SemLock(\n"
      "PermissionError: [Errno 13] Permission denied",
      true },
    { "in the workspace", "cat: /work/locked: Permission denied", false },
    { "a relative path", "cat: locked: Permission denied", false },
    { "a path, and a refusal elsewhere", "reading /tmp/x\nsh: locked: Permission denied", false },
    { "no refusal", "touch: /tmp/x: No such file or directory", false },
    { "one that is explained", "curl: /tmp/x: Could not resolve host\n/tmp/x: Permission denied",
      false },
};

static void test_refusals_without_mounts(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * SF_COUNT(refusals); i++) {
        const bool bare = i % 2 == 0;
        const struct sf_cage_closed closed = { .network = true,
                                               .writing = true,
                                               .hidden = SF_STRLIST_INIT,
                                               .bare = bare,
                                               .root = "/work" };
        const char *text = refusals[i / 2].text;
        struct sf_strbuf out = SF_STRBUF_INIT;

        sf_cage_hint(&closed, text, strlen(text), &out);
        if ((strstr(out.buf, "Without namespaces") != NULL) != (bare && refusals[i / 2].want))
            fail_msg("%s: %s", refusals[i / 2].name, out.buf);
        sf_strbuf_release(&out);
    }
}

static void test_once(void **state)
{
    static const char text[] = "EAI_AGAIN EAI_AGAIN ENOTFOUND Connection refused";
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_cage_closed closed;

    (void)state;
    fill(&closed, true);
    sf_cage_hint(&closed, text, strlen(text), &out);
    assert_ptr_equal(strchr(out.buf, '\n'), out.buf + out.len - 1);
    sf_strbuf_release(&out);
    drop(&closed);
}

/* A pipe hides that git failed; what it says of its settings means nothing else. */
static void test_of_a_success(void **state)
{
    static const char text[] = "error: could not write config file .git/config: Device or resource "
                               "busy\nCould not resolve host\n.husky: Read-only file system\n";
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_cage_closed closed;

    (void)state;
    fill(&closed, true);
    closed.succeeded = true;
    sf_cage_hint(&closed, text, strlen(text), &out);
    assert_non_null(strstr(out.buf, "run that git command alone"));
    assert_ptr_equal(strchr(out.buf, '\n'), out.buf + out.len - 1);
    sf_strbuf_release(&out);
    drop(&closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_refusals_without_mounts),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_of_a_success),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
