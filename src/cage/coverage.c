/*
 * coverage.c: one table says which layer holds which fence.
 */
#include "cage/coverage.h"

#include <string.h>

/* What a fence needs; any one of those named holds it. */
static const struct {
    const char *name, *help;
    int landlock; /* from this version of Landlock on; 0: not by Landlock */
    bool mounts;  /* by the mount namespace together with Landlock */
    bool filter;  /* by the filter of system calls alone */
} fences[SF_FENCE_COUNT] = {
    [SF_FENCE_WRITE] = { "write", "files outside are not written, made or removed", 1, false,
                         false },
    [SF_FENCE_TRUNCATE] = { "truncate", "files outside are not emptied", 3, true, false },
    [SF_FENCE_METADATA] = { "metadata", "modes, owners and times outside stay", 0, true, false },
    [SF_FENCE_READ] = { "read", "credentials and sf's own data are not read", 1, false, false },
    [SF_FENCE_NETWORK] = { "network", "no host is reached, nor a service of this one", 0, false,
                           true },
    [SF_FENCE_SOCKETS] = { "sockets",
                           "local sockets outside the workspace that others had open are not reached",
                           0, false, true },
    [SF_FENCE_ABSTRACT] = { "abstract", "nor those that have no file", 6, false, true },
    [SF_FENCE_SIGNALS] = { "signals", "other programs get no signals", 6, false, false },
    [SF_FENCE_PROCESSES] = { "processes", "other programs are not looked into", 1, false, false },
    [SF_FENCE_LIMITS] = { "limits", "nor do they get other limits or priorities", 0, false, true },
    [SF_FENCE_DEVICES] = { "devices", "no typing into terminals, no control of devices", 5, false,
                           false },
    [SF_FENCE_SECRETS] = { "secrets", "nor files of the workspace such as .env and private keys", 0,
                           true, false },
    [SF_FENCE_GIT] = { "git",
                       "git's hooks and settings, .sf and what others obey stay, or are put back",
                       0, true, false },
    [SF_FENCE_HISTORY] = { "history",
                           "git's objects, references and logs are put back, or their loss is told",
                           3, true, false },
};

const struct sf_cage_level_row sf_cage_levels[] = {
    [SF_CAGE_LEVEL_NONE] = { "none", "nothing confines commands" },
    [SF_CAGE_LEVEL_FILTER] = { "filter", "only system calls are filtered: files are not fenced" },
    [SF_CAGE_LEVEL_LANDLOCK] = { "landlock", "Landlock, without namespaces" },
    [SF_CAGE_LEVEL_FULL] = { "full", "Landlock and namespaces" },
};

const char *sf_cage_fence_name(enum sf_cage_fence fence)
{
    return fences[fence].name;
}

const char *sf_cage_fence_help(enum sf_cage_fence fence)
{
    return fences[fence].help;
}

static enum sf_cage_level level_of(const struct sf_kernel *k)
{
    if (k->landlock)
        return k->mounts || k->nets ? SF_CAGE_LEVEL_FULL : SF_CAGE_LEVEL_LANDLOCK;
    return k->seccomp ? SF_CAGE_LEVEL_FILTER : SF_CAGE_LEVEL_NONE;
}

struct sf_cage_coverage sf_cage_coverage(const struct sf_kernel *kernel,
                                         const struct sf_cage_plan *plan)
{
    struct sf_cage_coverage s = { .level = SF_CAGE_LEVEL_NONE };
    struct sf_kernel less = *kernel;

    if (plan->need == SF_CAGE_NEED_OFF)
        return s;
    if (plan->root && !strcmp(plan->root, "/")) /* everything is inside: nothing to mount */
        less.mounts = false;
    kernel = &less;
    s.level = level_of(kernel);
    s.landlock = kernel->landlock;
    s.mounts = kernel->landlock && kernel->mounts;
    s.filter = kernel->seccomp;
    for (size_t i = 0; i < SF_FENCE_COUNT; i++)
        s.stands[i] = (fences[i].landlock && kernel->landlock >= fences[i].landlock) ||
                      (fences[i].mounts && kernel->mounts && kernel->landlock) ||
                      (fences[i].filter && kernel->seccomp);
    if (plan->network) {
        s.stands[SF_FENCE_NETWORK] = false;
        /* without a network of its own, or Landlock's word, the filter must let them be made */
        s.stands[SF_FENCE_ABSTRACT] = kernel->landlock >= 6 || (kernel->seccomp && !kernel->mounts);
    } else if (kernel->mounts && !kernel->nets) {
        s.stands[SF_FENCE_ABSTRACT] = kernel->landlock >= 6;
    }
    if (plan->show_secrets || plan->secrets_cut)
        s.stands[SF_FENCE_SECRETS] = false;
    if (plan->git_cut)
        s.stands[SF_FENCE_GIT] = false;
    if (plan->trusted)
        s.stands[SF_FENCE_WRITE] = s.stands[SF_FENCE_TRUNCATE] = s.stands[SF_FENCE_METADATA] =
            false;
    if (plan->trusted && kernel->landlock < 3) /* sf's copies can be emptied */
        s.stands[SF_FENCE_HISTORY] = false;
    return s;
}

static void add_layers(struct sf_strbuf *out, const struct sf_cage_coverage *s)
{
    if (s->level == SF_CAGE_LEVEL_NONE)
        sf_strbuf_adds(out, "none");
    if (s->level >= SF_CAGE_LEVEL_LANDLOCK)
        sf_strbuf_addf(out, "landlock %d%s%s", s->landlock,
                       s->level == SF_CAGE_LEVEL_FULL ? " + namespaces" : "",
                       s->filter ? " + " : "");
    if (s->filter)
        sf_strbuf_adds(out, "seccomp");
}

static void add_fences(struct sf_strbuf *out, const struct sf_cage_coverage *s, bool standing)
{
    const char *before = standing ? ": " : "; open: ";

    for (size_t i = 0; i < SF_FENCE_COUNT; i++)
        if (s->stands[i] == standing) {
            sf_strbuf_addf(out, "%s%s", before, fences[i].name);
            before = ", ";
        }
}

void sf_cage_coverage_add(struct sf_strbuf *out, const struct sf_cage_coverage *coverage)
{
    add_layers(out, coverage);
    if (coverage->level == SF_CAGE_LEVEL_NONE)
        return;
    add_fences(out, coverage, true);
    add_fences(out, coverage, false);
}

void sf_cage_coverage_brief(struct sf_strbuf *out, const struct sf_cage_coverage *coverage)
{
    const struct sf_cage_level_row *level = &sf_cage_levels[coverage->level];

    if (coverage->level == SF_CAGE_LEVEL_NONE) {
        sf_strbuf_addf(out, "none, %s", level->what);
        return;
    }
    sf_strbuf_addf(out, "%s%s (", coverage->level == SF_CAGE_LEVEL_FULL ? "" : "fallback ",
                   level->name);
    add_layers(out, coverage);
    sf_strbuf_addch(out, ')');
    add_fences(out, coverage, false);
}

void sf_cage_coverage_explain(struct sf_strbuf *out, const struct sf_cage_coverage *coverage)
{
    sf_strbuf_addf(out, "%-10s", "enforced");
    add_layers(out, coverage);
    sf_strbuf_addch(out, '\n');
    for (size_t i = 0; i < SF_FENCE_COUNT; i++)
        sf_strbuf_addf(out, "  %-4s %-10s %s\n", coverage->stands[i] ? "yes" : "NO", fences[i].name,
                       fences[i].help);
}
