#!/usr/bin/env bash
# usage: check_peer.sh SOURCE COMMAND: one program of peers.txt starts and is the version named there.
# Exit code 77 and a reason when it is not installed.
set -euo pipefail
bin=${XDG_CACHE_HOME:-$HOME/.cache}/sf-peers/bin command=$2
read -r package version program < <(awk -v command="$command" '$1 == command { print $2, $3, $4 }' "$1/peers.txt")
library=${bin%/bin}/$command-$version/node_modules/$package/package.json
if [ "$program" = - ] && [ -f "$library" ]; then
    grep -q "\"version\": \"$version\"" "$library"
    exit
fi
[ -x "$bin/$command" ] && [ -d "${bin%/bin}/$command-$version" ] || {
    echo "not run: $command $version is not installed; ./dev peers does that"
    exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What it says in a home of its own.
peer() { env -i HOME="$scratch" PATH=/usr/bin:/bin "$bin/$command" "$@" 2>&1; }

case $command in
mcp-*)
    answer=$(printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}' |
        peer "$scratch")
    wanted='"protocolVersion":"2025-06-18"'
    ;;
*)
    answer=$(peer --version)
    wanted=$version
    ;;
esac
case $answer in
*"$wanted"*) ;;
*)
    printf '%s\n' "$command says, where $wanted is wanted:" "$answer"
    exit 1
    ;;
esac
