#!/usr/bin/env bash
# callers.sh ROOT BUILD: every external function has a user in another file of the program or its
# modules; tests do not count. What only its own file uses is static, what nobody uses is removed.
# A function in a table counts, since the table names it. Exceptions: callers_allowed.txt.
set -euo pipefail
root=$1 build=$2
here=$(dirname "${BASH_SOURCE[0]}")
list=$root/tests/lint/callers_allowed.txt
"$here"/symbols.sh "$build" | awk -v list="$list" '
    BEGIN {
        while ((getline row <list) > 0)
            if (row !~ /^#/ && split(row, word, /[ \t]+/) > 1)
                allowed[word[1]] = 1
    }
    $1 == "d" { place[$4] = $2 "/" $3; count++ }
    $1 == "u" { used[$4] = 1 }
    END {
        for (name in place)
            if (!(name in used) && !(name in allowed)) {
                object = place[name]
                sub(/\.o$/, "", object)
                print "src/" object ": no other file of the program calls " name | "sort"
                bad = 1
            }
        for (name in allowed)
            if ((name in used) || !(name in place)) {
                print list ": " name " needs no exception" | "sort"
                bad = 1
            }
        close("sort")
        if (!count) {
            print "callers.sh: there are no functions to look at"
            bad = 1
        }
        exit bad
    }'
