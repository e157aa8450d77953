import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** No sandbox (tests run as root in containers), nothing that asks the network. */
const FLAGS = [
  "--headless=shell",
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** WebGL2 in software. */
const WITH_WEBGL = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];
const WITHOUT_WEBGL = ["--disable-gpu"];

/** The Chromium that came with npm: pinned, and lighter than a machine's own, which serves where it does not run. */
export async function executable(): Promise<string> {
  const named = process.env["STIPPLE_CHROMIUM"];
  if (named) return named;
  const installed = INSTALLED.find((path) => existsSync(path));
  const runsPacked = process.platform === "linux" && process.arch === "x64";
  if (installed && !runsPacked) return installed;
  // The packed Chromium brings its shared libraries only where it believes to run on that platform.
  process.env["AWS_EXECUTION_ENV"] ??= "AWS_Lambda_nodejs22.x";
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

/** WebGL is for the interactive view only: in software it makes every other page several times as slow. */
export async function openBrowser({ webgl = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await executable(),
    args: [...FLAGS, ...(webgl ? WITH_WEBGL : WITHOUT_WEBGL)],
  });
}
