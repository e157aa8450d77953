import { figurePartsOf, figurePartText, type FigureParts } from "@stipple/contract/figure-parts";

/** The description that a figure's PNG carries in its EXIF data, for programs that show its parts. */
export function describeParts({ tissue, key }: FigureParts): string {
  return `tissue ${figurePartText(tissue)} key ${figurePartText(key)}`;
}

const PART = String.raw`(\d\.\d{5}) (\d\.\d{5}) (\d\.\d{5}) (\d\.\d{5})`;
const DESCRIPTION = new RegExp(`tissue ${PART} key ${PART}`);

/** The parts in a PNG's EXIF data; null for figures without them. */
export function partsIn(exif: Buffer | undefined): FigureParts | null {
  const found = DESCRIPTION.exec(exif?.toString("latin1") ?? "");
  return figurePartsOf(found?.slice(1).map(Number) ?? []) ?? null;
}
