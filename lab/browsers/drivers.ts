import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A page in a browser other than Chromium; `run` gives an expression's value, `picture` a PNG in Base64. */
interface Driver {
  open(url: string): Promise<unknown>;
  run(expression: string): Promise<unknown>;
  picture(): Promise<string>;
  close(): Promise<void>;
}

type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- answers differ
const PORT = 4870;
const FIREFOX = "/usr/bin/firefox-esr";
const MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
/** WebGL without a graphics card. */
const PREFERENCES = `user_pref("webgl.force-enabled", true); user_pref("gfx.x11-egl.force-enabled", true);`;

/** Repeats `ask` until it works, for half a minute. */
async function ready<Answer>(ask: () => Promise<Answer>, left = 300): Promise<Answer> {
  return ask().catch(async (error: unknown) => {
    if (left === 0) throw error;
    await sleep(100);
    return ready(ask, left - 1);
  });
}

/** Speaks WebDriver BiDi by itself. */
async function openFirefox(): Promise<Driver> {
  const profile = await mkdtemp(join(tmpdir(), "stipple-firefox-"));
  await writeFile(join(profile, "user.js"), PREFERENCES);
  const options = ["--remote-debugging-port", `${PORT}`, "--profile", profile];
  const child = spawn(FIREFOX, options, { stdio: "ignore" });
  const socket = await ready(async () => {
    const made = new WebSocket(`ws://127.0.0.1:${PORT}/session`);
    await new Promise((done, fail) => Object.assign(made, { onopen: done, onerror: fail }));
    return made;
  });
  let last = 0;
  async function send(method: string, params: object): Promise<Json> {
    const id = ++last;
    socket.send(JSON.stringify({ id, method, params }));
    const answer = await new Promise<Json>((done) => {
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(String(data)) as Json;
        if (message.id === id) done(message);
      };
    });
    if (answer.type === "error") throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  }
  await send("session.new", { capabilities: {} });
  const { context } = await send("browsingContext.create", { type: "window" });
  await send("browsingContext.setViewport", { context, viewport: { width: 1440, height: 862 } });
  return {
    open: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    async run(expression) {
      const wanted = { expression: `JSON.stringify(${expression})`, target: { context } };
      const { result } = await send("script.evaluate", { ...wanted, awaitPromise: false });
      return JSON.parse(result?.value ?? "null");
    },
    picture: async () => (await send("browsingContext.captureScreenshot", { context })).data,
    close: async () => void child.kill(),
  };
}

/** The engine of Safari, over WebDriver. */
async function openWebkit(): Promise<Driver> {
  const child = spawn("WebKitWebDriver", [`--port=${PORT + 1}`], { stdio: "ignore" });
  async function send(method: string, path: string, sent?: object): Promise<Json> {
    const body = sent ? JSON.stringify(sent) : null;
    const answer = await fetch(`http://127.0.0.1:${PORT + 1}/session${path}`, { method, body });
    const { value } = (await answer.json()) as Json;
    if (value?.error) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  }
  const options = { "webkitgtk:browserOptions": { binary: MINI_BROWSER, args: ["--automation"] } };
  const wanted = { capabilities: { alwaysMatch: options } };
  const { sessionId: id } = await ready(() => send("POST", "", wanted));
  await send("POST", `/${id}/window/rect`, { width: 1440, height: 938 });
  return {
    open: (url) => send("POST", `/${id}/url`, { url }),
    run: (code) => send("POST", `/${id}/execute/sync`, { script: `return ${code}`, args: [] }),
    picture: () => send("GET", `/${id}/screenshot`),
    close: () => send("DELETE", `/${id}`).then(() => void child.kill()),
  };
}

/** The browsers that are installed. */
export const DRIVERS = [
  { name: "firefox", open: openFirefox, path: FIREFOX },
  { name: "webkit", open: openWebkit, path: MINI_BROWSER },
].filter(({ path }) => existsSync(path));
