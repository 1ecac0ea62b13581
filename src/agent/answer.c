/*
 * answer.c: what is taken into the history of what a model sends: ids made unique, arguments
 * held to a size, empty texts left out.
 */
#include "agent/internal.h"
#include "base/base.h"

/* Arguments nobody should hold in memory twice are refused, not stored. */
static void check_block(struct sf_block *b)
{
    if (b->kind != SF_BLOCK_CALL || b->len <= SF_AGENT_ARGS_MAX)
        return;
    free(b->text);
    b->text = sf_strdup("{\"too_large\":true}");
    b->len = strlen(b->text);
}

static bool has_call(const struct sf_message *m, const char *id)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->blocks[i].kind == SF_BLOCK_CALL && !strcmp(m->blocks[i].id, id))
            return true;
    return false;
}

static bool is_used(const struct sf_agent *a, const char *id)
{
    for (size_t i = a->tale.history.count; i-- > 0;)
        if (has_call(&a->tale.history.messages[i], id))
            return true;
    return has_call(&a->answer, id);
}

/* Small servers number their calls anew in each answer; services want each id once. */
static void make_unique(const struct sf_agent *a, struct sf_block *call)
{
    char *first = sf_strdup(call->id);

    for (unsigned n = 2; is_used(a, call->id); n++) {
        struct sf_strbuf id = SF_STRBUF_INIT;

        sf_strbuf_addf(&id, "%s_%u", first, n);
        free(call->id);
        call->id = sf_strbuf_detach(&id);
    }
    free(first);
}

void sf_answer_take(struct sf_agent *a, struct sf_block *block)
{
    check_block(block);
    if (block->kind == SF_BLOCK_CALL)
        make_unique(a, block);
    if (block->kind == SF_BLOCK_TEXT && !block->len)
        return;
    sf_message_adopt(&a->answer, block);
}
