/*
 * Arithmetic against the real bash: every place where bash evaluates an expression, with every
 * way a variable can get a value, half of them hostile. What is judged readonly is run in a
 * scratch tree, many commands in one shell, and must leave the tree as it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/guard.h"
#include "support/test.h"
#include "support/tree.h"

/* Runs when arithmetic meets it; a builtin does it, so that thousands are run in seconds. */
#define EVIL "a[$(>PWN)]"

/* How x gets its value; the place comes where the @ is. VERSION and $EVIL hold the text as well. */
static const char *const ways[] = {
    "x='" EVIL "'; @",
    "x=\"a[\\$(>PWN)]\"; @",
    "x=a[\\$\\(\\>PWN\\)]; @",
    "x=$'a[\\x24(>PWN)]'; @",
    "x='a[`>PWN`]'; @",
    "x=$(cat VERSION); @",
    "x=`cat VERSION`; @",
    "x=$(<VERSION); @",
    "read -r x < VERSION; @",
    "read -r < VERSION; x=$REPLY; @",
    "IFS= read -r x <<< '" EVIL "'; @",
    "read -ra x < VERSION; @",
    "mapfile -t x < VERSION; @",
    "readarray -t y < VERSION; x=${y[0]}; @",
    "while read -r x; do @; done < VERSION",
    "cat VERSION | while read -r x; do @; done",
    "for x in '" EVIL "'; do @; done",
    "for x in $(cat VERSION); do @; done",
    "for x in 1 '" EVIL "' 2; do @; done",
    "f() { x=$1; @; }; f '" EVIL "'",
    "f() { local x=$1; @; }; f '" EVIL "'",
    "f() { local x=$1; @; }; f 3; f \"$(cat VERSION)\"",
    "f() { x='" EVIL "'; }; f; @",
    "set -- '" EVIL "'; x=$1; @",
    "set -- \"$(cat VERSION)\"; for x; do @; done",
    "printf -v x %s '" EVIL "'; @",
    "printf -v x '%s' \"$(cat VERSION)\"; @",
    "declare x='" EVIL "'; @",
    "export x='" EVIL "'; @",
    "typeset x=$(cat VERSION); @",
    "builtin declare x=$EVIL; @",
    "x=$EVIL; @",
    "x=${EVIL}; @",
    "x=${nothing:-$EVIL}; @",
    "x=${nothing:-" EVIL "}; @",
    ": ${x:=$EVIL}; @",
    "y='" EVIL "'; x=$y; @",
    "y='" EVIL "'; x=y; @",
    "y=$(cat VERSION); x=y+1; @",
    "y='" EVIL "'; z=y; x=z; @",
    "x=('" EVIL "'); @",
    "x=(1 '" EVIL "'); @",
    "x=a; x+='[$(>PWN)]'; @",
    "x=1; x+='+" EVIL "'; @",
    "x=1; x='" EVIL "'; @",
    "x=1; [ -f VERSION ] && x=$(cat VERSION); @",
    "x=1; if true; then x=$(cat VERSION); fi; @",
    "x=1; case a in a) x='" EVIL "';; esac; @",
    "x=1; for i in 1 2; do @; x=$(cat VERSION); done",
    "x=1; eval 'x=$(cat VERSION)'; @",
    "x=1; eval \"x='a[\\$(>PWN)]'\"; @",
    "x=1; trap 'x=$EVIL' DEBUG; true; @",
    "x=1; source <(echo 'x=$EVIL'); @",
    "x=1; declare -n r=x; r='" EVIL "'; @",
    "declare -n x=EVIL; @",
    "set -- -a '" EVIL "'; getopts a: o; x=$OPTARG; @",
    "select x in '" EVIL "'; do @; break; done <<< 1",
    "{ x='" EVIL "'; }; @",
    "x='" EVIL "' && @",
    "x=EVIL; @",
    "x=$(printf '%s' '" EVIL "'); @",
    "x=$(echo \"$EVIL\"); @",
    "x=\"$x$EVIL\"; @",
    "x=${EVIL%%nothing}; @",
    "x=$(head -1 VERSION); y=$x; x=$y; @",
    "coproc cat VERSION; read -r -u ${COPROC[0]} x; @",
    "x=$((1)); unset x; x=$EVIL; @",
    /* without harm, so that there is something to run */
    "x=5; @",
    "x=0; @",
    "x=-3; @",
    "x=0x1f; @",
    "x=1+2; @",
    "x=3.5; @",
    "x=''; @",
    "x=$((2 * 3)); @",
    "let x=4; @",
    "((x = 4)); @",
    "declare -i x=4; @",
    "y=2; x=$y; @",
    "y=2; x=y; @",
    "s=abc; x=${#s}; @",
    "for x in 1 2 3; do @; done",
    "for x in {1..3}; do @; done",
    "for x in $(seq 3); do @; done",
    "for ((x=0; x<2; x++)); do @; done",
    "f() { local x=$1; @; }; f 3",
    "f() { local -i x=2; @; }; f",
    "x=(1 2 3); @",
    "ls > /dev/null; x=$?; @",
    "x=$RANDOM; @",
    "export x=7; @",
    "x=1; x+=2; @",
    "x=2; { x=3; }; @",
};

/* Where bash may evaluate what x holds. */
static const char *const places[] = {
    "echo $((x))",
    "echo $((x+1))",
    "echo $(( $x ))",
    "echo $(( ${x} + 1 ))",
    "echo $((10#$x))",
    "echo $[x]",
    "echo $[ $x * 2 ]",
    "((x))",
    "(( $x ))",
    "(( x++ ))",
    "(( x += 1 ))",
    "(( y = x ))",
    "(( y[x] = 1 ))",
    "let x",
    "let \"y = x\"",
    "let \"$x\"",
    "let y=$x",
    "let 'y[x]=1'",
    "builtin let x",
    "command let \"$x\"",
    "[[ x -eq 1 ]]",
    "[[ $x -ne 1 ]]",
    "[[ \"$x\" -lt 1 ]]",
    "[[ 1 -gt x ]]",
    "[[ 1 -ge $x ]]",
    "[[ ( x -le 1 ) ]]",
    "[[ ! x -eq 1 ]]",
    "[[ -n a && $x -eq 1 ]]",
    "[ \"$x\" -eq 1 ]",
    "test \"$x\" -lt 3",
    "[ -v \"$x\" ]",
    "[ -v \"y[$x]\" ]",
    "[ -v y[x] ]",
    "test -v y[x]",
    "[[ -v $x ]]",
    "[[ -v y[x] ]]",
    "[[ -v 'y[x]' ]]",
    "[[ -R x ]]",
    "s=abcdef; echo ${s:x}",
    "s=abcdef; echo ${s:$x}",
    "s=abcdef; echo ${s:0:x}",
    "s=abcdef; echo \"${s:0:$x}\"",
    "s=abcdef; echo ${s: -x}",
    "s=abcdef; echo ${s:(x)}",
    "echo ${x:0:3}",
    "y=(1 2 3); echo ${y[x]}",
    "y=(1 2 3); echo ${y[$x]}",
    "y=(1 2 3); echo ${#y[x]}",
    "y=(1 2 3); echo \"${y[@]:x}\"",
    "y=(1 2 3); echo ${y[@]:0:$x}",
    "echo ${@:x}",
    "echo ${*:1:x}",
    "echo ${y[x]:-1}",
    "y[x]=1",
    "y[$x]=1",
    "y[x]+=1",
    "y=([x]=1)",
    "y=([$x]=1)",
    "y+=([x]=1)",
    "y=(1 [x]=2)",
    "declare y[x]=1",
    "declare -a y=([x]=1)",
    "declare -A y; y[$x]=1",
    "declare -A y; echo \"${y[$x]}\"",
    "declare -A y=([$x]=1)",
    "declare -A y; unset \"y[$x]\"",
    "declare -A y; printf -v \"y[$x]\" z",
    "declare -A y; unset y; y[$x]=1",
    "( declare -A y ); y[$x]=1",
    "g() { declare -A y; }; y[$x]=1",
    "declare -i y=x",
    "declare -i y=$x",
    "declare -i y; y=x",
    "declare -i y; y=$x",
    "declare -i y; y+=x",
    "declare -i x; x=$x",
    "typeset -i y=$x",
    "builtin declare -i y=$x",
    "g() { local -i y=$x; }; g",
    "g() { local -i y; y=x; }; g",
    "declare -i y; read -r y <<< \"$x\"",
    "declare -i y; printf -v y %s \"$x\"",
    "declare -i y; for y in \"$x\"; do :; done",
    "declare -i y; : ${y:=$x}",
    "declare -i y; export y=$x",
    "declare -i y; readonly y=$x",
    "declare -i y; mapfile -t y <<< \"$x\"",
    "declare -ai y; y=(\"$x\")",
    "declare -ai y; y[0]=$x",
    "printf -v y[x] 1",
    "printf -v \"y[$x]\" 1",
    "printf -v \"$x\" 1",
    "printf %d \"$x\"",
    "read \"y[$x]\" <<< 1",
    "read y[x] <<< 1",
    "read -r \"$x\" <<< 1",
    "y=(1); unset \"y[$x]\"",
    "y=(1); unset y[x]",
    "y=(1); unset -v \"y[$x]\"",
    "unset \"$x\"",
    "mapfile -O \"$x\" y <<< 1",
    "RANDOM=x",
    "RANDOM=$x",
    "SRANDOM=$x",
    "HISTCMD=$x",
    "OPTIND=$x",
    "SECONDS=$x",
    "declare -n r=x; echo $((r))",
    "declare -n r='y[x]'; echo $r",
    "declare -n r=\"$x\"; echo $r",
    "declare -n r; for r in \"$x\"; do echo $r; done",
    "echo ${!x}",
    "echo \"${!x}\"",
    "echo ${x@P}",
    "echo ${x@Q}",
    "for ((i=x; i<1; i++)); do break; done",
    "for ((i=0; i<x; i++)); do break; done",
    "for ((i=0; i<1; i+=x)); do break; done",
    "for ((i=0; i<$x; i++)); do break; done",
    "true & wait -n -p \"$x\"",
    "true & wait -n -p y[x]",
    "exec {y[x]}>/dev/null",
    ": {y[x]}>/dev/null",
    "PS4=\"$x\"; set -x; true",
    "PS4='$((x))'; set -x; true",
    "trap 'echo $((x))' EXIT",
    "compgen -W \"$x\"",
    "compgen -W '$((x))'",
    "echo ${z:-$((x))}",
    "echo ${x:+$((x))}",
    "echo \"${z/$((x))/}\"",
    "echo \"$((x))\"",
    "cat <<< $((x))",
    "cat <<E\n$((x))\nE",
    "echo $(echo $((x)))",
    "echo `echo $((x))`",
    "cat <(echo $((x)))",
    "echo a >&$((x + 1))",
    "time (( x ))",
    "! (( x ))",
    "if (( x )); then :; fi",
    "while (( x )); do break; done",
    "until (( ! x )); do break; done",
    "case $((x)) in 1) ;; esac",
    "g() { echo $(($1)); }; g \"$x\"",
    "g() { echo $(($1)); }; g x",
    "g() { local -i n=$1; }; g \"$x\"",
    "g() { (( n = $1 )); }; g $x",
    "z=$x; echo $((z))",
    "z=x; echo $((z))",
    "eval 'echo $((x))'",
    "eval \"echo \\$((x))\"",
    "export x; bash -c 'echo $((x))'",
    "x=$x bash -c 'echo $((x))'",
    "bash -c 'echo $(($1))' _ \"$x\"",
    "env x=\"$x\" bash -c '(( x ))'",
    "echo \"$x\" | while read -r w; do echo $((w)); done",
    "echo $((y = x, y))",
    "echo $((z ? 1 : x))",
    "echo ${PIPESTATUS[x]}",
    "DIRSTACK[x]=1",
    "test 1 -eq 1 && echo $((x))",
    "shift $x",
    "head -n $((x)) VERSION",
    "echo {1..$x}",
    "echo \"$x\"",
    "printf '%s\\n' \"$x\"",
};

/* What may stand around a command; the % is the command. */
static const char *const around[] = {
    "%", "( % )", "{ %; }", "if true; then %; fi", "true && { %; }", "h() { %; }; h", "true; %",
};

struct run {
    char *tree;              /* where the commands run */
    char *dir;               /* around it */
    struct sf_strbuf script; /* those judged readonly, as calls of a function */
    size_t made, readonly;
};

static void put_in(struct sf_strbuf *out, const char *frame, char mark, const char *text)
{
    const char *at = strchr(frame, mark);

    sf_strbuf_add(out, frame, (size_t)(at - frame));
    sf_strbuf_adds(out, text);
    sf_strbuf_adds(out, at + 1);
}

static void quote(struct sf_strbuf *out, const char *text)
{
    sf_strbuf_addch(out, '\'');
    for (; *text; text++)
        sf_strbuf_adds(out, *text == '\'' ? "'\\''" : (const char[2]){ *text, '\0' });
    sf_strbuf_addch(out, '\'');
}

static bool is_readonly(const char *text)
{
    struct sf_shell_report report;
    bool is;

    sf_shell_classify(text, strlen(text), &report);
    is = report.class == SF_CLASS_READONLY;
    sf_shell_report_release(&report);
    return is;
}

static void add_command(struct run *r, const char *text)
{
    r->made++;
    if (!is_readonly(text))
        return;
    r->readonly++;
    sf_strbuf_adds(&r->script, "run ");
    quote(&r->script, text);
    sf_strbuf_addch(&r->script, '\n');
}

static void make(struct run *r, size_t way, size_t place, size_t frame)
{
    struct sf_strbuf inner = SF_STRBUF_INIT, text = SF_STRBUF_INIT;

    put_in(&inner, ways[way], '@', places[place]);
    if (strchr(places[place], '\n'))
        sf_strbuf_adds(&text, inner.buf); /* a here-document ends where its line does */
    else
        put_in(&text, around[frame], '%', inner.buf);
    add_command(r, text.buf);
    sf_strbuf_release(&inner);
    sf_strbuf_release(&text);
}

/* One line for each command after which the tree was another one, and then it is put back. */
static char *run_all(struct run *r, size_t *len)
{
    static const char head[] = "export EVIL='" EVIL "'\n"
                               "run() {\n"
                               "  ( ulimit -t 5; eval \" $1\" ) </dev/null >/dev/null 2>&1\n"
                               "  set -- \"$1\" * src/*\n"
                               "  [ \"${*:2}\" = 'VERSION src src/main.c' ] && return\n"
                               "  printf '%s\\n' \"$1\"; rm -f PWN\n"
                               "}\n";
    struct sf_strbuf all = SF_STRBUF_INIT;
    char *path = test_path(r->dir, "batch.sh");
    char *out;

    sf_strbuf_adds(&all, head);
    sf_strbuf_add(&all, r->script.buf, r->script.len);
    test_write(path, all.buf, all.len);
    out = tree_run(r->tree, "bash ../batch.sh 2>/dev/null", len);
    sf_strbuf_release(&all);
    free(path);
    return out;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;

    while ((text = strchr(text, '\n')) != NULL) {
        text++;
        n++;
    }
    return n;
}

static int setup(void **state)
{
    struct run *r = sf_alloc(sizeof(*r));

    r->dir = test_dir_new();
    r->tree = test_path(r->dir, "tree");
    tree_puts(r->tree, "VERSION", EVIL "\n");
    tree_puts(r->tree, "src/main.c", "int main(void) { return 0; }\n");
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    struct run *r = *state;

    sf_strbuf_release(&r->script);
    free(r->tree);
    test_dir_free(r->dir);
    free(r);
    return 0;
}

/* The runner sees what it is there to see: each of these does run the text. */
static void test_runner_notices(void **state)
{
    static const char *const bad[] = {
        "x='" EVIL "'; echo $((x))",
        "x=$(cat VERSION); let x",
        "echo $((EVIL))",
        "declare -i y; read -r y < VERSION",
    };
    struct run *r = *state;
    size_t len, lines;
    char *out;

    for (size_t i = 0; i < SF_COUNT(bad); i++) {
        assert_false(is_readonly(bad[i]));
        sf_strbuf_adds(&r->script, "run ");
        quote(&r->script, bad[i]);
        sf_strbuf_adds(&r->script, "\nrun 'echo fine'\n");
    }
    out = run_all(r, &len);
    lines = count_lines(out);
    free(out);
    assert_int_equal(lines, SF_COUNT(bad));
}

/* With SF_LONG everything stands in every frame, else in one of them. */
static void test_readonly_changes_nothing(void **state)
{
    struct run *r = *state;
    bool all = getenv("SF_LONG") != NULL;
    size_t len, changed;
    char *out;

    for (size_t w = 0; w < SF_COUNT(ways); w++)
        for (size_t p = 0; p < SF_COUNT(places); p++)
            for (size_t f = 0; f < SF_COUNT(around); f++)
                if (all || f == (w * 5 + p) % SF_COUNT(around))
                    make(r, w, p, f);
    print_message("%zu commands, %zu of them readonly and run\n", r->made, r->readonly);
    out = run_all(r, &len);
    changed = count_lines(out);
    if (changed)
        print_message("%zu of them changed the tree:\n%.900s\n", changed, out);
    free(out);
    assert_true(r->made >= 10000);
    assert_true(r->readonly >= 1500);
    assert_int_equal(changed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_runner_notices, setup, teardown),
        cmocka_unit_test_setup_teardown(test_readonly_changes_nothing, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
