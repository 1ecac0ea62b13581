#!/usr/bin/env bash
# A document with its screens as the golden ones are: the block behind <!-- screen: NAME --> anew.
set -euo pipefail
root=$1 document=$2
awk -v golden="$root/tests/golden/" '
    weaving && /^$/ { next }
    weaving && /^    / { next }
    { weaving = 0; print }
    /^<!-- screen: .* -->$/ {
        file = golden $3 ".80x24.txt"
        print ""
        while ((status = (getline line < file)) > 0 && line != "~~~")
            print line == "" ? "" : "    " line
        if (status < 0) { print "no golden screen " file > "/dev/stderr"; exit 1 }
        close(file)
        print ""
        weaving = 1
    }' "$root/$document"
