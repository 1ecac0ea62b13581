/*
 * Slash commands: what they ask for, what they say when they do not understand, which words go
 * to the agent, and hostile lines.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static const char *const infra[] = { "infra/", NULL };
static const struct sf_scope extra[] = { { "deploy", infra, "" } };
static const struct sf_scope_set scopes = { extra, 1, true };

/* What a command asks for in short: "work=build control>=assisted scope=default @now". */
static void describe(const struct sf_mode_command *c, struct sf_strbuf *out)
{
    static const char *const kinds[] = {
        "show", "change", "start", "next", "pause", "stop", "words"
    };

    sf_strbuf_adds(out, kinds[c->kind]);
    if (c->kind == SF_COMMAND_SHOW)
        sf_strbuf_addf(out, " %s%s%s", sf_field_nouns[c->field], c->words ? " " : "",
                       c->words ? c->words : "");
    for (int a = 0; a < SF_AXIS_SETTABLE; a++)
        if (c->change.fields & SF_FIELD_BIT(a))
            sf_strbuf_addf(
                out, " %s%s", c->change.floors & SF_FIELD_BIT(a) ? ">=" : "",
                sf_axis_name((enum sf_axis)a, sf_mode_state_get(&c->change.want, (enum sf_axis)a)));
    if (c->change.fields & SF_FIELD_BIT(SF_FIELD_SCOPE))
        sf_strbuf_addf(out, " :%s", c->change.default_scope ? "" : c->change.want.scope);
    if (c->change.fields & SF_FIELD_BIT(SF_FIELD_PAUSED))
        sf_strbuf_adds(out, c->change.want.paused ? " +paused" : " -paused");
    if (c->change.fields & SF_FIELD_BIT(SF_FIELD_TRUST))
        sf_strbuf_adds(out, c->change.want.trust ? " +trust" : " -trust");
    if (c->when != SF_WHEN_DEFAULT)
        sf_strbuf_addf(out, " @%s", sf_when_names[c->when]);
    if (c->rewritten)
        sf_strbuf_adds(out, " rewritten");
    if (c->kind == SF_COMMAND_WORDS)
        sf_strbuf_addf(out, " <%.*s>", (int)c->words_len, c->words);
}

static const struct {
    const char *text, *want;
} good[] = {
    { "/mode", "show work mode" },
    { "/mode build", "change build" },
    { "  /mode\t build \n", "change build" },
    { "/mode plan", "change plan" },
    { "/mode 1", "change plan manual restricted : -trust" },
    { "/mode agent", "change build assisted normal : -trust" },
    { "/mode 2", "change build assisted normal : -trust" },
    { "/mode normal", "change build assisted normal : -trust rewritten" },
    { "/mode yolo", "change build >=assisted unrestricted :free +trust" },
    { "/mode 3 --autonomous", "change build autonomous unrestricted :free -paused +trust" },
    { "/mode build --autonomous --permission-profile trusted --model-mode deep",
      "change build autonomous trusted deep -paused" },
    { "/mode repair --autonomous --permission-profile normal",
      "change repair autonomous normal -paused" },
    { "/mode research --autonomous --permission-profile restricted --model-mode deep",
      "change research autonomous restricted deep -paused" },
    { "/mode --manual", "change manual" },
    { "/mode --scope=test", "change :test" },
    { "/mode --scope docs build --assisted", "change build assisted :docs" },
    { "/mode agent --scope deploy", "change build assisted normal :deploy -trust" },
    { "/mode --permission-profile trusted 2", "change build assisted trusted : -trust" },
    { "/mode build --control=autonomous", "change build autonomous -paused" },
    { "/control", "show run control" },
    { "/control manual", "change manual" },
    { "/control autonomous", "change autonomous -paused" },
    { "/permission-profile", "show permission profile" },
    { "/permission-profile restricted", "change restricted" },
    { "/model-mode deep", "change deep" },
    { "/scope", "show scope" },
    { "/scope test", "change :test" },
    { "/scope deploy", "change :deploy" },
    { "/autonomous", "start autonomous -paused" },
    { "/next", "next assisted" },
    { "/pause", "pause +paused" },
    { "/stop", "stop manual" },
    { "/trust", "change +trust" },
    { "/trust list", "show trust list" },
    { "/trust add", "show trust add" },
    { "/trust never", "show trust never" },
    { "/trust on", "change +trust" },
    { "/trust off", "change -trust" },
    { "/steer mode repair", "change repair" },
    { "/steer mode review after-current-unit", "change review @after-current-unit" },
    { "/steer mode yolo next-milestone",
      "change build >=assisted unrestricted :free +trust @next-milestone" },
    { "/steer permission-profile restricted now", "change restricted @now" },
    { "/steer model-mode deep for-next-unit", "change deep @for-next-unit" },
    { "/steer control manual after-current-tool", "change manual @after-current-tool" },
    { "/steer scope test", "change :test" },
    { "/steer have a look at the parser first", "words <have a look at the parser first>" },
    { "/steer   two  blanks stay ", "words <two  blanks stay>" },
    { "/steer mode is wrong", "words <mode is wrong>" },
    { "/steer mode review the parser first", "words <mode review the parser first>" },
    { "/steer mode review now and then", "words <mode review now and then>" },
    { "/steer scope creep again", "words <scope creep again>" },
    { "/steer -- mode review now", "words <mode review now>" },
    { "/steer stop", "words <stop>" },
    { "/steer \xc3\xa4\xe6\xbc\xa2", "words <\xc3\xa4\xe6\xbc\xa2>" },
};

/* Nothing is read behind the length that is given. */
static void test_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(good); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_strbuf sb = SF_STRBUF_INIT;
        struct sf_mode_command c;
        size_t len = strlen(good[i].text);
        char *exact = memcpy(sf_alloc(len), good[i].text, len), got[256] = "";

        if (sf_mode_command_parse(exact, len, &scopes, &c, &err))
            describe(&c, &sb);
        snprintf(got, sizeof(got), "%s", sb.buf);
        sf_strbuf_release(&sb);
        free(exact);
        if (strcmp(got, good[i].want) != 0)
            fail_msg("%s: %s %s", good[i].text, got, err.msg);
    }
}

static const struct {
    const char *text;
    enum sf_errc code;
    const char *hint; /* NULL: any; otherwise this */
} bad[] = {
    { "", SF_E_ARG, NULL },
    { "   ", SF_E_ARG, NULL },
    { "mode build", SF_E_ARG, NULL },
    { "/", SF_E_NOENT, NULL },
    { "/ mode", SF_E_NOENT, NULL },
    { "/sf", SF_E_NOENT, "commands stand for themselves: /mode, /control, /steer" },
    { "/sf mode build", SF_E_NOENT, "commands stand for themselves: /mode, /control, /steer" },
    { "/mdoe build", SF_E_NOENT, "did you mean /mode?" },
    { "/Mode build", SF_E_NOENT, "did you mean /mode?" },
    { "/model-mod", SF_E_NOENT, "did you mean /model-mode?" },
    { "/help", SF_E_NOENT, NULL },
    { "/xyzzy", SF_E_NOENT, "" },
    { "/mode biuld", SF_E_ARG, "did you mean build?" },
    { "/mode agnet", SF_E_ARG, "did you mean agent?" },
    { "/mode 4", SF_E_ARG,
      "one of chat, plan, build, review, repair, research, 1 (plan), 2 (agent), 3 (yolo)" },
    { "/mode build review", SF_E_ARG, NULL },
    { "/mode \"build\"", SF_E_ARG, "did you mean build?" },
    { "/mode build --atonomous", SF_E_ARG, "did you mean --autonomous?" },
    { "/mode build --surface web", SF_E_ARG, NULL },
    { "/mode build --autonomous --manual", SF_E_ARG, NULL },
    { "/mode build --control manual --control manual", SF_E_ARG, NULL },
    { "/mode build --autonomous=yes", SF_E_ARG, NULL },
    { "/mode build --scope", SF_E_ARG, NULL },
    { "/mode build --scope=", SF_E_ARG, NULL },
    { "/mode build --scope tset", SF_E_ARG, "did you mean test?" },
    { "/mode build --scope *", SF_E_ARG, NULL },
    { "/mode build --permission-profile truste", SF_E_ARG, "did you mean trusted?" },
    { "/mode build -a", SF_E_ARG, NULL },
    { "/control auto", SF_E_ARG, NULL },
    { "/control manual now", SF_E_ARG, "/control [manual|assisted|autonomous]" },
    { "/permission-profile unrestrictd", SF_E_ARG, "did you mean unrestricted?" },
    { "/model-mode opus", SF_E_ARG, "one of fast, smart, deep" },
    { "/scope everything", SF_E_ARG, NULL },
    { "/scope test docs", SF_E_ARG, NULL },
    { "/autonomous now", SF_E_ARG, NULL },
    { "/pause 5m", SF_E_ARG, NULL },
    { "/stop it", SF_E_ARG, NULL },
    { "/trust maybe", SF_E_ARG, "one of off, on, list, add, remove, never" },
    { "/trust list all", SF_E_ARG, NULL },
    { "/trust on please", SF_E_ARG, NULL },
    { "/steer", SF_E_ARG, NULL },
    { "/steer   ", SF_E_ARG, NULL },
    { "/steer --", SF_E_ARG, NULL },
    { "/steer mode", SF_E_ARG, NULL },
    { "/steer mode reviwe", SF_E_ARG, "did you mean review?" },
    { "/steer mode reviwe now", SF_E_ARG, "did you mean review?" },
    { "/steer mode review nwo", SF_E_ARG, "did you mean now?" },
    { "/steer model-mode deep for-next-unti", SF_E_ARG, "did you mean for-next-unit?" },
    { "/steer scope nowhere", SF_E_ARG, NULL },
    { "/mode \x1b[31mbuild", SF_E_ARG, NULL },
    { "/\x1b]0;evil\x07", SF_E_NOENT, NULL },
    { "/mode\xc2\xa0"
      "build",
      SF_E_NOENT, NULL },
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(bad); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_mode_command c;

        if (sf_mode_command_parse(bad[i].text, strlen(bad[i].text), &scopes, &c, &err))
            fail_msg("%s was taken", bad[i].text);
        if (err.code != bad[i].code || !err.msg[0] ||
            (bad[i].hint && strcmp(err.hint, bad[i].hint) != 0))
            fail_msg("%s: %d, %s, %s", bad[i].text, err.code, err.msg, err.hint);
        for (const char *p = err.msg; *p; p++)
            assert_true((unsigned char)*p >= ' ');
    }
}

/* The rows spell out the values for help; they must be the axes' own. */
static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sf_mode_command_count; i++) {
        const struct sf_mode_command_row *row = &sf_mode_commands[i];
        int axis = sf_axis_by_word(row->name);
        struct sf_strbuf sb = SF_STRBUF_INIT;
        bool same;

        assert_ptr_equal(sf_mode_command_find(row->name), row);
        assert_true(row->help[0] && row->read);
        if (axis <= SF_AXIS_WORK)
            continue;
        for (int v = 0; v < sf_axes[axis].count; v++)
            sf_strbuf_addf(&sb, "%c%s", v ? '|' : '[', sf_axes[axis].names[v]);
        sf_strbuf_addch(&sb, ']');
        same = !strcmp(sb.buf, row->args);
        sf_strbuf_release(&sb);
        assert_true(same);
    }
    assert_null(sf_mode_command_find("sf"));
    assert_null(sf_mode_command_find(""));
}

enum { LONG = SF_COMMAND_TEXT + 1 };

static int big_setup(void **state)
{
    *state = sf_alloc(LONG + 1);
    return 0;
}

static int big_teardown(void **state)
{
    free(*state);
    return 0;
}

static const struct {
    const char *name, *start;
    char filler;
    bool taken;
} floods[] = {
    { "one endless word", "/mode ", 'a', false },
    { "an endless command", "/", 'a', false },
    { "an endless option", "/mode --scope=", 'a', false },
    { "an endless value", "/steer mode ", 'b', false },
    { "endless escapes", "/mode ", '\x1b', false },
    { "endless blanks", "/mode build", ' ', true },
    { "endless line breaks", "/mode", '\n', true },
    { "endless words to the agent", "/steer ", 'a', true },
    { "slashes", "/", '/', false },
    { "dashes", "/mode ", '-', false },
    { "NULs", "/mode build", '\0', false },
};

static void test_floods(void **state)
{
    char *text = *state;

    for (size_t i = 0; i < SF_COUNT(floods); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_mode_command c;
        size_t n = strlen(floods[i].start);

        memset(text, floods[i].filler, LONG);
        memcpy(text, floods[i].start, n);
        if (sf_mode_command_parse(text, LONG - 1, &scopes, &c, &err) != floods[i].taken)
            fail_msg("%s: %s", floods[i].name, err.msg);
        if (sf_mode_command_parse(text, LONG, &scopes, &c, &err) || err.code != SF_E_LIMIT)
            fail_msg("%s: longer than a command may be", floods[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_rows),
        cmocka_unit_test_setup_teardown(test_floods, big_setup, big_teardown),
    };

    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
