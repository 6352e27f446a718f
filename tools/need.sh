#!/bin/sh
# need.sh COMMAND PACKAGE: make sure that a command is there, on Debian and
# Ubuntu by installing the package that holds it.
set -eu
command -v "$1" >/dev/null 2>&1 && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    echo "need.sh: $1 is missing; please install $2" >&2
    exit 1
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "need.sh: installing $2 for $1" >&2
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get install -y -q "$2" >/dev/null 2>&1 || {
    $sudo apt-get update -q >/dev/null
    $sudo apt-get install -y -q "$2" >/dev/null
}
command -v "$1" >/dev/null 2>&1
