#!/usr/bin/env bash
# What somebody meets who has a bare Debian: a root folder with nothing in it, the repository cloned into a path that is
# long and has a blank, README's commands as an ordinary user.  git and make are there, as README asks for.
#
#   tools/fresh.sh [--without-sudo] [--from TARBALL | --deb FOLDER] [COMMAND ...]
#
# Commands are `make run` and `make test` unless others are given; with --deb the packages of that folder are installed in the
# place of a build, and the program is tried. Without sudo what building needs is installed beforehand, and nothing else.
# Has to be root, and needs mmdebstrap; packages come from where this machine has its own. FRESH names the folder (default: a
# new one below /var/tmp, removed at the end unless FRESH_KEEP=yes).
set -euo pipefail
cd "$(dirname "$0")/.."
{ # read as a whole before anything is done: it runs for long, and may be changed meanwhile
sudo=yes from= deb= commands=()
while [ $# -gt 0 ]; do
  case $1 in
    --without-sudo) sudo=no ;;
    --from) from=${2:?--from needs a tarball}; shift ;;
    --deb) deb=${2:?--deb needs a folder with packages}; shift ;;
    --*) echo "fresh: there is no option $1" >&2; exit 2 ;;
    *) commands+=("$1") ;;
  esac
  shift
done
[ ${#commands[@]} -gt 0 ] || commands=("make run" "make test")
say() { echo "fresh: $*" >&2; }
[ "$(id -u)" -eq 0 ] || { say "a root folder can only be made by root"; exit 2; }
tools/setup.sh --only mmdebstrap:"no bare machine to try"
root=${FRESH:-$(mktemp -d /var/tmp/zwang-fresh.XXXXXX)}
leave() {
  umount -l "$root/proc" "$root/dev/pts" "$root/dev/shm" "$root/dev" 2>/dev/null || true
  [ "${FRESH_KEEP:-}" = yes ] || rm -rf --one-file-system "$root"
}
trap leave EXIT

# ---- the machine: where packages come from is taken over, and nothing else ----------------------------------------------
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
began=$SECONDS
include=ca-certificates,git,make
[ $sudo = yes ] && include+=,sudo
if [ $sudo = no ] && [ -z "$deb" ]; then
  include+=,$(sed -n 's/^required=(//;/^make gcc/,/)/p' tools/setup.sh | tr -d ')' | tr -s ' \n' ',' | sed 's/,*$//')
fi
{ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
  mmdebstrap --quiet --variant=minbase --include="$include" "$suite" "$root" -
mkdir -p "$root/etc/apt/apt.conf.d"
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
mount --bind /dev "$root/dev" 2>/dev/null || true
# terminals, and memory that processes share
for part in pts shm; do mount --bind "/dev/$part" "$root/dev/$part" 2>/dev/null || true; done
mount -t proc proc "$root/proc" 2>/dev/null || true
chroot "$root" useradd -m -s /bin/bash student
[ $sudo = yes ] && echo "student ALL=(ALL) NOPASSWD: ALL" > "$root/etc/sudoers.d/student"
say "a bare $suite in $((SECONDS - began)) s, sudo: $sudo"

in_root() { chroot "$root" su - student -c "$1"; }
failed=0
try() { # a command in the folder $place
  local at=$SECONDS status=0
  in_root "cd \"$place\" && $1" || status=$?
  [ $status -eq 0 ] || failed=1
  say "$1: status $status, $((SECONDS - at)) s"
}

# ---- what is tried -------------------------------------------------------------------------------------------------------
place="/home/student/a folder with a blank/and a name so long that lines which hold it do not fit any window that somebody has open"
in_root "mkdir -p \"$place\""
if [ -n "$deb" ]; then
  mkdir "$root/packages"
  cp "$deb"/*.deb "$root/packages/"
  chroot "$root" sh -c "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y /packages/*.deb" > /dev/null
  try "zwang examples skater_benchmark > skater.zw && zwang run skater.zw --at 15 --columns xi,eta --plot skater.svg && ls -l skater.svg"
  try "python3 -c 'import zwang; print(zwang.Model(\"skater.zw\").run())' | head -2"
elif [ -n "$from" ]; then
  cp "$from" "$root/home/student/zwang.tar.gz"
  in_root "tar xf zwang.tar.gz -C \"$place\" --strip-components=1"
  for c in "${commands[@]}"; do try "$c"; done
else
  git clone -q --bare . "$root/home/student/zwang.git"
  chroot "$root" chown -R student /home/student/zwang.git
  in_root "git clone -q zwang.git \"$place\""
  for c in "${commands[@]}"; do try "$c"; done
fi
[ $failed -eq 0 ] && say "all well" || { say "something failed"; exit 1; }
exit
}
