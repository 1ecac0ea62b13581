/*
 * project_scan_manifest.c: reads manifests and build files. A name from such a file is used in a
 * command only if it is plain, so that no file can inject a command.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workspace/project_scan.h"

enum { FILE_MAX = 256 * 1024, ABOUT_COLUMNS = 160 };

struct file {
    struct sf_project_scan *sketch;
    const struct sf_strlist *names; /* of the files beside it */
    const char *text;
    size_t len;
};

/* ---- results ---- */

static void add_command(struct sf_project_scan *s, const char *what, const char *command)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "%s\t%s", what, command);
    sf_project_scan_add(&s->commands, line.buf);
    sf_strbuf_release(&line);
}

/* Accepts names such as "@scope/name" and "example.org/name" too. */
static void set_name(struct sf_project_scan *s, const char *text, size_t len)
{
    char *name = sf_strndup(text, len), *part = name;
    bool ok = !s->name && len <= 128;

    part += *part == '@';
    for (char *next; ok && part; part = next) {
        next = strchr(part, '/');
        if (next)
            *next++ = '\0';
        ok = sf_project_scan_is_plain(part);
    }
    if (ok)
        s->name = sf_strndup(text, len);
    free(name);
}

/* Sets the project's own description, without characters that have a meaning in Markdown. */
static void set_about(struct sf_project_scan *s, const char *text)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    if (s->about)
        return;
    sf_text_sanitize(&safe, text, strlen(text), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&safe, sf_text_fit(safe.buf, safe.len, ABOUT_COLUMNS, NULL));
    for (size_t i = 0; i < safe.len; i++)
        if (strchr("`<>[]#*|\\", safe.buf[i]))
            safe.buf[i] = ' ';
    if (safe.buf && safe.buf[strspn(safe.buf, " ")])
        s->about = sf_strdup(safe.buf + strspn(safe.buf, " "));
    sf_strbuf_release(&safe);
}

/* ---- TOML ---- */

static const char *toml_text(const struct sf_toml *doc, const char *table, const char *key)
{
    const char *const path[] = { table, key };
    const struct sf_toml_value *v = sf_toml_find(doc, path, 2);

    return v && v->type == SF_TOML_STRING ? v->as.str.text : NULL;
}

static bool has_table(const struct sf_toml *doc, const char *table, const char *key)
{
    const char *const path[] = { table, key };

    return sf_toml_find(doc, path, key ? 2 : 1) != NULL;
}

static void tell_toml(struct sf_project_scan *s, const struct sf_toml *doc, const char *table)
{
    const char *name = toml_text(doc, table, "name"), *about = toml_text(doc, table, "description");

    if (name)
        set_name(s, name, strlen(name));
    if (about)
        set_about(s, about);
}

static void read_cargo(struct file *f)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_toml *doc = sf_toml_parse(f->text, f->len, FILE_MAX, &ignored);

    if (doc)
        tell_toml(f->sketch, doc, "package");
    add_command(f->sketch, "build", "cargo build");
    add_command(f->sketch, "lint", "cargo clippy --all-targets");
    add_command(f->sketch, "format", "cargo fmt");
    sf_toml_free(doc);
}

static void read_python(struct file *f)
{
    static const struct {
        const char *tool, *what, *command;
    } tools[] = { { "ruff", "lint", "ruff check" },
                  { "mypy", "lint", "mypy ." },
                  { "black", "format", "black ." },
                  { "poetry", "build", "poetry build" },
                  { "flake8", "lint", "flake8" } };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_toml *doc = sf_toml_parse(f->text, f->len, FILE_MAX, &ignored);

    if (!doc)
        return;
    tell_toml(f->sketch, doc, "project");
    if (has_table(doc, "build-system", NULL) && !has_table(doc, "tool", "poetry"))
        add_command(f->sketch, "build", "python -m build");
    for (size_t i = 0; i < SF_COUNT(tools); i++)
        if (has_table(doc, "tool", tools[i].tool))
            add_command(f->sketch, tools[i].what, tools[i].command);
    sf_toml_free(doc);
}

/* ---- other formats ---- */

static void read_go(struct file *f)
{
    static const char word[] = "module ";
    const char *at = f->text;

    while (at && strncmp(at, word, strlen(word)) != 0)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (at)
        set_name(f->sketch, at + strlen(word), strcspn(at + strlen(word), " \t\r\n"));
    add_command(f->sketch, "build", "go build ./...");
    add_command(f->sketch, "lint", "go vet ./...");
}

static void read_package(struct file *f)
{
    static const char *const scripts[][2] = { { "build", "build" },
                                              { "lint", "lint" },
                                              { "format", "format" },
                                              { "typecheck", "lint" },
                                              { "start", "run" } };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(f->text, f->len, NULL, &ignored);
    const struct sf_json *all = json ? sf_json_get(json, "scripts") : NULL;
    const char *text;

    if (!json)
        return;
    if (sf_json_get_str(json, "name", &text, &ignored))
        set_name(f->sketch, text, strlen(text));
    if (sf_json_get_str(json, "description", &text, &ignored))
        set_about(f->sketch, text);
    for (size_t i = 0; all && i < SF_COUNT(scripts); i++) {
        struct sf_strbuf command = SF_STRBUF_INIT;

        sf_strbuf_addf(&command, "%s run %s", sf_checks_node_runner(f->names), scripts[i][0]);
        if (sf_json_get(all, scripts[i][0]))
            add_command(f->sketch, scripts[i][1], command.buf);
        sf_strbuf_release(&command);
    }
    sf_json_free(json);
}

static void read_cmake(struct file *f)
{
    add_command(f->sketch, "build", "cmake -B build && cmake --build build");
}

static void read_meson(struct file *f)
{
    add_command(f->sketch, "build", "meson setup build && meson compile -C build");
}

static void read_make(struct file *f)
{
    static const char *const targets[][2] = { { "build", "build" },
                                              { "all", "build" },
                                              { "lint", "lint" },
                                              { "format", "format" },
                                              { "fmt", "format" } };

    for (size_t i = 0; i < SF_COUNT(targets); i++) {
        struct sf_strbuf command = SF_STRBUF_INIT;

        sf_strbuf_addf(&command, "make %s", targets[i][0]);
        if (sf_checks_has_target(f->text, targets[i][0]))
            add_command(f->sketch, targets[i][1], command.buf);
        sf_strbuf_release(&command);
    }
}

/* ---- finding manifests ---- */

enum { LOCKS = 5 };

static const struct manifest {
    const char *name, *language; /* or NULL */
    void (*read)(struct file *f);
    const char *locks[LOCKS]; /* lock files that its tools write beside it; unused ones are NULL */
} manifests[] = {
    { "Cargo.toml", "Rust", read_cargo, { "Cargo.lock" } },
    { "go.mod", "Go", read_go, { "go.sum" } },
    { "package.json",
      NULL,
      read_package,
      { "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb" } },
    { "pyproject.toml", "Python", read_python, { "poetry.lock", "uv.lock" } },
    { "CMakeLists.txt", NULL, read_cmake, { NULL } },
    { "meson.build", NULL, read_meson, { NULL } },
    { "Makefile", NULL, read_make, { NULL } },
    { "GNUmakefile", NULL, read_make, { NULL } },
};

/* A build writes lock files, so scopes include them: the existing ones, or all if none exists. */
static void add_locks(struct sf_project_scan *s, const struct manifest *m,
                      const struct sf_strlist *names)
{
    bool there = false;

    for (size_t i = 0; i < LOCKS && m->locks[i]; i++)
        there = there || sf_strlist_has(names, m->locks[i]);
    for (size_t i = 0; i < LOCKS && m->locks[i]; i++)
        if (!there || sf_strlist_has(names, m->locks[i]))
            sf_project_scan_add(&s->sources, m->locks[i]);
}

/* Reads a whole regular file of at most FILE_MAX bytes; anything else is not read. */
static bool slurp(int dir, const char *name, struct sf_strbuf *out)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= FILE_MAX;
    ssize_t n = ok ? 1 : 0;

    while (ok && n != 0 && out->len <= FILE_MAX) {
        n = read(fd, sf_strbuf_room(out, 4096), 4096);
        if (n > 0)
            sf_strbuf_grew(out, (size_t)n);
        ok = n >= 0 || errno == EINTR;
    }
    if (fd >= 0)
        close(fd);
    return ok && out->len <= FILE_MAX && !memchr(out->buf, 0, out->len);
}

static bool read_below(void *ctx, const char *path, struct sf_strbuf *out)
{
    const int *dir = ctx;

    return slurp(*dir, path, out);
}

void sf_project_scan_checks_in(int dir, const struct sf_strlist *names, struct sf_checks *out)
{
    const struct sf_checks_project project = { .names = names, .read = read_below, .ctx = &dir };

    sf_checks_detect(&project, out);
}

static void add_checks(struct sf_project_scan *s, int dir, const struct sf_strlist *names)
{
    struct sf_checks checks = SF_CHECKS_INIT;

    sf_project_scan_checks_in(dir, names, &checks);
    for (size_t i = 0; i < checks.commands.count; i++)
        add_command(s, "test", checks.commands.items[i]);
    sf_checks_release(&checks);
}

void sf_project_scan_manifests(struct sf_project_scan *s, int dir, const struct sf_strlist *names)
{
    for (size_t i = 0; i < SF_COUNT(manifests); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct file f = { .sketch = s, .names = names };

        if (sf_strlist_has(names, manifests[i].name) && slurp(dir, manifests[i].name, &text)) {
            f.text = text.buf;
            f.len = text.len;
            if (manifests[i].language)
                sf_project_scan_add(&s->languages, manifests[i].language);
            manifests[i].read(&f);
            sf_project_scan_add(&s->sources, manifests[i].name);
            add_locks(s, &manifests[i], names);
        }
        sf_strbuf_release(&text);
    }
    add_checks(s, dir, names);
}
