import { pointSize } from "../draw/dot-size.ts";
import { cellClip, FLAT, type LayerInput } from "./layer-input.ts";
import { manyDots } from "./many-dots.ts";

/** All cells as dots, in every view but a close one. */
export function cellDots(input: LayerInput) {
  const { view, graphics, choices, source, near, dots } = input;
  if (!choices.cells) return undefined;
  return new (manyDots(graphics))({
    ...pointSize(source.manifest, view, choices.pointSize),
    id: `cells-${view}`,
    data: dots,
    square: false,
    edgePx: 0,
    large: false,
    // Kept while outlines are drawn, to avoid uploading its arrays again.
    visible: !near,
    opacity: choices.cellOpacity,
    clip: cellClip(input),
    parameters: FLAT,
  });
}
