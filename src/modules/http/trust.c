/*
 * trust.c: which authorities may vouch for a server. A directory with hashed names is preferred
 * to the bundle: OpenSSL then reads the one file it needs, where the bundle takes some thirty
 * milliseconds to parse. SSL_CERT_FILE and SSL_CERT_DIR replace the system's.
 */
#include <ctype.h>
#include <dirent.h>
#include <unistd.h>

#include "modules/http/http.h"

static const char *const dirs[] = { "/etc/ssl/certs", "/etc/pki/tls/certs" };
static const char *const bundles[] = { "/etc/ssl/certs/ca-certificates.crt",
                                       "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem" };

/* "002c0b4f.0" */
static bool is_hash_name(const char *name)
{
    for (int i = 0; i < 8; i++)
        if (!isxdigit((unsigned char)name[i]))
            return false;
    return name[8] == '.' && isdigit((unsigned char)name[9]) && !name[10];
}

static bool has_hash_names(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    bool found = false;

    if (!dir)
        return false;
    while (!found && (entry = readdir(dir)))
        found = is_hash_name(entry->d_name);
    closedir(dir);
    return found;
}

static char *copy_or_null(const char *text)
{
    return text ? sf_strdup(text) : NULL;
}

void sf_http_trust_find(struct sf_http_trust *trust)
{
    trust->file = copy_or_null(sf_env_get("SSL_CERT_FILE"));
    trust->dir = copy_or_null(sf_env_get("SSL_CERT_DIR"));
    if (trust->file || trust->dir)
        return;
    for (size_t i = 0; i < SF_COUNT(dirs) && !trust->dir; i++)
        if (has_hash_names(dirs[i]))
            trust->dir = sf_strdup(dirs[i]);
    for (size_t i = 0; i < SF_COUNT(bundles) && !trust->dir && !trust->file; i++)
        if (access(bundles[i], R_OK) == 0)
            trust->file = sf_strdup(bundles[i]);
}

void sf_http_trust_release(struct sf_http_trust *trust)
{
    free(trust->file);
    free(trust->dir);
    *trust = (struct sf_http_trust){ NULL, NULL };
}
