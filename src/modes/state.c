/*
 * state.c: the mode record, its JSON and its short spelling.
 */
#include "modes/state.h"

#include <assert.h>
#include <string.h>

#include "modes/names.h"

void sf_mode_state_init(struct sf_mode_state *state, enum sf_surface surface)
{
    *state = (struct sf_mode_state){ .surface = surface };
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
        sf_mode_state_set(state, (enum sf_axis)axis, sf_axes[axis].fallback);
    sf_mode_state_set_scope(state, "free");
}

void sf_mode_state_words(const struct sf_mode_state *state, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%s | %s | %s | %s", sf_work_mode_names[state->work],
                   sf_run_control_names[state->control], sf_profile_names[state->profile],
                   sf_model_mode_names[state->model]);
}

int sf_mode_state_get(const struct sf_mode_state *state, enum sf_axis axis)
{
    switch (axis) {
    case SF_AXIS_WORK:
        return (int)state->work;
    case SF_AXIS_CONTROL:
        return (int)state->control;
    case SF_AXIS_PROFILE:
        return (int)state->profile;
    case SF_AXIS_MODEL:
        return (int)state->model;
    case SF_AXIS_SURFACE:
        return (int)state->surface;
    }
    return 0;
}

void sf_mode_state_set(struct sf_mode_state *state, enum sf_axis axis, int value)
{
    assert(sf_axis_has(axis, value));
    switch (axis) {
    case SF_AXIS_WORK:
        state->work = (enum sf_work_mode)value;
        break;
    case SF_AXIS_CONTROL:
        state->control = (enum sf_run_control)value;
        break;
    case SF_AXIS_PROFILE:
        state->profile = (enum sf_profile)value;
        break;
    case SF_AXIS_MODEL:
        state->model = (enum sf_model_mode)value;
        break;
    case SF_AXIS_SURFACE:
        state->surface = (enum sf_surface)value;
        break;
    }
}

void sf_mode_state_set_scope(struct sf_mode_state *state, const char *name)
{
    assert(sf_scope_name_ok(name));
    snprintf(state->scope, sizeof(state->scope), "%s", name);
}

void sf_mode_state_json(const struct sf_mode_state *state, struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++)
        sf_jw_key_str(
            w, sf_axes[axis].json,
            sf_axis_name((enum sf_axis)axis, sf_mode_state_get(state, (enum sf_axis)axis)));
    sf_jw_key_str(w, "scope", state->scope);
    sf_jw_key_bool(w, "paused", state->paused);
    sf_jw_key_bool(w, "trust", state->trust);
    sf_jw_key_int(w, "version", state->version);
    sf_jw_object_end(w);
}

static bool known_key(const char *key)
{
    static const char *const others[] = { "scope", "paused", "trust", "version", NULL };

    for (int axis = 0; axis < SF_AXIS_COUNT; axis++)
        if (!strcmp(sf_axes[axis].json, key))
            return true;
    return sf_names_find(others, key) >= 0;
}

static bool only_known_keys(const struct sf_json *json, struct sf_error *err)
{
    char quote[SF_QUOTE_MAX];

    if (sf_json_type(json) != SF_JSON_OBJECT)
        return sf_fail(err, SF_E_SYNTAX, "a mode state must be an object, not %s",
                       sf_json_type_name(sf_json_type(json)));
    for (const struct sf_json *it = sf_json_first(json); it; it = sf_json_next(it)) {
        const char *key = sf_json_key(it);

        if (!known_key(key))
            return sf_fail(err, SF_E_SYNTAX, "a mode state has no member \"%s\"",
                           sf_quote(quote, key, strlen(key)));
    }
    return true;
}

static bool read_axes(struct sf_mode_state *state, const struct sf_json *json, struct sf_error *err)
{
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++) {
        const char *word;
        int value;

        if (!sf_json_get_str(json, sf_axes[axis].json, &word, err) ||
            !sf_axis_parse((enum sf_axis)axis, word, &value, err))
            return false;
        sf_mode_state_set(state, (enum sf_axis)axis, value);
    }
    return true;
}

static bool read_scope(struct sf_mode_state *state, const char *name, struct sf_error *err)
{
    char quote[SF_QUOTE_MAX];

    if (!sf_scope_name_ok(name))
        return sf_fail(err, SF_E_ARG, "\"%s\" cannot be the name of a scope",
                       sf_quote(quote, name, strlen(name)));
    sf_mode_state_set_scope(state, name);
    return true;
}

bool sf_mode_state_from_json(struct sf_mode_state *state, const struct sf_json *json,
                             struct sf_error *err)
{
    struct sf_mode_state read;
    const char *scope;

    sf_mode_state_init(&read, SF_SURFACE_TUI);
    if (!only_known_keys(json, err) || !read_axes(&read, json, err) ||
        !sf_json_get_str(json, "scope", &scope, err) || !read_scope(&read, scope, err) ||
        !sf_json_get_bool(json, "paused", &read.paused, err) ||
        !sf_json_get_bool(json, "trust", &read.trust, err) ||
        !sf_json_get_int(json, "version", &read.version, err))
        return false;
    if (read.version < 0)
        return sf_fail(err, SF_E_SYNTAX, "a mode state's version cannot be negative");
    if (read.paused && read.control != SF_RUN_AUTONOMOUS)
        return sf_fail(err, SF_E_SYNTAX, "only an autonomous run can be paused");
    *state = read;
    return true;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes the next word up to "|", without surrounding spaces; false if it is too long. */
static bool take_word(const char **text, char *word, size_t size)
{
    const char *start = *text + strspn(*text, " \t");
    const char *end = start + strcspn(start, "|");

    *text = *end ? end + 1 : end;
    while (end > start && blank(end[-1]))
        end--;
    if ((size_t)(end - start) >= size)
        return false;
    memcpy(word, start, (size_t)(end - start));
    word[end - start] = '\0';
    return true;
}

static bool read_word(struct sf_mode_state *state, enum sf_axis axis, char *word,
                      struct sf_error *err)
{
    char *colon = axis == SF_AXIS_WORK ? strchr(word, ':') : NULL;
    int value;

    if (colon) {
        *colon = '\0';
        if (!read_scope(state, colon + 1, err))
            return false;
    }
    if (axis == SF_AXIS_CONTROL)
        state->paused = !strcmp(word, "paused");
    if (!sf_axis_parse(axis, axis == SF_AXIS_CONTROL && state->paused ? "autonomous" : word, &value,
                       err))
        return false;
    sf_mode_state_set(state, axis, value);
    return true;
}

bool sf_mode_state_parse(struct sf_mode_state *state, const char *text, struct sf_error *err)
{
    static const char shape[] = "write it as build|assisted|normal|smart";
    struct sf_mode_state read = *state;
    char word[SF_SCOPE_NAME_MAX + 32];

    text += strspn(text, " \t");
    if (!strncmp(text, "SF ", 3))
        text += 3;
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        if (!*text) {
            sf_fail(err, SF_E_ARG, "the %s is missing", sf_axes[axis].noun);
            return sf_hint(err, "%s", shape);
        }
        if (!take_word(&text, word, sizeof(word))) {
            sf_fail(err, SF_E_ARG, "the %s is too long", sf_axes[axis].noun);
            return sf_hint(err, "%s", shape);
        }
        if (!read_word(&read, (enum sf_axis)axis, word, err))
            return false;
    }
    if (*text || text[-1] == '|') {
        sf_fail(err, SF_E_ARG, "there are only four axes to set");
        return sf_hint(err, "%s", shape);
    }
    *state = read;
    return true;
}

bool sf_mode_state_drives(const struct sf_mode_state *state)
{
    return state->control == SF_RUN_AUTONOMOUS && !state->paused;
}

bool sf_mode_state_steps(const struct sf_mode_state *state)
{
    return state->control == SF_RUN_ASSISTED;
}
