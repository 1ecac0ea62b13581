#!/usr/bin/env bash
# symbols.sh BUILD: what each object of the build defines and uses, a line each:
#   d ROOM OBJECT SYMBOL   the object defines a function that others can call
#   v ROOM OBJECT SYMBOL   the object defines a variable that others can use
#   u ROOM OBJECT SYMBOL   the object uses one that it does not define
# ROOM is a room of src/, `main` for the program's own object, or `module` for a module's.
set -euo pipefail
build=$1
objects=()
for library in "$build"/libsf_*.a; do
    case $library in
    *_support.a | *_model_server.a) ;; # tests' own
    *) objects+=("$library") ;;
    esac
done
shopt -s nullglob
objects+=("$build"/CMakeFiles/sf.dir/src/app/main.c.o
          "$build"/CMakeFiles/sf-*.dir/src/modules/*/*.o)
[[ -e ${objects[0]} ]] || { echo "symbols.sh: nothing is built in $build" >&2; exit 1; }
nm -A "${objects[@]}" 2>/dev/null | awk '
    # FILE:NUMBER KIND NAME, where FILE is LIBRARY:OBJECT or an object; undefined ones have no number
    NF < 2 || $(NF - 1) !~ /^[TUDBR]$/ || $NF !~ /^sf_/ { next }
    {
        place = $1
        sub(/:[0-9a-f]*$/, "", place)
        n = split(place, part, "/")
        split(part[n], piece, ":")
        room = piece[1]
        object = piece[2]
        if (room ~ /^libsf_/) {
            room = substr(room, 7)
            sub(/\.a$/, "", room)
        } else {
            object = room
            room = part[n - 2] == "modules" ? "module" : "main"
        }
        kind = $(NF - 1) == "U" ? "u" : $(NF - 1) == "T" ? "d" : "v"
        print kind, room, object, $NF
    }'
