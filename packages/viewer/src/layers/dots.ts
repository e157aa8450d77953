import { DotLayer, type DotProps } from "../draw/dot-layer.ts";
import { pointSize } from "../draw/dot-size.ts";
import type { Graphics } from "../draw/graphics.ts";
import { SplatLayer } from "../draw/splat-layer.ts";
import { cellClip, FLAT, type LayerInput } from "./layer-input.ts";

/** What draws many dots: WebGL, which without a graphics card is slower than drawing them in JavaScript. */
export function manyDots(graphics: Graphics): typeof DotLayer | typeof SplatLayer {
  return graphics === "card" ? DotLayer : SplatLayer;
}

/** All cells as dots, in every view but a close one. */
export function cellDots(input: LayerInput) {
  const { view, graphics, choices, near, dots } = input;
  if (!choices.cells) return undefined;
  return new (manyDots(graphics))({
    ...cellProps(input, dots),
    id: `cells-${view}`,
    large: false,
    // Kept while outlines are drawn, to avoid uploading its arrays again.
    visible: !near,
  });
}

/** The cells of a close view that have no outline, or not yet. */
export function nearDots(input: LayerInput) {
  const { view, choices, near } = input;
  if (!choices.cells || !near) return undefined;
  return new DotLayer({
    ...cellProps(input, near.points()),
    id: `cells-near-${view}`,
    large: true,
  });
}

function cellProps(input: LayerInput, data: DotProps["data"]) {
  const { view, choices, source } = input;
  return {
    ...pointSize(source.manifest, view, choices.pointSize),
    data,
    square: false,
    edgePx: 0,
    opacity: choices.cellOpacity,
    clip: cellClip(input),
    parameters: FLAT,
  };
}
