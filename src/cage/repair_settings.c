/*
 * repair_settings.c: settings of git that a command wrote. What is not tame and was not there is
 * taken out; the rest is written anew, setting by setting.
 */
#include <string.h>

#include "cage/repair.h"
#include "guard/guard.h"

/* Settings on their way into the text that is written anew. */
struct sieve {
    struct sf_strlist known; /* those that were there before */
    struct sf_strbuf out, header, last;
    struct sf_strbuf names; /* of those that stay behind */
    bool of_module;
};

static void add_setting_line(struct sf_strbuf *out, const struct sf_git_setting *s)
{
    sf_strbuf_addf(out, "%s\n%s\n%s\n%s", s->section, s->sub ? s->sub : "", s->key,
                   s->value ? s->value : "");
}

static void note_known(void *ctx, const struct sf_git_setting *s)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    add_setting_line(&line, s);
    sf_strlist_adopt(ctx, sf_strbuf_detach(&line));
}

/* A work tree elsewhere could be anybody's: only a submodule's data needs to name one. */
static bool may_stay(const struct sf_git_setting *s, bool of_module)
{
    return sf_git_setting_is_tame(s) &&
           (of_module || strcmp(s->section, "core") != 0 || strcmp(s->key, "worktree") != 0);
}

static void sift(void *ctx, const struct sf_git_setting *s)
{
    struct sieve *v = ctx;
    struct sf_strbuf line = SF_STRBUF_INIT;

    add_setting_line(&line, s);
    if (!may_stay(s, v->of_module) && !sf_strlist_has(&v->known, line.buf)) {
        sf_strbuf_addf(&v->names, "%s%s.%s", v->names.len ? ", " : "", s->section, s->key);
    } else {
        sf_strbuf_reset(&v->header);
        sf_strbuf_addf(&v->header, s->sub ? "[%s \"%s\"]\n" : "[%s]\n", s->section, s->sub);
        if (strcmp(v->header.buf, v->last.len ? v->last.buf : "") != 0) {
            sf_strbuf_adds(&v->out, v->header.buf);
            sf_strbuf_reset(&v->last);
            sf_strbuf_adds(&v->last, v->header.buf);
        }
        sf_strbuf_addf(&v->out, s->value ? "\t%s = %s\n" : "\t%s\n", s->key, s->value);
    }
    sf_strbuf_release(&line);
}

static void sieve_init(struct sieve *v, const struct sf_repair_part *now,
                       const struct sf_repair_part *before)
{
    *v = (struct sieve){ .of_module = strstr(now->path, "/modules/") != NULL };
    sf_strbuf_init(&v->out);
    sf_strbuf_init(&v->header);
    sf_strbuf_init(&v->last);
    sf_strbuf_init(&v->names);
    if (before && before->text.len)
        sf_git_settings_read(before->text.buf, before->text.len, note_known, &v->known);
}

static void sieve_release(struct sieve *v)
{
    sf_strlist_release(&v->known);
    sf_strbuf_release(&v->out);
    sf_strbuf_release(&v->header);
    sf_strbuf_release(&v->last);
    sf_strbuf_release(&v->names);
}

void sf_repair_mend_settings(struct sf_repair *m, const struct sf_repair_part *now,
                             const struct sf_repair_part *before)
{
    struct sf_strbuf what = SF_STRBUF_INIT;
    struct sieve v;
    bool sure;

    if (m->care->how.any || sf_repair_mend_link(m, now, before) || !now->regular ||
        (before && before->regular && sf_repair_same_text(now, before)))
        return;
    sieve_init(&v, now, before);
    sure = now->text.len <= SF_MEND_TEXT_MAX &&
           (!now->text.len || sf_git_settings_read(now->text.buf, now->text.len, sift, &v));
    if (!sure && before && before->regular && before->text.len <= SF_MEND_TEXT_MAX) {
        sf_repair_put_back(m, before);
    } else if (!sure || v.names.len) {
        sf_strbuf_addf(&what, "%s taken out", v.names.len ? v.names.buf : "what is not plain");
        sf_repair_tell(m, sf_repair_write(now->path, v.out.len ? v.out.buf : "", v.out.len),
                       now->path, what.buf);
    }
    sieve_release(&v);
    sf_strbuf_release(&what);
}
