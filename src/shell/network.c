/*
 * network.c: which network commands only fetch. What is not listed here counts as sending, and
 * so does a listed one with an option that carries data out.
 */
#include "base/base.h"
#include "shell/classifier.h"

/* clang-format off */
static const struct {
    const char *families;
    const char *sending; /* options with which it sends */
} fetches[] = {
    { "git fetch|git pull|git clone|git ls-remote|git remote|git submodule|git lfs", "" },
    { "curl", "-d|--data*|-F|--form*|-T|--upload-file|-X|--request|--json|--url-query" },
    { "wget", "--post-*|--method|--body-*" },
    { "http|https|xh|httpie", "-f|--form|-m|--multipart|--raw" },
    { "npm ci|npm install|npm i|npm view|npm info|npm outdated|npm audit|npm search|npm ping|pnpm install|"
      "pnpm add|pnpm fetch|yarn install|yarn add|yarn|bun install|bun add", "" },
    { "pip install|pip download|pip3 install|pip3 download|pip index|uv sync|uv pip install|uv add|poetry install|"
      "poetry add|pipenv install|pdm install|conda install", "" },
    { "cargo fetch|cargo update|cargo add|cargo install|cargo search|cargo build|cargo test", "" },
    { "go get|go mod download|go install|go mod tidy", "" },
    { "gem install|gem fetch|bundle install|bundle update|composer install|composer update|composer require", "" },
    { "apt update|apt-get update|apt-get download|apt download|brew fetch|brew update|brew search", "" },
    { "docker pull|podman pull|docker search|skopeo inspect|crane pull|helm pull|helm search|helm repo", "" },
    { "ping|ping6|dig|host|nslookup|whois|traceroute|tracepath|mtr|drill|resolvectl|getent", "" },
    { "gh api", "-f|-F|--field|--raw-field|--input|-X|--method" },
    { "gh pr|gh issue|gh repo|gh run|gh release", NULL },
    { "aria2c|axel|yt-dlp|lynx|w3m|links|elinks", "" },
};
/* clang-format on */

static bool sends(const struct sf_shell_report *report, const char *sending)
{
    if (!sending)
        return true;
    for (size_t i = 0; *sending && i < report->options.count; i++) {
        const char *option = report->options.items[i];
        size_t letter = option[0] == '-' && option[1] != '-' ? 2 : strcspn(option, "=");
        char head[64];

        snprintf(head, sizeof(head), "%.*s", (int)(letter < 63 ? letter : 63), option);
        if (sf_pattern_fits(sending, strlen(sending), head))
            return true;
    }
    return false;
}

static bool only_fetches(const struct sf_shell_report *report, const char *family)
{
    for (size_t i = 0; i < SF_COUNT(fetches); i++)
        if (sf_pattern_fits(fetches[i].families, strlen(fetches[i].families), family))
            return !sends(report, fetches[i].sending);
    return false;
}

bool sf_network_only_fetches(const struct sf_shell_report *report, const struct sf_strlist *talkers)
{
    if (report->more || !talkers->count)
        return false;
    for (size_t i = 0; i < talkers->count; i++)
        if (!only_fetches(report, talkers->items[i]))
            return false;
    return true;
}

bool sf_network_is_meant(const char *rule)
{
    static const char *const rules[] = {
        "git-force-push",  "git-push-elsewhere", "publish",       "http-delete",
        "data-in-address", "cluster-removal",    "cloud-removal",
    };

    for (size_t i = 0; i < SF_COUNT(rules); i++)
        if (!strcmp(rules[i], rule))
            return true;
    return false;
}
