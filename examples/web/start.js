// Loads the program, shows how far that is, and says what is wrong if it does not come up.

const curtain = document.getElementById("curtain");
const message = document.getElementById("message");
const progress = document.getElementById("progress");

let hasFailed = false;

window.sandbox = {
  // One line of JSON for the last frame, if the address has `telemetry`.
  telemetry: null,

  // The first frame is there.
  ready() {
    if (hasFailed) return;
    performance.mark("first frame");
    curtain.hidden = true;
    document.getElementById("sandbox").focus();
  },

  // The first failure is the cause of those that follow.
  fail(text) {
    if (hasFailed) return;
    hasFailed = true;
    message.textContent = text;
    progress.hidden = true;
    curtain.hidden = false;
  },
};

window.addEventListener("error", (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) {
    window.sandbox.fail("The sandbox has stopped, which is an error of the program. The browser's console says more; reload the page to begin again.");
  }
});

// WebGL2 is what the program draws with; a browser with WebGPU has that too.
function canDraw() {
  return typeof WebAssembly === "object" && !!document.createElement("canvas").getContext("webgl2");
}

// The program, as a response that can be compiled while it comes in and, if it is packed, while it is unpacked. The server
// may have compressed it once more, so its length is known from the page and not from the answer.
async function fetchProgram() {
  const { program: address, bytes } = curtain.dataset;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  const total = Number(bytes);
  let received = 0;
  const count = new TransformStream({
    transform(chunk, out) {
      received += chunk.byteLength;
      progress.value = received / total;
      if (received >= total) message.textContent = "Starting…";
      out.enqueue(chunk);
    },
    flush() {
      if (received !== total) throw new Error(`${address}: ${received} of ${total} bytes`);
    },
  });
  let program = response.body.pipeThrough(count);
  if (address.endsWith(".xz")) program = new window["xz-decompress"].XzReadableStream(program);
  return new Response(program, { headers: { "Content-Type": "application/wasm" } });
}

async function start() {
  if (!canDraw()) {
    window.sandbox.fail("The sandbox draws with WebGL2, which this browser does not have, or has switched off.");
    return;
  }
  try {
    const [{ default: init }, program] = await Promise.all([import("./sandbox.js"), fetchProgram()]);
    await init({ module_or_path: program });
  } catch (error) {
    console.error(error);
    window.sandbox.fail(`The sandbox could not be loaded: ${error.message}\nReload the page to try again.`);
  }
}

start();
