import { expect, it } from "vitest";
import type { DrawnRegion } from "./drawn-region.ts";
import { drawnRegions } from "./drawn-regions.ts";
import { regionsGeoJson } from "./write-regions.ts";

const square = (x: number, y: number, side: number): Float64Array =>
  Float64Array.of(x, y, x + side, y, x + side, y + side, x, y + side);
const refuse = (what: string): never => {
  throw new Error(what);
};
const read = (text: string): DrawnRegion[] =>
  drawnRegions(text, { width: 1000, height: 1000 }, refuse);

it("regions are read back as they were written: names, classes, colors, holes, several polygons", () => {
  const regions: DrawnRegion[] = [
    {
      name: "Gland",
      kind: "Tumor: Positive",
      color: "#c80000",
      polygons: [[square(0, 0, 100), square(40.25, 40, 20)], [square(300, 0, 10)]],
    },
    { name: "Fold", kind: null, color: null, polygons: [[square(500, 500, 5)]] },
    { name: "Stroma", kind: null, color: "#00ff7f", polygons: [[square(700, 500, 5)]] },
  ];
  expect(read(regionsGeoJson(regions))).toEqual(regions);
});

it("are annotations to QuPath, with closed rings", () => {
  const region = { name: "A", kind: "Tumor", color: "#0102ff", polygons: [[square(0, 0, 2)]] };
  expect(JSON.parse(regionsGeoJson([region]))).toEqual({
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [0, 0],
              [2, 0],
              [2, 2],
              [0, 2],
              [0, 0],
            ],
          ],
        },
        properties: {
          objectType: "annotation",
          name: "A",
          color: [1, 2, 255],
          classification: { name: "Tumor", color: [1, 2, 255] },
        },
      },
    ],
  });
});

it("reads nested classes, which QuPath also writes as a list", () => {
  const classification = { names: ["Tumor", "Positive"], color: [1, 2, 3] };
  const ring = [
    [0, 0],
    [9, 0],
    [9, 9],
    [0, 0],
  ];
  const feature = {
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: { objectType: "annotation", classification },
  };
  expect(read(JSON.stringify(feature))).toMatchObject([
    { name: "Tumor: Positive", kind: "Tumor: Positive", color: "#010203" },
  ]);
});
