/*
 * version.c: sf --version. For libraries in modules it prints the versions that sf was built with;
 * with -v the modules are loaded and asked for theirs.
 */
#include <cjson/cJSON.h>
#include <curl/curlver.h>
#include <git2/version.h>
#include <sqlite3.h>
#include <utf8proc.h>
#include <yaml.h>

#include "app/app.h"
#include "base/base.h"
#include "commit.h"
#include "modules/modules.h"

static void add_linked(struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "sf %s (%s)\n", SF_VERSION, SF_COMMIT);
    sf_strbuf_addf(out, "SQLite %s, cJSON %s, libyaml %s, utf8proc %s\n", sqlite3_libversion(),
                   cJSON_Version(), yaml_get_version_string(), utf8proc_version());
}

static void add_built_with(struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "on first use: libcurl %s, libgit2 %s\n", LIBCURL_VERSION, LIBGIT2_VERSION);
}

static bool add_loaded(struct sf_strbuf *out, struct sf_error *err)
{
    const struct sf_http_api *http = sf_module_http(err);
    const struct sf_git_api *git = http ? sf_module_git(err) : NULL;

    if (!git)
        return false;
    sf_strbuf_adds(out, "loaded: ");
    http->describe(out);
    sf_strbuf_adds(out, "\nloaded: ");
    git->describe(out);
    sf_strbuf_addch(out, '\n');
    return true;
}

int sf_print_version(bool loaded)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok = true;

    add_linked(&out);
    if (loaded)
        ok = add_loaded(&out, &err);
    else
        add_built_with(&out);
    sf_print(&out);
    sf_strbuf_release(&out);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}
