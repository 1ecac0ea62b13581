/*
 * scope.c: the built-in write scopes and how their entries compare.
 */
#include "modes/scope.h"

#include "base/base.h"

static const char *const everything[] = { "*", NULL };
static const char *const sources[] = { "src/", "lib/", NULL };
static const char *const tests[] = { "tests/", "test/", "spec/", NULL };
static const char *const documents[] = { "docs/", "README.md", "CHANGELOG.md", NULL };
static const char *const nothing[] = { NULL };

const struct sf_scope sf_scopes_builtin[] = {
    { "free", everything, "" },
    { "implement", sources, "" },
    { "test", tests, "Write tests for expected behavior, not current behavior." },
    { "docs", documents, "Explain the why, not the what." },
    { "explore", nothing, "Map the territory before making changes." },
    { "review", nothing, "Read everything, then verify with tests." },
};
const size_t sf_scope_builtin_count = SF_COUNT(sf_scopes_builtin);

/* "src/../tests/" is spelled like a part of src/ and is none. */
static bool has_dot_part(const char *entry)
{
    for (const char *p = entry; *p; p += strcspn(p, "/"), p += *p == '/') {
        size_t n = strcspn(p, "/");

        if ((n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
            return true;
    }
    return false;
}

bool sf_scope_entry_covers(const char *other, const char *entry)
{
    size_t n = strlen(other);

    if (!strcmp(other, "*"))
        return true;
    if (has_dot_part(entry) || !strcmp(entry, "*") || !n)
        return false;
    if (other[n - 1] == '/')
        return !strncmp(entry, other, n);
    return !strcmp(entry, other);
}
