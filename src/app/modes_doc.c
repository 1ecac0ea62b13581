/*
 * modes_doc.c: docs/MODES.md. Every table of the document is printed from the rows that the code
 * obeys; only the sentences between them are in this file.
 */
#include "app/cli.h"
#include "base/base.h"
#include "guard/guard.h"
#include "modes/modes.h"

/* Escapes pipes, which would end the cell of a table. */
static void add_escaped(struct sf_strbuf *out, const char *text)
{
    for (; *text; text++)
        sf_strbuf_addf(out, "%s%c", *text == '|' ? "\\" : "", *text);
}

static void add_axes(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "## The five axes\n\n| Axis | Question | Values | A new session |\n"
                        "|---|---|---|---|\n");
    for (int a = 0; a < SF_AXIS_COUNT; a++) {
        const struct sf_axis_info *axis = &sf_axes[a];

        sf_strbuf_addf(out, "| `%s` | %s | ", axis->json, axis->question);
        for (int v = 0; v < axis->count; v++)
            sf_strbuf_addf(out, "%s`%s`", v ? ", " : "", axis->names[v]);
        sf_strbuf_addf(out, " | `%s` |\n", axis->names[axis->fallback]);
    }
    sf_strbuf_adds(out, "\nThe surface follows the connection and cannot be set.\n\n"
                        "| Axis | Value | |\n|---|---|---|\n");
    for (int a = 0; a < SF_AXIS_SETTABLE; a++)
        for (int v = 0; v < sf_axes[a].count; v++)
            sf_strbuf_addf(out, "| %s | `%s` | %s |\n", v ? "" : sf_axes[a].noun,
                           sf_axes[a].names[v], sf_axes[a].helps[v]);
    sf_strbuf_adds(out, "\nNo axis implies another: an autonomous run under `restricted` is as "
                        "valid as a manual one under\n`unrestricted`. Settings choose other "
                        "defaults (`[defaults]`, see CONFIG.md).\n\n");
}

static void add_badge_row(struct sf_strbuf *out, const struct sf_badge_facts *facts)
{
    struct sf_strbuf cells[3] = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT };
    struct sf_badge badge;

    sf_badge_make(&badge, facts, SF_BADGE_FULL);
    sf_badge_text(&badge, &cells[0]);
    sf_badge_make(&badge, facts, SF_BADGE_COMPACT);
    sf_badge_text(&badge, &cells[1]);
    sf_badge_title(facts, "demo", &cells[2]);
    for (size_t i = 0; i < SF_COUNT(cells); i++) {
        sf_strbuf_adds(out, "| `");
        add_escaped(out, cells[i].buf);
        sf_strbuf_adds(out, "` ");
        sf_strbuf_release(&cells[i]);
    }
    sf_strbuf_adds(out, "|\n");
}

static void add_badge(struct sf_strbuf *out)
{
    static const char *const examples[] = { "build|autonomous|trusted|smart",
                                            "build:test|assisted|normal|smart",
                                            "repair|autonomous|normal|smart",
                                            "plan|manual|restricted|deep" };
    static const struct sf_scope_set scopes = { NULL, 0, true };

    sf_strbuf_adds(out,
                   "## The badge\n\n| Full | Compact, under 80 columns | Title |\n|---|---|---|\n");
    for (size_t i = 0; i < SF_COUNT(examples); i++) {
        struct sf_error ignored = SF_ERROR_INIT;
        struct sf_mode_state state;
        const struct sf_badge_facts facts = { .state = &state, .scopes = &scopes };

        sf_mode_state_init(&state, SF_SURFACE_TUI);
        if (!sf_mode_state_parse(&state, examples[i], &ignored))
            continue;
        if (!strchr(examples[i], ':'))
            sf_mode_state_set_scope(&state, sf_work_default_scope(&scopes, state.work));
        add_badge_row(out, &facts);
    }
    sf_strbuf_adds(
        out,
        "\nThe scope stands behind the work mode only where it differs from that "
        "mode's own. A change that\nwaits reads `build→repair`; a paused "
        "autonomous run reads `paused`, and `pausing` while\nsomething still runs. "
        "Review and repair keep their labels at any width. Where the approval mode\n"
        "is not `suggest` it stands behind the badge: `(approval: never)`, "
        "`(never)`, `(n)`. Autonomous\npulses while something runs: a request of yours, or the "
        "units of an accepted plan\n([WORK.md](WORK.md)).\n\n");
}

static void add_writable(struct sf_strbuf *out, const char *const *entries)
{
    if (!entries[0])
        sf_strbuf_adds(out, "nothing");
    for (size_t i = 0; entries[i]; i++)
        sf_strbuf_addf(out, "%s`%s`", i ? ", " : "", entries[i]);
}

static void add_scopes(struct sf_strbuf *out)
{
    static const char *const writes[] = { "nothing", "every write asks", "what the scope covers" };

    sf_strbuf_adds(out, "## Write scopes\n\nA scope narrows what a work mode may write. An entry "
                        "that ends in `/` is that directory's subtree,\none without is exactly "
                        "that file, `*` alone is everything. `[modes.NAME]` with `writable` and\n"
                        "`strategy` overrides one or adds another; an unknown scope is an error, "
                        "never everything.\n\n| Scope | Writable | Strategy |\n|---|---|---|\n");
    for (size_t i = 0; i < sf_scope_builtin_count; i++) {
        sf_strbuf_addf(out, "| `%s` | ", sf_scopes_builtin[i].name);
        add_writable(out, sf_scopes_builtin[i].writable);
        sf_strbuf_addf(out, " | %s |\n", sf_scopes_builtin[i].strategy);
    }
    sf_strbuf_adds(out, "\n| Work mode | Default scope | Scopes the model may switch to | "
                        "Besides | Writes |\n|---|---|---|---|---|\n");
    for (int w = 0; sf_work_mode_names[w]; w++) {
        const struct sf_work_info *info = &sf_work_modes[w];
        char *scopes = sf_work_scopes_text((enum sf_work_mode)w);

        sf_strbuf_addf(out, "| `%s` | ", sf_work_mode_names[w]);
        if (info->sources)
            sf_strbuf_addf(out, "%s; without src/ and lib/ ", info->sources);
        sf_strbuf_addf(out, "%s | %s | %s | %s |\n", info->scope, scopes,
                       info->extra ? info->extra : "–", writes[info->writes]);
        free(scopes);
    }
    sf_strbuf_adds(out, "\n");
}

static void add_presets(struct sf_strbuf *out)
{
    sf_strbuf_adds(out,
                   "## Presets\n\n`Tab` walks through them in the idle composer; `/mode` takes "
                   "their names and numbers.\n\n| Preset | Number | Sets |\n|---|---|---|\n");
    for (size_t i = 0; i < SF_PRESET_COUNT; i++) {
        const struct sf_preset *p = &sf_presets[i];

        sf_strbuf_addf(out, "| `%s` | %s | %s, %s, %s%s%s: %s |\n", p->name, p->number,
                       sf_work_mode_names[p->work], sf_run_control_names[p->control],
                       sf_profile_names[p->profile], p->scope ? ", scope " : "",
                       p->scope ? p->scope : "", p->help);
    }
    sf_strbuf_adds(out,
                   "\nEntering yolo in a workspace that is not trusted asks once; the old name "
                   "`normal` is read as `agent`.\n\n");
}

static void add_matrix(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "## The verdict\n\nEvery tool call of every surface is judged by one "
                        "function. Ten layers are asked in order; the\nfirst six decide alone when "
                        "they hit, from the seventh on deny beats ask beats allow.\n\n"
                        "| | Layer | What it does |\n|---|---|---|\n");
    for (int i = SF_GUARD_DENYLIST; i <= SF_GUARD_LAST; i++)
        sf_strbuf_addf(out, "| %d | `%s` | %s |\n", i, sf_guard_layers[i].name,
                       sf_guard_layers[i].help);
    sf_strbuf_adds(out, "\nLayer 8 is this table; with trust on, its last row reads deny, ask, "
                        "ask, allow. In a workspace\nthat is not trusted, a note for later "
                        "sessions asks under every profile.\n\n| Kind of action |");
    for (int p = 0; p < SF_PROFILE_COUNT; p++)
        sf_strbuf_addf(out, " %s |", sf_profile_names[p]);
    sf_strbuf_adds(out, "\n|---|---|---|---|---|\n");
    for (int row = 0; row < SF_ROW_COUNT; row++) {
        sf_strbuf_addf(out, "| %s |", sf_matrix[row].label);
        for (int p = 0; p < SF_PROFILE_COUNT; p++)
            sf_strbuf_addf(out, " %s |", sf_answer_names[sf_matrix[row].answers[p]]);
        sf_strbuf_addch(out, '\n');
    }
    sf_strbuf_adds(out, "\n");
}

/* Adds "a|b/" as `a`, `b/`. */
static void add_patterns(struct sf_strbuf *out, const char *patterns)
{
    while (patterns && *patterns) {
        size_t n = strcspn(patterns, "|");

        sf_strbuf_addf(out, "`%.*s`%s", (int)n, patterns, patterns[n] ? ", " : "");
        patterns += n + (patterns[n] == '|');
    }
}

static void add_protected(struct sf_strbuf *out)
{
    sf_strbuf_adds(out,
                   "### Protected paths\n\nWrites to these are denied under every profile; "
                   "reading what may hold secrets asks. A name ending in `/` covers all beneath "
                   "it.\n\n| Rule | What it covers | Names |\n|---|---|---|\n");
    for (size_t i = 0; i < sf_path_rule_count; i++) {
        const struct sf_path_rule *rule = &sf_path_rules[i];

        if (rule->kind == SF_KIND_HINT)
            continue;
        sf_strbuf_addf(out, "| `%s` | %s | ", rule->name, rule->what);
        add_patterns(out, rule->patterns);
        sf_strbuf_adds(out, " |\n");
    }
    sf_strbuf_adds(out, "\n");
}

static void add_commands(struct sf_strbuf *out)
{
    sf_strbuf_adds(out,
                   "## Commands\n\nThe same words work in every surface, and behind `sf mode` "
                   "in a shell. There is no `/sf`.\n\n| Command | What it does |\n|---|---|\n");
    for (size_t i = 0; i < sf_mode_command_count; i++) {
        const struct sf_mode_command_row *row = &sf_mode_commands[i];

        sf_strbuf_addf(out, "| `/%s%s", row->name, *row->args ? " " : "");
        add_escaped(out, row->args);
        sf_strbuf_addf(out, "` | %s |\n", row->help);
    }
    sf_strbuf_adds(out, "\n| When a change takes effect | |\n|---|---|\n"
                        "| `now` | at once if no tool runs; a running tool is aborted where it "
                        "allows it, else awaited |\n"
                        "| `after-current-tool` | when the running tool ends; the default during a "
                        "turn |\n"
                        "| `after-current-unit` | when the running unit ends |\n"
                        "| `next-milestone` | when the running milestone ends |\n"
                        "| `for-next-unit` | for one unit, then back |\n\n");
}

static const char examples_text[] =
    "## Worked examples\n\n"
    "Which rule refuses this, and what would change it?\n\n"
    "    $ sf guard explain --axes 'build|assisted|normal|smart' --tool Edit --path tests/a.c\n"
    "    deny  Edit tests/a.c\n"
    "    layer    3 of 10, path-guard\n"
    "    rule     scope\n"
    "    why      Path 'tests/a.c' is not writable in scope implement (writable: src/, lib/). "
    "Call ChangeToolMode to switch.\n"
    "    …\n"
    "    change   /scope test allows this\n\n"
    "What would a whole list of commands be, and what would happen to them?\n\n"
    "    $ printf 'git status\\nmake test\\nrm -rf build\\n' | sf guard classify --axes "
    "'build|assisted|trusted|smart'\n"
    "    readonly\tallow\tcommand-read\n"
    "    build-test\tallow\tbuild\n"
    "    destructive\task\tdelete\n\n"
    "Change the axes of a session from a script, and see that it was written down:\n\n"
    "    $ sf mode 'build --assisted --permission-profile trusted'\n"
    "    $ sf log --sql 'select number, outcome, reason, actor from mode_transitions'\n";

void sf_modes_doc_add(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "# Modes and verdicts\n\n<!-- made by `./dev docs` from the tables in "
                        "src/modes and src/guard; edit them there -->\n\n");
    add_axes(out);
    add_badge(out);
    add_scopes(out);
    add_presets(out);
    add_matrix(out);
    add_protected(out);
    add_commands(out);
    sf_strbuf_adds(out, examples_text);
}
