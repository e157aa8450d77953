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
  expect(read(regionsGeoJson(regions)).map(({ imported: _, ...region }) => region)).toEqual(
    regions,
  );
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

/** As QuPath 0.4 to 0.6 write annotations (`QuPathTypeAdapters` and `ROITypeAdapters` of their source). */
const FROM_QUPATH = `{"type":"FeatureCollection","features":[
  {"type":"Feature","id":"2c4f7f5e-92c1-4a52-9f7c-1d1f7d0a8a11",
   "geometry":{"type":"Polygon","coordinates":[
     [[120,80],[620.5,80],[620.5,512.25],[120,512.25],[120,80]],
     [[200,200],[260,200],[260,260],[200,260],[200,200]]]},
   "properties":{"objectType":"annotation","name":"Core A-1","color":[12,200,0],
     "classification":{"name":"Tumor","color":[200,0,0]},"isLocked":true,
     "measurements":{"Area µm^2":53812.25,"Num Detections":12.0},"metadata":{"Reader":"B"}}},
  {"type":"Feature","id":"7a0e1c1b-55a9-4a2c-8a60-0d6d5f2f8f4b",
   "geometry":{"type":"MultiPolygon","coordinates":[
     [[[700,700],[780,700],[780,780],[700,780],[700,700]]],
     [[[800,800],[900,800],[900,900],[800,900],[800,800]],
      [[840,840],[860,840],[860,860],[840,860],[840,840]]]]},
   "properties":{"objectType":"annotation",
     "classification":{"names":["Tumor","Positive"],"color":[10,250,7]}}},
  {"type":"Feature","id":"aa0e1c1b-55a9-4a2c-8a60-0d6d5f2f8f4c",
   "geometry":{"type":"Polygon","coordinates":[[[5,5],[50,5],[50,50],[5,50],[5,5]]],"isEllipse":true,
     "plane":{"c":-1,"z":0,"t":1}},
   "properties":{"objectType":"annotation",
     "classification":{"names":["Tumor","Positive"],"color":[10,250,7]}}},
  {"type":"Feature","id":"ab0e1c1b-55a9-4a2c-8a60-0d6d5f2f8f4d",
   "geometry":{"type":"Polygon","coordinates":[[[60,5],[90,5],[90,50],[60,5]]]},
   "properties":{"objectType":"annotation",
     "classification":{"names":["Tumor","Positive"],"color":[10,250,7]}}},
  {"type":"Feature","id":"f0b0f2e2-06a7-4b0f-8a5c-c7c9d7a5b001",
   "geometry":{"type":"Polygon","coordinates":[[[5,600],[50,600],[50,650],[5,600]]]},
   "properties":{"objectType":"annotation"}}]}`;

it("writes what QuPath exported unchanged: names, nested classes, ids, locks, measurements", () => {
  const found = read(FROM_QUPATH);
  expect(found.map(({ name, polygons }) => [name, polygons.length])).toEqual([
    ["Core A-1", 1],
    ["Tumor: Positive", 4],
    ["Region 5", 1],
  ]);
  const written = regionsGeoJson(found);
  expect(JSON.parse(written)).toEqual(JSON.parse(FROM_QUPATH));
  expect(regionsGeoJson(read(written))).toBe(written);
});

it("changes in QuPath's objects what was changed of their region", () => {
  const [core, positive, unnamed] = read(FROM_QUPATH);
  const written = JSON.parse(
    regionsGeoJson([
      { ...core!, name: "Core", kind: null },
      { ...positive!, color: "#0000ff" },
      { ...unnamed!, name: "Fold" },
    ]),
  ) as { features: { id: string; properties: object }[] };
  const given = (JSON.parse(FROM_QUPATH) as typeof written).features;
  expect(written.features.map(({ id }) => id)).toEqual(given.map(({ id }) => id));
  const { classification: _, ...rest } = given[0]!.properties as Record<string, unknown>;
  expect(written.features[0]!.properties).toEqual({ ...rest, name: "Core" });
  expect(written.features[3]!.properties).toEqual({
    objectType: "annotation",
    color: [0, 0, 255],
    classification: { names: ["Tumor", "Positive"], color: [0, 0, 255] },
  });
  expect(written.features[4]!.properties).toEqual({ objectType: "annotation", name: "Fold" });
});

it("reads objects that QuPath keeps in others", () => {
  const [outer, inner] = (JSON.parse(FROM_QUPATH) as { features: { properties: object }[] })
    .features;
  const nested = { ...outer, properties: { ...outer!.properties, childObjects: [inner] } };
  expect(JSON.parse(regionsGeoJson(read(JSON.stringify(nested))))).toEqual({
    type: "FeatureCollection",
    features: [outer, inner],
  });
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

const feature = (x: number, properties: object, more: object = {}): object => ({
  type: "Feature",
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [x, 0],
        [x + 9, 0],
        [x + 9, 9],
        [x, 0],
      ],
    ],
  },
  properties,
  ...more,
});

it("leaves out the cells of QuPath up to 0.3, which wrote what an object is as its id", () => {
  const classification = { name: "Tumor" };
  const objects = [
    feature(0, { classification }, { id: "PathAnnotationObject" }),
    feature(20, { classification }, { id: "PathCellObject" }),
    feature(40, { classification }, { id: "PathDetectionObject" }),
  ];
  expect(read(JSON.stringify(objects)).map(({ polygons }) => polygons.length)).toEqual([1]);
  expect(() => read(JSON.stringify(objects.slice(1)))).toThrow(
    "holds 2 detected objects and no drawn ones",
  );
});

it("takes numbers as names, as Python writes classes, and leaves out empty polygons", () => {
  const empty = { geometry: { type: "Polygon", coordinates: [] } };
  const objects = [0, 1, 0].map((label, i) => feature(20 * i, { label }));
  const found = read(JSON.stringify([...objects, feature(80, {}, empty)]));
  expect(found.map(({ name, kind, polygons }) => [name, kind, polygons.length])).toEqual([
    ["0", "0", 2],
    ["1", "1", 1],
  ]);
});

it.each([
  ["lists", "[", "]"],
  ["children", '{"type":"Feature","properties":{"childObjects":[', "]}}"],
  ["geometries", '{"type":"GeometryCollection","geometries":[', "]}"],
])("refuses %s in each other that no stack can hold", (_, start, end) => {
  expect(() => read(start.repeat(20_000) + end.repeat(20_000))).toThrow("is not GeoJSON");
});
