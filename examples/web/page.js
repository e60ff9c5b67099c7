// What the sandbox asks of the page that it runs in. The program calls these functions once a frame or less; events of
// the browser wait here until the program asks for them.

// Keys that scroll the page, move its focus or open the browser's help, and that the sandbox uses.
const TAKEN_KEYS = new Set([
  "Tab", " ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "F1", "F2", "'", "/",
]);

const stage = document.getElementById("stage");
const drops = [];
let hasNewLink = false;

stage.addEventListener("contextmenu", (event) => event.preventDefault());
stage.addEventListener("wheel", (event) => event.preventDefault(), { passive: false });
// With a modifier, a key is a shortcut of the browser.
window.addEventListener("keydown", (event) => {
  const isShortcut = event.ctrlKey || event.altKey || event.metaKey;
  if (!isShortcut && TAKEN_KEYS.has(event.key) && event.target.tagName !== "INPUT") event.preventDefault();
}, { capture: true });
window.addEventListener("hashchange", () => { hasNewLink = true; });
window.addEventListener("dragover", (event) => event.preventDefault());
window.addEventListener("drop", async (event) => {
  event.preventDefault();
  for (const file of event.dataTransfer.files) {
    drops.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
});

function parameters() {
  return [...new URLSearchParams(location.hash.slice(1))];
}

// The parameters of the address behind `#`: name, value, name, value, …
export function link() {
  hasNewLink = false;
  return parameters().filter(([name]) => name !== "telemetry").flat();
}

// Whether the address has been changed, by hand or by a link on the page, since it was last read.
export function has_new_link() {
  return hasNewLink;
}

// Shows where the sandbox is, so that the address can be copied.
export function set_link(text) {
  const telemetry = wants_telemetry() ? "&telemetry" : "";
  history.replaceState(null, "", `#${text}${telemetry}`);
}

// Whether every frame is to be described in `window.sandbox.telemetry`: for tests and measurements.
export function wants_telemetry() {
  return parameters().some(([name]) => name === "telemetry");
}

export function publish(line) {
  window.sandbox.telemetry = line;
}

// Tells that the first frame has been drawn.
export function ready() {
  window.sandbox.ready();
}

export function fail(message) {
  window.sandbox.fail(message);
}

export function width() {
  return window.innerWidth;
}

export function height() {
  return window.innerHeight;
}

// The name of the first file that was dropped on the page and not yet taken.
export function dropped_name() {
  return drops[0]?.name;
}

// Takes the content of that file.
export function take_dropped() {
  return drops.shift().bytes;
}

// The browser's storage can be full, or forbidden by the user's settings: then reading finds nothing, and writing fails.
const PREFIX = "bevy_pathfind/";

export function stored_names() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

export function stored(name) {
  return localStorage.getItem(PREFIX + name) ?? undefined;
}

export function store(name, text) {
  try {
    localStorage.setItem(PREFIX + name, text);
    return true;
  } catch {
    return false;
  }
}

export function forget(name) {
  localStorage.removeItem(PREFIX + name);
}

// Offers a text as a file to save.
export function download(name, text) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}
