import { QueryClient } from "@tanstack/react-query";
import { valueRange } from "@stipple/viewer/cells";
import { expect, it } from "vitest";
import type { OpenViewer } from "../state/viewer-context.tsx";
import { measureQuery, scoreQuery } from "./use-values.ts";

const group = (name: string) => ({ name, color: "#000000", count: 1 });
const computed = {
  manifest: { types: [group("T cell"), group("Unknown")] },
  cells: { type: Uint16Array.of(0, 1, 0, 1), observed: Uint8Array.of(1, 0, 1, 0) },
};
const viewer = {
  projectId: "one",
  server: { score: () => Promise.resolve(Float32Array.of(-1, -0.5, 1, -0.5)) },
  source: { column: () => Promise.resolve(Float32Array.of(0.5, 0.1, 0.75, 0.2)) },
  ...computed,
  computed,
} as unknown as OpenViewer;
const client = new QueryClient();

it("gives cells outside the spots no score of counts, so that they have no part in its color range", async () => {
  const counts = await client.fetchQuery(scoreQuery(viewer, ["CD3E"], "counts"));
  expect([...counts]).toEqual([-1, NaN, 1, NaN]);
  expect(valueRange(counts, [0.5, 1], false)).toMatchObject({ low: -1, high: 1 });
  const rates = await client.fetchQuery(scoreQuery(viewer, ["CD3E"], "rate"));
  expect([...rates]).toEqual([-1, -0.5, 1, -0.5]);
});

it("has the confidence in the types of the analysis, whatever people call the cells", async () => {
  const annotated = {
    ...viewer,
    manifest: { types: [group("T cell"), group("Unknown"), group("B cell")] },
    cells: { ...viewer.cells, type: Uint16Array.of(1, 1, 0, 2) },
  } as unknown as OpenViewer;
  const found = await client.fetchQuery(measureQuery(annotated, "cells.confidence"));
  expect([...found].map(Number.isNaN)).toEqual([false, true, false, true]);
});
