/*
 * commands_session.c: commands about sessions: another one, its title, a copy for others.
 */
#include <string.h>

#include "port/internal.h"

void sf_command_new(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)args;
    if (!sf_port_enter(p, NULL, &err))
        sf_port_fail(p, &err);
}

void sf_command_rename(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*args)
        sf_port_note(p, true, "/rename TITLE");
    else if (sf_title_set(p->setup.session.store, sf_session_id(p->session), args, &err))
        sf_port_note(p, false, "the session is called %.*s",
                     (int)sf_text_fit(args, strlen(args), SF_TITLE_COLUMNS, NULL), args);
    else
        sf_port_fail(p, &err);
}
