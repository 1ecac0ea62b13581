/*
 * landlock: the kernel's interface as far as it is used here, with what newer kernels added;
 * internal to the room. Debian's headers end at version 2, the kernel may be at any.
 */
#ifndef SF_CAGE_LANDLOCK_H
#define SF_CAGE_LANDLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SF_LANDLOCK_NEWEST = 7 }; /* what later versions add is not asked for */

#define SF_LL_EXECUTE     (UINT64_C(1) << 0)
#define SF_LL_WRITE_FILE  (UINT64_C(1) << 1)
#define SF_LL_READ_FILE   (UINT64_C(1) << 2)
#define SF_LL_READ_DIR    (UINT64_C(1) << 3)
#define SF_LL_REMOVE_DIR  (UINT64_C(1) << 4)
#define SF_LL_REMOVE_FILE (UINT64_C(1) << 5)
#define SF_LL_MAKE_CHAR   (UINT64_C(1) << 6)
#define SF_LL_MAKE_DIR    (UINT64_C(1) << 7)
#define SF_LL_MAKE_REG    (UINT64_C(1) << 8)
#define SF_LL_MAKE_SOCK   (UINT64_C(1) << 9)
#define SF_LL_MAKE_FIFO   (UINT64_C(1) << 10)
#define SF_LL_MAKE_BLOCK  (UINT64_C(1) << 11)
#define SF_LL_MAKE_SYM    (UINT64_C(1) << 12)
#define SF_LL_REFER       (UINT64_C(1) << 13) /* 2: rename and link between directories */
#define SF_LL_TRUNCATE    (UINT64_C(1) << 14) /* 3 */
#define SF_LL_IOCTL_DEV   (UINT64_C(1) << 15) /* 5 */

#define SF_LL_NET_TCP (UINT64_C(3))     /* 4: bind and connect */
#define SF_LL_SCOPES  (UINT64_C(3))     /* 6: abstract sockets and signals */
#define SF_LL_FIRST   (SF_LL_REFER - 1) /* all of version 1 */

#define SF_LL_OF_FILES \
    (SF_LL_EXECUTE | SF_LL_WRITE_FILE | SF_LL_READ_FILE | SF_LL_TRUNCATE | SF_LL_IOCTL_DEV)
#define SF_LL_READ (SF_LL_EXECUTE | SF_LL_READ_FILE | SF_LL_READ_DIR)
#define SF_LL_CHANGE                                                                             \
    (SF_LL_WRITE_FILE | SF_LL_REMOVE_DIR | SF_LL_REMOVE_FILE | SF_LL_MAKE_DIR | SF_LL_MAKE_REG | \
     SF_LL_MAKE_SOCK | SF_LL_MAKE_FIFO | SF_LL_MAKE_SYM | SF_LL_REFER | SF_LL_TRUNCATE)

struct sf_ll_ruleset {
    uint64_t fs, net, scoped;
};

struct sf_ll_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

#define SF_LL_RULE_BENEATH 1
#define SF_LL_ASK_VERSION  1U

/* The file rights a version knows. */
static inline uint64_t sf_ll_fs_rights(int version)
{
    return SF_LL_FIRST | (version >= 2 ? SF_LL_REFER : 0) | (version >= 3 ? SF_LL_TRUNCATE : 0) |
           (version >= 5 ? SF_LL_IOCTL_DEV : 0);
}

static inline int sf_ll_version(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, SF_LL_ASK_VERSION);
}

/* What a version does not know of the struct it must not be given. */
static inline int sf_ll_create(const struct sf_ll_ruleset *ruleset, int version)
{
    size_t size = version >= 6   ? sizeof(*ruleset)
                  : version >= 4 ? offsetof(struct sf_ll_ruleset, scoped)
                                 : offsetof(struct sf_ll_ruleset, net);

    return (int)syscall(SYS_landlock_create_ruleset, ruleset, size, 0U);
}

static inline int sf_ll_add(int ruleset, const struct sf_ll_beneath *rule)
{
    return (int)syscall(SYS_landlock_add_rule, ruleset, SF_LL_RULE_BENEATH, rule, 0U);
}

static inline int sf_ll_restrict(int ruleset)
{
    return (int)syscall(SYS_landlock_restrict_self, ruleset, 0U);
}

#endif
