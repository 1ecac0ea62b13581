#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/page_case.h"
#include "support/test.h"
#include "view/code.h"
#include "view/code_lex.h"

static int setup(void **state)
{
    static struct sf_page page;

    page = (struct sf_page)SF_PAGE_INIT;
    *state = &page;
    return 0;
}

static int teardown(void **state)
{
    sf_page_release(*state);
    return 0;
}

static void lay(struct sf_page *page, int width, const char *language, const char *text)
{
    const struct sf_code_lead none = { .lead = "" };

    sf_page_reset(page, width);
    sf_code_lay(page, text, strlen(text), sf_language_named(language, strlen(language)), &none);
}

/* `k` keyword, `t` type, `s` string, `n` number, `c` comment, `f` function, `p` preprocessor,
 * `.` nothing special, `+-@` of a diff; a space where the text has one and nothing special. */
static char letter_of(struct sf_look look)
{
    static const char letters[SF_LOOK_ROLES] = {
        [SF_LOOK_KEYWORD] = 'k', [SF_LOOK_TYPE] = 't',         [SF_LOOK_STRING] = 's',
        [SF_LOOK_NUMBER] = 'n',  [SF_LOOK_COMMENT] = 'c',      [SF_LOOK_FUNCTION] = 'f',
        [SF_LOOK_CODE] = '.',    [SF_LOOK_PREPROCESSOR] = 'p', [SF_LOOK_ADDED] = '+',
        [SF_LOOK_REMOVED] = '-', [SF_LOOK_HUNK] = '@',
    };

    if (!letters[look.role])
        return '?';
    return letters[look.role];
}

static char *picture(const struct sf_page *page)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t i = 0; i < page->count; i++) {
        const struct sf_page_line *line = &page->lines[i];
        size_t at = line->at;

        for (size_t run = line->run; run < line->run + line->runs; run++)
            for (size_t k = 0; k < page->runs[run].len; k++, at++)
                if (at >= line->at + line->lead) {
                    char c = letter_of(page->runs[run].look);

                    if (c == '.' && page->text.buf[at] == ' ')
                        c = ' ';
                    sf_strbuf_addch(&out, c);
                }
        sf_strbuf_addch(&out, '\n');
    }
    return sf_strbuf_detach(&out);
}

/* clang-format off: the picture stands under the text */
static const struct {
    const char *language, *text, *want;
} cases[] = {
    { "c", "int a = 1;", "ttt . . n.\n" },
    { "c", "return f(x, NULL);", "kkkkkk f... nnnn..\n" },
    { "c", "x = \"a\\\"b\" + 'c' + '\\n';", ". . ssssss . sss . ssss.\n" },
    { "c", "a /* b */ c // d", ". ccccccc . cccc\n" },
    { "c", "/* a\nb */ c\n", "cccc\ncccc .\n" },
    { "c", "/* a /* b */ c", "cccccccccccc .\n" },
    { "c", "#include <a.h>\n#  define X 1", "pppppppp sssss\nppppppppp . n\n" },
    { "c", "#if 0 /* x */", "ppp n ccccccc\n" },
    { "c", "a = 0x1Fu + 1.5e-3f + 1'000;", ". . nnnnn . nnnnnnn . n.nnn.\n" },
    { "c", "\"open\nint", "sssss\nttt\n" },
    { "c", "a->b.c(d)[0]",
      "....."
      "f"
      "...."
      "n.\n" },
    { "c", "sizeof(int)", "kkkkkk.ttt.\n" },
    { "c", "x1 = y2;", ".. . ...\n" },
    { "cpp", "auto s = R\"(a\nb)\";", "kkkk . . ssss\nsss.\n" },
    { "c++", "std::vector<Widget> v;", ".....tttttt.tttttt. ..\n" },
    { "rust", "fn main() { let x = 1_000u32; }", "kk ffff.. . kkk . . nnnnnnnn. .\n" },
    { "rust", "println!(\"{}\", 'a');", "fffffff..ssss. sss..\n" },
    { "rust", "fn f<'a>(x: &'a str)", "kk ........ ... ttt.\n" },
    { "rust", "a != b", ". .. .\n" },
    { "rust", "r#\"a\"b\"# x", "ssssssss .\n" },
    { "rust", "/* a /* b */ c */ d", "ccccccccccccccccc .\n" },
    { "rust", "Some(Vec::new())", "nnnn.ttt..fff...\n" },
    { "go", "func f() error { return nil }", "kkkk f.. ttttt . kkkkkk nnn .\n" },
    { "go", "x := `a\nb`", ". .. ss\nss\n" },
    { "python", "def f(self): return None", "kkk f.nnnn.. kkkkkk nnnn\n" },
    { "py", "\"\"\"a\n'b'\n\"\"\" # c", "ssss\nsss\nsss ccc\n" },
    { "py", "x = f'a{b}' + rb\"c\"", ". . sssssss . sssss\n" },
    { "py", "@app.route('/')", "pppppppppp.sss.\n" },
    { "py", "class Foo(Bar): pass", "kkkkk fff.ttt.. kkkk\n" },
    { "js", "const x = `a ${b}\nc`;", "kkkkk . . sssssss\nss.\n" },
    { "ts", "let a: string = null // x", "kkk .. tttttt . nnnn cccc\n" },
    { "tsx", "async function $f() {}", "kkkkk kkkkkkkk ff.. ..\n" },
    { "json", "{ \"a\": \"b\", \"c\" : [1, true] }", ". ttt. sss. ttt . .n. nnnn. .\n" },
    { "sh", "if [ \"$x\" = 'a b' ]; then echo $y ${z}; fi # c",
      "kk . ssss . sssss .. kkkk tttt tt tttt. kk ccc\n" },
    { "bash", "echo a#b $#", "tttt ... ..\n" },
    { "bash", "x='a\nb'", "..ss\nss\n" },
    { "toml", "[a.b]\nkey-x = \"v\" # c\nn = 1.5\narr = [\n[1]\n]",
      "kkkkk\nttttt . sss ccc\nt . nnn\nttt . .\n.n.\n.\n" },
    { "toml", "x = '''a\nb'''", "t . ssss\nssss\n" },
    { "yaml", "key: value # c\n- item: \"s\"\nok: true",
      "ttt. ..... ccc\n. tttt. sss\ntt. nnnn\n" },
    { "html", "<a href=\"b\">c 1</a><!-- d\ne --> f", "kk tttt.sssk. .kkkkcccccc\nccccc .\n" },
    { "css", "a { color: #fff; }\n@media x", ". . ...... ..... .\npppppp .\n" },
    { "sql", "SELECT a FROM t WHERE b = 'it''s' -- c", "kkkkkk . kkkk . kkkkk . . sssssss cccc\n" },
    { "sql", "select count(*) from t", "kkkkkk fffff... kkkk .\n" },
    { "java", "@Override public void f(String s) {}", "ppppppppp kkkkkk kkkk f.tttttt .. ..\n" },
    { "csharp", "var s = $\"a\"; // b", "kkk . . ssss. cccc\n" },
    { "ruby", "def a?; @b = nil; end # c", "kkk ... .. . nnn. kkk ccc\n" },
    { "php", "$a = null; // b\n# c", "tt . nnnn. cccc\nccc\n" },
    { "perl", "my $x = 'a'; # b", "kk tt . sss. ccc\n" },
    { "lua", "local x = [[a\nb]] --[[ c\nd]] e -- f", "kkkkk . . sss\nsss cccccc\nccc . cccc\n" },
    { "make", "all: a.o\n\tcc $(CFLAGS) -o $@ # c\nX = 1",
      "ttt. ...\n    .. ttttttttt .. .. ccc\nt . n\n" },
    { "cmake", "set(X ${Y} ON) # c", "kkk.. tttt nn. ccc\n" },
    { "dockerfile", "FROM a AS b\nRUN x \"y\"", "kkkk . kk .\nkkk . sss\n" },
    { "diff", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z", "@@@@@\n@@@@@\n@@@@@@@@@@@\n--\n++\n .\n" },
    { "markdown", "# int \"a\"", ". ... ...\n" },
    { "ini", "[a]\nb = on ; c", "kkk\nt . nn ccc\n" },
    { "swift", "let a: Int = nil /* /* */ */", "kkk .. ttt . nnn ccccccccccc\n" },
    { "kotlin", "fun f(): String = \"\"\"a\nb\"\"\"", "kkk f... tttttt . ssss\nssss\n" },
    { "zig", "const x: u8 = @intCast(1);", "kkkkk .. tt . pppppppp.n..\n" },
    { "haskell", "main :: IO () -- c\n{- a {- b -} -} x",
      ".... .. .. .. cccc\nccccccccccccccc .\n" },
    { "elixir", "def f(x), do: nil # a", "kkk f.... kk. nnn ccc\n" },
    { "nope", "int \"a\" /* b", "... ... .. .\n" },
    { "C", "int", "ttt\n" },
    { "c", "é = \"ü\"; /* ö */", ".. . ssss. cccccccc\n" },
    { "c", "", "\n" },
    { "c", "\n\n", "\n\n" },
    { "c", "'", ".\n" },
    { "c", "\"\\", "ss\n" },
    { "c", "/", ".\n" },
    { "json", "\"", "s\n" },
    { "py", "\"\"\"", "sss\n" },
    { "sh", "$", ".\n" },
    { "html", "<", ".\n" },
    { "c", "#", "p\n" },
};
/* clang-format on */

static void test_cases(void **state)
{
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        char name[128];
        const char *want = cases[i].want;

        snprintf(name, sizeof(name), "%s: %.100s", cases[i].language, cases[i].text);
        lay(*state, 200, cases[i].language, cases[i].text);
        page_case_check(*state, name);
        page_case_same(name, picture(*state), want);
    }
}

static const struct {
    const char *path, *like; /* the same language as this name's, or NULL */
} files[] = {
    { "a.c", "c" },
    { "src/b/a.h", "c" },
    { "A.CPP", "cpp" },
    { "x.rs", "rust" },
    { "x.tsx", "ts" },
    { "Makefile", "make" },
    { "a/Makefile", "make" },
    { "CMakeLists.txt", "cmake" },
    { "notes.txt", "text" },
    { "Dockerfile", "docker" },
    { ".bashrc", "sh" },
    { "x.tar.gz", NULL },
    { "c", NULL },
    { "", NULL },
    { "dir.c/", NULL },
    { "a.", NULL },
    { "makefile.c", "c" },
    { "Cargo.lock", "toml" },
};

static void test_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(files); i++) {
        const char *like = files[i].like;
        const struct sf_language *want = like ? sf_language_named(like, strlen(like)) : NULL;

        if (sf_language_of_file(files[i].path) != want)
            fail_msg("%s is not %s", files[i].path, like ? like : "plain");
    }
}

static void test_names(void **state)
{
    static const char *const known[] = {
        "c",    "h",    "cpp",  "rust",  "go",     "python", "js",      "jsx",   "ts",
        "tsx",  "json", "sh",   "bash",  "toml",   "yaml",   "yml",     "html",  "xml",
        "css",  "sql",  "java", "ruby",  "php",    "lua",    "make",    "cmake", "dockerfile",
        "diff", "ini",  "md",   "swift", "kotlin", "zig",    "haskell", "C++",   "Python",
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(known); i++)
        if (!sf_language_named(known[i], strlen(known[i])))
            fail_msg("%s is not known", known[i]);
    assert_null(sf_language_named("", 0));
    assert_null(sf_language_named("c h", 3));
    assert_null(sf_language_named("py", 1));
}

static void test_long_lines_are_marked(void **state)
{
    const struct sf_code_lead four = { .lead = "    " };

    sf_page_reset(*state, 12);
    sf_code_lay(*state, "abcdefghijklmnop\nq", 18, NULL, &four);
    page_case_same("marked", page_case_text(*state), "    abcdefgh\n  ↪ ijklmnop\n    q\n");
    page_case_same("copied", page_case_copy(*state), "abcdefghijklmnop\nq");
}

static void test_line_endings(void **state)
{
    lay(*state, 40, "c", "a\r\nb\r\n");
    page_case_same("endings", page_case_text(*state), "a\nb\n");
    lay(*state, 40, "c", "a\rb\n");
    page_case_same("lone", page_case_text(*state), "a␍b\n");
}

/* Every language, over a text that opens everything, at every width. */
static void test_every_language(void **state)
{
    static const char text[] =
        "#!/bin/x\n[a]\n/* c */ \"s\" 'x' `t` \"\"\"d\"\"\" '''e''' r#\"f\"# --[[ g ]] {- h -}\n"
        "<a b=\"c\">d</a> $v ${w} $(x) @m 0x1f 1.5e+3 1_0 f(g) h! K: v = [[l]]\n"
        "日本語 e\xcc\x81 \"ü\\\"\" // x # y -- z ; w\n\ttab\t\tstop \x1b[31m \xff\n<!-- \"open '";
    static const char *const names[] = { "c",      "cpp",  "rust", "go",   "py",    "js",   "json",
                                         "sh",     "toml", "yaml", "html", "css",   "sql",  "java",
                                         "cs",     "rb",   "php",  "perl", "lua",   "make", "cmake",
                                         "docker", "diff", "md",   "ini",  "swift", "kt",   "zig",
                                         "hs",     "ex",   "none" };
    char *want;

    for (size_t i = 0; i < SF_COUNT(names); i++)
        for (int width = 1; width <= 200; width += width < 30 ? 1 : 17) {
            lay(*state, width, names[i], text);
            page_case_check(*state, names[i]);
        }
    lay(*state, 200, "none", text);
    want = page_case_copy(*state);
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        lay(*state, 30, names[i], text);
        page_case_same(names[i], page_case_copy(*state), want);
    }
    free(want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_lines_are_marked, setup, teardown),
        cmocka_unit_test_setup_teardown(test_line_endings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_language, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
