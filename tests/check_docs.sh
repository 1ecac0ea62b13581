#!/usr/bin/env bash
# The documents made from the code's tables are what the code says now.
set -euo pipefail
root=$1 sf=$2 bad=0
for pair in config:CONFIG.md keys:KEYS.md man:sf.1 modes:MODES.md; do
    "$sf" --dump-docs "${pair%%:*}" | diff -u "$root/docs/${pair##*:}" - || {
        echo "docs/${pair##*:} is out of date: run ./dev docs"
        bad=1
    }
done
exit $bad
