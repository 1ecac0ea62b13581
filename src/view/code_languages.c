/*
 * code_languages.c: the table of languages. A row is all there is to know of one: adding a
 * language is adding a row. Words are what a reader expects to stand out, not a whole grammar.
 */
#include "view/code_lex.h"

enum {
    ESC = SF_QUOTE_ESCAPES,
    LINES = SF_QUOTE_LINES,
    CHAR = SF_QUOTE_CHAR,
    USUAL = SF_LANGUAGE_CALLS | SF_LANGUAGE_CAPITALS,
};

/* clang-format off */
static const struct sf_quote c_quotes[] = {
    { "R\"(", ")\"", LINES }, { "\"", "\"", ESC }, { "'", "'", CHAR }, { NULL, NULL, 0 },
};
static const struct sf_quote rust_quotes[] = {
    { "r##\"", "\"##", LINES }, { "r#\"", "\"#", LINES }, { "r\"", "\"", LINES },
    { "\"", "\"", ESC | LINES }, { "'", "'", CHAR }, { NULL, NULL, 0 },
};
static const struct sf_quote go_quotes[] = {
    { "`", "`", LINES }, { "\"", "\"", ESC }, { "'", "'", CHAR }, { NULL, NULL, 0 },
};
static const struct sf_quote python_quotes[] = {
    { "\"\"\"", "\"\"\"", ESC | LINES }, { "'''", "'''", ESC | LINES },
    { "\"", "\"", ESC }, { "'", "'", ESC }, { NULL, NULL, 0 },
};
static const struct sf_quote script_quotes[] = {
    { "`", "`", ESC | LINES }, { "\"", "\"", ESC }, { "'", "'", ESC }, { NULL, NULL, 0 },
};
static const struct sf_quote shell_quotes[] = {
    { "\"", "\"", ESC | LINES }, { "$'", "'", ESC | LINES }, { "'", "'", LINES },
    { NULL, NULL, 0 },
};
static const struct sf_quote toml_quotes[] = {
    { "\"\"\"", "\"\"\"", ESC | LINES }, { "'''", "'''", LINES },
    { "\"", "\"", ESC }, { "'", "'", 0 }, { NULL, NULL, 0 },
};
static const struct sf_quote plain_quotes[] = { /* the two usual ones, within a line */
    { "\"", "\"", ESC }, { "'", "'", ESC }, { NULL, NULL, 0 },
};
static const struct sf_quote double_quotes[] = {
    { "\"", "\"", ESC }, { NULL, NULL, 0 },
};
static const struct sf_quote tag_quotes[] = {
    { "\"", "\"", LINES }, { "'", "'", LINES }, { NULL, NULL, 0 },
};
static const struct sf_quote sql_quotes[] = { /* a doubled quote opens the string again at once */
    { "'", "'", LINES }, { "\"", "\"", 0 }, { "`", "`", 0 }, { NULL, NULL, 0 },
};
static const struct sf_quote text_block_quotes[] = {
    { "\"\"\"", "\"\"\"", ESC | LINES }, { "\"", "\"", ESC }, { "'", "'", CHAR },
    { NULL, NULL, 0 },
};
static const struct sf_quote sharp_quotes[] = {
    { "\"\"\"", "\"\"\"", LINES }, { "@\"", "\"", LINES }, { "$\"", "\"", ESC },
    { "\"", "\"", ESC }, { "'", "'", CHAR }, { NULL, NULL, 0 },
};
static const struct sf_quote lua_quotes[] = {
    { "[[", "]]", LINES }, { "\"", "\"", ESC }, { "'", "'", ESC }, { NULL, NULL, 0 },
};
static const struct sf_quote char_quotes[] = {
    { "\"", "\"", ESC }, { "'", "'", CHAR }, { NULL, NULL, 0 },
};

#define C_WORDS "auto break case const continue default do else enum extern for goto if inline " \
    "register restrict return sizeof static struct switch typedef union volatile while " \
    "_Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local typeof"
#define C_TYPES "void char short int long float double signed unsigned bool size_t ssize_t ptrdiff_t " \
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t wchar_t FILE _Bool"
#define SCRIPT_WORDS "abstract as async await break case catch class const continue debugger declare " \
    "default delete do else enum export extends finally for from function get if implements import in " \
    "infer instanceof interface is keyof let namespace new of private protected public readonly return " \
    "satisfies set static super switch this throw try type typeof var void while with yield"

const struct sf_language sf_languages[] = {
    {
        .names = "c h", .files = ".c .h",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = c_quotes,
        .keywords = C_WORDS, .types = C_TYPES, .constants = "NULL true false stdin stdout stderr errno",
        .flags = SF_LANGUAGE_HASHES | SF_LANGUAGE_CALLS,
    },
    {
        .names = "cpp c++ cc cxx hpp objc arduino", .files = ".cpp .cc .cxx .hpp .hh .hxx .ipp .inl .m .mm .ino",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = c_quotes,
        .keywords = C_WORDS " alignas alignof and catch class co_await co_return co_yield concept constexpr "
            "consteval constinit const_cast decltype delete dynamic_cast explicit export final friend import "
            "module mutable namespace new noexcept not operator or override private protected public "
            "reinterpret_cast requires static_assert static_cast template this throw try typeid typename using virtual",
        .types = C_TYPES " string string_view vector map set unordered_map optional unique_ptr shared_ptr",
        .constants = "NULL nullptr true false", .flags = SF_LANGUAGE_HASHES | USUAL,
    },
    {
        .names = "rust rs", .files = ".rs",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = rust_quotes,
        .keywords = "as async await break const continue crate dyn else enum extern fn for if impl in let loop "
            "match mod move mut pub ref return self static struct super trait type union unsafe use where while",
        .types = "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self",
        .constants = "true false None Some Ok Err",
        .flags = SF_LANGUAGE_NESTS | SF_LANGUAGE_BANGS | USUAL,
    },
    {
        .names = "go golang", .files = ".go",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = go_quotes,
        .keywords = "break case chan const continue default defer else fallthrough for func go goto if import "
            "interface map package range return select struct switch type var",
        .types = "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 "
            "rune string uint uint8 uint16 uint32 uint64 uintptr",
        .constants = "true false nil iota", .flags = SF_LANGUAGE_CALLS,
    },
    {
        .names = "python py python3 pycon", .files = ".py .pyi .pyw SConstruct",
        .line_comments = "#", .quotes = python_quotes,
        .keywords = "and as assert async await break case class continue def del elif else except finally for from "
            "global if import in is lambda match nonlocal not or pass raise return try while with yield",
        .types = "bool bytes bytearray complex dict float frozenset int list object set str tuple type",
        .constants = "True False None self cls NotImplemented",
        .flags = SF_LANGUAGE_MARKS | USUAL,
    },
    {
        .names = "javascript js jsx mjs node typescript ts tsx",
        .files = ".js .jsx .mjs .cjs .ts .tsx .mts .cts",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = script_quotes, .word_extra = "$",
        .keywords = SCRIPT_WORDS,
        .types = "any bigint boolean never number object string symbol unknown",
        .constants = "true false null undefined NaN Infinity",
        .flags = SF_LANGUAGE_MARKS | USUAL,
    },
    {
        .names = "json jsonc json5 jsonl", .files = ".json .jsonc .json5 .jsonl .ndjson .geojson .ipynb",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = double_quotes,
        .constants = "true false null", .flags = SF_LANGUAGE_KEYS,
    },
    {
        .names = "sh bash shell zsh ksh console shellsession shell-session terminal fish",
        .files = ".sh .bash .zsh .ksh .fish .bashrc .zshrc .profile .bash_profile PKGBUILD",
        .line_comments = "#", .quotes = shell_quotes, .word_extra = "-",
        .keywords = "case do done elif else esac export fi for function if in local readonly return select set "
            "shift source then trap unset until while break continue exit eval exec declare",
        .types = "cd echo printf read test true false command alias",
        .flags = SF_LANGUAGE_VARIABLES | SF_LANGUAGE_SPACED,
    },
    {
        .names = "toml", .files = ".toml Cargo.lock poetry.lock Pipfile",
        .line_comments = "#", .quotes = toml_quotes, .word_extra = "-.",
        .constants = "true false inf nan", .flags = SF_LANGUAGE_KEYS | SF_LANGUAGE_SECTIONS,
    },
    {
        .names = "yaml yml", .files = ".yaml .yml .clang-format .clang-tidy",
        .line_comments = "#", .quotes = plain_quotes, .word_extra = "-./",
        .constants = "true false null yes no on off", .flags = SF_LANGUAGE_KEYS | SF_LANGUAGE_SPACED,
    },
    {
        .names = "html xml svg xhtml vue svelte", .files = ".html .htm .xml .svg .xhtml .xsl .xsd .plist .vue .svelte",
        .block_open = "<!--", .block_close = "-->", .quotes = tag_quotes, .word_extra = "-:",
        .flags = SF_LANGUAGE_TAGS,
    },
    {
        .names = "css scss less sass", .files = ".css .scss .less .sass",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = plain_quotes, .word_extra = "-",
        .keywords = "important from to and not only",
        .flags = SF_LANGUAGE_KEYS | SF_LANGUAGE_MARKS | SF_LANGUAGE_CALLS,
    },
    {
        .names = "sql sqlite mysql postgres postgresql plsql", .files = ".sql",
        .line_comments = "--", .block_open = "/*", .block_close = "*/", .quotes = sql_quotes,
        .keywords = "add all alter and as asc begin between by cascade case check column commit conflict constraint "
            "create cross default delete desc distinct do drop else end except exists explain foreign from full group "
            "having if in index inner insert intersect into is join key left like limit not nothing null offset on or "
            "order outer over partition pragma primary references replace returning right rollback row select set "
            "table then to transaction trigger union unique update using values view when where window with without",
        .types = "bigint blob boolean char date decimal double float int integer json jsonb numeric real serial "
            "smallint text time timestamp uuid varchar",
        .constants = "true false current_timestamp", .flags = SF_LANGUAGE_FOLDS | SF_LANGUAGE_CALLS,
    },
    {
        .names = "java groovy scala gradle", .files = ".java .groovy .scala .gradle Jenkinsfile",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = text_block_quotes,
        .keywords = "abstract assert break case catch class const continue def default do else enum extends final "
            "finally for goto if implements import instanceof interface native new object override package permits "
            "private protected public record return sealed static strictfp super switch synchronized this throw "
            "throws trait transient try val var void volatile while yield with",
        .types = "boolean byte char double float int long short",
        .constants = "true false null", .flags = SF_LANGUAGE_MARKS | USUAL,
    },
    {
        .names = "csharp cs c# dotnet", .files = ".cs .csx",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = sharp_quotes,
        .keywords = "abstract as async await base break case catch checked class const continue default delegate do "
            "else enum event explicit extern finally fixed for foreach get goto if implicit in init interface internal "
            "is lock namespace new operator out override params private protected public readonly record ref required "
            "return sealed set sizeof stackalloc static struct switch this throw try typeof unchecked unsafe using var "
            "virtual volatile when where while with yield",
        .types = "bool byte char decimal double dynamic float int long object sbyte short string uint ulong ushort void",
        .constants = "true false null", .flags = SF_LANGUAGE_HASHES | USUAL,
    },
    {
        .names = "ruby rb", .files = ".rb .rake .gemspec Gemfile Rakefile Vagrantfile",
        .line_comments = "#", .quotes = plain_quotes, .word_extra = "?@",
        .keywords = "alias and begin break case class def defined? do else elsif end ensure extend for if in include "
            "module next not or private protected public raise redo require require_relative rescue retry return "
            "super then undef unless until when while yield attr_accessor attr_reader attr_writer",
        .constants = "true false nil self", .flags = SF_LANGUAGE_SPACED | USUAL,
    },
    {
        .names = "php", .files = ".php .phtml",
        .line_comments = "// #", .block_open = "/*", .block_close = "*/", .quotes = plain_quotes,
        .keywords = "abstract and array as break case catch class clone const continue declare default do echo else "
            "elseif empty enum extends final finally fn for foreach function global if implements include instanceof "
            "interface isset list match namespace new or print private protected public readonly require require_once "
            "return static switch throw trait try unset use var while yield",
        .types = "bool callable float int iterable mixed never object string void",
        .constants = "true false null self parent", .flags = SF_LANGUAGE_VARIABLES | USUAL,
    },
    {
        .names = "perl pl", .files = ".pl .pm",
        .line_comments = "#", .quotes = plain_quotes,
        .keywords = "and bless cmp die do each else elsif eq foreach for ge gt if keys last le local lt my ne next no "
            "not or our package print push redo ref require return shift sub undef unless until use values while",
        .flags = SF_LANGUAGE_VARIABLES | SF_LANGUAGE_SPACED | SF_LANGUAGE_CALLS,
    },
    {
        .names = "lua luau", .files = ".lua",
        .line_comments = "--", .block_open = "--[[", .block_close = "]]", .quotes = lua_quotes,
        .keywords = "and break do else elseif end for function goto if in local not or repeat return then until while",
        .constants = "true false nil self", .flags = SF_LANGUAGE_CALLS,
    },
    {
        .names = "make makefile mk", .files = ".mk .mak Makefile makefile GNUmakefile",
        .line_comments = "#", .quotes = plain_quotes, .word_extra = "-./%",
        .keywords = "define else endef endif export ifdef ifeq ifndef ifneq include override unexport vpath .PHONY",
        .flags = SF_LANGUAGE_VARIABLES | SF_LANGUAGE_KEYS | SF_LANGUAGE_SPACED,
    },
    {
        .names = "cmake", .files = ".cmake CMakeLists.txt",
        .line_comments = "#", .block_open = "#[[", .block_close = "]]", .quotes = double_quotes,
        .keywords = "if elseif else endif foreach endforeach while endwhile function endfunction macro endmacro return "
            "break continue include set unset option",
        .types = "PUBLIC PRIVATE INTERFACE REQUIRED STATIC SHARED MODULE ALIAS IMPORTED",
        .constants = "ON OFF TRUE FALSE NOT AND OR STREQUAL MATCHES VERSION_LESS DEFINED EXISTS",
        .flags = SF_LANGUAGE_VARIABLES | SF_LANGUAGE_CALLS,
    },
    {
        .names = "dockerfile docker containerfile", .files = "Dockerfile Containerfile .dockerfile",
        .line_comments = "#", .quotes = plain_quotes, .word_extra = "-",
        .keywords = "FROM AS RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL "
            "HEALTHCHECK SHELL",
        .flags = SF_LANGUAGE_VARIABLES | SF_LANGUAGE_SPACED,
    },
    { .names = "diff patch udiff", .files = ".diff .patch .rej", .flags = SF_LANGUAGE_DIFF },
    { .names = "markdown md text txt plain plaintext output log", .files = ".md .markdown .txt .log .rst" },
    {
        .names = "ini conf config cfg properties dotenv env systemd", .files = ".ini .conf .cfg .properties .env "
            ".service .socket .timer .desktop .editorconfig .gitconfig",
        .line_comments = "# ;", .quotes = double_quotes, .word_extra = "-.",
        .constants = "true false yes no on off",
        .flags = SF_LANGUAGE_KEYS | SF_LANGUAGE_SECTIONS | SF_LANGUAGE_SPACED,
    },
    {
        .names = "swift", .files = ".swift",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = text_block_quotes,
        .keywords = "actor any as associatedtype async await break case catch class continue default defer deinit do "
            "else enum extension fallthrough fileprivate final for func get guard if import in indirect init inout "
            "internal is lazy let mutating nonisolated open operator override private protocol public repeat required "
            "rethrows return set some static struct subscript super switch throw throws try typealias unowned var "
            "weak where while",
        .constants = "true false nil self Self",
        .flags = SF_LANGUAGE_NESTS | SF_LANGUAGE_MARKS | SF_LANGUAGE_HASHES | USUAL,
    },
    {
        .names = "kotlin kt kts", .files = ".kt .kts",
        .line_comments = "//", .block_open = "/*", .block_close = "*/", .quotes = text_block_quotes,
        .keywords = "abstract as break by catch class companion const constructor continue crossinline data do else "
            "enum external final finally for fun if import in infix init inline inner interface internal is lateinit "
            "object open operator out override package private protected public reified return sealed super suspend "
            "tailrec this throw try typealias val var vararg when where while",
        .constants = "true false null it", .flags = SF_LANGUAGE_NESTS | SF_LANGUAGE_MARKS | USUAL,
    },
    {
        .names = "zig", .files = ".zig .zon",
        .line_comments = "//", .quotes = char_quotes,
        .keywords = "align allowzero and anyframe anytype asm async await break callconv catch comptime const continue "
            "defer else enum errdefer error export extern fn for if inline noalias nosuspend opaque or orelse packed "
            "pub resume return struct suspend switch test threadlocal try union unreachable usingnamespace var "
            "volatile while",
        .types = "anyerror bool f16 f32 f64 i8 i16 i32 i64 i128 isize noreturn type u8 u16 u32 u64 u128 usize void",
        .constants = "true false null undefined", .flags = SF_LANGUAGE_MARKS | USUAL,
    },
    {
        .names = "haskell hs", .files = ".hs .lhs",
        .line_comments = "--", .block_open = "{-", .block_close = "-}", .quotes = char_quotes,
        .keywords = "case class data default deriving do else family forall foreign hiding if import in infix infixl "
            "infixr instance let module newtype of qualified then type where",
        .constants = "True False Nothing Just Left Right otherwise",
        .flags = SF_LANGUAGE_NESTS | SF_LANGUAGE_CAPITALS,
    },
    {
        .names = "elixir ex exs", .files = ".ex .exs",
        .line_comments = "#", .quotes = python_quotes, .word_extra = "?",
        .keywords = "after and case catch cond def defmodule defp defstruct defimpl defmacro defprotocol do else end fn "
            "for if import in not or quote raise receive require rescue try unless unquote use when with alias",
        .constants = "true false nil", .flags = SF_LANGUAGE_MARKS | USUAL,
    },
};
/* clang-format on */

const size_t sf_language_count = SF_COUNT(sf_languages);
