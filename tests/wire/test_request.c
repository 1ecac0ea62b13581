/*
 * test_request.c: the exact body of one conversation with everything in it, for each service; that a
 * longer conversation begins with the bytes of the shorter; and that what one service said is
 * made fit for another.
 */
#include "base/base.h"
#include "support/test.h"
#include "wire/wire.h"

#define BYTES(literal) (literal), sizeof(literal) - 1
#define MARKER         ",\"cache_control\":{\"type\":\"ephemeral\"}"
#define SCHEMA         "{\"type\":\"object\",\"properties\":{\"file_path\":{\"type\":\"string\"}}}"

struct fixture {
    struct sf_history history;
    struct sf_strbuf body, other;
};

static const struct sf_tool_schema tools[] = {
    { "Read", "Reads a file.", SCHEMA },
    { "Bash", "Runs a \"command\".", "{\"type\":\"object\"}" },
};

static struct sf_wire_request request_of(const struct fixture *f, enum sf_wire_format format)
{
    return (struct sf_wire_request){
        .format = format,
        .model = "m-1",
        .system = "You are sf.\nBe brief.",
        .history = &f->history,
        .tools = tools,
        .tool_count = SF_COUNT(tools),
        .max_output = 8192,
        .cache = format == SF_WIRE_ANTHROPIC,
        .images = true,
        .session = "s-1",
    };
}

static void add_reasoning(struct sf_message *message, enum sf_wire_format format, const char *raw)
{
    struct sf_block *block = sf_message_add(message, SF_BLOCK_REASONING);

    block->format = format;
    block->text = sf_strdup("thinking aloud");
    block->len = strlen(block->text);
    block->raw = raw ? sf_strdup(raw) : NULL;
}

static void add_image(struct sf_block *block)
{
    block->media = sf_strdup("image/png");
    block->data = sf_strdup("iVBORw0KGgo=");
}

static void add_user(struct fixture *f, const char *text)
{
    sf_message_add_text(sf_history_add(&f->history, SF_ROLE_USER), text, strlen(text));
}

static void add_answer(struct fixture *f)
{
    struct sf_message *message = sf_history_add(&f->history, SF_ROLE_ASSISTANT);

    add_reasoning(message, SF_WIRE_ANTHROPIC,
                  "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"c2ln\"}");
    add_reasoning(message, SF_WIRE_ANTHROPIC, "{\"type\":\"redacted_thinking\",\"data\":\"eHg=\"}");
    add_reasoning(message, SF_WIRE_RESPONSES,
                  "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],"
                  "\"encrypted_content\":\"eno=\"}");
    add_reasoning(message, SF_WIRE_CHAT, NULL);
    sf_message_add_text(message, BYTES("I look at both."));
    sf_message_add_call(message, "toolu_1", "Read", BYTES("{ \"file_path\" : \"/a\\tb\" }"));
    sf_message_add_call(message, "functions.Grep:0", "mcp.x/y", BYTES("{\"cut off"));
    sf_message_add_call(message, "call_3", "Bash", BYTES(""));
}

static void add_results(struct fixture *f)
{
    struct sf_message *message = sf_history_add(&f->history, SF_ROLE_USER);

    sf_message_add_text(message, BYTES("and hurry"));
    add_image(sf_message_add_result(message, "toolu_1", "Read", BYTES("1: a \"b\"\n")));
    sf_message_add_result(message, "functions.Grep:0", "mcp.x/y", BYTES(""))->is_error = true;
    sf_message_add_result(message, "call_3", "Bash", BYTES("done"));
}

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    struct sf_message *message;

    sf_strbuf_init(&f->body);
    sf_strbuf_init(&f->other);
    add_user(f, "What is in the picture?\n<turn_meta>x</turn_meta>");
    add_image(sf_message_add(&f->history.messages[0], SF_BLOCK_IMAGE));
    add_answer(f);
    add_results(f);
    message = sf_history_add(&f->history, SF_ROLE_ASSISTANT);
    add_reasoning(message, SF_WIRE_ANTHROPIC, "{\"type\":\"thinking\",\"thinking\":\"cut\"}");
    add_user(f, "go on");
    message = sf_history_add(&f->history, SF_ROLE_ASSISTANT);
    sf_message_add_text(message, BYTES(" \n"));
    sf_message_add_text(message, BYTES("It is a cat. \xe7\x8c\xab"));
    add_user(f, "thanks");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_history_release(&f->history);
    sf_strbuf_release(&f->body);
    sf_strbuf_release(&f->other);
    free(f);
    return 0;
}

static void write_body(const struct sf_wire_request *request, struct sf_strbuf *out)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json;

    sf_strbuf_reset(out);
    sf_wire_request_add(request, out);
    json = sf_json_parse(out->buf, out->len, NULL, &err);
    if (!json)
        fail_msg("%s in %s", err.msg, out->buf);
    sf_json_free(json);
}

static void compare_golden(const char *name, const struct sf_strbuf *body)
{
    char *dir = sf_strdup(SF_SOURCE "/tests/wire/golden"), *path = test_path(dir, name), *want;
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "%s\n", body->buf);
    if (getenv("SF_GOLDEN_UPDATE"))
        test_write(path, line.buf, line.len);
    want = test_read(path, NULL);
    assert_string_equal(line.buf, want);
    sf_strbuf_release(&line);
    free(want);
    free(path);
    free(dir);
}

static void test_golden_bodies(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_history_check(&f->history, &err));
    for (int format = 0; format <= SF_WIRE_RESPONSES; format++) {
        struct sf_wire_request request = request_of(f, (enum sf_wire_format)format);
        char name[64];

        for (int hard = 0; hard < 2; hard++) {
            request.effort = hard ? "high" : NULL;
            request.thinking_budget = hard ? 0 : 4096;
            request.images = !hard;
            request.reasoning_back = hard;
            request.summaries = hard;
            request.cache_mark = hard;
            snprintf(name, sizeof(name), "%s%s.json", sf_wire_format_names[format],
                     hard ? "-effort" : "");
            write_body(&request, &f->body);
            compare_golden(name, &f->body);
        }
    }
}

static void test_paths(void **state)
{
    (void)state;
    assert_string_equal(sf_wire_path(SF_WIRE_ANTHROPIC), "/v1/messages");
    assert_string_equal(sf_wire_path(SF_WIRE_CHAT), "/chat/completions");
    assert_string_equal(sf_wire_path(SF_WIRE_RESPONSES), "/responses");
}

static size_t common(const struct sf_strbuf *a, const struct sf_strbuf *b)
{
    size_t n = 0;

    while (n < a->len && n < b->len && a->buf[n] == b->buf[n])
        n++;
    return n;
}

/* Each conversation against the one that is a message longer. */
static void test_longer_begins_with_shorter(void **state)
{
    struct fixture *f = *state;
    size_t all = f->history.count;

    for (int format = 0; format <= SF_WIRE_RESPONSES; format++) {
        struct sf_wire_request request = request_of(f, (enum sf_wire_format)format);

        request.cache = false;
        for (size_t n = 1; n < all; n++) {
            f->history.count = n;
            write_body(&request, &f->body);
            f->history.count = n + 1;
            write_body(&request, &f->other);
            if (common(&f->body, &f->other) < f->body.len - 2)
                fail_msg("%s, %zu messages: %s", sf_wire_format_names[format], n, f->body.buf);
        }
        f->history.count = all;
    }
}

static size_t find_marker(const struct sf_strbuf *body, size_t which)
{
    const char *at = body->buf;

    for (at = strstr(at, MARKER); at && which; which--)
        at = strstr(at + 1, MARKER);
    return at ? (size_t)(at - body->buf) : SIZE_MAX;
}

static void strip_markers(struct sf_strbuf *body)
{
    size_t at;

    while ((at = find_marker(body, 0)) != SIZE_MAX)
        sf_strbuf_splice(body, at, sizeof(MARKER) - 1, "", 0);
}

static void test_only_markers_move(void **state)
{
    struct fixture *f = *state;
    struct sf_wire_request request = request_of(f, SF_WIRE_ANTHROPIC);

    f->history.count = 5; /* three of the user */
    write_body(&request, &f->body);
    assert_int_not_equal(find_marker(&f->body, 2), SIZE_MAX);
    assert_int_equal(find_marker(&f->body, 3), SIZE_MAX);
    f->history.count = 7;
    write_body(&request, &f->other);
    /* the first is on the system text and stays; the second moves away */
    assert_int_equal(common(&f->body, &f->other), find_marker(&f->body, 1));
    assert_int_equal(find_marker(&f->other, 1),
                     find_marker(&f->body, 2) - (sizeof(MARKER) - 1)); /* the third has stayed */
    strip_markers(&f->body);
    strip_markers(&f->other);
    assert_true(common(&f->body, &f->other) >= f->body.len - 2);
}

static void test_marker_without_system(void **state)
{
    struct fixture *f = *state;
    struct sf_wire_request request = request_of(f, SF_WIRE_ANTHROPIC);

    request.system = "";
    write_body(&request, &f->body);
    assert_non_null(strstr(f->body.buf, "\"input_schema\":{\"type\":\"object\"}" MARKER "}]"));
    assert_null(strstr(f->body.buf, "\"system\""));
    request.tool_count = 0;
    write_body(&request, &f->body);
    assert_null(strstr(f->body.buf, "\"tools\""));
    assert_int_equal(find_marker(&f->body, 2), SIZE_MAX);
}

static void test_thinking_leaves_room(void **state)
{
    static const struct {
        int64_t budget, max_output;
        const char *want; /* NULL: none */
    } rows[] = {
        { 4096, 8192, "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":4096}" },
        { 8192, 8192, "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":4096}" },
        { 8192, 1500, NULL },
        { 1000, 8192, NULL },
        { 0, 8192, NULL },
        { -1, 8192, NULL },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_wire_request request = request_of(f, SF_WIRE_ANTHROPIC);

        request.thinking_budget = rows[i].budget;
        request.max_output = rows[i].max_output;
        write_body(&request, &f->body);
        if (rows[i].want)
            assert_non_null(strstr(f->body.buf, rows[i].want));
        else
            assert_null(strstr(f->body.buf, "\"thinking\":{\"type\""));
    }
}

/* A turn another model began without thinking is finished without. */
static void test_no_thinking_in_a_foreign_turn(void **state)
{
    struct fixture *f = *state;
    struct sf_wire_request request = request_of(f, SF_WIRE_ANTHROPIC);

    request.thinking_budget = 4096;
    f->history.count = 3;
    write_body(&request, &f->body);
    assert_non_null(strstr(f->body.buf, "budget_tokens"));
    f->history.messages[1].blocks[0].format = SF_WIRE_CHAT;
    write_body(&request, &f->body);
    assert_null(strstr(f->body.buf, "budget_tokens"));
    f->history.count = 7;
    write_body(&request, &f->body);
    assert_non_null(strstr(f->body.buf, "budget_tokens"));
}

static void add_call_turn(struct fixture *f, const char *id, const char *name)
{
    sf_message_add_call(sf_history_add(&f->history, SF_ROLE_ASSISTANT), id, name, BYTES("{}"));
    sf_message_add_result(sf_history_add(&f->history, SF_ROLE_USER), id, name, BYTES("ok"));
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;

    for (; (text = strstr(text, word)) != NULL; text++)
        n++;
    return n;
}

static void test_ids_are_made_fit(void **state)
{
    struct fixture *f = *state;
    struct sf_wire_request request = request_of(f, SF_WIRE_ANTHROPIC);
    char *endless = sf_alloc(101);

    memset(endless, 'x', 100);
    sf_history_truncate(&f->history, 1);
    add_call_turn(f, "call_1", "Read");
    add_call_turn(f, "call_1", "Read");
    add_call_turn(f, "sf_4", "Read");
    add_call_turn(f, "a b", "Read");
    add_call_turn(f, endless, endless);
    free(endless);
    write_body(&request, &f->body);
    assert_int_equal(count(f->body.buf, "\"id\":\"call_1\""), 1);
    assert_int_equal(count(f->body.buf, "\"tool_use_id\":\"call_1\""), 1);
    assert_int_equal(count(f->body.buf, "\"sf_2\""), 2);
    assert_int_equal(count(f->body.buf, "\"sf_4\""), 2);
    assert_int_equal(count(f->body.buf, "\"sf_4_1\""), 2);
    assert_int_equal(count(f->body.buf, "\"sf_5\""), 2);
    assert_int_equal(count(f->body.buf, "xxxxxxxx"), 64 - 7);
}

static void test_arguments_are_sent_as_they_came(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        { "{\"b\":1, \"a\":1.10}", "{\"b\":1, \"a\":1.10}" },
        { "", "{}" },
        { "null", "{}" },
        { "[1]", "{}" },
        { "\"x\"", "{}" },
        { "{\"a\":1}}", "{}" },
        { "{\"a\":1,\"a\":2}", "{}" },
        { "{\"a\":1},\"role\":\"system\"", "{}" },
    };
    struct fixture *f = *state;
    struct sf_wire_request request = request_of(f, SF_WIRE_ANTHROPIC);

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_strbuf want = SF_STRBUF_INIT;

        sf_history_truncate(&f->history, 1);
        sf_message_add_call(sf_history_add(&f->history, SF_ROLE_ASSISTANT), "a", "Read",
                            rows[i].text, strlen(rows[i].text));
        sf_message_add_result(sf_history_add(&f->history, SF_ROLE_USER), "a", "Read", BYTES("ok"));
        write_body(&request, &f->body);
        sf_strbuf_addf(&want, "\"input\":%s}", rows[i].want);
        if (!strstr(f->body.buf, want.buf))
            fail_msg("%s: %s", rows[i].text, f->body.buf);
        sf_strbuf_release(&want);
    }
}

static void test_same_bytes_after_storing(void **state)
{
    struct fixture *f = *state;
    struct sf_history again = SF_HISTORY_INIT;
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < f->history.count; i++) {
        struct sf_message message;
        struct sf_json_writer w;
        struct sf_json *json;

        sf_strbuf_reset(&f->body);
        sf_jw_init(&w, &f->body);
        sf_message_json(&f->history.messages[i], &w);
        json = sf_json_parse(f->body.buf, f->body.len, NULL, &err);
        assert_non_null(json);
        if (!sf_message_from_json(&message, json, &err))
            fail_msg("%s", err.msg);
        sf_history_adopt(&again, &message);
        sf_json_free(json);
    }
    for (int format = 0; format <= SF_WIRE_RESPONSES; format++) {
        struct sf_wire_request request = request_of(f, (enum sf_wire_format)format);

        write_body(&request, &f->body);
        request.history = &again;
        write_body(&request, &f->other);
        assert_string_equal(f->body.buf, f->other.buf);
    }
    sf_history_release(&again);
}

/* Each service has its own place for the schema, and none without one. */
static void test_schema(void **state)
{
    static const struct {
        enum sf_wire_format format;
        const char *effort, *has;
    } rows[] = {
        { SF_WIRE_ANTHROPIC, NULL,
          "\"output_config\":{\"format\":{\"type\":\"json_schema\",\"schema\":" SCHEMA "}}" },
        { SF_WIRE_ANTHROPIC, "low",
          "\"output_config\":{\"effort\":\"low\",\"format\":{\"type\":\"json_schema\",\"schema\":" SCHEMA
          "}}" },
        { SF_WIRE_CHAT, NULL,
          "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"answer\","
          "\"schema\":" SCHEMA ",\"strict\":true}}" },
        { SF_WIRE_RESPONSES, NULL,
          "\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"answer\",\"schema\":" SCHEMA
          ",\"strict\":true}}" },
    };
    struct fixture f = { .history = SF_HISTORY_INIT };

    (void)state;
    sf_strbuf_init(&f.body);
    add_user(&f, "go");
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_wire_request request = request_of(&f, rows[i].format);

        request.effort = rows[i].effort;
        sf_strbuf_reset(&f.body);
        sf_wire_request_add(&request, &f.body);
        assert_null(strstr(f.body.buf, "json_schema"));
        request.schema = SCHEMA;
        sf_strbuf_reset(&f.body);
        sf_wire_request_add(&request, &f.body);
        if (!strstr(f.body.buf, rows[i].has))
            fail_msg("%s: %s", sf_wire_format_names[rows[i].format], f.body.buf);
    }
    sf_strbuf_release(&f.body);
    sf_history_release(&f.history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_golden_bodies, setup, teardown),
        cmocka_unit_test(test_paths),
        cmocka_unit_test_setup_teardown(test_longer_begins_with_shorter, setup, teardown),
        cmocka_unit_test_setup_teardown(test_only_markers_move, setup, teardown),
        cmocka_unit_test_setup_teardown(test_marker_without_system, setup, teardown),
        cmocka_unit_test_setup_teardown(test_thinking_leaves_room, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_thinking_in_a_foreign_turn, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ids_are_made_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(test_arguments_are_sent_as_they_came, setup, teardown),
        cmocka_unit_test_setup_teardown(test_same_bytes_after_storing, setup, teardown),
        cmocka_unit_test(test_schema),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
