/*
 * hints.c: the words programs use when the network, a socket or a file is not there for them.
 */
#include "cage/hints.h"

#include <string.h>

enum subject { NETWORK, DOCKER, AGENT, SETTINGS, WRITING, SUBJECTS };

static const struct {
    enum subject subject;
    const char *words;
} signs[] = {
    { NETWORK, "Could not resolve host" }, /* curl, git */
    { NETWORK, "Temporary failure in name resolution" },
    { NETWORK, "Temporary failure resolving" }, /* apt */
    { NETWORK, "Name or service not known" },
    { NETWORK, "nodename nor servname" },
    { NETWORK, "EAI_AGAIN" }, /* node and npm */
    { NETWORK, "ENOTFOUND" },
    { NETWORK, "ENETUNREACH" },
    { NETWORK, "ECONNREFUSED" },
    { NETWORK, "Network is unreachable" },
    { NETWORK, "network is unreachable" }, /* Go */
    { NETWORK, "No route to host" },
    { NETWORK, "Connection refused" },
    { NETWORK, "connection refused" },
    { NETWORK, "Could not connect to server" },
    { NETWORK, "Failed to establish a new connection" }, /* pip */
    { NETWORK, "dial tcp" },
    { NETWORK, "dns error" }, /* cargo */
    { NETWORK, "unable to resolve host" },
    { NETWORK, "bad address" }, /* busybox */
    { DOCKER, "Cannot connect to the Docker daemon" },
    { DOCKER, "connect to the docker API" },
    { DOCKER, "connect to the Docker daemon socket" },
    { DOCKER, "unable to connect to Podman" },
    { AGENT, "connection to your authentication agent" },
    { AGENT, "Permission denied (publickey" },
    { AGENT, "Host key verification failed" },
    { AGENT, "error connecting to agent" },
    { SETTINGS, "could not write config file" },
    { SETTINGS, "could not lock config file" },
    { WRITING, "Read-only file system" },
    { WRITING, "EROFS" },
};

static const char *const texts[SUBJECTS] = {
    [NETWORK] = "The network was off for this command, also services of this machine on "
                "localhost: it is on when the verdict is about a program that is known to use it.",
    [DOCKER] = "Sockets of other programs, docker's among them, are out of reach of caged "
               "commands. Somebody has to run this outside.",
    [AGENT] = "Keys of ssh and its agent are hidden from commands, unless all of the command is "
              "git or ssh and its verdict was about the network; guard.env_keep with "
              "SSH_AUTH_SOCK lends the agent.",
    [SETTINGS] = "git's settings are read-only for a command with other programs in it: run that "
                 "git command alone (cd, echo, printf, cat and true may stand beside it).",
    [WRITING] = "Commands write in the workspace, in $TMPDIR and in the caches of package managers "
                "and compilers alone; guard.caches of the settings names more places.",
};

/* What a program says of a file that is there and cannot be used. */
static const char *const refusals[] = { "ermission denied", "EACCES", "can only add regular files",
                                        "Device or resource busy", "EBUSY" };

/* What a program says of a file that it cannot change. */
static const char *const frozen[] = { "Read-only file system", "EROFS", "Device or resource busy",
                                      "EBUSY" };

static const char readonly_text[] =
    "This command was judged to read only, so the workspace was read-only for it; $TMPDIR was not. "
    "A command that says what it writes (a redirection, the program's option) is judged anew.";

static const char bare_text[] =
    "Without namespaces, which this machine does not allow, commands write in the workspace and in "
    "$TMPDIR alone, not in /tmp or /dev/shm, and make no local sockets: all else is a permission "
    "that is denied. sf doctor says what would change that.";

/* What a shell says of a program that it does not find. */
static const char *const missing[] = { "command not found", ": not found" };

static bool has(const char *text, size_t len, const char *words)
{
    return memmem(text, len, words, strlen(words)) != NULL;
}

static bool applies(const struct sf_cage_closed *closed, enum subject subject)
{
    switch (subject) {
    case NETWORK:
        return closed->network;
    case DOCKER:
    case AGENT:
        return closed->sockets;
    case SETTINGS:
        return closed->settings;
    case WRITING:
        return closed->writing;
    case SUBJECTS:
        break;
    }
    return false;
}

static bool has_any(const char *text, size_t len, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has(text, len, words[i]))
            return true;
    return false;
}

/* The first read-only name in a text that also speaks of such a refusal. */
static const char *named_kept(const struct sf_cage_closed *closed, const char *text, size_t len)
{
    if (!has_any(text, len, frozen, SF_COUNT(frozen)))
        return NULL;
    for (size_t i = 0; i < closed->kept.count; i++)
        if (has(text, len, closed->kept.items[i]))
            return closed->kept.items[i];
    return NULL;
}

/* The first hidden file that is named in a text which also speaks of a refusal. */
static const char *named_secret(const struct sf_cage_closed *closed, const char *text, size_t len)
{
    if (!has_any(text, len, refusals, SF_COUNT(refusals)))
        return NULL;
    for (size_t i = 0; i < closed->hidden.count; i++) {
        const char *slash = strrchr(closed->hidden.items[i], '/');

        if (slash && has(text, len, slash + 1))
            return slash + 1;
    }
    return NULL;
}

/* The first absolute path in the text, or NULL. */
static const char *first_path(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] == '/' && (!i || strchr(" '\"`(=:<\t", text[i - 1])))
            return text + i;
    return NULL;
}

static bool lies_in(const char *root, const char *path, size_t len)
{
    size_t n = strlen(root);

    return len >= n && !memcmp(path, root, n) && (len == n || path[n] == '/');
}

/* Python's words name no path where a socket or a semaphore was refused. */
static bool speaks_of_outside(const char *line, size_t len, const char *root)
{
    const char *path = first_path(line, len);

    if (!has(line, len, "ermission denied") && !has(line, len, "EACCES"))
        return false;
    if (!path)
        return has(line, len, "PermissionError");
    return !root || !lies_in(root, path, (size_t)(line + len - path));
}

static bool is_refused_outside(const struct sf_cage_closed *closed, const char *text, size_t len)
{
    const char *end = text + len;

    while (closed->bare && text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((stop ? stop : end) - text);

        if (speaks_of_outside(text, n, closed->root))
            return true;
        text += n + 1;
    }
    return false;
}

void sf_cage_hint(const struct sf_cage_closed *closed, const char *text, size_t len,
                  struct sf_strbuf *out)
{
    const char *secret = closed->succeeded ? NULL : named_secret(closed, text, len);
    const char *kept = closed->succeeded ? NULL : named_kept(closed, text, len);
    bool event[SUBJECTS] = { [WRITING] = kept != NULL };

    for (size_t i = 0; i < SF_COUNT(signs); i++) {
        enum subject subject = signs[i].subject;

        if (event[subject] || (closed->succeeded && subject != SETTINGS) ||
            !applies(closed, subject) || !has(text, len, signs[i].words))
            continue;
        event[subject] = true;
        sf_strbuf_addf(out, "[sf] %s\n",
                       subject == WRITING && closed->readonly ? readonly_text : texts[subject]);
    }
    if (kept && !event[SETTINGS])
        sf_strbuf_addf(out,
                       "[sf] %s is read-only for commands, since git runs what stands there when "
                       "people use it. Somebody has to do this outside.\n",
                       kept);
    if (!closed->succeeded && !out->len && !secret && is_refused_outside(closed, text, len))
        sf_strbuf_addf(out, "[sf] %s\n", bare_text);
    if (!closed->succeeded && closed->unsearched && has_any(text, len, missing, SF_COUNT(missing)))
        sf_strbuf_addf(
            out,
            "[sf] Programs are not looked for in the directories of PATH that lie in the "
            "workspace (%s): what is there is called by its path.\n",
            closed->unsearched);
    if (secret)
        sf_strbuf_addf(out,
                       "[sf] %s is hidden from commands, as it may hold secrets; guard.readable of "
                       "the settings names what they may read.\n",
                       secret);
}
