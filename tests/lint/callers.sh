#!/usr/bin/env bash
# callers.sh ROOT BUILD: every external function has a caller in the program or its modules; tests
# do not count, and a function in a table counts, since the table names it. What only its own file
# calls is external for its tests alone, so a test names it, or it is static. Exceptions stand in
# callers_allowed.txt.
set -euo pipefail
root=$1 build=$2
here=$(dirname "${BASH_SOURCE[0]}")
list=$root/tests/lint/callers_allowed.txt

# Functions that no other object uses: FILE NAME.
alone() {
    "$here"/symbols.sh "$build" | awk '
        $1 == "d" { place[$4] = $2 "/" $3 }
        $1 == "u" { used[$4] = 1 }
        END {
            for (name in place)
                if (!(name in used)) {
                    sub(/\.o$/, "", place[name])
                    print place[name], name
                }
        }' | sort
}

# Whether the file that defines the function mentions it outside of its definition.
calls_itself() {
    local file
    file=$(find "$root/src" -path "*/${1#module/}" | head -1)
    [[ -n $file ]] && awk -v name="$2" -f "$here/c_text.awk" -f <(cat <<'END'
        { line = code_of($0); while (match(line, "(^|[^a-z0-9_])" name "([^a-z0-9_]|$)")) {
              n++; line = substr(line, RSTART + RLENGTH - 1) } }
        END { exit n < 2 }
END
    ) "$file"
}

bad=0
[[ -n $("$here"/symbols.sh "$build" | head -1) ]] || bad=1
declare -A allowed
while read -r name reason; do
    [[ -z $name || $name == \#* ]] || allowed[$name]=$reason
done <"$list"
while read -r file name; do
    if [[ -n ${allowed[$name]:-} ]]; then
        unset "allowed[$name]"
    elif ! calls_itself "$file" "$name"; then
        echo "src/$file: nothing in the program calls $name" && bad=1
    elif ! grep -rqw --include='*.[ch]' "$name" "$root/tests"; then
        echo "src/$file: only this file calls $name, so it is static" && bad=1
    fi
done < <(alone)
for name in "${!allowed[@]}"; do
    echo "$list: $name needs no exception" && bad=1
done
exit $bad
