/*
 * test_message.c: what is stored reads back to the same bytes, what sf would not have written is
 * refused, and a history no service would take is found out before one is asked.
 */
#include "base/base.h"
#include "support/stream_log.h"
#include "support/test.h"
#include "wire/wire.h"

#define BYTES(literal) (literal), sizeof(literal) - 1

struct fixture {
    struct sf_history history;
    struct sf_strbuf out;
    struct sf_error err;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    sf_strbuf_init(&f->out);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_history_release(&f->history);
    sf_strbuf_release(&f->out);
    free(f);
    return 0;
}

static void write_message(const struct sf_message *message, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_strbuf_reset(out);
    sf_jw_init(&w, out);
    sf_message_json(message, &w);
    assert_true(sf_jw_done(&w));
}

static bool read_message(struct fixture *f, const char *text)
{
    struct sf_json *json = sf_json_parse(text, strlen(text), NULL, &f->err);
    struct sf_message message = SF_MESSAGE_INIT(SF_ROLE_USER);
    bool ok;

    if (!json)
        fail_msg("%s: %s", text, f->err.msg);
    ok = sf_message_from_json(&message, json, &f->err);
    if (ok)
        sf_history_adopt(&f->history, &message);
    sf_json_free(json);
    return ok;
}

static const char *const stored[] = {
    "{'role':'user','blocks':[]}",
    "{'role':'user','blocks':[{'kind':'text','text':'hi'}]}",
    "{'role':'user','blocks':[{'kind':'text','text':''},{'kind':'text','text':'\\n\\u007f\\u2028é'}]}",
    "{'role':'user','blocks':[{'kind':'image','media':'image/png','data':'aGk='}]}",
    "{'role':'user','blocks':[{'kind':'result','id':'a','name':'Read','error':false,'text':''}]}",
    "{'role':'user','blocks':[{'kind':'result','id':'a','name':'Read','error':true,'text':'no',"
    "'media':'image/svg+xml','data':'aGk='}]}",
    "{'role':'assistant','blocks':[{'kind':'reasoning','format':'chat','text':'hm'}]}",
    "{'role':'assistant','blocks':[{'kind':'reasoning','format':'anthropic','text':'',"
    "'raw':'{\\'type\\':\\'thinking\\',  \\'n\\':1.50}'},"
    "{'kind':'call','id':'a','name':'Read','arguments':'{ \\'p\\' : 1 }'}]}",
    "{'role':'assistant','blocks':[{'kind':'call','id':'a','name':'b','arguments':'not {json'}]}",
};

static void test_stored_form_stays(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(stored); i++) {
        char *text = stream_log_quotes(stored[i]);

        if (!read_message(f, text))
            fail_msg("%s: %s", text, f->err.msg);
        write_message(&f->history.messages[i], &f->out);
        assert_string_equal(f->out.buf, text);
        free(text);
    }
}

static const struct {
    const char *name, *text;
} refused[] = {
    { "no object", "[]" },
    { "no role", "{'blocks':[]}" },
    { "another role", "{'role':'system','blocks':[]}" },
    { "role is no text", "{'role':1,'blocks':[]}" },
    { "no blocks", "{'role':'user'}" },
    { "blocks are no list", "{'role':'user','blocks':{}}" },
    { "members in another order", "{'blocks':[],'role':'user'}" },
    { "a member too many", "{'role':'user','blocks':[],'x':1}" },
    { "a block that is no object", "{'role':'user','blocks':['text']}" },
    { "no kind", "{'role':'user','blocks':[{'text':'a'}]}" },
    { "unknown kind", "{'role':'user','blocks':[{'kind':'video'}]}" },
    { "no text", "{'role':'user','blocks':[{'kind':'text'}]}" },
    { "text is null", "{'role':'user','blocks':[{'kind':'text','text':null}]}" },
    { "a stranger in a block", "{'role':'user','blocks':[{'kind':'text','text':'','id':'a'}]}" },
    { "the user calls", "{'role':'user','blocks':[{'kind':'call','id':'a','name':'b',"
                        "'arguments':'{}'}]}" },
    { "the user reasons", "{'role':'user','blocks':[{'kind':'reasoning','format':'chat',"
                          "'text':''}]}" },
    { "the model answers calls", "{'role':'assistant','blocks':[{'kind':'result','id':'a',"
                                 "'name':'b','error':false,'text':''}]}" },
    { "the model shows images", "{'role':'assistant','blocks':[{'kind':'image',"
                                "'media':'image/png','data':'aGk='}]}" },
    { "a call without id", "{'role':'assistant','blocks':[{'kind':'call','id':'','name':'b',"
                           "'arguments':'{}'}]}" },
    { "a call without name", "{'role':'assistant','blocks':[{'kind':'call','id':'a','name':'',"
                             "'arguments':'{}'}]}" },
    { "arguments that are no text", "{'role':'assistant','blocks':[{'kind':'call','id':'a',"
                                    "'name':'b','arguments':{}}]}" },
    { "a format nobody knows", "{'role':'assistant','blocks':[{'kind':'reasoning',"
                               "'format':'gemini','text':''}]}" },
    { "raw that is no JSON", "{'role':'assistant','blocks':[{'kind':'reasoning',"
                             "'format':'anthropic','text':'','raw':'}{'}]}" },
    { "raw that would break out", "{'role':'assistant','blocks':[{'kind':'reasoning',"
                                  "'format':'anthropic','text':'','raw':'{},{}'}]}" },
    { "raw that is a list", "{'role':'assistant','blocks':[{'kind':'reasoning',"
                            "'format':'anthropic','text':'','raw':'[]'}]}" },
    { "raw that is empty", "{'role':'assistant','blocks':[{'kind':'reasoning',"
                           "'format':'anthropic','text':'','raw':''}]}" },
    { "media without data", "{'role':'user','blocks':[{'kind':'result','id':'a','name':'b',"
                            "'error':false,'text':'','media':'image/png'}]}" },
    { "data without media", "{'role':'user','blocks':[{'kind':'result','id':'a','name':'b',"
                            "'error':false,'text':'','data':'aGk='}]}" },
    { "data that is not base64", "{'role':'user','blocks':[{'kind':'image','media':'image/png',"
                                 "'data':'a,b='}]}" },
    { "data of a wrong length", "{'role':'user','blocks':[{'kind':'image','media':'image/png',"
                                "'data':'aGk'}]}" },
    { "media that is no image", "{'role':'user','blocks':[{'kind':'image','media':'text/html',"
                                "'data':'aGk='}]}" },
    { "media with more in it", "{'role':'user','blocks':[{'kind':'image',"
                               "'media':'image/png;x','data':'aGk='}]}" },
    { "error that is no boolean", "{'role':'user','blocks':[{'kind':'result','id':'a','name':'b',"
                                  "'error':0,'text':''}]}" },
};

static void test_refusals(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        char *text = stream_log_quotes(refused[i].text);

        f->err = (struct sf_error)SF_ERROR_INIT;
        if (read_message(f, text))
            fail_msg("%s: was taken", refused[i].name);
        if (strncmp(f->err.msg, "reading a message: ", 19) != 0)
            fail_msg("%s: says %s", refused[i].name, f->err.msg);
        free(text);
    }
}

static void test_text_is_made_valid(void **state)
{
    struct fixture *f = *state;
    struct sf_message *message = sf_history_add(&f->history, SF_ROLE_USER);
    struct sf_block *block = sf_message_add_text(message, BYTES("a\0b\xff\xc3\xa9\0"));

    assert_string_equal(block->text, "a\xef\xbf\xbd"
                                     "b\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd");
    assert_int_equal(block->len, strlen(block->text));
    block = sf_message_add_text(message, NULL, 0);
    assert_string_equal(block->text, "");
    block = sf_message_add_call(message, "id", "Read", BYTES("{\xff}"));
    assert_string_equal(block->text, "{\xef\xbf\xbd}");
}

static void test_copy_and_adopt(void **state)
{
    struct fixture *f = *state;
    struct sf_message *message = sf_history_add(&f->history, SF_ROLE_USER);
    struct sf_block *block = sf_message_add_result(message, "a", "Read", BYTES("text")), copy;
    struct sf_message moved = SF_MESSAGE_INIT(SF_ROLE_USER);

    block->media = sf_strdup("image/png");
    block->data = sf_strdup("aGk=");
    block->is_error = true;
    sf_block_copy(&copy, block);
    assert_ptr_not_equal(copy.text, block->text);
    sf_message_adopt(&moved, &copy);
    assert_null(copy.text);
    assert_null(copy.data);
    sf_history_adopt(&f->history, &moved);
    assert_int_equal(moved.count, 0);
    assert_null(moved.blocks);
    block = &f->history.messages[1].blocks[0];
    assert_string_equal(block->data, "aGk=");
    assert_true(block->is_error);
    sf_history_truncate(&f->history, 1);
    sf_history_truncate(&f->history, 5);
    assert_int_equal(f->history.count, 1);
}

/* u and a begin a message; t text, i image, r reasoning, 1-3 calls, A-C their results. */
static void build(struct sf_history *history, const char *plan)
{
    struct sf_message *message = NULL;

    for (; *plan; plan++) {
        static const char letters[] = "ABC", numbers[] = "123";
        const char *letter = strchr(letters, *plan);
        char id[] = { *plan, '\0' };

        if (letter)
            id[0] = numbers[letter - letters];
        if (*plan == 'u' || *plan == 'a')
            message = sf_history_add(history, *plan == 'u' ? SF_ROLE_USER : SF_ROLE_ASSISTANT);
        else if (*plan == 't')
            sf_message_add_text(message, BYTES("text"));
        else if (*plan >= '1' && *plan <= '3')
            sf_message_add_call(message, id, "Read", BYTES("{}"));
        else if (*plan >= 'A' && *plan <= 'C')
            sf_message_add_result(message, id, "Read", BYTES("ok"));
        else
            sf_message_add(message, *plan == 'i' ? SF_BLOCK_IMAGE : SF_BLOCK_REASONING);
    }
}

static const struct {
    const char *name, *plan, *says; /* NULL: it is fine */
} plans[] = {
    { "one question", "ut", NULL },
    { "question and answer", "ut at", NULL },
    { "a call with its answer", "ut at1 uA", NULL },
    { "two calls, answered in any order", "ut a12 uBA", NULL },
    { "an answer with a word of the user", "ut a1 uAt", NULL },
    { "the same id in a later message", "ut a1 uA a1 uA at", NULL },
    { "two messages of one side", "ut ut at at ut", NULL },
    { "reasoning and image", "uti art", NULL },
    { "nothing at all", "", "no message" },
    { "the model begins", "at ut", "does not start" },
    { "an empty message", "ut a ut", "message 2 is empty" },
    { "a call without an answer", "ut a1", "message 2 has a call without" },
    { "a call, then other words", "ut a1 ut", "message 2 has a call without" },
    { "one of two is missing", "ut a12 uA", "message 2 has a call without" },
    { "answered too late", "ut a1 ut uA", "message 2 has a call without" },
    { "answered twice", "ut a1 uAA", "message 3 answers a call twice" },
    { "answered without a call", "utA", "message 1 answers a call that was never made" },
    { "answered another", "ut a1 uB", "message 3 answers a call that was never made" },
    { "two calls of one id", "ut a11 uA", "message 2 has two calls with one id" },
    { "the user calls", "u1", "message 1 holds a block of the wrong role" },
    { "the model answers", "ut aA", "message 2 holds a block of the wrong role" },
};

static void test_check(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(plans); i++) {
        char plan[64] = "", *to = plan;
        bool ok;

        for (const char *p = plans[i].plan; *p; p++)
            if (*p != ' ')
                *to++ = *p;
        build(&f->history, plan);
        ok = sf_history_check(&f->history, &f->err);
        if (ok != !plans[i].says || (!ok && !strstr(f->err.msg, plans[i].says)))
            fail_msg("%s: %s", plans[i].name, ok ? "was taken" : f->err.msg);
        sf_history_release(&f->history);
    }
}

static void test_tokens(void **state)
{
    static const struct {
        const char *name, *text;
        size_t low, high;
    } rows[] = {
        { "nothing", "", 1, 16 },
        { "English", "The quick brown fox jumps over the lazy dog, twice.", 12, 40 },
        { "Chinese", "\xe6\x95\x8f\xe6\x8d\xb7\xe7\x9a\x84\xe6\xa3\x95\xe8\x89\xb2", 5, 24 },
        { "faces", "\xf0\x9f\x98\x80\xf0\x9f\x98\x80", 4, 24 },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_message *message = sf_history_add(&f->history, SF_ROLE_USER);
        size_t tokens;

        sf_message_add_text(message, rows[i].text, strlen(rows[i].text));
        tokens = sf_message_tokens(message);
        if (tokens < rows[i].low || tokens > rows[i].high)
            fail_msg("%s: %zu", rows[i].name, tokens);
        sf_message_add(message, SF_BLOCK_IMAGE)->data = sf_strdup("aGk=");
        assert_in_range(sf_message_tokens(message) - tokens, 1600, 1700);
    }
}

static void test_calls_are_counted(void **state)
{
    struct fixture *f = *state;

    build(&f->history, "uta1t2");
    assert_int_equal(sf_message_calls(&f->history.messages[0]), 0);
    assert_int_equal(sf_message_calls(&f->history.messages[1]), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stored_form_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_text_is_made_valid, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy_and_adopt, setup, teardown),
        cmocka_unit_test_setup_teardown(test_check, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tokens, setup, teardown),
        cmocka_unit_test_setup_teardown(test_calls_are_counted, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
