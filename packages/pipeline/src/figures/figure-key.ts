/** Explains the colors of a figure: a legend or a color bar, laid out to a given width. */
export interface FigureKey {
  /** Height in px at a given width and font size, px. */
  heightIn(width: number, font: number): number;
  /** SVG with its top left corner at (x, y). Rows shrink if the box is lower than `heightIn`. */
  draw(box: { x: number; y: number; width: number; height: number }, font: number): string;
}
