#!/usr/bin/env python3
"""Drives the sandbox in a real window: real clicks, keys and drags, checked through its telemetry.

    end_to_end.py SANDBOX OUTPUT_FOLDER [STEP...]

Starts an X server of its own, with Vulkan in software. Waits for what the telemetry says, never for a fixed
time; only between the events of the pointer there is a pause, so that no frame sees two of them. Pictures and
telemetry are left in the output folder. Ends the processes that it has started, and no others.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
MAP = REPOSITORY / "assets/maps/lak303d.map"
SIZE = (1280, 720)
PATIENCE = 90.0


class Failure(Exception):
    """A check did not hold."""


def check(holds, sentence):
    if not holds:
        raise Failure(sentence)
    print(f"  ok: {sentence}", flush=True)


def until(what, seconds, probe):
    """The first answer of `probe` that is not None or False."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = probe()
        if answer is not None and answer is not False:
            return answer
        time.sleep(0.02)
    raise Failure(f"{what}: not within {seconds:.0f} s")


class Display:
    """An X server on the first free display."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise Failure("Xvfb did not start")
        self.environment = {**os.environ, "DISPLAY": f":{number}", "RUST_BACKTRACE": "1",
                            "VK_LOADER_DRIVERS_SELECT": "*lvp*", "RUST_LOG": "warn,wgpu=error,naga=error"}
        self.environment.pop("WAYLAND_DISPLAY", None)
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(10)


class Sandbox:
    """A running sandbox, its telemetry, and the hands that drive it."""

    def __init__(self, binary, display, folder, name, *flags):
        self.display, self.folder, self.name = display, folder, name
        self.telemetry = folder / f"{name}.jsonl"
        self.log = folder / f"{name}.log"
        self.frames = []
        self._offset, self._rest = 0, ""
        size = () if "--size" in flags else ("--size", f"{SIZE[0]}x{SIZE[1]}")
        command = [binary, "--telemetry", self.telemetry, *size, *flags]
        self.telemetry.unlink(missing_ok=True)
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([str(part) for part in command], env=display.environment,
                                            stdout=log, stderr=subprocess.STDOUT)
        until("the first frame", PATIENCE, lambda: self.telemetry.exists() and self.read())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)

    # Eyes.

    def read(self):
        """Takes what the sandbox has written since; the last frame, if there is one."""
        if self.process.poll() not in (None, 0):
            raise Failure(f"the sandbox ended with {self.process.poll()}:\n{self.log.read_text()[-3000:]}")
        with open(self.telemetry) as file:
            file.seek(self._offset)
            text = file.read()
            self._offset = file.tell()
        lines = (self._rest + text).split("\n")
        self._rest = lines.pop()
        self.frames.extend(json.loads(line) for line in lines)
        return self.frames[-1] if self.frames else None

    @property
    def now(self):
        return self.read()

    def wait(self, what, probe, seconds=PATIENCE):
        """The first frame for which `probe` holds."""
        return until(what, seconds, lambda: (lambda frame: frame if probe(frame) else None)(self.read()))

    def watch(self, probe, seconds=30):
        """The first frame for which `probe` holds, or after this time the last one: for a check to judge."""
        end = time.monotonic() + seconds
        while not probe(frame := self.now) and time.monotonic() < end:
            time.sleep(0.02)
        return frame

    def wait_frames(self, count):
        begun = self.now["frame"]
        return self.wait(f"{count} more frames", lambda frame: frame["frame"] >= begun + count)

    def picture(self, name):
        self.wait_frames(4)
        path = self.folder / f"{name}.png"
        subprocess.run(["import", "-window", "root", "-crop", f"{SIZE[0]}x{SIZE[1]}+0+0", str(path)],
                       env=self.display.environment, check=True)
        return path

    def screen_of(self, cell):
        """The place of a cell's centre in the window."""
        frame = self.now
        grid, view = frame["grid"], frame["view"]
        column, row = cell[0] + 0.5, cell[1] + 0.5
        world = [grid["origin"][i] + column * grid["across"][i] + row * grid["down"][i] for i in (0, 1)]
        width, height = view["window"]
        return (width / 2 + (world[0] - view["center"][0]) / view["scale"],
                height / 2 - (world[1] - view["center"][1]) / view["scale"])

    # Hands.

    def xdotool(self, *words):
        subprocess.run(["xdotool", *[str(word) for word in words]], env=self.display.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def window(self):
        found = subprocess.run(["xdotool", "search", "--name", "bevy_pathfind sandbox"], check=True, text=True,
                               env=self.display.environment, capture_output=True)
        return found.stdout.split()[0]

    def focus(self):
        """Gives the window the keyboard: what a window manager would do."""
        self.xdotool("windowfocus", self.window())

    def pause(self):
        """Two frames: no frame sees two events of the pointer."""
        self.wait_frames(2)

    def move(self, at):
        at = [round(at[0]), round(at[1])]
        self.xdotool("mousemove", *at)
        self.wait(f"the pointer at {at}", lambda frame: math.dist(frame["pointer"]["screen"], at) < 1.5, 20)

    def press(self, button=1):
        self.pause()
        self.xdotool("mousedown", button)
        self.pause()

    def release(self, button=1):
        self.pause()
        self.xdotool("mouseup", button)
        self.pause()

    def click(self, at, button=1):
        self.move(at)
        self.press(button)
        self.release(button)

    def drag(self, points, button=1):
        self.move(points[0])
        self.press(button)
        for point in points[1:]:
            self.move(point)
            self.pause()
        self.release(button)

    def key(self, name):
        self.xdotool("key", name)
        self.pause()

    def reveal(self, name, over):
        """Turns the wheel over a place until a widget is in sight: down to the end, then up."""
        for button in [5] * 12 + [4] * 24:
            if name in self.wait_frames(4)["widgets"]:
                return
            self.move(over)
            self.xdotool("click", button)
        raise Failure(f"the widget {name} is nowhere to be seen")

    def widget(self, name, over=None):
        """Where a widget is, once it has been in the same place for three frames; scrolls to it if need be."""
        left, top, right, bottom = self.now["panel"]
        self.reveal(name, over or (left + 40, (top + bottom) / 2))

        def rests(_):
            last = [frame["widgets"].get(name) for frame in self.frames[-3:]]
            return len(last) == 3 and last[0] is not None and last[0] == last[1] == last[2]
        return self.wait(f"the widget {name}", rests, 20)["widgets"][name]

    def slide(self, name, share, begin=0.5):
        """Drags a slider's handle to a share of its rail."""
        left, top, right, bottom = self.widget(f"{name}:rail")
        height = bottom - top
        rail = (left + height / 2, right - height / 2)
        y = (top + bottom) / 2
        middle = rail[0] + (rail[1] - rail[0]) * begin
        goal = rail[0] + (rail[1] - rail[0]) * share
        self.drag([(middle, y), ((middle + goal) / 2, y), (goal, y)])

    def choose(self, name, variant):
        """Opens a list, scrolls to a line of it, and clicks the line."""
        middle = lambda rect: ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
        self.click(middle(self.widget(name)))
        line = lambda frame: next((at for key, at in frame["widgets"].items() if key.startswith(f"{name}=")), None)
        over = middle(line(self.wait(f"the list {name}", line, 20)))
        self.click(middle(self.widget(f"{name}={variant}", over)))


class Map:
    """The map that the sandbox plays on, read independently of it."""

    def __init__(self, path):
        lines = path.read_text().split("\n")
        self.rows = lines[4:4 + int(lines[1].split()[1])]

    def is_free(self, cell):
        x, y = cell
        return 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) and self.rows[y][x] in ".GS"

    def is_roomy(self, cell, reach=2):
        x, y = cell
        span = range(-reach, reach + 1)
        return all(self.is_free((x + dx, y + dy)) for dx in span for dy in span)

    def distances(self, start, walls=frozenset()):
        """StepRules along rows and columns to every cell that can be reached, were there these walls too."""
        steps, line = {start: 0}, deque([start])
        while line:
            x, y = cell = line.popleft()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near not in steps and near not in walls and self.is_free(near):
                    steps[near] = steps[cell] + 1
                    line.append(near)
        return steps

    def run(self, cell, way, most=40):
        """How many free cells lie in a row."""
        for length in range(most):
            if not self.is_free((cell[0] + way[0] * (length + 1), cell[1] + way[1] * (length + 1))):
                return length
        return most


def distinct_colors(picture):
    answer = subprocess.run(["identify", "-format", "%k %w %h", str(picture)], check=True, capture_output=True, text=True)
    return [int(word) for word in answer.stdout.split()]


def scouts(frame):
    return {name: scout for name, scout in frame["named"].items() if name.startswith("Scout")}


def near_panel(frame, point):
    """Whether a place of the window is too near to panels and texts to be clicked."""
    left, bottom = frame["panel"][0], frame["bar"][3]
    return point[0] > left - 20 or point[0] < 20 or point[1] < bottom + 20 or point[1] > SIZE[1] - 90


def pick_goal(sandbox, ground, start, least, most):
    """A cell in the open at this distance whose place on screen is free of panels."""
    frame = sandbox.now
    for cell, steps in ground.distances(tuple(start)).items():
        if least <= steps <= most and ground.is_roomy(cell) and not near_panel(frame, sandbox.screen_of(cell)):
            yield cell


def send(sandbox, cell):
    """Clicks on a cell; the point of the world that was clicked."""
    sandbox.move(sandbox.screen_of(cell))
    sandbox.wait("the camera at rest", lambda frame: frame["view"]["still"])
    aim = sandbox.now["pointer"]
    check(aim["cell"] == list(cell), f"the pointer is over the cell {cell} that it was moved to")
    sandbox.press()
    sandbox.release()
    return aim["world"]


def arrive(sandbox, name="Scout 1"):
    return sandbox.wait(f"{name} arrives", lambda frame: frame["named"][name]["status"] == "Arrived")


# The checks.


def flags_are_honest(binary, display, folder):
    run = lambda *flags: subprocess.run([binary, *flags], env=display.environment, capture_output=True, text=True, timeout=60)
    help_text = run("--help")
    check(help_text.returncode == 0, "--help leaves with 0")
    for flag in ("--scene", "--frames", "--screenshot", "--telemetry", "--seed"):
        check(flag in help_text.stdout, f"--help names {flag}")
    wrong = run("--scene", "nowhere")
    check(wrong.returncode == 2 and "hunt" in wrong.stderr, "an unknown scene is refused with 2, and the known ones are named")
    for size in ("100x100", "300x200", "519x400"):
        small = run("--size", size, "--frames", "5")
        if small.returncode != 0:
            print(f"ended with {small.returncode}:\n{small.stderr[-3000:]}", flush=True)
        check(small.returncode == 0 and "panicked" not in small.stderr, f"a window of {size} opens and closes")
    missing = run("--map", str(folder / "no.map"))
    check(missing.returncode == 2 and "no.map" in missing.stderr, "a missing map is refused with 2, and named")
    check(run("--frames", "0").returncode == 2, "no frames at all are refused with 2")


def frames_end(binary, display, folder):
    picture = folder / "frames.png"
    with Sandbox(binary, display, folder, "frames", "--scene", "hunt", "--frames", "40", "--screenshot", picture, "--seed", "3") as sandbox:
        code = sandbox.process.wait(PATIENCE)
        check(code == 0, "--frames leaves with 0")
        last = sandbox.read()
    check(last["frame"] >= 40, "the telemetry holds every frame to the last")
    check([frame["frame"] for frame in sandbox.frames] == list(range(1, last["frame"] + 1)), "no frame is missing from the telemetry")
    colors, width, height = distinct_colors(picture)
    check((width, height) == SIZE, f"the screenshot is {width} by {height}")
    check(colors > 50, f"the screenshot is not blank: {colors} colours")


def clicks_send(sandbox, ground):
    start = sandbox.now["named"]["Scout 1"]["cell"]
    goal = next(pick_goal(sandbox, ground, start, 30, 60))
    check(sandbox.now["selected"] == sandbox.now["selectable"] == 6, "all six scouts are selected at first")
    aim = send(sandbox, goal)
    frame = arrive(sandbox)
    gap = math.dist(frame["named"]["Scout 1"]["at"], aim)
    check(gap < 0.5, f"the first scout stands where the click was: {gap:.2f} cells off")
    frame = sandbox.wait("all scouts arrive", lambda frame: all(s["status"] == "Arrived" for s in scouts(frame).values()))
    far = max(math.dist(scout["at"], aim) for scout in scouts(frame).values())
    check(far < 8, f"the others stand around it: at most {far:.1f} cells off")
    places = {tuple(scout["cell"]) for scout in scouts(frame).values()}
    check(len(places) == 6, "each in a place of its own")


def cruise(sandbox, ground):
    """The speed of a scout under way, measured from its places; it has arrived when this returns."""
    start = sandbox.now["named"]["Scout 1"]["cell"]
    goal = list(pick_goal(sandbox, ground, start, 40, 70))[-1]
    send(sandbox, goal)
    sandbox.wait("the scout sets out", lambda frame: frame["named"]["Scout 1"]["status"] == "Following")
    first = len(sandbox.frames)
    arrive(sandbox)
    speeds = []
    for a, b in zip(sandbox.frames[first:], sandbox.frames[first + 1:]):
        if b["time"] > a["time"]:
            speeds.append(math.dist(a["named"]["Scout 1"]["at"], b["named"]["Scout 1"]["at"]) / (b["time"] - a["time"]))
    return sorted(speeds)[len(speeds) // 2]


def slider_changes_speed(sandbox, ground):
    before = sandbox.now["named"]["Scout 1"]["top_speed"]
    fast = cruise(sandbox, ground)
    sandbox.slide("HuntSettings.speed", 0.12)
    after = sandbox.watch(lambda frame: frame["named"]["Scout 1"]["top_speed"] < before * 0.7)
    top = after["named"]["Scout 1"]["top_speed"]
    slow = cruise(sandbox, ground)
    check(slow < fast * 0.7 and top < before * 0.7, f"dragging the slider from {before:.1f} to {top:.1f} slows the scout from {fast:.1f} to {slow:.1f} cells a second")


def sliders_change_bodies(sandbox):
    """The sliders of the turn rate and the radius; both are put back where they were, nearly."""
    everybody = lambda frame, value: {round(agent[value], 3) for agent in scouts(frame).values()}
    for field, share, back in (("turn_rate", 0.9, 0.39), ("radius", 0.95, 0.16)):
        before = everybody(sandbox.now, field)
        check(len(before) == 1, f"all scouts begin with the same {field}: {before}")
        sandbox.slide(f"HuntSettings.{field}", share)
        after = everybody(sandbox.watch(lambda frame: everybody(frame, field) != before, 10), field)
        check(len(after) == 1 and min(after) > 1.5 * max(before), f"dragging its slider changes the {field} of every scout: {before} to {after}")
        sandbox.move((SIZE[0] * 0.3, SIZE[1] * 0.5))
        sandbox.picture(f"large_{field}")
        sandbox.slide(f"HuntSettings.{field}", back, share)
        again = everybody(sandbox.watch(lambda frame: everybody(frame, field) != after, 10), field)
        check(max(again) < min(after) * 0.7, f"and back: {again}")


def walls_change_paths(sandbox, ground):
    # So slow that nobody is past the wall before it stands.
    sandbox.slide("HuntSettings.speed", -0.05, 0.15)
    start = sandbox.now["named"]["Scout 1"]["cell"]
    goal = list(pick_goal(sandbox, ground, start, 70, 130))[-1]
    send(sandbox, goal)
    frame = sandbox.wait("a path", lambda frame: frame["named"]["Scout 1"]["status"] == "Following")
    way = frame["named"]["Scout 1"]["way"]
    before_painting = frame
    # A bar across the path, some way ahead of the scout.
    bar = bar_across(sandbox, ground, [frame["named"]["Scout 1"]["at"], *way])
    screen = [sandbox.screen_of(cell) for cell in bar]
    middle = tuple((a + b) / 2 for a, b in zip(*screen))
    sandbox.drag([screen[0], middle, screen[1]], button=3)
    after = sandbox.now
    check(after["grid"]["revision"] > before_painting["grid"]["revision"], "a drag with the right button paints walls")
    blocked = sandbox_cells(sandbox, bar)
    ahead = lambda frame: [frame["named"]["Scout 1"]["at"], *(frame["named"]["Scout 1"]["way"] or [])]
    follows = lambda frame: frame["named"]["Scout 1"]["status"] == "Following"
    check(crosses(sandbox, ahead(before_painting), blocked), "the path led through where the wall is now")
    frame = sandbox.watch(lambda frame: follows(frame) and not crosses(sandbox, ahead(frame), blocked), 20)
    check(follows(frame) and frame["replanned"] > before_painting["replanned"], "the scout has planned again, and follows the new path")
    check(not crosses(sandbox, ahead(frame), blocked), "the new path does not cross the wall")
    check(math.dist(ahead(frame)[-1], ahead(before_painting)[-1]) < 1e-3, "it leads to the same goal")
    sandbox.picture("walls")
    # A stroke from a wall erases.
    painted = frame["grid"]["revision"]
    sandbox.drag([middle, screen[0], middle, screen[1]], button=3)
    check(sandbox.now["grid"]["revision"] > painted, "a drag from a wall erases")
    # Who is on the way keeps a path that is free; the next order takes the shorter way again.
    send(sandbox, goal)
    frame = sandbox.watch(lambda frame: follows(frame) and crosses(sandbox, ahead(frame), blocked), 20)
    check(follows(frame) and crosses(sandbox, ahead(frame), blocked), "sent again, the scout goes through where the wall was")


def fences_are_drawn_and_undone(sandbox):
    fences = lambda frame: frame["grid"]["fences"]
    sandbox.key("b")
    sandbox.drag([sandbox.screen_of((97 + 6 * i, 97)) for i in range(3)], button=3)
    frame = sandbox.watch(lambda frame: fences(frame) > 5, 10)
    check(fences(frame) > 5, f"with the other brush the right button draws fences: {fences(frame)}")
    sandbox.picture("fences")
    sandbox.xdotool("keydown", "ctrl")
    sandbox.pause()
    sandbox.key("z")
    sandbox.xdotool("keyup", "ctrl")
    check(fences(sandbox.watch(lambda frame: fences(frame) == 0, 10)) == 0, "Ctrl+Z undoes the stroke")
    sandbox.key("b")


def to_grid(sandbox, point):
    grid = sandbox.now["grid"]
    return ((point[0] - grid["origin"][0]) / grid["across"][0], (point[1] - grid["origin"][1]) / grid["down"][1])


def samples(points, step=0.2):
    for a, b in zip(points, points[1:]):
        count = max(1, int(math.dist(a, b) / step))
        for i in range(count):
            yield [a[k] + (b[k] - a[k]) * i / count for k in (0, 1)], a, b


def bar_across(sandbox, ground, way):
    """Two cells, one on either side of the way: the ends of a wall across it that leaves a way round."""
    frame, gone = sandbox.now, 0.0
    points = [to_grid(sandbox, point) for point in way]
    start, goal = [tuple(map(int, points[i])) for i in (0, -1)]
    for at, a, b in samples(points):
        gone += 0.2
        length = math.dist(a, b)
        if gone < 14 or length < 1e-6:
            continue
        side = (-(b[1] - a[1]) / length, (b[0] - a[0]) / length)
        ends = [(int(at[0] + side[0] * k), int(at[1] + side[1] * k)) for k in (-5, 5)]
        middle = (int(at[0]), int(at[1]))
        if ground.is_roomy(middle, 1) and not any(near_panel(frame, sandbox.screen_of(end)) for end in ends) \
                and all(ground.is_free(end) for end in ends) \
                and goal in ground.distances(start, thickened(sandbox_cells(sandbox, ends))):
            return ends
    raise Failure("no place for a wall on the way")


def sandbox_cells(sandbox, bar):
    """The cells that lie on the line from one end to the other."""
    (x0, y0), (x1, y1) = bar
    count = 4 * max(abs(x1 - x0), abs(y1 - y0))
    return {(int(x0 + 0.5 + (x1 - x0) * i / count), int(y0 + 0.5 + (y1 - y0) * i / count)) for i in range(count + 1)}


def thickened(cells):
    """The cells and all that touch them: a brush may be broader than a line."""
    return {(x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def crosses(sandbox, way, cells):
    points = [to_grid(sandbox, point) for point in way]
    return any((int(at[0]), int(at[1])) in cells for at, _, _ in samples(points, 0.05))


def panels_keep_their_clicks(sandbox):
    rests = lambda scout: scout["status"] == "Arrived" and scout["speed"] < 1e-3
    before = sandbox.wait("everybody rests", lambda frame: all(map(rests, scouts(frame).values())))
    left, top, right, _ = before["panel"]
    sandbox.click((left + 30, top + 24))
    check(sandbox.now["pointer"]["over_panel"], "the pointer is over the panel")
    # Pressed on the panel, released over the world: still the panel's.
    sandbox.drag([(left + 60, top + 24), (left - 100, SIZE[1] / 2), (SIZE[0] / 2, SIZE[1] / 2)])
    sandbox.drag([(left + 60, top + 24), (left - 100, SIZE[1] / 2), (SIZE[0] / 2, SIZE[1] / 2)], button=3)
    after = sandbox.wait_frames(6)
    check(all(s["status"] == "Arrived" for s in scouts(after).values()), "a click over the panel sends nobody")
    moved = max(math.dist(scouts(before)[name]["at"], scout["at"]) for name, scout in scouts(after).items())
    check(moved < 0.01, "nobody has moved")
    check(after["grid"]["revision"] == before["grid"]["revision"], "nothing was painted")
    check(after["selected"] == before["selected"], "nobody was selected or left out")
    # The other way round: a drag begun in the world goes on over the panel.
    center = after["view"]["center"]
    sandbox.drag([(left - 120, SIZE[1] / 2), (left - 40, SIZE[1] / 2), (left + 60, SIZE[1] / 2)], button=2)
    check(math.dist(sandbox.now["view"]["center"], center) > 1.0, "a drag begun in the world goes on over the panel")
    sandbox.key("Home")
    sandbox.wait("the camera at home", lambda frame: frame["view"]["still"])


def keys_drive(sandbox, ground):
    ways = {"d": (1, 0), "a": (-1, 0), "s": (0, 1), "w": (0, -1)}
    cell = sandbox.now["named"]["Prey"]["cell"]
    key = max(ways, key=lambda key: ground.run(cell, ways[key]))
    way = ways[key]
    before = sandbox.now

    def along(frame):
        cells = [frame["named"]["Prey"]["cell"][i] - before["named"]["Prey"]["cell"][i] for i in (0, 1)]
        return cells[0] * way[0] + cells[1] * way[1]

    def is_caught(frame):
        return frame["facts"]["catches"] != before["facts"]["catches"]

    # However fast the frames come, the key is held until it shows.
    sandbox.xdotool("keydown", key)
    frame = sandbox.watch(lambda frame: along(frame) >= 2 or is_caught(frame))
    sandbox.xdotool("keyup", key)
    if not is_caught(frame):
        check(along(frame) >= 2, f"the key {key} drives the prey {along(frame)} cells its way")
        return
    print("  caught meanwhile: once more")
    keys_drive(sandbox, ground)


def hunters_hunt(sandbox):
    before = sandbox.now
    gap = lambda frame: min(math.dist(frame["named"]["Prey"]["at"], h["at"])
                            for name, h in frame["named"].items() if name.startswith("Hunter"))
    begun = gap(before)
    closer = lambda frame: gap(frame) < begun * 0.5 or frame["facts"]["catches"] > before["facts"]["catches"]
    frame = sandbox.watch(closer, PATIENCE)
    check(closer(frame), f"the hunters close in: from {begun:.0f} to {gap(frame):.0f} cells, {frame['facts']['catches']:.0f} catches")


def choose_option(sandbox, field, variant):
    sandbox.choose(f"SearchOptions.{field}", variant)
    frame = sandbox.watch(lambda frame: frame["options"][field] == variant, 10)
    check(frame["options"][field] == variant, f"the list chooses {variant} for {field}: {frame['options'][field]}")


def list_fits(sandbox, name, count):
    """Opens a list, looks whether all of its lines are in sight, and closes it."""
    left, top, right, bottom = sandbox.widget(name)
    at = ((left + right) / 2, (top + bottom) / 2)
    sandbox.click(at)
    lines = lambda frame: [rect for key, rect in frame["widgets"].items() if key.startswith(f"{name}=")]
    frame = sandbox.watch(lambda frame: len(lines(frame)) == count, 5)
    check(len(lines(frame)) == count, f"the list {name} shows {len(lines(frame))} of its {count} lines at once")
    check(all(0 <= rect[1] and rect[3] <= SIZE[1] for rect in lines(frame)), "all of them inside the window")
    sandbox.picture("list")
    sandbox.click(at)
    sandbox.wait("the list closed", lambda frame: not lines(frame), 10)


def search_of_squad(sandbox, ground, algorithm):
    """Sends the scouts, and waits for a search of theirs by this algorithm, as the panel shows it."""
    start = sandbox.now["named"]["Scout 1"]["cell"]
    send(sandbox, list(pick_goal(sandbox, ground, start, 60, 110))[-1])
    frame = sandbox.watch(lambda frame: frame["cells"]["algorithm"] == algorithm)
    check(frame["cells"]["algorithm"] == algorithm, f"the next search was {algorithm}: {frame['cells']['algorithm']}")
    return frame


def search_is_chosen_and_shown(sandbox, ground):
    check(sandbox.now["options"]["heuristic"] == sandbox.now["options"]["algorithm"] == "Auto", "at first the sandbox chooses")
    press_button(sandbox, "panel.advanced")
    list_fits(sandbox, "SearchOptions.algorithm", 10)
    choose_option(sandbox, "heuristic", "Euclidean")
    choose_option(sandbox, "corners", "OneFree")
    choose_option(sandbox, "algorithm", "AnyAngle")
    search_of_squad(sandbox, ground, "any_angle")
    choose_option(sandbox, "algorithm", "AStar")
    if not sandbox.now["cells"]["shown"]:
        sandbox.key("o")
    search_of_squad(sandbox, ground, "astar")
    frame = sandbox.watch(lambda frame: frame["cells"]["closed"] > 5)
    options = frame["options"]
    check((options["heuristic"], options["corners"]) == ("Euclidean", "OneFree"), "the other choices stay")
    check(frame["cells"]["shown"] and frame["cells"]["closed"] > 5, f"the toggle shows the {frame['cells']['closed']} cells that the search closed")
    for field, variant in (("heuristic", "Auto"), ("corners", "Never")):
        choose_option(sandbox, field, variant)


def clicks_outside_send_nobody(sandbox):
    before = sandbox.wait("everybody rests", lambda frame: all(s["status"] == "Arrived" for s in scouts(frame).values()))
    sandbox.click((12, 300))
    column, row = sandbox.now["pointer"]["cell"]
    width, height = before["grid"]["size"]
    check(not (0 <= column < width and 0 <= row < height), f"the click at ({column}, {row}) is beside the map")
    after = sandbox.wait_frames(6)
    check({s["status"] for s in scouts(after).values()} == {"Arrived"}, "a click beside the map stops nobody, and fails nobody")
    check(after["selected"] == before["selected"], "and selects nobody")


def view_zooms_and_windows_resize(sandbox):
    at = (SIZE[0] * 0.4, SIZE[1] * 0.5)
    sandbox.move(at)
    before = sandbox.wait("the camera at rest", lambda frame: frame["view"]["still"])
    for _ in range(4):
        sandbox.xdotool("click", 4)
        sandbox.pause()
    frame = sandbox.wait("a closer view", lambda frame: frame["view"]["still"] and frame["view"]["scale"] < before["view"]["scale"] * 0.8)
    drift = math.dist(frame["pointer"]["world"], before["pointer"]["world"])
    check(drift < 1.0, f"the wheel zooms to the pointer: {drift:.2f} cells off")
    sandbox.xdotool("windowsize", sandbox.window(), 1000, 640)
    sandbox.wait("the smaller window", lambda frame: frame["view"]["window"] == [1000, 640], 30)
    sandbox.key("Home")
    frame = sandbox.wait("the camera at rest", lambda frame: frame["view"]["still"] and frame["panel"][2] <= 1000
                         and frame["view"]["scale"] > before["view"]["scale"])
    middle = sandbox.screen_of((97, 97))[0]
    check(abs(middle - frame["panel"][0] / 2) < 15, "Home shows the map in the middle of what the panel leaves free")
    scout = frame["named"]["Scout 1"]["cell"]
    sandbox.move(sandbox.screen_of(scout))
    check(sandbox.watch(lambda frame: frame["pointer"]["cell"] == scout, 5)["pointer"]["cell"] == scout, "after a resize the pointer still hits what it points at")


def low_windows_scroll(sandbox):
    """In the smaller window the panel scrolls to what does not fit, and so do its lists."""
    sandbox.xdotool("windowsize", sandbox.window(), 1000, 420)
    sandbox.wait("the low window", lambda frame: frame["view"]["window"] == [1000, 420] and frame["panel"][3] <= 420, 30)
    check("SearchOptions.algorithm" not in sandbox.wait_frames(4)["widgets"], "in a low window the list of algorithms is out of sight")
    choose_option(sandbox, "algorithm", "AnyAngle")
    choose_option(sandbox, "algorithm", "Dijkstra")


def beginning_again_ends_a_stroke(sandbox):
    # Without the danger round hunters, whose costs are edits too.
    sandbox.key("r")
    fresh = sandbox.wait_frames(8)["grid"]["revision"]
    # From the middle of the map to the right, where there is ground to paint on.
    places = [sandbox.screen_of((97 + 6 * i, 97)) for i in range(4)]
    before = sandbox.now["grid"]["revision"]
    sandbox.move(places[0])
    sandbox.press(3)
    sandbox.move(places[1])
    painted = sandbox.watch(lambda frame: frame["grid"]["revision"] > before, 10)["grid"]["revision"]
    check(painted > before, "the stroke has begun")
    sandbox.key("r")
    again = sandbox.watch(lambda frame: frame["grid"]["revision"] == fresh, 10)
    check(again["grid"]["revision"] == fresh, "R begins again, with the map as it was")
    sandbox.move(places[2])
    sandbox.move(places[3])
    sandbox.release(3)
    check(sandbox.now["grid"]["revision"] == fresh, "the stroke does not go on over the new map")


def leaves(sandbox, but=None):
    """Leaves, and looks for errors in the log, but for those that were provoked."""
    # One after another, it closes the panel, deselects, asks, and leaves.
    presses, ended = 0, lambda: sandbox.process.poll() is not None
    while not ended() and presses < 6:
        sandbox.xdotool("key", "Escape")
        presses, begun = presses + 1, len(sandbox.frames)
        until("an answer to Escape", 30, lambda: ended() or (sandbox.read() and len(sandbox.frames) > begun + 3))
    check(sandbox.process.wait(30) == 0 and presses > 1, f"Escape asks, and leaves with 0, pressed {presses} times")
    log = "\n".join(line for line in sandbox.log.read_text().split("\n") if but is None or but not in line)
    check("panicked" not in log and "ERROR" not in log, "the log holds no error")


def untick(sandbox, name):
    left, top, right, bottom = sandbox.widget(name)
    sandbox.click((left + 8, (top + bottom) / 2))


def interactive(binary, display, folder):
    ground = Map(MAP)
    with Sandbox(binary, display, folder, "interactive", "--scene", "hunt", "--seed", "7") as sandbox:
        frame = sandbox.wait("a still picture", lambda frame: frame["frame"] > 5 and frame["view"]["still"])
        sandbox.focus()
        untick(sandbox, "HuntSettings.prey_roams")
        clicks_send(sandbox, ground)
        # A prey that stands, and paths that nothing but walls changes.
        untick(sandbox, "HuntSettings.prey_flees")
        untick(sandbox, "HuntSettings.danger")
        sandbox.picture("clicks")
        slider_changes_speed(sandbox, ground)
        sliders_change_bodies(sandbox)
        walls_change_paths(sandbox, ground)
        fences_are_drawn_and_undone(sandbox)
        sandbox.slide("HuntSettings.speed", 0.8, 0.01)
        clicks_outside_send_nobody(sandbox)
        panels_keep_their_clicks(sandbox)
        keys_drive(sandbox, ground)
        hunters_hunt(sandbox)
        search_is_chosen_and_shown(sandbox, ground)
        picture = sandbox.picture("search")
        colors, *_ = distinct_colors(picture)
        check(colors > 100, f"the picture of the search is not blank: {colors} colours")
        view_zooms_and_windows_resize(sandbox)
        sandbox.picture("resized")
        low_windows_scroll(sandbox)
        sandbox.picture("low")
        beginning_again_ends_a_stroke(sandbox)
        times = sorted(frame["frame_ms"] for frame in sandbox.frames[10:])
        print(f"  frame time: median {times[len(times) // 2]:.0f} ms, 99 % below {times[len(times) * 99 // 100]:.0f} ms")
        leaves(sandbox)


# The other scenes.


def facts(frame, name, default=None):
    """What the scene says of itself; nothing in the frame in which it begins."""
    return frame["facts"].get(name, default)


def press_button(sandbox, name):
    left, top, right, bottom = sandbox.widget(name)
    sandbox.click(((left + right) / 2, (top + bottom) / 2))


def lab_answers(sandbox, name):
    """Lays out a map of the lab; the answers of both sides."""
    press_button(sandbox, f"lab.{name}")
    is_there = lambda frame: facts(frame, "map") == name and len(facts(frame, "sides", [])) == 2
    return facts(sandbox.wait(f"the map {name}", is_there), "sides")


def search_lab(binary, display, folder):
    with Sandbox(binary, display, folder, "search_lab") as sandbox:
        is_over = lambda frame: facts(frame, "sides") and all(side["is_over"] for side in facts(frame, "sides"))
        frame = sandbox.wait("the end of the replay", is_over)
        sandbox.focus()
        check(frame["scene"] == "search", "the sandbox opens with the search lab")
        astar, greedy = facts(frame, "sides")
        check(greedy["length"] > 1.2 * astar["length"], f"the trap fools greedy search: {greedy['length']:.1f} against {astar['length']:.1f}")
        sandbox.picture("lab_trap")
        maps_make_their_points(sandbox)
        replays_stop_and_step(sandbox)
        walls_are_drawn(sandbox)
        scenes_are_switched(sandbox)
        leaves(sandbox)


def maps_make_their_points(sandbox):
    astar, greedy = lab_answers(sandbox, "swamp")
    check(greedy["length"] < astar["length"] and greedy["cost"] > 2 * astar["cost"], f"only who counts costs avoids the swamp: {astar['cost']:.0f} against {greedy['cost']:.0f}")
    never, always = lab_answers(sandbox, "corner")
    check(always["length"] < never["length"] - 5, f"the corner rule opens a short cut: {always['length']:.1f} against {never['length']:.1f}")
    astar, theta = lab_answers(sandbox, "angles")
    check(theta["length"] < astar["length"] and theta["algorithm"] == "theta", f"Theta* is shorter than the staircase: {theta['length']:.2f} against {astar['length']:.2f}")
    astar, jps = lab_answers(sandbox, "game")
    check(abs(astar["cost"] - jps["cost"]) < 1e-3 and jps["micros"] < astar["micros"], f"jump points are as good and faster: {jps['micros']:.0f} against {astar['micros']:.0f} microseconds")
    sandbox.picture("lab_game")


def replays_stop_and_step(sandbox):
    lab_answers(sandbox, "maze")
    sandbox.key("space")
    frame = sandbox.wait("a pause", lambda frame: frame["paused"])
    shown, last, _ = facts(frame, "replay")
    sandbox.key("period")
    frame = sandbox.watch(lambda frame: facts(frame, "replay")[0] != shown, 10)
    check(facts(frame, "replay")[0] == shown + 1, f"one step shows one expansion more: {shown} of {last}")
    sandbox.key("space")
    left, top, right, bottom = sandbox.widget("lab.scrub")
    middle = (top + bottom) / 2
    sandbox.drag([(left + 20, middle), ((left + right) / 2, middle), (right - 4, middle)])
    frame = sandbox.watch(lambda frame: facts(frame, "replay")[0] > 0.9 * last, 10)
    check(facts(frame, "replay")[0] > 0.9 * last, "the slider goes to any place of the replay")
    sandbox.picture("lab_maze")


def walls_are_drawn(sandbox):
    before = lab_answers(sandbox, "empty")[0]["length"]
    wait = lambda holds: sandbox.watch(lambda frame: holds(facts(frame, "sides")[0]["length"]), 10)
    sandbox.wait("the camera at rest", lambda frame: frame["view"]["still"])
    wall = [sandbox.screen_of((12, y)) for y in (6, 12, 18)]
    sandbox.drag(wall)
    after = facts(wait(lambda length: length > before + 2), "sides")[0]["length"]
    check(after > before + 2, f"a wall that is drawn is gone round: {before:.1f} to {after:.1f}")
    sandbox.picture("lab_drawn")
    sandbox.drag(wall, button=3)
    again = facts(wait(lambda length: length == before), "sides")[0]["length"]
    check(again == before, "erased, it is not")
    goal = facts(sandbox.now, "goal")
    sandbox.drag([sandbox.screen_of(cell) for cell in (goal, (20, 16), (18, 20))])
    frame = sandbox.watch(lambda frame: facts(frame, "goal") == [18, 20], 10)
    check(facts(frame, "goal") == [18, 20], "the goal is dragged to another cell")


def scenes_are_switched(sandbox):
    press_button(sandbox, "menu.tanks")
    frame = sandbox.wait("the other scene", lambda frame: frame["scene"] == "tanks" and frame["agents"] > 0)
    check(frame["scene"] == "tanks", "the menu opens another scene")
    sandbox.key("1")
    frame = sandbox.wait("the lab", lambda frame: frame["scene"] == "search" and facts(frame, "sides"))
    check(frame["agents"] == 0, "its key opens the lab again, and nobody of the other scene is left")
    sandbox.key("F1")
    sandbox.picture("help")
    sandbox.key("F1")


def tanks(binary, display, folder):
    with Sandbox(binary, display, folder, "tanks", "--scene", "tanks") as sandbox:
        sandbox.wait("a still picture", lambda frame: frame["frame"] > 5 and frame["view"]["still"])
        sandbox.focus()
        bricks_fall_and_paths_follow(sandbox)
        sandbox.picture("tanks")
        # One tank, and nobody to drive it.
        sandbox.slide("TanksSettings.lives", -0.05, 0.25)
        begin_game(sandbox, lambda frame: facts(frame, "lives") == 1)
        frame = sandbox.watch(lambda frame: facts(frame, "phase") == "lost", PATIENCE)
        check(facts(frame, "phase") == "lost", "who does nothing loses")
        sandbox.picture("tanks_lost")
        # One wave, and somebody who aims.
        sandbox.slide("TanksSettings.waves", -0.05)
        sandbox.slide("TanksSettings.lives", 1.05, 0.0)
        sandbox.slide("TanksSettings.enemies", -0.05, 0.25)
        begin_game(sandbox, lambda frame: facts(frame, "lives") == 9)
        play_to_the_end(sandbox)
        check(facts(sandbox.now, "phase") == "won", f"who aims and fires wins: {facts(sandbox.now, 'score')} points")
        sandbox.picture("tanks_won")
        sandbox.key("Return")
        frame = sandbox.watch(lambda frame: facts(frame, "phase") == "playing", 10)
        check(facts(frame, "phase") == "playing", "Enter plays again")
        leaves(sandbox)


def begin_game(sandbox, holds):
    sandbox.key("r")
    sandbox.wait("a new game", lambda frame: facts(frame, "phase") == "playing" and holds(frame))


def enemies(frame):
    return {name: tank for name, tank in frame["named"].items() if name.startswith("Enemy")}


def to_screen(frame, at):
    view = frame["view"]
    width, height = view["window"]
    return [round(width / 2 + (at[0] - view["center"][0]) / view["scale"]),
            round(height / 2 - (at[1] - view["center"][1]) / view["scale"])]


def bricks_fall_and_paths_follow(sandbox):
    """Shoots a hole into the wall above: the enemies' way round it becomes a way through it."""
    sandbox.wait("an enemy on its way", lambda frame: any(tank["status"] == "Following" for tank in enemies(frame).values()))
    check(facts(sandbox.now, "short_cuts") == 0, "as long as all walls stand nobody finds a shorter way")
    you = sandbox.now["named"]["You"]["at"]
    aims = [(you[0] + aside, you[1] + 12) for aside in (0, -1, 1)]
    sandbox.xdotool("mousemove", *to_screen(sandbox.now, aims[0]))
    sandbox.press()
    for _ in range(12):
        for aim in aims:
            sandbox.xdotool("mousemove", *to_screen(sandbox.now, aim))
            frame = sandbox.watch(lambda frame: facts(frame, "short_cuts") > 0, 1)
        if facts(frame, "short_cuts") > 0:
            break
    sandbox.release()
    check(facts(frame, "fallen") > 5, f"shells break bricks: {facts(frame, 'fallen')} cells")
    check(facts(frame, "saved") > 5, f"a fallen wall changes a tank's path: {facts(frame, 'saved'):.0f} cells shorter")


def play_to_the_end(sandbox):
    """Holds the button, and aims at whoever is nearest."""
    sandbox.xdotool("mousemove", *to_screen(sandbox.now, sandbox.now["named"]["You"]["at"]))
    sandbox.press()
    end = time.monotonic() + PATIENCE
    while facts(frame := sandbox.now, "phase") == "playing" and time.monotonic() < end:
        you, targets = frame["named"]["You"]["at"], [tank["at"] for tank in enemies(frame).values()]
        if targets:
            sandbox.xdotool("mousemove", *to_screen(frame, min(targets, key=lambda at: math.dist(at, you))))
        sandbox.wait_frames(1)
    sandbox.release()


SMALL = ("--size", "760x480", "--agents", "90")


def chase(binary, display, folder):
    with Sandbox(binary, display, folder, "chase", "--scene", "chase") as sandbox:
        sandbox.focus()
        frame = sandbox.wait("the end of a round", lambda frame: facts(frame, "rounds", 0) >= 1, 180)
        catches = {mode: facts(frame, mode)["caught"] for mode in ("intercept", "line_of_sight")}
        check(catches == {"intercept": 1, "line_of_sight": 0}, f"intercept catches what line of sight does not: {catches}")
        sandbox.picture("chase")
        leaves(sandbox)


def avoid(binary, display, folder):
    with Sandbox(binary, display, folder, "avoid", "--scene", "avoid", *SMALL) as sandbox:
        sandbox.focus()
        frame = sandbox.wait("bumps", lambda frame: facts(frame, "bumps", {}).get("ray", 0) >= 5, 180)
        bumps = facts(frame, "bumps")
        check(bumps["sweep"] * 2 < bumps["ray"], f"the sweep bumps less than the ray: {bumps}")
        sandbox.picture("avoid")
        leaves(sandbox)


def flock(binary, display, folder):
    with Sandbox(binary, display, folder, "flock", "--scene", "flock", *SMALL) as sandbox:
        sandbox.focus()
        begun = sandbox.wait("flocks", lambda frame: facts(frame, "flocks") and frame["time"] > 3, 180)
        frame = sandbox.wait("some seconds", lambda frame: frame["time"] > begun["time"] + 5, 180)
        for before, after in zip(facts(begun, "flocks"), facts(frame, "flocks")):
            way = math.dist(before["center"], after["center"])
            check(way > 3 and after["gap"] < 2 * after["gyration"] + 12,
                  f"the flock follows its leader: {way:.0f} units, {after['gap']:.1f} behind")
        sandbox.picture("flock")
        leaves(sandbox)


def panel(binary, display, folder):
    """A designer makes a flock tighter, saves it, closes, reopens, and finds it."""
    assets, name = folder / "assets", "tight"
    shutil.rmtree(assets, ignore_errors=True)
    shutil.copytree(REPOSITORY / "assets", assets)
    file = assets / f"presets/{name}.flock.ron"
    path = f"presets/{file.name}"
    flags = ("--scene", "flock", "--agents", "90", "--assets", assets)
    with Sandbox(binary, display, folder, "panel", *flags) as sandbox:
        open_panel(sandbox)
        wide = spacing(sandbox, "flocks that fly as they do", lambda _: True)
        bring_to_sight(sandbox, "Flock.separation_radius:rail")
        sandbox.slide("Flock.separation_radius", 0.3)
        tight = spacing(sandbox, "tighter flocks", lambda now: now < 0.8 * wide)
        check(tight < 0.8 * wide, f"a slider makes the flocks tighter: {wide:.2f} units to the nearest, then {tight:.2f}")
        sandbox.picture("panel_tuned")
        tuned = sandbox.now["tuning"]["spacing"]
        save_preset_as(sandbox, name)
        check(is_about(written(file), tuned), f"the file has the value of the slider: {tuned:.2f}")
        mend_and_reload(sandbox, file, path)
        leaves(sandbox, f"Failed to load asset '{path}'")
    with Sandbox(binary, display, folder, "panel_again", *flags) as sandbox:
        open_panel(sandbox)
        check(sandbox.now["tuning"]["preset"] is None, "reopened, the birds are as they always were")
        wide = spacing(sandbox, "flocks that fly as they do", lambda _: True)
        bring_to_sight(sandbox, "Flock/preset")
        sandbox.choose("Flock/preset", name)
        frame = sandbox.watch(lambda frame: frame["tuning"]["preset"] == path and is_about(frame["tuning"]["spacing"], tuned))
        check(is_about(frame["tuning"]["spacing"], tuned), "the preset is found in the list, and has what was saved")
        tight = spacing(sandbox, "tighter flocks", lambda now: now < 0.8 * wide)
        check(tight < 0.8 * wide, f"and the flocks are tighter: {wide:.2f} units to the nearest, then {tight:.2f}")
        sandbox.picture("panel_again")
        leaves(sandbox)


def clipboard(binary, display, folder):
    """A search is copied as a test case, and can be pasted."""
    with Sandbox(binary, display, folder, "clipboard", "--scene", "hunt", "--seed", "7") as sandbox:
        open_panel(sandbox)
        listed = lambda frame: [name for name in frame["widgets"] if name.startswith("agent ")]
        press_button(sandbox, listed(sandbox.wait("a list of agents", listed, 30))[0])
        bring_to_sight(sandbox, "copy case")
        press_button(sandbox, "copy case")
        bring_to_sight(sandbox, "search")
        press_button(sandbox, "search")
        sandbox.xdotool("keydown", "ctrl")
        sandbox.pause()
        sandbox.key("v")
        sandbox.xdotool("keyup", "ctrl")
        # No agent has a name in which a whole map stands.
        frame = sandbox.watch(lambda frame: not listed(frame))
        check(not listed(frame), "what was copied is pasted as something to search for")
        sandbox.picture("clipboard")


def is_about(value, wanted):
    return value is not None and abs(value - wanted) < 1e-4


def written(file):
    """The spacing that a preset's file holds."""
    lines = [line for line in file.read_text().split("\n") if "separation_radius:" in line]
    return float(lines[0].split(":")[1].split(",")[0]) if lines else None


def open_panel(sandbox):
    """Opens the tuning panel, as F2 does."""
    sandbox.wait("a picture", lambda frame: frame["frame"] > 5)
    sandbox.focus()
    sandbox.key("F2")
    is_open = lambda frame: frame["tuning"]["area"] and "section Steer" in frame["widgets"]
    sandbox.wait("the panel", is_open, 30)
    sandbox.wait_frames(4)


def bring_to_sight(sandbox, name):
    """Turns the wheel over the panel until a widget is in sight: to the end, then back."""
    left, top, right, bottom = sandbox.now["tuning"]["area"]
    for button in [5] * 60 + [4] * 90:
        if name in sandbox.wait_frames(3)["widgets"]:
            return
        sandbox.move(((left + right) / 2, bottom - 40))
        sandbox.xdotool("click", button)
    raise Failure(f"the widget {name} is nowhere to be seen")


def spacing(sandbox, what, holds):
    """How far from each other the birds are, once that holds for two seconds on end, or after a while as it is."""
    nearest = lambda frame: [flock["nearest"] for flock in facts(frame, "flocks", [])]
    end = time.monotonic() + PATIENCE
    since, frame = None, sandbox.wait(what, lambda frame: facts(frame, "flocks") and frame["time"] > 6)
    while time.monotonic() < end:
        now = sum(nearest(frame)) / max(len(nearest(frame)), 1)
        if not holds(now):
            since = None
        elif since is None:
            since = frame["time"]
        elif frame["time"] > since + 2:
            return now
        frame = sandbox.wait_frames(1)
    return now


def save_preset_as(sandbox, name):
    """Saves the flock under a name, as one types it."""
    bring_to_sight(sandbox, "Flock/save as")
    press_button(sandbox, "Flock/save as")
    sandbox.wait("the field for the name", lambda frame: "Flock/name" in frame["widgets"], 30)
    sandbox.wait_frames(3)
    sandbox.xdotool("type", "--delay", "60", name)
    sandbox.wait_frames(3)
    sandbox.key("Return")
    path = f"presets/{name}.flock.ron"
    frame = sandbox.watch(lambda frame: frame["tuning"]["preset"] == path)
    check(frame["tuning"]["preset"] == path, f"the birds follow what was saved as {path}")


def mend_and_reload(sandbox, file, path):
    """Breaks a preset's file while the sandbox runs, and mends it."""
    good = sandbox.now["tuning"]["spacing"]
    file.write_text("(\n    separation_radius: wide,\n)")
    # The file is empty for a moment while it is written, and the sandbox may read it then and once more afterwards.
    frame = sandbox.watch(lambda frame: "line 2" in frame["tuning"]["errors"].get(path, ""))
    error = frame["tuning"]["errors"].get(path, "nothing")
    check("line 2" in error, f"a broken file is told with its line: {error}")
    bring_to_sight(sandbox, "Flock/error")
    check(is_about(frame["tuning"]["spacing"], good), "and the birds keep the last good values")
    sandbox.picture("panel_broken")
    file.write_text("(\n    separation_radius: 4.25,\n)")
    frame = sandbox.watch(lambda frame: is_about(frame["tuning"]["spacing"], 4.25) and not frame["tuning"]["errors"])
    check(is_about(frame["tuning"]["spacing"], 4.25), "mended, it is loaded again")
    check(path not in frame["tuning"]["errors"], "and nothing is wrong with it any more")
    file.write_text(f"(\n    separation_radius: {good},\n)")
    sandbox.wait("the last reload", lambda frame: is_about(frame["tuning"]["spacing"], good), 30)


def crowd(binary, display, folder):
    with Sandbox(binary, display, folder, "crowd", "--scene", "crowd", "--agents", "60") as sandbox:
        sandbox.focus()
        settled = lambda frame: facts(frame, "units", 0) and facts(frame, "moving") * 4 <= facts(frame, "units") and frame["time"] > 5
        frame = sandbox.wait("the crowd at rest", settled, 240)
        check(facts(frame, "arrived") * 2 > facts(frame, "units"), f"the crowd settles: {facts(frame, 'arrived')} of {facts(frame, 'units')}")
        sandbox.picture("crowd")
        leaves(sandbox)


def stress(binary, display, folder):
    with Sandbox(binary, display, folder, "stress", "--scene", "stress", "--agents", "200") as sandbox:
        sandbox.focus()
        frame = sandbox.wait("answers", lambda frame: facts(frame, "answered", 0) > 500, 180)
        check(facts(frame, "edits") > 0, f"a storm is answered: {facts(frame, 'answered')} answers to {facts(frame, 'orders')} orders")
        sandbox.picture("stress")
        leaves(sandbox)


def endless(binary, display, folder):
    with Sandbox(binary, display, folder, "endless", "--scene", "endless", "--agents", "45") as sandbox:
        sandbox.wait("a still picture", lambda frame: frame["frame"] > 5 and facts(frame, "chunks", 0) > 0)
        sandbox.focus()
        frame = sandbox.wait("chunks on the way of the herds", lambda frame: facts(frame, "chunks_loaded") > 12, PATIENCE)
        check(facts(frame, "joined_grids") >= 1, f"chunks that touch are one grid: {facts(frame, 'chunks')} chunks, {facts(frame, 'joined_grids')} of them")
        sandbox.picture("endless")
        # Away from the herds: other chunks come, and those that are left behind go.
        before = facts(sandbox.now, "chunks_loaded")
        for _ in range(4):
            sandbox.drag([(900, 360), (500, 360), (120, 360)], button=2)
        frame = sandbox.watch(lambda frame: facts(frame, "chunks_loaded") > before + 5, 20)
        check(facts(frame, "chunks_loaded") > before + 5, f"where the user looks chunks are loaded: {facts(frame, 'chunks_loaded') - before}")
        sandbox.picture("endless_elsewhere")
        check(facts(frame, "chunks") < 120, f"what nobody needs is unloaded: {facts(frame, 'chunks')} chunks")
        sandbox.key("Home")
        sandbox.key("n")
        leaves(sandbox)


def castle(binary, display, folder):
    with Sandbox(binary, display, folder, "castle", "--scene", "castle") as sandbox:
        sandbox.wait("a still picture", lambda frame: frame["frame"] > 5 and facts(frame, "captain"))
        sandbox.focus()
        captain = lambda frame: facts(frame, "captain")["at"]
        wait = lambda what, holds: sandbox.wait(what, holds, PATIENCE)
        meadow, roof = (lambda: facts(sandbox.now, "spots")[1]), (lambda: facts(sandbox.now, "spots")[0])
        sandbox.click(meadow())
        frame = wait("the captain before the moat", lambda frame: captain(frame)[2] > 24)
        check(captain(frame)[1] < 0.5, f"a click on the meadow sends the captain there, over gate and bridge: {captain(frame)}")
        press_button(sandbox, "castle.bridge")
        wait("a raised bridge", lambda frame: not facts(frame, "bridge"))
        sandbox.click(roof())
        wait("the captain at the moat", lambda frame: "EndedShort" in facts(frame, "captain")["status"])
        check(captain(sandbox.now)[2] > 23.5, f"nobody crosses the moat: {captain(sandbox.now)}")
        sandbox.picture("castle_bridge_up")
        sandbox.key("b")
        frame = wait("the captain on the roof", lambda frame: captain(frame)[1] > 9.5)
        check(facts(frame, "crossings") > 2, f"once it is down he climbs to the roof: {facts(frame, 'crossings')} crossings by all")
        sandbox.picture("castle")
        for key, fact in (("g", "gate"), ("l", "ladder"), ("t", "teleporter")):
            before = facts(sandbox.now, fact)
            sandbox.key(key)
            wait(fact, lambda frame: facts(frame, fact) != before)
        check(facts(sandbox.now, "ladder") and not facts(sandbox.now, "gate"), "gate, ladder and teleporter have keys")
        wait("a thief that is caught", lambda frame: facts(frame, "catches") > 0)
        # The guards may catch all raiders before they have broken the wall: then others land.
        for _ in range(3):
            sandbox.key("k")
            frame = sandbox.watch(lambda frame: facts(frame, "breaches") > 0, PATIENCE)
            if facts(frame, "breaches") > 0:
                break
        check(facts(frame, "breaches") > 0 and not facts(frame, "gate"), "raiders break through the wall while the gate is shut")
        sandbox.picture("castle_raid")
        leaves(sandbox)


def battle(binary, display, folder):
    with Sandbox(binary, display, folder, "battle", "--scene", "battle", "--agents", "60") as sandbox:
        sandbox.wait("a still picture", lambda frame: frame["frame"] > 5 and facts(frame, "ours", 0) > 0)
        sandbox.focus()
        soldiers = lambda frame: facts(frame, "ours") + facts(frame, "theirs")
        begun = soldiers(sandbox.now)
        sandbox.key("a")
        frame = sandbox.wait("a selection", lambda frame: facts(frame, "chosen", 0) == 5, PATIENCE)
        sandbox.drag([(130, 500), (250, 500), (380, 500)], button=3)
        frame = sandbox.wait("companies on their way", lambda frame: facts(frame, "marching") >= 5, PATIENCE)
        check(facts(frame, "marching") >= 5, "a front that is drawn sends all companies that are selected")
        sandbox.picture("battle_front")
        frame = sandbox.wait("a fight", lambda frame: soldiers(frame) < begun, 2 * PATIENCE)
        check(soldiers(frame) < begun, f"the others come over the river: {begun} soldiers, then {soldiers(frame)}")
        sandbox.picture("battle")
        leaves(sandbox)


def traffic(binary, display, folder):
    with Sandbox(binary, display, folder, "traffic", "--scene", "traffic", "--agents", "80") as sandbox:
        sandbox.wait("a still picture", lambda frame: frame["frame"] > 5 and frame["agents"] > 0)
        sandbox.focus()
        passed = lambda frame, name: facts(frame, name, 0)
        frame = sandbox.wait("people on all ways", lambda frame: passed(frame, "main gate") > 5 and passed(frame, "old bridge") > 5, PATIENCE)
        check(facts(frame, "errands", 0) >= 0, f"{passed(frame, 'main gate')} through the main gate, {passed(frame, 'old bridge')} over the old bridge")
        sandbox.picture("traffic")
        leaves(sandbox)


def level(binary, display, folder):
    with Sandbox(binary, display, folder, "level", "--scene", "level") as sandbox:
        sandbox.wait("a level that is baked", lambda frame: facts(frame, "baked", 0) > 0 and facts(frame, "floors") > 1, PATIENCE)
        sandbox.focus()
        before = facts(sandbox.now, "baked")
        sandbox.click((480, 400))
        frame = sandbox.wait("a crate that stands", lambda frame: facts(frame, "crates") > 0 and facts(frame, "baked") > before, PATIENCE)
        check(facts(frame, "baked") > before, f"where a crate falls the level is baked again: {facts(frame, 'baked')} times")
        frame = sandbox.wait("walkers that arrive", lambda frame: facts(frame, "arrivals") > 3, 2 * PATIENCE)
        check(facts(frame, "floors") > 1, f"walkers go to all floors: {facts(frame, 'floors')}, {facts(frame, 'arrivals')} arrivals")
        sandbox.picture("level")
        leaves(sandbox)


# Without a window: with so many agents, since this build is not an optimised one.
TICKS = 10_000
SCENES = (("search",), ("tanks",), ("hunt",), ("chase",), ("avoid", 32), ("flock", 90), ("crowd", 60), ("stress", 60), ("endless", 24), ("castle",), ("battle", 60), ("traffic", 60), ("level",))


def long_runs(binary, display, folder):
    """Each scene for ten thousand ticks, two at a time."""
    environment = {**display.environment, "RUST_LOG": "warn,bevy_extract=off,bevy_render=off,bevy_gizmos_render=off"}

    def begin(scene, *agents):
        words = [binary, "--headless", "--frames", TICKS, "--scene", scene, *(["--agents", *agents] if agents else [])]
        return subprocess.Popen([str(word) for word in words], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    for i in range(0, len(SCENES), 2):
        runs = {scene[0]: begin(*scene) for scene in SCENES[i:i + 2]}
        for scene, run in runs.items():
            said, _ = run.communicate(timeout=600)
            check(run.returncode == 0 and not said.strip(), f"{scene} runs {TICKS} ticks without a word: {said[-500:]}")


STEPS = (flags_are_honest, frames_end, search_lab, chase, avoid, flock, panel, clipboard, crowd, tanks, stress, endless, castle, battle, traffic, level, interactive, long_runs)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    steps = [step for step in STEPS if step.__name__ in sys.argv[3:]]
    binary, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with Display() as display:
        for step in steps or STEPS:
            print(step.__name__, flush=True)
            try:
                step(binary, display, folder)
            except (Failure, subprocess.SubprocessError, json.JSONDecodeError) as failure:
                sys.exit(f"FAILED: {failure}")
    print(f"the pictures are in {folder}")


if __name__ == "__main__":
    main()
