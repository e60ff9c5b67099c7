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
    "$WASM_OPT" -Os --all-features "$page/sandbox_bg.wasm" -o "$page/smaller.wasm" &&
        mv "$page/smaller.wasm" "$page/sandbox_bg.wasm" ||
        echo "$WASM_OPT could not read the program, which stays as it is: take a newer one"
fi
cp examples/web/{index.html,start.js,page.css} "$page"

program=sandbox_bg.wasm
unpacked=$(stat -c %s "$page/$program")
# Packed here, so that the download does not depend on the server, and is 40 % smaller than with a server's gzip. The
# preset's window of 8 MiB is what the browser has to hold in memory; a larger one saves 1 %.
if [[ -n $XZ_DECOMPRESS ]] && command -v xz >/dev/null; then
    xz -6e "$page/$program"
    program+=.xz
    cp "$XZ_DECOMPRESS" "$page/xz-decompress.js"
    cp examples/web/xz-decompress.LICENSE "$page"
else
    echo "the program is not packed: that needs xz, and xz-decompress from npm"
    sed -i '/xz-decompress/d' "$page/index.html"
fi
packed=$(stat -c %s "$page/$program")
sed -i "s/@PROGRAM@/$program/; s/@BYTES@/$packed/" "$page/index.html"
printf 'the page is in %s; its program has %d kB, of which %d kB are sent\n' "$page" $((unpacked / 1000)) $((packed / 1000))
