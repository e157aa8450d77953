import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { FPS, SIZE, type Film, type Frame } from "./film.ts";

const MEDIABUNNY = createRequire(import.meta.url)
  .resolve("mediabunny")
  .replace(/[^/\\]+$/, "mediabunny.min.cjs");
/** Bits per second that the encoder aims at; still pictures need far less. */
const BITRATE = 520_000;

/** Encodes a film as WebM (VP9) with the browser's own encoder; also gives one frame as a PNG for the poster. */
export async function encode(
  browser: Browser,
  securePage: string,
  film: Film,
  posterAt: number,
): Promise<{ webm: Buffer; poster: Buffer }> {
  // The encoder is put into the page from outside, which the page's own policy rightly forbids.
  const context = await browser.newContext({ bypassCSP: true });
  context.setDefaultTimeout(0);
  try {
    const page = await context.newPage();
    await page.goto(securePage);
    await page.addScriptTag({ path: MEDIABUNNY });
    await page.addScriptTag({ path: join(import.meta.dirname, "encoder-page.js") });
    const call = (name: string, argument?: unknown): Promise<string> =>
      page.evaluate(`globalThis.${name}(${JSON.stringify(argument) ?? ""})`);
    await call("startFilm", { ...SIZE, fps: FPS, quality: BITRATE });
    let poster = "";
    for (const group of byPicture(film.frames)) {
      const { picture } = group[0]!;
      const data = film.pictures[picture]!.toString("base64");
      await call("showPicture", `data:image/jpeg;base64,${data}`);
      await call("addFrames", group);
      const first = film.frames.indexOf(group[0]!);
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

/** Neighbouring frames that show the same picture. */
function byPicture(frames: readonly Frame[]): Frame[][] {
  const groups: Frame[][] = [];
  for (const frame of frames) {
    const last = groups.at(-1);
    if (last?.[0]?.picture === frame.picture) last.push(frame);
    else groups.push([frame]);
  }
  return groups;
}
