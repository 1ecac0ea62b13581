/*
 * What a call that destroys would take away, as the question says it: names and counts, what of it
 * a snapshot would hold, and the way back. Nothing is promised that the snapshots do not keep.
 */
#include <unistd.h>

#include "base/base.h"
#include "port/port.h"
#include "support/session_case.h"
#include "support/test.h"
#include "support/tree.h"
#include "support/undo_case.h"

static void fill(struct session_case *c)
{
    tree_puts(c->workspace.root, ".gitignore", "build/\n*.secret\n");
    tree_puts(c->workspace.root, "src/a.txt", "one\n");
    tree_puts(c->workspace.root, "src/b.txt", "one\n");
    tree_puts(c->workspace.root, "src/deep/c.txt", "one\n");
    tree_puts(c->workspace.root, "build/out", "old\n");
    tree_puts(c->workspace.root, "my.secret", "mine\n");
    tree_puts(c->workspace.root, "other/.git/HEAD", "ref: refs/heads/main\n");
    tree_puts(c->workspace.root, "other/x.txt", "x\n");
    free(tree_run(
        c->workspace.root,
        "git init -q && git add src .gitignore && git -c user.name=t -c user.email=t@t "
        "commit -qm first && ln -s src/a.txt link && ln -s src to-src && truncate -s 11M big",
        NULL));
    tree_puts(c->workspace.root, "src/a.txt", "two\n");
    tree_puts(c->workspace.root, "new.txt", "new\n");
}

static char heard[4096]; /* the facts of the last question, a line each */

static void note_facts(void *ctx, const struct sf_event *event)
{
    size_t n = 0;

    (void)ctx;
    if (event->kind != SF_EVENT_ASK)
        return;
    for (int i = 0; i < SF_LOSS_COUNT && n < sizeof(heard); i++)
        if (event->ask.losses->text[i])
            n += (size_t)snprintf(heard + n, sizeof(heard) - n, "%s\t%s\n", sf_loss_labels[i],
                                  event->ask.losses->text[i]);
}

#define COVERED "snapshot\tcovers all of it, taken before it runs\n"
#define BACK    "back\t/undo takes the whole turn back\n"
#define PARTLY  "back\t/undo takes the whole turn back, as far as the snapshot goes\n"
#define FEW     "copied first if few and small"
#define UNSURE                                                                                 \
    "snapshot\tof the workspace's files, taken before it runs; ignored ones are " FEW ", all " \
    "outside of it is not kept\n" PARTLY
#define NO_WAY "back\tno way: sf cannot put it back\n"

static const struct {
    const char *name, *command, *want;
} cases[] = {
    { "directories with their files", "rm -rf src nothing",
      "lost\tsrc/ (3 files), nothing (not there)\n" COVERED BACK },
    { "a link is a name, not what it leads to", "rm link", "lost\tlink\n" COVERED BACK },
    { "what is ignored is copied", "rm -rf build my.secret",
      "lost\tbuild/ (1 file), my.secret\n"
      "snapshot\t2 ignored files: " FEW "\n" PARTLY },
    { "some of it is ignored", "rm -rf src build",
      "lost\tsrc/ (3 files), build/ (1 file)\n"
      "snapshot\ttaken before it runs; 1 ignored file: " FEW "\n" PARTLY },
    { "some of it is not kept", "rm -rf src big",
      "lost\tsrc/ (3 files), big\n"
      "snapshot\ttaken before it runs, but without 1 file over 10 MiB\n" PARTLY },
    { "patterns are looked up", "rm src/*.txt", "lost\tsrc/a.txt, src/b.txt\n" COVERED BACK },
    { "a pattern that fits nothing", "rm *.none", "lost\t*.none (fits nothing)\n" COVERED BACK },
    { "where the command stands", "cd src && rm b.txt", "lost\tat least src/b.txt\n" UNSURE },
    { "outside the workspace", "rm -rf ../elsewhere src/a.txt",
      NULL /* the path is the test's own: see below */ },
    { "the repository's records", "rm -rf .git",
      "lost\t.git/ (the repository's own records)\n"
      "snapshot\tdoes not cover this: the repository's own records\n" NO_WAY },
    { "another repository", "rm -rf other",
      "lost\tother/ (a repository of its own)\n"
      "snapshot\tdoes not cover this: repositories of their own\n" NO_WAY },
    { "what variables hold is not known", "rm -rf src \"$x\"",
      "lost\tat least src/ (3 files)\n" UNSURE },
    { "names that come from elsewhere", "ls | xargs rm", "lost\tthe text does not tell\n" UNSURE },
    { "uncommitted changes", "git reset --hard",
      "lost\twhat is not committed, at most src/a.txt\n"
      "snapshot\ttaken before it runs, but without what is staged\n" PARTLY },
    { "untracked files", "git clean -fd -- src",
      "lost\tfiles git does not track, at most big, link, new.txt, other/x.txt, to-src\n"
      "snapshot\ttaken before it runs, but without 1 file over 10 MiB, repositories of their own\n" PARTLY },
    { "untracked and ignored files", "git clean -fdx",
      "lost\tfiles git does not track, ignored ones too, at most big, link, new.txt, other/x.txt, "
      "to-src and 2 more\n"
      "snapshot\ttaken before it runs, but without 1 file over 10 MiB, repositories of their own; "
      "2 ignored files: " FEW "\n" PARTLY },
    { "what a link with a slash leads to", "rm -rf to-src/",
      "lost\tsrc/ (3 files)\n" COVERED BACK },
    { "links that a pattern follows", "rm -rf to-s*/",
      "lost\tat least to-src (a link: what is in it goes)\n" UNSURE },
    { "a pattern in the middle", "rm -rf s*/a.txt",
      "lost\tat least s*/a.txt (not looked at)\n" UNSURE },
    { "a pattern behind a link", "rm -rf to-src/*",
      "lost\tat least to-src/* (not looked at)\n" UNSURE },
    { "a program nobody reads", "python3 -c 'import shutil; shutil.rmtree(\"src\")'",
      "lost\tthe text does not tell\n" UNSURE },
};

static void serve_in(struct session_case *c, const char *command, const char *dir)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT, args = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &args);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "command", command);
    if (dir)
        sf_jw_key_str(&w, "workdir", dir);
    sf_jw_object_end(&w);
    sf_strbuf_addf(&scenario, "reply\n    call Bash %s\nreply\n    text \"well\"\n", args.buf);
    if (!sf_strlist_has(&c->tools, "Bash"))
        sf_strlist_add(&c->tools, "Bash");
    c->attended = true;
    c->reply = SF_REPLY_DENY;
    c->watch = note_facts;
    session_case_serve(c, SF_WIRE_ANTHROPIC, scenario.buf);
    session_case_open(c, NULL);
    sf_strbuf_release(&scenario);
    sf_strbuf_release(&args);
}

static void serve(struct session_case *c, const char *command)
{
    serve_in(c, command, NULL);
}

static void test_cases(void **state)
{
    struct session_case *c = *state;

    session_case_settings(c, "[snapshots]\nenabled = true\n");
    fill(c);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        heard[0] = '\0';
        serve(c, cases[i].command);
        session_case_turn(c, "go");
        if (!cases[i].want)
            assert_non_null(strstr(heard, "elsewhere (outside the workspace)"));
        else if (strcmp(heard, cases[i].want) != 0)
            fail_msg("%s: got\n%s\nwant\n%s", cases[i].name, heard, cases[i].want);
    }
}

/* A call may name its own directory, which is where its names are meant. */
static void test_own_directory(void **state)
{
    static const struct {
        const char *name, *dir, *command, *want;
    } rows[] = {
        { "a file", "src", "rm a.txt", "lost\tsrc/a.txt\n" COVERED BACK },
        { "a pattern", "src", "rm *.txt", "lost\tsrc/a.txt, src/b.txt\n" COVERED BACK },
        { "an ignored file", "build", "rm out",
          "lost\tbuild/out\nsnapshot\t1 ignored file: " FEW "\n" PARTLY },
    };
    struct session_case *c = *state;

    session_case_settings(c, "[snapshots]\nenabled = true\n");
    fill(c);
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        heard[0] = '\0';
        serve_in(c, rows[i].command, rows[i].dir);
        session_case_turn(c, "go");
        if (strcmp(heard, rows[i].want) != 0)
            fail_msg("%s: got\n%s\nwant\n%s", rows[i].name, heard, rows[i].want);
    }
}

/* Where the turn's snapshot has failed, the question after that promises none. */
static void test_failed(void **state)
{
    struct session_case *c = *state;

    session_case_settings(c, "[snapshots]\nenabled = true\n");
    fill(c);
    tree_puts(c->state_dir, "snapshots.git/sf/lock/x", "");
    serve(c, "true"); /* which gives way to two calls */
    session_case_serve(c, SF_WIRE_ANTHROPIC,
                       "reply\n    call Write {\"file_path\":\"src/d.txt\",\"content\":\"new\"}\n"
                       "reply\n    call Bash {\"command\":\"rm -rf src\"}\n"
                       "reply\n    text \"well\"\n");
    session_case_open(c, NULL);
    heard[0] = '\0';
    session_case_turn(c, "go");
    if (!strstr(heard, "this turn's could not be taken"))
        fail_msg("%s", heard);
}

static struct sf_strlist named = SF_STRLIST_INIT; /* everything the last question named */

static void note_names(void *ctx, const struct sf_event *event)
{
    note_facts(ctx, event);
    if (event->kind != SF_EVENT_ASK)
        return;
    sf_strlist_release(&named);
    for (size_t i = 0; i < event->ask.losses->names.count; i++)
        sf_strlist_add(&named, event->ask.losses->names.items[i]);
}

/* The sentence names some; the list names all, as they are called. */
static void test_everything_is_named(void **state)
{
    enum { FILES = 500 };
    struct session_case *c = *state;

    session_case_settings(c, "[snapshots]\nenabled = true\n");
    free(tree_run(c->workspace.root,
                  "mkdir data && cd data && for i in $(seq 498); do echo $i > f$i.txt; done && "
                  "echo a > 'a, b.txt' && echo b > \"$(printf 'odd\\342\\200\\256.txt')\"",
                  NULL));
    serve(c, "rm data/*.txt");
    c->watch = note_names;
    session_case_turn(c, "go");
    assert_non_null(strstr(heard, "and 495 more\n" COVERED BACK));
    assert_int_equal(named.count, FILES);
    assert_true(sf_strlist_has(&named, "data/a, b.txt"));
    assert_true(sf_strlist_has(&named, "data/odd\xe2\x80\xae.txt"));
    serve(c, "rm data/f1.txt data/f2.txt");
    c->watch = note_names;
    session_case_turn(c, "go");
    assert_int_equal(named.count, 0); /* the sentence says it all */
    sf_strlist_release(&named);
}

#define DELETE(path)                                                                   \
    "reply\n    call ApplyPatch {\"patch\":\"*** Begin Patch\\n*** Delete File: " path \
    "\\n*** End Patch\"}\nreply\n    text \"well\"\n"

static void offer_patches(struct session_case *c)
{
    static const char toml[] = "[models.scripted.\"test-model\"]\npatches = true\n";
    struct sf_error err = SF_ERROR_INIT;

    sf_catalog_free(c->catalog);
    c->catalog = sf_catalog_new(toml, strlen(toml), &err);
    assert_non_null(c->catalog);
}

/* What a tool names is kept, be it ignored; the card says so, and undoing brings it back. */
static void test_tool(void **state)
{
    struct session_case *c = *state;

    session_case_settings(c, "[snapshots]\nenabled = true\n");
    fill(c);
    offer_patches(c);
    sf_strlist_add(&c->tools, "ApplyPatch");
    serve(c, "true"); /* which gives way to a patch */
    session_case_serve(c, SF_WIRE_ANTHROPIC, DELETE("my.secret"));
    c->reply = SF_REPLY_ONCE;
    session_case_open(c, NULL);
    session_case_turn(c, "go");
    assert_string_equal(heard, "lost\tmy.secret\n" COVERED BACK);
    sf_session_close(c->session);
    c->session = NULL;
    undo_case_expect(c, "my.secret", NULL);
    undo_case_undo(c, NULL);
    undo_case_expect(c, "my.secret", "mine\n");
}

/* The same of a command, where its record has a copy. */
static void test_command(void **state)
{
    struct session_case *c = *state;

    session_case_settings(c, "[snapshots]\nenabled = true\n");
    fill(c);
    serve(c, "rm -rf build my.secret");
    c->reply = SF_REPLY_ONCE;
    session_case_turn(c, "go");
    assert_non_null(strstr(heard, PARTLY));
    sf_session_close(c->session);
    c->session = NULL;
    undo_case_expect(c, "my.secret", NULL);
    undo_case_undo(c, NULL);
    undo_case_expect(c, "my.secret", "mine\n");
    undo_case_expect(c, "build/out", "old\n");
}

static void test_without_snapshots(void **state)
{
    struct session_case *c = *state;

    session_case_settings(c, "[snapshots]\nenabled = false\n");
    fill(c);
    serve(c, "rm -rf src");
    session_case_turn(c, "go");
    assert_string_equal(heard, "lost\tsrc/ (3 files)\n"
                               "snapshot\tnone: snapshots are switched off\n" NO_WAY);
}

/* The snapshot fails between the verdict and the call, as on a full disk. */
static void break_objects(void *ctx, const struct sf_event *event)
{
    struct session_case *c = ctx;

    if (event->kind == SF_EVENT_VERDICT && event->verdict.judged->verdict.answer == SF_ALLOW)
        free(tree_run(
            c->state_dir,
            "for d in $(find . -type d -name objects); do rm -r \"$d\"; touch \"$d\"; done", NULL));
}

static bool add_row(const struct sf_query_row *row, void *ctx)
{
    sf_strbuf_addf(ctx, "%s %s %s %s\n", row->values[0].bytes, row->values[1].bytes,
                   row->values[2].bytes, row->values[3].bytes);
    return true;
}

/* The log says what became of a deletion that was confirmed and then had no snapshot. */
static void test_confirmed_without_snapshot(void **state)
{
    struct session_case *c = *state;
    struct sf_confirmation confirmation = SF_CONFIRMATION_INIT;
    struct sf_strbuf rows = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_query query = {
        .sql =
            "SELECT d.verdict, d.layer, d.rule, ifnull(d.answer, CASE WHEN"
            " json_extract(e.data, '$.detail.took_ms') IS NULL THEN 'not run' END) FROM decisions d LEFT JOIN"
            " events e ON e.kind = 'result' AND json_extract(e.data, '$.detail.decision') = d.id"
            " ORDER BY d.id",
        .row = add_row,
        .ctx = &rows
    };

    session_case_settings(c, "[snapshots]\nenabled = true\n");
    fill(c);
    sf_strlist_add(&c->tools, "Bash");
    session_case_serve(c, SF_WIRE_ANTHROPIC,
                       "reply\n    call Bash {\"command\":\"rm -rf src/deep\"}\n"
                       "reply\n    text \"done\"\n");
    assert_true(sf_confirmation_read(&confirmation, "delete", &err));
    confirmation.who = sf_strdup("user");
    c->policy.confirmation = &confirmation;
    c->watch = break_objects;
    c->watch_ctx = c;
    session_case_open(c, NULL);
    session_case_turn(c, "go");
    if (!strstr(c->heard.buf, "Refused by rule no-snapshot (safety-harness)"))
        fail_msg("%s", c->heard.buf);
    undo_case_expect(c, "src/deep/c.txt", "one\n");
    assert_true(sf_store_query(c->state_dir, &query, &err));
    assert_string_equal(rows.buf, "allow safety-harness confirmed confirmed beforehand\n"
                                  "deny safety-harness no-snapshot not run\n");
    sf_session_close(c->session);
    c->session = NULL;
    c->policy.confirmation = NULL;
    sf_confirmation_release(&confirmation);
    sf_strbuf_release(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_own_directory, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_failed, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_everything_is_named, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_tool, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_command, session_case_setup, session_case_teardown),
        cmocka_unit_test_setup_teardown(test_without_snapshots, session_case_setup,
                                        session_case_teardown),
        cmocka_unit_test_setup_teardown(test_confirmed_without_snapshot, session_case_setup,
                                        session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
