import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { FPS, SIZE, type Film, type Frame } from "./film.ts";

const MEDIABUNNY = createRequire(import.meta.url)
  .resolve("mediabunny")
  .replace(/[^/\\]+$/, "mediabunny.min.cjs");
/** Initial bits per second; the encoder uses more where pictures change, so the first attempt may be too large. */
const FIRST_BITRATE = 230_000;

export interface Encoded {
  webm: Buffer;
  /** One frame as a PNG. */
  poster: Buffer;
}

/** Encodes a film as WebM (VP9) of at most `maxBytes`, lowering the bit rate until it fits. */
export async function encodeWithin(
  maxBytes: number,
  browser: Browser,
  securePage: string,
  film: Film,
  posterAt: number,
): Promise<Encoded> {
  let bitrate = FIRST_BITRATE;
  for (;;) {
    const encoded = await encode(browser, securePage, film, posterAt, bitrate);
    const { length } = encoded.webm;
    console.log(`${(length / 1e6).toFixed(2)} MB at ${bitrate} bits per second`);
    if (length <= maxBytes) return encoded;
    bitrate = Math.round(bitrate * Math.min(0.8, (0.9 * maxBytes) / length));
  }
}

async function encode(
  browser: Browser,
  securePage: string,
  film: Film,
  posterAt: number,
  bitrate: number,
): Promise<Encoded> {
  // The encoder is injected into the page, which the page's CSP rightly forbids.
  const context = await browser.newContext({ bypassCSP: true });
  context.setDefaultTimeout(0);
  try {
    const page = await context.newPage();
    await page.goto(securePage);
    await page.addScriptTag({ path: MEDIABUNNY });
    await page.addScriptTag({ path: join(import.meta.dirname, "encoder-page.js") });
    const call = (name: string, argument?: unknown): Promise<string> =>
      page.evaluate(`globalThis.${name}(${JSON.stringify(argument) ?? ""})`);
    await call("startFilm", { ...SIZE, fps: FPS, bitrate });
    let poster = "";
    for (const group of byPicture(film.frames)) {
      const { picture } = group[0];
      const data = film.pictures[picture].toString("base64");
      await call("showPicture", `data:image/jpeg;base64,${data}`);
      await call("addFrames", group);
      const first = film.frames.indexOf(group[0]);
      if (poster === "" && (first + group.length) / FPS > posterAt) {
        poster = await call("stillOf", { ...group.at(-1), cursorSeen: false, fade: 1 });
      }
    }
    const webm = await call("endFilm");
    return { webm: Buffer.from(webm, "base64"), poster: Buffer.from(poster, "base64") };
  } finally {
    await context.close();
  }
}

/** Groups consecutive frames that show the same picture. */
function byPicture(frames: readonly Frame[]): Frame[][] {
  const groups: Frame[][] = [];
  for (const frame of frames) {
    const last = groups.at(-1);
    if (last?.[0]?.picture === frame.picture) last.push(frame);
    else groups.push([frame]);
  }
  return groups;
}
