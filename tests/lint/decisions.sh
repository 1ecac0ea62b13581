#!/usr/bin/env bash
# decisions.sh ROOT: decisions stand at the head of the rooms' headers and, ten of them, in a table of
# docs/ARCHITECTURE.md, each as problem, decision, cost, and the tests that enforce it. Every test
# that is named exists, and the page stays short enough to be read.
set -euo pipefail
root=$1
page=$root/docs/ARCHITECTURE.md
bad=0 count=0
complain() {
    echo "$*"
    bad=1
}

# Whether ctest knows the name: a program tests/ROOM/test_NOUN.c, or a script of CMakeLists.txt.
exists() {
    [[ -e $root/tests/${1%%/*}/test_${1#*/}.c ]] || grep -qF "sf_script($1 " "$root/tests/CMakeLists.txt"
}

while IFS=$'\t' read -r place kind names; do
    [[ $kind == whole ]] || {
        complain "$place: a decision lacks its $kind"
        continue
    }
    count=$((count + 1))
    for name in ${names//,/ }; do
        exists "$name" || complain "$place: there is no test called $name"
    done
done < <(
# The rows of the page's table, whose columns are the four parts.
awk -F' *[|] *' '
    /^\| *Problem *\|/ { split("Problem,Decision,Cost,Enforced by", part, ","); table = 1; next }
    !/^\|/ { table = 0 }
    table && !/^\|-/ {
        gsub(/`/, "", $5)
        for (i = 2; i <= 5; i++)
            if ($i == "")
                printf "docs/ARCHITECTURE.md:%d\t%s\n", FNR, part[i - 1]
        printf "docs/ARCHITECTURE.md:%d\twhole\t%s\n", FNR, $5
    }' "$page"
for file in "$root"/src/*/*.h; do
    awk -v file="${file#"$root"/}" '
        function flush(   i) {
            for (i = 1; begun && i <= 4; i++)
                if (!(part[i] in has))
                    printf "%s:%d\t%s\n", file, begun, part[i]
            if (begun && ("Enforced by" in has))
                printf "%s:%d\twhole\t%s\n", file, begun, has["Enforced by"]
            begun = 0
            split("", has)
        }
        BEGIN { n = split("Problem,Decision,Cost,Enforced by", part, ",") }
        { line = $0; sub(/^ \*/, "", line); gsub(/`/, "", line); sub(/^[ \t]+/, "", line) }
        line ~ /^Problem: / { flush(); begun = FNR }
        match(line, /^(Problem|Decision|Cost|Enforced by): /) {
            key = substr(line, 1, RLENGTH - 2)
            if (!begun)
                begun = FNR
            has[key] = ""
            line = substr(line, RLENGTH + 1)
        }
        line == "" || line ~ /^(- |\/$)/ { flush(); next }
        begun && key == "Enforced by" { sub(/\.$/, "", line); has[key] = has[key] " " line }
        END { flush() }
    ' "$file"
done)
[[ $(wc -l <"$page") -le 150 ]] || complain "docs/ARCHITECTURE.md has more than 150 lines"
[[ $count -ge 10 ]] || complain "only $count decisions were found"
echo "$count decisions looked at"
exit $bad
