import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { cellsOf } from "@stipple/viewer/cells";
import type { Cells } from "@stipple/viewer/source";
import type { ViewerState } from "../../state/viewer-store.ts";

/** Where a new note goes, full-resolution px: amid the selected cells, else in the middle of the view, else of the image. */
export function placeOfNote(
  { selection, places }: Pick<ViewerState, "selection" | "places">,
  { tissue, widthPx, heightPx }: Pick<ViewerManifest, "tissue" | "widthPx" | "heightPx">,
  { xy }: Pick<Cells, "xy">,
): { x: number; y: number } {
  const { scale } = tissue;
  if (selection) {
    let [x, y] = [0, 0];
    for (const cell of cellsOf(selection)) {
      x += xy[2 * cell]!;
      y += xy[2 * cell + 1]!;
    }
    return { x: (scale * x) / selection.count, y: (scale * y) / selection.count };
  }
  const place = places.tissue;
  return place ? { x: place.x * scale, y: place.y * scale } : { x: widthPx / 2, y: heightPx / 2 };
}
