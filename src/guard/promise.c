/*
 * promise.c: one action of each row of the matrix, as tools would describe it, and what the layers
 * say to it in two states.
 */
#include "guard/promise.h"

#include <string.h>

#include "base/base.h"
#include "guard/layers.h"

/* An action of the row: a tool's act, or a command of a class. */
static const struct {
    enum sf_act act;
    enum sf_class class;
    const char *rule;
    bool sends, outside, writes;
} shapes[SF_ROW_ANY_PROFILE] = {
    [SF_ROW_READ_INSIDE] = { .act = SF_ACT_READ },
    [SF_ROW_READ_OUTSIDE] = { .act = SF_ACT_READ, .outside = true },
    [SF_ROW_EDIT] = { .act = SF_ACT_WRITE, .writes = true },
    [SF_ROW_COMMAND_READ] = { .act = SF_ACT_SHELL, .class = SF_CLASS_READONLY },
    [SF_ROW_COMMAND_LOCAL] = { .act = SF_ACT_SHELL, .class = SF_CLASS_LOCAL_EDIT },
    [SF_ROW_COMMAND_BUILD] = { .act = SF_ACT_SHELL, .class = SF_CLASS_BUILD_TEST },
    [SF_ROW_UNKNOWN_CAGED] = { .act = SF_ACT_SHELL,
                               .class = SF_CLASS_BUILD_TEST,
                               .rule = "unknown-program" },
    [SF_ROW_UNKNOWN_BARE] = { .act = SF_ACT_SHELL,
                              .class = SF_CLASS_BUILD_TEST,
                              .rule = "unknown-program" },
    [SF_ROW_NETWORK_READ] = { .act = SF_ACT_FETCH },
    [SF_ROW_NETWORK_WRITE] = { .act = SF_ACT_SHELL, .class = SF_CLASS_NETWORK, .sends = true },
    [SF_ROW_EXTERNAL] = { .act = SF_ACT_EXTERNAL },
    [SF_ROW_NOTE] = { .act = SF_ACT_NOTE },
    [SF_ROW_DESTRUCTIVE] = { .act = SF_ACT_SHELL, .class = SF_CLASS_DESTRUCTIVE },
    [SF_ROW_WRITE_OUTSIDE] = { .act = SF_ACT_WRITE, .outside = true, .writes = true },
};

static enum sf_answer answer_to(const struct sf_promise *p, enum sf_row row,
                                const struct sf_mode_state *state)
{
    static const char *const all[] = { "*", NULL };
    static const struct sf_scope scope = { .name = "free", .writable = all, .strategy = "" };
    const struct sf_shell_report shell = { .class = shapes[row].class,
                                           .rule = shapes[row].rule ? shapes[row].rule : "",
                                           .reason = "",
                                           .sends = shapes[row].sends };
    const struct sf_action_path path = { .path = "file",
                                         .zone =
                                             shapes[row].outside ? SF_PATH_OUTSIDE : SF_PATH_INSIDE,
                                         .outside = shapes[row].outside,
                                         .writes = shapes[row].writes,
                                         .rule = "",
                                         .reason = "" };
    const struct sf_action action = { .tool = "",
                                      .act = shapes[row].act,
                                      .shell = &shell,
                                      .paths = &path,
                                      .path_count = shapes[row].act == SF_ACT_READ ||
                                                    shapes[row].act == SF_ACT_WRITE,
                                      .caged = p->caged };
    const struct sf_policy policy = { .approval = p->approval,
                                      .registry.allow_shell = p->allow_shell,
                                      .workspace_trusted = p->workspace_trusted,
                                      .scope = &scope };
    struct sf_verdict verdict;

    sf_guard_ask_layers(&action, state, &policy, &verdict);
    return verdict.answer;
}

/* Of the two rows about unknown programs one can come up here. */
static bool comes_up(const struct sf_promise *p, enum sf_row row)
{
    return row != (p->caged ? SF_ROW_UNKNOWN_BARE : SF_ROW_UNKNOWN_CAGED);
}

static void add_item(struct sf_strbuf *out, const char *heading, const char *label, bool *some)
{
    if (*some)
        sf_strbuf_adds(out, " · ");
    else
        sf_strbuf_addf(out, "\n\n**%s** ", heading);
    sf_strbuf_adds(out, label);
    *some = true;
}

/* The rows that come from one of the answers in `from` (bits) to the answer. */
static bool add_rows(const struct sf_promise *p, const char *heading, unsigned from,
                     enum sf_answer to, struct sf_strbuf *out)
{
    bool some = false;

    for (int row = 0; row < SF_ROW_ANY_PROFILE; row++)
        if (comes_up(p, (enum sf_row)row) && answer_to(p, (enum sf_row)row, p->to) == to &&
            (from & 1u << answer_to(p, (enum sf_row)row, p->from)))
            add_item(out, heading, sf_matrix[row].label, &some);
    return some;
}

void sf_promise_add(const struct sf_promise *p, struct sf_strbuf *out)
{
    const unsigned allowed = 1u << SF_ALLOW, asked = 1u << SF_ASK, refused = 1u << SF_DENY;
    bool some;

    add_rows(p, "unasked then:", asked | refused, SF_ALLOW, out);
    add_rows(p, "asked about instead of refused:", refused, SF_ASK, out);
    some = add_rows(p, "still asked about:", asked | allowed, SF_ASK, out);
    add_item(out, "still asked about:", "reading credentials", &some);
    add_rows(p, "still refused:", refused, SF_DENY, out);
    sf_strbuf_adds(out, "\n\nProtected files stay unwritable, and your ask and deny rules hold.");
}
