/*
 * Sessions through the program: lists, titles, search, forks, export and import, deleting; and
 * hostile files that want to become sessions.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/test.h"
#include "support/vt.h"

struct stage {
    struct sandbox *w;
    struct model_server *server;
    struct vt *vt;
};

static int setup(void **state)
{
    struct stage *s = sf_alloc(sizeof(*s));
    void *sandbox;

    assert_int_equal(sandbox_setup(&sandbox), 0);
    s->w = sandbox;
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    struct stage *s = *state;
    void *sandbox = s->w;

    vt_close(s->vt);
    model_server_stop(s->server);
    free(s);
    return sandbox_teardown(&sandbox);
}

static void serve(struct stage *s, enum sf_wire_format format, const char *scenario)
{
    model_server_stop(s->server);
    s->server = agent_sandbox_serve(s->w, format, scenario, NULL);
}

/* The first line a command prints; owned. */
static char *line_of(struct stage *s, const char *words)
{
    struct outcome o = sandbox_run(s->w, words);
    char *line;

    if (o.code != 0)
        fail_msg("%s: %d\n%s%s", words, o.code, o.out, o.err);
    line = sf_strndup(o.out, strcspn(o.out, "\n"));
    outcome_release(&o);
    return line;
}

static void expect(struct stage *s, const char *format, const char *id, int code, const char *out,
                   const char *err)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    const char *at = strchr(format, '%');

    sf_strbuf_add(&words, format, at ? (size_t)(at - format) : strlen(format));
    if (at)
        sf_strbuf_addf(&words, "%s%s", id, at + 1);
    sandbox_expect(s->w, words.buf, code, out, err);
    sf_strbuf_release(&words);
}

static char *fork_of(struct stage *s, const char *options, const char *id)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    char *fork;

    sf_strbuf_addf(&words, "fork %s %s", options, id);
    fork = line_of(s, words.buf);
    assert_int_equal(strlen(fork), SF_ID_LEN);
    sf_strbuf_release(&words);
    return fork;
}

static char *latest(struct stage *s)
{
    return line_of(s, "sessions show latest");
}

#define TWO_TURNS                                                                \
    "reply\n    call Write {\"file_path\":\"a.txt\",\"content\":\"1\\n2\\n\"}\n" \
    "reply\n    text \"The zebra is written.\"\n    usage input=10 output=5\n"   \
    "reply\n    text \"Nothing more.\"\n"

static char *two_turns(struct stage *s, const char *more)
{
    struct sf_strbuf script = SF_STRBUF_INIT;

    sf_strbuf_addf(&script, TWO_TURNS "%s", more);
    serve(s, SF_WIRE_ANTHROPIC, script.buf);
    sf_strbuf_release(&script);
    sandbox_expect(s->w, "exec --permission-profile trusted 'write a zebra'", 0, "zebra", NULL);
    sandbox_expect(s->w, "exec -c 'anything else?'", 0, "Nothing more.", NULL);
    return latest(s);
}

static void test_list_and_show(void **state)
{
    struct stage *s = *state;
    char *id;

    sandbox_expect(s->w, "sessions", 0, "There are no sessions of this project yet.", NULL);
    id = two_turns(s, "");
    sandbox_expect(s->w, "sessions", 0, "write a zebra", NULL);
    sandbox_expect(s->w, "sessions list", 0, "2 turns  $0.00", NULL);
    sandbox_expect(s->w, "sessions list --json", 0, "\"turns\":2,\"forks\":0", NULL);
    expect(s, "sessions show %", id, 0, "anything else?", NULL);
    expect(s, "sessions show %", id, 0, "1 file +2 −0", NULL);
    expect(s, "sessions show --json %", id, 0, "\"text\":\"write a zebra\",\"files\":1,\"plus\":2",
           NULL);
    expect(s, "sessions rename % 'A horse with stripes'", id, 0, NULL, NULL);
    sandbox_expect(s->w, "sessions", 0, "A horse with stripes", NULL);
    expect(s, "sessions archive %", id, 0, NULL, NULL);
    sandbox_expect(s->w, "sessions", 0, "There are no sessions", NULL);
    sandbox_expect(s->w, "sessions --all", 0, "archived", NULL);
    sandbox_expect(s->w, "exec -c go", 2, NULL, "there is no session to resume yet");
    expect(s, "sessions archive --undo %", id, 0, NULL, NULL);
    sandbox_expect(s->w, "sessions", 0, "A horse with stripes", NULL);
    sandbox_expect(s->w, "sessions show nobody", 2, NULL, "there is no session nobody");
    free(id);
}

static const struct {
    const char *name, *words;
    int code;
    const char *err;
} refusals[] = {
    { "no title", "sessions rename latest ''", 2, "a title needs words" },
    { "a title of blanks", "sessions rename latest '  \t '", 2, "a title needs words" },
    { "nobody has that id", "sessions show nobody", 2, "`sf sessions` lists them" },
    { "the project is none", "sessions rename project x", 2, "project is not a conversation" },
    { "nothing is said to it", "exec -r project list", 2, "project is not a conversation" },
    { "nor by its first letter", "exec -r p list", 2, "there is no session p" },
};

static void test_refusals(void **state)
{
    struct stage *s = *state;

    sandbox_expect(s->w, "exec list", 0, NULL, NULL);
    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        print_message("%s\n", refusals[i].name);
        sandbox_expect(s->w, refusals[i].words, refusals[i].code, NULL, refusals[i].err);
    }
    sandbox_expect(s->w, "sessions", 0, "  list  ", NULL); /* its title is what it was */
}

/* Of any text a title is made that fits in a list. */
static void test_long_title(void **state)
{
    struct stage *s = *state;
    struct sf_strbuf words = SF_STRBUF_INIT;
    char *title;

    sandbox_expect(s->w, "exec list", 0, NULL, NULL);
    sf_strbuf_adds(&words, "sessions rename latest ' two\nlines\033[31m");
    sf_strbuf_fill(&words, 'x', 5000);
    sf_strbuf_adds(&words, "'");
    sandbox_expect(s->w, words.buf, 0, NULL, NULL);
    title = line_of(s, "log --json --sql 'select title from sessions where provider is not null'");
    assert_non_null(strstr(title, "two lines"));
    assert_null(strchr(title, '\033'));
    assert_true(strlen(title) < 120);
    sf_strbuf_release(&words);
    free(title);
}

static void test_search(void **state)
{
    struct stage *s = *state;
    char *id = two_turns(s, "");

    sandbox_expect(s->w, "sessions search ZEBRA written", 0, "The zebra is written.", NULL);
    sandbox_expect(s->w, "sessions search zeb", 0, "user", NULL);
    sandbox_expect(s->w, "sessions search --json zebra", 0, "\"kind\":\"assistant\"", NULL);
    sandbox_expect(s->w, "sessions search giraffe", 1, NULL, "no matches");
    sandbox_expect(s->w, "sessions search '\"' 'OR' '*' '(' 'NEAR(a b)'", 1, NULL, "no matches");
    sandbox_expect(s->w, "sessions search turn_meta", 1, NULL, "no matches");
    expect(s, "sessions rename % giraffe", id, 0, NULL, NULL);
    sandbox_expect(s->w, "sessions search giraffe", 0, "title", NULL);
    free(id);
}

static void test_fork(void **state)
{
    struct stage *s = *state;
    char *id = two_turns(s, "reply\n    expect-contains \"write a zebra\"\n"
                            "    expect-lacks \"anything else?\"\n    text \"Another way.\"\n"
                            "reply\n    expect-lacks \"write a zebra\"\n    text \"Anew.\"\n"
                            "reply\n    expect-contains \"Nothing more.\"\n    text \"On.\"\n");
    char *fork;

    fork = fork_of(s, "--at 2", id);
    expect(s, "exec --resume % 'something else'", fork, 0, "Another way.", NULL);
    expect(s, "sessions show %", fork, 0, "fork of", NULL);
    expect(s, "sessions show --json %", fork, 0, "\"turns\":1,\"forks\":0,\"tokens_in\":", NULL);
    expect(s, "sessions report --json %", fork, 0, "\"turns\":1", NULL); /* by the same rule */
    expect(s, "log --limit 0 --session %", fork, 0, "write a zebra", NULL);
    expect(s, "sessions show %", id, 0, "anything else?", NULL);
    expect(s, "sessions delete --yes %", id, 1, NULL, "which was forked from it");
    free(fork);
    fork = fork_of(s, "--at 1", id);
    expect(s, "exec --resume % 'from the start'", fork, 0, "Anew.", NULL);
    free(fork);
    fork = fork_of(s, "", id);
    expect(s, "exec --resume % 'go on'", fork, 0, "On.", NULL);
    agent_sandbox_check(s->server, "forks");
    sandbox_expect(s->w, "store check", 0, NULL, NULL);
    sandbox_expect(s->w, "fork", 2, NULL, "fork which session?");
    sandbox_expect(s->w, "fork --last --at 99", 2, NULL, "there is no prompt 99");
    sandbox_expect(s->w, "fork --last --at x", 2, NULL, "is no number of a prompt");
    free(fork);
    free(id);
}

static void test_delete(void **state)
{
    struct stage *s = *state;
    char *id = two_turns(s, "");

    expect(s, "sessions delete %", id, 3, NULL, "no terminal to ask on");
    expect(s, "sessions delete --yes %", id, 0, NULL, NULL);
    sandbox_expect(s->w, "sessions --all", 0, "There are no sessions", NULL);
    sandbox_expect(s->w, "sessions search zebra", 1, NULL, "no matches");
    expect(s, "exec --resume % go", id, 2, NULL, "there is no session");
    sandbox_expect(s->w, "log --limit 0", 0, "session.deleted", NULL);
    sandbox_expect(s->w,
                   "log --sql 'select count(*) from events where session_id in (select id from"
                   " sessions where deleted_at is not null)'",
                   0, "\n0\n", NULL);
    sandbox_expect(s->w, "log --sql 'select sum(input_tokens) > 0 from usage'", 0, "1", NULL);
    sandbox_expect(s->w, "store check", 0, NULL, NULL);
    sandbox_expect(s->w, "restore 1 --yes", 0, "1 removed", NULL);
    free(id);
}

/* ---- elsewhere and back ---- */

static void test_export_and_import(void **state)
{
    struct stage *s = *state;
    char *id = two_turns(s, "reply\n    expect-contains \"The zebra is written.\"\n"
                            "    text \"I remember.\"\n");
    char *copy, *first, *second;

    expect(s, "sessions export %", id, 0, "# write a zebra", NULL);
    expect(s, "sessions export --format html %", id, 0, "Content-Security-Policy", NULL);
    expect(s, "sessions export --format pdf %", id, 2, NULL, "--format cannot be");
    expect(s, "sessions export --json -o out.json %", id, 0, NULL, NULL);
    expect(s, "sessions export --json -o out.json %", id, 2, NULL, "is there already");
    copy = line_of(s, "sessions import out.json");
    assert_int_not_equal(strcmp(copy, id), 0);
    expect(s, "sessions show %", copy, 0, "write a zebra", NULL);
    expect(s, "sessions export --json -o again.json %", copy, 0, NULL, NULL);
    free(line_of(s, "sessions import again.json"));
    sandbox_expect(s->w, "sessions export --json -o third.json latest", 0, NULL, NULL);
    first = agent_sandbox_text(s->w, "again.json");
    second = agent_sandbox_text(s->w, "third.json");
    assert_string_equal(strchr(first, '\n') + 1, strchr(second, '\n') + 1);
    expect(s, "exec --resume % 'do you?'", copy, 0, "I remember.", NULL);
    agent_sandbox_check(s->server, "imported");
    free(first);
    free(second);
    free(copy);
    free(id);
}

#define HEAD "{\"format\":\"sf-session\",\"version\":1,\"session\":{\"title\":\"t\"},\"events\":[\n"
#define EVENT(kind, data)                                                                   \
    "{\"seq\":1,\"time\":\"2026-05-08T10:00:00.000Z\",\"surface\":\"tui\",\"kind\":\"" kind \
    "\",\"data\":" data "}"
#define SAYS(text) \
    "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"text\",\"text\":\"" text "\"}]}}"

/* The name of the file says which format is meant, and a search what it looked for. */
static void test_export_by_name(void **state)
{
    struct stage *s = *state;

    sandbox_expect(s->w, "exec 'search zebra'", 0, NULL, NULL);
    sandbox_expect(s->w, "sessions export latest -o s.html", 0, NULL, NULL);
    sandbox_expect(s->w, "sessions export latest -o s.json", 0, NULL, NULL);
    sandbox_expect(s->w, "sessions export latest --format md -o t.html", 0, NULL, NULL);
    sandbox_expect(s->w, "sessions import s.json", 0, NULL, NULL);
    sandbox_expect(s->w, "sessions import s.html", 1, NULL, "s.html");
    sandbox_expect(s->w, "sessions import t.html", 1, NULL, "t.html");
    sandbox_expect(s->w, "sessions export latest", 0, "{\"pattern\":\"zebra\"", NULL);
}

static void test_hostile_imports(void **state)
{
    static const struct {
        const char *name, *text, *err;
    } cases[] = {
        { "nothing", "", "" },
        { "no JSON", "hello\n", "" },
        { "another document", "{\"a\":1}", "this is not a session of sf" },
        { "a list", "[]", "this is not a session of sf" },
        { "a newer one", "{\"format\":\"sf-session\",\"version\":2,\"session\":{},\"events\":[]}",
          "a newer sf wrote this" },
        { "cut short", HEAD EVENT("user", SAYS("a")) ",\n" EVENT("user", "{"), "" },
        { "no end", HEAD EVENT("user", SAYS("a")) ",\n", "ends in the middle" },
        { "a result without a call",
          HEAD EVENT("result",
                     "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\","
                     "\"id\":\"x\",\"name\":\"LS\",\"error\":false,\"text\":\"\"}]}}") "\n]}\n",
          "it answers no call" },
        { "the wrong role", HEAD EVENT("assistant", SAYS("a")) "\n]}\n", "wrong role" },
        { "a time of its own",
          HEAD "{\"seq\":1,\"time\":\"yesterday\",\"surface\":\"tui\",\"kind\":\"end\",\"data\":{}}"
               "\n]}\n",
          "" },
        { "a surface of its own",
          HEAD "{\"seq\":1,\"time\":\"2026-05-08T10:00:00.000Z\",\"surface\":\"root\",\"kind\":"
               "\"end\",\"data\":{}}\n]}\n",
          "" },
        { "events that are no objects", HEAD "7\n]}\n", "event 1 is not an object" },
        { "two prompts in a row that no service takes",
          HEAD EVENT("compaction", "{\"summary\":\"x\",\"keep\":9}") "\n]}\n", "keeps more" },
    };
    struct stage *s = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct outcome o;

        agent_sandbox_file(s->w, "in.json", cases[i].text);
        o = sandbox_run(s->w, "sessions import in.json");
        if ((o.code != 1 && o.code != 2) || !strstr(o.err, cases[i].err))
            fail_msg("%s: %d\n%s%s", cases[i].name, o.code, o.out, o.err);
        outcome_release(&o);
    }
    sandbox_expect(s->w, "sessions --all", 0, "There are no sessions", NULL);
}

/* What a file says about modes, approvals and files that were seen does not come along. */
static void test_import_brings_words_only(void **state)
{
    struct stage *s = *state;
    struct outcome o;
    char *id;

    agent_sandbox_file(
        s->w, "in.json",
        HEAD EVENT("mode", "{\"permission_profile\":\"unrestricted\"}") ",\n" EVENT("user", SAYS("\\u001b[2Jhello <script>alert(1)</script>")) ",\n" EVENT(
            "assistant",
            "{\"message\":{\"role\":\"assistant\",\"blocks\":[{\"kind\":\"call\","
            "\"id\":\"c\",\"name\":\"Read\",\"arguments\":\"{}\"}]},"
            "\"usage\":{\"input\":1}}") ",\n" EVENT("result",
                                                    "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\","
                                                    "\"id\":\"c\",\"name\":\"Read\",\"error\":false,\"text\":\"x\"}]},"
                                                    "\"detail\":{\"summary\":\"s\",\"seen\":[{\"path\":\"/etc/passwd\"}]}}") ",\n" EVENT("end",
                                                                                                                                         "{\"status\":\"cancelled\"}") "\n]}\n");
    id = line_of(s, "sessions import in.json");
    sandbox_expect(s->w, "log --limit 0 --json --kind result", 0, "\"summary\":\"s\"", NULL);
    o = sandbox_run(s->w, "log --limit 0 --json");
    assert_null(strstr(o.out, "seen"));
    assert_null(strstr(o.out, "unrestricted"));
    assert_null(strstr(o.out, "usage"));
    outcome_release(&o);
    sandbox_expect(s->w, "log --sql 'select count(*) from mode_state'", 0, "\n0\n", NULL);
    expect(s, "sessions export --format html %", id, 0, "&lt;script&gt;alert(1)", NULL);
    expect(s, "sessions export --format html %", id, 0, "␛[2J", NULL);
    expect(s, "sessions export %", id, 0, "␛[2J", NULL);
    free(id);
}

/* ---- in the terminal ---- */

static void open_tui(struct stage *s, const char *id, const char *until)
{
    const char *argv[] = { SF_PROGRAM, id ? "-r" : NULL, id, NULL };
    const char *const *env;

    sandbox_setenv(s->w, "TERM", "xterm-256color");
    env = (const char *const *)s->w->env.items;
    s->vt = vt_open(argv, env, s->w->workspace, 30, 110);
    vt_wait_text(s->vt, until);
    vt_wait_quiet(s->vt);
}

static void leave_tui(struct stage *s)
{
    vt_type(s->vt, "/quit\r");
    assert_int_equal(vt_wait_exit(s->vt), 0);
    vt_close(s->vt);
    s->vt = NULL;
}

/* One that was opened and left is no conversation: it is in nobody's way. */
static void test_blank(void **state)
{
    struct stage *s = *state;
    char *id, *again, *screen;

    sandbox_expect(s->w, "exec list", 0, NULL, NULL);
    id = latest(s);
    open_tui(s, NULL, "chat | manual");
    sandbox_expect(s->w, "mode build", 0, "SF build", NULL); /* of the one that is open */
    vt_wait_text(s->vt, "build | manual");
    vt_type(s->vt, "/sessions\r");
    vt_wait_text(s->vt, "type: titles");
    screen = vt_text(s->vt);
    assert_null(strstr(screen, "nothing said yet"));
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "type: titles");
    leave_tui(s);
    again = latest(s);
    assert_string_equal(again, id);
    sandbox_expect(s->w, "sessions --all", 0, "(nothing said yet)", NULL);
    sandbox_expect(s->w, "exec -c list", 0, NULL, NULL);
    sandbox_expect(s->w, "sessions", 0, "2 turns", NULL); /* it went on with the conversation */
    free(screen);
    free(again);
    free(id);
}

/* The conversation alone: the prompt is in the composer, the next request lacks the turn. */
static void test_backtrack_conversation(void **state)
{
    struct stage *s = *state;
    char *id = two_turns(s, "reply\n    expect-contains \"write a zebra\"\n"
                            "    expect-lacks \"Nothing more.\"\n    text \"Gone another way.\"\n");

    open_tui(s, id, "Nothing more.");
    vt_type(s->vt, "/backtrack\r");
    vt_wait_text(s->vt, "What you said");
    vt_wait_text(s->vt, "1 file");
    vt_type(s->vt, "\r");
    vt_wait_text(s->vt, "What goes back?");
    vt_type(s->vt, "\r");
    vt_wait_no_text(s->vt, "What goes back?");
    vt_wait_no_text(s->vt, "Nothing more.");
    vt_wait_text(s->vt, "anything else?");
    vt_type(s->vt, " Yes\r");
    vt_wait_text(s->vt, "Gone another way.");
    leave_tui(s);
    agent_sandbox_check(s->server, "the conversation");
    sandbox_expect(s->w, "sessions", 0, "fork of", NULL);
    expect(s, "sessions show %", id, 0, "anything else?", NULL);
    free(agent_sandbox_text(s->w, "a.txt"));
    free(id);
}

static void test_backtrack_both(void **state)
{
    struct stage *s = *state;
    char *id = two_turns(s, "reply\n    expect-lacks \"The zebra is written.\"\n"
                            "    text \"From the start.\"\n");
    char *path = test_path(s->w->workspace, "a.txt");

    open_tui(s, id, "Nothing more.");
    vt_type(s->vt, "/backtrack\r");
    vt_wait_text(s->vt, "What you said");
    vt_type(s->vt, "\033[B\r");
    vt_wait_text(s->vt, "What goes back?");
    vt_type(s->vt, "\033[B\033[B\r");
    vt_wait_text(s->vt, "Put files back");
    vt_wait_text(s->vt, "waiting for you"); /* keys typed before are not taken for answers */
    vt_type(s->vt, "y");
    vt_wait_no_text(s->vt, "Nothing more.");
    vt_wait_text(s->vt, "write a zebra");
    assert_int_equal(access(path, F_OK), -1);
    vt_type(s->vt, " again\r");
    vt_wait_text(s->vt, "From the start.");
    leave_tui(s);
    agent_sandbox_check(s->server, "both");
    free(path);
    free(id);
}

static void test_sessions_overlay(void **state)
{
    struct stage *s = *state;
    char *id = two_turns(s, ""), *page;

    open_tui(s, id, "Nothing more.");
    vt_type(s->vt, "/export pdf\r");
    vt_wait_text(s->vt, "there is no format pdf");
    vt_type(s->vt, "/export page.html\r");
    vt_wait_text(s->vt, "page.html");
    vt_wait_text(s->vt, "written to");
    vt_type(s->vt, "/fork at 7\r");
    vt_wait_text(s->vt, "there is no prompt 7");
    vt_type(s->vt, "/fork at 2\r");
    vt_wait_text(s->vt, "› anything else?");
    vt_type(s->vt, "\003");
    vt_wait_text(s->vt, "cleared");
    vt_type(s->vt, "/fork\r");
    vt_wait_text(s->vt, "a fork; how it went on");
    vt_type(s->vt, "/sessions 0\r");
    vt_wait_text(s->vt, "several sessions begin with 0");
    vt_type(s->vt, "/sessions\r");
    vt_wait_text(s->vt, "fork of");
    vt_type(s->vt, "nothing more");
    vt_wait_text(s->vt, "“Nothing more.”");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "Sessions");
    vt_type(s->vt, "a draft\030l"); /* which stays as it is */
    vt_wait_text(s->vt, "Ctrl+G rename");
    vt_type(s->vt, "AR"); /* letters narrow the list, whatever they are */
    vt_wait_text(s->vt, "/ AR");
    vt_type(s->vt, "\025\007");
    vt_wait_text(s->vt, "title = ");
    vt_type(s->vt, "\025Stripes\r");
    vt_wait_text(s->vt, "▸ Stripes");
    vt_type(s->vt, "\004");
    vt_wait_text(s->vt, "you are in this session");
    vt_type(s->vt, "\033[B\004");
    vt_wait_text(s->vt, "archived;");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "Sessions");
    vt_wait_text(s->vt, "› a draft");
    vt_type(s->vt, "\003");
    leave_tui(s);
    sandbox_expect(s->w, "sessions --all", 0, "Stripes", NULL);
    page = agent_sandbox_text(s->w, "page.html");
    assert_non_null(strstr(page, "<!DOCTYPE html>"));
    free(page);
    free(id);
}

/* Lists show the clock of whoever looks; what programs read stays in UTC. */
static void test_local_times(void **state)
{
    struct stage *s = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *id = two_turns(s, ""), here[SF_TIME_MAX];
    struct outcome o = sandbox_run(s->w, "sessions list --json");
    struct sf_json *json = sf_json_parse(o.out, strcspn(o.out, "\n"), NULL, &err);
    const char *updated;
    int64_t ms;

    assert_non_null(json);
    assert_true(sf_json_get_str(json, "updated_at", &updated, &err));
    assert_true(sf_time_parse_rfc3339(updated, strlen(updated), &ms, &err));
    sf_time_format_utc(here, ms + INT64_C(9) * 3600 * 1000);
    here[10] = ' ';
    here[16] = '\0';
    sandbox_setenv(s->w, "TZ", "JST-9");
    sandbox_expect(s->w, "sessions", 0, here, NULL);
    open_tui(s, id, "Nothing more.");
    vt_type(s->vt, "/sessions\r");
    vt_wait_text(s->vt, here);
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "Ctrl+G rename");
    leave_tui(s);
    sf_json_free(json);
    outcome_release(&o);
    free(id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_list_and_show, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_title, setup, teardown),
        cmocka_unit_test_setup_teardown(test_blank, setup, teardown),
        cmocka_unit_test_setup_teardown(test_search, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fork, setup, teardown),
        cmocka_unit_test_setup_teardown(test_delete, setup, teardown),
        cmocka_unit_test_setup_teardown(test_export_and_import, setup, teardown),
        cmocka_unit_test_setup_teardown(test_export_by_name, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hostile_imports, setup, teardown),
        cmocka_unit_test_setup_teardown(test_import_brings_words_only, setup, teardown),
        cmocka_unit_test_setup_teardown(test_backtrack_conversation, setup, teardown),
        cmocka_unit_test_setup_teardown(test_backtrack_both, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sessions_overlay, setup, teardown),
        cmocka_unit_test_setup_teardown(test_local_times, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
