#include "support/cage_strength.h"

static const struct {
    int landlock; /* at most this version */
    bool spaces;  /* namespaces too */
} strengths[CAGE_STRENGTHS] = { { 99, true }, { 7, false }, { 4, false },
                                { 2, true },  { 1, false }, { 0, false } };

const char *const cage_strength_names[CAGE_STRENGTHS] = {
    "as it is",
    "landlock 7 + seccomp",
    "landlock 4 + seccomp",
    "landlock 2 + namespaces + seccomp",
    "landlock 1 + seccomp",
    "seccomp alone",
};

struct sf_kernel cage_weaken(size_t i)
{
    struct sf_kernel k = *sf_kernel();

    if (k.landlock > strengths[i].landlock)
        k.landlock = strengths[i].landlock;
    k.mounts = k.mounts && strengths[i].spaces;
    k.nets = k.nets && strengths[i].spaces;
    return k;
}

bool cage_is_offered(size_t i)
{
    const struct sf_kernel *k = sf_kernel();

    return !i || (k->landlock >= strengths[i].landlock && k->seccomp &&
                  (!strengths[i].spaces || k->mounts));
}
