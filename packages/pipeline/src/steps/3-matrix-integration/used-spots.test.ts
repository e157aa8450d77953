import { expect, it } from "vitest";
import { runInMemory, type Fields } from "../../store/in-memory.ts";
import { step } from "./step.ts";

/** Three cells under three spots: the image does not show the second, and the third has no counts. */
function sample(spotShape: "disc" | "square"): Fields {
  const places = [100, 300, 500].flatMap((x) => [x, 100]);
  const squares = [100, 300, 500].flatMap((x) => [x, 90, x + 10, 90, x + 10, 110, x, 110]);
  const polygons = { offsets: Uint32Array.of(0, 4, 8, 12), xy: Float32Array.from(squares) };
  return {
    "sample/segmentation": { method: "network" },
    "sample/scale": { micronsPerPixel: 0.5, spotSizeUm: 55, pitchUm: 100, spotShape },
    "spots/barcode": ["a", "b", "c"],
    "spots/xy": { nRows: 3, nCols: 2, data: Float64Array.from(places) },
    "spots/seen": Uint8Array.of(1, 0, 1),
    "spots/total_counts": Float64Array.of(1000, 1000, 0),
    "cells/xy": { nRows: 3, nCols: 2, data: Float32Array.from(places) },
    "cells/polygon": polygons,
  } as Fields;
}

it("links no cell to a spot that the image does not show, or that failed", async () => {
  const { fields, log } = await runInMemory(step, sample("disc"));
  const { nRows, indptr } = fields["spots/cells"]!;
  expect([nRows, indptr[1], indptr[2], indptr[3]]).toEqual([3, 3, 3, 3]);
  expect([...fields["cells/observed"]!]).toEqual([1, 0, 0]);
  // Cells are still reported under the spot that they lie in.
  expect([...fields["cells/spot"]!]).toEqual([0, 1, 2]);
  expect(log[0]).toMatch(/^1 of 3 cells \(33%\) overlap a spot/);
});

it("takes spots without any outline of another program for such with other cells", async () => {
  const outlined = (from: number, to: number): object => ({
    ...sample("disc"),
    "sample/segmentation": { method: "given" },
    "spots/seen": Uint8Array.of(1, 1, 1),
    "spots/total_counts": Float64Array.of(1000, 1000, 1000),
    "cells/xy": { nRows: 1, nCols: 2, data: Float32Array.of((from + to) / 2, 100) },
    "cells/polygon": {
      offsets: Uint32Array.of(0, 4),
      xy: Float32Array.of(from, 90, to, 90, to, 110, from, 110),
    },
  });
  const { fields, log } = await runInMemory(step, outlined(100, 110));
  expect([...fields["spots/cells"]!.indptr]).toEqual([0, 1, 1, 1]);
  expect(log[0]).toBe("2 spots without an outline in them tell nothing about the outlined cells.");
  // If none is touched, all spots tell what they can.
  const between = await runInMemory(step, outlined(190, 210));
  expect([...between.fields["spots/cells"]!.indptr]).toEqual([0, 1, 2, 3]);
});

it("takes bins without counts as they are", async () => {
  const { fields } = await runInMemory(step, sample("square"));
  expect([...fields["cells/observed"]!]).toEqual([1, 0, 1]);
});
