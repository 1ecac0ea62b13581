/*
 * facts_packages.c: package managers, of languages and of systems. Listing reads, installing
 * fetches and runs install scripts, publishing cannot be taken back, removing asks; system-wide
 * changes ask always.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "shell/classifier.h"

/*
 * Whatever they are asked, files of the project come first, and those name what runs: yarnPath of
 * .yarnrc.yml, the packageManager of package.json, a toolchain file of rustup or go, .mvn/jvm.config,
 * global.json, conftest.py, toxfile.py, .hg/hgrc, tools/bazel, a Gemfile, .rspec, .mocharc.js,
 * .latexmkrc, .ghci, .conanrc, wp-cli.yml, mix.exs, idf_ext.py, plugins of poetry, pdm, composer and flake8, the
 * copy of itself in node_modules.
 */
/* clang-format off */
static const char *const of_project[] = { /* in the order of strcmp */
    "asdf", "ava", "b2", "bazel", "bazelisk", "berry", "bjam", "boot", "buck", "bundle",
    "bundler", "cargo", "clippy-driver", "composer", "conan", "corepack", "cucumber", "direnv",
    "dotnet", "drush", "ember", "fastlane", "flake8", "flask", "gatsby", "ghci", "go", "gradle",
    "gradlew", "grunt", "gulp", "hatch", "hg", "idf.py", "jekyll", "jest", "karma", "lake",
    "latexmk", "lean", "lein", "lerna", "mill", "mise", "mix", "mocha", "msbuild", "mvn", "mvnw",
    "ng", "nodenv", "nosetests", "nox", "npx", "nx", "nyc", "pants", "pdm", "pipenv", "please",
    "pnpm", "pnpx", "poetry", "premake5", "py.test", "py.test-3", "pyenv", "pytest", "quasar",
    "rails", "rake", "rbenv", "react-native", "rspec", "rtx", "rubocop", "rush", "rust-analyzer",
    "rustc", "rustdoc", "rustfmt", "rustup", "sbt", "scrapy", "serverless", "sls", "standardrb",
    "tap", "terraform", "tofu", "tox", "turbo", "webpack", "wp", "xo", "yarn", "yarnpkg",
};
/* clang-format on */

static int compare_names(const void *name, const void *row)
{
    return strcmp(name, *(const char *const *)row);
}

bool sf_facts_reads_project(const char *program)
{
    return !strncmp(program, "cargo-", 6) ||
           bsearch(program, of_project, SF_COUNT(of_project), sizeof(*of_project), compare_names);
}

/* clang-format off */
static const struct sf_fact rows[] = {
    { "npm|pnpm|yarn|bun|cnpm|yarnpkg|ni|nr|berry", "", NULL, BT, "package-script",
      "-C= -F= --prefix= --workspace= --filter= --dir= --cwd= --registry= --userconfig=! "
      "--script-shell=! --node-options=! --globalconfig=! -sdg -s -r --silent --recursive "
      "--if-present --workspaces", sf_classify_npm_bare, 0 },
    { "npm|pnpm|yarn|bun", "workspaces foreach", NULL, BT, "package-script", NULL,
      sf_classify_npm_bare, 0 },
    { "npm|pnpm|yarn|bun", NULL, "=-v --version", RO, NULL, "-v --version", NULL, 0 },
    { "npm|pnpm|yarn|bun", "help|fund|help-search", NULL, BT, "reads-project", NULL, NULL, 0 },
    { "npm|pnpm|yarn", "ls|list|ll|la|root|prefix|bin|why|explain|-v|config get|"
      "config list|get|query|licenses|pkg get|completion", NULL, RO, NULL,
      "-agldpr -g --depth= --all --json --long --parseable --global --prod --production --dev "
      "--omit= --only= --link --production --recursive --silent", NULL, 0 },
    { "npm|pnpm|yarn", "config get|config list|config ls|c get|c list|get", NULL, RO, NULL,
      "-gl --json --long --global --location=", NULL, 0 },
    { "npm|pnpm|yarn|bun", "config|c|set|pkg|version|init|create|shrinkwrap|dedupe|rebuild|rb|"
      "link|unlink|patch*|env|setup", NULL, BT, "package-edit", "-g# --global#",
      sf_classify_npm_edit, 0 },
    { "npm|pnpm|yarn|bun", "publish|unpublish|deprecate|dist-tag|owner|access|token|team|org|"
      "hook|profile|adduser|login|logout|star|unstar|deploy|npm|stage|trust", "--dry-run", NET,
      "network", "--dry-run --tag= --access= --otp=", NULL, 0 },
    { "npm|pnpm|yarn|bun", "publish|unpublish|deprecate|dist-tag|owner|access|token|team|org|"
      "hook|profile|adduser|login|logout|star|unstar|deploy|npm|stage|trust", NULL, DEL,
      "publish", NULL, NULL, 0 },
    { "npm|pnpm|yarn|bun", "uninstall|un|unlink|remove|rm|r|prune|cache clean|cache rm|"
      "store prune|autoclean", NULL, DEL, "package-removal", NULL, NULL, 0 },
    { "npm|pnpm|yarn|bun", "cache ls,verify,list,dir,path,add", NULL, BT, "package-edit", NULL,
      NULL, 0 },
    { "npm|pnpm|yarn|bun", "exec|x|dlx", NULL, NET, "fetched-tool",
      "-p= -c=$ --package= --call=$ --yes --no -y", sf_classify_fetched_tool, 0 },
    { "npm|pnpm|yarn|bun", "install|i|add|ci|install-test|it|clean-install|ic|update|up|upgrade|"
      "upgrade-interactive|outdated|audit|view|info|show|v|search|find|ping|doctor|whoami|import|"
      "fetch|self-update|pack|docs|repo|bugs|home|set|plugin|global|cit|install-ci-test|"
      "dist-tags|create|init|pm|npmrc", NULL, NET, "network",
      "-gDESOPBE --global --location= --save-dev --save --frozen-lockfile --prefer-offline",
      NULL, 0 },
    { "npm|pnpm|yarn|bun", "run|run-script|rum|urn|test|t|tst|start|stop|restart|build|lint|dev|"
      "serve|watch", NULL, BT, "package-script", NULL, sf_classify_script_name, 0 },
    { "npx|bunx|pnpx|uvx|pipx-run|yarn-dlx|dlx|npm-check|ncu|jsr", NULL, NULL, NET,
      "fetched-tool", "-p= -c=$ -y --package= --call=$ --yes --no --no-install --from= --with= "
      "-q --quiet --python= --ignore-existing", sf_classify_fetched_tool, 0 },

    { "pip|pip2|pip3|pip3.*|pip2.*", "", NULL, NET, "network",
      "-qv --quiet --verbose --isolated --require-virtualenv --python=+ --log=> --proxy= "
      "--timeout= --cache-dir= --no-input --disable-pip-version-check", sf_classify_verbs, 0 },
    { "pip|pip2|pip3|pip3.*", "list|freeze|show|check|help|debug|inspect|config list|config get|"
      "cache list|cache info|cache dir|--version|-V|completion|hash", NULL, RO, NULL,
      "-olufi -v -q -r= --format= --outdated@ --uptodate@ --local --user --path= --editable "
      "--not-required --verbose --files --all --exclude= --pre --include-editable "
      "--disable-pip-version-check", NULL, 0 },
    { "pip|pip2|pip3|pip3.*", "uninstall|cache purge|cache remove", NULL, DEL, "package-removal",
      NULL, NULL, 0 },
    { "pip|pip2|pip3|pip3.*", "config set,edit,unset", NULL, DEL, "write-outside", NULL, NULL, 0 },
    { "pip|pip2|pip3|pip3.*", "install|download|wheel|index|search|lock", NULL, NET, "network",
      "-t=> -d=> --target=> --root=> --prefix=> --break-system-packages --dest=> --user -r=< "
      "--requirement=<", NULL, 0 },
    { "uv|poetry|pipenv|pdm|rye|hatch|flit|conda|mamba|micromamba|pixi|pipx|easy_install|"
      "setup.py|twine|build|maturin|virtualenv|venv", "", NULL, BT, "package-script",
      "-C= -q -v --project= --directory= --python=", sf_classify_verbs, 0 },
    { "twine|flit|poetry|uv|pdm|hatch|rye|maturin|setup.py", "upload|publish|register|release",
      "--dry-run", NET, "network", "--dry-run", NULL, 0 },
    { "twine|flit|poetry|uv|pdm|hatch|rye|maturin|setup.py", "upload|publish|register|release",
      NULL, DEL, "publish", NULL, NULL, 0 },
    { "poetry|pdm|pipenv", "show|check|env list|env info|config --list|graph|--venv|version|"
      "about|list|info", NULL, RO, NULL, "-tlonaTd --tree --latest@ --outdated@ --all "
      "--top-level --only= --with= --without= --no-dev --list --short --graph --json --fields=",
      NULL, 0 },
    { "uv", "pip list,freeze,show,tree,check|tree|version|python list,find", NULL, BT, "reads-project", NULL, NULL, 0 },
    { "uv", "python dir|cache dir|tool list|tool dir|help",
      NULL, RO, NULL, NULL, NULL, 0 },
    { "uv", "pip uninstall", NULL, DEL, "package-removal", NULL, NULL, 0 },
    { "uv", "cache clean,prune", NULL, DEL, "package-removal", NULL, NULL, 0 },
    { "uv", "pip,tool,python install,sync,compile,run,upgrade,update,pin", NULL, NET, "network",
      NULL, sf_classify_fetched_tool2, 0 },
    { "conda|mamba|micromamba", "list|info|env list|config --show|--version|compare", NULL, RO,
      NULL, NULL, NULL, 0 },
    { "conda|mamba|micromamba", "remove|uninstall|clean|env remove", NULL, DEL,
      "package-removal", NULL, NULL, 0 },
    { "poetry|pdm|pipenv|uv|rye|conda|mamba|micromamba|pixi|pipx|hatch",
      "remove|uninstall|uninstall-all|cache clear|env remove|self remove|self uninstall|rm",
      NULL, DEL, "package-removal", NULL, NULL, 0 },
    { "pipx", "run", NULL, NET, "fetched-tool", "--spec= --pip-args= --python= --verbose -q -v "
      "--no-cache --path", sf_classify_fetched_tool, 0 },
    { "poetry|pdm|pipenv|uv|rye|conda|mamba|micromamba|pixi|pipx|hatch", "run|shell|exec", NULL,
      BT, "runs-script", "-n= -p= --no-sync --isolated --with= --python= --extra= --group= "
      "--frozen --locked --all-extras -m -q --live-stream --no-capture-output --cwd=",
      sf_classify_runner, 0 },
    { "poetry|pdm|pipenv|uv|rye|conda|mamba|micromamba|pixi|pipx|hatch",
      "install|add|update|lock|sync|upgrade|self|create|env create|search|inject|run-pip|"
      "upgrade-all|ensurepath|init|venv|fetch|reinstall", NULL, NET, "network", NULL, NULL, 0 },

    { "cargo", "", NULL, BT, "unknown-verb", "-qvZ -C= -Z= --config=! --color= --manifest-path= "
      "--frozen --locked --offline --list --explain= --quiet --verbose -V --version",
      sf_classify_script_name, 0 },
    { "cargo", "tree|metadata|locate-project|pkgid|verify-project|read-manifest|version|help|"
      "--list|--version|-V", NULL, RO, NULL, "-pideFq -0 -p= -i= -e= -d= -F= --depth= "
      "--format-version= --no-deps --manifest-path= --all-features --no-default-features "
      "--features= --workspace --package= --target= --format= --prefix= --invert= --duplicates "
      "--edges= --offline --locked --frozen --all-targets --no-dedupe --charset= "
      "--message-format=", NULL, 0 },
    { "cargo", "publish|yank|owner|login|logout|release|workspaces|ws|smart-release",
      "--dry-run -n", NET, "network", "--dry-run -n -p= --list", NULL, 0 },
    { "cargo", "publish|yank|owner|login|logout|release|workspaces|ws|smart-release", NULL, DEL,
      "publish", NULL, NULL, 0 },
    { "cargo", "clean|uninstall|remove|rm|sweep|cache|wipe", NULL, DEL, "package-removal", NULL,
      NULL, 0 },
    { "cargo", "install|binstall|update|fetch|add|search|generate|vendor|info|audit|outdated|"
      "upgrade|generate-lockfile|package|deny|udeps|edit|quickinstall|install-update|report",
      NULL, NET, "network", "--root=>", NULL, 0 },
    { "cargo", "init|new|fmt|fix", NULL, BT, "toolchain", NULL, NULL, 0 },
    { "cargo", "run|r|test|t|nextest|build|b|check|c|bench|doc|d|rustc|rustdoc|clippy|miri|"
      "llvm-cov|tarpaulin|watch|expand|make|xtask|flamegraph|asm|bloat|insta|criterion|mutants|"
      "fuzz|+*", NULL, BT, "build", "-x=$ -s=$ --config=! --exec=$ --shell=$", NULL, 0 },
    { "rustup", "", NULL, NET, "network", NULL, sf_classify_verbs, 0 },
    { "rustup", "show|which|toolchain list|target list|component list|doc|help|--version|"
      "completions", NULL, RO, NULL, NULL, NULL, 0 },
    { "rustup", "run", NULL, BT, "runs-script", NULL, sf_classify_tail, 0 },

    { "go", "", NULL, BT, "build", "-C=", sf_classify_verbs, 0 },
    { "go", "env", "-w -u", DEL, "write-outside", "/ -w -u -json", NULL, 0 },
    { "go", "version|env|list|doc|help", "-m -u -versions -w -u=", BT, "build",
      "/ -m -u -versions -w -u=", NULL, 0 },
    { "go", "version|env|list|doc|help", NULL, RO, NULL, "/ -f= -json -deps -test -e -find -all "
      "-src -short -cmd -c -u -m -v -changed -compiled+ -export+ -toolexec=! -mod= -modfile= "
      "-tags=", NULL, 0 },
    { "go", "get|install|mod download|mod tidy|mod vendor|work sync|telemetry", NULL, NET,
      "network", "/ -toolexec=! -exec=!", NULL, 0 },
    { "go", "mod why,graph,verify,edit,init", NULL, BT, "build", NULL, NULL, 0 },
    { "go", "clean", "-cache -modcache -testcache -fuzzcache -i -r", DEL, "delete",
      "/ -cache -modcache -testcache -fuzzcache -n -x -i -r", NULL, 0 },
    { "go", "clean", NULL, DEL, "delete", NULL, NULL, 0 },
    { "go", "build|test|vet|run|fmt|generate|tool|fix|work|bug", NULL, BT, "build",
      "/ -toolexec=! -exec=! -o=> -vettool=! -overlay=! -run= -bench= -count= -timeout= -tags= "
      "-ldflags= -gcflags= -cpu= -coverprofile= -race -v -x -n -short", sf_classify_go_run, 0 },

    { "semantic-release|release-it|np|auto|vsce|ovsx|cz-publish|clasp", NULL, NULL, DEL,
      "publish", NULL, NULL, 0 },
    { "gem|bundle|bundler|rake|rails|pod|carthage|composer|cpan|cpanm|luarocks|opam|cabal|stack|"
      "mix|rebar3|hex|dub|nimble|raco|shards|spm|dart|flutter|pub|fvm|melos|sbt|lein|clj|clojure|"
      "boot|mill|bloop|cs|coursier|conan|vcpkg|nuget|dotnet|paket|paket.exe|elm|spago|purs|gleam|"
      "bower|jspm|tsd|typings|lerna|nx|turbo|rush|wsrun|changeset|standard-version", "", NULL,
      BT, "package-script", NULL, sf_classify_verbs, 0 },
    { "dotnet", NULL, "=--info --version --list-sdks --list-runtimes", RO, NULL,
      "--info --version --list-sdks --list-runtimes", NULL, 0 },
    { "gem|composer|opam|luarocks|cabal|flutter|dart|conan|cpan", "list|show|info|env|environment|check|platform|licenses|depends|why|why-not|"
      "contents|specification|which|--version|--info|--list-sdks|--list-runtimes|validate|status|"
      "path|ls", NULL, RO, NULL, "-aldtiV --local --all --direct --tree --json --format= "
      "--installed --latest@ --outdated@ --platform --name-only --no-dev --self --version "
      "--versions --remote@ --paths", NULL, 0 },
    { "gem", "push|yank|owner|signin|signout", NULL, DEL, "publish", NULL, NULL, 0 },
    { "gem|bundle|composer|pod|luarocks|opam|mix|dotnet|flutter|dart|cabal|stack|nuget|conan|"
      "cpan|vcpkg|carthage|dub|nimble|shards|rebar3|elm|spago",
      "install|update|add|require|download|fetch|search|get|restore|bootstrap|upgrade|outdated|"
      "deps.get|deps.update|create-project|pub|pub get|pub upgrade|pub add|audit|package|repo|"
      "source|tool|new|lock|global|hex.info|local.hex|self-update|selfupdate|init|sync|i|"
      "outdated|doctor|precache|template|workload|setup", NULL, NET, "network",
      "-i=> --install-dir=> --bindir=>", sf_classify_dotnet, 0 },
    { "bundle|bundler", "exec", NULL, BT, "runs-script", "--gemfile=", sf_classify_runner, 0 },
    { "bundle|bundler", "config|clean|cache|package|pristine|binstubs|open|gem|viz|lock", NULL,
      BT, "package-edit", NULL, sf_classify_verbs, 0 },
    { "cpanm|cpan|perlbrew|plenv|easy_install|pear|pecl|apxs|phive|luarocks-5.*|quicklisp|roswell",
      NULL, NULL, NET, "network", NULL, sf_classify_verbs, 0 },

    /* systems */
    { "apt|apt-get|aptitude|dpkg|dnf|yum|microdnf|rpm|zypper|pacman|yay|paru|apk|emerge|"
      "xbps-install|xbps-query|nix-env|snap|flatpak|brew|port|pkg|pkgin|choco|scoop|winget|eopkg|"
      "swupd|guix-package|opkg|urpmi|slackpkg|installpkg|softwareupdate|mas|pkgutil|installer|"
      "add-apt-repository|apt-key|apt-mark|tdnf|rpm-ostree|transactional-update|flatpak-builder|"
      "appimaged|fwupd|tasksel|debootstrap|alien|checkinstall|dpkg-buildpackage|gdebi|nala|"
      "pikaur|trizen|cask|mise-en-place", "", NULL, DEL, "system-package",
      "-qyV -c=! -o=! -t= --option=! --config-file=! --quiet --yes --assume-yes --no-cache "
      "--root=", NULL, 0 },
    { "apt|apt-get|aptitude|dnf|yum|brew|apk|snap|flatpak|zypper|pacman|port|pkg|nala|choco|"
      "winget|scoop", "list|show|policy|depends|rdepends|info|search|deps|leaves|config|doctor|"
      "outdated|desc|uses|home|cat|commands|repolist|history|provides|files|remote-ls|remotes|"
      "find|changelog|why|stats|dump|madison|showpkg|--prefix|--version|--cellar|contents|"
      "installed|variants", NULL, RO, NULL, "-aqdi1vltn -0 --installed --upgradable "
      "--all-versions --versions --json? --formula --cask --cellar --installed --full "
      "--names-only --manual-installed --quiet --tree --outdated --greedy --prefix",
      sf_classify_pkg_list, 0 },
    { "apt-file", "", NULL, NET, "network", NULL, sf_classify_verbs, 0 },
    { "apt-file", "search|find|list|show", NULL, RO, NULL, "-lxFisv --package-only --regexp "
      "--fixed-string --ignore-case", NULL, 0 },
    { "repoquery|whohas", NULL, NULL, NET, "network", NULL, NULL, 0 },
    { "dpkg-deb", NULL, "-c --contents -I --info -f --field -W --show --fsys-tarfile --ctrl-tarfile",
      RO, NULL, "-cIfW --contents --info --field --show --fsys-tarfile --ctrl-tarfile "
      "--showformat=", sf_classify_operands_read, 0 },
    { "dpkg-deb", NULL, NULL, ED, "unpack", "-xXeRbvD -Z= -z= --extract --vextract --control "
      "--raw-extract --build --root-owner-group --nocheck --verbose", sf_classify_second_written, 0 },
    { "apt-cache|apt-config|dpkg-query|xbps-query|rpmquery|equery|pkg-config|"
      "pkgconf|debsums|pacman-conf|apt-show-versions", NULL, NULL, RO, NULL,
      "-LlsSWfIcepqaio -f= -W? --list --show --listfiles --status --search --showformat= "
      "--cflags --libs --modversion --exists --variable= --print-errors --libs-only-l --static -o=! "
      "-c=! --option=! --config-file=!", NULL, 0 },
    { "dpkg", NULL, "-l --list -L --listfiles -s --status -S --search --print-architecture "
      "--get-selections -p --print-avail -I --info -c --contents --compare-versions -V --verify "
      "--audit -C", RO, NULL, "-lLsSpIcVC --list --listfiles --status --search "
      "--print-architecture --get-selections --print-avail --info --contents --compare-versions "
      "--verify --audit", NULL, 0 },
    { "rpm", NULL, "-q --query -V --verify", RO, NULL, "-qaiflcdRpVs --query --all --info --list "
      "--file= --queryformat= --qf= --verify --last --requires --provides --whatprovides= "
      "--eval=! --pipe=! --define=! --load=! --macros=! --rcfile=! --changelog --scripts --package -e# -i -U# -F#", sf_classify_may_fetch, 0 },
    { "pacman|yay|paru", NULL, "-Q", RO, NULL, "-QqeidmnostuklcgpST", NULL, 0 },
    { "brew|scoop|mas", "install|update|upgrade|fetch|tap|reinstall|search|bundle", NULL, NET,
      "network", NULL, NULL, 0 },
    { "port|snap|flatpak|winget|choco", "install|update|upgrade|fetch|tap|reinstall|refresh|"
      "search|bundle|download", NULL, DEL, "system-package", NULL, NULL, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_packages = { rows, SF_COUNT(rows) };
