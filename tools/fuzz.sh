#!/bin/sh
# fuzz.sh TIME: run every fuzzer of the module for TIME, one after the other.
# A finding stops the run; its input is kept under the package's testdata.
set -eu
time=${1:-30s}
n=0
for pkg in $(go list ./...); do
    for f in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true); do
        echo "--- $pkg $f"
        go test -run '^$' -fuzz "^$f\$" -fuzztime "$time" "$pkg"
        n=$((n + 1))
    done
done
echo "$n fuzzers, $time each, no finding"
