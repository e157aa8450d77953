import { expect, it } from "vitest";
import { outliers, qualityFrom } from "./quality.ts";

it("says how much of the tissue the image shows clearly, if that was judged", () => {
  const clear = (figures: object): number | null =>
    qualityFrom(
      { verdict: { grade: "good", figures } },
      { sample: { quality: { medianCountsPerSpot: 1, medianGenesPerSpot: 1 } }, settings: {} },
    ).clearImage;
  expect(clear({ tissueBlurred: 0.25, tissueObscured: 0.25 })).toBe(0.5);
  expect(clear({ tissueBlurred: null, tissueObscured: null })).toBeNull();
  expect(clear({})).toBeNull();
});

it("names samples that stand out from others of their platform", () => {
  const sample = (name: string, umis: number, capture = "visium") => ({
    name,
    quality: { capture, medianUmisPerSpot: umis, medianGenesPerSpot: 1000, cells: 5000 },
  });
  const alike = [9000, 10_000, 11_000, 12_000].map((umis, i) => sample(`S${i}`, umis));
  expect(outliers(alike)).toEqual([]);
  expect(outliers([...alike, sample("S9", 900)])).toEqual([
    "S9 has 900 UMIs per spot, far fewer than the others (median 10,000).",
  ]);
  expect(outliers([sample("S1", 1), sample("S2", 9000)])).toEqual([]);
  expect(outliers([...alike, sample("S9", 900, "hd_visium 8")])).toEqual([]);
});
