/*
 * snapshot.c: times snapshots beside git's own commits, in turns, on one tree. git works in the
 * tree with its repository there; the snapshots lie in another directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "snap/snap.h"

enum { FILE_BYTES = 4096, PER_DIR = 20, ROUNDS_MAX = 101 };

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void die(const char *what, const struct sf_error *err)
{
    fprintf(stderr, "bench: %s: %s\n", what, err->msg);
    exit(1);
}

static void put(const char *dir, unsigned i, unsigned version)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf path = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    uint64_t lot = i * UINT64_C(2654435761) + version;
    FILE *fp;

    sf_strbuf_addf(&path, "%s/d%u/e%u", dir, i / PER_DIR / PER_DIR, i / PER_DIR % PER_DIR);
    if (!sf_dir_make(path.buf, 0755, &err))
        die("tree", &err);
    sf_strbuf_addf(&path, "/f%u.txt", i);
    while (text.len < FILE_BYTES) {
        lot = lot * UINT64_C(6364136223846793005) + 1442695040888963407U;
        sf_strbuf_addf(&text, "word%u line %u\n", (unsigned)(lot >> 52), (unsigned)(lot >> 40));
    }
    fp = fopen(path.buf, "wbe");
    if (!fp || fwrite(text.buf, 1, FILE_BYTES, fp) != FILE_BYTES || fclose(fp) != 0)
        exit(1);
    sf_strbuf_release(&path);
    sf_strbuf_release(&text);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *times, unsigned count)
{
    qsort(times, count, sizeof(*times), by_size);
    return times[count / 2] > 0 ? times[count / 2] : 1e-3;
}

static double take(struct sf_snap *snap, char id[SF_SNAP_ID + 1])
{
    const struct sf_snap_request request = { .kind = SF_SNAP_BEFORE,
                                             .budget = &sf_snap_budget_default };
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;
    struct sf_error err = SF_ERROR_INIT;
    double start = now_ms();

    if (!sf_snap_take(snap, &request, &result, &err))
        die("take", &err);
    memcpy(id, result.id, SF_SNAP_ID + 1);
    sf_snap_result_release(&result);
    return now_ms() - start;
}

static double restore(struct sf_snap *snap, const char *id)
{
    const struct sf_snap_goal goal = { .id = id };
    struct sf_snap_restored out = SF_SNAP_RESTORED_INIT;
    struct sf_error err = SF_ERROR_INIT;
    double start = now_ms();

    if (!sf_snap_restore(snap, &goal, &out, &err))
        die("restore", &err);
    sf_snap_restored_release(&out);
    return now_ms() - start;
}

/* Where one file of a directory that holds them all lies. */
static char *flat_path(const char *dir, unsigned i)
{
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_strbuf_addf(&path, "%s/f%u.txt", dir, i);
    return sf_strbuf_detach(&path);
}

static void flat_put(const char *dir, unsigned i, const char *text)
{
    char *path = flat_path(dir, i);
    FILE *fp = fopen(path, "wbe");

    if (!fp || fputs(text, fp) < 0 || fclose(fp) != 0)
        exit(1);
    free(path);
}

/* A third of the changes each: files that came, went, and are different. */
static void flat_change(const char *dir, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char *path = flat_path(dir, i);

        if (i % 3 == 0 && unlink(path) < 0)
            exit(1);
        if (i % 3)
            flat_put(dir, i % 3 == 1 ? i : count + i, "other\n");
        free(path);
    }
}

/* Restores `count` changes of one directory, told by whom as a session does. */
static double restore_many(const char *scratch, unsigned count)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap_lineage lineage = { .running = true };
    char *work = sf_path_join(scratch, "flat"), *state = sf_path_join(scratch, "flat-state");
    char *dir = sf_path_join(work, "src"), id[SF_SNAP_ID + 1];
    const struct sf_snap_goal goal = { .id = id, .lineage = &lineage };
    struct sf_snap_restored out = SF_SNAP_RESTORED_INIT;
    struct sf_snap *snap;
    double start;

    if (!sf_dir_make(dir, 0755, &err))
        die("flat", &err);
    for (unsigned i = 0; i < count; i++)
        flat_put(dir, i, "one\n");
    snap = sf_snap_open(state, work, &err);
    if (!snap)
        die("open", &err);
    take(snap, id);
    flat_change(dir, count);
    start = now_ms();
    if (!sf_snap_restore(snap, &goal, &out, &err))
        die("restore", &err);
    start = now_ms() - start;
    sf_snap_restored_release(&out);
    sf_snap_lineage_release(&lineage);
    sf_snap_close(snap);
    free(work);
    free(state);
    free(dir);
    return start;
}

static double git(const char *dir, const char *command)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    double start;

    sf_strbuf_addf(&line, "cd '%s' && %s", dir, command);
    start = now_ms();
    if (system(line.buf) != 0) // NOLINT: the bench's own command
        fprintf(stderr, "bench: %s failed\n", command);
    sf_strbuf_release(&line);
    return now_ms() - start;
}

/* bench_snapshot DIR many COUNT */
static int many(const char *scratch, unsigned count)
{
    double took = restore_many(scratch, count);

    printf("%6u changes of one directory restored in %.1f ms, %.0f us each\n", count, took,
           took * 1e3 / count);
    return 0;
}

int main(int argc, char **argv)
{
    static const char commit[] = "git add -A && git commit -qm x --allow-empty";
    double ours[3][ROUNDS_MAX], theirs[3][ROUNDS_MAX], first, first_git;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_SNAP_ID + 1], last[SF_SNAP_ID + 1];
    unsigned files = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000;
    unsigned rounds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 7;
    char *work, *state;
    struct sf_snap *snap;

    if (argc > 3 && !strcmp(argv[2], "many"))
        return many(argv[1], (unsigned)strtoul(argv[3], NULL, 10));
    work = sf_path_join(argv[1], "work");
    state = sf_path_join(argv[1], "state");
    files = files < 1 ? 1 : files;
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    for (unsigned i = 0; i < files; i++)
        put(work, i, 0);
    git(work, "git init -q . && sync -f . && sleep 1");
    snap = sf_snap_open(state, work, &err);
    if (!snap)
        die("open", &err);
    first = take(snap, id);
    first_git = git(work, commit);
    git(work, "sync -f . && sleep 1");
    take(snap, last);
    git(work, commit);
    for (unsigned i = 0; i < rounds; i++) {
        ours[0][i] = take(snap, id);
        theirs[0][i] = git(work, commit);
        put(work, i * 7 % files, i + 1);
        ours[1][i] = take(snap, last);
        theirs[1][i] = git(work, commit);
        put(work, i * 11 % files, i + 1000);
        theirs[2][i] = git(work, "git reset -q --hard");
        put(work, i * 11 % files, i + 1000);
        ours[2][i] = restore(snap, last);
    }
    printf("%6u files     first        no change    1 changed    restore of 1\n", files);
    printf("  sf           %8.1f ms  %8.1f ms  %8.1f ms  %8.1f ms\n", first,
           median(ours[0], rounds), median(ours[1], rounds), median(ours[2], rounds));
    printf("  git          %8.1f ms  %8.1f ms  %8.1f ms  %8.1f ms\n", first_git,
           median(theirs[0], rounds), median(theirs[1], rounds), median(theirs[2], rounds));
    printf("  sf/git       %8.2f     %8.2f     %8.2f     %8.2f\n", first / first_git,
           ours[0][rounds / 2] / theirs[0][rounds / 2], ours[1][rounds / 2] / theirs[1][rounds / 2],
           ours[2][rounds / 2] / theirs[2][rounds / 2]);
    sf_snap_close(snap);
    free(work);
    free(state);
    return 0;
}
