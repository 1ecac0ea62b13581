/*
 * address.c: reads addresses strictly, so that no other reader can understand them differently:
 * no names or passwords, no signs a parser might skip, nothing behind the path.
 */
#include "model/address.h"

#include <strings.h>

#include "base/base.h"
#include "io/io.h"

enum { ADDRESS_MAX = 2048, HOST_MAX = 255 };

bool sf_address_is_plain(const char *url)
{
    return !strncasecmp(url, "http://", 7);
}

static bool is_port(const char *text, size_t len)
{
    return len <= 5 && strspn(text, "0123456789") >= len;
}

/* The host, brackets included; false when there is none, or something odd behind it. */
static bool split_host(const char *url, char host[HOST_MAX + 1])
{
    const char *at = strstr(url, "://") + 3;
    size_t rest = strcspn(at, "/"), len;

    len = *at == '[' ? strcspn(at, "]/") + 1 : strcspn(at, ":/");
    if (!len || len > rest || len > HOST_MAX)
        return false;
    if (len < rest && (at[len] != ':' || !is_port(at + len + 1, rest - len - 1)))
        return false;
    memcpy(host, at, len);
    host[len] = '\0';
    return true;
}

const char *sf_address_objection(const char *url)
{
    char host[HOST_MAX + 1];

    if (!sf_address_is_plain(url) && strncasecmp(url, "https://", 8) != 0)
        return "must begin with https:// or http://";
    if (strlen(url) > ADDRESS_MAX)
        return "is far too long";
    for (const char *at = url; *at; at++)
        if (*at <= ' ' || *at >= 0x7f || *at == '\\')
            return "must not hold blanks, backslashes or characters beyond ASCII";
    if (strchr(url, '@'))
        return "must not hold a name or password: keys have settings of their own";
    if (strpbrk(url, "?#"))
        return "must end before ? and #";
    if (!split_host(url, host))
        return "must name a host, and a port at most";
    return NULL;
}

bool sf_address_is_loopback(const char *url)
{
    char host[HOST_MAX + 1];

    return split_host(url, host) && sf_host_is_loopback(host);
}

char *sf_address_trim(const char *url)
{
    size_t len = strlen(url);

    while (len && url[len - 1] == '/')
        len--;
    return sf_strndup(url, len);
}
