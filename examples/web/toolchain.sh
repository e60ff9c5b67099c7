# A compiler for wasm32-unknown-unknown, and what binds, shrinks and unpacks its programs. To be sourced; it sets
# WASM_CARGO (the flags of `cargo build`), WASM_BINDGEN, WASM_OPT and XZ_DECOMPRESS (empty if there is none), and exports
# what cargo reads.
#
# With rustup the target is one of its components. Where it cannot be had, Debian's compiler and its source of the
# standard library are unpacked beside the system: installed, they would stand in the way of rustup's.

WEB_TOOLS="$CARGO_TARGET_DIR/web-tools"
WASM_TARGET=wasm32-unknown-unknown
WASM_CARGO=(--target "$WASM_TARGET")

# Random numbers come from the browser.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg getrandom_backend="wasm_js"'

has_target() { [[ -d "$(rustc --print target-libdir --target "$WASM_TARGET" 2>/dev/null)" ]]; }

# Debian's rustc, linker and standard library's source, for one user and one folder.
unpack_debian() {
    local root="$WEB_TOOLS/debian" package
    if [[ ! -x "$root/usr/bin/rustc" ]]; then
        rm -rf "$root" "$root.new"
        mkdir -p "$root.new/packages"
        local std
        std="$(apt-cache depends libstd-rust-web-dev | sed -n 's/.*Depends: \(libstd-rust-web-[0-9.]*\)$/\1/p')"
        (cd "$root.new/packages" &&
            apt-get download -qq rustc-web "$std" libstd-rust-web-dev rust-web-src libllvm22 lld-22 liblld-22)
        for package in "$root.new"/packages/*.deb; do
            dpkg -x "$package" "$root.new"
        done
        rm -r "$root.new/packages"
        mv "$root.new" "$root"
    fi
    export RUSTC="$root/usr/bin/rustc" LD_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu"
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$root/usr/bin/wasm-ld-22"
    # The standard library is built with the program: cargo has that as a feature of nightly compilers.
    export RUSTC_BOOTSTRAP=1
    WASM_CARGO+=(-Zbuild-std=std,panic_abort)
}

# The program that binds has to be of the version that the program was built with.
install_bindgen() {
    local version
    version="$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)"
    WASM_BINDGEN="$(command -v wasm-bindgen || true)"
    if [[ -z $WASM_BINDGEN || "$("$WASM_BINDGEN" --version)" != "wasm-bindgen $version" ]]; then
        WASM_BINDGEN="$WEB_TOOLS/bin/wasm-bindgen"
    fi
    if [[ ! -x $WASM_BINDGEN || "$("$WASM_BINDGEN" --version)" != "wasm-bindgen $version" ]]; then
        cargo install wasm-bindgen-cli --version "$version" --root "$WEB_TOOLS" --target-dir "$WEB_TOOLS/target"
    fi
}

# The page's script that unpacks the program: from npm, in the version that was tried.
find_unpacker() {
    local version=0.2.3 package="$WEB_TOOLS/node_modules/xz-decompress"
    if ! grep -qs "\"version\": \"$version\"" "$package/package.json"; then
        ! command -v npm >/dev/null || npm install --silent --prefix "$WEB_TOOLS" "xz-decompress@$version" || true
    fi
    XZ_DECOMPRESS="$package/dist/package/xz-decompress.min.js"
    [[ -f $XZ_DECOMPRESS ]] || XZ_DECOMPRESS=""
}

install_bindgen
# Optional: without it the program is larger and slower. npm's is a program for the web itself, and takes longer than
# the whole build.
WASM_OPT="$(command -v wasm-opt || true)"
find_unpacker
has_target || rustup target add "$WASM_TARGET" 2>/dev/null || unpack_debian
