/*
 * Any bytes as an untrusted project's settings: no crash, and never a wider policy than without
 * them. The same bytes as the user's own broken file: the strictest policy, and an error.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static const char *const ordered[] = {
    "defaults.permission_profile", "defaults.run_control", "guard.approval_mode",  "guard.cage",
    "guard.shell_scope",           "limits.max_turns",     "limits.max_subagents",
};
static const char *const gated[] = { "guard.allow", "guard.caches", "guard.env_keep",
                                     "work.verify" };

static void check_untrusted(const char *text, size_t size)
{
    struct sf_config *before = sf_config_new(), *after = sf_config_new();

    sf_config_add_file(after, SF_LAYER_PROJECT, "project", text, size, false);
    for (size_t i = 0; i < SF_COUNT(ordered); i++)
        must(sf_config_find(after, ordered[i])->integer <=
             sf_config_find(before, ordered[i])->integer);
    for (size_t i = 0; i < SF_COUNT(gated); i++)
        must(sf_config_find(after, gated[i])->count == 0);
    must(sf_config_find(after, "modes.review.writable")->count == 0);
    must(sf_config_find(after, "modes.explore.writable")->count == 0);
    must(!sf_config_find(after, "models.a.base_url") && !sf_config_find(after, "hooks.a"));
    sf_config_free(before);
    sf_config_free(after);
}

static void check_broken(const char *text, size_t size)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc = sf_toml_parse(text, size, 1 << 20, &err);
    struct sf_config *config = sf_config_new();
    size_t count;

    sf_config_add_file(config, SF_LAYER_USER, "user", text, size, true);
    sf_config_notes(config, &count);
    if (!doc)
        must(count == 1 &&
             !strcmp(sf_config_text(config, "defaults.permission_profile"), "restricted"));
    sf_toml_free(doc);
    sf_config_free(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_untrusted((const char *)data, size);
    check_broken((const char *)data, size);
    return 0;
}
