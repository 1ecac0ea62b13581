/*
 * review_what.c: reads what the user wants to have reviewed. The words may come from a script that
 * passes on what others wrote, so only names that git reads as revisions get through.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/review.h"

enum { REVISION_MAX = 250, WORDS_MAX = 200, HASH_MIN = 7 };

static const char usage[] = "as in /review, /review --staged, /review main, /review v1..v2, "
                            "/review HEAD~1, /review pr 12, /review -- src";

void sf_review_what_release(struct sf_review_what *w)
{
    free(w->from);
    free(w->to);
    free(w->focus);
    sf_strlist_release(&w->paths);
    *w = (struct sf_review_what){ .paths = SF_STRLIST_INIT };
}

/* Neither an option nor `REV:PATH`, `:/text` or `^not`, nor anything that is not one word. */
bool sf_review_is_revision(const char *text)
{
    size_t len = strlen(text);

    if (!len || len > REVISION_MAX || *text == '-' || *text == '^' || strstr(text, ".."))
        return false;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f || strchr(":?*[\\\"'`$;&|<>()", *c))
            return false;
    return sf_utf8_valid(text, len, NULL);
}

/* Of any language: what is no ASCII counts as one. */
static bool is_letter(char c)
{
    return (unsigned char)c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * Names of branches, commits and files have digits, slashes, dots; a hash is letters from a to f.
 * A word of prose has none of these, so that a target which does not exist is not taken for one.
 */
bool sf_review_is_prose(const char *word)
{
    static const char ends[] = ",:;.?!", within[] = "'-";
    size_t len = strlen(word), letters;

    while (len && strchr(ends, word[len - 1]))
        len--;
    letters = strspn(word, "abcdef");
    for (size_t i = 0; i < len; i++)
        if (!is_letter(word[i]) && (!i || i + 1 == len || !strchr(within, word[i])))
            return false;
    return len && (letters < len || len < HASH_MIN);
}

/* ---- words ---- */

/* A word may be in quotes, as paths with blanks are. */
static const char *take_word(const char *at, struct sf_strbuf *word)
{
    sf_strbuf_reset(word);
    at += strspn(at, " \t");
    while (*at && *at != ' ' && *at != '\t') {
        const char *end = *at == '\'' || *at == '"' ? strchr(at + 1, *at) : NULL;

        if (end) {
            sf_strbuf_add(word, at + 1, (size_t)(end - at - 1));
            at = end + 1;
        } else {
            sf_strbuf_addch(word, *at++);
        }
    }
    return at;
}

static bool wrong(struct sf_error *err, const char *why, const char *word)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, word, strnlen(word, 80), SF_TEXT_ONE_LINE);
    sf_fail(err, SF_E_ARG, "%s: %s", why, safe.buf);
    sf_strbuf_release(&safe);
    return sf_hint(err, "%s", usage);
}

/* ---- revisions ---- */

/* "a..b" or "a...b"; a side that is left out is HEAD. */
static bool take_range(struct sf_review_what *w, const char *word, struct sf_error *err)
{
    const char *dots = strstr(word, "..");
    bool fork = dots[2] == '.';
    const char *to = dots + (fork ? 3 : 2);

    w->of = fork ? SF_REVIEW_OF_FORK : SF_REVIEW_OF_RANGE;
    w->from = dots > word ? sf_strndup(word, (size_t)(dots - word)) : sf_strdup("HEAD");
    w->to = sf_strdup(*to ? to : "HEAD");
    if (dots == word && !*to)
        return wrong(err, "a range needs a revision", word);
    return (sf_review_is_revision(w->from) && sf_review_is_revision(w->to)) ||
           wrong(err, "no range of revisions", word);
}

/* Dots between names; "../x" and "a/../b" are paths. */
static bool is_range(const char *word)
{
    const char *dots = strstr(word, "..");

    return dots && *word != '/' && strncmp(word, "../", 3) != 0 && strncmp(word, "./", 2) != 0 &&
           !strstr(word, "/../");
}

static bool take_pull(struct sf_review_what *w, const char **words, struct sf_strbuf *word,
                      struct sf_error *err)
{
    const char *digits;
    char *end;

    *words = take_word(*words, word);
    digits = word->buf + (*word->buf == '#');
    errno = 0;
    w->number = strtoll(digits, &end, 10);
    w->of = SF_REVIEW_OF_PULL;
    if (*digits < '0' || *digits > '9' || *end || errno || w->number <= 0)
        return wrong(err, "pr wants the number of a pull request", word->buf);
    return true;
}

/* ---- all of it ---- */

struct option {
    const char *word;
    enum sf_review_of of;
};

static const struct option options[] = {
    { "--staged", SF_REVIEW_OF_STAGED },     { "--cached", SF_REVIEW_OF_STAGED },
    { "staged", SF_REVIEW_OF_STAGED },       { "--uncommitted", SF_REVIEW_OF_CHANGES },
    { "uncommitted", SF_REVIEW_OF_CHANGES },
};

static const char fail_on[] = "--fail-on";

static const struct option *find_option(const char *word)
{
    for (size_t i = 0; i < SF_COUNT(options); i++)
        if (!strcmp(options[i].word, word))
            return &options[i];
    return NULL;
}

/* A mistyped option that passed for a word of the focus would make a gate weaker. */
static bool no_option(const char *word, struct sf_error *err)
{
    struct sf_suggest suggest;

    wrong(err, "no option of /review", word);
    sf_suggest_start(&suggest, word);
    sf_suggest_offer(&suggest, fail_on);
    for (size_t i = 0; i < SF_COUNT(options); i++)
        if (*options[i].word == '-')
            sf_suggest_offer(&suggest, options[i].word);
    return sf_suggest_hint(&suggest, usage, err);
}

/* "--fail-on minor" or "--fail-on=minor". */
static bool is_fail_on(const char *word)
{
    size_t len = strlen(fail_on);

    return !strncmp(word, fail_on, len) && (!word[len] || word[len] == '=');
}

static bool take_severity(struct sf_review_what *w, const char **words, struct sf_strbuf *word,
                          struct sf_error *err)
{
    const char *name = strchr(word->buf, '=');

    if (!name)
        *words = take_word(*words, word);
    if (sf_severity_parse(name ? name + 1 : word->buf, &w->fail_on))
        return true;
    sf_fail(err, SF_E_ARG, "--fail-on takes a severity");
    return sf_hint(err, "critical, major, minor or note");
}

/* The first word that is no option says what is reviewed; those behind it are the focus. */
static bool take_subject(struct sf_review_what *w, const char **words, struct sf_strbuf *word,
                         struct sf_error *err)
{
    const struct option *option = find_option(word->buf);

    if (option) {
        w->of = option->of;
        return true;
    }
    if (!strcmp(word->buf, "pr"))
        return take_pull(w, words, word, err);
    if (*word->buf == '-')
        return no_option(word->buf, err);
    if (is_range(word->buf))
        return take_range(w, word->buf, err);
    w->of = SF_REVIEW_OF_NAME;
    w->from = sf_strdup(word->buf);
    return true;
}

static void take_paths(struct sf_review_what *w, const char *words, struct sf_strbuf *word)
{
    for (words = take_word(words, word); word->len && w->paths.count < WORDS_MAX;
         words = take_word(words, word))
        sf_strlist_add(&w->paths, word->buf);
}

static void take_focus(struct sf_review_what *w, const char *word)
{
    struct sf_strbuf focus = SF_STRBUF_INIT;

    sf_strbuf_addf(&focus, "%s%s%s", w->focus ? w->focus : "", w->focus ? " " : "", word);
    free(w->focus);
    w->focus = sf_strbuf_detach(&focus);
}

static bool take_all(struct sf_review_what *w, const char *words, struct sf_strbuf *word,
                     struct sf_error *err)
{
    bool ok = true, subject = false;

    for (words = take_word(words, word); ok && word->len; words = take_word(words, word)) {
        if (!strcmp(word->buf, "--")) {
            take_paths(w, words, word);
            return w->paths.count || sf_fail(err, SF_E_ARG, "no path follows --");
        }
        if (is_fail_on(word->buf)) {
            ok = take_severity(w, &words, word, err);
        } else if (subject && !strncmp(word->buf, "--", 2)) {
            ok = find_option(word->buf)
                     ? wrong(err, "only one thing is reviewed at a time", word->buf)
                     : no_option(word->buf, err);
        } else if (subject) {
            take_focus(w, word->buf);
        } else {
            ok = take_subject(w, &words, word, err);
            subject = true;
        }
    }
    return ok;
}

bool sf_review_what_parse(struct sf_review_what *w, const char *words, struct sf_error *err)
{
    struct sf_strbuf word = SF_STRBUF_INIT;
    bool ok;

    *w = (struct sf_review_what){ .fail_on = SF_SEVERITY_MAJOR, .paths = SF_STRLIST_INIT };
    ok = take_all(w, words, &word, err);
    sf_strbuf_release(&word);
    if (!ok)
        sf_review_what_release(w);
    return ok;
}
