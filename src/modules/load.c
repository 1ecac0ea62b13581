/*
 * load.c: finds and loads the modules, which lie beside the program: whoever sets the environment
 * must not choose what code is loaded.
 */
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "modules/modules.h"

static const char *const places[] = { "modules", "../lib/sf" };

/* The objects that are loaded, in order; those before `known` are passed over. */
struct objects {
    size_t known, seen;
};

static int leave_out(struct dl_phdr_info *info, size_t size, void *ctx)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct objects *o = ctx;
    uintptr_t from = UINTPTR_MAX, to = 0;

    (void)size;
    if (o->seen++ < o->known)
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD)
            continue;
        from = start < from ? start : from;
        to = start + part->p_memsz > to ? start + part->p_memsz : to;
    }
    from -= from % page;
    if (to > from) /* as far as pages go; what the file does not fill of the last one goes too */
        sf_child_leave_out((void *)from, (to - from + page - 1) / page * page);
    return 0;
}

static int count(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)info;
    (void)size;
    ++*(size_t *)ctx;
    return 0;
}

/* The table behind `symbol` of FILE.so. */
static const void *load(const char *file, const char *symbol, struct sf_error *err)
{
    char dir[4096], path[sizeof(dir) + 64];
    struct objects objects = { 0 };
    void *handle = NULL;
    const void *table;

    if (!sf_program_dir(dir, sizeof(dir))) {
        sf_fail(err, SF_E_IO, "cannot find out where the program lies");
        return NULL;
    }
    dl_iterate_phdr(count, &objects.known);
    for (size_t i = 0; i < SF_COUNT(places) && !handle; i++) {
        snprintf(path, sizeof(path), "%s/%s/%s", dir, places[i], file);
        if (access(path, F_OK) == 0)
            handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        else if (i + 1 == SF_COUNT(places))
            sf_fail(err, SF_E_NOENT, "the module %s is missing beside the program", file);
    }
    if (!handle) {
        if (err->code == SF_E_NONE)
            sf_fail(err, SF_E_IO, "cannot load %s: %s", file, dlerror());
        sf_hint(err, "install sf again: `./dev install`");
        return NULL;
    }
    table = dlsym(handle, symbol);
    if (!table || *(const int *)table != SF_MODULE_ABI) {
        sf_fail(err, SF_E_IO, "the module %s belongs to another version of sf", path);
        sf_hint(err, "install sf again: `./dev install`");
        dlclose(handle);
        return NULL;
    }
    dl_iterate_phdr(leave_out, &objects);
    return table;
}

const struct sf_http_api *sf_module_http(struct sf_error *err)
{
    static const struct sf_http_api *api;

    if (!api)
        api = load("sf-http.so", "sf_http_module", err);
    return api;
}

const struct sf_git_api *sf_module_git(struct sf_error *err)
{
    static const struct sf_git_api *api;

    if (!api)
        api = load("sf-git.so", "sf_git_module", err);
    return api;
}
