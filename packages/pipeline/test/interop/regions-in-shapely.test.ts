import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "@stipple/numerics/random";
import { afterAll, expect, it } from "vitest";
import { measureRegions } from "../../src/regions/measure-regions.ts";
import { readRegions } from "../../src/regions/read-regions.ts";
import { pythonHas } from "./simulated-exports.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-shapely-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A ragged ring around a center, first point repeated. */
function blob(x: number, y: number, radius: number, points: number): number[][] {
  return Array.from({ length: points + 1 }, (_, i) => {
    const angle = (2 * Math.PI * (i % points)) / points;
    const r = radius * (1 + 0.3 * Math.sin(5 * angle) + 0.05 * Math.sin(97 * angle));
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
}

it.runIf(pythonHas("geopandas"))(
  "membership is that of geopandas, and distances from borders are those of shapely",
  async () => {
    const feature = (geometry: object, name: string): object => ({
      ...{ type: "Feature", geometry, properties: { name } },
    });
    const features = [
      feature(
        {
          type: "Polygon",
          coordinates: [blob(500, 500, 300, 4000), blob(520, 480, 80, 700)],
        },
        "Tumor",
      ),
      feature(
        {
          type: "MultiPolygon",
          coordinates: [[blob(200, 850, 60, 300)], [blob(850, 150, 70, 900)]],
        },
        "Follicles",
      ),
      // Partly in the first one.
      feature({ type: "Polygon", coordinates: [blob(300, 600, 120, 500)] }, "Front"),
    ];
    const random = new Random(5);
    const nRows = 20_000;
    const data = Float64Array.from({ length: 2 * nRows }, () => 1000 * random.uniform());
    const [regions, points] = [join(folder, "regions.geojson"), join(folder, "points.csv")];
    writeFileSync(regions, JSON.stringify({ type: "FeatureCollection", features }));
    writeFileSync(
      points,
      Array.from({ length: nRows }, (_, i) => `${data[2 * i]},${data[2 * i + 1]}\n`).join(""),
    );
    const umPerPx = 0.4;
    const { distanceUm, regionOf } = measureRegions(
      await readRegions(regions, { width: 1000, height: 1000 }),
      { nRows, nCols: 2, data },
      umPerPx,
    );
    const script = join(import.meta.dirname, "check_regions.py");
    const check = spawnSync("python3", [script, regions, points, String(umPerPx)], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    expect(check.status, check.stderr).toBe(0);
    const { distances, region_of: theirRegions } = JSON.parse(check.stdout) as {
      distances: number[][];
      region_of: number[];
    };
    expect([...regionOf]).toEqual(theirRegions);
    for (const [r, theirs] of distances.entries()) {
      const off = theirs.map((um, cell) =>
        Math.abs(um - distanceUm.data[features.length * cell + r]),
      );
      expect(Math.max(...off)).toBeLessThan(1e-4);
      expect(theirs.filter((um) => um < 0).length).toBeGreaterThan(100);
    }
  },
);
