/*
 * line.c: a line of the user's. A slash begins a command, an exclamation mark a shell command, one
 * or two number signs a note; everything else is a prompt for the model.
 */
#include <string.h>

#include "port/internal.h"

void sf_port_tell_sent(struct sf_port *p, const struct sf_sent *sent)
{
    if (sent->as != SF_SENT_SHELL)
        p->turn_ms = sf_session_busy(p->session) ? sf_clock_monotonic_ms() : 0;
    if (p->setup.surface.sent)
        p->setup.surface.sent(p->setup.surface.ctx, sent);
}

/* ---- words ---- */

void sf_port_send(struct sf_port *p, const char *text, size_t len)
{
    struct sf_sent sent = { .as = SF_SENT_TURN, .text = text, .len = len };
    bool steers = sf_session_busy(p->session);
    struct sf_error err = SF_ERROR_INIT;

    /* During a restore or a summary no turn can begin, so the prompt is queued. */
    if (sf_queue_hold(p, text) || (sf_session_sums_up(p->session) && sf_port_queue_add(p, text)))
        return;
    if (!steers)
        sf_port_tell_sent(p, &sent);
    sent.failed = !sf_session_send(p->session, text, len, &err);
    sent.over = true;
    if (!steers)
        sf_port_tell_sent(p, &sent);
    if (sent.failed)
        sf_port_fail(p, &err);
    sf_port_changed(p);
}

bool sf_port_attach(struct sf_port *p, const char *file, struct sf_error *err)
{
    char *media = NULL, *data = NULL;

    if (!sf_image_read(file, &media, &data, err))
        return false;
    if (p->session) {
        sf_session_attach(p->session, media, data);
    } else {
        struct sf_block *picture = sf_message_add(&p->pictures, SF_BLOCK_IMAGE);

        picture->media = media;
        picture->data = data;
    }
    return true;
}

/* ---- shell and notes ---- */

static void run_shell(struct sf_port *p, const char *line)
{
    const char *command = line + 1;
    struct sf_sent sent = { .as = SF_SENT_SHELL, .text = command, .len = strlen(command) };
    struct sf_error err = SF_ERROR_INIT;

    if (sf_queue_hold(p, line))
        return;
    sf_port_tell_sent(p, &sent);
    sent.failed = !sf_session_shell(p->session, command + strspn(command, " "), &err);
    sent.over = true;
    sf_port_tell_sent(p, &sent);
    if (sent.failed)
        sf_port_fail(p, &err);
}

/* "#NOTE" is the project's, "##NOTE" the user's own. */
static void keep_note(struct sf_port *p, const char *note)
{
    enum sf_memory which = *note == '#' ? SF_MEMORY_USER : SF_MEMORY_PROJECT;
    struct sf_error err = SF_ERROR_INIT;

    note += strspn(note, "# ");
    if (sf_session_remember(p->session, which, note, &err))
        sf_port_note(p, false, "noted for later sessions of %s", sf_memories[which].whose);
    else
        sf_port_fail(p, &err);
}

/* ---- custom commands ---- */

const struct sf_custom_files *sf_port_customs(struct sf_port *p)
{
    size_t before = p->customs.notes.count;

    sf_custom_files_read(&p->customs, p->setup.session.workspace->root, sf_port_command_is_own);
    if (p->customs.notes.count > before)
        sf_port_note(p, false, "some commands from files are not offered: /commands says why");
    return &p->customs;
}

bool sf_port_custom(struct sf_port *p, const char *line)
{
    struct sf_sent sent = { .as = SF_SENT_CUSTOM, .text = line, .len = strlen(line) };
    struct sf_error err = SF_ERROR_INIT;

    if (sf_port_restoring(p) && sf_custom_files_find(sf_port_customs(p), line) &&
        sf_queue_hold(p, line))
        return true;
    sf_port_tell_sent(p, &sent);
    sent.failed = !sf_session_custom(p->session, line, sf_port_command_is_own, &err);
    sent.over = true;
    sf_port_tell_sent(p, &sent);
    sf_port_changed(p);
    if (!sent.failed)
        return true;
    if (err.code == SF_E_NOENT)
        return false;
    sf_port_fail(p, &err);
    return true;
}

/* ---- kinds of lines ---- */

/* Only a custom command may have several lines. */
bool sf_port_is_command(struct sf_port *p, const char *text)
{
    if (text[0] != '/' || text[1] == '/')
        return false;
    return !strchr(text, '\n') || sf_custom_files_find(sf_port_customs(p), text);
}

static bool is_shell(const char *text)
{
    return text[0] == '!' && text[1];
}

/* Three or more marks (a Markdown heading) or marks without text are a prompt. */
static bool is_note(const char *text)
{
    size_t marks = strspn(text, "#");

    return (marks == 1 || marks == 2) && text[marks + strspn(text + marks, " ")];
}

bool sf_port_is_words(struct sf_port *p, const char *text)
{
    return !sf_port_is_command(p, text) && !is_shell(text) && !is_note(text);
}

void sf_port_line(struct sf_port *p, const char *text)
{
    if (sf_port_is_command(p, text)) {
        sf_port_checkout_changed(p); /* The answer may name it. */
        sf_port_command(p, text);
    } else if (is_shell(text)) {
        run_shell(p, text);
    } else if (is_note(text)) {
        keep_note(p, text + 1);
    } else {
        sf_port_send(p, text, strlen(text));
    }
}
