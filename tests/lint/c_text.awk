# c_text.awk: C source for the other lints. code_of() takes the lines of a file in order and
# returns each without comments and without what stands in quotes, so that a lint sees code
# alone. Comments are collected: comments[1..comment_count] are those that ended on this line,
# comment_lines[] has the line each began on.
function comment_begin() {
    in_comment = 1
    comment_held = ""
    comment_began = FNR
}

function comment_end() {
    in_comment = 0
    comments[++comment_count] = comment_held
    comment_lines[comment_count] = comment_began
}

# A comment's further lines begin with " *", which is no part of what they say.
function comment_add(text) {
    if (comment_began != FNR) {
        sub(/^[ \t]*\*/, "", text)
        text = "\n" text
    }
    comment_held = comment_held text
}

# The rest of the line behind the literal that begins it.
function after_literal(text, quote,   i, c) {
    for (i = 2; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "\\")
            i++
        else if (c == quote)
            return substr(text, i + 1)
    }
    return ""
}

function code_of(line,   out, at, token) {
    if (FNR == 1)
        in_comment = 0
    comment_count = 0
    out = ""
    while (line != "" || in_comment) {
        if (in_comment) {
            at = index(line, "*/")
            if (!at) {
                comment_add(line)
                break
            }
            comment_add(substr(line, 1, at - 1))
            comment_end()
            line = substr(line, at + 2)
            out = out " "
            continue
        }
        at = match(line, /\/\*|\/\/|"|'/)
        if (!at)
            return out line
        out = out substr(line, 1, at - 1)
        token = substr(line, at, 2)
        if (token == "/*") {
            comment_begin()
            line = substr(line, at + 2)
        } else if (token == "//") {
            comment_begin()
            comment_add(substr(line, at + 2))
            comment_end()
            return out
        } else {
            token = substr(token, 1, 1)
            out = out token token
            line = after_literal(substr(line, at), token)
        }
    }
    return out
}
