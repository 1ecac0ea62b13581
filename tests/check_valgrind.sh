#!/usr/bin/env bash
# Valgrind over the program users run: no error, no leak.
set -euo pipefail
sf=$1
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home XDG_CONFIG_HOME=$home/config SF_HOME=$home/state
mkdir -p "$home/config/sf" "$home/work/.sf"
cd "$home/work"
printf '# mine\n[defaults]\nwork_mode = "plan"\nunknwon = 1\n' >"$home/config/sf/config.toml"
printf '[guard]\ndeny = ["rm"]\nallow = ["x"]\n' >.sf/config.toml
check() {
    local want=$1
    shift
    local code=0
    valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --errors-for-leak-kinds=definite,indirect,possible "$sf" "$@" >"$home/out" 2>"$home/err" || code=$?
    [ "$code" -eq "$want" ] || {
        echo "sf $*: exit $code, want $want"
        cat "$home/err"
        exit 1
    }
    echo "clean: sf $*"
}
check 0 --version
check 0 -v --version
check 0 --help
check 0 config
check 0 config --origin
check 0 config get defaults.work_mode
check 0 config set ui.theme light
check 0 config set --project guard.deny rm,curl
check 2 config set ui.themee light
check 0 trust add
check 0 trust status
check 0 trust list
check 0 log
check 0 log --json --since 1h --limit 5
check 0 log --sql 'select kind, count(*) from events group by kind'
check 2 log --sql 'delete from events'
check 0 store check
check 0 guard explain -- 'git push --force && npm run build > out.txt'
check 0 guard explain --tool Edit --path .git/config
check 0 guard matrix
check 0 mode build
printf 'int main(void) { return foo(); }\n' >a.c
printf '{"text":"half"}\n{"call":{"name":"Read","arguments":{"file_path":"a.c"}}}\n{"end":"calls"}\n{"text":"done"}\n{"end":"end"}\n' >"$home/replay"
check 0 -p 'find foo, then list'
check 3 exec --continue --output-format stream-json "replace foo with bar in a.c"
check 0 exec --continue --mode build --output-format stream-json "replace foo with bar in a.c"
check 3 -p 'run make'
check 0 exec --provider "replay:$home/replay" go
check 0 completion bash
check 2 no-such-command
