#!/usr/bin/env bash
# selftest.sh ROOT BUILD: every lint sees its offence. Each is planted in a copy of the tree (of the
# objects too, where the lint reads calls), must be found there, and the copy is clean without it.
set -euo pipefail
root=$(realpath "$1") build=$(realpath "$2")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cases=0 bad=0

fresh_copy() {
    rm -rf "${copy:?}"/*
    mkdir -p "$copy/tests" "$copy/build/CMakeFiles"
    cp -r "$root/src" "$copy/src"
    (cd "$root" && find tests -name '*.[ch]' -exec cp --parents -t "$copy" {} +)
    cp -r "$root/tests/lint" "$root"/tests/{layers,CMakeLists}.txt "$root/tests/check_layers.sh" \
        "$copy/tests"
    cp -r "$root/docs" "$copy/docs"
    sed -i '/^off$/d' "$copy/tests/lint/surfaces.txt"
    ln -s "$build"/libsf_*.a "$copy/build"
    ln -s "$build"/CMakeFiles/sf.dir "$build"/CMakeFiles/sf-*.dir "$copy/build/CMakeFiles"
}

lint() { "$copy/tests/lint/run.sh" "$copy" "$copy/build" "$1"; }

# Compiles C text from the input into a room's library, as its file planted.c.
compile_into() {
    local library=$copy/build/libsf_$1.a
    cat >"$copy/planted.c"
    cc -c -o "$copy/planted.c.o" "$copy/planted.c"
    cp --remove-destination "$(realpath "$library")" "$library"
    ar q "$library" "$copy/planted.c.o" 2>/dev/null
}

# expect NAME LINT WORDS: the lint fails and says the words.
expect() {
    local name=$1 lint=$2 words=$3 said
    cases=$((cases + 1))
    if said=$(lint "$lint"); then
        echo "$name: $lint does not object" && bad=1
    elif ! grep -qF -- "$words" <<<"$said"; then
        echo "$name: $lint does not say '$words' but: $said" && bad=1
    fi
}

# plant NAME LINT WORDS FILE: appends the input to the file, expects the objection, takes it back.
plant() {
    local file=$copy/$4 kept=$copy/kept
    [[ -e $file ]] && cp "$file" "$kept" || rm -f "$kept"
    cat >>"$file"
    expect "$1" "$2" "$3"
    rm -f "$file"
    [[ -e $kept ]] && mv "$kept" "$file" || true
}

fresh_copy
for name in definitions comments fields axes callers settings decisions layers; do
    said=$(lint $name) || { echo "the tree itself: $said" && bad=1; }
done

plant "a struct of a name that is taken" definitions "struct sf_strbuf is already defined" \
    src/view/planted.h <<<'struct sf_strbuf { int a; };'
plant "an enum of a name that is taken" definitions "enum sf_profile is already defined" \
    src/view/planted.h <<<'enum sf_profile { SF_PLANTED_A, SF_PLANTED_B };'
plant "a prefix that is taken" definitions "the prefix SF_PROFILE_ of enum sf_planted" \
    src/view/planted.h <<'END'
enum sf_planted {
    SF_PROFILE_ONE, /* a comment, with a comma */
    SF_PROFILE_TWO = 7,
};
END
plant "a setting nothing reads" settings "nothing reads guard.planted" src/config/schema.c <<'END'
    { "guard.planted", BOOL, NARROW, LOW, NULL, "true", 0, 0,
      "something nobody does" },
END
plant "a comment that ends in an ellipsis" comments "src/view/planted.c:2:" src/view/planted.c <<'END'
int a; /* fine … fine */
int b; /* goes on … */
END
plant "a comment that begins in dots" comments "tests/planted.c:1:" tests/planted.c <<'END'
/*
 * ... went on
 */
END
plant "a struct with too many fields" fields "struct planted has 41 fields" src/view/planted.c < <(
    echo 'struct planted {'
    printf '    int a%d; /* a field; one */\n' $(seq 37)
    echo '    int (*f)(int a, int (*b)(int c, int d)), *g;'
    echo '    struct { int one; } inner;'
    echo '};')
plant "an exception nobody needs" fields "sf_planted needs no exception" \
    tests/lint/struct_allowed.txt <<<'sf_planted  nothing'
plant "a work mode compared" axes "src/view/planted.c:1:" src/view/planted.c \
    <<<'static int f(int w) { return w == SF_WORK_PLAN; }'
plant "a profile compared the other way around" axes "src/tools/planted.c:1:" src/tools/planted.c \
    <<<'static int f(int w) { return SF_PROFILE_TRUSTED <= w; }'
plant "a surface in a switch" axes "src/tools/planted.c:1:" src/tools/planted.c \
    <<<'    case SF_SURFACE_HEADLESS: break;'
plant "an exception for a file that compares nothing" axes "src/view/frame.c compares no axis" \
    tests/lint/axis_allowed.txt <<<'src/view/frame.c  nothing'
plant "a second line for a room" layers "there are two lines for base" tests/layers.txt <<<'base'
plant "an include that points upward" layers "base may not include guard" src/base/planted.c \
    <<<'#include "guard/guard.h"'
plant "a way around an umbrella header" layers "use base/base.h" src/view/planted.c \
    <<<'#include "base/map.h"'
plant "a surface that includes a room below the port" surfaces "it includes store" \
    src/tui/planted.c <<<'#include "store/store.h"'

plant "a decision that names no test of ours" decisions "there is no test called view/planted" \
    src/view/planted.h <<'END'
/*
 * planted
 *   Problem: one.
 *   Decision: another.
 *   Cost: none.
 *   Enforced by: view/frame,
 *     view/planted
 */
END
plant "a decision without its cost" decisions "planted.h:2: a decision lacks its Cost" \
    src/view/planted.h <<'END'
/*
 * Problem: one.
 * Decision: another.
 * Enforced by: view/frame
 */
END
plant "a page that grows" decisions "more than 150 lines" docs/ARCHITECTURE.md < <(seq 100)

sed -i 's/^view .*/& io/; s/^base$/& modes/' "$copy/tests/layers.txt"
expect "a room that is named and not used" layers "view names io and uses nothing of it"
expect "a line of layers.txt that points upward" layers "base may not name modes"

fresh_copy
compile_into base <<<'void sf_base_planted(void) {} void sf_store_open(void); void sf_planted(void)
    { sf_store_open(); }'
expect "a call that points upward" layers "base may not use sf_store_open of store"
expect "a function nobody calls" callers "src/base/planted.c: nothing in the program calls sf_base_planted"

fresh_copy
compile_into tui <<<'void sf_store_open(void); void sf_tui_planted(void) { sf_store_open(); }'
expect "a surface that calls a room below the port" surfaces "planted.c: a surface names no room below the port: sf_store_open is of store"

echo "$cases offences planted"
exit $bad
