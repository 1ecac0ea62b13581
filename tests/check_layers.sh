#!/usr/bin/env bash
# check_layers.sh ROOT BUILD: rooms stand on each other as tests/layers.txt says. Every #include
# "room/x.h" below src/ and every symbol one room uses of another is held against it, other rooms
# are entered through their umbrella header alone, and a room that is named is also used.
set -euo pipefail
root=$1 build=$2
declare -A allowed order used
n=0 bad=0
complain() {
    echo "$*"
    bad=1
}
while read -r room rest; do
    [[ -z $room || $room == \#* ]] && continue
    [[ -z ${order[$room]:-} ]] || complain "layers.txt: there are two lines for $room"
    order[$room]=$((++n))
    allowed[$room]=" $room $rest "
    for below in $rest; do
        [[ -n ${order[$below]:-} && ${order[$below]} -lt $n ]] ||
            complain "layers.txt: $room may not name $below, which does not stand below it"
    done
done <"$root/tests/layers.txt"
for folder in "$root"/src/*/; do
    room=$(basename "$folder")
    [[ -n ${order[$room]:-} ]] || complain "layers.txt: there is no line for $room"
done

includes=0
while IFS=: read -r file line text; do
    room=${file#"$root"/src/} room=${room%%/*}
    target=${text#*\"} target=${target%%\"*}
    [[ $target == */* ]] || {
        [[ $target == commit.h ]] || complain "$file:$line: include $target by its room"
        continue
    }
    into=${target%%/*}
    includes=$((includes + 1))
    used[$room:$into]=1
    [[ ${allowed[$room]:-} == *" $into "* ]] || complain "$file:$line: $room may not include $into"
    [[ $into == "$room" || $target == "$into/$into.h" ]] ||
        complain "$file:$line: use $into/$into.h, not $target"
done < <(grep -rnE '^#include "' "$root/src" --include='*.[ch]')

calls=0
while read -r room into object symbol; do
    calls=$((calls + 1))
    used[$room:$into]=1
    [[ ${allowed[$room]:-} == *" $into "* ]] ||
        complain "src/$room/${object%.o}: $room may not use $symbol of $into"
done < <("$(dirname "${BASH_SOURCE[0]}")"/lint/symbols.sh "$build" | awk '
    { sub(/^main$/, "app", $2); sub(/^module$/, "modules", $2) }
    $1 != "u" { home[$4] = $2; next }
    { room[++n] = $2; object[n] = $3; symbol[n] = $4 }
    END {
        for (i = 1; i <= n; i++)
            if ((symbol[i] in home) && home[symbol[i]] != room[i])
                print room[i], home[symbol[i]], object[i], symbol[i]
    }')

for room in "${!allowed[@]}"; do
    for into in ${allowed[$room]}; do
        [[ $into == "$room" || -n ${used[$room:$into]:-} ]] ||
            complain "layers.txt: $room names $into and uses nothing of it"
    done
done
echo "$includes includes and $calls calls looked at"
[[ $includes -gt 0 && $calls -gt 0 && $bad -eq 0 ]]
