/*
 * cmd_store.c: sf store: the path of the store, whether it is sound, and its recovery if it is not.
 */
#include "app/app.h"
#include "base/base.h"

int sf_cmd_store_path(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *dir = sf_app_state_dir(inv->app, &err);
    struct sf_strbuf out = SF_STRBUF_INIT;

    if (!dir)
        return sf_print_error(&err, SF_EXIT_FAILED);
    sf_strbuf_addf(&out, "%s/sf.db\n", dir);
    sf_print(&out);
    sf_strbuf_release(&out);
    return SF_EXIT_DONE;
}

typedef bool report_fn(const char *dir, struct sf_strbuf *report, struct sf_error *err);

static int report(struct sf_invocation *inv, report_fn *fn, const char *success)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *dir = sf_app_state_dir(inv->app, &err);
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool ok = dir && fn(dir, &out, &err);

    if (ok)
        sf_strbuf_adds(&out, success);
    sf_print(&out);
    sf_strbuf_release(&out);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_store_check(struct sf_invocation *inv)
{
    return report(inv, sf_store_check, "The store is sound.\n");
}

int sf_cmd_store_recover(struct sf_invocation *inv)
{
    return report(inv, sf_store_recover, "The store can be used again.\n");
}
