# definitions.awk: one name, one thing. A struct, union or enum tag of the project's (sf_…) is
# defined once in all of src/, and no two tagged enums give their enumerators the same prefix.
# Tags without sf_ belong to one .c file and are free. A single enumerator has no prefix to share.
function report(what, name, where) {
    printf "%s: %s %s is already defined at %s\n", FILENAME ":" FNR, what, name, where
    bad = 1
}

function take_tag(kind, tag) {
    if (tag in tags)
        report(kind, tag, tags[tag])
    else
        tags[tag] = FILENAME ":" FNR
}

# The longest beginning that both have in common.
function common(a, b,   n) {
    n = length(a) < length(b) ? length(a) : length(b)
    while (n > 0 && substr(a, 1, n) != substr(b, 1, n))
        n--
    return substr(a, 1, n)
}

function take_enum(   names, n, i, prefix) {
    gsub(/=[^,]*/, "", body)
    gsub(/[ \t]/, "", body)
    n = split(body, names, ",")
    prefix = ""
    for (i = 1; i <= n; i++)
        if (names[i] != "")
            prefix = prefix == "" ? names[i] "_" : common(prefix, names[i] "_")
    sub(/[^_]*$/, "", prefix)
    if (prefix == "SF_" || prefix == "" || body !~ /,[A-Z]/)
        return
    if (prefix in prefixes)
        printf "%s: the prefix %s of enum %s is already that of %s\n", begun, prefix, tag,
               prefixes[prefix]
    if (prefix in prefixes)
        bad = 1
    else
        prefixes[prefix] = "enum " tag " (" begun ")"
}

{
    line = code_of($0)
    if (collecting) {
        body = body line
    } else if (match(line, /(struct|union|enum) sf_[a-z0-9_]+[ \t]*\{/)) {
        split(substr(line, RSTART, RLENGTH), word, /[ \t{]+/)
        take_tag(word[1], word[2])
        if (word[1] == "enum") {
            collecting = 1
            tag = word[2]
            begun = FILENAME ":" FNR
            body = substr(line, RSTART + RLENGTH)
        }
    }
    if (collecting && (at = index(body, "}"))) {
        body = substr(body, 1, at - 1)
        collecting = 0
        take_enum()
    }
}

END {
    exit bad
}
