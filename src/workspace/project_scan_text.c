/*
 * project_scan_text.c: writes a scan as the two files of `sf init`. Empty sections are left out: an
 * empty heading would tell a model that there is nothing.
 */
#include <string.h>

#include "workspace/project_scan.h"

static void add_languages(const struct sf_project_scan *s, struct sf_strbuf *out)
{
    for (size_t i = 0; i < s->languages.count; i++)
        sf_strbuf_addf(out, "%s%s", i ? ", " : "\nWritten in ", s->languages.items[i]);
    if (s->languages.count)
        sf_strbuf_adds(out, ".\n");
}

static void add_commands(const struct sf_project_scan *s, struct sf_strbuf *out)
{
    if (s->commands.count)
        sf_strbuf_adds(out, "\n## Commands\n\n");
    for (size_t i = 0; i < s->commands.count; i++) {
        const char *line = s->commands.items[i], *command = strchr(line, '\t') + 1;

        sf_strbuf_addf(out, "- %.*s: `%s`\n", (int)(command - line - 1), line, command);
    }
}

static void add_layout(const struct sf_project_scan *s, struct sf_strbuf *out)
{
    if (s->layout.count)
        sf_strbuf_adds(out, "\n## Layout\n\n");
    for (size_t i = 0; i < s->layout.count; i++) {
        const char *line = s->layout.items[i], *what = strchr(line, '\t') + 1;

        sf_strbuf_addf(out, "- `%.*s`%s%s\n", (int)(what - line - 1), line, *what ? ": " : "",
                       what);
    }
}

static void add_style(const struct sf_project_scan *s, struct sf_strbuf *out)
{
    if (!s->style.count)
        return;
    sf_strbuf_adds(out, "\n## Style\n\nThe code follows");
    for (size_t i = 0; i < s->style.count; i++)
        sf_strbuf_addf(out, "%s `%s`", i ? "," : "", s->style.items[i]);
    sf_strbuf_adds(out, ".\n");
}

void sf_project_scan_agents(const struct sf_project_scan *s, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "# %s\n", s->name);
    if (s->about)
        sf_strbuf_addf(out, "\n%s\n", s->about);
    add_languages(s, out);
    add_commands(s, out);
    add_layout(s, out);
    add_style(s, out);
}

void sf_project_scan_config(const struct sf_project_scan *s, struct sf_strbuf *out)
{
    const struct {
        const char *name;
        const struct sf_strlist *entries;
    } scopes[] = { { "implement", &s->sources }, { "test", &s->tests }, { "docs", &s->docs } };

    for (size_t i = 0; i < SF_COUNT(scopes); i++) {
        if (!scopes[i].entries->count)
            continue;
        if (!out->len)
            sf_strbuf_adds(out, "# Settings of this project for sf: what each scope may write. "
                                "They hold in full\n# where the workspace is trusted: sf trust "
                                "add\n");
        sf_strbuf_addf(out, "\n[modes.%s]\nwritable = [", scopes[i].name);
        for (size_t k = 0; k < scopes[i].entries->count; k++) {
            sf_strbuf_adds(out, k ? ", " : "");
            sf_toml_add_string(out, scopes[i].entries->items[k],
                               strlen(scopes[i].entries->items[k]));
        }
        sf_strbuf_adds(out, "]\n");
    }
}
