#!/usr/bin/env python3
"""Takes the pictures of the gallery: one of each scene, at a telling moment, and one that moves.

    gallery.py SANDBOX FOLDER [NAME...]

Every frame is one tick, so that a frame looks the same on every machine; they are drawn in software, on an X server
of its own.
"""

import base64
import subprocess
import sys
import tempfile
from pathlib import Path

from end_to_end import Display

# At most this many bytes a picture: they are loaded with the README.
MOST = 300_000

# The picture that moves: its scene, the last frame, how many pictures before it, the part of the window that is the
# map, and the width. Loaded with the README, too.
FILM = ("crowd", 620, 48, "884x530+39+106", "520")
MOST_FILM = 1_500_000

# The pictures in the crate's documentation.
DOCS = Path(__file__).parent.parent / "crates/bevy_pathfind/src/guide/pictures"

# The scene, the frame that is shown, and what else it is asked for.
SHOTS = {
    "search": (430,),
    "chase": (430,),
    "avoid": (330,),
    "flock": (700,),
    "crowd": (560,),
    "tanks": (1040,),
    "stress": (300,),
    "hunt": (300,),
    "endless": (420,),
    "castle": (520,),
    "battle": (1100,),
    "traffic": (900,),
    "level": (900,),
}


def take(binary, display, folder, name):
    frame, *flags = SHOTS[name]
    picture = folder / f"{name}.png"
    command = [binary, "--scene", name, "--frames", str(frame), "--screenshot", picture, *flags]
    subprocess.run([str(part) for part in command], env=display.environment, check=True)
    # Nothing but the pixels, of 256 colours: a fifth of the size, and no eye tells.
    packed = ["-strip", "-dither", "FloydSteinberg", "-colors", "256", "-define", "png:compression-level=9"]
    subprocess.run(["convert", str(picture), *packed, f"png8:{picture}"], check=True)
    size = picture.stat().st_size
    print(f"  {picture}: {size // 1000} kB", flush=True)
    if size > MOST:
        sys.exit(f"{picture} is larger than {MOST // 1000} kB")


def inline(picture, alt, target):
    """A picture as text, for rustdoc: its pages show only what the crate itself contains."""
    small = ["-resize", "800x", "-quality", "60", "jpeg:-"]
    data = subprocess.run(["convert", str(picture), *small], capture_output=True, check=True).stdout
    code = base64.b64encode(data).decode()
    target.write_text(f'<img alt="{alt}" src="data:image/jpeg;base64,{code}">\n')


def film(binary, display, folder):
    """An animated image, of one scene: a picture every four ticks, 16 a second."""
    scene, frame, count, part, width = FILM
    animation = folder / f"{scene}.gif"
    with tempfile.TemporaryDirectory() as scratch:
        last = Path(scratch) / "film.png"
        command = [binary, "--scene", scene, "--frames", frame, "--screenshot", last, "--film", count]
        subprocess.run([str(part) for part in command], env=display.environment, check=True)
        # The last picture has no number.
        pictures = [*sorted(last.parent.glob("film.*.png")), last]
        shown = ["-crop", part, "+repage", "-resize", width]
        packed = ["-delay", "6", "-loop", "0", *map(str, pictures), *shown, "-dither", "None", "-colors", "32"]
        subprocess.run(["convert", *packed, "-fuzz", "2%", "-layers", "OptimizePlus", str(animation)], check=True)
    size = animation.stat().st_size
    print(f"  {animation}: {len(pictures)} pictures, {size // 1000} kB", flush=True)
    if size > MOST_FILM:
        sys.exit(f"{animation} is larger than {MOST_FILM // 1000} kB")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    binary, folder, names = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3:] or [*SHOTS, "film"]
    folder.mkdir(parents=True, exist_ok=True)
    with Display() as display:
        for name in names:
            if name == "film":
                film(binary, display, folder)
            else:
                take(binary, display, folder, name)
            if name == "crowd":
                inline(folder / "crowd.png", "An army that marches through the gates of a town", DOCS / "crowd.html")


if __name__ == "__main__":
    main()
