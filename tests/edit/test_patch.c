/*
 * test_patch.c: what patches are read as, what they make of a file byte for byte, what is refused
 * and what the refusal says, and plans over many files. As a property: the diff of two texts,
 * read as a patch, makes the one of the other.
 */
#include "edit/edit.h"
#include "support/test.h"

#define BEGIN "*** Begin Patch\n"
#define END   "*** End Patch\n"
#define UP    BEGIN "*** Update File: f\n"
#define DIFF  "--- a/f\n+++ b/f\n"
#define BOM   "\xef\xbb\xbf"
#define LEFT  "\xe2\x80\x9c"
#define RIGHT "\xe2\x80\x9d"

/* A patch in short: "A path", "D path", "U path>target", each with its number of hunks. */
static void summarize(const struct sf_patch *patch, struct sf_strbuf *out)
{
    for (size_t i = 0; i < patch->count; i++) {
        const struct sf_patch_op *op = &patch->ops[i];

        sf_strbuf_addf(out, "%s%c %s%s%s %zu", i ? ", " : "", "ADU"[op->kind], op -> path,
                       op -> move_to ? ">" : "", op->move_to ? op->move_to : "", op->count);
    }
}

static const struct {
    const char *name, *patch, *want; /* the summary, or "! " and a part of the message */
} readings[] = {
    { "the three operations",
      BEGIN "*** Add File: a\n+x\n*** Delete File: b\n*** Update File: c\n@@\n-x\n+y\n" END,
      "A a 1, D b 0, U c 1" },
    { "a new name", BEGIN "*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n" END, "U a>b 1" },
    { "a new name alone", BEGIN "*** Update File: a\n*** Move to: b\n" END, "U a>b 0" },
    { "several hunks", UP "@@ a\n-x\n+y\n@@ b\n-x\n+y\n@@\n-z\n" END, "U f 3" },
    { "no @@ before the first hunk", UP " a\n-x\n" END, "U f 1" },
    { "an empty new file", BEGIN "*** Add File: a\n" END, "A a 1" },
    { "a path with blanks", BEGIN "*** Add File:  my file.txt \n+x\n" END, "A my file.txt 1" },
    { "paths are handed on as they are",
      BEGIN "*** Delete File: /etc/passwd\n*** Delete File: ../../x\n" END,
      "D /etc/passwd 0, D ../../x 0" },
    { "the same file twice", UP "@@\n-a\n+b\n*** Update File: f\n@@\n-b\n+c\n" END,
      "U f 1, U f 1" },
    { "in a code fence", "```\n" BEGIN "*** Delete File: a\n" END "```\n", "D a 0" },
    { "in a named code fence", "```patch\n" BEGIN "*** Delete File: a\n" END "```", "D a 0" },
    { "in a here-document", "apply_patch <<'EOF'\n" BEGIN "*** Delete File: a\n" END "EOF\n",
      "D a 0" },
    { "blank lines around and between",
      "\n\n" BEGIN "\n*** Delete File: a\n\n*** Delete File: b\n\n" END "\n", "D a 0, D b 0" },
    { "CRLF all over", "*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\n", "A a 1" },
    { "a diff", DIFF "@@ -1 +1 @@\n-a\n+b\n", "U f 1" },
    { "a diff without prefixes", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n", "U f 1" },
    { "a diff with dates", "--- f\t2024-01-01\n+++ f\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n", "U f 1" },
    { "a file called a/x", "--- a/x\n+++ a/x\n@@ -1 +1 @@\n-a\n+b\n", "U a/x 1" },
    { "a backup as the old name", "--- f.orig\n+++ f\n@@ -1 +1 @@\n-a\n+b\n", "U f 1" },
    { "two files", DIFF "@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n",
      "U f 1, U g 1" },
    { "git's header", "diff --git a/f b/f\nindex 1..2 100644\n" DIFF "@@ -1 +1 @@ f()\n-a\n+b\n",
      "U f 1" },
    { "git: a new file",
      "diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n"
      "@@ -0,0 +1 @@\n+x\n",
      "A n 1" },
    { "git: a new empty file", "diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n", "A n 0" },
    { "git: a deleted file",
      "diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      "D n 1" },
    { "git: renamed", "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n",
      "U o>n 0" },
    { "git: renamed and changed",
      "diff --git a/o b/n\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n",
      "U o>n 1" },
    { "git: a name in quotes",
      "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n--- \"a/\\303\\251\"\n+++ \"b/\\303\\251\"\n"
      "@@ -1 +1 @@\n-a\n+b\n",
      "U \xc3\xa9 1" },
    { "a letter above the diff and a signature below",
      "From: x\nSubject: y\n\n---\n f | 2 +-\n\n" DIFF "@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n",
      "U f 1" },
    { "a diff in a code fence", "```diff\n" DIFF "@@ -1 +1 @@\n-a\n+b\n```\n", "U f 1" },
    { "removed dashes are no header",
      DIFF "@@ -1,2 +1,2 @@\n--- x\n+++ y\n a\n@@ -9 +9 @@\n-b\n+c\n", "U f 2" },
    { "no line numbers", DIFF "@@\n-a\n+b\n", "U f 1" },

    { "nothing", "", "! empty" },
    { "only blanks", "\n \n", "! empty" },
    { "prose", "please change the file\n", "! neither" },
    { "sections without their frame", "*** Update File: a\n@@\n-x\n+y\n",
      "! the first line must be" },
    { "no end", UP "@@\n-a\n+b\n", "! line 6 of the patch: the patch ends without" },
    { "no operation", BEGIN END, "! changes no file" },
    { "an unknown operation", BEGIN "*** Rename File: x\n" END, "! line 2 of the patch: expected" },
    { "a line that belongs nowhere", BEGIN "hello\n" END, "! line 2 of the patch: expected" },
    { "text behind the end", BEGIN "*** Delete File: a\n" END "and then more\n", "! behind" },
    { "no path", BEGIN "*** Delete File:\n" END, "! the path is missing" },
    { "a control character in a path", BEGIN "*** Delete File: a\x1b[31m\n" END,
      "! control character" },
    { "a control character in a target", BEGIN "*** Update File: a\n*** Move to: b\x07\n" END,
      "! control character" },
    { "a newline in a quoted name", "--- \"a/x\\ny\"\n+++ \"b/x\\ny\"\n@@ -1 +1 @@\n-a\n+b\n",
      "! control character" },
    { "a NUL in a quoted name", "--- \"a/x\\000y\"\n+++ \"b/x\\000y\"\n@@ -1 +1 @@\n-a\n+b\n",
      "! control character" },
    { "an empty hunk", UP "@@ a\n@@\n-x\n*** Update File: g\n@@\n" END, "! is empty" },
    { "an update of nothing", BEGIN "*** Update File: a\n" END, "! changes nothing" },
    { "a new file without plus signs", BEGIN "*** Add File: a\nhello\n" END,
      "! line 3 of the patch: each line of a new file must begin with '+'" },
    { "a hunk line without a sign", UP "@@\n-a\n+b\nc\n" END, "! line 6 of the patch: a line" },
    { "a hunk before any file", "@@ -1 +1 @@\n-a\n+b\n", "! before any file" },
    { "names without hunks", DIFF, "! has no hunk" },
    { "a diff with a stray line", DIFF "@@ -1 +1 @@\n-a\n+b\nhello\n", "! line 6 of the patch" },
    { "binary", "diff --git a/f b/f\nBinary files a/f and b/f differ\n", "! not supported" },
    { "only a mode", "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", "! mode" },
    { "a copy", "diff --git a/f b/g\ncopy from f\ncopy to g\n", "! not supported" },
};

static void test_reading(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(readings); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_strbuf got = SF_STRBUF_INIT;
        struct sf_patch *patch = sf_patch_parse(readings[i].patch, strlen(readings[i].patch), &err);
        bool bad = !strncmp(readings[i].want, "! ", 2);

        if (patch)
            summarize(patch, &got);
        if ((patch != NULL) == bad || (patch && strcmp(got.buf, readings[i].want) != 0) ||
            (!patch && !strstr(err.msg, readings[i].want + 2)))
            fail_msg("%s: %s%s", readings[i].name, got.buf, err.msg);
        sf_patch_free(patch);
        sf_strbuf_release(&got);
    }
}

static const struct {
    const char *name, *before, *patch, *after; /* after NULL: refused with a part of `says` */
    const char *says;
    enum sf_rung rung;
} cases[] = {
    { "a line", "a\nb\nc\n", UP "@@\n a\n-b\n+x\n c\n" END, "a\nx\nc\n", NULL, SF_RUNG_EXACT },
    { "two hunks", "a\nb\nc\nd\n", UP "@@\n-a\n+x\n@@\n-d\n+y\n" END, "x\nb\nc\ny\n", NULL, 0 },
    { "lines added", "a\nb\n", UP "@@\n a\n+x\n+y\n b\n" END, "a\nx\ny\nb\n", NULL, 0 },
    { "lines removed", "a\nb\nc\n", UP "@@\n a\n-b\n-c\n" END, "a\n", NULL, 0 },
    { "everything removed", "a\n", UP "@@\n-a\n" END, "", NULL, 0 },
    { "appended", "a\n", UP "@@\n+b\n" END, "a\nb\n", NULL, 0 },
    { "into an empty file", "", UP "@@\n+b\n" END, "b\n", NULL, 0 },
    { "behind a named line", "f:\n  a\ng:\n  a\n", UP "@@ g:\n-  a\n+  b\n" END,
      "f:\n  a\ng:\n  b\n", NULL, 0 },
    { "the named line again as context", "f:\n  a\ng:\n  a\n", UP "@@ g:\n g:\n-  a\n+  b\n" END,
      "f:\n  a\ng:\n  b\n", NULL, 0 },
    { "named lines inside each other", "A\n f\n  x\nB\n f\n  x\n",
      UP "@@ B\n@@  f\n-  x\n+  y\n" END, "A\n f\n  x\nB\n f\n  y\n", NULL, 0 },
    { "a part of the named line", "def f(a):\n  x\ndef g(b):\n  x\n",
      UP "@@ def g\n-  x\n+  y\n" END, "def f(a):\n  x\ndef g(b):\n  y\n", NULL, 0 },
    { "inserted behind a named line", "a\nb\n", UP "@@ a\n+x\n" END, "a\nx\nb\n", NULL, 0 },
    { "at the end of the file", "x\na\nx\n", UP "@@\n-x\n+y\n*** End of File\n" END, "x\na\ny\n",
      NULL, 0 },
    { "bare empty lines are context", "a\n\nb\n", UP "@@\n a\n\n-b\n+c\n" END, "a\n\nc\n", NULL,
      0 },
    { "a bare empty line behind the hunk is none", "a\nb\n", UP "@@\n-a\n+x\n\n" END, "x\nb\n",
      NULL, 0 },
    { "CRLF", "a\r\nb\r\nc\r\n", UP "@@\n a\n-b\n+x\n+y\n c\n" END, "a\r\nx\r\ny\r\nc\r\n", NULL,
      0 },
    { "CRLF in patch and file", "a\r\nb\r\n", DIFF "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n",
      "a\r\nx\r\n", NULL, 0 },
    { "mixed endings stay", "a\nb\r\nc\nd\r\n", UP "@@\n a\n-b\n+x\n c\n-d\n+y\n" END,
      "a\nx\r\nc\ny\r\n", NULL, 0 },
    { "CR", "a\rb\r", UP "@@\n a\n-b\n+x\n" END, "a\rx\r", NULL, 0 },
    { "BOM", BOM "a\nb\n", UP "@@\n-a\n+x\n" END, BOM "x\nb\n", NULL, 0 },
    { "BOM in the diff as well", BOM "a\nb\n", DIFF "@@ -1,2 +1,2 @@\n-" BOM "a\n+" BOM "x\n b\n",
      BOM "x\nb\n", NULL, 0 },
    { "Latin-1 stays", "\xe9\na\n", UP "@@\n-a\n+b\n" END, "\xe9\nb\n", NULL, 0 },
    { "no final newline: still none", "a\nb", UP "@@\n-b\n+x\n" END, "a\nx", NULL, 0 },
    { "no final newline: lines added", "a\nb", UP "@@\n b\n+c\n" END, "a\nb\nc", NULL, 0 },
    { "no final newline: the last line removed", "a\nb", UP "@@\n-b\n" END, "a", NULL, 0 },
    { "the newline comes", "a\nb",
      DIFF "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n", NULL, 0 },
    { "the newline goes", "a\nb\n",
      DIFF "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb", NULL, 0 },
    { "neither has one", "a\nb", DIFF "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n",
      "x\nb", NULL, 0 },
    { "a diff by its numbers", "a\nx\na\nx\na\n", DIFF "@@ -3,2 +3,2 @@\n-a\n+b\n x\n",
      "a\nx\nb\nx\na\n", NULL, 0 },
    { "a diff that is some lines off", "1\n2\n3\n4\na\nx\n", DIFF "@@ -2,2 +2,2 @@\n-a\n+b\n x\n",
      "1\n2\n3\n4\nb\nx\n", NULL, 0 },
    { "the nearest of several", "a\n1\n2\n3\n4\n5\na\n", DIFF "@@ -6,1 +6,1 @@\n-a\n+b\n",
      "a\n1\n2\n3\n4\n5\nb\n", NULL, 0 },
    { "the second hunk is off like the first", "0\n0\na\nx\n1\nx\n",
      DIFF "@@ -1 +1 @@\n-a\n+b\n@@ -4 +4 @@\n-x\n+y\n", "0\n0\nb\nx\n1\ny\n", NULL, 0 },
    { "wrong counts", "a\nb\nc\n", DIFF "@@ -1,9 +1,1 @@\n a\n-b\n+x\n c\n", "a\nx\nc\n", NULL, 0 },
    { "inserted by number", "a\nb\n", DIFF "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n", NULL, 0 },
    { "inserted at the top", "a\n", DIFF "@@ -0,0 +1 @@\n+x\n", "x\na\n", NULL, 0 },
    { "trailing white space ignored", "a  \nb\nc\n", UP "@@\n a\n-b\n+x\n" END, "a  \nx\nc\n", NULL,
      SF_RUNG_TRAILING },
    { "indentation ignored", "\tif x:\n\t\ta\n\tz\n",
      UP "@@\n if x:\n-    a\n+    b\n+    if y:\n+        c\n" END,
      "\tif x:\n\t\tb\n\t\tif y:\n\t\t\tc\n\tz\n", NULL, SF_RUNG_INDENT },
    { "punctuation ignored, context kept", "say " LEFT "a" RIGHT "\nb\n",
      UP "@@\n say \"a\"\n-b\n+c\n" END, "say " LEFT "a" RIGHT "\nc\n", NULL, SF_RUNG_PUNCTUATION },
    { "plus lines are letters", "a\n", UP "@@\n-a\n+$& \\1 %s\n" END, "$& \\1 %s\n", NULL, 0 },
    { "moved and changed", "a\n", BEGIN "*** Update File: f\n*** Move to: g\n@@\n-a\n+b\n" END,
      "b\n", NULL, 0 },
    { "moved as it is", "a\0", BEGIN "*** Update File: f\n*** Move to: g\n" END, "a", NULL, 0 },
    { "deleted by a diff", "a\nb\n", "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "", NULL,
      0 },
    { "a new file", "", BEGIN "*** Add File: f\n+a\n+\n+b\n" END, "a\n\nb\n", NULL, 0 },
    { "a new file over an old one", "old\n", BEGIN "*** Add File: f\n+a\n" END, "a\n", NULL, 0 },
    { "a new file without final newline", "",
      "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n", "a", NULL, 0 },
    { "a new file with CRLF", "", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\r\n", "a\r\n", NULL,
      0 },

    { "not there", "a\nb\n", UP "@@\n-z\n+y\n" END, NULL,
      "f, hunk 1 (line 3 of the patch): its lines are not in the file", 0 },
    { "the second hunk is not there", "a\nb\n", UP "@@\n-a\n+x\n@@\n-z\n+y\n" END, NULL,
      "f, hunk 2 (line 6 of the patch)", 0 },
    { "the named line is not there", "a\n", UP "@@ g()\n-a\n+x\n" END, NULL, "behind '@@'", 0 },
    { "several places", "a\nb\na\nb\n", UP "@@\n-a\n+x\n" END, NULL,
      "its lines are there several times: lines 1, 3", 0 },
    { "several named lines and several places", "f\na\nf\na\n", UP "@@ f\n-a\n+x\n" END, NULL,
      "lines 2, 4", 0 },
    { "several loose places", "a \nb\na \nb\n", UP "@@\n-a\n-b\n+x\n" END, NULL, "lines 1, 3", 0 },
    { "as near above as below", "a\n1\n2\n3\na\n", DIFF "@@ -3,1 +3,1 @@\n-a\n+b\n", NULL,
      "lines 1, 5", 0 },
    { "hunks from bottom to top", "a\nb\nc\n", UP "@@\n-c\n+x\n@@\n-a\n+y\n" END, NULL,
      "top to bottom", 0 },
    { "nothing would change", "a\n", UP "@@\n a\n" END, NULL, "would not change", 0 },
    { "a delete that does not fit", "a\nb\nc\n",
      "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", NULL, "is not what the patch deletes",
      0 },
    { "binary", "\x89PNG\r\n\x1a\n", UP "@@\n-a\n+b\n" END, NULL, "f: the file cannot be edited",
      0 },
    { "indentation that does not follow", "  a\n    b\n", UP "@@\n-a\n-b\n+x\n" END, NULL,
      "indentation", 0 },
    { "broken text into UTF-8", "a\n", UP "@@\n-a\n+\xe9\n" END, NULL, "not UTF-8", 0 },
};

static void test_applying(void **state)
{
    struct sf_edit_result r;

    (void)state;
    sf_edit_result_init(&r);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_patch *patch = sf_patch_parse(cases[i].patch, strlen(cases[i].patch), &err);
        bool ok;

        if (!patch) {
            fail_msg("%s: %s", cases[i].name, err.msg);
            return;
        }
        ok = sf_patch_apply(&patch->ops[0], cases[i].before, strlen(cases[i].before), &r, &err);
        if (ok != (cases[i].after != NULL) || (ok && strcmp(r.bytes.buf, cases[i].after) != 0))
            fail_msg("%s: %s\n--- got\n%s\n--- want\n%s", cases[i].name, err.msg, r.bytes.buf,
                     cases[i].after ? cases[i].after : "(refused)");
        if (!ok && (!strstr(err.msg, cases[i].says) || r.bytes.len))
            fail_msg("%s: %s", cases[i].name, err.msg);
        if (ok && r.rung != cases[i].rung)
            fail_msg("%s: found %s", cases[i].name, sf_rung_name(r.rung));
        sf_patch_free(patch);
    }
    sf_edit_result_release(&r);
}

static void test_a_miss_shows_both_texts(void **state)
{
    static const char patch_text[] = UP "@@\n int main(void)\n-{ return 1; }\n+{ return 0; }\n" END;
    static const char file[] = "#include <stdio.h>\n\nint main(void)\n{ return 2; }\n";
    struct sf_error err = SF_ERROR_INIT;
    struct sf_patch *patch = sf_patch_parse(patch_text, sizeof(patch_text) - 1, &err);
    struct sf_edit_result r;

    (void)state;
    sf_edit_result_init(&r);
    assert_non_null(patch);
    assert_false(sf_patch_apply(&patch->ops[0], file, sizeof(file) - 1, &r, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_string_equal(err.hint, "it begins with 'int main(void)'; the nearest text is at line 3");
    assert_string_equal(r.detail.buf, "f, hunk 1 looked for:\nint main(void)\n{ return 1; }\n"
                                      "the nearest text begins at line 3 (85% alike):\n"
                                      "3: int main(void)\n4: { return 2; }\n"
                                      "line 4 differs; expected:\n{ return 1; }\n");
    sf_patch_free(patch);
    sf_edit_result_release(&r);
}

/* Files of a small world: path, bytes. */
struct sandbox {
    const char *const (*files)[2];
    size_t count, reads;
};

static bool read_world(void *ctx, const char *path, struct sf_strbuf *bytes, bool *exists,
                       struct sf_error *err)
{
    struct sandbox *w = ctx;

    w->reads++;
    *exists = false;
    if (!strcmp(path, "locked"))
        return sf_fail(err, SF_E_IO, "cannot open locked: permission denied");
    for (size_t i = 0; i < w->count; i++) {
        if (strcmp(w->files[i][0], path) != 0)
            continue;
        *exists = true;
        sf_strbuf_adds(bytes, w->files[i][1]);
    }
    return true;
}

static const char *const files[][2] = { { "f", "a\nb\n" }, { "g", "1\n2\n" } };

static const struct {
    const char *name, *patch, *want; /* steps as "path>target: old|new", or "! " and the message */
} plans[] = {
    { "two files", UP "@@\n-a\n+x\n*** Update File: g\n@@\n-1\n+y\n" END,
      "f: a/b/|x/b/; g: 1/2/|y/2/; " },
    { "one file twice", UP "@@\n-a\n+x\n*** Update File: f\n@@\n-x\n+y\n" END,
      "f: a/b/|x/b/; f: x/b/|y/b/; " },
    { "moved, then changed under the new name",
      BEGIN "*** Update File: f\n*** Move to: h\n*** Update File: h\n@@\n-a\n+x\n" END,
      "f>h: a/b/|a/b/; h: a/b/|x/b/; " },
    { "moved, then the old name is gone",
      BEGIN "*** Update File: f\n*** Move to: h\n*** Update File: f\n@@\n-a\n+x\n" END,
      "! f is not there" },
    { "deleted and made anew", BEGIN "*** Delete File: f\n*** Add File: f\n+n\n" END,
      "f: a/b/|; f: (none)|n/; " },
    { "a new file over another is handed on", BEGIN "*** Add File: f\n+n\n" END, "f: a/b/|n/; " },
    { "a deletion of nothing is handed on", BEGIN "*** Delete File: zzz\n" END, "zzz: (none)|; " },
    { "behind one with bytes", BEGIN "*** Add File: n\n+n\n*** Delete File: zzz\n" END,
      "n: (none)|n/; zzz: (none)|; " },
    { "an update of nothing", BEGIN "*** Update File: zzz\n@@\n-a\n+b\n" END,
      "! zzz is not there, so it cannot be changed" },
    { "a file that cannot be read", BEGIN "*** Update File: locked\n@@\n-a\n+b\n" END,
      "! permission denied" },
    { "the second operation fails: no step is left",
      UP "@@\n-a\n+x\n*** Update File: g\n@@\n-zzz\n+y\n" END, "! g, hunk 1" },
};

static void add_bytes(struct sf_strbuf *out, const struct sf_strbuf *bytes)
{
    size_t at = out->len;

    sf_strbuf_add(out, bytes->buf, bytes->len);
    for (char *c = out->buf + at; *c; c++)
        if (*c == '\n')
            *c = '/';
}

static void test_plans(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(plans); i++) {
        struct sandbox world = { files, SF_COUNT(files), 0 };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_strbuf got = SF_STRBUF_INIT;
        struct sf_patch *patch = sf_patch_parse(plans[i].patch, strlen(plans[i].patch), &err);
        struct sf_patch_plan plan;
        bool ok, bad = !strncmp(plans[i].want, "! ", 2);

        assert_non_null(patch);
        ok = sf_patch_plan(&plan, patch, read_world, &world, &err);
        for (size_t k = 0; k < plan.count; k++) {
            const struct sf_patch_step *step = &plan.steps[k];

            sf_strbuf_addf(&got, "%s%s%s: ", step->path, step->move_to ? ">" : "",
                           step->move_to ? step->move_to : "");
            sf_strbuf_adds(&got, step->existed ? "" : "(none)");
            add_bytes(&got, &step->old_bytes);
            sf_strbuf_addch(&got, '|');
            add_bytes(&got, &step->new_bytes);
            sf_strbuf_adds(&got, "; ");
        }
        if (ok == bad || (ok && strcmp(got.buf, plans[i].want) != 0) || (!ok && plan.count) ||
            (!ok && !strstr(err.msg, plans[i].want + 2)))
            fail_msg("%s: %s%s", plans[i].name, got.buf, err.msg);
        sf_patch_plan_release(&plan);
        sf_patch_free(patch);
        sf_strbuf_release(&got);
    }
}

static void test_ceilings(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    sf_strbuf_adds(&text, UP);
    for (int i = 0; i <= SF_PATCH_HUNKS_MAX; i++)
        sf_strbuf_adds(&text, "@@\n-a\n+b\n");
    assert_null(sf_patch_parse(text.buf, text.len, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_fill(&text, ' ', SF_PATCH_MAX);
    assert_null(sf_patch_parse(text.buf, text.len, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_non_null(strstr(err.msg, "4 MiB"));
    assert_null(sf_patch_parse("a\0b", 3, &err));
    sf_strbuf_release(&text);
}

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static void random_pair(struct sf_strbuf *a, struct sf_strbuf *b, const char *ending)
{
    unsigned lines = below(50), words = 2 + below(40);

    sf_strbuf_reset(a);
    sf_strbuf_reset(b);
    for (unsigned i = 0; i < lines; i++) {
        unsigned word = below(words);

        sf_strbuf_addf(a, "%u%s", word, ending);
        if (below(8) == 0)
            sf_strbuf_addf(b, "-- %u%s", below(words), ending);
        if (below(8) != 0)
            sf_strbuf_addf(b, "%u%s", word, ending);
    }
    if (a->len && below(3) == 0)
        sf_strbuf_truncate(a, a->len - strlen(ending));
    if (b->len && below(3) == 0)
        sf_strbuf_truncate(b, b->len - strlen(ending));
}

static void test_a_diff_is_a_patch(void **state)
{
    const struct sf_diff_style style = { "a/f", "b/f", 3, 0 };
    struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT;
    struct sf_edit_result r;

    (void)state;
    seed = 11;
    sf_edit_result_init(&r);
    for (int i = 0; i < 2000; i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct sf_patch *patch;
        struct sf_diff diff;

        random_pair(&a, &b, i % 2 ? "\r\n" : "\n");
        sf_diff_init(&diff, a.buf, a.len, b.buf, b.len);
        sf_diff_add(&text, &diff, &style, NULL);
        sf_diff_release(&diff);
        patch = text.len ? sf_patch_parse(text.buf, text.len, &err) : NULL;
        if (text.len && (!patch || !sf_patch_apply(&patch->ops[0], a.buf, a.len, &r, &err) ||
                         r.bytes.len != b.len || memcmp(r.bytes.buf, b.buf, b.len) != 0))
            fail_msg("pair %d: %s\n%s--- got\n%s--- want\n%s", i, err.msg, text.buf, r.bytes.buf,
                     b.buf);
        sf_patch_free(patch);
        sf_strbuf_release(&text);
    }
    sf_edit_result_release(&r);
    sf_strbuf_release(&a);
    sf_strbuf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_applying),
        cmocka_unit_test(test_a_miss_shows_both_texts),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_ceilings),
        cmocka_unit_test(test_a_diff_is_a_patch),
    };

    return cmocka_run_group_tests_name("patch", tests, NULL, NULL);
}
