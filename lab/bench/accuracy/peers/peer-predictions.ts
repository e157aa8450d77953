import { existsSync } from "node:fs";
import { join } from "node:path";
import { readResult } from "@stipple/pipeline/results";
import { openTissueImage } from "@stipple/pipeline/samples";
import { ofMatched, type PeerPredictions } from "@stipple/tissue/metrics/predictions";
import { inTruthOrder } from "@stipple/tissue/metrics/truth-order";
import type { AnalyzedTissue } from "./analyzed-tissue.ts";
import { istarLike } from "./istar-like.ts";
import { ridge } from "./ridge.ts";
import { superpixels } from "./superpixels.ts";
import { thorLike } from "./thor-like.ts";

/** Side of the superpixels of the iStar-like network, µm (iStar: 16 px of 0.5 µm). */
const SUPERPIXEL_UM = 8;

/** The peer methods, run on the cells and features detected by the product. */
export const peerPredictions: PeerPredictions = async (
  tissue,
  { truthDir, resultsDir, matched, order },
) => {
  const scale = await readResult(resultsDir, "sample/scale");
  const found: AnalyzedTissue = {
    cellsXy: await readResult(resultsDir, "cells/xy"),
    features: await readResult(resultsDir, "cells/features"),
    spotOf: await readResult(resultsDir, "cells/spot"),
    capture: await readResult(resultsDir, "spots/cells"),
    counts: inTruthOrder(await readResult(resultsDir, "spots/counts"), order, tissue.genes.length),
    spotsXy: (await readResult(resultsDir, "spots/xy")).data,
    spotRadiusPx: scale.spotSizeUm / 2 / scale.micronsPerPixel,
  };
  const predictions: Awaited<ReturnType<PeerPredictions>> = {
    ridge: ofMatched(ridge(found), matched),
    thorLike: ofMatched(thorLike(found), matched),
  };
  const path = [join(truthDir, "image.tif"), join(truthDir, "..", "image.tif")].find(existsSync);
  if (path !== undefined) {
    const image = await openTissueImage(path);
    const side = Math.max(1, Math.round(SUPERPIXEL_UM / scale.micronsPerPixel));
    const grid = await superpixels(image, side);
    predictions.istarLike = ofMatched(istarLike(found, grid, tissue.parameters.seed), matched);
  }
  return predictions;
};
