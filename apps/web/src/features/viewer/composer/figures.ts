import type { AnnotationValue } from "@stipple/contract/annotations";
import { PAGE_MM } from "@stipple/contract/paper-figure";
import { placedPanels, rowCount } from "./page/layout.ts";

/** A page of panels, as the project keeps it. */
export type PaperFigure = AnnotationValue<"figure">;
export type FigurePanel = PaperFigure["panels"][number];

/** Column widths that most journals use, mm. */
export const WIDTHS_MM = { single: 85, oneAndHalf: 114, double: 174 } as const;
const FIRST_ROW_MM = 70;

export function newFigure(name: string): PaperFigure {
  return {
    name,
    widthMm: WIDTHS_MM.double,
    heightMm: FIRST_ROW_MM,
    columns: 2,
    dpi: 300,
    font: "Inter",
    textPt: 7,
    letters: "A",
    panels: [],
  };
}

/** The figure with other panels or columns; its rows keep their height. */
export function withLayout(
  figure: PaperFigure,
  part: Partial<Pick<PaperFigure, "panels" | "columns">>,
): PaperFigure {
  const next = { ...figure, ...part };
  const before = Math.max(1, rowCount(figure));
  const heightMm = Math.round((figure.heightMm / before) * Math.max(1, rowCount(next)));
  return { ...next, heightMm: Math.min(PAGE_MM.most, Math.max(PAGE_MM.least, heightMm)) };
}

/** The figure with a panel changed. */
export function withPanel(
  figure: PaperFigure,
  id: string,
  part: Partial<FigurePanel>,
): PaperFigure {
  const panels = figure.panels.map((panel) => (panel.id === id ? { ...panel, ...part } : panel));
  return withLayout(figure, { panels });
}

/** The figure with a panel one place earlier (−1) or later (1). */
export function withMoved(figure: PaperFigure, id: string, by: -1 | 1): PaperFigure {
  const panels = [...figure.panels];
  const at = panels.findIndex((panel) => panel.id === id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= panels.length) return figure;
  [panels[at], panels[to]] = [panels[to]!, panels[at]!];
  return withLayout(figure, { panels });
}

export function withoutPanel(figure: PaperFigure, id: string): PaperFigure {
  return withLayout(figure, { panels: figure.panels.filter((panel) => panel.id !== id) });
}

/** The letters of a figure's panels, by id: in reading order of their places. */
export function lettersOf(figure: PaperFigure): ReadonlyMap<string, string> {
  const inOrder = placedPanels(figure).toSorted((a, b) => a.row - b.row || a.column - b.column);
  return new Map(
    inOrder.map(({ panel }, at) => {
      const letter = String.fromCharCode((figure.letters === "a" ? 97 : 65) + at);
      return [panel.id, letter];
    }),
  );
}
