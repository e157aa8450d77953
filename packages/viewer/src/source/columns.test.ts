import { expect, it } from "vitest";
import { decodeColumn } from "./columns.ts";

it("rejects a column of the wrong length", () => {
  const bytes = Float32Array.from([1, 2]).buffer;
  expect([...decodeColumn(bytes, { file: "a", dtype: "float32", length: 2 })]).toEqual([1, 2]);
  expect(() => decodeColumn(bytes, { file: "a.bin", dtype: "uint8", length: 9 })).toThrow(
    "The file a.bin has 8 values instead of 9.",
  );
});
