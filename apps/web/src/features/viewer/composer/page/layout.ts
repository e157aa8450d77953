import type { FigurePanel, PaperFigure } from "../figures.ts";

/** Units: a page is laid out in points, 72 in an inch. */
export const PT_PER_MM = 72 / 25.4;
const GAP_MM = 4;
/** Letters are larger than other text by this factor. */
const LETTER = 9 / 7;
/** Height of a panel's head, in sizes of its largest text. */
const HEAD = 1.45;

/** Points. */
export interface PageBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedPanel {
  panel: FigurePanel;
  row: number;
  column: number;
  /** Columns it takes, no more than the page has. */
  columns: number;
}

export interface PanelLayout {
  panel: FigurePanel;
  /** All of it. */
  box: PageBox;
  /** Without its head. */
  body: PageBox;
}

export interface PageLayout {
  width: number;
  height: number;
  letterPt: number;
  panels: readonly PanelLayout[];
}

type Grid = Pick<PaperFigure, "columns" | "panels">;

/** Puts each panel, in order, at the first place of the grid that has room for it. */
export function placedPanels({ columns: count, panels }: Grid): PlacedPanel[] {
  const taken = new Set<number>();
  return panels.map((panel) => {
    const columns = Math.min(count, panel.columns);
    const cellsAt = (row: number, column: number) =>
      Array.from({ length: panel.rows * columns }, (_, at) => {
        const down = Math.floor(at / columns);
        return (row + down) * count + column + (at % columns);
      });
    for (let place = 0; ; place++) {
      const [row, column] = [Math.floor(place / count), place % count];
      if (column + columns > count) continue;
      const cells = cellsAt(row, column);
      if (cells.some((cell) => taken.has(cell))) continue;
      cells.forEach((cell) => taken.add(cell));
      return { panel, row, column, columns };
    }
  });
}

export function rowCount(grid: Grid): number {
  return Math.max(0, ...placedPanels(grid).map(({ row, panel }) => row + panel.rows));
}

/** Where a figure's panels stand on its page. */
export function pageLayout(figure: PaperFigure): PageLayout {
  const { widthMm, heightMm, columns: count, textPt, letters } = figure;
  const [width, height] = [widthMm * PT_PER_MM, heightMm * PT_PER_MM];
  const [columnWidth, across] = divided(width, count);
  const [rowHeight, down] = divided(height, Math.max(1, rowCount(figure)));
  const letterPt = LETTER * textPt;
  const panels = placedPanels(figure).map(({ panel, row, column, columns }): PanelLayout => {
    const box = {
      x: column * (columnWidth + across),
      y: row * (rowHeight + down),
      width: columns * (columnWidth + across) - across,
      height: panel.rows * (rowHeight + down) - down,
    };
    const text = letters === "none" ? (panel.title ? textPt : 0) : letterPt;
    const head = Math.min(HEAD * text, box.height / 2);
    return { panel, box, body: { ...box, y: box.y + head, height: box.height - head } };
  });
  return { width, height, letterPt, panels };
}

/** The length of each of `count` equal parts, and of the gaps between them, at most half of it. */
function divided(length: number, count: number): [part: number, gap: number] {
  const gap = Math.min(GAP_MM * PT_PER_MM, length / (2 * count));
  return [(length - gap * (count - 1)) / count, gap];
}

/** Whole pixels of a length in mm at a resolution. */
export function pixelsOf(mm: number, dpi: number): number {
  return Math.round((mm / 25.4) * dpi);
}

/** The largest width and height of a given proportion that fit. */
export function fitted(
  { width, height }: Pick<PageBox, "width" | "height">,
  room: Pick<PageBox, "width" | "height">,
): { width: number; height: number; scale: number } {
  const scale = Math.min(room.width / width, room.height / height);
  return { width: width * scale, height: height * scale, scale };
}
