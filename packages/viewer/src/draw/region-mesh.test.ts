import { expect, it } from "vitest";
import { shapeArea, type Shape } from "../geometry/shape.ts";
import { regionColors, regionMesh } from "./region-mesh.ts";

const square = (x: number, y: number, side: number) =>
  Float64Array.of(x, y, x + side, y, x + side, y + side, x, y + side);
const region = (color: string, shape: Shape) => ({ shape, color, excluded: false });

/** Area of the triangles that fill a mesh. */
function filledArea({ areas, places }: { areas: Uint32Array; places: Float32Array }): number {
  let twice = 0;
  const at = (k: number) => [places[2 * areas[k]!]!, places[2 * areas[k]! + 1]!] as const;
  for (let k = 0; k < areas.length; k += 3) {
    const [[ax, ay], [bx, by], [cx, cy]] = [at(k), at(k + 1), at(k + 2)];
    twice += Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
  }
  return twice / 2;
}

it("fills every region but its holes, each in its color", () => {
  const holed: Shape = [[square(0, 0, 10), square(2, 2, 3), square(6, 6, 2)], [square(20, 0, 4)]];
  const notched: Shape = [[Float64Array.of(0, 20, 9, 20, 9, 29, 4, 24, 0, 29)]];
  const regions = [region("#ff0000", holed), region("#0000ff", notched)];
  const mesh = regionMesh(regions);
  expect(filledArea(mesh)).toBeCloseTo(shapeArea(holed) + shapeArea(notched), 6);
  const colors = regionColors(regions);
  expect(colors).toHaveLength((4 * mesh.places.length) / 2);
  const corners = 4 * 4;
  expect([...colors.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
  expect([...colors.subarray(4 * (2 * corners - 1), 4 * (2 * corners + 1))]).toEqual([
    ...[255, 0, 0, 255],
    ...[0, 0, 255, 255],
  ]);
  // Beside another region, in another order.
  const again = regionMesh([regions[1]!, region("#00ff00", [[square(50, 50, 2)]]), regions[0]!]);
  expect(filledArea(again)).toBeCloseTo(filledArea(mesh) + 4, 6);
});
