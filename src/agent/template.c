/*
 * template.c: fills in the placeholders of a custom command. The text is read once, from front to
 * back: only placeholders of the file count, never those in text that was filled in.
 */
#include "agent/custom.h"
#include "modes/modes.h"

enum { WORDS = 9 };

struct filling {
    struct sf_template *out;
    const char *args;
    struct sf_strlist words;
    struct sf_strbuf text;
    size_t bytes, blanks;
    bool used; /* a placeholder took the arguments */
    struct sf_error *err;
};

void sf_template_release(struct sf_template *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->parts[i].text);
    free(t->parts);
    *t = (struct sf_template)SF_TEMPLATE_INIT;
}

/* ---- arguments ---- */

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Reads a word with quotes; a quote without a match is an ordinary character: "don't". */
static const char *add_word(const char *at, struct sf_strbuf *word)
{
    while (*at && !is_white(*at)) {
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

static void split_words(const char *args, struct sf_strlist *words)
{
    while (words->count < WORDS) {
        struct sf_strbuf word = SF_STRBUF_INIT;

        args += strspn(args, " \t\n");
        if (!*args)
            return;
        args = add_word(args, &word);
        sf_strlist_adopt(words, sf_strbuf_detach(&word));
    }
}

/* ---- placeholders ---- */

/* The length of the argument placeholder that begins here, and its value; 0: none. */
static size_t argument_at(struct filling *f, const char *at, const char **value)
{
    static const char all[] = "$ARGUMENTS";
    size_t n;

    if (!strncmp(at, all, strlen(all))) {
        *value = f->args;
        return strlen(all);
    }
    if (at[0] != '$' || at[1] < '1' || at[1] > '9' || (at[2] >= '0' && at[2] <= '9'))
        return 0;
    n = (size_t)(at[1] - '1');
    *value = n < f->words.count ? f->words.items[n] : "";
    return 2;
}

/* A placeholder for a file or a command does not follow a letter: not in a@b or wow!`x`. */
static bool is_apart(const char *body, const char *at)
{
    return at == body || is_white(at[-1]) || strchr("([{\"'>*-:|,", at[-1]);
}

static size_t command_at(const char *body, const char *at)
{
    size_t n;

    if (at[0] != '!' || at[1] != '`' || !is_apart(body, at))
        return 0;
    n = strcspn(at + 2, "`\n");
    return n && at[2 + n] == '`' ? n + 3 : 0;
}

/* Punctuation after a path belongs to the sentence. */
static size_t file_at(const char *body, const char *at)
{
    size_t n;

    if (at[0] != '@' || !is_apart(body, at))
        return 0;
    n = strcspn(at + 1, " \t\n\"'`<>|;,()[]{}@");
    while (n && strchr(".:!?*", at[n]))
        n--;
    return n ? n + 1 : 0;
}

/* ---- filling ---- */

static bool too_much(struct filling *f)
{
    return sf_fail(f->err, SF_E_LIMIT, "it becomes longer than %d KiB", SF_CUSTOM_TEXT / 1024);
}

static bool put(struct filling *f, struct sf_strbuf *out, const char *text, size_t len)
{
    f->bytes += len;
    if (f->bytes > SF_CUSTOM_TEXT)
        return too_much(f);
    sf_strbuf_add(out, text, len);
    return true;
}

static void add_part(struct filling *f, enum sf_template_kind kind, struct sf_strbuf *text)
{
    struct sf_template *t = f->out;

    t->parts = sf_grow(t->parts, &t->cap, t->count + 1, sizeof(*t->parts));
    t->parts[t->count++] = (struct sf_template_part){ kind, sf_strbuf_detach(text) };
}

static void end_text(struct filling *f)
{
    if (f->text.len)
        add_part(f, SF_TEMPLATE_TEXT, &f->text);
}

/* Quoting could be right in one place and wrong in another, so only harmless characters pass. */
static bool is_harmless(const char *value)
{
    for (; *value; value++) {
        unsigned char c = (unsigned char)*value;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

        if (!letter && c < 0x80 && !strchr(" _-./:=@%+,^~", *value))
            return false;
    }
    return true;
}

static bool check_harmless(struct filling *f, const char *value)
{
    char quote[SF_QUOTE_MAX];

    if (is_harmless(value))
        return true;
    sf_fail(f->err, SF_E_ARG, "%s cannot be put into a command of it",
            sf_quote(quote, value, strlen(value)));
    return sf_hint(f->err, "there only letters, digits, blanks and _-./:=@%%+,^~ can stand");
}

/* Fills in a file or a command: `len` bytes without the marks around it. */
static bool fill_part(struct filling *f, enum sf_template_kind kind, const char *text, size_t len)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    const char *end = text + len, *value;
    bool ok =
        ++f->blanks <= SF_CUSTOM_PARTS ||
        sf_fail(f->err, SF_E_LIMIT, "it names more than %d files and commands", SF_CUSTOM_PARTS);

    while (ok && text < end) {
        size_t n = argument_at(f, text, &value);

        f->used = f->used || n;
        if (n)
            ok = (kind != SF_TEMPLATE_COMMAND || check_harmless(f, value)) &&
                 put(f, &out, value, strlen(value));
        else
            ok = put(f, &out, text, 1);
        text += n ? n : 1;
    }
    if (ok && out.len) {
        end_text(f);
        add_part(f, kind, &out);
    }
    sf_strbuf_release(&out);
    return ok;
}

static bool fill(struct filling *f, const char *body)
{
    const char *value = NULL;
    bool ok = true;

    for (const char *at = body; ok && *at;) {
        const char *blank = *at == '\\' ? at + 1 : at;
        size_t argument = argument_at(f, blank, &value);
        size_t command = blank == at ? command_at(body, at) : 0;
        size_t file = blank == at ? file_at(body, at) : 0;

        if (blank > at && (argument || !strncmp(blank, "!`", 2) || *blank == '@')) {
            ok = put(f, &f->text, blank, 1);
            at = blank + 1;
        } else if (blank == at && argument) {
            f->used = true;
            ok = put(f, &f->text, value, strlen(value));
            at += argument;
        } else if (command) {
            ok = fill_part(f, SF_TEMPLATE_COMMAND, at + 2, command - 3);
            at += command;
        } else if (file) {
            ok = fill_part(f, SF_TEMPLATE_FILE, at + 1, file - 1);
            at += file;
        } else {
            ok = put(f, &f->text, at, 1);
            at++;
        }
    }
    return ok;
}

bool sf_template_fill(struct sf_template *t, const char *body, const char *args,
                      struct sf_error *err)
{
    struct filling f = { .out = t, .args = args, .err = err };
    bool ok = strlen(args) <= SF_CUSTOM_ARGS ||
              sf_fail(err, SF_E_LIMIT, "there are more than %d KiB behind the name",
                      SF_CUSTOM_ARGS / 1024);

    sf_strbuf_init(&f.text);
    if (ok)
        split_words(args, &f.words);
    ok = ok && fill(&f, body);
    if (ok && *args && !f.used)
        ok = put(&f, &f.text, "\n\nArguments: ", 13) && put(&f, &f.text, args, strlen(args));
    if (ok)
        end_text(&f);
    else
        sf_template_release(t);
    sf_strbuf_release(&f.text);
    sf_strlist_release(&f.words);
    return ok;
}
