/*
 * path_rules.c: the table of protected paths and how its patterns match. First match wins, and
 * credentials stand first, because they forbid more. An exception belongs to its own row, so
 * that .sf/plans/.env is still a credential. File tools and shell commands read the same rows:
 * the former by where a path really lies, the latter by how it is spelled.
 */
#include "shell/path_rules.h"

#include <stdint.h>
#include <string.h>
#include <threads.h>

#include "base/base.h"

#define GIT_WHAT    "part of git's own data, which decides what git runs"
#define POLICY_WHAT "a settings file that decides what is allowed"
#define RUNS_WHAT   "run automatically later on"
#define SECRET_WHAT "a file that may hold secrets"
#define NAME_WHAT   "a name that a shell would have replaced; here it is taken literally"

/* clang-format off */
const struct sf_path_rule sf_path_rules[] = {
    { "env-file", SF_WHERE_ANY, SF_KIND_SECRET,
      ".env|.env.*|*.env|env~1|.env~|.env-*|.env_*|.flaskenv|.dev.vars",
      ".env.example|.env.sample|.env.template|.env.dist|.env.defaults|.env.schema|.env.*.example|"
      ".env.*.sample|.env.*.template|.env-example|.env-sample|.env-template|.env_example|"
      ".env_sample|.env_template|example.env|sample.env|template.env", SECRET_WHAT },
    { "private-key", SF_WHERE_ANY, SF_KIND_KEY,
      "id_rsa*|id_dsa*|id_ecdsa*|id_ed25519*|*.pem|*.key|*.p12|*.pfx|*.p8|*.jks|*.keystore|*.kdbx|"
      "*.ppk|ssh_host_*_key", "*.pub", SECRET_WHAT },
    { "key-store", SF_WHERE_ANY, SF_KIND_CREDENTIAL,
      ".ssh/|.gnupg/|.aws/|.azure/|.kube/|.password-store/|.docker/config.json|.config/gh/|"
      ".config/gcloud/|.config/rclone/|.config/op/|.config/sops/|.terraform.d/",
      NULL, SECRET_WHAT },
    { "password-file", SF_WHERE_ANY, SF_KIND_CREDENTIAL,
      ".netrc|_netrc|.git-credentials|.npmrc|.pypirc|.pgpass|.my.cnf|.mylogin.cnf|.vault-token|"
      ".dockercfg|.dockerconfigjson|.htpasswd|.authinfo|.authinfo.gpg|credentials.json|"
      "service-account*.json|client_secret*.json|secrets.json|secrets.yml|secrets.yaml|"
      "secrets.toml|.s3cfg|.boto|.terraformrc|kubeconfig|wallet.dat|.netrc*|.git-credentials*|"
      ".pgpass*|.msmtprc|.mbsyncrc|.fetchmailrc|.offlineimaprc",
      ".netrc.example|.netrc.sample|.netrc.template|.pgpass.example|.pgpass.sample|"
      ".pgpass.template", SECRET_WHAT },
    { "home-credentials", SF_WHERE_HOME, SF_KIND_CREDENTIAL,
      ".docker/|.oci/|.config/hub|.config/git/credentials|.cargo/credentials|"
      ".cargo/credentials.toml|.gem/credentials|.m2/settings.xml|.m2/settings-security.xml|"
      ".gradle/gradle.properties|.pki/|.config/containers/auth.json|"
      ".yarnrc.yml|.yarnrc|.composer/auth.json|.config/composer/auth.json|.nuget/|.config/pip/|"
      ".pip/|.databrickscfg|.snowflake/|.config/doctl/|.config/heroku/|.fly/|.vercel/|.netlify/|"
      ".config/glab-cli/|.config/tea/|.config/stripe/|.config/hcloud/|.config/netlify/|"
      ".config/helm/|.config/configstore/|.config/scw/|.config/linode-cli|.config/ngrok/|.ngrok2/|"
      ".config/turso/|.config/pypoetry/auth.toml|.local/share/uv/credentials/|"
      ".local/share/com.vercel.cli/|.supabase/|.railway/|.pulumi/credentials.json|.kaggle/|"
      ".bundle/config|.cache/huggingface/token|.cache/huggingface/stored_tokens|"
      ".huggingface/token|.config/msmtp/|.config/filezilla/|.local/share/remmina/|.config/rustic/|"
      ".config/borg/|.vnc/passwd|.smbcredentials|.davfs2/secrets|.config/weechat/sec.conf",
      NULL, SECRET_WHAT },
    { "agent-credentials", SF_WHERE_HOME, SF_KIND_CREDENTIAL,
      ".claude.json|.claude/.credentials.json|.codex/auth.json|.gemini/oauth_creds.json|"
      ".gemini/.env|.qwen/oauth_creds.json|.qwen/.env|.config/github-copilot/|.copilot/|"
      ".local/share/opencode/auth.json|.local/share/amp/secrets.json|.local/share/crush/|"
      ".config/io.datasette.llm/keys.json|.config/goose/secrets.yaml|.config/cursor/auth.json|"
      ".continue/config.json|.continue/config.yaml|.aider.conf.yml", NULL, SECRET_WHAT },
    { "wallets", SF_WHERE_HOME, SF_KIND_CREDENTIAL,
      ".local/share/keyrings/|.local/share/kwalletd/|.config/1Password/|.config/Bitwarden/|"
      ".config/Bitwarden CLI/|.config/KeePass/|.config/gopass/|.local/share/gopass/|"
      ".config/Yubico/|.config/age/|.bitcoin/|.ethereum/|.electrum/|.monero/|.litecoin/|.solana/|"
      ".config/solana/", NULL, SECRET_WHAT },
    { "browsers-and-mail", SF_WHERE_HOME, SF_KIND_CREDENTIAL,
      ".mozilla/|.thunderbird/|.config/google-chrome/|.config/google-chrome-beta/|"
      ".config/chromium/|.config/BraveSoftware/|.config/microsoft-edge/|.config/vivaldi/|"
      ".config/opera/|.librewolf/|.waterfox/|.config/Slack/|.config/discord/|.config/Signal/|"
      ".config/Element/|.config/Microsoft/|.local/share/TelegramDesktop/|.config/evolution/|"
      ".local/share/evolution/|.var/app/|snap/firefox/|snap/chromium/|snap/thunderbird/|snap/brave/|"
      "snap/opera/|snap/slack/|snap/discord/|snap/bitwarden/|snap/signal-desktop/|"
      "snap/telegram-desktop/|.config/Code/User/globalStorage/|.config/Code - OSS/User/globalStorage/|"
      ".config/VSCodium/User/globalStorage/|.config/Cursor/User/globalStorage/|"
      ".config/Windsurf/User/globalStorage/", NULL, SECRET_WHAT },
    { "history", SF_WHERE_HOME, SF_KIND_CREDENTIAL,
      ".bash_history|.zsh_history|.history|.python_history|.node_repl_history|.psql_history|"
      ".mysql_history|.sqlite_history|.rediscli_history|.local/share/fish/fish_history|.zhistory|"
      ".sh_history|.ksh_history|.irb_history|.php_history|.duckdb_history|.dbshell|.lesshst|"
      ".viminfo|.local/share/atuin/|.zsh_sessions/", NULL, SECRET_WHAT },
    { "system-credentials", SF_WHERE_TOP, SF_KIND_CREDENTIAL,
      "etc/shadow|etc/shadow-|etc/gshadow|etc/gshadow-|etc/sudoers|etc/sudoers.d/|etc/krb5.keytab|"
      "etc/ssl/private/|etc/wireguard/|run/secrets/|var/run/secrets/|root/.docker/",
      NULL, SECRET_WHAT },
    { "process-memory", SF_WHERE_TOP, SF_KIND_CREDENTIAL,
      "proc/*/|dev/mem|dev/kmem|dev/port", "proc/*", "the inside of a running program" },
    { "secret-name", SF_WHERE_ANY, SF_KIND_HINT,
      "credentials|credentials.*|credentials.db|secrets/|secrets.*|secret.*|token.json|shadow|"
      "gshadow|environ|keyring*|gcloud/|.docker/|Cookies|Login Data|.bash_history|.zsh_history",
      NULL, "a name that sounds like secrets; it is not sent away unasked" },

    { "git-internals", SF_WHERE_ANY, SF_KIND_GIT, ".git/|git~1/", NULL, GIT_WHAT },
    { "git-shape", SF_WHERE_SHAPE, SF_KIND_GIT, "", NULL, GIT_WHAT },
    { "git-config", SF_WHERE_ANY, SF_KIND_GIT, ".gitmodules|gitmod~1", NULL, GIT_WHAT },
    { "git-config", SF_WHERE_ANY, SF_KIND_RUNS, ".gitconfig|.config/git/", NULL, GIT_WHAT },
    { "git-hooks", SF_WHERE_ANY, SF_KIND_RUNS,
      ".husky/|.githooks/|.pre-commit-config.yaml|.pre-commit-hooks.yaml|lefthook.yml|"
      "lefthook.yaml|.lefthook.yml|.lefthook/|.overcommit.yml", NULL, RUNS_WHAT },

    { "sf-policy", SF_WHERE_ANY, SF_KIND_POLICY, ".sf/|sf~1/",
      ".sf/plans/|.sf/tasks/|.sf/research/",
      POLICY_WHAT },
    { "kibitzer-policy", SF_WHERE_ANY, SF_KIND_POLICY, ".kibitzer/config.toml", NULL,
      POLICY_WHAT },
    { "agent-settings", SF_WHERE_ANY, SF_KIND_POLICY,
      ".mcp.json|mcp.json|.claude/|claude~1/|.claude.json|.codex/|.gemini/|.qwen/|.cursor/|"
      ".windsurf/|.continue/|.opencode/|opencode.json|opencode.jsonc|.crush.json|crush.json|.roo/|"
      ".roomodes|.cline/|.kilocode/|.kiro/|.goose/|.goosehints|.aider*|.amp/|.factory/|.augment/",
      NULL, POLICY_WHAT },

    { "editor-tasks", SF_WHERE_ANY, SF_KIND_RUNS,
      ".vscode/|vscode~1/|.idea/|.fleet/|.zed/|.vs/|.devcontainer/|.devcontainer.json|"
      "*.code-workspace|*.sublime-project|.exrc|.vimrc|.nvimrc|.nvim.lua|.gvimrc|.lvimrc|"
      ".dir-locals.el|.dir-locals-2.el|.emacs", NULL, RUNS_WHAT },
    { "directory-hook", SF_WHERE_ANY, SF_KIND_RUNS,
      ".envrc|envrc~1|.autoenv|.autoenv.zsh", NULL, RUNS_WHAT },
    { "tool-start", SF_WHERE_ANY, SF_KIND_RUNS,
      ".ripgreprc|.gdbinit|.lldbinit|.radare2rc|.pdbrc|.pythonrc|.pythonrc.py|.irbrc|.pryrc|.psqlrc|"
      ".sqliterc|.Rprofile|sitecustomize.py|usercustomize.py|.yarnrc|.yarnrc.yml|.pnpmfile.cjs|"
      ".tmux.conf|.screenrc|.lesskey|.lessfilter|.mailcap|.curlrc|.wgetrc|.latexmkrc|latexmkrc|authorized_keys|"
      "authorized_keys2|crontab", NULL, RUNS_WHAT },
    { "shell-start", SF_WHERE_ANY, SF_KIND_RUNS,
      ".bashrc|.bash_profile|.bash_login|.bash_logout|.bash_aliases|.profile|.zshrc|.zshenv|"
      ".zprofile|.zlogin|.zlogout|.kshrc|.mkshrc|.cshrc|.tcshrc|.login|.logout|.inputrc|.xinitrc|"
      ".xserverrc|.xsession|.xsessionrc|.xprofile|.pam_environment|config.fish", NULL, RUNS_WHAT },
    { "home-start", SF_WHERE_HOME, SF_KIND_RUNS,
      ".config/|.local/bin/|.local/share/systemd/|.local/share/applications/|.local/lib/|bin/|"
      ".emacs.d/|.vim/|.forward|.procmailrc|.cargo/bin/|.cargo/config|.cargo/config.toml|"
      ".oh-my-zsh/|.zsh/|.fonts.conf|"
      ".crontab|.Xmodmap|.Xresources|.selected_editor|.gnome/|.kde/|Library/LaunchAgents/",
      NULL, RUNS_WHAT },
    { "own-state", SF_WHERE_OWN, SF_KIND_STATE, "", NULL,
      "sf's own data, which only sf itself changes" },

    { "unseen-name", SF_WHERE_UNSEEN, SF_KIND_NAME, "", NULL,
      "a name with characters that do not show, so that it looks like another" },
    { "argument-name", SF_WHERE_ROOT, SF_KIND_NAME, "@*", NULL,
      "a name that tools take for a file of options when a pattern hands it to them" },
    { "literal-tilde", SF_WHERE_ANY, SF_KIND_NAME, "~/", NULL, NAME_WHAT },
    { "literal-variable", SF_WHERE_ROOT, SF_KIND_NAME,
      "~*/|$HOME/|${*/|$PWD/|$OLDPWD/|$TMPDIR/|$TMP/|$TEMP/|$USER/|$XDG_*/|$(*/|`*/|%*%/",
      "~*", NAME_WHAT },
};
/* clang-format on */
const size_t sf_path_rule_count = SF_COUNT(sf_path_rules);

const struct sf_path_move sf_path_moves[] = {
    { "XDG_CONFIG_HOME", ".config", false },
    { "XDG_DATA_HOME", ".local/share", false },
    { "XDG_CACHE_HOME", ".cache", false },
    { "GNUPGHOME", ".gnupg", false },
    { "PASSWORD_STORE_DIR", ".password-store", false },
    { "CARGO_HOME", ".cargo", false },
    { "GRADLE_USER_HOME", ".gradle", false },
    { "DOCKER_CONFIG", ".docker", false },
    { "KUBECONFIG", ".kube/config", true },
    { "AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials", false },
    { "AWS_CONFIG_FILE", ".aws/config", false },
    { "AZURE_CONFIG_DIR", ".azure", false },
    { "CLOUDSDK_CONFIG", ".config/gcloud", false },
    { "GOOGLE_APPLICATION_CREDENTIALS", ".config/gcloud/key.json", false },
    { "GH_CONFIG_DIR", ".config/gh", false },
    { "RCLONE_CONFIG", ".config/rclone/rclone.conf", false },
    { "SOPS_AGE_KEY_FILE", ".config/sops/age/keys.txt", false },
    { "NPM_CONFIG_USERCONFIG", ".npmrc", false },
    { "BUNDLE_USER_CONFIG", ".bundle/config", false },
    { "KAGGLE_CONFIG_DIR", ".kaggle", false },
    { "HF_HOME", ".cache/huggingface", false },
    { "NETRC", ".netrc", false },
    { "PGPASSFILE", ".pgpass", false },
    { "HISTFILE", ".bash_history", false },
};
const size_t sf_path_move_count = SF_COUNT(sf_path_moves);

/* A path as the patterns see it: folded components, NUL after each in `text`. */
struct parts {
    struct sf_strbuf text;
    size_t count;
    bool climbs;        /* ".." among them: what an exception would let through cannot be told */
    uint64_t firsts[4]; /* a bit for each byte a part begins with */
};

/* Code points that HFS+ ignores in names, as git lists them. */
static bool is_ignorable(uint32_t cp)
{
    return (cp >= 0x200c && cp <= 0x200f) || (cp >= 0x202a && cp <= 0x202e) ||
           (cp >= 0x206a && cp <= 0x206f) || cp == 0x200b || cp == 0xfeff || cp == 0x2060 ||
           cp == 0xad;
}

/* The two letters outside ASCII whose lower case is inside: long s and the kelvin sign. */
static uint32_t lower(uint32_t cp)
{
    if (cp >= 'A' && cp <= 'Z')
        return cp - 'A' + 'a';
    return cp == 0x17f ? 's' : cp == 0x212a ? 'k' : cp;
}

/* Folds one component; false when nothing of it remains. */
static bool add_folded(struct sf_strbuf *out, const char *part, size_t len)
{
    size_t before = out->len, at = 0;

    while (at < len && part[at] != ':') {
        uint32_t cp;
        size_t n = sf_utf8_decode(part + at, len - at, &cp);

        if (cp == SF_UTF8_INVALID)
            sf_strbuf_add(out, part + at, n);
        else if (!is_ignorable(cp))
            sf_utf8_add(out, lower(cp));
        at += n;
    }
    while (out->len > before && (out->buf[out->len - 1] == '.' || out->buf[out->len - 1] == ' '))
        sf_strbuf_truncate(out, out->len - 1);
    return out->len > before;
}

static void split(struct parts *parts, const char *path)
{
    *parts = (struct parts){ .text = SF_STRBUF_INIT };
    while (*path) {
        size_t n = strcspn(path, "/\\"), at = parts->text.len;

        if (n == 2 && !memcmp(path, "..", 2)) {
            parts->climbs = true;
        } else if (add_folded(&parts->text, path, n)) {
            unsigned char first = (unsigned char)parts->text.buf[at];

            sf_strbuf_addch(&parts->text, '\0');
            parts->firsts[first / 64] |= (uint64_t)1 << (first % 64);
            parts->count++;
        }
        path += n + (path[n] != '\0');
    }
}

/* `pattern` of `len` bytes against one whole component; one "*" at a time, no recursion. */
static bool part_fits(const char *pattern, size_t len, const char *part)
{
    size_t at = 0, star = SIZE_MAX;
    const char *retry = NULL;

    while (*part) {
        if (at < len && pattern[at] == '*') {
            star = at++;
            retry = part;
        } else if (at < len && lower((unsigned char)pattern[at]) == (unsigned char)*part) {
            at++;
            part++;
        } else if (star != SIZE_MAX) {
            at = star + 1;
            part = ++retry;
        } else {
            return false;
        }
    }
    while (at < len && pattern[at] == '*')
        at++;
    return at == len;
}

/* The pattern from this component on; `left` components are there. */
static bool fits_here(const char *pattern, size_t len, const char *part, size_t left)
{
    while (len) {
        const char *slash = memchr(pattern, '/', len);
        size_t n = slash ? (size_t)(slash - pattern) : len;

        if (!left || !part_fits(pattern, n, part))
            return false;
        part += strlen(part) + 1;
        left--;
        if (slash && n + 1 == len)
            return true; /* "name/": and all beneath */
        pattern += n + (slash != NULL);
        len -= n + (slash != NULL);
    }
    return left == 0;
}

static bool fits(const char *pattern, size_t len, const struct parts *parts, bool anywhere)
{
    const char *part = parts->text.buf;
    char first = (char)lower((unsigned char)*pattern);

    for (size_t i = 0; i < parts->count; i++) {
        if ((first == '*' || first == *part) && fits_here(pattern, len, part, parts->count - i))
            return true;
        if (!anywhere)
            return false;
        part += strlen(part) + 1;
    }
    return false;
}

/* A set of bytes that names begin with. */
struct letters {
    uint64_t bits[4];
};

/* For each rule: what its patterns begin with, and what the last name of each does. */
static struct initials {
    struct letters first, last;
} initials[SF_COUNT(sf_path_rules)];
static once_flag initials_built = ONCE_FLAG_INIT;

static void add_letter(struct letters *set, char c)
{
    uint32_t letter = lower((unsigned char)c);

    if (c == '*')
        memset(set->bits, 0xff, sizeof(set->bits));
    else
        set->bits[letter / 64] |= (uint64_t)1 << (letter % 64);
}

/* Where the last name of a pattern that ends before `end` begins. */
static const char *last_name(const char *pattern, const char *end)
{
    const char *at = end - (end[-1] == '/');

    while (at > pattern && at[-1] != '/')
        at--;
    return at;
}

static void build_initials(void)
{
    for (size_t i = 0; i < SF_COUNT(sf_path_rules); i++) {
        for (const char *p = sf_path_rules[i].patterns; *p;) {
            const char *end = strchrnul(p, '|');

            add_letter(&initials[i].first, *p);
            add_letter(&initials[i].last, *last_name(p, end));
            p = end + (*end == '|');
        }
    }
}

/* Most rules are ruled out whole by the letters that names begin with. */
static const struct initials *initials_of(const struct sf_path_rule *rule)
{
    call_once(&initials_built, build_initials);
    return &initials[rule - sf_path_rules];
}

static bool may_fit(const struct sf_path_rule *rule, const struct parts *parts)
{
    const struct letters *first = &initials_of(rule)->first;

    return (first->bits[0] & parts->firsts[0]) || (first->bits[1] & parts->firsts[1]) ||
           (first->bits[2] & parts->firsts[2]) || (first->bits[3] & parts->firsts[3]);
}

/* Most patterns of the others are told apart by their first letter alone. */
static bool begins_with(const struct parts *parts, char pattern)
{
    uint32_t first = lower((unsigned char)pattern);

    return first == '*' || (parts->firsts[first / 64] >> (first % 64) & 1);
}

static bool any_fits(const char *patterns, const struct parts *parts, bool anywhere)
{
    while (*patterns) {
        const char *end = strchrnul(patterns, '|');

        if (begins_with(parts, *patterns) &&
            fits(patterns, (size_t)(end - patterns), parts, anywhere))
            return true;
        patterns = end + (*end == '|');
    }
    return false;
}

static bool rule_fits(const struct sf_path_rule *rule, const struct parts *parts)
{
    bool anywhere = rule->where == SF_WHERE_ANY;

    return may_fit(rule, parts) && any_fits(rule->patterns, parts, anywhere) &&
           (parts->climbs || !rule->unless || !any_fits(rule->unless, parts, anywhere));
}

/* What of `path` lies below `dir`: "" for the directory itself, NULL when it is elsewhere. */
static const char *below(const char *dir, const char *path)
{
    size_t n = strlen(dir);

    while (n && dir[n - 1] == '/')
        n--;
    if (strncmp(dir, path, n) != 0 || (path[n] && path[n] != '/'))
        return NULL;
    return path + n + (path[n] == '/');
}

static bool own_covers(const struct sf_path_places *places, const char *path, bool inside)
{
    for (size_t i = 0; i < places->own_count; i++)
        if (below(places->own[i], path) && !(inside && below(places->own[i], places->root)))
            return true; /* a worktree below the state directory is a workspace like any other */
    return false;
}

/* Some character of it takes no room on a screen. */
static bool is_partly_unseen(const char *name)
{
    size_t len = strlen(name), n;

    for (size_t at = 0; at < len; at += n) {
        uint32_t cp;

        n = sf_utf8_decode(name + at, len - at, &cp);
        if (cp != SF_UTF8_INVALID && (is_ignorable(cp) || (cp >= 0x2061 && cp <= 0x2069) ||
                                      cp == 0x3164 || cp == 0x115f || cp == 0x1160 || cp == 0x180e))
            return true;
    }
    return false;
}

/* One path in the frames that rules start from. */
struct subject {
    const struct sf_path_places *places;
    const char *name; /* as it was given */
    bool inside;
    bool home_is_wide; /* inside, and the workspace itself lies in the home directory */
    char *absolute;
    bool moved_is_wide; /* the same of what a variable has moved out of the home directory */
    struct parts real, home, moved, top;
};

/* The innermost of the places that have moved and hold the path. */
static const struct sf_path_moved *moved_for(const struct sf_path_places *places, const char *path)
{
    const struct sf_path_moved *best = NULL;

    for (size_t i = 0; i < places->moved_count; i++) {
        const struct sf_path_moved *m = &places->moved[i];

        if (below(m->at, path) && (!best || strlen(m->at) > strlen(best->at)))
            best = m;
    }
    return best;
}

/* What the path would be below the home directory, had nothing been moved. */
static void describe_moved(struct subject *s)
{
    const struct sf_path_moved *moved = moved_for(s->places, s->absolute);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (moved) {
        sf_strbuf_addf(&text, "%s/%s", moved->home, below(moved->at, s->absolute));
        s->moved_is_wide = s->inside && below(moved->at, s->places->root);
    }
    split(&s->moved, moved ? text.buf : "");
    sf_strbuf_release(&text);
}

static void describe(struct subject *s, const char *real, bool inside,
                     const struct sf_path_places *places)
{
    struct sf_strbuf absolute = SF_STRBUF_INIT;
    const char *home;

    if (inside)
        sf_strbuf_addf(&absolute, "%s/", strcmp(places->root, "/") ? places->root : "");
    sf_strbuf_adds(&absolute, real);
    *s = (struct subject){ .places = places, .name = real, .inside = inside };
    s->absolute = sf_strbuf_detach(&absolute);
    home = places->home ? below(places->home, s->absolute) : NULL;
    s->home_is_wide = inside && home && strcmp(places->root, places->home) != 0 &&
                      below(places->home, places->root);
    split(&s->real, real);
    split(&s->home, home ? home : "");
    split(&s->top, s->absolute);
    describe_moved(s);
}

static bool covers(const struct sf_path_rule *rule, const struct subject *s)
{
    switch (rule->where) {
    case SF_WHERE_ANY:
        return rule->kind != SF_KIND_HINT &&
               (rule_fits(rule, &s->real) || rule_fits(rule, &s->moved));
    case SF_WHERE_ROOT:
        return s->inside && rule_fits(rule, &s->real);
    case SF_WHERE_HOME:
        /* Whoever opens a workspace in ~/.config means to work there; in ~/.mozilla, asks. */
        return ((sf_path_rule_is_secret(rule) || !s->home_is_wide) && rule_fits(rule, &s->home)) ||
               ((sf_path_rule_is_secret(rule) || !s->moved_is_wide) && rule_fits(rule, &s->moved));
    case SF_WHERE_TOP:
        return rule_fits(rule, &s->top);
    case SF_WHERE_OWN:
        return own_covers(s->places, s->absolute, s->inside);
    case SF_WHERE_UNSEEN:
        return s->inside && is_partly_unseen(s->name);
    case SF_WHERE_SHAPE:
        return false;
    }
    return true;
}

const struct sf_path_rule *sf_path_rule_for(const char *real, bool inside,
                                            const struct sf_path_places *places)
{
    const struct sf_path_rule *found = NULL;
    struct subject s;

    describe(&s, real, inside, places);
    for (size_t i = 0; i < sf_path_rule_count && !found; i++)
        if (covers(&sf_path_rules[i], &s))
            found = &sf_path_rules[i];
    free(s.absolute);
    sf_strbuf_release(&s.real.text);
    sf_strbuf_release(&s.home.text);
    sf_strbuf_release(&s.moved.text);
    sf_strbuf_release(&s.top.text);
    return found;
}

/* In lower case; false when it has what folding would change otherwise. */
static bool fold_plain(const char *name, char *out, size_t size)
{
    size_t n = strlen(name);

    if (!n || n >= size || name[n - 1] == '.' || name[n - 1] == ' ')
        return false;
    for (size_t i = 0; i <= n; i++) {
        unsigned char c = (unsigned char)name[i];

        if (c >= 0x80 || c == ':' || c == '\\')
            return false;
        out[i] = (char)lower(c);
    }
    return true;
}

/* Against the last component of each pattern. */
static bool last_fits(const char *patterns, const char *name)
{
    while (*patterns) {
        const char *end = strchrnul(patterns, '|'), *stop = end - (end[-1] == '/');
        const char *from = last_name(patterns, end);

        if ((*from == '*' || (char)lower((unsigned char)*from) == *name) &&
            part_fits(from, (size_t)(stop - from), name))
            return true;
        patterns = end + (*end == '|');
    }
    return false;
}

static bool name_may_be(const char *name, bool (*wanted)(const struct sf_path_rule *rule))
{
    char plain[256];
    unsigned char first;

    if (!fold_plain(name, plain, sizeof(plain)))
        return true;
    first = (unsigned char)plain[0];
    for (size_t i = 0; i < sf_path_rule_count; i++) {
        const struct sf_path_rule *rule = &sf_path_rules[i];

        if (rule->where != SF_WHERE_TOP && wanted(rule) &&
            (initials_of(rule)->last.bits[first / 64] >> (first % 64) & 1) &&
            last_fits(rule->patterns, plain))
            return true;
    }
    return false;
}

bool sf_path_name_may_be_secret(const char *name)
{
    return name_may_be(name, sf_path_rule_is_secret);
}

bool sf_path_name_may_be_obeyed(const char *name)
{
    return name_may_be(name, sf_path_rule_is_obeyed);
}

bool sf_path_rule_is_secret(const struct sf_path_rule *rule)
{
    return rule->kind == SF_KIND_CREDENTIAL || rule->kind == SF_KIND_SECRET ||
           rule->kind == SF_KIND_KEY;
}

bool sf_path_rule_is_obeyed(const struct sf_path_rule *rule)
{
    return rule->kind == SF_KIND_POLICY || rule->kind == SF_KIND_RUNS ||
           rule->kind == SF_KIND_CREDENTIAL || rule->kind == SF_KIND_SECRET;
}

/* What of the text lies in some home directory; NULL: nothing that shows it. */
static const char *in_a_home(const char *text)
{
    static const char *const homes[] = { "/home/", "/Users/" };

    if (!strncmp(text, "~/", 2) || !strncmp(text, "/root/", 6))
        return strchr(text + 1, '/') + 1;
    for (size_t i = 0; i < SF_COUNT(homes); i++) {
        size_t n = strlen(homes[i]);
        const char *slash = strncmp(text, homes[i], n) ? NULL : strchr(text + n, '/');

        if (slash)
            return slash + 1;
    }
    return NULL;
}

/* Longer than any path: nothing is there, and matching would take its time. */
static bool too_long(const char *text)
{
    return strnlen(text, SF_PATH_TEXT_MAX + 1) > SF_PATH_TEXT_MAX;
}

const struct sf_path_rule *sf_path_rule_for_text(const char *text)
{
    const struct sf_path_rule *found = NULL;
    const char *home = in_a_home(text);
    struct parts whole, below_home;

    if (too_long(text))
        return NULL;
    split(&whole, text);
    split(&below_home, home ? home : "");
    for (size_t i = 0; i < sf_path_rule_count && !found; i++) {
        const struct sf_path_rule *rule = &sf_path_rules[i];
        const bool fits[] = {
            [SF_WHERE_ANY] = rule->kind != SF_KIND_HINT,
            [SF_WHERE_ROOT] = *text != '/' && !home,
            [SF_WHERE_HOME] = home != NULL,
            [SF_WHERE_TOP] = *text == '/',
            [SF_WHERE_OWN] = false,
            [SF_WHERE_SHAPE] = false,
            [SF_WHERE_UNSEEN] = false,
        };

        if (fits[rule->where] &&
            rule_fits(rule, rule->where == SF_WHERE_HOME ? &below_home : &whole))
            found = rule;
    }
    sf_strbuf_release(&whole.text);
    sf_strbuf_release(&below_home.text);
    return found;
}

bool sf_path_is_public(const char *real)
{
    static const char *const places[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64" };

    for (size_t i = 0; i < SF_COUNT(places); i++)
        if (below(places[i], real))
            return true;
    return false;
}

/* One component of a shell pattern against the names a rule begins with. */
static bool glob_meets(const struct sf_path_rule *rule, const char *glob, size_t len)
{
    for (const char *p = rule->patterns; *p;) {
        size_t n = strcspn(p, "|"), name = strcspn(p, "/|*");
        char text[64];

        if (name && name < sizeof(text)) {
            for (size_t i = 0; i < name; i++)
                text[i] = (char)lower((unsigned char)p[i]);
            text[name] = '\0';
            if (part_fits(glob, len, text))
                return true;
        }
        p += n + (p[n] == '|');
    }
    return false;
}

bool sf_path_glob_may_name(const char *glob, bool secret)
{
    while (*glob) {
        size_t n = strcspn(glob, "/"), known = strcspn(glob, "*/");
        /* A * in front does not stand for a dot, and after one letter it stands for anything. */
        bool telling = known < n && (*glob == '.' || known > 2);

        for (size_t i = 0; telling && i < sf_path_rule_count; i++) {
            const struct sf_path_rule *rule = &sf_path_rules[i];

            if (rule->where == SF_WHERE_ANY &&
                (secret ? sf_path_rule_is_secret(rule) : rule->kind < SF_KIND_SECRET) &&
                glob_meets(rule, glob, n))
                return true;
        }
        glob += n + (glob[n] == '/');
    }
    return false;
}

const struct sf_path_rule *sf_path_secret_in_text(const char *text)
{
    const struct sf_path_rule *found = NULL;
    struct parts parts;

    if (too_long(text))
        return NULL;
    split(&parts, text);
    for (size_t i = 0; i < sf_path_rule_count && !found; i++) {
        const struct sf_path_rule *rule = &sf_path_rules[i];

        if ((sf_path_rule_is_secret(rule) || rule->kind == SF_KIND_HINT) && may_fit(rule, &parts) &&
            any_fits(rule->patterns, &parts, true) &&
            (parts.climbs || !rule->unless || !any_fits(rule->unless, &parts, true)))
            found = rule;
    }
    sf_strbuf_release(&parts.text);
    return found;
}
