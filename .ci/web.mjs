// Drives the sandbox in a real browser: real clicks, keys, drags and touches, checked through its telemetry.
//
//     node web.mjs PAGE_FOLDER OUTPUT_FOLDER [STEP...]
//
// It serves the page itself, as the files are, and waits for what the telemetry says, never for a fixed time.
// `puppeteer-core` is looked for in the folder WEB_TOOLS; CHROMIUM is the browser. Pictures are left in the output folder.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

const [folder, output, ...wanted] = process.argv.slice(2);
const puppeteer = createRequire(`${process.env.WEB_TOOLS}/`)("puppeteer-core");
const PATIENCE = 120_000;
const DESK = { width: 1280, height: 720 };
const TELEPHONE = { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 0 };

class Failure extends Error {}

function check(holds, sentence) {
  if (!holds) throw new Failure(sentence);
  console.log(`  ok: ${sentence}`);
}

// --- The server

const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".png": "image/png",
  ".svg": "image/svg+xml",
};
// The packed program.
const PROGRAM = "/sandbox_bg.wasm.xz";
// What a file is answered with instead, for the steps that break something.
const broken = new Map();
let bytesSent = 0;

const server = http.createServer((request, response) => {
  const name = new URL(request.url, "http://localhost").pathname;
  const file = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
  if (broken.has(name)) return broken.get(name)(response);
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  const body = fs.readFileSync(file);
  bytesSent += body.length;
  response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream", "Content-Length": body.length });
  response.end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

// --- The browser

const launch = (...more) => puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", ...more],
  protocolTimeout: PATIENCE,
});
const browser = await launch();

// A page with the sandbox, what it says of itself, and the hands that drive it.
class Sandbox {
  // What a step has opened, and what is left of it after a failure is closed.
  static opened = [];

  static async open(link, viewport = DESK, before = async () => {}, where = browser) {
    const sandbox = new Sandbox();
    sandbox.context = await where.createBrowserContext();
    Sandbox.opened.push(sandbox);
    sandbox.page = await sandbox.context.newPage();
    sandbox.errors = [];
    sandbox.page.on("console", (message) => {
      if (message.type() === "error") sandbox.errors.push(`${message.text()} (${message.location().url ?? ""})`);
    });
    sandbox.page.on("pageerror", (error) => sandbox.errors.push(String(error)));
    await sandbox.page.setViewport(viewport);
    await before(sandbox.page);
    await sandbox.page.goto(`${address}#${link}&telemetry`);
    return sandbox;
  }

  async close() {
    Sandbox.opened = Sandbox.opened.filter((one) => one !== this);
    await this.context.close();
  }

  // The last frame; null before the first, a failure if the page has told one.
  async now() {
    const [line, curtain, message] = await this.page.evaluate(() => [
      window.sandbox?.telemetry,
      document.getElementById("curtain").hidden,
      document.getElementById("message").textContent,
    ]);
    if (!curtain && message && !/^(Loading|Starting)/.test(message)) throw new Failure(`the page says: ${message}`);
    return line ? { ...JSON.parse(line), isShown: curtain } : null;
  }

  async until(what, holds) {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end) {
      const frame = await this.now();
      if (frame && holds(frame)) return frame;
      await pause(30);
    }
    throw new Failure(`${what}: not within ${PATIENCE / 1000} s; ${this.errors.join("; ")}`);
  }

  async ready() {
    return this.until("the first frames", (frame) => frame.isShown && frame.frame > 12);
  }

  // Waits until so many more frames have been drawn.
  async frames(count = 3) {
    const from = (await this.now()).frame;
    return this.until(`${count} frames`, (frame) => frame.frame >= from + count);
  }

  async click(at, button = "left") {
    await this.page.mouse.move(...at);
    await this.frames();
    await this.page.mouse.down({ button });
    await this.frames();
    await this.page.mouse.up({ button });
    return this.frames();
  }

  async drag(points, button = "left") {
    await this.page.mouse.move(...points[0]);
    await this.frames();
    await this.page.mouse.down({ button });
    for (const point of points.slice(1)) {
      await this.frames();
      await this.page.mouse.move(...point);
    }
    await this.frames();
    await this.page.mouse.up({ button });
    return this.frames();
  }

  async press(key) {
    await this.page.keyboard.down(key);
    await this.frames(2);
    await this.page.keyboard.up(key);
    return this.frames(2);
  }

  // Where a widget is, once it is in the same place as two frames ago: a panel may still be scrolling.
  async widget(name) {
    for (let last; ; await this.frames(2)) {
      const { [name]: at } = (await this.until(`the widget ${name}`, (frame) => frame.widgets[name])).widgets;
      if (same(at, last)) return [(at[0] + at[2]) / 2, (at[1] + at[3]) / 2];
      last = at;
    }
  }

  async press_button(name) {
    return this.click(await this.widget(name));
  }

  // Turns the wheel over a panel until a widget is in sight: to the end, then back.
  async bringToSight(name, [left, top, right, bottom]) {
    await this.page.mouse.move((left + right) / 2, bottom - 40);
    for (let turn = 0; turn < 60; turn++) {
      if ((await this.frames(3)).widgets[name]) return;
      await this.page.mouse.wheel({ deltaY: turn < 25 ? 200 : -200 });
    }
    throw new Failure(`the widget ${name} is nowhere to be seen`);
  }

  async drop(name, content) {
    await this.page.evaluate((name, content) => {
      const files = new DataTransfer();
      files.items.add(new File([content], name));
      const event = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
      document.getElementById("sandbox").dispatchEvent(event);
    }, name, content);
  }

  // Puts fingers down, moves them, and lifts them; each step is a list of points.
  async touch(steps) {
    const device = await this.page.createCDPSession();
    const send = (type, points) =>
      device.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    let down = 0;
    for (const points of steps) {
      await send(points.length > down ? "touchStart" : "touchMove", points);
      down = points.length;
      // No more than one frame: a finger that rests is another gesture.
      await this.frames(1);
    }
    await this.frames(2);
    await send("touchEnd", []);
    await device.detach();
    return this.frames(4);
  }

  async picture(name) {
    await this.page.screenshot({ path: path.join(output, `${name}.png`) });
  }

  checkErrors(where) {
    check(this.errors.length === 0, `${where}: no error in the console ${this.errors.join("; ")}`);
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
// The middle of the part of the window that no panel covers.
const middle = (frame) => {
  const [width, height] = frame.view.window;
  return [(frame.panel ? frame.panel[0] : width) / 2, ((frame.bar ? frame.bar[3] : 0) + height - 64) / 2];
};
// The screen position of a cell of the map.
const onScreen = (frame, [column, row]) => {
  const { origin, across, down } = frame.grid;
  const { center, scale, window: [width, height] } = frame.view;
  const at = [0, 1].map((i) => origin[i] + across[i] * (column + 0.5) + down[i] * (row + 0.5));
  return [width / 2 + (at[0] - center[0]) / scale, height / 2 - (at[1] - center[1]) / scale];
};
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// --- The steps

const STEPS = {
  async size() {
    const before = bytesSent;
    const sandbox = await Sandbox.open("scene=search");
    await sandbox.ready();
    const sent = bytesSent - before;
    check(sent <= 8_000_000, `${(sent / 1e6).toFixed(2)} MB were sent until the first frames, of 8 at most`);
    const [received, drawn] = await sandbox.page.evaluate((program) => [
      performance.getEntriesByType("resource").find((entry) => entry.name.endsWith(program)).responseEnd,
      performance.getEntriesByName("first frame")[0].startTime,
    ], PROGRAM);
    console.log(`  the program had come in after ${Math.round(received)} ms; the first frame came ${Math.round(drawn - received)} ms later`);
    sandbox.checkErrors("opening");
    await sandbox.close();
  },

  // What a frame costs the main thread, with a thousand agents under way.
  async speed() {
    for (const scene of ["crowd", "flock", "stress"]) {
      const sandbox = await Sandbox.open(`scene=${scene}&agents=1000`);
      const from = await sandbox.ready();
      const before = await sandbox.page.metrics();
      const to = await sandbox.until("a hundred frames", (frame) => frame.frame >= from.frame + 100);
      const after = await sandbox.page.metrics();
      const frames = to.frame - from.frame;
      const spent = (name) => ((1000 * (after[name] - before[name])) / frames).toFixed(1);
      console.log(`  ${scene}, ${to.agents} agents: ${spent("ScriptDuration")} ms of the program, ${spent("TaskDuration")} ms of the main thread a frame`);
      sandbox.checkErrors(scene);
      await sandbox.close();
    }
  },

  async scenes() {
    const sandbox = await Sandbox.open("scene=search");
    const first = await sandbox.ready();
    const names = Object.keys(first.widgets).filter((name) => /^menu\./.test(name)).map((name) => name.slice(5));
    check(names.length >= 10, `the menu has ${names.length} scenes: ${names.join(", ")}`);
    for (const name of names) {
      await sandbox.press_button(`menu.${name}`);
      await sandbox.until(`the scene ${name}`, (frame) => frame.scene === name);
      const entered = await sandbox.frames(8);
      check(await sandbox.page.evaluate(() => location.hash).then((hash) => hash.includes(`scene=${name}`)), `the address names ${name}`);
      const at = middle(entered);
      await sandbox.click(at);
      await sandbox.drag([at, [at[0] + 60, at[1] + 30], [at[0] + 90, at[1] - 40]]);
      await sandbox.drag([at, [at[0] - 50, at[1] + 30], [at[0] - 80, at[1] + 60]], "right");
      await sandbox.page.mouse.wheel({ deltaY: -120 });
      await sandbox.press("KeyW");
      await sandbox.press("KeyO");
      const later = await sandbox.until(`${name} goes on`, (frame) => frame.time > entered.time + 1);
      check(later.scene === name, `${name} was clicked, dragged, typed into, and goes on: ${later.agents} agents, ${later.frame_ms.toFixed(0)} ms a frame`);
      await sandbox.press("Space");
      check((await sandbox.now()).paused, `${name} pauses`);
      await sandbox.press("Space");
      await sandbox.press("Home");
      await sandbox.frames(8);
      await sandbox.picture(`scene_${name}`);
      sandbox.checkErrors(name);
    }
    await sandbox.close();
  },

  async lab() {
    const sandbox = await Sandbox.open("scene=search&map=swamp&seed=3");
    await sandbox.ready();
    let frame = await sandbox.until("the view at rest", (frame) => frame.view.still);
    check(frame.facts.map === "swamp" && frame.seed === 3, "a link names scene, map and seed");
    const goal = frame.facts.goal;
    const to = [goal[0] - 3, goal[1] + 4];
    await sandbox.drag([onScreen(frame, goal), onScreen(frame, [goal[0] - 1, goal[1] + 2]), onScreen(frame, to)]);
    frame = await sandbox.until("the goal is dragged", (frame) => same(frame.facts.goal, to));
    check(frame.facts.sides.length === 2 && frame.facts.sides.every((side) => side.length > 0), "both searches find it again");
    const revision = frame.grid.revision;
    await sandbox.drag([onScreen(frame, [8, 20]), onScreen(frame, [12, 19]), onScreen(frame, [18, 19])]);
    frame = await sandbox.until("a wall is drawn", (frame) => frame.grid.revision > revision);
    await sandbox.picture("lab_drawn");
    await sandbox.page.evaluate(() => { location.hash = "scene=search&map=maze&seed=11&telemetry"; });
    frame = await sandbox.until("the maze", (frame) => frame.facts.map === "maze" && frame.seed === 11 && frame.view.still);
    check(true, "a change of the address is obeyed");
    await sandbox.page.evaluate(() => { location.hash = "scene=nowhere&telemetry"; });
    await sandbox.frames(5);
    await sandbox.picture("lab_bad_link");
    check((await sandbox.now()).scene === "search", "an address that names no scene changes nothing");
    sandbox.checkErrors("the search lab");
    await sandbox.close();
  },

  async drops() {
    const sandbox = await Sandbox.open("scene=flock");
    let frame = await sandbox.ready();
    const before = frame.tuning.spacing;
    await sandbox.drop("wide apart.flock.ron", "(separation_radius: 6.5)");
    frame = await sandbox.until("the birds follow the preset", (frame) => frame.tuning.spacing === 6.5);
    check(before !== 6.5 && frame.tuning.preset === "presets/wide apart.flock.ron", "a dropped preset is followed");
    await sandbox.frames(10);
    await sandbox.picture("drop_preset");
    const stored = () => sandbox.page.evaluate(() => Object.keys(localStorage));
    check((await stored()).includes("bevy_pathfind/presets/wide apart.flock.ron"), "it is kept in the browser's storage");
    await sandbox.drop("broken.flock.ron", "(separation_radius: )");
    await sandbox.frames(5);
    await sandbox.picture("drop_broken");
    check(!(await stored()).some((key) => key.includes("broken")), "a broken one is not kept");
    await sandbox.drop("five.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n");
    frame = await sandbox.until("the map in the lab", (frame) => frame.scene === "search" && same(frame.grid?.size, [5, 3]) && frame.view.still);
    await sandbox.picture("drop_map");
    await sandbox.drop("six.grid.ron", '(rows: ["..#...", "..#...", "......"])');
    frame = await sandbox.until("the RON map", (frame) => same(frame.grid?.size, [6, 3]));
    const png = execFileSync("python3", ["-c", `
import struct, sys, zlib
part = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
rows = b"".join(b"\\0" + bytes(0 if x == 3 and y else 255 for x in range(7)) for y in range(4))
sys.stdout.buffer.write(b"\\x89PNG\\r\\n\\x1a\\n" + part(b"IHDR", struct.pack(">IIBBBBB", 7, 4, 8, 0, 0, 0, 0))
    + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))`]).toString("base64");
    await sandbox.page.evaluate((data) => {
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0))], "seven.png"));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
    }, png);
    await sandbox.until("the picture as a map", (frame) => same(frame.grid?.size, [7, 4]));
    check(true, "maps of all three formats open in the search lab");
    sandbox.checkErrors("drops");
    await sandbox.close();
  },

  async presets() {
    const sandbox = await Sandbox.open("scene=flock&agents=60");
    await sandbox.ready();
    await sandbox.press("F2");
    const frame = await sandbox.until("the tuning panel", (frame) => frame.tuning.area);
    await sandbox.bringToSight("Flock/save as", frame.tuning.area);
    await sandbox.picture("tuning");
    await sandbox.press_button("Flock/save as");
    await sandbox.bringToSight("Flock/name", frame.tuning.area);
    await sandbox.page.keyboard.type("my gulls", { delay: 120 });
    await sandbox.frames(4);
    await sandbox.press("Enter");
    const key = "bevy_pathfind/presets/my gulls.flock.ron";
    await sandbox.frames(5);
    const text = await sandbox.page.evaluate((key) => localStorage.getItem(key), key);
    check(text?.includes("separation_radius"), "a preset is saved in the browser's storage");
    await sandbox.picture("tuning_saved");
    const downloads = fs.mkdtempSync(path.join(output, "downloads"));
    const device = await browser.target().createCDPSession();
    const browserContextId = sandbox.context.id;
    await device.send("Browser.setDownloadBehavior", { behavior: "allow", browserContextId, downloadPath: downloads });
    await sandbox.bringToSight("saved.my gulls.flock.ron.download", frame.panel);
    await sandbox.press_button("saved.my gulls.flock.ron.download");
    const file = path.join(downloads, "my gulls.flock.ron");
    await sandbox.until("the download", () => fs.existsSync(file));
    check(fs.readFileSync(file, "utf8") === text, "it can be downloaded as a file");
    await sandbox.picture("preset_downloaded");
    await sandbox.press_button("saved.my gulls.flock.ron.forget");
    check(!(await sandbox.page.evaluate((key) => localStorage.getItem(key), key)), "it can be removed");
    sandbox.checkErrors("presets");
    await sandbox.close();
  },

  async touch() {
    // Emulation tells the page a density of pixels, but measures the canvas without it.
    const telephone = await launch("--force-device-scale-factor=2");
    Sandbox.opened.push(telephone);
    const sandbox = await Sandbox.open("scene=search&map=empty", TELEPHONE, async () => {}, telephone);
    await sandbox.ready();
    let frame = await sandbox.until("the view at rest", (frame) => frame.view.still);
    check(same(frame.view.window, [390, 844]), `the canvas fills a telephone: ${frame.view.window}`);
    const sharp = await sandbox.page.evaluate(() => [document.getElementById("sandbox").width, devicePixelRatio]);
    check(same(sharp, [780, 2]), `it has every pixel of the screen: ${sharp}`);
    await sandbox.picture("telephone_search");
    const revision = frame.grid.revision;
    await sandbox.touch([8, 10, 12, 14].map((column) => [onScreen(frame, [column, 6])]));
    frame = await sandbox.until("a finger draws", (frame) => frame.grid.revision > revision);
    check(true, "one finger draws");
    const [x, y] = middle(frame);
    const scale = frame.view.scale;
    const pair = (gap, moved) => [[x - gap + moved, y], [x + gap + moved, y]];
    await sandbox.touch([[[x - 40, y]], pair(40, 0), pair(60, 0), pair(90, 0), pair(120, 0), pair(120, 30)]);
    frame = await sandbox.until("two fingers zoom", (frame) => frame.view.scale < 0.7 * scale && frame.view.still);
    check(true, `two fingers zoom, from ${scale.toFixed(3)} to ${frame.view.scale.toFixed(3)}`);
    await sandbox.picture("telephone_zoomed");
    const [buttonX, buttonY] = await sandbox.widget("menu.panel");
    await sandbox.touch([[[buttonX, buttonY]]]);
    await sandbox.until("the panel by touch", (frame) => frame.panel);
    await sandbox.picture("telephone_panel");
    sandbox.checkErrors("touch");
    await sandbox.close();
    const crowd = await Sandbox.open("scene=crowd", TELEPHONE, async () => {}, telephone);
    frame = await crowd.ready();
    await crowd.picture("telephone_crowd");
    crowd.checkErrors("the crowd on a telephone");
  },

  async window() {
    const sandbox = await Sandbox.open("scene=chase");
    await sandbox.ready();
    for (const [width, height] of [[800, 600], [1600, 900], [320, 480]]) {
      await sandbox.page.setViewport({ width, height });
      await sandbox.until(`${width} by ${height}`, (frame) => same(frame.view.window, [width, height]));
      check(true, `the canvas follows the window to ${width} by ${height}`);
      await sandbox.frames(10);
      await sandbox.picture(`window_${width}x${height}`);
    }
    const prevented = await sandbox.page.evaluate(() => {
      const press = (key, more) => !document.getElementById("sandbox").dispatchEvent(
        new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true, ...more }));
      return {
        sandbox: ["Tab", " ", "F1", "F2", "ArrowUp"].filter((key) => !press(key)),
        browser: [["F5"], ["F11"], ["F12"], ["r", { ctrlKey: true }], ["t", { ctrlKey: true }], ["Tab", { ctrlKey: true }], ["1", { altKey: true }]]
          .filter(([key, more]) => press(key, more)).map(([key]) => key),
      };
    });
    check(prevented.sandbox.length === 0, `the sandbox's keys do nothing to the page ${prevented.sandbox}`);
    check(prevented.browser.length === 0, `the browser's keys stay the browser's ${prevented.browser}`);
    sandbox.checkErrors("resizing");
    await sandbox.close();
  },

  async site() {
    const page = await browser.newPage();
    await page.setViewport(DESK);
    const links = (where) => page.goto(where).then(() => page.$$eval("a", (all) => all.map(({ href }) => href)));
    const own = (all) => all.filter((link) => link.startsWith(address)).map((link) => link.split("#")[0]);
    const first = await links(`${address}site/`);
    await page.screenshot({ path: path.join(output, "site.png") });
    const scenes = first.filter((link) => /site\/\w+\.html$/.test(link));
    check(scenes.length >= 10, `the site has a page for each of ${scenes.length} scenes`);
    const within = new Set(own(first));
    for (const scene of scenes) {
      for (const link of own(await links(scene))) within.add(link);
      const code = await page.$eval("pre", (code) => code.textContent);
      check(code.includes("SCENE"), `${path.basename(scene)} has the scene's code`);
    }
    for (const link of within) check((await fetch(link)).ok, `${link.slice(address.length)} is there`);
    await page.setViewport({ width: 1600, height: 900 });
    await page.goto(`${scenes[1]}`);
    const frame = await page.waitForSelector("iframe").then((frame) => frame.contentFrame());
    await frame.waitForFunction(() => document.getElementById("curtain")?.hidden, { timeout: PATIENCE });
    await page.screenshot({ path: path.join(output, "site_scene.png") });
    check(true, "a scene runs beside its code");
    await page.goto(first.find((link) => link.includes("benchmarks")));
    check((await page.$$("table")).length > 3, "the guide's benchmarks have their tables");
    await page.screenshot({ path: path.join(output, "site_benchmarks.png") });
    await page.close();
  },

  async faults() {
    const told = async (what, link, words, before) => {
      const sandbox = await Sandbox.open(link, DESK, before);
      await sandbox.page.waitForFunction((words) => document.getElementById("message").textContent.includes(words),
        { timeout: PATIENCE }, words);
      const text = await sandbox.page.evaluate(() => document.getElementById("message").textContent);
      check(text.includes(words), `${what}: ${text}`);
      await sandbox.picture(`fault_${what.replaceAll(" ", "_")}`);
      await sandbox.close();
    };
    const program = fs.readFileSync(path.join(folder, PROGRAM));
    const flipped = Buffer.from(program);
    flipped[program.length >> 1] ^= 1;
    const half = program.subarray(0, program.length >> 1);
    const answers = {
      "a missing program": (response) => response.writeHead(404).end(),
      "an empty program": (response) => response.writeHead(200).end(),
      "something else as the program": (response) => response.writeHead(200).end("\0asm of no use"),
      "a program cut off": (response) => response.writeHead(200).end(half),
      "a lost connection": (response) => response.writeHead(200, { "Content-Length": program.length }).write(half, () => response.destroy()),
      "a damaged program": (response) => response.writeHead(200).end(flipped),
    };
    for (const [what, answer] of Object.entries(answers)) {
      broken.set(PROGRAM, answer);
      await told(what, "scene=search", "could not be loaded");
    }
    broken.delete(PROGRAM);
    for (const script of ["/sandbox.js", "/xz-decompress.js"]) {
      broken.set(script, answers["a missing program"]);
      await told(`${script.slice(1)} missing`, "scene=search", "could not be loaded");
      broken.delete(script);
    }
    await told("no WebGL2", "scene=search", "WebGL2", (page) => page.evaluateOnNewDocument(() => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : get.call(this, kind, ...rest); };
    }));
    await told("a bad link", "scene=nowhere", "nowhere");
    await told("an unknown map", "scene=search&map=atlantis", "atlantis");
    const sandbox = await Sandbox.open("scene=flock", DESK, (page) => page.evaluateOnNewDocument(() => {
      localStorage.setItem("bevy_pathfind/presets/default.flock.ron", "(separation_radius: )");
    }));
    await sandbox.ready();
    await sandbox.press("F2");
    await sandbox.picture("fault_broken_preset");
    await sandbox.close();
  },
};

let failed = false;
fs.mkdirSync(output, { recursive: true });
for (const [name, step] of Object.entries(STEPS)) {
  if (wanted.length && !wanted.includes(name)) continue;
  console.log(`- ${name}`);
  try {
    await step();
  } catch (error) {
    failed = true;
    console.log(`  FAILED: ${error instanceof Failure ? error.message : error.stack}`);
  }
  for (const one of Sandbox.opened.splice(0)) {
    await one.picture?.(`left_${name}`).catch(() => {});
    await one.close().catch(() => {});
  }
}
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
