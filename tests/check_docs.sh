#!/usr/bin/env bash
# The documents made from the code's tables are what the code says now.
set -euo pipefail
root=$1 sf=$2 bad=0
for pair in config:CONFIG.md doctor:DOCTOR.md events:EVENTS.md events-schema:events.schema.json input-schema:input.schema.json keys:KEYS.md man:sf.1 modes:MODES.md plans:PLANS.md themes:THEMES.md; do
    "$sf" --dump-docs "${pair%%:*}" | diff -u "$root/docs/${pair##*:}" - || {
        echo "docs/${pair##*:} is out of date: run ./dev docs"
        bad=1
    }
done
for document in README.md docs/FIRST.md; do
    "$root/tests/weave_screens.sh" "$root" "$document" | diff -u "$root/$document" - || {
        echo "$document shows other screens than tests/golden: run ./dev docs"
        bad=1
    }
done
exit $bad
