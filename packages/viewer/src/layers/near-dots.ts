import { DotLayer } from "../draw/dot-layer.ts";
import { pointSize } from "../draw/dot-size.ts";
import { cellClip, FLAT, type LayerInput } from "./layer-input.ts";

/** The cells of a close view that have no outline, or not yet. */
export function nearDots(input: LayerInput) {
  const { view, choices, source, near } = input;
  if (!choices.cells || !near) return undefined;
  return new DotLayer({
    ...pointSize(source.manifest, view, choices.pointSize),
    id: `cells-near-${view}`,
    data: near.points(),
    square: false,
    edgePx: 0,
    large: true,
    opacity: choices.cellOpacity,
    clip: cellClip(input),
    parameters: FLAT,
  });
}
