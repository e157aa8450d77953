import { backgroundOf, estimateStains } from "@stipple/pipeline/internal/optics/estimate-stains";
import {
  qualityMap,
  tissueQuality,
} from "@stipple/pipeline/internal/steps/2-morphological-analysis/quality-map";
import { brightfieldPlanes } from "@stipple/pipeline/internal/steps/2-morphological-analysis/stain-planes";
import { step } from "@stipple/pipeline/internal/steps/2-morphological-analysis/step";
import {
  GRID_PX,
  workingScale,
} from "@stipple/pipeline/internal/steps/2-morphological-analysis/tile-plan";
import {
  QUALITY_PLANES,
  tileQuality,
} from "@stipple/pipeline/internal/steps/2-morphological-analysis/tile-quality";
import sharp, { type Sharp } from "sharp";

/**
 * Share of an H&E image called out of focus after a Gaussian blur of `blurUm`, at the scale step 2 would use; null if
 * nothing can be assessed.
 */
export async function focusOf(
  file: string,
  umPerPx: number,
  blurUm: number,
): Promise<number | null> {
  const target = workingScale(umPerPx, step.params.parse({}));
  let image = await decoded(sharp(file).removeAlpha().toColourspace("srgb"));
  if (blurUm > 0) image = await decoded(from(image).blur(blurUm / umPerPx));
  if (umPerPx !== target) {
    const size = (px: number): number => Math.round((px * umPerPx) / target);
    image = await decoded(
      from(image).resize(size(image.width), size(image.height), { fit: "fill" }),
    );
  }
  const rgb = new Uint8Array(image.data);
  const { width, height } = image;
  const whole = { x: 0, y: 0, width, height };
  const values = tileQuality(brightfieldPlanes(rgb, estimateStains(rgb, backgroundOf(rgb))), {
    ...{ core: whole, outer: whole },
    hasTissue: true,
  });
  const squares = { width: Math.ceil(width / GRID_PX), height: Math.ceil(height / GRID_PX) };
  const n = squares.width * squares.height;
  const planes = QUALITY_PLANES.map((_, k) => values.subarray(k * n, (k + 1) * n));
  const map = qualityMap({ ...squares, planes }, target, umPerPx);
  return tissueQuality(map, { nRows: 1, nCols: 1, data: Uint8Array.of(1) })?.blurred ?? null;
}

interface Decoded {
  data: Uint8Array;
  width: number;
  height: number;
}

async function decoded(image: Sharp): Promise<Decoded> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function from({ data, width, height }: Decoded): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}
