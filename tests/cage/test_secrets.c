/*
 * Files of the workspace that are named like secrets: which are found, how the search is bounded,
 * and that a command cannot get at them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/cage.h"
#include "cage/objects.h"
#include "support/cagecase.h"
#include "support/test.h"
#include "support/tree.h"

struct fixture {
    char *dir, *root, *home, *git;
    const char *git_dirs[2];
    struct sf_secrets *secrets;
};

static const char *const readable[] = { ".env.shown", "deep/ok/*.pem", NULL };

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;
    struct sf_secrets_where where = { .readable = readable };
    char *dir = test_dir_new();

    f->dir = sf_path_real(dir, &err);
    free(dir);
    f->root = test_path(f->dir, "work");
    f->home = test_path(f->dir, "home");
    f->git = test_path(f->root, ".git");
    f->git_dirs[0] = f->git;
    tree_puts(f->root, "README", "");
    tree_puts(f->home, "x", "");
    free(tree_run(f->root, "git init -q .", NULL));
    where.root = f->root;
    where.home = f->home;
    where.git_dirs = f->git_dirs;
    f->secrets = sf_secrets_new(&where);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_secrets_free(f->secrets);
    test_dir_free(f->dir);
    free(f->root);
    free(f->home);
    free(f->git);
    free(f);
    return 0;
}

static bool finds(struct fixture *f, const char *name)
{
    char *path = test_path(f->root, name);
    bool found = sf_strlist_has(sf_secrets_look(f->secrets), path);

    free(path);
    return found;
}

static const struct {
    const char *name, *file;
    bool hidden;
} rows[] = {
    { "settings of the environment", ".env", true },
    { "for a place", ".env.production", true },
    { "of a part of the project", "apps/web/.env.local", true },
    { "a private key", "id_rsa", true },
    { "its public half", "id_rsa.pub", false },
    { "a certificate with its key", "certs/server.pem", true },
    { "far down", "a/b/c/d/e/f/g/h/i/.env", true },
    { "a directory of keys", "x/.ssh", true },
    { "a template", ".env.example", false },
    { "another", ".env.local.sample", false },
    { "one more", ".env.template", false },
    { "named by the user", ".env.shown", false },
    { "named by its path", "deep/ok/a.pem", false },
    { "not that path", "deep/no/a.pem", true },
    { "a key that was fetched", "node_modules/x/test.pem", false },
    { "settings where nothing of ours is", "vendor/config/.env", true },
    { "and among git's data", ".git/x/.env.local", true },
    { "an ordinary file", "src/env.c", false },
};

static void test_names(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (strcmp(rows[i].file, "x/.ssh") != 0)
            tree_puts(f->root, rows[i].file, "secret\n");
    tree_puts(f->root, "x/.ssh/known_hosts", "secret\n");
    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (finds(f, rows[i].file) != rows[i].hidden)
            fail_msg("%s (%s): should%s be hidden", rows[i].name, rows[i].file,
                     rows[i].hidden ? "" : " not");
    assert_false(sf_secrets_is_cut(f->secrets));
}

/* A file that a variable names may be called anything. */
static void test_what_moved_into_the_workspace(void **state)
{
    struct fixture *f = *state;
    char *cluster = test_path(f->root, "deploy/cluster.yaml");
    const struct sf_path_moved moved[] = { { cluster, ".kube/config" }, { f->root, ".config" } };
    const struct sf_secrets_where where = {
        .root = f->root, .home = f->home, .moved = moved, .moved_count = SF_COUNT(moved)
    };
    struct sf_secrets *secrets = sf_secrets_new(&where);

    tree_puts(f->root, "deploy/cluster.yaml", "secret\n");
    tree_puts(f->root, "deploy/other.yaml", "plain\n");
    assert_int_equal(sf_secrets_look(secrets)->count, 1);
    assert_true(sf_strlist_has(sf_secrets_look(secrets), cluster));
    sf_secrets_free(secrets);
    free(cluster);
}

#define COMMIT "git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -qm x"

/* What git has is read from there anyway; its content is meant, not its name. */
static void test_what_git_has(void **state)
{
    struct fixture *f = *state;

    tree_puts(f->root, ".env.test", "A=1\n");
    tree_puts(f->root, "key.pem", "test key\n");
    assert_true(finds(f, ".env.test"));
    free(tree_run(f->root, "git add -f .env.test key.pem && " COMMIT, NULL));
    assert_false(finds(f, ".env.test"));
    assert_false(finds(f, "key.pem"));
    free(tree_run(f->root, "git gc -q", NULL));
    assert_false(finds(f, ".env.test")); /* packed */
    tree_puts(f->root, ".env.test", "A=a real secret\n");
    assert_true(finds(f, ".env.test"));
    assert_false(finds(f, "key.pem"));
}

/* Saying that git has a file, without having its content, shows nothing. */
static void test_forged_index(void **state)
{
    struct fixture *f = *state;

    tree_puts(f->root, ".env", "A=a real secret\n");
    free(tree_run(f->root,
                  "git update-index --add --cacheinfo "
                  "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,.env",
                  NULL));
    assert_true(finds(f, ".env"));
}

static void test_damaged_packs(void **state)
{
    static const char *const damages[] = { "", "\377tOc", "\377tOc\0\0\0\2", "junk junk junk" };
    struct fixture *f = *state;
    char *path = test_path(f->root, ".env");

    tree_puts(f->root, ".env", "A=1\n");
    for (size_t i = 0; i < SF_COUNT(damages); i++) {
        tree_put(f->root, ".git/objects/pack/pack-1.idx", damages[i],
                 i == 2 ? 8 : strlen(damages[i]));
        assert_false(sf_objects_hold(f->git, path));
    }
    assert_false(sf_objects_hold("/nonexistent", path));
    assert_false(sf_objects_hold(f->git, "/nonexistent"));
    free(path);
}

/* Sizes around a block of the hash, against git itself. */
static void test_names_of_content(void **state)
{
    static const size_t sizes[] = { 0, 1, 46, 47, 48, 55, 56, 57, 63, 64, 65, 119, 120, 128, 5000 };
    struct fixture *f = *state;
    char *path = test_path(f->root, "x.pem"), text[5000];

    memset(text, 'k', sizeof(text));
    for (size_t i = 0; i < SF_COUNT(sizes); i++) {
        tree_put(f->root, "x.pem", text, sizes[i]);
        assert_false(sf_objects_hold(f->git, path));
        free(tree_run(f->root, "git hash-object -w x.pem", NULL));
        if (!sf_objects_hold(f->git, path))
            fail_msg("%zu bytes", sizes[i]);
    }
    free(path);
}

static void test_changes_are_seen(void **state)
{
    struct fixture *f = *state;

    assert_false(finds(f, "a/.env"));
    tree_puts(f->root, "a/x", "");
    assert_false(finds(f, "a/.env"));
    tree_puts(f->root, "a/.env", "A=1\n");
    assert_true(finds(f, "a/.env"));
    assert_true(finds(f, "a/.env")); /* from what was remembered */
    free(tree_run(f->root, "rm a/.env", NULL));
    assert_false(finds(f, "a/.env"));
}

static void test_links(void **state)
{
    struct fixture *f = *state;
    char *secret = test_path(f->home, "secret");

    tree_puts(f->home, "secret", "A=1\n");
    tree_puts(f->root, "config/plain", "A=1\n");
    free(tree_run(f->root,
                  "ln -s ../home/secret .env; ln -s config/plain .env.a; ln -s /etc/hosts .env.b; "
                  "ln -s nowhere .env.c; ln -s .env.d .env.d; ln -s / .env.e; mkfifo .env.f",
                  NULL));
    assert_true(sf_strlist_has(sf_secrets_look(f->secrets), secret));
    assert_true(finds(f, "config/plain"));
    assert_int_equal(sf_secrets_look(f->secrets)->count, 2);
    free(secret);
}

static void test_bounds(void **state)
{
    struct fixture *f = *state;

    tree_puts(f->root, ".env", "A=1\n");
    free(tree_run(f->root, "mkdir many && cd many && seq 5000 | xargs mkdir", NULL));
    assert_true(finds(f, ".env"));
    assert_true(sf_secrets_is_cut(f->secrets));
    free(tree_run(f->root,
                  "rm -r many; i=0; while [ $i -lt 200 ]; do echo $i > k$i.pem; "
                  "i=$((i + 1)); done",
                  NULL));
    assert_int_equal(sf_secrets_look(f->secrets)->count, SF_SECRETS_MAX);
    assert_true(sf_secrets_is_cut(f->secrets));
}

static void fill_packages(const struct fixture *f)
{
    free(tree_run(f->root, "mkdir -p node_modules && cd node_modules && seq 5000 | xargs mkdir",
                  NULL));
}

/* A key that lay among the user's files is one wherever its directory goes. */
static void test_moved_into_what_was_fetched(void **state)
{
    struct fixture *f = *state;

    tree_puts(f->root, "config/a.key", "secret\n");
    fill_packages(f);
    assert_true(finds(f, "config/a.key"));
    assert_false(sf_secrets_is_cut(f->secrets));
    free(tree_run(f->root, "mv config node_modules/4999/", NULL));
    assert_true(finds(f, "node_modules/4999/config/a.key"));
    assert_true(finds(f, "node_modules/4999/config/a.key")); /* and stays one */
    assert_false(sf_secrets_is_cut(f->secrets));
    free(tree_run(f->root, "rm -r node_modules/4999", NULL));
    assert_int_equal(sf_secrets_look(f->secrets)->count, 0);
    assert_false(sf_secrets_is_cut(f->secrets));
}

#define BEGIN(what) "-----BEGIN " what "-----\n"

static const struct {
    const char *name, *file, *text;
    bool hidden;
} pems[] = {
    { "a certificate", "c.pem", "Subject: x\n" BEGIN("CERTIFICATE") "aa\n", false },
    { "in capitals", "C.PEM", BEGIN("CERTIFICATE") "aa\n", false },
    { "a public key", "p.pem", BEGIN("PUBLIC KEY") "aa\n", false },
    { "a key", "k.pem", BEGIN("PRIVATE KEY") "aa\n", true },
    { "an old key", "r.pem", BEGIN("RSA PRIVATE KEY") "aa\n", true },
    { "a locked one", "e.pem", BEGIN("ENCRYPTED PRIVATE KEY") "aa\n", true },
    { "both", "b.pem", BEGIN("CERTIFICATE") "aa\n" BEGIN("EC PRIVATE KEY") "aa\n", true },
    { "who knows what", "x.pem", "aaaa\n", true },
    { "a key by its name", "c.key", BEGIN("CERTIFICATE") "aa\n", true },
};

static void test_certificates_are_not_hidden(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(pems); i++)
        tree_puts(f->root, pems[i].file, pems[i].text);
    for (size_t i = 0; i < SF_COUNT(pems); i++)
        if (finds(f, pems[i].file) != pems[i].hidden)
            fail_msg("%s: should%s be hidden", pems[i].name, pems[i].hidden ? "" : " not");
    tree_puts(f->root, "c.pem", BEGIN("PRIVATE KEY") "bb\n"); /* it changes */
    assert_true(finds(f, "c.pem"));
}

/* ---- in the cage ---- */

static const struct {
    const char *name, *script;
} attempts[] = {
    { "cat", "cat .env" },
    { "a name made up", "x=.e; cat ${x}nv" },
    { "through a link", "ln -s .env l; cat l" },
    { "a hard link", "ln .env h; cat h" },
    { "a copy", "cp .env c; cat c" },
    { "moved first", "mv .env m; cat m" },
    { "its directory moved", "mv keys k; cat k/a.pem" },
    { "through /proc", "cat /proc/self/root$PWD/.env; cat /proc/self/cwd/.env" },
    { "taken away", "rm -f .env; cat .env" },
    { "the cover taken away", "umount .env; umount -l .env; cat .env" },
    { "a directory", "cat .ssh/id; ls .ssh; tar c .ssh | tar xO" },
    { "a whole copy", "tar c --exclude=.git . | tar xO" },
    { "by its number", "python3 -c 'print(open(\".env\").read())'" },
    { "search", "grep -r s3cr3t ." },
};

static void test_out_of_reach(void **state)
{
    static const char *const files[] = { ".env", "keys/a.pem", ".ssh/id" };
    struct cage_sandbox *w = *state;
    const char *secrets[4] = { NULL };
    char *paths[3];

    if (!sf_kernel()->mounts || !sf_kernel()->landlock)
        test_not_run("this kernel has no such fences");
    paths[0] = test_path(w->ws, ".env");
    paths[1] = test_path(w->ws, "keys/a.pem");
    paths[2] = test_path(w->ws, ".ssh");
    memcpy(secrets, paths, sizeof(paths));
    for (size_t i = 0; i < SF_COUNT(attempts); i++) {
        const struct sf_child_result *r;
        struct sf_cage_plan plan;
        const struct sf_cage_wish wish = { .root = w->ws,
                                           .home = w->home,
                                           .temp = w->temp,
                                           .secrets = secrets,
                                           .need = SF_CAGE_NEED_REQUIRE };

        free(tree_run(w->ws, "rm -rf k keys l h c m .env .ssh", NULL));
        for (size_t k = 0; k < SF_COUNT(files); k++)
            tree_puts(w->ws, files[k], CAGE_SECRET "\n");
        sf_cage_plan_make(&plan, &wish);
        r = cage_sandbox_run(w, sf_kernel(), &plan, attempts[i].script);
        if (strstr(r->output[0].buf, CAGE_SECRET))
            fail_msg("%s got through:\n%s", attempts[i].name, r->output[0].buf);
        sf_cage_plan_release(&plan);
    }
    for (size_t i = 0; i < SF_COUNT(paths); i++)
        free(paths[i]);
}

static int run_cages(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_out_of_reach, cage_sandbox_setup,
                                        cage_sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_names),
        CASE(test_what_moved_into_the_workspace),
        CASE(test_what_git_has),
        CASE(test_forged_index),
        CASE(test_damaged_packs),
        CASE(test_names_of_content),
        CASE(test_changes_are_seen),
        CASE(test_links),
        CASE(test_bounds),
        CASE(test_moved_into_what_was_fetched),
        CASE(test_certificates_are_not_hidden),
    };
    int failed = cage_as_user(run_cages);

    return failed + run_cages() + cmocka_run_group_tests(tests, NULL, NULL);
}
