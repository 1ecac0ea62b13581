/*
 * context.c: sorts the blocks of a history into parts and makes the numbers agree.
 */
#include "agent/context.h"

#include <string.h>

#include "agent/log.h"

const char *const sf_context_names[SF_CONTEXT_COUNT] = {
    [SF_CONTEXT_SYSTEM] = "system prompt",
    [SF_CONTEXT_TOOLS] = "tools",
    [SF_CONTEXT_INSTRUCTIONS] = "instructions",
    [SF_CONTEXT_MEMORY] = "memory",
    [SF_CONTEXT_PINNED] = "pinned",
    [SF_CONTEXT_SUMMARY] = "summary",
    [SF_CONTEXT_USER] = "you",
    [SF_CONTEXT_ASSISTANT] = "answers, calls",
    [SF_CONTEXT_RESULTS] = "tool results",
    [SF_CONTEXT_NOTES] = "sf's notes",
    [SF_CONTEXT_ANSWER] = "for the answer",
    [SF_CONTEXT_FREE] = "free",
};

/* Texts in a user's message that sf added, by their prefix. */
static const struct {
    const char *begin;
    enum sf_context_part part;
} own[] = {
    { SF_META_TAG, SF_CONTEXT_NOTES },
    { "<user_shell>", SF_CONTEXT_NOTES },
    { SF_BRIEFED_TAG, SF_CONTEXT_INSTRUCTIONS },
    { SF_RESTORED_TAG, SF_CONTEXT_NOTES },
    { "<pinned>", SF_CONTEXT_PINNED },
    { "[sf] The conversation up to here", SF_CONTEXT_SUMMARY },
    { "[sf] ", SF_CONTEXT_NOTES },
};

static enum sf_context_part part_of(enum sf_role role, const struct sf_block *b)
{
    if (b->kind == SF_BLOCK_RESULT)
        return SF_CONTEXT_RESULTS;
    if (role == SF_ROLE_ASSISTANT)
        return SF_CONTEXT_ASSISTANT;
    for (size_t i = 0; b->kind == SF_BLOCK_TEXT && i < SF_COUNT(own); i++)
        if (!strncmp(b->text, own[i].begin, strlen(own[i].begin)))
            return own[i].part;
    return SF_CONTEXT_USER;
}

static void add_message(const struct sf_message *m, struct sf_context *c)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct sf_message one = { .role = m->role, .blocks = &m->blocks[i], .count = 1 };

        c->tokens[part_of(m->role, &m->blocks[i])] += (int64_t)sf_message_tokens(&one);
    }
}

static int64_t sum(const struct sf_context *c)
{
    int64_t all = 0;

    for (int i = 0; i < SF_CONTEXT_ANSWER; i++)
        all += c->tokens[i];
    return all;
}

/* The rounding error goes to the largest part, where it does not show. */
static void scale(struct sf_context *c, int64_t total)
{
    int64_t guessed = sum(c), largest = 0;
    int at = 0;

    for (int i = 0; i < SF_CONTEXT_ANSWER && guessed > 0; i++) {
        c->tokens[i] = (int64_t)((double)c->tokens[i] * (double)total / (double)guessed);
        if (c->tokens[i] > largest) {
            largest = c->tokens[i];
            at = i;
        }
    }
    c->tokens[at] += total - sum(c);
}

void sf_context_weigh(const struct sf_context_facts *f, struct sf_context *c)
{
    int64_t left;

    *c = (struct sf_context){ .window = f->window };
    c->tokens[SF_CONTEXT_SYSTEM] = f->system;
    c->tokens[SF_CONTEXT_TOOLS] = f->tools;
    c->tokens[SF_CONTEXT_INSTRUCTIONS] = f->instructions;
    c->tokens[SF_CONTEXT_MEMORY] = f->memory;
    for (size_t i = 0; i < f->history->count; i++)
        add_message(&f->history->messages[i], c);
    if (f->total > 0)
        scale(c, f->total);
    c->used = sum(c);
    left = f->window > c->used ? f->window - c->used : 0;
    c->tokens[SF_CONTEXT_ANSWER] = f->max_output < left ? f->max_output : left;
    c->tokens[SF_CONTEXT_FREE] = left - c->tokens[SF_CONTEXT_ANSWER];
}

int sf_context_percent(const struct sf_context *c, int64_t tokens)
{
    int64_t of = c->window > 0 ? c->window : c->used;

    return of > 0 ? (int)((double)tokens * 100 / (double)of + 0.5) : 0;
}

int sf_context_cells(int64_t tokens, int64_t of, int cells)
{
    int n;

    if (tokens <= 0 || of <= 0 || cells <= 0)
        return 0;
    if (tokens >= of)
        return cells;
    n = (int)((double)tokens * cells / (double)of + 0.5);
    return n < 1 ? 1 : n;
}
