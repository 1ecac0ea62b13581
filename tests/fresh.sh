#!/usr/bin/env bash
# Makes a minimal Debian 12, clones the repository there, into root's home and as an ordinary user
# elsewhere, and runs the two commands of a newcomer: ./dev run --version and ./dev test. Both get
# a machine of their own, so that what one installs the other still misses. What is not committed
# is not tested. Mirror, proxy and keys are those of this machine's apt.
set -euo pipefail
self=$(realpath "${BASH_SOURCE[0]}")
cd "$(dirname "$self")/.."

suite=bookworm

usage() { echo "usage: ./dev fresh [--keep] [--only root|user] [DIRECTORY]"; }
say() { printf '%s\n' "== $*" >&2; }
die() {
    printf '%s\n' "fresh: $*" >&2
    exit 1
}

# Runs as the first process of the machine: its root becomes ours, so that the machine is no
# chroot, in which the kernel refuses user namespaces; all mounts and processes end with it.
inside() {
    local root=$1
    shift
    mount --bind "$root" "$root"
    cd "$root"
    mount -t proc proc proc
    mount --rbind /sys sys
    mount --rbind /dev dev
    pivot_root . mnt
    exec chroot . /bin/bash -c 'umount -l /mnt && exec "$@"' bash "$@"
}

# machine ROOT USER COMMAND: runs the line in the user's home, with an environment like after a login.
machine() {
    local root=$1 user=$2 home=/root
    [ "$user" = root ] || home=/home/$user
    unshare --mount --pid --fork --kill-child --propagation private -- "$self" --inside "$root" \
        setpriv --reuid="$user" --regid="$user" --init-groups \
        env -i HOME="$home" USER="$user" TERM=xterm LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        bash -c "cd && $3"
}

mirror() {
    apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite=$suite '$1 == suite { print $2; exit }'
}

# The sources this machine installs from, with their keys and proxies.
copy_apt() {
    local root=$1 file
    rm -f "$root/etc/apt/sources.list"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources \
        /etc/apt/trusted.gpg.d/* /etc/apt/keyrings/* /usr/share/keyrings/*; do
        [ ! -f "$file" ] || install -D -m 644 "$file" "$root$file"
    done
    apt-config dump | grep -E '^Acquire::https?::Proxy' >"$root/etc/apt/apt.conf.d/90proxy" || true
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
}

# make_base DIRECTORY: what every machine begins as; a complete one is used again.
make_base() {
    local uri proxy=
    [ ! -d "$1" ] || return 0
    uri=$(mirror)
    [ -n "$uri" ] || die "apt knows no source of $suite on this machine"
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    say "making a minimal Debian ($suite)"
    rm -rf --one-file-system "$1.new"
    http_proxy=${proxy:-${http_proxy:-}} debootstrap --variant=minbase --include=git "$suite" \
        "$1.new" "$uri" >"$1.log" 2>&1 || {
        tail -n 20 "$1.log" >&2
        die "debootstrap failed"
    }
    copy_apt "$1.new"
    mv "$1.new" "$1"
}

# Does as ./dev says when an ordinary user lacks packages: runs as root what it printed.
install_missing() {
    local command
    command=$(sed -n 's/^ *sudo apt-get update/apt-get -qq update/p' "$2" | sed 's/sudo //')
    [ -n "$command" ] || return 1
    say "as root: $command"
    machine "$1" root "DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND; $command -qq >/dev/null"
}

# step NAME USER COMMAND: runs it in the clone and adds a line about it to the summary.
step() {
    local root=$work/$1 log=$work/$1.log began=$SECONDS status
    while :; do
        status=0
        machine "$root" "$2" "cd sf && $3" 2>&1 | tee "$log" || status=$?
        [ $status -ne 0 ] && [ "$2" != root ] && install_missing "$root" "$log" || break
        began=$SECONDS
    done
    {
        printf '%-5s %-22s exit %d, %d s\n' "$1" "$3" "$status" "$((SECONDS - began))"
        case $3 in
        *test*) sed -n '/% tests passed/,$p' "$log" ;;
        *) tail -n 1 "$log" ;;
        esac | sed 's/^/      /'
    } >>"$work/summary"
    [ $status -eq 0 ] || failed=1
}

try() {
    local name=$1 user=$2
    say "a machine for $name"
    rm -rf --one-file-system "${work:?}/$name"
    cp -a --reflink=auto "$work/base" "$work/$name"
    git bundle create -q "$work/$name/srv/sf.bundle" HEAD
    chmod 0700 "$work/$name/root"
    [ "$user" = root ] ||
        machine "$work/$name" root "useradd --create-home --home-dir /home/$user --shell /bin/bash $user"
    machine "$work/$name" "$user" "git clone -q /srv/sf.bundle sf"
    step "$name" "$user" "./dev run --version"
    step "$name" "$user" "./dev test"
    [ -n "$keep" ] || rm -rf --one-file-system "${work:?}/$name"
}

finish() {
    if [ -n "$keep" ]; then
        say "kept in $work"
    elif [ -n "$made" ]; then
        rm -rf --one-file-system "$work"
    else
        rm -rf --one-file-system "$work"/{base,root,user}{,.new,.log} "$work/summary"
    fi
}

if [ "${1:-}" = --inside ]; then
    shift
    inside "$@"
fi
keep= only= work= made= failed=
while [ $# -gt 0 ]; do
    case $1 in
    --keep) keep=1 ;;
    --only) shift && only=${1:-} ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) work=$1 ;;
    esac
    shift
done
[ "$(id -u)" -eq 0 ] || die "only root can make a machine; run: sudo ./dev fresh"
[ -n "$work" ] || {
    work=$(mktemp -d)
    made=1
}
mkdir -p "$work"
work=$(cd "$work" && pwd)
chmod 0755 "$work"
trap finish EXIT
: >"$work/summary"
make_base "$work/base"
[ "$only" = user ] || try root root
[ "$only" = root ] || try user newcomer
say "on a fresh machine, $(git describe --always):"
cat "$work/summary"
exit "${failed:-0}"
