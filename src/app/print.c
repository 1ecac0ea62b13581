/*
 * print.c: text on its way to the terminal. All text passes sf_text_sanitize(), so that no file
 * name, setting or event can move the cursor or write the clipboard.
 */
#include <errno.h>

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"

static int failed_with; /* The errno of the first write to standard output that failed; or 0. */

void sf_flush(void)
{
    if (fflush(stdout) != 0 && !failed_with)
        failed_with = errno;
}

bool sf_printed(struct sf_error *err)
{
    sf_flush();
    if (!ferror(stdout))
        return true;
    if (failed_with)
        errno = failed_with;
    return sf_fail_errno(err, "cannot write the output");
}

void sf_print(const struct sf_strbuf *text)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text->buf, text->len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    fwrite(safe.buf, 1, safe.len, stdout);
    sf_strbuf_release(&safe);
}

/* Prints "sf: LABEL: text" and the hint on a line of its own; both go to the log file, too. */
static void complain(enum sf_log_level level, const char *label, const char *text, const char *hint)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_log(level, "%s", text);
    sf_text_sanitize(&safe, text, strlen(text), SF_TEXT_ONE_LINE);
    fprintf(stderr, "sf: %s%s\n", label, safe.buf);
    if (*hint) {
        sf_strbuf_reset(&safe);
        sf_text_sanitize(&safe, hint, strlen(hint), SF_TEXT_ONE_LINE);
        fprintf(stderr, "    %s\n", safe.buf);
    }
    sf_strbuf_release(&safe);
}

void sf_print_warning(const char *text, const char *hint)
{
    complain(SF_LOG_WARN, "warning: ", text, hint);
}

int sf_print_error(const struct sf_error *err, enum sf_exit code)
{
    complain(SF_LOG_ERROR, "", err->msg, err->hint);
    return (int)code;
}

/* A name that does not exist is a wrong argument. */
int sf_print_failure(const struct sf_error *err)
{
    enum sf_exit code = SF_EXIT_FAILED;

    if (err->code == SF_E_ARG || err->code == SF_E_NOENT || err->code == SF_E_EXIST)
        code = SF_EXIT_USAGE;
    else if (err->code == SF_E_DENIED)
        code = SF_EXIT_DENIED;
    else if (err->code == SF_E_TIMEOUT)
        code = SF_EXIT_TIMEOUT;
    return sf_print_error(err, code);
}

/* Adds "FILE:LINE:COLUMN: text (project)": the place comes first, as with compilers. */
static void add_note(struct sf_strbuf *out, const struct sf_config_note *note)
{
    const struct sf_origin *o = &note->origin;

    if (o->line)
        sf_strbuf_addf(out, "%s:%u:%u: ", o->name, o->line, o->column);
    else if (*o->name)
        sf_strbuf_addf(out, "%s: ", o->name);
    sf_strbuf_addf(out, "%s (%s settings)", note->text, sf_layer_name(o->layer));
}

bool sf_print_notes(const struct sf_config *config)
{
    size_t count;
    const struct sf_config_note *notes = sf_config_notes(config, &count);
    bool errors = false;

    for (size_t i = 0; i < count; i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;

        add_note(&text, &notes[i]);
        complain(notes[i].error ? SF_LOG_ERROR : SF_LOG_WARN,
                 notes[i].error ? "error: " : "warning: ", text.buf, notes[i].hint);
        errors = errors || notes[i].error;
        sf_strbuf_release(&text);
    }
    return errors;
}
