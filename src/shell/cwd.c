/*
 * cwd.c: in which directories a command may run. Follows cd, pushd and popd through lists,
 * branches, loops and subshells as they are read. The one idea: where the shell stands behind a
 * command is two sets, one if it succeeded and one if it failed; && goes on from the first, ||
 * from the second, and whatever cannot be told is both, or unknown.
 *
 * A directory that leads out of the workspace is a read of its own (see sf_classify_cd), so the
 * sets are there to know how deep inside a command stands, never to excuse it.
 */
#include <string.h>

#include "shell/classifier.h"

/* One compound command that has begun and not ended. */
struct sf_cwd_open {
    struct sf_cwd_open *outer;
    enum sf_nest nest;
    struct sf_stand before;             /* where it began */
    struct sf_stand refused;            /* of if: where a condition that fails leaves it */
    struct sf_stand ends;               /* of branches: where those passed so far end */
    struct sf_stand done, failed;       /* of a substitution: of the command it is part of */
    struct sf_stand or_done, or_failed; /* of the list it is part of */
    struct sf_stand pipe;
    bool conditional;
    bool moves; /* of loops and functions: it leads elsewhere each time */
};

void sf_dirs_add(struct sf_dirs *dirs, const char *dir)
{
    for (unsigned i = 0; i < dirs->count; i++)
        if (!strcmp(dirs->at[i], dir))
            return;
    if (dirs->count < SF_DIRS_MAX)
        dirs->at[dirs->count++] = dir;
    else
        dirs->unknown = true;
}

static void add_dirs(struct sf_dirs *dirs, const struct sf_dirs *more)
{
    for (unsigned i = 0; i < more->count; i++)
        sf_dirs_add(dirs, more->at[i]);
    dirs->unknown = dirs->unknown || more->unknown;
}

/* Nobody gets here. */
static bool is_nowhere(const struct sf_stand *stand)
{
    return !stand->here.count && !stand->here.unknown;
}

static void join(struct sf_stand *stand, const struct sf_stand *other)
{
    if (is_nowhere(other))
        return;
    if (is_nowhere(stand)) {
        *stand = *other;
        return;
    }
    add_dirs(&stand->here, &other->here);
    add_dirs(&stand->back, &other->back);
}

/* A command that changes nothing. */
static void stay(struct sf_cwd *w, const struct sf_stand *at)
{
    w->now = *at;
    w->done = w->now;
    w->failed = w->now;
}

static void lose(struct sf_stand *stand)
{
    stand->here.unknown = stand->back.unknown = true;
}

/* What the parts of a list that were not reached leave behind joins what was. */
static void settle(struct sf_cwd *w)
{
    join(&w->done, &w->or_done);
    join(&w->failed, &w->or_failed);
    w->or_done = w->or_failed = (struct sf_stand){ 0 };
}

static struct sf_stand either(const struct sf_cwd *w)
{
    struct sf_stand stand = w->done;

    join(&stand, &w->failed);
    return stand;
}

/* Names that were given a value in this scope, or deeper, are forgotten. */
static void forget(struct sf_cwd *w, unsigned depth, bool conditional_only)
{
    size_t n = 0;

    for (size_t i = 0; i < w->nset; i++)
        if (w->set[i].depth < depth ||
            (conditional_only && w->set[i].depth == depth && !w->set[i].conditional))
            w->set[n++] = w->set[i];
    w->nset = n;
}

void sf_cwd_set(struct sf_classifier *j, const char *name)
{
    struct sf_cwd *w = &j->where;

    if (w->nset < SF_SET_MAX)
        w->set[w->nset++] = (struct sf_set_name){ name, w->depth, w->conditional, 0 };
}

/* What its words say is looked at before the assignment counts: `x=$((x+1))`. */
void sf_cwd_set_behind(struct sf_classifier *j, const char *name,
                       const struct sf_shell_command *cmd)
{
    struct sf_cwd *w = &j->where;

    sf_cwd_set(j, name);
    if (w->nset && w->set[w->nset - 1].name == name && cmd->span)
        w->set[w->nset - 1].from = cmd->at + cmd->span;
}

bool sf_cwd_is_set(const struct sf_classifier *j, const char *name)
{
    for (size_t i = 0; i < j->where.nset; i++)
        if (j->where.set[i].from <= j->where.at && !strcmp(j->where.set[i].name, name))
            return true;
    return false;
}

static void follow(struct sf_cwd *w, enum sf_join how)
{
    struct sf_stand from;

    if (how == SF_JOIN_SAME)
        return;
    if (how == SF_JOIN_PIPE) { /* each part begins where the first did, and none lasts for sure */
        join(&w->or_done, &w->done);
        join(&w->or_failed, &w->failed);
        stay(w, &w->pipe);
        return;
    }
    settle(w);
    if (how == SF_JOIN_AND)
        w->or_failed = w->failed;
    else if (how == SF_JOIN_OR)
        w->or_done = w->done;
    from = how == SF_JOIN_AND ? w->done : how == SF_JOIN_OR ? w->failed : either(w);
    if (how != SF_JOIN_AND)
        forget(w, w->depth, true);
    w->conditional = how != SF_JOIN_THEN;
    w->pipe = from;
    stay(w, &from);
}

bool sf_moves(const struct sf_shell_command *cmd)
{
    static const char moving[] = "cd|pushd|popd|chdir|eval";

    for (size_t i = 0; cmd->kind == SF_SHELL_SIMPLE && i < cmd->count && i < 4; i++)
        if (sf_pattern_fits(moving, sizeof(moving) - 1, cmd->words[i].text))
            return true;
    return false;
}

/* Whether what begins behind `open` moves the shell it runs in. */
static bool body_moves(const struct sf_shell_command *open)
{
    unsigned depth = 1, away = 0; /* scopes, and those of them that run in another shell */

    for (const struct sf_shell_command *c = open->next; c && depth; c = c->next) {
        bool own = c->nest != SF_NEST_SUBSHELL && c->nest != SF_NEST_OUTPUT;

        if (c->kind == SF_SHELL_OPEN) {
            depth++;
            away += !own;
        } else if (c->kind == SF_SHELL_CLOSE) {
            depth--;
            away -= !own && away;
        } else if (!away && sf_moves(c)) {
            return true;
        }
    }
    return false;
}

static void open_scope(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    struct sf_cwd *w = &j->where;
    struct sf_cwd_open *o = sf_arena_alloc(j->arena, sizeof(*o));

    *o = (struct sf_cwd_open){ .outer = w->open, .nest = cmd->nest };
    if (cmd->nest != SF_NEST_OUTPUT)
        follow(w, cmd->join);
    o->before = w->now;
    o->done = w->done;
    o->failed = w->failed;
    o->or_done = w->or_done;
    o->or_failed = w->or_failed;
    o->pipe = w->pipe;
    o->conditional = w->conditional;
    w->or_done = w->or_failed = (struct sf_stand){ 0 };
    o->moves =
        j->moves && (cmd->nest == SF_NEST_LOOP || cmd->nest == SF_NEST_FUNCTION) && body_moves(cmd);
    if (o->moves || (j->moves && cmd->nest == SF_NEST_FUNCTION))
        lose(&w->now);
    stay(w, &w->now);
    w->open = o;
    w->depth++;
    w->conditional = false;
    if (cmd->nest != SF_NEST_LOOP) /* $(…) among the values of a loop comes in front of its body */
        return;
    if (w->loop_name)
        sf_cwd_set(j, w->loop_name);
    w->loop_name = NULL;
}

static void turn(struct sf_cwd *w, enum sf_join how)
{
    struct sf_cwd_open *o = w->open;
    struct sf_stand end;

    settle(w);
    forget(w, w->depth, false);
    w->conditional = false;
    end = either(w);
    if (how == SF_JOIN_AND) {
        o->refused = w->failed;
        stay(w, &w->done);
    } else if (how == SF_JOIN_OR) {
        join(&o->ends, &end);
        stay(w, &o->refused);
    } else {
        join(&o->ends, &end);
        join(&end, &o->before);
        stay(w, &end);
    }
}

/* Behind { } what was surely set in there is set in the scope around it. */
static void keep_set(struct sf_cwd *w, bool conditional)
{
    forget(w, w->depth, true);
    for (size_t i = 0; i < w->nset; i++)
        if (w->set[i].depth == w->depth) {
            w->set[i].depth--;
            w->set[i].conditional = conditional;
        }
}

static void close_scope(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    struct sf_cwd *w = &j->where;
    struct sf_cwd_open *o = w->open;
    struct sf_stand end;

    settle(w);
    if (o->nest == SF_NEST_GROUP && !cmd->loose)
        keep_set(w, o->conditional);
    else
        forget(w, w->depth, false);
    w->depth--;
    w->open = o->outer;
    w->conditional = o->conditional;
    w->or_done = o->or_done;
    w->or_failed = o->or_failed;
    w->pipe = o->pipe;
    end = either(w);
    join(&end, &o->ends);
    join(&end, &o->before);
    w->outside = o->before;
    if (o->nest == SF_NEST_OUTPUT) {
        w->now = o->before;
        w->done = o->done;
        w->failed = o->failed;
    } else if (o->nest == SF_NEST_SUBSHELL) {
        stay(w, &o->before);
    } else if (o->nest == SF_NEST_FUNCTION) {
        if (o->moves)
            lose(&o->before);
        stay(w, &o->before);
    } else if (o->nest != SF_NEST_GROUP || cmd->loose) {
        stay(w, &end);
    }
}

/* exit with nothing but a number: what follows is not reached. */
static bool leaves(const struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    return cmd->kind == SF_SHELL_SIMPLE && cmd->count && cmd->count < 3 && !cmd->loose &&
           !cmd->redirects && !cmd->assigns && !strcmp(cmd->words[0].text, "exit") &&
           (cmd->count == 1 ||
            strspn(cmd->words[1].text, "0123456789") == strlen(cmd->words[1].text)) &&
           !(cmd->words[cmd->count - 1].flags & SF_WORD_EXPANDS) &&
           !sf_strlist_has(&j->functions, "exit");
}

void sf_cwd_step(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    struct sf_cwd *w = &j->where;

    w->at = cmd->at;
    switch (cmd->kind) {
    case SF_SHELL_OPEN:
        open_scope(j, cmd);
        break;
    case SF_SHELL_TURN:
        if (w->open)
            turn(w, cmd->join);
        break;
    case SF_SHELL_CLOSE:
        if (w->open)
            close_scope(j, cmd);
        break;
    case SF_SHELL_GROUP:
        w->now = w->outside;
        break;
    case SF_SHELL_ARITH:
        return; /* part of a command that is under way */
    case SF_SHELL_SIMPLE:
    case SF_SHELL_FOR:
    case SF_SHELL_CASE:
    case SF_SHELL_TEST:
    case SF_SHELL_FUNCTION:
        follow(w, cmd->join);
        break;
    }
    if (leaves(j, cmd))
        w->done = w->failed = (struct sf_stand){ 0 };
}

void sf_cwd_begin(struct sf_classifier *j, struct sf_cwd *outer)
{
    struct sf_cwd *w = &j->where;

    *outer = *w;
    for (size_t i = 0; i < w->nset; i++) /* places count from the beginning of each text */
        w->set[i].from = w->set[i].from <= w->at ? 0 : UINT32_MAX;
    if (!j->depth) {
        w->now = (struct sf_stand){ .back.unknown = true };
        w->nset = 0;
        sf_dirs_add(&w->now.here, "");
    }
    w->open = NULL;
    w->or_done = w->or_failed = (struct sf_stand){ 0 };
    stay(w, &w->now);
    w->pipe = w->outside = w->now;
}

/* A text of its own may have moved the shell that runs it. */
void sf_cwd_end(struct sf_classifier *j, const struct sf_cwd *outer, bool moved)
{
    j->where = *outer;
    if (moved) {
        lose(&j->where.done);
        lose(&j->where.failed);
    }
}

/* `dir` with its own ".." and "." gone, as the shell does it; *cut: some name went with them. */
static char *tidy(struct sf_classifier *j, const char *dir, bool *cut)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    char *kept;

    if (*dir == '/')
        sf_strbuf_addch(&out, '/');
    while (*dir) {
        size_t n = strcspn(dir, "/");
        const char *last = strrchr(out.buf, '/');
        const char *name = last ? last + 1 : out.buf;

        if (n == 2 && !strncmp(dir, "..", 2) && *name && strcmp(name, "..") != 0 && *name != '~') {
            *cut = true;
            sf_strbuf_truncate(&out, name > out.buf ? (size_t)(name - out.buf) - 1 : 0);
            if (name - out.buf == 1)
                sf_strbuf_addch(&out, '/');
        } else if (n && !(n == 1 && *dir == '.')) {
            sf_strbuf_addf(&out, "%s%.*s", *name ? "/" : "", (int)n, dir);
        }
        dir += n + (dir[n] == '/');
    }
    kept = sf_arena_strndup(j->arena, out.buf, out.len);
    sf_strbuf_release(&out);
    return kept;
}

const char *sf_dir_join(struct sf_classifier *j, const char *dir, const char *path)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    char *kept;

    if (!*dir || *path == '/' || *path == '~')
        return path;
    sf_strbuf_addf(&out, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", path);
    kept = sf_arena_strndup(j->arena, out.buf, out.len);
    sf_strbuf_release(&out);
    return kept;
}

void sf_cwd_go(struct sf_classifier *j, const struct sf_word_values *to, bool surely, bool pushes)
{
    struct sf_cwd *w = &j->where;
    struct sf_stand there = { .back = w->now.here };

    there.here.unknown = to->anywhere || w->now.here.unknown;
    if (pushes)
        add_dirs(&w->pushed, &w->now.here);
    for (size_t i = 0; i < to->count; i++)
        for (unsigned k = 0; k < w->now.here.count; k++) {
            const char *raw = sf_dir_join(j, w->now.here.at[k], to->texts[i]);
            bool cut = false;

            sf_dirs_add(&there.here, tidy(j, raw, &cut));
            if (cut)
                sf_dirs_add(&there.here, raw); /* where a link would lead */
        }
    w->done = there;
    w->failed = w->now;
    if (!surely)
        join(&w->done, &w->now);
}

void sf_cwd_also(struct sf_cwd *where, const struct sf_stand *done, const struct sf_stand *failed)
{
    join(&where->done, done);
    join(&where->failed, failed);
}

bool sf_cwd_return(struct sf_classifier *j, bool surely)
{
    struct sf_cwd *w = &j->where;

    if (w->now.back.unknown || !w->now.back.count)
        return false;
    w->done = (struct sf_stand){ .here = w->now.back, .back = w->now.here };
    w->failed = w->now;
    if (!surely)
        join(&w->done, &w->now);
    return true;
}

void sf_cwd_pop(struct sf_classifier *j)
{
    struct sf_cwd *w = &j->where;

    w->done = w->now;
    add_dirs(&w->done.here, &w->pushed);
    add_dirs(&w->done.back, &w->now.here);
    w->failed = w->now;
}
