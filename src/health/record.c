/*
 * record.c: the files of repairs. A record is read back with the same suspicion as any file: every
 * field is checked, and numbers come from the names of directories.
 */
#include "health/record.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "health/internal.h"

enum { RECORD_BYTES = 4 * 1024 * 1024, LOCK_MS = 5000, ACTS_MAX = 1000, NUMBER_DIGITS = 9 };

const char *const sf_health_mended_names[] = { "begun", "done", "undone", NULL };

static char *top_of(const char *state_dir)
{
    return sf_path_join(state_dir, "doctor");
}

bool sf_health_record_lock(const char *state_dir, struct sf_lock *lock, struct sf_error *err)
{
    char *top = top_of(state_dir), *path = sf_path_join(top, "lock");
    bool ok = sf_dir_make(top, 0700, err) && sf_lock_take(path, LOCK_MS, lock, err);

    free(top);
    free(path);
    return ok;
}

char *sf_health_record_dir(const char *state_dir, int64_t number)
{
    char *top = top_of(state_dir), *dir, name[24];

    snprintf(name, sizeof(name), "%" PRId64, number);
    dir = sf_path_join(top, name);
    free(top);
    return dir;
}

/* "12" is 12; 0: not a number of ours. */
static int64_t number_of(const char *name)
{
    size_t len = strlen(name);

    if (!len || len > NUMBER_DIGITS || *name == '0' || strspn(name, "0123456789") != len)
        return 0;
    return strtoll(name, NULL, 10);
}

int64_t sf_health_record_last(const char *state_dir)
{
    char *top = top_of(state_dir);
    DIR *dir = opendir(top);
    const struct dirent *entry;
    int64_t last = 0;

    while (dir && (entry = readdir(dir))) {
        int64_t number = number_of(entry->d_name);

        last = number > last ? number : last;
    }
    if (dir)
        closedir(dir);
    free(top);
    return last;
}

bool sf_health_record_new(const char *state_dir, int64_t *number, struct sf_error *err)
{
    char *dir;
    bool ok;

    *number = sf_health_record_last(state_dir) + 1;
    dir = sf_health_record_dir(state_dir, *number);
    ok = sf_dir_make(dir, 0700, err);
    free(dir);
    return ok;
}

/* ---- writing ---- */

static void add_value(struct sf_json_writer *w, const char *key, const char *value)
{
    sf_jw_key(w, key);
    if (value)
        sf_jw_str(w, value);
    else
        sf_jw_null(w);
}

static void add_acts(struct sf_json_writer *w, const struct sf_health_result *about)
{
    sf_jw_key(w, "acts");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < about->act_count; i++) {
        sf_jw_object_begin(w);
        sf_jw_key_str(w, "act", sf_health_act_names[about->acts[i].kind]);
        sf_jw_key_str(w, "subject", about->acts[i].subject);
        add_value(w, "was", about->acts[i].was);
        add_value(w, "now", about->acts[i].now);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

void sf_health_record_add(const struct sf_health_record *record, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "number", record->number);
    sf_jw_key_int(&w, "time_ms", record->time_ms);
    sf_jw_key_str(&w, "state", sf_health_mended_names[record->state]);
    sf_jw_key_str(&w, "check", record->name);
    sf_jw_key_str(&w, "text", record->about.text);
    add_acts(&w, &record->about);
    sf_jw_object_end(&w);
}

bool sf_health_record_write(const char *state_dir, const struct sf_health_record *record,
                            struct sf_error *err)
{
    char *dir = sf_health_record_dir(state_dir, record->number);
    char *path = sf_path_join(dir, "record.json");
    struct sf_strbuf json = SF_STRBUF_INIT;
    bool ok;

    sf_health_record_add(record, &json);
    sf_strbuf_addch(&json, '\n');
    ok = sf_file_write_atomic(path, json.buf, json.len, 0600, err);
    sf_strbuf_release(&json);
    free(path);
    free(dir);
    return ok;
}

/* ---- reading ---- */

static bool find_name(const char *const *names, const char *name, int *out, struct sf_error *err)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name)) {
            *out = i;
            return true;
        }
    return sf_fail(err, SF_E_DAMAGED, "%s is not a word of a record", name);
}

/* A member that is text or null; NULL is the latter. */
static bool read_value(const struct sf_json *it, const char *key, char **out, struct sf_error *err)
{
    const struct sf_json *value = sf_json_get(it, key);
    const char *text;

    *out = NULL;
    if (!value || sf_json_type(value) == SF_JSON_NULL)
        return true;
    if (!sf_json_as_str(value, key, &text, err))
        return false;
    *out = sf_strdup(text);
    return true;
}

static bool read_act(const struct sf_json *it, struct sf_health_result *about, struct sf_error *err)
{
    struct sf_health_act act = { 0 };
    const char *name, *subject;
    int kind = 0;

    if (!sf_json_get_str(it, "act", &name, err) ||
        !find_name(sf_health_act_names, name, &kind, err) ||
        !sf_json_get_str(it, "subject", &subject, err) || !read_value(it, "was", &act.was, err) ||
        !read_value(it, "now", &act.now, err)) {
        free(act.was);
        return false;
    }
    act.kind = (enum sf_health_act_kind)kind;
    act.subject = sf_strdup(subject);
    about->acts = sf_grow(about->acts, &about->act_cap, about->act_count + 1, sizeof(act));
    about->acts[about->act_count++] = act;
    return true;
}

static bool read_record(const struct sf_json *json, struct sf_health_record *out,
                        struct sf_error *err)
{
    const struct sf_json *acts;
    const char *state, *name, *text;
    int at = 0;

    if (!sf_json_get_int(json, "time_ms", &out->time_ms, err) ||
        !sf_json_get_str(json, "state", &state, err) ||
        !find_name(sf_health_mended_names, state, &at, err) ||
        !sf_json_get_str(json, "check", &name, err) || !sf_json_get_str(json, "text", &text, err) ||
        !sf_json_get_array(json, "acts", &acts, err))
        return false;
    out->state = (enum sf_health_mended)at;
    out->name = sf_strdup(name);
    out->about.text = sf_strdup(text);
    for (const struct sf_json *it = sf_json_first(acts); it; it = sf_json_next(it))
        if (out->about.act_count >= ACTS_MAX || !read_act(it, &out->about, err))
            return false;
    return true;
}

bool sf_health_record_read(const char *state_dir, int64_t number, struct sf_health_record *out,
                           struct sf_error *err)
{
    char *dir = sf_health_record_dir(state_dir, number), *path = sf_path_join(dir, "record.json");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_json *json = NULL;
    bool ok = sf_file_read(path, RECORD_BYTES, &text, err) &&
              (json = sf_json_parse(text.buf, text.len, NULL, err)) != NULL;

    *out = (struct sf_health_record){ .number = number };
    ok = ok && read_record(json, out, err);
    if (!ok)
        sf_error_prefix(err, "%s: ", path);
    out->about.name = out->name;
    out->about.group = "";
    sf_json_free(json);
    sf_strbuf_release(&text);
    free(path);
    free(dir);
    return ok;
}
