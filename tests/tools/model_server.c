/*
 * model-server: the model service of the tests as a program. Prints its address, serves until
 * SIGINT or SIGTERM, then says what it did not like; the exit code is 1 if there was anything.
 */
#include "support/model_server.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { VARS_MAX = 32 };

struct arguments {
    struct model_server_options options;
    const char *vars[VARS_MAX + 1];
    size_t var_count;
};

static int usage(FILE *to, int code)
{
    fputs("usage: model-server [OPTION…] SCENARIO\n\n"
          "  --port N          listen on 127.0.0.1:N (any free port by default)\n"
          "  --record DIR      write DIR/request-N.json, request-N.headers and times.tsv\n"
          "  --var NAME=VALUE  what ${NAME} stands for in the scenario\n\n"
          "The scenario's format is told in tests/scenarios/README.md.\n",
          to);
    return code;
}

static bool read_port(const char *text, uint16_t *port)
{
    char *end;
    unsigned long n;

    errno = 0;
    n = strtoul(text, &end, 10);
    *port = (uint16_t)n;
    return !errno && *text && !*end && n <= UINT16_MAX;
}

static bool read_arguments(struct arguments *a, int argc, char **argv)
{
    static const struct option options[] = {
        { "port", required_argument, NULL, 'p' },
        { "record", required_argument, NULL, 'r' },
        { "var", required_argument, NULL, 'v' },
        { NULL, 0, NULL, 0 },
    };
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'p' && read_port(optarg, &a->options.port))
            continue;
        else if (option == 'r')
            a->options.record_dir = optarg;
        else if (option == 'v' && strchr(optarg, '=') && a->var_count < VARS_MAX)
            a->vars[a->var_count++] = optarg;
        else
            return false;
    }
    a->options.vars = a->vars;
    a->options.scenario_file = argv[optind];
    return optind + 1 == argc;
}

static void on_signal(void *ctx, int signo)
{
    (void)signo;
    sf_loop_stop(ctx);
}

static int report(struct model_server *server)
{
    const char *text;
    size_t i;

    for (i = 0; (text = model_server_complaint(server, i)); i++)
        fprintf(stderr, "model-server: %s\n", text);
    return i > 0;
}

int main(int argc, char **argv)
{
    struct arguments a = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    struct model_server *server = NULL;
    struct sf_loop *loop = NULL;
    int code = 2;

    if (!read_arguments(&a, argc, argv))
        return usage(stderr, 2);
    loop = sf_loop_new(&err);
    server = loop ? model_server_open(loop, &a.options, &err) : NULL;
    if (!server) {
        fprintf(stderr, "model-server: %s\n", err.msg);
        goto out;
    }
    sf_loop_watch_signal(loop, SIGINT, on_signal, loop);
    sf_loop_watch_signal(loop, SIGTERM, on_signal, loop);
    printf("%s\n", model_server_url(server));
    fflush(stdout);
    sf_loop_run(loop);
    code = report(server);
out:
    model_server_close(server);
    sf_loop_free(loop);
    return code;
}
