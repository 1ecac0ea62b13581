/*
 * What is said about a cage, for kernels from the newest to none.
 */
#include <string.h>

#include "cage/cage.h"
#include "support/test.h"

#define ALL \
    "write, truncate, metadata, read, network, sockets, abstract, signals, processes, limits, devices, secrets, git, history"

static const struct {
    const char *name;
    struct sf_kernel kernel;
    bool network, trusted;
    enum sf_cage_need need;
    const char *want;
} rows[] = {
    { "everything",
      { 7, true, true, true, false },
      false,
      false,
      SF_CAGE_NEED_AUTO,
      "landlock 7 + namespaces + seccomp: " ALL },
    { "with the network",
      { 7, true, true, true, false },
      true,
      false,
      SF_CAGE_NEED_AUTO,
      "landlock 7 + namespaces + seccomp: write, truncate, metadata, read, sockets, abstract, "
      "signals, processes, limits, devices, secrets, git, history; open: network" },
    { "trusted",
      { 7, true, true, true, false },
      false,
      true,
      SF_CAGE_NEED_AUTO,
      "landlock 7 + namespaces + seccomp: read, network, sockets, abstract, signals, processes, limits, "
      "devices, secrets, git, history; open: write, truncate, metadata" },
    { "no namespaces",
      { 7, true, false, false, false },
      false,
      false,
      SF_CAGE_NEED_AUTO,
      "landlock 7 + seccomp: write, truncate, read, network, sockets, abstract, signals, "
      "processes, limits, devices, history; open: metadata, secrets, git" },
    { "Debian 12's kernel",
      { 2, true, true, true, false },
      false,
      false,
      SF_CAGE_NEED_AUTO,
      "landlock 2 + namespaces + seccomp: write, truncate, metadata, read, network, sockets, "
      "abstract, processes, limits, secrets, git, history; open: signals, devices" },
    { "the same with the network",
      { 2, true, true, true, false },
      true,
      false,
      SF_CAGE_NEED_AUTO,
      "landlock 2 + namespaces + seccomp: write, truncate, metadata, read, sockets, processes, limits, "
      "secrets, git, history; open: network, abstract, signals, devices" },
    { "the first Landlock",
      { 1, true, false, false, false },
      false,
      false,
      SF_CAGE_NEED_AUTO,
      "landlock 1 + seccomp: write, read, network, sockets, abstract, processes, limits; open: truncate, "
      "metadata, signals, devices, secrets, git, history" },
    { "no Landlock",
      { 0, true, true, true, false },
      false,
      false,
      SF_CAGE_NEED_AUTO,
      "seccomp: network, sockets, abstract, limits; open: write, truncate, metadata, read, "
      "signals, processes, devices, secrets, git, history" },
    { "nothing", { 0, false, false, false, false }, false, false, SF_CAGE_NEED_AUTO, "none" },
    { "off", { 7, true, true, true, false }, false, false, SF_CAGE_NEED_OFF, "none" },
};

static void test_texts(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        const struct sf_cage_plan plan = { .network = rows[i].network,
                                           .trusted = rows[i].trusted,
                                           .need = rows[i].need };
        struct sf_cage_coverage coverage = sf_cage_coverage(&rows[i].kernel, &plan);

        sf_strbuf_reset(&text);
        sf_cage_coverage_add(&text, &coverage);
        if (strcmp(text.buf, rows[i].want) != 0)
            fail_msg("%s:\n%s\n%s", rows[i].name, text.buf, rows[i].want);
    }
    sf_strbuf_release(&text);
}

static const struct {
    struct sf_kernel kernel;
    enum sf_cage_need need;
    const char *want;
} cards[] = {
    { { 7, true, true, true, false },
      SF_CAGE_NEED_AUTO,
      "full (landlock 7 + namespaces + seccomp)" },
    { { 7, true, false, false, false },
      SF_CAGE_NEED_AUTO,
      "fallback landlock (landlock 7 + seccomp); open: metadata, secrets, git" },
    { { 0, true, true, true, false },
      SF_CAGE_NEED_AUTO,
      "fallback filter (seccomp); open: write, truncate, metadata, read, signals, processes, "
      "devices, secrets, git, history" },
    { { 0, false, false, false, false }, SF_CAGE_NEED_AUTO, "none, nothing confines commands" },
    { { 7, true, true, true, false }, SF_CAGE_NEED_OFF, "none, nothing confines commands" },
};

static void test_cards(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cards); i++) {
        const struct sf_cage_plan plan = { .need = cards[i].need };
        struct sf_cage_coverage coverage = sf_cage_coverage(&cards[i].kernel, &plan);
        struct sf_strbuf text = SF_STRBUF_INIT;

        sf_cage_coverage_brief(&text, &coverage);
        assert_string_equal(text.buf, cards[i].want);
        sf_strbuf_release(&text);
    }
}

/* Shown secrets are an open fence, and so are those that were not all looked for. */
static void test_shown_secrets(void **state)
{
    const struct sf_kernel kernel = { 7, true, true, true, false };
    const struct sf_cage_plan shown = { .need = SF_CAGE_NEED_AUTO, .show_secrets = true };
    const struct sf_cage_plan cut = { .need = SF_CAGE_NEED_AUTO, .secrets_cut = true };

    (void)state;
    assert_false(sf_cage_coverage(&kernel, &shown).stands[SF_FENCE_SECRETS]);
    assert_false(sf_cage_coverage(&kernel, &cut).stands[SF_FENCE_SECRETS]);
}

/* Repositories that were not found are an open fence too. */
static void test_repositories_not_found(void **state)
{
    const struct sf_kernel kernel = { 7, true, true, true, false };
    const struct sf_cage_plan plan = { .need = SF_CAGE_NEED_AUTO, .git_cut = true };
    struct sf_cage_coverage coverage = sf_cage_coverage(&kernel, &plan);

    (void)state;
    assert_false(coverage.stands[SF_FENCE_GIT]);
    assert_true(coverage.mounts);
}

/* The trials change the process that makes them: this one must be as it was. */
static void test_looking_changes_nothing(void **state)
{
    const struct sf_kernel *kernel = sf_kernel();
    struct sf_kernel copy = *kernel;

    (void)state;
    assert_ptr_equal(sf_kernel(), kernel);
    assert_memory_equal(&copy, sf_kernel(), sizeof(copy));
    assert_int_equal(sf_kernel_fences(), kernel->landlock > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_cards),
        cmocka_unit_test(test_shown_secrets),
        cmocka_unit_test(test_repositories_not_found),
        cmocka_unit_test(test_looking_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
