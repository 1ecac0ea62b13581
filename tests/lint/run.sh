#!/usr/bin/env bash
# run.sh ROOT BUILD [LINT…]: the project's own lints, all of them or those named. Those that look
# at calls read the objects in BUILD. Each prints what is wrong and fails; with nothing to say it is
# silent. Exceptions stand beside the lints, in the lists *.txt, each with its reason.
set -euo pipefail
root=$1 build=$2
shift 2
here=$root/tests/lint

# The C files below the given folders, without those that later.txt excuses from the lint.
c_files() {
    local lint=$1 folder excused=()
    shift
    while read -r folder; do
        excused+=(-not -path "$root/$folder/*")
    done < <(awk -v lint="$lint" '$1 == lint { print $2 }' "$here/later.txt")
    find "${@/#/$root/}" -name '*.[ch]' "${excused[@]}" | sort
}

# Runs an awk program over the C files it is given.
over() {
    local program=$1
    shift
    awk -f "$here/c_text.awk" -f "$here/$program.awk" "$@"
}

lint_definitions() { over definitions $(c_files definitions src); }
lint_comments() { over comments $(c_files comments src tests); }
lint_fields() {
    over fields -v most=40 -v list="$here/struct_allowed.txt" $(c_files fields src)
}
lint_axes() {
    over axes -v root="$root" -v list="$here/axis_allowed.txt" "$root/src/modes/axes.h" \
        $(c_files axes src)
}
lint_callers() { "$here/callers.sh" "$root" "$build"; }
lint_surfaces() { "$here/surfaces.sh" "$root" "$build"; }
lint_settings() { "$here/settings.sh" "$root"; }
lint_decisions() { "$here/decisions.sh" "$root"; }
lint_layers() { "$root/tests/check_layers.sh" "$root" "$build"; }

bad=0
for lint in "${@:-definitions comments fields axes callers surfaces settings decisions layers}"; do
    for name in $lint; do
        "lint_$name" || { echo "lint $name: see above" && bad=1; }
    done
done
exit $bad
