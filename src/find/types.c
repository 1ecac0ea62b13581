/*
 * types.c: the table of file types. To add one, add a row.
 */
#include "find/types.h"

#include <string.h>

#include "base/base.h"

/* clang-format off */
const struct sf_file_type sf_file_types[] = {
    { "asm",              "*.asm *.s *.S" },
    { "awk",              "*.awk" },
    { "bat batch",        "*.bat *.cmd" },
    { "bazel",            "*.bazel *.bzl BUILD WORKSPACE MODULE.bazel" },
    { "c",                "*.c *.h *.H *.cats *.[chH].in" },
    { "clojure",          "*.clj *.cljc *.cljs *.cljx" },
    { "cmake",            "*.cmake CMakeLists.txt" },
    { "config",           "*.cfg *.conf *.config *.ini" },
    { "cpp",              "*.C *.cc *.cpp *.cxx *.h *.H *.hh *.hpp *.hxx *.inl *.ipp *.[ch]pp.in" },
    { "cs csharp",        "*.cs" },
    { "css",              "*.css *.scss" },
    { "csv",              "*.csv *.tsv" },
    { "cuda",             "*.cu *.cuh" },
    { "cython",           "*.pyx *.pxi *.pxd" },
    { "d",                "*.d" },
    { "dart",             "*.dart" },
    { "diff",             "*.diff *.patch" },
    { "docker",           "*Dockerfile* *Containerfile*" },
    { "elixir",           "*.ex *.exs *.eex *.heex" },
    { "elm",              "*.elm" },
    { "erlang",           "*.erl *.hrl" },
    { "fish",             "*.fish" },
    { "fortran",          "*.f *.F *.f77 *.F77 *.f90 *.F90 *.f95 *.F95 *.pfo" },
    { "fsharp",           "*.fs *.fsi *.fsx" },
    { "go",               "*.go" },
    { "gradle",           "*.gradle *.gradle.kts" },
    { "graphql",          "*.graphql *.graphqls" },
    { "groovy",           "*.groovy *.gradle" },
    { "h",                "*.h *.hh *.hpp" },
    { "haskell hs",       "*.hs *.lhs *.cpphs *.c2hs *.hsc" },
    { "html",             "*.htm *.html *.ejs" },
    { "java",             "*.java *.jsp *.jspx *.properties" },
    { "js",               "*.js *.jsx *.mjs *.cjs *.vue" },
    { "json",             "*.json *.jsonc composer.lock" },
    { "jsonl",            "*.jsonl" },
    { "julia",            "*.jl" },
    { "kotlin",           "*.kt *.kts" },
    { "less",             "*.less" },
    { "lisp",             "*.el *.lisp *.lsp *.sc *.scm *.jl" },
    { "log",              "*.log" },
    { "lua",              "*.lua" },
    { "make",             "[Mm]akefile [Gg][Nn][Uu]makefile Makefile.* *.mk *.mak" },
    { "markdown md",      "*.md *.markdown *.mdown *.mdwn *.mdx *.mkd *.mkdn" },
    { "meson",            "meson.build meson_options.txt meson.options" },
    { "nix",              "*.nix" },
    { "objc",             "*.m *.h" },
    { "ocaml",            "*.ml *.mli *.mll *.mly" },
    { "perl",             "*.perl *.pl *.PL *.plx *.plh *.pm *.t" },
    { "php",              "*.php *.php3 *.php4 *.php5 *.phtml" },
    { "protobuf proto",   "*.proto" },
    { "ps powershell",    "*.ps1 *.psm1 *.psd1 *.cdxml *.ps1xml" },
    { "py python",        "*.py *.pyi" },
    { "r",                "*.r *.R *.Rmd *.Rnw" },
    { "rst",              "*.rst" },
    { "ruby rb",          "*.rb *.gemspec *.rbw .irbrc Gemfile Rakefile config.ru" },
    { "rust rs",          "*.rs" },
    { "sass",             "*.sass *.scss" },
    { "scala",            "*.scala *.sbt" },
    { "sh",               "*.sh *.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.tcsh *.zsh"
                          " .bash_login .bash_logout .bash_profile .bashrc .cshrc .kshrc .login"
                          " .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc"
                          " bash_login bash_logout bash_profile bashrc profile zlogin zlogout"
                          " zprofile zshenv zshrc" },
    { "sql",              "*.sql *.psql" },
    { "svelte",           "*.svelte" },
    { "svg",              "*.svg" },
    { "swift",            "*.swift" },
    { "tcl",              "*.tcl" },
    { "tex",              "*.tex *.ltx *.cls *.sty *.bib *.dtx *.ins" },
    { "tf terraform",     "*.tf *.tfvars *.tf.json *.hcl" },
    { "toml",             "*.toml Cargo.lock" },
    { "ts typescript",    "*.ts *.tsx *.cts *.mts" },
    { "txt",              "*.txt" },
    { "vim",              "*.vim .vimrc .gvimrc vimrc gvimrc" },
    { "vue",              "*.vue" },
    { "xml",              "*.xml *.dtd *.xsl *.xslt *.xsd *.xjb *.rng *.sch *.xhtml" },
    { "yaml yml",         "*.yaml *.yml" },
    { "zig",              "*.zig" },
    { "zsh",              "*.zsh .zshenv .zlogin .zlogout .zprofile .zshrc" },
};
/* clang-format on */
const size_t sf_file_type_count = SF_COUNT(sf_file_types);

static bool has_word(const char *words, const char *word)
{
    size_t len = strlen(word);

    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        if (n == len && !memcmp(words, word, n))
            return true;
    }
    return false;
}

static void offer_words(struct sf_suggest *suggest, const char *words)
{
    char word[16];

    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        snprintf(word, sizeof(word), "%.*s", (int)n, words);
        sf_suggest_offer_as(suggest, word, words);
    }
}

const struct sf_file_type *sf_file_type_find(const char *name, struct sf_error *err)
{
    struct sf_suggest suggest;

    for (size_t i = 0; i < sf_file_type_count; i++)
        if (*name && has_word(sf_file_types[i].name, name))
            return &sf_file_types[i];
    sf_suggest_start(&suggest, name);
    for (size_t i = 0; i < sf_file_type_count; i++)
        offer_words(&suggest, sf_file_types[i].name);
    sf_fail(err, SF_E_ARG, "there is no file type called %s", name);
    if (suggest.best)
        sf_hint(err, "did you mean %.*s?", (int)strcspn(suggest.best, " "), suggest.best);
    else
        sf_hint(err, "use a glob instead, such as *.ext");
    return NULL;
}
