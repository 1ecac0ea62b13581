# fields.awk: a struct has at most `most` fields; more hide several things in one. The fields of
# a named struct inside count as one each where it is used, those of an unnamed one as its owner's.
# Exceptions stand in struct_allowed.txt.
function count_fields(text,   n) {
    while (gsub(/\([^()]*\)/, "", text))
        ;
    n = gsub(/[,;]/, "", text)
    return n
}

function leave(   i) {
    if (fields[depth] > most && !(tag[depth] in allowed)) {
        printf "%s: struct %s has %d fields, and %d are the most\n", place[depth], tag[depth],
               fields[depth], most
        bad = 1
    } else if (tag[depth] in allowed) {
        used[tag[depth]] = fields[depth] > most
    }
}

# Walks through one line of code: depth counts braces from the struct's own on.
function walk(line,   at, c, head) {
    while (line != "") {
        if (!depth) {
            if (!match(line, /struct [a-z0-9_]+[ \t]*\{/))
                return
            head = substr(line, RSTART + 7, RLENGTH - 8)
            gsub(/[ \t]/, "", head)
            line = substr(line, RSTART + RLENGTH)
            depth = 1
            tag[1] = head
            fields[1] = 0
            place[1] = FILENAME ":" FNR
            held = ""
            continue
        }
        at = match(line, /[{};]/)
        if (!at) {
            held = held line
            return
        }
        c = substr(line, at, 1)
        held = held substr(line, 1, at - 1)
        line = substr(line, at + 1)
        if (c == ";") {
            fields[1] += count_fields(held ";")
            held = ""
        } else if (c == "{") {
            depth++
            held = ""
        } else if (--depth == 0) {
            depth = 1
            leave()
            depth = 0
        }
    }
}

BEGIN {
    while ((getline row <list) > 0)
        if (row !~ /^#/ && split(row, word, /[ \t]+/))
            allowed[word[1]] = 1
}

FNR == 1 {
    depth = 0
}

{
    walk(code_of($0))
}

END {
    for (name in allowed)
        if (!used[name]) {
            printf "%s: %s needs no exception\n", list, name
            bad = 1
        }
    exit bad
}
