/*
 * probe.c: TERM, COLORTERM and the like, and the terminal's answers. A terminal that says nothing
 * is a terminal that can do little: every fact begins with what is safe.
 */
#include "term/probe.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "term/keymap.h"

static const struct {
    const char *prefix;
    enum sf_proctree family;
} families[] = {
    { "xterm", SF_FAMILY_XTERM },   { "alacritty", SF_FAMILY_XTERM },
    { "foot", SF_FAMILY_XTERM },    { "kitty", SF_FAMILY_XTERM },
    { "wezterm", SF_FAMILY_XTERM }, { "ghostty", SF_FAMILY_XTERM },
    { "contour", SF_FAMILY_XTERM }, { "konsole", SF_FAMILY_XTERM },
    { "vte", SF_FAMILY_XTERM },     { "gnome", SF_FAMILY_XTERM },
    { "rio", SF_FAMILY_XTERM },     { "iterm", SF_FAMILY_XTERM },
    { "mintty", SF_FAMILY_XTERM },  { "ms-terminal", SF_FAMILY_XTERM },
    { "st-", SF_FAMILY_XTERM },     { "rxvt", SF_FAMILY_XTERM },
    { "tmux", SF_FAMILY_MUX },      { "screen", SF_FAMILY_MUX },
};

static bool starts(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static enum sf_proctree family_of(const char *term)
{
    for (size_t i = 0; i < SF_COUNT(families); i++)
        if (starts(term, families[i].prefix))
            return families[i].family;
    return SF_FAMILY_PLAIN;
}

/* By the beginning of XTVERSION or of TERM; xterm, screen and the consoles cut lines. */
static bool breaks_anew(const struct sf_terminal_facts *facts)
{
    static const char *const names[] = { "tmux",  "kitty",   "alacritty", "foot",        "wezterm",
                                         "vte",   "ghostty", "contour",   "konsole",     "gnome",
                                         "iterm", "rio",     "mintty",    "ms-terminal", NULL };

    for (size_t i = 0; names[i]; i++)
        if (!strncasecmp(facts->name, names[i], strlen(names[i])))
            return true;
    return facts->tmux;
}

/* ncurses measures and writes text by the locale; a minimal system has C.UTF-8 alone. */
static bool speak_utf8(void)
{
    if (!strcmp(nl_langinfo(CODESET), "UTF-8"))
        return true;
    if (setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8"))
        return true;
    return setlocale(LC_CTYPE, "C.UTF-8") && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

static bool says_truecolour(void)
{
    const char *says = sf_env_get("COLORTERM");

    return says && (!strcmp(says, "truecolor") || !strcmp(says, "24bit"));
}

bool sf_probe_environment(struct sf_probe *probe, struct sf_terminal_facts *facts,
                          struct sf_error *err)
{
    const char *term = sf_env_get("TERM");

    if (!term || !strcmp(term, "dumb") || !strcmp(term, "unknown")) {
        sf_fail(err, SF_E_ARG, "this terminal cannot show a screen (TERM is %s)",
                term ? term : "not set");
        return sf_hint(err, "`sf -p` works line by line");
    }
    *probe = (struct sf_probe){ .term = term,
                                .family = family_of(term),
                                .no_colour = sf_env_get("NO_COLOR") != NULL,
                                .truecolour = says_truecolour() };
    *facts = (struct sf_terminal_facts){
        .other_keys = probe->family == SF_FAMILY_XTERM,
        .brackets = probe->family != SF_FAMILY_PLAIN,
        .tmux = sf_env_get("TMUX") != NULL || starts(term, "tmux"),
        .screen_mux = sf_env_get("STY") != NULL,
        .ssh = sf_env_get("SSH_TTY") != NULL || sf_env_get("SSH_CONNECTION") != NULL,
        .utf8 = speak_utf8(),
    };
    snprintf(facts->name, sizeof(facts->name), "%s", term);
    facts->rewraps = breaks_anew(facts);
    return true;
}

/* Keyboard flags, version, synchronized output; then what everyone answers. */
const char *sf_probe_questions(const struct sf_probe *probe)
{
    return probe->family == SF_FAMILY_PLAIN ? "" : "\033[?u\033[>q\033[?2026$p\033[c";
}

static void learn_version(struct sf_terminal_facts *facts, const struct sf_term_event *reply)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, reply->text, reply->len, SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(
        &safe,
        sf_utf8_cut(safe.buf, safe.len < sizeof(facts->name) ? safe.len : sizeof(facts->name) - 1));
    snprintf(facts->name, sizeof(facts->name), "%s", safe.buf);
    facts->tmux = facts->tmux || starts(facts->name, "tmux");
    facts->rewraps = breaks_anew(facts);
    if (facts->tmux || starts(facts->name, "VTE"))
        facts->other_keys = false;
    sf_strbuf_release(&safe);
}

/* A multiplexer does not say what it passes on; a chord that only an extended key can be does. */
void sf_probe_key(struct sf_terminal_facts *facts, const struct sf_key *key)
{
    const struct sf_chord chord = { .keys = { *key } };

    if (!facts->kitty && (key->mods & SF_MOD_CTRL) && (key->mods & SF_MOD_SHIFT) &&
        !sf_chord_is_plain(&chord))
        facts->other_keys = true;
}

bool sf_probe_reply(struct sf_terminal_facts *facts, const struct sf_term_event *reply)
{
    struct sf_terminal_facts before = *facts;

    switch (reply->reply) {
    case SF_TERM_REPLY_KITTY:
        facts->kitty = reply->value & 1;
        facts->other_keys = facts->other_keys && !facts->kitty;
        break;
    case SF_TERM_REPLY_VERSION:
        learn_version(facts, reply);
        break;
    case SF_TERM_REPLY_MODE:
        if (reply->mode == 2026)
            facts->sync = reply->value == 1 || reply->value == 2;
        break;
    case SF_TERM_REPLY_ATTRIBUTES:
    case SF_TERM_REPLY_POSITION:
    case SF_TERM_REPLY_COLOUR:
        break;
    }
    return facts->kitty != before.kitty || facts->other_keys != before.other_keys ||
           facts->sync != before.sync || facts->tmux != before.tmux ||
           strcmp(facts->name, before.name) != 0;
}
