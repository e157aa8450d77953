import { savePng, saveSvg } from "../../../../components/save-drawing.ts";
import { plotTexts } from "../texts.ts";
import type { Figure } from "./figure.ts";
import { legendDrawing } from "./legend.ts";
import { svg } from "./svg.ts";
import { lines } from "@stipple/viewer/figure";

const MARGIN = 24;
const MIN_WIDTH = 720;
/** Files are for papers and slides: dark on white, whatever the page's theme. */
const INK = "#0f1b2a";
const GROUND = "#ffffff";

/** Saves a figure as an image under a name. Rejects if the browser cannot write it. */
export async function saveSheet(
  kind: "png" | "svg",
  figure: Figure,
  projectName: string,
  name: string,
): Promise<void> {
  const sheet = placeSheet(figure, plotTexts.source(projectName));
  try {
    if (kind === "svg") saveSvg(sheet, name);
    else await savePng(sheet, name);
  } finally {
    sheet.remove();
  }
}

/** A figure as one drawing with title, legend, and source, attached to the page off-screen; `remove` it after use. */
function placeSheet(figure: Figure, source: string): SVGSVGElement {
  const inner = Math.max(MIN_WIDTH, figure.minWidth);
  const width = inner + 2 * MARGIN;
  const sheet = svg("svg", {
    width,
    fill: "currentColor",
    "font-family": '"Inter Variable", Inter, Helvetica, Arial, sans-serif',
    "font-size": 12,
    style: `position: fixed; top: 0; left: -99999px; --color-card: ${GROUND}; color: ${INK}; background: ${GROUND}`,
  });
  let top = MARGIN + 14;
  const write = (text: string, size: number, attributes = {}) => {
    for (const line of lines(text, inner, size)) {
      sheet.append(svg("text", { x: MARGIN, y: top, "font-size": size, ...attributes }, line));
      top += Math.round(1.4 * size);
    }
  };
  write(figure.title, 17, { "font-weight": 600 });
  write(figure.subtitle, 12);
  top += 6;
  for (const part of [figure.draw(inner, "light"), legendDrawing(figure.legend, inner, "light")]) {
    const height = part.viewBox.baseVal.height;
    const group = svg("g", { transform: `translate(${MARGIN},${top})` }, ...part.childNodes);
    for (const name of ["fill", "font-size", "text-anchor"]) {
      const value = part.getAttribute(name);
      if (value !== null) group.setAttribute(name, value);
    }
    sheet.append(group);
    top += height + 12;
  }
  top += 10;
  write(source, 10, { "fill-opacity": 0.7 });
  const height = top + MARGIN - 12;
  sheet.setAttribute("height", `${height}`);
  sheet.setAttribute("viewBox", `0 0 ${width} ${height}`);
  document.body.append(sheet);
  return sheet;
}
