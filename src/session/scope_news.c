/*
 * scope_news.c: what audits of background jobs found, until the model has been told. Nobody waits
 * for a job, so the words go with the next result or message, whichever comes first; a session that
 * is resumed before that has them from the log.
 */
#include "base/base.h"
#include "session/internal.h"

void sf_scope_news_add(struct sf_call *c)
{
    struct sf_strbuf *news = &c->session->news;

    if (c->tool_call && news->len)
        sf_tool_call_add_text(c->tool_call, news->buf, news->len);
    if (c->tool_call)
        sf_strbuf_reset(news);
}

void sf_scope_news_speak(struct sf_session *s, struct sf_message *message)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (s->news.len) {
        sf_strbuf_adds(&text, SF_META_TAG "\n");
        sf_strbuf_add(&text, s->news.buf, s->news.len);
        sf_strbuf_adds(&text, "</turn_meta>");
        sf_message_add_text(message, text.buf, text.len);
    }
    sf_strbuf_reset(&s->news);
    sf_strbuf_release(&text);
}

/* Told again rather than never: whether a result had it is not looked at. */
void sf_scope_news_recall(struct sf_session *s, const char *kind, const char *json, size_t len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *event;
    const char *words;

    if (!strcmp(kind, SF_LOG_USER))
        sf_strbuf_reset(&s->news);
    if (strcmp(kind, SF_LOG_SCOPE_AUDIT) != 0)
        return;
    event = sf_json_parse(json, len, NULL, &ignored);
    if (event && sf_json_get_str(event, "words", &words, &ignored))
        sf_strbuf_adds(&s->news, words);
    sf_json_free(event);
}
