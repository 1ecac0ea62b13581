/*
 * The labelled paths on a real file system: each row is laid out in a scratch directory with real
 * links, resolved, judged and, when allowed, done. What the row's other process does happens
 * between the verdict and the deed. A row is right when the outcome is as labelled and the whole
 * tree, outside and home included, is as it must be afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/base.h"
#include "guard/guard.h"
#include "io/io.h"
#include "support/ruling.h"
#include "support/snapshot.h"
#include "support/swapper.h"
#include "support/test.h"

#define NEW_TEXT      "new\n"
#define OLD_TEXT      "one\ntwo\n"
#define RACE_ATTEMPTS 1000

enum { ID, WRITABLE, LAYOUT, OP, PATH, VERDICT, POST, REASON, SOURCE, COLUMNS };

struct row {
    char *column[COLUMNS];
    char *top, *ws, *home, *alias;
    struct sf_strlist races;
    struct sf_strlist before, after;
};

static void fail_row(const struct row *row, const char *what)
{
    fail_msg("%s: %s: %s", row->column[ID], row->column[REASON], what);
}

static void decode_escape(const char **at, struct sf_strbuf *out)
{
    static const char plain[] = "\\\\n\nt\tr\r";
    unsigned value = 0;
    int n = 0;

    for (const char *p = plain; *p; p += 2)
        if (**at == *p) {
            sf_strbuf_addch(out, p[1]);
            *at += 1;
            return;
        }
    if (sscanf(*at, "x%2x%n", &value, &n) == 1 && n == 3)
        sf_strbuf_addch(out, (char)value);
    else if (sscanf(*at, "u{%x}%n", &value, &n) == 1 && n > 0)
        sf_utf8_add(out, value);
    else
        fail_msg("cannot read the escape \\%s", *at);
    *at += n;
}

/* The corpus encoding, and its one spelled-out piece of damage. */
static void decode(const char *text, struct sf_strbuf *out)
{
    static const char damage[] = "<lone surrogate D800>";

    while (*text) {
        if (!strncmp(text, damage, sizeof(damage) - 1)) {
            sf_strbuf_adds(out, "\xed\xa0\x80");
            text += sizeof(damage) - 1;
        } else if (*text == '\\') {
            text++;
            decode_escape(&text, out);
        } else {
            sf_strbuf_addch(out, *text++);
        }
    }
}

/* @WS, @OUT, @HOME and @ALIAS at the front of a path. */
static void place_names(const struct row *row, const char *text, struct sf_strbuf *out)
{
    const struct {
        const char *name, *path;
    } names[] = {
        { "@WS", row->ws }, { "@OUT", row->top }, { "@HOME", row->home }, { "@ALIAS", row->alias }
    };

    for (size_t i = 0; i < SF_COUNT(names); i++) {
        size_t n = strlen(names[i].name);

        if (!strncmp(text, names[i].name, n)) {
            sf_strbuf_adds(out, names[i].path);
            decode(text + n, out);
            return;
        }
    }
    decode(text, out);
}

/* Where a layout's name lies: below the workspace unless it says otherwise. Owned. */
static char *layout_path(const struct row *row, const char *text)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    char *path;

    place_names(row, text, &sb);
    path = sb.buf[0] == '/' ? sf_strdup(sb.buf) : test_path(row->ws, sb.buf);
    sf_strbuf_release(&sb);
    return path;
}

static void make_parents(const char *path)
{
    struct sf_error err = SF_ERROR_INIT;
    char *dir = sf_strndup(path, (size_t)(strrchr(path, '/') - path));

    if (!sf_dir_make(dir, 0755, &err))
        fail_msg("%s", err.msg);
    free(dir);
}

static void make_dir(const struct row *row, const char *path, const char *more)
{
    struct sf_error err = SF_ERROR_INIT;
    unsigned mode;

    (void)row;
    if (!sf_dir_make(path, 0755, &err))
        fail_msg("%s", err.msg);
    if (sscanf(more, "mode=%o", &mode) == 1)
        assert_int_equal(chmod(path, mode), 0);
}

static void make_file(const struct row *row, const char *path, const char *more)
{
    const char *text = strstr(more, "crlf") ? "one\r\ntwo\r\n" : OLD_TEXT;
    unsigned mode;

    (void)row;
    if (*more == '(')
        text = more;
    test_write(path, text, strlen(text));
    if (sscanf(more, "mode=%o", &mode) == 1)
        assert_int_equal(chmod(path, mode), 0);
}

static void make_link(const struct row *row, const char *path, const char *more)
{
    struct sf_strbuf target = SF_STRBUF_INIT;

    place_names(row, more, &target);
    assert_int_equal(symlink(target.buf, path), 0);
    sf_strbuf_release(&target);
}

static void make_hard_link(const struct row *row, const char *path, const char *more)
{
    char *target = layout_path(row, more);

    assert_int_equal(link(target, path), 0);
    free(target);
}

static void make_fifo(const struct row *row, const char *path, const char *more)
{
    (void)row;
    (void)more;
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_socket(const struct row *row, const char *path, const char *more)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)row;
    (void)more;
    assert_true(fd >= 0 && strlen(path) < sizeof(addr.sun_path));
    memcpy(addr.sun_path, path, strlen(path) + 1);
    assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
    close(fd);
}

static void do_rename(const struct row *row, const char *path, const char *more)
{
    char *target = layout_path(row, more);

    assert_int_equal(rename(path, target), 0);
    free(target);
}

static void do_edit(const struct row *row, const char *path, const char *more)
{
    (void)row;
    (void)more;
    test_write(path, "the user was here\n", 18);
}

/* What is laid out, and what another process does. */
static const struct {
    const char *word, *between; /* of the two names; NULL: there is one */
    void (*make)(const struct row *row, const char *path, const char *more);
} items[] = {
    { "d ", NULL, make_dir },         { "f ", NULL, make_file },        { "l ", " -> ", make_link },
    { "h ", " = ", make_hard_link },  { "p ", NULL, make_fifo },        { "s ", NULL, make_socket },
    { "rename ", " -> ", do_rename }, { "user edits ", NULL, do_edit },
};

static void lay_out(const struct row *row, const char *item)
{
    for (size_t i = 0; i < SF_COUNT(items); i++) {
        size_t n = strlen(items[i].word);
        const char *between = items[i].between ? items[i].between : " ";
        const char *split;
        char *name, *path;

        if (strncmp(item, items[i].word, n) != 0)
            continue;
        split = strstr(item + n, between);
        name = split ? sf_strndup(item + n, (size_t)(split - item) - n) : sf_strdup(item + n);
        path = layout_path(row, name);
        make_parents(path);
        items[i].make(row, path, split ? split + strlen(between) : "");
        free(path);
        free(name);
        return;
    }
    fail_row(row, item);
}

static void cut(const char *text, const char *separator, struct sf_strlist *out)
{
    while (*text) {
        const char *end = strstr(text, separator);
        size_t n = end ? (size_t)(end - text) : strlen(text);

        sf_strlist_adopt(out, sf_strndup(text, n));
        text += n + (end ? strlen(separator) : 0);
    }
}

static void lay_out_all(struct row *row)
{
    static const char *const home[] = { ".bashrc", ".ssh/id_rsa", ".aws/credentials" };
    struct sf_strlist list = SF_STRLIST_INIT;

    for (size_t i = 0; i < SF_COUNT(home); i++) {
        char *path = test_path(row->home, home[i]);

        make_parents(path);
        test_write(path, "secret", 6);
        free(path);
    }
    cut(row->column[LAYOUT], "; ", &list);
    for (size_t i = 0; i < list.count; i++) {
        if (!strncmp(list.items[i], "race: ", 6))
            cut(list.items[i] + 6, ", ", &row->races);
        else if (strcmp(list.items[i], "approve write") != 0)
            lay_out(row, list.items[i]);
    }
    sf_strlist_release(&list);
}

/* A list that cannot be read grants nothing. */
static const struct sf_json *read_list(const struct row *row, struct sf_json **json,
                                       const char **list, size_t max)
{
    struct sf_error err = SF_ERROR_INIT;
    size_t n = 0;

    *json = sf_json_parse(row->column[WRITABLE], strlen(row->column[WRITABLE]), NULL, &err);
    for (const struct sf_json *it = *json ? sf_json_first(*json) : NULL; it;
         it = sf_json_next(it)) {
        assert_true(n + 1 < max);
        assert_true(sf_json_as_str(it, "entry", &list[n++], &err));
    }
    list[n] = NULL;
    return *json;
}

static enum sf_answer judge(const struct row *row, const struct sf_place *place,
                            enum path_deed deed)
{
    const struct sf_path_places places = { .root = place->root->path, .home = row->home };
    const struct sf_path_found found = {
        .real = place->real,
        .inside = place->inside,
        .via = (const char *const *)place->via.items,
        .via_count = place->via.count,
        .git_dir = place->git_dir,
        .links = place->st.st_nlink,
    };
    struct sf_path_facts facts = sf_path_classify(&found, &places);
    const char *list[16];
    struct sf_scope scope = { "row", list, "" };
    struct sf_json *json;
    enum sf_answer answer;

    read_list(row, &json, list, SF_COUNT(list));
    answer = path_ruling(&facts, deed, &scope, NULL);
    sf_json_free(json);
    return answer;
}

/* The first line becomes another; what follows stays, line ends included. */
static bool edit(struct sf_place *place, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_place_read(place, 4096, &text, err);

    if (ok) {
        sf_strbuf_splice(&text, 0, strlen("one"), "new", 3);
        ok = sf_place_replace(place, text.buf, text.len, err);
    }
    sf_strbuf_release(&text);
    return ok;
}

static bool do_write(struct sf_place *place, struct sf_error *err)
{
    if (place->kind == SF_PLACE_FILE)
        return edit(place, err);
    return sf_place_create(place, NEW_TEXT, strlen(NEW_TEXT), 0666, err);
}

static bool do_create(struct sf_place *place, struct sf_error *err)
{
    return sf_place_create(place, NEW_TEXT, strlen(NEW_TEXT), 0666, err);
}

static bool do_read(struct sf_place *place, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_place_read(place, 4096, &text, err) && !strcmp(text.buf, OLD_TEXT);

    sf_strbuf_release(&text);
    return ok;
}

static bool do_stand(struct sf_place *place, struct sf_error *err)
{
    int fd = sf_place_open_dir(place, err);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static const struct deed {
    const char *word; /* how the row's op begins */
    enum path_deed deed;
    enum sf_place_want want;
    bool (*run)(struct sf_place *place, struct sf_error *err);
} deeds[] = {
    { "write", PATH_WRITES, SF_WANT_FILE, do_write },
    { "create", PATH_CREATES, SF_WANT_FILE, do_create },
    { "read", PATH_READS, SF_WANT_FILE, do_read },
    { "delete", PATH_DELETES, SF_WANT_NAME, sf_place_remove },
    { "rename ", PATH_CREATES, SF_WANT_FILE, NULL },
    { "patch ", PATH_CREATES, SF_WANT_FILE, do_create },
    { "shell cwd", PATH_READS, SF_WANT_DIR, do_stand },
    { "shell redirect", PATH_WRITES, SF_WANT_FILE, do_write },
};

static const struct deed *deed_of(const struct row *row)
{
    for (size_t i = 0; i < SF_COUNT(deeds); i++)
        if (!strncmp(row->column[OP], deeds[i].word, strlen(deeds[i].word)))
            return &deeds[i];
    fail_row(row, "there is no such op");
    return NULL;
}

static bool resolve(const struct row *row, const struct sf_place_root *root, const char *text,
                    enum sf_place_want want, struct sf_place *place, struct sf_error *err)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool ok;

    place_names(row, text, &path);
    ok = sf_place_resolve(root, path.buf, path.len, want, place, err);
    sf_strbuf_release(&path);
    return ok;
}

/* "rename FROM ->": the other end is judged as a deletion. */
static bool do_move(const struct row *row, struct sf_place *to, struct sf_error *err)
{
    const char *from = row->column[OP] + strlen("rename ");
    const char *arrow = strstr(from, " ->");
    char *name = sf_strndup(from, arrow ? (size_t)(arrow - from) : strlen(from));
    struct sf_place place = SF_PLACE_INIT;
    bool ok = resolve(row, to->root, name, SF_WANT_NAME, &place, err) &&
              judge(row, &place, PATH_DELETES) == SF_ALLOW && sf_place_move(&place, to, err);

    sf_place_release(&place);
    free(name);
    return ok;
}

static void let_others_act(const struct row *row)
{
    for (size_t i = 0; i < row->races.count; i++)
        lay_out(row, row->races.items[i]);
}

/* Resolve, judge, let the others act, do it. True: it was allowed and it happened. */
static bool attempt(struct row *row, const struct sf_place_root *root, char **real,
                    struct sf_error *err)
{
    const struct deed *deed = deed_of(row);
    struct sf_place place = SF_PLACE_INIT;
    bool ok = resolve(row, root, row->column[PATH], deed->want, &place, err);

    ok = ok && judge(row, &place, deed->deed) == SF_ALLOW;
    let_others_act(row);
    snapshot_take(row->top, &row->before);
    if (ok)
        ok = deed->run ? deed->run(&place, err) : do_move(row, &place, err);
    if (ok)
        *real = test_path(row->ws, place.real);
    sf_place_release(&place);
    snapshot_take(row->top, &row->after);
    return ok;
}

/* Nothing outside may change while a directory and a link to the outside trade places. */
static bool storm(struct row *row, const struct sf_place_root *root)
{
    char *src = test_path(row->ws, "src"), *evil = test_path(row->ws, "evil");
    char *victim = test_path(row->top, "a.c"), *text;
    struct swapper *swapper;
    unsigned landed = 0;
    bool ok;

    sf_strlist_release(&row->races);
    test_write(victim, OLD_TEXT, strlen(OLD_TEXT));
    assert_int_equal(symlink(row->top, evil), 0);
    swapper = swapper_start(src, evil);
    for (int i = 0; i < RACE_ATTEMPTS; i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_place place = SF_PLACE_INIT;

        landed += resolve(row, root, row->column[PATH], SF_WANT_FILE, &place, &err) &&
                  judge(row, &place, PATH_WRITES) == SF_ALLOW &&
                  sf_place_replace(&place, NEW_TEXT, strlen(NEW_TEXT), &err);
        sf_place_release(&place);
    }
    swapper_stop(swapper);
    text = test_read(victim, NULL);
    ok = !strcmp(text, OLD_TEXT) && landed > 0;
    free(text);
    free(victim);
    free(evil);
    free(src);
    return ok;
}

/* After an allowed deed: the file is as meant, and no other line of the tree was lost. */
static bool as_meant(const struct row *row, const char *real)
{
    struct sf_strlist expected = SF_STRLIST_INIT;
    size_t n = strlen(real);
    bool ok;

    for (size_t i = 0; i < row->before.count; i++) {
        const char *line = row->before.items[i];

        if (strncmp(line, real, n) != 0 || line[n] != ' ')
            sf_strlist_add(&expected, line);
    }
    if (!strncmp(row->column[OP], "rename", 6))
        ok = !access(real, F_OK) && row->before.count == row->after.count;
    else
        ok = !snapshot_lost(&expected, &row->after);
    sf_strlist_release(&expected);
    return ok;
}

static bool content_right(const struct row *row, const char *real)
{
    const char *layout = row->column[LAYOUT], *op = row->column[OP];
    bool crlf = strstr(layout, "crlf") != NULL, ok;
    struct stat st;
    char *text;

    if (!strncmp(op, "read", 4) || !strncmp(op, "rename", 6) || !strcmp(op, "shell cwd"))
        return true;
    text = test_read(real, NULL);
    if (!strcmp(op, "write"))
        ok = !strcmp(text, crlf ? "new\r\ntwo\r\n" : "new\ntwo\n");
    else
        ok = !strcmp(text, NEW_TEXT);
    free(text);
    if (strstr(layout, "mode=0600"))
        ok = ok && stat(real, &st) == 0 && (st.st_mode & 07777) == 0600;
    return ok;
}

static bool judge_outcome(const struct row *row, bool done, const char *real)
{
    bool want = !strcmp(row->column[VERDICT], "allow");

    if (done != want)
        return false;
    if (!done)
        return row->before.count == row->after.count && !snapshot_lost(&row->before, &row->after);
    return as_meant(row, real) && content_right(row, real);
}

static bool run_row(struct row *row)
{
    struct sf_place_root root = SF_PLACE_ROOT_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *real = NULL;
    bool ok, done;

    row->top = test_dir_new();
    row->ws = test_path(row->top, "ws");
    row->home = test_path(row->top, "home");
    row->alias = test_path(row->top, "alias");
    assert_int_equal(mkdir(row->ws, 0755), 0);
    lay_out_all(row);
    if (!sf_place_root_open(&root, row->ws, &err))
        fail_row(row, err.msg);
    if (row->races.count && strstr(row->races.items[0], "swaps per second")) {
        ok = storm(row, &root);
    } else {
        done = attempt(row, &root, &real, &err);
        ok = judge_outcome(row, done, real);
        if (!ok)
            printf("%s: %s: %s (%s)\n", row->column[ID], row->column[REASON],
                   done ? "was done" : "was refused", err.msg);
    }
    sf_place_root_close(&root);
    free(real);
    free(row->ws);
    free(row->home);
    free(row->alias);
    test_dir_free(row->top);
    sf_strlist_release(&row->races);
    sf_strlist_release(&row->before);
    sf_strlist_release(&row->after);
    return ok;
}

static void split_row(char *line, struct row *row)
{
    *row = (struct row){ 0 };
    for (int i = 0; i < COLUMNS; i++) {
        row->column[i] = line;
        line += strcspn(line, "\t");
        if (*line)
            *line++ = '\0';
    }
}

static void test_rows(void **state)
{
    char *text = test_read("corpus/paths/paths.tsv", NULL);
    struct sf_strlist lines = SF_STRLIST_INIT;
    unsigned rows = 0, right = 0;

    (void)state;
    cut(text, "\n", &lines);
    for (size_t i = 1; i < lines.count; i++) {
        struct row row;

        split_row(lines.items[i], &row);
        rows++;
        right += run_row(&row);
    }
    printf("paths: %u rows, %u right\n", rows, right);
    sf_strlist_release(&lines);
    free(text);
    assert_int_equal(rows, right);
    assert_true(rows >= 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
