/*
 * A model that means harm, scripted: too much of everything, and escape sequences everywhere. The
 * run ends in a clear result or a clear error, the session goes on, and no byte that commands a
 * terminal gets out, whatever is shown how.
 */
#include <stdlib.h>

#include "base/base.h"
#include "support/raid.h"
#include "support/test.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

/* ---- too much ---- */

static const struct {
    const char *name;
    const char *tool, *before, *after; /* what stands around the filling; no tool: text */
    size_t megabytes, times;
    bool broken;      /* no answer can be that large: exit code 1 */
    const char *says; /* in the result, or in the error */
} floods[] = {
    { "10 MB of arguments", "Write", "{\"file_path\":\"src/x\",\"content\":\"", "\"}", 10, 1, true,
      "MiB" },
    { "5 MB of arguments", "Write", "{\"file_path\":\"src/x\",\"content\":\"", "\"}", 5, 1, false,
      "smaller steps" },
    { "four times 3 MB", "Read", "{\"offset\":1,\"file_path\":\"", "\"}", 3, 4, false,
      "smaller steps" },
    { "a name of 3 MB", "Read", "{\"file_path\":\"", "\"}", 3, 1, false, "name a file below" },
    { "a command of 3 MB", "Bash", "{\"command\":\"echo ", "\"}", 3, 1, false, "write a script" },
    { "a pattern of 3 MB", "Grep", "{\"pattern\":\"", "\"}", 3, 1, false, "is longer than" },
    { "a prompt of 3 MB", "Agent", "{\"description\":\"x\",\"prompt\":\"",
      "\",\"mode\":\"nowhere\"}", 3, 1, false, "nowhere" },
    { "a plan of 3 MB", "Plan", "{\"items\":[{\"status\":\"pending\",\"content\":\"", "\"}]}", 3, 1,
      false, "noted" },
    { "a note of 3 MB", "Remember", "{\"note\":\"", "\"}", 3, 1, false, "shorter" },
    { "7 MB of text", NULL, "", "", 7, 1, false, "" },
    { "10 MB of text", NULL, "", "", 10, 1, true, "MiB" },
};

/* In pieces that pass the limit of a line; so does nothing that is not meant to. */
static void add_filling(struct sf_strbuf *out, size_t i)
{
    size_t pieces = floods[i].megabytes * 10;

    if (floods[i].tool)
        sf_strbuf_addf(out, "    call %s delta=20 %s", floods[i].tool, floods[i].before);
    else
        sf_strbuf_adds(out, "    text delta=20 \"");
    for (size_t k = 0; k < pieces; k++)
        sf_strbuf_adds(out, "${fill:104857}");
    sf_strbuf_addf(out, "%s\n", floods[i].tool ? floods[i].after : "\"");
}

static void one_flood(struct sandbox *w, size_t i, enum sf_wire_format format)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;
    struct raid r;

    sf_strbuf_addf(&scenario, "reply repeat=%d\n", floods[i].broken ? 2 : 1);
    for (size_t k = 0; k < floods[i].times; k++)
        add_filling(&scenario, i);
    if (!floods[i].broken && floods[i].tool)
        sf_strbuf_adds(&scenario, "reply\n    text \"fine\"\n");
    raid_begin(&r, w, format, floods[i].name, scenario.buf);
    raid_run(&r, RAID_STREAM "--permission-profile trusted go");
    if (r.o.code != (floods[i].broken ? 1 : 0) || !strstr(r.o.out, floods[i].says))
        fail_msg("%s, %s: exit code %d\n%.2000s", floods[i].name, sf_wire_format_names[format],
                 r.o.code, r.o.out + (r.o.out_len > 2000 ? r.o.out_len - 2000 : 0));
    if (floods[i].broken)
        assert_null(strstr(r.o.out, "\"type\":\"tool_use\""));
    else
        raid_results(&r);
    raid_end(&r);
    raid_begin(&r, w, format, floods[i].name, "reply\n    text \"still fine\"\n");
    raid_run(&r, "exec --continue go");
    if (r.o.code != 0)
        fail_msg("%s: exit code %d when it went on\n%s", floods[i].name, r.o.code, r.o.err);
    raid_end(&r);
    sf_strbuf_release(&scenario);
}

static void test_floods(void **state)
{
    for (size_t i = 0; i < SF_COUNT(floods); i++)
        one_flood(*state, i, i % 2 ? SF_WIRE_CHAT : SF_WIRE_ANTHROPIC);
}

/* Of very many calls in one answer the first 64 are run, and all are answered. */
static void test_many_calls(void **state)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;

    sf_strbuf_adds(&scenario, "reply\n    same-ids\n");
    for (int i = 1; i <= 500; i++)
        sf_strbuf_addf(&scenario,
                       "    call Read id=same {\"file_path\":\"src/a.c\",\"limit\":%d}\n", i);
    sf_strbuf_adds(&scenario, "reply\n    text \"fine\"\n");
    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        struct raid r;
        struct tally t;

        raid_begin(&r, *state, formats[f], "500 calls", scenario.buf);
        raid_run(&r, RAID_STREAM "go");
        t = raid_results(&r);
        if (r.o.code != 0 || t.calls != 500 || t.errors != 500 - 64 ||
            !strstr(r.o.out, "at most 64 at a time"))
            fail_msg("exit code %d, %zu calls, %zu refused\n%s", r.o.code, t.calls, t.errors,
                     r.o.err);
        raid_end(&r);
        raid_begin(&r, *state, formats[f], "1000 calls",
                   "reply repeat=2\n    call Read times=1000 {\"file_path\":\"src/a.c\"}\n");
        raid_run(&r, RAID_STREAM "go");
        if (r.o.code != 1 || !strstr(r.o.out, "more than 512 parts") || raid_results(&r).calls)
            fail_msg("exit code %d\n%s", r.o.code, r.o.out);
        raid_end(&r);
    }
    sf_strbuf_release(&scenario);
}

/* ---- the terminal ---- */

static const char escapes[] =
    "reply\n    reasoning \"think " RAID_ESCAPES "\"\n    text \"first " RAID_ESCAPES "\"\n"
    "    call Read {\"file_path\":\"" RAID_ESCAPES "\"}\n"
    "    call Bash {\"command\":\"printf '\\\\033]52;c;QQ==\\\\007\\\\233\\\\377\\\\342\\\\200\\\\256'\"}\n"
    "    call Bash {\"command\":\"echo " RAID_ESCAPES "\",\"description\":\"" RAID_ESCAPES "\"}\n"
    "    call LS {\"path\":\".\"}\n    call Glob {\"pattern\":\"*\"}\n"
    "    call Plan {\"items\":[{\"content\":\"" RAID_ESCAPES "\",\"status\":\"pending\"}]}\n"
    "    call Remember {\"note\":\"" RAID_ESCAPES "\"}\n"
    "    call Agent {\"prompt\":\"" RAID_ESCAPES "\",\"description\":\"" RAID_ESCAPES
    "\",\"mode\":\"" RAID_ESCAPES "\"}\n"
    "    call AskUser {\"question\":\"" RAID_ESCAPES "\"}\n"
    "    call Write {\"file_path\":\"src/" RAID_ESCAPES "\",\"content\":\"" RAID_ESCAPES "\"}\n"
    "    call \x1b[31mRead\xc2\x9b {\"a\":1}\n    call Read id=\x1b]52\x07 {\"" RAID_ESCAPES
    "\":1}\n"
    "reply\n    text delta=1 \"last " RAID_ESCAPES "\"\n";

static const char *const shows[] = {
    "-p go --permission-profile trusted",
    "-p go --permission-profile trusted --verbose",
    "-p go --permission-profile trusted --output-format json",
    "-p go --permission-profile trusted --output-format stream-json",
};

static const char *const evil_errors[] = {
    "reply repeat=2\n    status 500 \"" RAID_ESCAPES
    "\"\n    header request-id \"\\u001b[31m\\u009b\"\n",
    "reply\n    status 400 \"" RAID_ESCAPES "\"\n    header x-request-id \"\\u001b]0;x\\u0007\"\n",
    "reply\n    redirect \"http://127.0.0.1:1/" RAID_ESCAPES "\"\n",
    "reply repeat=2\n    text \"" RAID_ESCAPES "\"\n    error overloaded_error \"" RAID_ESCAPES
    "\"\n",
    "reply repeat=2\n    bytes \"data: " RAID_ESCAPES "\\n\\n\"\n",
    "reply repeat=2\n    html 200\n    content-type \"\\u001b[31m\"\n",
};

static void show(struct sandbox *w, enum sf_wire_format format, const char *scenario,
                 const char *words)
{
    struct raid r;

    raid_begin(&r, w, format, words, scenario);
    raid_run(&r, words);
    if (r.o.code < 0 || !(r.o.out_len + r.o.err_len))
        fail_msg("%s: exit code %d\n%s\n%s", words, r.o.code, r.o.out, r.o.err);
    raid_end(&r);
}

static void test_escapes(void **state)
{
    for (size_t i = 0; i < SF_COUNT(shows); i++) {
        for (size_t f = 0; f < SF_COUNT(formats); f++)
            show(*state, formats[f], escapes, shows[i]);
        for (size_t k = 0; k < SF_COUNT(evil_errors); k++)
            show(*state, formats[k % 3], evil_errors[k], shows[i]);
    }
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, den_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_floods),
        CASE(test_many_calls),
        CASE(test_escapes),
    };

    return cmocka_run_group_tests(tests, NULL, raid_figures);
}
