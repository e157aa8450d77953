/** Which pixels to wait for; see synthetic-cells.ts and synthetic-image.ts for why colors distinguish them. */
export type Sight = "tissue" | "cells";

/** A point on the page, CSS px. */
export type Point = readonly [x: number, y: number];

/** Installed into a page by {@link installProbe} as `window.viewProbe`. Times are by the page's clock, ms. */
export interface Probe {
  /** Time of the first frame that shows `sight` at more than half of the points. Rejects after two minutes. */
  untilSeen(sight: Sight, points: readonly Point[]): Promise<number>;
  /**
   * Ms from the next event of this type to the last frame that changed the colors of more than a sixth of the points
   * (two genes may be equally rare in the same cells), once they have been stable for two seconds. The gray of cells
   * without a value does not count. Rejects after two minutes.
   */
  untilRecolored(event: "click" | "keydown", points: readonly Point[]): Promise<number>;
  /** Time of the last event of a type. */
  eventAt(type: string): number;
  /** Start and stop recording frame intervals in ms; returns the whole duration if fewer than two frames were drawn. */
  startFrames(): void;
  stopFrames(): number[];
  /** Time of the next frame after which an element's text differs from `before`. */
  untilTextChanges(selector: string, before: string): Promise<number>;
  renderer(): string;
}

/**
 * Runs in the page before its own scripts: inspects what WebGL has drawn right after each animation frame, while the
 * image is still in the canvas. The page needs no changes. Reading a pixel waits until it is drawn.
 */
export function installProbe(): void {
  const asked = new Set<() => void>();
  const lastEvent = new Map<string, number>();
  let remembered: number[][] = [];
  let draws = 0;
  let intervals: number[] = [];
  let startedAt = 0;
  let recording = false;
  let lastFrame = 0;

  for (const type of ["pointerdown", "pointermove", "keydown", "click"]) {
    addEventListener(type, (event) => lastEvent.set(type, event.timeStamp), true);
  }
  const prototype = WebGL2RenderingContext.prototype;
  for (const name of [
    "drawArrays",
    "drawElements",
    "drawArraysInstanced",
    "drawElementsInstanced",
  ] as const) {
    const original = prototype[name] as (...parameters: number[]) => void;
    prototype[name] = function (this: WebGL2RenderingContext, ...parameters: number[]) {
      draws++;
      original.apply(this, parameters);
    };
  }
  const nextFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    nextFrame((time) => {
      const before = draws;
      callback(time);
      if (draws > before) {
        if (recording) {
          // Draws by several loops in one frame count once.
          if (time > lastFrame && lastFrame > 0) intervals.push(time - lastFrame);
          lastFrame = time;
        }
        for (const ask of [...asked]) ask();
      }
    });

  function canvas(): HTMLCanvasElement | undefined {
    return [...document.querySelectorAll("canvas")].sort(
      (a, b) => b.width * b.height - a.width * a.height,
    )[0];
  }
  function colors(points: readonly Point[]): number[][] {
    const element = canvas();
    const gl = element?.getContext("webgl2");
    if (!element || !gl) return [];
    const box = element.getBoundingClientRect();
    const { width, height } = element;
    // Read all points in one call: each call waits for the GPU process, which affects timings on a busy machine.
    const bytes = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    return points.map(([x, y]) => {
      const column = Math.round(((x - box.left) / box.width) * width);
      const row = Math.round((1 - (y - box.top) / box.height) * height);
      const at = 4 * (row * width + column);
      return [...bytes.subarray(at, at + 4)];
    });
  }
  function sees(sight: Sight, [r = 0, g = 0, b = 0, a = 0]: number[]): boolean {
    if (a < 128) return false;
    return sight === "tissue" ? r > g + 12 && r > b : Math.max(g, b) > r + 8;
  }
  function isRecolored([r = 0, g = 0, b = 0]: number[], [r0 = 0, g0 = 0, b0 = 0]: number[]) {
    const isGray = Math.max(r, g, b) - Math.min(r, g, b) < 20;
    return !isGray && Math.abs(r - r0) + Math.abs(g - g0) + Math.abs(b - b0) > 12;
  }
  function afterDrawing<T>(what: string, look: (done: (value: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const ask = (): void => look(done);
      const late = setTimeout(() => {
        asked.delete(ask);
        reject(new Error(`No frame showed ${what}.`));
      }, 120_000);
      const done = (value: T): void => {
        clearTimeout(late);
        asked.delete(ask);
        resolve(value);
      };
      asked.add(ask);
    });
  }
  const probe: Probe = {
    untilSeen: (sight, points) =>
      afterDrawing(sight, (done) => {
        const now = colors(points);
        if (2 * now.filter((color) => sees(sight, color)).length <= points.length) return;
        remembered = now;
        done(performance.now());
      }),
    untilRecolored(event, points) {
      const before = lastEvent.get(event);
      let quiet: ReturnType<typeof setTimeout> | undefined;
      return afterDrawing("other colors", (done) => {
        const last = remembered;
        remembered = colors(points);
        const since = lastEvent.get(event);
        const changed = remembered.filter((color, at) => isRecolored(color, last[at] ?? []));
        if (since === undefined || since === before || 6 * changed.length <= points.length) return;
        const took = performance.now() - since;
        clearTimeout(quiet);
        quiet = setTimeout(() => done(took), 2000);
      });
    },
    eventAt: (type) => lastEvent.get(type) ?? NaN,
    startFrames() {
      intervals = [];
      startedAt = performance.now();
      lastFrame = 0;
      recording = true;
    },
    stopFrames() {
      recording = false;
      return intervals.length > 0 ? intervals : [performance.now() - startedAt];
    },
    untilTextChanges: (selector, before) =>
      new Promise((resolve) => {
        const look = (): void => {
          if ((document.querySelector(selector)?.textContent ?? "") === before) nextFrame(look);
          else resolve(performance.now());
        };
        nextFrame(look);
      }),
    renderer() {
      const gl = document.createElement("canvas").getContext("webgl2");
      const info = gl?.getExtension("WEBGL_debug_renderer_info");
      return gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "none";
    },
  };
  Object.assign(window, { viewProbe: probe });
}
