/*
 * compose.c: the words of the scripts are rows of a table; those with a colon take the rest as
 * their argument.
 */
#include "support/compose.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"

static const struct {
    const char *name;
    enum sf_compose act;
} acts[] = {
    { "left", SF_COMPOSE_LEFT },
    { "right", SF_COMPOSE_RIGHT },
    { "up", SF_COMPOSE_UP },
    { "down", SF_COMPOSE_DOWN },
    { "word-left", SF_COMPOSE_WORD_LEFT },
    { "word-right", SF_COMPOSE_WORD_RIGHT },
    { "home", SF_COMPOSE_HOME },
    { "end", SF_COMPOSE_END },
    { "first", SF_COMPOSE_FIRST },
    { "last", SF_COMPOSE_LAST },
    { "newline", SF_COMPOSE_NEWLINE },
    { "backspace", SF_COMPOSE_BACKSPACE },
    { "delete", SF_COMPOSE_DELETE },
    { "kill-word", SF_COMPOSE_KILL_WORD },
    { "kill-word-back", SF_COMPOSE_KILL_WORD_BACK },
    { "kill-word-forward", SF_COMPOSE_KILL_WORD_FORWARD },
    { "kill-line", SF_COMPOSE_KILL_LINE },
    { "kill-start", SF_COMPOSE_KILL_START },
    { "yank", SF_COMPOSE_YANK },
    { "yank-pop", SF_COMPOSE_YANK_POP },
    { "transpose", SF_COMPOSE_TRANSPOSE },
    { "undo", SF_COMPOSE_UNDO },
    { "redo", SF_COMPOSE_REDO },
};

static bool do_escape(struct sf_composer *c, const char *arg)
{
    (void)arg;
    return sf_composer_vim_escape(c);
}

static bool do_redo_key(struct sf_composer *c, const char *arg)
{
    (void)arg;
    return sf_composer_vim_key(c, 'r', 4);
}

static bool do_clear(struct sf_composer *c, const char *arg)
{
    (void)arg;
    sf_composer_clear(c);
    return true;
}

static bool do_unfold(struct sf_composer *c, const char *arg)
{
    (void)arg;
    return sf_composer_unfold(c);
}

static bool do_chip(struct sf_composer *c, const char *arg)
{
    (void)arg;
    return sf_composer_paste(c, COMPOSE_CHIP, strlen(COMPOSE_CHIP));
}

static bool do_paste(struct sf_composer *c, const char *arg)
{
    return sf_composer_paste(c, arg, strlen(arg));
}

static bool do_type(struct sf_composer *c, const char *arg)
{
    return sf_composer_type(c, arg, strlen(arg));
}

static bool do_set(struct sf_composer *c, const char *arg)
{
    return sf_composer_set(c, arg, strlen(arg));
}

static bool do_width(struct sf_composer *c, const char *arg)
{
    return sf_composer_rows(c, atoi(arg));
}

static bool do_complete(struct sf_composer *c, const char *arg)
{
    sf_composer_complete(c, '@', arg);
    return true;
}

static const struct {
    const char *name;
    bool (*run)(struct sf_composer *c, const char *arg);
} words[] = {
    { "esc", do_escape },    { "ctrl-r", do_redo_key }, { "clear", do_clear }, { "chip", do_chip },
    { "unfold", do_unfold }, { "paste", do_paste },     { "typed", do_type },  { "set", do_set },
    { "width", do_width },   { "at", do_complete },
};

static bool do_word(struct sf_composer *c, const char *word, const char *name)
{
    const char *arg = strchr(word, ':');
    size_t len = arg ? (size_t)(arg - word) : strlen(word);

    for (size_t i = 0; i < SF_COUNT(acts); i++)
        if (!strcmp(acts[i].name, word))
            return sf_composer_do(c, acts[i].act);
    for (size_t i = 0; i < SF_COUNT(words); i++)
        if (strlen(words[i].name) == len && !strncmp(words[i].name, word, len))
            return words[i].run(c, arg ? arg + 1 : "");
    fail_msg("%s: no word <%s>", name, word);
    return false;
}

/* One word in brackets; returns what stands behind it. */
static const char *run_word(struct sf_composer *c, const char *script, bool *last, const char *name)
{
    const char *end = strchr(script, '>');
    char word[512];
    char *times;
    int count = 1;

    if (!end || (size_t)(end - script) >= sizeof(word))
        fail_msg("%s: a word without its end", name);
    memcpy(word, script + 1, (size_t)(end - script) - 1);
    word[end - script - 1] = '\0';
    times = strrchr(word, '*');
    if (times && !strchr(word, ':')) {
        count = atoi(times + 1);
        *times = '\0';
    }
    if (!strcmp(word, "true") || !strcmp(word, "false")) {
        if (*last != !strcmp(word, "true"))
            fail_msg("%s: not <%s> before %s", name, word, end + 1);
        return end + 1;
    }
    for (int i = 0; i < count; i++)
        *last = do_word(c, word, name);
    return end + 1;
}

static bool is_command(const struct sf_composer *c)
{
    const char *mode = sf_composer_vim_mode(c);

    return mode && strcmp(mode, "INSERT") != 0;
}

void compose_run(struct sf_composer *c, const char *script, const char *name)
{
    bool last = true;

    while (*script) {
        uint32_t cp;
        size_t n = sf_utf8_decode(script, strlen(script), &cp);

        if (*script == '<' && script[1] >= 'a' && script[1] <= 'z') {
            script = run_word(c, script, &last, name);
            continue;
        }
        last = is_command(c) ? sf_composer_vim_key(c, cp, 0) : sf_composer_type(c, script, n);
        script += n;
    }
}

bool compose_shows(const struct sf_composer *c, const char *want, const char *name)
{
    struct sf_strbuf got = SF_STRBUF_INIT, wanted = SF_STRBUF_INIT;
    bool same;

    sf_composer_text(c, &got);
    sf_strbuf_splice(&got, compose_cursor(c), 0, "|", 1);
    for (; *want; want++) {
        if (strncmp(want, "§", 2) != 0) {
            sf_strbuf_addch(&wanted, *want);
            continue;
        }
        sf_strbuf_adds(&wanted, COMPOSE_CHIP);
        want++;
    }
    same = !strcmp(got.buf, wanted.buf);
    if (!same)
        print_error("%s: got \"%s\", want \"%s\"\n", name, got.buf, wanted.buf);
    sf_strbuf_release(&got);
    sf_strbuf_release(&wanted);
    return same;
}
