/*
 * decision_check.c: one query over results and decisions.
 */
#include "support/decision_check.h"

#include <dirent.h>
#include <unistd.h>

#include "store/store.h"
#include "support/test.h"

enum { DEPTH_MAX = 4 };

/* Results of the model's calls and of the user's own commands; not those that a test planted. */
#define RESULTS                                                                            \
    "SELECT id, session_id, time, json_extract(data, '$.message.blocks[0].name') AS tool," \
    " json_extract(data, '$.message.blocks[0].error') AS failed,"                          \
    " json_extract(data, '$.message.blocks[0].text') AS text,"                             \
    " json_extract(data, '$.detail.decision') AS decision,"                                \
    " json_extract(data, '$.detail.took_ms') AS took FROM events WHERE kind = 'result'"    \
    " AND json_extract(data, '$.detail.planted') IS NULL"                                  \
    " UNION ALL SELECT id, session_id, time, 'Bash', json_extract(data, '$.error'),"       \
    " json_extract(data, '$.text'), json_extract(data, '$.decision'),"                     \
    " json_extract(data, '$.took_ms') FROM events WHERE kind = 'shell'"                    \
    " AND json_extract(data, '$.planted') IS NULL"

/* What a session did here itself; whatever is older was imported. */
#define LIVE                                               \
    "SELECT session_id, decided_at AS time FROM decisions" \
    " UNION ALL SELECT session_id, time FROM usage"

#define PERMITS "(d.verdict = 'allow' OR (d.verdict = 'ask' AND d.answer LIKE 'allow%'))"

/*
 * Three ways are right: refused before it could be judged; permitted, and it ran; not run, with the
 * decision that says no, or because the turn was stopped.
 */
#define KEPT                                                                         \
    "(r.decision IS NULL AND r.failed AND r.took IS NULL)"                           \
    " OR (d.id IS NOT NULL AND r.took IS NOT NULL AND " PERMITS ")"                  \
    " OR (d.id IS NOT NULL AND r.took IS NULL AND r.failed AND (NOT ifnull(" PERMITS \
    ", 0) OR r.text LIKE '[sf] Not run%'))"

struct look {
    struct sf_strbuf *broken;
    size_t results;
};

static const char *text_of(const struct sf_query_value *v)
{
    return v->type == SF_QUERY_TEXT ? v->bytes : "none";
}

static bool see(const struct sf_query_row *row, void *ctx)
{
    const struct sf_query_value *v = row->values;
    struct look *look = ctx;

    look->results++;
    if (!v[0].integer)
        sf_strbuf_addf(look->broken, "%s: verdict %s, answer %s, %s: %.200s\n", text_of(&v[1]),
                       text_of(&v[2]), text_of(&v[3]), v[4].integer ? "it ran" : "it did not run",
                       text_of(&v[5]));
    return true;
}

static void look_at(const char *dir, struct look *look)
{
    const struct sf_query query = {
        .sql =
            "SELECT (" KEPT "), r.tool, d.verdict, d.answer, r.took IS NOT NULL, r.text"
            " FROM (" RESULTS ") r LEFT JOIN decisions d ON d.id = r.decision AND"
            " d.session_id = r.session_id AND d.tool = r.tool AND d.decided_at <= r.time"
            " WHERE r.time >= (SELECT min(time) FROM (" LIVE ") WHERE session_id = r.session_id)",
        .row = see,
        .ctx = look
    };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_query(dir, &query, &err) && (err.code == SF_E_SYNTAX || err.code == SF_E_ARG))
        fail_msg("the check itself is wrong: %s", err.msg);
}

static void walk(const char *dir, int depth, struct look *look)
{
    char *db = test_path(dir, "sf.db");
    DIR *list = depth < DEPTH_MAX ? opendir(dir) : NULL;

    if (access(db, F_OK) == 0)
        look_at(dir, look);
    free(db);
    for (struct dirent *e; list && (e = readdir(list));) {
        char *below = test_path(dir, e->d_name);

        if (e->d_type == DT_DIR && e->d_name[0] != '.')
            walk(below, depth + 1, look);
        free(below);
    }
    if (list)
        closedir(list);
}

size_t decision_check(const char *dir, struct sf_strbuf *broken)
{
    struct look look = { .broken = broken };

    walk(dir, 0, &look);
    return look.results;
}

void decision_check_or_fail(const char *dir)
{
    struct sf_strbuf broken = SF_STRBUF_INIT;

    decision_check(dir, &broken);
    if (broken.len)
        fail_msg("results without a decision that permits them:\n%s", broken.buf);
    sf_strbuf_release(&broken);
}
