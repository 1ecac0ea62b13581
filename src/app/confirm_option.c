/*
 * confirm_option.c: --confirm and guard.confirm. The row of a decision tells who confirmed it and
 * when: with the command line that is now, with a settings file when the file was last changed.
 */
#include "app/confirm_option.h"

#include <sys/stat.h>

#include "base/base.h"
#include "io/io.h"

static char *who_by_file(const char *file)
{
    struct sf_strbuf who = SF_STRBUF_INIT;
    char time[SF_TIME_MAX];
    struct stat st;

    sf_strbuf_addf(&who, "user, with guard.confirm in %s", file);
    if (stat(file, &st) == 0) {
        sf_time_format_utc(time, (int64_t)st.st_mtim.tv_sec * 1000);
        sf_strbuf_addf(&who, " as of %s", time);
    }
    return sf_strbuf_detach(&who);
}

static char *who_by_option(const char *value)
{
    struct sf_strbuf who = SF_STRBUF_INIT;
    char time[SF_TIME_MAX];

    sf_time_format_utc(time, sf_clock_wall_ms());
    sf_strbuf_addf(&who, "user, with --confirm %s at %s", value, time);
    return sf_strbuf_detach(&who);
}

/* A variable may come from a repository's own environment file, so none confirms anything. */
bool sf_confirm_option_read(struct sf_confirmation *out, struct sf_config *config,
                            struct sf_error *err)
{
    const struct sf_config_value *v = sf_config_find(config, "guard.confirm");
    bool typed = v && v->origin.layer == SF_LAYER_COMMAND_LINE;

    if (!v || !v->text)
        return true;
    if (v->origin.layer == SF_LAYER_ENVIRONMENT) {
        sf_fail(err, SF_E_ARG, "guard.confirm is not taken from the environment");
        return sf_hint(err, "give --confirm, or set it in your own settings file");
    }
    if (!sf_confirmation_read(out, v->text, err)) {
        sf_error_prefix(err, "%s: ", typed ? "--confirm" : "guard.confirm");
        return false;
    }
    out->who = typed ? who_by_option(v->text) : who_by_file(v->origin.name);
    return true;
}
