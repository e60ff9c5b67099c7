#!/usr/bin/env bash
# The documentation as a site beside the web page, whose folder is named: rustdoc's pages with the guide and its tables,
# and for each scene a page with the running scene and the code that makes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
page="$1"
scenes=examples/sandbox/scenes

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g' "$@"; }

# The beginning of a page: its title.
head_of() {
    cat <<EOF
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>$1</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="site.css">
</head>
EOF
}

# The page of a scene: its name, and what it is about.
scene() {
    head_of "bevy_pathfind: $1"
    cat <<EOF
<body class="scene">
  <main>
    <p><a href="./">All scenes</a> · <a href="../#scene=$1">this one in the whole window</a></p>
    <p>$2</p>
    <iframe src="../#scene=$1" title="The running scene"></iframe>
  </main>
  <article>
EOF
    for file in "$scenes/$1.rs" "$scenes/$1"/*.rs; do
        [[ -f $file && $file != */tests.rs ]] || continue
        printf '<h2>%s</h2>\n<pre>' "$file"
        escape "$file"
        echo '</pre>'
    done
    printf '  </article>\n</body>\n</html>\n'
}

# The same packages and features as in the whole check: nothing is compiled again after it.
cargo doc --workspace --no-deps --all-features --locked
mkdir -p "$page/site"
cp -r "$CARGO_TARGET_DIR/doc" "$page"
cp assets/gallery/*.png examples/web/site.css "$page/site"

gallery=""
# In the order of the menu. The first line of a scene's file says what it is about.
for name in $(sed -n 's/^    \([a-z]*\)::SCENE,$/\1/p' "$scenes.rs"); do
    about="$(head -n 1 "$scenes/$name.rs" | sed 's/^\/\/! //' | escape)"
    scene "$name" "$about" >"$page/site/$name.html"
    gallery+="    <li><a href=\"$name.html\"><img src=\"$name.png\" alt=\"\">$about</a></li>"$'\n'
done
{
    head_of bevy_pathfind
    cat <<EOF
<body>
  <h1>bevy_pathfind</h1>
  <p>Agents for Bevy games that find their way, chase, avoid one another and flock, by the thousand, on maps that change while
    they walk.</p>
  <nav>
    <a href="../">The sandbox</a>
    <a href="../doc/bevy_pathfind/guide/index.html">Guide</a>
    <a href="../doc/bevy_pathfind/guide/benchmarks/index.html">Benchmarks</a>
    <a href="../doc/bevy_pathfind/index.html">The plugin</a>
    <a href="../doc/pathfind_core/index.html">The core</a>
  </nav>
  <h2>The scenes, and the code that makes them</h2>
  <ul>
$gallery  </ul>
</body>
</html>
EOF
} >"$page/site/index.html"
