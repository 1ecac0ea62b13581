#!/usr/bin/env bash
# selftest.sh ROOT: the mutator on a small tree made here, with one room whose tests are strong but for
# one planted gap. It must find the gap, name the killers, survive endless loops, leave comments, strings
# and the user's tree alone, choose the same for the same seed and not do twice what is done. At last
# every row of equivalent.txt must fit the tree at ROOT.
set -euo pipefail
root=$(realpath "$1")
toy=$(mktemp -d)
trap 'rm -rf "$toy"' EXIT
cases=0 bad=0

# expect NAME COMMAND…: the command succeeds.
expect() {
    local name=$1
    shift
    cases=$((cases + 1))
    "$@" >/dev/null || { echo "$name: not so" && bad=1; }
}
lacks() { ! grep -qF -- "$1" "$2"; }

mkdir -p "$toy"/src/{toy,upper} "$toy"/tests/{toy,upper,lower,support,mutate}
cat >"$toy/CMakePresets.json" <<'END'
{ "version": 6, "configurePresets": [ { "name": "dev", "generator": "Ninja",
  "binaryDir": "${sourceDir}/build/dev", "cacheVariables": { "CMAKE_BUILD_TYPE": "Debug" } } ] }
END
cat >"$toy/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES C)
add_compile_options(-Wall -Wextra -Werror)
include_directories(src tests)
add_library(toy STATIC src/toy/toy.c)
add_subdirectory(tests)
END
cat >"$toy/tests/CMakeLists.txt" <<'END'
foreach(name toy_count toy_weak upper_sum lower_help)
    string(REPLACE _ /test_ source ${name})
    add_executable(test_${name} ${source}.c)
    target_link_libraries(test_${name} PRIVATE toy)
endforeach()
END
printf '# rooms\nlower\ntoy\nupper  toy\n' >"$toy/tests/layers.txt"
cat >"$toy/src/toy/toy.h" <<'END'
int toy_count(const char *text);
void toy_step(const char **text);
int toy_limit(int n);
int toy_sum(int a, int b);
int toy_same(int n);
int toy_less(int a, int b);
END
cat >"$toy/src/toy/toy.c" <<'END'
/* A comment with 1 < 2 && true; nothing of it changes. */
#include "toy/toy.h"

static const char words[] = "if (a == 1) { b(); }";

void toy_step(const char **text)
{
    (*text)++;
}

int toy_count(const char *text)
{
    int n = 0; // 7 > 6

    for (; *text; n++)
        toy_step(&text);
    return n + (words[0] != 'i');
}

int toy_limit(int n)
{
    return n > 10 ? 10 : n;
}

int toy_sum(int a, int b)
{
    return a + b;
}

int toy_less(int a, int b)
{
    return a - b;
}

int toy_same(int n)
{
    return n < 0 ? -n : n;
}
END
# The planted gap: no test comes near the limit.
cat >"$toy/tests/toy/test_weak.c" <<'END'
#include "toy/toy.h"
int main(void)
{
    return toy_limit(3) != 3 || toy_same(-4) != 4 || toy_same(4) != 4;
}
END
cat >"$toy/tests/toy/test_count.c" <<'END'
#include "toy/toy.h"
int main(void)
{
    return toy_count("") != 0 || toy_count("abc") != 3;
}
END
cat >"$toy/tests/upper/test_sum.c" <<'END'
#include "toy/toy.h"
int main(void)
{
    return toy_sum(2, 3) != 5;
}
END
# A room below whose test uses the toy by way of what tests share.
printf '#include "toy/toy.h"\n' >"$toy/tests/support/toy_case.h"
cat >"$toy/tests/lower/test_help.c" <<'END'
#include "support/toy_case.h"
int main(void)
{
    return toy_less(3, 2) != 1;
}
END
cat >"$toy/tests/mutate/equivalent.txt" <<'END'
# rows
src/toy/toy.c toy_same
- return n < 0 ? -n : n;
+ return n <= 0 ? -n : n;
Nothing is the same with either sign.
END
printf '/build/\n' >"$toy/.gitignore"
git -C "$toy" init -q
git -C "$toy" add -A
before=$(cd "$toy" && git ls-files -s && stat -c '%n %y' $(git ls-files))

mutate() { "$root/tests/mutate/mutate.py" "$toy" toy "$@" 2>"$toy/build/said"; }
mkdir -p "$toy/build"
mutate 500 1 >"$toy/build/one" || { cat "$toy/build/said" && exit 1; }

one=$toy/build/one
expect "the planted gap survives" grep -qE 'n > 10 \? 10 : n; -> .*: survived$' "$one"
expect "a change of the limit survives" grep -qF 'return n > 11 ? 10 : n;: survived' "$one"
expect "a kill names its test" grep -qE 'n\+\+\) -> .*n--\): killed by toy/count$' "$one"
expect "a room above kills too" grep -qF 'return a - b;: killed by upper/sum' "$one"
expect "so does one below that uses it" grep -qF 'return a + b;: killed by lower/help' "$one"
expect "an endless loop is killed" grep -qF 'toy_step(&text); -> (void)0;: killed by toy/count' "$one"
expect "comments stay" lacks 'toy.c:1:' "$one"
expect "strings stay" lacks 'toy.c:4:' "$one"
expect "the last line counts" grep -qE '^killed [0-9]+, survived [0-9]+, equivalent [0-9]+, .*: [0-9]+ %$' \
    <(tail -1 "$one")
expect "the user's tree is untouched" test "$before" = \
    "$(cd "$toy" && git ls-files -s && stat -c '%n %y' $(git ls-files))"
expect "nothing new lies in the user's tree" test -z "$(git -C "$toy" status --short | grep -v '^A ')"
expect "the copy is whole again" cmp "$toy/src/toy/toy.c" "$toy/build/mutate/tree/src/toy/toy.c"

# The same seed says the same, from what is recorded; another seed has another order.
mutate 500 1 >"$toy/build/two"
expect "the same seed, the same mutants" cmp "$one" "$toy/build/two"
expect "what is done is not done again" lacks 'building' "$toy/build/said"
mutate 500 2 >"$toy/build/three"
expect "another seed, another order" test "$(head -3 "$one")" != "$(head -3 "$toy/build/three")"
expect "the same mutants in the end" cmp <(sed '$d' "$one" | cut -d: -f2 | sort -u) \
    <(sed '$d' "$toy/build/three" | cut -d: -f2 | sort -u)
mutate 3 1 >"$toy/build/few"
expect "as many as asked for" test "$(grep -cE ': (killed by .*|survived)$' "$toy/build/few")" = 3

# A test that closes the gap.
sed -i 's/toy_limit(3) != 3/toy_limit(3) != 3 || toy_limit(11) != 10 || toy_limit(12) != 10/' \
    "$toy/tests/toy/test_weak.c"
mutate 500 1 >"$toy/build/closed"
expect "a better test kills it" grep -qF 'return n > 11 ? 10 : n;: killed by toy/weak' "$toy/build/closed"

expect "a row that fits" "$root/tests/mutate/mutate.py" --check "$toy"
sed -i 's/n <= 0/n <= 1/' "$toy/tests/mutate/equivalent.txt"
cases=$((cases + 1))
"$root/tests/mutate/mutate.py" --check "$toy" >/dev/null && echo "a row that fits nothing passes" && bad=1
"$root/tests/mutate/mutate.py" --check "$root" || bad=1

echo "$cases cases"
exit $bad
