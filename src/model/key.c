/*
 * key.c: reading a key, and refusing what cannot be one. Everything a key passes through is
 * wiped before it is given back.
 */
#include "model/key.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void wipe(struct sf_strbuf *sb)
{
    explicit_bzero(sb->buf, sb->cap);
    sf_strbuf_release(sb);
}

void sf_key_free(char *key)
{
    if (key)
        explicit_bzero(key, strlen(key));
    free(key);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

char *sf_key_make(const char *text, size_t len, const char *source, struct sf_error *err)
{
    while (len && is_blank(text[len - 1]))
        len--;
    while (len && is_blank(*text)) {
        text++;
        len--;
    }
    if (!len || len > SF_KEY_MAX) {
        sf_fail(err, SF_E_ARG, len ? "%s holds no key: it is far too long" : "%s holds no key",
                source);
        return NULL;
    }
    for (size_t i = 0; i < len; i++)
        if (text[i] <= ' ' || text[i] >= 0x7f) {
            sf_fail(err, SF_E_ARG,
                    "%s holds more than a key: a blank or a character that no key contains",
                    source);
            sf_hint(err, "it must hold the key alone");
            return NULL;
        }
    return sf_strndup(text, len);
}

static char *from_variable(const char *name, struct sf_error *err)
{
    const char *value = sf_env_get(name);
    char source[160];

    if (!value) {
        sf_fail(err, SF_E_NOENT, "the variable %s is not set", name);
        return NULL;
    }
    snprintf(source, sizeof(source), "the variable %s", name);
    return sf_key_make(value, strlen(value), source, err);
}

/* "~/x" below the home directory; anything else must be absolute. */
static char *expand(const char *path, struct sf_error *err)
{
    char *home, *full;

    if (path[0] == '/')
        return sf_strdup(path);
    if (strncmp(path, "~/", 2) != 0) {
        sf_fail(err, SF_E_ARG, "the key file %s must be named by an absolute path", path);
        sf_hint(err, "begin it with / or ~/");
        return NULL;
    }
    home = sf_env_home(err);
    if (!home)
        return NULL;
    full = sf_path_join(home, path + 2);
    free(home);
    return full;
}

/* The path as a shell takes it, so that the hint can be copied. */
static void quote(struct sf_strbuf *out, const char *path)
{
    sf_strbuf_addch(out, '\'');
    for (const char *at = path; *at; at++)
        sf_strbuf_adds(out, *at == '\'' ? "'\\''" : (char[]){ *at, '\0' });
    sf_strbuf_addch(out, '\'');
}

static bool check_file(int fd, const char *path, struct sf_error *err)
{
    struct sf_strbuf quoted = SF_STRBUF_INIT;
    struct stat st;

    if (fstat(fd, &st) < 0)
        return sf_fail_errno(err, "cannot look at the key file %s", path);
    if (!S_ISREG(st.st_mode))
        return sf_fail(err, SF_E_ARG, "the key file %s is not a regular file", path);
    if (st.st_uid != geteuid())
        return sf_fail(err, SF_E_ARG, "the key file %s belongs to another user", path);
    if (!(st.st_mode & 077))
        return true;
    sf_fail(err, SF_E_ARG, "the key file %s can be read by others", path);
    quote(&quoted, path);
    sf_hint(err, "chmod 600 %s", quoted.buf);
    sf_strbuf_release(&quoted);
    return false;
}

static bool read_up_to(int fd, struct sf_strbuf *out, size_t max)
{
    while (out->len < max) {
        ssize_t n = read(fd, sf_strbuf_room(out, max - out->len), max - out->len);

        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            sf_strbuf_grew(out, (size_t)n);
    }
    return true;
}

static char *from_file(const char *path, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *full = expand(path, err), *key = NULL;
    char source[512];
    int fd = full ? open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;

    if (fd < 0) {
        if (full)
            sf_fail_errno(err, "cannot open the key file %s", full);
        goto out;
    }
    if (!check_file(fd, full, err))
        goto out;
    sf_strbuf_room(&text, SF_KEY_MAX + 2); /* no growing: it would leave copies behind */
    if (!read_up_to(fd, &text, SF_KEY_MAX + 1)) {
        sf_fail_errno(err, "cannot read the key file %s", full);
        goto out;
    }
    snprintf(source, sizeof(source), "the key file %s", full);
    key = sf_key_make(text.buf, text.len, source, err);
out:
    if (fd >= 0)
        close(fd);
    free(full);
    wipe(&text);
    return key;
}

/* What the command said is not shown: it may be the key. */
static bool check_command(const struct sf_child_result *result, struct sf_error *err)
{
    switch (result->how) {
    case SF_CHILD_EXITED:
        if (result->code == 0)
            return true;
        sf_fail(err, SF_E_IO, "the command of api_key_cmd ended with code %d", result->code);
        break;
    case SF_CHILD_DEADLINE:
        sf_fail(err, SF_E_TIMEOUT, "the command of api_key_cmd took longer than %d s",
                SF_KEY_CMD_MS / 1000);
        break;
    case SF_CHILD_SIGNALLED:
        sf_fail(err, SF_E_IO, "the command of api_key_cmd was ended by signal %d", result->signo);
        break;
    case SF_CHILD_FAILED:
        sf_fail(err, SF_E_IO, "the command of api_key_cmd does not start: %s", result->error.msg);
        break;
    case SF_CHILD_CANCELLED:
        sf_fail(err, SF_E_CANCELLED, "the command of api_key_cmd was cancelled");
        break;
    case SF_CHILD_LIMIT:
        sf_fail(err, SF_E_LIMIT, "the command of api_key_cmd was ended: %s", result->error.msg);
        break;
    }
    return sf_hint(err, "run it in a terminal: it must print the key, and ask nothing");
}

/* The first line of what it printed; both streams are wiped, one may hold what belongs to the other. */
static char *from_result(const struct sf_child_result *result, struct sf_error *err)
{
    const struct sf_strbuf *out = &result->output[SF_CHILD_STREAM_OUT];
    char *key = NULL;

    if (check_command(result, err))
        key = sf_key_make(out->buf, strcspn(out->buf, "\n"), "the output of api_key_cmd", err);
    for (size_t i = 0; i < SF_COUNT(result->output); i++)
        explicit_bzero(result->output[i].buf, result->output[i].cap);
    return key;
}

#define COMMAND(argv)                                                              \
    (struct sf_child_spec)                                                         \
    {                                                                              \
        .argv = (argv), .output_cap = SF_KEY_MAX + 1, .deadline_ms = SF_KEY_CMD_MS \
    }

static char *from_command(const char *command, struct sf_error *err)
{
    const char *const argv[] = { "/bin/sh", "-c", command, NULL };
    const struct sf_child_spec spec = COMMAND(argv);
    struct sf_child_result result;
    char *key;

    if (!sf_child_run(&spec, &result, err))
        return NULL;
    key = from_result(&result, err);
    sf_child_result_release(&result);
    return key;
}

struct sf_key_wait {
    struct sf_child *child;
    sf_key_fn *fn;
    void *ctx;
};

static void on_printed(void *ctx, const struct sf_child_result *result)
{
    const struct sf_key_wait wait = *(struct sf_key_wait *)ctx;
    struct sf_error err = SF_ERROR_INIT;
    char *key = from_result(result, &err);

    free(ctx);
    wait.fn(wait.ctx, key, &err);
}

struct sf_key_wait *sf_key_wait_start(struct sf_loop *loop, const char *command, sf_key_fn *fn,
                                      void *ctx, struct sf_error *err)
{
    static const struct sf_child_events events = { .on_exit = on_printed };
    const char *const argv[] = { "/bin/sh", "-c", command, NULL };
    const struct sf_child_spec spec = COMMAND(argv);
    struct sf_key_wait *wait = sf_alloc(sizeof(*wait));

    *wait = (struct sf_key_wait){ .fn = fn, .ctx = ctx };
    wait->child = sf_child_start(loop, &spec, &events, wait, err);
    if (!wait->child) {
        free(wait);
        wait = NULL;
    }
    return wait;
}

void sf_key_wait_cancel(struct sf_key_wait *wait)
{
    sf_child_cancel(wait->child);
}

char *sf_key_find(const struct sf_key_sources *sources, struct sf_error *err)
{
    if (sources->cmd)
        return from_command(sources->cmd, err);
    if (sources->file)
        return from_file(sources->file, err);
    if (sources->env)
        return from_variable(sources->env, err);
    sf_fail(err, SF_E_NOENT, "no source of a key is named");
    return NULL;
}
