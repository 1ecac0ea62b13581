/*
 * git_repair.c: compares the parts before and after, and has one table of what is done about one
 * that differs.
 */
#include "cage/git_repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cage/plan.h"
#include "cage/repair.h"
#include "guard/guard.h"
#include "io/io.h"

void sf_repair_tell(struct sf_repair *m, bool ok, const char *path, const char *what)
{
    const char *root = sf_repositories_root(m->care->all);
    const char *shown =
        sf_cage_below(root, path) && path[strlen(root)] == '/' ? path + strlen(root) + 1 : path;

    sf_strlist_addf(ok ? &m->mended : &m->failed, "%s (%s)", shown, what);
}

bool sf_repair_mend_link(struct sf_repair *m, const struct sf_repair_part *now,
                         const struct sf_repair_part *before)
{
    if (!now->link)
        return false;
    if (!before || !before->link || strcmp(before->link, now->link) != 0)
        sf_repair_tell(m, sf_repair_remove(now->path), now->path, "a link, removed");
    return true;
}

void sf_repair_put_back(struct sf_repair *m, const struct sf_repair_part *before)
{
    sf_repair_tell(m, sf_repair_write(before->path, before->text.buf, before->text.len),
                   before->path, "as before again");
}

/* Where a linked worktree finds the rest: always the directory two above. */
static void mend_common(struct sf_repair *m, const struct sf_repair_part *now,
                        const struct sf_repair_part *before)
{
    static const char usual[] = "../..\n";

    if (sf_repair_mend_link(m, now, before) ||
        (before && before->there && sf_repair_same_text(now, before)))
        return;
    if (before && before->regular)
        sf_repair_put_back(m, before);
    else if (!now->linked)
        sf_repair_tell(m, sf_repair_remove(now->path), now->path, "removed");
    else if (!now->regular || strcmp(now->text.len ? now->text.buf : "", usual) != 0)
        sf_repair_tell(m, sf_repair_write(now->path, usual, sizeof(usual) - 1), now->path,
                       "as git writes it");
}

/* Which work tree a linked one is: `git worktree remove` deletes what is named there. */
static void mend_back(struct sf_repair *m, const struct sf_repair_part *now,
                      const struct sf_repair_part *before)
{
    if (!m->care->how.git_alone && before && before->regular && !sf_repair_same_text(now, before))
        sf_repair_put_back(m, before);
}

/* A .git that leads into the workspace was followed; one that leads elsewhere is as before. */
static void mend_pointer(struct sf_repair *m, const struct sf_repair_part *now,
                         const struct sf_repair_part *before)
{
    char *target;

    if (before && before->there && sf_repair_same_text(now, before) &&
        (now->link != NULL) == (before->link != NULL) &&
        (!now->link || !strcmp(now->link, before->link)))
        return;
    target = sf_repositories_target(now->path);
    if (target && !sf_repositories_reach(m->care->all, target)) {
        if (before && before->regular)
            sf_repair_put_back(m, before);
        else
            sf_repair_tell(m, sf_repair_remove(now->path), now->path, "removed: it leads outside");
    }
    free(target);
}

static void mend_policy(struct sf_repair *m, const struct sf_repair_part *now,
                        const struct sf_repair_part *before)
{
    if (!before || before->there)
        return;
    for (size_t i = 0; i < now->items.count; i++)
        sf_strlist_add(&m->policy, now->items.items[i]);
    if (now->link)
        sf_strlist_add(&m->policy, "");
}

/* Which filters and whose objects git uses: a new repository is a command's to make, with its own. */
static void mend_exact(struct sf_repair *m, const struct sf_repair_part *now,
                       const struct sf_repair_part *before)
{
    if (m->care->how.git_alone || !before || sf_repair_mend_link(m, now, before))
        return;
    if (!before->there)
        sf_repair_tell(m, sf_repair_remove(now->path), now->path, "removed");
    else if (before->regular && (!now->regular || !sf_repair_same_text(now, before)))
        sf_repair_tell(m, sf_repair_restore(before), now->path, "as before again");
}

static sf_repair_mend_fn *const menders[SF_MEND_KINDS] = {
    [SF_MEND_SETTINGS] = sf_repair_mend_settings,
    [SF_MEND_HOOKS] = sf_repair_mend_hooks,
    [SF_MEND_HOOK] = sf_repair_mend_hook,
    [SF_MEND_COMMON] = mend_common,
    [SF_MEND_BACK] = mend_back,
    [SF_MEND_EXACT] = mend_exact,
    [SF_MEND_POINTER] = mend_pointer,
    [SF_MEND_POLICY] = mend_policy,
    [SF_MEND_OBEYED] = sf_repair_mend_obeyed,
};

/* ---- words ---- */

static void add_list(struct sf_strbuf *out, const struct sf_strlist *list)
{
    for (size_t i = 0; i < list->count && i < SF_MEND_TOLD_MAX; i++) {
        sf_strbuf_adds(out, i ? ", " : "");
        sf_text_sanitize(out, list->items[i], strlen(list->items[i]), SF_TEXT_ONE_LINE);
    }
    if (list->count > SF_MEND_TOLD_MAX)
        sf_strbuf_addf(out, " and %zu more", list->count - SF_MEND_TOLD_MAX);
}

static void write_words(const struct sf_repair *m, struct sf_strbuf *out)
{
    if (m->mended.count) {
        sf_strbuf_adds(out, "[sf] Put back, since git would run programs by it the next time "
                            "somebody uses it here: ");
        add_list(out, &m->mended);
        sf_strbuf_adds(out, ". Settings of git are changed by a git command alone, hooks by "
                            "people.\n");
    }
    if (m->failed.count) {
        sf_strbuf_adds(out, "[sf] Could not be put back, and git may run programs by it. Use no "
                            "git here before you have looked at: ");
        add_list(out, &m->failed);
        sf_strbuf_adds(out, ".\n");
    }
    if (m->obeyed.count) {
        sf_strbuf_adds(out, "[sf] Put back, since a shell, an editor, an agent or another "
                            "program would obey it later on: ");
        add_list(out, &m->obeyed);
        sf_strbuf_adds(out, ". Such files are for people to write.\n");
    }
    if (m->policy.count) {
        sf_strbuf_adds(out, "[sf] The command made settings of sf for this project: .sf/");
        add_list(out, &m->policy);
        sf_strbuf_adds(out, ". Until somebody trusts them (sf trust) they can only forbid.\n");
    }
}

/* ---- history ---- */

/* The next look, for another command, overwrites what was found. */
static void copy_kept(struct sf_repositories_found *to, const struct sf_repositories_found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        struct sf_git_dir dir = found->dirs[i];

        if (!dir.kept)
            continue;
        dir.path = sf_strdup(dir.path);
        to->dirs = sf_grow(to->dirs, &to->cap, to->count + 1, sizeof(dir));
        to->dirs[to->count++] = dir;
    }
}

void sf_git_repair_keep(struct sf_git_repair *care)
{
    if (care->how.history)
        sf_git_history_keep(care->how.history, &care->kept);
    care->keeps = care->how.history != NULL;
}

/* After the rest: what comes back here is as it was, and must not be taken for the command's. */
void sf_git_repair_settle_history(struct sf_git_repair *care, struct sf_strbuf *out)
{
    const struct sf_git_history_how how = { .git_alone = care->how.git_alone,
                                            .may_change = care->how.may_change,
                                            .hurry = &care->hurry };

    if (care->keeps)
        sf_git_history_settle(care->how.history, &how, out);
    care->keeps = false;
}

void sf_git_repair_hurry(struct sf_git_repair *care)
{
    atomic_store(&care->hurry, true);
}

void sf_git_repair_settle(struct sf_git_repair *care, struct sf_strbuf *out)
{
    struct sf_repair m = { .care = care };
    struct sf_repair_parts now = { 0 };

    sf_repair_take(&now, care->all, &care->how);
    for (size_t i = 0; i < now.count; i++) {
        const struct sf_repair_part *p = &now.list[i],
                                    *before = sf_map_gets(&care->before.by_path, p->path);

        if (p->there && !(before && before->held))
            menders[p->kind](&m, p, before);
    }
    sf_repair_bring_back(&m, &now);
    write_words(&m, out);
    sf_repair_drop(&now);
    sf_strlist_release(&m.mended);
    sf_strlist_release(&m.failed);
    sf_strlist_release(&m.policy);
    sf_strlist_release(&m.obeyed);
}

struct sf_git_repair *sf_git_repair_new(struct sf_repositories *all,
                                        const struct sf_git_repair_how *how)
{
    struct sf_git_repair *care = sf_alloc(sizeof(*care));

    care->all = all;
    care->how = *how;
    for (const char *const *path = how->may_change; path && *path; path++)
        sf_strlist_add(&care->may_change, *path);
    care->how.may_change =
        care->may_change.count ? (const char *const *)care->may_change.items : NULL;
    copy_kept(&care->kept, sf_repair_take(&care->before, all, &care->how));
    return care;
}

void sf_git_repair_free(struct sf_git_repair *care)
{
    struct sf_strbuf unheard = SF_STRBUF_INIT;

    if (!care)
        return;
    sf_git_repair_settle_history(care, &unheard);
    sf_strbuf_release(&unheard);
    sf_repair_drop(&care->before);
    for (size_t i = 0; i < care->kept.count; i++)
        free(care->kept.dirs[i].path);
    free(care->kept.dirs);
    sf_strlist_release(&care->may_change);
    free(care);
}
