/*
 * The shell reader: what it finds in a text, and what it refuses to guess at. A result is drawn
 * as one line: commands apart by " / ", words by blanks, the unknown part of a word as "…",
 * assignments as NAME=value, redirections as sign and target, a body in «».
 */
#include <stdio.h>
#include <string.h>

#include "guard/guard.h"
#include "support/test.h"

static void draw_word(struct sf_strbuf *sb, const struct sf_word *w)
{
    if (!(w->flags & SF_WORD_EXPANDS)) {
        sf_strbuf_adds(sb, *w->text ? w->text : "''");
    } else if (w->flags & SF_WORD_BRACE) {
        sf_strbuf_addf(sb, "%.*s…", (int)w->head, w->text);
    } else {
        sf_strbuf_addf(sb, "%.*s…%s", (int)w->head, w->text, w->text + w->len - w->tail);
    }
}

static void draw_redirect(struct sf_strbuf *sb, const struct sf_redirect *r)
{
    static const char *const signs[] = { "<", ">", ">>", "&>", "<>", "dup:", "<<", "<<<" };

    if (r->fd >= 0)
        sf_strbuf_addf(sb, "%d", r->fd);
    sf_strbuf_adds(sb, signs[r->op]);
    if (r->op == SF_REDIRECT_TEXT)
        sf_strbuf_addf(sb, "%s«%.*s»", r->expands ? "" : "'", (int)r->body_len, r->body);
    else
        draw_word(sb, &r->target);
}

static void draw_command(struct sf_strbuf *sb, const struct sf_shell_command *cmd)
{
    static const char *const kinds[] = { "", "for:", "case:", "test:", "function:", "group:" };
    const char *gap = "";

    sf_strbuf_adds(sb, cmd->piped ? "|" : "");
    sf_strbuf_adds(sb, kinds[cmd->kind]);
    for (const struct sf_assign *a = cmd->assigns; a; a = a->next, gap = " ") {
        sf_strbuf_addf(sb, "%s%s=", gap, a->name);
        draw_word(sb, &a->value);
    }
    for (size_t i = 0; i < cmd->count; i++, gap = " ") {
        sf_strbuf_adds(sb, gap);
        draw_word(sb, &cmd->words[i]);
    }
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next, gap = " ") {
        sf_strbuf_adds(sb, gap);
        draw_redirect(sb, r);
    }
}

static void draw(struct sf_strbuf *sb, const char *text, size_t len)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_shell shell;

    if (!sf_shell_read(&shell, text, len, &arena)) {
        sf_strbuf_addf(sb, "unreadable at %zu: %s", shell.problem_at, shell.problem);
    } else {
        for (const struct sf_shell_command *cmd = shell.first; cmd; cmd = cmd->next) {
            if (cmd->kind >= SF_SHELL_ARITH)
                continue;
            sf_strbuf_adds(sb, sb->len ? " / " : "");
            draw_command(sb, cmd);
        }
    }
    sf_arena_release(&arena);
}

struct drawing {
    const char *name, *text, *want;
};

static const struct drawing words[] = {
    { "nothing", "", "" },
    { "blanks only", "  \t ", "" },
    { "a comment", "# rm -rf /", "" },
    { "a comment behind a command", "ls # rm", "ls" },
    { "a hash inside a word", "ls a#b", "ls a#b" },
    { "plain words", "ls -la src", "ls -la src" },
    { "single quotes", "echo 'a b' c", "echo a b c" },
    { "empty quotes are a word", "echo '' \"\"", "echo '' ''" },
    { "quotes inside a word", "r'm' \"-r\"f", "rm -rf" },
    { "backslash", "r\\m -r\\f", "rm -rf" },
    { "backslash in double quotes", "echo \"a\\b\\\"\\$x\\\\\"", "echo a\\b\"$x\\" },
    { "the apostrophe idiom", "echo 'don'\\''t'", "echo don't" },
    { "continuation in a word", "r\\\nm x", "rm x" },
    { "continuation between words", "rm \\\n x", "rm x" },
    { "continuation in double quotes", "find \"-de\\\nlete\"", "find -delete" },
    { "no continuation in single quotes", "echo 'a\\\nb'", "echo a\\\nb" },
    { "ansi string", "$'\\x72\\155' $'a\\tb\\'c'", "rm a\tb'c" },
    { "ansi unicode of an ascii letter", "$'\\u0072m'", "rm" },
    { "locale string", "echo $\"hi\"", "echo hi" },
    { "dollar alone", "echo $ a$", "echo $ a$" },
    { "variable", "echo $x a$x.c \"$x\"", "echo … a….c …" },
    { "special parameters", "echo $1 $@ $? $$ $12", "echo … … … … …2" },
    { "braced", "echo ${x} a${x:-y}b ${#x} ${x%.c} ${x//a/b}", "echo … a…b … … …" },
    { "array", "echo ${a[@]} ${a[1]} ${!a[@]} ${!pre*}", "echo … … … …" },
    { "quotes in an operand", "echo ${x:-'}'} ${x:-\"}\"}z", "echo … …z" },
    { "brace words", "cp f{,.bak} {a,b} {} {x} {1..3}", "cp f… … {} {x} …" },
    { "glob and tilde stay text", "ls *.c ~/x", "ls *.c ~/x" },
    { "arithmetic", "echo $((1+(2*3))) $(( $x ))", "echo … …" },
    { "carriage return is a letter", "ls\r x", "ls\r x" },
    { "outside ascii", "echo \xc3\xa4", "echo \xc3\xa4" },
};

static const struct drawing commands[] = {
    { "a list", "a; b & c && d || e\nf", "a / b / c / d / e / f" },
    { "a trailing separator", "a;", "a" },
    { "a pipeline", "a | b |& c", "a / |b / |c" },
    { "newline behind a pipe", "a |\n b", "a / |b" },
    { "substitution", "echo $(date -u) x", "echo … x / date -u" },
    { "in double quotes", "echo \"a $(b) c\"", "echo a … c / b" },
    { "nested", "echo $(cat $(head -1 f))", "echo … / cat … / head -1 f" },
    { "backticks", "echo a`b c`d", "echo a…d / b c" },
    { "backticks in backticks", "echo `a \\`b\\``", "echo … / a … / b" },
    { "quotes inside backticks", "echo `a '$(b)'`", "echo … / a $(b)" },
    { "subshell in a substitution", "echo $( (a) )", "echo … / a" },
    { "process substitution", "diff <(sort a) >(b)", "diff … … / sort a / b" },
    { "in a default value", "echo ${x:-$(rm y)}", "echo … / rm y" },
    { "in arithmetic", "echo $((1+$(rm y)))", "echo … / rm y" },
    { "in a subscript", "echo ${a[$(rm y)]}", "echo … / rm y" },
    { "subshell", "(a; b) | c", "a / b / |c" },
    { "group", "{ a; b; }", "a / b" },
    { "group with redirection", "{ a; } > f 2>&1", "a / group:>f 2dup:1" },
    { "if", "if a; then b; elif c; then d; else e; fi", "a / b / c / d / e" },
    { "while", "while a; do b; done < f", "a / b / group:<f" },
    { "until over lines", "until a\ndo\nb\ndone", "a / b" },
    { "for", "for i in a *.c; do b $i; done", "for:i a *.c / b …" },
    { "for without words", "for i do a; done", "for:i / a" },
    { "arithmetic for", "for ((i=0;i<3;i++)); do a; done", "a" },
    { "select", "select x in a; do b; done", "for:x a / b" },
    { "case", "case $x in a|b*) c;; (d) e;& *) f; esac", "case:… / c / e / f" },
    { "case with an empty arm", "case x in a) ;; esac", "case:x" },
    { "double brackets", "[[ -f a && $x == *(b|c) ]] && d", "test:-f a … == *(b|c) / d" },
    { "regular expression", "[[ $x =~ ^(a|b)+$ ]]", "test:… =~ ^(a|b)+$" },
    { "arithmetic command", "((x > 1)) && a", "a" },
    { "function", "f() { a; }; f", "function:f / a / f" },
    { "function of ksh", "function f { a; }", "function:f / a" },
    { "function with a subshell body", "f () ( a )", "function:f / a" },
    { "negation and time", "! a; time -p b; time c; coproc d", "a / b / c / d" },
    { "time as a program", "time -f x b", "time -f x b" },
    { "keywords as arguments", "echo if then } done", "echo if then } done" },
    { "assignments", "A=1 B+='x y' C=$(d) e F=g", "A=1 B=x y C=… e F=g / d" },
    { "bare assignment", "A=$(rm x)", "A=… / rm x" },
    { "array assignment", "a=(1 $(b)) c", "a=… c / b" },
    { "element assignment", "a[1]=x b", "a=x b" },
    { "declared array", "declare -A m=([a]=b)", "declare -A m=…" },
    { "pipe into a group reaches its commands", "a | { b; c; }", "a / |b / |c" },
    { "and ends behind it", "a | (b); c", "a / |b / c" },
};

static const struct drawing redirects[] = {
    { "all signs", "a <b >c >>d >|e &>f &>>g <>h", "a <b >c >>d >e &>f &>g <>h" },
    { "descriptors", "a 2>b 2>&1 >&2 3<&- {fd}>c", "a 2>b 2dup:1 1dup:2 3dup:- >c" },
    { "both by an old sign", "a >& b", "a 1&>b" },
    { "digits with a blank are a word", "a 12 >b", "a 12 >b" },
    { "in front and between", "> a b < c d", "b d >a <c" },
    { "bare", "> a", ">a" },
    { "unknown target", "a > x$(b)", "a >x… / b" },
    { "here-string", "a <<< 'b c'", "a <<<b c" },
    { "here-document", "a <<E b\nx $y\nE\nc", "a b <<«x $y\n» / c" },
    { "quoted delimiter", "a <<'E'\n$(b)\nE", "a <<'«$(b)\n»" },
    { "expanding body", "a <<E\nx $(b) `c`\nE", "a <<«x $(b) `c`\n» / b / c" },
    { "escaped in the body", "a <<E\n\\$(b)\nE", "a <<«\\$(b)\n»" },
    { "stripped tabs", "a <<-E\n\tx\n\tE\nb", "a <<«\tx\n» / b" },
    { "two on a line", "a <<A <<B\n1\nA\n2\nB\nc", "a <<«1\n» <<«2\n» / c" },
    { "with a pipe", "a <<E | b\nx\nE", "a <<«x\n» / |b" },
    { "inside a substitution", "x $(a <<E\n1\nE\n)", "x … / a <<«1\n»" },
    { "the delimiter must stand alone", "a <<E\nEE\n E\nE", "a <<«EE\n E\n»" },
    { "behind a compound", "while a; do b; done <<E\n1\nE", "a / b / group:<<«1\n»" },
};

static const struct drawing refusals[] = {
    { "open single quote", "a 'b", "unreadable at 3: a quote is not closed" },
    { "open double quote", "a \"b", "unreadable at 4: a quote is not closed" },
    { "open ansi quote", "a $'b", "unreadable at 5: a quote is not closed" },
    { "open substitution", "a $(b", "unreadable at 5: a parenthesis is not closed" },
    { "open backtick", "a `b", "unreadable at 2: a backtick is not closed" },
    { "open parameter", "a ${b", "unreadable at 5: a parameter expansion cannot be read" },
    { "open body", "a <<E\nb", "unreadable at 7: a here-document has no end" },
    { "body that never begins", "a <<E", "unreadable at 5: a here-document has no end" },
    { "unknowable delimiter", "a <<$x\nb\n$x",
      "unreadable at 6: the end of a here-document cannot be known" },
    { "delimiter behind a backslash", "a <<E\nb\\\nE\nrm x\nE",
      "unreadable at 9: a here-document ends behind a backslash" },
    { "stray closing parenthesis", "echo )(",
      "unreadable at 5: something stands where a command should" },
    { "stray case terminator", "ls ;; pwd",
      "unreadable at 3: something stands where a command should" },
    { "zsh glob qualifier", "ls *(e:'rm':)",
      "unreadable at 4: something stands where a command should" },
    { "zsh equals substitution", "cat =(ls)",
      "unreadable at 5: something stands where a command should" },
    { "zsh flags", "echo ${(e)x}", "unreadable at 7: a parameter expansion cannot be read" },
    { "open if", "if a; then b", "unreadable at 12: a compound command is not complete" },
    { "empty group", "{ }", "unreadable at 2: a compound command is empty" },
    { "keyword out of place", "then a",
      "unreadable at 0: something stands where a command should" },
    { "keyword split by a continuation", "i\\\nf a",
      "unreadable at 6: a word of the shell's grammar is out of place" },
    { "dollar split by a continuation", "echo $\\\n(rm x)",
      "unreadable at 6: a dollar sign cannot be read" },
    { "operator at the end", "a &&", "unreadable at 4: a command is missing" },
    { "pipe at the end", "a |", "unreadable at 3: a command is missing" },
    { "redirection without target", "a >", "unreadable at 3: a word is missing" },
    { "two readings of parentheses", "echo $((a); (b))",
      "unreadable at 9: parentheses can be read in two ways" },
    { "semicolon in arithmetic", "((a; b", "unreadable at 3: arithmetic cannot be read" },
    { "escape outside quotes", "ls \x1b[2K",
      "unreadable at 3: it holds a control character outside quotes" },
    { "backslash at the end", "ls \\", "unreadable at 3: it ends in a backslash" },
    { "old arithmetic that does not end", "echo $[1+1",
      "unreadable at 10: arithmetic cannot be read" },
    { "an element in the place of a descriptor", "exec {a[i]}>f",
      "unreadable at 5: an array subscript cannot be read" },
    { "zero by an escape", "$'a\\0b'", "unreadable at 5: an escape stands for no character" },
    { "single quote in a quoted operand", "echo \"${x:-'}\"",
      "unreadable at 11: a parameter expansion cannot be read" },
};

static void check_table(const struct drawing *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;
        char got[512];

        draw(&sb, table[i].text, strlen(table[i].text));
        snprintf(got, sizeof(got), "%s", sb.buf);
        sf_strbuf_release(&sb);
        if (strcmp(got, table[i].want) != 0)
            fail_msg("%s: %s\n got: %s\nwant: %s", table[i].name, table[i].text, got,
                     table[i].want);
    }
}

static void test_words(void **state)
{
    (void)state;
    check_table(words, SF_COUNT(words));
}

static void test_commands(void **state)
{
    (void)state;
    check_table(commands, SF_COUNT(commands));
}

static void test_redirects(void **state)
{
    (void)state;
    check_table(redirects, SF_COUNT(redirects));
}

static void test_refusals(void **state)
{
    (void)state;
    check_table(refusals, SF_COUNT(refusals));
}

/* Joins and marks: { } group, ( ) subshell, $ output, ? branch, @ loop, f function, / next arm. */
static void draw_marks(struct sf_strbuf *sb, const char *text)
{
    static const char *const joins[] = { ";", "&&", "||", "|", "" };
    static const char nests[] = "{($?@f";
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_shell shell;

    assert_true(sf_shell_read(&shell, text, strlen(text), &arena));
    for (const struct sf_shell_command *c = shell.first; c; c = c->next) {
        if (c->kind == SF_SHELL_CLOSE)
            sf_strbuf_adds(sb, "<");
        else if (c->kind == SF_SHELL_TURN)
            sf_strbuf_addf(sb, "/%s", joins[c->join]);
        else if (c->kind == SF_SHELL_OPEN)
            sf_strbuf_addf(sb, "%s%c", joins[c->join], nests[c->nest]);
        else if (c->kind != SF_SHELL_ARITH)
            sf_strbuf_addf(sb, "%s%s%s", joins[c->join], c->loose ? "~" : "",
                           c->count ? c->words[0].text : "=");
    }
    sf_arena_release(&arena);
}

static void test_marks(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "a; b && c || d", ";a;b&&c||d" },
        { "a & b", ";~a;b" },
        { "! a && b", ";~a&&b" },
        { "a | b; c", ";~a|~b;c" },
        { "(a; b) | c", ";(;a;b<|~c" },
        { "{ a && b; } && c", ";{;a&&b<&&c" },
        { "a $(b; c) && d", ";a;$;b;c<&&d" },
        { "a && (( 1 )) || b", ";a&&{<||b" },
        { "if a; then b; else c; fi; d", ";?;a/&&;b/||;c<;d" },
        { "for i in x; do a; done && b", ";i@;a<&&b" },
        { "while a; do b; done", ";@;a;b<" },
        { "case x in y) a;; z) b;; esac", ";x?;a/;;b/;<" },
        { "f() { a; }; b", ";ff;{;a<<;b" },
        { "a &&\nb\nc", ";a&&b;c" },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;
        bool same;

        draw_marks(&sb, cases[i].text);
        same = !strcmp(sb.buf, cases[i].want);
        if (!same)
            print_message("%s: %s\n", cases[i].text, sb.buf);
        sf_strbuf_release(&sb);
        assert_true(same);
    }
}

static void test_zero_byte(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    draw(&sb, "ls\0rm", 5);
    assert_string_equal(sb.buf, "unreadable at 2: it holds a zero byte");
    sf_strbuf_release(&sb);
}

static void test_flags(void **state)
{
    static const struct {
        const char *text; /* one word */
        unsigned flags;
        const char *lead;
    } cases[] = {
        { "a", 0, NULL },
        { "'a'", SF_WORD_QUOTED, NULL },
        { "\\a", SF_WORD_QUOTED, NULL },
        { "$x", SF_WORD_EXPANDS | SF_WORD_SPLITS, "x" },
        { "\"$x\"", SF_WORD_EXPANDS | SF_WORD_QUOTED, "x" },
        { "${x}/y", SF_WORD_EXPANDS | SF_WORD_SPLITS, "x" },
        { "${x%y}", SF_WORD_EXPANDS | SF_WORD_SPLITS, "x" },
        { "${x#y}", SF_WORD_EXPANDS | SF_WORD_SPLITS, NULL },
        { "a$x", SF_WORD_EXPANDS | SF_WORD_SPLITS, NULL },
        { "$(x)", SF_WORD_EXPANDS | SF_WORD_SPLITS | SF_WORD_SUBST, NULL },
        { "<(x)", SF_WORD_EXPANDS | SF_WORD_SUBST | SF_WORD_PROCESS, NULL },
        { "*.c", SF_WORD_GLOB, NULL },
        { "'*'", SF_WORD_QUOTED, NULL },
        { "[", 0, NULL },
        { "[ab]", SF_WORD_GLOB, NULL },
        { "~/x", SF_WORD_TILDE, NULL },
        { "'~'", SF_WORD_QUOTED, NULL },
        { "{a,b}", SF_WORD_BRACE | SF_WORD_EXPANDS | SF_WORD_SPLITS, NULL },
        { "'{a,b}'", SF_WORD_QUOTED, NULL },
        { "a\r", SF_WORD_ODD, NULL },
        { "\xe3\x80\x80", SF_WORD_ODD, NULL },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_arena arena = SF_ARENA_INIT;
        struct sf_shell shell;
        unsigned flags = ~0u;
        char lead[16] = "";

        if (sf_shell_read(&shell, cases[i].text, strlen(cases[i].text), &arena)) {
            flags = shell.first->words[0].flags;
            if (shell.first->words[0].lead)
                snprintf(lead, sizeof(lead), "%s", shell.first->words[0].lead);
        }
        sf_arena_release(&arena);
        if (flags != cases[i].flags || strcmp(lead, cases[i].lead ? cases[i].lead : "") != 0)
            fail_msg("%s: flags %x lead %s", cases[i].text, flags, lead);
    }
}

static void test_tricks(void **state)
{
    static const struct {
        const char *text;
        unsigned tricks;
    } cases[] = {
        { "echo ${x@P}", 1 << SF_TRICK_PROMPT },
        { "echo ${x@Q}", 0 },
        { "echo ${!x}", 1 << SF_TRICK_INDIRECT },
        { "echo ${!x[@]} ${!x*}", 0 },
        { "echo ${x:=y}", 1 << SF_TRICK_ASSIGN },
        { "echo ${x=\"$y\"}", 1 << SF_TRICK_ASSEMBLE },
        { "echo ${x:-y}", 0 },
        { "echo '${x@P}'", 0 },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_arena arena = SF_ARENA_INIT;
        struct sf_shell shell;
        bool read = sf_shell_read(&shell, cases[i].text, strlen(cases[i].text), &arena);

        sf_arena_release(&arena);
        if (!read || shell.tricks != cases[i].tricks)
            fail_msg("%s: tricks %x", cases[i].text, shell.tricks);
    }
}

/* Every place where bash evaluates an expression lists it, behind the command it belongs to. */
static void test_expressions(void **state)
{
    static const struct drawing cases[] = {
        { "expansion", "echo $((x + 1))", "x + 1" },
        { "the old brackets", "echo $[x * 2]", "x * 2" },
        { "command", "((x++))", "x++" },
        { "in a condition", "if ((x)); then ls; fi", "x" },
        { "loop", "for ((i=0; i<3; i++)); do ls; done", "i=0; i<3; i++" },
        { "with an expansion in it", "echo $(( $x + 1 ))", " … + 1 " },
        { "one in another", "echo $(( $((y)) ))", "y /  … " },
        { "subscript", "echo ${a[i]} ${#a[i+1]}", "i / i+1" },
        { "all elements are no subscript", "echo ${a[@]} ${a[*]}", "" },
        { "element set", "a[i]=1", "i" },
        { "element set by a value", "a[$i]=1", "…" },
        { "elements with subscripts", "a=([i]=1 2 [j]=3)", "[i / [j" },
        { "of a declaration", "declare -a a=([i]=1)", "[i" },
        { "offset and length", "echo ${x:i:j} ${@:2}", "i:j / 2" },
        { "a default is none", "echo ${x:-i} ${x:+i} ${x:?i}", "" },
        { "in a default", "echo ${x:-$((i))}", "i" },
        { "in a here-document", "cat <<E\n$((i))\nE\n", "i" },
        { "behind time", "time ((x))", "x" },
        { "in quotes", "echo \"$((x))\" '$((y))'", "x" },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_arena arena = SF_ARENA_INIT;
        struct sf_strbuf sb = SF_STRBUF_INIT;
        struct sf_shell shell;
        bool read = sf_shell_read(&shell, cases[i].text, strlen(cases[i].text), &arena), right;

        for (const struct sf_shell_command *c = shell.first; c; c = c->next)
            if (c->kind == SF_SHELL_ARITH) {
                sf_strbuf_adds(&sb, sb.len ? " / " : "");
                draw_word(&sb, &c->words[0]);
            }
        right = read && !strcmp(sb.buf, cases[i].want);
        if (!right)
            print_message("%s: %s\n", cases[i].name, sb.buf);
        sf_strbuf_release(&sb);
        sf_arena_release(&arena);
        assert_true(right);
    }
}

/* Hostile shapes: bounded memory and a step count that follows the length, not its square. */
static void test_linear(void **state)
{
    const size_t size = 65536;
    static const char *const pieces[] = {
        "'",          "\"",    "'a' ",    "\"a\"", "$(",    "`",       "\\`",  "((",        "(",
        "{ ",         "${x:-", "$((",     "a;",    "a|",    "<<E\n",   "<<E ", "a[",        "a=(",
        "case x in ", "if ",   "[[ ",     "!",     "time ", "{a,",     "$x",   ">a ",       "a\n",
        "\\\n",       "#",     "f(){ ",   "&&",    "a&&",   "$'\\x41", "<(",   "[[ a =~ (", "a=1 ",
        "\"$(",       "\"`",   "\"${x:-", "\r",    "1>",    "{x}>a ",
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(pieces); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_arena arena = SF_ARENA_INIT;
        struct sf_shell shell;
        size_t used;

        while (text.len < size)
            sf_strbuf_adds(&text, pieces[i]);
        sf_shell_read(&shell, text.buf, text.len, &arena);
        used = arena.used;
        sf_arena_release(&arena);
        sf_strbuf_release(&text);
        if (used > 16 * size || shell.steps > 8 * size)
            fail_msg("%s repeated: %zu bytes, %zu steps", pieces[i], used, shell.steps);
    }
}

static void test_limits(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT, sb = SF_STRBUF_INIT;

    (void)state;
    for (int i = 0; i <= SF_SHELL_DEPTH; i++)
        sf_strbuf_adds(&text, "( ");
    draw(&sb, text.buf, text.len);
    assert_string_equal(sb.buf, "unreadable at 96: it is nested too deeply");
    sf_strbuf_reset(&text);
    sf_strbuf_reset(&sb);
    sf_strbuf_fill(&text, 'a', SF_SHELL_BYTES + 1);
    draw(&sb, text.buf, text.len);
    assert_string_equal(sb.buf, "unreadable at 0: it is too large");
    sf_strbuf_release(&text);
    sf_strbuf_release(&sb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),     cmocka_unit_test(test_commands),
        cmocka_unit_test(test_redirects), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_zero_byte), cmocka_unit_test(test_flags),
        cmocka_unit_test(test_tricks),    cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_linear),    cmocka_unit_test(test_limits),
        cmocka_unit_test(test_marks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
