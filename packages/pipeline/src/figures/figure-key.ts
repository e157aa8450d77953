/** What explains the colors of a figure: a legend or a color bar, laid out in the width that it is given. */
export interface FigureKey {
  /** Height that it takes, px, at a width and a font size, px. */
  heightIn(width: number, font: number): number;
  /** SVG with its top left corner at (x, y). Rows shrink where the box is lower than `heightIn`. */
  draw(box: { x: number; y: number; width: number; height: number }, font: number): string;
}
