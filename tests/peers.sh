#!/usr/bin/env bash
# Installs the programs of peers.txt from npm, each into a directory of its own, once. A wrapper for
# each stands in bin/, which is what tests look for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sf-peers

say() { printf '%s\n' "== $*" >&2; }
die() {
    printf '%s\n' "peers: $*" >&2
    exit 1
}

# install COMMAND PACKAGE VERSION: a directory is there only when it is complete.
install() {
    local dir=$cache/$1-$3
    [ ! -d "$dir" ] || return 0
    say "installing $2 $3"
    rm -rf "$dir.new"
    mkdir -p "$dir.new"
    (cd "$dir.new" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error "$2@$3" >&2)
    mv "$dir.new" "$dir"
}

# wrap COMMAND PROGRAM: starts it with the Node that was installed for all.
wrap() {
    [ -x "$2" ] || die "$1 has no program $2"
    printf '#!/bin/sh\nPATH=%q:$PATH exec %q "$@"\n' "$node" "$2" >"$cache/bin/$1.new"
    chmod +x "$cache/bin/$1.new"
    mv "$cache/bin/$1.new" "$cache/bin/$1"
}

command -v npm >/dev/null || die "npm is missing; install it first"
mkdir -p "$cache/bin"
node=
while read -r command package version program; do
    case $command in '' | '#'*) continue ;; esac
    install "$command" "$package" "$version"
    [ "$program" != - ] || continue
    program=$cache/$command-$version/node_modules/$program
    node=${node:-$(dirname "$program")}
    wrap "$command" "$program"
done <peers.txt
say "in $cache/bin: $(ls "$cache/bin" | tr '\n' ' ')"
