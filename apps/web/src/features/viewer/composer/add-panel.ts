import { MAX_PANELS } from "@stipple/contract/paper-figure";
import { shortened } from "@stipple/contract/shortened";
import type { ViewName } from "@stipple/viewer/choices";
import { boundsOf, grown, umapDrawing } from "@stipple/viewer/geometry";
import { changeAnnotations } from "../annotations/annotation-store.ts";
import { newId } from "../annotations/new-id.ts";
import { firstFreeName } from "../state/free-names.ts";
import type { OpenViewer } from "../state/viewer-context.tsx";
import { keptState } from "./drawing/panel-state.ts";
import {
  lettersOf,
  newFigure,
  withLayout,
  withPanel,
  type FigurePanel,
  type PaperFigure,
} from "./figures.ts";
import { framedPart } from "./page/view-frame.ts";
import { composerTexts as texts } from "./texts.ts";
import { figuresOf, openFigure } from "./use-figures.ts";

/** Around the points of a UMAP, as a share of its width. */
const UMAP_ROOM = 0.04;
const FIRST_LOOK = { columns: 1, rows: 1, legend: "right", scaleBar: true } as const;

type Page = Pick<OpenViewer, "store" | "annotations">;

/** Starts a figure and opens it. */
export function addFigure({ store, annotations }: Page, value?: PaperFigure): string {
  const names = figuresOf(annotations.getState().items).map((figure) => figure.value.name);
  const id = newId();
  const made = value ?? newFigure(firstFreeName(names, texts.name));
  changeAnnotations(annotations, [{ id, kind: "figure", value: made }]);
  store.setState({ paperFigure: id });
  return id;
}

/** The view at its place now; null if it is not shown. O(nCells) for the UMAP. */
export function viewDrawing(
  { store, manifest, cells }: Pick<OpenViewer, "store" | "manifest" | "cells">,
  of: ViewName,
) {
  const place = store.getState().places[of];
  const stage = document.getElementById(`stage-${of}`);
  if (!place || !stage || stage.clientWidth === 0) return null;
  const { clientWidth: widthPx, clientHeight: heightPx } = stage;
  const { widthPx: maxX, heightPx: maxY } = manifest.tissue;
  const extent =
    of === "tissue" ? { minX: 0, minY: 0, maxX, maxY } : around(umapDrawing(cells.umap));
  return { kind: "view", of, ...framedPart({ ...place, widthPx, heightPx }, extent) } as const;
}

/** The extent of positions, with a little room for the size of points. */
function around(positions: Float32Array) {
  const box = boundsOf(positions);
  return grown(box, UMAP_ROOM * (box.maxX - box.minX));
}

/**
 * Adds a panel to the open figure, or to a new one, or puts it in the place of another panel of the open figure. Returns a
 * sentence that says so, or why not.
 */
export async function addPanel(
  page: Page,
  drawing: FigurePanel["drawing"],
  title: string,
  replaced: string | null = null,
): Promise<string> {
  const { store, annotations } = page;
  const kept = await keptState(store, annotations.getState().cells);
  const figures = () => figuresOf(annotations.getState().items);
  const open = openFigure(figures(), store.getState().paperFigure);
  const id = open?.id ?? addFigure(page);
  const figure = open?.value ?? figures().find((one) => one.id === id)?.value;
  if (!figure) return texts.failed;
  const before = figure.panels.find((one) => one.id === replaced) ?? null;
  if (!before && figure.panels.length >= MAX_PANELS) return texts.full(figure.name);
  // A panel of its own, also in the place of another: what was read for that one is not drawn for it.
  const own = { ...kept, id: `p${newId()}`, title: shortened(title, 200), drawing };
  const value = before
    ? withPanel(figure, before.id, own)
    : withLayout(figure, { panels: [...figure.panels, { ...FIRST_LOOK, ...own }] });
  changeAnnotations(annotations, [{ id, kind: "figure", value }]);
  store.setState({ paperFigure: id, ...(before && { paperPanel: own.id }) });
  const letter = lettersOf(value).get(own.id) ?? "";
  return before ? texts.replaced(figure.name, letter) : texts.added(figure.name, letter);
}
