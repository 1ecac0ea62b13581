/*
 * Where a history has to be read from: whatever the log is made of (turns, summaries that keep much
 * or little, words that joined a turn, commands of the user's, reasoning that was dropped), reading
 * from there comes to the same history as reading all of it, at the end of every turn.
 */
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "journal/log_start.h"
#include "support/model_wire.h"
#include "support/store_case.h"
#include "support/test.h"

enum { LOGS = 6, TURNS = 40 };

struct fixture {
    char *dir;
    struct sf_store *store;
    struct sf_strbuf json, whole, part;
    struct sf_conversation conversation; /* as it is written */
    char session[SF_ID_LEN + 1];
    uint64_t seed;
    int number;
    int64_t ends[2 * TURNS]; /* numbers of events behind which nothing is half said */
    size_t end_count;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    *f = (struct fixture){ .json = SF_STRBUF_INIT,
                           .whole = SF_STRBUF_INIT,
                           .part = SF_STRBUF_INIT,
                           .conversation = SF_CONVERSATION_INIT };
    f->dir = test_dir_new();
    f->store = test_store_open(f->dir, SF_STORE_WRITE);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_store_close(f->store);
    test_dir_free(f->dir);
    sf_strbuf_release(&f->json);
    sf_strbuf_release(&f->whole);
    sf_strbuf_release(&f->part);
    sf_conversation_release(&f->conversation);
    free(f);
    return 0;
}

/* ---- writing a log ---- */

static size_t pick(struct fixture *f, size_t count)
{
    return (size_t)(model_random(&f->seed) % count);
}

static int64_t append(struct fixture *f, const char *kind)
{
    const struct sf_event_new event = { .session = f->session,
                                        .surface = "tui",
                                        .kind = kind,
                                        .json = f->json.buf,
                                        .len = f->json.len };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    if (!sf_store_append(f->store, &event, &ref, &err) ||
        !sf_conversation_read(&f->conversation, kind, f->json.buf, f->json.len, &err))
        fail_msg("%s: %s; %s", kind, err.msg, f->json.buf);
    sf_strbuf_reset(&f->json);
    return ref.seq;
}

static void user(struct fixture *f)
{
    sf_strbuf_addf(&f->json,
                   "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"text\",\"text\":\"say "
                   "%d\"}]}}",
                   ++f->number);
    append(f, SF_LOG_USER);
}

static void steer(struct fixture *f)
{
    sf_strbuf_addf(&f->json, "{\"text\":\"and %d\"}", ++f->number);
    append(f, SF_LOG_STEER);
}

static void shell(struct fixture *f)
{
    sf_strbuf_adds(&f->json, "{\"id\":\"user-1\",\"command\":\"ls\",\"exit\":0,\"error\":false,"
                             "\"text\":\"a\"}");
    append(f, "shell");
}

/* Every message but the first may be kept, if none of those kept answers a call that is not. */
static int64_t compact(struct fixture *f)
{
    const struct sf_history *h = &f->conversation.history;
    size_t keep = h->count > 1 ? pick(f, h->count - 1) : 0;

    while (keep && h->messages[h->count - keep].blocks[0].kind == SF_BLOCK_RESULT)
        keep--;
    sf_strbuf_addf(&f->json, "{\"summary\":\"so far %d\",\"keep\":%zu}", ++f->number, keep);
    return append(f, SF_LOG_COMPACTION);
}

static int answer(struct fixture *f, size_t calls)
{
    sf_strbuf_adds(&f->json, "{\"message\":{\"role\":\"assistant\",\"blocks\":[");
    if (!pick(f, 4))
        sf_strbuf_adds(&f->json, "{\"kind\":\"reasoning\",\"format\":\"anthropic\",\"text\":\"hm\","
                                 "\"raw\":\"{}\"},");
    sf_strbuf_addf(&f->json, "{\"kind\":\"text\",\"text\":\"answer %d\"}", ++f->number);
    for (size_t i = 0; i < calls; i++)
        sf_strbuf_addf(&f->json,
                       ",{\"kind\":\"call\",\"id\":\"c%d.%zu\",\"name\":\"LS\","
                       "\"arguments\":\"{}\"}",
                       f->number, i);
    sf_strbuf_adds(&f->json, "]}}");
    append(f, SF_LOG_ASSISTANT);
    return f->number;
}

/* Side by side: they come back in another order than they were called in. */
static void results(struct fixture *f, int number, size_t calls)
{
    for (size_t i = calls; i-- > 0;) {
        sf_strbuf_addf(&f->json,
                       "{\"message\":{\"role\":\"user\",\"blocks\":[{\"kind\":\"result\",\"id\":"
                       "\"c%d.%zu\",\"name\":\"LS\",\"error\":false,\"text\":\"a\"}]}}",
                       number, i);
        append(f, SF_LOG_RESULT);
    }
}

static void turn(struct fixture *f)
{
    user(f);
    for (size_t steps = pick(f, 4); steps > 0; steps--) {
        size_t calls = 1 + pick(f, 3);
        int number = answer(f, calls);

        if (!pick(f, 5))
            steer(f);
        results(f, number, calls);
        if (!pick(f, 12))
            compact(f);
        if (!pick(f, 15)) {
            sf_strbuf_adds(&f->json, "{\"what\":\"reasoning\"}");
            append(f, SF_LOG_FORGET);
        }
    }
    answer(f, 0);
    sf_strbuf_adds(&f->json, "{\"status\":\"done\"}");
    f->ends[f->end_count++] = append(f, SF_LOG_END);
    if (!pick(f, 6))
        shell(f);
    if (!pick(f, 8))
        f->ends[f->end_count++] = compact(f);
}

/* ---- reading it ---- */

struct reading {
    struct sf_conversation conversation;
    bool ok;
};

static bool read_event(const struct sf_event_row *event, void *ctx)
{
    struct reading *r = ctx;
    struct sf_error err = SF_ERROR_INIT;

    r->ok = sf_conversation_read(&r->conversation, event->kind, event->json, event->len, &err);
    return r->ok;
}

static void read_from(struct fixture *f, int64_t first, int64_t last, struct sf_strbuf *out)
{
    const struct sf_event_range range = { f->session, first, last };
    struct reading r = { .conversation = SF_CONVERSATION_INIT, .ok = true };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer w;

    sf_strbuf_reset(out);
    assert_true(sf_store_each_in_range(f->store, &range, read_event, &r, &err));
    assert_true(r.ok);
    assert_false(r.conversation.in_turn);
    for (size_t i = 0; i < r.conversation.history.count; i++) {
        sf_jw_init(&w, out);
        sf_message_json(&r.conversation.history.messages[i], &w);
        sf_strbuf_addch(out, '\n');
    }
    sf_conversation_release(&r.conversation);
}

static size_t check_ends(struct fixture *f)
{
    struct sf_error err = SF_ERROR_INIT;
    size_t late = 0;

    for (size_t i = 0; i < f->end_count; i++) {
        int64_t first;

        assert_true(sf_log_start(f->store, f->session, f->ends[i], &first, &err));
        read_from(f, 1, f->ends[i], &f->whole);
        read_from(f, first, f->ends[i], &f->part);
        if (strcmp(f->whole.buf, f->part.buf) != 0)
            fail_msg("up to %d from %d on:\n%s\nall of it:\n%s", (int)f->ends[i], (int)first,
                     f->part.buf, f->whole.buf);
        late += first > 1;
    }
    return late;
}

static void test_same_history(void **state)
{
    struct fixture *f = *state;
    size_t late = 0;

    for (uint64_t log = 1; log <= LOGS; log++) {
        f->seed = log;
        f->number = 0;
        f->end_count = 0;
        sf_conversation_release(&f->conversation);
        test_store_session(f->store, f->session);
        for (int i = 0; i < TURNS; i++)
            turn(f);
        late += check_ends(f);
    }
    assert_true(late > LOGS * TURNS / 4); /* or nothing was saved */
}

static void test_no_summary(void **state)
{
    struct fixture *f = *state;
    struct sf_error err = SF_ERROR_INIT;
    int64_t first = 0;

    test_store_session(f->store, f->session);
    assert_true(sf_log_start(f->store, f->session, 0, &first, &err));
    assert_int_equal(first, 1);
    user(f);
    answer(f, 0);
    assert_true(sf_log_start(f->store, f->session, 2, &first, &err));
    assert_int_equal(first, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_history, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_summary, setup, teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
