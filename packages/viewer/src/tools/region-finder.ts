import type { CellSet } from "../cells/cell-set.ts";
import type { Shape } from "../geometry/shape.ts";
import type { RegionAnswer, RegionQuestion, RegionRequest } from "./region.worker.ts";

const finders = new WeakMap<Float32Array, ReturnType<typeof newFinder>>();

/**
 * Says where cells lie relative to regions, off the main thread, in a worker that holds a copy of `positions` (x, y of
 * every cell); one for the life of the page. Everything is in their units; answers reject if the worker fails.
 */
export function regionFinder(positions: Float32Array) {
  const finder = finders.get(positions) ?? newFinder(positions);
  finders.set(positions, finder);
  return finder;
}

function newFinder(positions: Float32Array) {
  const worker = new Worker(new URL("./region.worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<
    number,
    { done: (found: RegionAnswer["found"]) => void; fail: (why: Error) => void }
  >();
  let asked = 0;
  const send = (request: RegionRequest, transfer: Transferable[]) =>
    worker.postMessage(request, transfer);
  worker.addEventListener("message", ({ data }: MessageEvent<RegionAnswer>) => {
    waiting.get(data.id)?.done(data.found);
    waiting.delete(data.id);
  });
  worker.addEventListener("error", () => {
    for (const { fail } of waiting.values()) fail(new Error("The selection worker failed."));
    waiting.clear();
  });
  const copy = positions.slice();
  send({ positions: copy }, [copy.buffer]);
  const ask = <Found extends RegionAnswer["found"]>(question: RegionQuestion) =>
    new Promise<Found>((done, fail) => {
      const id = asked++;
      waiting.set(id, { done: (found) => done(found as Found), fail });
      send({ id, question }, []);
    });
  return {
    /** The cells in a drawn ring: x, y of its vertices. */
    find: (ring: Float64Array) => ask<CellSet>({ ring }),
    /** The cells in any polygon of a shape, but not in its holes. */
    inside: (shape: Shape) => ask<CellSet>({ inside: shape }),
    /** Distance of every cell from the nearest border, negative inside. */
    fromBorder: (shape: Shape) => ask<Float32Array>({ fromBorder: shape }),
    /** Distance of every cell from the nearest of some cells: 0 for these themselves, Infinity if there are none. */
    fromNearest: (cells: CellSet) => ask<Float32Array>({ fromNearest: cells }),
  };
}
