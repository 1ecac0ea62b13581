#!/usr/bin/env bash
# The program users run: hardened, free of slow libraries, and at home wherever it is put.
set -euo pipefail
sf=$1 bad=0
fail() {
    echo "FAIL: $*"
    bad=1
}
[ -x "$sf" ] || { echo "$sf is missing: run ./dev build"; exit 1; }
header=$(readelf -hW "$sf") program=$(readelf -lW "$sf") dynamic=$(readelf -dW "$sf") symbols=$(readelf -sW --dyn-syms "$sf")
grep -q 'DYN (Position-Independent' <<<"$header" || fail "not position independent"
grep -q GNU_RELRO <<<"$program" || fail "no RELRO"
grep -qE 'BIND_NOW|FLAGS.*NOW' <<<"$dynamic" || fail "not bound at start: RELRO is not full"
grep -qE 'GNU_STACK.* RWE ' <<<"$program" && fail "executable stack"
grep -q __stack_chk_fail <<<"$symbols" || fail "no stack protector"
grep -qE '__(memcpy|vsnprintf|fprintf|printf|read)_chk' <<<"$symbols" || fail "not fortified"
grep -qE 'R(UN)?PATH' <<<"$dynamic" && fail "a search path is built in"
for library in libcurl libgit2 libssl libncurses; do
    grep -q "$library" <<<"$dynamic" && fail "$library is loaded at every start"
done
texts=$(strings -n 8 "$sf") # whole: who writes to a grep that has gone fails, and with it the pipe
grep -qF "$(dirname "$(dirname "$(dirname "$sf")")")/src" <<<"$texts" && fail "build paths in the program"

# What a start costs in instructions, which are nearly the same everywhere; `./dev bench start` puts
# them beside git's.
ours=$(env -i valgrind --tool=callgrind --callgrind-out-file=/dev/null "$sf" --version 2>&1 >/dev/null |
    sed -nE 's/.*Collected : ([0-9]+).*/\1/p')
[ "$ours" -le 620000 ] || fail "sf --version takes $ours instructions"

# Moved elsewhere with its modules, it still finds them; without them it says so.
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/bin" "$place/lib/sf"
cp "$sf" "$place/bin/sf"
if (cd / && "$place/bin/sf" -v --version >"$place/out" 2>"$place/err"); then fail "modules found although they are not there"; fi
grep -q 'sf-http.so is missing' "$place/err" || fail "a missing module is not named: $(cat "$place/err")"
cp "$(dirname "$sf")"/modules/*.so "$place/lib/sf/"
(cd / && "$place/bin/sf" -v --version >"$place/out") || fail "a moved program with its modules fails"
grep -q '^loaded: libcurl/' "$place/out" || fail "modules are not found beside a moved program"

# Nothing of the slow libraries is even opened by an ordinary start.
strace -f -e trace=openat -o "$place/trace" "$sf" --version >/dev/null
export HOME=$place XDG_CONFIG_HOME=$place/config SF_HOME=$place/state # nobody's settings
(cd "$place" && strace -f -e trace=openat -o "$place/trace2" "$sf" -p list >/dev/null </dev/null)
cat "$place/trace2" >>"$place/trace"
grep -E 'libcurl|libgit2|libssl|sf-http|sf-git' "$place/trace" && fail "slow libraries are opened"

# A command's process has no copy of the heap, which only this build can show: sanitizers have a
# heap of their own.
[ "$(cd "$place" && "$sf" cage -- sh -c 'echo caged')" = caged ] || fail "sf cage cannot start a command"
mkdir "$place/project"
(cd "$place/project" && git init -q . && "$sf" trust add >/dev/null && "$sf" -p '!echo through the session' >"$place/out" </dev/null) ||
    fail "a command of a session fails"
grep -q 'through the session' "$place/out" || fail "a command of a session has no output"
echo "release build looked at"
exit $bad
