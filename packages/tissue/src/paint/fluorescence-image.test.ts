import { describe, expect, it } from "vitest";
import { mapTissue } from "../anatomy/tissue-map.ts";
import { placeCells } from "../anatomy/place-cells.ts";
import { HUMAN_BREAST_TUMOR } from "../catalog/human-breast-tumor.ts";
import { tissueOptions } from "../options.ts";
import { paintFluorescence } from "./fluorescence-image.ts";

describe("tissue under immunofluorescence", () => {
  const options = tissueOptions({ sizeUm: 400, umPerPx: 0.8, seed: 2, staining: "if" });
  const map = mapTissue(HUMAN_BREAST_TUMOR, options);
  const cells = placeCells(HUMAN_BREAST_TUMOR, map, options);
  const { channels, width, height } = paintFluorescence(HUMAN_BREAST_TUMOR, map, cells, options);

  it("has DAPI and the antibodies as 16-bit channels", () => {
    expect(channels?.names).toEqual(["DAPI", "PanCK", "CD45"]);
    expect(channels?.values).toHaveLength(3 * width * height);
  });

  it("shows DAPI at every nucleus and each antibody at the cells that carry it", () => {
    const size = width * height;
    const at = (channel: number, x: number, y: number): number => {
      const column = Math.round(x / options.umPerPx);
      const row = Math.round(y / options.umPerPx);
      return channels!.values[channel * size + row * width + column];
    };
    const meanOf = (channel: number): number =>
      channels!.values.subarray(channel * size, (channel + 1) * size).reduce((a, b) => a + b, 0) /
      size;
    let dapi = 0;
    const rim = { epithelial: [] as number[], lymphoid: [] as number[] };
    for (let cell = 0; cell < cells.count; cell++) {
      dapi += at(0, cells.x[cell], cells.y[cell]) / cells.count;
      const name = HUMAN_BREAST_TUMOR.kinds[cells.kind[cell]].name;
      const beside = at(1, cells.x[cell] + cells.major[cell] + 2.5, cells.y[cell]);
      if (name === "Tumor epithelial") rim.epithelial.push(beside);
      if (name === "T cell") rim.lymphoid.push(beside);
    }
    expect(dapi).toBeGreaterThan(3 * meanOf(0));
    const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    expect(mean(rim.epithelial)).toBeGreaterThan(1.5 * mean(rim.lymphoid));
  });
});
