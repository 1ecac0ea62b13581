# comments.awk: a comment is a sentence of its own, so none begins or ends in an ellipsis.
# /* ... */ alone is one too.
{
    code_of($0)
    for (i = 1; i <= comment_count; i++) {
        text = comments[i]
        gsub(/^[*! \t\n<]+|[ \t\n]+$/, "", text)
        if (text ~ /^(…|\.\.\.)/ || text ~ /(…|\.\.\.)$/) {
            printf "%s:%d: a comment begins or ends in an ellipsis\n", FILENAME, comment_lines[i]
            bad = 1
        }
    }
}

END {
    exit bad
}
