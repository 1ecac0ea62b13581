/*
 * nearby.c: searches a directory for names similar to the one that was asked for.
 */
#include "tools/nearby.h"

#include <dirent.h>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include "base/base.h"

enum { NAMES_READ = 5000, NAMES_TOLD = 3 };

/* The names in the held directory that are safe to show; sorted, so that results are stable. */
static void list_names(int dir, struct sf_strlist *names)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;

    if (!stream) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while (names->count < NAMES_READ && (entry = readdir(stream))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (sf_utf8_valid(entry->d_name, strlen(entry->d_name), NULL))
            sf_strlist_add(names, entry->d_name);
    }
    closedir(stream);
    sf_strlist_sort(names);
}

/* Whether the names differ only in case or extension: "main.c", "main.h", "Main.c". */
static bool is_kin(const char *a, const char *b)
{
    const char *dot_a = strrchr(a, '.'), *dot_b = strrchr(b, '.');
    size_t stem_a = dot_a && dot_a > a ? (size_t)(dot_a - a) : strlen(a);
    size_t stem_b = dot_b && dot_b > b ? (size_t)(dot_b - b) : strlen(b);

    return stem_a == stem_b && !strncasecmp(a, b, stem_a);
}

static void offer(struct sf_strlist *found, const char *name)
{
    if (found->count < NAMES_TOLD && !sf_strlist_has(found, name))
        sf_strlist_add(found, name);
}

static void pick(const struct sf_strlist *names, const char *wanted, struct sf_strlist *found)
{
    for (int round = 0; round < NAMES_TOLD; round++) {
        struct sf_suggest near;

        sf_suggest_start(&near, wanted);
        for (size_t i = 0; i < names->count; i++)
            if (!sf_strlist_has(found, names->items[i]))
                sf_suggest_offer(&near, names->items[i]);
        if (near.best)
            offer(found, near.best);
    }
    for (size_t i = 0; i < names->count; i++)
        if (is_kin(names->items[i], wanted))
            offer(found, names->items[i]);
}

/* Appends a name of the held directory as it is written from `stand`. */
static void add_name(struct sf_strbuf *out, const struct sf_place *place, const char *name,
                     const char *stand)
{
    char *dir = sf_strndup(place->real, place->dir_len);
    char *path = *dir ? sf_path_join(dir, name) : sf_strdup(name);

    sf_strbuf_adds(out, out->len ? ", " : "");
    sf_stand_spell(out, stand, path);
    free(path);
    free(dir);
}

static void hint_names(const struct sf_place *place, const char *wanted, const char *stand,
                       struct sf_error *err)
{
    struct sf_strlist names = SF_STRLIST_INIT, found = SF_STRLIST_INIT;
    struct sf_strbuf sb = SF_STRBUF_INIT, shown = SF_STRBUF_INIT;

    list_names(place->dir, &names);
    pick(&names, wanted, &found);
    for (size_t i = 0; i < found.count; i++)
        add_name(&sb, place, found.items[i], stand);
    sf_text_sanitize(&shown, sb.buf, sb.len, SF_TEXT_ONE_LINE);
    if (found.count)
        sf_hint(err, "there is: %s", shown.buf);
    else
        sf_hint(err, "LS shows what is there, Glob finds files by name");
    sf_strbuf_release(&shown);
    sf_strbuf_release(&sb);
    sf_strlist_release(&found);
    sf_strlist_release(&names);
}

void sf_nearby_fail(const struct sf_place *place, const char *stand, struct sf_error *err)
{
    size_t n = strcspn(place->missing, "/");
    char *wanted = n ? sf_strndup(place->missing, n) : sf_strdup(place->name);

    if (n)
        sf_fail(err, SF_E_NOENT, "%s is not there, nor is its directory", place->shown);
    else
        sf_fail(err, SF_E_NOENT, "%s is not there", place->shown);
    if (place->inside)
        hint_names(place, wanted, stand, err);
    free(wanted);
}
