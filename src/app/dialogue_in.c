/*
 * dialogue_in.c: reads standard input as it comes. The descriptor stays as it is, since it may share
 * its flags with standard output: one read follows each report that there is something to read.
 */
#include "app/dialogue_in.h"

#include <errno.h>
#include <unistd.h>

#include "app/app.h"

bool sf_dialogue_in_wanted(const struct sf_invocation *inv, bool *wanted, struct sf_error *err)
{
    const char *in = sf_cli_get(inv, "input-format"), *out = sf_cli_get(inv, "output-format");

    *wanted = in && !strcmp(in, "stream-json");
    if (!*wanted || !out || !strcmp(out, "stream-json"))
        return true;
    sf_fail(err, SF_E_ARG, "--input-format stream-json does not go with --output-format %s", out);
    return sf_hint(err, "leave --output-format out: a conversation is printed as stream-json");
}

static void stop_watching(struct sf_dialogue_in *in)
{
    sf_loop_remove(in->loop, in->watch);
    in->watch = 0;
}

static void on_input(void *ctx, int fd, unsigned events)
{
    struct sf_dialogue_in *in = ctx;
    char buf[65536];
    ssize_t n = read(fd, buf, sizeof(buf));

    (void)events;
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n < 0)
        sf_print_warning("cannot read standard input, so it counts as ended", strerror(errno));
    if (n > 0)
        sf_dialogue_feed(in->dialogue, buf, (size_t)n);
    else
        sf_dialogue_end(in->dialogue);
    if (sf_dialogue_ended(in->dialogue))
        stop_watching(in);
}

void sf_dialogue_in_init(struct sf_dialogue_in *in, struct sf_loop *loop,
                         struct sf_dialogue *dialogue)
{
    *in = (struct sf_dialogue_in){ .loop = loop, .dialogue = dialogue };
    in->watch = sf_loop_watch_fd(loop, STDIN_FILENO, SF_FD_READ, on_input, in);
}

void sf_dialogue_in_release(struct sf_dialogue_in *in)
{
    if (in->dialogue)
        stop_watching(in);
    sf_dialogue_free(in->dialogue);
    in->dialogue = NULL;
}

bool sf_dialogue_in_turn(struct sf_dialogue_in *in)
{
    if (sf_dialogue_ended(in->dialogue))
        stop_watching(in);
    sf_dialogue_advance(in->dialogue);
    if (sf_dialogue_is_over(in->dialogue))
        return false;
    sf_loop_turn(in->loop, -1);
    return true;
}
