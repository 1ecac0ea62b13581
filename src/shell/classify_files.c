/*
 * classify_files.c: programs that create, copy, change and unpack files. Each judge tells apart
 * which operands are read and which are written.
 */
#include <string.h>

#include "shell/classifier.h"

/* Options nobody listed may name a file all the same: `diff --from-file=x y`. */
static void read_attached(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 1; i < call->count; i++) {
        const struct sf_word *w = &call->words[i];
        const char *equals = strncmp(w->text, "--", 2) ? NULL : strchr(w->text, '=');

        if (equals && (strchr(equals, '/') || strstr(equals, "..")))
            sf_classify_reads(j, w, equals + 1);
    }
}

void sf_classify_operands_read(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++) {
        const char *t = call->operands[i]->text;

        sf_classify_reads(j, call->operands[i], t);
        if (*t == '+' && strpbrk(t, "!|s")) /* pagers take commands that way */
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", call->operands[i]);
    }
    if (!call->fact->options || *call->fact->options == '*')
        read_attached(j, call);
}

/* Programs that show no more of a file than its name and its dates. */
void sf_classify_operands_listed(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++)
        sf_classify_lists(j, call->operands[i], call->operands[i]->text);
}

/* grep and its kin: the first operand is what is looked for, unless an option gave it. */
void sf_classify_search(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t first = !sf_options_has(call->options, "-e -f --regexp --file --files --type-list");

    for (size_t i = first; i < call->noperands; i++)
        sf_classify_reads(j, call->operands[i], call->operands[i]->text);
    if (!strcmp(call->argv[0].text, "ag") && sf_options_has(call->options, "-f"))
        sf_classify_follows(j, NULL, false); /* there it names no file, it follows links */
}

/* The root, the home, or a directory the system lives in, with or without what is in it. */
static bool is_everything(const struct sf_word *w)
{
    static const char places[] = "|/home|/root|/usr|/etc|/var|/bin|/sbin|/lib|/lib64|/boot|/opt|"
                                 "/srv|/dev|/proc|/sys|/Users|/System|/Library|~";
    char text[32];
    size_t n = w->len;

    if (w->lead && strcmp(w->lead, "HOME") != 0)
        return false;
    while (n && (w->text[n - 1] == '*' || w->text[n - 1] == '/' || w->text[n - 1] == '.'))
        n--;
    if (w->lead)
        return n == 0;
    if (n == 0)
        return w->text[0] == '/';
    if (n >= sizeof(text))
        return false;
    memcpy(text, w->text, n);
    text[n] = '\0';
    return sf_pattern_fits(places, sizeof(places) - 1, text);
}

void sf_classify_delete(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++) {
        if (is_everything(call->operands[i]))
            sf_classify_rename(j, SF_CLASS_DESTRUCTIVE, "delete-root", call->operands[i]);
        sf_note_removed(j, call->operands[i]);
    }
    j->report->removes_more = j->report->removes_more || !call->noperands; /* xargs rm */
}

void sf_classify_operands_written(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++)
        sf_classify_write(j, call->operands[i], call->operands[i]->text);
}

/* Without -a, and with nothing to read, it empties what it writes. */
void sf_classify_tee(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands && sf_starves(call->cmd) && !sf_options_has(call->options, "-a --append"))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", call->operands[0]);
    sf_classify_operands_written(j, call);
}

void sf_classify_install(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands == 2 && !strcmp(call->operands[0]->text, "/dev/null"))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", call->operands[1]);
    sf_classify_operands_written(j, call);
}

/* A pattern, `$x` and "$@" may be several words. */
static bool is_many(const struct sf_word *w)
{
    if (w->flags & SF_WORD_ONE)
        return false;
    if (w->flags & (SF_WORD_GLOB | SF_WORD_SPLITS | SF_WORD_BRACE))
        return true;
    for (uint32_t i = 0; i < w->npieces; i++)
        if (w->pieces[i].kind == SF_PIECE_UNKNOWN ||
            (w->pieces[i].name && strchr(w->pieces[i].name, '@')))
            return true;
    return false;
}

/* Programs whose second operand is written: `uniq IN OUT`, `xxd IN OUT`. */
void sf_classify_second_written(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word *first;

    if (!call->noperands)
        return;
    first = call->operands[0];
    sf_classify_reads(j, first, first->text);
    if (is_many(first))
        sf_classify_write(j, first, first->text);
    if (call->noperands < 2)
        return;
    if (!strcmp(first->text, "/dev/null"))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", call->operands[1]);
    sf_classify_write(j, call->operands[1], call->operands[1]->text);
}

/* What is copied there may keep its name: "sub/", ".", and "sub", which has no ending. */
static bool may_be_directory(const char *target)
{
    size_t len = strlen(target);
    const char *slash = strrchr(target, '/');

    return !len || target[len - 1] == '/' || target[len - 1] == '.' ||
           !strchr(slash ? slash + 1 : target, '.');
}

/* The last operand is written, the others are read; -t names the target instead. */
void sf_classify_copy(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool target = sf_options_has(call->options, "-t --target-directory");
    size_t n = call->noperands;

    for (size_t i = 0; i + !target < n; i++) {
        sf_classify_reads(j, call->operands[i], call->operands[i]->text);
        if (target || may_be_directory(call->operands[n - 1]->text))
            sf_classify_lands(j, call->operands[i]);
        if (!target && i + 2 == n && !strcmp(call->operands[i]->text, "/dev/null"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", call->operands[i]);
    }
    if (!target && n > 1) {
        const struct sf_word *w = call->operands[n - 1];

        if (sf_reach_of(j, w, w->text) == SF_REACH_SINK)
            return;
        sf_classify_write(j, w, w->text);
    }
}

/* Moving also takes the sources away, so they count as written; onto a device they are lost. */
void sf_classify_move(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++) {
        const struct sf_word *w = call->operands[i];

        if (sf_reach_of(j, w, w->text) == SF_REACH_SINK)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "write-device", w);
        sf_classify_write(j, w, w->text);
    }
}

/* Only the name of the link is written. */
void sf_classify_link(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t n = call->noperands;

    bool target = sf_options_has(call->options, "-t --target-directory");

    if (n > 1 && !target)
        sf_classify_write(j, call->operands[n - 1], call->operands[n - 1]->text);
    for (size_t i = 0; i < n && (n == 1 || target || i + 1 < n); i++)
        sf_classify_reads(j, call->operands[i], call->operands[i]->text); /* through the link */
    for (size_t i = 0; i < n && (n == 1 || target || i + 1 < n); i++)
        if (n == 1 || target || may_be_directory(call->operands[n - 1]->text))
            sf_classify_lands(j, call->operands[i]);
}

/* Modes that open, lock or elevate. */
static bool drastic_mode(const char *mode, bool recursive)
{
    size_t digits = strspn(mode, "01234567");

    if (digits && !mode[digits]) {
        const char *last = mode + digits - 1;

        if (digits > 3 && strspn(mode, "0") + 3 < digits)
            return true; /* setuid, setgid, sticky */
        return strchr("2367", *last) != NULL || strspn(mode, "0") == digits;
    }
    if (strpbrk(mode, "st"))
        return true;
    for (const char *p = mode; (p = strpbrk(p, "oa")) != NULL; p++) {
        const char *plus = p + strspn(p, "ugoa");

        if ((*plus == '+' || *plus == '=') && strchr(plus, 'w'))
            return true;
    }
    return recursive && strpbrk(mode, "-=") && strpbrk(mode, "rwX");
}

void sf_classify_chmod(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool recursive = sf_options_has(call->options, "-R --recursive");
    const struct sf_word *mode = call->noperands ? call->operands[0] : NULL;
    size_t first = 1;

    for (size_t i = 1; i < call->count; i++) { /* -x is a mode, not an option */
        const char *t = call->words[i].text;

        if (*t == '-' && t[1] && strspn(t + 1, "rwxXst") == strlen(t + 1)) {
            mode = &call->words[i];
            first = 0;
        }
    }
    if (sf_options_has(call->options, "--reference"))
        first = 0;
    else if (mode && (mode->flags & SF_WORD_EXPANDS || drastic_mode(mode->text, recursive)))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "permissions", mode);
    for (size_t i = first; i < call->noperands; i++)
        sf_classify_write(j, call->operands[i], call->operands[i]->text);
}

/* cpio -o, cpio -p DIR, pax -w: what they copy is named in their input. */
void sf_classify_cpio(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_shell_command *from = call->cmd->redirects ? NULL : call->cmd->from;

    sf_classify_operands_written(j, call);
    if (!sf_options_has(call->options, "-o -p -w --create --pass-through"))
        return;
    if (from && sf_outputs_inside(j, from))
        sf_classify_follows(j, NULL, false);
    else
        sf_classify_reads_list(j, "");
}

void sf_classify_dd(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool empty = sf_starves(call->cmd);

    for (size_t i = 1; i < call->count; i++)
        empty = empty || !strcmp(call->words[i].text, "if=/dev/null") ||
                !strcmp(call->words[i].text, "count=0");
    for (size_t i = 1; i < call->count; i++) {
        const struct sf_word *w = &call->words[i];

        if (!strncmp(w->text, "if=", 3)) {
            sf_classify_reads(j, w, w->text + 3);
        } else if (!strncmp(w->text, "of=", 3)) {
            sf_classify_write(j, w, w->text + 3);
            if (empty)
                sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", w);
        } else if (w->flags & SF_WORD_EXPANDS && !strchr(w->text, '=')) {
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "write-unknown", w);
        }
    }
}

void sf_classify_truncate(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *o = sf_options_find(call->options, "-s --size");

    if (!o || !o->value || strpbrk(o->value, "-<") || strspn(o->value, "0") == strlen(o->value) ||
        o->value_in->flags & SF_WORD_EXPANDS)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", &call->words[0]);
    sf_classify_operands_written(j, call);
}

/* -f FILE of sed and awk is a program. */
static void run_script_files(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->options->count; i++) {
        const struct sf_word_option *o = &call->options->items[i];

        if (o->effect != '+' || !o->value)
            continue;
        if (!strcmp(o->value, "-") || !strncmp(o->value, "/dev/", 5))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "opaque-script", o->word);
        else
            sf_classify_run_file(j, o->value_in, o->value, false);
    }
}

/* A script of sed that leaves nothing of a file it edits in place. */
static bool leaves_nothing(const struct sf_shell_call *call, const char *script)
{
    static const char all[] = "d|1,$d|1,$ d|0,$d|Q|1Q|1,$D|D";
    bool quiet = sf_options_has(call->options, "-n --quiet --silent");

    script += strspn(script, " \t\n;");
    return quiet ? !strpbrk(script, "pPwWaicl=") : sf_pattern_fits(all, sizeof(all) - 1, script);
}

/* sed: the script is the first operand unless -e or -f gave one; -i writes the files. */
void sf_classify_sed(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool in_place = sf_options_has(call->options, "-i --in-place");
    bool scripted = sf_options_has(call->options, "-e --expression -f --file");

    for (size_t i = 0; i < call->options->count; i++) {
        const struct sf_word_option *o = &call->options->items[i];

        if (o->value && ((o->name_len == 1 && *o->name == 'e') ||
                         (o->name_len == 10 && !strncmp(o->name, "expression", 10))))
            sf_classify_sed_script(j, o->value_in, o->value);
        if (o->effect == '~' && o->value && strchr(o->value, '/'))
            sf_classify_write(j, o->value_in, o->value); /* where the old file is kept */
    }
    run_script_files(j, call);
    if (!scripted && call->noperands)
        sf_classify_sed_script(j, call->operands[0], call->operands[0]->text);
    if (in_place && !scripted && call->noperands && leaves_nothing(call, call->operands[0]->text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", call->operands[0]);
    for (size_t i = !scripted; i < call->noperands; i++) {
        if (in_place)
            sf_classify_write(j, call->operands[i], call->operands[i]->text);
        else
            sf_classify_reads(j, call->operands[i], call->operands[i]->text);
    }
}

/* Nothing but actions, none of which prints: what is edited in place ends up empty. */
static bool prints_never(const char *script)
{
    size_t len = strlen(script);

    while (len && strchr(" \t\n", script[len - 1]))
        len--;
    return !len || (!strstr(script, "print") && strchr(script, '{') && script[len - 1] == '}' &&
                    !memchr(script, ';', strcspn(script, "{")));
}

static bool edits_in_place(const struct sf_options *options)
{
    const struct sf_word_option *o = sf_options_find(options, "-i --include");

    return o && o->value && !strcmp(o->value, "inplace");
}

void sf_classify_awk(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool scripted = sf_options_has(call->options, "-f --file -e --source -E --exec");
    const struct sf_word_option *o = sf_options_find(call->options, "-e --source");

    run_script_files(j, call);
    if (o && o->value)
        sf_classify_awk_script(j, o->value_in, o->value);
    if (!scripted && call->noperands)
        sf_classify_awk_script(j, call->operands[0], call->operands[0]->text);
    if (edits_in_place(call->options) && !scripted && call->noperands &&
        prints_never(call->operands[0]->text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", call->operands[0]);
    for (size_t i = !scripted; i < call->noperands; i++) {
        if (edits_in_place(call->options))
            sf_classify_write(j, call->operands[i], call->operands[i]->text);
        else
            sf_classify_reads(j, call->operands[i], call->operands[i]->text);
    }
}

/* What the old way of writing tar's options says: letters, then their values in order. */
struct tar {
    const char *letters;           /* "" when options have dashes */
    const struct sf_word *archive; /* or NULL */
    const char *archive_name;
};

static void old_letters(struct sf_classifier *j, const struct sf_shell_call *call, struct tar *tar)
{
    size_t next = 2;

    for (const char *p = tar->letters; *p; p++) {
        const struct sf_word *value = next < call->count ? &call->words[next] : NULL;

        if (!strchr("fCbTXKNVLgIFHs", *p)) {
            for (size_t i = 2; *p == 'h' && i < call->count; i++)
                sf_classify_follows(j, &call->words[i], false);
            if (*p == 'P')
                sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-destructive", &call->words[1]);
            continue;
        }
        next++;
        if (strchr("IF", *p))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", &call->words[1]);
        else if (value && *p == 'f') {
            tar->archive = value;
            tar->archive_name = value->text;
        } else if (*p == 'T') {
            sf_classify_reads_list(j, value ? value->text : "");
        } else if (value && strchr("Cg", *p) && strchr(tar->letters, 'x'))
            sf_classify_write(j, value, value->text);
    }
}

static bool tar_does(const struct sf_shell_call *call, const struct tar *tar, const char *letters,
                     const char *names)
{
    return strpbrk(tar->letters, letters) || sf_options_has(call->options, names);
}

static void read_tar(struct sf_classifier *j, const struct sf_shell_call *call, struct tar *tar)
{
    const struct sf_word_option *file = sf_options_find(call->options, "-f --file");
    const char *first = call->count > 1 ? call->words[1].text : "";

    *tar = (struct tar){ .letters = "" };
    if (*first && *first != '-' &&
        strspn(first, "AcdrtuxvfzjJpkmwhlOPCiSWbnBZGaIFTXKNVLgHUs") == strlen(first)) {
        tar->letters = first;
        old_letters(j, call, tar);
    }
    if (file && file->value) {
        tar->archive = file->value_in;
        tar->archive_name = file->value;
    }
}

void sf_classify_tar(struct sf_classifier *j, const struct sf_shell_call *call)
{
    struct tar tar;
    bool extracts;

    read_tar(j, call, &tar);
    extracts = tar_does(call, &tar, "x", "-x --extract --get");
    if (extracts && !tar_does(call, &tar, "O", "-O --to-stdout"))
        sf_classify_raise(j, SF_CLASS_LOCAL_EDIT, "unpack", &call->words[0]);
    for (size_t i = 0; i < call->options->count; i++) {
        const struct sf_word_option *o = &call->options->items[i];

        if (o->value && ((o->name_len == 1 && *o->name == 'C') ||
                         (o->name_len == 9 && !strncmp(o->name, "directory", 9))))
            (extracts ? sf_classify_write : sf_classify_reads)(j, o->value_in, o->value);
    }
    for (size_t i = *tar.letters ? 1 : 0; i < call->noperands; i++)
        if (!extracts)
            sf_classify_reads(j, call->operands[i], call->operands[i]->text);
    if (!extracts &&
        tar_does(call, &tar, "cruA", "-c -r -u -A --create --append --update --catenate")) {
        if (tar.archive && strcmp(tar.archive_name, "-") != 0)
            sf_classify_write(j, tar.archive, tar.archive_name);
    } else if (!extracts && !tar_does(call, &tar, "td", "-t -d --list --diff --compare")) {
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-option", &call->words[0]);
    }
    if (tar.archive && strchr(tar.archive_name, ':') &&
        !memchr(tar.archive_name, '/', strcspn(tar.archive_name, ":")) &&
        !sf_options_has(call->options, "--force-local"))
        sf_classify_raise(j, SF_CLASS_NETWORK, "network", tar.archive);
}

/* zip, 7z a, ar …: the first operand is the archive that is written. */
void sf_classify_archive(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands)
        sf_classify_write(j, call->operands[0], call->operands[0]->text);
    for (size_t i = 1; i < call->noperands; i++)
        sf_classify_reads(j, call->operands[i], call->operands[i]->text);
}

void sf_classify_unzip(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands)
        sf_classify_reads(j, call->operands[0], call->operands[0]->text);
    sf_classify_raise(j, SF_CLASS_LOCAL_EDIT, "unpack", &call->words[0]);
}

/* unrar x ARCHIVE [FILES…] [PATH/] */
void sf_classify_unrar(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word *last = call->noperands > 2 ? call->operands[call->noperands - 1] : NULL;

    if (last && last->len && last->text[last->len - 1] == '/')
        sf_classify_write(j, last, last->text);
}

/* Filters read the files behind the program text: `jq FILTER FILE`, `yq eval FILTER FILE`. */
void sf_classify_filter(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char verbs[] = "eval|e|eval-all|ea";
    size_t i = !sf_options_has(call->options, "-f --from-file --rawfile --slurpfile");

    if (call->noperands && sf_pattern_fits(verbs, sizeof(verbs) - 1, call->operands[0]->text))
        i++;
    for (; i < call->noperands; i++) {
        if (sf_options_has(call->options, "-i --inplace --in-place"))
            sf_classify_write(j, call->operands[i], call->operands[i]->text);
        else
            sf_classify_reads(j, call->operands[i], call->operands[i]->text);
    }
}

/* s/a/b/g is an edit; anything else in perl is a program, and so is code inside a pattern. */
static bool plain_substitution(const char *code)
{
    const char *end = strrchr(code, code[*code == 't' ? 2 : 1]);

    if (strncmp(code, "s", 1) != 0 && strncmp(code, "y", 1) != 0 && strncmp(code, "tr", 2) != 0)
        return false;
    return end && end > code + 2 && strspn(end + 1, "gimsxr") == strlen(end + 1) &&
           !strchr("abcdefghijklmnopqrstuvwxyz_ ", *end) && !strpbrk(code, "`;\n") &&
           !strstr(code, "{[") && !strstr(code, "${") && !strstr(code, "@{") && !strstr(code, "(?");
}

/* rename 's/a/b/' FILES runs perl; rename FROM TO FILES does not. */
void sf_classify_rename_files(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word *first = call->noperands ? call->operands[0] : NULL;

    if (first && strpbrk(first->text, "/({;$") && !plain_substitution(first->text))
        sf_classify_run_code(j, call->fact, first, first->text);
    for (size_t i = 1; i < call->noperands; i++)
        sf_classify_write(j, call->operands[i], call->operands[i]->text);
}

/* binutils read further options from @FILE. */
void sf_classify_objects(struct sf_classifier *j, const struct sf_shell_call *call)
{
    sf_classify_operands_read(j, call);
    for (size_t i = 0; i < call->noperands; i++)
        if (call->operands[i]->text[0] == '@')
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", call->operands[i]);
}

/* A callout in a pattern, (?C"program"), starts that program. */
void sf_classify_callouts(struct sf_classifier *j, const struct sf_shell_call *call)
{
    sf_classify_search(j, call);
    for (size_t i = 1; i < call->count; i++) {
        if (strstr(call->words[i].text, "(?C"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "script-exec", &call->words[i]);
        else if (call->words[i].flags & SF_WORD_EXPANDS && i == 1)
            sf_classify_raise(j, SF_CLASS_BUILD_TEST, "unknown-script", &call->words[i]);
    }
}

/* merge A B C writes into A. */
void sf_classify_merge(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands && !sf_options_has(call->options, "-p"))
        sf_classify_write(j, call->operands[0], call->operands[0]->text);
}

/* Formatters that change files do it wherever they are told to. */
void sf_classify_formatter(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char changing[] = "-i|-w|--write|--fix|--in-place|--inplace|-A|--autocorrect*|"
                                   "--apply*|--overwrite|--unsafe-fixes|format";
    static const char always[] = "black|isort|rustfmt|stylua|autoflake|pyupgrade|phpcbf|"
                                 "php-cs-fixer|uncrustify|astyle|indent|swiftformat";
    bool foreign;
    bool writes =
        sf_pattern_fits(always, sizeof(always) - 1, sf_program_name(&call->argv[0], &foreign)) &&
        !sf_options_has(call->options, "--check --diff");

    for (size_t i = 1; i < call->argc; i++)
        writes = writes || sf_pattern_fits(changing, sizeof(changing) - 1, call->argv[i].text);
    for (size_t i = 0; writes && i < call->noperands; i++) {
        enum sf_reach reach = sf_reach_of(j, call->operands[i], call->operands[i]->text);

        if (reach == SF_REACH_OUTSIDE || reach == SF_REACH_PROTECTED)
            sf_classify_write(j, call->operands[i], call->operands[i]->text);
    }
}

/* Converters: what they write stands last. */
void sf_classify_last_outside(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word *last = call->noperands > 1 ? call->operands[call->noperands - 1] : NULL;

    if (last && !strstr(last->text, "://") && !(last->flags & SF_WORD_EXPANDS))
        sf_classify_write(j, last, last->text);
}

/* man and info take what holds a slash for a file. */
void sf_classify_pages(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++)
        if (strchr(call->operands[i]->text, '/') || call->operands[i]->flags & SF_WORD_EXPANDS)
            sf_classify_reads(j, call->operands[i], call->operands[i]->text);
}
