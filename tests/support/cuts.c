/*
 * cuts.c: the places, and the script that cuts there.
 */
#include "support/cuts.h"

#include "support/test.h"

const enum sf_wire_format cut_formats[CUT_FORMATS] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT,
                                                       SF_WIRE_RESPONSES };

const struct cut_answer cut_answers[CUT_ANSWERS] = {
    { "every byte",
      "    text \"ü🌍\"\n    call Write {\"file_path\":\"half.txt\",\"content\":\"1\"}\n", 1 },
    { "every 10th byte",
      "    reasoning delta=20 \"I should look at it from all sides before I begin.\"\n"
      "    text delta=7 \"Grüße, 世界: I will write the file now. ✓\"\n"
      "    call Write delta=16 {\"file_path\":\"half.txt\",\"content\":\"whole\"}\n"
      "    call Read {\"file_path\":\"half.txt\"}\n",
      10 },
    { "every 100th byte",
      "    text delta=40 \"Grüße ${fill:2k} ✓\"\n"
      "    call Write delta=200 {\"file_path\":\"half.txt\",\"content\":\"${fill:8k}\"}\n",
      100 },
};

/* The words by which the service says that the answer is complete. */
static const char *const complete_words[] = {
    [SF_WIRE_ANTHROPIC] = "\"stop_reason\":\"tool_use\"",
    [SF_WIRE_CHAT] = "\"finish_reason\":\"tool_calls\"",
    [SF_WIRE_RESPONSES] = "\"type\":\"response.completed\"",
};

static void measure(struct cut_list *list, const char *bytes, size_t len)
{
    const char *words = complete_words[list->format], *at;

    at = memmem(bytes, len, words, strlen(words));
    if (!at)
        fail_msg("no end in %.2000s", bytes);
    list->total = len;
    list->complete = (size_t)(at - bytes) + strlen(words);
}

/*
 * Behind a cut comes the next one, whose request has to pass the service's checks with what is left
 * of this one; behind each 4th, and wherever the answer may be whole, a reply that is.
 */
static void add(struct cut_list *list, size_t at)
{
    bool followed = at >= list->complete || list->count % 4 == 3;

    list->cuts = sf_grow(list->cuts, &list->cap, list->count + 1, sizeof(*list->cuts));
    list->cuts[list->count++] = (struct cut){ .at = at, .followed = followed };
}

/* What comes behind the end of the answer is long in some formats and says little. */
static size_t step_at(const struct cut_list *list, size_t at)
{
    size_t every = list->answer->every;

    return at > list->complete + 4 && every < 25 ? 25 : every;
}

void cut_list_all(struct cut_list *list, const char *bytes, size_t len)
{
    measure(list, bytes, len);
    for (size_t at = 0; at <= len; at += step_at(list, at))
        add(list, at);
}

static void count_event(void *ctx, const struct sf_stream_event *event)
{
    (void)event;
    ++*(size_t *)ctx;
}

/* How many things the decoder told after each byte. */
static size_t *told_by_byte(enum sf_wire_format format, const char *bytes, size_t len)
{
    size_t *told = sf_alloc_array(len + 1, sizeof(*told)), now = 0;
    struct sf_decoder *decoder = sf_decoder_new(format, count_event, &now);

    for (size_t i = 0; i < len; i++) {
        sf_decoder_feed(decoder, bytes + i, 1);
        told[i + 1] = now;
    }
    sf_decoder_free(decoder);
    return told;
}

void cut_list_some(struct cut_list *list, const char *bytes, size_t len)
{
    size_t *told = told_by_byte(list->format, bytes, len), next = 0;

    measure(list, bytes, len);
    for (size_t at = 0; at <= len; at++) {
        bool distinct = at == len || (at && told[at] != told[at - 1]) || told[at] != told[at + 1];

        if (distinct || at >= next)
            add(list, at);
        if (at >= next)
            next = at + 10 * step_at(list, at);
    }
    free(told);
}

void cut_list_scenario(const struct cut_list *list, struct sf_strbuf *out)
{
    for (size_t i = 0; i < list->count; i++) {
        sf_strbuf_addf(out, "reply\n%s    cut %zu how=%s\n", list->answer->steps, list->cuts[i].at,
                       i % 2 ? "rst" : "close");
        if (list->cuts[i].followed)
            sf_strbuf_adds(out, "reply\n    text \"fine\"\n");
    }
}

void cut_list_name(const struct cut_list *list, size_t cut, struct sf_strbuf *out)
{
    sf_strbuf_reset(out);
    sf_strbuf_addf(out, "%s, %s, byte %zu of %zu (complete at %zu)",
                   sf_wire_format_names[list->format], list->answer->name, list->cuts[cut].at,
                   list->total, list->complete);
}

void cut_list_release(struct cut_list *list)
{
    free(list->cuts);
    list->cuts = NULL;
    list->count = list->cap = 0;
}
