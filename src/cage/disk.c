/*
 * disk.c: walks down to what is hidden, and looks for sockets. Links are never granted and
 * never followed: what they lead to is granted, or not, where it lies.
 *
 * The kernel's table says by which name a socket was bound, not where that is now. A name that is
 * gone leads to its directory, a relative one to where its owner works; what cannot be told that
 * way means that no local sockets can be made at all. Left open: what was moved to another
 * directory after it was bound, relative names of other users, and what is bound while the command
 * runs.
 */
#include "cage/disk.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard/guard.h"
#include "io/io.h"

enum {
    SPLIT_DEPTH = 16,
    RUN_DEPTH = 4,
    UNIX_TABLE_MAX = 4 * 1024 * 1024,
};

/* Devices have their own table of grants. */
static bool is_apart(const char *path)
{
    return !strcmp(path, "/dev");
}

/* What others may read anyway is worth hiding; what even we cannot read needs no hiding. */
static void add_hidden(struct sf_cage_disk *s, const char *path)
{
    char real[PATH_MAX];

    if (access(path, R_OK) == 0 && realpath(path, real) && !sf_strlist_has(&s->hidden, real))
        sf_strlist_add(&s->hidden, real);
}

/* Of the home directory many names are known, and few of them are there. */
bool sf_cage_disk_may_have(struct sf_listing *home, const struct sf_cage_plan *plan,
                           const char *path)
{
    const char *rest = home ? sf_cage_rest(plan->home, path) : NULL;

    return !rest || !*rest || sf_listing_may_have(home, rest);
}

static void find_hidden(struct sf_cage_disk *s, const struct sf_cage_plan *plan)
{
    struct sf_listing *home = plan->home ? sf_listings_read(s->listings, plan->home) : NULL;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->rules[i].use == SF_CAGE_HIDE &&
            sf_cage_disk_may_have(home, plan, plan->rules[i].path))
            add_hidden(s, plan->rules[i].path);
    sf_listing_done(home);
}

static bool is_hidden(const struct sf_cage_disk *s, const char *path)
{
    return sf_strlist_has(&s->hidden, path);
}

/* The home directory is always looked into: of some secrets only a pattern is known. */
static bool leads_to_hidden(const struct sf_cage_disk *s, const struct sf_cage_plan *plan,
                            const char *path)
{
    if (plan->home && sf_cage_below(path, plan->home))
        return true;
    for (size_t i = 0; i < s->hidden.count; i++)
        if (sf_cage_below(path, s->hidden.items[i]))
            return true;
    return false;
}

/* Most paths are ruled out by their names; a directory on the way may be what makes one secret. */
static bool may_be_secret(const char *below)
{
    char name[NAME_MAX + 1];

    for (;;) {
        size_t n;

        below += strspn(below, "/");
        n = strcspn(below, "/");
        if (!n)
            return false;
        if (n >= sizeof(name))
            return true;
        memcpy(name, below, n);
        name[n] = '\0';
        if (sf_path_name_may_be_secret(name))
            return true;
        below += n;
    }
}

/* Below the home directory also names that only a pattern of the guard knows: id_rsa.old. */
static bool sounds_secret(const struct sf_cage_plan *plan, const char *path)
{
    const struct sf_path_places places = { .root = plan->root, .home = plan->home };
    const char *rest = plan->home ? sf_cage_rest(plan->home, path) : NULL;
    const struct sf_path_rule *rule;

    if (!rest || !may_be_secret(rest))
        return false;
    rule = sf_path_rule_for(path, false, &places);
    return rule && sf_path_rule_is_secret(rule);
}

static bool is_link(const char *path, unsigned char type)
{
    struct stat st;

    if (type != DT_UNKNOWN)
        return type == DT_LNK;
    return lstat(path, &st) < 0 || S_ISLNK(st.st_mode);
}

static bool split(struct sf_cage_disk *s, const struct sf_cage_plan *plan, const char *dir,
                  unsigned depth);

static void add_leaf(struct sf_cage_disk *s, const char *path, uint64_t version)
{
    if (s->leaves.count == SF_CAGE_DISK_LEAVES_MAX) {
        s->cut = true;
        return;
    }
    sf_strlist_add(&s->leaves, path);
    s->versions = sf_grow(s->versions, &s->versions_cap, s->leaves.count, sizeof(*s->versions));
    s->versions[s->leaves.count - 1] = version;
}

/* Whether it is a leaf; what must be split is. */
static bool look_at(struct sf_cage_disk *s, const struct sf_cage_plan *plan, const char *path,
                    unsigned depth)
{
    if (is_apart(path) || is_hidden(s, path))
        return false;
    if (leads_to_hidden(s, plan, path)) {
        if (depth >= SPLIT_DEPTH || !split(s, plan, path, depth + 1))
            s->cut = true;
        return false;
    }
    return !sounds_secret(plan, path);
}

static bool split(struct sf_cage_disk *s, const struct sf_cage_plan *plan, const char *dir,
                  unsigned depth)
{
    struct sf_listing *listing = sf_listings_read(s->listings, dir);
    bool whole = listing && !listing->cut;

    for (size_t i = 0; listing && i < listing->count; i++) {
        char *path = sf_path_join(dir, listing->entries[i].name);

        if (!is_link(path, listing->entries[i].type) && look_at(s, plan, path, depth))
            add_leaf(s, path, listing->version);
        free(path);
    }
    sf_listing_done(listing);
    return whole;
}

void sf_cage_disk_make(struct sf_cage_disk *survey, const struct sf_cage_plan *plan,
                       struct sf_listings *listings)
{
    *survey = (struct sf_cage_disk){ .listings = listings };
    find_hidden(survey, plan);
    if (!split(survey, plan, "/", 0))
        survey->cut = true;
}

/* ---- sockets ---- */

/* In what is written, or named as readable itself: an agent the user lends to the command. */
static bool is_ours(const struct sf_cage_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct sf_cage_rule *rule = &plan->rules[i];

        if ((rule->use == SF_CAGE_WRITE && sf_cage_below(rule->path, path)) ||
            (rule->use == SF_CAGE_READ && !strcmp(rule->path, path)))
            return true;
    }
    return false;
}

static void add_socket(struct sf_cage_disk *s, const struct sf_cage_plan *plan, const char *path)
{
    char real[PATH_MAX];
    struct stat st;

    if (!realpath(path, real) || stat(real, &st) < 0 || !S_ISSOCK(st.st_mode) ||
        access(real, W_OK) < 0 || is_ours(plan, real) || sf_strlist_has(&s->sockets, real))
        return;
    if (s->sockets.count < SF_CAGE_DISK_SOCKETS_MAX)
        sf_strlist_add(&s->sockets, real);
    else
        s->sockets_cut = true;
}

/* Also sockets whose listener lives in another network namespace, as docker's in a container. */
static void scan_run(struct sf_cage_disk *s, const struct sf_cage_plan *plan, const char *dir,
                     unsigned depth)
{
    struct sf_listing *listing = sf_listings_read(s->listings, dir);

    for (size_t i = 0; listing && i < listing->count; i++) {
        char *path = sf_path_join(dir, listing->entries[i].name);

        if (listing->entries[i].type == DT_SOCK)
            add_socket(s, plan, path);
        else if (listing->entries[i].type == DT_DIR && depth < RUN_DEPTH)
            scan_run(s, plan, path, depth + 1);
        free(path);
    }
    sf_listing_done(listing);
}

/* All sockets in a directory: the one that was bound there may have another name by now. */
static void scan_dir(struct sf_cage_disk *s, const struct sf_cage_plan *plan, const char *dir)
{
    struct sf_listing *listing = sf_listings_read(s->listings, dir);

    for (size_t i = 0; listing && i < listing->count; i++) {
        char *path = sf_path_join(dir, listing->entries[i].name);

        if (listing->entries[i].type == DT_SOCK || listing->entries[i].type == DT_UNKNOWN)
            add_socket(s, plan, path);
        free(path);
    }
    s->sockets_cut = s->sockets_cut || (listing && listing->cut);
    sf_listing_done(listing);
}

static void add_bound(struct sf_cage_disk *s, const struct sf_cage_plan *plan, const char *path)
{
    struct stat st;
    char *dir;

    if (lstat(path, &st) == 0) {
        add_socket(s, plan, path);
        return;
    }
    dir = sf_strndup(path, (size_t)(strrchr(path, '/') - path));
    scan_dir(s, plan, *dir ? dir : "/");
    free(dir);
}

/* Whether the descriptors of a process have this socket among them. */
static bool has_open(const char *process, const char *socket)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    const struct dirent *entry;
    bool found = false;
    DIR *fds;

    sf_strbuf_addf(&path, "/proc/%s/fd", process);
    fds = opendir(path.buf);
    while (fds && !found && (entry = readdir(fds))) {
        char link[64];
        ssize_t n = readlinkat(dirfd(fds), entry->d_name, link, sizeof(link) - 1);

        link[n > 0 ? n : 0] = '\0';
        found = !strcmp(link, socket);
    }
    if (fds)
        closedir(fds);
    sf_strbuf_release(&path);
    return found;
}

/* Where the process that has the socket open works; NULL: nobody is seen to have it. */
static char *owner_dir(const char *inode)
{
    DIR *proc = opendir("/proc");
    struct sf_strbuf socket = SF_STRBUF_INIT, path = SF_STRBUF_INIT;
    const struct dirent *entry;
    char real[PATH_MAX], *dir = NULL;

    sf_strbuf_addf(&socket, "socket:[%s]", inode);
    while (proc && !dir && (entry = readdir(proc))) {
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
            !has_open(entry->d_name, socket.buf))
            continue;
        sf_strbuf_addf(&path, "/proc/%s/cwd", entry->d_name);
        dir = realpath(path.buf, real) ? sf_strdup(real) : NULL;
        sf_strbuf_reset(&path);
    }
    if (proc)
        closedir(proc);
    sf_strbuf_release(&socket);
    sf_strbuf_release(&path);
    return dir;
}

/*
 * It was bound by a relative name: from where is not in the table. One whose owner is not ours to
 * see is passed over, as mail servers have many of those, in directories that are not ours either.
 */
static void add_relative(struct sf_cage_disk *s, const struct sf_cage_plan *plan, const char *inode,
                         const char *name)
{
    char *dir = owner_dir(inode), *path = dir ? sf_path_join(dir, name) : NULL;
    struct stat st;

    if (path && lstat(path, &st) == 0)
        add_socket(s, plan, path);
    else if (dir || geteuid() == 0)
        s->sockets_cut = true;
    free(dir);
    free(path);
}

enum { INODE_COLUMN = 6 };

/* "0000000000000000: …": any other line is the rest of a name with a newline in it. */
static bool is_row(const char *line)
{
    size_t n = strspn(line, "0123456789abcdef");

    return n >= 8 && line[n] == ':' && line[n + 1] == ' ';
}

/* The seventh column is the number of the socket, the eighth its name, if it has one. */
static void scan_row(struct sf_cage_disk *s, const struct sf_cage_plan *plan, char *row)
{
    char *inode, *name;

    for (int i = 0; i < INODE_COLUMN; i++) {
        row += strcspn(row, " ");
        row += strspn(row, " ");
    }
    inode = row;
    name = inode + strcspn(inode, " ");
    if (!*name)
        return;
    *name++ = '\0';
    if (*name == '/')
        add_bound(s, plan, name);
    else if (*name && *name != '@') /* which is one without a file */
        add_relative(s, plan, inode, name);
}

static char *end_of_row(char *row)
{
    for (char *end = strchr(row, '\n'); end; end = strchr(end + 1, '\n'))
        if (!end[1] || is_row(end + 1))
            return end;
    return row + strlen(row);
}

/* The first line is a heading. */
static void scan_table(struct sf_cage_disk *s, const struct sf_cage_plan *plan, char *text)
{
    char *row = text + strcspn(text, "\n");

    while (*row && row[1]) {
        char *end = end_of_row(++row);
        bool more = *end;

        *end = '\0';
        scan_row(s, plan, row);
        row = end;
        if (more)
            *row = '\n';
    }
}

static void read_table(struct sf_cage_disk *s, const struct sf_cage_plan *plan)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (sf_file_read("/proc/net/unix", UNIX_TABLE_MAX, &text, &ignored))
        scan_table(s, plan, text.buf);
    else
        s->sockets_cut = true;
    sf_strbuf_release(&text);
}

void sf_cage_disk_sockets(struct sf_cage_disk *survey, const struct sf_cage_plan *plan)
{
    scan_run(survey, plan, "/run", 0);
    read_table(survey, plan);
}

void sf_cage_disk_release(struct sf_cage_disk *survey)
{
    sf_strlist_release(&survey->hidden);
    sf_strlist_release(&survey->leaves);
    free(survey->versions);
    sf_strlist_release(&survey->sockets);
}
