import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** WebGL2 in software, no sandbox (tests run as root in containers), nothing that asks the network. */
const FLAGS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The machine's own Chromium when there is one, else the one that came with npm. */
async function executable(): Promise<string> {
  const named = process.env["STIPPLE_CHROMIUM"];
  if (named) return named;
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed) return installed;
  // The packed Chromium brings its shared libraries only where it believes to run on that platform.
  process.env["AWS_EXECUTION_ENV"] ??= "AWS_Lambda_nodejs22.x";
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

/** `flat` leaves WebGL out, which draws pages without it several times as fast. */
export async function openBrowser({ flat = false } = {}): Promise<Browser> {
  const flags = flat ? FLAGS.filter((flag) => !/gl|gpu/.test(flag)) : FLAGS;
  return chromium.launch({
    executablePath: await executable(),
    args: [...flags, ...(flat ? ["--disable-gpu"] : []), "--headless=shell"],
  });
}
