import { expect, it } from "vitest";
import { typingResult } from "./assign-types.ts";

it("numbers types by frequency, with Unknown last and without a confidence", () => {
  const result = typingResult(
    {
      type: Int32Array.of(0, 1, 1, -1),
      confidence: Float32Array.of(0.5, 0.75, 1, 0.25),
      margin: Float32Array.of(0.25, 0.5, 1, 0),
      names: ["B cell", "T cell", "Neuron"],
    },
    { method: "markers", species: "human", tissue: "breast", markersFound: {} } as never,
  );
  expect(result.names).toEqual(["T cell", "B cell", "Unknown"]);
  expect([...result.cellType]).toEqual([1, 0, 0, 2]);
  expect([...result.confidence]).toEqual([0.5, 0.75, 1, NaN]);
  expect(result.report.unknownFraction).toBe(0.25);
});
