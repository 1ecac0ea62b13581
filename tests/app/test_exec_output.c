/*
 * Commands that write a gigabyte, through the program: the model gets the part it may see, and sf
 * needs no more memory than for a few lines.
 */
#include <stdlib.h>
#include <string.h>

#include "support/agent_sandbox.h"
#include "support/test.h"

enum { ROOM_KIB = 32 * 1024 };

/* The most memory sf had in use while the model's command ran. */
static int64_t run(struct sandbox *w, const char *command)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;
    struct model_server *server;
    struct outcome o;
    int64_t rss;

    sf_strbuf_addf(&scenario,
                   "reply\n    call Bash {\"command\":\"%s\",\"timeout\":600000}\n"
                   "reply\n    text \"fine\"\n",
                   command);
    server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, scenario.buf, NULL);
    o = sandbox_run(w, "exec --permission-profile trusted go");
    if (o.code != 0 || !strstr(o.out, "fine"))
        fail_msg("%s: exit code %d\n%s\n%s", command, o.code, o.out, o.err);
    agent_sandbox_check(server, command);
    rss = o.max_rss_kib;
    outcome_release(&o);
    sf_strbuf_release(&scenario);
    return rss;
}

/* Bytes that are no text need a cell each, which is slow in a sanitized build: fewer of them. */
static const char *const floods[] = {
    "yes 'a line as programs write them' | head -c 1G",
    "head -c 16M /dev/zero",
};

static void test_memory_is_flat(void **state)
{
    struct sandbox *w = *state;
    int64_t little;

    /* what the sanitizer keeps back of freed memory is not what is measured */
    sandbox_setenv(w, "ASAN_OPTIONS", "quarantine_size_mb=1");
    little = run(w, "seq 1000");
    for (size_t i = 0; i < SF_COUNT(floods); i++) {
        int64_t much = run(w, floods[i]);

        print_message("  %s: %lld KiB, %lld KiB for little\n", floods[i], (long long)much,
                      (long long)little);
        if (much > little + ROOM_KIB)
            fail_msg("%s: %lld KiB, and %lld KiB for little output", floods[i], (long long)much,
                     (long long)little);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_memory_is_flat, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
