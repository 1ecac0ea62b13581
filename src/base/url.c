/*
 * url.c: one pass from the left: scheme, host, port, rest. What is not expected is refused, so
 * nothing here guesses.
 */
#include "base/url.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <strings.h>

#include "base/base.h"

enum { LABEL_MAX = 63 };

static const struct {
    const char *prefix;
    size_t len;
    bool secure;
} schemes[] = { { "https://", 8, true }, { "http://", 7, false } };

static int own_port(bool secure)
{
    return secure ? 443 : 80;
}

static bool check_signs(const char *text, struct sf_error *err)
{
    size_t len = strnlen(text, SF_URL_MAX + 1);

    if (len > SF_URL_MAX)
        return sf_fail(err, SF_E_LIMIT, "the address has more than %d bytes", SF_URL_MAX);
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] > ' ' && (unsigned char)text[i] < 0x7f && text[i] != '\\')
            continue;
        sf_fail(
            err, SF_E_ARG,
            "the address holds a blank, a backslash, a control character or a character beyond ASCII");
        return sf_hint(err, "write such characters as %%XX, and host names as xn--…");
    }
    return true;
}

static const char *read_scheme(struct sf_url *url, const char *text, struct sf_error *err)
{
    for (size_t i = 0; i < SF_COUNT(schemes); i++)
        if (!strncasecmp(text, schemes[i].prefix, schemes[i].len)) {
            url->secure = schemes[i].secure;
            return text + schemes[i].len;
        }
    sf_fail(err, SF_E_ARG, "the address must begin with https:// or http://");
    return NULL;
}

/* Letters, digits, - and _ between single dots. */
static bool is_name(const char *host)
{
    static const char signs[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

    for (;;) {
        size_t n = strspn(host, signs);

        if (!n || n > LABEL_MAX)
            return false;
        if (!host[n])
            return true;
        if (host[n] != '.')
            return false;
        host += n + 1;
    }
}

/* Ends like a number: "2130706433", "0x7f.1"; some programs read such names as addresses. */
static bool looks_numeric(const char *host)
{
    const char *dot = strrchr(host, '.'), *last = dot ? dot + 1 : host;

    return last[strspn(last, "0123456789")] == '\0' || !strncmp(last, "0x", 2);
}

static bool shorten_v6(char host[SF_URL_HOST])
{
    char bare[INET6_ADDRSTRLEN + 1], shown[INET6_ADDRSTRLEN];
    size_t len = strlen(host) - 2;
    struct in6_addr v6;

    if (len >= sizeof(bare))
        return false;
    memcpy(bare, host + 1, len);
    bare[len] = '\0';
    if (inet_pton(AF_INET6, bare, &v6) != 1 || !inet_ntop(AF_INET6, &v6, shown, sizeof(shown)))
        return false;
    snprintf(host, SF_URL_HOST, "[%s]", shown);
    return true;
}

static bool check_host(struct sf_url *url, struct sf_error *err)
{
    struct in_addr v4;
    bool ok;

    if (!*url->host)
        return sf_fail(err, SF_E_ARG, "the address names no host");
    if (*url->host == '[') {
        url->literal = true;
        ok = shorten_v6(url->host);
    } else {
        url->literal = looks_numeric(url->host);
        ok = url->literal ? inet_pton(AF_INET, url->host, &v4) == 1 : is_name(url->host);
    }
    return ok ||
           sf_fail(err, SF_E_ARG, "the address names no host that can be read: %s", url->host);
}

/* `at` is behind the scheme; returns where the rest begins. */
static const char *read_host(struct sf_url *url, const char *at, struct sf_error *err)
{
    size_t all = strcspn(at, "/?#"), len;

    if (memchr(at, '@', all)) {
        sf_fail(err, SF_E_ARG, "the address holds a name or password");
        sf_hint(err, "leave out what stands before the @");
        return NULL;
    }
    len = *at == '[' ? strcspn(at, "]/?#") + 1 : strcspn(at, ":/?#");
    if (len > all || len >= sizeof(url->host)) {
        sf_fail(err, SF_E_ARG, "the address names no host that can be read");
        return NULL;
    }
    for (size_t i = 0; i < len; i++)
        url->host[i] = (char)(at[i] >= 'A' && at[i] <= 'Z' ? at[i] + 32 : at[i]);
    url->host[len] = '\0';
    return check_host(url, err) ? at + len : NULL;
}

static const char *read_port(struct sf_url *url, const char *at, struct sf_error *err)
{
    size_t len;

    url->port = own_port(url->secure);
    if (*at != ':')
        return at;
    len = strcspn(++at, "/?#");
    if (len && len <= 5 && strspn(at, "0123456789") == len)
        url->port = (int)strtol(at, NULL, 10);
    else if (len)
        url->port = 0;
    if (url->port >= 1 && url->port <= 65535)
        return at + len;
    sf_fail(err, SF_E_ARG, "the address names no port that can be read");
    return NULL;
}

bool sf_url_read(struct sf_url *url, const char *text, struct sf_error *err)
{
    const char *at;

    *url = (struct sf_url){ .path = "" };
    if (!check_signs(text, err))
        return false;
    at = read_scheme(url, text, err);
    at = at ? read_host(url, at, err) : NULL;
    at = at ? read_port(url, at, err) : NULL;
    if (!at)
        return false;
    if (*at && !strchr("/?#", *at))
        return sf_fail(err, SF_E_ARG, "the address cannot be read behind its host");
    url->path = at;
    url->path_len = strcspn(at, "#");
    return true;
}

static void write_place(const struct sf_url *url, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%s://%s", url->secure ? "https" : "http", url->host);
    if (url->port != own_port(url->secure))
        sf_strbuf_addf(out, ":%d", url->port);
}

void sf_url_write(const struct sf_url *url, struct sf_strbuf *out)
{
    write_place(url, out);
    if (!url->path_len || url->path[0] != '/')
        sf_strbuf_addch(out, '/');
    sf_strbuf_add(out, url->path, url->path_len);
}

static bool is_scheme_sign(char c)
{
    return isalnum((unsigned char)c) || c == '+' || c == '-' || c == '.';
}

/* Whether the text begins with "word:", which makes it an address of its own. */
static bool has_scheme(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && is_scheme_sign(text[n]))
        n++;
    return n > 0 && n < len && text[n] == ':';
}

static void drop_part(struct sf_strbuf *out, size_t from)
{
    size_t len = out->len;

    while (len > from && out->buf[len - 1] != '/')
        len--;
    sf_strbuf_truncate(out, len > from ? len - 1 : from);
}

/* Appends the path, which begins with "/", without its "." and ".." parts. */
static void add_path(struct sf_strbuf *out, const char *path, size_t len)
{
    size_t from = out->len, n;

    for (const char *part = path + 1, *end = path + len; part <= end; part += n + 1) {
        const char *slash = memchr(part, '/', (size_t)(end - part));
        bool up, here;

        n = slash ? (size_t)(slash - part) : (size_t)(end - part);
        here = n == 1 && part[0] == '.';
        up = n == 2 && part[0] == '.' && part[1] == '.';
        if (up)
            drop_part(out, from);
        if (!(up || here) || !slash)
            sf_strbuf_addch(out, '/');
        if (!(up || here))
            sf_strbuf_add(out, part, n);
    }
}

static size_t before(const char *text, size_t len, char sign)
{
    const char *at = memchr(text, sign, len);

    return at ? (size_t)(at - text) : len;
}

/* The directory of the page the base is; the page itself for a reference without a path. */
static void add_base_path(const struct sf_url *base, bool whole, struct sf_strbuf *path)
{
    size_t len = before(base->path, base->path_len, '?');

    while (!whole && len && base->path[len - 1] != '/')
        len--;
    sf_strbuf_add(path, base->path, len);
    if (!path->len)
        sf_strbuf_addch(path, '/');
}

static void add_reference(const struct sf_url *base, const char *reference, size_t len,
                          struct sf_strbuf *out)
{
    size_t query = before(reference, len, '?');
    struct sf_strbuf path = SF_STRBUF_INIT;

    if (!query || reference[0] != '/')
        add_base_path(base, !query, &path);
    sf_strbuf_add(&path, reference, query);
    write_place(base, out);
    add_path(out, path.buf, path.len);
    sf_strbuf_add(out, reference + query, len - query);
    sf_strbuf_release(&path);
}

bool sf_url_join(const struct sf_url *base, const char *reference, size_t len,
                 struct sf_strbuf *out)
{
    const char *hash = memchr(reference, '#', len);
    struct sf_strbuf whole = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_url url;
    bool ok;

    if (hash)
        len = (size_t)(hash - reference);
    if (len > SF_URL_MAX || memchr(reference, '\0', len))
        return false;
    if (has_scheme(reference, len)) {
        sf_strbuf_add(&whole, reference, len);
    } else if (len >= 2 && reference[0] == '/' && reference[1] == '/') {
        sf_strbuf_adds(&whole, base->secure ? "https:" : "http:");
        sf_strbuf_add(&whole, reference, len);
    } else {
        add_reference(base, reference, len, &whole);
    }
    ok = sf_url_read(&url, whole.buf, &err);
    if (ok)
        sf_url_write(&url, out);
    sf_strbuf_release(&whole);
    return ok;
}

bool sf_url_same_place(const struct sf_url *a, const struct sf_url *b)
{
    return a->secure == b->secure && a->port == b->port && !strcmp(a->host, b->host);
}
