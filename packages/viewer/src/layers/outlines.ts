import type { OutlineData } from "../draw/near-cells.ts";
import { OutlineLayer } from "../draw/outline-layer.ts";
import { cellClip, FLAT, type LayerInput } from "./layer-input.ts";

/** Area opacity relative to lines; opacities are gamma-corrected so that their steps look even. */
const AREA_SHARE = 0.45;
const GAMMA = 1 / 2.2;

/** The cells of a close view, filled if wanted. */
export function outlines(input: LayerInput) {
  const { near, choices } = input;
  return near?.outlines && outlineLayer(input, "outlines", near.outlines, 1.5, choices.fill);
}

/** Contours of the nuclei of a close view. */
export function nuclei(input: LayerInput) {
  return input.nuclei && outlineLayer(input, "nuclei", input.nuclei, 1, false);
}

function outlineLayer(
  input: LayerInput,
  id: string,
  { mesh, rgba }: OutlineData,
  lineWidthPx: number,
  filled: boolean,
) {
  const { cells, cellOpacity } = input.choices;
  if (!cells) return undefined;
  return new OutlineLayer({
    id,
    mesh,
    rgba,
    lineWidthPx,
    areaOpacity: filled ? (AREA_SHARE * cellOpacity) ** GAMMA : 0,
    lineOpacity: cellOpacity ** GAMMA,
    clip: cellClip(input),
    parameters: FLAT,
  });
}
