/*
 * schema.c: the table of settings. Enum values are ordered by strictness if the row says LOW or
 * HIGH. Help is one line, a noun phrase or a verb, without a full stop.
 */
#include "config/schema.h"

#include "base/base.h"
#include "config/config.h"
#include "modes/modes.h"

static const char *const approval_modes[] = { "never", "suggest", "auto", NULL };
static const char *const shell_scopes[] = { "revert", "report", "off", NULL };
static const char *const cages[] = { "require", "auto", "off", NULL };
static const char *const sidebars[] = { "auto", "on", "off", NULL };
static const char *const repairs[] = { "log-only", "ask", "auto", NULL };
static const char *const wire_formats[] = { "anthropic", "chat", "responses", NULL };
static const char *const log_levels[] = { "error", "warn", "info", "debug", NULL };

#define ANY     SF_SETTING_TRUST_ANY
#define NARROW  SF_SETTING_TRUST_NARROW
#define NEEDED  SF_SETTING_TRUST_TRUSTED
#define USER    SF_SETTING_TRUST_USER
#define NONE    SF_STRICT_NONE
#define LOW     SF_STRICT_LOW
#define HIGH    SF_STRICT_HIGH
#define STRING  SF_SETTING_STRING
#define ADDRESS SF_SETTING_ADDRESS
#define ENUM    SF_SETTING_ENUM
#define BOOL    SF_SETTING_BOOL
#define INT     SF_SETTING_INT
#define FLOAT   SF_SETTING_FLOAT
#define LIST    SF_SETTING_LIST
#define RULES   SF_SETTING_RULES
#define SCOPE   SF_SETTING_SCOPE
#define TABLES  SF_SETTING_TABLES

/* clang-format off */
const struct sf_setting sf_settings[] = {
    { "profile", STRING, USER, NONE, NULL, NULL, 0, 0,
      "name of the [profiles.NAME] table laid over the user's settings" },

    { "defaults.work_mode", ENUM, NEEDED, NONE, sf_work_mode_names, "\"chat\"", 0, 0,
      "work mode a new session starts in" },
    { "defaults.run_control", ENUM, NARROW, LOW, sf_run_control_names, "\"manual\"", 0, 0,
      "who advances the loop in a new session" },
    { "defaults.permission_profile", ENUM, NARROW, LOW, sf_profile_names, "\"normal\"", 0, 0,
      "what a new session may do without asking" },
    { "defaults.model_mode", ENUM, NARROW, LOW, sf_model_mode_names, "\"smart\"", 0, 0,
      "speed, cost and depth of a new session's model" },
    { "defaults.scope", STRING, NEEDED, NONE, NULL, NULL, 0, 0,
      "write scope a new session starts in, instead of its work mode's own" },

    { "guard.deny", RULES, ANY, NONE, NULL, "[]", 0, 0,
      "patterns of commands, paths and hosts that never run" },
    { "guard.ask", RULES, ANY, NONE, NULL, "[]", 0, 0,
      "patterns that always ask" },
    { "guard.allow", RULES, NEEDED, NONE, NULL, "[]", 0, 0,
      "patterns that run unasked, also under the restricted profile" },
    { "guard.confirm", STRING, USER, NONE, NULL, NULL, 0, 0,
      "what is confirmed beforehand for runs where nobody can answer: delete, or delete:PATH,PATH; only "
      "what a snapshot brings back completely" },
    { "guard.approval_mode", ENUM, NARROW, LOW, approval_modes, "\"suggest\"", 0, 0,
      "never: only reads run; suggest: the profile decides; auto: asks become allows" },
    { "guard.allow_shell", BOOL, NARROW, LOW, NULL, "true", 0, 0,
      "offer the shell tools to the model" },
    { "guard.shell_scope", ENUM, NARROW, LOW, shell_scopes, "\"revert\"", 0, 0,
      "what happens to files a shell command changed outside the write scope" },
    { "guard.cage", ENUM, NARROW, LOW, cages, "\"auto\"", 0, 0,
      "confinement of commands: require refuses to run without it" },
    { "guard.caches", LIST, NEEDED, NONE, NULL, "[]", 0, 0,
      "directories outside the workspace that caged commands may write besides the caches of package "
      "managers and compilers, such as ~/.cache/ms-playwright" },
    { "guard.env_keep", LIST, NEEDED, NONE, NULL, "[]", 0, 0,
      "variables passed to commands although they look like secrets" },
    { "guard.hide_secrets", BOOL, NARROW, HIGH, NULL, "true", 0, 0,
      "hide files such as .env and private keys in the workspace from commands" },
    { "guard.readable", LIST, NEEDED, NONE, NULL, "[]", 0, 0,
      "names or paths of such files that commands may read all the same, such as .env.test" },
    { "guard.max_memory", INT, NARROW, LOW, NULL, "50", 1, 100,
      "percent of this machine's memory that a command and all it starts may use together" },
    { "guard.max_processes", INT, NARROW, LOW, NULL, "8192", 64, 1000000,
      "processes and threads that may run at once" },
    { "guard.max_file_size", INT, NARROW, LOW, NULL, "16384", 1, 1000000000,
      "MiB to which a command may make one file grow" },

    { "modes.*.writable", SCOPE, NARROW, LOW, NULL, NULL, 0, 0,
      "paths the write scope may change: a directory ends in /, \"*\" is everything" },
    { "modes.*.strategy", STRING, ANY, NONE, NULL, NULL, 0, 0,
      "one sentence the model is given while the scope is active" },

    { "models.provider", STRING, NEEDED, NONE, NULL, "\"auto\"", 0, 0,
      "provider to use; auto takes the first with a key, else the offline operator" },
    { "models.model", STRING, NEEDED, NONE, NULL, NULL, 0, 0,
      "one model for all modes; auto routes each turn" },
    { "models.fast", STRING, NEEDED, NONE, NULL, NULL, 0, 0, "model for model mode fast" },
    { "models.smart", STRING, NEEDED, NONE, NULL, NULL, 0, 0, "model for model mode smart" },
    { "models.deep", STRING, NEEDED, NONE, NULL, NULL, 0, 0, "model for model mode deep" },
    { "models.*.base_url", ADDRESS, USER, NONE, NULL, NULL, 0, 0,
      "address of the provider's API" },
    { "models.*.format", ENUM, NEEDED, NONE, wire_formats, NULL, 0, 0,
      "wire format the provider speaks" },
    { "models.*.fast", STRING, NEEDED, NONE, NULL, NULL, 0, 0,
      "this provider's model for model mode fast" },
    { "models.*.smart", STRING, NEEDED, NONE, NULL, NULL, 0, 0,
      "this provider's model for model mode smart" },
    { "models.*.deep", STRING, NEEDED, NONE, NULL, NULL, 0, 0,
      "this provider's model for model mode deep" },
    { "models.*.window", INT, NEEDED, NONE, NULL, NULL, 1024, 100000000,
      "tokens that this provider's models hold, where the data file is wrong or says nothing" },
    { "models.*.api_key_env", STRING, USER, NONE, NULL, NULL, 0, 0,
      "variable that holds the key" },
    { "models.*.api_key_file", STRING, USER, NONE, NULL, NULL, 0, 0,
      "file that holds the key, readable by its owner alone" },
    { "models.*.api_key_cmd", STRING, USER, NONE, NULL, NULL, 0, 0,
      "command that prints the key" },

    { "limits.max_turns", INT, NARROW, LOW, NULL, "200", 1, 1000000,
      "answers of the model in one unit of work" },
    { "limits.max_tool_calls", INT, NARROW, LOW, NULL, "1000", 1, 1000000,
      "tool calls in one unit of work" },
    { "limits.max_tokens", INT, NARROW, LOW, NULL, "20000000", 1, 1000000000000,
      "tokens, in and out, of one run" },
    { "limits.max_cost", FLOAT, NARROW, LOW, NULL, "10.0", 0, 1000000,
      "US dollars of one run" },
    { "limits.max_time", INT, NARROW, LOW, NULL, "14400", 1, 31536000,
      "seconds of wall time one run may work" },
    { "limits.timeout", INT, NARROW, LOW, NULL, NULL, 1, 31536000,
      "seconds after which a one-shot run is ended, with exit code 124" },
    { "limits.max_subagents", INT, NARROW, LOW, NULL, "4", 1, 20,
      "sub-agents at work at once" },

    { "network.proxy", STRING, USER, NONE, NULL, NULL, 0, 0,
      "proxy for requests to models, instead of the usual variables" },
    { "network.ca_file", STRING, USER, NONE, NULL, NULL, 0, 0,
      "file of certificate authorities to trust, instead of the system's" },
    { "network.connect_timeout", FLOAT, USER, NONE, NULL, "20.0", 0, 3600,
      "seconds in which a connection to a model must stand" },
    { "network.first_byte_timeout", FLOAT, USER, NONE, NULL, "300.0", 0, 3600,
      "seconds in which an answer must begin" },
    { "network.silence_timeout", FLOAT, USER, NONE, NULL, "120.0", 0, 3600,
      "seconds an answer may pause" },
    { "network.answer_timeout", FLOAT, USER, NONE, NULL, "1800.0", 0, 86400,
      "seconds an answer may take as a whole" },
    { "network.retries", INT, USER, NONE, NULL, "5", 0, 100,
      "how often a request that failed is made again, where that may help" },
    { "network.retry_wait", FLOAT, USER, NONE, NULL, "1.0", 0, 3600,
      "seconds before the first of them; doubled each time" },
    { "network.retry_wait_max", FLOAT, USER, NONE, NULL, "60.0", 0, 3600,
      "seconds one wait lasts at most, also when the service asks for more" },

    { "snapshots.enabled", BOOL, USER, NONE, NULL, "true", 0, 0,
      "keep the workspace before and after each turn that changes files" },
    { "snapshots.max_size", INT, USER, NONE, NULL, "2048", 0, 1000000000,
      "megabytes the snapshots of a project may take; 0: any number" },
    { "snapshots.max_count", INT, USER, NONE, NULL, "1000", 0, 1000000,
      "snapshots of a project that are kept; 0: any number" },
    { "snapshots.max_age", INT, USER, NONE, NULL, "30", 0, 36500,
      "days after which snapshots go; 0: never. Those of live sessions stay in any case" },

    { "work.repair", ENUM, NARROW, LOW, repairs, "\"ask\"", 0, 0,
      "not yet in this version: what a failing health gate does to an autonomous run" },
    { "work.verify", LIST, NEEDED, NONE, NULL, "[]", 0, 0,
      "commands that verify a unit of a plan whose task names none" },

    { "controller.max_consecutive_failures", INT, ANY, NONE, NULL, "3", 1, 1000,
      "not yet in this version: failures in a row after which a writable scope becomes explore" },
    { "controller.max_turns_in_explore", INT, ANY, NONE, NULL, "20", 1, 100000,
      "not yet in this version: turns in explore after which the scope before it returns" },
    { "coach.frequency", INT, ANY, NONE, NULL, "5", 1, 1000,
      "not yet in this version: tool calls between two looks of the coach" },

    { "hooks.*", TABLES, NEEDED, NONE, NULL, NULL, 0, 0,
      "not yet in this version: commands run at an event, each a table with matcher, command and timeout" },

    { "ui.theme", STRING, USER, NONE, NULL, "\"dark\"", 0, 0, "colour theme" },
    { "ui.low_motion", BOOL, USER, NONE, NULL, "false", 0, 0, "no pulse, no spinner" },
    { "ui.mouse", BOOL, USER, NONE, NULL, "true", 0, 0,
      "wheel and selection inside sf; false leaves the mouse to the terminal" },
    { "ui.vim", BOOL, USER, NONE, NULL, "false", 0, 0, "vim keys in the composer" },
    { "ui.sidebar", ENUM, USER, NONE, sidebars, "\"auto\"", 0, 0,
      "from 130 columns on: auto shows it once there is something to show, on always, off never" },
    { "ui.statusline", STRING, USER, NONE, NULL, "\"\"", 0, 0,
      "line of facts where nothing else is said, such as {model} · {branch}{dirty}; /statusline lists them" },
    { "keys.*", STRING, USER, NONE, NULL, NULL, 0, 0,
      "key bound to an action, by the action's name" },

    { "log.level", ENUM, USER, NONE, log_levels, "\"info\"", 0, 0,
      "least weight of what goes to the log file" },
};
/* clang-format on */

const size_t sf_setting_count = SF_COUNT(sf_settings);

static size_t part_length(const char *key)
{
    return strcspn(key, ".");
}

/* Whether the first `depth` parts of the key match the path; `rest` is the rest of the key. */
static bool starts_with(const char *key, const char *const *path, size_t depth, const char **rest)
{
    for (size_t i = 0; i < depth; i++) {
        size_t n = part_length(key);
        bool star = n == 1 && key[0] == '*';

        if (!n || (!star && (strlen(path[i]) != n || memcmp(key, path[i], n) != 0)))
            return false;
        key += n + (key[n] == '.');
    }
    *rest = key;
    return true;
}

const struct sf_setting *sf_setting_find(const char *const *path, size_t depth)
{
    const struct sf_setting *wild = NULL;
    const char *rest;

    for (size_t i = 0; i < sf_setting_count; i++) {
        const struct sf_setting *s = &sf_settings[i];

        if (!starts_with(s->key, path, depth, &rest) || *rest)
            continue;
        if (!strchr(s->key, '*'))
            return s;
        wild = s;
    }
    return wild;
}

bool sf_setting_is_table(const char *const *path, size_t depth)
{
    const char *rest;

    for (size_t i = 0; i < sf_setting_count; i++)
        if (starts_with(sf_settings[i].key, path, depth, &rest) && *rest)
            return true;
    return false;
}

/* Replaces the `*` of a key by the name the user chose, so that suggestions can be typed. */
static void fill_star(struct sf_strbuf *out, const char *key, const char *const *path, size_t depth)
{
    for (size_t i = 0; *key; i++) {
        size_t n = part_length(key);

        if (i)
            sf_strbuf_addch(out, '.');
        if (n == 1 && key[0] == '*' && i < depth)
            sf_toml_add_key(out, path[i]);
        else
            sf_strbuf_add(out, key, n);
        key += n + (key[n] == '.');
    }
}

bool sf_setting_suggest(const char *const *path, size_t depth, struct sf_strbuf *out)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_strbuf word = SF_STRBUF_INIT;
    struct sf_suggest s;
    bool found;

    sf_config_add_key(&word, path, depth);
    sf_suggest_start(&s, word.buf);
    for (size_t i = 0; i < sf_setting_count; i++) {
        struct sf_strbuf name = SF_STRBUF_INIT;
        const char *last = strrchr(sf_settings[i].key, '.');

        fill_star(&name, sf_settings[i].key, path, depth);
        sf_strlist_adopt(&names, sf_strbuf_detach(&name));
        sf_suggest_offer(&s, names.items[i]);
        if (depth == 1 && last) /* the key may be written outside its table */
            sf_suggest_offer_as(&s, last + 1, names.items[i]);
    }
    found = s.best != NULL;
    if (found)
        sf_strbuf_adds(out, s.best);
    sf_strbuf_release(&word);
    sf_strlist_release(&names);
    return found;
}

const char *sf_setting_type_name(enum sf_setting_type type)
{
    static const char *const names[] = {
        [SF_SETTING_STRING] = "a string",
        [SF_SETTING_ADDRESS] = "an address",
        [SF_SETTING_ENUM] = "one of a few words",
        [SF_SETTING_BOOL] = "true or false",
        [SF_SETTING_INT] = "an integer",
        [SF_SETTING_FLOAT] = "a number",
        [SF_SETTING_LIST] = "an array of strings",
        [SF_SETTING_RULES] = "an array of strings",
        [SF_SETTING_SCOPE] = "an array of strings",
        [SF_SETTING_TABLES] = "an array of tables",
    };

    return names[type];
}

const char *sf_setting_trust_name(enum sf_setting_trust trust)
{
    static const char *const names[] = {
        [SF_SETTING_TRUST_ANY] = "any project",
        [SF_SETTING_TRUST_NARROW] = "untrusted: only stricter",
        [SF_SETTING_TRUST_TRUSTED] = "trusted projects",
        [SF_SETTING_TRUST_USER] = "the user alone",
    };

    return names[trust];
}

void sf_setting_variable(const struct sf_setting *setting, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "SF_");
    for (const char *p = setting->key; *p; p++) {
        if (*p >= 'a' && *p <= 'z')
            sf_strbuf_addch(out, (char)(*p - 'a' + 'A'));
        else
            sf_strbuf_addch(out, (char)(*p == '.' ? '_' : *p));
    }
}
