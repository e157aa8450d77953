import { expect, it } from "vitest";
import { plainColumns } from "./column-names.ts";

it("names columns so that their folders can be made, and none twice", () => {
  const long = "腺".repeat(300);
  const columns = plainColumns(
    [long, `${long}!`, "a b", "a-b", "A b"],
    (plain) => `distance_to_${plain}_um`,
  );
  expect(new Set(columns).size).toBe(5);
  expect(columns.slice(2)).toEqual([
    "distance_to_a_b_um",
    "distance_to_a_b_2_um",
    "distance_to_A_b_3_um",
  ]);
  for (const column of columns) expect(Buffer.byteLength(column)).toBeLessThanOrEqual(255);
});
