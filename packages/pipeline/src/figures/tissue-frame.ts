import type { Figure, PictureLayer } from "./figure.ts";
import { svgScaleBar } from "./scale-bar.ts";
import { svgText } from "./svg.ts";
import { groundLayer, type TissuePanel } from "./tissue-panel.ts";

/** Sizes that follow the panel: a font of 1/60 of its longer side reads well in print and on a page. */
function layoutOf(panel: TissuePanel): {
  font: number;
  margin: number;
  top: number;
  side: number;
} {
  const font = Math.max(12, Math.max(panel.widthPx, panel.heightPx) / 60);
  return {
    font,
    margin: Math.round(font),
    top: Math.round(font * 4.2),
    side: Math.round(font * 19),
  };
}

/**
 * A figure of the tissue: heading, what `draw` gives over the faded tissue (its top left corner at x, y), a column for the
 * legend and a scale bar. Figures of equal panels have the tissue at the same place, so that they can be laid over
 * each other.
 */
export function tissueFrame(
  panel: TissuePanel,
  texts: { title: string; subtitle: string },
  draw: (x: number, y: number) => PictureLayer,
  side: (box: { x: number; y: number; width: number; height: number }, font: number) => string,
): Figure {
  const { font, margin, top, side: sideWidth } = layoutOf(panel);
  const box = {
    x: margin * 2 + panel.widthPx,
    y: top,
    width: sideWidth,
    height: panel.heightPx,
  };
  const svg = [
    svgText(margin, font * 1.8, texts.title, { size: font * 1.3, weight: 600 }),
    svgText(margin, font * 3.3, texts.subtitle, { size: font * 0.85, color: "#46566a" }),
    svgScaleBar(
      margin,
      top + panel.heightPx + font * 2.2,
      panel.widthPx,
      panel.micronsPerPixel,
      font,
    ),
    side(box, font),
  ].join("\n");
  return {
    widthPx: box.x + sideWidth + margin,
    // The scale bar lies below the tissue, where it hides nothing.
    heightPx: Math.round(top + panel.heightPx + font * 3.2),
    layers: [groundLayer(panel, margin, top), draw(margin, top), { kind: "vector", svg }],
  };
}
