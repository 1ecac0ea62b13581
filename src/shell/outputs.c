/*
 * outputs.c: which names a command prints, for words that are made of its output. Two tables: of
 * programs that look for files, whose names lie below where they looked; and of programs that
 * print a date, a number or a revision, in which no path can be. A program that is in neither,
 * or is told to print something else as well, may print anything.
 */
#include <string.h>

#include "shell/classifier.h"

/* Where an option may stand; a value of another one only looks like it. */
struct cursor {
    const struct sf_shell_command *cmd;
    const char *taking; /* letters that take the next word when nothing is attached */
    size_t i;
};

/* Whether the word behind this option may be its value. */
static bool takes_next(const char *t, const char *taking)
{
    static const char flags[] =
        "--no-*|--ignore-case|--smart-case|--recursive|--dereference-recursive|--hidden|--null|"
        "--fixed-strings|--extended-regexp|--perl-regexp|--word-regexp|--line-regexp|--text|"
        "--invert-match|--with-filename|--files|--files-with*|--name-only|--cached|--staged";
    size_t n = strcspn(t, taking);

    if (t[1] == '-')
        return !strchr(t, '=') && !sf_pattern_fits(flags, sizeof(flags) - 1, t);
    return t[n] && !t[n + 1];
}

/* The next word that surely is an option; NULL: there is none. */
static const char *next_option(struct cursor *c)
{
    while (++c->i < c->cmd->count) {
        const char *t = c->cmd->words[c->i].text;

        if (!strcmp(t, "--"))
            return NULL;
        if (t[0] != '-' || !t[1] || c->cmd->words[c->i].flags & SF_WORD_EXPANDS)
            continue;
        c->i += takes_next(t, c->taking);
        return t;
    }
    return NULL;
}

static bool has_word(const struct sf_shell_command *cmd, const char *patterns, const char *taking)
{
    struct cursor c = { cmd, taking, 0 };

    for (const char *t = next_option(&c); t; t = next_option(&c))
        if (sf_pattern_fits(patterns, strlen(patterns), t))
            return true;
    return false;
}

/* One of the letters stands among the short options, in front of one that takes a value. */
static bool has_letter(const struct sf_shell_command *cmd, const char *letters, const char *taking)
{
    struct cursor c = { cmd, taking, 0 };

    for (const char *t = next_option(&c); t; t = next_option(&c))
        if (t[1] != '-' && strcspn(t, letters) < strcspn(t, taking))
            return true;
    return false;
}

/* The same of any word, option or value: for what would spoil the answer. */
static bool names_word(const struct sf_shell_command *cmd, const char *patterns)
{
    for (size_t i = 1; i < cmd->count; i++)
        if (sf_pattern_fits(patterns, strlen(patterns), cmd->words[i].text))
            return true;
    return false;
}

static bool holds_letter(const struct sf_shell_command *cmd, const char *letters)
{
    for (size_t i = 1; i < cmd->count; i++)
        if (cmd->words[i].text[0] == '-' && cmd->words[i].text[1] != '-' &&
            strpbrk(cmd->words[i].text, letters))
            return true;
    return false;
}

enum gives {
    GIVES_NAMES,  /* relative to where it stands */
    GIVES_STARTS, /* each begins with one of its operands, or with a dot */
    GIVES_LAST,   /* the end or the beginning of its operand */
    GIVES_TEMP,   /* a file in the directory for temporary ones */
};

/* Programs that print names of files; what they need for it, and what spoils it. */
static const struct listing {
    const char *programs, *verbs;
    const char *needs, *letters; /* either, when one of them is there */
    const char *spoils;
    const char *taking;
    enum gives gives;
} listing[] = {
    { "find|gfind|bfs", NULL, NULL, NULL,
      "-printf|-fprint*|-exec*|-ok*|-files0-from|-ls|-fls|-f|-help|--help|-version|--version", "",
      GIVES_STARTS },
    { "fd|fdfind", NULL, NULL, NULL,
      "-x*|-X*|-l|--exec*|--format*|--list-details|--base-directory*|--search-path*|"
      "--path-separator*",
      "", GIVES_NAMES },
    { "ls", NULL, NULL, NULL, "-*l*|-*a*|-*f*|-o|-g|--format*|--all|--hyperlink*", "",
      GIVES_NAMES },
    { "rg", NULL, "--files|--files-with*", "l", "-r*|--replace*|--path-separator*|--hyperlink*",
      "ABCdeEfgjmMrtT", GIVES_NAMES },
    { "grep|egrep|fgrep|ag|ack", NULL, "--files-with*", "lL", "--label*|--output*", "ABCDdefgGmp",
      GIVES_NAMES },
    { "git", "ls-files", NULL, NULL, "--format*|--stage|-s", "", GIVES_NAMES },
    { "git", "diff", "--name-only", "", "--format*|--pretty*|--line-prefix*|--output*|-p", "",
      GIVES_NAMES },
    { "git", "grep", "--files-with*|--name-only", "l", NULL, "ABCefmO", GIVES_NAMES },
    { "basename|dirname", NULL, NULL, NULL, "-*", "", GIVES_LAST },
    { "mktemp", NULL, NULL, NULL, "-p*|--tmpdir*|--suffix*", "", GIVES_TEMP },
    { "pwd", NULL, NULL, NULL, NULL, "", GIVES_NAMES },
};

static bool has_what_it_needs(const struct sf_shell_command *cmd, const struct listing *row)
{
    return !row->letters || (*row->letters && has_letter(cmd, row->letters, row->taking)) ||
           (row->needs && has_word(cmd, row->needs, row->taking));
}

static bool runs(const struct sf_shell_command *cmd, const char *programs, const char *verbs)
{
    return sf_pattern_fits(programs, strlen(programs), cmd->words[0].text) &&
           (!verbs ||
            (cmd->count > 1 && sf_pattern_fits(verbs, strlen(verbs), cmd->words[1].text)));
}

static bool holds_dots(struct sf_classifier *j, const struct sf_word *w)
{
    struct sf_word_values r;
    bool found = false;

    sf_word_values_of(j, w, w->text, &r);
    for (size_t i = 0; i < r.count; i++)
        found = found || strstr(r.texts[i], "..");
    return found;
}

/* Every operand stays; of one whose parts are printed, no part climbs either. */
static bool operands_stay(struct sf_classifier *j, const struct sf_shell_command *cmd, bool parts)
{
    for (size_t i = 1; i < cmd->count; i++) {
        const struct sf_word *w = &cmd->words[i];

        if (w->text[0] != '-' && (!sf_word_stays(j, w) || (parts && holds_dots(j, w))))
            return false;
    }
    return true;
}

static const struct listing *listing_of(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (size_t i = 0; i < SF_COUNT(listing); i++) {
        const struct listing *row = &listing[i];

        if (runs(cmd, row->programs, row->verbs) && has_what_it_needs(cmd, row) &&
            !(row->spoils && names_word(cmd, row->spoils)))
            return operands_stay(j, cmd, row->gives == GIVES_LAST) ? row : NULL;
    }
    return NULL;
}

static void add_name(struct sf_classifier *j, struct sf_word_values *out, const char *before)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_addf(&sb, "%s%s", before, SF_ANY_NAME);
    out->stands = true;
    if (out->count < SF_WORD_VALUES_MAX)
        out->texts[out->count++] = sf_arena_strndup(j->arena, sb.buf, sb.len);
    else
        out->anywhere = true;
    sf_strbuf_release(&sb);
}

/* find: what stands in front of the first test or action. */
static void add_starts(struct sf_classifier *j, const struct sf_shell_command *cmd,
                       struct sf_word_values *out)
{
    static const char leading[] = "-H|-L|-P|-O*";
    size_t i = 1;
    bool any = false;

    while (i < cmd->count && sf_pattern_fits(leading, sizeof(leading) - 1, cmd->words[i].text))
        i++;
    for (; i < cmd->count && !(cmd->words[i].len && strchr("-(!", cmd->words[i].text[0])); i++) {
        struct sf_word_values starts;

        any = true;
        sf_word_values_of(j, &cmd->words[i], cmd->words[i].text, &starts);
        out->glob = out->glob || starts.glob;
        for (size_t k = 0; k < starts.count; k++) {
            struct sf_strbuf sb = SF_STRBUF_INIT;

            sf_strbuf_addf(&sb, "%s/", starts.texts[k]);
            if (*starts.texts[k])
                add_name(j, out, sb.buf);
            sf_strbuf_release(&sb);
        }
    }
    if (!any)
        add_name(j, out, "./");
}

static void add_listed(struct sf_classifier *j, const struct sf_shell_command *cmd,
                       const struct listing *row, struct sf_word_values *out)
{
    bool operand = cmd->count > 1 && cmd->words[cmd->count - 1].text[0] != '-';

    switch (row->gives) {
    case GIVES_STARTS:
        add_starts(j, cmd, out);
        break;
    case GIVES_LAST:
        add_name(j, out, !strcmp(cmd->words[0].text, "dirname") ? "./" : "");
        break;
    case GIVES_TEMP:
        add_name(j, out, operand ? "./" : SF_OWN_TEMP "/");
        break;
    case GIVES_NAMES:
        add_name(j, out, "");
        break;
    }
}

/* printf with a format that makes numbers: `frame%03d`. */
static bool prints_numbers(const struct sf_shell_command *cmd)
{
    const struct sf_word *w = cmd->count > 1 ? &cmd->words[1] : NULL;
    size_t n;

    if (!w || w->flags & SF_WORD_EXPANDS || strstr(w->text, "..") || strpbrk(w->text, "/~* "))
        return false;
    for (const char *p = w->text; (p += strcspn(p, "%\\")) && *p; p += n + 1) {
        n = *p == '\\' ? 0 : 1 + strspn(p + 1, "0123456789");
        if (*p == '\\' ? p[1] != 'n' : !strchr("diuxXo", p[n]) || !p[n])
            return false;
        n += *p == '\\';
    }
    return *w->text != '-';
}

/* Of git: behind -- stand paths, which are looked at and not printed. */
static bool ends_options(const struct sf_shell_command *cmd, size_t i)
{
    return !strcmp(cmd->words[0].text, "git") && !strcmp(cmd->words[i].text, "--");
}

/* What it is given is printed, if at all, as it is: no word of it may hold a path. */
static bool words_are_plain(const struct sf_shell_command *cmd)
{
    static const char with_value[] = "-d|--date|-r";

    for (size_t i = 1; i < cmd->count && !ends_options(cmd, i); i++) {
        const struct sf_word *w = &cmd->words[i];
        bool value = i > 1 && sf_pattern_fits(with_value, sizeof(with_value) - 1, w[-1].text);

        if (strstr(w->text, "..") || strpbrk(w->text, "/\\~ \t\n") || !strncmp(w->text, "+-", 2))
            return false;
        if (w->flags & (SF_WORD_EXPANDS | SF_WORD_GLOB) && !value &&
            strncmp(w->text, "--date=", 7) != 0)
            return false;
    }
    return true;
}

/* Programs that print no path; `words` are all they may be given. */
static const struct {
    const char *programs, *verbs, *words;
} plain[] = {
    { "date|gdate|echo", NULL, NULL },
    { "seq", NULL, "0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|-1|-w" },
    { "nproc|arch|whoami|hostname|uname|id", NULL, "-*" },
    { "wc", NULL, "-l|-c|-w|-m|-L|--lines|--bytes|--words|--chars" },
    { "git", "rev-parse",
      "rev-parse|--short*|--abbrev-ref*|--verify|-q|--quiet|HEAD*|@*|main|master" },
    { "git", "branch", "branch|--show-current" },
    { "git", "describe", NULL },
    { "git", "merge-base", NULL },
    { "git", "rev-list", "rev-list|--count|--all|HEAD*|@*|-*" },
    { "git", "log",
      "log|-1*|-2*|-3*|-4*|-5*|-6*|-7*|-8*|-9*|-n*|1*|2*|3*|4*|5*|6*|7*|8*|9*|HEAD|--reverse|--format=%h|--format=%H|--format=%cs|--format=%as|--format=%ct|"
      "--format=%at|--pretty=%h|--pretty=%H|--pretty=format:%h|--pretty=format:%H" },
};

static bool only_given(const struct sf_shell_command *cmd, const char *words)
{
    for (size_t i = 1; words && i < cmd->count && !ends_options(cmd, i); i++)
        if (!sf_pattern_fits(words, strlen(words), cmd->words[i].text))
            return false;
    return true;
}

static bool is_plain(const struct sf_shell_command *cmd)
{
    if (!strcmp(cmd->words[0].text, "printf"))
        return prints_numbers(cmd);
    for (size_t i = 0; i < SF_COUNT(plain); i++)
        if (runs(cmd, plain[i].programs, plain[i].verbs))
            return words_are_plain(cmd) && only_given(cmd, plain[i].words);
    return false;
}

/* Programs that let through whole lines of what they are fed. */
static bool passes_lines(const struct sf_shell_command *cmd)
{
    static const char programs[] = "sort|uniq|head|tail|shuf|grep|egrep|fgrep|cat";
    bool greps = strstr(cmd->words[0].text, "grep") != NULL;
    bool cuts = sf_pattern_fits("head|tail", 9, cmd->words[0].text);
    size_t operands = 0;

    if (!sf_pattern_fits(programs, sizeof(programs) - 1, cmd->words[0].text))
        return false;
    for (size_t i = 1; i < cmd->count; i++)
        operands += cmd->words[i].text[0] != '-' &&
                    strspn(cmd->words[i].text, "0123456789") != cmd->words[i].len;
    return operands <= greps &&
           !holds_letter(cmd, greps  ? "oefz"
                              : cuts ? "ocbz"
                                     : "o") &&
           !names_word(cmd, "--only-matching|--output*|--regexp*|--file*|--files0-from*|--bytes*");
}

/* Its output is its own, and goes nowhere else than where it is looked for. */
static bool redirects_errors(const struct sf_shell_command *cmd)
{
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next)
        if (r->op != SF_REDIRECT_WRITE)
            return false;
    return true;
}

/* The command whose names come through, by what it is; NULL: unknown. */
static const struct sf_shell_command *
source_of(struct sf_classifier *j, const struct sf_shell_command *cmd, const struct listing **row)
{
    *row = NULL;
    for (int i = 0; cmd && cmd->count && i < 8; i++) {
        if (sf_strlist_has(&j->functions, cmd->words[0].text))
            return NULL;
        if (is_plain(cmd) && (redirects_errors(cmd) || !strcmp(cmd->words[0].text, "wc")))
            return cmd;
        if (!redirects_errors(cmd))
            return NULL;
        if (!cmd->from || !passes_lines(cmd)) {
            *row = listing_of(j, cmd);
            return *row ? cmd : NULL;
        }
        cmd = cmd->from;
    }
    return NULL;
}

bool sf_outputs_inside(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    const struct listing *row;

    return source_of(j, cmd, &row) != NULL;
}

void sf_outputs_add(struct sf_classifier *j, const struct sf_shell_command *cmd,
                    struct sf_word_values *out)
{
    const struct listing *row;
    const struct sf_shell_command *source = source_of(j, cmd, &row);

    if (!source)
        out->anywhere = true;
    else if (row)
        add_listed(j, source, row, out);
    else
        add_name(j, out, "");
    out->listing = out->listing || (row && row->gives != GIVES_TEMP);
    out->names = out->names || out->listing;
}
