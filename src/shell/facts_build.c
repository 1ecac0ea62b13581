/*
 * facts_build.c: build tools, test runners, compilers, linters and formatters. They run project
 * code or a tool-chain, so build-test is their floor; the targets that publish are looked for by
 * name, and options that name a program to run are marked.
 */
#include "base/base.h"
#include "shell/classifier.h"

/* clang-format off */
static const struct sf_fact rows[] = {
    { "make|gmake|remake", NULL, "=-v --version", RO, NULL, "-v --version", NULL, 0 },
    { "make|gmake|bmake|remake|nmake|mingw32-make|pmake", NULL, NULL, BT, "build",
      "-BdeikLnpqrRsStvwC -0 -C=^ -f=< -I= -j? -l? -o= -W= -E=! --eval=! --directory=^ --file=< "
      "--makefile=< --jobs? --dry-run --just-print --always-make --keep-going --silent --quiet "
      "--question --touch --include-dir= --load-average? --print-data-base --no-print-directory "
      "--debug? --trace --warn-undefined-variables --environment-overrides", sf_classify_make, 0 },
    { "pre-commit|lefthook|husky", NULL, NULL, BT, "build", NULL, sf_classify_hooks, 0 },
    { "wp", "", NULL, BT, "build", "--path= --url= --user= --require=! --exec=!",
      sf_classify_build_verbs, 0 },
    { "wp", "db reset,drop,clean,import,cli|site empty,delete|plugin,theme,core,user,post,term,"
      "comment,option,menu,widget,media,cache,transient delete,uninstall,flush,reset,trash|"
      "search-replace", NULL, DEL, "database-removal", NULL, NULL, 0 },
    { "just|task|go-task|mage|rake|invoke|inv|fab|doit|nox|tox|grunt|gulp|jake|cake|waf|scons|b2|"
      "bjam|tup|redo|buck|buck2|pants|please|bazel|bazelisk|earthly|dagger|xmake|premake5|gn|"
      "kati|samu|ninja|n2|ant|mvn|mvnw|gradle|gradlew|sbtx|xcodebuild|fastlane|ng|vue|"
      "vue-cli-service|next|nuxt|vite|webpack|rollup|parcel|esbuild|snowpack|astro|remix|gatsby|"
      "hugo|jekyll|eleventy|mkdocs|sphinx-build|docusaurus|quasar|ember|expo|react-native|ionic|"
      "cordova|tauri|electron-builder|electron-forge|nest|strapi|mix-test|artisan|drush|"
      "symfony|bazel-*|pre-commit|lefthook|husky|lint-staged|commitlint|act|devcontainer|cypress|"
      "playwright|detox-cli|storybook|moon|nx-cloud|hardhat|truffle|foundry|forge|anchor|mint|"
      "packwerk|goreleaser|ko|nfpm|cargo-make|molecule", NULL, NULL, BT, "build",
      "-f=< -C=^ --file=< --shell=! --set= -d= --command=$ --init-script=! -I=!",
      sf_classify_build_verbs, 0 },
    { "cmake|ccmake|cmake3|ctest|cpack", NULL, "-E", BT, "build", "-E", sf_classify_cmake_tool, 0 },
    { "cmake|ccmake|cmake3|ctest|cpack|meson|autoconf|automake|autoreconf|aclocal|autoheader|"
      "libtoolize|configure|qmake|qmake6|intltoolize|gettextize|bootstrap", NULL, NULL, BT,
      "build", "--install# --uninstall#", sf_classify_build_verbs, 0 },
    { "cc|gcc|g++|c++|clang|clang++|gcc-*|g++-*|cpp|ld|ld.*|gold|lld|mold|nasm|yasm|rustc|"
      "javac|kotlinc|scalac|groovyc|ghc|ocamlc|ocamlopt|ocamlfind|dune|fpc|gfortran|ifort|"
      "tsc|tsgo|swc|babel|sass|lessc|postcss|tailwindcss|coffee|elmc|protoc|buf|"
      "swig|cython|nvcc|icc|tcc|emcc|zig|nim|crystal|vala|valac|dmd|ldc2|gdc|mcs|csc|fsc|"
      "solc|vyper|wat2wasm|wasm-pack|wasm-opt|pdflatex|xelatex|lualatex|latex|bibtex|"
      "biber|makeindex|tex|typst|asciidoctor|groff|troff|nroff|swiftc|rescript|bsc|idris2|"
      "agda|lean|lake|coqc|isabelle|verilator|iverilog|yosys|ghdl|arduino-cli|platformio|pio|"
      "west|idf.py|esptool|avrdude|openocd|dfu-util|st-flash|xtensa-*|arm-none-eabi-*", NULL,
      "=--version -v -V -dumpversion -dumpmachine -print-search-dirs --print -print-file-name",
      RO, NULL, "/ -version -v -V -dumpversion -dumpmachine -print-search-dirs -print= "
      "-print-file-name=", NULL, 0 },
    { "esptool|avrdude|openocd|dfu-util|st-flash|fastboot|flashrom|heimdall", NULL, NULL, DEL,
      "device", NULL, NULL, 0 },
    { "cc|gcc|g++|c++|clang|clang++|gcc-*|g++-*|cpp|ld|ld.*|gold|lld|mold|as|nasm|yasm|rustc|"
      "javac|kotlinc|scalac|groovyc|ghc|ghci|ocamlc|ocamlopt|ocamlfind|dune|fpc|gfortran|ifort|"
      "tsc|tsgo|swc|babel|sass|lessc|postcss|tailwindcss|coffee|elmc|protoc|buf|flex|bison|yacc|"
      "lex|swig|cython|nvcc|icc|tcc|emcc|zig|nim|crystal|vala|valac|dmd|ldc2|gdc|mcs|csc|fsc|"
      "solc|vyper|wat2wasm|wasm-pack|wasm-opt|swiftc|rescript|bsc|idris2|agda|lean|lake|coqc|"
      "isabelle|verilator|iverilog|yosys|ghdl|arduino-cli|platformio|pio|west|idf.py|xtensa-*|"
      "arm-none-eabi-*", NULL, NULL, BT, "toolchain", "/ -o=> -wrapper=! -B=! -fplugin=! "
      "-specs=! -Xclang= -run=! -e=% -c -I= -L= -l= -D= -MF=>", NULL, 0 },
    { "swift", "", NULL, BT, "toolchain", NULL, sf_classify_verbs, 0 },
    { "swift", "package clean,purge-cache,reset", NULL, DEL, "delete", NULL, NULL, 0 },
    { "pdflatex|xelatex|lualatex|latex|latexmk|tex|bibtex|biber|makeindex|typst|asciidoctor|"
      "groff|troff|nroff", NULL, NULL, BT, "toolchain", "/ -shell-escape! -enable-write18! "
      "-write18! -output-directory=> -jobname= -U! -e=! -interaction= -C# -c#", NULL, 0 },
    { "pytest|py.test|py.test-3|unittest|nose2|nosetests|jest|vitest|mocha|ava|tap|tape|jasmine|"
      "karma|rspec|minitest|cucumber|behave|robot|phpunit|pest|codecept|behat|bats|shunit2|gtest|"
      "busted|prove|tarpaulin|hypothesis|locust|k6|testcafe|wdio|nightwatch|"
      "gotestsum|ginkgo|richgo|trybuild|doctest|stestr|testr|green|ward", NULL, NULL, BT, "test",
      NULL, NULL, 0 },
    /* ast-grep, or the program that runs a shell text as another group */
    { "sg", "", NULL, BT, "runs-text", "* -c=$", sf_classify_each, 0 },
    { "sg", "run|scan|test|new|lsp|completions|help|outline", NULL, BT, "linter", NULL,
      sf_classify_formatter, 0 },
    { "c8|nyc|coverage", NULL, NULL, BT, "test", NULL, sf_classify_anywhere, 0 },
    { "eslint|prettier|biome|oxlint|tslint|jshint|jslint|xo|standard|stylelint|htmlhint|ruff|"
      "black|isort|flake8|pylint|pyflakes|pycodestyle|pydocstyle|mypy|pyright|pyre|pytype|bandit|"
      "vulture|autopep8|yapf|autoflake|pyupgrade|rubocop|reek|brakeman|standardrb|sorbet|srb|"
      "steep|phpcs|phpcbf|phpstan|psalm|php-cs-fixer|rector|gofmt|goimports|golangci-lint|"
      "staticcheck|golint|revive|errcheck|gosec|rustfmt|clippy-driver|clang-format|clang-tidy|"
      "cppcheck|cpplint|include-what-you-use|iwyu|uncrustify|astyle|indent|ktlint|detekt|"
      "checkstyle|spotbugs|pmd|scalafmt|scalafix|swiftlint|swiftformat|hlint|ormolu|fourmolu|"
      "stylish-haskell|credo|dialyzer|elm-format|purty|stylua|luacheck|shfmt|beautysh|taplo|"
      "dprint|sqlfluff|sqlfmt|tflint|tfsec|checkov|terrascan|kubeval|kubeconform|kube-linter|"
      "dockerfilelint|cfn-lint|spectral|redocly|alex|write-good|textlint|proselint|vale|"
      "markdownlint|markdownlint-cli2|remark|commitizen|cz|gitlint|detect-secrets|gitleaks|"
      "trufflehog|semgrep|knip|depcheck|madge|ts-prune|tsd|attw|publint|size-limit|bundlewatch|"
      "lighthouse|pa11y|axe|codespell|typos|cspell|buildifier|jscodeshift|codemod|comby|ast-grep|"
      "jscpd|lizard|radon|xenon|interrogate|pydoc|pydoc3|javadoc|doxygen|typedoc|jsdoc|rdoc|"
      "yard|godoc|swagger-cli|openapi-generator|graphql-codegen|quicktype|actionlint", NULL, NULL,
      BT, "linter", "--config=< -c=< --resolve-plugins-relative-to= --rulesdir= --plugin=",
      sf_classify_formatter, 0 },
    { "snyk|trivy|grype|syft|osv-scanner|dependency-check|safety|pip-audit|npm-audit|cargo-audit|"
      "bundler-audit|nancy|govulncheck|retire|audit-ci|codecov|coveralls|sonar-scanner|newman",
      NULL, NULL, NET, "network", NULL, NULL, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_build = { rows, SF_COUNT(rows) };
