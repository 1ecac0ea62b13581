/*
 * Transition rows: the exact JSON, with and without what is optional.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/test.h"

static struct sf_transition row(const char *from, const char *to)
{
    struct sf_transition t = { .id = 5,
                               .when = SF_WHEN_AFTER_UNIT,
                               .actor = SF_ACTOR_CONTROLLER,
                               .outcome = SF_OUTCOME_APPLIED,
                               .reason = "pre-dispatch health gate failed",
                               .session = "s1",
                               .time = "2026-05-08T10:00:00Z" };
    struct sf_error err = SF_ERROR_INIT;

    sf_mode_state_init(&t.from, SF_SURFACE_TUI);
    sf_mode_state_init(&t.to, SF_SURFACE_TUI);
    if (!sf_mode_state_parse(&t.from, from, &err) || !sf_mode_state_parse(&t.to, to, &err))
        fail_msg("%s", err.msg);
    return t;
}

static void check(const struct sf_transition *t, const char *want)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer w;
    struct sf_json *json;
    char got[2048];

    sf_jw_init(&w, &sb);
    sf_transition_json(t, &w);
    json = sf_json_parse(sb.buf, sb.len, NULL, &err);
    snprintf(got, sizeof(got), "%s", sb.buf);
    sf_strbuf_release(&sb);
    sf_json_free(json);
    assert_string_equal(err.msg, "");
    assert_string_equal(got, want);
}

static void test_plain(void **state)
{
    struct sf_transition t =
        row("build|autonomous|trusted|smart", "repair|autonomous|normal|smart");

    (void)state;
    check(&t, "{\"timestamp\":\"2026-05-08T10:00:00Z\","
              "\"from\":{\"workMode\":\"build\",\"runControl\":\"autonomous\","
              "\"permissionProfile\":\"trusted\",\"modelMode\":\"smart\"},"
              "\"to\":{\"workMode\":\"repair\",\"runControl\":\"autonomous\","
              "\"permissionProfile\":\"normal\",\"modelMode\":\"smart\"},"
              "\"reason\":\"pre-dispatch health gate failed\",\"scope\":\"after-current-unit\","
              "\"sessionId\":\"s1\",\"actor\":\"controller\",\"id\":5,\"outcome\":\"applied\"}");
}

static void test_everything(void **state)
{
    struct sf_transition t =
        row("build:free|autonomous|normal|smart", "build:test|paused|normal|smart");

    (void)state;
    t.to.trust = true;
    t.actor = SF_ACTOR_USER;
    t.when = SF_WHEN_NOW;
    t.outcome = SF_OUTCOME_REFUSED;
    t.supersedes[0] = 2;
    t.supersedes[1] = 3;
    t.supersedes_count = 2;
    t.superseded_by = 9;
    t.reverts = 1;
    snprintf(t.note, sizeof(t.note), "no \"such\" thing");
    check(&t, "{\"timestamp\":\"2026-05-08T10:00:00Z\","
              "\"from\":{\"workMode\":\"build\",\"runControl\":\"autonomous\","
              "\"permissionProfile\":\"normal\",\"modelMode\":\"smart\",\"scope\":\"free\","
              "\"paused\":false,\"trust\":false},"
              "\"to\":{\"workMode\":\"build\",\"runControl\":\"autonomous\","
              "\"permissionProfile\":\"normal\",\"modelMode\":\"smart\",\"scope\":\"test\","
              "\"paused\":true,\"trust\":true},"
              "\"reason\":\"pre-dispatch health gate failed\",\"scope\":\"now\","
              "\"sessionId\":\"s1\",\"actor\":\"user\",\"id\":5,\"outcome\":\"refused\","
              "\"supersedes\":[2,3],\"supersededBy\":9,\"reverts\":1,"
              "\"note\":\"no \\\"such\\\" thing\"}");
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(sf_when_names[SF_WHEN_NOW], "now");
    assert_string_equal(sf_when_names[SF_WHEN_AFTER_TOOL], "after-current-tool");
    assert_string_equal(sf_when_names[SF_WHEN_AFTER_UNIT], "after-current-unit");
    assert_string_equal(sf_when_names[SF_WHEN_NEXT_MILESTONE], "next-milestone");
    assert_string_equal(sf_when_names[SF_WHEN_FOR_NEXT_UNIT], "for-next-unit");
    assert_null(sf_when_names[SF_WHEN_DEFAULT]);
    assert_string_equal(sf_outcome_names[SF_OUTCOME_CANCELLED], "cancelled");
}

static bool read_back(struct sf_transition *t, const char *text, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text, len, NULL, &err);
    bool ok = json && sf_transition_from_json(t, json, &err);

    sf_json_free(json);
    assert_true(ok || *err.msg);
    return ok;
}

/* What waits comes back as it was; from and to are the caller's. */
static void test_waiting_and_back(void **state)
{
    struct sf_transition t = row("chat|manual|normal|smart", "build|manual|normal|smart"), back;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json_writer w;

    (void)state;
    t.outcome = SF_OUTCOME_PENDING;
    t.when = SF_WHEN_FOR_NEXT_UNIT;
    t.confirmed = true;
    t.reverts = 3;
    sf_change_axis(&t.asked, SF_AXIS_WORK, SF_WORK_BUILD);
    sf_change_axis_roof(&t.asked, SF_AXIS_PROFILE, SF_PROFILE_NORMAL);
    t.change = t.asked;
    t.change.fields &= ~SF_FIELD_BIT(SF_FIELD_PROFILE);
    sf_jw_init(&w, &sb);
    sf_transition_json(&t, &w);
    back = (struct sf_transition){ .from = t.from, .to = t.to };
    assert_true(read_back(&back, sb.buf, sb.len));
    assert_true(back.written && back.confirmed);
    assert_int_equal(back.id, t.id);
    assert_int_equal(back.when, t.when);
    assert_int_equal(back.actor, t.actor);
    assert_int_equal(back.reverts, 3);
    assert_int_equal(back.asked.fields, t.asked.fields);
    assert_int_equal(back.asked.roofs, t.asked.roofs);
    assert_int_equal(back.change.fields, t.change.fields);
    assert_int_equal(back.change.want.work, SF_WORK_BUILD);
    assert_string_equal(back.reason, t.reason);
    /* cut anywhere, or with a byte that is another, it is an error or still makes sense */
    for (size_t i = 0; i < sb.len; i++) {
        char kept = sb.buf[i];

        assert_false(read_back(&back, sb.buf, i));
        sb.buf[i] = (char)(kept ^ 1);
        if (read_back(&back, sb.buf, sb.len))
            assert_true(back.id > 0 && back.change.fields <= SF_FIELDS_ALL &&
                        back.when <= SF_WHEN_FOR_NEXT_UNIT && back.actor <= SF_ACTOR_SCHEDULE);
        sb.buf[i] = kept;
    }
    sf_strbuf_release(&sb);
}

/* A part of the wrong kind is an error, wherever it stands. */
static const struct {
    const char *from, *to; /* a part of the text, and what stands there instead */
} broken[] = {
    { "\"id\":5", "\"id\":0" },
    { "\"id\":5", "\"id\":\"5\"" },
    { "\"scope\":\"now\"", "\"scope\":\"never\"" },
    { "\"actor\":\"user\"", "\"actor\":\"nobody\"" },
    { "\"reason\":\"pre", "\"raison\":\"pre" },
    { "\"sessionId\":\"s1\"", "\"sessionId\":1" },
    { "\"timestamp\":", "\"time\":" },
    { "\"reverts\":3", "\"reverts\":true" },
    { "\"confirmed\":true", "\"confirmed\":1" },
    { "\"asked\":{", "\"asket\":{" },
    { "\"left\":{", "\"right\":{" },
    { "\"waits\":{", "\"wait\":{" },
};

static void swap(struct sf_strbuf *out, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);

    if (!at)
        fail_msg("there is no %s in %s", from, text);
    sf_strbuf_add(out, text, (size_t)(at - text));
    sf_strbuf_adds(out, to);
    sf_strbuf_adds(out, at + strlen(from));
}

static void test_broken(void **state)
{
    struct sf_transition t = row("chat|manual|normal|smart", "build|manual|normal|smart"), back;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json_writer w;

    (void)state;
    t.outcome = SF_OUTCOME_PENDING;
    t.actor = SF_ACTOR_USER;
    t.when = SF_WHEN_NOW;
    t.confirmed = true;
    t.reverts = 3;
    sf_change_axis(&t.asked, SF_AXIS_WORK, SF_WORK_BUILD);
    t.change = t.asked;
    sf_jw_init(&w, &sb);
    sf_transition_json(&t, &w);
    back = (struct sf_transition){ .from = t.from, .to = t.to };
    assert_true(read_back(&back, sb.buf, sb.len));
    for (size_t i = 0; i < SF_COUNT(broken); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;

        swap(&text, sb.buf, broken[i].from, broken[i].to);
        if (read_back(&back, text.buf, text.len))
            fail_msg("%s is taken", broken[i].to);
        sf_strbuf_release(&text);
    }
    sf_strbuf_release(&sb);
}

/* The states of an event that is shown. */
static const struct {
    const char *from, *to;
} unlike[] = {
    { "\"from\":{", "\"form\":{" },
    { "\"workMode\":\"chat\"", "\"workMode\":\"idle\"" },
    { "\"runControl\":\"manual\"", "\"runControl\":1" },
    { "\"scope\":\"implement\"", "\"scope\":7" },
    { "\"scope\":\"implement\"", "\"scope\":\"\"" },
    { "\"paused\":true", "\"paused\":\"yes\"" },
    { "\"trust\":true", "\"trust\":1" },
    { "\"outcome\":\"applied\"", "\"outcome\":\"lost\"" },
    { "\"supersedes\":[2]", "\"supersedes\":[\"2\"]" },
};

static void test_shown_broken(void **state)
{
    struct sf_transition t = row("chat|manual|normal|smart", "build|manual|normal|smart"), back;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json_writer w;

    (void)state;
    sf_mode_state_set_scope(&t.to, "implement");
    t.to.paused = t.to.trust = true;
    t.supersedes[0] = 2;
    t.supersedes_count = 1;
    sf_jw_init(&w, &sb);
    sf_transition_json(&t, &w);
    for (size_t i = 0; i < SF_COUNT(unlike); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_json *json;

        swap(&text, sb.buf, unlike[i].from, unlike[i].to);
        json = sf_json_parse(text.buf, text.len, NULL, &err);
        assert_non_null(json);
        if (sf_transition_shown(&back, json, &err) || !*err.msg)
            fail_msg("%s is taken", unlike[i].to);
        sf_json_free(json);
        sf_strbuf_release(&text);
    }
    sf_strbuf_release(&sb);
}

/* For people: as it is read from an event. */
static void test_shown(void **state)
{
    struct sf_transition t = row("chat|manual|normal|smart", "build|manual|normal|smart"), back;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_json_writer w;
    struct sf_json *json;

    (void)state;
    sf_mode_state_set_scope(&t.to, "implement");
    sf_jw_init(&w, &sb);
    sf_transition_json(&t, &w);
    json = sf_json_parse(sb.buf, sb.len, NULL, &err);
    assert_true(sf_transition_shown(&back, json, &err));
    assert_int_equal(back.from.work, SF_WORK_CHAT);
    assert_int_equal(back.to.work, SF_WORK_BUILD);
    assert_string_equal(back.to.scope, "implement");
    assert_int_equal(back.actor, SF_ACTOR_CONTROLLER);
    assert_int_equal(back.outcome, SF_OUTCOME_APPLIED);
    sf_json_free(json);
    sf_strbuf_release(&sb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_words),        cmocka_unit_test(test_waiting_and_back),
        cmocka_unit_test(test_shown),        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_shown_broken),
    };

    return cmocka_run_group_tests_name("transition", tests, NULL, NULL);
}
