import { svgText } from "../../../../components/save-drawing.ts";
import { TYPE } from "../../plots/figure/draw-plot.ts";
import type { Figure } from "../../plots/figure/figure.ts";
import { legendDrawing } from "../../plots/figure/legend.ts";
import { svg } from "../../plots/figure/svg.ts";
import type { PageBox } from "./layout.ts";
import { INK } from "./page-svg.ts";

/** Between a drawing and its legend, px of the drawing. */
const BETWEEN = 10;
const TRIES = 4;

export interface PlotDrawing {
  svg: string;
  /** Size of its text, smaller than asked for where it has no room. */
  textPt: number;
}

/**
 * A plot that fills a panel, in points: as wide as its text allows, and with smaller text where it would be too high or
 * too wide.
 */
export function plotSvg(
  figure: Figure,
  { width, height }: Pick<PageBox, "width" | "height">,
  look: { textPt: number; family: string; hasLegend: boolean },
): PlotDrawing {
  let scale = Math.min(look.textPt / TYPE, width / figure.minWidth);
  for (let tried = 1; ; tried++) {
    const sheet = placedSheet(figure, width / scale, look);
    try {
      const { height: high } = sheet.viewBox.baseVal;
      const fits = high * scale <= height * 1.005;
      if (!fits && tried < TRIES) {
        scale = height / high;
        continue;
      }
      const shown = fits ? scale : height / high;
      const content = svgText(sheet)
        .replace(/^<svg[^>]*>/, `<g transform="scale(${shown.toFixed(5)})">`)
        .replace(/<\/svg>$/, "</g>");
      return { svg: content, textPt: shown * TYPE };
    } finally {
      sheet.remove();
    }
  }
}

/** The drawing and its legend, attached to the page out of sight; `remove` it after use. */
function placedSheet(
  figure: Figure,
  width: number,
  { family, hasLegend }: { family: string; hasLegend: boolean },
): SVGSVGElement {
  const sheet = svg("svg", {
    width,
    fill: "currentColor",
    "font-family": family,
    "font-size": TYPE,
    style: `position: fixed; top: 0; left: -99999px; --color-card: #ffffff; color: ${INK}; background: #ffffff`,
  });
  const parts = [figure.draw(width, "light")];
  if (hasLegend && figure.legend.length > 0) {
    parts.push(legendDrawing(figure.legend, width, "light"));
  }
  let top = 0;
  for (const part of parts) {
    const group = svg("g", { transform: `translate(0,${top})` }, ...part.childNodes);
    for (const name of ["fill", "font-size", "text-anchor"]) {
      const value = part.getAttribute(name);
      if (value !== null) group.setAttribute(name, value);
    }
    sheet.append(group);
    top += part.viewBox.baseVal.height + BETWEEN;
  }
  const height = top - BETWEEN;
  sheet.setAttribute("height", `${height}`);
  sheet.setAttribute("viewBox", `0 0 ${width} ${height}`);
  document.body.append(sheet);
  return sheet;
}
