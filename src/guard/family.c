/*
 * family.c: which words of a command an approval need not hold on to. The table lists words that
 * are known to be harmless, program by program; a command with any other option counts word by
 * word. An option that narrows (`--locked`, `--dry-run`) is kept, or the wider call would pass.
 */
#include "guard/family.h"

#include "base/base.h"

enum operands {
    KEPT,   /* every operand counts */
    NAMED,  /* the same, and without one nobody knows where it goes: it is not kept */
    INSIDE, /* names below the workspace do not count */
    DOTTED, /* nor do those that begin with ./ */
    ORIGIN, /* addresses count up to their path */
};

/*
 * Options one a word: `-v` does not count, `!-a` does. Behind the name what it takes: `=` a plain
 * name, `:` any text, `#` digits, if there are any. `rest`: the same
 * list for what stands behind --, where names do not count; NULL: all of that counts.
 */
struct family {
    const char *programs, *verbs, *options;
    enum operands operands;
    const char *rest;
};

#define CARGO                                                                                      \
    "-v -q -r --verbose --quiet --release --all --workspace --lib --bins --tests --examples "      \
    "--benches --all-targets --all-features --no-default-features --keep-going --no-fail-fast "    \
    "--no-deps --timings -j# --jobs# --features= -F= -p= --package= --exclude= --bin= --example= " \
    "--test= --bench= --profile= --color= --message-format= !--doc !--no-run !--locked "           \
    "!--offline !--frozen !--open"
#define LIBTEST                                                                              \
    "-q --quiet --nocapture --no-capture --exact --ignored --include-ignored --show-output " \
    "--test-threads# --skip= --color="
#define PYTEST                                                                                  \
    "-v -q -x -s -l --verbose --quiet --exitfirst --showlocals --lf --ff --nf --last-failed "   \
    "--failed-first --stepwise --no-header --no-summary -k: -m: --maxfail# --tb= --durations# " \
    "--color= --capture= -n= -r= --timeout# !--collect-only !--co"
#define TALK "-q -v --quiet --verbose --progress --no-progress "

/* clang-format off */
static const struct family families[] = {
    { "cargo", "build|b|check|c|clippy|doc", CARGO, KEPT, NULL },
    { "cargo", "test|t|bench|nextest run", CARGO, INSIDE, LIBTEST },
    { "cargo", "fmt", "-q -v --all --quiet --verbose !--check", KEPT, NULL },
    { "make|gmake", "", "-s -k -w -B -j# -l# --jobs# --silent --quiet --keep-going --always-make "
      "--no-print-directory", KEPT, NULL },
    { "ninja", "", "-v -j# -k# --verbose --quiet", KEPT, NULL },
    { "cmake", "--build", "-v -j# --verbose --parallel# !--config= !--clean-first !--target= !-t=", KEPT, NULL },
    { "ctest", "", "-V -Q --verbose --extra-verbose --output-on-failure --progress --stop-on-failure "
      "--rerun-failed -j# --parallel# -R: -E: -L: --tests-regex: --exclude-regex: --label-regex: --timeout#",
      KEPT, NULL },
    { "go", "build|test|vet", "-v -x -race -short -failfast -cover -benchmem -trimpath -json -count# -p# "
      "-parallel# -run: -bench: -skip: -timeout= -tags=", DOTTED, NULL },
    { "npm|pnpm|yarn|bun", "test|t|run|run-script", "-s --silent", KEPT, NULL },
    { "npm", "ci|install|i", "-s --silent --no-audit --no-fund --no-progress !--ignore-scripts !--production "
      "!--legacy-peer-deps !-D !--save-dev !--omit=", KEPT, NULL },
    { "pnpm|yarn", "install", "--silent !--frozen-lockfile !--immutable !--offline !--ignore-scripts", KEPT, NULL },
    { "pytest|py.test", "", PYTEST, INSIDE, NULL },
    { "python|python3", "-m pytest", PYTEST, INSIDE, NULL },
    { "python|python3", "-m unittest", "-v -q -f -b --verbose --quiet --failfast --buffer -k:", KEPT, NULL },
    { "mvn", "", "-q -B -e -ntp --quiet --batch-mode --errors --no-transfer-progress !-o !--offline", KEPT, NULL },
    { "gradle|./gradlew", "", "-q -i -s --quiet --info --stacktrace --no-daemon --console= --parallel --tests: "
      "!--offline !--dry-run !-m", KEPT, NULL },
    { "ruff", "check", "-q -v --quiet --verbose !--fix !--no-fix !--diff", INSIDE, NULL },
    { "ruff", "format", "-q -v --quiet --verbose !--check !--diff", INSIDE, NULL },
    { "black", "", "-q -v --quiet --verbose !--check !--diff", INSIDE, NULL },
    { "mypy", "", "-v --verbose --pretty --no-color-output !--strict", INSIDE, NULL },
    { "eslint", "", "--quiet --color --no-color --max-warnings# !--fix", INSIDE, NULL },
    { "prettier", "", "!--write !-w !--check !-c !-l !--list-different", INSIDE, NULL },
    { "clang-format", "", "!-i", INSIDE, NULL },
    { "gofmt", "", "!-w !-l !-d !-s", INSIDE, NULL },
    { "rustfmt", "", "-v -q --verbose --quiet !--check", INSIDE, NULL },
    { "git", "add", "-v --verbose !-A !--all !-u !--update", INSIDE, NULL },
    { "git", "commit", "-q -v -s --quiet --verbose --signoff -m: --message: !-a !--all !--allow-empty", KEPT, NULL },
    { "git", "push", TALK "!-u !--set-upstream !-n !--dry-run", NAMED, NULL },
    { "git", "fetch|pull", TALK "!--ff-only !--rebase !-r !--prune !-p !--tags", NAMED, NULL },
    { "mkdir", "", "-p -v --parents --verbose", INSIDE, NULL },
    { "touch", "", "", INSIDE, NULL },
    { "curl", "", "-s -S -f -i -I -v -4 -6 --silent --show-error --fail --include --head --verbose --compressed "
      "--no-progress-meter -m# --max-time# --connect-timeout# --retry# !-L !--location", ORIGIN, NULL },
};
/* clang-format on */

/* ---- words ---- */

static bool is_literal(const struct sf_word *w)
{
    return !(w->flags & ~(unsigned)SF_WORD_QUOTED);
}

static bool has_dots(const char *text)
{
    for (const char *p = text; (p = strstr(p, "..")); p += 2 + strspn(p + 2, "."))
        if ((p == text || strchr("/=:", p[-1])) && (!p[2] || p[2] == '/'))
            return true;
    return false;
}

/* It names nothing outside: no path from the root, the home or above, no address. */
static bool is_near(const char *text)
{
    return *text && !strchr("/~@+", *text) && !strstr(text, "=/") && !strstr(text, ":/") &&
           !strchr(text, '~') && !has_dots(text);
}

/* A shell reads it as it stands, as one word. */
static bool is_plain(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";

    return *text && !text[strspn(text, plain)];
}

void sf_family_spell(const struct sf_word *w, const char *source, struct sf_strbuf *out)
{
    if (!is_literal(w)) {
        sf_strbuf_add(out, source + w->at, w->span);
        return;
    }
    if (is_plain(w->text)) {
        sf_strbuf_adds(out, w->text);
        return;
    }
    sf_strbuf_addch(out, '\'');
    for (const char *p = w->text; *p; p++)
        if (*p == '\'')
            sf_strbuf_adds(out, "'\\''");
        else
            sf_strbuf_addch(out, *p);
    sf_strbuf_addch(out, '\'');
}

/* ---- options ---- */

/* What the list says of an option; `name` is it with its dashes. */
struct option {
    bool found, kept;
    char takes; /* '=', ':' or '#'; NUL: nothing */
};

static struct option look_up(const char *list, const char *name, size_t len)
{
    struct option o = { false, false, '\0' };

    while (*(list += strspn(list, " "))) {
        size_t n = strcspn(list, " ");
        const char *at = list + (*list == '!');
        const char *end = list + n - (strchr("=:#", list[n - 1]) != NULL);

        if ((size_t)(end - at) == len && !memcmp(at, name, len)) {
            o = (struct option){ true, at > list, (char)(end < list + n ? *end : '\0') };
            return o;
        }
        list += n;
    }
    return o;
}

struct reading {
    const struct family *row;
    const struct sf_word *words;
    size_t count, next;
    struct sf_strlist kept, operands;
};

static bool fits(char takes, const char *value)
{
    if (takes == '#')
        return *value && strspn(value, "0123456789") == strlen(value);
    return takes == ':' || (is_plain(value) && is_near(value));
}

/* The value of an option: the rest of its own word, or the next one. */
static bool read_value(struct reading *r, const struct option *o, const char *name, size_t len,
                       const char *rest)
{
    const struct sf_word *next = r->next < r->count ? &r->words[r->next] : NULL;
    const char *value = rest;

    if (!rest) {
        bool there = next && is_literal(next) && fits(o->takes, next->text);

        if (!there && o->takes != '#')
            return false;
        r->next += there;
        value = there ? next->text : "";
    } else if (!fits(o->takes, rest)) {
        return false;
    }
    if (o->kept)
        sf_strlist_addf(&r->kept, "%.*s%s%s", (int)len, name, *value ? " " : "", value);
    return true;
}

static bool take(struct reading *r, const struct option *o, const char *name, size_t len,
                 const char *rest)
{
    if (!o->found)
        return false;
    if (o->takes)
        return read_value(r, o, name, len, rest);
    if (o->kept)
        sf_strlist_addf(&r->kept, "%.*s", (int)len, name);
    return !rest;
}

/* `-am text`: letters that take nothing, and perhaps one that does at their end. */
static bool read_cluster(struct reading *r, const char *text)
{
    for (const char *p = text + 1; *p; p++) {
        const char name[3] = { '-', *p, '\0' };
        struct option o = look_up(r->row->options, name, 2);

        if (o.takes)
            return take(r, &o, name, 2, p[1] ? p + 1 : NULL);
        if (!take(r, &o, name, 2, NULL))
            return false;
    }
    return true;
}

static bool read_option(struct reading *r, const char *text)
{
    size_t len = strcspn(text, "=");
    struct option o = look_up(r->row->options, text, len);

    if (o.found)
        return take(r, &o, text, len, text[len] ? text + len + 1 : NULL);
    return text[1] != '-' && read_cluster(r, text);
}

/* ---- operands ---- */

/* `https://example.org` of an address there; what curl would expand is none. */
static bool read_origin(struct reading *r, const char *text)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf origin = SF_STRBUF_INIT;
    struct sf_url url;
    bool ok = !strpbrk(text, "{}[]*") && sf_url_read(&url, text, &ignored);

    if (ok) {
        url.path = "";
        url.path_len = 0;
        sf_url_write(&url, &origin);
        if (origin.buf[origin.len - 1] == '/')
            sf_strbuf_truncate(&origin, origin.len - 1);
        if (!sf_strlist_has(&r->operands, origin.buf))
            sf_strlist_add(&r->operands, origin.buf);
    }
    sf_strbuf_release(&origin);
    return ok;
}

static bool read_operand(struct reading *r, const struct sf_word *w)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    switch (r->row->operands) {
    case INSIDE:
        return is_near(w->text);
    case DOTTED:
        return is_near(w->text) && w->text[0] == '.' && (!w->text[1] || w->text[1] == '/');
    case ORIGIN:
        return read_origin(r, w->text);
    case KEPT:
    case NAMED:
        break;
    }
    sf_family_spell(w, NULL, &text);
    sf_strlist_adopt(&r->operands, sf_strbuf_detach(&text));
    return true;
}

/* Behind --: false unless none of it counts. */
static bool skip_rest(struct reading *r)
{
    const struct family *row = r->row;
    struct family behind = *row;
    bool skips = row->rest != NULL;

    behind.options = row->rest;
    r->row = &behind;
    while (skips && r->next < r->count) {
        const struct sf_word *w = &r->words[r->next++];

        skips = is_literal(w) && (w->text[0] == '-' ? read_option(r, w->text) : is_near(w->text));
    }
    r->row = row;
    return skips;
}

/* The ? of an address may match names of files, and all of those begin as it does. */
static bool is_query(const struct family *row, const struct sf_word *w)
{
    return row->operands == ORIGIN && w->text[0] != '-' &&
           !(w->flags & ~(unsigned)(SF_WORD_QUOTED | SF_WORD_GLOB));
}

static bool read_words(struct reading *r)
{
    while (r->next < r->count) {
        const struct sf_word *w = &r->words[r->next++];

        if (!is_literal(w) && !is_query(r->row, w))
            return false;
        if (!strcmp(w->text, "--"))
            return skip_rest(r);
        if (w->text[0] == '-' && w->text[1] ? !read_option(r, w->text) : !read_operand(r, w))
            return false;
    }
    return r->row->operands != ORIGIN || r->operands.count;
}

/* ---- rows ---- */

static bool is_among(const char *names, const char *name)
{
    size_t len = strlen(name);

    for (const char *p = names; *p; p += strcspn(p, "|"), p += *p == '|')
        if (strcspn(p, "|") == len && !memcmp(p, name, len))
            return true;
    return false;
}

/* How many words the verb takes that fits; 0: none does. */
static size_t verb_length(const char *verbs, const struct sf_word *words, size_t count)
{
    for (const char *verb = verbs; *verb; verb += strcspn(verb, "|"), verb += *verb == '|') {
        size_t n = strcspn(verb, "|"), at = 0, used = 0;

        while (at < n && used < count && is_literal(&words[used])) {
            size_t part = strcspn(verb + at, " |");

            if (words[used].len != part || memcmp(words[used].text, verb + at, part) != 0)
                break;
            at += part + (verb[at + part] == ' ');
            used++;
        }
        if (at == n)
            return used;
    }
    return 0;
}

static const struct family *row_of(const struct sf_word *words, size_t count, size_t *first)
{
    for (size_t i = 0; i < SF_COUNT(families); i++) {
        const struct family *f = &families[i];

        if (!is_literal(&words[0]) || !is_among(f->programs, words[0].text))
            continue;
        *first = 1 + verb_length(f->verbs, words + 1, count - 1);
        if (!*f->verbs || *first > 1)
            return f;
    }
    return NULL;
}

static void write_family(const struct reading *r, size_t first, struct sf_strbuf *out)
{
    for (size_t i = 0; i < first; i++)
        sf_strbuf_addf(out, "%s%s", i ? " " : "", r->words[i].text);
    for (size_t i = 0; i < r->kept.count; i++)
        if (!i || strcmp(r->kept.items[i], r->kept.items[i - 1]) != 0)
            sf_strbuf_addf(out, " %s", r->kept.items[i]);
    for (size_t i = 0; i < r->operands.count; i++)
        sf_strbuf_addf(out, " %s", r->operands.items[i]);
}

enum sf_keep sf_family_read(const struct sf_word *words, size_t count, const char *source,
                            struct sf_strbuf *out)
{
    size_t first = 0;
    const struct family *row = row_of(words, count, &first);
    struct reading r = { row, words, count, first, SF_STRLIST_INIT, SF_STRLIST_INIT };
    bool fit = row && read_words(&r);
    enum sf_keep kind = fit ? SF_KEEP_FAMILY : SF_KEEP_ALL;

    if (row && row->operands == NAMED && (!fit || !r.operands.count)) {
        kind = SF_KEEP_NOTHING;
    } else if (fit) {
        sf_strlist_sort(&r.kept);
        write_family(&r, first, out);
    }
    for (size_t i = 0; kind == SF_KEEP_ALL && i < count; i++) {
        if (i)
            sf_strbuf_addch(out, ' ');
        sf_family_spell(&words[i], source, out);
    }
    sf_strlist_release(&r.kept);
    sf_strlist_release(&r.operands);
    return kind;
}
