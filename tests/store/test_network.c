/*
 * A store that several machines may use at once is warned about. What lies below is the kernel's
 * word, so the test speaks for the kernel.
 */
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "support/store_case.h"
#include "support/test.h"

static unsigned long kind; /* of every file system, as this test has it */

int statfs(const char *path, struct statfs *out)
{
    int rc = (int)syscall(SYS_statfs, path, out);

    if (rc == 0)
        out->f_type = (__fsword_t)kind;
    return rc;
}

static const struct {
    const char *name;
    unsigned long kind;
    bool warned;
} kinds[] = {
    { "NFS", 0x6969, true },
    { "CIFS", 0xff534d42, true },
    { "CIFS where the number is signed", 0xffffffffff534d42, true },
    { "SMB2", 0xfe534d42, true },
    { "SMB", 0x517b, true },
    { "9P", 0x01021997, true },
    { "AFS", 0x5346414f, true },
    { "Ceph", 0x00c36400, true },
    { "GPFS", 0x47504653, true },
    { "Lustre", 0x0bd00bd0, true },
    { "ext4", 0xef53, false },
    { "Btrfs", 0x9123683e, false },
    { "XFS", 0x58465342, false },
    { "tmpfs", 0x01021994, false },
    { "overlay", 0x794c7630, false },
};

static void test_kinds(void **state)
{
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        struct sf_store *store;
        bool warned;

        kind = kinds[i].kind;
        store = test_store_open(*state, SF_STORE_WRITE);
        warned = strstr(sf_store_warning(store), "the store is on a network file system") != NULL;
        sf_store_close(store);
        if (warned != kinds[i].warned)
            fail_msg("%s", kinds[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kinds, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
