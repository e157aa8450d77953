import { byGrouping } from "@stipple/viewer/choices";
import { cellsOfText, packedCells } from "../../selection/groups-json.ts";
import { plotStoreOf, type PlotSettings } from "../../plots/plot-settings.ts";
import { shownClustering } from "../../state/clusterings.ts";
import { ownEdits } from "../../state/own-edits.ts";
import { FIRST_SHOWN } from "../../state/shown-state.ts";
import { shownOfUrl, urlOf } from "../../state/url-state.ts";
import { shownOf, viewerStore, type ViewerStore } from "../../state/viewer-store.ts";
import type { FigurePanel } from "../figures.ts";

/** What a panel keeps of the page's state. */
export async function keptState(
  store: ViewerStore,
  cellsKey: string | null,
): Promise<Pick<FigurePanel, "query" | "selection">> {
  const state = store.getState();
  const { selection } = state;
  return {
    query: urlOf({
      ...shownOf(state),
      edits: ownEdits(state),
      // The first one may be another by then.
      clustering: shownClustering(state)?.id ?? null,
    }),
    selection:
      selection && cellsKey !== null ? { cells: await packedCells(selection), cellsKey } : null,
  };
}

/** A page's state as a panel kept it; names, groups, and clusterings are the project's of now. */
export async function panelStore(
  page: ViewerStore,
  panel: Pick<FigurePanel, "query" | "selection" | "drawing">,
  { cellsKey, nCells }: { cellsKey: string | null; nCells: number },
): Promise<ViewerStore> {
  const { drawing, selection } = panel;
  const shown = { ...FIRST_SHOWN, ...shownOfUrl(panel.query) };
  const state = page.getState();
  const { groups, assigned, projectEdits, clusterings, geneLists, regionWork } = state;
  const store = viewerStore({
    ...shown,
    edits: byGrouping((of) => ({ ...shown.edits[of], ...projectEdits?.[of] })),
    ...(drawing.kind === "view" && { arrangement: drawing.of }),
  });
  // Cells of an earlier analysis are others.
  const isOfNow = selection !== null && selection.cellsKey === cellsKey;
  store.setState({
    groups,
    assigned,
    projectEdits,
    // No other one takes the place of one that is gone.
    clusterings: shown.clustering
      ? clusterings.filter(({ id }) => id === shown.clustering)
      : clusterings,
    geneLists,
    regionWork,
    selection: isOfNow ? await cellsOfText(selection.cells, nCells) : null,
  });
  if (drawing.kind === "plot") {
    const plots = plotStoreOf(store);
    plots.setState(knownSettings(drawing.settings, plots.getState()));
  }
  return store;
}

/** The settings that are of a known name and kind. */
function knownSettings(kept: Record<string, unknown>, known: PlotSettings): Partial<PlotSettings> {
  const names = Object.keys(known) as (keyof PlotSettings)[];
  return Object.fromEntries(
    names
      .filter((name) => {
        const [value, now] = [kept[name], known[name]];
        if (value === undefined) return false;
        return value === null || now === null
          ? value === null || typeof value === "string"
          : typeof value === typeof now && Array.isArray(value) === Array.isArray(now);
      })
      .map((name) => [name, kept[name]]),
  );
}
