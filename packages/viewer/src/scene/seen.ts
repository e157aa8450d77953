import { contains, grown } from "../geometry/boxes.ts";
import type { CellsInView, Scene, SeenView } from "./interface.ts";
import { pointRadiusPx, type Stand } from "./stand.ts";

/** Around the view, so that cells at its edge are not cut, CSS px. */
const EDGE_PX = 20;

/** Size of the stage in CSS px, and µm per CSS px; null on the UMAP. */
export function frameOf({ eye }: Stand): ReturnType<Scene["frame"]> {
  const { width, height } = eye.size;
  return { widthPx: width, heightPx: height, umPerPixel: eye.umPerPixel() };
}

/** What is in view, for screen readers; undefined before anything is shown. O(cells in view). */
export function seenView({ eye, points, content, outlined }: Stand): SeenView | undefined {
  if (!content) return undefined;
  const { rgba } = content;
  const isDrawn = (cell: number) => rgba[4 * cell + 3]! > 0;
  const grid = points.grid();
  const drawn = grid.count(grid.bounds, isDrawn);
  const box = eye.box();
  const umPerPixel = eye.umPerPixel();
  return {
    drawn,
    inView: contains(box, grid.bounds) ? drawn : grid.count(box, isDrawn),
    widthUm: umPerPixel === null ? null : eye.size.width * umPerPixel,
    outlined: outlined !== undefined,
  };
}

/** The cells in view, as drawn; undefined if there are more than `limit`. */
export function cellsInView(stand: Stand, limit: number): CellsInView | undefined {
  const { view, eye, points, content, outlined } = stand;
  if (!content?.layers.cells) return undefined;
  const { rgba, layers, swipe } = content;
  const { minX, maxX, ...rest } = eye.box();
  const from = view === "tissue" && swipe !== null ? minX + swipe * (maxX - minX) : minX;
  const box = grown({ minX: from, maxX, ...rest }, EDGE_PX / 2 ** eye.state.zoom);
  const inside = points.grid().inside(box, limit);
  if (inside.length > limit) return undefined;
  return {
    cells: inside.filter((cell) => rgba[4 * cell + 3]! > 0),
    ...{ rgba, layers, shape: outlined },
    radiusPx: pointRadiusPx(stand),
    toScreen: eye.toScreen,
    widthPx: eye.size.width,
    heightPx: eye.size.height,
  };
}
