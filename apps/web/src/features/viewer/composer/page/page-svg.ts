import { markupText } from "@stipple/contract/markup";
import { lettersOf, type PaperFigure } from "../figures.ts";
import { fittingText } from "@stipple/viewer/figure";
import type { PageLayout, PanelLayout } from "./layout.ts";

export const INK = "#000000";
const FAMILIES: Readonly<Record<PaperFigure["font"], string>> = {
  Inter: "'Inter Variable', Inter, sans-serif",
  Helvetica: "Helvetica, Arial, sans-serif",
  Times: "Times, 'Times New Roman', serif",
};

export function familyOf({ font }: Pick<PaperFigure, "font">): string {
  return FAMILIES[font];
}

const n = (value: number): string => `${Number(value.toFixed(3))}`;

/**
 * The page as SVG file text, in points and at its size in mm. `bodies`: SVG elements of each panel by its id, in points
 * from the upper left corner of its body; `style`: a style sheet.
 */
export function pageSvg(
  figure: PaperFigure,
  layout: PageLayout,
  bodies: ReadonlyMap<string, string>,
  style = "",
): string {
  const { width, height } = layout;
  const { name, widthMm, heightMm, textPt } = figure;
  const letters = lettersOf(figure);
  const panels = layout.panels.map((placed) => {
    const { id } = placed.panel;
    const { x, y } = placed.body;
    const body = bodies.get(id);
    const head = panelHead(figure, layout, placed, letters.get(id) ?? "");
    return `<g>${head}${body ? `<g transform="translate(${n(x)} ${n(y)})">${body}</g>` : ""}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${n(widthMm)}mm" height="${n(heightMm)}mm" viewBox="0 0 ${n(width)} ${n(height)}" font-family="${familyOf(figure)}" font-size="${n(textPt)}" fill="${INK}" text-rendering="geometricPrecision">`,
    `<title>${markupText(name)}</title>`,
    style && `<style>${style}</style>`,
    `<rect width="${n(width)}" height="${n(height)}" fill="#ffffff"/>`,
    ...panels,
    `</svg>`,
  ].join("");
}

/** The letter and the title, on one line. */
function panelHead(
  { letters, textPt }: PaperFigure,
  { letterPt }: PageLayout,
  { panel, box }: PanelLayout,
  letter: string,
): string {
  const isLettered = letters !== "none";
  const baseline = box.y + 0.95 * (isLettered ? letterPt : textPt);
  const indent = isLettered ? 1.5 * letterPt : 0;
  const title = fittingText(panel.title, box.width - indent, textPt);
  return [
    isLettered &&
      `<text x="${n(box.x)}" y="${n(baseline)}" font-size="${n(letterPt)}" font-weight="700">${letter}</text>`,
    title && `<text x="${n(box.x + indent)}" y="${n(baseline)}">${markupText(title)}</text>`,
  ]
    .filter(Boolean)
    .join("");
}
