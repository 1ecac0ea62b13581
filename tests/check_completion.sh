#!/usr/bin/env bash
# Completion scripts: each shell reads its own, and bash really completes.
set -euo pipefail
sf=$1 bad=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for shell in bash zsh fish; do
    "$sf" completion "$shell" >"$dir/$shell"
    command -v "$shell" >/dev/null || { echo "$shell is not installed"; exit 1; }
    "$shell" -n "$dir/$shell" || { echo "$shell cannot read its script"; bad=1; }
done

# complete WORDS…: what bash would offer for the last word
complete_bash() {
    bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _sf; echo "${COMPREPLY[*]}"' _ "$dir/bash" "$@"
}
expect() {
    local want=$1 got
    shift
    got=$(complete_bash "$@")
    [[ " $got " == *" $want "* ]] || { echo "sf $*: '$want' is not offered: $got"; bad=1; }
}
expect config sf co
expect get sf config g
expect defaults.work_mode sf config get defaults.
expect --origin sf config --o
expect build sf --mode b
expect zsh sf completion z
expect --permission-profile sf --perm
expect add sf -C /tmp trust a
[ -z "$(complete_bash sf config get no-such)" ] || { echo "something is offered for nothing"; bad=1; }

# fish answers without a terminal
got=$(fish -c "source $dir/fish; complete -C 'sf config get defaults.w'" | cut -f1)
[[ $got == *defaults.work_mode* ]] || { echo "fish offers '$got'"; bad=1; }
exit $bad
