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

/** The description that a figure's PNG carries in its EXIF data, for programs that show its parts. */
export function describeParts({ tissue, key }: FigureParts): string {
  return `tissue ${textOf(tissue)} key ${textOf(key)}`;
}

/** "left top width height" */
export function textOf({ left, top, width, height }: FigurePart): string {
  return [left, top, width, height].map((value) => value.toFixed(5)).join(" ");
}

const PART = String.raw`(\d\.\d{5}) (\d\.\d{5}) (\d\.\d{5}) (\d\.\d{5})`;
const DESCRIPTION = new RegExp(`tissue ${PART} key ${PART}`);

/** The parts in a PNG's EXIF data; null for figures without them. */
export function partsIn(exif: Buffer | undefined): FigureParts | null {
  const found = DESCRIPTION.exec(exif?.toString("latin1") ?? "")
    ?.slice(1)
    .map(Number);
  if (!found) return null;
  const part = (at: number): FigurePart => {
    const [left, top, width, height] = found.slice(at, at + 4);
    return { left, top, width, height };
  };
  return { tissue: part(0), key: part(4) };
}
