import { principalAxes, projectOn } from "@stipple/numerics/principal-axes";
import { covarianceOf } from "@stipple/numerics/covariance";
import { pickRows } from "@stipple/numerics/dense";
import { ownFeatures } from "../model/cell-features.ts";
import { readResult } from "../store/results-folder.ts";
import { InputError } from "../errors.ts";
import type { ExploredSample } from "./explored-sample.ts";
import type { CellPoints, WantedCells } from "./find-clusters.ts";

const COMPONENTS = 20;
const SEED = 0;

/** Principal components of what the image shows of each cell: size, shape, stain, and texture, standardized. */
export async function lookPoints(
  { results }: ExploredSample,
  { cells }: WantedCells,
): Promise<CellPoints> {
  const features = await readResult(results, "cells/features");
  const names = await readResult(results, "features/name");
  const { nCols } = features;
  const data = pickRows(features.data, nCols, cells);
  const own = ownFeatures({ nRows: cells.length, nCols, data }, names);
  if (own.nCols === 0) {
    throw new InputError(
      "The morphology of these cells was not measured, or is the same in all: cluster by rates or counts.",
    );
  }
  const covariance = await covarianceOf(own.data, own.nCols);
  const axes = principalAxes(own.data, own.nCols, COMPONENTS, SEED, covariance);
  const scores = projectOn(axes, own.data, cells.length);
  return { cells, points: { nRows: cells.length, nCols: axes.nAxes, data: scores } };
}
