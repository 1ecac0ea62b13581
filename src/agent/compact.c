/*
 * compact.c: builds the text that replaces the history. The user's prompts have priority and are
 * kept verbatim: losing an instruction is worse than losing a result.
 */
#include "agent/compact.h"

#include "agent/log.h"
#include "base/base.h"

/* Upper limits; a small window has less room for everything. */
enum {
    WORDS_EACH = 4000, /* bytes of one prompt */
    WORDS_ALL = 24000, /* bytes of all prompts, newest first */
    FILES_MAX = 100,   /* names of files in a summary */
    FILES_ALL = 12000, /* bytes of all those names together */
    TAIL_COUNT = 12,   /* number of the model's last messages, if it gave no summary */
    TAIL_EACH = 2000,  /* bytes of each of those texts */
    SUMMARY_MAX = 60000,
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static const char question[] =
    "[sf] The conversation is about to outgrow your context. Write a summary from which you could "
    "go on without it; it will replace everything so far. Do not call tools. Cover, in this order: "
    "the goal and what the user asked for and decided; what was done, with file paths and the "
    "reasons; what was found out (facts, commands that work, errors and their causes); what is "
    "being done right now; what is left. Be exact with names, paths and numbers. No preamble.";

void sf_compact_ask(const char *focus, const char *standing, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, question);
    if (*focus)
        sf_strbuf_addf(out, " The user says what matters most: %s", focus);
    if (*standing)
        sf_strbuf_addf(out,
                       "\n\nWhat follows stays in force and is carried over word for word, so do "
                       "not repeat it; what you write must agree with it.\n%s",
                       standing);
}

static const char head[] =
    "[sf] The conversation up to here was replaced by this summary. The whole "
    "of it is in sf's log.\n";
static const char summary_title[] = "\n## Summary\n";
static const char words_title[] = "\n## What the user said";

static bool carries_results(const struct sf_message *m)
{
    return m->count && m->blocks[0].kind == SF_BLOCK_RESULT;
}

size_t sf_compact_keep(const struct sf_history *history, int64_t tokens)
{
    int64_t used = 0;
    size_t keep = 0;

    for (size_t i = history->count; i-- > 1;) {
        const struct sf_message *m = &history->messages[i];
        bool just_said = i == history->count - 1 && m->role == SF_ROLE_USER && !carries_results(m);

        used += (int64_t)sf_message_tokens(m);
        if (used > tokens && !just_said)
            break;
        if (!carries_results(m))
            keep = history->count - i;
    }
    return keep;
}

/* The length of `text`, limited to `max` and cut between characters. */
static size_t clip(const char *text, size_t len, size_t max)
{
    if (len <= max)
        return len;
    while (max && ((unsigned char)text[max] & 0xc0) == 0x80)
        max--;
    return max;
}

static void add_more(struct sf_strbuf *out, size_t more)
{
    if (more)
        sf_strbuf_addf(out, " … (%zu more bytes, which are in sf's log)", more);
    sf_strbuf_addch(out, '\n');
}

/* A model repeats what it has read, so a line like our heading of the prompts is indented. */
static void add_clipped(struct sf_strbuf *out, const char *text, size_t len, size_t max)
{
    size_t n = clip(text, len, max), title = strlen(words_title);

    if (n >= title - 1 && !memcmp(text, words_title + 1, title - 1))
        sf_strbuf_addch(out, ' ');
    for (size_t i = 0; i < n; i++) {
        sf_strbuf_addch(out, text[i]);
        if (n - i >= title && !memcmp(text + i, words_title, title))
            sf_strbuf_addch(out, ' ');
    }
    add_more(out, len - n);
}

/* All lines of an item except the first are indented, which shows where the items end. */
static void add_item(struct sf_strbuf *out, const char *text, size_t len, size_t max)
{
    size_t n = clip(text, len, max);

    sf_strbuf_adds(out, "- ");
    for (size_t i = 0; i < n; i++) {
        sf_strbuf_addch(out, text[i]);
        if (text[i] == '\n')
            sf_strbuf_adds(out, "  ");
    }
    add_more(out, len - n);
}

/* The parts of an earlier summary at the start of the history, which has no other copy of them. */
struct earlier {
    const char *said, *words;
    size_t said_len, words_len;
};

static size_t items_len(const char *text)
{
    size_t len = 0;

    while (!strncmp(text + len, "- ", 2) || !strncmp(text + len, "  ", 2)) {
        size_t line = strcspn(text + len, "\n");

        len += line + (text[len + line] == '\n');
    }
    return len;
}

static void read_earlier(const struct sf_history *h, struct earlier *e)
{
    const struct sf_message *m = h->count ? &h->messages[0] : NULL;
    const char *text, *words;

    *e = (struct earlier){ .said = "", .words = "" };
    if (!m || m->role != SF_ROLE_USER || !m->count || m->blocks[0].kind != SF_BLOCK_TEXT ||
        strncmp(m->blocks[0].text, head, strlen(head)) != 0)
        return;
    text = m->blocks[0].text + strlen(head);
    words = strstr(text, words_title);
    if (!words)
        return;
    e->words = words + strlen(words_title);
    e->words += strcspn(e->words, "\n"); /* summaries of earlier versions say more in the title */
    e->words += *e->words == '\n';
    e->words_len = items_len(e->words);
    if (strncmp(text, summary_title, strlen(summary_title)) != 0)
        return;
    e->said = text + strlen(summary_title);
    e->said_len = (size_t)(words - e->said);
    while (e->said_len && e->said[e->said_len - 1] == '\n')
        e->said_len--;
}

/* Adds as many of the newest earlier items as fit. */
static void add_earlier(const struct earlier *e, size_t room, struct sf_strbuf *out)
{
    size_t from = e->words_len;

    for (size_t i = e->words_len; i-- > 0 && e->words_len - i <= room;)
        if (!strncmp(e->words + i, "- ", 2) && (i == 0 || e->words[i - 1] == '\n'))
            from = i;
    sf_strbuf_add(out, e->words + from, e->words_len - from);
}

/* Whether the user typed the text: not a result, a turn_meta, or a line of sf's own. */
static bool is_words(const struct sf_block *b)
{
    static const char *const own[] = { SF_META_TAG, SF_BRIEFED_TAG, SF_RESTORED_TAG, "<pinned>",
                                       "[sf] " };
    bool words = b->kind == SF_BLOCK_TEXT && b->len;

    for (size_t i = 0; words && i < SF_COUNT(own); i++)
        words = strncmp(b->text, own[i], strlen(own[i])) != 0;
    return words;
}

/* What the user said last is what is being worked on: it gets all the room there is. */
static size_t last_words(const struct sf_history *h, size_t upto)
{
    for (size_t k = upto; k-- > 0;)
        for (size_t i = 0; h->messages[k].role == SF_ROLE_USER && i < h->messages[k].count; i++)
            if (is_words(&h->messages[k].blocks[i]))
                return k;
    return upto;
}

static void add_words(const struct sf_history *h, size_t upto, const struct earlier *earlier,
                      size_t room, struct sf_strbuf *out)
{
    size_t all = least(WORDS_ALL, room), each = least(WORDS_EACH, all / 2);
    size_t from = upto, used = 0, last = last_words(h, upto);

    while (from > 0 && used < all) {
        const struct sf_message *m = &h->messages[--from];

        for (size_t i = 0; m->role == SF_ROLE_USER && i < m->count; i++)
            if (is_words(&m->blocks[i]))
                used += least(m->blocks[i].len, from == last ? all : each);
        if (used > all) {
            from++; /* this one does not fit any more */
            break;
        }
    }
    sf_strbuf_addf(out, "%s\n", words_title);
    add_earlier(earlier, used < all ? all - used : 0, out);
    for (size_t k = from; k < upto; k++) {
        const struct sf_message *m = &h->messages[k];

        for (size_t i = 0; m->role == SF_ROLE_USER && i < m->count; i++) {
            if (is_words(&m->blocks[i]))
                add_item(out, m->blocks[i].text, m->blocks[i].len, k == last ? all : each);
        }
    }
}

/* Adds the file that a call names, if any. */
static void note_file(const struct sf_block *call, struct sf_strlist *files)
{
    static const char *const keys[] = { "file_path", "path", NULL };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *args = sf_json_parse(call->text, call->len, NULL, &ignored);

    for (size_t i = 0; args && keys[i]; i++) {
        const char *path = NULL;

        if (sf_json_opt_str(args, keys[i], NULL, &path, &ignored) && path && *path) {
            struct sf_strbuf line = SF_STRBUF_INIT;

            sf_strbuf_addf(&line, "%s %.300s", call->name, path);
            if (files->count < FILES_MAX && !sf_strlist_has(files, line.buf))
                sf_strlist_add(files, line.buf);
            sf_strbuf_release(&line);
        }
    }
    sf_json_free(args);
}

static void add_files(const struct sf_history *h, size_t upto, size_t room, struct sf_strbuf *out)
{
    struct sf_strlist files = SF_STRLIST_INIT;
    size_t used = 0;

    for (size_t k = upto; k-- > 0;) {
        const struct sf_message *m = &h->messages[k];

        for (size_t i = 0; i < m->count; i++)
            if (m->blocks[i].kind == SF_BLOCK_CALL)
                note_file(&m->blocks[i], &files);
    }
    if (files.count)
        sf_strbuf_adds(out, "\n## Files, last used first\n");
    for (size_t i = 0; i < files.count && used < least(FILES_ALL, room); i++) {
        sf_strbuf_addf(out, "- %s\n", files.items[i]);
        used += strlen(files.items[i]) + 3;
    }
    sf_strlist_release(&files);
}

/* For a summary by rule: the model's last texts, newest last. */
static void add_own_texts(const struct sf_history *h, size_t upto, size_t room,
                          struct sf_strbuf *out)
{
    size_t from = upto > TAIL_COUNT ? upto - TAIL_COUNT : 0;
    size_t each = least(TAIL_EACH, room / TAIL_COUNT);

    sf_strbuf_adds(out, "\n## What you said last\n");
    for (size_t k = from; k < upto; k++) {
        const struct sf_message *m = &h->messages[k];

        for (size_t i = 0; m->role == SF_ROLE_ASSISTANT && i < m->count; i++)
            if (m->blocks[i].kind == SF_BLOCK_TEXT)
                add_clipped(out, m->blocks[i].text, m->blocks[i].len, each);
    }
}

/*
 * Half of the room is for the model's summary, the other half for the user's prompts and the files.
 * In a summary by rule, the model's half is an earlier summary and its last texts since.
 */
void sf_compact_text(const struct sf_compact *c, struct sf_strbuf *out)
{
    size_t upto = c->history->count - c->keep, room = c->room ? c->room : SIZE_MAX;
    struct earlier earlier;

    read_earlier(c->history, &earlier);
    sf_strbuf_adds(out, head);
    if (c->said || earlier.said_len)
        sf_strbuf_adds(out, summary_title);
    if (c->said)
        add_clipped(out, c->said, c->len, least(SUMMARY_MAX, room / 2));
    else if (earlier.said_len)
        add_clipped(out, earlier.said, earlier.said_len, least(SUMMARY_MAX, room / 4));
    add_words(c->history, upto, &earlier, room / 3, out);
    add_files(c->history, upto, room / 6, out);
    if (!c->said)
        add_own_texts(c->history, upto, earlier.said_len ? room / 4 : room / 2, out);
    if (*c->standing)
        sf_strbuf_addf(out, "\n%s", c->standing);
}
