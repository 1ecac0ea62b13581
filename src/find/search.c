/*
 * search.c: each thread has a searcher: matcher, buffers, counts. It makes the text of a file's
 * hit on its own and hands it to the common list; when all are done, the list is cut to the page.
 */
#include "find/search.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "find/content.h"
#include "find/excerpt.h"
#include "find/hits.h"
#include "io/io.h"

struct search;

struct searcher {
    struct search *search;
    struct sf_matcher *matcher;
    struct sf_content content;
    struct sf_strbuf out, shown;
    uint64_t searched, files, matches, binary, large, unreadable;
};

struct search {
    const struct sf_search_request *request;
    size_t want_lines, columns_max, file_max, bytes_max;
    struct sf_pattern *pattern;
    struct searcher searchers[SF_WALK_THREADS_MAX];
    unsigned workers;
    struct sf_hits hits;
    atomic_bool cut; /* lines of a file that was kept are missing */
    pthread_mutex_t lock;
    struct sf_error problem; /* under `lock`: of the first path in order */
    char *problem_path;
    uint64_t failed;
};

/* False when the pattern has failed too often to go on. */
static bool note_failure(struct search *s, const struct sf_matcher *matcher, const char *path)
{
    struct sf_error err = SF_ERROR_INIT;
    bool go_on;

    sf_matcher_problem(matcher, path, &err);
    pthread_mutex_lock(&s->lock);
    if (!s->problem_path || strcmp(path, s->problem_path) < 0) {
        free(s->problem_path);
        s->problem_path = sf_strdup(path);
        s->problem = err;
    }
    go_on = ++s->failed < SF_SEARCH_FAILURES_MAX;
    pthread_mutex_unlock(&s->lock);
    return go_on;
}

/* Where to go on behind a match: the next line, or within multiline text the next character. */
static size_t behind(const struct searcher *me, const struct sf_span *span)
{
    const struct sf_content *c = &me->content;
    size_t at = span->to;

    if (!sf_pattern_is_multiline(me->search->pattern))
        return span->line_to + 1;
    if (span->to == span->from)
        for (at++; at < c->text_len && ((unsigned char)c->text[at] & 0xc0) == 0x80;)
            at++;
    return at;
}

/* Counts the matches in the text, and shows them when there is an excerpt. */
static enum sf_match search_text(struct searcher *me, struct sf_excerpt *excerpt, uint64_t *count)
{
    bool once = me->search->request->mode == SF_SEARCH_FILES;
    enum sf_match answer = SF_MATCH_NONE;
    struct sf_span span;

    sf_matcher_start(me->matcher, me->content.text, me->content.text_len);
    for (size_t at = 0; at <= me->content.text_len; at = behind(me, &span)) {
        answer = sf_matcher_next(me->matcher, at, &span);
        if (answer != SF_MATCH_FOUND)
            break;
        ++*count;
        if (once)
            break;
        if (excerpt)
            sf_excerpt_match(excerpt, &span);
    }
    if (excerpt)
        sf_excerpt_finish(excerpt);
    return answer;
}

/* Behind the first NUL byte nothing is shown; but it is said when there is a match. */
static bool search_binary_part(struct searcher *me)
{
    const struct sf_content *c = &me->content;
    struct sf_span span;

    if (c->text_len == c->len)
        return false;
    sf_matcher_start(me->matcher, c->text + c->text_len, c->len - c->text_len);
    return sf_matcher_next(me->matcher, 0, &span) == SF_MATCH_FOUND;
}

static struct sf_excerpt excerpt_for(struct searcher *me)
{
    const struct search *s = me->search;

    return (struct sf_excerpt){ .path = me->shown.buf,
                                .text = me->content.text,
                                .len = me->content.text_len,
                                .before = s->request->before,
                                .after = s->request->after,
                                .columns_max = s->columns_max,
                                .lines_max = s->want_lines + 1,
                                .bytes_max = s->hits.want_bytes,
                                .out = &me->out };
}

static void add_hit(struct searcher *me, const struct sf_walk_entry *entry, size_t lines)
{
    struct sf_hit hit = { .path = sf_strndup(entry->path, entry->len),
                          .text_len = me->out.len,
                          .lines = lines };

    hit.text = sf_strndup(me->out.buf, me->out.len);
    sf_hits_add(&me->search->hits, hit);
}

static void show_path(struct searcher *me, const char *path)
{
    const char *stand = me->search->request->stand;
    struct sf_strbuf from = SF_STRBUF_INIT;

    sf_strbuf_reset(&me->shown);
    if (stand)
        sf_stand_spell(&from, stand, path);
    sf_excerpt_show_path(&me->shown, stand ? from.buf : path);
    sf_strbuf_release(&from);
}

static bool search_content(struct searcher *me, const struct sf_walk_entry *entry)
{
    struct search *s = me->search;
    bool content = s->request->mode == SF_SEARCH_CONTENT;
    bool wanted = !content || sf_hits_wants(&s->hits, 0, entry->path);
    struct sf_excerpt excerpt;
    uint64_t count = 0;
    enum sf_match answer;
    bool binary;

    sf_strbuf_reset(&me->out);
    show_path(me, entry->path);
    excerpt = excerpt_for(me);
    answer = search_text(me, content && wanted ? &excerpt : NULL, &count);
    if (answer == SF_MATCH_FAILED && !note_failure(s, me->matcher, entry->path))
        return false;
    binary = !(count && s->request->mode == SF_SEARCH_FILES) && search_binary_part(me);
    if (!count && !binary)
        return true;
    me->files++;
    me->matches += count + binary;
    if (content && excerpt.full)
        atomic_store(&s->cut, true);
    if (!wanted || (!content && !sf_hits_wants(&s->hits, 0, entry->path)))
        return true;
    if (s->request->mode == SF_SEARCH_COUNT)
        sf_strbuf_addf(&me->out, "%s:%llu\n", me->shown.buf, (unsigned long long)count + binary);
    else if (s->request->mode == SF_SEARCH_FILES)
        sf_strbuf_addf(&me->out, "%s\n", me->shown.buf);
    else if (binary)
        sf_strbuf_addf(&me->out, "%s: binary file matches\n", me->shown.buf);
    add_hit(me, entry, content ? excerpt.lines + binary : 1);
    return true;
}

static bool visit(void *ctx, const struct sf_walk_entry *entry)
{
    struct search *s = ctx;
    struct searcher *me = &s->searchers[entry->worker];

    switch (sf_content_load(&me->content, entry->dir, entry->name, s->file_max)) {
    case SF_CONTENT_TEXT:
        me->searched++;
        return search_content(me, entry);
    case SF_CONTENT_BINARY:
        me->binary++;
        break;
    case SF_CONTENT_LARGE:
        me->large++;
        break;
    case SF_CONTENT_UNREADABLE:
        me->unreadable++;
        break;
    }
    return true;
}

/* The page of the answer that is being put together. */
struct page {
    struct sf_search_result *result;
    size_t skip, take, bytes_max;
};

/* Appends one hit's lines as far as the page goes; false when it is full before their end. */
static bool add_lines(struct page *page, const char *text, size_t len)
{
    struct sf_search_result *r = page->result;
    const char *end = text + len;

    while (text < end) {
        const char *lf = memchr(text, '\n', (size_t)(end - text));
        const char *next = lf ? lf + 1 : end;

        if (page->skip) {
            page->skip--;
        } else if (r->lines == page->take || r->text.len >= page->bytes_max) {
            return false;
        } else {
            sf_strbuf_add(&r->text, text, (size_t)(next - text));
            r->lines++;
        }
        text = next;
    }
    return true;
}

static void make_page(struct search *s, struct sf_search_result *result)
{
    const struct sf_search_request *r = s->request;
    struct page page = { result, r->offset, s->want_lines - r->offset, s->bytes_max };
    bool context = r->mode == SF_SEARCH_CONTENT && (r->before || r->after);
    bool room = true;

    sf_hits_sort(&s->hits);
    for (size_t i = 0; i < s->hits.count && room; i++) {
        if (i && context)
            room = add_lines(&page, "--\n", 3);
        room = room && add_lines(&page, s->hits.items[i].text, s->hits.items[i].text_len);
    }
    result->truncated = !room || s->hits.dropped || atomic_load(&s->cut);
}

static void sum_up(struct search *s, struct sf_search_result *result)
{
    for (unsigned i = 0; i < s->workers; i++) {
        const struct searcher *me = &s->searchers[i];

        result->searched += me->searched;
        result->files += me->files;
        result->matches += me->matches;
        result->binary += me->binary;
        result->large += me->large;
        result->unreadable += me->unreadable;
    }
    result->failed = s->failed;
    result->problem = s->problem;
}

static void start(struct search *s)
{
    for (unsigned i = 0; i < s->workers; i++) {
        struct searcher *me = &s->searchers[i];

        me->search = s;
        me->matcher = sf_matcher_new(s->pattern, s->request->walk.cancel);
        me->content = (struct sf_content)SF_CONTENT_INIT;
        sf_strbuf_init(&me->out);
        sf_strbuf_init(&me->shown);
    }
}

static void finish(struct search *s)
{
    for (unsigned i = 0; i < s->workers; i++) {
        struct searcher *me = &s->searchers[i];

        sf_matcher_free(me->matcher);
        sf_content_release(&me->content);
        sf_strbuf_release(&me->out);
        sf_strbuf_release(&me->shown);
    }
    sf_hits_release(&s->hits);
    pthread_mutex_destroy(&s->lock);
    sf_pattern_free(s->pattern);
    free(s->problem_path);
    free(s);
}

static size_t or_default(size_t value, size_t preset)
{
    return value ? value : preset;
}

static struct search *search_new(const struct sf_search_request *r, struct sf_pattern *pattern)
{
    const size_t endless = SIZE_MAX / 4;
    struct search *s = sf_alloc(sizeof(*s));
    size_t offset = r->offset < endless ? r->offset : endless;

    s->request = r;
    s->pattern = pattern;
    s->want_lines = offset + (r->head_limit && r->head_limit < endless ? r->head_limit : endless);
    s->columns_max = or_default(r->columns_max, SF_SEARCH_COLUMNS);
    s->file_max = or_default(r->file_max, SF_SEARCH_FILE_MAX);
    s->bytes_max = or_default(r->bytes_max, SF_SEARCH_BYTES_MAX);
    s->workers = sf_walk_workers(&r->walk);
    sf_hits_init(&s->hits, s->want_lines, s->bytes_max + (offset ? SF_SEARCH_SKIP_MAX : 0));
    pthread_mutex_init(&s->lock, NULL);
    start(s);
    return s;
}

static bool check(const struct sf_search_request *r, struct sf_error *err)
{
    if (r->before > SF_SEARCH_CONTEXT_MAX || r->after > SF_SEARCH_CONTEXT_MAX)
        return sf_fail(err, SF_E_LIMIT, "more than %d lines of context", SF_SEARCH_CONTEXT_MAX);
    return true;
}

bool sf_search(const struct sf_search_request *request, struct sf_search_result *result,
               struct sf_error *err)
{
    struct sf_pattern *pattern;
    struct search *s;
    bool ok;

    *result = (struct sf_search_result){ .text = SF_STRBUF_INIT };
    pattern = check(request, err) ? sf_pattern_new(request->pattern, strlen(request->pattern),
                                                   &request->options, err)
                                  : NULL;
    if (!pattern)
        return false;
    s = search_new(request, pattern);
    ok = sf_walk(&request->walk, visit, s, &result->tally, err);
    sum_up(s, result);
    if (ok && s->failed && (!result->files || s->failed >= SF_SEARCH_FAILURES_MAX)) {
        *err = s->problem;
        ok = false;
    }
    if (ok)
        make_page(s, result);
    finish(s);
    return ok;
}

void sf_search_release(struct sf_search_result *result)
{
    sf_strbuf_release(&result->text);
    *result = (struct sf_search_result){ .text = SF_STRBUF_INIT };
}
