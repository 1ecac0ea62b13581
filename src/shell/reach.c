/*
 * reach.c: where a path leads, judged by its text alone: inside the workspace, outside it, to a
 * device, or to a name that later starts programs. Links are not seen here; the path guard and
 * the cage hold them.
 */
#include <string.h>

#include "shell/classifier.h"
#include "shell/path_rules.h"

/* A name no command writes; files that merely may hold secrets are left to the verdict. */
static bool is_protected(const char *text)
{
    const struct sf_path_rule *rule = sf_path_rule_for_text(text);

    return rule && rule->kind != SF_KIND_SECRET && rule->kind != SF_KIND_KEY;
}

/* In any of its pieces: `f=@.env`, `host:.ssh/x`, `a,b`. */
bool sf_is_secret(const char *text)
{
    char piece[SF_PATH_TEXT_MAX + 1];

    if (strstr(text, "://"))
        return false;
    while (*text) {
        size_t len = strcspn(text, "@=:,");

        if (len && len < sizeof(piece)) {
            memcpy(piece, text, len);
            piece[len] = '\0';
            if (sf_path_secret_in_text(piece))
                return true;
        }
        text += len + (text[len] != '\0');
    }
    return false;
}

static enum sf_reach relative(const char *text)
{
    if (is_protected(text))
        return SF_REACH_PROTECTED;
    return sf_text_leaves(text) ? SF_REACH_OUTSIDE : SF_REACH_INSIDE;
}

/* ".." as a component, also between the commas of a brace; {1..9} is none. */
static bool brace_climbs(const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "/{},");

        if (len == 2 && !strncmp(text, "..", 2))
            return true;
        text += len + (text[len] != '\0');
    }
    return false;
}

/* The word with * for everything that is not plain text: `.gi?/x`, `.{git,y}/x`. */
static void widen(const char *text, struct sf_strbuf *out)
{
    const char *bracket = strrchr(text, ']'), *brace = strrchr(text, '}');

    for (const char *p = text; *p; p++) {
        const char *end = *p == '[' && bracket && p < bracket ? strchr(p, ']')
                          : *p == '{' && brace && p < brace   ? brace
                                                              : NULL;

        sf_strbuf_add(out, end || *p == '?' ? "*" : p, 1);
        p = end ? end : p;
    }
}

static bool may_name(const char *text, bool secret)
{
    struct sf_strbuf wide = SF_STRBUF_INIT;
    bool found;

    widen(text, &wide);
    found = sf_path_glob_may_name(wide.buf, secret);
    sf_strbuf_release(&wide);
    return found;
}

bool sf_may_name_secret(const char *pattern)
{
    return may_name(pattern, true);
}

/* A word that stands for several names. */
static enum sf_reach several(const struct sf_word *w, const char *text)
{
    enum sf_reach reach = relative(text);

    if (w->flags & SF_WORD_BRACE && brace_climbs(text))
        return SF_REACH_OUTSIDE;
    return reach == SF_REACH_INSIDE && may_name(text, false) ? SF_REACH_PROTECTED : reach;
}

static enum sf_reach absolute(const char *text)
{
    static const char sinks[] = "/dev/null|/dev/stdout|/dev/stderr|/dev/tty|/dev/fd/*";
    static const char sockets[] = "/dev/tcp/*|/dev/udp/*";

    if (strstr(text, "..") || is_protected(text))
        return strstr(text, "..") ? SF_REACH_OUTSIDE : SF_REACH_PROTECTED;
    if (sf_pattern_fits(sinks, sizeof(sinks) - 1, text))
        return SF_REACH_SINK;
    if (sf_pattern_fits(sockets, sizeof(sockets) - 1, text))
        return SF_REACH_SOCKET;
    return strncmp(text, "/dev/", 5) == 0 ? SF_REACH_DEVICE : SF_REACH_OUTSIDE;
}

/* A path that a word with expansions may stand for, as that word's own. */
static enum sf_reach reach_of_reading(const struct sf_word *w, const char *text, bool glob)
{
    if (*text == '~' || !strncmp(text, SF_OWN_TEMP, strlen(SF_OWN_TEMP)))
        return SF_REACH_OUTSIDE;
    if (*text == '/')
        return absolute(text);
    return glob || w->flags & SF_WORD_BRACE ? several(w, text) : relative(text);
}

/* Part of it is not in the text: the worst of what it may stand for. */
static enum sf_reach reach_of_readings(struct sf_classifier *j, const struct sf_word *w,
                                       const char *text)
{
    enum sf_reach worst = SF_REACH_SINK;
    struct sf_word_values r;

    sf_word_values_of(j, w, text, &r);
    for (size_t i = 0; i < r.count; i++) {
        enum sf_reach reach =
            *r.texts[i] ? reach_of_reading(w, r.texts[i], r.glob) : SF_REACH_INSIDE;

        worst = reach > worst ? reach : worst;
    }
    return r.anywhere || !r.count ? SF_REACH_UNKNOWN : worst;
}

enum sf_reach sf_reach_of(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    if (w->flags & SF_WORD_TILDE && text == w->text)
        return SF_REACH_OUTSIDE;
    if (w->flags & SF_WORD_EXPANDS)
        return *text == '/' && w->head > (size_t)(text - w->text) ? absolute(text)
                                                                  : reach_of_readings(j, w, text);
    if (*text == '/')
        return absolute(text);
    if (*text == '~')
        return SF_REACH_OUTSIDE; /* as a value it may still be expanded by the program */
    return w->flags & (SF_WORD_GLOB | SF_WORD_BRACE) ? several(w, text) : relative(text);
}

bool sf_leads_away(const struct sf_word *w, const char *text)
{
    static const char places[] = "/|/etc*|/usr*|/bin*|/sbin*|/boot*|/var*|/lib*|/opt*|/root*|/dev*|"
                                 "/sys*|/proc*|~|~/.*|..|../*|/System*|/Library*|*/../..*";

    if (w->lead && !strcmp(w->lead, "HOME") && w->len == 0)
        return true;
    return sf_pattern_fits(places, sizeof(places) - 1, text) ||
           (*text != '/' && *text != '~' && !(w->flags & SF_WORD_EXPANDS) && sf_text_leaves(text));
}

/* Once is enough; what does not fit is remembered as missing. */
static void add_path(struct sf_classifier *j, const char *text, const struct sf_report_path *path)
{
    struct sf_shell_report *report = j->report;

    for (size_t i = 0; i < report->npaths; i++) {
        const struct sf_report_path *p = &report->paths[i];

        if (p->known == path->known && p->writes == path->writes && p->secret == path->secret &&
            p->glob == path->glob && p->anywhere == path->anywhere && p->names == path->names &&
            p->named == path->named && !strcmp(p->text, text))
            return;
    }
    if (report->npaths >= SF_REPORT_ITEMS || strlen(text) > 4096) {
        report->more = true;
        return;
    }
    report->paths[report->npaths] = *path;
    if (j->named)
        sf_classify_place(j, j->named, &report->paths[report->npaths].at,
                          &report->paths[report->npaths].len);
    report->paths[report->npaths++].text = sf_strdup(text);
}

void sf_note_path(struct sf_classifier *j, const struct sf_word *w, const char *text, bool writes)
{
    unsigned open = w->flags & (SF_WORD_EXPANDS | SF_WORD_GLOB | SF_WORD_TILDE);

    j->named = w;
    add_path(j, text,
             &(struct sf_report_path){
                 .known = !open,
                 .writes = writes,
                 .secret = open && (sf_is_secret(text) || may_name(text, true)),
                 .glob = open == SF_WORD_GLOB,
             });
}

/* `a*` and the like are one name each, which counts when ".." takes it away again. */
static bool glob_leaves(const char *text)
{
    struct sf_strbuf plain = SF_STRBUF_INIT;
    size_t first = strcspn(text, "*?[");
    bool leaves;

    if (!strstr(text + first, ".."))
        return false;
    for (const char *p = text; *p; p++)
        sf_strbuf_add(&plain, strchr("*?[]", *p) ? "_" : p, 1);
    leaves = sf_text_leaves(plain.buf);
    sf_strbuf_release(&plain);
    return leaves;
}

/* True: the path lies in sf's own directory for temporary files and needs no looking at. */
static bool is_own_temp(const char *text)
{
    size_t n = strlen(SF_OWN_TEMP);

    return !strncmp(text, SF_OWN_TEMP, n) && (!text[n] || text[n] == '/') &&
           !strstr(text + n, "..");
}

/* The text with something else for each unknown name. */
static void spell(const char *text, const char *name, struct sf_strbuf *out)
{
    sf_strbuf_reset(out);
    for (const char *p = text; *p; p++)
        sf_strbuf_adds(out, *p == *SF_ANY_NAME ? name : (const char[2]){ *p, '\0' });
}

/* One path a word stands for, in one directory. */
static void note_reading(struct sf_classifier *j, const char *text, bool glob, bool names)
{
    struct sf_report_path path = { .names = names };
    struct sf_strbuf plain = SF_STRBUF_INIT;

    if (is_own_temp(text))
        return;
    spell(text, "_", &plain);
    path.glob = glob && strpbrk(plain.buf, "*?[");
    path.anywhere = (path.glob && glob_leaves(plain.buf)) || sf_name_climbs(text) ||
                    !strncmp(text, SF_OWN_TEMP, strlen(SF_OWN_TEMP)) ||
                    (*text == '~' && text[1] && text[1] != '/');
    path.known = !path.glob && !path.anywhere;
    path.secret = !names && !path.known && (sf_is_secret(plain.buf) || may_name(plain.buf, true));
    add_path(j, plain.buf, &path);
    if (!path.anywhere && strchr(text, *SF_ANY_NAME)) {
        spell(text, "**", &plain); /* any of them may be a link */
        add_path(j, plain.buf, &(struct sf_report_path){ .names = names, .glob = true });
    }
    sf_strbuf_release(&plain);
}

/* What is known of it stands behind what is not. */
static void note_anywhere(struct sf_classifier *j, const char *text, bool names)
{
    struct sf_strbuf shown = SF_STRBUF_INIT;
    const struct sf_report_path path = {
        .anywhere = true,
        .names = names,
        .secret = !names && (sf_is_secret(text) || may_name(text, true)),
    };

    sf_strbuf_addf(&shown, "…%s", text);
    add_path(j, shown.buf, &path);
    sf_strbuf_release(&shown);
}

static void note_readings(struct sf_classifier *j, const struct sf_word *w, const char *text,
                          bool names)
{
    const struct sf_dirs *here = &j->where.now.here;
    struct sf_word_values r;

    j->named = w;
    sf_word_values_of(j, w, text, &r);
    for (size_t i = 0; i < r.count; i++) {
        if (!*r.texts[i])
            continue;
        if (here->unknown && *r.texts[i] != '/' && *r.texts[i] != '~')
            r.anywhere = true;
        if (!here->count)
            note_reading(j, r.texts[i], r.glob, names);
        for (unsigned k = 0; k < here->count; k++)
            note_reading(j, sf_dir_join(j, here->at[k], r.texts[i]), r.glob, names);
    }
    if (r.anywhere)
        note_anywhere(j, text, names);
}

void sf_classify_follows(struct sf_classifier *j, const struct sf_word *w, bool names)
{
    static const struct sf_word here = { .text = ".", .len = 1, .head = 1, .tail = 1 };
    const struct sf_dirs *dirs = &j->where.now.here;
    struct sf_word_values r;

    j->named = w;
    w = w ? w : &here;
    sf_word_values_of(j, w, w->text, &r); /* where it could lead anywhere that is said already */
    for (size_t i = 0; i < r.count; i++)
        for (unsigned k = 0; *r.texts[i] && k < dirs->count; k++) {
            const char *dir = sf_dir_join(j, dirs->at[k], r.texts[i]);

            note_reading(j, sf_dir_join(j, dir, SF_ANY_NAME), r.glob, names);
        }
}

void sf_classify_reads_list(struct sf_classifier *j, const char *shown)
{
    j->named = NULL;
    note_anywhere(j, shown, false);
}

/* Of a file that is written: what is sure of its name, in every directory it may be in. */
static void note_written(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    const struct sf_dirs *here = &j->where.now.here;

    if (!here->count || w->flags & (SF_WORD_EXPANDS | SF_WORD_TILDE))
        sf_note_path(j, w, text, true);
    else
        for (unsigned k = 0; k < here->count; k++)
            sf_note_path(j, w, sf_dir_join(j, here->at[k], text), true);
}

/* `make .envrc`, `make OUT=.envrc`: what a build does with it, nobody knows. */
static void note_named(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    const struct sf_dirs *here = &j->where.now.here;
    const struct sf_report_path path = { .known = true, .named = true };
    const struct sf_path_rule *rule = sf_path_rule_for_text(text);

    if (!rule || !sf_path_rule_is_obeyed(rule))
        return;
    j->named = w;
    if (!here->count)
        add_path(j, text, &path);
    for (unsigned k = 0; k < here->count; k++)
        add_path(j, sf_dir_join(j, here->at[k], text), &path);
}

void sf_classify_named(struct sf_classifier *j, const struct sf_word *words, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const char *text = words[i].text, *value = strchr(text, '=');

        if (words[i].flags & (SF_WORD_EXPANDS | SF_WORD_GLOB | SF_WORD_PROCESS))
            continue;
        if (value)
            note_named(j, &words[i], value + 1);
        else if (*text != '-')
            note_named(j, &words[i], text);
    }
}

bool sf_stays_inside(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    const struct sf_dirs *here = &j->where.now.here;
    bool inside = here->count && !here->unknown;

    if (w->flags & (SF_WORD_EXPANDS | SF_WORD_TILDE | SF_WORD_GLOB | SF_WORD_BRACE))
        return false;
    for (unsigned k = 0; inside && k < here->count; k++) {
        const char *path = sf_dir_join(j, here->at[k], text);

        inside =
            !strpbrk(here->at[k], "*?[{") && *path != '/' && *path != '~' && !sf_text_leaves(path);
    }
    return inside;
}

/*
 * Where a relative name is written, in every directory the command may stand in: `cd .git/hooks`
 * makes any name a protected one, and `cd src` keeps ../x inside.
 */
static enum sf_reach written_reach(struct sf_classifier *j, const struct sf_word *w,
                                   const char *text)
{
    const struct sf_dirs *here = &j->where.now.here;
    enum sf_reach zone = sf_reach_of(j, w, text);

    if (*text == '/' || *text == '~' || w->flags & (SF_WORD_EXPANDS | SF_WORD_TILDE))
        return zone;
    for (unsigned k = 0; k < here->count; k++) {
        const char *dir = here->at[k], *path = sf_dir_join(j, dir, text);
        bool open = (w->flags & (SF_WORD_GLOB | SF_WORD_BRACE)) || strpbrk(dir, "*?[{");

        if (is_protected(path) || (open && may_name(path, false)))
            return SF_REACH_PROTECTED;
    }
    return zone == SF_REACH_OUTSIDE && sf_stays_inside(j, w, text) ? SF_REACH_INSIDE : zone;
}

void sf_classify_write(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    static const struct {
        enum sf_class class;
        const char *rule;
    } zones[] = {
        [SF_REACH_SINK] = { SF_CLASS_READONLY, "" },
        [SF_REACH_INSIDE] = { SF_CLASS_LOCAL_EDIT, "write" },
        [SF_REACH_PROTECTED] = { SF_CLASS_DESTRUCTIVE, "write-protected" },
        [SF_REACH_OUTSIDE] = { SF_CLASS_DESTRUCTIVE, "write-outside" },
        [SF_REACH_DEVICE] = { SF_CLASS_DESTRUCTIVE, "write-device" },
        [SF_REACH_SOCKET] = { SF_CLASS_NETWORK, "shell-socket" },
        [SF_REACH_UNKNOWN] = { SF_CLASS_DESTRUCTIVE, "write-unknown" },
    };
    enum sf_reach zone;

    if ((!strcmp(text, "-") && text == w->text) || w->flags & SF_WORD_PROCESS)
        return; /* by convention the terminal; or the pipe of a command that is judged itself */
    zone = written_reach(j, w, text);
    if (zone == SF_REACH_INSIDE && j->away)
        zone = SF_REACH_OUTSIDE;
    sf_classify_raise(j, zones[zone].class, zones[zone].rule, w);
    j->talks = j->talks || zone == SF_REACH_SOCKET;
    if (zone != SF_REACH_SINK)
        note_written(j, w, text);
}

void sf_classify_lands(struct sf_classifier *j, const struct sf_word *source)
{
    const char *slash = strrchr(source->text, '/');

    if (slash && is_protected(slash + 1))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "write-protected", source);
}

void sf_classify_reads(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    if (sf_reach_of(j, w, text) == SF_REACH_SOCKET)
        sf_classify_raise(j, SF_CLASS_NETWORK, "shell-socket", w);
    if (sf_is_secret(text))
        sf_classify_secret(j, w);
    if (!(w->flags & SF_WORD_PROCESS))
        note_readings(j, w, text, false);
}

void sf_classify_lists(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    if (!(w->flags & SF_WORD_PROCESS))
        note_readings(j, w, text, true);
}

static void add_removed(struct sf_classifier *j, const char *text, bool glob)
{
    struct sf_shell_report *report = j->report;
    struct sf_strlist *list =
        glob && strpbrk(text, "*?[") ? &report->removes_like : &report->removes;

    if (is_own_temp(text) || sf_strlist_has(list, text))
        return;
    if (list->count >= SF_REPORT_ITEMS || !strncmp(text, SF_OWN_TEMP, strlen(SF_OWN_TEMP)))
        report->removes_more = true;
    else
        sf_strlist_add(list, text);
}

void sf_note_removed(struct sf_classifier *j, const struct sf_word *w)
{
    const struct sf_dirs *here = &j->where.now.here;
    struct sf_word_values r;

    if (w->flags &
        (SF_WORD_EXPANDS | SF_WORD_STANDS)) { /* readings are made up where nothing is known */
        j->report->removes_more = true;
        return;
    }
    sf_word_values_of(j, w, w->text, &r);
    for (size_t i = 0; i < r.count; i++) {
        if (!*r.texts[i])
            continue;
        if (!here->count)
            add_removed(j, r.texts[i], r.glob);
        for (unsigned k = 0; k < here->count; k++)
            add_removed(j, sf_dir_join(j, here->at[k], r.texts[i]), r.glob);
    }
    j->report->removes_more = j->report->removes_more || r.anywhere || here->unknown;
}
