#!/usr/bin/env bash
# surfaces.sh ROOT BUILD: surfaces name no room below the port, neither by an #include nor by a
# call. tests/lint/surfaces.txt has the surfaces and the rooms each may name.
set -euo pipefail
root=$1 build=$2
list=$root/tests/lint/surfaces.txt
if grep -qx off "$list"; then
    echo "surfaces: switched off in tests/lint/surfaces.txt"
    exit 0
fi
{
    sed -n 's/^\([a-z]\)/allow \1/p' "$list"
    "$(dirname "${BASH_SOURCE[0]}")"/symbols.sh "$build"
    grep -rnE '^#include "[a-z]+/' "$root/src" --include='*.[ch]' |
        sed -E "s|^$root/src/([a-z]+)/([^:]*):([0-9]+):#include \"([a-z]+)/.*|i \1 \2:\3 \4|"
} | awk '
    function judge(room, into, place, what) {
        if (!(room in may) || into == room || index(may[room], " " into " "))
            return
        print "src/" room "/" place ": a surface names no room below the port: " what | "sort"
        bad = 1
    }
    $1 == "allow" { may[$2] = " "; for (i = 3; i <= NF; i++) may[$2] = may[$2] $i " "; next }
    $2 == "main" { $2 = "app" }
    $1 == "i" { judge($2, $4, $3, "it includes " $4) }
    $1 == "d" || $1 == "v" { home[$4] = $2 }
    $1 == "u" { room[++n] = $2; object[n] = $3; symbol[n] = $4 }
    END {
        for (i = 1; i <= n; i++)
            if (symbol[i] in home) {
                sub(/\.o$/, "", object[i])
                judge(room[i], home[symbol[i]], object[i], symbol[i] " is of " home[symbol[i]])
            }
        close("sort")
        exit bad
    }'
