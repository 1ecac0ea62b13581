#!/usr/bin/env bash
# Includes point downward only: every #include "room/x.h" below src/ is held against layers.txt,
# and other rooms are entered through their umbrella header alone.
set -euo pipefail
root=$1
declare -A allowed order
n=0 bad=0
while read -r room rest; do
    [[ -z $room || $room == \#* ]] && continue
    order[$room]=$((++n))
    allowed[$room]=" $room $rest "
    for below in $rest; do
        [[ -n ${order[$below]:-} && ${order[$below]} -lt $n ]] || { echo "layers.txt: $room may not name $below: it does not stand below"; bad=1; }
    done
done <"$root/tests/layers.txt"
count=0
while IFS=: read -r file line text; do
    room=${file#"$root"/src/} room=${room%%/*}
    target=$(sed -E 's/.*"([^"]+)".*/\1/' <<<"$text")
    [[ $target == */* ]] || { [[ $target == commit.h ]] && continue; echo "$file:$line: include $target by its room"; bad=1; continue; }
    into=${target%%/*}
    count=$((count + 1))
    [[ ${allowed[$room]:-} == *" $into "* ]] || { echo "$file:$line: $room may not include $into"; bad=1; }
    [[ $into == "$room" || $target == "$into/$into.h" ]] || { echo "$file:$line: use $into/$into.h, not $target"; bad=1; }
done < <(grep -rnE '^#include "' "$root/src" --include='*.[ch]')
echo "$count includes looked at"
[[ $count -gt 0 && $bad -eq 0 ]]
