import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** No sandbox (tests run as root in containers), and no background network requests. */
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
  // Drawing in software takes seconds on a busy machine, which the watchdog would take for a hang.
  "--disable-gpu-watchdog",
  // Pages are painted and put together by the processor, in less than half the time; WebGL still draws the view.
  "--disable-gpu-rasterization",
  "--disable-gpu-compositing",
];
const WITHOUT_WEBGL = ["--disable-gpu"];

/** The Chromium from npm: pinned, and lighter than an installed one, which is the fallback where it does not run. */
export async function executable(): Promise<string> {
  const named = process.env["STIPPLE_CHROMIUM"];
  if (named) return named;
  const installed = INSTALLED.find((path) => existsSync(path));
  const runsPacked = process.platform === "linux" && process.arch === "x64";
  if (installed && !runsPacked) return installed;
  // The packaged Chromium unpacks its shared libraries only if it detects this platform.
  process.env["AWS_EXECUTION_ENV"] ??= "AWS_Lambda_nodejs22.x";
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

/** Use WebGL only for the interactive view: in software it makes every other page several times slower. */
export async function openBrowser({ webgl = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await executable(),
    args: [...FLAGS, ...(webgl ? WITH_WEBGL : WITHOUT_WEBGL)],
  });
}
