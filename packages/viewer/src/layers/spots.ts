import { spotRadius } from "../draw/dot-size.ts";
import { FLAT, type LayerInput } from "./layer-input.ts";
import { manyDots } from "./dots.ts";
import { DotLayer } from "../draw/dot-layer.ts";

const SPOT_EDGE_PX = 1.5;

/** Spots or bins, left of the divider if there is one. */
export function spots({ view, graphics, source, choices, spots: drawing, swipe }: LayerInput) {
  if (view !== "tissue" || !drawing) return undefined;
  const { manifest } = source;
  const { dots, isPart, onlyEdges } = drawing;
  return new (isPart ? DotLayer : manyDots(graphics))({
    id: isPart ? "spots-near" : "spots",
    data: dots,
    radius: spotRadius(manifest),
    radiusMinPx: 0.5,
    radiusMaxPx: Infinity,
    square: manifest.binSidePx !== null,
    angle: manifest.binAngle,
    edgePx: onlyEdges ? SPOT_EDGE_PX : 0,
    large: isPart,
    clip: swipe === null ? null : [0, swipe],
    opacity: choices.spotOpacity,
    parameters: FLAT,
  });
}
