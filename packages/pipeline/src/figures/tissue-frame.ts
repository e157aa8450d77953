import type { FigureKey } from "./figure-key.ts";
import type { FigurePart } from "@stipple/contract/figure-parts";
import type { Figure, PictureLayer } from "./figure.ts";
import { svgScaleBar } from "./scale-bar.ts";
import { svgText } from "./svg.ts";
import { groundLayer, type TissuePanel } from "./tissue-panel.ts";

/**
 * A line of text spans this many em across the figure: the text stays readable if two figures share a page or one fills
 * a journal column.
 */
const EMS_ACROSS = 44;
/** Tissue narrower than this share of its height has the key next to it; otherwise the key is below. */
const NARROW = 0.7;
/** Width of the column for a key next to the tissue, em. */
const COLUMN = 19;
const SMALLEST_FONT = 12;

/**
 * Positions of the parts of a figure, px. They depend only on the panel, except for the height of a key below the
 * tissue.
 */
interface Layout {
  font: number;
  margin: number;
  top: number;
  /** y of the scale bar's lower edge. */
  scaleBar: number;
  /** Box of the key: as tall as the tissue if next to it, as tall as needed if below. */
  key: { x: number; y: number; width: number; height: number | null };
}

function layoutOf(panel: TissuePanel): Layout {
  const isNarrow = panel.widthPx < NARROW * panel.heightPx;
  // Three margins of one em, and the column.
  const ems = isNarrow ? EMS_ACROSS - COLUMN - 3 : EMS_ACROSS - 2;
  const font = Math.max(
    SMALLEST_FONT,
    Math.min(panel.widthPx / ems, Math.max(panel.widthPx, panel.heightPx) / 34),
  );
  const margin = Math.round(font);
  const top = Math.round(font * 4.2);
  const scaleBar = top + panel.heightPx + font * 1.6;
  return {
    font,
    margin,
    top,
    scaleBar,
    key: isNarrow
      ? {
          x: margin * 2 + panel.widthPx,
          y: top,
          width: Math.round(font * COLUMN),
          height: panel.heightPx,
        }
      : { x: margin, y: scaleBar + font * 1.4, width: panel.widthPx, height: null },
  };
}

/**
 * A figure of the tissue: heading, the layer that `draw` makes over the faded tissue (its top left corner at x, y), a
 * scale bar, and the color key. Figures with equal panels have the same width and the tissue at the same place, so that
 * they can be overlaid.
 */
export function tissueFrame(
  panel: TissuePanel,
  texts: { title: string; subtitle: string },
  draw: (x: number, y: number) => PictureLayer,
  key: FigureKey,
): Figure {
  const { font, margin, top, scaleBar, key: place } = layoutOf(panel);
  const box = { ...place, height: place.height ?? key.heightIn(place.width, font) };
  const svg = [
    svgText(margin, font * 1.8, texts.title, { size: font * 1.3, weight: 600 }),
    svgText(margin, font * 3.3, texts.subtitle, { size: font * 0.85, color: "#46566a" }),
    // The scale bar is below the tissue, where it hides nothing.
    svgScaleBar(margin, scaleBar, panel.widthPx, panel.micronsPerPixel, font),
    key.draw(box, font),
  ].join("\n");
  const widthPx = box.x + box.width + margin;
  const heightPx = Math.round(Math.max(scaleBar, box.y + box.height) + font);
  const part = ({ x, y, width, height }: typeof box): FigurePart => ({
    left: x / widthPx,
    top: y / heightPx,
    width: width / widthPx,
    height: height / heightPx,
  });
  return {
    widthPx,
    heightPx,
    parts: {
      tissue: part({ x: margin, y: top, width: panel.widthPx, height: panel.heightPx }),
      key: part(box),
    },
    layers: [groundLayer(panel, margin, top), draw(margin, top), { kind: "vector", svg }],
  };
}
