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

it("writes what QuPath exported unchanged, with its ids and locks", () => {
  // As QuPath 0.5 exports annotations.
  const text = `{"type":"FeatureCollection","features":[
    {"type":"Feature","id":"2c4f7f5e-92c1-4a52-9f7c-1d1f7d0a8a11",
     "geometry":{"type":"Polygon","coordinates":[
       [[120,80],[620.5,80],[620.5,512.25],[120,512.25],[120,80]],
       [[200,200],[260,200],[260,260],[200,260],[200,200]]]},
     "properties":{"objectType":"annotation","name":"Core A-1","color":[200,0,0],
       "classification":{"name":"Tumor","color":[200,0,0]},"isLocked":true}},
    {"type":"Feature","id":"7a0e1c1b-55a9-4a2c-8a60-0d6d5f2f8f4b",
     "geometry":{"type":"MultiPolygon","coordinates":[
       [[[700,700],[780,700],[780,780],[700,780],[700,700]]],
       [[[800,800],[900,800],[900,900],[800,900],[800,800]],
        [[840,840],[860,840],[860,860],[840,860],[840,840]]]]},
     "properties":{"objectType":"annotation","name":"Invasive front","color":[10,250,7],
       "classification":{"names":["Tumor","Positive"],"color":[10,250,7]},"isLocked":false}},
    {"type":"Feature","id":"f0b0f2e2-06a7-4b0f-8a5c-c7c9d7a5b001",
     "geometry":{"type":"Polygon","coordinates":[[[5,5],[50,5],[50,50],[5,5]]]},
     "properties":{"objectType":"annotation","name":"Fold"}}]}`;
  const written = regionsGeoJson(read(text));
  expect(JSON.parse(written)).toEqual(JSON.parse(text));
  expect(regionsGeoJson(read(written))).toBe(written);
});

it("keeps who drew a region, and no address that a file has", () => {
  const at = "2026-01-02T03:04:05.000Z";
  const region = (author: string): DrawnRegion => ({
    ...{ name: "A", kind: null, color: null, polygons: [[square(0, 0, 2)]] },
    signed: { author, at },
  });
  const signed = (author: string) => read(regionsGeoJson([region(author)]))[0]!.signed;
  expect(signed("member 2")).toEqual({ author: "member 2", at });
  expect(signed("ada@example.org")).toEqual({ author: null, at });
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
