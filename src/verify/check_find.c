/*
 * check_find.c: whether a command that verifies is there: each of its programs, and the target of make
 * or the script of npm that it names. What cannot be read, or stands behind a change of the directory,
 * is left open rather than called missing.
 */
#include <string.h>

#include "shell/shell.h"
#include "verify/checks.h"

static const char builtins[] = " test [ true false : echo printf set export wait exit ";

static bool read_file(const struct sf_checks_project *project, const char *path,
                      struct sf_strbuf *out)
{
    return project->read && project->read(project->ctx, path, out);
}

static enum sf_check_presence worse(enum sf_check_presence a, enum sf_check_presence b)
{
    if (a == SF_CHECK_MISSING || b == SF_CHECK_MISSING)
        return SF_CHECK_MISSING;
    return a == SF_CHECK_UNSURE ? a : b;
}

static enum sf_check_presence find_program(const struct sf_checks_project *project,
                                           const char *name)
{
    if (!project->has_program)
        return SF_CHECK_UNSURE;
    return project->has_program(project->ctx, name) ? SF_CHECK_THERE : SF_CHECK_MISSING;
}

/* What includes others, or makes targets by a pattern, may have more than its text tells. */
static enum sf_check_presence find_target(const char *text, const char *target)
{
    if (sf_checks_has_target(text, target))
        return SF_CHECK_THERE;
    if (strstr(text, "include") || strchr(text, '%') || strchr(text, '$'))
        return SF_CHECK_UNSURE;
    return SF_CHECK_MISSING;
}

static enum sf_check_presence find_make(const struct sf_checks_project *project,
                                        const struct sf_shell_command *c)
{
    static const char *const files[] = { "GNUmakefile", "makefile", "Makefile" };
    enum sf_check_presence presence = SF_CHECK_MISSING;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; presence == SF_CHECK_MISSING && i < SF_COUNT(files); i++)
        if (sf_strlist_has(project->names, files[i]))
            presence = read_file(project, files[i], &text) ? SF_CHECK_THERE : SF_CHECK_UNSURE;
    for (size_t i = 1; presence == SF_CHECK_THERE && i < c->count; i++) {
        const char *word = c->words[i].text;

        if (*word == '-' || strchr(word, '='))
            presence = strchr("jks", word[1]) && word[1] ? presence : SF_CHECK_UNSURE;
        else
            presence = find_target(text.buf, word);
    }
    sf_strbuf_release(&text);
    return presence;
}

/* "npm test", "npm run lint", "yarn lint": the word behind "run", or the first one. */
static enum sf_check_presence find_script(const struct sf_checks_project *project,
                                          const struct sf_shell_command *c)
{
    const char *first = c->count > 1 ? c->words[1].text : "";
    const bool runs = !strcmp(first, "run") || !strcmp(first, "run-script");
    const char *name = runs ? c->count > 2 ? c->words[2].text : "" : first;
    struct sf_strbuf text = SF_STRBUF_INIT;
    enum sf_check_presence presence = SF_CHECK_UNSURE;

    if (!runs && strcmp(name, "test") != 0)
        return SF_CHECK_UNSURE;
    if (!strcmp(c->words[0].text, "bun") && !runs)
        return SF_CHECK_UNSURE; /* That is its own runner. */
    if (!*name || *name == '-')
        return SF_CHECK_UNSURE;
    if (!sf_strlist_has(project->names, "package.json"))
        presence = SF_CHECK_MISSING;
    else if (read_file(project, "package.json", &text))
        presence = sf_checks_has_script(&text, "scripts", name) ? SF_CHECK_THERE : SF_CHECK_MISSING;
    sf_strbuf_release(&text);
    return presence;
}

/* A path of the project; a directory that is there may hold what cannot be read. */
static enum sf_check_presence find_path(const struct sf_checks_project *project, const char *path)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    enum sf_check_presence presence = SF_CHECK_MISSING;
    char *first;

    if (*path == '/' || !strncmp(path, "../", 3))
        return SF_CHECK_UNSURE;
    path += !strncmp(path, "./", 2) ? 2 : 0;
    first = sf_strndup(path, strcspn(path, "/"));
    if (sf_strlist_has(project->names, path) || read_file(project, path, &text))
        presence = SF_CHECK_THERE;
    else if (strchr(path, '/') && sf_strlist_has(project->names, first))
        presence = SF_CHECK_UNSURE;
    free(first);
    sf_strbuf_release(&text);
    return presence;
}

static const struct {
    const char *programs;
    enum sf_check_presence (*find)(const struct sf_checks_project *project,
                                   const struct sf_shell_command *c);
} finders[] = {
    { " make gmake ", find_make },
    { " npm pnpm yarn bun ", find_script },
};

static bool names_program(const char *programs, const char *name)
{
    const size_t n = strlen(name);
    const char *at = n ? strstr(programs, name) : NULL;

    return at && at[-1] == ' ' && at[n] == ' ';
}

static enum sf_check_presence find_command(const struct sf_checks_project *project,
                                           const struct sf_shell_command *c)
{
    const char *name = c->words[0].text;
    enum sf_check_presence presence;

    for (size_t i = 0; i < c->count; i++)
        if (c->words[i].flags & SF_WORD_EXPANDS)
            return SF_CHECK_UNSURE;
    if (names_program(builtins, name))
        return SF_CHECK_THERE;
    if (strchr(name, '/'))
        return find_path(project, name);
    presence = find_program(project, name);
    for (size_t i = 0; i < SF_COUNT(finders); i++)
        if (names_program(finders[i].programs, name)) {
            const enum sf_check_presence inside = finders[i].find(project, c);

            return project->has_program ? worse(presence, inside) : inside;
        }
    return presence;
}

/* All commands of the text; what follows "cd" is elsewhere. */
static enum sf_check_presence find_all(const struct sf_checks_project *project,
                                       const struct sf_shell *shell)
{
    enum sf_check_presence presence = SF_CHECK_THERE;
    bool any = false;

    for (const struct sf_shell_command *c = shell->first; c; c = c->next) {
        if (c->kind != SF_SHELL_SIMPLE || !c->count)
            continue;
        if (!strcmp(c->words[0].text, "cd"))
            return worse(presence, SF_CHECK_UNSURE);
        presence = worse(presence, find_command(project, c));
        any = true;
    }
    return any ? presence : SF_CHECK_UNSURE;
}

enum sf_check_presence sf_checks_find(const struct sf_checks_project *project, const char *command)
{
    enum sf_check_presence presence = SF_CHECK_UNSURE;
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_shell shell;

    if (sf_shell_read(&shell, command, strlen(command), &arena))
        presence = find_all(project, &shell);
    sf_arena_release(&arena);
    return presence;
}
