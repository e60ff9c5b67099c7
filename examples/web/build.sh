#!/usr/bin/env bash
# Builds the sandbox as a web page with the documentation beside it, into the folder that is named, or `target/web`. Any
# server of files can serve it: `python3 -m http.server --directory target/web`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
page="${1:-$CARGO_TARGET_DIR/web}"

# A new folder each time, so that nothing of an older page is left in it.
rm -rf "$page"
mkdir -p "$page"
# Before the toolchain, whose compiler may be another one.
examples/web/site.sh "$page"

source examples/web/toolchain.sh
cargo build --profile web "${WASM_CARGO[@]}" -p examples --example sandbox --locked
# The names of its functions would be a third of the download.
"$WASM_BINDGEN" --target web --no-typescript --remove-name-section --remove-producers-section \
    --out-dir "$page" --out-name sandbox "$CARGO_TARGET_DIR/$WASM_TARGET/web/examples/sandbox.wasm"
if [[ -n $WASM_OPT ]]; then
    # npm's is a program for the web itself, and takes longer than the whole build: a native one ends in time.
    timeout 600 "$WASM_OPT" -Os --all-features "$page/sandbox_bg.wasm" -o "$page/smaller.wasm" &&
        mv "$page/smaller.wasm" "$page/sandbox_bg.wasm" ||
        echo "$WASM_OPT could not read the program, or not within ten minutes, and the program stays as it is: take a newer or a native one"
fi
cp examples/web/{start.js,page.css} "$page"
sed "s/@BYTES@/$(stat -c %s "$page/sandbox_bg.wasm")/" examples/web/index.html >"$page/index.html"
printf 'the page is in %s; its program has %d kB, %d kB compressed\n' "$page" \
    "$(($(wc -c <"$page/sandbox_bg.wasm") / 1000))" "$(($(gzip -9 <"$page/sandbox_bg.wasm" | wc -c) / 1000))"
