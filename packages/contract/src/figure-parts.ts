/** A rectangle of a figure, as fractions of the figure's width and height. */
export interface FigurePart {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where a figure shows the tissue, and where it explains the colors. */
export interface FigureParts {
  tissue: FigurePart;
  key: FigurePart;
}

/**
 * Response header of a smaller version of a figure: the eight numbers of `figurePartsOf`. Missing if the figure
 * does not say.
 */
export const FIGURE_PARTS_HEADER = "x-stipple-figure-parts";

/** "left top width height" */
export function figurePartText({ left, top, width, height }: FigurePart): string {
  return [left, top, width, height].map((value) => value.toFixed(5)).join(" ");
}

/** Left, top, width and height of the tissue, then of the key; undefined unless these are eight numbers. */
export function figurePartsOf(numbers: readonly number[]): FigureParts | undefined {
  if (numbers.length !== 8 || numbers.some((value) => !Number.isFinite(value))) return undefined;
  const part = (at: number): FigurePart => {
    const [left, top, width, height] = numbers.slice(at, at + 4);
    return { left: left!, top: top!, width: width!, height: height! };
  };
  return { tissue: part(0), key: part(4) };
}
