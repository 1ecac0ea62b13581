# axes.awk: only modes and guard compare the value of an axis; everybody else asks them one
# question with a name. The values are those of the five enums in src/modes/axes.h, which is the
# first file given. Files that compare in order to draw stand in axis_allowed.txt with a reason.
BEGIN {
    while ((getline row <list) > 0)
        if (row !~ /^#/ && split(row, word, /[ \t]+/) > 1)
            allowed[word[1]] = 1
}

function take_values(line,   rest) {
    if (match(line, /enum sf_(work_mode|run_control|profile|model_mode|surface)[ \t]*\{/))
        inside = 1
    while (inside && match(line, /SF_[A-Z_]+/)) {
        values = values (values == "" ? "" : "|") substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
    }
    if (index(line, "}"))
        inside = 0
}

NR == FNR {
    take_values(code_of($0))
    next
}

FNR == 1 {
    if (pattern == "") {
        pattern = "([=!]=|[<>]=?)[ \t]*(\\([a-z_ ]*\\))?[ \t]*(" values ")([^A-Z_]|$)"
        mirrored = "(^|[^A-Z_])(" values ")[ \t]*([=!]=|[<>]=?)"
        chosen = "case[ \t]+(" values ")[ \t]*:"
    }
    name = substr(FILENAME, length(root) + 2)
    free = name ~ /^src\/(modes|guard)\//
}

{
    line = code_of($0)
    if (free || (line !~ pattern && line !~ mirrored && line !~ chosen))
        next
    if (name in allowed) {
        used[name] = 1
        next
    }
    printf "%s:%d: compares the value of an axis; ask modes or guard\n", name, FNR
    bad = 1
}

END {
    for (name in allowed)
        if (!used[name]) {
            printf "%s: %s compares no axis and needs no exception\n", list, name
            bad = 1
        }
    exit bad
}
