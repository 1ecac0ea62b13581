#!/usr/bin/env bash
# usage: check_types.sh SOURCE SF MODEL_SERVER: the requests that sf really sends, in its three wire
# formats, with tools, images, a schema and the result of a call, are of the types that the vendors
# publish; and a field that is none of theirs is found. Exit code 77 and a reason when the packages of
# peers.txt are not installed.
set -euo pipefail
source=$1 sf=$2 server=$3
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sf-peers

# dir_of COMMAND: where its package is installed.
dir_of() { echo "$cache/$1-$(awk -v command="$1" '$1 == command { print $3 }' "$source/peers.txt")/node_modules"; }

for command in tsc anthropic-sdk openai-sdk; do
    [ -d "$(dir_of "$command")" ] || {
        echo "not run: $command is not installed; ./dev peers does that"
        exit 77
    }
done
scratch=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$scratch"' EXIT

work=$scratch/work
mkdir -p "$work/.git" "$scratch/home" "$scratch/types/node_modules/@anthropic-ai"
ln -s "$(dir_of anthropic-sdk)/@anthropic-ai/sdk" "$scratch/types/node_modules/@anthropic-ai/sdk"
ln -s "$(dir_of openai-sdk)/openai" "$scratch/types/node_modules/openai"
base64 -d >"$work/p.png" <<<'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
cat >"$work/s.json" <<'END'
{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}
END
cat >"$scratch/scenario" <<'END'
reply
    reasoning "The picture will tell."
    call Read {"file_path": "p.png"}
    call LS {"path": "."}
reply
    text "{\"n\": 1}"
END

# record FORMAT PROVIDER MODEL: what sf asks for, as DIR/request-N.json.
record() {
    local out=$scratch/$1 port
    mkdir -p "$out"
    "$server" --record "$out" "$scratch/scenario" >"$out/said" 2>&1 &
    pid=$!
    until port=$(grep -oE '127\.0\.0\.1:[0-9]+' "$out/said" | head -1) && [ -n "$port" ]; do
        kill -0 "$pid" 2>/dev/null || {
            cat "$out/said"
            exit 1
        }
    done
    (cd "$work" && env -i HOME="$scratch/home" PATH=/usr/bin:/bin SF_HOME="$scratch/state" \
        SF_MODELS_"${2^^}"_FORMAT="$1" ANTHROPIC_BASE_URL="http://$port" OPENAI_BASE_URL="http://$port/v1" \
        ANTHROPIC_API_KEY=test OPENAI_API_KEY=test \
        "$sf" exec --provider "$2" --model "$3" -i p.png --output-schema s.json 'how many?' </dev/null) \
        >"$out/answer" 2>"$out/err" || {
        cat "$out/err" "$out/said"
        exit 1
    }
    grep -qx '{"n":1}' "$out/answer"
    kill "$pid"
    wait "$pid" 2>/dev/null || true
    pid=
}

# declare_all TYPE FORMAT: a constant of that type for each request.
declare_all() {
    local n=0 request
    for request in "$scratch/$2"/request-*.json; do
        printf 'export const %s_%d: %s = %s;\n' "$2" "$n" "$1" "$(cat "$request")"
        n=$((n + 1))
    done
    [ "$n" -ge 2 ] || { echo "$2: only $n requests" >&2 && return 1; }
}

write_types() {
    echo "import Anthropic from '@anthropic-ai/sdk';"
    echo "import OpenAI from 'openai';"
    declare_all Anthropic.MessageCreateParamsStreaming anthropic
    declare_all OpenAI.Chat.ChatCompletionCreateParamsStreaming chat
    declare_all OpenAI.Responses.ResponseCreateParamsStreaming responses
}

check() {
    (cd "$scratch/types" && "$cache/bin/tsc" --noEmit --strict --skipLibCheck --target es2022 --lib es2023,dom \
        --module esnext --moduleResolution bundler "$1")
}

record anthropic anthropic claude-sonnet-4-6
record chat openai gpt-5.1
record responses openai gpt-5.1
write_types >"$scratch/types/good.ts"
for needle in '"output_config"' '"response_format"' '"json_schema"' '"image/png"' 'image_url' '"input_image"' '"tool_result"'; do
    grep -q "$needle" "$scratch/types/good.ts" || {
        echo "no request has $needle"
        exit 1
    }
done
check good.ts

# Each wrong version has one error in each constant of its kind.
wrong() {
    sed "s/$2/$3/" "$scratch/types/good.ts" >"$scratch/types/bad.ts"
    if cmp -s "$scratch/types/good.ts" "$scratch/types/bad.ts" || check bad.ts >"$scratch/types/said"; then
        echo "not found: $1"
        exit 1
    fi
}
wrong 'a field of another type' '"stream":true' '"stream":"yes"'
wrong 'a field that no service knows' '"stream":true' '"stream":true,"images":[]'
wrong 'a wrong kind of image' '"input_image"' '"input_picture"'
wrong 'a wrong kind of schema' '"type":"json_schema"' '"type":"schema"'
echo "$(grep -c '^export const' "$scratch/types/good.ts") requests are of the vendors' types"
