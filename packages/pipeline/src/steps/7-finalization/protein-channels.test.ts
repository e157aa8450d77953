import type { SparseMatrix } from "@stipple/numerics/matrices";
import { expect, it } from "vitest";
import { proteinChannels, readProteinChannels } from "./protein-channels.ts";

const N_SPOTS = 12;
/** Rows of numbers, zeros included. */
function matrix(rows: readonly (readonly number[])[]): SparseMatrix {
  const nCols = rows[0].length;
  return {
    nRows: rows.length,
    nCols,
    indptr: Uint32Array.from({ length: rows.length + 1 }, (_, row) => row * nCols),
    indices: Uint32Array.from({ length: rows.length * nCols }, (_, at) => at % nCols),
    data: Float32Array.from(rows.flat()),
  };
}

/** Two proteins: spot k has k of the first and none of the second. */
const counts = matrix(Array.from({ length: N_SPOTS }, (_, spot) => [spot, 0]));
/** Each spot has two cells, of weights 3 and 1. */
const spotCells: SparseMatrix = {
  nRows: N_SPOTS,
  nCols: 2 * N_SPOTS,
  indptr: Uint32Array.from({ length: N_SPOTS + 1 }, (_, spot) => 2 * spot),
  indices: Uint32Array.from({ length: 2 * N_SPOTS }, (_, at) => at),
  data: Float32Array.from({ length: 2 * N_SPOTS }, (_, at) => (at % 2 === 0 ? 3 : 1)),
};
/** The normalized counts of a spot with n of one protein and none of another. */
const normalized = (n: number): number => Math.log1p(n / Math.sqrt(1 + n));

it("is 1 for a channel that follows the protein, −1 for its opposite, and no number where nothing varies", () => {
  // Weighted by 3 and 1, the cells' deviations cancel out.
  const follows = Float32Array.from({ length: 2 * N_SPOTS }, (_, cell) => {
    const value = normalized(cell >> 1);
    return cell % 2 === 0 ? value + 0.1 : value - 0.3;
  });
  const pairs = proteinChannels(["A", "B"], counts, spotCells, [
    { name: "same", ofCell: follows },
    { name: "opposite", ofCell: follows.map((value) => 1 - value) },
  ]);
  expect(pairs.map(({ protein, channel, spots }) => [protein, channel, spots])).toEqual([
    ["A", "same", N_SPOTS],
    ["A", "opposite", N_SPOTS],
    ["B", "same", N_SPOTS],
    ["B", "opposite", N_SPOTS],
  ]);
  expect(pairs[0].r).toBeCloseTo(1, 5);
  expect(pairs[1].r).toBeCloseTo(-1, 5);
  expect(pairs[2].r).toBeNaN();
});

it("reads the channels of a fluorescence image, over nucleus and ring", async () => {
  const nCells = 2 * N_SPOTS;
  const names = [
    "nucleus_fraction",
    "nucleus_channel_1_dapi_mean",
    "ring_channel_1_dapi_mean",
    "nucleus_hematoxylin_mean",
  ];
  // Half of a cell is its nucleus; the mean of both parts is the protein.
  const data = Float32Array.from({ length: nCells }, (_, cell) => normalized(cell >> 1))
    .reduce<number[]>((all, value) => [...all, 0.5, value + 1, value - 1, 0], [])
    .map(Math.fround);
  const fields: Record<string, unknown> = {
    "proteins/name": ["A"],
    "spots/protein_counts": counts,
    "spots/cells": spotCells,
    "cells/features": { nRows: nCells, nCols: 4, data: Float32Array.from(data) },
    "features/name": names,
  };
  const read = (key: string) => Promise.resolve(fields[key]);
  const pairs = await readProteinChannels({ read, readIfAny: read } as never);
  expect(pairs).toHaveLength(1);
  expect(pairs[0]).toMatchObject({ protein: "A", channel: "channel_1_dapi", spots: N_SPOTS });
  expect(pairs[0].r).toBeCloseTo(1, 5);
  delete fields["proteins/name"];
  expect(await readProteinChannels({ read, readIfAny: read } as never)).toEqual([]);
});
