import { MOST_PANELS } from "@stipple/contract/paper-figure";
import type { ViewName } from "@stipple/viewer/choices";
import { umapDrawing } from "@stipple/viewer/geometry";
import { changeAnnotations } from "../annotations/annotation-store.ts";
import { newId } from "../annotations/new-id.ts";
import type { OpenViewer } from "../state/viewer-context.tsx";
import { keptState } from "./drawing/panel-state.ts";
import {
  freeName,
  lettersOf,
  newFigure,
  withLayout,
  type FigurePanel,
  type PaperFigure,
} from "./figures.ts";
import { framedPart } from "./page/view-frame.ts";
import { composerTexts as texts } from "./texts.ts";
import { figuresOf, openFigure } from "./use-figures.ts";

/** Around the points of a UMAP, as a share of its width. */
const UMAP_ROOM = 0.04;

type Page = Pick<OpenViewer, "store" | "annotations">;

/** Starts a figure and opens it. */
export function addFigure({ store, annotations }: Page, value?: PaperFigure): string {
  const names = figuresOf(annotations.getState().items).map((figure) => figure.value.name);
  const id = newId();
  const made = value ?? newFigure(freeName(names, texts.name));
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
  const extent = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let at = 0; at < positions.length; at += 2) {
    const [x, y] = [positions[at]!, positions[at + 1]!];
    extent.minX = Math.min(extent.minX, x);
    extent.maxX = Math.max(extent.maxX, x);
    extent.minY = Math.min(extent.minY, y);
    extent.maxY = Math.max(extent.maxY, y);
  }
  const room = UMAP_ROOM * (extent.maxX - extent.minX);
  const { minX, minY, maxX, maxY } = extent;
  return { minX: minX - room, minY: minY - room, maxX: maxX + room, maxY: maxY + room };
}

/** Adds a panel to the open figure, or to a new one. Returns a sentence that says so, or why not. */
export async function addPanel(
  page: Page,
  drawing: FigurePanel["drawing"],
  title: string,
): Promise<string> {
  const { store, annotations } = page;
  const kept = await keptState(store, annotations.getState().cells);
  const figures = () => figuresOf(annotations.getState().items);
  const open = openFigure(figures(), store.getState().paperFigure);
  const id = open?.id ?? addFigure(page);
  const figure = open?.value ?? figures().find((one) => one.id === id)?.value;
  if (!figure) return texts.failed;
  if (figure.panels.length >= MOST_PANELS) return texts.full(figure.name);
  const panel: FigurePanel = {
    ...kept,
    id: `p${newId()}`,
    columns: 1,
    rows: 1,
    title: title.slice(0, 200),
    legend: "right",
    scaleBar: true,
    drawing,
  };
  const value = withLayout(figure, { panels: [...figure.panels, panel] });
  changeAnnotations(annotations, [{ id, kind: "figure", value }]);
  store.setState({ paperFigure: id });
  return texts.added(figure.name, lettersOf(value).get(panel.id) ?? "");
}
