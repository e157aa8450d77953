/** Where the tissue is in a figure, as fractions of the figure's width and height. */
export interface TissueBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The description that a figure's PNG carries in its EXIF data, for programs that show the tissue alone. */
export function describeTissue({ left, top, width, height }: TissueBox): string {
  const part = (value: number): string => value.toFixed(5);
  return `tissue ${part(left)} ${part(top)} ${part(width)} ${part(height)}`;
}

const DESCRIPTION = /tissue (\d\.\d{5}) (\d\.\d{5}) (\d\.\d{5}) (\d\.\d{5})/;

/** The box in a PNG's EXIF data; null for figures without one. */
export function tissueIn(exif: Buffer | undefined): TissueBox | null {
  const found = DESCRIPTION.exec(exif?.toString("latin1") ?? "");
  if (!found) return null;
  const [left, top, width, height] = found.slice(1).map(Number);
  return { left, top, width, height };
}
