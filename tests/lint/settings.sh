#!/usr/bin/env bash
# settings.sh ROOT: every setting is read by some code, or says that it is not yet. A key counts as
# read when it stands in quotes outside of the table; one with a name in it (models.NAME.fast) when
# its last part does, since such keys are put together. The help of a key nothing reads begins with
# the words below, and no other does.
set -euo pipefail
root=$1
table=$root/src/config/schema.c
later='not yet in this version'
bad=0 keys=0
code=$(find "$root/src" -name '*.[ch]' -not -path "$table" -exec cat {} +)

is_read() {
    local key=$1
    grep -qF "\"$key\"" <<<"$code" && return
    case $key in
    *'*'.*) grep -qF "\"${key##*.}\"" <<<"$code" ;;
    models.*) grep -qF '"models.%s"' <<<"$code" && grep -qF "\"${key##*.}\"" <<<"$code" ;;
    *'*') grep -qF "\"${key%\*}" <<<"$code" ;;
    *) return 1 ;;
    esac
}

while IFS=$'\t' read -r key help; do
    keys=$((keys + 1))
    said=0
    [[ $help == "$later"* ]] && said=1
    if is_read "$key"; then
        [ $said = 0 ] || { echo "$key is read, but its help says: $later" && bad=1; }
    else
        [ $said = 1 ] || { echo "nothing reads $key: its help must begin with '$later'" && bad=1; }
    fi
done < <(awk -F'"' '/^    \{ "[a-z_]+\./ { key = $2; next }
                    key != "" && /^      "/ { print key "\t" $2; key = "" }' "$table")
[ $keys -gt 50 ] || { echo "only $keys settings were found in $table" && bad=1; }
exit $bad
