/*
 * path.c: from what was found to what it means. The worst of everything counts: the real path,
 * every name that was passed on the way, and the shape of the directories around it.
 */
#include "guard/path.h"

#include <string.h>

static const struct sf_path_rule *shape_rule(void)
{
    for (size_t i = 0; i < sf_path_rule_count; i++)
        if (sf_path_rules[i].where == SF_WHERE_SHAPE)
            return &sf_path_rules[i];
    return NULL;
}

static enum sf_path_zone zone_of(const struct sf_path_rule *rule)
{
    return sf_path_rule_is_secret(rule) ? SF_PATH_CREDENTIAL : SF_PATH_PROTECTED;
}

static void worsen(struct sf_path_facts *facts, const struct sf_path_rule *rule)
{
    if (rule && zone_of(rule) > facts->zone) {
        facts->zone = zone_of(rule);
        facts->rule = rule;
    }
}

bool sf_path_is_trap(const char *path)
{
    for (bool first = *path != '/'; *path; first = false) {
        size_t n;

        path += strspn(path, "/");
        n = strcspn(path, "/");
        if (n &&
            (strchr("-~", *path) || memchr(path, '*', n) || memchr(path, '?', n) ||
             memchr(path, '`', n) || memmem(path, n, "$(", 2) || (first && path[n - 1] == ':')))
            return true;
        path += n;
    }
    return false;
}

bool sf_path_is_protected(const char *path)
{
    return sf_path_rule_for_text(path) != NULL;
}

struct sf_path_facts sf_path_classify(const struct sf_path_found *found,
                                      const struct sf_path_places *places)
{
    struct sf_path_facts facts = {
        .zone = found->inside ? SF_PATH_INSIDE : SF_PATH_OUTSIDE,
        .inside = found->inside,
        .shared = found->links > 1,
        .real = found->real,
    };

    worsen(&facts, sf_path_rule_for(found->real, found->inside, places));
    for (size_t i = 0; i < found->via_count; i++)
        worsen(&facts, sf_path_rule_for(found->via[i], found->via[i][0] != '/', places));
    if (found->git_dir)
        worsen(&facts, shape_rule());
    return facts;
}
