/*
 * pins.c: facts the user pinned for the session. They are events, so a resumed session and a fork
 * have them. The model gets the whole list with the next prompt after a change, and with every
 * summary. Earlier messages stay the same to the byte, so that prompt caches stay valid.
 */
#include "base/base.h"
#include "session/internal.h"

static size_t find(const struct sf_session *s, const char *text)
{
    size_t i = 0;

    while (i < s->pins.list.count && strcmp(s->pins.list.items[i], text) != 0)
        i++;
    return i;
}

static void apply(struct sf_session *s, bool on, const char *text)
{
    size_t at = find(s, text);

    if (on && at == s->pins.list.count)
        sf_strlist_add(&s->pins.list, text);
    else if (!on && at < s->pins.list.count)
        sf_strlist_remove(&s->pins.list, at);
    else
        return;
    s->pins.news = true;
}

static bool save(struct sf_session *s, bool on, const char *text, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "text", text);
    sf_jw_object_end(&w);
    ok = sf_session_append(s, on ? SF_LOG_PIN : SF_LOG_UNPIN, &json, err);
    sf_strbuf_release(&json);
    if (ok)
        apply(s, on, text);
    return ok;
}

static bool may_pin(const struct sf_session *s, const struct sf_strbuf *text, struct sf_error *err)
{
    size_t all = text->len;

    for (size_t i = 0; i < s->pins.list.count; i++)
        all += strlen(s->pins.list.items[i]);
    if (!text->len)
        return sf_fail(err, SF_E_ARG, "there is nothing to pin");
    if (text->len > SF_PIN_BYTES)
        sf_fail(err, SF_E_LIMIT, "a pinned fact has at most %d bytes", SF_PIN_BYTES);
    else if (s->pins.list.count >= SF_PINS_MAX || all > SF_PINS_BYTES)
        sf_fail(err, SF_E_LIMIT, "at most %d facts of %d bytes together can be pinned", SF_PINS_MAX,
                SF_PINS_BYTES);
    else if (find(s, text->buf) < s->pins.list.count)
        return sf_fail(err, SF_E_EXIST, "that is pinned already");
    else
        return true;
    return sf_hint(err, "every summary carries them: make it shorter, or /pin drop N");
}

bool sf_session_pin(struct sf_session *s, const char *text, struct sf_error *err)
{
    struct sf_strbuf clean = SF_STRBUF_INIT;
    bool ok;

    if (!sf_session_can(s, err) || !sf_load_all(s, err))
        return false;
    sf_text_sanitize(&clean, text, strlen(text), SF_TEXT_ONE_LINE);
    ok = may_pin(s, &clean, err) && save(s, true, clean.buf, err);
    sf_strbuf_release(&clean);
    return ok;
}

bool sf_session_unpin(struct sf_session *s, size_t index, struct sf_error *err)
{
    char *text;
    bool ok;

    if (!sf_session_can(s, err) || !sf_load_all(s, err))
        return false;
    if (index >= s->pins.list.count) {
        sf_fail(err, SF_E_NOENT, "there is no pinned fact %zu", index + 1);
        return sf_hint(err, "/pin lists them");
    }
    text = sf_strdup(s->pins.list.items[index]);
    ok = save(s, false, text, err);
    free(text);
    return ok;
}

const struct sf_strlist *sf_session_pins(struct sf_session *s, struct sf_error *err)
{
    return sf_load_all(s, err) ? &s->pins.list : NULL;
}

static void recall_change(struct sf_session *s, bool on, const char *json, size_t len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *tree = sf_json_parse(json, len, NULL, &ignored);
    const char *text;

    if (tree && sf_json_get_str(tree, "text", &text, &ignored) && strlen(text) <= SF_PIN_BYTES &&
        (!on || s->pins.list.count < SF_PINS_MAX))
        apply(s, on, text);
    sf_json_free(tree);
}

void sf_pins_recall(struct sf_session *s, const char *kind, const char *json, size_t len)
{
    static const char event[] = "\"" SF_PINS_TAG "\\n";

    if (!strcmp(kind, SF_LOG_PIN) || !strcmp(kind, SF_LOG_UNPIN))
        recall_change(s, !strcmp(kind, SF_LOG_PIN), json, len);
    else if (!strcmp(kind, SF_LOG_COMPACTION) ||
             (!strcmp(kind, SF_LOG_USER) && memmem(json, len, event, sizeof(event) - 1)))
        s->pins.news = false;
}

static void add_list(const struct sf_session *s, struct sf_strbuf *out)
{
    for (size_t i = 0; i < s->pins.list.count; i++)
        sf_strbuf_addf(out, "%zu. %s\n", i + 1, s->pins.list.items[i]);
}

void sf_pins_add(struct sf_session *s, struct sf_message *message)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!s->pins.news)
        return;
    s->pins.news = false;
    sf_strbuf_adds(&text, SF_PINS_TAG "\n");
    sf_strbuf_adds(&text,
                   s->pins.list.count
                       ? "What the user pinned for this session; it replaces earlier lists.\n"
                       : "Nothing is pinned any more.\n");
    add_list(s, &text);
    sf_strbuf_adds(&text, "</pinned>");
    sf_message_add_text(message, text.buf, text.len);
    sf_strbuf_release(&text);
}

void sf_pins_standing(const struct sf_session *s, struct sf_strbuf *out)
{
    if (!s->pins.list.count)
        return;
    sf_strbuf_adds(out, "## Pinned by the user\n");
    add_list(s, out);
    sf_strbuf_addch(out, '\n');
}
